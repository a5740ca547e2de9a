r"""E[X] is an average in a text on chance, and of 𝔼[X] = a = b the link a = b is a claim."""

import pytest

import symattn as sa

LAW = r"The density of the distribution is $f(x) = \lambda e^{-\lambda x}$. "


def rows(text):
    return [(r.latex, r.verdict) for r in sa.check(text, corrections=False).rows]


@pytest.mark.parametrize("mean", ["E[X]", r"\mathbb{E}[X]"])
@pytest.mark.parametrize(
    ("value", "verdict"), [(r"1/\lambda", "proved"), (r"2/\lambda", "refuted")]
)
def test_the_links_of_a_mean(mean, value, verdict):
    link = rf"\int_0^\infty x f(x)\,dx = {value}"
    assert rows(LAW + f"The mean is ${mean} = {link}$.")[-1] == (link, verdict)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (r"For random $X$ it is $E[a X + b] = a E[X] + b$.", "proved"),
        (r"For a field $X$ it is $E[a X + b] = a E[X] + b$.", "skipped"),
        (r"For random $X$ it is $E[a X + b] = a E[X] + b$, and $E = m c^2$.", "skipped"),
    ],
)
def test_where_e_is_an_average(text, verdict):
    assert rows(text)[0][1] == verdict
