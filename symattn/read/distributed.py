r"""How things are distributed: x ∼ \mathcal{N}(μ, Σ), X with mean μ and variance σ²,
\mathbb{E}[x] = μ and \mathrm{Cov}(x) = Σ of what nothing defines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import pairwise

from . import energies
from .averages import average, over
from .denied import denied
from .laws import Apart, Law
from .moments import is_sign
from .names import atoms, base_name, is_letter, plain, stem
from .said import trees_of
from .source import Display, Source
from .tree import (
    Addition,
    Chain,
    Given,
    Group,
    Name,
    Node,
    Product,
    Scripted,
    Symbol,
    spelled,
    walk,
)
from .tree import Number as NumberNode
from .vocabulary import IF
from .words import ONE, concluded, sentences

_NORMAL = frozenset(["N", "Normal", "MVN"])
_NAMED = rf"(?P<names>{ONE}(?:(?:,| and|, and) {ONE}){{0,3}})"
_WORD = r"[A-Za-z.-]+"
_ARTICLE = r"(?:(?:the|a|an|same|common|finite) )*"
_SPREAD = rf"(?:variance|covariance(?: matrix)?) (?P<spread>{ONE})"
_HAS = (
    rf"(?<!independent of ){_NAMED}(?:(?! with| has| have| not| unknown|{ONE})[^.;:]| in {ONE}"
    rf"| independent of {ONE}| i\.?i\.?d\.?){{0,60}},? (?:with|has|have|having|of) {_ARTICLE}"
)
_SAID = tuple(
    map(
        re.compile,
        (
            rf"{_HAS}mean (?P<mean>{ONE})(?:,? (?:and|with) {_ARTICLE}{_SPREAD})?",
            rf"{_HAS}(?P<zero>zero mean|mean zero) and (?:{_ARTICLE}{_SPREAD}"
            r"|(?P<unit>unit variance))",
        ),
    )
)
_ALL = rf"(?P<names>{ONE}(?:(?:,| and|, and)(?: the {_WORD})? {ONE}){{0,3}})"
_EACH = re.compile(
    rf"{_ALL}(?: (?!not ){_WORD}){{0,4}}? (?:independent(?! of {ONE})|i\.?i\.?d\b|uncorrelated)"
)
_THESE = re.compile(
    rf"(?<!not )(?<!in)(?:\bindependent|i\.?i\.?d\.?|uncorrelated)"
    r"(?: (?:random|normal|Gaussian|standard))*"
    rf"(?: (?:variables|samples|vectors|draws|noises?|entries|components|observations))? {_ALL}"
)
_OF = re.compile(
    rf"(?P<one>{ONE})(?: (?!not ){_WORD}){{0,3}}? independent of(?: {_WORD}){{0,3}} {_NAMED}"
)
_IF = re.compile(rf"\b(?i:{IF}|unless|only)\b[^.;:]*$")  # it holds there alone
_SUPPOSED = re.compile(  # what holds in its sentence alone
    rf"\b(?:{IF}|wherever|case|for a moment|assuming|were)\b",
    re.IGNORECASE,
)
_OPEN = re.compile(  # what holds under another condition, or nowhere
    r"\b(?:unless|only|would|may|might|could|should|hardly|nobody|none|no one|nothing|neither|"
    r"conditionally|given|pretend\w*|almost|nearly|approximately)\b|\bfar from\b",
    re.IGNORECASE,
)
_STATED = re.compile(  # We have E[Y] = 0, behind what is claimed of E[X Y]
    r"\b(?:[Ww]e|[Oo]ne) (?:have|has)\s*[$\\(\[]*\s*$"
)
_SPOKEN = re.compile(r"dependen|\brandom\b|correlated|i\.?i\.?d\b", re.IGNORECASE)
REACH = 200  # characters before an equation
_POISSON = frozenset(["Poisson", "Pois", "Poi"])
_BERNOULLI = frozenset(["Bernoulli", "Bern", "Ber"])
_BINOMIAL = frozenset(["Binomial", "Binom", "Bin"])
_NOT = re.compile(r"\\not\b|\\nsim\b")
_GIVEN = re.compile(r"\s*(?:,\s*)?(?:given|conditional|under|if|when|unless|only|in the case)\b")


@dataclass
class Laws:
    """What a text says: the laws of names, which are independent, where sentences speak of what
    is random, and where an equation gives a law."""

    laws: dict[str, Law]
    apart: list[Apart]
    spoken: list[tuple[frozenset[str], int]]
    places: set[int]


def gather(source: Source, defined: AbstractSet[str]) -> Laws:
    """How things are distributed in a text whose equations define these names."""
    found: dict[str, list[Law]] = {}
    apart, spoken = [], []
    for display in [*source.drawn, *source.displays]:
        if _NOT.search(source.text, display.start, display.end):
            continue
        for name, law in _drawn(trees_of(source, display)):
            found.setdefault(name, []).append(law)
    for words, spans in sentences(source):
        for pattern in _SAID:
            for said in _held(pattern, words):
                for name, law in _of_words(source, said, spans):
                    found.setdefault(name, []).append(law)
        for pattern in (_EACH, _THESE, _OF):
            for said in _held(pattern, words):
                numbers = re.findall(ONE, said["names"] + said.groupdict().get("one", ""))
                nodes = [n for k in numbers for n in _listed(source, spans[int(k[1:-1])])]
                group = frozenset(_name(n)[0] for n in nodes) - {""}
                before = words[: said.end()]
                if _OPEN.search(before) or _GIVEN.match(words[said.end() :]):
                    continue
                at, supposed = spans[int(numbers[-1][1:-1])].end, bool(_SUPPOSED.search(before))
                apart.append(Apart(group, at, supposed, "uncorrelated" in said[0]))
        if spans and _SPOKEN.search(words):
            nodes = [n for span in spans for n in _listed(source, span)]
            spoken.append((frozenset(_name(n)[0] for n in nodes) - {""}, spans[0].start))
    given = _given(source, defined | found.keys())
    for name, law in (pair for several in given.values() for pair in several):
        found.setdefault(name, []).append(law)
    joined = ((name, _joined(several)) for name, several in found.items())
    laws = {name: law for name, law in joined if law is not None}
    places = {at for at, several in given.items() if all(_within(laws, *x) for x in several)}
    return Laws(laws, apart, spoken, places)


def _held(pattern: re.Pattern[str], words: str) -> Iterator[re.Match[str]]:
    """What a sentence says, where its words do not deny it."""
    for said in pattern.finditer(words):
        if not denied(words[: said.start()], words[said.end() :]):
            yield said


def _given(source: Source, known: AbstractSet[str]) -> dict[int, list[tuple[str, Law]]]:
    """What equations say of names of which nothing else is known, by the places of these."""
    found = {}
    every = dict.fromkeys([*source.displays, *source.inline.values()])
    trees = [t for d in every for t in trees_of(source, d) if isinstance(t, Chain)]
    known = known | {_name(x)[0] for t in trees for x in _summed(t)}
    spoken = set[str]()  # of whose averages the text speaks before
    for display in sorted(every, key=lambda d: d.start):
        before = source.text[max(0, display.start - REACH) : display.start]
        given = not (_IF.search(before) or concluded(before))
        stated = _STATED.search(before) is not None
        for tree in trees_of(source, display):
            named = [] if energies.functions([tree]) or not given else [*_equated(tree)]
            about = {name for name, _ in named}
            if named and not known & about and not (stated and about <= spoken):
                found[tree.at] = named
            spoken |= {*averaged(tree)}
    return found


def _joined(several: Sequence[Law]) -> Law | None:
    """What says all that is said of one name; None where that differs or no mean is said."""
    means, spreads, seconds = (
        {spelled(x): x for x in said if x is not None}
        for said in zip(*((law.mean, law.spread, law.second) for law in several), strict=True)
    )
    if [*means] == [spelled(NumberNode(0, "0"))] and not spreads:  # E[x x^⊤] = R
        spreads = seconds
    if len(means) != 1 or len(spreads) > 1 or len({law.index for law in several}) > 1:
        return None
    normal = any(law.normal for law in several)
    (mean,), spread = means.values(), next(iter(spreads.values()), None)
    return Law(mean, spread, normal, several[0].index)


def _within(laws: Mapping[str, Law], name: str, part: Law) -> bool:
    """The law of a name says what an equation does, which follows from it otherwise."""
    whole = laws.get(name)
    return whole is not None and (part.second is None or part.second is whole.spread)


def _equated(tree: Node) -> Iterator[tuple[str, Law]]:
    """The x of E[x] = μ, Var(x) = σ², Cov(x) = Σ and E[x x^⊤] = R, with what is said."""
    if not isinstance(tree, Chain) or {r for r, _ in tree.relations} != {"="}:
        return
    *averages, right = tree.sides
    if any(is_sign(stem(n)) for n in walk(right)):
        return
    for found in map(average, averages):
        names = {_name(item) for item in found.items} if found and found.below is None else set()
        if found is None or len(names) != 1:
            continue
        ((name, index),) = names
        if name and found.sign == "E":
            yield name, Law(right, None, False, index)
        elif name:
            yield name, Law(None, right, False, index)
        elif found.sign == "E" and (twice := _twice(found.items[0])):
            yield twice[0], Law(None, None, False, twice[1], right)


def _summed(tree: Chain) -> tuple[Node, ...]:
    """The E of ⟨E⟩ = Σ_i p_i E_i, which says what is averaged over."""
    found = average(tree.sides[0])
    return found.items if found and [*over(*tree.sides[:2])] else ()


def _twice(node: Node) -> tuple[str, str] | None:
    """The x and i of x x^⊤ and of x_i²."""
    match node:
        case Scripted(scripts=(*scripts, ("^", NumberNode(text="2")))):
            return _name(replace(node, scripts=tuple(scripts)))
        case Product(parts=((_, one), ("", Scripted(base=other, scripts=(("^", mark),))))):
            turned = mark in (Symbol(mark.at, "top"), Name(mark.at, "T"))
            return _name(one) if turned and spelled(one) == spelled(other) else None
    return None


def _drawn(trees: Sequence[Node]) -> Iterator[tuple[str, Law]]:
    for tree in trees:
        match tree:
            case Chain(
                sides=(left, Product(parts=((_, sign), ("", Group(bracket="(", items=(m, s)))))),
                relations=(("∼", _),),
            ) if base_name(sign) in _NORMAL:
                if isinstance(m, Given) or isinstance(left, Given):
                    continue
                for node in left.items if isinstance(left, Group) else (left,):
                    name, index = _name(node)
                    if name:
                        yield name, Law(m, s, True, index)
            case Chain(
                sides=(left, Product(parts=((_, sign), ("", Group(bracket="(", items=items))))),
                relations=(("∼", _),),
            ) if law := _counts(base_name(sign) or "", items):
                for node in left.items if isinstance(left, Group) else (left,):
                    name, index = _name(node)
                    if name:
                        yield name, Law(*law, False, index)


def _counts(family: str, items: tuple[Node, ...]) -> tuple[Node, Node] | None:
    """The mean and the variance of what is counted: λ and λ, p and p (1 − p), n times these."""
    at = items[0].at if items else 0
    if family in _POISSON and len(items) == 1:
        return items[0], items[0]
    if (family in _BERNOULLI and len(items) == 1) or (family in _BINOMIAL and len(items) == 2):
        rest = Addition(at, ((1, NumberNode(at, "1")), (-1, items[-1])))
        mean = Product(at, tuple(("", x) for x in items)) if len(items) > 1 else items[0]
        return mean, Product(at, (*(("", x) for x in items), ("", Group(at, "(", (rest,)))))
    return None


def _of_words(
    source: Source, said: re.Match[str], spans: Sequence[Display]
) -> Iterator[tuple[str, Law]]:
    def formula(group: str) -> Node | None:
        text = said.groupdict().get(group)
        trees = trees_of(source, spans[int(text[1:-1])]) if text else []
        return trees[0] if len(trees) == 1 and not isinstance(trees[0], Chain) else None

    zero, unit = said.groupdict().get("zero"), said.groupdict().get("unit")
    mean = NumberNode(0, "0") if zero else formula("mean")
    spread = NumberNode(0, "1") if unit else formula("spread")
    for number in re.findall(ONE, said["names"]):
        for node in _listed(source, spans[int(number[1:-1])]):
            name, index = _name(node)
            if name and mean is not None:
                yield name, Law(mean, spread, False, index)


def _listed(source: Source, display: Display) -> Iterator[Node]:
    """x_1 and x_2 of x_1, x_2, and x_i of x_1, …, x_n."""
    trees = trees_of(source, display)
    if any(isinstance(t, Symbol) and t.kind == "dots" for t in trees):
        first, *_, last = trees
        if _numbered(first) and isinstance(last, Scripted) and _name(first)[0] == _name(last)[0]:
            yield replace(last, scripts=(("_", Name(last.at, "i")),))
            return
    for tree in trees:
        tree = tree.sides[0] if isinstance(tree, Chain) else tree
        yield from tree.items if isinstance(tree, Group) else (tree,)


def _numbered(node: Node) -> bool:
    """True for x_1."""
    return _name(node)[1].isdigit()


def _name(node: Node) -> tuple[str, str]:
    """x and i of x_i, x and 1 of x_1; nothing for what is no name."""
    node = plain(node)
    scripts = node.scripts if isinstance(node, Scripted) else ()
    if any(mark != "_" for mark, _ in scripts):
        return "", ""
    inside = [a for _, s in scripts for a in atoms(s)]
    index = "".join(getattr(a, "text", "?") for a in inside)
    if not all(is_letter(a) or isinstance(a, NumberNode) for a in inside):
        return "", ""
    return base_name(stem(node)) or "", index


def averaged(tree: Node) -> Iterator[str]:
    """The x of 𝔼[x], Var(x) and Cov(x, y)."""
    for node in walk(tree):
        for (_, sign), (_, group) in pairwise(getattr(node, "parts", ())):
            if isinstance(group, Group) and is_sign(stem(sign)):
                for item in group.items:
                    if name := base_name(stem(item)):
                        yield name


__all__ = ["averaged", "gather"]
