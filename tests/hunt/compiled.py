"""Compiled functions against the hunter's own numbers: values, gradients, second derivatives.

Whole arrays and blocks of rows, leading axes, sizes of one, NumPy and JAX.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import symattn as sa

from . import slopes
from .derivatives import Derived, Task, beside, depends, failed, small, tables_at, task, tidy
from .formulas import Case
from .grow import POINTS
from .judge import asked
from .translate import Sympy
from .values import NoValue, Numbers, Table, entries

TOLERANCE = 1e-8
SECOND = 1e-5
KINDS = ("value", "value", "backward", "backward", "hvp", "hessian")


@dataclass(frozen=True)
class Way:
    """How a function is compiled and called."""

    target: str = "numpy"
    batch: bool = False
    rows: int = 0


def compilable(rng: random.Random, along: bool) -> tuple[Task, Way] | None:
    found = task(rng, second=False, along=along)
    if found is None:
        return None
    kind = rng.choice(KINDS)
    d = found.case.definition(found.output)
    assert d is not None
    if kind in ("hvp", "hessian") and d.letters:
        kind = "backward"
    wrt = found.wrt
    if kind in ("hvp", "hessian"):
        inputs = [n for n in wrt if n in found.case.inputs]
        if not inputs:
            return None
        wrt = tuple(inputs[:1])
    way = Way(
        target=rng.choice(("numpy", "numpy", "jax")),
        batch=rng.random() < 0.3,
        rows=2 if rng.random() < 0.4 else 0,
    )
    if way.rows:
        way = replace(way, target="jax")
    return replace(found, kind=kind, wrt=wrt), way


def compiled(t: Task, way: Way) -> Any:
    """What `sa.compile` makes of the task."""
    system = Sympy(t.case).system()
    how: dict[str, Any] = {"target": way.target}
    if way.batch:
        how["batch"] = ("z",)
    match t.kind:
        case "value":
            return sa.compile(system, output=t.output, **how)
        case "backward":
            return sa.compile(sa.backward(system, output=t.output, wrt=t.wrt), **how)
        case "hvp":
            return sa.compile(sa.hvp(system, of=t.output, wrt=t.wrt[0]), **how)
    return sa.compile(sa.hessian(system, of=t.output, wrt=t.wrt[0]), **how)


def in_blocks(f: Any, rows: int) -> Callable[..., Any]:
    """The function with blocks of so few rows, from four blocks on; itself where it has none."""
    if "by_rows" not in f.source:
        return f
    from symattn.compile.function import load

    text = f.source.replace("128", str(rows)).replace("2**21", "1")
    function, names = load(text, f.name), f._program.module.parameters
    return lambda **arrays: function(**{names[name]: v for name, v in arrays.items()})


def array(table: Table) -> Any:
    if set(table) == {()}:
        return float(np.real(table[()]))
    shape = tuple(1 + max(e[k] for e in table) for k in range(len(next(iter(table)))))
    result = np.zeros(shape)
    for e, x in table.items():
        result[e] = np.real(x)
    return result


def wanted(
    t: Task, sizes: Mapping[str, int], inputs: dict[str, Table], more: Mapping[str, Table]
) -> dict[str, Table]:
    """The right arrays by name."""
    case: Case = t.case
    match t.kind:
        case "value":
            return {"": Numbers(case, sizes, dict(inputs)).table(t.output)}
        case "backward":
            up = more[beside(t.case, t.output + "_bar")]
            return {
                n: up if n == t.output else slopes.gradient(case, sizes, inputs, t.output, n, up)
                for n in t.wrt
            }
    (name,) = t.wrt
    full = slopes.hessian(case, sizes, inputs, t.output, name, name)
    if t.kind == "hessian":
        return {"": full}
    dot, rank = more[beside(t.case, name + "_dot")], len(case.shape(name))
    result: Table = {}
    for e, x in full.items():
        result[e[:rank]] = result.get(e[:rank], 0.0) + x * dot[e[rank:]]
    return {"": result}


def inputs_of(t: Task, sizes: Mapping[str, int], numbers: Numbers, rng: random.Random) -> Any:
    """The arrays that come in beside those of the case."""
    more: dict[str, Table] = {}
    if t.kind == "backward":
        shape = numbers.shape(t.output)
        more[beside(t.case, t.output + "_bar")] = {e: rng.uniform(-1, 1) for e in entries(shape)}
    if t.kind == "hvp":
        (name,) = t.wrt
        tensor = t.case.inputs[name]
        table = {e: rng.uniform(-1, 1) for e in entries(numbers.shape(name))}
        if tensor.symmetry:
            sign = -1 if tensor.symmetry == "antisymmetric" else 1
            table = {e: (x + sign * table[e[::-1]]) / 2 for e, x in table.items()}
        more[beside(t.case, name + "_dot")] = table
    return more


def compare(t: Task, way: Way, f: Any, k: int, seed: int) -> str | None:
    """What differs at one point; None where nothing does."""
    draws_, sizes = [], POINTS[k]
    for b in range(2 if way.batch else 1):
        found = tables_at(t, k, seed + 1000 * b)
        if found is None:
            raise NoValue("no values")
        sizes, numbers = found
        inputs = {n: numbers.tables[n] for n in t.case.inputs}
        if way.batch and b:  # scalars have no leading axis
            inputs |= {n: draws_[0][0][n] for n, s in t.case.inputs.items() if not s.shape}
            for d in t.case.defs:
                Numbers(t.case, sizes, dict(inputs), ties=False).table(d.name)
        rng = random.Random(f"{seed} {k} {b} more")
        more = inputs_of(t, sizes, numbers, rng)
        if way.batch and b:
            more |= {n: x for n, x in draws_[0][1].items() if set(x) == {()} and t.kind == "hvp"}
        draws_.append((inputs, more, wanted(t, sizes, inputs, more)))
    given = {**draws_[0][0], **draws_[0][1]}
    arrays: dict[str, Any] = {}
    for name in f.inputs:
        if name in given:
            each = [array({**d[0], **d[1]}[name]) for d in draws_]
            scalar = set(given[name]) == {()} and name in t.case.inputs
            arrays[name] = np.stack(each) if way.batch and not scalar else each[0]
        else:
            arrays[name] = 2 if name == "z" else sizes[name]  # the length of the leading axis
    if way.batch:  # an upstream gradient or tangent of rank 0 has no leading axis either
        for name in arrays:
            if name in draws_[0][1] and set(given[name]) == {()}:
                return None
    call = in_blocks(f, way.rows) if way.rows else f
    got = call(**arrays)
    results = got if t.kind == "backward" else {"": got}
    for name in draws_[0][2]:
        right = [array(d[2][name]) for d in draws_]
        if way.batch:
            if all(np.shape(x) == () for x in right) or (
                name in t.case.inputs and not np.shape(right[0])
            ):
                return None  # sums over the leading axis: tested where there is none
            want = np.stack(right)
        else:
            want = np.asarray(right[0])
        have = np.asarray(results[name])
        if have.shape != want.shape:
            if way.batch and have.shape == want.shape[1:] and np.allclose(want[0], want[-1]):
                continue  # nothing that carries the axis is in it
            return f"{name}: shape {have.shape}, right is {want.shape}"
        tolerance = SECOND if t.kind in ("hvp", "hessian") else TOLERANCE
        far = np.abs(have - want) / (1 + np.abs(want))
        if not np.all(far < tolerance * 10):
            return f"{name}: off by {np.max(far):.1e} at {dict(sizes)}"
    return None


def check(t: Task, way: Way, seed: int) -> Derived:
    import warnings

    import jax

    with warnings.catch_warnings(), jax.enable_x64(True), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        made = asked(lambda: compiled(t, way))
        early = failed(made)
        gone = ("does not depend on", "there is no tensor")
        if early and any(x in early[1] for x in gone):
            return Derived(t, "none")
        if early:
            return Derived(t, *early, made.seconds)
        seen = 0
        points = (1, 2, 0, 5) if way.target == "numpy" else (1, 2)
        if way.rows:
            points = (1, 4)
        for k in points:
            answer = asked(lambda k=k: tried(t, way, made.value, k, seed))
            if answer.crash or answer.late or answer.error:
                kind, text = failed(answer) or ("", "")
                return Derived(t, f"call: {kind}", text, made.seconds)
            if answer.value == "no value":
                continue
            seen += 1
            if answer.value:
                return Derived(t, "wrong value", answer.value, made.seconds)
    return Derived(t, "right" if seen else "none", "", made.seconds)


def tried(t: Task, way: Way, f: Any, k: int, seed: int) -> str | None:
    try:
        return compare(t, way, f, k, seed)
    except NoValue:
        return "no value"


def drawn(seed: int, quick: bool = False, along: bool = False) -> tuple[Derived, Way] | None:
    """What came of a random task; quick ones are compiled for NumPy, but one in eight."""
    rng = random.Random(f"compiled {seed}")
    for _ in range(8):
        found = compilable(rng, along)
        if found is None:
            continue
        t, way = found
        if quick and seed % 8:
            way = replace(way, target="numpy", rows=0)
        if tables_at(t, 0, seed) is None and tables_at(t, 1, seed) is None:
            continue
        result = check(t, way, seed)
        if result.said != "none":
            return result, way
    return None


def short(found: Derived, way: Way, seed: int) -> Derived:
    return small(found, seed, lambda t, s: check(t, way, s))


def snippet(t: Task, way: Way) -> str:
    from .translate import Snippet

    how = f', target="{way.target}"' + ', batch=("z",)' * way.batch
    head = Snippet(t.case).head()
    wrt = ", ".join(f'"{w}"' for w in t.wrt)
    match t.kind:
        case "value":
            what = f'system, output="{t.output}"'
        case "backward":
            what = f'sa.backward(system, output="{t.output}", wrt=({wrt},))'
        case _:
            what = f'sa.{t.kind}(system, of="{t.output}", wrt={wrt})'
    blocks = f"  # in blocks of {way.rows} rows" if way.rows else ""
    return f"{head}\nf = sa.compile({what}{how}){blocks}"


__all__ = ["Way", "depends", "drawn", "short", "snippet", "tidy"]
