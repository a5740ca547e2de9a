"""Sums over products as chains of matrices, inner products and traces."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ..ir import Index
from .pieces import ATOM, ONES, PRODUCT, ROWSUM, TOP, NoForm, Piece, entrywise, raised, turns


def joined(pieces: Sequence[Piece], bound: tuple[Index, ...], axes: tuple[Index, ...]) -> Piece:
    """Σ over these letters of a product as a chain of matrices from one axis to the other."""
    inside = (*axes, *bound)
    edges: dict[frozenset[Index], Piece] = {}
    for piece in pieces:
        group = frozenset(piece.axes)
        if group in edges:
            first = edges[group]
            edges[group] = entrywise([first, piece.along(first.axes)], first.axes)
        else:
            edges[group] = piece
    for letter in bound if axes else ():  # without axes it is a trace
        _close(letter, edges)
    if not axes and len(edges) == 1 and (whole := _norm(*edges.values())):
        return whole
    vectors = {next(iter(g)): p for g, p in edges.items() if len(g) == 1}
    matrices = {g: p for g, p in edges.items() if len(g) == 2}
    if any(len(g) > 2 or not g for g in edges):
        raise NoForm
    degree = {i: sum(i in g for g in matrices) for i in inside}
    if any(degree[i] > 2 for i in bound) or any(degree[a] != 1 for a in axes):
        raise NoForm
    ends = [i for i in inside if degree[i] == 1]
    if not matrices:
        return _inner_product(bound, vectors, axes)
    if not ends:
        return _trace(bound, matrices, vectors)
    if len(ends) != 2:
        raise NoForm
    found = []
    for start in axes[:1] or ends:
        path, used = _walk(start, matrices)
        if used != len(matrices) or not vectors.keys() <= set(path):
            raise NoForm
        found.append(_chain(path, matrices, vectors, axes))
    return min(found, key=lambda piece: turns(piece.text))


def _norm(piece: Piece) -> Piece | None:
    r"""Σ_ij W_ij² as \|W\|_F^2, Σ_ij V_ij W_ij as \mathrm{tr}(V^⊤ W), None for other sums."""
    if len(piece.axes) != 2 or len(piece.factors) != 2:
        return None
    first, second = piece.factors
    if first.text == second.text:
        return Piece(rf"\|{first.text}\|_F^2", ATOM, ())
    back = piece.axes[::-1]
    pairs = (first.along(back), second), (first, second.along(back))
    texts = (" ".join(p.tight(ATOM) for p in pair) for pair in pairs)
    return Piece(rf"\mathrm{{tr}}({min(texts, key=turns)})", ATOM, ())


def _close(letter: Index, edges: dict[frozenset[Index], Piece]) -> None:
    """A_ij Σ_b G_ib V_jb as A ∘ (G V^⊤): a product beside a matrix with the same two letters."""
    around = [g for g in edges if letter in g]
    ends = [i for g in around for i in g if i is not letter]
    if len(around) != 2 or len(ends) != 2 or frozenset(ends) not in edges:
        return
    first, second = (edges.pop(frozenset((end, letter))) for end in ends)
    left, right = first.along((ends[0], letter)), second.along((letter, ends[1]))
    text = f"{left.tight(ATOM)} {right.tight(ATOM)}"
    beside = edges[frozenset(ends)]
    product = Piece(text, PRODUCT, tuple(ends), turned=_reversed(left, right, ends))
    edges[frozenset(ends)] = entrywise([beside, product.along(beside.axes)], beside.axes)


def _reversed(left: Piece, right: Piece, ends: list[Index]) -> Piece:
    """V G^⊤, the transpose of G V^⊤."""
    turned = [p.along(p.axes[::-1]).tight(ATOM) for p in (right, left)]
    return Piece(" ".join(turned), PRODUCT, (ends[1], ends[0]))


def _inner_product(
    bound: tuple[Index, ...], vectors: dict[Index, Piece], axes: tuple[Index, ...]
) -> Piece:
    if axes or len(vectors) != 1 or len(bound) != 1:
        raise NoForm
    piece = next(iter(vectors.values()))
    if len(piece.factors) == 2:
        left, right = sorted(piece.factors, key=lambda p: p.last)
        return Piece(f"{raised(left, TOP)} {right.tight(ATOM)}", PRODUCT, ())
    return Piece(rf"\mathbf{{1}}^\top {piece.tight(ATOM)}", PRODUCT, ())


def _trace(
    bound: tuple[Index, ...], matrices: dict[frozenset[Index], Piece], vectors: dict[Index, Piece]
) -> Piece:
    r"""Σ_abk W_ak C_ab W_bk as \mathrm{tr}(W^⊤ C W), what is there twice outside."""
    if vectors or len(matrices) < 3:
        raise NoForm
    path, used = _walk(bound[0], matrices)
    if used != len(matrices):
        raise NoForm

    def outside(pieces: list[Piece]) -> bool:
        first, last = pieces[0], pieces[-1]
        return f"{first.text}^{TOP}" == last.text or f"{last.text}^{TOP}" == first.text

    around = [matrices[frozenset(pair)].along(pair) for pair in pairwise(path)]
    turned = (around[k:] + around[:k] for k in range(len(around)))
    whole = next(filter(outside, turned), around)
    return Piece(rf"\mathrm{{tr}}({' '.join(p.tight(PRODUCT) for p in whole)})", ATOM, ())


def _walk(start: Index, matrices: dict[frozenset[Index], Piece]) -> tuple[list[Index], int]:
    path, left = [start], dict(matrices)
    while True:
        here = path[-1]
        edge = next(
            (g for g in sorted(left, key=lambda g: sorted(i.sort for i in g)) if here in g), None
        )
        if edge is None:
            return path, len(matrices) - len(left)
        del left[edge]
        path.append(next(i for i in edge if i is not here))


def _chain(
    path: list[Index],
    matrices: dict[frozenset[Index], Piece],
    vectors: dict[Index, Piece],
    axes: tuple[Index, ...],
) -> Piece:
    texts: list[str] = []
    pairs = list(pairwise(path))
    for k, (here, there) in enumerate(pairs):
        vector = vectors.get(here)
        if vector:
            first_of_scalar = k == 0 and not axes
            texts.append(
                raised(vector, TOP) if first_of_scalar else rf"\mathrm{{diag}}({vector.text})"
            )
        piece = matrices[frozenset((here, there))].along((here, there))
        alone = piece.chain or (len(pairs) == 1 and not vectors and axes)
        texts.append(piece.tight(PRODUCT if alone else ATOM))
    end = path[-1]
    if end in axes:
        if end in vectors:
            texts.append(rf"\mathrm{{diag}}({vectors[end].text})")
        return Piece(" ".join(texts), PRODUCT if len(texts) > 1 else ATOM, axes)
    if end in vectors:
        texts.append(vectors[end].tight(ATOM))
        row = [raised(vectors[end], TOP)]
        row += [matrices[frozenset(p)].along(p).tight(ATOM) for p in pairwise(path[::-1])]
        plain = len(texts) == len(path)  # no diag between
        turned = Piece(" ".join(row), PRODUCT, axes) if plain and axes else None
        whole = Piece(" ".join(texts), PRODUCT, axes, turned)
    elif not axes:  # of all entries, 1^⊤ W 1 and v^⊤ W 1
        first = [] if path[0] in vectors else [rf"{ONES}^\top"]
        return Piece(" ".join([*first, *texts, ONES]), PRODUCT, axes)
    elif len(texts) == 1 and texts[0].endswith(r"^\top"):
        inner = matrices[frozenset(path)].along((path[1], path[0])).text
        whole = Piece(rf"\mathrm{{colsum}}({inner})", ATOM, axes)
    else:
        whole = Piece(rf"{ROWSUM}({' '.join(texts)})", ATOM, axes)
    if not axes and path[0] not in vectors:
        return Piece(" ".join([rf"{ONES}^\top", *texts]), PRODUCT, axes)
    return whole


__all__ = ["joined"]
