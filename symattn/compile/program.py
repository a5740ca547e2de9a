"""A request → the plan, its cut and its bands → module text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import sympy as sp

from ..errors import DefinitionError, UnsupportedError
from ..ir import Tensor, extent
from . import apart
from .bands import Band, band
from .choice import accumulate
from .conditions import with_conditions
from .cost import Cost, cost_of
from .deltas import sifted
from .ends import Trimmed, without_ends
from .entry import Entry
from .evens import without_halves
from .hazards import with_hazards
from .inverse import evened
from .leading import Axes, Leading, check_names
from .logarithms import with_logarithms
from .module import Module
from .names import printable
from .nested import flattened
from .nodes import Label, Node, Nodes, View, reachable, symbols_in
from .openings import without_pairs
from .plan import Planner
from .regrouped import regrouped
from .request import Request
from .rescaled import with_fewer_exponentials
from .ring import Ring, ring, shared
from .rows import Cut, cut, left_whole, saves
from .signs import without_opposites
from .sizes import asked_for
from .small import with_small
from .spared import spared
from .textbook import accumulated
from .turns import straightened, upright
from .weights import with_weights

WRITTEN = 2000  # factors of a derivative's formula; of more the plan is that of what was written
Law = Callable[[Iterable[Node], Nodes], Mapping[Node, Node]]
LAWS: tuple[Law, ...] = (
    flattened, with_hazards, without_halves, straightened, upright, regrouped,
    without_opposites, spared,
)  # fmt: skip
FEW = 400  # operations of a plan in which every array may be one that is cut: it takes their square


@dataclass(frozen=True)
class Program:
    """A plan with its inputs and its results."""

    request: Request
    planner: Planner
    tree: Any  # of (node with its axes in order, entry)
    inputs: dict[str, Tensor]
    shapes: dict[str, tuple[sp.Expr, ...]]  # of the inputs, batch axes included
    free_sizes: tuple[sp.Symbol, ...]  # sizes that no input shows
    target: str
    flash: bool = False  # blocks of rows wherever there is more than one
    accumulated: bool = False  # derivatives go through the definitions as they are written
    opened: bool = False  # weights of pairs that fall apart are opened where they are summed
    axis: str = ""  # the axis of a mesh along which devices are a ring
    misses: tuple[Node, ...] = ()  # how many sums are not far from 0, for which there is
    careful: Program | None = None  # another plan of the same results: see apart.py

    def cost(self) -> Cost:
        """FLOPs, bytes and the largest intermediate."""
        return cost_of(self.roots, self.cut)

    @property
    def roots(self) -> list[Node]:
        """The nodes that are computed."""
        return [*self.results, *self.misses]

    @property
    def results(self) -> list[Node]:
        """The nodes that are returned."""
        return _roots(self.tree)

    @cached_property
    def cut(self) -> Cut | None:
        """Where the plan runs over blocks of rows; shifts are slices of whole arrays."""
        if self.target != "jax":
            return None
        roots, long = self.roots, self.planner.long
        found = cut(roots, long)
        if found is not None:
            return found
        if not self.flash and sum(1 for _ in reachable(roots)) > FEW:
            return None
        found = cut(roots, long, every=True)
        if found is None or self.flash:
            return found
        shifts = not self.axis and without_ends(roots, self.planner.nodes) is not None
        return found if not shifts and saves(roots, found, long) else None

    @cached_property
    def trimmed(self) -> Trimmed | None:
        """The plan without the ends that masks leave out, where it is computed all at once."""
        if self.target != "jax" or self.axis or self.cut is not None:
            return None
        return without_ends(self.roots, self.planner.nodes)

    @cached_property
    def band(self) -> Band | None:
        """What masks leave of a block of rows."""
        if self.cut is None:
            return None
        return band(list(reachable(self.roots)), self.cut, self.roots)

    @cached_property
    def ring(self) -> Ring | None:
        """The plan for one device of a ring; None for one device.  Raises UnsupportedError."""
        if not self.axis:
            return None
        return ring(self.roots, *shared(self.cut, self.roots, self.planner.long))

    @property
    def large(self) -> list[Node]:
        """Arrays of pairs that the cut leaves at full length."""
        return left_whole(self.roots, self.cut, self.planner.long)

    @property
    def whole(self) -> list[Node]:
        """The same, and without a cut arrays of sizes that come in together."""
        every = self.cut is None
        return self.large or left_whole(self.roots, self.cut, self.planner.long, every=every)

    @cached_property
    def module(self) -> Module:
        """The source text and what its parameters are called."""
        return Module.write(self)


def _roots(tree: Any) -> list[Node]:
    return [tree] if isinstance(tree, Node) else [n for t in tree.values() for n in _roots(t)]


def program(
    req: Request,
    batch: Axes,
    target: str,
    order: Sequence[Tensor] | None = None,
    flash: bool = False,
    axis: str = "",
    whole: bool = False,
) -> Program:
    """The plan of a request; `order` fixes the inputs and their order.  With `flash` every large
    array goes through in blocks of rows, and UnsupportedError says which one cannot.  With `whole`
    the program is one plan, whatever comes in.

    Where derivatives are asked for, their formulas and accumulation through the definitions are
    two plans, and the cheaper one is taken; formulas of thousands of factors are no plan.
    """
    entries = {t: e for t, e in req.entries.items() if order is None or t not in order}
    entries |= {leaf.tensor: leaf for leaf in req.leaves()}
    entries = sifted(with_weights(with_conditions(with_logarithms(with_small(evened(entries))))))
    check_names(batch, entries)
    plans = _plans(req, entries, batch, target, order, flash, axis)
    if axis:
        return _on_ring(*plans)
    if flash:
        return _in_blocks(*plans)
    best = _beside_matrices(req, entries, batch, order, _best(*plans), whole)
    if best.careful is not None:
        return best
    opened = without_pairs(entries, [leaf.tensor for leaf in req.leaves()])
    if opened is not None:
        other = _best(*_plans(req, opened, batch, target, order))
        best = replace(other, opened=True) if _cheaper(other, best) else best
    tree = _by_laws(best.planner, best.tree, (with_fewer_exponentials,))
    return best if tree is best.tree else replace(best, tree=tree)


def _best(made: Program, other: Program | None) -> Program:
    return other if other is not None and _cheaper(other, made) else made


def _beside_matrices(
    req: Request,
    entries: dict[Tensor, Entry],
    batch: Axes,
    order: Sequence[Tensor] | None,
    best: Program,
    whole: bool,
) -> Program:
    """The program, or that of products of matrices with this one for what they cannot have, in
    blocks of rows where it goes by such."""
    if whole or best.target != "jax" or not best.planner.pairs:
        return best
    given = (req, entries, batch, "jax", order)
    one = _best(*_plans(*given, separate=True))
    if not apart.preferred(one, best):
        return best
    try:
        blocks = [_in_blocks(*_plans(*given, flash=True))]
    except UnsupportedError:
        blocks = []
    return apart.beside(one, [*blocks, best])


def _plans(
    req: Request,
    entries: dict[Tensor, Entry],
    batch: Axes,
    target: str,
    order: Sequence[Tensor] | None,
    flash: bool = False,
    axis: str = "",
    separate: bool = False,
) -> tuple[Program, Program | None]:
    """The plan of the formulas, and that of accumulation where there is one."""
    carried = Leading(batch, entries) if isinstance(batch, Mapping) else None
    planner = Planner(entries, tuple(batch), req.letters, carried)
    planner.chunked = target == "jax" and not (flash or axis)
    planner.apart = separate
    other = _accumulated(req, planner)
    if other is not None and any(extent(entries[t].poly) > WRITTEN for t in req.derived):
        made = _program(req, other, order, target, flash, axis)
        return replace(made, accumulated=True), None
    for leaf in req.leaves():
        planner.add(leaf)
    made = _program(req, planner, order, target, flash, axis)
    return made, None if other is None else _beside(made, other)


def _program(
    req: Request,
    planner: Planner,
    order: Sequence[Tensor] | None,
    target: str,
    flash: bool,
    axis: str,
) -> Program:
    """The program of a planner that has the results."""
    tree = _arranged(planner, req.results)
    if order is None:
        found = {t.name: t for t in _first_use(planner, req.own)}
    else:
        found = {t.name: t for t in order}
        extra = sorted(t.name for t in planner.inputs if t not in order)
        if extra:
            raise DefinitionError(
                f"the expression depends on {extra[0]}, which is no argument",
                expected=", ".join(found),
                mend=f"add {extra[0]} to args",
            )
    if planner.carried is not None:
        planner.carried.check(req.own, found)
    tree, missing = _with_misses(planner, tree)
    needed = {s for n in reachable(_roots(tree)) for s in symbols_in(n)}
    shapes = _shapes(planner, found)
    free = asked_for(needed, shapes)
    return Program(
        req, planner, tree, found, shapes, free, target, flash, axis=axis, misses=missing
    )


def _with_misses(planner: Planner, tree: Any) -> tuple[Any, tuple[Node, ...]]:
    """The results after laws of whole plans, and how many sums in them are not far from 0."""
    missing = dict(enumerate(apart.misses(planner, _roots(tree))))
    made = _by_laws(planner, {"results": tree, "misses": missing})
    return made["results"], tuple(made["misses"].values())


def _cheaper(one: Program, other: Program) -> bool:
    tangents = all(t.role == "tangent" and not t.of[0].parts for t in one.request.derived)
    long, guarded = one.planner.long, one.planner.guarded
    small = one.planner.small

    def whole() -> bool:
        return one.cut is not None and not one.large and bool(other.large)

    return accumulate(other.roots, one.roots, long, guarded, tangents, whole, small)


def _on_ring(made: Program, other: Program | None) -> Program:
    """The cheaper one of the plans that devices can share.  Raises UnsupportedError."""
    plans, reasons = [], []
    for one in (made, other):
        try:
            if one is not None and one.ring is not None:
                plans.append(one)
        except UnsupportedError as reason:
            reasons.append(reason)
    if not plans:
        raise reasons[0]
    return plans[-1] if len(plans) == 2 and _cheaper(plans[1], plans[0]) else plans[0]


def _in_blocks(made: Program, other: Program | None) -> Program:
    """The cheaper one of the plans in which no large array is whole; one without blocks counts
    where it has no array larger than the other one has in its blocks."""
    every = [made] if other is None else [made, other]
    plans = [one for one in every if one.cut and not one.whole]
    if len(plans) == 1 < len(every):
        blocks = plans[0].cost().blocks
        plans = [x for x in every if x in plans or sp.Max(x.cost().largest, blocks) == blocks]
    if len(plans) == 2:
        return plans[_cheaper(plans[1], plans[0])]
    if plans:
        return plans[0]
    whole = made.whole
    raise UnsupportedError(
        'path="flash" finds no axis to cut into blocks',
        formula=printable(str(made.request.formulas[-1]))[:200],
        expected="an axis that all large arrays share, along which there are only sums",
        got=f"an array ({', '.join(map(str, whole[0].shape))}) that is needed as a whole"
        if whole
        else "no array of several axes",
        mend='use path="dense"',
    )


def _accumulated(req: Request, like: Planner) -> Planner | None:
    """A planner with the same results from the definitions as they are written, where that is
    possible."""
    if not req.derived:
        return None
    known = {t: e for t, e in like.entries.items() if t not in req.derived}
    planner = Planner(known, tuple(b.name for b in like.batch), req.letters, like.carried)
    planner.long, planner.chunked, planner.apart = like.long, like.chunked, like.apart
    if not accumulated(planner, req.leaves(), req.derived):
        return None
    planner.live.update(reachable(planner.roots))
    return planner


def _beside(made: Program, planner: Planner) -> Program | None:
    """The program of that planner, where it needs no array and no size that the other one does
    not need."""
    tree, missing = _with_misses(planner, _arranged(planner, made.request.results))
    roots = _roots(tree)
    inputs = {n.data for n in reachable(roots) if n.op == "input"}
    needed = {s for n in reachable(roots) for s in symbols_in(n)}
    if not inputs <= set(made.inputs.values()) or any(
        s not in made.free_sizes for s in asked_for(needed, made.shapes)
    ):
        return None
    return replace(made, planner=planner, tree=tree, misses=missing, accumulated=True)


def _shapes(planner: Planner, inputs: Mapping[str, Tensor]) -> dict[str, tuple[sp.Expr, ...]]:
    """The symbolic shape of every input, batch axes included."""
    return {n: (*(b.size for b in planner.leading(t)), *t.shape) for n, t in inputs.items()}


def _first_use(planner: Planner, own: Sequence[str]) -> list[Tensor]:
    """Inputs as the definitions use them, upstream gradients last."""
    live = [t for t, node in planner.inputs.items() if node in planner.live]
    rank = {name: k for k, name in enumerate(own)}
    return sorted(live, key=lambda t: rank.get(t.name, len(rank)))


def _arranged(planner: Planner, tree: Any) -> Any:
    if not isinstance(tree, Entry):
        return {name: _arranged(planner, part) for name, part in tree.items()}
    node, places = planner.tensors[tree.tensor]
    labels = tuple(Label(i.name, i.size) for i in tree.indices)
    view = View(node, tuple(labels[x] if isinstance(x, int) else x for x in places))
    if tree.adjoint:  # everything else is done: other results may need the node as it is
        view = planner.summed(view, set(planner.batch) - set(planner.among(tree.adjoint)))
        planner.replace(tree.tensor, view, labels)
    # A result has the leading axes of its inputs, whether or not it depends on them.
    out = (*planner.among(tree.tensor.name), *labels)
    if view.labels == out:
        return view.node
    return planner.arrange(view, out).node


def _by_laws(planner: Planner, tree: Any, laws: Sequence[Law] = LAWS) -> Any:
    """The results after laws of whole plans, with arrays that mean what they did."""
    now = {node: node for node in reachable(_roots(tree))}
    for law in laws:
        made = law([now[root] for root in _roots(tree)], planner.nodes)
        now = {old: made.get(new, new) for old, new in now.items()}
    if all(old is new for old, new in now.items()):
        return tree
    for old, new in now.items():
        if old in planner.meaning:
            planner.meaning.setdefault(new, planner.meaning[old])
    for tensor, (node, places) in planner.tensors.items():
        planner.tensors[tensor] = now.get(node, node), places

    def renewed(part: Any) -> Any:
        if isinstance(part, Node):
            return now.get(part, part)
        return {name: renewed(inner) for name, inner in part.items()}

    return renewed(tree)
