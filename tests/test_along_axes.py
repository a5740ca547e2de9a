"""Sums along parts of an axis, from its end and shifted, beside masks; sizes one by one.

Each beside what is one slip away.
"""

from dataclasses import replace

import pytest
import sympy as sp

import symattn as sa
from symattn import axis_moves
from symattn import normalize as nf
from symattn.second_opinion import check
from symattn.steps import GOOD, StepNumbers
from symattn.verify import Run

(n,) = sa.sizes("n")
i, j, k, l = sa.indices("i j k l", n)
(p,) = sa.indices("p", n - 1)
x, y, A = sa.tensor("x", n), sa.tensor("y", n), sa.tensor("A", n, n)
T, where, delta = sa.total, sa.iverson, sa.delta
S = sa.define("S", (i,), T(where(k <= i) * x[k], k))
around = sa.define("f", (), T((x[k + 1] - x[k]) ** 2, k))
along = sa.define("g", (), T(where(k <= n - 2) * (x[k + 1] - x[k]) ** 2, k))
whole = T(x[k], k)

# name: (left, right, a near miss of the right, what is given)
CASES = {
    "around an axis": (x[n + i], x[i], x[i - 1], None),
    "twice around": (A[i, 2 * n + j - 1], A[i, j - 1], A[i, j + 1], None),
    "all but the first": (T(x[p + 1], p) + x[0], whole, whole + x[0], None),
    "all but the first, later": (T(x[p + 2], p) + x[1], whole, whole + x[0], None),
    "a product": (
        T(x[p + 1] * A[i, p + 1], p),
        T(x[k] * A[i, k], k) - x[0] * A[i, 0],
        T(x[k] * A[i, k], k),
        None,
    ),
    "all or none": (
        where(sp.Le(0, n - 2)) * x[i] + where(sp.Le(0, 1 - n)) * x[i],
        x[i],
        2 * x[i],
        None,
    ),
    "two ends": (delta(0, i) * delta(n - 1, i) * x[i], where(sp.Le(n, 1)) * x[i], 0 * x[i], None),
    "from the end": (
        T(where(k <= i) * x[k], k),
        T(where(n - 1 - i <= k) * x[n - 1 - k], k),
        T(where(n - i <= k) * x[n - 1 - k], k),
        None,
    ),
    "masks that exclude": (
        x[i] + where(i < j) * where(j < k) * where(k < i),
        x[i],
        x[i] + where(i < j),
        None,
    ),
    "masks that imply": (
        where(i < j) * where(j < k) * where(i < k) * A[i, k],
        where(i < j) * where(j < k) * A[i, k],
        where(i < j) * where(i < k) * A[i, k],
        None,
    ),
    "shifted": (
        T(where(k < j) * x[k + 1], k),
        T(where(k <= j) * x[k], k) - x[0] + 0 * x[j],
        T(where(k < j) * x[k], k) - x[0],
        None,
    ),
    "near two ends": (
        where(i + j <= n - 1) * A[i, j],
        where(i + j <= n - 2) * A[i, j] + delta(j, n - 1 - i) * A[i, j],
        where(i + j <= n - 2) * A[i, j],
        None,
    ),
    "a difference of partial sums": (S[i] - S[i - 1], x[i] - delta(0, i) * S[n - 1], x[i], S),
    "the last partial sum": (S[n - 1] - S[n - 2], x[n - 1], x[n - 2], S),
    "a derivative by the first": (
        sa.partial(along, x[0]),
        2 * (x[0] - x[1]),
        2 * (x[0] - x[n - 1]),
        along,
    ),
    "by the last": (
        sa.partial(along, x[n - 1]),
        2 * (x[n - 1] - x[n - 2]),
        2 * (x[n - 1] - x[0]),
        along,
    ),
    "around, by the last": (
        sa.partial(around, x[n - 1]),
        4 * x[n - 1] - 2 * x[n - 2] - 2 * x[0],
        4 * x[n - 1] - 2 * x[n - 2],
        around,
    ),
    "by an inner one": (
        sa.partial(around, x[2]),
        4 * x[2] - 2 * x[1] - 2 * x[3],
        4 * x[2] - 2 * x[1] - 2 * x[4],
        around,
    ),
    "by any": (
        sa.partial(along, x[i]),
        2 * where(i >= 1) * (x[i] - x[i - 1]) - 2 * where(i <= n - 2) * (x[i + 1] - x[i]),
        4 * x[i] - 2 * x[i - 1] - 2 * x[i + 1],
        along,
    ),
}
F = sa.tensor("F", n, n, antisymmetric=True)
CASES["to and fro"] = (T(F[k, n - 1 - k], k) + x[0], x[0], x[0] + F[0, n - 1], None)
FREE = (i, j, k)


def asked(left, right, given, **more):
    over = [
        letter for letter in FREE if letter in left.free_symbols | sp.sympify(right).free_symbols
    ]
    bound = {v for e in (left, sp.sympify(right)) for s in e.atoms(sp.Sum) for v in s.variables}
    return sa.prove(left, right, given=given, over=[x for x in over if x not in bound], **more)


@pytest.mark.parametrize("name", CASES)
def test_what_is_true_is_proved_and_a_slip_is_not(name):
    left, right, wrong, given = CASES[name]
    verdict = asked(left, right, given)
    assert verdict.status == "proved" and not verdict.trivial, str(verdict)
    assert asked(left, wrong, given).status == "refuted"


LOGGED = ("around an axis", "a product", "from the end", "masks that exclude", "near two ends")
LOGGED += ("to and fro", "a difference of partial sums", "by any")


@pytest.mark.parametrize("name", LOGGED)
def test_proofs_along_axes_have_logs(name):
    left, right, _, given = CASES[name]
    opinion = check(asked(left, right, given, certificate=True).certificate)
    assert opinion.ok, opinion.problem


def test_a_log_that_begins_elsewhere_is_refused(monkeypatch):
    """Σ_{p<n−1} x_{p+1} is not Σ_k [k ≥ 1] x_{k+1}, whatever the engine says."""
    right = axis_moves.whole

    def shifted(body, letter, bound):
        found = right(body, letter, bound)
        return found and (found[0], found[1] + 1, found[2])

    left, other, _, _ = CASES["all but the first"]
    monkeypatch.setattr(axis_moves, "whole", shifted)
    with pytest.raises(sa.SymattnError):
        opinion = check(sa.prove(left, other, certificate=True).certificate)
        assert not opinion.ok
        raise sa.SymattnError(opinion.problem)


def test_numbers_that_hang_on_sizes_are_said():
    left, right, _, given = CASES["the last partial sum"]
    assert asked(left, right, given).conditions == ("n - 2 ≥ 0",)
    left, right, _, given = CASES["by an inner one"]
    assert asked(left, right, given).conditions == ("n - 4 ≥ 0",)
    assert sa.prove(x[i], x[i]).conditions == ()


def test_a_second_draw_keeps_what_is_declared():
    F = sa.tensor("F", n, n, antisymmetric=True)
    G = sa.tensor("G", n, n, positive_definite=True)
    system = sa.System(sa.define("d", (), T(F[i, j] * G[i, j], i, j)))
    run = Run(system, 0, None)
    again = run._drawn_again(0)
    assert (again["F"] == -again["F"].T).all() and (again["G"] == run.arrays["G"]).all()


def test_small_sizes_have_a_log_each():
    left, right, _, given = CASES["two ends"]
    log = asked(left, right, given, certificate=True).certificate
    assert log["cases"]["size"] == "n" and check(log).ok


def test_steps_far_out_are_looked_at_nearer_by():
    """sin e^x has no derivative by differences where x is 24; a wrong step is wrong near 0, too."""
    X = sa.tensor("X", n)
    far = sa.define("far", (), sp.sin(sp.exp(9 * T(X[i] ** 2, i))))
    (d,) = sa.backward(sa.System(far), output="far", wrt=("X",)).values()
    assert d.check_steps(0).ok
    for step in d.steps:
        twice = replace(step, raw_after=nf.scale(step.raw_after, 2))
        assert StepNumbers(d).error(twice) > GOOD
