"""What the README and the guides show is what happens."""

import contextlib
import io
import re
import shlex

import pytest

from symattn import gallery
from symattn.cli import main, parser


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def readme(root):
    return (root / "README.md").read_text("utf-8")


def test_the_python_example_runs_and_prints_what_it_says(readme):
    (code,) = blocks(readme, "python")
    lines = [line for line in code.splitlines() if line.strip()]
    assert len(lines) == 15
    said = [line.split("#", 1)[1].strip() for line in lines if line.startswith("print")]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    assert said == printed.getvalue().splitlines() and len(said) == 3


def test_the_picture_is_real_output(readme, symattn):
    picture = next(b for b in blocks(readme, "") if b.startswith("$ symattn"))
    command, output = picture.split("\n", 1)
    assert symattn(*shlex.split(command)[2:]) == (0, output, "")


def test_the_commands_are_one_line_each_and_ci_runs_the_same_steps(readme, root):
    build, tests = blocks(readme, "sh")
    assert build.count("\n") == tests.count("\n") == 1
    assert build.rstrip().endswith(".venv/bin/symattn build")
    script = (root / ".ci" / "run").read_text("utf-8").replace('"', "").splitlines()
    steps = [step.strip().replace(".venv", "$env") for step in tests.split("&&")]
    at = [script.index(step) for step in steps]
    assert at == list(range(at[0], at[0] + len(steps)))


def test_the_guide_shows_a_whole_derivation(root, tmp_path):
    code, latex = blocks((root / "docs" / "writing.md").read_text("utf-8"), "python")
    for name, text in {"logsumexp": code, "in_latex": f"import symattn as sa\n{latex}"}.items():
        path = tmp_path / f"{name}.py"
        path.write_text(text, "utf-8")
        entry = gallery.load(str(path))
        assert entry.claims and gallery.examine(entry).failures() == []


def test_the_guide_names_all_that_a_file_may_define(root):
    text = (root / "docs" / "writing.md").read_text("utf-8")
    assert re.findall(r"^\| `(\w+)`", text, re.MULTILINE) == list(gallery.NAMES)


def test_the_guide_to_the_command_line_has_every_option(root):
    text = (root / "docs" / "command-line.md").read_text("utf-8")
    commands = parser()._subparsers._group_actions[0].choices
    for name, command in commands.items():
        section = text.split(f"## symattn {name}\n")[1].split("\n## ")[0]
        for action in command._actions:
            for option in action.option_strings or [action.metavar]:
                assert option in section, f"{name} {option}"


@pytest.mark.parametrize(
    "page", ["README.md", "docs/index.md", "docs/derivations/index.md", "docs/notation.md"]
)
def test_links_lead_somewhere(root, page):
    path = root / page
    links = re.findall(r"\]\(([^)#]+)\)", path.read_text("utf-8"))
    assert links
    assert [link for link in links if not (path.parent / link).exists()] == []


def test_main_is_what_the_console_script_calls(root):
    text = (root / "pyproject.toml").read_text("utf-8")
    assert f'symattn = "{main.__module__}:{main.__name__}"' in text
