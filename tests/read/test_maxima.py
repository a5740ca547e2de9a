"""Maxima and argmax conditions as they are read."""

import pytest

from symattn.read import read


@pytest.mark.parametrize(
    ("text", "name", "wanted"),
    [
        (r"$$m^i = \max_j S^{ij}$$", "m", "maximum(S[i, j], j)"),
        (r"$$m = \max_{i,j}(S^{ij})$$", "m", "maximum(S[i, j], i, j)"),
        (r"$$y^i = \max\left(0, x^i - 1\right)^2$$", "y", "Max(0, x[i] - 1)**2"),
        (r"$$y^i = \mathrm{ReLU}(x^i)$$", "y", "relu(x[i])"),
        (r"$$y^i = \min(x^i, z^i)$$", "y", "-Max(-x[i], -z[i])"),
        (r"$$p^i = \min_j (S^{ij} - m^i)$$", "p", "-maximum(-S[i, j] + m[i], j)"),
        (r"$$A^{ij} = [j = \arg\max_k S^{ik}]$$", "A", "argmax(j, S[i, k], k)"),
        (
            r"$$A^{ij} = \mathbb{1}[\operatorname*{arg\,min}_k S^{ik} = j]$$",
            "A",
            "argmax(j, -S[i, k], k)",
        ),
        (
            r"$$A^{ij} = \begin{cases} 1 & j = \operatorname{argmax}_k S^{ik} \\ 0 & \text{else} "
            r"\end{cases}$$",
            "A",
            "argmax(j, S[i, k], k)",
        ),
        (
            "<!-- symattn: sizes x:(n); scalars m -->\n$$ M = \\max(m, \\max(x)) $$",
            "M",
            "Max(m, maximum(x[p], p))",
        ),
        (
            "<!-- symattn: sizes X:(n,d) -->\n$$ m = \\mathrm{rowmax}(X) $$",
            "m",
            "maximum(X[p, q], q)",
        ),
        (
            "<!-- symattn: sizes X:(n,d) -->\n$$ m = \\mathrm{colmax}(X) $$",
            "m",
            "maximum(X[p', p], p')",
        ),
        (
            "<!-- symattn: sizes X:(n,d) W:(d,k) -->\n$$ H = \\max(0, X W) $$",
            "H",
            "Max(0, Sum(W[q', q]*X[p, q'], (q', 0, d - 1)))",
        ),
    ],
)
def test_maxima(text, name, wanted):
    assert str(read(text)[name].expr) == wanted
