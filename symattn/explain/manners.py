"""How the author of a system writes: his brackets with their signs, gates, masks and symmetries.

What may be recognised in a result, and what the passes ask that bring it into his form.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from .. import maxima
from .. import normalize as nf
from ..canonical import key
from ..facts import Rules, facts_of
from ..folding import fold, has_exponential, match, pivot
from ..ir import (
    ONE_TERM,
    ZERO,
    Call,
    Index,
    Max,
    Poly,
    Ref,
    Sum,
    Tensor,
    Term,
    parts,
    rational,
    raw_atom,
    refs,
)
from ..logistic import logistic
from ..model import Body, Model
from .author import means_under_roots
from .brackets import (
    beside_inverses,
    brackets,
    shortened,
)
from .cases import Reading, indicators, inside, pairs
from .denominators import own_bars
from .exponents import Exponents
from .final import bounded
from .gates import gates
from .inner import rows_of
from .insertions import Insertions
from .mirrored import facings
from .odds import odds
from .polynomials import series
from .prices import Prices
from .quotients import whole_powers
from .ratios import powers_of_one_quotient
from .recognised import tensors_in
from .ruled import Ruled
from .shares import shares, weights
from .symmetries import Symmetries


class Manners(Prices):
    """What the definitions of one system say of how their author writes."""

    def __init__(self, m: Model) -> None:
        self.brackets = brackets(m)
        self.ruled = Ruled(m, self.brackets)
        between = beside_inverses(m)
        others = {**self.ruled.stand_ins, **{b.tensor: b for b in between}}
        super().__init__(m, self.brackets, others)
        self.fractions = [
            b for b in self.brackets if len({Fraction(c).denominator for _, c in b.normal}) > 1
        ]
        raws = [n for b in m.bodies.values() for n in inside(b.raw) if isinstance(n, Term)]
        linear = {a for t in raws for a, e in t if isinstance(a, Poly) and e == 1 and not a.free}
        below = {a for t in raws for a, e in t if isinstance(a, Poly) and e < 0}
        self.below = frozenset(a for a in below if len(a) == 2 and ONE_TERM in a.terms)  # 1/(u − 1)
        self.sums = {a: None for t in raws for a in t.powers if isinstance(a, Sum) and not a.free}
        self.rows = rows_of(m)
        own = {a for t in raws for a in t.powers if isinstance(a, Poly) and len(a) > 1}
        self.own = [nf.normalize(a) for a in sorted(own, key=key)]
        ones = (a for a in self.own if len(a) == 2 and a.terms.get(ONE_TERM) == 1)
        self.ones = [(a, tuple(a.free)) for a in ones]
        self.bars = own_bars(m.bodies.values())
        text = " ".join(e.latex for e in getattr(m.system, "equations", ()))
        self.means = means_under_roots(text)
        self.whole = whole_powers(m.bodies.values())
        self.ratios = powers_of_one_quotient(m.bodies.values())
        self.bounded = bounded(m.bodies.values())
        self.facings = facings(m.bodies.values(), bool(text))
        self.gates = gates(m.bodies.values())
        self.odds = odds(m.bodies.values())
        self.shares = shares(raws) | weights(m.bodies.values())
        linear |= {_over_one_bar(a) for a in linear}
        self.kept = frozenset(linear)  # E − μ of e^{β (E − μ)}, and not x − μ of (x − μ)²
        signed = (a for a in own if len(a) == 2 and ONE_TERM in a.terms)
        signed = (a for a in signed if tensors_in(a).isdisjoint(self.bodies))
        self.signed = self.kept.union(signed)  # (l − 1)² and 1/(1 − d) too
        self.rules = Rules(tuple(facts_of(m)))
        self.symmetries = Symmetries(m, self.brackets)
        named = {b.tensor: b for b in (*m.bodies.values(), *self.brackets)}
        logs = (n for b in m.bodies.values() for n in inside(b.raw) if isinstance(n, Call))
        products = (n.args[0].single for n in logs if n.name == "log")
        factors = (a for only in products if only is not None for a in only[0].powers)
        self.logged = frozenset(a.tensor for a in factors if isinstance(a, Ref))
        self.values: dict[Sum, Poly | None] = {}  # of sums through the definitions, where short
        self.reading = Reading(named, self._largest, self.price, pairs(m))
        self.indicators = indicators(m)
        self.series = frozenset(
            a for b in m.bodies.values() if len(b.raw) > 1 for a in series(b.normal)
        )
        bodies = (*m.bodies.values(), *self.brackets)
        over = [shortened(b, self.brackets) for b in m.bodies.values()]
        self.insertions = Insertions(m, self.brackets)
        self.exponents = Exponents(m, self.brackets)
        bodies = (*bodies, *(b for b in over if b.normal is not m.bodies[b.tensor.name].normal))
        bodies = (*bodies, *self.ruled.powers(), *self.ruled.quotients(), *between)
        self.indexed: dict[Poly, set[Tensor]] = {}
        self.texts: dict[tuple[Any, ...], list[Poly]] = {}  # its forms as in the text
        known = dict.fromkeys(r for b in bodies for r in (*_recognised(b, m), b))
        self.known = [replace(b, normal=self.symmetries.inverses(b.normal)) for b in known]

    def written(self, bracket: Poly) -> bool:
        """The author has this bracket, with these signs."""
        normal = nf.normalize(bracket)
        own = (*((b.normal, b.indices) for b in self.brackets), *self.ones)
        return bracket in self.below or any(match(a, normal, free) is not None for a, free in own)

    def gate(self, call: Any) -> bool:
        """σ(u) is a factor of a definition, as it stands or as 1/(1 + e^{−u})."""
        target = nf.normalize(raw_atom(call))
        return any(match(raw_atom(c), target, letters) is not None for c, letters in self.gates)

    def holds(self, bracket: Poly) -> bool:
        """A shorter bracket of the author is part of this one, with these signs."""
        terms = nf.normalize(bracket).terms
        own = (a for a in self.own if len(a) < len(terms))
        return any(all(terms.get(t) == c for t, c in a) for a in own)

    def times(self, bracket: Poly) -> Fraction:
        """How many times a bracket that the author wrote with fractions in it this one is, or 1."""
        normal = nf.normalize(bracket)
        for body in self.fractions:
            if len(body.normal) != len(normal):
                continue
            for term, c in body.normal:
                if d := normal.terms.get(term):
                    size = Fraction(d) / Fraction(c)
                    if nf.scale(body.normal, rational(size)) is normal:
                        return size
        return Fraction(1)

    def _foreign(self, body: Body, output: str) -> bool:
        """A definition is made of an input that the output is not made of: x of f(x) = x e^{−x}."""
        m, name = self.model, body.tensor.name
        if output not in m.bodies or name not in m.bodies:
            return False
        return not {n for n in m.uses(name) if n in m.inputs} <= m.uses(output)

    def _indexed(self, body: Body) -> set[Tensor]:
        """The tensors with indices in a definition."""
        if body.normal not in self.indexed:
            self.indexed[body.normal] = {r.tensor for r in refs(body.normal) if r.slots}
        return self.indexed[body.normal]

    def _largest(self, u: Poly) -> Poly:
        """max(0, u), as the author's bracket where it is one."""
        value = maxima.largest((), [ZERO, u])
        for body in self.brackets:
            if not any(isinstance(a, Max) for t, _ in body.normal for a, _ in t):
                continue
            found = match(body.normal, value, body.indices)
            if found is not None:
                return raw_atom(Ref(body.tensor, [found.get(i, i) for i in body.indices]))
        return value

    def _reason(self, body: Body) -> str:
        if body.tensor in self.stand_ins:
            return "collect a bracket"
        return f"recognise `{body.tensor.name}`"

    def goes_round(self, poly: Poly) -> bool:
        """Σ_t (x_{t+1} − x_t − a), which is −n a on a circle alone."""
        sums = list(sums_in(poly))
        own = (self.stand_ins.get(r.tensor) for a in sums for r in refs(a))
        inside = [*sums, *(b.normal for b in own if b is not None)]
        return any(shifted(node, self.model) for node in inside)


def _over_one_bar(bracket: Poly) -> Poly:
    """m − 1 of m/2 − 1/2, which is written (m − 1)/2."""
    below = {c.denominator for _, c in bracket}
    return Poly({t: c.numerator for t, c in bracket}) if len(below) == 1 else bracket


def shifted(node: Any, m: Model) -> bool:
    """True where a component x_{t+1} stands inside, or in a definition of what does."""
    found = {r for r in refs(node)}
    if any(not isinstance(s, Index) and s.free for r in found for s in r.slots):
        return True
    bodies = (m.bodies.get(r.tensor.name) for r in found)
    return any(b is not None and shifted(b.normal, m) for b in bodies)


def _recognised(body: Body, m: Model) -> Iterator[Body]:
    """The definition with σ recognised in it, and with the other definitions that are weights."""
    found = [logistic(body.normal)]
    if has_exponential(body.normal):
        others = (b for b in m.bodies.values() if b is not body and pivot(b) is not None)
        found += (fold(body.normal, b) for b in others)
    for normal in found:
        if normal is not body.normal:
            yield Body(body.tensor, body.indices, body.raw, normal, body.fact)


def sums_in(node: Any) -> Iterator[Sum]:
    """Every Σ inside."""
    for part in parts(node):
        if isinstance(part, Sum):
            yield part
        yield from sums_in(part)


__all__ = ["Manners", "shifted", "sums_in"]
