"""Sums of exponentials with their largest term taken out: Σ e^q = e^m Σ e^{q−m}, m = max q.

The law is applied to expressions, before anything is an array: e^{p} (Σ e^q)^{-1} becomes
e^{p−m} (Σ e^{q−m})^{-1}, log Σ e^q becomes m + log Σ e^{q−m}, and the peaks m of a numerator and
a denominator cancel as ordinary exponents.  Softmax, logsumexp, log-softmax and Gibbs averages
are cases of it.  With two alternatives, 1 + e^x, the same is softplus and sigmoid.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from .. import normalize as nf
from ..ir import (
    ZERO,
    Call,
    Index,
    Mask,
    Poly,
    Rational,
    Ref,
    Sum,
    Term,
    functions,
    number,
    rational,
    raw_atom,
    refs,
)
from ..laws import sign_of
from .anchor import anchored
from .beside import bounded, summed_together, together
from .cancelling import cancelled
from .centre import centred
from .complements import complements
from .conditions import is_mask
from .contract import stand_in
from .entry import placed
from .logistic import (
    everywhere,
    exponent_of,
    logistic,
    logit,
    paired,
    quotients,
    softplus,
    tame,
)
from .nodes import FAR
from .overflowing import critical, grows, is_sigmoid, of_sigmoids, signed, unbalanced, with_opened
from .peaks import Peak, highest, largest, of_peak
from .prefixes import order_of
from .scalings import scaled
from .sigmas import written_out
from .tails import tails
from .weights import held_back

if TYPE_CHECKING:
    from .plan import Planner


LOGARITHMS: dict[str, Callable[[Poly], Poly]] = {  # of positive functions
    "exp": lambda x: x,
    "sigmoid": lambda x: nf.scale(softplus(nf.scale(x, -1)), -1),
    "cosh": lambda x: nf.subtract(_even_softplus(x), nf.call("log", [number(2)])),
}


def _even_softplus(x: Poly) -> Poly:
    """log 2 cosh(x); of a difference in even functions, since x by itself would fall apart."""
    ways = [softplus(nf.scale(x, c)) for c in (2, -2)]
    return nf.subtract(ways[0], x) if len(x) < 2 else nf.scale(nf.add(*ways), Fraction(1, 2))


def steady(planner: Planner, normal: Poly) -> Poly | None:
    """A normal expression with no exponential that overflows by itself; None if it is one."""
    known = tails(planner, normal)
    whole = everywhere(known, paired) if critical(known) else known
    whole = whole if whole is known else written_out(planner, whole)
    split = complements(planner, everywhere(whole, lambda p: _squared_logs(planner, p)))

    def log(argument: Poly) -> Poly:
        x = logit(argument)
        if x is not None:
            return softplus(x)
        return nf.call("log", [_alternatives(planner, written_out(planner, argument))])

    released = cancelled(planner, summed_together(planner, together(planner, split, log), log))
    released = scaled(planner, released, lambda term: _term(planner, term, log=True))
    opened = with_opened(planner, released)
    if opened is not released:
        opened = cancelled(planner, opened)
    joined = everywhere(opened, quotients) if "sinh" in functions(opened) else opened
    if not critical(joined):
        if joined is not opened:
            return joined
        if opened is not released and not any(unbalanced(t) for t, _ in opened):
            return opened  # what would have overflowed has cancelled
        return None if released is normal else released
    opened = together(planner, joined, log)
    result = _whole(planner, centred(planner, opened) or opened)
    result = everywhere(result, bounded)
    result = _relative(planner, anchored(planner, result) or result)
    return None if result is normal else result


def _relative(planner: Planner, poly: Poly) -> Poly:
    """The expression with c q − max c q, then less log Σ e^{c q − max c q}, in place of q where the
    other parts cancel then: multiplied by what is beside it, each part would lose its digits."""
    for ref in [r for r in refs(poly) if r.tensor in planner.peaks]:
        peak = planner.peaks[ref.tensor]
        only = peak.exponents[0].single if len(peak.exponents) == 1 else None
        q, c = (next(iter(only[0]))[0], only[1]) if only is not None else (None, 1)
        if not isinstance(q, Ref) or not {*peak.indices} <= {*q.slots}:
            continue
        if peak.exponents[0] is not nf.scale(raw_atom(q), c) or not _plain(q) or not _plain(ref):
            continue
        poly, held = _in_place_of(planner, poly, q, c, raw_atom(Ref(ref.tensor, peak.indices)))
        if held is None:
            continue
        own = dict(zip(_letters(ref), peak.indices, strict=True))
        for log in {a: None for t, _ in poly for a, _ in t if _is_log(a)}:
            if log.free <= own.keys():
                poly, _ = _in_place_of(planner, poly, held, 1, nf.substitute(raw_atom(log), own))
    return poly


def _squared_logs(planner: Planner, poly: Poly) -> Poly:
    """The sum with every log as an array in products of several of them: as sums, q − max q less
    the logarithm of what is left, these would be multiplied out, and what cancels be lost."""
    made = []
    for term, c in poly:
        logs = {a: e for a, e in term if _is_log(a) and isinstance(e, int) and e > 0}
        if sum(logs.values()) > 1:
            held = (nf.power(raw_atom(stand_in(planner, raw_atom(a))), e) for a, e in logs.items())
            rest = Term({a: e for a, e in term if a not in logs})
            made.append(nf.multiply(Poly({rest: c}), *held))
        else:
            made.append(Poly({term: c}))
    return nf.add(*made)


def _in_place_of(
    planner: Planner, poly: Poly, q: Ref, c: Rational, part: Poly
) -> tuple[Poly, Ref | None]:
    """The expression with an array for c q − part, and that, where it has fewer terms."""
    held = stand_in(planner, nf.subtract(nf.scale(raw_atom(q), c), part))
    whole = nf.scale(nf.add(raw_atom(held), part), rational(1 / Fraction(c)))

    def rule(atom: Any) -> Poly | None:
        if not isinstance(atom, Ref) or atom.tensor is not q.tensor:
            return None
        return placed(whole, dict(zip(_letters(q), atom.slots, strict=True)))

    made = nf.rewrite(poly, rule)
    return (made, held) if len(made) < len(poly) else (poly, None)


def _letters(ref: Ref) -> list[Index]:
    """The slots that are letters."""
    return [x for x in ref.slots if isinstance(x, Index)]


def _plain(ref: Ref) -> bool:
    """A component whose slots are different letters."""
    return len(set(_letters(ref))) == len(ref.slots)


def _is_log(atom: Any) -> bool:
    return isinstance(atom, Call) and atom.name == "log"


def rejoined(planner: Planner, term: Term) -> tuple[Term, Sum] | None:
    """e^p Σ f e^q as Σ f e^{p+q}, and that sum, where this has no array more; None elsewhere.

    What touches no letter of a sum has gone out of it, also a part of an exponent; but p may be as
    large as −q, and then neither e^p nor e^q is a number.
    """
    p = exponent_of(term)
    for atom, e in term:
        if p is None or not isinstance(atom, Sum) or e != 1:
            continue
        bound, body = nf.opened(atom, {*atom.free, *p.free})
        if body.single is None:  # the letters given to it let it fall apart
            continue
        inner, c = body.single
        q = exponent_of(inner)
        if q is None or not p.free <= q.free | _in_order(inner):
            continue
        both = nf.add(p, q)
        if any(r.tensor in planner.peaks and r not in refs(both) for r in (*refs(p), *refs(q))):
            continue  # the largest value was taken out of the sum
        powers = {a: d for a, d in inner if not (isinstance(a, Call) and a.name == "exp")}
        whole = Term({**powers, Call("exp", (both,)): 1})
        made = Sum(bound, Poly({whole: c}))
        rest = {a: d for a, d in tame(term) if a is not atom}
        return Term({**rest, made: 1}), made
    return None


def _in_order(term: Term) -> frozenset[Index]:
    """The letters that a mask of order compares in a product: under it a decay is a recurrence."""
    return frozenset().union(*(a.free for a, _ in term if isinstance(a, Mask) and order_of(a)))


def _whole(planner: Planner, poly: Poly) -> Poly:
    """A sum that nothing divides by: products stay where a single exponential is in no danger."""
    made = []
    for term, c in poly:
        grown = sum(grows(a) or (isinstance(a, Call) and a.name == "exp") for a, _ in term)
        left = grown < 2 and not critical(term)
        made.append(nf.scale(Poly({term: 1}) if left else _term(planner, term), c))
    return nf.add(*made)


def _poly(planner: Planner, poly: Poly, log: bool = False) -> Poly:
    return nf.add(*(nf.scale(_term(planner, term, log), c) for term, c in poly))


def _term(planner: Planner, term: Term, log: bool = False) -> Poly:
    """A product with every exponential sum scaled, its logistic factors recognised.

    A sum that a mask may leave empty is 1 in place of 0 where it divides, or is under a `log`.
    """
    term = _by_exponents(planner, term, log)
    if any(e < 0 and _normalised(planner, Term({a: 1})) is not raw_atom(a) for a, e in term):
        term = (_normalised(planner, term).single or (term, 1))[0]
    term, factors = logistic(_steady_exponent(planner, term), grows=grows)
    for atom, e in term:
        match atom:
            case Sum() if e == 1 and not log and (part := _share(planner, atom, term)):
                factors.append(part)
            case Sum():
                factors.append(nf.power(_sum(planner, atom, log or e < 0), e))
            case Poly() if grows(atom):
                factors.append(_raised(_alternatives(planner, atom), e))
            case Poly():
                factors.append(nf.power(_poly(planner, atom), e))
            case Call(name="log"):
                factors.append(nf.power(_log(planner, atom.args[0]), e))
            case Call():
                inner = [_whole(planner, a) for a in atom.args]
                factors.append(nf.power(nf.call(atom.name, inner), e))
            case _:
                factors.append(nf.power(raw_atom(atom), e))
    return nf.multiply(*factors)


def _raised(poly: Poly, e: Any) -> Poly:
    """The power of an expression, (e^q r)^e = e^{eq} r^e for an r of any sign."""
    q = exponent_of(poly.single[0]) if poly.single else None
    if q is None or poly.single is None:
        return nf.power(poly, e)
    rest = Poly({tame(poly.single[0]): poly.single[1]})
    return nf.multiply(nf.call("exp", [nf.scale(q, e)]), nf.power(rest, e))


def _by_exponents(planner: Planner, term: Term, log: bool) -> Term:
    """The product with σ(x) as e^{−log(1 + e^{−x})} beside and in a sum of weights σ that divides,
    is under a root or a `log`: the largest one can be taken out then."""
    if not any((log or e < 0 or not isinstance(e, int)) and _weighing(a) for a, e in term):
        return term
    logs = Term({a: e for a, e in term if _is_log(a)})  # these have their own largest terms
    others = Poly({Term({a: e for a, e in term if not _is_log(a)}): 1})
    made = everywhere(written_out(planner, others), _weights)
    whole = nf.multiply(made, Poly({logs: 1})).single
    return term if whole is None or whole[1] != 1 else whole[0]


def _weighing(atom: Any) -> bool:
    """A sum of weights σ, also as they are written, or of such and exponentials."""
    if isinstance(atom, Poly):
        return _all_weigh(atom) or any(_weighing(a) for t, _ in atom for a, _ in t)
    return isinstance(atom, Sum) and (
        of_sigmoids(atom) or any(logit(a) and e < 0 for t, _ in atom.body for a, e in t)
    )


def _all_weigh(poly: Poly) -> bool:
    """Every term has a σ or is an exponential: all may be rounded to 0."""
    signed = [any(is_sigmoid(a) and e > 0 for a, e in t) for t, _ in poly]
    own = (one or exponent_of(t) is not None for one, (t, _) in zip(signed, poly, strict=True))
    return len(poly) > 1 and any(signed) and all(own)


def _steady_exponent(planner: Planner, term: Term) -> Term:
    """The product with a steady exponent."""
    q = exponent_of(term)
    if q is None or not critical(q):
        return term
    return Term({**tame(term).powers, Call("exp", (_poly(planner, q),)): 1})


def _log(planner: Planner, argument: Poly) -> Poly:
    argument = written_out(planner, argument)
    only = argument.single
    if only is not None and any(signed(a) for a, _ in only[0]):
        # log(a f) = log a + log f for a > 0, wherever the left side is a number
        logs = [
            nf.scale(LOGARITHMS[a.name](a.args[0]), e)
            for a, e in only[0]
            if isinstance(a, Call) and a.name in LOGARITHMS
        ]
        left = Term({a: e for a, e in only[0] if not signed(a)})
        rest = _log(planner, Poly({left: only[1]}))
        return nf.add(*(_poly(planner, log) for log in logs), rest)
    x = logit(argument)
    if x is not None:
        return raw_atom(Call("softplus", (_whole(planner, x),)))
    if len(argument) > 1 and grows(argument):
        return nf.call("log", [_alternatives(planner, argument)])
    return nf.call("log", [_poly(planner, argument, log=True)])


def _sum(planner: Planner, node: Sum, guard: bool) -> Poly:
    """Σ f e^q = e^m Σ f e^{q−m}."""
    bound, body = nf.opened(node, node.free)
    ((term, c),) = body
    term = _steady_exponent(planner, term)
    if guard:
        term = _without_normalisers(planner, set(bound), term)
    if critical(term):  # softmax inside: its own peaks are the right ones
        term, bound = _inner_sums(planner, bound, term)
        return nf.sum_over(bound, nf.scale(_term(planner, term), c))
    q = exponent_of(term)
    if q is None:
        return raw_atom(node)
    masks = [a for a, _ in term if is_mask(a) and a.free & set(bound)]
    hold, factors = held_back(planner.entries, tame(term), masks)
    pairs = None if guard and sign_of(node) != "+" else list[Poly]()
    taken = largest(planner, set(bound), q, hold, pairs)
    if taken is None:
        return raw_atom(node)
    scaled, peak = taken
    inside = nf.multiply(*scaled, Poly({factors: 1}))
    total = nf.scale(nf.sum_over(bound, inside), c)
    alone = all(held is raw_atom(m) for m, held in hold.items())  # a sum of weights may be negative
    if masks and not factors.powers and guard and alone:
        total = raw_atom(stand_in(planner, total, guard=True))
    if pairs and guard:
        planner.pairs = True
        total = raw_atom(stand_in(planner, total, guard=FAR)) if planner.apart else total
    return nf.multiply(nf.call("exp", [peak]), total)


def _share(planner: Planner, node: Sum, term: Term) -> Poly | None:
    """Σ_a e^{x_ia + y_ja} beside (Σ_ja e^{x_ia + y_ja})⁻¹, by the largest values of that sum:
    e^{m_i} Σ_a e^{x_ia + m_a − m_i} e^{y_ja − m_a} is a product of matrices, and rounded to 0 where
    the quotient is; its own largest value would be taken pair by pair.  None for any other product.
    """
    if any(isinstance(a, Call) and a.name == "exp" for a, _ in term):
        return None
    for other, e in term:
        more = node.free - other.free
        if e != -1 or not isinstance(other, Sum) or not more:
            continue
        if nf.sum_over(more, raw_atom(node)) is not raw_atom(other):
            continue
        bound, body = nf.opened(node, node.free)
        ((inner, c),) = body
        q = exponent_of(inner)
        if q is None or critical(inner) or any(is_mask(a) for a, _ in inner):
            continue
        scaled, peak = largest(planner, {*bound, *more}, q, {}) or ([], ZERO)
        if len(scaled) > 1 and all(len(x.free) < len(q.free) for x in scaled):
            inside = nf.multiply(*scaled, Poly({tame(inner): c}))
            return nf.multiply(nf.call("exp", [peak]), nf.sum_over(bound, inside))
    return None


def _without_normalisers(planner: Planner, bound: set[Index], term: Term) -> Term:
    """e^{q_kj} / Σ_l e^{q_kl}, summed over k, as e^{q_kj − log Σ_l e^{q_kl}}: the weights of one j
    may all be rounded to 0, so the largest one of them has to be taken out."""
    q = exponent_of(term)
    own = {
        a: e
        for a, e in term
        if isinstance(a, Sum | Poly) and e < 0 and grows(a)
        if a.free & bound and sign_of(a) == "+"
    }
    if q is None or not own:
        return term
    letters = frozenset().union(*(t.free for t, _ in q if t.free & bound))
    if letters not in [t.free for t, _ in q]:  # as in Σ_k P_ik R_kj, which is no such array
        return term
    for atom, e in own.items():  # q − max q is exact, and goes into no sum before
        scaled = (
            _sum(planner, atom, True) if isinstance(atom, Sum) else _alternatives(planner, atom)
        )
        (total, c) = scaled.single or (Term({atom: 1}), 1)
        held = raw_atom(stand_in(planner, Poly({tame(total): c})))
        log = raw_atom(stand_in(planner, nf.call("log", [held])))
        q = nf.add(q, nf.scale(nf.add(exponent_of(total) or ZERO, log), e))
    rest = {a: e for a, e in tame(term) if a not in own}
    return Term({**rest, Call("exp", (q,)): 1})


def _normalised(planner: Planner, term: Term) -> Poly:
    """The product with every sum of such weights by their logarithms."""
    factors = []
    for atom, e in term:
        value = raw_atom(atom)
        if isinstance(atom, Sum):
            bound, body = nf.opened(atom, atom.free)
            terms = ((_without_normalisers(planner, set(bound), t), c) for t, c in body)
            made = Poly(dict(terms))
            value = value if made is body else nf.sum_over(bound, made)
        factors.append(nf.power(value, e))
    return nf.multiply(*factors)


def _inner_sums(
    planner: Planner, bound: tuple[Index, ...], term: Term
) -> tuple[Term, tuple[Index, ...]]:
    """The product with Σ_l e^{q_l} as an array, for a letter l that is nowhere else, and the
    letters that are left: taken together, what divides would have that letter, too."""
    left = list(bound)
    for b in bound:
        q, others = exponent_of(term), tame(term)
        if q is None or b in others.free:
            continue
        own = Poly({t: c for t, c in q if b in t.free})
        total = nf.sum_over((b,), nf.call("exp", [own])).single
        if own.free >= others.free or total is None or len(total[0].powers) > 1:
            continue
        ((atom, _),) = total[0]
        only = _sum(planner, atom, False).single if isinstance(atom, Sum) else None
        if only is None:
            continue
        held = raw_atom(stand_in(planner, Poly({tame(only[0]): only[1]})))
        peak = nf.subtract(nf.add(q, exponent_of(only[0]) or ZERO), own)
        whole = nf.multiply(Poly({others: 1}), nf.call("exp", [peak]), held).single
        if whole is not None and whole[1] == 1:
            term, left = whole[0], [x for x in left if x is not b]
    return term, tuple(left)


def _weights(poly: Poly) -> Poly:
    """The sum with σ(x) as e^{−log(1 + e^{−x})} where it is beside an exponential, and everywhere
    where every term is an exponential or has one."""
    signed = [
        [(a.args[0], e) for a, e in t if isinstance(a, Call) and a.name == "sigmoid" and e > 0]
        for t, _ in poly
    ]
    alone = [exponent_of(t) is None for t, _ in poly]
    every = all(own or not single for own, single in zip(signed, alone, strict=True))
    if not any(own and (every or not single) for own, single in zip(signed, alone, strict=True)):
        return poly
    made = []
    for (term, c), own, single in zip(poly, signed, alone, strict=True):
        if single and not every:
            made.append(Poly({term: c}))
            continue
        logs = (nf.scale(LOGARITHMS["sigmoid"](x), e) for x, e in own)
        rest = Term({a: e for a, e in term if not (is_sigmoid(a) and e > 0)})
        made.append(nf.multiply(Poly({rest: c}), nf.call("exp", [nf.add(*logs)])))
    return nf.add(*made)


def _alternatives(planner: Planner, poly: Poly) -> Poly:
    """Σ_k c_k e^{q_k} = e^m Σ_k c_k e^{q_k−m}, m the largest of the q_k; σ is such a term too."""
    if _weighing(poly):
        poly = everywhere(written_out(planner, poly), _weights)
    poly = nf.add(*(nf.scale(_normalised(planner, t), c) for t, c in poly))
    scaled = _weights(_poly(planner, poly))
    exponents = tuple(dict.fromkeys(_exponent(planner, t) for t, _ in scaled))
    if len(exponents) < 2:
        return scaled
    for peak in exponents:  # a sum over all letters beside one of its terms
        rest = [t for t, _ in scaled if _exponent(planner, t) is not peak]
        if highest(planner, peak, rest):
            inner = nf.multiply(scaled, nf.call("exp", [nf.scale(peak, -1)]))
            return nf.multiply(nf.call("exp", [peak]), raw_atom(stand_in(planner, inner)))
    order = sorted({i for q in exponents for i in q.free}, key=lambda i: i.sort)
    peak = raw_atom(Ref(of_peak(planner, Peak(tuple(order), (), exponents)), order))
    inner = nf.multiply(scaled, nf.call("exp", [nf.scale(peak, -1)]))
    return nf.multiply(nf.call("exp", [peak]), raw_atom(stand_in(planner, inner)))


def _exponent(planner: Planner, term: Term) -> Poly:
    """q in w e^q; −∞ where a weight w beside it is 0."""
    q, masks = exponent_of(term) or ZERO, tuple(a for a, _ in term if is_mask(a))
    if not masks or not q.terms:
        return q
    order = sorted({i for x in (q, *masks) for i in x.free}, key=lambda i: i.sort)
    return raw_atom(Ref(of_peak(planner, Peak(tuple(order), (), (q,), masks)), order))
