"""What a form of a result costs a reader of one system, who has its definitions before him."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .. import normalize as nf
from ..folding import has_exponential
from ..ir import ONE_TERM, ZERO, Call, Max, Poly, Ref, Sum, Tensor, Term, parts, raw_atom, refs
from ..model import Body, Model
from . import limits
from .arrange import factored
from .backwards import backwards, under_root, undone
from .brackets import written_out
from .cases import inside
from .collect import collected
from .cost import cost, is_size
from .final import in_brackets
from .joined import joined, summed_at_once
from .pairs import off_diagonal, with_pairs
from .recognised import tensors_in
from .solved import only_power, solutions

TWICE = 4  # what a name costs beside another of which it is a power: V/Q for V = Q^{1/(1 − r)}
LOOKED_UP = 8  # what a name costs beyond its letters that is explained on a line of its own
UNWRITTEN = 2  # what the length of an axis costs more where no formula has it as a number
WRITTEN = 2  # what a bracket with exponentials costs less than any other form of it
LONG = 12  # terms; a longer form has to become shorter before its brackets are looked for


class Prices:
    """The prices of forms; a bracket of the author costs what it stands for, and a little less."""

    def __init__(self, m: Model, brackets: Iterable[Body], others: Mapping[Tensor, Body]) -> None:
        """`others` are stand-ins for brackets that are not looked for."""
        self.model = m
        own = {b.tensor: b for b in brackets}
        self.sought = frozenset(own)
        self.stand_ins: Mapping[Tensor, Body] = {**others, **own}
        self.bodies = {b.tensor: b for b in m.bodies.values()}
        named = {**self.bodies, **own}
        self.at_once = summed_at_once(m.bodies.values())
        self.lengths = {r.tensor for b in m.bodies.values() for r in refs(b.raw) if is_size(r)}
        self.several = {
            t: b for t, b in self.bodies.items() if len(b.normal) > 1 or under_root(b.normal)
        }
        self.roots = {
            t
            for t, b in self.bodies.items()
            if b.normal.single
            and len(b.normal.single[0].powers) > 1
            and not any(isinstance(a, Poly) for a in b.normal.single[0].powers)
            and any(e.denominator > 1 for _, e in b.normal.single[0])
        }
        self.in_two = {
            t: b
            for t, b in named.items()
            if 2 in (len(b.normal), len(b.raw))
            and not any(isinstance(n, Max) for n in inside(b.normal))
        }
        self.bases = {
            t: b.tensor
            for b in m.bodies.values()
            for s in solutions(b)
            for t in only_power(s)
            if t in self.bodies
        }
        used = {r.tensor for b in m.bodies.values() for r in refs(b.raw)}  # outputs say in outputs
        self.functions = {
            t: b
            for t, b in self.bodies.items()
            if t in used
            and b.normal.single
            and any(isinstance(a, Call) for a in b.normal.single[0].powers)
        }
        halves = [
            (a, e)
            for b in m.bodies.values()
            for n in inside(b.raw)
            if isinstance(n, Term)
            for a, e in n
        ]
        rooted = {a.tensor for a, e in halves if isinstance(a, Ref) and e.denominator > 1}
        self.squares = {  # s = max(0, u)², of which nobody takes the root
            b.tensor
            for b in m.bodies.values()
            if b.raw.single is not None
            and b.tensor not in rooted
            and any(e == 2 and isinstance(a, Max | Call | Poly) for a, e in b.raw.single[0])
        }
        largest = [n for b in m.bodies.values() for n in inside(b.raw) if isinstance(n, Max)]
        text = " ".join(e.latex for e in getattr(m.system, "equations", ()))
        self.unequal = limits.unequal(text, m)
        self.apart = limits.apart(m)
        self.plain = bool(largest) and all(not n.bound and ZERO in n.args for n in largest)

    def collected(self, form: Poly) -> Poly:
        """The form with brackets; where the author has Σ_{j ≠ i}, also without diagonals."""
        raw = collected(form)
        if not self.apart:
            return raw
        other, pairs = off_diagonal(form)
        whole = with_pairs(collected(other), pairs.values()) if pairs else raw
        return min(raw, whole, key=self.cost)

    def price(self, form: Poly) -> int:
        """The cost of a form once it is written with brackets, of a long one without most.

        Sums that are printed as one cost what that one does.
        """
        if len(form) > LONG:
            return self.cost(factored(form))
        raw = self.collected(form)
        whole = in_brackets(raw, lambda p: joined(p, self.at_once)) if self.at_once else raw
        least = self.cost(raw) if whole is raw else min(self.cost(raw), self.cost(whole))
        return least + LOOKED_UP * self._twice_in_an_exponent(form)

    def _twice_in_an_exponent(self, form: Poly) -> bool:
        """e^{w − w/r + v/r}, for which people have weights: of a w that is defined."""
        exps = (n.args[0] for n in inside(form) if isinstance(n, Call) and n.name == "exp")
        for terms in (u.terms for u in exps if len(u) > 1):
            names = [
                [a for a, _ in t if isinstance(a, Ref) and (a.slots or a.tensor in self.bodies)]
                for t in terms
            ]
            alone = [n[0] for n in names if len(n) == 1 and n[0].tensor in self.bodies]
            if len({*alone}) < len(alone):
                return True
        return False

    def roundabout(self, form: Poly, spelled: Poly | None = None) -> int:
        """What a form costs more in the end because names and brackets in it undo each other.

        Where it is `spelled` already, but for a bracket that has gone: 1 − (1 − x) is x.
        """
        names = [a for n in inside(form) if (a := undone(n, self.in_two)) is not None]
        if spelled is not None and names:
            left = {nf.normalize(n) for n in inside(spelled) if isinstance(n, Poly) and len(n) > 1}
            names = [a for a in names if a.tensor not in self.stand_ins or self._in(a, left)]
        return LOOKED_UP * len(names)

    def _in(self, name: Ref, left: set[Poly]) -> bool:
        value = self.opened(raw_atom(name))
        return value in left or nf.scale(value, -1) in left

    def printed(self, form: Poly) -> int:
        """The cost of a form as it is read, the author's brackets in it as any others."""
        raw: Poly = written_out(self.collected(form), self.stand_ins)
        return cost(raw)

    def cost(self, raw: Poly) -> int:
        """The cost of a form, the brackets in it counted as what they stand for."""
        extra = 0
        for ref in _all_refs(raw):
            body = self.stand_ins.get(ref.tensor)
            extra += UNWRITTEN * (is_size(ref) and ref.tensor not in self.lengths)
            if body is not None and body.tensor not in self.sought:  # 1 − y
                extra += cost(raw_atom(body.raw)) - cost(ref)
            elif body is not None:  # what the author wrote is preferred to another form of it
                extra += cost(body.raw) - 1 - cost(ref)
                extra -= WRITTEN * has_exponential(body.raw)
                extra -= all(any(e < 0 for _, e in t) for t, _ in body.raw)  # 1/V + B/V²
        if self.plain and any(isinstance(n, Max) and ZERO not in n.args for n in inside(raw)):
            extra += LOOKED_UP  # max(0, x − y) is not read as max(x, y) − y
        extra += LOOKED_UP * sum(self._above_and_below(n) for n in inside(raw))
        extra -= self._behind_a_minus(raw) + self.in_pairs(raw)
        return cost(raw) + extra + self.read_backwards(raw) + self.twice(raw)

    def _behind_a_minus(self, raw: Poly) -> bool:
        """−c (h − 1/(2 t)) of the author's h − 1/(2 t), which is read as c (h − 1/(2 t)) is."""
        (term, c) = raw.single or (ONE_TERM, 1)
        names = (a.tensor for a, e in term if isinstance(a, Ref) and e == 1)
        own = [b for t in names if (b := self.stand_ins.get(t)) is not None]
        alone = c < 0 and not any(isinstance(a, Poly) for a in term.powers)
        return alone and bool(own) and all(ONE_TERM not in b.raw.terms for b in own)

    def _above_and_below(self, node: Any) -> bool:
        """u/P − P v and u − P² v of P = √(a/b): a quotient is hidden in its square."""
        if not isinstance(node, Poly) or len(node) < 2 or not self.roots:
            return False
        names = ((a.tensor, e) for t, _ in node for a, e in t if isinstance(a, Ref))
        powers = [(t, e) for t, e in names if t in self.roots]
        above = {t for t, e in powers if e > 0}
        return any(e == 2 or (e < 0 and t in above) for t, e in powers)

    def in_pairs(self, raw: Poly) -> int:
        r"""How much less \sum_{j \neq i} costs than a Σ_j with a factor 1 − δ_ij."""
        sums = (n for n in inside(raw) if isinstance(n, Sum)) if self.unequal else ()
        pairs = ((n, limits.two_sided(n)) for n in sums)
        return sum(cost(n.body) - cost(pair[2]) - 1 for n, pair in pairs if pair is not None)

    def twice(self, raw: Poly) -> int:
        """What a form costs more for names beside others of which they are powers."""
        terms = (n for n in inside(raw) if isinstance(n, Term)) if self.bases else ()
        names = ({a.tensor for a in t.powers if isinstance(a, Ref)} for t in terms)
        found = sum(any(self.bases.get(t) in own for t in own) for own in names)
        terms = (n for n in inside(raw) if isinstance(n, Term)) if self.functions else ()
        return TWICE * (found + sum(map(self._beside_its_function, terms)))

    def _beside_its_function(self, term: Term) -> bool:
        """w tan d of w = (v/L) tan d."""
        names = (a for a, e in term if isinstance(a, Ref) and e == 1 and a.tensor in self.functions)
        values = (self.functions[a.tensor].at(a.slots).single for a in names)
        factors = (f for only in values if only for f, e in only[0] if isinstance(f, Call))
        return any(term.powers.get(f) == 1 for f in factors)

    def read_backwards(self, raw: Poly) -> int:
        """What a form costs more for names that only hide other terms."""
        found = () if self.several.keys().isdisjoint(tensors_in(raw)) else inside(raw)
        return LOOKED_UP * sum(backwards(n, self.several, self._open) for n in found)

    def _open(self, raw: Poly) -> Poly:
        return self.opened(nf.normalize(raw))

    def opened(self, poly: Poly) -> Poly:
        """The expression with the stand-ins for brackets written out, as a normal form."""

        def rule(node: Any) -> Poly | None:
            body = self.stand_ins.get(node.tensor) if isinstance(node, Ref) else None
            return None if body is None else body.at(node.slots)

        if self.stand_ins.keys().isdisjoint(tensors_in(poly)):
            return poly
        return nf.rewrite(poly, rule)


def _all_refs(node: Any) -> Iterator[Ref]:
    """Every tensor component inside, as often as it stands there."""
    if isinstance(node, Ref):
        yield node
    for part in parts(node):
        yield from _all_refs(part)


__all__ = ["LOOKED_UP", "Prices"]
