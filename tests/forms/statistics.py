"""Likelihoods, moments and distances of statistics."""

# ruff: noqa: E501 (one line an equation)

from .form import Form, Line

SAMPLE = r"L = -\frac{1}{2 v} \sum_{i=1}^n (x_i - \mu)^2 - \frac{n}{2} \log(v)"
SAMPLE_INSIDE = r"L = -\sum_{i=1}^n (\frac{(x_i - \mu)^2}{2 v} + \frac{1}{2} \log(v))"
BERNOULLI = r"L = \sum_{i=1}^n (y_i \log(p) + (1 - y_i) \log(1 - p))"
BERNOULLI_SUMS = r"L = \log(p) \sum_{i=1}^n y_i + \log(1 - p) \sum_{i=1}^n (1 - y_i)"
GAMMA = r"L = \alpha \log(\beta) - \log(\Gamma(\alpha)) + (\alpha - 1) \log(x) - \beta x"
GAMMA_OTHER = r"L = -\beta x + (\alpha - 1) \log(x) + \alpha \log(\beta) - \log(\Gamma(\alpha))"
DIRICHLET = r"L = \log(\Gamma(\sum_k \alpha_k)) - \sum_k \log(\Gamma(\alpha_k)) + \sum_k (\alpha_k - 1) \log(p_k)"
DIRICHLET_NAMED = r"""s = \sum_k \alpha_k
L = \log(\Gamma(s)) + \sum_k ((\alpha_k - 1) \log(p_k) - \log(\Gamma(\alpha_k)))"""
MAHALANOBIS = r"""<!-- symattn: symmetric Lambda; sizes Lambda:(d,d) x:(d) mu:(d) -->
D = \sqrt{\sum_i \sum_j (x_i - \mu_i) \Lambda_{ij} (x_j - \mu_j)}"""
MAHALANOBIS_MATRIX = r"""<!-- symattn: symmetric Lambda; sizes Lambda:(d,d) x:(d) mu:(d) -->
D = \sqrt{(x - \mu)^\top \Lambda (x - \mu)}"""
WEIGHTED = r"L = \frac{1}{2} \sum_i w_i (\sum_j X_{ij} \theta_j - y_i)^2"
WEIGHTED_RESIDUAL = r"""r_i = \sum_j X_{ij} \theta_j - y_i
L = \frac{1}{2} \sum_i w_i r_i^2"""
VARIANCE = r"""m = \frac{1}{n} \sum_{i=1}^n x_i
v = \frac{1}{n} \sum_{i=1}^n (x_i - m)^2"""
VARIANCE_MOMENTS = r"""m = \frac{1}{n} \sum_{i=1}^n x_i
v = \frac{1}{n} \sum_{i=1}^n x_i^2 - m^2"""
MULTINOMIAL = r"""p_k = \frac{e^{x_k}}{\sum_l e^{x_l}}
N = \sum_k c_k
L = \sum_k c_k \log(p_k)"""
MULTINOMIAL_LSE = r"""p_k = \frac{e^{x_k}}{\sum_l e^{x_l}}
N = \sum_k c_k
L = \sum_k c_k x_k - N \log(\sum_k e^{x_k})"""

FORMS = [
    Form(
        "normal likelihood",
        (SAMPLE, SAMPLE_INSIDE),
        "L",
        {
            r"\mu": Line(r"\frac{1}{v} \sum_i (x_i - \mu)"),
            "v": Line(r"\frac{1}{2 v^2} \sum_i (x_i - \mu)^2 - \frac{n}{2 v}"),
        },
    ),
    Form(
        "Bernoulli likelihood",
        (BERNOULLI, BERNOULLI_SUMS),
        "L",
        {"p": Line(r"\frac{\sum_i y_i - n p}{p (1 - p)}")},
    ),
    Form(
        "gamma log density",
        (GAMMA, GAMMA_OTHER),
        "L",
        {
            r"\alpha": Line(r"\log(\beta) - \psi(\alpha) + \log(x)"),
            r"\beta": Line(r"\frac{\alpha}{\beta} - x"),
            "x": Line(r"\frac{\alpha - 1}{x} - \beta"),
        },
    ),
    Form(
        "Dirichlet log density",
        (DIRICHLET, DIRICHLET_NAMED),
        "L",
        {
            r"\alpha": Line(r"\psi(\sum_l \alpha_l) - \psi(\alpha_k) + \log(p_k)"),
            "p": Line(r"\frac{\alpha_k - 1}{p_k}"),
        },
        again={r"\alpha": Line(r"\psi(s) - \psi(\alpha_k) + \log(p_k)")},
    ),
    Form(
        "Laplace log density",
        (
            r"L = -\frac{|x - \mu|}{s} - \log(2 s)",
            r"L = -\frac{1}{s} |x - \mu| - \log(s) - \log(2)",
        ),
        "L",
        {
            r"\mu": Line(r"\frac{1}{s} \mathrm{sign}(x - \mu)"),
            "s": Line(r"\frac{|x - \mu|}{s^2} - \frac{1}{s}"),
        },
    ),
    Form(
        "Cauchy log density",
        (
            r"L = -\log(1 + (x - \mu)^2)",
            r"L = \log(\frac{1}{1 + (x - \mu)^2})",
        ),
        "L",
        {r"\mu": Line(r"\frac{2 (x - \mu)}{1 + (x - \mu)^2}")},
    ),
    Form(
        "Mahalanobis distance",
        (MAHALANOBIS, MAHALANOBIS_MATRIX),
        "D",
        {
            "x": Line(
                r"\frac{1}{D} \sum_j \Lambda_{ij} (x_j - \mu_j)", r"\frac{1}{D} \Lambda (x - \mu)"
            ),
            r"\mu": Line(
                r"\frac{1}{D} \sum_j \Lambda_{ij} (\mu_j - x_j)", r"\frac{1}{D} \Lambda (\mu - x)"
            ),
        },
    ),
    Form(
        "weighted least squares",
        (WEIGHTED, WEIGHTED_RESIDUAL),
        "L",
        {
            r"\theta": Line(
                r"\sum_i w_i X_{ij} (\sum_k X_{ik} \theta_k - y_i)",
                r"X^\top (w \circ (X \theta - y))",
            ),
            r"\theta \theta": Line(r"\sum_i w_i X_{ij} X_{ik}", r"X^\top \mathrm{diag}(w) X", "jk"),
        },
        again={r"\theta": Line(r"\sum_i w_i X_{ij} r_i", r"X^\top (w \circ r)")},
    ),
    Form(
        "variance",
        (VARIANCE, VARIANCE_MOMENTS),
        "v",
        {"x": Line(r"\frac{2}{n} (x_i - m)", r"\frac{2}{n} (x - m)")},
    ),
    Form(
        "multinomial likelihood",
        (MULTINOMIAL, MULTINOMIAL_LSE),
        "L",
        {"x": Line(r"c_k - N p_k", r"c - N p")},
    ),
    Form(
        "path of a first-order process",
        (
            r"""<!-- symattn: scalars a s; sizes y:(n); indices from 1 -->
l = -\frac{1}{2 s} \sum_{t=2}^n (y_t - a y_{t-1})^2 - \frac{n - 1}{2} \log s""",
            r"""<!-- symattn: scalars a s; sizes y:(n); indices from 1 -->
u_t = y_t - a y_{t-1}
l = -\frac{1}{2 s} \sum_{t=2}^n u_t^2 - \frac{n - 1}{2} \log s""",
        ),
        "l",
        {
            "a": Line(r"\frac{1}{s} \sum_{t=2}^n y_{t-1} (y_t - a y_{t-1})"),
            "s": Line(r"\frac{1}{2 s^2} \sum_{t=2}^n (y_t - a y_{t-1})^2 - \frac{n - 1}{2 s}"),
        },
        near={"s": 2.0},
        again={
            "a": Line(r"\frac{1}{s} \sum_{t=2}^n u_t y_{t-1}"),
            "s": Line(r"\frac{1}{2 s^2} \sum_{t=2}^n u_t^2 - \frac{n - 1}{2 s}"),
        },
    ),
]
