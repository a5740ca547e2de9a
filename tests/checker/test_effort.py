"""How much is asked and read: what says the same is asked once, and a search has an end."""

from __future__ import annotations

from importlib import import_module

import pytest

import symattn as sa
from symattn.checker import documents, repair
from symattn.checker.documents import check_text
from symattn.checker.effort import affords, effort
from symattn.checker.report import REFUTED
from symattn.checker.statements import reading
from symattn.read.retried import Retried
from symattn.read.told import Told

WRONG = """
Let $a, b$ and $c$ be numbers.

$$ (a + b)(a - b) c = a^2 c - b^2 c + a b $$
"""


def test_signs_are_granted_once_and_count_outside_as_well() -> None:
    assert affords(10**9)
    with effort(10):
        with effort(100):
            assert affords(7)
            assert not affords(7)
        assert not affords(1)  # ten are gone
    assert affords(10**9)


def test_a_search_for_a_correction_ends_when_its_signs_are_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[str] = []
    own = repair._readings

    def counted(head: str, left: str, relation: str, tried: list[str], name: str):  # type: ignore[no-untyped-def]
        read.extend(tried)
        return own(head, left, relation, tried, name)

    monkeypatch.setattr(repair, "_readings", counted)
    (row,) = check_text(WRONG, timeout=None).rows
    assert row.verdict == REFUTED
    assert row.correction
    every = len(read)
    read.clear()
    monkeypatch.setattr("symattn.checker.asked.WRONG", 40)
    (row,) = check_text(WRONG, timeout=None).rows
    assert row.verdict == REFUTED  # no verdict hangs on it
    assert not row.correction
    assert len(read) < every


def test_a_question_is_answered_once_for_systems_that_say_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    engine = import_module("symattn.prove")
    (n,) = sa.sizes("n_effort")
    (i, j) = sa.indices("i j", n)
    x, w = sa.tensor("x", n), sa.tensor("w", n)

    def system(factor: int) -> sa.System:
        return sa.System(sa.define("y", (i,), factor * x[i] * w[j] * w[j]))

    asked: list[object] = []
    own = engine._claimed

    def counted(*args: object, **keys: object) -> object:
        asked.append(args)
        return own(*args, **keys)

    monkeypatch.setattr(engine, "_claimed", counted)
    one, same, other = system(2), system(2), system(3)
    y = one.definitions["y"][i]
    verdicts = [
        engine.whether(y, 2 * x[i] * w[j] * w[j], given=given, over=(i,)).status
        for given in (one, same, other)
    ]
    assert verdicts == ["proved", "proved", "refuted"]
    assert len(asked) == 2


def test_what_little_work_leaves_open_is_asked_again_with_more() -> None:
    engine = import_module("symattn.prove")
    (n,) = sa.sizes("n_little")
    (i, j) = sa.indices("i j", n)
    x, w = sa.tensor("x", n), sa.tensor("w", n)
    y = sa.define("y", (i,), sa.total(w[j] * (x[i] + x[j]), j))
    right = x[i] * sa.total(w[j], j) + sa.total(w[j] * x[j], j)

    def status(work: int) -> str:
        try:
            given = sa.System(y)
            return engine.whether(y[i], right, given=given, over=(i,), work=work).status
        except sa.SymattnError:
            return "unknown"

    assert [status(5), status(400_000), status(5)] == ["unknown", "proved", "unknown"]


def test_a_side_that_cannot_be_read_is_left_out_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []
    own = Retried._unreadable

    def counted(self: Retried, s):  # type: ignore[no-untyped-def]
        tried.append(s.latex)
        return own(self, s)

    monkeypatch.setattr(Retried, "_unreadable", counted)
    found = reading(r"$$ s = \sum_i u_i w_i = \sum_j u_j w_k = \sum_m w_m u_m $$")
    assert tried == [r"s = \sum_i u_i w_i = \sum_m w_m u_m"]
    assert [s.latex for s in found.statements][1:] == [r"\sum_i u_i w_i = \sum_m w_m u_m"]
    assert [u.latex for u in found.unread] == [r"= \sum_j u_j w_k"]


def test_one_statement_read_again_hears_no_words_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[int] = []
    again: list[str] = []
    words, other = Told._said, Retried._with

    def counted(self: Told, others):  # type: ignore[no-untyped-def]
        heard.append(len(others))
        words(self, others)

    def noted(self: Retried, s, local, shared):  # type: ignore[no-untyped-def]
        again.append(s.latex)
        return other(self, s, local, shared)

    monkeypatch.setattr(Told, "_said", counted)
    monkeypatch.setattr(Retried, "_with", noted)
    misfits = [rf"$$ z_i = x_{{ij}} W_{{ijk}} + {k} y_i $$" for k in range(2, 8)]
    reading("$$ y_i = W_{ij} x_j $$\n\n" + "\n\n".join(misfits))
    assert len(again) >= len(misfits)
    assert len(heard) < len(misfits)


def test_time_to_read_grows_with_the_text() -> None:
    assert documents._to_read("x" * 10, None) is None
    assert documents._to_read("x" * 10, 5.0) == 30.0
    assert documents._to_read("x" * 100_000, 5.0) == 180.0
