"""The gallery of forms: what is printed for the gradients of many systems, beside the textbook."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from statistics import median
from typing import Any

import sympy as sp

from .checkout import from_tests
from .display import raise_
from .errors import SymattnError
from .ir import raw_atom
from .model import model

LONG, SHORT = 200, 100  # characters: a line that long is wrong where the textbook needs so few
PATIENCE = 2  # seconds of work for SymPy's diff of one scalar
AGAIN = 0.1  # seconds after which it is stopped once more
CHUNK = 8  # systems that a process takes at a time


def bench_forms() -> list[dict[str, Any]]:
    """Gradients as they are printed beside the textbook's line; SymPy's diff by its length.

    Of the first spelling of every system, in a process for each core; the last row counts them.
    """
    names = [form.name for form in from_tests("forms", "printed").FORMS]
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        found = list(pool.map(_rows, names, chunksize=CHUNK))
    rows = [row for rows in found for row in rows]
    return [*rows, _summary(found)]


def _summary(found: list[list[dict[str, Any]]]) -> dict[str, Any]:
    """How many systems are printed as a textbook prints them, and what a result takes."""
    whole = sum(
        all("no" not in row["same"].replace(",", "").split() for row in rows) for rows in found
    )
    rows = [row for rows in found for row in rows]
    lengths = [row["length"] for row in rows if isinstance(row["length"], int)]
    return {
        "system": f"all {len(found)}",
        "by": f"{len(rows)} results",
        "length": int(median(lengths)),
        "same": f"{whole} systems",
        "ms": median(row["ms"] for row in rows),
        "SymPy": _stated([row["SymPy"] for row in rows]),
    }


def _stated(cells: list[str]) -> str:
    """The median length of what SymPy could state."""
    lengths = [int(cell.partition(" in ")[0]) for cell in cells if " in " in cell]
    return f"{int(median(lengths))} of {len(lengths)} stated" if lengths else "—"


def _rows(name: str) -> list[dict[str, Any]]:
    """The rows of one system."""
    printed = from_tests("forms", "printed")
    form = next(f for f in printed.FORMS if f.name == name)
    found, seconds = printed.results(name, 0)
    rows = []
    for wrt in form.results:
        kinds = [k for k in printed.kinds(form, wrt) if k != "again"]
        lines = {k: printed.row(form, wrt, k) for k in kinds}
        first = lines.get("index") or lines["matrix"]
        text = first.printed if not isinstance(found[wrt], str) else ""
        too_long = len(text) > LONG and len(first.line) < SHORT
        rows.append(
            {
                "system": name,
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
        bases = {b.name: b for b in expr.atoms(sp.IndexedBase)}
        variable = bases[name][tuple(letters)] if tensor.shape else tensor.symbol
        start = time.process_time()
        text = _within(PATIENCE, lambda: sp.latex(sp.diff(expr, variable)))
    except (SymattnError, KeyError, ValueError, TypeError, AttributeError):
        return "—"
    except TimeoutError:
        return f"over {PATIENCE} s"
    return f"{len(text)} in {1000 * (time.process_time() - start):.0f} ms"


def _within(seconds: float, work: Callable[[], str]) -> str:
    """What the work gives; TimeoutError where it takes longer than that in this process."""

    def stop(*_: Any) -> None:
        raise TimeoutError

    before, hook = signal.signal(signal.SIGVTALRM, stop), sys.unraisablehook
    sys.unraisablehook = lambda _: None  # it may be raised where nothing can be; then once more
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, AGAIN)
    try:
        return work()
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
        sys.unraisablehook = hook
