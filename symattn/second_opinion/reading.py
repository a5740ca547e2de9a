"""How the second opinion reads a certificate: expressions, definitions and derivatives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import chain, permutations
from typing import Any, TypeAlias

from .algebra import (
    F1,
    HALF,
    OF_MATRIX,
    ONE,
    PI,
    SLOPES,
    ZERO,
    Node,
    Poly,
    Refused,
    Tensor,
    Work,
    call,
    counts,
    delta,
    ends,
    free,
    fresh,
    is_lone,
    is_turned,
    key,
    linear,
    lone,
    merged,
    parity,
    poly,
    product,
    ref,
    sign,
    times,
)
from .scopes import Normal, argmax, largest, opened, put, same, total

Tree: TypeAlias = Any  # JSON
POWER_SUMS = {  # Σ_{j<n} j^e by powers of n
    F1: ((2, HALF), (1, -HALF)),
    F1 * 2: ((3, Fraction(1, 3)), (2, -HALF), (1, Fraction(1, 6))),
    F1 * 3: ((4, Fraction(1, 4)), (3, -HALF), (2, Fraction(1, 4))),
}
Scope: TypeAlias = Mapping[str, Node]  # letters, and indices of binders around
Leaf: TypeAlias = Callable[[Node], Poly]


class Reader(Normal):
    """Expressions and normal forms of the trees of a certificate, by what it declares."""

    def __init__(self, data: Tree) -> None:
        self.kept: frozenset[str] | None = None  # definitions not to open; None: open none
        self.last = True  # which of equal maxima counts in derivatives
        self.needs: set[str] = set()  # where what was read is defined, factor by factor
        self.bases: set[tuple[str, Poly]] = set()  # the same as it was written
        self.inside: dict[int, Any] = {}  # nodes whose values are remembered, and their letters
        self.tensors = {n: Tensor(n, positive=True, role="size") for n in data["sizes"]}
        self.sizes = list(self.tensors)
        for name, t in data["tensors"].items():
            if name in self.tensors:
                raise Refused(f"{name} is declared twice")
            shape = tuple(self.size(n) for n in t["shape"])
            of = (t["role"], tuple(t["of"]), self.tensors)
            new = Tensor(name, shape, t["positive"], t["symmetry"], *of)
            self.tensors[name] = PI if t["role"] == "pi" else new
        whole = str([data[k] for k in ("claim", "tensors", "definitions", "facts")])
        ranges = [size for size in data.get("ranges", []) if str(size) in whole]
        Work.ranges = frozenset(map(self.size, ranges))
        self.definitions = {n: self.scoped(d, "body") for n, d in data["definitions"].items()}
        self.facts = [self.scoped(fact, "lhs", "rhs") for fact in data["facts"]]
        for t in [t for t in self.tensors.values() if t.role == "inverse" and t.symmetry]:
            if t.symmetry != self.tensors[t.of[0]].symmetry and not self.symmetric(t):
                raise Refused(f"{t.name} is not known to be {t.symmetry}")

    def symmetric(self, t: Tensor) -> bool:
        """An inverse is symmetric where the body of its matrix is."""
        if t.of[0] not in self.definitions or t.symmetry != "symmetric":
            return False
        i, j = (lone(fresh(n)) for n in t.shape)
        return same(self.body(t.of[0], (i, j)), self.body(t.of[0], (j, i)))

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

    def counted(self, p: Poly) -> Poly:
        """Sums of one mask or of one power of an index, as numbers."""
        return merged(t for m, c in p for t in times(map(self.count, m)) * c)

    def count(self, factor: Node) -> Poly:
        """Σ_j [j ≤ r] = r + 1 and Σ_j [j ≥ r] = n − r, between 0 and n; Σ_j j^e for e ≤ 3."""
        atom, e = factor
        if atom[0] != "sum" or e != 1:
            return product([factor])
        letters, (body,) = opened(atom)
        for x in letters:
            ((mono, c),) = body
            touched = [(a, k) for a, k in mono if x in free(a)]
            if len(touched) != 1:
                continue
            (a, k), n, found = touched[0], x[3], ZERO
            if a[0] == "mask" and abs(turn := dict(a[1][0])[x]) == 1:
                number = linear((a[1], 1), (lone(x), -turn), (ONE if turn < 0 else n, 1))
                low, high = ends(number)
                if counts(low) and counts(n - high):
                    places = ((self.numbers(y[3]), d, y) for y, d in number[0])
                    refs = (ref(t, (lone(y),)) * d for t, d, y in places)
                    found = merged(chain(number[1], *refs))
            elif a[0] == "ref" and a[1].role == "place" and k in POWER_SUMS:
                found = merged(chain(*(n**d * c for d, c in POWER_SUMS[k])))
            if found:
                rest = Poly({(frozenset(f for f in mono if f != (a, k)), c)})
                return self.counted(total([y for y in letters if y != x], rest * found))
        return product([factor])

    def numbers(self, size: Poly) -> Tensor:
        """The tensor 0, 1, … of an axis."""
        found = (t for t in self.tensors.values() if t.role == "place" and t.shape == (size,))
        return next(found, None) or Tensor(f"place {key(size)}", (size,), role="place")

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
        inside = wrt.role != "undefined"  # what stands outside, everything may depend on
        if t.role in ("size", "pi") or (base.role not in ("loss", "undefined") and inside):
            return ZERO  # inputs are independent
        through = [self.tensors[o] for o in base.of if wrt.name in self.behind(o)]
        if not through and base.of and base.role == "loss" and inside:
            return ZERO  # a loss of what does not depend on X
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
        mono = next(iter(p))[0] if len(p) == 1 else frozenset[Any]()  # x/y > 0: none of them is 0
        apart = {f"≠ 0{shape(a)}" for a, _ in mono if sign(a) < 2}
        own = p**-1 if is_turned(mono) else p
        return {relation + shape(own), *apart} if sign(p) < 2 else set()
    bar, e = (2, Fraction(-1)) if relation == "≠ 0" else (1, Fraction(1, 2))
    atoms = ((a, k) for m, _ in p**e for a, k in m)
    return {relation + shape(a) for a, k in atoms if sign(a) < bar and (k < 0 or k.denominator > 1)}


def shape(node: Node, known: frozenset[Node] = frozenset()) -> str:
    """The content of a node, letters that are not known told apart by their ranges only."""
    return key(node, {x: f"[{key(x[3])}]" for x in free(node) - known})


# --------------------------------------------------------------------------------- derivatives


def diff(p: Poly, leaf: Leaf, last: bool = True) -> Poly:
    """The derivative of p, `leaf` giving that of a component; of equal maxima the `last` counts."""
    found = ZERO
    for m, c in p:
        for a, e in m:
            inner = _slope(a, leaf, last)
            if inner:
                found = found + inner * product([*(m - {(a, e)}), (a, e - 1)]) * (c * e)
    return found


def _slope(atom: Node, leaf: Leaf, last: bool) -> Poly:
    match atom:
        case ("ref", *_):
            return leaf(atom)
        case ("call", name, x):
            inner = diff(x, leaf, last)
            return SLOPES[name](x) * inner if inner else ZERO
        case ("poly", x):
            return diff(x, leaf, last)
        case ("unknown", name, orders, args):
            found = ZERO
            for k, x in enumerate(args):
                raised = tuple(o + (n == k) for n, o in enumerate(orders))
                found = found + poly(("unknown", name, raised, args)) * diff(x, leaf, last)
            return found
        case ("sum", *_):
            letters, (body,) = opened(atom)
            return total(letters, diff(body, leaf, last))
        case ("max", (), args):
            ordered = sorted(args, key=key, reverse=last)
            (top, slope), *others = [(x, diff(x, leaf, last)) for x in ordered]
            for x, s in others:
                slope = slope + call("step", x - top) * (s - slope)
                top = largest((), [top, x])
            return slope
        case ("max", *_):
            (letters, (body,)), (new, (other,)) = opened(atom), opened(atom)
            hot = argmax([lone(x) for x in letters], new, other)
            return total(letters, hot * diff(body, leaf, last))
    return ZERO
