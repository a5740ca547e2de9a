r"""Means that words define: where $\bar x$ is the sample mean of $x$, the mean $\bar y$."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..syntax import Definition, define, indices, total
from .builder import Builder
from .names import Names
from .said import named, trees_of
from .source import Display, Source
from .tree import Accent, Chain, Node
from .words import sentences

_ONE = "\N{LEFT WHITE SQUARE BRACKET}\\d+\N{RIGHT WHITE SQUARE BRACKET}"
_LIST = rf"{_ONE}(?:(?:,|,? and) {_ONE})*"
_CALLED = (
    r"(?:the |an? |its |their |respective )*(?P<kind>sample |empirical |arithmetic )?"
    r"(?:mean|average)s?(?: values?)?"
)
_OF = (
    rf"(?: (?:of|over)(?: the| all)?(?: values?| data| observations?| samples?)? (?P<of>{_LIST}))?"
)
_PATTERNS = (
    re.compile(rf"(?P<names>{_LIST}),? (?:(?:is|are|be|denotes?|as|being) )?{_CALLED}{_OF}"),
    re.compile(rf"\b{_CALLED} (?P<names>{_LIST}){_OF}"),
    re.compile(rf"(?P<kind>)(?P<names>{_ONE}) (?:is )?that of (?P<of>{_ONE})"),
)
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")


def means(source: Source, names: Names) -> dict[str, str]:
    """Names that words call the mean of another, each with that; of no law, but of values."""
    found: dict[str, str] = {}
    for words, spans in sentences(source):
        for m in (m for p in _PATTERNS for m in p.finditer(_LINK.sub(r"\1", words))):
            own, of = (_nodes(source, m[group], spans) for group in ("names", "of"))
            for k, node in enumerate(own):
                name = named(node, names, set())
                inner = node.body if isinstance(node, Accent) and node.mark == "bar" else None
                of_values = bool(m["kind"]) or inner is not None
                what = of[k] if len(of) == len(own) else inner
                operand = named(what, names, set()) if what is not None else None
                if of_values and name and operand and not name.slots:
                    found.setdefault(name.name, operand.name.removesuffix("_scalar"))
    return found


def _nodes(source: Source, listed: str | None, spans: list[Display]) -> list[Node]:
    places = [spans[int(k)] for k in re.findall(r"\d+", listed or "")]
    trees = (tree for place in places for tree in trees_of(source, place))
    return [tree.sides[0] if isinstance(tree, Chain) else tree for tree in trees]  # x ∈ ℝ^n


def definitions(names: Names, builder: Builder) -> Iterator[Definition]:
    """\\bar x = Σ_i x_i / n, of vectors x and of means that nothing else defines."""
    for name, of in sorted(names.mean_of.items()):
        free = name not in builder.definitions and not names.ranks.get(name, 0)
        if free and names.ranks.get(of) == 1:
            x = builder.name(of)
            (letter,) = indices(["i"], x.shape[0])
            yield define(name, (), total(x[letter], letter) / x.shape[0])


__all__ = ["definitions", "means"]
