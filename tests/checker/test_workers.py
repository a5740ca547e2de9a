"""Formulas judged side by side: the same rows, whatever becomes of the processes."""

import os
import subprocess
import sys
import textwrap

import pytest

from symattn.checker import workers

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="by fork")

TEXT = r"""
Let $x, y \in \mathbb{R}^n$, $A \in \mathbb{R}^{n \times n}$, $f = x^\top A y$, $s_i = A_{ij} y_j$.
""" + "\n".join(
    rf"""
$$ \frac{{\partial f}}{{\partial x_i}} = {k or ""} s_i $$

$$ s_q = {k} \, A_{{ij}} $$
"""
    for k in range(16)
)


def run(code: str, *given: str) -> str:
    """What a process of its own, which has not loaded JAX, prints."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), *given],
        capture_output=True, text=True, timeout=100,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_rows_do_not_hang_on_how_many_judge():
    code = """
        import os, sys
        import symattn as sa
        from symattn.checker import workers

        shared = []
        real = workers._shared
        workers._shared = lambda work, count, jobs: shared.append(jobs) or real(work, count, jobs)
        seen = []

        def note(*at):
            seen.append(at)

        rows = [sa.check(sys.argv[1], jobs=n, progress=note).rows for n in (1, 3)]
        assert shared == [3], shared
        assert [str(r) for r in rows[0]] == [str(r) for r in rows[1]]
        assert seen == [(k, 34) for k in range(1, 35)] * 2, seen[-3:]
        print([r.verdict for r in rows[1]])
    """
    found = eval(run(code, TEXT))
    assert found.count("refuted") >= 14 and found.count("proved") >= 1
    assert found.count("malformed") + found.count("skipped") >= 14


def test_what_a_process_that_dies_has_not_done_is_done_here():
    code = """
        import os
        from symattn.checker.workers import side_by_side

        home = os.getpid()

        def work(k):
            if k == 7 and os.getpid() != home:
                os._exit(3)
            return k * k

        print(sorted(side_by_side(work, 40, 3)))
    """
    assert eval(run(code)) == [(k, k * k) for k in range(40)]


def test_an_error_is_that_of_the_work():
    code = """
        from symattn.checker.workers import side_by_side

        try:
            list(side_by_side(lambda k: 1 / (k - 30), 40, 3))
        except ZeroDivisionError as error:
            print(error)
    """
    assert run(code).strip() == "division by zero"


@pytest.mark.parametrize(
    ("given", "count", "asked"),
    [
        ({"jobs": 3}, 23, None),  # too few
        ({"jobs": 3}, 24, 3),
        ({"jobs": 64}, 40, 5),  # eight for each of them
        ({"jobs": 1}, 400, None),
        ({}, 400, None),  # this process has loaded JAX
    ],
)
def test_processes_are_started_where_there_is_much_to_do(given, count, asked, monkeypatch):
    started = []
    if "jobs" in given:
        monkeypatch.setattr(workers, "_copied", lambda: True)
    else:
        monkeypatch.setitem(sys.modules, "jaxlib", object())
        monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(6))
    monkeypatch.setattr(workers, "_shared", lambda work, count, jobs: started.append(jobs) or ())
    assert sorted(workers.side_by_side(lambda k: -k, count, **given)) == [
        (k, -k) for k in range(count)
    ]
    assert started == ([] if asked is None else [asked])


def test_there_are_no_more_than_some_of_them(monkeypatch):
    monkeypatch.setattr(workers, "_copied", lambda: True)
    for cores, found in ((1, 1), (3, 3), (64, workers.MOST)):
        monkeypatch.setattr(os, "sched_getaffinity", lambda _, n=cores: range(n))
        assert workers.available() == found
    monkeypatch.setattr(workers.multiprocessing, "parent_process", lambda: object())
    assert workers.available() == 1
