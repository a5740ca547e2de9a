"""The table of forms: what stands in its rows, and what its last one counts."""

import pytest

from symattn.bench_forms import _rows, _summary, _within


def test_a_row_has_the_textbook_line_and_what_is_printed():
    first = _rows("sigmoid")
    assert [(r["by"], r["same"], r["textbook"]) for r in first] == [("x", "index yes", "s (1 - s)")]
    assert first[0]["printed"].startswith("s") and " in " in first[0]["SymPy"]
    missed = [{**first[0], "same": "index yes, matrix no", "SymPy": "—"}]
    last = _summary([first, missed])
    assert (last["system"], last["same"], last["by"]) == ("all 2", "1 systems", "2 results")
    assert last["SymPy"].endswith("of 1 stated")


def test_work_that_takes_too_long_is_stopped():
    def endless():
        while True:
            pass

    with pytest.raises(TimeoutError):
        _within(0.05, endless)
    assert _within(1, lambda: "done") == "done"
