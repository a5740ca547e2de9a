"""Gates of the author: σ(u) of h = a σ(u), beside which σ(−u) is 1 − σ(u)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .. import normalize as nf
from ..ir import ONE_TERM, Call, Index, Poly, Sum, Term, rational, raw_add, raw_atom, raw_product
from ..logistic import logistic
from ..model import Body


def as_gates(node: Any, gate: Callable[[Any], bool]) -> Any:
    """σ(−u) as 1 − σ(u), where σ(u) is a `gate` of the author and σ(−u) is none."""
    match node:
        case Poly():
            return raw_add(
                Poly({t: rational(c * d) for t, d in as_gates(term, gate)}) for term, c in node
            )
        case Term():
            return raw_product([raw_atom(as_gates(a, gate), e) for a, e in node])
        case Sum():
            return Sum(node.bound, as_gates(node.body, gate))
        case Call(name="sigmoid") if not gate(node):
            back = Call("sigmoid", [nf.scale(nf.normalize(node.args[0]), -1)])
            return Poly({ONE_TERM: 1, Term({back: 1}): -1}) if gate(back) else node
    return node


def gates(bodies: Iterable[Body]) -> tuple[tuple[Call, tuple[Index, ...]], ...]:
    """The σ(u) that are factors of a definition, as in h = a σ(u), with the letters of u."""
    found = {}
    for body in bodies:
        for term, _ in logistic(body.normal):
            for a, e in term:
                if isinstance(a, Call) and a.name == "sigmoid" and e == 1:
                    found[a] = tuple(sorted(a.free, key=lambda i: i.name))
    return tuple(found.items())


__all__ = ["as_gates", "gates"]
