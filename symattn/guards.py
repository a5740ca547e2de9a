"""What stands beside a mask has no value of its own where the mask is 0: 1/(x_i − x_j) at i = j.

[i < j] f(u) is [i < j] f([i < j] u + 1 − [i < j]), so that numbers are computed which are finite.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from typing import Any

from . import normalize as nf
from .distinct import different
from .ir import (
    CACHE,
    ONE_TERM,
    Atom,
    Call,
    Delta,
    Index,
    Mask,
    Poly,
    Rational,
    Sum,
    Term,
    collected,
    inside,
    raw_add,
    raw_atom,
    raw_product,
)


@lru_cache(maxsize=CACHE)
def guarded(poly: Poly) -> Poly:
    """The expression with 1 in place of what is divided by, rooted or logged where a mask is 0."""
    if not any(isinstance(n, Mask) for n in inside(poly)):
        return poly
    return raw_add(
        raw_product([Poly({ONE_TERM: c}), *(raw_atom(a, e) for a, e in _term(t))]) for t, c in poly
    )


def _term(term: Term) -> list[tuple[Atom, Rational]]:
    guards = [
        a
        for a, e in term
        if e == 1 and (isinstance(a, Mask) or (isinstance(a, Poly) and different(a) is not None))
    ]
    made = [(a if a in guards else _node(a), e) for a, e in term]
    for guard in guards:
        beside = _beside(made, guard)
        made = [(a if a in guards else b, e) for (a, e), b in zip(made, beside, strict=True)]
    return made


def _beside(factors: Sequence[tuple[Any, Rational]], guard: Atom) -> list[Any]:
    """The factors beside a guard: [j < k] beside δ_ik is [j < i], too."""
    every = [guard]
    for delta in (a for a, _ in factors if isinstance(a, Delta)):
        for one, other in ((delta.a, delta.b), (delta.b, delta.a)):
            if isinstance(one, Index) and one in guard.free:
                turned = nf.substitute(raw_atom(guard), {one: other})
                if turned.terms:  # [j < j] is 0
                    every += [*turned.single[0].powers] if turned.single else [turned]
    return [reduce(lambda a, g: _behind(a, e, g), every, a) for a, e in factors]


def _node(node: Any) -> Any:
    match node:
        case Poly():
            return guarded(node)
        case Sum():
            return Sum(node.bound, guarded(node.body))
        case Call():
            return Call(node.name, [guarded(a) for a in node.args])
    return node


def _behind(node: Any, e: Rational, guard: Atom) -> Any:
    """A factor node**e that stands beside a guard with its letters."""
    if not guard.free <= node.free:
        return node
    if e < 0 or e.denominator > 1:
        return _kept(raw_atom(node), guard)
    match node:
        case Poly():
            return raw_add(Poly({Term(_once(t, _beside([*t], guard))): c}) for t, c in node)
        case Sum() if guard.free.isdisjoint(node.bound):
            body: Any = _behind(node.body, e, guard)
            return Sum(node.bound, body)
        case Call(name="log"):
            return Call("log", [_kept(a, guard) for a in node.args])
        case Call():
            return Call(node.name, [_behind(a, e, guard) for a in node.args])
    return node


def _once(term: Term, factors: Iterable[Any]) -> dict[Any, Rational]:
    return collected((a, e) for a, (_, e) in zip(factors, term, strict=True))


def _kept(poly: Poly, guard: Atom) -> Poly:
    """u where the guard is 1, and 1 elsewhere."""
    own = raw_atom(guard)
    ((mask, _),) = own
    return raw_add([raw_product([own, poly]), Poly({ONE_TERM: 1, mask: -1})])


__all__ = ["guarded"]
