"""Measurements of geometry: metrics of the catalogue against the peers that are installed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from importlib.util import find_spec
from io import StringIO
from statistics import median
from time import perf_counter, process_time
from typing import Any

import sympy as sp

Row = dict[str, Any]
ROUNDS, PATIENCE = 3, 20  # runs of a fresh process, seconds that a peer is given

PARTS = {"schwarzschild": 1 / 6, "diagonal": 1 / 10}  # of the fastest peer's time; others 1
SECONDS = {"kerr": 0.3, "kerr_newman": 0.3, "myers_perry": 1.0}  # where no peer has an answer
LIMIT = 2.0  # seconds, of everything else in the catalogue
COMPARED = (
    "sphere",
    "hyperbolic",
    "schwarzschild",
    "kerr",
    "flrw",
    "diagonal",
    "conformally_flat",
)  # the others are measured alone
LAZY = "einsteinengine"  # its components are in no normal form: it does not see zeros


def bench_geometry() -> list[Row]:
    """Γ, Riemann, Ricci and scalar of each metric, written out, in fresh processes without imports.

    Times are of the processor.  "ms" is on python-flint where that is installed, "ms, SymPy" on
    SymPy's polynomials; "against" is the fastest peer that simplifies and had an answer within
    20 seconds; einsteinengine, which leaves expressions as they come, has a column of its own.
    """
    from .geometry.catalogue import CATALOGUE

    rows: list[Row] = []
    peers = [name for name, (module, _) in PEERS.items() if find_spec(module)]
    for case in CATALOGUE:
        rings = {flint: _median(f"ours({case!r}, {flint})") for flint in (True, False)}
        ours = rings[find_spec("flint") is not None]
        row: Row = {"case": case, "ms": 1e3 * ours, "ms, SymPy": 1e3 * rings[False]}
        answers = {
            name: _fresh(f"peer({name!r}, {case!r})", PATIENCE)
            for name in peers
            if case in COMPARED
        }
        known = {name: s for name, s in answers.items() if s is not None}
        if LAZY in known:
            row[f"{LAZY} ms"] = 1e3 * known.pop(LAZY)
        best = min(known, key=lambda name: known[name], default=None)
        if best:
            row |= {"against": best, "against ms": 1e3 * known[best]}
            row |= {"ratio": ours / known[best], "bound": PARTS.get(case, 1.0)}
        else:
            limit = SECONDS.get(case, LIMIT)
            row |= {"against": f"{limit} s", "ratio": ours / limit, "bound": 1.0}
        if none := [name for name, seconds in answers.items() if seconds is None]:
            row["no answer"] = ", ".join(none)
        rows.append(row)
    rows.append(_compiled())
    return rows


def _median(call: str) -> float:
    found = [_fresh(call, 120) for _ in range(ROUNDS)]
    return median(s if s is not None else float("inf") for s in found)


def _fresh(call: str, patience: float) -> float | None:
    """Seconds that a call says it took, in a process of its own; None for no answer."""
    try:
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", f"from symattn.bench_geometry import *\n{call}"],
            capture_output=True,
            text=True,
            timeout=3 * patience + 20,  # imports are not counted, other processes take time
        )
    except subprocess.TimeoutExpired:
        return None
    lines = done.stdout.split()
    seconds = float(lines[-1]) if done.returncode == 0 and lines else None
    return seconds if seconds is not None and seconds <= patience else None


@contextmanager
def timed() -> Iterator[None]:
    """Prints the processor's seconds for its block, after what SymPy imports with its first sum."""
    sp.Add(*sp.symbols("x y"), evaluate=True).diff(sp.Symbol("x"))
    start = _processor()
    with redirect_stdout(StringIO()):
        yield
    print(_processor() - start)


def _processor() -> float:
    """Seconds of the processor for this process and those that it started and that ended."""
    times = os.times()
    return process_time() + times.children_user + times.children_system


def ours(case: str, flint: bool) -> None:
    """Everything that is measured, each component as an expression."""
    from .geometry import rings
    from .geometry.catalogue import CATALOGUE

    if not flint:
        rings.HAS_FLINT = False
    with timed():
        metric = CATALOGUE[case].make()
        for components in (metric.christoffel, metric.riemann, metric.ricci):
            assert components._values is not None
        assert metric.scalar is not None


def peer(name: str, case: str) -> None:
    """The same by another library."""
    from .geometry.catalogue import CATALOGUE

    metric = CATALOGUE[case].make()
    PEERS[name][1](metric)


def by_diffgeom(metric: Any) -> None:
    """sympy.diffgeom, unsimplified."""
    from sympy.diffgeom import (
        CoordSystem,
        Manifold,
        Patch,
        TensorProduct,
        metric_to_Christoffel_2nd,
        metric_to_Ricci_components,
        metric_to_Riemann_components,
    )

    n = len(metric.coordinates)
    with timed():
        patch = Patch("patch", Manifold("manifold", n))
        chart = CoordSystem("chart", patch, list(metric.coordinates))
        known = dict(zip(metric.coordinates, chart.base_scalars(), strict=True))
        forms = chart.base_oneforms()
        g = sum(
            metric.matrix[i, j].xreplace(known) * TensorProduct(forms[i], forms[j])
            for i in range(n)
            for j in range(n)
        )
        metric_to_Christoffel_2nd(g)
        metric_to_Riemann_components(g)
        ricci = metric_to_Ricci_components(g)
        inverse = metric.matrix.xreplace(known).inv()
        assert sum(inverse[i, j] * ricci[i, j] for i in range(n) for j in range(n)) is not None


def by_einsteinpy(metric: Any) -> None:
    """EinsteinPy."""
    from einsteinpy.symbolic import (
        ChristoffelSymbols,
        MetricTensor,
        RicciScalar,
        RicciTensor,
        RiemannCurvatureTensor,
    )

    with timed():
        g = MetricTensor(metric.matrix.tolist(), metric.coordinates)
        gamma = ChristoffelSymbols.from_metric(g)
        riemann = RiemannCurvatureTensor.from_christoffels(gamma)
        RicciScalar.from_riccitensor(RicciTensor.from_riemann(riemann))


def by_gravipy(metric: Any) -> None:
    """GraviPy."""
    from gravipy.tensorial import All, Christoffel, Coordinates, MetricTensor, Ricci, Riemann

    with timed():
        x = Coordinates("x", list(metric.coordinates))
        g = MetricTensor("g", x, metric.matrix)
        Christoffel("Ga", g)(-All, All, All)
        Riemann("Rm", g)(All, All, All, All)
        ricci = Ricci("Ri", g)
        ricci(All, All)
        ricci.scalar()


def by_pytearcat(metric: Any) -> None:
    """pytearcat, which takes a line element as a string."""
    import builtins

    from sympy.core.function import AppliedUndef

    with redirect_stdout(StringIO()):
        import pytearcat as pt

    vars(builtins)["display"] = lambda *shown: None  # it is made for notebooks
    xs, plain = metric.coordinates, {}
    with timed():
        pt.coords(",".join(map(str, xs)))
        if metric.parameters:
            pt.con(*map(str, metric.parameters))
        for f in metric.matrix.atoms(AppliedUndef):
            pt.fun(str(f.func), ",".join(map(str, f.args)))
            plain[f] = f.func.__name__
        terms = [
            f"({metric.matrix[i, j].subs(plain)})*d{a}*d{b}"
            for i, a in enumerate(xs)
            for j, b in enumerate(xs)
            if metric.matrix[i, j] != 0
        ]
        pt.metric("ds2 = " + "+".join(terms))
        pt.christoffel()
        pt.riemann()
        pt.ricci()
        pt.riccis()


def by_einsteinengine(metric: Any) -> None:
    """einsteinengine, on SymEngine."""
    from einsteinengine.symbolic.christoffel import ChristoffelSymbols
    from einsteinengine.symbolic.metric import MetricTensor
    from einsteinengine.symbolic.ricci_scalar import RicciScalar
    from einsteinengine.symbolic.ricci_tensor import RicciTensor
    from einsteinengine.symbolic.riemann import RiemannCurvatureTensor

    with timed():
        g = MetricTensor(metric.matrix.tolist(), metric.coordinates)
        gamma = ChristoffelSymbols.from_metric(g)
        riemann = RiemannCurvatureTensor.from_christoffel(gamma)
        RicciScalar.from_ricci_tensor_and_metric(RicciTensor.from_riemann(riemann), g)


PEERS: dict[str, tuple[str, Callable[[Any], None]]] = {
    "sympy.diffgeom": ("sympy", by_diffgeom),
    "EinsteinPy": ("einsteinpy", by_einsteinpy),
    "GraviPy": ("gravipy", by_gravipy),
    "pytearcat": ("pytearcat", by_pytearcat),
    "einsteinengine": ("einsteinengine", by_einsteinengine),
}


def _compiled(points: int = 10_000) -> Row:
    """R^a_{bcd} of Kerr at many points in float32, against jacfwd twice."""
    import jax
    import numpy as np

    from .geometry.catalogue import CATALOGUE
    from .geometry.verification import riemann_by_autodiff

    metric = CATALOGUE["kerr"].make()
    g, f, fixed = metric.function(), metric.riemann.function(), {"M": 1.0, "a": 0.5}
    low, high = np.array([[0, 3, 0.4, 0], [1, 6, 1.2, 6]])
    draws = np.random.default_rng(0).uniform(low, high, (points, 4)).astype(np.float32)
    with jax.enable_x64(True):
        exact = np.asarray(jax.vmap(lambda x: f(x, **fixed))(draws.astype(np.float64)))
    ways = {
        "closed": jax.jit(jax.vmap(lambda x: f(x, **fixed))),
        "jacfwd": jax.jit(jax.vmap(lambda x: riemann_by_autodiff(lambda y: g(y, **fixed), x))),
    }
    seconds, errors = {}, {}
    for name, way in ways.items():
        errors[name] = float(np.max(np.abs(np.asarray(way(draws), np.float64) - exact)))
        times = []
        for _ in range(9):
            start = perf_counter()
            way(draws).block_until_ready()
            times.append(perf_counter() - start)
        seconds[name] = median(times)
    return {
        "case": "kerr, Riemann at 10 000 points",
        "ms": 1e3 * seconds["closed"],
        "against": "jacfwd twice",
        "against ms": 1e3 * seconds["jacfwd"],
        "ratio": seconds["closed"] / seconds["jacfwd"],
        "bound": 0.4,
        "error, ratio": errors["closed"] / errors["jacfwd"],
    }
