"""What is left of erf at a limit and of e^q at 1, where it divides or is under a logarithm.

    1 + erf(x) = 2 e^{log Φ(√2 x)}        1 − e^q = −expm1(q),   q < 0

So log ½(1 + erf(z/√2)), the likelihood of a probit, and its derivatives have their digits where
erf is rounded to −1, and log(1 − e^{−λ}) where e^{−λ} is rounded to 1.  The sums may have names.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from .. import normalize as nf
from ..ir import (
    ONE_TERM,
    Call,
    Poly,
    Rational,
    Ref,
    Tensor,
    functions,
    number,
    rational,
    raw_atom,
    refs,
)
from ..laws import primitive_part, sign_of
from .logistic import everywhere, exponent_of

if TYPE_CHECKING:
    from .plan import Planner

Logs = list[tuple[Poly, Rational]]  # logarithms of factors, with their powers


def tails(planner: Planner, poly: Poly) -> Poly:
    """The expression with every such sum as an exponential, or as expm1."""
    return everywhere(poly, lambda p: _at(planner, p)) if _concerned(planner, poly) else poly


def _concerned(planner: Planner, poly: Poly) -> bool:
    """There may be such a sum; of most expressions it is plain that there is none."""
    return not {"erf", "erfc", "exp"}.isdisjoint(functions(poly)) or any(
        _named(planner, r.tensor) for r in refs(poly)
    )


def _at(planner: Planner, poly: Poly) -> Poly:
    made, changed = [], False
    for term, c in poly:
        factors, beside = [], exponent_of(term)
        for atom, e in term:
            value = None
            if isinstance(atom, Call) and atom.name == "log":
                logs, rest = _parts(planner, atom.args[0])
                if logs or rest is not atom.args[0]:
                    own = (nf.scale(x, k) for x, k in logs)
                    value = nf.power(nf.add(*own, nf.call("log", [rest])), e)
            elif isinstance(atom, Poly | Ref | Call):
                divides = e < 0 or not isinstance(e, int)
                base = atom if isinstance(atom, Poly) else raw_atom(atom)
                logs, rest = _parts(planner, base) if divides or beside else ([], base)
                if (divides and (logs or rest is not base)) or _far_out(beside, logs):
                    powers = [(x, rational(Fraction(k) * e)) for x, k in logs]
                    own = (nf.call("exp", [nf.scale(x, k)]) for x, k in powers)
                    value = nf.multiply(*own, nf.power(rest, e))
            changed |= value is not None
            factors.append(nf.power(raw_atom(atom), e) if value is None else value)
        made.append(nf.scale(nf.multiply(*factors), c))
    return nf.add(*made) if changed else poly


def _far_out(beside: Poly | None, logs: Logs) -> bool:
    """x²/2 is in an exponent beside Φ(x): one grows as the other falls."""
    if beside is None:
        return False
    falls = (x.single[0] for x, _ in logs if x.single)
    tails = [a.args[0] for t in falls for a, _ in t if isinstance(a, Call)]
    return any(
        len(nf.subtract(beside, nf.scale(nf.power(x, 2), Fraction(1, 2)))) < len(beside)
        for x in tails
    )


def _parts(planner: Planner, whole: Poly) -> tuple[Logs, Poly]:
    """The logarithms of the factors that are such sums, and what they are beside."""
    if not whole.terms:
        return [], whole
    only = whole.single
    if only is not None and len(only[0].powers) == 1 and only[1] == 1:
        ((atom, e),) = only[0]
        if e == 1 and isinstance(atom, Ref):
            body = _opened(planner, atom)
            return ([], whole) if body is None else _parts(planner, body)
    coefficient, shared, left = primitive_part(whole, integer=True)
    if left.terms.get(ONE_TERM, 0) < 0:
        coefficient, left = -coefficient, nf.scale(left, -1)
    logs, rest = Logs(), number(coefficient)
    for base, e in [*((raw_atom(a), e) for a, e in shared), (left, 1)]:
        x = _erfc(base)
        less = None if x is not None else _less(base)
        if x is not None:  # erfc(x) = 2 Φ(−√2 x)
            rest = nf.multiply(rest, number(2) if e == 1 else nf.power(number(2), e))
            root = nf.scale(nf.power(number(2), Fraction(1, 2)), -1)
            logs.append((nf.call("log_ndtr", [nf.multiply(root, x)]), e))
        else:
            rest = nf.multiply(rest, nf.power(base if less is None else less, e))
    return (logs, rest) if logs or rest is not nf.normalize(whole) else (logs, whole)


def _erfc(base: Poly) -> Poly | None:
    """x in 1 − erf(x) = erfc(x)."""
    for term, c in base:
        if len(term.powers) == 1:
            ((atom, e),) = term
            if e == 1 and isinstance(atom, Call) and atom.name == "erfc" and len(base) == 1:
                return atom.args[0] if c == 1 else None
            if e == 1 and isinstance(atom, Call) and atom.name == "erf" and abs(c) == 1:
                rest = dict(base)
                del rest[term]
                return nf.scale(atom.args[0], -c) if rest == {ONE_TERM: 1} else None
    return None


def _less(base: Poly) -> Poly | None:
    """1 − e^q as −expm1(q) where q < 0, and as e^q expm1(−q) where q > 0: nothing else grows."""
    if len(base) != 2 or base.terms.get(ONE_TERM) != 1:
        return None
    ((term, d),) = ((t, d) for t, d in base if t is not ONE_TERM)
    q = exponent_of(term)
    if q is None or len(term.powers) != 1 or d != -1:
        return None
    minus = nf.scale(q, -1)
    if sign_of(minus):
        return nf.scale(nf.call("expm1", [q]), -1)
    if sign_of(q):
        return nf.multiply(nf.call("exp", [q]), nf.call("expm1", [minus]))
    return None


def _opened(planner: Planner, ref: Ref) -> Poly | None:
    """The body of a definition that has such a factor."""
    return planner.entries[ref.tensor].at(ref.slots) if _named(planner, ref.tensor) else None


def _named(planner: Planner, tensor: Tensor) -> bool:
    if tensor not in planner.tailed:
        planner.tailed[tensor] = False  # definitions have no cycles; this ends the search
        entry = planner.entries.get(tensor)
        if entry is not None and tensor not in planner.standing and not entry.shift:
            body = nf.normalize(entry.poly)
            if _concerned(planner, body):
                logs, rest = _parts(planner, body)
                planner.tailed[tensor] = bool(logs) or rest is not body
    return planner.tailed[tensor]
