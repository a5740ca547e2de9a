"""Derivations as LaTeX and Markdown, in index form and in matrix form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from ..ir import Index, Poly, Ref, Tensor, inside, refs
from .arrange import factored
from .cost import cost, unnamed
from .final import in_brackets
from .inner import flat
from .latex import latex, reference
from .matrix import matrix_form
from .naming import naming
from .notation import Notation, as_written, chosen, notation, number_named
from .pieces import ONES

if TYPE_CHECKING:
    from ..derive import Derivation
    from ..syntax import Definition, System

WIDER, SLACK = 1.15, 3  # how many more marks a matrix form may have than the index form
LINE = 180  # characters of LaTeX: a longer line of a derivation is broken at a + or −

__all__ = [
    "Notation",
    "chosen",
    "definition_latex",
    "derivation_latex",
    "derivation_matrix_form",
    "equation_latex",
    "formula_latex",
    "latex",
    "markdown",
    "matrix_form",
    "matrix_line",
    "stated_latex",
    "system_latex",
]


def definition_latex(definition: Definition) -> str:
    """name^{ij} = expression."""
    from ..convert import lower

    raw = lower(definition.expr, definition.indices)
    letters = tuple(
        Index(i.name, size) for i, size in zip(definition.indices, definition.shape, strict=True)
    )
    return formula_latex(Ref(Tensor(definition.name, definition.shape), letters), letters, raw)


def formula_latex(left: Ref, letters: Sequence[Index], right: Poly) -> str:
    """left = right, where these letters are free."""
    with naming([left, right], letters):
        return f"{reference(left.tensor, left.slots)} = {latex(right, letters, implicit=True)}"


def stated_latex(definition: Definition, system: System) -> str:
    """A definition of a system in the notation of its author."""
    with notation(as_written(system)):
        return definition_latex(definition)


def system_latex(system: System) -> str:
    """All definitions as an aligned block."""
    from ..convert import lower

    known = [Tensor(d.name, d.shape) for d in system]
    bodies = [lower(d.expr, d.indices) for d in system]
    with notation(as_written(system)), naming([*known, *bodies], _letters(system)):
        rows = [definition_latex(d).replace(" = ", " &= ", 1) for d in system]
    return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"


def _letters(system: System) -> list[Index]:
    """The letters of the left sides of a system."""
    return [Index(i.name, size) for d in system for i, size in zip(d.indices, d.shape, strict=True)]


def _left(derivation: Derivation) -> str:
    return reference(derivation.component.tensor, derivation.component.slots)


def equation_latex(derivation: Derivation, how: Notation | None = None) -> str:
    """lhs = result, as one equation."""
    with (
        notation(how or as_written(derivation.system)),
        naming([derivation.component, derivation.shown], derivation.indices),
    ):
        right = latex(derivation.shown, derivation.indices, implicit=True)
        return f"{_left(derivation)} = {right}"


def derivation_latex(derivation: Derivation, how: Notation | None = None) -> str:
    """The record of steps as an aligned block: one line a step, its reason behind it."""
    shown = [derivation.component, derivation.shown]
    for s in derivation.steps:
        shown += [s.raw_before, s.raw_after]
    for other in derivation.named:
        shown += [other.component, other.shown]
    with notation(how or as_written(derivation.system)), naming(shown, derivation.indices):
        return _record(derivation)


def _record(derivation: Derivation) -> str:
    left = _left(derivation)
    rows: list[tuple[str, str]] = []
    if derivation.steps:
        start = latex(derivation.steps[0].raw_before, derivation.indices, implicit=True)
        if start != left:
            rows.append((start, ""))
        for s in derivation.steps:
            text = latex(s.raw_after, derivation.indices, implicit=True)
            if not rows or text != rows[-1][0]:  # what looks alike is one step
                rows.append((text, s.rule))
    else:
        rows.append((latex(derivation.shown, derivation.indices, implicit=True), "given"))
    lines = []
    for k, (text, rule) in enumerate(rows):
        reason = f" && {_reason(rule)}" if rule else ""
        *parts, last = _broken(text)
        for n, part in enumerate([*parts, f"{last}{reason}"]):
            sign = "&=" if n == 0 else r"&\quad"
            lines.append(f"{left if k == 0 and n == 0 else ''} {sign} {part}".strip())
    for other in derivation.named:
        shown = latex(other.shown, other.indices, implicit=True)
        lines.append(f"{_left(other)} &= {shown} && {_reason('from its own derivation')}")
    return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"


def _broken(text: str) -> list[str]:
    """A long line in pieces that fit a page, each but the first beginning with + or −."""
    pieces: list[str] = []
    start = depth = 0
    ends: list[int] = []  # where the text may be broken
    for found in re.finditer(
        r"\\(?:left|right)(?![A-Za-z])\\?.|\\[A-Za-z]+|\\.|[{}()[\]]| [+-] ", text
    ):
        token = found[0]
        opens, closes = (token.startswith(rf"\{side}") for side in ("left", "right"))
        depth += token in ("{", "(", "[") or (opens and token != r"\leftarrow")
        depth -= token in ("}", ")", "]") or (closes and token != r"\rightarrow")
        if token in (" + ", " - ") and depth == 0:
            ends.append(found.start())
    for end, following in pairwise([*ends, len(text)]):
        if following - start > LINE and end > start:
            pieces.append(text[start:end].strip())
            start = end
    return [*pieces, text[start:].strip()]


def _reason(rule: str) -> str:
    """Words as text, what stands between backticks as mathematics."""
    parts = re.split(r"`([^`]*)`", rule)
    shown = ""
    for k, part in enumerate(parts):
        if k % 2:
            pieces = re.split(r"(∂|/|δ|σ)", part)
            shown += "".join(
                {"∂": r"\partial ", "/": "/", "δ": r"\delta", "σ": r"\sigma"}.get(p)
                or (number_named(p) if p else "")
                for p in pieces
            )
        elif part:
            shown += rf"\text{{{part}}}"
    return shown


def derivation_matrix_form(derivation: Derivation) -> str | None:
    """lhs = result in matrix notation, None where the result has no such form."""
    from ..convert import with_letters

    plain = with_letters(derivation.form.normal, {})
    shown = in_brackets(derivation.shown, flat)
    readings = [*dict.fromkeys((shown, derivation.shown)), factored(plain, scalars=True), plain]
    if not _has_unnamed(derivation.shown):  # n_i for Σ_i, which nobody wrote
        readings = [raw for raw in readings if not _has_unnamed(raw)]
    with notation(as_written(derivation.system)), naming([derivation.component, *readings]):
        most = SLACK + WIDER * cost(derivation.shown)
        near, far = ([r for r in readings if (cost(r) <= most) is b] for b in (True, False))
        for some in (near, far):  # a bracket is multiplied out where there is no other form
            forms = [m for raw in some if (m := matrix_form(raw, derivation.indices))]
            if forms:
                break
        left = _matrix_name(derivation.component.tensor)
    if not forms:
        return None
    right = min(forms, key=lambda form: form.count(ONES))
    if _weight(right) > SLACK + WIDER * _weight(equation_latex(derivation).partition(" = ")[2]):
        return None  # a formula that the matrices only make longer
    return f"{left} = {right}"


def _has_unnamed(poly: Poly) -> bool:
    return any(map(unnamed, inside(poly)))


def _weight(text: str) -> int:
    """How many marks a formula has: letters, signs, commands."""
    plain = re.sub(r"\\math(rm|bf)\{[a-z1]+\}", r"\\word", re.sub(r"\\(left|right|,)", "", text))
    return len(re.findall(r"\\[A-Za-z]+|[^\s{}\\]", plain))


def _matrix_name(tensor: Tensor) -> str:
    bare = Tensor(tensor.name, role=tensor.role, of=tensor.of)
    return reference(bare, ())


def matrix_line(derivation: Derivation) -> str | None:
    """The result in matrix notation, where anything in it has an axis."""
    indexed = derivation.indices or any(r.slots for r in refs(derivation.shown))
    return derivation.matrix_form() if indexed else None


def markdown(derivation: Derivation, title: str = "") -> str:
    """A derivation as a Markdown section: result, matrix form, and the steps."""
    matrix = matrix_line(derivation)
    rows = [f"### {title}", ""] if title else []
    rows += ["$$", derivation.equation(), "$$", ""]
    if matrix:
        rows += ["In matrix form:", "", "$$", matrix, "$$", ""]
    if derivation.steps:
        rows += ["Step by step:", "", "$$", derivation.latex(), "$$", ""]
    return "\n".join(rows)
