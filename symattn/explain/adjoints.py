"""Which gradients on the way to a result are written out in it, and which keep lines of their own.

A line of its own names what it is of: x̄ = K^⊤ s̄ beside the line of s̄.  What belongs to a statistic
is written out, and so is what is short, or all of a result that was asked for: x̄ = z̄ of z = x + u.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .. import normalize as nf
from ..folding import match
from ..ir import Delta, Index, Poly, Ref, Sum, Tensor, inside, raw_atom, refs
from .collect import collected
from .cost import cost

if TYPE_CHECKING:
    from ..derive.record import Derivation

SHORT = 24  # an adjoint of this cost is written out wherever it stands
WHOLE = 100  # adjoints that cost more as they are derived stay named


def on_the_way(d: Derivation) -> dict[Tensor, Derivation]:
    """The adjoints that a result is made of, and that nobody asked for; none where one is long."""
    found: dict[Tensor, Derivation] = {}
    left = [d]
    while left:
        own = left.pop()
        alike = all(_unasked(p, d) and _once(p, own) for p in own.given if p.recorded)
        for part in own.given:
            tensor = part.component.tensor
            if tensor in found or not _unasked(part, d) or _shifted(part):
                continue
            statistic = is_statistic(tensor, d)
            alone = own is d or is_all(own, d.normal)
            all_of_it = _of(d) in d.asked and alone and is_all(part, own.normal)
            plain = statistic or alike or all_of_it or not has_sum(part.normal)
            price = cost(collected(part.normal)) if plain else WHOLE
            named = statistic or all_of_it or price <= SHORT or _another(part, d.beside)
            if not named:
                continue
            if price > WHOLE:
                return {}
            found[tensor] = part
            left.append(part)
    return found


def made_of_others(d: Derivation) -> dict[Tensor, Derivation]:
    """Ā_ia = m̄_a x_ia beside m̄_a: products that were asked for, beside what they are made of."""
    stands = {r.tensor for r in refs(d.normal)}
    parts = [p for p in d.given if p.recorded and p.component.tensor in stands]
    products = {p.component.tensor: p for p in parts if p.normal.single and not has_sum(p.normal)}
    bars = {t for t in stands if t.role == "adjoint"}
    return {t: p for t, p in products.items() if bars & {r.tensor for r in refs(p.normal)} - {t}}


def is_all(part: Derivation, poly: Poly) -> bool:
    """The expression is that adjoint, which alone says nothing: x̄ = z̄, −z̄ of z = u − x."""
    ((atom, e), *more) = poly.single[0].powers.items() if poly.single else ((None, 0),)
    return isinstance(atom, Ref) and atom.tensor is part.component.tensor and e == 1 and not more


def beside_its_own(bar: Tensor, poly: Poly) -> bool:
    """Z̄_i stands beside Z_i."""
    names = ({a.tensor for a in t.powers if isinstance(a, Ref)} for t in poly.terms)
    return any(bar in own and not own.isdisjoint(bar.of) for own in names)


def _of(d: Derivation) -> str:
    """The x of x̄."""
    return d.component.tensor.of[0].name if d.component.tensor.of else ""


def _unasked(part: Derivation, d: Derivation) -> bool:
    """An adjoint on the way to a result that is no result itself."""
    return bool(d.output and part.recorded and _of(part) not in d.asked and part.name != d.name)


def _shifted(part: Derivation) -> bool:
    """z̄_i = Σ_jb [i = j + b] v_b ȳ_j of y_j = Σ_b v_b z_{j+b}, in which Σ and [ ] stay."""
    deltas = (n for n in inside(part.normal) if isinstance(n, Delta))
    return any(not isinstance(s, Index) for n in deltas for s in (n.a, n.b))


def _once(part: Derivation, own: Derivation) -> bool:
    """s B^⊤ ȳ that stands once in s X^⊤ ȳ B^⊤: a short product in one place.

    A ∘ (Ā − rowsum(A ∘ Ā)), with a Σ in a bracket, under no other Σ.
    """
    product, whole = collected(part.normal), collected(own.normal)
    if product.single is None or cost(product) > SHORT:
        return False
    tensor = part.component.tensor
    if any(has_sum(a) for a in product.single[0].powers if isinstance(a, Poly)):
        sums = (n for n in inside(whole) if isinstance(n, Sum))
        if any(tensor in {r.tensor for r in refs(n)} for n in sums):
            return False
    return _times(tensor, whole) == 1


def is_statistic(tensor: Tensor, d: Derivation) -> bool:
    """It has fewer axes than what the result is a gradient by, or none."""
    return not tensor.shape or len(tensor.shape) < len(d.component.tensor.shape)


def _times(tensor: Tensor, poly: Poly) -> int:
    """In how many terms of an expression a tensor stands, each time it does."""
    return sum(isinstance(n, Ref) and n.tensor is tensor for t, _ in poly for n in inside(t))


def _another(d: Derivation, others: tuple[Derivation, ...]) -> bool:
    """ē is v̄, another result, as for e = v − S k."""
    own = raw_atom(d.component)
    return any(match(own, o.normal, d.indices) is not None for o in others)


def with_adjoints(poly: Poly, inside: Mapping[Tensor, Derivation]) -> Poly:
    def rule(atom: Any) -> Poly | None:
        part = inside.get(atom.tensor) if isinstance(atom, Ref) else None
        if part is None:
            return None
        there = dict(zip(part.indices, atom.slots, strict=True))
        return nf.rewrite(nf.substitute(part.in_place(), there), rule)

    return nf.rewrite(poly, rule)


def has_sum(node: Any) -> bool:
    return any(isinstance(part, Sum) for part in inside(node) if part is not node)


__all__ = [
    "beside_its_own",
    "has_sum",
    "is_all",
    "is_statistic",
    "made_of_others",
    "on_the_way",
    "with_adjoints",
]
