"""Wrong proofs fail: by signs, maxima, inverses, facts, derivatives."""

from itertools import permutations

import pytest

from symattn.second_opinion import check

from .by_hand import FIRST, N, assert_fails, by_hand, ref, step, total


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


def tensor_with_a_number_for_a_name():
    one = step("normal form", [1, 1], "2", "4/2")
    last = step("normal form", [], ["add", ref("4/2"), ["mul", "-1", ref("4/2")]], "0")
    return by_hand(ref("2"), ref("4/2"), one, last, tensors={"2": [], "4/2": []})


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


def maximum_of_every_second_one():
    """max_j x_{2j} is not max_j x_j."""

    def over(slot):
        return ["max", [["@j", N]], [ref("x", slot)]]

    twice = ["affine", [["@j", "2"]], "0"]
    lhs, rhs = over(twice), over("@j")
    one = step("turn", [1], lhs, rhs, letter="@j", slot=twice)
    last = step("normal form", [], ["add", rhs, ["mul", "-1", rhs]], "0")
    return by_hand(lhs, rhs, one, last, tensors={"x": [N]})


def maximum_of_one_that_is_shifted():
    """max_j (x_{j+1} + y_j) is not max_j (x_j + y_j)."""

    def over(slot):
        return ["max", [["@j", N]], [["add", ref("x", slot), ref("y", "@j")]]]

    next_one = ["affine", [["@j", "1"]], "1"]
    lhs, rhs = over(next_one), over("@j")
    one = step("turn", [1], lhs, rhs, letter="@j", slot=next_one)
    last = step("normal form", [], ["add", rhs, ["mul", "-1", rhs]], "0")
    return by_hand(lhs, rhs, one, last, tensors={"x": [N], "y": [N]})


def maximum_of_what_falls():
    """max(x², y²) is not max(x, y)²."""
    x, y = ref("x"), ref("y")
    square = ["pow", "x", "2"]
    lhs, rhs = ["max", [], [["pow", t, "2"] for t in (x, y)]], ["pow", ["max", [], [x, y]], "2"]
    one = step("increasing", [1], lhs, rhs, whole=square, terms=[x, y])
    last = step("normal form", [], ["add", rhs, ["mul", "-1", rhs]], "0")
    return by_hand(lhs, rhs, one, last, tensors={"x": [], "y": []})


def argmax_of_what_falls():
    def hot(body):
        return ["argmax", ["@j"], [["@k", N]], body]

    x = ref("x", "@k")
    falling = ["call", "exp", ["mul", "-1", "x"]]
    one, two = hot(["call", "exp", ["mul", "-1", x]]), hot(x)
    first = step("increasing", [1], one, two, whole=falling, terms=[x])
    last = step("normal form", [], ["add", two, ["mul", "-1", two]], "0")
    return by_hand(one, two, first, last, free=[["@j", N]], tensors={"x": [N]})


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
    symmetric_inverse_of_any_matrix: "not known to be symmetric",
    argmax_scaled_by_what_may_be_zero: "differ",
    derivative_of_what_a_fact_ties: "ties",
    symmetry_that_nobody_declared: "differ",
    loss_that_nothing_defines: "differ",
    division_by_what_a_fact_makes_zero: "presupposes",
    maximum_scaled_by_what_has_no_sign: "differ",
    maximum_scaled_by_minus_one: "differ",
    maximum_of_a_sum: "differ",
    argmax_moved_by_what_has_the_letter: "differ",
    larger_by_what_has_no_sign: "evaluated only",
    maximum_of_every_second_one: "differ",
    maximum_of_one_that_is_shifted: "differ",
    maximum_of_what_falls: "no increasing function",
    argmax_of_what_falls: "no increasing function",
    maximum_over_what_may_be_empty: "may be empty",
    matrix_times_another_inverse: "evaluated only",
    inverse_that_nothing_speaks_of: "nothing says",
    true_at_small_sizes_only: "evaluated only",
    angles_of_a_difference: "evaluated only",
}


@pytest.mark.parametrize("made", WRONG, ids=lambda f: f.__name__)
def test_wrong_proofs_fail(made):
    assert_fails(made(), WRONG[made])


def test_a_claim_that_speaks_of_an_inverse_presupposes_it():
    made = inverse_that_nothing_speaks_of()
    once = ["mul", "0", ref("inverse(M)", "@k", "@k")]
    made["claim"]["rhs"] = once
    made["steps"][-1]["before"][2][2] = once
    opinion = check(made)
    assert opinion.ok, opinion.problem
