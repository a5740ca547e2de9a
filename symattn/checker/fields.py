r"""Fields in space, component by component: \nabla \times (f A), \epsilon_{ijk} \partial_j A_k.

At a point the derivatives of smooth fields may have any values that are symmetric in their order.
So they are numbers of their own here, jets, and an equation holds for all fields just when it
holds for all jets: both sides are the same polynomial of them, in every component.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import product
from typing import Any

import sympy as sp

from ..read.names import atoms
from ..read.spatial import is_permutation, key
from ..read.tree import (
    Accent,
    Addition,
    Fraction,
    Group,
    Name,
    Node,
    Number,
    Product,
    Root,
    Scripted,
    Symbol,
    is_nabla,
    walk,
)
from .field_jets import TIME, Gradient, Jets, Norm, Untold, cross, dot, joined, number, plus, times
from .field_letters import (
    Env,
    bound,
    derivands,
    explicit,
    index,
    is_index,
    is_partial,
    labelled,
    twice,
)

AXES = {"x": 0, "y": 1, "z": 2, "t": TIME}
MOST = 4  # letters that a product sums over, three values each
Definitions = Mapping[str, tuple[tuple[str, ...], Node]]
_SIGNS = frozenset(["pi", "e", "i", "nabla", "Delta", "d"])
_FUNCTIONS = {"exp": sp.exp, "sin": sp.sin, "cos": sp.cos, "log": sp.log, "ln": sp.log}


@dataclass
class Fields(Jets):
    """The values of formulas in jets; `definitions` are put in."""

    definitions: Definitions = field(default_factory=dict)
    inside: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        super().__post_init__()
        indexed: dict[str, set[int]] = {}
        below = set[str]()
        for _, tree in self.said.formulas:
            for node in walk(tree):
                if isinstance(node, Scripted) and (name := key(node.base)) is not None:
                    letters = [a for m, s in node.scripts if m == "_" for a in atoms(s)]
                    if letters and all(map(is_index, letters)):
                        indexed.setdefault(name[0], set()).add(len(letters))
                        below |= {a.text for a in letters}  # type: ignore[attr-defined]
        self.indexed = indexed
        self.open = bool(below & self.said.exponents)  # x^i beside x_i
        derived = {x for _, tree in self.said.formulas for x in derivands(tree)}
        zeros = {x for _, tree in self.said.formulas for x in labelled(tree)}
        self.constants |= zeros - derived  # μ_0

    # ------------------------------------------------------------------------------------ values

    def __call__(self, node: Node, env: Env) -> Any:
        """A number, or the three components of a vector.  Raises Untold."""
        if self.open:
            raise Untold
        match node:
            case Number(text=text):
                return sp.Rational(text)
            case Name() | Accent():
                return self._name(node, (), env)
            case Group(bracket="(" | "[" | "{", items=(inner,)):
                return self(inner, env)
            case Addition(parts=parts):
                return reduce(plus, (times(sp.Integer(s), self(p, env)) for s, p in parts))
            case Scripted() | Fraction() if own := twice(node) - env.keys():
                return self._over(sorted(own), lambda inner: self(node, inner), env)
            case Fraction():
                return self._fraction(node, env)
            case Root(degree=None):
                return sp.sqrt(number(self(node.body, env)))
            case Scripted():
                return self._scripted(node, env)
            case Product():
                return self._summed(node, env)
        raise Untold

    def _name(self, node: Node, at: tuple[int, ...], env: Env) -> Any:
        found = key(node)
        if found is None:
            raise Untold
        name, bold = found
        if not bold and not at and name in _SIGNS:
            if name == "pi":
                return sp.pi
            raise Untold
        vector = bold or name in self.said.vectors
        ranks = self.indexed.get(name, set())
        length = name in self.said.bold and not bold and not at  # the A of a bold A
        if length and not (self.said.place and name == "r"):
            raise Untold
        if not at and not vector and ranks:
            raise Untold  # A beside A_i
        if len(at) > 1 and ranks - {len(at)}:
            raise Untold
        if self.said.place and name == "r":
            if bold or at:
                return self.place[at[0]] if at else self.place
            return self.radius
        if name == "x" and (vector or len(at) == 1) and name not in self.definitions:
            return self.place[at[0]] if at else self.place
        if name in AXES and not at and not vector:
            return (*self.place, self.time)[AXES[name]]
        if name in self.definitions and name not in self.inside:
            return self._defined(name, at, vector)
        if at or not vector:
            return self.jet(name, at)
        return tuple(self.jet(name, (k,)) for k in range(3))

    def _defined(self, name: str, at: tuple[int, ...], vector: bool) -> Any:
        letters, body = self.definitions[name]
        before, self.inside = self.inside, self.inside | {name}
        try:
            if letters:
                if len(at) == len(letters):
                    return self(body, dict(zip(letters, at, strict=True)))
                if vector and len(letters) == 1 and not at:
                    return tuple(self(body, {letters[0]: k}) for k in range(3))
                raise Untold
            value = self(body, {})
            if not at:
                return value
            if len(at) == 1 and isinstance(value, tuple):
                return value[at[0]]
        finally:
            self.inside = before
        raise Untold

    def _scripted(self, node: Scripted, env: Env) -> Any:
        if is_permutation(node):
            i, j, k = (index(a, env) for a in atoms(node.scripts[0][1]))
            return sp.Integer((j - i) * (k - i) * (k - j) // 2)
        base, at, power = node.base, list[int](), None
        label = ""
        for mark, script in node.scripts:
            if mark == "^" and isinstance(script, Number) and power is None:
                power = sp.Rational(script.text)
            elif mark == "^" and power is None:
                power = number(self(script, env))
                varies = {self.jets[x][0] for x in power.free_symbols if x in self.jets}
                if varies - self.constants or power.free_symbols - self.jets.keys():
                    raise Untold
            elif mark == "_" and self._counts_components(base, inside := atoms(script)):
                at += [index(a, env) for a in inside]
            elif mark == "_":
                label += "_" + "".join(getattr(a, "text", "?") for a in atoms(script))
            else:
                raise Untold
        if "?" in label:
            raise Untold
        if power == 2 and not at and (own := key(base)) is not None and own[0] in self.said.bold:
            base = Name(base.at, own[0], "bold")  # A^2 is A·A
        value = self._based(base, label, tuple(at), env)
        if power is None:
            return value
        if isinstance(value, tuple):
            if power != 2:
                raise Untold
            return dot(value, value)
        return value**power

    def _counts_components(self, base: Node, inside: Sequence[Node]) -> bool:
        """True for A_i, and A_1 of a light vector; the 1 of q_1 and of a bold A_1 is a label."""
        found = key(base)
        numbers = all(isinstance(a, Number) for a in inside)
        plainly = found is None or (found[0] in self.said.vectors and not found[1])
        plainly = plainly or len(inside) in self.indexed.get(found[0] if found else "", ())
        return all(map(is_index, inside)) and (plainly or not numbers)

    def _based(self, base: Node, label: str, at: tuple[int, ...], env: Env) -> Any:
        found = key(base)
        if found is not None:
            if found[0] == "delta" and len(at) == 2 and not label:
                return sp.Integer(at[0] == at[1])
            if label:
                inner = Name(base.at, found[0] + label, "bold" if found[1] else "")
                vector = found[1] or found[0] in self.said.vectors
                if vector and not at and not found[1]:
                    inner = Name(base.at, found[0] + label, "bold")
                return self._name(inner, at, env)
            return self._name(base, at, env)
        if isinstance(base, Group) and base.bracket == "|" and len(base.items) == 1 and not label:
            value = self(base.items[0], env)
            if isinstance(value, tuple):
                return Norm(value)
            raise Untold
        if label or not isinstance(base, Group):
            raise Untold
        value = self(base, env)
        if not at:
            return value
        if isinstance(value, tuple) and len(at) == 1:
            return value[at[0]]
        raise Untold

    def _fraction(self, node: Fraction, env: Env) -> Any:
        if (by := self._below(node.bottom, env)) is not None:
            top = node.top.parts if isinstance(node.top, Product) else (("", node.top),)
            first = top[0][1]
            if not is_partial(first) or not top[1:]:
                raise Untold
            rest = top[1][1] if len(top) == 2 else Product(node.at, top[1:])
            value = self(rest, env)
            for axis in by:
                value = self.along(value, axis)
            return value
        return times(1 / number(self(node.bottom, env)), self(node.top, env))

    def _below(self, node: Node, env: Env) -> list[int] | None:
        """The axes of ∂x ∂t below a bar; None for what is no derivative."""
        parts = [p for _, p in node.parts] if isinstance(node, Product) else [node]
        if not is_partial(parts[0]):
            return None
        if len(parts) % 2 or not all(map(is_partial, parts[::2])):
            raise Untold
        return [a for p in parts[1::2] for a in self._axis(p, env)]

    def _axis(self, node: Node, env: Env) -> list[int]:
        match node:
            case Name(text=text) if text in AXES:
                return [AXES[text]]
            case Scripted(base=inner, scripts=(("^", Number(text="2")),)):
                return 2 * self._axis(inner, env)
            case Scripted(base=Name(text="x" | "r"), scripts=(("_", letter), *more)):
                twice = more == [("^", Number(node.at, "2"))] if more else False
                if more and not (len(more) == 1 and getattr(more[0][1], "text", "") == "2"):
                    raise Untold
                return [index(letter, env)] * (2 if more else 1 + bool(twice))
        raise Untold

    # ---------------------------------------------------------------------------------- products

    def _summed(self, node: Product, env: Env) -> Any:
        """A product, over the letters that stand in it twice."""
        own, rest = explicit(node)
        letters = sorted(own | bound(node) - env.keys())
        if not letters:
            return self._product(rest, env)
        return self._over(letters, lambda inner: self._product(rest, inner), env)

    def _over(self, letters: Sequence[str], body: Callable[[Env], Any], env: Env) -> Any:
        """The sum over all values of letters."""
        if len(letters) > MOST:
            raise Untold
        rows = product(range(3), repeat=len(letters))
        return reduce(plus, (body({**env, **dict(zip(letters, r, strict=True))}) for r in rows))

    def _product(self, parts: Sequence[tuple[str, Node]], env: Env) -> Any:
        value: Any = None
        k = 0
        while k < len(parts):
            op, part = parts[k]
            functions, k = self._operators(parts, k, env)
            if functions:
                found, k = self._behind(functions, parts, k, env)
            elif isinstance(part, Symbol) and part.kind == "function":
                if k + 1 >= len(parts):
                    raise Untold
                given = parts[k + 1][1]
                if part.text in ("det", "tr"):
                    found = self._of_matrix(part.text, given)
                elif isinstance(given, Group):
                    found = self._applied(part.text, given.items, env)
                else:
                    raise Untold
                k += 2
            else:
                found = self(part, env)
                k += 1
            value = found if value is None else joined(value, op, found)
        return value

    def _behind(
        self, functions: list[Any], parts: Sequence[tuple[str, Node]], k: int, env: Env
    ) -> tuple[Any, int]:
        """The derivative of the next factor that varies, and what place follows on it."""
        steady: Any = sp.S.One
        while True:
            if k >= len(parts):
                raise Untold
            node = parts[k][1]
            more = k + 1 < len(parts) and parts[k + 1][0] == ""
            if not (more and self._is_steady(node, env)):
                break
            steady *= self(node, env)  # ∂_l ε_ijk ∂_j u_k
            others, k = self._operators(parts, k + 1, env)
            functions = [*functions, *others]
        if more and self._operator(parts[k + 1][1], env) is None:
            raise Untold  # ∂_i f g
        return times(steady, self._operand(node, functions, env)), k + 1

    def _is_steady(self, node: Node, env: Env) -> bool:
        """True for numbers, constants and ε_{ijk}."""
        if not isinstance(node, Name | Number | Scripted):
            return False
        value = self(node, env)
        moving = (*self.place, self.time, self.radius)
        return isinstance(value, sp.Expr) and not (self.varies(value) or value.has(*moving))

    def _operators(
        self, parts: Sequence[tuple[str, Node]], k: int, env: Env
    ) -> tuple[list[Any], int]:
        """The derivatives in a row from place k on, and where they end."""
        found: list[Any] = []
        while k < len(parts):
            one = self._operator(parts[k][1], env)
            if one is None or (found and parts[k][0] != ""):
                break
            found.append(one)
            k += 1
        return found, k

    def _operator(self, node: Node, env: Env) -> Any:
        """What takes the derivative of the next factor; None for no such thing."""
        match node:
            case Symbol(kind="nabla"):
                return self.gradient
            case Scripted(base=Symbol(kind="nabla"), scripts=(("^", Number(text="2")),)):
                return self.laplacian
            case Scripted(base=Symbol(kind="nabla" | "partial"), scripts=scripts):
                axes = self._signs(scripts, env)
                return lambda v: reduce(self.along, axes, v)
            case Fraction(top=top, bottom=bottom) if is_partial(top):
                by = self._below(bottom, env)
                return None if by is None else lambda v: reduce(self.along, by, v)
            case Group(bracket="(", items=(Product(parts=((_, along), ("·", sign))),)) if (
                isinstance(sign, Symbol) and sign.kind == "nabla"
            ):
                direction = self(along, env)
                if not isinstance(direction, tuple):
                    raise Untold
                return lambda v: self.directed(direction, v)
            case Group(bracket="{" | "(", items=(Product(parts=((_, sign), (_, args))),)) if (
                isinstance(sign, Symbol) and sign.text == "cross" and isinstance(args, Group)
            ):
                if is_nabla(args.items[-1]):
                    before = self(args.items[0], env)
                    return lambda v: cross(before, self.gradient(v))
        return None

    def _signs(self, scripts: Sequence[tuple[str, Node]], env: Env) -> list[int]:
        """The axes of ∂_i, ∂_t, ∂_{xx} and ∂_t^2."""
        times = 1
        axes: list[int] = []
        for mark, script in scripts:
            if mark == "^" and isinstance(script, Number):
                times = int(script.text)
            elif mark == "_" or mark == "^":
                for a in atoms(script):
                    plainly = isinstance(a, Name) and a.text in AXES and a.text not in env
                    axes.append(AXES[a.text] if plainly else index(a, env))  # type: ignore[attr-defined]
            else:
                raise Untold
        if times > 1 and len(axes) != 1:
            raise Untold
        return axes * times

    def _operand(self, node: Node, functions: Sequence[Any], env: Env) -> Any:
        match node:
            case Group(bracket="{", items=(Product(parts=((_, sign), (_, Group() as args))),)) if (
                isinstance(sign, Symbol) and sign.text == "cross" and not is_nabla(args.items[-1])
            ):
                first = self(args.items[0], env)
                if not isinstance(first, tuple):  # \nabla f \times A
                    return cross(self._chained(functions, first), self(args.items[1], env))
                raise Untold
        return self._chained(functions, self(node, env))

    def _chained(self, functions: Sequence[Any], value: Any) -> Any:
        for one in reversed(functions):
            value = one(value)
        return value

    def _applied(self, name: str, items: Sequence[Node], env: Env) -> Any:
        values = [self(x, env) for x in items if not is_nabla(x)]
        if len(values) < len(items):
            raise Untold
        if name == "cross" and len(values) == 2:
            return cross(*values)
        (value,) = values
        if name == "divergence" and isinstance(value, tuple):
            return sum(self.derived(x, k) for k, x in enumerate(value))
        if name == "divergence" and isinstance(value, Gradient):
            rows = value.rows
            return tuple(sum(self.derived(rows[k][i], k) for k in range(3)) for i in range(3))
        if name == "curl" and isinstance(value, tuple):
            return self.curl(value)
        if name in _FUNCTIONS:
            return _FUNCTIONS[name](number(value))
        raise Untold

    def _of_matrix(self, name: str, node: Node) -> Any:
        """The determinant or the trace of the matrix of the A_ij."""
        found = key(node)
        if found is None or self.indexed.get(found[0]) != {2}:
            raise Untold
        rows = [[self._name(node, (i, j), {}) for j in range(3)] for i in range(3)]
        matrix = sp.Matrix(rows)
        return matrix.det() if name == "det" else matrix.trace()


__all__ = ["Fields"]
