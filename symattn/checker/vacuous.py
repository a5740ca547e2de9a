"""What a proof of 0 = 0 says besides: of other numbers, of other functions, and below a derivative.

Σ_a ∂p_a/∂h = ∂(Σ_a p_a)/∂h is 0 = 0 for a softmax, and holds for any function p of h.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import sympy as sp

from ..conditions import Condition
from ..objects import Partial
from ..syntax import Definition, System, define, indices, tensor, total
from .inside import names, partials
from .pointwise import pointwise
from .statements import Statement
from .versions import closure

TRIES = 400  # places at which the condition of a proof is looked at


def nowhere(conditions: Iterable[str]) -> str:
    """The condition of a proof that no numbers meet; empty where each is met by some.

    log z² = 2 log z says nothing of z = −1 − x².
    """
    for condition in conditions:
        if not isinstance(condition, Condition) or condition.sign not in ("> 0", "≥ 0"):
            continue
        about = condition.expression()
        variables = sorted(about.free_symbols, key=str) if about is not None else []
        at = pointwise(about, variables) if variables else None
        if at is None:
            continue
        rng = np.random.default_rng(0)
        values = rng.normal(size=(len(variables), TRIES)) * 4.0 ** rng.integers(-4, 4, TRIES)
        seen = at(*values)
        known = seen[np.isfinite(seen)]
        if known.size and not (known > 0).any():
            return condition
    return ""


def in_general(
    s: Statement, system: System, authors: Container[str]
) -> Iterator[tuple[Statement, System]]:
    """The statement as it stands for more than one system, or below its derivatives.

    Any names, Xᵀ(y − X b) = Xᵀ y − Xᵀ X b; any functions, Σ_a ∂p_a/∂h = ∂(Σ_a p_a)/∂h; and
    Σ_a p_a = 1 of ∂(Σ_a p_a)/∂h = ∂1/∂h.  What has a name of its author is a function, what stands
    below ∂ is made of such.
    """
    derived = partials(s.lhs, s.rhs)
    if not derived:
        yield s, System()
        return
    by = {p.args[1] for p in derived}
    wrt = {base for x in by if (base := getattr(x, "base", x)).is_Symbol or hasattr(x, "base")}
    yield s, _without_apart(derived, system)
    if len(wrt) == 1 and not {b.name for b in _plain(wrt)} & system.definitions.keys():
        yield s, _free_functions(s, system, wrt.pop(), authors)
    if isinstance(s.lhs, Partial) and isinstance(s.rhs, Partial) and len(by) == 1:
        yield replace(s, lhs=s.lhs.args[0], rhs=s.rhs.args[0]), system


def _without_apart(derived: list[Partial], system: System) -> System:
    """The system without an L that is made of nothing that it is derived by, which is another L."""
    tops = {n for p in derived for n in names(p.args[0]) & system.definitions.keys()}
    by = {n for p in derived for n in names(p.args[1])}
    apart = {n for n in tops if not by & closure([n], system)}
    plain = {n for n in apart if not system.definitions[n].shape}
    return System(*(d for d in system if d.name not in plain), facts=system.facts)


def _plain(bases: set[Any]) -> list[Any]:
    return [getattr(b, "label", b) for b in bases]


def _free_functions(s: Statement, system: System, wrt: Any, authors: Container[str]) -> System:
    """What is defined in the statement as any value with any slope, p_a = v_a + Σ_b u_ab h_b.

    No more of a function is in its first derivative at one place.
    """
    made: dict[str, Definition] = {}
    todo = names(s.lhs) | names(s.rhs)
    while todo := {n for n in todo if n in system.definitions and n not in made}:
        for n in sorted(todo):
            d = system.definitions[n]
            made[n] = _free(d, wrt) if n in authors else d
        todo = set[str]().union(*(names(made[n].expr) for n in todo))
    return System(*made.values())


def _free(d: Definition, wrt: Any) -> Definition:
    axes = () if isinstance(wrt, sp.Symbol) else tuple(wrt.shape)
    inner = [indices(f"{d.name}_{wrt}_{k}", size)[0] for k, size in enumerate(axes)]
    outer = [indices(f"{d.name}_{k}", size)[0] for k, size in enumerate(d.shape)]
    slope = _at(tensor(f"slope_{d.name}", *d.shape, *axes), *outer, *inner) * _at(wrt, *inner)
    value = _at(tensor(f"value_{d.name}", *d.shape), *outer)
    return define(d.name, outer, value + (total(slope, *inner) if inner else slope))


def _at(symbol: Any, *letters: Any) -> Any:
    return symbol[letters] if letters else symbol


__all__ = ["in_general", "nowhere"]
