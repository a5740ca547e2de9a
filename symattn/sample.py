"""Random sizes and arrays that respect what is declared: shape, sign, symmetry.

Sizes are pairwise different, so that a transposition cannot hide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any

import numpy as np
import sympy as sp

from .errors import ShapeError
from .evaluate import Evaluator
from .facts import Fact
from .ir import FACTOR, Index, Node, Poly, Tensor, refs
from .model import Model

PATIENCE = 5  # steps that come no nearer
UNKNOWNS = 120  # components that facts are solved for
NEWTON = 12  # steps of the search for values that satisfy them
LEAST = 1e-3  # where what may be 0 sets out from
_HAS: dict[str, Callable[[Any], Any]] = {
    "+": lambda x: x > 0,
    "0+": lambda x: x >= 0,
    "-": lambda x: x < 0,
    "0-": lambda x: x <= 0,
    "≠": lambda x: x != 0,
}
SIZES = (3, 5, 4, 2, 6, 7, 8, 9, 10, 11, 12, 13)


def size_symbols(sizes: Iterable[sp.Expr]) -> list[str]:
    """The names of the symbols that sizes are made of, in alphabetical order."""
    return sorted({s.name for size in sizes for s in sp.sympify(size).free_symbols})


def pick_sizes(
    names: Iterable[str], given: Mapping[str, int] | None = None, seed: int | None = None
) -> dict[str, int]:
    """A small number for every size symbol, pairwise different; shuffled when a seed is given."""
    pool = [n for n in SIZES if n not in (given or {}).values()]
    names = [n for n in names if n not in (given or {})]
    if len(names) > len(pool):
        pool = list(range(2, len(names) + 2))
    if seed is not None:
        head = pool[: max(len(names), 4)]
        np.random.default_rng(seed).shuffle(head)
        pool = head
    return {**(given or {}), **dict(zip(names, pool, strict=False))}


def shape_of(tensor: Tensor, sizes: Mapping[str, int]) -> tuple[int, ...]:
    """The shape of a tensor at these sizes."""
    shape = []
    for size in tensor.shape:
        value = size.xreplace({s: sp.Integer(sizes[s.name]) for s in size.free_symbols})
        if not value.is_Integer or value < 0:
            raise ShapeError(
                f"the size {size} of {tensor.name} is {value} at {dict(sizes)}",
                expected="a positive integer",
                mend="choose other sizes",
            )
        shape.append(int(value))
    return tuple(shape)


def draw(tensor: Tensor, sizes: Mapping[str, int], rng: np.random.Generator) -> Any:
    """A float64 array for a tensor (a float for a scalar)."""
    shape = shape_of(tensor, sizes)
    integer = tensor.symbol is not None and tensor.symbol.is_integer
    if integer:
        if tensor.sign in FACTOR:
            return FACTOR[tensor.sign] * int(rng.integers(1, 6))
        return int(rng.integers(-4, 5)) or int(tensor.sign == "≠")
    array = rng.standard_normal(shape)
    if tensor.sign in FACTOR:
        array = FACTOR[tensor.sign] * np.exp(0.5 * array)
    array = symmetrized(tensor, array)
    if tensor.definite:
        array = array @ array / max(len(array), 1) + np.eye(len(array))
    return array if shape else float(array)


def symmetrized(tensor: Tensor, array: Any) -> Any:
    """The part of an array with the declared symmetry of a tensor."""
    if not tensor.symmetry:
        return array
    total = 0
    rank = len(tensor.shape)
    orders = list(permutations(range(rank)))
    for order in orders:
        odd = sum(order[i] > order[j] for i in range(rank) for j in range(i + 1, rank)) % 2
        sign = -1 if odd and tensor.symmetry == "antisymmetric" else 1
        total = total + sign * array.transpose(order)
    return total / len(orders)


def mirrored(tensor: Tensor, array: Any) -> Any:
    """An array with the declared symmetry whose entries at ascending indices are those given."""
    if not tensor.symmetry:
        return array
    grid = np.indices(array.shape).reshape(array.ndim, -1)
    ascending = np.sort(grid, axis=0)
    values = array[tuple(ascending)]
    if tensor.symmetry == "antisymmetric":
        for p in range(array.ndim):
            for q in range(p):
                values = values * np.sign(grid[p] - grid[q])
    return values.reshape(array.shape)


def fits(ranges: Iterable[sp.Expr], sizes: Mapping[str, int]) -> bool:
    """No range of an index is negative at these sizes."""
    values = {sp.Symbol(n, positive=True, integer=True): v for n, v in sizes.items()}
    return not any((size.xreplace(values) < 0) == True for size in ranges)  # noqa: E712  SymPy's


def satisfying(
    facts: Iterable[Fact],
    tensors: Mapping[str, Tensor],
    arrays: dict[str, Any],
    sizes: Mapping[str, int],
    model: Model,
) -> dict[str, Any] | None:
    """The arrays moved to the nearest values that satisfy the facts; None where none are found.

    Facts that define an input are definitions of the model: what they define is not drawn, and has
    to have the sign that was declared.
    """
    facts = list(facts)
    if facts and not _met(facts, arrays, sizes, model):
        tried = _nilpotent(facts, tensors, arrays)
        moved = next((a for a in tried if _met(facts, a, sizes, model)), None)
        moved = moved or _projected(facts, tensors, arrays, sizes, model)
        if moved is None or not _met(facts, moved, sizes, model):
            return None
        arrays = moved
    values = Evaluator(arrays, sizes, model=model)
    for body in model.bodies.values():
        if body.fact and body.tensor.sign:
            with np.errstate(all="ignore"):
                found = np.asarray(values.definition(body.tensor.name))
                if not np.all(_HAS[body.tensor.sign](found)):
                    return None
    return arrays


def _nilpotent(
    facts: Iterable[Fact], tensors: Mapping[str, Tensor], arrays: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """Arrays with N = L T L⁻¹ for square matrices of facts that make something 0, so that Nᵏ = 0.

    Newton steps end at N = 0 there.  T is the upper triangle of what was drawn, in blocks of k.
    """
    about = {t.name for f in facts if not f.right.terms for t in f.tensors}
    square = [n for n in sorted(about & tensors.keys()) if len({*np.shape(arrays[n])}) == 1]
    square = [n for n in square if np.ndim(arrays[n]) == 2 and not tensors[n].symmetry]
    size = max((len(arrays[n]) for n in square), default=0)
    for k in range(size, 0, -1):
        found = dict(arrays)
        for n in square:
            block = np.arange(len(found[n])) // k
            upper = np.triu(found[n], 1) * (block[:, None] == block)
            lower = np.tril(found[n], -1) + np.eye(len(block))
            found[n] = lower @ upper @ np.linalg.inv(lower)
        yield found


def _residuals(
    facts: Iterable[Fact],
    arrays: Mapping[str, Any],
    sizes: Mapping[str, int],
    model: Model,
    stacked: Sequence[str] = (),
) -> Any:
    """Left sides less right sides, a row for each case of the names that are stacked."""
    values = Evaluator(arrays, sizes, model=model, stacked=stacked)
    cases = len(arrays[stacked[0]]) if stacked else 1

    def side(x: Poly, axes: Sequence[Index]) -> Any:
        array = np.asarray(values(x, axes), float)
        return array if array.ndim > len(axes) else array[None]

    found = []
    for fact in facts:
        axes = tuple(sorted(fact.left.free | fact.right.free, key=lambda i: i.sort))
        with np.errstate(all="ignore"):
            gap = side(fact.left, axes) - side(fact.right, axes)
        gap = gap.reshape(len(gap), -1)
        found.append(np.broadcast_to(gap, (cases, gap.shape[1])))
    return np.concatenate(found, axis=1)


def _met(
    facts: Iterable[Fact], arrays: Mapping[str, Any], sizes: Mapping[str, int], model: Model
) -> bool:
    (gaps,) = _residuals(facts, arrays, sizes, model)
    return bool(np.all(np.abs(gaps) < 1e-10))  # nan is not small


def _projected(
    facts: Sequence[Fact],
    tensors: Mapping[str, Tensor],
    arrays: Mapping[str, Any],
    sizes: Mapping[str, int],
    model: Model,
) -> dict[str, Any] | None:
    """Newton steps of least length from the arrays that were drawn, in the inputs of the facts.

    What has a sign moves by the logarithm of its magnitude.
    """
    direct = {t.name for fact in facts for t in fact.tensors}
    reached = direct.union(*(model.uses(n) for n in sorted(direct)))
    names = [n for n, t in tensors.items() if n in reached and not t.parts and np.size(arrays[n])]
    names = [n for n in names if not getattr(tensors[n].symbol, "is_integer", False)]
    cuts = np.cumsum([np.size(arrays[n]) for n in names])
    if not names or cuts[-1] > UNKNOWNS:
        return None

    def at(points: Any) -> dict[str, Any]:
        moved = dict(arrays)
        for n, piece in zip(names, np.split(points, cuts[:-1], axis=1), strict=True):
            with np.errstate(over="ignore"):  # a step too far is not taken: its gaps are infinite
                factor = FACTOR.get(tensors[n].sign)
                values = factor * np.exp(piece) if factor else piece
            values = values.reshape(len(values), *np.shape(arrays[n]))
            even = tensors[n].symmetry
            moved[n] = np.stack([symmetrized(tensors[n], v) for v in values]) if even else values
        return moved

    def gaps(points: Any) -> Any:
        return _residuals(facts, at(points), sizes, model, names)

    start = [np.reshape(arrays[n], -1) for n in names]
    x = np.concatenate(
        [
            np.log(np.maximum(abs(v), LEAST)) if tensors[n].sign in FACTOR else v
            for n, v in zip(names, start, strict=True)
        ]
    ).astype(float)
    shifts = 1e-6 * np.eye(len(x))
    near: list[float] = []  # how far the facts were from being met, step by step
    for _ in range(NEWTON):
        (here,) = gaps(x[None])
        if not np.all(np.isfinite(here)):
            return None
        if np.all(np.abs(here) < 1e-14):
            break
        near.append(float(np.max(np.abs(here))))
        if len(near) > PATIENCE and min(near[-PATIENCE:]) > 0.9 * min(near[:-PATIENCE]):
            return None  # two orthonormal vectors of one component
        up, down = np.split(gaps(np.concatenate([x + shifts, x - shifts])), 2)
        slopes = (up - down) / 2e-6
        if not np.all(np.isfinite(slopes)):
            return None
        x = x - np.linalg.lstsq(slopes.T, here, rcond=1e-8)[0]
    found = {n: a[0] for n, a in at(x[None]).items() if n in names}
    return {**arrays, **{n: a if a.shape else float(a) for n, a in found.items()}}


def leaves(nodes: Iterable[Node]) -> dict[str, Tensor]:
    """The tensors that occur in expressions, sizes among them, by name."""
    return {r.tensor.name: r.tensor for node in nodes for r in refs(node)}
