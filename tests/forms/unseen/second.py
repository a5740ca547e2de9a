"""Forty systems of many fields, written before any rule was changed for them."""

# ruff: noqa: E501 (one line an equation)

from ..form import Form, Line

FORMS = [
    Form(
        "rate by temperature",
        (
            r"""<!-- symattn: scalars A E R T -->
k = A e^{-E / (R T)}""",
            r"""<!-- symattn: scalars A E R T -->
k = A \exp(-\frac{E}{R T})""",
        ),
        "k",
        {
            "A": Line(r"\frac{k}{A}", also=(r"e^{-E / (R T)}",)),
            "E": Line(r"-\frac{k}{R T}"),
            "T": Line(r"\frac{k E}{R T^2}"),
        },
        jacobian=True,
    ),
    Form(
        "Doppler shift of a fast source",
        (
            r"""<!-- symattn: scalars g beta -->
f = g \sqrt{\frac{1 - \beta}{1 + \beta}}""",
            r"""<!-- symattn: scalars g beta -->
f = g (1 - \beta)^{1/2} (1 + \beta)^{-1/2}""",
        ),
        "f",
        {"g": Line(r"\frac{f}{g}"), r"\beta": Line(r"-\frac{f}{1 - \beta^2}")},
        jacobian=True,
        near={r"\beta": 0.0},
    ),
    Form(
        "energy of a particle",
        (
            r"""<!-- symattn: scalars p m c -->
E = \sqrt{p^2 c^2 + m^2 c^4}""",
            r"""<!-- symattn: scalars p m c -->
E = \sqrt{(p c)^2 + (m c^2)^2}""",
        ),
        "E",
        {"p": Line(r"\frac{p c^2}{E}"), "m": Line(r"\frac{m c^4}{E}")},
        jacobian=True,
    ),
    Form(
        "decaying oscillation",
        (
            r"""<!-- symattn: scalars A gamma omega phi t -->
x = A e^{-\gamma t} \cos(\omega t + \phi)""",
            r"""<!-- symattn: scalars A gamma omega phi t -->
x = A \exp(-\gamma t) \cos(\omega t + \phi)""",
        ),
        "x",
        {
            "A": Line(r"e^{-\gamma t} \cos(\omega t + \phi)"),
            r"\gamma": Line("-t x"),
            r"\omega": Line(r"-A t e^{-\gamma t} \sin(\omega t + \phi)"),
            r"\phi": Line(r"-A e^{-\gamma t} \sin(\omega t + \phi)"),
        },
        jacobian=True,
    ),
    Form(
        "impedance of a circuit",
        (
            r"""<!-- symattn: scalars R N C omega -->
X = \omega N - \frac{1}{\omega C}
Z = \sqrt{R^2 + X^2}""",
            r"""<!-- symattn: scalars R N C omega -->
X = N \omega - (\omega C)^{-1}
Z = (R^2 + X^2)^{1/2}""",
        ),
        "Z",
        {
            "R": Line(r"\frac{R}{Z}"),
            "N": Line(r"\frac{\omega X}{Z}"),
            "C": Line(r"\frac{X}{\omega C^2 Z}"),
        },
        jacobian=True,
    ),
    Form(
        "potential on the axis of a ring",
        (
            r"""<!-- symattn: scalars G M r z -->
\phi = -\frac{G M}{\sqrt{r^2 + z^2}}""",
            r"""<!-- symattn: scalars G M r z -->
d = \sqrt{r^2 + z^2}
\phi = -\frac{G M}{d}""",
        ),
        r"\phi",
        {
            "z": Line(r"\frac{G M z}{(r^2 + z^2)^{3/2}}"),
            "r": Line(r"\frac{G M r}{(r^2 + z^2)^{3/2}}"),
        },
        again={"z": Line(r"\frac{G M z}{d^3}"), "r": Line(r"\frac{G M r}{d^3}")},
        jacobian=True,
    ),
    Form(
        "electrode potential",
        (
            r"""<!-- symattn: scalars U R T n F Q -->
E = U - \frac{R T}{n F} \log Q""",
            r"""<!-- symattn: scalars U R T n F Q -->
E = U - \frac{R T \log Q}{n F}""",
        ),
        "E",
        {"Q": Line(r"-\frac{R T}{n F Q}"), "T": Line(r"\frac{E - U}{T}")},
        jacobian=True,
        near={"Q": 4.0},
    ),
    Form(
        "activity of an ion",
        (
            r"""<!-- symattn: scalars A B z c -->
g = -\frac{A z^2 \sqrt{c}}{1 + B \sqrt{c}}""",
            r"""<!-- symattn: scalars A B z c -->
s = \sqrt{c}
g = -A z^2 \frac{s}{1 + B s}""",
        ),
        "g",
        {
            "c": Line(r"-\frac{A z^2}{2 \sqrt{c} (1 + B \sqrt{c})^2}"),
            "z": Line(r"-\frac{2 A z \sqrt{c}}{1 + B \sqrt{c}}"),
        },
        again={
            "c": Line(r"-\frac{A z^2}{2 s (1 + B s)^2}"),
            "z": Line(r"-\frac{2 A z s}{1 + B s}"),
        },
        jacobian=True,
        near={"c": 4.0, "B": 4.0},
    ),
    Form(
        "price of a stream of payments",
        (
            r"""<!-- symattn: scalars y -->
P = \sum_i c_i e^{-y \tau_i}
D = \frac{1}{P} \sum_i \tau_i c_i e^{-y \tau_i}""",
            r"""<!-- symattn: scalars y -->
v_i = c_i \exp(-y \tau_i)
P = \sum_i v_i
D = \frac{1}{P} \sum_i \tau_i v_i""",
        ),
        "P",
        {
            "y": Line(r"-D P"),
            "c": Line(r"e^{-y \tau_i}"),
            "y y": Line(r"\sum_i \tau_i^2 c_i e^{-y \tau_i}"),
        },
        again={
            "c": Line(r"\exp(-y \tau_i)"),
            "y y": Line(r"\sum_i \tau_i^2 v_i"),
        },
    ),
    Form(
        "price index",
        (
            r"""<!-- symattn: scalars sigma -->
P = (\sum_i a_i p_i^{1 - \sigma})^{\frac{1}{1 - \sigma}}""",
            r"""<!-- symattn: scalars sigma -->
S = \sum_i a_i p_i^{1 - \sigma}
P = S^{1 / (1 - \sigma)}""",
        ),
        "P",
        {"p": Line(r"a_i p_i^{-\sigma} P^\sigma")},
        near={"a": 4.0, "p": 4.0, r"\sigma": 3.0},
    ),
    Form(
        "concentration of a market",
        (
            r"""X = \sum_j x_j
s_i = \frac{x_i}{X}
H = \sum_i s_i^2""",
            r"""X = \sum_j x_j
s_i = x_i / X
H = \frac{1}{X^2} \sum_i x_i^2""",
        ),
        "H",
        {"x": Line(r"\frac{2}{X} (s_i - H)", at="i")},
        near={"x": 4.0},
    ),
    Form(
        "shares against an outside good",
        (
            r"""<!-- symattn: scalars alpha -->
s_j = \frac{e^{a_j - \alpha p_j}}{1 + \sum_k e^{a_k - \alpha p_k}}""",
            r"""<!-- symattn: scalars alpha -->
u_j = a_j - \alpha p_j
s_j = \frac{\exp(u_j)}{1 + \sum_k \exp(u_k)}""",
        ),
        "s",
        {
            "p": Line(r"\alpha s_j (s_k - \delta_{jk})", at="jk"),
            "a": Line(r"s_j (\delta_{jk} - s_k)", at="jk"),
        },
        jacobian=True,
    ),
    Form(
        "production from many inputs",
        (
            r"""<!-- symattn: scalars A -->
Y = A e^{\sum_i a_i \log x_i}""",
            r"""<!-- symattn: scalars A -->
u = \sum_i a_i \log x_i
Y = A e^u""",
        ),
        "Y",
        {"x": Line(r"\frac{a_i Y}{x_i}"), "a": Line(r"Y \log x_i")},
        near={"x": 4.0},
    ),
    Form(
        "gamma likelihood by its shape",
        (
            r"""<!-- symattn: scalars a b x -->
L = a \log b + (a - 1) \log x - b x - \log \Gamma(a)""",
            r"""<!-- symattn: scalars a b x -->
L = a \log b - \log \Gamma(a) + (a - 1) \log x - b x""",
        ),
        "L",
        {
            "a": Line(r"\log b + \log x - \psi(a)"),
            "b": Line(r"\frac{a}{b} - x"),
            "x": Line(r"\frac{a - 1}{x} - b"),
        },
        near={"a": 4.0, "b": 4.0, "x": 4.0},
    ),
    Form(
        "regression with heavy tails",
        (
            r"""<!-- symattn: scalars nu s -->
r_i = y_i - \sum_a X_{ia} w_a
L = \frac{\nu + 1}{2} \sum_i \log(1 + \frac{r_i^2}{\nu s^2})""",
            r"""<!-- symattn: scalars nu s; sizes X:(n,d) -->
r = y - X w
L = \frac{1}{2} (\nu + 1) \sum_i \log(1 + \frac{r_i^2}{\nu s^2})""",
        ),
        "L",
        {
            "w": Line(r"-(\nu + 1) \sum_i \frac{r_i X_{ia}}{\nu s^2 + r_i^2}"),
            "y": Line(r"\frac{(\nu + 1) r_i}{\nu s^2 + r_i^2}"),
        },
        near={r"\nu": 4.0},
    ),
    Form(
        "log-normal likelihood",
        (
            r"""<!-- symattn: scalars x mu s -->
L = -\log x - \log s - \frac{(\log x - \mu)^2}{2 s^2}""",
            r"""<!-- symattn: scalars x mu s -->
z = \frac{\log x - \mu}{s}
L = -\log(x s) - \frac{1}{2} z^2""",
        ),
        "L",
        {
            r"\mu": Line(r"\frac{\log x - \mu}{s^2}"),
            "s": Line(r"\frac{(\log x - \mu)^2}{s^3} - \frac{1}{s}"),
        },
        again={r"\mu": Line(r"\frac{z}{s}"), "s": Line(r"\frac{z^2 - 1}{s}")},
        near={"x": 4.0, "s": 4.0},
    ),
    Form(
        "direction on a circle",
        (
            r"""<!-- symattn: scalars kappa mu -->
L = \kappa \sum_i \cos(x_i - \mu)""",
            r"""<!-- symattn: scalars kappa mu -->
L = \sum_i \kappa \cos(x_i - \mu)""",
        ),
        "L",
        {
            r"\mu": Line(r"\kappa \sum_i \sin(x_i - \mu)"),
            "x": Line(r"-\kappa \sin(x_i - \mu)"),
            r"\mu \mu": Line(r"-\kappa \sum_i \cos(x_i - \mu)"),
        },
    ),
    Form(
        "weighted mean",
        (
            r"""W = \sum_i w_i
m = \frac{\sum_i w_i x_i}{W}""",
            r"""W = \sum_j w_j
m = \frac{1}{W} \sum_i w_i x_i""",
        ),
        "m",
        {
            "w": Line(r"\frac{x_i - m}{W}", at="i"),
            "x": Line(r"\frac{w_i}{W}", at="i"),
        },
        near={"w": 4.0},
    ),
    Form(
        "survival with covariates",
        (
            r"""\eta_i = \sum_a X_{ia} w_a
\lambda_i = e^{\eta_i}
L = \sum_i (d_i \eta_i - t_i \lambda_i)""",
            r"""<!-- symattn: sizes X:(n,k) -->
\eta = X w
\lambda_i = \exp(\eta_i)
L = \sum_i d_i \eta_i - \sum_i t_i \lambda_i""",
        ),
        "L",
        {
            "w": Line(r"\sum_i X_{ia} (d_i - t_i \lambda_i)", r"X^\top (d - t \circ \lambda)"),
            "w w": Line(
                r"-\sum_i X_{ia} X_{ib} t_i \lambda_i",
                r"-X^\top \mathrm{diag}(t \circ \lambda) X",
                at="ab",
            ),
        },
    ),
    Form(
        "precision of a normal law",
        (
            r"""<!-- symattn: symmetric P S; sizes P:(d,d) S:(d,d) -->
L = \frac{n}{2} \log \det P - \frac{n}{2} \mathrm{tr}(S P)""",
            r"""<!-- symattn: symmetric P S; sizes P:(d,d) S:(d,d) -->
L = \frac{n}{2} (\log \det P - \mathrm{tr}(S P))""",
        ),
        "L",
        {"P": Line(matrix=r"\frac{n}{2} (P^{-1} - S)", at="ij")},
    ),
    Form(
        "free energy of binary units",
        (
            r"""u_j = c_j + \sum_i v_i W_{ij}
h_j = \sigma(u_j)
F = -\sum_i b_i v_i - \sum_j \log(1 + e^{u_j})""",
            r"""<!-- symattn: sizes W:(n,m) -->
u = c + W^\top v
h = \sigma(u)
F = -b^\top v - \sum_j \log(1 + e^{u_j})""",
        ),
        "F",
        {
            "W": Line("-v_i h_j", r"-v h^\top", at="ij"),
            "c": Line("-h_j", "-h"),
            "v": Line(r"-b_i - \sum_j W_{ij} h_j", "-b - W h"),
        },
    ),
    Form(
        "network of radial units",
        (
            r"""<!-- symattn: scalars gamma -->
\phi_j = e^{-\gamma \sum_a (x_a - c_{ja})^2}
y = \sum_j w_j \phi_j""",
            r"""<!-- symattn: scalars gamma -->
d_j = \sum_a (x_a - c_{ja})^2
\phi_j = \exp(-\gamma d_j)
y = \sum_j w_j \phi_j""",
        ),
        "y",
        {
            "w": Line(r"\phi_j", r"\phi", at="j"),
            "c": Line(r"2 \gamma w_j \phi_j (x_a - c_{ja})", at="ja"),
            "x": Line(r"-2 \gamma \sum_j w_j \phi_j (x_a - c_{ja})", at="a"),
        },
    ),
    Form(
        "autoencoder with tied weights",
        (
            r"""E_{ib} = X_{ib} - \sum_{a,k} X_{ia} W_{ak} W_{bk}
L = \frac{1}{2} \sum_{i,b} E_{ib}^2""",
            r"""<!-- symattn: sizes X:(n,d) W:(d,k) -->
E = X - X W W^\top
L = \frac{1}{2} \|E\|_F^2""",
        ),
        "L",
        {"W": Line(matrix=r"-(X^\top E + E^\top X) W", at="ak")},
    ),
    Form(
        "gate on features",
        (
            r"""g_i = \sigma(\sum_j W_{ij} x_j + b_i)
y_i = g_i x_i""",
            r"""<!-- symattn: sizes W:(d,d) -->
g = \sigma(W x + b)
y = g \circ x""",
        ),
        "y",
        {
            "b": Line(
                r"\bar{y}_i x_i g_i (1 - g_i)", r"\bar{y} \circ x \circ g \circ (1 - g)", at="i"
            ),
            "W": Line(r"\bar{b}_i x_j", r"\bar{b} x^\top", at="ij"),
            "x": Line(
                r"g_j \bar{y}_j + \sum_i W_{ij} \bar{b}_i",
                r"g \circ \bar{y} + W^\top \bar{b}",
                at="j",
            ),
        },
    ),
    Form(
        "correlations of two views",
        (
            r"""C_{ab} = \frac{1}{n} \sum_{i=1}^{n} Z_{ia} Y_{ib}
L = \sum_{a,b} (C_{ab} - \delta_{ab})^2""",
            r"""<!-- symattn: sizes Z:(n,d) Y:(n,d) -->
C = \frac{1}{n} Z^\top Y
L = \|C - I\|_F^2""",
        ),
        "L",
        {
            "Z": Line(
                r"\frac{2}{n} \sum_b Y_{ib} (C_{ab} - \delta_{ab})",
                r"\frac{2}{n} Y (C - I)^\top",
                at="ia",
            ),
            "Y": Line(
                r"\frac{2}{n} \sum_a Z_{ia} (C_{ab} - \delta_{ab})",
                r"\frac{2}{n} Z (C - I)",
                at="ib",
            ),
        },
    ),
    Form(
        "mean shift",
        (
            r"""<!-- symattn: scalars h -->
K_i = e^{-\frac{1}{2 h^2} \sum_a (x_a - p_{ia})^2}
S = \sum_i K_i
f = \log S
m_a = \frac{1}{S} \sum_i K_i p_{ia}""",
            r"""<!-- symattn: scalars h -->
K_i = \exp(-\frac{\sum_a (x_a - p_{ia})^2}{2 h^2})
S = \sum_i K_i
f = \log S
m_a = \sum_i \frac{K_i}{S} p_{ia}""",
        ),
        "f",
        {"x": Line(r"\frac{m_a - x_a}{h^2}", at="a")},
    ),
    Form(
        "side of a triangle",
        (
            r"""<!-- symattn: scalars a b gamma -->
c = \sqrt{a^2 + b^2 - 2 a b \cos \gamma}""",
            r"""<!-- symattn: scalars a b gamma -->
c = (a^2 - 2 a b \cos \gamma + b^2)^{1/2}""",
        ),
        "c",
        {
            "a": Line(r"\frac{a - b \cos \gamma}{c}"),
            r"\gamma": Line(r"\frac{a b \sin \gamma}{c}"),
        },
        jacobian=True,
    ),
    Form(
        "alignment of two clouds of points",
        (
            r"""e_{ia} = \sum_b R_{ab} x_{ib} + t_a - y_{ia}
L = \frac{1}{2} \sum_{i,a} e_{ia}^2""",
            r"L = \frac{1}{2} \sum_{i,a} (\sum_b R_{ab} x_{ib} + t_a - y_{ia})^2",
        ),
        "L",
        {
            "R": Line(r"\sum_i e_{ia} x_{ib}", r"e^\top x", at="ab"),
            "t": Line(r"\sum_i e_{ia}", at="a"),
        },
        again={
            "R": Line(r"\sum_i x_{ib} (\sum_c R_{ac} x_{ic} + t_a - y_{ia})", at="ab"),
            "t": Line(r"\sum_i (\sum_b R_{ab} x_{ib} + t_a - y_{ia})", at="a"),
        },
    ),
    Form(
        "gain of a low-pass filter",
        (
            r"""<!-- symattn: scalars omega tau -->
G = \frac{1}{\sqrt{1 + (\omega \tau)^2}}""",
            r"""<!-- symattn: scalars omega tau -->
G = (1 + \omega^2 \tau^2)^{-1/2}""",
        ),
        "G",
        {
            r"\omega": Line(r"-\omega \tau^2 G^3"),
            r"\tau": Line(r"-\omega^2 \tau G^3"),
        },
        jacobian=True,
    ),
    Form(
        "resistors in parallel",
        (
            r"R = \frac{1}{\sum_i \frac{1}{r_i}}",
            r"""G = \sum_i \frac{1}{r_i}
R = \frac{1}{G}""",
        ),
        "R",
        {"r": Line(r"\frac{R^2}{r_i^2}")},
        near={"r": 4.0},
    ),
    Form(
        "interacting species",
        (
            r"""g_i = r_i + \sum_j A_{ij} x_j
f_i = x_i g_i""",
            r"""<!-- symattn: sizes A:(n,n) -->
g = r + A x
f = x \circ g""",
        ),
        "f",
        {
            "x": Line(r"\delta_{ij} g_i + x_i A_{ij}", at="ij"),
            "r": Line(r"\delta_{ij} x_i", at="ij"),
        },
        jacobian=True,
    ),
    Form(
        "replicator equation",
        (
            r"""u_i = \sum_j A_{ij} x_j
w = \sum_i x_i u_i
f_i = x_i (u_i - w)""",
            r"""<!-- symattn: sizes A:(n,n) -->
u = A x
w = x^\top u
f_i = x_i (u_i - w)""",
        ),
        "w",
        {
            "x": Line(r"u_i + \sum_j A_{ji} x_j", r"u + A^\top x", at="i"),
            "A": Line("x_i x_j", r"x x^\top", at="ij"),
        },
    ),
    Form(
        "predation that saturates",
        (
            r"""<!-- symattn: scalars a h x -->
f = \frac{a x^2}{1 + a h x^2}""",
            r"""<!-- symattn: scalars a h x -->
D = 1 + a h x^2
f = a x^2 / D""",
        ),
        "f",
        {
            "x": Line(r"\frac{2 a x}{(1 + a h x^2)^2}"),
            "a": Line(r"\frac{x^2}{(1 + a h x^2)^2}"),
            "h": Line("-f^2"),
        },
        again={"x": Line(r"\frac{2 a x}{D^2}"), "a": Line(r"\frac{x^2}{D^2}")},
        jacobian=True,
        near={"a": 4.0, "h": 4.0},
    ),
    Form(
        "growth of a tumour",
        (
            r"""<!-- symattn: scalars K b c t -->
N = K e^{-b e^{-c t}}""",
            r"""<!-- symattn: scalars K b c t -->
N = K \exp(-b \exp(-c t))""",
        ),
        "N",
        {
            "K": Line(r"\frac{N}{K}"),
            "b": Line(r"-e^{-c t} N"),
            "t": Line(r"b c e^{-c t} N"),
        },
        jacobian=True,
    ),
    Form(
        "mean fitness of two alleles",
        (
            r"""<!-- symattn: scalars p a b c -->
q = 1 - p
w = p^2 a + 2 p q b + q^2 c""",
            r"""<!-- symattn: scalars p a b c -->
w = a p^2 + 2 b p (1 - p) + c (1 - p)^2""",
        ),
        "w",
        {
            "p": Line(r"2 (p (a - b) + q (b - c))"),
            "b": Line("2 p q"),
        },
        again={
            "p": Line(r"2 (p (a - b) + (1 - p) (b - c))"),
            "b": Line("2 p (1 - p)"),
        },
        jacobian=True,
    ),
    Form(
        "control over one horizon",
        (
            r"""<!-- symattn: symmetric Q R; sizes A:(n,n) B:(n,m) Q:(n,n) R:(m,m) u:(m) z:(n) x:(n) -->
x = A z + B u
J = \frac{1}{2} x^\top Q x + \frac{1}{2} u^\top R u""",
            r"""<!-- symattn: symmetric Q R; sizes A:(n,n) B:(n,m) Q:(n,n) R:(m,m) u:(m) z:(n) x:(n) -->
x = A z + B u
J = \frac{1}{2} (x^\top Q x + u^\top R u)""",
        ),
        "J",
        {
            "u": Line(matrix=r"B^\top Q x + R u", at="k"),
            "z": Line(matrix=r"A^\top Q x", at="j"),
        },
    ),
    Form(
        "deflection of a beam",
        (
            r"""<!-- symattn: scalars F l E J -->
w = \frac{F l^3}{3 E J}""",
            r"""<!-- symattn: scalars F l E J -->
w = \frac{1}{3} F l^3 (E J)^{-1}""",
        ),
        "w",
        {
            "F": Line(r"\frac{l^3}{3 E J}"),
            "l": Line(r"\frac{F l^2}{E J}"),
            "E": Line(r"-\frac{w}{E}"),
        },
        jacobian=True,
    ),
    Form(
        "ratio of two quadratic forms",
        (
            r"""<!-- symattn: symmetric B S -->
N = \sum_{i,j} w_i B_{ij} w_j
D = \sum_{i,j} w_i S_{ij} w_j
J = \frac{N}{D}""",
            r"""<!-- symattn: symmetric B S; sizes B:(d,d) S:(d,d) -->
N = w^\top B w
D = w^\top S w
J = \frac{N}{D}""",
        ),
        "J",
        {
            "w": Line(
                r"\frac{2}{D} (\sum_j B_{ij} w_j - J \sum_j S_{ij} w_j)",
                r"\frac{2}{D} (B w - J S w)",
                at="i",
            )
        },
    ),
    Form(
        "network of springs",
        (
            r"""<!-- symattn: symmetric K -->
E = \frac{1}{4} \sum_{i,j} K_{ij} (u_i - u_j)^2 - \sum_i f_i u_i""",
            r"""<!-- symattn: symmetric K -->
E = \frac{1}{4} \sum_i \sum_j K_{ij} (u_j - u_i)^2 - f^\top u""",
        ),
        "E",
        {"u": Line(r"\sum_j K_{ij} (u_i - u_j) - f_i", at="i")},
    ),
    Form(
        "evidence for one of two models",
        (
            r"""p_i = \frac{e^{a_i}}{e^{a_i} + e^{b_i}}
L = -\sum_i (y_i \log p_i + (1 - y_i) \log(1 - p_i))""",
            r"""d_i = a_i - b_i
p_i = \frac{1}{1 + \exp(-d_i)}
L = -\sum_i (y_i \log p_i + (1 - y_i) \log(1 - p_i))""",
        ),
        "L",
        {
            "a": Line("p_i - y_i", "p - y"),
            "b": Line("y_i - p_i", "y - p"),
        },
    ),
]
