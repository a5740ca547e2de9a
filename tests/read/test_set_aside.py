"""A formula that spoils the others is set aside, and nothing else is lost with it."""

import sympy as sp

import symattn as sa
from symattn.read import read
from symattn.read.build import _clashes
from symattn.read.document import Assembly

TEXT = "$$ a = b + 1 $$\n\n$$ c = 2 b $$\n\nso $d = 3 b$ and\n\n$$ e = 4 b $$\n\n$$ f = 5 b $$\n"


def _failing(monkeypatch, *groups):
    """Reading ends at an error wherever all formulas of a group stand beside one another."""
    whole = Assembly._built

    def built(self):
        for group in groups:
            if group <= {s.latex for s in self.every}:
                raise ZeroDivisionError("far from any place")
        return whole(self)

    monkeypatch.setattr(Assembly, "_built", built)


def _refused(doc):
    return [(r.line, r.latex) for r in doc.refused]


def test_one_formula_is_set_aside(monkeypatch):
    _failing(monkeypatch, {"c = 2 b"})
    doc = read(TEXT, strict=False)
    assert _refused(doc) == [(3, "c = 2 b")]
    assert set(doc.definitions) == {"a", "d", "e", "f"}


def test_of_formulas_that_cannot_stand_together_the_last_is(monkeypatch):
    _failing(monkeypatch, {"a = b + 1", "e = 4 b"}, {"d = 3 b", "c = 2 b"})
    doc = read(TEXT, strict=False)
    assert _refused(doc) == [(5, "d = 3 b"), (7, "e = 4 b")]
    assert set(doc.definitions) == {"a", "c", "f"}


def test_where_many_spoil_the_others_those_before_are_kept(monkeypatch):
    rows = [f"x_{{{k}}} = {k} y" for k in range(40)]
    text = "$$ z = 3 y $$\n\n" + "".join(f"$$ {row} $$\n\n" for row in rows)
    _failing(monkeypatch, *({row} for row in rows[20:]))
    doc = read(text, strict=False)
    assert len(doc.refused) == 20
    assert [r.latex for r in doc.refused] == rows[20:]
    assert "z" in doc.definitions


def test_definitions_that_make_no_system_are_left_out_one_by_one():
    n, m = sa.sizes("n m")
    (i,) = sa.indices("i", n)
    x, other, s = sa.tensor("x", n), sa.tensor("x", m), sp.Symbol("s")
    (j,) = sa.indices("j", m)
    given = {
        "y": sa.define("y", (i,), x[i] * s),
        "z": sa.define("z", (j,), other[j] * s),
        "n": sa.define("n", (), 2 * s),
        "w": sa.define("w", (), 3 * s),
    }
    found = _clashes(given)
    assert {name: error.problem for name, error in found.items()} == {
        "z": "x is used with two shapes",
        "n": "n is the size of an axis and cannot be defined",
    }
    assert _clashes({"y": given["y"], "w": given["w"]}) == {}


def test_a_capitalised_word_that_is_applied_is_a_name():
    doc = read(
        r"""Let $Q \in \mathbb{R}^{n \times m}$.

$$ Blending(Q, K) = softmax(Q K^T) $$

$$ C = A + 1 $$
""",
        strict=False,
    )
    assert not doc.refused
    assert set(doc.definitions) == {"Blending", "C"}
    product = read("$$ u = B l (p + q) $$", strict=False)  # a letter by itself is a factor
    assert "Bl" not in product.inputs


def test_one_value_for_all_components_spoils_no_other_formula():
    text = r"""$$ m_t = b m_{t-1} + (1 - b) g_t $$
$$ m_t = (1 - b) \sum_{i=1}^{t} b^{t-i} g_i $$
$$ s = \sum_{i=1}^n g_i $$
With $g_i = g$ for all $i$,
$$ s = n g $$
"""
    rows = {r.latex: r.verdict for r in sa.check(text, corrections=False).rows}
    assert rows[r"s = \sum_{i=1}^n g_i"] == "definition"
    assert rows[r"m_t = (1 - b) \sum_{i=1}^{t} b^{t-i} g_i"] == "conditional"
    assert rows["g_i = g"] == "skipped"
    assert rows["s = n g"] not in ("refuted", "malformed", "proved")
