"""A = Q Λ Q⊤, A = U S V⊤, A = Q R: what words say of the factors, and what holds only for them."""

from __future__ import annotations

import pytest

import symattn as sa


def verdicts(text: str) -> list[str]:
    """The verdicts on the last two formulas."""
    return [r.verdict for r in sa.check(text, corrections=False).rows[-2:]]


POWERS = r" Then $A^2 = Q \Lambda^2 Q^\top$ and $A^3 = Q \Lambda^2 Q^\top$."


@pytest.mark.parametrize(
    ("words", "first"),
    [
        (r"with $Q$ orthogonal and diagonal $\Lambda$", "proved"),
        (r"with orthogonal $Q$ and $\Lambda$ diagonal", "proved"),
        (r"with $Q$ an orthogonal matrix of eigenvectors", "proved"),
        (r"(the columns of $Q$ are orthonormal eigenvectors)", "proved"),
        (r"with an orthogonal matrix $\Lambda$ and $Q$", "conditional"),
        ("", "conditional"),
    ],
)
def test_powers_of_a_matrix_in_its_eigenbasis(words: str, first: str) -> None:
    found = verdicts(rf"Let $A = Q \Lambda Q^\top$ {words}." + POWERS)
    assert found == [first, "refuted"]


GRAM = r" Then $A A^\top = U S S^\top U^\top$ and $A A^\top = U S S U^\top$."


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("with orthogonal $U$ and $V$.", ["proved", "refuted"]),
        ("with orthogonal $U$, $V$ and diagonal $S$.", ["proved", "proved"]),
        ("where $U$ and $V$ are orthogonal, $S$ is diagonal.", ["proved", "proved"]),
        ("(its SVD).", ["proved", "proved"]),
    ],
)
def test_products_of_a_singular_value_decomposition(words: str, expected: list[str]) -> None:
    assert verdicts(rf"Let $A = U S V^\top$ {words}" + GRAM) == expected


@pytest.mark.parametrize(
    ("text", "verdict", "reason"),
    [
        (r"Let $A = Q \Lambda Q^\top$. Then $A^{-1} = Q \Lambda^{-1} Q^\top$.",
         "conditional", "true only if Q is orthogonal"),
        (r"Let $A = U S V^\top$. Then $A^\top A = V S^2 V^\top$.",
         "conditional", "true only if U is orthogonal, and S is symmetric"),
        (r"Let $A = Q R$. Then $A^\top A = R^\top R$.",
         "conditional", "true only if Q is orthogonal"),
        (r"Let $A = Q R$ be the QR factorization. Then $A^\top A = R^\top R$.", "proved", ""),
        (r"Let $A = Q R$ be the QR factorization. Then $A^\top A = R R^\top$.", "refuted", ""),
        (r"Let $A = P R$. Then $A^\top A = R^\top R$.", "refuted", ""),
        (r"Let $A = Q \Lambda Q^\top$. Then $A^2 = Q \Lambda^3 Q^\top$.", "refuted", ""),
    ],
)  # fmt: skip
def test_what_holds_for_an_orthogonal_factor_only(text: str, verdict: str, reason: str) -> None:
    row = sa.check(text, corrections=False).rows[-1]
    assert row.verdict == verdict
    assert reason in row.reason


def test_an_oblong_matrix_that_is_called_orthogonal_has_one_gram_matrix() -> None:
    text = r"Let $Q \in \mathbb{R}^{n \times k}$ be orthogonal. Then $\|Q x\|^2 = \|x\|^2$."
    assert verdicts(text + r" Also $\|Q^\top y\|^2 = \|y\|^2$.") == ["proved", "unproved"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"Let $S = a b^\top$ and $y = S x$. "
         r"Then $y_i = a_i b_k x_k$ and $c_i y_i = 2 c_i a_i b_k x_k$.",
         ["proved", "refuted"]),
        (r"Let $S = \operatorname{diag}(s)$ and $y = S x$. "
         r"Then $\frac{\partial y_i}{\partial s_j} = \delta_{ij} x_i$ and $y_i = s_i^2 x_i$.",
         ["proved", "refuted"]),
    ],
)  # fmt: skip
def test_what_another_sentence_indexes_is_no_number(text: str, expected: list[str]) -> None:
    assert verdicts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [  # a factorisation of what is defined is no other definition, and ties what both are made of
        (r"Let $C = X^\top X$. Its eigendecomposition is $C = V \Lambda V^\top$. Let $T = X V$. "
         r"Then $T^\top T = \Lambda$ and $V^\top C V = \Lambda^2$.", ["proved", "refuted"]),
        (r"Let $C = \frac1n X^\top X$. Its eigendecomposition is $C = V \Lambda V^\top$. "
         r"Let $T = X V$. Then $\frac1n T^\top T = \Lambda$ and $C V = V \Lambda$.",
         ["proved", "proved"]),
        (r"Let $A = B F$ with the QR decomposition $A = Q R$. "
         r"Then $Q^\top B F = R$ and $Q^\top B F = R^\top$.", ["proved", "conditional"]),
        (r"Let $M = A B$ with the eigendecomposition $M = A B A^\top$. "
         r"Then $M^2 = A B^2 A^\top$.", ["definition", "conditional"]),  # of no new names
    ],
)  # fmt: skip
def test_a_factorisation_of_what_is_defined(text: str, expected: list[str]) -> None:
    assert verdicts(text) == expected


def test_a_factorisation_says_nothing_of_itself() -> None:
    text = r"Let $C = X^\top X$. Its eigendecomposition is $C = V \Lambda V^\top$."
    row = sa.check(text, corrections=False).rows[-1]
    assert (row.verdict, row.reason) == ("definition", "taken for true")


def test_an_orthogonal_factor_is_square_before_claims_are_read() -> None:
    text = r"Let $A = Q \Lambda Q^\top$ with orthogonal $Q$ and invertible $\Lambda$. "
    claims = r"Then $A^{-1} = Q \Lambda^{-1} Q^\top$ and $A^{-1} = Q^\top \Lambda^{-1} Q$."
    assert verdicts(text + claims) == ["proved", "conditional"]


LAYER = (
    r"Let $h' = V x$ with $V = W + s B A$, $W \in \mathbb{R}^{m \times n}$, "
    r"$B \in \mathbb{R}^{m \times r}$, $A \in \mathbb{R}^{r \times n}$ "
    r"and $g = \frac{\partial L}{\partial h'}$. "
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"Then $$\frac{\partial L}{\partial A} = s B^\top g x^\top$$ "
         r"and $$\frac{\partial L}{\partial B} = g (A x)^\top.$$", ["proved", "refuted"]),
        (r"Then $\frac{\partial L}{\partial B} = s g (A x)^\top$ and $h' = W x + s B A x$.",
         ["proved", "proved"]),
        (r"Let $M = c V A^\top$. Then $M A = c V A^\top A$ and $h' = V x$.", ["proved"] * 2),
    ],
)  # fmt: skip
def test_a_factor_of_a_matrix_beside_another_is_no_row(text: str, expected: list[str]) -> None:
    assert verdicts(LAYER + text) == expected


def test_what_is_defined_is_symmetric_only_where_that_is_proved() -> None:
    text = r"Let $S = X (X^\top X + \lambda I)^{-1} X^\top$ and $M = X Y$. The smoother satisfies"
    assert verdicts(text + r" $S^\top = S$ and $S^\top = 2 S$.") == ["proved", "refuted"]


def test_a_value_at_the_minimum_is_a_claim() -> None:
    text = r"Let $f(x) = a x - x^2$ with maximiser $x^* = \frac a2$. "
    found = verdicts(text + r"At the maximum $f(x^*) = \frac{a^2}{4}$ and $f(x^*) = a x^*$.")
    assert found == ["proved", "unproved"]


RIDGE = r"Let $X = U S V^\top$ with orthogonal $U$ and $V$ and diagonal $S$. "
SPECTRAL = r"Let $A = Q \Lambda Q^\top$ with orthogonal $Q$ and diagonal $\Lambda$. "


@pytest.mark.parametrize(
    ("text", "claim", "slip"),
    [
        (
            SPECTRAL,
            r"(A + \mu I)^{-1} = Q (\Lambda + \mu I)^{-1} Q^\top",
            r"(A + \mu I)^{-1} = Q (\Lambda - \mu I)^{-1} Q^\top",
        ),
        (
            RIDGE,
            r"X (X^\top X + \mu I)^{-1} X^\top = U S (S^2 + \mu I)^{-1} S U^\top",
            r"X (X^\top X + \mu I)^{-1} X^\top = U S (S^2 - \mu I)^{-1} S U^\top",
        ),
        (
            RIDGE,
            r"\operatorname{tr}(X (X^\top X + \mu I)^{-1} X^\top)"
            r" = \sum_i \frac{S_{ii}^2}{S_{ii}^2 + \mu}",
            r"\operatorname{tr}(X (X^\top X + \mu I)^{-1} X^\top)"
            r" = \sum_i \frac{S_{ii}}{S_{ii}^2 + \mu}",
        ),
        (SPECTRAL, r"\det A = \det \Lambda", r"\det A = 2 \det \Lambda"),
        (
            SPECTRAL,
            r"A (A + \mu I)^{-1} = Q \Lambda (\Lambda + \mu I)^{-1} Q^\top",
            r"A (A + \mu I)^{-1} = Q (\Lambda + \mu I)^{-1} Q^\top",
        ),
    ],
    ids=["resolvent", "smoother", "degrees of freedom", "determinant", "filter"],
)
def test_resolvents_by_their_eigenvalues(text: str, claim: str, slip: str) -> None:
    found = [verdicts(rf"{text}Then $${c}$$")[-1] for c in (claim, slip)]
    assert found == ["proved", "refuted"]


def test_the_trace_of_an_inverse_of_a_sum() -> None:
    text = r"Let $A = B C$ with square $B$ and $C$. Then "
    claim = r"$$\operatorname{tr}((A + \mu I)^{-1} A) = \operatorname{tr}(A (A + \mu I)^{-1})$$"
    assert verdicts(text + claim)[-1] == "proved"
    claims = r"$$\operatorname{tr}((A + \mu I)^{-1}) = \operatorname{tr}((\mu I + A)^{-1})$$ and "
    slip = r"$$\operatorname{tr}((A + \mu I)^{-1}) = \operatorname{tr}((\mu I - A)^{-1})$$"
    assert verdicts(text + claims + slip) == ["proved", "refuted"]
