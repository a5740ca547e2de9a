r"""The metrics of a text: ds² = …, g_{θθ} = r² one after the other, or a matrix of components."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from ..errors import SymattnError
from ..geometry import Metric
from ..geometry.files import SQUARE, metric_of
from .outline import Outline

GROUP = r"\{(?:[^{}]|\{[^{}]*\})*\}"
SCRIPT = rf"(?:{GROUP}|\\[A-Za-z]+|\w)"
COMPONENT = re.compile(rf"\s*(?P<name>\\Gamma|[RGCWg])\s*(?P<scripts>(?:[_^]\s*{SCRIPT}\s*)+)")
_INDEX = re.compile(r"\\[A-Za-z]+|[A-Za-z](?:_\d)?|,")
_MATRIX = re.compile(
    r"\s*\\begin\{(?:[bpv]?matrix)\}(?P<rows>.*)\\end\{[bpv]?matrix\}\s*", re.DOTALL
)


@dataclass(frozen=True)
class Given:
    """A metric, the line at which it stands, and the lines that give its components.

    It is whole as a line element or a matrix; components one by one may leave coordinates out.
    """

    line: int
    metric: Metric
    parts: frozenset[int] = frozenset()
    whole: bool = True


@dataclass
class _Section:
    """The components that a section gives, by their indices, and their lines."""

    lines: set[int] = field(default_factory=set)
    values: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    whole: bool = False


def metrics(formulas: Iterable[tuple[int, str]], outline: Outline) -> list[Given]:
    """The metrics that can be read, in the order in which they are complete."""
    formulas = list(formulas)
    texts = [t for t in dict.fromkeys(t for _, t in formulas) if not SQUARE.match(t)]
    elements = [({line}, text, True) for line, text in formulas if SQUARE.match(text)]
    found: dict[str, Given] = {}
    for lines, text, whole in (*elements, *_assembled(formulas, outline)):
        left, *sides = text.split("=")
        with suppress(SymattnError, ValueError, ArithmeticError, RecursionError):
            metric = metric_of(f"{left}={sides[-1]}", texts)
            found.setdefault(text, Given(max(lines), metric, frozenset(lines), whole))
    return sorted(found.values(), key=lambda one: one.line)


def entries(text: str) -> Iterator[tuple[tuple[str, str], str]]:
    """Indices and value of every component of g that an equation gives."""
    left, *right = text.split("=")
    if len(right) != 1:
        return
    one, other = _MATRIX.fullmatch(left), _MATRIX.fullmatch(right[0])
    if one and other:
        names, values = (re.split(r"\\\\|&", m["rows"]) for m in (one, other))
        pairs = list(zip(names, values, strict=False)) if len(names) == len(values) else []
    else:
        pairs = [(left, right[0])]
    for name, value in pairs:
        match = COMPONENT.fullmatch(name)
        found = list(scripts(match["scripts"])) if match and match["name"] == "g" else []
        if [mark for mark, _ in found] == ["_", "_"]:
            yield (found[0][1], found[1][1]), value.strip()


def scripts(written: str) -> Iterator[tuple[str, str]]:
    """Each index with the mark before its group."""
    for mark, group in re.findall(rf"([_^])\s*({SCRIPT})", written):
        rest = _INDEX.sub("", group).strip("{} ")
        yield from ((mark, i) for i in ([group] if rest else _INDEX.findall(group)))


def _assembled(
    formulas: Iterable[tuple[int, str]], outline: Outline
) -> Iterator[tuple[set[int], str, bool]]:
    """The line elements of sections that give a metric by its components, each one value."""
    sections: dict[int, _Section] = {}
    for line, text in formulas:
        for places, value in entries(text):
            here = sections.setdefault(outline.section(line), _Section())
            here.lines.add(line)
            here.whole |= _MATRIX.fullmatch(text.split("=")[0]) is not None
            first, last = sorted(places)
            here.values.setdefault((first, last), set()).add(value)
    for here in sections.values():
        own = [a for a, b in here.values if a == b]
        terms = [
            rf"{1 if a == b else 2} \left({value}\right) d{a} \, d{b}"
            for (a, b), values in here.values.items()
            for value in values
            if a in own and b in own
        ]
        every = " ".join(v for values in here.values.values() for v in values)
        varied = any(re.search(rf"(?<![A-Za-z\\]){re.escape(a)}(?![A-Za-z])", every) for a in own)
        clear = all(len(values) == 1 for values in here.values.values())
        if len(own) > 1 and varied and clear:  # its letters are coordinates: a component varies
            yield here.lines, f"ds^2 = {' + '.join(terms)}", here.whole


__all__ = ["COMPONENT", "GROUP", "SCRIPT", "Given", "entries", "metrics", "scripts"]
