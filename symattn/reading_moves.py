"""Steps of a log by other readings: functions, angles, components, masks in order, counting."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sympy as sp

from . import normalize as nf
from . import primitives
from .axis_moves import AxisMoves
from .exponents import over_one_bar, quotients_upright, squares_apart
from .ir import (
    Index,
    Mask,
    Poly,
    Rational,
    Sum,
    Term,
    affine,
    raw_atom,
    slot_items,
)
from .ir import place as place_of
from .laws import at_arguments
from .logistic import terms_apart
from .monotone import outermost, placed_in
from .readings import (
    ANGLES,
    POWER_SUMS,
    _by_the_other,
    _count,
    _pieces,
    by_definition,
    numbered,
    of_angle,
    places_of,
    template,
    units_of,
)
from .scalars import vanishes
from .shared_bars import shared
from .trees import (
    Names,
    Path,
    Scope,
    Tree,
    at,
    size_tree,
    slot_tree,
    written,
)


class ReadingMoves(AxisMoves):
    """What an expression is beside its normal form."""

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

    def _out_of_maxima(self, tree: Tree, path: Path, scope: Scope) -> bool:
        """max f(x) as f(max x), the argmax of f(x) as that of x."""
        if tree[0] not in ("max", "argmax"):
            return False
        *head, pairs, body = tree
        within = self.entered(pairs, scope)
        bodies = body if tree[0] == "max" else [body]
        found = [self.build(t, within) for t in bodies]
        whole: Tree = "x"
        while layer := outermost(found):
            whole, found = placed_in(whole, layer.tree()), layer.args
        if whole == "x":
            return False
        terms = [self.written(x, within) for x in found]
        after = [*head, pairs, terms if tree[0] == "max" else terms[0]]
        after = placed_in(whole, after) if tree[0] == "max" else after
        self.record("increasing", path, after, scope, whole=whole, terms=terms)
        return True

    def _sums_joined(self) -> None:
        """Σ x/q + Σ y/q as Σ (x/q + y/q)."""
        while found := shared(poly := self.build(self.tree, self.scope)):
            names, x = {i: n for n, i in self.scope.items()}, f"@j{next(self._fresh)}"
            pairs = [[x, size_tree(found.letter.size)]]
            inner = names | {found.letter: x}
            bodies = [(written(c, names), written(f, inner)) for c, f in found.bodies]
            others = written(nf.subtract(poly, found.terms), names)
            apart = ["add", *(["mul", c, ["sum", pairs, f]] for c, f in bodies)]
            rest = written(Poly({found.rest: 1}), names)
            self._renamed((), ["add", others, ["mul", rest, apart]], self.scope)
            after = ["sum", pairs, ["add", *(["mul", c, f] for c, f in bodies)]]
            self.record("sums", (2, 2), after, self.scope, letters=[x])
            within = {**self.scope, x: found.letter}
            self.record("normal form", (2, 2, 2), written(found.body, inner), within)
            self.settle()

    def _scalars(self) -> None:
        """0 where the exact field of geometry says so."""
        if vanishes(by_definition(self.build(self.tree, self.scope))):
            self.everywhere(self._by_exponentials)
            self.everywhere(self._angles_apart)
            self.record("normal form", (), "0", self.scope)

    def _fractions_apart(self, tree: Tree, path: Path, scope: Scope) -> bool:
        """Terms over 1 + e^u, or e^u + e^v, in partial fractions."""
        bound: tuple[Index, ...] = ()
        if tree[0] == "sum":
            within = self.entered(tree[1], scope)
            bound = tuple(within[x] for x, _ in tree[1])
            tree, path, scope = tree[2], (*path, 2), {**scope, **within}
        elif tree[0] not in ("add", "mul", "pow"):
            return False
        poly = self.build(tree, scope)
        value = terms_apart(poly, bound)
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

    def _squares(self, tree: Tree, path: Path, scope: Scope) -> bool:
        """log(x² y) = 2 log|x| + log y."""
        if tree[:2] != ["call", "log"]:
            return False
        poly = self.build(tree, scope)
        value = squares_apart(poly)
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


__all__ = ["ReadingMoves"]
