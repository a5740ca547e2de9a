"""Derivatives by complex steps of the hunter's own numbers, and differences of these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .formulas import Case
from .values import Numbers, Table

STEP = 1e-30
WIDE = 2e-4  # for differences of first derivatives


def perturbed(
    case: Case, sizes: Mapping[str, int], tables: Mapping[str, Table], change: Mapping[str, Table]
) -> Numbers:
    """Numbers with inputs or definitions replaced; what depends on them is computed anew."""
    kept = {n: t for n, t in tables.items() if n in case.inputs}
    return Numbers(case, sizes, {**kept, **change})


def directions(case: Case, name: str, table: Table) -> dict[tuple[int, ...], Table]:
    """For every entry of a tensor the change of the tensor that it stands for.

    Of a symmetric or antisymmetric tensor the change is the symmetrised one.
    """
    tensor = case.inputs.get(name)
    symmetry = tensor.symmetry if tensor else ""
    found = {}
    for e in table:
        if not symmetry:
            found[e] = {e: 1.0}
            continue
        sign = -1 if symmetry == "antisymmetric" else 1
        change: Table = {}
        for place, c in ((e, 0.5), (e[::-1], 0.5 * sign)):
            change[place] = change.get(place, 0.0) + c
        found[e] = change
    return found


def moved(table: Table, change: Table, by: complex | float) -> Table:
    return {e: x + by * change[e] if e in change else x for e, x in table.items()}


def jacobian(
    case: Case, sizes: Mapping[str, int], tables: Mapping[str, Table], of: str, wrt: str
) -> Table:
    """∂of/∂wrt, the indices of `of` followed by those of `wrt`."""
    at = Numbers(case, sizes, dict(tables)).table(wrt)
    result: Table = {}
    for e, change in directions(case, wrt, at).items():
        numbers = perturbed(case, sizes, tables, {wrt: moved(at, change, 1j * STEP)})
        for row, value in numbers.table(of).items():
            result[(*row, *e)] = complex(value).imag / STEP
    return result


def gradient(
    case: Case,
    sizes: Mapping[str, int],
    tables: Mapping[str, Table],
    of: str,
    wrt: str,
    upstream: Table,
) -> Table:
    """Σ upstream ∂of/∂wrt."""
    at = Numbers(case, sizes, dict(tables)).table(wrt)
    result: Table = {}
    for e, change in directions(case, wrt, at).items():
        numbers = perturbed(case, sizes, tables, {wrt: moved(at, change, 1j * STEP)})
        value = sum(upstream[r] * complex(v).imag for r, v in numbers.table(of).items())
        result[e] = value / STEP
    return result


def tangent(
    case: Case,
    sizes: Mapping[str, int],
    tables: Mapping[str, Table],
    of: str,
    along: Mapping[str, Table],
) -> Table:
    """The derivative of `of` along changes of several tensors."""
    change = {
        n: moved(Numbers(case, sizes, dict(tables)).table(n), d, 1j * STEP)
        for n, d in along.items()
    }
    numbers = perturbed(case, sizes, tables, change)
    return {e: complex(v).imag / STEP for e, v in numbers.table(of).items()}


def hessian(
    case: Case, sizes: Mapping[str, int], tables: Mapping[str, Table], of: str, one: str, two: str
) -> Table:
    """∂²of/∂one∂two of a scalar, by differences of complex steps."""
    at = Numbers(case, sizes, dict(tables)).table(two)
    unit: Table = {(): 1.0}
    result: Table = {}
    for e, change in directions(case, two, at).items():
        sides = []
        for by in (WIDE, -WIDE, 2 * WIDE, -2 * WIDE):
            shifted = {**tables, two: moved(at, change, by)}
            if one == two or one in case.inputs:
                sides.append(gradient(case, sizes, shifted, of, one, unit))
        up, down, far_up, far_down = sides
        for row in up:
            near, far = up[row] - down[row], far_up[row] - far_down[row]
            result[(*row, *e)] = (8 * near - far) / (12 * WIDE)
    return result


def merged(*parts: Mapping[str, Table]) -> dict[str, Table]:
    return {name: table for part in parts for name, table in part.items()}


Names = Sequence[str]
