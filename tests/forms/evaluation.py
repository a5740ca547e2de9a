"""Lines evaluated with numbers, in index and in matrix notation, from their LaTeX alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

from .latex import Node, indices

if TYPE_CHECKING:
    from .values import Values

ELEMENTWISE = {
    "\\exp": jnp.exp,
    "\\log": jnp.log,
    "\\tanh": jnp.tanh,
    "\\arctan": jnp.arctan,
    "\\cosh": jnp.cosh,
    "\\sinh": jnp.sinh,
    "\\coth": lambda x: 1 / jnp.tanh(x),
    "\\sin": jnp.sin,
    "\\cos": jnp.cos,
    "\\tan": jnp.tan,
    "\\sigma": jax.nn.sigmoid,
    "\\Gamma": lambda x: jnp.exp(jax.scipy.special.gammaln(x)),
    "\\psi": jax.scipy.special.digamma,
    "\\Phi": jax.scipy.stats.norm.cdf,
    "\\phi": jax.scipy.stats.norm.pdf,
    "erf": jax.scipy.special.erf,
    "sign": jnp.sign,
    "arcosh": jnp.arccosh,
    "ReLU": lambda x: jnp.maximum(x, 0.0),
    "softplus": jax.nn.softplus,
}
COMPARE = {
    "<": jnp.less,
    ">": jnp.greater,
    "\\le": jnp.less_equal,
    "\\ge": jnp.greater_equal,
    "=": jnp.equal,
    "\\neq": jnp.not_equal,
}


def name_of(node: Node) -> str | None:
    """x of x, x_bar of \\bar{x}."""
    if node[0] == "name":
        return str(node[1])
    if node[0] == "bar" and node[1][0] == "name":
        return f"{node[1][1]}_bar"
    return None


def _beside(mask: Any, x: Any) -> Any:
    """Nothing where the mask is 0, also of 1/0."""
    return jnp.where(mask > 0, x, 0.0)


class Index:
    """Index notation: a value is (letters, array with an axis for each)."""

    def __init__(self, values: Values, env: dict[str, Any], scope: Any, free: Any) -> None:
        self.v, self.env, self.scope, self.free = values, env, scope, tuple(free)
        self.masks: list[Any] = []  # of the sums around, \\sum_{j \\neq i}

    def size(self, letter: str) -> int:
        return self.v.size[self.v.find((self.scope, letter))]

    def array(self, tree: Node) -> Any:
        letters, x = self.ev(tree, frozenset(self.free))
        assert set(letters) <= set(self.free), f"{set(letters) - set(self.free)} is left over"
        return jnp.broadcast_to(
            self.spread((letters, x), self.free), tuple(self.size(i) for i in self.free)
        )

    def kept(self, value: Any) -> Any:
        """1 where a condition below a Σ around it does not hold, so that slopes are finite."""
        for letters, mask in self.masks:
            if {*letters} <= {*value[0]}:
                value = self.together(lambda m, x: jnp.where(m > 0, x, 1.0), (letters, mask), value)
        return value

    def spread(self, value: Any, letters: tuple[str, ...]) -> Any:
        own, x = value
        x = jnp.transpose(x, [own.index(i) for i in letters if i in own])
        return x.reshape(
            [x.shape[[j for j in letters if j in own].index(i)] if i in own else 1 for i in letters]
        )

    def together(self, f: Any, *values: Any) -> Any:
        letters = tuple(dict.fromkeys(i for own, _ in values for i in own))
        return letters, f(*(self.spread(v, letters) for v in values))

    def summed(self, value: Any, letters: Any) -> Any:
        own, x = value
        for i in letters:
            if i in own:
                x = x.sum(axis=own.index(i))
                own = tuple(j for j in own if j != i)
            else:
                x = x * self.size(i)
        return own, x

    def ev(self, node: Node, bound: frozenset[str]) -> Any:
        kind = node[0]
        if kind == "num":
            return (), jnp.float64(node[1])
        if kind in ("paren",):
            return self.ev(node[1], bound)
        if kind in ("name", "bar"):
            return self.component(node, ())
        if kind == "script":
            return self.script(node, bound)
        if kind in ("frac", "over"):
            above, below = (self.einstein(part, bound) for part in node[1:3])
            return self.together(jnp.divide, above, self.kept(below))
        if kind == "sqrt":
            letters, x = self.einstein(node[1], bound)
            return letters, jnp.sqrt(x)
        if kind == "abs":
            letters, x = self.einstein(node[1], bound)
            return letters, jnp.abs(x)
        if kind == "add":
            parts = [(s, self.einstein(t, bound)) for s, t in node[1]]
            parts = [(own, -x if s == "-" else x) for s, (own, x) in parts]
            return reduce(lambda a, b: self.together(jnp.add, a, b), parts)
        if kind == "prod":
            return self.einstein(node, bound)
        if kind == "call":
            if node[1] in ("\\max", "\\min"):
                f = jnp.maximum if node[1] == "\\max" else jnp.minimum
                return self.together(f, *(self.einstein(a, bound) for a in node[2]))
            if node[1] == "atan2":
                return self.together(jnp.arctan2, *(self.einstein(a, bound) for a in node[2]))
            if node[1] == "\\det":
                return (), jnp.linalg.det(Matrix(self.v, self.env).ev(node[2][0]))
            (argument,) = node[2]
            if node[1] == "\\log" and argument[0] == "call" and argument[1] == "\\det":
                return (), jnp.linalg.slogdet(Matrix(self.v, self.env).ev(argument[2][0]))[1]
            letters, x = self.einstein(argument, bound)
            letters, x = self.kept((letters, x)) if node[1] == "\\log" else (letters, x)
            return letters, ELEMENTWISE[node[1]](x)
        if kind in ("sum", "max"):
            head, mask = node[1], None
            if head[0] in ("prod", "list"):  # of several letters
                first, *others = head[1]
                rest = others[0] if len(others) == 1 else ("list", tuple(others))
                return self.ev((kind, first, node[2], (kind, rest, node[2], node[3])), bound)
            if head[0] == "rel" and head[1] != "=":
                mask = ("one", head)
            letter = head[2][1] if head[0] == "rel" else head[1]
            more = [head[3][1]] if mask and head[3][0] == "name" else []
            letters = {letter, *(i for i in more if i not in {*bound, *self.free})}  # of i < j both
            if mask is None:
                body = self.einstein(node[3], bound | letters)
            else:
                self.masks.append(self.ev(mask, bound | letters))
                body = self.together(
                    _beside, self.masks[-1], self.einstein(node[3], bound | letters)
                )
                self.masks.pop()
            if kind == "max":
                own, x = body
                return tuple(j for j in own if j != letter), x.max(axis=own.index(letter))
            return self.summed(body, letters)
        if kind == "norm":
            x = Matrix(self.v, self.env).ev(node[1])
            return (), jnp.sqrt(jnp.sum(x**2))
        if kind in ("one", "rel") or (kind == "bracket" and node[1][0] == "rel"):
            _, sign, a, b = node if kind == "rel" else node[1]
            letters, x = self.together(COMPARE[sign], self.ev(a, bound), self.ev(b, bound))
            return letters, x * 1.0
        if kind == "cases":
            (a, when), (b, _) = node[1]
            return self.together(
                lambda c, x, y: jnp.where(c > 0, x, y),
                self.ev(when, bound),
                self.einstein(a, bound),
                self.einstein(b, bound),
            )
        raise NotImplementedError(kind)

    def einstein(self, node: Node, bound: frozenset[str]) -> Any:
        """A term; letters that two of its factors bear and that nothing binds are summed."""
        if node[0] != "prod":
            return self.ev(node, bound)
        factors = [self.ev(f, bound) for f in node[1]]
        count = [i for own, _ in factors for i in own]
        twice = sorted({i for i in count if count.count(i) > 1} - bound)
        product = reduce(lambda a, b: self.together(jnp.multiply, a, b), factors)
        return self.summed(product, twice)

    def component(self, base: Node, slots: tuple[Node, ...]) -> Any:
        name = name_of(base)
        if base[0] == "paren":
            x = jnp.linalg.inv(self.env[name_of(base[1][1]) or ""])
        elif name == r"\pi" and name not in self.env:
            return (), jnp.pi
        elif name == "e" and name not in self.env:
            return (), jnp.e
        elif name == r"\delta" and name not in self.env:
            x = jnp.eye(self.size(slots[0][1]))
        elif name in self.env:
            x = self.env[name]
        else:  # a letter as a number
            return (name,), jnp.arange(self.size(name or "")) * 1.0
        assert x.ndim == len(slots), f"{name} has {x.ndim} indices"
        for axis, slot in enumerate(slots):
            if slot[0] == "add":
                return self.shifted(x, axis, slots)
        letters = tuple(s[1] for s in slots)
        assert len(set(letters)) == len(letters) or len(letters) == 2
        if len(letters) == 2 and letters[0] == letters[1]:
            return letters[:1], jnp.diagonal(x)
        return letters, x

    def shifted(self, x: Any, axis: int, slots: tuple[Node, ...]) -> Any:
        letters, at = self.ev(slots[axis], frozenset())
        at = at.astype(int)
        if any(t[0] == "num" for _, t in slots[axis][1]):  # i + 1 goes round
            own = [letters if k == axis else (s[1],) for k, s in enumerate(slots)]
            return sum(own, ()), jnp.take(x, at % x.shape[axis], axis)
        assert len(slots) == 1
        inside = (at >= 0) & (at < x.shape[axis])
        return letters, jnp.where(inside, x[jnp.clip(at, 0, x.shape[axis] - 1)], 0.0)

    def script(self, node: Node, bound: frozenset[str]) -> Any:
        _, base, below, above = node
        name = name_of(base)
        if name == "e" and name not in self.env:
            letters, x = self.einstein(above, bound)
            return letters, jnp.exp(x)
        rank = 0
        if (
            base[0] == "paren"
            and base[1][0] == "script"
            and base[1][3] == ("add", (("-", ("num", "1")),))
        ):
            rank = 2 if below is not None else 0
        elif name is not None and name in self.env:
            rank = self.env[name].ndim
        elif name == r"\delta":
            rank = 2
        slots = indices(below)
        power = above
        if base[0] == "norm":  # that of a matrix is that of its entries
            x = Matrix(self.v, self.env).ev(base[1])
            size = jnp.sum(jnp.abs(x)) if slots == (("num", "1"),) else jnp.sqrt(jnp.sum(x**2))
            return (), size if power is None else size ** self.ev(power, bound)[1]
        if above is not None and len(slots) < rank:
            slots, power = (*slots, *indices(above)), None
        value = self.component(base, slots) if rank or name else self.ev(base, bound)
        if power is None:
            return value
        return self.together(jnp.power, value, self.ev(power, bound))


@dataclass(frozen=True)
class Identity:
    """A multiple of the identity, as large as what it is added to."""

    times: Any


class Matrix:
    """Matrix notation: vectors are columns, scalars have no axes."""

    def __init__(self, values: Values, env: dict[str, Any], scope: Any = None) -> None:
        self.v, self.env, self.scope = values, env, scope

    def ev(self, node: Node) -> Any:
        kind = node[0]
        if kind == "num":
            return jnp.float64(node[1])
        if kind == "paren":
            return self.ev(node[1])
        if kind in ("name", "bar"):
            name = name_of(node) or ""
            if name == "\\mathbf{1}":
                return jnp.float64(1.0)
            if name == "I" and name not in self.env:
                return Identity(1.0)
            x = self.env[name]
            return x[:, None] if x.ndim == 1 else x
        if kind == "script":
            base, power = self.ev(node[1]), node[3]
            if node[1][0] == "norm" and node[2] == ("num", "1"):
                return jnp.sum(jnp.abs(self.ev(node[1][1])))
            if node[1][0] == "norm" and node[2] == ("name", "F"):
                return base**2 if power is not None else base
            assert node[2] is None, node
            if power == ("top",):
                return base.T
            if power == ("add", (("-", ("top",)),)):
                return jnp.linalg.inv(base).T
            if power == ("add", (("-", ("num", "1")),)) and base.ndim == 2:
                return jnp.linalg.inv(base)
            assert base.size == 1, "a power of a matrix"
            return base.reshape(()) ** self.ev(power)
        if kind in ("frac", "over"):
            below = self.ev(node[2])
            assert below.size == 1, "a matrix below a bar"
            return self.ev(node[1]) / below.reshape(())
        if kind == "sqrt":
            return jnp.sqrt(self.ev(node[1]))
        if kind == "norm":
            return jnp.sqrt(jnp.sum(self.ev(node[1]) ** 2))
        if kind == "abs":  # of a matrix its determinant
            x = self.ev(node[1])
            return jnp.linalg.det(x) if x.ndim == 2 else jnp.abs(x)
        if kind == "add":
            parts = [(s, self.ev(t)) for s, t in node[1]]
            shape = next((x.shape for _, x in parts if getattr(x, "ndim", 0) == 2), ())
            if len(shape) == 2 and shape[1] == 1:  # the sums of columns are a vector too
                turned = shape[::-1]
                parts = [(s, x.T if getattr(x, "shape", ()) == turned else x) for s, x in parts]
            total: Any = 0.0
            for s, x in parts:
                if isinstance(x, Identity):
                    x = jnp.eye(shape[0]) * x.times
                total = total - x if s == "-" else total + x
            return total
        if kind == "circ":
            return reduce(jnp.multiply, [self.ev(f) for f in node[1]])
        if kind == "prod":
            return reduce(self.times, [self.ev(f) for f in node[1]])
        if kind == "call":
            return self.call(node[1], node[2])
        if kind == "sum":  # a number in index notation
            return Index(self.v, self.env, self.scope, ()).array(node)
        if kind == "one":
            _, sign, a, b = node[1]
            return COMPARE[sign](self.ev(a), self.ev(b)) * 1.0
        raise NotImplementedError(kind)

    @staticmethod
    def times(a: Any, b: Any) -> Any:
        if isinstance(b, Identity):
            return Identity(a * b.times)
        if a.size == 1 or b.size == 1:
            return a.reshape(()) * b if a.size == 1 else a * b.reshape(())
        return a @ b

    def call(self, name: str, arguments: tuple[Node, ...]) -> Any:
        if name in ("\\max", "\\min"):
            f = jnp.maximum if name == "\\max" else jnp.minimum
            return reduce(f, [self.ev(a) for a in arguments])
        (argument,) = arguments
        if name == "\\log" and argument[0] == "call" and argument[1] == "\\det":
            return jnp.linalg.slogdet(self.ev(argument[2][0]))[1]
        x = self.ev(argument)
        if name == "diag":
            assert x.shape[1] == 1
            return jnp.diag(x[:, 0])
        if name == "rowsum":
            return x.sum(axis=1, keepdims=True)
        if name == "colsum":
            return x.sum(axis=0, keepdims=True)
        if name == "mean":
            return x.mean()
        if name == "tr":
            return jnp.trace(x)
        if name == "softmax":  # of the rows, and of a vector
            return jax.nn.softmax(x, axis=int(x.shape[1] > 1))
        return ELEMENTWISE[name](x)
