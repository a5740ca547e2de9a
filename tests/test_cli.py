"""The command as its user meets it: what it prints, and what it says to wrong input."""

import json
import re
import subprocess
import sys
import time

import numpy as np
import pytest

import symattn as sa
from symattn import gallery
from symattn.cli import SHORT, UNUSABLE, WELL, check, parser

COMMANDS = ["list", "derive", "compile", "verify", "build", "bench"]


def test_the_version_is_printed_by_the_module_in_a_process_of_its_own():
    found = subprocess.run(
        [sys.executable, "-m", "symattn", "--version"], check=True, text=True, capture_output=True
    )
    assert found.stdout == f"symattn {sa.__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_examples_that_can_be_parsed(symattn, command):
    code, out, _ = symattn(command, "--help")
    assert code == WELL
    examples = [line.split() for line in out.split("examples:\n")[1].splitlines()]
    for _, *arguments in examples:
        assert parser().parse_args(arguments).command == command


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "required: COMMAND"),
        (["derve"], "invalid choice: 'derve'"),
        (["derive"], "required: NAME"),
        (["bench", "--rounds", "3"], "unrecognized arguments"),
    ],
)
def test_a_wrong_command_line_says_where_help_is(symattn, arguments, said):
    code, out, err = symattn(*arguments)
    assert (code, out) == (UNUSABLE, "")
    assert said in err and "--help" in err


def test_list_shows_names_and_titles(symattn):
    _, out, _ = symattn("list")
    assert re.search(r"^softmax_jacobian +The Jacobian of the row-wise softmax$", out, re.MULTILINE)
    _, out, _ = symattn("list", "--format", "json")
    assert {
        "name": "softmax_jacobian",
        "title": "The Jacobian of the row-wise softmax",
    } in json.loads(out)


def test_derive_prints_every_step_with_its_reason(symattn):
    code, out, _ = symattn("derive", "softmax_jacobian")
    assert code == WELL
    assert "  A[i,j] = exp(S[i,j]) / (Σ_l exp(S[i,l]))\n" in out
    assert "  ∂A[i,j]/∂S[m,n]\n" in out
    assert out.splitlines()[-1].split("  ") == [
        "",
        "",
        "= δ[i,m] A[i,j] (δ[j,n] - A[i,n])",
        *[""] * 6,
        "take out common factors",
    ]


def test_derive_for_other_tools(symattn):
    _, latex, _ = symattn("derive", "softmax_jacobian", "--format", "latex")
    assert latex.startswith("% Jacobian\n\\begin{aligned}\n\\frac{\\partial A^{ij}}")
    _, markdown, _ = symattn("derive", "softmax_jacobian", "--format", "markdown")
    assert markdown.startswith("# The Jacobian of the row-wise softmax\n\n### Jacobian\n\n$$\n")
    _, data, _ = symattn("derive", "softmax_jacobian", "--format", "json")
    (found,) = json.loads(data)
    assert found["expr"] == "(KroneckerDelta(j, n) - A[i, n])*KroneckerDelta(i, m)*A[i, j]"
    assert found["steps"][-1]["rule"] == "take out common factors"


def test_derive_something_else_from_the_same_definitions(symattn):
    _, out, _ = symattn("derive", "attention_backward", "--wrt", "V", "--format", "json")
    assert [d["matrix_form"] for d in json.loads(out)] == [r"\bar V = A^\top \bar O"]
    _, out, _ = symattn("derive", "attention_backward", "--wrt", "Q,V", "--format", "json")
    assert {d["lhs"] for d in json.loads(out)} >= {"Q_bar[i, a]", "V_bar[j, b]"}
    _, out, _ = symattn("derive", "attention_backward", "--of", "O", "--wrt", "A")
    assert "∂O[i,b]/∂A[m,n]" in out
    _, out, _ = symattn("derive", "attention_backward", "--output", "A", "--wrt", "S")
    assert "Gradients from A: S_bar" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["derive", "softmax"], "there is no derivation 'softmax'"),
        (["derive", "sofmax_jacobian"], "did you mean softmax_jacobian"),
        (["derive", "attention_backward", "--wrt", "W"], "there is no tensor 'W' in the system"),
        (["derive", "attention_backward", "--of", "O"], "write --of O --wrt X"),
        (["derive", "attention_backward", "--output", "O"], "write --output O --wrt X"),
        (["derive", "worked_example"], "worked_example says nothing of what to derive"),
        (["compile", "attention_backward", "--path", "flash"], "write --output Y --path flash"),
        (["compile", "attention_backward", "--output", "P"], "'P'"),
        (["compile", "softmax_jacobian", "-o", "no/such/folder/f.py"], "No such file or directory"),
        (["verify", "nowhere.py"], "there is no file 'nowhere.py'"),
        (["bench", "imports"], "did you mean import?"),
        (["bench", "check", "--count", "3", "nowhere.md"], "nowhere.md"),
        (["build", "smal"], "there is no derivation 'smal'"),
    ],
)
def test_an_input_that_cannot_be_used_is_said_without_a_traceback(symattn, arguments, said):
    code, out, err = symattn(*arguments)
    assert (code, out) == (UNUSABLE, "")
    assert said in err and err.startswith("symattn: ") and "Traceback" not in err


def test_compile_writes_a_module_that_stands_alone(symattn, tmp_path):
    file = tmp_path / "backward.py"
    code, out, _ = symattn(
        "compile", "attention_backward", "--wrt", "V", "--target", "numpy", "-o", str(file)
    )
    assert code == WELL and out.startswith(str(file))
    source = file.read_text("utf-8")
    assert "symattn" not in source.replace("symattn", "", 1) and "import symattn" not in source
    module: dict[str, object] = {}
    exec(source, module)
    rng = np.random.default_rng(0)
    q, k, up = (rng.normal(size=s) for s in ((2, 3), (4, 3), (2, 5)))
    function = next(f for name, f in module.items() if name.startswith("backward"))
    found = function(Q=q, K=k, O_bar=up)
    weights = np.exp(q @ k.T / 3**0.5)
    weights /= weights.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(found["V"], weights.T @ up, rtol=1e-12)


def test_compile_an_output(symattn):
    code, out, _ = symattn("compile", "attention_backward", "--output", "O")
    assert code == WELL and "def compute_O(" in out and "import jax" in out


def test_verify_tells_what_was_checked(symattn, small):
    code, out, err = symattn("verify", "small")
    assert (code, err) == (WELL, "")
    assert "  ok    proved: Twice the square\n" in out
    assert "  ok    dy/dx against jax autodiff, float64" in out
    _, out, _ = symattn("verify", "small", "--format", "json", "--seed", "5")
    (found,) = json.loads(out)
    assert found["ok"] and found["failures"] == []
    assert {n["reference"] for n in found["numbers"]} == {
        "jax autodiff",
        "differences",
        "definition",
    }


def test_verify_and_build_end_with_one_when_a_claim_falls_short(symattn, small, tmp_path):
    file = small / "small.py"
    file.write_text(file.read_text("utf-8").replace("2 * y,", "3 * y,"), "utf-8")
    code, out, err = symattn("verify")
    assert code == SHORT
    assert "WRONG refuted: Twice the square" in out and "fell short" in out
    assert "small: claim “Twice the square”: refuted" in err and "left" in err
    code, _, _ = symattn("build", "-o", str(tmp_path / "pages"))
    assert code == SHORT
    text = (tmp_path / "pages" / "small.md").read_text("utf-8")
    assert "**Twice the square**: refuted." in text and "0 of 1 claims are proved" in text


def test_a_file_that_cannot_be_checked_does_not_stop_the_others(symattn, small):
    text = (small / "small.py").read_text("utf-8")
    (small / "broken.py").write_text(text + "\ndef checks():\n    return 1 / 0\n", "utf-8")
    code, out, err = symattn("verify", "--format", "json")
    assert (code, err) == (SHORT, "")
    broken, small_ = json.loads(out)
    assert not broken["ok"] and "broken.py, line 20: ZeroDivisionError" in broken["error"]
    assert small_["ok"]


def test_build_writes_pages_and_check_compares_them(symattn, small, tmp_path):
    folder = tmp_path / "pages"
    check = ("build", "--check", "-o", str(folder))
    code, out, _ = symattn(*check)
    assert code == SHORT and "differ" in out and not folder.exists()
    code, out, _ = symattn("build", "-o", str(folder))
    assert code == WELL and "3 pages" in out
    assert symattn(*check)[0] == WELL
    text = (folder / "small.md").read_text("utf-8")
    assert r"\frac{\partial y}{\partial x^{" in text and "1 of 1 claims are proved" in text
    index = (folder / "index.md").read_text("utf-8")
    assert "| [The gradient of a square](small.md) |" in index
    assert "[1](small.md#claims)" in index and "in float64](small.md#checks)" in index
    notation = (folder / "notation.md").read_text("utf-8")
    assert "| $x$ | $n$ | given | [The gradient of a square](./small.md) |" in notation
    assert "| $y$ |  | $y = " in notation
    (folder / "small.md").write_text(text + "typed by hand\n", "utf-8")
    (folder / "gone.md").write_text("a derivation that is no more\n", "utf-8")
    code, out, _ = symattn(*check)
    assert code == SHORT and f"{folder / 'gone.md'}, {folder / 'small.md'}" in out
    symattn("build", "-o", str(folder))
    assert (folder / "small.md").read_text("utf-8") == text
    assert (folder / "gone.md").exists()  # nobody but `symattn build` writes its first line


def test_build_of_a_name_writes_its_page_alone(symattn, small, tmp_path):
    folder = tmp_path / "pages"
    code, out, _ = symattn("build", "small", "--fresh", "-o", str(folder))
    assert code == WELL and "1 pages" in out
    assert [f.name for f in folder.iterdir()] == ["small.md"]


def test_build_examines_only_what_changed(symattn, small, tmp_path, monkeypatch):
    examined = []
    genuine = gallery.examine
    monkeypatch.setattr(
        gallery, "examine", lambda e, seed: examined.append(e.name) or genuine(e, seed)
    )
    build = ("build", "--jobs", "1", "-o", str(tmp_path / "pages"))
    text = (small / "small.py").read_text("utf-8")
    other = small / "02_other_things"
    other.mkdir()
    (other / "other.py").write_text(text.replace("of a square", "of another"), "utf-8")
    assert symattn(*build)[0] == WELL and examined == ["small", "other"]
    index = (tmp_path / "pages" / "index.md").read_text("utf-8")
    assert "## Other things\n" in index and "[The gradient of another](other.md)" in index
    first = {p.name: p.read_bytes() for p in (tmp_path / "pages").iterdir()}
    assert symattn(*build)[0] == WELL and examined == ["small", "other"]
    (small / "small.py").write_text(text.replace("2 * y,", "3 * y,"), "utf-8")
    assert symattn(*build)[0] == SHORT and examined == ["small", "other", "small"]
    assert symattn(*build)[0] == SHORT and examined == ["small", "other", "small"]
    (small / "small.py").write_text(text, "utf-8")
    assert symattn(*build, "--fresh")[0] == WELL and examined[3:] == ["small", "other"]
    assert {p.name: p.read_bytes() for p in (tmp_path / "pages").iterdir()} == first
    monkeypatch.setattr("symattn.cli.build._engine", lambda: "another version")
    assert symattn(*build)[0] == WELL and sorted(examined[5:]) == ["other", "small"]


def test_several_at_a_time_make_the_same_pages(symattn, small, tmp_path):
    text = (small / "small.py").read_text("utf-8")
    (small / "second.py").write_text(text.replace("2 * y,", "1 * y + y,"), "utf-8")
    for jobs in ("1", "2"):
        assert symattn("build", "--fresh", "--jobs", jobs, "-o", str(tmp_path / jobs))[0] == WELL
    alone, both = ({p.name: p.read_bytes() for p in (tmp_path / j).iterdir()} for j in "12")
    assert len(alone) == 4 and alone == both


def test_plots_are_the_same_bytes_and_named_on_the_page(symattn, small, tmp_path):
    with (small / "small.py").open("a", encoding="utf-8") as file:
        file.write('plots = {"A line": lambda axes: axes.plot([0, 1], [0, 2])}\n')
    found = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        assert symattn("build", "--plots", "-o", str(folder))[0] == WELL
        found.append((folder / "plots" / "small_1.svg").read_bytes())
    assert found[0] == found[1] and b"<svg" in found[0]
    assert "![A line](plots/small_1.svg)" in (tmp_path / "one" / "small.md").read_text("utf-8")


def test_two_files_of_one_name_are_refused(symattn, small):
    (small / "01_group").mkdir()
    (small / "01_group" / "small.py").write_text((small / "small.py").read_text("utf-8"), "utf-8")
    code, _, err = symattn("list")
    assert code == UNUSABLE and "two derivations are called 'small'" in err


def test_bench_prints_rows_with_their_baseline(symattn, monkeypatch):
    rows = [{"case": "a", "against": "b", "ratio": 2.0, "bound": 1.0, "jax": False, "ms": None}]
    monkeypatch.setattr("symattn.bench.table", lambda name: rows)
    code, out, _ = symattn("bench", "import")
    assert code == SHORT and out.startswith("import: Importing symattn in a fresh process")
    assert out.split()[-6:] == ["a", "b", "2", "1", "no", "–"]
    code, out, _ = symattn("bench", "import", "--format", "json")
    assert code == SHORT and json.loads(out) == {"import": rows}


def test_bench_check_says_how_long_a_document_takes(symattn, tmp_path):
    file = tmp_path / "paper.md"
    file.write_text("$$ y = x^2 $$\n\n$$ \\frac{\\partial y}{\\partial x} = 2 x $$\n")
    code, out, _ = symattn("bench", "check", "--count", "0", str(file))
    assert code == 0
    said = r"^2 formulas as they stand; .* 300 take [\d.]+ s to read and [\d.]+ s to decide"
    assert re.search(said, out, re.MULTILINE)
    assert re.search(r"^all +0 +0 ", out, re.M)  # and no slip is made


def test_what_bench_measures_can_be_run():
    from symattn import bench

    assert [r"\begin{aligned}" in text for text in bench.attention_gradients()] == [True] * 3
    assert r"\begin{cases}" in bench.sympy_softmax_jacobian()
    for name in bench.TABLES:
        assert bench.caption(name)


PAPER = r"""# A short paper

$$ S^{ij} = Q^{ia} K^{ja} $$

$$ A^{ij} = \frac{\exp(S^{ij})}{\sum_l \exp(S^{il})} $$

Rows sum to one: $$ \sum_j A^{ij} = 1 $$
"""


def test_a_document_is_a_name_too(symattn, tmp_path):
    file = tmp_path / "paper.md"
    file.write_text(PAPER, "utf-8")
    code, out, _ = symattn("derive", str(file), "--wrt", "S")
    assert code == WELL and out.startswith("A short paper\n")
    assert "= A[i,j] (A_bar[i,j] - Σ_l A[i,l] A_bar[i,l])" in out
    code, out, _ = symattn("verify", str(file))
    assert code == WELL and "proved: line 7" in out
    file.write_text(PAPER.replace("= 1", "= 2"), "utf-8")
    code, out, err = symattn("verify", str(file))
    assert code == SHORT and "paper: claim “line 7”: refuted" in err


def test_a_document_is_read_with_the_shapes_that_its_words_state(symattn, tmp_path):
    file = tmp_path / "fit.md"
    shapes = r"Let $X \in \mathbb{R}^{n \times d}$, $W \in \mathbb{R}^{d \times k}$"
    loss = "\n\n$$ Z = X W $$\n\n$$ L = \\|Z - Y\\|_F^2 $$\n"
    file.write_text(shapes + r" and $Y \in \mathbb{R}^{n \times k}$." + loss, "utf-8")
    code, out, _ = symattn("derive", str(file), "--wrt", "W")
    assert code == WELL and r"X^\top \left(Z - Y\right)" in out
    file.write_text(shapes + loss, "utf-8")  # nothing says what Y is
    code, _, err = symattn("derive", str(file), "--wrt", "W")
    assert code == UNUSABLE and "Y is added to a matrix" in err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"__import__('os').abort()\n", "symattn: "),
        (b"A $$ S^{ij} = + $$\n", "paper.md: line 1, column"),
        (b"\xff\n", "not UTF-8"),
        (b"no formula\n", "paper.md: "),
    ],
)
def test_a_document_that_cannot_be_read_is_said(symattn, tmp_path, text, said):
    file = tmp_path / "paper.md"
    file.write_bytes(text)
    for command in ("derive", "verify"):
        code, out, err = symattn(command, str(file))
        assert (code, out) == (UNUSABLE, "")
        assert said in err and "Traceback" not in err


@pytest.mark.parametrize(
    ("patience", "terminal", "seen"), [(0.01, True, True), (60, True, False), (0.01, False, False)]
)
def test_a_bar_stands_while_a_text_is_read(monkeypatch, capsys, patience, terminal, seen):
    if terminal:
        monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr(check, "PATIENCE", patience)
    with check._progress() as step:
        step("paper.tex")
        time.sleep(0.3)
    assert ("reading paper.tex" in capsys.readouterr().err) == seen


def test_the_folder_is_inside_an_installed_package(tmp_path, monkeypatch):
    package = tmp_path / "symattn"
    (package / "_derivations").mkdir(parents=True)
    monkeypatch.setattr(gallery, "__file__", str(package / "gallery.py"))
    assert gallery.folder() == package / "_derivations"


def test_a_document_is_derived_without_flags(symattn, tmp_path):
    page = tmp_path / "norm.md"
    page.write_text("# Norm\n\n$$\nr = \\sqrt{\\sum_i x_i^2}\n$$\n\n$$\nu_i = \\frac{x_i}{r}\n$$\n")
    code, text, _ = symattn("derive", str(page))
    assert code == WELL
    assert "Gradients of u, which the document ends in, by its inputs x: r_bar" in text
    assert "(u_bar[i] - u[i] Σ_j u[j] u_bar[j]) / r" in text
    page.write_text("<!-- symattn: derive r wrt x -->\n" + page.read_text())
    code, text, _ = symattn("derive", str(page))
    assert code == WELL
    assert "Gradient of r, by x: x" in text and "u_bar" not in text
    assert "= x[i] / r" in text
    page.write_text("$$\nL = \\frac{a^2}{b}\n$$\n\nwith numbers $a$ and $b$.\n")
    code, text, _ = symattn("derive", str(page))
    assert code == WELL and "as matrices" not in text
    assert text.count("which the document ends in") == 1 and "Gradient of L: b" in text


def test_a_document_does_not_end_in_what_cancels(symattn, tmp_path):
    """e^{s_i + t_j}/Σ_k e^{s_i + t_k} does not depend on s, in which the text does not end."""
    path = tmp_path / "graph.md"
    s, t = "s_i = \\sum_b u_{ib} p_b", "t_i = \\sum_b u_{ib} q_b"
    a = "a_{ij} = \\frac{e^{s_i + t_j}}{\\sum_k e^{s_i + t_k}}"
    path.write_text(f"$$ {s}, \\qquad {t} $$\n$$ {a} $$\n$$ y_i = \\sum_j a_{{ij}} x_j $$\n")
    _, text, _ = symattn("derive", str(path))
    assert "Gradients of y, which the document ends in" in text and "Gradients of s" not in text
    path.write_text(f"$$ {s}, \\qquad {t} $$\n")
    assert "Gradients of s, which the document ends in" in symattn("derive", str(path))[1]


def test_the_words_of_a_document_say_what_is_symmetric(symattn, tmp_path):
    page = tmp_path / "form.md"
    for word, by_x in (("symmetric", "2 S x"), ("square", r"\left(S + S^\top\right) x")):
        page.write_text(f"Let $S$ be a {word} matrix.\n\n$$\nL = x^\\top S x\n$$\n")
        code, text, _ = symattn("derive", str(page))
        assert code == WELL and rf"{{\partial x}} = {by_x}" in text


def test_what_a_sentence_defines_is_gone_through(symattn, tmp_path):
    page = tmp_path / "ridge.md"
    page.write_text(
        "With $\\lambda = 0.1$, the residuals $r_i = \\sum_a X_{ia} w_a - y_i$ and "
        "$N = \\sum_a w_a^2$ the loss is\n\n$$\nL = \\frac12 \\sum_i r_i^2 + \\lambda N\n$$\n"
    )
    code, text, _ = symattn("derive", str(page))
    assert code == WELL
    assert "by its inputs X, w, y, lambda: X" in text
    assert r"\frac{\partial L}{\partial w} = X^\top r + 2 \lambda w" in text


def test_a_document_with_nothing_to_derive_by(symattn, tmp_path):
    page = tmp_path / "numbers.md"
    page.write_text("$$\na = 2\n$$\n")
    code, _, err = symattn("derive", str(page))
    assert code == UNUSABLE and "defines nothing that depends on an input" in err


RANKING = r"""Scores $$ s_i = \sum_a X_{ia} w_a, $$ shares
$$ p_i = \frac{e^{s_i}}{\sum_j e^{s_j}} $$
and, for targets $t_i$ with $\sum_i t_i = 1$, the loss
$$ L = -\sum_i t_i \log p_i. $$
"""


def test_a_document_is_derived_with_what_it_says_of_its_inputs(symattn, tmp_path):
    file = tmp_path / "ranking.md"
    file.write_text(RANKING, "utf-8")
    _, out, _ = symattn("derive", str(file), "--of", "L", "--wrt", "s")
    assert "assuming Σ_i t[i] = 1" in out
    assert "= p[i] - t[i]" in out
    file.write_text(RANKING.replace(r"with $\sum_i t_i = 1$", "of some kind"), "utf-8")
    _, out, _ = symattn("derive", str(file), "--of", "L", "--wrt", "s")
    assert "assuming" not in out
    assert "= p[i] - t[i]" not in out


def test_what_is_said_of_a_definition_is_no_assumption(symattn, tmp_path):
    file = tmp_path / "ranking.md"
    file.write_text(RANKING.replace("and, for", r"with $\sum_i p_i = 1$; for"), "utf-8")
    _, out, _ = symattn("derive", str(file), "--of", "L", "--wrt", "s")
    assert out.count("assuming") == 1
