"""Normalisations: layer, root mean square, batch, group, weight, unit length."""

from .form import Form, Line

LAYER = r"""
\mu = \frac{1}{d} \sum_{i=1}^d x_i
\sigma = \sqrt{\frac{1}{d} \sum_{i=1}^d (x_i - \mu)^2 + \epsilon}
h_i = \frac{x_i - \mu}{\sigma}
y_i = g_i h_i + b_i
"""
LAYER_POWER = r"""
\mu = \frac{1}{d} \sum_{j=1}^d x_j
\sigma = (\epsilon + \frac{1}{d} \sum_{j=1}^d (x_j - \mu)^2)^{1/2}
h_i = (x_i - \mu) / \sigma
y_i = g_i h_i + b_i
"""
RMS = r"""
r = \sqrt{\frac{1}{d} \sum_{i=1}^d x_i^2 + \epsilon}
h_i = \frac{x_i}{r}
y_i = g_i h_i
"""
RMS_PRODUCT = r"""
r = \sqrt{\epsilon + \frac{1}{d} \sum_{j=1}^d x_j x_j}
h_i = x_i / r
y_i = g_i h_i
"""
BATCH = r"""
\mu_j = \frac{1}{n} \sum_{i=1}^n X_{ij}
\sigma_j = \sqrt{\frac{1}{n} \sum_{i=1}^n (X_{ij} - \mu_j)^2 + \epsilon}
H_{ij} = \frac{X_{ij} - \mu_j}{\sigma_j}
Y_{ij} = g_j H_{ij} + b_j
"""
BATCH_VARIANCE = r"""
\mu_j = \frac{1}{n} \sum_{i=1}^n X_{ij}
v_j = \frac{1}{n} \sum_{i=1}^n (X_{ij} - \mu_j)^2
\sigma_j = \sqrt{v_j + \epsilon}
H_{ij} = \frac{1}{\sigma_j} (X_{ij} - \mu_j)
Y_{ij} = g_j H_{ij} + b_j
"""
GROUP = r"""
\mu_g = \frac{1}{m} \sum_{a=1}^m X_{ga}
\sigma_g = \sqrt{\frac{1}{m} \sum_{a=1}^m (X_{ga} - \mu_g)^2 + \epsilon}
H_{ga} = \frac{X_{ga} - \mu_g}{\sigma_g}
Y_{ga} = w_{ga} H_{ga} + b_{ga}
"""
GROUP_POWER = r"""
\mu_g = \frac{1}{m} \sum_{a=1}^m X_{ga}
\sigma_g = (\frac{1}{m} \sum_{a=1}^m (X_{ga} - \mu_g)^2 + \epsilon)^{1/2}
H_{ga} = (X_{ga} - \mu_g) / \sigma_g
Y_{ga} = w_{ga} H_{ga} + b_{ga}
"""

FORMS = [
    Form(
        "layer norm",
        (LAYER, LAYER_POWER),
        "y",
        {
            "x": Line(
                r"\frac{1}{\sigma} (g_i \bar{y}_i - \frac{1}{d} \sum_j g_j \bar{y}_j"
                r" - h_i \frac{1}{d} \sum_j g_j \bar{y}_j h_j)",
                r"\frac{1}{\sigma} (g \circ \bar{y} - \mathrm{mean}(g \circ \bar{y})"
                r" - h \mathrm{mean}(g \circ \bar{y} \circ h))",
            ),
            "g": Line(r"\bar{y}_i h_i", r"\bar{y} \circ h"),
            "b": Line(r"\bar{y}_i", r"\bar{y}"),
        },
    ),
    Form(
        "rms norm",
        (RMS, RMS_PRODUCT),
        "y",
        {
            "x": Line(
                r"\frac{1}{r} (g_i \bar{y}_i - h_i \frac{1}{d} \sum_j g_j \bar{y}_j h_j)",
                r"\frac{1}{r} (g \circ \bar{y} - h \mathrm{mean}(g \circ \bar{y} \circ h))",
            ),
            "g": Line(r"\bar{y}_i h_i", r"\bar{y} \circ h"),
        },
    ),
    Form(
        "batch norm",
        (BATCH, BATCH_VARIANCE),
        "Y",
        {
            "X": Line(
                r"\frac{g_j}{\sigma_j} (\bar{Y}_{ij} - \frac{1}{n} \sum_k \bar{Y}_{kj}"
                r" - H_{ij} \frac{1}{n} \sum_k \bar{Y}_{kj} H_{kj})"
            ),
            "g": Line(r"\sum_i \bar{Y}_{ij} H_{ij}", r"\mathrm{colsum}(\bar{Y} \circ H)"),
            "b": Line(r"\sum_i \bar{Y}_{ij}", r"\mathrm{colsum}(\bar{Y})"),
        },
    ),
    Form(
        "group norm",
        (GROUP, GROUP_POWER),
        "Y",
        {
            "X": Line(
                r"\frac{1}{\sigma_g} (w_{ga} \bar{Y}_{ga} - \frac{1}{m} \sum_c w_{gc} \bar{Y}_{gc}"
                r" - H_{ga} \frac{1}{m} \sum_c w_{gc} \bar{Y}_{gc} H_{gc})"
            ),
            "w": Line(r"\bar{Y}_{ga} H_{ga}", r"\bar{Y} \circ H"),
        },
    ),
    Form(
        "weight norm",
        (
            "r = \\sqrt{\\sum_i v_i^2}\nu_i = \\frac{v_i}{r}\nw_i = g u_i",
            "<!-- symattn: sizes v:(d) -->\nr = \\|v\\|\nu_i = v_i / r\nw_i = g u_i",
        ),
        "w",
        {
            "g": Line(r"\sum_i u_i \bar{w}_i", r"u^\top \bar{w}"),
            "v": Line(
                r"\frac{g}{r} (\bar{w}_i - u_i \sum_j u_j \bar{w}_j)",
                r"\frac{g}{r} (\bar{w} - u u^\top \bar{w})",
            ),
        },
    ),
    Form(
        "unit vector",
        (
            "r = \\sqrt{\\sum_i x_i^2}\nu_i = \\frac{x_i}{r}",
            "<!-- symattn: sizes x:(d) -->\nr = \\|x\\|\nu_i = x_i / r",
        ),
        "u",
        {
            "x": Line(
                r"\frac{1}{r} (\bar{u}_i - u_i \sum_j u_j \bar{u}_j)",
                r"\frac{1}{r} (\bar{u} - u u^\top \bar{u})",
            )
        },
    ),
]
