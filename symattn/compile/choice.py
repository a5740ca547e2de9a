"""Which of two plans for the same results is taken: derivatives by their formulas, or accumulated.

A formula may split e^{q−m} into e^q and e^{−m}, which overflow where the definitions do not; so the
plan with fewer exponentials that nothing bounds comes first.  A tangent of (x_i − y_j)² that is
multiplied out loses the digits of x_i − y_j, so differences of pairs may cost more.  Then it is the
one that costs less.
"""

from __future__ import annotations

from collections.abc import Sequence

from .cost import price
from .nodes import Node, reachable
from .order import Symbols

PREFER = 0.95  # what an accumulated plan must cost less than, of what formulas do

DIGITS = 32.0  # the same where it keeps differences that formulas multiply out


def accumulate(
    formulas: Sequence[Node],
    written: Sequence[Node],
    long: Symbols,
    guarded: bool = False,
    tangents: bool = False,
) -> bool:
    """Derivatives go through the definitions as written, not by their formulas.

    `guarded`: something is computed under a condition, which is where it is needed there.
    `tangents`: they are first derivatives along something.
    """
    if guarded:
        return True
    more = unbounded(formulas) - unbounded(written)
    kept = tangents and differences(written) > differences(formulas)
    bound = DIGITS if kept else PREFER
    return more > 0 or price(written, long) <= bound * price(formulas, long)


def unbounded(roots: Sequence[Node]) -> int:
    """How many exponentials have an exponent that no largest value is taken from."""
    return sum(
        n.op == "call" and n.data[1] == "exp" and not _below(n.args[0]) for n in reachable(roots)
    )


def differences(roots: Sequence[Node]) -> int:
    """How many arrays are x_i − y_j, with letters on either side that the other one lacks."""
    found = 0
    for node in reachable(roots):
        if node.op == "add" and len(node.args) == 2 and sum(node.data[1]) == 0:
            one, other = (set(place) for place in node.data[0])
            found += bool(one - other and other - one)
    return found


def _below(exponent: Node) -> bool:
    """The exponent is a difference to a largest value."""
    if exponent.op in ("select", "arrange", "guard"):
        return _below(exponent.args[0])
    if exponent.op != "add":
        return exponent.op == "literal"
    pairs = zip(exponent.args, exponent.data[1], strict=True)
    return any(c.is_negative and _largest(x) for x, c in pairs)


def _largest(node: Node) -> bool:
    while node.op in ("arrange", "gather"):
        node = node.args[0]
    return node.op in ("max", "maximum")


__all__ = ["accumulate", "unbounded"]
