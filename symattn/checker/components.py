r"""Components beside a metric: Γ^θ_{φφ} = −sin θ cos θ where ds² = dθ² + sin²θ dφ² stands.

They follow from the metric exactly, in the field of scalars of `symattn.geometry`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import product
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ..errors import SymattnError
from ..geometry import Metric, is_zero
from ..geometry.files import SQUARE
from ..geometry.line_element import read_scalar
from . import geodesics, report
from .finding import Finding
from .metrics import COMPONENT, GROUP, SCRIPT, Given, diagonal, entries, metrics, scripts
from .outline import Outline

_UNITS = re.compile(r"\bin (?:the )?units\b", re.IGNORECASE)  # which are put in
_SPACE = re.compile(
    rf"\\[ ,;:!]|\\(?:phantom|label)\s*{GROUP}|\\no(?:number|tag)\b|\{{\}}|~"
    r"|\\[bB]igg?[lr]?(?![A-Za-z])"
)
_GENERAL = re.compile(  # g_{ab} dx^a dx^b
    rf"\s*(?:\\eta|g)\s*_\s*{SCRIPT}(?:\s*(?:\\(?:mathrm|text|operatorname)\s*\{{d\}}|\\?d)"
    rf"\s*[a-z]\s*\^\s*{SCRIPT}){{2}}\s*"
)
_TENSORS = {  # name, how many indices above and below: the attribute of a metric
    (r"\Gamma", "^__"): "christoffel",
    ("R", "^___"): "riemann",
    ("R", "____"): "riemann_lower",
    ("R", "__"): "ricci",
    ("G", "__"): "einstein",
    ("C", "____"): "weyl",
    ("W", "____"): "weyl",
    ("g", "__"): "tensor_g",
    ("g", "^^"): "inverse",
}
_DERIVED = re.compile(
    rf"(?<![A-Za-z\\])(?P<by>(?:\s*\\partial\s*_\s*{SCRIPT})*){COMPONENT.pattern}"
)
_RICCI = re.compile(rf"R\s*_\s*\{{\s*{SCRIPT}\s*{SCRIPT}\s*\}}")
_DELTA = re.compile(rf"\\delta(?P<scripts>(?:\s*[_^]\s*{SCRIPT}){{1,2}})")
_SQUARE_OF_R = re.compile(rf"\s*R((?:\s*[_^]\s*{SCRIPT})+)\s*R((?:\s*[_^]\s*{SCRIPT})+)\s*")
MOST = 300  # components of one equation
_SCALAR = re.compile(r"\b(?:Ricci|curvature) scalar|scalar curvature", re.IGNORECASE)
_GAUSS = re.compile(r"Gauss(?:ian)? curvature", re.IGNORECASE)
_ANOTHER = "the metric gives another component"
_CURVATURE = "RGCW"  # whose sign is a convention


class Components:
    """The line elements of a text, and what they say of components of tensors."""

    def __init__(self, formulas: Iterable[tuple[int, str]], outline: Outline) -> None:
        """`formulas` are those of the text, each with its line."""
        self.outline = outline
        self._formulas = sorted((line, _plain(latex)) for line, latex in formulas)
        self._known: dict[tuple[int, str], Finding | None] = {}

    @cached_property
    def metrics(self) -> list[Given]:
        """The metrics that can be read."""
        return metrics(self._formulas, self.outline)

    def finding(
        self, latex: str, line: int, column: int = 1, number: int | None = None
    ) -> Finding | None:
        """The verdict on Γ^θ_{φφ} = …, by the last metric before it; None for anything else.

        Of a chain it is held against side `number` + 1, or against all. What no metric gives is
        refuted only where it is clear which one is meant: one in the same section, or one from
        which the text takes other components rightly.
        """
        text = _plain(latex)
        if SQUARE.match(text) or next(entries(text), None) or diagonal(text):
            known = [g.metric for g in self.metrics if line in g.parts]
            if not known and _GENERAL.fullmatch(text.split("=")[-1]):
                return Finding(report.DEFINITION, "a line element")
            shown = ", ".join(str(x) for m in known for x in m.coordinates)
            if known or SQUARE.match(text):
                return Finding(report.DEFINITION, f"a metric in {shown}") if known else None
        if geodesics.SECOND.search(text) and (along := self._geodesic(text, line)) is not None:
            return along
        head, *sides = text.split("=")
        if number and number > len(sides):
            return None  # -1 ≤ u ≤ 1
        if number and _square(sides[number - 1]) and not COMPONENT.fullmatch(head):
            head, sides = sides[number - 1], sides[number:]  # K = R_{abcd} R^{abcd} = …
            text, number = "=".join([head, *sides]), 0
        component = COMPONENT.search(head) is not None
        if component and (every := self._of_every_component(text, line)) is not None:
            return every
        given_by = COMPONENT.fullmatch(head) is not None or _square(head)
        scalar = head.strip() == "R" and self._named(line)
        if not given_by and not scalar and not self._curvature(head, line):
            return self._gauss(head, sides, line)
        if number is not None:
            text = "=".join([head, *sides[number : number + 1]])
        found = [
            (given, answer)
            for given in reversed(self.metrics)
            if given.line <= line and (answer := self._compared(given, text)) is not None
        ]
        curved = head.strip()[0] in _CURVATURE
        for given, answer in found:
            clear = given.whole or not curved or not _vanishes(given.metric, text)
            if answer.verdict == report.PROVED and (clear or self._signed(given, head)):
                return replace(answer, used=(f"the metric of line {given.line}", *answer.used))
        if not found or (scalar and not self._curvature(head, line)):
            return None  # R may be a radius
        given, answer = found[0]
        if curved and not given.whole and not self._signed(given, head):
            return None  # curvature is of all coordinates
        if answer.verdict == report.CONDITIONAL and self._signed(given, head):
            answer = replace(answer, verdict=report.REFUTED, reason=_ANOTHER)
        alike = {(other.verdict, other.correction) for _, other in found}  # g_θθ = a² is no other
        if answer.verdict != report.REFUTED or (
            len(alike) == 1
            and self._meant(given, line)
            and not self.outline.condition(line, column, _UNITS)
        ):
            return answer
        reason = f"the metric of line {given.line} gives {answer.correction}"
        return Finding(report.UNPROVED, reason, kind="claim")

    def _geodesic(self, text: str, line: int) -> Finding | None:
        """The verdict on an equation of geodesics, by the last metric before it."""
        given = next((g for g in reversed(self.metrics) if g.line <= line and g.whole), None)
        if given is None or not geodesics.WORDS.search(self.outline.around(line)):
            return None
        metric = given.metric
        found = geodesics.equation(metric, text, lambda t, more: _scalar(metric, t, more))
        return found and replace(found, used=(f"the metric of line {given.line}",))

    def _gauss(self, head: str, sides: Sequence[str], line: int) -> Finding | None:
        """The verdict on K = …, the Gaussian curvature R/2 of the last surface before it."""
        given = next((g for g in reversed(self.metrics) if g.line <= line and g.whole), None)
        said = _GAUSS.search(self.outline.around(line))
        if given is None or not said or head.strip() != "K" or len(given.metric.coordinates) != 2:
            return None
        values = [_scalar(given.metric, side) for side in sides]
        if None in values or sp.Symbol("K") in given.metric.matrix.free_symbols:
            return None
        curvature = sp.sympify(given.metric.scalar) / 2
        used = (f"the metric of line {given.line}",)
        if all(is_zero(curvature - v) for v in values):
            return Finding(report.PROVED, kind="claim", used=used)
        if any(is_zero(curvature - v) is None for v in values):
            return None
        shown = sp.latex(sp.simplify(curvature))
        why = "the metric gives another curvature"
        return Finding(report.REFUTED, why, correction=shown, kind="claim", used=used)

    def _of_every_component(self, text: str, line: int) -> Finding | None:
        """The proof of R_{μν} = 0 and G_{μν} + Λ g_{μν} = 0 by the last metric before it.

        What is not so may be an equation for a metric; a Γ is refuted by the metric of its section.
        """
        given = next((g for g in reversed(self.metrics) if g.line <= line and g.whole), None)
        if given is None:
            return None
        each = list(_written_out(text, [sp.latex(x) for x in given.metric.coordinates]))
        answers = [self._compared(given, t) for t in each]
        used = (f"the metric of line {given.line}",)
        if not answers or None in answers:
            return None
        if all(a and a.verdict == report.PROVED for a in answers):
            return Finding(report.PROVED, kind="claim", used=used)
        wrong = [(t, a) for t, a in zip(each, answers, strict=True) if a]
        wrong = [(t, a) for t, a in wrong if a.verdict == report.REFUTED]
        here = self.outline.section(given.line) == self.outline.section(line)
        if not wrong or _kind(text.split("=")[0]) != (r"\Gamma", "^__") or not here:
            return None
        where = wrong[0][0].split("=")[0].strip()
        reason = f"the metric gives {where} = {wrong[0][1].correction}"
        return Finding(report.REFUTED, reason, kind="claim", used=used)

    def _curvature(self, head: str, line: int) -> bool:
        """R is the scalar that its section calls so, and no radius."""
        return head.strip() == "R" and _SCALAR.search(self.outline.around(line)) is not None

    def _named(self, line: int) -> bool:
        """The section has an R_{ab}, of which R may be the trace."""
        section = self.outline.section(line)
        return any(
            self.outline.section(k) == section and _RICCI.search(t) for k, t in self._formulas
        )

    def _signed(self, given: Given, head: str) -> bool:
        """Other components of the tensor have the sign that is derived, and are not 0."""
        kind = _kind(head)
        for _, text in self._formulas:
            left, *sides = text.split("=")
            if sides and _kind(left) == kind and left.strip() != head.strip():
                answer = self._compared(given, text)
                proved = answer is not None and answer.verdict == report.PROVED
                if proved and not _vanishes(given.metric, text):
                    return True
        return False

    def _meant(self, given: Given, line: int) -> bool:
        """Whether it is clear that a formula is about a metric."""
        if self.outline.section(given.line) == self.outline.section(line):
            return True
        answers = [self._compared(given, t) for k, t in self._formulas if k > given.line]
        return any(a is not None and a.verdict == report.PROVED for a in answers)

    def _compared(self, given: Given, text: str) -> Finding | None:
        """The components on all sides and their values, compared; None where one is not read.

        In the units of the text, c = 1, where it is not so in all.
        """
        if (given.line, text) not in self._known:
            found = _compared(given.metric, text)
            if given.in_units and (found is None or found.verdict != report.PROVED):
                inside = _compared(given.in_units, text)
                found = replace(inside, used=given.units) if inside else found
            self._known[given.line, text] = found
        return self._known[given.line, text]


def _kind(head: str) -> tuple[str, str] | None:
    """The name of a tensor, and which of its indices stand above."""
    match = COMPONENT.fullmatch(head)
    return match and (match["name"], "".join(mark for mark, _ in scripts(match["scripts"])))


def _vanishes(metric: Metric, text: str) -> bool:
    """One of the sides of an equation is 0."""
    return any(_scalar(metric, side) == 0 for side in text.split("=")[1:])


def _plain(latex: str) -> str:
    latex = latex if "matrix}" in latex else latex.replace("&", " ")
    return _SPACE.sub(" ", latex).strip().rstrip(".,;").strip()


def _square(latex: str) -> bool:
    """True for R_{abcd} R^{abcd}, the Kretschmann scalar."""
    match = _SQUARE_OF_R.fullmatch(latex)
    lower, upper = ([*scripts(match[k])] for k in (1, 2)) if match else ([], [])
    letters = [i for _, i in lower]
    signs = {mark for mark, _ in lower} | {mark for mark, _ in upper}
    return letters == [i for _, i in upper] and len({*letters}) == 4 and len(signs) == 2


def _sums(text: str) -> bool:
    """True for g^{ab} R_{ab} and g_{ab} g_{ab}: a letter above and below, or twice in a term."""
    found = [[*scripts(m["scripts"])] for m in COMPONENT.finditer(text)]
    marks = {pair for row in found for pair in row}
    terms = [
        [i for m in COMPONENT.finditer(term) for _, i in scripts(m["scripts"])]
        for term in re.split(r"[-+=]", text)
    ]
    return len({i for _, i in marks}) < len(marks) or any(len({*t}) < len(t) for t in terms)


def _written_out(text: str, places: Sequence[str]) -> Iterator[str]:
    """An equation between tensors for every component; of none that has sums.

    Beside a δ or the index t, Latin letters are of space.
    """
    head = COMPONENT.search(text.split("=")[0])
    letters = [i for _, i in scripts(head["scripts"]) if i not in places] if head else []
    tensors = [i for m in COMPONENT.finditer(text) for _, i in scripts(m["scripts"])]
    every = {i for i in tensors if i not in places}
    deltas = {i for m in _DELTA.finditer(text) for _, i in scripts(m["scripts"])}
    spatial = "t" in tensors or bool(deltas)
    if not letters or len({*letters}) < len(letters) or ({*tensors} & {*places} and not spatial):
        return
    if spatial and not ("t" in places and all(re.fullmatch("[i-n]", i) for i in letters)):
        return
    if every != {*letters} or not deltas <= every or _sums(text):
        return
    places = [x for x in places if x != "t" or not spatial]
    if len(places) ** len(letters) > MOST:
        return
    for where in product(places, repeat=len(letters)):
        put = dict(zip(letters, where, strict=True))

        def told(m: re.Match[str], put: dict[str, str] = put) -> str:
            inside = "".join(f"{mark}{{{put.get(i, i)}}}" for mark, i in scripts(m["scripts"]))
            return f"{m['name']}{inside}"

        def same(m: re.Match[str], put: dict[str, str] = put) -> str:
            return rf"\left({int(len({put[i] for _, i in scripts(m['scripts'])}) == 1)}\right)"

        yield _DELTA.sub(same, COMPONENT.sub(told, text))


def _compared(metric: Metric, text: str) -> Finding | None:
    left, *sides = text.split("=")
    plain = left.strip() == "R" and all(str(x) != "R" for x in metric.matrix.free_symbols)
    value = sp.sympify(metric.scalar) if plain else _component(metric, left)
    if _square(left):
        value = sp.sympify(metric.kretschmann)
    elif value is None and COMPONENT.search(left) and not COMPONENT.fullmatch(left):
        value = _scalar(metric, left)  # R_{ab} + Λ g_{ab}
    others = [_scalar(metric, s) for s in sides]
    if value is None or not others or None in others:
        return None
    for other in others:
        same = is_zero(value - other)
        if same is False and left.strip()[0] in _CURVATURE and is_zero(value + other):
            return Finding(
                report.CONDITIONAL,
                "true with the other sign of curvature",
                correction=sp.latex(value),
                kind="claim",
            )
        if same is False and left.strip()[0] == "g":  # a text may speak of several metrics
            return None
        if not same:
            shown = sp.latex(value)
            reason = "" if same is False else f"it is not known whether this is {shown}"
            verdict = report.UNPROVED if reason else report.REFUTED
            reason = reason or _ANOTHER
            return Finding(verdict, reason, correction="" if same is None else shown, kind="claim")
    return Finding(report.PROVED, kind="claim")


def _component(metric: Metric, latex: str) -> sp.Expr | None:
    """The component that is written, computed; None where its indices are no coordinates.

    With g_{φφ,θ} and ∂_θ Γ^φ_{φθ}, which are derivatives of components.
    """
    match = _DERIVED.fullmatch(latex)
    if match is None:
        return None
    places = {sp.latex(x): x for x in metric.coordinates}
    found = list(scripts(match["scripts"]))
    outer = [i for _, i in scripts(re.sub(r"\\partial", "", match["by"]))]
    comma = found.index(("_", ",")) if ("_", ",") in found else len(found)
    by, found = [i for _, i in found[comma + 1 :]] + outer, found[:comma]
    if match["name"] == r"\Gamma":  # Γ_{bc}^a is Γ^a_{bc}
        found.sort(key=lambda one: "^_".index(one[0]))
    attribute = _TENSORS.get((match["name"], "".join(mark for mark, _ in found)))
    if attribute is None or any(text not in places for text in (*by, *(t for _, t in found))):
        return None
    where = tuple(places[text] for _, text in found)
    if attribute == "inverse":
        value = metric.inverse[tuple(metric.coordinates.index(x) for x in where)]
    else:
        value = getattr(metric, attribute)[where]
    return sp.diff(value, *(places[x] for x in by)) if by else sp.sympify(value)


def _filled(metric: Metric, latex: str) -> str | None:
    """A value with its components written out; None where one is of no coordinates."""
    parts, end = [], 0
    for match in _DERIVED.finditer(latex):
        value = _component(metric, match[0])
        if value is None and all(i.isdigit() for _, i in scripts(match["scripts"])):
            continue  # R^2
        if value is None:
            return None
        parts += [latex[end : match.start()], rf"\left({sp.latex(value)}\right)"]
        end = match.end()
    return "".join([*parts, latex[end:]])


def _scalar(metric: Metric, latex: str, more: Sequence[sp.Symbol] = ()) -> sp.Expr | None:
    """A value over the coordinates and parameters of the metric; None for anything else.

    With `more` symbols beside these.
    """
    functions = sorted(metric.matrix.atoms(AppliedUndef), key=str)
    named = _functions(metric)
    filled = _filled(metric, latex)
    if filled is None:
        return None
    try:
        found = read_scalar(filled, [*metric.coordinates, *more], [*functions, *named])
    except (SymattnError, ValueError, ArithmeticError, RecursionError):
        return None
    found = found.subs(named).doit() if found.has(*named) else found
    said = {s.name: e for s, e in metric.names.items()}
    meant: dict[Any, sp.Expr] = {sp.Symbol(f.func.__name__): f for f in functions}
    applied = [f for f in found.atoms(AppliedUndef) if f.func.__name__ in said]
    meant |= {f: said[f.func.__name__] for f in applied}
    found = found.xreplace({**metric.names, **meant})
    known = {*metric.coordinates, *metric.parameters, *metric.matrix.free_symbols, *more}
    plain = found.free_symbols <= known and found.atoms(AppliedUndef) <= set(functions)
    return found if plain else None


def _functions(metric: Metric) -> dict[sp.Expr, sp.Expr]:
    """The named functions of one coordinate, f of f(r), and what they are."""
    places = [({*metric.coordinates} & e.free_symbols, s, e) for s, e in metric.names.items()]
    return {sp.Function(s.name)(*xs): e for xs, s, e in places if len(xs) == 1}


__all__ = ["Components"]
