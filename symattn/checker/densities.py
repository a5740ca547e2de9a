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
    Scripted,
    Symbol,
    base_of,
    sign_of,
    spelled,
    walk,
)
from ..syntax import define, partial, tensor, total
from .factors import (
    Parts,
    Untold,
    applications,
    everywhere,
    has_sign,
    integer,
    is_slope,
    joined,
    quotient,
    scripts_of,
    slope_along,
    square,
    upright,
)
from .masses import Env, Formulas, Masses, Value, number
from .outcome import Under, Variable, bound_parts, divergence, listed, mutual, one_law, variable


class Densities(Masses):
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
        if name in ("H", "I") and (self.said.entropies or one_law(call)):
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

    # ---------------------------------------------------------------------------------- averages

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

    def total(self, parts: Parts, k: int, env: Env) -> Value:
        """Σ_x, Σ_i and ∫ … dx, to the end of the product."""
        sign = parts[k][1]
        if has_sign(sign, "int"):
            inner, letters, body = dict(env), [], list[tuple[str, Node]]()
            if any(not everywhere(s) for s in scripts_of(sign)):
                raise Untold("an integral with limits")
            rest = [p for _, p in parts[k + 1 :]]
            by, kept = bound_parts(rest)
            signs = 1 + sum(has_sign(p, "int") for p in kept)
            if not by or signs > len(by):
                raise Untold("what an integral runs over")
            for v in by:
                inner[v.spelled] = self.letter(v.type)
                letters.append(inner[v.spelled])
            body = [
                ("", p) if op not in ("/",) else (op, p)
                for op, p in parts[k + 1 :]
                if p in kept and not has_sign(p, "int")
            ]
            if not body:
                raise Untold("an empty integral")
        else:
            inner, letters = self.over(sign, env)
            body = [*parts[k + 1 :]]
        return self.whole(self.product(body, inner), letters)

    def whole(self, value: Value, letters: Sequence[Any]) -> Value:
        return Value(value.axes, lambda *x: total(value.at(*x), *letters), value.turned)

    def over(self, sign: Node, env: Env) -> tuple[Env, list[Any]]:
        """What Σ runs over: outcomes, or an index up to its end."""
        scripts = dict(sign.scripts) if isinstance(sign, Scripted) else {}
        below, above = scripts.get("_"), scripts.get("^")
        inner, letters = dict(env), []
        for node in listed(below):
            first: Node | None = None
            plain = node
            if isinstance(node, Chain):
                if len(node.sides) != 2 or node.relations[0][0] not in ("=", "∈"):
                    raise Untold("a sum under a condition")
                plain, first = node.sides[0], node.sides[1]
                first = first if node.relations[0][0] == "=" else None
            v = variable(plain)
            if v is None:
                raise Untold("a sum over an expression")
            if v.type in self.bound and above is None and first is None:
                inner[v.spelled] = self.letter(v.type)
                letters.append(inner[v.spelled])
            elif isinstance(plain, Name) and v.spelled not in self.observed:
                letters.append(self.counted(plain.text))
                self.ranges(plain.text, first, above)
            else:
                raise Untold("a sum over an observation")
        if not letters:
            raise Untold("a sum over nothing")
        return inner, letters

    def ranges(self, letter: str, first: Node | None, last: Node | None) -> None:
        """Note the n of Σ_{i=1}^n, which is how many there are."""
        key = ("range", letter)
        said = spelled((first, last))
        if self.tables.setdefault(key, said) != said:
            raise Untold("two ranges of an index")
        if isinstance(last, Name) and isinstance(first, Number) and first.text in ("0", "1"):
            size = self.index[letter].upper + 1
            self.ends[last.text] = size - (1 if first.text == "0" else 0)

    def average(self, parts: Parts, k: int, env: Env) -> tuple[Value, int]:
        """𝔼, Var and Cov over the laws below the sign."""
        sign = parts[k][1]
        symbol = sign_of(sign)
        scripts = sign.scripts if isinstance(sign, Scripted) else ()
        if k + 1 >= len(parts) or [m for m, _ in scripts] not in (["_"],):
            raise Untold("an average over what is not said")
        under = Under.of(scripts[0][1], self.said, self.sides)
        if under is None:
            raise Untold("an average over what is not said")
        inner = dict(env)
        for v in under.outcomes:
            inner[v.spelled] = self.letter(v.type)
        letters = [inner[v.spelled] for v in under.outcomes]
        weight = sp.Integer(1)
        for name, items, given in under.laws:
            weight *= self.law(name, items, given, inner)
        scripts, group = (), parts[k + 1][1]
        if isinstance(group, Scripted) and isinstance(group.base, Group):
            scripts, group = group.scripts, group.base  # the square of an average
        if isinstance(group, Group) and group.bracket in "([{":
            end, items = k + 2, group.items
        else:
            end = self.reach(parts, k + 1)
            items = (joined(parts[k + 1 : end]),)
            if end < len(parts):
                raise Untold("how far an average reaches")

        def mean(value: Value) -> Value:
            return Value(
                value.axes, lambda *x: total(weight * value.at(*x), *letters), value.turned
            )

        before, self.moving = self.moving, _hangs(items, letters, inner)
        values = [self.read(item, inner) for item in items]
        self.moving = before
        if symbol is not None and symbol.text == "E" and len(values) == 1:
            return self.raised(mean(values[0]), scripts), end
        one, other = values[0], values[-1]
        if (
            len(values) != (2 if symbol is not None and symbol.text == "Cov" else 1)
            or one.rank
            or other.rank
        ):
            raise Untold("a covariance of vectors")
        apart = mean(self.times(one, other)).at() - mean(one).at() * mean(other).at()
        return self.raised(number(apart), scripts), end

    def divergence(self, one: Node, other: Node, env: Env) -> Any:
        """KL(q ‖ p) = Σ q log(q/p) over the outcomes of the first."""
        first, second = (Under.law(n, self.said, self.sides) for n in (one, other))
        if first is None or second is None:
            raise Untold("a divergence of what is not said")
        outcomes = [v for n in first[1] if (v := variable(n))]
        if {v.spelled for n in second[1] if (v := variable(n))} != {v.spelled for v in outcomes}:
            raise Untold("a divergence between laws of different things")
        inner = dict(env)
        for v in outcomes:
            inner[v.spelled] = self.letter(v.type)
        p, q = (self.law(*x, inner) for x in (first, second))
        return total(p * (sp.log(p) - sp.log(q)), *(inner[v.spelled] for v in outcomes))

    def entropy(self, call: Application, env: Env) -> Any:
        """H(X | Y) and I(X; Y | Z) of outcomes, H(q) of a law."""
        if (law := one_law(call)) is not None:
            found = Under.law(law, self.said, self.sides)
            if found is None or base_name(base_of(call.name)) != "H":
                raise Untold("an entropy of what is not said")
            outcomes = [v for n in found[1] if (v := variable(n))]
            inner = dict(env)
            for v in outcomes:
                inner[v.spelled] = self.letter(v.type)
            q = self.law(*found, inner)
            return -total(q * sp.log(q), *(inner[v.spelled] for v in outcomes))
        if env or (said := mutual(call)) is None:
            raise Untold("an entropy of what is not said")
        first, second, given = said
        name = Name(0, "Pr")

        def h(these: Sequence[Variable]) -> Any:
            if not these:
                return sp.Integer(0)
            inner = {v.spelled: self.letter(v.type) for v in these}
            kinds = sorted(self.capitals())
            q = self.mass(name, these, kinds, inner)
            return -total(q * sp.log(q), *inner.values())

        if second is None:
            return h([*first, *given]) - h(given)
        return h([*first, *given]) + h([*second, *given]) - h([*first, *second, *given]) - h(given)

    def capitals(self) -> set[str]:
        """The outcomes that entropies are of."""
        return {
            v.type
            for c in applications(self.sides)
            if base_name(base_of(c.name)) in ("H", "I") and (said := mutual(c)) is not None
            for vs in said
            for v in vs or ()
        }


def _hangs(items: Sequence[Node], letters: Sequence[Any], env: Env) -> bool:
    """True where an outcome of these letters is written in an expression."""
    own = {name for name, letter in env.items() if letter in letters}
    return any(spelled(n) in own for item in items for n in walk(item))


__all__ = ["Densities", "Formulas", "Untold", "Value"]
