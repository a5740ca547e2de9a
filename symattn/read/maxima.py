r"""Maxima: \max_j x^j, \max(a, b), \min, and the condition j = \arg\max_k x^k."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from . import beyond, opaque, products, sums
from .names import atoms, is_letter
from .sizes import Letter
from .terms import MINUS_ONE, Largest, Mul, OneHot, Term
from .tree import (
    Chain,
    Name,
    Node,
    Product,
    Scripted,
    Symbol,
    base_of,
    listed,
    walk,
)
from .values import Counts, Scope, Value, count, once

if TYPE_CHECKING:
    from .elaborate import Reader


def largest(
    reader: Reader, sign: Symbol, below: Node | None, argument: Node, scope: Scope
) -> Value:
    """The largest (or smallest) over the letters below the sign, of a tensor, or of several."""
    if below is not None and reader.names.lenient and not _over_indices(reader, below):
        return beyond.extremum(reader, sign.text, sign, below, argument, scope)
    bound = [] if below is None else _letters(reader, sign, below)
    inside = scope.inner(bound)
    values = [reader.read(item, inside) for item in listed(argument)]
    for letter in bound:
        if not any(letter in {x.real() for x in v.free} for v in values):
            raise reader.fail(
                letter.at,
                f"the index {letter.name} does not occur in the argument",
                expected=f"an index of the argument of {sign.text}",
                mend="look at the subscript",
            )
    row, col, terms = products.aligned(reader, [(sign.at, v) for v in values])
    if len(values) == 1 and below is None:
        bound = list(values[0].axes)
        if not bound and reader.names.lenient:
            why = f"a {sign.text} over what is not said"
            return opaque.value(reader, sign.text, values, sign.at, why)
        if not bound:
            raise reader.fail(
                sign,
                f"{sign.text} of one number",
                expected=rf"\{sign.text}_j x^j, \{sign.text}(a, b), or the {sign.text} of a vector",
                mend=f"name the index below {sign.text}, or declare the shape of its argument",
            )
        row = col = None
    free: Counts = {x: (1, 0) for v in values for x in v.free if x.real() not in bound}
    if sign.text == "min":
        term: Term = _negative(Largest(tuple(bound), tuple(map(_negative, terms))))
    else:
        term = Largest(tuple(bound), tuple(terms))
    return Value(term, free, row, col)


def _over_indices(reader: Reader, below: Node) -> bool:
    """True for max_j, where j is an index in the statement; False for min_x f(x)."""
    if isinstance(below, Chain):
        return sums.ranged(reader, below) is not None
    found = atoms(below)
    return all(is_letter(a) and reader.here.has_index(a.text) for a in found)


def _negative(term: Term) -> Term:
    return Mul((MINUS_ONE, term))


def _letters(reader: Reader, sign: Symbol, below: Node) -> list[Letter]:
    letter = sums.ranged(reader, below)
    if letter is not None:
        return [letter]
    found = [] if isinstance(below, Chain) else atoms(below)
    if not found or not all(map(is_letter, found)):
        raise reader.fail(
            below,
            f"{sign.text} runs over the whole range of an index",
            expected=rf"\{sign.text}_j or \{sign.text}_{{i,j}}",
            mend="name the index alone; what is left out would count as minus infinity",
        )
    return [Letter(a.text, a.at) for a in found if isinstance(a, Name)]


# ----------------------------------------------------------------------------------------- argmax


def arguments(node: Node) -> tuple[Symbol, Node, Node] | None:
    r"""The sign, the index and the body of \arg\max_k x^k; None for anything else."""
    parts = node.parts if isinstance(node, Product) else ()
    signs = [base_of(p) for _, p in parts[:2]]
    words = [s.text if isinstance(s, Symbol) and s.kind == "function" else "" for s in signs]
    if words[:1] == ["arg"] and words[1:] in (["max"], ["min"]):
        place, body, words = parts[1][1], parts[2:], [f"arg{words[1]}"]
    elif words[:1] in (["argmax"], ["argmin"]):
        place, body = parts[0][1], parts[1:]
    else:
        return None
    scripts = place.scripts if isinstance(place, Scripted) else ()
    if len(scripts) != 1 or scripts[0][0] != "_" or not body:
        return None
    inside = Product(body[0][1].at, body) if len(body) > 1 else body[0][1]
    return Symbol(place.at, "function", words[0]), scripts[0][1], inside


def one_hot(reader: Reader, left: Node, right: Node, scope: Scope) -> Value | None:
    r"""[j = \arg\max_k x^k]: 1 at the first k of the largest x^k; None for other sides."""
    for side, other in ((right, left), (left, right)):
        found = arguments(side)
        if found is None:
            continue
        sign, below, body = found
        word = Symbol(sign.at, "function", sign.text.removeprefix("arg"))
        letters = _letters(reader, word, below)
        if len(letters) != 1:
            raise reader.fail(
                below, f"{sign.text} over several indices", expected="one", mend="name one index"
            )
        (letter,) = letters
        at = reader.slot(other, scope)
        value = reader.read(body, scope.inner(letters))
        if value.axes:
            raise reader.fail(body, f"{sign.text} of a matrix", mend="write its indices")
        if isinstance(at, Letter):
            reader.sizes.unite(at.size, letter.size, sign.at, f"the index {letter.name}")
        free = once({x: n for x, n in value.free.items() if x.real() is not letter})
        count(free, at)
        body_term = value.term if sign.text == "argmax" else _negative(value.term)
        return replace(Value(OneHot(at, letter, body_term)), free=free)
    return None


def misplaced(
    reader: Reader, sign: Symbol, below: Node | None, argument: Node, scope: Scope
) -> Value:
    r"""An \arg\max that is no condition: a quantity of its own.  Raises ReadError where strict."""
    inner = next((n for n in walk(argument) if isinstance(n, Symbol)), sign)
    word = "min" if "min" in (sign.text + inner.text) else "max"
    if reader.names.lenient and sign.text != "arg":
        return beyond.extremum(reader, sign.text, sign, below, argument, scope)
    raise reader.fail(
        sign,
        f"an arg{word} is an index, and no number",
        expected=rf"a condition, [j = \arg\{word}_k x^k]",
        mend=rf"write it as a condition: \mathbb{{1}}[j = \arg\{word}_k x^k]",
    )
