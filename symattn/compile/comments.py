"""The mathematics of each line, as LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import normalize as nf
from ..convert import with_letters
from ..explain.latex import latex, letter, reference
from ..ir import Argmax, Call, Max, Poly, Ref, Sum, Tensor, Term, rational, raw_atom, raw_product
from .entry import STAND_IN
from .nodes import FIXED

if TYPE_CHECKING:
    from .nodes import Node
    from .plan import Planner


NOTE = "#:"  # a line with a number in place of a comment that has not been asked for


class Comments:
    """Writes what a node computes; parts are written out."""

    def __init__(self, planner: Planner) -> None:
        self._planner = planner

    def line(self, node: Node, name: str | None) -> str:
        """left = right for a named array, the right-hand side alone for a part."""
        if node.op == "cummax" or (node.op in ("max", "maximum") and node.data[1] == FIXED):
            return self._peak(node, name or "")
        known = self._planner.meaning.get(node)
        if known is None:
            return ""
        free, letters = known.letters, self._planner.letters
        names = frozenset(i.name for i in free)
        shown = self.shown(with_letters(known.shown, letters, names))
        right = latex(with_letters(shown, letters, names), free, implicit=True)
        if name is None:
            return right
        left = reference(Tensor(name, tuple(i.size for i in free)), free)
        return f"{left} = {right}"

    def _peak(self, node: Node, name: str) -> str:
        planner = self._planner
        tensor = next(
            (t for t in planner.peaks if t in planner.tensors and planner.tensors[t][0] is node),
            None,
        )
        if tensor is None:
            return ""
        peak, letters = planner.peaks[tensor], planner.peak_letters[tensor]
        free = tuple(letters[i] for i in peak.indices)
        over = " ".join(letter(letters[i]) for i in peak.bound)
        inside = ", ".join(
            latex(self.shown(nf.substitute(p, dict(letters))), free) for p in peak.exponents
        )
        left = reference(Tensor(name, tensor.shape), free)
        bound = f"_{{{over}}}" if over else ""
        return f"{left} = \\max{bound}({inside})"

    def shown(self, node: Any) -> Any:
        """The raw expression with parts written as their names, or written out."""
        match node:
            case Poly():
                terms: dict[Term, Any] = {}
                for term, c in node:
                    for t, d in self.shown(term):
                        terms[t] = rational(terms.get(t, 0) + c * d)
                return Poly(terms)
            case Term():
                return raw_product(_powered(self.shown(a), e) for a, e in node)
            case Ref():
                return self._reference(node)
            case Call(name="exp"):
                return _exponential(self.shown(node.args[0]))
            case Call():
                return raw_atom(Call(node.name, [self.shown(a) for a in node.args]))
            case Sum():
                return raw_atom(Sum(node.bound, self.shown(node.body)))
            case Max():
                return raw_atom(Max(node.bound, [self.shown(a) for a in node.args]))
            case Argmax():
                return raw_atom(Argmax(node.at, node.bound, self.shown(node.body)))
        return raw_atom(node)

    def _reference(self, ref: Ref) -> Poly:
        planner = self._planner
        if ref.tensor in planner.standing:
            entry = planner.entries[ref.tensor]
            places = dict(zip(entry.indices, ref.slots, strict=True))
            return self.shown(nf.substitute(nf.normalize(entry.poly), places))
        if ref.tensor.role == STAND_IN:
            return raw_atom(Ref(Tensor(ref.tensor.name, ref.tensor.shape), ref.slots))
        return raw_atom(ref)


def _exponential(q: Poly) -> Poly:
    """e^q, with P in place of e^{log P}."""
    logs = {
        t: a.args[0]
        for t, c in q
        for a, e in t
        if c == e == len(t.powers) == 1 and isinstance(a, Call) and a.name == "log"
    }
    rest = Poly({t: c for t, c in q if t not in logs})
    factors = [*logs.values()] + [raw_atom(Call("exp", [rest]))] * bool(rest.terms)
    return raw_product(factors) if logs else raw_atom(Call("exp", [q]))


def _powered(poly: Poly, e: Any) -> Poly:
    if e == 1:
        return poly
    only = poly.single
    if only and only[1] == 1 and len(only[0].powers) == 1:
        ((atom, k),) = only[0]
        return raw_atom(atom, rational(k * e))
    return raw_atom(poly, e)


__all__ = ["NOTE", "Comments"]
