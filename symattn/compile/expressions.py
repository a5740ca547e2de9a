"""The text of numbers, and of arrays whose axes are moved to where others have them."""

from __future__ import annotations

import sympy as sp

from .names import Names
from .nodes import Letters, Node
from .text import ATOM, POWER, PRODUCT, SUM, Text

LARGEST = 2**31  # whole numbers from here on are written as floats: JAX has 32 bits for them
MODERATE = 2**8  # times a size of millions it is below that


class Expressions:
    """Writes what operands are; `_code` has their text."""

    np: str  # "jnp" or "np"
    names: Names
    sizes: dict[sp.Symbol, str]
    lines: list[str]
    indent: str
    helpers: set[str]
    _code: dict[Node, Text]
    _places: dict[str, str]
    _at: dict[Node, dict[int, Node]]  # the indices of letters of a grid that are given
    _local: dict[Node, int]  # the axis of a lookup that has the same rows
    _near_axis: dict[Node, tuple[int, Node]]  # and the one that is near them, with its places

    def __getitem__(self, node: Node) -> str:
        return self._code[node].code

    def closed(self, node: Node) -> bool:
        """The node's code needs no brackets before a dot."""
        return self._code[node].binds == ATOM

    def aligned(self, node: Node, letters: Letters, rank: int, least: int = SUM) -> str:
        """The operand with its axes where the result has them; `least` as in `Text.inside`."""
        text = self._code[node]
        if not letters:
            return text.inside(least)
        code = self.turned(text, letters)
        present = sorted(letters)
        first = present[0]
        if present == list(range(first, rank)):
            return code.inside(least)
        if present == list(range(first, first + len(present))):
            axes = "..., " + ", ".join(["None"] * (rank - first - len(present)))
            if len(present) == 1:
                axes = ":" + axes.removeprefix("...")
        else:
            axes = ", ".join(":" if k in present else "None" for k in range(first, rank))
        return f"{code.inside(ATOM)}[{axes}]"

    def turned(self, text: Text, letters: Letters) -> Text:
        """An array with its axes in the order of their letters."""
        order = tuple(sorted(range(len(letters)), key=lambda k: letters[k]))
        if order == tuple(range(len(letters))):
            return text
        if len(order) == 2:
            return Text(f"{text.inside(ATOM)}.T")
        return Text(f"{self.np}.transpose({text.code}, {order})")

    def power(self, node: Node, letters: Letters, rank: int, e: sp.Rational) -> Text:
        """x ** e, aligned."""
        if e == 1:
            text = self._code[node]
            aligned = self.aligned(node, letters, rank)
            return text if aligned == text.code else Text(aligned)
        if e == sp.Rational(1, 2):
            return Text(f"{self.np}.sqrt({self.aligned(node, letters, rank)})")
        base = self.aligned(node, letters, rank, ATOM)
        exponent = str(e) if e.q == 1 else f"({e.p} / {e.q})"
        close = base.replace(".", "").isidentifier() and e.q == 1
        return Text(f"{base}**{exponent}" if close else f"{base} ** {exponent}", POWER)

    def factor(self, value: sp.Expr) -> Text:
        """A number that multiplies or divides arrays: a float where sizes may make it too large for
        the whole numbers that JAX has, as in a mean over 50 000² pairs."""
        terms = [t.as_coeff_Mul() for t in sp.Add.make_args(sp.expand(value))]
        if all(_degree(rest) < 2 and abs(c) < MODERATE for c, rest in terms if rest != 1):
            return self.number(value)
        return Text(f"1.0 * {self.number(value).inside(PRODUCT)}", PRODUCT)

    def number(self, value: sp.Expr) -> Text:
        """A number made of sizes, as Python."""
        if value.is_Symbol:
            return Text(self.sizes[value])
        c, rest = value.as_coeff_Mul()
        if c.is_Rational and max(abs(c.p), c.q) >= LARGEST:
            digits = Text(repr(float(c)), ATOM if c >= 0 else PRODUCT)
            scaled = f"{digits.code} * {self.number(rest).inside(PRODUCT)}"
            return digits if rest == 1 else Text(scaled, PRODUCT)
        if value.is_Integer:
            return Text(str(value), ATOM if value >= 0 else PRODUCT)
        if value.is_Rational:
            return Text(f"{value.p} / {value.q}", PRODUCT)
        if value is sp.pi or value is sp.E:
            return Text(f"{self.np}.{'pi' if value is sp.pi else 'e'}")
        if value.is_Add:
            parts = [self.number(a).inside(SUM) for a in value.as_ordered_terms()]
            return Text(" + ".join(parts).replace("+ -", "- "), SUM)
        if c == -1:
            return Text(f"-{self.number(rest).inside(PRODUCT)}", PRODUCT)
        if value.is_Mul:
            top, bottom = sp.fraction(value)
            product = " * ".join(self.number(a).inside(PRODUCT) for a in sp.Mul.make_args(top))
            if bottom != 1:
                product += f" / {self.number(bottom).inside(POWER)}"
            return Text(product, PRODUCT)
        if value.is_Pow:
            base = self.number(value.base).inside(ATOM)
            exponent = value.exp
            if self.np == "jnp" and not exponent.is_integer and value.base.free_symbols:
                # by JAX, which has roots of sizes that jax.export leaves open
                size, power = self.number(value.base).code, self.number(exponent).code
                root = exponent == sp.Rational(1, 2)
                return Text(f"jnp.sqrt({size})" if root else f"jnp.power({size}, {power})")
            if exponent.is_Rational and 2**10 % exponent.q == 0:
                power = str(exponent) if exponent.q == 1 else repr(float(exponent))
                simple = base.isidentifier() or base.isdigit()
                return Text(f"{base}**{power}" if simple else f"{base} ** {power}", POWER)
            return Text(f"{base} ** {self.number(exponent).inside(ATOM)}", POWER)
        return Text(repr(float(value)))


def _degree(value: sp.Expr) -> sp.Expr:
    """How many sizes are multiplied."""
    return sum((x.as_base_exp()[1] for x in sp.Mul.make_args(value)), sp.S.Zero)
