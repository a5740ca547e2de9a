"""Documents are untrusted: any text gives a report, within bounds, and always the same one."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import symattn as sa
from symattn.checker import Report, check
from symattn.checker.deadline import Late, within
from symattn.checker.documents import check_text
from symattn.checker.report import SKIPPED


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "no formula at all",
        "$$",
        "$$ $$",
        "$$ x = $$",
        "$$ = x $$",
        "$$ \\frac{1}{ $$",
        "$$ " + "{" * 500 + " $$",
        "$$ " + "(" * 500 + "x" + ")" * 500 + " = 1 $$",
        "$$ x = " + "9" * 5000 + " $$",
        "$$ 1 = 2^{2^{2^{2^{2^{2^{2}}}}}} $$",
        "$$ 10^{100000} = 1 $$",
        "$$ \\frac{1}{0} = 1 $$",
        "$$ \\log 0 = 1 $$",
        "\x00\x01 $$ x = 1 $$ \ufffe",
        "$$ __import__('os').system('true') = 1 $$",
        "\\newcommand{\\a}{\\a\\a}\n$$ \\a = 1 $$",
        "\\begin{align} x &= 1 \\\\ \\end{equation}",
        "```math\nx = 1",
    ],
)
def test_any_text_gives_a_report(text: str) -> None:
    report = check_text(text, timeout=2)
    assert isinstance(report, Report)
    assert str(report)


@settings(deadline=None, max_examples=40)
@given(st.text("$\\{}()[]_^=+-&,. \nabijxS0129/|'", max_size=80))
def test_random_text_gives_a_report(text: str) -> None:
    assert str(check_text(f"$$ {text} $$", timeout=2))


def test_a_text_that_is_too_long_is_one_row() -> None:
    (row,) = check_text("x" * 1_000_001).rows
    assert row.verdict == SKIPPED
    assert "1000000" in row.reason


def test_a_formula_that_takes_too_long_is_skipped() -> None:
    text = "$$ g = \\sum_i x_i^2 $$\n\n$$ \\sum_i (x_i + y_i)^2 = g $$\n"
    rows = check_text(text, timeout=1e-6).rows
    assert {r.reason for r in rows if r.verdict == SKIPPED} == {"time: no verdict within 1e-06 s"}


def test_the_limit_interrupts_what_swallows_exceptions() -> None:
    def stubborn() -> None:
        end = time.monotonic() + 20
        while time.monotonic() < end:
            with suppress(Exception):
                time.sleep(0.001)

    begun = time.monotonic()
    with pytest.raises(Late):
        within(0.05, stubborn)
    assert time.monotonic() - begun < 10


def test_the_limit_works_in_any_thread_and_leaves_nothing_behind() -> None:
    caught: list[bool] = []

    def forever() -> None:
        while True:
            pass

    def work() -> None:
        try:
            within(0.05, forever)
        except Late:
            caught.append(True)
        caught.append(within(30, lambda: sum(range(100)) == 4950))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(20)
    assert caught == [True, True]


def test_the_same_text_gives_the_same_report() -> None:
    text = (
        "$$ g = \\sum_i x_i^2 $$\n\n$$ \\frac{\\partial g}{\\partial y} = 3 $$\n\n"
        "$$ g = 2 \\sum_i x_i^2 $$"
    )
    assert check(text).data() == check(text).data()


def test_skips_are_counted_with_their_reason() -> None:
    text = "<!-- symattn: skip wrong on purpose -->\n$$ 1 = 2 $$\n\n$$ 1 = 1 $$\n"
    report = check(text)
    assert [r.verdict for r in report] == ["skipped", "proved"]
    assert report.rows[0].reason == "as asked: wrong on purpose"
    assert report.rows[0].line == 2
    assert report.ok
    tex = "% symattn: skip wrong on purpose\n\\begin{equation} 1 = 2 \\end{equation}\n"
    assert [r.verdict for r in check(tex)] == ["skipped"]


def test_a_file_that_is_not_there_and_one_that_is_no_text(tmp_path: object) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path))
    with pytest.raises(FileNotFoundError):
        check(folder / "paper.tex")
    with pytest.raises(FileNotFoundError):
        check("no-such-paper.tex")
    (folder / "bad.md").write_bytes(b"$$ x = 1 $$ \xff")
    with pytest.raises(sa.FormulaError, match="not UTF-8"):
        check(folder / "bad.md")


def test_a_display_of_macros_alone_says_nothing():
    report = sa.check("$$\n\\DeclareMathOperator{\\diag}{diag}\n$$\n\nThen\n\n$$ a = b + b $$\n")
    assert [r.latex.strip() for r in report.rows] == ["a = b + b"]


def test_a_limit_ends_where_a_profiler_looks() -> None:
    """Coverage and profilers trace every line: what is in time goes on, what is late is stopped."""
    program = """
import cProfile
from symattn.checker.deadline import Late, within
def endless():
    while True: pass
def asked():
    try: return within(0.05, endless)
    except Late: return within(30, lambda: "late, then in time")
profile = cProfile.Profile()
print(profile.runcall(asked), profile.runcall(within, 30, lambda: "in time"))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "late, then in time in time\n", done.stderr
