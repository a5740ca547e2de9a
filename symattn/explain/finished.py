"""A form as it is printed: the passes that rearrange it as its author would."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .. import normalize as nf
from ..ir import Poly
from .brackets import arguments_as_written, as_the_author_compares
from .cases import parted
from .complements import complemented
from .denominators import (
    bars_as_written,
    deviation,
    halves_out,
    no_bar_below_a_bar,
    number_apart,
    numbers_in,
    over_its_bar,
    roots_as_written,
    taken_in,
)
from .exponentials import exponentials_apart, less_than_one
from .facing import as_written, deviations, facing, turned
from .final import (
    as_part,
    cancelled,
    complement_as_written,
    in_brackets,
    less_one,
    no_bar_above_a_bar,
    of_a_function,
    one_fraction,
    one_over_sine,
    own_divisor,
    rest_of_share,
    rest_over_its_bar,
    slope_of_tanh,
)
from .fractions import in_his_bracket
from .gates import as_gates
from .inner import apart_as_written, with_inner_sums
from .joined import joined, number_out
from .mirrored import odd_as_even
from .nested import nested
from .ones import rest_of_ones
from .pairs import one_pair
from .quotients import whole_under_sums
from .ratios import in_their_bracket
from .shares import mixed

if TYPE_CHECKING:
    from .search import Presenter


def finished(raw: Poly, chooser: Presenter, lettered: Callable[[Poly], Poly]) -> Poly:
    """The form in the author's signs, brackets and sums; `lettered` gives it his letters."""
    raw = as_the_author_compares(raw, chooser.indicators, chooser.stand_ins)
    raw = arguments_as_written(raw, chooser.brackets, chooser.stand_ins)
    raw = in_brackets(raw, one_pair)
    raw = in_brackets(raw, lambda p: in_their_bracket(p, chooser.ratios))
    raw = in_brackets(raw, lambda p: joined(p, chooser.at_once))
    raw = in_brackets(in_brackets(raw, number_out), halves_out)
    raw = in_brackets(raw, lambda p: in_his_bracket(p, chooser.ones))
    raw = in_brackets(raw, lambda p: roots_as_written(p, chooser.means))
    raw = complemented(deviations(raw))
    raw = lettered(as_gates(raw, chooser.gate) if chooser.gates else raw)
    raw = in_brackets(raw, chooser.symmetries.merged)
    raw = in_brackets(raw, lambda p: whole_under_sums(p, chooser.whole))
    if chooser.shares:
        raw = mixed(raw, chooser.shares)
    both = parted(raw, chooser.reading) if chooser.reading.pairs else raw
    raw = both if nf.normalize(both) is nf.normalize(raw) else raw
    raw = as_written(raw, chooser.written, chooser.signed, chooser.times)
    raw = turned(facing(raw), chooser.kept)
    raw = odd_as_even(cancelled(raw), chooser.facings)
    raw = in_brackets(raw, lambda p: complement_as_written(p, chooser.kept, chooser.shares))
    raw = in_brackets(in_brackets(raw, one_over_sine), own_divisor)
    raw = in_brackets(raw, lambda p: of_a_function(p, chooser.bodies))
    raw = in_brackets(in_brackets(raw, slope_of_tanh), deviation)
    raw = in_brackets(raw, lambda p: over_its_bar(p, chooser.written))
    raw = in_brackets(raw, lambda p: one_fraction(p, chooser.written))
    raw = in_brackets(in_brackets(raw, no_bar_above_a_bar), no_bar_below_a_bar)
    raw = in_brackets(in_brackets(raw, rest_over_its_bar), rest_of_ones)
    raw = in_brackets(raw, taken_in)
    raw = in_brackets(raw, lambda p: rest_of_share(p, chooser.written, chooser.bodies))
    raw = in_brackets(raw, lambda p: bars_as_written(p, chooser.bars))
    raw = in_brackets(raw, lambda p: exponentials_apart(p, chooser.exponents.own))
    raw = in_brackets(raw, lambda p: less_than_one(p, chooser.written))
    raw = in_brackets(raw, lambda p: as_part(p, chooser.holds))
    raw = in_brackets(raw, lambda p: nested(p, chooser.sums))
    raw = in_brackets(raw, lambda p: apart_as_written(p, chooser.rows))
    raw = in_brackets(raw, numbers_in)
    raw = with_inner_sums(raw, chooser.rows)
    raw = less_one(raw, chooser.written, chooser.bounded)
    return number_apart(raw, chooser.written)


__all__ = ["finished"]
