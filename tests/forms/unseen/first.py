"""Systems of many fields that no rule of printing was made for: how general the rules are."""

from ..form import Form, Line

FORMS = [
    Form(
        "driven oscillator",
        (
            r"""<!-- symattn: scalars m k c omega F -->
D = (k - m \omega^2)^2 + c^2 \omega^2
A = \frac{F}{\sqrt{D}}""",
            r"""<!-- symattn: scalars m k c omega F -->
D = (m \omega^2 - k)^2 + (c \omega)^2
A = F D^{-1/2}""",
        ),
        "A",
        {
            "F": Line(r"\frac{1}{\sqrt{D}}"),
            "c": Line(r"-\frac{A c \omega^2}{D}"),
            r"\omega": Line(r"\frac{A \omega}{D} (2 m (k - m \omega^2) - c^2)"),
        },
        again={
            r"\omega": Line(r"-\frac{A \omega}{D} (2 m (m \omega^2 - k) + c^2)"),
        },
        jacobian=True,
    ),
    Form(
        "thin lens",
        (
            "<!-- symattn: scalars a b -->\n" r"f = \frac{a b}{a + b}",
            "<!-- symattn: scalars a b -->\n" r"f = \left(\frac{1}{a} + \frac{1}{b}\right)^{-1}",
        ),
        "f",
        {
            "a": Line(r"\frac{b^2}{(a + b)^2}"),
            "b": Line(r"\frac{a^2}{(a + b)^2}"),
        },
        again={
            "a": Line(r"\frac{f^2}{a^2}"),
            "b": Line(r"\frac{f^2}{b^2}"),
        },
        near={"a": 4.0, "b": 4.0},
    ),
    Form(
        "Landau free energy",
        (
            r"""<!-- symattn: scalars a b c h T m -->
F = \frac{1}{2} a (T - c) m^2 + \frac{1}{4} b m^4 - h m""",
            r"""<!-- symattn: scalars a b c h T m -->
F = \frac{a (T - c)}{2} m^2 + \frac{b}{4} m^4 - h m""",
        ),
        "F",
        {
            "m": Line("a (T - c) m + b m^3 - h"),
            "T": Line(r"\frac{1}{2} a m^2"),
            "m m": Line("a (T - c) + 3 b m^2"),
        },
    ),
    Form(
        "entropy of an ideal gas",
        (
            r"""<!-- symattn: scalars N k V T c -->
S = N k (\log \frac{V}{N} + \frac{3}{2} \log T + c)""",
            r"""<!-- symattn: scalars N k V T c -->
S = k N (\log V - \log N + \frac{3}{2} \log T + c)""",
        ),
        "S",
        {
            "V": Line(r"\frac{N k}{V}"),
            "T": Line(r"\frac{3 N k}{2 T}"),
            "N": Line(r"\frac{S}{N} - k"),
        },
        near={"V": 4.0, "N": 4.0},
    ),
    Form(
        "inverse Gaussian likelihood",
        (
            r"""<!-- symattn: scalars x mu lambda -->
L = \frac{1}{2} \log \lambda - \frac{\lambda (x - \mu)^2}{2 \mu^2 x}""",
            r"""<!-- symattn: scalars x mu lambda -->
L = \frac{\log \lambda}{2} - \frac{\lambda}{2 x} \left(\frac{x - \mu}{\mu}\right)^2""",
        ),
        "L",
        {
            r"\mu": Line(r"\frac{\lambda (x - \mu)}{\mu^3}"),
            r"\lambda": Line(r"\frac{1}{2 \lambda} - \frac{(x - \mu)^2}{2 \mu^2 x}"),
        },
        near={"x": 4.0, r"\mu": 4.0, r"\lambda": 4.0},
    ),
    Form(
        "logistic distribution",
        (
            r"""<!-- symattn: scalars x mu s -->
z = \frac{x - \mu}{s}
p = \frac{1}{1 + e^{-z}}
L = \log p + \log(1 - p) - \log s""",
            r"""<!-- symattn: scalars x mu s -->
z = (x - \mu) / s
p = \sigma(z)
L = \log(p (1 - p)) - \log s""",
        ),
        "L",
        {
            r"\mu": Line(r"\frac{2 p - 1}{s}"),
            "x": Line(r"\frac{1 - 2 p}{s}"),
            "s": Line(r"\frac{z (2 p - 1) - 1}{s}"),
        },
        near={"s": 1.5},
    ),
    Form(
        "Pareto likelihood",
        (
            r"""<!-- symattn: scalars alpha m -->
L = \sum_{i=1}^{n} (\log \alpha + \alpha \log m - (\alpha + 1) \log x_i)""",
            r"""<!-- symattn: scalars alpha m -->
L = n \log \alpha + n \alpha \log m - (\alpha + 1) \sum_{i=1}^{n} \log x_i""",
        ),
        "L",
        {
            r"\alpha": Line(r"\frac{n}{\alpha} + n \log m - \sum_i \log x_i"),
            "m": Line(r"\frac{n \alpha}{m}"),
            "x": Line(r"-\frac{\alpha + 1}{x_i}"),
        },
        near={"x": 5.0, "m": 4.0, r"\alpha": 4.0},
    ),
    Form(
        "shrinkage towards zero",
        (
            r"""<!-- symattn: scalars c -->
S = \sum_j x_j^2
t_i = (1 - \frac{c}{S}) x_i""",
            r"""<!-- symattn: scalars c -->
S = \sum_j x_j x_j
t_i = x_i - \frac{c x_i}{S}""",
        ),
        "t",
        {
            "x": Line(r"(1 - \frac{c}{S}) \delta_{ij} + \frac{2 c x_i x_j}{S^2}", at="ij"),
            "c": Line(r"-\frac{x_i}{S}", at="i"),
        },
        jacobian=True,
    ),
    Form(
        "moments with instruments",
        (
            r"""<!-- symattn: symmetric W -->
g_a = \frac{1}{n} \sum_{i=1}^{n} Z_{ia} (y_i - \sum_b X_{ib} \beta_b)
J = \sum_a \sum_c g_a W_{ac} g_c""",
            r"""<!-- symattn: symmetric W; sizes Z:(n,k) X:(n,d) -->
g = \frac{1}{n} Z^\top (y - X \beta)
J = g^\top W g""",
        ),
        "J",
        {
            r"\beta": Line(
                r"-\frac{2}{n} \sum_i \sum_a \sum_c X_{ib} Z_{ia} W_{ac} g_c",
                r"-\frac{2}{n} X^\top Z W g",
            ),
            "y": Line(
                r"\frac{2}{n} \sum_a \sum_c Z_{ia} W_{ac} g_c",
                r"\frac{2}{n} Z W g",
            ),
        },
    ),
    Form(
        "production with constant elasticity",
        (
            r"""<!-- symattn: scalars a K N rho -->
Y = (a K^\rho + (1 - a) N^\rho)^{1 / \rho}""",
            r"""<!-- symattn: scalars a K N rho -->
u = a K^\rho + (1 - a) N^\rho
Y = u^{1 / \rho}""",
        ),
        "Y",
        {
            "K": Line(r"a K^{\rho - 1} Y^{1 - \rho}"),
            "N": Line(r"(1 - a) N^{\rho - 1} Y^{1 - \rho}"),
        },
        jacobian=True,
        near={"a": 2.0, "K": 4.0, "N": 1.5, r"\rho": 1.0},
    ),
    Form(
        "competition in quantities",
        (
            r"""<!-- symattn: scalars a b -->
P = a - b \sum_j q_j
u_i = (P - c_i) q_i""",
            r"""<!-- symattn: scalars a b -->
Q = \sum_j q_j
P = a - b Q
u_i = P q_i - c_i q_i""",
        ),
        "u",
        {
            "q": Line(r"\delta_{ij} (P - c_i) - b q_i", at="ij"),
            "c": Line(r"-\delta_{ij} q_i", at="ij"),
        },
        jacobian=True,
    ),
    Form(
        "utility of a plan",
        (
            r"""<!-- symattn: scalars beta gamma -->
U = \sum_i \beta^i \frac{c_i^{1 - \gamma}}{1 - \gamma}""",
            r"""<!-- symattn: scalars beta gamma -->
U = \frac{1}{1 - \gamma} \sum_i \beta^i c_i^{1 - \gamma}""",
        ),
        "U",
        {"c": Line(r"\beta^i c_i^{-\gamma}")},
        near={"c": 5.0, r"\gamma": 3.0},
    ),
    Form(
        "Theil index",
        (
            r"""m = \frac{1}{n} \sum_{j=1}^{n} x_j
T = \frac{1}{n} \sum_{i=1}^{n} \frac{x_i}{m} \log \frac{x_i}{m}""",
            r"""m = \frac{1}{n} \sum_{j=1}^{n} x_j
r_i = x_i / m
T = \frac{1}{n} \sum_{i=1}^{n} r_i \log r_i""",
        ),
        "T",
        {"x": Line(r"\frac{1}{n m} (\log \frac{x_i}{m} - T)", at="i")},
        again={"x": Line(r"\frac{1}{n m} (\log r_i - T)", at="i")},
        near={"x": 5.0},
    ),
    Form(
        "Euler step of a network",
        (
            r"""<!-- symattn: scalars h -->
u_i = \tanh(\sum_j W_{ij} x_j + b_i)
y_i = x_i + h u_i""",
            r"""<!-- symattn: scalars h; sizes W:(d,d) -->
u = \tanh(W x + b)
y = x + h u""",
        ),
        "y",
        {
            "W": Line(
                r"h \bar{y}_i (1 - u_i^2) x_j",
                r"h (\bar{y} \circ (1 - u \circ u)) x^\top",
                at="ij",
            ),
            "b": Line(
                r"h \bar{y}_i (1 - u_i^2)",
                r"h \bar{y} \circ (1 - u \circ u)",
                at="i",
            ),
            "x": Line(
                r"\bar{y}_j + h \sum_i W_{ij} \bar{y}_i (1 - u_i^2)",
                r"\bar{y} + h W^\top (\bar{y} \circ (1 - u \circ u))",
                at="j",
            ),
        },
    ),
    Form(
        "regression with its own noise",
        (
            r"L = \frac{1}{2} \sum_i \left((y_i - m_i)^2 e^{-s_i} + s_i\right)",
            r"""r_i = y_i - m_i
L = \frac{1}{2} \sum_i (r_i^2 \exp(-s_i) + s_i)""",
        ),
        "L",
        {
            "m": Line(r"(m_i - y_i) e^{-s_i}"),
            "s": Line(r"\frac{1}{2} (1 - (y_i - m_i)^2 e^{-s_i})"),
        },
        again={
            "m": Line(r"-r_i \exp(-s_i)"),
            "s": Line(r"\frac{1}{2} (1 - r_i^2 \exp(-s_i))"),
        },
    ),
    Form(
        "classifier with a scale",
        (
            r"""<!-- symattn: scalars kappa; assume \sum_j t_j = 1 -->
z_j = \kappa \sum_a W_{ja} x_a
p_j = \frac{e^{z_j}}{\sum_k e^{z_k}}
L = -\sum_j t_j \log p_j""",
            r"""<!-- symattn: scalars kappa; sizes W:(m,d); assume \sum_j t_j = 1 -->
z = \kappa W x
p_j = \frac{\exp(z_j)}{\sum_k \exp(z_k)}
L = -\sum_j t_j \log p_j""",
        ),
        "L",
        {
            "W": Line(r"\kappa (p_j - t_j) x_a", r"\kappa (p - t) x^\top"),
            "x": Line(r"\kappa \sum_j W_{ja} (p_j - t_j)", r"\kappa W^\top (p - t)"),
        },
    ),
    Form(
        "squared margin between two classes",
        (
            r"L = \sum_i \sum_j \max(0, 1 - s_i + r_j)^2",
            r"""h_{ij} = \max(0, 1 - s_i + r_j)
L = \sum_i \sum_j h_{ij}^2""",
        ),
        "L",
        {
            "s": Line(r"-2 \sum_j \max(0, 1 - s_i + r_j)"),
            "r": Line(r"2 \sum_i \max(0, 1 - s_i + r_j)"),
        },
        again={
            "s": Line(r"-2 \sum_j h_{ij}", r"-2 \mathrm{rowsum}(h)"),
            "r": Line(r"2 \sum_i h_{ij}", r"2 \mathrm{colsum}(h)"),
        },
    ),
    Form(
        "pooling by attention",
        (
            r"""e_i = \sum_a h_{ia} w_a
g_i = \frac{\exp(e_i)}{\sum_k \exp(e_k)}
c_a = \sum_i g_i h_{ia}""",
            r"""<!-- symattn: sizes h:(n,d) -->
e = h w
g_i = \frac{\exp(e_i)}{\sum_k \exp(e_k)}
c = h^\top g""",
        ),
        "c",
        {
            "e": Line(r"g_i \sum_a \bar{c}_a (h_{ia} - c_a)"),
            "w": Line(r"\sum_i \bar{e}_i h_{ia}", r"h^\top \bar{e}"),
            "h": Line(r"g_i \bar{c}_a + \bar{e}_i w_a", r"g \bar{c}^\top + \bar{e} w^\top"),
        },
    ),
    Form(
        "potential of a membrane",
        (
            r"""<!-- symattn: scalars R T F P Q K N J M -->
E = \frac{R T}{F} \log \frac{P K + Q N}{P J + Q M}""",
            r"""<!-- symattn: scalars R T F P Q K N J M -->
E = \frac{R T}{F} (\log(P K + Q N) - \log(P J + Q M))""",
        ),
        "E",
        {
            "K": Line(r"\frac{R T P}{F (P K + Q N)}"),
            "M": Line(r"-\frac{R T Q}{F (P J + Q M)}"),
            "T": Line(r"\frac{E}{T}"),
        },
        near={n: 5.0 for n in "TFPQKNJM"},
        jacobian=True,
    ),
    Form(
        "actuator that saturates",
        (
            r"""<!-- symattn: scalars p d r v U -->
u = U \tanh(\frac{p r + d v}{U})""",
            r"""<!-- symattn: scalars p d r v U -->
w = p r + d v
u = U \tanh(w / U)""",
        ),
        "u",
        {
            "r": Line(r"p (1 - \frac{u^2}{U^2})"),
            "v": Line(r"d (1 - \frac{u^2}{U^2})"),
        },
        jacobian=True,
        near={"U": 3.0},
    ),
]
