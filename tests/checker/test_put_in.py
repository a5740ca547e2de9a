"""What is put in place of a letter stays where that stood: in the argument of its function."""

from __future__ import annotations

import pytest

import symattn as sa

TURN = r"\begin{pmatrix} \cos m\theta & -\sin m\theta \\ \sin m\theta & \cos m\theta \end{pmatrix}"
OF_M = rf"Let $$ R(m) = {TURN} . $$" + "\n\n"
AT_M = rf"Let $$ R_m = {TURN} . $$" + "\n\n"
COSINE = r"Let $r(m) = \cos m\theta$. "
WAVE = r"Let $f(x) = \sin 2\pi k x$. "
RATIO = r"Let $f(k) = \sin 2\pi k x$. "
LOG = r"Let $g(a) = \ln a b$. "
GAIN = r"Let $g(\beta) = \tanh \beta J$. "
BOTH = r"Let $c(a, b) = \cos a b$. "
STEP = r"Let $T(n) = \cos n\phi$. Put $n \to n + 1$: "
SPEED = r"Let $\omega(k) = c k$. "
WEIGHT = r"Let $f(n) = a n$. "


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        (OF_M, r"R(m)^\top = R(-m)", r"R(m)^\top = R(m)"),
        (OF_M, r"R(m)^{-1} = R(-m)", r"R(m)^{-1} = R(m)"),
        (OF_M, r"R(a) R(b) = R(a + b)", r"R(a) R(b) = R(a - b)"),
        (OF_M, r"R(n) R(n) = R(2n)", r"R(n) R(n) = R(n)"),
        (OF_M, r"R(j)^\top R(i) = R(i - j)", r"R(j)^\top R(i) = R(j - i)"),
        (OF_M, r"\operatorname{tr} R(2m) = 2\cos 2m\theta",
         r"\operatorname{tr} R(2m) = 2\cos m\theta"),
        (AT_M, r"R_m R_n = R_{m+n}", r"R_m R_n = R_{m-n}"),
        (AT_M, r"R_{2m} = R_m R_m", r"R_{2m} = R_m"),
        (COSINE, r"r(3) = \cos 3\theta", r"r(3) = \theta \cos 3"),
        (COSINE, r"r(m + n) = \cos m\theta \cos n\theta - \sin m\theta \sin n\theta",
         r"r(m + n) = \theta \cos (m + n)"),
        (RATIO, r"f(2k) = 2 f(k) \cos 2\pi k x", r"f(2k) = f(k) \cos 2\pi k x"),
        (WAVE, r"f(x + \frac1k) = f(x)", r"f(x + \frac{1}{2k}) = f(x)"),
        (STEP, r"T(n + 1) = \cos n\phi \cos\phi - \sin n\phi \sin\phi",
         r"T(n + 1) = \phi \cos (n + 1)"),
        (BOTH, r"c(2a, b) = c(a, 2b)", r"c(2a, b) = b \cos 2a"),
        (WEIGHT, r"f(i) f(j) = a^2 i j", r"f(i) f(j) = a i j"),
        (r"Let $q(m) = e^{i m\theta}$. ", "q(m) q(n) = q(m + n)", "q(m) q(n) = q(m - n)"),
        (r"Let $h(m) = \theta \cos m$. ", r"h(2m) = \theta \cos 2m", r"h(2m) = \cos 2m\theta"),
    ],
)  # fmt: skip
def test_what_is_put_in(text: str, right: str, wrong: str) -> None:
    for claim, verdict in ((right, "proved"), (wrong, "refuted")):
        row = sa.check(f"{text}$$ {claim} $$", corrections=False, timeout=None, jobs=1).rows[-1]
        assert row.verdict == verdict, claim


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (LOG, r"g(2a) = b \ln 2a"),
        (GAIN, r"g(2\beta) = J \tanh 2\beta"),
        (SPEED, r"\sin \omega(k) t = t \sin c k"),
        (r"Let $h(x) = a + x$. ", r"\cos h(2x) y = y \cos (a + 2x)"),
        (r"Let $h(x) = a + x$. ", r"\log h(3x) y = y \log (a + 3x)"),
        (r"Let $\omega_n = n c$. ", r"\cos \omega_2 t = t \cos 2 c"),
        (r"Let $r(a) = \min a b$. ", r"r(2a) = b \min 2a"),
        (r"Let $D(x) = \det x A$ with $A \in \mathbb{R}^{n \times n}$. ", r"D(2x) = A \det 2x"),
    ],
)
def test_how_far_a_function_reaches_is_no_proof(text: str, claim: str) -> None:
    row = sa.check(f"{text}$$ {claim} $$", corrections=False, timeout=None, jobs=1).rows[-1]
    assert row.verdict != "proved"


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        # a letter that only a sum or another name has says nothing: it may be an index
        (r"f(x)(i) = \sum_{j \in N(i)} w_k x(j)_k", "definition"),
        (r"u(j) = \sum_i A_{ij} x(i)", "definition"),
    ],
)
def test_letters_that_may_be_indices(claim: str, verdict: str) -> None:
    row = sa.check(f"$$ {claim} $$", corrections=False, timeout=None, jobs=1).rows[-1]
    assert row.verdict == verdict


TONES = r"Let $a(t) = \cos \omega_1 t$ and $b(t) = \cos \omega_2 t$. "
SUM = r"Let $p(m) = \cos m\theta + m$. "


@pytest.mark.parametrize(
    ("text", "claim", "verdict"),
    [
        # \cos(a - b) t may be cos((a - b) t), which is right or wrong as well
        (TONES, r"a(t) b(t) = \frac12 \cos(\omega_1 - \omega_2) t + "
         r"\frac12 \cos(\omega_1 + \omega_2) t",
         "unproved"),
        (TONES, r"a(t) b(t) = \frac12 \cos(\omega_1 - \omega_2) t - "
         r"\frac12 \cos(\omega_1 + \omega_2) t",
         "refuted"),
        (SUM, r"p(a + b) = \cos (a - b)\theta + a + b", "refuted"),
        (SUM, r"p(a + b) = \cos (a + b)\theta + a + b", "unproved"),
        ("", r"\cos(a + b)\theta = \cos a\theta \cos b\theta - \sin a\theta \sin b\theta",
         "unproved"),
        ("", r"\cos(a + b)\theta = \cos a\theta \cos b\theta + \sin a\theta \sin b\theta",
         "refuted"),
        (r"Let $x = l \cos(q + r)$. ", r"\frac{\partial x}{\partial q} = -\sin(q + r) l", "proved"),
        (r"Let $x = l \cos(q + r)$. ", r"\frac{\partial x}{\partial q} = \sin(q + r) l", "refuted"),
    ],
)  # fmt: skip
def test_a_letter_behind_brackets(text: str, claim: str, verdict: str) -> None:
    row = sa.check(f"{text}$$ {claim} $$", corrections=False, timeout=None, jobs=1).rows[-1]
    assert row.verdict == verdict
