"""The gallery of forms: what is printed for the gradients of many systems, beside the textbook."""

from __future__ import annotations

import time
from typing import Any

import sympy as sp

from .checkout import from_tests
from .display import raise_
from .errors import SymattnError
from .ir import raw_atom
from .model import model

LONG, SHORT = 200, 100  # characters: a line that long is wrong where the textbook needs so few


def bench_forms() -> list[dict[str, Any]]:
    """Gradients as they are printed beside the textbook's line; SymPy's diff by its length."""
    printed = from_tests("forms", "printed")
    rows = []
    for form in printed.FORMS:
        found, seconds = printed.results(form.name, 0)
        for wrt in form.results:
            lines = {k: printed.row(form, wrt, k) for k in printed.kinds(form, wrt)}
            first = lines.get("index") or lines["matrix"]
            text = first.printed if not isinstance(found[wrt], str) else ""
            too_long = len(text) > LONG and len(first.line) < SHORT
            rows.append(
                {
                    "system": form.name,
                    "by": wrt,
                    "length": len(text) or "not derived",
                    "same": ", ".join(f"{k} {'yes' if r.same else 'no'}" for k, r in lines.items()),
                    "ms": 1000 * seconds / len(form.results),
                    "SymPy": _sympy(form, wrt),
                    "ratio": int(too_long),
                    "bound": 0,
                    "textbook": first.line,
                    "printed": text or first.printed,
                }
            )
    return rows


def _sympy(form: Any, wrt: str) -> str:
    """How long SymPy's derivative of the same scalar is in LaTeX, and how long it takes."""
    import symattn as sa

    try:
        m = model(sa.read(form.texts[0]))
        of, name = form.of.removeprefix("\\"), wrt.removeprefix("\\")
        if m.bodies[of].indices or name not in m.inputs:
            return "—"
        expr = raise_(m.inline(raw_atom(m.bodies[of].ref)))
        tensor = m.inputs[name]
        letters = [sp.Idx(f"k_{p}", size) for p, size in enumerate(tensor.shape)]
        bases = {str(b.label): b for b in expr.atoms(sp.IndexedBase)}
        variable = bases[name][tuple(letters)] if tensor.shape else tensor.symbol
        start = time.perf_counter()
        text = sp.latex(sp.diff(expr, variable))
    except (SymattnError, KeyError, ValueError, TypeError, AttributeError):
        return "—"
    return f"{len(text)} in {1000 * (time.perf_counter() - start):.0f} ms"
