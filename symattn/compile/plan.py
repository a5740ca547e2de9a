"""IR → plan: every expression becomes one node, equal normal forms the same one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sympy as sp

from ..canonical import key
from ..convert import ordered_terms
from ..distinct import different
from ..ir import (
    Argmax,
    Atom,
    Call,
    Delta,
    Index,
    Mask,
    Max,
    Poly,
    Ref,
    Slot,
    Sum,
    Tensor,
    Term,
    raw_atom,
    refs,
    slot_items,
)
from . import complements, contract, inverse, maxima, stable
from .branches import Condition, branches, cancelling_branches, opened_root
from .conditions import failing, is_mask
from .entry import (
    STAND_IN,
    Entry,
    Env,
    Shift,
    even,
    has_log,
    is_number,
    labelled,
    numeric,
    settled,
    stored,
)
from .gather import brackets
from .memo import without_centres
from .nodes import FAR, FIXED, View, in_order, reachable
from .overflowing import critical
from .passes import rewritten
from .peaks import Peak
from .prefixes import running_peak
from .small import SMALL
from .tables import Placed, Tables
from .weights import weight_of

SATURATED = ("exp", "sigmoid", "tanh", "erf")  # with the derivative 0 far from 0


class Planner(Tables):
    """Lowers expressions over `entries`; a tensor that has no entry is an input."""

    def add(self, entry: Entry) -> Placed:
        """The node of an entry as a result of the plan; labels are positions."""
        node, _ = placed = self.tensor(entry.tensor)
        self.roots.add(node)
        self.live.update(reachable([node], self.live))
        return placed

    # ------------------------------------------------------------------------------- tensors

    def tensor(self, tensor: Tensor, order: Sequence[int] = ()) -> Placed:
        """The node of a tensor, and for each axis its slot or the label of a batch axis.

        A part that is lowered for the first time gets its axes in the `order` of its slots.
        """
        if tensor in self.placed:
            node = self.placed[tensor]
            return node, tuple(range(len(node.shape)))
        if tensor in self.peaks:
            peak = self.peaks[tensor]
            return self._remembered(
                tensor, peak.indices, order, lambda env: self._peak(tensor, peak, env)
            )
        if tensor in self.entries:
            entry = self.entries[tensor]
            return self._remembered(
                tensor, entry.indices, order, lambda env: self._entry(entry, env)
            )
        if tensor.role in inverse.ROLES:
            if tensor not in self.tensors:
                self.tensors[tensor] = inverse.of_matrix(self, tensor)
            return self.tensors[tensor]
        return self._input(tensor)

    def _remembered(
        self,
        tensor: Tensor,
        indices: Sequence[Index],
        order: Sequence[int],
        lower: Callable[[Env], View],
    ) -> Placed:
        if tensor not in self.tensors:
            env: Env = {}
            for k in order or range(len(indices)):
                env = self.scope(env, [indices[k]])
            view = lower(env)
            place = {env[i]: k for k, i in enumerate(indices)}
            self.tensors[tensor] = view.node, tuple(place.get(x, x) for x in view.labels)
        return self.tensors[tensor]

    def shifted(
        self,
        source: Ref,
        indices: tuple[Index, ...],
        index: Index,
        position: Slot,
        modulus: sp.Expr,
    ) -> Tensor:
        """A new tensor: the source with position mod modulus for an index, 0 past the end."""
        entry = Entry(
            Tensor(f"~{len(self.standing)}", tuple(i.size for i in indices), role=STAND_IN),
            indices,
            raw_atom(source),
            shift=Shift(index, position, modulus),
        )
        self.entries[entry.tensor] = self.standing[entry.tensor] = entry
        return entry.tensor

    def _shift(self, entry: Entry, shift: Shift, env: Env) -> View:
        inner = self.scope({i: x for i, x in env.items() if i is not shift.index}, [shift.index])
        view = self.lower(entry.poly, inner)
        gone = inner[shift.index]
        factors = [(view, sp.S.One)]
        if gone not in view.labels:  # the same at every place, and 0 past the end
            view = self.arrange(View(self.literal(sp.S.One)), [gone])
            factors.append((view, sp.S.One))
        items, const = labelled(*slot_items(shift.position), env)
        grid = [(items, const) if x is gone else ({x: 1}, sp.S.Zero) for x in view.labels]
        moduli = [shift.modulus if x is gone else None for x in view.labels]
        read = self.gather(view.node, grid, fill=True, moduli=moduli)
        return self.multiply([*factors[:-1], (read, sp.S.One)], sp.S.One)

    def _entry(self, entry: Entry, env: Env) -> View:
        if entry.shift is not None:
            return self._shift(entry, entry.shift, env)
        if entry.test is not None:
            return self._test(*entry.test, env)
        if entry.left is not None:
            return complements.log_of_others(self, *entry.left, env)
        if entry.small is not None:
            self.small = True
            views = [self.lower(part, env) for part in entry.small]
            out = in_order(x for v in views for x in v.labels)
            return self.node("small", [(v.node, v.labels) for v in views], out, SMALL)
        view = self.lower(entry.poly, env)
        if entry.guard:
            kind = FAR if entry.guard == FAR else None
            return self.node("guard", [(view.node, view.labels)], view.labels, kind)
        return view

    def _peak(self, tensor: Tensor, peak: Peak, env: Env) -> View:
        """The largest exponent, over the bound indices or over the alternatives, of the array that
        exponentials have."""
        inner = self.scope(env, peak.bound)
        self.peak_letters[tensor] = {i: Index(x.name, x.size) for i, x in inner.items()}
        if len(peak.exponents) > 1:
            views = [self.within_numbers(self.lower(p, env)) for p in peak.exponents]
            out = in_order(x for v in views for x in v.labels)
            return self.node("maximum", [(v.node, v.labels) for v in views], out, FIXED)
        running = running_peak(self, peak, inner)
        if running is not None:
            return running
        operands = [
            *(self.within_numbers(self.lower(p, inner)) for p in peak.exponents),
            *(self.atom(m, inner) for m in peak.masks),
        ]
        over = {inner[b] for b in peak.bound}
        every = in_order(x for v in operands for x in v.labels)
        if len(operands[0].labels) < len(every) or not over:  # a mask has a letter more
            chosen = self.node("select", [(v.node, v.labels) for v in operands], every, None)
            operands = [chosen]
        if not over:
            return chosen
        out = tuple(x for x in every if x not in over)
        return self.node("max", [(v.node, v.labels) for v in operands], out, FIXED)

    # --------------------------------------------------------------------------- expressions

    def lower(self, poly: Poly, env: Env) -> View:
        """The value of an expression whose free indices have the labels in `env`."""
        normal = settled(poly)
        constant = normal.constant
        if constant is not None:
            return View(self.literal(sp.Rational(constant)))
        known = self.memo.find(normal, env)
        if known is not None:
            return known
        view = self._lower(poly, normal, env)
        self.memo.keep(normal, view, env)
        self._explain(view.node, poly, normal, env)
        return view

    def _lower(self, poly: Poly, normal: Poly, env: Env) -> View:
        if poly.free != normal.free:  # Σ_k x_{i+k} has no i
            poly = normal
        fails = failing(normal)
        if fails is not None:
            return self._test(fails, "<", env)
        pair = different(normal)
        if pair is not None:  # [i < j] + [j < i] as well as 1 − δ_ij
            same = self.atom(Delta(*pair), env)
            return View(self.nodes.opposite(same.node), same.labels)
        cases = branches(normal)
        if cases is not None:
            held = contract.squares_held(self, poly)
            self.guarded = True
            return self._cases(*(branches(held) or cases), env)
        cases = cancelling_branches(normal)
        if cases is not None:
            return self._cases(*cases, env)
        if len(poly) > 1 and poly not in self.written:
            for name in ("means", "covary"):
                about = rewritten(self, name, normal)
                if about is None or about is normal:
                    continue
                moved = any(r.tensor in self.standing for r in refs(about))
                if moved or len(about) < len(poly):  # else brackets of what was written are lost
                    return self.lower(about, env)
        joined = rewritten(self, "quotients", normal)
        if joined is not None and joined is not normal:
            return self.lower(joined, env)
        if len(normal) < len(poly) or (len(poly) == 1 == len(normal) and _apart(poly)):
            poly = normal
        if len(poly) == 1 and critical(poly):  # as written, what cancels may overflow
            poly = normal
        if len(poly) == 1:
            steady = rewritten(self, "steady", normal)
            if steady is not None and settled(steady) is not normal:
                return self.lower(steady, env)
            ((term, c),) = poly
            return self._product(term, sp.Rational(c), env)
        if poly not in self.written and len(poly) >= len(normal):
            square = rewritten(self, "squares", normal)
            if square is not None and square is not normal:
                square = rewritten(self, "gather", square) or square
                if not critical(square):
                    self.written.update(brackets(square))
                    return self.lower(square, env)
            found = self._gathered(normal)
            if found is not None:
                return self.lower(found, env)
        parts: dict[View, sp.Expr] = {}
        # Logarithms come last: x − m − log Z with x near m must not lose x − m to rounding.
        for term, c in sorted(ordered_terms(poly), key=lambda pair: has_log(pair[0])):
            coefficient, bare = numeric(term)
            view = None if bare is term else self.memo.find(Poly({term: 1}), env)
            if view is None:
                view = self.lower(Poly({bare: 1}), env)
            else:  # a mean, say, that is a definition: its difference from itself is exactly 0
                coefficient = sp.S.One
            parts[view] = parts.get(view, sp.S.Zero) + coefficient * sp.Rational(c)
        zero = self.literal(sp.S.Zero)
        left = [(view, c) for view, c in parts.items() if c != 0 and view.node is not zero]
        if not left:
            return View(zero)
        terms = without_centres(self.differences.within(left))
        made = self.plus(terms)
        self.differences.keep(made, terms)
        return made

    def _test(self, u: Poly, kind: str, env: Env) -> View:
        """[u ≥ 0] or [u < 0]."""
        view = self.lower(u, env)
        return self.node("test", [(view.node, view.labels)], view.labels, kind)

    def _cases(self, condition: Condition, holds: Poly, fails: Poly, env: Env) -> View:
        """One expression where a condition holds, another one where it fails."""
        if isinstance(condition, Delta | Mask):
            first = self.atom(condition, env)
        else:
            first = self._test(condition.args[0], ">=", env)
        ways = first, View(self.nodes.opposite(first.node), first.labels)
        made = [self.lower(case, env) for case in (holds, fails)]
        zero = self.literal(sp.S.Zero)
        for way, value, other in zip(ways, made, reversed(made), strict=True):
            if other.node is zero:
                one = value.node is self.literal(sp.S.One)
                if one and way.node.op == "compare":
                    return way
                return self.multiply([(value, sp.S.One)] * (not one) + [(way, sp.S.One)], sp.S.One)
        out = in_order(x for v in (ways[0], *made) for x in v.labels)
        return self.node("choose", [(v.node, v.labels) for v in (ways[0], *made)], out, None)

    def _gathered(self, normal: Poly) -> Poly | None:
        """The expression with brackets and fewer contractions; None where there are none."""
        before = self.snapshot()
        moved = rewritten(self, "centre", normal) or normal
        steady = rewritten(self, "steady", moved) or moved
        held = rewritten(self, "anchor", steady)
        if held is None and len(steady) < len(moved):
            held = steady  # what is left is one exponential, say
        found = moved if held is None else rewritten(self, "gather", held) or held
        if found is normal or (len(found) == 1 and critical(found)):
            self.restore(before)
            return None  # such a product is taken apart again
        self.written.update(brackets(found))
        return found

    def _product(self, term: Term, coefficient: sp.Expr, env: Env) -> View:
        """c · Π atom ** e."""
        factor, term = numeric(term)
        coefficient = coefficient * factor
        joined = stable.rejoined(self, term)
        if joined is not None:
            term, total = joined
            self.written.add(total)
        factors: list[tuple[View, sp.Rational]] = []
        masks = [a for a, _ in term if is_mask(a)]
        exponential = next((a for a, _ in term if isinstance(a, Call) and a.name == "exp"), None)
        weight: Atom | None = None
        if masks and exponential is not None:
            made, weight = self._masked_exponential(exponential, masks, term, env)
            factors.append((made, sp.S.One))
        for atom, e in self.by_label(term, env):
            if masks and exponential is not None and (atom in masks or atom is exponential):
                continue
            e = e - 1 if atom is weight else e
            if e == 0:
                continue
            root = None if isinstance(e, int) else opened_root(self.entries, atom, e)
            if root is not None:
                factors.append((self.lower(root, env), sp.S.One))
                continue
            if isinstance(atom, Poly) and e != 1:
                atom, scale = even(atom)
                coefficient *= scale ** sp.Rational(e)
            view = self.atom(atom, env)
            if view.node.op == "literal":
                coefficient *= view.node.data ** sp.Rational(e)
            else:
                factors.append((view, sp.Rational(e)))
        return self.multiply(factors, coefficient)

    def by_label(self, term: Term, env: Env) -> list[tuple[Atom, Any]]:
        """The factors in the order of their first letters."""
        return sorted(
            term, key=lambda u: (min((env[i].order for i in u[0].free), default=-1), key(u[0]))
        )

    def _masked_exponential(
        self, atom: Call, masks: Sequence[Atom], term: Term, env: Env
    ) -> tuple[View, Atom | None]:
        """[…] exp(x) as exp(x or −∞): a masked x may be anything, and has no derivative.  For
        [w ≠ 0] w exp(x) it is that product, and the weight w that is in it."""
        weights = {m: weight_of(self.entries, m) for m in masks}
        weight = next((w for w in weights.values() if w and term.powers.get(w, 0) >= 1), None)
        left = [m for m in masks if weight is None or weights[m] is not weight]
        views = [self.lower(atom.args[0], env), *(self.atom(m, env) for m in left)]
        out = in_order(label for v in views for label in v.labels)
        kept = views[0]
        if left:
            kept = self.node("select", [(v.node, v.labels) for v in views], out, None)
        if weight is None:
            return self._exponential(kept, atom.args[0]), None
        views = [kept, self.atom(weight, env)]
        out = in_order(label for v in views for label in v.labels)
        return self.node("weighed", [(v.node, v.labels) for v in views], out, None), weight

    def _exponential(self, view: View, exponent: Poly) -> View:
        """e^q; as far as numbers go, where max q is of what weights leave and q may be more."""
        peaks = [self.peaks[r.tensor] for r in refs(exponent) if r.tensor in self.peaks]
        if any(weight_of(self.entries, m) is not None for p in peaks for m in p.masks):
            return self.node("weighed", [(view.node, view.labels)], view.labels, None)
        return self.node("call", [(view.node, view.labels)], view.labels, "exp")

    def atom(self, atom: Atom, env: Env) -> View:
        """The value of one factor."""
        match atom:
            case Ref():
                return self._component(atom, env)
            case Poly():
                return self.lower(atom, env)
            case Sum():
                inside = settled(atom)
                if inside.free != atom.free:
                    return self.lower(inside, env)
                only = inside.single
                if only and only[1] == 1 and len(only[0].powers) == 1:
                    return self._once(raw_atom(atom), inside, env)
                if atom in self.written:
                    return contract.written(self, atom, env)
                return contract.total(self, atom, env)
            case Call(name="step"):
                return self._test(atom.args[0], ">=", env)
            case Call():
                views = [self.lower(arg, env) for arg in atom.args]
                if atom.name in SATURATED:
                    views = [self.within_numbers(view) for view in views]
                if atom.name == "exp":
                    return self._exponential(views[0], atom.args[0])
                if atom.name == "log" and (above := self.above_1(views[0])) is not None:
                    return self.node("call", [(above.node, above.labels)], above.labels, "log1p")
                out = views[0].labels
                if len(views) > 1:
                    out = in_order(x for view in views for x in view.labels)
                return self.node("call", [(v.node, v.labels) for v in views], out, atom.name)
            case Max():
                return maxima.largest(self, atom, env)
            case Argmax():
                return maxima.one_hot(self, atom, env)
            case Delta():
                items, const = slot_items(atom.a)
                others, other = slot_items(atom.b)
                for index, c in others.items():
                    items[index] = items.get(index, 0) - c
                size = next((s.size for s in (atom.b, atom.a) if isinstance(s, Index)), None)
                return self.compare(items, const - other, size, env)
            case Mask():
                return self.compare(*slot_items(atom.slot), None, env)
        raise AssertionError(atom)

    def _once(self, poly: Poly, normal: Poly, env: Env) -> View:
        """A sum through the memo, so that equal sums are computed once."""
        known = self.memo.find(normal, env)
        if known is None:
            ((term, _),) = poly
            ((atom, _),) = term
            known = contract.total(self, atom, env)  # type: ignore[arg-type]
            self.memo.keep(normal, known, env)
            self._explain(known.node, poly, normal, env)
        return known

    def _component(self, ref: Ref, env: Env) -> View:
        symbol = ref.tensor.symbol
        if ref.tensor.role == "place":
            (size,) = ref.tensor.shape
            return self.place(
                self.nodes.make("range", (), ((), None), [size], 1, ["k"]), ref.slots, env
            )
        if symbol is not None and ref.tensor not in self.entries and is_number(symbol):
            return View(self.literal(symbol))
        order: list[int] = []
        if ref.tensor in self.standing or ref.tensor in self.peaks:
            first = [min((env[i].order for i in s.free), default=-1) for s in ref.slots]
            order = sorted(range(len(first)), key=lambda k: first[k])
            if ref.tensor in self.standing:
                order = stored(self.standing[ref.tensor], order, self.standing)
        node, axes = self.tensor(ref.tensor, order)
        slots = [ref.slots[x] if isinstance(x, int) else x for x in axes]
        return self.place(node, slots, env)


def _apart(poly: Poly) -> bool:
    """A product of several exponentials, each of which may overflow where all of them do not."""
    return any(sum(isinstance(a, Call) and a.name == "exp" for a, _ in t) > 1 for t, _ in poly)
