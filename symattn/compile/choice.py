"""Which of two plans for the same results is taken: derivatives by their formulas, or accumulated.

A formula may split e^{q−m} into e^q and e^{−m}, which overflow where the definitions do not; so the
plan with fewer exponentials that nothing bounds comes first.  It may multiply out the mask in
Σ (1 − δ_ij) e^{q_j}, which leaves no digits where q_i is the largest, divide by a mixture
p/2 + r/2 of weights that are both rounded to 0, or take (x_i − x_j)/|x_i − x_j| apart, of which the
denominator is 0 at i = j, or without digits near it where its square is multiplied out.  A tangent
of (x_i − y_j)² that is multiplied out loses the digits of x_i − y_j, so differences of pairs may
cost more.  Then it is the one that costs less.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from .ceilings import below_largest, has_ceiling
from .cost import price
from .nodes import BOOLEAN, Node, reachable
from .order import Symbols
from .spared import exposed

PREFER = 0.95  # what an accumulated plan must cost less than, of what formulas do
CENTRED = 0.8  # the same where formulas take more arrays around a mean
DIGITS = 32.0  # the same where it keeps differences that formulas multiply out
SELVES = 2.0  # the same where formulas subtract what a thing has of its distance from itself
WHOLE = 3.0  # times what a plan costs that needs large arrays as a whole, for they leave the cache


def accumulate(
    formulas: Sequence[Node],
    written: Sequence[Node],
    long: Symbols,
    guarded: bool = False,
    tangents: bool = False,
    whole: Callable[[], bool] = lambda: False,
    small: bool = False,
) -> bool:
    """Derivatives go through the definitions as written, not by their formulas.

    `guarded`: something is computed under a condition, which is where it is needed there.
    `tangents`: they are first derivatives along something.
    `small`: there is log(1 + w e^z), whose formulas lose its digits.
    `whole`: formulas alone need large arrays as a whole, where blocks of rows would do.
    """
    if guarded:
        return True
    more = unbounded(formulas) - unbounded(written)
    more += cancelling(formulas) - cancelling(written)
    more += vanishing(formulas) - vanishing(written)
    more += exposed(formulas) - exposed(written)
    kept = small or (tangents and differences(written) > differences(formulas))
    around = centred(formulas) > centred(written)
    bound = DIGITS if kept else CENTRED if around else PREFER
    if apart(written) > apart(formulas):
        bound = max(bound, SELVES)
    if more:
        return more > 0
    ratio = price(written, long) / price(formulas, long)
    return ratio <= bound or (ratio <= WHOLE * bound and whole())


def unbounded(roots: Sequence[Node]) -> int:
    """How many exponentials have an exponent that no largest value is taken from."""
    exponents = [
        n.args[0]
        for n in reachable(roots)
        if n.op == "weighed" or (n.op == "call" and n.data[1] == "exp")
    ]
    return sum(not (below_largest(x) or has_ceiling(x)) for x in exponents)


def cancelling(roots: Sequence[Node]) -> int:
    """How many sums divide, or are under a logarithm, in which exponentials are subtracted."""
    found = 0
    for node in reachable(roots):
        if node.op == "product":
            powers = zip(node.args, node.data[1][1], strict=True)
            found += sum(bool(e < 0) and _subtracts(x) for x, e in powers)
        elif node.op == "call" and node.data[1] == "log":
            found += _subtracts(node.args[0])
    return found


def _subtracts(node: Node) -> bool:
    while node.op in ("select", "arrange", "guard"):
        node = node.args[0]
    if node.op != "add":
        return False
    signs = {bool(c.is_negative) for x, c in zip(node.args, node.data[1], strict=True) if _grows(x)}
    return len(signs) == 2


def _grows(node: Node) -> bool:
    """A product with an exponential, or a sum of such."""
    if node.op in ("product", "einsum", "arrange", "gather"):
        return any(map(_grows, node.args))
    return node.op == "weighed" or (node.op == "call" and node.data[1] == "exp")


def vanishing(roots: Sequence[Node]) -> int:
    """How many arrays divide, or are under a logarithm, that are 0 where exponentials are."""
    fading: dict[Node, bool] = {}
    found = 0
    for node in reachable(roots):
        fading[node] = _fades(node, fading)
        if node.op == "product":
            powers = zip(node.args, node.data[1][1], strict=True)
            found += sum(bool(e < 0) and fading[x] for x, e in powers)
        elif node.op == "call" and node.data[1] == "log":
            found += fading[node.args[0]]
    return found


def _fades(node: Node, known: Mapping[Node, bool]) -> bool:
    """The array is 0 where the exponentials in it are rounded to 0."""
    inside = [known[x] for x in node.args]
    match node.op:
        case "call":
            return node.data[1] in ("exp", "sigmoid", "softplus")
        case "weighed":
            return True
        case "product":
            powers = node.data[1][1]
            return any(x and e > 0 for x, e in zip(inside, powers, strict=True))
        case "einsum":
            return sum(inside) > 1 or (any(inside) and not _largest_summed(node))
        case "add":
            below = any(_largest_under(x, "maximum") for x in node.args)
            return (all(inside) and not below) or _complement(node)
        case "cumsum":  # its largest exponential so far is 1
            return inside[0] and not _largest_under(node.args[0], "maximum")
        case "select" | "arrange" | "gather" | "crop":
            return inside[0]
    return False


LIMITS = {"sigmoid": (1,), "tanh": (1, -1), "erf": (1, -1)}  # values that are rounded to these


def _complement(node: Node) -> bool:
    """A number and a function of which only it is left where exponentials are 0, as 1 − σ(x)."""
    pairs = [(x, c) for x, c in zip(node.args, node.data[1], strict=True)]
    value = sum(x.data * c for x, c in pairs if x.op == "literal")
    others = [(x, c) for x, c in pairs if x.op != "literal"]
    if len(others) != 1 or value == 0:
        return False
    ((x, c),) = others
    e = 1
    if x.op == "product" and len(x.args) == 1:
        c, e, x = c * x.data[1][0], x.data[1][1][0], x.args[0]
    limits = LIMITS.get(x.data[1], ()) if x.op == "call" else ()
    return any(value + c * limit**e == 0 for limit in limits)


def _largest_summed(node: Node) -> bool:
    """One operand is such as below, and nothing that has a letter of the sum is 0 anywhere."""
    rank = len(node.shape)
    summed = [(x, any(k >= rank for k in p)) for x, p in zip(node.args, node.data[0], strict=True)]
    return any(
        _largest_under(x, "max") and all(_positive(y) for y, over in summed if over and y is not x)
        for x, _ in summed
    )


def _from_1(node: Node) -> bool:
    """A sum of exponentials, the largest of which is 1."""
    return node.op == "einsum" and _largest_summed(node)


def _positive(node: Node) -> bool:
    """Numbers above 0 that nothing rounds to 0."""
    match node.op:
        case "input":
            return bool(node.data.positive)
        case "literal":
            return bool(node.data.is_positive)
        case "product":
            return bool(node.data[1][0].is_positive) and all(map(_positive, node.args))
        case "add":
            return all(c.is_positive for c in node.data[1]) and all(map(_positive, node.args))
        case "arrange":
            return _positive(node.args[0])
    return False


def _largest_under(node: Node, op: str) -> bool:
    """An exponential e^{q−m}, m the largest along an axis or of several, beside masks, what is
    never 0, and what divides: so where a sum goes over that, something is 1."""
    while node.op in ("select", "arrange", "gather"):
        node = node.args[0]
    if node.op == "product":
        pairs = zip(node.args, node.data[1][1], strict=True)
        own = [x for x, e in pairs if not (e < 0 or x.op in BOOLEAN or _positive(x) or _from_1(x))]
        return len(own) == 1 and _largest_under(own[0], op)
    return node.op in ("call", "weighed") and bool(node.args) and below_largest(node.args[0], (op,))


def differences(roots: Sequence[Node]) -> int:
    """How many arrays are x_i − y_j, with letters on either side that the other one lacks."""
    found = 0
    for node in reachable(roots):
        if node.op == "add" and len(node.args) == 2 and sum(node.data[1]) == 0:
            one, other = (set(place) for place in node.data[0])
            found += bool(one - other and other - one)
    return found


def apart(roots: Sequence[Node]) -> int:
    """How many arrays of pairs with exponentials in them, which may leave nothing but i = j, are 0
    there."""
    found, growing = 0, set[Node]()
    for node in reachable(roots):
        if any(arg in growing for arg in node.args) or (node.op == "call" and _grows(node)):
            growing.add(node)
        if node.op == "product" and node in growing:
            found += any(x.op == "compare" and x.data[2:] == (x.shape[0], True) for x in node.args)
    return found


def centred(roots: Sequence[Node]) -> int:
    """How many arrays are x_ia − m_a, around something that is the same along an axis."""
    found = 0
    for node in reachable(roots):
        if node.op == "add" and len(node.args) == 2 and sum(node.data[1]) == 0:
            one, other = (set(place) for place in node.data[0])
            number = any(x.op == "literal" for x in node.args)  # 1 − x² is around nothing
            found += not number and (one < other or other < one)
    return found


__all__ = ["accumulate", "unbounded"]
