"""Facts of several terms: p + q = 1 gives q, x² + y² = 1 the powers of y from y² on.

A component is solved for where it stands with a number for its factor, or where what it is times is
not 0 since the product is a number that is not; its highest power, where lower ones may stand too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from . import normalize as nf
from .canonical import key
from .ir import ONE_TERM, Index, Poly, Ref, Sum, Term, rational, raw_atom, refs
from .model import match
from .places import placeable


class Relation(NamedTuple):
    """atom ** power = value, for all letters of the atom."""

    label: str
    atom: Ref | Sum
    power: int
    value: Poly

    @property
    def letters(self) -> tuple[Index, ...]:
        """What stands for any index."""
        return tuple(sorted(self.atom.free, key=lambda i: i.sort))


def solved(label: str, left: Poly, right: Poly) -> Relation | None:
    """The relation with the least power that a fact gives; the last name of several."""
    difference = nf.subtract(left, right)
    found = [Relation(label, *one) for one in _solutions(difference)]
    return min(found, key=lambda r: (r.power, *_late(r.atom)), default=None)


def _late(atom: Ref | Sum) -> tuple[Any, ...]:
    """Components before sums, the last name first."""
    if isinstance(atom, Sum):
        return 1, key(atom)
    return 0, tuple(-ord(c) for c in atom.tensor.name)


def _solutions(difference: Poly) -> Iterator[tuple[Ref | Sum, int, Poly]]:
    whole = difference.terms
    constant = whole.get(ONE_TERM, 0)
    for term, c in difference:
        rest = nf.subtract(difference, Poly({term: c}))
        ((first, power), *more) = tuple(term) or ((None, 0),)
        alone = power == 1 and not more and not difference.free
        if isinstance(first, Sum) and alone and all(first not in t.powers for t, _ in rest):
            yield first, 1, nf.scale(rest, rational(-1 / Fraction(c)))
        for atom, e in term:
            if not isinstance(atom, Ref) or not _plain(atom, difference) or not isinstance(e, int):
                continue
            others = Term({a: k for a, k in term if a is not atom})
            alone = not any(_touches(r, atom) for a, _ in others for r in refs(a))
            if others is ONE_TERM and e > 0 and _below(atom, e, rest):
                yield atom, e, nf.scale(rest, rational(-1 / Fraction(c)))
            elif e == 1 and alone and len(whole) == 2 and constant:  # p q = 1: q is not 0
                value = nf.power(Poly({others: 1}), -1)
                yield atom, 1, nf.scale(value, rational(-Fraction(constant) / Fraction(c)))


def _plain(atom: Ref, difference: Poly) -> bool:
    """An input at letters, each once, which are all that the fact has; or at numbers, n_3."""
    if atom.tensor.role or not difference.free <= atom.free:
        return False
    letters = all(isinstance(s, Index) for s in atom.slots)
    return (letters and len(set(atom.slots)) == len(atom.slots)) or _numbered(atom)


def _numbered(atom: Ref) -> bool:
    """n_3: a component whose indices are numbers, along axes that are as many numbers long."""
    shape = atom.tensor.shape
    if not shape or atom.tensor.symmetry or not all(n.is_Integer for n in shape):
        return False
    consts = [s.const for s in atom.slots if not isinstance(s, Index) and not s.items]
    inside = len(consts) == len(shape) and all(c.is_Integer for c in consts)
    return inside and all(0 <= c < n for c, n in zip(consts, shape, strict=True))


def _touches(other: Ref, atom: Ref) -> bool:
    """Components of one tensor that may be the same; n_1 and n_3 are two."""
    apart = _numbered(atom) and _numbered(other) and other is not atom
    return other.tensor is atom.tensor and not apart


def _below(atom: Ref, e: int, rest: Poly) -> bool:
    """Elsewhere the tensor stands in lower powers of the same component alone."""
    for term, _ in rest:
        for other, k in term:
            if other is atom:
                if not isinstance(k, int) or not 0 < k < e:
                    return False
            elif any(_touches(r, atom) for r in refs(other)):
                return False
    return True


def reduced(poly: Poly, relations: Iterable[Relation], used: list[str]) -> Poly:
    """The expression with lower powers in place of those that relations give."""
    for relation in relations:

        def rule(node: Any, relation: Relation = relation) -> Poly | None:
            after = _lowered(node, relation) if isinstance(node, Poly) else node
            return None if after is node else after

        after = nf.rewrite(_lowered(poly, relation), rule, brackets=True)
        if after is not poly and relation.label not in used:
            used.append(relation.label)
        poly = after
    return poly


def _lowered(poly: Poly, relation: Relation) -> Poly:
    """x^5 as (x²)² x, at the top of every term."""
    terms = []
    for term, c in poly:
        result = Poly({term: c})
        for atom, k in term:
            if not isinstance(atom, Ref) or not isinstance(k, int) or k < relation.power:
                continue
            found = match(relation.atom, atom, relation.letters)
            if found is not None and placeable(relation.value, found):
                value = nf.substitute(relation.value, found)
                times, left = divmod(k, relation.power)
                others = Poly({Term({a: n for a, n in term if a is not atom}): c})
                result = nf.multiply(
                    others, nf.power(value, times), raw_atom(atom, left) if left else nf.ONE
                )
                break
        terms.append(result)
    return nf.add(*terms)


__all__ = ["Relation", "reduced", "solved"]
