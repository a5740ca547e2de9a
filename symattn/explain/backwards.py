"""Names and brackets that only hide what stands there without them.

With r = y − m the difference y − r is m, and with D = a² + b² the sum 2 a²/D² − 1/D is
(a² − b²)/D²: a definition was solved for one of its terms, and read backwards.  So is the bracket
1 − q in 2 a − 2 a (1 − q), which is 2 a q.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import permutations
from typing import Any, TypeAlias

from .. import normalize as nf
from ..ir import ZERO, Call, Poly, Rational, Ref, Sum, Tensor, Term, inside, rational, raw_atom
from ..model import Body
from .arrange import factored
from .cost import powers_of

Opened: TypeAlias = Callable[[Poly], Poly]


def backwards(node: Any, bodies: Mapping[Tensor, Body], opened: Opened = nf.normalize) -> bool:
    """There are fewer terms, or as many with smaller numbers, where a name is written out.

    Of the definitions of several terms; `opened` writes brackets out.
    """
    if not isinstance(node, Poly) or len(node) < 2:
        return False
    names = (a for t in node.terms for a in t.powers if isinstance(a, Ref))
    for name in {a for a in names if a.tensor in bodies}:
        if _share_of_a_mixture(node, name, bodies[name.tensor]):
            return True
        value = bodies[name.tensor].at(name.slots)
        square = under_root(value)  # 1/q − q of q = √(1 + x²)
        if square is not None and _one_term(_over_one_bar(node, name, square, opened, 2)):
            return True
        whole = _over_one_bar(node, name, value, opened)
        known = _calls(whole) <= _calls(node) and not _sums(whole)
        plain = known and (_numbers(whole) < _numbers(node) or factored(whole).single is not None)
        if whole.terms and len(whole) < len(node) + plain:
            return True
    return False


def _share_of_a_mixture(node: Poly, name: Ref, body: Body) -> bool:
    """a − y of y = p a + (1 − p) b, which is (1 − p) (a − b)."""
    own = Term({name: 1})
    if len(node) != 2 or own not in node.terms:
        return False
    other = nf.subtract(nf.scale(node, -node.terms[own]), nf.scale(raw_atom(name), -1))
    at = dict(zip(body.indices, name.slots, strict=True))
    ends = (nf.substitute(end, at) for end in _ends(body) if end.constant is None)
    return any(end is other for end in ends)  # but 1 − p is the complement of p


def _ends(body: Body) -> list[Poly]:
    """a and b of p a + (1 − p) b."""
    for share, rest in permutations(body.raw, 2) if len(body.raw) == 2 else ():
        for bracket, e in rest[0]:
            if e != 1 or not isinstance(bracket, Poly):
                continue
            less = nf.subtract(nf.ONE, nf.normalize(bracket)).single
            ((p, k), *more) = less[0] if less is not None and less[1] == 1 else ((None, 0),)
            if p is not None and (k, more) == (1, []) and share[0].powers.get(p) == 1:
                sides = (share, p), (rest, bracket)
                return [
                    nf.normalize(Poly({Term({a: x for a, x in t if a is not out}): c}))
                    for (t, c), out in sides
                ]
    return []


def _one_term(poly: Poly) -> bool:
    """c u, and c log(R/r), which is c log R − c log r."""
    only = factored(poly).single if len(poly) == 2 else poly.single
    brackets = [a for a, _ in only[0] if isinstance(a, Poly)] if only and len(poly) == 2 else []
    factors = (list(t) for b in brackets for t in b.terms)
    return only is not None and all(
        len(f) == 1 and isinstance(f[0][0], Call) and f[0][0].name == "log" for f in factors
    )


def undone(node: Any, bodies: Mapping[Tensor, Body]) -> Ref | None:
    """The name or bracket of two terms that, written out, leaves one of two terms.

    A bracket that is beside one of its own terms too: 5 (b − n h)/2 − b.
    """
    if not isinstance(node, Poly) or len(node) < 2:
        return None
    for term, c in node:
        for name, e in term:
            body = bodies.get(name.tensor) if isinstance(name, Ref) and e == 1 else None
            if body is None or not isinstance(name, Ref):
                continue
            rest = nf.normalize(Poly({Term({a: k for a, k in term if a is not name}): c}))
            for part in _halves(body, name):
                made = nf.multiply(rest, Poly(dict([part]))).single
                if made is None or made[0] not in node.terms:
                    continue
                if name.tensor.role == "stand-in" or node.terms[made[0]] == -made[1]:
                    return name
    return None


def _halves(body: Body, name: Ref) -> Iterator[tuple[Term, Rational]]:
    """The terms of a definition of two; E of E + Σ p log(p/q)/b, whose logarithms are apart."""
    normals = [nf.normalize(Poly({t: c})) for t, c in body.raw]
    if len(body.normal) == 2:
        yield from body.at(name.slots)
    elif len(normals) == 2 and not body.indices:
        yield from (pair for p in normals if len(p) == 1 for pair in p)


def hidden_by_a_bracket(node: Any) -> bool:
    """b − (b − 1)/u with u = 1 − v, which is (1 − b v)/u."""
    if not isinstance(node, Poly) or len(node) < 2:
        return False
    for bracket in {a for t in node.terms for a in t.powers if isinstance(a, Poly)}:
        below = min(t.powers.get(bracket, 0) for t in node.terms) < 0
        whole = _over_one_bar(node, bracket, nf.normalize(bracket)) if below else ZERO
        if whole.terms and len(whole) <= len(node) and not _sums(whole):
            return True
    return False


def hidden_beside_a_power(node: Any) -> bool:
    """(1 − p)^{g − 1} (1 + g log p − 1/p), whose 1 − 1/p is 1 − p again: (1 − p)^g/p."""
    if not isinstance(node, Term):
        return False
    powers = [a.args[0] for a, e in node if isinstance(a, Call) and a.name == "exp" and e == 1]
    bases = [b for x in powers for b, _ in powers_of(x) or () if len(b) == 2]
    brackets = [a for a, e in node if isinstance(a, Poly) and e == 1 and len(a) > 2]
    return any(_multiple(base, bracket) for base in bases for bracket in brackets)


def _multiple(base: Poly, bracket: Poly) -> bool:
    """Two terms of a bracket are another one times what stands in a base."""
    (first, c), (second, d) = base
    for term, k in bracket:
        times = nf.times(Poly({term: rational(k / c)}), {a: -e for a, e in first})
        if times.constant is not None:  # p − 1
            continue
        other = nf.multiply(times, Poly({second: d})).single
        if other is not None and bracket.terms.get(other[0]) == other[1]:
            return True
    return False


def under_root(value: Poly) -> Poly | None:
    """The square of a root of a sum; None of anything else."""
    only = value.single
    if only is None or all(e.denominator != 2 for _, e in only[0]):
        return None
    square = nf.power(value, 2)
    return square if len(square) > 1 else None


def _over_one_bar(
    poly: Poly, name: Ref | Poly, value: Poly, opened: Opened = nf.normalize, power: int = 1
) -> Poly:
    """What stands above a power of a name, with the value of its `power` in place of that.

    0 where the powers of the name are others.
    """
    least = min(t.powers.get(name, 0) for t in poly.terms)
    over = {t: t.powers.get(name, 0) - least for t in poly.terms}
    if {*over.values()} != {0, power} or len(value) < 2:
        return ZERO
    parts = []
    for term, c in poly:
        rest = opened(Poly({Term({a: e for a, e in term if a is not name}): c}))
        parts.append(nf.multiply(rest, value) if over[term] else rest)
    return nf.add(*parts)


def _numbers(poly: Poly) -> Rational:
    return rational(sum(abs(c) for _, c in poly))


def _calls(node: Any) -> set[Any]:
    return {n.name for n in inside(node) if isinstance(n, Call)}


def _sums(node: Any) -> bool:
    return any(isinstance(n, Sum) for n in inside(node))


__all__ = ["backwards", "hidden_beside_a_power", "hidden_by_a_bracket", "under_root", "undone"]
