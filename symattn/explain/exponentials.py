"""Exponentials of a form as its author has them: e^{−u} e^{−v}, and 1/(e^u − 1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeGuard

from .. import normalize as nf
from ..folding import matches
from ..ir import (
    ONE_TERM,
    ZERO,
    Atom,
    Call,
    Poly,
    Rational,
    Term,
    collected,
    rational,
    raw_add,
    raw_atom,
)
from ..places import placeable


def exponentials_apart(poly: Poly, own: Sequence[Poly]) -> Poly:
    """e^{−u − v} as e^{−u} e^{−v}, where the author has these two, with the exponents `own`."""
    return raw_add(_exponentials_apart(t, c, own) for t, c in poly)


def _exponentials_apart(term: Term, c: Rational, own: Sequence[Poly]) -> Poly:
    powers: list[tuple[Any, Rational]] = []
    for atom, e in term:
        whole = nf.normalize(atom.args[0]) if is_exponential(atom) else ZERO
        parts = _parts(whole, own) if len(whole) > 1 else []
        powers += [(Call("exp", [part]), e) for part in parts] or [(atom, e)]
    return Poly({Term(collected(powers)): c})


def is_exponential(atom: Any) -> TypeGuard[Call]:
    """e^u."""
    return isinstance(atom, Call) and atom.name == "exp"


def _parts(argument: Poly, own: Sequence[Poly]) -> list[Poly]:
    """The exponents of which this one is the sum; none where it is one of them."""
    found, left = [], argument
    for part in own:
        here = _within(part, left) if 0 < len(part) < len(left) else None
        if here is not None:
            found.append(here)
            left = nf.subtract(left, here)
    whole = (_within(part, left) for part in own if len(part) == len(left))
    return [*found, left] if found and any(part is left for part in whole) else []


def _within(part: Poly, argument: Poly) -> Poly | None:
    """The exponent in the letters of another one that has all of its terms."""
    letters = tuple(sorted(part.free, key=lambda i: i.sort))
    for found, k in matches(part, argument, letters):
        if k == 1 and placeable(part, found):
            return nf.substitute(part, found)
    return None


def less_than_one(poly: Poly, written: Callable[[Poly], bool]) -> Poly:
    """e^{−u}/(1 − e^{−u}) as 1/(e^u − 1), and −1/(1 − e^u) too, where the author has no 1 − e^u."""
    return raw_add(_less_than_one(t, c, written) for t, c in poly)


def _less_than_one(term: Term, c: Rational, written: Callable[[Poly], bool]) -> Poly:
    for bar, e in term:
        exp = _complement(bar) if e == -1 else None
        if exp is None:
            continue
        rest: dict[Atom, Rational] = {a: x for a, x in term if a is not bar}
        back = Call("exp", [Poly({t: -d for t, d in exp.args[0]})])
        if rest.get(exp) == 1 and all(d < 0 for _, d in exp.args[0]):
            del rest[exp]
            exp = back
        elif c > 0 or any(d < 0 for _, d in exp.args[0]) or written(raw_atom(bar)):
            continue
        else:
            c = rational(-c)
        turned = Poly({Term({exp: 1}): 1, ONE_TERM: -1})
        return Poly({Term({**rest, turned: -1}): c})
    return Poly({term: c})


def _complement(bar: Any) -> Call | None:
    """e^u of 1 − e^u."""
    if not isinstance(bar, Poly) or len(bar) != 2 or bar.terms.get(ONE_TERM) != 1:
        return None
    ((term, c),) = ((t, c) for t, c in bar if t is not ONE_TERM)
    ((exp, e), *more) = term
    return exp if is_exponential(exp) and (c, e, more) == (-1, 1, []) else None


__all__ = ["exponentials_apart", "is_exponential", "less_than_one"]
