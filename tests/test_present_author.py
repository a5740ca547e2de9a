"""What an author has under one bar, power or root stays there; what he has not, does not."""

import time

import pytest

import symattn as sa
from symattn.explain import author
from symattn.model import model

SCALARS = "<!-- symattn: scalars a b c d g h k n s v x K L; positive a c g h k s v x K L -->\n"


def printed(text, of, wrt):
    d = sa.jacobian(sa.read(text), of=of, wrt=wrt)
    assert d.check_steps().ok
    return d.equation().partition(" = ")[2]


@pytest.mark.parametrize(
    ("text", "wrt", "line"),
    [
        (r"y = d + n (\frac{v}{c})^b", "v", r"\frac{n b}{c} \left(\frac{v}{c}\right)^{b - 1}"),
        (r"y = d + n \frac{v^b}{c^b}", "v", r"\frac{n b v^{b - 1}}{c^{b}}"),
        (r"y = n + \frac{s}{(K L)^2}", "s", r"\frac{1}{\left(K L\right)^{2}}"),
        (r"y = n + \frac{s}{K^2 L^2}", "s", r"\frac{1}{K^{2} L^{2}}"),
        (r"y = n + (a h)^b", "h", r"a b \cdot \left(a h\right)^{b - 1}"),
        (r"y = n + a^b h^b", "h", r"b a^{b} h^{b - 1}"),
        (r"y = n + a \sqrt{2 g h}", "a", r"\sqrt{2 g h}"),
        (r"y = n + a \sqrt{2gh}", "h", r"a \sqrt{\frac{g}{2 h}}"),
        (r"y = n + a \sqrt 2 \sqrt g \sqrt h", "a", r"\sqrt{g} \sqrt{2} \sqrt{h}"),
        (r"y = n + \sqrt{\frac{K}{v}}", "v", r"-\frac{1}{2 v} \sqrt{\frac{K}{v}}"),
        (r"y = n + \frac{\sqrt K}{\sqrt v}", "v", r"-\frac{\sqrt{K}}{2 v^{3/2}}"),
        # as 1/x^b, or as x^{-b}
        (r"y = n + \frac{a}{x^b}", "x", r"-\frac{a b}{x^{b + 1}}"),
        (r"y = n + a x^{-b}", "x", r"-a b x^{-b - 1}"),
        (r"y = n + \frac{x^{1 - b}}{1 - b}", "x", r"x^{-b}"),
        (r"y = n + e^{-b} + \frac{a}{x^b}", "a", r"\frac{1}{x^{b}}"),
        # n − 1 as it stands, and 1 − n
        (r"y = (n - 1) (\frac{1}{a} - \frac{1}{b})", "a", r"-\frac{n - 1}{a^{2}}"),
        (r"y = (1 - n) (\frac{1}{b} - \frac{1}{a})", "a", r"\frac{1 - n}{a^{2}}"),
        (r"y = k (n - 1)^2", "n", r"2 k \left(n - 1\right)"),
    ],
)
def test_bars_powers_and_roots(text, wrt, line):
    assert printed(SCALARS + text, "y", wrt) == line


@pytest.mark.parametrize(
    ("text", "wrt", "line"),
    [
        (r"L = \log \|x\|", "x", r"\frac{x_p}{\|x\|^{2}}"),
        (r"L = \|x\|^2 + \frac{a}{\|x\|}", "x", r"x_p \left(2 - \frac{a}{\|x\|^{3}}\right)"),
        (r"L = e^{-\frac{\|x\|^2}{2 s}}", "s", r"\frac{L \|x\|^{2}}{2 s^{2}}"),
        (r"L = \frac{1}{2} \log \sum_i x_i^2", "x", r"\frac{x_i}{\sum_{j} x_j^2}"),
        (r"L = \|x\| + \log \sum_i y_i^2", "y", r"\frac{2 y_i}{\sum_{j} y_j^2}"),
        (
            r"E = \frac{c^2}{2} \sum_i (\sum_j G_{ij} u_j)^2",
            "c",
            r"c \sum_{i} \left(\sum_{j} G_{ij} u_j\right)^{2}",
        ),
        (
            r"E = \frac{c^2}{2} \sum_{i,j,k} G_{ij} G_{ik} u_j u_k",
            "c",
            r"c \sum_{i, j, k} G_{ij} G_{ik} u_j u_k",
        ),
        (r"L = \sum_i c_i \min(x_i, y_i)", "c", r"\min\left(x_i, y_i\right)"),
        (r"L = \sum_i c_i \max(-x_i, -y_i)", "c", r"\max\left(-x_i, -y_i\right)"),
        (
            r"L = -k \sum_i c_i \max(-x_i, -y_i)",
            "k",
            r"\sum_{i} c_i \min\left(x_i, y_i\right)",
        ),
        (
            r"L = \frac{b}{n} \sum_{i=1}^n (1 - h_i^2)",
            "b",
            r"\frac{1}{n} \sum_{i} \left(1 - h_i^2\right)",
        ),
        (
            "<!-- symattn: scalars b s -->\n"
            r"L = b s - \frac{b}{n} \sum_{i=1}^n h_i^2",
            "b",
            r"s - \frac{1}{n} \sum_{i} h_i^2",
        ),
        # two components at the same indices, and at others
        (
            r"L = a \sum_i (p_i q_i - b_i q_i) + \frac{1}{2} \sum_i q_i^2",
            "q",
            r"q_i + a \cdot \left(p_i - b_i\right)",
        ),
        (
            r"L = a \sum_{i,j} (p_i q_{ij} - b_j q_{ij}) + \frac{1}{2} \sum_{i,j} q_{ij}^2",
            "q",
            r"a \cdot \left(p_i - b_j\right) + q_{ij}",
        ),
    ],
)
def test_norms_sums_and_brackets(text, wrt, line):
    of = text.splitlines()[-1][0]
    assert printed(text, of, wrt) == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (r"H_k = \frac{S_k}{S_k + N_k}", r"-\frac{S_k \bar H_k}{\left(S_k + N_k\right)^{2}}"),
        (r"H_k = \frac{S_k}{N_k}", r"-\frac{H_k \bar H_k}{N_k}"),
        (r"H_k = \frac{1}{1 + N_k}", r"-H_k^2 \bar H_k"),
    ],
)
def test_a_quotient_says_nothing_in_a_gradient_that_comes_through_it(text, line):
    system = sa.read(text + "\n" + r"y_k = H_k x_k")
    g = sa.backward(system, output="y", wrt=("H", "N"))
    assert g["N"].equation().partition(" = ")[2] == line


def test_the_name_pi_of_a_number():
    system = sa.read("<!-- symattn: scalars p q c -->\n" r"\pi = p q - c q^2")
    assert sa.jacobian(system, of="pi", wrt="q").equation() == (
        r"\frac{\partial \pi}{\partial q} = p - 2 c q"
    )


@pytest.mark.parametrize(
    ("text", "wrt"),
    [
        ("<!-- symattn: scalars d -->\nr = x - d P x - (1 - d) v", "v"),
        ("<!-- symattn: scalars a -->\nr = a x + (1 - a) v", "v"),
        ("<!-- symattn: scalars a -->\nr = x - v e^{-\\|v\\|^2}", "x"),
    ],
)
def test_vectors_that_only_a_norm_shows(text, wrt):
    system = sa.read(text + "\n" + r"L = \frac{1}{2} \|r\|^2")
    assert len(sa.jacobian(system, of="L", wrt=wrt).indices) == 1


def test_patterns_take_no_long_time_where_they_do_not_fit():
    m = model(sa.read(r"y = x_0 \sqrt{2 a b}"))
    texts = [
        r"\left(" + r"\frac{x_i}{\lambda} \alpha " * 200 + "+ 1",
        r"\sqrt{" + r"\alpha \beta a b 12345 " * 200 + "+ 1}",
        r"\|" + r"\alpha \beta x " * 200 + "+ 1",
    ]
    start = time.process_time()
    for text in texts:
        for found in (author.powers, author.roots, author.norms):
            assert not found(text, m)
        author.barred(text)
    assert time.process_time() - start < 0.5
