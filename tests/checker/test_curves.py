"""Derivatives along the curve of an equation, and derivatives that hold what an equation ties."""

from __future__ import annotations

import pytest

import symattn as sa


def rows(text: str) -> list[tuple[str, str]]:
    found = sa.check(text, corrections=False, timeout=None, jobs=1).rows
    return [(r.verdict, r.reason) for r in found]


def last(said: str, *claims: str) -> list[str]:
    text = said + "\n\n" + "\n\n".join(f"$$ {c} $$" for c in claims)
    return [v for v, _ in rows(text)][-len(claims) :]


CIRCLE = "A circle is $$ x^2 + y^2 = r^2 . $$ By implicit differentiation"
FOLIUM = "The folium is $$ x^3 + y^3 = 3 a x y . $$ Its slope is"
SOLVES = r"Let $q$ solve $q + \tanh q = z + w$, and $L = q^2 z$. Then"
PLANE = "Minimise $f = x^2 + 3 y^2$ subject to $$ x + y = s . $$ Along the constraint"
KEPLER = r"Let $E$ solve Kepler's equation $M = E - e \sin E$. Then"
ISOQUANT = r"Along $F(K, L) = \bar q$ with $F(K, L) = K^\alpha L^\beta$,"
SPHERE = "The surface $$ x^2 + y^2 + z^2 = 1 $$ has"


@pytest.mark.parametrize(
    ("said", "claim", "verdict"),
    [
        (CIRCLE, r"\frac{dy}{dx} = -\frac{x}{y}", "proved"),
        (CIRCLE, r"\frac{dy}{dx} = \frac{x}{y}", "refuted"),
        (CIRCLE, r"\frac{d^2y}{dx^2} = -\frac{r^2}{y^3}", "proved"),
        (CIRCLE, r"\frac{d^2y}{dx^2} = -\frac{r^2}{y^2}", "refuted"),
        (FOLIUM, r"\frac{dy}{dx} = \frac{a y - x^2}{y^2 - a x}", "proved"),
        (FOLIUM, r"\frac{dy}{dx} = \frac{a y - x^2}{y^2 + a x}", "refuted"),
        (SOLVES, r"\frac{dL}{dz} = q^2", "refuted"),
        (SOLVES, r"\frac{dL}{dz} = q^2 + 2 q z \frac{dq}{dz}", "proved"),
        (SOLVES, r"\frac{dq}{dw} = \frac{1}{2 - \tanh^2 q}", "proved"),
        (SOLVES, r"\frac{\partial L}{\partial z} = q^2", "proved"),  # ∂ holds q
        (PLANE, r"\frac{df}{dx} = 2 x - 6 y", "proved"),
        (PLANE, r"\frac{df}{dx} = 2 x", "refuted"),
        (KEPLER, r"\frac{dE}{dM} = \frac{1}{1 - e \cos E}", "proved"),
        (KEPLER, r"\frac{dE}{dM} = \frac{1}{1 + e \cos E}", "refuted"),
        (ISOQUANT, r"\frac{dK}{dL} = -\frac{\beta K}{\alpha L}", "proved"),
        (ISOQUANT, r"\frac{dK}{dL} = -\frac{\alpha K}{\beta L}", "refuted"),
        (SPHERE, r"\frac{\partial z}{\partial x} = -\frac{x}{z}", "proved"),
        (SPHERE, r"\frac{\partial z}{\partial y} = \frac{y}{z}", "refuted"),
    ],
)
def test_implicit_differentiation(said: str, claim: str, verdict: str) -> None:
    assert last(said, claim) == [verdict]


def test_what_is_proved_with_tied_names_held_says_so() -> None:
    gas = r"An ideal gas has $$ p V = n R T $$ and $U = \frac32 n R T$. Then"
    (*_, (verdict, why)) = rows(gas + r" $$ \frac{dU}{dT} = \frac32 n R . $$")
    assert verdict == "conditional" and "with the rest held" in why


def test_a_claim_or_a_definition_is_no_curve() -> None:
    claim = r"With $s = \frac12 g t^2$ and $v = g t$ we have $$ v^2 = 3 g s . $$ Then"
    assert last(claim, r"\frac{ds}{dt} = v") == ["proved"]
    later = r"""With $\gamma = \frac{1}{\sqrt{1 - v^2/c^2}}$ we have
$$ \frac{d\gamma}{dv} = \frac{\gamma^3 v}{c^2} . $$
Velocities add to $w = \frac{u + v}{1 + u v/c^2}$, so
$$ 1 - \frac{w^2}{c^2} = \frac{(1 - u^2/c^2)(1 - v^2/c^2)}{(1 + u v/c^2)^2} . $$"""
    assert [v for v, _ in rows(later)] == ["definition", "proved", "definition", "proved"]
    twice = r"Let $y = a x^2$. Then $$ x^2 = 2 y . $$ And"
    assert last(twice, r"\frac{dy}{dx} = 2 a x") != ["refuted"]


BUDGET = r"""Utility is $U = x^\alpha y^{1-\alpha}$, with the budget $p x + q y = m$. Demands are
$$ X = \frac{\alpha m}{p}, \qquad Y = \frac{(1-\alpha) m}{q} . $$
The elasticity is"""


@pytest.mark.parametrize(("power", "verdict"), [("-1", "proved"), (r"-\alpha", "refuted")])
def test_what_something_else_can_give_way_to_is_not_tied(power: str, verdict: str) -> None:
    claim = rf"\frac{{\partial X}}{{\partial p}}\frac{{p}}{{X}} = {power}"
    assert last(BUDGET, claim) == [verdict]


REFRACTION = (
    r"The time is $$ T(x) = \frac{\sqrt{a^2 + x^2}}{v_1} + \frac{\sqrt{b^2 + (d-x)^2}}{v_2} . $$ "
    r"With $\sin\theta_1 = \frac{x}{\sqrt{a^2+x^2}}$ and "
    r"$\sin\theta_2 = \frac{d-x}{\sqrt{b^2+(d-x)^2}}$,"
)
TIED = r"With $\sin\theta = \frac{y}{r}$ and $f = y^2 + r \sin\theta$ we have"


@pytest.mark.parametrize(
    ("said", "claim", "verdict"),
    [
        (REFRACTION, r"T'(x) = \frac{\sin\theta_1}{v_1} - \frac{\sin\theta_2}{v_2}", "proved"),
        (REFRACTION, r"T'(x) = \frac{\sin\theta_1}{v_1} + \frac{\sin\theta_2}{v_2}", "refuted"),
        (TIED, r"\frac{\partial f}{\partial y} = 2 y", "proved"),  # θ is held
        (TIED, r"\frac{\partial f}{\partial y} = 2 y + 1", "conditional"),  # it moves
        (TIED, r"\frac{\partial f}{\partial y} = 2 y + r", "unproved"),
    ],
)
def test_a_name_that_nothing_derived_is_made_of_gives_way(
    said: str, claim: str, verdict: str
) -> None:
    assert last(said, claim) == [verdict]


@pytest.mark.parametrize(
    ("words", "verdict"),
    [("The derivative is", "conditional"), ("Along it", "refuted"), ("By substitution", "refuted")],
)
def test_beside_a_constraint_d_may_hold_what_it_ties(words: str, verdict: str) -> None:
    said = f"We minimise $f = x^2 + y^2$ under the constraint $x y = c$. {words}"
    assert last(said, r"\frac{df}{dx} = 2 x") == [verdict]
    assert last(said, r"\frac{df}{dx} = 3 x") == ["refuted"]


GAS = (
    r"The gas has $p = \frac{n R T}{V}$. Hence "
    r"$$ \left(\frac{\partial V}{\partial T}\right)_p = SIDE . $$"
)


@pytest.mark.parametrize(
    ("side", "verdict"),
    [
        (r"\frac{n R}{p}", "proved"),
        (r"\frac{V}{T}", "proved"),
        (r"\frac{n R}{p^2}", "refuted"),
        (r"-\frac{V}{T}", "refuted"),
        (r"\frac{W}{T}", "unproved"),  # which nothing ties to the rest
    ],
)
def test_a_slope_at_what_a_formula_gives(side: str, verdict: str) -> None:
    assert sa.check(GAS.replace("SIDE", side), corrections=False).rows[-1].verdict == verdict


def test_a_slope_with_the_rest_held_though_another_equation_gives_that() -> None:
    text = GAS.replace(r"\partial V}{\partial T}\right)_p", r"\partial p}{\partial V}\right)_T")
    right = text.replace("SIDE", r"-\frac{p}{V}") + " Also $V = n R T/p$."
    assert sa.check(right, corrections=False).rows[1].verdict == "proved"
    energy = "The energy is $F = U - T S$. Hence $(\\frac{\\partial F}{\\partial T})_U = -S$."
    assert sa.check(energy, corrections=False).rows[-1].verdict != "refuted"  # S may hang on T
