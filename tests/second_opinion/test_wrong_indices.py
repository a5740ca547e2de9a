"""Wrong proofs fail: by scopes, ranges and orders of letters."""

import pytest

from symattn.second_opinion import check

from .by_hand import (
    END,
    FIRST,
    M_SIZE,
    N,
    affine,
    affine_number,
    assert_fails,
    by_hand,
    mask,
    ref,
    step,
    total,
)


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


def size_that_may_be_negative():
    size = ["add", N, "-2"]
    lhs = total("@q", "1", size)
    one = step("normal form", [1], lhs, size)
    last = step("normal form", [], ["add", size, ["mul", "-1", size]], "0")
    return by_hand(lhs, size, one, last)


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


def definition_with_a_letter_of_its_own():
    body = ref("x", "@j")
    one = step("definition", [1], ref("D"), body, of="D", instance={})
    last = step("normal form", [], ["add", body, ["mul", "-1", body]], "0")
    return by_hand(
        ref("D"), body, one, last, free=[["@j", N]], tensors={"x": [N], "D": []},
        definitions={"D": {"letters": [], "body": body}},
    )  # fmt: skip


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


WRONG = {
    sum_over_a_letter_in_its_own_place: "differ",
    inverse_over_another_range: "evaluated only",
    counting_with_two_coefficients: "differ",
    product_of_sums_as_one: "differ",
    definition_backwards_at_other_slots: "differ",
    counted_one_too_many: "differ",
    counted_past_the_end: "differ",
    trace_of_a_stochastic_matrix: "@j",
    stochastic_matrix_in_the_scope_of_its_sum: "evaluated only",
    cumulative_sum_at_a_shifted_index: "differ",
    fact_at_a_shifted_index: "evaluated only",
    masks_between_ranges: "evaluated only",
    delta_between_ranges: "differ",
    size_that_may_be_negative: "differ",
    sum_of_differences_of_a_component: "no sum of differences",
    definition_with_a_letter_of_its_own: "stands for nothing",
    sum_of_a_delta_between_letters_that_are_summed: "differ",
    sum_whose_letter_is_put_and_kept: "differ",
    sum_turned_by_two: "differ",
    power_of_a_sum_opened: "differ",
}


@pytest.mark.parametrize("made", WRONG, ids=lambda f: f.__name__)
def test_wrong_proofs_fail(made):
    assert_fails(made(), WRONG[made])


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
