"""The text of what is read, written or compared at indices."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from .expressions import Expressions
from .layout import assignment
from .nodes import Node, shift
from .skewed import skew
from .text import ATOM, PRODUCT, SUM, TEST, Text


class Indexed(Expressions):
    """Grids of indices, comparisons of them, lookups, sums by place, and arrays without their ends
    or with zeros there."""

    def _range(self, node: Node) -> Text:
        return Text(f"{self.np}.arange({self.number(node.shape[0]).code})")

    def _arange(self, place: int, rank: int, node: Node) -> str:
        """The indices of one letter of a grid."""
        if place in self._at.get(node, ()):
            code = self[self._at[node][place]]
        else:
            code = f"{self.np}.arange({self.number(node.sizes[place]).code})"
        return _behind(code, rank - place - 1)

    def _same(self, place: int, axis: int, node: Node) -> str:
        """Every row of the array that is looked up."""
        code = f"{self.np}.arange({self._code[node.args[0]].inside(ATOM)}.shape[{axis}])"
        return _behind(code, len(node.shape) - place - 1)

    def _linear(
        self, items: Sequence[tuple[int, int]], const: sp.Expr, node: Node, rank: int
    ) -> Text:
        """Σ c·index + const over the grid of the first `rank` letters of the node."""
        code = ""
        for place, c in items:
            part = self._arange(place, rank, node)
            part = part if abs(c) == 1 else f"{abs(c)} * {part}"
            sign = "-" if c < 0 else "+"
            code += f" {sign} {part}" if code else (f"-{part}" if c < 0 else part)
        if const != 0 or not code:
            sign = "-" if const.could_extract_minus_sign() and code else "+"
            value = self.number(-const if sign == "-" else const).inside(PRODUCT)
            code += f" {sign} {value}" if code else value
        single = (len(items) == 1 and const == 0 and items[0][1] == 1) or not items
        return Text(code, ATOM if single else SUM)

    def _compare(self, node: Node) -> Text:
        items, const, modulus, *negated = node.data
        rank = len(node.shape)
        up = [(p, c) for p, c in items if c > 0]
        down = [(p, -c) for p, c in items if c < 0]
        plain = len(up) == len(down) == 1 and const == 0 and up[0][1] == down[0][1] == 1
        if plain and modulus is not None and node not in self._at:
            (left, _), (right, _) = up[0], down[0]
            size = node.sizes[left]
            if left < right and size == node.sizes[right] and not negated:
                return Text(f"{self.np}.eye({self.number(size).code}, dtype=bool)")
        equal = "!=" if negated else "=="
        if modulus not in (None, 0) and not plain:
            alone = next((p for p, c in items if abs(c) == 1 and node.sizes[p] == modulus), None)
            if alone is not None:  # a letter is equal to the others, and those alone wrap around
                c = dict(items)[alone]
                rest = [(p, -c * f) for p, f in items if p != alone]
                place = self._modular(rest, sp.expand(-c * const), modulus, node, rank)
                return Text(f"{self._arange(alone, rank, node)} {equal} {place.code}", TEST)
            whole = self._linear(items, const, node, rank).inside(ATOM)
            return Text(f"{whole} % {self.number(modulus).inside(ATOM)} {equal} 0", TEST)
        left_side = self._linear(up, const, node, rank)
        right_side = self._linear(down, sp.S.Zero, node, rank)
        operator = (">=" if not negated else "<") if modulus is None else equal
        return Text(f"{left_side.code} {operator} {right_side.code}", TEST)

    def _gather(self, node: Node) -> Text:
        moved = shift(node) if node not in self._at else None  # of rows along another axis
        if moved is not None:
            by = self.number(sp.expand(-moved.distance)).code
            code = f"np.roll({self[node.args[0]]}, {by}, axis={moved.axis})"
            if self.np == "jnp":  # whose own makes an array of each part
                self.helpers.add("rolled")
                code = f"rolled({self[node.args[0]]}, {by}, axis={moved.axis})"
            return Text(self.turned(Text(code), moved.letters).code)
        skewed = self._skewed(node) if self.np == "jnp" else None
        if skewed is not None:
            return skewed
        slots, fill = node.data
        parts = []
        source = node.args[0]
        for axis, (items, const, modulus) in enumerate(slots):
            if self._local.get(node) == axis:
                parts.append(Text(self._same(items[0][0], axis, node)))
                continue
            part = self._modular(items, const, modulus, node, len(node.shape))
            near, places_there = self._near_axis.get(node, (-1, node))
            if near == axis:  # what is looked up begins at the first place that is near
                part = Text(f"{part.inside(SUM)} - {self._first(places_there)}", SUM)
            parts.append(part)
        places = [self._place(p) for p in parts]
        array = self._code[source].inside(ATOM)
        if source.op in ("input", "product", "add", "arrange") and self.np == "jnp":
            # what is made of NumPy arrays by operators alone cannot be read at traced places
            array = f"jnp.asarray({self[source]})"
        if not fill:
            return Text(f"{array}[{', '.join(places)}]")
        if not all(sp.expand(size - 1).is_nonnegative for size in source.shape):
            self.helpers.add("entries")  # an axis may be empty
            return Text(f"entries({', '.join([array, *places])})")
        if self.np == "jnp":
            return Text(f'{array}.at[{", ".join(places)}].get(mode="fill", fill_value=0)')
        sizes = [self.number(size).inside(ATOM) for size in source.shape]
        inside = [
            f"({p} < {n})"
            for p, n, (items, _, m), size in zip(places, sizes, slots, source.shape, strict=True)
            if m != size
        ]
        if not inside:
            return Text(f"{array}[{', '.join(places)}]")
        bounded = ", ".join(f"{p} % {n}" for p, n in zip(places, sizes, strict=True))
        return Text(f"np.where({' & '.join(inside)}, {array}[{bounded}], 0)")

    def _skewed(self, node: Node) -> Text | None:
        """A lookup that moves with rows, which are those of the array; None for any other one."""
        found, at = skew(node), self._at.get(node, {})
        if found is None:
            return None
        row = found.letters.index(found.i)
        if found.i in at and self._local.get(node) != row:
            return None
        fill = node.data[1]
        i, j, const = found.first(fill)
        first = self.number(const).code if const != 0 else ""
        near, places = self._near_axis.get(node, (-1, node))
        terms = [(i, at.get(found.i)), (-1 if fill else j, at.get(found.j))]
        for sign, array in (*terms, (-1, places if near == found.axis else None)):
            if array is not None:
                plus = " + " if first else ""
                first += f"{' - ' if sign < 0 else plus}{self._first(array)}"
        length = self.number(node.sizes[found.j]).code
        if found.j in at:
            length = f"{self[at[found.j]]}.size"
        self.helpers.add("skewed")
        spread = ", spread=True" if fill else ""
        arguments = f"{row}, {found.axis}, {first or 0}, ({i}, {j}), {length}{spread}"
        return self.turned(Text(f"skewed({self[node.args[0]]}, {arguments})"), found.letters)

    def _first(self, places: Node) -> str:
        """The first of some places; 0 where there is none."""
        return f"{self._code[places].inside(ATOM)}[:1].sum()"

    def _modular(
        self,
        items: Sequence[tuple[int, int]],
        const: sp.Expr,
        modulus: sp.Expr,
        node: Node,
        rank: int,
    ) -> Text:
        """Σ c·index + const, modulo the axis size where it may be past the end."""
        text = self._linear(items, const, node, rank)
        low = const + sum(c * (node.sizes[p] - 1) for p, c in items if c < 0)
        high = const + sum(c * (node.sizes[p] - 1) for p, c in items if c > 0)
        if sp.expand(low).is_nonnegative and sp.expand(modulus - 1 - high).is_nonnegative:
            return text
        return Text(f"{text.inside(ATOM)} % {self.number(modulus).inside(ATOM)}", PRODUCT)

    def _crop(self, node: Node) -> Text:
        axes = [
            f"{a}:-{b}" if a and b else f":-{b}" if b else f"{a}:" if a else ":"
            for a, b in node.data[1]
        ]
        while axes[-1] == ":":
            axes.pop()
        return Text(f"{self._code[node.args[0]].inside(ATOM)}[{', '.join(axes)}]")

    def _pad(self, node: Node) -> Text:
        ends = [
            f"({axis - len(node.shape)}, {a}, {self.number(size).code})"
            for axis, ((a, b), size) in enumerate(zip(node.data[1], node.shape, strict=True))
            if a or b
        ]
        self.helpers.add("padded")
        return Text(f"padded({self[node.args[0]]}, {', '.join(ends)})")

    def _scatter(self, node: Node) -> Text:
        (letters,), (items, const, modulus) = node.data
        rank, every = len(node.shape), len(node.sizes)
        places = self._place(self._modular(items, const, modulus, node, every))
        # the axes of x as they are in the grid, where the place has none
        x = self.aligned(node.args[0], tuple(k - (k >= rank) for k in letters), every - 1, ATOM)
        self.helpers.add("scattered")
        return Text(f"scattered({places}, {x}, {self.number(modulus).code})")

    def _place(self, text: Text) -> str:
        """An index array, with a name of its own where it is computed."""
        if text.binds == ATOM:
            return text.code
        if text.code not in self._places:
            self._places[text.code] = self.names.fresh("offset")
            self.lines += assignment(self._places[text.code], text.code, self.indent)
        return self._places[text.code]


def _behind(code: str, axes: int) -> str:
    return code if not axes else f"{code}[:{', None' * axes}]"
