"""Whole documents: what stands where, macros, and that no statement spoils another."""

from __future__ import annotations

import json
import random
from itertools import pairwise

import pytest
import sympy as sp

from symattn.read import ReadError, read
from symattn.read.macros import Macros, arguments, definitions, filled
from symattn.read.scan import scan


def shown(doc):
    return [f"{q.lhs} {q.relation} {q.rhs}" for q in doc.equations]


def skipped(doc):
    return [(r.line, r.reason.problem.split(": ", 1)[1]) for r in doc.skipped]


GOOD = r"$$ y_i = A_{ij} x_j $$"
SPOILERS = {  # what spoils itself alone → lines and a piece of the reason
    "a stray $$": ("a $$ b\n\nsome more words in a paragraph\n\n", 1, "no $$"),
    "a formula that ends early": ("$$ z = \\frac{1} $$\n\n", 1, ""),
    "an unknown command": ("$$ z = \\nosuch{x} $$\n\n", 1, "is not known"),
    "an unbalanced bracket": ("$$ z = (x $$\n\n", 1, "never closed"),
    "another size": (
        "<!-- symattn: sizes B:(3,4) C:(5,6) -->\n$$ z = B_{ij} C_{ij} $$\n\n",
        2,
        "two sizes",
    ),
    "a bad declaration": ("<!-- symattn: nothing of the kind -->\n", 1, "no declaration"),
    "a bad macro": ("\\newcommand{broken\n\n", 1, "macro cannot be read"),
    "a display that does not end": ("\\[ a = b \n\n", 1, "no \\]"),
}


@pytest.mark.parametrize("what", list(SPOILERS))
def test_a_statement_spoils_itself_alone(what):
    text, line, piece = SPOILERS[what]
    doc = read(f"# Title\n\n{text}{GOOD}\n", strict=False)
    assert "y" in doc.definitions
    assert [r[0] - 2 for r in skipped(doc)] == [line]
    assert piece in skipped(doc)[0][1]
    with pytest.raises(ReadError):
        read(f"# Title\n\n{text}{GOOD}\n")


def test_sizes_of_what_is_skipped_are_forgotten():
    text = r"""<!-- symattn: sizes B:(3,4) C:(5,6) -->
$$ x_j = B_{ij} C_{ij} $$
$$ y_i = A_{ij} x_j $$ $$ z_j = C_{ij} u_i $$"""
    doc = read(text, strict=False)
    assert [str(s) for s in doc["z"].shape] == ["6"]
    assert len(doc.skipped) == 1


PLACES = {
    "display": "$$ a = b $$",
    "brackets": r"\[ a = b \]",
    "escaped brackets": "# T\n\n\\\\[ a = b \\\\]",
    "alone on a line": "text\n\n$a = b$.\n\ntext",
    "alone in brackets": "text\n\n\\(a = b\\),\n",
    "MyST": "# T\n\n```{math}\n:label: eq\n\na = b\n```\n",
    "Markdown": "# T\n\n```math\na = b\n```\n",
    "reStructuredText": "Title\n=====\n\n.. math::\n   :label: eq\n\n   a = b\n\nwords",
    "in one line": "Words\n\n.. math:: a = b\n\nwords",
    "an environment": r"\begin{IEEEeqnarray}{rCl} a &=& b \end{IEEEeqnarray}",
    "behind a per cent sign": "# T\n\n50 % of words\n\n100 % $$ a = b $$",
    "behind a line with a distance": "$$ c = d \\\\[15pt] a = b $$",
    "own edges": "\\newcommand{\\be}{\\begin{equation}}\\newcommand{\\ee}{\\end{equation}}\n"
    "\\be a = b \\ee",
    "beside a comment": "\\begin{comment} $$ q = r $$ \\end{comment}\n$$ a = b $$",
    "beside what is not compiled": "\\iffalse $$ q = r $$ \\fi\n$$ a = b $$",
    "in braces": r"$$ {\displaystyle a = b} $$",
    "a system in a brace": r"$$ \begin{cases} a = b \\ c = d \end{cases} $$",
}


@pytest.mark.parametrize("what", list(PLACES))
def test_where_formulas_stand(what):
    doc = read(PLACES[what])
    assert "a = b" in shown(doc)
    assert not any("q" in q for q in shown(doc))


def test_a_notebook_is_read_at_its_own_lines():
    cells = [
        {"cell_type": "markdown", "source": ["# T\n", "\n", "$$ a = b $$\n"]},
        {"cell_type": "code", "source": ["x = '$$ q = r $$'"]},
        {"cell_type": "markdown", "source": ["words\n", "\n", "$$ c = \\nosuch $$"]},
    ]
    text = json.dumps({"cells": cells, "nbformat": 4}, indent=1)
    doc = read(text, strict=False)
    assert shown(doc) == ["a = b"]
    rows = text.split("\n")
    assert "$$ a = b $$" in rows[doc.equations[0].line - 1]
    assert "nosuch" in rows[doc.skipped[0].line - 1]


def test_what_goes_on_with_a_relation():
    doc = read("$$ a = x y $$\n\n$$ = z $$\n\n$$ = u + v $$")
    assert shown(doc) == ["a = x*y", "x*y = z", "z = u + v"]


MACROS = {
    r"\newcommand{\f}[2]{#1_{#2}} $$ a = \f{x}{\mathrm{k}} $$": "a = x_k",
    r"\newcommand{\f}[2][x]{#1_{#2}} $$ a = \f{Q} \f[y]{K} $$": "a = x_Q*y_K",
    r"\newcommand\f{b} $$ a = \f $$": "a = b",
    r"\renewcommand{\vec}[1]{#1} $$ a = \vec{b} $$": "a = b",
    r"\def\f#1{2 #1} $$ a = \f{b} $$": "a = 2*b",
    r"\let\f=\beta $$ a = \f $$": "a = beta",
    r"\DeclareMathOperator{\sm}{softmax} $$ a_i = \sm_i(x_i) $$": (
        "a[i] = exp(x[i])/Sum(exp(x[i']), (i', 0, n_i - 1))"
    ),
    r"\DeclarePairedDelimiter{\br}{(}{)} $$ a = 2 \br{b + c} $$": "a = 2*b + 2*c",
    r"$$ \newcommand{\f}{b} a = \f $$": "a = b",
    r"\newcommand{\f}{b} \renewcommand{\f}{c} $$ a = \f $$": "a = c",
    r"$$ a = \dv{L}{x} $$": "a = dL/dx",
    r"$$ a = \abs{b} $$": "a = Abs(b)",
}


@pytest.mark.parametrize("text", list(MACROS))
def test_macros(text):
    assert shown(read(text))[-1] == MACROS[text]


def test_a_macro_is_what_it_is_where_it_is_used():
    doc = read("\\newcommand{\\f}{b}\n$$ a = \\f $$\n\\renewcommand{\\f}{c}\n$$ d = \\f $$")
    assert shown(doc) == ["a = b", "d = c"]


def test_expansion_is_bounded():
    rows = ["\\newcommand{\\qa}{y}"]
    names = [f"\\q{chr(97 + k)}" for k in range(24)]
    rows += [f"\\newcommand{{{b}}}{{{a} {a}}}" for a, b in pairwise(names)]
    with pytest.raises(ReadError):
        read("\n".join(rows) + f"\n$$ a = {names[-1]} $$")
    with pytest.raises(ReadError, match="calls itself"):
        read("\\newcommand{\\f}{\\f}\n$$ a = \\f $$")


def test_an_input_gives_its_macros_from_the_folder_alone(tmp_path):
    inside = tmp_path / "doc"
    inside.mkdir()
    (inside / "defs.tex").write_text("\\newcommand{\\f}{b}", encoding="utf-8")
    (tmp_path / "secret.tex").write_text("\\newcommand{\\g}{c}", encoding="utf-8")
    text = "\\input{defs}\n$$ a = \\f $$"
    assert shown(read(text, folder=inside)) == ["a = b"]
    with pytest.raises(ReadError, match="is not known"):
        read(text)
    with pytest.raises(ReadError, match="outside of the document's folder"):
        read("\\input{../secret}\n$$ a = \\g $$", folder=inside)


def test_a_name_is_another_under_another_heading():
    text = "# A\n\n$$ y_i = Q_{ij} x_j $$\n\n# B\n\n$$ z_i = Q_{ijk} u_j u_k $$"
    doc = read(text, strict=False)
    assert not doc.skipped
    tensors = {b for d in doc for b in d.expr.atoms(sp.IndexedBase)}
    assert sorted(len(b.shape) for b in tensors if str(b.label).startswith("Q")) == [2, 3]


def test_inverses_of_expressions_have_a_name():
    doc = read(
        r"<!-- symattn: sizes B:(n,n) H:(m,n) R:(m,m) -->"
        r"$$ K = B H^\top (H B H^\top + R)^{-1} $$ $$ L = (H B H^\top + R)^{-1} $$"
    )
    assert list(doc.definitions) == ["M_1", "K", "L"]
    assert [q.kind for q in doc.equations] == ["definition", "definition"]


def test_macro_arguments():
    table = Macros()
    (row,) = [said for _, said in definitions(r"\newcommand{\f}[3][d]{#3#2#1}") if said]
    table.add(row[0], row[1], 5)
    macro = table.get("f", 9)
    assert macro is not None
    given = arguments(macro, "{b}{c} rest", 0, 11)
    assert given == (["d", "b", "c"], 6)
    assert filled(macro, given[0]) == "cbd"
    assert table.get("g", 9) is None


PIECES = [
    "# Heading\n\n",
    "$$ a = b $$\n\n",
    "$$ y_i = A_{ij} x_j $$\n",
    "\\begin{align} a &= b \\\\ &= c \\end{align}",
    "\\newcommand{\\f}[1]{#1^2}\n",
    "<!-- symattn: sizes A:(n,n) -->\n",
    "some words and $x$ in a line\n\n",
    "$$ K = (A + B)^{-1} \\quad f(x | y) = \\log p(x) $$\n",
    "```math\nx = y\n```\n",
    "$$ x_{t+1} = A x_t, \\qquad \\mathbf{x}^\\top \\mathbf{y} \\in \\mathbb{R} $$\n",
]
JUNK = [
    *"{}$^_\\&()[]|'=+-<>%#~;,.",
    "$$",
    "\\frac",
    "\\left(",
    "\\end{align}",
    "-->",
    "\n\n",
]


@pytest.mark.parametrize("seed", range(8))
def test_a_text_that_is_damaged_raises_nothing(seed):
    rng = random.Random(seed)
    for _ in range(25):
        text = list("".join(rng.choices(PIECES, k=rng.randint(1, 6))))
        for _ in range(rng.randint(0, 10)):
            at = rng.randrange(len(text))
            text[at : at + rng.choice([0, 1, 1, 3])] = rng.choice([[], [rng.choice(JUNK)]])
            text = text or [" "]
        doc = read("".join(text), strict=False)
        assert all(r.line >= 1 and r.column >= 1 for r in doc.skipped)


def test_scan_notes_what_is_no_display():
    source = scan("# T\n\na $$ b\n\nwords of a paragraph that go on and on\n\n$$ a = b $$", False)
    assert len(source.broken) == 1
    assert [source.text[d.start : d.end].strip() for d in source.displays] == ["a = b"]


SPOILT = r"""Let $x \in \mathbb{R}^n$.

$$ y_i = x_i^2 $$

$$ z = \sum_i \xi_i $$

$$ \sum_i y_i = \sum_i x_i^2 $$

where $w = \xi_j$ and $v_i = 2 y_i$.
"""


@pytest.mark.parametrize("placed", [True, False])
def test_a_formula_that_no_step_foresees_is_set_aside(monkeypatch, placed):
    from symattn.checker.statements import reading
    from symattn.read import rewrite

    whole = rewrite.applied

    def applied(trees):
        found = [t for t in trees if "xi" in str(t)]
        if found and placed:
            here = SPOILT[: SPOILT.index("\\xi")].count("\n") + 1
            error = ReadError("no such letter")
            error.line, error.column = here, 12
            if len(found) > 1:
                raise error
        if found:
            raise KeyError("xi")
        return whole(trees)

    monkeypatch.setattr(rewrite, "applied", applied)
    found = reading(SPOILT)
    assert [s.line for s in found.statements] == [3, 7, 9]
    assert [u.line for u in found.unread] == [5, 9]
    why = "no such letter" if placed else "cannot be read: symattn has a fault here"
    assert why in found.unread[0].reason
