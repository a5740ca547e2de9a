"""Functions that people use, compiled, against idiomatic JAX that is written beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import signature
from typing import Any

from . import (  # noqa: F401  their records enter themselves
    attention,
    fields,
    learning,
    models,
    neighbours,
    numerics,
    pairs,
    practice,
    scales,
    science,
    sequences,
)
from .record import LEVELS, USERS, User

Row = dict[str, Any]
BOUNDS = {"small": 1.25, "middle": 1.1, "large": 1.1}
WAYS: dict[str, Callable[[Any], Any]] = {
    "positive": lambda x: abs(x) + 0.1,
    "narrow": lambda x: x / x.shape[0] ** 0.5,
}


def bench_users(
    names: Sequence[str] = (),
    levels: Sequence[str] = LEVELS,
    rounds: int = 5,
    enough: float = 0.6,
) -> list[Row]:
    """Functions that people use at three sizes, against idiomatic JAX differentiated by jax.vjp,
    jax.jvp and jax.hessian.

    Medians of rounds in which both take turns, and XLA's temporary memory.  `names` are parts of
    the names of what to measure.  The results are compared before anything is timed.
    """
    return [row for one in chosen(names) for row in measured(one, levels, rounds, enough)]


def chosen(names: Sequence[str] = ()) -> list[User]:
    """The records with one of these texts in their names; all without any."""
    return [u for u in USERS.values() if not names or any(name in u.name for name in names)]


def measured(one: User, levels: Sequence[str], rounds: int, enough: float) -> Iterator[Row]:
    """The rows of one function."""
    import time

    from ..compile.measure import row

    start = time.perf_counter()
    ours = compiled(one)
    planned = 1e3 * (time.perf_counter() - start)
    theirs = reference(one)
    for level, sizes in zip(LEVELS, one.sizes, strict=True):
        if level not in levels:
            continue
        arrays = drawn(one, ours.inputs, sizes)
        own = [n for n in ours.inputs if n in arrays]
        fixed = {n: size for n in ours.inputs if (size := sizes.get(n)) is not None}
        (made,) = row(
            f"{one.name}, {level}",
            called(lambda ours=ours, fixed=fixed, **x: ours(**x, **fixed), own),
            [("jax", called(theirs, list(arrays)), BOUNDS[level])],
            arrays,
            rounds=rounds,
            enough=enough,
            unfused=False,
        )
        yield made | {
            "memory ratio": made["MiB"] / max(made["against MiB"], 2**-10),
            "planned ms": planned,
        }


def compiled(one: User) -> Any:
    """The compiled function."""
    from .. import backward, compile, hessian, hvp, jvp

    system, _ = one.make()
    if one.kind == "value":
        return compile(system, output=one.of)
    if one.kind == "vjp":
        gradients = backward(system, output=one.of, wrt=one.wrt)
        return compile({"value": system[one.of], "bars": gradients}, given=system)
    if one.kind == "jvp":
        return compile(jvp(system, output=one.of, wrt=one.wrt)[one.of], given=system)
    (wrt,) = one.wrt
    return compile((hvp if one.kind == "hvp" else hessian)(system, of=one.of, wrt=wrt))


def called(function: Any, inputs: list[str]) -> Any:
    """The function with the names of its arrays, as `measure.row` looks for them.

    A value comes before its gradients, as from jax.vjp: XLA computes what is returned first first,
    which decides how many arrays there are at a time.
    """

    def program(**arrays: Any) -> Any:
        result = function(**arrays)
        return (result["value"], result["bars"]) if isinstance(result, dict) else result

    program.inputs = tuple(inputs)  # type: ignore[attr-defined]
    return program


def drawn(one: User, inputs: Mapping[str, Any], sizes: Mapping[str, int]) -> Row:
    """Random arrays of these sizes, by name."""
    import numpy as np

    rng = np.random.default_rng(0)
    found = {}
    own = signature(one.make()[1]).parameters
    shapes = {n: inputs[n] for n in inputs if n not in sizes}
    missing = [n for n in own if n not in shapes]
    if missing:  # what a derivative does not depend on is an input of the other program
        from .. import compile

        shapes |= {n: s for n, s in compile(one.make()[0], output=one.of).inputs.items()
                   if n in missing}  # fmt: skip
    for name, shape in sorted(shapes.items()):
        lengths = [int(s.xreplace({x: sizes[str(x)] for x in s.free_symbols})) for s in shape]
        way = one.draw.get(name, lambda x: x)
        x = rng.normal(size=lengths)
        found[name] = np.asarray(WAYS[way](x) if isinstance(way, str) else way(x))
    if one.kind == "vjp" and not found[f"{one.of}_bar"].shape:
        found[f"{one.of}_bar"] = np.ones(())
    return found


def reference(one: User) -> Any:
    """The function of keyword arrays that a user of JAX has."""
    import jax

    _, function = one.make()
    own = signature(function).parameters

    def program(**arrays: Any) -> Any:
        def inner(*wrt: Any) -> Any:
            return function(**{n: arrays[n] for n in own} | dict(zip(one.wrt, wrt, strict=True)))

        at = tuple(arrays[n] for n in one.wrt)
        if one.kind == "value":
            return inner()
        if one.kind == "vjp":
            value, pullback = jax.vjp(inner, *at)
            return value, pullback(arrays[f"{one.of}_bar"])
        tangents = tuple(arrays.get(f"{n}_dot") for n in one.wrt)
        if one.kind == "jvp":
            return jax.jvp(inner, at, tangents)[1]
        if one.kind == "hvp":
            return jax.jvp(jax.grad(inner), at, tangents)[1]
        return jax.hessian(inner)(*at)

    return program
