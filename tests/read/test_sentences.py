"""What the words around displays say: sizes, and what a function is of."""

from __future__ import annotations

import pytest

import symattn as sa
from symattn.read import read

R = r"\in \mathbb{R}"


def shapes(text: str) -> dict[str, tuple[str, ...]]:
    return {m.name: m.shape for m in read(text, strict=False).meanings}


@pytest.mark.parametrize("strict", [True, False])
def test_sizes_that_sentences_name_fit_the_axes(strict):
    text = rf"Let $Q {R}^{{n \times d}}$ and $K {R}^{{m \times d}}$."
    text += "\n\n" + r"$$ S_{ij} = \frac{1}{\sqrt{d}} Q_{ia} K_{ja} $$"
    kinds = {m.name: (m.kind, m.shape) for m in read(text, strict=strict).meanings}
    assert kinds["Q"] == ("matrix", ("n", "d")) and kinds["K"] == ("matrix", ("m", "d"))
    assert kinds["S"] == ("matrix", ("n", "m")) and kinds["d"] == ("size", ())


@pytest.mark.parametrize(
    "words, displays",
    [
        (rf"Let $x {R}^{{d}}$. Later $x {R}^{{n}}$.", r"$$ m = \sum_a x_a $$"),  # two sizes
        (rf"Let $x {R}^{{d}}$.", r"$$ y_i = x_i + \sum_d W_{id} $$"),  # d is an index
        (rf"Let $x {R}^{{d}}$.", "$$ d = 3 $$\n\n$$ m = \\sum_a x_a $$"),  # d has a value
        (rf"Let $x {R}^{{d \times e}}$.", r"$$ m = \sum_a x_a $$"),  # not what displays say
    ],
)
def test_where_words_and_displays_do_not_fit_the_axis_stays_open(words, displays):
    assert shapes(f"{words}\n\n{displays}")["x"] not in (("d",), ("n",))


def test_a_size_of_the_words_decides_claims():
    text = rf"""Let $x {R}^{{d}}$.

$$ \mu = \frac1d \sum_a x_a $$

$$ \frac1d \sum_a (x_a - \mu)^2 = \frac1d \sum_a x_a^2 - \mu^2 $$

$$ \frac1d \sum_a (x_a - \mu)^2 = \frac1d \sum_a x_a^2 + \mu^2 $$
"""
    assert [r.verdict for r in sa.check(text, corrections=False).rows] == [
        "definition",
        "proved",
        "refuted",
    ]


GRADIENTS = r"""Let $X \in \mathbb{R}^{n \times d}$.

$$ L(w) = \frac{1}{2} \|X w - y\|^2 $$

$$ \nabla L(w) = X^\top (X w - y) $$

$$ \nabla_w L = X^\top (y - X w) $$

$$ \frac{\partial L}{\partial w_a} = \sum_i X_{ia} (\sum_b X_{ib} w_b - y_i) $$

$$ \nabla^2 L = X^\top X $$
"""


def test_a_function_that_always_has_the_same_arguments_is_what_it_is_called():
    verdicts = [r.verdict for r in sa.check(GRADIENTS, corrections=False).rows if r.kind == "claim"]
    assert verdicts == ["proved", "refuted", "proved", "proved"]


def test_a_function_at_other_arguments_stays_a_function():
    text = "$$ f(x) = x^2 $$\n\n$$ f(x + h) - f(x) = 2 x h + h^2 $$"
    assert [r.verdict for r in sa.check(text, corrections=False).rows] == ["definition", "proved"]


SIGMOID = r"""<!-- symattn: sizes x:(n,d) w:(d) -->
$$ p_i = \sigma(w_j x_{ij}) $$
"""


@pytest.mark.parametrize(
    "claim, verdict",
    [
        (r"\log \frac{p_i}{1 - p_i} = w^\top x_i", "proved"),
        (r"w_j x_{ij} = \log \frac{p_i}{1 - p_i}", "proved"),
        (r"\log (p_i p_i) = 2 \log p_i", "proved"),
        (r"\log (p_i p_i) = \log p_i", "refuted"),
    ],
)
def test_a_letter_that_occurs_once_on_either_side_is_free_on_both(claim, verdict):
    assert sa.check(f"{SIGMOID}$$ {claim} $$", corrections=False).rows[-1].verdict == verdict


def test_zero_is_a_vector_where_the_other_side_is_one():
    text = GRADIENTS[: GRADIENTS.index("$$ L(w)")]
    text += (
        "$$ r = y - X (X^\\top X)^{-1} X^\\top y $$\n\n$$ X^\\top r = 0 $$\n\n$$ X^\\top y = 1 $$"
    )
    rows = sa.check(text, corrections=False).rows
    assert [r.verdict for r in rows] == ["definition", "proved", "skipped"]
    assert "different shapes" in rows[-1].reason


@pytest.mark.parametrize("formula", ["Σ_i x_i^2", "Σ_{i=1}^n x_i^2", "Σ_{ij} x_i δ_{ij} x_j"])
def test_a_greek_capital_typed_for_a_sum(formula):
    text = f"Let $x {R}^n$.\n\n$$ s = {formula} $$\n\n"
    text += r"$$ \frac{\partial s}{\partial x_k} = 2 x_k $$"
    assert [r.verdict for r in sa.check(text, corrections=False)][-1] == "proved"


@pytest.mark.parametrize(
    "formula", ["(x - m)^⊤ Σ^{-1} (x - m)", "x^⊤ Σ x", "Σ_k", "Σ_{ij} x_i x_j + x^⊤ Σ x"]
)
def test_a_greek_capital_that_is_a_matrix(formula):
    assert any(
        m.name.startswith("Sigma") for m in read(f"$$ q = {formula} $$", strict=False).meanings
    )


TEX = r"""\documentclass{article}
\begin{document}
\begin{equation} y = \cos a \end{equation} % wrong, if ever
\section{Scales}
With $k = \frac{2}{1 + \sin a}$ the coordinates are
% unless they are not
\begin{equation} u = k \cos a, \qquad v = k \sin a \end{equation} % not this one
\begin{equation} u^2 + v^2 = k^2 \end{equation}
\end{document}
"""


def test_comments_of_tex_are_no_words_of_a_sentence():
    rows = {r.latex: r for r in sa.check(TEX, corrections=False).rows}
    assert rows[r"k = \frac{2}{1 + \sin a}"].verdict == "definition"
    assert rows[r"u^2 + v^2 = k^2"].verdict == "proved"
    wrong = TEX.replace("= k^2", "= 2 k^2")
    assert sa.check(wrong, corrections=False).rows[-1].verdict == "refuted"
    assert sa.check(wrong, corrections=False).rows[-1].line == 8
    condition = wrong.replace("% unless they are not", "unless they are not")
    assert sa.check(condition, corrections=False).rows[-1].verdict != "refuted"


def test_declarations_in_comments_of_tex_stay():
    text = "\\documentclass{article}\n% symattn: sizes Q:(n,d)\n\\[ S = Q Q^\\top \\]\n"
    assert "(q', 0, d - 1)" in str(sa.read(text)["S"].expr)
    with pytest.raises(sa.FormulaError):
        sa.read(text.replace("symattn:", "symatn:"))


@pytest.mark.parametrize(
    ("words", "axes"),
    [
        (r"Queries $q_i$ and keys $k_j$ are vectors in $\mathbb{R}^d$.", "n_i × d"),
        (r"The queries $q_i$ are vectors.", "n_i × n_p"),
        (r"Vectors $q_i$ of length $d$.", "n_i × n_p"),
        (r"Let $q_i$ be unit vectors in $\mathbb{R}^d$.", "n_i × d"),
        (r"The vectors $q_i$ lie in $M$.", "n_i × n_p"),
    ],
)
def test_what_is_called_vectors_is_a_family_of_them(words: str, axes: str) -> None:
    text = words + "\n\n" + r"$$ s_{ij} = \frac{q_i^\top k_j}{\tau} $$" + "\n"
    (found,) = (x for x in read(text, strict=False).summary().splitlines() if x.startswith("q"))
    assert "matrix" in found
    assert f" {axes} " in found
    loss = r"$$ L = \sum_{ij} s_{ij} $$ $$ \frac{\partial L}{\partial q_i}"
    text += loss + r" = \frac1\tau \sum_j k_j $$"
    assert sa.check(text, corrections=False).rows[-1].verdict == "proved"


def test_kinds_of_names_in_one_list():
    text = r"Queries $q_i$ and the keys $k_j$ are vectors in $\mathbb{R}^d$."
    text += r" $$ z_i = q_i^\top w $$ $$ y_j = k_j^\top u $$"
    found = shapes(text)
    assert (found["q"][-1], found["k"][-1]) == ("d", "d")
    apart = text.replace("the keys", "scalars")
    assert shapes(apart)["q"][-1] != "d"
