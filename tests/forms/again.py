"""Systems of economics, control, learning, statistics and physics, one of each kind."""

# ruff: noqa: E501 (one line an equation)

from .form import Form, Line

FORMS = [
    Form(
        "mean-variance portfolio",
        (
            r"""<!-- symattn: symmetric C -->
U = \sum_i \mu_i w_i - \frac{\gamma}{2} \sum_{ij} w_i C_{ij} w_j""",
            "<!-- symattn: sizes C:(n,n) w:(n) \\mu:(n); symmetric C -->\n"
            "U = \\mu^\\top w - \\frac{\\gamma}{2} w^\\top C w",
        ),
        "U",
        {
            "w": Line(r"\mu_i - \gamma \sum_j C_{ij} w_j", r"\mu - \gamma C w", at="i"),
            r"\gamma": Line(r"-\frac{1}{2} \sum_{i,j} w_i C_{ij} w_j", r"-\frac{1}{2} w^\top C w"),
        },
    ),
    Form(
        "logit demand",
        (
            r"s_j = \frac{e^{u_j}}{1 + \sum_k e^{u_k}}",
            r"""D = 1 + \sum_k e^{u_k}
s_j = \frac{e^{u_j}}{D}""",
        ),
        "s",
        {"u": Line(r"s_j (\delta_{jk} - s_k)", at="jk")},
        jacobian=True,
    ),
    Form(
        "logit pricing",
        (
            r"""u_j = a_j - \alpha p_j
s_j = \frac{e^{u_j}}{1 + \sum_k e^{u_k}}
R = \sum_j (p_j - c_j) s_j""",
            r"""s_j = \frac{e^{a_j - \alpha p_j}}{1 + \sum_k e^{a_k - \alpha p_k}}
R = \sum_j p_j s_j - \sum_j c_j s_j""",
        ),
        "R",
        {
            "p": Line(r"s_j (1 - \alpha (p_j - c_j - R))", at="j"),
            "c": Line("-s_j", "-s", at="j"),
        },
        again={"p": Line(r"s_j (1 + \alpha (R + c_j - p_j))", at="j")},
    ),
    Form(
        "one step of control",
        (
            """<!-- symattn: sizes A:(n,n) B:(n,m) x:(n) u:(m) Q:(n,n) R:(m,m) P:(n,n); symmetric Q R P -->
z_i = \\sum_j A_{ij} x_j + \\sum_k B_{ik} u_k
J = \\sum_{ij} x_i Q_{ij} x_j + \\sum_{kl} u_k R_{kl} u_l + \\sum_{ij} z_i P_{ij} z_j""",
            """<!-- symattn: sizes A:(n,n) B:(n,m) x:(n) u:(m) Q:(n,n) R:(m,m) P:(n,n); symmetric Q R P -->
z = A x + B u
J = x^\\top Q x + u^\\top R u + z^\\top P z""",
        ),
        "J",
        {
            "u": Line(
                r"2 (\sum_l R_{kl} u_l + \sum_{i,j} B_{ik} P_{ij} z_j)",
                r"2 (R u + B^\top P z)",
                at="k",
            ),
            "x": Line(
                r"2 (\sum_j Q_{ij} x_j + \sum_{j,k} A_{ji} P_{jk} z_k)",
                r"2 (Q x + A^\top P z)",
                at="i",
            ),
        },
    ),
    Form(
        "planar arm",
        (
            r"""x = \ell \cos \theta + m \cos(\theta + \phi)
y = \ell \sin \theta + m \sin(\theta + \phi)
E = \frac{1}{2} (x - a)^2 + \frac{1}{2} (y - b)^2""",
            r"""x = \ell \cos(\theta) + m \cos(\theta + \phi)
y = \ell \sin(\theta) + m \sin(\theta + \phi)
E = \frac{(x - a)^2 + (y - b)^2}{2}""",
        ),
        "E",
        {
            r"\theta": Line("a y - b x"),  # the products x y cancel
            r"\phi": Line(r"m ((y - b) \cos(\theta + \phi) - (x - a) \sin(\theta + \phi))"),
        },
    ),
    Form(
        "pendulum",
        (
            r"H = \frac{p^2}{2 m \ell^2} + m g \ell (1 - \cos \theta)",
            r"H = \frac{1}{2 m} \left(\frac{p}{\ell}\right)^2 - m g \ell \cos \theta + m g \ell",
        ),
        "H",
        {
            "p": Line(r"\frac{p}{m \ell^2}"),
            r"\theta": Line(r"m g \ell \sin(\theta)"),
        },
    ),
    Form(
        "Morse oscillator",
        (
            r"""<!-- symattn: scalars a -->
u = e^{-a (r - b)}
V = D (1 - u)^2""",
            r"""<!-- symattn: scalars a -->
u = \exp(-a (r - b))
V = D (1 - 2 u + u^2)""",
        ),
        "V",
        {
            "r": Line("2 a D u (1 - u)"),
            "D": Line("(1 - u)^2"),
            "a": Line("2 D u (1 - u) (r - b)"),
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
        "heavy-tailed loss",
        (
            r"L = \frac{\nu + 1}{2} \sum_i \log\left(1 + \frac{r_i^2}{\nu}\right)",
            r"L = \frac{1}{2} \sum_i (\nu + 1) \log\left(\frac{\nu + r_i^2}{\nu}\right)",
        ),
        "L",
        {"r": Line(r"\frac{(\nu + 1) r_i}{\nu + r_i^2}", at="i")},
        near={r"\nu": 3.0},
    ),
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
        "entropy bonus",
        (
            r"""p_a = \frac{e^{z_a}}{\sum_b e^{z_b}}
J = \sum_a p_a (r_a - \tau \log p_a)""",
            r"""p_a = \frac{\exp(z_a)}{\sum_b \exp(z_b)}
H = -\sum_a p_a \log p_a
J = \sum_a p_a r_a + \tau H""",
        ),
        "J",
        {
            "z": Line(r"p_a (r_a - \tau \log p_a - J)", at="a"),
            r"\tau": Line(r"-\sum_a p_a \log p_a"),
        },
        again={
            "z": Line(r"p_a (r_a - \tau \log p_a - J)", at="a"),
            r"\tau": Line("H"),
        },
    ),
    Form(
        "soft targets",
        (
            r"""<!-- symattn: assume \sum_i q_i = 1 -->
p_i = \frac{e^{z_i / \tau}}{\sum_j e^{z_j / \tau}}
L = -\tau^2 \sum_i q_i \log p_i""",
            r"""<!-- symattn: assume \sum_i q_i = 1 -->
p_i = \frac{\exp(z_i / \tau)}{\sum_j \exp(z_j / \tau)}
L = \tau^2 \log \sum_j \exp(z_j / \tau) - \tau \sum_i q_i z_i""",
        ),
        "L",
        {"z": Line(r"\tau (p_i - q_i)", r"\tau (p - q)", at="i")},
    ),
    Form(
        "range measurements",
        (
            r"""r_k = \sqrt{(x - a_k)^2 + (y - b_k)^2}
L = \frac{1}{2} \sum_k (r_k - z_k)^2""",
            r"""r_k = ((x - a_k)^2 + (y - b_k)^2)^{1/2}
q_k = r_k - z_k
L = \frac{1}{2} \sum_k q_k^2""",
        ),
        "L",
        {
            "x": Line(r"\sum_k \frac{(r_k - z_k) (x - a_k)}{r_k}"),
            "z": Line("z_k - r_k", "z - r", at="k"),
        },
        again={
            "x": Line(r"\sum_k \frac{q_k (x - a_k)}{r_k}"),
            "z": Line("-q_k", "-q", at="k"),
        },
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
        "Hill equation",
        (
            "<!-- symattn: scalars nu -->\n" r"v = \frac{V x^\nu}{k^\nu + x^\nu}",
            "<!-- symattn: scalars nu -->\n" r"v = V \frac{(x / k)^\nu}{1 + (x / k)^\nu}",
        ),
        "v",
        {
            "x": Line(r"\frac{\nu V k^\nu x^{\nu - 1}}{(k^\nu + x^\nu)^2}"),
            "V": Line(r"\frac{x^\nu}{k^\nu + x^\nu}"),
        },
        again={
            "x": Line(r"\frac{\nu V (\frac{x}{k})^\nu}{x (1 + (\frac{x}{k})^\nu)^2}"),
            "V": Line(r"\frac{(\frac{x}{k})^\nu}{1 + (\frac{x}{k})^\nu}"),
        },
        near={"x": 2.0, "k": 1.5, r"\nu": 2.0},
    ),
    Form(
        "highway layer",
        (
            r"""t_i = \sigma(\sum_j W_{ij} x_j)
h_i = \tanh(\sum_j U_{ij} x_j)
y_i = t_i h_i + (1 - t_i) x_i""",
            r"""t_i = \frac{1}{1 + e^{-\sum_j W_{ij} x_j}}
h_i = \tanh(\sum_j U_{ij} x_j)
y_i = x_i + t_i (h_i - x_i)""",
        ),
        "y",
        {
            "W": Line(r"\bar{y}_i (h_i - x_i) t_i (1 - t_i) x_j", at="ij"),
            "U": Line(r"\bar{y}_i t_i (1 - h_i^2) x_j", at="ij"),
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
]
