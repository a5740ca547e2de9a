"""Systems of many fields as a user brings them: rates, policies, flows, layouts, prices, cells."""

# ruff: noqa: E501 (one line an equation)

from .form import Form, Line

FORMS = [
    Form(
        "Sharpe ratio",
        (
            r"""<!-- symattn: symmetric C -->
s = \sqrt{\sum_{ij} w_i C_{ij} w_j}
S = \frac{\sum_i \mu_i w_i}{s}""",
            """<!-- symattn: sizes C:(n,n) w:(n) \\mu:(n); symmetric C -->
s = \\sqrt{w^\\top C w}
S = \\frac{\\mu^\\top w}{s}""",
        ),
        "S",
        {
            "w": Line(
                r"\frac{1}{s} (\mu_i - \frac{S}{s} \sum_j C_{ij} w_j)",
                r"\frac{1}{s} (\mu - \frac{S}{s} C w)",
                at="i",
            ),
            r"\mu": Line(r"\frac{w_i}{s}", r"\frac{w}{s}", at="i"),
        },
    ),
    Form(
        "supervised contrast",
        (
            r"""<!-- symattn: assume \sum_j P_{ij} = 1 -->
S_{ij} = \frac{1}{\tau} \sum_a Z_{ia} Z_{ja}
A_{ij} = \frac{e^{S_{ij}}}{\sum_l e^{S_{il}}}
L = -\sum_{ij} P_{ij} \log A_{ij}""",
            r"""<!-- symattn: assume \sum_j P_{ij} = 1 -->
S_{ij} = \frac{1}{\tau} \sum_a Z_{ia} Z_{ja}
A_{ij} = \frac{\exp(S_{ij})}{\sum_l \exp(S_{il})}
L = \sum_i (\log \sum_l \exp(S_{il}) - \sum_j P_{ij} S_{ij})""",
        ),
        "L",
        {
            "S": Line(r"A_{ij} - P_{ij}", "A - P", at="ij"),
            "Z": Line(
                r"\frac{1}{\tau} \sum_j (A_{ij} + A_{ji} - P_{ij} - P_{ji}) Z_{ja}",
                r"\frac{1}{\tau} (A + A^\top - P - P^\top) Z",
                at="ia",
            ),
        },
    ),
    Form(
        "reverse divergence",
        (
            r"""p_i = \frac{e^{z_i}}{\sum_j e^{z_j}}
L = \sum_i p_i \log \frac{p_i}{q_i}""",
            r"""p_i = \frac{\exp(z_i)}{\sum_j \exp(z_j)}
L = \sum_i p_i (\log p_i - \log q_i)""",
        ),
        "L",
        {"z": Line(r"p_i (\log \frac{p_i}{q_i} - L)", at="i")},
        again={"z": Line(r"p_i (\log p_i - \log q_i - L)", at="i")},
    ),
    Form(
        "bond price",
        (
            r"P = \sum_k c_k e^{-y t_k}",
            r"""v_k = \exp(-y t_k)
P = \sum_k c_k v_k""",
        ),
        "P",
        {
            "y": Line(r"-\sum_k t_k c_k e^{-y t_k}"),
            "y y": Line(r"\sum_k t_k^2 c_k e^{-y t_k}"),
            "c": Line(r"e^{-y t_k}", at="k"),
        },
        again={
            "y": Line(r"-\sum_k t_k c_k v_k"),
            "y y": Line(r"\sum_k t_k^2 c_k v_k"),
            "c": Line(r"v_k", at="k"),
        },
    ),
    Form(
        "elastic net",
        (
            r"L = \frac{1}{2} \sum_i (y_i - \sum_a X_{ia} w_a)^2 + \lambda \sum_a |w_a| + \frac{\mu}{2} \sum_a w_a^2",
            """<!-- symattn: sizes X:(n,d) w:(d) y:(n) -->
L = \\frac{1}{2} \\|y - X w\\|^2 + \\lambda \\|w\\|_1 + \\frac{\\mu}{2} \\|w\\|^2""",
        ),
        "L",
        {
            "w": Line(
                r"\sum_i X_{ia} (\sum_b X_{ib} w_b - y_i) + \lambda \mathrm{sign}(w_a) + \mu w_a",
                r"X^\top (X w - y) + \lambda \mathrm{sign}(w) + \mu w",
                at="a",
            )
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
        "reparametrised Gaussian",
        (
            r"""z_i = \mu_i + e^{s_i} u_i
L = \sum_i \left(\frac{1}{2} z_i^2 - s_i\right)""",
            r"""z_i = \mu_i + \exp(s_i) u_i
L = \frac{1}{2} \sum_i z_i^2 - \sum_i s_i""",
        ),
        "L",
        {
            r"\mu": Line("z_i", "z", at="i"),
            "s": Line(r"z_i e^{s_i} u_i - 1", at="i"),
        },
    ),
    Form(
        "Gaussianising flow",
        (
            r"""z_i = (x_i - \mu_i) e^{-s_i}
L = \sum_i \left(\frac{1}{2} z_i^2 + s_i\right)""",
            r"""z_i = \frac{x_i - \mu_i}{\exp(s_i)}
L = \frac{1}{2} \sum_i z_i^2 + \sum_i s_i""",
        ),
        "L",
        {
            "x": Line(r"e^{-s_i} z_i", at="i"),
            r"\mu": Line(r"-e^{-s_i} z_i", at="i"),
            "s": Line(r"1 - z_i^2", at="i"),
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
        "attention with a sink",
        (
            r"""A_{ij} = \frac{e^{S_{ij}}}{1 + \sum_l e^{S_{il}}}
O_{ib} = \sum_j A_{ij} V_{jb}""",
            r"""Z_i = 1 + \sum_l \exp(S_{il})
A_{ij} = \frac{\exp(S_{ij})}{Z_i}
O_{ib} = \sum_j A_{ij} V_{jb}""",
        ),
        "O",
        {
            "A": Line(r"\sum_b \bar{O}_{ib} V_{jb}", r"\bar O V^\top", at="ij"),
            "S": Line(r"A_{ij} (\bar{A}_{ij} - \sum_l A_{il} \bar{A}_{il})", at="ij"),
            "V": Line(r"\sum_i A_{ij} \bar{O}_{ib}", r"A^\top \bar O", at="jb"),
        },
    ),
    Form(
        "memory cell",
        (
            r"""c_i = f_i u_i + g_i z_i
h_i = o_i \tanh(c_i)""",
            r"""c_i = f_i u_i + g_i z_i
t_i = \tanh(c_i)
h_i = o_i t_i""",
        ),
        "h",
        {
            "o": Line(r"\bar{h}_i \tanh(c_i)", at="i"),
            "c": Line(r"\bar{h}_i o_i (1 - \tanh(c_i)^2)", at="i"),
            "f": Line(r"\bar{c}_i u_i", r"\bar c \circ u", at="i"),
            "z": Line(r"\bar{c}_i g_i", r"\bar c \circ g", at="i"),
        },
        again={
            "o": Line(r"\bar{h}_i t_i", at="i"),
            "c": Line(r"\bar{h}_i o_i (1 - t_i^2)", at="i"),
        },
    ),
    Form(
        "van der Waals gas",
        (
            "<!-- symattn: scalars R T -->\nP = \\frac{R T}{V - b} - \\frac{a}{V^2}",
            "<!-- symattn: scalars R T V -->\nP = R T (V - b)^{-1} - a V^{-2}",
        ),
        "P",
        {
            "V": Line(r"\frac{2 a}{V^3} - \frac{R T}{(V - b)^2}"),
            "T": Line(r"\frac{R}{V - b}"),
            "b": Line(r"\frac{R T}{(V - b)^2}"),
        },
        near={"V": 3.0},
    ),
    Form(
        "pseudo-Huber loss of residuals",
        (
            r"L = c^2 \sum_i \left(\sqrt{1 + \left(\frac{r_i}{c}\right)^2} - 1\right)",
            r"""s_i = \sqrt{1 + r_i^2 / c^2}
L = \sum_i c^2 (s_i - 1)""",
        ),
        "L",
        {"r": Line(r"\frac{r_i}{\sqrt{1 + \left(\frac{r_i}{c}\right)^2}}", at="i")},
        again={"r": Line(r"\frac{r_i}{s_i}", at="i")},
    ),
    Form(
        "negative sampling of words",
        (
            r"""s = \sum_a u_a v_a
t_k = \sum_a N_{ka} v_a
L = -\log \sigma(s) - \sum_k \log \sigma(-t_k)""",
            r"""s = \sum_a u_a v_a
t_k = \sum_a N_{ka} v_a
L = \log(1 + e^{-s}) + \sum_k \log(1 + e^{t_k})""",
        ),
        "L",
        {
            "v": Line(r"(\sigma(s) - 1) u_a + \sum_k \sigma(t_k) N_{ka}", at="a"),
            "N": Line(r"\sigma(t_k) v_a", at="ka"),
        },
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
        "convolution over a graph",
        (
            r"""Z_{ib} = \sum_{j,a} S_{ij} X_{ja} W_{ab}
H_{ib} = \max(0, Z_{ib})""",
            """<!-- symattn: sizes S:(n,n) X:(n,d) W:(d,c) Z:(n,c) -->
Z = S X W
H = \\mathrm{ReLU}(Z)""",
        ),
        "H",
        {
            "Z": Line(r"\bar{H}_{ib} \mathbf{1}[Z_{ib} > 0]", at="ib"),
            "W": Line("", r"X^\top S^\top \bar Z", at="ab"),
            "X": Line("", r"S^\top \bar Z W^\top", at="ja"),
        },
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
        "sigmoid contrast",
        (
            r"""m_{ij} = y_{ij} (\tau S_{ij} + b)
L = -\sum_{ij} \log \sigma(m_{ij})""",
            r"""m_{ij} = y_{ij} (\tau S_{ij} + b)
L = \sum_{ij} \log(1 + e^{-m_{ij}})""",
        ),
        "L",
        {
            "S": Line(r"-\tau y_{ij} \sigma(-m_{ij})", at="ij"),
            "b": Line(r"-\sum_{i,j} y_{ij} \sigma(-m_{ij})"),
            r"\tau": Line(r"-\sum_{i,j} y_{ij} S_{ij} \sigma(-m_{ij})"),
        },
    ),
    Form(
        "sigmoid attention with a bias",
        (
            r"""A_{ij} = \sigma(S_{ij} + b)
O_{ic} = \sum_j A_{ij} V_{jc}""",
            r"""A_{ij} = \frac{1}{1 + e^{-S_{ij} - b}}
O_{ic} = \sum_j A_{ij} V_{jc}""",
        ),
        "O",
        {
            "A": Line(r"\sum_c \bar{O}_{ic} V_{jc}", r"\bar O V^\top", at="ij"),
            "S": Line(
                r"\bar{A}_{ij} A_{ij} (1 - A_{ij})", r"\bar A \circ A \circ (1 - A)", at="ij"
            ),
            "b": Line(r"\sum_{i,j} \bar{A}_{ij} A_{ij} (1 - A_{ij})"),
        },
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
        "inhibited growth",
        (
            r"v = \frac{V S}{K + S + \frac{S^2}{J}}",
            r"""D = K + S + S^2 / J
v = \frac{V S}{D}""",
        ),
        "v",
        {
            "S": Line(r"\frac{V (K - \frac{S^2}{J})}{(K + S + \frac{S^2}{J})^2}"),
            "V": Line(r"\frac{S}{K + S + \frac{S^2}{J}}"),
        },
        near={"K": 3.0, "J": 3.0, "S": 2.0},
        again={"S": Line(r"\frac{V}{D^2} (K - \frac{S^2}{J})"), "V": Line(r"\frac{S}{D}")},
    ),
    Form(
        "biweight loss",
        (
            r"L = \frac{c^2}{6} \sum_i \left(1 - \left(1 - \frac{r_i^2}{c^2}\right)^3\right)",
            r"""u_i = \frac{r_i}{c}
L = \frac{c^2}{6} \sum_i (1 - (1 - u_i^2)^3)""",
        ),
        "L",
        {"r": Line(r"r_i \left(1 - \frac{r_i^2}{c^2}\right)^2", at="i")},
        again={"r": Line(r"r_i (1 - u_i^2)^2", at="i")},
    ),
    Form(
        "radial flow",
        (
            r"""r = \sqrt{\sum_j (z_j - c_j)^2}
h = \frac{1}{\alpha + r}
y_i = z_i + \beta h (z_i - c_i)""",
            r"""r = \|z - c\|
h = \frac{1}{\alpha + r}
y_i = z_i + \beta h (z_i - c_i)""",
        ),
        "y",
        {
            "z": Line(
                r"(1 + \beta h) \bar{y}_i - \frac{\beta h^2}{r} (z_i - c_i) \sum_j \bar{y}_j (z_j - c_j)",
                at="i",
            ),
            r"\beta": Line(r"h \sum_i \bar{y}_i (z_i - c_i)"),
        },
        near={r"\alpha": 2.0},
    ),
    Form(
        "denoising",
        (
            r"""z_i = \sqrt{\alpha} x_i + \sqrt{1 - \alpha} u_i
E_i = u_i - \sum_j W_{ij} z_j
L = \frac{1}{2} \sum_i E_i^2""",
            r"""z_i = \alpha^{1/2} x_i + (1 - \alpha)^{1/2} u_i
E_i = u_i - \sum_j W_{ij} z_j
L = \sum_i \frac{E_i^2}{2}""",
        ),
        "L",
        {
            "W": Line(r"-E_i z_j", r"-E z^\top", at="ij"),
            "x": Line(r"-\sqrt{\alpha} \sum_i W_{ij} E_i", r"-\sqrt{\alpha} W^\top E", at="j"),
        },
        near={r"\alpha": 0.0},
    ),
    Form(
        "uniformity on a sphere",
        (
            r"""D_{ij} = \sum_a (x_{ia} - x_{ja})^2
W_{ij} = \frac{e^{-\tau D_{ij}}}{\sum_{kl} e^{-\tau D_{kl}}}
U = \log \sum_{ij} e^{-\tau D_{ij}}""",
            r"""D_{ij} = \sum_a (x_{ia} - x_{ja})^2
Z = \sum_{kl} \exp(-\tau D_{kl})
W_{ij} = \frac{1}{Z} \exp(-\tau D_{ij})
U = \log Z""",
        ),
        "U",
        {
            "x": Line(r"4 \tau \sum_j W_{ij} (x_{ja} - x_{ia})", at="ia"),
            r"\tau": Line(r"-\sum_{i,j} W_{ij} D_{ij}"),
        },
    ),
    Form(
        "smoothness on a graph",
        (
            r"""<!-- symattn: symmetric A -->
E = \frac{1}{2} \sum_{ij} A_{ij} \left(\frac{f_i}{s_i} - \frac{f_j}{s_j}\right)^2""",
            r"""<!-- symattn: symmetric A -->
u_i = \frac{f_i}{s_i}
E = \frac{1}{2} \sum_i \sum_j A_{ij} (u_i - u_j)^2""",
        ),
        "E",
        {
            "f": Line(
                r"\frac{2}{s_i} \sum_j A_{ij} \left(\frac{f_i}{s_i} - \frac{f_j}{s_j}\right)",
                at="i",
            )
        },
        near={"s": 2.0},
        again={"f": Line(r"\frac{2}{s_i} \sum_j A_{ij} (u_i - u_j)", at="i")},
    ),
    Form(
        "Welsch loss",
        (
            r"L = \frac{c^2}{2} \sum_i \left(1 - e^{-r_i^2 / c^2}\right)",
            r"""w_i = \exp\left(-\left(\frac{r_i}{c}\right)^2\right)
L = \frac{c^2}{2} \sum_i (1 - w_i)""",
        ),
        "L",
        {"r": Line(r"r_i e^{-r_i^2 / c^2}", at="i")},
        again={"r": Line(r"r_i w_i", at="i")},
    ),
    Form(
        "growth of wealth",
        (
            r"""W_j = 1 + \sum_i w_i R_{ji}
G = \sum_j p_j \log W_j""",
            """<!-- symattn: sizes R:(m,n) w:(n) p:(m) W:(m) -->
W = 1 + R w
G = \\sum_j p_j \\log W_j""",
        ),
        "G",
        {
            "w": Line(r"\sum_j \frac{p_j R_{ji}}{W_j}", at="i"),
            "w w": Line(r"-\sum_j \frac{p_j R_{ji} R_{jk}}{W_j^2}", at="ik"),
        },
        near={"R": 1.0, "w": 1.0},
    ),
    Form(
        "pairwise ranking",
        (
            r"""d_i = \sum_k U_{ik} (V_{ik} - W_{ik})
L = -\sum_i \log \sigma(d_i) + \frac{\lambda}{2} \sum_{ik} U_{ik}^2""",
            r"""d_i = \sum_k U_{ik} V_{ik} - \sum_k U_{ik} W_{ik}
L = \sum_i \log(1 + \exp(-d_i)) + \frac{\lambda}{2} \sum_{ik} U_{ik}^2""",
        ),
        "L",
        {
            "U": Line(r"\lambda U_{ik} - \sigma(-d_i) (V_{ik} - W_{ik})", at="ik"),
            "V": Line(r"-\sigma(-d_i) U_{ik}", at="ik"),
        },
    ),
    Form(
        "temperature of a classifier",
        (
            r"""<!-- symattn: assume \sum_i y_i = 1 -->
p_i = \frac{e^{z_i / \tau}}{\sum_j e^{z_j / \tau}}
L = -\sum_i y_i \log p_i""",
            r"""<!-- symattn: assume \sum_i y_i = 1 -->
p_i = \frac{\exp(z_i / \tau)}{\sum_j \exp(z_j / \tau)}
L = \log \sum_j \exp(z_j / \tau) - \frac{1}{\tau} \sum_i y_i z_i""",
        ),
        "L",
        {
            r"\tau": Line(
                r"\frac{1}{\tau^2} \sum_i z_i (y_i - p_i)", r"\frac{1}{\tau^2} z^\top (y - p)"
            ),
            "z": Line(r"\frac{1}{\tau} (p_i - y_i)", r"\frac{1}{\tau} (p - y)", at="i"),
        },
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
        "stress of a layout",
        (
            r"""<!-- symattn: symmetric K l -->
d_{ij} = \sqrt{\sum_a (x_{ia} - x_{ja})^2 + \epsilon}
E = \frac{1}{2} \sum_{ij} K_{ij} (d_{ij} - l_{ij})^2""",
            r"""<!-- symattn: symmetric K l -->
d_{ij} = (\epsilon + \sum_a (x_{ia} - x_{ja})^2)^{1/2}
E = \frac{1}{2} \sum_i \sum_j K_{ij} (d_{ij} - l_{ij})^2""",
        ),
        "E",
        {
            "x": Line(
                r"2 \sum_j \frac{K_{ij} (d_{ij} - l_{ij})}{d_{ij}} (x_{ia} - x_{ja})",
                at="ia",
            )
        },
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
        "competing species",
        (
            r"F_i = x_i (r_i + \sum_j A_{ij} x_j)",
            r"""g_i = r_i + \sum_j A_{ij} x_j
F_i = x_i g_i""",
        ),
        "F",
        {
            "x": Line(r"\delta_{ij} (r_i + \sum_k A_{ik} x_k) + x_i A_{ij}", at="ij"),
        },
        jacobian=True,
        again={
            "x": Line(r"\delta_{ij} g_i + x_i A_{ij}", at="ij"),
        },
    ),
    Form(
        "competitive adsorption",
        (
            r"""D = 1 + \sum_j K_j p_j
\theta_i = \frac{K_i p_i}{D}""",
            r"""u_i = K_i p_i
D = 1 + \sum_j u_j
\theta_i = \frac{u_i}{D}""",
        ),
        r"\theta",
        {"p": Line(r"\frac{K_j}{D} (\delta_{ij} - \theta_i)", at="ij")},
        jacobian=True,
        near={"K": 2.0, "p": 2.0},
    ),
    Form(
        "rate of a reaction",
        (
            r"k = A e^{-\frac{E}{R T}}",
            r"k = A \exp\left(-\frac{E}{R T}\right)",
        ),
        "k",
        {
            "T": Line(r"\frac{E k}{R T^2}"),
            "E": Line(r"-\frac{k}{R T}"),
            "A": Line(r"e^{-\frac{E}{R T}}"),
        },
        near={"T": 2.0, "R": 2.0},
        again={
            "A": Line(r"\exp\left(-\frac{E}{R T}\right)"),
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
    Form(
        "dynamic tanh",
        (
            r"""t_{ia} = \tanh(\alpha x_{ia})
y_{ia} = g_a t_{ia} + b_a""",
            r"y_{ia} = g_a \tanh(\alpha x_{ia}) + b_a",
        ),
        "y",
        {
            "x": Line(r"\alpha g_a \bar{y}_{ia} (1 - t_{ia}^2)", at="ia"),
            r"\alpha": Line(r"\sum_{i,a} \bar{y}_{ia} g_a x_{ia} (1 - t_{ia}^2)"),
            "g": Line(r"\sum_i \bar{y}_{ia} t_{ia}", at="a"),
        },
        again={
            "x": Line(r"\alpha g_a \bar{y}_{ia} (1 - \tanh(\alpha x_{ia})^2)", at="ia"),
            r"\alpha": Line(r"\sum_{i,a} \bar{y}_{ia} g_a x_{ia} (1 - \tanh(\alpha x_{ia})^2)"),
            "g": Line(r"\sum_i \bar{y}_{ia} \tanh(\alpha x_{ia})", at="a"),
        },
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
    Form(
        "capped logits",
        (
            r"""T_{ij} = \kappa \tanh\left(\frac{S_{ij}}{\kappa}\right)
A_{ij} = \frac{e^{T_{ij}}}{\sum_l e^{T_{il}}}""",
            r"""T_{ij} = \kappa \tanh(S_{ij} / \kappa)
A_{ij} = \frac{\exp(T_{ij})}{\sum_l \exp(T_{il})}""",
        ),
        "A",
        {
            "T": Line(r"A_{ij} (\bar{A}_{ij} - \sum_l A_{il} \bar{A}_{il})", at="ij"),
            "S": Line(r"\bar{T}_{ij} \left(1 - \frac{T_{ij}^2}{\kappa^2}\right)", at="ij"),
        },
        near={r"\kappa": 3.0},
    ),
]
