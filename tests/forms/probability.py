"""Softmax, entropies, free energies, Gaussians."""

# ruff: noqa: E501 (one line an equation)

from .form import Form, Line

P = r"p_i = \frac{e^{x_i}}{\sum_j e^{x_j}}"
P_MAX = "m = \\max_j x_j\np_i = \\frac{e^{x_i - m}}{\\sum_j e^{x_j - m}}"
SYMMETRIC = r"<!-- symattn: symmetric Lambda; sizes Lambda:(d,d) x:(d) mu:(d) -->"
GIBBS = r"""Z = \sum_i e^{-\beta E_i}
F = -\frac{1}{\beta} \log(Z)
p_i = \frac{e^{-\beta E_i}}{Z}"""
GIBBS_SUM = r"""F = -\frac{1}{\beta} \log(\sum_i e^{-\beta E_i})
p_i = \frac{e^{-\beta E_i}}{\sum_j e^{-\beta E_j}}"""
MIXTURE = r"""S_{ik} = \log(w_k) - \frac{1}{2} \sum_a (x_{ia} - \mu_{ka})^2
r_{ik} = \frac{e^{S_{ik}}}{\sum_l e^{S_{il}}}
L = \sum_i \log(\sum_k e^{S_{ik}})"""
MIXTURE_MAX = r"""S_{ik} = \log(w_k) - \frac{1}{2} \sum_a (x_{ia} - \mu_{ka})^2
m_i = \max_l S_{il}
r_{ik} = \frac{e^{S_{ik} - m_i}}{\sum_l e^{S_{il} - m_i}}
L = \sum_i (m_i + \log(\sum_k e^{S_{ik} - m_i}))"""
GAUSS = (
    SYMMETRIC
    + r"""
L = \frac{1}{2} \log \det \Lambda - \frac{1}{2} \sum_i \sum_j (x_i - \mu_i) \Lambda_{ij} (x_j - \mu_j)"""
)
GAUSS_MATRIX = (
    SYMMETRIC
    + r"""
L = \frac{1}{2} \log \det \Lambda - \frac{1}{2} (x - \mu)^\top \Lambda (x - \mu)"""
)
SCALAR_GAUSS = r"L = -\frac{1}{2 s^2} (x - \mu)^2 - \log(s)"
GP = r"""<!-- symattn: symmetric K; sizes K:(n,n) y:(n) -->
\alpha_i = \sum_j (K^{-1})_{ij} y_j
L = -\frac{1}{2} \sum_i y_i \alpha_i - \frac{1}{2} \log \det K"""
GP_MATRIX = r"""<!-- symattn: symmetric K; sizes K:(n,n) y:(n) -->
\alpha = K^{-1} y
L = -\frac{1}{2} y^\top \alpha - \frac{1}{2} \log \det K"""
KALMAN = r"""r_j = z_j - \sum_k H_{jk} x_k
y_i = x_i + \sum_j K_{ij} r_j"""
KALMAN_MATRIX = r"""<!-- symattn: sizes K:(n,m) H:(m,n) x:(n) z:(m) -->
r = z - H x
y = x + K r"""
GAIN = r"""<!-- symattn: symmetric P R; sizes P:(n,n) R:(m,m) -->
S_{ab} = \sum_i \sum_j H_{ai} P_{ij} H_{bj} + R_{ab}
L = \sum_i P_{ii} - 2 \sum_i \sum_a \sum_j K_{ia} H_{aj} P_{ji} + \sum_i \sum_a \sum_b K_{ia} S_{ab} K_{ib}"""
GAIN_MATRIX = r"""<!-- symattn: symmetric P R; sizes P:(n,n) R:(m,m) H:(m,n) K:(n,m) -->
S = H P H^\top + R
L = \mathrm{tr}(P) - 2 \mathrm{tr}(K H P) + \mathrm{tr}(K S K^\top)"""

FORMS = [
    Form(
        "softmax",
        (P, P_MAX),
        "p",
        {"x": Line(r"p_i (\delta_{ij} - p_j)", r"\mathrm{diag}(p) - p p^\top", "ij")},
        jacobian=True,
    ),
    Form(
        "softmax backward",
        (P, P_MAX),
        "p",
        {
            "x": Line(
                r"p_i (\bar{p}_i - \sum_j p_j \bar{p}_j)", r"p \circ (\bar{p} - p^\top \bar{p})"
            )
        },
    ),
    Form(
        "softmax with temperature",
        (
            r"p_i = \frac{e^{x_i / T}}{\sum_j e^{x_j / T}}",
            "m = \\max_j x_j\np_i = \\frac{e^{(x_i - m) / T}}{\\sum_j e^{(x_j - m) / T}}",
        ),
        "p",
        {
            "x": Line(
                r"\frac{1}{T} p_i (\delta_{ij} - p_j)",
                r"\frac{1}{T} (\mathrm{diag}(p) - p p^\top)",
                "ij",
            ),
            "T": Line(r"\frac{1}{T^2} p_i (\sum_j p_j x_j - x_i)", "", "i"),
        },
        jacobian=True,
    ),
    Form(
        "logsumexp",
        (
            r"y = \log(\sum_i e^{x_i})" + "\n" + P,
            "m = \\max_i x_i\ny = m + \\log(\\sum_i e^{x_i - m})\n" + P,
        ),
        "y",
        {
            "x": Line(r"p_i", r"p"),
            "x x": Line(r"p_i (\delta_{ij} - p_j)", r"\mathrm{diag}(p) - p p^\top", "ij"),
        },
    ),
    Form(
        "log-softmax",
        (
            P + "\n" + r"y_i = x_i - \log(\sum_j e^{x_j})",
            P + "\n" + r"y_i = \log(p_i)",
        ),
        "y",
        {"x": Line(r"\bar{y}_i - p_i \sum_j \bar{y}_j")},
    ),
    Form(
        "entropy",
        (r"H = -\sum_i p_i \log(p_i)", r"H = \sum_i p_i \log(\frac{1}{p_i})"),
        "H",
        {"p": Line(r"-(\log(p_i) + 1)")},
        again={"p": Line(r"\log(\frac{1}{p_i}) - 1")},
    ),
    Form(
        "entropy of a softmax",
        (P + "\nH = -\\sum_i p_i \\log(p_i)", P_MAX + "\nH = -\\sum_i p_i \\log(p_i)"),
        "H",
        {"x": Line(r"-p_i (\log(p_i) + H)")},
    ),
    Form(
        "Kullback-Leibler divergence",
        (r"D = \sum_i p_i \log(\frac{p_i}{q_i})", r"D = \sum_i p_i (\log(p_i) - \log(q_i))"),
        "D",
        {"p": Line(r"\log(\frac{p_i}{q_i}) + 1"), "q": Line(r"-\frac{p_i}{q_i}")},
        again={"p": Line(r"1 + \log(p_i) - \log(q_i)")},
    ),
    Form(
        "Kullback-Leibler divergence by logits",
        (
            "<!-- symattn: assume \\sum_i p_i = 1 -->\n"
            "q_i = \\frac{e^{x_i}}{\\sum_j e^{x_j}}\nD = \\sum_i p_i \\log(\\frac{p_i}{q_i})",
            "<!-- symattn: assume \\sum_i p_i = 1 -->\nm = \\max_j x_j\n"
            "q_i = \\frac{e^{x_i - m}}{\\sum_j e^{x_j - m}}\n"
            "D = \\sum_i p_i (\\log(p_i) - \\log(q_i))",
        ),
        "D",
        {"x": Line(r"q_i - p_i", r"q - p")},
    ),
    Form(
        "entropy regularisation",
        (
            P + "\nJ = \\sum_i p_i r_i - \\tau \\sum_i p_i \\log(p_i)",
            P_MAX + "\nJ = \\sum_i p_i (r_i - \\tau \\log(p_i))",
        ),
        "J",
        {"x": Line(r"p_i (r_i - \tau \log(p_i) - J)")},
    ),
    Form(
        "policy gradient",
        (P + "\nJ = \\sum_i p_i r_i", P_MAX + "\nJ = \\sum_i p_i r_i"),
        "J",
        {"x": Line(r"p_i (r_i - J)", r"p \circ (r - J)")},
    ),
    Form(
        "variational free energy",
        (
            "q_i = \\frac{e^{x_i}}{\\sum_j e^{x_j}}\nF = \\sum_i q_i (E_i + \\log(q_i))",
            "m = \\max_j x_j\nq_i = \\frac{e^{x_i - m}}{\\sum_j e^{x_j - m}}\n"
            "F = \\sum_i q_i E_i + \\sum_i q_i \\log(q_i)",
        ),
        "F",
        {"x": Line(r"q_i (E_i + \log(q_i) - F)"), "E": Line(r"q_i", r"q")},
    ),
    Form(
        "Gibbs free energy",
        (GIBBS, GIBBS_SUM),
        "F",
        {
            "E": Line(r"p_i", r"p"),
            r"\beta": Line(r"\frac{1}{\beta} (\sum_i p_i E_i - F)"),
        },
    ),
    Form(
        "log partition function",
        (
            "W = \\log(\\sum_i e^{-\\beta E_i})\np_i = \\frac{e^{-\\beta E_i}}{\\sum_j e^{-\\beta E_j}}",
            "Z = \\sum_i e^{-\\beta E_i}\nW = \\log(Z)\np_i = \\frac{1}{Z} e^{-\\beta E_i}",
        ),
        "W",
        {
            r"\beta": Line(r"-\sum_i p_i E_i", r"-p^\top E"),
            r"\beta \beta": Line(r"\sum_i p_i E_i^2 - (\sum_i p_i E_i)^2"),
        },
    ),
    Form(
        "ELBO with a Gaussian",
        (
            r"L = \frac{1}{2} \sum_i (\mu_i^2 + s_i^2 - 1 - \log(s_i^2))",
            r"L = \sum_i (\frac{1}{2} \mu_i^2 + \frac{1}{2} s_i^2 - \frac{1}{2} - \log(s_i))",
        ),
        "L",
        {r"\mu": Line(r"\mu_i", r"\mu"), "s": Line(r"s_i - \frac{1}{s_i}")},
    ),
    Form(
        "ELBO by log-variance",
        (
            r"L = \frac{1}{2} \sum_i (\mu_i^2 + e^{v_i} - 1 - v_i)",
            r"L = -\frac{1}{2} \sum_i (1 + v_i - \mu_i^2 - \exp(v_i))",
        ),
        "L",
        {r"\mu": Line(r"\mu_i", r"\mu"), "v": Line(r"\frac{1}{2} (e^{v_i} - 1)")},
    ),
    Form(
        "reparametrised sample",
        (
            "s_i = e^{v_i / 2}\nz_i = \\mu_i + s_i \\epsilon_i",
            "s_i = \\exp(\\frac{1}{2} v_i)\nz_i = s_i \\epsilon_i + \\mu_i",
        ),
        "z",
        {
            r"\mu": Line(r"\bar{z}_i", r"\bar{z}"),
            "s": Line(r"\bar{z}_i \epsilon_i", r"\bar{z} \circ \epsilon"),
            "v": Line(r"\frac{1}{2} \bar{s}_i s_i"),
        },
    ),
    Form(
        "Gaussian log density",
        (GAUSS, GAUSS_MATRIX),
        "L",
        {
            "x": Line(r"\sum_j \Lambda_{ij} (\mu_j - x_j)", r"\Lambda (\mu - x)"),
            r"\mu": Line(r"\sum_j \Lambda_{ij} (x_j - \mu_j)", r"\Lambda (x - \mu)"),
            r"\Lambda": Line(
                r"\frac{1}{2} ((\Lambda^{-1})_{ij} - (x_i - \mu_i) (x_j - \mu_j))",
                r"\frac{1}{2} (\Lambda^{-1} - (x - \mu) (x - \mu)^\top)",
            ),
        },
    ),
    Form(
        "Gaussian in one dimension",
        (SCALAR_GAUSS, r"L = -\frac{(x - \mu)^2}{2 s^2} - \frac{1}{2} \log(s^2)"),
        "L",
        {
            r"\mu": Line(r"\frac{x - \mu}{s^2}"),
            "s": Line(r"\frac{(x - \mu)^2}{s^3} - \frac{1}{s}"),
        },
    ),
    Form(
        "Gaussian mixture",
        (MIXTURE, MIXTURE_MAX),
        "L",
        {
            "S": Line(r"r_{ik}", r"r"),
            r"\mu": Line(r"\sum_i r_{ik} (x_{ia} - \mu_{ka})"),
            "w": Line(r"\frac{1}{w_k} \sum_i r_{ik}"),
        },
    ),
    Form(
        "GP log marginal likelihood",
        (GP, GP_MATRIX),
        "L",
        {
            "y": Line(r"-\alpha_i", r"-\alpha", "i"),
            "K": Line(
                r"\frac{1}{2} (\alpha_i \alpha_j - (K^{-1})_{ij})",
                r"\frac{1}{2} (\alpha \alpha^\top - K^{-1})",
                "ij",
            ),
        },
    ),
    Form(
        "Kalman update",
        (KALMAN, KALMAN_MATRIX),
        "y",
        {
            "K": Line(r"\bar{y}_i r_j", r"\bar{y} r^\top"),
            "r": Line(r"\sum_i K_{ij} \bar{y}_i", r"K^\top \bar{y}"),
            "z": Line(r"\bar{r}_j", r"\bar{r}"),
            "x": Line(r"\bar{y}_k - \sum_j H_{jk} \bar{r}_j", r"\bar{y} - H^\top \bar{r}"),
            "H": Line(r"-\bar{r}_j x_k", r"-\bar{r} x^\top"),
        },
    ),
    Form(
        "Kalman gain",
        (GAIN, GAIN_MATRIX),
        "L",
        {"K": Line("", r"2 (K S - P H^\top)")},
    ),
]
