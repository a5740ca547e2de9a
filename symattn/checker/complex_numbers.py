r"""Equations with the imaginary unit, by i² = −1: e^{iθ} = cos θ + i sin θ, z² of z = x + i y.

All other names are taken for real numbers, which a verdict on |z|, Re z and Im z says, and which
none is where words call one complex.  What agrees at numbers of thirty digits, and whose real and
imaginary parts have normal forms that vanish, is proved; what differs at all of them is refuted
where both sides are made of the same names, so that no value of these is asked for.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ..errors import SymattnError
from ..objects import Partial
from ..prove import whether
from ..read.imaginary import CONJUGATE, IMAGINARY, MODULUS, REAL, UNITS, WHY
from ..read.positive import OPEN as SIGN
from ..read.ranges import Range, Scope, in_force
from ..read.vocabulary import PARTS
from ..syntax import System
from . import report, wording
from .at_equations import put as put_there
from .conditions import conditional
from .doubts import OTHERWISE
from .finding import Finding
from .inside import names
from .statements import Statement
from .ties import EXACT
from .versions import closure

if TYPE_CHECKING:
    from .judge import Judge

POINTS, TRIES, DIGITS = 4, 40, 30
LARGEST = 400  # nodes of an expression
_PART = re.compile(r"\b(?:real|imaginary|physical|observable|conjugate|phasor)", re.IGNORECASE)
_SORTED = re.compile(  # which parts nothing is said of
    r"\b(?:collect|separat|split|group|combin|rearrang|sort)\w*(?:\s+(?:the|into|its|by|terms|in|up))*"
    r"\s+real\s+(?:and|from)\s+(?:the\s+)?imaginary\s+(?:parts?|terms?)",
    re.IGNORECASE,
)
_COMPLEX = re.compile(r"\b(?:complex|phasors?)\b", re.IGNORECASE)
NEAR = 60  # signs on either side of such a word
_ASKED = re.compile(r"true only if (?:-?[ij]\b|[ij]\^)")
_KNOWN = (sp.Abs, sp.exp, sp.log, sp.sin, sp.cos, sp.tan, sp.sinh, sp.cosh, sp.tanh)


def settled(judge: Judge, s: Statement, found: Finding) -> Finding:
    """The finding, or what i² = −1 says of a statement that nothing but i leaves open."""
    if s.rhs is None or s.relation not in EXACT:
        return found
    tied = getattr(judge.versions.document, "unresolved", {})
    system = judge.versions.system(s)
    reached = closure(names(s.lhs) | names(s.rhs), system)
    units = {n for n in reached if n in UNITS and tied.get(n) == WHY}
    exprs = [s.lhs, s.rhs, *(d.expr for n, d in system.definitions.items() if n in reached)]
    parted = any(f.func.__name__ in PARTS for e in exprs for f in e.atoms(AppliedUndef))
    if parted and found.verdict == report.PROVED and any(e.atoms(Partial) for e in exprs):
        why = "nothing is known of derivatives by what is complex"
        return replace(found, verdict=report.UNPROVED, reason=why)
    open_ = found.verdict == report.UNPROVED or (parted and found.verdict == report.SKIPPED)
    again = found.verdict == report.DEFINITION
    tied_by = (open_ or again) and (parted or found.reason.endswith(WHY))
    if not (tied_by or _ASKED.match(found.reason) or found.verdict == report.CONDITIONAL):
        return found
    if s.rhs == -1 and isinstance(s.lhs, sp.Pow) and s.lhs.exp == 2 and str(s.lhs.base) in units:
        is_unit = f"says that {s.lhs.base} is the imaginary unit"
        return Finding(report.DEFINITION, is_unit, kind="definition")
    words = _SORTED.sub(" ", judge.outline.sentence(s.line, s.column))
    if not parted and _PART.search(words):
        return found
    if not units or any(tied.get(n, WHY) not in (WHY, SIGN) for n in reached):
        return found
    try:
        sides = [_written(side, system) for side in (s.lhs, s.rhs)]
    except (SymattnError, ValueError):
        return found
    there = put_there(judge.outline, s.line, s.column)  # at ω = 1/τ it is |F|² = τ²/2
    if there is not None:
        free = {str(x): x for side in sides for x in side.free_symbols}
        inner = {x: free.get(str(x), x) for x in there[1].expr.free_symbols}
        at = {free[there[1].name]: there[1].expr.xreplace(inner)} if there[1].name in free else {}
        sides = [side.xreplace(at) for side in sides]
    every = {x for side in sides for x in side.free_symbols if str(x) not in units}
    if parted and any(_is_complex(str(x), judge) for x in every):
        return found
    ranges = {x: _range(str(x), s, judge) for x in every}
    put = {x: sp.Symbol(str(x), **_sign(r)) for x, r in ranges.items()}
    unit = {x: sp.I for side in sides for x in side.free_symbols if str(x) in units}
    try:
        left, right = (_by_parts(side.xreplace({**put, **unit})) for side in sides)
        if there is not None:  # of ω R C at ω = 1/(R C) no name is left
            left, right = sp.simplify(left), sp.simplify(right)
    except ValueError:
        return found
    roots = {p.base.xreplace(put) for x in sides for p in _roots(x)} | {
        p.base for x in (left, right) for p in _roots(x)
    }
    inside = {put[x]: r for x, r in ranges.items()}
    points = [*islice(_values(left, right, inside, roots, judge.seed), POINTS)]
    if len(points) < POINTS:
        return found
    if all(abs(a - b) < 10 ** (-DIGITS // 2) * (1 + abs(a)) for a, b in points):
        back = {y: x if ranges[x] == Range() else y for x, y in put.items()}
        try:
            parts = [part.xreplace(back) for part in _real_imag(left - right)]
        except ValueError:
            return found
        if not all(_vanishes(part, judge.seed) for part in parts):
            return found
        real = tuple(sorted(f"{x}: real" for x in every)) if parted else ()
        said = tuple(dict.fromkeys(r.said for r in ranges.values() if r.said))
        rooted = sorted(f"{x} ≥ 0" for x in roots if not x.is_nonnegative)
        why = f"with {min(units)}² = −1"
        assumed = (*real, *said, *rooted)
        return replace(found, verdict=report.PROVED, reason=why, kind="claim", assumed=assumed)
    same = left.free_symbols == right.free_symbols
    if any(abs(a - b) < 10**-6 * (abs(a) + abs(b)) for a, b in points) or not same:
        return found
    placed = there is not None and judge.outline.only_puts(s.line, s.column)
    placed = placed and not judge.outline.behind(s.line, s.column, s.whole, True)
    doubts = (d for d in OTHERWISE if not (placed and d is conditional))
    if any(d(s, system, judge.versions) for d in doubts):
        return found
    if not (placed or judge.supposes(s, system)):
        return found
    if again and not _same(s, judge):
        return found
    a, b = points[0]
    why = f"left {_shown(a)}, right {_shown(b)} at a sampled point"
    return replace(found, verdict=report.REFUTED, reason=why, kind="claim", system=system)


def _same(s: Statement, judge: Judge) -> bool:
    """The words before a second equation for a name say that it is another form of the first."""
    place, before = (s.line, s.column), judge.versions.before(s)
    words = judge.outline.goes_on((before.line, before.column), place) if before else None
    if words is not None and wording.equates(words):  # the admittance $Y = 1/Z$ is
        return True
    follows = judge.outline.follows(*place) and not judge.outline.varies(*place)
    return judge.outline.infers(*place) or bool(follows)


def _is_complex(name: str, judge: Judge) -> bool:
    """Words call it complex, or a phasor, and not by what it is the part of: z = x + i y."""
    text = judge.outline.text
    spelled = rf"(?<![A-Za-z\\])\\?{re.escape(name)}(?![A-Za-z])"
    for m in _COMPLEX.finditer(text):
        around = text[max(0, m.start() - NEAR) : m.end() + NEAR]
        inline = re.findall(r"\$[^$]*\$", around)
        if any("=" not in x and re.search(spelled, x) for x in inline):
            return True
    return False


def _range(name: str, s: Statement, judge: Judge) -> Range:
    """Between which numbers a text says that a name lies, whatever the case."""
    said = judge.versions.document.ranges.get(name, ())
    always = [r for r in said if not r.case[0]]
    known = in_force(always, Scope((s.line, s.column)))
    return known[0] if always and known else Range()


def _sign(r: Range) -> dict[str, bool]:
    known = {"positive": True} if r.low >= 0 else {"negative": True} if r.high <= 0 else {}
    return {"real": True, **known}


def _by_parts(side: Any) -> Any:
    """|u| as √(a² + b²) of u = a + i b, and its parts and conjugate, the inner ones first."""

    def part(f: Any) -> Any:
        top, bottom = (_real_imag(x) for x in sp.fraction(sp.together(f.args[0])))
        (a, b), (c, d) = top, bottom
        size = sp.expand(c**2 + d**2)
        name = f.func.__name__
        if name == MODULUS:
            squares = (sp.expand(a**2 + b**2), size)
            one, other = (sp.factor(sp.trigsimp(x) if x.has(sp.cos) else x) for x in squares)
            return sp.sqrt(one) / sp.sqrt(other)
        real, imaginary = sp.expand(a * c + b * d) / size, sp.expand(b * c - a * d) / size
        return {REAL: real, IMAGINARY: imaginary, CONJUGATE: real - sp.I * imaginary}[name]

    return side.replace(lambda e: isinstance(e, AppliedUndef), part)


def _real_imag(x: Any) -> tuple[Any, Any]:
    """The real and the imaginary part; roots of what has no i are real where they are written."""
    roots = {p: sp.Dummy(real=True) for p in _roots(x)}
    back = {y: p for p, y in roots.items()}
    real, imaginary = _expanded(x.xreplace(roots))
    return real.xreplace(back), imaginary.xreplace(back)


def _expanded(x: Any) -> tuple[Any, Any]:
    real, imaginary = sp.expand(x, complex=True).as_real_imag()
    if real.has(sp.re, sp.im, sp.arg) or imaginary.has(sp.re, sp.im, sp.arg):
        raise ValueError("its parts are not known")
    return real, imaginary


def _written(side: Any, system: System) -> Any:
    """A side by what nothing defines.  Raises ValueError where that is no plain function of it."""
    for _ in range(len(system.definitions) + 1):
        slopes = {p: _slope(p, system) for p in side.atoms(Partial)}
        made = {n: d.expr for n, d in system.definitions.items() if not d.indices}
        free = side.xreplace(slopes).free_symbols
        known = {x: made[x.name] for x in free if isinstance(x, sp.Symbol) and x.name in made}
        if not slopes and not known:
            break
        side = side.xreplace(slopes).xreplace(known)
        if sum(1 for _ in sp.preorder_traversal(side)) > LARGEST:
            raise ValueError("it is too large")
    plain = all(isinstance(f, _KNOWN) or f.func.__name__ in PARTS for f in side.atoms(sp.Function))
    if not plain or side.atoms(sp.Indexed, sp.Idx, sp.Sum, sp.Integral, sp.Limit, Partial):
        raise ValueError("it is no plain function")
    return side


def _slope(p: Any, system: System) -> Any:
    top, by = p.args
    if not isinstance(by, sp.Symbol) or by.name in system.definitions:
        raise ValueError("it is no derivative by a number that is free")
    slope = sp.diff(_written(top, system), by)
    if slope.atoms(sp.Derivative, sp.Subs):
        raise ValueError("|z| has no derivative by z")
    return slope


def _vanishes(part: Any, seed: int) -> bool:
    """The normal form of a real or an imaginary part is 0."""
    try:
        return part == 0 or whether(part, sp.S.Zero, seed=seed).status == "proved"
    except SymattnError:
        return False


def _roots(x: Any) -> list[Any]:
    """The roots and broken powers of what has no i."""
    powers = (p for p in x.atoms(sp.Pow) if not p.exp.is_Integer and not p.has(sp.I))
    return [p for p in powers if p.exp.is_number and not p.base.is_number]


def _values(
    left: Any, right: Any, ranges: dict[Any, Range], roots: set[Any], seed: int
) -> Iterator[tuple[complex, complex]]:
    """Both sides at random real numbers beyond π, or where the text has them, and roots are real.

    In turn at positive ones and at some of both signs: √(a²) may be meant for a.
    """
    draw = random.Random(seed)
    free = sorted(left.free_symbols | right.free_symbols, key=str)
    for k in range(TRIES):
        signs = (-1, 1) if k % 2 else (1,)
        at = {x: _number(ranges[x], draw, signs) for x in free}
        under = [sp.N(x.xreplace(at), DIGITS) for x in roots]
        if not all(x.is_real and x >= 0 for x in under if not x.has(sp.I)):
            continue
        found = [sp.N(side.xreplace(at), DIGITS) for side in (left, right)]
        if not all(x.is_number and x.is_finite for x in found):
            return
        yield complex(found[0]), complex(found[1])


def _number(r: Range, draw: random.Random, signs: tuple[int, ...]) -> Any:
    """A number in a range, not at its ends; where that is all of them one of these signs."""
    size = sp.Rational(draw.randint(20, 320), 64)
    ends = [sp.nsimplify(x) if abs(x) < float("inf") else None for x in (r.low, r.high)]
    low, high = ends
    if low is not None and high is not None:
        return low + (high - low) * size / 6
    if low is not None or high is not None:
        return low + size if high is None else high - size
    return draw.choice(signs) * size


def _shown(x: complex) -> str:
    return f"{x.real:.6g} {'-' if x.imag < 0 else '+'} {abs(x.imag):.6g} i"


__all__ = ["settled"]
