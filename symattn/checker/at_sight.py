"""What a side comes to at sight: arithmetic with numbers, arrays and letters, as it is written.

To read a side as a document tells what it means, and takes much longer than to see that its value
is another one than that of the left side.  So a value at sight may leave a candidate out, no more,
and is believed only where the author's own side, at sight, has the value that it was read with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

import mpmath
import numpy as np
import sympy as sp

from .. import primitives
from ..read.names import atoms, base_name
from ..read.side import Sides
from ..read.tree import (
    Accent,
    Addition,
    Chain,
    Fraction,
    Group,
    Name,
    Node,
    Number,
    Product,
    Root,
    Scripted,
    Star,
    Symbol,
    Times,
    children,
    walk,
)
from ..syntax import Definition
from .declarations import plainly
from .inside import bases, symbols
from .second import FAILURES, Second, Unable, differ, function
from .statements import Statement

Places = Mapping[str, int]
FIRST = (None, 1, 0)
Parts = Sequence[tuple[str, Node]]


class Nothing(Exception):
    """This is no number: x + A, an i that nothing counts, the root of a negative one."""


@lru_cache(maxsize=64)
def _sides(head: str) -> Sides:
    return Sides(head)


class AtSight:
    """The values of the sides of one statement, where a way gives its names their values."""

    def __init__(
        self,
        head: str,
        s: Statement,
        definitions: Iterable[Definition],
        way: Second,
        spots: Sequence[Places],
    ) -> None:
        self.sides, self.way = _sides(head), way
        free = [i for i in s.letters if all(str(i) in spot for spot in spots)]
        self.spots = [{str(i): spot[str(i)] for i in free} for spot in spots]
        self.lengths = [way.length(i.upper + 1) for i in free]
        every = (s.lhs, s.rhs, *(x for d in definitions for x in (d.lhs, d.expr)))
        known = {x for e in every for x in (*symbols(e), *bases(e))}
        arrays = {x for x in known if isinstance(x, sp.IndexedBase)}
        labels = {x.label for x in arrays}
        names = sorted((x for x in known - labels if isinstance(x, sp.Symbol)), key=str)
        self.known: dict[str, Any] = {}
        for x in (*sorted(arrays, key=str), *names):
            self.known.setdefault(plainly(str(getattr(x, "label", x)), s.whole), x)
        self.first: int | None = None  # the number of the first component, where one is written

    def trusts(self, latex: str, values: Sequence[Any]) -> bool:
        """The author's own side has these values at sight, too."""
        for self.first in FIRST:
            own = self.values(latex)
            if own is not None:
                return len(own) == len(values) and not any(map(differ, own, values))
        return False

    def values(self, latex: str) -> list[float] | None:
        """The values of a side at the spots, none of what is no formula; None where not seen."""
        tree = self.sides.tree(latex)
        if tree is None:
            return []
        try:
            return [_real(self._entry(self._value(tree, at), at)) for at in self.spots]
        except (Nothing, ZeroDivisionError):
            return []
        except (Unable, *FAILURES):
            return None

    def _entry(self, value: Any, at: Places) -> Any:
        """The component of a vector or matrix that the letters of the statement say."""
        if not isinstance(value, np.ndarray):
            return value
        axes = len(self.lengths)
        value = value.ravel() if axes < 2 and 1 in value.shape else value
        if value.shape != (tuple(self.lengths) or (1,)):
            raise Nothing
        return value[tuple(at.values()) or (0,)]

    def _value(self, node: Node, at: Places) -> Any:
        if open_ := self._repeated(node, at):
            return self._over(open_, node, at)
        match node:
            case Number():
                return mpmath.mpf(node.text)
            case Name() | Accent():
                return self._whole(base_name(node))
            case Scripted(base=Name(text="e"), scripts=(("^", power),)) if "e" not in self.known:
                return mpmath.exp(_scalar(self._value(power, at)))
            case Scripted():
                return self._scripted(node, at)
            case Group(bracket="(" | "[" | "{" | "." | "\\{", items=(body,)):
                return self._value(body, at)
            case Group(bracket="|", items=(body,)):
                return abs(_scalar(self._value(body, at)))
            case Group(bracket="‖", items=(body,)):
                return mpmath.sqrt(mpmath.fsum(x * x for x in _vector(self._value(body, at))))
            case Fraction(top=top, bottom=bottom):
                return self._value(top, at) / _scalar(self._value(bottom, at))
            case Root(body=body, degree=degree):
                n = mpmath.mpf(2) if degree is None else _scalar(self._value(degree, at))
                return mpmath.power(_scalar(self._value(body, at)), 1 / n)
            case Addition(parts=terms):
                return _sum([sign * self._value(term, at) for sign, term in terms])
            case Product(parts=parts):
                return self._product(parts, at)
        raise Unable(type(node).__name__)

    def _whole(self, name: str | None) -> Any:
        """A number, or a vector or matrix with all its components."""
        known = self.known.get(name or "")
        if known is None:
            raise Unable(f"no value of {name}")
        if isinstance(known, sp.Symbol):
            return self.way.value(known, {})
        array = self.way.tensor(known)
        if array.ndim > 2:
            raise Unable("more than two axes")
        return array.reshape(-1, 1) if array.ndim == 1 else array if array.ndim else array[()]

    def _scripted(self, node: Scripted, at: Places) -> Any:
        """x_i, x_{\\text{max}} and powers of them; the transpose and the inverse of a matrix."""
        below, above = _below(node), [s for sign, s in node.scripts if sign == "^"]
        if len(below) + len(above) < len(node.scripts) or isinstance(node.base, Symbol):
            raise Unable("scripts of another kind")
        value = self._called(node.base, below, at) if below else self._value(node.base, at)
        for script in above:
            value = self._raised(value, script, at)
        return value

    def _called(self, base: Node, below: Sequence[Node], at: Places) -> Any:
        name = base_name(base)
        labelled = "_".join([name or "", *(getattr(a, "text", "?") for a in below)])
        if labelled in self.known:
            return self._whole(labelled)
        known = self.known.get(name or "")
        if not isinstance(known, sp.IndexedBase):
            raise Unable(f"no value of {labelled}")
        array = self.way.tensor(known)
        place = tuple(self._place(a, at) for a in below)
        if len(place) == array.ndim and any(
            k >= n for k, n in zip(place, array.shape, strict=True)
        ):
            raise Nothing
        return array[place]

    def _place(self, slot: Node, at: Places) -> int:
        match slot:
            case Name(text=letter):
                if letter not in at:
                    raise Nothing
                return at[letter]
            case Number(text=digits) if self.first is not None and int(digits) >= self.first:
                return int(digits) - self.first
        raise Unable("a component of which place?")

    def _raised(self, value: Any, script: Node, at: Places) -> Any:
        if (isinstance(script, Symbol) and script.kind == "top") or _is_name(script, "T"):
            if not isinstance(value, np.ndarray):
                raise Nothing
            return value.T
        power = _scalar(self._value(script, at))
        if not isinstance(value, np.ndarray) or value.size == 1:
            return mpmath.power(_scalar(value), power)
        if value.shape[0] != value.shape[1] or power != int(power):
            raise Unable("a power of what?")
        if power < 0:
            inverse = mpmath.inverse(mpmath.matrix(value.tolist()))
            value = np.array(inverse.tolist(), dtype=object).reshape(value.shape)
        return np.linalg.matrix_power(value, abs(int(power)))

    def _product(self, parts: Parts, at: Places) -> Any:
        found, k = None, 0
        while k < len(parts):
            op, part = parts[k]
            sign = part.base if isinstance(part, Scripted) else part
            if isinstance(sign, Symbol) and sign.kind == "function":
                value, k = self._applied(part, sign.text, parts[k + 1 :], at), k + 2
            elif isinstance(sign, Symbol) and sign.kind == "sum":
                value, k = self._added_up(part, parts[k + 1 :], at), len(parts)
            else:
                value, k = self._value(part, at), k + 1
            found = value if found is None else _times(op, found, value)
        return found

    def _applied(self, part: Node, name: str, rest: Parts, at: Places) -> Any:
        """A function of what stands in brackets, or of the one thing behind it at the end."""
        (op, argument), *more = rest
        closed = isinstance(argument, Group) and argument.bracket in ("(", "[", "{")
        if op or not (closed or not more or more[0][0]) or _is_raised(argument):
            raise Unable("a function of what?")
        inside = self._value(argument, at)
        value = _trace(inside) if name == "tr" else _function(name)(_scalar(inside))
        scripts = part.scripts if isinstance(part, Scripted) else ()
        if any(sign != "^" for sign, _ in scripts):
            raise Unable("a label of a function")
        for _, script in scripts:
            power = _scalar(self._value(script, at))
            if power < 0:
                raise Unable("an inverse function")
            value = mpmath.power(value, power)
        return value

    def _added_up(self, sign: Node, rest: Parts, at: Places) -> Any:
        letters = [*_bound(sign)]
        scripts = sign.scripts if isinstance(sign, Scripted) else ()
        tops = [s for mark, s in scripts if mark == "^"]
        body = Product(sign.at, tuple(rest))
        whole = all(self._is_end(top, letters, body) for top in tops)
        if not letters or {*letters} & at.keys() or not whole:
            raise Unable("a sum from where to where?")
        return self._over(letters, body, at)

    def _is_end(self, top: Node, letters: Sequence[str], body: Node) -> bool:
        """The n of a sum up to n, which is how long the axis is along which its letter counts."""
        sizes = {str(self._axis(x, body)) for x in letters}
        return isinstance(top, Name) and sizes <= {top.text, f"n_{top.text}"}

    def _repeated(self, node: Node, at: Places) -> list[str]:
        """The letters that a term has twice and that nothing counts: those of x_i y_i."""
        bound = {*at}
        for n in walk(node) if isinstance(node, Product) else ():
            if isinstance(n, Scripted) and isinstance(n.base, Symbol):
                bound |= {*_bound(n)}
        return [x for x, count in self._counts(node).items() if count > 1 and x not in bound]

    def _counts(self, node: Node) -> Counter[str]:
        """How often letters stand in the factors of a term; those summed inside of one do not."""
        if isinstance(node, Scripted) and self._is_array(node.base):
            return Counter(a.text for a in _below(node) if isinstance(a, Name))
        parts = [{x for x, n in self._counts(c).items() if n == 1} for c in children(node)]
        if isinstance(node, Addition):
            return Counter(set[str]().union(*parts))
        return Counter(x for part in parts for x in part)

    def _is_array(self, base: Node) -> bool:
        return isinstance(self.known.get(base_name(base) or ""), sp.IndexedBase)

    def _over(self, letters: Sequence[str], body: Node, at: Places) -> Any:
        """The sum of what stands behind a Σ over all of the axes along which letters count."""
        places: list[dict[str, int]] = [{}]
        for x in letters:
            length = self.way.length(self._axis(x, body))
            places = [{**p, x: k} for p in places for k in range(length)]
        return _sum([self._value(body, {**at, **p}) for p in places])

    def _axis(self, letter: str, body: Node) -> Any:
        """The size of the axis along which a letter counts."""
        for node in walk(body):
            if isinstance(node, Scripted) and self._is_array(node.base):
                shape = self.known[base_name(node.base) or ""].shape
                for a, size in zip(_below(node), shape, strict=False):
                    if _is_name(a, letter):
                        return size
        raise Unable("a letter that counts nothing")


def _is_name(node: Node, text: str) -> bool:
    return isinstance(node, Name) and node.text == text


def _is_raised(node: Node) -> bool:
    """(x)^2, behind log: is it the logarithm that is squared?"""
    return isinstance(node, Scripted) and isinstance(node.base, Group)


def _below(node: Node) -> list[Node]:
    """What stands below a name, side by side."""
    scripts = node.scripts if isinstance(node, Scripted) else ()
    return [a for sign, s in scripts if sign == "_" for a in atoms(s)]


def _bound(sign: Node) -> Iterator[str]:
    """The letters of \\sum_{i, j} and of \\sum_{i = 1}."""
    for a in _below(sign):
        match a:
            case (
                Name(text=letter)
                | Chain(sides=(Name(text=letter), Number()), relations=(("=", _),))
            ):
                yield letter
            case _:
                raise Unable("a sum over what?")


def _scalar(value: Any) -> Any:
    """A number, which may be one as x⊤ y is."""
    if isinstance(value, np.ndarray):
        if value.size > 1:
            raise Unable("a number is asked for")
        return value.item()
    return value


def _real(value: Any) -> float:
    if not isinstance(value, mpmath.mpf) or not mpmath.isfinite(value):
        raise Nothing
    return float(value)


def _vector(value: Any) -> list[Any]:
    if not isinstance(value, np.ndarray) or 1 not in value.shape:
        raise Unable("a vector is asked for")
    return list(value.ravel())


def _trace(value: Any) -> Any:
    if not isinstance(value, np.ndarray) or value.shape[0] != value.shape[1]:
        raise Unable("the trace of what?")
    return mpmath.fsum(np.diagonal(value))


def _sum(terms: Sequence[Any]) -> Any:
    shapes = {getattr(t, "shape", ()) for t in terms}
    if len(shapes) > 1 and all(getattr(t, "size", 1) == 1 for t in terms):
        terms = [_scalar(t) for t in terms]
    elif len(shapes) > 1:
        raise Unable("1 of every component?") if () in shapes else Nothing
    return sum(terms[1:], terms[0])


def _times(op: str, a: Any, b: Any) -> Any:
    """a b; of two vectors with a dot between them their inner product."""
    if op == "/":
        return a / _scalar(b)
    if op == "∘" and getattr(a, "shape", ()) == getattr(b, "shape", ()):
        return a * b
    arrays = isinstance(a, np.ndarray) and isinstance(b, np.ndarray)
    if arrays and (op not in ("", "·") or isinstance(op, Times | Star)):
        raise Unable("a product of what?")
    if arrays and op == "·" and a.shape == b.shape and a.shape[1] == 1:
        a = a.T
    if arrays and a.shape[1] == b.shape[0]:
        return a @ b
    if arrays and a.size > 1 and b.size > 1:
        raise Unable("a product of what?")
    one, other = (_scalar(x) if getattr(x, "size", 1) == 1 else x for x in (a, b))
    return one * other


@cache
def _function(name: str) -> Any:
    if name not in primitives.names():
        raise Unable(f"no function of numbers: {name}")
    return function(primitives.by_name(name).function, 1)


__all__ = ["AtSight"]
