"""Factorisations of matrices, tensors and pairs."""

# ruff: noqa: E501 (one line an equation)

from .form import Form, Line

FORMS = [
    Form(
        "pairwise factorisation",
        (
            r"""s_f = \sum_i V_{if} x_i
y = b + \sum_i w_i x_i + \frac{1}{2} \sum_f (s_f^2 - \sum_i V_{if}^2 x_i^2)""",
            r"""s_f = \sum_i V_{if} x_i
y = b + \sum_i w_i x_i + \frac{1}{2} \sum_f s_f^2 - \frac{1}{2} \sum_{if} V_{if}^2 x_i^2""",
        ),
        "y",
        {
            "V": Line("x_i (s_f - V_{if} x_i)", at="if"),
            "w": Line("x_i", "x", at="i"),
            "x": Line(r"w_i + \sum_f V_{if} (s_f - V_{if} x_i)", at="i"),
        },
    ),
    Form(
        "recommender",
        (
            r"""E_{ij} = R_{ij} - \sum_k U_{ik} V_{jk}
L = \frac{1}{2} \sum_{ij} M_{ij} E_{ij}^2 + \frac{\lambda}{2} \sum_{ik} U_{ik}^2 + \frac{\lambda}{2} \sum_{jk} V_{jk}^2""",
            r"""<!-- symattn: sizes U:(n,r) V:(m,r) R:(n,m) M:(n,m) E:(n,m) -->
E = R - U V^\top
L = \frac{1}{2} \sum_{ij} M_{ij} E_{ij}^2 + \frac{\lambda}{2} \|U\|_F^2 + \frac{\lambda}{2} \|V\|_F^2""",
        ),
        "L",
        {
            "U": Line(
                r"\lambda U_{ik} - \sum_j M_{ij} E_{ij} V_{jk}",
                r"\lambda U - (M \circ E) V",
                at="ik",
            ),
            "V": Line(
                r"\lambda V_{jk} - \sum_i M_{ij} E_{ij} U_{ik}",
                r"\lambda V - (M \circ E)^\top U",
                at="jk",
            ),
        },
    ),
    Form(
        "three-way factorisation",
        (
            r"""E_{ijk} = T_{ijk} - \sum_r A_{ir} B_{jr} C_{kr}
L = \frac{1}{2} \sum_{ijk} E_{ijk}^2""",
            r"L = \frac{1}{2} \sum_{ijk} (T_{ijk} - \sum_r A_{ir} B_{jr} C_{kr})^2",
        ),
        "L",
        {"A": Line(r"-\sum_{j,k} E_{ijk} B_{jr} C_{kr}", at="ir")},
        again={
            "A": Line(r"-\sum_{j,k} B_{jr} C_{kr} (T_{ijk} - \sum_l A_{il} B_{jl} C_{kl})", at="ir")
        },
    ),
    Form(
        "Poisson factorisation",
        (
            r"""R_{ij} = \sum_k W_{ik} H_{kj}
D = \sum_{ij} (R_{ij} - V_{ij} \log R_{ij})""",
            """<!-- symattn: sizes W:(n,r) H:(r,m) V:(n,m) R:(n,m) -->
R = W H
D = \\sum_{ij} R_{ij} - \\sum_{ij} V_{ij} \\log R_{ij}""",
        ),
        "D",
        {
            "R": Line(r"1 - \frac{V_{ij}}{R_{ij}}", at="ij"),
            "W": Line(r"\sum_j \left(1 - \frac{V_{ij}}{R_{ij}}\right) H_{kj}", at="ik"),
        },
        near={"W": 3.0, "H": 3.0},
    ),
]
