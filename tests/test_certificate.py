"""Certificates: every proof passes the second opinion, altered and wrong ones do not."""

import ast
import json
import random
import re
import sys
from fractions import Fraction
from itertools import islice, permutations
from pathlib import Path

import pytest
import sympy as sp

import symattn as sa
from symattn import gallery, second_opinion
from symattn.cli import WELL
from symattn.cli.certificates import claims, examined
from symattn.identities import identities
from symattn.objects import Partial
from symattn.primitives import step as unit_step
from symattn.second_opinion import check

ALL = [i for i in identities()]
N = ["ref", "n", []]


def certificate(lhs, rhs, given=None, **more):
    verdict = sa.prove(lhs, rhs, given=given, certificate=True, **more)
    assert verdict.status == "proved", str(verdict)
    return json.loads(json.dumps(verdict.certificate))


# ------------------------------------------------------------------------------- right proofs


@pytest.mark.parametrize("identity", ALL, ids=[i.name for i in ALL])
def test_every_identity_has_a_certificate_that_passes(identity):
    opinion = check(certificate(identity.left, identity.right, identity.given))
    assert opinion.ok, opinion.problem
    assert all(step.rederived for step in opinion.steps)
    assert any(step.points for step in opinion.steps)


def matrices():
    (n,) = sa.sizes("n")
    i, j, k = sa.indices("i j k", n)
    M, A = sa.tensor("M", n, n), sa.tensor("A", n, n)
    inverse = sa.inverse(M)
    D = sa.define("D", (i, j), inverse[i, j])
    ld = sa.define("ld", (), sa.logdet(M))
    tr = sa.define("tr", (), sa.total(inverse[i, j] * A[j, i], i, j))
    yield "M M⁻¹", sa.total(M[i, j] * inverse[j, k], j), sa.delta(i, k), None
    yield (
        "∂M⁻¹",
        Partial(D[i, j], M[k, k]),
        -inverse[i, k] * inverse[k, j],
        sa.System(D),
    )
    yield "∂ log det", Partial(ld.tensor, M[i, j]), inverse[j, i], sa.System(ld)
    (p, q) = sa.indices("p q", n)
    yield (
        "∂ tr(M⁻¹A)",
        Partial(tr.tensor, M[i, j]),
        -sa.total(inverse[p, i] * inverse[j, q] * A[q, p], p, q),
        sa.System(tr),
    )


def losses():
    n, m, d = sa.sizes("n m d")
    (i,), (j,), (a,) = sa.indices("i", n), sa.indices("j", m), sa.indices("a", d)
    Q, K, V = sa.tensor("Q", n, d), sa.tensor("K", m, d), sa.tensor("V", m, d)
    S = sa.define("S", (i, j), sa.total(Q[i, a] * K[j, a], a))
    O = sa.define("O", (i, a), sa.total(sp.tanh(S[i, j]) * V[j, a], j))
    L = sa.loss("L", of="O")
    yield (
        "∂L/∂V",
        sa.partial(L, V[j, a]),
        sa.total(sp.tanh(S[i, j]) * sa.partial(L, O[i, a]), i),
        sa.System(S, O),
    )
    yield (
        "∂L/∂Q",
        sa.partial(L, Q[i, a]),
        sa.total(sa.partial(L, S[i, j]) * K[j, a], j),
        sa.System(S, O),
    )
    f = sp.Function("f")
    w, x = sa.tensor("w"), sa.tensor("x", n)
    y = sa.define("y", (), sa.total(f(w * x[i]) ** 2, i))
    slope = f(w * x[i]) * sa.partial(y.tensor, w)
    other = sa.total(f(w * x[i]), i) * sa.partial(y, w)
    yield "∂f(wx)²/∂w", sa.total(slope, i), other, sa.System(y)


def orders_and_shifts():
    (n,) = sa.sizes("n")
    i, j, k = sa.indices("i j k", n)
    A, Y = sa.tensor("A", n, n), sa.tensor("Y", n, n, symmetric=True)
    x, y = sa.tensor("x", n), sa.tensor("y", n)
    below = sa.total(sa.iverson(i < j) * (A[i, j] + A[j, i]), i, j)
    trace, whole = sa.total(Y[i, i], i), sa.total(Y[i, j], i, j)
    yield "below and above", below, sa.total(A[i, j], i, j) - sa.total(A[i, i], i), None
    yield "half of it", sa.total(sa.iverson(i < j) * Y[i, j], i, j), (whole - trace) / 2, None
    yield "half and half", sa.total(sa.iverson(i <= j) * Y[i, j], i, j), (whole + trace) / 2, None
    D = sa.define("D", (i,), x[i - 1] * y[i])
    shifted = sa.delta(k, sp.Mod(i - 1, n)) * y[i]
    yield "∂ at a shifted index", sa.partial(D[i], x[k]), shifted, sa.System(D)
    L = sa.loss("L", of="D")
    chain = sa.total(sa.partial(L, D[i]) * shifted, i)
    yield "∂L at a shifted index", sa.partial(L, x[k]), chain, sa.System(D)


def layer_norm():
    (n,) = sa.sizes("n")
    i, k = sa.indices("i k", n)
    x, w = sa.tensor("x", n), sa.tensor("w", n)
    mu = sa.define("mu", (), sa.total(x[i], i) / n)
    va = sa.define("va", (), sa.total((x[i] - mu.tensor) ** 2, i) / n)
    N = sa.define("N", (i,), (x[i] - mu.tensor) / sp.sqrt(va.tensor))
    L = sa.define("L", (), sa.total(N[i] * w[i], i))
    means = sa.total(w[i], i) / n, sa.total(w[i] * N[i], i) / n
    slope = (w[k] - means[0] - N[k] * means[1]) / sp.sqrt(va.tensor)
    yield "layer norm", sa.partial(L.tensor, x[k]), slope, sa.System(mu, va, N, L)


def folded_inverses():
    n, m = sa.sizes("n m")
    (i,), (a, b) = sa.indices("i", n), sa.indices("a b", m)
    X, y, r = sa.tensor("X", n, m), sa.tensor("y", n), sa.tensor("r", positive=True)
    M = sa.define("M", (a, b), sa.total(X[i, a] * X[i, b], i) + r * sa.delta(a, b))
    inverse = sa.inverse(M)
    hat = sa.total(inverse[a, b] * sa.total(X[i, a] * X[i, b], i), a, b)
    yield "trace of the hat", hat, m - r * sa.total(inverse[a, a], a), sa.System(M)
    w = sa.define("w", (a,), sa.total(inverse[a, b] * X[i, b] * y[i], b, i))
    gap = sa.total(X[i, a] * (sa.total(X[i, b] * w[b], b) - y[i]), i)
    yield "normal equations", gap + r * w[a], 0 * r, sa.System(M, w)
    yield "a symmetric inverse", inverse[a, b], inverse[b, a], sa.System(M)


def countings():
    (n,) = sa.sizes("n")
    i, j = sa.indices("i j", n)
    y = sa.tensor("y", n)
    yield "[j < i]", sa.total(sa.iverson(j < i) * y[i], i, j), sa.total(i * y[i], i), None
    yield "[j ≥ i]", sa.total(y[i] * sa.iverson(j >= i), i, j), sa.total((n - i) * y[i], i), None
    yield "all entries", sa.total(y[i - 1] ** 2, i), sa.total(y[i] ** 2, i), None
    yield "Σ i²", sa.total(i**2, i), n * (n - 1) * (2 * n - 1) / 6, None


def kinks():
    x, y = sa.tensor("x"), sa.tensor("y")

    yield "a rectifier", sp.Max(0, x) * y, x * unit_step(x) * y, None
    yield "the larger by |x − y|", sp.Max(x, y), (x + y + sp.Abs(x - y)) / 2, None
    z = sa.define("z", (), x + sp.exp(y) + 1)
    yield "never above", sp.Max(x, z.tensor) * y, z.tensor * y, sa.System(z)


def exponents():
    a, k = sa.tensor("a"), sa.tensor("k")
    yield "k^{1/(1−a)}", k ** (a / (1 - a)) * k, k ** (1 / (1 - a)), None


MORE = [
    *kinks(),
    *exponents(),
    *matrices(),
    *losses(),
    *orders_and_shifts(),
    *layer_norm(),
    *folded_inverses(),
    *countings(),
]


@pytest.mark.parametrize("name, left, right, given", MORE, ids=[m[0] for m in MORE])
def test_inverses_losses_shifts_and_norms_pass(name, left, right, given):
    opinion = check(certificate(left, right, given))
    assert opinion.ok, opinion.problem


# ------------------------------------------------------------------------------- wrong proofs


def by_hand(lhs, rhs, *steps, free=(), tensors=None, definitions=None, facts=()):
    """A certificate that nobody has proved."""
    declared = {
        name: {"shape": shape, "positive": False, "symmetry": "", "role": "input", "of": []}
        for name, shape in (tensors or {}).items()
    }
    for name in definitions or ():
        declared[name]["role"] = "definition"
    return {
        "format": "symattn certificate 3",
        "claim": {"lhs": lhs, "rhs": rhs, "free": list(free)},
        "sizes": ["m", "n"],
        "tensors": declared,
        "definitions": definitions or {},
        "facts": list(facts),
        "steps": [{"side": [], **step} for step in steps],
    }


def step(law, path, before, after, **more):
    return {"law": law, "at": path, "before": before, "after": after, **more}


def ref(name, *slots):
    return ["ref", name, list(slots)]


def total(letter, body, size=N):
    return ["sum", [[letter, size]], body]


def affine(*items, const="0"):
    return ["affine", [list(item) for item in items], const]


M_SIZE = ["ref", "m", []]
FIRST = {"of": "0"}
TWICE = ["mul", "2", N]
END = step("normal form", [], ["add", "1", ["mul", "-1", "1"]], "0")


def mask(up, down, const="0"):
    """[up − down + const ≥ 0]."""
    return ["mask", affine((up, "1"), (down, "-1"), const=const)]


def trace_of_a_stochastic_matrix():
    fact = {"letters": [["@i", N]], "lhs": total("@j", ref("A", "@i", "@j")), "rhs": "1"}
    trace = total("@j", ref("A", "@j", "@j"))
    one = step("fact", [1], trace, "1", **FIRST, instance={"@i": "@j"})
    return by_hand(trace, "1", one, END, tensors={"A": [N, N]}, facts=[fact])


def stochastic_matrix_in_the_scope_of_its_sum():
    fact = {"letters": [["@i", N]], "lhs": total("@j", ref("A", "@i", "@j")), "rhs": "1"}
    twice = total("@i", total("@j", ref("A", "@i", "@i")))
    one = step(
        "fact", [1, 2], total("@j", ref("A", "@i", "@i")), "1", **FIRST, instance={"@i": "@i"}
    )
    last = step("normal form", [], ["add", total("@i", "1"), ["mul", "-1", N]], "0")
    return by_hand(twice, N, one, last, tensors={"A": [N, N]}, facts=[fact])


def cumulative_sum_at_a_shifted_index():
    body = total("@j", ["mul", mask("@i", "@j"), ref("x", "@j")])
    shifted = affine(("@i", "1"), const="-1")
    claimed = total("@j", ["mul", mask("@i", "@j", "-1"), ref("x", "@j")])
    one = step("definition", [1], ref("B", shifted), claimed, of="B", instance={"@i": shifted})
    last = step("normal form", [], ["add", claimed, ["mul", "-1", claimed]], "0")
    return by_hand(
        ref("B", shifted), claimed, one, last,
        free=[["@i", N]], tensors={"x": [N], "B": [N]},
        definitions={"B": {"letters": [["@i", N]], "body": body}},
    )  # fmt: skip


def fact_at_a_shifted_index():
    body = total("@j", ["mul", mask("@i", "@j"), ref("y", "@j")])
    fact = {"letters": [["@i", N]], "lhs": ref("x", "@i"), "rhs": body}
    shifted = affine(("@i", "1"), const="-1")
    claimed = total("@j", ["mul", mask("@i", "@j", "-1"), ref("y", "@j")])
    one = step("fact", [1], ref("x", shifted), claimed, **FIRST, instance={"@i": shifted})
    last = step("normal form", [], ["add", claimed, ["mul", "-1", claimed]], "0")
    return by_hand(
        ref("x", shifted), claimed, one, last,
        free=[["@i", N]], tensors={"x": [N], "y": [N]}, facts=[fact],
    )  # fmt: skip


def masks_between_ranges():
    body = ["add", mask("@i", "@a"), ["mul", "-1", mask("@i", "@a", "-1")]]
    lhs = total("@a", body, M_SIZE)
    delta = total("@a", ["delta", "@a", "@i"], M_SIZE)
    split = ["add", mask("@i", "@a", "-1"), ["delta", "@i", "@a"]]
    one = step("normal form", [1, 2, 1], mask("@i", "@a"), split)
    two = step(
        "normal form", [1, 2], ["add", split, ["mul", "-1", mask("@i", "@a", "-1")]],
        ["delta", "@a", "@i"],
    )  # fmt: skip
    three = step("normal form", [1], delta, "1")
    return by_hand(lhs, "1", one, two, three, END, free=[["@i", N]])


def delta_between_ranges():
    inner = ["mul", ["delta", "@a", "@i"], ref("v", "@a")]
    lhs, rhs = total("@a", total("@i", inner), M_SIZE), total("@a", ref("v", "@a"), M_SIZE)
    one = step("normal form", [1, 2], total("@i", inner), ref("v", "@a"))
    last = step("normal form", [], ["add", rhs, ["mul", "-1", rhs]], "0")
    return by_hand(lhs, rhs, one, last, tensors={"v": [M_SIZE]})


def argmax_scaled_by_what_may_be_zero():
    scaled = ["mul", ["max", [], ["0", ref("w")]], ref("x", "@k")]
    lhs = ["argmax", ["@j"], [["@k", N]], scaled]
    rhs = ["argmax", ["@j"], [["@k", N]], ref("x", "@k")]
    one = step("normal form", [1], lhs, rhs)
    last = step("normal form", [], ["add", rhs, ["mul", "-1", rhs]], "0")
    return by_hand(lhs, rhs, one, last, free=[["@j", N]], tensors={"w": [], "x": [N]})


def derivative_of_what_a_fact_ties():
    fact = {
        "letters": [["@i", N]],
        "lhs": ref("z", "@i"),
        "rhs": ["mul", ref("x", "@i"), ref("y", "@i")],
    }
    lhs = ["d", ref("L"), ref("x", "@j")]
    one = step("derivative", [1], lhs, "0", body="")
    last = step("normal form", [], ["add", "0", ["mul", "-1", "0"]], "0")
    return by_hand(
        lhs, "0", one, last,
        free=[["@j", N]], tensors={"x": [N], "y": [N], "z": [N], "L": []},
        definitions={"L": {"letters": [], "body": total("@i", ref("z", "@i"))}}, facts=[fact],
    )  # fmt: skip


def symmetry_that_nobody_declared():
    lhs, rhs = ref("S", "@i", "@j"), ref("S", "@j", "@i")
    last = step("normal form", [], ["add", lhs, ["mul", "-1", rhs]], "0")
    return by_hand(lhs, rhs, last, free=[["@i", N], ["@j", N]], tensors={"S": [N, N]})


def size_that_may_be_negative():
    size = ["add", N, "-2"]
    lhs = total("@q", "1", size)
    one = step("normal form", [1], lhs, size)
    last = step("normal form", [], ["add", size, ["mul", "-1", size]], "0")
    return by_hand(lhs, size, one, last)


def loss_that_nothing_defines():
    lhs = ["d", ref("L"), ref("x", "@j")]
    one = step("derivative", [1], lhs, "0", body="")
    last = step("normal form", [], ["add", "0", ["mul", "-1", "0"]], "0")
    made = by_hand(lhs, "0", one, last, free=[["@j", N]], tensors={"x": [N], "L": []})
    made["tensors"]["L"]["role"] = "undefined"
    return made


def division_by_what_a_fact_makes_zero():
    fact = {"letters": [], "lhs": ref("y"), "rhs": "0"}
    one = step(
        "normal form", [1], "1", ["mul", ref("y"), ["pow", ref("y"), "-1"]],
        side=[["≠ 0", [], ref("y")]],
    )  # fmt: skip
    two = step("fact", [1, 1], ref("y"), "0", **FIRST, instance={})
    three = step(
        "normal form", [1], ["mul", "0", ["pow", ref("y"), "-1"]], "0",
        side=[["≠ 0", [], ref("y")]],
    )  # fmt: skip
    last = step("normal form", [], ["add", "0", ["mul", "-1", "0"]], "0")
    return by_hand("1", "0", one, two, three, last, tensors={"y": []}, facts=[fact])


def symmetric_inverse_of_any_matrix():
    lhs, rhs = ref("inverse(M)", "@i", "@j"), ref("inverse(M)", "@j", "@i")
    last = step("normal form", [], ["add", lhs, ["mul", "-1", rhs]], "0")
    tensors = {"M": [N, N], "inverse(M)": [N, N]}
    made = by_hand(lhs, rhs, last, free=[["@i", N], ["@j", N]], tensors=tensors)
    made["tensors"]["inverse(M)"] |= {"role": "inverse", "of": ["M"], "symmetry": "symmetric"}
    return made


def definition_backwards_at_other_slots():
    body = ["mul", ref("x", "@i"), ref("y", "@j")]
    slots = {"@i": "@j", "@j": "@i"}
    one = step("definition", [1], body, ref("D", "@j", "@i"), of="D", instance=slots)
    last = step(
        "normal form", [], ["add", ref("D", "@j", "@i"), ["mul", "-1", ref("D", "@j", "@i")]], "0"
    )
    letters = [["@i", N], ["@j", N]]
    return by_hand(
        body, ref("D", "@j", "@i"), one, last,
        free=letters, tensors={"x": [N], "y": [N], "D": [N, N]},
        definitions={"D": {"letters": letters, "body": body}},
    )  # fmt: skip


def tensor_with_a_number_for_a_name():
    one = step("normal form", [1, 1], "2", "4/2")
    last = step("normal form", [], ["add", ref("4/2"), ["mul", "-1", ref("4/2")]], "0")
    return by_hand(ref("2"), ref("4/2"), one, last, tensors={"2": [], "4/2": []})


def sum_over_a_letter_in_its_own_place():
    one = step("index", [1], total("@j", "1"), "1", letters=["@j"], letter="@j", slot="@j")
    return by_hand(total("@j", "1"), "1", one, END)


def inverse_over_another_range():
    body = ["mul", ref("M", "@i", "@j"), ref("inverse(M)", "@j", "@k")]
    fewer, gap = total("@j", body, ["add", N, "-1"]), ["delta", "@i", "@k"]
    one = step("inverse", [1], fewer, gap, of="M", instance={"@i": "@i", "@k": "@k"})
    last = step("normal form", [], ["add", gap, ["mul", "-1", gap]], "0")
    tensors = {"M": [N, N], "inverse(M)": [N, N]}
    made = by_hand(fewer, gap, one, last, free=[["@i", N], ["@k", N]], tensors=tensors)
    made["tensors"]["inverse(M)"] |= {"role": "inverse", "of": ["M"]}
    return made


def counting_with_two_coefficients():
    twice = ["mask", affine(("@j", "3"), ("@j", "-1"), const="-2")]
    whole = ["mul", twice, affine_number(("@j", "2"), const="-2")]
    one = step("telescope", [1], total("@j", twice), N, whole=whole)
    last = step("normal form", [], ["add", N, ["mul", "-1", N]], "0")
    made = by_hand(total("@j", twice), N, one, last, tensors={"place(n)": [N]})
    made["tensors"]["place(n)"]["role"] = "place"
    return made


def product_of_sums_as_one():
    x, y = (ref(name, "@j") for name in "xy")
    apart = ["mul", total("@j", x), total("@j", y)]
    one = step("sums", [1], apart, ["mul", N, total("@j", ["mul", x, y])], letters=["@j"])
    after = ["mul", N, total("@j", ["mul", x, y])]
    last = step("normal form", [], ["add", after, ["mul", "-1", after]], "0")
    return by_hand(apart, after, one, last, tensors={"x": [N], "y": [N]})


def affine_number(*items, const="0"):
    """An affine index as a number."""
    return ["add", const, *(["mul", c, ref("place(n)", x)] for x, c in items)]


def counted_one_too_many(const=0, tree=None):
    below = total("@j", mask("@i", "@j", str(const)))
    tree = tree or ref("place(n)", "@i")
    past = affine_number(("@i", "-1"), ("@j", "1"), const=str(-const - 1))
    one = step("telescope", [1], below, tree, whole=["mul", mask("@i", "@j", str(const + 1)), past])
    last = step("normal form", [], ["add", tree, ["mul", "-1", tree]], "0")
    made = by_hand(below, tree, one, last, free=[["@i", N]], tensors={"place(n)": [N]})
    made["tensors"]["place(n)"]["role"] = "place"
    return made


def counted_past_the_end():
    """Σ_j [j ≤ i + 1] is no i + 2 at the last i."""
    return counted_one_too_many(1, ["add", ref("place(n)", "@i"), "2"])


def sum_of_differences_of_a_component():
    """Σ_j (x_{j+1} − x_j), the indices modulo n, is no x_n − x_0 of numbers."""
    x = ref("x", "@j")
    body = ["add", ref("x", affine(("@j", "1"), const="1")), ["mul", "-1", x]]
    one = step("telescope", [1], total("@j", body), "0", whole=x)
    last = step("normal form", [], ["add", "0", ["mul", "-1", "0"]], "0")
    return by_hand(total("@j", body), "0", one, last, tensors={"x": [N]})


def maximum_scaled(factor):
    """max_k c x_k is c max_k x_k for c ≥ 0 only."""

    def top(body):
        return ["max", [["@k", N]], [body]]

    lhs, rhs = top(["mul", factor, ref("x", "@k")]), ["mul", factor, top(ref("x", "@k"))]
    last = step("normal form", [], ["add", lhs, ["mul", "-1", rhs]], "0")
    return by_hand(lhs, rhs, last, tensors={"w": [], "x": [N]})


def maximum_scaled_by_what_has_no_sign():
    return maximum_scaled(ref("w"))


def maximum_scaled_by_minus_one():
    return maximum_scaled("-1")


def maximum_of_a_sum():
    """max_k (x_k + y_k) is not max_k x_k + max_k y_k."""

    def top(body):
        return ["max", [["@k", N]], [body]]

    x, y = ref("x", "@k"), ref("y", "@k")
    lhs, rhs = top(["add", x, y]), ["add", top(x), top(y)]
    last = step("normal form", [], ["add", lhs, ["mul", "-1", rhs]], "0")
    return by_hand(lhs, rhs, last, tensors={"x": [N], "y": [N]})


def argmax_moved_by_what_has_the_letter():
    one = ["argmax", ["@j"], [["@k", N]], ref("x", "@k")]
    two = ["argmax", ["@j"], [["@k", N]], ["add", ref("x", "@k"), ref("y", "@k")]]
    last = step("normal form", [], ["add", one, ["mul", "-1", two]], "0")
    return by_hand(one, two, last, free=[["@j", N]], tensors={"x": [N], "y": [N]})


def larger_by_what_has_no_sign():
    x, y = ref("x"), ref("y")
    lhs, rhs = ["max", [], [x, ["add", x, y]]], ["add", x, y]
    one = step("larger", [1], lhs, ["max", [], [rhs]], gap=y)
    last = step("normal form", [], ["add", ["max", [], [rhs]], ["mul", "-1", rhs]], "0")
    return by_hand(lhs, rhs, one, last, tensors={"x": [], "y": []})


def definition_with_a_letter_of_its_own():
    body = ref("x", "@j")
    one = step("definition", [1], ref("D"), body, of="D", instance={})
    last = step("normal form", [], ["add", body, ["mul", "-1", body]], "0")
    return by_hand(
        ref("D"), body, one, last, free=[["@j", N]], tensors={"x": [N], "D": []},
        definitions={"D": {"letters": [], "body": body}},
    )  # fmt: skip


def maximum_over_what_may_be_empty():
    fewer = ["add", N, "-1"]
    top = ["max", [["@k", fewer]], [ref("y")]]
    last = step("normal form", [], ["add", top, ["mul", "-1", ref("y")]], "0")
    return by_hand(top, ref("y"), last, tensors={"y": []})


def matrix_times_another_inverse():
    body = ["mul", ref("M", "@i", "@j"), ref("inverse(K)", "@j", "@k")]
    gap = ["delta", "@i", "@k"]
    one = step("inverse", [1], total("@j", body), gap, of="K", instance={"@i": "@i", "@k": "@k"})
    last = step("normal form", [], ["add", gap, ["mul", "-1", gap]], "0")
    tensors = {"M": [N, N], "K": [N, N], "inverse(K)": [N, N]}
    made = by_hand(total("@j", body), gap, one, last, free=[["@i", N], ["@k", N]], tensors=tensors)
    made["tensors"]["inverse(K)"] |= {"role": "inverse", "of": ["K"]}
    return made


def inverse_that_nothing_speaks_of():
    """Σ_j M_ij x_j = 0 says that x is 0 for matrices with an inverse only."""
    image = total("@j", ["mul", ref("M", "@i", "@j"), ref("x", "@j")])
    fact = {"letters": [["@i", N]], "lhs": image, "rhs": "0"}
    inverse = ref("inverse(M)", "@k", "@i")
    pairs = [["@i", N], ["@j", N]]
    x, rest = ref("x", "@k"), ["mul", ref("M", "@i", "@j"), ref("x", "@j")]
    delta = total("@j", ["mul", ["delta", "@k", "@j"], ref("x", "@j")])
    both = total("@i", ["mul", inverse, ref("M", "@i", "@j")])
    apart = total("@j", ["mul", both, ref("x", "@j")])
    other = total("@i", ["mul", inverse, total("@j", rest)])
    nothing = total("@i", ["mul", inverse, "0"])
    steps = (
        step("index", [1], x, delta, letters=["@j"], letter="@j", slot="@k"),
        step("inverse", [1, 2, 1], ["delta", "@k", "@j"], both,
             of="inverse(M)", instance={"@i": "@k", "@k": "@j"}),
        step("sums", [1], apart, other, letters=[y for y, _ in pairs]),
        step("fact", [1, 2, 2], total("@j", rest), "0", **FIRST, instance={"@i": "@i"}),
        step("normal form", [], ["add", nothing, ["mul", "-1", "0"]], "0"),
    )  # fmt: skip
    tensors = {"M": [N, N], "inverse(M)": [N, N], "x": [N]}
    made = by_hand(x, "0", *steps, free=[["@k", N]], tensors=tensors, facts=[fact])
    made["tensors"]["inverse(M)"] |= {"role": "inverse", "of": ["M"]}
    return made


def test_a_claim_that_speaks_of_an_inverse_presupposes_it():
    made = inverse_that_nothing_speaks_of()
    once = ["mul", "0", ref("inverse(M)", "@k", "@k")]
    made["claim"]["rhs"] = once
    made["steps"][-1]["before"][2][2] = once
    opinion = check(made)
    assert opinion.ok, opinion.problem


def sum_of_a_delta_between_letters_that_are_summed():
    """Σ_jk δ_jk f_jk = Σ_k f_kk, and not f_jk at another letter."""
    x = ref("x", "@j", "@k")
    lhs = ["sum", [["@j", N], ["@k", N]], ["mul", ["delta", "@j", "@k"], x]]
    rhs = total("@k", ref("x", "@k", "@i"))
    more = {"letters": ["@j", "@k"], "letter": "@j", "slot": "@k"}
    one = step("index", [1], lhs, rhs, **more)
    last = step("normal form", [], ["add", rhs, ["mul", "-1", rhs]], "0")
    return by_hand(lhs, rhs, one, last, free=[["@i", N]], tensors={"x": [N, N]})


def sum_whose_letter_is_put_and_kept():
    """Σ_j n δ_ji x_j = n x_i, which is no Σ_j x_j."""
    x = ref("x", "@j")
    lhs, rhs = total("@j", ["mul", N, ["delta", "@j", "@i"], x]), total("@j", x)
    one = step("index", [1], lhs, rhs, letters=["@j"], letter="@j", slot="@i")
    last = step("normal form", [], ["add", rhs, ["mul", "-1", rhs]], "0")
    return by_hand(lhs, rhs, one, last, free=[["@i", N]], tensors={"x": [N]})


def sum_turned_by_two():
    """Σ_j x_{2j} is Σ_j x_j for odd n only."""
    twice = affine(("@j", "2"))
    lhs, rhs = total("@j", ref("x", twice)), total("@j", ref("x", "@j"))
    one = step("index", [1], lhs, rhs, letters=["@j"], letter="@j", slot=twice)
    last = step("normal form", [], ["add", rhs, ["mul", "-1", rhs]], "0")
    return by_hand(lhs, rhs, one, last, tensors={"x": [N]})


def power_of_a_sum_opened():
    """(Σ_j x_j)² is not n Σ_j x_j²."""
    x = ref("x", "@j")
    lhs, rhs = ["pow", total("@j", x), "2"], ["mul", N, total("@j", ["pow", x, "2"])]
    one = step("sums", [1], lhs, rhs, letters=["@j"])
    last = step("normal form", [], ["add", rhs, ["mul", "-1", rhs]], "0")
    return by_hand(lhs, rhs, one, last, tensors={"x": [N]})


def true_at_small_sizes_only():
    """Σ_ijkl over what is antisymmetric in four letters is 0 up to n = 3 only."""
    letters = ("@i", "@j", "@k", "@l")
    signs = [(p, permutation_sign(p)) for p in permutations(range(4))]
    terms = [
        ["mul", str(s), *(ref(n, letters[k]) for n, k in zip("abcd", p, strict=True))]
        for p, s in signs
    ]
    lhs = ["pow", ["add", *terms], "1"]
    last = step("normal form", [], ["add", lhs, ["mul", "-1", "0"]], "0")
    return by_hand(lhs, "0", last, free=[[x, N] for x in letters], tensors={n: [N] for n in "abcd"})


def permutation_sign(p):
    return (-1) ** sum(p[a] > p[b] for a in range(len(p)) for b in range(a + 1, len(p)))


def angles_of_a_difference():
    p, q = ref("p"), ref("q")
    lhs = ["call", "sin", ["add", p, ["mul", "-1", q]]]
    sp_, cp, sq, cq = (["call", f, t] for t in (p, q) for f in ("sin", "cos"))
    rhs = ["add", ["mul", sp_, cq], ["mul", cp, sq]]
    one = step("angles apart", [1], lhs, rhs, terms=[p, q])
    last = step("normal form", [], ["add", rhs, ["mul", "-1", rhs]], "0")
    return by_hand(lhs, rhs, one, last, tensors={"p": [], "q": []})


WRONG = {
    tensor_with_a_number_for_a_name: "no expression",
    sum_over_a_letter_in_its_own_place: "differ",
    inverse_over_another_range: "evaluated only",
    counting_with_two_coefficients: "differ",
    product_of_sums_as_one: "differ",
    symmetric_inverse_of_any_matrix: "not known to be symmetric",
    definition_backwards_at_other_slots: "differ",
    counted_one_too_many: "differ",
    counted_past_the_end: "differ",
    trace_of_a_stochastic_matrix: "@j",
    stochastic_matrix_in_the_scope_of_its_sum: "evaluated only",
    cumulative_sum_at_a_shifted_index: "differ",
    fact_at_a_shifted_index: "evaluated only",
    masks_between_ranges: "evaluated only",
    delta_between_ranges: "differ",
    argmax_scaled_by_what_may_be_zero: "differ",
    derivative_of_what_a_fact_ties: "ties",
    symmetry_that_nobody_declared: "differ",
    size_that_may_be_negative: "differ",
    loss_that_nothing_defines: "differ",
    division_by_what_a_fact_makes_zero: "presupposes",
    sum_of_differences_of_a_component: "no sum of differences",
    maximum_scaled_by_what_has_no_sign: "differ",
    maximum_scaled_by_minus_one: "differ",
    maximum_of_a_sum: "differ",
    argmax_moved_by_what_has_the_letter: "differ",
    larger_by_what_has_no_sign: "evaluated only",
    definition_with_a_letter_of_its_own: "stands for nothing",
    maximum_over_what_may_be_empty: "may be empty",
    matrix_times_another_inverse: "evaluated only",
    sum_of_a_delta_between_letters_that_are_summed: "differ",
    sum_whose_letter_is_put_and_kept: "differ",
    inverse_that_nothing_speaks_of: "nothing says",
    sum_turned_by_two: "differ",
    power_of_a_sum_opened: "differ",
    true_at_small_sizes_only: "evaluated only",
    angles_of_a_difference: "evaluated only",
}


@pytest.mark.parametrize("made", WRONG, ids=lambda f: f.__name__)
def test_wrong_proofs_fail(made):
    opinion = check(made())
    assert not opinion.ok
    assert WRONG[made] in opinion.problem
    assert not opinion.steps or not opinion.steps[-1].rederived


def test_a_right_proof_by_hand_passes():
    fact = {"letters": [["@i", N]], "lhs": total("@j", ref("A", "@i", "@j")), "rhs": "1"}
    rows = total("@i", total("@j", ref("A", "@i", "@j")))
    one = step(
        "fact", [1, 2], total("@k", ref("A", "@i", "@k")), "1", **FIRST, instance={"@i": "@i"}
    )
    two = step("sums", [1], total("@i", "1"), N, letters=["@i"])
    last = step("normal form", [], ["add", N, ["mul", "-1", N]], "0")
    opinion = check(by_hand(rows, N, one, two, last, tensors={"A": [N, N]}, facts=[fact]))
    assert opinion.ok, opinion.problem


# ---------------------------------------------------------------------------- altered proofs


def letters_of(tree):
    """The letters that occur in a tree."""
    if isinstance(tree, str):
        return {tree} if tree.startswith("@") else set()
    parts = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return set().union(*map(letters_of, parts))


def changed(tree, letters):
    """The trees that differ in one place: a number, a letter, a term, or the order of two slots."""
    if isinstance(tree, str):
        if tree.startswith("@"):
            yield next((x for x in letters if x != tree), "@other")
        elif tree.lstrip("-")[:1].isdigit():
            yield str(Fraction(tree) + 1)
        return
    tag = tree[0]
    if tag in ("add", "mul") and len(tree) > 2:
        yield from (tree[:k] + tree[k + 1 :] for k in range(1, len(tree)))
    if tag == "ref":
        name, slots = tree[1:]
        for k, slot in enumerate(slots):
            for other in changed(slot, letters):
                yield ["ref", name, [*slots[:k], other, *slots[k + 1 :]]]
        if len(slots) > 1 and slots[0] != slots[1]:
            yield ["ref", name, [slots[1], slots[0], *slots[2:]]]
        return
    inside = {"call": [2], "unknown": [], "sum": [2], "argmax": [3], "max": [], "affine": [2]}
    for k in inside.get(tag, range(1, len(tree))):
        yield from ([*tree[:k], x, *tree[k + 1 :]] for x in changed(tree[k], letters))


def altered(step):
    """A step with one thing in it changed, and what that is."""
    letters = sorted(letters_of(step))
    yield "doubled", {**step, "after": ["mul", "2", step["after"]]}
    yield "negated", {**step, "after": ["mul", "-1", step["after"]]}
    for part in {"before", "after", "slot", "indicator", "whole", "gap"} & step.keys():
        for other in changed(step[part], letters):
            yield part, {**step, part: other}
    for x, slot in step.get("instance", {}).items():
        for other in changed(slot, letters):
            yield "instance", {**step, "instance": {**step["instance"], x: other}}
    for other in changed(["list", *step["terms"]], letters) if "terms" in step else ():
        yield "terms", {**step, "terms": other[1:]}
    for part in {"letter", "letters"} & step.keys():
        for x in letters:
            if x not in step[part]:
                yield part, {**step, part: x if part == "letter" else [x]}
    for other in ("A", "0", "1", *letters) if "of" in step else ():
        if other != step["of"]:
            yield "of", {**step, "of": other}
    for k, (relation, pairs, base) in enumerate(step["side"]):
        others = step["side"][:k] + step["side"][k + 1 :]
        yield "side left out", {**step, "side": others}
        for r in {"≠ 0", "≥ 0", "> 0"} - {relation}:
            yield "side relation", {**step, "side": [*others, [r, pairs, base]]}
        for other in changed(base, letters):
            yield "side base", {**step, "side": [*others, [relation, pairs, other]]}
    yield "side added", {**step, "side": [*step["side"], ["≠ 0", [], step["before"]]]}
    if step["at"]:
        yield "place", {**step, "at": step["at"][:-1]}
    own = {"fractions apart": {"normal form"}}  # what clears denominators finds these, too
    for law in sorted(second_opinion.LAWS.keys() - {step["law"], *own.get(step["law"], ())}):
        yield "law", {**step, "law": law}


SHORT = [
    "rows of A sum to 1",
    "√(x²) = |x|",
    "σ(−x) = 1 − σ(x)",
    "difference of squares cancels",
    "rows of the causal softmax sum to 1",
    "a mask and its complement",
    "∂ xᵀBx/∂x = (B + Bᵀ)x",
    "F against a symmetric tensor",
    "shifted mean under Σp = 1",
    "the value at the argmax",
    "argmax is blind to shift and scale",
    "maximum of a shift",
    "a maximum inside a maximum",
    "fractions of 1 + e^x under a sum",
    "three times an angle",
    "half an angle",
]


LOGGED = {i.name: (i.left, i.right, i.given) for i in ALL if i.name in SHORT}
LOGGED |= {
    name: sides for name, *sides in (*folded_inverses(), *countings(), *kinks(), *exponents())
}


@pytest.mark.parametrize("name", LOGGED)
def test_every_step_altered_in_turn_fails(name):
    right = certificate(*LOGGED[name])
    steps = right["steps"]
    assert altered_fail(right, range(len(steps))) > 5 * len(steps)


def test_a_matrix_that_is_cleared_another_way_fails():
    (identity,) = (i for i in ALL if i.name.startswith("push-through"))
    right = certificate(identity.left, identity.right, identity.given)
    laws = [step["law"] for step in right["steps"]]
    first = laws.index("inverse")  # E_i = Σ_j δ_ij E_j = Σ_jk M⁻¹_ik M_kj E_j
    assert laws[first - 1 : first + 2] == ["index", "inverse", "sums"]
    assert altered_fail(right, range(first - 1, first + 2)) > 15


def altered_fail(right, places):
    """How many altered steps were refused, of those at these places."""
    steps, tried = right["steps"], 0
    for k in places:
        good = steps[k]
        ways = list(altered(good))
        kinds = {kind: [s for what, s in ways if what == kind] for kind, _ in ways}
        draw = random.Random(k)
        for kind, found in sorted(kinds.items()):
            for wrong in draw.sample(found, min(2, len(found))):
                opinion = check({**right, "steps": [*steps[:k], wrong, *steps[k + 1 :]]})
                assert not opinion.ok, (kind, good, wrong)
                tried += 1
        assert not check({**right, "steps": steps[:k] + steps[k + 1 :]}).ok, ("left out", good)
    return tried


def test_the_laws_of_the_steps_are_all_used_somewhere():
    used = set()
    more = [(i.left, i.right, i.given) for i in ALL if i.name.startswith("push-through")]
    for sides in (*LOGGED.values(), *more):
        right = certificate(*sides)
        used |= {s["law"] for s in right["steps"]}
    assert used == second_opinion.LAWS.keys()


@pytest.mark.parametrize("part", ["lhs", "rhs"])
def test_an_altered_claim_fails(part):
    (identity,) = (i for i in ALL if i.name == "rows of A sum to 1")
    right = certificate(identity.left, identity.right, identity.given)
    claim = {**right["claim"], part: ["mul", "2", right["claim"][part]]}
    assert "begin" in check({**right, "claim": claim}).problem


def test_an_altered_definition_fails():
    (identity,) = (i for i in ALL if i.name == "rows of A sum to 1")
    right = certificate(identity.left, identity.right, identity.given)
    a = right["definitions"]["A"]
    wrong = {**right["definitions"], "A": {**a, "body": ["mul", "2", a["body"]]}}
    assert "differ" in check({**right, "definitions": wrong}).problem


def test_a_proof_that_stops_early_fails():
    (identity,) = (i for i in ALL if i.name == "rows of A sum to 1")
    right = certificate(identity.left, identity.right, identity.given)
    opinion = check({**right, "steps": right["steps"][:-1]})
    assert opinion.problem == "the last expression is not 0"


@pytest.mark.parametrize(
    "data",
    [
        {}, [], "x", None, {"claim": {}}, by_hand("x", "1"), by_hand(["ref", "x", []], "1"),
        by_hand(["sum", [["j", N]], "1"], "1"), by_hand(["call", "gamma", "1"], "1"),
        by_hand(["pow", "0", "-1"], "1"), by_hand(["pow", ["add", N, "1"], "1000"], "1"),
        by_hand(["mul", *[["add", ref("a"), ref("b"), "1"]] * 90], "1", tensors={"a": [], "b": []}),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said_and_never_raised(data):
    assert check(data).problem


def test_random_damage_never_raises():
    (identity,) = (i for i in ALL if i.name == "rows of the causal softmax sum to 1")
    text = json.dumps(certificate(identity.left, identity.right, identity.given))
    draw = random.Random(0)
    for _ in range(150):
        tokens = re.findall(r'"[^"]*"|[][{},:]|\d+|\w+', text)
        k, other = draw.randrange(len(tokens)), draw.choice(tokens)
        try:
            data = json.loads(" ".join([*tokens[:k], other, *tokens[k + 1 :]]))
        except ValueError:
            continue
        assert isinstance(check(data).ok, bool)


# ------------------------------------------------------------------------------- the log itself


def test_certificates_are_plain_json_and_the_same_each_time():
    (identity,) = (i for i in ALL if i.name == "causal softmax = renormalised softmax")
    first, second = (
        sa.prove(identity.left, identity.right, given=identity.given, certificate=True).certificate
        for _ in range(2)
    )
    assert json.dumps(first) == json.dumps(second)
    assert json.loads(json.dumps(first)) == first


def test_only_proofs_that_are_asked_for_have_a_certificate():
    x = sa.tensor("x")
    assert sa.prove(x, x).certificate is None
    assert sa.prove(x, 2 * x, certificate=True).certificate is None


def test_a_step_says_where_both_sides_are_defined():
    (identity,) = (i for i in ALL if i.name == "difference of squares cancels")
    right = certificate(identity.left, identity.right, identity.given)
    assert any(relation == "≠ 0" for step in right["steps"] for relation, _, _ in step["side"])


def test_the_checker_shares_nothing_with_the_engine():
    folder = Path(second_opinion.__file__).parent
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom):
                own = node.level == 1 and (folder / f"{node.module}.py").is_file()
                assert own or (node.level == 0 and node.module in sys.stdlib_module_names | {
                    "collections.abc"
                })  # fmt: skip
            if isinstance(node, ast.Import):
                assert all(alias.name in sys.stdlib_module_names for alias in node.names)


@pytest.mark.parametrize("name", gallery.names()[1::5])
def test_the_proofs_of_a_derivation_pass(name):
    row = examined(name, islice(claims(gallery.load(name)), 2))  # `symattn verify` does all
    assert not row.failures
    assert (row.passed, row.rederived) == (row.proofs, row.steps)
    assert row.evaluated > 0.9 * (row.steps - row.said)


def test_the_command_prints_a_row_for_every_derivation(symattn):
    code, out, err = symattn("verify", "--certificates", "softmax_jacobian")
    assert (code, err) == (WELL, "")
    header, row = out.splitlines()
    assert "re-derived" in header
    name, proofs, passed, *_ = row.split()
    assert (name, proofs, passed) == ("softmax_jacobian", "2", "2")
    code, out, _ = symattn("verify", "--certificates", "softmax_jacobian", "--format", "json")
    assert json.loads(out)[0]["ok"] is True
