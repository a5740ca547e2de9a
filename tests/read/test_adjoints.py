r"""Names of gradients: \bar V, dV and G_V as ∂L/∂V, where a text means that, and only there."""

import re

import pytest

import symattn as sa
from symattn.read import read

FORWARD = r"""
Let $Q, K \in \mathbb{R}^{n \times d}$ and $V \in \mathbb{R}^{n \times m}$.

$$S = \frac{QK^\top}{\sqrt{d}}, \qquad A = \mathrm{softmax}(S), \qquad O = AV$$

"""
CLAIMS = (  # @X is the gradient by X; right, then one slip away
    (r"@V", r"A^\top @O", r"A @O"),
    (r"@A", r"@O V^\top", r"@O V^\top + A"),
    (r"@S", r"A \odot (@A - \mathrm{rowsum}(A \odot @A))", r"A \odot @A"),
    (r"@Q", r"\frac{1}{\sqrt d} @S K", r"@S K"),
    (r"@K", r"\frac{1}{\sqrt d} @S^\top Q", r"\frac{1}{\sqrt d} @S Q"),
)
FAMILIES = {
    "bar": (r"We write $\bar{O} = \partial L / \partial O$.", r"\\bar{\1}"),
    "tilde": (r"Let $\tilde O = \nabla_O L$.", r"{\\tilde \1}"),
    "script": (r"Let $G_O = \frac{\partial J}{\partial O}$.", r"{G_\1}"),
    "d": (r"Given the output gradient $dO$ we have the backward pass.", r"d\1"),
    "bold": (r"Given the output gradient $\mathbf{dO}$, go backward.", r"\\mathbf{d\1}"),
    "declared": (r"<!-- symattn: gradients \hat of E -->", r"\\hat \1"),
}


def verdicts(words, mark, claims, forward=FORWARD):
    body = "".join(f"\n\n$$ {a} = {b} $$\n" for a, b in claims)
    report = sa.check(forward + words + re.sub(r"@([A-Z])", mark, body))
    return [f for f in report if not f.latex.startswith(("S =", "A =", "O ="))]


@pytest.mark.parametrize("family", FAMILIES)
def test_right_gradients_are_proved(family):
    right = verdicts(*FAMILIES[family], [(a, b) for a, b, _ in CLAIMS])
    assert [f.verdict for f in right][-5:] == ["proved"] * 5


@pytest.mark.parametrize("family, shown", [("bar", r"A^\top \bar{O}"), ("d", r"A^\top dO")])
def test_slips_are_corrected_in_the_notation_of_the_text(family, shown):
    wrong = verdicts(*FAMILIES[family], [(a, b) for a, _, b in CLAIMS])[-5:]
    assert [f.verdict for f in wrong] == ["refuted"] * 5
    assert wrong[0].correction == shown and all(f.correction for f in wrong)


@pytest.mark.parametrize(
    "text",
    [
        r"$$Y = A X B$$ The gradient later; a small change gives $$dY = A\, dX\, B$$",  # forward
        r"A differential is no gradient. $$O = A V$$ $$dV = A^\top dO$$",  # another word
        r"$$O = A V$$ $$dV = A^\top dO$$",  # nothing speaks of gradients
        r"The gradient. $$y = W x$$ $$\bar y = W \bar x$$",  # means
        r"The gradient. $$\bar V = A^\top \bar O$$",  # nothing says what V and O are
    ],
)
def test_other_marks_stay_names(text):
    found = read(f"Let $A, B, X \\in \\mathbb{{R}}^{{n \\times n}}$.\n\n{text}", strict=False)
    assert found.gradients is None


def test_what_is_said_of_one_name_is_kept_as_its_definition():
    words, _ = FAMILIES["bar"]
    document = read(FORWARD + words + r"$$\bar V = A^\top \bar O$$", strict=False)
    assert document.gradients == (r"\bar", "L")
    assert [e.kind for e in document.equations if e.inline] == ["definition"]
    assert [e.kind for e in document.equations][-1] in ("claim", "definition")


def test_bars_beside_the_word_backwards_are_names():
    """\\bar a, which \\bar b is computed from and no gradient says, is no gradient."""
    doc = read(
        r"""Steps forward and backwards: $y = a x + b$ and $b = \delta a$.

$$ \bar a = e^{\lambda \delta} $$

$$ \bar b = \frac{\bar a - 1}{\lambda} $$

$$ \bar a = 1 + \lambda \bar b $$
""",
        strict=False,
    )
    assert {"a_bar", "b_bar"} <= doc.definitions.keys()
