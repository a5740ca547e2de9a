r"""Index form → matrix form: Σ_a Q^{ia} K^{ja} as Q K^⊤, Σ_l X^{il} Y^{il} as rowsum(X ∘ Y).

Only expressions with at most two free indices whose factors have at most two indices each have
such a form; `matrix_form` gives None for the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from .. import primitives
from ..ir import Atom, Call, Delta, Index, Max, Num, Poly, Rational, Ref, Sum, Term, magnitude
from .arrange import arranged, factors
from .latex import latex, name

ATOM, PRODUCT, SUM = 2, 1, 0  # how tightly a piece of text binds


ROWSUM, ROWMAX, MAX = r"\mathrm{rowsum}", r"\mathrm{rowmax}", r"\max"


class _NoForm(Exception):
    """The expression has no matrix form."""


@dataclass(frozen=True)
class _Piece:
    """A matrix, a vector or a scalar: its text, how tightly it binds, and its axes."""

    text: str
    bind: int
    axes: tuple[Index, ...]

    def tight(self, needed: int) -> str:
        return self.text if self.bind >= needed else rf"\left({self.text}\right)"

    def along(self, axes: tuple[Index, ...]) -> _Piece:
        if self.axes == axes or (self.text == "I" and self.axes == axes[::-1]):
            return _Piece(self.text, self.bind, axes)
        if self.axes == axes[::-1] and len(axes) == 2:
            if self.bind == ATOM and self.text.endswith(r"^\top"):
                return _Piece(self.text.removesuffix(r"^\top"), ATOM, axes)
            return _Piece(self.tight(ATOM) + r"^\top", ATOM, axes)
        raise _NoForm


def matrix_form(poly: Poly, axes: tuple[Index, ...]) -> str | None:
    """The expression with these axes in matrix notation, None where there is none."""
    if len(axes) > 2 or len(set(axes)) < len(axes):
        return None
    try:
        return _poly(poly, axes, broadcast=False).text
    except _NoForm:
        return None


def _poly(poly: Poly, axes: tuple[Index, ...], broadcast: bool) -> _Piece:
    terms = arranged(poly)
    if not terms:
        return _Piece("0", ATOM, axes)
    text = ""
    for term, c in terms:
        piece = _term(term, magnitude(c), axes, broadcast)
        text += "-" if c < 0 and not text else " - " if c < 0 else " + " if text else ""
        text += piece.tight(PRODUCT)
    single = len(terms) == 1 and terms[0][1] > 0
    return _Piece(text, piece.bind if single else SUM, axes)


def _term(term: Term, c: Rational, axes: tuple[Index, ...], broadcast: bool) -> _Piece:
    scalars: dict[Atom, Rational] = {}
    pieces: list[_Piece] = []
    for atom, e in factors(term):
        if not atom.free and not atom.height and not isinstance(atom, Sum | Poly):
            scalars[atom] = e
        elif not atom.free and isinstance(atom, Sum) and e == 1:
            pieces.append(_contraction(atom, ()))
        elif isinstance(atom, Sum) and e == 1:
            pieces.append(_contraction(atom, tuple(a for a in axes if a in atom.free)))
        else:
            pieces.append(_elementwise(atom, e, axes))
    front = ""
    if scalars or c != 1:
        front = latex(Poly({Term(scalars): c})).replace(r"\frac", r"\tfrac", 1)
    whole = _combine(pieces, axes, broadcast)
    if whole is None:
        return _Piece(front or "1", ATOM, axes)
    if not front:
        return whole
    return _Piece(f"{front} {whole.tight(PRODUCT)}", PRODUCT, axes)


def _elementwise(atom: Atom, e: Rational, axes: tuple[Index, ...]) -> _Piece:
    own = tuple(a for a in axes if a in atom.free)
    match atom:
        case Ref() if not atom.tensor.parts and all(isinstance(s, Index) for s in atom.slots):
            group = tuple(s for s in atom.slots if isinstance(s, Index))
            if len(set(group)) < len(group) or len(group) > 2:
                raise _NoForm
            piece = _Piece(name(atom.tensor.name), ATOM, group)
        case Delta() if isinstance(atom.a, Index) and isinstance(atom.b, Index):
            return _Piece("I", ATOM, (atom.a, atom.b))
        case Call():
            inner = _poly(atom.args[0], own, broadcast=False)
            piece = _Piece(f"{primitives.by_name(atom.name).latex}({inner.text})", ATOM, own)
        case Max():
            piece = _maximum(atom, own)
        case Poly():
            piece = _poly(atom, own, broadcast=True)
        case _:
            raise _NoForm
    if e != 1:
        shown = str(e) if e.denominator == 1 else f"{e.numerator}/{e.denominator}"
        piece = _Piece(rf"{piece.tight(ATOM)}^{{\circ {shown}}}", ATOM, piece.axes)
    return piece


def _maximum(atom: Max, own: tuple[Index, ...]) -> _Piece:
    """The largest of matrices entry by entry, of every row, or of all entries."""
    if not atom.bound:
        texts = [
            latex(a) if a.constant is not None else _poly(a, own, broadcast=False).text
            for a in atom.args
        ]
        return _Piece(rf"\max({', '.join(texts)})", ATOM, own)
    if len(own) > 1 or len(own) + len(atom.bound) > 2:
        raise _NoForm
    inner = _poly(atom.args[0], (*own, *atom.bound), broadcast=False)
    return _Piece(rf"{ROWMAX if own else MAX}({inner.text})", ATOM, own)


def _combine(pieces: list[_Piece], axes: tuple[Index, ...], broadcast: bool) -> _Piece | None:
    """The elementwise product of pieces over the axes; None for the empty product."""
    scalars = [p for p in pieces if not p.axes]
    full = [p.along(axes) for p in pieces if p.axes and len(p.axes) == len(axes)]
    partial = [p for p in pieces if p.axes and len(p.axes) < len(axes)]
    identity = [p for p in full if p.text == "I"]
    full = [p for p in full if p.text != "I"]
    if identity:
        if full:
            raise _NoForm
        inside = r" \circ ".join(p.tight(PRODUCT) for p in partial)
        diagonal = _Piece(rf"\mathrm{{diag}}({inside})" if partial else "I", ATOM, axes)
        return _scaled(diagonal, scalars)
    rows = [p for p in partial if p.axes == axes[:1]]
    columns = [p for p in partial if p.axes == axes[1:]]
    if not full and rows and columns:
        left = r" \circ ".join(p.tight(PRODUCT) for p in rows)
        right = r" \circ ".join(p.tight(ATOM) for p in columns)
        left = left if len(rows) == 1 else rf"\left({left}\right)"
        right = right if len(columns) == 1 else rf"\left({right}\right)"
        whole = _Piece(rf"{left} {right}^\top", PRODUCT, axes)
    elif (
        not full
        and broadcast
        and not columns
        and len(rows) == 1
        and (rows[0].text.startswith(ROWSUM))
    ):  # a column that stands beside a matrix
        whole = _Piece(r" \circ ".join(p.tight(PRODUCT) for p in rows), PRODUCT, axes)
    elif full:
        whole = full[0]
        if len(full) > 1:
            whole = _Piece(r" \circ ".join(p.tight(ATOM) for p in full), PRODUCT, axes)
        if rows:
            inner = r" \circ ".join(p.tight(PRODUCT) for p in rows)
            whole = _Piece(rf"\mathrm{{diag}}({inner}) {whole.tight(PRODUCT)}", PRODUCT, axes)
        if columns:
            inner = r" \circ ".join(p.tight(PRODUCT) for p in columns)
            whole = _Piece(rf"{whole.tight(PRODUCT)} \, \mathrm{{diag}}({inner})", PRODUCT, axes)
    elif partial:
        raise _NoForm
    elif not scalars:
        return None
    else:
        whole = scalars.pop(0)
    whole = _scaled(whole, scalars)
    if len(whole.axes) < len(axes) and not broadcast and axes:
        raise _NoForm
    return whole


def _scaled(whole: _Piece, scalars: list[_Piece]) -> _Piece:
    for p in scalars:
        whole = _Piece(rf"{p.tight(PRODUCT)} \, {whole.tight(PRODUCT)}", PRODUCT, whole.axes)
    return whole


# ------------------------------------------------------------------------------------ contractions


def _contraction(total: Sum, axes: tuple[Index, ...]) -> _Piece:
    """Σ over a product as a chain of matrices from one axis to the other."""
    only = total.body.single
    if only is None or only[1] != 1:
        raise _NoForm
    inside = (*axes, *total.bound)
    pieces = [
        _elementwise(atom, e, inside) for atom, e in factors(only[0]) if not isinstance(atom, Num)
    ]
    if len(pieces) < len(only[0].powers) or any(p.text == "I" for p in pieces):
        raise _NoForm
    edges: dict[frozenset[Index], _Piece] = {}
    for piece in pieces:
        group = frozenset(piece.axes)
        if group in edges:
            first = edges[group]
            joined = rf"{first.tight(ATOM)} \circ {piece.along(first.axes).tight(ATOM)}"
            edges[group] = _Piece(joined, PRODUCT, first.axes)
        else:
            edges[group] = piece
    vectors = {next(iter(g)): p for g, p in edges.items() if len(g) == 1}
    matrices = {g: p for g, p in edges.items() if len(g) == 2}
    if any(len(g) > 2 or not g for g in edges):
        raise _NoForm
    degree = {i: sum(i in g for g in matrices) for i in inside}
    if any(degree[i] > 2 for i in total.bound) or any(degree[a] != 1 for a in axes):
        raise _NoForm
    ends = [i for i in inside if degree[i] == 1]
    if not matrices:
        return _inner_product(total, vectors, axes)
    if not ends:
        return _trace(total, matrices, vectors)
    if len(ends) != 2:
        raise _NoForm
    start = axes[0] if axes else ends[0]
    path, used = _walk(start, matrices)
    if used != len(matrices) or not vectors.keys() <= set(path):
        raise _NoForm
    return _chain(path, matrices, vectors, axes)


def _inner_product(total: Sum, vectors: dict[Index, _Piece], axes: tuple[Index, ...]) -> _Piece:
    if axes or len(vectors) != 1 or len(total.bound) != 1:
        raise _NoForm
    piece = next(iter(vectors.values()))
    left, circle, right = piece.text.partition(r" \circ ")
    if circle and r"\circ" not in right:
        return _Piece(rf"{left}^\top {right}", PRODUCT, ())
    return _Piece(rf"\mathbf{{1}}^\top {piece.tight(ATOM)}", PRODUCT, ())


def _trace(
    total: Sum, matrices: dict[frozenset[Index], _Piece], vectors: dict[Index, _Piece]
) -> _Piece:
    if vectors or len(matrices) < 3:
        raise _NoForm
    start = total.bound[0]
    path, used = _walk(start, matrices)
    if used != len(matrices):
        raise _NoForm
    texts = [matrices[frozenset(pair)].along(pair).tight(PRODUCT) for pair in pairwise(path)]
    return _Piece(rf"\mathrm{{tr}}({' '.join(texts)})", ATOM, ())


def _walk(start: Index, matrices: dict[frozenset[Index], _Piece]) -> tuple[list[Index], int]:
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
    matrices: dict[frozenset[Index], _Piece],
    vectors: dict[Index, _Piece],
    axes: tuple[Index, ...],
) -> _Piece:
    texts: list[str] = []
    pairs = list(pairwise(path))
    for k, (here, there) in enumerate(pairs):
        vector = vectors.get(here)
        if vector:
            first_of_scalar = k == 0 and not axes
            texts.append(
                rf"{vector.tight(ATOM)}^\top"
                if first_of_scalar
                else rf"\mathrm{{diag}}({vector.text})"
            )
        piece = matrices[frozenset((here, there))].along((here, there))
        texts.append(piece.tight(PRODUCT if len(pairs) == 1 and not vectors else ATOM))
    end = path[-1]
    if end in axes:
        if end in vectors:
            texts.append(rf"\mathrm{{diag}}({vectors[end].text})")
        return _Piece(" ".join(texts), PRODUCT if len(texts) > 1 else ATOM, axes)
    if end in vectors:
        texts.append(vectors[end].tight(ATOM))
        whole = _Piece(" ".join(texts), PRODUCT, axes)
    else:
        whole = _Piece(rf"{ROWSUM}({' '.join(texts)})", ATOM, axes)
    if not axes and path[0] not in vectors:
        whole = _Piece(rf"\mathbf{{1}}^\top {whole.tight(ATOM)}", PRODUCT, axes)
    return whole
