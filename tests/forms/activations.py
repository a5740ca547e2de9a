"""Activations of one variable, and gates."""

from .form import Form, Line

FORMS = [
    Form(
        "sigmoid",
        (r"s = \frac{1}{1 + e^{-x}}", r"s = \frac{e^x}{1 + e^x}"),
        "s",
        {"x": Line(r"s (1 - s)")},
    ),
    Form(
        "tanh",
        (r"t = \tanh(x)", r"t = \frac{e^x - e^{-x}}{e^x + e^{-x}}"),
        "t",
        {"x": Line(r"1 - t^2")},
    ),
    Form(
        "softplus",
        (r"y = \log(1 + e^x)", r"y = -\log(\sigma(-x))"),
        "y",
        {"x": Line(r"\sigma(x)")},
    ),
    Form(
        "silu",
        ("s = \\frac{1}{1 + e^{-x}}\ny = x s", "s = \\sigma(x)\ny = x s"),
        "y",
        {"x": Line(r"s (1 + x (1 - s))")},
    ),
    Form(
        "swish",
        (
            "s = \\sigma(\\beta x)\ny = x s",
            "s = \\frac{1}{1 + e^{-\\beta x}}\ny = x s",
        ),
        "y",
        {"x": Line(r"s (1 + \beta x (1 - s))"), r"\beta": Line(r"x^2 s (1 - s)")},
    ),
    Form(
        "gelu",
        (
            "\\Phi = \\frac{1}{2} (1 + \\mathrm{erf}(\\frac{x}{\\sqrt{2}}))\ny = x \\Phi",
            "\\Phi = \\frac{1}{2} + \\frac{1}{2} \\mathrm{erf}(x / \\sqrt{2})\ny = x \\Phi",
        ),
        "y",
        {"x": Line(r"\Phi + \frac{x}{\sqrt{2 \pi}} e^{-x^2 / 2}")},
    ),
    Form(
        "gelu by tanh",
        (
            "t = \\tanh(\\sqrt{\\frac{2}{\\pi}} (x + c x^3))\ny = \\frac{1}{2} x (1 + t)",
            "t = \\tanh(\\sqrt{2 / \\pi} (x + c x^3))\ny = \\frac{x}{2} (1 + t)",
        ),
        "y",
        {
            "x": Line(
                r"\frac{1}{2} (1 + t) + \frac{1}{2} \sqrt{\frac{2}{\pi}} x (1 - t^2) (1 + 3 c x^2)"
            )
        },
    ),
    Form(
        "relu",
        (r"y = \max(0, x)", r"y = \mathrm{ReLU}(x)"),
        "y",
        {"x": Line(r"\mathbf{1}[x > 0]")},
    ),
    Form(
        "leaky relu",
        (
            r"y = \max(0, x) + \alpha \min(0, x)",
            r"y = \begin{cases} x & x > 0 \\ \alpha x & x \le 0 \end{cases}",
        ),
        "y",
        {
            "x": Line(r"\begin{cases} 1 & x > 0 \\ \alpha & x \le 0 \end{cases}"),
            r"\alpha": Line(r"\min(0, x)"),
        },
    ),
    Form(
        "elu",
        (
            "<!-- symattn: scalars alpha -->\n"
            r"y = \begin{cases} x & x > 0 \\ \alpha (e^x - 1) & x \le 0 \end{cases}",
            "<!-- symattn: scalars alpha -->\ny = \\max(0, x) + \\alpha (e^{\\min(0, x)} - 1)",
        ),
        "y",
        {"x": Line(r"\begin{cases} 1 & x > 0 \\ \alpha e^x & x \le 0 \end{cases}")},
    ),
    Form(
        "mish",
        (
            "t = \\tanh(\\log(1 + e^x))\ny = x t",
            "t = \\tanh(\\mathrm{softplus}(x))\ny = x t",
        ),
        "y",
        {"x": Line(r"t + x (1 - t^2) \sigma(x)")},
    ),
    Form(
        "softsign",
        (r"y = \frac{x}{1 + |x|}", r"y = x (1 + |x|)^{-1}"),
        "y",
        {"x": Line(r"\frac{1}{(1 + |x|)^2}")},
    ),
    Form(
        "log cosh",
        (r"y = \log(\cosh(x))", r"y = \log(\frac{e^x + e^{-x}}{2})"),
        "y",
        {"x": Line(r"\tanh(x)")},
    ),
    Form(
        "gated linear unit",
        (
            "s_i = \\frac{1}{1 + e^{-b_i}}\ny_i = a_i s_i",
            "s_i = \\sigma(b_i)\ny_i = a_i s_i",
        ),
        "y",
        {
            "a": Line(r"\bar{y}_i s_i", r"\bar{y} \circ s", "i"),
            "b": Line(
                r"\bar{y}_i a_i s_i (1 - s_i)",
                r"\bar{y} \circ a \circ s \circ (1 - s)",
            ),
        },
    ),
    Form(
        "gate between two states",
        (
            "g_i = \\frac{1}{1 + e^{-z_i}}\ny_i = (1 - g_i) h_i + g_i c_i",
            "g_i = \\sigma(z_i)\ny_i = h_i + g_i (c_i - h_i)",
        ),
        "y",
        {
            "h": Line(r"\bar{y}_i (1 - g_i)", r"\bar{y} \circ (1 - g)"),
            "c": Line(r"\bar{y}_i g_i", r"\bar{y} \circ g"),
            "z": Line(
                r"\bar{y}_i (c_i - h_i) g_i (1 - g_i)",
                r"\bar{y} \circ (c - h) \circ g \circ (1 - g)",
            ),
        },
    ),
    Form(
        "lstm cell",
        (
            "f_i = \\sigma(u_i)\ng_i = \\sigma(v_i)\nt_i = \\tanh(w_i)\ny_i = f_i c_i + g_i t_i",
            "f_i = \\frac{1}{1 + e^{-u_i}}\ng_i = \\frac{1}{1 + e^{-v_i}}\n"
            "t_i = \\tanh(w_i)\ny_i = f_i c_i + g_i t_i",
        ),
        "y",
        {
            "c": Line(r"\bar{y}_i f_i", r"\bar{y} \circ f"),
            "u": Line(r"\bar{y}_i c_i f_i (1 - f_i)", r"\bar{y} \circ c \circ f \circ (1 - f)"),
            "v": Line(r"\bar{y}_i t_i g_i (1 - g_i)", r"\bar{y} \circ t \circ g \circ (1 - g)"),
            "w": Line(r"\bar{y}_i g_i (1 - t_i^2)", r"\bar{y} \circ g \circ (1 - t \circ t)"),
        },
    ),
]
