"""What words deny or doubt is used by no verdict, and what they state is."""

from __future__ import annotations

import pytest

import symattn as sa
from symattn.read.denied import denied

DENIED = (
    "We do not assume that {}.", "There is no reason to assume {}.", "Nothing says that {}.",
    "Note that {} need not hold.", "In general {} does not hold.", "That {} is not required.",
    "Many authors assume {}; we do not.", "Is it true that {}? It is not.",
    "Contrary to what is often said, {} may fail.", "The assumption {} is not needed.",
    "It would be convenient if {}, but it is not so.", "Rarely do we have {}.", "We doubt that {}.",
    "Without the assumption that {}, more care is needed.", "We refrain from assuming {}.",
    "Other papers take {}.", "It is far from clear that {}.", "{} cannot be assumed.",
    "Neither {} nor anything else is assumed.", "We now drop the assumption that {}.",
)  # fmt: skip
STATED = (
    "Let {}.", "Recall that {}.", "Here {}.", "There is no doubt that {}.", "We know that {}.",
    "Without loss of generality {}.", "The map is not linear; here {}.", "It is clear that {}.",
    "Here {} and nothing else.", "We have {}, which does not depend on $t$.",
    "The sum is never formed. Here {}.",
)  # fmt: skip
FACTS = {  # and what follows from each
    "$a = b$": ("a, b \\in \\mathbb{R}", "F = a^2 + 1", "F = a b + 1"),
    "$a > 0$": ("a, b \\in \\mathbb{R}", "F = \\sqrt{a^2} + b", "F = a + b"),
    "$A$ is symmetric": (
        "A \\in \\mathbb{R}^{n \\times n}$ and $x \\in \\mathbb{R}^n",
        *("F_i = \\sum_j A_{ij} x_j", "F_i = \\sum_j A_{ji} x_j"),
    ),
}


def last(*parts: str) -> str:
    text = "\n\n".join(parts)
    return sa.check(text, corrections=False, timeout=None, jobs=1).rows[-1].verdict


def asked(fact: str, words: str) -> str:
    space, first, claim = FACTS[fact]
    return last(f"Let ${space}$.", words.format(fact), f"$$ {first} . $$", "Then", f"$$ {claim} $$")


def around(words: str) -> tuple[str, str]:
    before, behind = words.split("{}")
    return before, behind


@pytest.mark.parametrize("words", DENIED)
def test_words_deny(words: str) -> None:
    assert denied(*around(words))


@pytest.mark.parametrize("words", STATED)
def test_words_state(words: str) -> None:
    assert not denied(*around(words))


@pytest.mark.parametrize("words", DENIED[:14])
def test_what_is_denied_proves_nothing(words: str) -> None:
    facts = list(FACTS)
    assert asked(facts[DENIED.index(words) % 3], words) not in ("proved", "refuted")


@pytest.mark.parametrize("fact", FACTS)
def test_what_is_stated_does(fact: str) -> None:
    assert asked(fact, "Let {}.") == "proved"


def test_what_is_assumed_and_not_read_refutes_nothing() -> None:
    said = "We assume that $a^2 = a$. Then"
    first, claim = "$$ F = a^3 + 1 . $$", "$$ F = a + 1 $$"
    assert last("Let $a \\in \\mathbb{R}$.", first, said, claim) != "refuted"
    assert last("Let $a \\in \\mathbb{R}$.", first, "Then", "$$ F = 2 a^3 + 2 $$") == "refuted"
