r"""Formulas of sequences as SymPy expressions: x_t as what is put in, g_t as a function of t."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ..read.counted import called, inside, stepped
from ..read.sequences import CONSTANT, Rule
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
    listed,
    walk,
)
from ..read.tree import Symbol as Sign
from .partial_sums import Largest, Top, Unable

FUNCTIONS = frozenset(
    ["f", "g", "h", "u", "F", "G", "H", "T", "P", "phi", "psi", "varphi", "Phi", "Psi"]
)
_APPLIED: Mapping[str, Callable[[Any], Any]] = {
    **{"exp": sp.exp, "log": sp.log, "ln": sp.log, "factorial": sp.factorial},
    **{"sin": sp.sin, "cos": sp.cos, "sinh": sp.sinh, "cosh": sp.cosh},
}
_ROUNDS = {"floor": sp.floor, "ceil": sp.ceiling}
CONSTANTS: Mapping[str, Any] = {"e": sp.E, "pi": sp.pi}
_OVER: Mapping[str, Any] = {"sum": sp.Sum, "prod": sp.Product, "max": Top}


@dataclass
class Algebra:
    """Trees as SymPy: names that `state` knows are what it says of a step."""

    state: Mapping[str, Callable[[Any], Any]]
    commutes: bool
    moving: frozenset[str]  # other names with a step
    counted: frozenset[str]  # the T of Σ_{k=t}^T
    bound: dict[str, Any] = field(default_factory=dict)
    constants: Mapping[str, Node] = field(default_factory=dict)
    letters: frozenset[str] = frozenset()  # that stand above or below something
    factors: frozenset[str] = frozenset()  # the g of 1 - g_t, which g_t (x - y) is a product of

    def __call__(self, node: Node) -> Any:
        """The expression.  Raises Unable for what is not known here."""
        match node:
            case Number(text=text):
                return sp.Rational(text)
            case Name() | Accent():
                return self._name(node)
            case Sign(kind="infty"):
                return sp.oo
            case Group(bracket="(" | "[" | "{", items=(inner,)):
                return self(inner)
            case Addition(parts=parts):
                return sp.Add(*(sign * self(part) for sign, part in parts))
            case Fraction(top=top, bottom=bottom):
                return self(top) * self(bottom) ** -1
            case Root(body=body, degree=None):
                return sp.sqrt(self(body))
            case Product(parts=parts):
                return self._product(parts)
            case Scripted():
                return self._scripted(node)
        raise Unable(type(node).__name__)

    def _name(self, node: Node) -> Any:
        name = called(node)
        if getattr(node, "style", "") == "bold" and not self.state:
            raise Unable("a vector")
        if name in self.bound:
            return self.bound[name]
        if name in self.constants:
            others = {n: c for n, c in self.constants.items() if n != name}
            return replace(self, constants=others)(self.constants[name])
        if name == "I":
            return sp.S.One
        rate = name == "i" and "i" not in self.letters  # and no index, no root of -1 in e^{i t}
        if not name or name in self.state or (name in ("i", "d") and not rate):
            raise Unable(name)
        return CONSTANTS.get(name) or self._symbol(name)

    def _symbol(self, name: str) -> sp.Symbol:
        if name in self.counted:
            return sp.Symbol(name, integer=True, positive=True)
        if self.commutes or (name[:1].islower() and len(name) > 1):
            return sp.Symbol(name, nonzero=True)  # so that q^{t-i} is q^t q^{-i}
        return sp.Symbol(name, commutative=False)

    def _scripted(self, node: Scripted) -> Any:
        if isinstance(node.base, Sign):
            raise Unable(node.base.kind)
        name, script = stepped(node)
        if name and script is not None:
            at = self._step(script)
            if name in self.state:
                return self.state[name](at)
            if name in self.moving:
                return sp.Function(name, commutative=self.commutes)(at)
            return self._symbol(f"{name}_{at}")
        *rest, (sign, above) = node.scripts
        if sign != "^":
            raise Unable("scripts")
        base = Scripted(node.at, node.base, tuple(rest)) if rest else node.base
        if isinstance(above, Sign) and above.kind == "top":
            return transposed(self(base))
        if above == Name(above.at, "T") or isinstance(above, Sign | Group):
            raise Unable("a transpose, or the label (k)")
        return self(base) ** self(above)

    def _step(self, script: Node) -> Any:
        """What stands below a name: a number, a label, or letters that are known, and no list."""
        parts = [part for _, part in script.parts] if isinstance(script, Addition) else [script]
        for part in parts:
            label = isinstance(part, Name) and (len(part.text) > 1 or part.text.isupper())
            known = isinstance(part, Name) and part.text in self.bound.keys() | self.counted
            if not (label or known or isinstance(part, Number)):
                raise Unable("an index")
        return self(script)

    def _product(self, parts: tuple[tuple[str, Node], ...]) -> Any:
        found: Any = sp.S.One
        for k, (operator, part) in enumerate(parts):
            if operator not in ("", "·", "/"):
                raise Unable(operator)
            behind = Product(part.at, parts[k + 1 :])
            if isinstance(part, Scripted) and isinstance(part.base, Sign):
                return found * self._over(part, behind)
            if isinstance(part, Sign):
                return found * self._applied(part, behind)
            if isinstance(part, Name) and part.text in ("binom", *_ROUNDS):
                continue
            if k and (rounds := _ROUNDS.get(called(parts[k - 1][1]))) and isinstance(part, Group):
                found = found * rounds(*map(self, part.items))
                continue
            if (value := self._binomial(parts[k - 1][1] if k else part, part)) is not None:
                found = found * value
                continue
            if k and operator == "" and self._is_applied(parts[k - 1][1], part):
                raise Unable("a function")
            if k and operator == "" and parts[k - 1][0] == "/":
                raise Unable("a / b c")
            value = self(part)
            found = found / value if operator == "/" else found * value
        return found

    def _binomial(self, before: Node, part: Node) -> Any:
        """The n choose k of a bracket behind its name; None for any other factor."""
        if not (isinstance(before, Name) and before.text == "binom" and isinstance(part, Group)):
            return None
        return sp.binomial(*map(self, part.items))

    def _is_applied(self, before: Node, part: Node) -> bool:
        """True for f(x_n), f_n(x + h) and f(x, y); q (1 - a_n) is a product."""
        named = isinstance(before, Name | Accent | Scripted)
        if not named or not isinstance(part, Group) or part.bracket == "{":
            return False
        if part.bracket != "(":  # E[x_n]
            return True
        name = called(before.base if isinstance(before, Scripted) else before)
        if name in self.state or name in self.factors:
            return False
        return name in FUNCTIONS or len(part.items) > 1 or not isinstance(part.items[0], Addition)

    def _applied(self, sign: Sign, behind: Product) -> Any:
        """The exponential, logarithm or maximum of what stands in brackets, or alone."""
        (operator, first), *rest = behind.parts or (("", Product(sign.at, ())),)
        bracket = isinstance(first, Group)
        angle = not any(isinstance(x, Sign) for _, x in rest) and any(
            called(x) == "pi" for _, x in (("", first), *rest)
        )
        if sign.kind != "function" or operator or (rest and not (bracket or angle)):
            raise Unable(sign.text)
        if not bracket and angle:  # cos n π, and nobody means (cos n) π
            first, rest = Product(sign.at, (("", first), *rest)), []
        items = [self(x) for x in listed(first)]
        if sign.text == "max" and len(items) > 1 and self.commutes:
            value = Largest(*items)
        elif sign.text in _APPLIED and len(items) == 1 and self.commutes:
            value = _APPLIED[sign.text](*items)
        else:
            raise Unable(sign.text)
        return value * self._product(tuple(rest)) if rest else value

    def _over(self, sign: Scripted, body: Product) -> Any:
        """Σ, Π or a maximum of all that stands behind it."""
        ends = dict(sign.scripts)
        kind = getattr(sign.base, "kind", "")
        kind = getattr(sign.base, "text", "") if kind == "function" else kind
        first: Node
        last: Node
        match ends.get("_"), ends.get("^"):
            case Chain(sides=(Name(text=letter), first), relations=(("=", _),)), Node() as last:
                pass
            case Chain(sides=(Name(text=letter), last), relations=(("≤", _),)), None:
                first = Number(last.at, "1")
            case Chain(
                sides=(first, Name(text=letter), last), relations=(("≤", _), ("≤", _))
            ), None:
                pass
            case _:
                raise Unable("limits")
        if kind not in _OVER or not body.parts:
            raise Unable(kind)
        index, low, high = sp.Symbol(letter, integer=True), self(first), self(last)
        summed = replace(self, bound={**self.bound, letter: index})(body)
        return _OVER[kind](summed, (index, low, high))


def over(
    trees: Iterable[Node],
    state: Mapping[str, Callable[[Any], Any]],
    commutes: bool,
    bound: dict[str, Any],
    constants: Iterable[Rule] = (),
) -> Algebra:
    """What formulas are that stand beside one another, where rules say what constants are."""
    trees = list(trees)
    pairs = (inside(n) for tree in trees for n in walk(tree))
    moving = frozenset(x for x, script in pairs if script and not isinstance(script, Number))
    known = {r.name: r.right for r in constants if r.kind == CONSTANT}
    signs = (n for tree in trees for n in walk(tree) if isinstance(n, Scripted))
    scripts = (script for n in signs for _, script in n.scripts)
    letters = frozenset(n.text for x in scripts for n in walk(x) if isinstance(n, Name))
    return Algebra(state, commutes, moving, counting(trees), bound, known, letters, factors(trees))


def at_first(name: str, step: Any, commutes: bool) -> sp.Symbol:
    """x_0 as a name."""
    symbol = f"{name}_{step}"
    return sp.Symbol(symbol, nonzero=True) if commutes else sp.Symbol(symbol, commutative=False)


def factors(trees: Iterable[Node]) -> frozenset[str]:
    """The names that stand somewhere without a bracket behind them, with a step or as a factor."""
    nodes = [n for tree in trees for n in walk(tree)]
    pairs = (pair for n in nodes if isinstance(n, Product) for pair in pairwise(n.parts))
    before = {id(one) for (_, one), (op, two) in pairs if op == "" and isinstance(two, Group)}
    plain = (n for n in nodes if id(n) not in before and isinstance(n, Scripted))
    alone = (one for n in nodes if isinstance(n, Product) for _, one in n.parts)
    numbers = (one for one in alone if id(one) not in before and isinstance(one, Name | Accent))
    return frozenset([*(stepped(n)[0] for n in plain), *map(called, numbers)]) - {""}


def transposed(expr: Any) -> Any:
    """The transpose: that of a product is one of the transposes in the other order."""
    if expr.is_commutative:
        return expr
    if isinstance(expr, sp.Add | sp.Mul):
        return expr.func(*map(transposed, reversed(expr.args)))
    if isinstance(expr, sp.Sum):
        return sp.Sum(transposed(expr.function), *expr.limits)
    if isinstance(expr, sp.Pow):
        return transposed(expr.base) ** expr.exp
    if isinstance(expr, sp.Symbol | AppliedUndef):
        name = str(expr.func if isinstance(expr, AppliedUndef) else expr)
        name = name.removesuffix("^T") if name.endswith("^T") else f"{name}^T"
        if isinstance(expr, AppliedUndef):
            return sp.Function(name, commutative=False)(*expr.args)
        return sp.Symbol(name, commutative=False)
    raise Unable("a transpose")


def indices(trees: Iterable[Node]) -> frozenset[str]:
    """The letters that sums, products and maxima run over."""
    nodes = [n for tree in trees for n in walk(tree) if isinstance(n, Scripted)]
    limits = (s for n in nodes if isinstance(n.base, Sign) for mark, s in n.scripts if mark == "_")
    inner = (s.sides[1 if len(s.sides) == 3 else 0] for s in limits if isinstance(s, Chain))
    return frozenset(n.text for n in inner if isinstance(n, Name))


def counting(trees: Iterable[Node]) -> frozenset[str]:
    """The names at the ends of sums, and in steps with them: T of Σ_{k=t}^T and of x_{T-1}."""
    nodes = [n for tree in trees for n in walk(tree) if isinstance(n, Scripted)]
    ends = (s for n in nodes if isinstance(n.base, Sign) for _, s in n.scripts)
    return frozenset(called(n) for end in ends for n in walk(end) if isinstance(n, Name))


__all__ = ["CONSTANTS", "Algebra", "at_first", "counting", "indices", "over", "transposed"]
