"""What a sentence asserts by its words, and how a later one takes it back."""

from __future__ import annotations

import pytest

from symattn.checker.force import clause, denies, force, takes_back
from symattn.checker.subjects import (
    another,
    designated,
    kin,
    open_words,
    owners,
    place,
    subject,
    supposed,
)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("Perhaps …", "what may not be so"),
        ("It would imply …", "what may not be so"),
        ("We may write …", ""),
        ("One can show that …", ""),
        ("In the literature one finds …", "what others say"),
        ("She insists that …", "what others say"),
        ("Output is produced according to …", ""),
        ("I used to teach that …", "what once was so"),
        ("It is used to compute …", ""),
        ("Nobody has ever seen …", "what is denied"),
        ("It is not hard to see that …", ""),
        ("Only for small angles is …", "what is so of some only"),
        ("The only input is …", ""),
        ("The loss, which is never negative, is …", ""),
        ("Rather than learning both, we tie them, …", ""),
        ("Unlike before, we tie them, …", ""),
        ("The guess of the last chapter was bold, the area is …", ""),
        ("Rather than tying them, … , we learn both", "what is denied"),
        ("The area is … or …", "what may not be so"),
        ("There is a point with …", "what is so of some only"),
        ("We define … and hope for the best", ""),
    ],
)
def test_the_force_of_a_sentence(said: str, why: str) -> None:
    assert force(said, [said.index("…")]) == why


def test_the_clause_of_a_formula_has_the_words_that_lead_the_sentence() -> None:
    said = "In the past, as they say, the rate was … ; now it is …"
    assert clause(said, said.index("…")) == "In the past, the rate was …"
    assert clause(said, said.rindex("…")) == "In the past, now it is …"
    assert clause("We tie them, … , and rest", 13) == "We tie them, …"


@pytest.mark.parametrize(
    ("later", "back"),
    [
        ("The peg was abandoned", True),
        ("The tariff was abandoned", False),
        ("This no longer holds", True),
        ("It is not lump-sum", False),
        ("The rate is not pegged", True),
        ("This does not depend on the size", False),
        ("We now return to the main text", True),
    ],
)
def test_what_takes_a_sentence_back(later: str, back: bool) -> None:
    assert takes_back(later, open_words("The pegged rate of the peg was …")) is back


def test_a_denied_word_takes_back_what_was_loose_alone() -> None:
    own = open_words("The pegged rate is …")
    assert takes_back("It is not pegged", own) and not takes_back("It is not pegged", own, False)


def test_a_denial() -> None:
    assert denies("It is far from linear") and denies("They are hardly ever perfect")
    assert not denies("It is linear")


@pytest.mark.parametrize(
    ("said", "words", "kind"),
    [
        ("Competitive firms have …", ("competitive", "firms"), True),
        ("The other firm has …", ("other", "firm"), False),
        ("We have …", (), False),
        ("The area of it is …", (), False),
        ("In a perfect tree of depth one has …", ("perfect", "tree"), True),
        ("For a label …", (), False),
        ("Eliminating the time yields the known relation …", (), False),
        ("Consider a network with hidden state …", (), False),
    ],
)
def test_what_a_clause_is_about(said: str, words: tuple[str, ...], kind: bool) -> None:
    found = subject(said)
    assert (found.words, found.kind) == (words, kind)


def test_where_a_clause_puts_its_formula_leaves_its_subject_out() -> None:
    assert place("Competitive firms have …").words == ()
    assert place("For ideal gases the pressure is …").words == ("ideal", "gases")


def test_words_that_tell_one_case_from_another() -> None:
    assert designated("Part II and Version 2, in step 3") == {"part": {"II"}, "version": {"2"}}
    assert owners("In Lena's model … and Otto assumes …") == {"Lena", "Otto"}
    assert supposed("If the curve is linear, …") == ["curve", "linear"]
    assert another("The other system has …") and not another("The system has … of the other")
    assert kin(["competitive"], ["competition"]) and not kin(["gas"], ["gain"])
