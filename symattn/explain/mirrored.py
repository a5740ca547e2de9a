"""Which way a function faces that has a mirror: sign(w − v) beside |w − v|, log(p/q) as written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from .. import normalize as nf
from .. import primitives
from ..folding import match
from ..ir import Call, Index, Poly, Rational, Sum, Term, collected, inside, rational, raw_add
from ..model import Body
from .facing import data_first

Facing: TypeAlias = tuple[str, Poly, tuple[Index, ...]]  # |u| or log u, u and its letters


def odd_as_even(poly: Poly, own: Sequence[Facing] = ()) -> Poly:
    """|u| sign(−u) as −|u| sign(u), where u is a difference: it faces one way in a term.

    And sign(−u) as −sign(u) where the author has |u|; log(q/p) below a Σ as −log(p/q) where he
    has that.
    """
    plain = [f for f in own if f[0] != "log"]
    return raw_add(_odd_as_even(t, c, plain, own) for t, c in poly)


def _odd_as_even(term: Term, c: Rational, own: Sequence[Facing], below: Sequence[Facing]) -> Poly:
    calls = [n for n in inside(term) if isinstance(n, Call) and len(n.args) == 1]
    even = {n.args[0] for n in calls if primitives.by_name(n.name).parity == 1}
    powers: list[tuple[Any, Rational]] = []
    for atom, e in term:
        if isinstance(atom, Call) and e == 1 and (back := _other_way(atom)) is not None:
            if back in even or (
                _faces_as(atom, back, own) and not _faces_as(atom, atom.args[0], own)
            ):
                atom, c = Call(atom.name, [back]), rational(-c)
        elif isinstance(atom, Sum) and e == 1 and atom.body.single is not None:
            ((inner, d),) = _odd_as_even(*atom.body.single, below, below)
            sign = 1 if (d > 0) == (atom.body.single[1] > 0) else -1
            atom, c = Sum(atom.bound, Poly({inner: rational(sign * d)})), rational(sign * c)
        powers.append((atom, e))
    return Poly({Term(collected(powers)): c})


def _other_way(call: Call) -> Poly | None:
    """−u of f(u) = −f(−u) for a difference u; 1/u of log u for a quotient."""
    (u,) = call.args if len(call.args) == 1 else (Poly({}),)
    if primitives.by_name(call.name).parity == -1 and len(u) > 1:
        return Poly({t: -d for t, d in u})
    only = u.single if call.name == "log" else None
    if only is None or only[1] != 1 or len({e > 0 for _, e in only[0]}) < 2:
        return None
    return Poly({Term({a: rational(-e) for a, e in only[0]}): 1})


def facings(bodies: Iterable[Body], written: bool = True) -> tuple[Facing, ...]:
    """The differences u of |u| and the quotients u of log u in these definitions.

    Where no text is `written`, SymPy has |μ − x_i| for |x_i − μ|.
    """
    found = (n for b in bodies for n in inside(b.raw) if isinstance(n, Call))
    kept = {}
    for call in found:
        if call.name == "abs" or (call.name == "log" and _other_way(call) is not None):
            u = call.args[0] if written else data_first(call.args[0])
            letters = tuple(sorted(u.free, key=lambda i: i.sort))
            kept[FACED[call.name], nf.normalize(u)] = letters
    return tuple((name, u, letters) for (name, u), letters in kept.items())


FACED = {"abs": "sign", "log": "log"}  # a function of the author, and which faces as it does


def _faces_as(call: Call, u: Poly, own: Sequence[Facing]) -> bool:
    normal = nf.normalize(u)
    return any(
        name == call.name and match(written, normal, letters) is not None
        for name, written, letters in own
    )


__all__ = ["facings", "odd_as_even"]
