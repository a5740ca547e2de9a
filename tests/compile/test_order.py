"""Which pair of arrays is contracted first."""

from __future__ import annotations

import re
from itertools import combinations, product

import pytest
import sympy as sp

import symattn.syntax as sa
from symattn import backward, compile
from symattn.compile.nodes import Label
from symattn.compile.order import first_pair, lengthy, scenarios

LETTERS = {x: Label(x, sp.Symbol(x, positive=True, integer=True)) for x in "ijklmnpq"}
LETTERS |= {x: Label(x, LETTERS["m"].size) for x in "ab"}  # two letters of one size


def labels(text):
    return tuple(LETTERS[x] for x in text)


def first(subscripts):
    inputs, out = subscripts.split("->")
    return first_pair([labels(x) for x in inputs.split(",")], labels(out))


def works(left, out, sizes):
    """(first pair, work) of every order, counted by hand."""
    if len(left) == 1:
        yield None, 0
        return
    for a, b in combinations(range(len(left)), 2):
        rest = [x for k, x in enumerate(left) if k not in (a, b)]
        union = set(left[a]) | set(left[b])
        made = {x for x in union if x in out or any(x in y for y in rest)}
        work = (1 + (made != union)) * sp.prod(sizes[x] for x in union)
        for _, more in works([*rest, "".join(sorted(made))], out, sizes):
            yield (a, b), work + more


@pytest.mark.parametrize(
    "subscripts",
    ["ij,jk,k->i", "ij,jk,kl,l->i", "ia,ib,i->ab", "ijk,jl,kl,m->im", "ij,jk,kl,li,i->j"],
)
def test_the_least_work_over_all_sizes(subscripts):
    inputs, out = subscripts.split("->")
    letters = set(subscripts) - set(",->")
    symbols = frozenset(LETTERS[x].size for x in letters)
    totals = {}
    for case in scenarios(symbols):
        sizes = {x: case[LETTERS[x].size] for x in letters}
        orders = works(inputs.split(","), out, sizes)
        for k, (pair, work) in enumerate(orders):
            totals.setdefault((k, pair), []).append(work)
    cost = {key: sp.Float(sum(sp.log(w).evalf() for w in found)) for key, found in totals.items()}
    least = min(cost.values())
    chosen = first(subscripts)
    assert min(c for (_, pair), c in cost.items() if pair == chosen) <= least + 1e-6


def test_of_equal_orders_the_first():
    assert first("ia,ib,i->ab") == (0, 2)
    assert first("i,ia,ib->ab") == (0, 1)


def test_a_chain_of_many():
    """A vector at the end of a chain of matrices is multiplied first."""
    assert first("ij,jk,kl,lm,mn,np,p->i") == (5, 6)
    assert first("i,ij,jk,kl,lm,mn,np->p") == (0, 1)


def test_pairs_are_in_order():
    for out in ("", "i", "j"):
        for a, b in product(("ij", "jk"), ("ik", "k")):
            pair = first(f"{a},{b},ji->{out}")
            assert pair[0] < pair[1]


def test_what_is_paired_is_long():
    """Entities beside relations and features; without pairs it is the first axis."""
    n, k, d = (LETTERS[x].size for x in "nkm")
    assert lengthy([(k, d), (n, d), (k, n, n)]) == {n}
    assert lengthy([(n, d), (d, d)]) == lengthy([(n, d)]) == {n}
    assert lengthy([(n, n), (n,)]) == {n} and lengthy([(n, d), (d, n)]) == set()


def test_relations_of_entities_make_no_array_of_all_pairs():
    (n, d, k), (i, j), (a,), (c,) = (
        sa.sizes("n d k"), sa.indices("i j", sa.sizes("n")[0]), sa.indices("a", sa.sizes("d")[0]),
        sa.indices("c", sa.sizes("k")[0]),
    )  # fmt: skip
    E, R = sa.tensor("E", n, d), sa.tensor("R", k, d)
    S = sa.define("S", (c, i, j), sa.total(E[i, a] * R[c, a] * E[j, a], a))
    L = sa.define("L", (), sa.total(sp.log(1 + sp.exp(S[c, i, j])), c, i, j))
    f = compile(backward(sa.System(S, L), output="L", wrt=("E", "R")))
    assert f.cost.largest.subs({n: 1000, d: 30, k: 2}) == 2 * 1000**2  # S, not n × n × d


def test_steps_through_a_network_are_accumulated():
    """W̄ = Σ (x + f/2)(1 − h²) h̄ is one contraction a step; 1 − h² is around no mean, for which
    the formula, with two of them, would be taken."""
    n, d, k = sa.sizes("n d k")
    (i,), (a,), (c,) = sa.indices("i", n), sa.indices("a", d), sa.indices("c", k)
    X, W, V = sa.tensor("X", n, d), sa.tensor("W", d, k), sa.tensor("V", k, d)
    defs, at = [], X[i, a]
    for s in range(4):
        h = sa.define(f"h_{s}", (i, c), sp.tanh(sa.total(at * W[a, c], a)))
        f = sa.define(f"f_{s}", (i, a), sa.total(h[i, c] * V[c, a], c))
        defs, at = [*defs, h, f], X[i, a] + f[i, a] / (20 if s < 2 else 10)
    steps = [f[i, a] * w for f, w in zip(defs[1::2], (1, 2, 2, 1), strict=True)]
    Y = sa.define("Y", (i, a), X[i, a] + sum(steps) / 60)
    system = sa.System(*defs, Y)
    bars = backward(system, output="Y", wrt=("X", "W", "V"))
    body = compile({"Y": Y, "g": bars}, given=system).source.split("def compute")[1]
    assert len(re.findall(r'(?:matmul|einsum)\("ia,ic->ac"', body)) == 4


def test_what_comes_in_is_not_scaled():
    """Σ_i z_ki x_im t_i: z is computed, and x t would be an array of its own."""
    shapes = [labels(x) for x in ("ki", "im", "i")]
    assert first_pair(shapes, labels("km"), given=[1, 2]) == (0, 2)
    assert first_pair(shapes, labels("km"), given=[0, 2]) == (1, 2)
