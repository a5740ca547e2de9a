"""Forms that are proved equal to what they were made of; nothing else is printed."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from .. import normalize as nf
from ..budget import budget
from ..errors import LimitError
from ..exponents import over_one_bar, roots_joined
from ..folding import match
from ..ir import Poly, refs
from ..model import Body
from .search import Form, Presenter

if TYPE_CHECKING:
    from ..derive.record import Derivation

PROOF = 20_000  # units of work on writing both forms out, to see that they are equal


def reached(d: Derivation, chooser: Presenter, before: Poly, form: Form) -> bool:
    """The form is proved equal to what it was made of, at once or step by step."""
    forms = [before, *(after for _, after in form.trail)]
    if len(forms) > 2 and not _alike(chooser, before, form.normal):
        return all(proved(d, chooser, a, b) for a, b in pairwise(forms))
    return proved(d, chooser, before, form.normal)


def proved(d: Derivation, chooser: Presenter, before: Poly, after: Poly) -> bool:
    """The form found is equal to what it was made of; nothing is printed that is not."""
    if before is after or _alike(chooser, before, after):
        return True
    return d.holds(chooser.opened(before), chooser.opened(after))


def _alike(chooser: Presenter, before: Poly, after: Poly) -> bool:
    """Both forms are one when definitions are written out."""
    m, before, after = chooser.model, chooser.opened(before), chooser.opened(after)
    names = [{r.tensor for r in refs(p)} for p in (before, after)]
    kept = [b.tensor.name for b in m.bodies.values() if b.tensor not in names[0] ^ names[1]]
    bars = [b for b in m.bodies.values() if _bar(b) is not None]
    named = [b.tensor.name for b in bars]
    for known in (kept, (), *([named] if named else ())):
        try:
            with budget(PROOF):
                if known is named:
                    made = (_under_names(side, bars) for side in (before, after))
                    before, after = map(chooser.symmetries.in_order, made)
                inlined = m.inline(before, known), m.inline(after, known)
                if inlined[0] is inlined[1]:
                    return True
                for way in (roots_joined, over_one_bar) if known == () else ():
                    if way(inlined[0]) is way(inlined[1]):
                        return True
        except LimitError:
            continue
    return False


def _bar(body: Body) -> Poly | None:
    """u of a definition 1/u with a sum u, and of no other."""
    only = body.normal.single
    ((atom, e),) = only[0] if only and only[1] == 1 and len(only[0].powers) == 1 else ((None, 0),)
    return atom if isinstance(atom, Poly) and e == -1 else None


def _under_names(poly: Poly, bars: list[Body]) -> Poly:
    """1/w for every u where w = 1/u is defined, which cancels in sums as u does not."""

    def rule(node: Any) -> Poly | None:
        if not isinstance(node, Poly):
            return None
        for body in bars:
            found = match(_bar(body), node, body.indices)
            if found is not None and set(found) >= set(body.indices):
                return nf.power(nf.ref(body.tensor, [found[i] for i in body.indices]), -1)
        return None

    return nf.rewrite(poly, rule, brackets=True)


__all__ = ["proved", "reached"]
