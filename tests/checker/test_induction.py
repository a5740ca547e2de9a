"""Closed forms of recursions, by induction."""

from __future__ import annotations

import pytest

from symattn.checker import check


def last(*lines: str, words: str = "A sequence is given by its recursion.") -> tuple[str, str]:
    text = words + "".join(f"\n\n$$ {line} $$" for line in lines) + "\n"
    row = check(text, corrections=False).rows[-1]
    return row.verdict, row.reason


GROWTH = r"a_{n+1} = q a_n", r"a_0 = c"
MEAN = r"m_t = \beta m_{t-1} + (1 - \beta) g_t", r"m_0 = 0"
ERROR = (r"e_{k+1} = \rho e_k + s",)
SECOND = r"v_t = b v_{t-1} + (1 - b) g_t^2", r"v_0 = 0"
STATE = (r"x_{k+1} = A x_k + B u_k",)


@pytest.mark.parametrize(
    "rule, form, found",
    [
        (GROWTH, r"a_n = c q^n", "proved"),
        (GROWTH, r"a_n = c q^{n+1}", "refuted"),
        (GROWTH, r"a_n = c n q", "refuted"),
        ((r"a_{n+1} = (1 - p) a_n", r"q = 1 - p"), r"a_n = a_0 q^n", "proved"),
        ((r"a_{n+1} = (1 - p) a_n", r"q = 1 + p"), r"a_n = a_0 q^n", "refuted"),
        ((r"a_n = q a_{n-1}", r"a_1 = c"), r"a_n = c q^{n-1}", "proved"),
        ((r"a_n = q a_{n-1}", r"a_1 = c"), r"a_n = c q^n", "refuted"),
        (MEAN, r"m_t = (1 - \beta) \sum_{i=1}^t \beta^{t-i} g_i", "proved"),
        (MEAN, r"m_t = (1 - \beta) \sum_{s=0}^{t-1} \beta^s g_{t-s}", "proved"),
        (MEAN, r"m_t = (1 - \beta) \sum_{i=1}^t \beta^i g_i", "refuted"),
        (MEAN, r"m_t = (1 - \beta) \sum_{i=0}^t \beta^{t-i} g_i", "refuted"),
        (MEAN[:1], r"m_t = \beta^t m_0 + (1 - \beta) \sum_{i=1}^t \beta^{t-i} g_i", "proved"),
        (MEAN[:1], r"m_t = (1 - \beta) \sum_{i=1}^t \beta^{t-i} g_i", "conditional"),
        (ERROR, r"e_k = \rho^k e_0 + s \frac{1 - \rho^k}{1 - \rho}", "proved"),
        (ERROR, r"e_k = \rho^k e_0 + s \sum_{j=0}^{k-1} \rho^j", "proved"),
        (ERROR, r"e_k = \rho^k e_0 + s \sum_{j=0}^k \rho^j", "refuted"),
        ((r"x_{t+1} = x_t^2",), r"x_t = t x_0", "refuted"),
        (STATE, r"x_k = A^k x_0 + \sum_{j=0}^{k-1} A^{k-1-j} B u_j", "proved"),
        (STATE, r"x_k = A^k x_0 + \sum_{j=0}^{k-1} A^{k-j} B u_j", "refuted"),
        (SECOND, r"v_t = (1 - b) \sum_{s=1}^t b^{t-s} g_s^2", "proved"),
        (SECOND, r"v_t = (1 - b) \sum_{s=0}^{t-1} b^s g_{t-s}^2", "proved"),
        (SECOND, r"v_t = b \sum_{s=1}^t b^{t-s} g_s^2", "refuted"),
        ((r"S_n = S_{n-1} + n", r"S_0 = 0"), r"S_n = \frac{n (n + 1)}{2}", "proved"),
        ((r"S_n = S_{n-1} + n", r"S_0 = 0"), r"S_n = \frac{n (n - 1)}{2}", "refuted"),
        ((r"x_{n+1} = \frac{x_n}{1 + x_n}",), r"x_n = \frac{x_0}{1 + n x_0}", "proved"),
        (
            (r"\bar\alpha_t = \alpha_t \bar\alpha_{t-1}", r"\bar\alpha_0 = 1"),
            r"\bar\alpha_t = \prod_{s=1}^t \alpha_s",
            "proved",
        ),
    ],
)
def test_closed_forms(rule: tuple[str, ...], form: str, found: str) -> None:
    assert last(*rule, form)[0] == found


def test_what_is_said() -> None:
    assert last(*GROWTH, r"a_n = c q^n")[1] == "by induction, with line 3 and line 5"
    assert last(*MEAN[:1], r"m_t = (1 - \beta) \sum_{i=1}^t \beta^{t-i} g_i")[1] == (
        "true where m_0 = 0, by induction"
    )
    assert last(*GROWTH, r"a_n = c q^{n+1}")[1] == "at n = 0 it is not what the recursion gives"


@pytest.mark.parametrize(
    "lines",
    [
        # the order of matrices
        (r"x_{k+1} = A x_k", r"x_k = x_0 A^k"),
        (r"x_{k+1} = A B x_k", r"x_k = A^k B^k x_0"),
        # q means something that is said elsewhere
        (r"g_{t+1} = r g_t", r"g_t = h^t"),
        (r"x_{k+1} = A x_k + B u_k", r"x_k = A^k x_0 + \sum_{j=0}^{k-1} B A^{k-1-j} u_j"),
        # a label, what is divided by several, an average, a component
        (r"x_{t+1} = q x_t", r"x_t = x_0 q^{(t)}"),
        (r"x_{t+1} = x_t / a b", r"x_t = x_0 / a^t b^t"),
        (r"x_{t+1} = E[x_t]", r"x_t = E^t x_0"),
        (r"x_{t+1} = A_{jj} x_t", r"x_t = A_{jj}^t x_0"),
        # of functions nothing is known
        (r"x_{n+1} = x_n + h f(x_n)", r"x_n = n h + x_0"),
        # two recursions
        (r"a_{n+1} = q a_n", r"a_{n+1} = p a_n", r"a_n = a_0 q^n"),
        # another section
        (r"a_{n+1} = q a_n$$" + "\n\n# Another\n\n" + r"$$a_0 = c", r"a_n = c p^n"),
    ],
)
def test_what_induction_does_not_decide(lines: tuple[str, ...]) -> None:
    assert "induction" not in last(*lines)[1]
    assert last(*lines)[0] not in ("proved", "refuted")


def test_what_is_meant_to_first_order_is_not_refuted() -> None:
    assert last(r"e_{k+1} = (1 - \eta) e_k", r"e_k = (1 - k \eta) e_0")[0] == "definition"
    assert last(r"e_{k+1} = (1 - \eta) e_k", r"e_k = (1 - \eta)^{k+1} e_0")[0] == "refuted"


@pytest.mark.parametrize("words", ["if $q$ is small", "up to terms of higher order"])
def test_words_beside_a_form(words: str) -> None:
    text = "$$ a_{n+1} = q a_n $$ so that $$ a_n = (1 - q)^n a_0 $$ WORDS."
    assert check(text.replace(" WORDS", ""), corrections=False).rows[-1].verdict == "refuted"
    row = check(text.replace("WORDS", words), corrections=False).rows[-1]
    assert row.verdict not in ("refuted", "proved"), row
