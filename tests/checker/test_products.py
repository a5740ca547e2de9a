"""Products over an index: of what is positive where it is a number, and of what may be negative."""

from __future__ import annotations

import pytest

from symattn.checker import check

GAUSS = r"q = \prod_{i=1}^M \frac{1}{\sqrt{2\pi \sigma_i^2}} e^{-\frac{(x_i - a_i)^2}{2\sigma_i^2}}"


def rows(*latex):
    return check("\n\n".join(f"$$ {x} $$" for x in latex), corrections=False).rows


@pytest.mark.parametrize("power, verdict", [
    (r"\frac{x_i^2 - 2 a_i x_i + a_i^2}{2\sigma_i^2}", "proved"),
    (r"\frac{x_i^2 + 2 a_i x_i + a_i^2}{2\sigma_i^2}", "refuted"),
    (r"\frac{x_i^2 - a_i x_i + a_i^2}{2\sigma_i^2}", "refuted"),
])  # fmt: skip
def test_a_likelihood_is_a_product_of_densities(power, verdict):
    right = rf"q = \prod_{{i=1}}^M \frac{{1}}{{\sqrt{{2\pi \sigma_i^2}}}} e^{{-{power}}}"
    assert [r.verdict for r in rows(GAUSS, right)] == ["definition", verdict]


@pytest.mark.parametrize("factor, verdict", [("", "proved"), ("2", "refuted")])
def test_its_logarithm(factor, verdict):
    right = (
        r"\log q = -\sum_{i=1}^M \log\sigma_i - \frac{M}{2}\log 2\pi"
        rf" - {factor}\sum_{{i=1}}^M \frac{{(x_i - a_i)^2}}{{2\sigma_i^2}}"
    )
    assert [r.verdict for r in rows(GAUSS, right)] == ["definition", verdict]


@pytest.mark.parametrize("first, second, verdict", [
    (r"\frac{a_i b_i}{c_i}", r"\frac{a_i}{c_i} b_i", "proved"),
    (r"\frac{a_i b_i}{c_i}", r"\frac{a_i}{c_i^2} b_i", "definition"),
    (r"\frac{e^{a_i}}{b_i}", r"b_i^{-1} e^{a_i}", "proved"),
    (r"\frac{e^{a_i}}{b_i}", r"b_i^{-1} e^{-a_i}", "refuted"),
    (r"(x_i - 1)^2", r"(x_i^2 - 2 x_i + 1)", "proved"),
    (r"(x_i - 1)^2", r"(x_i^2 - 2 x_i + 2)", "definition"),
    (r"(x_i - y_i)(x_i + y_i)", r"(x_i^2 - y_i^2)", "proved"),
    (r"(x_i - y_i)(x_i + y_i)", r"(y_i^2 - x_i^2)", "definition"),
    (r"(x_i - y_i)", r"(y_i - x_i)", "definition"),
    (r"(x_i - y_i)^2", r"(y_i - x_i)^2", "proved"),
])  # fmt: skip
def test_products_of_what_may_be_negative_refute_nothing(first, second, verdict):
    found = rows(rf"q = \prod_{{i=1}}^M {first}", rf"q = \prod_{{i=1}}^M {second}")
    assert found[1].verdict == verdict


@pytest.mark.parametrize("first, second, proved", [
    (r"\prod_{i=1}^n (1 + \alpha) \lambda_i", r"(1 + \alpha)^n \prod_{i=1}^n \lambda_i", True),
    (r"\prod_{i=1}^n (1 + \alpha) \lambda_i", r"(1 + \alpha) \prod_{i=1}^n \lambda_i", False),
    (r"\prod_{i=1}^n \lambda_i \prod_{j=1}^n \mu_j", r"\prod_{i=1}^n \lambda_i \mu_i", True),
    (r"\prod_{i=1}^n \lambda_i \prod_{j=1}^m \mu_j", r"\prod_{i=1}^n \lambda_i \mu_i", False),
    (r"\prod_{i=1}^n \lambda_i \prod_{i=1}^n \mu_i", r"\prod_{i=1}^n \lambda_i \mu_i", True),
    (r"\prod_{i=1}^n \lambda_i^3", r"\left(\prod_{i=1}^n \lambda_i\right)^3", True),
    (r"\prod_{i=1}^n \lambda_i^3", r"\left(\prod_{i=1}^n \lambda_i\right)^2", False),
    (r"\prod_{i=1}^n (-\lambda_i)", r"\prod_{i=1}^n \lambda_i", False),
])  # fmt: skip
def test_products_factor_by_factor(first, second, proved):
    assert (rows(f"{first} = {second}")[0].verdict == "proved") is proved


def test_nor_are_other_ones_proved():
    first, second = r"q = \prod_{i=1}^M a_i b_i", r"q = \prod_{i=1}^M a_i b_i^2"
    assert rows(first, second)[1].verdict not in ("proved", "malformed")


def test_an_equation_again_says_nothing_new():
    text = "## A\n$$ {0} $$\n## B\n$$ {0} $$\n## C\n$$ {1} $$"
    same, other = (rf"\mathbb{{E}}[v_1] = (1 {x} \alpha) \mathbb{{E}}[g_1]" for x in "-+")
    found = check(text.format(same, other), corrections=False).rows
    assert found[1].reason == "as on line 2"
    assert "differs" in found[2].reason


LIKELIHOODS = {
    r"\prod_{i=1}^n \lambda e^{-\lambda x_i}": (
        r"\lambda",
        r"n \log\lambda - \lambda \sum_{i=1}^n x_i",
        r"\frac{n}{\lambda} - \sum_{i=1}^n x_i",
    ),
    r"\prod_{i=1}^n p^{x_i} (1-p)^{1-x_i}": (
        "p",
        r"\sum_i x_i \log p + (n - \sum_i x_i) \log(1-p)",
        r"\frac{\sum_i x_i}{p} - \frac{n - \sum_i x_i}{1-p}",
    ),
    r"\prod_{i=1}^n \frac{1}{\sqrt{2\pi}\sigma} e^{-\frac{x_i^2}{2\sigma^2}}": (
        r"\sigma",
        r"-\frac{n}{2}\log(2\pi) - n \log\sigma - \sum_{i=1}^n \frac{x_i^2}{2\sigma^2}",
        r"\sum_{i=1}^n \frac{x_i^2}{\sigma^3} - \frac{n}{\sigma}",
    ),
}


@pytest.mark.parametrize("product", LIKELIHOODS)
def test_factors_that_bear_no_index_are_taken_many_times(product):
    by, logarithm, score = LIKELIHOODS[product]
    right = rf"L({by}) = {product}", rf"\ell({by}) = \log L({by}) = {logarithm}"
    slope = rf"\frac{{d\ell}}{{d{by}}} = "
    found = [r.verdict for r in rows(*right, slope + score, slope + score.replace("-", "+"))]
    assert found == ["definition", "definition", "proved", "proved", "refuted"]


def test_they_are_not_taken_once():
    text = r"L(\lambda) = \prod_{i=1}^n \lambda e^{-\lambda x_i}"
    once = r"\log L(\lambda) = \log\lambda - \lambda \sum_{i=1}^n x_i"
    assert [r.verdict for r in rows(text, once)] == ["definition", "refuted"]


@pytest.mark.parametrize("density", [r"p(x_i \mid \theta)", "p(x_i)"])
def test_densities_are_positive(density):
    text = rf"The likelihood is $$ L = \prod_{{i=1}}^n {density} $$ with the logarithm "
    right, wrong = (rf"$$ \log L = \sum_{{i=1}}^n \log ({x}{density}) $$" for x in ("", "2 "))
    assert [r.verdict for r in check(text + right, corrections=False).rows] == [
        "definition",
        "proved",
    ]
    assert [r.verdict for r in check(text + wrong, corrections=False).rows][-1] != "proved"


def test_a_power_of_a_negative_number_is_none():
    text = r"Let $w$ be a number, $$ W = \prod_{k=1}^n (-2) $$ so it is $$ W = 2^n $$"
    assert [r.verdict for r in check(text, corrections=False).rows if "W" in r.latex][-1] not in (
        "proved",
        "refuted",
    )


def test_a_negative_number_is_no_base_of_an_exponential():
    found = rows(
        r"\prod_i (-1)^{k_i} = (-1)^{\sum_i k_i}",
        r"\prod_i (-1)^{k_i} = 1",
        r"\prod_i a^{k_i} = a^{\sum_i k_i}",
    )
    assert "proved" not in [r.verdict for r in found[:2]]
    assert (found[2].verdict, found[2].assumed) == ("proved", ("a > 0",))


GAUSSIANS = r"Z = \prod_{i=1}^M \int e^{-\frac{(x_i - a_i)^2}{2\sigma_i^2}} dx_i"


@pytest.mark.parametrize("right, verdict", [
    (r"\prod_{i=1}^M \int e^{-\frac{x_i^2 - 2 a_i x_i + a_i^2}{2\sigma_i^2}} dx_i", "conditional"),
    (r"\prod_{i=1}^M \sqrt{2\pi\sigma_i^2}", "conditional"),
    (r"\prod_{i=1}^M \sqrt{\pi\sigma_i^2}", "open"),
    (r"\prod_{i=1}^M \int e^{-\frac{x_i^2 + 2 a_i x_i}{2\sigma_i^2}} dx_i", "open"),
])  # fmt: skip
def test_products_of_integrals_by_components(right, verdict):
    found = check(f"$$ {GAUSSIANS} $$\n\n$$ = {right} $$", corrections=False).rows[-1]
    if verdict == "open":
        assert found.verdict not in ("proved", "conditional"), found.reason
    else:
        assert (found.verdict, "over all numbers" in found.reason) == (verdict, True)
