"""The pages of docs/derivations, one for every derivation; their index, and their notation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..conditions import Condition
from ..convert import lower_equation
from ..explain import (
    definition_latex,
    latex,
    markdown,
    system_latex,
)
from ..explain.naming import name
from ..explain.notation import as_written
from ..explain.notation import notation as written
from ..model import model
from ..syntax import Definition

if TYPE_CHECKING:
    from ..gallery import Entry, Outcome
    from ..ir import Tensor
    from ..prove import Verdict
    from ..stated import Claim
    from .outcomes import Record

DEFINITION = "definition of "  # how a verdict names one that a proof used
WIDEST = 240  # characters of a formula in a table
BAR = r"\vert "  # a | would end the cell of a table
MADE = "<!-- Written by `symattn build`; edit the file in derivations/ and build again. -->"


def page(outcome: Outcome) -> str:
    """The page of one derivation, in its notation; it says nothing that was not checked."""
    with written(as_written(outcome.entry.system)):
        return _page(outcome)


def _page(outcome: Outcome) -> str:
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
        for claim, (_, verdict) in zip(entry.claims, outcome.verdicts, strict=True):
            rows += _stated(entry, claim, _status(verdict, claim.given.facts))
    if outcome.wrong:
        rows += ["## Wrong, and refuted", ""]
        for claim, (_, verdict) in zip(entry.refuted, outcome.wrong, strict=True):
            rows += _stated(entry, claim, f"{verdict.status}.")
            if verdict.counterexample:
                rows += ["```", str(verdict.counterexample), "```", ""]
    for caption in entry.plots:
        rows += [f"![{caption}](plots/{plot_name(entry, caption)})", ""]
    if outcome.exhibits:
        rows += ["## Values", ""]
        for label, text in outcome.exhibits:
            rows += [f"**{label}**", "", "$$", text, "$$", ""]
    rows += ["## Checks", "", *_checks(outcome)]
    return "\n".join(rows).rstrip() + "\n"


def _stated(entry: Entry, claim: Claim, status: str) -> list[str]:
    """A claim as it was written, its status, and what it defines beside the system."""
    if claim.latex and not claim.first:
        return [f"and the next link: {status}", ""]
    shown = claim.latex.strip() or equation(claim.left, claim.right)
    rows = [f"**{claim.label}**: {status}", "", "$$", shown, "$$", ""]
    more = [d for d in claim.given if d.name not in entry.system.definitions]
    if more:
        rows += ["where", "", *(f"$$\n{definition_latex(d)}\n$$\n" for d in more)]
    return rows


def plot_name(entry: Entry, caption: str) -> str:
    """The file of a plot."""
    return f"{entry.name}_{list(entry.plots).index(caption) + 1}.svg"


def index(records: Iterable[Record]) -> str:
    """The table of all pages, with what was proved, compiled and verified."""
    rows = [MADE, "", "# Derivations", ""]
    rows += [
        "Steps and claims hold for all sizes; “on a condition” means that a divisor, a root or a "
        "logarithm must exist, and the page says which.  Compiled are the outputs of the "
        "definitions, with their first and second derivatives in every input, and what is derived; "
        "verified are the compiled functions, against their definitions, autodiff and differences. "
        "[What the symbols mean](../notation.md); [what is open](../open-questions.md).",
    ]
    group = None
    for r in records:
        if r["group"] != group:
            group = r["group"]
            rows += ["", *([f"## {group}", ""] if group else [])]
            rows += [
                "| derivation | steps | proved | compiled | verified |",
                "|---|---|---|---|---|",
            ]
        rows.append(f"| {' | '.join(_cells(r))} |")
    return "\n".join(rows) + "\n"


def _cells(r: Record) -> list[str]:
    page = f"{r['name']}.md"
    if "error" in r:
        return [f"{r['title'] or r['name']}: could not be checked", "", "", "", ""]
    claims, wrong, numbers = r["claims"], r["refuted"], r["numbers"]
    good = [c for c in claims if c["ok"]]
    bound = sum(bool(c["conditions"]) for c in good)
    proved = [f"{len(good)} of {len(claims)}" if len(good) < len(claims) else f"{len(good)}"]
    proved += [f"{bound} on a condition"] * (bound > 0)
    proved += [f"{sum(w['ok'] for w in wrong)} wrong ones refuted"] * bool(wrong)
    steps = f"[{sum(s['ok'] for s in r['steps'])} of {len(r['steps'])}]({page}#derived)"
    functions = dict.fromkeys(n["name"] for n in numbers)
    exact = [n for n in numbers if n["dtype"] == "float64"]
    return [
        f"[{r['title']}]({page})",
        steps if r["steps"] else "",
        f"[{', '.join(proved)}]({page}#claims)" if claims else "",
        f"{len(functions)} functions" if functions else "",
        f"[{sum(n['ok'] for n in exact)} of {len(exact)} in float64]({page}#checks)"
        if exact
        else "",
    ]


def symbols(entry: Entry) -> list[tuple[str, str, str]]:
    """Every tensor of a system: its name and its axes in LaTeX, and its definition, if any."""
    m = model(entry.system)
    given = [(name(t.name), _axes(t), "") for t in m.inputs.values()]
    made = [
        (name(d.name), _axes(m.bodies[d.name].tensor), definition_latex(d)) for d in entry.system
    ]
    return given + made


def notation(records: Iterable[Record], folder: str) -> str:
    """Every symbol of every derivation: its axes, its definition, and the pages that use it."""
    table: dict[tuple[str, str, str], list[str]] = {}
    for r in records:
        for row in r.get("symbols", ()):
            table.setdefault(tuple(row), []).append(f"[{r['title']}]({folder}/{r['name']}.md)")
    rows = [MADE, "", "# Notation", ""]
    rows += [
        "Every symbol of the [derivations](" + folder + "/index.md), with the sizes of its axes. "
        "One name may mean different things on different pages; what has no definition is given.",
        "",
        "| symbol | axes | definition | pages |",
        "|---|---|---|---|",
    ]
    for (symbol, axes, what), pages in sorted(table.items(), key=lambda x: (_plain(x[0][0]), x[0])):
        shown = "given" if not what else f"${what}$" if len(what) < WIDEST else "on its page"
        cells = [f"${symbol}$", f"${axes}$" if axes else "", shown, ", ".join(pages)]
        rows.append(f"| {' | '.join(c.replace('|', BAR) for c in cells)} |")
    return "\n".join(rows) + "\n"


def _plain(name: str) -> str:
    """A name as it is sorted: its letters, small and capital together."""
    return "".join(c for c in name if c.isalnum()).lower()


def _axes(t: Tensor) -> str:
    return r" \times ".join(sp.latex(size) for size in t.shape)


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


def _status(verdict: Verdict, facts: Iterable[sp.Eq] = ()) -> str:
    if not verdict:
        return f"{verdict.status}."
    text = "proved"
    if any(_symbolic(side) for side in (verdict.lhs, verdict.rhs)):
        text += " for all sizes"
    names = [u.removeprefix(DEFINITION) for u in verdict.used if u.startswith(DEFINITION)]
    if names:
        text += f", by the definition{'s' * (len(set(names)) > 1)} of "
        text += ", ".join(dict.fromkeys(names))
    others = [u for u in verdict.used if not u.startswith((DEFINITION, "by "))]
    text += "".join(f", {u}" for u in verdict.used if u.startswith("by "))
    if others:
        known = {f"fact {f.lhs} = {f.rhs}": f"${equation(f.lhs, f.rhs)}$" for f in facts}
        text += ", with " + ", ".join(known.get(u, u) for u in dict.fromkeys(others))
    if verdict.conditions:
        text += ", where " + " and ".join(map(_condition, verdict.conditions))
    return text + "."


def _condition(condition: str) -> str:
    return f"${condition.latex()}$" if isinstance(condition, Condition) else condition


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
