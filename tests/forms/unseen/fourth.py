"""Twenty systems of normalisation, attention, losses, mixtures, kernels, free energies, motion."""

# ruff: noqa: E501 (one line an equation)

from ..form import Form, Line

FORMS = [
    Form(
        "scale norm",
        (
            r"""<!-- symattn: scalars g -->
s = \sqrt{\sum_i x_i^2}
y_i = g \frac{x_i}{s}""",
            r"""<!-- symattn: scalars g; sizes x:(d) -->
s = \|x\|
y_i = \frac{g x_i}{s}""",
        ),
        "y",
        {
            "x": Line(
                r"\frac{g}{s} (\bar{y}_i - \frac{x_i}{s^2} \sum_j x_j \bar{y}_j)",
                also=(
                    r"\frac{g}{s} (\bar{y}_i - \frac{1}{s^2} x_i \sum_j x_j \bar{y}_j)",
                    r"\frac{1}{s} (g \bar{y}_i - \frac{1}{g} y_i \sum_j y_j \bar{y}_j)",
                ),
            ),
            "g": Line(
                r"\frac{1}{s} \sum_i x_i \bar{y}_i",
                also=(r"\frac{1}{g} \sum_i y_i \bar{y}_i",),
            ),
        },
    ),
    Form(
        "instance norm",
        (
            r"""<!-- symattn: scalars epsilon -->
m_c = \frac{1}{n} \sum_{i=1}^{n} x_{ci}
s_c = \sqrt{\frac{1}{n} \sum_{i=1}^{n} (x_{ci} - m_c)^2 + \epsilon}
y_{ci} = \frac{x_{ci} - m_c}{s_c}""",
            r"""<!-- symattn: scalars epsilon -->
m_c = \frac{1}{n} \sum_{i=1}^{n} x_{ci}
v_c = \frac{1}{n} \sum_{i=1}^{n} (x_{ci} - m_c)^2
s_c = \sqrt{v_c + \epsilon}
y_{ci} = \frac{1}{s_c} (x_{ci} - m_c)""",
        ),
        "y",
        {
            "x": Line(
                r"\frac{1}{s_c} (\bar{y}_{ci} - \frac{1}{n} \sum_j \bar{y}_{cj} - y_{ci} \frac{1}{n} \sum_j \bar{y}_{cj} y_{cj})",
                at="ci",
                also=(
                    r"\frac{1}{s_c} (\bar{y}_{ci} - \frac{1}{n} \sum_j \bar{y}_{cj} - \frac{y_{ci}}{n} \sum_j \bar{y}_{cj} y_{cj})",
                ),
            )
        },
        near={r"\epsilon": 2.0},
    ),
    Form(
        "bilinear attention",
        (
            r"""S_{ij} = \sum_{a,b} X_{ia} W_{ab} Y_{jb}
A_{ij} = \frac{e^{S_{ij}}}{\sum_k e^{S_{ik}}}
O_{ic} = \sum_j A_{ij} V_{jc}""",
            r"""<!-- symattn: sizes X:(n,d) W:(d,e) Y:(m,e) V:(m,c) -->
S = X W Y^\top
A_{ij} = \frac{\exp(S_{ij})}{\sum_k \exp(S_{ik})}
O = A V""",
        ),
        "O",
        {
            "V": Line(r"\sum_i A_{ij} \bar{O}_{ic}", r"A^\top \bar{O}"),
            "A": Line(r"\sum_c \bar{O}_{ic} V_{jc}", r"\bar{O} V^\top"),
            "S": Line(
                r"A_{ij} (\bar{A}_{ij} - \sum_k A_{ik} \bar{A}_{ik})",
                r"A \circ (\bar{A} - \mathrm{rowsum}(A \circ \bar{A}))",
            ),
            "W": Line(r"\sum_{i,j} X_{ia} \bar{S}_{ij} Y_{jb}", r"X^\top \bar{S} Y", at="ab"),
            "X": Line(r"\sum_{j,b} \bar{S}_{ij} Y_{jb} W_{ab}", r"\bar{S} Y W^\top", at="ia"),
        },
    ),
    Form(
        "exponentiated gradient",
        (
            r"""<!-- symattn: scalars eta; positive w -->
p_i = \frac{w_i e^{-\eta g_i}}{\sum_j w_j e^{-\eta g_j}}""",
            r"""<!-- symattn: scalars eta; positive w -->
Z = \sum_j w_j \exp(-\eta g_j)
p_i = \frac{w_i \exp(-\eta g_i)}{Z}""",
        ),
        "p",
        {
            "g": Line(
                r"-\eta p_i (\bar{p}_i - \sum_j p_j \bar{p}_j)",
                at="i",
                also=(r"\eta p_i (\sum_j p_j \bar{p}_j - \bar{p}_i)",),
            ),
            "w": Line(r"\frac{p_i}{w_i} (\bar{p}_i - \sum_j p_j \bar{p}_j)", at="i"),
        },
    ),
    Form(
        "Brier score of a softmax",
        (
            r"""p_i = \frac{e^{z_i}}{\sum_j e^{z_j}}
L = \sum_i (p_i - y_i)^2""",
            r"""p_i = \frac{\exp(z_i)}{\sum_j \exp(z_j)}
e_i = p_i - y_i
L = \sum_i e_i^2""",
        ),
        "L",
        {
            "z": Line(
                r"2 p_i (p_i - y_i - \sum_j p_j (p_j - y_j))",
                r"2 p \circ (p - y - p^\top (p - y))",
                also=(r"2 p_i ((p_i - y_i) - \sum_j p_j (p_j - y_j))",),
            ),
            "y": Line(r"2 (y_i - p_i)", r"2 (y - p)", also=(r"-2 (p_i - y_i)", r"-2 (p - y)")),
        },
        again={
            "z": Line(
                r"2 p_i (e_i - \sum_j p_j e_j)",
                r"2 p \circ (e - p^\top e)",
            ),
            "y": Line(r"-2 e_i", r"-2 e"),
        },
    ),
    Form(
        "binomial regression with counts",
        (
            r"""u_i = \sum_a X_{ia} w_a
s_i = \sigma(u_i)
L = \sum_i (n_i \log(1 + e^{u_i}) - y_i u_i)""",
            r"""<!-- symattn: sizes X:(m,d) -->
u = X w
s_i = \frac{1}{1 + e^{-u_i}}
L = \sum_i n_i \log(1 + \exp(u_i)) - \sum_i y_i u_i""",
        ),
        "L",
        {
            "w": Line(r"\sum_i X_{ia} (n_i s_i - y_i)", r"X^\top (n \circ s - y)"),
            "w w": Line(
                r"\sum_i n_i s_i (1 - s_i) X_{ia} X_{ib}",
                r"X^\top \mathrm{diag}(n \circ s \circ (1 - s)) X",
                at="ab",
            ),
        },
    ),
    Form(
        "mixture of Poisson laws",
        (
            r"""<!-- symattn: positive w lambda -->
r_{nk} = \frac{w_k e^{x_n \log \lambda_k - \lambda_k}}{\sum_j w_j e^{x_n \log \lambda_j - \lambda_j}}
L = \sum_n \log \sum_k w_k e^{x_n \log \lambda_k - \lambda_k}""",
            r"""<!-- symattn: positive w lambda -->
q_{nk} = w_k \lambda_k^{x_n} e^{-\lambda_k}
r_{nk} = \frac{q_{nk}}{\sum_j q_{nj}}
L = \sum_n \log \sum_k q_{nk}""",
        ),
        "L",
        {
            r"\lambda": Line(
                r"\sum_n r_{nk} (\frac{x_n}{\lambda_k} - 1)",
                at="k",
                also=(r"\frac{1}{\lambda_k} \sum_n r_{nk} (x_n - \lambda_k)",),
            ),
            "w": Line(r"\frac{1}{w_k} \sum_n r_{nk}", at="k"),
        },
        near={"w": 4.0, r"\lambda": 4.0, "x": 4.0},
    ),
    Form(
        "score of a mixture",
        (
            r"""<!-- symattn: scalars s; positive w -->
r_k = \frac{w_k e^{-\frac{1}{2 s^2} \sum_a (x_a - \mu_{ka})^2}}{\sum_j w_j e^{-\frac{1}{2 s^2} \sum_a (x_a - \mu_{ja})^2}}
\ell = \log \sum_k w_k e^{-\frac{1}{2 s^2} \sum_a (x_a - \mu_{ka})^2}""",
            r"""<!-- symattn: scalars s; positive w -->
D_k = \sum_a (x_a - \mu_{ka})^2
q_k = w_k e^{-\frac{D_k}{2 s^2}}
r_k = \frac{q_k}{\sum_j q_j}
\ell = \log \sum_k q_k""",
        ),
        r"\ell",
        {
            "x": Line(
                r"\frac{1}{s^2} \sum_k r_k (\mu_{ka} - x_a)",
                also=(
                    r"\frac{1}{s^2} (\sum_k r_k \mu_{ka} - x_a)",
                    r"-\frac{1}{s^2} \sum_k r_k (x_a - \mu_{ka})",
                    r"-\frac{1}{s^2} (x_a - \sum_k r_k \mu_{ka})",
                ),
            ),
            r"\mu": Line(r"\frac{r_k}{s^2} (x_a - \mu_{ka})", at="ka"),
        },
        near={"s": 4.0, "w": 4.0},
    ),
    Form(
        "random features",
        (
            r"""u_{ik} = \sum_a X_{ia} W_{ka} + b_k
z_{ik} = \cos(u_{ik})""",
            r"""z_{ik} = \cos(\sum_a W_{ka} X_{ia} + b_k)""",
        ),
        "z",
        {
            "X": Line(r"-\sum_k \bar{z}_{ik} \sin(u_{ik}) W_{ka}", r"-(\bar{z} \circ \sin(u)) W"),
            "W": Line(
                r"-\sum_i \bar{z}_{ik} \sin(u_{ik}) X_{ia}",
                r"-(\bar{z} \circ \sin(u))^\top X",
                at="ka",
            ),
            "b": Line(r"-\sum_i \bar{z}_{ik} \sin(u_{ik})", at="k"),
        },
        again={
            "X": Line(r"-\sum_k \bar{z}_{ik} \sin(\sum_b W_{kb} X_{ib} + b_k) W_{ka}"),
            "W": Line(r"-\sum_i \bar{z}_{ik} \sin(\sum_b W_{kb} X_{ib} + b_k) X_{ia}"),
            "b": Line(r"-\sum_i \bar{z}_{ik} \sin(\sum_a W_{ka} X_{ia} + b_k)"),
        },
    ),
    Form(
        "regular solution",
        (
            r"""<!-- symattn: scalars x chi T -->
G = T (x \log x + (1 - x) \log(1 - x)) + \chi x (1 - x)""",
            r"""<!-- symattn: scalars x chi T -->
S = -x \log x - (1 - x) \log(1 - x)
G = \chi x (1 - x) - T S""",
        ),
        "G",
        {
            "x": Line(
                r"T \log \frac{x}{1 - x} + \chi (1 - 2 x)",
                also=(
                    r"T (\log x - \log(1 - x)) + \chi (1 - 2 x)",
                    r"\chi (1 - 2 x) + T \log \frac{x}{1 - x}",
                ),
            ),
            r"\chi": Line(r"x (1 - x)"),
            "T": Line(r"x \log x + (1 - x) \log(1 - x)"),
        },
        again={"T": Line("-S")},
        near={"x": 0.3},
    ),
    Form(
        "free energy of an oscillator",
        (
            r"""<!-- symattn: scalars omega T h -->
F = \frac{h \omega}{2} + T \log(1 - e^{-\frac{h \omega}{T}})""",
            r"""<!-- symattn: scalars omega T h -->
F = \frac{1}{2} h \omega + T \log(1 - \exp(-h \omega / T))""",
        ),
        "F",
        {
            r"\omega": Line(
                r"\frac{h}{2} + \frac{h}{e^{\frac{h \omega}{T}} - 1}",
                also=(
                    r"h (\frac{1}{2} + \frac{1}{e^{\frac{h \omega}{T}} - 1})",
                    r"\frac{h}{2} + \frac{h}{e^{h \omega / T} - 1}",
                    r"h (\frac{1}{2} + \frac{1}{e^{h \omega / T} - 1})",
                ),
            )
        },
        near={r"\omega": 4.0, "T": 4.0, "h": 4.0},
    ),
    Form(
        "bead on a turning hoop",
        (
            r"""<!-- symattn: scalars m g R omega theta v -->
L = \frac{1}{2} m R^2 (v^2 + \omega^2 \sin^2 \theta) + m g R \cos \theta""",
            r"""<!-- symattn: scalars m g R omega theta v -->
K = \frac{1}{2} m R^2 v^2 + \frac{1}{2} m R^2 \omega^2 \sin^2 \theta
V = -m g R \cos \theta
L = K - V""",
        ),
        "L",
        {
            r"\theta": Line(
                r"m R^2 \omega^2 \sin \theta \cos \theta - m g R \sin \theta",
                also=(
                    r"m R \sin \theta (R \omega^2 \cos \theta - g)",
                    r"m R (R \omega^2 \cos \theta - g) \sin \theta",
                ),
            ),
            "v": Line(r"m R^2 v"),
        },
    ),
    Form(
        "two pendulums",
        (
            r"""<!-- symattn: scalars m M l r g a b u v -->
L = \frac{1}{2} (m + M) l^2 u^2 + \frac{1}{2} m r^2 v^2 + m l r u v \cos(a - b) + (m + M) g l \cos a + m g r \cos b""",
            r"""<!-- symattn: scalars m M l r g a b u v -->
K = \frac{1}{2} (m + M) l^2 u^2 + \frac{1}{2} m r^2 v^2 + m l r u v \cos(a - b)
U = -(m + M) g l \cos a - m g r \cos b
L = K - U""",
        ),
        "L",
        {
            "a": Line(r"-m l r u v \sin(a - b) - (m + M) g l \sin a"),
            "b": Line(
                r"m l r u v \sin(a - b) - m g r \sin b",
                also=(
                    r"m r (l u v \sin(a - b) - g \sin b)",
                    r"m r \cdot (l u v \sin(a - b) - g \sin b)",
                ),
            ),
            "u": Line(r"(m + M) l^2 u + m l r v \cos(a - b)"),
            "v": Line(
                r"m r^2 v + m l r u \cos(a - b)",
                also=(r"m r (r v + l u \cos(a - b))", r"m r (l u \cos(a - b) + r v)"),
            ),
        },
    ),
    Form(
        "likelihood of an innovation",
        (
            r"""<!-- symattn: scalars x y h P R -->
e = y - h x
s = h^2 P + R
L = -\frac{1}{2} \log s - \frac{e^2}{2 s}""",
            r"""<!-- symattn: scalars x y h P R -->
s = h^2 P + R
L = -\frac{1}{2} (\log s + \frac{(y - h x)^2}{s})""",
        ),
        "L",
        {
            "x": Line(r"\frac{h e}{s}"),
            "R": Line(
                r"\frac{1}{2} (\frac{e^2}{s^2} - \frac{1}{s})",
                also=(
                    r"\frac{e^2}{2 s^2} - \frac{1}{2 s}",
                    r"\frac{1}{2 s} (\frac{e^2}{s} - 1)",
                    r"\frac{e^2 - s}{2 s^2}",
                ),
            ),
        },
        again={
            "x": Line(r"\frac{h (y - h x)}{s}", also=(r"\frac{h}{s} (y - h x)",)),
            "R": Line(
                r"\frac{1}{2} (\frac{(y - h x)^2}{s^2} - \frac{1}{s})",
                also=(
                    r"\frac{(y - h x)^2}{2 s^2} - \frac{1}{2 s}",
                    r"\frac{1}{2 s} (\frac{(y - h x)^2}{s} - 1)",
                    r"\frac{(y - h x)^2 - s}{2 s^2}",
                ),
            ),
        },
        near={"R": 4.0, "P": 4.0},
    ),
    Form(
        "variance of a Gaussian process",
        (
            r"""<!-- symattn: sizes K:(n,n) q:(n); scalars c; symmetric K -->
v = c - q^\top K^{-1} q""",
            r"""<!-- symattn: sizes K:(n,n) q:(n); scalars c; symmetric K -->
a = K^{-1} q
v = c - q^\top a""",
        ),
        "v",
        {"q": Line(matrix=r"-2 K^{-1} q"), "c": Line("1")},
        again={"q": Line(matrix=r"-2 a")},
    ),
    Form(
        "square of a squared norm",
        (
            r"""N = \sum_i x_i^2
f = \frac{1}{4} N^2""",
            r"""f = \frac{1}{4} (\sum_i x_i^2)^2""",
        ),
        "f",
        {
            "x": Line(r"N x_i", r"N x"),
            "x x": Line(r"N \delta_{ij} + 2 x_i x_j", r"N I + 2 x x^\top", at="ij"),
        },
        again={
            "x": Line(r"x_i \sum_j x_j^2", r"\|x\|^2 x", also=(r"x \|x\|^2", r"x x^\top x")),
            "x x": Line(r"\delta_{ij} \sum_k x_k^2 + 2 x_i x_j"),
        },
    ),
    Form(
        "entropy of an order",
        (
            r"""<!-- symattn: scalars q; positive p -->
H = \frac{1}{1 - q} \log \sum_i p_i^q""",
            r"""<!-- symattn: scalars q; positive p -->
Z = \sum_i p_i^q
H = \frac{\log Z}{1 - q}""",
        ),
        "H",
        {
            "p": Line(
                r"\frac{q p_i^{q - 1}}{(1 - q) \sum_j p_j^q}",
                at="i",
                also=(r"\frac{q}{1 - q} \frac{p_i^{q - 1}}{\sum_j p_j^q}",),
            )
        },
        again={
            "p": Line(
                r"\frac{q p_i^{q - 1}}{(1 - q) Z}",
                also=(r"\frac{q}{1 - q} \frac{p_i^{q - 1}}{Z}",),
            )
        },
        near={"p": 4.0, "q": 3.0},
    ),
    Form(
        "chi-squared divergence",
        (
            r"""<!-- symattn: positive p q -->
D = \sum_i \frac{(p_i - q_i)^2}{q_i}""",
            r"""<!-- symattn: positive p q -->
r_i = \frac{p_i}{q_i}
D = \sum_i q_i (r_i - 1)^2""",
        ),
        "D",
        {
            "p": Line(
                r"\frac{2 (p_i - q_i)}{q_i}",
                at="i",
                also=(r"2 (\frac{p_i}{q_i} - 1)", r"\frac{2}{q_i} (p_i - q_i)"),
            ),
            "q": Line(
                r"1 - \frac{p_i^2}{q_i^2}",
                at="i",
                also=(r"1 - (\frac{p_i}{q_i})^2",),
            ),
        },
        again={"p": Line(r"2 (r_i - 1)"), "q": Line(r"1 - r_i^2")},
        near={"p": 4.0, "q": 4.0},
    ),
    Form(
        "Jensen-Shannon divergence",
        (
            r"""<!-- symattn: positive p q -->
m_i = \frac{1}{2} (p_i + q_i)
D = \frac{1}{2} \sum_i p_i \log \frac{p_i}{m_i} + \frac{1}{2} \sum_i q_i \log \frac{q_i}{m_i}""",
            r"""<!-- symattn: positive p q -->
m_i = \frac{p_i + q_i}{2}
K = \sum_i p_i \log \frac{p_i}{m_i}
M = \sum_i q_i \log \frac{q_i}{m_i}
D = \frac{1}{2} (K + M)""",
        ),
        "D",
        {
            "p": Line(
                r"\frac{1}{2} \log \frac{p_i}{m_i}",
                at="i",
                also=(r"\frac{1}{2} (\log p_i - \log m_i)",),
            ),
            "q": Line(
                r"\frac{1}{2} \log \frac{q_i}{m_i}",
                at="i",
                also=(r"\frac{1}{2} (\log q_i - \log m_i)",),
            ),
        },
        near={"p": 4.0, "q": 4.0},
    ),
    Form(
        "cross-entropy with weights of classes",
        (
            r"""P_{ik} = \frac{e^{Z_{ik}}}{\sum_l e^{Z_{il}}}
L = -\sum_{i,k} w_k Y_{ik} \log P_{ik}""",
            r"""P_{ik} = \frac{\exp(Z_{ik})}{\sum_l \exp(Z_{il})}
L = -\sum_i \sum_k w_k Y_{ik} \log P_{ik}""",
        ),
        "L",
        {
            "Z": Line(
                r"P_{ik} \sum_l w_l Y_{il} - w_k Y_{ik}",
                at="ik",
            ),
            "w": Line(r"-\sum_i Y_{ik} \log P_{ik}", at="k"),
        },
    ),
]
