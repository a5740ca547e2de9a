"""Reports for people and for programs, the command line, and explanations."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import pytest

from symattn.checker import Report, check
from symattn.checker.formats import FORMATS
from symattn.checker.links import link_latex, sides
from symattn.checker.outline import Outline
from symattn.checker.terminal import plain
from symattn.cli import main

TEXT = r"""# Scores

$$ S_{ij} = \frac{1}{\sqrt{d}} \sum_a Q_{ia} K_{ja} $$

Text, and $$ \frac{\partial S_{ij}}{\partial Q_{mc}} = \frac{1}{d} \delta_{im} K_{jc} $$ here.

$$ \frac{\partial S_{ij}}{\partial Q_{mc}} = \frac{1}{\sqrt{d}} \delta_{im} K_{jc} $$

$$ x \sim p $$
"""


@pytest.fixture(scope="module")
def report() -> Report:
    return check(TEXT)


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    path = tmp_path / "paper.md"
    path.write_text(TEXT)
    return path


def test_rows_point_into_the_text(report: Report) -> None:
    assert [r.verdict for r in report] == ["definition", "refuted", "proved", "skipped"]
    for row in report:
        line = TEXT.split("\n")[row.line - 1]
        assert line[row.column - 1 :].startswith(row.latex[:12])


def test_the_text_has_an_excerpt_with_a_caret(report: Report) -> None:
    lines = str(report).split("\n")
    shown = next(k for k, line in enumerate(lines) if line.startswith("    Text, and"))
    assert lines[shown - 1].startswith("text:5:14: refuted: ")
    caret = lines[shown + 1]
    assert lines[shown][caret.index("^") :].startswith(r"\frac{\partial S")
    assert any(line.strip().startswith("correct: ") for line in lines)
    assert lines[-1] == "3 of 4 formulas decided: 1 definition, 1 proved, 1 refuted, 1 skipped"


def test_print_shows_a_refutation_in_five_lines(report: Report) -> None:
    lines = str(report).split("\n")
    assert len(lines) == 5 and lines[3].startswith("    correct: ")
    assert len(plain(report).split("\n")) > 5


def test_json_has_the_keys_that_the_page_describes(report: Report) -> None:
    data = json.loads(FORMATS["json"](report))
    assert data["version"] == 1
    assert (data["formulas"], data["decided"]) == (4, 3)
    page = (Path(__file__).parents[2] / "docs" / "check.md").read_text()
    table = page.split("| key | meaning |")[1].split("\n\n")[0]
    for row in data["rows"]:
        assert all(f"`{key}`" in table for key in row), row.keys()
    wrong = data["rows"][1]
    assert wrong["counterexample"]["lhs"] != wrong["counterexample"]["rhs"]
    assert wrong["correction"].replace(" ", "") == r"\frac{1}{\sqrt{d}}\delta_{im}K_{jc}"
    assert data["rows"][2]["counterexample"] is None


def test_github_escapes_what_ends_a_command(report: Report) -> None:
    first, *_ = FORMATS["github"](report).split("\n")
    assert first.startswith("::error line=5,col=14,title=refuted::")
    assert "%0Acorrect: " in first


def test_sarif_has_a_result_for_what_is_wrong(report: Report) -> None:
    (run,) = json.loads(FORMATS["sarif"](report))["runs"]
    (result,) = run["results"]
    assert (result["ruleId"], result["level"]) == ("refuted", "error")
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 5
    assert result["ruleId"] in {rule["id"] for rule in run["tool"]["driver"]["rules"]}


def test_exit_codes(paper: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(paper)]) == 1
    assert "3 of 4 formulas decided" in capsys.readouterr().out
    paper.write_text(TEXT.replace(r"\frac{1}{d}", r"\frac{1}{\sqrt{d}}"))
    assert main(["check", str(paper)]) == 0
    assert main(["check", str(paper.parent / "other.md")]) == 2
    assert "other.md" in capsys.readouterr().err


def test_explanations(paper: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(paper), "--explain", "5"]) == 1
    shown = capsys.readouterr().out
    assert "S[i, j] = " in shown
    assert "counterexample" in shown
    assert main(["check", str(paper), "--explain", "7"]) == 0
    assert "proof: both sides have the same normal form" in capsys.readouterr().out
    assert main(["check", str(paper), "--explain", "4"]) == 0
    assert (
        "there is no formula on this line; the nearest begins on line 3" in capsys.readouterr().out
    )


def test_verbose_shows_every_formula(paper: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "-v", str(paper)])
    shown = capsys.readouterr().out
    assert all(f"paper.md:{line}:" in shown for line in (3, 5, 7, 9))


def test_several_files_are_one_report(paper: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = paper.with_name("other.md")
    other.write_text("$$ 1 + 1 = 2 $$\n")
    assert main(["check", "--format", "json", str(paper), str(other)]) == 1
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [Path(r["file"]).name for r in rows] == ["paper.md"] * 4 + ["other.md"]


@pytest.mark.parametrize(
    ("latex", "parts", "relations"),
    [
        ("a = b", ["a", "b"], ["="]),
        (r"a &= b \\ &= c \quad (3)", ["a", "b", "c"], ["=", "="]),
        (r"\sum_{i=1}^n x_i \approx 1.", [r"\sum_{i=1}^n x_i", "1"], [r"\approx"]),
        (
            r"\begin{aligned} a &= \left(b = c\right) \end{aligned}",
            ["a", r"\left(b = c\right)"],
            ["="],
        ),
        ("a = b\\", ["a", "b\\"], ["="]),
        (r"f(x=1) \leq 2", ["f(x=1)", "2"], [r"\leq"]),
    ],
)
def test_sides_of_chains(latex: str, parts: list[str], relations: list[str]) -> None:
    assert sides(latex) == (parts, relations)


def test_links_of_a_chain_that_cannot_be_told_apart_are_the_whole() -> None:
    assert link_latex("a = b = c", 2) == ["a = b", "b = c"]
    assert link_latex("a = b = c", 3) == ["a = b = c"] * 3


def test_sections_and_sentences() -> None:
    text = (
        "# One\n\nFirst. If it rains,\n$$ a = 1 $$\n\n## Two\n\n"
        "All well. It is\n$$ b = 2 $$\n\n# Three\n"
    )
    outline = Outline(text)
    assert [outline.section(line) for line in (2, 4, 7, 12)] == [1, 1, 2, 3]
    assert outline.end(4) == 11
    assert outline.end(9) == 11
    assert outline.condition(4, 4) == "If it rains,"
    assert outline.condition(9, 4) == ""
    assert outline.sentence(9, 4) == "It is"


def test_a_comment_in_code_is_no_heading() -> None:
    code = "```python\n# two\n```\n\n"
    text = f"# One\n\n{code}$$ a = 1 $$\n\n{code}# Four\n\n$$ b = 2 $$\n"
    outline = Outline(text)
    assert [outline.section(line) for line in (7, 15)] == [1, 2]
    assert outline.end(7) == 13


def test_what_is_defined_anew_is_listed() -> None:
    text = "# One\n\n$$ g = \\sum_i x_i^2 $$\n\n# Two\n\n$$ g = \\sum_i \\exp(x_i) $$\n"
    report = check(text)
    assert [r.verdict for r in report] == ["definition", "definition"]
    assert "  text:7: redefines g of line 3, from which it differs" in plain(report)


def test_a_folder_and_the_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["check", str(tmp_path)]) == 2
    assert "there is no document in" in capsys.readouterr().err
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.md").write_text("$$ x = y^2 $$\n\n$$ x = y $$\n")
    assert main(["check", str(tmp_path)]) == 1
    assert "a.md:3:" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=BytesIO(b"$$ x = y^2 $$")))
    assert main(["check", "-"]) == 0


def test_a_correction_is_as_one_would_write_it():
    text = r"The cost is $C = \int_0^Q (a + 2q) \, dq$. Hence $C = a Q + \frac12 Q^2$."
    assert check(text).rows[-1].correction == "a Q + Q^2"
    text = r"With $q = 1 - p$ it is $P = 3 p^2 q + p^3$. So $P = 3 p^2 - p^3$."
    assert check(text).rows[-1].correction == "3 p^2 - 2 p^3"
