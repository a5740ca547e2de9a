"""Sums of exponentials with their largest term taken out: Σ e^q = e^m Σ e^{q−m}, m = max q.

The law is applied to expressions, before anything is an array: e^{p} (Σ e^q)^{-1} becomes
e^{p−m} (Σ e^{q−m})^{-1}, log Σ e^q becomes m + log Σ e^{q−m}, and the peaks m of a numerator and
a denominator cancel as ordinary exponents.  Softmax, logsumexp, log-softmax and Gibbs averages
are cases of it.  With two alternatives, 1 + e^x, the same is softplus and sigmoid.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import inf, prod
from typing import TYPE_CHECKING, Any

from .. import normalize as nf
from ..ir import (
    ONE,
    ONE_TERM,
    ZERO,
    Atom,
    Call,
    Index,
    Poly,
    Ref,
    Sum,
    Tensor,
    Term,
    functions,
    number,
    parts,
    raw_atom,
    refs,
)
from .anchor import anchored, below_peaks
from .beside import bounded, summed_together, together
from .centre import centred
from .complements import complements
from .conditions import is_mask
from .contract import stand_in
from .entry import STAND_IN, Entry, canonical, numbered, numeric
from .fading import cancelled, is_logistic, written_out
from .logistic import (
    everywhere,
    exponent_of,
    logistic,
    logit,
    quotients,
    softplus,
    tame,
)
from .weights import held_back

if TYPE_CHECKING:
    from .plan import Planner


MOST = 32  # terms of an expression in which definitions are opened
LOGARITHMS: dict[str, Callable[[Poly], Poly]] = {  # of positive functions
    "exp": lambda x: x,
    "sigmoid": lambda x: nf.scale(softplus(nf.scale(x, -1)), -1),
    "cosh": lambda x: nf.add(
        softplus(nf.scale(x, 2)), nf.scale(x, -1), nf.scale(nf.call("log", [number(2)]), -1)
    ),
}


@dataclass(frozen=True)
class Peak:
    """max over `bound` of one exponent, where all masks hold, or the maximum of several."""

    indices: tuple[Index, ...]
    bound: tuple[Index, ...]
    exponents: tuple[Poly, ...]
    masks: tuple[Atom, ...] = ()


def steady(planner: Planner, normal: Poly) -> Poly | None:
    """A normal expression with no exponential that overflows by itself; None if it is one."""
    split = complements(planner, normal)

    def log(argument: Poly) -> Poly:
        return nf.call("log", [_alternatives(planner, written_out(planner, argument))])

    released = cancelled(planner, summed_together(planner, together(planner, split, log), log))
    opened = _released(planner, released)
    if opened is not released:
        opened = cancelled(planner, opened)
    joined = everywhere(opened, quotients) if "sinh" in functions(opened) else opened
    if not critical(joined):
        if joined is not opened:
            return joined
        if opened is not released and not any(_unbalanced(t) for t, _ in opened):
            return opened  # what would have overflowed has cancelled
        return None if released is normal else released
    opened = together(planner, joined, log)
    result = _whole(planner, centred(planner, opened) or opened)
    result = everywhere(result, bounded)
    result = _relative(planner, anchored(planner, result) or result)
    return None if result is normal else result


def _relative(planner: Planner, poly: Poly) -> Poly:
    """The expression with q − max q, then q − max q − log Σ e^{q − max q}, in place of q where the
    other parts cancel then: multiplied by what is beside it, each part would lose its digits."""
    for ref in [r for r in refs(poly) if r.tensor in planner.peaks]:
        peak = planner.peaks[ref.tensor]
        only = peak.exponents[0].single if len(peak.exponents) == 1 else None
        q = next(iter(only[0]))[0] if only is not None else None
        if not isinstance(q, Ref) or not {*peak.indices} <= {*q.slots}:
            continue
        if peak.exponents[0] is not raw_atom(q) or not _plain(q) or not _plain(ref):
            continue
        poly, held = _in_place_of(planner, poly, q, raw_atom(Ref(ref.tensor, peak.indices)))
        if held is None:
            continue
        own = dict(zip(_letters(ref), peak.indices, strict=True))
        for log in {a: None for t, _ in poly for a, _ in t if _is_log(a)}:
            if log.free <= own.keys():
                poly, _ = _in_place_of(planner, poly, held, nf.substitute(raw_atom(log), own))
    return poly


def _in_place_of(planner: Planner, poly: Poly, q: Ref, part: Poly) -> tuple[Poly, Ref | None]:
    """The expression with an array for q − part, and that, where it has fewer terms."""
    held = stand_in(planner, nf.subtract(raw_atom(q), part))
    whole = nf.add(raw_atom(held), part)

    def rule(atom: Any) -> Poly | None:
        if not isinstance(atom, Ref) or atom.tensor is not q.tensor:
            return None
        return nf.substitute(whole, dict(zip(_letters(q), atom.slots, strict=True)))

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


# ------------------------------------------------------------------------- where there is a danger


def _grows(atom: Atom) -> bool:
    """A sum with exponentials in it, or of weights σ alone."""
    match atom:
        case Sum():
            return any(exponent_of(t) is not None for t, _ in atom.body) or _of_sigmoids(atom)
        case Poly():
            return any(
                exponent_of(t) is not None or any(_grows(a) for a, _ in t) for t, _ in atom
            ) or (len(atom) > 1 and all(any(_is_sigmoid(a) for a, _ in t) for t, _ in atom))
    return False


def critical(node: Any) -> bool:
    """An exponential sum stands under a fraction bar, a root or a logarithm."""
    match node:
        case Poly():
            return any(critical(t) for t, _ in node)
        case Term():
            return any(
                (_grows(a) and (e < 0 or not isinstance(e, int)))
                or (_is_sigmoid(a) and not isinstance(e, int))
                or critical(a)
                for a, e in node
            )
        case Sum():
            return critical(node.body)
        case Call(name="log"):
            factors = [a for t, _ in node.args[0] for a, _ in t]
            return _grows(node.args[0]) or any(_grows(a) or _of_signed(a) for a in factors)
        case Call():
            return any(critical(a) for a in node.args)
    return False


def _is_sigmoid(atom: Any) -> bool:
    return isinstance(atom, Call) and atom.name == "sigmoid"


def _signed(atom: Any) -> bool:
    """A positive function whose logarithm is known where it is rounded to 0 or overflows."""
    return isinstance(atom, Call) and atom.name in LOGARITHMS


def _of_signed(atom: Any) -> bool:
    """Such a function, or a sum with some, as 1 − σ(x) and 1 + tanh(x) are."""
    inside = (a for t, _ in atom for a, _ in t) if isinstance(atom, Poly) else (atom,)
    return any(_signed(a) or (isinstance(a, Call) and a.name == "tanh") for a in inside)


def _wild(planner: Planner, tensor: Tensor) -> Entry | None:
    """A definition whose value is an exponential that nothing divides, or the inverse of one, with
    those in it opened; None for any other, and where opening it would multiply out too much."""
    entry = planner.entries.get(tensor)
    if entry is None or tensor in planner.standing:
        return None
    if tensor not in planner.wild:
        planner.wild[tensor] = None  # definitions have no cycles; this only ends the search
        value = _opened(planner, nf.normalize(entry.poly))
        if len(value) <= MOST and any(_unbalanced(t) for t, _ in value):
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


def _unbalanced(term: Term) -> bool:
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
            return _normalised(planner, atom.args[0])
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
        if is_logistic(planner, atom.tensor):
            return written_out(planner, body)
        if not all(map(weighed, (t for t, _ in body))):
            return None
        return nf.rewrite(body, under_log)

    def weighed(term: Term) -> bool:
        return any(
            _grows(a)
            or _signed(a)
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
        left = critical(opened) or not any(_unbalanced(t) for t, _ in opened)
        args.append(opened if left else arg)
    return raw_atom(node) if tuple(args) == node.args else nf.call(node.name, args)


def _released(planner: Planner, poly: Poly) -> Poly:
    """The expression opened, but for terms in which nothing can cancel."""
    alone = {t: c for t, c in poly if _alone(planner, t) == 1}
    others = Poly({t: c for t, c in poly if t not in alone})
    return nf.add(Poly(alone), _opened(planner, others)) if alone else _opened(planner, poly)


def _alone(planner: Planner, term: Term) -> float:
    """How many wild definitions a product has, where there is nothing else that they could cancel
    with; one stays what it is."""
    found = 0.0
    for atom, e in numeric(term)[1]:
        inside = 0.0
        match atom:
            case Ref():
                inside = _wild(planner, atom.tensor) is not None
            case Sum():
                inside = max(_alone(planner, t) for t, _ in atom.body)
            case Call() | Poly():
                return inf
        found += e * inside if e > 0 and isinstance(e, int) else inf
    return found


def _above_zero(argument: Poly) -> bool:
    """c + x with a number c > 0, where nothing is subtracted: its logarithm is no danger."""
    return ONE_TERM in argument.terms and all(c > 0 for _, c in argument) and not _grows(argument)


def _normalised(planner: Planner, q: Poly) -> Poly | None:
    """e^{p−L+r} with L = log Σ e^p as e^{p+r} / Σ e^p; None for any other exponent."""
    for ref in refs(q):
        entry = planner.entries.get(ref.tensor)
        if entry is None or q.terms.get(Term({ref: 1})) != -1:
            continue
        value = entry.at(ref.slots)
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
        if q is None or not p.free <= q.free:
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


# --------------------------------------------------------------------------------- taking peaks out


def _whole(planner: Planner, poly: Poly) -> Poly:
    """A sum that nothing divides by: products stay where a single exponential is in no danger."""
    made = []
    for term, c in poly:
        grown = sum(_grows(a) or (isinstance(a, Call) and a.name == "exp") for a, _ in term)
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
    term, factors = logistic(_steady_exponent(planner, term), grows=_grows)
    for atom, e in term:
        match atom:
            case Sum():
                factors.append(nf.power(_sum(planner, atom, log or e < 0), e))
            case Poly() if _grows(atom):
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
    whole = everywhere(written_out(planner, Poly({term: 1})), _weights).single
    return term if whole is None or whole[1] != 1 else whole[0]


def _weighing(atom: Any) -> bool:
    """A sum of weights σ, also as they are written."""
    if isinstance(atom, Poly):
        return any(_weighing(a) for t, _ in atom for a, _ in t)
    return isinstance(atom, Sum) and (
        _of_sigmoids(atom) or any(logit(a) and e < 0 for t, _ in atom.body for a, e in t)
    )


def _of_sigmoids(atom: Sum) -> bool:
    """A sum over products with σ."""
    return any(_is_sigmoid(a) and e > 0 for t, _ in atom.body for a, e in t)


def _steady_exponent(planner: Planner, term: Term) -> Term:
    """The product with a steady exponent."""
    q = exponent_of(term)
    if q is None or not critical(q):
        return term
    return Term({**tame(term).powers, Call("exp", (_poly(planner, q),)): 1})


def _log(planner: Planner, argument: Poly) -> Poly:
    argument = written_out(planner, argument)
    only = argument.single
    if only is not None and any(_signed(a) for a, _ in only[0]):
        # log(a f) = log a + log f for a > 0, wherever the left side is a number
        logs = [
            nf.scale(LOGARITHMS[a.name](a.args[0]), e)
            for a, e in only[0]
            if isinstance(a, Call) and a.name in LOGARITHMS
        ]
        left = Term({a: e for a, e in only[0] if not _signed(a)})
        rest = _log(planner, Poly({left: only[1]}))
        return nf.add(*(_poly(planner, log) for log in logs), rest)
    x = logit(argument)
    if x is not None:
        return raw_atom(Call("softplus", (_whole(planner, x),)))
    if len(argument) > 1 and _grows(argument):
        return nf.call("log", [_alternatives(planner, argument)])
    return nf.call("log", [_poly(planner, argument, log=True)])


def _sum(planner: Planner, node: Sum, guard: bool) -> Poly:
    """Σ f e^q = e^m Σ f e^{q−m}."""
    bound, body = nf.opened(node, node.free)
    ((term, c),) = body
    term = _steady_exponent(planner, term)
    if critical(term):  # softmax inside: its own peaks are the right ones
        term, bound = _inner_sums(planner, bound, term)
        return nf.sum_over(bound, nf.scale(_term(planner, term), c))
    q = exponent_of(term)
    if q is None:
        return raw_atom(node)
    masks = [a for a, _ in term if is_mask(a) and a.free & set(bound)]
    hold, factors = held_back(planner.entries, tame(term), masks)
    taken = _peaks(planner, set(bound), q, hold)
    if taken is None:
        return raw_atom(node)
    scaled, peak = taken
    inside = nf.multiply(*scaled, Poly({factors: 1}))
    total = nf.scale(nf.sum_over(bound, inside), c)
    alone = all(held is raw_atom(m) for m, held in hold.items())  # a sum of weights may be negative
    if masks and not factors.powers and guard and alone:
        total = raw_atom(stand_in(planner, total, guard=True))
    return nf.multiply(nf.call("exp", [peak]), total)


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


def _peaks(
    planner: Planner, bound: set[Index], q: Poly, held: dict[Atom, Poly]
) -> tuple[list[Poly], Poly] | None:
    """Factors e^{p−max p} of e^q, and the exponent that is left; None where the sum falls apart.

    Where an index is in a part of the exponent with fewer letters, that part goes first: in
    Σ_ja e^{x_ia+y_ja} it is y_ja − max_j y_ja, then x_ia + max_j y_ja − max_a (…).  So the
    exponential of a sum stays a product of smaller arrays.  `held` are masks, with their weights.
    """
    scaled: list[Poly] = []
    masks = list(held)
    while bound := {b for b in bound if any(b in x.free for x in (q, *masks))}:
        parts: list[Poly | Atom] = [*(Poly({t: c}) for t, c in q), *masks]
        reach = {b: {i for x in parts if b in x.free for i in x.free} for b in bound}
        first = min(bound, key=lambda b: (len(reach[b]), b.sort))
        group = {b for b in bound if reach[b] <= reach[first]}
        own = nf.add(*(x for x in parts if isinstance(x, Poly) and x.free & group))
        hold = [m for m in masks if m.free & group]
        peak = _peak(planner, tuple(sorted(group, key=lambda b: b.sort)), own, hold)
        if peak is None:
            return None
        exponential = nf.call("exp", [nf.subtract(own, peak)])
        factor = nf.multiply(exponential, *(held[m] for m in hold))
        scaled.append(raw_atom(stand_in(planner, factor)))
        q = nf.add(nf.subtract(q, own), peak)
        masks = [m for m in masks if m not in hold]
    return scaled, q


def _peak(planner: Planner, bound: tuple[Index, ...], q: Poly, masks: list[Atom]) -> Poly | None:
    """max_bound q as a component of a tensor of its own; None where the sum falls apart."""
    core = nf.sum_over(bound, nf.multiply(nf.call("exp", [q]), *map(raw_atom, masks)))
    key, order = canonical(core)
    only = key.single
    if only is None or only[1] != 1 or len(only[0].powers) != 1:
        return None
    ((atom, e),) = only[0]
    if e != 1 or not isinstance(atom, Sum):
        return None
    inner, body = nf.opened(atom, atom.free)
    ((term, _),) = body
    exponent = exponent_of(term)
    if exponent is None:
        return None
    indices = tuple(numbered(k, i.size) for k, i in enumerate(order))
    hold = tuple(a for a, _ in term if is_mask(a))
    peak = Peak(indices, inner, (exponent,), hold)
    return raw_atom(Ref(_peak_tensor(planner, peak), order))


def _peak_tensor(planner: Planner, peak: Peak) -> Tensor:
    for tensor, known in planner.peaks.items():
        if known == peak:
            return tensor
    inside = dict.fromkeys(r.tensor for p in peak.exponents for r in refs(p))
    stem = "_".join([t.name for t in inside if t.role != STAND_IN][:2]) or "exponent"
    name = f"{stem}_max"
    taken = {t.name for t in planner.peaks}
    name = next(n for k in range(len(taken) + 1) if (n := name + f"_{k}" * (k > 0)) not in taken)
    tensor = Tensor(name, tuple(i.size for i in peak.indices), role=STAND_IN)
    planner.peaks[tensor] = peak
    return tensor


def _highest(planner: Planner, peak: Poly, terms: Sequence[Term]) -> bool:
    """The exponents of these terms are among those that the peak is the largest of, or sums of such
    with others."""
    for term in terms:
        q = exponent_of(term) or ZERO
        held, left = below_peaks(planner, nf.subtract(q, peak))
        tops = [r for r in refs(peak) if r.tensor in planner.peaks]
        if not held or left.terms or not all(_seen(planner, r, q, term) for r in tops):
            return False
    return True


def _seen(planner: Planner, ref: Ref, q: Poly, term: Term) -> bool:
    """The masks of a peak leave the place of an exponent: max_{j<i} x_j may be far below x_i."""
    peak = planner.peaks[ref.tensor]
    letters = [[i for i in q.free if i.size == b.size] for b in peak.bound]
    for at in product(*letters) if peak.masks else ():
        place = dict(zip((*peak.indices, *peak.bound), (*ref.slots, *at), strict=True))
        if all(t in q.terms for p in peak.exponents for t, _ in nf.substitute(p, place)):
            masks = (nf.substitute(m, place) for m in peak.masks)
            if all(
                m is ONE or (m.single and set(m.single[0].powers) <= set(term.powers))
                for m in masks
            ):
                return True
    return not peak.masks


def _weights(poly: Poly) -> Poly:
    """The sum with σ(x) as e^{−log(1 + e^{−x})}, where every term is an exponential or has one."""
    signed = [
        [(a.args[0], e) for a, e in t if isinstance(a, Call) and a.name == "sigmoid" and e > 0]
        for t, _ in poly
    ]
    if not any(signed) or any(
        exponent_of(t) is None and not own for (t, _), own in zip(poly, signed, strict=True)
    ):
        return poly
    made = []
    for (term, c), own in zip(poly, signed, strict=True):
        logs = (nf.scale(LOGARITHMS["sigmoid"](x), e) for x, e in own)
        rest = Term({a: e for a, e in term if not (_is_sigmoid(a) and e > 0)})
        made.append(nf.multiply(Poly({rest: c}), nf.call("exp", [nf.add(*logs)])))
    return nf.add(*made)


def _alternatives(planner: Planner, poly: Poly) -> Poly:
    """Σ_k c_k e^{q_k} = e^m Σ_k c_k e^{q_k−m}, m the largest of the q_k; σ is such a term too."""
    if _weighing(poly):
        poly = everywhere(written_out(planner, poly), _weights)
    scaled = _weights(_poly(planner, poly))
    exponents = tuple(dict.fromkeys(exponent_of(t) or ZERO for t, _ in scaled))
    if len(exponents) < 2:
        return scaled
    for peak in exponents:  # a sum over all letters beside one of its terms
        rest = [t for t, _ in scaled if (exponent_of(t) or ZERO) is not peak]
        if _highest(planner, peak, rest):
            inner = nf.multiply(scaled, nf.call("exp", [nf.scale(peak, -1)]))
            return nf.multiply(nf.call("exp", [peak]), raw_atom(stand_in(planner, inner)))
    order = sorted(scaled.free, key=lambda i: i.sort)
    peak = raw_atom(Ref(_peak_tensor(planner, Peak(tuple(order), (), exponents)), order))
    inner = nf.multiply(scaled, nf.call("exp", [nf.scale(peak, -1)]))
    return nf.multiply(nf.call("exp", [peak]), raw_atom(stand_in(planner, inner)))
