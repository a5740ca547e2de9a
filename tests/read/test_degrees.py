r"""A circle above: degrees of a number, a label of a name, and no degrees of a temperature."""

from __future__ import annotations

import pytest

import symattn as sa


def rows(text: str) -> list[tuple[str, str]]:
    return [(r.latex, r.verdict) for r in sa.check(text, corrections=False).rows]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (r"$$\sin 30^\circ = \frac12$$", "proved"),
        (r"$$\cos 60^{\circ} = 0.6$$", "refuted"),
        (r"The angle is $\theta = 45^\circ$, so $\tan\theta = 1$.", "proved"),
        (r"The angle is $\theta = 45^\circ$, so $\tan\theta = 2$.", "refuted"),
    ],
)
def test_degrees(text: str, verdict: str) -> None:
    assert rows(text)[-1][1] == verdict


def test_the_standard_state_is_a_label() -> None:
    text = r"""With $\Delta G^\circ = -n F E^\circ$ and $\Delta G^\circ = -R T \ln K$ we have

$$E^\circ = \frac{R T}{n F} \ln K$$

$$E^{\circ} = -\frac{R T}{n F} \ln K$$
"""
    assert [v for _, v in rows(text)][-2:] == ["definition", "refuted"]
    assert rows(r"$$x^{\circ 2} = x \circ x$$")[0][1] == "proved"
    assert "refuted" not in [v for _, v in rows(r"At $T = 20^\circ\mathrm{C}$ we have $T = 20$.")]
