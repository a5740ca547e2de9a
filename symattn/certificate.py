"""The log of a proof as plain JSON: what is claimed, what it rests on, and every step to 0.

The prover's stages are gone through once more, slowly: each node whose parts are in normal form is
replaced by its own normal form (`symattn.moves`), a component by its definition, a sum by a fact,
an unevaluated derivative by its value.  A step names its law, where it applies, the expression
there before and after, and where both are defined.  `symattn.second_opinion` reads this and nothing
else; what the trees mean is said in `symattn.trees`.  Derivatives and signs are written as the
second opinion has them, whether it has them right is shown by the normal forms that follow.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

import sympy as sp

from . import kinks, primitives, sums
from . import normalize as nf
from .axis_moves import AxisMoves
from .canonical import key
from .derive import split_partial, total_derivative
from .errors import UnsupportedError
from .exponents import over_one_bar, quotients_upright
from .facts import ROUNDS, Fact, Rules, _freed, _oriented, inverted
from .inverses import Cleared, cleared
from .ir import (
    ZERO,
    Call,
    Index,
    Mask,
    Poly,
    Rational,
    Ref,
    Slot,
    Sum,
    Tensor,
    Term,
    affine,
    fresh_indices,
    inverse_tensor,
    parts,
    ranges_of,
    raw_atom,
    slot_items,
)
from .ir import place as place_of
from .laws import at_arguments
from .logistic import terms_apart
from .model import Body, Model, is_size, match
from .moves import Rule, functions
from .places import placeable
from .readings import (
    ANGLES,
    POWER_SUMS,
    _by_the_other,
    _count,
    _pieces,
    by_cases,
    by_definition,
    numbered,
    of_angle,
    places_of,
    template,
    units_of,
)
from .readings import ROUNDS as CLEARINGS
from .relations import Relation, solved
from .scalars import vanishes
from .second_opinion.given import Given
from .stages import MATRICES, inverted_names, kept_definitions, outermost, rules_of
from .trees import (
    Names,
    Path,
    Scope,
    Tree,
    at,
    calls,
    expanded,
    placed,
    pruned,
    replaced,
    scalars,
    size_tree,
    slot_tree,
    with_letters,
    written,
)

FORMAT = "symattn certificate 3"
SIGNS = 4  # that one step goes through


class Start(NamedTuple):
    """A claim as a certificate has it, and what its names stand for."""

    claim: Tree
    tensors: dict[str, Tensor]


def certificate(
    sides: tuple[Poly, Poly], m: Model, facts: Sequence[Fact], start: Start | None = None
) -> dict[str, Tree]:
    """The certificate of lhs = rhs; UnsupportedError where the stages do not lead to 0.

    The first step is from the claim as `start` has it, if it is given.
    """
    nodes = [*sides, *(body.raw for body in m.bodies.values())]
    circular = any(map(_circular, nodes))
    for direct in (circular, not circular):
        recorder = Recorder(sides, m, facts, direct)
        if start:
            recorder.begin(start)
        recorder.run()
        if recorder.done():
            break
    else:
        for tensor in rules_of(sides, m, facts).determinants:
            raise UnsupportedError(
                f"no law of certificates is: {tensor.name} by the determinants of other matrices"
            )
        raise UnsupportedError("the log does not lead to 0", got=str(recorder.tree)[:200])
    return recorder.data()


def _circular(node: Any, below: bool = False) -> bool:
    """A sine or cosine stands below a fraction bar, or what is made of them anywhere."""
    if isinstance(node, Call) and node.name in ("tan", "sinh", "cosh", "tanh"):
        return True
    if isinstance(node, Call) and node.name in ("sin", "cos") and below:
        return True
    if isinstance(node, Term):
        return any(_circular(atom, below or e < 0) for atom, e in node)
    return any(_circular(part, below) for part in parts(node))


class Recorder(AxisMoves):
    """An expression on its way to 0, and the steps so far."""

    def __init__(
        self, sides: tuple[Poly, Poly], m: Model, facts: Sequence[Fact], direct: bool = False
    ) -> None:
        self.direct = direct  # the field is asked before anything is written another way
        for fact in facts:
            if fact.symmetric and fact.symmetric.name in m.bodies:
                raise UnsupportedError(f"no law of certificates is: {fact.label}, a definition")
        self.facts = [fact for fact in facts if not fact.symmetric]  # declared instead
        self.relations: dict[str, Relation] = {}
        for fact in self.facts:
            left, right = nf.normalize(fact.left), nf.normalize(fact.right)
            rule = _oriented(left, right) or _oriented(right, left)
            if rule is None and (found := solved(fact.label, left, right)):
                self.relations[fact.label] = found
            elif _freed(left, right) != (left, right) or not isinstance(
                (rule or [0])[0], Ref | Sum
            ):
                raise UnsupportedError(f"no law of certificates is: {fact.label}")
        self.sides = sides
        self.rules = Rules(self.facts, inverted(m, sides))
        super().__init__(m, self.rules.symmetric)
        free = sorted(sides[0].free | sides[1].free, key=lambda i: i.sort)
        self.scope = {f"@{i.name}": i for i in free}
        self.claim = {
            "lhs": self.written(sides[0], self.scope),
            "rhs": self.written(sides[1], self.scope),
            "free": [[n, size_tree(i.size)] for n, i in self.scope.items()],
        }
        self.tree = ["add", self.claim["lhs"], ["mul", "-1", self.claim["rhs"]]]
        for body in m.bodies.values():
            self.declare(body.raw)

    def begin(self, start: Start) -> None:
        """From the claim as another certificate has it to the one that is proved here."""
        for name, tensor in start.tensors.items():
            self.tensors.setdefault(name, tensor)
        whole, self.tree = self.tree, ["add", start.claim["lhs"], ["mul", "-1", start.claim["rhs"]]]
        self.record("normal form", (), whole, self.scope)

    # ------------------------------------------------------------------------------ the stages

    def done(self) -> bool:
        """True where 0 is reached."""
        return bool(self.tree == "0")

    def run(self) -> None:
        """All stages of the prover, until 0 is reached."""
        for stage in self._stages():
            if self.done():
                break
            stage()
        self._left()

    def _stages(self) -> Iterator[Callable[[], Any]]:
        m = self.model
        yield self.settle
        yield self._derivatives
        yield self._facts
        yield self._cleared
        for kept in kept_definitions(self.build(self.tree, self.scope), m):
            done = kept
            while name := outermost(self.build(self.tree, self.scope), m, done):
                before, steps, tree = self.build(self.tree, self.scope), len(self.steps), self.tree
                yield partial(self._inlined, name)
                yield self._facts
                if self.build(self.tree, self.scope) is before:  # written out, and folded back
                    done, self.tree, self.steps = done | {name}, tree, self.steps[:steps]
                yield self._cleared
        if self.direct:
            yield self._scalars
            return
        yield self._matrices_cleared
        yield from self._readings(self._quotients, self._by_exponentials, self._fractions_apart)
        yield self._cases
        axes = (self._axes_whole, self._circles_cut, self._axes_mirrored, self._axes_shifted)
        yield from self._readings(self._components_apart, *axes)
        yield from self._masks()
        yield from self._readings(self._masks_in_order)
        yield from self._masks()
        yield from self._readings(*([self._counted] * 3), self._axes_mirrored)
        yield from self._masks()
        yield from self._readings(self._angles_apart, self._axes_turned, self._exponents)

    def _masks(self) -> Iterator[Callable[[], Any]]:
        yield self._masks_apart
        yield self._facts
        yield self._cleared

    def _readings(self, *readings: Rule) -> Iterator[Callable[[], Any]]:
        for reading in readings:
            yield partial(self.everywhere, reading)
            yield self._facts
            yield self._cleared

    def _cases(self) -> None:
        """0 where it is 0 whatever the signs of what bends are."""
        poly = self.build(self.tree, self.scope)
        found = sorted(kinks.open_kinks(poly), key=key)
        if 0 < len(found) <= SIGNS and by_cases(poly) is ZERO:
            self.record("normal form", (), "0", self.scope)

    def _matrices_cleared(self) -> None:
        """The whole expression times matrices whose inverses have free letters of it."""
        tree, whole, rules = self.tree, len(self.steps), self.rules
        scope, outside = self.scope, [*self.outside]
        for _ in range(MATRICES):
            found = cleared(self.build(self.tree, self.scope), self.model.bodies)
            if self.done() or found is None:
                break
            self._multiplied(found)
            kept = inverted_names([self.build(self.tree, self.scope)], self.model)
            self.rules = rules.folding(kept)
            while name := outermost(self.build(self.tree, self.scope), self.model, kept):
                self._inlined(name)
            self._facts()
            self._cleared()
        self.rules = rules
        if not self.done():
            self.tree, self.steps = tree, self.steps[:whole]
            self.scope, self.outside = scope, outside

    def _multiplied(self, by: Cleared) -> None:
        """Σ_x M_ix E_x in place of E_i."""
        names = {i: n for n, i in self.scope.items()}
        matrix, i, n = by.matrix.name, names[by.letter], size_tree(by.letter.size)
        (x,) = fresh_indices([by.letter.size], names)
        (y,) = fresh_indices([by.letter.size], [*names, x])
        self.declare(nf.ref(inverse_tensor(by.matrix), (x, x)))
        self.declare(nf.ref(by.matrix, (x, x)))
        inverse, (j, k) = inverse_tensor(by.matrix).name, (f"@c{next(self._fresh)}" for _ in "jk")
        moved = placed(self.tree, {i: j}, {j, k, *self.scope})
        one, two, slots = inverse, matrix, ([i, k], [k, j])
        if by.turned:
            one, two, slots = matrix, inverse, ([j, k], [k, i])
        refs_ = [["ref", one, slots[0]], ["ref", two, slots[1]]]
        over_j, over_k = [[j, n]], [[k, n]]
        first, last = (j, i) if by.turned else (i, j)
        delta = ["sum", over_j, ["mul", ["delta", first, last], moved]]
        self.record("index", (), delta, self.scope, letters=[j], letter=j, slot=i)
        within = {**self.scope, j: x}
        both, instance = ["sum", over_k, ["mul", *refs_]], {"@i": first, "@k": last}
        self.record("inverse", (2, 1), both, within, of=one, instance=instance)
        row, outer = refs_[not by.turned], refs_[by.turned]
        after = ["sum", over_k, ["mul", outer, ["sum", over_j, ["mul", row, moved]]]]
        self.record("sums", (), after, self.scope, letters=[j, k])
        outer_letters = {name: index for name, index in self.scope.items() if name != i}
        self._entered((2, 2), {**outer_letters, k: y})
        self.settle()

    def _derivative(self, tree: Tree, path: Path, scope: Scope) -> bool:
        """∂of/∂wrt evaluated."""
        if tree[0] != "d":
            return False
        component = self.ref(tree, scope)
        value = total_derivative(self.model, *split_partial(component))
        if value is nf.ref(component.tensor, component.slots):
            return False
        self.written(value, scope)  # declares what occurs
        of, said = tree[1], ""
        while of[0] == "d":
            of = of[1]
        body = self.model.bodies.get(of[1])
        if body and '"max"' in json.dumps(
            written(body.raw, names := {i: f"@{i.name}" for i in body.indices})
        ):
            said = written(body.normal, names)  # max(−x, 0) is max(x, 0) − x
        raw = Given(self.data()).derivative(tree[1], tree[2], said)
        self.record("derivative", path, pruned(expanded(raw, set(scope))), scope, body=said)
        return True

    def _inlined(self, name: str) -> None:
        """A definition in place of its name, and the derivatives in it evaluated."""
        body = self.model.bodies[name]

        def rule(tree: Tree, path: Path, scope: Scope) -> bool:
            if tree[0] != "ref" or tree[1] != name:
                return False
            path, scope = self._at_letters(body, path, scope)
            slots = at(self.tree, path)[2]
            instance = {f"@{i.name}": s for i, s in zip(body.indices, slots, strict=True)}
            after = self._body(body, slots, scope)
            self.record("definition", path, after, scope, of=name, instance=instance)
            return True

        self.everywhere(rule)
        self._derivatives()

    def _at_letters(self, body: Body, path: Path, scope: Scope) -> tuple[Path, Scope]:
        """B_{i−1} as Σ_k δ_{k,i−1} B_k, where the body would mean something else at i − 1."""
        _, name, slots = at(self.tree, path)
        there = [self.slot(s, scope) for s in slots]
        if placeable(body.normal, dict(zip(body.indices, there, strict=True))):
            return path, scope
        for place, (slot, index) in enumerate(zip(slots, body.indices, strict=True)):
            if isinstance(slot, str):
                continue
            k, size = f"@c{next(self._fresh)}", size_tree(index.size)
            slots = [k if p == place else s for p, s in enumerate(slots)]
            picked = ["mul", ["delta", k, slot, size], ["ref", name, slots]]
            after = ["sum", [[k, size]], picked]
            self.record("index", path, after, scope, letters=[k], letter=k, slot=slot)
            scope, path = self.entered([[k, size]], scope), (*path, 2, 2)
        return path, scope

    def _derivatives(self) -> None:
        """All derivatives evaluated, one definition at a time."""
        while self.everywhere(self._derivative):
            pass

    def _body(self, body: Body, slots: Tree, scope: Scope) -> Tree:
        """The body of a definition, as it was read, at slots."""
        names = {i: f"@{i.name}" for i in body.indices}
        there = dict(zip(names.values(), slots, strict=True))
        return placed(self.written(body.raw, {n: i for i, n in names.items()}), there, set(scope))

    def _by_exponentials(self, tree: Tree, path: Path, scope: Scope) -> bool:
        """A function written by exponentials, those in its argument first."""
        if tree[0] != "call" or primitives.by_name(tree[1]).definition is None:
            return False
        places = [(*path, k) for k in range(2, len(tree))]
        for place in places:
            self.visit(place, scope, self._by_exponentials)
        args = (self.build(at(self.tree, place), scope) for place in places)
        value = at_arguments(template(tree[1]), args)
        self.record("normal form", path, self.written(value, scope), scope)
        return True

    def _scalars(self) -> None:
        """0 where the exact field of geometry says so."""
        if vanishes(by_definition(self.build(self.tree, self.scope))):
            self.everywhere(self._by_exponentials)
            self.everywhere(self._angles_apart)
            self.record("normal form", (), "0", self.scope)

    def _fractions_apart(self, tree: Tree, path: Path, scope: Scope) -> bool:
        """Terms over 1 + e^u in partial fractions."""
        if tree[0] not in ("add", "mul", "pow"):
            return False
        poly = self.build(tree, scope)
        value = terms_apart(poly)
        if value is poly:
            return False
        self.record("normal form", path, self.written(value, scope), scope)
        return True

    def _angles_apart(self, tree: Tree, path: Path, scope: Scope) -> bool:
        """The sine or cosine of a sum by those of its terms."""
        if tree[0] != "call" or tree[1] not in ANGLES:
            return False
        self.visit((*path, 2), scope, self._angles_apart)
        x = self.build(at(self.tree, (*path, 2)), scope)
        units = units_of(self.build(self.tree, self.scope))
        value = of_angle(tree[1], x, units)
        if value is nf.call(tree[1], [x]):
            return False
        terms = [self.written(p, scope) for term, c in x for p in _pieces(term, c, units)]
        self._added(path, terms, scope)
        self.record("normal form", path, self.written(value, scope), scope)
        return True

    def _added(self, path: Path, terms: list[Tree], scope: Scope) -> None:
        """The sine or cosine of a sum of terms, one after the other."""
        name, (p, *others) = at(self.tree, path)[1], terms
        if not others:
            return
        q = ["add", *others] if len(others) > 1 else others[0]
        sp_, cp, sq, cq = (["call", f, t] for t in (p, q) for f in ("sin", "cos"))
        after = ["add", ["mul", sp_, cq], ["mul", cp, sq]]
        if name == "cos":
            after = ["add", ["mul", cp, cq], ["mul", "-1", sp_, sq]]
        self.record("angles apart", path, after, scope, terms=[p, q])
        for place in ((1, 2), (2, 2) if name == "sin" else (2, 3)):
            self._added((*path, *place), others, scope)

    def _components_apart(self, tree: Tree, path: Path, scope: Scope) -> bool:
        """Σ_i f_i with 1 = δ_{i0} + δ_{i1} + δ_{i2} beside f_i where i takes three values."""
        within = self.entered(tree[1], scope) if tree[0] == "sum" else {}
        names = {i: n for n, i in within.items()}
        letters = numbered(within[x] for x, _ in tree[1]) if within else []
        if not letters:
            return False
        ones = [written(places_of(x), names) for x in letters]
        self.record("normal form", (*path, 2), ["mul", *ones, tree[2]], {**scope, **within})
        return True

    def _axes_turned(self, tree: Tree, path: Path, scope: Scope) -> bool:
        """Σ_k a_k b_{k+1} for Σ_k a_{k−1} b_k."""
        if tree[0] != "sum":
            return False
        within = self.entered(tree[1], scope)
        names, bound = {i: n for n, i in within.items()}, tuple(within[x] for x, _ in tree[1])
        single = self.build(tree[2], within).single
        return single is not None and self._turn(
            tree, single[0], bound, names, path, scope, several=True
        )

    def _masks_in_order(self, tree: Tree, path: Path, scope: Scope) -> bool:
        """Σ [a < b] f_ab by Σ [b < a] f_ab, as [a < b] = 1 − δ_ab − [b < a]."""
        if tree[0] != "sum":
            return False
        atom = next((a for term, _ in self.build(tree, scope) for a, _ in term), None)
        value = _by_the_other(atom) if isinstance(atom, Sum) else None
        if value is None:
            return False
        body = tree[2]
        places = [(k,) for k in range(1, len(body))] if body[0] == "mul" else [()]
        for place in places:
            for ways in ((), ("turn",), ("half", "turn")):
                steps, whole = self.tree, len(self.steps)
                if at(body, place)[0] == "mask":
                    self._turned((*path, 2, *place), ways, path, scope)
                    if self.build(at(self.tree, path), scope) is value:
                        return True
                self.tree, self.steps = steps, self.steps[:whole]
        return False

    def _counted(self, tree: Tree, path: Path, scope: Scope) -> bool:
        """Σ_j [j < i] = i, indices as numbers."""
        if tree[0] != "sum":
            return False
        within = self.entered(tree[1], scope)
        names = {i: n for n, i in within.items()}
        bound = [within[x] for x, _ in tree[1]]
        term, c = self.build(tree[2], within).single or (Term({}), 0)
        for letter in bound if c == 1 else ():
            touched = [(a, e) for a, e in term if letter in a.free]
            value = _count(*touched[0], letter) if len(touched) == 1 else None
            if value is None:
                continue
            rest = [
                written(Poly({Term({a: e for a, e in term if letter not in a.free}): 1}), names)
            ]
            one = written(Poly({Term(dict(touched)): 1}), names)
            self.declare(value)
            there, inner = self._alone([letter], one, rest, tree, bound, names, path, scope)
            whole = self._telescoped(*touched[0], letter, names)
            self.record("telescope", there, written(value, names), inner, whole=whole)
            return True
        return False

    def _telescoped(self, atom: Any, e: Rational, letter: Index, names: Names) -> Tree:
        """f with f_{j+1} − f_j = [±j + r ≥ 0], or a power of j, for the letter j."""

        def number_at(i: Index) -> Tree:
            return self.written(raw_atom(place_of(i)), {names[i]: i})

        if not isinstance(atom, Mask):
            sums_ = POWER_SUMS[e].items()
            return [
                "add",
                *(["mul", str(c), ["pow", number_at(letter), str(k)]] for k, c in sums_),
            ]
        items, const = slot_items(atom.slot)
        up = items[letter] > 0
        const = const if up else const + 1
        terms = (["mul", str(c), number_at(i)] for i, c in items.items())
        mask = ["mask", slot_tree(affine(items, const), names)]
        return ["mul", "1" if up else "-1", mask, ["add", size_tree(const), *terms]]

    def _quotients(self, tree: Tree, path: Path, scope: Scope) -> bool:
        """log(y/x) = −log(x/y)."""
        if tree[:2] != ["call", "log"]:
            return False
        poly = self.build(tree, scope)
        value = quotients_upright(poly)
        if value is not poly:
            self.record("normal form", path, self.written(value, scope), scope)
        return value is not poly

    def _exponents(self, tree: Tree, path: Path, scope: Scope) -> bool:
        """x^{a/(1−a)} x = x^{1/(1−a)}: exponents over a common denominator."""
        poly = self.build(tree, scope)
        value = over_one_bar(poly)
        if path or value is poly:
            return False
        self.record("normal form", path, self.written(value, scope), scope)
        return True

    def _turned(self, place: Path, ways: Sequence[str], path: Path, scope: Scope) -> None:
        """A mask in the sum at `path`: [a ≤ b] as [a < b] + δ_ab, then [a < b] the other way."""
        if "half" in ways:  # S = (S + S)/2, and one S the other way
            tree = at(self.tree, path)
            self.record("normal form", path, ["mul", "1/2", ["add", tree, tree]], scope)
            place = (*path, 2, 2, *place[len(path) :])
        *_, (place_scope, mask) = self._along(place)
        names = {i: n for n, i in place_scope.items()}
        items, const = slot_items(self.slot(mask[1], place_scope))

        def masked(sign: int, constant: Any) -> Tree:
            slot = affine({i: sign * c for i, c in items.items()}, constant)
            return ["mask", slot_tree(slot, names)]

        up, down = sorted((names[i] for i in items), key=lambda n: -items[place_scope[n]])
        equal = ["delta", up, down]
        if const == 0:
            split = ["add", masked(1, sp.S.NegativeOne), equal]
            self.record("normal form", place, split, place_scope)
            place = (*place, 1)
        if "turn" in ways:
            turned = ["add", "1", ["mul", "-1", masked(-1, sp.S.Zero)]]
            self.record("normal form", place, turned, place_scope)
            split = ["add", masked(-1, sp.S.NegativeOne), equal]
            self.record("normal form", (*place, 2, 2), split, place_scope)

    def _along(self, path: Path) -> Iterator[tuple[Scope, Tree]]:
        """The nodes on the way to a path, each with its scope."""
        tree, scope, k = self.tree, self.scope, 0
        yield scope, tree
        while k < len(path):
            for place, within in self.parts(tree, scope):
                if path[k : k + len(place)] == place:
                    tree, scope, k = at(tree, place), within, k + len(place)
                    yield scope, tree
                    break

    def _cleared(self) -> None:
        """The whole expression times its denominators of several terms."""
        if self.direct:
            return
        names = {i: n for n, i in self.scope.items()}
        for _ in range(CLEARINGS):
            poly, worst = self.build(self.tree, self.scope), dict[Any, Rational]()
            for atom, e in (pair for term, _ in poly for pair in term):
                if isinstance(atom, Poly) and e < 0:
                    worst[atom] = min(e, worst.get(atom, 0))
            if not worst:
                return
            powers = {base: -e for base, e in worst.items()}
            after = self.written(nf.times(poly, powers), self.scope)
            by = [["pow", written(a, names), str(Fraction(-e))] for a, e in powers.items()]
            self.record("normal form", (), ["mul", *by, after], self.scope)
            self._entered((len(by) + 1,), self.scope)

    def _entered(self, path: Path, scope: Scope) -> None:
        """Goes on at a factor of the whole expression, which is 0 where this is."""
        self.outside.append((self.tree, path, self.scope))
        self.tree, self.scope = at(self.tree, path), scope

    def _left(self) -> None:
        """From 0 to the whole expression again."""
        while self.outside and self.done():
            tree, path, self.scope = self.outside.pop()
            self.tree = replaced(tree, path, "0")
            self.record("normal form", (), "0", self.scope)

    # ------------------------------------------------------------------------------------ facts

    def _facts(self) -> None:
        """Facts in place of sums and components until none fits."""
        for _ in range(ROUNDS):
            if not (self.rules.rules or self.rules.relations) or not self.everywhere(self._fact):
                return

    def _fact(self, tree: Tree, path: Path, scope: Scope) -> bool:
        if tree[0] == "pow":
            return self._lowered(tree, path, scope)
        if tree[0] not in ("ref", "sum"):
            return False
        poly = self.build(tree, scope)
        atom = next((a for term, _ in poly for a, _ in term), None)
        if not isinstance(atom, Ref | Sum) or poly is not raw_atom(atom):
            return False
        for k, (_, pattern, value, letters) in enumerate(self.rules.rules):
            if type(atom) is not type(pattern):
                continue
            found = match(pattern, atom, letters)
            if found is not None and placeable(value, found):
                self._used(k, pattern, found, path, scope)
                return True
            if isinstance(atom, Sum) and self._inside(k, atom, path, scope):
                return True
        return False

    def _used(
        self, k: int, pattern: Any, found: dict[Index, Slot], path: Path, scope: Scope
    ) -> None:
        """The atom solved for from an instance of a fact, and the fact."""
        if k < len(self.rules.folded):
            self._folded(self.rules.folded[k], pattern, found, path, scope)
            return
        label = self.rules.rules[k][0]
        k, fact = next((k, f) for k, f in enumerate(self.facts) if f.label == label)
        if label in self.relations:
            self._related(self.relations[label], found, path, scope)
            return
        sides = [nf.normalize(fact.left), nf.normalize(fact.right)]
        backwards = _oriented(*sides) is None
        side = sides[1] if backwards else sides[0]
        ((term, c),) = side
        e = term.powers[pattern]
        rest = nf.scale(Poly({Term({a: x for a, x in term if a is not pattern}): 1}), c)
        regrouped, inner = self.written(nf.substitute(side, found), scope), path
        if rest is not nf.ONE:
            factor = nf.substitute(nf.power(rest, -1), found)
            regrouped, inner = ["mul", regrouped, self.written(factor, scope)], (*path, 1)
        if e != 1:
            regrouped = ["pow", regrouped, str(1 / Fraction(e))]
            inner = (*path, 1, *inner[len(path) :])
        self.record("normal form", path, regrouped, scope)
        self._instance(k, backwards, found, inner, scope)

    def _instance(
        self, k: int, backwards: bool, found: dict[Index, Slot], inner: Path, scope: Scope
    ) -> None:
        """One side of a fact at these slots, which stands there in normal form, by the other."""
        fact, names = self.facts[k], {i: n for n, i in scope.items()}
        instance = {f"@{i.name}": slot_tree(s, names) for i, s in found.items()}
        raw = [fact.right, fact.left] if backwards else [fact.left, fact.right]
        letters = {f"@{i.name}": i for i in (fact.left.free | fact.right.free)}
        before, after = (placed(self.written(r, letters), instance, set(scope)) for r in raw)
        self._unsettled(inner, before, scope)
        self.record("fact", inner, after, scope, of=str(k), instance=instance)

    def _lowered(self, tree: Tree, path: Path, scope: Scope) -> bool:
        """x^5 as (x²)² x, and x² by a fact."""
        poly = self.build(tree, scope)
        if poly.single is None or len(poly.single[0].powers) != 1:
            return False
        (((atom, e),), _) = poly.single
        for relation in self.rules.relations:
            found = match(relation.atom, atom, relation.letters) if isinstance(atom, Ref) else None
            if found is None or not isinstance(e, int) or e < relation.power:
                continue
            if not placeable(relation.value, found):
                continue
            times, left = divmod(e, relation.power)
            names = {i: n for n, i in scope.items()}
            lower = [written(raw_atom(atom, k), names) for k in (relation.power, left)]
            self.record(
                "normal form", path, ["mul", ["pow", lower[0], str(times)], lower[1]], scope
            )
            self._related(relation, found, (*path, 1, 1), scope)
            return True
        return False

    def _related(
        self, relation: Relation, found: dict[Index, Slot], path: Path, scope: Scope
    ) -> None:
        """x^k by a fact of several terms: c x^k is left − right − all other terms."""
        k, fact = next((k, f) for k, f in enumerate(self.facts) if f.label == relation.label)
        left, right = nf.normalize(fact.left), nf.normalize(fact.right)
        term, c = next(
            (term, c)
            for term, c in nf.subtract(left, right)
            if term.powers.get(relation.atom) == relation.power
        )
        others = Term({a: e for a, e in term if a is not relation.atom})
        rest = nf.subtract(nf.subtract(left, right), Poly({term: c}))
        parts = [nf.substitute(p, found) for p in (left, nf.scale(right, -1), nf.scale(rest, -1))]
        factor = nf.substitute(nf.power(Poly({others: c}), -1), found)
        whole = ["add", *(self.written(p, scope) for p in parts)]
        self._step("normal form", path, ["mul", self.written(factor, scope), whole], scope)
        self._instance(k, False, found, (*path, 2, 1), scope)

    def _folded(
        self, body: Body, pattern: Any, found: dict[Index, Slot], path: Path, scope: Scope
    ) -> None:
        """Σ X X as (the body of M) − r for M = Σ X X + r, and the body as M."""
        whole = nf.substitute(body.normal, found)
        c = body.normal.terms[Term({pattern: 1})]
        rest = nf.subtract(nf.scale(nf.substitute(raw_atom(pattern), found), c), whole)
        trees = [self.written(p, scope) for p in (whole, rest)]
        self.record("normal form", path, ["mul", str(1 / Fraction(c)), ["add", *trees]], scope)
        slots = [slot_tree(found[i], {i: n for n, i in scope.items()}) for i in body.indices]
        self._unsettled((*path, 2, 1), self._body(body, slots, scope), scope)
        component = self.written(
            raw_atom(Ref(body.tensor, [found[i] for i in body.indices])), scope
        )
        instance = {f"@{i.name}": s for i, s in zip(body.indices, slots, strict=True)}
        more = {"of": body.tensor.name, "instance": instance}
        self.record("definition", (*path, 2, 1), component, scope, **more)

    def _unsettled(self, path: Path, raw: Tree, scope: Scope) -> None:
        """An expression as it was read in place of its normal form: its steps turned round."""
        tree, steps = self.tree, self.steps
        self.tree, self.steps = replaced(tree, path, raw), []
        self.settle(path, scope)
        back, normal = self.steps, at(self.tree, path)
        self.tree, self.steps = tree, steps
        inside = any(len(step["at"]) > len(path) for step in back)  # under letters of that name
        (self._step if inside else self.record)("normal form", path, normal, scope)
        for step in reversed(back):
            self.steps.append({**step, "before": step["after"], "after": step["before"]})
        self.tree = replaced(self.tree, path, raw)

    def _inside(self, k: int, atom: Sum, path: Path, scope: Scope) -> bool:
        """A fact for a sum inside a sum."""
        _, pattern, value, letters = self.rules.rules[k]
        if len(pattern.bound) >= len(atom.bound):
            return False
        bound, body = sums.opened(atom, atom.free)
        ((term, _),) = body
        for inner in combinations(bound, len(pattern.bound)):
            split = sums.split_sum(inner, term)
            if split is None or split[0].single is None:
                continue
            for part, e in split[0].single[0]:
                found = match(pattern, part, letters) if isinstance(part, Sum) and e == 1 else None
                if found is None or not placeable(value, found):
                    continue
                names = with_letters(bound, {i: n for n, i in scope.items()})
                within = {n: i for i, n in names.items()}
                renamed = self._over(bound, written(body, names), names)
                self.record("normal form", path, renamed, scope)
                self.tree = replaced(self.tree, path, renamed)
                self._grouped(bound, inner, term, names, path, scope)
                place = (*path, len(at(self.tree, path)) - 1, 2)
                self.settle(place, within)
                self.visit(place, within, self._fact)
                return True
        return False

    # ------------------------------------------------------------------------------- the result

    def data(self) -> dict[str, Tree]:
        """The certificate."""
        definitions = {
            name: self._scoped(body.indices, body=body.raw)
            for name, body in self.model.bodies.items()
        }
        facts = []
        for fact in self.facts:
            free = sorted(fact.left.free | fact.right.free, key=lambda i: i.sort)
            facts.append(self._scoped(free, lhs=fact.left, rhs=fact.right))
        known = sorted(self.tensors.items())
        tensors = {name: self._declaration(t) for name, t in known if not is_size(t)}
        places = [self.claim, definitions, facts, self.steps, tensors]
        called = calls(places)
        nodes = [*self.sides, *(body.raw for body in self.model.bodies.values())]
        ranges = {size for node in nodes for size in ranges_of(node) if size.is_nonnegative is None}
        return {
            "format": FORMAT,
            "claim": self.claim,
            "ranges": [size_tree(size) for size in sorted(ranges, key=sp.default_sort_key)],
            "sizes": sorted(set(scalars(places)) - tensors.keys()),
            "tensors": tensors,
            "definitions": definitions,
            "facts": facts,
            "functions": {n: made for n, made in functions().items() if n in called},
            "steps": self.steps,
        }

    def _scoped(self, letters: Sequence[Index], **sides: Poly) -> Tree:
        """Expressions with the letters that are free in them."""
        scope = {f"@{i.name}": i for i in letters}
        pairs = [[n, size_tree(i.size)] for n, i in scope.items()]
        return {"letters": pairs, **{k: self.written(p, scope) for k, p in sides.items()}}


__all__ = ["Recorder", "Start", "certificate"]
