r"""What runs over an index to the end of its product: Σ, Π and lim, with their ranges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import sympy as sp

from . import beyond, origins
from .names import atoms, base_name, indices, is_letter, numbered
from .scripts import component
from .sizes import Letter
from .terms import (
    Affine,
    Compare,
    Limit,
    Mul,
    Number,
    ProductOver,
    Slot,
    Term,
    Total,
    amount,
    at_index,
    copies,
    refs,
)
from .tree import (
    BRACKETS,
    Accent,
    Addition,
    Chain,
    Group,
    Name,
    Node,
    Product,
    Scripted,
    Stack,
    Symbol,
    base_of,
    spelled,
    walk,
)
from .tree import Number as NumberNode
from .values import Counts, Scope, Value, count, once

if TYPE_CHECKING:
    from .elaborate import Reader

Parts = Sequence[tuple[str, Node]]
Condition = Callable[["Reader", Scope], Value]

SERIES = "series"  # what an endless sum is called


@dataclass(frozen=True)
class _Range:
    """The letters that a Σ binds, conditions on them, and how many values the letter takes."""

    letters: tuple[Letter, ...]
    conditions: tuple[Condition, ...] = ()
    number: int | None = None  # where the limits are numbers
    last: tuple[sp.Expr, int] | None = None  # how far the letter runs, and where that is said
    early: Node | None = None  # the i − 1 of Σ_{j=i-1}^n, which may be before the first one


def _body(reader: Reader, rest: Parts, scope: Scope, sign: Symbol, shown: str) -> Value:
    if not rest:
        raise reader.fail(
            sign,
            f"{shown} has nothing to its right",
            expected="a product",
            mend=f"write behind it what {shown} is taken of",
        )
    if rest[0][0] == "/":
        raise reader.fail(sign, f"{shown} stands before a division sign")
    return reader.read(Product(rest[0][1].at, (("", rest[0][1]), *rest[1:])), scope)


def sum_(
    reader: Reader, sign: Symbol, scripts: tuple[tuple[str, Node], ...], rest: Parts, scope: Scope
) -> Value:
    """Σ over letters, over a range, over neighbours, under a condition, or over unnamed axes."""
    below = next((s for mark, s in scripts if mark == "_"), None)
    if below is None:
        value = _body(reader, rest, scope, sign, "Σ")
        if not value.axes and reader.names.lenient:
            return beyond.whole(reader, "sum", [value], sign.at, "a sum over what is not said", ())
        if not value.axes:
            raise reader.fail(
                sign,
                "Σ has no index, and what it sums has no axis without one",
                expected=r"\sum_j",
                mend=r"write \sum_j",
            )
        return Value(Total(value.axes, value.term), value.free)
    if reader.names.lenient and rest and _unlisted(below):
        return beyond.over_set(reader, sign, below, rest, scope)
    above = next((s for mark, s in scripts if mark == "^"), None)
    if reader.names.lenient and isinstance(above, Symbol) and above.kind == "infty" and rest:
        return _endless(reader, sign, below, rest, scope)
    over = _range(reader, sign, below, scripts, scope, "Σ")
    reader.sizes.bound.setdefault(id(reader.here), []).extend(over.letters)
    inside = scope.inner(over.letters)
    value = _body(reader, rest, inside, sign, "Σ")
    if over.early is not None and not _bears(value.term, over.letters[0]):
        raise reader.fail(over.early, "a sum begins before the first index here")
    free = _without(value.free, over.letters)
    masks = [*_ends(reader, over, value), *(c(reader, inside) for c in over.conditions)]
    for mask in masks:
        free |= {x: (1, 0) for x in _without(mask.free, over.letters) if x not in free}
    term = Mul((*(m.term for m in masks), value.term)) if masks else value.term
    return replace(value, term=Total(over.letters, term), free=free)


def _endless(reader: Reader, sign: Symbol, below: Node, rest: Parts, scope: Scope) -> Value:
    """Σ_{k=0}^∞, which the engine has no form for."""
    first = below.sides[0] if isinstance(below, Chain) else below
    letters = [Letter(a.text, a.at) for a in indices("_", first) if is_letter(a)]
    value = _body(reader, rest, scope.inner(letters), sign, "Σ")
    closed = Total(tuple(letters), value.term) if letters else value.term
    value = replace(value, term=closed, free=_without(value.free, letters))
    return beyond.whole(reader, SERIES, [value], sign.at, "an infinite sum", spelled(below))


def product(
    reader: Reader, sign: Symbol, scripts: tuple[tuple[str, Node], ...], rest: Parts, scope: Scope
) -> Value:
    """Π over an index: written out where its limits are numbers, else exp Σ log of its factor.

    The second presupposes a positive factor, which is settled when the names are built.
    """
    below = next((s for mark, s in scripts if mark == "_"), None)
    if below is None:
        raise reader.fail(
            sign, "Π has no index", expected=r"\prod_j", mend="write the index below the sign"
        )
    if reader.names.lenient and rest and _unlisted(below):
        return beyond.over_set(reader, sign, below, rest, scope)
    over = _range(reader, sign, below, scripts, scope, "Π")
    inside = scope.inner(over.letters)
    value = _body(reader, rest, inside, sign, "Π")
    if value.axes:
        raise reader.fail(sign, "a product of matrices over an index", mend="write the indices")
    free = once(_without(value.free, over.letters))
    masks = [*_ends(reader, over, value), *(c(reader, inside) for c in over.conditions)]
    for mask in masks:
        free |= once(_without(mask.free, over.letters))
    if over.number is not None and not masks and copies(value.term, over.number):
        (letter,) = over.letters
        terms = tuple(at_index(value.term, letter, k) for k in range(over.number))
        return replace(value, term=Mul(terms), free=free)
    term = ProductOver(over.letters, tuple(m.term for m in masks), value.term, sign.at, tuple(free))
    return replace(value, term=term, free=free)


def stack(reader: Reader, node: Stack, scope: Scope) -> Value:
    """(x_1, …, x_n): the entry with its letter as an axis."""
    start = Chain(node.at, (node.letter, node.first), (("=", node.at),))
    sign = Symbol(node.at, "sum", "sum")
    over = _range(reader, sign, start, (("^", node.last),), scope, "a list")
    (letter,) = over.letters
    value = reader.read(node.body, scope.inner(over.letters))
    if over.last is not None:
        reader.sizes.give(letter.size, *over.last, f"the index {letter.name}")
    if over.conditions or letter not in {x.real() for x in value.free}:
        raise reader.fail(
            node,
            "entries are left out here, and not those of all indices",
            expected=r"(x_1, \dots, x_n) of an x with an index",
            mend="write the formula for one component with its indices",
        )
    axis = value.row if value.col is None else value.col
    if value.row is not None and value.col is not None:
        raise reader.fail(node, "a list of matrices", mend="write the indices")
    rows = value.row is None and node.kind == "tuple"  # [x_1^⊤, …, x_n^⊤]
    row, col = (letter, axis) if node.kind == "below" or rows else (axis, letter)
    if axis is None:  # (x_1, …, x_n) of numbers is a column
        row, col = (None, letter) if node.kind == "beside" else (letter, None)
    return replace(value, free=once(_without(value.free, over.letters)), row=row, col=col)


def _unlisted(below: Node) -> bool:
    """True where a sum runs over vectors or over a set, and no index."""
    if not isinstance(below, Chain):
        return not all(map(is_letter, indices("_", below)))
    first, relation = numbered(below.sides[0]), below.relations[0][0]
    if relation != "∈" or _interval(below) is not None:
        return not is_letter(first) and relation in ("∈", "∼")
    match below.sides[1]:
        case Product(parts=((_, Name()), ("", Group(bracket="(", items=items)))):
            return not (is_letter(first) and all(map(is_letter, items)))
        case Scripted():
            return not is_letter(first)
    return True


def _without(free: Counts, bound: Sequence[Letter]) -> Counts:
    return {x: n for x, n in free.items() if x.real() not in bound}


def _range(
    reader: Reader,
    sign: Symbol,
    below: Node,
    scripts: tuple[tuple[str, Node], ...],
    scope: Scope,
    shown: str,
) -> _Range:
    above = next((s for mark, s in scripts if mark == "^"), None)
    if not isinstance(below, Chain):
        bound = []
        for a in indices("_", below):
            if not is_letter(a):
                raise reader.fail(
                    a,
                    f"{shown} runs over letters",
                    expected=r"\sum_j or \sum_{i,j}",
                    mend="use a small letter",
                )
            bound.append(Letter(a.text, a.at))
        if above is not None:  # Σ_i^M: the whole range, of size M
            uppers = above.items if isinstance(above, Group) else (above,)
            if len(bound) != len(uppers) or _has_index(reader, above, scope):
                raise reader.fail(
                    above,
                    f"the upper limit of {shown} has no lower one",
                    expected=r"\sum_{j=1}^{n}",
                    mend="write where the index begins",
                )
            known = [size_expression(reader, upper) for upper in uppers]
            for one, size in zip(bound, known, strict=True):
                reader.sizes.give(one.size, size, above.at, f"the index {one.name}")
            single = len(known) == 1 and known[0].is_Integer
            return _Range(tuple(bound), number=int(known[0]) if single else None)
        return _Range(tuple(bound))
    first, relation = numbered(below.sides[0]), below.relations[0][0]
    if relation == "=" and is_letter(first) and len(below.sides) == 2:
        return _limits(reader, first, below.sides[1], above, scope)
    letter = ranged(reader, below)
    if letter is not None:
        return _Range((letter,))
    if relation == "∈" and is_letter(first):
        return _Range((Letter(first.text, first.at),), (_neighbours(reader, below),))
    letters = [
        a
        for side in below.sides
        for a in indices("_", side)
        if is_letter(a) and reader.letter(a.text, a.at, scope) not in scope.fixed
    ]
    if not letters or relation not in ("=", "≤", "<", "≥", ">", "≠"):
        raise reader.fail(
            below.relations[0][1],
            f"a sum under the condition {relation}",
            expected=r"\sum_j, \sum_{j=1}^{n}, \sum_{j \le i}, \sum_{j \in N(i)}",
            mend="write one of these forms",
        )
    unique = {a.text: Letter(a.text, a.at) for a in letters}
    return _Range(tuple(unique.values()), (lambda r, s: r.mask(below, s),))


def _interval(below: Node) -> Node | None:
    """The n of j ∈ [n], the whole range of n indices; None for anything else."""
    match below:
        case Chain(sides=(_, Group(bracket="[", items=(size,))), relations=(("∈", _),)):
            return size
    return None


def ranged(reader: Reader, below: Node) -> Letter | None:
    """The letter of j ∈ [n], with its size; None for anything else."""
    size = _interval(below)
    first = numbered(below.sides[0]) if isinstance(below, Chain) else below
    if size is None or not is_letter(first):
        return None
    letter = Letter(first.text, first.at)
    reader.sizes.give(
        letter.size, size_expression(reader, size), size.at, f"the index {letter.name}"
    )
    return letter


def _limits(reader: Reader, first: Name, start: Node, above: Node | None, scope: Scope) -> _Range:
    """j = 1 … n is the whole range of j; an index as a limit, or another start, is a mask."""
    letter = Letter(first.text, first.at)
    origin = reader.conventions.origin
    conditions: list[Condition] = []
    whole = isinstance(start, NumberNode) and start.text in ("0", "1")
    if origin is None:
        letter.first = origins.first(start, scope)
    if isinstance(start, NumberNode) and whole and origin in (None, int(start.text)):
        origin = int(start.text)
    elif isinstance(start, NumberNode) and start.text.isdigit() and origin is None:
        raise reader.fail(
            start,
            f"the index {letter.name} begins at {start.text}: is the first one number 0 or 1?",
            expected="indices counted from 0, or from 1",
            mend="declare <!-- symattn: indices from 1 -->",
        )
    elif isinstance(start, NumberNode) and int(start.text) < (origin or 0):
        raise reader.fail(
            start,
            f"the index {letter.name} begins at {start.text}, and indices count from {origin}",
            expected=f"{letter.name}={origin}",
            mend="look at the declaration of the first index",
        )
    else:
        origin = letter.first if origin is None else origin
        conditions.append(lambda r, s: _from(r, letter, start, 1 if origin is None else origin, s))
    early = start if isinstance(start, Addition) and _less(start) else None
    number: int | None = None
    if above is not None and _has_index(reader, above, scope):
        conditions.append(lambda r, s: _up_to(r, first, above, whole, s))
    elif above is not None:
        size = size_expression(reader, above) + (1 - (1 if origin is None else origin))
        reader.sizes.reach(letter.size, size, above.at, f"the index {letter.name}")
        letter.last = size
        number = int(size) if size.is_Integer else None
        return _Range((letter,), tuple(conditions), number, (size, above.at), early)
    return _Range((letter,), tuple(conditions), number, early=early)


def _from(reader: Reader, letter: Letter, start: Node, origin: int, scope: Scope) -> Value:
    """[i ≤ j] of Σ_{j=i}^n; [n ≤ k] of Σ_{k=n}^{2n}, where n is a size."""
    names = {n.text for n in walk(start) if isinstance(n, Name)}
    if not names or not names <= reader.sizes.names - {*scope.letters}:
        return _compared(reader, "≤", start, Name(letter.at, letter.name), scope)
    place = Number(size_expression(reader, start) - origin)
    return Value(Compare("≤", Affine((), place), letter), {letter: (1, 0)})


def _less(start: Addition) -> bool:
    """True for i − 1."""
    return any(sign < 0 and isinstance(part, NumberNode) for sign, part in start.parts)


def _bears(term: Term, letter: Letter) -> bool:
    """A component in the term has the letter in a slot."""
    slots = (slot for one in refs(term) for slot in one.slots)
    items = (slot.items if isinstance(slot, Affine) else ((slot, 1),) for slot in slots)
    return any(x.real() is letter.real() for pairs in items for x, _ in pairs)


def _ends(reader: Reader, over: _Range, value: Value) -> list[Value]:
    r"""[k ≤ n − 1] for the k of \sum_{k=1}^{n-1} x_{k+1}, which runs along x and ends before it.

    A limit that is a name or a number is how long the axis is, where nothing says another length.
    """
    if over.last is None:
        return []
    (letter,), (size, at) = over.letters, over.last
    _along(reader, letter, value.term)
    if letter.size.root().value == size and not size.is_Add:
        reader.sizes.give(letter.size, size, at, f"the index {letter.name}")
        return []
    last = Affine((), Number(size - 1))
    return [Value(Compare("≤", letter, last), {letter: (1, 0)})]


def _along(reader: Reader, letter: Letter, term: Term) -> None:
    """A letter that stands in x_{k+1}, and in no slot alone, runs along x."""
    sizes, own = reader.sizes, letter.size
    if letter.last is None or any(s.root() is own.root() for s in sizes.slots.values()):
        return
    for one in refs(term):
        for k, slot in enumerate(one.slots):
            shift = shifted(slot, letter)
            axis = sizes.slot(one.name, k, letter.at) if shift else own
            if shift and axis.root().value == letter.last + shift:
                sizes.unite(axis, own, letter.at, f"the index {letter.name}")
                return


def shifted(slot: Slot, letter: Letter) -> int | None:
    """The 2 of x_{k+2}; None for what is no later component."""
    match slot:
        case Affine(((x, 1),), constant) if constant and x.real() is letter.real():
            shift = amount(constant)
            return int(shift) if shift is not None and shift.is_Integer and shift > 0 else None
    return None


def _up_to(reader: Reader, first: Name, above: Node, whole: bool, scope: Scope) -> Value:
    """[k ≤ n]; where Σ_{k=1}^n begins with the first one, k and n run equally far by default."""
    found = _compared(reader, "≤", first, above, scope)
    match found.term:
        case Compare(a=Letter() as one, b=Letter() as other) if whole:
            reader.sizes.prefixes.append((one.size, other.size, 0))
        case Compare(a=Letter() as one, b=Affine(((other, 1),), constant)) if whole and constant:
            more = amount(constant)
            if more is not None and more.is_Integer:
                reader.sizes.prefixes.append((one.size, other.size, int(more)))
        case Compare(a=Letter() as one):  # Σ_{j=1}^{n-i} of what has no j
            reader.sizes.unended.add(one.name)
    return found


def _has_index(reader: Reader, node: Node, scope: Scope) -> bool:
    """True for i and i − 1 as limits, where i is an index and no size."""
    return any(
        is_letter(n)
        and n.text not in reader.sizes.names | reader.names.counts | reader.names.declared
        and (n.text in scope.letters or reader.here.has_index(n.text))
        for n in walk(node)
    )


def _compared(reader: Reader, relation: str, a: Node, b: Node, scope: Scope) -> Value:
    one, two = reader.slot(a, scope), reader.slot(b, scope)
    free: Counts = {}
    count(free, one)
    count(free, two)
    return Value(origins.compared(relation, one, two), once(free))


def _neighbours(reader: Reader, below: Chain) -> Condition:
    """j ∈ N(i) as the factor N[i, j], which is 1 for neighbours and 0 for the others."""
    first, right = below.sides
    match right:
        case Product(parts=((_, Name() as name), ("", Group(bracket="(", items=items)))) if all(
            map(is_letter, items)
        ):
            reader.names.sets.add(name.text)
            return lambda r, s: r.tensor(name.text, (*items, first), right.at, s)
        case Scripted():
            found = component(right, reader.names, reader.here)
            if found is not None and found.slots and found.power is None:
                reader.names.sets.add(found.name)
                return lambda r, s: r.tensor(found.name, (*found.slots, first), right.at, s)
    raise reader.fail(
        right,
        "a sum over a set",
        expected=r"\sum_{j \in N(i)}",
        mend="name the set by a function of an index, or write a mask",
    )


def size_expression(reader: Reader, node: Node) -> sp.Expr:
    """A size such as n_k, 5 or 2n-1.  Raises ReadError for anything else."""
    match node:
        case NumberNode() if node.text.isdigit():
            return sp.Integer(node.text)
        case Name() | Scripted() | Accent():
            found = component(node, reader.names, reader.here)
            scripts = (
                [a for _, s in node.scripts for a in atoms(s)] if isinstance(node, Scripted) else []
            )
            if found is not None and found.power is None:
                names = [a.text for a in scripts if isinstance(a, Name | NumberNode)]
                stem = base_name(base_of(node))
                return sp.Symbol("_".join([stem or "", *names]), positive=True, integer=True)
        case Addition():
            return sp.Add(*(s * size_expression(reader, p) for s, p in node.parts))
        case Product() if all(op in ("", "·") for op, _ in node.parts):
            return sp.Mul(*(size_expression(reader, p) for _, p in node.parts))
        case Group(items=(inner,)) if node.bracket in BRACKETS:
            return size_expression(reader, inner)
    raise reader.fail(
        node, "this is not the size of an index", expected="n_k, 5 or n-1", mend="name the size"
    )


def limit(
    reader: Reader, sign: Symbol, scripts: tuple[tuple[str, Node], ...], rest: Parts, scope: Scope
) -> Value:
    below = next((s for mark, s in scripts if mark == "_"), None)
    match below:
        case Chain(sides=(Name() as variable, target), relations=(("→", _),)):
            pass
        case _:
            raise reader.fail(
                sign,
                "this limit has no variable",
                expected=r"\lim_{T \to 0}",
                mend=r"write \lim_{T \to 0}",
            )
    side = "+-"
    match target:
        case Scripted(base=base, scripts=(("^", Symbol(kind="operator", text="+" | "-" as mark)),)):
            target, side = base, mark
    if isinstance(target, Symbol) and target.kind == "infty":
        to, side = sp.oo, "+"
    else:
        read = reader.read(target, scope).term
        if not isinstance(read, Number):
            raise reader.fail(target, "a limit goes to a number", expected=r"0 or \infty")
        to = read.value
    value = _body(reader, rest, scope, sign, "lim")
    return replace(value, term=Limit(value.term, variable.text, to, side))
