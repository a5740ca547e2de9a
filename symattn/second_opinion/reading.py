"""What a certificate declares: names, definitions, facts; signs and derivatives of expressions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import count, permutations
from itertools import product as tuples
from typing import Any

from .model import BINDERS, PLAINER, Refused, Tree, Values, exp, negative, over, parity

Sizes = Mapping[str, Tree]  # letters and their ranges
OF_MATRIX = ("inverse", "det", "logdet")
SIGNS = dict.fromkeys(("exp", "sigmoid", "softplus", "cosh"), 2) | dict.fromkeys(
    ("abs", "step", "acos"), 1
)


def call(name: str, x: Tree) -> Tree:
    return ["call", name, x]


def minus(x: Tree, y: Tree) -> Tree:
    return ["add", x, negative(y)]


def root(x: Tree, e: str = "1/2") -> Tree:
    return ["pow", x, e]


SLOPES: dict[str, Any] = {
    "abs": lambda x: over(x, call("abs", x)),
    "exp": exp,
    "log": lambda x: ["pow", x, "-1"],
    "sin": lambda x: call("cos", x),
    "cos": lambda x: negative(call("sin", x)),
    "erf": lambda x: ["mul", "2", root(["ref", "pi", []], "-1/2"), exp(negative(root(x, "2")))],
    "step": lambda x: "0",
    "asin": lambda x: root(minus("1", root(x, "2")), "-1/2"),
    "acos": lambda x: negative(root(minus("1", root(x, "2")), "-1/2")),
    "atan": lambda x: ["pow", ["add", "1", root(x, "2")], "-1"],
}


def names_in(tree: Any, letters: bool = False) -> set[str]:
    """The tensors, or the letters, that occur in an expression."""
    if isinstance(tree, str):
        return {tree} if letters and tree[:1] in ("@", "∂") else set()
    own = {tree[1]} if not letters and tree[:1] == ["ref"] else set()
    return own.union(*(names_in(t, letters) for t in tree))


def plain(tree: Any) -> None:
    """Refuses what a certificate has no right to: letters bound twice, or that are no letters."""
    if isinstance(tree, dict):
        pairs = tree.get("letters", []) if "body" in tree or "lhs" in tree else []
        check_letters([*pairs, *tree.get("free", [])] if isinstance(pairs, list) else [])
        for part in tree.values():
            plain(part)
    if isinstance(tree, list):
        if tree[:1] in (["let"], ["count"]):
            raise Refused("a letter is given a place")
        if tree and isinstance(tree[0], str) and tree[0] in BINDERS:
            check_letters(tree[-2])
        for part in tree:
            plain(part)


def check_letters(pairs: Tree) -> None:
    if any(x[:1] != "@" for x, _ in pairs) or len(dict(pairs)) < len(pairs):
        raise Refused("a letter is bound twice or is no letter")


class Given:
    """The declarations of a certificate."""

    def __init__(self, data: Tree) -> None:
        self.tensors: dict[str, Any] = data["tensors"]
        self.sizes: list[str] = data["sizes"]
        self.definitions, self.facts = data["definitions"], data["facts"]
        said = [data[k] for k in ("claim", "tensors", "definitions", "facts")]
        self.ranges = [n for n in data.get("ranges", []) if repr(n) in repr(said)]
        plain([*said, data["steps"]])
        self.inside: dict[int, Any] = {}  # the letters in trees that values are remembered of
        self.fresh = (f"@∂{k}" for k in count())
        if set(self.sizes) & self.tensors.keys():
            raise Refused("a name is declared twice")

    def least(self, size: Tree) -> int:
        """The least value of a size, as those at sizes 1 to 3 say."""
        names = sorted(names_in(size))
        points = (dict(zip(names, p, strict=True)) for p in tuples((1, 2, 3), repeat=len(names)))
        return min(Values(self, p, 0).size(size) for p in points)

    def sign(self, tree: Tree) -> int:
        """2 where an expression is > 0, 1 where it is ≥ 0, 0 where that is not known."""
        match tree:
            case str():
                return (Fraction(tree) > 0) + (Fraction(tree) >= 0)
            case ["add", *parts]:
                signs = [self.sign(t) for t in parts]
                return max(signs) if 0 not in signs else 0
            case ["mul", *parts]:
                return min(map(self.sign, parts))
            case ["pow", base, e]:
                even = Fraction(e).denominator > 1 or Fraction(e) % 2 == 0
                return max(self.sign(base), int(even))
            case ["ref", name, _]:
                t = self.tensors.get(name, {"positive": True, "role": "size"})
                return 2 if t["positive"] or t["role"] == "pi" else int(t["role"] == "place")
            case ["call", name, _]:
                return SIGNS.get(name, 0)
            case ["sum", pairs, body]:
                return min(self.sign(body), 2 if all(self.least(n) > 0 for _, n in pairs) else 1)
            case ["max", _, args]:
                return max(map(self.sign, args))
            case ["let", _, body]:
                return self.sign(body)
        return int(tree[0] in ("delta", "mask", "argmax"))

    def behind(self, name: str) -> set[str]:
        """A name and those that its definition depends on."""
        t = self.tensors.get(name, {"of": [], "role": "size"})
        used = names_in(self.definitions.get(name, {"body": []})["body"])
        used |= set(t["of"]) if t["role"] in OF_MATRIX else set()
        return {name}.union(*(self.behind(n) for n in used - {name}))

    def body(self, name: str, slots: Tree, said: Tree = None) -> Tree:
        """The body of a definition at these slots, or what is said that it is."""
        d = self.definitions[name]
        pairs = [[x, n, s] for (x, n), s in zip(d["letters"], slots, strict=True)]
        return ["let", pairs, said or d["body"]]

    # --------------------------------------------------------------------------- derivatives

    def symmetric(self, t: Any) -> bool:
        return t["symmetry"] == self.tensors[t["of"][0]]["symmetry"]

    def derivative(self, of: Tree, wrt: Tree, said: Tree = None) -> Tree:
        """∂of/∂wrt by the chain rule, the definition of `of` opened, no other."""
        shape, base = self.tensors[wrt[1]]["shape"], of
        pairs = [[next(self.fresh), n, s] for n, s in zip(shape, wrt[2], strict=True)]
        while base[0] == "d":
            base = base[1]
        if of[0] == "d" and base[1] in self.definitions:
            of = self.derivative(of[1], of[2], said)
        elif base[1] in self.definitions and base[1] != wrt[1]:
            of = self.body(of[1], of[2], said)
        return ["let", pairs, self.diff(of, [wrt[1], [x for x, *_ in pairs]])]

    def diff(self, tree: Tree, x: Tree) -> Tree:
        """The derivative of an expression by a component [name, slots]."""
        match tree:
            case ["add", *parts]:
                return ["add", *(self.diff(t, x) for t in parts)]
            case ["mul", *parts]:
                ways = (
                    ["mul", *parts[:k], self.diff(t, x), *parts[k + 1 :]]
                    for k, t in enumerate(parts)
                )
                return ["add", *ways]
            case ["pow", base, e]:
                return ["mul", e, ["pow", base, str(Fraction(e) - 1)], self.diff(base, x)]
            case ["call", name, inner] if name in PLAINER:
                return self.diff(PLAINER[name](inner), x)
            case ["call", name, inner]:
                return ["mul", SLOPES[name](inner), self.diff(inner, x)]
            case ["unknown", name, orders, args]:
                found: list[Tree] = ["add"]
                for k, t in enumerate(args):
                    up = [str(int(o) + (n == k)) for n, o in enumerate(orders)]
                    found.append(["mul", ["unknown", name, up, args], self.diff(t, x)])
                return found
            case ["sum" | "let" as kind, pairs, body]:
                return [kind, pairs, self.diff(body, x)]
            case ["max", [], args]:
                top, *others = sorted(args, key=lambda t: t != "0")  # where equal, this counts
                slope = self.diff(top, x)
                for t in others:
                    on = minus("1", call("step", minus(top, t)))
                    slope = ["add", slope, ["mul", on, minus(self.diff(t, x), slope)]]
                    top = ["max", [], [top, t]]
                return slope
            case ["max", pairs, [body]]:
                hot = ["argmax", [y for y, _ in pairs], pairs, body]
                return ["sum", pairs, ["mul", hot, self.diff(body, x)]]
            case ["ref" | "d", *_]:
                return self.slope(tree, x)
        return "0"

    def slope(self, atom: Tree, x: Tree) -> Tree:
        """∂T/∂X: δ's for X itself; abstract losses, inverses and determinants by the chain rule."""
        name, at = x
        wrt, base = self.tensors[name], atom
        while base[0] == "d":
            base = base[1]
        t = self.tensors.get(base[1], {"role": "size", "of": []})
        if atom[:2] == ["ref", name]:
            return self.unit(atom[2], name, at)
        if atom[0] == "ref" and atom[1] in self.definitions:
            return ["d", atom, ["ref", name, at]] if name in self.behind(atom[1]) else "0"
        if base[1] in self.definitions:
            return ["d", atom, ["ref", name, at]]
        if t["role"] in OF_MATRIX:
            return self.matrix_slope(atom, x) if name in self.behind(atom[1]) else "0"
        inside = wrt["role"] != "undefined"  # what stands outside, everything may depend on
        if t["role"] in ("size", "pi") or (t["role"] not in ("loss", "undefined") and inside):
            return "0"  # inputs are independent
        through = [o for o in t["of"] if name in self.behind(o)]
        if not through and t["of"] and t["role"] == "loss" and inside:
            return "0"  # a loss of what does not depend on X
        if not through or name in through:
            return ["d", atom, ["ref", name, at]]
        found: list[Tree] = ["add"]
        for o in through:
            pairs = [[next(self.fresh), n] for n in self.tensors[o]["shape"]]
            there = ["ref", o, [y for y, _ in pairs]]
            found.append(["sum", pairs, ["mul", ["d", atom, there], self.slope(there, x)]])
        return found

    def matrix_slope(self, atom: Tree, x: Tree) -> Tree:
        """dM⁻¹ = −M⁻¹ dM M⁻¹ and d det M = det M tr(M⁻¹ dM)."""
        t = self.tensors[atom[1]]
        m, inverse = t["of"][0], f"inverse({t['of'][0]})"
        p, q = next(self.fresh), next(self.fresh)
        pairs = [[p, self.tensors[m]["shape"][0]], [q, self.tensors[m]["shape"][1]]]
        inner = self.slope(["ref", m, [p, q]], x)
        if t["role"] == "inverse":
            left, right = ["ref", inverse, [atom[2][0], p]], ["ref", inverse, [q, atom[2][1]]]
            return ["sum", pairs, ["mul", "-1", left, right, inner]]
        change = ["sum", pairs, ["mul", ["ref", inverse, [q, p]], inner]]
        return ["mul", atom, change] if t["role"] == "det" else change

    def unit(self, slots: Tree, name: str, at: Tree) -> Tree:
        """∂T_ij/∂T_mn = δ_im δ_jn, averaged over the declared symmetry; slots count modulo n."""
        t, found = self.tensors[name], []
        ways = list(permutations(range(len(at)))) if t["symmetry"] else [tuple(range(len(at)))]
        for way in ways:
            side = parity(way) if t["symmetry"] == "antisymmetric" else 1
            deltas = (["delta", slots[k], at[p], t["shape"][k]] for k, p in enumerate(way))
            found.append(["mul", str(Fraction(side, len(ways))), *deltas])
        return ["add", *found]
