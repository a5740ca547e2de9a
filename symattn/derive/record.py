"""The record of a derivation: its steps, their re-checking, and the letters it is shown with."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import sympy as sp

from .. import normalize as nf
from ..budget import bounded, budget, few_collections
from ..canonical import key
from ..convert import fresh_letter, raise_, with_letters
from ..errors import LimitError, SymattnError
from ..explain.arrange import factored
from ..exponents import over_one_bar
from ..folding import speaks
from ..ir import (
    Call,
    Index,
    Poly,
    Ref,
    Sum,
    Tensor,
    Term,
    inside,
    rational,
    raw_add,
    raw_atom,
    raw_product,
    raw_sum,
    refs,
    sizes_of,
)
from ..kinks import apart as in_cases
from ..logistic import one_way, together
from ..model import Model, evaluated
from ..shared_bars import below_pairs, none_left, sums_joined
from ..syntax import Definition, System, define, indices
from .rules import split_partial

if TYPE_CHECKING:
    from ..explain.present import Chosen, Presented

STEP_WORK = 100_000  # units of work on one step that is re-checked
SHOWN = 4  # lines about what fell short
LONGEST = 200  # terms of a result whose form is looked for
FORM_WORK = 60_000  # units of work on the form of one result
RESULTS = 1024  # results that are known again by their expression
_results: OrderedDict[sp.Expr, Derivation] = OrderedDict()


@dataclass(frozen=True)
class Step:
    """One line of a derivation: `before` = `after`, by `rule`."""

    rule: str
    raw_before: Poly = field(repr=False)
    raw_after: Poly = field(repr=False)

    @property
    def before(self) -> sp.Expr:
        """The left-hand side as a SymPy expression."""
        return raise_(self.raw_before)

    @property
    def after(self) -> sp.Expr:
        """The right-hand side as a SymPy expression."""
        return raise_(self.raw_after)

    def __str__(self) -> str:
        from ..explain.plain import plain

        free = tuple(sorted(self.raw_before.free, key=lambda i: i.sort))
        sides = " = ".join(plain(side, free) for side in (self.raw_before, self.raw_after))
        return f"{sides}    ({self.rule})"


@dataclass(frozen=True)
class StepCheck:
    """What re-checking one step found; true when both checks hold."""

    step: Step
    symbolic: bool  # the normal forms of both sides agree, so for all sizes
    numeric: float  # the largest relative difference of both sides, derivatives by differences

    @property
    def ok(self) -> bool:
        """Both sides agree symbolically and numerically."""
        return self.symbolic and self.numeric < 1e-6

    def __bool__(self) -> bool:
        return self.ok


class StepReport(tuple[StepCheck, ...]):
    """The checks of all steps, in order; true when every one holds."""

    def __str__(self) -> str:
        bad = [c for c in self if not c.ok]
        head = f"{len(self) - len(bad)} of {len(self)} steps hold"
        why = {True: "the numbers differ", False: "not proved"}
        return "\n".join([head, *(f"  {why[c.symbolic]}: {c.step}" for c in bad[:SHOWN])])

    @property
    def ok(self) -> bool:
        """Every step holds."""
        return all(check.ok for check in self)

    def __bool__(self) -> bool:
        return self.ok


@dataclass(frozen=True)
class Reading:
    """A way to evaluate the derivatives in a step, how(model, *about, expression)."""

    how: Callable[..., Poly]
    system: System
    about: tuple[Any, ...] = ()

    def __call__(self, poly: Poly) -> Poly:
        """The expression with its derivatives evaluated."""
        return self.how(evaluated(self.system), *self.about, poly)


def as_it_stands(m: Model, poly: Poly) -> Poly:
    """The reading of a step without derivatives."""
    return poly


@dataclass(frozen=True, eq=False)
class Derivation:
    """lhs = expr, with the steps that lead there.

    `expr` is a SymPy expression with explicit sums, in the form that costs a reader least
    (symattn.explain.present); `normal` is its normal form as derived, `raw` the same with common
    factors taken out.  `given` holds the derivations whose results stand in it by name.
    """

    system: System
    component: Ref
    normal: Poly
    raw: Poly
    recorded: tuple[Step, ...]
    given: tuple[Derivation, ...] = ()
    output: str = ""  # for an adjoint: the name of the output whose upstream gradient comes in
    along: tuple[str, ...] = ()  # for a tangent: the names whose tangents come in
    readings: tuple[Callable[[Poly], Poly], ...] = field(repr=False, default=())
    asked: frozenset[str] = frozenset()  # names whose adjoints have a line of their own
    beside: tuple[Derivation, ...] = ()  # of the same pass, which may be recognised in it
    settled: bool = False  # shown as it is; nothing is recognised or collected

    @cached_property
    def form(self) -> Presented:
        """The result in the form that is printed, and the steps that lead there."""
        from ..explain.present import Presented, presented

        if self.settled or not self.recorded:
            return Presented(self.normal, self.raw, ())
        try:
            with few_collections(), budget(FORM_WORK if len(self.normal) <= LONGEST else 0):
                return presented(self)
        except (LimitError, RecursionError):  # then as it was derived
            record = Record(self.recorded[-1].raw_after)
            record.step("take out common factors", self.raw)
            return Presented(self.normal, self.raw, tuple(record.steps))

    @cached_property
    def chosen(self) -> Chosen:
        """The form that is printed, before it is spelled."""
        from ..explain.present import chosen

        return chosen(self)

    def in_place(self) -> Poly:
        """The result as it stands written out in others, a normal form."""
        if self.settled or not self.recorded:
            return self.normal
        try:
            with budget(FORM_WORK if len(self.normal) <= LONGEST else 0):
                return self.chosen.normal
        except (LimitError, RecursionError):
            return self.normal

    @property
    def steps(self) -> tuple[Step, ...]:
        """The record: from the definitions to the result as it is printed."""
        found = [*self.recorded, *self.form.steps]
        if found and key(found[-1].raw_after) == key(self.shown):  # with other letters
            found[-1] = replace(found[-1], raw_after=self.shown)
        return tuple(found)

    @property
    def shown(self) -> Poly:
        """The result as it is printed."""
        return self.form.raw

    @property
    def name(self) -> str:
        """The name of the result, such as Q_bar."""
        return self.component.tensor.name

    @property
    def indices(self) -> tuple[Index, ...]:
        """The free indices of the result, in order."""
        return tuple(s for s in self.component.slots if isinstance(s, Index))

    @property
    def named(self) -> tuple[Derivation, ...]:
        """The derivations whose results stand in this one by name as it is printed."""
        if not self.beside:
            return self.given
        shown = {r.tensor for r in refs(self.form.normal)}
        return (*self.given, *(d for d in self.beside if d.component.tensor in shown))

    @property
    def lhs(self) -> sp.Expr:
        """What is derived."""
        return raise_(raw_atom(self.component))

    @property
    def expr(self) -> sp.Expr:
        """The result."""
        expr = raise_(self.shown)
        if expr.atoms(sp.Idx):  # n and 0 are everybody's
            _results[expr] = self
        if len(_results) > RESULTS:
            _results.popitem(last=False)
        return expr

    @staticmethod
    def of_expr(expr: sp.Expr) -> Derivation | None:
        """The derivation that gave an expression, None for any other expression."""
        return _results.get(expr)

    def definitions(self) -> dict[str, Definition]:
        """What stands in the result by name, adjoints and tangents on the way, as definitions."""
        found: dict[str, Definition] = {}
        for part in self.named:
            found |= part.definitions()
            if part.component.tensor.role in ("adjoint", "tangent") and part.recorded:
                letters = tuple(indices([i.name], i.size)[0] for i in part.indices)
                found[part.name] = define(part.name, letters, part.expr)
        return found

    def latex(
        self,
        indices: str = "as written",
        sums: str = "auto",
        adjoint: str = "bar",
        steps: bool = True,
    ) -> str:
        r"""The derivation as an aligned block, one line a step, with the reason of each.

        indices  "up", "down", or "as written" in the formulas the system was read from
        sums     "explicit" with every Σ, "implicit" by the summation rule, "auto" as written
        adjoint  "bar" for \bar x, "partial" for ∂L/∂x
        steps    False for the result alone
        """
        from ..explain import chosen, derivation_latex, equation_latex

        how = chosen(self.system, indices, sums, adjoint)
        if not isinstance(steps, bool):
            raise SymattnError(
                f"steps={steps!r} is neither True nor False", mend="write steps=False"
            )
        return derivation_latex(self, how) if steps else equation_latex(self, how)

    def equation(
        self, indices: str = "as written", sums: str = "auto", adjoint: str = "bar"
    ) -> str:
        """The result alone, lhs = expr, as LaTeX in the notation of `latex`."""
        return self.latex(indices, sums, adjoint, steps=False)

    def matrix_form(self) -> str | None:
        """The result in matrix notation as LaTeX; None where it has no such form."""
        from ..explain import derivation_matrix_form

        return derivation_matrix_form(self)

    def inline(self, *names: str) -> Derivation:
        """The derivation continued by a step that writes out the definitions `names`, or all."""
        m = evaluated(self.system)
        for name in names:
            m.tensor(name)
        kept = set(m.bodies) - set(names or m.bodies)
        normal = m.inline(self.form.normal, keep=kept)
        shown = " and ".join(f"`{n}`" for n in names) or "all definitions"
        return self._continued(f"write out {shown}", normal)

    def fold(self, name: str) -> Derivation:
        """The derivation continued by a step that recognises the definition `name`."""
        m = evaluated(self.system)
        m.tensor(name)
        return self._continued(f"recognise `{name}`", m.fold(self.form.normal, name))

    def _continued(self, rule: str, normal: Poly) -> Derivation:
        m = evaluated(self.system)
        record = Record(self.shown)
        record.step(rule, Letters(m).show(normal, self.indices))
        plain: Callable[[Poly], Poly] = Reading(as_it_stands, self.system)
        return replace(
            self,
            normal=normal,
            raw=record.now,
            recorded=(*self.steps, *record.steps),
            readings=(*self.readings, plain),
            settled=True,
        )

    @bounded
    def check_steps(self, seed: int = 0) -> StepReport:
        """Every step re-checked: symbolically for all sizes, and numerically at small ones.

        Symbolically, derivatives are evaluated on both sides, and these compared as `prove` does;
        numerically, derivatives are taken by differences of the definitions.
        """
        from ..steps import StepNumbers

        numbers = StepNumbers(self, seed)
        return StepReport(
            StepCheck(step, self.holds(step.raw_before, step.raw_after), numbers.error(step))
            for step in self.steps
        )

    def holds(self, before: Poly, after: Poly) -> bool:
        """Both sides of a step agree, as `prove` decides, when they are read in one of its ways."""
        from ..stages import agree

        m = evaluated(self.system)
        sides = nf.normalize(before), nf.normalize(after)
        if sides[0] is sides[1] or one_way(sides[0]) is one_way(sides[1]):
            return True
        try:
            with budget(STEP_WORK):  # case by case, whatever the names stand for
                if not in_cases(nf.subtract(*sides), lambda poly: poly).terms:
                    return True
        except LimitError:
            pass
        for reading in (*self.readings, self._known):
            try:
                with budget(STEP_WORK):
                    before, after = map(reading, sides)
                    if before is after or agree(before, after, m):
                        return True
                    if over_one_bar(m.inline(before)) is over_one_bar(m.inline(after)):
                        return True
                    if not sums_joined(nf.subtract(before, after)).terms:
                        return True
                    if none_left(nf.subtract(before, after), lambda p: _bars_opened(p, m)):
                        return True
                    pairs = below_pairs(nf.subtract(m.inline(before), m.inline(after)))
                    if pairs is not None and not together(pairs).terms:
                        return True
                    apart = _apart(before), _apart(after)
                    if apart != (before, after) and agree(*apart, m):
                        return True
            except LimitError:
                continue
        return False

    def _known(self, poly: Poly) -> Poly:
        """The expression with the results that stand in it by name written out."""
        given: dict[Tensor, Derivation] = {}
        left: list[Derivation] = [self]
        while left:
            last = left.pop()
            for part in (*last.given, *last.beside):
                if part.recorded and part.component.tensor not in given:
                    given[part.component.tensor] = part
                    left.append(part)

        def rule(atom: Any) -> Poly | None:
            part = given.get(atom.tensor) if isinstance(atom, Ref) else None
            if part is None:
                return None
            there = dict(zip(part.indices, atom.slots, strict=True))
            return nf.rewrite(nf.substitute(part.normal, there), rule)

        return nf.rewrite(poly, rule)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    def __str__(self) -> str:
        from ..explain.plain import component, plain

        left = component(self.component.tensor, self.component.slots)
        return f"{left} = {plain(self.shown, self.indices)}"

    def __repr__(self) -> str:
        return f"Derivation({self})"


def in_lines(results: Mapping[str, Derivation]) -> str:
    """One line for each of the first results, and how many more there are."""
    lines = [str(d) for d in list(results.values())[:SHOWN]]
    more = len(results) - len(lines)
    return "\n".join(
        [*lines, *([f"and {more} more: " + ", ".join(list(results)[SHOWN:])] if more else [])]
    )


def _bars_opened(poly: Poly, m: Model) -> Poly:
    """The expression with the definitions of what stands below its bars written out."""
    powers = ((a, e) for n in inside(poly) if isinstance(n, Term) for a, e in n)
    below = {a.tensor.name for a, e in powers if e < 0 and isinstance(a, Ref)}
    return m.inline(poly, [name for name in m.bodies if name not in below])


def _apart(poly: Poly) -> Poly:
    """step(−u) = 1 − step(u) where no two values are equal, which is where max has a derivative."""

    def rule(atom: Any) -> Poly | None:
        if not isinstance(atom, Call) or atom.name != "step":
            return None
        (u,) = atom.args
        back = nf.scale(u, -1)
        if key(u) <= key(back):
            return None
        return nf.subtract(nf.ONE, nf.call("step", [back]))

    return nf.rewrite(poly, rule)


class Record:
    """Collects steps; one that changes nothing but letters is none, and gives them to the last."""

    def __init__(self, start: Poly) -> None:
        self.now, self.steps = start, list[Step]()

    def step(self, rule: str, after: Poly) -> None:
        if key(after) != key(self.now):  # Σ_ij and Σ_ji, δ_ij/q_i and δ_ij/q_j look alike
            self.steps.append(Step(rule, self.now, after))
        elif self.steps:
            self.steps[-1] = replace(self.steps[-1], raw_after=after)
        self.now = after


def recognised(
    m: Model, letters: Letters, record: Record, poly: Poly, avoid: Iterable[Index], name: str = ""
) -> Poly:
    """The expression with the definition of `name` and every Gibbs weight recognised, as a step."""
    after = m.fold(poly, name) if name else poly
    silent = name in m.bodies and not speaks(m.bodies[name], after)
    after = poly if silent else after
    found = [name] if after is not poly else []
    after, others = m.recognise(after, name if silent else "")
    shown = " and ".join(f"`{n}`" for n in dict.fromkeys([*found, *others]))
    record.step(f"recognise {shown}", letters.plain(after, avoid))
    return after


class Letters:
    """Letters for the wrt side and for bound indices of what is shown."""

    def __init__(self, m: Model) -> None:
        self.pool = m.letters
        sizes = [n for t in m.known.values() for n in t.shape]
        sizes += [n for body in m.bodies.values() for n in sizes_of(body.raw)]
        stands = [r for b in m.bodies.values() for r in refs(b.raw)]
        self.names = {*m.known, *(r.tensor.name for r in stands)}
        self.names |= {str(x) for n in sizes for x in n.free_symbols}
        both = {r.tensor.name for r in stands if r.tensor.name in {str(s) for s in r.slots}}
        self.clashing = {*m.known} - both  # t of t_t is a letter too
        stated = [e for e in getattr(m.system, "equations", ()) if e.kind == "definition"]
        whole = [e for e in stated if not re.search("[_^]", e.latex.partition("=")[0])]
        self.whole = {str(getattr(e.lhs, "base", e.lhs)) for e in whole}  # S = Q K^⊤

    def outer(self, sizes: Sequence[sp.Expr], taken: set[str]) -> list[Index]:
        """Letters that no definition uses, in alphabetical order after those taken."""
        used = {n for names in self.pool.values() for n in names} | taken | self.names
        result = []
        for size in sizes:
            name = next(
                (c for c in "mnpqrstuvwxyz" if c not in used and c > max(taken, default="")),
                None,
            ) or next((c for c in "mnpqrstuvwxyzabcdefghijkl" if c not in used), None)
            name = name or fresh_letter(size, used, self.pool)
            used.add(name)
            result.append(Index(name, size))
        return result

    def own(self, tensor: Tensor, m: Model) -> tuple[Index, ...]:
        """The letters with which a tensor is defined, or the first of the alphabet it is used with.

        Of one definition: what is equal is one node, and has no order of appearance.  A matrix
        that is defined as a whole has the letters with which it is used: S_ij of S = Q K^⊤.
        """
        defined = m.bodies.get(tensor.name)
        if defined is not None and tensor.name not in self.whole:
            return defined.indices
        lettered = [b for n, b in m.bodies.items() if defined is None or n not in self.whole]
        for body in lettered:
            slots = [r.slots for r in refs(body.raw) if r.tensor is tensor]
            plain = [tuple(s for s in group if isinstance(s, Index)) for group in slots]
            whole = [
                group
                for group in plain
                if len(set(group)) == len(tensor.shape) and not self._called(group)
            ]
            if whole:
                return min(whole, key=lambda group: [i.name for i in group])
        if defined is not None:
            return defined.indices
        taken = {n for names in self.pool.values() for n in names if n in self.clashing}
        letters = []
        for size in tensor.shape:
            name = fresh_letter(size, taken, self.pool)
            taken.add(name)
            letters.append(Index(name, size))
        return tuple(letters)

    def _called(self, group: Iterable[Index]) -> bool:
        """A letter that is a name of the system too: q of q_i and K_pq."""
        return any(i.name in self.clashing for i in group)

    def beside(self, tensor: Tensor, others: Sequence[Index], m: Model) -> list[Index]:
        """The letters that a tensor has in the definitions; new ones where `others` have them."""
        own = self.own(tensor, m)
        clash = {i.name for i in others}
        if any(i.name in clash for i in own):
            return self.outer(tensor.shape, clash)
        return list(own)

    def apart(self, group: Sequence[Index], others: Iterable[Index]) -> list[Index]:
        """The letters of a definition, those replaced that `others` have too."""
        taken = {i.name for i in (*group, *others)}
        clash = {i.name for i in others}
        result = []
        for index in group:
            if index.name in clash:
                (index,) = self.more([index], taken)
                taken.add(index.name)
            result.append(index)
        return result

    def more(self, group: Sequence[Index], taken: set[str]) -> list[Index]:
        """As many letters again, of the same sizes."""
        used = set(taken)
        result = []
        for index in group:
            name = fresh_letter(index.size, used, self.pool)
            used.add(name)
            result.append(Index(name, index.size))
        return result

    def show(self, poly: Poly, avoid: Iterable[Index] = ()) -> Poly:
        """The expression with letters for bound indices, common factors in front."""
        return factored(self.plain(poly, avoid))

    def plain(self, poly: Poly, avoid: Iterable[Index] = ()) -> Poly:
        """The expression with letters for bound indices."""
        lettered: Poly = with_letters(poly, self.pool, frozenset(i.name for i in avoid))
        return lettered


def insert_rule(m: Model, poly: Poly) -> str:
    parts = [r.tensor.parts for r in refs(poly) if r.tensor.parts]
    names = list(dict.fromkeys(f"`∂{p[0].name}/∂{p[1].name}`" for p in parts if p))
    return "insert " + " and ".join(names) if names else "nothing left to differentiate"


def insert_partials(
    node: Any, value: Callable[[Ref, frozenset[Index]], Poly], scope: frozenset[Index] = frozenset()
) -> Any:
    """A raw expression with partial derivatives replaced, everything else as it stands."""
    match node:
        case Poly():
            return raw_add(
                Poly({t: rational(c * d) for t, d in insert_partials(term, value, scope)})
                for term, c in node
            )
        case Term():
            factors = []
            for atom, e in node:
                if isinstance(atom, Ref) and atom.tensor.parts:
                    factors.append(value(split_partial(atom)[0], scope | node.free))
                elif isinstance(atom, Sum):
                    body = insert_partials(atom.body, value, scope | set(atom.bound))
                    factors.append(
                        raw_sum(atom.bound, body) if e == 1 else raw_atom(Sum(atom.bound, body), e)
                    )
                else:
                    factors.append(raw_atom(atom, e))
            return raw_product(factors)
    raise AssertionError(node)
