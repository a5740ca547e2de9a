"""A second opinion on a certificate: every step done again by other means, nothing of it believed.

It reads plain JSON and shares no module with the engine.  A step is re-derived when both its sides
have one normal form by the laws of `second_laws`, as a definition, a fact or a derivative where it
says so, and evaluated by loops over small sizes: in fractions, or to 60 digits where functions
occur.  A certificate passes when its steps lead from the claim to 0, one from where the last ended,
all re-derived, none contradicted, and none presupposes what the claim does not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, permutations
from itertools import product as tuples
from math import prod
from random import Random
from typing import Any, NamedTuple, TypeAlias

import mpmath

from .second_laws import (
    BINDERS, F1, OF_MATRIX, ONE, PI, PLAINER, ZERO, Node, Normal, Poly, Refused, Tensor, below,
    delta, diff, free, fresh, is_lone, key, linear, lone, mask, parity, poly, put, ref, same, sign,
    times, total,
)  # fmt: skip

Tree: TypeAlias = Any  # JSON
Scope: TypeAlias = Mapping[str, Node]  # letters, and indices of binders around
DIGITS = 60

# --------------------------------------------------------------------------------------- reading

class Reader(Normal):
    """Expressions and normal forms of the trees of a certificate, by what it declares."""

    def __init__(self, data: Tree) -> None:
        self.kept: frozenset[str] | None = None  # definitions not to open; None: open none
        self.last = True  # which of equal maxima counts in derivatives
        self.needs: set[str] = set()  # where what was read is defined, factor by factor
        self.bases: set[tuple[str, Poly]] = set()  # the same as it was written
        self.tensors = {n: Tensor(n, positive=True, role="size") for n in data["sizes"]}
        self.sizes = list(self.tensors)
        for name, t in data["tensors"].items():
            if name in self.tensors:
                raise Refused(f"{name} is declared twice")
            shape = tuple(self.size(n) for n in t["shape"])
            of = (t["role"], tuple(t["of"]), self.tensors)
            new = Tensor(name, shape, t["positive"], t["symmetry"], *of)
            self.tensors[name] = PI if t["role"] == "pi" else new
        self.definitions = {n: self.scoped(d, "body") for n, d in data["definitions"].items()}
        self.facts = [self.scoped(fact, "lhs", "rhs") for fact in data["facts"]]

    def scoped(self, tree: Tree, *parts: str) -> Tree:
        """Letters, and expressions in which they are free."""
        letters = self.letters(tree["letters"])
        return letters, *(self.parse(tree[k], letters) for k in parts)

    def letters(self, pairs: Tree, new: bool = True) -> dict[str, Node]:
        """Letters of binders as new ones, letters of a claim under their names."""
        sizes = [(letter, self.size(size)) for letter, size in pairs]
        if any(not x.startswith("@") for x, _ in sizes) or len(dict(sizes)) < len(sizes):
            raise Refused("a letter is bound twice or is no letter")
        return {x: fresh(size) if new else ("i", 0, x, size) for x, size in sizes}

    def size(self, tree: Tree) -> Poly:
        p: Poly = Normal().walk(self.parse(tree, {}), {})
        return p

    def parse(self, tree: Tree, scope: Scope) -> Node:
        """An expression with de Bruijn indices for its bound letters."""
        match tree:
            case str():
                return poly(Fraction(tree))
            case ["add" | "mul", *parts]:
                return (tree[0], *(self.parse(t, scope) for t in parts))
            case ["pow", base, e]:
                return ("pow", self.parse(base, scope), Fraction(e))
            case ["ref", name, slots]:
                t = self.tensors[name]
                if len(slots) != len(t.shape):
                    raise Refused(f"{name} has {len(t.shape)} slots")
                return ("ref", t, tuple(place(s, scope, self) for s in slots))
            case ["d", of, wrt]:
                return ("d", self.parse(of, scope), self.parse(wrt, scope))
            case ["delta", a, b, *n]:
                gap = linear((place(a, scope, self), 1), (place(b, scope, self), -1))
                return ("delta", gap, self.size(n[0]) if n else ZERO)
            case ["mask", slot]:
                return ("mask", place(slot, scope, self))
            case ["call", name, x]:
                return ("call", name, self.parse(x, scope))
            case ["unknown", name, orders, args]:
                values = tuple(self.parse(t, scope) for t in args)
                return ("unknown", name, tuple(map(Fraction, orders)), values)
            case ["sum" | "max" | "argmax", *at, pairs, body]:
                inner = {x: k + len(pairs) if isinstance(k, int) else k for x, k in scope.items()}
                inner |= {x: k for k, x in enumerate(self.letters(pairs))}
                sizes = tuple(self.size(size) for _, size in pairs)
                if tree[0] == "max":
                    return ("max", sizes, tuple(self.parse(t, inner) for t in body))
                slots = [tuple(place(s, scope, self) for s in at[0])] if at else []
                return (tree[0], *slots, sizes, self.parse(body, inner))
        raise Refused(f"no expression: {tree!r}")

    def normal(self, node: Node, kept: Iterable[str] | None = None) -> Poly:
        """The normal form; with `kept`, all other definitions opened and derivatives evaluated."""
        self.kept = None if kept is None else frozenset(kept)
        p: Poly = self.walk(node, {})
        return p

    def power(self, x: Poly, e: Fraction) -> Poly:
        self.require("≠ 0", x, e < 0)
        self.require("≥ 0", x, e.denominator > 1)
        return x**e

    def call(self, name: str, x: Poly) -> Poly:
        self.require("> 0", x, name == "log")
        p: Poly = super().call(name, x)
        return p

    def require(self, relation: str, p: Poly, used: bool) -> None:
        """Notes where p is as it must, unless that is known."""
        found = needs(relation, p) if used else set()
        self.needs |= found
        self.bases |= {(relation, p)} if found else set()

    def ref(self, t: Tensor, slots: Sequence[Node]) -> Poly:
        """A component, opened where it is defined and definitions are to be."""
        closed = self.kept is None or t.name in self.kept or t.name not in self.definitions
        return ref(t, slots) if closed else self.body(t.name, slots)

    def body(self, name: str, slots: Sequence[Node]) -> Poly:
        """The body of a definition at these slots: B_{i−1} = Σ_k [k = i − 1 modulo n] B_k."""
        letters, body = self.definitions[name]
        p, pairs = self.walk(body, {}), list(zip(letters.values(), slots, strict=True))
        try:
            return put(p, dict(pairs))
        except Refused:  # an index counts from the end
            here = [delta(linear((lone(x), 1), (s, -1)), x[3]) for x, s in pairs]
            return total([*letters.values()], times([*here, p]))

    # ----------------------------------------------------------------------------- derivatives

    def partial(self, of: Node, t: Tensor, at: Any, env: Mapping[Node, Node]) -> Poly:
        """∂of/∂t: through all definitions but `kept`, or as it stands where these are closed."""
        p = self.walk(of, env)
        if self.kept is not None:
            return diff(p, lambda atom: self.slope(atom, t, at), self.last)
        ((((atom, _),), _),) = p
        return self.unevaluated(atom, t, at)

    def unevaluated(self, atom: Node, wrt: Tensor, at: Sequence[Node]) -> Poly:
        """∂of/∂wrt as it stands; ∂²L/∂y∂x = ∂²L/∂x∂y."""
        _, base, slots = atom
        parts = [(wrt, tuple(at))]
        while base.role == "partial":
            base, last = (self.tensors[name] for name in base.of)
            cut = len(slots) - len(last.shape)
            slots, own = slots[:cut], slots[cut:]
            parts.append((last, own))
        for w, own in sorted(parts, key=key):
            name = f"∂{base.name}/∂{w.name}"
            new = Tensor(name, base.shape + w.shape, False, "", "partial", (base.name, w.name))
            base, slots = self.tensors.setdefault(name, new), (*slots, *own)
        return ref(base, slots)

    def slope(self, atom: Node, wrt: Tensor, at: Sequence[Node]) -> Poly:
        """∂T/∂X: δ's for X itself, definitions and abstract losses by the chain rule."""
        _, t, slots = atom
        if t is wrt:
            return unit(t, slots, at)
        if t.name in self.definitions:
            return diff(self.body(t.name, slots), lambda a: self.slope(a, wrt, at), self.last)
        if t.role in OF_MATRIX:
            return self.matrix_slope(atom, wrt, at)
        base = t
        while base.role == "partial":
            base = self.tensors[base.of[0]]
        if base.role not in ("loss", "undefined"):
            return ZERO  # inputs are independent
        through = [self.tensors[o] for o in base.of if wrt.name in self.behind(o)]
        if not through or wrt in through:
            return self.unevaluated(atom, wrt, at)
        found = ZERO
        for o in through:
            letters = [fresh(n) for n in o.shape]
            places = tuple(map(lone, letters))
            outer = self.unevaluated(atom, o, places)
            found = found + total(letters, outer * self.slope(("ref", o, places), wrt, at))
        return found

    def matrix_slope(self, atom: Node, wrt: Tensor, at: Sequence[Node]) -> Poly:
        """dM⁻¹ = −M⁻¹ dM M⁻¹ and d det M = det M tr(M⁻¹ dM)."""
        _, t, slots = atom
        m = self.tensors[t.of[0]]
        name = f"inverse({m.name})"
        new = Tensor(name, m.shape, False, m.symmetry, "inverse", t.of, self.tensors)
        inverse, (p, q) = self.tensors.setdefault(name, new), (fresh(n) for n in m.shape)
        inner = self.slope(("ref", m, (lone(p), lone(q))), wrt, at)
        if t.role == "inverse":
            sides = ref(inverse, [slots[0], lone(p)]) * ref(inverse, [lone(q), slots[1]])
            return -total([p, q], sides * inner)
        change = total([p, q], ref(inverse, [lone(q), lone(p)]) * inner)
        return change * poly(atom) if t.role == "det" else change

    def behind(self, name: str) -> set[str]:
        """A name and those that its definition depends on."""
        t = self.tensors[name]
        used = names_in(self.definitions.get(name)) | set(t.of if t.role in OF_MATRIX else ())
        return {name}.union(*(self.behind(n) for n in used - {name}))

def unit(t: Tensor, slots: Sequence[Node], at: Sequence[Node]) -> Poly:
    """∂T_ij/∂T_mn = δ_im δ_jn, averaged over the declared symmetry."""
    ways = list(permutations(range(len(at)))) if t.symmetry else [tuple(range(len(at)))]
    found = ZERO
    for way in ways:
        pairs = [(slots[k], at[p], t.shape[k]) for k, p in enumerate(way)]
        deltas = (equal(a, b, n) for a, b, n in pairs)
        odd = t.symmetry == "antisymmetric" and parity(way) < 0
        found = found + times(deltas) * Fraction(-1 if odd else 1, len(ways))
    return found

def equal(a: Node, b: Node, size: Poly) -> Poly:
    """δ of two slots; what is more than a letter counts modulo the size."""
    gap = linear((a, 1), (b, -1))
    return delta(gap) if is_lone(a) and is_lone(b) else delta(gap, size)

def place(tree: Tree, scope: Scope, reader: Reader) -> Node:
    """A letter, or ["affine", [[letter, coefficient], …], constant]."""
    if isinstance(tree, str):
        return lone(scope[tree])
    _, items, const = tree
    return linear(*((lone(scope[x]), Fraction(c)) for x, c in items), (reader.size(const), 1))

def names_in(node: Node) -> set[str]:
    """The tensors that occur in an expression."""
    if isinstance(node, Tensor):
        return {node.name}
    many = isinstance(node, tuple | frozenset)
    return set().union(*map(names_in, node)) if many else set()

def needs(relation: str, p: Poly) -> set[str]:
    """Where 1/p, √p or log p is defined: factors that are not known to be as they must."""
    if relation == "> 0":
        return {relation + shape(p)} if sign(p) < 2 else set()
    bar, e = (2, Fraction(-1)) if relation == "≠ 0" else (1, Fraction(1, 2))
    atoms = ((a, k) for m, _ in p**e for a, k in m)
    return {relation + shape(a) for a, k in atoms if sign(a) < bar and (k < 0 or k.denominator > 1)}

def shape(node: Node, known: frozenset[Node] = frozenset()) -> str:
    """The content of a node, letters that are not known told apart by their ranges only."""
    return key(node, {x: f"[{key(x[3])}]" for x in free(node) - known})

# --------------------------------------------------------------------------------- small sizes

FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "softplus": lambda x: mpmath.log(1 + mpmath.exp(x)),
    "step": lambda x: mpmath.mpf(x >= 0),
}

class Undefined(Exception):
    """No value here: a division by 0, a root of a negative number, an index out of range."""

class Inexact(Exception):
    """The value is not rational."""

class Point(Normal):
    """Values by loops: sizes given, inputs drawn, exact where no function or root occurs."""

    def __init__(self, reader: Reader, sizes: Mapping[str, int], seed: int, exact: bool) -> None:
        self.reader, self.sizes, self.seed, self.exact = reader, sizes, seed, exact
        self.moved: dict[Any, Any] = {}  # components moved along a derivative
        self.known: dict[Any, Any] = {}

    def number(self, c: Fraction) -> Any:
        return Fraction(c) if self.exact else mpmath.mpf(c.numerator) / c.denominator

    def size(self, p: Poly) -> int:
        return int(sum(c * prod(self.sizes[a[1].name] ** int(e) for a, e in m) for m, c in p))

    def slot(self, slot: Node, env: Mapping[Node, int]) -> int:
        return int(sum(c * env[x] for x, c in slot[0])) + self.size(slot[1])

    def add(self, parts: Iterable[Any]) -> Any:
        return sum(parts, self.number(Fraction(0)))

    def times(self, parts: Iterable[Any]) -> Any:
        return prod(parts, start=self.number(F1))

    def power(self, x: Any, e: Fraction) -> Any:
        if x == 0 and e < 0:
            raise Undefined
        return x ** int(e) if e.denominator == 1 else self.real(lambda: x ** self.number(e))

    def real(self, f: Callable[[], Any]) -> Any:
        """A finite real value by mpmath."""
        if self.exact:
            raise Inexact
        x = f()
        if not isinstance(x, mpmath.mpf) or not mpmath.isfinite(x):
            raise Undefined
        return x

    def delta(self, slot: int, modulus: Poly) -> Any:
        return self.number(Fraction((slot % self.size(modulus) if modulus else slot) == 0))

    def mask(self, slot: int) -> Any:
        return self.number(Fraction(slot >= 0))

    def call(self, name: str, x: Any) -> Any:
        return self.real(lambda: (FUNCTIONS.get(name) or getattr(mpmath, name))(x))

    def unknown(self, name: str, orders: Node, args: list[Any]) -> Any:
        """A function that nothing defines: a sum of two exponentials drawn by its name."""
        found: Any = 0
        for m in range(2):
            draw = Random(f"{name} {m}")
            weights = [Fraction(draw.randint(1, 40), 31) for _ in args]
            turn = self.add(self.number(w) * x for w, x in zip(weights, args, strict=True))
            slope = prod(w ** int(k) for w, k in zip(weights, orders, strict=True))
            found = found + self.call("exp", turn) * self.number(slope)
        return found

    def bind(self, node: Node, env: Mapping[Node, int]) -> Any:
        """Σ, max and argmax by loops over the ranges."""
        points = list(tuples(*(range(self.size(n)) for n in node[-2])))
        if node[0] == "sum":
            return self.add(self.walk(node[-1], below(env, p)) for p in points)
        bodies = node[-1] if node[0] == "max" else [node[-1]]
        found = [(self.walk(b, below(env, p)), p) for p in points for b in bodies]
        if not found:
            raise Undefined
        best = max(found, key=lambda x: x[0])
        if node[0] == "max":
            return best[0]
        return self.number(Fraction(best[1] == tuple(self.slot(s, env) for s in node[1])))

    def ref(self, t: Tensor, slots: Any) -> Any:
        """A size, a drawn number or the value of a definition; indices count from the end, too."""
        if t.role == "size":
            return self.number(Fraction(self.sizes[t.name]))
        lengths, turn = [self.size(n) for n in t.shape], 1
        if any(not -n <= s < n for s, n in zip(slots, lengths, strict=True)):
            raise Undefined
        slots = tuple(s % n for s, n in zip(slots, lengths, strict=True))
        if t.symmetry:
            order = sorted(range(len(slots)), key=lambda k: slots[k])
            if t.symmetry == "antisymmetric":
                turn = parity(order) if len(set(slots)) == len(slots) else 0
            slots = tuple(sorted(slots))
        if (t, slots) not in self.known:
            self.known[t, slots] = self.value(t, slots)
        return (self.known[t, slots] + self.moved.get((t, slots), 0)) * turn

    def value(self, t: Tensor, slots: tuple[int, ...]) -> Any:
        if t is PI:
            return self.real(lambda: +mpmath.pi)
        if t.name in self.reader.definitions:
            letters, body = self.reader.definitions[t.name]
            return self.walk(body, dict(zip(letters.values(), slots, strict=True)))
        if t.role in OF_MATRIX:
            m = t.all[t.of[0]]
            n = range(self.size(m.shape[0]))
            matrix = mpmath.matrix([[self.real(lambda x=(r, c): self.ref(m, x)) for c in n] for r in n])
            if t.role == "inverse":
                return (matrix**-1)[slots]
            det = mpmath.det(matrix)
            return det if t.role == "det" else self.real(lambda: mpmath.log(abs(det)))
        if t.role == "loss":  # Σ w O² over all that it is a function of
            outputs = [t.all[o] for o in t.of]
            parts = ((o, p) for o in outputs for p in tuples(*(range(self.size(n)) for n in o.shape)))
            return self.add(self.ref(o, p) ** 2 * Random(f"{t.name}{p}").randint(1, 9) for o, p in parts)
        draw = Random(f"{self.seed} {t.name} {slots}")
        q = Fraction(draw.randint(1, 96), 61)
        return self.number(q if t.positive or draw.random() < 0.6 else -q)

    def partial(self, of: Node, t: Tensor, at: Any, env: Mapping[Node, Any]) -> Any:
        """A central difference with steps of 10^-15, good to 25 digits."""
        h = self.real(lambda: mpmath.mpf(10) ** -15)
        spot, share = at, Fraction(1)
        if t.symmetry:
            order = sorted(range(len(at)), key=lambda k: at[k])
            odd = t.symmetry == "antisymmetric"
            turn = (parity(order) if len(set(at)) == len(at) else 0) if odd else 1
            spot, share = tuple(sorted(at)), Fraction(turn, len(set(permutations(at))))
        moved, known, found = dict(self.moved), self.known, []
        for step in (h, -h):
            self.moved = {**moved, (t, spot): moved.get((t, spot), 0) + step}
            self.known = {k: v for k, v in known.items() if k[0].role == "input"}
            found.append(self.walk(of, env))
        self.moved, self.known = moved, known
        return (found[0] - found[1]) / (2 * h) * self.number(share)

# ------------------------------------------------------------------------------------- the steps

class Checked(NamedTuple):
    """What became of a step."""
    law: str
    rederived: bool
    points: int  # where both sides were evaluated
    problem: str = ""

class Opinion(NamedTuple):
    """What became of a certificate: its steps so far, and what is wrong with it."""
    steps: tuple[Checked, ...]
    problem: str = ""

    @property
    def ok(self) -> bool:
        """The claim leads to 0 by steps that are all re-derived, none contradicted."""
        return not self.problem

def check(data: Tree) -> Opinion:
    """The certificate done again, step by step; it ends at the first that is not right."""
    rows: list[Checked] = []
    try:
        reader, claim = Reader(data), data["claim"]
        letters = reader.letters(claim["free"], new=False)
        tree: Tree = ["add", claim["lhs"], ["mul", "-1", claim["rhs"]]]
        bodies = [body for _, *parts in (*reader.definitions.values(), *reader.facts) for body in parts]
        for node in (reader.parse(tree, letters), *bodies):
            reader.normal(node)
        allowed = set(reader.needs)
        for step in data["steps"]:
            row, tree = Step(reader, tree, letters, step).done(allowed)
            rows.append(row)
            if row.problem:
                return Opinion(tuple(rows), f"step {len(rows)}, {row.law}: {row.problem}")
        return Opinion(tuple(rows), "" if tree == "0" else "the last expression is not 0")
    except Refused as error:
        return Opinion(tuple(rows), str(error))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError) as error:
        return Opinion(tuple(rows), f"it cannot be read: {type(error).__name__}: {error}")

class Step:
    """A step at its place in the expression, the binders around it opened."""

    def __init__(self, reader: Reader, tree: Tree, scope: Scope, step: Tree) -> None:
        self.reader, self.tree, self.step, self.scope = reader, tree, step, dict(scope)
        for k in step["at"]:
            if tree[0] in BINDERS and k == len(tree) - 1:
                self.scope |= reader.letters(tree[-2])
            tree = tree[k]
        self.site = reader.parse(tree, self.scope)
        self.before, self.after = (reader.parse(step[k], self.scope) for k in ("before", "after"))

    def done(self, allowed: set[str]) -> tuple[Checked, Tree]:
        """What became of the step, and the expression after it."""
        law, good, points = self.step["law"], False, 0
        problem = self.misplaced(allowed)
        if not problem:
            try:
                good = LAWS[law](self)
                problem = "" if good else "evaluated only"
            except Refused as error:
                problem = str(error)
            if law != "fact":
                points, contradiction = self.evaluated()
                problem = contradiction or problem
        return Checked(law, good, points, problem), self.replaced(self.tree, self.step["at"])

    def replaced(self, tree: Tree, path: Sequence[int]) -> Tree:
        """The expression with what is after the step in its place."""
        if not path:
            return self.step["after"]
        return [self.replaced(x, path[1:]) if n == path[0] else x for n, x in enumerate(tree)]

    def misplaced(self, allowed: set[str]) -> str:
        """Why the step does not follow the one before, or presupposes what it does not say."""
        if self.site != self.before:
            return "it does not begin where the last one ended"
        self.reader.needs, self.reader.bases = set(), set()
        self.sides()
        found, known = set(self.reader.needs), frozenset(self.scope.values())
        bases = {relation + shape(p, known) for relation, p in self.reader.bases}
        said = []
        for relation, pairs, base in self.step["side"]:
            scope = {**self.scope, **self.reader.letters(pairs)}
            said.append(relation + shape(self.reader.normal(self.reader.parse(base, scope)), known))
        if len(said) != len(bases) or set(said) != bases:
            return f"its side conditions are {sorted(bases)}"
        if self.step["law"] in ("derivative", "by exponentials"):
            allowed |= found  # a derivative exists where it is defined
        return "" if found <= allowed else "it presupposes more than the claim"

    def sides(self, kept: Iterable[str] | None = None) -> tuple[Poly, Poly]:
        return self.reader.normal(self.before, kept), self.reader.normal(self.after, kept)

    def equal(self) -> bool:
        """Both sides have one normal form."""
        return same(*self.sides())

    def plainer(self) -> bool:
        """A function by exponentials, sines and cosines."""
        tag, name, x = self.before
        return tag == "call" and same(PLAINER[name](self.reader.normal(x)), self.sides()[1])

    def derivative(self) -> bool:
        """∂of/∂wrt by the chain rule through all definitions opened but those of `wrt`."""
        node, kept = self.before, set[str]()
        while node[0] == "d":
            kept.add(node[2][1].name)
            node = node[1]
        for _, *sides in self.reader.facts:  # ∂/∂x says nothing where a fact ties x to other inputs
            names = names_in(tuple(sides))
            if names & kept and (names - kept) & self.reader.behind(node[1].name):
                raise Refused("a fact ties what is held fixed")
        matrices = (t.of for t in list(self.reader.tensors.values()) if t.role in OF_MATRIX)
        for self.reader.last in (True, False):
            if same(*self.sides(kept.union(*matrices))):
                return self.before[0] == "d"
        return False

    def definition(self) -> bool:
        """A defined component is its body, at slots where the letters of the body may stand."""
        tag, t, slots = self.before
        after = self.sides()[1]
        return tag == "ref" and same(self.reader.body(t.name, slots), after)

    def fact(self) -> bool:
        """An instance of a fact: slots of outer letters in place of its letters."""
        letters, *sides = self.reader.facts[self.step["fact"]]
        given = {x: place(self.step["instance"][n], self.scope, self.reader) for n, x in letters.items()}
        left, right = (put(self.reader.normal(side), given) for side in sides)
        before, after = self.sides()[:: -1 if self.step.get("backwards") else 1]
        return same(left, before) and same(right, after)

    def denominator(self) -> bool:
        """The whole expression times its several-term denominators, none of them 0 therefore."""
        p, q = self.sides()
        by = self.reader.parse(self.step["by"], self.scope)
        factors = [(f[1], -f[2]) if f[0] == "pow" else (f, -F1) for f in self.factors(by)]
        inverse = times(self.reader.normal(x) ** e for x, e in factors)
        worst: dict[Node, Fraction] = {}
        for a, e in (pair for m, _ in p for pair in m if pair[1] < 0):
            worst[a] = min(e, worst.get(a, e))
        whole = {a: e for a, e in worst.items() if a[0] == "poly"}
        ((below, c),) = inverse
        fine = c == 1 and whole == {a: e for a, e in below if a[0] == "poly"}
        fine = fine and all(sign(a) == 2 or a in worst for a, _ in below)
        return not self.step["at"] and fine and same(p * self.reader.normal(by), q)

    def factors(self, node: Node) -> Sequence[Node]:
        return node[1:] if node[0] == "mul" else (node,)

    def masks(self) -> bool:
        """[s ≥ 0] = 1 − [−s − 1 ≥ 0], or [i − j ≥ 0] = [i − j − 1 ≥ 0] + δ_ij."""
        tag, slot = self.before
        less, turned = linear((slot, 1), (ONE, -1)), linear((slot, -1), (ONE, -1))
        ways = (ONE - mask(turned), mask(less) + delta(slot))
        return tag == "mask" and any(same(p, self.sides()[1]) for p in ways)

    def evaluated(self) -> tuple[int, str]:
        """At how many points both sides were evaluated, and where they differ."""
        by = self.reader.parse(self.step.get("by", "1"), self.scope)
        found, letters = 0, [x for x in self.scope.values() if not isinstance(x, int)]
        for k, sizes in enumerate(chain(*[small(self.reader.sizes)] * 2)):
            for exact in (True, False):
                point, draw = Point(self.reader, sizes, k, exact), Random(k)
                try:
                    with mpmath.workdps(DIGITS):
                        env = {x: draw.randrange(point.size(x[3])) for x in letters}
                        left, right = (point.walk(x, env) for x in (("mul", by, self.before), self.after))
                        gap, scale = abs(left - right), abs(left) + abs(right) + 1
                except (Undefined, ValueError, ZeroDivisionError):
                    break  # an empty range, or no value here
                except Inexact:
                    continue
                if gap > (0 if exact else scale / 10**12):
                    return found, f"the sides differ at {sizes}, {[*env.values()]}"
                found += 1
                break
        return found, ""

LAWS: dict[str, Callable[[Step], bool]] = {
    "normal form": Step.equal,
    "by exponentials": Step.plainer,
    "derivative": Step.derivative,
    "definition": Step.definition,
    "fact": Step.fact,
    "common denominator": Step.denominator,
    "masks apart": Step.masks,
}

def small(names: Sequence[str]) -> Iterator[dict[str, int]]:
    """Sizes 1, sizes 2, and sizes that differ, in both orders."""
    yield dict.fromkeys(names, 1)
    yield dict.fromkeys(names, 2)
    for step in (1, -1):
        for start in (1, 2):
            yield {n: (k + start - 1) % 3 + 1 for k, n in enumerate(names[::step])}
