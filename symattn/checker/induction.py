r"""Closed forms of recursions, by induction: a_{n+1} = q a_n with a_0 = c gives a_n = c q^n.

Proved where the form at the next step is what the recursion makes of it, for every step, and where
it begins with the value that is said; in names that do not commute where capitals stand.  Refuted
where numbers that go on from the first value, or from the form itself, differ from it.  Sums and
products up to the step are split at their ends; a geometric sum is its quotient.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction as Rational
from typing import TYPE_CHECKING, Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ..read.closed_forms import ClosedForm, called, inside, stepped
from ..read.tree import (
    Accent,
    Addition,
    Chain,
    Fraction,
    Group,
    Name,
    Node,
    Number,
    Product,
    Root,
    Scripted,
    walk,
)
from ..read.tree import Symbol as Sign
from . import report
from .finding import Finding

if TYPE_CHECKING:
    from .judge import Judge

_FIRST = re.compile(r"_\{?\d+\}?=")
STEPS = 4  # that are counted in numbers
MAX_NODES = 150  # of a form and a recursion
TRIES = 3
_ABOVE, _BELOW = (2, 3, 5, 7), (11, 13, 17, 19)  # so that no number is one half
FUNCTIONS = frozenset(
    ["f", "g", "h", "u", "F", "G", "H", "T", "P", "phi", "psi", "varphi", "Phi", "Psi"]
)


class Unable(Exception):
    """Something in a formula that is not known here."""


class _NoRange(Exception):
    """A sum from 1 to t - 1 at t = 0."""


@dataclass(frozen=True)
class Outcome:
    """What induction says: "proved", "refuted", or "" with the first value that it asks for."""

    verdict: str
    reason: str = ""
    first: str = ""


@dataclass
class _Algebra:
    """Trees as SymPy: x_t of the recursion as what is put in, other names with a step applied."""

    own: str
    commutes: bool
    moving: frozenset[str]  # other names with a step
    state: Callable[[Any], Any]
    bound: dict[str, Any] = field(default_factory=dict)

    def __call__(self, node: Node) -> Any:
        match node:
            case Number(text=text):
                return sp.Rational(text)
            case Name() | Accent():
                return self._name(node)
            case Group(bracket="(" | "[" | "{", items=(inner,)):
                return self(inner)
            case Addition(parts=parts):
                return sp.Add(*(sign * self(part) for sign, part in parts))
            case Fraction(top=top, bottom=bottom):
                return self(top) * self(bottom) ** -1
            case Root(body=body, degree=None):
                return sp.sqrt(self(body))
            case Product(parts=parts):
                return self._product(parts)
            case Scripted():
                return self._scripted(node)
        raise Unable(type(node).__name__)

    def _name(self, node: Node) -> Any:
        name = called(node)
        if name in self.bound:
            return self.bound[name]
        if name == "I":
            return sp.S.One
        if not name or name == self.own or name in ("i", "d"):
            raise Unable(name)
        return {"e": sp.E, "pi": sp.pi}.get(name) or self._symbol(name)

    def _symbol(self, name: str) -> sp.Symbol:
        if self.commutes or (name[:1].islower() and len(name) > 1):
            return sp.Symbol(name, nonzero=True)  # so that q^{t-i} is q^t q^{-i}
        return sp.Symbol(name, commutative=False)

    def _scripted(self, node: Scripted) -> Any:
        if isinstance(node.base, Sign):
            raise Unable(node.base.kind)
        name, script = stepped(node)
        if name and script is not None:
            at = self._step(script)
            if name == self.own:
                return self.state(at)
            if name in self.moving:
                return sp.Function(name, commutative=self.commutes)(at)
            return self._symbol(f"{name}_{at}")
        *rest, (sign, above) = node.scripts
        if sign != "^":
            raise Unable("scripts")
        base = Scripted(node.at, node.base, tuple(rest)) if rest else node.base
        if above == Name(above.at, "T") or isinstance(above, Sign | Group):
            raise Unable("a transpose, or the label (k)")
        return self(base) ** self(above)

    def _step(self, script: Node) -> Any:
        """What stands below a name: a number, a label, or letters that are known, and no list."""
        parts = [part for _, part in script.parts] if isinstance(script, Addition) else [script]
        for part in parts:
            label = isinstance(part, Name) and (len(part.text) > 1 or part.text.isupper())
            known = isinstance(part, Name) and part.text in self.bound
            if not (label or known or isinstance(part, Number)):
                raise Unable("an index")
        return self(script)

    def _product(self, parts: tuple[tuple[str, Node], ...]) -> Any:
        found: Any = sp.S.One
        for k, (operator, part) in enumerate(parts):
            if operator not in ("", "·", "/"):
                raise Unable(operator)
            if isinstance(part, Scripted) and isinstance(part.base, Sign):
                return found * self._over(part, Product(part.at, parts[k + 1 :]))
            if k and operator == "" and _is_applied(parts[k - 1][1], part):
                raise Unable("a function")
            if k and operator == "" and parts[k - 1][0] == "/":
                raise Unable("a / b c")
            value = self(part)
            found = found / value if operator == "/" else found * value
        return found

    def _over(self, sign: Scripted, body: Product) -> Any:
        ends = dict(sign.scripts)
        kind = getattr(sign.base, "kind", "")
        match ends.get("_"), ends.get("^"):
            case Chain(sides=(Name(text=letter), first)), Node() as above if body.parts:
                pass
            case _:
                raise Unable("limits")
        if kind not in ("sum", "prod"):
            raise Unable(kind)
        index, low, high = sp.Symbol(letter, integer=True), self(first), self(above)
        summed = replace(self, bound={**self.bound, letter: index})(body)
        return (sp.Sum if kind == "sum" else sp.Product)(summed, (index, low, high))


def _is_applied(before: Node, part: Node) -> bool:
    """True for f(x_n), f_n(x + h) and f(x, y); q (1 - a_n) is a product."""
    named = isinstance(before, Name | Accent | Scripted)
    if not named or not isinstance(part, Group) or part.bracket == "{":
        return False
    if part.bracket != "(":  # E[x_n]
        return True
    name = called(before.base if isinstance(before, Scripted) else before)
    return name in FUNCTIONS or len(part.items) > 1 or not isinstance(part.items[0], Addition)


def by_induction(judge: Judge, line: int, column: int, latex: str) -> Finding | None:
    """The verdict on x_t = … where a recursion of the section says what x_{t+1} is."""
    form = judge.versions.document.closed.get((line, column))
    outcome = decide(form) if form is not None else None
    if outcome is None or form is None:
        return None
    if outcome.verdict == report.REFUTED:
        before = judge.outline.condition(line, column)
        if form.first and _FIRST.search("".join(judge.outline.supposed(line, column))):
            before = ""  # with a_0 = c
        if before or judge.outline.behind(line, column, latex):
            return None
    if outcome.first:
        return Finding(report.CONDITIONAL, f"true where {outcome.first}, by induction")
    lines = " and ".join(f"line {number}" for number in sorted({*form.places}))
    said = outcome.reason or f"by induction, with {lines}"
    return Finding(outcome.verdict, said, kind="claim") if outcome.verdict else None


def decide(form: ClosedForm) -> Outcome | None:
    """What induction says of a closed form; None where a formula holds what is not known here."""
    trees = _trees(form)
    nodes = [n for tree in trees for n in walk(tree)]
    if len(nodes) > MAX_NODES:
        return None
    names = {called(n) for n in nodes if isinstance(n, Name | Accent)}
    known = {called(n) for tree in trees[1:] for n in walk(tree) if isinstance(n, Name | Accent)}
    if not names <= known | {form.name, form.letter} | _indices(form.form):
        return None  # another name, of which something may be said elsewhere
    matrices = any(n[:1].isupper() and n not in ("I", form.name) for n in names)
    try:
        if (wrong := _numbers(form)) is not None:
            return None if _nearly(form) else wrong
        if _follows(form, commutes=not matrices):
            return _begun(form, commutes=not matrices)
    except (
        Unable,
        _NoRange,
        TypeError,
        ValueError,
        ZeroDivisionError,
        AttributeError,
        OverflowError,
    ):
        return None
    return None


def _indices(tree: Node) -> set[str]:
    """The letters that sums and products run over."""
    signs = (n for n in walk(tree) if isinstance(n, Scripted) and isinstance(n.base, Sign))
    lows = (getattr(s, "sides", ()) for n in signs for mark, s in n.scripts if mark == "_")
    return {sides[0].text for sides in lows if sides and isinstance(sides[0], Name)}


def _step(form: ClosedForm) -> sp.Symbol:
    return sp.Symbol(form.letter, integer=True, nonnegative=True)


def _algebra(form: ClosedForm, commutes: bool, state: Callable[[Any], Any], at: Any) -> _Algebra:
    pairs = (inside(n) for tree in _trees(form) for n in walk(tree))
    moving = frozenset(x for x, script in pairs if script and not isinstance(script, Number))
    return _Algebra(form.name, commutes, moving, state, {form.letter: at})


def _trees(form: ClosedForm) -> list[Node]:
    return [form.form, form.goes_on, *([form.first[1]] if form.first else [])]


def _initial(form: ClosedForm, commutes: bool) -> Callable[[Any], Any]:
    """x_0 as a name, where a form speaks of it."""

    def state(at: Any) -> Any:
        if not at.is_Integer:
            raise Unable("a step in a form")
        name = f"{form.name}_{at}"
        return sp.Symbol(name, nonzero=True) if commutes else sp.Symbol(name, commutative=False)

    return state


def _value(form: ClosedForm, commutes: bool, at: Any) -> Any:
    """F at a step."""
    return _algebra(form, commutes, _initial(form, commutes), at)(form.form)


def _next(form: ClosedForm, commutes: bool, before: Any, at: Any) -> Any:
    """G of a value, for the step behind it."""
    return _algebra(form, commutes, lambda _: before, at - form.shift)(form.goes_on)


def _follows(form: ClosedForm, commutes: bool) -> bool:
    t = _step(form)
    gap = _value(form, commutes, t + 1) - _next(form, commutes, _value(form, commutes, t), t + 1)
    return _vanishes(normal(gap, t))


def _begun(form: ClosedForm, commutes: bool) -> Outcome:
    number = form.first[0] if form.first else 0
    begins = normal(_value(form, commutes, sp.Integer(number)), _step(form))
    if form.first is None:
        if begins == _initial(form, commutes)(sp.S.Zero):
            return Outcome("proved")
        return Outcome("", first=f"{form.name}_0 = {begins}")
    gap = normal(begins - _said(form, commutes), _step(form))
    return Outcome("proved") if _vanishes(gap) else Outcome("")


def _said(form: ClosedForm, commutes: bool) -> Any:
    """The first value."""
    assert form.first is not None
    return _algebra(form, commutes, _initial(form, commutes), sp.S.Zero)(form.first[1])


def _vanishes(gap: Any) -> bool:
    if gap == 0:
        return True
    if not gap.is_commutative:
        return False
    top, _ = sp.fraction(sp.together(gap))
    return bool(sp.expand(sp.powsimp(sp.expand(top, power_exp=True)), power_exp=True) == 0)


def normal(expr: Any, t: sp.Symbol) -> Any:
    """The expression with sums and products up to t + c as those up to t and the terms beyond."""

    def split(found: Any) -> Any:
        kind = type(found)
        join = sp.Add if kind is sp.Sum else sp.Mul
        body, (index, low, high) = normal(found.function, t), found.limits[0]
        if (high - low + 1).is_negative:
            raise Unable("no range")
        if (turned := _turned(body, index, t)) is not None:  # Σ_s g_{t-s} as Σ_i g_i
            body, low, high = body.subs(index, turned - index), turned - high, turned - low
            body = normal(body, t)
        if high.is_Integer and low.is_Integer:
            return join(*(body.subs(index, k) for k in range(int(low), int(high) + 1)))
        over = sp.expand(high - t)
        if not over.is_Integer or abs(over) > STEPS or not low.is_Integer:
            raise Unable("the end of a sum")
        beyond = [body.subs(index, t + k) for k in range(min(0, over) + 1, max(0, over) + 1)]
        beyond = [normal(b, t) for b in beyond]
        whole = _sum(body, index, low, t) if kind is sp.Sum else kind(body, (index, low, t))
        return (
            join(whole, *beyond)
            if over >= 0
            else (whole - sp.Add(*beyond) if kind is sp.Sum else whole / sp.Mul(*beyond))
        )

    found = expr.replace(lambda e: isinstance(e, sp.Sum | sp.Product), split)
    return sp.expand(found, power_exp=True, power_base=False)


def _turned(body: Any, index: sp.Symbol, t: sp.Symbol) -> Any:
    """The t of g_{t-s}; None where nothing runs backward."""
    for call in body.atoms(AppliedUndef):
        (at,) = call.args
        rest = sp.expand(at + index)
        if at.has(index) and not rest.has(index):
            return rest
    return None


def _sum(body: Any, index: sp.Symbol, low: Any, t: sp.Symbol) -> Any:
    """Σ_{i=low}^t of every term, what does not hang on i in front."""
    total: Any = sp.S.Zero
    for term in sp.Add.make_args(sp.expand(body, power_exp=True)):
        front, rest = term.as_independent(index, as_Add=False)
        ratio: Any = sp.S.Zero
        if rest.is_commutative:
            ratio = sp.powsimp(rest.subs(index, index + 1) / rest)
        if rest == 1:
            total += front * (t - low + 1)
        elif ratio != 0 and not ratio.has(index) and ratio != 1 and not rest.atoms(AppliedUndef):
            total += front * rest.subs(index, low) * (ratio ** (t - low + 1) - 1) / (ratio - 1)
        else:
            total += front * sp.Sum(rest, (index, low, t))
    return total


def _numbers(form: ClosedForm) -> Outcome | None:
    """The refutation by numbers, from the first value where one is said; None where none differ."""
    draw = random.Random(0)
    wrong: set[str] = set()
    for _ in range(TRIES):
        table: dict[Any, Rational] = {}

        def number(expr: Any, table: dict[Any, Rational] = table) -> Rational:
            return _evaluated(expr, table, draw)

        begin = form.first[0] if form.first is not None else 0
        value = None if form.first is None else number(_said(form, True))
        for k in range(begin, begin + STEPS):
            if value is not None and k > begin:
                holder = sp.Symbol("before")
                gone_on = _next(form, True, holder, sp.Integer(k))
                value = number(gone_on.subs(holder, sp.Rational(value)))
            elif k == 0 and _speaks_of_first(form):
                value = number(sp.Symbol(f"{form.name}_0", nonzero=True))
            try:
                here = number(_value(form, True, sp.Integer(k)))
            except _NoRange:
                continue
            if value is not None and here != value:
                wrong.add(f"at {form.letter} = {k} it is not what the recursion gives")
                break
            value = here
        else:
            return None
    return Outcome("refuted", min(wrong)) if wrong else None


def _nearly(form: ClosedForm) -> bool:
    """True where form and recursion differ by ε² and higher powers of some number of theirs."""
    begin = form.first[0] if form.first is not None else 0
    if form.first is None and _speaks_of_first(form):
        value = _initial(form, True)(sp.S.Zero)
    else:
        value = _said(form, True) if form.first else _value(form, True, sp.Integer(begin))
    gaps = [value - _value(form, True, sp.Integer(begin))]
    for k in range(begin + 1, begin + STEPS):
        value = _next(form, True, value, sp.Integer(k))
        gaps.append(value - _value(form, True, sp.Integer(k)))
    for e in sorted({x for gap in gaps for x in gap.free_symbols}, key=str):
        near = [sp.expand(d.doit()) for gap in gaps for d in (gap, gap.diff(e))]
        if all(sp.simplify(d.subs(e, 0)) == 0 for d in near):
            return True
    return False


def _speaks_of_first(form: ClosedForm) -> bool:
    return any(inside(n)[0] == form.name for n in walk(form.form))


def _evaluated(expr: Any, table: dict[Any, Rational], draw: random.Random) -> Rational:
    """An expression at random numbers, the same for the same names; only in rational ones."""
    found = sp.sympify(expr)
    for over in found.atoms(sp.Sum, sp.Product):
        if (over.limits[0][2] - over.limits[0][1] + 1).is_negative:
            raise _NoRange
    found = found.doit()
    todo: Mapping[Any, Any] = {}
    for atom in sorted({*found.free_symbols, *found.atoms(AppliedUndef)}, key=str):
        table.setdefault(atom, Rational(draw.choice(_ABOVE), draw.choice(_BELOW)))
        todo = {**todo, atom: sp.Rational(table[atom])}
    value = sp.simplify(found.xreplace(todo)) if todo else found
    if not value.is_Rational:
        raise Unable("no rational number")
    return Rational(int(value.p), int(value.q))


__all__ = ["Outcome", "by_induction", "decide"]
