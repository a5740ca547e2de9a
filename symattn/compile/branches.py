"""Values under a condition: where it fails, nothing is computed that may be no number.

    f = f₁ [u ≥ 0] + f₀ [u < 0]     f₁, f₀: f with step(u) = 1 and with step(u) = 0
    g + [u ≥ 0] (f − g)             is such a sum, and f has its own digits then
    f − δ_ij f = f [i ≠ j]              and so of [i < j] f + [j < i] f
    [j < i] / f + [i < j] g             f may be 0 where the mask leaves it out

Each is a `where`.  The laws apply where a logarithm, an exponential, a root or a quotient that has
the letters of the condition may be no number; spared.py computes it as that of 1 where another
branch holds, so neither the value nor what JAX makes of it is 0 · ∞.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .. import normalize as nf
from ..distinct import below, different, sides
from ..errors import UndefinedError
from ..ir import (
    ONE,
    ZERO,
    Atom,
    Call,
    Delta,
    Index,
    Mask,
    Max,
    Poly,
    Rational,
    Ref,
    Sum,
    Tensor,
    Term,
    refs,
)
from ..laws import sign_of
from .entry import Entry

# functions with no value, or with none that a number holds, for some arguments
PARTIAL = frozenset(
    ("log", "log1p", "exp", "expm1", "cosh", "sinh", "tan", "asin", "acos", "acosh", "atanh")
)
PARTIAL |= {"logit", "xlogy", "lgamma", "digamma"}
Condition = Call | Delta | Mask  # step(u), δ_ij, or an order of indices


def branches(poly: Poly) -> tuple[Condition, Poly, Poly] | None:
    """A condition with the two cases of a normal expression, where it guards a danger."""
    for u in dict.fromkeys(a for t, _ in poly for a, _ in t if isinstance(a, Call)):
        if u.name == "step" and guards(u, poly):
            return u, _at(poly, u, True), _at(poly, u, False)
    for d in dict.fromkeys(a for t, _ in poly for a, _ in t if isinstance(a, Delta)):
        away = _off(poly, d)
        if away is not None and guards(d, away):
            return d, ZERO, away
    masks = dict.fromkeys(a for t, _ in poly for a, _ in t if isinstance(a, Mask))
    for mask in masks:
        pair = below(mask)
        away = None if pair is None else _both_sides(poly, *pair)
        if pair is not None and away is not None:
            apart = Delta(*pair)
            if guards(apart, away):
                return apart, ZERO, away
    for mask in masks:
        rest = Poly({t: c for t, c in poly if mask not in t.powers})
        own = Poly({_without(t, mask): c for t, c in poly if mask in t.powers})
        if all(_excluded(t, mask) for t, _ in rest) and any(guards(mask, t) for t, _ in own):
            return mask, own, rest
    return None


def cancelling_branches(poly: Poly) -> tuple[Condition, Poly, Poly] | None:
    """A condition with the two cases of a normal expression, where one is a difference in it:
    g + [u ≥ 0] (f − g) has the digits of g, and f may be small beside it."""
    for atom in dict.fromkeys(a for t, _ in poly for a, _ in t if isinstance(a, Call | Mask)):
        if isinstance(atom, Call) and atom.name != "step":
            continue
        held = {_without(t, atom): c for t, c in poly if atom in t.powers}
        gone = [poly.terms.get(t) == -c for t, c in held.items()]
        if any(gone) and not all(gone):  # else it is g + [u ≥ 0] f, or g + [u < 0] f
            if isinstance(atom, Call):
                return atom, _at(poly, atom, True), _at(poly, atom, False)
            fails = Poly({t: c for t, c in poly if atom not in t.powers})
            return atom, nf.add(fails, Poly(held)), fails
    return None


def _at(poly: Poly, condition: Call, holds: bool) -> Poly:
    """The case u ≥ 0 or u < 0; where u < 0 does not hold, −u ≥ 0 may."""
    opposite = nf.scale(condition.args[0], -1)

    def rule(atom: Any) -> Poly | None:
        if isinstance(atom, Call) and atom.name == "step":
            if atom is condition:
                return ONE if holds else ZERO
            if not holds and nf.normalize(atom.args[0]) is opposite:
                return ONE
        return None

    return nf.rewrite(poly, rule)


def _off(poly: Poly, condition: Delta) -> Poly | None:
    """f of an expression f − δ_ij f; None for any other one."""
    i, j = condition.a, condition.b
    if not (isinstance(i, Index) and isinstance(j, Index)):
        return None
    with_delta = Poly({t: c for t, c in poly if condition in t.powers})
    away = Poly({t: c for t, c in poly if condition not in t.powers})
    try:
        there = nf.substitute(nf.add(away, with_delta), {j: i})
    except UndefinedError:  # what stands beside other masks has no value there
        return None
    return away if away.terms and there is ZERO else None


def _both_sides(poly: Poly, i: Index, j: Index) -> Poly | None:
    """f of an expression [i < j] f + [j < i] f; None for any other one."""
    one, other = (
        Poly({_without(t, side): c for t, c in poly if side in t.powers}) for side in sides(i, j)
    )
    return one if one is other and len(poly) == 2 * len(one) else None


def _excluded(term: Term, mask: Mask) -> bool:
    """The term is 0 where the mask is 1."""
    return any(isinstance(a, Mask) and nf.exclude((mask, a)) for a, _ in term)


def _without(term: Term, atom: Atom) -> Term:
    return Term({a: e for a, e in term if a is not atom})


def guards(condition: Atom, inside: Any) -> bool:
    """Something in an expression may be no number, and has the letters of the condition.

    For i ≠ j that is any quotient: it may be largest where i = j, and lost in a difference; for a
    mask a quotient, a root or a logarithm of what may be 0.
    """
    letters = condition.free
    if isinstance(condition, Mask):
        return isinstance(inside, Term) and any(letters == a.free for a in _zeros(inside))
    every = isinstance(condition, Delta) or (
        isinstance(condition, Poly) and different(nf.normalize(condition)) is not None
    )
    mine = {r.tensor for r in refs(condition)}
    return any(
        letters <= x.free and (x.free <= letters or mine & {r.tensor for r in refs(x)})
        for x in _dangers(inside, every)
    )


def _dangers(node: Any, every: bool) -> Iterator[Any]:
    """The arguments of partial functions and the bases of roots and quotients, outside of sums."""
    match node:
        case Poly():
            for term, _ in node:
                yield from _dangers(term, every)
        case Term():
            for atom, e in node:
                if (every and e < 0) or ((e < 0 or not isinstance(e, int)) and _unsafe(atom)):
                    yield atom
                yield from _dangers(atom, every)
        case Call():
            if node.name in PARTIAL and not _bounded(node):
                yield node.args[-1]
            for arg in node.args:
                yield from _dangers(arg, every)


def _zeros(node: Any) -> Iterator[Any]:
    """What may be 0 under a fraction bar, a root or a logarithm, outside of sums."""
    match node:
        case Poly():
            for term, _ in node:
                yield from _zeros(term)
        case Term():
            for atom, e in node:
                if (e < 0 or not isinstance(e, int)) and sign_of(atom) != "+":
                    yield atom
                yield from _zeros(atom)
        case Call():
            if node.name == "log" and sign_of(node.args[0]) != "+":
                yield node.args[0]
            for arg in node.args:
                yield from _zeros(arg)


def _bounded(node: Call) -> bool:
    """An exponential of something that is never positive."""
    return node.name in ("exp", "expm1") and bool(sign_of(nf.scale(node.args[0], -1)))


def _unsafe(atom: Any) -> bool:
    """A base that may be 0, or below it."""
    if isinstance(atom, Sum | Max):
        return False
    return isinstance(atom, Ref | Poly | Call) and sign_of(atom) != "+"


def grouped(term: Term) -> tuple[Term, Term] | None:
    """A product apart from its conditions and what they guard, which go together."""
    for atom, e in term:
        if e == 1 and _condition(atom):
            guarded = [a for a, f in term if a is not atom and guards(atom, Term({a: f}))]
            if guarded:
                together = {atom, *guarded}
                together |= {a for a, _ in term if _condition(a) and a.free <= guarded[0].free}
                inside = Term({a: f for a, f in term if a in together})
                rest = Term({a: f for a, f in term if a not in together})
                return rest, inside
    return None


def _condition(atom: Any) -> bool:
    """step(u), 1 − step(u), 1 − δ_ij, [i < j] + [j < i] or a mask."""
    if isinstance(atom, Mask):
        return True
    if isinstance(atom, Call):
        return atom.name == "step"
    if not isinstance(atom, Poly) or not atom.free:
        return False
    normal = nf.normalize(atom)
    if different(normal) is not None:
        return True
    inside = [a for t, _ in normal for a, _ in t]
    return bool(inside) and all(isinstance(a, Call) and a.name == "step" for a in inside)


def opened_root(entries: Mapping[Tensor, Entry], base: Atom, e: Rational) -> Poly | None:
    """The root of a definition that is a power, where a whole power comes out of it:
    (m²)^{1/2} = m for m ≥ 0, which has a derivative at 0."""
    only = base.single if isinstance(base, Poly) else None
    if only is not None and only[1] == 1 and list(only[0].powers.values()) == [1]:
        ((base, _),) = only[0]
    if not isinstance(base, Ref) or base.tensor not in entries:
        return None
    body = entries[base.tensor].at(base.slots)
    if body is None or body.single is None or body.single[1] != 1:
        return None
    found = nf.power(body, e).single
    if found is None or not all(isinstance(f, int) for _, f in found[0]):
        return None
    return nf.power(body, e)


__all__ = ["branches", "cancelling_branches", "grouped", "guards", "opened_root"]
