"""The facts in force at a statement: what sentences say of what it rests on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..read.ranges import NEAR
from ..syntax import System
from .inside import names, partials
from .links import sides
from .outline import Outline
from .qualities import INLINE
from .statements import Statement, as_fact

if TYPE_CHECKING:
    from .versions import Version

ASKED_OF = re.compile(  # right before a formula, or before others with it
    r"\b(?:with|where|such that|satisf\w+|assum\w+(?: that)?|suppos\w+(?: that)?|"
    r"normali[sz]\w+(?: [a-z]+){0,2}|subject to|under)\s*(?:the constraint\s*)?"
    r"(?:\$[^$]*\$[\s,]*(?:and\s*)?)*$",
    re.IGNORECASE,
)
_WITH = re.compile(
    r"\W*(?:(?:now|next|then|here|moreover|finally),?\s+(?:we\s+)?)?"
    r"(?:with|for|given|using|under|suppose|assume|consider)\b[^$.]*",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\\?(?P<name>[A-Za-z]+)\s*=\s*(?P<value>-?\d+(?:\.\d+)?)")


class Told:
    """What sentences take for true, as facts of the statements behind them."""

    document: Any
    outline: Outline
    given: list[Statement]  # what sentences take for true
    until: dict[Statement, tuple[int, int]]  # where that of kinds may hold no more
    stands: Callable[[Statement], bool]  # as definitions have it
    table: dict[str, list[Version]]

    def system(self, s: Statement, more: Iterable[str] = ()) -> System:
        raise NotImplementedError

    def made_of(self, start: Iterable[str]) -> set[str]:
        raise NotImplementedError

    def _reached(
        self,
        s: Statement,
        fixed: Mapping[str, Version | None],
        more: Iterable[str] = (),
        loose: bool = False,
    ) -> dict[str, Version]:
        raise NotImplementedError

    def _about(self, s: Statement, chosen: Iterable[Version]) -> tuple[sp.Eq, ...]:
        """The facts of the document about what a statement rests on."""
        here = names(s.lhs) | names(s.rhs)
        here = here.union(*(names(v.definition.expr) | {v.name} for v in chosen))
        return tuple(f for f in self.document.facts if here & (names(f.lhs) | names(f.rhs)))

    def _facts(self, s: Statement, chosen: Iterable[Version], anywhere: bool) -> tuple[sp.Eq, ...]:
        """What the sentences of the section, or of those before, say of what it rests on."""
        return tuple(as_fact(f) for f in self._told(s, chosen, anywhere))

    def _told(self, s: Statement, chosen: Iterable[Version], anywhere: bool) -> list[Statement]:
        if s.kind == "fact" or not self.given:
            return []
        here = names(s.lhs) | names(s.rhs)
        here = here.union(*(names(v.definition.expr) for v in chosen))
        found: dict[Any, list[Statement]] = {}
        for f in self._connected([f for f in self.given if self._near(f, s, anywhere)], here):
            said = found.setdefault(f.lhs, [])
            if said and self.outline.together((said[-1].line, said[-1].column), (f.line, f.column)):
                said.append(f)
            elif f.line <= s.line or not said:  # the last before it, or the next
                found[f.lhs] = [f]
        return [f for said in found.values() for f in said]

    def replaced(self, s: Statement) -> Statement | None:
        """A fact that a statement rests on, in place of which words before it put another one.

        If $u^\\top u = 2$ instead, behind $u^\\top u = 1$.
        """
        if not self.given:
            return None
        told = self._told(s, self._reached(s, {}).values(), False)
        return next((f for f in told if self._put_aside(f, s)), None)

    def _put_aside(self, f: Statement, s: Statement) -> bool:
        begin, end = (self.outline.position(x.line, x.column) for x in (f, s))
        left, right = (_loose(x) for x in (sides(f.latex)[0][0], f.latex))
        for m in INLINE.finditer(self.outline.text, begin + len(f.latex), max(begin, end)):
            said = m[1] or m[2]
            if "=" in said and _loose(sides(said)[0][0]) == left and _loose(said) != right:
                return True
        return False

    def _near(self, f: Statement, s: Statement, anywhere: bool) -> bool:
        """What a sentence says stands where it counts for a statement, and is not the same."""
        about = names(f.lhs) | names(f.rhs)
        same = about == names(s.lhs) | names(s.rhs) and _bare(f.latex) == _bare(s.latex)
        before = f.line <= s.line and not same
        section = self.outline.section
        beside = section(f.line) == section(s.line)
        inside = s.line < self.outline.end(f.line)
        if self.outline.in_a_case(f.line, f.column) and not 0 <= s.line - f.line <= NEAR:
            return False
        if self.outline.in_a_limit(f.line, f.column):
            return False
        here, there = (s.line, s.column), (f.line, f.column)
        if here < there and (self._begins(f) or f in self.until):
            return False
        if f in self.until and not here < self.until[f]:
            return False
        if self.outline.under_an_if(*there) and not self.outline.together(there, here):
            return False
        within = (anywhere and before) or (inside and (f.line <= s.line or beside))
        return within and bool(about) and self.stands(f)

    def _begins(self, f: Statement) -> bool:
        """A sentence begins with it, for what stands behind it: with $A^2 = I$ we get."""
        return _WITH.fullmatch(self.outline.leading(f.line, f.column)) is not None

    def _connected(self, facts: list[Statement], here: set[str]) -> list[Statement]:
        """Those about these names, and about what others tie them to: Σ a = Σ b, Σ b = 1.

        A law of motion is one of its own names alone.
        """
        about = {f: names(f.lhs) | names(f.rhs) for f in facts}
        laws = {f for f in facts if _moves(f)}
        chosen: set[Statement] = set()
        while more := {
            f
            for f in facts
            if f not in chosen and (about[f] <= here if f in laws else about[f] & here)
        }:
            chosen |= more
            here = here.union(*(about[f] for f in more))
        return [f for f in facts if f in chosen]

    def constrained(self, s: Statement) -> System | None:
        """The system with the facts about what is made of the names that a statement rests on.

        Σ w = 1 for w = 2 a, beside a; None where there is no such fact.
        """
        own = self._told(s, self._reached(s, {}).values(), False)
        here = self.made_of(names(s.lhs) | names(s.rhs)) - self.table.keys()
        more: set[str] = set()
        for f in self.given:
            about = names(f.lhs) | names(f.rhs)
            if f in own or _moves(f) or not self.made_of(about) & here:
                continue
            if self._near(f, s, False):
                more |= about
        values = [fact for name, fact in self._valued(s) if self.made_of([name]) & here]
        if not more and not values:
            return None
        system = self.system(s, more)
        return System(*system, facts=(*system.facts, *values))

    def _valued(self, s: Statement) -> Iterator[tuple[str, sp.Eq]]:
        """What is asked of numbers that are made of others: $s = \\sum_i x_i$ with $s = 1$."""
        for line, column, latex in getattr(self.document, "values", ()):
            found = _NUMBER.fullmatch(latex)
            if found is None or (line, column) > (s.line, s.column):
                continue
            if self.outline.section(line) != self.outline.section(s.line):
                continue
            words = self.outline.leading(line, column)
            made = [v for v in self.table.get(found["name"], ()) if not v.numbers]
            if made and not made[-1].definition.indices and ASKED_OF.search(words):
                value = sp.Rational(found["value"])
                yield found["name"], sp.Eq(made[-1].definition.expr, value)


def _moves(f: Statement) -> bool:
    """A law of motion, dx/dt = -y."""
    return bool(partials(f.lhs, f.rhs))


def _bare(latex: str) -> str:
    """A formula without its small letters: what says the same in other letters is no fact of it."""
    return re.sub(r"[a-z\s.,]", "", latex)


def _loose(latex: str) -> str:
    return re.sub(r"[\s{}.,;]", "", latex)


__all__ = ["ASKED_OF", "Told"]
