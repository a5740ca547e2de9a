"""Results of systems in LaTeX, as they are printed."""

import pytest

import symattn as sa


def _form(text, of, wrt):
    return sa.jacobian(sa.read(text), of=of, wrt=wrt).equation().partition(" = ")[2]


@pytest.mark.parametrize(
    "text, of, wrt, printed",
    [
        (  # σ of two exponentials
            "P_{ij} = \\frac{e^{s_i}}{e^{s_i} + e^{s_j}}\n"
            "L = -\\sum_{ij} W_{ij} \\log P_{ij}",
            "L",
            "s",
            r"\sum_{j} \left(W_{ji} P_{ij} - W_{ij} P_{ji}\right)",
        ),
        (  # 1/(e^u + e^v) is recognised with the u that cancels
            r"L = \sum_{ij} M_{ij} \log(1 + e^{-(s_i - s_j)})",
            "L",
            "s",
            r"\sum_{j} \sigma(s_i - s_j) \left(M_{ij} + M_{ji}\right) - \sum_{j} M_{ij}",
        ),
        (  # one fraction
            r"L = \sum_i (y_i + r) \log(r + m_i) - \sum_i y_i \log(m_i)",
            "L",
            "m",
            r"\frac{r \cdot \left(m_i - y_i\right)}{m_i \left(r + m_i\right)}",
        ),
        (  # C^ρ, and x^ρ / x
            r"C = \left(\sum_i a_i x_i^\rho\right)^{1/\rho}",
            "C",
            "a",
            r"\frac{C^{1 - \rho} x_i^{\rho}}{\rho}",
        ),
        (  # e^{−u} beside e^u
            "m_i = \\exp(u_i)\nL = \\sum_i y_i \\exp(-u_i) + \\sum_i u_i",
            "L",
            "u",
            r"1 - \frac{y_i}{m_i}",
        ),
        (  # the author's quotient
            r"L = c^2 (\sqrt{1 + (\frac{r}{c})^2} - 1)",
            "L",
            "r",
            r"\frac{r}{\sqrt{1 + \left(\frac{r}{c}\right)^{2}}}",
        ),
        ("u = e^{-k r}\nE = D (1 - u)^2", "E", "D", r"\left(1 - u\right)^{2}"),
        (r"\delta_t = y_t - z_t" + "\n" + r"L = \sum_t \delta_t^2", "L", "y", r"2 \delta_t"),
        (r"\pi_i = x_i^2" + "\n" + r"L = \sum_i \pi_i w_i", "L", "w", r"\pi_i"),
        (  # no letter is a name
            "m = \\sum_i x_i\nj_i = x_i - m\nL = \\sum_i j_i^2",
            "L",
            "x",
            r"2 \left(j_i - \sum_{k} j_k\right)",
        ),
        (r"y = \tanh^2(x)", "y", "x", r"2 \tanh(x) \left(1 - \tanh^2(x)\right)"),
        (r"K = p \log p - p \log q - p", "K", "p", r"\log(p) - \log(q)"),
        # a quotient of names says nothing in its own derivative, an exponential does
        (r"v = \frac{V S}{K + S}", "v", "K", r"-\frac{V S}{\left(K + S\right)^{2}}"),
        (r"k = A e^{-\frac{E}{R}}", "k", "E", r"-\frac{k}{R}"),
        (  # L is not 0 where it has a logarithm
            r"Y = A K^\alpha L^{1 - \alpha}",
            "Y",
            "L",
            r"\frac{Y \cdot \left(1 - \alpha\right)}{L}",
        ),
        ("y = c w e^x\nL = y z + w^2", "L", "w", r"c z e^{x} + 2 w"),  # and not y z/w
        (  # what is predicted stands before what is seen, beside other terms
            r"L = \frac{1}{2} \sum_i (y_i - \sum_a X_{ia} w_a)^2 + \frac{m}{2} \sum_a w_a^2",
            "L",
            "w",
            r"\sum_{i} X_{ia} \left(\sum_{j} X_{ij} w_j - y_i\right) + m w_a",
        ),
        (
            r"L = \frac{1}{2} \sum_i (y_i - \sum_a X_{ia} w_a)^2",
            "L",
            "w",
            r"-\sum_{i} X_{ia} \left(y_i - \sum_{j} X_{ij} w_j\right)",
        ),
        (  # beside δ_ij the letters are one; not beside another sum of the same letters
            "D = 1 + \\sum_j k_j p_j\nt_i = \\frac{k_i p_i}{D}",
            "t",
            "p",
            r"\frac{k_j}{D} \left(\delta_{ij} - t_i\right)",
        ),
        (r"t_i = k_i p_i - c_i \sum_j q_j p_j", "t", "p", r"\delta_{im} k_i - c_i q_m"),
        # E − μ as the author has it, and y − x of (x − y)²
        (
            r"n = \frac{1}{e^{b \cdot (E - \mu)} - 1}",
            "n",
            "b",
            r"-n \cdot \left(E - \mu\right) \left(1 + n\right)",
        ),
        (r"f = e^{-b \cdot (x - y)^2}", "f", "x", r"2 b f \cdot \left(y - x\right)"),
        (  # three terms over one bar
            "I = \\sum_i p_i y_i\nU = \\sum_i (p_i + y_i) - I\nJ = 1 - \\frac{I}{U}",
            "J",
            "p",
            r"\frac{1}{U^{2}} \left(I - y_i \left(I + U\right)\right)",
        ),
        # a definition under another power; v³ is no v²
        ("g = \\frac{1}{\\sqrt{1 - \\frac{v^2}{c^2}}}\np = g m v", "p", "v", r"g^{3} m"),
        (
            "q = 1 - \\frac{v^3}{c^3}\nf = q + v^2",
            "f",
            "v",
            r"v \cdot \left(2 - \frac{3 v}{c^{3}}\right)",
        ),
        (  # the author's sum below the bar, and above it what is left of a name
            r"v = \frac{V S}{K + S + \frac{S^2}{J}}",
            "v",
            "S",
            r"\frac{V}{\left(K + S + \frac{S^{2}}{J}\right)^{2}} "
            r"\left(K - \frac{S^{2}}{J}\right)",
        ),
        (
            "D = K + S + \\frac{S^2}{J}\nv = \\frac{V S}{D}",
            "v",
            "S",
            r"\frac{V}{D^{2}} \left(K - \frac{S^{2}}{J}\right)",
        ),
        # a polynomial in x stays one; numbers stay with the author's differences
        (r"H = \sum_i (\frac{k}{2} x_i^2 + \frac{c}{4} x_i^4)", "H", "x", r"k x_i + c x_i^3"),
        (
            r"f = (a - x)^2 + b (y - x^2)^2",
            "f",
            "x",
            r"2 \left(x - a\right) - 4 b x \cdot \left(y - x^{2}\right)",
        ),
        # e^{-L} is no shorter than its sum, e^{F - a} is a weight
        (
            "<!-- symattn: scalars p l -->\nL = \\log(p + (1 - p) e^{-l})",
            "L",
            "p",
            r"\frac{1 - e^{-l}}{p + e^{-l} \left(1 - p\right)}",
        ),
        (
            "<!-- symattn: scalars F a b c -->\nF = -\\log(e^{-a} + e^{-b} + e^{-c})",
            "F",
            "a",
            r"e^{F - a}",
        ),
        (  # symmetric as what it is made of is; not with c_i in front
            "D_{ij} = \\sum_a (x_{ia} - x_{ja})^2\nW_{ij} = e^{-D_{ij}}\nU = \\sum_{ij} W_{ij}",
            "U",
            "x",
            r"4 \sum_{j} W_{ij} \left(x_{ja} - x_{ia}\right)",
        ),
        (
            "D_{ij} = \\sum_a (x_{ia} - x_{ja})^2\nW_{ij} = c_i e^{-D_{ij}}\nU = \\sum_{ij} W_{ij}",
            "U",
            "x",
            r"2 \sum_{j} \left(W_{ij} + W_{ji}\right) \left(x_{ja} - x_{ia}\right)",
        ),
        (r"y = a \tanh(\frac{x}{a})", "y", "x", r"1 - \frac{y^{2}}{a^{2}}"),
        # t/√t, and t/|t|
        ("d = \\frac{r t + \\log k}{\\sqrt{t}}", "d", "r", r"\sqrt{t}"),
        ("d = \\frac{r t + \\log k}{\\sqrt{t^2}}", "d", "r", r"\frac{t}{\left|t\right|}"),
        # 1/p − 1 of two exponentials; a quotient of definitions beside what is not made of it
        (
            "p_i = \\frac{e^{a_i}}{e^{a_i} + e^{b_i}}\n"
            "L = -\\sum_i (y_i \\log p_i + (1 - y_i) \\log(1 - p_i))",
            "L",
            "b",
            "y_i - p_i",
        ),
        (
            "<!-- symattn: symmetric B S -->\nN = \\sum_{ij} w_i B_{ij} w_j\n"
            "D = \\sum_{ij} w_i S_{ij} w_j\nJ = \\frac{N}{D}",
            "J",
            "w",
            r"\frac{2}{D} \sum_{j} w_j \left(B_{ij} - J S_{ij}\right)",
        ),
        (
            "<!-- symattn: scalars G M -->\nr = \\sqrt{\\sum_i x_i^2}\nV = -\\frac{G M}{r}",
            "V",
            "x",
            r"\frac{G M x_i}{r^{3}}",
        ),
        (
            "<!-- symattn: scalars A B c -->\ng = \\frac{A \\sqrt{c}}{1 + B \\sqrt{c}}",
            "g",
            "c",
            r"\frac{A}{2 \sqrt{c} \cdot \left(1 + B \sqrt{c}\right)^{2}}",
        ),
        # powers of the output that leave nothing of it; one that does not divide by a new name
        ("<!-- symattn: scalars a h x -->\nf = \\frac{a x^2}{1 + a h x^2}", "f", "h", "-f^{2}"),
        (
            "<!-- symattn: scalars a b -->\nf = (\\frac{1}{a} + \\frac{1}{b})^{-1}",
            "f",
            "a",
            r"\frac{f^{2}}{a^{2}}",
        ),
        (
            "<!-- symattn: scalars a b -->\nf = \\frac{a b}{a + b}",
            "f",
            "a",
            r"\frac{b^{2}}{\left(a + b\right)^{2}}",
        ),
        ("k = A e^{-E / (R T)}", "k", "A", r"\frac{k}{A}"),
        ("k = A e^{-E / (R T)}", "k", "T", r"\frac{E k}{R T^{2}}"),
        # a root that is left is not hidden behind the name that is made of it
        ("A = \\pi r \\sqrt{r^2 + h^2}", "A", "h", r"\frac{\pi r h}{\sqrt{r^{2} + h^{2}}}"),
        (
            "V = -\\frac{G}{\\sqrt{r^2 + z^2}}",
            "V",
            "z",
            r"\frac{G z}{\left(r^{2} + z^{2}\right)^{3/2}}",
        ),
        # brackets with the signs of the author, one bar, no definition backwards
        (
            "x = \\frac{h}{T}\nB = \\frac{h^3}{c^2 \\cdot (e^x - 1)}",
            "B",
            "T",
            r"\frac{x B e^{x}}{T \cdot \left(e^{x} - 1\right)}",
        ),
        (
            "p = \\frac{a}{V \\cdot (V + b)}",
            "p",
            "V",
            r"-\frac{a \cdot \left(2 V + b\right)}{V^{2} \left(V + b\right)^{2}}",
        ),
        (
            "r = y - x e^{-k t}\nL = \\frac{1}{2} r^2",
            "L",
            "k",
            r"r x t e^{-k t}",
        ),
        ("V = \\frac{J}{r^2} - \\frac{k}{r}", "V", "r", r"\frac{k}{r^{2}} - \frac{2 J}{r^{3}}"),
        ("K = \\frac{1}{2} w^2 \\sin^2 \\theta", "K", "w", r"w \sin^2(\theta)"),
        # 1/w in place of what is below the bar of w, in sums too
        (
            "w_{ij} = \\frac{1}{1 + \\sum_a (y_{ia} - y_{ja})^2}\n"
            "C = \\sum_{i,j} p_{ij} \\log w_{ij}",
            "C",
            "y",
            r"2 \sum_{j} w_{ij} \left(p_{ij} + p_{ji}\right) \left(y_{ja} - y_{ia}\right)",
        ),
        # both maxima of the author
        (
            "r_i = y_i - w x_i\n"
            "L = \\sum_i (a \\max(0, r_i)^2 + (1 - a) \\max(0, -r_i)^2)",
            "L",
            "w",
            r"2 \sum_{i} x_i \left(\max\left(0, -r_i\right) \left(1 - a\right)"
            r" - a \max\left(0, r_i\right)\right)",
        ),
        # N is no zero where its logarithm stands
        (
            "<!-- symattn: scalars N k V c -->\nS = N k (\\log V - \\log N + c)",
            "S",
            "N",
            r"\frac{S}{N} - k",
        ),
        (
            "<!-- symattn: scalars N k V c -->\nS = N k (\\log V - \\log N + c)",
            "S",
            "k",
            r"N \cdot \left(\log(V) + c - \log(N)\right)",
        ),
        (
            "<!-- symattn: scalars N k V c -->\nS = N k (\\log V + c)",
            "S",
            "N",
            r"k \left(\log(V) + c\right)",
        ),
        # the author's square over other names; what is nearly one
        (
            "L = \\frac{s \\cdot (x - m)^2}{m^2 x} + \\log s",
            "L",
            "s",
            r"\frac{\left(x - m\right)^{2}}{m^{2} x} + \frac{1}{s}",
        ),
        (
            "L = \\frac{s \\cdot (x^2 - 2 x m + 2 m^2)}{m^2 x} + \\log s",
            "L",
            "s",
            r"\frac{2}{x} + \frac{x}{m^{2}} + \frac{1}{s} - \frac{2}{m}",
        ),
        # from a parameter, not from another variable
        ("<!-- symattn: scalars m -->\nL = \\sum_i \\cos(x_i - m)", "L", "x", r"-\sin(x_i - m)"),
        ("L = \\sum_i \\cos(x_i - y_i)", "L", "x", r"\sin(y_i - x_i)"),
        ("L = \\sum_i \\cos(x_i - y_i)", "L", "y", r"\sin(x_i - y_i)"),
        # a polynomial beside other terms; squares and their differences
        ("f = t \\cdot (x - x^2 + x^4)", "f", "x", r"t \cdot \left(1 + 4 x^{3} - 2 x\right)"),
        ("f = t x - \\frac{1}{3} t x^3", "f", "x", r"t \cdot \left(1 - x^{2}\right)"),
        ("f = t x - \\frac{1}{4} t x^4", "f", "x", r"t \cdot \left(1 - x^{3}\right)"),
        # one fraction above a bar, two beside none
        ("y = a x^2 + b x + c\nz = \\sqrt{y}", "z", "x", r"\frac{b + 2 a x}{2 z}"),
        ("z = a x^2 + \\frac{1}{2} b x + c", "z", "x", r"\frac{b}{2} + 2 a x"),
        # powers: beside another exponential, from before a sum into it
        (
            "<!-- symattn: scalars x m k -->\nf = 1 - e^{-(x / m)^k}",
            "f",
            "m",
            r"-\frac{k}{m} \left(\frac{x}{m}\right)^{k} e^{-\left(\frac{x}{m}\right)^{k}}",
        ),
        (
            "<!-- symattn: indices from 1; scalars r -->\n"
            "L = \\sum_{i=1}^n \\frac{c_i}{(1 + r)^i}",
            "L",
            "r",
            r"-\sum_{i} \frac{i c_i}{\left(1 + r\right)^{i + 1}}",
        ),
        # Σ is not written beside a product of matrices, and is where it is elsewhere
        (
            "<!-- symattn: sizes W:(m,d) -->\nh = \\tanh(W x + b)\n"
            "L = \\sum_i \\sum_j V_{ij} h_j y_i",
            "L",
            "b",
            r"\left(1 - h_p^2\right) \sum_{i} V_{ip} y_i",
        ),
        (
            "<!-- symattn: sizes W:(m,d) -->\nh = \\tanh(W x + b)\nL = V_{ij} h_j y_i",
            "L",
            "b",
            r"\left(1 - h_p^2\right) V_{ip} y_i",
        ),
        (
            "<!-- symattn: sizes W:(d,d) -->\nL = \\log |\\det W|",
            "L",
            "W",
            r"\left(W^{-1}\right)_{ji}",
        ),
    ],
)  # fmt: skip
def test_forms_of_results(text, of, wrt, printed):
    assert _form(text, of, wrt) == printed


@pytest.mark.parametrize(
    ("of", "wrt", "printed"),
    [
        ("K", "T", r"\frac{H K}{R T^{2}}"),  # (G + T S) K/(R T²)
        ("K", "S", r"\frac{K}{R}"),
        ("K", "H", r"-\frac{K}{R T}"),
        ("Y", "H", r"H \cdot \left(2 G + H\right)"),  # and not 3 H² − 2 H T S
    ],
)
def test_a_definition_is_written_out_only_where_terms_cancel(of, wrt, printed):
    text = "<!-- symattn: scalars H S R T -->\nG = H - T S\nK = e^{-\\frac{G}{R T}}\nY = G H^2"
    assert _form(text, of, wrt) == printed
