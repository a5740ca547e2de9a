"""Which definition of a name is in force at a formula.

A text defines S once as Q Kᵀ and later as Q Kᵀ/√d, and a worked example gives it numbers.  The
definition in force is the last one before the formula; numbers are in force to the end of their
section.  A refutation must hold under every version of what it rests on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import sympy as sp

from ..errors import SymattnError
from ..objects import Inverse, Loss, Partial
from ..read import units
from ..read.denied import denied
from ..read.names import reached
from ..read.sequences import ClosedForm, Values
from ..read.sums import SERIES
from ..syntax import Definition, System, define
from .components import Components
from .edits import tokens
from .inside import TIMES, names, partials
from .inside import functions as applied
from .integrals import Integrals
from .links import sides
from .outline import Outline
from .qualities import INLINE, LABEL, NAMES, SENTENCE
from .statements import Reading, Statement, Unread
from .stepping import open_still
from .told import Told

FAR = 300  # characters before and behind one that hold its sentence
REACH = 48  # characters before a formula that hold the words before it
_SOLVES = re.compile(r"\b(?:solved by|solutions?)\b", re.IGNORECASE)
ALTERNATIVES = 6  # systems under which a refutation is tried again
AVERAGES = ("mean_", "var_", "cov_")  # as names of quantities begin
_SPELLED = re.compile(r"[{}\s]")
_LABELLED = re.compile(r"_(?:\\(?:text|mathrm|textrm|mathsf|rm)|\\)?(\w+)$")


@dataclass(frozen=True)
class Version:
    """One definition of a name; `numbers` says that it holds nothing but numbers.

    One in a `case`, if Σ x = 1 then S = a, is in force where no other of its section is.
    """

    name: str
    line: int
    column: int
    definition: Definition
    numbers: bool
    end: int  # the line at which its section ends
    latex: str
    case: bool = False


class Versions(Told):
    """All definitions that a document gives, by name and in order."""

    def __init__(self, found: Reading, outline: Outline) -> None:
        self.document, self.outline = found.document, outline
        outline.premised = frozenset(found.document.premises)
        outline.unconditional(found.document.namings)
        self.integrals = Integrals(self)
        self.statements, self.unread = found.statements, found.unread
        made = {  # 𝔼[x²] is made by none of what is claimed of it
            s.name for s in found.statements if s.kind != "claim" or not s.name.startswith(AVERAGES)
        }
        self.stated: dict[str, list[Statement]] = {}  # the equations for a name
        for s in found.statements:
            if not s.number:
                self.stated.setdefault(s.name, []).append(s)
        self._solved: dict[str, set[int]] = {}  # parts with an equation for a name that holds it
        for s in found.statements:
            if s.name and s.relation == "=" and s.rhs is not None and s.name in names(s.rhs):
                self._solved.setdefault(s.name, set()).add(outline.part(s.line))
        self.table: dict[str, list[Version]] = {  # what is inverted or derived has no statement
            d.name: [Version(d.name, 0, 0, d, not names(d.expr), 1 << 62, "")]
            for d in found.document
            if d.name not in made
        }
        self._beside = frozenset(n for n in self.table if n.startswith(AVERAGES))
        said = {n: u for u in found.unread if (n := _written(u.latex)) and not self._updates(n, u)}
        self.unheard = {n: u.line for n, u in said.items()}
        self.unread_first = {_written(u.latex): u.line for u in reversed(found.unread)}
        self.instead: list[
            tuple[int, str, str]
        ] = []  # those of them that give a name another formula
        self.unsaid = tuple(self._unsaid(found))
        self.settles: Callable[[Statement], bool] = lambda _: False  # whether it is proved
        self.follows: Callable[[Statement], bool] = lambda _: False  # and with no other claim
        self._sums: dict[tuple[str, Any], Version] = {}  # endless ones, by what they come to
        self.scripted = {  # in lines that were not read: x_k, which no number x is
            u.line for u in found.unread if "_" in re.sub(r"\s", "", sides(u.latex)[0][0])
        }
        for part, (_, whole) in getattr(found.document, "parts", {}).items():
            if part in self.unheard:
                self.unheard.setdefault(whole, self.unheard[part])
        self.applied = {u.line for u in found.unread if "(" in sides(u.latex)[0][0]}
        written = [(s.line, s.whole) for s in found.statements]
        written += [(u.line, u.latex) for u in found.unread]
        self.components = Components(written, outline)
        self.given = [s for s in found.statements if s.kind == "fact"]
        self.until: dict[Statement, tuple[int, int]] = {}
        self.stands: Callable[[Statement], bool] = lambda s: True  # as definitions have it
        self.undone: set[str] = set()  # of which something else says what it is
        self.again: dict[str, list[Version]] = {}  # claims that may be definitions all the same
        self._systems: dict[Any, System | None] = {}
        self._chains: dict[Statement, Definition | None] = {}
        self.valued: dict[Statement, Definition] = {}  # the links of a = -b = 1
        for s in found.statements:
            definition = self._valued_in(s, found) or self._definition(s)
            if definition is not None:
                again = s not in self.valued and self._again(s, definition)
                table = self.again if again else self.table
                table.setdefault(definition.name, []).append(
                    Version(
                        definition.name,
                        s.line,
                        s.column,
                        definition,
                        not names(definition.expr),
                        outline.end(s.line),
                        s.latex,
                        self._in_a_case(s),
                    )
                )

    def _valued_in(self, s: Statement, found: Reading) -> Definition | None:
        """What a link of a = -b = 1 says its name is, where nothing but numbers defines the names.

        Not where the words say that these follow, and others were given before.
        """
        if s.rhs is None or _signed(s.lhs) is None or not (_signed(s.rhs) or s.rhs.is_number):
            return None
        if s not in self._chains:
            chain = [t for t in found.statements if (t.line, t.column) == (s.line, s.column)]
            ends = [_signed(t.lhs) for t in chain]
            value = chain[-1].rhs
            made: dict[Statement, Definition] = {}
            if len(chain) > 1 and all(ends) and getattr(value, "is_number", False):
                for t, (sign, name) in zip(chain, filter(None, ends), strict=True):
                    made[t] = define(name, (), sign * value)
            every = [v for d in made.values() for v in self.table.get(d.name, ()) if v.line]
            kept = all(v.numbers for v in every) and not (every and self.said_to_be(s))
            self._chains |= {t: made.get(t) if kept else None for t in chain}
        if (d := self._chains[s]) is not None:
            self.valued[s] = d
        return d

    def _in_a_case(self, s: Statement) -> bool:
        """What defines a name there is said of a case, in symbols or, in a sentence, in words."""
        outline, place = self.outline, (s.line, s.column)
        if outline.exactly(*place):
            return False
        if outline.in_a_case(*place) or outline.for_this(*place):
            return True
        if s.name.endswith("_star"):  # N* of an equilibrium has its case in its name
            return False
        if outline.in_a_state(*place) or outline.is_a_solution(*place, s.whole):
            return True
        return s.inline and bool(self.outline.condition(*place))

    def _updates(self, name: str, u: Unread) -> bool:
        """A formula that was not read puts another value in the place of a name, step by step."""
        right = " ".join(sides(u.latex)[0][1:])
        own = re.search(rf"(?<![A-Za-z]){re.escape(name.split('_')[0])}(?![A-Za-z])", right)
        return bool(own) and bool(_UPDATE.search(self.outline.sentence(u.line, u.column)))

    def _unsaid(self, found: Reading) -> Iterator[tuple[tuple[int, int], str]]:
        """Place and name of every m = … of a sentence that was left out: if, when, set m = 0."""
        every = (*(s.whole for s in found.statements), *(u.latex for u in found.unread))
        heard = "".join("".join(x.split()) + " " for x in every)
        text = self.outline.text
        for formula in INLINE.finditer(text):
            said = formula[1] or formula[2]
            parts, name = sides(units.inside(said)[0])[0], _written(said)  # and no 9.81 m/s of an m
            left, right = (_SPELLED.sub("", x) for x in (parts[0], parts[-1]))
            label = _LABELLED.search(left)
            own = left if label else name.split("_")[0]  # ω_d = ω_0 √(1 - ζ²) is made of another ω
            alone = rf"(?<![A-Za-z]){re.escape(own)}(?![A-Za-z])"
            made = name and re.search(r"[A-Za-z]", right) and not re.search(alone, right)
            line = text.count("\n", 0, formula.start()) + 1
            words = SENTENCE.split(text[: formula.start()][-FAR:])[-1]
            anew = made and len(parts) == 2 and not _BARE.fullmatch(right) and _ANEW.search(words)
            if anew and "".join(said.split()) not in heard:
                self.instead.append((line, name, right))
            if _POINT.search(text[: formula.start()][-REACH:]):
                continue  # at $x = …$
            zero = _SET.search(text[: formula.start()][-REACH:]) and _ZERO.match(parts[-1])
            made = bool(made) or bool(name and zero)
            another = left.lstrip("\\") != own.lstrip("\\")
            tied = not made and "=" in said and (another or re.search(alone, right))
            if tied and _SET.search(text[: formula.start()][-REACH:]):  # assume that a^2 = a
                before, behind = map(
                    SENTENCE.split, (text[: formula.start()][-FAR:], text[formula.end() :][:FAR])
                )
                if "".join(said.split()) not in heard and not denied(before[-1], behind[0]):
                    place = self.outline.place(formula.start())
                    yield from ((place, n) for n in NAMES.findall(said))
            if made and name and "".join(said.split()) not in heard:
                place = self.outline.place(formula.start())
                yield place, name
                if label:  # or an index
                    yield place, f"{name}_{label[1]}"

    def _again(self, s: Statement, d: Definition) -> bool:
        """The same name of the same inputs, in one section or recalled: a claim, no definition."""
        if s.kind == "definition" or s.name not in self.table:
            return False
        last = self.table[s.name][-1]
        if last.numbers and not names(d.expr):
            return self.said_to_be(s)
        return (
            (
                self.outline.section(last.line) == self.outline.section(s.line)
                or self.outline.recalls(s.line, s.column)
            )
            and last.numbers == (not names(d.expr))
            and self._inputs(names(d.expr)) == self._inputs(names(last.definition.expr))
        )

    def said_to_be(self, s: Statement) -> bool:
        """No words begin another example, or they say that the numbers follow, or are known."""
        place, outline = (s.line, s.column), self.outline
        apart = outline.follows(*place) is False
        return not apart or outline.recalls(*place) or outline.asserts(*place)

    def _inputs(self, start: set[str]) -> set[str]:
        """The names that these rest on and that nothing defines so far."""
        found: set[str] = set()
        todo = sorted(start)
        while todo:
            name = todo.pop()
            if name not in found:
                found.add(name)
                for v in self.table.get(name, ())[-1:]:
                    todo += sorted(names(v.definition.expr))
        return found - self.table.keys()

    @cached_property
    def rates(self) -> frozenset[str]:
        r"""What is derived by as ∂L/∂\dot q: q and its rate are variables of their own."""
        every = [p for s in self.statements for p in _partials(s)]
        by = {p: {n for n in names(p.args[1]) if n.endswith("_dot")} for p in every}
        tops = set().union(*(names(p.args[0]) for p in every if by[p]))
        inside = {n for n in self.made_of(tops) if n.endswith("_dot")}  # and so are the others of L
        return frozenset(inside.union(*by.values()))

    @cached_property
    def differentiated(self) -> frozenset[str]:
        """The names that a derivative of the text is of or by."""
        every = [p for s in self.statements for p in _partials(s)]
        return frozenset(n for p in every for x in p.args for n in names(x))

    def rate(self, name: str, s: Statement) -> Any:
        r"""What the section says that \dot x or dx/dt is; None where it says nothing or twice."""
        section = self.outline.section
        here = [t for t in self.statements if t.rhs is not None and t.relation in ("=", ":=")
                and section(t.line) == section(s.line)]  # fmt: skip
        said = {f"{name}_dot", *(f"d{name}/d{t}" for t in TIMES)}
        found = [t.rhs for t in here if str(t.lhs) in said]
        return found[0] if len(found) == 1 else None

    @cached_property
    def moving(self) -> frozenset[str]:
        """What the text derives by the time, or dots, and does not define: it hangs on the time."""
        sides = [x for s in self.statements for x in (s.lhs, s.rhs) if x is not None]
        found = {n.removesuffix("_dot") for x in sides for n in names(x) if n.endswith("_dot")}
        for p in (p for s in self.statements for p in _partials(s)):
            bare = isinstance(p.args[0], sp.Symbol | sp.Indexed)
            if bare and names(p.args[1]) & TIMES and not p.atoms(Loss):
                found |= names(p.args[0])
        return frozenset(found - self.table.keys() - TIMES)

    @cached_property
    def spoken(self) -> frozenset[str]:
        """Every name that some statement has, and every letter of what was not read."""
        sides = (x for s in self.statements for x in (s.lhs, s.rhs) if x is not None)
        unread = (re.findall(r"[A-Za-z]+", u.latex) for u in self.unread)
        return frozenset().union(*map(names, sides), *unread)

    @cached_property
    def named(self) -> frozenset[str]:
        """Every name that some definition of the document defines or uses."""
        known = [v for versions in self.table.values() for v in versions]
        return frozenset(self.table).union(*(names(v.definition.expr) for v in known))

    def _summed(self, s: Statement) -> bool:
        """Its left side is an endless sum of what the document defines."""
        left = sides(s.latex)[0][0]
        if not s.name.startswith(SERIES) or r"\infty" not in left:
            return False
        return any(t.lstrip("\\") in self.document.definitions for t in tokens(left))

    def _definition(self, s: Statement) -> Definition | None:
        """What a statement with a bare name on the left would define; None for a recursion."""
        claim = self.document.sequences.get((s.line, s.column))
        if isinstance(claim, ClosedForm | Values) and open_still(claim):
            self.undone.add(s.name)
            return None  # the recursion says what it is
        if self._averaged(s.name) or _evaluated(s):
            return None
        if s.kind == "claim" and self._averages(s.name):
            return None
        if self._summed(s):
            self.undone.add(s.name)
            return None  # what is summed says what it comes to
        if s.kind == "definition":
            return self.document.definitions.get(s.name)
        if s.kind == "numeric" and not (s.rhs is None or names(s.rhs) or _sizes(s.rhs)):
            return self._made(s)  # A ≈ numbers: in what follows A is these, rounded
        if not s.name or s.number or s.kind != "claim" or s.relation not in ("=", ":="):
            return None
        if s.name in self.integrals.written or s.name in self._beside:
            return None  # what it comes to is found, and not said
        if s.name.startswith(AVERAGES) and any(n.startswith(AVERAGES) for n in names(s.rhs)):
            return None  # 𝔼[x y] = 𝔼[x] 𝔼[y] is said of what words say of x and y
        base = getattr(s.lhs, "base", None)
        if isinstance(base, Inverse) and base.of.name in self.document.definitions:
            return None  # the inverse of what is known is known
        return None if s.name in self._resting(s) else self._made(s)

    def _averaged(self, name: str) -> bool:
        """The mean or variance of what is defined, which follows from that."""
        return name.startswith(AVERAGES) and name.split("_", 1)[1] in self.document.definitions

    def _averages(self, name: str) -> bool:
        """An average in which something stands that is defined, E[x Y]: it follows as well."""
        inside = f"_{name.split('_', 1)[-1]}_"
        known = self.document.definitions
        return name.startswith(AVERAGES) and any(f"_{x}_" in inside for x in known)

    def _resting(self, s: Statement) -> set[str]:
        """What its right side rests on, as its section defines that: x = α y − σ v is no new x."""
        section, found, todo = self.outline.section(s.line), set[str](), sorted(names(s.rhs))
        while todo:
            name = todo.pop()
            last = self.table.get(name, ())[-1:] if name not in found else ()
            found.add(name)
            for v in last:
                if not v.line or self.outline.section(v.line) == section:
                    todo += sorted(names(v.definition.expr))
        return found

    def _made(self, s: Statement) -> Definition | None:
        """name = right side."""
        if not s.name:
            return None
        try:
            letters = s.lhs.indices if isinstance(s.lhs, sp.Indexed) else ()
            return define(s.name, letters, s.rhs)
        except SymattnError:
            return None

    def before(self, s: Statement, name: str = "") -> Version | None:
        """The version of a name that is in force at a statement, itself left out."""
        place = (s.line, s.column)
        known = [v for v in self.table.get(name or s.name, ()) if (v.line, v.column) != place]
        known = [v for v in known if not self._foreign(s, v) and not self.over(s, v)]
        earlier = [v for v in known if (v.line, v.column) < place]
        scoped = [v for v in earlier if not v.numbers or s.line < v.end]
        made = [v for v in scoped if not v.numbers]
        if (
            made
            and scoped[-1].numbers
            and self.outline.part(made[-1].line) == self.outline.part(scoped[-1].line)
        ):  # f = -3 at the minimum says nothing else of f
            scoped = made
        always = [v for v in scoped if not v.case]
        if always and always[-1].end == scoped[-1].end:  # S = a of a case changes no S = a Σ x
            return always[-1]
        if scoped:
            return self._of_cases(s, scoped)
        if not name and s.name.startswith(AVERAGES):  # E[x y] = b, and = a before it
            return None
        later = [v for v in known if (v.line, v.column) > place]
        later = [v for v in later if not v.numbers or self._beside_it(v, place)]
        later = [v for v in later if not v.case or self._said_of(v, place)]
        return later[0] if later else None

    def _said_of(self, v: Version, place: tuple[int, int]) -> bool:
        """A case in the sentence of what stands before it, or what that is solved by."""
        own = (v.line, v.column)
        solves = _SOLVES.search(self.outline.sentence(*own)) is not None
        return solves or self.outline.together(place, own)

    def _beside_it(self, v: Version, place: tuple[int, int]) -> bool:
        """A matrix of numbers behind a formula of its sentence: R' = J R, J = (0, -1; 1, 0)."""
        return bool(v.definition.indices) and self.outline.together(place, (v.line, v.column))

    def _of_cases(self, s: Statement, scoped: list[Version]) -> Version:
        """Of versions of which the last is of a case the one in the sentence, or the first.

        When samples are pooled, m = …; if they are of one size, m = …: behind it the first counts.
        """
        last, here, outline = scoped[-1], (s.line, s.column), self.outline
        begin = next((v for v in scoped if v.end == last.end), last)
        own = outline.together((last.line, last.column), here) or outline.condition(*here)
        cases = all(v.case for v in scoped if v.end == last.end)
        return begin if last.case and cases and not own and not s.name else last

    def _foreign(self, s: Statement, version: Version) -> bool:
        """A version of another part, where an equation like x = a cos x says what it is here."""
        part = self.outline.part
        here = part(s.line) in self._solved.get(version.name, ())
        return here and bool(version.line) and part(version.line) != part(s.line)

    def settle(self, proves: Callable[[Statement, System], bool]) -> None:
        """Leave out the equations x = a - b x that what x is said to be before them meets."""
        asked, self._solved = self._solved, {}
        left: dict[str, set[int]] = {}
        for s in self.statements if asked else ():
            if (
                s.name not in asked
                or s.relation != "="
                or s.rhs is None
                or s.name not in names(s.rhs)
            ):
                continue
            known = (v for v in self.table.get(s.name, ()) if not v.numbers)
            before = [v for v in known if (0, 0) < (v.line, v.column) < (s.line, s.column)]
            if not any(proves(s, x) for v in before[-1:] for x in self.with_version(s, v)):
                left.setdefault(s.name, set()).add(self.outline.part(s.line))
        self._solved = left

    def over(self, s: Statement, v: Version) -> bool:
        """A version of a case that words have left since: in resonance ω = …, in general Z = ….

        It has its condition in the words of its sentence, or is no more than b = a: of a square,
        and of no rectangle.
        """
        one, here, outline = (v.line, v.column), (s.line, s.column), self.outline
        if not v.line or one >= here or outline.together(one, here):
            return False
        if outline.any_other(one, here, v.name):
            return True
        if outline.begun_case(*one) not in (None, outline.begun_case(*here)):
            return True  # Case 1: …, and Case 2: …
        stem = v.name.rstrip("'")  # y' = 2 x is of the y before it, and of no later one
        tables = (self.table, self.again) if stem != v.name else ()
        if any(one < (x.line, x.column) < here for t in tables for x in t.get(stem, ())):
            return True
        value = v.definition.expr
        special = (isinstance(value, sp.Symbol) or v.numbers) and here not in outline.premised
        if special and outline.kind(one) != outline.kind(here) != "":
            return True
        if isinstance(value, sp.Symbol) and outline.apart(one, here, v.name, value.name):
            return True
        return self._of_a_case(v) and outline.in_general(one, here)

    def anew(self, s: Statement) -> bool:
        """Words have left all that was said of the name of an equation before it."""
        place = s.line, s.column
        earlier = [v for v in self.table.get(s.name, ()) if (0, 0) < (v.line, v.column) < place]
        return bool(earlier) and all(self.over(s, v) for v in earlier)

    def elsewhere(self, s: Statement, v: Version) -> bool:
        """A version of a case that is not that of a statement, or not for certain."""
        one, here, outline = (v.line, v.column), (s.line, s.column), self.outline
        if not v.line or one >= here or outline.together(one, here):
            return False
        other = bool(outline.condition(*here)) or outline.in_a_state(*here)
        return (other and self._of_a_case(v)) or self.over(s, v)

    def _of_a_case(self, v: Version) -> bool:
        return v.case or bool(self.outline.condition(v.line, v.column))

    def system(self, s: Statement, more: Iterable[str] = ()) -> System:
        """The definitions in force at a statement that it, or one of these names, reaches."""
        return next(self._built(s, {}, more), self.document)

    def among(self, s: Statement, written: Iterable[str]) -> System:
        """The definitions in force at a place of the names that are written there."""
        used = {n for n in self.table if n.split("_")[0] in written}
        there = {n: v for n in sorted(used) if (v := self.before(s, n)) is not None}
        return next(self._built(s, there, used), self.document)

    def others(self, s: Statement) -> Iterator[System]:
        """The systems under other versions of what the statement rests on, the document's first."""
        first = self.system(s)
        seen = {system_key(first)}
        for system in self._all(s):
            if system_key(system) not in seen:
                seen.add(system_key(system))
                yield system
            if len(seen) > ALTERNATIVES:
                return

    def restated(self, s: Statement) -> Iterator[tuple[Statement, System]]:
        """What the section says again of a name, with the definitions where that defines it."""
        for name in self._reached(s, {}):
            for version in self.again.get(name, ()):
                place = (version.line, version.column)
                said = next(x for x in self.statements if (x.line, x.column) == place)
                if place != (s.line, s.column):
                    yield from ((said, system) for system in self._built(s, {name: version}))

    def made_of(self, start: Iterable[str]) -> set[str]:
        """These names, and all that they are made of by any of their definitions."""
        uses = {
            name: set[str]().union(*(names(v.definition.expr) for v in several))
            for name, several in self.table.items()
        }
        return reached(start, uses)

    def made_by(self, s: Statement) -> Version | None:
        """The version that a statement makes of its name, in force or not."""
        known = (*self.table.get(s.name, ()), *self.again.get(s.name, ()))
        return next((v for v in known if (v.line, v.column) == (s.line, s.column)), None)

    def with_version(self, s: Statement, version: Version) -> Iterator[System]:
        """The definitions in force at a statement, with this one for its name."""
        return self._built(s, {version.name: version})

    def with_versions(self, s: Statement, several: Mapping[str, Version]) -> System | None:
        """The definitions in force at a statement, with these for their names."""
        return next(self._built(s, several), None)

    def called(self, name: str, s: Statement) -> str:
        """What a name of the words beside a statement is called: b_2 for the b of a section."""
        section = self.outline.section
        near = [t for t in self.statements if section(t.line) == section(s.line)]
        here = set[str]().union(*(names(t.lhs) | names(t.rhs) for t in near))
        own = (n for n in sorted(here) if re.fullmatch(rf"{re.escape(name)}_\d+", n))
        return name if name in here else next(own, name)

    def brings(self, s: Statement) -> set[str]:
        """The names on its right side that no statement before it has; averages are of such."""
        place = (s.line, s.column)
        earlier = (t for t in (*self.statements, *self.given) if (t.line, t.column) < place)
        known = set[str]().union(*(names(t.lhs) | names(t.rhs) for t in earlier))
        return {n for n in names(s.rhs) - known - names(s.lhs) if not n.startswith(AVERAGES)}

    def later(self, s: Statement, system: System) -> bool:
        """A system has a definition that stands behind a statement, and another is in force there.

        What is said first may be free, and what is not said before it is what stands behind it.
        """
        known = (v for several in self.table.values() for v in several)
        used = (v for v in known if v.definition in tuple(system) and v.line > s.line)
        return any(v != self.before(s, v.name) for v in used)

    def so_far(self, s: Statement) -> System:
        """The definitions in force at a statement, without those that stand behind it."""
        later = {n: None for n in self.table if (v := self.before(s, n)) and v.line > s.line}
        return next(self._built(s, later), self.document)

    def without_later(self, s: Statement, system: System) -> System | None:
        """The system without what other sentences behind a statement define; None for nothing."""
        here, outline = (s.line, s.column), self.outline
        every = (v for several in self.table.values() for v in several)
        later = (v for v in every if (v.line, v.column) > here and v.definition in tuple(system))
        apart = {v.name: None for v in later if not outline.together(here, (v.line, v.column))}
        return next(self._built(s, apart), None) if apart else None

    def _all(self, s: Statement) -> Iterator[System]:
        """One name at a time has another version, and last all are as the document has them.

        What a later part defines may be free before it, and so may what is differentiated by.
        """
        yield from self.in_other_layout(s)
        for system in self._built(s, {}, loose=True):
            if all(names(p.args[1]) & closure(names(p.args[0]), system) for p in _partials(s)):
                yield system
        place = (s.line, s.column)
        reached = self._reached(s, {})
        part = self.outline.part
        later = [n for n, v in reached.items() if v.line > s.line and part(v.line) != part(s.line)]
        if later:
            yield from self._built(s, dict.fromkeys(later))
        bodies = (names(v.definition.expr) for v in reached.values())
        below = names(s.lhs).union(names(s.rhs), *bodies)
        for name in dict.fromkeys((*reached, *sorted(below & self.table.keys()))):
            for version in self.table.get(name, ()):
                if (version.line, version.column) != place:
                    yield from self._built(s, {name: version})
        yield from self._built(s, {}, anywhere=True)
        if loss := {n for p in _partials(s) for n in names(p.args[0])} - self.table.keys():
            yield from self._built(s, {}, self._derived_by(loss, self.outline.part(s.line)))
            yield from self._built(s, {}, self._derived_by(loss))
        here = self.outline.part(s.line)
        said = any(here in self._solved.get(n, ()) or self._averaged(n) for n in below)
        said = said or any(d.name in below for d in self.valued.values())  # a = b of a = b = 1
        if s.kind != "definition" and not self.undone and not said:  # which it would prove
            yield self.document

    def _derived_by(self, loss: set[str], part: int | None = None) -> list[str]:
        """What the document, or a part of it, derives a loss by: it is a function of no more."""
        part_of = self.outline.part
        said = (s for s in self.statements if part is None or part_of(s.line) == part)
        every = (p.args for s in said for p in _partials(s))
        return sorted(n for top, by in every if names(top) & loss for n in names(by))

    def in_other_layout(self, s: Statement) -> Iterator[System]:
        """The system with Jacobians turned, where the document does not say how they stand."""
        turned: dict[str, Version | None] = {}
        for name, version in self._reached(s, {}).items():
            if self.document.jacobians.get(name):
                d = version.definition
                letters = (*d.indices[:-2], d.indices[-1], d.indices[-2])
                turned[name] = replace(version, definition=define(name, letters, d.expr))
        if turned:
            yield from self._built(s, turned)

    def special(self, s: Statement, system: System) -> tuple[Version, ...]:
        """The versions of a system that do not hold at the statement.

        These are values of what is anything there, y = 1/n, definitions of another section
        where its own has one, and those that another one has taken the place of.
        """
        chosen = {id(d) for d in system}
        part, found = self.outline.part, []
        for name in sorted(closure(names(s.lhs) | names(s.rhs), system)):
            own = self.before(s, name)
            known = own is not None and own.line <= s.line and part(own.line) == part(s.line)
            here = known and name != s.name  # which may be said again
            for v in self.table.get(name, ()):
                elsewhere = v.numbers or v.case or (here and part(v.line) != part(s.line))
                past = known and own is not None and (v.line, v.column) < (own.line, own.column)
                if id(v.definition) in chosen and v.line and v != own and (elsewhere or past):
                    found.append(v)
        return tuple(found)

    def _reached(
        self,
        s: Statement,
        fixed: Mapping[str, Version | None],
        more: Iterable[str] = (),
        loose: bool = False,
    ) -> dict[str, Version]:
        found: dict[str, Version] = {}
        todo = sorted(names(s.lhs) | names(s.rhs) | set(more))
        free = varied(s) if loose else ()
        while todo:
            name = todo.pop(0)
            if name in fixed:
                version = fixed[name]
            else:
                version = None if name in free else self.before(s, name)
            if version is None and name in self.integrals.written and name not in fixed:
                version = self.integrals.version(name, s)
            if version is None and name.startswith(SERIES) and name not in fixed:
                version = self._come_to(name, s)
            if name in found or version is None:
                continue
            found[name] = version
            todo += sorted(names(version.definition.expr))
        return found

    def _come_to(self, name: str, s: Statement) -> Version | None:
        """What an endless sum is, where an equation before a statement says so and is proved."""
        for t in self.statements:
            if (t.line, t.column) >= (s.line, s.column):
                break
            summed = (
                isinstance(t.lhs, sp.Symbol) and t.lhs.name == name and t.relation in ("=", ":=")
            )
            if not summed or t.rhs is None or name in names(t.rhs) or not self.settles(t):
                continue
            key = name, t.rhs
            if key not in self._sums:
                numbers = not names(t.rhs)
                made = define(name, (), t.rhs)
                self._sums[key] = Version(name, 0, 0, made, numbers, 1 << 62, "")
            return self._sums[key]
        return None

    def _built(
        self,
        s: Statement,
        fixed: Mapping[str, Version | None],
        more: Iterable[str] = (),
        anywhere: bool = False,
        loose: bool = False,
    ) -> Iterator[System]:
        """At most one system; none where its definitions do not go together.

        With facts from `anywhere` before it; `loose` leaves free what it differentiates by.
        """
        reached = self._reached(s, fixed, more, loose)
        while True:
            told = self._told(s, reached.values(), anywhere)
            about = {n for f in told for n in names(f.lhs) | names(f.rhs)} | {*more}
            wider = self._reached(s, fixed, about, loose)
            if wider.keys() == reached.keys():
                break
            reached = wider  # with what the facts are about
        if any(self._foreign(s, v) for v in reached.values()):
            return
        chosen = tuple(reached.values())
        facts = (*self._about(s, chosen), *self._facts(s, chosen, anywhere))
        if (chosen, facts) not in self._systems:
            try:
                self._systems[chosen, facts] = System(*(v.definition for v in chosen), facts=facts)
            except SymattnError:
                self._systems[chosen, facts] = None
        system = self._systems[chosen, facts]
        if system is not None:
            yield system


_UPDATE = re.compile(r"\bupdat\w+|\bgradient (?:de|a)scent\b|\boptimi[sz]er\b", re.IGNORECASE)
_ANEW = re.compile(
    r"\b(?:if|when|suppos\w+|assum\w+|instead|let|take|consider|replac\w+|chang\w+)\b",
    re.IGNORECASE,
)
_SET = re.compile(
    r"\b(?:set|setting|assum\w+|suppose|let|take|taking)(?: [a-z]+){0,4}\s*$", re.IGNORECASE
)
_ZERO = re.compile(r"\s*(?:\\(?:math\w+|bm|boldsymbol)\s*\{?\s*)?0\}?\s*[.,]?\s*$")
_POINT = re.compile(r"\b(?:at|if|when|for|near|unless|whether)\s*$", re.IGNORECASE)
_BARE = re.compile(  # one letter, one number, a name with scripts
    r"-?(?:[A-Za-z]|\\[A-Za-z]+|[\d.]+)(?:[_^](?:\{[^{}]*\}|\w|\\[A-Za-z]+))*[.,;]?"
)
_ALONE = re.compile(
    r"[\s&{]*(?:\\(?:math\w+|bm|boldsymbol|bs|vec|hat|tilde|bar|text\w*|label\{[^{}]*\})[\s{]*)*"
    r"\\?(?P<name>[A-Za-z]+)\}*(?:[_^](?:\{[^{}]*\}|\\?\w+))*\}*\s*(?:\([^()=]*\))?[\s&]*$"
)


def _written(latex: str) -> str:
    """The letter on the left of an equation that was not read, where it stands alone."""
    parts, relations = sides(latex)
    found = _ALONE.match(parts[0]) if relations and relations[0] in ("=", ":=") else None
    name = found["name"] if found else ""
    if len(name) != 1 and not (found and "\\" + name in parts[0]):
        return ""
    if re.search(r"\\math(?:cal|scr|frak)(?![a-z])", parts[0]):
        name += "_cal"
    label = LABEL.search(parts[0])
    return f"{name}_{label[1] or 'star'}" if label else name


def _signed(side: Any) -> tuple[int, str] | None:
    """A bare name, or its negative."""
    if isinstance(side, sp.Symbol) and not side.is_integer:
        return 1, side.name
    inner = -side if isinstance(side, sp.Mul) else None
    return (-1, inner.name) if isinstance(inner, sp.Symbol) and not inner.is_integer else None


def _evaluated(s: Statement) -> bool:
    """A value of a function, p'(1), which comes to a name that its author did not write there."""
    left = sides(s.latex)[0][0]
    called = s.kind == "claim" and not s.number and re.search(r"[(']", left)
    parts = [x for x in s.name.split("_") if x.isalpha()]
    return bool(called and parts) and not any(
        re.search(rf"(?<![A-Za-z]){re.escape(x)}(?![A-Za-z])", left) for x in parts
    )


def _partials(s: Statement) -> list[Partial]:
    return partials(s.lhs, s.rhs)


def varied(s: Statement) -> set[str]:
    """What a statement differentiates by and derives nowhere: it may have any value there."""
    derived = [p for p in _partials(s) if not p.args[0].atoms(Partial)]  # ∂²u/∂x² is of u
    tops, below = (set().union(*(names(p.args[k]) for p in derived)) for k in (0, 1))
    return below - tops


def system_key(system: System) -> tuple[frozenset[int], tuple[sp.Eq, ...]]:
    """What tells one choice of definitions from another; a version is one object."""
    return frozenset(map(id, system)), system.facts


def _sizes(expr: Any) -> bool:
    return any(x.is_integer and x.is_positive for x in expr.atoms(sp.Symbol))


def functions(side: Any, system: System) -> set[str]:
    """The undefined functions that a side applies, in what it is made of as well."""
    inside = closure(names(side), system)
    every = (side, *(d.expr for d in system if d.name in inside))
    return {name for e in every for name in applied(e)}


def closure(start: Iterable[str], system: System) -> set[str]:
    """The names that these rest on, themselves included; of M and M⁻¹ the one that is defined."""
    found: set[str] = set()
    todo = list(start)
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            if name in system.definitions:
                todo += names(system.definitions[name].expr)
    for name in sorted(found):
        inverse = f"inverse({name})"
        found.discard(name if inverse in system.definitions else inverse)
    return found


__all__ = ["Version", "Versions", "closure", "functions", "system_key", "varied"]
