r"""Quantities before brackets, directions as labels, ratios of letters, beside near misses."""

from __future__ import annotations

import pytest

import symattn as sa


def read(text: str) -> list[str]:
    doc = sa.read(text, strict=False)
    return [f"{q.lhs} = {q.rhs}" for q in doc.equations if q.rhs is not None]


def refused(text: str) -> bool:
    return bool(sa.read(text, strict=False).refused)


READ = {
    r"A diode with saturation current $I_s$ follows $$ I = I_s (e^{u} - 1) $$": (
        "I = I_s*(exp(u) - 1)"
    ),
    r"A blade at temperature $T$ has $$ P = T (C + \log t) $$": "P = T*(C + log(t))",
    r"There are $N$ moments $$ M = N (\frac{\cosh x}{\sinh x} - \frac1x) $$": (
        "M = N*(cosh(x)/sinh(x) - 1/x)"
    ),
    r"The scores are $n_k$ $$ L = \log \sum_k e^{n_k - m} $$": (
        "L = log(Sum(exp(-m + n[k]), (k, 0, n_k - 1)))"
    ),
    r"A beam of waist $w_0$ has $$ a = w_0^2 (1 + z^2) $$": "a = w_0**2*(z**2 + 1)",
    r"The part across the field is $$ E = m v_\perp^2 $$": "E = m*v_perp**2",
    r"The part along it is $$ E = m v_{\parallel}^2 $$": "E = m*v_parallel**2",
    r"The sum of two powers is $$ S = a^k + b^k $$": "S = a**k + b**k",
    r"After so many halvings there is $$ F_t = 1 - (\frac12)^t $$ $$ G_1 = F_1 $$": None,
    r"A linear map has a matrix. $$ E = U - \frac{RT}{nF} \log Q $$": "E = U - R*T*log(Q)/(F*n)",
    r"A linear map has a matrix. $$ E = U - (RT/nF) \log Q $$": "E = U - R*T*log(Q)/(F*n)",
    r"The effective stress is $$ \sigma' = g z $$": "sigma' = g*z",
}
REFUSED = [
    r"The function $I_s$ is known: $$ I = I_s (e^{u} - 1) $$",
    r"It is so that $$ I = I_s (e^{u} - 1) $$",  # no sentence names it
    r"The current $I_s$ is known: $$ I = I_s (a + b) $$",  # I_s at a + b?
    r"The function $T$ is known: $$ P = T (C + \log t) $$",
    r"The chance $P$ is known: $$ L = P (C + \log t) $$",
    r"It holds that $$ S = a^k $$",
    r"It is so that $$ E = (R T / n F) b $$",  # with gaps
    r"With the activation $\sigma(z)$ we have $$ d = \sigma' $$ $$ y = \sigma(z) $$",
]


@pytest.mark.parametrize("text", READ)
def test_read(text: str) -> None:
    assert not refused(text)
    assert READ[text] is None or READ[text] in read(text)


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text: str) -> None:
    assert refused(text)


@pytest.mark.parametrize(
    "said", [r"Let $x, y \in \mathbb{R}$.", "Let $x, y > 0$.", "Let $x$ and $y$ be real numbers."]
)
def test_numbers_above_numbers_are_powers(said: str) -> None:
    assert "exp(x**y) = exp(x*y)" in read(rf"{said} $$ \exp(x^y) = e^{{x y}} $$")
    rows = sa.check(rf"{said} $$ (e^x)^y = e^{{x^y}} $$", corrections=False).rows
    assert rows[-1].verdict not in ("proved", "definition")


def test_a_quantity_that_is_applied_elsewhere_is_no_factor() -> None:
    assert refused(r"The potential $V$ is known at all places. $$ E = V(r) + V(1 + r) $$")


def test_joint_and_marginal() -> None:
    text = r"""
The joint and marginal probabilities satisfy

$$ p_x = \sum_y p_{xy} $$
"""
    (found,) = read(text)
    assert found.startswith("p[x] = Sum(p_2[x, y]") or found.startswith("p_2[x] = Sum(p[x, y]")


def test_a_missing_index_of_another_name_is_refused() -> None:
    assert refused(r"It is so that $$ a_x = \sum_y a_{xy} $$")


def test_orthogonality_states_no_equality() -> None:
    kinds = [q.kind for q in sa.read(r"It is so that $$ x \perp y $$", strict=False).equations]
    assert kinds == ["notation"]


def test_euler_s_number_and_other_letters_e() -> None:
    assert "u = exp(x) - 1 + E" in read(r"It is so that $$ u = e^x + e - 1 $$")
    assert "exp" not in read(r"A charge $e$ moves. $$ J = e n v $$")[0]
    assert read(r"A charge moves. $$ J = e (e^{u} - 1) $$")[0] != "J = E*(exp(u) - 1)"
    kept = read(r"The anomaly is $$ M = w - e \sin w $$ $$ u = e^x + e - 1 $$")
    assert not any("E" in x for x in kept)


def test_names_of_differentials() -> None:
    text = r"A width $d$ is known. $$ s = \sqrt{d} $$ $$ dK_j = a_j $$ $$ b_j = c_j dK_j $$"
    assert not refused(text)
    assert refused(r"A width $d$ is known. $$ s = \sqrt{d} $$ $$ b_j = c_j dK_j $$")
