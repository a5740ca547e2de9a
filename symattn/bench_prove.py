"""Measurements of the prover: every identity, growth with depth, and a fully symmetric sum."""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import contextmanager
from statistics import median
from time import perf_counter
from typing import Any

import sympy as sp

from .derive import backward
from .identities import Identity, identities
from .prove import Verdict, prove
from .syntax import System, define, indices, sizes, tensor, total

Row = dict[str, Any]
PATIENCE = 2.0  # seconds that SymPy is given for one identity


def bench_prove() -> list[Row]:
    """One row an identity: verdict, milliseconds first and warm, and SymPy's own answer."""
    rows: list[Row] = []
    for identity in identities():
        first, verdict = _proof(identity)
        warm = median(_proof(identity)[0] for _ in range(5))
        refuted = [prove(identity.left, w, identity.given).status for w in identity.wrong]
        answer, seconds = _sympy(identity)
        rows.append(
            {
                "identity": identity.name,
                "verdict": verdict.status,
                "first ms": 1e3 * first,
                "warm ms": 1e3 * warm,
                "wrong refuted": f"{refuted.count('refuted')}/{len(refuted)}",
                "sympy": answer,
                "sympy ms": 1e3 * seconds if seconds else None,
            }
        )
    return rows


def _proof(identity: Identity) -> tuple[float, Verdict]:
    return _timed(lambda: prove(identity.left, identity.right, identity.given))


def bench_layers() -> list[Row]:
    """Deriving the gradients of a stack of N attention layers, a layer against N = 1."""
    rows: list[Row] = []
    for depth in (1, 2, 4, 8, 16):
        rows.append({"layers": depth, "ms": 1e3 * median(_gradients(depth) for _ in range(3))})
    for row in rows:
        row["per layer, ratio to N = 1"] = row["ms"] / row["layers"] / rows[0]["ms"]
    return rows


def _gradients(depth: int) -> float:
    """Seconds for all gradients of a stack with their LaTeX."""
    system = stack(depth)
    names = [f"{w}{k}" for k in range(depth) for w in ("Wq", "Wk", "Wv")]
    start = perf_counter()
    for derivation in backward(system, output=f"X{depth}", wrt=names).values():
        derivation.latex()
    return perf_counter() - start


def stack(depth: int) -> System:
    """X_{k+1} = X_k + softmax(X_k Wq_k (X_k Wk_k)ᵀ/√d) X_k Wv_k, `depth` times."""
    n, d = sizes("n d")
    i, j, r = indices("i j r", n)
    a, b, c = indices("a b c", d)
    x = tensor("X0", n, d)
    definitions = []
    for k in range(depth):
        wq, wk, wv = (tensor(f"{name}{k}", d, d) for name in ("Wq", "Wk", "Wv"))
        q = define(f"Q{k}", (i, a), x[i, b] * wq[b, a])
        key = define(f"K{k}", (j, a), x[j, b] * wk[b, a])
        v = define(f"V{k}", (j, c), x[j, b] * wv[b, c])
        s = define(f"S{k}", (i, j), q[i, a] * key[j, a] / sp.sqrt(d))
        p = define(f"A{k}", (i, j), sp.exp(s[i, j]) / total(sp.exp(s[i, r]), r))
        x = define(f"X{k + 1}", (i, c), x[i, c] + p[i, j] * v[j, c])
        definitions += [q, key, v, s, p, x]
    return System(*definitions)


def bench_symmetric() -> list[Row]:
    """A sum over eight like tensors of which every two share an index: seconds, verdict, limit."""
    verdict: Verdict
    seconds, verdict = _timed(lambda: prove(*symmetric_contraction(8)))
    return [{"tensors": 8, "seconds": seconds, "verdict": verdict.status, "limit": verdict.limit}]


def symmetric_contraction(count: int, symmetric: bool = True) -> tuple[sp.Expr, sp.Expr]:
    """Σ Π_k T[…], every two of the tensors sharing an index, and the same with letters permuted."""
    (n,) = sizes("n")
    pairs = [(p, q) for p in range(count) for q in range(p + 1, count)]
    sides = []
    for order in (1, -1):
        letters = indices([f"e{p}_{q}" for p, q in pairs], n)
        t = tensor("T", *[n] * (count - 1), symmetric=symmetric)
        factors = [
            t[tuple(x for x, pair in zip(letters, pairs, strict=True) if k in pair)[::order]]
            for k in range(count)
        ]
        sides.append(total(sp.Mul(*factors), *letters))
    return sides[0], sides[1]


def _timed(function: Callable[[], Any]) -> tuple[float, Any]:
    start = perf_counter()
    value = function()
    return perf_counter() - start, value


def _sympy(identity: Identity) -> tuple[str, float | None]:
    """SymPy's answer for statements without definitions and facts, which it cannot state."""
    if identity.given is not None:
        return "–", None
    difference = sp.sympify(identity.left) - sp.sympify(identity.right)
    try:
        with _patience(PATIENCE):
            seconds, zero = _timed(lambda: sp.simplify(difference.doit()) == 0)
    except TimeoutError:
        return f"none in {PATIENCE:.0f} s", None
    except Exception as error:  # whatever SymPy raises is its answer
        return type(error).__name__, None
    return ("equal" if zero else "not shown"), seconds


@contextmanager
def _patience(seconds: float) -> Any:
    def ring(*_: Any) -> None:
        raise TimeoutError

    if not hasattr(signal, "setitimer"):  # no interval timer on this system
        yield
        return
    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
