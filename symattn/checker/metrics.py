r"""The metrics of a text: ds² = …, g_{θθ} = r² one after the other, or a matrix of components."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import sympy as sp

from ..errors import SymattnError
from ..geometry import Metric
from ..geometry.files import COORDINATE, SQUARE, metric_of
from .outline import Outline
from .qualities import INLINE

GROUP = r"\{(?:[^{}]|\{[^{}]*\})*\}"
SCRIPT = rf"(?:{GROUP}|\\[A-Za-z]+|\w)"
COMPONENT = re.compile(rf"\s*(?P<name>\\Gamma|[RGCWg])\s*(?P<scripts>(?:[_^]\s*{SCRIPT}\s*)+)")
_INDEX = re.compile(r"\\[A-Za-z]+|[A-Za-z](?:_\d)?|,")
_MATRIX = re.compile(
    r"\s*\\begin\{(?:[bpv]?matrix)\}(?P<rows>.*)\\end\{[bpv]?matrix\}\s*", re.DOTALL
)
_PLACES = re.compile(  # in coordinates $(t, r)$, x^\\mu = (t, r, \\theta, \\phi)
    r"(?:coordinates|=)[\s$\\({]*?\(\s*(?P<all>(?:\\?[A-Za-z]+\s*,\s*)+\\?[A-Za-z]+)\s*\\?\)"
)
DIAGONAL = re.compile(  # g_{ab} = diag(-1, 1)
    rf"\s*g\s*_\s*{GROUP}\s*=\s*\\(?:mathrm|text|operatorname)\s*\{{diag\}}\s*(?P<rest>(?:\\left\s*)?\(.*)"
)
_FUNCTION = re.compile(r"\s*(?P<name>\\?[A-Za-z]+)\s*\(\s*(?P<at>\\?[A-Za-z]+)\s*\)\s*=[^=]*$")
_UNITS = re.compile(r"(?P<names>(?:\s*\\?[A-Za-z]+\s*=)+)\s*1\s*")


@dataclass(frozen=True)
class Given:
    """A metric, the line at which it stands, and the lines that give its components.

    It is whole as a line element or a matrix; components one by one may leave coordinates out.
    In the units of the text, c = 1, it may be another.
    """

    line: int
    metric: Metric
    parts: frozenset[int] = frozenset()
    whole: bool = True
    units: tuple[str, ...] = ()
    in_units: Metric | None = None


@dataclass
class _Section:
    """The components that a section gives, by their indices, and their lines."""

    lines: set[int] = field(default_factory=set)
    values: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    whole: bool = False


def metrics(formulas: Iterable[tuple[int, str]], outline: Outline) -> list[Given]:
    """The metrics that can be read, in the order in which they are complete."""
    formulas = list(formulas)
    texts = [*dict.fromkeys(t for _, t in formulas)]
    texts = [t for t in texts if not SQUARE.match(t) and not _UNITS.fullmatch(t)]
    elements = [({line}, text, True) for line, text in formulas if SQUARE.match(text)]
    units = _units(outline.text)
    found: dict[str, Given] = {}
    for lines, text, whole in (*elements, *_assembled(formulas, outline)):
        left, *sides = text.split("=")
        element = f"{left}={sides[-1]}"
        metric = _metric(element, texts)
        if metric is None:
            continue
        names = {sp.latex(s) for s in metric.parameters}
        set_to = tuple(u for u in units if u.split(" = ")[0] in names)
        other = _metric(element, [*texts, *set_to]) if set_to else None
        given = Given(max(lines), metric, frozenset(lines), whole, set_to, other)
        found.setdefault(text, given)
    return sorted(found.values(), key=lambda one: one.line)


def _metric(element: str, texts: Sequence[str]) -> Metric | None:
    """The metric of a line element, with the functions of its coordinates that a text defines."""
    places = {m[1] for m in COORDINATE.finditer(element)}
    functions = [(m["name"], m["at"], t) for t in texts if (m := _FUNCTION.match(t))]
    named = [name for name, _, _ in functions]
    more = [t for name, x, t in functions if x in places - {name} and named.count(name) == 1]
    for beside in (more, []):
        with suppress(SymattnError, ValueError, ArithmeticError, RecursionError):
            return metric_of(element, texts, beside)
    return None


def _units(text: str) -> list[str]:
    """What a text sets to 1 in a sentence: c = 1 and G = 1 of "in units where $G = c = 1$"."""
    found = (_UNITS.fullmatch(m[1] or m[2]) for m in INLINE.finditer(text))
    names = (name.strip() for m in found if m for name in m["names"].split("=")[:-1])
    return [f"{name} = 1" for name in dict.fromkeys(names)]


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


def diagonal(text: str) -> list[str]:
    """The entries of diag(…), that a metric is said to be; none for any other formula."""
    match = DIAGONAL.fullmatch(text)
    depth, parts = 0, [""]
    inside = re.sub(r"\\(?:left|right)(?![a-z])", "", match["rest"]) if match else ""
    for letter in inside.strip():
        depth += (letter in "({[") - (letter in ")}]")
        if depth == 1 and letter == ",":
            parts.append("")
        elif (depth, letter) not in ((1, "("), (0, ")")):
            parts[-1] += letter
    return [p.strip() for p in parts] if match and not depth else []


def _assembled(
    formulas: Iterable[tuple[int, str]], outline: Outline
) -> Iterator[tuple[set[int], str, bool]]:
    """The line elements of sections that give a metric by its components, each one value."""
    sections: dict[int, _Section] = {}
    drawn: dict[int, list[str]] = {}  # the coordinates of the last line element
    for line, text in formulas:
        if SQUARE.match(text):
            drawn[outline.section(line)] = [*dict.fromkeys(COORDINATE.findall(text.split("=")[-1]))]
        values, named = diagonal(text), _PLACES.findall(outline.around(line))
        xs = re.split(r"\s*,\s*", named[-1]) if named else drawn.get(outline.section(line), [])
        if values and len(xs) == len(values):
            terms = [rf"\left({v}\right) d{x}^2" for x, v in zip(xs, values, strict=True)]
            yield {line}, f"ds^2 = {' + '.join(terms)}", True
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
