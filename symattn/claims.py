"""Equations with the system that they are about, and how they are decided.

Two expressions are equal when their normal forms agree: as they stand, with facts applied, with
definitions inlined, with denominators cleared, or with functions written by exponentials.  Only
that proves; samples can only refute, and veto a proof that they contradict.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

import sympy as sp

from . import normalize as nf
from .budget import WORK, budget
from .conditions import Condition, conditions_of
from .convert import Equation, raise_, read_equation
from .cuts import cut
from .declared import one_declaration
from .derive import Derivation, outputs_of, variables
from .errors import DefinitionError, FormulaError, LimitError, UndefinedError
from .facts import Fact, linked
from .ir import ZERO, Index, Poly, Ref, Tensor, affine, extent, refs
from .model import Model, model
from .parameters import entered, freed
from .resizing import Sizes, least_sizes, resized, resized_fact, resized_model, size_cases
from .signs import Sign
from .stages import differentiated, rules_of, stages, under_signs, written_out
from .symmetries import restated
from .syntax import Definition, System
from .verdict import MALFORMED, PROVED, REFUTED, UNKNOWN, Verdict

if TYPE_CHECKING:
    from .refute import Counterexample

APART = "small sizes one by one"
DEPTH = 2  # sizes that open others are gone through so often
SHOWN = 20_000  # nodes of what is left over that are shown
NOTHING = 1e-3  # a value in float64 that may be rounding of 0
CONTRADICTED_WORK = 20_000  # units of work on a proof that samples contradict already
REFUTE_WORK = 100_000  # units of work for the search for counterexamples


class Claim:
    """An equation with the system that it is about."""

    def __init__(self, lhs: Any, rhs: Any, system: System, over: Iterable[sp.Idx] = ()) -> None:
        base = model(system)
        results = [result_of(side, system) for side in (lhs, rhs)]
        self.result = any(results)
        self.lhs, own = _side(lhs, base)
        self.rhs, more = _side(rhs, base)
        free = own or more or tuple(Index(i.name, sp.sympify(i.upper) + 1) for i in over)
        self.equation: Equation = read_equation(self.lhs, self.rhs, own=free, known=base.known)
        self.sides = (self.equation.left, self.equation.right)
        if not own and not more:
            for result, side in zip(results, (self.lhs, self.rhs), strict=True):
                _own_letters(result, side, self.equation)
        facts = (side for fact in base.system.facts for side in fact.args)
        one_declaration(base, self.sides, (self.lhs, self.rhs, *facts))
        by = {t for side in self.sides for r in refs(side) for t in variables(r.tensor)}
        self.model, self.facts = linked(base, by)
        left, right = self.sides
        self.sides = restated(left, self.model.symmetric), restated(right, self.model.symmetric)
        self.tied = _tied(self.model, self.facts, by, self.sides)
        self.rules = rules_of(self.sides, self.model, self.facts)

    def verdict(self, seed: int, brief: bool = False) -> Verdict:
        """The verdict, with outputs of an abstract loss as the claim names them."""
        left, right = self.sides
        answer = Verdict(
            UNKNOWN,
            self.lhs,
            self.rhs,
            over=tuple(sorted(i.name for i in left.free | right.free)),
            summed=self.equation.summed,
        )
        if odd := self._odd():
            return replace(
                answer,
                status=MALFORMED,
                limit=f"the two sides have different free letters: {odd} stands on one side only",
            )
        answer = replace(answer, conditions=tuple(conditions_of(self.sides, self.model)))
        if self.tied:
            return replace(answer, limit=self.tied)
        names = {t.name for side in self.sides for r in refs(side) for t in r.tensor.named}
        names |= {n for name in names for n in self.model.uses(name)}
        known = tuple(f.label for f in self.facts if f.symmetric and f.symmetric.name in names)
        for losses in self._losses():
            assumed = tuple(
                f"{name} is a function of {', '.join(t.name for t in of)}"
                for name, of in losses.items()
            )
            here = replace(answer, assumed=(*known, *assumed))
            self._suppose(losses)
            through = self._through(here, losses, names, seed)
            found = through if through is not None else self._decided(here, seed, brief)
            if found.status != UNKNOWN or not losses:
                return found
        return found

    def _suppose(self, losses: Mapping[str, tuple[Tensor, ...]]) -> None:
        """Take abstract losses for functions of these."""
        self.model.losses.clear()
        self.model.totals.clear()
        self.model.losses.update(losses)

    def _through(
        self, answer: Verdict, losses: Mapping[str, tuple[Tensor, ...]], used: set[str], seed: int
    ) -> Verdict | None:
        """The verdict where a loss depends on the rest through what the claim names last: proved
        for whatever stands between these, or refuted by differences; None for neither."""
        from .problem import Measured
        from .refute import refute

        by = self._derived()
        cuts = {loss.name: cut(self.model, loss, some, used) for loss, some in by.items()}
        if not any(cuts.values()):
            return None
        self._suppose({**losses, **{name: of for name, of in cuts.items() if of}})
        found = self._decided(answer, seed, brief=True, prove_only=True)
        self._suppose(losses)
        if found.status == PROVED:
            return found
        with suppress(LimitError, UndefinedError), budget(CONTRADICTED_WORK):
            for side in self.sides:
                differentiated(written_out(side, self.model), self.model)
            return None  # what the rules write out is little enough
        derived = {r.tensor.named[0] for x in self.sides for r in refs(x) if r.tensor.parts}
        if found.status == REFUTED and derived <= by.keys() and not self.facts:
            with suppress(LimitError), budget(REFUTE_WORK):
                if differs := refute(Measured(self.sides, by, self.model), seed):
                    example, hints = differs
                    return replace(answer, status=REFUTED, counterexample=example, hints=hints)
        return None

    def _derived(self) -> dict[Tensor, set[Tensor]]:
        """The losses of the claim, and what it differentiates each by."""
        found: dict[Tensor, set[Tensor]] = {}
        for r in (r for side in self.sides for r in refs(side)):
            loss, *variables = r.tensor.named if r.tensor.parts else (r.tensor,)
            if loss.role == "loss":
                found.setdefault(loss, set()).update(variables)
        return found

    def _odd(self) -> str:
        """Letters of one side alone, if it depends on them: ∂L/∂x_ij = y_j may hold for every i."""
        left, right = self.sides
        bound = self.equation.summed
        mine, other = ({str(x) for x in e.free_symbols} for e in (self.lhs, self.rhs))
        written = (mine - {*bound[0]}) & (
            other - {*bound[1]}
        )  # what cancels is written all the same
        odd = {i.name for i in left.free ^ right.free} - written
        if not (left.free and right.free and odd):
            return ""
        self.model.losses.update(self._losses()[0])
        with suppress(LimitError, UndefinedError):
            sides = [differentiated(written_out(x, self.model), self.model) for x in self.sides]
            found = [self.model.inline(side).free for side in sides]
            odd = odd & {i.name for i in found[0] ^ found[1]} if all(found) else set()
        return ", ".join(sorted(odd))

    def _losses(self) -> list[dict[str, tuple[Tensor, ...]]]:
        """What abstract losses are functions of: what the claim differentiates by, or all."""
        named = {loss.name: some for loss, some in self._derived().items() if not loss.of}
        outputs = self.model.outputs
        if not named or not outputs:
            return [{}]
        every = dict.fromkeys(named, outputs)
        some = {n: tuple(t for t in outputs if t in ts) or outputs for n, ts in named.items()}
        return [every] if some == every else [some, every]

    def _decided(
        self, answer: Verdict, seed: int, brief: bool, prove_only: bool = False
    ) -> Verdict:
        from .problem import Problem
        from .refute import contradiction, refute

        try:
            left, right = (written_out(side, self.model) for side in self.sides)
            evaluated = [differentiated(side, self.model) for side in (left, right)]
            opaque = sorted({r.tensor.name for p in evaluated for r in refs(p) if self._opaque(r)})
            problem = Problem((left, right), evaluated, self.model, self.facts, self.result)
        except (LimitError, UndefinedError) as error:
            return replace(answer, limit=error.problem)
        differ = contradiction(problem, seed)
        if brief and differ and not opaque:
            return replace(answer, status=REFUTED, counterexample=differ)
        under = self._entered() if opaque else ""
        with budget(CONTRADICTED_WORK if differ or under else WORK):
            agree, used, difference, limit = self._simplified(apart=not differ)
        if agree and differ:
            where = ", ".join(f"{n} = {v}" for n, v in differ.sizes.items()) or "a sample"
            fault = "a fault of symattn, please report it: the normal forms agree, and the sides"
            sides = f"{differ.lhs:.10g} and {differ.rhs:.10g}"
            return replace(answer, limit=f"{fault} are {sides} at {where}")
        if agree and problem.unsatisfied and any(u.startswith("fact ") for u in used):
            return replace(
                answer, limit="no values were found that satisfy the facts: do they contradict?"
            )
        if agree:
            trivial = problem.largest < NOTHING and self._vanishing()
            if APART in used:
                least = least_sizes(self.written()).items()
                more = [Condition.of(n - c, "≥ 0") for n, c in least]
                answer = replace(answer, conditions=(*dict.fromkeys((*answer.conditions, *more)),))
            return replace(answer, status=PROVED, used=used, normal=ZERO, trivial=trivial)
        if prove_only:
            return answer
        if opaque:
            unknown = f"{', '.join(opaque)} is not known: nothing defines what is derived"
            if not under and (differs := self._differs_entered(seed)) is not None:
                answer = replace(answer, status=REFUTED, limit=limit or unknown, held=differs[2])
                return replace(answer, counterexample=differs[0], hints=differs[1])
            why = f"true where {under}" if under else limit or unknown
            return replace(answer, held=under, limit=why, residual=_shown(difference))
        try:
            with budget(REFUTE_WORK):
                found = refute(problem, seed, brief)
        except LimitError as error:
            found = None
            limit = "; ".join(filter(None, (limit, error.problem)))
        if found is None and differ:  # a sample that was to veto a proof serves as well
            found = differ, ()
        if found is not None:
            example, hints = found
            return replace(answer, status=REFUTED, counterexample=example, hints=hints)
        if brief:
            return replace(answer, limit=limit)
        if signs := self._under_signs():
            return replace(answer, limit=f"true where {', '.join(map(str, signs))}")
        return replace(
            answer, limit=limit or problem.silent or self._idle(), residual=_shown(difference)
        )

    def _entered(self) -> str:
        """What does not depend on θ where that proves it, in words."""
        if (found := entered(self.sides, self.model)) is None:
            return ""
        claim = copy(self)
        claim.model, held = found
        with suppress(LimitError, UndefinedError), budget(WORK):
            if claim._simplified(apart=False)[0] and not claim._vanishing():
                return held
        return ""

    def _differs_entered(self, seed: int) -> tuple[Counterexample, tuple[str, ...], str] | None:
        """What refutes the claim where θ enters through what it derives last, for any ∂K/∂θ."""
        from .problem import Problem
        from .refute import refute

        if (found := entered(self.sides, self.model)) is None:
            return None
        model, held = found
        with suppress(LimitError, UndefinedError), budget(REFUTE_WORK):
            sides = [freed(differentiated(written_out(x, model), model)) for x in self.sides]
            left, right = sides
            if left is not None and right is not None:
                problem = Problem((left, right), (left, right), model, self.facts, self.result)
                differs = refute(problem, seed)
                return (*differs, held) if differs is not None else None
        return None

    def _idle(self) -> str:
        """The facts that no rule could be made of, in words."""
        labels = ", ".join(label.removeprefix("fact ") for label in self.rules.idle)
        return labels and (
            f"no rule is made of the fact {labels}: it is no sum or power of a component, times a "
            "number, as a term; write it as total(…, j) = value"
        )

    def _under_signs(self) -> list[Sign]:
        try:
            return under_signs(self.sides, self.model, self.rules)
        except (LimitError, UndefinedError):
            return []

    def _simplified(self, apart: bool = True) -> tuple[bool, tuple[str, ...], Poly | None, str]:
        """Whether lhs − rhs comes out as 0, what that used, what is left, and the limit met.

        With `apart` small sizes are looked at one by one where they are open.
        """
        used: list[str] = []
        difference: Poly | None = None
        try:
            for stage in stages(self.sides, self.model, self.rules):
                used, difference = stage
                if not difference.terms:
                    return True, self._labels(used), difference, ""
            also = self._apart(difference) if apart and difference else None
        except (LimitError, UndefinedError) as error:
            return False, (), difference, error.problem
        if also is None:
            return False, (), difference, ""
        return True, self._labels([*used, *also]), ZERO, ""

    def _apart(self, difference: Poly, depth: int = DEPTH) -> list[str] | None:
        """What proofs at the sizes used that are open in what is left; None where one fails."""
        used = [APART]
        cases = size_cases(difference, self.written())
        for _, claim in (row for case in cases for row in self.at(case)):
            more, left = claim._end()
            if left.terms:
                also = claim._apart(left, depth - 1) if depth > 1 else None
                if also is None:
                    return None
                more = [*more, *also]
            used += more
        return used if cases else None

    def _end(self) -> tuple[list[str], Poly]:
        """The last stage of the proof, or the first at which nothing is left."""
        used, left = list[str](), ZERO
        for stage in stages(self.sides, self.model, self.rules):
            used, left = stage
            if not left.terms:
                break
        return used, left

    def left(self) -> Poly:
        """What the stages of the proof leave of lhs − rhs."""
        return self._end()[1]

    def at(self, sizes: Sizes) -> list[tuple[dict[str, int], Claim]]:
        """The claim at other sizes, for each value of the letters that take few."""
        found = []
        left, right = (resized(side, sizes) for side in self.sides)
        m, facts = resized_model(self.model, sizes), [resized_fact(f, sizes) for f in self.facts]
        few = [i for i in sorted(left.free | right.free, key=lambda i: i.sort) if i.size.is_number]
        for values in product(*(range(int(i.size)) for i in few)):
            here = {i: affine({}, sp.Integer(c)) for i, c in zip(few, values, strict=True)}
            claim = object.__new__(Claim)
            claim.model, claim.facts, claim.sides = m, facts, (left, right)
            if few:
                claim.sides = nf.substitute(left, here), nf.substitute(right, here)
            claim.rules = rules_of(claim.sides, m, facts)
            found.append(({f"@{i.name}": c for i, c in zip(few, values, strict=True)}, claim))
        return found

    def written(self) -> list[Poly]:
        """Both sides, and the definitions that they use."""
        direct = {t.name for side in self.sides for r in refs(side) for t in r.tensor.named}
        names = self.model.mentions(direct)
        return [*self.sides, *(b.raw for n, b in self.model.bodies.items() if n in names)]

    def _labels(self, used: list[str]) -> tuple[str, ...]:
        """What was used, definitions and facts in the order of the system."""
        order = [b.fact or f"definition of {n}" for n, b in self.model.bodies.items()]
        kept = [label for label in order if label in used]
        places = iter(kept)
        return tuple(next(places) if x in kept else x for x in dict.fromkeys(used))

    def _vanishing(self) -> bool:
        """Both sides are 0, and neither is written as 0."""
        if any(side is ZERO for side in self.sides):
            return False
        try:
            return any(
                not poly.terms for _, poly in stages((self.sides[0], ZERO), self.model, self.rules)
            )
        except (LimitError, UndefinedError):
            return False

    def _opaque(self, r: Ref) -> bool:
        """A derivative that nothing determines and that is not free by right."""
        if not r.tensor.parts:
            return False
        loss, *variables = r.tensor.named
        if loss.role != "loss":
            return True
        return any(t not in outputs_of(self.model, loss) for t in variables)


# -------------------------------------------------------------------------------- reading a claim


def _side(side: Any, m: Model) -> tuple[sp.Expr, tuple[Index, ...]]:
    """A side as an expression, and the letters that a result brings along."""
    if isinstance(side, Derivation):
        return side.expr, side.indices
    if isinstance(side, Definition):
        known = m.system.definitions.get(side.name)
        if known is not None and (known.indices, known.expr) != (side.indices, side.expr):
            raise DefinitionError(
                f"{side.name} is defined twice",
                formula=str(side),
                expected=str(known),
                mend="rename one of them",
            )
        letters = tuple(
            Index(i.name, size) for i, size in zip(side.indices, side.shape, strict=True)
        )
        return (side.lhs if known is not None else side.expr), letters
    try:
        return sp.sympify(side, strict=True), ()
    except sp.SympifyError:
        raise FormulaError(
            f"{type(side).__name__} is not a formula",
            got=repr(side)[:200],
            mend="give a SymPy expression, a definition or one derivation, such as g['Q']",
        ) from None


def result_of(side: Any, system: System | None) -> Derivation | None:
    """The derivation that a side is, or is the expression of.

    An expression is one of a system with the same definitions alone: elsewhere it means something
    else, and no verdict hangs on what was derived before.
    """
    if isinstance(side, Derivation) or system is None or not isinstance(side, sp.Expr):
        return side if isinstance(side, Derivation) else None
    found = Derivation.of_expr(side)
    known = system.definitions
    same = found and all(known.get(name) is d for name, d in found.system.definitions.items())
    return found if same else None


def _own_letters(result: Derivation | None, side: sp.Expr, equation: Equation) -> None:
    """Refuse a result of symattn in which a letter would be summed against its meaning."""
    for letter in result.indices if result else ():
        for summed in equation.summed:
            if letter.name in summed:
                raise FormulaError(
                    f"the letter {letter.name} is free in this result and repeated in a product, "
                    "so that the rule would sum it",
                    formula=str(side),
                    mend="give the derivation in place of its .expr: prove(g['S'], …)",
                )


def _tied(m: Model, facts: list[Fact], by: set[Tensor], sides: tuple[Poly, Poly]) -> str:
    """Why derivatives are not known: a fact ties what is differentiated by to another input.

    It does not where a number of its own gives way, the θ of sin θ = x/r beside ∂f/∂x of an f
    that is made of x and r.
    """
    derived = {t for side in sides for r in refs(side) if r.tensor.parts for t in r.tensor.named}
    known = all(t.name in m.bodies or t in by for t in derived)  # no loss, which may be of anything
    reached = {t.name for t in derived}.union(*(m.uses(t.name) for t in derived))
    for fact in facts:
        inputs = {t for t in fact.tensors if t.name not in m.bodies}
        others = {t for f in facts if f is not fact for t in f.tensors}
        free = {t for t in inputs - others if not t.shape and t.name not in reached}
        gives = known and free and not fact.symmetric
        if inputs & by and (len(inputs) > 1 or fact.symmetric) and not gives:
            of = "components of " if fact.symmetric else ""
            names = of + ", ".join(sorted(t.name for t in inputs))
            return f"the {fact.label} ties {names}, so that a derivative by one moves the others"
    return ""


def _shown(difference: Poly | None) -> sp.Expr | None:
    """What is left, where it is short enough to be shown."""
    if difference is None or extent(difference) > SHOWN:
        return None
    try:
        return raise_(difference)
    except LimitError:
        return None


__all__ = ["Claim", "result_of"]
