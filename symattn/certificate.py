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
from typing import Any, NamedTuple

import sympy as sp

from . import kinks
from . import normalize as nf
from .canonical import key
from .derive import split_partial, total_derivative
from .errors import UnsupportedError
from .fact_moves import FactMoves
from .facts import Fact, Rules, _freed, _oriented, inverted
from .inverses import Cleared, cleared
from .ir import (
    ZERO,
    Call,
    Index,
    Poly,
    Rational,
    Ref,
    Sum,
    Tensor,
    Term,
    fresh_indices,
    inverse_tensor,
    parts,
    ranges_of,
)
from .model import Body, Model, is_size
from .moves import Rule, functions
from .places import placeable
from .readings import ROUNDS as CLEARINGS
from .readings import (
    by_cases,
)
from .relations import Relation, solved
from .second_opinion.given import Given
from .signs import signs_declared, with_signs
from .stages import MATRICES, inverted_names, kept_definitions, outermost, rules_of
from .symmetries import symmetric_definitions
from .trees import (
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
    written,
)

FORMAT = "symattn certificate 4"
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
    if isinstance(node, Call) and node.name in ("tan", "sinh", "cosh", "tanh", "coth"):
        return True
    if isinstance(node, Call) and node.name in ("sin", "cos") and below:
        return True
    if isinstance(node, Term):
        return any(_circular(atom, below or e < 0) for atom, e in node)
    return any(_circular(part, below) for part in parts(node))


class Recorder(FactMoves):
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
        bodies = inverted(m, sides)
        self.rules = Rules(self.facts, bodies, symmetric=symmetric_definitions(m, bodies))
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
        yield self._sums_joined
        yield from self._readings(self._quotients, self._squares, self._out_of_maxima)
        yield from self._readings(self._by_exponentials, self._out_of_maxima, self._fractions_apart)
        yield self._cases
        axes = (self._axes_whole, self._circles_cut, self._axes_mirrored, self._axes_whole)
        yield from self._readings(self._components_apart, *axes, self._axes_shifted)
        yield from self._masks()
        yield from self._readings(self._circles_cut, self._masks_in_order)
        yield from self._masks()
        yield from self._readings(*([self._counted] * 3), self._axes_mirrored)
        yield from self._masks()
        yield from self._readings(self._angles_apart, self._axes_turned, self._exponents)
        yield from self._readings(self._circles_opened, *([self._counted] * 3))

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
        known = signs_declared([poly])
        bent = 0 < len(found) <= SIGNS and by_cases(poly) is ZERO
        if bent or (known and with_signs(poly, known) is ZERO):
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
