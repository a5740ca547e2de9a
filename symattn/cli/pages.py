"""The pages of docs/derivations, one for every derivation, and their index."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..convert import lower_equation
from ..explain import definition_latex, latex, markdown, system_latex
from ..syntax import Definition

if TYPE_CHECKING:
    from ..gallery import Entry, Outcome
    from ..prove import Verdict

DEFINITION = "definition of "  # how a verdict names one that a proof used
MADE = "<!-- Written by `symattn build`; edit the file in derivations/ and build again. -->"


def page(outcome: Outcome) -> str:
    """The page of one derivation; it says nothing that was not checked."""
    entry = outcome.entry
    rows = [MADE, "", f"# {entry.title}", ""]
    if entry.text:
        rows += [entry.text, ""]
    if entry.source:
        rows += [f"*Source: {entry.source}.*", ""]
    rows += ["## Definitions", "", "$$", system_latex(entry.system), "$$", ""]
    if entry.results:
        rows += ["## Derived", ""]
        rows += [markdown(d, label) for label, d in entry.derivations()]
    if outcome.verdicts:
        rows += ["## Claims", ""]
        for claim, (label, verdict) in zip(entry.claims, outcome.verdicts, strict=True):
            rows += [
                f"**{label}**: {_status(verdict)}",
                "",
                "$$",
                equation(claim.left, claim.right),
                "$$",
                "",
            ]
            more = [d for d in claim.given if d.name not in entry.system.definitions]
            if more:
                rows += ["where", "", *(f"$$\n{definition_latex(d)}\n$$\n" for d in more)]
    if outcome.exhibits:
        rows += ["## Values", ""]
        for label, text in outcome.exhibits:
            rows += [f"**{label}**", "", "$$", text, "$$", ""]
    rows += ["## Checks", "", *_checks(outcome)]
    return "\n".join(rows).rstrip() + "\n"


def index(entries: Iterable[Entry]) -> str:
    """The list of all pages."""
    rows = [MADE, "", "# Derivations", ""]
    rows += [f"- [{e.title}]({e.name}.md)" for e in entries]
    return "\n".join(rows) + "\n"


def equation(lhs: Any, rhs: Any) -> str:
    """left = right as LaTeX, every sum written with Σ."""
    if isinstance(lhs, sp.MatrixBase | sp.Limit):
        left, right = sp.latex(lhs), sp.latex(rhs)
        return left if left == right else f"{left} = {right}"
    left, right = lower_equation(
        *(side.lhs if isinstance(side, Definition) else sp.sympify(side) for side in (lhs, rhs))
    )
    free = tuple(sorted(left.free | right.free, key=lambda i: i.sort))
    return f"{latex(left, free)} = {latex(right, free)}"


def _status(verdict: Verdict) -> str:
    if not verdict:
        return f"{verdict.status}."
    text = "proved"
    if isinstance(verdict.lhs, sp.Limit):
        text += ", with the limit that SymPy finds"
    elif any(_symbolic(side) for side in (verdict.lhs, verdict.rhs)):
        text += " for all sizes"
    names = [u.removeprefix(DEFINITION) for u in verdict.used if u.startswith(DEFINITION)]
    if names:
        text += f", by the definition{'s' * (len(set(names)) > 1)} of "
        text += ", ".join(dict.fromkeys(names))
    others = [u for u in verdict.used if not u.startswith(DEFINITION)]
    if others:
        text += ", with " + ", ".join(dict.fromkeys(others))
    if verdict.conditions:
        text += ", where " + " and ".join(verdict.conditions)
    return text + "."


def _symbolic(side: sp.Basic) -> bool:
    """An index of symbolic size occurs."""
    return any(not letter.upper.is_number for letter in side.atoms(sp.Idx))


def _checks(outcome: Outcome) -> list[str]:
    steps = [check for _, report in outcome.steps for check in report]
    rows = []
    if steps:
        good = sum(check.ok for check in steps)
        rows.append(
            f"- {good} of {len(steps)} steps hold, each re-checked on its own for all "
            "sizes and with numbers."
        )
    if outcome.verdicts:
        good = sum(bool(v) for _, v in outcome.verdicts)
        rows.append(f"- {good} of {len(outcome.verdicts)} claims are proved.")
    kinds = dict.fromkeys((r.reference, r.dtype, r.tolerance) for r in outcome.rows)
    for reference, dtype, tolerance in kinds:
        same = [r for r in outcome.rows if (r.reference, r.dtype) == (reference, dtype)]
        agree = [r.name for r in same if r.ok]
        rows.append(
            f"- {len(agree)} of {len(same)} agree with {reference} in {dtype} to "
            f"{tolerance:.0e}: {', '.join(agree)}."
        )
    return rows or ["- There is nothing to check."]
