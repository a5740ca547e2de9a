r"""Commands of the physics package, spaces with lengths, and averages by probabilities in words."""

import pytest

from symattn.checker import check

TEXT = r"""\documentclass{article}
\usepackage{physics}
\newcommand{\T}{^{\mkern-1.5mu\mathsf{T}}}
\begin{document}
The partition function is $Z(\beta) = \sum_i e^{-\beta E_i}$ and the probabilities are
\begin{equation} p_i = \frac{1}{Z} e^{-\beta E_i}. \end{equation}
The mean energy is
\begin{equation} U = \sum_i p_i E_i = -\pdv{\ln Z}{\beta} \end{equation}
and
\begin{equation} %s \end{equation}
\end{document}
"""


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"\ev{E^2} - \ev{E}^2 = \pdv[2]{\ln Z}{\beta}", "proved"),
        (r"\ev{E^2} + \ev{E}^2 = \pdv[2]{\ln Z}{\beta}", "refuted"),
        (r"\ev{E^2} = \frac{1}{Z} \dv[2]{Z}{\beta}", "proved"),
        (r"\ev{E^2} = \frac{1}{Z} \dv[3]{Z}{\beta}", "refuted"),
        (r"U = -\dv{\beta} \ln Z", "proved"),
        (r"U = -\qty(\dv{\ln Z}{\beta})", "proved"),
    ],
)
def test_derivatives_and_averages(formula, verdict):
    assert check(TEXT % formula, corrections=False, timeout=None).rows[-1].verdict == verdict


MATRICES = r"""\documentclass{article}
\newcommand{\T}{^{\mkern-1.5mu\mathsf{T}}}
\begin{document}
Let $X \in \mathbb{R}^{n \times p}$ and $w \in \mathbb{R}^p$, $y \in \mathbb{R}^n$.
\begin{equation} J(w) = \|y - X w\|^2 \end{equation}
\begin{equation} \nabla J(w) = 2 X\T (%s) \end{equation}
\end{document}
"""


def test_a_transpose_with_a_space():
    for residual, verdict in ((r"X w - y", "proved"), (r"y - X w", "refuted")):
        rows = check(MATRICES % residual, corrections=False, timeout=None).rows
        assert rows[-1].verdict == verdict
