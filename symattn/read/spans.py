r"""How far indices run, as sentences say: i = 1, \dots, n and {x_i}_{i=1}^n, x_1, …, x_n, Σ_i/n."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from itertools import pairwise

import sympy as sp

from ..explain.naming import GREEK
from .evidence import varied
from .names import Context, Names, is_letter
from .sizes import Size, Sizes
from .source import Source
from .tree import Chain, Fraction, Name, Node, Number, Product, Scripted, Symbol, sign_of, walk
from .unsaid import is_exponential

_NAME = r"[A-Za-z](?:_(?:\w|\{\w+\}|\\\w+))?"
_LAST = rf"(?P<last>\d{{1,3}}|{_NAME})(?P<less>\s*-\s*1)?"
_FROM = r"(?P<letters>[a-z](?:\s*,\s*[a-z]){0,5})\s*"
_RANGES = (
    re.compile(  # i, j = 1, 2, 3 and k = 1..n and i \in \{1, \dots, n\}
        rf"(?<![\w\\_^]){_FROM}(?:=|\\in\s*\\\{{)\s*(?P<first>[01])\s*"
        rf"(?P<rest>,[\s\d,]*(?:\\[lc]?dots[\s,]*)?|\.\.\.?\s*){_LAST}(?!\s*[-+*/^_(\w]|\s*\\[cf])"
    ),
    re.compile(  # \delta_{ii} = d, g^i_i = d
        r"\\delta\s*(?:_\s*\{|\^\s*\{?)\s*(?P<letters>(?P<letter>[a-z]))\s*(?:\}?\s*_\s*\{?)?\s*"
        rf"(?P=letter)\s*\}}?\s*=(?P<first>)\s*{_LAST}(?!\s*[-+*/^_(\w]|\s*\\[cf])"
    ),
    re.compile(rf"[}})]\s*_\s*\{{\s*{_FROM}=\s*(?P<first>[01])\s*\}}\s*\^\s*\{{?\s*{_LAST}"),
)
_SPOKEN = re.compile(  # all indices run from 1 to 3, Greek ones over 0, 1, 2, 3
    r"\b(?:(?P<kind>[Gg]reek|[Ll]atin|[Rr]oman|[Ss]patial)\s+(?:ones|ind(?:ices|exes))|[Ii]nd(?:ices|exes))\b"
    r"(?P<own>(?:\s*(?:,|and)?\s*\$[^$\n]{1,20}\$)*)\s+(?:all\s+|always\s+|then\s+|here\s+)?"
    r"(?:(?:run|range|go|vary|extend|are\s+summed)\s+(?:from|over|in|through)|take\s+(?:on\s+)?(?:the\s+)?values?|"
    r"(?:from|over))\s+(?:the\s+(?:values|set|range)\s+)?\$?\s*(?:\\\{)?\s*(?P<first>[01])\s*\$?\s*"
    r"(?:(?:to|through|up\s+to|–|--?)|(?:,\s*\$?[1-8]\$?\s*)*(?:,|and|,\s*and)?\s*(?:\\[lc]?dots|…|\.\.\.)?"
    r"\s*(?:,|and|,\s*and))\s*\$?\s*(?P<last>\d{1,2}|[A-Za-z])(?P<less>\s*-\s*1)?(?!\w|\.\d|\s*[-+*/^_])"
)
_SMALL = tuple("abcdefghijklmnopqrstuvwxyz")
_MEAN = re.compile(  # \frac1n \sum_i
    rf"\\[dt]?frac\s*\{{?1\}}?\s*\{{?\s*(?P<last>{_NAME})(?P<less>\s*-\s*1)?\s*\}}?\s*\\sum\s*_\s*"
    r"\{?\s*(?P<letters>[a-z])(?![\w=<>])\s*(?:\}\s*)?(?!\^|[\w=<>])"
)
_LISTED = re.compile(  # x_1, x_2, \dots, x_{n-1}
    r"(?<![\w^_{])\\?(?P<name>[A-Za-z]+)_\{?(?P<first>[01])\}?\s*,"
    r"(?:\s*\\?(?P=name)_\{?[12]\}?\s*,)?\s*\\[lc]?dots\s*,\s*"
    r"\\?(?P=name)_\{?\s*(?P<last>\d{1,3}|[A-Za-z])(?P<less>\s*-\s*1)?\s*(?![\w+])"
)


def count(source: Source, names: Names, sizes: Sizes, defined: AbstractSet[str]) -> None:
    """Give the sizes of letters, i = 1, …, n, to the axes of which nothing else says one.

    What is `defined`, or is no number of values in any other way, is no size.
    """
    spoken, listed = _ranges(source), _lengths(source)
    told: dict[Size, set[sp.Expr]] = {}
    for (name, k), size in sizes.slots.items() if spoken or listed else ():
        root = size.root()
        told.setdefault(root, set()).update(spoken[x] for x in root.letters if x in spoken)
        if k == 0 and name in listed and names.ranks.get(name) == 1:
            told[root].add(listed[name])
    for root, values in told.items():
        if len(values) == 1:
            take(root, values.pop(), names, sizes, defined)


def counts(statements: Iterable[tuple[Node, Context]], lengths: AbstractSet[str]) -> set[str]:
    r"""The n of x_n that says how many components x has, and runs nowhere itself.

    It is a length that sentences name, or ends a sum, \sum_{k=1}^{n-1} x_k, in every statement
    in which it is a script.
    """
    found, bound, elsewhere = set[str](), set[str](), set[str]()
    for tree, here in statements:
        ends = {x for n in walk(tree) if isinstance(n, Scripted) for x in _ends(n)}
        found |= ends
        bound |= here.bound
        elsewhere |= (here.letters.keys() - ends) | {*varied(tree)}
    return ((found - elsewhere) | lengths) - bound


def unlike_sizes(tree: Node) -> Iterator[str]:
    """The T of ∂p/∂T and of e^{z_i/T}, which is a parameter and no number of values."""
    yield from varied(tree)
    for inside in (n for node in walk(tree) for grown in _grown(node) for n in walk(grown)):
        divisors = [inside.bottom] if isinstance(inside, Fraction) else []
        if isinstance(inside, Product):
            divisors += [part for op, part in inside.parts if op == "/"]
        yield from (d.text for d in divisors if isinstance(d, Name))


def _grown(node: Node) -> Iterator[Node]:
    r"""What e^{…}, exp(…) and softmax(…) are of."""
    if isinstance(node, Scripted) and is_exponential(node):
        yield from (script for sign, script in node.scripts if sign == "^")
    for (_, before), (_, part) in pairwise(node.parts) if isinstance(node, Product) else ():
        sign = sign_of(before)
        if sign is not None and sign.text in ("exp", "softmax"):
            yield part


def _ends(node: Scripted) -> Iterator[str]:
    r"""The n of \sum_{k=1}^{n-1}."""
    scripts = dict(node.scripts)
    match node.base, scripts.get("_"), scripts.get("^"):
        case Symbol(kind="sum" | "prod"), Chain(sides=(_, Number())), above if above is not None:
            yield from (n.text for n in walk(above) if is_letter(n))


def take(root: Size, value: sp.Expr, names: Names, sizes: Sizes, defined: AbstractSet[str]) -> None:
    """The axis has this size, where its letter is no index, no tensor, and has no other value."""
    if not root.takes(value):
        return
    used = _names(value)
    letters = {x for size in sizes.slots.values() for x in size.root().letters}
    if not (used & (letters | defined | names.declared) or any(map(names.ranks.get, used))):
        root.value, root.least = value, False
        sizes.names.update(used)


def _ranges(source: Source) -> dict[str, sp.Expr]:
    """How many values letters take; what is averaged, 1/n Σ_i, has n where nothing else says."""
    found, means = dict[str, set[sp.Expr]](), dict[str, set[sp.Expr]]()
    for said in (one for pattern in _RANGES for one in pattern.finditer(source.text)):
        first, size = int(said["first"] or 1), _size(said)
        between = [int(n) for n in re.findall(r"\d+", said.groupdict().get("rest") or "")]
        whole = [first, *between, size + first - 1]
        dots = "dots" in said[0] or ".." in said[0]
        every = dots or "^" in said[0] or not said["first"]
        if every or whole == [*range(first, first + len(whole))]:
            for letter in said["letters"].replace(" ", "").split(","):
                found.setdefault(letter, set()).add(size)
    for said in _SPOKEN.finditer(source.text):
        own = re.findall(r"\\?[A-Za-z]+", said["own"])
        greek = (said["kind"] or "Greek")[0] in "Gg"
        latin = not said["kind"] or not greek
        kind = (*(_SMALL if latin else ()), *(GREEK if greek else ()))
        for letter in (x.lstrip("\\") for x in own) if own else kind:
            means.setdefault(letter, set()).add(_size(said))
    for said in _MEAN.finditer(source.text):
        means.setdefault(said["letters"], set()).add(_size(said))
    return {x: n for x, n in _agreed(means | found).items() if found.keys().isdisjoint(_names(n))}


def _lengths(source: Source) -> dict[str, sp.Expr]:
    """How many components x_1, …, x_n have, by name."""
    found: dict[str, set[sp.Expr]] = {}
    for said in _LISTED.finditer(source.text):
        found.setdefault(said["name"], set()).add(_size(said))
    return _agreed(found)


def _size(said: re.Match[str]) -> sp.Expr:
    """How many there are from the first to the last."""
    name = re.sub(r"[\\{}]", "", said["last"])
    last = sp.Integer(name) if name.isdigit() else sp.Symbol(name, positive=True, integer=True)
    return last - int(bool(said["less"])) - int(said.groupdict().get("first") or 1) + 1


def _names(size: sp.Expr) -> set[str]:
    return {s.name for s in size.free_symbols}


def _agreed(found: dict[str, set[sp.Expr]]) -> dict[str, sp.Expr]:
    """What all sentences say alike."""
    return {x: next(iter(sizes)) for x, sizes in found.items() if len(sizes) == 1}


__all__ = ["count", "counts", "take", "unlike_sizes"]
