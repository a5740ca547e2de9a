"""Letters, components, δ's and masks of SymPy in the IR: what is read of a formula without sums."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, TypeAlias

import sympy as sp
from sympy.core.relational import Relational

from .errors import FormulaError
from .ir import (
    ONE,
    Delta,
    Index,
    Mask,
    Poly,
    Ref,
    Slot,
    Tensor,
    affine,
    inverse_tensor,
    known_sign,
    raw_add,
    raw_atom,
    raw_product,
    scalar,
    slot_items,
)
from .objects import Inverse, TensorSymbol
from .places import within

# Printing a formula takes longer than reading it, so it is printed for errors only.
Formula: TypeAlias = str | Callable[[], str]
Counts = dict[str, tuple[int, int]]  # letter → how often it occurs above and below a fraction bar


@dataclass
class Letters:
    """Reads what letters stand in; a letter has one size throughout a formula."""

    written: Formula
    letters: dict[str, Index] = field(default_factory=dict)
    lenient: bool = False  # only find the free letters; ambiguities are reported later
    known: Mapping[str, Tensor] = field(default_factory=dict)
    declared: dict[str, Tensor] = field(default_factory=dict)
    summed: set[str] = field(default_factory=set)  # letters that the rule sums
    numbers: set[str] = field(default_factory=set)  # letters that stand as numbers

    @property
    def formula(self) -> str:
        """The user's own formula, for errors."""
        return self.written if isinstance(self.written, str) else self.written()

    def fail(self, problem: str, **parts: str) -> FormulaError:
        return FormulaError(problem, formula=self.formula, **parts)

    def index(self, idx: sp.Idx) -> Index:
        if idx.upper is None or idx.lower != 0:
            raise self.fail(
                f"the index {idx} has no range 0 … n−1", mend=f'make it with indices("{idx}", n)'
            )
        size = sp.sympify(idx.upper + 1)
        known = self.letters.setdefault(idx.name, Index(idx.name, size))
        if known.size != size:
            raise self.fail(
                f"the index {idx} stands for two sizes",
                expected=str(known.size),
                got=str(size),
                mend="use two different letters",
            )
        return known

    def slot(self, expr: Any) -> Slot:
        if isinstance(expr, sp.Idx):
            return self.index(expr)
        expr = sp.expand(expr)
        items: dict[Index, int] = {}
        const = sp.S.Zero
        for part in sp.Add.make_args(expr):
            c, rest = part.as_coeff_Mul()
            if isinstance(rest, sp.Idx) and c.is_Integer:
                items[self.index(rest)] = int(c)
            elif not part.has(sp.Idx) and part.is_integer is not False:
                const += part
            else:
                raise self.fail(
                    f"{expr} is not an index",
                    expected="a sum of letters and integers",
                    mend="use letters made with indices()",
                )
        return affine(items, const)

    def counted(self, slots: Iterable[Slot]) -> Counts:
        counts: Counts = {}
        for slot in slots:
            for index in slot.free:
                up, down = counts.get(index.name, (0, 0))
                counts[index.name] = (up + 1, down)
        return counts

    def read_ref(self, expr: sp.Indexed) -> tuple[Poly, Counts]:
        base = expr.base
        if base.shape is None:
            raise self.fail(
                f"the tensor {base.label} has no shape",
                mend=f'make it with tensor("{base.label}", n, …)',
            )
        slots = [self.slot(s) for s in expr.indices]
        shape = tuple(base.shape)
        for position, (slot, size) in enumerate(zip(slots, shape, strict=True), 1):
            if isinstance(slot, Index) and slot.size != size:
                raise self.fail(
                    f"the index {slot.name} does not fit slot {position} of {base.label}",
                    expected=f"an index of size {size}: {base.label} has shape "
                    f"({', '.join(map(str, shape))})",
                    got=f"{slot.name} of size {slot.size}",
                    mend="look at the order of the indices, or declare the letter with the "
                    "size of that axis",
                )
            items, place = slot_items(slot)
            if not items and _is_outside(place, size):
                raise self.fail(
                    f"{place} is no position in slot {position} of {base.label}",
                    expected=f"0 to {size - 1}, or -1 to -{size} from the end: {base.label} has "
                    f"shape ({', '.join(map(str, shape))})",
                    got=str(place),
                    mend="positions are counted from 0",
                )
        return raw_atom(Ref(self.tensor(base), slots)), self.counted(slots)

    def tensor(self, base: Any) -> Tensor:
        """The tensor of a symbol: that of the system where it has the name, else as declared."""
        if isinstance(base, Inverse):
            return inverse_tensor(self.tensor(base.of))
        declared = tensor_of(base)
        known = self.known.get(declared.name)
        if known is None or known.shape != declared.shape:
            known = self.declared.setdefault(declared.name, declared)
        if (known.symmetry, known.definite) != (declared.symmetry, declared.definite):
            raise self.fail(
                f"{declared.name} is declared in two ways",
                expected=_declaration(known),
                got=_declaration(declared),
                mend="declare the tensor once and use that object everywhere",
            )
        return known

    def same_size(self, a: Slot, b: Slot) -> None:
        if isinstance(a, Index) and isinstance(b, Index) and a.size != b.size:
            raise self.fail(
                f"{a.name} = {b.name} compares two ranges",
                expected=str(a.size),
                got=str(b.size),
                mend="use letters of the same size",
            )

    def read_delta(self, expr: sp.KroneckerDelta) -> tuple[Poly, Counts]:
        """δ_{ab}, and δ_{a, b mod n} for a letter a of size n."""
        a, b = (self.slot(s.args[0] if isinstance(s, sp.Mod) else s) for s in expr.args[:2])
        for side, other in zip(expr.args[:2], (b, a), strict=True):
            if not isinstance(side, sp.Mod):
                continue
            if not isinstance(other, Index) or sp.sympify(side.args[1]) != other.size:
                raise self.fail(
                    f"{side} is not an index modulo the size of the other one",
                    mend="write delta(i, sp.Mod(j - 1, n)) with i of size n",
                )
            return raw_atom(Delta(a, b)), self.counted((a, b))
        self.same_size(a, b)
        return self.equal(a, b), self.counted((a, b))

    def equal(self, a: Slot, b: Slot) -> Poly:
        """[a = b], a δ between equal ranges and for an affine index in the range of the other.

        Elsewhere [a ≥ b][b ≥ a].
        """
        if isinstance(a, Index) and isinstance(b, Index):
            plain = a.size == b.size
        else:
            pairs = ((a, b), (b, a))
            plain = any(isinstance(x, Index) and within(y, x.size) for x, y in pairs)
        if plain:
            return raw_atom(Delta(a, b))
        (up, high), (down, low) = slot_items(a), slot_items(b)
        items = {i: up.get(i, 0) - down.get(i, 0) for i in (*up, *down)}
        back = {i: -c for i, c in items.items()}
        return raw_product(
            [raw_atom(Mask(affine(items, high - low))), raw_atom(Mask(affine(back, low - high)))]
        )

    def compares_indices(self, condition: Relational) -> bool:
        """Both sides are indices: sums of letters and whole numbers, sizes among them."""
        sides = (sp.Add.make_args(sp.expand(side)) for side in (condition.lhs, condition.rhs))
        for part in chain.from_iterable(sides):
            c, rest = part.as_coeff_Mul()
            if isinstance(rest, sp.Idx) and c.is_Integer:
                continue
            if part.has(sp.Idx, sp.Indexed, sp.Function) or not part.is_integer:
                return False
        return True

    def read_mask(self, condition: Any) -> tuple[Poly, Counts]:
        if isinstance(condition, sp.Ne):
            a, b = (self.slot(s) for s in condition.args)
            equal = self.equal(a, b)
            return raw_add([ONE, negative(equal)]), self.counted((a, b))
        if isinstance(condition, sp.Eq):
            a, b = (self.slot(s) for s in condition.args)
            return self.equal(a, b), self.counted((a, b))
        if not isinstance(condition, Relational):
            raise self.fail(
                f"{condition} is not a comparison of indices", mend="write iverson(j <= i)"
            )
        strict = isinstance(condition, sp.StrictLessThan | sp.StrictGreaterThan)
        slot = self.slot(condition.gts - condition.lts - int(strict))
        return raw_atom(Mask(slot)), self.counted(
            [self.slot(condition.gts), self.slot(condition.lts)]
        )

    def bound(self, expr: Any) -> list[Index]:
        """The letters that a sum or a maximum runs over."""
        found = []
        for letter, low, high in expr.limits:
            if not isinstance(letter, sp.Idx) or (low, high) != (letter.lower, letter.upper):
                raise self.fail(
                    f"the sum over {letter} does not run over the whole range",
                    mend="use total(…, j), and iverson() to leave indices out",
                )
            found.append(self.index(letter))
        return found


def _declaration(tensor: Tensor) -> str:
    kind = "positive definite" if tensor.definite else tensor.symmetry or "without symmetry"
    return f"{tensor.name}, {kind}"


def _is_outside(place: Any, size: Any) -> bool:
    """True for 3 and −4 along an axis of three."""
    place, size = sp.sympify(place), sp.sympify(size)
    return place.is_Integer and size.is_Integer and not -size <= place < size


def negative(poly: Poly) -> Poly:
    """−p."""
    return Poly({t: -c for t, c in poly})


def tensor_of(symbol: Any) -> Tensor:
    """The IR tensor of a SymPy tensor or scalar symbol."""
    if isinstance(symbol, sp.IndexedBase):
        own = isinstance(symbol, TensorSymbol)
        return Tensor(
            symbol.name,
            tuple(symbol.shape or ()),
            known_sign(symbol.label),
            symbol.symmetry if own else "",
            definite=own and symbol.definite,
        )
    return scalar(symbol).tensor
