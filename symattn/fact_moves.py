"""Steps of a log by facts: in place of sums, of components and of their powers."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

from . import normalize as nf
from . import sums
from .errors import UnsupportedError
from .facts import ROUNDS, Fact, Rules, _oriented
from .ir import (
    Index,
    Poly,
    Ref,
    Slot,
    Sum,
    Term,
    raw_atom,
)
from .model import Body, match
from .places import placeable
from .reading_moves import ReadingMoves
from .relations import Relation
from .trees import (
    Path,
    Scope,
    Tree,
    at,
    placed,
    replaced,
    slot_tree,
    with_letters,
    written,
)


class FactMoves(ReadingMoves):
    """What an instance of a fact, or of a definition read backwards, puts in place of another."""

    facts: list[Fact]
    rules: Rules
    relations: dict[str, Relation]

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
        if pattern in self.rules.equal:
            pattern, i, j = self.rules.equal[pattern]
            found = {**found, j: found[i]}
        if pattern in self.rules.implied:
            raise UnsupportedError(f"no law of certificates is: what follows from the {label}")
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

    def _body(self, body: Body, slots: Tree, scope: Scope) -> Tree:
        """The body of a definition, as it was read, at slots."""
        names = {i: f"@{i.name}" for i in body.indices}
        there = dict(zip(names.values(), slots, strict=True))
        return placed(self.written(body.raw, {n: i for i, n in names.items()}), there, set(scope))


__all__ = ["FactMoves"]
