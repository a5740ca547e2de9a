r"""How things are distributed, in words: x ∼ \mathcal{N}(μ, Σ), X with mean μ and variance σ²."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from .laws import Law
from .moments import is_sign
from .names import atoms, base_name, is_letter, plain, stem
from .said import trees_of
from .source import Display, Source
from .tree import Chain, Given, Group, Node, Product, Scripted, walk
from .tree import Number as NumberNode
from .words import ONE, sentences

_NORMAL = frozenset(["N", "Normal", "MVN"])
_NAMED = rf"(?P<names>{ONE}(?:(?:,| and|, and) {ONE}){{0,3}})"
_WORD = r"[A-Za-z.-]+"
_ARTICLE = r"(?:(?:the|a|an|same|common|finite) )*"
_SPREAD = rf"(?:variance|covariance(?: matrix)?) (?P<spread>{ONE})"
_HAS = (
    rf"{_NAMED}(?:(?! with| has| have| not| unknown|{ONE})[^.;:]| in {ONE}| i\.?i\.?d\.?){{0,60}},?"
    rf" (?:with|has|have|having|of) {_ARTICLE}"
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
_EACH = re.compile(
    rf"{_NAMED}(?: (?!not ){_WORD}){{0,4}}? (?:independent|i\.?i\.?d\b|uncorrelated)"
)
_OF = re.compile(
    rf"(?P<one>{ONE})(?: (?!not ){_WORD}){{0,3}}? independent of(?: {_WORD}){{0,3}} {_NAMED}"
)
_NOT = re.compile(r"\\not\b|\\nsim\b")


def gather(source: Source) -> tuple[dict[str, Law], list[frozenset[str]]]:
    """The laws of names, and the names of sentences that call them independent."""
    found: dict[str, list[Law]] = {}
    apart = []
    for display in [*source.drawn, *source.displays]:
        if _NOT.search(source.text, display.start, display.end):
            continue
        for name, law in _drawn(trees_of(source, display)):
            found.setdefault(name, []).append(law)
    for words, spans in sentences(source):
        for pattern in _SAID:
            for said in pattern.finditer(words):
                for name, law in _of_words(source, said, spans):
                    found.setdefault(name, []).append(law)
        for pattern in (_EACH, _OF):
            for said in pattern.finditer(words):
                numbers = re.findall(ONE, said["names"] + said.groupdict().get("one", ""))
                nodes = [n for k in numbers for n in _listed(source, spans[int(k[1:-1])])]
                apart.append(frozenset(_name(n)[0] for n in nodes) - {""})
    laws = {name: several[0] for name, several in found.items() if len({*map(str, several)}) == 1}
    return laws, apart


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
    """x_1 and x_n of x_1, …, x_n."""
    for tree in trees_of(source, display):
        tree = tree.sides[0] if isinstance(tree, Chain) else tree
        yield from tree.items if isinstance(tree, Group) else (tree,)


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
