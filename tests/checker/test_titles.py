"""What headings say of the names below them, and what they do not."""

import pytest

import symattn as sa


def verdict(text: str) -> str:
    *_, row = sa.check(text, corrections=False, jobs=1).rows
    return row.verdict


VECTOR = "\nLet $v \\in \\mathbb{R}^n$ and $P = v v^\\top$. Then\n\n$$ P P = P . $$\n"
MATRIX = (
    "\nLet $Q \\in \\mathbb{R}^{n \\times n}$ and $y = Q x$. Then\n\n"
    "$$ y^\\top y = x^\\top x . $$\n"
)


@pytest.mark.parametrize("heading", ["# {}\n", "\\section{{{}}}"])
@pytest.mark.parametrize(
    ("title", "body", "expected"),
    [
        ("Unit vectors", VECTOR, "unproved"),
        ("Orthogonal matrices", MATRIX, "unproved"),
        ("Orthogonal matrices", VECTOR, "refuted"),  # v is no matrix
        ("Orthogonal projections", VECTOR, "refuted"),  # P is one, and v is none
        ("Unit vectors", MATRIX, "refuted"),
        ("Vectors and matrices", VECTOR, "refuted"),
    ],
)
def test_a_title_that_says_of_which_kind_names_are(heading, title, body, expected):
    assert verdict(heading.format(title) + body) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Along the line $x + t d$ the derivative at $t = 0$ is less.", "refuted"),
        ("Here $x$ the derivative of $g$ is known.", "unproved"),
        ("Here $x$ is the solution of $B x = b$.", "unproved"),
    ],
)
def test_what_is_said_of_a_sum_is_said_of_no_name(words, expected):
    text = f"Let $f(x) = \\frac12 x^\\top A x - b^\\top x$ with symmetric $A$. {words}"
    assert verdict(f"{text} We have\n\n$$ \\nabla f(x) = A x + b . $$\n") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Let $P = A (A^\\top A)^{-1} A^\\top$. Then $r = b - P b$ is orthogonal to the columns of "
         "$A$. Thus\n\n$$ P^2 = - P . $$\n", "refuted"),
        ("Let $u$ be orthogonal to $v$ and $z = u + v$. Then\n\n"
         "$$ z^\\top z = u^\\top u + v^\\top v . $$\n", "unproved"),
    ],
)  # fmt: skip
def test_what_is_at_right_angles_to_another_thing_says_nothing_of_that(text, expected):
    assert verdict(text) == expected


def test_a_name_of_another_part_may_have_other_axes():
    text = (
        "Let $f(x) = b^\\top x$ with $b \\in \\mathbb{R}^n$. Then\n\n$$ \\nabla f(x) = 2 b . $$\n\n"
        "**Numbers.** For $B = \\begin{pmatrix} a & b \\\\ b & c \\end{pmatrix}$ the trace is "
        "$\\operatorname{tr} B = a + c$.\n"
    )
    assert sa.check(text, corrections=False, jobs=1).rows[1].verdict == "refuted"
