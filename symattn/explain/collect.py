"""The shortest way to write an expression with brackets: common factors, joined sums, squares.

`collected` takes a normal form, in which everything is multiplied out, and gives an equal raw
expression: a factor that several terms share comes out of them, also out of sums,

    Σ_ia X_ik X_ia w_a − Σ_i X_ik y_i  =  Σ_i X_ik (Σ_a X_ia w_a − y_i),

and a polynomial in few factors is written as a product where that is shorter,
x² − 2xμ + μ² = (x − μ)².  At each step the factor that saves most goes first; what a form costs
is counted by `cost`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import count
from typing import Any

from sympy.polys.domains import QQ
from sympy.polys.rings import ring

from .. import normalize as nf
from ..canonical import key
from ..folding import unify
from ..ir import (
    ONE_TERM,
    OPENED,
    ZERO,
    Argmax,
    Atom,
    Call,
    Delta,
    Index,
    Max,
    Num,
    Poly,
    Rational,
    Ref,
    Sum,
    Term,
    parts,
    rational,
    raw_add,
    raw_atom,
    raw_product,
    raw_sum,
)
from .arrange import factored, taken_out
from .cases import inside, split, written
from .cost import cost

TERMS = 40  # sums of more terms than this are only searched for what all terms share
NEAR = 3  # ways to take a factor out that are looked at closely
SQUARE = (3, 12)  # how many terms a polynomial has that is tried as a product
_names = count()


@dataclass(frozen=True)
class _View:
    """A term as c · outer · Σ_bound inner; bound is empty for a term without a sum in view."""

    term: Term
    c: Rational
    outer: Mapping[Atom, Rational]
    bound: tuple[Index, ...]
    inner: Mapping[Atom, Rational]


@lru_cache(maxsize=4096)
def collected(poly: Poly) -> Poly:
    """The shortest form found of a normal expression, as a raw one."""
    found = _collect(poly)
    plain = _within(poly)
    others = (factored(plain), plain, *_by_cases(poly))
    others = (*_identities(poly), found, *others)
    best = min(others, key=cost)
    return next((raw for raw in _in_front(poly) if cost(raw) <= cost(best) + 1), best)


def _in_front(poly: Poly) -> Iterator[Poly]:
    """s + s x (1 − s) as s (1 + x (1 − s)): first what all terms share."""
    common = Term(_common([t.powers for t, _ in poly])) if len(poly) > 1 else ONE_TERM
    if common.powers:
        rest = Poly({Term(_quotient(t.powers, common.powers)): c for t, c in poly})
        content = taken_out([c for _, c in rest])
        inside = _collect(nf.scale(rest, rational(1 / Fraction(content))))
        if inside.single is None and (len(poly) > 2 or inside.terms.get(ONE_TERM) == 1):
            yield raw_product([Poly({common: content}), raw_atom(inside)])


def _by_cases(poly: Poly) -> Iterator[Poly]:
    """The expression as cases, what these share in front; and u − max(0, u) as min(0, u)."""
    common = Term(_common([t.powers for t, _ in poly])) if poly.terms else ONE_TERM
    found = split(Poly({Term(_quotient(t.powers, common.powers)): c for t, c in poly}))
    if found is not None:
        above, below, step = found
        cases = written(collected(above), collected(below), step)
        front = [Poly({common: 1})] if common.powers else []
        yield raw_product([*front, raw_atom(cases)]) if front else cases
    for atom in dict.fromkeys(a for t, _ in poly for a, _ in t if isinstance(a, Max)):
        if len(atom.args) == 2 and not atom.bound and ZERO in atom.args:
            yield from _smallest(poly, atom)


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
    product = _product(poly)
    if product is not None:
        return product
    near = sorted(_groups(poly), key=lambda g: -g.saving)[:NEAR]
    best = max((g.finished(poly) for g in near), key=lambda g: g.saving, default=None)
    if best is None or best.saving < 0:
        return factored(_within(poly))
    rest = Poly({t: c for t, c in poly if t not in best.terms})
    return raw_add([best.raw, _collect(rest)]) if rest.terms else best.raw


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


def fresh(bound: tuple[Index, ...]) -> list[Index]:
    """Letters that no other scope has, so that sums can be joined and nested freely."""
    return [Index(f"c{next(_names)}", b.size, OPENED) for b in bound]


def opened(atom: Sum, around: frozenset[Index]) -> tuple[tuple[Index, ...], Poly]:
    """The body of a sum under letters of its own, none of which is free in what is around it."""
    letters, body = _opened(atom)
    return _opened.__wrapped__(atom) if around.intersection(letters) else (letters, body)


@lru_cache(maxsize=4096)
def _opened(atom: Sum) -> tuple[tuple[Index, ...], Poly]:
    letters = fresh(atom.bound)
    return tuple(letters), nf.substitute(atom.body, dict(zip(atom.bound, letters, strict=True)))


# -------------------------------------------------------------------------------- common factors


@dataclass(frozen=True)
class _Group:
    """Terms of an expression with what they share taken out."""

    terms: frozenset[Term]
    raw: Poly
    saving: int
    shared: Callable[[Poly], Poly] | None = None  # the raw form around a bracket
    bracket: Poly = ZERO

    def finished(self, poly: Poly) -> _Group:
        """The group with its bracket collected too."""
        if self.shared is None:
            return self
        whole = self.shared(_collect(self.bracket))
        before = cost(Poly({t: c for t, c in poly if t in self.terms}))
        return _Group(self.terms, whole, before - cost(whole))


def _views(term: Term, c: Rational, around: frozenset[Index]) -> Iterator[_View]:
    yield _View(term, c, term.powers, (), {})
    for atom, e in term:
        if isinstance(atom, Sum) and e == 1:
            bound, body = opened(atom, around)
            only = body.single
            if only is not None:
                outer = {a: k for a, k in term if a is not atom}
                yield _View(term, rational(c * only[1]), outer, bound, only[0].powers)


def _groups(poly: Poly) -> Iterator[_Group]:
    """Every way to take one factor, with all that goes along, out of some of the terms."""
    terms = sorted(poly, key=lambda pair: key(pair[0]))
    views = {term: list(_views(term, c, poly.free)) for term, c in terms}
    seen: set[tuple[frozenset[Term], Any]] = set()
    indexed = any(a.free or a.height for t, _ in terms for a, _ in t)
    for term, _ in terms:
        for view in views[term]:
            for atom in view.inner if view.bound else view.outer:
                e = (view.inner if view.bound else view.outer)[atom]
                group = _sharing(view, atom, e, views)
                if len(group) < 2:
                    continue
                scalar = not atom.free and isinstance(atom, Ref | Num)
                if indexed and scalar and len(group) < len(poly) - (ONE_TERM in poly.terms):
                    continue  # a scalar comes out of all terms, but of a number, or of none
                mark = (frozenset(v.term for v in group), None if view.bound else atom)
                if mark in seen:
                    continue
                seen.add(mark)
                made = _factored(group, poly)
                if made is not None:
                    yield made
    yield from _joined(poly, views)


def _joined(poly: Poly, views: Mapping[Term, list[_View]]) -> Iterator[_Group]:
    """Several sums as one, of a product or of a difference of the same tensors,

    Σ_a x_a² − 2 Σ_a x_a y_a + Σ_a y_a² = Σ_a (x_a − y_a)²,  Σ_j a_ji b_ij − Σ_j a_ij b_ji.
    """
    over: dict[Any, list[_View]] = {}
    for others in views.values():
        for view in [v for v in others if len(v.bound) == 1][:1]:
            over.setdefault(view.bound[0].size, []).append(view)
    for group in over.values():
        if not 2 <= len(group) <= 6:
            continue
        (letter,) = group[0].bound
        outer = _common([v.outer for v in group])
        inside = nf.add(
            *(
                nf.scale(
                    nf.multiply(
                        nf.product(_quotient(v.outer, outer)),
                        nf.substitute(Poly({Term(v.inner): 1}), {v.bound[0]: letter}),
                    ),
                    v.c,
                )
                for v in group
            )
        )
        made = _product(inside)
        if made is None and all(v.outer == outer for v in group):
            made = _flux(inside)
        if made is not None:
            made = _facing(made, letter)
            whole = raw_product([Poly({Term(outer): 1}), raw_sum((letter,), made)])
            terms = frozenset(v.term for v in group)
            before = cost(Poly({t: c for t, c in poly if t in terms}))
            yield _Group(terms, whole, before - cost(whole))


def _sharing(
    first: _View, atom: Atom, e: Rational, views: Mapping[Term, list[_View]]
) -> list[_View]:
    """The views, in the letters of `first`, of all terms that have the factor too."""
    group = [first]
    for term, others in views.items():
        if term is first.term:
            continue
        for view in others:
            if bool(view.bound) != bool(first.bound):
                continue
            if not first.bound:
                k = view.outer.get(atom, 0)
                if k and (k > 0) == (e > 0):
                    group.append(view)
                    break
                continue
            renamed = next(_aligned(first, atom, e, view), None)
            if renamed is not None:
                group.append(renamed)
                break
    return group


def _aligned(first: _View, atom: Atom, e: Rational, view: _View) -> Iterator[_View]:
    """The view with its bound letters renamed so that it has the factor `atom` of `first` too."""
    for other, k in view.inner.items():
        if (k > 0) != (e > 0) or type(other) is not type(atom):
            continue
        for found in unify(other, atom, view.bound, {}):
            targets = list(found.values())
            if any(
                not isinstance(t, Index) or t not in first.bound or t.size != i.size
                for i, t in found.items()
            ) or len(set(targets)) < len(targets):
                continue
            found = _extended(found, first, view)
            body = nf.substitute(Poly({Term(view.inner): 1}), found)
            only = body.single
            if only is None or only[0].powers.get(atom) != k:
                continue
            bound = tuple(t if isinstance(t := found.get(b, b), Index) else b for b in view.bound)
            yield _View(view.term, rational(view.c * only[1]), view.outer, bound, only[0].powers)


def _extended(found: dict[Index, Any], first: _View, view: _View) -> dict[Index, Any]:
    """More letters of the view put for those of `first`, where further factors then agree."""
    for other, k in view.inner.items():
        left = [b for b in view.bound if b not in found and b in other.free]
        if not left:
            continue
        for mine, e in first.inner.items():
            if e != k or type(mine) is not type(other):
                continue
            for more in unify(other, mine, view.bound, dict(found)):
                new = {i: t for i, t in more.items() if i not in found}
                targets = list(more.values())
                if (
                    new
                    and len(set(targets)) == len(targets)
                    and all(t in first.bound and t.size == i.size for i, t in new.items())
                    and nf.substitute(other, more) is raw_atom(mine)
                ):
                    found = more
                    break
    return found


def _facing(product: Poly, letter: Index) -> Poly:
    """c (x_j − x_i) under Σ_j as −c (x_i − x_j)."""
    if product.single is None:
        return product
    term, c = product.single
    factors: dict[Atom, Rational] = {}
    for atom, e in term:
        if isinstance(atom, Poly) and len(atom) == 2 and e == 1:
            signs = {d: t for t, d in atom}
            if set(signs) == {1, -1} and letter in signs[1].free - signs[-1].free:
                atom, c = Poly({t: -d for t, d in atom}), -c
        factors[atom] = e
    return Poly({Term(factors): c})


def _flux(poly: Poly) -> Poly | None:
    """a_ji b_ij − a_ij b_ji, a difference of products of the same tensors; None for others."""
    if len(poly) != 2 or sum(c for _, c in poly) != 0:
        return None
    first, second = (Counter(r.tensor for r, _ in t if isinstance(r, Ref)) for t, _ in poly)
    plain = all(isinstance(r, Ref) for t, _ in poly for r, _ in t)
    return _within(poly) if plain and first == second and len(first) > 1 else None


def _common(parts: list[Mapping[Atom, Rational]]) -> dict[Atom, Rational]:
    common: dict[Atom, Rational] = {}
    for atom in parts[0]:
        powers = [p.get(atom, 0) for p in parts]
        if all(k > 0 for k in powers):
            common[atom] = min(powers)
        elif all(k < 0 for k in powers):
            common[atom] = max(powers)
    return common


def _factored(group: list[_View], poly: Poly) -> _Group | None:
    """outer · Σ inner · (bracket) for the terms of a group, None where nothing is saved."""
    first = group[0]
    outer = _common([v.outer for v in group])
    inner: dict[Atom, Rational] = {}
    bound: list[Index] = []
    if first.bound:
        shared = set(first.bound).intersection(*(v.bound for v in group))
        inner = {
            a: e
            for a, e in _common([v.inner for v in group]).items()
            if not a.free.isdisjoint(shared) and a.free.isdisjoint(_apart(group, shared))
        }
        bound = [b for b in first.bound if any(b in a.free for a in inner)]
        if not bound:
            return None
    rests = []
    moved = False
    for view in group:
        moved |= bool(bound) and any(a.free for a in _quotient(view.outer, outer))
        left = _quotient(view.inner, inner)
        over = [b for b in view.bound if b not in bound]
        rest = nf.sum_over(over, nf.product(left)) if left or over else nf.ONE
        rest = nf.multiply(nf.product(_quotient(view.outer, outer)), rest)
        rests.append(nf.scale(rest, view.c))
    content = taken_out([c for r in rests for _, c in r])
    bracket = nf.scale(nf.add(*rests), rational(1 / Fraction(content)))
    if not bracket.terms:
        return None
    if moved and not _difference(rests) and (len(bracket) > 2 or len(_collect(bracket)) > 1):
        return None  # Σ_j a_j + y_i Σ_j a_j b_j stays two sums, each of which is done once

    def around(inside: Poly) -> Poly:
        sign = 1
        if any(t is ONE_TERM and c < 0 for t, c in inside) and len(inside) > 1:
            sign, inside = -1, Poly({t: -c for t, c in inside})
        last = raw_atom(inside) if len(inside) > 1 else inside
        under = raw_sum(bound, raw_product([Poly({Term(inner): 1}), last]))
        return raw_product([Poly({Term(outer): rational(sign * content)}), under])

    whole = around(bracket)
    terms = frozenset(v.term for v in group)
    before = cost(Poly({t: c for t, c in poly if t in terms}))
    return _Group(terms, whole, before - cost(whole), around, bracket)


def _difference(rests: list[Poly]) -> bool:
    """x_i − x_j, which is read as one thing: Σ_j a_ij x_i − Σ_j a_ij x_j is one sum."""
    if len(rests) != 2 or any(len(r) != 1 or _has_sum(r) or r.constant is not None for r in rests):
        return False
    (first,), (second,) = rests
    return first[1] * second[1] < 0


def _has_sum(node: Any) -> bool:
    return isinstance(node, Sum) or any(map(_has_sum, parts(node)))


def _identities(poly: Poly) -> Iterator[Poly]:
    """Σ_j P_ij V_ja − V_ia as Σ_j (P_ij − δ_ij) V_ja, behind factors that both terms have."""
    if len(poly) != 2:
        return
    common = Term(_common([t.powers for t, _ in poly]))
    if not common.powers or any(a.free for a, _ in common):
        return
    pairs = [(Term(_quotient(t.powers, common.powers)), c) for t, c in poly]
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


def complemented(raw: Poly) -> Poly:
    """1 − σ(u) as σ(−u), and σ(u) − 1 as −σ(−u), where σ(u) stands nowhere else."""
    seen = Counter(n for n in inside(raw) if isinstance(n, Call) and n.name == "sigmoid")
    return _complemented(raw, seen) if seen else raw


def _complemented(node: Any, seen: Counter[Any]) -> Any:
    match node:
        case Poly():
            one = node.terms.get(ONE_TERM, 0)
            if len(node) == 2 and abs(one) == 1:
                ((term, c),) = ((t, c) for t, c in node if t is not ONE_TERM)
                ((atom, e),) = term if len(term.powers) == 1 else ((None, 0),)
                if c == -one and e == 1 and seen[atom] == 1 and isinstance(atom, Call):
                    back = Call("sigmoid", [nf.scale(atom.args[0], -1)])
                    return Poly({Term({back: 1}): one})
            return raw_add(
                Poly({t: rational(c * d) for t, d in _complemented(term, seen)}) for term, c in node
            )
        case Term():
            return raw_product([_power(_complemented(a, seen), e) for a, e in node])
        case Sum():
            return Sum(node.bound, _complemented(node.body, seen))
    return node


def _power(atom: Any, e: Rational) -> Poly:
    """atom ** e, a bracket of one factor without its bracket."""
    only = atom.single if isinstance(atom, Poly) and e == 1 else None
    return atom if only is not None else raw_atom(atom, e)


def _apart(group: list[_View], shared: set[Index]) -> set[Index]:
    return {b for v in group for b in v.bound} - shared


def _quotient(
    powers: Mapping[Atom, Rational], divisor: Mapping[Atom, Rational]
) -> dict[Atom, Rational]:
    left = {a: rational(e - divisor.get(a, 0)) for a, e in powers.items()}
    return {a: e for a, e in left.items() if e}


# ------------------------------------------------------------------------------------- products


def _product(poly: Poly) -> Poly | None:
    """A polynomial in few factors as a product of shorter ones, None where it is not shorter."""
    if not SQUARE[0] <= len(poly) <= SQUARE[1]:
        return None
    if any(e.denominator != 1 or e < 0 for t, _ in poly for _, e in t):
        return None
    atoms = sorted({a for t, _ in poly for a, _ in t}, key=key)
    if len(atoms) > 6 or (len(poly) < 4 and max(e for t, _ in poly for _, e in t) < 2):
        return None
    R, *_ = ring([f"g{k}" for k in range(len(atoms))], QQ)
    element = R.zero
    for t, c in poly:
        monomial = tuple(int(t.powers.get(a, 0)) for a in atoms)
        element += R.term_new(monomial, QQ(c.numerator, c.denominator))
    content, parts = element.factor_list()
    if len(parts) == 1 and parts[0][1] == 1:
        return None
    value = rational(Fraction(int(content.numerator), int(content.denominator)))
    factors = [Poly({ONE_TERM: value})]
    for part, k in parts:
        inside = Poly(
            {
                Term(dict(zip(atoms, monomial, strict=True))): rational(
                    Fraction(int(c.numerator), int(c.denominator))
                )
                for monomial, c in part.terms()
            }
        )
        inside = _collect(inside)
        back = Poly({t: -c for t, c in inside})
        if inside.terms.get(ONE_TERM, 0) < 0 and len(inside) == 2 and k % 2:
            factors, inside = [*factors, Poly({ONE_TERM: -1})], back
        only = inside.single
        if only is not None:
            factors.append(Poly({Term({a: e * k for a, e in only[0]}): rational(only[1] ** k)}))
        else:
            factors.append(raw_atom(inside, k))
    made = raw_product(factors)
    return made if cost(made) < cost(poly) else None
