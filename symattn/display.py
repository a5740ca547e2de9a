"""IR → SymPy and plain text: letters for bound indices, sums explicit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

import sympy as sp

from . import primitives
from .canonical import key
from .ir import (
    OF_MATRIX,
    SIGNS,
    Affine,
    Argmax,
    Call,
    Delta,
    Index,
    Mask,
    Max,
    Num,
    Poly,
    Rational,
    Ref,
    Slot,
    Sum,
    Tensor,
    Term,
    affine,
    collected,
    parts,
    ranges_of,
    raw_atom,
    refs,
    size_text,
    slot_items,
)
from .objects import (
    Determinant,
    Inverse,
    Iverson,
    Loss,
    Maximum,
    OneHot,
    Partial,
    TensorSymbol,
    inverse_label,
    over_letters,
)
from .places import within
from .syntax import Definition

Letters = Mapping[sp.Expr, Sequence[str]]  # size → the letters preferred for it
FALLBACK = "ijklmnpqrstuvwxyz"


def definition_letters(definitions: Iterable[Definition]) -> dict[sp.Expr, list[str]]:
    """The letters that the definitions use, by size, in order of appearance."""
    pool: dict[sp.Expr, list[str]] = {}
    for d in definitions:
        inside = sorted(d.expr.atoms(sp.Idx), key=lambda i: i.name)
        for idx in (*d.indices, *inside):
            names = pool.setdefault(sp.sympify(idx.upper + 1), [])
            if idx.name not in names:
                names.append(idx.name)
    return {size: sorted(names, key=lambda n: "'" in n) for size, names in pool.items()}


def fresh_letter(size: sp.Expr, taken: Iterable[str], letters: Letters) -> str:
    """A letter for that size that is not taken: a preferred one, else a letter of no other size."""
    taken = set(taken)
    for name in letters.get(size, ()):
        if name not in taken:
            return name
    others = {name for names in letters.values() for name in names}
    others |= {str(x) for n in (size, *letters) for x in n.free_symbols}  # sizes are no indices
    for name in FALLBACK:
        if name not in taken and name not in others:
            return name
    stem = next(iter(letters.get(size, ())), "i").rstrip("'")
    return next(name for k in count(1) if (name := stem + "'" * k) not in taken)


def with_letters(node: Any, letters: Letters, taken: frozenset[str] = frozenset()) -> Any:
    """The raw expression with a letter, no name in it, in place of every canonical bound index."""
    names = {r.tensor.name for r in refs(node)}
    return _letter(node, letters, taken | {i.name for i in node.free} | names, {}, {})


def _letter(
    node: Any,
    letters: Letters,
    taken: frozenset[str],
    names: dict[Index, Index],
    sizes: dict[str, sp.Expr],
) -> Any:
    """`sizes` are those of the letters given so far, of which none stands for two."""
    known: dict[Any, Any] = {}  # equal parts under the same names

    def slot(s: Slot) -> Slot:
        if isinstance(s, Index):
            return names.get(s, s)
        return affine({names.get(i, i): c for i, c in s.items}, s.const)

    def go(child: Any) -> Any:
        if child not in known:
            known[child] = lettered(child)
        return known[child]

    def lettered(node: Any) -> Any:
        match node:
            case Ref():
                return Ref(node.tensor, [slot(s) for s in node.slots])
            case Delta():
                return Delta(slot(node.a), slot(node.b))
            case Mask():
                return Mask(slot(node.slot))
            case Call():
                return Call(node.name, [go(a) for a in node.args])
            case Num():
                return node
            case Term():
                return Term(collected((go(a), e) for a, e in node))  # Σ_a x_a Σ_b x_b
            case Poly():
                return Poly(collected((go(t), c) for t, c in node))
            case Sum() | Max() | Argmax():
                return bound(node)
        raise AssertionError(node)

    def bound(node: Any) -> Any:
        inner = dict(names)
        used = set(taken)
        for b in node.bound:
            other = {n for n, size in sizes.items() if size != b.size}
            name = fresh_letter(b.size, used | other, letters) if b.level else b.name
            used.add(name)
            sizes[name] = b.size
            inner[b] = Index(name, b.size)
        new = [inner[b] for b in node.bound]
        inside = [_letter(p, letters, frozenset(used), inner, sizes) for p in parts(node)]
        if isinstance(node, Max):
            return Max(new, inside)
        if isinstance(node, Argmax):
            return Argmax([slot(s) for s in node.at], new, inside[0])
        return Sum(new, inside[0])

    return go(node)


def raise_(poly: Poly, letters: Letters | None = None) -> sp.Expr:
    """The SymPy expression of an IR expression; sums are explicit."""
    return _raise(with_letters(poly, letters or _pools(poly)))


def _pools(poly: Poly) -> dict[sp.Expr, list[str]]:
    """Letters for every size inside, so that no letter stands for two sizes."""
    pools: dict[sp.Expr, list[str]] = {}
    for index in sorted(poly.free, key=lambda i: i.sort):
        pools.setdefault(index.size, []).append(index.name)
    sizes = sorted({*pools, *_bound_sizes(poly)}, key=size_text)
    used = {index.name for index in poly.free}
    used |= {str(x) for n in (*sizes, *ranges_of(poly)) for x in n.free_symbols}
    for k, size in enumerate(sizes):
        dealt = FALLBACK[k :: len(sizes)]
        pools.setdefault(size, []).extend(name for name in dealt if name not in used)
    return pools


def _bound_sizes(node: Any) -> Iterator[sp.Expr]:
    yield from (b.size for b in getattr(node, "bound", ()))
    for part in parts(node):
        yield from _bound_sizes(part)


def _idx(slot: Slot) -> Any:
    items, const = slot_items(slot)
    return sp.Add(
        *(c * sp.Idx(sp.Symbol(i.name, integer=True), i.size) for i, c in items.items()), const
    )


def _raise(node: Any) -> Any:
    match node:
        case Poly():
            return sp.Add(*(_raise(t) * _number(c) for t, c in ordered_terms(node)))
        case Term():
            return sp.Mul(*(sp.Pow(_raise(a), _number(e)) for a, e in node))
        case Ref():
            tensor = node.tensor
            if tensor.role == "place":
                return _idx(node.slots[0])
            if tensor.parts:
                of, wrt = tensor.parts
                rank = len(of.shape)
                return Partial(
                    _raise(Ref(of, node.slots[:rank])), _raise(Ref(wrt, node.slots[rank:]))
                )
            if tensor.role in OF_MATRIX:
                return _of_matrix(node)
            if tensor.role == "loss":
                return Loss(tensor.name, [sp.Symbol(t.name) for t in tensor.of])
            label = tensor.symbol or _label(tensor)
            if not node.slots:
                return label
            base = _symbol(tensor, label)
            return base[tuple(_idx(s) for s in node.slots)]
        case Delta():
            return _delta(*_compared(node.a, node.b))
        case Mask():
            items, const = slot_items(node.slot)
            up = affine({i: c for i, c in items.items() if c > 0}, sp.S.Zero)
            down = affine({i: -c for i, c in items.items() if c < 0}, sp.S.Zero)
            if const == -1:
                return Iverson(_idx(down) < _idx(up))
            return Iverson(_idx(down) <= _idx(up) + const)
        case Call():
            return primitives.by_name(node.name).function(*(_raise(a) for a in node.args))
        case Num():
            return sp.Integer(node.prime)
        case Sum():
            return over_letters(sp.Sum, _raise(node.body), *_limits(node))
        case Max(bound=()):
            return sp.Max(*map(_raise, node.args), evaluate=False)
        case Max():
            inside = _raise(node.args[0] if len(node.args) == 1 else raw_atom(Max((), node.args)))
            return over_letters(Maximum, inside, *_limits(node))
        case Argmax():
            at = sp.Tuple(*map(_idx, node.at))
            return OneHot(at, over_letters(Maximum, _raise(node.body), *_limits(node)))
    raise AssertionError(node)


def _delta(*sides: Any) -> Any:
    """The δ as SymPy has it; SymPy comes to no end with some Mod(2 n − j, n + 1)."""
    try:
        return sp.KroneckerDelta(*sides)
    except RecursionError:
        return sp.KroneckerDelta(*sorted(sides, key=sp.default_sort_key), evaluate=False)


def _compared(a: Slot, b: Slot) -> tuple[Any, Any]:
    """The two sides of a δ; an affine index that leaves the range of the letter is shown mod it."""
    if isinstance(b, Index) and not isinstance(a, Index):
        a, b = b, a
    if isinstance(a, Index) and not within(b, a.size):
        return _idx(a), sp.Mod(_idx(b), a.size, evaluate=False)
    return _idx(a), _idx(b)


def _label(tensor: Tensor) -> sp.Symbol:
    return sp.Symbol(tensor.name, **{SIGNS.get(tensor.sign, "real"): True})


def _symbol(tensor: Tensor, label: Any) -> TensorSymbol:
    return TensorSymbol(label, tensor.shape, "definite" if tensor.definite else tensor.symmetry)


def _of_matrix(node: Ref) -> Any:
    (of,) = node.tensor.of
    matrix = _symbol(of, _label(of))
    if node.tensor.role == "inverse":
        inverse = Inverse(inverse_label(matrix), of.shape, matrix.args[2], matrix)
        return inverse[tuple(_idx(s) for s in node.slots)]
    return Determinant(matrix, node.tensor.role)


def _limits(node: Sum | Max | Argmax) -> list[tuple[Any, ...]]:
    return [(i, i.lower, i.upper) for i in map(_idx, node.bound)]


def _number(value: Rational) -> sp.Rational:
    return sp.Rational(value.numerator, value.denominator)


def ordered_terms(poly: Poly) -> list[tuple[Term, Rational]]:
    """Terms in an order that does not depend on the process: positive ones first, then by key."""
    return sorted(poly, key=lambda pair: (pair[1] < 0, key(pair[0])))


def text(node: Any) -> str:
    """A node as one line of plain text, for errors and reprs."""
    match node:
        case Poly() | Term() | Ref() | Delta() | Mask() | Call() | Sum() | Max() | Argmax() | Num():
            return str(_raise(with_letters(node, {})))
        case Index():
            return node.name
        case Affine():
            return str(_idx(node))
        case Tensor():
            return node.name
    return object.__repr__(node)
