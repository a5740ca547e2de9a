r"""Formulas of laws as index expressions: an average is a sum over one outcome with its law.

𝔼_{x ∼ p}[f(x)], ∫ p(x) f(x) dx and Σ_x p(x) f(x) are one sum.  What holds for tables of every
size (`masses`), by the laws of sums alone, holds for densities.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sympy as sp

from ..read.applications import Application, application
from ..read.names import base_name
from ..read.outcomes import divergence
from ..read.tree import (
    Accent,
    Addition,
    Fraction,
    Group,
    Name,
    Node,
    Number,
    Product,
    Scripted,
    Symbol,
    base_of,
    sign_of,
    spelled,
)
from ..syntax import define, partial, tensor, total
from .expectations import Averages
from .factors import (
    Parts,
    Untold,
    has_sign,
    integer,
    is_slope,
    joined,
    quotient,
    slope_along,
    square,
    upright,
)
from .masses import Env, Formulas, Value, number
from .outcome import one_law, variable


class Densities(Averages):
    """The sides of an equation as index expressions, and the definitions that they rest on."""

    def read(self, node: Node, env: Env) -> Value:
        """The value of an expression.  Raises Untold."""
        match node:
            case Product():
                return self.product(node.parts, env)
            case Addition():
                return self.sum([(sign, self.read(p, env)) for sign, p in node.parts])
            case Fraction():
                if (of := quotient(node)) is not None:
                    return self.derivative(of[0], of[1], env)
                below = self.read(node.bottom, env)
                return self.times(self.read(node.top, env), self.power(below, -1))
            case Number():
                return number(sp.Rational(node.text))
            case Group(bracket="(" | "[" | "{", items=(inner,)):
                return self.read(inner, env)
            case Scripted(base=Group(bracket="(" | "[" | "{", items=(inner,)), scripts=scripts):
                return self.raised(self.read(inner, env), scripts)
            case Name() | Accent() | Scripted():
                return self.name(node, env)
        raise Untold(type(node).__name__)

    def raised(self, value: Value, scripts: Sequence[tuple[str, Node]]) -> Value:
        """A value under the scripts behind its bracket."""
        for mark, script in scripts:
            while isinstance(script, Group) and script.bracket == "{" and len(script.items) == 1:
                script = script.items[0]
            if mark == "^" and script in (Symbol(script.at, "top"), Name(script.at, "T")):
                value = Value(
                    value.axes[::-1], lambda *x, v=value: v.at(*x[::-1]), not value.turned
                )
            elif mark == "^" and (n := integer(script)) is not None:
                value = self.power(value, n)
            else:
                raise Untold("a script behind brackets")
        return value

    def power(self, value: Value, n: int) -> Value:
        if value.rank:
            raise Untold("a power of a vector")
        return number(value.at() ** n)

    def sum(self, terms: Sequence[tuple[int, Value]]) -> Value:
        """Terms of one shape added; 0 is of any."""
        kept = [(s, v) for s, v in terms if v.rank or v.at() != 0]
        if len({(v.axes, v.turned) for _, v in kept}) > 1:
            raise Untold("terms of several shapes")
        if not kept:
            return number(sp.Integer(0))
        first = kept[0][1]
        return Value(first.axes, lambda *x: sp.Add(*(s * v.at(*x) for s, v in kept)), first.turned)

    def times(self, one: Value, other: Value) -> Value:
        """The product: of numbers, with a vector, of a column with a row."""
        if not one.rank or not other.rank:
            whole = one if one.rank else other
            return Value(
                whole.axes,
                lambda *x: (
                    (one.at(*x) if one.rank else one.at())
                    * (other.at(*x) if other.rank else other.at())
                ),
                whole.turned,
            )
        if (one.rank, other.rank) == (1, 1) and other.turned and not one.turned:
            return Value((*one.axes, *other.axes), lambda a, b: one.at(a) * other.at(b))
        raise Untold("a product of vectors")

    def product(self, parts: Parts, env: Env) -> Value:
        """Factors from left to right; a Σ, an ∫ and a ∇ reach as far as they are written."""
        found = number(sp.Integer(1))
        k = 0
        while k < len(parts):
            op = parts[k][0]
            if op not in ("", "·", "/"):
                raise Untold(f"the operator {op}")
            value, k = self.factor(parts, k, env)
            found = self.times(found, self.power(value, -1) if op == "/" else value)
        return found

    def factor(self, parts: Parts, k: int, env: Env) -> tuple[Value, int]:
        """One factor with what belongs to it, and the place behind it."""
        sign = sign_of(parts[k][1])
        kind = sign.kind if sign is not None else ""
        along = slope_along(parts[k][1])
        if along is not None:
            end = self.reach(parts, k + 1)
            rest = parts[end:]
            if any(self.hangs(p) for _, p in rest) and not is_slope(rest[0][1]):
                raise Untold("how far a slope reaches")
            body, turned = upright(parts[k + 1 : end])
            value = self.derivative(along[0], body, env, along[1])
            return self.raised(value, turned), end
        if kind in ("sum", "int"):
            return self.total(parts, k, env), len(parts)
        if kind == "function" and sign is not None and sign.text in ("E", "Var", "Cov"):
            return self.average(parts, k, env)
        if kind == "function" and sign is not None and sign.text in ("log", "ln", "exp"):
            if isinstance(parts[k][1], Scripted):
                raise Untold("a logarithm with scripts")
            end = self.reach(parts, k + 1)
            plain = not isinstance(base_of(parts[k + 1][1]), Group | Fraction)
            if plain and any(self._is_law(parts, j) for j in range(end, len(parts))):
                raise Untold("how far a logarithm reaches")
            inside = parts[k + 1 : end]
            if sign.text == "exp":
                return self._scalar(self.read(joined(inside), env), sp.exp), end
            return number(self.logarithm(joined(inside), env)), end
        if sign is not None:
            raise Untold(f"the sign {sign.text or kind}")
        if (said := divergence(parts, k)) is not None:
            return number(self.divergence(said[0], said[1], env)), said[2]
        call = self.called(parts, k)
        if call is not None:
            return self.raised(
                number(self.call(call, parts[k : call.after], env)), call.scripts
            ), call.after
        return self.read(parts[k][1], env), k + 1

    def _scalar(self, value: Value, function: Callable[[Any], Any]) -> Value:
        if value.rank:
            raise Untold("a function of a vector")
        return number(function(value.at()))

    def logarithm(self, node: Node, env: Env) -> Any:
        """log of a product as a sum, so that log Π_i is Σ_i log."""
        match node:
            case Group(bracket="(" | "[" | "{", items=(inner,)):
                return self.logarithm(inner, env)
            case Fraction() if quotient(node) is None:
                return self.logarithm(node.top, env) - self.logarithm(node.bottom, env)
            case Product(parts=parts):
                k = next((k for k, (_, p) in enumerate(parts) if has_sign(p, "prod")), None)
                if k is not None and all(op in ("", "·") for op, _ in parts):
                    before = self.logarithm(joined(parts[:k]), env) if k else 0
                    under, letters = self.over(parts[k][1], env)
                    return before + total(self.logarithm(joined(parts[k + 1 :]), under), *letters)
        value = self.read(node, env)
        if value.rank:
            raise Untold("the logarithm of a vector")
        return sp.log(value.at())

    def reach(self, parts: Parts, k: int) -> int:
        """Behind the one factor that starts here, with all that belongs to it."""
        if k >= len(parts):
            raise Untold("nothing behind a sign")
        sign = sign_of(parts[k][1])
        if sign is not None and sign.kind in ("sum", "int", "prod"):
            return len(parts)
        if sign is not None:
            return self.reach(parts, k + 1)
        if (said := divergence(parts, k)) is not None:
            return said[2]
        call = self.called(parts, k)
        return call.after if call is not None else k + 1

    def _is_law(self, parts: Parts, k: int) -> bool:
        call = self.called(parts, k)
        return call is not None and base_name(base_of(call.name)) in self.said.laws

    def called(self, parts: Parts, k: int) -> Application | None:
        """The application at a factor; a name before a sum in brackets is a factor."""
        call = application(parts, k) or square(parts, k)
        if call is None:
            return None
        known = base_name(base_of(call.name)) in self.said.laws
        plainly = all(variable(n) is not None for n in (*call.items, *call.given))
        if not (known or plainly or call.given or len(call.items) > 1):
            inside = call.items[0]
            if isinstance(inside, Addition) or spelled(call.name) in self.outside:
                return None
        return call

    def call(self, call: Application, parts: Parts, env: Env) -> Any:
        name = base_name(base_of(call.name))
        if name in self.said.laws:
            return self.law(call.name, call.items, call.given, env)
        if name in ("H", "I") and (self.said.entropies or one_law(call, self.said)):
            return self.entropy(call, env)
        return self.opaque(
            Product(
                call.name.at,
                (("", call.name), ("", Group(0, "(", (*call.items, Group(0, "|", call.given))))),
            ),
            env,
        )

    def name(self, node: Node, env: Env) -> Value:
        """A name by itself: an outcome, an observation, a size or a constant."""
        if isinstance(node, Scripted):
            above = [(m, s) for m, s in node.scripts if m == "^"]
            top = above[0][1] if len(above) == 1 else None
            rest = tuple(x for x in node.scripts if x not in above)
            turned = top is not None and top in (Symbol(top.at, "top"), Name(top.at, "T"))
            if top is not None and (turned or integer(top) is not None):
                base: Node = Scripted(node.at, node.base, rest) if rest else node.base
                return self.raised(self.name(base, env), above)
        v = variable(node)
        if v is None:
            raise Untold("a name with scripts")
        text = node.text if isinstance(node, Name) else ""
        if text in self.ends:
            return number(self.ends[text])
        if text in self.index or text in self.slopes or text in ("e", "i"):
            raise Untold("an index as a number")
        if text == "pi" and "pi" not in self.said.laws:
            return number(sp.pi)
        own = self.of(v, env) if v.spelled in env or v.spelled in self.observed else None
        if own is None and v.spelled not in self.observed:
            constant = v.spelled in self.outside or text in self.said.constants
            constant = constant and text not in self.said.random
            constant = constant and (text in self.said.constants or self.moving)  # 𝔼[R] = R
            if (env and not constant) or v.type in self.bound:
                raise Untold("a name that may hang on the outcome")
            if v.spelled in self.said.heads and (env or self.slopes):
                raise Untold("a name that is defined")
            if self.slopes and text not in self.said.constants:
                raise Untold("a name that may hang on the parameter")
        if own is None:
            self.hidden(v, env)
        letters = [own] if own is not None else [*map(self.counted, sorted(v.letters))]
        key = ("value", v.type if own is not None else v.spelled)
        by = self.hangs(node)
        if v.spelled not in self.vectors:
            return number(self.table(key, letters, by, False))
        return Value(("axis",), lambda a: self.table(key, [*letters, a], by, False))

    def derivative(self, theta: Node, body: Node, env: Env, degree: int = 1) -> Value:
        """∇_θ of a number as a column, ∇_θ² as a matrix; ∂/∂θ_i as a number."""
        value = self.read(body, env)
        if value.rank:
            raise Untold("the slope of a vector")
        v = variable(theta)
        if v is None:
            raise Untold("a slope along an expression")
        expr, place = value.at(), self.slope(v.type)
        known = [*env.values(), *self.free.values(), *self.index.values()]
        own = tuple(dict.fromkeys(x for x in known if expr.has(x)))
        self.count += 1
        name = f"slope{self.count}"
        self.definitions.append(define(name, own, expr))
        shape = [x.upper + 1 for x in own]
        of = tensor(name, *shape)[own] if own else tensor(name)
        if v.letters and degree == 1:
            (k,) = v.letters
            along = self.free.setdefault(("component", k), self.letter(f"of_{v.type}"))
            return number(partial(of, place[along]))
        if degree == 1:
            return Value((f"of_{v.type}",), lambda a: partial(of, place[a]))
        if degree == 2:
            first = self.letter(f"of_{v.type}")
            inner = f"slope{self.count}_1"
            self.definitions.append(define(inner, (*own, first), partial(of, place[first])))
            twice = tensor(inner, *shape, first.upper + 1)
            return Value((f"of_{v.type}",) * 2, lambda a, b: partial(twice[(*own, a)], place[b]))
        raise Untold("a slope of higher order")


__all__ = ["Densities", "Formulas", "Untold", "Value"]
