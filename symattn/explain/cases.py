r"""Expressions with a kink, case by case.

Where u > 0, and where u < 0, an expression with a kink at u = 0 has none: max(0, u) is u or 0, |u|
is u or −u.  With f and g for the expression there,

    f = g                    f, whatever the indicators said
    f − g = q u              g + q max(0, u)
    otherwise                g + (f − g) [u > 0],  printed as the cases f and g where neither is 0
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from .. import normalize as nf
from .. import sums
from ..canonical import key
from ..errors import UndefinedError
from ..folding import match
from ..ir import (
    ONE_TERM,
    ZERO,
    Call,
    Index,
    Max,
    Poly,
    Rational,
    Ref,
    Sum,
    Tensor,
    Term,
    number,
    parts,
    rational,
    raw_add,
    raw_atom,
    raw_product,
)
from ..kinks import over_squares, sign_where
from ..laws import sign_of
from ..model import Body, Model
from .cost import cases_of, complement

KINKS = 3  # of one sum that are gone through
BENT = ("step", "sign", "abs", "relu")


def bent(node: Any) -> bool:
    """There is a kink inside."""
    if isinstance(node, Max) and not node.bound:
        return True
    if isinstance(node, Call) and node.name in BENT:
        return True
    return any(map(bent, parts(node)))


@dataclass(frozen=True)
class Reading:
    """How kinks are read: what names stand for, how max(0, u) is written, what a form costs."""

    bodies: Mapping[Tensor, Body]
    largest: Callable[[Poly], Poly]
    price: Callable[[Poly], int]
    pairs: list[tuple[Poly, tuple[Index, ...]]]  # u where max(0, u) and max(0, −u) are written

    def paired(self, u: Poly) -> bool:
        """The author has both max(0, u) and max(0, −u)."""
        return any(match(own, u, letters) is not None for own, letters in self.pairs)


def gone_through(poly: Poly, reading: Reading) -> Poly:
    """The expression with every kink u as the shortest of f, g + q max(0, u), g + (f − g) [u > 0].

    A definition that vanishes on one side of a kink is 0 there, any other stands as it is.
    """
    if not bent(poly):
        return poly

    def rule(node: Any) -> Poly | None:
        if not isinstance(node, Sum) or not bent(node):
            return None
        bound, body = sums.opened(node, node.free)
        after = gone_through(body, reading)
        return None if after is body else nf.sum_over(bound, after)

    poly = signed(nf.rewrite(poly, rule))
    for u, given in list(_kinks(poly).items())[:KINKS]:
        try:
            sides = _where(poly, u, 1, reading), _where(poly, u, -1, reading)
            ways = [*_written(*sides, u, given, poly, reading)]
        except UndefinedError:
            ways = [_without_indicators(poly, u, reading)]
        poly = min((*ways, poly), key=reading.price)
    return _between(poly)


def _between(poly: Poly) -> Poly:
    """q [u ≥ 0] − q [v ≥ 0] as q [u ≥ 0] [v < 0], where u − v is positive."""
    steps: dict[tuple[Term, Rational], tuple[Term, Call]] = {}
    for term, c in poly:
        calls = [a for a, e in term if isinstance(a, Call) and (a.name, e) == ("step", 1)]
        if len(calls) == 1:
            rest = Term({a: e for a, e in term if a is not calls[0]})
            steps[rest, c] = term, calls[0]
    for (rest, c), (_, step) in steps.items():
        below = steps.get((rest, rational(-c))) if c > 0 else None
        gap = nf.subtract(step.args[0], below[1].args[0]) if below else ZERO
        if below and gap.terms and all(d > 0 and _positive(t) for t, d in gap):
            both = Poly({Term({**below[0].powers, step: 1}): rational(-c)})
            return nf.add(Poly({t: d for t, d in poly if t is not below[0]}), both)
    return poly


def _positive(term: Term) -> bool:
    return all(sign_of(a) == "+" for a, _ in term)


def _kinks(poly: Poly) -> dict[Poly, bool]:
    """u of every kink outside of sums, and whether step(u) stands there itself."""
    found: dict[Poly, bool] = {}

    def enter(node: Any) -> None:
        if isinstance(node, Sum):
            return
        u = None
        if isinstance(node, Call) and node.name in BENT:
            (u,) = node.args
        elif isinstance(node, Max) and not node.bound and len(node.args) == 2:
            u = nf.subtract(*node.args)
        if u is not None:
            own = isinstance(node, Call) and node.name == "step"
            back = nf.scale(u, -1)
            if own:
                found.pop(back, None)
            if back not in found:
                found[u] = found.get(u, False) or own
        for part in parts(node):
            enter(part)

    enter(poly)
    return {u: own for u, own in found.items() if not bent(u) or own}


def _where(poly: Poly, u: Poly, sign: int, reading: Reading) -> Poly:
    """The expression where u has this sign."""

    bodies = reading.bodies

    def rule(node: Any) -> Poly | None:
        match node:
            case Ref() if node.tensor in bodies and bent(bodies[node.tensor].normal):
                value = nf.rewrite(bodies[node.tensor].at(node.slots), rule)
                return ZERO if value is ZERO else None
            case Max(bound=(), args=(a, b)):
                known = sign_where(nf.subtract(a, b), u, sign)
                if known is None:
                    return None
                return nf.rewrite(a if known > 0 else b, rule)
            case Call() if node.name in BENT:
                known = sign_where(node.args[0], u, sign)
                if known is None:
                    return None
                v = nf.rewrite(node.args[0], rule)
                match node.name:
                    case "step":
                        return nf.ONE if known > 0 else ZERO
                    case "sign":
                        return number(known)
                    case "abs":
                        return nf.scale(v, known)
                return v if known > 0 else ZERO
        return None

    return nf.rewrite(poly, rule)


def _without_indicators(poly: Poly, u: Poly, reading: Reading) -> Poly:
    """max(0, u)^p for max(0, u)^p [u > 0], in every term that has no value where u < 0."""

    def shown(term: Term) -> Poly:
        only = Poly({term: 1})
        for sign in (1, -1):
            try:
                _where(only, u, sign, reading)
            except UndefinedError:
                return nf.rewrite(only, partial(_indicated, u=u, sign=-sign))
        return only

    return nf.add(*(nf.scale(shown(term), c) for term, c in poly))


def _indicated(node: Any, u: Poly, sign: int) -> Poly | None:
    """0 or 1 for an indicator where u has this sign."""
    if not isinstance(node, Call) or node.name != "step":
        return None
    known = sign_where(node.args[0], u, sign)
    return None if known is None else nf.ONE if known > 0 else ZERO


def _written(
    above: Poly, below: Poly, u: Poly, given: bool, poly: Poly, reading: Reading
) -> Iterator[Poly]:
    """The ways to write what is `above` where u > 0, and `below` where u < 0."""
    gap = nf.subtract(above, below)
    for whole in (above, below):  # what vanishes on the other side needs no indicator
        if _where(whole, u, 1, reading) is above and _where(whole, u, -1, reading) is below:
            yield whole
    if not gap.terms:
        return
    step = nf.call("step", [u])
    if not given:  # [u > 0], as the derivative of max(0, u) has it
        step = nf.subtract(nf.ONE, nf.call("step", [nf.scale(u, -1)]))
    yield nf.add(below, nf.multiply(gap, step))
    q = _quotient(gap, u)
    if q is not None:
        back = nf.scale(u, -1)
        sides = [(u, below), (back, above)]  # u [u > 0], and −u [u < 0]
        named = {node for node in inside(poly) if isinstance(node, Call) and node.name == "relu"}
        relus = [side for side in sides if Call("relu", [side[0]]) in named]
        for v, base in relus or sides:
            largest = nf.call("relu", [v]) if relus else reading.largest(v)
            yield nf.add(base, nf.multiply(q, largest))


def signed(poly: Poly) -> Poly:
    """u sign(u) as |u|, wherever both stand in a product."""

    def shown(term: Term) -> Poly:
        for atom, e in term:
            if not isinstance(atom, Call) or atom.name != "sign" or e < 1:
                continue
            only = atom.args[0].single
            if only is None or any(term.powers.get(a, 0) < k for a, k in only[0]):
                continue
            left = {a: rational(k - only[0].powers.get(a, 0)) for a, k in term}
            left[atom] = rational(e - 1)
            size = nf.call("abs", [atom.args[0]])
            return nf.scale(nf.multiply(size, nf.product(left)), rational(1 / Fraction(only[1])))
        return Poly({term: 1})

    return nf.add(*(nf.scale(shown(term), c) for term, c in poly))


def _quotient(poly: Poly, u: Poly) -> Poly | None:
    """q where the expression is q u, None for any other."""
    for lead, c in sorted(u, key=lambda pair: key(pair[0])):
        if len(lead.powers) != 1:
            continue
        ((atom, e),) = lead
        if e != 1 or any(atom in t.powers for t, _ in u if t is not lead):
            continue
        found = Poly(
            {
                Term({a: k for a, k in t if a is not atom}): rational(Fraction(d) / Fraction(c))
                for t, d in poly
                if t.powers.get(atom) == 1
            }
        )
        return found if nf.multiply(found, u) is poly else None
    return None


# ---------------------------------------------------------------------------------- as it is shown


def parted(raw: Any, reading: Reading) -> Any:
    """p max(0, u) − q max(0, −u) for what is p u and q u on the two sides, if both are written."""
    match raw:
        case Poly():
            made = raw_add(
                raw_product([Poly({ONE_TERM: c}), *(_parted(a, e, reading) for a, e in term)])
                for term, c in raw
            )
            largest = {n for n in inside(made) if isinstance(n, Max)}
            if not largest or len(made) < 2:
                return made
            normal = nf.normalize(made)
            for u in filter(reading.paired, _kinks(normal)):
                back = nf.scale(u, -1)
                both = [Max((), [ZERO, v]) for v in (u, back)]
                if largest.issuperset(both):
                    continue
                sides = (_where(normal, u, sign, reading) for sign in (1, -1))
                p, q = (_quotient(side, u) if side.terms else ZERO for side in sides)
                if p is not None and q is not None:
                    parts = zip((p, nf.scale(q, -1)), both, strict=True)
                    return raw_add(
                        raw_product([f if len(f) == 1 else raw_atom(f), raw_atom(largest)])
                        for f, largest in parts
                    )
            return made
    return raw


def _parted(atom: Any, e: Any, reading: Reading) -> Poly:
    if isinstance(atom, Sum):
        return raw_atom(Sum(atom.bound, parted(atom.body, reading)), e)
    made = parted(atom, reading)
    return made if made is not atom and e == 1 and len(made) == 1 else raw_atom(made, e)


def pairs(m: Model) -> list[tuple[Poly, tuple[Index, ...]]]:
    """u for every max(0, u) beside a max(0, −u) in the definitions, in no order."""
    found = {
        nf.normalize(a)
        for body in m.bodies.values()
        for node in inside(body.raw)
        if isinstance(node, Max) and not node.bound and len(node.args) == 2 and ZERO in node.args
        for a in node.args
        if a is not ZERO
    }
    return [
        (u, tuple(sorted(u.free, key=lambda i: i.sort))) for u in found if nf.scale(u, -1) in found
    ]


@dataclass(frozen=True)
class Kink:
    """u of a max(0, u) that the author wrote, with the letters that stand for any."""

    written: Poly
    normal: Poly
    letters: tuple[Index, ...]


def indicators(m: Model) -> list[Kink]:
    """The kinks of a system, of u and −u one."""
    found: dict[Poly, Poly] = {}
    for body in m.bodies.values():
        for node in inside(body.raw):
            if isinstance(node, Max) and not node.bound and len(node.args) == 2:
                a, b = sorted(node.args, key=lambda p: p is not ZERO)
                u = raw_add([b, Poly({t: -c for t, c in a})])
                found.setdefault(nf.normalize(u), u)
            elif isinstance(node, Call) and node.name == "relu":
                found.setdefault(nf.normalize(node.args[0]), node.args[0])
    plain = sorted(found, key=lambda u: sum(c < 0 for _, c in u))  # x of max(0, x) and min(0, x)
    kept: list[Poly] = []
    for u in plain:
        if u.constant is None and nf.scale(u, -1) not in kept:
            kept.append(u)
    return [Kink(found[u], u, tuple(sorted(u.free, key=lambda i: i.sort))) for u in kept]


def inside(node: Any) -> Iterator[Any]:
    """The expression and everything that it is made of."""
    yield node
    for part in parts(node):
        yield from inside(part)


def strict(poly: Poly, known: list[Kink], opened: Callable[[Poly], Poly]) -> Poly:
    """step(u) as [u > 0] where max(0, u) has its kink: the derivative there is 0.

    And step(d² u) as [u > 0] of u = a + b/d, which says nothing where d is 0.  `opened` writes
    brackets out.
    """

    def rule(node: Any) -> Poly | None:
        if not isinstance(node, Call) or node.name != "step":
            return None
        argument = opened(node.args[0])
        for kink in known:
            u, letters = kink.normal, kink.letters
            found = match(u, argument, letters)
            if found is not None:
                return nf.subtract(nf.ONE, nf.call("step", [nf.scale(node.args[0], -1)]))
            over = over_squares(u)
            for sign in (1, -1) if over is not u else ():
                found = match(over, nf.scale(argument, sign), letters)
                if found is not None and set(found) >= set(letters):
                    below = nf.call("step", [nf.scale(nf.substitute(u, found), -1)])
                    return below if sign < 0 else nf.subtract(nf.ONE, below)
        return None

    return nf.rewrite(poly, rule)


def on_both_sides(poly: Poly, reading: Reading) -> Iterator[Poly]:
    """h [u > 0] − p [u < 0] of h max(0, u) + p max(0, −u), below a Σ, where nobody writes cases."""
    found = split(poly)
    if found is not None and reading.paired(found[2].args[0]):
        below, above, step = found
        back = nf.call("step", [nf.scale(step.args[0], -1)])
        gates = (nf.subtract(nf.ONE, raw_atom(step)), nf.subtract(nf.ONE, back))
        yield nf.add(*map(nf.multiply, (below, above), gates))


def split(poly: Poly) -> tuple[Poly, Poly, Call] | None:
    """f, g and step(u) where the expression is f (1 − step(u)) + g step(u), neither f nor g 0."""
    steps = {a for t, _ in poly for a, _ in t if isinstance(a, Call) and a.name == "step"}
    if len(steps) != 1:
        return None
    (step,) = steps
    if any(t.powers.get(step, 0) not in (0, 1) for t, _ in poly):
        return None
    below = Poly({t: c for t, c in poly if step not in t.powers})
    gap = Poly(
        {Term({a: e for a, e in t if a is not step}): c for t, c in poly if step in t.powers}
    )
    above = nf.add(below, gap)
    return (below, above, step) if below.terms and above.terms else None


def written(below: Poly, above: Poly, step: Call) -> Poly:
    """below (1 − step(u)) + above step(u), raw."""
    gate = Poly({ONE_TERM: 1, Term({step: 1}): -1})
    parts = [(below, gate), (above, raw_atom(step))]
    return raw_add(
        raw_product([p if len(p) == 1 else raw_atom(p), g if g.single else raw_atom(g)])
        for p, g in parts
    )


__all__ = [
    "Kink",
    "bent",
    "cases_of",
    "complement",
    "gone_through",
    "indicators",
    "inside",
    "on_both_sides",
    "pairs",
    "parted",
    "split",
    "strict",
    "written",
]
