r"""Rows, columns and entries in words: let $q_i$ denote the $i$-th row of $Q$.

A phrase is taken as a whole or not at all: as many names as there are matrices, each with one index
(two for entries).  q_i is then a way to write Q[i, :], whoever the text differentiates by.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, pairwise

from ..errors import SymattnError
from .grammar import parse
from .left import is_shape
from .names import atoms, base_name, is_letter, plain, stem
from .source import UNFORESEEN, Display, Source
from .split import statements
from .tokens import tokens
from .tree import (
    Chain,
    Group,
    Name,
    Node,
    Number,
    Product,
    Scripted,
    Symbol,
    dimensions,
    is_equation,
    walk,
)
from .words import ONE, sentences, unsaid

MAX_PHRASES = 200  # that are looked at


@dataclass(frozen=True)
class Part:
    """What a name with an index is of a matrix: one of its rows, columns or entries.

    Rows that lie are row vectors, as in S_ij = q_i k_j^⊤.
    """

    whole: str
    kind: str
    lies: bool = False

    def slots(self, written: tuple[Node, ...], at: int) -> tuple[Node, ...] | None:
        """The slots of the matrix that are meant; None for what is no such part of it."""
        if self.kind == "columns" and len(written) == 1:
            return (Symbol(at, "slot"), *written)
        fits = len(written) == 2 or (len(written) == 1 and self.kind == "rows")
        return written if fits and self.kind != "columns" else None


_LIST = rf"{ONE}(?:(?:,| and|, and) {ONE}){{0,9}}"
_PARTS, _WHOLES = rf"(?P<parts>{_LIST})", rf"(?P<wholes>{_LIST})"
_LAST = rf"{_WHOLES}(?! (?:for|is|are|be|denotes?|the) )"  # … of U and d_j for the columns of V
_NOUN = r"(?P<noun>row|column|entr(?:y|ie)|element|component)s?(?: vectors?)?"
_ORD = (
    rf"(?:(?:the|their|its|respective|corresponding|[a-z]-?th|{ONE}(?:-?(?:th|st|nd|rd)\b)?|{ONE}-)"
    r" ?)*"
)
_OF = r"(?:,? respectively,?)? (?:of|in) (?:the |a |an |its |their )?(?:\w+ )?(?:matri(?:x|ces) )?"
_LINK = (
    r",?(?: \(?(?:be|is|are|denotes?|denoting|as|stands? for|which|means?|represents?|the|"
    r"transposed?|column vectors?|respectively))+,? "
)
_AWAY = r"(?!(?:by|to|of|in|with|from|than|not|at|on|under|using|like|no|orthogonal|all|zero) )"
_SAYS = r"(?: (?:are|is|be|being|as|by|denoted(?: by| as)?|written(?: as)?|called|given by))+"
_MATRIX = r"(?: (?:be|is|denotes?),? (?:a|an|the|some) (?:[a-z-]+ ){0,3}matrix)?"
_PHRASES = tuple(
    map(
        re.compile,
        (
            rf"{_PARTS}{_LINK}{_ORD}{_NOUN}(?: {ONE})?{_OF}{_LAST}",  # is row $i$ of
            rf"{_PARTS} for {_ORD}{_NOUN}{_OF}{_LAST}",  # behind "write"
            rf"\b{_NOUN} {_PARTS}{_OF}{_LAST}",
            rf"\b{_NOUN}{_OF}{_WHOLES}{_SAYS}(?: {_AWAY}[a-z-]+){{0,3}} {_PARTS}",
            rf"{_WHOLES}{_MATRIX},? (?:has|have|with|having|whose|where|in which|so that|such that)"
            rf" (?:each |every )?{_ORD}{_NOUN}"
            rf"(?: are| is| being)?(?: {_AWAY}[a-z-]+){{0,3}} {_PARTS}",
            r"\b(?:[Ss]tack|[Cc]ollect|[Aa]rrang|[Gg]ather|[Pp]ut|[Pp]ack|[Ss]tor|[Tt]ak)\w*"
            rf"(?: [a-z-]+){{0,5}} {_PARTS} (?:as|into|in|along) {_ORD}{_NOUN}{_OF}{_LAST}",
        ),
    )
)
_THINGS = r"(?: (?!by|to|of|not|no|zero|orthogonal|all|are|is)[a-z-]+){1,5}"
_UNNAMED = tuple(  # of X, by what the text calls x_i
    map(
        re.compile,
        (
            r"\b(?:[Ss]tack|[Cc]ollect|[Aa]rrang|[Gg]ather|[Pp]ut|[Pp]ack|[Ss]tor)\w*"
            rf"{_THINGS} (?:as|into|in|along) {_ORD}{_NOUN}{_OF}{_LAST}",
            rf"{_WHOLES}{_MATRIX},? (?:has|have|with|having|whose) {_ORD}{_NOUN}"
            rf" (?:are|is|hold|holds){_THINGS}(?=[.,;:]|$| (?:and|of|so|then)\b)",
            rf"{_WHOLES},? with{_THINGS} (?:as|in) {_ORD}{_NOUN}(?=[.,;:]|$| and\b)",
        ),
    )
)
_KINDS = {"row": "rows", "column": "columns"}
_TURNED = {"rows": "columns", "columns": "rows"}
_WRITTEN = re.compile(r"\b(?:writ|us|denot|introduc)\w* [^.;]*$", re.I)


def gather(source: Source) -> dict[str, Part]:
    """What every name is a part of; names that words call two things are left out."""
    found: dict[str, set[Part]] = {}
    for k, (name, part) in enumerate(chain(_said(source), _unnamed(source))):
        if k == MAX_PHRASES:
            break
        found.setdefault(name, set()).add(part)
    return {name: part for name, (part, *more) in found.items() if not more}


def laid(parts: dict[str, Part], trees: Iterable[Node]) -> dict[str, Part]:
    r"""The parts, with rows that lie where q_i k_j^⊤ stands in the text, and no q_i^⊤ k_j."""
    seen: set[tuple[bool, bool]] = set()
    rows = {name for name, part in parts.items() if part.kind == "rows"}
    for node in (n for tree in trees for n in walk(tree) if rows and isinstance(n, Product)):
        for (_, first), (op, second) in pairwise(node.parts):
            one, two = _one(plain(first)), _one(plain(second))
            if op or one is None or two is None or not {one[0], two[0]} <= rows:
                continue
            if one[1] == two[1] == 1:
                apart = _letters(first) != _letters(second)
                seen |= {(one[2], two[2])} if apart else set()
    lying = seen == {(False, True)}
    return {n: replace(p, lies=lying and n in rows) for n, p in parts.items()}


def _letters(node: Node) -> set[str]:
    """The letters in the scripts of a name."""
    shown = plain(node)
    scripts = shown.scripts if isinstance(shown, Scripted) else ()
    return {x.text for _, s in scripts for x in walk(s) if is_letter(x)}


def _said(source: Source) -> Iterator[tuple[str, Part]]:
    for words, spans in sentences(source):
        for pattern in _PHRASES:
            for phrase in pattern.finditer(words):
                before = words[: phrase.start()]
                if unsaid(before, words[phrase.end() :]):
                    continue
                if pattern is _PHRASES[1] and not _WRITTEN.search(before):
                    continue  # weights w_i for the rows of X
                kind = _KINDS.get(phrase["noun"], "entries")
                parts = _names(source, phrase["parts"], spans, 2 if kind == "entries" else 1)
                wholes = _names(source, phrase["wholes"], spans, 0)
                if re.search(r" (?:is|denotes) ", phrase[0]) and len(wholes) == 1:
                    parts = parts[-1:]
                if len(parts) != len(wholes):  # P and V with rows v_j
                    called = {whole[0].lower(): whole for whole in wholes}
                    wholes = [called[name.lower()] for name, _ in parts if name.lower() in called]
                if parts and len(parts) == len(wholes):
                    for (name, _), (whole, turned) in zip(parts, wholes, strict=True):
                        if not turned or kind in _TURNED:
                            yield name, Part(whole, _TURNED[kind] if turned else kind)


def _unnamed(source: Source) -> Iterator[tuple[str, Part]]:
    """Rows without a name in words, *stacking the inputs as rows of X*: of X they are the x_i."""
    for words, spans in sentences(source):
        for pattern in _UNNAMED:
            for phrase in pattern.finditer(words):
                kind = _KINDS.get(phrase["noun"])
                if kind is None or unsaid(words[: phrase.start()], words[phrase.end() :]):
                    continue
                for whole, turned in _names(source, phrase["wholes"], spans, 0):
                    name = whole.lower()
                    if len(whole) == 1 and whole.isupper() and _is_listed(name, source):
                        yield name, Part(whole, _TURNED[kind] if turned else kind)


def _is_listed(name: str, source: Source) -> bool:
    """x_i stands in the text, and no x_{ij}."""
    below = re.findall(rf"(?<![A-Za-z\\]){name}_(?:\{{([^{{}}]*)\}}|(\w))", source.text)
    return bool(below) and all(len(b.strip()) == 1 for pair in below for b in pair if b)


def _names(source: Source, listed: str, spans: list[Display], count: int) -> list[tuple[str, bool]]:
    """The names of a list in order, each with so many indices; none where one has others.

    Each comes with whether it is transposed; a_1, …, a_n are one name.
    """
    found: dict[str, bool] = {}
    for k in re.findall(r"\d+", listed):
        try:
            trees = [parse(source, p) for p in statements(tokens(source, spans[int(k)]))]
        except (SymattnError, *UNFORESEEN):
            return []
        for tree in trees:
            if found and is_equation(tree):
                return list(found.items())  # rows x_i, and p_i = …
            sizes = dimensions(tree.sides[1]) if isinstance(tree, Chain) else []
            if not count and is_shape(tree) and len(sizes) < 2:
                continue  # θ ∈ ℝ^d beside X ∈ ℝ^{n×d}
            node = plain(tree.sides[0] if isinstance(tree, Chain) else tree)
            if isinstance(node, Symbol) and node.kind == "dots":
                continue
            one = _one(node)
            if one is None or one[1] != count:
                return []
            found[one[0]] = one[2]
    return list(found.items())


def _one(node: Node) -> tuple[str, int, bool] | None:
    """The name of x_n^⊤, how many indices it has, and that it is transposed; None for others."""
    scripts = node.scripts if isinstance(node, Scripted) else ()
    name, count, turned = base_name(stem(node)), 0, False
    for sign, script in scripts:
        listed = atoms(script)
        if sign == "^" and script in (Symbol(script.at, "top"), Name(script.at, "T")):
            turned = True
        elif sign == "^" and not all(isinstance(a, Group) and a.bracket == "(" for a in listed):
            return None
        elif all(is_letter(a) or isinstance(a, Number) or _is_limit(a) for a in _inside(listed)):
            count += len(_inside(listed))
        else:
            return None
    return (name, count, turned) if name is not None else None


def _inside(listed: list[Node]) -> list[Node]:
    return [a.items[0] if isinstance(a, Group) and len(a.items) == 1 else a for a in listed]


def _is_limit(node: Node) -> bool:
    """True for the N of x_1, …, x_N."""
    return isinstance(node, Name) and len(node.text) == 1 and not node.style


__all__ = ["Part", "gather", "laid"]
