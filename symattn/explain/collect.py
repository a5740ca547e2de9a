"""The shortest way to write an expression with brackets: common factors, joined sums, squares.

`collected` takes a normal form, in which everything is multiplied out, and gives an equal raw
expression: a factor that several terms share comes out of them, also out of sums,

    Σ_ia X_ik X_ia w_a − Σ_i X_ik y_i  =  Σ_i X_ik (Σ_a X_ia w_a − y_i),

and a polynomial in few factors is written as a product where that is shorter,
x² − 2xμ + μ² = (x − μ)².  At each step the factor that saves most goes first; what a form costs
is counted by `cost`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any

from .. import normalize as nf
from ..folding import unify
from ..ir import (
    ONE_TERM,
    ZERO,
    Argmax,
    Atom,
    Call,
    Delta,
    Index,
    Max,
    Poly,
    Rational,
    Ref,
    Sum,
    Term,
    rational,
    raw_add,
    raw_atom,
    raw_product,
    raw_sum,
)
from .arrange import factored, taken_out
from .cases import inside, split, written
from .cost import cost, is_size, powers_of
from .groups import groups
from .ones import of_ones
from .pairs import in_pairs, with_pairs
from .polynomials import is_polynomial
from .products import conjugates, product
from .views import Group, common_powers, fresh, opened, quotient

TERMS = 40  # sums of more terms than this are only searched for what all terms share
BAR = 3  # terms that are written as one fraction
LITTLE = 3  # what a bracket has to save that holds neither two terms nor all
NEAR = 3  # ways to take a factor out that are looked at closely


@lru_cache(maxsize=4096)
def collected(poly: Poly) -> Poly:
    """The shortest form found of a normal expression, as a raw one."""
    once, pair = in_pairs(poly)
    if pair is not None:
        return with_pairs(collected(once), [pair])
    found = _collect(poly)
    plain = _within(poly)
    others = (factored(plain), plain, *_by_cases(poly), *_flipped(poly))
    others = (*_identities(poly), found, *others, *_over_one_bar(poly), *_beside_delta(poly))
    polynomial = is_polynomial(poly)
    best = min((plain, *others) if polynomial else others, key=cost)
    whole = (*_in_front(poly), *([found] if _of_brackets(found) or _neighbours(found) else ()))
    best = next((raw for raw in whole if cost(raw) <= cost(best) + 1), best)
    best = next((raw for raw in _complements(poly) if cost(raw) <= cost(best)), best)
    best = next((raw for raw in of_ones(poly, collected) if cost(raw) <= cost(best) + 2), best)
    if len(best) > 1:
        best = next((raw for raw in _bars_inside(poly) if cost(raw) < cost(best)), best)
    if polynomial and len(poly) > 2 and cost(plain) <= cost(best) + len(poly):
        best = plain
    return Poly({conjugates(t): c for t, c in one_bar(best)})


def one_bar(raw: Poly) -> Poly:
    """a (1/v + 1/w)/(v w) as a (v + w)/(v² w²): no reciprocals in a bracket before a bar."""
    return raw_add(Poly({_barred(t): c}) for t, c in raw)


def _barred(term: Term) -> Term:
    powers: dict[Atom, Rational] = {}
    for atom, e in term:
        if isinstance(atom, Sum):
            atom = Sum(atom.bound, one_bar(atom.body))
        powers[atom] = rational(powers.get(atom, 0) + e)
    for bracket, e in term:
        over = [t for t in bracket.terms if _reciprocal(t)] if isinstance(bracket, Poly) else []
        if e != 1 or not any(powers.get(a, 0) < 0 for t in over for a, _ in t):
            continue
        for whole in _over_one_bar(nf.normalize(bracket), True):
            rest = Term({a: k for a, k in powers.items() if a is not bracket})
            other = raw_product([Poly({rest: 1}), whole]).single
            if other is not None and other[1] == 1:
                return other[0]
    return Term(powers)


def _reciprocal(term: Term) -> bool:
    """1/(v w)."""
    return bool(term.powers) and all(k < 0 for _, k in term)


def _of_brackets(raw: Poly) -> bool:
    """T (log x − log y) + c (1 − 2 x), where no term stands by itself."""
    return len(raw) > 1 and all(any(isinstance(a, Poly) and e == 1 for a, e in t) for t, _ in raw)


def _neighbours(raw: Poly) -> bool:
    """J (S_{i−1} + S_{i+1}) + h: a sum of two components of one name is a factor."""
    brackets = (a for t, _ in raw for a, e in t if isinstance(a, Poly) and e == 1 and len(a) == 2)
    for bracket in brackets:
        names = [next(iter(t)) for t, c in bracket if len(t.powers) == c == 1]
        refs = [a for a, e in names if isinstance(a, Ref) and a.slots and e == 1]
        if len(refs) == 2 and refs[0].tensor is refs[1].tensor:
            return True
    return False


def _in_front(poly: Poly) -> Iterator[Poly]:
    """s + s x (1 − s) as s (1 + x (1 − s)), first what all terms share; 2 u − 2 as 2 (u − 1).

    And a y e^{−h} − a as a (y e^{−h} − 1), a product with a function.
    """
    if len(poly) > 1:
        common = Term(common_powers([t.powers for t, _ in poly]))
        rest = Poly({Term(quotient(t.powers, common.powers)): c for t, c in poly})
        content = taken_out([c for _, c in rest], common)
        inside = _collect(nf.scale(rest, rational(1 / Fraction(content))))
        unit = inside.terms.get(ONE_TERM, 0)
        if common.powers:
            taken = len(poly) > 2 or unit == 1 or (unit == -1 and _of_function(inside))
        else:
            taken = content != 1 and len(poly) == 2 and unit in (1, -1)
        if taken and inside.single is None:
            yield raw_product([Poly({common: content}), raw_atom(inside)])


def _of_function(raw: Poly) -> bool:
    """y e^{−h} − 1, and not e^h − 1."""
    terms = [t for t, _ in raw if t.powers]
    return (
        len(terms) == 1
        and len(terms[0].powers) > 1
        and any(isinstance(a, Call) for a, _ in terms[0])
    )


def _bars_inside(poly: Poly) -> Iterator[Poly]:
    """h² v²/(2 s²) − h²/(2 s) as ½ h² (v²/s² − 1/s): a product in front of bars that differ."""
    if len(poly) != 2:
        return
    common = common_powers([t.powers for t, _ in poly])
    above = Term({a: e for a, e in common.items() if e > 0})
    if sum(e for _, e in above) < 2 or all(e > 0 for e in common.values()):
        return
    content = taken_out([c for _, c in poly], above)
    rest = Poly({Term(quotient(t.powers, above.powers)): c for t, c in poly})
    inside = nf.scale(rest, rational(1 / Fraction(content)))
    yield raw_product([Poly({above: content}), raw_atom(inside)])


def _beside_delta(poly: Poly) -> Iterator[Poly]:
    """δ_ij K_i − θ_i K_j as K_j (δ_ij − θ_i): beside δ_ij the letters i and j are one."""
    pairs = {a for t, _ in poly for a, e in t if isinstance(a, Delta) and e == 1}
    if len(poly) < 2 or len(pairs) != 1:
        return
    (delta,) = pairs
    if not isinstance(delta.a, Index) or not isinstance(delta.b, Index):
        return
    for there in ({delta.a: delta.b}, {delta.b: delta.a}):
        terms = []
        for term, c in poly:
            rest = Poly({Term({a: e for a, e in term if a is not delta}): c})
            if delta in term.powers:
                rest = raw_product([raw_atom(delta), nf.substitute(rest, there)])
            terms.append(rest)
        yield factored(raw_add(terms))


def _over_one_bar(poly: Poly, inside: bool = False) -> Iterator[Poly]:
    """r/(m + r) − r y/(m (m + r)) as r (m − y)/(m (m + r)): one fraction of few terms.

    `inside` says that it is a factor before another bar.
    """
    if not 2 <= len(poly) <= BAR:
        return
    below: dict[Atom, Rational] = {}
    for term, _ in poly:
        for atom, e in term:
            if e < 0:
                below[atom] = min(e, below.get(atom, 0))
    brackets = [a for a in below if isinstance(a, Poly)]
    one = len(below) == 1 and all(isinstance(a, Ref) and not a.slots for a in below)  # 1/U²
    if (
        not (inside or brackets or (one and len(poly) == BAR))
        or any(map(is_size, below))  # a mean stays one
        or any(len(a) > 2 for a in brackets)
        or all(t.powers.get(a) == e for t, _ in poly for a, e in below.items())
    ):
        return
    over = {a: -e for a, e in below.items()}
    rest = _collect(nf.times(poly, over))
    if len(rest) > len(poly) and len(below) > 1:
        return  # 1/p + λ f/(p (1 − p)), and not (1 − p + λ f)/(p (1 − p))
    whole = rest if rest.single else raw_atom(rest)
    yield raw_product([whole, Poly({Term(below): 1})])


def _complements(poly: Poly) -> Iterator[Poly]:
    """s − s/n Σ_i h_i² as s/n Σ_i (1 − h_i²), where i has n values."""
    if len(poly) != 2:
        return
    for (own, c), (term, d) in (tuple(poly), tuple(poly)[::-1]):
        for total, e in term:
            if not isinstance(total, Sum) or e != 1 or c != -d or len(total.bound) != 1:
                continue
            (letter,) = total.bound
            sizes = [a for a, k in term if k == -1 and is_size(a)]
            sizes = [a for a in sizes if a.tensor.symbol == letter.size]
            rest = {a: k for a, k in term if a is not total and a not in sizes}
            if len(sizes) != 1 or Term(rest) is not own or total.body.single is None:
                continue
            if total.body.single[1] != 1:
                continue
            bound, body = opened(total, poly.free)
            inside = collected(nf.subtract(nf.ONE, body))
            front = Poly({Term({**rest, sizes[0]: -1}): c})
            yield raw_product([front, raw_sum(bound, raw_atom(inside))])


def _by_cases(poly: Poly) -> Iterator[Poly]:
    """The expression as cases, what these share in front; and u − max(0, u) as min(0, u)."""
    common = Term(common_powers([t.powers for t, _ in poly])) if poly.terms else ONE_TERM
    found = split(Poly({Term(quotient(t.powers, common.powers)): c for t, c in poly}))
    if found is not None:
        above, below, step = found
        cases = written(collected(above), collected(below), step)
        front = [Poly({common: 1})] if common.powers else []
        yield raw_product([*front, raw_atom(cases)]) if front else cases
    for atom in dict.fromkeys(a for t, _ in poly for a, _ in t if isinstance(a, Max)):
        if len(atom.args) == 2 and not atom.bound and ZERO in atom.args:
            yield from _smallest(poly, atom)


def _flipped(poly: Poly) -> Iterator[Poly]:
    """(1 − y) [u < 0] − y of 1 − 2 y − (1 − y) [u ≥ 0], also under sums: [u ≥ 0] = 1 − [u < 0]."""
    if not any(isinstance(n, Call) and n.name == "step" for n in inside(poly)):
        return

    def back(node: Any) -> Poly | None:
        if not isinstance(node, Call) or node.name != "step":
            return None
        return nf.subtract(nf.ONE, nf.call("step", [nf.scale(node.args[0], -1)]))

    flipped = nf.rewrite(poly, back)
    if len(flipped) <= len(poly):
        yield _put_back(_collect(flipped), back)


def _put_back(poly: Poly, back: Callable[[Any], Poly | None]) -> Poly:
    """The raw expression with the values of atoms in place of them."""

    def value(atom: Atom) -> Any:
        match atom:
            case Sum():
                return Sum(atom.bound, _put_back(atom.body, back))
            case Poly():
                return _put_back(atom, back)
        return back(atom) or atom

    return raw_add(
        raw_product([Poly({ONE_TERM: c}), *(raw_atom(value(a), e) for a, e in term)])
        for term, c in poly
    )


def _smallest(poly: Poly, atom: Max) -> Iterator[Poly]:
    """c (u − max(0, u)) as c min(0, u), which is −c max(0, −u)."""
    (u,) = (a for a in atom.args if a is not ZERO)
    c = Poly({Term({a: e for a, e in t if a is not atom}): d for t, d in poly if atom in t.powers})
    rest = nf.add(Poly({t: d for t, d in poly if atom not in t.powers}), nf.multiply(c, u))
    if any(t.powers.get(atom, 0) not in (0, 1) for t, _ in poly) or len(rest) + len(c) >= len(poly):
        return
    smallest = raw_atom(Max((), [ZERO, nf.scale(u, -1)]))
    c = collected(c)
    term = raw_product([c if c.single else raw_atom(c), smallest])
    yield raw_add([collected(rest), term]) if rest.terms else term


@lru_cache(maxsize=4096)
def _collect(poly: Poly) -> Poly:
    if len(poly) < 2:
        return _within(poly)
    if len(poly) > TERMS:
        return factored(_within(poly))
    whole = product(poly, _collect)
    if whole is not None:
        return whole
    near = sorted(groups(poly, _collect), key=lambda g: -g.saving)[:NEAR]
    found = [g.finished(poly, _collect) for g in near]
    wholes = (_beside(g, poly) for g in found if g.saving >= (LITTLE if _loose(g, poly) else 0))
    best = min(wholes, key=_rank, default=None)
    return best if best is not None else factored(_within(poly))


def _rank(raw: Poly) -> tuple[int, bool, int, int]:
    """What a form costs, and what it has that is read as one thing, of two that cost the same."""
    whole = _of_brackets(raw)
    return cost(raw) - whole, not whole, -_alike(raw), _letters(raw)


def _letters(raw: Poly) -> int:
    """How many letters its brackets have: Σ_k W_ka (u_k + v_k), and not Σ_k u_k (W_ka + U_ka)."""
    return sum(len(n.free) for n in inside(raw) if isinstance(n, Poly) and len(n) > 1)


def _alike(raw: Poly) -> int:
    """How many brackets are differences of things of one kind: u (q_a − p_a), g (d_s³ − d_t³)."""
    brackets = [a for t, _ in raw for a, e in t if isinstance(a, Poly) and e == 1 and len(a) == 2]
    return sum(_of_one_kind(bracket) for bracket in brackets)


def _of_one_kind(bracket: Poly) -> bool:
    """Two names at the same letters, or one power of one name at two places, with other signs.

    And two logarithms.
    """
    only = [next(iter(t)) if len(t.powers) == 1 else (None, 0) for t, _ in bracket]
    if sum(c for _, c in bracket) == 0 and all(
        isinstance(a, Call) and (a.name, e) == ("log", 1) for a, e in only
    ):
        return True
    named = [(a, e) for a, e in only if isinstance(a, Ref) and a.slots]
    if len(named) != 2 or sum(c for _, c in bracket) != 0:
        return False
    (a, e), (b, f) = named
    return e == f if a.tensor is b.tensor else a.slots == b.slots and e == f == 1


def _beside(group: Group, poly: Poly) -> Poly:
    """A group and what is left, collected too."""
    rest = Poly({t: c for t, c in poly if t not in group.terms})
    return raw_add([group.raw, _collect(rest)]) if rest.terms else group.raw


def _loose(group: Group, poly: Poly) -> bool:
    """x (2 + m² + g x²) beside other terms, but for a number: a bracket of three that is no whole.

    1 − α (p − c − R) is one with all that is no number, and so is k (2 x − a − b) − 1/t.
    """
    some = 2 < len(group.terms) < len(poly) - (ONE_TERM in poly.terms)
    rest = [t for t in poly.terms if t not in group.terms]
    apart = len(rest) == 1 and _linear(group.bracket) and all(e < 0 for _, e in rest[0])
    return some and not (apart or _second_difference(group.bracket))


def _linear(poly: Poly) -> bool:
    """2 x − a − b, of names alone."""
    return all(len(t.powers) == 1 and all(e == 1 for _, e in t) for t in poly.terms)


def _second_difference(poly: Poly) -> bool:
    """2 x_t − x_{t−1} − x_{t+1}, and what else of one name is 0 where all of it is equal."""
    only = [a for t, _ in poly for a, e in t if isinstance(a, Ref) and e == 1]
    if len(only) != len(poly) or any(len(t.powers) != 1 for t, _ in poly):
        return False
    return len({a.tensor for a in only}) == 1 and sum(c for _, c in poly) == 0


def _within(poly: Poly) -> Poly:
    """The expression with the parts of every factor collected, the factors as they stand."""
    return raw_add(
        raw_product([Poly({ONE_TERM: c}), *(_factor(a, e, poly.free) for a, e in term)])
        for term, c in poly
    )


def _factor(atom: Atom, e: Rational, around: frozenset[Index]) -> Poly:
    match atom:
        case Poly():
            inner = collected(atom)
            only = inner.single
            if only and e.denominator == 1 and only[1] == 1:
                return Poly({Term({a: rational(k * e) for a, k in only[0]}): 1})
            return raw_atom(inner, e)
        case Sum():
            bound, body = opened(atom, around)
            inner = collected(body)
            return raw_sum(bound, inner) if e == 1 else raw_atom(Sum(bound, inner), e)
        case Call(name="exp") if powers_of(atom.args[0]) is not None:
            return raw_atom(atom, e)  # x^a y^b
        case Call():
            return raw_atom(Call(atom.name, [collected(a) for a in atom.args]), e)
        case Max():
            letters = dict(zip(atom.bound, fresh(atom.bound), strict=True))
            args = [collected(nf.substitute(a, letters)) for a in atom.args]
            return raw_atom(Max(letters.values(), args), e)
        case Argmax():
            letters = dict(zip(atom.bound, fresh(atom.bound), strict=True))
            body = collected(nf.substitute(atom.body, letters))
            return raw_atom(Argmax(atom.at, letters.values(), body), e)
    return raw_atom(atom, e)


def _identities(poly: Poly) -> Iterator[Poly]:
    """Σ_j P_ij V_ja − V_ia as Σ_j (P_ij − δ_ij) V_ja, behind factors that both terms have."""
    if len(poly) != 2:
        return
    common = Term(common_powers([t.powers for t, _ in poly]))
    if not common.powers or any(a.free for a, _ in common):
        return
    pairs = [(Term(quotient(t.powers, common.powers)), c) for t, c in poly]
    for (term, c), (other, d) in (pairs, pairs[::-1]):
        if abs(Fraction(c)) != abs(Fraction(d)) or len(term.powers) != 1 or len(other.powers) != 1:
            continue
        ((total, e),), ((own, f),) = term, other
        if not isinstance(total, Sum) or not isinstance(own, Ref) or (e, f) != (1, 1):
            continue
        bound, body = opened(total, poly.free)
        if len(bound) != 1 or body.single is None or body.single[1] != 1:
            continue
        factors = list(body.single[0])
        for factor, k in factors:
            found = next(iter(unify(factor, own, bound, {})), None)
            at = found and found.get(bound[0])
            if k != 1 or len(factors) != 2 or not isinstance(at, Index) or at.size != bound[0].size:
                continue
            ((rest, m),) = [pair for pair in factors if pair[0] is not factor]
            if m != 1 or not isinstance(rest, Ref):
                continue
            delta = Term({Delta(at, bound[0]): 1})
            bracket = Poly({Term({rest: 1}): 1, delta: rational(Fraction(d) / Fraction(c))})
            inside = raw_product([raw_atom(bracket), raw_atom(factor)])
            yield raw_product([Poly({common: c}), raw_sum(bound, inside)])
