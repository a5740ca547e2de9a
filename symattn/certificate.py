"""The log of a proof as plain JSON: what is claimed, what it rests on, and every step to 0.

The prover's stages are gone through once more, slowly: each node whose parts are in normal form is
replaced by its own normal form, a component by its definition, a sum by a fact, an unevaluated
derivative by its value.  A step names its law, where it applies, the expression there before and
after, and where both are defined.  `symattn.second_opinion` reads this and nothing else.

    number  "3/2"                     ["add", t, …]  ["mul", t, …]  ["pow", t, "1/2"]
    tensor  ["ref", "A", [slot, …]]   ["d", of, wrt]: ∂of/∂wrt, not evaluated
    scopes  ["sum", [["@j", size]], t]  ["max", [["@j", size]], [t, …]]
            ["argmax", [slot, …], [["@j", size]], t]
    others  ["call", "exp", t]  ["unknown", "f", [order, …], [t, …]]  ["mask", slot]
            ["delta", slot, slot]  ["delta", slot, slot, size], modulo the size
    slot    "@i"                      ["affine", [["@i", "1"], …], constant]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, count
from typing import Any, TypeAlias

import sympy as sp

from . import laws, maxima, primitives, sums
from . import normalize as nf
from .canonical import key
from .derive import split_partial, total_derivative
from .errors import UnsupportedError
from .facts import Fact, Rules
from .ir import (
    ONE_TERM,
    OPENED,
    Argmax,
    Call,
    Delta,
    Index,
    Mask,
    Max,
    Num,
    Poly,
    Rational,
    Ref,
    Slot,
    Sum,
    Tensor,
    Term,
    Unknown,
    affine,
    number,
    rational,
    raw_atom,
    refs,
    slot_items,
)
from .laws import sign_of
from .model import Model, is_size, match
from .places import placeable

Tree: TypeAlias = Any
Path: TypeAlias = "tuple[int, ...]"
Names: TypeAlias = Mapping[Index, str]
Scope: TypeAlias = Mapping[str, Index]

FORMAT = "symattn certificate 1"
BINDERS = ("sum", "max", "argmax")


# ----------------------------------------------------------------------------------- IR → JSON


def written(node: Any, names: Names) -> Tree:
    """The tree of an expression, `names` saying how its free letters are called."""
    match node:
        case Poly():
            terms = sorted(node, key=lambda pair: key(pair[0]))
            return _collected("add", [_product(term, c, names) for term, c in terms], "0")
        case Ref() if node.tensor.parts:
            return ["d", *(written(side, names) for side in split_partial(node))]
        case Ref():
            return ["ref", node.tensor.name, [slot_tree(s, names) for s in node.slots]]
        case Delta():
            sizes = [size_tree(s.size) for s in (node.a, node.b) if isinstance(s, Index)]
            sides = [slot_tree(s, names) for s in (node.a, node.b)]
            return ["delta", *sides, *(sizes if len(sizes) == 1 else ())]
        case Mask():
            return ["mask", slot_tree(node.slot, names)]
        case Call(name=Unknown() as f):
            return ["unknown", f.name, [str(k) for k in f.orders], [written(a, names) for a in node.args]]
        case Call():
            return ["call", node.name, written(node.args[0], names)]
        case Num():
            return str(node.prime)
        case Sum() | Max() | Argmax():
            inner = _with_letters(node.bound, names)
            pairs = [[inner[b], size_tree(b.size)] for b in node.bound]
            if isinstance(node, Max):
                return ["max", pairs, [written(a, inner) for a in sorted(node.args, key=key)]]
            at = [[slot_tree(s, names) for s in node.at]] if isinstance(node, Argmax) else []
            return [type(node).__name__.lower(), *at, pairs, written(node.body, inner)]
    raise AssertionError(node)


def _collected(tag: str, items: list[Tree], empty: str) -> Tree:
    return [tag, *items] if len(items) > 1 else items[0] if items else empty


def _product(term: Term, c: Rational, names: Names) -> Tree:
    atoms = sorted(term, key=lambda pair: key(pair[0]))
    factors = [
        written(a, names) if e == 1 else ["pow", written(a, names), str(Fraction(e))]
        for a, e in atoms
    ]
    return _collected("mul", [str(Fraction(c))] * (c != 1) + factors, "1")


def _with_letters(bound: Sequence[Index], names: Names) -> dict[Index, str]:
    """The names, with some for bound letters that nothing in scope has."""
    inner = dict(names)
    for b in bound:
        wanted = f"@{b.name}" if b.level == 0 else ""
        free = (f"@{k}" for k in count(1))
        taken = set(inner.values())
        inner[b] = wanted if wanted and wanted not in taken else next(n for n in free if n not in taken)
    return inner


def slot_tree(slot: Slot, names: Names) -> Tree:
    """A letter, or an affine index."""
    if isinstance(slot, Index):
        return names[slot]
    items, const = slot_items(slot)
    return ["affine", [[names[i], str(c)] for i, c in items.items()], size_tree(const)]


def size_tree(size: sp.Expr) -> Tree:
    """A size as a tree."""
    if size.is_Rational:
        return str(Fraction(int(size.p), int(size.q)))
    if size.is_Symbol:
        return ["ref", size.name, []]
    if size.is_Pow:
        return ["pow", size_tree(size.base), str(Fraction(int(size.exp.p), int(size.exp.q)))]
    ordered = sorted(size.args, key=sp.default_sort_key)
    return ["add" if size.is_Add else "mul", *map(size_tree, ordered)]


def nameless(tree: Tree, bound: tuple[str, ...] = ()) -> Tree:
    """The tree with its bound letters numbered from the inside out."""
    if isinstance(tree, str):
        return bound.index(tree) if tree in bound else tree
    if tree and tree[0] in BINDERS:
        *head, pairs, body = tree
        letters = (*(letter for letter, _ in pairs), *bound)
        sizes = [size for _, size in pairs]
        return [*(nameless(x, bound) for x in head), sizes, nameless(body, letters)]
    return [nameless(x, bound) for x in tree]


# --------------------------------------------------------------------------------- the recorder


class Recorder:
    """An expression on its way to 0, and the steps so far."""

    def __init__(self, sides: tuple[Poly, Poly], m: Model, facts: Sequence[Fact]) -> None:
        self.model, self.facts = m, facts
        self.rules = Rules(facts)
        free = sorted(sides[0].free | sides[1].free, key=lambda i: i.sort)
        self.scope: dict[str, Index] = {f"@{i.name}": i for i in free}
        names = {i: n for n, i in self.scope.items()}
        self.claim = {
            "lhs": written(sides[0], names),
            "rhs": written(sides[1], names),
            "free": [[n, size_tree(i.size)] for n, i in self.scope.items()],
        }
        self.tree: Tree = ["add", self.claim["lhs"], ["mul", "-1", self.claim["rhs"]]]
        self.steps: list[Tree] = []
        self.tensors: dict[str, Tensor] = {}
        self._fresh = count(10_000)
        for node in (*sides, *(b.raw for b in m.bodies.values())):
            self._declare(node)
        for fact in facts:
            self._declare(fact.left)
            self._declare(fact.right)

    def _declare(self, node: Any) -> None:
        for r in refs(node):
            self._declare_tensor(r.tensor)

    def _declare_tensor(self, t: Tensor) -> None:
        if t.parts:
            for part in t.parts:
                self._declare_tensor(part)
            return
        self.tensors.setdefault(t.name, t)
        for other in t.of if t.role in ("inverse", "det", "logdet") else ():
            self._declare_tensor(other)

    # ------------------------------------------------------------------------------ JSON → IR

    def entered(self, pairs: Tree, scope: Scope) -> dict[str, Index]:
        """The scope with letters of its own for these binders."""
        new = {x: Index(str(next(self._fresh)), self.size(size), OPENED) for x, size in pairs}
        return {**scope, **new}

    def size(self, tree: Tree) -> sp.Expr:
        """A size from its tree."""
        match tree:
            case str():
                return sp.Rational(tree)
            case ["ref", name, _]:
                return sp.Symbol(name, integer=True, positive=True)
            case ["pow", base, e]:
                return self.size(base) ** sp.Rational(e)
            case ["add", *rest]:
                return sp.Add(*map(self.size, rest))
        return sp.Mul(*map(self.size, tree[1:]))

    def slot(self, tree: Tree, scope: Scope) -> Slot:
        """A slot from its tree."""
        if isinstance(tree, str):
            return scope[tree]
        return affine({scope[x]: int(c) for x, c in tree[1]}, self.size(tree[2]))

    def ref(self, tree: Tree, scope: Scope) -> Ref:
        """A component from its tree."""
        if tree[0] == "d":
            of, wrt = (self.ref(side, scope) for side in tree[1:])
            from .derive import partial

            return partial(of, wrt)
        return Ref(self.tensor(tree[1]), [self.slot(s, scope) for s in tree[2]])

    def tensor(self, name: str) -> Tensor:
        """The tensor of a name."""
        found = self.tensors.get(name)
        return found if found is not None else nf_scalar(name)

    # ------------------------------------------------------------------------------- recording

    def record(self, law: str, path: Path, after: Tree, scope: Scope, **more: Tree) -> None:
        """One step at `path`; the letters in scope there are `scope`."""
        before = at(self.tree, path)
        side = [*self._needs(before, scope), *self._needs(after, scope)]
        unique = {str(self._side(s, scope)): s for s in side}
        step = {"law": law, "at": list(path), "before": before, "after": after}
        self.steps.append({**step, "side": [unique[k] for k in sorted(unique)], **more})
        self.tree = replaced(self.tree, path, after)

    def _side(self, side: Tree, scope: Scope) -> tuple[str, str]:
        """A side condition told from others: its inner letters by their ranges only."""
        relation, pairs, base = side
        within = self.entered(pairs, scope)
        ranges = {within[x]: f"[{size}]" for x, size in pairs}
        return relation, key(self.build(base, within), ranges)

    def _needs(self, tree: Tree, scope: Scope, inner: Tree = ()) -> Iterator[Tree]:
        """What is divided by, rooted or logged and not known to be as it must."""
        if isinstance(tree, str) or not tree or tree[0] in ("ref", "d", "delta", "mask"):
            return
        if tree[0] in BINDERS:
            body = tree[-1] if tree[0] == "max" else [tree[-1]]
            within = self.entered(tree[-2], scope)
            for part in body:
                yield from self._needs(part, within, [*inner, *tree[-2]])
            return
        base = tree[1] if tree[0] == "pow" else tree[2] if tree[:2] == ["call", "log"] else None
        if base is not None:
            known = sign_of(self.build(base, scope))
            e = Fraction(tree[2]) if tree[0] == "pow" else Fraction(1)
            if tree[0] == "call" and known != "+":
                yield ["> 0", list(inner), base]
            if e < 0 and known != "+":
                yield ["≠ 0", list(inner), base]
            if e.denominator > 1 and not known:
                yield ["≥ 0", list(inner), base]
        for part in tree[1:] if tree[0] != "unknown" else tree[3]:
            yield from self._needs(part, scope, inner)

    def build(self, tree: Tree, scope: Scope) -> Poly:
        """The normal form of a tree, nothing recorded."""
        return self._settled(tree, scope, lambda child, k, within: self.build(child, within))

    def settle(self, path: Path = (), scope: Scope | None = None) -> Poly:
        """The normal form of the tree at `path`, a step for every node that changes."""
        scope = self.scope if scope is None else scope
        tree = at(self.tree, path)

        def child(_: Tree, k: Path, within: Scope) -> Poly:
            return self.settle((*path, *k), within)

        value = self._settled(tree, scope, child, path)
        after = written(value, {i: n for n, i in scope.items()})
        if nameless(after) != nameless(at(self.tree, path)):
            self.record("normal form", path, after, scope)
        return value

    def _settled(
        self, tree: Tree, scope: Scope, child: Callable[[Tree, Path, Scope], Poly], path: Path | None = None
    ) -> Poly:
        """A node made from its normal children by the engine."""
        match tree:
            case str():
                return number(rational(Fraction(tree)))
            case ["add", *items]:
                return nf.add(*[child(t, (k + 1,), scope) for k, t in enumerate(items)])
            case ["mul", *items]:
                return nf.multiply(*[child(t, (k + 1,), scope) for k, t in enumerate(items)])
            case ["pow", base, e]:
                return nf.power(child(base, (1,), scope), rational(Fraction(e)))
            case ["ref" | "d", *_]:
                r = self.ref(tree, scope)
                return nf.ref(r.tensor, r.slots)
            case ["delta", a, b, *_]:
                return nf.delta(self.slot(a, scope), self.slot(b, scope))
            case ["mask", slot]:
                return nf.mask(self.slot(slot, scope))
            case ["call", name, x]:
                return nf.call(name, [child(x, (2,), scope)])
            case ["unknown", name, orders, args]:
                f = Unknown(name, tuple(map(int, orders)))
                return nf.call(f, [child(t, (3, k), scope) for k, t in enumerate(args)])
            case ["sum" | "max" | "argmax", *head, pairs, body]:
                within = self.entered(pairs, scope)
                bound = [within[x] for x, _ in pairs]
                if tree[0] == "max":
                    args = [child(t, (2, k), within) for k, t in enumerate(body)]
                    return maxima.largest(bound, args)
                value = child(body, (len(tree) - 1,), within)
                if tree[0] == "argmax":
                    return maxima.indicator([self.slot(s, scope) for s in head[0]], bound, value)
                reduced = laws.cancel_common_denominators(value, tuple(bound))
                if path is not None and reduced is not value:
                    names = {i: n for n, i in within.items()}
                    self.record("normal form", (*path, 2), written(reduced, names), within)
                return nf.sum_over(bound, reduced)
        raise AssertionError(tree)

    # ------------------------------------------------------------------------------ the stages

    def run(self) -> None:
        """All stages of the prover, until 0 is reached."""
        m = self.model
        self.settle()
        self.everywhere(self._derivative)
        for stage in (self._facts, self._cleared):
            if self.done():
                return
            stage()
        from .prove import _kept

        for keep in _kept(self.settle(), m):
            if self.done():
                return
            self.everywhere(lambda *place: self._inlined(*place, keep=keep))
            self.everywhere(self._derivative)
            self._facts()
            self._cleared()
        for reading in (self._by_exponentials, self._masks_apart):
            if self.done():
                return
            if self.everywhere(reading):
                self._facts()
                self._cleared()

    def done(self) -> bool:
        """True where 0 is reached."""
        return bool(self.tree == "0")

    def everywhere(self, rule: Callable[[Tree, Path, Scope], bool]) -> bool:
        """The rule at every node, outermost first, then normal forms again."""
        changed = self._visit((), self.scope, rule)
        if changed:
            self.settle()
        return changed

    def _visit(self, path: Path, scope: Scope, rule: Callable[[Tree, Path, Scope], bool]) -> bool:
        tree = at(self.tree, path)
        if isinstance(tree, str):
            return False
        if rule(tree, path, scope):
            return True
        changed = False
        for k, within in self._children(tree, scope):
            changed = self._visit((*path, *k), within, rule) or changed
        return changed

    def _children(self, tree: Tree, scope: Scope) -> Iterator[tuple[Path, Scope]]:
        """Where the parts of a node stand, each with its scope."""
        match tree:
            case ["add" | "mul", *items]:
                yield from (((k + 1,), scope) for k in range(len(items)))
            case ["pow", *_]:
                yield (1,), scope
            case ["call", *_]:
                yield (2,), scope
            case ["unknown", _, _, args]:
                yield from (((3, k), scope) for k in range(len(args)))
            case ["max", pairs, args]:
                within = self.entered(pairs, scope)
                yield from (((2, k), within) for k in range(len(args)))
            case ["sum" | "argmax", *_, pairs, _]:
                yield (len(tree) - 1,), self.entered(pairs, scope)

    def _derivative(self, tree: Tree, path: Path, scope: Scope) -> bool:
        """∂of/∂wrt evaluated."""
        if tree[0] != "d":
            return False
        component = self.ref(tree, scope)
        value = total_derivative(self.model, *split_partial(component))
        if value is nf.ref(component.tensor, component.slots):
            return False
        self._declare(value)
        self.record("derivative", path, written(value, {i: n for n, i in scope.items()}), scope)
        return True

    def _inlined(
        self, tree: Tree, path: Path, scope: Scope, keep: frozenset[str] = frozenset()
    ) -> bool:
        """A component replaced by its definition, and those in it."""
        if tree[0] != "ref" or tree[1] in keep or tree[1] not in self.model.bodies:
            return False
        body = self.model.bodies[tree[1]]
        value = body.at([self.slot(s, scope) for s in tree[2]])
        self._declare(value)
        self.record("definition", path, written(value, {i: n for n, i in scope.items()}), scope)
        self._visit(path, scope, lambda *place: self._inlined(*place, keep=keep))
        return True

    def _by_exponentials(self, tree: Tree, path: Path, scope: Scope) -> bool:
        """A function written by exponentials, those in its argument first."""
        if tree[0] != "call" or primitives.by_name(tree[1]).definition is None:
            return False
        from .prove import _VARIABLE, _template

        self._visit((*path, 2), scope, self._by_exponentials)
        x = self.build(at(self.tree, (*path, 2)), scope)
        value = nf.rewrite(_template(tree[1]), lambda a: x if a is _VARIABLE else None)
        after = written(value, {i: n for n, i in scope.items()})
        self.record("by exponentials", path, after, scope)
        return True

    def _masks_apart(self, tree: Tree, path: Path, scope: Scope) -> bool:
        """[s ≥ 0] as 1 − [−s − 1 ≥ 0] where a letter leads it, then [i ≥ j] as [i > j] + δ_ij."""
        if tree[0] != "mask":
            return False
        names = {i: n for n, i in scope.items()}
        slot, changed = self.slot(tree[1], scope), False
        items, const = slot_items(slot)
        if items and items[min(items, key=lambda i: i.sort)] > 0:
            slot = affine({i: -c for i, c in items.items()}, -const - 1)
            items, const = slot_items(slot)
            after = ["add", "1", ["mul", "-1", ["mask", slot_tree(slot, names)]]]
            self.record("masks apart", path, after, scope)
            path, changed = (*path, 2, 2), True
        ranges = {i.size for i in items}
        if const == 0 and sorted(items.values()) == [-1, 1] and len(ranges) == 1:
            less = nf.mask(affine(items, sp.S.NegativeOne))
            after = written(nf.add(less, nf.delta(*items)), names)
            self.record("masks apart", path, after, scope)
            changed = True
        return changed

    def _cleared(self) -> None:
        """The whole expression times its denominators of several terms."""
        from .prove import ROUNDS

        names = {i: n for n, i in self.scope.items()}
        for _ in range(ROUNDS):
            poly = self.build(self.tree, self.scope)
            worst: dict[Any, Rational] = {}
            for term, _c in poly:
                for atom, e in term:
                    if isinstance(atom, Poly) and e < 0:
                        worst[atom] = min(e, worst.get(atom, 0))
            if not worst:
                return
            powers = {base: -e for base, e in worst.items()}
            by = _product(Term(powers), 1, names)
            after = written(nf.times(poly, powers), names)
            self.record("common denominator", (), after, self.scope, by=by)

    # ------------------------------------------------------------------------------------ facts

    def _facts(self) -> None:
        """Facts in place of sums and components until none fits."""
        from .facts import ROUNDS

        for _ in range(ROUNDS):
            if not self.rules.rules or not self.everywhere(self._fact):
                return

    def _fact(self, tree: Tree, path: Path, scope: Scope) -> bool:
        if tree[0] not in ("ref", "sum"):
            return False
        only = self.build(tree, scope).single
        if only is None or only[1] != 1 or len(only[0].powers) != 1:
            return False
        ((atom, e),) = only[0].powers.items()
        if e != 1:
            return False
        for k, (_, pattern, value, letters) in enumerate(self.rules.rules):
            if type(atom) is type(pattern):
                found = match(pattern, atom, letters)
                if found is not None and placeable(value, found):
                    self._used(k, pattern, found, path, scope)
                    return True
                if isinstance(atom, Sum) and len(pattern.bound) < len(atom.bound):
                    if self._inside(k, pattern, value, letters, atom, path, scope):
                        return True
        return False

    def _used(self, k: int, pattern: Any, found: dict[Index, Slot], path: Path, scope: Scope) -> None:
        """The atom solved for from an instance of a fact, and the fact."""
        fact, names = self.facts[k], {i: n for n, i in scope.items()}
        left, right = (nf.normalize(side) for side in (fact.left, fact.right))
        from .facts import _oriented

        backwards = _oriented(left, right) is None
        side = right if backwards else left
        ((term, c),) = side
        e = term.powers[pattern]
        rest = nf.scale(Poly({Term({a: x for a, x in term if a is not pattern}): 1}), c)
        instance = {f"@{i.name}": slot_tree(s, names) for i, s in found.items()}
        shown = written(nf.substitute(side, found), names)
        other = written(nf.substitute(left if backwards else right, found), names)
        regrouped, inner = shown, path
        if rest is not nf.ONE:
            factor = written(nf.substitute(nf.power(rest, -1), found), names)
            regrouped, inner = ["mul", shown, factor], (*path, 1)
        if e != 1:
            regrouped, inner = ["pow", regrouped, str(1 / Fraction(e))], (*path, 1, *inner[len(path):])
        if nameless(regrouped) != nameless(at(self.tree, path)):
            self.record("normal form", path, regrouped, scope)
        more = {"fact": k, "instance": instance, "backwards": backwards}
        self.record("fact", inner, other, scope, **more)

    def _inside(
        self, k: int, pattern: Any, value: Poly, letters: Any, atom: Sum, path: Path, scope: Scope
    ) -> bool:
        """A fact for a sum inside a sum."""
        bound, body = sums.opened(atom, atom.free)
        ((term, c),) = body
        for inner in combinations(bound, len(pattern.bound)):
            split = sums.split_sum(inner, term)
            if split is None or split[0].single is None:
                continue
            factor, d = split[0].single
            for part, e in factor:
                found = match(pattern, part, letters) if isinstance(part, Sum) and e == 1 else None
                if found is None or not placeable(value, found):
                    continue
                others = nf.multiply(
                    Poly({Term({a: x for a, x in factor if a is not part}): rational(c * d)}),
                    Poly({split[1]: 1}),
                )
                left = [b for b in bound if b not in inner]
                names = _with_letters(left, {i: n for n, i in scope.items()})
                pairs = [[names[b], size_tree(b.size)] for b in left]
                hidden = written(raw_atom(part), names)
                after = ["sum", pairs, ["mul", written(others, names), hidden]]
                self.record("normal form", path, after, scope)
                within = {**scope, **{names[b]: b for b in left}}
                self._used(k, pattern, found, (*path, 2, 2), within)
                return True
        return False

    # ------------------------------------------------------------------------------- the result

    def data(self) -> dict[str, Tree]:
        """The certificate."""
        known = sorted(self.tensors.items())
        tensors = {name: self._declaration(t) for name, t in known if not is_size(t)}
        definitions = {}
        for name, body in self.model.bodies.items():
            names = {i: f"@{i.name}" for i in body.indices}
            definitions[name] = {
                "letters": [[names[i], size_tree(i.size)] for i in body.indices],
                "body": written(body.raw, names),
            }
        facts = []
        for fact in self.facts:
            free = sorted(fact.left.free | fact.right.free, key=lambda i: i.sort)
            names = {i: f"@{i.name}" for i in free}
            facts.append(
                {
                    "letters": [[names[i], size_tree(i.size)] for i in free],
                    "lhs": written(fact.left, names),
                    "rhs": written(fact.right, names),
                }
            )
        places = [self.claim, definitions, facts, self.steps, tensors]
        sizes = {name for place in places for name in _scalars(place)} - tensors.keys()
        return {
            "format": FORMAT,
            "claim": self.claim,
            "sizes": sorted(sizes),
            "tensors": tensors,
            "definitions": definitions,
            "facts": facts,
            "steps": self.steps,
        }

    def _declaration(self, t: Tensor) -> Tree:
        role, of = t.role or "input", [o.name for o in t.of]
        if t.name in self.model.bodies:
            role = "definition"
        elif t.symbol is not None and not t.symbol.is_Symbol:
            role = "pi" if t.symbol == sp.pi else str(t.symbol)
        elif role == "loss":
            from .derive import outputs_of

            of = [o.name for o in outputs_of(self.model, t)]
        elif role == "input" and t.name not in self.model.known:
            role = "undefined"
        return {
            "shape": [size_tree(s) for s in t.shape],
            "positive": t.positive,
            "symmetry": t.symmetry,
            "role": role,
            "of": of,
        }


def nf_scalar(name: str) -> Tensor:
    """The tensor of a size."""
    from .ir import scalar

    return scalar(sp.Symbol(name, integer=True, positive=True)).tensor


def _scalars(tree: Tree) -> Iterator[str]:
    """The names without slots in a tree."""
    if isinstance(tree, dict):
        tree = list(tree.values())
    if isinstance(tree, list):
        if tree and tree[0] == "ref" and not tree[2]:
            yield tree[1]
        for part in tree:
            yield from _scalars(part)


def at(tree: Tree, path: Sequence[int]) -> Tree:
    """The part of a tree at a path."""
    for k in path:
        tree = tree[k]
    return tree


def replaced(tree: Tree, path: Sequence[int], part: Tree) -> Tree:
    """The tree with another part at a path."""
    if not path:
        return part
    k, *rest = path
    return [replaced(x, rest, part) if n == k else x for n, x in enumerate(tree)]


def certificate(sides: tuple[Poly, Poly], m: Model, facts: Sequence[Fact]) -> dict[str, Tree]:
    """The certificate of lhs = rhs; UnsupportedError where the stages do not lead to 0."""
    recorder = Recorder(sides, m, facts)
    recorder.run()
    if not recorder.done():
        raise UnsupportedError("the log does not lead to 0", got=str(recorder.tree)[:200])
    return recorder.data()


__all__ = ["certificate"]
