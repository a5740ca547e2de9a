"""Control, estimation, decisions: states, values, policies."""

# ruff: noqa: E501 (one line an equation)

from .form import Form, Line

FORMS = [
    Form(
        "Kalman prediction",
        (
            "<!-- symattn: sizes F:(m,n) P:(n,n) Q:(m,m) -->\nM = F P F^\\top + Q",
            r"M_{ij} = \sum_{a,b} F_{ia} P_{ab} F_{jb} + Q_{ij}",
        ),
        "M",
        {
            "P": Line(r"\sum_{i,j} \bar{M}_{ij} F_{ia} F_{jb}", r"F^\top \bar M F", at="ab"),
            "F": Line("", r"\bar M F P^\top + \bar M^\top F P", at="ia"),
            "Q": Line("", r"\bar M", at="ij"),
        },
    ),
    Form(
        "Bellman residual",
        (
            r"""v_t = \sum_a \phi_{ta} w_a
u_t = \sum_a \psi_{ta} w_a
\delta_t = r_t + \gamma u_t - v_t
L = \frac{1}{2} \sum_t \delta_t^2""",
            r"""\delta_t = r_t + \gamma \sum_a \psi_{ta} w_a - \sum_a \phi_{ta} w_a
L = \frac{1}{2} \sum_t \delta_t^2""",
        ),
        "L",
        {
            "w": Line(
                r"\sum_t \delta_t (\gamma \psi_{ta} - \phi_{ta})",
                r"(\gamma \psi - \phi)^\top \delta",
                at="a",
            )
        },
    ),
    Form(
        "expected reward",
        (
            r"""p_a = \frac{e^{z_a}}{\sum_b e^{z_b}}
J = \sum_a p_a r_a""",
            r"""J = \frac{\sum_a e^{z_a} r_a}{\sum_a e^{z_a}}
p_a = \frac{e^{z_a}}{\sum_b e^{z_b}}""",
        ),
        "J",
        {"z": Line(r"p_a (r_a - J)", at="a"), "r": Line("p_a", "p", at="a")},
    ),
    Form(
        "Gaussian process mean",
        (
            "<!-- symattn: sizes K:(n,n) k:(n) y:(n); symmetric K -->\n"
            "M = K + s I\n\\alpha = M^{-1} y\nm = k^\\top \\alpha",
            "<!-- symattn: sizes K:(n,n) k:(n) y:(n); symmetric K -->\n"
            "M = K + s I\n\\alpha_i = \\sum_j (M^{-1})_{ij} y_j\nm = \\sum_i k_i \\alpha_i",
        ),
        "m",
        {"k": Line(r"\alpha_i", r"\alpha", at="i"), "y": Line("", r"M^{-1} k", at="i")},
    ),
    Form(
        "adaptive step",
        (
            r"""v_i = \rho m_i + (1 - \rho) g_i^2
r_i = \sqrt{v_i + \epsilon}
u_i = \frac{g_i}{r_i}""",
            r"""r_i = \sqrt{\rho m_i + (1 - \rho) g_i^2 + \epsilon}
u_i = \frac{g_i}{r_i}""",
        ),
        "u",
        {
            "g": Line(r"\frac{\bar{u}_i}{r_i} (1 - (1 - \rho) u_i^2)", at="i"),
        },
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
        "soft value",
        (
            r"""p_a = \frac{e^{q_a / \tau}}{\sum_b e^{q_b / \tau}}
V = \tau \log \sum_a e^{q_a / \tau}""",
            r"""V = \tau \log \sum_a \exp(q_a / \tau)
p_a = \exp((q_a - V) / \tau)""",
        ),
        "V",
        {
            "q": Line("p_a", "p", at="a"),
            "q q": Line(r"\frac{1}{\tau} p_a (\delta_{ab} - p_b)", at="ab"),
        },
    ),
    Form(
        "policy ratio with penalty",
        (
            r"""r_i = e^{u_i - v_i}
J = \frac{1}{n} \sum_{i=1}^n (r_i A_i - \beta (r_i - 1 - u_i + v_i))""",
            r"""r_i = \exp(u_i - v_i)
J = \frac{1}{n} \sum_{i=1}^n r_i A_i - \frac{\beta}{n} \sum_{i=1}^n (r_i - 1 - \log r_i)""",
        ),
        "J",
        {"u": Line(r"\frac{1}{n} (r_i A_i - \beta (r_i - 1))", at="i")},
    ),
    Form(
        "policy gradient with advantages",
        (
            r"""<!-- symattn: assume \sum_a y_{ia} = 1 -->
p_{ia} = \frac{e^{z_{ia}}}{\sum_b e^{z_{ib}}}
L = -\sum_{ia} A_i y_{ia} \log p_{ia}""",
            r"""<!-- symattn: assume \sum_a y_{ia} = 1 -->
p_{ia} = \frac{\exp(z_{ia})}{\sum_b \exp(z_{ib})}
L = \sum_i A_i (\log \sum_b \exp(z_{ib}) - \sum_a y_{ia} z_{ia})""",
        ),
        "L",
        {"z": Line(r"A_i (p_{ia} - y_{ia})", at="ia")},
    ),
    Form(
        "Kalman correction",
        (
            """<!-- symattn: sizes K:(n,m) H:(m,n) x:(n) y:(m) -->
r = y - H x
z = x + K r""",
            r"""r_i = y_i - \sum_a H_{ia} x_a
z_a = x_a + \sum_i K_{ai} r_i""",
        ),
        "z",
        {
            "K": Line("", r"\bar z r^\top", at="ai"),
            "y": Line("", r"K^\top \bar z", at="i"),
            "x": Line("", r"\bar z - H^\top K^\top \bar z", at="a"),
            "H": Line("", r"-K^\top \bar z x^\top", at="ia"),
        },
    ),
    Form(
        "logarithmic barrier",
        (
            r"""s_i = b_i - \sum_a A_{ia} x_a
\phi = -\sum_i \log s_i""",
            """<!-- symattn: sizes A:(m,n) x:(n) b:(m) -->
s = b - A x
\\phi = -\\sum_i \\log s_i""",
        ),
        r"\phi",
        {
            "x": Line(r"\sum_i \frac{A_{ia}}{s_i}", at="a"),
            "x x": Line(r"\sum_i \frac{A_{ia} A_{ib}}{s_i^2}", at="ab"),
        },
        near={"b": 12.0},
    ),
    Form(
        "delta rule",
        (
            r"""r_i = \sum_a S_{ia} k_a - v_i
W_{ij} = S_{ij} - \beta r_i k_j""",
            """<!-- symattn: sizes S:(m,n) k:(n) v:(m) -->
r = S k - v
W = S - \\beta r k^\\top""",
        ),
        "W",
        {
            "r": Line(r"-\beta \sum_j \bar{W}_{ij} k_j", r"-\beta \bar W k", at="i"),
            "S": Line(r"\bar{W}_{ij} + \bar{r}_i k_j", r"\bar W + \bar r k^\top", at="ij"),
            "v": Line(r"-\bar{r}_i", r"-\bar r", at="i"),
            r"\beta": Line(r"-\sum_{i,j} \bar{W}_{ij} r_i k_j", r"-r^\top \bar W k"),
        },
    ),
]
