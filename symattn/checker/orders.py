r"""Refutations where names are in the order that sentences say: $0 < \eta < 2/L$, $a + b < 1$."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import sympy as sp

from ..prove import Verdict
from ..refute import Counterexample
from ..syntax import System
from .inside import names
from .outline import Outline
from .qualities import ordered
from .repair import read_alone
from .samples import at_values, sample
from .second import FAILURES, Second, Unable, differ
from .statements import Statement
from .versions import closure

DRAWS = 60  # of values, until some are in order
ENOUGH = 4  # samples in order at which the sides agree
_LETTER = re.compile(r"\\[A-Za-z]+|[A-Za-z]")
_NUMBER = re.compile(r"[-+\d.\s/]*")

Order = tuple[Any, Any, str]  # the smaller side, the larger one, and what the text says


def kept(s: Statement, verdict: Verdict, system: System, head: str, outline: Outline,
         seed: int = 0) -> Verdict:  # fmt: skip
    """The verdict on a statement that is refuted, for values in the order that the text says.

    Refuted by some of them, else unknown.
    """
    example = verdict.counterexample
    reached = closure(names(s.lhs) | names(s.rhs), system)
    orders = [*_orders(s, reached, head, outline)]
    if example is None or not orders:
        return verdict
    if _in_order(Second(system, example.values, example.sizes), orders, s):
        return verdict
    free = reached - system.definitions.keys()
    met = 0
    for k in range(DRAWS):
        found = _drawn(s, system, free, orders, seed + k)
        if found is None:
            continue
        if differ(found.lhs, found.rhs):
            return replace(verdict, counterexample=found, hints=())
        met += 1
        if met == ENOUGH:
            break
    said = " and ".join(dict.fromkeys(order[2] for order in orders))
    why = f"no sample with {said} tells the sides apart"
    return replace(verdict, status="unknown", counterexample=None, hints=(), limit=why)


def _orders(s: Statement, reached: set[str], head: str, outline: Outline) -> Iterator[Order]:
    """What sentences say of several names that the statement reaches."""
    stems = {n.split("_")[0] for n in reached}
    for said in outline.orders:
        if {x.lstrip("\\") for x in _LETTER.findall(said)}.isdisjoint(stems):
            continue
        parts, signs = ordered(said)
        for one, other in combinations(range(len(parts)), 2):
            ways = {sign[0] in ">≥" or sign.startswith(r"\g") for sign in signs[one:other]}
            numbers = [p for p in (parts[one], parts[other]) if _NUMBER.fullmatch(p)]
            if len(ways) > 1 or len(numbers) > 1:
                continue
            for e in read_alone(head, f"{parts[one].strip()} < {parts[other].strip()}")[:1]:
                own = names(e.lhs) | names(e.rhs)
                both = (sp.sympify(e.lhs), sp.sympify(e.rhs))
                plain = any(isinstance(x, sp.Symbol | sp.Indexed) for x in both)
                one_range = plain and any(x.is_number for x in both)  # ranges.py, as of numbers
                one_range = one_range or all(isinstance(x, sp.Symbol) for x in both)
                if not one_range and own <= reached and {*e.indices} <= {*s.letters}:
                    yield (*((e.rhs, e.lhs) if ways == {True} else (e.lhs, e.rhs)), said)


def _in_order(second: Second, orders: list[Order], s: Statement) -> bool:
    """All that is said is so at these values, for every place of the free letters."""
    second.know(s.lhs, s.rhs, *(x for order in orders for x in order[:2]))
    for low, high, _ in orders:
        letters = sorted({*low.atoms(sp.Idx), *high.atoms(sp.Idx)}, key=str)
        try:
            last = second.place({}, low, high)
            shape = [last[i.name] + 1 for i in letters]
            for place in np.ndindex(*shape):
                at = {i.name: k for i, k in zip(letters, place, strict=True)}
                if not second.value(low, at) <= second.value(high, at):
                    return False
        except (Unable, *FAILURES):
            return False
    return True


def _drawn(
    s: Statement, system: System, free: set[str], orders: list[Order], seed: int
) -> Counterexample | None:
    """Values in order, with both sides there."""
    rng = np.random.default_rng(seed)
    try:
        arrays, sizes = sample(s, system, seed)
        second = Second(system, arrays, sizes, seed)
        second.know(s.lhs, s.rhs, *(x for order in orders for x in order[:2]))
        bound = {n for f in system.facts for n in names(f)}
        signed = above(s, system)
        arrays = {n: np.asarray(second.array(n), dtype=float) for n in sorted(free)}
        for n in sorted(free - bound):
            sign = 1 if n in signed else rng.choice([-1, 1])
            arrays[n] = arrays[n] * 2.0 ** rng.integers(-3, 3) * sign
        sizes = second.sizes
        if not _in_order(Second(system, arrays, sizes, seed), orders, s):
            return None
        return at_values(s, system, (arrays, sizes), seed)
    except (Unable, *FAILURES):
        return None


def above(s: Statement, system: System) -> set[str]:
    """The names that are declared not to be negative."""
    exprs = [s.lhs, s.rhs, *(d.expr for d in system)]
    atoms = {x for e in exprs for x in e.atoms(sp.Symbol, sp.IndexedBase)}
    return {str(x) for x in atoms if getattr(x, "label", x).is_nonnegative}


__all__ = ["above", "kept"]
