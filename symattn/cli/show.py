"""Derivations for a terminal and for programs: plain text and JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..assuming import assumptions
from ..explain import matrix_line
from ..explain.plain import component, plain
from ..model import model

if TYPE_CHECKING:
    from ..comparison import Row
    from ..derive import Derivation
    from ..gallery import Entry

Labelled = Iterable[tuple[str, "Derivation"]]


WIDTH = 72  # beyond which a reason is not put under the others


def as_text(entry: Entry, found: Labelled) -> str:
    """Definitions and derivations, one line a step with its reason."""
    rows = [entry.title, ""]
    for body in model(entry.system).bodies.values():
        left = component(body.tensor, body.indices)
        rows.append(f"  {left} = {plain(body.raw, body.indices)}")
    rows += [f"  assuming {fact}" for fact in assumptions(entry.system)]
    for label, derivation in found:
        lines = _lines(derivation)
        width = max((len(text) for text, _ in lines if len(text) <= WIDTH), default=0)
        rows += ["", label, f"  {_left(derivation)}"]
        rows += [f"    = {text:<{width}}  {rule}".rstrip() for text, rule in lines]
        matrix = matrix_line(derivation)
        if matrix:
            rows.append(f"  as matrices, in LaTeX: {matrix}")
    return "\n".join(rows)


def _left(derivation: Derivation) -> str:
    return component(derivation.component.tensor, derivation.component.slots)


def _lines(derivation: Derivation) -> list[tuple[str, str]]:
    """The record of steps as (expression, reason)."""
    free, steps = derivation.indices, derivation.steps
    lines = [(plain(s.raw_after, free), s.rule.replace("`", "")) for s in steps]
    if steps and (start := plain(steps[0].raw_before, free)) != _left(derivation):
        lines.insert(0, (start, ""))
    return lines or [(plain(derivation.shown, free), "given")]


def as_latex(found: Labelled) -> str:
    """One aligned block for every derivation, under a comment with its label."""
    return "\n\n".join(f"% {label}\n{d.latex()}" for label, d in found)


def as_markdown(entry: Entry, found: Labelled) -> str:
    """The derivations as a Markdown page."""
    from ..explain import markdown

    return "\n".join([f"# {entry.title}", "", *(markdown(d, label) for label, d in found)])


def as_data(found: Labelled) -> list[dict[str, Any]]:
    """The derivations for a program: expressions in SymPy's notation, and LaTeX."""
    return [
        {
            "label": label,
            "lhs": str(d.lhs),
            "expr": str(d.expr),
            "latex": d.equation(),
            "matrix_form": d.matrix_form(),
            "steps": [
                {"rule": s.rule.replace("`", ""), "before": str(s.before), "after": str(s.after)}
                for s in d.steps
            ],
            "steps_latex": d.latex(),
        }
        for label, d in found
    ]


def row_data(row: Row) -> dict[str, Any]:
    """One comparison with a reference, for a program."""
    return {
        "name": row.name,
        "reference": row.reference,
        "dtype": row.dtype,
        "max_abs": row.max_abs,
        "max_rel": row.max_rel,
        "tolerance": row.tolerance,
        "ok": row.ok,
    }


def worst(rows: Sequence[dict[str, Any]], dtype: str) -> str:
    """The largest relative error against exact derivatives, as it stands in a summary."""
    errors = [r["max_rel"] for r in rows if r["dtype"] == dtype and r["reference"] != "differences"]
    return f"{max(errors):.0e}" if errors else ""
