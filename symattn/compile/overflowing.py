"""What may overflow, and the definitions that are opened for it.

A sum of exponentials is taken apart into its largest term and the rest (stable.py) where it is
divided by, or is inside of a logarithm or a power, and nothing bounds its exponents.  A definition
that is made of such terms is opened where its exponents meet others with which they cancel.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import inf, prod
from typing import TYPE_CHECKING, Any

from .. import normalize as nf
from ..ir import (
    ONE_TERM,
    Atom,
    Call,
    Poly,
    Ref,
    Sum,
    Tensor,
    Term,
    functions,
    parts,
    raw_atom,
    refs,
)
from ..laws import sign_of
from .cancelling import in_turn
from .entry import Entry, numeric
from .logistic import (
    exponent_of,
)
from .sigmas import is_logistic, written_out
from .tails import tails

if TYPE_CHECKING:
    from .plan import Planner


MOST = 32  # terms of an expression in which definitions are opened
GROWING = ("exp", "sigmoid", "cosh")  # positive functions that grow or fall exponentially


def grows(atom: Atom) -> bool:
    """A sum with exponentials in it, or of weights σ alone."""
    match atom:
        case Sum():
            return any(exponent_of(t) is not None for t, _ in atom.body) or of_sigmoids(atom)
        case Poly():
            return any(
                exponent_of(t) is not None or any(grows(a) for a, _ in t) for t, _ in atom
            ) or (len(atom) > 1 and all(any(is_sigmoid(a) for a, _ in t) for t, _ in atom))
    return False


def critical(node: Any) -> bool:
    """An exponential sum stands under a fraction bar, a root or a logarithm."""
    match node:
        case Poly():
            return any(critical(t) for t, _ in node)
        case Term():
            return any(
                (grows(a) and (e < 0 or not isinstance(e, int)))
                or (is_sigmoid(a) and not isinstance(e, int))
                or critical(a)
                for a, e in node
            )
        case Sum():
            return critical(node.body)
        case Call(name="log"):
            factors = [a for t, _ in node.args[0] for a, _ in t]
            return grows(node.args[0]) or any(grows(a) or _of_signed(a) for a in factors)
        case Call():
            return any(critical(a) for a in node.args)
    return False


def is_sigmoid(atom: Any) -> bool:
    return isinstance(atom, Call) and atom.name == "sigmoid"


def of_sigmoids(atom: Sum) -> bool:
    """A sum over products with σ."""
    return any(is_sigmoid(a) and e > 0 for t, _ in atom.body for a, e in t)


def signed(atom: Any) -> bool:
    """A positive function whose logarithm is known where it is rounded to 0 or overflows."""
    return isinstance(atom, Call) and atom.name in GROWING


def _of_signed(atom: Any) -> bool:
    """Such a function, or a sum with some, as 1 − σ(x) and Σ (1 + tanh(x)) are."""
    if isinstance(atom, Poly | Sum):
        terms = atom.body if isinstance(atom, Sum) else atom
        return any(_of_signed(a) for t, _ in terms for a, _ in t)
    return signed(atom) or (isinstance(atom, Call) and atom.name == "tanh")


def _wild(planner: Planner, tensor: Tensor) -> Entry | None:
    """A definition whose value is an exponential that nothing divides, or the inverse of one, with
    those in it opened; None for any other, and where opening it would multiply out too much."""
    entry = planner.entries.get(tensor)
    if entry is None or tensor in planner.standing:
        return None
    if tensor not in planner.wild:
        planner.wild[tensor] = None  # definitions have no cycles; this only ends the search
        value = tails(planner, _opened(planner, nf.normalize(entry.poly)))
        if len(value) <= MOST and any(unbalanced(t) for t, _ in value):
            planner.wild[tensor] = replace(entry, poly=value)
    return planner.wild[tensor]


def _spread(planner: Planner, node: Any) -> float:
    """How many terms there may be where wild definitions are opened in an expression."""
    match node:
        case Poly():
            return sum(_spread(planner, t) for t, _ in node)
        case Term():
            return prod(_spread(planner, a) ** abs(float(e)) for a, e in node)
        case Ref():
            wild = _wild(planner, node.tensor)
            return 1 if wild is None else len(wild.poly)
    return max((_spread(planner, x) for x in parts(node)), default=1)


def unbalanced(term: Term) -> bool:
    return any(_degrees(term).values())


def _degrees(node: Any) -> dict[frozenset[Tensor], Fraction]:
    """How often each exponent, known by its tensors, occurs above the fraction bar."""
    found: dict[frozenset[Tensor], Fraction] = {}
    match node:
        case Term():
            for atom, e in node:
                for x, n in _degrees(atom).items():
                    found[x] = found.get(x, Fraction(0)) + n * Fraction(e)
        case Call(name="exp"):
            for t, c in node.args[0]:
                x = frozenset(r.tensor for r in refs(t))
                found[x] = found.get(x, Fraction(0)) + Fraction(c)
        case Call(name="cosh" | "sinh"):  # as the exponential of the magnitude
            x = frozenset(r.tensor for r in refs(node))
            found[x] = Fraction(1)
        case Poly():  # the largest alternative
            for t, _ in node:
                for x, n in _degrees(t).items():
                    found[x] = max(found.get(x, n), n)
        case Sum():
            return _degrees(node.body)
    return found


def _opened(planner: Planner, poly: Poly) -> Poly:
    """The expression with wild definitions replaced, and all exponential ones under a log."""

    def rule(atom: Any) -> Poly | None:
        wild = _wild(planner, atom.tensor) if isinstance(atom, Ref) else None
        if wild is not None:
            return wild.at(atom.slots)
        if isinstance(atom, Call) and atom.name == "log" and not _above_zero(atom.args[0]):
            return nf.call("log", [nf.rewrite(atom.args[0], under_log)])
        if isinstance(atom, Call) and atom.name == "exp":
            return _normalised(planner, atom.args[0]) or _inside(planner, atom)
        return _inside(planner, atom) if isinstance(atom, Call) and atom.name != "log" else None

    def under_log(atom: Any) -> Poly | None:
        if isinstance(atom, Call) and atom.name == "exp":
            return _normalised(planner, atom.args[0])
        if isinstance(atom, Call) and atom.name != "log":
            return _inside(planner, atom)
        entry = planner.entries.get(atom.tensor) if isinstance(atom, Ref) else None
        if entry is None or atom.tensor in planner.standing:
            return None
        body = entry.at(atom.slots)
        if body is None:
            return None
        turn = in_turn(planner, atom)
        if turn is not None:
            return turn
        if is_logistic(planner, atom.tensor):
            return written_out(planner, body)
        whole = written_out(planner, body)  # with tanh, and what σ leaves of 1, as weights
        if "tanh" in functions(body) or (ONE_TERM in body.terms and ONE_TERM not in whole.terms):
            body = whole
        if not all(weighed(t) or t is ONE_TERM for t, _ in body):
            return None
        if ONE_TERM in body.terms and not any(exponent_of(t) and unbalanced(t) for t, _ in body):
            return None  # 1 + P, say, which is nowhere far from 1
        return nf.rewrite(body, under_log)

    def weighed(term: Term) -> bool:
        return any(
            grows(a)
            or signed(a)
            or (isinstance(a, Ref) and a.tensor in planner.entries)
            or (isinstance(a, Sum) and all(map(weighed, a.body.terms)))
            for a, _ in term
        )

    concerned = not functions(poly).isdisjoint(("log", "exp"))
    if not concerned and not any(_wild(planner, r.tensor) for r in refs(poly)):
        return poly
    return nf.rewrite(poly, rule) if _spread(planner, poly) <= MOST else poly


def _inside(planner: Planner, node: Call) -> Poly:
    """A function of what is opened only where something in it cancels: nothing outside does."""
    args = []
    for arg in node.args:
        opened = _opened(planner, arg)
        left = critical(opened) or not any(unbalanced(t) for t, _ in opened)
        args.append(opened if left else arg)
    return raw_atom(node) if tuple(args) == node.args else nf.call(node.name, args)


def with_opened(planner: Planner, poly: Poly) -> Poly:
    """The expression opened, but for terms in which nothing can cancel."""
    alone = {t: c for t, c in poly if _alone(planner, t) <= 1 and _wild_ones(planner, t)}
    others = Poly({t: c for t, c in poly if t not in alone})
    return nf.add(Poly(alone), _opened(planner, others)) if alone else _opened(planner, poly)


def _wild_ones(planner: Planner, term: Term) -> bool:
    return any(_wild(planner, r.tensor) is not None for r in refs(term))


def _alone(planner: Planner, term: Term) -> float:
    """How many wild definitions a product has, where there is nothing else that they could cancel
    with; one stays what it is, and so do those that are never above a number, as e^{−r} with a
    distance r."""
    found = 0.0
    for atom, e in numeric(term)[1]:
        inside = 0.0
        match atom:
            case Ref():
                inside = _wild(planner, atom.tensor) is not None
                if inside and _falls(planner, planner.entries[atom.tensor].poly):
                    inside = 0.0
            case Sum():
                inside = max(_alone(planner, t) for t, _ in atom.body)
            case Call(name="exp") if _below_0(planner, atom.args[0]):
                pass
            case Call() | Poly():
                return inf
        found += inside if e > 0 and isinstance(e, int) else inf
    return found


def _falls(planner: Planner, poly: Poly) -> bool:
    """Every exponential in the terms has an exponent that is nowhere above 0, and no sum is one of
    many that divides."""
    for term, _ in poly:
        for atom, e in term:
            if isinstance(atom, Call) and atom.name == "exp":
                if not _below_0(planner, atom.args[0]):
                    return False
            elif e < 0 or not functions(atom).isdisjoint(("exp", "log")):
                return False
    return True


def _below_0(planner: Planner, exponent: Poly) -> bool:
    """Numbers below 0 times what is never below 0."""
    return all(c < 0 and _not_negative(planner, Poly({t: 1})) for t, c in exponent)


def _not_negative(planner: Planner, poly: Poly) -> bool:
    """What is never below 0, seen through the names of roots and sums of squares."""

    def rule(atom: Any) -> Poly | None:
        entry = planner.entries.get(atom.tensor) if isinstance(atom, Ref) else None
        if entry is None or sign_of(atom) or not _not_negative(planner, entry.poly):
            return None
        return raw_atom(Call("abs", (raw_atom(atom),)))

    return bool(sign_of(poly) or sign_of(nf.rewrite(poly, rule)))


def _above_zero(argument: Poly) -> bool:
    """c + x with a number c > 0, where nothing is subtracted: its logarithm is no danger."""
    return ONE_TERM in argument.terms and all(c > 0 for _, c in argument) and not grows(argument)


def _normalised(planner: Planner, q: Poly) -> Poly | None:
    """e^{p−L+r} with L = log Σ e^p as e^{p+r} / Σ e^p; None for any other exponent."""
    for ref in refs(q):
        entry = planner.entries.get(ref.tensor)
        if entry is None or q.terms.get(Term({ref: 1})) != -1:
            continue
        value = entry.at(ref.slots)
        if value is None:
            continue
        left = nf.add(q, raw_atom(ref))
        total = nf.call("exp", [value]).single  # Σ e^p
        if total is not None and any(_summand(atom, left) for atom, _ in total[0]):
            return nf.call("exp", [nf.subtract(left, value)])
    return None


def _summand(atom: Atom, q: Poly) -> bool:
    """The exponent of a sum is a part of q, at some letters of q."""
    if not isinstance(atom, Sum):
        return False
    bound, body = nf.opened(atom, {*atom.free, *q.free})
    p = exponent_of(body.single[0]) if body.single else None
    letters = [[i for i in q.free if i.size == b.size] for b in bound]
    return p is not None and any(
        all(q.terms.get(t) == c for t, c in nf.substitute(p, dict(zip(bound, at, strict=True))))
        for at in product(*letters)
    )
