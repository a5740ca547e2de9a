"""The author's brackets M − I, whose δ is not summed away: W (W^⊤ W − I), and not W W^⊤ W − W."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .. import normalize as nf
from ..folding import match
from ..ir import Delta, Poly, Sum, Term, inside, parts
from ..model import Model


def summed_delta(raw: Poly, units: Sequence[Poly]) -> bool:
    """Σ_l f_l (δ_kl − g_k), which nobody leaves so; Σ_l W_al (M_kl − δ_kl) of his M − I stays."""
    sums = (n for n in inside(raw) if isinstance(n, Sum))
    return any(
        isinstance(p, Delta) and p.free & {*s.bound}
        for s in sums
        for p in _inside_but(s.body, units)
    )


def _inside_but(node: Any, units: Sequence[Poly]) -> Iterator[Any]:
    """All that an expression is made of but what the author's M − I is."""
    if isinstance(node, Poly) and with_delta(node):
        normal = nf.normalize(node)
        if any(match(u, normal, u.free) is not None for u in units):
            return
    yield node
    for part in parts(node):
        yield from _inside_but(part, units)


def less_unit(m: Model) -> Iterator[Poly]:
    """The brackets M − I and I − M of the text."""
    for body in m.bodies.values():
        for node in inside(body.raw):
            if isinstance(node, Poly) and with_delta(node):
                yield nf.normalize(node)


def with_delta(bracket: Poly) -> bool:
    """M_kl − δ_kl, where M is no number."""
    terms = [t for t in bracket.terms if _is_delta(t)] if len(bracket) > 1 else []
    return len(terms) == 1 and all(t.free >= terms[0].free for t in bracket.terms)


def _is_delta(term: Term) -> bool:
    return [*term.powers.values()] == [1] and isinstance(next(iter(term.powers)), Delta)


__all__ = ["less_unit", "summed_delta", "with_delta"]
