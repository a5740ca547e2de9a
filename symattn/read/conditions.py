"""Conditions on indices and on values: cases, Iverson brackets; and an index as a number."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import sympy as sp

from . import maxima, products
from .names import is_letter
from .origins import apart, compared
from .sizes import Letter
from .source import ReadError
from .terms import MINUS_ONE, ONE, ZERO, Add, Affine, Call, Mul, Place, Ref, Slot, Term
from .terms import Number as Number_
from .tree import Addition, Cases, Chain, Group, Name, Node, Number, Product, Symbol, walk
from .values import Counts, Scope, Value, count, once

if TYPE_CHECKING:
    from .elaborate import Reader


def cases(reader: Reader, node: Cases, scope: Scope) -> Value:
    """Σ value·[condition], each row where no row before it holds."""
    rest: list[Term] = []
    parts: list[tuple[int, Term]] = []
    free: Counts = {}
    for value, condition in node.rows:
        read = _infinite(reader, value) or reader.read(value, scope)
        factors = [read.term, *rest]
        if condition is not None:
            said = mask(reader, condition, scope)
            if said.axes:
                raise reader.fail(condition, "a condition on a vector", mend="write its indices")
            factors += [said.term] if said.term not in rest else []
            rest.append(_otherwise(said.term))
            free |= once(said.free)
        free |= once(read.free)
        if read.axes:
            raise reader.fail(value, "a case is a matrix", mend="write its indices")
        if read.term != ZERO:
            parts.append((1, Mul(tuple(factors))))
    return Value(Add(tuple(parts)) if parts else ZERO, free)


def _infinite(reader: Reader, node: Node) -> Value | None:
    """−∞, what a mask holds where nothing is let through; None for anything else."""
    parts = node.parts if isinstance(node, Addition) else ((1, node),)
    match parts:
        case ((sign, Symbol(kind="infty")),) if reader.names.lenient:
            reader.names.tied["infinity"] = "infinite"
            return Value(Mul((Number_(sp.Integer(sign)), Ref("infinity"))))
    return None


def _otherwise(condition: Term) -> Term:
    """1 − [condition], c for 1 − c."""
    match condition:
        case Add(parts=((1, first), (-1, other))) if first == ONE:
            return other
    return Add(((1, ONE), (-1, condition)))


def mask(reader: Reader, node: Node, scope: Scope) -> Value:
    """[a ≤ b] of indices or of values; chains are "and"."""
    if isinstance(node, Group) and len(node.items) == 1:
        node = node.items[0]
    if not isinstance(node, Chain):
        raise reader.fail(
            node,
            "a condition is a comparison",
            expected=r"j \le i, or x_i > 0",
            mend="write a comparison such as j \\le i",
        )
    found: list[tuple[int, Value]] = []
    for k, (relation, at) in enumerate(node.relations):
        if relation not in ("=", "≤", "<", "≥", ">", "≠"):
            raise reader.fail(
                at,
                f"{relation} is not a comparison",
                expected=r"=, \ne, <, \le, > or \ge",
                mend="compare indices, or values",
            )
        sides = node.sides[k], node.sides[k + 1]
        hot = maxima.one_hot(reader, *sides, scope) if relation == "=" else None
        if hot is None:
            compared = _of_indices if _are_indices(reader, sides, scope) else _of_values
            hot = compared(reader, relation, at, sides, scope)
        found.append((at, hot))
    counts: Counts = {}
    for _, value in found:
        for letter, (up, down) in value.free.items():
            old = counts.get(letter, (0, 0))
            counts[letter] = (up + old[0], down + old[1])
    row, col, terms = products.aligned(reader, found)
    return Value(Mul(tuple(terms)) if len(terms) > 1 else terms[0], counts, row, col)


def _are_indices(reader: Reader, sides: tuple[Node, Node], scope: Scope) -> bool:
    """Sums of index letters, whole numbers and names without indices, a letter among them."""
    letters = names = 0
    for side in sides:
        for inner in walk(side):
            match inner:
                case Name() if is_letter(inner) and _is_index(reader, inner.text, scope):
                    letters += 1
                case Name():
                    names += inner.text not in reader.sizes.names
                case Product(parts=((_, Number()), (_, Name()))) | Addition() | Number() | Group():
                    pass
                case _:
                    return False
    return bool(letters) or not names


def _is_index(reader: Reader, letter: str, scope: Scope) -> bool:
    """True also for the j of ∂c_k/∂x_j = [j ≤ k], which stands once below a name with indices."""
    here, indexed = reader.here, reader.names.indexed
    below = (base for base, x in here.solo if x == letter)
    return letter in scope.letters or here.has_index(letter) or not indexed.isdisjoint(below)


def _of_indices(
    reader: Reader, relation: str, at: int, nodes: tuple[Node, Node], scope: Scope
) -> Value:
    if relation in (">", "≥"):
        relation, nodes = {">": "<", "≥": "≤"}[relation], (nodes[1], nodes[0])
    inner = _distance(nodes[0]) if relation in ("<", "≤") else None
    if inner is not None:
        back = Addition(at, tuple((-s, p) for s, p in _terms(inner)))
        found = [_of_indices(reader, relation, at, (x, nodes[1]), scope) for x in (inner, back)]
        return Value(Mul(tuple(v.term for v in found)), once(found[0].free))
    moved = None
    if relation in ("<", "≤") and _compares_a_number(reader, nodes, scope):
        moved = _apart(reader, nodes, scope)
    a, b = moved or [reader.slot(side, scope) for side in nodes]
    if (
        relation in ("=", "≠")
        and isinstance(a, Letter)
        and isinstance(b, Letter)
        and not apart(a, b)
    ):
        mark = reader.sizes.mark()
        try:
            reader.sizes.unite(a.size, b.size, at, f"the comparison of {a.name} and {b.name}")
        except ReadError:
            if relation == "=":
                raise
            reader.sizes.back(mark)  # i ≠ j of two ranges
    counts: Counts = {}
    for slot in (a, b):
        count(counts, slot)
    return Value(compared(relation, a, b), counts)


def _distance(node: Node) -> Node | None:
    """i − j of |i − j|."""
    match node:
        case Group(bracket="|", items=(inner,)):
            return inner
    return None


def _terms(node: Node) -> tuple[tuple[int, Node], ...]:
    if isinstance(node, Group) and node.bracket == "(" and len(node.items) == 1:
        node = node.items[0]
    return node.parts if isinstance(node, Addition) else ((1, node),)


def _apart(reader: Reader, nodes: tuple[Node, Node], scope: Scope) -> list[Slot] | None:
    """i and j + w of i − j < w, where a number or a scalar is compared with a difference.

    It is the same wherever indices are counted from.  None for any other comparison.
    """
    found: dict[int, list[Letter]] = {1: [], -1: []}
    rest: list[tuple[int, Term]] = []
    parts = [(k * s, p) for k, side in zip((1, -1), nodes, strict=True) for s, p in _terms(side)]
    for sign, part in parts:
        letter = _index(reader, part, scope)
        if letter is not None:
            found[sign].append(reader.letter(letter.text, letter.at, scope))
        elif any(_index(reader, n, scope) for n in walk(part)):  # 2 k
            return None
        else:
            rest.append((-sign, reader.read(part, scope).term))
    if [len(x) for x in found.values()] != [1, 1]:
        return None
    (a,), (b,) = found.values()
    return [a, Affine(((b, 1),), Add(tuple(rest)))]


def _compares_a_number(reader: Reader, nodes: tuple[Node, Node], scope: Scope) -> bool:
    """A side has no index, or a letter that is none stands in it, the w of i − w < j."""
    sides = [[p for _, p in _terms(node)] for node in nodes]
    none = [[p for p in side if _index(reader, p, scope) is None] for side in sides]
    return any(a == b for a, b in zip(none, sides, strict=True)) or any(
        is_letter(p) for side in none for p in side
    )


def _index(reader: Reader, node: Node, scope: Scope) -> Name | None:
    """The node where it is an index, in this statement."""
    own = isinstance(node, Name) and is_letter(node) and _is_index(reader, node.text, scope)
    return node if own and isinstance(node, Name) else None


def _of_values(
    reader: Reader, relation: str, at: int, nodes: tuple[Node, Node], scope: Scope
) -> Value:
    """[x ≥ y] = step(x − y), [x > y] = 1 − step(y − x); of vectors, component by component."""
    parts = tuple((s, n) for s, n in zip((1, -1), nodes, strict=True) if n != Number(n.at, "0"))
    gap = reader.read(Addition(at, parts) if parts else nodes[0], scope)
    up, down = Call("step", gap.term), Call("step", Mul((MINUS_ONE, gap.term)))
    whole: dict[str, Term] = {"≥": up, "≤": down, "=": Mul((up, down))}
    rest = {">": "≤", "<": "≥", "≠": "="}
    term = whole[relation] if relation in whole else _otherwise(whole[rest[relation]])
    return replace(gap, term=term, free=once(gap.free))


def number(reader: Reader, letter: Letter) -> Value:
    """The number of an index as the document counts; where that is not said, its first is open."""
    origin: Term = Number_(sp.Integer(reader.conventions.origin or letter.first or 0))
    if reader.conventions.origin is None and letter.first is None:
        origin = Ref("first_index")
        reader.names.tied["first_index"] = "where indices begin, which the text does not say"
    return Value(Add(((1, Place(letter)), (1, origin))), {letter: (1, 0)})
