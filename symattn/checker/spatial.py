r"""Verdicts on equations of fields in space: identities of ∇ and ε_{ijk}, and what laws imply.

Proved is what holds for all smooth fields.  ∇·E = ρ and the like are no identities: they stand for
true behind them, where they are differentiated and added.  Refuted is only what one sign or factor
makes an identity, since anything else may be a law of the fields that are meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..read.names import atoms
from ..read.spatial import Claim, key
from ..read.tree import (
    EQUAL,
    Accent,
    Addition,
    Group,
    Name,
    Node,
    Number,
    Scripted,
)
from . import report
from .field_jets import TIME, Untold, plus, times
from .field_letters import derivands, free, names_in
from .fields import Fields
from .finding import Finding

if TYPE_CHECKING:
    from .judge import Judge

SMOOTH = "fields in three dimensions that may be differentiated as often as written"
MOST = 400  # equations that laws and their derivatives give
_LOOSE = re.compile(
    r"divergence[- ]free|solenoidal|incompressib|irrotational|curl[- ]free|conservative|gauge|"
    r"constant|uniform|static|stead|harmonic|potential flow",
    re.IGNORECASE,
)
_FAULTS = (Untold, ValueError, TypeError, ZeroDivisionError, AttributeError, RecursionError)


def of_fields(judge: Judge, line: int, column: int, number: int = 0) -> Finding | None:
    """The verdict on an equation of fields, or on a link of a chain; None where there is none."""
    claims: Mapping[tuple[int, int], Claim] = getattr(judge.versions.document, "spatial", {})
    claim = claims.get((line, column))
    if claim is None or number >= len(claim.tree.sides) - 1:
        return None
    if claim.tree.relations[number][0] not in EQUAL:
        return None
    try:
        return _found(claim, number, judge.outline.text, _places(claims))
    except _FAULTS:
        return None


def _places(claims: Mapping[tuple[int, int], Claim]) -> dict[int, int]:
    return {c.at: line for (line, _), c in claims.items()}


def _found(claim: Claim, number: int, text: str, lines: Mapping[int, int]) -> Finding | None:
    sides = claim.tree.sides[number : number + 2]
    definitions = _definitions(claim, number)
    fields = Fields(claim.said, claim.said.constants, definitions=definitions)
    differences = _differences(fields, sides)
    used = tuple(sorted(n for n in definitions if n in {*names_in(sides)}))
    if all(map(fields.is_zero, differences)):
        if _same(sides):
            return None
        return Finding(report.PROVED, assumed=(SMOOTH,), used=used, kind="claim")
    if all(d.is_number for d in differences):
        return Finding(report.REFUTED, _numbers(fields, sides), assumed=(SMOOTH,), kind="claim")
    laws = list(_laws(claim, fields, text))
    if laws and (lines_of := _follows(fields, differences, laws)):
        said = ", ".join(str(lines[at]) for at in lines_of if at in lines)
        plural = "lines" if "," in said else "line"
        why = f"true with what {plural} {said} say{'' if ',' in said else 's'}"
        return Finding(report.CONDITIONAL, why, assumed=(SMOOTH,), used=used, kind="claim")
    if wrong := _slip(fields, sides, text):
        return Finding(report.REFUTED, wrong, assumed=(SMOOTH,), used=used, kind="claim")
    if still := _constant(claim, sides, definitions):
        return Finding(
            report.CONDITIONAL, f"true where {still} does not vary", assumed=(SMOOTH,), kind="claim"
        )
    inside = {x for d in differences for x in d.free_symbols} & fields.jets.keys()
    moving = any(any(fields.jets[x][2]) for x in inside)  # or it is algebra
    if not moving or (number == 0 and _head(sides[0]) is not None):
        return None
    return Finding(report.SKIPPED, "it may be a law of the fields", kind="claim")


def _same(sides: tuple[Node, ...]) -> bool:
    one, other = sides
    return replace(one, at=0) == replace(other, at=0)


def _values(fields: Fields, sides: tuple[Node, ...]) -> Iterator[tuple[dict[str, int], Any, Any]]:
    """Left and right for all values of the free letters."""
    letters = sorted(_letters(sides))
    for row in product(range(3), repeat=len(letters)):
        env = dict(zip(letters, row, strict=True))
        left, right = (fields(side, env) for side in sides)
        yield env, left, right


def _differences(fields: Fields, sides: tuple[Node, ...]) -> list[Any]:
    """Left minus right, in every component."""
    values = _values(fields, sides)
    return [x for _, a, b in values for x in _listed(plus(a, times(sp.S.NegativeOne, b)))]


def _numbers(fields: Fields, sides: tuple[Node, ...]) -> str:
    """What two numbers are that differ, as 2 δ_ij and δ_ij do."""
    env, left, right = next(row for row in _values(fields, sides) if row[1] != row[2])
    at = ", ".join(f"{x} = {k + 1}" for x, k in env.items())
    return f"left {left}, right {right}" + (f" at {at}" if at else "")


def _letters(sides: tuple[Node, ...]) -> set[str]:
    rows = [set(free(s)) for s in sides if not (isinstance(s, Number) and s.text == "0")]
    if any(row != rows[0] for row in rows) or len(rows[0]) > 4:
        raise Untold
    return rows[0]


def _definitions(claim: Claim, number: int) -> dict[str, tuple[tuple[str, ...], Node]]:
    """What names are said to be: A = … where A stands alone on the left, once."""
    found: dict[str, list[tuple[tuple[str, ...], Node, int]]] = {}
    for at, tree in claim.said.formulas:
        left = tree.sides[0]
        if tree.relations[0][0] not in EQUAL or not (own := _head(left)):
            continue
        name, letters = own
        place = claim.said.place and name in ("r", "x")
        if place or name in {*names_in(tree.sides[1:])}:
            continue
        found.setdefault(name, []).append((letters, tree.sides[1], at))
    return {
        name: (letters, body)
        for name, rows in found.items()
        if len(rows) == 1
        for letters, body, at in rows
        if at != claim.at or number > 0
    }


def _head(left: Node) -> tuple[str, tuple[str, ...]] | None:
    if (found := key(left)) is not None:
        return found[0], ()
    match left:
        case Scripted(base=Name() | Accent() as base, scripts=(("_", script),)):
            letters = tuple(getattr(a, "text", "") for a in atoms(script))
            if len({*letters}) == len(letters) and all(len(x) == 1 for x in letters):
                return key(base)[0], letters  # type: ignore[index]
    return None


# --------------------------------------------------------------------------------------- slips


def _slip(fields: Fields, sides: tuple[Node, ...], text: str) -> str:
    """What makes an identity of it: another sign, a factor or another name; empty for nothing."""
    letters = sorted(_letters(sides))
    rows = [dict(zip(letters, r, strict=True)) for r in product(range(3), repeat=len(letters))]
    terms = [t for side, turn in zip(sides, (1, -1), strict=True) for t in _terms(side, turn)]
    values = [
        [x for env in rows for x in _listed(times(sp.Integer(s), fields(t, env)))] for s, t in terms
    ]
    width = max(map(len, values))
    values = [v if len(v) == width else v * width for v in values if any(x != 0 for x in v)]
    if len(values) < 2 or any(len(v) != width for v in values):
        return ""
    own = [sum(column) for column in zip(*values, strict=True)]
    for k, value in enumerate(values):
        rest = [a - b for a, b in zip(own, value, strict=True)]
        factor = _factor(fields, rest, value)
        if factor is None or (factor == 0 and (len(values) < 3 or _LOOSE.search(text))):
            continue
        return f"true with {_said(factor)} the {_ordinal(k)} term"
    return ""


def _terms(node: Node, turn: int) -> Iterator[tuple[int, Node]]:
    while isinstance(node, Group) and node.bracket in ("(", "{") and len(node.items) == 1:
        (node,) = node.items
    if isinstance(node, Addition):
        yield from ((turn * s, p) for s, p in node.parts)
    else:
        yield turn, node


def _listed(value: Any) -> list[Any]:
    return [*value] if isinstance(value, tuple) else [value]


def _factor(fields: Fields, rest: list[Any], value: list[Any]) -> Any:
    """The number c with rest + c value = 0; None for none, and for 1."""
    found = None
    for a, b in zip(rest, value, strict=True):
        if fields.is_zero(b):
            if not fields.is_zero(a):
                return None
            continue
        if found is None:
            ratio = sp.cancel(sp.together(-a / b))
            if not ratio.is_Rational:
                return None
            found = ratio
        if not fields.is_zero(a + found * b):
            return None
    return None if found is None or found == 1 else found


def _said(factor: Any) -> str:
    if factor == -1:
        return "the other sign of"
    return "nothing of" if factor == 0 else f"{factor} times"


def _ordinal(k: int) -> str:
    names = ("first", "second", "third", "fourth", "fifth", "sixth")
    return names[k] if k < len(names) else f"{k + 1}th"


# ---------------------------------------------------------------------------------------- laws


def _laws(claim: Claim, fields: Fields, text: str) -> Iterator[tuple[int, Any]]:
    """The equations before it that are no identities and say what no name is, by component."""
    for at, tree in claim.said.formulas:
        if at >= claim.at or len(tree.sides) != 2 or tree.relations[0][0] not in EQUAL:
            continue
        own = _head(tree.sides[0])
        if own is not None and own[0] in fields.definitions:
            continue
        try:
            rows = _differences(fields, tree.sides)
        except _FAULTS:
            continue
        rows = [sp.expand(r) for r in rows if not fields.is_zero(r)]
        wrong = not all(map(fields.varies, rows)) or _slip(fields, tree.sides, text)
        yield from () if wrong else ((at, r) for r in rows)


def _follows(fields: Fields, differences: list[Any], laws: list[tuple[int, Any]]) -> list[int]:
    """The laws of which the differences are a sum, with derivatives and with fields as factors."""
    some = {x for d in differences for x in d.free_symbols if x in fields.jets}
    plain = {fields.jets[x][:2] for x in some if fields.jets[x][0] not in fields.constants}
    factors = [fields.jet(name, at) for name, at in sorted(plain)]
    orders = [_derived(fields, laws, n) for n in range(3)]
    beside = [(at, sp.expand(f * v)) for at, v in orders[0] + orders[1] for f in factors]
    near = [(at, sp.expand(f * v)) for at, v in orders[0] for f in factors]
    every = [*orders[0], *orders[1], *orders[2]]
    stages = (
        orders[0],
        [*orders[0], *orders[1]],
        every,
        [*orders[0], *near],
        [*every, *beside],
    )
    for rows in stages:
        if len(rows) > MOST:
            break
        found = _needed(fields, differences, rows)
        for at in sorted(found, reverse=True):  # as few as there need be
            fewer = _needed(fields, differences, [(a, v) for a, v in rows if a in found - {at}])
            found = fewer or found
        if found:
            return sorted(found)
    return []


def _needed(fields: Fields, differences: list[Any], every: list[tuple[int, Any]]) -> set[int]:
    """The laws of which all differences are sums; empty where they are none."""
    rows = [_combined(fields, sp.expand(d), every) for d in differences]
    plainly = all(row is not None for row in rows)
    return {at for row in rows if row is not None for at in row} if plainly else set()


def _derived(fields: Fields, laws: list[tuple[int, Any]], order: int) -> list[tuple[int, Any]]:
    """All derivatives of some order."""
    found = []
    for axes in combinations_with_replacement(range(TIME + 1), order):
        for at, value in laws:
            for axis in axes:
                value = sp.expand(fields.derived(value, axis))
            found += [(at, value)] if value != 0 else []
    return found


def _combined(fields: Fields, one: Any, every: list[tuple[int, Any]]) -> set[int] | None:
    """The laws in a sum with constant factors that is `one`; None where there is no such sum."""
    target = _monomials(fields, one)
    if not target:
        return set() if target is not None else None
    rows = [(at, m) for at, value in every if (m := _monomials(fields, value)) is not None]
    rows = [rows[k] for k in _connected({*target}, rows)]
    unknowns = sp.symbols(f"c0:{len(rows)}")
    sums: dict[Any, Any] = {m: -c for m, c in target.items()}
    for c, (_, row) in zip(unknowns, rows, strict=True):
        for m, coefficient in row.items():
            sums[m] = sums.get(m, 0) + c * coefficient
    if any(not x.free_symbols & {*unknowns} for x in sums.values()):
        return None
    found = sp.linsolve([*sums.values()], *unknowns)
    if not found:
        return None
    (solution,) = found
    chosen = [v.subs(dict.fromkeys(unknowns, 0)) for v in solution]
    return {rows[k][0] for k, v in enumerate(chosen) if v != 0}


def _monomials(fields: Fields, value: Any) -> dict[Any, Any] | None:
    """The coefficients of a polynomial of what varies; None for anything else."""
    still = {x for x, (name, _, _) in fields.jets.items() if name in fields.constants}
    found: dict[Any, Any] = {}
    for term in sp.Add.make_args(value):
        powers, coefficient = list[Any](), sp.S.One
        for factor in sp.Mul.make_args(term):
            base, power = factor.as_base_exp()
            if base in fields.jets and base not in still and power.is_Integer and power > 0:
                powers.append((base.name, int(power)))
            elif factor.free_symbols <= still:
                coefficient *= factor
            else:
                return None
        monomial = tuple(sorted(powers))
        found[monomial] = found.get(monomial, 0) + coefficient
    return {m: c for m, c in found.items() if c != 0}


def _connected(wanted: set[Any], rows: list[tuple[int, Any]]) -> list[int]:
    """The rows that share monomials with what is wanted, or with others that do."""
    of: dict[Any, list[int]] = {}
    for k, (_, row) in enumerate(rows):
        for m in row:
            of.setdefault(m, []).append(k)
    found, todo = set[int](), [*wanted]
    seen = set(wanted)
    while todo:
        for k in of.get(todo.pop(), ()):
            if k not in found:
                found.add(k)
                todo += [m for m in rows[k][1] if m not in seen]
                seen |= rows[k][1].keys()
    return sorted(found)


def _constant(claim: Claim, sides: tuple[Node, ...], definitions: Any) -> str:
    """The one number that makes it true where it does not vary; empty for none."""
    names = {*names_in(sides)} - claim.said.vectors - claim.said.constants - definitions.keys()
    fields = Fields(claim.said, claim.said.constants, definitions=definitions)
    names -= {x for side in sides for x in derivands(side)} | fields.indexed.keys()
    names -= claim.said.bold
    for name in sorted(names):
        fields = Fields(claim.said, claim.said.constants | {name}, definitions=definitions)
        if all(map(fields.is_zero, _differences(fields, sides))):
            return name
    return ""


__all__ = ["of_fields"]
