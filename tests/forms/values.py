"""What a line is worth: definitions and lines evaluated with numbers, apart from symattn.

Definitions are evaluated from their LaTeX and differentiated by JAX; a line is evaluated in the
same way from its own LaTeX, in index or in matrix notation.  Nothing here imports symattn.
"""

from __future__ import annotations

import re
from functools import reduce, wraps
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .form import Form
from .latex import Node, indices, parse

COMMENT = re.compile(r"<!-- symattn: (.*?) -->")
SIZES = re.compile(r"(\w+):\(([^)]*)\)")
ASSUME = re.compile(r"assume \\sum_(\w) (\w+)_\{?(\w+)\}? = 1")
GREEK = {"mu": r"\mu", "Lambda": r"\Lambda"}
SIZE = [4, 3, 5, 2, 6, 7, 3, 4]
ELEMENTWISE = {
    "\\exp": jnp.exp,
    "\\log": jnp.log,
    "\\tanh": jnp.tanh,
    "\\cosh": jnp.cosh,
    "\\sin": jnp.sin,
    "\\cos": jnp.cos,
    "\\sigma": jax.nn.sigmoid,
    "\\Gamma": lambda x: jnp.exp(jax.scipy.special.gammaln(x)),
    "\\psi": jax.scipy.special.digamma,
    "erf": jax.scipy.special.erf,
    "sign": jnp.sign,
    "ReLU": lambda x: jnp.maximum(x, 0.0),
    "softplus": jax.nn.softplus,
}
COMPARE = {
    "<": jnp.less,
    ">": jnp.greater,
    "\\le": jnp.less_equal,
    "\\ge": jnp.greater_equal,
    "=": jnp.equal,
}


def name_of(node: Node) -> str | None:
    """x of x, x_bar of \\bar{x}."""
    if node[0] == "name":
        return str(node[1])
    if node[0] == "bar" and node[1][0] == "name":
        return f"{node[1][1]}_bar"
    return None


def walk(node: Any) -> Any:
    if isinstance(node, tuple):
        yield node
        for part in node:
            yield from walk(part)


def double_precision(function):
    """The function with JAX in float64, as it was before when it returns."""

    @wraps(function)
    def call(*args, **kwargs):
        with jax.enable_x64(True):
            return function(*args, **kwargs)

    return call


class Equations:
    """The equations of a text: (name, letters of the left side, right side)."""

    def __init__(self, text: str, names: frozenset[str]) -> None:
        self.comments = "; ".join(COMMENT.findall(text))
        self.items: list[tuple[str, tuple[str, ...], Node]] = []
        for row in COMMENT.sub("", text).strip().splitlines():
            if not row.strip():
                continue
            _, sign, left, right = parse(row, names)
            assert sign == "="
            letters: tuple[str, ...] = ()
            if left[0] == "script":
                letters = tuple(i[1] for i in (*indices(left[2]), *indices(left[3])))
                left = left[1]
            self.items.append((name_of(left) or "", letters, right))


class Values:
    """The arrays of a form for one seed: inputs, definitions, adjoints, derivatives."""

    def __init__(self, form: Form, seed: int) -> None:
        self.form = form
        self.random = np.random.default_rng(seed)
        defined = frozenset(
            re.sub(r"[_^{].*", "", row.split("=")[0].strip())
            for row in COMMENT.sub("", form.texts[0]).strip().splitlines()
        )
        known = defined | ({r"\sigma"} & defined)
        self.texts = [Equations(t, known) for t in form.texts]
        self.names = known
        self.leader: dict[Any, Any] = {}
        self.rank: dict[str, int] = {}
        self._shapes()
        self._inputs()

    # sizes

    def find(self, key: Any) -> Any:
        while self.leader.get(key, key) != key:
            key = self.leader[key]
        self.leader.setdefault(key, key)
        return key

    def join(self, a: Any, b: Any) -> None:
        self.leader[self.find(a)] = self.find(b)

    def _scripts(self, scope: Any, tree: Node, letters: set[str]) -> None:
        """Unites the letters of a tree with the slots that they stand in."""
        for node in walk(tree):
            if node[:1] in (("sum",), ("max",)) and len(node) == 4:
                head, above = node[1], node[2]
                if head[0] == "rel" and head[1] == "=" and above is not None:
                    self.join((scope, head[2][1]), ("size", above[1]))
                elif head[0] == "rel":
                    self.join((scope, head[2][1]), (scope, head[3][1]))
            if node[:1] == ("one",) and len(node) == 2 and node[1][0] == "rel":
                _, _, a, b = node[1]
                if a[0] == b[0] == "name" and {a[1], b[1]} <= letters:
                    self.join((scope, a[1]), (scope, b[1]))
            if node[:1] != ("script",) or len(node) != 4:
                continue
            base = node[1]
            if base[0] == "paren" and base[1][0] == "script":
                base = base[1][1]
            name = name_of(base)
            if name is None or name == "e":
                continue
            slots = [i for i in (*indices(node[2]), *indices(node[3])) if self._index(i, letters)]
            if name == r"\delta" and name not in self.rank and len(slots) == 2:
                self.join((scope, slots[0][1]), (scope, slots[1][1]))
                continue
            name = name.removesuffix("_bar")
            if slots:
                self.rank[name] = max(self.rank.get(name, 0), len(slots))
            for k, i in enumerate(slots):
                if i[0] == "name":
                    self.join((scope, i[1]), (name, k))
                elif all(s == "+" for s, _ in i[1]):
                    self.affine.append(((name, k), [(scope, t[1]) for _, t in i[1]]))

    @staticmethod
    def _index(node: Node, letters: set[str]) -> bool:
        if node[0] == "name":
            return node[1] in letters
        return node[0] == "add" and all(t[0] == "name" and t[1] in letters for _, t in node[1])

    def _shapes(self) -> None:
        self.affine: list[Any] = []
        for k, text in enumerate(self.texts):
            for name, shape in SIZES.findall(text.comments):
                sizes = [s.strip() for s in shape.split(",")]
                self.rank[GREEK.get(name, name)] = len(sizes)
                for slot, size in enumerate(sizes):
                    self.join((GREEK.get(name, name), slot), ("size", size) if not k else (1, size))
            for n, (name, left, right) in enumerate(text.items):
                scope = (k, n)
                for slot, letter in enumerate(left):
                    self.join((scope, letter), (name, slot))
                    self.rank[name] = len(left)
                self._scripts(scope, right, set("abcghijklrmn"[:12]) - {"m", "n"} | set(left))
        # names that the left side gives no letters in texts[0] are scalars
        classes = sorted(
            {self.find((n, k)) for n, r in self.rank.items() for k in range(r)}, key=str
        )
        order: dict[Any, int] = {}
        for name, rank in self.rank.items():
            for k in range(rank):
                order.setdefault(self.find((name, k)), len(order))
        self.size = {c: SIZE[order[c] % len(SIZE)] for c in classes}
        for slot, parts in self.affine:
            self.size[self.find(slot)] = (
                sum(self.size[self.find(p)] for p in parts) - len(parts) + 1
            )

    def shape(self, name: str) -> tuple[int, ...]:
        return tuple(self.size[self.find((name, k))] for k in range(self.rank.get(name, 0)))

    # inputs

    def _inputs(self) -> None:
        comments = self.texts[0].comments
        source = COMMENT.sub("", self.form.texts[0])
        self.inputs: dict[str, Any] = {}
        reserved = {"e", r"\pi", r"\delta", "I"} - self.names
        found: set[str] = set()
        for _, _, right in self.texts[0].items:
            for node in walk(right):
                if node[:1] == ("name",) and len(node) == 2:
                    found.add(node[1])
        positive = {r"\epsilon", r"\tau", "T", "h", r"\beta", "s"} | {
            n
            for n in found
            if rf"\log({n}" in source.replace("{", "") or f"frac{{{n}_i}}{{q_i}}" in source
        }
        if "log" in source and "KL" not in source:
            positive |= {"q", "p", "b"} & found
        symmetric = re.search(r"symmetric ([^;]*)", comments)
        sym = {GREEK.get(s, s) for s in symmetric[1].split()} if symmetric else set()
        for name in sorted(found - reserved - {n for n, _, _ in self.texts[0].items}):
            sized = self.find(("size", name))
            if sized in self.size and name not in self.rank:
                self.inputs[name] = jnp.float64(self.size[sized])
                continue
            if name not in self.rank and name in "ijklabcghr" and self._letter(name):
                continue
            x = self.random.normal(size=self.shape(name)) + self.form.near.get(name, 0.0)
            if name in positive:
                x = np.abs(x) + 0.3
            if (name == "p" and "1 - p" in source) or rf"\sqrt{{1 - {name}}}" in source:
                x = np.float64(0.3)
            if name == "N":
                x = (x > 0) * 1.0 + np.eye(*x.shape)
                x = np.minimum(x, 1.0)
            if name in sym:
                x = x @ x.T + np.eye(len(x))
            if rf"{name}^{{-1}}" in source or rf"\det {name}" in source:
                x = (x if name in sym else 0.3 * x) + 2.0 * np.eye(len(x))
            self.inputs[name] = jnp.asarray(x)
        for letter, name, slots in ASSUME.findall(comments):
            x = np.abs(self.inputs[name]) + 0.1
            self.inputs[name] = jnp.asarray(x / x.sum(axis=slots.index(letter), keepdims=True))

    def _letter(self, name: str) -> bool:
        """Whether a name is an index wherever it stands bare, as in i - j."""
        return any(
            isinstance(k, tuple) and len(k) == 2 and isinstance(k[0], tuple) and k[1] == name
            for k in self.leader
        )

    # evaluation

    def run(self, which: int, shifts: dict[str, Any]) -> dict[str, Any]:
        """All arrays, each moved by its shift."""
        env = {n: x + shifts.get(n, 0.0) for n, x in self.inputs.items()}
        for n, (name, left, right) in enumerate(self.texts[which].items):
            plain = self.rank.get(name, 0) and not left
            if plain or (not left and which and self._matrices(right, env)):
                value = Matrix(self, env).ev(right)
                value = jnp.reshape(value, self.shape(name))
            else:
                value = Index(self, env, (which, n), left).array(right)
            env[name] = value + shifts.get(name, 0.0)
        return env

    def _matrices(self, tree: Node, env: dict[str, Any]) -> bool:
        """Whether a tree has tensors without indices."""
        if tree[0] == "script" and name_of(tree[1]) and self.rank.get(name_of(tree[1]) or "", 0):
            bare = {"name"}
            inner = (*indices(tree[2]), *indices(tree[3]))
            return not any(i[0] in bare and i[1] not in self.inputs for i in inner)
        if tree[0] == "name":
            return self.rank.get(tree[1], 0) > 0
        return any(self._matrices(p, env) for p in _children(tree))

    def derivatives(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """All arrays with the adjoints of each name, and the derivatives that are results."""
        form = self.form
        env = self.run(0, {})
        zero = {n: jnp.zeros_like(x) for n, x in env.items()}
        of = lambda shifts: self.run(0, shifts)[form.of]  # noqa: E731
        out, pull = jax.vjp(of, zero)
        upstream = jnp.ones(()) if not out.ndim else jnp.asarray(self.random.normal(size=out.shape))
        (adjoints,) = pull(upstream)
        env |= {f"{n}_bar": x for n, x in adjoints.items()}
        results = {}
        for wrt in form.results:
            names = wrt.split()
            if len(names) == 2:
                value = jax.hessian(lambda x, n=names[0]: of(zero | {n: x}))(zero[names[0]])
            elif form.jacobian:
                value = jax.jacobian(lambda x, n=wrt: of(zero | {n: x}))(zero[wrt])
            else:
                value = adjoints[wrt]
            results[wrt] = value
        return env, results

    def letters(self, wrt: str) -> tuple[str, ...]:
        """The letters of the left side of a result."""
        line = self.form.results[wrt]
        if line.at:
            return tuple(line.at)
        return first_letters(self.form, self.texts[0], wrt)

    def line(self, wrt: str, env: dict[str, Any], text: str = "") -> Any:
        """The value of the index form, or of another text in its place."""
        letters = self.letters(wrt)
        tree = parse(text or self.form.results[wrt].index, self.names)
        scope = ("line", wrt, text)
        names = wrt.split() if " " in wrt else [wrt]
        slots = [
            (n, k)
            for n in ([self.form.of] if self.form.jacobian else []) + names
            for k in range(self.rank.get(n, 0))
        ]
        assert len(slots) == len(letters), (wrt, slots, letters)
        for slot, letter in zip(slots, letters, strict=True):
            self.join((scope, letter), slot)
        self.affine = []
        self._scripts(scope, tree, set("abcghijklrq") - ({"q"}) | set(letters))
        return Index(self, env, scope, letters).array(tree)

    def matrix(self, wrt: str, env: dict[str, Any]) -> Any:
        """The value of the matrix form."""
        return Matrix(self, env).ev(parse(self.form.results[wrt].matrix, self.names))


def first_letters(form: Form, text: Equations, wrt: str) -> tuple[str, ...]:
    """The letters that a name bears where it is first mentioned, its definition before others."""
    for name, left, _ in text.items:
        if name == wrt:
            return left
    for _, _, right in text.items:
        for node in walk(right):
            if node[:1] == ("script",) and len(node) == 4 and name_of(node[1]) == wrt:
                found = [i for i in (*indices(node[2]), *indices(node[3])) if _letter(i)]
                if found:  # x^2 and x^\alpha of a scalar x have none
                    return tuple(i[1] for i in found)
    return ()


def _letter(node: Node) -> bool:
    return node[0] == "name" and re.fullmatch("[a-z]", node[1]) is not None


def _children(node: Node) -> list[Node]:
    found = []
    for part in node:
        if isinstance(part, tuple):
            found += (
                [part] if part and isinstance(part[0], str) and len(part) > 1 else _children(part)
            )
    return found


class Index:
    """Index notation: a value is (letters, array with an axis for each)."""

    def __init__(self, values: Values, env: dict[str, Any], scope: Any, free: Any) -> None:
        self.v, self.env, self.scope, self.free = values, env, scope, tuple(free)

    def size(self, letter: str) -> int:
        return self.v.size[self.v.find((self.scope, letter))]

    def array(self, tree: Node) -> Any:
        letters, x = self.ev(tree, frozenset(self.free))
        assert set(letters) <= set(self.free), f"{set(letters) - set(self.free)} is left over"
        return jnp.broadcast_to(
            self.spread((letters, x), self.free), tuple(self.size(i) for i in self.free)
        )

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
            return self.together(
                jnp.divide, self.einstein(node[1], bound), self.einstein(node[2], bound)
            )
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
            if node[1] == "\\det":
                return (), jnp.linalg.det(Matrix(self.v, self.env).ev(node[2][0]))
            (argument,) = node[2]
            if node[1] == "\\log" and argument[0] == "call" and argument[1] == "\\det":
                return (), jnp.linalg.slogdet(Matrix(self.v, self.env).ev(argument[2][0]))[1]
            letters, x = self.einstein(argument, bound)
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
            body = self.einstein(node[3], bound | {letter})
            if mask:
                body = self.together(jnp.multiply, body, self.ev(mask, bound | {letter}))
            if kind == "max":
                own, x = body
                return tuple(j for j in own if j != letter), x.max(axis=own.index(letter))
            return self.summed(body, [letter])
        if kind in ("one", "rel"):
            _, sign, a, b = node[1] if kind == "one" else node
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
        elif name == r"\pi":
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
        assert len(slots) == 1
        letters, at = self.ev(slots[0], frozenset())
        at = at.astype(int)
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
        if above is not None and len(slots) < rank:
            slots, power = (*slots, *indices(above)), None
        value = self.component(base, slots) if rank or name else self.ev(base, bound)
        if power is None:
            return value
        return self.together(jnp.power, value, self.ev(power, bound))


class Matrix:
    """Matrix notation: vectors are columns, scalars have no axes."""

    def __init__(self, values: Values, env: dict[str, Any]) -> None:
        self.v, self.env = values, env

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
                return "I"
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
        if kind == "add":
            parts = [(s, self.ev(t)) for s, t in node[1]]
            shape = next((x.shape for _, x in parts if not isinstance(x, str) and x.ndim == 2), ())
            total: Any = 0.0
            for s, x in parts:
                if isinstance(x, str):
                    x = jnp.eye(shape[0]) * (float(x[1:]) if len(x) > 1 else 1.0)
                total = total - x if s == "-" else total + x
            return total
        if kind == "circ":
            return reduce(jnp.multiply, [self.ev(f) for f in node[1]])
        if kind == "prod":
            return reduce(self.times, [self.ev(f) for f in node[1]])
        if kind == "call":
            return self.call(node[1], node[2])
        if kind == "one":
            _, sign, a, b = node[1]
            return COMPARE[sign](self.ev(a), self.ev(b)) * 1.0
        raise NotImplementedError(kind)

    @staticmethod
    def times(a: Any, b: Any) -> Any:
        if isinstance(b, str):
            return f"I{float(a)}"
        if a.size == 1 or b.size == 1:
            return a.reshape(()) * b if a.size == 1 else a * b.reshape(())
        return a @ b

    def call(self, name: str, arguments: tuple[Node, ...]) -> Any:
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
        return ELEMENTWISE[name](x)


@double_precision
def faults(form: Form, seeds: int = 2) -> list[str]:
    """What is not true of a form: spellings that differ, lines that are not the derivative."""
    found = []
    for seed in range(seeds):
        v = Values(form, seed)
        env, results = v.derivatives()
        if not jnp.allclose(env[form.of], v.run(1, {})[form.of], rtol=1e-9, atol=1e-11):
            found.append("the spellings differ")
        if not bool(jnp.all(jnp.isfinite(env[form.of]))):
            found.append("not finite")
        second = {**env, **v.run(1, {})}
        for wrt, line in form.again.items():
            got = v.line(wrt, second, line.index)
            if not jnp.allclose(got, results[wrt], rtol=1e-8, atol=1e-10):
                found.append(f"{wrt}: again")
        for wrt, line in form.results.items():
            expected = results[wrt]
            if line.index:
                got = v.line(wrt, env)
                if got.shape != expected.shape or not jnp.allclose(
                    got, expected, rtol=1e-8, atol=1e-10
                ):
                    found.append(f"{wrt}: index")
            if line.matrix:
                got = v.matrix(wrt, env)
                same = got.size == expected.size and jnp.allclose(
                    got.reshape(expected.shape), expected, rtol=1e-8, atol=1e-10
                )
                if got.ndim == 2 and expected.ndim == 2 and got.shape != expected.shape:
                    same = False
                if not same:
                    found.append(f"{wrt}: matrix")
    return sorted(set(found))
