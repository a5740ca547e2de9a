r"""Documents in other clothes, and the verdicts that differ."""

from __future__ import annotations

import json

import pytest

from symattn.checker import clothes

TEXT = r"""# Discs

The area of a disc is $A = \pi r^2$.
Its growth is

$$\frac{dA}{dr} = 2 \pi r.$$

It is no square:

$$\frac{dA}{dr} = 2 r \tag{1}$$
"""


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("kramdown", r"$A = \pi r^2$", r"\\(A = \pi r^2\\)"),
        ("sentences", "is\n\n$$\\frac{dA}{dr} = 2 \\pi r.$$", "is $\\frac{dA}{dr} = 2 \\pi r$."),
        ("environments", "2 \\pi r.$$", "2 \\pi r.\\end{equation}"),
        ("unwrapped", ".\nIts growth is\n\n$$", ". Its growth is\n\n$$"),
    ],
)
def test_the_same_text_in_other_clothes(name: str, before: str, after: str) -> None:
    dressed = clothes.CLOTHES[name](TEXT)
    assert before in TEXT
    assert after in dressed and after not in TEXT
    assert r"\tag{1}$$" in dressed or name == "sentences"


def test_verdicts_that_hang_on_clothes_are_listed(symattn, tmp_path, monkeypatch) -> None:
    page = tmp_path / "discs.md"
    page.write_text(TEXT, "utf-8")
    code, out, _ = symattn("bench", "clothes", str(page), "--format", "json")
    rows = {row["clothes"]: row for row in json.loads(out)["rows"]}
    assert code == 0
    assert [rows[name]["formulas"] for name in clothes.CLOTHES] == [3] * 4
    assert not any(row["differ"] or row["against"] for row in rows.values())
    wrong = {
        "doubled": lambda text: text.replace(r"= 2 \pi r.", r"= 2 \pi r .").replace("r^2", "r^3")
    }
    monkeypatch.setattr(clothes, "CLOTHES", wrong)
    code, out, _ = symattn("bench", "clothes", str(page))
    assert code == 1
    assert "discs.md:6: doubled, proved → refuted" in out


def test_clothes_need_a_document(symattn) -> None:
    code, _, err = symattn("bench", "clothes")
    assert code == 2
    assert "write symattn bench clothes FILE…" in err
