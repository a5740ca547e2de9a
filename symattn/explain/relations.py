"""Comparisons, of values and of indices: [x ≥ y] and [j ≤ i]."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from ..ir import ONE_TERM, Call, Index, Poly, Ref, Slot, affine, slot_items
from .naming import place


def indicator(u: Poly, more: str, less: str, show: Callable[[Poly], str]) -> str:
    r"""[u ≥ 0] as \mathbf{1}[x \ge y]."""
    return rf"\mathbf{{1}}[{relation(u, more, less, show)}]"


def relation(u: Poly, more: str, less: str, show: Callable[[Poly], str]) -> str:
    r"""u ≥ 0 with what is subtracted on the other side, x \ge y; of three names as it stands."""
    ((term, front),) = u if len(u) == 1 else ((ONE_TERM, 0),)
    ((only, e),) = term if len(term.powers) == 1 else ((None, 0),)
    if isinstance(only, Poly) and e == 1 and front in (1, -1):  # a bracket of the author's
        return relation(Poly({t: front * c for t, c in only}), more, less, show)
    if len(u) > 2 and ONE_TERM not in u.terms:
        positive = 2 * sum(c > 0 for _, c in u) >= len(u)
        side = u if positive else Poly({t: -c for t, c in u})
        return f"{show(side)} {more if positive else less} 0"
    more_than = [(t, c) for t, c in u if c > 0 and t is not ONE_TERM]
    less_than = [(t, -c) for t, c in u if c < 0 and t is not ONE_TERM]
    c = u.terms.get(ONE_TERM, 0)
    turned = not more_than
    both, other = (less_than, more_than) if turned else (more_than, less_than)
    plain = [(t, d) for t, d in both if len(t.powers) == 1 and not t.free]
    names = all(isinstance(a, Ref) for t, _ in both for a in t.powers)
    if names and len(plain) == 1 and len(both) == 2 and not other and not c:  # x_i > −c
        both.remove(plain[0])
        other.append((plain[0][0], -plain[0][1]))
    names = bool(more_than and less_than) and ONE_TERM not in u.terms
    left, right = (less_than, more_than) if turned else (more_than, less_than)
    c = c if turned else -c
    (right if c > 0 or not right else left).append((ONE_TERM, c if c > 0 or not right else -c))
    sign = less if turned else more
    calls = any(isinstance(a, Call) for t, _ in right for a, _ in t)
    if not turned and (calls or (more == "<" and names)):  # x > t of max(0, x − t)
        left, right, sign = right, left, less  # |r| ≤ c
    return f"{show(Poly(dict(left)))} {sign} {show(Poly(dict(right)))}"


def comparison(s: Slot) -> str:
    r"""s ≥ 0 as j \le i; t > 1 and t \ge 3 of one letter where the author counts from 1."""
    from .notation import current

    items, const = slot_items(s)
    if len(items) == 1 and set(items.values()) == {1} and const.is_Integer and current().origin:
        least = affine({}, -const if const != -1 else sp.S.Zero)
        return f"{place(affine(items))} {'>' if const == -1 else chr(92) + 'ge'} {place(least)}"
    up = {i: c for i, c in items.items() if c > 0}
    down = {i: -c for i, c in items.items() if c < 0}
    strict = const == -1
    sign = "<" if strict else r"\le"
    return f"{_side(down, sp.S.Zero)} {sign} {_side(up, sp.S.Zero if strict else const)}"


def _side(items: dict[Index, int], const: sp.Expr) -> str:
    return place(affine(items, const))
