"""Forty systems of learning, statistics, physics, kernels, control and finance."""

# ruff: noqa: E501 (one line an equation)

from ..form import Form, Line

FORMS = [
    Form(
        "log-cosh regression",
        (
            r"""r_i = \sum_a X_{ia} w_a - y_i
L = \sum_i \log \cosh r_i""",
            r"""<!-- symattn: sizes X:(n,d) -->
r = X w - y
L = \sum_i \log(\cosh(r_i))""",
        ),
        "L",
        {
            "w": Line(r"\sum_i X_{ia} \tanh(r_i)", r"X^\top \tanh(r)"),
            "y": Line(r"-\tanh(r_i)", r"-\tanh(r)"),
        },
    ),
    Form(
        "generalised mean",
        (
            r"""<!-- symattn: scalars p -->
y = (\frac{1}{n} \sum_{i=1}^{n} x_i^p)^{1/p}""",
            r"""<!-- symattn: scalars p -->
s = \frac{1}{n} \sum_{i=1}^{n} x_i^p
y = s^{1/p}""",
        ),
        "y",
        {
            "x": Line(
                r"\frac{1}{n} (\frac{x_i}{y})^{p - 1}",
                at="i",
                also=(r"\frac{1}{n} x_i^{p - 1} y^{1 - p}",),
            )
        },
        near={"x": 4.0, "p": 3.0},
    ),
    Form(
        "smooth maximum",
        (
            r"""<!-- symattn: scalars r -->
y = \frac{1}{r} \log(\frac{1}{n} \sum_{i=1}^{n} e^{r x_i})""",
            r"""<!-- symattn: scalars r -->
Z = \frac{1}{n} \sum_{i=1}^{n} \exp(r x_i)
y = \frac{1}{r} \log Z""",
        ),
        "y",
        {"x": Line(r"\frac{e^{r x_i}}{\sum_j e^{r x_j}}", at="i")},
        again={"x": Line(r"\frac{e^{r x_i}}{n Z}", at="i")},
    ),
    Form(
        "decoder of binary data",
        (
            r"""s_i = \sigma(\sum_a W_{ia} z_a + b_i)
L = -\sum_i (x_i \log s_i + (1 - x_i) \log(1 - s_i))""",
            r"""<!-- symattn: sizes W:(d,k) -->
u = W z + b
s_i = \frac{1}{1 + e^{-u_i}}
L = -\sum_i x_i \log s_i - \sum_i (1 - x_i) \log(1 - s_i)""",
        ),
        "L",
        {
            "W": Line("(s_i - x_i) z_a", r"(s - x) z^\top"),
            "b": Line("s_i - x_i", "s - x"),
            "z": Line(r"\sum_i W_{ia} (s_i - x_i)", r"W^\top (s - x)"),
        },
    ),
    Form(
        "word vectors from counts",
        (
            r"""e_{ij} = \sum_a u_{ia} v_{ja} + b_i + c_j - \log X_{ij}
J = \sum_{i,j} f_{ij} e_{ij}^2""",
            r"""z_{ij} = \log X_{ij}
e_{ij} = \sum_a u_{ia} v_{ja} + b_i + c_j - z_{ij}
J = \sum_{i,j} f_{ij} e_{ij}^2""",
        ),
        "J",
        {
            "u": Line(r"2 \sum_j f_{ij} e_{ij} v_{ja}", r"2 (f \circ e) v"),
            "v": Line(r"2 \sum_i f_{ij} e_{ij} u_{ia}", r"2 (f \circ e)^\top u"),
            "b": Line(r"2 \sum_j f_{ij} e_{ij}"),
        },
        near={"X": 4.0},
    ),
    Form(
        "floor under standard deviations",
        (
            r"""<!-- symattn: scalars gamma epsilon -->
m_a = \frac{1}{n} \sum_{i=1}^{n} z_{ia}
s_a = \sqrt{\frac{1}{n} \sum_{i=1}^{n} (z_{ia} - m_a)^2 + \epsilon}
L = \sum_a \max(0, \gamma - s_a)""",
            r"""<!-- symattn: scalars gamma epsilon -->
m_a = \frac{1}{n} \sum_{i=1}^{n} z_{ia}
v_a = \frac{1}{n} \sum_{i=1}^{n} (z_{ia} - m_a)^2
s_a = \sqrt{v_a + \epsilon}
L = \sum_a \max(0, \gamma - s_a)""",
        ),
        "L",
        {
            "z": Line(
                r"-\mathbf{1}[s_a < \gamma] \frac{z_{ia} - m_a}{n s_a}",
                at="ia",
                also=(r"\mathbf{1}[s_a < \gamma] \frac{m_a - z_{ia}}{n s_a}",),
            )
        },
        near={r"\epsilon": 3.0},
    ),
    Form(
        "centre loss",
        (
            r"""e_{ia} = x_{ia} - \sum_k Y_{ik} c_{ka}
L = \frac{1}{2} \sum_{i,a} e_{ia}^2""",
            r"""<!-- symattn: sizes x:(n,d) Y:(n,k) c:(k,d) -->
e = x - Y c
L = \frac{1}{2} \|e\|_F^2""",
        ),
        "L",
        {
            "c": Line(r"-\sum_i Y_{ik} e_{ia}", r"-Y^\top e"),
            "x": Line("e_{ia}", "e"),
        },
    ),
    Form(
        "soft clusters",
        (
            r"""<!-- symattn: scalars beta -->
d_{ik} = \sum_a (x_{ia} - \mu_{ka})^2
r_{ik} = \frac{e^{-\beta d_{ik}}}{\sum_l e^{-\beta d_{il}}}
L = -\frac{1}{\beta} \sum_i \log \sum_k e^{-\beta d_{ik}}""",
            r"""<!-- symattn: scalars beta -->
d_{ik} = \sum_a (x_{ia} - \mu_{ka})^2
Z_i = \sum_k \exp(-\beta d_{ik})
r_{ik} = \frac{\exp(-\beta d_{ik})}{Z_i}
L = -\frac{1}{\beta} \sum_i \log Z_i""",
        ),
        "L",
        {
            r"\mu": Line(
                r"2 \sum_i r_{ik} (\mu_{ka} - x_{ia})",
                also=(r"-2 \sum_i r_{ik} (x_{ia} - \mu_{ka})",),
            ),
            "x": Line(
                r"2 \sum_k r_{ik} (x_{ia} - \mu_{ka})",
                also=(r"2 (x_{ia} - \sum_k r_{ik} \mu_{ka})",),
            ),
        },
    ),
    Form(
        "factors of a matrix",
        (
            r"""E_{ij} = \sum_k W_{ik} H_{kj} - V_{ij}
L = \frac{1}{2} \sum_{i,j} E_{ij}^2""",
            r"""<!-- symattn: sizes W:(n,k) H:(k,m) V:(n,m) -->
L = \frac{1}{2} \|W H - V\|_F^2""",
        ),
        "L",
        {
            "W": Line(r"\sum_j E_{ij} H_{kj}", r"E H^\top"),
            "H": Line(r"\sum_i W_{ik} E_{ij}", r"W^\top E"),
        },
        again={
            "W": Line(matrix=r"(W H - V) H^\top", at="ik"),
            "H": Line(matrix=r"W^\top (W H - V)", at="kj"),
        },
    ),
    Form(
        "subtraction of the mean",
        (
            r"""m = \frac{1}{n} \sum_{j=1}^{n} x_j
y_i = x_i - m""",
            r"y_i = x_i - \frac{1}{n} \sum_{j=1}^{n} x_j",
        ),
        "y",
        {"x": Line(r"\bar{y}_i - \frac{1}{n} \sum_j \bar{y}_j", at="i")},
    ),
    Form(
        "division by the sum",
        (
            r"""S = \sum_j x_j
p_i = \frac{x_i}{S}""",
            r"p_i = \frac{x_i}{\sum_j x_j}",
        ),
        "p",
        {"x": Line(r"\frac{1}{S} (\bar{p}_i - \sum_j \bar{p}_j p_j)", at="i")},
        again={"x": Line(r"\frac{1}{\sum_k x_k} (\bar{p}_i - \sum_j \bar{p}_j p_j)", at="i")},
        near={"x": 4.0},
    ),
    Form(
        "growth of weights with decay",
        (
            r"""y = \sum_i w_i x_i
f_i = y (x_i - y w_i)""",
            r"""y = w^\top x
f_i = y x_i - y^2 w_i""",
        ),
        "f",
        {
            "x": Line(r"y \delta_{ij} + w_j (x_i - 2 y w_i)", at="ij"),
            "w": Line(r"x_j (x_i - 2 y w_i) - y^2 \delta_{ij}", at="ij"),
        },
        jacobian=True,
    ),
    Form(
        "pseudo-likelihood of spins",
        (
            r"""h_i = \sum_j J_{ij} s_j + b_i
L = \sum_i \log(1 + e^{-2 s_i h_i})""",
            r"""<!-- symattn: sizes J:(n,n) -->
h = J s + b
L = \sum_i \log(1 + \exp(-2 s_i h_i))""",
        ),
        "L",
        {
            "b": Line(
                r"-\frac{2 s_i}{1 + e^{2 s_i h_i}}",
                at="i",
                also=(r"-2 s_i \sigma(-2 s_i h_i)",),
            ),
            "J": Line(
                r"-\frac{2 s_i s_j}{1 + e^{2 s_i h_i}}",
                at="ij",
                also=(r"-2 s_i s_j \sigma(-2 s_i h_i)",),
            ),
        },
    ),
    Form(
        "counts without zero",
        (
            r"""<!-- symattn: scalars k lambda -->
L = k \log \lambda - \lambda - \log(1 - e^{-\lambda})""",
            r"""<!-- symattn: scalars k lambda -->
L = k \log \lambda - \log(e^\lambda - 1)""",
        ),
        "L",
        {
            "k": Line(r"\log \lambda"),
            r"\lambda": Line(
                r"\frac{k}{\lambda} - \frac{1}{1 - e^{-\lambda}}",
                also=(
                    r"\frac{k}{\lambda} - 1 - \frac{1}{e^\lambda - 1}",
                    r"\frac{k}{\lambda} - 1 - \frac{e^{-\lambda}}{1 - e^{-\lambda}}",
                    r"\frac{k}{\lambda} - \frac{e^\lambda}{e^\lambda - 1}",
                ),
            ),
        },
        near={r"\lambda": 4.0},
    ),
    Form(
        "effects of groups",
        (
            r"""<!-- symattn: scalars mu s t -->
L = -\frac{1}{2 s^2} \sum_i (y_i - \theta_i)^2 - \frac{1}{2 t^2} \sum_i (\theta_i - \mu)^2""",
            r"""<!-- symattn: scalars mu s t -->
L = -\sum_i (\frac{(y_i - \theta_i)^2}{2 s^2} + \frac{(\theta_i - \mu)^2}{2 t^2})""",
        ),
        "L",
        {
            r"\theta": Line(
                r"\frac{y_i - \theta_i}{s^2} - \frac{\theta_i - \mu}{t^2}",
                also=(r"\frac{y_i - \theta_i}{s^2} + \frac{\mu - \theta_i}{t^2}",),
            ),
            r"\mu": Line(r"\frac{1}{t^2} \sum_i (\theta_i - \mu)"),
        },
        near={"s": 4.0, "t": 4.0},
    ),
    Form(
        "law of extremes",
        (
            r"""<!-- symattn: scalars mu beta -->
z_i = \frac{x_i - \mu}{\beta}
L = -\sum_{i=1}^{n} (z_i + e^{-z_i}) - n \log \beta""",
            r"""<!-- symattn: scalars mu beta -->
z_i = \frac{x_i - \mu}{\beta}
L = -n \log \beta - \sum_{i=1}^{n} z_i - \sum_{i=1}^{n} \exp(-z_i)""",
        ),
        "L",
        {
            r"\mu": Line(
                r"\frac{1}{\beta} \sum_i (1 - e^{-z_i})",
                also=(r"\frac{1}{\beta} (n - \sum_i e^{-z_i})",),
            ),
            r"\beta": Line(
                r"\frac{1}{\beta} (\sum_i z_i (1 - e^{-z_i}) - n)",
                also=(r"\frac{1}{\beta} \sum_i z_i (1 - e^{-z_i}) - \frac{n}{\beta}",),
            ),
            "x": Line(
                r"-\frac{1}{\beta} (1 - e^{-z_i})",
                at="i",
                also=(r"\frac{1}{\beta} (e^{-z_i} - 1)",),
            ),
        },
        near={r"\beta": 4.0},
    ),
    Form(
        "coefficient of variation",
        (
            r"""m = \frac{1}{n} \sum_{i=1}^{n} x_i
s = \sqrt{\frac{1}{n} \sum_{i=1}^{n} (x_i - m)^2}
c = \frac{s}{m}""",
            r"""m = \frac{1}{n} \sum_{i=1}^{n} x_i
v = \frac{1}{n} \sum_{i=1}^{n} (x_i - m)^2
s = \sqrt{v}
c = s / m""",
        ),
        "c",
        {
            "x": Line(
                r"\frac{x_i - m}{n s m} - \frac{s}{n m^2}",
                at="i",
                also=(
                    r"\frac{1}{n m} (\frac{x_i - m}{s} - c)",
                    r"\frac{c}{n} (\frac{x_i - m}{s^2} - \frac{1}{m})",
                ),
            )
        },
        near={"x": 4.0},
    ),
    Form(
        "growth towards a capacity",
        (
            r"""<!-- symattn: scalars K a r t -->
N = \frac{K}{1 + a e^{-r t}}""",
            r"""<!-- symattn: scalars K a r t -->
D = 1 + a \exp(-r t)
N = \frac{K}{D}""",
        ),
        "N",
        {
            "t": Line(r"r N (1 - \frac{N}{K})"),
            "r": Line(r"t N (1 - \frac{N}{K})"),
            "K": Line(r"\frac{N}{K}", also=(r"\frac{1}{1 + a e^{-r t}}",)),
            "a": Line(
                r"-\frac{N^2}{K} e^{-r t}",
                also=(r"-\frac{K e^{-r t}}{(1 + a e^{-r t})^2}", r"-\frac{N}{a} (1 - \frac{N}{K})"),
            ),
        },
        again={
            "t": Line(
                r"r N (1 - \frac{N}{K})",
                also=(r"\frac{r a K e^{-r t}}{D^2}", r"\frac{r N (D - 1)}{D}"),
            ),
            "r": Line(
                r"t N (1 - \frac{N}{K})",
                also=(r"\frac{t a K e^{-r t}}{D^2}", r"\frac{t N (D - 1)}{D}"),
            ),
            "K": Line(r"\frac{1}{D}", also=(r"\frac{N}{K}",)),
            "a": Line(
                r"-\frac{K e^{-r t}}{D^2}",
                also=(r"-\frac{N}{D} e^{-r t}", r"-\frac{N^2}{K} e^{-r t}"),
            ),
        },
        jacobian=True,
        near={"K": 4.0, "a": 4.0},
    ),
    Form(
        "response to an item",
        (
            r"""<!-- symattn: scalars a b theta y -->
p = \sigma(a (\theta - b))
L = y \log p + (1 - y) \log(1 - p)""",
            r"""<!-- symattn: scalars a b theta y -->
p = \frac{1}{1 + e^{-a (\theta - b)}}
L = y \log p + (1 - y) \log(1 - p)""",
        ),
        "L",
        {
            r"\theta": Line("a (y - p)"),
            "b": Line("-a (y - p)", also=("a (p - y)",)),
            "a": Line(r"(\theta - b) (y - p)"),
            r"\theta \theta": Line("-a^2 p (1 - p)"),
        },
    ),
    Form(
        "repulsion by an exponential",
        (
            r"""<!-- symattn: scalars A B C r -->
V = A e^{-B r} - \frac{C}{r^6}""",
            r"""<!-- symattn: scalars A B C r -->
V = A \exp(-B r) - C r^{-6}""",
        ),
        "V",
        {
            "r": Line(r"\frac{6 C}{r^7} - A B e^{-B r}"),
            "A": Line(r"e^{-B r}"),
            "B": Line(r"-A r e^{-B r}"),
            "C": Line(r"-\frac{1}{r^6}"),
        },
        near={"r": 2.0},
    ),
    Form(
        "screening length",
        (
            r"""<!-- symattn: scalars epsilon k T n q -->
\lambda = \sqrt{\frac{\epsilon k T}{n q^2}}""",
            r"""<!-- symattn: scalars epsilon k T n q -->
\lambda = \frac{1}{q} (\frac{\epsilon k T}{n})^{1/2}""",
        ),
        r"\lambda",
        {
            "T": Line(r"\frac{\lambda}{2 T}"),
            "n": Line(r"-\frac{\lambda}{2 n}"),
            "q": Line(r"-\frac{\lambda}{q}"),
        },
        jacobian=True,
        near={r"\epsilon": 4.0, "k": 4.0, "T": 4.0, "n": 4.0, "q": 4.0},
    ),
    Form(
        "charge of a capacitor",
        (
            r"""<!-- symattn: scalars U R C t -->
V = U (1 - e^{-t / (R C)})""",
            r"""<!-- symattn: scalars U R C t -->
\tau = R C
V = U (1 - \exp(-t / \tau))""",
        ),
        "V",
        {
            "t": Line(r"\frac{U}{R C} e^{-t / (R C)}", also=(r"\frac{U - V}{R C}",)),
            "U": Line(r"1 - e^{-t / (R C)}", also=(r"\frac{V}{U}",)),
            "R": Line(r"-\frac{U t}{R^2 C} e^{-t / (R C)}", also=(r"-\frac{t (U - V)}{R^2 C}",)),
        },
        again={
            "t": Line(r"\frac{U}{\tau} e^{-t / \tau}", also=(r"\frac{U - V}{\tau}",)),
            "U": Line(r"1 - e^{-t / \tau}", also=(r"\frac{V}{U}",)),
            "R": Line(
                r"-\frac{U t}{R \tau} e^{-t / \tau}",
                also=(r"-\frac{U t C}{\tau^2} e^{-t / \tau}", r"-\frac{t (U - V)}{R \tau}"),
            ),
        },
        jacobian=True,
        near={"R": 4.0, "C": 4.0},
    ),
    Form(
        "two levels",
        (
            r"""<!-- symattn: scalars beta epsilon -->
Z = 1 + e^{-\beta \epsilon}
F = -\frac{1}{\beta} \log Z""",
            r"""<!-- symattn: scalars beta epsilon -->
F = -\frac{1}{\beta} \log(1 + e^{-\beta \epsilon})""",
        ),
        "F",
        {
            r"\epsilon": Line(
                r"\frac{e^{-\beta \epsilon}}{Z}", also=(r"\frac{1}{1 + e^{\beta \epsilon}}",)
            ),
            r"\beta": Line(
                r"\frac{\log Z}{\beta^2} + \frac{\epsilon e^{-\beta \epsilon}}{\beta Z}",
                also=(r"\frac{1}{\beta} (\frac{\epsilon e^{-\beta \epsilon}}{Z} - F)",),
            ),
        },
        again={
            r"\epsilon": Line(
                r"\frac{1}{1 + e^{\beta \epsilon}}",
                also=(
                    r"\frac{e^{-\beta \epsilon}}{1 + e^{-\beta \epsilon}}",
                    r"\sigma(-\beta \epsilon)",
                ),
            ),
            r"\beta": Line(
                r"\frac{1}{\beta^2} \log(1 + e^{-\beta \epsilon}) + \frac{\epsilon}{\beta (1 + e^{\beta \epsilon})}",
                also=(r"\frac{1}{\beta} (\frac{\epsilon}{1 + e^{\beta \epsilon}} - F)",),
            ),
        },
        near={r"\beta": 4.0},
    ),
    Form(
        "exchange between spins",
        (
            r"""<!-- symattn: symmetric J -->
E = -\frac{1}{2} \sum_{i,j,a} J_{ij} s_{ia} s_{ja} - \sum_{i,a} h_{ia} s_{ia}""",
            r"""<!-- symattn: symmetric J; sizes J:(n,n) s:(n,d) h:(n,d) -->
E = -\frac{1}{2} \mathrm{tr}(s^\top J s) - \mathrm{tr}(h^\top s)""",
        ),
        "E",
        {
            "s": Line(
                r"-\sum_j J_{ij} s_{ja} - h_{ia}",
                "-J s - h",
                at="ia",
                also=(r"-(\sum_j J_{ij} s_{ja} + h_{ia})", "-(J s + h)"),
            ),
            "h": Line("-s_{ia}", "-s", at="ia"),
        },
    ),
    Form(
        "elastic solid",
        (
            r"""<!-- symattn: scalars lambda mu; symmetric E -->
\psi = \frac{\lambda}{2} (\sum_k E_{kk})^2 + \mu \sum_{i,j} E_{ij}^2""",
            r"""<!-- symattn: scalars lambda mu; symmetric E; sizes E:(d,d) -->
\psi = \frac{\lambda}{2} \mathrm{tr}(E)^2 + \mu \mathrm{tr}(E E)""",
        ),
        r"\psi",
        {
            "E": Line(
                r"\lambda \delta_{ij} \sum_k E_{kk} + 2 \mu E_{ij}",
                r"\lambda \mathrm{tr}(E) I + 2 \mu E",
                at="ij",
            )
        },
    ),
    Form(
        "rubber",
        (
            r"""<!-- symattn: scalars mu; sizes F:(d,d) -->
W = \frac{\mu}{2} (\mathrm{tr}(F^\top F) - 3) - \mu \log \det F""",
            r"""<!-- symattn: scalars mu; sizes F:(d,d) -->
W = \frac{\mu}{2} (\|F\|_F^2 - 3 - 2 \log \det F)""",
        ),
        "W",
        {"F": Line(matrix=r"\mu (F - F^{-\top})", at="ij")},
    ),
    Form(
        "pressure of a vapour",
        (
            r"""<!-- symattn: scalars P L R T U -->
p = P e^{-\frac{L}{R} (\frac{1}{T} - \frac{1}{U})}""",
            r"""<!-- symattn: scalars P L R T U -->
p = P \exp(\frac{L}{R} (\frac{1}{U} - \frac{1}{T}))""",
        ),
        "p",
        {
            "T": Line(r"\frac{L p}{R T^2}"),
            "L": Line(
                r"-\frac{p}{R} (\frac{1}{T} - \frac{1}{U})",
                also=(r"\frac{p}{R} (\frac{1}{U} - \frac{1}{T})",),
            ),
            "P": Line(r"\frac{p}{P}", also=(r"e^{-\frac{L}{R} (\frac{1}{T} - \frac{1}{U})}",)),
        },
        again={
            "L": Line(r"\frac{p}{R} (\frac{1}{U} - \frac{1}{T})"),
            "P": Line(r"\frac{p}{P}", also=(r"e^{\frac{L}{R} (\frac{1}{U} - \frac{1}{T})}",)),
        },
        jacobian=True,
        near={"R": 4.0, "T": 4.0, "U": 4.0},
    ),
    Form(
        "periodic kernel",
        (
            r"""<!-- symattn: scalars s l p x y -->
k = s^2 e^{-\frac{2}{l^2} \sin^2(\frac{\pi (x - y)}{p})}""",
            r"""<!-- symattn: scalars s l p x y -->
u = \frac{\pi (x - y)}{p}
k = s^2 \exp(-\frac{2 \sin^2 u}{l^2})""",
        ),
        "k",
        {
            "l": Line(r"\frac{4 k}{l^3} \sin^2(\frac{\pi (x - y)}{p})"),
            "s": Line(
                r"\frac{2 k}{s}", also=(r"2 s e^{-\frac{2}{l^2} \sin^2(\frac{\pi (x - y)}{p})}",)
            ),
            "x": Line(
                r"-\frac{4 \pi k}{p l^2} \sin(\frac{\pi (x - y)}{p}) \cos(\frac{\pi (x - y)}{p})",
                also=(r"-\frac{2 \pi k}{p l^2} \sin(\frac{2 \pi (x - y)}{p})",),
            ),
        },
        again={
            "l": Line(r"\frac{4 k}{l^3} \sin^2 u"),
            "s": Line(r"\frac{2 k}{s}", also=(r"2 s e^{-\frac{2 \sin^2 u}{l^2}}",)),
            "x": Line(
                r"-\frac{4 \pi k}{p l^2} \sin u \cos u", also=(r"-\frac{2 \pi k}{p l^2} \sin(2 u)",)
            ),
        },
        jacobian=True,
        near={"l": 4.0, "p": 4.0},
    ),
    Form(
        "kernel once differentiable",
        (
            r"""<!-- symattn: scalars r l -->
k = (1 + \frac{\sqrt{3} r}{l}) e^{-\sqrt{3} r / l}""",
            r"""<!-- symattn: scalars r l -->
a = \frac{\sqrt{3} r}{l}
k = (1 + a) \exp(-a)""",
        ),
        "k",
        {
            "r": Line(r"-\frac{3 r}{l^2} e^{-\sqrt{3} r / l}"),
            "l": Line(r"\frac{3 r^2}{l^3} e^{-\sqrt{3} r / l}"),
        },
        again={
            "r": Line(r"-\frac{3 r}{l^2} e^{-a}", also=(r"-\frac{\sqrt{3}}{l} a e^{-a}",)),
            "l": Line(r"\frac{3 r^2}{l^3} e^{-a}", also=(r"\frac{a^2}{l} e^{-a}",)),
        },
        jacobian=True,
        near={"l": 4.0},
    ),
    Form(
        "kernel with a length for each feature",
        (
            r"""<!-- symattn: scalars s -->
k = s^2 e^{-\frac{1}{2} \sum_a \frac{(x_a - y_a)^2}{l_a^2}}""",
            r"""<!-- symattn: scalars s -->
d = \sum_a \frac{(x_a - y_a)^2}{l_a^2}
k = s^2 \exp(-\frac{d}{2})""",
        ),
        "k",
        {
            "x": Line(
                r"-\frac{k (x_a - y_a)}{l_a^2}", at="a", also=(r"\frac{k (y_a - x_a)}{l_a^2}",)
            ),
            "l": Line(r"\frac{k (x_a - y_a)^2}{l_a^3}", at="a"),
            "s": Line(
                r"\frac{2 k}{s}",
                also=(r"2 s e^{-\frac{1}{2} \sum_a \frac{(x_a - y_a)^2}{l_a^2}}",),
            ),
        },
        again={
            "x": Line(
                r"-\frac{k (x_a - y_a)}{l_a^2}", at="a", also=(r"\frac{k (y_a - x_a)}{l_a^2}",)
            ),
            "s": Line(r"\frac{2 k}{s}", also=(r"2 s e^{-\frac{d}{2}}",)),
        },
        jacobian=True,
        near={"l": 4.0},
    ),
    Form(
        "polynomial kernel",
        (
            r"""<!-- symattn: scalars c p -->
k = (\sum_a x_a y_a + c)^p""",
            r"""<!-- symattn: scalars c p -->
u = \sum_a x_a y_a + c
k = u^p""",
        ),
        "k",
        {
            "x": Line(
                r"p y_a (\sum_b x_b y_b + c)^{p - 1}",
                at="a",
                also=(r"\frac{p k y_a}{\sum_b x_b y_b + c}",),
            ),
            "c": Line(r"p (\sum_a x_a y_a + c)^{p - 1}", also=(r"\frac{p k}{\sum_a x_a y_a + c}",)),
        },
        again={
            "x": Line(r"p u^{p - 1} y_a", at="a", also=(r"\frac{p k y_a}{u}",)),
            "c": Line(r"p u^{p - 1}", also=(r"\frac{p k}{u}",)),
        },
        jacobian=True,
        near={"x": 4.0, "y": 4.0, "c": 4.0, "p": 3.0},
    ),
    Form(
        "ridge regression by a kernel",
        (
            r"""<!-- symattn: scalars lambda; symmetric K -->
r_i = y_i - \sum_j K_{ij} \alpha_j
L = \frac{1}{2} \sum_i r_i^2 + \frac{\lambda}{2} \sum_{i,j} \alpha_i K_{ij} \alpha_j""",
            r"""<!-- symattn: scalars lambda; symmetric K; sizes K:(n,n) -->
L = \frac{1}{2} \|y - K \alpha\|^2 + \frac{\lambda}{2} \alpha^\top K \alpha""",
        ),
        "L",
        {
            r"\alpha": Line(
                r"\sum_j K_{ij} (\lambda \alpha_j - r_j)",
                r"K (\lambda \alpha - r)",
                at="i",
                also=(
                    r"\lambda K \alpha - K r",
                    r"\lambda \sum_j K_{ij} \alpha_j - \sum_j K_{ij} r_j",
                ),
            )
        },
        again={
            r"\alpha": Line(
                matrix=r"K (K \alpha + \lambda \alpha - y)",
                at="i",
                also=(
                    r"K (K \alpha - y) + \lambda K \alpha",
                    r"\lambda K \alpha - K (y - K \alpha)",
                    r"K ((K + \lambda I) \alpha - y)",
                ),
            )
        },
    ),
    Form(
        "decay of a Lyapunov function",
        (
            r"""<!-- symattn: symmetric P; sizes A:(n,n) P:(n,n) x:(n) -->
W = x^\top (A^\top P + P A) x""",
            r"""<!-- symattn: symmetric P; sizes A:(n,n) P:(n,n) x:(n) -->
f = A x
W = 2 x^\top P f""",
        ),
        "W",
        {
            "x": Line(
                matrix=r"2 (A^\top P + P A) x",
                at="i",
                also=(r"2 (A^\top P x + P A x)", r"2 A^\top P x + 2 P A x"),
            )
        },
        again={"x": Line(matrix=r"2 (P f + A^\top P x)", at="i", also=(r"2 P f + 2 A^\top P x",))},
    ),
    Form(
        "steering with least effort",
        (
            r"""<!-- symattn: symmetric R; sizes A:(n,n) B:(n,m) R:(m,m) x:(n) z:(n) u:(m) lambda:(n) -->
L = \frac{1}{2} u^\top R u + \lambda^\top (z - A x - B u)""",
            r"""<!-- symattn: symmetric R; sizes A:(n,n) B:(n,m) R:(m,m) x:(n) z:(n) u:(m) lambda:(n) -->
e = z - A x - B u
L = \frac{1}{2} u^\top R u + \lambda^\top e""",
        ),
        "L",
        {
            "u": Line(matrix=r"R u - B^\top \lambda", at="i"),
            "x": Line(matrix=r"-A^\top \lambda", at="i"),
            r"\lambda": Line(matrix="z - A x - B u", at="i"),
        },
        again={
            r"\lambda": Line(matrix="e", at="i"),
        },
    ),
    Form(
        "resonance of a second-order system",
        (
            r"""<!-- symattn: scalars x zeta -->
G = \frac{1}{\sqrt{(1 - x^2)^2 + 4 \zeta^2 x^2}}""",
            r"""<!-- symattn: scalars x zeta -->
D = (1 - x^2)^2 + (2 \zeta x)^2
G = D^{-1/2}""",
        ),
        "G",
        {
            r"\zeta": Line(r"-4 \zeta x^2 G^3"),
            "x": Line(r"2 x G^3 (1 - x^2 - 2 \zeta^2)", also=(r"-2 x G^3 (x^2 - 1 + 2 \zeta^2)",)),
        },
        again={
            r"\zeta": Line(
                r"-4 \zeta x^2 G^3",
                also=(r"-\frac{4 \zeta x^2}{D^{3/2}}", r"-\frac{4 \zeta x^2 G}{D}"),
            ),
            "x": Line(
                r"2 x G^3 (1 - x^2 - 2 \zeta^2)",
                also=(
                    r"-2 x G^3 (x^2 - 1 + 2 \zeta^2)",
                    r"\frac{2 x}{D^{3/2}} (1 - x^2 - 2 \zeta^2)",
                    r"\frac{2 x G}{D} (1 - x^2 - 2 \zeta^2)",
                ),
            ),
        },
        jacobian=True,
        near={r"\zeta": 3.0},
    ),
    Form(
        "utility with constant relative risk aversion",
        (
            r"""<!-- symattn: scalars c gamma -->
U = \frac{c^{1 - \gamma}}{1 - \gamma}""",
            r"""<!-- symattn: scalars c gamma -->
U = \frac{1}{1 - \gamma} c^{1 - \gamma}""",
        ),
        "U",
        {
            "c": Line(r"c^{-\gamma}"),
            "c c": Line(
                r"-\gamma c^{-\gamma - 1}",
                also=(r"-\frac{\gamma}{c^{\gamma + 1}}", r"-\gamma c^{-(1 + \gamma)}"),
            ),
        },
        near={"c": 4.0, r"\gamma": 3.0},
    ),
    Form(
        "risk of a portfolio",
        (
            r"""<!-- symattn: symmetric S -->
s = \sqrt{\sum_{i,j} w_i S_{ij} w_j}""",
            r"""<!-- symattn: symmetric S; sizes S:(n,n) -->
v = w^\top S w
s = \sqrt{v}""",
        ),
        "s",
        {"w": Line(r"\frac{1}{s} \sum_j S_{ij} w_j", r"\frac{S w}{s}", at="i")},
        near={"S": 4.0, "w": 4.0},
    ),
    Form(
        "certainty equivalent",
        (
            r"""<!-- symattn: scalars a -->
Z = \sum_i p_i e^{-a x_i}
C = -\frac{1}{a} \log Z""",
            r"""<!-- symattn: scalars a -->
C = -\frac{1}{a} \log \sum_i p_i \exp(-a x_i)""",
        ),
        "C",
        {
            "x": Line(r"\frac{p_i e^{-a x_i}}{Z}", at="i"),
            "p": Line(r"-\frac{e^{-a x_i}}{a Z}", at="i"),
        },
        again={
            "x": Line(r"\frac{p_i e^{-a x_i}}{\sum_j p_j e^{-a x_j}}", at="i"),
            "p": Line(r"-\frac{e^{-a x_i}}{a \sum_j p_j e^{-a x_j}}", at="i"),
        },
        near={"p": 4.0, "a": 3.0},
    ),
    Form(
        "price of a monopoly",
        (
            r"""<!-- symattn: scalars a b c p -->
q = a - b p
u = (p - c) q""",
            r"""<!-- symattn: scalars a b c p -->
u = (p - c) (a - b p)""",
        ),
        "u",
        {
            "p": Line("q - b (p - c)", also=("a + b c - 2 b p", "a - b (2 p - c)")),
            "b": Line("-p (p - c)"),
        },
        again={
            "p": Line("a - b p - b (p - c)", also=("a + b c - 2 b p", "a - b (2 p - c)")),
        },
    ),
    Form(
        "growth of capital",
        (
            r"""<!-- symattn: scalars s alpha n d k -->
f = s k^\alpha - (n + d) k""",
            r"""<!-- symattn: scalars s alpha n d k -->
y = k^\alpha
f = s y - (n + d) k""",
        ),
        "f",
        {
            "k": Line(
                r"\alpha s k^{\alpha - 1} - (n + d)", also=(r"\alpha s k^{\alpha - 1} - n - d",)
            ),
            "s": Line(r"k^\alpha"),
            r"\alpha": Line(r"s k^\alpha \log k"),
        },
        again={
            "k": Line(
                r"\alpha s k^{\alpha - 1} - (n + d)",
                also=(
                    r"\alpha s k^{\alpha - 1} - n - d",
                    r"\frac{\alpha s y}{k} - n - d",
                    r"\frac{\alpha s y}{k} - (n + d)",
                ),
            ),
            "s": Line("y", also=(r"k^\alpha",)),
            r"\alpha": Line(r"s y \log k", also=(r"s k^\alpha \log k",)),
        },
        near={"k": 4.0},
        jacobian=True,
    ),
]
