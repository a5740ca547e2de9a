"""Sums over steps as sequences, and what is claimed of them."""

from __future__ import annotations

import pytest

from symattn.checker import check


def verdicts(text: str) -> list[tuple[str, str]]:
    return [(r.verdict, r.reason) for r in check(text, corrections=False).rows]


def last(*lines: str, words: str = "It follows that") -> tuple[str, str]:
    *given, claim = (f"$$ {line} $$\n\n" for line in lines)
    begin = "# Sequences\n\nThe quantities are given by\n\n"
    return verdicts(f"{begin}{''.join(given)}{words}\n\n{claim}")[-1]


RETURN = r"G_t = \sum_{k=0}^\infty \gamma^k r_{t+k}"
UP_TO_T = r"G_t = \sum_{k=t+1}^{T} \gamma^{k-t-1} r_k"
DELTA, ADVANTAGE = (
    r"\delta_t = r_t + \gamma V_{t+1} - V_t",
    r"A_t = \sum_{l=0}^\infty (\gamma\lambda)^l \delta_{t+l}",
)
NOISE = (
    r"\alpha_t = 1 - \beta_t",
    r"\bar\alpha_t = \prod_{s=1}^t \alpha_s",
    r"x_t = \sqrt{\bar\alpha_t} x_0 + \sqrt{1-\bar\alpha_t} \epsilon",
)
MEAN = r"\mu_n = \frac1n\sum_{i=1}^n x_i"
SPREAD = r"M_n = \sum_{i=1}^n (x_i - \mu_n)^2"
SURVIVAL = r"S_t = \prod_{s=1}^t (1 - h_s)", r"f_t = h_t S_{t-1}"
LIGHT = r"T_i = \prod_{j=1}^{i-1} (1 - \alpha_j)", r"w_i = \alpha_i T_i"
WINDOW = r"A_t = \frac1n\sum_{k=0}^{n-1} p_{t-k}"
WEIGHT = r"Z_t = \sum_{j\le t} e^{s_j}", r"p_t = \frac{e^{s_t}}{Z_t}"
PRICE = r"r_t = \log p_t - \log p_{t-1}", r"R_t = \sum_{s=1}^t r_s"
OUTER = r"S_t = \sum_{i=1}^t v_i k_i^\top", r"o_t = S_t q_t"


@pytest.mark.parametrize(
    "given, claim, found",
    [
        ((RETURN,), r"G_t = r_t + \gamma G_{t+1}", "proved"),
        ((RETURN,), r"G_t = r_t + \gamma r_{t+1} + \gamma^2 G_{t+2}", "proved"),
        ((RETURN,), r"G_t = r_t + \gamma r_{t+1} + \gamma G_{t+2}", "refuted"),
        ((RETURN,), r"G_t = r_{t+1} + \gamma G_{t+1}", "refuted"),
        ((RETURN,), r"G_{t+1} = \frac{G_t - r_t}{\gamma}", "proved"),
        ((UP_TO_T,), r"G_t = r_{t+1} + \gamma G_{t+1}", "proved"),
        ((UP_TO_T,), r"G_t - \gamma G_{t+1} = r_{t+1}", "proved"),
        ((UP_TO_T,), r"G_t - \gamma G_{t+1} = r_t", "refuted"),
        ((DELTA, ADVANTAGE), r"A_t = \delta_t + \gamma\lambda A_{t+1}", "proved"),
        ((DELTA, ADVANTAGE), r"A_t = \delta_t + \lambda A_{t+1}", "refuted"),
        (NOISE, r"\bar\alpha_t = \alpha_t\bar\alpha_{t-1}", "proved"),
        (NOISE, r"\alpha_t (1-\bar\alpha_{t-1}) + \beta_t = 1 - \bar\alpha_t", "proved"),
        (NOISE, r"\alpha_t (1-\bar\alpha_{t-1}) + \beta_t = 1 - \bar\alpha_{t-1}", "refuted"),
        (
            NOISE,
            r"x_0 = \frac{x_t - \sqrt{1-\bar\alpha_t} \epsilon}{\sqrt{\bar\alpha_t}}",
            "proved",
        ),
        (
            NOISE,
            r"x_0 = \frac{x_t + \sqrt{1-\bar\alpha_t} \epsilon}{\sqrt{\bar\alpha_t}}",
            "refuted",
        ),
        ((MEAN,), r"\mu_n = \mu_{n-1} + \frac{1}{n}(x_n - \mu_{n-1})", "proved"),
        ((MEAN,), r"\mu_n = \mu_{n-1} + \frac{1}{n-1}(x_n - \mu_{n-1})", "refuted"),
        ((MEAN, SPREAD), r"M_n = M_{n-1} + (x_n - \mu_{n-1})(x_n - \mu_n)", "proved"),
        ((MEAN, SPREAD), r"M_n = M_{n-1} + (x_n - \mu_n)^2", "refuted"),
        (SURVIVAL, r"f_t = S_{t-1} - S_t", "proved"),
        (SURVIVAL, r"f_t = S_t - S_{t-1}", "refuted"),
        (LIGHT, r"w_i = T_i - T_{i+1}", "proved"),
        (LIGHT, r"\sum_{i=1}^N w_i = 1 - T_{N+1}", "proved"),
        (LIGHT, r"\sum_{i=1}^N w_i = 1 - T_N", "refuted"),
        ((WINDOW,), r"A_{t+1} = A_t + \frac1n (p_{t+1} - p_{t-n+1})", "proved"),
        ((WINDOW,), r"A_{t+1} = A_t + \frac1n (p_{t+1} - p_{t-n})", "refuted"),
        (WEIGHT, r"Z_{t-1} = (1 - p_t) Z_t", "proved"),
        (WEIGHT, r"Z_{t-1} = (1 + p_t) Z_t", "refuted"),
        (PRICE, r"R_t = \log p_t - \log p_0", "proved"),
        (PRICE, r"R_t = \log p_t", "refuted"),
        (OUTER, r"o_t = \sum_{i=1}^t (k_i^\top q_t) v_i", "proved"),
        (OUTER, r"o_t = \sum_{i=1}^t (k_t^\top q_i) v_i", "refuted"),
    ],
)
def test_what_follows(given: tuple[str, ...], claim: str, found: str) -> None:
    assert last(*given, claim)[0] == found


@pytest.mark.parametrize(
    "rule, form, found, said",
    [
        ((r"m_t = \max(m_{t-1}, s_t)",), r"m_t = \max_{i\le t} s_i", "conditional", "m_0 = -oo"),
        (
            (
                r"m_t = \max(m_{t-1}, s_t)",
                r"\ell_t = \ell_{t-1} e^{m_{t-1} - m_t} + e^{s_t - m_t}",
                r"\ell_0 = 0",
            ),
            r"\ell_t = \sum_{i=1}^t e^{s_i - m_t}",
            "proved",
            "by induction",
        ),
        (
            (
                r"m_t = \max(m_{t-1}, s_t)",
                r"\ell_t = \ell_{t-1} e^{m_t - m_{t-1}} + e^{s_t - m_t}",
                r"\ell_0 = 0",
            ),
            r"\ell_t = \sum_{i=1}^t e^{s_i - m_t}",
            "refuted",
            "recursion",
        ),
        (
            (r"S_t = \gamma S_{t-1} + v_t k_t^\top", r"S_0 = 0"),
            r"S_t = \sum_{i=1}^t \gamma^{t-i} v_i k_i^\top",
            "proved",
            "by induction",
        ),
    ],
)
def test_inductions(rule: tuple[str, ...], form: str, found: str, said: str) -> None:
    verdict, reason = last(*rule, form)
    assert verdict == found and said in reason


def test_a_transpose_is_not_what_it_is_of() -> None:
    rule = r"S_t = \gamma S_{t-1} + v_t k_t^\top", r"S_0 = 0"
    assert last(*rule, r"S_t = \sum_{i=1}^t \gamma^{t-i} k_i v_i^\top")[0] != "proved"


@pytest.mark.parametrize(
    "words, lines",
    [
        ("If all rewards are equal to $r$,", (RETURN, r"G_t = \frac{r}{1-\gamma}")),
        ("For constant rewards", (RETURN, r"G_t = \frac{r}{1-\gamma}")),
        ("Truncated it is", (RETURN, r"G_t = \sum_{k=0}^{3} \gamma^k r_{t+k} + V_{t+4}")),
        ("Without a discount it is instead", (RETURN, r"G_t = \sum_{k=0}^\infty r_{t+k}")),
        ("We want to have", (RETURN, r"G_t - r_t = 0")),
        ("It follows that", (RETURN, r"\gamma = 1", r"G_t = r_t + G_{t+1}")),
        ("It follows that", (RETURN, r"r_{t+1} = r_t", r"G_{t+1} = G_t")),
    ],
)
def test_what_may_be_said_of_something_else(words: str, lines: tuple[str, ...]) -> None:
    assert last(*lines, words=words)[0] not in ("refuted", "malformed")


def test_two_sequences_of_one_name() -> None:
    text = rf"""# Returns

$$ G_t = \sum_{{k=0}}^\infty r_{{t+k}} $$

With a discount it is

$$ {RETURN} $$

so that

$$ G_t = r_t + \gamma G_{{t+1}} $$
"""
    assert [v for v, _ in verdicts(text)] == ["definition", "definition", "proved"]


def test_an_outer_product_before_it_is_said_what_it_is() -> None:
    text = r"""The output is $o_t = S_t q_t$, where

$$ S_t = \sum_{i=1}^t v_i k_i^\top $$

$$ o_t = \sum_{i=1}^t (k_i^\top q_t) v_i $$
"""
    assert [v for v, _ in verdicts(text)] == ["definition", "definition", "proved"]


def test_a_row_of_weights_is_of_numbers() -> None:
    text = r"""The output is a row,

$$ o^\top = \sum_{i=1}^n p_i v_i^\top $$

$$ o = \sum_{i=1}^n p_i v_i $$
"""
    assert verdicts(text)[-1][0] == "proved"


@pytest.mark.parametrize(
    "claim, found",
    [
        (r"\sum_{k=1}^n k = \frac{n(n+1)}{2}", "proved"),
        (r"\sum_{k=1}^n k = \frac{n(n-1)}{2}", "refuted"),
        (r"\sum_{k=0}^{n-1} k = \frac{n(n-1)}{2}", "proved"),
        (r"\sum_{k=1}^n k^3 = \left(\sum_{k=1}^n k\right)^2", "proved"),
        (r"\sum_{k=1}^n \frac{1}{k(k+1)} = \frac{n}{n+1}", "proved"),
        (r"\sum_{k=1}^n \frac{1}{k(k+1)} = \frac{n}{n-1}", "refuted"),
        (r"\prod_{k=1}^n \left(1 + \frac1k\right) = n + 1", "proved"),
        (r"\prod_{k=1}^n \left(1 + \frac1k\right) = n", "refuted"),
        (r"\sum_{k=1}^\infty k q^{k-1} = \frac{1}{(1-q)^2}", "proved"),
        (r"\sum_{k=1}^\infty k q^{k-1} = \frac{q}{(1-q)^2}", "refuted"),
        (r"e^x = \sum_{k=0}^\infty \frac{x^k}{k!}", "proved"),
        (r"\sin x = \sum_{k=0}^\infty (-1)^k \frac{x^{2k+1}}{(2k+1)!}", "proved"),
        (r"\sum_{k=0}^n \binom{n}{k} = 2^n", "proved"),
        (r"\sum_{k=0}^n k \binom{n}{k} = n 2^{n-1}", "proved"),
        (r"\sum_{k=0}^n \binom{n}{k} = 2^{n-1}", "refuted"),
        (r"\binom{n}{k} = \binom{n-1}{k} + \binom{n-1}{k-1}", "proved"),
        (r"\binom{n}{k} = \frac{n!}{k!(n-k)!}", "proved"),
    ],
)
def test_series(claim: str, found: str) -> None:
    assert verdicts(f"One has\n\n$$ {claim} $$\n")[-1][0] == found


@pytest.mark.parametrize(
    "text",
    [
        "The product is $$ a \\cdot b = \\sum_{i=1}^3 a^i b^i $$",
        "Choose $c$ with $$ \\sum_{k=1}^n c k = 1 $$",
        "The mean is $$ \\mu = \\sum_{k=1}^n k p_k $$",
        "The transform is $$ c_m = \\sum_{k=0}^{n-1} x_k e^{-2\\pi i k m/n} $$",
    ],
)
def test_what_is_no_series(text: str) -> None:
    assert verdicts(text + "\n")[-1][0] not in ("proved", "refuted", "malformed")


def test_a_sum_and_what_it_comes_to() -> None:
    text = r"The numbers are $$ S_n = \sum_{k=1}^n k = \frac{n(n+1)}{2} $$"
    assert [v for v, _ in verdicts(text)] == ["definition", "proved"]
    assert [v for v, _ in verdicts(text.replace("+1", "-1"))] == ["definition", "refuted"]


def test_a_recursion_with_factors_that_change() -> None:
    rule = r"a_t = b_t + c_t a_{t-1}", r"a_0 = 0"
    form = r"a_t = b_t + \sum_{{i=1}}^{{t-1}} \left(\prod_{{j={}}}^t c_j\right) b_i"
    assert last(*rule, form.format("i+1")) == ("proved", "by induction, with line 5 and line 7")
    assert last(*rule, form.format("i"))[0] == "refuted"


SIGNAL = r"m_t = \sqrt{a_t}\, m_{t-1} + c_t", r"a_t = 1 - b_t", r"g_t = \prod_{s=1}^t a_s"
TWICE = r"m_t = \sqrt{a_t}(\sqrt{a_{t-1}} m_{t-2} + c_{t-1}) + c_t"


@pytest.mark.parametrize(
    "claim, found",
    [
        (r"\sqrt{g_t} = \sqrt{a_t}\sqrt{g_{t-1}}", "proved"),
        (r"\sqrt{g_t / a_t} = \sqrt{g_{t-1}}", "proved"),
        (r"\sqrt{g_t}\, u = \sqrt{a_t}\sqrt{g_{t-1}}\, u", "proved"),  # for every u
        (r"\sqrt{g_t} = \sqrt{a_{t-1}}\sqrt{g_{t-1}}", "refuted"),
        (r"\frac{\sqrt{g_t}}{\sqrt{a_t}\sqrt{b_t}} = \sqrt{\frac{g_{t-1}}{b_t}}", "proved"),
        (TWICE, "proved"),
        (TWICE + r" = \sqrt{a_t}\sqrt{a_{t-1}} m_{t-2} + \sqrt{a_t} c_{t-1} + c_t", "proved"),
    ],
)
def test_roots_of_products_and_rules_put_into_themselves(claim: str, found: str) -> None:
    assert last(*SIGNAL, claim)[0] == found


@pytest.mark.parametrize(
    "claim",
    [
        TWICE.replace("c_{t-1}", "c_t"),
        r"m_t = \sqrt{a_t a_{t-1}} m_{t-2} + \sqrt{2} c_t",  # noises that are joined
        r"\frac{\sqrt{g_{t-1} b_t}}{g_{t-1}} = \sqrt{\frac{b_t}{g_{t-1}}}",  # of one sign only
        r"\sqrt{b_t^3 g_t} = b_t \sqrt{b_t g_t}",
        r"\sqrt{g_t}\, u = \sqrt{a_t}\sqrt{g_{t-1}}\, w",
    ],
)
def test_what_roots_and_rules_do_not_say(claim: str) -> None:
    assert last(*SIGNAL, claim)[0] not in ("proved", "refuted")


def test_a_slip_in_a_later_link_of_what_is_defined() -> None:
    text = r"""The schedule is $a_t = 1 - b_t$ with $g_t = \prod_{s=1}^t a_s$, and the variance

$$ \tilde v_t = 1 / \left(\frac{a_t}{b_t} + \frac{1}{1 - g_{t-1}}\right)
 = \frac{1 - g_{t}}{1 - g_{t-1}} b_t $$
"""
    assert verdicts(text)[-1] == ("refuted", "at t = 3 the sides differ")
    right = text.replace("1 - g_{t}}{1 - g_{t-1}}", "1 - g_{t-1}}{1 - g_{t}}")
    assert verdicts(right)[-1][0] == "proved"


@pytest.mark.parametrize(
    "claim, proved",
    [
        (r"\sum_{n=0}^\infty p_n = 1", True),
        (r"\sum_{n=0}^\infty n p_n = \frac{\rho}{1 - \rho}", True),
        (r"\sum_{n=k+1}^\infty p_n = \rho^{k+1}", True),
        (r"\sum_{n=0}^\infty n p_n = \frac{1}{1 - \rho}", False),
        (r"\sum_{n=0}^\infty p_n = \frac{\mu}{\lambda}", False),
    ],
)
def test_a_ratio_that_is_named_may_be_any_number(claim, proved):
    text = "With $\\rho = \\lambda/\\mu < 1$ we have\n\n$$ p_n = (1 - \\rho) \\rho^n $$\n\n"
    rows = check(f"{text}$$ {claim} $$\n", corrections=False, timeout=None).rows
    assert (rows[-1].verdict == "proved") is proved


@pytest.mark.parametrize(
    ("right", "verdict"),
    [
        (r"\frac1N e^{-j\omega(N-1)/2}\frac{\sin(\omega N/2)}{\sin(\omega/2)}", "proved"),
        (r"\frac1N e^{j\omega(N-1)/2}\frac{\sin(\omega N/2)}{\sin(\omega/2)}", "refuted"),
    ],
)
def test_the_imaginary_unit_is_no_real_number_in_a_sum(right, verdict):
    text = rf"$$ H(\omega) = \frac1N\sum_{{n=0}}^{{N-1}}e^{{-j\omega n}} = {right}. $$"
    found, reason = verdicts(text)[-1]
    assert found != {"proved": "refuted", "refuted": "proved"}[verdict], reason
    assert reason != "at random numbers the sides differ"
