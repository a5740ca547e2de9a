"""The search for the form of a result that costs a reader least, among those that rules reach.

The normal form decides what is equal; here is decided how it is printed.  A bounded search goes
from a normal form to others that are equal to it: a definition (or a bracket that the author
wrote) is recognised by putting its solution for one factor in, a sum whose value is known is
evaluated, exponentials are recognised as σ and tanh.  What is left is written with brackets by
`collected`, and the form with the least `cost` is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from .. import maxima
from .. import normalize as nf
from ..axes import circles_cut
from ..errors import SymattnError
from ..facts import Rules, facts_of
from ..folding import divisors, fold, has_exponential, match, pivot
from ..ir import (
    ONE_TERM,
    ZERO,
    Call,
    Index,
    Mask,
    Max,
    Poly,
    Ref,
    Slot,
    Sum,
    Tensor,
    Term,
    Unknown,
    parts,
    rational,
    raw_atom,
    refs,
)
from ..logistic import apart, hyperbolic, logistic, of_two, quotients, together
from ..model import Body, Model
from ..shared_bars import under_one_sum
from .arrange import factored
from .backwards import backwards, undone
from .brackets import (
    beside_inverses,
    brackets,
    gathered,
    shortened,
    written_out,
)
from .cases import Reading, bent, gone_through, indicators, inside, pairs
from .collect import collected, series
from .cost import cost, powers_of
from .exponents import Exponents
from .factor import as_factor, not_zero, outgrown, root_of
from .insertions import Insertions
from .joined import summed_at_once
from .ruled import Ruled
from .shares import shares, weights
from .solved import (
    Power,
    Solution,
    divided,
    of_own_logarithm,
    only_power,
    solutions,
    tensors_in,
)
from .symmetries import Symmetries

TWICE = 4  # what a name costs beside another of which it is a power: V/Q for V = Q^{1/(1 − r)}
LOOKED_UP = 8  # what a name costs beyond its letters that is explained on a line of its own
WRITTEN = 2  # what a bracket with exponentials costs less than any other form of it
WIDTH, DEPTH = 2, 10  # forms that are followed at a time, and for how many steps
LONG = 12  # terms; a longer form has to become shorter before its brackets are looked for
FAR = 2  # a form that costs so many times more than another one is not looked at closely
CLOSE = 1.25, 6  # the third and further ones cost no more than so many times the best, and so much
BESIDE = 1.25, 16  # the same of what is followed beside the best
STRIDE = 4  # a form that costs so many times less is followed before others are looked for
LEAP = 3  # a form that costs so many times less than the best one is followed alone
TRIES = 400  # forms looked at in one search
SMALL = 4  # an expression of this cost is not searched


@dataclass(frozen=True)
class Form:
    """An equal form of an expression, and how it was reached."""

    normal: Poly
    trail: tuple[tuple[str, Poly], ...]  # (reason, form) of every step


class Presenter:
    """The presentation of results of one system."""

    def __init__(self, m: Model) -> None:
        self.model = m
        self.brackets = brackets(m)
        self.fractions = [
            b for b in self.brackets if len({Fraction(c).denominator for _, c in b.normal}) > 1
        ]
        self.stand_ins: Mapping[Tensor, Body] = {b.tensor: b for b in self.brackets}
        raws = [n for b in m.bodies.values() for n in inside(b.raw) if isinstance(n, Term)]
        linear = {a for t in raws for a, e in t if isinstance(a, Poly) and e == 1 and not a.free}
        below = {a for t in raws for a, e in t if isinstance(a, Poly) and e < 0}
        self.below = frozenset(a for a in below if len(a) == 2 and ONE_TERM in a.terms)  # 1/(u − 1)
        self.at_once = summed_at_once(m.bodies.values())
        self.shares = shares(raws) | weights(m.bodies.values())
        self.kept = frozenset(linear)  # E − μ of e^{β (E − μ)}, and not x − μ of (x − μ)²
        self.rules = Rules(tuple(facts_of(m)))
        self.symmetries = Symmetries(m)
        named = {b.tensor: b for b in (*m.bodies.values(), *self.brackets)}
        self.bodies = {b.tensor: b for b in m.bodies.values()}
        self.several = {t: b for t, b in self.bodies.items() if len(b.normal) > 1}
        self.in_two = {
            t: b
            for t, b in named.items()
            if len(b.normal) == 2 and not any(isinstance(n, Max) for n in inside(b.normal))
        }
        self.bases = {
            t: b.tensor
            for b in m.bodies.values()
            for s in solutions(b)
            for t in only_power(s)
            if t in self.bodies
        }
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
        largest = [n for b in m.bodies.values() for n in inside(b.raw) if isinstance(n, Max)]
        self.plain = bool(largest) and all(not n.bound and ZERO in n.args for n in largest)
        bodies = (*m.bodies.values(), *self.brackets)
        over = [shortened(b, self.brackets) for b in m.bodies.values()]
        self.insertions = Insertions(m, self.brackets)
        self.ruled = Ruled(m, self.brackets)
        self.sought = frozenset(self.stand_ins)
        self.stand_ins = {**self.ruled.stand_ins, **self.stand_ins}
        self.exponents = Exponents(m, self.brackets)
        bodies = (*bodies, *(b for b in over if b.normal is not m.bodies[b.tensor.name].normal))
        between = beside_inverses(m)
        self.stand_ins = {**self.stand_ins, **{b.tensor: b for b in between}}
        bodies = (*bodies, *self.ruled.powers(), *between)
        self.indexed: dict[Poly, set[Tensor]] = {}
        known = dict.fromkeys(r for b in bodies for r in (*_recognised(b, m), b))
        self.known = [replace(b, normal=self.symmetries.inverses(b.normal)) for b in known]

    def best(
        self,
        poly: Poly,
        output: str = "",
        beside: Sequence[Body] = (),
        named: bool = True,
        at: Sequence[Slot] | None = None,
    ) -> Form:
        """The cheapest form that the search reaches; a sum is not put into its own gradient.

        Other results, `beside`, are recognised as definitions are; the output, where it is `named`,
        also as a factor with the indices `at`.
        """
        start = Form(poly, ())
        whole = self._one_sum(poly)
        if whole is not None:
            return Form(whole, (("recognise a sum", whole),))
        settled = (
            ("bring powers together", _rooted),
            ("bring fractions together", _one_root),
            ("use a symmetry", self.symmetries.inverses),
            ("stay within the axis", _within_axes),
            ("insert the definitions", lambda p: self.exponents.of_one_kind(p, self.opened)),
        )
        for reason, rule in settled:
            after = rule(poly)
            if after is not poly:
                start, poly = Form(after, (*start.trail, (reason, after))), after
        best, least = start, self.price(poly)
        if least <= SMALL and not bent(poly):
            return start
        seen = {poly}
        front = [(least, 0, start)]
        tries = 0
        for _ in range(DEPTH):
            found: list[tuple[int, int, Form]] = []
            for dear, _, form in front:
                for reason, after in self._moves(form.normal, output, beside, named, at):
                    if after in seen:
                        continue
                    seen.add(after)
                    tries += 1
                    made = Form(after, (*form.trail, (reason, after)))
                    found.append((self.cost(factored(after)), tries, made))
                    if tries >= TRIES or STRIDE * found[-1][0] <= dear:
                        break
            if not found:
                break
            near = sorted(found, key=lambda item: item[:2])[: 2 * WIDTH]
            near = _close(near[:2], FAR) + _close(near, *CLOSE)[2:]
            priced: list[tuple[int, int, Form]] = []
            for rough, k, form in near:
                if priced and rough > LEAP * min(p for p, _, _ in priced):
                    break
                priced.append((self.price(form.normal), k, form))
                if LEAP * priced[-1][0] <= least:
                    break
            front = _close(sorted(priced, key=lambda item: item[:2])[:WIDTH], *BESIDE)
            if front[0][0] >= least:
                break
            least, _, best = front[0]
            if tries >= TRIES:
                break
        return best

    def _one_sum(self, poly: Poly) -> Poly | None:
        """c Σ_t (x_t − x_{t−1})², a number times a sum of squares that the author wrote."""
        for body in self.brackets:
            if body.indices or len(body.normal) != len(poly) or body.raw.single is None:
                continue
            if not all(isinstance(a, Sum) and e == 1 for a, e in body.raw.single[0]):
                continue
            ((term, d), *_) = poly
            c = Fraction(d) / Fraction(body.normal.terms.get(term, 1))
            if nf.scale(body.normal, rational(c)) is poly:
                return nf.scale(nf.ref(body.tensor, ()), rational(c))
        return None

    def written(self, bracket: Poly) -> bool:
        """The author has this bracket, with these signs."""
        normal = nf.normalize(bracket)
        found = (match(b.normal, normal, b.indices) is not None for b in self.brackets)
        return bracket in self.below or any(found)

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

    def price(self, form: Poly) -> int:
        """The cost of a form once it is written with brackets, of a long one without most."""
        return self.cost(collected(form) if len(form) <= LONG else factored(form))

    def roundabout(self, form: Poly) -> int:
        """What a form costs more in the end because names and brackets in it undo each other."""
        return LOOKED_UP * sum(undone(n, self.in_two) for n in inside(form))

    def printed(self, form: Poly) -> int:
        """The cost of a form as it is read, the author's brackets in it as any others."""
        raw: Poly = written_out(collected(form), self.stand_ins)
        return cost(raw)

    def cost(self, raw: Poly) -> int:
        """The cost of a form, the brackets in it counted as what they stand for."""
        extra = 0
        for ref in _all_refs(raw):
            body = self.stand_ins.get(ref.tensor)
            if body is not None and body.tensor not in self.sought:  # 1 − y
                extra += cost(raw_atom(body.raw)) - cost(ref)
            elif body is not None:  # what the author wrote is preferred to another form of it
                extra += cost(body.raw) - 1 - cost(ref)
                extra -= WRITTEN * has_exponential(body.raw)
                extra -= all(any(e < 0 for _, e in t) for t, _ in body.raw)  # 1/V + B/V²
        if self.plain and any(isinstance(n, Max) and ZERO not in n.args for n in inside(raw)):
            extra += LOOKED_UP  # max(0, x − y) is not read as max(x, y) − y
        return cost(raw) + extra + self.read_backwards(raw) + self.twice(raw)

    def twice(self, raw: Poly) -> int:
        """What a form costs more for names beside others of which they are powers."""
        terms = (n for n in inside(raw) if isinstance(n, Term)) if self.bases else ()
        names = ({a.tensor for a in t.powers if isinstance(a, Ref)} for t in terms)
        return TWICE * sum(any(self.bases.get(t) in own for t in own) for own in names)

    def read_backwards(self, raw: Poly) -> int:
        """What a form costs more for names that only hide other terms."""
        found = () if self.several.keys().isdisjoint(tensors_in(raw)) else inside(raw)
        return LOOKED_UP * sum(backwards(n, self.several, self._open) for n in found)

    def _moves(
        self,
        poly: Poly,
        output: str,
        beside: Sequence[Body],
        named: bool,
        at: Sequence[Slot] | None,
    ) -> Iterator[tuple[str, Poly]]:
        tensors = tensors_in(poly)
        exponential, calls = has_exponential(poly), _calls(poly)
        if "exp" in calls:
            yield from self._tried("collect a bracket", self.exponents.whole(poly))
            for after in (logistic(poly), of_two(poly)):
                if after is not poly and not _of_logarithm(self.opened(after)):
                    yield "recognise `σ`", after
        if "sigmoid" in calls:
            yield "recognise `tanh`", hyperbolic(poly)
        if bent(poly):
            yield "go through the cases", gone_through(poly, self.reading)
        if self.model.system.facts:
            yield from self._tried("use an assumption", (self.rules.apply(p, []) for p in (poly,)))
        if not calls.isdisjoint(("cos", "cosh")):
            yield "recognise a quotient of functions", quotients(poly)
        for which in (0, 1):
            yield "bring fractions apart", apart(poly, which)
        yield "bring fractions together", together(poly)
        for rule in (lambda p: [together(p)], self.insertions.over_powers):
            yield from self._tried("bring fractions together", under_one_sum(poly, rule))
        yield from (("use a symmetry", form) for form in self.symmetries.forms(poly, calls))
        own_body = self.model.bodies.get(output) if named else None
        if own_body is not None and at is not None:
            factors = self.insertions.factors.get(own_body.tensor, own_body)
            wholes = dict.fromkeys((poly, together(poly))) if factors.normal.single else ()
            made = (as_factor(p, factors, at, self.bodies) for p in wholes)
            if len(own_body.normal) > 1:
                made = (p for p in made if self._goes_into(factors, poly, p))
            yield from self._tried(f"recognise `{output}`", made)
        for body in (*self.known, *beside):
            if body.tensor.name == output and not named:
                continue
            own = body.tensor.name == output and (len(body.raw) > 1 or _bracket(body))
            if own and (len(body.normal) > 2 or not self._of_sums(body.normal)):
                continue  # L = −h/2 − y² e^{−h}/2, solved for the exponential; ‖x‖² + a/‖x‖
            reason = self._reason(body)
            if exponential and pivot(body) is not None:
                yield from self._tried(reason, (fold(p, body) for p in (poly,)))
            if len(body.normal) > 1 and self._indexed(body) <= tensors:
                yield reason, gathered(poly, body)
            for solution in solutions(body):
                if own and isinstance(solution, Solution) and divided(solution.value):
                    continue  # y = (1 − g) h + g c, solved for c
                if body.tensor.name == output and getattr(solution, "over", False):
                    continue
                if body.tensor not in self.logged and of_own_logarithm(solution):
                    continue  # Σ K log K, where nobody has log K
                if solution.tensors <= tensors:
                    forms = self._tried(reason, solution.forms(poly))
                    if isinstance(solution, Solution) and isinstance(solution.atom, Call):
                        forms = (f for r, p in forms for f in ((r, p), (r, together(p))))
                    if isinstance(solution, Power) and body is own_body and at is not None:
                        forms = ((r, as_factor(f, body, at, self.bodies)) for r, f in forms)
                    if body.tensor.name == output:
                        forms = (f for f in forms if not _bare_exponential(f[1], body.tensor))
                        forms = (f for f in forms if "log" in calls or "log" not in _calls(f[1]))
                        safe = not_zero(poly, body) | {Ref(body.tensor, body.indices)}
                        safe -= {root_of(body)}
                        if root_of(body) is not None:
                            own_name = Ref(body.tensor, body.indices)
                            forms = (f for f in forms if not outgrown(f[1], poly, own_name))
                        forms = (f for f in forms if divisors(f[1]) <= safe or body.indices)
                    yield from (f for f in forms if len(body.normal) < 2 or _calls(f[1]) <= calls)
        yield from self._tried("bring fractions together", self.insertions.over_powers(poly))
        yield from self._tried("insert a definition", self.insertions.products(poly))
        for whole in dict.fromkeys((poly, together(poly))):
            yield from self._tried("insert a definition", self.insertions.cancelled(whole))
        for atom in dict.fromkeys(_sums(poly)):
            yield from self._evaluated(poly, atom)

    def _goes_into(self, product: Body, before: Poly, after: Poly) -> bool:
        """−T P of P = F e^{−r T} (R + …): in all terms, beside nothing that it is made of."""
        whole = all(
            any(a.tensor is product.tensor for a in t.powers if isinstance(a, Ref))
            for t in after.terms
        )
        mixed = (tensors_in(product.normal) & self.bodies.keys()) & tensors_in(after)
        return whole and not mixed and divisors(after) <= divisors(before)

    def _of_sums(self, poly: Poly) -> bool:
        """Σ_j p_j r_j − τ H, and neither ‖x‖² + a/‖x‖ nor a + c Σ_i u_i."""
        powers = [e for t, _ in poly for a, e in t if isinstance(a, Sum)]
        named = (any(isinstance(a, Ref) and a.tensor in self.bodies for a, _ in t) for t, _ in poly)
        of_sums = [any(_sums(t)) for t, _ in poly]
        whole = all(a or b for a, b in zip(of_sums, named, strict=True))
        return any(of_sums) and whole and all(e == 1 for e in powers)

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

    @staticmethod
    def _tried(reason: str, forms: Iterator[Poly]) -> Iterator[tuple[str, Poly]]:
        try:
            yield from ((reason, form) for form in forms)
        except SymattnError:  # a form past the limits of the algebra is none to be printed
            return

    def _evaluated(self, poly: Poly, atom: Sum) -> Iterator[tuple[str, Poly]]:
        """The expression with a sum replaced by its value through the definitions, if shorter."""
        if atom not in self.values:
            self.values[atom] = self._value(atom)
        value = self.values[atom]
        if value is not None:
            yield (
                "evaluate a sum",
                nf.rewrite(poly, lambda node: value if node is atom else None),
            )

    def _value(self, atom: Sum) -> Poly | None:
        try:
            m = self.model
            if _shifted(written := self.opened(raw_atom(atom)), m):
                return None  # Σ_t (x_{t+1} − x_t), which is 0 on a circle alone
            value = m.inline(written)
            value = self.rules.apply(nf.normalize(value), [])
        except SymattnError:
            return None
        return value if cost(value) < min(cost(atom), SMALL) else None

    def goes_round(self, poly: Poly) -> bool:
        """Σ_t (x_{t+1} − x_t − a), which is −n a on a circle alone."""
        sums = list(_sums(poly))
        own = (self.stand_ins.get(r.tensor) for a in sums for r in refs(a))
        inside = [*sums, *(b.normal for b in own if b is not None)]
        return any(_shifted(node, self.model) for node in inside)

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


def _close(
    found: list[tuple[int, int, Form]], times: float, more: int = 0
) -> list[tuple[int, int, Form]]:
    """Those that cost no more than so many times the first, and so much."""
    return [item for item in found if item[0] <= times * found[0][0] + more]


def _shifted(node: Any, m: Model) -> bool:
    """True where a component x_{t+1} stands inside, or in a definition of what does."""
    found = {r for r in refs(node)}
    if any(not isinstance(s, Index) and s.free for r in found for s in r.slots):
        return True
    bodies = (m.bodies.get(r.tensor.name) for r in found)
    return any(b is not None and _shifted(b.normal, m) for b in bodies)


def _bare_exponential(node: Any, tensor: Tensor) -> bool:
    """e^{-L} for 1/(p + q) of L = log(p + q), and e^{β F}; not e^{L − a} for a weight, nor V^r."""
    exps = (n.args[0] for n in inside(node) if isinstance(n, Call) and n.name == "exp")
    exps = (u for u in exps if powers_of(u) is None)
    bare = (u for u in exps if len(u) == 1 or all(c < 0 for _, c in u))
    return any(tensor in {r.tensor for r in refs(u)} for u in bare)


def _within_axes(poly: Poly) -> Poly:
    """[t > 0] f_{t−1} for Σ_i [t = i + 1] [i ≤ n − 2] f_i, where i + 1 counts modulo n."""
    return circles_cut(poly) if any(isinstance(n, Mask) for n in inside(poly)) else poly


def _rooted(poly: Poly) -> Poly:
    """t/√t as √t: where there is a root of t, t is not negative."""
    made = []
    for term, c in poly:
        powers = dict(term.powers)
        for atom, e in term:
            only = atom.single if isinstance(atom, Poly) else None
            if only is not None and only[1] == 1 and e.denominator == 2:
                ((name, k),) = only[0] if len(only[0].powers) == 1 else ((None, 0),)
                if k == 1 and name in powers:
                    powers[atom] = rational(powers[atom] + powers.pop(name))
        made.append(Poly({Term(powers): c}))
    return nf.add(*made)


def _one_root(poly: Poly) -> Poly:
    """1/√u + v²/u^{3/2} as c²/u^{3/2} for u = c² − v²: roots of sums that are one term together."""
    bases = [(a, e) for t, _ in poly for a, e in t if isinstance(a, Poly) and len(a) > 1]
    whole = together(poly) if any(e < 0 and e.denominator > 1 for _, e in bases) else poly
    return whole if len(whole) == 1 else poly


def _recognised(body: Body, m: Model) -> Iterator[Body]:
    """The definition with σ recognised in it, and with the other definitions that are weights."""
    found = [logistic(body.normal)]
    if has_exponential(body.normal):
        others = (b for b in m.bodies.values() if b is not body and pivot(b) is not None)
        found += (fold(body.normal, b) for b in others)
    for normal in found:
        if normal is not body.normal:
            yield Body(body.tensor, body.indices, body.raw, normal, body.fact)


def _of_logarithm(node: Any) -> bool:
    """σ(ν log x) is inside, which nobody writes for x^ν/(1 + x^ν)."""
    sigmas = (n for n in inside(node) if isinstance(n, Call) and n.name == "sigmoid")
    return any(isinstance(n, Call) and n.name == "log" for s in sigmas for n in inside(s))


def _bracket(body: Body) -> bool:
    """c (p − q), and neither N k log(V/N) nor a quotient."""
    only = body.raw.single
    plain = only is not None and all(e > 0 for _, e in only[0])
    return plain and len(body.normal) > 1 and not any("log" in _calls(t) for t, _ in body.normal)


def _calls(node: Any) -> set[str | Unknown]:
    """The functions inside: a name of several terms that would bring in others is no shorter."""
    return {n.name for n in inside(node) if isinstance(n, Call)}


def _sums(node: Any) -> Iterator[Sum]:
    for part in parts(node):
        if isinstance(part, Sum):
            yield part
        yield from _sums(part)


def _all_refs(node: Any) -> Iterator[Ref]:
    """Every tensor component inside, as often as it stands there."""
    if isinstance(node, Ref):
        yield node
    for part in parts(node):
        yield from _all_refs(part)


def presenter(m: Model) -> Presenter:
    """The presenter of a model, made once and kept on it."""
    known: Presenter | None = vars(m).get("_presenter")
    if known is None:
        known = vars(m)["_presenter"] = Presenter(m)
    return known


__all__ = ["Form", "Presenter", "presenter"]
