r"""Equations of commutators: [A, BC] = [A, B]C + B[A, C], and [x, p²] = 2iħp of [x, p] = iħ.

Proved is what follows from what the text supposes before it (operators.py).  Refuted is what does
not, and does with one sign, one number or two factors changed: then that is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from ..errors import SymattnError
from ..read.said import trees_of
from ..read.scan import scan
from ..read.source import UNFORESEEN
from ..read.tree import (
    EQUAL,
    Addition,
    Chain,
    Group,
    Name,
    Node,
    Number,
    Product,
    rebuilt,
    spelled,
    walk,
)
from ..read.words import sentences
from . import report
from .finding import Finding
from .operators import Algebra, Foreign, Poly, Supposed, apart, bracketed, key, named_in

if TYPE_CHECKING:
    from .outline import Outline

_WORDS = re.compile(
    r"\b(?:anti-?)?commutat(?:ors?|ion relations?)\b|\bLie (?:brackets?|algebras?)\b|"
    r"\bJacobi identity\b|\b(?:operators?|observables)\b[^.]*\$\s*(?:\\left\s*)?\[|"
    r"\$\s*(?:\\left\s*)?\[[^$]*=[^$]*\$[^.]*\boperators\b",
    re.IGNORECASE,
)
_WRITTEN = re.compile(  # [A, B] = A B - B A
    r"\[\s*(?P<a>[A-Za-z])\s*,\s*(?P<b>[A-Za-z])\s*\]\s*:?=\s*(?P=a)\s*(?P=b)\s*-\s*(?P=b)\s*(?P=a)"
)
_BRACES = re.compile(r"\banti-?commut\w*", re.IGNORECASE)
_OTHER = re.compile(r"\bPoisson\b|\bintervals?\b|\bgraded\b|\bsuper(?:algebra|commutator)", re.I)
_SUPPOSES = re.compile(
    r"\b(?:with|satisf\w+|obey\w*|such that|where|suppose|assume|let|if|given|from|since|because|"
    r"relations?|fulfil\w*|whose|that is|recall)\b[^.]*$",
    re.IGNORECASE,
)
_ADJOINT = re.compile(r"\b(?:Hermitian|self-?adjoint)\b", re.IGNORECASE)
_SAYS = re.compile(r"\b(?:have|holds?)\b[^.]*$", re.IGNORECASE)  # and brings what is first
_IN_A_CASE = re.compile(r"\b(?:if|when|whenever|unless|provided)\b[^.]*$", re.IGNORECASE)
_LEFT = re.compile(  # what was supposed before it
    r"\b(?:no longer|in general|any|arbitrary|otherwise|instead|drop|without|now|another|case)\b",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[.!?](?:\s|$)")
_ASKS = re.compile(r"\b(?:if|when|unless|only|not|solve|condition)\b", re.IGNORECASE)
OF_OPERATORS = "products of operators need not commute"


@dataclass(frozen=True)
class Equation:
    """Where it begins in the text, its line and column, and its sides."""

    at: int
    place: tuple[int, int]
    tree: Chain


class Commutators:
    """The equations of operators of a text."""

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        told = _WORDS.search(outline.text) or _WRITTEN.search(outline.text)
        self.speaks = bool(told) and not _OTHER.search(outline.text)
        self.braces = bool(_BRACES.search(outline.text))

    @cached_property
    def equations(self) -> list[Equation]:
        """All that are equations, in order."""
        found = list[Equation]()
        try:
            source = scan(self.outline.text, strict=False)
            spans = [*source.displays, *(d for _, spans in sentences(source) for d in spans)]
            for span in sorted(
                {(d.start, d.end): d for d in spans}.values(), key=lambda d: d.start
            ):
                for tree in trees_of(source, span):
                    if isinstance(tree, Chain) and all(r in EQUAL for r, _ in tree.relations):
                        found.append(Equation(tree.at, source.place(tree.at), tree))
        except (SymattnError, *UNFORESEEN):
            return []
        return found

    def at(self, line: int, column: int) -> Equation | None:
        """The equation at a place; None where there is none."""
        return next((e for e in self.equations if e.place == (line, column)), None)

    @cached_property
    def operators(self) -> frozenset[str]:
        """The names that are operators."""
        from .noncommuting import of_the_text

        try:
            inside = bracketed((e.tree for e in self.equations), self.braces)
        except Foreign:
            return frozenset()
        return inside | of_the_text(self.outline.text).keys()

    def finding(self, line: int, column: int, number: int = 0) -> Finding | None:
        """The verdict on an equation, or on a link of a chain; None where there is none."""
        if not self.speaks or self._otherwise:
            return None
        own = self.at(line, column)
        if own is None or number >= len(own.tree.sides) - 1 or not self._concerns(own):
            return None
        try:
            return self._found(own, number)
        except (Foreign, *UNFORESEEN):
            return None

    @cached_property
    def _otherwise(self) -> bool:
        """The text says that a bracket is something else: [A, B] = A B + B A."""
        for e in self.equations:
            words = self.outline.leading(*e.place)
            if not re.search(
                r"\b(?:denote|define|write|writing|let)\b[^.]*$", words, re.IGNORECASE
            ):
                continue
            left, right, *_ = e.tree.sides
            pair = isinstance(left, Group) and left.bracket in "[\\{" and len(left.items) == 2
            same = pair and _names_in(left) == _names_in(right) and not self._has_bracket(right)
            try:
                if same and apart(*map(self._algebra().poly, (left, right))):
                    return True
            except Foreign:
                continue
        return False

    def _concerns(self, e: Equation) -> bool:
        """A bracket of two stands in it, or in what is supposed before it."""
        return any(self._has_bracket(x.tree) for x in self.equations if x.at <= e.at)

    def _has_bracket(self, tree: Node) -> bool:
        pairs = "[" if not self.braces else ("[", "\\{")
        return any(
            isinstance(n, Group) and n.bracket in pairs and len(n.items) == 2 for n in walk(tree)
        )

    def _found(self, own: Equation, number: int) -> Finding | None:
        algebra, assumed = self._algebra(), (OF_OPERATORS,)
        if self._notation(own.tree, algebra):
            why = "says what a bracket stands for"
            return Finding(report.DEFINITION, why, assumed=assumed, kind="definition")
        sides = own.tree.sides[number : number + 2]
        if not any(self._operates(x, algebra) for x in sides):
            return None
        supposed = not number and self._supposed(own)
        inline = not number and supposed and self._is_inline(own)
        facts = [p for e in self._in_force(own) for p in self._facts(e, algebra)]
        follows, known = self._follows(algebra, facts, sides)
        if follows and spelled(sides[0]) != spelled(sides[1]):
            return Finding(report.PROVED, assumed=assumed, kind="claim")
        asks = _ASKS.search(self.outline.leading(*own.place))
        if not follows and known and not inline and not asks:
            for other in _slips(sides):
                try:
                    trivial = spelled(other[0]) == spelled(other[1])
                    if not trivial and self._follows(algebra, facts, other)[0]:
                        why = "one slip away from an identity of operators"
                        return Finding(report.REFUTED, why, assumed=assumed, kind="claim")
                except Foreign:
                    continue
        if supposed:
            return Finding(report.DEFINITION, "taken for true", assumed=assumed, kind="fact")
        return None

    def _in_force(self, own: Equation) -> Iterator[Equation]:
        """The equations before one that hold there.  Raises Foreign where a name has two."""
        before = [e for e in self.equations if e.at < own.at]
        heads = [str(spelled(e.tree.sides[0])) for e in before if self._head(e.tree)]
        if len({*heads}) < len(heads):
            raise Foreign
        for e in before:
            between = self.outline.text[e.at : own.at]
            case = _IN_A_CASE.search(self.outline.leading(*e.place)) and _ENDS.search(between)
            if not case and not (_LEFT.search(between) and not self._head(e.tree)):
                yield e

    def _follows(
        self, algebra: Algebra, facts: list[Poly], sides: tuple[Node, ...]
    ) -> tuple[bool, bool]:
        """Whether two sides are found to be equal, and whether it is known that they are not."""
        left, right = map(algebra.poly, sides)
        return Supposed(algebra, facts).follows(apart(left, right))

    def _algebra(self) -> Algebra:
        told = self.outline.text
        hermitian = self.operators if _ADJOINT.search(told) else frozenset[str]()
        return Algebra(self.operators, self.braces, {}, hermitian)

    def _operates(self, tree: Node, algebra: Algebra) -> bool:
        return any(algebra.poly(tree).keys() - {()}) or self._has_bracket(tree)

    def _notation(self, tree: Chain, algebra: Algebra) -> bool:
        """[A, B] = A B − B A, which says what brackets are."""
        left, *_ = tree.sides
        pair = isinstance(left, Group) and len(left.items) == 2
        plain = pair and not any(self._has_bracket(x) for x in tree.sides[1:])
        return plain and not apart(*map(algebra.poly, tree.sides[:2]))

    def _supposed(self, e: Equation) -> bool:
        """Words bring an equation as true, or it says what a name is."""
        leading = self.outline.leading(*e.place)
        if self._names(e.tree):
            return True
        first = not any(self._has_bracket(x.tree) for x in self.equations if x.at < e.at)
        told = _SUPPOSES.search(leading) is not None or (first and bool(_SAYS.search(leading)))
        return (
            told
            and (self._is_inline(e) or first)
            and not re.search(r"\bthen\b", leading, re.IGNORECASE)
        )

    def _is_inline(self, e: Equation) -> bool:
        before = self.outline.text[: e.at].rstrip()
        return before.endswith(("$", "\\(")) and not before.endswith("$$")

    def _head(self, tree: Chain) -> str:
        try:
            return key(tree.sides[0])
        except Foreign:
            return ""

    def _names(self, tree: Chain) -> str:
        """The name that an equation gives, which stands nowhere before it nor on its right."""
        if not (name := self._head(tree)):
            return ""
        before = [e for e in self.equations if e.at < tree.at]
        seen = any(name in named_in(e.tree) for e in before)
        return "" if seen or name in named_in(tree.sides[1]) else name

    def _facts(self, e: Equation, algebra: Algebra) -> Iterator[Poly]:
        if not self._supposed(e):
            return
        if not self._is_inline(e) and not self._head(e.tree):  # it may be wrong
            judged = self.finding(*e.place)
            if judged is None or judged.verdict != report.DEFINITION:
                return
        for left, right in zip(e.tree.sides, e.tree.sides[1:], strict=False):
            try:
                if found := apart(algebra.poly(left), algebra.poly(right)):
                    yield found
            except Foreign:
                continue


def _names_in(tree: Node) -> set[str]:
    return {n.text for n in walk(tree) if isinstance(n, Name)}


def _slips(sides: tuple[Node, ...]) -> Iterator[tuple[Node, ...]]:
    """Two sides with one sign, one number or two factors of one changed."""
    left, right = sides
    for k in (2, 3):
        twice = Product(right.at, (("", Number(right.at, str(k))), ("", right)))
        yield left, twice
    yield left, Addition(right.at, ((-1, right),))
    for which, tree in ((1, right), (0, left)):
        for spot in [n for n in walk(tree) if isinstance(n, Addition | Product | Group | Number)]:
            for new in _changed(spot):
                other = _with(tree, spot, new)
                yield (left, other) if which else (other, right)


def _with(tree: Node, spot: Node, new: Node) -> Node:
    return rebuilt(tree, lambda n: new if n is spot else n)


def _changed(node: Node) -> Iterator[Node]:
    match node:
        case Addition(parts=parts):
            for k, (sign, part) in enumerate(parts):
                yield replace(node, parts=(*parts[:k], (-sign, part), *parts[k + 1 :]))
        case Product(parts=parts):
            for k in range(len(parts) - 1):
                (a, x), (b, y) = parts[k : k + 2]
                yield replace(node, parts=(*parts[:k], (a, y), (b, x), *parts[k + 2 :]))
        case Group(bracket="[", items=(one, other)):
            yield replace(node, items=(other, one))
            yield replace(node, bracket="\\{")
        case Group(bracket="\\{", items=(one, other)):
            yield replace(node, bracket="[")
        case Number(text=text) if text.isdigit():
            for k in sorted({1, 2, 3, int(text) + 1, max(int(text) - 1, 1)} - {int(text)}):
                yield replace(node, text=str(k))


__all__ = ["Commutators", "Equation"]
