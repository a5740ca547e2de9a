"""The text of every operation of a plan."""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from .. import primitives
from ..records import filled
from .indexed import Indexed
from .matmul import interleaved, leading
from .names import alphabet
from .nodes import BOOLEAN, FAR, FIXED, MOVING, NEAR, STRICT, Letters, Node, reachable
from .small import SHARE, SLOPE, SMALL
from .text import ATOM, POWER, PRODUCT, SUM, TEST, Text

# entry by entry
MADE = ("product", "add", "call", "maximum", "select", "choose", "weighed", "hazard", "small")


class Operations(Indexed):
    """Writes expressions; `_code` has those of the operands."""

    def _literal(self, node: Node) -> Text:
        return self.factor(node.data)

    def _product(self, node: Node) -> Text:
        places, (coefficient, exponents) = node.data
        rank = len(node.shape)
        masks: list[tuple[Node, Letters]] = []
        over: list[Text] = []
        under: list[Text] = []
        for arg, letters, e in zip(node.args, places, exponents, strict=True):
            if arg.op in BOOLEAN:
                masks.append((arg, letters))
                continue
            if e < -1 and e.q == 1 and any(n.op == "input" for n in reachable([arg])):
                # 1 / x**6 would have the derivative of a quotient, with x**12 in it
                over.append(self.power(arg, letters, rank, e))
            else:
                (over if e > 0 else under).append(self.power(arg, letters, rank, abs(e)))
        c_over, c_under = sp.fraction(coefficient)
        sign = "-" if c_over.could_extract_minus_sign() else ""
        c_over = -c_over if sign else c_over
        if c_under != 1:
            under.append(self.factor(c_under))
        if c_over != 1 or not (over or masks):
            over.insert(0, self.factor(c_over))
        elif not over and masks:
            over = [Text("1.0")]
        text = over[0]
        if len(over) > 1:
            text = Text(" * ".join(t.inside(PRODUCT) for t in over), PRODUCT)
        for t in under:
            text = Text(f"{text.inside(PRODUCT)} / {t.inside(POWER)}", PRODUCT)
        if sign:
            text = Text(f"-{text.inside(PRODUCT)}", PRODUCT)
        if masks:
            if text.code.isdigit():  # an array of whole numbers has no maximum of -inf
                text = Text(f"{text.code}.0")
            zero = "0.0" if text.code.replace(".", "").isdigit() else "0"
            text = Text(f"{self.np}.where({self._every(masks, rank)}, {text.code}, {zero})")
        return text

    def _every(self, masks: Iterable[tuple[Node, Letters]], rank: int) -> str:
        """All conditions."""
        masks = list(masks)
        least = ATOM if len(masks) > 1 else TEST
        return " & ".join(self.aligned(mask, letters, rank, least) for mask, letters in masks)

    def _add(self, node: Node) -> Text:
        places, coefficients = node.data
        rank = len(node.shape)
        code = ""
        for arg, letters, c in zip(node.args, places, coefficients, strict=True):
            sign = "-" if c.could_extract_minus_sign() else "+"
            c = -c if sign == "-" else c
            if arg.op in BOOLEAN:
                one = Text(f"{self.np}.where({self.aligned(arg, letters, rank)}, 1.0, 0.0)")
                part = one.code if c == 1 else f"{self.factor(c).inside(PRODUCT)} * {one.code}"
            elif c == 1:
                part = self.aligned(arg, letters, rank, PRODUCT)
            elif arg.op == "literal":
                part = self.factor(c * arg.data).inside(PRODUCT)
            else:
                # 1 / n * x would be no number in Python where n is 0
                over, under = sp.fraction(c) if c.free_symbols else (c, sp.S.One)
                part = self.aligned(arg, letters, rank, PRODUCT)
                if over != 1:
                    part = f"{self.factor(over).inside(PRODUCT)} * {part}"
                if under != 1:
                    part = f"{part} / {self.factor(under).inside(POWER)}"
            code += f" {sign} {part}" if code else (f"-{part}" if sign == "-" else part)
        return Text(code, SUM)

    def _einsum(self, node: Node) -> Text:
        places, _ = node.data
        rank = len(node.shape)
        if len(places) == 1 and len(set(places[0])) == len(places[0]):
            kept = [x for x in places[0] if x < rank]
            if kept == sorted(kept):
                return self._total(f"{self[node.args[0]]}{self._axes(places[0], rank)}")
        if summed_at_once(node):
            kept = [x for x in places[0] if x < rank]
            # A product that is summed at once needs no array, as a dot product of one would.
            made = any(arg.op in MADE for arg in node.args)
            if kept == sorted(kept) and (rank or (len(places[0]) > 1 and made)):
                first, *others = (self._code[arg].inside(PRODUCT) for arg in node.args)
                body = " * ".join((first, *others))
                if others == [first]:
                    body = f"{self._code[node.args[0]].inside(ATOM)}**2"
                return self._total(f"{body}{self._axes(places[0], rank)}")
        weighed = weighed_sum(node)
        if weighed is not None:
            return self._weighed_sum(node, *weighed)
        letters, function, args = alphabet(node.hints), "einsum", node.args
        if len(args) > 2:
            function = "contraction"
            self.helpers |= {"einsum", "matmul"} if self.np == "jnp" else {"einsum"}
        self.helpers.add(function)
        order = leading(node) if self.np == "jnp" else None
        if order is not None:
            function = "matmul"
            self.helpers.add(function)
        elif self.np == "jnp":
            order = interleaved(node)
        if order is not None:
            places, args = [places[k] for k in order], tuple(args[k] for k in order)
        inputs = ",".join("".join(letters[x] for x in place) for place in places)
        output = "".join(letters[:rank])
        operands = ", ".join(self[arg] for arg in args)
        return Text(f'{function}("{inputs}->{output}", {operands})')

    def _weighed_sum(self, node: Node, whole: int, other: int) -> Text:
        """A product that is summed; XLA makes no array of what is computed for it alone."""
        place, rank = node.data[0][whole], len(node.shape)
        beside = tuple(place.index(x) for x in node.data[0][other])
        factors = [
            self.aligned(node.args[other], beside, len(place), PRODUCT),
            self._code[node.args[whole]].inside(PRODUCT),
        ]
        return self._total(f"{' * '.join(factors)}{self._axes(place, rank)}")

    def _slide(self, node: Node) -> Text:
        (x, w), (spatial, windows, reach) = node.data
        letters = alphabet(node.hints)
        along = set(x) & set(w) & set(range(len(node.shape)))  # axes of both and of the result
        function = "windowed" if along else "slide"
        self.helpers |= {"edges", function}
        if along or self.np == "jnp":
            self.helpers |= {"windowed", "einsum"}
        if not along and self.np == "jnp":
            self.helpers.add("convolved")
        inputs = ",".join("".join(letters[k] for k in place) for place in (x, w))
        axes = ", ".join(f'"{"".join(letters[k] for k in place)}"' for place in (spatial, windows))
        output = "".join(letters[: len(node.shape)])
        operands = ", ".join(self[arg] for arg in node.args)
        if reach != "inside":
            operands += f', "{reach}"'
        if reach == "behind":
            counts = "".join(f"{self.number(node.sizes[k]).code}, " for k in spatial)
            operands += f", ({counts.removesuffix(' ' * (len(spatial) == 1))})"
        return Text(f'{function}("{inputs}->{output}", {axes}, {operands})')

    def _windows(self, node: Node) -> Text:
        places, along = node.data
        letters = alphabet(node.hints)
        self.helpers |= {"in_windows", "window_sums", "einsum"}
        inputs = ",".join("".join(letters[x] for x in place) for place in places)
        output = "".join(letters[: len(node.shape)])
        sizes = ", ".join(self.number(node.sizes[k]).code for k in along[:2])
        operands = ", ".join(self[arg] for arg in node.args)
        names = "".join(letters[k] for k in along)
        return Text(f'in_windows("{inputs}->{output}", "{names}", ({sizes}), {operands})')

    def _total(self, arguments: str) -> Text:
        self.helpers.add("total")
        return Text(f"total({arguments})")

    def _axes(self, place: Letters, rank: int) -> str:
        gone = [k - len(place) for k, x in enumerate(place) if x >= rank]
        if len(gone) == len(place):
            return ""
        return f", axis={gone[0]}" if len(gone) == 1 else f", axis={tuple(gone)}"

    def _call(self, node: Node) -> Text:
        record = primitives.by_name(node.data[1])
        if self.np == "jnp":
            template = record.jax
        else:
            template = record.numpy or record.jax.replace("jnp.", "np.")
        rank = len(node.shape)
        if len(node.args) == 1 and list(node.data[0][0]) == list(range(rank)):
            arguments = [self[node.args[0]]]
        else:
            places = zip(node.args, node.data[0], strict=True)
            arguments = [self.aligned(arg, letters, rank) for arg, letters in places]
        arguments = [self._real(node, argument) for argument in arguments]
        code = filled(template, tuple(arguments))
        called = code.endswith(")") and code.split("(")[0].replace(".", "").isidentifier()
        return Text(code, ATOM if called else SUM)

    def _real(self, node: Node, code: str) -> str:
        """An argument of an operation on real numbers; what is made of sizes alone is whole."""
        whole = not any(n.op == "input" for n in reachable(node.args))
        return f"{self.np}.asarray({code}, float)" if whole else code

    def _max(self, node: Node) -> Text:
        (place, *mask_places), kind = node.data
        rank = len(node.shape)
        axes = self._axes(place, rank)
        where = f", initial=-{self.np}.inf"  # of no entries, as of none that a mask leaves
        if mask_places:
            width = len(place)
            position = {x: k for k, x in enumerate(place)}
            moved = [tuple(position[x] for x in letters) for letters in mask_places]
            masks = self._every(zip(node.args[1:], moved, strict=True), width)
            where = f", where={masks}, initial=-{self.np}.inf"
        code = f"{self.np}.max({self._real(node, self[node.args[0]])}{axes}{where})"
        return Text(self._constant(code) if kind == FIXED else code)

    def _maximum(self, node: Node) -> Text:
        places, kind = node.data
        rank = len(node.shape)
        first, *others = (
            self.aligned(arg, letters, rank) for arg, letters in zip(node.args, places, strict=True)
        )
        for other in others:
            first = f"{self.np}.maximum({first}, {other})"
        return Text(self._constant(first) if kind == FIXED else first)

    def _cumsum(self, node: Node) -> Text:
        places, (axis, backwards, late) = node.data
        rank = len(node.shape)
        operands = [self.aligned(a, x, rank) for a, x in zip(node.args, places, strict=True)]
        if late == "before":
            operands[0] = self._later(operands[0], axis - rank, backwards)
        arguments = [*operands, str(axis - rank), *["True"] * backwards]
        name = "cumsum" if len(operands) == 1 else "faded"
        if late in (MOVING, STRICT):
            strict = ["strict=True"] * (late == STRICT)
            arguments = [*arguments[: len(operands) + 1], *["backwards=True"] * backwards, *strict]
            arguments.append("moving=True")
        self.helpers |= {name, "cumsum", "later"}
        code = f"{name}({', '.join(arguments)})"
        return Text(self._later(code, axis - rank, backwards) if late == "after" else code)

    def _ordered(self, node: Node) -> Text:
        places, (i, j, backwards, strict) = node.data
        letters = alphabet(node.hints)
        self.helpers |= {"ordered", "contraction", "einsum", "matmul", "cumsum", "later"}
        inputs = ",".join("".join(letters[x] for x in place) for place in places)
        operands = [self[arg] for arg in node.args]
        how = ["backwards=True"] * backwards + ["strict=True"] * strict
        pair, output = letters[i] + letters[j], "".join(letters[: len(node.shape)])
        return Text(f'ordered("{inputs}->{output}", "{pair}", {", ".join([*operands, *how])})')

    def _cummax(self, node: Node) -> Text:
        _, (axis, backwards, late) = node.data
        axis -= len(node.shape)
        self.helpers.add("reference")
        arguments = [self._real(node, self[node.args[0]]), str(axis), *["True"] * backwards]
        code = self._constant(f"reference({', '.join(arguments)})")
        return Text(self._later(code, axis, backwards, f"-{self.np}.inf") if late else code)

    def _later(self, code: str, axis: int, backwards: bool, first: str = "") -> str:
        """An array one place later, or earlier where it goes backwards."""
        self.helpers.add("later")
        ends = [f"backwards={backwards}"] * backwards + [f"first={first}"] * bool(first)
        return f"later({', '.join([code, str(axis), *ends])})"

    def _one_hot(self, node: Node) -> Text:
        _, axis = node.data
        rank = len(node.shape)
        place = self._arange(axis, rank, node)
        best = f"{self.np}.argmax({self[node.args[0]]}, axis={axis - rank}, keepdims=True)"
        return Text(f"{self.np}.where({place} == {best}, 1.0, 0.0)")

    def _constant(self, code: str) -> str:
        return f"jax.lax.stop_gradient({code})" if self.np == "jnp" else code

    def _select(self, node: Node) -> Text:
        (place, *mask_places), other = node.data
        rank = len(node.shape)
        masks = self._every(zip(node.args[1:], mask_places, strict=True), rank)
        value = self.aligned(node.args[0], place, rank)
        other = f"-{self.np}.inf" if other is None else other
        return Text(f"{self.np}.where({masks}, {value}, {other})")

    def _test(self, node: Node) -> Text:
        _, kind = node.data
        if kind == NEAR:
            self.helpers.add(FAR)
            return Text(f"~{FAR}({self[node.args[0]]})", ATOM)
        return Text(f"{self._code[node.args[0]].inside(SUM)} {kind} 0", TEST)

    def _choose(self, node: Node) -> Text:
        places, _ = node.data
        least = (TEST, SUM, SUM)
        parts = zip(node.args, places, least, strict=True)
        ways = ", ".join(self.aligned(a, x, len(node.shape), y) for a, x, y in parts)
        return Text(f"{self.np}.where({ways})")

    def _weighed(self, node: Node) -> Text:
        places, _ = node.data
        parts = zip(node.args, places, strict=True)
        self.helpers.add("grown")
        name = "weighed" if len(node.args) > 1 else "grown"
        return self._helped(name, *(self.aligned(a, x, len(node.shape)) for a, x in parts))

    def _hazard(self, node: Node) -> Text:
        ((place,), kind) = node.data
        self.helpers |= {"beyond", "hazard", "above"}
        return self._helped(kind or "hazard", self.aligned(node.args[0], place, len(node.shape)))

    def _small(self, node: Node) -> Text:
        places, kind = node.data
        self.helpers |= {SMALL, SLOPE, SHARE} if self.np == "jnp" else {kind, SLOPE}
        parts = zip(node.args, places, strict=True)
        return self._helped(kind, *(self.aligned(a, x, len(node.shape)) for a, x in parts))

    def _guard(self, node: Node) -> Text:
        x = self._code[node.args[0]].inside(ATOM)
        if node.data[1] == FAR:
            self.helpers.add(FAR)
            return Text(f"{self.np}.where({FAR}({x}), {x}, 1)")
        return Text(f"{self.np}.where({x} > 0, {x}, 1)")

    def _factor(self, node: Node) -> Text:
        return self._helped("cholesky", self[node.args[0]])

    def _inverse(self, node: Node) -> Text:
        return self._helped("inverse", self[node.args[0]], *self._by_factor(node.data[1]))

    def _det(self, node: Node) -> Text:
        return self._helped("determinant", self[node.args[0]], *self._by_factor(node.data[1]))

    def _logdet(self, node: Node) -> Text:
        return self._helped("logdet", self[node.args[0]], *self._by_factor(node.data[1]))

    def _solve(self, node: Node) -> Text:
        definite, turned = node.data[1]
        matrix, x = (self[arg] for arg in node.args)
        if turned:
            square = len(node.args[0].shape) == 2
            inner = self._code[node.args[0]].inside(ATOM)
            matrix = f"{inner}.T" if square else f"{self.np}.swapaxes({matrix}, -1, -2)"
        return self._helped("solve", matrix, x, *self._by_factor(definite))

    def _by_factor(self, definite: bool) -> list[str]:
        return ["factored=True"] if definite else []

    def _helped(self, name: str, *args: str) -> Text:
        """A call of a function that the module brings along."""
        self.helpers |= {name, "wide"}
        return Text(f"{name}({', '.join(args)})")

    def _arrange(self, node: Node) -> Text:
        (letters,), _ = node.data
        rank = len(node.shape)
        code = self.aligned(node.args[0], letters, rank)
        if len(letters) == rank:
            return Text(code)
        shape = ", ".join(self.number(s).code for s in node.shape)
        return Text(f"{self.np}.broadcast_to({code}, ({shape}{',' * (rank == 1)}))")


def weighed_sum(node: Node) -> tuple[int, int] | None:
    """Which operand of Σ_j w_ij x_ija has every letter, three or more, and which has fewer, where
    the first is computed entry by entry with nothing dear: a product of matrices it is not."""
    places, _ = node.data
    if len(places) != 2 or any(len(set(place)) < len(place) for place in places):
        return None
    for whole, other in ((0, 1), (1, 0)):
        kept = [x for x in places[whole] if x < len(node.shape)]
        if (
            node.args[whole].op in ("add", "product")
            and len(places[whole]) > 2
            and set(places[other]) < set(places[whole])
            and kept == sorted(kept)
            and len(kept) == len(node.shape)
        ):
            return whole, other
    return None


def summed_at_once(node: Node) -> bool:
    """A contraction of arrays with the same letters: a product that is summed."""
    places, _ = node.data
    alike = len(places) > 1 and len(set(places)) == 1
    return alike and len(set(places[0])) == len(places[0])
