r"""What stands before ⇒ is a condition, and what stands behind it holds under that."""

from __future__ import annotations

import pytest

import symattn as sa

HEAD = "Let $f(x) = x^2 - a x$ with $a > 0$.\n\n"


def rows(text, tmp_path):
    path = tmp_path / "text.md"
    path.write_text(HEAD + text)
    return [(r.verdict, r.reason) for r in sa.check(path, corrections=False) if r.line > 1]


@pytest.mark.parametrize(
    "arrow", [r"\Rightarrow", r"\implies", r"\quad\Longrightarrow\quad", r"\iff"]
)
def test_a_condition_is_no_alarm_and_what_follows_is_proved(arrow, tmp_path):
    found = rows(rf"$$f'(x) = 2x {arrow} f''(x) = 2$$", tmp_path)
    assert [v for v, _ in found] == ["skipped", "proved"]
    assert "a condition" in found[0][1]


def test_what_follows_from_a_condition_alone_is_no_alarm(tmp_path):
    found = rows(r"$$a = 2 x \Rightarrow f(x) = -x^2$$", tmp_path)
    assert [v for v, _ in found][1] == "proved"
    found = rows(r"$$f'(x) = 3 x \Rightarrow f(x) = 7$$", tmp_path)
    assert not {"refuted", "malformed"} & {v for v, _ in found}


def test_what_follows_from_what_is_proved_is_refuted(tmp_path):
    found = rows(r"$$f'(x) = 2x - a \Rightarrow f''(x) = 3$$", tmp_path)
    assert [v for v, _ in found] == ["proved", "refuted"]


def test_without_an_arrow_it_is_refuted(tmp_path):
    found = rows(r"$$f'(x) = 2x, \quad f''(x) = 2$$", tmp_path)
    assert [v for v, _ in found] == ["refuted", "proved"]


@pytest.mark.parametrize(
    ("law", "right", "wrong"),
    [
        (r"a x + b = 0", r"x = -\frac{b}{a}", r"x = \frac{b}{a}"),
        (r"\log y = x", r"y = e^x", r"y = e^{2x}"),
        (r"a = b", r"a^2 = b^2", r"a^2 = 2 b^2"),
    ],
)
def test_what_does_not_follow_is_refuted(law, right, wrong):
    for claim, verdict in ((right, ("proved", "definition")), (wrong, ("refuted",))):
        found = sa.check(rf"Then $$ {law} \implies {claim}. $$", corrections=False).rows
        assert found[-1].verdict in verdict


def test_what_follows_from_several_is_not_refuted_by_one():
    text = r"Then $$ x + y = 1, \quad x - y = 3 \implies x y = -2 . $$"
    assert "refuted" not in [r.verdict for r in sa.check(text, corrections=False).rows]
