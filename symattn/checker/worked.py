r"""Worked examples: with p = (0.8, 0.2), N = \sum_i p_i^2 = 0.68.

Values that a section gives to names that nothing defines hold for the numbers of that section, and
for nothing else: what is claimed in letters is claimed of all values.  A claim of numbers is
computed from the general definitions at the values last before it.  These are exact where they are
multiples of 0.05 or have one digit, and rounded as they are printed elsewhere: 0.33 may be a third.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy as sp

from ..errors import SymattnError
from ..objects import Partial
from ..read import read
from ..read.source import UNFORESEEN
from ..read.units import NONE, Unit, behind, inside
from ..syntax import Definition, System, define, indices
from .at_equations import constant, put
from .inside import names
from .laws_at_values import concludes, solved_for
from .links import sides
from .motion import slope_of
from .numbers import Outcome, decimals, is_exact, numeric
from .outline import Outline
from .qualities import FORMULA
from .sections import REACH
from .statements import Reading, Statement
from .subjects import goes_on, open_words
from .versions import Version, Versions

MOST = 400  # values and claims of numbers of one document
FEW = 4  # equations for one name
FAR = "the values stand in another sentence"
LONGEST = 2000  # characters of one
_VALUE = re.compile(  # one name, one equals sign, no letter behind it
    r"\s*(?P<name>[^=<>(]*[A-Za-z][^=<>(]*)(?:=|:=|\\coloneqq)(?P<value>[^=<>]*\d[^=<>]*)",
    re.DOTALL,
)
_NEARLY = re.compile(r"\\approx(?![A-Za-z])|≈")
_LAYOUT = re.compile(
    r"\\(?:begin|end)\{\w*(?:matrix|array)\}(?:\{\w+\})?|\\(?:left|right|[dt]?frac|sqrt|pi|top|cdot|times)"
    r"(?![A-Za-z])|\^\{?T\}?|e-?\d"
)
_EDGE = re.compile(  # of the formulas around words
    r"\A[\s.,]*(?:\$\$?|\\[)\]])|(?:\$\$?|\\[(\[])\s*\Z"
)
_OUTCOME = re.compile(r"(?:=|\\approx|\\simeq|≈)\s*(\d+\.\d+)")
_BEGUN = re.compile(  # the display that a formula stands in, up to there
    r"(?:\$\$|\\\[|\\begin\{\w+\*?\})(?:(?!\$\$|\\\]|\\end\{)[\s\S])*\Z"
)
_STOP = re.compile(r"[.!?](?=\s)|\n[ \t]*\n")
_LISTED = re.compile(r"[\s,;$\\()\[\]]*(?:(?:and|or|but)\b[\s,;$\\()\[\]]*)?")
_AT = re.compile(r"\b(?:for|at|if|when)\s+(?:the\s+\w+\s+)?[$\\(]+\s*\Z", re.IGNORECASE)
_THERE = re.compile(r"[$\\)\s]*,\s*(?:where\s+)?[$\\(\s]*")  # for $P = 20$, $R = 1200$
_BRINGS = re.compile(  # of values behind a claim
    r"[\s$\\(]*(?:\Z|(?:here|where|with|for|at|in|tak\w+|us\w+|we|this|these|the|it|values?)\b)",
    re.IGNORECASE,
)
_LET = re.compile(
    r"\b(?:let|take|with|for|at|where|given|set|setting|suppos\w+|assum\w+|using|i\.e|e\.g|consider|"
    r"choos\w+|when|if|say|settings?|parameters?|values?)\b",
    re.IGNORECASE,
)
_THEN = re.compile(
    r"\b(?:then|so|thus|hence|therefore|here|gives?|giving|yields?|gets?|finds?|found|have|has|is|are|"
    r"becomes?|equals?|obtains?|results?|comput\w+|reads?|evaluates?)\b|:",
    re.IGNORECASE,
)
_SO = re.compile(
    r"\s*(?:(?:and|then|so|thus|hence|therefore|here|now|this|it|we|one|the \w+|which|its \w+|"
    r"gives?|yields?|gets?|finds?|have|has|is|are|obtains?|becomes?|reads?|[,:])\s*)+\Z",
    re.IGNORECASE,
)
_EXTREMES = r"max\w*|min(?:imum|imal)?|(?:larg|small|great|high|low)est|peak\w*|best|optim\w*"
_EXTREME = re.compile(rf"\b(?:{_EXTREMES})\b", re.IGNORECASE)
_MARKED = re.compile(  # the place of an extreme, f^*, and what is taken there, g(f^*)
    r"\^\s*\{?\s*(?:\*|\\(?:ast|star)\b)|_\s*\{?\s*(?:\\(?:mathrm|text)\s*\{\s*)?(?:max|min|opt|\*)"
)
_ELSE = re.compile(  # the number is not that of the values before it, or not of a formula
    rf"\b(?:{_EXTREMES}|most|least|converg\w*|after|before|initial\w*|next|"
    r"steps?|limits?|instead|rather|wrong\w*|not|never|unless|if|bits?|percent|random\w*|baseline|"
    r"averag\w*|estimat\w*|errors?|mistakes?|false|naive\w*|bugg?y?|sampl\w*|train\w*|epochs?|"
    r"iterations?|about|around|roughly|change\w*|doubl\w*|halv\w*|increas\w*|decreas\w*|"
    r"experiment\w*|model\w*|measur\w*|observ\w*|use[ds]?|new|another|other|compare\w*|than|versus|"
    r"up to|between|rang(?:es|ed|ing)|range(?! is\b))\b|%",
    re.IGNORECASE,
)


_PUT = re.compile(  # if $R = 5$ then: the condition is a value, and stands for a gap in the words
    r"\bif\s+(?:(?:the|an?)\s+\w+\s+)?(?:…|(?=\s*(?:then\b|,)))(?:\s*(?:,|and)\s*…)*"
    r"(?=\s*(?:,|then\b|we\b))",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Value:
    """A name with the numbers that a place gives to it; `end` is the line that its section ends."""

    line: int
    column: int
    latex: str
    definition: Definition
    end: int
    unit: Unit = NONE


class Worked:
    """The values and the claims of numbers of a document, these by their place."""

    def __init__(self, found: Reading, versions: Versions, outline: Outline) -> None:
        self.versions, self.outline = versions, outline
        self.values: dict[str, list[Value]] = {}
        self.claims: dict[tuple[int, int], Statement] = {}
        self.units: dict[tuple[int, int], Unit] = {}  # of the numbers of claims
        self._known: dict[Statement, tuple[Outcome, list[Value]] | None] = {}
        self._laws: dict[tuple[str, int, int], list[Version]] = {}
        written = [(s.line, s.column, s.latex) for s in found.statements if s.number == 0]
        written += [(u.line, u.column, u.latex) for u in found.unread]
        stated: list[tuple[Statement, Value]] = []
        roots = _roots(found)
        named = any("pi" in names(s.lhs) | names(s.rhs) for s in found.statements)
        lefts = {_named(sides(s.latex)[0][0]): s.name for s in found.statements
                 if s.name and not s.letters and not s.number}  # fmt: skip
        lefts = {
            m.name: m.name for m in getattr(found.document, "meanings", ()) if not m.shape
        } | lefts
        last, setting, at = 0, False, ""
        for line, column, latex in sorted({*written, *found.document.values}):
            seen = sum(map(len, self.values.values())) + len(stated)
            bare, unit = inside(latex) if len(latex) < LONGEST else (latex, NONE)
            bare = _NEARLY.sub("=", bare) if unit.said else bare
            d = _value(bare, roots) if len(latex) < LONGEST and seen < MOST else None
            if (
                (d is None or d.indices)
                and (name := lefts.get(_named(bare.split("=")[0])))
                and seen < MOST
            ):
                of = _value(f"x = {bare.split('=')[-1]}", roots)  # the q_m of an author
                d = define(name, of.indices, of.expr) if of else d
            if d is None or (named and d.expr.has(sp.pi)):  # no number, where π is a name
                continue
            start = outline.position(line, column)
            words = outline.text[last:start]
            setting = self._setting(words, setting)
            there = setting and _THERE.fullmatch(words) is not None
            last = start + len(latex)
            unit = unit if unit.said else behind(outline.text, last)
            value = Value(line, column, bare, d, outline.end(line), unit)
            self.units[line, column] = unit
            there = there and at in self._made_of(d.name)
            stands = not setting or there
            claim = self._claim(value, "≈" if _NEARLY.search(latex) else "=") if stands else None
            if claim is None:
                self.values.setdefault(d.name, []).append(value)
                setting = True
                at = d.name if _AT.search(outline.text[max(0, start - REACH) : start]) else ""
            else:
                stated.append((claim, value))
        for claim, value in stated:
            if self.system(claim) is not None:
                self.claims[claim.line, claim.column] = claim
            else:
                self.values.setdefault(claim.name, []).append(value)
        for row in self.values.values():
            row.sort(key=lambda v: (v.line, v.column))

    def _claim(self, v: Value, relation: str) -> Statement | None:
        """What a definition in letters gives is what numbers stand for; None without one."""
        name = v.definition.name
        general = next(iter(self._generals(name) or self._solved(name, v.line, v.column)), None)
        d = _shaped(v.definition, len(general.definition.indices)) if general else None
        if general is None or d is None:
            return None
        of = general.definition.tensor
        lhs, where = of[d.indices] if d.indices else of, (v.latex, v.latex, v.line, v.column)
        return Statement("claim", lhs, d.expr, relation, d.indices, *where, 0, d.name, lhs, True)

    def _setting(self, words: str, before: bool) -> bool:
        """Whether the words before numbers give them to a name, as those before in a list do."""
        sentence = _STOP.split(FORMULA.sub(" ", _EDGE.sub("", words)))
        said = sentence[-1]
        if len(sentence) == 1 and _LISTED.fullmatch(said):
            return before
        let, then = (max((m.end() for m in p.finditer(said)), default=0) for p in (_LET, _THEN))
        return let > then

    def gives(self, line: int, column: int) -> bool:
        """What stands at a place gives numbers to a name that nothing defines."""
        place = (line, column)
        return any((v.line, v.column) == place for row in self.values.values() for v in row)

    def _made_of(self, name: str) -> set[str]:
        """The names that the equation for a name in letters rests on."""
        general = next(iter(self._generals(name)), None)
        return self.versions.made_of(names(general.definition.expr)) if general else set()

    def _generals(self, name: str) -> list[Version]:
        """The equations that define a name in letters."""
        tables = (self.versions.table, self.versions.again)
        return [v for table in tables for v in table.get(name, ()) if not v.numbers]

    def _general(self, name: str) -> Version | None:
        """What defines a name in letters, where one equation does."""
        found = self._generals(name)
        return found[0] if len(found) == 1 else None

    def _solved(self, name: str, line: int, column: int) -> list[Version]:
        """The laws that are solved for a name behind words that conclude."""
        if (name, line, column) not in self._laws:
            before = _EDGE.sub("", self.outline.text[: self.outline.position(line, column)])
            laws = list[Version]()
            if concludes(before[-REACH:]):
                *earlier, words = _STOP.split(FORMULA.sub(" ", before))
                if concludes(words) and goes_on(words, open_words(" ".join(earlier))):
                    laws = solved_for(self.versions, self.outline, name, line)
            self._laws[name, line, column] = laws
        return self._laws[name, line, column]

    def _settled(self, s: Statement) -> bool:
        """One equation says what the name is, or all that have a value here have the same one."""
        several = self._generals(s.name) or self._solved(s.name, s.line, s.column)
        if len(several) < 2:
            return bool(several)
        own = self._definition(s, s.name)
        found = {v: self._at(s, v) for v in several if len(several) <= FEW}
        known = {r.verdict for r in found.values() if r is not None}
        return own is not None and found.get(own) is not None and len(known) == 1

    def exact(self, s: Statement) -> frozenset[Fraction]:
        """The decimals that a section gives to names before a statement, and that are no others.

        The 0.5 of e^{-0.5} at z = -0.5 is that number, and may be no 0.47.  Not what is the
        outcome of something else since, 3.1/6.5 = 0.5.
        """
        found: set[Fraction] = set()
        text, place = self.outline.text, self.outline.position(s.line, s.column)
        for v in (v for row in self.values.values() for v in row):
            if v.definition.indices or not (v.line <= s.line < v.end):
                continue
            begin = self.outline.position(v.line, v.column) + len(v.latex)
            since = {x for m in _OUTCOME.finditer(text, begin, place) for x in decimals(m[1])}
            found |= {x for x, u in decimals(v.latex).items() if is_exact(x, u)} - since
        return frozenset(found)

    def in_turn(self, s: Statement) -> Iterator[tuple[Version, Outcome, list[Value]]]:
        """What the number of a name is by each of the equations for it, at the values in force."""
        for general in self._generals(s.name)[:FEW]:
            made = self.system(s, general)
            if made is None or self._doubt(s, made[2]) not in ("", FAR):
                continue
            if (found := self._compared(s, *made, False)) is not None:
                yield general, found, made[2]

    def _at(self, s: Statement, general: Version) -> Outcome | None:
        made = self.system(s, general)
        return numeric(made[0], made[1], s.whole) if made is not None else None

    def _definition(self, s: Statement, name: str) -> Version | None:
        """The definition in letters in force at a statement."""
        before = self.versions.before(s, name)
        if before is not None and not before.numbers:
            return before
        if name == s.name and not self._generals(name):
            laws = self._solved(name, s.line, s.column)
            return laws[0] if len(laws) == 1 else None
        return self._general(name)

    def _in_force(self, s: Statement, name: str) -> Value | None:
        """The values last given to a name in the sections around a statement."""
        known = self.values.get(name, [])
        place = (s.line, s.column)
        before = [v for v in known if (v.line, v.column) < place and s.line < v.end]
        if before:
            last = before[-1].line, before[-1].column
            anew = any(last < (v.line, v.column) < place for v in self._generals(name))
            return None if anew or self.outline.any_other(last, place, name) else before[-1]
        stop = self.outline.text.find("\n\n", self.outline.position(*place))
        behind = [v for v in known if (v.line, v.column) > place]
        near = stop < 0 or (behind and self.outline.position(behind[0].line, 1) < stop)
        return behind[0] if behind and near and self._brought(s, behind[0]) else None

    def _brought(self, s: Statement, v: Value) -> bool:
        """The sentence of a value behind a claim is the same, or one that brings it: here."""
        at, text = self.outline.position, self.outline.text
        between = text[at(s.line, s.column) + len(s.latex) : at(v.line, v.column)]
        *before, last = _STOP.split(FORMULA.sub(" ", _EDGE.sub("", between)))
        return not before or _BRINGS.match(last) is not None

    def system(
        self, s: Statement, own: Version | None = None
    ) -> tuple[Statement, System, list[Value]] | None:
        """The statement and what it rests on at the values in force; None where one is missing.

        Its own name is what `own` says, or the definition in force.
        """
        chosen: dict[str, Definition] = {}
        values: list[Value] = []
        seen: set[str] = set()
        ranks: dict[str, int] = {}
        exprs = [s.lhs]
        todo = sorted(names(s.lhs))
        valued = s.name or sides(s.latex)[0][0].rstrip().endswith(")")  # and no a² − b²
        there = put(self.outline, s.line, s.column) if valued else None
        there = there if there is None or there[1].name != s.name else None
        open_: set[str] = set()  # what has no value
        while todo:
            name = todo.pop()
            if name in chosen or name in seen:
                continue
            ranks.update({b.name: len(b.shape) for b in exprs[-1].atoms(sp.IndexedBase)})
            general = own if own and name == s.name else self._definition(s, name)
            if there is not None and name == there[1].name and not ranks.get(name, 0):
                chosen[name] = there[1]
                exprs.append(there[1].expr)
                todo += sorted(names(there[1].expr))
                values.append(Value(s.line, s.column, *there, self.outline.end(s.line)))
                continue
            value = self._in_force(s, name) if name != s.name else None
            itself = general is not None and (general.line, general.column) == (s.line, s.column)
            if general is not None and value is None and not itself:
                chosen[name] = d = self._derived(s, general.definition)
                exprs.append(d.expr)
                todo += sorted(names(d.expr))
                continue
            shaped = _shaped(value.definition, ranks.get(name, 0)) if value is not None else None
            if value is None and valued and name != s.name and not ranks.get(name, 0):
                open_.add(name)
                continue
            if value is None or shaped is None:
                return None
            seen.add(name)
            values.append(replace(value, definition=shaped))
        if not values:
            return None
        if open_ or there is not None:
            made = {n: d.expr for n, d in chosen.items() if not d.indices}
            made |= {
                v.definition.name: v.definition.expr for v in values if not v.definition.indices
            }
            found = constant(s.lhs, made)
            return None if found is None else (replace(s, lhs=found), System(), values)
        sizes = self._sizes(s, exprs, values)
        if sizes is None:
            return None

        made = {v.definition.name: v.definition for v in values}

        def at(expr: Any) -> Any:
            """The expression of these sizes, and of the tensors that have them."""
            found = expr.xreplace(sizes)
            used = {b: make(b.name) for b in sorted(found.atoms(sp.IndexedBase), key=str)}
            return found.xreplace({b: d.tensor for b, d in used.items() if d is not None})

        def make(name: str) -> Definition | None:
            if name not in made and (d := chosen.pop(name, None)) is not None:
                letters = [i.xreplace(sizes) for i in d.indices]
                made[name] = define(name, letters, at(d.expr))
            return made.get(name)

        try:
            for name in sorted(chosen):
                make(name)
            letters = tuple(i.xreplace(sizes) for i in s.letters)
            claim = replace(s, lhs=at(s.lhs), rhs=at(s.rhs), letters=letters)
            return claim, System(*made.values()), values
        except SymattnError:
            return None

    def _derived(self, s: Statement, d: Definition) -> Definition:
        """A definition with dV/dr written out, before r has a value."""
        made = {}
        for slope in d.expr.atoms(Partial):
            top, by = slope.args
            if isinstance(top, sp.Symbol) and isinstance(by, sp.Symbol):
                system = self.versions.so_far(replace(s, lhs=top, rhs=sp.S.Zero))
                with suppress(SymattnError):
                    made[slope] = slope_of(system, top, by.name, ())
        return define(d.name, d.indices, d.expr.xreplace(made)) if made else d

    def _sizes(self, s: Statement, exprs: list[Any], values: list[Value]) -> dict[Any, Any] | None:
        """The number that every size has at these values; None where two of them differ."""
        lengths = {v.definition.name: [i.upper + 1 for i in v.definition.indices] for v in values}
        found: dict[Any, Any] = {}
        for expr in exprs:
            for b in expr.atoms(sp.IndexedBase):
                of = lengths.get(b.name)
                if of is None:
                    continue
                if len(of) != len(b.shape):
                    return None
                for size, number in zip(b.shape, of, strict=True):
                    if size != number and found.setdefault(size, number) != number:
                        return None
        free = {x for e in exprs for i in e.atoms(sp.Idx) for x in i.upper.free_symbols} - {*found}
        for size in sorted(free, key=str):
            if (value := self._in_force(s, str(size))) is not None:
                found[size] = value.definition.expr
        return found if all(k.is_Symbol for k in found) else None

    def outcome(self, s: Statement) -> tuple[Outcome, list[Value], str] | None:
        """The numbers of both sides of a claim, what they come from, and a doubt about that."""
        if self.gives(s.line, s.column):
            return None
        if not s.number:  # and not the 3/2 ≈ 1.7 of z = 3/2 ≈ 1.7
            s = self.claims.get((s.line, s.column), s)
        elif s.rhs is not None and names(s.rhs):
            s = self._bare(s)
        if s.rhs is None or names(s.rhs) or not (s.rhs.is_number or s.letters):
            return None
        if s.relation not in ("=", ":=", "≈", "\\approx") or not names(s.lhs):
            return None
        if s.name and not self._settled(s):
            return None
        found = self._computed(s)
        if found is None:
            return None
        result, values = found
        return result, values, self._doubt(s, values) or self._otherwise(s, values)

    def _computed(self, s: Statement) -> tuple[Outcome, list[Value]] | None:
        """Both sides at the values in force."""
        if s not in self._known:
            found = self.system(s)
            self._known[s] = None
            if found is not None:
                result = self._compared(s, *found, False)
                if self._scaled(s, found[2]):
                    scaled = self._compared(s, *found, True)
                    result = self._agreed(s, found[2], result, scaled)
                self._known[s] = None if result is None else (result, found[2])
        return self._known[s]

    def _agreed(
        self, s: Statement, values: list[Value], written: Outcome | None, scaled: Outcome | None
    ) -> Outcome | None:
        """The outcome in units, or as the numbers are written where not all of these are said.

        What agrees as it is written alone is open beside a unit of its own: 4000 J of 500 g, and
        1 kWh of P t / 1000.
        """
        if scaled is not None and scaled.verdict == "proved":
            return scaled
        if not self._all_said(s, values):
            return written
        if written is None or written.verdict != "proved":
            return scaled
        return replace(written, verdict="unproved") if self._unit(s).said else written

    def _compared(
        self, s: Statement, claim: Statement, system: System, values: list[Value], scaled: bool
    ) -> Outcome | None:
        """Both sides as the numbers are written, or in the units that words give them."""
        rounded: dict[Fraction, Fraction] = {}
        made = {d.name: d for d in system}
        for v in values:
            factor = (v.unit.factor or Fraction(1)) if scaled else Fraction(1)
            for x, ulp in decimals(v.latex).items():
                rounded |= {} if is_exact(x, ulp) else {x * factor: ulp * factor}
            if factor != 1:
                d = made[v.definition.name]
                made[d.name] = define(d.name, d.indices, d.expr * sp.Rational(factor))
        if scaled:
            claim = replace(claim, lhs=claim.lhs / sp.Rational(self._unit(s).factor or 1))
        return numeric(claim, System(*made.values()), s.whole, rounded)

    def _unit(self, s: Statement) -> Unit:
        """The unit of the number that a claim gives."""
        if not s.number and (known := self.units.get((s.line, s.column))):
            return known
        own = inside(s.latex)[1]
        place = self.outline.position(s.line, s.column)
        return own if own.said else behind(self.outline.text, place + len(s.whole))

    def _bare(self, s: Statement) -> Statement:
        """A link to a number with its unit as one to the number: = 200 mW as = 200."""
        bare, unit = inside(s.latex)
        d = _value(f"x = {sides(bare)[0][-1]}", frozenset()) if unit.said else None
        return s if d is None or d.indices else replace(s, rhs=d.expr)

    def _scaled(self, s: Statement, values: list[Value]) -> bool:
        """Some unit is no plain one of the SI."""
        return any(u.factor != 1 for u in (self._unit(s), *(v.unit for v in values)))

    def _all_said(self, s: Statement, values: list[Value]) -> bool:
        """Every value has a unit of known scale; a claim without one is of a plain number."""
        return bool(self._unit(s).factor) and all(v.unit.said and v.unit.factor for v in values)

    def _doubt(self, s: Statement, values: list[Value]) -> str:
        """Why a number may be one of other values, or of another thing of that name.

        A lone number is one of the values in its sentence, or of those just before it.
        """
        text, place = self.outline.text, self.outline.position(s.line, s.column)
        last = max(self.outline.position(v.line, v.column) + len(v.latex) for v in values)
        words = text[min(last, place) : place]
        if text.count("$$", 0, min(last, place)) % 2 == 0:
            words = _BEGUN.sub("", words)
        words = FORMULA.sub(" ", _EDGE.sub("", words))
        behind = re.match(r"[^.\n]{0,60}", text[place + len(s.latex) :])
        before = self.outline.sentence(s.line, s.column)
        after = re.sub(r"<!--.*|(?<!\\)%.*", " ", behind[0]) if behind else ""
        if self._scaled(s, values) and not self._all_said(s, values):
            return "its numbers may be in other units"
        around = " ".join((before, words, after))
        around = _EXTREME.sub(" ", around) if _MARKED.search(sides(s.latex)[0][0]) else around
        said = of_another(around)
        if said:
            return f"the words around it say “{said[0]}”"
        between = [x for x in _STOP.split(words)[1:] if x.strip()]
        near = not between or (len(between) == 1 and _SO.match(between[0]))
        written = names(s.lhs) == {v.definition.name for v in values}  # r^{12} of r = 2^{1/12}
        exactly = written and not any(decimals(v.latex) or v.definition.indices for v in values)
        plain = bool(near or s.letters or (exactly and not s.name))
        return "" if plain else FAR

    def _otherwise(self, s: Statement, values: list[Value]) -> str:
        """The line of another number for the name at these values, which is right."""
        written = sides(s.latex)[0][0]
        others = [c for c in self.claims.values() if c != s and sides(c.latex)[0][0] == written]
        for c in others if s.name else ():
            found = self._computed(c)
            if found and found[0].verdict == "proved" and found[1] == values:
                return f"line {c.line} gives what {s.name} is at these values"
        return ""


def of_another(words: str) -> re.Match[str] | None:
    """Words that say a number is no value of the formula, or not at the values before it."""
    return _ELSE.search(_PUT.sub(" ", words))


def _shaped(d: Definition, rank: int) -> Definition | None:
    """The numbers with so many axes: a list of them may be a matrix of one column."""
    if len(d.indices) == rank:
        return d
    if (len(d.indices), rank) != (1, 2):
        return None
    (one,) = indices([f"{d.indices[0].name}1"], sp.Integer(1))
    return define(d.name, (*d.indices, one), d.expr)


def _named(latex: str) -> str:
    r"""A name as it is spelled: k_j of k_{j}, tau of \tau."""
    return _plainly(latex).replace("\\", "")


def _plainly(latex: str) -> str:
    return re.sub(r"[\s{}]|\\(?:mathrm|text)(?![A-Za-z])", "", latex)


def _roots(found: Reading) -> frozenset[str]:
    """The names that are positive, so that their squares say what they are."""
    sides = (x for s in found.statements for x in (s.lhs, s.rhs) if x is not None)
    positive = (x.name for side in sides for x in side.free_symbols if x.is_nonnegative)
    return frozenset({*positive, *found.document.assumed})


@lru_cache(maxsize=4096)
def _value(latex: str, roots: frozenset[str]) -> Definition | None:
    """What x = (1, 2) gives to x; None for what gives no numbers, and for a square of any sign."""
    found = _VALUE.fullmatch(latex.strip().rstrip(".,;"))
    if found is None or re.search("[A-Za-z]", _LAYOUT.sub("", found["value"])):
        return None
    try:
        document = read(f"$$ {latex} $$", strict=False)
    except (SymattnError, *UNFORESEEN):
        return None
    (d, *more) = (*document.definitions.values(), None)
    sizes = d is None or any(not (i.upper + 1).is_Integer for i in d.indices)
    if d is None or any(more) or sizes or names(d.expr):
        return None
    return d if d.name in roots or d.name not in document.assumed else None


__all__ = ["Value", "Worked", "of_another"]
