"""Σ over products: which pair comes first, what is known already, what is multiplied out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, count
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from .. import normalize as nf
from ..ir import (
    OPENED,
    Affine,
    Atom,
    Call,
    Delta,
    Index,
    Mask,
    Poly,
    Rational,
    Ref,
    Sum,
    Tensor,
    Term,
    raw_atom,
    refs,
)
from ..laws import sign_of
from .affine import resolve
from .branches import grouped
from .conditions import is_mask
from .entry import STAND_IN, Entry, canonical, numbered, numeric, placed, settled
from .nodes import BOOLEAN, Label, View, in_order, reachable
from .order import first_pair, lengths, symbols_of, undecided, work
from .ordered import in_chunks
from .slides import slide

if TYPE_CHECKING:
    from .entry import Env
    from .plan import Planner

Unit = tuple[Atom, Rational]
PREFER = 0.5  # what is multiplied out must cost less than this part of what was written
SQUARES = 0.25  # the same of squares of differences, which have digits that products have not


# ------------------------------------------------------------------------------------------- sums


def total(planner: Planner, node: Sum, env: Env) -> View:
    """Σ_bound body."""
    normal = settled(node)
    if normal is not raw_atom(node):
        if grouped_body(node):
            return written(planner, node, env)
        if _touches_delta(node) or (_bracketed(node) and normal.single):
            return planner.lower(normal, env)
        if _bracketed(node):
            ways = [lambda: written(planner, node, env), lambda: planner.lower(normal, env)]
            prefer = SQUARES if _of_squares(node) else PREFER
            return cheapest(planner, ways, _of_matrices(node, normal), prefer)
    return written(planner, node, env)


def grouped_body(node: Sum) -> bool:
    """A condition under the sum guards something there."""
    only = node.body.single
    return only is not None and grouped(only[0]) is not None


def _touches_delta(node: Sum) -> bool:
    """One that takes a letter out; those that spread over windows stay as they are, and those in a
    power, as in Σ (C_ab − δ_ab)², which multiplied out has no digits where C is near δ."""
    bound = set(node.bound)
    return any(
        isinstance(atom, Delta) and atom.free & bound and not _spreads(atom)
        for atom in _factors(node.body)
    )


def _spreads(delta: Delta) -> bool:
    return any(isinstance(slot, Affine) and len(slot.items) > 1 for slot in (delta.a, delta.b))


def _of_matrices(node: Sum, normal: Poly) -> bool:
    """Every term by itself is a sum of products of arrays none of which has all letters of the
    result, which all terms have: products of matrices, of no differences of what is read alike."""
    for term, _ in normal:
        sums = [a for a, e in term if isinstance(a, Sum) and e == 1 and a.body.single]
        if len(sums) != 1 or not node.free <= term.free:
            return False
        ((inner, _),) = sums[0].body
        letters = [a.free for a, _ in inner if a.free]
        if len(letters) < 2 or any(node.free <= own for own in letters):
            return False
    return len(normal) > 1


def _factors(node: Poly | Term | Atom) -> Iterator[Atom]:
    """The factors, also inside brackets and nested sums, but in no power of these."""
    if isinstance(node, Poly):
        for term, _ in node:
            yield from _factors(term)
    elif isinstance(node, Term):
        for atom, e in node:
            if e == 1 or not isinstance(atom, Poly):
                yield from _factors(atom)
    else:
        yield node
        if isinstance(node, Sum):
            yield from _factors(node.body)


def _bracketed(node: Sum) -> bool:
    """The body is a sum, or has one as a factor."""
    return len(node.body) != 1 or any(
        e > 0 and isinstance(atom, Poly | Sum) and atom.free & set(node.bound)
        for term, _ in node.body
        for atom, e in term
    )


def _of_squares(node: Sum) -> bool:
    """Σ_a (x_ia − y_ja)² u_a: squares of differences of pairs, also beside weights."""
    only = node.body.single
    return only is not None and any(
        isinstance(atom, Poly) and e == 2 and not any(t.free == atom.free for t, _ in atom)
        for atom, e in only[0]
    )


def cheapest(
    planner: Planner,
    options: list[Callable[[], View]],
    by_time: bool = False,
    prefer: float = PREFER,
) -> View:
    """The first option, unless a later one costs less than `prefer` of it, in operations or in
    time: those of a product of matrices take less."""
    from .cost import spent

    measure = spent if by_time else work
    results = []
    for option in options:
        before = planner.snapshot()
        view = option()
        after = planner.snapshot()
        planner.restore(before)
        fresh = list(reachable([view.node], set(planner.live)))
        results.append((measure(fresh, planner.long), view, after))
    best = 0
    for number in range(1, len(results)):
        if results[number][0] < prefer * results[best][0]:
            best = number
    planner.restore(results[best][2])
    return results[best][1]


@dataclass
class Scope:
    """Bound indices and the labels of everything in sight."""

    bound: frozenset[Index]
    env: dict[Index, Label]

    def fresh(self, planner: Planner, size: sp.Expr) -> Index:
        """A new index with a label."""
        name = next(n for k in count() if (n := f"+{k}") not in {i.name for i in self.env})
        index = Index(name, size, OPENED)
        self.env.update(planner.scope(self.env, [index]))
        return index

    def labels(self, unit: Unit) -> tuple[Label, ...]:
        """The labels of a factor, in order."""
        return in_order(self.env[i] for i in unit[0].free)


def written(planner: Planner, node: Sum, env: Env) -> View:
    """Σ_bound body as it stands."""
    from .prefixes import prefixes

    only = node.body.single
    if only is not None and _nested(only[0]):
        found = _over_windows(planner, node, env)
        if found is not None:
            return found
    bound, body = node.bound, node.body
    if any(b.level > 0 for b in bound):
        bound, body = nf.opened(node, node.free)
    bound = _as_stored(bound, body)
    inner = planner.scope(env, bound)
    scope = Scope(frozenset(bound), inner)
    if len(body) != 1:
        body = raw_atom(stand_in(planner, body))
    ((term, c),) = body
    coefficient, term = numeric(term)
    parts = grouped(term)
    if parts is not None:
        term, inside = parts
        together = nf.normalize(squares_held(planner, Poly({inside: 1})))
        term = Term({**term.powers, stand_in(planner, together): 1})
    term = _under_masks(planner, term)
    units = [_unit(planner, atom, e) for atom, e in planner.by_label(term, inner)]
    view = slide(planner, units, scope)
    if view is None:
        summed = prefixes(planner, units, scope)
        found = _in_chunks(planner, summed, scope) if isinstance(summed, list) else None
        summed = found or summed
        if isinstance(summed, View):
            view = summed
        else:
            view = _contract(planner, resolve(planner, summed, scope), scope)
    absent = [b.size for b in bound if b not in term.free]
    return planner.multiply([(view, sp.S.One)], sp.Mul(coefficient, sp.Rational(c), *absent))


def _in_chunks(planner: Planner, units: list[Unit], scope: Scope) -> View | None:
    """The contraction under the one order of two letters that there is in a product."""
    from .prefixes import order_of

    masks = [atom for atom, _ in units if isinstance(atom, Mask)]
    order = order_of(masks[0]) if len(masks) == 1 else None
    return None if order is None else in_chunks(planner, masks[0], order, units, scope)


def _as_stored(bound: tuple[Index, ...], body: Poly) -> tuple[Index, ...]:
    """Letters in the order in which tensors have them, so that none is turned for another."""
    rows = [[s for s in r.slots if s in bound] for r in refs(body)]
    left, found = list(bound), list[Index]()
    while left:
        first = [b for b in left if not any(b in row and row[0] is not b for row in rows)]
        if not first:
            return bound
        found.append(first[0])
        left.remove(first[0])
        rows = [[s for s in row if s is not first[0]] for row in rows]
    return tuple(found)


def squares_held(planner: Planner, poly: Poly) -> Poly:
    """What a condition guards: every Σ (x − y) (z − y) an array of its own, for multiplied out it
    would lose the digits of x − y; and roots opened, whose derivative at 0 is no number."""

    def rule(atom: Any) -> Poly | None:
        if isinstance(atom, Ref):
            entry = planner.entries.get(atom.tensor)
            if entry is None or atom.tensor in planner.standing:
                return None
            only = nf.normalize(entry.poly).single
            if only is None or all(isinstance(e, int) for a, e in only[0] if a.free):
                return None
            inside = squares_held(planner, entry.poly)
            return placed(inside, dict(zip(entry.indices, atom.slots, strict=True)))
        only = atom.body.single if isinstance(atom, Sum) else None
        brackets = 0 if only is None else sum(e for a, e in only[0] if isinstance(a, Poly))
        return raw_atom(stand_in(planner, raw_atom(atom))) if brackets > 1 else None

    return nf.rewrite(poly, rule)


def _under_masks(planner: Planner, term: Term) -> Term:
    """The product with e^q […] as one array: what a mask leaves out of e^q may overflow."""
    for atom, _ in term:
        if isinstance(atom, Call) and atom.name == "exp":
            own = [m for m, _ in term if is_mask(m) and m.free <= atom.free]
            if own:
                held = nf.multiply(raw_atom(atom), *map(raw_atom, own))
                rest = {a: e for a, e in term if a is not atom and a not in own}
                return Term({**rest, stand_in(planner, held): 1})
    return term


def _nested(term: Term) -> list[Sum]:
    """The sums that are factors of one, of one product each."""
    return [a for a, e in term if isinstance(a, Sum) and e == 1 and a.body.single]


def _over_windows(planner: Planner, node: Sum, env: Env) -> View | None:
    """Sums inside of one another that are one sum over windows."""
    if not any(isinstance(s, Affine) for r in refs(node) for s in r.slots):
        return None
    bound, body = nf.opened(node, node.free)
    only = body.single
    if only is None:  # the letters given to it let it fall apart
        return None
    term, number = only[0], sp.Rational(only[1])
    while inner := _nested(term):
        more, inside = nf.opened(inner[0], {*node.free, *bound})
        if inside.single is None:
            return None
        product, d = inside.single
        left = {a: e for a, e in term if a is not inner[0]}
        for a, e in product:
            left[a] = left.get(a, 0) + e
        bound, term, number = (*bound, *more), Term(left), number * sp.Rational(d)
    coefficient, term = numeric(term)
    scope = Scope(frozenset(bound), planner.scope(env, bound))
    units = [_unit(planner, atom, e) for atom, e in planner.by_label(term, scope.env)]
    view = slide(planner, units, scope)
    if view is None or any(b not in term.free for b in bound):
        return None
    return planner.multiply([(view, sp.S.One)], number * coefficient)


def _unit(planner: Planner, atom: Atom, e: Rational) -> Unit:
    simple = isinstance(atom, Ref | Mask | Delta) and all(
        isinstance(s, Index) for s in getattr(atom, "slots", ())
    )
    if simple and e in (1, 2):
        return atom, e
    if (isinstance(atom, Ref) and e == 1) or isinstance(atom, Mask | Delta):
        return atom, e
    return stand_in(planner, raw_atom(atom, e)), 1


def stand_in(planner: Planner, poly: Poly, guard: bool | str = False) -> Ref:
    """A component of a new tensor that stands for an expression; `guard` puts 1 where it is 0, and
    with FAR where it is not far from 0."""
    letters = sorted(poly.free, key=lambda i: i.sort)
    normal = nf.normalize(poly)
    names = {i: i for i in letters}
    if normal is poly:  # what differs in its letters only is one tensor
        poly, order = canonical(normal)
        names = {numbered(k, i.size): i for k, i in enumerate(order)}
    known = planner.stands.get((poly, guard, frozenset(names)))
    if known is not None:
        return Ref(known, [names[i] for i in planner.standing[known].indices])
    sign = "+" if guard or sign_of(normal) == "+" else ""
    indices = tuple(sorted(names, key=lambda i: letters.index(names[i])))
    shape = tuple(i.size for i in letters)
    tensor = Tensor(f"~{len(planner.standing)}", shape, sign, role=STAND_IN)
    entry = Entry(tensor, indices, poly, guard)
    planner.entries[tensor] = planner.standing[tensor] = entry
    planner.stands[poly, guard, frozenset(names)] = tensor
    return Ref(tensor, letters)


def _contract(planner: Planner, units: list[Unit], scope: Scope) -> View:
    """Σ Π units, pair by pair."""
    while True:
        found = _reuse(planner, units, scope)
        found = found or _alone(planner, units, scope)
        if found is not None:
            units = found
            continue
        if len(units) <= 2:
            break
        out = in_order(scope.env[i] for u in units for i in u[0].free if i not in scope.bound)
        shapes = [scope.labels(u) for u in units]
        if _loose(planner, units, scope) and undecided(shapes, out, planner.long):
            break  # the order is chosen when the sizes are known
        known = planner.entries.keys() | planner.peaks.keys()
        refs = {k: a.tensor for k, (a, _) in enumerate(units) if isinstance(a, Ref)}
        given = [k for k, tensor in refs.items() if tensor not in known]
        inverses = [k for k in given if refs[k].role == "inverse"]
        chosen = first_pair(shapes, out, planner.long, given, inverses)
        units = _merge(planner, units, chosen, scope)
    return _finish(planner, units, scope)


def _loose(planner: Planner, units: list[Unit], scope: Scope) -> bool:
    """Nothing but arrays, and all of them tied by what is summed."""
    return all(
        e == 1 and isinstance(atom, Ref) and not any(isinstance(s, Affine) for s in atom.slots)
        and atom.free & scope.bound
        for atom, e in units
    )  # fmt: skip


def _alone(planner: Planner, units: list[Unit], scope: Scope) -> list[Unit] | None:
    """The units with one summed over the letters that no other has; None where there is none."""
    for k, (atom, _) in enumerate(units if len(units) > 1 else ()):
        others = {i for n, u in enumerate(units) if n != k for i in u[0].free}
        if atom.free & scope.bound - others:
            return _merge(planner, units, (k,), scope)
    return None


def _merge(planner: Planner, units: list[Unit], pair: tuple[int, ...], scope: Scope) -> list[Unit]:
    """The units with those at `pair` contracted to one."""
    part = _part(units, pair, scope)
    rest = [u for k, u in enumerate(units) if k not in pair]
    return [*rest, (stand_in(planner, part), 1)]


def _part(units: list[Unit], chosen: tuple[int, ...], scope: Scope) -> Poly:
    """Σ over the bound letters that only the chosen units have, of their product."""
    others = {i for k, u in enumerate(units) if k not in chosen for i in u[0].free}
    inside = {i for k in chosen for i in units[k][0].free}
    product = nf.multiply(*(nf.power(raw_atom(units[k][0]), units[k][1]) for k in chosen))
    return nf.sum_over((inside & scope.bound) - others, product)


def _reuse(planner: Planner, units: list[Unit], scope: Scope) -> list[Unit] | None:
    """The units with a part that the plan has already in place of its factors, where that is
    cheaper; a factor that is itself a contraction may be opened for it."""
    if len(units) > 2:
        known = _known(planner, units, scope)
        if known is not None:
            return _merge(planner, units, known, scope)
    for k, (atom, e) in enumerate(units):
        if e != 1 or not isinstance(atom, Ref) or not set(atom.slots) <= set(atom.free):
            continue
        opened = _open(planner, atom, scope)
        if opened is None:
            continue
        inner, bound = opened
        wider = Scope(scope.bound | bound, planner.scope(scope.env, bound))
        longer = [*units[:k], *units[k + 1 :], *inner]
        if any(all(i not in a.free for a, _ in longer) for i in atom.free & scope.bound):
            continue  # it is the same along a letter that is summed
        known = _known(planner, longer, wider)
        if known is None:
            continue
        shorter = _merge(planner, longer, known, wider)
        if _price(planner, shorter, wider) < _price(planner, units, scope):
            scope.env, scope.bound = wider.env, wider.bound
            return shorter
    return None


def _open(planner: Planner, ref: Ref, scope: Scope) -> tuple[list[Unit], frozenset[Index]] | None:
    """The factors of a tensor that is defined as one contraction."""
    entry = planner.entries.get(ref.tensor)
    if entry is None or ref.tensor in planner.standing:
        return None
    body = entry.at(ref.slots) if _one_sum(nf.normalize(entry.poly)) else None
    found = None if body is None else _one_sum(body)
    if found is None:
        return None
    bound, opened = nf.opened(found, scope.env)
    inside = opened.single
    if inside is None or inside[1] != 1:
        return None
    return list(inside[0]), frozenset(bound)


def _one_sum(normal: Poly) -> Sum | None:
    """The sum of one product that an expression is."""
    only = normal.single
    if only is None or only[1] != 1 or len(only[0].powers) != 1:
        return None
    ((atom, e),) = only[0]
    return atom if e == 1 and isinstance(atom, Sum) and atom.body.single else None


def _known(planner: Planner, units: list[Unit], scope: Scope) -> tuple[int, ...] | None:
    for pair in combinations(range(len(units)), 2):
        if not units[pair[0]][0].free & units[pair[1]][0].free & scope.bound:
            continue
        atoms = [units[k][0] for k in pair]
        plain = [a.tensor for a in atoms if isinstance(a, Ref) and a.tensor.role != "inverse"]
        if len(plain) == 2 and frozenset(plain) not in planner.memo.subjects:
            continue  # nothing cancels in their product
        part = _part(units, pair, scope)
        known = planner.memo.find(part, scope.env)
        if known is not None and known.node in planner.live:
            return pair
    return None


def _price(planner: Planner, units: list[Unit], scope: Scope) -> tuple[float, float]:
    """The work of one contraction of all units, then what it reads that is not kept anyway."""
    labels = {x for u in units for x in scope.labels(u)}
    symbols = symbols_of(x.size for x in labels)
    reads = 0.0
    for atom, _ in units:
        view = planner.atom(atom, scope.env)
        if view.node.op != "input" and view.node not in planner.roots:
            reads += 1
    logs = sum(np.log(lengths(x.size, symbols)).mean() for x in labels)
    return round(float(logs), 1), reads


# ---------------------------------------------------------------------------- one or two operands


def _finish(planner: Planner, units: list[Unit], scope: Scope) -> View:
    views: list[View] = []
    masks: list[View] = []
    for atom, e in units:
        view = planner.atom(atom, scope.env)
        (masks if view.node.op in BOOLEAN else views).extend([view] * int(e))
    bound = {scope.env[b] for b in scope.bound}
    if len(views) > 2 and not masks:
        every = {x for v in views for x in v.labels}
        if sum(set(v.labels) == every for v in views) > 1:  # Σ_a x_ia² y_a: nothing comes before
            views = [planner.multiply([(v, sp.S.One) for v in views], sp.S.One)]
    # a letter that a factor turns out not to depend on, as exp(Σ_p δ_kp)
    present = {x for v in (*views, *masks) for x in v.labels}
    letters = {i for atom, _ in units for i in atom.free & scope.bound}
    lost = sp.Mul(*(i.size for i in letters if scope.env[i] not in present))
    view = _combined(planner, views, masks, bound)
    return planner.multiply([(view, sp.S.One)], lost)


def _combined(planner: Planner, views: list[View], masks: list[View], bound: set[Label]) -> View:
    """Σ_bound of the product, where the masks hold."""
    if masks:
        home = max(
            range(len(views)),
            default=-1,
            key=lambda k: len(set(views[k].labels) & {x for m in masks for x in m.labels}),
        )
        first = [views.pop(home)] if home >= 0 else []
        views.insert(0, planner.multiply([(v, sp.S.One) for v in [*first, *masks]], sp.S.One))
    out = in_order(x for v in views for x in v.labels if x not in bound)
    if len(views) == 1 and set(views[0].labels) == set(out):
        return views[0]
    if not any(x in bound for v in views for x in v.labels):
        return planner.multiply([(v, sp.S.One) for v in views], sp.S.One)
    return planner.einsum(views, out)


__all__ = ["cheapest", "squares_held", "stand_in", "total", "written"]
