"""Flows, state estimation, reinforcement, lattices, counts and other systems, one of each kind."""

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
        "gated recurrent unit",
        (
            r"""z_i = \sigma(\sum_j U_{ij} h_j)
r_i = \sigma(\sum_j R_{ij} h_j)
c_i = \tanh(\sum_j W_{ij} r_j h_j)
n_i = (1 - z_i) h_i + z_i c_i""",
            r"""z_i = \frac{1}{1 + e^{-\sum_j U_{ij} h_j}}
r_i = \frac{1}{1 + e^{-\sum_j R_{ij} h_j}}
c_i = \tanh(\sum_j W_{ij} r_j h_j)
n_i = h_i + z_i (c_i - h_i)""",
        ),
        "n",
        {
            "U": Line(r"\bar{n}_i (c_i - h_i) z_i (1 - z_i) h_j"),
            "W": Line(r"\bar{n}_i z_i (1 - c_i^2) r_j h_j"),
            "r": Line(r"h_j \sum_i \bar{n}_i z_i (1 - c_i^2) W_{ij}", at="j"),
        },
    ),
    Form(
        "affine coupling",
        (
            r"""y_i = x_i e^{s_i} + t_i
L = \frac{1}{2} \sum_i y_i^2 - \sum_i s_i""",
            r"""y_i = t_i + \exp(s_i) x_i
L = \sum_i \left(\frac{y_i^2}{2} - s_i\right)""",
        ),
        "L",
        {
            "x": Line(r"e^{s_i} y_i", at="i"),
            "s": Line(r"x_i e^{s_i} y_i - 1", at="i"),
            "t": Line("y_i", "y", at="i"),
        },
    ),
    Form(
        "planar flow",
        (
            r"""h = \tanh(\sum_j w_j z_j + b)
y_i = z_i + u_i h""",
            r"""<!-- symattn: sizes w:(d) z:(d) u:(d) -->
h = \tanh(w^\top z + b)
y = z + u h""",
        ),
        "y",
        {
            "z": Line(r"\bar{y}_i + (1 - h^2) w_i \sum_j \bar{y}_j u_j", at="i"),
            "u": Line(r"h \bar{y}_i", r"h \bar y", at="i"),
            "b": Line(r"(1 - h^2) \sum_i \bar{y}_i u_i", r"(1 - h^2) \bar y^\top u"),
        },
    ),
    Form(
        "image and text contrast",
        (
            r"""P_{ij} = \frac{e^{S_{ij}}}{\sum_l e^{S_{il}}}
R_{ij} = \frac{e^{S_{ij}}}{\sum_k e^{S_{kj}}}
L = -\frac{1}{2n} \sum_{i=1}^n (\log P_{ii} + \log R_{ii})""",
            r"""P_{ij} = \frac{e^{S_{ij}}}{\sum_l e^{S_{il}}}
R_{ij} = \frac{e^{S_{ij}}}{\sum_k e^{S_{kj}}}
L = \frac{1}{2n} \sum_{i=1}^n (\log \sum_l e^{S_{il}} + \log \sum_l e^{S_{li}} - 2 S_{ii})""",
        ),
        "L",
        {
            "S": Line(
                r"\frac{1}{2n} (P_{ij} + R_{ij} - 2 \delta_{ij})",
                r"\frac{1}{2n} (P + R - 2 I)",
                at="ij",
            )
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
        "entropic transport dual",
        (
            r"""P_{ij} = a_i b_j e^{(f_i + g_j - C_{ij}) / \epsilon}
D = \sum_i f_i a_i + \sum_j g_j b_j - \epsilon \sum_{ij} P_{ij}""",
            r"""P_{ij} = a_i b_j \exp\left(\frac{f_i + g_j - C_{ij}}{\epsilon}\right)
D = \sum_i a_i f_i + \sum_j b_j g_j - \epsilon \sum_i \sum_j P_{ij}""",
        ),
        "D",
        {
            "f": Line(r"a_i - \sum_j P_{ij}", r"a - \mathrm{rowsum}(P)", at="i"),
            "g": Line(r"b_j - \sum_i P_{ij}", r"b - \mathrm{colsum}(P)", at="j"),
            "C": Line("P_{ij}", "P", at="ij"),
        },
    ),
    Form(
        "gradient penalty",
        (
            r"""r = \sqrt{\sum_a g_a^2}
L = \lambda (r - 1)^2""",
            r"""r = \|g\|
L = \lambda (r - 1)^2""",
        ),
        "L",
        {"g": Line(r"\frac{2 \lambda (r - 1) g_a}{r}", r"\frac{2 \lambda (r - 1)}{r} g", at="a")},
    ),
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
        "rational quadratic kernel",
        (
            r"""D_{ij} = \sum_a (x_{ia} - y_{ja})^2
b_{ij} = 1 + \frac{D_{ij}}{2 \alpha \ell^2}
k_{ij} = b_{ij}^{-\alpha}""",
            r"""b_{ij} = 1 + \frac{\sum_a (x_{ia} - y_{ja})^2}{2 \alpha \ell^2}
k_{ij} = b_{ij}^{-\alpha}""",
        ),
        "k",
        {
            "x": Line(
                r"\frac{1}{\ell^2} \sum_j \frac{\bar{k}_{ij} k_{ij}}{b_{ij}} (y_{ja} - x_{ia})",
                at="ia",
            )
        },
    ),
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
        "label propagation",
        (
            r"L = \sum_i m_i (f_i - y_i)^2 + \frac{\lambda}{2} \sum_{ij} W_{ij} (f_i - f_j)^2",
            r"L = \sum_i m_i (f_i - y_i)^2 + \lambda \sum_i \sum_j \frac{1}{2} W_{ij} (f_i - f_j)^2",
        ),
        "L",
        {"f": Line(r"2 m_i (f_i - y_i) + \lambda \sum_j (W_{ij} + W_{ji}) (f_i - f_j)", at="i")},
    ),
    Form(
        "leaky recurrent cell",
        (
            r"""c_i = \tanh(\sum_j W_{ij} u_j + b_i)
h_i = (1 - \alpha) u_i + \alpha c_i""",
            """<!-- symattn: sizes W:(n,n) u:(n) b:(n) -->
c = \\tanh(W u + b)
h = (1 - \\alpha) u + \\alpha c""",
        ),
        "h",
        {
            "b": Line(
                r"\alpha \bar{h}_i (1 - c_i^2)", r"\alpha \bar h \circ (1 - c^{\circ 2})", at="i"
            ),
            "u": Line(
                r"(1 - \alpha) \bar{h}_j + \sum_i W_{ij} \bar{b}_i",
                r"(1 - \alpha) \bar h + W^\top \bar b",
                at="j",
            ),
            "W": Line(r"\bar{b}_i u_j", r"\bar b u^\top", at="ij"),
            r"\alpha": Line(r"\sum_i \bar{h}_i (c_i - u_i)", r"\bar h^\top (c - u)"),
        },
    ),
    Form(
        "prototypical network",
        (
            r"""<!-- symattn: assume \sum_k y_{ik} = 1 -->
D_{ik} = \sum_a (x_{ia} - c_{ka})^2
p_{ik} = \frac{e^{-D_{ik}}}{\sum_l e^{-D_{il}}}
L = -\sum_{ik} y_{ik} \log p_{ik}""",
            r"""<!-- symattn: assume \sum_k y_{ik} = 1 -->
D_{ik} = \sum_a (x_{ia} - c_{ka})^2
p_{ik} = \frac{\exp(-D_{ik})}{\sum_l \exp(-D_{il})}
L = \sum_i \sum_k y_{ik} (D_{ik} + \log \sum_l e^{-D_{il}})""",
        ),
        "L",
        {
            "c": Line(r"2 \sum_i (p_{ik} - y_{ik}) (x_{ia} - c_{ka})", at="ka"),
            "x": Line(r"2 \sum_k (p_{ik} - y_{ik}) c_{ka}", r"2 (p - y) c", at="ia"),
        },
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
        "Bradley-Terry model",
        (
            r"""P_{ij} = \sigma(s_i - s_j)
L = -\sum_{ij} W_{ij} \log P_{ij}""",
            r"""P_{ij} = \frac{e^{s_i}}{e^{s_i} + e^{s_j}}
L = -\sum_{ij} W_{ij} \log P_{ij}""",
        ),
        "L",
        {"s": Line(r"\sum_j (W_{ji} P_{ij} - W_{ij} P_{ji})", at="i")},
    ),
    Form(
        "direct preference optimisation",
        (
            r"""m_n = \beta (u_n - v_n)
L = -\sum_n \log \sigma(m_n)""",
            r"""m_n = \beta (u_n - v_n)
L = \sum_n \log(1 + e^{-m_n})""",
        ),
        "L",
        {
            "u": Line(r"-\beta \sigma(-m_n)", at="n"),
            "v": Line(r"\beta \sigma(-m_n)", at="n"),
            r"\beta": Line(r"\sum_n \sigma(-m_n) (v_n - u_n)"),
        },
    ),
    Form(
        "Geman-McClure loss",
        (
            r"L = \sum_i \frac{r_i^2}{c^2 + r_i^2}",
            r"L = \sum_i \frac{(r_i / c)^2}{1 + (r_i / c)^2}",
        ),
        "L",
        {"r": Line(r"\frac{2 c^2 r_i}{(c^2 + r_i^2)^2}", at="i")},
    ),
    Form(
        "decorrelation loss",
        (
            r"""C_{ij} = \frac{1}{n} \sum_{b=1}^n X_{bi} Y_{bj}
L = \sum_{ij} (C_{ij} - \delta_{ij})^2""",
            """<!-- symattn: sizes X:(n,d) Y:(n,d) C:(d,d) -->
C = \\frac{1}{n} X^\\top Y
L = \\|C - I\\|_F^2""",
        ),
        "L",
        {
            "X": Line(
                r"\frac{2}{n} \sum_j Y_{bj} (C_{ij} - \delta_{ij})",
                r"\frac{2}{n} Y (C - I)^\top",
                at="bi",
            ),
            "Y": Line(
                r"\frac{2}{n} \sum_i X_{bi} (C_{ij} - \delta_{ij})",
                r"\frac{2}{n} X (C - I)",
                at="bj",
            ),
        },
    ),
    Form(
        "orthogonality penalty",
        (
            """<!-- symattn: sizes W:(m,n) G:(n,n) -->
G = W^\\top W - I
L = \\frac{1}{4} \\|G\\|_F^2""",
            r"""G_{jk} = \sum_i W_{ij} W_{ik} - \delta_{jk}
L = \frac{1}{4} \sum_{jk} G_{jk}^2""",
        ),
        "L",
        {"W": Line(r"\sum_k W_{ik} G_{jk}", "W G", at="ij")},
    ),
    Form(
        "squared relu layer",
        (
            r"""Z_{ic} = \sum_a X_{ia} W_{ac}
H_{ic} = \max(0, Z_{ic})^2
Y_{ib} = \sum_c H_{ic} V_{cb}""",
            r"""Z_{ic} = \sum_a X_{ia} W_{ac}
H_{ic} = \mathrm{ReLU}(Z_{ic})^2
Y_{ib} = \sum_c H_{ic} V_{cb}""",
        ),
        "Y",
        {
            "H": Line(r"\sum_b \bar{Y}_{ib} V_{cb}", r"\bar Y V^\top", at="ic"),
            "Z": Line(
                r"2 \bar{H}_{ic} \max(0, Z_{ic})",
                r"2 \bar H \circ \max(0, Z)",
                at="ic",
            ),
            "W": Line(r"\sum_i X_{ia} \bar{Z}_{ic}", r"X^\top \bar Z", at="ac"),
        },
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
        "soft minimum",
        (
            r"s = -\gamma \log(e^{-a / \gamma} + e^{-b / \gamma} + e^{-c / \gamma})",
            r"s = -\gamma \log\left(\exp\left(-\frac{a}{\gamma}\right) + \exp\left(-\frac{b}{\gamma}\right) + \exp\left(-\frac{c}{\gamma}\right)\right)",
        ),
        "s",
        {"a": Line(r"e^{(s - a) / \gamma}"), "c": Line(r"e^{(s - c) / \gamma}")},
        again={
            "a": Line(r"\exp\left(\frac{s - a}{\gamma}\right)"),
            "c": Line(r"\exp\left(\frac{s - c}{\gamma}\right)"),
        },
    ),
    Form(
        "Michaelis-Menten rate",
        (r"v = \frac{V S}{K + S}", r"v = V \frac{S}{S + K}"),
        "v",
        {
            "S": Line(r"\frac{V K}{(K + S)^2}"),
            "K": Line(r"-\frac{V S}{(K + S)^2}"),
        },
        jacobian=True,
    ),
    Form(
        "restricted Boltzmann machine",
        (
            r"""h_j = \sigma(b_j + \sum_i v_i W_{ij})
F = -\sum_i a_i v_i - \sum_j \log(1 + e^{b_j + \sum_i v_i W_{ij}})""",
            r"""z_j = b_j + \sum_i v_i W_{ij}
h_j = \frac{1}{1 + e^{-z_j}}
F = -\sum_i a_i v_i - \sum_j \log(1 + e^{z_j})""",
        ),
        "F",
        {
            "W": Line("-v_i h_j", r"-v h^\top", at="ij"),
            "b": Line("-h_j", "-h", at="j"),
            "v": Line(r"-a_i - \sum_j W_{ij} h_j", "-a - W h", at="i"),
        },
    ),
    Form(
        "exponential family",
        (
            r"""p_x = \frac{e^{\sum_k \theta_k T_{xk}}}{\sum_y e^{\sum_k \theta_k T_{yk}}}
m_k = \sum_x p_x T_{xk}
L = \sum_k \theta_k t_k - \log \sum_x e^{\sum_k \theta_k T_{xk}}""",
            r"""u_x = \sum_k \theta_k T_{xk}
p_x = \frac{\exp(u_x)}{\sum_y \exp(u_y)}
m_k = \sum_x p_x T_{xk}
L = \sum_k \theta_k t_k - \log \sum_x \exp(u_x)""",
        ),
        "L",
        {
            r"\theta": Line("t_k - m_k", "t - m", at="k"),
            r"\theta \theta": Line(r"m_k m_l - \sum_x p_x T_{xk} T_{xl}", at="kl"),
        },
    ),
    Form(
        "differential attention",
        (
            r"O_{ib} = \sum_j (A_{ij} - \lambda B_{ij}) V_{jb}",
            r"O_{ib} = \sum_j A_{ij} V_{jb} - \lambda \sum_j B_{ij} V_{jb}",
        ),
        "O",
        {
            "A": Line(r"\sum_b \bar{O}_{ib} V_{jb}", r"\bar O V^\top", at="ij"),
            "B": Line(r"-\lambda \sum_b \bar{O}_{ib} V_{jb}", r"-\lambda \bar O V^\top", at="ij"),
            "V": Line(
                r"\sum_i (A_{ij} - \lambda B_{ij}) \bar{O}_{ib}",
                r"(A - \lambda B)^\top \bar O",
                at="jb",
            ),
            r"\lambda": Line(r"-\sum_{i,j,b} \bar{O}_{ib} B_{ij} V_{jb}"),
        },
    ),
    Form(
        "retention",
        (
            r"O_{ib} = \sum_j [j \le i] \gamma^{i - j} S_{ij} V_{jb}",
            r"""D_{ij} = [j \le i] \gamma^{i - j}
O_{ib} = \sum_j D_{ij} S_{ij} V_{jb}""",
        ),
        "O",
        {
            "S": Line(r"[j \le i] \gamma^{i - j} \sum_b \bar{O}_{ib} V_{jb}", at="ij"),
            "V": Line(r"\sum_i [j \le i] \gamma^{i - j} S_{ij} \bar{O}_{ib}", at="jb"),
        },
        again={
            "S": Line(r"D_{ij} \sum_b \bar{O}_{ib} V_{jb}", r"D \circ (\bar O V^\top)", at="ij"),
            "V": Line(r"\sum_i D_{ij} S_{ij} \bar{O}_{ib}", r"(D \circ S)^\top \bar O", at="jb"),
        },
        near={r"\gamma": 0.8},
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
        "divergence of two Gaussians",
        (
            r"D = \log \frac{s}{\sigma} + \frac{\sigma^2 + (\mu - m)^2}{2 s^2} - \frac{1}{2}",
            r"D = \log s - \log \sigma + \frac{\sigma^2 + (m - \mu)^2}{2 s^2} - \frac{1}{2}",
        ),
        "D",
        {
            r"\mu": Line(r"\frac{\mu - m}{s^2}"),
            r"\sigma": Line(r"\frac{\sigma}{s^2} - \frac{1}{\sigma}"),
            "s": Line(r"\frac{1}{s} - \frac{\sigma^2 + (\mu - m)^2}{s^3}"),
        },
        again={"s": Line(r"\frac{1}{s} - \frac{\sigma^2 + (m - \mu)^2}{s^3}")},
    ),
    Form(
        "correlation",
        (
            r"""m = \frac{1}{n} \sum_{j=1}^n x_j
c_i = x_i - m
a = \sqrt{\sum_j c_j^2}
u_i = \frac{c_i}{a}
r = \sum_i u_i v_i""",
            r"""m = \frac{1}{n} \sum_{j=1}^n x_j
a = \sqrt{\sum_j (x_j - m)^2}
u_i = \frac{x_i - m}{a}
r = \sum_i u_i v_i""",
        ),
        "r",
        {
            "x": Line(
                r"\frac{1}{a} (v_i - \frac{1}{n} \sum_j v_j - r u_i)",
                r"\frac{1}{a} (v - \mathrm{mean}(v) - r u)",
                at="i",
            )
        },
    ),
    Form(
        "Gumbel softmax",
        (
            r"y_i = \frac{e^{(\log p_i + g_i) / \tau}}{\sum_j e^{(\log p_j + g_j) / \tau}}",
            r"""z_i = \frac{\log p_i + g_i}{\tau}
y_i = \frac{e^{z_i}}{\sum_j e^{z_j}}""",
        ),
        "y",
        {
            "g": Line(r"\frac{1}{\tau} y_i (\bar{y}_i - \sum_j y_j \bar{y}_j)", at="i"),
            "p": Line(r"\frac{y_i}{\tau p_i} (\bar{y}_i - \sum_j y_j \bar{y}_j)", at="i"),
        },
        near={"p": 0.5},
    ),
    Form(
        "Jaccard loss",
        (
            r"""I = \sum_i p_i y_i
U = \sum_i p_i + \sum_i y_i - I
J = 1 - \frac{I}{U}""",
            r"""I = \sum_i p_i y_i
U = \sum_i (p_i + y_i) - I
J = 1 - \frac{I}{U}""",
        ),
        "J",
        {"p": Line(r"\frac{1}{U^2} (I - y_i (I + U))", at="i")},
        near={"p": 0.5, "y": 0.5},
    ),
]
