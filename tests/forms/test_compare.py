"""When two formulas are the same in print, and when they are not."""

from __future__ import annotations

import pytest

from .compare import letters, same

SAME = [
    (r"s (1 - s)", r"s\left(1 - s\right)"),
    (r"1 - c^{\circ 2}", r"1 - c \circ c"),
    (r"\tfrac{1}{2} x", r"\frac12 x"),
    (r"\frac{1}{n}\,x", r"\frac 1n x"),
    (r"\sum_j a_{ij} b_j", r"\sum_k a_{ik} b_k"),
    (r"\sum_{j} a_{i j}", r"\sum_l a_{il}"),
    (r"\sum_i \sum_j a_{ij} b_i", r"\sum_j \sum_i a_{ji} b_j"),
    (r"\sum_i \sum_j a_{ij} b_i", r"\sum_j \sum_i a_{ij} b_i"),
    (r"a^{ij} b^{jk}", r"a^{il} b^{lk}"),
    (r"a_{ij} b_j + c_i", r"c_i + b_k a_{ik}"),
    (r"x - y + z", r"z + x - y"),
    (r"-y + x", r"x - y"),
    (r"\sum_j b_j a_{ij}", r"\sum_j a_{ij} b_j"),
    (
        r"A \circ \left(\bar A - \mathrm{rowsum}(A \circ \bar A)\right)",
        r"A \circ (\bar{A} - \mathrm{rowsum}(A \circ \bar{A}))",
    ),
    (r"A \circ B C \circ D", r"B C \circ D \circ A"),
    (r"X^{\top} (X w - y)", r"X^\top (X w - y)"),
    (r"\sum_{l \le i} a_{il}", r"\sum_{k \leq i} a_{ik}"),
    (r"x_i (y_i - \sum_j x_j y_j)", r"(-\sum_k y_k x_k + y_i) x_i"),
    (
        r"\begin{cases} 1 & x > 0 \\ a & x \le 0 \end{cases}",
        r"\begin{cases}a&x\leq 0\\1&x>0\end{cases}",
    ),
    (r"\exp(v_i) - 1", r"e^{v_i} - 1"),
    (r"e^{\frac{u + v}{x}} y_i", r"e^{(u + v)/x} y_i"),
    (r"e^{\frac{b}{T x}} y_i", r"y_i e^{b/(x T)}"),
    (r"\mathrm{ReLU}(x - y)", r"\max(0, x - y)"),
    (r"1 - \tanh^2(c_i)", r"1 - \tanh(c_i)^2"),
    (r"\mathbf{1}[s_i < t] x_i", r"\mathbf{1}[t > s_i] x_i"),
    (r"\frac{x_i - m}{s}", r"\frac{1}{s} (x_i - m)"),
    (r"\frac{x}{r}", r"\frac{1}{r} x"),
    (r"\frac{2 (p - y)}{n}", r"\frac{2}{n} (p - y)"),
    (r"v \circ (C^\top y)", r"v \circ C^\top y"),
    (r"-2 X^\top (y - X w)", r"2 X^\top (X w - y)"),
    (r"z_i - \sum_j a_{ij} (x_i - y_j)", r"z_i + \sum_k a_{ik} (y_k - x_i)"),
    (r"\frac{a}{(b - v)^2}", r"\frac{a}{(v - b)^2}"),
]

DIFFERENT = [
    (r"c^{\circ 3}", r"c \circ c"),
    (r"s (1 - s)", r"s (s - 1)"),
    (r"s (1 - s)", r"s - s^2"),
    (r"x - y", r"y - x"),
    (r"\mathbf{1}[s_i < t]", r"\mathbf{1}[s_i > t]"),
    (r"\frac{x_i - m}{s}", r"\frac{1}{s} x_i - m"),
    (r"e^{v_i}", r"\exp(-v_i)"),
    (r"e^{\frac{b}{T x}} y_i", r"e^{b/T x} y_i"),
    (r"\tanh^2(c_i)", r"\tanh(c_i^2)"),
    (r"\mathrm{ReLU}(x)", r"\max(x, 0)"),
    (
        r"\begin{cases} 1 & x > 0 \\ a & x \le 0 \end{cases}",
        r"\begin{cases} a & x > 0 \\ 1 & x \le 0 \end{cases}",
    ),
    (r"x - y - z", r"x - (y - z)"),
    (r"2 (x - y)", r"2 x - y"),
    (r"\frac{x}{r}", r"\frac{r}{x}"),
    (r"\frac{1}{2 r} x", r"\frac{2}{r} x"),
    (r"v \circ (x - y)", r"v \circ x - y"),
    (r"-2 X^\top (y - X w)", r"2 X^\top (y - X w)"),
    (r"z_i - \sum_j a_{ij} (x_i - y_j)", r"z_i - \sum_k a_{ik} (y_k - x_i)"),
    (r"(x - y) (u - v)", r"(y - x) (u - v)"),
    (r"(x - y)^3", r"(y - x)^3"),
    (r"x / r", r"\frac{x}{r}"),
    (r"\sum_j a_{ij} b_j", r"a_{ij} b_j"),
    (r"\sum_j a_{ij} b_j", r"\sum_j a_{ji} b_j"),
    (r"\sum_j a_{ij} b_j", r"\sum_i a_{ij} b_i"),
    (r"\sum_j a_{ij} b_j", r"\sum_j a_{kj} b_j"),
    (r"\sum_j a_j \sum_k b_k", r"\sum_j a_j \sum_k b_j"),
    (r"\sum_i \sum_j a_{ij} b_j", r"\sum_i \sum_j a_{ij} b_i + 0"),
    (r"\sum_i \sum_j a_{ij} b_{ij}", r"\sum_i \sum_j a_{ij} b_{ji}"),
    (r"a_{ij}", r"a^{ij}"),
    (r"a_{ij}", r"a_{ji}"),
    (r"a^{ij} b_i c_j", r"a^{ji} b_i c_j"),
    (r"\frac12 x", r"\frac{12}{x}"),
    (r"A B", r"B A"),
    (r"X^\top Y", r"Y^\top X"),
    (r"X^\top Y", r"X Y^\top"),
    (r"A \circ B C", r"A B \circ C"),
    (r"A \circ B C", r"C \circ A B"),
    (r"A \circ B", r"A B"),
    (r"(A + B) C", r"A + B C"),
    (r"\bar{y}_i s_i", r"y_i s_i"),
    (r"\bar{y}_i s_i", r"\hat{y}_i s_i"),
    (r"\mathrm{rowsum}(A)", r"\mathrm{colsum}(A)"),
    (r"\sum_{l \le i} a_{il}", r"\sum_{l < i} a_{il}"),
    (r"\sum_{l \le i} a_{il}", r"\sum_l a_{il}"),
    (r"\mathbf{1}[x > 0]", r"\mathbf{1}[x \ge 0]"),
    (r"\mathbf{1}[x > 0]", r"\mathbf{1}[0 > x]"),
    (r"x^2", r"x_2"),
    (r"x_i^2", r"x_i^3"),
    (r"e^x", r"e^{-x}"),
    (r"\log(x) y", r"\log(y) x"),
    (r"\log(x y)", r"\log(x) y"),
    (r"\sigma(x) y", r"\sigma(y) x"),
    (
        r"\begin{cases} 1 & x > 0 \\ a & x \le 0 \end{cases}",
        r"\begin{cases} a & x > 0 \\ 1 & x \le 0 \end{cases}",
    ),
    (r"\unknown[[ x", r"\unknown[[ y"),
]


@pytest.mark.parametrize(("a", "b"), SAME)
def test_same(a, b):
    assert same(a, b)
    assert same(b, a)


@pytest.mark.parametrize(("a", "b"), DIFFERENT)
def test_different(a, b):
    assert not same(a, b)
    assert not same(b, a)


def test_letters_of_the_left_side_are_renamed_in_order():
    assert same(r"p_i (\delta_{ij} - p_j)", r"p_k (\delta_{kl} - p_l)", ("ij", "kl"))
    assert not same(r"p_i (\delta_{ij} - p_j)", r"p_k (\delta_{kl} - p_l)", ("ij", "lk"))
    assert not same(r"p_i (\delta_{ij} - p_j)", r"p_i (\delta_{ij} - p_i)", ("ij", "ij"))
    assert not same(r"s_i t_j", r"s_i t_j", ("ij", "i"))


def test_a_letter_of_the_left_side_is_not_summed_under_its_own_name():
    assert same(r"\sum_j a_{ij}", r"\sum_i a_{ki}", ("i", "k"))
    assert not same(r"\sum_j a_{ij}", r"\sum_j a_{ji}", ("i", "i"))
    assert not same(r"a_i b_i", r"a_i b_i c_i", ("i", "i"))


def test_factors_commute_only_where_it_is_said():
    assert same(r"(1 - s) s", r"s (1 - s)", commute=True)
    assert not same(r"(1 - s) s", r"s (1 - s)", commute=False)
    assert same(r"b_j a_{ij}", r"a_{ij} b_j")
    assert not same(r"\bar{y} x^\top", r"x^\top \bar{y}")
    assert same(r"-c \bar{y}^\top (x - u)", r"-c (x - u)^\top \bar{y}", commute=False, scalar=True)
    assert not same(r"\bar{y}^\top x", r"x^\top \bar{y}", commute=False)
    assert not same(r"\bar{y}^\top x", r"x \bar{y}^\top", commute=False, scalar=True)


def test_letters_are_those_of_scripts():
    assert letters(r"\frac{\partial p_{i}}{\partial x_{j}}") == ("i", "j")
    assert letters(r"\bar W^{ij}") == ("i", "j")
    assert letters(r"\frac{\partial L}{\partial w}") == ()
