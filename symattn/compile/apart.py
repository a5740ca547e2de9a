"""Sums of what pairs have, Σ_c e^{x_ic + y_cp} under a logarithm or a fraction bar, as products of
matrices where numbers allow it.

    log Σ_c e^{x_ic + y_cp} = r_i + s_p + log Σ_c e^{x_ic − r_i} e^{y_cp − s_p}
                              r_i = max_c x_ic, s_p = max_c y_cp

The largest x_ic + y_cp of every pair would keep the sum above 0, and is an exponential for every i,
c and p.  With those of the two parts the sum may be rounded to 0, as all of its terms are where x
and y choose different c; so a plan with them counts the sums that are not far from 0 (`misses`),
and where there is one, the function is that of the other plan.  Both are in the module, and
`jax.lax.cond` computes one of them.  Far means above ε²: what is lost of such a sum is rounded
away, and neither its inverse nor the square of that overflows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .choice import cancelling, unbounded, vanishing
from .cost import price
from .nodes import FAR, NEAR, Label, Node, reachable
from .spared import exposed

if TYPE_CHECKING:
    from .plan import Planner
    from .program import Program

GAIN = 0.7  # what such a plan must cost less than, of what the other one does


def misses(planner: Planner, roots: Sequence[Node]) -> list[Node]:
    """How many entries of every such sum are not far from 0."""
    found = []
    for node in [n for n in reachable(roots) if n.op == "guard" and n.data[1] == FAR]:
        (arg,) = node.args
        labels = tuple(map(Label, arg.hints, arg.shape))
        near = planner.node("test", [(arg, labels)], labels, NEAR)
        found.append(planner.summed(near, {*labels}).node)
    return found


def preferred(one: Program, other: Program) -> bool:
    """The plan of products of matrices: it costs less, and elsewhere is in no more danger."""
    for danger in (unbounded, cancelling, vanishing, exposed):
        if danger(one.results) > danger(other.results):
            return False
    long = other.planner.long
    return bool(one.misses) and price(one.roots, long) < GAIN * price(other.roots, long)


def beside(one: Program, careful: Sequence[Program]) -> Program:
    """The plan of products of matrices, with the first one of the others whose blocks of rows are
    alike."""
    for other in careful:
        alike = not (one.cut and other.cut) or (one.band is None) is (other.band is None)
        known = {*other.shapes, *other.free_sizes} <= {*one.shapes, *one.free_sizes}
        if alike and known:
            return replace(one, careful=other)
    return one
