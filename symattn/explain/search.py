"""The search for the form of a result that costs a reader least, among those that rules reach.

The normal form decides what is equal; here is decided how it is printed.  A bounded search goes
from a normal form to others that are equal to it: a definition (or a bracket that the author
wrote) is recognised by putting its solution for one factor in, a sum whose value is known is
evaluated, exponentials are recognised as σ and tanh.  What is left is written with brackets by
`collected`, and the form with the least `cost` is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .. import normalize as nf
from ..errors import SymattnError
from ..folding import fold, has_exponential, pivot
from ..ir import (
    ZERO,
    Call,
    Poly,
    Rational,
    Ref,
    Slot,
    Sum,
    Tensor,
    Unknown,
    raw_atom,
)
from ..logistic import apart, hyperbolic, logistic, of_two, quotients, together
from ..model import Body, Model
from ..shared_bars import under_one_sum
from .arrange import factored
from .brackets import (
    barred,
    gathered,
)
from .cases import bent, gone_through, inside
from .cost import cost
from .fractions import two_together
from .manners import Manners, shifted, sums_in
from .odds import by_complements
from .outputs import Output
from .recognised import Solution, tensors_in
from .settled import settled
from .solved import of_own_logarithm, solutions

WIDTH, DEPTH = 2, 10  # forms that are followed at a time, and for how many steps
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


class Asked(NamedTuple):
    """What may be recognised in a result: its output, where it is `named`, and other results.

    The output also as a factor with the indices `at`.
    """

    output: str
    beside: tuple[Body, ...]
    named: bool
    at: tuple[Slot, ...] | None


class Presenter(Manners):
    """The presentation of results of one system."""

    def __init__(self, m: Model) -> None:
        super().__init__(m)
        self.found: dict[tuple[Poly, Asked], Form] = {}  # a result is often derived again

    def best(
        self,
        poly: Poly,
        output: str = "",
        beside: Sequence[Body] = (),
        named: bool = True,
        at: tuple[Slot, ...] | None = None,
    ) -> Form:
        """The cheapest form that the search reaches; a sum is not put into its own gradient.

        Other results, `beside`, are recognised as definitions are (see `Asked`).
        """
        asked = Asked(output, tuple(beside), named, at)
        if (poly, asked) not in self.found:
            self.found[poly, asked] = self._search(poly, asked)
        return self.found[poly, asked]

    def _search(self, poly: Poly, asked: Asked) -> Form:
        start = Form(poly, ())
        for reason, after in settled(poly, self.symmetries.settled, self._of_one_kind):
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
                for reason, after in self._moves(form.normal, asked):
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

    def _of_one_kind(self, poly: Poly) -> Poly:
        return self.exponents.of_one_kind(poly, self.opened)

    def _moves(self, poly: Poly, asked: Asked) -> Iterator[tuple[str, Poly]]:
        output = asked.output
        tensors = tensors_in(poly)
        exponential, calls = has_exponential(poly), _calls(poly)
        if "exp" in calls:
            yield from self._tried("collect a bracket", self.exponents.whole(poly))
            for after in (logistic(poly), of_two(poly)):
                if after is not poly and not _of_logarithm(self.opened(after)):
                    yield "recognise `σ`", after
            yield from self._tried("use a complement", by_complements(poly, self.odds))
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
        yield from self._tried("bring fractions together", two_together(poly))
        for rule in (lambda p: [together(p)], self.insertions.over_powers):
            yield from self._tried("bring fractions together", under_one_sum(poly, rule))
        yield from (("use a symmetry", form) for form in self.symmetries.forms(poly, calls))
        own_body = self.model.bodies.get(output) if asked.named else None
        out = None
        if own_body is not None:
            product = self.insertions.factors.get(own_body.tensor, own_body)
            out = Output(own_body, product, asked.at, self.bodies)
            yield from self._tried(f"recognise `{output}`", out.as_factor(poly))
        for body in (*self.known, *asked.beside):
            own = body.tensor.name == output
            if own and (out is None or not out.recognised(body)):
                continue
            if self._foreign(body, output):
                continue
            reason = self._reason(body)
            if exponential and pivot(body) is not None:
                yield from self._tried(reason, (fold(p, body) for p in (poly,)))
            if len(body.normal) > 1 and self._indexed(body) <= tensors:
                yield reason, gathered(poly, body)
                if not own and body.tensor not in self.stand_ins:
                    yield reason, barred(poly, body)
            for solution in solutions(body):
                if not solution.tensors <= tensors:
                    continue
                logs = body.tensor in self.logged or ("log" in calls and _replaces_logs(solution))
                if not logs and of_own_logarithm(solution):
                    continue  # Σ K log K, where nobody has log K
                if body.tensor in self.squares and _rooted(solution):
                    continue  # √s of s = max(0, u)²
                forms = self._tried(reason, solution.forms(poly))
                if isinstance(solution, Solution) and _with_others(solution):
                    forms = (f for f in forms if not _raised(body.tensor, poly, f[1]))
                if isinstance(solution, Solution) and isinstance(solution.atom, Call):
                    forms = (f for r, p in forms for f in ((r, p), (r, together(p))))
                if own and out is not None:
                    if not out.solved(body, solution):
                        continue
                    forms = (f for f in forms if out.stands(body, poly, f[1]))
                yield from (f for f in forms if len(body.normal) < 2 or _calls(f[1]) <= calls)
        yield from self._tried("bring fractions together", self.insertions.over_powers(poly))
        yield from self._tried("insert a definition", self.insertions.products(poly))
        if "sign" in calls:
            yield from self._tried("insert a definition", self.insertions.faced(poly))
        yield from self._tried("insert a definition", self.insertions.divided(poly))
        yield from self._tried("insert a sum that is 1", self.insertions.weighted(poly))
        for whole in dict.fromkeys((poly, together(poly))):
            yield from self._tried("insert a definition", self.insertions.cancelled(whole))
        for atom in dict.fromkeys(sums_in(poly)):
            yield from self._evaluated(poly, atom)

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
            if shifted(written := self.opened(raw_atom(atom)), m):
                return None  # Σ_t (x_{t+1} − x_t), which is 0 on a circle alone
            value = m.inline(written)
            value = self.rules.apply(nf.normalize(value), [])
        except SymattnError:
            return None
        return value if cost(value) < min(cost(atom), SMALL) else None


def _close(
    found: list[tuple[int, int, Form]], times: float, more: int = 0
) -> list[tuple[int, int, Form]]:
    """Those that cost no more than so many times the first, and so much."""
    return [item for item in found if item[0] <= times * found[0][0] + more]


def _with_others(solution: Solution) -> bool:
    """R = A²/s of s = A²/R, a product of several."""
    only = solution.value.single
    return len(solution.body.normal) == 1 and only is not None and len(only[0].powers) > 1


def _replaces_logs(solution: Any) -> bool:
    """log G for a Σ_i w_i log x_i of G = e^{Σ_i w_i log x_i}."""
    return isinstance(solution, Solution) and "log" in _calls(solution.atom)


def _raised(name: Tensor, before: Poly, after: Poly) -> bool:
    """s³/A for A s²/R of s = A²/R: the name is in all terms, and stands for a factor more."""

    def powers(poly: Poly) -> list[Rational]:
        terms = ([e for a, e in t if isinstance(a, Ref) and a.tensor is name] for t, _ in poly)
        return [max(own, default=0) for own in terms]

    here, there = powers(before), powers(after)
    return bool(here and there) and min(here) >= 1 and max(here) < max(there)


def _rooted(solution: Any) -> bool:
    """A root of the name stands for one of its factors."""
    value = solution.value if isinstance(solution, Solution) else ZERO
    return any(e.denominator > 1 for t, _ in value for _, e in t)


def _of_logarithm(node: Any) -> bool:
    """σ(ν log x) is inside, which nobody writes for x^ν/(1 + x^ν)."""
    sigmas = (n for n in inside(node) if isinstance(n, Call) and n.name == "sigmoid")
    return any(isinstance(n, Call) and n.name == "log" for s in sigmas for n in inside(s))


def _calls(node: Any) -> set[str | Unknown]:
    """The functions inside: a name of several terms that would bring in others is no shorter."""
    return {n.name for n in inside(node) if isinstance(n, Call)}


def presenter(m: Model) -> Presenter:
    """The presenter of a model, made once and kept on it."""
    known: Presenter | None = vars(m).get("_presenter")
    if known is None:
        known = vars(m)["_presenter"] = Presenter(m)
    return known


__all__ = ["Form", "Presenter", "presenter"]
