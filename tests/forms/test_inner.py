"""The author's inner sums stay, and the numbers and complements that stand beside them."""

from __future__ import annotations

import re

import pytest

import symattn as sa
from symattn.display import raise_
from symattn.explain.denominators import number_apart, numbers_in
from symattn.explain.final import rest_of_share
from symattn.explain.inner import apart_as_written, flat, rows, with_inner_sums
from symattn.explain.odds import by_complements, odds
from symattn.ir import raw_atom, raw_product
from symattn.model import model

SCALARS = (
    "<!-- symattn: scalars a b c k m x y; positive a c q; "
    "sizes g:(n) h:(n) q:(n) r:(l) s:(l) W:(n,l) V:(l,n) -->\n"
)


def shown(text, wrt):
    found = sa.jacobian(sa.read(SCALARS + text), of="v", wrt=wrt)
    return found.equation().partition(" = ")[2]


LINES = [
    # his Σ_j W_ij r_j stays under the outer Σ, as it is in his square
    (
        r"v = c \sum_i g_i (\sum_j W_{ij} r_j)^2",
        "r",
        r"2 c \sum_{i} W_{ij} g_i \sum_{k} W_{ik} r_k",
    ),
    # one Σ of all factors stays one
    (r"v = \sum_{ij} g_i W_{ij} r_j s_j", "r", r"s_j \sum_{i} W_{ij} g_i"),
    (r"v = k \sum_{ij} g_i h_i W_{ij} r_j", "k", r"\sum_{i, j} g_i h_i W_{ij} r_j"),
    (r"v = k \sum_i g_i h_i \sum_j W_{ij} r_j", "k", r"\sum_{i} g_i h_i \sum_{j} W_{ij} r_j"),
    # what is left of a chain of sums
    (
        r"v = \sum_i g_i \sum_j W_{ij} \sum_k V_{jk} h_k",
        "h",
        r"\sum_{i} g_i \sum_{j} V_{jk} W_{ij}",
    ),
    # and one with a bracket in it, in its sign
    (
        r"v = \sum_i g_i (x - k \sum_j W_{ij} (r_j - s_j))",
        "k",
        r"-\sum_{i} g_i \sum_{j} W_{ij} \left(r_j - s_j\right)",
    ),
    # below a bar
    (
        r"v = \frac{x}{\sum_i q_i \sum_j W_{ij}}",
        "x",
        r"\frac{1}{\sum_{i} q_i \sum_{j} W_{ij}}",
    ),
    # what he squares is not joined with another sum
    (
        r"v = \frac{1}{2} (\sum_i g_i h_i)^2 - \frac{1}{2} \sum_i h_i \sum_j W_{ij} r_j",
        "h",
        r"g_i \sum_{k} g_k h_k - \frac{1}{2} \sum_{j} W_{ij} r_j",
    ),
    # a half goes into the bracket that has it in its Σ
    (
        r"v = \sum_i g_i \log q_i + \frac{1}{2} \sum_i \log q_i \sum_j W_{ij} r_j",
        "q",
        r"\frac{1}{q_i} \left(g_i + \frac{1}{2} \sum_{j} W_{ij} r_j\right)",
    ),
    # a fit and a penalty with its weight; two sums of one kind
    (
        r"v = \sum_j r_j \sum_i (g_i - s_j)^2 + k \sum_j s_j^2",
        "s",
        r"2 k s_j - 2 r_j \sum_{i} \left(g_i - s_j\right)",
    ),
    # two exponentials of his with letters, and one
    (
        r"v = \sum_i g_i (1 - e^{-k q_i}) e^{-h_i}",
        "k",
        r"\sum_{i} g_i q_i e^{-k q_i} e^{-h_i}",
    ),
]


@pytest.mark.parametrize(("text", "wrt", "line"), LINES)
def test_lines(text, wrt, line):
    assert shown(text, wrt) == line


def test_where_he_writes_no_sums_there_are_none():
    text = "M_{ib} = A_{ij} X_{ja} V_{ab}\nv = M_{ib} B_{ib}"
    found = sa.jacobian(sa.read(text), of="v", wrt="A").equation()
    assert r"\sum" not in found


def written(text):
    """The right side of v as it stands, a front that SymPy would multiply out behind a bar."""
    summed = r"\sum_i" in text or r"\sum_{ij}" in text
    left = "v_i" if re.search(r"_i|_\{ij|_\{ji", text) and not summed else "v"
    front, _, bracket = text.rpartition(" | ")
    raw = model(sa.read(f"{SCALARS}{left} = {bracket}")).bodies["v"].raw
    return raw_product([written(front), raw_atom(raw)]) if front else raw


def no(bracket):
    return False


OWN = rows(
    model(sa.read(SCALARS + f"v = {text}")).bodies["v"]
    for text in (r"\sum_i g_i (\sum_j W_{ij} r_j)^2", r"\sum_i g_i \sum_j W_{ij} (r_j - s_j)")
)
# what a rule changes, and what is so near to it that it is to stay
RULES = {
    "inner": (
        lambda p: with_inner_sums(p, OWN),
        [
            r"\sum_{ij} h_i W_{ij} r_j",
            r"c + \frac{x}{\sum_{ij} h_i W_{ij} r_j}",
            r"\sum_{ij} h_i W_{ij} (s_j - r_j)",
        ],
        [
            r"\sum_{ij} W_{ij} r_j",  # nothing stands before the inner one
            r"\sum_{ij} h_i W_{ij} s_j",
            r"\sum_{ij} h_i W_{ij} r_j^2",
            r"\sum_{ij} h_i W_{ij} (s_j + r_j)",
        ],
    ),
    "flat": (
        flat,
        [r"\sum_i h_i \sum_j W_{ij} r_j", r"x \sum_i h_i \sum_j W_{ij} \sum_k V_{jk} g_k"],
        [r"\sum_i h_i (\sum_j W_{ij} r_j)^2", r"\sum_i h_i (x + \sum_j W_{ij} r_j)"],
    ),
    "apart": (
        lambda p: apart_as_written(p, OWN),
        [r"\sum_j r_j (c W_{ij} + s_j g_i)", r"x \sum_j r_j (W_{ij} - g_i)"],
        [r"\sum_j s_j (c W_{ij} + r_j g_i)", r"\sum_j r_j (c V_{ji} + s_j g_i)"],
    ),
    "numbers in": (
        numbers_in,
        [
            r"1/2 | 2 b + \sum_i g_i",
            r"x/2 | 2 b - \frac{k}{m}",
            r"\frac{1}{3 m} | 6 b + \sum_i g_i",
        ],
        [
            r"1/2 | 2 b + k",  # nothing that has a fraction in front as well
            r"1/2 | 3 b + \sum_i g_i",
            r"1/3 | 2 b + \sum_i g_i",
            r"2 | 2 b + \sum_i g_i",
        ],
    ),
    "number apart": (
        lambda p: number_apart(p, no),
        [r"2 | k g_i - h_i \sum_j r_j"],
        [
            r"2 | k g_i - h_i",
            r"2 | k g_i - k h_i \sum_j r_j",
            r"h_i | k g_i - h_i \sum_j r_j",
        ],
    ),
    "rest": (
        lambda p: rest_of_share(p, no, {}),
        [r"\frac{1}{1 + x y} - 1"],
        [r"\frac{1}{2 + x y} - 1", r"\frac{x}{1 + x y} - 1", r"1 + \frac{1}{1 + x y}"],
    ),
}


@pytest.mark.parametrize("name", RULES)
def test_rules_keep_values_and_leave_what_is_near(name):
    rule, changed, left = RULES[name]
    for text in (*changed, *left):
        raw = written(text)
        after = rule(raw)
        assert sa.prove(raise_(after), raise_(raw)).status == "proved", text
        assert (after is raw) == (text in left), text


P = r"p_{ij} = \frac{1}{1 + e^{-a (q_i - r_j)}}" + "\n"


def test_an_exponential_in_two_parts_is_a_complement():
    """a e^{a r_j} Σ_i p_ij² e^{−a q_i}, of which no part is e^{−u}."""
    given = model(sa.read(SCALARS + P + r"v = \sum_{ij} g_i p_{ij}"))
    own = odds(given.bodies.values())
    assert [body.tensor.name for body, _ in own] == ["p"]
    line = r"-a \sum_{i} p_{ij} g_i \left(1 - p_{ij}\right)"
    assert shown(P + r"v = \sum_{ij} g_i p_{ij}", "r") == line
    near = r"u_{ij} = p_{ij}^2 e^{-k (q_i - r_j)}" + "\n"  # of another exponent
    body = model(sa.read(SCALARS + P + near + r"v = \sum_{ij} u_{ij}")).bodies["u"]
    assert not list(by_complements(body.normal, own))
    near = near.replace("-k", "-a")
    body = model(sa.read(SCALARS + P + near + r"v = \sum_{ij} u_{ij}")).bodies["u"]
    (after,) = by_complements(body.normal, own)
    p = next(a for t, _ in after for a, _ in t)
    assert {e for t, _ in after for a, e in t if a is p} == {1, 2} and len(after) == 2


def test_a_root_of_a_quotient_hides_nothing():
    given = "<!-- symattn: positive g h q -->\nu = \\sum_i g_i q_i\nw = \\sum_i h_i q_i\n"
    found = sa.jacobian(sa.read(given + r"v = \sqrt{\frac{u}{w}}"), of="v", wrt="q")
    line = r"\frac{v}{2} \left(\frac{g_i}{u} - \frac{h_i}{w}\right)"
    assert found.equation().partition(" = ")[2] == line


def test_nothing_is_divided_by_a_sum_for_the_output():
    given = "<!-- symattn: scalars a; positive a g h q -->\n"
    text = given + r"v = \frac{\sum_i q_i g_i}{a + \sum_i q_i h_i}"
    found = sa.jacobian(sa.read(text), of="v", wrt="g").equation()
    assert found.partition(" = ")[2] == r"\frac{q_i}{a + \sum_{j} q_j h_j}"


def test_brackets_below_one_sum_face_one_way():
    text = P + r"v = \sum_{ij} (W_{ij} \log p_{ij} + (1 - W_{ij}) \log(1 - p_{ij}))"
    line = r"\sum_{i, j} \left(W_{ij} - p_{ij}\right) \left(q_i - r_j\right)"
    assert shown(text, "a") == line
