"""A law that is solved: behind m a = m g sin θ − F, *so the acceleration is* a = g sin θ − F/m.

What says first what a name is follows there from an earlier equation that has the name in it, and
a slip in it is refuted as one; the law is none.  Of a square either root solves it.  So it is
behind L = λ W in its sentence, where L may be defined, and behind a derivative that is set to zero.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..errors import SymattnError
from ..objects import Partial
from ..syntax import System, define
from . import report, wording
from .extrema import MARK, extrema, is_extremum, slope_set
from .finding import Finding
from .inside import names
from .links import sides
from .statements import Statement
from .ties import EXACT

if TYPE_CHECKING:
    from .judge import Judge

_CONCLUDES = re.compile(
    r"\b(?:so|thus|hence|therefore|then|consequently|solv\w+|rearrang\w+|isolat\w+|divid\w+|"
    r"cancel\w*|solution|giv(?:es?|ing)|yield\w*|impl(?:y|ies)|follows|obtain\w*|gets?|finds?|"
    r"leads?|arrive|conclude|means)\b",
    re.IGNORECASE,
)
_LAWFUL = re.compile(  # it follows from the law alone
    r"\b(?:so|thus|hence|therefore|consequently|solv\w+|rearrang\w+)\b", re.IGNORECASE
)
_EQUAL = re.compile(  # two equations for one name are two laws
    r"\bequilibri\w+|\bequat(?:e|ing)\b|\b(?:these|them|the two|both|supply|demand) (?:are )?equal|"
    r"\bequals? (?:supply|demand)|\bmarkets? clear",
    re.IGNORECASE,
)
_STEADY = re.compile(
    r"\b(?:(?:in|at) (?:the |an? )?)?(?:steady[- ]states?|equilibri(?:um|a)|stationary "
    r"(?:states?|points?)|fixed points?|terminal (?:velocity|speed))\b|"
    r"\bthe (?:acceleration|rate(?: of change)?|growth) (?:vanishes|is zero)\b",
    re.IGNORECASE,
)
_ZERO = re.compile(  # of the derivative before it
    r"\b(?:(?:setting|equating|putting) (?:this|that|it|(?:the|its) (?:first |partial )?"
    r"(?:derivative|gradient|slope|score|expression)) (?:equal )?to zero|"
    r"first[- ]order conditions?|"
    r"(?:it|this|that|which|(?:the|its|this) (?:derivative|slope|gradient)) "
    r"(?:vanishes|is zero|becomes zero) (?:at|for|when|where|if)|"
    r"so (?:that )?the (?:greatest|largest|smallest|highest|lowest|least|best|optimal|maximal|"
    r"minimal) [a-z]+ (?:needs|requires|occurs|comes|lies|is (?:reached|attained|found|had)))\b",
    re.IGNORECASE,
)
_PLAIN = re.compile(  # that a law holds
    r"\b(?:setting|putting) (?:these|them|the two|both|supply)\b[^…]{0,40}\bequal\b|"
    rf"\bsetting (?:the|its|this|each)\b[^…]{{0,40}}\bto zero\b|{_ZERO.pattern}|{_STEADY.pattern}",
    re.IGNORECASE,
)
_TWICE = re.compile(r"''|\\partial\s*\^|\\nabla\s*\^|(?<![A-Za-z])d\s*\^")  # a second derivative
LARGEST = 60  # nodes of a law
FEW = 6  # names of which two are exchanged
SEVERAL = 6  # equations before one of which two are solved


def solved_law(judge: Judge, s: Statement) -> Finding | None:
    """What an earlier law says of a definition: a slip is refuted, a steady state is that."""
    place, outline = (s.line, s.column), judge.outline
    words, zero = outline.sentence(*place), _set_to_zero(judge, s)
    extreme = is_extremum(judge, s)
    varies = wording.changed(words) if zero or extreme else outline.varies(*place)
    follows = extreme or _CONCLUDES.search(words) or _PLAIN.search(words)
    if outline.behind(*place, s.whole) or varies or not follows:
        return None
    loose = "" if extreme else outline.condition(*place, _PLAIN)
    wrong: Finding | None = None
    peaks = [(t, x, ()) for t, by, slope in extrema(judge, s) for x in _solutions(slope, by)]
    every = [*((*x, (x[0].name,)) for x in _laws(judge, s)), *_pairs(judge, s)] if not peaks else []
    every += peaks
    for law, solution, dropped in every:
        unsaid = loose and outline.goes_on((law.line, law.column), place) is None
        if unsaid or _is_wrong(judge, law, s):
            return None
        there = replace(s, kind="claim")
        try:
            known = judge.versions.so_far(replace(there, name="", lhs=solution))
            own = define(s.name, (), solution)
            rest = (d for d in known if d.name not in {s.name, *dropped})
            system = System(*rest, own, facts=known.facts)
            verdict = judge.prove(there, system)
        except SymattnError:
            return None
        if verdict.status == "proved":
            claimed = s.kind == "claim" or len(dropped) > 1  # else the law is what is proved
            if not (claimed or peaks or _rates(law, s.name) or _slope_by(law, s.name)):
                return None
            if peaks and not claimed and MARK.sub("", s.name) != s.name:
                return None  # it says what x* is, and is right
            found = judge._proved(there, verdict, system)
            why = f"true with what line {law.place[0]} says"
            if _slope_by(law, s.name):
                why = f"true where what line {law.place[0]} derives is zero"
            if peaks:
                why = f"true where the slope of what line {law.place[0]} says is zero"
            return replace(found, verdict=report.CONDITIONAL, reason=why, kind="claim", used=())
        if verdict.status != "refuted":
            continue
        near = judge.near(there, verdict, system, supposed=True)
        same = [x for _, x, _ in every if names(x) == names(s.rhs)]
        surely = _LAWFUL.search(words) or zero or (peaks and _exchanged(s.rhs, solution))
        if same == [solution] and surely:  # and none else
            slip = near is not None and near.verdict == report.REFUTED
            near = near if slip else judge.confirmed(there, verdict, system)
        if wrong is None and near is not None and near.verdict == report.REFUTED:
            why = f"{near.reason}: line {law.place[0]} solved for {s.name}"
            wrong = replace(near, reason=why, kind="claim", used=())
    return wrong


def _exchanged(right: Any, solution: Any) -> bool:
    """Two of its names stand in each other's place: a/(a + b) for b/(a + b)."""
    free = sorted(right.free_symbols, key=str)
    pairs = (right.xreplace({x: y, y: x}) for x, y in combinations(free, 2))
    return len(free) <= FEW and any(sp.simplify(other - solution) == 0 for other in pairs)


def _is_wrong(judge: Judge, law: Statement, s: Statement) -> bool:
    """A slope that is wrong itself says nothing of where it vanishes."""
    if law.kind != "claim" or s.name in names(law.lhs) | names(law.rhs):
        return False
    return judge.prove(law, judge.versions.system(law)).status == "refuted"


def is_solved(judge: Judge, law: Statement) -> Statement | None:
    """The statement that solves a law and is refuted by it; None for none."""
    later = (t for t in judge.versions.statements if t.kind == "definition" and t.name)
    for t in later:
        behind = (t.line, t.column) > (law.line, law.column)
        if (
            behind
            and t.name in names(law.lhs) | names(law.rhs)
            and any(x is law for x, *_ in (*_laws(judge, t), *_pairs(judge, t)))
        ):
            return t if judge(t).verdict == report.REFUTED else None
    return None


def _laws(judge: Judge, s: Statement) -> Iterator[tuple[Statement, Any]]:
    """The last equation before that has the name in it, with all that it may make the name."""
    if s.rhs is None or s.letters or s.number or not s.name or s.relation not in ("=", ":="):
        return
    outline, place = judge.outline, (s.line, s.column)
    steady, zero = _STEADY.search(outline.sentence(*place)), _set_to_zero(judge, s)
    own = {s.name, MARK.sub("", s.name)} if zero else {s.name}
    every = dict.fromkeys((*judge.versions.statements, *judge.versions.given))
    for t in sorted(every, key=lambda t: (t.line, t.column), reverse=True):
        there = t.line, t.column
        if there >= place or outline.section(t.line) != outline.section(s.line):
            continue
        if t.rhs is None or not own & (names(t.lhs) | names(t.rhs)) or t.relation not in EXACT:
            continue
        if zero and _TWICE.search(sides(t.latex)[0][0]):
            continue
        if zero and (by := _slope_by(t, s.name)) is not None:
            yield from ((t, x) for x in _solutions(t.rhs, by) if not x.has(by))
            return
        still = dict.fromkeys(_rates(t, s.name), sp.S.Zero) if steady is not None else {}
        itself = t.name == s.name and s.name in names(t.rhs)  # y = A (x - b y)
        plain = t.kind in ("claim", "fact", "recursion") and not t.letters
        plain = plain and (not t.name or itself)
        of_another = t.name not in ("", s.name) and not t.letters and s.name in names(t.rhs)
        if still or plain or (of_another and outline.together(there, place)):
            gap = (t.lhs - t.rhs).xreplace(still)
            before = judge.versions.before(t, t.name) if of_another else None
            if before is not None and (before.line, before.column) < there:
                made = before.definition.expr
                gap = gap if s.name in names(made) else gap.xreplace({t.lhs: made})
            yield from ((t, solution) for solution in _solutions(gap, s.lhs))
        return


def _pairs(judge: Judge, s: Statement) -> Iterator[tuple[Statement, Any, tuple[str, ...]]]:
    """The last two equations that hold what the name is beside one more name, which goes.

    Of N x = M y and w = x + y each is y = N w/(M + N), whatever x is.
    """
    if s.rhs is None or s.letters or s.number or not s.name or s.relation not in ("=", ":="):
        return
    outline, place, right = judge.outline, (s.line, s.column), names(s.rhs)
    equal = _EQUAL.search(outline.sentence(*place))
    before = [
        t
        for t in sorted(
            dict.fromkeys((*judge.versions.statements, *judge.versions.given)),
            key=lambda t: (t.line, t.column),
            reverse=True,
        )
        if (t.line, t.column) < place and outline.section(t.line) == outline.section(s.line)
        if t.rhs is not None and t.relation in EXACT and not t.letters and t.name != s.name
        if t.kind == "definition" or not t.name or equal  # and nothing that is claimed to follow
    ][:SEVERAL]
    every = {t: names(t.lhs) | names(t.rhs) for t in before}
    for one, other in combinations(before, 2):
        more = (every[one] | every[other]) - right - {s.name}
        twice = bool(equal) and one.name == other.name  # q of the demand and of the supply
        law = next((t for t in (one, other) if s.name in every[t] and (twice or not t.name)), None)
        if len(more) != 1 or law is None or not all(more <= every[t] for t in (one, other)):
            continue
        (name,) = more
        x = next(y for y in one.lhs.free_symbols | one.rhs.free_symbols if y.name == name)
        gaps = [t.lhs - t.rhs for t in (one, other)]
        for put in _solved(gaps[0], x):
            for solution in _solved(sp.together(gaps[1].xreplace({x: put})), s.lhs):
                yield law, solution, (one.name, other.name)
        return


def _set_to_zero(judge: Judge, s: Statement) -> bool:
    words = judge.outline.sentence(s.line, s.column)
    return _ZERO.search(words) is not None or slope_set(judge, s) != ""


def _slope_by(t: Statement, name: str) -> Any:
    """The q of dπ/dq = …, which is zero at the q* that is asked for; None for no derivative."""
    by = t.lhs.args[1] if isinstance(t.lhs, Partial) else None
    return by if isinstance(by, sp.Symbol) and by.name in (name, MARK.sub("", name)) else None


def _rates(t: Statement, name: str) -> set[Any]:
    r"""The dI/dt of dI/dt = … and the \dot N of \dot N = …, which are 0 in a steady state."""
    every = t.lhs.atoms(Partial, sp.Symbol) | t.rhs.atoms(Partial, sp.Symbol)
    moved = {x for x in every if isinstance(x, Partial) and names(x.args[0]) == {name}}
    return moved | {x for x in every if isinstance(x, sp.Symbol) and x.name == f"{name}_dot"}


def _solutions(gap: Any, x: Any) -> list[Any]:
    """The x at which a difference vanishes in which sums of what has no x stand."""
    sums = {t: sp.Dummy() for t in gap.atoms(sp.Sum) if not t.has(x)}
    back = {y: t for t, y in sums.items()}
    return [z.xreplace(back) for z in _solved(gap.xreplace(sums), x)]


def _solved(gap: Any, x: Any) -> list[Any]:
    """The x at which a difference vanishes: of the first degree in it, in its square or its log."""
    of_x = isinstance(x, sp.Symbol) and len([*sp.preorder_traversal(gap)]) <= LARGEST
    powers = [p for p in gap.atoms(sp.exp, sp.Pow) if p.exp.has(x)] if of_x else []
    if len(powers) == 1 and not gap.xreplace({powers[0]: sp.S.One}).has(x):  # a e^{-k x} = b
        y = sp.Dummy(x.name)
        base = sp.log(powers[0].base) if isinstance(powers[0], sp.Pow) else sp.S.One
        logs = [sp.log(z) for z in _solved(gap.xreplace({powers[0]: y}), y)]
        return [z for log in logs for z in _solved(powers[0].exp * base - log, x)]
    if isinstance(x, sp.Symbol) and gap.has(sp.log(x)):
        y = sp.Dummy(x.name)
        found = _solved(gap.xreplace({sp.log(x): y}), y)
        return [sp.exp(z) for z in found if not z.has(x)]
    plain = sp.Symbol | sp.Number | sp.Add | sp.Mul | sp.Pow | sp.NumberSymbol
    functions = sp.sin | sp.cos | sp.tan | sp.exp | sp.log
    nodes = [*sp.preorder_traversal(gap)]
    if not isinstance(x, sp.Symbol) or len(nodes) > LARGEST:
        return []
    if not all(isinstance(n, plain | functions) for n in nodes):
        return []
    if not gap.is_polynomial(x):
        return _of_powers(gap, x) or _of_quotients(gap, x)
    of, zero = sp.Poly(gap, x), list[Any]()
    if of.is_zero:  # any x is a solution
        return []
    if of.degree() > 1 and of.coeff_monomial(1) == 0:
        of, zero = sp.Poly(sp.cancel(gap / x), x), [sp.S.Zero]
    rest = of.coeff_monomial(1)
    if of.degree() == 1:
        return [sp.cancel(-rest / of.coeff_monomial(x)), *zero]
    if of.degree() == 2 and of.coeff_monomial(x) == 0:
        root = sp.sqrt(sp.cancel(-rest / of.coeff_monomial(x**2)))
        return [root, -root, *zero]
    if of.degree() % 2 and set(of.monoms()) <= {(of.degree(),), (0,)}:
        return [sp.cancel(-rest / of.LC()) ** sp.Rational(1, of.degree()), *zero]
    return []


def _of_quotients(gap: Any, x: Any) -> list[Any]:
    """The x at which a quotient of polynomials vanishes: 1/k = 1/a + 1/b, m = x/(1 + x)."""
    top, bottom = sp.fraction(sp.together(gap))
    if not (top.is_polynomial(x) and bottom.is_polynomial(x)):
        return []
    return [z for z in _solved(sp.expand(top), x) if sp.cancel(bottom.subs(x, z)) != 0]


def _of_powers(gap: Any, x: Any) -> list[Any]:
    """The x above 0 at which two powers of it balance: s k^α = δ k."""
    terms = [t.as_independent(x, as_Add=False) for t in sp.Add.make_args(sp.expand(gap))]
    powers = [p.as_base_exp() for _, p in terms]
    if len(terms) != 2 or any(b not in (x, 1) or e.has(x) for b, e in powers):
        return []
    (one, _), (other, _) = terms
    first, second = (e if b == x else sp.S.Zero for b, e in powers)
    return [(-other / one) ** (1 / (first - second))] if first != second else []


__all__ = ["is_solved", "solved_law"]
