"""Rates of what is made of things that move: dE/dt = Σ_q ∂E/∂q dq/dt, where the text writes dq/dt.

The rest is held, which the verdict says.  What a rate is, x' = A x, or a condition between rates,
m x'' + k x = 0, is what the text says of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..derive import jacobian
from ..errors import SymattnError
from ..objects import Inverse, Partial
from ..read.names import unmarked
from ..syntax import System, define, total
from . import report
from .doubts import OTHERWISE
from .finding import Finding
from .following import followed
from .inside import TIMES, names
from .matrix_kinds import DIAGONAL, Kind
from .statements import Statement
from .theorems import understood
from .versions import Version, closure

if TYPE_CHECKING:
    from .disputed import Disputed
    from .judge import Judge

MOST = 8  # names that move
_OF_INVERSE = "inverse_that_moves"
_HIGHEST = re.compile(r"_ddot(?=_\d+$|$)")
_FIXED = r"(?<![-\w])(?:constant|fixed|time-independent)\b"
_DOT = re.compile(r"_dot(?=_\d+$|$)")


def moved(judge: Judge, s: Statement) -> Finding | None:
    """The finding with rates written out; None where nothing moves or nothing is settled."""
    try:
        change = dict(_rates(judge, s)) if s.rhs is not None else {}
    except SymattnError:
        return None
    timed = dict(_in_time(judge, s)) if s.rhs is not None else {}
    phased = any(isinstance(x, Partial) and of_both(judge, s, x) is not None for x in change)
    change = {**{rate: (made, []) for rate, made in timed.items()}, **change}
    if not change:
        return None
    held = sorted({x for _, fixed in change.values() for x in fixed if not _constant(judge, x)})
    put = {rate: made for rate, (made, _) in change.items()}
    there = replace(s, kind="claim", name="", lhs=s.lhs.xreplace(put), rhs=s.rhs.xreplace(put))
    there, law = _under_a_law(judge, there)
    try:
        system = judge.versions.so_far(there)
        verdict = judge.prove(there, system)
    except SymattnError:
        return None
    do = "do" if len(held) > 1 else "does"
    why = f"true where {', '.join(held)} {do} not change" if held else ""
    found: Finding | None
    if verdict.status == "proved" and not verdict.trivial:
        found = judge._proved(there, verdict, system)
        if law:
            found = replace(
                found, verdict=report.CONDITIONAL, reason=f"true with what line {law} says"
            )
    elif (
        (law or timed or phased)
        and verdict.status == "refuted"
        and not doubtful(judge, replace(there, name=s.name), system)
    ):
        found = judge.confirmed(there, verdict, system)
    else:
        found = followed(judge, there, system) or judge.near(there, verdict, system)
        if found is None and verdict.status == "refuted" and understood(judge, s, _minded):
            found = judge.confirmed(there, verdict, system)
    if found is None or found.verdict not in (report.PROVED, report.CONDITIONAL):
        kind = "claim" if found is not None and s.kind == "definition" else ""
        return replace(found, kind=kind) if found is not None and kind else found
    said = "; ".join(filter(None, (found.reason, why)))
    kind = "claim" if s.kind == "definition" else ""
    settled = report.CONDITIONAL if said else found.verdict
    return replace(found, verdict=settled, reason=said, kind=kind)


def _minded(kind: Kind) -> bool:
    """The prover minds what a kind says."""
    return (
        {*kind.equations} <= {"M' = M"} and "triangular" not in kind.name and kind is not DIAGONAL
    )


def _constant(judge: Judge, name: str) -> bool:
    """Words say that a name does not change: let $A$ be a constant matrix."""
    own = rf"\$\\?{re.escape(name)}\b[^$]*\$"
    said = re.compile(
        rf"{own} (?:be|is|are|being|denotes?) (?:an? |the )?(?!not\b)(?:[\w-]+ ){{0,2}}?{_FIXED}|"
        rf"(?<!not )(?<!non-){_FIXED}(?: [\w-]+){{0,3}} {own}"
    )
    return said.search(" ".join(judge.outline.text.split())) is not None


def _under_a_law(judge: Judge, s: Statement) -> tuple[Statement, int]:
    """The statement with the highest rate from a law of motion, and the line of that: m x'' = −k x.

    The last equation before it in its section that is of the first degree in the rate, and that
    nothing defines; line 0 where there is none.
    """
    section, place = judge.outline.section, (s.line, s.column)
    earlier = [t for t in (*judge.versions.statements, *judge.versions.given)
               if (t.line, t.column) < place and section(t.line) == section(s.line)]  # fmt: skip
    for t in sorted(earlier, key=lambda t: (t.line, t.column), reverse=True):
        if t.rhs is None or t.name or t.letters or t.relation not in ("=", ":="):
            continue
        gap = t.lhs - t.rhs
        for rate in sorted(gap.free_symbols, key=str):
            if (
                not _HIGHEST.search(rate.name)
                or rate not in s.lhs.free_symbols | s.rhs.free_symbols
            ):
                continue
            slope = gap.diff(rate)
            if slope.free_symbols and rate not in slope.free_symbols:
                made = sp.expand(rate - gap / slope)
                put = {rate: made}
                return replace(s, lhs=s.lhs.xreplace(put), rhs=s.rhs.xreplace(put)), t.line
    return s, 0


def doubtful(judge: Disputed, s: Statement, system: System) -> bool:
    """Something but that its names are free speaks for the author: without friction it is 0."""
    other = judge.outline.varies(s.line, s.column) or s.rhs.is_zero
    return bool(other) or any(d(s, system, judge.versions) for d in OTHERWISE)


def _rates(judge: Judge, s: Statement) -> Iterator[tuple[Any, tuple[Any, list[str]]]]:
    """Every rate of something defined, with what it is and what is held in it."""
    for side in (s.lhs, s.rhs):
        for rate in side.atoms(Partial):
            top, by = rate.args
            timed = isinstance(by, sp.Symbol) and by.name in TIMES
            own = judge.versions.rate(top.name, s) if isinstance(top, sp.Symbol) else None
            if timed and own is not None and s.lhs != rate:
                yield rate, (own, [])
            elif timed and (found := _total(judge, s, top, by.name)) is not None:
                yield rate, found
            elif (both := of_both(judge, s, rate)) is not None:
                yield rate, (both, [])
    stated = s.kind in ("claim", "definition") and not s.number
    if stated and (version := derived(judge, s)) is not None:
        letters = s.lhs.indices if isinstance(s.lhs, sp.Indexed) else ()
        d = version.definition
        whole = d[letters] if letters else d.lhs
        if len(d.indices) == len(letters) and (f := _total(judge, s, whole, "t")) is not None:
            yield s.lhs, f
    for rate in sorted(s.lhs.free_symbols | s.rhs.free_symbols, key=str):  # \dot x^2 + \dot y^2
        stem, order = unmarked(str(rate))
        if order != 1 or rate == s.lhs or not _DOT.search(str(rate)):
            continue
        version, own = judge.versions.before(s, stem), judge.versions.before(s, str(rate))
        before = version is not None and own is None and version.line <= s.line
        if before and (f := _total(judge, s, sp.Symbol(stem), "t")) is not None:
            yield rate, f


def of_both(judge: Disputed, s: Statement, slope: Any) -> Any:
    """dy/dx = y'/x' of two names with rates; None for others."""
    rates = []
    for q in slope.args:
        rate = f"{q}_dot" if isinstance(q, sp.Symbol) else ""
        version = judge.versions.before(s, rate) if rate else None
        if version is None or version.definition.indices or version.numbers:
            return None
        rates.append(sp.Symbol(rate))
    return rates[0] / rates[1]


def _in_time(judge: Judge, s: Statement) -> Iterator[tuple[sp.Symbol, Any]]:
    """The rates of numbers that are given as formulas of the time: dx/dt of x = A cos ωt."""
    every = s.lhs.free_symbols | s.rhs.free_symbols
    for rate in sorted((x for x in every if isinstance(x, sp.Symbol)), key=str):
        name, order = unmarked(rate.name)
        system = judge.versions.so_far(replace(s, lhs=sp.Symbol(name), rhs=sp.S.Zero))
        version = judge.versions.before(s, name) if order and "'" not in rate.name else None
        if version is None or version.definition.indices or name not in system.definitions:
            continue
        inside = closure({name}, system)
        moves = inside & judge.versions.rates or any(f"{x}_dot" in _known(judge)
                                                     for x in inside - {name})  # fmt: skip
        times = inside & TIMES - system.definitions.keys()
        section, later = judge.outline.section, (version.line, version.column) > (s.line, s.column)
        if later or section(version.line) != section(s.line) or moves or len(times) != 1:
            continue
        for _ in range(order):
            made = jacobian(system, of=name, wrt=min(times)).expr
            name = f"rate_of_{name}"
            system = System(*system, define(name, (), made), facts=system.facts)
        yield rate, made


def derived(judge: Disputed, s: Statement) -> Version | None:
    """What is defined before a statement, and whose rate it says."""
    stem, order = unmarked(s.name)
    version = judge.versions.before(s, stem) if order and "'" not in s.name else None
    return version if version is not None and version.line <= s.line else None


def _total(judge: Judge, s: Statement, top: Any, time: str) -> tuple[Any, list[str]] | None:
    """The rate of a component of something defined, and the names that are held."""
    if not isinstance(top, sp.Symbol | sp.Indexed):
        return None
    system = judge.versions.so_far(replace(s, lhs=top, rhs=sp.S.Zero))
    if isinstance(getattr(top, "base", None), Inverse):  # dA⁻¹/dt
        letters, of = top.indices, top.base
        system = System(*system, define(_OF_INVERSE, letters, top), facts=system.facts)
        top = system.definitions[_OF_INVERSE][letters]
    (name,) = names(top) or {""}
    inside = closure({name}, system)
    if name not in system.definitions or time in inside:
        return None
    inside -= {f"inverse({q})" for q in inside}
    known, free = _known(judge), inside - system.definitions.keys()
    rates = ((q, rate) for q in sorted(free) for rate in _rates_of(q))
    moving = {q: rate for q, rate in [*rates][::-1] if rate in known}  # the first that is known
    open_ = [q for q in free if _DOT.search(q) and q not in moving]
    told = {q: judge.versions.rate(q, s) for q in sorted(free - moving.keys())}  # dq/dt = …
    told = {q: rate for q, rate in told.items() if rate is not None}
    if not (moving or told) or open_ or len(moving) + len(told) > MOST:
        return None
    terms = [slope_of(system, top, q, ()) * rate for q, rate in told.items()]
    for n, (q, rate) in enumerate(moving.items()):
        one, other = known.get(q), known[rate]
        if isinstance(one, sp.IndexedBase) and isinstance(other, sp.IndexedBase):
            if one.shape != other.shape:
                return None
            letters = tuple(
                sp.Idx(sp.Dummy(f"r{n}_{k}", integer=True), size)
                for k, size in enumerate(one.shape)
            )
            slope = slope_of(system, top, q, letters)
            terms.append(total(slope * other[letters], *letters))
        elif isinstance(one, sp.Symbol) and isinstance(other, sp.Symbol):
            terms.append(slope_of(system, top, q, ()) * other)
        else:
            return None
    sizes = {x.name for b in known.values() if isinstance(b, sp.IndexedBase) for n in b.shape
             for x in n.free_symbols}  # fmt: skip
    held = sorted(free - moving.keys() - told.keys() - sizes)
    made = sp.Add(*terms)
    if name == _OF_INVERSE:
        mine = system.definitions[name].lhs.base
        made = made.replace(lambda x: getattr(x, "base", None) == mine, lambda x: of[x.indices])
    return made, held


def slope_of(system: System, top: Any, by: str, letters: tuple[sp.Idx, ...]) -> Any:
    """∂top/∂by, evaluated: conditions between q and dq/dt say nothing of it."""
    found = jacobian(system, of=min(names(top)), wrt=by)
    above, below = found.lhs.args
    pairs = [*zip(getattr(above, "indices", ()), getattr(top, "indices", ()), strict=True)]
    pairs += zip(getattr(below, "indices", ()), letters, strict=True)
    return found.expr.xreplace(dict(pairs))


def _rates_of(name: str) -> Iterator[str]:
    """What the rate of a name is called; x_2 may be the second x of a text."""
    if _DOT.search(name):
        yield _DOT.sub("_ddot", name)
        yield re.sub(r"_dot(_\d+)?$", "_ddot", name)
        return
    yield f"{name}_dot"
    stem, _, number = name.rpartition("_")
    if number.isdigit():
        yield f"{stem}_dot_{number}"
        yield f"{stem}_dot"


def _known(judge: Judge) -> dict[str, Any]:
    """The names of the document as they stand in its equations: a symbol, or what bears indices."""
    found: dict[str, Any] = {}
    sides = [x for t in judge.versions.statements for x in (t.lhs, t.rhs) if x is not None]
    sides += [d.expr for d in judge.versions.document]
    for side in sides:
        found |= {b.name: b for b in side.atoms(sp.IndexedBase)}
        inside = {b.label for b in side.atoms(sp.IndexedBase)}
        found |= {x.name: x for x in side.atoms(sp.Symbol) - inside if x.name not in found}
    return found


__all__ = ["derived", "doubtful", "moved"]
