r"""Verdicts where names lie as the text says: |1 − p| = 1 − p holds for 0 < p < 1.

A counterexample outside of what the text says of its names refutes nothing.  What is free is put
as a function of a number that may be any, p = σ(u), and the equation is looked at again; so is one
that is open, since roots and logarithms of quotients come apart where the signs are known.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import mpmath
import numpy as np
import sympy as sp

from ..errors import SymattnError
from ..functions import sigmoid
from ..objects import Partial, TensorSymbol
from ..prove import Verdict, prove
from ..read.ranges import Range, Ranges, Scope, modulus_of, names_of, rest_of
from ..refute import Counterexample
from ..syntax import System
from .inside import names
from .orders import above
from .samples import at_values, sample
from .scopes import meant
from .second import FAILURES, Second, Unable, differ
from .statements import Statement
from .symmetries import changed
from .versions import closure

TRIES = 6
_ANY = "_any"  # behind the name of a number that may be any
_SIGNS = {(0.0, math.inf): "is_positive", (-math.inf, 0.0): "is_negative"}


def within(
    s: Statement,
    verdict: Verdict,
    system: System,
    ranges: Ranges,
    scope: Scope,
    seed: int = 0,
) -> Verdict:
    """The verdict on a statement that is refuted or open, for values as the text says they are.

    Proved for all of them, refuted by some of them, else unknown.  Where a text speaks of several
    cases, and of none that its `scope` covers, it is refuted where it is so in each, and proved in
    none.
    """
    several = meant(s, system, ranges, scope)
    found = []
    for k in range(max(map(len, several.values()), default=0)):
        asked = {n: r[min(k, len(r) - 1)] for n, r in several.items()}
        asked = {n: r for n, r in asked.items() if not r.is_all}
        here = all(map(scope.covers, asked.values()))
        found.append(_within(s, verdict, system, asked, here, seed))
        if not here and found[-1].status == "refuted":  # it may be said of what is left
            rest = {n: _opposite(r) for n, r in asked.items() if not scope.covers(r)}
            apart = _within(s, _open(verdict), system, {**asked, **rest}, True, seed)
            found += [apart] if apart.status == "proved" else []
    told = {v.status for v in found}
    if len(told) < 2:
        return found[-1] if found else verdict
    why = "it is so in one of the cases of which the text speaks, and not in another"
    mixed = replace(verdict, status="unknown", counterexample=None, hints=(), limit=why)
    return next((v for v in found if v.status == "unknown"), mixed)


def at_whole_numbers(
    s: Statement, verdict: Verdict, system: System, ranges: Ranges, scope: Scope, seed: int = 0
) -> Verdict:
    """A proof for all real exponents, which have bases above zero, where the text has whole ones.

    |x^n| = x^n of an odd n is wrong below zero.
    """
    several = meant(s, system, ranges, scope)
    asked = {n: r[0] for n, r in several.items() if len(r) == 1 and not r[0].is_all}
    free = {n: r for n, r in asked.items() if system.definitions.keys().isdisjoint(names_of(n))}
    if not any(map(modulus_of, free)):
        return verdict
    for k in range(TRIES):
        met = _drawn(s, system, asked, free, seed + k, sign=-1 if k % 2 else 1)
        if met is not None:
            why = "proved of what is above zero, and it differs below"
            return replace(verdict, status="unknown", limit=why)
    return verdict


def _opposite(r: Range) -> Range:
    """Where a name lies that does not lie in a range with one end: below what is above zero."""
    if math.isinf(r.low) == math.isinf(r.high):
        return r
    below = math.isinf(r.high)
    return replace(r, low=-math.inf if below else r.high, high=r.low if below else math.inf)


def _open(verdict: Verdict) -> Verdict:
    return replace(verdict, status="unknown", counterexample=None)


def _within(
    s: Statement,
    verdict: Verdict,
    system: System,
    asked: Mapping[str, Range],
    here: bool,
    seed: int,
) -> Verdict:
    """The verdict for values in these ranges; `here` the text speaks of no others."""
    example, is_open = verdict.counterexample, verdict.status == "unknown"
    if not is_open and (example is None or _lies(example, asked, system)):
        return verdict
    free = {n: r for n, r in asked.items() if system.definitions.keys().isdisjoint(names_of(n))}
    said = tuple(dict.fromkeys(r.said for r in asked.values() if r.said))
    opened = System(*(d for d in system if d.name not in asked), facts=system.facts)
    for given, put in {system: free, opened: asked}.items():  # also where only α > 0 is known of α
        found = _put_in(s, given, put, seed) if here or not is_open else None
        if found is not None and found.status == "proved":
            if not here or (put is asked and not _is_met(s, system, asked, free, seed)):
                break
            return replace(verdict, status="proved", counterexample=None, hints=(), used=said,
                           trivial=found.trivial, conditions=(), limit="",
                           residual=None)  # fmt: skip
        if given is system and found is not None and found.counterexample is not None:
            inside = _own_values(found.counterexample, free)
            if not is_open and _lies(inside, asked, system):
                return replace(verdict, counterexample=inside, hints=())
    if is_open:
        return verdict
    for k in range(TRIES):
        if (met := _drawn(s, system, asked, free, seed + k)) is not None:
            return replace(verdict, counterexample=met, hints=())
    shown = " and ".join(said) or "in the ranges that the text states"
    why = f"no sample with {shown} tells the sides apart"
    return replace(verdict, status="unknown", counterexample=None, hints=(), limit=why)


def ranged(
    s: Statement, system: System, put: Mapping[str, Range]
) -> tuple[Statement, System] | None:
    """A statement where each of these names is a function of a number that may be any.

    None where there is none of them.
    """
    if not (change := _put(s, system, put)):
        return None
    try:
        left, right, other = changed(s, system, change)
    except SymattnError:
        return None
    return replace(s, lhs=left, rhs=right), other


def _put_in(s: Statement, system: System, put: Mapping[str, Range], seed: int) -> Verdict | None:
    """What is found where each of these names is a function of a number that may be any."""
    if (inside := ranged(s, system, put)) is None:
        return None
    t, other = inside
    try:
        return prove(t.lhs, t.rhs, given=other, over=t.letters, seed=seed)
    except SymattnError:
        return None


def _lies(example: Counterexample, asked: Mapping[str, Range], system: System) -> bool:
    """All values of an example lie where the text says; what has none is not looked at."""
    second = Second(system, example.values, example.sizes)
    second.know()
    return _all(second, asked)


def _all(second: Second, asked: Mapping[str, Range]) -> bool:
    for name, r in asked.items():
        try:
            first, *rest = (np.asarray(second.array(n), dtype=object) for n in names_of(name))
            values = np.asarray(sum((-x for x in rest), first), dtype=object).ravel()
            if modulus := modulus_of(name):
                values = np.asarray([_remainder(x, modulus) for x in values], dtype=object)
        except (Unable, *FAILURES):
            continue
        if not all(not isinstance(x, mpmath.mpc) and r.low <= x <= r.high for x in values):
            return False
    return True


def _remainder(x: Any, modulus: int) -> float:
    """The remainder of a whole number; infinite for any other."""
    whole = not isinstance(x, mpmath.mpc) and x == math.floor(x)
    return float(math.floor(x) % modulus) if whole else math.inf


def _put(s: Statement, system: System, free: Mapping[str, Range]) -> dict[Any, Any]:
    """What stands for every component that is free; nothing where one is differentiated by it.

    The numbers that may be any are new ones: a p that is declared positive is not any number.
    """
    exprs = [s.lhs, s.rhs, *(d.expr for d in system), *system.facts]
    by = (names(p.args[1]) for e in exprs for p in e.atoms(Partial))
    if not set[str]().union(*by).isdisjoint(free):
        return {}
    found: dict[Any, Any] = {}
    numbers = {}
    for e in exprs:
        for x in e.atoms(sp.Indexed, sp.Symbol):
            name = x.base.name if isinstance(x, sp.Indexed) else x.name
            numbers[name] = x
            if name in free and _real(x) and not _signed(x, free[name]):
                found[x] = function_on(_any(x), free[name])
    for name, (other, sign, r) in _apart(free).items():
        x, y = numbers.get(name), numbers.get(other)
        if isinstance(x, sp.Symbol) and isinstance(y, sp.Symbol) and _real(x) and _real(y):
            found[x] = y + sign * function_on(_any(x), r)
    found = {x: _chained(y, found) for x, y in found.items()}
    labels = {x.base.label for x in found if isinstance(x, sp.Indexed)}
    return {x: y for x, y in found.items() if x not in labels}


def _apart(free: Mapping[str, Range]) -> dict[str, tuple[str, int, Range]]:
    """Names that are another one plus what lies in a range, or minus it: a = b + u of a > b."""
    found: dict[str, tuple[str, int, Range]] = {}
    pairs = {(*names_of(key)[:: 1 if r.low >= 0 else -1],): r
             for key, r in sorted(free.items()) if len(names_of(key)) == 2}  # fmt: skip
    for (large, small), r in pairs.items():
        between = any(x == large and (m, small) in pairs for x, m in pairs)
        above = r if r.low >= 0 else replace(r, low=-r.high, high=-r.low)
        if not between:  # of a > b > c not a > c
            for name, other, sign in ((large, small, 1), (small, large, -1)):
                at, rests_on = other, {other}
                while (last := found.get(at)) is not None:
                    at = last[0]
                    rests_on.add(at)
                own, far = free.get(name, Range()), free.get(other, Range())
                implied = far.low >= own.low if sign > 0 else far.high <= own.high
                implied = implied and math.isinf(own.high if sign > 0 else own.low)
                if implied and name not in {*found, *rests_on}:
                    found[name] = (other, sign, above)
                    break
    return found


def _chained(expr: Any, found: Mapping[Any, Any]) -> Any:
    """An expression by what is free: of a = b + e^u and b = c + e^v all by c, u and v."""
    for _ in range(len(found)):
        if found.keys().isdisjoint(expr.free_symbols):
            break
        expr = expr.xreplace(found)
    return expr


def _any(x: Any) -> Any:
    """A number of which nothing is known, or such a component."""
    if not isinstance(x, sp.Indexed):
        return sp.Symbol(f"{x.name}{_ANY}", real=True)
    base = x.base
    label = sp.Symbol(f"{base.name}{_ANY}", real=True)
    return TensorSymbol(label, base.shape, getattr(base, "symmetry", ""))[x.indices]


def _real(x: Any) -> bool:
    return isinstance(x, sp.Indexed) or not x.is_integer


def _signed(x: Any, r: Range) -> bool:
    """The range says no more than the sign that the name is declared to have."""
    sign = _SIGNS.get((r.low, r.high))
    label = x.base.label if isinstance(x, sp.Indexed) else x
    return sign is not None and bool(getattr(label, sign))


def function_on(u: Any, r: Range) -> Any:
    """A number in the range for every number u: low + (high − low) σ(u), low + e^u, high − e^u."""
    low, high = map(_exact, (r.low, r.high))
    if high == sp.oo:
        return low + sp.exp(u)
    return high - sp.exp(u) if low == -sp.oo else low + (high - low) * sigmoid(u)


def _exact(end: float) -> Any:
    if math.isinf(end):
        return sp.oo if end > 0 else -sp.oo
    return sp.nsimplify(end, [sp.pi], tolerance=1e-12) if end else sp.S.Zero


def _own_values(example: Counterexample, free: Mapping[str, Range]) -> Counterexample:
    """The example with the values of the names themselves."""
    values = {}
    apart = {n: v for n, v in _apart(free).items() if f"{n}{_ANY}" in example.values}
    ranged = free.keys() - apart.keys()
    for name, value in example.values.items():
        own = name.removesuffix(_ANY)
        values[own] = _each(value, free[own]) if own != name and own in ranged else value
    return replace(example, values={**values, **{n: _sum(n, values, apart) for n in apart}})


def _sum(name: str, values: Mapping[str, Any], apart: Mapping[str, tuple[str, int, Range]]) -> Any:
    """The value of a name that is another one and what lies in a range."""
    if name not in apart:
        return values.get(name, 0.0)
    other, sign, r = apart[name]
    return _sum(other, values, apart) + sign * _each(values[name], r)


def _each(value: Any, r: Range) -> Any:
    if isinstance(value, list):
        return [_each(v, r) for v in value]
    return float(function_on(sp.Float(value), r).evalf())


def _is_met(
    s: Statement, system: System, asked: Mapping[str, Range], free: Mapping[str, Range], seed: int
) -> bool:
    """Some values of what is free have what is made of them lie where the text says.

    Else the text is wrong, and all follows from it.
    """
    for k in range(TRIES):
        with suppress(Unable, *FAILURES):
            if _all(Second(system, *_values(s, system, free, seed + k), seed + k), asked):
                return True
    return False


def _drawn(
    s: Statement,
    system: System,
    asked: Mapping[str, Range],
    free: Mapping[str, Range],
    seed: int,
    sign: int = 1,
) -> Counterexample | None:
    """A sample in the ranges at which the sides differ, of what may be any with this sign."""
    try:
        arrays, sizes = _values(s, system, free, seed)
        known = {x for n in free for x in names_of(n)} | above(s, system)
        arrays |= {n: sign * np.asarray(a) for n, a in arrays.items() if n not in known}
        found = at_values(s, system, (arrays, sizes), seed)
    except (Unable, *FAILURES):
        return None
    lies = _all(Second(system, arrays, sizes, seed), asked)
    return found if lies and differ(found.lhs, found.rhs) else None


def _values(
    s: Statement, system: System, free: Mapping[str, Range], seed: int
) -> tuple[dict[str, Any], dict[str, int]]:
    """Values of what a statement rests on, those of what is free in its ranges, and the sizes."""
    arrays, sizes = sample(s, system, seed)
    remainders = {names_of(k)[0]: (modulus_of(k), r) for k, r in free.items() if modulus_of(k)}
    second = Second(system, arrays, sizes, seed)
    second.know(s.lhs, s.rhs)
    bound = {n for f in system.facts for n in names(f)}
    reached = closure(names(s.lhs) | names(s.rhs), system) - system.definitions.keys()
    arrays = {n: second.array(n) for n in sorted(reached)}
    arrays |= {n: _moved(arrays[n], r) for n, r in free.items() if n in arrays.keys() - bound}
    for name in remainders.keys() & (arrays.keys() - bound):
        modulus, r = remainders[name]
        arrays[name] = _whole(arrays[name], modulus, rest_of(r))
    apart = {n: v for n, v in _apart(free).items() if {n, v[0]} <= arrays.keys() - bound}
    for n in apart:
        at, arrays[n] = n, 0.0
        while at in apart:
            other, sign, r = apart[at]
            arrays[n] = arrays[n] + sign * _moved(np.asarray(second.array(at)), r)
            at = other
        arrays[n] = arrays[n] + arrays[at]
    return arrays, second.sizes


def _whole(array: Any, modulus: int, rest: int) -> Any:
    """Whole numbers with a remainder, near these numbers."""
    nearest = np.vectorize(lambda v: round((float(v) - rest) / modulus), otypes=[float])(array)
    return nearest * modulus + rest


def _moved(array: Any, r: Range) -> Any:
    """Numbers above zero, moved into a range."""
    if math.isinf(r.high) and math.isinf(r.low):
        return array
    place = np.vectorize(lambda v: float(v), otypes=[float])(array)
    if math.isinf(r.high):
        return r.low + abs(place)
    return (
        r.high - abs(place) if math.isinf(r.low) else r.low + (r.high - r.low) * place / (1 + place)
    )


__all__ = ["at_whole_numbers", "function_on", "ranged", "within"]
