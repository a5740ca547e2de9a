"""Numbers for raw expressions, straight from the definition: broadcast, multiply, sum.

This is the independent reading that everything else is checked against: it uses no law, no normal
form and no plan.  One evaluator serves every kind of numbers, which is its `Carrier`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np
import sympy as sp

from .budget import spend
from .carriers import Array, Carrier, eliminated, floats
from .errors import FormulaError, LimitError, ShapeError, UndefinedError
from .guards import guarded
from .ir import (
    OF_MATRIX,
    Argmax,
    Call,
    Delta,
    Index,
    Mask,
    Max,
    Num,
    Poly,
    Rational,
    Ref,
    Slot,
    Sum,
    Tensor,
    Term,
    Unknown,
    partial_tensor,
    rational,
    slot_items,
)
from .model import Model

ENTRY_LIMIT = 1 << 24  # entries of one intermediate array; past it a LimitError says so
SINGULAR = 1e13  # largest entry of a matrix times that of its inverse
CASES = Index("cases", sp.Symbol("many cases", integer=True, positive=True))

Sizes = Mapping[str, int]  # size symbol → number


@dataclass(frozen=True)
class Labelled:
    """An array with an index for every axis; where masks leave a product out, its factors need
    have no value."""

    array: Array
    axes: tuple[Index, ...]
    mask: Labelled | None = None  # 0 where the array is left out, and 0


def _leaves(slot: Slot, grid: Any, length: int) -> bool:
    """A number is no component of an axis: −1 is the last one, n − 2 is none where n is 1."""
    if slot.free:
        return bool(grid.size > 0)  # of an empty axis
    least = -length if slot_items(slot)[1].is_number else 0
    return not least <= int(grid) < length


def _singular(matrix: Array, inverse: Array) -> bool:
    """Nothing but rounding keeps a matrix from being singular: no digit of its inverse is right."""
    return bool(np.any(np.abs(matrix).max((-2, -1)) * np.abs(inverse).max((-2, -1)) > SINGULAR))


def _ordered(array: Array) -> Array:
    """The array, whose entries have an order: none is complex, as a root of a negative one is."""
    if array.dtype == object and any(hasattr(x, "_mpc_") for x in array.flat):
        raise UndefinedError("a value that is not real has no place in an order")
    return array


class Evaluator:
    """Evaluates raw or normal expressions at given arrays and sizes.

    `arrays` maps tensor names to arrays; definitions of `model` that are not among them are
    computed when they are needed.  The names in `stacked` have arrays of several cases, which are
    the first axis: what depends on them is evaluated for all cases at once, and is stacked, too.
    """

    def __init__(
        self,
        arrays: Mapping[str, Array],
        sizes: Sizes,
        carrier: Carrier | None = None,
        model: Model | None = None,
        stacked: Iterable[str] = (),
    ) -> None:
        self.arrays, self.sizes, self.model = dict(arrays), dict(sizes), model
        self.carrier = carrier or floats()
        self._known_sizes: dict[int, tuple[int, sp.Expr]] = {}  # by identity
        self.stacked = set(stacked)
        for name in self.stacked:
            self.sizes[CASES.size.name] = len(self.arrays[name])

    def __call__(self, poly: Poly, axes: Sequence[Index] = ()) -> Array:
        """The values of an expression as an array with these axes."""
        return self._laid_out(self._value(guarded(poly)), axes)

    def _laid_out(self, found: Labelled, axes: Sequence[Index]) -> Array:
        axes = (CASES, *axes) if CASES in found.axes else tuple(axes)
        missing = set(found.axes) - set(axes)
        if missing:
            names = ", ".join(sorted(i.name for i in missing))
            raise FormulaError(f"the free indices {names} are not among the axes asked for")
        return self._spread(found, axes, full=True)

    def size(self, size: sp.Expr) -> int:
        """The number that a size stands for."""
        known = self._known_sizes.get(id(size))
        if known is None:
            known = self._known_sizes[id(size)] = self._number_of(size), size
        return known[0]

    def _number_of(self, size: sp.Expr) -> int:
        value = size.xreplace(
            {s: sp.Integer(self.sizes[s.name]) for s in size.free_symbols if s.name in self.sizes}
        )
        if not value.is_Integer:
            raise ShapeError(f"the size {size} is not known", got=str(dict(self.sizes)))
        return int(value)

    def definition(self, name: str) -> Array:
        """The array of a definition or an input."""
        if name not in self.arrays:
            body = self.model.bodies.get(name) if self.model else None
            if body is None:
                raise ShapeError(f"no array was given for {name}")
            found = self._value(guarded(body.raw))
            if CASES in found.axes:
                self.stacked.add(name)
            self.arrays[name] = self._laid_out(found, body.indices)
        return self.arrays[name]

    def whole(self, tensor: Tensor) -> Array:
        """The array of a definition, of an input, of an inverse or a determinant of one."""
        return self._of_matrix(tensor) if tensor.role in OF_MATRIX else self.definition(tensor.name)

    def cases(self, name: str, count: int) -> Array:
        """The array of a definition or an input in each of the cases, of which there are count."""
        array = np.asarray(self.definition(name))
        return array if name in self.stacked else np.broadcast_to(array, (count, *array.shape))

    def _over_cases(self, name: str) -> tuple[Index, ...]:
        return (CASES,) if name in self.stacked else ()

    # ------------------------------------------------------------------------------------- nodes

    def _value(self, node: Any) -> Labelled:
        match node:
            case Poly():
                return self._sum_of([self._scaled(self._value(t), c) for t, c in node])
            case Term():
                return self._product_of([self._power(self._value(a), e) for a, e in node])
            case Ref():
                return self._ref(node)
            case Delta():
                return self._compare(node.a, node.b)
            case Mask():
                grid, axes = self._grid(node.slot)
                truth = self._truth(grid >= 0, axes)
                return replace(truth, mask=truth)
            case Call(name=Unknown() as unknown):
                return self._unknown(unknown, [self._value(a) for a in node.args])
            case Call(name=str() as name):
                inside = [self._value(a) for a in node.args]
                axes = tuple(dict.fromkeys(i for x in inside for i in x.axes))
                arrays = [self._spread(x, axes) for x in inside]
                value = self.carrier.function(name)(*arrays)
                if name == "step" and self.carrier.name != "jax":  # of what has no value neither
                    value = np.where(arrays[0] == arrays[0], value, arrays[0])
                return Labelled(value, axes)
            case Num():
                return Labelled(self._constant(node.prime), ())
            case Sum():
                return self._sum_of(
                    [self._scaled(self._contracted(t, node.bound), c) for t, c in node.body]
                )
            case Max():
                return self._max(node)
            case Argmax():
                return self._one_hot(node)
        raise AssertionError(node)

    def _constant(self, value: Rational) -> Array:
        number = self.carrier.number(value)
        return number if self.carrier.name in ("numpy", "jax") else np.asarray(number, dtype=object)

    def _numbers(self, whole: Any) -> Array:
        """Whole numbers as those of the carrier."""
        if self.carrier.name in ("numpy", "jax"):
            return self.carrier.xp.asarray(whole, float)
        return np.frompyfunc(lambda k: self.carrier.number(int(k)), 1, 1)(whole)

    def _scaled(self, x: Labelled, c: Rational) -> Labelled:
        return x if c == 1 else Labelled(x.array * self.carrier.number(c), x.axes, x.mask)

    def _power(self, x: Labelled, e: Rational) -> Labelled:
        if e == 1:
            return x
        if e == -1 and self.carrier.name in ("numpy", "jax"):  # a float of Python divides by no 0
            return Labelled(1 / self.carrier.xp.asarray(x.array), x.axes)
        if e == -1:
            return Labelled(self.carrier.number(1) / x.array, x.axes)
        exponent = int(e) if Fraction(e).denominator == 1 else self.carrier.number(e)
        if self.carrier.name == "jax" and not isinstance(exponent, int) and exponent > 0:
            xp = self.carrier.xp  # ‖x_i − x_i‖ beside a mask has no slope, and not an infinite one
            empty = x.array == 0
            return Labelled(xp.where(empty, 0.0, xp.where(empty, 1.0, x.array) ** exponent), x.axes)
        if self.carrier.name in ("numpy", "jax"):
            base = self.carrier.xp.asarray(x.array)
            return Labelled(
                base**exponent
                if not isinstance(exponent, int) or exponent > 0
                else 1 / base**-exponent,
                x.axes,
            )
        return Labelled(np.asarray(np.asarray(x.array, dtype=object) ** exponent), x.axes)

    def _sum_of(self, parts: Sequence[Labelled]) -> Labelled:
        if not parts:
            return Labelled(self._constant(0), ())
        axes = tuple(dict.fromkeys(i for p in parts for i in p.axes))
        total = self._spread(parts[0], axes)
        for part in parts[1:]:
            total = total + self._spread(part, axes)
        masks = [part.mask for part in parts if part.mask is not None]
        mask = self._sum_of(masks) if len(masks) == len(parts) else None
        return Labelled(total, axes, mask)

    def _product_of(self, parts: Sequence[Labelled]) -> Labelled:
        if not parts:
            return Labelled(self._constant(1), ())
        axes = tuple(dict.fromkeys(i for p in parts for i in p.axes))
        total = self._spread(parts[0], axes)
        for part in parts[1:]:
            total = total * self._spread(part, axes)
        masks = [part.mask for part in parts if part.mask is not None]
        if not masks:
            return Labelled(total, axes)
        if len(parts) == 1:
            return parts[0]
        mask = self._product_of([replace(m, mask=None) for m in masks])
        there = self._spread(mask, axes)
        return Labelled(self.carrier.xp.where(there == 0, there, total), axes, mask)

    def _contracted(self, term: Term, bound: tuple[Index, ...]) -> Labelled:
        """Σ_bound of a product, one letter after the other, over the factors that it touches."""
        factors = [self._power(self._value(a), e) for a, e in term]
        left = list(bound)
        while left:
            letter = min(left, key=lambda b: self._width(b, factors))
            left.remove(letter)
            touching = [f for f in factors if letter in f.axes]
            factors = [f for f in factors if letter not in f.axes]
            product = self._product_of(touching)
            kept = tuple(i for i in product.axes if i != letter)
            array = self._spread(product, (*kept, letter), full=True)
            factors.append(Labelled(array.sum(axis=-1), kept))
        return self._product_of(factors)

    def _width(self, letter: Index, factors: Sequence[Labelled]) -> int:
        """The entries of the product of the factors that a letter touches."""
        axes = {i for f in factors if letter in f.axes for i in f.axes}
        return prod(self.size(i.size) for i in axes)

    def _max(self, node: Max) -> Labelled:
        xp = self.carrier.xp
        inside = [self._value(a) for a in node.args]
        every = tuple(dict.fromkeys(i for x in inside for i in x.axes))
        kept = tuple(i for i in every if i not in node.bound)
        first, *others = map(
            _ordered, (self._spread(x, (*kept, *node.bound), full=True) for x in inside)
        )
        for other in others:
            first = xp.maximum(first, other)
        for _ in node.bound:
            first = first.max(axis=-1)
        return Labelled(first, kept)

    def _one_hot(self, node: Argmax) -> Labelled:
        """1 at the first of the largest entries of the body, which is evaluated once."""
        xp = self.carrier.xp
        body = self._value(node.body)
        kept = tuple(i for i in body.axes if i not in node.bound)
        array = self._spread(body, (*kept, *node.bound), full=True)
        flat = _ordered(array.reshape((*array.shape[: len(kept)], -1)))
        hot = xp.arange(flat.shape[-1]) == xp.argmax(flat, axis=-1)[..., None]
        truth = self._truth(hot.reshape(array.shape), (*kept, *node.bound))
        return self._at(truth.array, (*kept, *node.at), truth.array.shape, "argmax")

    def _spread(self, x: Labelled, axes: tuple[Index, ...], full: bool = False) -> Array:
        """The array with these axes, length one (or, with `full`, whole) where it has none."""
        xp = self.carrier.xp
        array = xp.asarray(x.array)
        whole = x.axes == axes and array.shape == tuple(self.size(i.size) for i in axes)
        if whole and array.dtype != object:  # laid out like this already
            return array
        order = [x.axes.index(i) for i in axes if i in x.axes]
        array = xp.transpose(array, order) if order else array
        shape = [self.size(i.size) if i in x.axes else 1 for i in axes]
        array = xp.reshape(array, shape)
        entries = prod(self.size(i.size) for i in axes)
        if entries > ENTRY_LIMIT:
            raise LimitError(
                f"an array over {len(axes)} indices would have {entries} entries, more than "
                f"{ENTRY_LIMIT}",
                mend="name parts of the expression with define()",
            )
        if array.dtype == object:
            spend(entries // 8)
        return xp.broadcast_to(array, [self.size(i.size) for i in axes]) if full else array

    def _ref(self, node: Ref) -> Labelled:
        if node.tensor.role in OF_MATRIX:
            return self._components(self._of_matrix(node.tensor), node, node.tensor.of[0].name)
        if node.tensor.role == "loss":
            return self._loss(node.tensor)
        if node.tensor.role == "place":
            grid, axes = self._grid(node.slots[0])
            return Labelled(self._numbers(grid), axes)
        if node.tensor.symbol is not None:
            return Labelled(self._scalar(node.tensor), self._over_cases(node.tensor.name))
        return self._components(self.definition(node.tensor.name), node, node.tensor.name)

    def _components(self, array: Array, node: Ref, name: str) -> Labelled:
        """The components of an array that is stacked where the tensor of that name is."""
        over = self._over_cases(name)
        if not node.slots:
            return Labelled(array, over)
        shape = map(self.size, [*(i.size for i in over), *node.tensor.shape])
        return self._at(array, (*over, *node.slots), shape, node.tensor.name)

    def _loss(self, tensor: Tensor) -> Labelled:
        """The value of an abstract loss, Σ ∂L/∂O O over the tensors O that it is a function of."""
        found = []
        for t in tensor.of:
            slope = self.definition(partial_tensor(tensor, t).name)
            value = self._scalar(t) if t.symbol is not None else self.definition(t.name)
            over, axes = self._over_cases(t.name), tuple(range(-len(t.shape), 0))
            product = slope * value
            found.append(Labelled(product.sum(axis=axes) if axes else product, over))
        return self._sum_of(found)

    def _of_matrix(self, tensor: Tensor) -> Array:
        """The inverse, the determinant or log |determinant| of a matrix."""
        (matrix,) = tensor.of
        array = self.definition(matrix.name)
        if self.carrier.name in ("numpy", "jax"):
            linalg = self.carrier.xp.linalg
            try:
                if tensor.role == "inverse":
                    found = linalg.inv(array)
                    if self.carrier.name == "numpy" and _singular(array, found):
                        raise np.linalg.LinAlgError
                    return found
                return linalg.det(array) if tensor.role == "det" else linalg.slogdet(array)[1]
            except np.linalg.LinAlgError:
                raise UndefinedError(f"{matrix.name} has no inverse at these values") from None
        if matrix.name in self.stacked:
            solved = [eliminated(np.asarray(m, dtype=object), self.carrier) for m in array]
            inverse, value = (np.array(x, dtype=object) for x in zip(*solved, strict=True))
        else:
            inverse, determinant = eliminated(np.asarray(array, dtype=object), self.carrier)
            value = np.asarray(determinant, dtype=object)
        if tensor.role == "inverse":
            return inverse
        return value if tensor.role == "det" else self.carrier.function("log")(abs(value))

    def _unknown(self, f: Unknown, args: Sequence[Labelled]) -> Labelled:
        """One smooth function for every name: Σ_m a_m sin(w_m·x + c_m), and its derivatives.

        Its numbers come from the name alone, so that values do not depend on the process.
        """
        import zlib

        axes = tuple(dict.fromkeys(i for x in args for i in x.axes))
        wide = [self._spread(x, axes) for x in args]
        seed = zlib.crc32(f"{f.name}/{len(args)}".encode())
        total: Any = self.carrier.number(0)
        for m in range(3):
            digits = [(seed >> (3 * m + 2 * k)) % 7 + 1 for k in range(len(args) + 2)]
            weights = [Fraction(d, 4 + m) for d in digits[: len(args)]]
            phase: Any = self.carrier.number(Fraction(digits[-2], 3))
            scale = Fraction(digits[-1], 5)
            for x, w, order in zip(wide, weights, f.orders, strict=True):
                phase = phase + x * self.carrier.number(w)
                scale *= w**order
            turns = sum(f.orders) % 4  # d sin = cos, d cos = −sin
            wave = self.carrier.function("sin" if turns % 2 == 0 else "cos")
            sign = 1 if turns < 2 else -1
            total = total + wave(phase) * self.carrier.number(rational(scale * sign))
        return Labelled(total, axes)

    def _at(
        self, array: Array, slots: tuple[Slot, ...], shape: Iterable[int], name: str
    ) -> Labelled:
        """The components of an array at these slots; indices with letters count modulo the axis."""
        axes = tuple(dict.fromkeys(i for s in slots for i in sorted(s.free, key=lambda i: i.sort)))
        shape = tuple(shape)
        if slots == axes and shape == tuple(self.size(i.size) for i in axes):
            return Labelled(array, axes)
        picks = []
        for slot, length in zip(slots, shape, strict=True):
            grid, own = self._grid(slot)
            if own and length:
                grid = grid % length
            elif _leaves(slot, grid, length):
                raise FormulaError(f"an index of {name} leaves its range 0 … {length - 1}")
            wide = [grid.shape[own.index(i)] if i in own else 1 for i in axes]
            picks.append(np.transpose(grid, [own.index(i) for i in axes if i in own]).reshape(wide))
        return Labelled(array[tuple(picks)], axes)

    def _scalar(self, tensor: Tensor) -> Any:
        if tensor.name in self.arrays:
            return self.arrays[tensor.name]
        if tensor.name in self.sizes:
            return self._constant(int(self.sizes[tensor.name]))
        if self.model and tensor.name in self.model.bodies:
            return self.definition(tensor.name)
        symbol = tensor.symbol
        if symbol is not None and not symbol.is_Symbol:
            if self.carrier.name == "sympy":
                return np.asarray(symbol, dtype=object)
            if self.carrier.name == "mpmath":
                return np.asarray(sp.lambdify((), symbol, "mpmath")(), dtype=object)
            return float(symbol)
        raise ShapeError(f"no value was given for the scalar {tensor.name}")

    def _grid(self, slot: Slot) -> tuple[Any, tuple[Index, ...]]:
        """The integer values of an index over the axes it consists of."""
        items, const = slot_items(slot)
        axes = tuple(items)
        grid: Any = np.asarray(self.size(const))
        for k, (index, c) in enumerate(items.items()):
            shape = [1] * len(axes)
            shape[k] = -1
            grid = grid + c * np.arange(self.size(index.size)).reshape(shape)
        return grid, axes

    def _compare(self, a: Slot, b: Slot) -> Labelled:
        left, right = self._grid(a), self._grid(b)
        axes = tuple(dict.fromkeys((*left[1], *right[1])))
        x = self._spread_grid(left, axes)
        y = self._spread_grid(right, axes)
        modulus = [self.size(s.size) for s in (a, b) if isinstance(s, Index)]
        same = (x - y) % modulus[0] == 0 if len(modulus) == 1 else x == y
        return self._truth(same, axes)

    def _spread_grid(self, grid: tuple[Any, tuple[Index, ...]], axes: tuple[Index, ...]) -> Any:
        array, own = grid
        order = [own.index(i) for i in axes if i in own]
        return np.transpose(array, order).reshape(
            [self.size(i.size) if i in own else 1 for i in axes]
        )

    def _truth(self, condition: Any, axes: tuple[Index, ...]) -> Labelled:
        if self.carrier.name in ("numpy", "jax"):
            return Labelled(condition.astype(float), axes)
        one, zero = self.carrier.number(1), self.carrier.number(0)
        return Labelled(np.where(condition, one, zero), axes)
