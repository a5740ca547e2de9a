"""The derivative of the text as it stands, instead of the form found, where it costs no more."""

from __future__ import annotations

from collections.abc import Callable, Collection
from fractions import Fraction
from operator import itemgetter
from typing import TYPE_CHECKING

from .. import normalize as nf
from ..folding import speaks
from ..ir import (
    ONE_TERM,
    Call,
    Poly,
    Ref,
    Sum,
    Tensor,
    Term,
    inside,
    magnitude,
    rational,
    raw_atom,
)
from .backwards import hidden_beside_a_power, hidden_by_a_bracket
from .cost import cost
from .finished import finished
from .joined import steps
from .outputs import differentiated
from .prices import LOOKED_UP
from .proofs import proved
from .search import Presenter
from .text import as_in_the_text
from .units import with_delta

if TYPE_CHECKING:
    from ..derive.record import Derivation

FAR = 2  # what costs so many times more is not finished
HALF = rational(Fraction(1, 2))
ROOT = 3  # what a root of the author's costs less than another one
UNIT = 3  # what the author's M − I costs less than another bracket
WHOLE = 3  # what a Σ of the author may cost more than another form, where it is all there is
LEFT = 1  # what two terms may cost more than one with a factor that is left in its bracket


def or_as_in_the_text(
    d: Derivation,
    chooser: Presenter,
    spelled: Poly,
    lettered: Callable[[Poly], Poly],
    written: Collection[Tensor],
    more: int,
) -> Poly:
    """The form, or the derivative of the text as it stands where that costs no more.

    The form costs so much `more` than what is printed of it.  No text has an output that says
    nothing in its own derivative.
    """
    own = chooser.model.bodies.get(differentiated(d.component.tensor))
    hidden = sum(hidden_by_a_bracket(n) or hidden_beside_a_power(n) for n in inside(spelled))
    price, terms = _measure(spelled, chooser)
    price += LOOKED_UP * hidden + more
    found = chooser.texts.get(asked := (d.component, d.output, d.along, frozenset(written)))
    if found is None:
        found = chooser.texts[asked] = [*as_in_the_text(d, chooser.model, written)]
    texts = [finished(t, chooser, lettered) for t in found if cost(t) <= FAR * price]
    for measure, text in sorted(((_measure(t, chooser), t) for t in texts), key=itemgetter(0)):
        most = price + WHOLE * _own_sum(text, chooser)
        if len(text) > 1 and _left_inside(spelled):
            most, terms = price + LEFT, len(text)
        if _in_powers(spelled) and not _in_powers(text):
            most -= 1
        shorter = measure <= (most, terms) or (steps(text) and not steps(spelled))
        if measure == (price, terms) and _by_a_definition(d, chooser):
            # (1/c − 1/d) k/d² and not k (d − c)/(c d³)
            shorter &= _own_brackets(text, chooser) >= _own_brackets(spelled, chooser)
        shorter &= own is None or speaks(own, nf.normalize(text))
        if shorter and proved(d, chooser, nf.normalize(spelled), nf.normalize(text)):
            return text
    return spelled


def _by_a_definition(d: Derivation, chooser: Presenter) -> bool:
    """∂y/∂z of a z that is defined, and not of an input."""
    parts = d.component.tensor.parts
    return parts is not None and parts[1].name in chooser.model.bodies


def _own_brackets(raw: Poly, chooser: Presenter) -> int:
    """How many brackets of the author are in it, with his signs or with the others."""
    brackets = (n for n in inside(raw) if isinstance(n, Poly) and len(n) > 1 and n is not raw)
    return sum(chooser.written(n) or chooser.written(nf.scale(n, -1)) for n in brackets)


def _left_inside(raw: Poly) -> bool:
    """l (g (1 − cos q) + l w²/2) for g l (1 − cos q) + l² w²/2: a factor is in its bracket too.

    And n (2 a n/V³ − R T/w²), whose terms have bars that they do not share.
    """
    (term, _) = raw.single or (ONE_TERM, 0)
    names = {a for a, e in term if isinstance(a, Ref) and not a.slots and e > 0}
    brackets = [a for a, e in term if isinstance(a, Poly) and e == 1]
    left = [a for p in brackets for t, _ in p for a, e in t if e > 0 or isinstance(a, Poly)]
    plain = not any(isinstance(a, Poly | Call) for a in left)  # h (h − z) stays a product
    bars = [{a for a, e in t if e < 0} for p in brackets for t, _ in p]
    plain &= len(bars) != 2 or not all(bars) or not bars[0].isdisjoint(bars[1])
    return len(brackets) == 1 and not plain and not names.isdisjoint(left)


def _in_powers(raw: Poly) -> bool:
    """k (x − c) + b (x − c)³, a polynomial in a bracket."""
    first = next(iter(raw.terms), ONE_TERM)
    powers = ([t.powers.get(a, 0) for t in raw.terms] for a in first.powers if isinstance(a, Poly))
    return len(raw) > 1 and any(all(es) and len({*es}) == len(es) for es in powers)


def _own_sum(raw: Poly, chooser: Presenter) -> bool:
    """A Σ of the author with factors in front, as it stands: ∂/∂c of c/2 Σ_ij A_ij (t_i − t_j)²."""
    (term, _) = raw.single or (ONE_TERM, 0)
    sums = [a for a in term.powers if not isinstance(a, Ref)]
    if len(sums) != 1 or not isinstance(total := sums[0], Sum) or total.free:
        return False
    same = (a for a in chooser.sums if cost(a) == cost(total))
    return any(nf.normalize(raw_atom(a)) is nf.normalize(raw_atom(total)) for a in same)


def _measure(raw: Poly, chooser: Presenter) -> tuple[int, int]:
    """What a form costs; a bracket is read at once where he has it, if it is long, or of functions.

    And if it is under a root, or is his M − I: W (W^⊤ W − I) and not W W^⊤ W − W.
    """
    brackets = [n for n in inside(raw) if isinstance(n, Poly) and (len(n) > 2 or _turned(n))]
    seen = sum(max(len(n) - 1, 2) for n in brackets if chooser.written(n))
    factors = (pair for t in inside(raw) if isinstance(t, Term) for pair in t)
    roots = (a for a, e in factors if isinstance(a, Poly) and len(a) > 1 and magnitude(e) == HALF)
    whole = (a for a in roots if all(c.denominator == 1 for _, c in a))
    seen += sum(ROOT for a in whole if chooser.written(a))
    seen += sum(
        UNIT for n in inside(raw) if isinstance(n, Poly) and with_delta(n) and chooser.written(n)
    )
    return cost(raw) - seen + chooser.twice(raw) - chooser.in_pairs(raw), len(raw)


def _turned(poly: Poly) -> bool:
    """p cos w − q sin w: two terms with a function in each."""
    return len(poly) == 2 and all(any(isinstance(a, Call) for a, _ in t) for t, _ in poly)


__all__ = ["or_as_in_the_text"]
