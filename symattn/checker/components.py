r"""Components beside a line element: Γ^θ_{φφ} = −sin θ cos θ where ds² = dθ² + sin²θ dφ² stands.

They follow from the metric exactly, in the field of scalars of `symattn.geometry`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ..errors import SymattnError
from ..geometry import Metric, is_zero
from ..geometry.files import SQUARE, metric_of
from ..geometry.line_element import read_scalar
from . import report
from .finding import Finding
from .outline import Outline

_GROUP = r"\{(?:[^{}]|\{[^{}]*\})*\}"
_SCRIPT = rf"(?:{_GROUP}|\\[A-Za-z]+|\w)"
_SPACE = re.compile(
    rf"\\[ ,;:!]|\\(?:phantom|label)\s*{_GROUP}|\\no(?:number|tag)\b|\{{\}}|~|&"
    r"|\\[bB]igg?[lr]?(?![A-Za-z])"
)
_COMPONENT = re.compile(rf"\s*(?P<name>\\Gamma|[RGCWg])\s*(?P<scripts>(?:[_^]\s*{_SCRIPT}\s*)+)")
_GENERAL = re.compile(  # g_{ab} dx^a dx^b
    rf"\s*(?:\\eta|g)\s*_\s*{_SCRIPT}(?:\s*(?:\\(?:mathrm|text|operatorname)\s*\{{d\}}|\\?d)"
    rf"\s*[a-z]\s*\^\s*{_SCRIPT}){{2}}\s*"
)
_INDEX = re.compile(r"\\[A-Za-z]+|[A-Za-z](?:_\d)?")
_TENSORS = {  # name, how many indices above and below: the attribute of a metric
    (r"\Gamma", "^__"): "christoffel",
    ("R", "^___"): "riemann",
    ("R", "____"): "riemann_lower",
    ("R", "__"): "ricci",
    ("G", "__"): "einstein",
    ("C", "____"): "weyl",
    ("W", "____"): "weyl",
    ("g", "__"): "tensor_g",
}
_CURVATURE = "RGCW"  # whose sign is a convention


class Components:
    """The line elements of a text, and what they say of components of tensors."""

    def __init__(self, formulas: Iterable[tuple[int, str]], outline: Outline) -> None:
        """`formulas` are those of the text, each with its line."""
        self.outline = outline
        self._formulas = sorted((line, _plain(latex)) for line, latex in formulas)
        self._known: dict[tuple[int, str], Finding | None] = {}

    @cached_property
    def metrics(self) -> list[tuple[int, Metric]]:
        """The metrics of the line elements that can be read, with their lines."""
        texts = [t for t in dict.fromkeys(t for _, t in self._formulas) if not SQUARE.match(t)]
        found: dict[str, tuple[int, Metric]] = {}
        for line, text in self._formulas:
            if SQUARE.match(text):
                left, *sides = text.split("=")
                with suppress(SymattnError, ValueError, ArithmeticError, RecursionError):
                    found.setdefault(text, (line, metric_of(f"{left}={sides[-1]}", texts)))
        return list(found.values())

    def finding(self, latex: str, line: int, column: int = 1) -> Finding | None:
        """The verdict on Γ^θ_{φφ} = …, by the last line element before it; None for anything else.

        What no line element gives is refuted only where it is clear which one is meant: one in the
        same section, or one from which the text takes other components rightly.
        """
        text = _plain(latex)
        if SQUARE.match(text):
            known = [m for at, m in self.metrics if at == line]
            if not known and _GENERAL.fullmatch(text.split("=")[-1]):
                return Finding(report.DEFINITION, "a line element")
            shown = ", ".join(str(x) for m in known for x in m.coordinates)
            return Finding(report.DEFINITION, f"a metric in {shown}") if known else None
        if _COMPONENT.fullmatch(text.split("=")[0]) is None:
            return None
        found = [
            (at, metric, answer)
            for at, metric in reversed(self.metrics)
            if at <= line and (answer := self._compared(at, metric, text)) is not None
        ]
        for at, _, answer in found:
            if answer.verdict == report.PROVED:
                return replace(answer, used=(f"the line element of line {at}",))
        if not found:
            return None
        at, metric, answer = found[0]
        if answer.verdict != report.REFUTED or (
            len(found) == 1
            and self._meant(at, metric, line)
            and not self.outline.condition(line, column)
        ):
            return answer
        reason = f"the metric of line {at} gives {answer.correction}"
        return Finding(report.UNPROVED, reason, kind="claim")

    def _meant(self, at: int, metric: Metric, line: int) -> bool:
        """Whether it is clear that a formula is about a metric."""
        if self.outline.section(at) == self.outline.section(line):
            return True
        answers = [self._compared(at, metric, t) for k, t in self._formulas if k > at]
        return any(a is not None and a.verdict == report.PROVED for a in answers)

    def _compared(self, at: int, metric: Metric, text: str) -> Finding | None:
        """The components on all sides and their values, compared; None where one is not read."""
        if (at, text) not in self._known:
            self._known[at, text] = _compared(metric, text)
        return self._known[at, text]


def _plain(latex: str) -> str:
    return _SPACE.sub(" ", latex).strip().rstrip(".,;").strip()


def _compared(metric: Metric, text: str) -> Finding | None:
    left, *sides = text.split("=")
    value = _component(metric, left)
    read = (_component if _COMPONENT.fullmatch(s) else _scalar for s in sides)
    others = [way(metric, s) for way, s in zip(read, sides, strict=True)]
    if value is None or not others or None in others:
        return None
    for other in others:
        same = is_zero(value - other)
        if same is False and left.strip()[0] in _CURVATURE and is_zero(value + other):
            return Finding(
                report.CONDITIONAL, "true with the other sign of curvature", kind="claim"
            )
        if same is False and left.strip()[0] == "g":  # a text may speak of several metrics
            return None
        if not same:
            shown = sp.latex(value)
            reason = "" if same is False else f"it is not known whether this is {shown}"
            verdict = report.UNPROVED if reason else report.REFUTED
            reason = reason or "the metric gives another component"
            return Finding(verdict, reason, correction="" if same is None else shown, kind="claim")
    return Finding(report.PROVED, kind="claim")


def _component(metric: Metric, latex: str) -> sp.Expr | None:
    """The component that is written, computed; None where its indices are no coordinates."""
    match = _COMPONENT.fullmatch(latex)
    if match is None:
        return None
    places = {sp.latex(x): x for x in metric.coordinates}
    found = list(_scripts(match["scripts"]))
    if match["name"] == r"\Gamma":  # Γ_{bc}^a is Γ^a_{bc}
        found.sort(key=lambda one: "^_".index(one[0]))
    attribute = _TENSORS.get((match["name"], "".join(mark for mark, _ in found)))
    if attribute is None or any(text not in places for _, text in found):
        return None
    return sp.sympify(getattr(metric, attribute)[tuple(places[text] for _, text in found)])


def _scripts(scripts: str) -> Iterator[tuple[str, str]]:
    """Each index with the mark before its group."""
    for mark, group in re.findall(rf"([_^])\s*({_SCRIPT})", scripts):
        rest = _INDEX.sub("", group).strip("{} ,")
        yield from ((mark, i) for i in ([group] if rest else _INDEX.findall(group)))


def _scalar(metric: Metric, latex: str) -> sp.Expr | None:
    """A value over the coordinates and parameters of the metric; None for anything else."""
    functions = sorted(metric.matrix.atoms(AppliedUndef), key=str)
    try:
        found = read_scalar(latex, metric.coordinates, functions)
    except (SymattnError, ValueError, ArithmeticError, RecursionError):
        return None
    said = {s.name: e for s, e in metric.names.items()}
    meant: dict[Any, sp.Expr] = {sp.Symbol(f.func.__name__): f for f in functions}
    applied = [f for f in found.atoms(AppliedUndef) if f.func.__name__ in said]
    meant |= {f: said[f.func.__name__] for f in applied}
    found = found.xreplace({**metric.names, **meant})
    known = {*metric.coordinates, *metric.parameters, *metric.matrix.free_symbols}
    plain = found.free_symbols <= known and found.atoms(AppliedUndef) <= set(functions)
    return found if plain else None


__all__ = ["Components"]
