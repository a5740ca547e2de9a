r"""Index form → matrix form: Σ_a Q^{ia} K^{ja} as Q K^⊤, Σ_l X^{il} Y^{il} as rowsum(X ∘ Y).

Only expressions with at most two free indices whose factors have at most two indices each have
such a form; `matrix_form` gives None for the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from .. import primitives
from ..ir import (
    Atom,
    Call,
    Delta,
    Index,
    Max,
    Num,
    Poly,
    Rational,
    Ref,
    Sum,
    Tensor,
    Term,
    magnitude,
    parts,
)
from .arrange import arranged, factors
from .cost import cases_of, complement
from .latex import latex, name
from .notation import before, current, named
from .relations import indicator

ATOM, PRODUCT, SUM = 2, 1, 0  # how tightly a piece of text binds


TOP = r"\top"
ROWSUM, ROWMAX, MAX, ONES = r"\mathrm{rowsum}", r"\mathrm{rowmax}", r"\max", r"\mathbf{1}"


class _NoForm(Exception):
    """The expression has no matrix form."""


@dataclass(frozen=True)
class _Piece:
    """A matrix, a vector or a scalar: its text, how tightly it binds, and its axes.

    `turned` is the transpose where that has a text of its own; `factors` are those of a product
    entry by entry.
    """

    text: str
    bind: int
    axes: tuple[Index, ...]
    turned: _Piece | None = None
    factors: tuple[_Piece, ...] = ()
    last: int = 1  # in an inner product: definitions 0, inputs 1, adjoints 2

    def tight(self, needed: int) -> str:
        return self.text if self.bind >= needed else rf"\left({self.text}\right)"

    def along(self, axes: tuple[Index, ...]) -> _Piece:
        """The piece with its axes in this order, transposed if need be."""
        if self.axes == axes:
            return self
        if self.axes != axes[::-1] or len(axes) != 2:
            raise _NoForm
        if self.turned is not None:
            return self.turned
        if self.text == "I":
            return _Piece("I", ATOM, axes)
        if self.bind == ATOM and self.text.endswith(r"^\top"):
            return _Piece(self.text.removesuffix(r"^\top"), ATOM, axes)
        if self.bind == ATOM and self.text.endswith("^{-1}"):
            return _Piece(self.text.removesuffix("^{-1}") + r"^{-\top}", ATOM, axes)
        return _Piece(_raised(self, TOP), ATOM, axes)


def _raised(piece: _Piece, script: str) -> str:
    """A piece with something above it, in a bracket where something is there already."""
    base = piece.tight(ATOM)
    taken = re.search(r"\^(\\top|\{[^{}]*\})$", base)
    return rf"\left({base}\right)^{script}" if taken else f"{base}^{script}"


def _entrywise(pieces: Sequence[_Piece], axes: tuple[Index, ...]) -> _Piece:
    """X ∘ Y ∘ … of pieces with the same axes."""
    flat = [f for p in pieces for f in (p.factors or (p,))]
    if len(flat) == 1:
        return flat[0]
    text = r" \circ ".join(p.tight(ATOM) for p in flat)
    return _Piece(text, PRODUCT, axes, factors=tuple(flat))


def matrix_form(poly: Poly, axes: tuple[Index, ...]) -> str | None:
    """The expression with these axes in matrix notation, None where there is none."""
    if len(axes) > 2 or len(set(axes)) < len(axes):
        return None
    try:
        return _poly(poly, axes, broadcast=False).text
    except _NoForm:
        return None


def _poly(poly: Poly, axes: tuple[Index, ...], broadcast: bool) -> _Piece:
    terms = arranged(poly, before)
    if not terms:
        return _Piece("0", ATOM, axes)
    if cases_of(poly) is not None:
        raise _NoForm
    text = ""
    for term, c in terms:
        piece = _term(term, magnitude(c), axes, broadcast, several=len(terms) > 1)
        text += "-" if c < 0 and not text else " - " if c < 0 else " + " if text else ""
        text += piece.text if c > 0 else piece.tight(PRODUCT)
    if len(terms) == 1 and terms[0][1] > 0:
        return piece
    return _Piece(text, SUM, axes)


def _term(
    term: Term, c: Rational, axes: tuple[Index, ...], broadcast: bool, several: bool = False
) -> _Piece:
    scalars: dict[Atom, Rational] = {}
    below: dict[Atom, Rational] = {}
    pieces: list[_Piece] = []
    term, averaged = _averages(term, axes)
    pieces += averaged
    for atom, e in factors(term, (), before):
        if not atom.free and not _over_letters(atom):
            scalars[atom] = e
        elif not atom.free and e < 0:
            below[atom] = -e
        elif not atom.free and (e != 1 or isinstance(atom, Sum)):
            pieces.append(_number(atom, e))
        elif isinstance(atom, Sum) and e == 1:
            pieces.append(_contraction(atom, tuple(a for a in axes if a in atom.free)))
        else:
            pieces.append(_elementwise(atom, e, axes))
    whole = _combine(pieces, axes, broadcast, several)
    if below:
        return _divided(whole, scalars, c, below, axes)
    front = latex(Poly({Term(scalars): c})) if scalars or c != 1 else ""
    behind: dict[Atom, Rational] = {}
    behind.update((a, e) for a, e in scalars.items() if isinstance(a, Poly) and e == 1)
    if whole is not None and whole.bind == SUM and len(behind) < len(scalars):
        rest = {a: e for a, e in scalars.items() if a not in behind}
        front = " ".join(latex(Poly({Term(p): k})) for p, k in ((rest, c), (behind, 1)) if p)
    if whole is None:
        if axes and not several and not broadcast:
            raise _NoForm
        return _Piece(front or "1", ATOM, axes)
    if not front:
        return whole
    over = r"\frac{1}{"
    vectors = len(pieces) == 1 or all(len(p.axes) == 1 for p in pieces)
    matrices = len(axes) == 2 and re.search(" [-+] ", whole.text)
    if _light(whole) and vectors and c == 1 and not matrices:
        if front.startswith(over):
            return _Piece(rf"\frac{{{whole.text}}}{{" + front.removeprefix(over), ATOM, axes)
        scalar = re.fullmatch(r"\\frac\{(\\?[A-Za-z]+)\}(\{[^{}]+\})", front)
        if scalar and len(pieces) == 1 and r"\top" not in whole.text:  # c \frac{x}{r}
            return _Piece(rf"{scalar[1]} \frac{{{whole.text}}}{scalar[2]}", PRODUCT, axes)
    front = front.replace(r"\frac", r"\tfrac", 1)
    return _Piece(f"{front} {whole.tight(PRODUCT)}", PRODUCT, axes)


def _number(atom: Atom, e: Rational) -> _Piece:
    """A number to a power, in which sums are contractions."""
    if isinstance(atom, Sum):
        piece = _contraction(atom, ())
    elif isinstance(atom, Poly):
        piece = _poly(atom, (), broadcast=False)
    else:
        piece = _elementwise(atom, 1, ())
    if e == Fraction(1, 2):
        return _Piece(rf"\sqrt{{{piece.text}}}", ATOM, ())
    if e.denominator != 1:
        raise _NoForm
    return piece if e == 1 else _Piece(_raised(piece, rf"{{{e}}}"), ATOM, ())


def _divided(
    whole: _Piece | None,
    scalars: dict[Atom, Rational],
    c: Rational,
    below: dict[Atom, Rational],
    axes: tuple[Index, ...],
) -> _Piece:
    """A product over numbers in which there are sums: one fraction, or one in front of a sum."""
    powers = {a: k for a, k in scalars.items() if k > 0}
    above = latex(Poly({Term(powers): c.numerator})) if powers or c.numerator != 1 else ""
    under = {a: -k for a, k in scalars.items() if k < 0}
    bottom = latex(Poly({Term(under): c.denominator})) if under or c.denominator != 1 else ""
    numbers = [_number(a, k) for a, k in below.items()]
    several = len(numbers) > 1 or bottom
    bottom = " ".join(
        filter(None, [bottom, *(p.tight(ATOM) if several else p.text for p in numbers)])
    )
    if whole is None or whole.bind == SUM or r"\frac" in whole.text:
        front = rf"\frac{{{above or 1}}}{{{bottom}}}"
        behind = f" {whole.tight(PRODUCT)}" if whole else ""
        return _Piece(front + behind, PRODUCT, axes)
    top = " ".join(filter(None, [above, whole.tight(PRODUCT) if above else whole.text]))
    return _Piece(rf"\frac{{{top}}}{{{bottom}}}", ATOM, axes)


def _over_letters(node: Any) -> bool:
    """A sum or a maximum over letters, or something with one inside."""
    return bool(getattr(node, "bound", ())) or any(map(_over_letters, parts(node)))


def _light(piece: _Piece) -> bool:
    r"""A name or a difference of two names: \frac{x - y}{r} rather than \frac{1}{r} (x - y)."""
    word = r"(?:\\[a-z]+ ?)?[A-Za-z]"
    return bool(re.fullmatch(rf"{word}|{word} [-+] {word}|{word} {word}\^\\top", piece.text))


def _averages(term: Term, axes: tuple[Index, ...]) -> tuple[Term, list[_Piece]]:
    """The means in a product, (1/n) Σ_i x_i with i of size n, and what is left."""
    powers = dict(term.powers)
    found: list[_Piece] = []
    for atom, e in factors(term, (), before):
        if not isinstance(atom, Sum) or e != 1 or len(atom.bound) != 1 or atom.free:
            continue
        size = next((a for a in powers if _is_size(a, atom.bound[0])), None)
        if size is None or powers[size] != -1:
            continue
        inner = _poly(atom.body, atom.bound, broadcast=False)
        found.append(_Piece(rf"\mathrm{{mean}}({inner.text})", ATOM, ()))
        del powers[size], powers[atom]
    return Term(powers), found


def _is_size(atom: Atom, index: Index) -> bool:
    return isinstance(atom, Ref) and atom.tensor.symbol == index.size


def _elementwise(atom: Atom, e: Rational, axes: tuple[Index, ...]) -> _Piece:
    own = tuple(a for a in axes if a in atom.free)
    match atom:
        case Ref() if _whole(atom.tensor) and all(isinstance(s, Index) for s in atom.slots):
            group = tuple(s for s in atom.slots if isinstance(s, Index))
            if len(set(group)) < len(group) or len(group) > 2:
                raise _NoForm
            piece = _matrix(atom.tensor, group)
        case Delta() if isinstance(atom.a, Index) and isinstance(atom.b, Index):
            return _Piece("I", ATOM, (atom.a, atom.b))
        case Call():
            piece = _either(own, lambda axes: _applied(atom, axes))
        case Max():
            piece = _maximum(atom, own)
        case Poly() if (u := complement(atom)) is not None:
            piece = _either(own, lambda axes: _indicator(u, "<", ">", axes))
        case Poly():
            piece = _either(own, lambda axes: _poly(atom, axes, broadcast=True))
        case _:
            raise _NoForm
    if e == 2 and isinstance(atom, Ref):
        return _entrywise([piece, piece], piece.axes)
    if e != 1:
        shown = str(e) if e.denominator == 1 else f"{e.numerator}/{e.denominator}"
        return _Piece(_raised(piece, rf"{{\circ {shown}}}"), ATOM, piece.axes)
    return piece


def _whole(tensor: Tensor) -> bool:
    """True for a name, and for the derivative of a number by one."""
    if not tensor.parts:
        return True
    of, wrt = tensor.parts
    return not of.shape and not of.parts and not wrt.parts


def _matrix(tensor: Tensor, group: tuple[Index, ...]) -> _Piece:
    """A tensor by its name, X^{-1} for an inverse, ∂L/∂X; a symmetric one is its own transpose."""
    if own := current().gradient(tensor):
        return _Piece(own, ATOM, group)
    if tensor.parts:
        of, wrt = map(named, tensor.parts)
        return _Piece(rf"\frac{{\partial {of}}}{{\partial {wrt}}}", PRODUCT, group)
    shown = named(tensor)
    if tensor.role == "inverse":
        shown = name(tensor.of[0].name) + "^{-1}"
    last = 2 if tensor.role == "adjoint" else tensor.name not in current().defined
    piece = _Piece(shown, ATOM, group, last=int(last))
    if current().mirrored(tensor) and len(group) == 2:
        return replace(piece, turned=_Piece(shown, ATOM, group[::-1]))
    return piece


def _applied(call: Call, axes: tuple[Index, ...]) -> _Piece:
    def inside(argument: Poly) -> str:
        return _poly(argument, axes, broadcast=False).text

    if call.name == "step":
        return _indicator(call.args[0], r"\ge", r"\le", axes)
    only = call.args[0].single if call.name == "log" else None
    if only is not None and any(e < 0 and a.free for a, e in only[0]):  # log(p/q)
        above = Poly({Term({a: e for a, e in only[0] if e > 0 or not a.free}): only[1]})
        below = Poly({Term({a: -e for a, e in only[0] if e < 0 and a.free}): 1})
        top, bottom = (_applied(Call("log", [side]), axes).text for side in (above, below))
        return _Piece(f"{top} - {bottom}", SUM, axes)
    return _Piece(primitives.by_name(call.name).shown(*map(inside, call.args)), ATOM, axes)


def _indicator(u: Poly, more: str, less: str, axes: tuple[Index, ...]) -> _Piece:
    def inside(side: Poly) -> str:
        return _poly(side, axes, broadcast=False).text

    return _Piece(indicator(u, more, less, inside), ATOM, axes)


def _either(axes: tuple[Index, ...], make: Callable[[tuple[Index, ...]], _Piece]) -> _Piece:
    """A piece with the text that its transpose has by itself: (P − Y)^⊤ and P − Y."""
    piece = make(axes)
    if len(axes) != 2:
        return piece
    turned = make(axes[::-1])
    few, many = sorted((piece, turned), key=lambda p: _turns(p.text))
    if _turns(few.text) == _turns(many.text):
        return replace(piece, turned=turned)
    other = _Piece(_raised(few, TOP), ATOM, few.axes[::-1], turned=few)
    return other if few is turned else replace(piece, turned=other)


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


def _combine(
    pieces: list[_Piece], axes: tuple[Index, ...], broadcast: bool, several: bool = False
) -> _Piece | None:
    """The elementwise product of pieces over the axes; None for the empty product.

    As one of several terms a vector is spread out by a product with the vector of ones.
    """
    scalars = [p for p in pieces if not p.axes]
    full = [p.along(axes) for p in pieces if p.axes and len(p.axes) == len(axes)]
    partial = [p for p in pieces if p.axes and len(p.axes) < len(axes)]
    identity = [p for p in full if p.text == "I"]
    full = [p for p in full if p.text != "I"]
    if identity:
        if full:
            raise _NoForm
        inside = _entrywise(partial, partial[0].axes).text if partial else ""
        diagonal = _Piece(rf"\mathrm{{diag}}({inside})" if partial else "I", ATOM, axes)
        return _scaled(diagonal, scalars)
    rows = [p for p in partial if p.axes == axes[:1]]
    columns = [p for p in partial if p.axes == axes[1:]]
    if not full and rows and columns:
        left = r" \circ ".join(p.tight(PRODUCT if len(rows) == 1 else ATOM) for p in rows)
        right = r" \circ ".join(p.tight(ATOM) for p in columns)
        left = left if len(rows) == 1 else rf"\left({left}\right)"
        right = right if len(columns) == 1 else rf"\left({right}\right)"
        row = columns[0].turned if len(columns) == 1 else None
        whole = _Piece(
            f"{left} {row.text if row else _raised(_Piece(right, ATOM, ()), TOP)}", PRODUCT, axes
        )
    elif (
        not full
        and broadcast
        and not columns
        and len(rows) == 1
        and (rows[0].text.startswith(ROWSUM))
    ):  # a column that stands beside a matrix
        whole = _Piece(r" \circ ".join(p.tight(PRODUCT) for p in rows), PRODUCT, axes)
    elif full:
        whole = _entrywise(full, axes)
        if rows:
            inner = r" \circ ".join(p.tight(PRODUCT) for p in rows)
            whole = _Piece(rf"\mathrm{{diag}}({inner}) {whole.tight(PRODUCT)}", PRODUCT, axes)
        if columns:
            inner = r" \circ ".join(p.tight(PRODUCT) for p in columns)
            whole = _Piece(rf"{whole.tight(PRODUCT)} \, \mathrm{{diag}}({inner})", PRODUCT, axes)
    elif partial and (several or not broadcast) and bool(rows) != bool(columns):
        some = _entrywise(rows or columns, (rows or columns)[0].axes)
        text = rf"{some.tight(ATOM)} {ONES}^\top" if rows else f"{ONES} {_raised(some, TOP)}"
        whole = _Piece(text, PRODUCT, axes)
    elif partial:
        raise _NoForm
    elif not scalars:
        return None
    else:
        whole = scalars.pop(0)
    whole = _scaled(whole, scalars)
    if len(whole.axes) < len(axes) and not broadcast and not (several and len(axes) == 1) and axes:
        raise _NoForm
    return whole


def _scaled(whole: _Piece, scalars: list[_Piece]) -> _Piece:
    for p in scalars:
        behind = len(whole.axes) == 1 and whole.bind == ATOM
        if behind and (p.bind == PRODUCT or p.text.startswith(r"\mathrm")):
            text = rf"{whole.text} {p.text}"  # u u^\top x
        else:
            text = rf"{p.tight(PRODUCT)} \, {whole.tight(PRODUCT)}"
        whole = _Piece(text, PRODUCT, whole.axes)
    return whole


# ------------------------------------------------------------------------------------ contractions


def _contraction(total: Sum, axes: tuple[Index, ...]) -> _Piece:
    """Σ over a product as a chain of matrices from one axis to the other."""
    only = total.body.single
    if only is None or only[1] != 1:
        raise _NoForm
    inside = (*axes, *total.bound)
    if (diagonal := _diagonal(only[0])) is not None:
        return diagonal
    pieces = [
        _elementwise(atom, e, inside)
        for atom, e in factors(only[0], (), before)
        if not isinstance(atom, Num)
    ]
    if len(pieces) < len(only[0].powers) or any(p.text == "I" for p in pieces):
        raise _NoForm
    edges: dict[frozenset[Index], _Piece] = {}
    for piece in pieces:
        group = frozenset(piece.axes)
        if group in edges:
            first = edges[group]
            edges[group] = _entrywise([first, piece.along(first.axes)], first.axes)
        else:
            edges[group] = piece
    for letter in total.bound if axes else ():  # without axes it is a trace
        _close(letter, edges)
    if not axes and len(edges) == 1 and (whole := _norm(*edges.values())):
        return whole
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
    found = []
    for start in axes[:1] or ends:
        path, used = _walk(start, matrices)
        if used != len(matrices) or not vectors.keys() <= set(path):
            raise _NoForm
        found.append(_chain(path, matrices, vectors, axes))
    return min(found, key=lambda piece: _turns(piece.text))


def _diagonal(term: Term) -> _Piece | None:
    r"""Σ_i E_ii as \mathrm{tr}(E), None for other sums."""
    ((atom, e),) = term if len(term.powers) == 1 else ((None, 0),)
    if not isinstance(atom, Ref) or e != 1 or len(atom.slots) != 2:
        return None
    i, j = atom.slots
    if i is not j or not isinstance(i, Index) or not _whole(atom.tensor):
        return None
    return _Piece(rf"\mathrm{{tr}}({_matrix(atom.tensor, (i, i)).text})", ATOM, ())


def _norm(piece: _Piece) -> _Piece | None:
    r"""Σ_ij W_ij² as \|W\|_F^2, Σ_ij V_ij W_ij as \mathrm{tr}(V^⊤ W), None for other sums."""
    if len(piece.axes) != 2 or len(piece.factors) != 2:
        return None
    first, second = piece.factors
    if first.text == second.text:
        return _Piece(rf"\|{first.text}\|_F^2", ATOM, ())
    back = piece.axes[::-1]
    pairs = (first.along(back), second), (first, second.along(back))
    texts = (" ".join(p.tight(ATOM) for p in pair) for pair in pairs)
    return _Piece(rf"\mathrm{{tr}}({min(texts, key=_turns)})", ATOM, ())


def _turns(text: str) -> int:
    return text.count(TOP)


def _close(letter: Index, edges: dict[frozenset[Index], _Piece]) -> None:
    """A_ij Σ_b G_ib V_jb as A ∘ (G V^⊤): a product beside a matrix with the same two letters."""
    around = [g for g in edges if letter in g]
    ends = [i for g in around for i in g if i is not letter]
    if len(around) != 2 or len(ends) != 2 or frozenset(ends) not in edges:
        return
    first, second = (edges.pop(frozenset((end, letter))) for end in ends)
    left, right = first.along((ends[0], letter)), second.along((letter, ends[1]))
    text = f"{left.tight(ATOM)} {right.tight(ATOM)}"
    beside = edges[frozenset(ends)]
    product = _Piece(text, PRODUCT, tuple(ends), turned=_reversed(left, right, ends))
    edges[frozenset(ends)] = _entrywise([beside, product.along(beside.axes)], beside.axes)


def _reversed(left: _Piece, right: _Piece, ends: list[Index]) -> _Piece:
    """V G^⊤, the transpose of G V^⊤."""
    turned = [p.along(p.axes[::-1]).tight(ATOM) for p in (right, left)]
    return _Piece(" ".join(turned), PRODUCT, (ends[1], ends[0]))


def _inner_product(total: Sum, vectors: dict[Index, _Piece], axes: tuple[Index, ...]) -> _Piece:
    if axes or len(vectors) != 1 or len(total.bound) != 1:
        raise _NoForm
    piece = next(iter(vectors.values()))
    if len(piece.factors) == 2:
        left, right = sorted(piece.factors, key=lambda p: p.last)
        return _Piece(f"{_raised(left, TOP)} {right.tight(ATOM)}", PRODUCT, ())
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
                _raised(vector, TOP) if first_of_scalar else rf"\mathrm{{diag}}({vector.text})"
            )
        piece = matrices[frozenset((here, there))].along((here, there))
        texts.append(piece.tight(PRODUCT if len(pairs) == 1 and not vectors and axes else ATOM))
    end = path[-1]
    if end in axes:
        if end in vectors:
            texts.append(rf"\mathrm{{diag}}({vectors[end].text})")
        return _Piece(" ".join(texts), PRODUCT if len(texts) > 1 else ATOM, axes)
    if end in vectors:
        texts.append(vectors[end].tight(ATOM))
        row = [_raised(vectors[end], TOP)]
        row += [matrices[frozenset(p)].along(p).tight(ATOM) for p in pairwise(path[::-1])]
        plain = len(texts) == len(path)  # no diag between
        turned = _Piece(" ".join(row), PRODUCT, axes) if plain and axes else None
        whole = _Piece(" ".join(texts), PRODUCT, axes, turned)
    elif not axes:  # of all entries, 1^⊤ W 1 and v^⊤ W 1
        first = [] if path[0] in vectors else [rf"{ONES}^\top"]
        return _Piece(" ".join([*first, *texts, ONES]), PRODUCT, axes)
    elif len(texts) == 1 and texts[0].endswith(r"^\top"):
        inner = matrices[frozenset(path)].along((path[1], path[0])).text
        whole = _Piece(rf"\mathrm{{colsum}}({inner})", ATOM, axes)
    else:
        whole = _Piece(rf"{ROWSUM}({' '.join(texts)})", ATOM, axes)
    if not axes and path[0] not in vectors:
        return _Piece(" ".join([rf"{ONES}^\top", *texts]), PRODUCT, axes)
    return whole
