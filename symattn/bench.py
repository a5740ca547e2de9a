"""Measurements as ratios to a baseline in the same run: medians, in rows for a program to read."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from difflib import get_close_matches
from importlib import import_module
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

import sympy as sp

from .errors import UnsupportedError

if TYPE_CHECKING:
    from rich.table import Table

Row = dict[str, Any]

TABLES = {  # name → module and function; the function's docstring says what is compared
    "import": "bench:bench_import",
    "derive": "bench:bench_derive",
    "prove": "bench_prove:bench_prove",
    "layers": "bench_prove:bench_layers",
    "symmetric": "bench_prove:bench_symmetric",
    "compile": "compile.bench:bench_compile",
    "users": "bench_users:bench_users",
    "flash": "bench_paths:bench_flash",
    "scores": "bench_scores:bench_scores",
    "ring": "bench_paths:bench_ring",
    "geometry": "bench_geometry:bench_geometry",
    "forms": "bench_forms:bench_forms",
}


def table(name: str, **options: Any) -> list[Row]:
    """The rows of one table.  UnsupportedError lists the tables there are."""
    rows: list[Row] = _function(name)(**options)
    return rows


def _function(name: str) -> Callable[[], list[Row]]:
    if name not in TABLES:
        near = get_close_matches(name, TABLES, n=1)
        raise UnsupportedError(
            f"there is no table {name!r}",
            expected="one of " + ", ".join(TABLES),
            mend=f"did you mean {near[0]}?" if near else "",
        )
    module, _, function = TABLES[name].partition(":")
    found: Callable[[], list[Row]] = getattr(import_module(f".{module}", __package__), function)
    return found


def fell_short(row: Row) -> bool:
    """The ratio is above the bound that the row states."""
    return "bound" in row and row["ratio"] > row["bound"]


def caption(name: str) -> str:
    """What a table compares, in one line."""
    return " ".join((_function(name).__doc__ or "").split("\n\n")[0].split())


def render(rows: list[Row]) -> Table:
    """A table for the terminal; rows that fall short are red."""
    from rich.table import Table

    shown = Table(box=None, pad_edge=False)
    heads = list(dict.fromkeys(key for row in rows for key in row))
    for head in heads:
        numeric = any(isinstance(row.get(head), int | float) for row in rows)
        shown.add_column(head, justify="right" if numeric else "left")
    for row in rows:
        style = "red" if fell_short(row) else ""
        shown.add_row(*(_cell(row.get(head)) for head in heads), style=style)
    return shown


def _cell(value: Any) -> str:
    match value:
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"
    return str(value)


# ------------------------------------------------------------------------------------------ import


def bench_import(rounds: int = 7) -> list[Row]:
    """Importing symattn in a fresh process, against importing SymPy in one."""
    times: dict[str, list[float]] = {"symattn": [], "sympy": []}
    loaded = False
    for number in range(rounds + 1):
        for module, found in times.items():
            seconds, jax = _fresh(
                "import time, sys; t = time.perf_counter(); "
                f"import {module}; print(time.perf_counter() - t, 'jax' in sys.modules)"
            ).split()
            loaded |= module == "symattn" and jax == "True"
            if number:  # the first round reads the files from the disk
                found.append(float(seconds))
    ours, baseline = (1e3 * median(t) for t in times.values())
    return [
        {
            "case": "import symattn",
            "against": "import sympy",
            "ms": ours,
            "against ms": baseline,
            "ratio": ours / baseline,
            "bound": 1.3,
            "imports jax": loaded,
        }
    ]


def _fresh(code: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True
    ).stdout


# ------------------------------------------------------------------------------------------ derive


def bench_derive(rounds: int = 5) -> list[Row]:
    """Deriving for all sizes with every step and LaTeX, against SymPy's diff, doit and latex.

    "first" is the first derivation of a fresh process, after the imports; "again" is with the
    caches of symattn and of SymPy cleared.
    """
    cases = [
        ("three attention gradients", attention_gradients, sympy_attention_gradients),
        ("softmax Jacobian", softmax_jacobian, sympy_softmax_jacobian),
    ]
    rows: list[Row] = []
    for case, ours, baseline in cases:
        for when, measure in (("first", _first), ("again", _again)):
            mine = [measure(ours) for _ in range(rounds)]
            theirs = [measure(baseline) for _ in range(max(1, rounds // 2))]
            ms, against = 1e3 * median(mine), 1e3 * median(theirs)
            rows.append(
                {
                    "case": f"{case}, {when}",
                    "against": "sympy",
                    "ms": ms,
                    "against ms": against,
                    "ratio": ms / against,
                    "bound": 1.0,
                }
            )
    return rows


def _first(function: Callable[[], Any]) -> float:
    """Seconds of the first call in a fresh process, the imports not counted."""
    name = function.__name__
    return float(
        _fresh(
            "import time; import symattn.derive, symattn.explain; "
            f"from symattn.bench import {name}; t = time.perf_counter(); {name}(); "
            "print(time.perf_counter() - t)"
        )
    )


def _again(function: Callable[[], Any]) -> float:
    """Seconds of a call in this process with the caches cleared."""
    clear_caches()
    start = perf_counter()
    function()
    return perf_counter() - start


def clear_caches() -> None:
    """Forgets what SymPy and the modules of symattn have computed."""
    sp.core.cache.clear_cache()
    for name, module in list(sys.modules.items()):
        if name.startswith("symattn."):
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def attention_gradients() -> list[str]:
    """LaTeX of the derivations of dQ, dK and dV."""
    from .derive import backward
    from .syntax import System, define, indices, sizes, tensor, total

    n_q, n_k, d_k, d_v = sizes("n_q n_k d_k d_v")
    (i,), (j, l) = indices("i", n_q), indices("j l", n_k)
    (a,), (b,) = indices("a", d_k), indices("b", d_v)
    Q, K, V = tensor("Q", n_q, d_k), tensor("K", n_k, d_k), tensor("V", n_k, d_v)
    S = define("S", (i, j), Q[i, a] * K[j, a] / sp.sqrt(d_k))
    A = define("A", (i, j), sp.exp(S[i, j]) / total(sp.exp(S[i, l]), l))
    O = define("O", (i, b), A[i, j] * V[j, b])
    gradients = backward(System(S, A, O), output="O", wrt=("Q", "K", "V"))
    return [d.latex() for d in gradients.values()]


def sympy_attention_gradients() -> list[str]:
    """LaTeX of ∂L/∂Q, ∂L/∂K and ∂L/∂V for L = Σ Ō O, by SymPy alone."""
    n_q, n_k, d_k, d_v = sp.symbols("n_q n_k d_k d_v", positive=True, integer=True)
    i, m = (sp.Idx(x, n_q) for x in "im")
    j, l, n = (sp.Idx(x, n_k) for x in "jln")
    a, c = (sp.Idx(x, d_k) for x in "ac")
    b, e = (sp.Idx(x, d_v) for x in "be")
    Q, K = sp.IndexedBase("Q", (n_q, d_k)), sp.IndexedBase("K", (n_k, d_k))
    V, O_bar = sp.IndexedBase("V", (n_k, d_v)), sp.IndexedBase("O_bar", (n_q, d_v))

    def score(j: sp.Idx) -> sp.Expr:
        return _sum(Q[i, a] * K[j, a], a) / sp.sqrt(d_k)

    row = _sum(sp.exp(score(l)), l)
    loss = _sum(O_bar[i, b] * _sum(sp.exp(score(j)) * V[j, b], j) / row, i, b)
    return [sp.latex(loss.diff(x).doit()) for x in (Q[m, c], K[n, c], V[n, e])]


def softmax_jacobian() -> str:
    """LaTeX of the derivation of ∂A/∂S."""
    from .derive import jacobian
    from .syntax import System, define, indices, sizes, tensor, total

    n_q, n_k = sizes("n_q n_k")
    (i,), (j, l) = indices("i", n_q), indices("j l", n_k)
    S = tensor("S", n_q, n_k)
    A = define("A", (i, j), sp.exp(S[i, j]) / total(sp.exp(S[i, l]), l))
    return jacobian(System(A), of="A", wrt="S").latex()


def sympy_softmax_jacobian() -> str:
    """LaTeX of ∂A/∂S by SymPy alone."""
    n_q, n_k = sp.symbols("n_q n_k", positive=True, integer=True)
    i, m = (sp.Idx(x, n_q) for x in "im")
    j, l, n = (sp.Idx(x, n_k) for x in "jln")
    S = sp.IndexedBase("S", (n_q, n_k))
    A = sp.exp(S[i, j]) / _sum(sp.exp(S[i, l]), l)
    text: str = sp.latex(A.diff(S[m, n]).doit())
    return text


def _sum(expr: sp.Expr, *letters: sp.Idx) -> sp.Expr:
    return sp.Sum(expr, *((k, k.lower, k.upper) for k in letters))
