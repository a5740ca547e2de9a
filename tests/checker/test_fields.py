r"""Fields in space: identities of ∇ and ε_{ijk}, what laws imply, and what is no identity."""

import pytest

from symattn.checker import check

HEAD = r"""Let $f$ and $g$ be scalar fields and
$\mathbf{A}$, $\mathbf{B}$, $\mathbf{C}$ vector fields.

$$\nabla \times (\nabla f) = 0$$

"""
RIGHT = (
    r"\nabla \cdot (\nabla \times \mathbf{A}) = 0",
    r"\nabla (f g) = f \nabla g + g \nabla f",
    r"\nabla \cdot (f \mathbf{A}) = f \nabla \cdot \mathbf{A} + \mathbf{A} \cdot \nabla f",
    r"\nabla \times (f \mathbf{A}) = f \nabla \times \mathbf{A} + \nabla f \times \mathbf{A}",
    r"\nabla \cdot (\mathbf{A} \times \mathbf{B}) = \mathbf{B} \cdot (\nabla \times \mathbf{A})"
    r" - \mathbf{A} \cdot (\nabla \times \mathbf{B})",
    r"\nabla \times (\nabla \times \mathbf{A}) = \nabla (\nabla \cdot \mathbf{A})"
    r" - \nabla^2 \mathbf{A}",
    r"(\mathbf{A} \cdot \nabla) \mathbf{A} = \frac{1}{2} \nabla A^2"
    r" - \mathbf{A} \times (\nabla \times \mathbf{A})",
    r"\nabla^2 (f g) = f \nabla^2 g + 2 \nabla f \cdot \nabla g + g \nabla^2 f",
    r"|\vec{A} \times \vec{B}|^2 = |\vec{A}|^2 |\vec{B}|^2 - (\vec{A} \cdot \vec{B})^2",
    r"\frac{\partial}{\partial t} (\mathbf{A} \times \mathbf{B}) ="
    r" \frac{\partial \mathbf{A}}{\partial t} \times \mathbf{B}"
    r" + \mathbf{A} \times \frac{\partial \mathbf{B}}{\partial t}",
)
WRONG = (
    r"\nabla \cdot (f \mathbf{A}) = f \nabla \cdot \mathbf{A} - \mathbf{A} \cdot \nabla f",
    r"\nabla \times (f \mathbf{A}) = f \nabla \times \mathbf{A} - \nabla f \times \mathbf{A}",
    r"\nabla \cdot (\mathbf{A} \times \mathbf{B}) = \mathbf{B} \cdot (\nabla \times \mathbf{A})"
    r" + \mathbf{A} \cdot (\nabla \times \mathbf{B})",
    r"\nabla \times (\nabla \times \mathbf{A}) = \nabla (\nabla \cdot \mathbf{A})"
    r" + \nabla^2 \mathbf{A}",
    r"\nabla^2 (f g) = f \nabla^2 g + \nabla f \cdot \nabla g + g \nabla^2 f",
    r"\mathbf{A} \times \mathbf{B} = \mathbf{B} \times \mathbf{A}",
)
OPEN = (  # laws that some fields obey
    r"\nabla \cdot \mathbf{A} = 0",
    r"\nabla \times \mathbf{A} = 0",
    r"\nabla^2 f = 0",
    r"\nabla \times \mathbf{A} = -\frac{\partial \mathbf{B}}{\partial t}",
    r"\frac{\partial f}{\partial t} = \nabla^2 f",
    r"\mathbf{A} \times \mathbf{B} = \nabla f",
    r"\nabla \times \mathbf{A} = 2 \mathbf{A}",
)


def verdicts(head: str, *formulas: str) -> list[str]:
    text = head + "".join(f"\n$$\n{f}\n$$\n" for f in formulas)
    found = check(text, corrections=False, timeout=None).rows
    return [row.verdict for row in found[-len(formulas) :]]


def test_identities_of_nabla():
    assert verdicts(HEAD, *RIGHT) == ["proved"] * len(RIGHT)


@pytest.mark.parametrize("formula", WRONG)
def test_one_sign_or_factor_away_from_an_identity(formula):
    assert verdicts(HEAD, formula) == ["refuted"]


@pytest.mark.parametrize("formula", OPEN)
def test_a_law_is_neither_proved_nor_refuted(formula):
    assert verdicts(HEAD, formula)[0] in ("skipped", "definition")


def test_what_holds_for_constants_is_conditional():
    assert verdicts(HEAD, r"\nabla \cdot (f \mathbf{A}) = f \nabla \cdot \mathbf{A}") == [
        "conditional"
    ]
    said = HEAD + "The number $f$ is constant.\n"
    assert verdicts(said, r"\nabla \cdot (f \mathbf{A}) = f \nabla \cdot \mathbf{A}") == ["proved"]


TWO = r"\epsilon_{ijk} \epsilon_{ilm} = \delta_{jl} \delta_{km} - \delta_{jm} \delta_{kl}"
INDEX = r"""We use the Levi-Civita symbol $\epsilon_{ijk}$ and sum over repeated indices.
"""


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (TWO, "proved"),
        (TWO.replace("-", "+"), "refuted"),
        (r"\epsilon_{ijk} \epsilon_{ijl} = 2 \delta_{kl}", "proved"),
        (r"\epsilon_{ijk} \epsilon_{ijl} = \delta_{kl}", "refuted"),
        (r"\epsilon_{ijk} \epsilon_{ijk} = 6", "proved"),
        (r"\epsilon_{ijk} a_i a_j = 0", "proved"),
        (r"(\mathbf{a} \times \mathbf{b})_i = \epsilon_{ijk} a_j b_k", "proved"),
        (r"(\mathbf{a} \times \mathbf{b})_i = \epsilon_{ijk} a_k b_j", "refuted"),
        (r"\epsilon_{ijk} A_{il} A_{jm} A_{kn} = \epsilon_{lmn} \det A", "proved"),
        (r"\det A = \epsilon_{ijk} A_{1i} A_{2j} A_{3k}", "proved"),
        (r"\epsilon_{ijk} \partial_i \partial_j f = 0", "proved"),
        (r"\partial_i x_j = \delta_{ij}", "proved"),
        (r"\epsilon_{ijk} \partial_j \epsilon_{klm} \partial_l u_m"
         r" = \partial_i \partial_m u_m - \partial_m \partial_m u_i", "proved"),
    ],
)  # fmt: skip
def test_permutations_in_index_notation(formula, verdict):
    head = INDEX + "\n$$\\epsilon_{ijk} = -\\epsilon_{jik}$$\n"
    assert verdicts(head, formula) == [verdict]


MAXWELL = r"""The fields $\mathbf{E}$ and $\mathbf{B}$ obey

$$\nabla \cdot \mathbf{E} = \frac{\rho}{\epsilon_0}$$
$$\nabla \cdot \mathbf{B} = 0$$
$$\nabla \times \mathbf{E} = -\frac{\partial \mathbf{B}}{\partial t}$$
$$
\nabla \times \mathbf{B} =
\mu_0 \mathbf{J} + \mu_0 \epsilon_0 \frac{\partial \mathbf{E}}{\partial t}
$$

"""
POYNTING = r"""
$$\mathbf{S} = \frac{1}{\mu_0} \mathbf{E} \times \mathbf{B}$$
$$u = \frac{\epsilon_0}{2} E^2 + \frac{1}{2 \mu_0} \mathbf{B} \cdot \mathbf{B}$$
"""


def test_what_laws_imply_with_derivatives_and_factors():
    charge = r"\frac{\partial \rho}{\partial t} + \nabla \cdot \mathbf{J} = 0"
    rows = check(MAXWELL + f"$${charge}$$", corrections=False, timeout=None).rows
    assert rows[-1].verdict == "conditional"
    assert rows[-1].reason == "true with what lines 3, 7 say"
    energy = (
        r"\frac{\partial u}{\partial t} + \nabla \cdot \mathbf{S} = -\mathbf{J} \cdot \mathbf{E}"
    )
    assert verdicts(MAXWELL + POYNTING, energy) == ["conditional"]
    for wrong in (charge.replace("+", "-"), energy.replace("= -", "= "), energy.replace("+", "-")):
        assert verdicts(MAXWELL + POYNTING, wrong)[0] in ("skipped", "unproved"), wrong


def test_a_wrong_law_implies_nothing():
    wrong = r"\epsilon_{ijk} \epsilon_{ijl} = \delta_{kl}"
    assert verdicts(INDEX, wrong, r"\epsilon_{ijk} \epsilon_{ijk} = 3") == ["refuted"] * 2


POTENTIALS = r"""With potentials

$$\mathbf{B} = \nabla \times \mathbf{A}$$
$$\mathbf{E} = -\nabla \phi - \frac{\partial \mathbf{A}}{\partial t}$$

and the position vector $\mathbf{r}$ with $r = |\mathbf{r}|$
"""


def test_definitions_are_put_in_and_positions_are_known():
    right = (
        r"\nabla \times \mathbf{E} = -\frac{\partial \mathbf{B}}{\partial t}",
        r"\nabla \cdot \mathbf{B} = 0",
        r"\nabla \cdot \mathbf{r} = 3",
        r"\nabla \frac{1}{r} = -\frac{\mathbf{r}}{r^3}",
        r"\nabla^2 \frac{1}{r} = 0",
        r"\nabla r^n = n r^{n-2} \mathbf{r}",
    )
    assert verdicts(POTENTIALS, *right) == ["proved"] * len(right)
    wrong = (
        r"\nabla \times \mathbf{E} = \frac{\partial \mathbf{B}}{\partial t}",
        r"\nabla \cdot \mathbf{r} = 2",
        r"\nabla \frac{1}{r} = \frac{\mathbf{r}}{r^3}",
    )
    assert verdicts(POTENTIALS, *wrong) == ["refuted"] * len(wrong)


def test_a_refuted_identity_is_no_law():
    wrong = r"\nabla \cdot (f \mathbf{A}) = f \nabla \cdot \mathbf{A} - \mathbf{A} \cdot \nabla f"
    found = verdicts(HEAD, wrong, r"\mathbf{A} \cdot \nabla f = 0")
    assert found[0] == "refuted" and found[1] != "conditional"


def test_a_term_too_many_may_vanish_where_words_say_so():
    right = r"\nabla \cdot (f \mathbf{A}) = f \nabla \cdot \mathbf{A} + \mathbf{A} \cdot \nabla f"
    assert verdicts(HEAD, right + r" + \nabla^2 f") == ["refuted"]
    said = HEAD + "The field $f$ is harmonic.\n"
    assert verdicts(said, right + r" + \nabla^2 f")[0] not in ("refuted", "proved")
