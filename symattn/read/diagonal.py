r"""Diagonal matrices in words: D is the diagonal matrix with entries D_{ii} = …, or d_i.

D_{ii} = … says all of such a matrix: D_{ik} is that where i = k, and 0 elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from .grammar import parse
from .lexer import Token
from .names import atoms, base_name, is_letter, plain
from .source import Display, ReadError, Source
from .tokens import tokens
from .tree import Chain, Group, Name, Node, Number, Product, Scripted
from .words import LINK, ONE, adjective, sentences, unsaid

ENTRIES = "d"  # d_D, the entries of a diagonal D of which nothing is said
_SOME = r"(?:(?!block|band)[A-Za-z-]+ ){0,2}?"
_KIND = "(?:diagonal|degree)"  # of a graph
_WITH = (
    r",?(?: with| whose| having)(?: the)?(?: (?:diagonal )?(?:entries|elements|values))?"
    rf"(?: are| given by)? (?P<entries>{ONE})"
    r"(?P<along> (?:on|along) (?:the|its) (?:main )?diagonal)?"
)
_SAID = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?P<names>{ONE})(?: is| be| denotes?| as|,)? (?:an?|the) {_SOME}{_KIND} {_SOME}"
        rf"matrix(?:{_WITH})?",
        rf"(?<![\w-]){_KIND} {_SOME}matrix (?P<names>{ONE})(?:{_WITH})?",
        rf"(?P<names>{ONE}) (?:is|be) diagonal\b(?! \w*(?:domin|block|entr|elem))(?:{_WITH})?",
        *adjective(r"(?<!the )(?<!main )diagonal(?! \w*(?:domin|block|entr|elem))"),
    )
)
_LETTER = re.compile(r"_\s*(?:\{\s*([a-z])\s*\}|([a-z]))")
_HEAD = re.compile(r"\s*(\\?[A-Za-z]+|\\math\w+\s*\{\s*[A-Za-z]\s*\})\s*(?:\\in\b.*)?", re.DOTALL)


@dataclass(frozen=True)
class Said:
    """A matrix that words call diagonal, where, and what they say its entries are."""

    name: str
    written: str
    entries: Display | None
    at: int = 0
    degrees: bool = False  # of a graph: its entries are not any numbers


def gather(source: Source) -> dict[str, Said]:
    """The matrices that words call diagonal, by name."""
    found: dict[str, Said] = {}
    for words, spans in sentences(source):
        shown = LINK.sub(r"\1", words)
        said_of = (
            (m, name)
            for pattern in _SAID
            for m in pattern.finditer(shown)
            for name in re.findall(ONE, m["names"])
        )
        for m, of in said_of:
            span = spans[int(of[1:-1])]
            name = _HEAD.fullmatch(source.text, span.start, span.end)
            if name is None or unsaid(shown[: m.start()], shown[m.end() :]):
                continue
            stem = re.sub(r"\\math\w+\s*\{\s*|\s*\}|\\", "", name[1])
            given = m.groupdict().get("entries")
            entries = spans[int(given[1:-1])] if given else None
            whose = entries is not None and (m["along"] or "entr" in m[0] or "elem" in m[0])
            degrees = "degree" in m[0] or shown[m.end() :].startswith(" of degrees")
            said = Said(stem, name[1], entries if whose else None, span.start, degrees)
            found.setdefault(stem, said)
    return found


def whole(tree: Node, said: dict[str, Said]) -> Node:
    """D_{ik} = [i = k] d_i for D_{ii} = d_i; any other statement as it is."""
    if not said or not isinstance(tree, Chain) or tree.relations[0][0] not in ("=", ":="):
        return tree
    left, right, at = plain(tree.sides[0]), tree.sides[1], tree.at
    if not isinstance(left, Scripted) or base_name(left.base) not in said:
        return tree
    slots = [a for mark, s in left.scripts if mark == "_" for a in atoms(s)]
    if len(slots) != 2 or len(left.scripts) != 1 or not all(map(is_letter, slots)):
        return tree
    first, second = slots
    assert isinstance(first, Name) and isinstance(second, Name)
    if first.text != second.text:
        return tree
    other = Name(at, f"{first.text}'")
    both = Product(at, (("", first), ("", other)))
    one = Scripted(at, Number(at, "1"), (("_", Chain(at, (first, other), (("=", at),))),))
    value = Product(at, (("", one), ("", Group(at, "(", (right,)))))
    return Chain(at, (Scripted(at, left.base, (("_", both),)), value), tree.relations[:1])


def entries(source: Source, said: dict[str, Said]) -> Iterator[tuple[Node, list[Token]]]:
    """D_{ik} = [i = k] d_i with its tokens, of what words say is on the diagonal."""
    for one in said.values():
        span = one.entries
        text = source.text[span.start : span.end] if span is not None else ""
        letters = {a or b for a, b in _LETTER.findall(text)}
        at = one.at
        if span is None and one.degrees:
            continue
        if span is None:  # any numbers
            (letter,), text = "i", rf"{ENTRIES}_{{\mathrm{{{one.name}}}, i}}"
        elif "=" in text or len(letters) != 1:
            continue
        else:
            (letter,), at = letters, span.start
        latex = f"{one.written}_{{{letter} {letter}}} = {text.strip(' .,')}"
        own = replace(source, text=" " * at + latex, memory={}, parsed={})
        try:
            found = tokens(own, Display(at, at + len(latex)))
            yield whole(parse(own, found), said), found
        except ReadError:
            continue


def free(name: str, inside: Collection[str]) -> bool:
    """True for a matrix of which words say no more than that it is diagonal."""
    return f"{ENTRIES}_{name}" in inside


__all__ = ["Said", "entries", "free", "gather", "whole"]
