"""What an equation is: a step from a line before, an equation for a function, or a definition."""

from __future__ import annotations

import pytest

from symattn.checker import check
from symattn.checker.report import Row


def last(*parts: str) -> Row:
    """The last row of a text of sentences and displays."""
    return check("\n\n".join(parts), corrections=False).rows[-1]


SUM = r"$$ f(x) + g(x) = h(x) + k(x) $$"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (SUM, r"$$ f(x) - k(x) = h(x) - g(x) $$"),
        (SUM, r"$$ 2 f(x) + 2 g(x) = 2 h(x) + 2 k(x) $$"),
        (r"$$ a f(x) = b g(x) + c $$", r"$$ a f(x) - c = b g(x) $$"),
    ],
)
def test_a_step_from_an_open_line_is_conditional_on_it(first: str, second: str) -> None:
    found = last("We assume the balance", first, "so that", second)
    assert (found.verdict, found.reason) == ("conditional", "true with what line 3 says")


@pytest.mark.parametrize(
    "second",
    [
        r"$$ f(x) - k(x) = h(x) + g(x) $$",
        r"$$ f(x) + 2 k(x) = 2 h(x) - g(x) $$",
        r"$$ f(x) g(x) = h(x) k(x) $$",
    ],
)
def test_what_does_not_follow_stays_open(second: str) -> None:
    found = last("We assume the balance", SUM, "so that", second)
    assert found.verdict in ("unproved", "skipped")


def test_no_link_of_a_chain_is_taken_for_true() -> None:
    chain = r"$$ F(x) = \int f(x) g(x) dx = \int f(x) dx = \int f(x) dx + 0 \cdot g(x) $$"
    assert not any(
        "true with" in r.reason for r in check("We find\n\n" + chain, corrections=False).rows
    )


@pytest.mark.parametrize(
    "latex",
    [
        r"\frac{\partial u}{\partial t} = \kappa \frac{\partial^2 u}{\partial x^2}",
        r"m \frac{\partial v}{\partial t} = -\gamma v",
    ],
)
def test_an_equation_of_derivatives_of_what_nothing_defines_is_no_claim(latex: str) -> None:
    found = last(f"The field obeys\n\n$$ {latex} $$")
    assert found.verdict == "skipped"
    assert found.reason.startswith("it may be an equation for")


def test_what_is_defined_makes_a_claim_of_it() -> None:
    found = last(r"Let $u = x^2 t$.", r"$$ \frac{\partial u}{\partial t} = 2 x^2 $$")
    assert found.verdict == "refuted"


@pytest.mark.parametrize(
    ("latex", "name"),
    [
        (r"\frac{\partial L}{\partial O_{ib}} = \bar{O}_{ib}", "O_bar"),
        (r"\cos \theta = \frac{\sum_i u_i v_i}{\|u\| \|v\|}", "theta"),
    ],
)
def test_what_stands_alone_for_the_first_time_is_defined(latex: str, name: str) -> None:
    head = r"Let $u, v \in \mathbb{R}^n$ be directions, and"
    found = last(head, r"$$ O_{ib} = \sum_j A_{ij} V_{jb} $$", f"$$ {latex} $$")
    assert (found.verdict, found.reason) == ("definition", f"says what {name} is")


def test_the_sign_of_a_number_does_not_say_what_it_is() -> None:
    assert "says what" not in last("We have\n\n" + r"$$ \operatorname{sign}(s) = 1 $$").reason


def test_a_line_element_in_letters_is_a_definition() -> None:
    found = last(r"Lengths are measured by", r"$$ ds^2 = g_{ab} dx^a dx^b $$")
    assert (found.verdict, found.reason) == ("definition", "a line element")


def test_a_sum_over_a_function_that_nothing_defines_is_a_condition() -> None:
    found = last("The weights obey", r"$$ \sum_{i=1}^n \lambda(x_i, \theta) = 1 $$")
    assert (found.verdict, found.reason[:18]) == ("skipped", "it may be a condit")


VECTORS = r"Let $\eta > 0$, $F \in \mathbb{R}^{n \times m}$ and $x \in \mathbb{R}^m$."


def test_a_strict_bound_that_zero_breaks_holds_elsewhere() -> None:
    found = last(VECTORS, r"$$ \| F x \|^2 + \eta \| x \|^2 > 0 $$")
    assert found.verdict == "conditional"
    assert found.reason == "true where the two sides differ: it is proved with equality allowed"
    assert last(VECTORS, r"$$ \| F x \|^2 - \eta \| x \|^2 > 0 $$").verdict != "conditional"


ODD = r"Let $k = 2 n + 1$ and $p = \lfloor k / 2 \rfloor$ for $n \in \mathbb{N}$."


@pytest.mark.parametrize(
    "latex", [r"\lfloor k / 2 \rfloor = n", "2 p + 1 = k", r"\lceil k / 2 \rceil = n + 1"]
)
def test_whole_numbers_are_rounded(latex: str) -> None:
    found = last(ODD, f"$$ {latex} $$")
    assert (found.verdict, found.assumed) == ("proved", ("n is a whole number",))


@pytest.mark.parametrize(
    ("latex", "right"),
    [(r"\lceil k / 2 \rceil = n", ""), ("2 p = k + 1", "k - 1"), ("2 p = 4 n", "2 n")],
)
def test_a_slip_in_rounding_is_refuted_at_whole_numbers(latex: str, right: str) -> None:
    found = check(f"{ODD}\n\n$$ {latex} $$").rows[-1]
    assert found.verdict == "refuted"
    assert {float(v).is_integer() for v in found.counterexample["values"].values()} == {True}
    assert not right or found.correction.split() == right.split()


@pytest.mark.parametrize(
    "latex",
    [
        r"\lfloor k / 2 \rfloor = \frac{k}{2}",  # of even ones
        r"\lfloor k / 2 \rfloor = \frac{k - 1}{2}",
        r"s \lfloor \frac{m - k}{s} \rfloor = m - k",  # of multiples of s
        r"\lfloor k / s \rfloor = 0",  # of smaller ones
        r"\lfloor \frac{m + k}{2} \rfloor + 1 = m + 1",  # of m itself and the next one
    ],
)
def test_what_holds_of_whole_numbers_of_one_kind_is_not_refuted(latex: str) -> None:
    found = last(r"Let $k, m, s \in \mathbb{N}$.", f"$$ {latex} $$")
    assert (found.verdict, found.reason) == ("unproved", "it may be meant for whole numbers")


REAL, WHOLE = "Let $x, y$ be real numbers.", r"Let $x, y \in \mathbb{Z}$."


@pytest.mark.parametrize(
    "latex",
    [
        r"\lfloor x + y \rfloor = \lfloor x \rfloor + \lfloor y \rfloor",
        r"\lfloor 2 x \rfloor = 2 \lfloor x \rfloor",
        r"\lceil x \rceil - \lfloor x \rfloor = 0",
        r"\lfloor x + \frac{1}{2} \rfloor + \lceil x - \frac{1}{2} \rceil = 2 x",
    ],
)
def test_only_whole_numbers_are_rounded_to_themselves(latex: str) -> None:
    assert last(REAL, f"$$ {latex} $$").verdict in ("refuted", "unproved")
    assert last(WHOLE, f"$$ {latex} $$").verdict == "proved"
    found = last(f"$$ {latex} $$")
    assert found.verdict == "conditional"
    assert found.reason in ("true where x is a whole number", "true where y is a whole number")


@pytest.mark.parametrize(
    "latex",
    [
        r"\lfloor -x \rfloor = -\lceil x \rceil",
        r"\lfloor x + 3 \rfloor = \lfloor x \rfloor + 3",
        r"\lfloor x + n \rfloor - n = \lfloor x \rfloor",
    ],
)
def test_what_holds_of_all_real_numbers_asks_for_whole_ones_only_where_it_needs_them(
    latex: str,
) -> None:
    found = last(REAL, f"$$ {latex} $$")
    assert found.verdict == "proved"
    mixed = r"\lfloor x + n \rfloor = \lfloor x \rfloor + \lfloor n \rfloor"
    assert last(REAL, f"$$ {mixed} $$").assumed == ("n is a whole number",)
    assert found.assumed == (("n is a whole number",) if "n -" in latex or "+ n" in latex else ())


def test_rounding_down_and_up_of_the_same_is_refuted() -> None:
    found = last(
        r"Let $k, m \in \mathbb{N}$ and $p = \lfloor k / 2 \rfloor + m$.",
        r"$$ \lfloor k / 2 \rfloor = p + m $$",
    )
    assert found.verdict == "refuted"


UTILITY = r"$$ u = \mu^\top x - \frac{\gamma}{2} x^\top x $$"


def test_a_gradient_that_is_set_to_zero_is_a_claim_and_its_zero_is_none() -> None:
    head = r"Let $\mu, x \in \mathbb{R}^n$."
    slip = r"$$ \frac{\partial u}{\partial x} = \mu + \gamma x $$"
    report = check("\n\n".join((head, UTILITY, "Setting the gradient", slip, "to zero, we find")))
    assert (report.rows[-1].verdict, report.rows[-1].correction) == ("refuted", r"\mu - \gamma x")
    zero = r"$$ \frac{\partial u}{\partial x} = 0 $$"
    assert last(head, UTILITY, "Setting the gradient", zero, "we find").verdict == "skipped"
    assert last(head, UTILITY, "Setting the gradient to zero,", zero).verdict == "skipped"
