r"""What words say of a matrix: for a symmetric matrix $A$, with covariance $P$, where $A$ is symmetric.

A covariance, a Gram matrix and a positive definite matrix are symmetric.  What the words say not,
they do not say: "not symmetric", "antisymmetric", "cross-covariance".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..errors import SymattnError
from .grammar import parse
from .names import Names
from .scripts import component
from .sizes import Sizes
from .source import UNFORESEEN, Display, ReadError, Source
from .split import statements
from .tokens import tokens
from .usage import context

_WORD = (
    r"(?<![-\w])(?:[Ss]ymmetric|(?:[Cc]o)?[Vv]ariance|[Gg]ram|[Pp]ositive[- ](?:[Ss]emi-?)?[Dd]efinite"
    r"|PSD|SPD)\b"
)
_FORMULA = r"(?<![\\$])\$(?!\$)(?P<{0}>[^$\n]{{1,80}})\$(?!\$)"
_BEFORE = re.compile(
    rf"{_WORD}(?:,? (?!if\b|when\b|of\b|between\b)[\w-]+){{0,4}}\s+" + _FORMULA.format("name")
)
_BEHIND = re.compile(
    _FORMULA.format("name") + rf"\s+(?:is|be|are|being)\s+(?:(?:a|an|the|also|always)\s+)?"
    rf"(?:(?!not\b)[\w-]+,?\s+){{0,3}}?{_WORD}"
)
_UNSAID = re.compile(
    r"\b(?:not|non|no|cross|anti|skew|neither|if|when|whether|unless|whenever|suppose|assume)\b"
    r"[^.;:$]*\Z",
    re.IGNORECASE,
)
REACH = 40  # characters before the words
_MEMBER = re.compile(r"\\in(?![a-zA-Z]).*", re.DOTALL)


def symmetric(source: Source, names: Names) -> Iterator[str]:
    """The names that the words call symmetric."""
    for pattern in (_BEFORE, _BEHIND):
        for found in pattern.finditer(source.text):
            if _UNSAID.search(source.text[max(0, found.start() - REACH) : found.start()]):
                continue
            start, end = found.span("name")
            end = start + len(_MEMBER.sub("", found["name"]).rstrip())
            yield from _names(source, names, Display(start, end))


def _names(source: Source, names: Names, display: Display) -> Iterator[str]:
    """The names that a formula lists, and no more."""
    try:
        for piece in statements(tokens(source, display)):
            tree = parse(source, piece)
            found = component(tree, names, context(tree, names))
            if found is not None and not found.transposed and found.power is None:
                yield found.name
    except (SymattnError, *UNFORESEEN):
        return


def enter(source: Source, names: Names, sizes: Sizes) -> None:
    """Note the matrices that the words call symmetric, whose axes are of one size then."""
    for name in symmetric(source, names):
        if names.ranks.get(name) == 2 and name not in names.symmetric:
            first, second = (sizes.slot(name, k, names.places.get(name, 0)) for k in (0, 1))
            mark = sizes.mark()
            try:
                sizes.unite(first, second, names.places.get(name, 0), f"the axes of {name}")
            except ReadError:
                sizes.back(mark)
                continue
            names.symmetric.add(name)
            names.assumed.setdefault(name, "symmetric, as the words say")


__all__ = ["enter", "symmetric"]
