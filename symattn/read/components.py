"""Names with indices: tensors, numbers, δ, and matrices whose indices are not written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp

from . import brackets, calls, conditions, examples, matrices
from .names import Names, is_open
from .origins import apart, base, compared
from .scripts import Component
from .sizes import Letter, unnamed
from .terms import Affine, Number, Ref, amount
from .tree import Node
from .tree import Number as NumberNode
from .values import Counts, Scope, Value, count

if TYPE_CHECKING:
    from .elaborate import Reader

NUMBERED = "a component of "  # how the tie of x_1 to x begins


def _runs(reader: Reader, name: str, scope: Scope) -> bool:
    """The letter is an index of something on the left side of this statement."""
    written = reader.names.lenient and reader.here.letters[name] > 0
    return written and any(x.name == name for x in scope.fixed)


def _summed(reader: Reader, name: str, scope: Scope) -> bool:
    r"""The s of \sum_s γ^{t-s} v_s stands under its Σ, whatever else is called s in the text."""
    return reader.names.lenient and name in scope.letters and name in reader.here.summed


def _below_a_sum(name: str, scope: Scope) -> bool:
    """The k of Σ_k k x_k, also where the length of an axis is called k."""
    return scope.letters.get(name) in scope.fixed and name not in scope.root


def component(reader: Reader, found: Component, scope: Scope) -> Value:
    """A name with indices: δ, a tensor, a scalar, or a matrix whose indices are not written."""
    name = found.name
    if matrices.inverted(found) and name not in reader.bindings:
        return matrices.inverse_component(reader, found, scope)
    if name in reader.bindings:
        value = _bound(reader, found, scope)
    elif (
        not found.slots
        and name not in reader.names.declared
        and (name not in reader.names.ranks or _summed(reader, name, scope))
        and (name not in reader.sizes.names or _below_a_sum(name, scope))
        and name not in reader.names.coordinates
        and (reader.here.has_index(name) or _runs(reader, name, scope))
    ):
        letter = scope.letters.get(name) or scope.root.get(name)
        known = letter is not None and letter.first is not None
        known |= reader.conventions.origin is not None or reader.names.lenient
        if known and letter in scope.fixed:
            assert letter is not None
            return _scripted(reader, conditions.number(reader, letter), found, scope)
        if letter in scope.fixed:
            raise reader.fail(
                found.at,
                f"the index {name} is a number here: is the first one 0 or 1?",
                expected=f"{name} = 0, 1, … or {name} = 1, 2, …",
                mend="declare <!-- symattn: indices from 1 -->, or from 0",
            )
        raise reader.fail(
            found.at,
            f"{name} is an index in this statement and a number here",
            expected=f"{name} as an index, or a number with a name of its own",
            mend="give the number another name; for the number of an index put it on the left or"
            " under a sum, and declare <!-- symattn: indices from 1 -->, or from 0",
        )
    elif is_delta(found, reader.names):
        value = _delta(reader, found, scope)
    elif is_pi(reader.names, found):
        value = Value(Number(sp.pi))
    elif not found.slots and calls.is_slope(reader, name, alone=True):
        value = calls.slope(reader, name, None, found.at, scope)
    elif initial(reader, found):
        value = _numbered(reader, found, scope)
    else:
        value = tensor(reader, name, found.slots, found.at, scope)
    return _scripted(reader, value, found, scope)


def is_pi(names: Names, found: Component) -> bool:
    """True for the number 3.14…; not where a text gives the letter another value."""
    known = found.name in names.ranks or found.name in names.declared
    if found.name == examples.CIRCLE:
        return not found.slots
    return found.name == "pi" and names.number_pi and not (found.literal or found.slots or known)


def initial(reader: Reader, found: Component) -> bool:
    """True for x_0 where indices count from 1, and for x_1 where nothing says where they begin.

    Each is a quantity of its own then, as in β_0 + β_1 x_1.
    """
    numbers = [n.text for n in found.slots if isinstance(n, NumberNode)]
    unknown = reader.conventions.origin is None
    return (
        reader.names.lenient
        and bool(numbers)
        and (unknown or ("0" in numbers and reader.conventions.origin == 1))
    )


def _numbered(reader: Reader, found: Component, scope: Scope) -> Value:
    """The component with that number, as another tensor than the whole."""
    ranks, whole = reader.names.ranks, found.name
    numbers = [n.text for n in found.slots if isinstance(n, NumberNode)]
    kept = [k for k, n in enumerate(found.slots) if not isinstance(n, NumberNode)]
    name = "_".join([whole, *numbers])
    rank = max(ranks.get(whole, 1) - len(numbers), len(kept))
    kept += range(len(found.slots), len(found.slots) + rank - len(kept))
    ranks[name], reader.names.places[name] = rank, found.at
    for k, other in enumerate(kept):
        mine = reader.sizes.slot(name, k, found.at)
        reader.sizes.unite(mine, reader.sizes.slot(whole, other, found.at), found.at, name)
    reader.names.tied[name] = f"{NUMBERED}{whole}, which has a number"
    slots = tuple(n for n in found.slots if not isinstance(n, NumberNode))
    return tensor(reader, name, slots, found.at, scope)


def _scripted(reader: Reader, value: Value, found: Component, scope: Scope) -> Value:
    """A value under the transpose and the power of a component."""
    if found.transposed:
        value = matrices.transpose(reader, value, found.at, found.name)
    if found.power is not None:
        matrices.check_raised(reader, found)
        if any(sum(n) > 1 and x.real() not in scope.fixed for x, n in value.free.items()):
            value = reader.summed([value], [], scope, found.at)  # A_kk² is the square of tr A
        value = matrices.power(reader, value, found.power, scope, found.at)
    return value


def _bound(reader: Reader, found: Component, scope: Scope) -> Value:
    """A parameter of a function: what was put in for it, under the indices written here."""
    node, outer, reader = reader.bindings[found.name]
    value = reader.read(node, outer)
    scripts = tuple(("_", n) for n in found.slots)
    return brackets.with_scripts(reader, value, scripts, scope, found.at)


def is_delta(found: Component, names: Names) -> bool:
    """The Kronecker δ: not the errors δ_j and δ_j^{(l+1)}, nor a δ that is declared as a matrix."""
    matrix = "delta" in names.declared and names.ranks.get("delta") == 2
    vector = len(found.slots) == 1 and names.ranks.get("delta") == 1
    other = not found.slots or matrix or vector or bool(found.literal)
    return found.name == "delta" and not other


def _delta(reader: Reader, found: Component, scope: Scope) -> Value:
    if len(found.slots) != 2:
        raise reader.fail(
            found.at,
            f"δ has {len(found.slots)} indices here",
            expected="two",
            mend=r"write \delta^i_j",
        )
    a, b = (reader.slot(s, scope) for s in found.slots)
    counts: Counts = {}
    count(counts, a)
    count(counts, b)
    if isinstance(a, Letter) and isinstance(b, Letter) and not apart(a, b):
        reader.sizes.unite(a.size, b.size, found.at, f"δ of {a.name} and {b.name}")
    return Value(compared("=", a, b), counts)


def tensor(reader: Reader, name: str, nodes: tuple[Node, ...], at: int, scope: Scope) -> Value:
    """name[slots]; slots that are not written become a row and a column."""
    if name in reader.names.inverses:
        _square(reader, name, at)
    rank = reader.names.ranks.get(name, 0)
    axes = [unnamed(k, n.at) for k, n in enumerate(filter(is_open, nodes))]
    opened = iter(axes)
    slots = [next(opened) if is_open(n) else reader.slot(n, scope) for n in nodes]
    stem = name.rstrip("'")
    primed = not rank and name != stem and name not in reader.names.declared
    if primed and reader.names.ranks.get(stem, 0) > 1:
        raise reader.fail(
            at,
            f"{name}: the transpose of {stem}, or another name?",
            expected=rf"{stem}^\top, or a scalar {name}",
            mend=rf"write {stem}^\top, or declare <!-- symattn: scalars {name} -->",
        )
    if len(slots) > max(rank, 0):
        raise reader.fail(
            at,
            f"{name} takes {rank} indices, {len(slots)} are written",
            mend="give one index for every axis",
        )
    missing = rank - len(slots)
    if (missing, slots) == (1, []) and reader.outcome is not None:
        slots, missing = [_random(reader, name, at)], 0
    if missing + len(axes) > 2:
        raise reader.fail(
            at,
            f"{name} has {rank} axes and {len(slots)} indices here",
            expected=f"{rank} indices",
            mend="matrix notation is for one and two axes; write the indices",
        )
    axes += [unnamed(k, at) for k in range(len(axes), len(axes) + missing)]
    slots += axes[len(axes) - missing :]
    counts: Counts = {}
    for position, slot in enumerate(slots):
        reader.sizes.begins(name, position, base(slot), at)
        if isinstance(slot, Letter):
            reader.sizes.unite(
                reader.sizes.slot(name, position, at),
                slot.size,
                at,
                f"slot {position + 1} of {name}"
                if slot in axes
                else f"the index {slot.name} in slot {position + 1} of {name}",
            )
        elif len(slot.items) == 1 and slot.items[0][1] > 1:
            ((letter, c),) = slot.items
            reader.sizes.spread(reader.sizes.slot(name, position, at), letter, c)
        elif (last := _reached(slot)) is not None:
            reader.sizes.stretch(reader.sizes.slot(name, position, at), last + 1, at)
        if slot not in axes:
            count(counts, slot)
    row, col = (*axes, None, None)[:2]
    return Value(Ref(name, tuple(slots)), counts, row, col)


def _reached(slot: Affine) -> sp.Expr | None:
    """The last place that x_{k+1} or x_n takes, as the text says it; None for x_3 and x_i."""
    shift = amount(slot.constant) if slot.constant else None
    match slot.items:
        case () if shift is not None and shift.free_symbols:
            return shift
        case ((letter, 1),) if letter.last is not None and shift is not None and shift.is_positive:
            return letter.last - 1 + shift
    return None


def _square(reader: Reader, inverse: str, at: int) -> None:
    """A matrix and its inverse have one size."""
    of = reader.names.inverses[inverse]
    reader.names.ranks.setdefault(of, 2)
    reader.names.places.setdefault(of, at)
    first = reader.sizes.slot(of, 0, at)
    for name, position in ((of, 1), (inverse, 0), (inverse, 1)):
        other = reader.sizes.slot(name, position, at)
        reader.sizes.unite(first, other, at, f"{of}, which has an inverse,")


def _random(reader: Reader, name: str, at: int) -> Letter:
    """The outcome of the average around, as the index of a name without indices."""
    assert reader.outcome is not None
    letter, written = reader.outcome
    if written:
        raise reader.fail(
            at,
            f"{name} stands without index in an average over {letter.name}",
            expected=f"{name}^{letter.name}, or a vector that is the same for every {letter.name}",
            mend=f"write the index of {name}",
        )
    return letter
