"""One name with two meanings: a section that declares or defines a name anew begins a new one.

A first reading of the whole text tells what every section makes of its names.  Where a section
gives a name another kind than it has before, or another definition of other things, the name is
another one from the section's beginning to its end, and the text is read again with both.  What a
section uses and does not give anew keeps its meaning, with all that it rests on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from . import said, scopes
from .applications import whole
from .arguments import uses
from .evidence import leaves, name_of
from .left import head, is_shape
from .names import DISTRIBUTIONS, Names, base_name, plain, stem
from .source import Renewal, Source
from .split import Statement
from .tree import (
    Chain,
    Name,
    Node,
    base_of,
)

FIXED = frozenset(["e", "i", "pi", "delta", "d", "n"])  # what these mean they mean throughout
_FOLLOWS = re.compile(
    r"\b(?:then|hence|thus|so|therefore|consequently|recall\w*|again|as (?:before|above)|gives?|"
    r"yields?|becomes?|follows?|(?:we|one) (?:get|have|find|obtain|see)s?|equals?|that)\b"
    r"[^.\n]{0,30}$",
    re.IGNORECASE,
)
_INTRODUCED = re.compile(  # the pressure is p = …, with the loss L = …
    r"\b(?:(?:is|are|be|let|define[sd]?|put|as|with|where)|(?:the|an?|its|their)(?: [a-z-]+){1,3})"
    r"(?: (?:given|defined) by)?:?$",
    re.IGNORECASE,
)
AS_BEFORE = "the name of a function in another part of the text"
_BEFORE = 60  # characters before a formula that say what it is
Meaning = tuple[str, int]  # a name and its number, 0 for the first meaning
Shape = tuple[bool | None, ...]  # of arguments: bold, light, or no name
Kind = tuple[int, bool]  # how many axes, and whether by convention alone

_CONCLUDES = re.compile(
    r"\b(?:so(?: that)?|hence|thus|therefore|in (?:short|full|other words)|that is|i\.e\.|"
    r"which gives|it follows(?: that)?|equivalently|(?:we|one) (?:see|find|get|obtain)s?(?: that)?|"
    r"(?:expand|rewrit|rewritten|simplif|multipl|rearrang)\w*(?: (?:it|this|out|as|to|gives?))*|"
    r"(?:can|may) (?:also )?be written(?: as)?)[\s,:]*$",
    re.IGNORECASE,
)
_EQUATED = re.compile(
    r"(?<!\$)\$(?P<left>[^$=]+)=[^$]*\$,?\s(?:is|reads|equals|becomes)(?: also| just| simply)?:?$"
)
_OPENED = re.compile(r"(?:\s|\$|\\\[|\\begin\{\w+\*?\}|\.\.[ \t]+math::|&)+$")


def follows(source: Source, at: int) -> bool:
    """Words right before a formula say that it follows: so, hence, the share $S(a) = …$ is."""
    before = " ".join(_OPENED.sub("", source.text[max(0, at - 120) : at]).split())
    if _CONCLUDES.search(before):
        return True
    same = _EQUATED.search(before)
    left = source.text[at : at + 40].partition("=")[0]
    return same is not None and "".join(same["left"].split()) == "".join(left.split())


@dataclass
class Part:
    """The text between two headings, and what it makes of its names."""

    begin: int
    end: int  # where the section ends, with those below it
    kinds: dict[str, Kind] = field(default_factory=dict)
    words: dict[str, int] = field(default_factory=dict)  # axes in the words of the section
    uses: set[str] = field(default_factory=set)
    torn: set[str] = field(default_factory=set)  # names of what could not be read
    sized: bool = False  # the sizes of some formula do not fit
    defined: dict[str, frozenset[str]] = field(default_factory=dict)  # and what they are made of
    introduced: set[str] = field(default_factory=set)  # names that words say the meaning of
    bare: set[str] = field(default_factory=set)  # names that stand without brackets
    applied: set[str] = field(default_factory=set)  # names before their arguments
    given: dict[str, frozenset[str]] = field(default_factory=dict)  # functions: the x of f(x) = …
    shapes: dict[str, Shape] = field(default_factory=dict)  # how the arguments of these look
    calls: dict[str, set[Shape]] = field(default_factory=dict)  # and of all that are applied


@dataclass
class Meanings:
    """What names mean from one section to the next."""

    spared: dict[int, set[str]] = field(default_factory=dict)  # sections → names as they were
    table: dict[str, list[Renewal]] = field(default_factory=dict)
    kinds: dict[Meaning, Kind] = field(default_factory=dict)
    made: dict[Meaning, frozenset[Meaning]] = field(default_factory=dict)
    torn: set[Meaning] = field(default_factory=set)
    given: dict[Meaning, frozenset[str]] = field(default_factory=dict)  # what functions are of
    shapes: dict[Meaning, Shape] = field(default_factory=dict)
    beside: dict[Meaning, set[str]] = field(default_factory=dict)  # of names without brackets

    def of(self, name: str, at: int) -> Meaning:
        """What a name means at a place."""
        inside = (r for r in self.table.get(name, ()) if r.begin <= at < r.end)
        return name, max(inside, key=lambda r: r.begin, default=Renewal(0, 0, 0)).number

    def below(self, start: Iterable[Meaning]) -> set[Meaning]:
        """These, and all that their definitions rest on."""
        found, todo = set[Meaning](), [*start]
        while todo:
            if (one := todo.pop()) not in found:
                found.add(one)
                todo += self.made.get(one, ())
        return found

    def inputs(self, start: Iterable[Meaning]) -> set[Meaning]:
        """What these rest on and what nothing defines."""
        return {one for one in self.below(start) if one not in self.made}

    def another_kind(self, part: Part, name: str) -> bool:
        """True where the section says that a name is another kind of thing than before."""
        before = self.of(name, part.begin)
        known = self.kinds.get(before)
        if name in part.words and known is not None:
            return part.words[name] != known[0]
        if name in part.given and before not in self.given and name not in part.bare:
            beside = self.beside.get(before, set())
            return bool(known and known[0]) or (bool(beside) and not beside & part.given[name])
        return self.loose(part, name)

    def misfit(self, part: Part, name: str) -> bool:
        """True where what cannot be read would be with another kind."""
        before = self.of(name, part.begin)
        own = part.kinds.get(name, (0, True) if name in part.torn else None)
        known = self.kinds.get(before)
        if own is None or known is None or own[0] == known[0]:
            return False
        return name in part.torn or before in self.torn

    def resized(self, part: Part, name: str) -> bool:
        """True where a section defines what is of a size before, and sizes do not fit there."""
        before = self.of(name, part.begin)
        return part.sized and name in part.defined and before not in self.made and (
            before in self.kinds
        )  # fmt: skip

    def loose(self, part: Part, name: str) -> bool:
        """True for the σ beside μ where another section has σ(z), and nothing of it is here."""
        before = self.of(name, part.begin)
        given = self.given.get(before)
        plainly = name in part.bare - part.applied
        inside = {n for n, _ in self.below(self.made.get(before, ()))}
        return given is not None and plainly and not (given | inside - FIXED) & part.uses

    def another_function(self, part: Part, name: str, anew: set[str]) -> bool:
        """True for the f(x, y) = … of a section that has no f(x), which is defined before.

        Densities of several things are of one law: p(x, y) and p(x).
        """
        old, new = self.shapes.get(self.of(name, part.begin)), part.shapes.get(name)
        if old is None or new is None or name.split("_")[0] in DISTRIBUTIONS:
            return False
        own = all(_fit(new, shape) for shape in part.calls.get(name, ()))
        return own and (bool(part.given[name] & anew) or not _fit(new, old))

    def another_value(self, part: Part, name: str, anew: set[str]) -> bool:
        """True where the section defines a name by other things than before.

        Most of them are others where no words say what the name is.
        """
        before = self.of(name, part.begin)
        if self.another_function(part, name, anew):
            return True
        if before not in self.made or not part.defined[name]:
            return False
        if part.defined[name] & anew:
            return True
        old = {_letter(n) for n, _ in self.inputs(self.made[before])}
        own = self.inputs(self.of(x, part.begin) for x in part.defined[name])
        new = {_letter(n) for n, _ in own}
        if name in part.introduced:
            return bool(new - old) and bool(old - new)
        return 2 * len(new & old) <= min(len(new), len(old))

    def renew(self, part: Part, closed: set[str], taken: set[str], source: Source) -> None:
        """Enter what a section gives anew, and what it says of the rest."""
        anew = {n for n in part.uses - closed if self.another_kind(part, n)}
        size = -1
        while len(anew) != size:
            size = len(anew)
            anew |= {n for n in part.defined.keys() - anew - closed
                     if self.another_value(part, n, anew)}  # fmt: skip
        tried = {n for n in part.uses - closed - anew if self.misfit(part, n)}
        anew |= tried - self.spared.get(part.begin, set())
        anew |= {n for n in part.uses - closed - anew if self.resized(part, n)}
        while True:
            kept = self.below(self.of(n, part.begin) for n in part.uses - anew)
            leaning = {n for n in anew - part.words.keys() if self.of(n, part.begin) in kept}
            if not leaning:
                break
            anew -= leaning
        for name in sorted(anew):
            given = self.table.setdefault(name, [])
            rank = part.kinds.get(name, (0, True))[0]
            fresh = name in part.words or name in part.defined
            before = self.of(name, part.begin)[1]
            every = {0, *(r.number for r in given)} - {before}
            alike = [k for k in sorted(every) if self.kinds.get((name, k), (-1, True))[0] == rank]
            number = alike[-1] if alike and not fresh else _number(name, len(given), taken, source)
            doubt = AS_BEFORE if self.loose(part, name) and not fresh else ""
            given.append(Renewal(part.begin, part.end, number, bool(rank), doubt, name in tried))
        for name in part.uses:
            own = self.of(name, part.begin)
            self.kinds.setdefault(own, part.kinds.get(name, (0, True)))
            self.torn |= {own} if name in part.torn else set()
            if name in part.given:
                self.given.setdefault(own, part.given[name])
                self.shapes.setdefault(own, part.shapes[name])
            elif name in part.bare - part.applied:
                self.beside.setdefault(own, set()).update(part.uses)
        for name, rank in part.words.items():  # of what no equation of the section speaks
            self.kinds.setdefault(self.of(name, part.begin), (rank, False))
        for name, inside in part.defined.items():
            own = self.of(name, part.begin)
            rest = frozenset(self.of(x, part.begin) for x in inside)
            if own not in self.below(rest):  # V = R T / p beside p = R T / V says nothing new
                self.made.setdefault(own, rest)


def _letter(name: str) -> str:
    return name.split("_")[0]


def _shape(items: Iterable[Node]) -> Shape:
    """Which arguments of a function are bold; None for what is no name."""
    found = (plain(item) for item in items)
    bases = (base_of(node) for node in found)
    return tuple(base.style == "bold" if isinstance(base, Name) else None for base in bases)


def _fit(one: Shape, other: Shape) -> bool:
    """True for arguments that one function may have."""
    pairs = zip(one, other, strict=False)
    return len(one) == len(other) and all(a is b or None in (a, b) for a, b in pairs)


def renewals(
    source: Source,
    found: Sequence[Statement],
    failed: Iterable[Statement],
    names: Names,
    spared: dict[int, set[str]],
    sized: Iterable[Statement] = (),
) -> dict[str, list[Renewal]]:
    """For every name with several meanings, from where to where it has which.

    Of those that `failed` some are `sized`: sizes do not fit.  `spared` are names of sections in
    which another kind makes nothing readable.
    """
    if len(source.headings) < 2:
        return {}
    parts = list(_parts(source, found, {*failed}, names))
    closed = {*FIXED, *names.declared, *names.lengths, *names.limits}
    closed |= {"I"} if names.identity else set()
    taken = names.versions.written | set().union(*(p.uses for p in parts))
    meanings = Meanings(spared)
    clashes = [s.tokens[0].at for s in sized]
    for part in parts:
        part.sized = any(part.begin <= at < part.end for at in clashes)
        meanings.renew(part, closed, taken, source)
    return {n: given for n, given in meanings.table.items() if given}


def useless(
    given: Mapping[str, Sequence[Renewal]],
    found: Sequence[Statement],
    before: Iterable[Statement],
    after: Iterable[Statement],
    names: Names,
) -> list[tuple[int, str]]:
    """The names that were tried in vain, each with the beginning of its section."""
    failed = {s.tokens[0].at for s in before}
    mended = failed - {s.tokens[0].at for s in after}
    worn = [(s.tokens[0].at, _written(s, s.tree, names)) for s in found]
    return [
        (r.begin, name)
        for name, several in given.items()
        for r in several
        if r.tried and not any(at in mended and name in own for at, own in worn)
    ]


def _number(name: str, more: int, taken: set[str], source: Source) -> int:
    """2 for the second meaning, unless that is written for something else."""
    number = 2 + more
    while f"{name}_{number}" in taken or re.search(
        rf"{re.escape(name)}\}}*\s*_\s*\{{?{number}(?!\d)", source.text
    ):
        number += 1
    taken.add(f"{name}_{number}")
    return number


def _parts(
    source: Source, found: Sequence[Statement], failed: set[Statement], names: Names
) -> Iterator[Part]:
    starts = [at for at, _ in source.headings]
    shapes = [x for x in said.shapes(source, names, [s.here for s in found]) if x.rank is not None]
    for begin, end in pairwise([0, *starts, len(source.text) + 1]):
        part = Part(begin, source.section_end(begin) if begin else end)
        inside = [s for s in found if begin <= s.tokens[0].at < end and not is_shape(s.tree)]
        part.words = {x.found.written: x.rank or 0 for x in shapes if begin <= x.found.at < end}
        part.kinds = scopes.ranks([(s.tree, s.here) for s in inside], names, part.words)
        for s in inside:
            own = _written(s, s.tree, names)
            part.uses |= own
            part.torn |= own if s in failed else set()
            _defines(s, part, names)
            for name, items in uses(s.parsed) if s.parsed is not None else ():
                (part.bare if items is None else part.applied).add(name)
                if items is not None:
                    part.calls.setdefault(name, set()).add(_shape(items))
        part.uses |= part.kinds.keys() & {_letter(n) for n in part.uses}  # the p of p_1 too
        for counted, bare in names.versions.bares.items():  # an x beside no x_i may be another x
            if bare in part.uses and (bare in part.words or counted not in part.uses):
                part.uses.add(counted)
                part.torn |= {counted} if bare in part.torn else set()
                if bare in part.words:
                    part.words.setdefault(counted, part.words[bare])
        yield part


def _written(s: Statement, tree: Node, names: Names) -> set[str]:
    """The names of an expression as they stand in the text."""
    found = ((n, name_of(n, names, s.here)) for n in leaves(tree))
    return {x.written if x is not None else base_name(stem(n)) or "" for n, x in found} - {""}


def _defines(s: Statement, part: Part, names: Names) -> None:
    """Enter what a statement defines, as the words before it have it."""
    left = head(s.tree, taken=True)
    if left is None or not isinstance(s.tree, Chain):
        return
    at = min(t.at for t in s.tokens)
    words = names.source.text[max(0, at - _BEFORE) : at].rstrip(" $\n\\[(")
    if _FOLLOWS.search(words):
        return
    one = name_of(left, names, s.here)
    name = one.written if one is not None else base_name(stem(left)) or ""
    inside = _written(s, s.tree.sides[1], names)
    call = whole(plain(s.parsed.sides[0])) if isinstance(s.parsed, Chain) else None
    if call is not None:
        given = set[str]().union(*(_written(s, node, names) for node in call.items))
        part.given.setdefault(name, frozenset(given))
        part.shapes.setdefault(name, _shape(call.items))
        inside -= given
    if name.endswith("'"):
        return  # f' is what f makes it
    if name and (inside or call is not None) and name not in inside:
        part.defined.setdefault(name, frozenset(inside))
        part.introduced |= {name} if _INTRODUCED.search(words) else set()


__all__ = ["follows", "renewals", "useless"]
