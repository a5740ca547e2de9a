"""Fields, lattices, waves and ensembles."""

# ruff: noqa: E501 (one line an equation)

from .form import Form, Line

FORMS = [
    Form(
        "mean-field Ising model",
        (
            r"""<!-- symattn: symmetric J -->
F = -\frac{1}{2} \sum_{ij} J_{ij} m_i m_j - \sum_i h_i m_i + \frac{T}{2} \sum_i ((1 + m_i) \log(1 + m_i) + (1 - m_i) \log(1 - m_i))""",
            r"""<!-- symattn: symmetric J -->
F = -\sum_i h_i m_i - \frac{1}{2} \sum_i \sum_j m_i J_{ij} m_j + T \sum_i \left(\frac{1 + m_i}{2} \log(1 + m_i) + \frac{1 - m_i}{2} \log(1 - m_i)\right)""",
        ),
        "F",
        {
            "m": Line(
                r"\frac{T}{2} \log \frac{1 + m_i}{1 - m_i} - \sum_j J_{ij} m_j - h_i", at="i"
            ),
            "h": Line("-m_i", "-m", at="i"),
        },
        near={"m": 0.2},
    ),
    Form(
        "lattice scalar field",
        (
            r"S = \sum_x (\frac{1}{2} (\phi_{x+1} - \phi_x)^2 + \frac{1}{2} m^2 \phi_x^2 + \frac{\lambda}{4} \phi_x^4)",
            r"S = \frac{1}{2} \sum_x (\phi_x - \phi_{x-1})^2 + \frac{m^2}{2} \sum_x \phi_x^2 + \frac{\lambda}{4} \sum_x \phi_x^4",
        ),
        "S",
        {
            r"\phi": Line(
                r"2 \phi_x - \phi_{x+1} - \phi_{x-1} + m^2 \phi_x + \lambda \phi_x^3", at="x"
            )
        },
    ),
    Form(
        "Kuramoto oscillators",
        (
            r"v_i = \omega_i + \frac{k}{n} \sum_{j=1}^n \sin(\theta_j - \theta_i)",
            r"v_i = \omega_i - \frac{k}{n} \sum_{j=1}^n \sin(\theta_i - \theta_j)",
        ),
        "v",
        {
            r"\theta": Line(
                r"\frac{k}{n} \sum_j (\bar{v}_j - \bar{v}_i) \cos(\theta_j - \theta_i)", at="i"
            ),
            "k": Line(r"\frac{1}{n} \sum_{i,j} \bar{v}_i \sin(\theta_j - \theta_i)"),
        },
    ),
    Form(
        "Toda lattice",
        (
            r"H = \frac{1}{2} \sum_j p_j^2 + \sum_j e^{x_j - x_{j+1}}",
            r"H = \sum_j \left(\frac{p_j^2}{2} + \exp(x_j - x_{j+1})\right)",
        ),
        "H",
        {
            "x": Line(r"e^{x_j - x_{j+1}} - e^{x_{j-1} - x_j}", at="j"),
            "p": Line("p_j", "p", at="j"),
        },
    ),
    Form(
        "canonical ensemble",
        (
            r"""p_i = \frac{e^{-\beta E_i}}{\sum_j e^{-\beta E_j}}
U = \sum_i p_i E_i""",
            r"""Z = \sum_i e^{-\beta E_i}
p_i = \frac{e^{-\beta E_i}}{Z}
U = \sum_i p_i E_i""",
        ),
        "U",
        {
            r"\beta": Line(r"U^2 - \sum_i p_i E_i^2"),
            "E": Line(r"p_i (1 - \beta (E_i - U))", at="i"),
        },
    ),
    Form(
        "interference of two waves",
        (
            r"I = a^2 + b^2 + 2 a b \cos \phi",
            r"I = (a - b)^2 + 2 a b (1 + \cos(\phi))",
        ),
        "I",
        {
            "a": Line(r"2 (a + b \cos \phi)"),
            r"\phi": Line(r"-2 a b \sin \phi"),
        },
    ),
    Form(
        "charge in a field",
        (
            r"""H = \frac{1}{2 m} \sum_i (p_i - q A_i)^2 + q \phi""",
            r"""<!-- symattn: sizes p:(d) A:(d) -->
H = \frac{1}{2 m} \|p - q A\|^2 + q \phi""",
        ),
        "H",
        {
            "p": Line(r"\frac{1}{m} (p_i - q A_i)", r"\frac{1}{m} (p - q A)", at="i"),
            "A": Line(r"-\frac{q}{m} (p_i - q A_i)", r"-\frac{q}{m} (p - q A)", at="i"),
            "q": Line(r"\phi - \frac{1}{m} \sum_i A_i (p_i - q A_i)"),
        },
        near={"m": 2.0},
    ),
    Form(
        "reflection at a surface",
        (
            r"r = \frac{n - m}{n + m}",
            r"r = \frac{1 - m / n}{1 + m / n}",
        ),
        "r",
        {
            "n": Line(r"\frac{2 m}{(n + m)^2}"),
            "m": Line(r"-\frac{2 n}{(n + m)^2}"),
        },
        near={"n": 2.0, "m": 2.0},
    ),
    Form(
        "occupation of bosons",
        (
            r"n = \frac{1}{e^{\beta (E - \mu)} - 1}",
            r"n = \left(\exp(\beta (E - \mu)) - 1\right)^{-1}",
        ),
        "n",
        {
            "E": Line(r"-\beta n (1 + n)"),
            r"\beta": Line(r"-n (1 + n) (E - \mu)"),
            r"\mu": Line(r"\beta n (1 + n)"),
        },
        near={"E": 3.0},
    ),
    Form(
        "chain with free ends",
        (
            r"""<!-- symattn: scalars k a; sizes x:(n) -->
H = \frac{k}{2} \sum_{t=1}^{n-1} (x_{t+1} - x_t - a)^2""",
            r"""<!-- symattn: scalars k a; sizes x:(n) -->
s_t = x_{t+1} - x_t - a
H = \frac{k}{2} \sum_{t=1}^{n-1} s_t^2""",
        ),
        "H",
        {"a": Line(r"-k \sum_{t=1}^{n-1} (x_{t+1} - x_t - a)")},
        again={"a": Line(r"-k \sum_{t=1}^{n-1} s_t")},
    ),
]
