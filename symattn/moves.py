"""Normal forms reached step by step: each node takes that of its parts, a binder one law at a time.

Every step says its law and what the second opinion is to try it on: the letters that are summed
over, the slot that a δ puts for one of them, what is taken out of a maximum.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from . import laws, maxima, sums
from . import normalize as nf
from .canonical import key
from .derive import outputs_of, outside
from .ir import (
    ONE_TERM,
    ZERO,
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
)
from .laws import sign_of
from .model import Model, is_size
from .second_opinion.reading import Given
from .trees import (
    BINDERS,
    Builder,
    Path,
    Scope,
    Tree,
    at,
    nameless,
    placed,
    replaced,
    size_tree,
    slot_tree,
    written,
)

KEYS = ("claim", "tensors", "definitions", "facts", "steps")


def _summed(tree: Tree) -> list[str]:
    """The letters of Σ_j f_j + 2 Σ_j g_j, where all terms are sums over the same."""
    parts = tree[1:] if tree[0] == "add" else ()
    found = [p[-1] if p[0] == "mul" and isinstance(p[1], str) else p for p in parts]
    same = found and all(p[0] == "sum" and p[1] == found[0][1] for p in found)
    return [x for x, _ in found[0][1]] if same else []


class Moves(Builder):
    """An expression on its way to a normal form, and the steps so far."""

    scope: Scope  # the letters that are free in it

    def __init__(self, m: Model, symmetric: Any) -> None:
        super().__init__()
        self.model, self.symmetric = m, symmetric
        self.tree: Tree = "0"
        self.steps: list[Tree] = []
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
            elif self.tensors.setdefault(t.name, t) is t and t.role in ("inverse", "det", "logdet"):
                pending += t.of

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
        step = {"law": law, "at": list(path), "before": before, "after": after}
        self.steps.append({**step, "side": [side[k] for k in sorted(side)], **more})
        self.tree = replaced(self.tree, path, after)

    def signs(self) -> Given:
        """What the second opinion knows of signs."""
        if self.declared < len(self.tensors):
            self.declared = len(self.tensors)
            known = {n: self._declaration(t) for n, t in self.tensors.items() if not is_size(t)}
            self.known = Given({k: {} for k in KEYS} | {"sizes": [], "tensors": known})
        return self.known

    def _needs(self, tree: Tree, scope: Scope, inner: Tree = ()) -> Iterator[Tree]:
        """What is divided by, rooted or logged and not known to be as it must."""
        if isinstance(tree, str):
            return
        if tree[:2] == ["call", "tan"]:
            yield ["≠ 0", list(inner), ["call", "cos", tree[2]]]
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
        self.record("normal form", path, self.written(value, scope), scope)
        return value

    def _bound(self, path: Path, scope: Scope) -> bool:
        """One law for the binder at `path`, what is below it in normal form."""
        tree = at(self.tree, path)
        *_, pairs, body = tree
        within = self.entered(pairs, scope)
        names = {i: n for n, i in within.items()}
        if tree[0] == "max":
            return self._largest(tree, within, names, path, scope)
        if tree[0] == "argmax":
            return self._blind(tree, within, names, path, scope)
        poly, bound = self.build(body, within), tuple(within[x] for x, _ in pairs)
        if self._apart(tree, poly, bound, names, path, scope):
            return True
        ((term, _),) = poly or [(ONE_TERM, 0)]
        moves = (self._selected_letter, self._contracted, self._opened, self._attained, self._turn)
        return any(move(tree, term, bound, names, path, scope) for move in (*moves, self._nested))

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
            ((touched, _), *more) = sums._components(set(bound), single[0])
            if touched and not more:
                return False
        for term, c in sorted(poly, key=lambda pair: key(pair[0])):
            row = [str(Fraction(c))] * (c != 1)
            row += [size_tree(b.size) for b in bound if b not in term.free]
            for letters, part in sums._components(set(bound), term):
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
            self.record("delta", path, after, scope, **more)
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
        factors = [str(sign)] * (sign < 0) + [
            written(nf.delta(*ends), names),
            written(Poly({rest: 1}), names),
        ]
        after = self._over([b for b in bound if b is not letter], ["mul", *factors], names)
        (inverse,) = [
            a
            for a, _ in term
            if isinstance(a, Ref) and a not in rest.powers and a.tensor.role == "inverse"
        ][:1]
        more = {
            "letters": [x for x, _ in tree[1]],
            "letter": names[letter],
            "matrix": inverse.tensor.name,
            "ends": [slot_tree(s, names) for s in ends],
            "rest": [*factors[:-2], factors[-1]],
        }
        self.record("inverse", path, after, scope, **more)
        return True

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
        factors = [str(Fraction(c))] * (c != 1) + [written(Poly({rest: 1}), names)]
        top = [["max", hot[2], [hot[3]]]] if here else []
        left = [b for b in bound if b not in atom.at]
        after = self._over(left, ["mul", *top, *factors], names)
        more = {"letters": [x for x, _ in tree[1]], "indicator": hot, "rest": factors}
        self.record("argmax", path, after, scope, **more)
        return True

    def _largest(self, tree: Tree, within: Scope, names: Any, path: Path, scope: Scope) -> bool:
        """Maxima of maxima, what is never above left out, summands and factors outside."""
        _, pairs, args = tree
        bound = tuple(within[x] for x, _ in pairs)
        spread = [a for t in args for a in maxima._spread(bound, self.build(t, within))]
        names = dict(names)
        for letters, _ in spread:
            for b in letters:
                names.setdefault(b, f"@m{next(self._fresh)}")
        bodies = list(dict.fromkeys(body for _, body in spread))
        kept = maxima._undominated(bodies)
        gaps = [
            written(nf.subtract(q, p), names)
            for p in bodies
            for q in kept
            if p not in kept and sign_of(nf.subtract(q, p))
        ]
        chosen = {body: letters for letters, body in spread if body in kept}
        rows = [self._outside(letters, body, names) for body, letters in chosen.items()]
        shift = ZERO
        content: maxima.Content = maxima.TRIVIAL
        if len(kept) > 1 and not bound and not any(chosen.values()):
            every = dict.fromkeys(t for p in kept for t in p.terms)
            shift = Poly({t: min(p.terms.get(t, 0) for p in kept) for t in every})
            rest = [nf.subtract(p, shift) for p in kept]
            content = laws.common_content([pair for p in rest for pair in p], integer=False)
            rows = [written(maxima._without(content, p), names) for p in rest]
        after = ["max", [], rows] if len(rows) > 1 else rows[0]
        if content != maxima.TRIVIAL:
            after = ["mul", written(Poly({content[1]: content[0]}), names), after]
        if shift.terms:
            after = ["add", written(shift, names), after]
        if nameless(after) == nameless(tree):
            return False
        self.record("largest", path, after, scope, gaps=gaps)
        return at(self.tree, path) != tree

    def _outside(self, bound: Sequence[Index], body: Poly, names: dict[Index, str]) -> Tree:
        """max over letters, what has none of them and factors ≥ 0 outside, groups apart."""
        inside = maxima._touching(bound, body)
        parts = [written(nf.subtract(body, inside), names)]
        groups: list[tuple[set[Index], Poly]] = []
        for term, c in inside:
            touched, p = set(bound) & term.free, Poly({term: c})
            for letters, other in [g for g in groups if g[0] & touched]:
                groups.remove((letters, other))
                touched, p = touched | letters, nf.add(p, other)
            groups.append((touched, p))
        for letters, p in groups:
            own = [b for b in bound if b in letters]
            content = maxima._outer_content(own, p)
            pairs = [[names[b], size_tree(b.size)] for b in own]
            top = ["max", pairs, [written(maxima._without(content, p), names)]]
            front = written(Poly({content[1]: content[0]}), names)
            parts.append(top if front == "1" else ["mul", front, top])
        parts = [t for t in parts if t != "0"]
        return ["add", *parts] if len(parts) > 1 else parts[0] if parts else "0"

    def _blind(self, tree: Tree, within: Scope, names: Any, path: Path, scope: Scope) -> bool:
        """[j = argmax_k c x_k + r] = [j = argmax_k x_k] for c > 0."""
        _, slots, pairs, body = tree
        bound, p = [within[x] for x, _ in pairs], self.build(body, within)
        inside = maxima._touching(bound, p)
        content = maxima.TRIVIAL
        if inside.terms:
            content = maxima._outer_content(bound, inside, frozenset("+"))
        rest = nf.subtract(p, inside)
        if content == maxima.TRIVIAL and not rest.terms:
            return False
        after = ["argmax", slots, pairs, written(maxima._without(content, inside), names)]
        factor = written(Poly({content[1]: content[0]}), names)
        self.record(
            "argmax of the same", path, after, scope, factor=factor, rest=written(rest, names)
        )
        return True

    def _turn(
        self, tree: Tree, term: Term, bound: Any, names: Any, path: Path, scope: Scope
    ) -> bool:
        """Σ_j f(x_{j−1}) = Σ_j f(x_j)."""
        found = sums.turn(bound, term)
        if found is None:
            return False
        letter, slot = found

        def rule(atom: object) -> Poly | None:
            if not isinstance(atom, Ref) or slot not in atom.slots:
                return None
            return nf.ref(atom.tensor, [letter if s is slot else s for s in atom.slots])

        body = written(nf.rewrite(Poly({term: 1}), rule), names)
        more = {
            "letters": [x for x, _ in tree[1]],
            "letter": names[letter],
            "slot": slot_tree(slot, names),
        }
        self.record("turned", path, self._over(bound, body, names), scope, **more)
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
            "positive": t.positive,
            "symmetry": t.symmetry,
            "role": role,
            "of": of,
        }


__all__ = ["Moves"]
