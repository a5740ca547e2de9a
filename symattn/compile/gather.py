"""What derivatives have multiplied out, put back together: brackets, and sums over one index.

    x f + x g = x (f + g)
    Σ_i x_i f_i + Σ_i x_i g_i = Σ_i x_i (f_i + g_i)

The second law saves contractions: Σ_i X_ia X_ib σ_i − Σ_i X_ia X_ib σ_i² is one of them with the
weight σ_i − σ_i².  It is applied where the bracket has fewer letters than the whole, so that it
costs less than a contraction.  The first law is what finds the common factors for it; a bracket
that occurs with many factors, as (1 − h²) does, is taken out everywhere at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import combinations, count
from typing import Any

import sympy as sp

from .. import normalize as nf
from ..ir import (
    ONE_TERM,
    OPENED,
    Atom,
    Call,
    Delta,
    Index,
    Mask,
    Num,
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
from .branches import guards
from .entry import has_log
from .order import Symbols, effort

PREFER = 0.75  # what stands apart must cost less than this part of what is joined
MOST = 400  # terms; more are left as they stand
Kernel = tuple[Term, Term, Fraction]


def gathered(poly: Poly, long: Symbols = frozenset()) -> Poly:
    """An equal expression with fewer products and contractions, or the same object."""
    if len(poly) < 2 or len(poly) > MOST:
        return poly
    terms = dict(poly)
    while (smaller := _extract(terms)) is not None:
        terms = smaller
    joined = _joined(Poly({_inside(t, long): c for t, c in terms.items()}), long)
    return poly if dict(joined) == dict(poly) else joined


def _inside(term: Term, long: Symbols) -> Term:
    """The sums inside a bracket joined."""
    powers: dict[Atom, Rational] = {}
    for atom, e in term:
        new: Atom = _joined(atom, long) if isinstance(atom, Poly) and e == 1 else atom
        powers[new] = powers.get(new, 0) + e
    return Term(powers)


# --------------------------------------------------------------------------------- common factors


def _common(t: Term, u: Term) -> Term:
    """The powers that both products have."""
    shared: dict[Atom, Rational] = {}
    for atom, e in t:
        f = u.powers.get(atom, 0)
        if e > 0 and f > 0:
            shared[atom] = min(e, f)
        elif e < 0 and f < 0:
            shared[atom] = max(e, f)
    return Term(shared)


def _without(term: Term, shared: Term) -> Term:
    return Term({a: d for a, e in term if (d := rational(e - shared.powers.get(a, 0))) != 0})


@lru_cache(maxsize=100_000)
def _split(t: Term, u: Term) -> tuple[Term, Term, Term] | None:
    """t = shared · a and u = shared · b, where taking out the shared factor is worth it."""
    shared = _common(t, u)
    if not any(a.free for a, _ in shared):
        return None
    a, b = _without(t, shared), _without(u, shared)
    if _sparse(a) or _sparse(b):
        return None
    if has_log(a) != has_log(b):
        return None  # of log Z + m − x the logarithm comes last
    return shared, a, b


def _sharing(terms: Iterable[Term]) -> Iterator[tuple[Term, Term]]:
    """Pairs of products that have an array in common, in order; of very many terms few do."""
    every, places = list(terms), dict[tuple[Atom, bool], list[int]]()
    for k, term in enumerate(every):
        for atom, e in term:
            if atom.free:
                places.setdefault((atom, e > 0), []).append(k)
    for k, n in sorted({pair for found in places.values() for pair in combinations(found, 2)}):
        yield every[k], every[n]


def _extract(terms: dict[Term, Rational]) -> dict[Term, Rational] | None:
    """The terms with the bracket of two terms taken out that occurs most often."""
    found: dict[Kernel, list[tuple[Term, Term, Term]]] = {}
    for t, u in _sharing(terms):
        parts = _split(t, u)
        if parts is not None:
            shared, a, b = parts
            ratio = Fraction(terms[u]) / Fraction(terms[t])
            if (b, a, 1 / ratio) in found:
                found[b, a, 1 / ratio].append((u, t, shared))
            else:
                found.setdefault((a, b, ratio), []).append((t, u, shared))
    if not found:
        return None

    def worth(kernel: Kernel) -> tuple[int, int]:
        places = found[kernel]
        return len({t for t, _, _ in places}), max(len(s.powers) for _, _, s in places)

    a, b, ratio = best = max(found, key=worth)
    bracket = raw_add([_flat(a, 1), _flat(b, rational(ratio))])
    result = dict(terms)
    for t, u, shared in found[best]:
        if t in result and u in result and terms[t] == result[t] and terms[u] == result[u]:
            c = result.pop(t)
            del result[u]
            ((made, d),) = raw_product([Poly({shared: c}), raw_atom(bracket)])
            result[made] = rational(result.get(made, 0) + d)
    return {term: c for term, c in result.items() if c != 0}


def _flat(part: Term, c: Rational) -> Poly:
    """A part of a bracket; a bracket alone is opened."""
    only = list(part)
    if len(only) == 1 and isinstance(only[0][0], Poly) and only[0][1] == 1:
        return Poly({t: rational(c * d) for t, d in only[0][0]})
    return Poly({part: c})


# ------------------------------------------------------------------------------------ common sums


def _joined(poly: Poly, long: Symbols) -> Poly:
    """Sums over an index of one size as one sum, where they share a factor worth it or what
    stands under them has the same letters."""
    poly, wide = _weighted(poly, long)
    groups: dict[tuple[sp.Expr, Term], list[tuple[Term, Rational]]] = {}
    rest: dict[Term, Rational] = {}
    sums = {term: found for term, _ in poly if (found := _sum_in(term)) is not None}
    common = Counter(size for node, _, _ in sums.values() for size in _sizes(node))
    for term, c in poly:
        if term not in sums:
            rest[term] = c
            continue
        node, number, outside = sums[term]
        size = max(_sizes(node), key=lambda size: common[size])
        inner = Term({**number.powers, node: 1})
        groups.setdefault((size, outside), []).append((inner, c))
    parts = [*wide, Poly(rest)] if rest else wide
    for (size, outside), members in groups.items():
        for part in _clusters(size, members, long):
            parts.append(raw_product([Poly({outside: 1}), part]))
    return raw_add(parts)


def _weighted(poly: Poly, long: Symbols) -> tuple[Poly, list[Poly]]:
    """Σ x f + Σ x g as Σ x (f + g), where f and g are no larger than the array x: the rest, and
    these sums.

    It costs no more, and f + g is the difference of two numbers where Σ x f + Σ x g would be one
    of two sums: Σ_ik T_ik (m_i − Z_ik + log Z_i) is exact where the rows of T pick out one k.
    """
    found: dict[Any, dict[Term, tuple[Rational, Term, Term]]] = {}
    taken = {i.name for i in poly.free if i.level == OPENED}
    free = [name for k in range(MOST) if (name := str(k)) not in taken]
    for term, c in poly:
        for node, number, outside in _sums_in(term):
            bound, body = nf.opened(node, term.free)
            if len(body) != 1:  # the letters given to it let it fall apart
                continue
            ((product, d),) = body
            for atom, e in product:
                if not isinstance(atom, Ref) or e != 1 or not set(bound) <= set(atom.slots):
                    continue
                other = _without(product, Term({atom: 1}))
                if not other.free <= atom.free or _sparse(other):
                    continue
                pairs = zip(atom.slots, free, strict=False)
                names = {x: Index(n, x.size, OPENED) for x, n in pairs if x in bound}
                weight = nf.substitute(raw_atom(atom), dict(names))
                both = nf.multiply(Poly({other: 1}), Poly({number: 1}))
                alone = nf.substitute(both, dict(names)).single
                if alone is None:
                    continue
                rest, f = alone
                fits = outside.free <= atom.free and not _sparse(outside)
                key = weight, tuple(names.values()), None if fits else outside
                found.setdefault(key, {}).setdefault(term, (rational(c * d * f), rest, outside))
    left, made = dict(poly), list[Poly]()
    for (weight, letters, _), every in sorted(found.items(), key=lambda x: -len(x[1])):
        members = {term: part for term, part in every.items() if term in left}
        if len(members) > 1:
            left = {term: c for term, c in left.items() if term not in members}
            before = reduce(_common, (outside for *_, outside in members.values()))
            bracket = nf.add(
                *(
                    nf.scale(nf.multiply(Poly({rest: 1}), Poly({_without(outside, before): 1})), c)
                    for c, rest, outside in members.values()
                )
            )
            total = raw_sum(letters, raw_product([weight, gathered(bracket, long)]))
            made.append(raw_product([Poly({before: 1}), total]))
    return Poly(left), made


def _sparse(term: Term) -> bool:
    """A bracket would make a factor dense."""
    return any(isinstance(a, Delta | Mask) for a, _ in term)


def _sums_in(term: Term) -> Iterator[tuple[Sum, Term, Term]]:
    """Every sum in a term, the numbers and the other factors."""
    number = Term({a: e for a, e in term if isinstance(a, Num)})
    outside = Term({a: e for a, e in term if not isinstance(a, Num)})
    for atom, e in outside:
        if isinstance(atom, Sum) and e in (1, 2) and len(atom.body) == 1:
            yield atom, number, _without(outside, Term({atom: 1}))


def _sum_in(term: Term) -> tuple[Sum, Term, Term] | None:
    """The one sum in a term, the numbers and the other factors."""
    found = [a for a, e in term if isinstance(a, Sum) and e == 1 and len(a.body) == 1]
    if len(found) != 1:
        return None
    number = Term({a: e for a, e in term if isinstance(a, Num)})
    outside = Term({a: e for a, e in term if a is not found[0] and not isinstance(a, Num)})
    return found[0], number, outside


def _sizes(node: Sum) -> dict[sp.Expr, Index]:
    """Sizes and indices of the bound indices that most factors have."""
    ((term, _),) = node.body
    times = [sum(b in a.free for a, _ in term) for b in node.bound]
    most = max(times)
    return {b.size: b for b, n in reversed([*zip(node.bound, times, strict=True)]) if n == most}


def _clusters(size: sp.Expr, members: list[tuple[Term, Rational]], long: Symbols) -> Iterable[Poly]:
    """Sums that share a factor together, the others alone."""
    if len(members) < 2:
        yield Poly(dict(members))
        return
    names = {i.name for t, _ in members for i in t.free if i.level == OPENED}
    index = Index(next(n for k in count() if (n := str(k)) not in names), size, OPENED)
    left = [(t, c, _opened(t, index)) for t, c in members]
    while left:
        first, *others = left
        cluster, common = [first], first[2]
        for member in others:
            if member[2] is None or common is None:
                continue
            shared = _common(common[0], member[2][0])
            letters = {i for *_, m in [*cluster, member] if m for i in _without(m[0], shared).free}
            parts = [_without(m[0], shared) for *_, m in [*cluster, member] if m]
            if (
                index in shared.free
                and not any(_guarded(shared, part) for part in parts)
                and (not shared.free <= letters or _carried(shared, parts))
                and not any(_turned(c[2][0], member[2][0], long) for c in cluster if c[2])
            ):
                cluster.append(member)
                common = shared, 1
        left = [m for m in left if m not in cluster]
        if len(cluster) < 2:
            cluster += [m for m in left if _alike(first[2], m[2])]
            left = [m for m in left if m not in cluster]
            common = ONE_TERM, 1
        if len(cluster) < 2:
            yield Poly({first[0]: first[1]})
            continue
        assert common is not None
        rest = [(_without(m[0], common[0]), rational(c * m[1])) for _, c, m in cluster if m]
        if _dearer(common[0], [part for part, _ in rest], index, long):
            yield Poly({term: c for term, c, _ in cluster})
            continue
        bracket = raw_add(Poly({part: c}) for part, c in rest)
        yield raw_sum([index], raw_product([Poly({common[0]: 1}), gathered(bracket, long)]))


def _guarded(shared: Term, part: Term) -> bool:
    """A mask that is in one part of the bracket guards what would be before it."""
    return any(isinstance(a, Mask) and guards(a, shared) for a, _ in part)


def _carried(shared: Term, parts: Sequence[Term]) -> bool:
    """One part of the bracket is computed entry by entry and has every letter: the others cost
    nothing beside it, and Σ x (1 − f²) is no difference of two sums."""
    every = shared.free.union(*(part.free for part in parts))
    return any(
        part.free == every
        and any(isinstance(a, Call) for a, _ in part)
        and not any(isinstance(a, Sum) for a, _ in part)
        for part in parts
    )


def _turned(t: Term, u: Term, long: Symbols) -> bool:
    """One has an array that the other has with its axes exchanged: a sum of the two needs all of
    it at once, and a copy, unless it is small beside what it is multiplied with."""
    arrays = [a for a, _ in t if isinstance(a, Ref)]
    others = [a for a, _ in u if isinstance(a, Ref)]
    return any(
        a.tensor == b.tensor
        and a.slots != b.slots
        and set(a.slots) == set(b.slots)
        and not any(i.size in long for i in t.free - set(a.slots))
        for a in arrays
        for b in others
    )


def _dearer(shared: Term, rest: Sequence[Term], index: Index, long: Symbols) -> bool:
    """A contraction in the bracket costs more than the bracket saves."""
    if not any(isinstance(a, Sum) for part in rest for a, _ in part):
        return False
    apart = together = 0.0
    common = frozenset(a.free for a, _ in shared)
    for part in rest:
        inner = _factors(part)
        alone = effort(inner | common, (shared.free | part.free) - {index}, long)
        if not alone:
            return False
        apart += alone
        together += effort(inner, part.free, long)
    free = frozenset(i for part in rest for i in part.free)
    together += effort(common | {free}, (shared.free | free) - {index}, long)
    return apart < PREFER * together


def _factors(product: Term) -> frozenset[frozenset[Index]]:
    """The letters of every factor; those of a contraction are factors of the product."""
    found: list[frozenset[Index]] = []
    taken = set(product.free)
    for atom, e in product:
        if isinstance(atom, Sum) and e == 1 and len(atom.body) == 1:
            bound, body = nf.opened(atom, taken)
            taken.update(bound)
            found += [a.free for term, _ in body for a, _ in term]
        else:
            found.append(atom.free)
    return frozenset(found)


def _alike(first: tuple[Term, Rational] | None, other: tuple[Term, Rational] | None) -> bool:
    """Two products, each as large as its largest factor: their difference is as large, and is
    to be taken before the sums are, which may be large and near each other."""
    return (
        first is not None
        and other is not None
        and first[0].free == other[0].free
        and all(any(a.free == t.free for a, _ in t) and not _sparse(t) for t, _ in (first, other))
    )


def _opened(term: Term, index: Index) -> tuple[Term, Rational] | None:
    """The product under the sum over `index`, the other bound indices summed inside."""
    found = _sum_in(term)
    assert found is not None
    node, number, _ = found
    bound, body = nf.opened(node, [index, *term.free])
    main = bound[node.bound.index(_sizes(node)[index.size])]
    inside = nf.substitute(nf.sum_over([b for b in bound if b is not main], body), {main: index})
    return nf.multiply(inside, Poly({number: 1})).single


def brackets(poly: Poly) -> Iterable[Poly | Sum]:
    """Everything in a gathered expression that is to be computed as it stands."""
    yield poly
    for term, _ in poly:
        for atom, _ in term:
            if isinstance(atom, Poly):
                yield from brackets(atom)
            elif isinstance(atom, Sum):
                yield atom
                yield from brackets(atom.body)


__all__ = ["brackets", "gathered"]
