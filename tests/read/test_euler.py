r"""The letter e: 2.718… in a text that raises it to names or puts it into f(x), else a name."""

import pytest

import symattn as sa

DECAY = r"Let $f(x) = x e^{-x}$. "
LOGS = r"If $w(x) = x^3 \log x$ then"


def last(text):
    return sa.check(text, corrections=False).rows[-1].verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (DECAY + r"Then $f(1) = 1/e$.", "proved"),
        (DECAY + r"Then $f(2) = 2/e$.", "refuted"),
        (DECAY + r"Then $f(-1) = \frac{-1}{e^{-1}}$.", "proved"),
        (DECAY + r"Then $f'(2) = -\frac{1}{e^2}$.", "proved"),
        (LOGS + r" $w(e) = e^3$.", "proved"),
        (LOGS + r" $w(e) = e^2$.", "refuted"),
        (LOGS + r" $w'(e) = 4 e^2$.", "proved"),
        (LOGS + r" $w(a^2) = 2 a^6 \log a$.", "proved"),
        (r"$$ e^{x + y} = e^x e^y $$", "proved"),
        (r"$$ e^{2 i a} = e^{i a} e^{i a} $$", "proved"),
    ],
)
def test_e_is_a_number(text, verdict):
    assert last(text) == verdict


@pytest.mark.parametrize(
    "text",
    [
        DECAY + r"The charge is $e$. Then $f(1) = 1/e$.",
        DECAY + r"$$ M = w - e \sin w $$ Then $f(1) = 1/e$.",
        DECAY + r"$$ L = \sum_{e \in E} w_e $$ Then $f(1) = 1/e$.",
        DECAY + r"$$ e = y - t $$ Then $f(1) = 1/e$.",
    ],
)
def test_where_e_may_be_another_thing_nothing_rests_on_it(text):
    assert last(text) in ("skipped", "unproved", "definition")
