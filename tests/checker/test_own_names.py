"""Names with labels, functions put in, laws that are solved: what pages call their quantities."""

from __future__ import annotations

import pytest

import symattn as sa

TURN = (
    r"Let $$ R(m) = \begin{pmatrix} \cos m\theta & -\sin m\theta \\ \sin m\theta & \cos m\theta "
    r"\end{pmatrix} . $$"
    "\n\n"
)
COOLING = (
    r"The cup follows $$ \frac{dT}{dt} = -k (T - T_a) . $$ From $T_0$ the solution is "
    r"$$ T(t) = T_a + (T_0 - T_a) e^{-k t} . $$ It is at $T_d$ after "
    r"$$ t_d = \frac1k \ln \frac{T_d - T_a}{T_0 - T_a} $$ and "
)
STEPS = r"The rates are $\theta_j = b^{-2j/d}$ and the lengths $\lambda_j = 2\pi b^{2j/d}$: $$ "
WAVES = (
    r"We have $$ \omega(k) = \sqrt{g k \tanh(k h)} . $$ The speed is $c = \omega / k$. "
    r"Here $\omega_d(k) = \sqrt{g k}$, so $$ "
)
SHARES = (
    r"Let $$ g_{nk} = \frac{e^{a_k x_n}}{\sum_l e^{a_l x_n}} $$ with $n = 1..N$, $k = 1..K$, and "
    r"$$ N_k = \sum_n g_{nk} . $$ So $$ \sum_k N_k = K . $$"
)
DOUGH = (
    r"Let $f = F + \frac S2$ and $w = W + \frac S2$. Then $$ H = \frac wf . $$ The mass is "
    r"$m = F + W + S$. "
)


def last(text: str) -> str:
    return sa.check(text, corrections=False, timeout=None, jobs=1).rows[-1].verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        # what is put in for m stays within the cosine of m θ, and m is no index of R
        (TURN + r"$R(m)^\top = R(m)$", "refuted"),
        (TURN + r"$R(m)^\top = R(-m)$", "proved"),
        (TURN + r"$$ R(m) R(n) = R(m + n) $$", "proved"),
        (TURN + r"$$ R(m) R(n) = R(m - n) $$", "refuted"),
        (r"Let $r(m) = \cos m\theta$. So $$ r(m + n) = \theta \cos (m + n) $$", "refuted"),
        (r"Let $r(m) = \cos m\theta$. So $$ r(3) = \cos 3\theta $$", "proved"),
        # labels below values of one quantity
        (COOLING + r"$$ T'(0) = -k (T_0 - T_a) $$", "proved"),
        (COOLING + r"$$ T'(0) = k (T_0 - T_a) $$", "refuted"),
        # a step that is a number is summed under a Σ alone
        (STEPS + r"\lambda_j \theta_j = 2\pi $$", "proved"),
        (STEPS + r"\lambda_j \theta_j^2 = 2\pi $$", "refuted"),
        (r"Let $y_i = A_{ij} x_j$. $$ y_i y_i = x_j A_{ij} A_{ik} x_k $$", "proved"),
        # ω_d(k) beside ω(k)
        (WAVES + r"\omega_d(k) = 2 k \omega_d'(k) $$", "proved"),
        (WAVES + r"\omega_d'(k) = \sqrt{\frac gk} $$", "refuted"),
        # how far a letter runs
        (SHARES, "refuted"),
        # the derivative of a quantity d
        (r"Let $d = p^2$. $$ \frac{\mathrm{d} d}{\mathrm{d} p} = 2 p $$", "proved"),
        (r"Let $d = p^2$. $$ \frac{d d}{dp} = p $$", "refuted"),
        # where something lies says what the new name is, and nothing of an old one
        (r"The resonance is at $\omega_s = \sqrt{k/m}$. $$ m \omega_s^2 = k $$", "proved"),
        (r"The resonance is at $\omega_s = \sqrt{k/m}$. $$ m \omega_s^2 = k^2 $$", "refuted"),
        (r"Let $y = a x - b x^2$. The top is at $x = \frac{a}{2 b}$. "
         r"$$ \frac{dy}{dx} = a - 2 b x $$", "proved"),
        # an empty formula is no fault
        (r"The density $  $ at $ $ is $   $. $$ (a + b)^2 = a^2 + 2 a b + b^2 $$", "proved"),
    ],
)  # fmt: skip
def test_names_of_quantities(text: str, verdict: str) -> None:
    assert last(text) == verdict


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        # a wrong solution is wrong, and its law is not
        (r"The balance $$ m g = 6 \pi \eta r v $$ gives the speed $$ v = \frac{m g}{6 \eta r} $$",
         ["definition", "refuted"]),
        (r"The balance is $$ m g = 6 \pi \eta r v . $$ The sphere has $$ v = \frac43 \pi r^3 . $$",
         ["unproved", "definition"]),
        (r"The level follows from $$ a e^{-k t} = b , $$ so $$ t = \frac1k \ln \frac ab . $$",
         ["proved", "definition"]),
        # nor is the right place where a wrong slope vanishes
        (r"The slope is $$ \frac{d}{dk} \left( \frac gk + \frac{s k}{r} \right) = \frac sr - "
         r"\frac gk . $$ It vanishes for $k_0 = \sqrt{r g/s}$.", ["refuted", "definition"]),
        (r"It is reached where $$ a e^{-k t} = b . $$ Solving for $t$, $$ t = k \ln \frac ab . $$",
         ["definition", "refuted"]),
    ],
)  # fmt: skip
def test_laws_that_are_solved(text: str, verdicts: list[str]) -> None:
    rows = sa.check(text, corrections=False, timeout=None, jobs=1).rows
    assert [r.verdict for r in rows] == verdicts


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        # what is given anew by what it is in is claimed
        (DOUGH + r"So $$ w = \frac{H m}{1 + H} . $$", "proved"),
        (DOUGH + r"Flour and water are $$ w = \frac{m}{1 + H} . $$", "refuted"),
        (DOUGH + r"Suppose instead that $$ w = \frac{H f}{2} . $$", "definition"),
        (r"Let $p = a - b q$ and $R = p q$. With a tax $$ p = \frac Rq + c . $$", "definition"),
        # a slope that is a function of k is not meant at k = 1
        (r"The slope is $$ \frac{d}{dk} \left( \frac gk + \frac{s k}{r} \right) "
         r"= \frac sr - \frac gk . $$", "refuted"),
    ],
)  # fmt: skip
def test_anew_and_slopes(text: str, verdict: str) -> None:
    assert last(text) == verdict
