"""What sums over outcomes: Σ and ∫, 𝔼 with Var and Cov, divergences and entropies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from ..read.applications import Application
from ..read.names import base_name
from ..read.tree import Chain, Group, Name, Node, Number, Scripted, base_of, sign_of, spelled, walk
from ..syntax import total
from .factors import Parts, Untold, applications, everywhere, has_sign, joined, scripts_of
from .masses import Env, Masses, Value, number
from .outcome import Under, Variable, bound_parts, listed, mutual, one_law, variable


class Averages(Masses):
    """The signs that sum, on top of the tables that they sum over."""

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
        if (law := one_law(call, self.said)) is not None:
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

    def product(self, parts: Parts, env: Env) -> Value:
        """Factors from left to right."""
        raise NotImplementedError

    def times(self, one: Value, other: Value) -> Value:
        """The product of two values."""
        raise NotImplementedError

    def raised(self, value: Value, scripts: Sequence[tuple[str, Node]]) -> Value:
        """A value under the scripts behind its bracket."""
        raise NotImplementedError

    def reach(self, parts: Parts, k: int) -> int:
        """Behind the one factor that starts here."""
        raise NotImplementedError


def _hangs(items: Sequence[Node], letters: Sequence[Any], env: Env) -> bool:
    """True where an outcome of these letters is written in an expression."""
    own = {name for name, letter in env.items() if letter in letters}
    return any(spelled(n) in own for item in items for n in walk(item))


__all__ = ["Averages"]
