"""A name with two meanings in two sections: each holds in its own, and neither spoils the other."""

from __future__ import annotations

import pytest

import symattn as sa
from symattn.read import read


def verdicts(text: str) -> dict[str, str]:
    """The verdict of every formula, by its text."""
    return {r.latex.rstrip("., "): r.verdict for r in sa.check(text, timeout=20, corrections=False)}


KINDS = r"""
# Circuits

## Divider

Two resistors carry the current $I = \frac{U}{R_1 + R_2}$. The power in the second is $P = R_2 I^2$,
$$P = \frac{R_2 U^2}{(R_1 + R_2)^2}.$$

## Networks

Let $u \in \mathbb{R}^n$ be voltages and $G \in \mathbb{R}^{n \times n}$ the symmetric conductance
matrix. The power is
$$P = u^\top G u.$$
$$\nabla_u P = 2 G u.$$
$$\nabla_u P = G u.$$

## Alternating current

Let $P = \frac{v^2}{2 R}$ be the mean power. Then
$$\frac{dP}{dR} = -\frac{P}{R}.$$
$$\frac{dP}{dR} = \frac{P}{R}.$$
"""


def test_kinds_of_one_letter() -> None:
    found = verdicts(KINDS)
    assert found[r"P = \frac{R_2 U^2}{(R_1 + R_2)^2}"] == "proved"
    assert found[r"\nabla_u P = 2 G u"] == found[r"\frac{dP}{dR} = -\frac{P}{R}"] == "proved"
    assert found[r"\nabla_u P = G u"] == found[r"\frac{dP}{dR} = \frac{P}{R}"] == "refuted"


DEFINED = r"""
# Gases

## Ideal gas

For $n$ moles of gas the pressure is $p = \frac{n R T}{V}$. Hence
$$\frac{\partial p}{\partial V} = -\frac{n R T}{V^2}.$$
With $V = n R T / p$ the compressibility is $\kappa = -\frac{1}{V} \frac{\partial V}{\partial p}$.

## Real gas

For a real gas the pressure is
$$p = \frac{R T}{V - b} - \frac{a}{V^2}.$$
Then
$$\frac{\partial p}{\partial V} = -\frac{R T}{(V - b)^2} + \frac{2 a}{V^3}.$$
$$\frac{\partial p}{\partial T} = \frac{R}{V}.$$

## Work

Again, for the first gas,
$$p V = n R T.$$
"""


def test_two_definitions_of_one_letter() -> None:
    found = verdicts(DEFINED)
    assert found[r"\frac{\partial p}{\partial V} = -\frac{n R T}{V^2}"] == "proved"
    second = r"\frac{\partial p}{\partial V} = -\frac{R T}{(V - b)^2} + \frac{2 a}{V^3}"
    assert found[second] == "proved"
    assert found[r"\frac{\partial p}{\partial T} = \frac{R}{V}"] == "refuted"
    assert found["p V = n R T"] == "proved"  # the first meaning again, behind the section


def test_numbers_where_another_section_has_vectors() -> None:
    text = r"""
## Regression

With $X \in \mathbb{R}^{n \times d}$, $w \in \mathbb{R}^d$ and $y \in \mathbb{R}^n$ the loss is
$$L = \frac{1}{2} \|X w - y\|^2, \qquad \nabla_w L = X^\top (X w - y).$$

## One weight

For one weight $w$, one input $x$ and the loss $L = \frac12 (w x - y)^2$ we get
$$\frac{\partial L}{\partial w} = (w x - y) x, \qquad \frac{\partial^2 L}{\partial w^2} = 2 x^2.$$
"""
    found = verdicts(text)
    assert found[r"\nabla_w L = X^\top (X w - y)"] == "proved"
    assert found[r"\frac{\partial L}{\partial w} = (w x - y) x"] == "proved"
    assert found[r"\frac{\partial^2 L}{\partial w^2} = 2 x^2"] == "refuted"


def test_labels_of_numbers_beside_components() -> None:
    text = r"""
## Momenta

Two bodies have the momenta $p_1 = m_1 v_1$ and $p_2 = m_2 v_2$ and the total $P = p_1 + p_2$.

## Particle

Let $p \in \mathbb{R}^2$ be the momentum of a free particle, $E = \frac{1}{2 m} \sum_i p_i^2$. Then
$$\sum_i p_i \frac{\partial E}{\partial p_i} = 2 E.$$
$$\sum_i p_i \frac{\partial E}{\partial p_i} = E.$$
"""
    found = verdicts(text)
    assert found[r"\sum_i p_i \frac{\partial E}{\partial p_i} = 2 E"] == "proved"
    assert found[r"\sum_i p_i \frac{\partial E}{\partial p_i} = E"] == "refuted"


LEANING = r"""
# Notes

## Scores

Let $Q, K \in \mathbb{R}^{n \times d}$ and $S = Q K^\top$,
$A_{ij} = \frac{e^{S_{ij}}}{\sum_k e^{S_{ik}}}$.

## Gradients

$$\frac{\partial A_{ij}}{\partial S_{ik}} = A_{ij} (\delta_{jk} - A_{ik}).$$
$$\frac{\partial S_{ij}}{\partial Q_{ia}} = K_{ja}.$$
"""


def test_what_a_section_does_not_give_anew_keeps_its_meaning() -> None:
    found = verdicts(LEANING)
    assert found[r"\frac{\partial S_{ij}}{\partial Q_{ia}} = K_{ja}"] == "proved"
    assert read(LEANING, strict=False).definitions.keys() == {"S", "A"}


def test_wrong_equation_of_another_section_is_no_new_definition() -> None:
    text = r"""
## Energy

A body has the momentum $p = m v$ and the energy $T = \frac{p^2}{2 m}$.

## Results

Hence we have
$$T = m v^2.$$
"""
    doc = read(text, strict=False)
    assert "T_2" not in doc.definitions
    (row,) = [r for r in sa.check(text, corrections=False) if r.latex.startswith("T = m v^2")]
    assert "differs" in row.reason  # the T of the other section, and said to be another


def test_two_statements_of_one_section_are_one_name() -> None:
    text = r"""
## Circuit

The resistance is $R = \frac{R_1 R_2}{R_1 + R_2}$. It follows that
$$R = \frac{R_1 R_2}{R_1 - R_2}.$$
"""
    assert verdicts(text)[r"R = \frac{R_1 R_2}{R_1 - R_2}"] == "refuted"


def test_a_function_and_a_number_of_one_letter() -> None:
    text = r"""
## Units

Let $\sigma(z) = \frac{1}{1 + e^{-z}}$. Then
$$\sigma'(z) = \sigma(z) (1 - \sigma(z)).$$

## Noise

$$f(x) = \frac{1}{\sqrt{2 \pi \sigma^2}} e^{-\frac{(x - \mu)^2}{2 \sigma^2}}.$$
$$\frac{\partial \log f(x)}{\partial \mu} = \frac{x - \mu}{\sigma^2}.$$
"""
    found = verdicts(text)
    assert found[r"\sigma'(z) = \sigma(z) (1 - \sigma(z))"] == "proved"
    name = r"\frac{\partial \log f(x)}{\partial \mu} = \frac{x - \mu}{\sigma^2}"
    assert found[name] == "proved"


def test_a_function_without_its_argument_is_the_function_beside_what_it_is_made_of() -> None:
    text = r"""
## Motion

The place is $x(t) = A e^{-k t}$.

## Energy

With the stiffness $k$ the amplitude $A$ gives $\frac{dx}{dt} = -k x$.
"""
    assert "x_2" not in read(text, strict=False).summary()


def test_sizes_named_d_leave_derivatives_alone() -> None:
    text = r"""
Let $X \in \mathbb{R}^{n \times d}$ and $H = -p \log p - (1 - p) \log(1 - p)$. Then
$$\frac{dH}{dp} = \log\frac{1 - p}{p}.$$
$$\frac{dH}{dp} = \log\frac{p}{1 - p}.$$
"""
    found = verdicts(text)
    assert found[r"\frac{dH}{dp} = \log\frac{1 - p}{p}"] == "proved"
    assert found[r"\frac{dH}{dp} = \log\frac{p}{1 - p}"] == "refuted"


@pytest.mark.parametrize(("left", "verdict"), [("u^\\top J", "proved"), ("J^\\top J", "refuted")])
def test_capital_that_an_equation_makes_a_vector(left: str, verdict: str) -> None:
    text = rf"""
Let $u \in \mathbb{{R}}^n$ and $G \in \mathbb{{R}}^{{n \times n}}$
with $J = G u$ and $P = u^\top G u$. Then
$${left} = P.$$
"""
    assert verdicts(text)[f"{left} = P"] == verdict


def test_current_called_i_is_no_unit_matrix() -> None:
    text = r"""
Let $u \in \mathbb{R}^n$ be voltages.
A resistor has the current $I = \frac{U}{R}$ and the power $P = U I$. Then
$$P = R I^2.$$
"""
    assert verdicts(text)["P = R I^2"] == "proved"


def test_exponents_of_what_a_function_is_of() -> None:
    text = r"""
A consumer has the utility $u(x, y) = x^a y^b$. Then
$$\frac{\partial u/\partial x}{\partial u/\partial y} = \frac{a y}{b x}.$$
$$\frac{\partial u/\partial x}{\partial u/\partial y} = \frac{b y}{a x}.$$
"""
    found = verdicts(text)
    name = r"\frac{\partial u/\partial x}{\partial u/\partial y} = "
    assert found[name + r"\frac{a y}{b x}"] == "proved"
    assert found[name + r"\frac{b y}{a x}"] == "refuted"


def test_letters_above_two_names_are_indices() -> None:
    (meaning,) = (m for m in read("$$f(x, y) = x^a y^a$$", strict=False).meanings if m.name == "x")
    assert meaning.kind == "vector"


def test_what_a_later_section_defines_is_free_before_it() -> None:
    text = r"""
# Markets

## Consumers

A consumer has the utility $u(x, y) = x^a y^b$ at the prices $p$ and $q$. The demands are
$x = \frac{a m}{(a + b) p}$ and $y = \frac{b m}{(a + b) q}$. Then
$$\frac{\partial u/\partial x}{\partial u/\partial y} = \frac{a y}{b x}.$$
$$\frac{\partial u/\partial x}{\partial u/\partial y} = \frac{b y}{a x}.$$

## Monopoly

Demand is $p = c - e y$ with the quantity $y$.
"""
    name = r"\frac{\partial u/\partial x}{\partial u/\partial y} = "
    found = verdicts(text)
    assert found[name + r"\frac{a y}{b x}"] == "proved"
    assert found[name + r"\frac{b y}{a x}"] == "refuted"


def test_two_statements_behind_one_then() -> None:
    text = r"""
The engine has the efficiency $\eta = W/Q_1$ with $W = Q_1 - Q_2$. Then
$$\eta = 1 - \frac{Q_2}{Q_1}.$$
$$\eta = 1 - \frac{Q_1}{Q_2}.$$
"""
    found = verdicts(text)
    assert found[r"\eta = 1 - \frac{Q_2}{Q_1}"] == "proved"
    assert found[r"\eta = 1 - \frac{Q_1}{Q_2}"] == "refuted"


INTRODUCED = r"""
### Introduction

We are given a function \\(g(x)\\) where \\(x\\) is a vector of inputs.

### A product of two numbers

Take \\(g(x, y) = 3 x y\\). Then

$$\frac{\partial g}{\partial x} = 3 y, \qquad \frac{\partial g}{\partial y} = x$$

```python
# no heading
```

so that \\(x \frac{\partial g}{\partial x} = g\\).

### A staged function

$$h(x, y) = \frac{x + e^y}{e^x + (x + y)^2}$$
"""


def test_what_an_introduction_says_of_a_letter_gives_way_to_sections_of_numbers() -> None:
    found = verdicts(INTRODUCED)
    assert found[r"\frac{\partial g}{\partial x} = 3 y"] == "proved"
    assert found[r"\frac{\partial g}{\partial y} = x"] == "refuted"
    assert found[r"x \frac{\partial g}{\partial x} = g"] == "proved"
    assert found[r"g(x, y) = 3 x y"] == "definition"
    assert not {"skipped", "malformed"} & {*found.values()}


def test_what_an_introduction_says_of_a_letter_holds_where_it_fits() -> None:
    text = INTRODUCED + "\n### Layers\n\n$$u_i = W_{ij} x_j$$\n\n$$u = W x$$\n\n$$u = x W$$\n"
    found = verdicts(text)
    assert found["u = W x"] == "proved"
    assert found["u = x W"] != "proved"
    assert found[r"\frac{\partial g}{\partial x} = 3 y"] == "proved"


def given_anew(words: str, second: str, slope: str) -> list[str]:
    """The verdicts on a second display for a function that a sentence defines, and on its slope."""
    text = (
        "Consider $f(x) = x^2 + a$. Then\n\n$$f(x) = a + x x, \\qquad f'(x) = 2 x.$$\n\n"
        f"{words}\n\n$$f(x) = {second}, \\qquad f'(x) = {slope}.$$\n"
    )
    return [r.verdict for r in sa.check(text, corrections=False).rows][1:]


def test_a_function_of_a_sentence_may_be_given_anew() -> None:
    before = ["proved", "proved"]
    cubic = "Next take the cubic, whose derivative is also simple:"
    assert given_anew(cubic, "x^3 + a", "3 x^2") == [*before, "definition", "proved"]
    growth = "Next take exponential growth:"
    assert given_anew(growth, "b e^x + a", "b e^x") == [*before, "definition", "proved"]
    assert given_anew(growth, "b e^x + a", "b x e^x") == [*before, "definition", "refuted"]
    for words in ("It can be rewritten as", "We find that", "Expanding,"):
        assert given_anew(words, "(x + 1)^2 - x + a - 1", "2 x") == [*before, "refuted", "proved"]
        right = given_anew(words, "(x + 1)^2 - 2 x + a - 1", "2 x")
        assert right == [*before, "proved", "proved"]


def test_a_formula_of_kramdown_stands_where_it_is_written() -> None:
    text = r"Let \\(y = x^2\\) and \(u = 3 x\), so \\(\frac{dy}{dx} = 2 x\\) and \(z = x y\)."
    rows = sa.check(text, corrections=False).rows
    assert len(rows) == 4
    for row in rows:
        assert text[row.column - 1 :].startswith(row.latex)


SAMPLES = r"""
### Introduction

The samples are $x_1, \dots, x_n$ with $x_i \in \mathbb{R}^d$.

### One number

Start with a single number $x$. Take

$$f(x) = x^2.$$

Then

$$f'(x) = 2 x$$

$$f'(x) = x$$

### Back

$$\sum_i x_i^\top x_i = \sum_i \|x_i\|^2$$
"""


def test_a_number_of_a_section_is_none_of_the_samples() -> None:
    said = [r.verdict for r in sa.check(SAMPLES, corrections=False).rows]
    assert said == ["definition", "proved", "refuted", "proved"]


GENERAL = r"""A slope says how much $f$ grows, $f(x + h) = f(x) + h \frac{df(x)}{dx}$ for small $h$.

$$f(x, y) = x y \qquad \rightarrow \qquad \frac{\partial f}{\partial x} = y$$

Of a product, $f(x, y) = x y$ say, it is the other factor. Some more are

$$f(x) = \frac{1}{x} \qquad \rightarrow \qquad \frac{df}{dx} = -1/x^2 \\
f(x) = e^x \qquad \rightarrow \qquad \frac{df}{dx} = e^x$$
"""  # fmt: skip


def test_before_functions_of_one_name_it_is_any_function() -> None:
    first, *rest = [r.verdict for r in sa.check(GENERAL, corrections=False).rows]
    assert first in ("unproved", "definition")
    assert rest == ["definition", "proved", "proved", *["definition", "proved"] * 2]
