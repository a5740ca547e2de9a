"""Commutators and anticommutators of operators, each beside its near misses."""

from __future__ import annotations

import pytest

from symattn.checker import check


def verdict(text: str, claim: str) -> str:
    return check(text.replace("@", claim), timeout=None, corrections=False).rows[-1].verdict


SETTINGS = [
    ("Let $[A, B] = AB - BA$ denote the commutator of square matrices. Then\n$$@$$\n",
     r"[A, B C] = [A, B] C + B [A, C]", r"[A, B C] = [A, B] C + [A, C] B"),
    ("The commutator of operators $A$, $B$ and $C$ satisfies\n$$@$$\n",
     r"[A, [B, C]] + [B, [C, A]] + [C, [A, B]] = 0", r"[A, [B, C]] + [B, [C, A]] = [C, [A, B]]"),
    (r"Let $\hat x$ and $\hat p$ be operators with $[\hat x, \hat p] = i\hbar$. Then" "\n$$@$$\n",
     r"[\hat x, \hat p^2] = 2 i \hbar \hat p", r"[\hat x, \hat p^2] = i \hbar \hat p"),
    (r"The operators $x$ and $p$ satisfy $[x, p] = i \hbar$, and $H = \frac{p^2}{2 m}$. Then"
     "\n$$@$$\n", r"[x, H] = \frac{i \hbar}{m} p", r"[x, H] = \frac{i \hbar}{2 m} p"),
    (r"Let $\{A, B\} = A B + B A$ be the anticommutator and $[A, B]$ the commutator. Then"
     "\n$$@$$\n", r"A B = \frac12 [A, B] + \frac12 \{A, B\}",
     r"A B = \frac12 [A, B] - \frac12 \{A, B\}"),
    (r"The ladder operators satisfy $[a, a^\dagger] = 1$, and $N = a^\dagger a$. Then" "\n$$@$$\n",
     r"[N, a] = -a", r"[N, a] = a"),
    ("Let $A$ be an invertible matrix and write $[A, B] = A B - B A$. Then\n$$@$$\n",
     r"[A^{-1}, B] = -A^{-1} [A, B] A^{-1}", r"[A^{-1}, B] = A^{-1} [A, B] A^{-1}"),
    ("Let $A, B, C$ be matrices and write $[A, B] = A B - B A$. Then\n$$@$$\n",
     r"\operatorname{tr}([A, B] C) = \operatorname{tr}(A [B, C])",
     r"\operatorname{tr}([A, B] C) = \operatorname{tr}(B [A, C])"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "right", "wrong"), SETTINGS)
def test_what_follows_and_what_a_slip_makes_of_it(text: str, right: str, wrong: str) -> None:
    assert verdict(text, right) == "proved"
    assert verdict(text, wrong) == "refuted"


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        # said of a case alone
        ("Let $A$, $B$ and $C$ be operators and $[A, B]$ the commutator. If $[A, B] = 0$, then "
         "$A B = B A$. In general\n$$@$$\n", "A B C = B A C"),
        # a bracket that is none of a commutator
        ("A point $x \\in [0, 1]$ and the operator $T$. Let $v = [a, b]$. Then\n$$@$$\n",
         "v = a b - b a"),
        ("The Poisson bracket of $x$ and $p$ satisfies\n$$@$$\n", r"\{x, p\} = x p + p x"),
        # two values of one name
        ("The operators satisfy $[a, b] = 1$. Let $N = b a$. Later we write $N = a b$. Then\n"
         "$$@$$\n", "[N, a] = -a"),
        # what words ask for
        ("The operators $A$ and $B$ have a commutator $[A, B]$. When is it so that\n$$@$$\n",
         "[A, B] = [B, A]"),
    ],
)  # fmt: skip
def test_nothing_else_is_decided(text: str, claim: str) -> None:
    assert verdict(text, claim) not in ("proved", "refuted")


def test_what_is_supposed_is_no_claim() -> None:
    text = r"Let $x$ and $p$ be operators with $[x, p] = i\hbar$."
    (row,) = check(text, timeout=None, corrections=False).rows
    assert (row.verdict, row.reason) == ("definition", "taken for true")
