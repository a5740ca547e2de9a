r"""Equations of motion from a Lagrangian: d/dt ∂L/∂q̇ = ∂L/∂q, solved for the accelerations.

What holds with these put in is proved; one sign or one factor away from it, it is refuted.
L. D. Landau and E. M. Lifshitz, Mechanics, § 2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..derive import jacobian
from ..errors import SymattnError
from ..objects import Partial
from ..read.names import unmarked
from ..syntax import System, define
from . import report
from .finding import Finding
from .inside import TIMES, names
from .statements import Statement
from .versions import Version, closure

if TYPE_CHECKING:
    from .judge import Judge

MOST = 3  # coordinates
_WORDS = re.compile(r"Euler[-–\s]*(?:--)?\s*Lagrange|Lagrangian|Lagrange'?s? equation", re.I)
_OTHER = re.compile(
    r"small|approx|lineari|friction|damp|drag|driv|forc|resist|constrain|instead", re.IGNORECASE
)
_FOLLOWS = re.compile(
    r"Euler|Lagrang|of motion|\b(?:gives?|yields?|becomes?|follows?|hence|thus|so|obtain|get|"
    r"reads?|that is|therefore|and)\b",
    re.IGNORECASE,
)


def of_motion(judge: Judge, s: Statement) -> Finding | None:
    """The finding on an equation with q̈ by the last Lagrangian before it; None for any other."""
    if s.rhs is None or s.relation not in ("=", ":=") or s.number or _indexed(s):
        return None
    if _law(s):
        return Finding(report.DEFINITION, "the Euler–Lagrange equation, a law", kind="definition")
    moving = [n for n in sorted(names(s.lhs) | names(s.rhs)) if unmarked(n)[1] == 2]
    if not moving or not _WORDS.search(judge.outline.text[: _place(judge, s)]):
        return None
    for version in _lagrangians(judge, s):
        try:
            made = accelerations(version, _system(judge, s, version))
            if not made or not {*moving} <= made.keys():
                continue
            return _held_against(judge, s, made, version)
        except SymattnError:
            continue
    return None


def accelerations(version: Version, system: System) -> dict[str, Any]:
    """What q̈ is for every coordinate of a Lagrangian, by the Euler–Lagrange equations.

    Empty where L has no rates, more than `MOST`, or where they do not determine q̈.
    """
    name = version.name
    inside = closure({name}, system) - system.definitions.keys()
    rates = sorted(n for n in inside if unmarked(n)[1] == 1)
    if not 0 < len(rates) <= MOST:
        return {}
    places = [unmarked(n)[0] for n in rates]
    symbols = {x.name: x for d in system for x in d.expr.free_symbols if isinstance(x, sp.Symbol)}
    force = [_slope(system, name, q) if q in inside else sp.S.Zero for q in places]
    rows, right = [], []
    for rate, push in zip(rates, force, strict=True):
        momentum = define("momentum_of_one", (), _slope(system, name, rate))
        there = System(*system, momentum, facts=system.facts)
        own = names(momentum.expr)
        rows.append([_slope(there, momentum.name, r) if r in own else sp.S.Zero for r in rates])
        drift = [
            _slope(there, momentum.name, q) * symbols[r]
            for q, r in zip(places, rates, strict=True)
            if q in own
        ]
        drift += [_slope(there, momentum.name, t) for t in ("t",) if t in own]
        right.append(push - sp.Add(*drift))
    mass = sp.Matrix(rows)
    if sp.simplify(mass.det()) == 0:
        return {}
    solved = mass.LUsolve(sp.Matrix(right))
    return {f"{q}_ddot": sp.simplify(x) for q, x in zip(places, solved, strict=True)}


def _held_against(
    judge: Judge, s: Statement, made: Mapping[str, Any], version: Version
) -> Finding | None:
    system = _system(judge, s, version)
    used = (f"the Euler–Lagrange equation of {version.name} (line {version.line})",)
    verdict = _verdict(judge, s, made, system)
    if verdict is not None and verdict.status == "proved" and not verdict.trivial:
        return Finding(report.PROVED, used=used, kind="claim", proof=verdict, system=system)
    words, section = judge.outline.sentence(s.line, s.column), judge.outline.section
    follows = not re.search("[a-z]{2}", words) or _FOLLOWS.search(words)
    if verdict is None or verdict.status != "refuted" or _OTHER.search(words) or not follows:
        return None
    if section(version.line) != section(s.line):
        return None
    for other in _slips(s):
        mended = _verdict(judge, other, made, system)
        if mended is not None and mended.status == "proved" and not mended.trivial:
            name = min(n for n in made if n in names(s.lhs) | names(s.rhs))
            return Finding(
                report.REFUTED,
                "one slip away from the equation of motion",
                correction=f"{_shown(name)} = {sp.latex(_plainly(made[name]))}",
                used=used,
                kind="claim",
                proof=verdict,
                system=system,
            )
    return None


def _law(s: Statement) -> bool:
    """d/dt ∂L/∂q̇ − ∂L/∂q = 0, or with its terms on both sides."""
    gap = sp.expand(s.lhs - s.rhs)
    for outer in gap.atoms(Partial):
        inner, time = outer.args
        if not isinstance(inner, Partial) or not names(time) & TIMES:
            continue
        top, rate = inner.args
        name, order = unmarked(min(names(rate), default=""))
        force = [p for p in gap.atoms(Partial) if p.args[0] == top and names(p.args[1]) == {name}]
        if order == 1 and force and gap in (outer - force[0], force[0] - outer):
            return True
    return False


def _verdict(judge: Judge, s: Statement, made: Mapping[str, Any], system: System) -> Any:
    """What is found with the accelerations put in."""
    every = s.lhs.free_symbols | s.rhs.free_symbols
    put = {x: made[x.name] for x in every if isinstance(x, sp.Symbol) and x.name in made}
    there = replace(s, kind="claim", name="", lhs=s.lhs.xreplace(put), rhs=s.rhs.xreplace(put))
    return judge.prove(there, system)


def _slips(s: Statement) -> Iterator[Statement]:
    """The statement with another sign or factor in one of its terms."""
    terms = [*sp.Add.make_args(sp.expand(s.lhs)), *(-x for x in sp.Add.make_args(sp.expand(s.rhs)))]
    terms = [t for t in terms if t != 0]
    for k, term in enumerate(terms):
        for factor in (-1, 2, sp.Rational(1, 2)):
            changed = [*terms[:k], factor * term, *terms[k + 1 :]]
            yield replace(s, lhs=sp.Add(*changed), rhs=sp.S.Zero)


def _lagrangians(judge: Judge, s: Statement) -> Iterator[Version]:
    """What is made of rates and called L, the last before the statement first."""
    known = [v for several in judge.versions.table.values() for v in several if v.line]
    found = [
        v
        for v in known
        if (v.line, v.column) < (s.line, s.column)
        and re.fullmatch(r"L(?:_\d+|agrangian)?|mathcal_L(?:_\d+)?", v.name)
        and not v.definition.indices
    ]
    section = judge.outline.section
    found = [v for v in found if section(v.line) == section(s.line)] or found
    yield from sorted(found, key=lambda v: (v.line, v.column), reverse=True)[:1]


def _system(judge: Judge, s: Statement, version: Version) -> System:
    """The definitions in force where L stands."""
    return judge.versions.so_far(replace(s, lhs=version.definition.lhs, rhs=sp.S.Zero))


def _slope(system: System, of: str, by: str) -> Any:
    return jacobian(system, of=of, wrt=by).expr


def _place(judge: Judge, s: Statement) -> int:
    return judge.outline.position(s.line, s.column)


def _indexed(s: Statement) -> bool:
    return bool(s.lhs.atoms(sp.Indexed) | s.rhs.atoms(sp.Indexed))


def _shown(name: str) -> str:
    stem = unmarked(name)[0]
    known = stem in ("theta", "phi", "varphi", "psi", "alpha", "beta", "chi", "xi", "eta", "rho")
    return rf"\ddot{{\{stem}}}" if known else rf"\ddot{{{stem}}}"


def _plainly(expr: Any) -> Any:
    """θ_dot as \\dot\\theta."""
    return expr.xreplace({x: sp.Symbol(_dotted(x.name)) for x in expr.free_symbols
                          if unmarked(x.name)[1] == 1})  # fmt: skip


def _dotted(name: str) -> str:
    return _shown(name).replace(r"\ddot", r"\dot")


__all__ = ["accelerations", "of_motion"]
