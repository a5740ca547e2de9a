"""What a line is worth: definitions and lines evaluated with numbers, apart from symattn.

Definitions are evaluated from their LaTeX and differentiated by JAX; a line is evaluated in the
same way from its own LaTeX, in index or in matrix notation.  Nothing here imports symattn.
"""

from __future__ import annotations

import re
from functools import wraps
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .evaluation import Index, Matrix, name_of
from .form import Form
from .latex import Node, indices, parse

COMMENT = re.compile(r"<!-- symattn: (.*?) -->")
SIZES = re.compile(r"(\w+):\(([^)]*)\)")
ASSUME = re.compile(r"assume \\sum_\{?([\w,]+?)\}? (\w+)_\{?(\w+)\}? = 1")
GREEK = {"mu": r"\mu", "lambda": r"\lambda", "Lambda": r"\Lambda"}
LETTERS = set("abcghijklr")  # what stands for an index where nothing binds it
SIZE = [4, 3, 5, 2, 6, 7, 3, 4]


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


def bound(tree: Node) -> set[str]:
    """The letters that Σ and max bind somewhere in a tree."""
    found: set[str] = set()
    for node in walk(tree):
        if node[:1] in (("sum",), ("max",)) and len(node) == 4:
            head = node[1]
            while head[0] == "rel":
                head = head[2]
            parts = head[1] if head[0] in ("prod", "list") else (head,)
            found |= {part[1] for part in parts if part[0] == "name"}
    return found


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
            for row in (COMMENT.sub("", form.texts[0]) + "\n" + form.where).strip().splitlines()
        )
        noise = {"e"} if re.search(r"(?<![A-Za-z\\])e_", form.texts[0]) else set()
        known = defined | noise
        self.texts = [Equations(form.formulas(k), known) for k in (0, 1)]
        self.names = known
        self.leader: dict[Any, Any] = {}
        self.size: dict[Any, int] = {}
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
        a, b = self.find(a), self.find(b)
        self.leader[a] = b
        if a in self.size:
            self.size.setdefault(b, self.size[a])

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
            if name is None or (name == "e" and name not in self.names):
                continue
            slots = [i for i in (*indices(node[2]), *indices(node[3])) if self._index(i, letters)]
            if name == r"\delta" and name not in self.rank and len(slots) == 2:
                self.join((scope, slots[0][1]), (scope, slots[1][1]))
                continue
            name = name.removesuffix("_bar")
            if slots:
                self.rank[name] = max(self.rank.get(name, 0), len(slots))
            for k, i in enumerate(slots):
                first = i if i[0] == "name" else i[1][0][1]
                if i[0] == "name" or any(t[0] == "num" for _, t in i[1]):  # i and i + 1
                    self.join((scope, first[1]), (name, k))
                elif all(s == "+" for s, _ in i[1]):
                    self.affine.append(((name, k), [(scope, t[1]) for _, t in i[1]]))

    @staticmethod
    def _index(node: Node, letters: set[str]) -> bool:
        if node[0] == "name":
            return node[1] in letters
        if node[0] != "add" or node[1][0][1][0] != "name":
            return False
        return all(t[0] == "num" or (t[0] == "name" and t[1] in letters) for _, t in node[1])

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
                self._scripts(scope, right, LETTERS | set(left) | bound(right))
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
        for _, left, right in self.texts[0].items:
            names = {n[1] for n in walk(right) if n[:1] == ("name",) and len(n) == 2}
            found |= names - set(left) - bound(right)
        positive = {r"\epsilon", r"\tau", "T", "h", r"\beta", "s"} | {
            n
            for n in found
            if rf"\log({n}" in source.replace("{", "") or f"frac{{{n}_i}}{{q_i}}" in source
        }
        if "log" in source and "KL" not in source:
            positive |= {"q", "p", "b"} & found
        symmetric = re.findall(r"(?:symmetric|definite) ([^;]*)", comments)
        sym = {GREEK.get(s, s) for said in symmetric for s in said.split()}
        declared = (s.strip() for _, shape in SIZES.findall(comments) for s in shape.split(","))
        found |= {s for s in declared if s not in LETTERS}  # n, which lines alone may name
        for name in sorted(found - reserved - {n for n, _, _ in self.texts[0].items}):
            sized = self.find(("size", name))
            if sized in self.size and name not in self.rank:
                self.inputs[name] = jnp.float64(self.size[sized])
                continue
            if name not in self.rank and name in "ijklabcghr" and self._letter(name):
                continue
            near = self.form.near.get(name, 0.0)
            x = self.random.normal(size=self.shape(name)) * min(1.0, near / 4 or 1.0) + near
            if name in positive:
                x = np.abs(x) + 0.3
            if (
                name == "p" and "1 - p" in source and not np.ndim(x)
            ) or rf"\sqrt{{1 - {name}}}" in source:
                x = np.float64(0.3)
            if name == "N" and x.ndim == 2:
                x = (x > 0) * 1.0 + np.eye(*x.shape)
                x = np.minimum(x, 1.0)
            if name in sym:
                x = x @ x.T + np.eye(len(x))
            if rf"{name}^{{-1}}" in source or rf"\det {name}" in source:
                x = (x if name in sym else 0.3 * x) + 2.0 * np.eye(len(x))
            self.inputs[name] = jnp.asarray(x)
        for letters, name, slots in ASSUME.findall(comments):
            x = np.abs(self.inputs[name]) + 0.1
            axes = tuple(map(slots.index, letters.split(",")))
            self.inputs[name] = jnp.asarray(x / x.sum(axis=axes, keepdims=True))

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
            if plain or (not left and self._matrices(right, env)):
                value = Matrix(self, env, (which, n)).ev(right)
                if name not in self.rank and value.size > 1:  # a name that has indices nowhere
                    shape = value.shape[: 1 + (value.shape[1] > 1)]
                    self.rank[name] = len(shape)
                    self.size |= {self.find((name, k)): d for k, d in enumerate(shape)}
                elif value.size != np.prod(self.shape(name)):  # or only in the other spelling
                    self.size |= {self.find((name, k)): d for k, d in enumerate(value.shape)}
                value = jnp.reshape(value, self.shape(name))
            else:
                value = Index(self, env, (which, n), left).array(right)
            env[name] = value + shifts.get(name, 0.0)
        return env

    def _matrices(self, tree: Node, env: dict[str, Any]) -> bool:
        """Whether a tree has tensors without indices; a norm may stand in either notation."""
        if tree[0] == "norm":
            return False
        if tree[0] == "script" and name_of(tree[1]) and self.rank.get(name_of(tree[1]) or "", 0):
            inner = (*indices(tree[2]), *indices(tree[3]))
            names = {n[1] for n in walk(inner) if n[:1] == ("name",)} - set(self.inputs)
            return not any(self._index(i, names) for i in inner)
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
        self._scripts(scope, tree, LETTERS | set(letters) | bound(tree))
        return Index(self, env, scope, letters).array(tree)

    def matrix(self, env: dict[str, Any], text: str) -> Any:
        """The value of a matrix form."""
        return Matrix(self, env).ev(parse(text, self.names))


def first_letters(form: Form, text: Equations, wrt: str) -> tuple[str, ...]:
    """The letters that a name bears where it is first mentioned, its definition before others."""
    scalars = re.search(r"scalars ([^;]*)", text.comments)
    if scalars and wrt in scalars[1].split():
        return ()
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


QUICK = {"xla_backend_optimization_level": "0", "xla_llvm_disable_expensive_passes": True}


def pairs(v: Values) -> dict[str, tuple[Any, Any]]:
    """What has to be equal: the spellings, and each line and its derivative."""
    form, (env, results) = v.form, v.derivatives()
    other = v.run(1, {})
    found = {"the spellings differ": (other[form.of], env[form.of])}
    for wrt, line in form.results.items():
        if line.index:
            found[f"{wrt}: index"] = v.line(wrt, env), results[wrt]
        if line.matrix:
            found[f"{wrt}: matrix"] = v.matrix(env, line.matrix), results[wrt]
    for wrt, line in form.again.items():
        if line.index:
            found[f"{wrt}: again"] = v.line(wrt, {**env, **other}, line.index), results[wrt]
    for wrt, line, here in (
        *((w, line, env) for w, line in form.results.items()),
        *((w, line, {**env, **other}) for w, line in form.again.items()),
    ):
        for text in line.also:
            plain = not line.index or (bool(line.matrix) and "_" not in text)
            value = v.matrix(here, text) if plain else v.line(wrt, here, text)
            found[f"{wrt}: also {text}"] = value, results[wrt]
    return found


@double_precision
def faults(form: Form, seeds: int = 2) -> list[str]:
    """What is not true of a form: spellings that differ, lines that are not the derivative."""
    wrong = set()
    for seed in range(seeds):
        v = Values(form, seed)
        found = jax.jit(lambda v=v: pairs(v), compiler_options=QUICK)()
        for name, (got, expected) in found.items():
            if not np.isfinite(expected).all():
                wrong.add("not finite")
            elif (
                got.size != expected.size
                or not np.allclose(got.reshape(expected.shape), expected, rtol=1e-8, atol=1e-10)
                or (got.ndim == expected.ndim == 2 and got.shape != expected.shape)
            ):
                wrong.add(name)
    return sorted(wrong)
