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
    "two letters, two ranges": (r"y = \sum_j c + a^2", r"y = a^2 + \sum_k c", "definition"),
    "a wrong sum": (r"y = \sum_j c + a^2", r"y = a^2 - \sum_j c", "refuted"),
}


@pytest.mark.parametrize("name", ROWS)
def test_rows(name):
    first, second, expected = ROWS[name]
    rows = sa.check(f"{SAID}$$ {first} $$\n\n$$ {second} $$\n").rows
    assert [r.verdict for r in rows] == ["definition", expected], rows[-1].reason


def test_a_function_behind_another_is_no_name_in_its_argument():
    (row,) = sa.check(SAID + r"$$ y = \cos b \operatorname{ReLU}(c) $$").rows
    assert row.verdict == "skipped" and "how far does cos reach?" in row.reason
