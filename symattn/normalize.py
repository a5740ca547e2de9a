"""The normal form: products multiplied out, δ's eliminated, sums split into what depends on them.

Every function takes and returns normal expressions; `normalize` makes one from a raw expression.
Laws of exponentials, logarithms and powers are in `symattn.laws`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain, combinations
from math import floor
from typing import Any

import sympy as sp

from . import laws, maxima, sums
from .budget import spend
from .canonical import delta_classes
from .errors import LimitError, UndefinedError, UnsupportedError
from .ir import (
    CACHE,
    ONE,
    ONE_TERM,
    ZERO,
    Affine,
    Argmax,
    Atom,
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
    Unknown,
    affine,
    fresh_indices,
    number,
    partial_tensor,
    place,
    rational,
    raw_add,
    raw_atom,
    scalar,
    slot_items,
)
from .places import apart, lasting, modulus, placeable, reduced, renamed, slot_range, solved, within

TERM_LIMIT = 20_000  # terms of one expression; past it a LimitError says so
FEW_MASKS = 6  # of one product, which are compared three at a time; more are two at a time

Renaming = Mapping[Index, Slot]


# ---------------------------------------------------------------- sums and products of expressions


def add(*polys: Poly) -> Poly:
    """p + q + …"""
    return polys[0] if len(polys) == 1 else raw_add(polys)


def scale(poly: Poly, factor: Rational) -> Poly:
    """factor · p for a rational number."""
    return poly if factor == 1 else Poly({term: rational(c * factor) for term, c in poly})


def subtract(p: Poly, q: Poly) -> Poly:
    """p − q."""
    return add(p, scale(q, -1))


def multiply(*polys: Poly) -> Poly:
    """p · q · …, multiplied out."""
    result = ONE
    for poly in polys:
        if result is ONE:
            result = poly
        elif poly is not ONE:
            result = _times(result, poly)
    return result


@lru_cache(maxsize=CACHE)
def _times(p: Poly, q: Poly) -> Poly:
    if len(p) * len(q) > TERM_LIMIT:
        raise LimitError(
            f"multiplying out gives more than {TERM_LIMIT} terms",
            mend="name parts of the expression with define()",
        )
    spend(len(p) * len(q))
    terms: dict[Term, Rational] = {}
    for t, c in p:
        for u, d in q:
            if t is ONE_TERM or u is ONE_TERM:
                product: Iterable[tuple[Term, Rational]] = ((u if t is ONE_TERM else t, 1),)
            else:
                product = _times_term(t, u)
            for term, e in product:
                terms[term] = rational(terms.get(term, 0) + c * d * e)
    return Poly(terms)


def times(poly: Poly, powers: Mapping[Atom, Rational]) -> Poly:
    """p · Π atom ** exponent, exponents of equal bases added before anything is multiplied out."""
    terms: dict[Term, Rational] = {}
    for t, c in poly:
        for term, d in _times_term(t, Term(powers)):
            terms[term] = rational(terms.get(term, 0) + c * d)
    return Poly(terms)


@lru_cache(maxsize=CACHE)
def _times_term(t: Term, u: Term) -> Poly:
    powers = dict(t.powers)
    for atom, e in u:
        powers[atom] = rational(powers.get(atom, 0) + e)
    return product(powers)


def product(powers: Mapping[Atom, Rational]) -> Poly:
    """Π atom ** exponent with every law of products applied."""
    coefficient: Rational = 1
    kept: dict[Atom, Rational] = {}
    exponents: list[Poly] = []
    expand: list[Poly] = []
    for atom, e in powers.items():
        if e == 0:
            continue
        match atom:
            case Num():
                coefficient = rational(coefficient * Fraction(atom.prime) ** floor(e))
                e = rational(e - floor(e))
            case Call(name="exp"):
                exponents.append(scale(atom.args[0], e))
                continue
            case Call(name="sin") if e >= 2:
                expand.append(power(subtract(ONE, power(call("cos", atom.args), 2)), floor(e) // 2))
                e = rational(e - 2 * (floor(e) // 2))
            case Call(name="step") if e > 1:
                e = 1
            case Call(name="abs") if isinstance(e, int) and e not in (0, 1):
                expand.append(power(atom.args[0], 2 * (e // 2)))
                e = e % 2
            case Delta() | Mask() | Argmax():
                if e < 0:
                    raise UndefinedError(
                        "the reciprocal of a factor that is zero for some indices",
                        mend="move δ and [ ] out of the denominator",
                    )
                e = 1
            case Poly() if e >= 1:
                expand.append(power(atom, floor(e)))
                e = rational(e - floor(e))
            case _:
                pass
        if e:
            kept[atom] = e
    if exponents:
        exponential = laws.exponential(add(*exponents))
        only = exponential.single
        if (
            only
            and only[1] == 1
            and all(isinstance(a, Call) and a.name == "exp" for a, _ in only[0])
        ):
            kept.update(only[0].powers)
        else:
            expand.append(exponential)
    masks = [atom for atom in kept if isinstance(atom, Mask)]
    if len(masks) > 1:
        spend(len(masks) ** 2 if len(masks) > FEW_MASKS else 0)
        if any(map(exclude, _few(masks))):
            return ZERO
        for other in masks:
            if any(implies(ones, other) for ones in _few([m for m in masks if m is not other])):
                del kept[other]
    result = _identify(Term(kept), coefficient)
    for poly in expand:
        result = multiply(result, poly)
    return result


def _identify(term: Term, coefficient: Rational) -> Poly:
    """δ_{ij} f(j) = δ_{ij} f(i), and δ's as a star around the first letter of each class."""
    classes = delta_classes(term)
    if not classes:
        return _fixed(term, coefficient)
    mapping: dict[Index, Slot] = {}
    stars: dict[Atom, Rational] = {}
    for first, *others in classes:
        mapping.update(dict.fromkeys(others, first))
        stars.update((Delta(first, other), 1) for other in others)
    moved: list[Poly] = []
    for atom, e in term:
        if isinstance(atom, Delta) and isinstance(atom.a, Index) and isinstance(atom.b, Index):
            continue
        if atom.free & mapping.keys():
            moved.append(power(substitute(atom, mapping), e))
        else:
            stars[atom] = e
    if not moved:
        return _fixed(Term(stars), coefficient)
    return multiply(Poly({Term(stars): coefficient}), *moved)


def _fixed(term: Term, coefficient: Rational) -> Poly:
    """δ_{i c} f(i) = δ_{i c} f(c) for a number c in the range of i, or shifted letters after i.

    Masks may say that these are in the range: δ_{i, j+1} [j ≤ n − 2] [i ≤ k].  A second δ_{i d}
    compares the numbers, modulo the size: δ_{i 0} δ_{i, n−1} = δ_{i 0} [n = 1].
    """
    numbers: dict[Index, Slot] = {}
    for atom, _ in term:
        a, b = (atom.a, atom.b) if isinstance(atom, Delta) else (None, None)
        if not isinstance(a, Index) or not isinstance(b, Affine):
            continue
        if all(a.sort < i.sort for i in b.free) if b.free else within(b, a.size):
            numbers.setdefault(a, b)
    held = {i for i, c in numbers.items() if c.free and _held(term, c, i.size)}
    moved: list[Poly] = []
    stars: dict[Atom, Rational] = {}
    for atom, e in term if numbers else ():
        here = {i: c for i, c in numbers.items() if i in atom.free}
        loose = {i: c for i, c in here.items() if i not in held}
        if isinstance(atom, Delta) and (same := _compared(atom, numbers)) is not None:
            moved.append(same)
        elif (
            not here
            or isinstance(atom, Delta)
            or not placeable(atom, loose)
            or not lasting(atom, here)
        ):
            stars[atom] = e
        else:
            moved.append(power(substitute(atom, here), e))
    if not moved:
        return Poly({term: coefficient})
    return multiply(Poly({Term(stars): coefficient}), *moved)


def _held(term: Term, slot: Slot, size: sp.Expr) -> bool:
    """Masks among the factors say that the slot is in the range."""
    return all(atom in term.powers for part, _ in inside(slot, size) for atom, _ in part)


def _compared(atom: Delta, numbers: Mapping[Index, Slot]) -> Poly | None:
    """[c = d] in place of δ_{i d} beside δ_{i c}, where sizes alone decide it."""
    if not isinstance(atom.a, Index) or (c := numbers.get(atom.a, atom.b)) is atom.b:
        return None
    items, gap = apart(c, atom.b)
    turns = (sp.expand(gap + k * atom.a.size) for k in (0, 1, -1))
    number = next((x for x in turns if x.is_number), None)
    if items or number is None:
        return None
    return _divides(atom.a.size, abs(int(number))) if number else ONE


def power(poly: Poly, exponent: Rational) -> Poly:
    """p ** exponent for a rational exponent."""
    return laws.power(poly, exponent)


# ---------------------------------------------------------------------------------- other atoms


def ref(tensor: Tensor, slots: Sequence[Slot]) -> Poly:
    """A tensor component; declared symmetries order the slots, derivatives commute."""
    if tensor.role == "place":  # the number of i − j is that of i less that of j
        items, const = slot_items(slots[0])
        return add(size_poly(const), *(scale(raw_atom(place(i)), c) for i, c in items.items()))
    if tensor.parts and tensor.parts[0].parts:
        tensor, slots = _ordered_derivative(tensor, slots)
    if any(isinstance(slot, Affine) for slot in slots):
        slots = [reduced(slot, size) for slot, size in zip(slots, tensor.shape, strict=True)]
    if not tensor.symmetry:
        return raw_atom(Ref(tensor, slots))
    sign = 1
    ordered = list(slots)
    for end in range(len(ordered) - 1, 0, -1):  # bubble sort counts the transpositions
        for k in range(end):
            if laws.slot_order(ordered[k + 1]) < laws.slot_order(ordered[k]):
                ordered[k], ordered[k + 1] = ordered[k + 1], ordered[k]
                sign = -sign
    if tensor.symmetry == "symmetric":
        return raw_atom(Ref(tensor, ordered))
    if len(set(ordered)) < len(ordered):
        return ZERO
    return Poly({Term({Ref(tensor, ordered): 1}): sign})


def _ordered_derivative(tensor: Tensor, slots: Sequence[Slot]) -> tuple[Tensor, Sequence[Slot]]:
    """∂²L/∂y∂x = ∂²L/∂x∂y: the variables in the order of their names and slots."""
    variables: list[tuple[Tensor, tuple[Slot, ...]]] = []
    of, rest = tensor, tuple(slots)
    while of.parts:
        of, wrt = of.parts
        cut = len(rest) - len(wrt.shape)
        variables.append((wrt, rest[cut:]))
        rest = rest[:cut]
    variables.sort(key=lambda v: (v[0].name, [laws.slot_order(s) for s in v[1]]))
    for wrt, own in variables:
        of, rest = partial_tensor(of, wrt), rest + own
    return of, rest


def delta(a: Slot, b: Slot) -> Poly:
    """δ_{ab}; 1 for a letter and itself.

    Beside a letter an affine index counts modulo the range of the letter; two affine indices are
    compared as integers.
    """
    if a is b:
        return ONE
    if isinstance(a, Index) and isinstance(b, Index):
        assert a.size == b.size, f"δ between {a.name} and {b.name}, whose ranges differ"
    size = None
    if isinstance(a, Index) and isinstance(b, Affine):
        size = a.size
        b = reduced(b, size)
    elif isinstance(b, Index) and isinstance(a, Affine):
        size = b.size
        a = reduced(a, size)
    items, const = apart(a, b)
    if not items and const.is_number:
        if const and size is not None:
            return _divides(size, abs(int(const)))
        return ZERO if const else ONE
    if not items and size is None:
        return multiply(mask(affine({}, const)), mask(affine({}, -const)))
    return raw_atom(Delta(a, b))


def _divides(size: sp.Expr, number: int) -> Poly:
    """[size divides number]: i and i − 1 are one place of an axis of size 1."""
    if size.is_number:
        return ONE if number % int(size) == 0 else ZERO
    sizes = (d for d in range(1, number + 1) if number % d == 0)
    return add(*(multiply(mask(affine({}, d - size)), mask(affine({}, size - d))) for d in sizes))


def equal(slot: Slot, letter: Slot) -> Poly:
    """[slot = letter], for a slot of an axis that the letter runs over.

    A letter with a shorter range may stand there: j + i where i has become 0.
    """
    if isinstance(slot, Index) and isinstance(letter, Index) and slot.size != letter.size:
        return _between_ranges(slot, letter)
    return delta(slot, letter)


def congruent(a: Slot, b: Slot, size: sp.Expr) -> Poly:
    """[a = b] modulo the size of an axis: x_{i+1} is x_{i-1} where n is 2 or 1."""
    if a is b:
        return ONE
    found = solved(a, b, size)
    if found is not None:
        return equal(*found[::-1])
    items, const = apart(a, b)
    const = next((c for k in (0, 1, -1) if (c := sp.expand(const + k * size)).is_number), const)
    if not items and const.is_number:
        return _divides(size, abs(int(const))) if const else ONE
    if any(isinstance(side, Index) and side.size == size for side in (a, b)):
        return delta(a, b)  # [n − 1 − p = p] is for no letter to solve
    (place,) = fresh_indices([size], {*a.free, *b.free})
    return sum_over([place], multiply(equal(a, place), equal(b, place)))


def _between_ranges(a: Index, b: Index) -> Poly:
    """[a = b] for a letter a that counts modulo the longer range of b, where it is an integer."""
    if not within(a, b.size):
        raise UnsupportedError(
            f"an index that runs to {a.size} is compared modulo {b.size}",
            mend="declare the tensors with axes of one size",
        )
    return multiply(mask(affine({a: 1, b: -1})), mask(affine({a: -1, b: 1})))


def mask(slot: Slot) -> Poly:
    """[slot ≥ 0]; 1 or 0 where the ranges of the indices decide it."""
    low, high = slot_range(slot)
    if low.is_nonnegative:
        return ONE
    if high.is_negative:
        return ZERO
    return raw_atom(Mask(slot))


def inside(slot: Slot, size: sp.Expr) -> Poly:
    """[0 ≤ s ≤ n − 1]."""
    items, const = slot_items(slot)
    back = affine({i: -c for i, c in items.items()}, sp.expand(size - 1 - const))
    return multiply(mask(slot), mask(back))


def _few(masks: Sequence[Mask]) -> Iterator[tuple[Mask, ...]]:
    """Up to three masks at a time, of few ones."""
    most = 3 if len(masks) <= FEW_MASKS else 2
    return chain.from_iterable(combinations(masks, k) for k in range(1, most + 1))


@lru_cache(maxsize=CACHE)
def exclude(masks: tuple[Mask, ...]) -> bool:
    """[i < j] [j < i] = 0: wherever all masks but one are 1, that one is 0."""
    _, high = slot_range(_total([(m.slot, 1) for m in masks]))
    return bool(high.is_negative)


@lru_cache(maxsize=CACHE)
def implies(ones: tuple[Mask, ...], other: Mask) -> bool:
    """[i < j] [j < k] [i < k] = [i < j] [j < k]: wherever the ones are 1, the other is."""
    low, _ = slot_range(_total([(other.slot, 1), *((m.slot, -1) for m in ones)]))
    return bool(low.is_nonnegative)


def _total(slots: Iterable[tuple[Slot, int]]) -> Slot:
    """A sum of affine indices, each times a whole number."""
    items: dict[Index, int] = {}
    total = sp.S.Zero
    for slot, times in slots:
        letters, const = slot_items(slot)
        total = total + times * const
        for index, c in letters.items():
            items[index] = items.get(index, 0) + times * c
    return affine({i: c for i, c in items.items() if c}, sp.expand(total))


def call(name: str | Unknown, args: Sequence[Poly]) -> Poly:
    """A scalar function with its laws applied."""
    return laws.call(name, tuple(args))


@lru_cache(maxsize=4096)
def size_poly(size: sp.Expr) -> Poly:
    """A size as a number or a polynomial of scalars."""
    if size.is_Rational:
        return number(rational(size))
    if size.is_Symbol:
        return raw_atom(scalar(size))
    if size.is_Add:
        return add(*map(size_poly, size.args))
    if size.is_Mul:
        return multiply(*map(size_poly, size.args))
    if size.is_Pow and size.exp.is_Rational:
        return power(size_poly(size.base), rational(size.exp))
    raise UnsupportedError(f"a size must be a polynomial of symbols, not {size}")


def sum_over(bound: Iterable[Index], poly: Poly) -> Poly:
    """Σ_bound p.  The bound indices must not be those of an enclosing scope."""
    return sums.sum_over(bound, poly)


def opened(node: Sum, avoid: Iterable[Index]) -> tuple[tuple[Index, ...], Poly]:
    """The body of a sum with fresh letters for its bound indices."""
    return sums.opened(node, avoid)


# --------------------------------------------------------------------- renaming and normalization


def substitute(node: Any, mapping: Renaming) -> Poly:
    """A normal atom or expression with indices replaced, bound indices kept apart."""
    touched = {i: s for i, s in mapping.items() if i in node.free and s is not i}
    if not touched:
        return node if isinstance(node, Poly) else raw_atom(node)
    return _rebuild(node, tuple(sorted(touched.items(), key=lambda pair: pair[0].sort)))


def normalize(node: Any) -> Poly:
    """The normal form of a raw expression."""
    return _rebuild(node, ())


@lru_cache(maxsize=CACHE)
def _rebuild(node: Any, pairs: tuple[tuple[Index, Slot], ...]) -> Poly:
    spend()
    return _walk(node, dict(pairs), _rebuild_child)


def _rebuild_child(node: Any, mapping: Renaming) -> Poly:
    relevant = {i: s for i, s in mapping.items() if i in node.free}
    return _rebuild(node, tuple(sorted(relevant.items(), key=lambda pair: pair[0].sort)))


def rewrite(
    node: Any,
    rule: Callable[[Any], Poly | None],
    brackets: bool = False,
    around: Iterable[Index] = (),
) -> Poly:
    """The expression with every atom replaced for which the rule gives a value, outermost first.

    With `brackets` the rule is asked for the sums inside as well: factors, arguments, bodies.
    No scope takes a letter for its own that is free outside, or one `around`, which values bring.
    """

    made: dict[Any, Poly] = {}  # equal parts are one object, and are rewritten once
    kept = {i: i for i in (*node.free, *around)}

    def child(inside: Any, mapping: Renaming) -> Poly:
        if entered := {i: s for i, s in mapping.items() if s is not i}:
            inside = _rebuild_child(inside, entered)  # a scope has its fresh letters
        if inside not in made:
            spend()
            made[inside] = visited(inside)
        return made[inside]

    def visited(inside: Any) -> Poly:
        asked = brackets and inside is not node if isinstance(inside, Poly) else True
        if asked and not isinstance(inside, Term):
            replaced = rule(inside)
            if replaced is not None:
                assert replaced.free <= inside.free | kept.keys(), "a letter nobody announced"
                return replaced
        children = _plain_children(inside)
        if children and all(child(c, {}) is normalize(c) for c in children):
            return normalize(inside)  # nothing inside is replaced, and this form is known
        return _walk(inside, kept, child)

    return child(node, {})


def _plain_children(node: Any) -> Sequence[Any]:
    """The terms, factors or arguments of a node that binds no letter."""
    match node:
        case Poly():
            return [t for t, _ in node]
        case Term():
            return [a for a, _ in node]
        case Call():
            return node.args
    return ()


def _walk(node: Any, mapping: Renaming, child: Callable[[Any, Renaming], Poly]) -> Poly:
    """The node made again from its children by the constructors of the normal form."""
    match node:
        case Poly():
            return add(*(scale(child(term, mapping), c) for term, c in node))
        case Term():
            return multiply(*(power(child(atom, mapping), e) for atom, e in node))
        case Ref():
            return ref(node.tensor, [renamed(s, mapping) for s in node.slots])
        case Delta():
            size, a, b = modulus(node), renamed(node.a, mapping), renamed(node.b, mapping)
            return delta(a, b) if size is None else congruent(a, b, size)
        case Mask():
            return mask(renamed(node.slot, mapping))
        case Call():
            return call(node.name, [child(a, mapping) for a in node.args])
        case Num():
            return raw_atom(node)
        case Sum():
            new, inner = _entered(node, mapping)
            return sum_over(new, child(node.body, inner))
        case Max():
            new, inner = _entered(node, mapping)
            return maxima.largest(new, [child(a, inner) for a in node.args])
        case Argmax():
            new, inner = _entered(node, mapping)
            at = [renamed(s, mapping) for s in node.at]
            return maxima.indicator(at, new, child(node.body, inner))
    raise AssertionError(node)


def _entered(node: Sum | Max | Argmax, mapping: Renaming) -> tuple[list[Index], Renaming]:
    """Fresh letters for the bound indices, and the renaming that holds in their scope."""
    outer = {i: s for i, s in mapping.items() if i not in node.bound}
    avoid = (i for s in (*outer.values(), *node.free) for i in s.free)
    letters = fresh_indices((b.size for b in node.bound), avoid)
    return letters, {**outer, **dict(zip(node.bound, letters, strict=True))}


__all__ = [
    "ONE",
    "add",
    "call",
    "delta",
    "mask",
    "multiply",
    "normalize",
    "power",
    "product",
    "ref",
    "scale",
    "size_poly",
    "slot_range",
    "substitute",
    "subtract",
    "sum_over",
]
