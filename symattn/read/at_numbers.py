r"""Numbers that sequences are said to be: S_{10} = 55, and at n = 5 we have S_n = 15.

What n is, and what other names are, stands in the sentence before it: with i = 0.05 and n = 10.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .counted import called, names_of, stepped
from .tree import Chain, Name, Node, Number, Scripted, is_equation

if TYPE_CHECKING:
    from .sequences import Rule

MOST = 3  # digits of a step
_STOP = re.compile(r"[.!?](?=\s)|;|\n[ \t]*\n")
_SETS = re.compile(  # what stands behind it is what a name is
    r"\b(?:at|with|for|when|where|if|let|take|set|setting|put|putting|choos\w+|say|given|"
    r"suppos\w+|assum\w+|unless|requir\w+)\b"
    r"[^.;]{0,30}$",
    re.IGNORECASE,
)
_LIST = re.compile(r"[\s,$\\()]*(?:and)?[\s,$\\()]*$")


@dataclass(frozen=True)
class Said:
    """x_10 = 55 in a text, with what names are there; the line and the column are those of x."""

    tree: Chain
    given: tuple[tuple[str, Node], ...]


@dataclass(frozen=True)
class AtNumber:
    """x_10 = 55 of an x of which a rule says what it is at every step, and `forms` what else."""

    sides: tuple[Node, ...]
    rules: tuple[Rule, ...]
    forms: tuple[Rule, ...]
    given: tuple[tuple[str, Node], ...]
    places: tuple[int, ...]
    tied: bool = False


def said(values: Iterable[tuple[int, int, Node | None]], text: str) -> Iterator[Said]:
    """What sequences are said to be, of the numbers in the sentences of a text.

    Each value begins and ends somewhere, and is an equation.
    """
    given: dict[str, Node] = {}
    last, setting = 0, False
    for start, end, tree in sorted(values, key=lambda v: v[0]):
        if tree is None or not is_equation(tree) or len(tree.sides) != 2:
            given, last, setting = {}, end, False
            continue
        words = text[last:start]
        stop = [*_STOP.finditer(words)]
        if stop:
            given, setting, words = {}, False, words[stop[-1].end() :]
        sets = bool(_SETS.search(words))
        setting = sets or (setting and bool(_LIST.fullmatch(words)))
        left, right = tree.sides
        last = end
        name, own = stepped(left)
        if called(left) and not names_of(right):
            if setting:
                given[called(left)] = right
            continue
        at = given.get(own.text) if isinstance(own, Name) else own
        if not name or sets or names_of(right) or not isinstance(at, Number):
            continue
        if isinstance(left, Scripted) and at.text.isdigit() and len(at.text) <= MOST:
            put = replace(left, scripts=((left.scripts[0][0], at),))
            yield Said(replace(tree, sides=(put, right)), (*given.items(),))


__all__ = ["AtNumber", "Said", "said"]
