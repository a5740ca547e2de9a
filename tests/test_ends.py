"""Masks that begin after the first component or end before the last one."""

import pytest
import sympy as sp

import symattn as sa
from symattn import normalize as nf
from symattn.convert import raise_
from symattn.ir import Delta, Index, Mask, affine, raw_atom, raw_product
from symattn.second_opinion import check

n, m = sa.sizes("n m")
i, k, l = sa.indices("i k l", n)
p = sa.indices("p", 5)[0]
j = sa.indices("j", m)[0]
x, z, h, y = sa.tensor("x", n), sa.tensor("z", n), sa.tensor("h", 5), sa.tensor("y", m)
B = sa.tensor("B", n, m)


def where(condition):
    return sp.Piecewise((1, condition), (0, True))


whole = sa.total(x[k], k)
RIGHT = {
    "all but the last": (sa.total(where(k < n - 1) * x[k], k), whole - x[n - 1]),
    "all but the first": (sa.total(where(k >= 1) * x[k], k), whole - x[0]),
    "the next ones": (sa.total(where(k < n - 1) * x[k + 1], k), whole - x[0]),
    "telescope": (sa.total(where(k <= n - 2) * (x[k + 1] - x[k]), k), x[n - 1] - x[0]),
    "each of five": (
        sa.total(h[p] ** 2, p),
        h[0] ** 2 + h[1] ** 2 + h[2] ** 2 + h[3] ** 2 + h[4] ** 2,
    ),
    "by parts": (
        sa.total(where(k < n - 1) * x[k] * (z[k + 1] - z[k]), k),
        x[n - 1] * z[n - 1] - x[0] * z[0] - sa.total(where(k >= 1) * z[k] * (x[k] - x[k - 1]), k),
    ),
    "neighbours": (sa.total(x[k - 1] * z[k + 1], k), sa.total(x[k] * z[k + 2], k)),
    "mirrored": (sa.total(x[k] * z[-k], k), sa.total(z[k] * x[-k], k)),
    "three of five": (sa.total(where(p <= 2) * h[p], p), h[0] + h[1] + h[2]),
    "the last two of five": (sa.total(where(p > 2) * h[p], p), h[3] + h[4]),
    # δ(k, 1) is 0 where k takes one value only
    "two of n": (where(k <= 1), sa.delta(k, 0) + sa.delta(k, 1)),
    "counted from the end": (
        sa.total(where(i + 1 < n - 1 - k), k),
        sa.total(where(i + 1 < k), k),
    ),
    "a band from the end": (
        sa.total(where(i - 1 <= k) * where(k <= i + 1) * B[k, 0], k),
        sa.total(where(i - 1 <= n - 1 - k) * where(n - 1 - k <= i + 1) * B[n - 1 - k, 0], k),
    ),
    "decays from the end": (
        sa.total(where(i < k) * sp.exp(-k), k),
        sa.total(where(i + k < n - 1) * sp.exp(k - n + 1), k),
    ),
    "below and above": (
        sa.total(where(i - 1 <= k) * where(k <= i) * x[k], k) + sa.total(where(i < k) * x[k], k),
        sa.total(where(i - 1 <= k) * x[k], k),
    ),
    "a mask that a shift leaves nothing of": (
        sa.total(where(k < i - 1) * sa.delta(k + 1, i) * x[k], k) + x[i],
        x[i],
    ),
    "a band in two": (
        sa.total(where(i - 1 <= k) * where(k <= i + 1), k) * where(l >= 0),
        sa.total(where(i - 1 <= k) * where(k <= i + 1) * where(l <= k), k)
        + sa.total(where(i - 1 <= k) * where(k <= i + 1) * where(k < l), k),
    ),
    "the mask itself": (where(k < n - 1), 1 - sa.delta(k, n - 1)),
}
WRONG = {
    "four of five": (sa.total(h[p], p), h[0] + h[1] + h[2] + h[3]),
    "one of them twice": (sa.total(h[p], p), h[0] + h[1] + h[2] + h[3] + h[3]),
    "by parts, another neighbour": (
        sa.total(where(k < n - 1) * x[k] * (z[k + 1] - z[k]), k),
        x[n - 1] * z[n - 1]
        - x[0] * z[0]
        - sa.total(where(k >= 1) * z[k - 1] * (x[k] - x[k - 1]), k),
    ),
    "neighbours in order": (sa.total(x[k - 1] * z[k + 1], k), sa.total(x[k] * z[k - 2], k)),
    "neighbours of another axis": (
        sa.total(B[k - 1, j] * y[j], k, j),
        sa.total(B[k, j] * y[j - 1], k, j),
    ),
    "mirrored once": (sa.total(x[k] * z[-k], k), sa.total(z[k] * x[1 - k], k)),
    "counted from the end, one more": (
        sa.total(where(i + 1 <= n - 1 - k), k),
        sa.total(where(i + 1 < k), k),
    ),
    "a band from the end, one less": (
        sa.total(where(i - 1 <= k) * where(k <= i + 1) * B[k, 0], k),
        sa.total(where(i - 1 <= n - 1 - k) * where(n - 1 - k <= i) * B[n - 1 - k, 0], k),
    ),
    "decays from the end, one step more": (
        sa.total(where(i < k) * sp.exp(-k), k),
        sa.total(where(i + k < n - 1) * sp.exp(k - n), k),
    ),
    "below and above, and one twice": (
        sa.total(where(i - 1 <= k) * where(k <= i) * x[k], k) + sa.total(where(i <= k) * x[k], k),
        sa.total(where(i - 1 <= k) * x[k], k),
    ),
    "a mask that a shift leaves one of": (
        sa.total(where(k <= i - 1) * sa.delta(k + 1, i) * x[k], k) + x[i],
        x[i],
    ),
    "a band in two, and one twice": (
        sa.total(where(i - 1 <= k) * where(k <= i + 1), k) * where(l >= 0),
        sa.total(where(i - 1 <= k) * where(k <= i + 1) * where(l <= k), k)
        + sa.total(where(i - 1 <= k) * where(k <= i + 1) * where(k <= l), k),
    ),
    "one more": (sa.total(where(k <= n - 1) * x[k], k), whole - x[n - 1]),
    "one less": (sa.total(where(k < n - 2) * x[k], k), whole - x[n - 1]),
    "the last but one": (sa.total(where(k < n - 1) * x[k], k), whole - x[n - 2]),
    "a sign": (sa.total(where(k <= n - 2) * (x[k + 1] - x[k]), k), x[n - 1] + x[0]),
    "another one of five": (sa.total(where(p <= 2) * h[p], p), h[0] + h[1] + h[3]),
    "the third one of two": (sa.total(where(k <= 1) * x[k], k), x[0] + x[2]),
    "another length": (sa.total(where(j < n - 1) * y[j], j), sa.total(y[j], j) - y[m - 1]),
}


@pytest.mark.parametrize("name", RIGHT)
def test_ends_are_proved_with_a_certificate(name):
    verdict = sa.prove(*RIGHT[name], certificate=True)
    assert verdict.status == "proved", str(verdict)
    opinion = check(verdict.certificate)
    assert opinion.ok, opinion.problem


@pytest.mark.parametrize("name", WRONG)
def test_near_misses_are_not_proved(name):
    assert sa.prove(*WRONG[name]).status != "proved"


def test_a_delta_that_sympy_does_not_end_with_is_shown():
    a, b = Index("a", n + 1), Index("b", n + 1)
    shown = raise_(raw_atom(Delta(b, affine({a: -1}, 2 * n))))
    assert str(shown) == "KroneckerDelta(Mod(2*n - a, n + 1), b)"


@pytest.mark.parametrize("turn", [(0, 1), (1, 0)])
def test_the_letter_that_stands_alone_in_a_delta_is_nothing_special(turn):
    """Σ_kl [k ≤ l] δ_{i,k+l} is one sum, whichever of k and l is called the first."""
    first, second = (Index(str(c), n, -1) for c in turn)
    around = Delta(Index("i", n), affine({first: 1, second: 1}))
    body = raw_product([raw_atom(around), raw_atom(Mask(affine({second: 1, first: -1})))])
    found = nf.sum_over([first, second], nf.normalize(body))
    k_, l_ = Index("k", n), Index("l", n)
    named = nf.substitute(nf.normalize(body), {first: k_, second: l_})
    assert found is nf.sum_over([k_, l_], named)


def test_tangents_through_a_delta_of_several_letters_have_steps_that_hold():
    around = sp.KroneckerDelta(i, sp.Mod(k + l, n))
    d = sa.define("D", (i,), sa.total(around * where(l <= k) * x[i], k, l))
    assert sa.jvp(sa.System(d), output="D", wrt=("x",))["D"].check_steps()
