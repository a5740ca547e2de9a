"""Forms from the derivative as the rules give it, and rules beside them; each with a near miss."""

import gc

import pytest

import symattn as sa
from symattn import normalize as nf
from symattn.budget import few_collections
from symattn.exponents import over_one_bar
from symattn.model import model


def printed(text, of, wrt):
    d = sa.jacobian(sa.read(text), of=of, wrt=wrt)
    assert d.check_steps().ok
    return d.equation().partition(" = ")[2]


def case(text, of, wrt, line):
    return pytest.param("<!-- symattn: " + text, of, wrt, line, id=f"{line[:40]}")


CALL = r"""scalars S s c; positive S s -->
d = \frac{\log S}{s} + \frac{s}{%s}
C = S \operatorname{erf}(\frac{d}{\sqrt{2}}) - c \operatorname{erf}(\frac{d - s}{\sqrt{2}})"""


@pytest.mark.parametrize(
    ("text", "of", "wrt", "line"),
    [
        # brackets differentiated as names: their product rule is what a person writes
        case(
            "scalars t -->\nB_a = (1 - t)^2 p_a + 2 t (1 - t) q_a + t^2 r_a",
            "B",
            "t",
            r"2 \left(1 - t\right) \left(q_a - p_a\right) + 2 t \left(r_a - q_a\right)",
        ),
        case(  # a polynomial that is shorter as one
            "scalars v m -->\nq = v (1 - v)",
            "q",
            "v",
            "1 - 2 v",
        ),
        # Σ_i of shifted components is not 0, but Σ_i x_i − Σ_i x_i is
        case(
            "scalars k a -->\nH = \\frac{k}{2} \\sum_i (x_{i+1} - x_i - a)^2",
            "H",
            "a",
            r"-k \sum_{i} \left(x_{i+1} - x_i - a\right)",
        ),
        case(
            "scalars k a -->\nH = \\frac{k}{2} \\sum_i (x_i + a)^2 - k a \\sum_i x_i",
            "H",
            "a",
            r"k a n_i",
        ),
        # an argument stands as the author has it
        case(
            "scalars w k -->\nL = \\sum_t y_t \\cos(w s_t + k s_t^2)",
            "L",
            "w",
            r"-\sum_{t} y_t s_t \sin(w s_t + k s_t^2)",
        ),
        case(
            "scalars w k -->\nL = \\sum_t y_t \\cos(s_t (w + k s_t))",
            "L",
            "w",
            r"-\sum_{t} y_t s_t \sin(s_t \left(w + k s_t\right))",
        ),
        # q = v^{1 − r}, for a bracket q
        case(
            "scalars b r c m; positive b c m -->\nV = (b c^{1 - r} + m)^{\\frac{1}{1 - r}}",
            "V",
            "c",
            r"b V^{r} c^{-r}",
        ),
        # e^u = 1 − p of p = 1 − e^u, and of no other
        case(
            "scalars y h -->\np = 1 - e^{-h}\nL = -y \\log p + (1 - y) h",
            "L",
            "h",
            r"1 - \frac{y}{p}",
        ),
        case(
            "scalars y h -->\np = 2 - e^{-h}\nL = -y \\log p",
            "L",
            "h",
            r"-\frac{y e^{-h}}{p}",
        ),
        # F − a says less than the sum that it is; U − T S of a free energy does not
        case(
            "scalars a b -->\nF = a + \\frac{1}{1 - b} \\sum_i \\max(0, l_i - a)",
            "F",
            "b",
            r"\frac{\sum_{i} \max\left(0, l_i - a\right)}{\left(1 - b\right)^{2}}",
        ),
        # nothing is divided by a Σ that was not below a bar
        case(
            "scalars x h -->\nk_i = e^{-(x - c_i)^2 / h}\nf = \\frac{1}{h} \\sum_i k_i",
            "f",
            "c",
            r"\frac{2 k_i}{h^{2}} \left(x - c_i\right)",
        ),
        # nor is the norm below it hidden behind the name that is made of it alone
        case(
            "scalars G -->\nV = -\\frac{G}{\\sqrt{\\sum_a x_a^2}}",
            "V",
            "x",
            r"\frac{G x_a}{\left(\sum_{i} x_i^2\right)^{3/2}}",
        ),
        # a sum that ends before its axis does, and one that does not
        case(
            "scalars k; sizes x:(n) -->\nH = \\frac{k}{2} \\sum_{t=1}^{n-1} (x_{t+1} - x_t)^2",
            "H",
            "x",
            r"k \cdot \left(\left[t > 1\right] \left(x_t - x_{t-1}\right) - "
            r"\left[t \le n - 1\right] \left(x_{t+1} - x_t\right)\right)",
        ),
        case(
            "scalars k; sizes x:(n) -->\nH = \\frac{k}{2} \\sum_{t=1}^{n} (x_{t+1} - x_t)^2",
            "H",
            "x",
            r"k \cdot \left(2 x_t - x_{t-1} - x_{t+1}\right)",
        ),
        case(
            "scalars a; sizes x:(n) y:(n); indices from 1 -->\n"
            "L = \\sum_{t=2}^{n-1} y_t (x_{t+1} + x_{t-1})",
            "L",
            "x",
            r"\left[t \le n - 2\right] y_{t+1} + \left[t \ge 3\right] y_{t-1}",
        ),
    ],
)
def test_what_is_printed(text, of, wrt, line):
    assert printed(text, of, wrt) == line


def test_exponentials_that_a_definition_makes_one():
    """e^{-(d − s)²/2} = S e^{−d²/2} for d = log S/s + s/2, so both terms with it go."""
    assert printed("<!-- symattn: " + CALL % 2, "C", "c").startswith("-")
    whole = printed(("<!-- symattn: " + CALL % 2).replace("- c ", "- "), "C", "S")
    assert whole == r"\operatorname{erf}\left(\frac{d}{\sqrt{2}}\right)"
    other = printed(("<!-- symattn: " + CALL % 3).replace("- c ", "- "), "C", "S")
    assert other.count("e^") == 2


def test_a_matrix_beside_its_own_inverse():
    text = r"""
<!-- symattn: sizes C:(d,d) B:(d,k) D:(d,d) S:(d,d); symmetric S D; definite C -->
C = B B^\top + D
L = -\frac{1}{2} \log \det C - \frac{1}{2} \operatorname{tr}(C^{-1} S)
"""
    d = sa.jacobian(sa.read(text), of="L", wrt="B")
    assert d.matrix_form().partition(" = ")[2] == r"C^{-1} \left(S - C\right) C^{-1} B"
    assert d.check_steps().ok
    d = sa.jacobian(sa.read(text.replace(r"\log \det C", r"2 \log \det C")), of="L", wrt="B")
    assert "S - C" not in d.matrix_form()


def test_letters_of_a_result_are_no_names():
    text = r"""
<!-- symattn: sizes g:(n) P:(n,m) q:(n) -->
S = \operatorname{diag}(g) P
o = S^\top q
"""
    d = sa.backward(sa.read(text), output="o", wrt=("P",))["P"]
    assert "q" not in {i.name for i in d.indices}
    assert d.equation() == r"\bar P_{pr} = g_p q_p \bar o_r"


def test_powers_of_a_sum_over_one_bar():
    """q^{1/(1 − r)}/q = q^{r/(1 − r)} for a sum q, whatever sign its normal form has."""
    text = r"""
<!-- symattn: scalars b r c m; positive b c m -->
q = (1 - b) c^{1 - r} + b m^{1 - r}
V = q^{\frac{1}{1 - r}}
A = \frac{V}{q}
B = V^r
C = \frac{V}{-q}
D = \frac{V}{q^2}
E = V^{r + 1}
"""
    m = model(sa.read(text))
    form = {n: over_one_bar(m.inline(b.normal)) for n, b in m.bodies.items()}
    assert form["A"] is form["B"]
    assert form["C"] is nf.scale(form["B"], -1)
    assert not {form["B"], nf.scale(form["B"], -1)} & {form["D"], form["E"]}


@pytest.fixture
def threshold():
    """What Python begins with."""
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield (700, 10, 10)
    gc.set_threshold(*before)


def test_the_collection_of_cycles_is_as_before_behind_a_call(threshold):
    with few_collections():
        assert gc.get_threshold()[0] > threshold[0]
        with few_collections():
            assert gc.get_threshold()[0] > threshold[0]
        assert gc.get_threshold()[0] > threshold[0]
    assert gc.get_threshold() == threshold
    with pytest.raises(sa.SymattnError):
        sa.jacobian(sa.read("y = x^2"), of="z", wrt="x")
    assert gc.get_threshold() == threshold
