"""Normal forms reached step by step: each node takes that of its parts, a binder one law at a time.

Every step says its law and what the second opinion is to try it on: the letters that are summed
over, the slot that a δ puts for one of them, what is taken out of a maximum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from typing import Any, TypeAlias

from . import laws, maxima, primitives, sums
from . import normalize as nf
from .canonical import key
from .derive import outputs_of, outside
from .ir import (
    OF_MATRIX,
    ONE_TERM,
    Delta,
    Index,
    Poly,
    Ref,
    Sum,
    Tensor,
    Term,
    inverse_tensor,
    rational,
    raw_atom,
    refs,
    scalar,
)
from .laws import sign_of
from .model import Model, is_size
from .readings import template
from .second_opinion.given import Given
from .trees import (
    BINDERS,
    Builder,
    Path,
    Scope,
    Tree,
    at,
    nameless,
    placed,
    product_tree,
    replaced,
    size_tree,
    slot_tree,
    written,
)

Rule: TypeAlias = Callable[[Tree, Path, Scope], bool]
KEYS = ("claim", "tensors", "definitions", "facts", "steps")


def _summed(tree: Tree) -> list[str]:
    """The letters of Σ_j f_j + 2 Σ_j g_j, where all terms are sums over the same."""
    parts = tree[1:] if tree[0] == "add" else ()
    found = [p[-1] if p[0] == "mul" and isinstance(p[1], str) else p for p in parts]
    same = found and all(p[0] == "sum" and p[1] == found[0][1] for p in found)
    return [x for x, _ in found[0][1]] if same else []


@lru_cache(maxsize=256)
def made_of(name: str) -> Tree:
    """What a scalar function is made of, with x, y, z for its arguments."""
    names = {scalar(v).tensor.name: str(v.name) for v in primitives.VARIABLES}

    def named(tree: Tree) -> Tree:
        if isinstance(tree, str):
            return tree
        return names[tree[1]] if tree[:1] == ["ref"] and tree[1] in names else [*map(named, tree)]

    return named(written(template(name), {}))


def functions() -> dict[str, Tree]:
    """The scalar functions that are made of others."""
    names = (n for n in primitives.names() if primitives.by_name(n).definition)
    return {name: made_of(name) for name in names}


def flat(tree: Tree) -> list[Tree]:
    """What a maximum is the largest of, those in it opened, with the letters that occur."""
    rows = []
    for t in tree[2]:
        for inner, body in flat(t) if t[0] == "max" else [[[], t]]:
            used = set(mentioned(body))
            rows.append([[pair for pair in (*tree[1], *inner) if pair[0] in used], body])
    return rows


def mentioned(tree: Tree) -> Iterator[str]:
    """The letters in a tree."""
    if isinstance(tree, str):
        yield from [tree] * (tree[:1] == "@")
    else:
        for part in tree:
            yield from mentioned(part)


def top(pairs: Tree, body: Tree) -> Tree:
    """The maximum of an expression over letters."""
    return ["max", pairs, [body]] if pairs else body


class Moves(Builder):
    """An expression on its way to a normal form, and the steps so far."""

    scope: Scope  # the letters that are free in it

    def __init__(self, m: Model, symmetric: Any) -> None:
        super().__init__()
        self.model, self.symmetric = m, symmetric
        self.tree: Tree = "0"
        self.steps: list[Tree] = []
        self.outside: list[tuple[Tree, Path, Scope]] = []  # of what the tree is a factor
        self.declared = 0
        self.known = Given({k: {} for k in KEYS} | {"sizes": []})

    def written(self, node: Any, scope: Scope) -> Tree:
        """The tree of an expression with the letters in scope."""
        self.declare(node)
        return written(node, {i: n for n, i in scope.items()})

    def declare(self, node: Any) -> None:
        """Remembers what the names in an expression stand for."""
        pending = [r.tensor for r in refs(node)]
        while pending:
            t = pending.pop()
            if t.role == "inverse" and t.of[0] in self.symmetric:
                t = inverse_tensor(t.of[0], "symmetric")
            if t.parts:
                pending += t.parts
            elif self.tensors.setdefault(t.name, t) is t and t.role in OF_MATRIX:
                pending += t.of

    def everywhere(self, rule: Rule) -> bool:
        """The rule at every node, outermost first, then normal forms again."""
        changed = self.visit((), self.scope, rule)
        if changed:
            self.settle()
        return changed

    def visit(self, path: Path, scope: Scope, rule: Rule) -> bool:
        tree = at(self.tree, path)
        if rule(tree, path, scope):
            return True
        places = self.parts(tree, scope)
        return any([self.visit((*path, *place), within, rule) for place, within in places])

    # ------------------------------------------------------------------------------- recording

    def record(self, law: str, path: Path, after: Tree, scope: Scope, **more: Tree) -> None:
        """One step at `path`; the letters in scope there are `scope`."""
        before = at(self.tree, path)
        if law == "normal form" and nameless(before) == nameless(after):
            return
        if law == "normal form" and after == "0" and (letters := _summed(before)):
            law, more = "sums", {"letters": letters}
        self._step(law, path, after, scope, **more)

    def _step(self, law: str, path: Path, after: Tree, scope: Scope, **more: Tree) -> None:
        before = at(self.tree, path)
        if before == after:
            return
        side = {}
        for tree in (before, after):
            for relation, pairs, base in self._needs(tree, scope):
                within = self.entered(pairs, scope)
                ranges = {within[x]: f"[{size}]" for x, size in pairs}
                side[relation, key(self.build(base, within), ranges)] = [relation, pairs, base]
        place = [k for _, outer, _ in self.outside for k in outer]
        step = {"law": law, "at": [*place, *path], "before": before, "after": after}
        self.steps.append({**step, "side": [side[k] for k in sorted(side)], **more})
        self.tree = replaced(self.tree, path, after)

    def signs(self) -> Given:
        """What the second opinion knows of signs."""
        if self.declared < len(self.tensors):
            self.declared = len(self.tensors)
            known = {n: self._declaration(t) for n, t in self.tensors.items() if not is_size(t)}
            data = {"sizes": [], "tensors": known, "functions": functions()}
            self.known = Given({k: {} for k in KEYS} | data)
        return self.known

    def _needs(self, tree: Tree, scope: Scope, inner: Tree = ()) -> Iterator[Tree]:
        """What is divided by, rooted or logged and not known to be as it must."""
        if isinstance(tree, str):
            return
        if tree[0] == "call" and tree[1] in self.signs().functions:
            tree = self.signs().plain(tree)
        base = tree[1] if tree[0] == "pow" else tree[2] if tree[:2] == ["call", "log"] else None
        if base is not None:
            known = ("", "0+", "+")[self.signs().sign(base)]
            e = Fraction(tree[2]) if tree[0] == "pow" else Fraction(1)
            if tree[0] == "call" and known != "+":
                yield ["> 0", list(inner), base]
            if e < 0 and known != "+":
                yield ["≠ 0", list(inner), base]
            if e.denominator > 1 and not known:
                yield ["≥ 0", list(inner), base]
        inner = [*inner, *tree[-2]] if tree[0] in BINDERS else inner
        for path, within in self.parts(tree, scope):
            yield from self._needs(at(tree, path), within, inner)

    def settle(self, path: Path = (), scope: Scope | None = None) -> Poly:
        """The normal form of the tree at `path`, a step for every node that changes."""
        scope = self.scope if scope is None else scope

        def child(place: Path, within: Scope) -> Poly:
            value = self.settle((*path, *place), within)
            if tree[0] == "sum":  # Σ (x/q + y/q) = Σ 1 for q = x + y
                bound = tuple(within[x] for x, _ in tree[1])
                value = laws.cancel_common_denominators(value, bound)
                after = self.written(value, within)
                self.record("normal form", (*path, *place), after, within)
            return value

        tree = at(self.tree, path)
        value = self.made(tree, scope, child)
        if tree[0] in BINDERS and self._bound(path, scope):
            return self.settle(path, scope)
        if tree[0] == "pow":
            self._factored(path, value, scope)
        self.record("normal form", path, self.written(value, scope), scope)
        return value

    def _factored(self, path: Path, value: Poly, scope: Scope) -> None:
        """(c x)^e with the factors of a sum apart, before the power is."""
        _, base, e = at(self.tree, path)
        if base[0] != "add" or value.single is None or (1 / Fraction(e)).denominator > 1:
            return
        term, c = value.single
        powers = {a: rational(Fraction(k) / Fraction(e)) for a, k in term}
        names = {i: n for n, i in scope.items()}
        coefficient = rational(Fraction(c) ** int(1 / Fraction(e)))
        after = product_tree(Term(powers), coefficient, names)
        self.record("normal form", (*path, 1), after, scope)

    def _bound(self, path: Path, scope: Scope) -> bool:
        """One law for the binder at `path`, what is below it in normal form."""
        tree = at(self.tree, path)
        *_, pairs, body = tree
        within = self.entered(pairs, scope)
        names = {i: n for n, i in within.items()}
        if tree[0] == "max" and self._round(path, scope):
            return True
        if tree[0] == "max":
            self._largest(path, scope)
        if tree[0] != "sum":
            return False
        poly, bound = self.build(body, within), tuple(within[x] for x, _ in pairs)
        if self._apart(tree, poly, bound, names, path, scope):
            return True
        ((term, _),) = poly or [(ONE_TERM, 0)]
        moves = (self._selected_letter, self._contracted, self._opened, self._attained, self._turn)
        return any(move(tree, term, bound, names, path, scope) for move in (*moves, self._nested))

    def _round(self, path: Path, scope: Scope) -> bool:
        """max_j f(x_{j−1}) = max_j f(x_j)."""
        _, pairs, args = at(self.tree, path)
        within = self.entered(pairs, scope)
        names = {i: n for n, i in within.items()}
        body = self.build(args[0], within)
        found = maxima.turn([within[x] for x, _ in pairs], body) if len(args) == 1 else None
        if found is None:
            return False
        letter, slot, turned = found
        more = {"letter": names[letter], "slot": slot_tree(slot, names)}
        self.record("turn", path, ["max", pairs, [written(turned, names)]], scope, **more)
        return True

    def _over(self, letters: Iterable[Index], body: Tree, names: dict[Index, str]) -> Tree:
        """Σ of a tree over letters with these names."""
        pairs = [[names[b], size_tree(b.size)] for b in letters]
        return ["sum", pairs, body] if pairs else body

    def _apart(
        self, tree: Tree, poly: Poly, bound: Sequence[Index], names: Any, path: Path, scope: Scope
    ) -> bool:
        """Σ of several terms, or of factors that share no letters, as sums and products of sums."""
        rows = []
        single = poly.single
        if single and single[1] == 1 and not set(bound) - single[0].free:
            ((touched, _), *more) = sums.components(set(bound), single[0])
            if touched and not more:
                return False
        for term, c in sorted(poly, key=lambda pair: key(pair[0])):
            row = [str(Fraction(c))] * (c != 1)
            row += [size_tree(b.size) for b in bound if b not in term.free]
            for letters, part in sums.components(set(bound), term):
                factors = written(Poly({part: 1}), names)
                row.append(self._over([b for b in bound if b in letters], factors, names))
            rows.append(row)
        products = [["mul", *row] if len(row) > 1 else row[0] if row else "1" for row in rows]
        after = ["add", *products] if len(rows) > 1 else products[0] if rows else "0"
        self.record("sums", path, after, scope, letters=[x for x, _ in tree[1]])
        return True

    def _selected_letter(
        self, tree: Tree, term: Term, bound: Any, names: Any, path: Path, scope: Scope
    ) -> bool:
        """Σ_j δ_jk f_j = f_k."""
        for atom, _ in term:
            if not isinstance(atom, Delta):
                continue
            rest = Term({a: e for a, e in term if a is not atom})
            found = sums.solution(atom, bound, rest)
            if found is None:
                continue
            gone, kept = found
            slots, taken = {names[gone]: slot_tree(kept, names)}, set(names.values())
            body = placed(written(Poly({rest: 1}), names), slots, taken)
            after = self._over([b for b in bound if b is not gone], body, names)
            letters = [x for x, _ in tree[1]]
            more = {"letters": letters, "letter": names[gone], "slot": slots[names[gone]]}
            self.record("index", path, after, scope, **more)
            return True
        return False

    def _contracted(
        self, tree: Tree, term: Term, bound: Any, names: Any, path: Path, scope: Scope
    ) -> bool:
        """Σ_j M_ij M⁻¹_jk = δ_ik."""
        found = sums.contraction(bound, term)
        if found is None:
            return False
        letter, ends, rest, sign = found
        inverse = next(
            a.tensor
            for a, _ in term
            if isinstance(a, Ref) and a not in rest.powers and a.tensor.role == "inverse"
        )
        matrix, x = inverse.of[0], names[letter]
        left = any(
            isinstance(a, Ref) and a.tensor is matrix and a.slots[0] is letter
            for a, _ in term
            if a not in rest.powers
        )
        one, two = (inverse, matrix) if left else (matrix, inverse)
        first, last = [slot_tree(s, names) for s in (ends if left else ends[::-1])]
        body = ["mul", ["ref", one.name, [first, x]], ["ref", two.name, [x, last]]]
        factors = [str(sign)] * (sign < 0) + [written(Poly({rest: 1}), names)]
        place, within = self._alone([letter], body, factors, tree, bound, names, path, scope)
        more = {"of": one.name, "instance": {"@i": first, "@k": last}}
        after = written(nf.delta(*ends), names)
        self.record("inverse", place, after, within, **more)
        return True

    def _alone(
        self, inner: Any, body: Tree, rest: list[Tree], tree: Tree, bound: Any, names: Any,
        path: Path, scope: Scope,
    ) -> tuple[Path, Scope]:  # fmt: skip
        """The Σ at `path` as one of `rest` times a Σ over inner letters, and where that stands."""
        outer = [b for b in bound if b not in inner]
        after = self._over(outer, ["mul", self._over(inner, body, names), *rest], names)
        self.record("sums", path, after, scope, letters=[x for x, _ in tree[1]])
        self.tree = replaced(self.tree, path, after)  # with these letters
        return (*path, *[2] * bool(outer), 1), {**scope, **{names[b]: b for b in outer}}

    def _opened(
        self, tree: Tree, term: Term, bound: Any, names: Any, path: Path, scope: Scope
    ) -> bool:
        """Σ_j f_j (Σ_k g_jk) = Σ_jk f_j g_jk."""
        for atom, e in term:
            if not isinstance(atom, Sum) or e < 1 or atom.free.isdisjoint(bound):
                continue
            rest = Term(
                {
                    a: x if a is not atom else rational(x - 1)
                    for a, x in term
                    if a is not atom or x != 1
                }
            )
            fresh, body = sums.opened(atom, term.free | set(bound))
            inner = names | {i: f"@o{next(self._fresh)}" for i in fresh}
            factors = [written(Poly({rest: 1}), names), written(body, inner)]
            nested = ["mul", factors[0], self._over(fresh, factors[1], inner)]
            within = {**scope, **{names[b]: b for b in bound}}
            self.record("normal form", (*path, 2), nested, within)
            self.tree = replaced(self.tree, (*path, 2), nested)  # with other letters
            after = self._over([*bound, *fresh], ["mul", *factors], inner)
            self.record("sums", path, after, scope, letters=[inner[b] for b in (*bound, *fresh)])
            return True
        return False

    def _attained(
        self, tree: Tree, term: Term, bound: Any, names: Any, path: Path, scope: Scope
    ) -> bool:
        """Σ_j [j = argmax_k x_k] x_j = max_k x_k."""
        found = sums.at_the_largest(bound, term)
        if found is None:
            return False
        atom, here, rest, c = found
        hot = written(raw_atom(atom), names)
        slots = {x: names[s] for (x, _), s in zip(hot[2], atom.at, strict=True)}
        value = [placed(hot[3], slots, set(names.values()))] if here else []
        factors = [str(Fraction(c))] * (c != 1) + [written(Poly({rest: 1}), names)]
        body = ["mul", hot, *value] if here else hot
        place, within = self._alone(atom.at, body, factors, tree, bound, names, path, scope)
        after = ["max", hot[2], [hot[3]]] if here else "1"
        self.record("argmax", place, after, within, indicator=hot)
        return True

    def _largest(self, path: Path, scope: Scope) -> None:
        """Maxima in the arguments opened, what is never above left out, independent parts apart."""
        tree = at(self.tree, path)
        for place, within in self.parts(tree, scope):
            self._pulled((*path, *place), within)
        rows = flat(at(self.tree, path))
        polys = [None if pairs else self.build(body, scope) for pairs, body in rows]
        while found := self._below(polys):
            low, gap = found
            rows = [rows[low], *(row for k, row in enumerate(rows) if k != low)]
            polys.pop(low)
            self._renamed(path, ["max", [], [top(*row) for row in rows]], scope)
            rows = rows[1:]
            after = ["max", [], [top(*row) for row in rows]]
            self.record("larger", path, after, scope, gap=self.written(gap, scope))
        tops = [top(*row) for row in rows]
        self._renamed(path, ["max", [], tops] if len(tops) > 1 else tops[0], scope)
        for k, (pairs, body) in enumerate(rows):
            self._independent((*path, 2, k) if len(rows) > 1 else path, pairs, body, scope)

    def _below(self, polys: list[Any]) -> tuple[int, Poly] | None:
        """Which expression another one is never below, and by how much it is above."""
        for (k, p), (_, q) in permutations(enumerate(polys), 2):
            gap = nf.subtract(q, p) if p and q else None
            if gap is not None and sign_of(gap):
                return k, gap
        return None

    def _renamed(self, path: Path, after: Tree, scope: Scope) -> None:
        """A normal form with these letters."""
        self.record("normal form", path, after, scope)
        self.tree = replaced(self.tree, path, after)

    def _pulled(self, path: Path, scope: Scope) -> None:
        """c max x + r as max (c x + r), one after the other."""
        poly = self.build(at(self.tree, path), scope)
        found = maxima._nested(poly)
        if found is None:
            return
        atom, cofactor = found
        rest = nf.subtract(poly, nf.multiply(cofactor, raw_atom(atom)))
        letters, inside = maxima.entered(atom, poly.free)
        names = {i: n for n, i in scope.items()}
        names |= {i: f"@m{next(self._fresh)}" for i in letters}
        args = [written(nf.add(rest, nf.multiply(cofactor, x)), names) for x in inside]
        pairs = [[names[b], size_tree(b.size)] for b in letters]
        self._renamed(path, ["max", pairs, args], scope)
        for place, within in self.parts(at(self.tree, path), scope):
            self._pulled((*path, *place), within)

    def _independent(self, path: Path, pairs: Tree, body: Tree, scope: Scope) -> None:
        """max_jk (x_j + y_k) = max_j x_j + max_k y_k."""
        within = self.entered(pairs, scope)
        names, bound = {i: n for n, i in within.items()}, [within[x] for x, _ in pairs]
        poly = self.build(body, within)
        inside = maxima._touching(bound, poly)
        groups: list[tuple[set[Index], Poly]] = []
        for term, c in inside:
            touched, p = set(bound) & term.free, Poly({term: c})
            for letters, other in [g for g in groups if g[0] & touched]:
                groups.remove((letters, other))
                touched, p = touched | letters, nf.add(p, other)
            groups.append((touched, p))
        if len(groups) < 2:
            return
        own = [[pair for pair in pairs if within[pair[0]] in letters] for letters, _ in groups]
        for inner in reversed(own):
            body = ["max", inner, [body]]
        self._renamed(path, body, scope)
        apart: list[Tree] = []
        for k in range(len(groups) - 1, 0, -1):
            place = (*path, *(2, 0) * k)
            apart.append(["max", own[k], [written(groups[k][1], names)]])
            outside = nf.add(nf.subtract(poly, inside), *(p for _, p in groups[:k]))
            around = {x: within[x] for pairs in own[:k] for x, _ in pairs}
            self._renamed(place, ["add", written(outside, names), *apart], {**scope, **around})

    def _turn(
        self,
        tree: Tree,
        term: Term,
        bound: Any,
        names: Any,
        path: Path,
        scope: Scope,
        several: bool = False,
    ) -> bool:
        """Σ_j f(x_{j−1}) = Σ_j f(x_j)."""
        found = sums.turn(bound, term, several)
        if found is None:
            return False
        letter, slot, turned = found
        body = written(turned, names)
        more = {
            "letters": [x for x, _ in tree[1]],
            "letter": names[letter],
            "slot": slot_tree(slot, names),
        }
        self.record("index", path, self._over(bound, body, names), scope, **more)
        return True

    def _nested(
        self, tree: Tree, term: Term, bound: Any, names: Any, path: Path, scope: Scope
    ) -> bool:
        """Σ_ij f_i z_ij / Z_i = Σ_i f_i / Z_i Σ_j z_ij."""
        inner = sums.inner_sum(bound, term)
        if inner:
            self._grouped(bound, inner, term, names, path, scope)
        return bool(inner)

    def _grouped(
        self, bound: Any, inner: Any, term: Term, names: Any, path: Path, scope: Scope
    ) -> None:
        """Σ_ij f_i g_ij = Σ_i f_i Σ_j g_ij."""
        pieces = sums.split_exponentials(term)
        touching = sums.join(p for p in pieces if p[0].free & set(inner))
        rest = sums.join(p for p in pieces if not p[0].free & set(inner))
        here = self._over(inner, written(Poly({touching: 1}), names), names)
        body = ["mul", written(Poly({rest: 1}), names), here]
        after = self._over([b for b in bound if b not in inner], body, names)
        self.record("sums", path, after, scope, letters=[names[b] for b in bound])

    def _declaration(self, t: Tensor) -> Tree:
        role, of = t.role or "input", [o.name for o in t.of]
        if t.name in self.model.bodies:
            role = "definition"
        elif t.symbol is not None and not t.symbol.is_Symbol:
            role = str(t.symbol)
        elif role == "loss":
            of = [o.name for o in outputs_of(self.model, t)]
        elif role == "input" and outside(self.model, t):
            role = "undefined"
        return {
            "shape": [size_tree(s) for s in t.shape],
            "sign": t.sign,
            "symmetry": t.symmetry,
            "role": role,
            "of": of,
        }


__all__ = ["Moves"]
