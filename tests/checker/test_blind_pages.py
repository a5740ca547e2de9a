"""What whole pages asked for: powers under sums, things that are counted, stars, slips."""

from __future__ import annotations

import pytest

import symattn as sa

BOND = (
    r"With yield $y$ let $v = \frac{1}{1 + y}$. The price is"
    "\n\n"
    r"$$ P = \sum_{t=1}^{N} c \, v^t + F v^N . $$"
    "\n\n"
)
RATE = (
    r"The balance is $\frac{dc}{dt} = a e s - b c$ with $e_0 = e + c$, $v = k c$ and $V = k e_0$. "
    "It is\n\n$$ v = \\frac{V s}{K + s} . $$\n\n# Forms\n\n$$ \\frac1v = CLAIM + \\frac1V $$\n\n"
    "and also\n\n$$ v = V - OTHER . $$\n"
)
GAIN = (
    r"The gain is $k = \frac{a b p}{r + b^2 p}$ with $p^2 - p - 1 = 0$. Then"
    "\n\n"
    r"$$ a - b k = CLAIM . $$"
)
SPRING = (
    r"WORDS. Introduce the natural frequency $\omega_n = \sqrt{k/m}$. Then"
    "\n\n"
    r"$$ m \omega_n = CLAIM . $$"
)
GROWTH = (
    r"The flow is $h(k) = s k^a - d k$. In the steady state"
    "\n\n"
    r"$$ k^* = \left( \frac{s}{d} \right)^{\frac{1}{1 - a}} . $$"
    "\n\n## Speed\n\n"
    r"Linearising around the steady state,"
    "\n\n$$ h'(k^*) = CLAIM . $$"
)
DUOPOLY = (
    r"Demand is $p = a - b q$. The best quantity is"
    "\n\n"
    r"$$ q^* = \frac{a - c}{2 b} , $$"
    "\n\nWORDS\n\n$$ p^* = CLAIM . $$"
)
BEAM = (
    r"Let $z_R = \frac{a w^2}{\lambda}$ and $r(z) = w \sqrt{1 + z^2/z_R^2}$. For $z \to \infty$ "
    "it opens under the angle\n\n"
)


def rows(text: str) -> list[str]:
    return [r.verdict for r in sa.check(text, corrections=False, timeout=None, jobs=1).rows]


def last(text: str) -> str:
    return rows(text)[-1]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        # a number above which the letter of a sum stands is raised, and no vector
        (BOND + r"$$ \sum_{t=1}^N v^t = \frac{1 - v^N}{y} $$", "proved"),
        (BOND + r"$$ \sum_{t=1}^N v^t = \frac{v - v^N}{y} $$", "refuted"),
        (BOND + r"$$ \frac{dP}{dy} = -\sum_{t=1}^N t c v^{t+1} - N F v^{N+1} $$", "proved"),
        (BOND + r"$$ \frac{dP}{dy} = -\sum_{t=1}^N t c v^{t+1} - N F v^N $$", "refuted"),
        # an equation that a definition under another heading meets says nothing else of its name
        (RATE.replace("CLAIM", r"\frac{K}{V s}").replace("OTHER", r"K \frac vs"), "proved"),
        # a fact that a proof does not need
        (GAIN.replace("CLAIM", r"\frac{a r}{r + b^2 p}"), "proved"),
        (GAIN.replace("CLAIM", r"\frac{a r^2}{r + b^2 p}"), "refuted"),
        # what words call a mass is above zero, and its initial no index
        (SPRING.replace("WORDS", "A mass $m$ on a spring of stiffness $k$ moves")
         .replace("CLAIM", r"\sqrt{k m}"), "proved"),
        (SPRING.replace("WORDS", "A mass $m$ on a spring of stiffness $k$ moves")
         .replace("CLAIM", r"\sqrt{k / m}"), "refuted"),
        (SPRING.replace("WORDS", "A shift $m$ and a rate $k$ are given")
         .replace("CLAIM", r"\sqrt{k m}"), "conditional"),
        (SPRING.replace("WORDS", "A mass $m$ on a spring of stiffness $k$ emits the wave $m$")
         .replace("CLAIM", r"\sqrt{k m}"), "conditional"),
        (SPRING.replace("WORDS", "A negative mass $m$ has a stiffness $k$")
         .replace("CLAIM", r"\sqrt{k m}"), "conditional"),
        # a star says where a value is taken
        (GROWTH.replace("CLAIM", "-(1 - a) d"), "proved"),
        (GROWTH.replace("CLAIM", "-a d"), "refuted"),
        (DUOPOLY.replace("WORDS", "so that").replace("CLAIM", r"\frac{a + c}{2}"), "definition"),
        (DUOPOLY.replace("WORDS", "so that").replace("CLAIM", r"\frac{a - c}{2}"), "refuted"),
        (DUOPOLY.replace("WORDS", "and the dual price is").replace("CLAIM", r"\frac{a - c}{2}"),
         "definition"),
        (DUOPOLY.replace("WORDS", "but a regulator sets").replace("CLAIM", "c"), "definition"),
        # a limit of which a link is not made
        (BEAM + r"$$ \theta = \frac{w}{z_R} = \frac{\lambda}{a w} . $$", "proved"),
        (BEAM + r"$$ \theta = \frac{w}{z_R} = \frac{\lambda}{a w^2} . $$", "refuted"),
        (BEAM + r"$$ \theta = \frac{r(z)}{z} = \frac{\lambda}{a w} . $$", "unproved"),
    ],
)  # fmt: skip
def test_claims_of_pages(text: str, verdict: str) -> None:
    assert last(text) == verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [  # how many there are of what words name
        (r"$$ 4 \cdot 3 \cdot 1024 = 12288 \text{ bytes} $$", "proved"),
        (r"$$ 4 \cdot 3 \cdot 1024 = 12388 \text{ bytes} $$", "refuted"),
        (r"$$ 2 \cdot 60 = 2 \text{ hours} $$", "skipped"),
        (r"$$ 2 \cdot 24 = 4 \text{ dozens} $$", "skipped"),
        (r"We have $\text{tokens} = 4 n$. $$ 4 \cdot 8 = 33 \text{ tokens} $$", "unproved"),
        # numbers that the text gives are these, and others may be rounded
        (r"With $a = 0.02$ and $b = 0.05$: $$ 3 (0.02 + 0.05) \approx 0.22 $$", "refuted"),
        (r"With $a = 0.02$ and $b = 0.05$: $$ 3 (0.02 + 0.05) \approx 0.21 $$", "proved"),
        (r"In all, $$ 3 (0.02 + 0.05) \approx 0.22 $$", "unproved"),
        (r"With $p = 0.5$ the ratio is $3.1/6.5 \approx 0.5$: $$ 0.5 \cdot 12 \approx 5.7 $$",
         "unproved"),
        (r"With $a = 0.023$: $$ 30 \cdot 0.023 \approx 0.70 $$", "unproved"),
        # a right side whose numbers are folded into one keeps their rounding
        (r"Let $k = \frac{p}{1 + p}$ with $p = \frac{1 + \sqrt 5}{2}$. So "
         r"$$ k = \frac{1.618}{1 + 1.618} $$", "unproved"),
        (r"Let $k = \frac{p}{1 + p}$ with $p = \frac{1 + \sqrt 5}{2}$. So "
         r"$$ k = \frac{1.718}{1 + 1.618} $$", "refuted"),
    ],
)  # fmt: skip
def test_numbers_of_pages(text: str, verdict: str) -> None:
    assert last(text) == verdict


def test_what_a_name_is_made_of_says_how_its_number_is_rounded() -> None:
    text = (
        r"Let $P = \frac{c}{1 + y} + \frac{c + F}{(1 + y)^2}$."
        "\n\n"
        r"Take $F = 100$, $c = 5$ and $y = 0.04$. Then"
        "\n\n"
        r"$$ P = \frac{5}{1.04} + \frac{105}{1.04^2} \approx NUMBER . $$"
    )
    assert rows(text.replace("NUMBER", "101.89"))[-2:] == ["proved", "proved"]
    assert rows(text.replace("NUMBER", "101.98"))[-2:] == ["proved", "refuted"]
    # another first link may have another 1.04
    other = text.replace("105", "106")
    assert "refuted" not in rows(other.replace("NUMBER", "102.8"))[-1:]


def test_a_definition_behind_what_was_not_read_refutes_nothing() -> None:
    text = (
        r"The price is"
        "\n\n$$ P = c \\oint q + F q . $$\n\n"
        r"The convexity is"
        "\n\n"
        r"$$ C = \frac{1}{P} \frac{d^2 P}{d y^2} = \frac{c}{P} y^3 . $$"
        "\n\n"
        r"For a perpetuity $P(y) = c/y$."
    )
    assert "refuted" not in rows(text)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [  # shapes, and slips that are one
        (r"X X^\top", r"X^\top X"),
        (r"X^\top X - X^\top", ""),
    ],
)
def test_a_transposition_at_the_other_end(wrong: str, right: str) -> None:
    text = (
        r"Let $X \in \mathbb{R}^{k \times l}$, $y \in \mathbb{R}^k$ and"
        "\n\n"
        r"$$ L(w) = \frac12 \| X w - y \|^2 . $$"
        "\n\nIts Hessian is\n\n"
        rf"$$ \nabla^2_w L = {wrong} . $$"
    )
    row = sa.check(text, timeout=None, jobs=1).rows[-1]
    assert (row.verdict == "malformed") == bool(right)
    assert "".join((row.correction or "").split()) == "".join(right.split())
