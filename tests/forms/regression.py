"""Likelihoods of counts, times and categories with their rates."""

# ruff: noqa: E501 (one line an equation)

from .form import Form, Line

FORMS = [
    Form(
        "Fisher discriminant",
        (
            r"""<!-- symattn: symmetric A B -->
b = \sum_{ij} w_i B_{ij} w_j
R = \frac{\sum_{ij} w_i A_{ij} w_j}{b}""",
            """<!-- symattn: sizes A:(d,d) B:(d,d) w:(d); symmetric A B -->
b = w^\\top B w
R = \\frac{w^\\top A w}{b}""",
        ),
        "R",
        {"w": Line("", r"\frac{2}{b} (A - R B) w", at="i")},
    ),
    Form(
        "negative binomial regression",
        (
            r"L = \sum_i ((y_i + r) \log(r + \mu_i) - y_i \log \mu_i)",
            r"L = \sum_i (y_i + r) \log(r + \mu_i) - \sum_i y_i \log(\mu_i)",
        ),
        "L",
        {r"\mu": Line(r"\frac{r (\mu_i - y_i)}{\mu_i (r + \mu_i)}", at="i")},
        near={r"\mu": 1.5, "r": 1.0},
    ),
    Form(
        "beta log density",
        (
            r"f = (a - 1) \log x + (b - 1) \log(1 - x) + \log \Gamma(a + b) - \log \Gamma(a) - \log \Gamma(b)",
            r"f = \log \Gamma(a + b) - \log \Gamma(a) - \log \Gamma(b) + (a - 1) \log(x) + (b - 1) \log(1 - x)",
        ),
        "f",
        {
            "x": Line(r"\frac{a - 1}{x} - \frac{b - 1}{1 - x}"),
            "a": Line(r"\log x + \psi(a + b) - \psi(a)"),
        },
        near={"x": 0.5, "a": 1.5, "b": 1.5},
    ),
    Form(
        "Cox partial likelihood",
        (
            r"""p_{ij} = \frac{R_{ij} e^{\eta_j}}{\sum_l R_{il} e^{\eta_l}}
L = \sum_i d_i (\log \sum_j R_{ij} e^{\eta_j} - \eta_i)""",
            r"""p_{ij} = \frac{R_{ij} \exp(\eta_j)}{\sum_l R_{il} \exp(\eta_l)}
L = -\sum_i d_i (\eta_i - \log(\sum_j R_{ij} \exp(\eta_j)))""",
        ),
        "L",
        {r"\eta": Line(r"\sum_i d_i p_{ij} - d_j", r"p^\top d - d", at="j")},
        near={"R": 1.0},
    ),
    Form(
        "Bayesian linear regression",
        (
            r"L = -\frac{\alpha}{2} \sum_a w_a^2 - \frac{\beta}{2} \sum_i (y_i - \sum_a X_{ia} w_a)^2",
            """<!-- symattn: sizes X:(n,d) w:(d) y:(n) -->
L = -\\frac{\\alpha}{2} \\|w\\|^2 - \\frac{\\beta}{2} \\|y - X w\\|^2""",
        ),
        "L",
        {
            "w": Line(
                r"\beta \sum_i X_{ia} (y_i - \sum_b X_{ib} w_b) - \alpha w_a",
                r"\beta X^\top (y - X w) - \alpha w",
                at="a",
            ),
            "w w": Line(
                r"-\alpha \delta_{ab} - \beta \sum_i X_{ia} X_{ib}",
                r"-\alpha I - \beta X^\top X",
                at="ab",
            ),
        },
    ),
    Form(
        "Poisson regression with rates",
        (
            r"""\eta_i = \sum_a X_{ia} w_a + b_i
\mu_i = e^{\eta_i}
L = \sum_i (\mu_i - y_i \eta_i)""",
            r"""\mu_i = \exp(\sum_a X_{ia} w_a + b_i)
L = \sum_i (\mu_i - y_i \log \mu_i)""",
        ),
        "L",
        {
            "w": Line(r"\sum_i X_{ia} (\mu_i - y_i)", r"X^\top (\mu - y)", at="a"),
            "w w": Line(r"\sum_i \mu_i X_{ia} X_{ib}", r"X^\top \mathrm{diag}(\mu) X", at="ab"),
        },
    ),
    Form(
        "Weibull likelihood",
        (
            "<!-- symattn: scalars kappa -->\n"
            r"L = \sum_{i=1}^n \left(\log \kappa - \kappa \log \lambda + (\kappa - 1) \log x_i - \left(\frac{x_i}{\lambda}\right)^\kappa\right)",
            "<!-- symattn: scalars kappa -->\n"
            r"L = n \log \kappa - n \kappa \log \lambda + (\kappa - 1) \sum_{i=1}^n \log x_i - \sum_{i=1}^n \left(\frac{x_i}{\lambda}\right)^\kappa",
        ),
        "L",
        {
            r"\lambda": Line(
                r"\frac{\kappa}{\lambda} \left(\sum_i \left(\frac{x_i}{\lambda}\right)^\kappa - n\right)"
            ),
        },
        near={r"\lambda": 1.5, r"\kappa": 1.2, "x": 2.0},
    ),
    Form(
        "Gaussian with covariance",
        (
            """<!-- symattn: sizes S:(n,n) x:(n) \\mu:(n); symmetric S -->
\\alpha = S^{-1} (x - \\mu)
L = \\frac{1}{2} \\log \\det S + \\frac{1}{2} (x - \\mu)^\\top S^{-1} (x - \\mu)""",
            """<!-- symattn: sizes S:(n,n) x:(n) \\mu:(n); symmetric S -->
\\alpha = S^{-1} (x - \\mu)
L = \\frac{1}{2} \\log \\det S + \\frac{1}{2} (x - \\mu)^\\top \\alpha""",
        ),
        "L",
        {
            r"\mu": Line("", r"-\alpha", at="i"),
            "S": Line("", r"\frac{1}{2} (S^{-1} - \alpha \alpha^\top)", at="ij"),
        },
    ),
    Form(
        "gamma deviance",
        (
            r"""\mu_i = e^{\eta_i}
L = \sum_i (\frac{y_i}{\mu_i} + \log \mu_i)""",
            r"""\mu_i = \exp(\eta_i)
L = \sum_i y_i \exp(-\eta_i) + \sum_i \eta_i""",
        ),
        "L",
        {r"\eta": Line(r"1 - \frac{y_i}{\mu_i}", at="i")},
    ),
    Form(
        "ordered logit",
        (
            r"""u = \sigma(b - \eta)
v = \sigma(a - \eta)
L = -\log(u - v)""",
            r"""u = \frac{1}{1 + e^{\eta - b}}
v = \frac{1}{1 + e^{\eta - a}}
L = -\log(u - v)""",
        ),
        "L",
        {
            r"\eta": Line(r"1 - u - v"),
            "b": Line(r"-\frac{u (1 - u)}{u - v}"),
        },
        near={"b": 4.0, "a": -4.0},
    ),
    Form(
        "exponential survival",
        (
            r"""\lambda_i = e^{\sum_a X_{ia} w_a}
L = \sum_i (\lambda_i t_i - d_i \log \lambda_i)""",
            r"""\eta_i = \sum_a X_{ia} w_a
\lambda_i = \exp(\eta_i)
L = \sum_i t_i \lambda_i - \sum_i d_i \eta_i""",
        ),
        "L",
        {
            "w": Line(
                r"\sum_i X_{ia} (\lambda_i t_i - d_i)", r"X^\top (\lambda \circ t - d)", at="a"
            ),
            "w w": Line(
                r"\sum_i \lambda_i t_i X_{ia} X_{ib}",
                r"X^\top \mathrm{diag}(\lambda \circ t) X",
                at="ab",
            ),
        },
    ),
    Form(
        "Dirichlet likelihood",
        (
            r"L = n \log \Gamma(\sum_k \alpha_k) - n \sum_k \log \Gamma(\alpha_k) + \sum_k (\alpha_k - 1) s_k",
            r"""a = \sum_k \alpha_k
L = n \left(\log \Gamma(a) - \sum_k \log \Gamma(\alpha_k)\right) + \sum_k \alpha_k s_k - \sum_k s_k""",
        ),
        "L",
        {r"\alpha": Line(r"n (\psi(\sum_l \alpha_l) - \psi(\alpha_k)) + s_k", at="k")},
        near={r"\alpha": 4.0},
        again={r"\alpha": Line(r"n (\psi(a) - \psi(\alpha_k)) + s_k", at="k")},
    ),
]
