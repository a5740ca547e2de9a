"""Every derivation holds; a file that is wrong is told so, with the place and the mend."""

import subprocess
import sys

import pytest

import symattn as sa
from symattn import gallery
from symattn.cli.pages import page
from symattn.comparison import Row
from symattn.model import model
from symattn.orders import outputs
from symattn.stated import declarations

from .conftest import SMALL


@pytest.mark.parametrize("name", gallery.names())
def test_what_a_derivation_claims_is_proved(name):
    """`symattn build --check` compiles and verifies, too."""
    entry = gallery.load(name)
    assert gallery.examine(entry, numbers=False).failures() == []
    assert entry.source and entry.text and entry.claims
    assert entry.path.parent.parent == gallery.folder()


@pytest.mark.parametrize("name", gallery.names()[::30])
def test_a_derivation_holds_and_is_compared_to_the_second_derivative(name):
    outcome = gallery.examine(gallery.load(name))
    assert outcome.failures() == []
    m = model(outcome.entry.system)
    compared = {row.name for row in outcome.rows if row.dtype == "float64"}
    for output in outputs(m):  # value, first and second derivative in every input
        inputs = m.uses(output) & m.inputs.keys()
        bars = {x: f"{output}: {x}_bar" for x in inputs}
        assert {output, *bars.values(), *(f"{bar}_dot" for bar in bars.values())} <= compared
    assert outcome.entry.title and "$$" in page(outcome)


def test_the_first_derivations_are_there():
    assert {"softmax_jacobian", "attention_backward", "free_energy", "worked_example"} <= set(
        gallery.names()
    )


def test_attention_comes_out_as_in_the_textbooks():
    forms = {d.name: d.matrix_form() for _, d in gallery.load("attention_backward").derivations()}
    assert forms["V_bar"] == r"\bar V = A^\top \bar O"
    assert forms["A_bar"] == r"\bar A = \bar O V^\top"
    assert (
        forms["S_bar"] == r"\bar S = A \circ \left(\bar A - \mathrm{rowsum}(A \circ \bar A)\right)"
    )
    assert forms["Q_bar"] == r"\bar Q = \tfrac{1}{\sqrt{d_k}} \bar S K"
    assert forms["K_bar"] == r"\bar K = \tfrac{1}{\sqrt{d_k}} \bar S^\top Q"


def test_the_output_does_not_depend_on_the_hash_seed():
    code = """
from symattn import gallery
from symattn.cli.pages import equation
from symattn.cli.show import as_markdown, as_text
for name in ["attention_backward", *gallery.names()[::12]]:
    entry = gallery.load(name)
    print(as_text(entry, entry.derivations()), as_markdown(entry, entry.derivations()))
    print(*(f"{c.label}: {equation(c.left, c.right)}" for c in entry.claims))
"""
    first, second = (
        subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            capture_output=True,
            env={
                "PYTHONHASHSEED": seed,
                "PYTHONPATH": ":".join(sys.path),
                "PYTHONIOENCODING": "utf-8",
            },
        ).stdout
        for seed in ("1", "271828")
    )
    assert b"attention" in first
    assert first == second


def write(tmp_path, text):
    path = tmp_path / "own.py"
    path.write_text(text, "utf-8")
    return str(path)


LATEX = [
    ("Twice the square", r"2 y = 2 x_j x_j = \sum_k 2 x_k^2"),
    ("In a component", r"\frac{\partial y}{\partial x_k} = 2 x_k"),
]


def test_claims_in_latex_know_the_names_of_the_system(tmp_path):
    text = SMALL[: SMALL.index("claims = ")] + f"claims = {LATEX!r}\nrefuted = {WRONG!r}\n"
    outcome = gallery.examine(gallery.load(write(tmp_path, text)), numbers=False)
    assert outcome.failures() == []
    assert [label for label, _ in outcome.verdicts] == ["Twice the square"] * 2 + ["In a component"]
    shown = page(outcome)
    assert shown.count(LATEX[0][1]) == 1 and "and the next link: proved" in shown
    assert "## Wrong, and refuted" in shown and "**Thrice**: refuted." in shown
    assert str(outcome.wrong[0][1].counterexample) in shown


WRONG = [("Thrice", r"y = 3 x_j x_j")]


def test_declarations_of_a_system_are_those_of_its_names():
    n, m = sa.sizes("n m")
    (i,), (j,) = sa.indices("i", n), sa.indices("j", m)
    R, g, T = (
        sa.tensor("R", 2 * n - 1),
        sa.tensor("g", m, m, symmetric=True),
        sa.tensor("T", positive=True),
    )
    w = sa.tensor("w", m, positive=True)
    d = sa.define("d", (i, j), T * R[i + n - 1] * g[j, j] * w[j] / n)
    assert declarations(sa.System(d)) == (
        "<!-- symattn: sizes R:(2*n-1) d:(n,m) g:(m,m) w:(m); scalars T; "
        "symmetric g; positive T w -->"
    )


def test_a_path_is_a_name_too(tmp_path):
    entry = gallery.load(write(tmp_path, SMALL))
    assert (entry.name, entry.title) == ("own", "The gradient of a square")
    assert entry.text == "Of the sum of the squares of a vector $x$."
    assert gallery.examine(entry).ok


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("2 * y,", "3 * y,"), "claim “Twice the square”: refuted"),
        (("results = {", "results_ = {"), "did you mean `results`?"),
        (("system = ", "the_system = "), "name 'system' is not defined"),
        (
            ('results = {"Gradient": sa.jacobian(system, of="y", wrt="x")}', "results = [1]"),
            "`results` is not a dict from labels",
        ),
        (('claims = [("Twice the square", 2 * y,', "claims = [(2 * y,"), "`claims` is not a list"),
        (("2 * y, sa.total(2 * x[j] ** 2, j)", r'r"2 y = 3 x_j x_j"'), "square”: refuted"),
        (
            ("2 * y, sa.total(2 * x[j] ** 2, j)", r'r"2 y + x_j x_j"'),
            "square”: this is no equation",
        ),
        (
            ("2 * y, sa.total(2 * x[j] ** 2, j)", r'r"2 y = \frac{1"'),
            "claim “Twice the square”: line",
        ),
        (("claims = ", "refuted = "), "“Twice the square” is stated to be wrong, and is not"),
        (('of="y"', 'of="z"'), "own.py, line 16: there is no tensor 'z' in the system"),
        (
            ("x = sa.tensor", "x == sa.tensor"),
            "own.py, line 12: NameError: name 'x' is not defined",
        ),
        (
            ("(n,) =", "(n, ="),
            "own.py is not a Python file: invalid syntax\n  in:       line 10: (n,",
        ),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_what_is_wrong_in_a_file_is_said(tmp_path, change, said):
    assert change[0] in SMALL
    path = write(tmp_path, SMALL.replace(*change))
    try:
        text = "\n".join(gallery.examine(gallery.load(path)).failures())
    except sa.SymattnError as error:
        text = str(error)
    assert said in text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1", "there is no `system`"),
        ("import symattn as sa\nsystem = sa.System()", "nothing is derived or claimed"),
        ("system = 3\nclaims = []", "`system` is not a sa.System"),
        ("import symattn as sa\nsystem = sa.System()\nchecks = 3", "`checks` is not a function"),
    ],
)
def test_what_is_missing_in_a_file_is_said(tmp_path, text, said):
    with pytest.raises(sa.DefinitionError, match=said):
        gallery.load(write(tmp_path, text))


def test_an_unknown_name_comes_with_the_nearest():
    with pytest.raises(sa.SymattnError) as error:
        gallery.load("softmax_jacobean")
    assert "there is no derivation 'softmax_jacobean'" in str(error.value)
    assert "did you mean softmax_jacobian" in str(error.value)
    with pytest.raises(sa.SymattnError, match=r"there is no file 'nowhere\.py'"):
        gallery.load("nowhere.py")


def test_checks_and_exhibits_are_part_of_the_outcome(tmp_path):
    more = """
from symattn.comparison import Row
def checks():
    return [Row("y", "a table", "float64", 1.0, 1.0, 1e-6)]
def exhibits():
    return [("The value", "y = 2")]
"""
    outcome = gallery.examine(gallery.load(write(tmp_path, SMALL + more)))
    assert outcome.failures() == ["y differs from a table in float64: 1.0e+00 is more than 1e-06"]
    assert "**The value**\n\n$$\ny = 2\n$$" in page(outcome)
    assert Row("y", "a table", "float64", 1.0, 1.0, 1e-6) in outcome.rows


def test_an_error_in_a_check_names_the_file(tmp_path):
    path = write(tmp_path, SMALL + "\ndef checks():\n    return 1 / 0\n")
    with pytest.raises(sa.SymattnError, match=r"own.py, line 20: ZeroDivisionError"):
        gallery.examine(gallery.load(path))


def test_matrices_limits_and_inequalities_are_claims(tmp_path):
    more = """
import sympy as sp
t = sp.Symbol("t", positive=True)
claims += [
    ("entries", sp.Matrix([[1, 2]]), sp.Matrix([[1, 1 + 1]])),
    ("a wrong entry", sp.Matrix([[1, 2]]), sp.Matrix([[1, 3]])),
    ("a limit", sp.Limit(t / (1 + t), t, sp.oo), 1),
    ("not the limit", sp.Limit(t / (1 + t), t, sp.oo), 2),
    ("a bound", r"y \\ge 0"),
    ("no bound", r"y \\ge 1"),
]
"""
    outcome = gallery.examine(gallery.load(write(tmp_path, SMALL + more)))
    assert {label: v.status for label, v in outcome.verdicts} == {
        "Twice the square": "proved",
        "entries": "proved",
        "a wrong entry": "refuted",
        "a limit": "proved",
        "not the limit": "refuted",
        "a bound": "proved",
        "no bound": "refuted",
    }
    assert r"\lim_{t \to \infty}" in page(outcome)
