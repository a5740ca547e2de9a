"""Complements of functions: 1 − σ(u) as σ(−u), 1 − cos² u as sin² u, σ(u) σ(−u) as a slope."""

from __future__ import annotations

from collections import Counter
from typing import Any

from .. import normalize as nf
from ..ir import ONE_TERM, Call, Poly, Rational, Sum, Term, rational, raw_add, raw_atom, raw_product
from .cases import inside

SQUARES = {"cos": ("sin", 1), "sin": ("cos", 1), "cosh": ("sinh", -1)}  # 1 − cos² = sin²


def complemented(raw: Poly) -> Poly:
    """1 − σ(u) as σ(−u) and σ(u) − 1 as −σ(−u), where σ(u) is nowhere else; 1 − cos² as sin².

    And σ(u) σ(−u) as σ(u) (1 − σ(u)).
    """
    names = ("sigmoid", *SQUARES)
    seen = Counter(n for n in inside(raw) if isinstance(n, Call) and n.name in names)
    return _complemented(raw, seen) if seen else raw


def _complemented(node: Any, seen: Counter[Any]) -> Any:
    match node:
        case Poly():
            one = node.terms.get(ONE_TERM, 0)
            if len(node) == 2 and abs(one) == 1:
                ((term, c),) = ((t, c) for t, c in node if t is not ONE_TERM)
                ((atom, e),) = term if len(term.powers) == 1 else ((None, 0),)
                if not isinstance(atom, Call) or c != -one:
                    pass
                elif atom.name == "sigmoid" and e == 1 and seen[atom] == 1:
                    back = Call("sigmoid", [nf.scale(atom.args[0], -1)])
                    return Poly({Term({back: 1}): one})
                elif atom.name in SQUARES and e == 2:
                    other, sign = SQUARES[atom.name]
                    return Poly({Term({Call(other, atom.args): 2}): rational(sign * one)})
            return raw_add(
                Poly({t: rational(c * d) for t, d in _complemented(term, seen)}) for term, c in node
            )
        case Term():
            made = raw_product([_power(_complemented(a, seen), e) for a, e in node])
            return raw_add(Poly({_beside_its_complement(t): c}) for t, c in made)
        case Sum():
            return Sum(node.bound, _complemented(node.body, seen))
    return node


def _beside_its_complement(term: Term) -> Term:
    """σ(u) (1 − σ(u)) for σ(u) σ(−u), of u and −u the one with fewer minus signs.

    And for e^{−u} σ(u)².
    """
    for exp in (a for a, e in term if isinstance(a, Call) and (a.name, e) == ("exp", 1)):
        back = nf.scale(nf.normalize(exp.args[0]), -1)
        for atom, e in term:
            if not isinstance(atom, Call) or (atom.name, e) != ("sigmoid", 2):
                continue
            if nf.normalize(atom.args[0]) is back:
                rest = {a: k for a, k in term if a is not exp}
                one = Poly({ONE_TERM: 1, Term({atom: 1}): -1})
                return Term({**rest, atom: rational(1), one: rational(1)})
    own = {
        nf.normalize(a.args[0]): a
        for a, e in term
        if isinstance(a, Call) and a.name == "sigmoid" and e == 1
    }
    for u, atom in own.items():
        other = own.get(nf.scale(u, -1))
        if other is not None and 2 * sum(c < 0 for _, c in u) <= len(u):
            rest = {a: k for a, k in term if a is not other}
            return Term({**rest, Poly({ONE_TERM: 1, Term({atom: 1}): -1}): 1})
    return term


def _power(atom: Any, e: Rational) -> Poly:
    """atom ** e, a bracket of one factor without its bracket."""
    only = atom.single if isinstance(atom, Poly) and e == 1 else None
    return atom if only is not None else raw_atom(atom, e)
