"""What is printed of a result: the cheapest form, the adjoints in it, the steps that lead there.

Which form is cheapest is found by a search (search.py), which adjoints are written out is said in
adjoints.py; here every form is proved equal to the result before it is shown.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .. import normalize as nf
from ..display import with_letters
from ..folding import above_its_bar, speaks
from ..ir import (
    Poly,
    Ref,
    Slot,
    Sum,
    Tensor,
    Term,
    inside,
    raw_atom,
    refs,
)
from ..model import Body, model
from ..shared_bars import under_one_sum
from .adjoints import (
    beside_its_own,
    has_sum,
    is_all,
    is_statistic,
    made_of_others,
    on_the_way,
    with_adjoints,
)
from .brackets import written_out
from .cases import on_both_sides, strict
from .collect import collected
from .cost import complement, cost
from .final import output_at_its_letters, output_in_front
from .finished import finished
from .instead import or_as_in_the_text
from .outputs import differentiated, of_two_sums
from .polynomials import series
from .prices import LOOKED_UP
from .proofs import proved, reached
from .search import SMALL, Form, Presenter, presenter

if TYPE_CHECKING:
    from ..derive.record import Derivation, Step

UNASKED = 14  # what an adjoint costs that has a line of its own only in the derivation
BRACKETS = 2  # what a form whose terms are all brackets may cost more than one that is not
PLAIN = 2  # what a product may cost more than a form with the output above its own bar
QUOTIENT = 0.6  # of the cost of any other form of its derivative, where an output is put into it


@dataclass(frozen=True)
class Presented:
    """The printed form of a result, as a normal one and raw, and the steps that lead there."""

    normal: Poly
    raw: Poly
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Chosen:
    """The form found for a result, over brackets with names, and how it was reached."""

    form: Poly
    trail: tuple[tuple[str, Poly], ...]
    written: Collection[Tensor]  # the adjoints that are written out in it
    bent: bool  # it was made 0 at kinks
    normal: Poly  # the form with its brackets written out


def chosen(d: Derivation) -> Chosen:
    """The form in which a derivation is printed, before it is spelled.

    Adjoints on the way that nobody asked for are written out where they belong to a statistic,
    which has fewer axes than what it is taken of, or are short, and products with a Σ where they
    stand once, if that is cheaper than to look them up; so a normalisation comes out in one line,
    attention in those of its pass.
    """
    m = model(d.system)
    chooser = presenter(m)
    inside = on_the_way(d)
    if inside:
        whole = with_adjoints(d.normal, inside)
        best = _best(d, chooser, whole, d.output, _beside(d, inside))
        stands = {r.tensor for r in refs(d.normal)}
        named = [t for t in inside if t in stands]
        own = {t for t in named if beside_its_own(t, d.normal)}  # Z_i Z̄_i, which says nothing
        short = (t.shape and is_statistic(t, d) and t not in own for t in named)
        prices = [LOOKED_UP if s else UNASKED for s in short]
        alone = any(is_all(inside[t], d.normal) for t in named)
        if alone or chooser.price(best.normal) <= chooser.price(d.normal) + sum(prices):
            names = " and ".join(f"`{t.name}`" for t in named)
            best = _ruled(d, chooser, inside, best)
            trail = [(f"insert {names}", whole), *best.trail]
            if reached(d, chooser, whole, best):
                return _at_kinks(chooser, trail, best.normal, inside)
    best = _best(
        d, chooser, d.normal, differentiated(d.component.tensor) or d.output, _beside(d, {})
    )
    best = _ruled(d, chooser, {}, best)
    if apart := made_of_others(d):
        whole = with_adjoints(d.normal, apart)
        other = _best(d, chooser, whole, d.output, [])
        if chooser.price(other.normal) < chooser.price(best.normal):
            names = " and ".join(f"`{t.name}`" for t in apart)
            trail = [(f"insert {names}", whole), *other.trail]
            if reached(d, chooser, whole, other):
                return _at_kinks(chooser, trail, other.normal, apart)
    if not reached(d, chooser, d.normal, best):
        best = _so_far(d, chooser, d.normal, best)
    return _at_kinks(chooser, best.trail, best.normal, ())


def _so_far(d: Derivation, chooser: Presenter, before: Poly, form: Form) -> Form:
    """The form before the first step that is not proved."""
    kept: list[tuple[str, Poly]] = []
    for reason, after in form.trail:
        if not proved(d, chooser, before, after):
            break
        kept.append((reason, after))
        before = after
    return Form(before, tuple(kept))


def _at_kinks(
    chooser: Presenter,
    trail: Sequence[tuple[str, Poly]],
    found: Poly,
    written: Collection[Tensor],
) -> Chosen:
    form = strict(found, chooser.indicators, chooser.opened) if chooser.indicators else found
    if chooser.reading.pairs:
        form = next(under_one_sum(form, lambda p: on_both_sides(p, chooser.reading)), form)
    bent = form is not found
    more = (("take 0 at the kink", form),) if bent else ()
    return Chosen(form, (*trail, *more), written, bent, chooser.opened(form))


def _ruled(
    d: Derivation, chooser: Presenter, written: Mapping[Tensor, Derivation], best: Form
) -> Form:
    """The better of a form and what the search makes of the derivative as the rules give it."""
    form = chooser.ruled.derivative(d)
    if form is None:
        return best
    form = with_adjoints(form, written)
    output = d.output if written else differentiated(d.component.tensor) or d.output
    other = _best(d, chooser, form, output, _beside(d, written))
    own = chooser.model.bodies.get(output)
    if own is not None and not speaks(own, chooser.opened(other.normal)):
        return best
    round_ = chooser.goes_round(other.normal) and not chooser.goes_round(best.normal)
    forms = [f.normal for f in (other, best)]
    more = map(chooser.roundabout, forms)
    prices = [
        (chooser.printed(f) + m, chooser.price(f) + m) for f, m in zip(forms, more, strict=True)
    ]
    if _of_brackets(other.normal, chooser) and not _of_brackets(best.normal, chooser):
        prices = [(min(prices[0]), prices[0][1]), (prices[1][0] + BRACKETS, prices[1][1])]
    if not round_ and (
        prices[0] >= prices[1] or _width(collected(other.normal)) > _width(collected(best.normal))
    ):
        return best
    trail = (("differentiate the brackets as they stand", form), *other.trail)
    return Form(other.normal, trail)


def _of_brackets(poly: Poly, chooser: Presenter) -> bool:
    """2 (1 − t) (q − p) + 2 t (r − q), and E − W^⊤ E of the author's brackets E: all terms are."""

    def bracket(atom: Any) -> bool:
        if isinstance(atom, Sum):
            return any(bracket(a) for t, _ in atom.body for a, e in t if e == 1)
        return (isinstance(atom, Poly) and complement(atom) is None) or (
            isinstance(atom, Ref) and len(chooser.opened(raw_atom(atom))) > 1
        )

    raw = collected(poly)
    if raw.single is not None:  # 2 (E − W^⊤ E)
        raw = next((a for a, e in raw.single[0] if isinstance(a, Poly) and e == 1), raw)
    alone = [t for t, _ in raw if len(t.powers) == 1 and not isinstance(next(iter(t.powers)), Sum)]
    own = all(any(bracket(a) for a, e in t if e == 1) for t, _ in raw)
    return own and len(raw) > 1 and len(alone) < 2  # a bracket that is a term is opened


def _width(poly: Poly) -> int:
    """The letters below one Σ: Σ_ij K_ij Σ_a (x_ia − y_ja)² has two."""
    return max((len(n.bound) for n in inside(poly) if isinstance(n, Sum)), default=0)


def _own(d: Derivation, body: Body) -> tuple[Slot, ...] | None:
    """The indices of y in ∂y/∂x; None where y, a sum, is no factor of its second derivative."""
    parts = d.component.tensor.parts
    if parts is None:
        return None if body.indices else ()
    twice = parts[0].parts is not None
    return None if twice and has_sum(body.normal) else d.component.slots[: len(body.indices)]


def presented(d: Derivation) -> Presented:
    """What is printed of a derivation, and the steps that lead there."""
    from ..derive.record import Record

    choice = d.chosen
    chooser, normal = presenter(model(d.system)), choice.form
    pool, avoid = chooser.model.letters, frozenset(i.name for i in d.indices)

    def lettered(raw: Poly) -> Poly:
        shown: Poly = with_letters(written_out(raw, chooser.stand_ins), pool, avoid)
        return shown

    def as_written_out(whole: Poly, raw: Poly) -> Poly:
        """The form with its brackets where it is the whole expression, which stands in for it."""
        fine = proved(d, chooser, whole, nf.normalize(raw))
        return raw if fine else with_letters(whole, pool, avoid)

    record = Record(d.recorded[-1].raw_after if d.recorded else d.raw)
    for reason, form in choice.trail:
        record.step(reason, as_written_out(chooser.opened(form), lettered(form)))
    raw = normal if chooser.series & series(normal) else chooser.collected(normal)
    if not proved(d, chooser, normal, nf.normalize(raw)):
        raw = normal
    spelled = finished(raw, chooser, lettered)
    spelled = as_written_out(choice.normal, spelled)
    if not choice.bent and cost(spelled) > SMALL and not chooser.series & series(normal):
        more = chooser.roundabout(normal, spelled) + chooser.read_backwards(spelled)
        spelled = or_as_in_the_text(d, chooser, spelled, lettered, choice.written, more)
    if own := chooser.model.bodies.get(differentiated(d.component.tensor)):
        spelled = output_in_front(spelled, own.tensor)
        here = Ref(own.tensor, d.component.slots[: len(own.indices)])
        spelled = output_at_its_letters(spelled, here)
    record.step("take out common factors", spelled)
    return Presented(choice.normal, record.now, tuple(record.steps))


def _best(d: Derivation, chooser: Presenter, poly: Poly, output: str, beside: list[Body]) -> Form:
    """The cheapest form; other results stand in it as factors, b̄_i u_j or Σ_i W_ij b̄_i."""
    body_of = chooser.model.bodies.get(output)
    at = _own(d, body_of) if body_of is not None else None
    best = chooser.best(poly, output, beside, at=at)
    if body_of is not None and not speaks(body_of, chooser.opened(best.normal)):
        plain = chooser.best(poly, output, beside, named=False)
        saved = chooser.price(best.normal) <= QUOTIENT * chooser.price(plain.normal)
        saved &= of_two_sums(body_of, d, chooser.model) or _with_roots(body_of)
        best = best if saved else plain
    elif body_of is not None and above_its_bar(
        body_of, chooser.opened(best.normal), chooser.bodies
    ):
        plain = chooser.best(poly, output, beside, named=False)
        dearer = chooser.price(plain.normal) - chooser.price(best.normal)
        if collected(plain.normal).single is not None and dearer <= PLAIN:
            best = plain
    behind = _behind(d, chooser)
    if behind is not None and not speaks(behind, chooser.opened(best.normal)):
        best = chooser.best(poly, behind.tensor.name, beside, named=False)
    for body in beside:
        for term, _ in best.normal:
            own = [a for a in term.powers if isinstance(a, Ref) and a.tensor is body.tensor]
            summed = len(best.normal) > 1 and has_sum(body.normal)  # (1/n) Σ_i Ȳ_ij, and not b̄_j/n
            if own and (len(body.indices) == len(d.indices) or summed or _split(body, term)):
                return _best(d, chooser, poly, output, [])
    return best


def _with_roots(body: Body) -> bool:
    """f = c √g h^{3/2}, whose derivative by g is f/(2 g) and not c h^{3/2}/(2 √g)."""
    only = body.normal.single
    return only is not None and sum(e.denominator != 1 for _, e in only[0]) > 1


def _split(body: Body, term: Term) -> bool:
    """p̄ = (1 − z) h̄ beside z: the slope z (1 − z) is one thing."""
    only = collected(body.normal).single
    brackets = [a for a, e in only[0] if isinstance(a, Poly) and e == 1] if only else []
    rests = (nf.subtract(nf.ONE, nf.normalize(a)).single for a in brackets)
    names = {
        n.tensor
        for r in rests
        if r is not None and r[1] == 1
        for n in r[0].powers
        if isinstance(n, Ref)
    }
    return any(isinstance(a, Ref) and a.tensor in names for a in term.powers)


def _behind(d: Derivation, chooser: Presenter) -> Body | None:
    """h of a gradient h̄_k ∂h_k/∂x_k, where each h_k is a quotient of sums of such numbers alone."""
    bars = {r.tensor for r in refs(d.normal) if r.tensor.role == "adjoint"}
    of = next(iter(bars)).of[0] if len(bars) == 1 else None
    body = chooser.model.bodies.get(of.name) if of is not None else None
    if body is None or any(r.slots != body.indices for r in refs(body.normal)):
        return None
    if not any(isinstance(a, Poly) for t, _ in body.raw for a, _ in t):
        return None  # −u_i ū_i/s_i of u_i = a_i/s_i
    return replace(body, indices=())


def _beside(d: Derivation, inside: Mapping[Tensor, Derivation]) -> list[Body]:
    """Other results as definitions, with the same adjoints written out."""
    return [
        Body(o.component.tensor, o.indices, o.raw, with_adjoints(o.normal, inside))
        for o in d.beside
        if o.recorded
    ]


__all__ = ["Chosen", "Presented", "chosen", "presented"]
