"""What a document leaves open is neither proved nor refuted, and what it declares is heard."""

import pytest

import symattn as sa

SAID = "<!-- symattn: sizes x:(n) w:(n) B:(n,n); scalars a b c; positive c -->\n\n"
ROWS = {  # two equations of one name, and the verdict on the second
    "a declared number above a component": (r"y_i = x_i^b", r"y_i = e^{b \log x_i}", "proved"),
    "above a bracket": (r"y_{ij} = (B_{ij})^{c}", r"y_{ij} = B_{ij}^{c+1} / B_{ij}", "proved"),
    "twice": (r"y_i = (x_i + w_i)^{2b}", r"y_i = (x_i + w_i)^b (x_i + w_i)^b", "proved"),
    "another power": (r"y_i = x_i^c", r"y_i = x_i^{2c} - x_i", "refuted"),
    "one letter, one range": (r"y = \sum_j c + a^2", r"y = a^2 + \sum_j \max(c, c)", "proved"),
    "a mean of nothing": (r"y_i = \sum_l \sum_k w_i", r"y_i = \sum_l (\sum_k 1) w_i", "proved"),
    "a range said once": (r"y = \sum_{l=1}^n a / \sum_l 1", r"y = a", "proved"),
    "a range of the statement": (
        r"y_i = \sum_{j \le i} x_j",
        r"\sum_i y_i = \sum_j \sum_i [j \le i] x_j",
        "proved",
    ),
    "an idle letter": (r"y_{ij} = x_i", r"y_{ij} = x_i + w_j - w_j", "proved"),
    "no idle letter": (r"y_{ij} = x_i w_j", r"y_{ij} = x_i", "malformed"),
    "the same for every row": (
        r"y = \sum_j (\sum_i U_{ij})^2",
        r"\frac{\partial y}{\partial U_{ij}} = 2 \sum_k U_{kj}",
        "proved",
    ),
    "half of it for every row": (
        r"y = \sum_j (\sum_i U_{ij})^2",
        r"\frac{\partial y}{\partial U_{ij}} = \sum_k U_{kj}",
        "refuted",
    ),
    "not the same for every row": (
        r"y = \sum_{ij} U_{ij}^2",
        r"\frac{\partial y}{\partial U_{ij}} = 2 \sum_k U_{kj}",
        "malformed",
    ),
    "a δ before a bracket": (
        r"y_{ij} = \delta_{ij} (\sum_k x_k x_i)",
        r"y_{ij} = \delta_{ij} (\sum_k x_k x_j)",
        "proved",
    ),
    "a maximum in braces": (r"y_i = \max\{a, b\} x_i", r"y_i = x_i \max(b, a)", "proved"),
    "a power on the left": (r"y = (\sum_i |x_i|^c)^{1/c}", r"y^c = \sum_i |x_i|^c", "proved"),
    "an inverse behind a number": (
        r"y = \det B",
        r"\frac{\partial y}{\partial B_{ij}} = y (B^{-1})_{ji}",
        "proved",
    ),
    "a multiple of the identity": (
        r"M = B^\top B + a I",
        r"M^{-1} B^\top B = I - a M^{-1}",
        "proved",
    ),
    "another multiple": (r"M = B^\top B + a I", r"M_{ij} = B_{ki} B_{kj} + a", "refuted"),
    "two letters, two ranges": (r"y = \sum_j c + a^2", r"y = a^2 + \sum_k c", "definition"),
    "a wrong sum": (r"y = \sum_j c + a^2", r"y = a^2 - \sum_j c", "refuted"),
}


@pytest.mark.parametrize("name", ROWS)
def test_rows(name):
    first, second, expected = ROWS[name]
    rows = sa.check(f"{SAID}$$ {first} $$\n\n$$ {second} $$\n", corrections=False).rows
    assert [r.verdict for r in rows] == ["definition", expected], rows[-1].reason


def test_a_function_behind_another_is_no_name_in_its_argument():
    (row,) = sa.check(SAID + r"$$ y = \cos b \operatorname{ReLU}(c) $$", corrections=False).rows
    assert row.verdict == "skipped" and "how far does cos reach?" in row.reason


@pytest.mark.parametrize(
    ("factor", "right"),
    [
        (r"\frac1m", "1"),
        (r"\frac cm", "1"),
        (r"\frac{p}{1 - p}", r"\log\frac{p}{1 - p} \sum_{j=1}^m w_j"),
    ],
)
def test_what_a_logarithm_before_an_average_is_of(factor, right):
    text = rf"Let $B = \log{factor}\sum_{{i=1}}^m w_i$ and $w_i > 0$."
    claim = rf"$$ \frac{{\partial B}}{{\partial w_i}} \sum_{{j=1}}^m w_j = {right} $$"
    *_, row = sa.check(f"{text}\n\n{claim}\n", corrections=False).rows
    assert row.verdict == "proved", row.reason
