"""The plan of the definitions as they are written, with derivatives by accumulation.

Every definition is evaluated once, and derivatives go through the operations that evaluate it.
What the formulas of the derivatives multiply out may cost more than that, and then this plan is
the better one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sympy as sp

from ..derive import Derivation
from ..ir import Tensor
from ..model import Model, evaluated
from .accumulate import Accumulation, Unknown
from .entry import Entry
from .memo import Meaning
from .nodes import Label, Node, View
from .plan import Planner


def accumulated(
    planner: Planner, leaves: Sequence[Entry], derived: Mapping[Tensor, Derivation]
) -> bool:
    """Enters the results into a planner that knows the definitions alone; False where it cannot.

    `derived` are gradients, tangents and products with Hessians.  Those with respect to anything
    but inputs, Jacobians and Hessians are not accumulated.
    """
    work = _Textbook(planner, derived)
    try:
        for leaf in leaves:
            if leaf.tensor not in derived:
                planner.add(leaf)
        for leaf in leaves:
            if leaf.tensor in derived:
                node, places = work.derivative(derived[leaf.tensor])
                planner.tensors[leaf.tensor] = node, places
                planner.roots.add(node)
                names = {i: i.name for i in leaf.indices}
                planner.meaning.setdefault(node, Meaning(leaf.poly, leaf.poly, names))
    except Unknown:
        return False
    return True


class _Textbook:
    """The derivatives of one system through the nodes of its definitions."""

    def __init__(self, planner: Planner, derived: Mapping[Tensor, Derivation]) -> None:
        self._planner = planner
        self._wrt = {_wrt(tensor) for tensor in derived}  # what something is differentiated in
        self._work = Accumulation(planner)
        self._bars: dict[tuple[Tensor, bool], dict[Node, View]] = {}

    def derivative(self, of: Derivation) -> tuple[Node, tuple[int | Label, ...]]:
        """The node of a derivative, and the slot or the leading axis of each axis."""
        m, tensor = evaluated(of.system), of.component.tensor
        if tensor.role == "adjoint":
            self._planner.tensor(m.tensor(of.output))
            x = self._input(m, tensor.of[0])
            bars = self._reverse(m, m.tensor(of.output), upstream=True)
            if x not in bars:
                raise Unknown("no gradient")
            return self._whole(x, bars[x])
        if tensor.role != "tangent":
            raise Unknown(tensor.role)
        (y,) = tensor.of
        wrt: Tensor | None = None
        if y.parts:
            y, wrt = y.of
        output = self._planner.tensor(y)
        dots = {}
        for name in of.along:
            x = self._input(m, m.tensor(name))
            dots[x] = self._like(x, m.tangent(m.tensor(name)))
        if wrt is None:
            return self._along(*output, dots)
        x = self._input(m, wrt)
        bars = self._reverse(m, y, upstream=False)
        if y.shape or x not in bars:
            raise Unknown("the Hessian of several functions")
        return self._along(*self._whole(x, bars[x]), dots)

    def _along(
        self, node: Node, places: tuple[int | Label, ...], dots: Mapping[Node, View]
    ) -> tuple[Node, tuple[int | Label, ...]]:
        dot = self._work.forward(node, dots)
        if dot is None:
            raise Unknown("no tangent")
        out = self._work.axes(node)[: len(node.shape)]
        return self._planner.arrange(dot, out).node, places

    def _input(self, m: Model, tensor: Tensor) -> Node:
        """The node of an input that is differentiated in, and has every leading axis."""
        planner = self._planner
        node = planner.inputs.get(tensor)
        if node is None or tensor.symmetry or tensor.definite:
            raise Unknown("a derivative in something else than an array that comes in")
        if planner.carried is None and len(planner.leading(tensor)) < len(planner.batch):
            raise Unknown("an array without the leading axes")
        return node

    def _like(self, node: Node, tensor: Tensor) -> View:
        """An array that comes in, under the labels of a node that has the same axes."""
        _, places = self._planner.tensor(node.data)
        own = dict(zip(places, self._work.axes(node), strict=False))
        made, others = self._planner.tensor(tensor)
        if not set(others) <= own.keys():
            raise Unknown("other leading axes")
        return View(made, tuple(own[x] for x in others))

    def _whole(self, x: Node, bar: View) -> tuple[Node, tuple[int | Label, ...]]:
        _, places = self._planner.tensor(x.data)
        return self._planner.arrange(bar, self._work.axes(x)[: len(x.shape)]).node, places

    def _reverse(self, m: Model, output: Tensor, upstream: bool) -> dict[Node, View]:
        """The adjoint of every node, from that of the output."""
        if (output, upstream) not in self._bars:
            planner = self._planner
            if not upstream and planner.carried is not None:
                raise Unknown("leading axes of some arrays")
            node, places = planner.tensor(output)
            bar = View(planner.literal(sp.S.One))
            if upstream:
                own = dict(zip(places, self._work.axes(node), strict=False))
                made, others = planner.tensor(m.adjoint(output))
                if any(isinstance(x, Label) and x not in own for x in others):
                    raise Unknown("other leading axes")
                pairs = zip(others, made.shape, strict=True)
                same = {x: Label("k", size) for x, size in pairs if x not in own}
                bar = View(made, tuple((own | same)[x] for x in others))
                bar = planner.summed(bar, same.values())
            wrt = [n for t, n in planner.inputs.items() if t in self._wrt]
            bars = self._work.reverse(node, bar, wrt)
            self._bars[output, upstream] = bars
            self._name(m, bars)
        return self._bars[output, upstream]

    def _name(self, m: Model, bars: Mapping[Node, View]) -> None:
        """The adjoints of definitions have the names of such."""
        planner = self._planner
        for body in m.bodies.values():
            if body.tensor not in planner.tensors:
                continue
            node, places = planner.tensors[body.tensor]
            if node in bars and len(bars[node].labels) == len(node.shape):
                own = dict(zip(self._work.axes(node), places, strict=False))
                view = bars[node]
                planner.tensors.setdefault(
                    m.adjoint(body.tensor), (view.node, tuple(own[x] for x in view.labels))
                )


def _wrt(tensor: Tensor) -> Tensor | None:
    """X of X̄, and of a tangent of ∂L/∂X."""
    if not tensor.of:
        return None
    of = tensor.of[0]
    if tensor.role == "adjoint":
        return of
    return of.of[1] if of.parts else None


__all__ = ["accumulated"]
