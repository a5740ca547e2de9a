r"""Notation of papers: what equations say and, beside each, the near miss that must not pass."""

from __future__ import annotations

import pytest

import symattn as sa
from symattn.checker import check
from symattn.explain import definition_latex
from symattn.read import read

PAIRS = [  # what is known, a claim that is true of it, and one that is not
    # functions that others give
    ("", r"\sec^2 x = 1 + \tan^2 x", r"\csc^2 x = 1 + \tan^2 x"),
    ("", r"\operatorname{artanh} x = \frac12 \log \frac{1+x}{1-x}", r"\cot x = \tan x"),
    (
        r"The metric $E = \sin\theta \, r$ has two factors.",
        r"\frac{\partial E}{\partial r} = \sin\theta",
        r"\frac{\partial E}{\partial r} = \theta \cos(\theta r)",
    ),
    (
        r"$\Phi$ is the standard normal distribution function.",
        r"\frac{\partial \Phi(x)}{\partial x} = \frac{e^{-x^2/2}}{\sqrt{2\pi}}",
        r"\Phi(-x) = \Phi(x)",
    ),
    # letters that name things
    (
        r"$$ f = \sigma(W_f x + b_f) $$ $$ g = \tanh(W_g x + b_g) $$ $$ c = f \odot g $$",
        r"c = g \odot \sigma(b_f + W_f x)",
        r"c = g \odot \sigma(b_g + W_f x)",
    ),
    (
        r"$$ \pi_\theta(a) = \frac{e^{\theta_a}}{\sum_b e^{\theta_b}} $$"
        r" Let $H(\theta) = -\sum_a \pi_\theta(a) \log \pi_\theta(a)$.",
        r"\frac{\partial H}{\partial \theta_b} = -\pi_\theta(b) (\log \pi_\theta(b) + H(\theta))",
        r"\frac{\partial H}{\partial \theta_b} = \pi_\theta(b) (\log \pi_\theta(b) + H(\theta))",
    ),
    (
        r"$$ U(r) = \frac{a}{r^2} - \frac{b}{r}, \qquad r_m = \frac{2a}{b} $$",
        r"U(r_m) = -\frac{b^2}{4a}",
        r"U(r_m) = \frac{b^2}{4a}",
    ),
    # functions, and derivatives at a point
    (
        r"$$ p_i(T) = \frac{e^{s_i/T}}{\sum_j e^{s_j/T}} $$",
        r"\frac{\partial p_i}{\partial T} = \frac{p_i}{T^2} (\sum_j p_j s_j - s_i)",
        r"\frac{\partial p_i}{\partial T} = \frac{p_i}{T} (\sum_j p_j s_j - s_i)",
    ),
    (
        r"$$ V(r) = a r^2 - b r $$",
        r"\left. \frac{dV}{dr} \right|_{r = c} = 2 a c - b",
        r"\left. \frac{dV}{dr} \right|_{r = c} = 2 a r - b",
    ),
    # rows of numbers
    (
        "",
        r"\sum_{k=0}^{\infty} q^k = \frac{1}{1 - q}",
        r"\sum_{k=1}^{\infty} q^k = \frac{1}{1 - q}",
    ),
    (
        "",
        r"(1 - \beta) \sum_{s=1}^{t} \beta^{t-s} = 1 - \beta^t",
        r"(1 - \beta) \sum_{s=1}^{t} \beta^{t-s} = 1 - \beta^{t-1}",
    ),
    (r"$$ E_n = a (n + \frac12) $$", "E_{n+1} - E_n = a", "E_{n+2} - E_n = a"),
    # shapes from words
    (
        r"Let $x \sim \mathcal{N}(\mu, \Sigma)$. "
        r"$$ \log p(x) = -\frac12 (x - \mu)^\top \Sigma^{-1} (x - \mu) - \frac12 \log |\Sigma| $$",
        r"\nabla_\mu \log p(x) = \Sigma^{-1} (x - \mu)",
        r"\nabla_\mu \log p(x) = \Sigma (x - \mu)",
    ),
    (
        r"Let $X \in \mathbb{R}^{n \times d}$. $$ S^{-1} = \alpha I + X^\top X $$"
        r" $$ m = S X^\top y $$",
        r"S^{-1} m = X^\top y",
        r"S m = X^\top y",
    ),
    (
        r"For the strain, $i, j, k = 1, 2, 3$: $$ s_{ij} = e_{ij} - \frac13 \delta_{ij} e_{kk} $$",
        r"s_{ii} = 0",
        r"s_{ii} = e_{ii}",
    ),
    (
        r"$$ \operatorname{LSE}_i = \log \sum_j e^{s_{ij}} $$",
        r"\frac{\partial \operatorname{LSE}_i}{\partial s_{ij}}"
        r" = e^{s_{ij} - \operatorname{LSE}_i}",
        r"\frac{\partial \operatorname{LSE}_i}{\partial s_{ij}} = e^{s_{ij}}",
    ),
    # where the text writes its Σ, a letter on both sides is free
    (
        r"$$ P_{pi} = \frac{1}{1 + e^{-a_i (\theta_p - b_i)}} $$ $$ r_p = \sum_i P_{pi} $$",
        r"\log \frac{P_{pi}}{1 - P_{pi}} = a_i (\theta_p - b_i)",
        r"\log \frac{P_{pi}}{1 - P_{pi}} = a_i (\theta_p + b_i)",
    ),
    (r"$$ u_i = a_i b_i $$", r"u_i (1 - u_i) = a_i b_i - u_i^2", r"u_i (1 - u_i) = a_i b_i - u_i"),
    (  # and where it leaves them out it is summed
        r"$$ y_i = A_{ij} x_j $$",
        r"y_i y_i = A_{ij} x_j A_{ik} x_k",
        r"y_i y_i = A_{ij} x_i A_{ik} x_k",
    ),
    # how far an index runs
    *(
        (
            rf"{words} $$ m = \frac{{1}}{{n}} \sum_i x_i $$",
            r"\sum_i (x_i - m) = 0",
            r"\sum_i (x_i - m) = m",
        )
        for words in (
            r"Here $i = 1, \dots, n$.",
            r"For $i, j \in \{1, \ldots, n\}$:",
            r"Data $\{(x_i, y_i)\}_{i=1}^{n}$:",
            r"Let $x_1, x_2, \dots, x_n$ be numbers.",
            r"Let $x_0, \dots, x_{n-1}$ be numbers.",
            "The mean is",
        )
    ),
    (
        r"Profit is $\pi = p q - c q^2$.",
        r"\frac{\partial \pi}{\partial q} = p - 2 c q",
        r"\frac{\partial \pi}{\partial q} = p - c q",
    ),
]


@pytest.mark.parametrize("known, true, false", PAIRS, ids=[true[:40] for _, true, _ in PAIRS])
def test_what_papers_write(known, true, false):
    doc = read(f"{known}\n\n$$ {true} $$\n\n$$ {false} $$", strict=False)
    assert not doc.skipped, [r.reason.problem for r in doc.skipped]
    right, wrong = doc.claims[-2:]
    assert sa.prove(right.lhs, right.rhs, given=doc, over=right.indices).status == "proved"
    assert sa.prove(wrong.lhs, wrong.rhs, given=doc, over=wrong.indices).status == "refuted"


def test_letters_that_are_indices_are_no_labels():
    doc = read(
        r"$$ k_j = W_{ja} x_a $$ $$ p_k = \frac{e^{s_k}}{\sum_j e^{s_j}} $$"
        r"$$ \frac{\partial p_j}{\partial s_k} = p_j (\delta_{jk} - p_k) $$",
        strict=False,
    )
    (claim,) = doc.claims
    assert sa.prove(claim.lhs, claim.rhs, given=doc, over=claim.indices).status == "proved"


def test_two_spellings_of_a_greek_letter_are_two_names():
    doc = read(r"$$ y = \phi + 2 \varphi $$ $$ z = \epsilon \varepsilon $$", strict=False)
    assert set(map(str, doc["y"].expr.free_symbols)) == {"phi", "varphi"}
    assert set(map(str, doc["z"].expr.free_symbols)) == {"epsilon", "varepsilon"}
    assert definition_latex(doc["y"]) == r"y = \phi + 2 \varphi"


def test_sizes_in_words_hold_before_equations():
    doc = read(
        r"Let $X \in \mathbb{R}^{n \times d}$ and $w \in \mathbb{R}^d$. "
        r"$$ y = X w $$ $$ t = \operatorname{tr}(X X) $$",
        strict=False,
    )
    assert [str(n) for n in doc["y"].shape] == ["n"]
    (refused,) = doc.skipped
    assert "two sizes" in refused.reason.problem


def test_a_derivative_at_a_point_defines_nothing():
    doc = read(r"$$ \left. \frac{dL}{dx} \right|_{x = 2} = 5 $$", strict=False)
    assert not doc.definitions and [q.kind for q in doc.equations] == ["claim"]


def test_degrees_of_a_graph_are_no_size():
    doc = read(
        r"$$ d_i = \sum_j A_{ij} $$ $$ D = \mathrm{diag}(d) $$ $$ L = D - A $$ "
        r"$$ L \mathbf{1} = 0 $$",
        strict=False,
    )
    claim = doc.claims[-1]
    assert sa.prove(claim.lhs, claim.rhs, given=doc, over=claim.indices).status == "proved"


def test_an_error_with_one_index_is_defined() -> None:
    """δ_t on a left side; δ_ij stays Kronecker's."""
    system = sa.read(
        r"$$ v_t = \sum_a X_{ta} w_a $$ $$ \delta_t = r_t + \gamma u_t - v_t $$ "
        r"$$ L = \frac12 \sum_t \delta_t^2 $$ $$ M_{ij} = \delta_{ij} - p_j $$"
    )
    assert list(system.definitions) == ["v", "delta", "L", "M"]
    assert set(system.inputs) == {"X", "w", "r", "u", "p"}
    assert "delta[t]" in str(sa.jacobian(system, of="L", wrt="w"))


@pytest.mark.parametrize("power", ["u_{ia}^2", "(u_{ia})^2", "|u_{ia}|^2"])
def test_a_power_under_a_sum_is_no_second_sum(power) -> None:
    r"""\sum_a u_{ia}^2 = 1 is said of every row."""
    said = f"Let $u \\in \\mathbb{{R}}^{{n \\times d}}$ with $\\sum_a {power} = 1$. Then\n\n"
    for claim, verdict in (
        (r"\sum_i \sum_a u_{ia}^2 = n", "proved"),
        (r"\sum_i \sum_a u_{ia}^2 = 1", "refuted"),
        (r"\sum_a (u_{ia} - u_{ja})^2 = 2 - 2 \sum_a u_{ia} u_{ja}", "proved"),
    ):
        assert check(f"{said}$$ {claim} $$", corrections=False).rows[-1].verdict == verdict


def test_a_row_that_is_nowhere_free_is_refused() -> None:
    (row,) = check(r"$$ L = \sum_a u_{ia}^2 $$", corrections=False)
    assert row.verdict == "skipped" and "the index i occurs once" in row.reason


@pytest.mark.parametrize(
    "words",
    [
        r"Here $i = 1, \dots, k$ and $k = 1, \dots, n$.",  # k is an index too
        r"Here $i = 1, \dots, n$, and later $i = 1, \dots, m$.",
        r"Here $i = 1, \dots, n^2$.",
        r"Here $x_1, \dots, x_n$, and once $x_1, \dots, x_m$.",
    ],
)
def test_how_far_an_index_runs_is_not_guessed(words):
    text = rf"{words} $$ c = \sum_i x_i $$"
    doc = read(text, strict=False)
    (i,) = doc.definitions["c"].expr.limits
    assert str(i[2]) == "n_i - 1"


def test_pi_is_a_number_where_it_is_used_first():
    doc = read(r"$$ A = \pi r^2 $$ $$ \pi = \frac{A}{r^2} $$", strict=False)
    (claim,) = doc.claims
    assert claim.lhs.is_number and "pi" not in doc.definitions


def test_a_square_of_one_case_is_no_fact():
    doc = read(r"For $\sigma^2 = 1$ it is simple. $$ q = e^{-x^2/\sigma^2} $$", strict=False)
    assert not doc.facts and not any(e.kind == "fact" for e in doc.equations)
