r"""Errors of the reader: the text, the caret, both readings; and hostile input."""

from __future__ import annotations

import builtins
import gc
import re
import sys
import time

import pytest

from symattn.errors import FormulaError
from symattn.read import ReadError, read

S = "<!-- symattn: sizes {0} -->"
CASES = [  # text, problem, column on the last line, a piece of expected or mend
    (r"S^{ij = 3", "the bracket { is never closed", 3, "expected: }"),
    (r"$$x = \foo y$$", r"the macro \foo is not known", 7, r"\newcommand{\foo}"),
    (
        r"$$x^i = a^{ij}$$",
        "the index j occurs once, is not on the left and is under no sum",
        13,
        r"put j on the left, or write \sum_j",
    ),
    (r"$$x = \frac{a}{b} + $$", "the formula ends too early", 20, "a name"),
    (r"$$x = (a + b]$$", "] closes the bracket ( of line 1, column 7", 13, "expected: )"),
    (r"$$x = a)$$", ") closes a bracket that was never opened", 8, "open it"),
    (r"$$x = a / b c$$", "a factor follows a quotient a/b c", 13, "(a/b) c or a/(b c)"),
    (
        r"$$x = q \max(0, y)^m$$",
        "m stands above a number: is it an index or an exponent?",
        9,
        "<!-- symattn: scalars m -->",
    ),
    (r"$$x = \log a b$$", "how far does log reach?", 14, "log(a) b or log(a b)"),
    (r"$$x = \log\frac12 \sum_i y_i$$", "how far does log reach?", 19, "log(a) b or log(a b)"),
    (
        r"$$x = h(u + v)$$",
        "h(…): a product, or a function that nothing defines?",
        7,
        r"h \cdot (…), or a function defined before",
    ),
    (
        r"$$x = \theta^\top y$$",
        "theta is transposed, and its shape is not known",
        7,
        "sizes theta:(n,d)",
    ),
    (r"$$x = \text{softmax}(y)$$", "softmax over which index?", 7, r"softmax}_j"),
    (
        r"$$x_i = y_{i1}$$",
        "a number stands for an index: are indices counted from 0 or from 1?",
        13,
        "the first component is number 0, or it is number 1",
    ),
    (
        r"$$v_a = g_{ab} v^b$$",
        "v has upper indices in one place and lower ones in another",
        16,
        "the same tensor, or one with its indices raised by a metric",
    ),
    (r"$$G_{ab} = R_{ab} - R g_{ab}$$", "the two sides have different shapes", 10, "declare"),
    (r"$$\int f = 1$$", "this integral does not say what it runs over", 3, "dx"),
    (r"$$f: X \to Y$$", ": states a type or a distribution, no equation", 4, "declare shapes"),
    (
        r"$$x = \text{the usual sum}$$",
        "these are words, not a formula: 'the usual sum'",
        7,
        "outside of the display",
    ),
    (
        r"$$x = \begin{bmatrix} a \\ \vdots \end{bmatrix}$$",
        "entries are left out here",
        28,
        "for one component",
    ),
    (r"$$x = \max_i y_j$$", "the index i does not occur in the argument", 12, "subscript"),
    (r"$$x^i = \max_{j \le i} y_j$$", "max runs over the whole range of an index", 15, "infinity"),
    (r"$$x = \max_j y_j z_j$$", "how far does max reach?", 18, "put brackets behind max"),
    (r"$$x = \max(3)$$", "max of one number", 7, "name the index below max"),
    (r"$$x^i = \arg\max_j S^{ij}$$", "an argmax is an index, and no number", 9, "as a condition"),
    (r"$$A^* = \arg\min_A F$$", "an argmin is an index, and no number", 9, r"\arg\min_k"),
    (r"$$x = [j = \arg\max_{k,l} S^{kl}]$$", "argmax over several indices", 21, "one index"),
    (
        r"$$x = \mathbb{E}[y]$$",
        "an expectation needs a distribution, and none is stated",
        7,
        "expectation p over i",
    ),
    (
        r"$$x = y^i (z^i w^i + 1)$$",
        "the index i is summed inside a bracket and occurs outside it too",
        7,
        r"write \sum_i",
    ),
    (
        r"$$x = \frac{1}{y^i} \frac{1}{z^i}$$",
        "the index i is repeated below fraction bars",
        7,
        r"\sum_i \frac{1}{…}",
    ),
    (
        r"$$x = \gamma^{n-i} y^i z_i$$",
        "i is an index in this statement and a number here",
        17,
        "give the number",
    ),
    (r"$$x = y @ z$$", "the character '@' is not part of a formula", 9, "LaTeX command"),
    (r"$$x = y$$ \[ z", r"the display that begins here has no \]", 11, r"\]"),
    (
        S.format("A:(n,m)") + "\n$$x = A A$$",
        "the contracted axis has two sizes, m and n",
        7,
        "m by line 1, column 20; n by line 1, column 20",
    ),
    (S.format("Q:(2+,3)") + "$$x = y$$", "2+ is not a size", 24, "n_q, 5, n-1 or 2n-1"),
    ("<!-- symattn: shapes Q -->$$x = y$$", "this is no declaration: shapes Q", 15, "sizes"),
    (r"$$\delta^i_j_k = x$$", "δ has 3 indices here", 3, r"\delta^i_j"),
    ("only words", "there is no equation in this text", 1, "display formulas"),
    ("", "there is no equation in this text", 1, "display formulas"),
    (r"\newcommand{\a}{\a \a}$$x = \a$$", r"the macro \a calls itself without end", 29, "mend"),
    (
        r"$$Q^{ia} = x^i y^a$$ $$z = Q^{ijk} u^{ijk}$$",
        "Q has 3 indices here and 2 indices at line 1, column 3",
        28,
        "another name",
    ),
    (r"$$x = \frac{1}$$", "the formula ends too early", 15, "an argument: one letter, one digit"),
    (r"$$x == y$$", "= cannot stand here", 6, "a term: a name, a number or a bracket"),
    (r"$$x = y \cdot$$", "the formula ends too early", 14, "write what is missing"),
    (r"$$x = \sofmax(y)$$", r"the macro \sofmax is not known", 7, r"expected: \softmax"),
    (r"$$x = softmax(y)$$", "softmax: the function, or the product s o f t m a x?", 7, "backslash"),
    (r"$$x = 3 \log y exp(z)$$", "exp: the function, or the product e x p?", 16, r"\text{exp}"),
    (r"$$x^i = y^i \text{ if } i > 3$$", "this equation is stated under a condition", 13, "cases"),
    (
        r"$$x^i = y^i \quad \forall i \ne j$$",
        "this equation is stated under a condition",
        19,
        r"[j \le i]",
    ),
    (r"$$x = “y”$$", "the character '“' is not part of a formula", 7, 'write a straight "'),
    (
        "<!-- symattn: sizse Q:(n,d) -->$$x = y$$",
        "this is no declaration: sizse Q:(n,d)",
        15,
        "expected: sizes",
    ),
    (
        "<!-- symatn: sizes Q:(n,d) -->$$x = y$$",
        "symatn: looks like a declaration and is none",
        6,
        "symattn with a colon",
    ),
    (
        "<!-- symattn sizes Q:(n,d) -->$$x = y$$",
        "symattn sizes looks like a declaration and is none",
        6,
        "symattn: sizes",
    ),
    (
        r"$$r = \mathrm{Foo}_j(y_j)$$",
        "Foo(…) with an index: a product, or a function that nothing defines?",
        7,
        r"Foo \cdot (…)",
    ),
    (
        r"$$A^{ij} = B^{ij}$$ $$r = A' x$$",
        "A': the transpose of A, or another name?",
        27,
        r"A^\top, or a scalar A'",
    ),
    (
        S.format("A:(2,2)") + r"$$r = |A + A|$$",
        "bars around a matrix: its determinant, or the absolute values of its components?",
        38,
        r"\det(A), or |A^{ij}|",
    ),
    (
        S.format("x:(n)") + r"$$r = |x|^2$$",
        "bars around a vector: its norm, or the absolute values of its components?",
        36,
        r"\|x\|",
    ),
    (S.format("x:(n)") + r"$$r = \|x\|_3$$", "a norm that is not known", 42, r"\|x\|_1"),
    (
        S.format("A:(n,n)") + r"$$r = \det(A A)$$",
        "the determinant of a matrix of n rows is not written out",
        38,
        "D = …",
    ),
    (
        S.format("A:(n,n)") + r"$$r = A^2$$",
        "a power of a matrix: a matrix product, or the powers of its components?",
        38,
        r"A^{\circ 2}",
    ),
    (
        r"$$r = \prod_t p_t$$",
        "a product over an index needs positive factors, and p may be negative",
        7,
        "positive p",
    ),
    (
        r"$$r = \sum_{j=1}^{i} x_j y_i$$",
        "the index i occurs once, is not on the left and is under no sum",
        28,
        r"\sum_i",
    ),
    (
        r"$$r = \prod_t x_t^3$$",
        "a product over an index needs positive factors, and x may be negative",
        7,
        "positive x",
    ),
    (
        "<!-- symattn: positive p -->" + r"$$r = \prod_t (1 - p_t)$$",
        "a product over an index needs positive factors, and the factor may be negative",
        35,
        r"\prod_{j=1}^{3}",
    ),
    (
        r"$$r = \sum_{j=2}^{n} x_j$$",
        "the index j begins at 2: is the first one number 0 or 1?",
        15,
        "indices from 1",
    ),
    (
        "<!-- symattn: indices from 1 -->" + r"$$r = \sum_{j=0}^{n} x_j$$",
        "the index j begins at 0, and indices count from 1",
        47,
        "j=1",
    ),
    (
        r"$$r = \frac{\partial^2 L}{\partial T}$$",
        "a derivative of order 2 by 1 variables",
        27,
        r"\partial x^2",
    ),
    (
        r"$$r = \frac{\partial}{\partial u} y \frac{\partial u}{\partial x}$$",
        "how far does ∂ reach?",
        37,
        "above the bar",
    ),
    (
        S.format("x:(d)") + r"$$r = \frac{d y}{d z}$$",
        "d above and below: a derivative, or the number d that is declared?",
        42,
        r"\partial",
    ),
    (
        r"$$\sigma^2 = x^i x^i$$",
        "sigma^2 = …: does it define sigma, or is it a claim?",
        3,
        "positive sigma",
    ),
    (
        r"$$O^{ib} = A^{ij} V^{jb}$$ $$O^{ib} = A^{ij} V^j$$",
        "the two sides have different shapes: V has 2 indices, and 1 is written",
        37,
        "a scalar",
    ),
    (r"$$x = y \left( z \right.$$", "the bracket ( is never closed", 14, ")"),
    (
        r"$$M^{ij} = \begin{cases} 0 & j \le i \\ -\infty & j > i \end{cases}$$",
        "∞ is not a number of the index language",
        42,
        r"[j \le i] \exp(S^{ij})",
    ),
]


@pytest.mark.parametrize(("text", "problem", "column", "piece"), CASES, ids=[c[0] for c in CASES])
def test_message(text, problem, column, piece):
    with pytest.raises(ReadError) as caught:
        read(text)
    error = caught.value
    assert isinstance(error, FormulaError)
    line = text.count("\n") + 1
    assert str(error).splitlines()[0] == f"line {line}, column {column}: {problem}"
    assert (error.line, error.column) == (line, column)
    assert piece in str(error)
    shown, caret = str(error).splitlines()[1:3]
    assert shown.startswith("  in:       ") and caret.strip() == "^"
    source = text.splitlines()[-1] if text else ""
    if len(source) <= 96:
        assert shown[12:] == source and caret.index("^") == 12 + column - 1


def test_a_display_that_is_not_closed_is_named_itself():
    with pytest.raises(ReadError) as caught:
        read("$$a = b$$\n\n$$c = d\n\nSome words about it.\n\n$$e = f$$\n")
    assert "the display that begins here has no $$" in caught.value.problem
    assert (caught.value.line, caught.value.column) == (3, 1)


def test_two_sizes_name_both_places():
    with pytest.raises(ReadError) as caught:
        read("$$x = \\sum_{i=1}^{n} a_i$$\n$$y = \\sum_{j=1}^{m} a_j$$")
    text = str(caught.value)
    assert "has two sizes, n and m" in text or "has two sizes, m and n" in text
    assert "n by line 1" in text and "m by line 2" in text and caught.value.line == 2


def test_the_caret_stays_under_its_character_in_a_long_line():
    start = "$$x = " + "a + " * 80
    with pytest.raises(ReadError) as caught:
        read(start + r"\foo$$")
    shown, caret = str(caught.value).splitlines()[1:3]
    assert shown[caret.index("^") :].startswith(r"\foo")


@pytest.mark.parametrize("formula", ["x + 9#", "x_{9#}", r"\sum_{i=1}^{9#} x_i", "x^{9#}", "0.9#"])
def test_a_number_of_too_many_digits(formula):
    with pytest.raises(ReadError, match="a number has more than 1000 digits"):
        read("$$y = " + formula.replace("#", "9" * 5000) + "$$")


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "latex2sympy2", None)
    with pytest.raises(ReadError, match=r"pip install symattn\[latex\]"):
        read(r"$$c = \int_0^1 x dx$$")


HOSTILE = {
    "nested softmax": "$$r^i = " + r"\text{softmax}_i(" * 30 + "x^i" + ")" * 30 + "$$",
    "doubling": "$$f(x) = x x + x$$ $$y = " + "f(" * 30 + "z" + ")" * 30 + "$$",
    "variances": "$$r = " + r"\mathrm{Var}_{i \sim p}(x^i + " * 30 + "y" + ")" * 30 + "$$",
    "determinants": "$$r = "
    + r"\det\begin{pmatrix} a & b & c \\ e & g & h \\ 1 & 2 & " * 18
    + "z"
    + r"\end{pmatrix}" * 18
    + "$$",
    "products": "$$r = " + r"\prod_{i=1}^{20} \prod_{j=1}^{20} \prod_{k=1}^{20} " * 2 + "x_{ijk}$$",
    "long product": r"$$r = \prod_{i=1}^{1000000} x_i$$",
    "quotes": "> $$\n" * 100_000,
    "braces": "$$" + "{" * 1_000_000 + "$$",
    "pairs": "$$" + "{}" * 500_000 + "$$",
    "bare braces": "{" * 1_000_000,
    "fractions": "$$x = " + r"\frac{1}{" * 10_000 + "}" * 10_000 + "$$",
    "left": "$$" + r"\left(" * 100_000 + "$$",
    "scripts": "$$x" + "^{a" * 50_000 + "$$",
    "input": r"$$\input{/etc/passwd}$$",
    "import": "$$__import__('os').system('true')$$",
    "python": "$$x = eval('1')$$",
    "bytes": b"$$x = \xff\xfe$$",
    "null": "$$x = \x00$$",
    "surrogate": "$$x = \ud800$$",
    "bomb": r"\newcommand{\a}[1]{#1#1#1#1#1#1#1#1}$$x=" + r"\a{" * 12 + "y" + "}" * 12 + "$$",
    "dollars": "$" * 1_000_001,
    "sums": "$$x = " + r"\sum_i " * 30_000 + "$$",
    "tower": "$$x = 9^{9^{9^{9}}}$$",
    "claimed tower": "$$x + y = 2^{3^{4^{5}}}$$",
    "primes": "$$x" + "'" * 200_000 + " = $$",
    "backslashes": "$$" + "\\" * 100_001 + "$$",
    "size": "x = y\n" * 1_000_000,
    "catcode": r"$$\catcode`\%=12$$",
    "comments": "<!--" * 200_000,
    "matrix": r"$$x = \begin{pmatrix}" + "1 & " * 50_000 + r"\end{pmatrix}$$",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_input_is_an_error_within_a_second(name, monkeypatch):
    def forbidden(*args, **kwargs):
        raise AssertionError("text was executed or a file was opened")

    read(r"$$a^i = 2 b^i + d^i \exp(c^i)$$")  # what is built and imported once is not counted
    text = HOSTILE[name]
    for function in ("eval", "exec", "open"):
        monkeypatch.setattr(builtins, function, forbidden)
    for function in ("sympy.sympify", "sympy.parsing.sympy_parser.parse_expr"):
        original = __import__("sympy").sympify
        if function == "sympy.sympify":

            def checked(value, *args, original=original, **kwargs):
                assert not isinstance(value, str)
                return original(value, *args, **kwargs)

            monkeypatch.setattr(function, checked)
        else:
            monkeypatch.setattr(function, forbidden)
    gc.collect()
    gc.freeze()  # what other tests left behind is not searched while this one is timed
    start = time.process_time()
    with pytest.raises(ReadError) as caught:
        read(text)
    read_at = time.process_time()
    sum(x * x for x in range(10**6))  # what a second is on this machine, in parts
    assert read_at - start < 25 * (time.process_time() - read_at)
    gc.unfreeze()
    assert len(str(caught.value)) < 2_000
    assert re.match(r"line \d+, column \d+: ", str(caught.value))
