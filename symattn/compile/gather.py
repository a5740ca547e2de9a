"""What derivatives have multiplied out, put back together: brackets, and sums over one index.

    x f + x g = x (f + g)
    Σ_i x_i f_i + Σ_i x_i g_i = Σ_i x_i (f_i + g_i)

The second law saves contractions: Σ_i X_ia X_ib σ_i − Σ_i X_ia X_ib σ_i² is one of them with the
weight σ_i − σ_i².  It is applied where the bracket has fewer letters than the whole, so that it
costs less than a contraction.  The first law is what finds the common factors for it; a bracket
that occurs with many factors, as (1 − h²) does, is taken out everywhere at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, count

import sympy as sp

from .. import normalize as nf
from ..ir import (
    OPENED,
    Atom,
    Delta,
    Index,
    Mask,
    Num,
    Poly,
    Rational,
    Sum,
    Term,
    rational,
    raw_add,
    raw_atom,
    raw_product,
    raw_sum,
)

MOST = 400  # terms; more are left as they stand
Kernel = tuple[Term, Term, Fraction]


def gathered(poly: Poly) -> Poly:
    """An equal expression with fewer products and contractions, or the same object."""
    if len(poly) < 2 or len(poly) > MOST:
        return poly
    terms = dict(poly)
    while (smaller := _extract(terms)) is not None:
        terms = smaller
    joined = _joined(Poly({_inside(t): c for t, c in terms.items()}))
    return poly if dict(joined) == dict(poly) else joined


def _inside(term: Term) -> Term:
    """The sums inside a bracket joined."""
    powers: dict[Atom, Rational] = {}
    for atom, e in term:
        new: Atom = _joined(atom) if isinstance(atom, Poly) and e == 1 else atom
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
    if any(isinstance(x, Delta | Mask) for part in (a, b) for x, _ in part):
        return None  # a bracket would make them dense
    return shared, a, b


def _extract(terms: dict[Term, Rational]) -> dict[Term, Rational] | None:
    """The terms with the bracket of two terms taken out that occurs most often."""
    found: dict[Kernel, list[tuple[Term, Term, Term]]] = {}
    for t, u in combinations(terms, 2):
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
    return result


def _flat(part: Term, c: Rational) -> Poly:
    """A part of a bracket; a bracket alone is opened."""
    only = list(part)
    if len(only) == 1 and isinstance(only[0][0], Poly) and only[0][1] == 1:
        return Poly({t: rational(c * d) for t, d in only[0][0]})
    return Poly({part: c})


# ------------------------------------------------------------------------------------ common sums


def _joined(poly: Poly) -> Poly:
    """Sums over an index of one size as one sum, where they share a factor worth it."""
    groups: dict[sp.Expr, list[tuple[Term, Rational]]] = {}
    rest: dict[Term, Rational] = {}
    for term, c in poly:
        size = _size(term)
        if size is None:
            rest[term] = c
        else:
            groups.setdefault(size, []).append((term, c))
    parts = [Poly(rest)] if rest else []
    for size, members in groups.items():
        parts += _clusters(size, members)
    return raw_add(parts)


def _sum_in(term: Term) -> Sum | None:
    """The sum that a term is, a number apart."""
    others = [(a, e) for a, e in term if not isinstance(a, Num)]
    only = others[0][0] if len(others) == 1 and others[0][1] == 1 else None
    return only if isinstance(only, Sum) and len(only.body) == 1 else None


def _size(term: Term) -> sp.Expr | None:
    node = _sum_in(term)
    return None if node is None else node.bound[_main(node)].size


def _main(node: Sum) -> int:
    """The bound index that most factors have."""
    ((term, _),) = node.body
    return max(range(len(node.bound)), key=lambda k: sum(node.bound[k] in a.free for a, _ in term))


def _clusters(size: sp.Expr, members: list[tuple[Term, Rational]]) -> Iterable[Poly]:
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
            if index in shared.free and not shared.free <= letters:
                cluster.append(member)
                common = shared, 1
        left = [m for m in left if m not in cluster]
        if len(cluster) < 2 or common is None:
            yield Poly({first[0]: first[1]})
            continue
        bracket = raw_add(
            Poly({_without(m[0], common[0]): rational(c * m[1])}) for _, c, m in cluster if m
        )
        yield raw_sum([index], raw_product([Poly({common[0]: 1}), gathered(bracket)]))


def _opened(term: Term, index: Index) -> tuple[Term, Rational] | None:
    """The product under the sum over `index`, the other bound indices summed inside."""
    node = _sum_in(term)
    assert node is not None
    bound, body = nf.opened(node, [index, *term.free])
    main = bound[_main(node)]
    inside = nf.substitute(nf.sum_over([b for b in bound if b is not main], body), {main: index})
    inside = nf.multiply(inside, *(nf.power(raw_atom(a), e) for a, e in term if a is not node))
    return inside.single


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
