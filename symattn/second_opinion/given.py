"""What a certificate declares: names, definitions, facts; signs and derivatives of expressions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import count, permutations
from itertools import product as tuples
from typing import Any

from .fields import PLAINER, UP, Field, Refused, Tree, nodes, number, parity, put

OF_MATRIX = ("inverse", "det", "logdet")
SIGNS = {"exp": 2, "softplus": 2, "abs": 1, "step": 1, "acos": 1}

RISE = ["pow", ["add", "1", ["mul", "-1", ["pow", "x", "2"]]], "-1/2"]
SLOPES: dict[str, Tree] = {  # of what is made of no other function
    "abs": ["mul", "x", ["pow", ["call", "abs", "x"], "-1"]],
    "exp": UP,
    "log": ["pow", "x", "-1"],
    "sin": ["call", "cos", "x"],
    "cos": ["mul", "-1", ["call", "sin", "x"]],
    "erf": [
        "mul",
        "2",
        ["pow", ["ref", "pi", []], "-1/2"],
        put(UP, ["mul", "-1", ["pow", "x", "2"]]),
    ],
    "step": "0",
    "asin": RISE,
    "acos": ["mul", "-1", RISE],
    "atan": ["pow", ["add", "1", ["pow", "x", "2"]], "-1"],
    "lgamma": ["call", "digamma", "x"],
    "Gamma": ["mul", ["call", "Gamma", "x"], ["call", "digamma", "x"]],
    "digamma": ["call", "polygamma", "1", "x"],
}


def names_in(tree: Tree) -> set[str]:
    """The names that occur in an expression."""
    return {t[1] for t in nodes(tree) if t[0] == "ref"}


class Given:
    """The declarations of a certificate."""

    def __init__(self, data: Tree) -> None:
        self.tensors: dict[str, Any] = data["tensors"]
        self.sizes: list[str] = data["sizes"]
        self.definitions = data["definitions"]
        self.facts = {("fact", str(k)): fact for k, fact in enumerate(data["facts"])}
        for name, body in self.definitions.items():
            lhs = ["ref", name, [x for x, _ in body["letters"]]]
            self.facts["definition", name] = {**body, "lhs": lhs, "rhs": body["body"]}
        for name, t in self.tensors.items():
            if t["role"] == "inverse":
                self.inverse(name, t["of"][0], t["shape"][0])
        self.ranges = data.get("ranges", [])
        self.functions = data.get("functions", {}) | PLAINER
        self.fresh = (f"@∂{k}" for k in count())
        if set(self.sizes) & self.tensors.keys():
            raise Refused("a name is declared twice")

    def written_out(self, name: str, args: Sequence[Tree]) -> Tree:
        """A function by what it is made of; None for one that is made of nothing."""
        return put(self.functions[name], *args) if name in self.functions else None

    def plain(self, tree: Tree) -> Tree:
        """The tree with all functions written out."""
        if not isinstance(tree, list):
            return tree
        if tree[:1] == ["call"] and (found := self.written_out(tree[1], tree[2:])) is not None:
            return self.plain(found)
        return [self.plain(t) for t in tree]

    def inlined(self, tree: Tree) -> Tree:
        """The tree with its definitions written out, which use earlier ones alone."""
        if not isinstance(tree, list):
            return tree
        if tree[:1] != ["ref"] or tree[1] not in self.definitions:
            return [self.inlined(t) for t in tree]
        letters = self.definitions[tree[1]]["letters"]
        at = [[x, n, slot] for (x, n), slot in zip(letters, tree[2], strict=True)]
        return ["let", at, self.inlined(self.definitions[tree[1]]["body"])]

    def inverse(self, name: str, matrix: str, n: Tree) -> None:
        """Σ_j M_ij M⁻¹_jk = δ_ik = Σ_j M⁻¹_ij M_jk."""
        if self.tensors[matrix]["shape"] != [n, n] or self.tensors[name]["shape"] != [n, n]:
            raise Refused(f"{matrix} is not square")
        for one, two in ((name, matrix), (matrix, name)):
            body = ["mul", ["ref", one, ["@i", "@j"]], ["ref", two, ["@j", "@k"]]]
            lhs, rhs = ["sum", [["@j", n]], body], ["delta", "@i", "@k"]
            letters = [["@i", n], ["@k", n]]
            self.facts["inverse", one] = {"letters": letters, "lhs": lhs, "rhs": rhs}

    def least(self, size: Tree) -> int:
        """The least value of a size, as those at sizes 1 to 3 say."""
        names = sorted(names_in(size))
        points = (dict(zip(names, p, strict=True)) for p in tuples((1, 2, 3), repeat=len(names)))
        return int(min(Field(self, p, 0).ratio(size) for p in points))

    def sign(self, tree: Tree) -> int:
        """2 where an expression is > 0, 1 where it is ≥ 0, 0 where that is not known."""
        match tree:
            case str():
                return (number(tree) > 0) + (number(tree) >= 0)
            case ["add", *parts]:
                signs = [self.sign(t) for t in parts]
                return max(signs) if 0 not in signs else 0
            case ["mul", *parts]:
                return min(map(self.sign, parts))
            case ["pow", base, e]:
                even = number(e).denominator > 1 or number(e) % 2 == 0
                return max(self.sign(base), int(even))
            case ["ref", name, _]:
                t = self.tensors.get(name, {"sign": "+", "role": "size"})
                at_least_0 = t["role"] == "place" or t["sign"] == "0+"
                return 2 if t["sign"] == "+" or t["role"] == "pi" else int(at_least_0)
            case ["call", name, *args] if name not in SIGNS and name in self.functions:
                return self.sign(self.written_out(name, args))
            case ["call", name, *_]:
                return SIGNS.get(name, 0)
            case ["sum", pairs, body]:
                return min(self.sign(body), 2 if all(self.least(n) > 0 for _, n in pairs) else 1)
            case ["max", _, args]:
                return max(map(self.sign, args))
        return int(tree[0] in ("delta", "mask", "argmax"))

    def behind(self, name: str) -> set[str]:
        """A name and those that its definition depends on."""
        t = self.tensors.get(name, {"of": [], "role": "size"})
        used = names_in(self.definitions.get(name, {"body": []})["body"])
        used |= set(t["of"]) if t["role"] in OF_MATRIX else set()
        return {name}.union(*(self.behind(n) for n in used - {name}))

    # --------------------------------------------------------------------------- derivatives

    def derivative(self, of: Tree, wrt: Tree, said: Tree = None) -> Tree:
        """∂of/∂wrt by the chain rule, the definition of `of` opened, no other."""
        shape, base = self.tensors[wrt[1]]["shape"], of
        pairs = [[next(self.fresh), n, s] for n, s in zip(shape, wrt[2], strict=True)]
        while base[0] == "d":
            base = base[1]
        if base[1] in self.definitions and of[0] == "d":
            of = self.derivative(of[1], of[2], said)
        elif base[1] in self.definitions and base[1] != wrt[1]:
            body = self.definitions[base[1]]
            there = [[x, n, s] for (x, n), s in zip(body["letters"], of[2], strict=True)]
            of = ["let", there, said or body["body"]]
        return ["let", pairs, self.diff(of, [wrt[1], [x for x, *_ in pairs]])]

    def diff(self, tree: Tree, x: Tree) -> Tree:
        """The derivative of an expression by a component [name, slots]."""
        match tree:
            case ["add", *parts]:
                return ["add", *(self.diff(t, x) for t in parts)]
            case ["mul", *parts]:
                ways = ([*parts[:k], self.diff(t, x), *parts[k + 1 :]] for k, t in enumerate(parts))
                return ["add", *(["mul", *way] for way in ways)]
            case ["pow", base, e]:
                return ["mul", e, ["pow", base, str(number(e) - 1)], self.diff(base, x)]
            case ["call", name, *args] if name not in SLOPES and name in self.functions:
                return self.diff(self.written_out(name, args), x)
            case ["call", name, inner]:
                return ["mul", put(SLOPES[name], inner), self.diff(inner, x)]
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
                    on = ["call", "step", ["add", top, ["mul", "-1", t]]]
                    off = ["add", "1", ["mul", "-1", on]]
                    slope = ["add", ["mul", on, slope], ["mul", off, self.diff(t, x)]]
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
        opaque, base = ["d", atom, ["ref", name, at]], atom
        while base[0] == "d":
            base = base[1]
        t = self.tensors.get(base[1], {"role": "size", "of": []})
        role, through = t["role"], [o for o in t["of"] if name in self.behind(o)]
        inside = self.tensors[name]["role"] != "undefined"  # everything may depend on what is not
        if atom[:2] == ["ref", name]:
            return self.unit(atom[2], x)
        if base[1] in self.definitions:
            return opaque if atom[0] == "d" or name in self.behind(base[1]) else "0"
        if role in OF_MATRIX:
            return self.matrix_slope(atom, t, x) if through else "0"
        free = role == "undefined" or (role == "loss" and (through or not t["of"]))
        if role in ("size", "pi") or (inside and not free):
            return "0"  # inputs are independent
        if not through or name in through:
            return opaque
        found: list[Tree] = ["add"]
        for o in through:
            pairs = [[next(self.fresh), n] for n in self.tensors[o]["shape"]]
            there = ["ref", o, [y for y, _ in pairs]]
            found.append(["sum", pairs, ["mul", ["d", atom, there], self.slope(there, x)]])
        return found

    def matrix_slope(self, atom: Tree, t: Any, x: Tree) -> Tree:
        """dM⁻¹ = −M⁻¹ dM M⁻¹ and d det M = det M tr(M⁻¹ dM)."""
        (m,) = t["of"]
        inverse = next(
            n for n, u in self.tensors.items() if u["role"] == "inverse" and u["of"] == [m]
        )
        p, q = next(self.fresh), next(self.fresh)
        pairs = [[y, n] for y, n in zip((p, q), self.tensors[m]["shape"], strict=True)]
        inner = self.slope(["ref", m, [p, q]], x)
        if t["role"] == "inverse":
            left, right = ["ref", atom[1], [atom[2][0], p]], ["ref", atom[1], [q, atom[2][1]]]
            return ["sum", pairs, ["mul", "-1", left, right, inner]]
        change = ["sum", pairs, ["mul", ["ref", inverse, [q, p]], inner]]
        return ["mul", atom, change] if t["role"] == "det" else change

    def unit(self, slots: Tree, x: Tree) -> Tree:
        """∂T_ij/∂T_mn = δ_im δ_jn, averaged over the declared symmetry; slots count modulo n."""
        (name, at), found = x, list[Tree]()
        shape, symmetry = (self.tensors[name][k] for k in ("shape", "symmetry"))
        ways = list(permutations(range(len(at)))) if symmetry else [tuple(range(len(at)))]
        for way in ways:
            side = parity(way) if symmetry == "antisymmetric" else 1
            deltas = (["delta", slots[k], at[p], shape[k]] for k, p in enumerate(way))
            found.append(["mul", str(Fraction(side, len(ways))), *deltas])
        return ["add", *found]
