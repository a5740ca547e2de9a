"""Flows, diffusion and what is drawn by a change of variables."""

# ruff: noqa: E501 (one line an equation)

from .form import Form, Line

FORMS = [
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
        near={"s": 3.0, r"\sigma": 3.0},
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
]
