"""The author's inner sums stay: Σ_k f_k B_ik Σ_j B_jk w_j, and not Σ_kj f_k B_ik B_jk w_j.

A sum that he has below a power, or as a factor beside others that lack its letter, is read as one
thing; multiplied out, its letter goes below the outer Σ.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from .. import normalize as nf
from ..folding import match
from ..ir import (
    ONE_TERM,
    ZERO,
    Index,
    Poly,
    Rational,
    Sum,
    Tensor,
    Term,
    inside,
    rational,
    raw_add,
    raw_atom,
    raw_product,
    raw_sum,
)
from ..model import Body, Model
from .notation import as_written
from .recognised import tensors_in

MOST = 4  # letters below a Σ that is looked at


class Row(NamedTuple):
    """A sum of products with letters that are free in it: Σ_j B_jk w_j."""

    normal: Poly
    letters: tuple[Index, ...]
    sizes: frozenset[object]
    tensors: frozenset[Tensor]
    squared: bool


def rows_of(m: Model) -> tuple[Row, ...]:
    """The inner sums of a text that has a Σ for every sum; without a text, of sums in sums.

    There A_ij Σ_a X_ja V_ab may be A^{ij} X^{ja} V^{ab}, a sum by the summation rule.
    """
    text = bool(getattr(m.system, "equations", ()))
    return rows(m.bodies.values(), text) if not text or as_written(m.system).explicit else ()


def rows(bodies: Iterable[Body], alone: bool = True) -> tuple[Row, ...]:
    """The sums inside these definitions that have free letters, and no factor that is not summed.

    Unless they may stand `alone`, only those in other sums.

    Σ_j C_ij w_j of Σ_i w_i Σ_j C_ij w_j, and nothing of Σ_i Σ_j w_i C_ij w_j.  And those under a
    square, Σ_a w_a d_a of (Σ_a w_a d_a)², and what is left of one that has another one inside:
    Σ_j W_ij V_jk of Σ_j W_ij Σ_k V_jk x_k.
    """
    found: dict[Poly, Row] = {}
    for body in bodies:
        whole = [body.raw] if alone else [n.body for n in inside(body.raw) if isinstance(n, Sum)]
        for term in (n for part in whole for n in inside(part) if isinstance(n, Term)):
            for total, e in term:
                if not isinstance(total, Sum) or not (total.free or e == 2):
                    continue
                if body.raw.single is not None and body.raw.single[0] is Term({total: 1}):
                    continue  # the definition itself, which has a name
                if any(a.free.isdisjoint(total.bound) for t, _ in total.body for a in t.powers):
                    continue
                normal = nf.normalize(Poly({Term({total: 1}): 1}))
                squared = e == 2 or (normal in found and found[normal].squared)
                found[normal] = _row(normal, total.bound, squared)
                for left, bound in _left(normal, len(total.bound)):
                    found.setdefault(left, _row(left, bound, False))
    return tuple(found.values())


def _row(normal: Poly, bound: Iterable[Index], squared: bool) -> Row:
    letters = tuple(sorted(normal.free, key=lambda i: i.sort))
    return Row(normal, letters, frozenset(i.size for i in bound), tensors_in(normal), squared)


def _left(normal: Poly, written: int) -> Iterator[tuple[Poly, tuple[Index, ...]]]:
    """What is left of a sum in sums without one factor, whose letters are summed no longer."""
    only, _ = normal.single or (ONE_TERM, 0)
    ((total, _),) = only if len(only.powers) == 1 else ((None, 0),)
    body = total.body.single if isinstance(total, Sum) else None
    if not isinstance(total, Sum) or body is None or len(total.bound) <= written:
        return
    for factor in body[0].powers:
        bound = tuple(i for i in total.bound if i not in factor.free)
        rest = {a: e for a, e in body[0] if a is not factor and not a.free.isdisjoint(bound)}
        if bound and len(rest) > 1:
            yield nf.sum_over(bound, Poly({Term(rest): 1})), bound


def with_inner_sums(poly: Poly, own: Sequence[Row]) -> Poly:
    """The sums of products with the sums of the author in them as he has these, below bars too."""
    return raw_add(_with_inner_sums(t, c, own) for t, c in poly) if own else poly


def _with_inner_sums(term: Term, c: Rational, own: Sequence[Row]) -> Poly:
    factors = []
    for atom, e in term:
        made = raw_atom(atom)
        if isinstance(atom, Poly):
            inner = with_inner_sums(atom, own)
            made = raw_atom(inner) if inner is not atom else made
        elif isinstance(atom, Sum):
            body = with_inner_sums(atom.body, own)
            minus = body.single is not None and body.single[1] < 0 and body is not atom.body
            body = nf.scale(body, -1) if minus else body
            made = nf.scale(_as_his(Sum(atom.bound, body), own), -1 if minus else 1)
        (only, k) = made.single or (ONE_TERM, 1)
        if e == 1 or (k == 1 and len(only.powers) == 1):
            factors.append(Poly({Term({a: rational(x * e) for a, x in only}): k}))  # 1/Σ_i too
        else:
            factors.append(raw_atom(atom, e))
    return raw_product([Poly({ONE_TERM: c}), *factors])


def _as_his(total: Sum, own: Sequence[Row]) -> Poly:
    """Σ_kj f_k B_ik B_jk w_j as Σ_k f_k B_ik Σ_j B_jk w_j, of his Σ_j B_jk w_j.

    And his Σ_j K_ij (c_i − c_j) with the sign that it has.
    """
    only = total.body.single
    if only is None or len(total.bound) > MOST:
        return raw_atom(total)
    if _bracket(only[0]).terms and _is_one(only[0], total.bound, own) < 0:
        whole = raw_atom(Sum(total.bound, Poly({_turned(only[0]): only[1]})))
        return nf.scale(whole, -1)
    for count in range(1, len(total.bound)):
        for letters in combinations(total.bound, count):
            within = Term({a: k for a, k in only[0] if not a.free.isdisjoint(letters)})
            before = Term({a: k for a, k in only[0] if a not in within.powers})
            sign = _is_one(within, letters, own) if before.powers else 0
            if not sign:
                continue
            left = tuple(i for i in total.bound if i not in letters)
            inner = raw_sum(letters, Poly({within if sign > 0 else _turned(within): 1}))
            (outer,) = raw_product([Poly({before: only[1]}), inner]).terms
            whole = _as_his(Sum(left, Poly({outer: 1})), own)
            return nf.scale(whole, sign * only[1])
    return raw_atom(total)


def _turned(term: Term) -> Term:
    """K_ij (c_i − c_j) for K_ij (c_j − c_i)."""
    bracket = _bracket(term)
    return Term({a if a is not bracket else nf.scale(bracket, -1): k for a, k in term})


def _bracket(term: Term) -> Poly:
    """The only bracket that is a factor; 0 where there is none, or another one."""
    found = [a for a, k in term if isinstance(a, Poly) and k == 1 and len(a) > 1]
    return found[0] if len(found) == 1 else ZERO


def flat(poly: Poly) -> Poly:
    """Σ_k f_k B_ik Σ_j B_jk w_j as one Σ_kj of all factors, which is a product of matrices."""
    return raw_add(_flat(t, c) for t, c in poly)


def _flat(term: Term, c: Rational) -> Poly:
    for total, e in term:
        only = total.body.single if isinstance(total, Sum) and e == 1 else None
        if only is None or not isinstance(total, Sum):
            continue
        body = flat(total.body).single or only
        inner = [a for a, k in body[0] if isinstance(a, Sum) and k == 1 and a.body.single]
        if len(inner) != 1 or not {i.name for i in inner[0].bound}.isdisjoint(
            i.name for i in (*total.bound, *total.free)
        ):
            continue
        beside = Term({a: k for a, k in body[0] if a is not inner[0]})
        whole = raw_product([Poly({beside: body[1]}), inner[0].body])
        rest = Poly({Term({a: k for a, k in term if a is not total}): c})
        return raw_product([rest, raw_atom(Sum((*inner[0].bound, *total.bound), whole))])
    return Poly({term: c})


def apart_as_written(poly: Poly, own: Sequence[Row]) -> Poly:
    """Σ_b w_b (d_a d_b − J S_ab) as d_a Σ_b w_b d_b − J Σ_b S_ab w_b, of his (Σ_b w_b d_b)².

    But Σ_j (G_ij + G_ji) x_j stays.
    """
    own = [row for row in own if row.squared]
    return raw_add(_apart(t, c, own) for t, c in poly) if own else poly


def _apart(term: Term, c: Rational, own: Sequence[Row]) -> Poly:
    for total, e in term:
        only = total.body.single if isinstance(total, Sum) and e == 1 else None
        if only is None or not isinstance(total, Sum):
            continue
        brackets = [a for a, k in only[0] if isinstance(a, Poly) and k == 1 and len(a) > 1]
        if len(brackets) != 1:
            continue
        beside = Term({a: k for a, k in only[0] if a is not brackets[0]})
        sums = [
            raw_sum(total.bound, raw_product([Poly({beside: 1}), Poly({t: rational(d * only[1])})]))
            for t, d in brackets[0]
        ]
        his = [one for one in sums if _has_his(one, total.bound, own)]
        if not his or len({tensors_in(s) for s in sums}) < len(sums):
            continue
        left = Poly({t: d for (t, d), s in zip(brackets[0], sums, strict=True) if s not in his})
        if left.terms:
            bracket = left if left.single else raw_atom(left)
            body = raw_product([Poly({beside: only[1]}), bracket])
            his.append(raw_sum(total.bound, body))
        rest = Poly({Term({a: k for a, k in term if a is not total}): c})
        whole = raw_add(his)
        if rest.constant in (1, -1):
            return nf.scale(whole, c)
        return raw_product([rest, raw_atom(whole)])
    return Poly({term: c})


def _has_his(one: Poly, letters: Sequence[Index], own: Sequence[Row]) -> bool:
    """A sum of his with factors in front that are not summed."""
    sums = [a for a, e in one.single[0] if isinstance(a, Sum) and e == 1] if one.single else []
    within = sums[0].body.single if len(sums) == 1 else None
    return within is not None and sums[0].bound == letters and _is_one(within[0], letters, own) > 0


def _is_one(within: Term, letters: Sequence[Index], own: Sequence[Row]) -> int:
    """1 where Σ of a product is a sum of the author, in other letters, −1 with the other sign."""
    tensors, sizes = tensors_in(within), {i.size for i in letters}
    some = [row for row in own if row.tensors == tensors and row.sizes == sizes]
    if not some:
        return 0
    normal = nf.normalize(raw_sum(letters, Poly({within: 1})))
    for sign in (1, -1) if _bracket(within).terms else (1,):
        found = ((row, match(row.normal, nf.scale(normal, sign), row.letters)) for row in some)
        if any(at is not None and set(at) >= set(row.letters) for row, at in found):
            return sign
    return 0


__all__ = ["Row", "apart_as_written", "flat", "rows", "rows_of", "with_inner_sums"]
