r"""The sentences of a text, and the case that each of them speaks of: on weekdays $a = 2 b$.

A case is told by the words that a sentence begins with, or that stand behind its formula: in the
second experiment, before the collision, while heating, ideally.  It goes on in what follows from it
in its paragraph.  Two cases are one where one is said with words of the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..read.vocabulary import words
from .qualities import FORMULA


def any_of(*said: str) -> re.Pattern[str]:
    """One of these phrases, from the beginning of a word on."""
    return re.compile(rf"\b(?:{'|'.join(said)})", re.IGNORECASE)


_WORDS = r"[A-Za-z][\w'-]*"
_PLACED = (
    "in|on|at|for|under|while|when|during|before|after|above|below|beneath|inside|outside|within|"
    "beyond|near|behind|past|between|until|with|without|throughout|against|among|off|out of|given|"
    "prior to|subsequent to|away from|far from|close to|up to|along|across"
)
_ADVERB = (
    "initially|originally|later|earlier|ideally|classically|relativistically|elsewhere|nearby|"
    "upstream|downstream|outside|inside|indoors|outdoors|normally|exceptionally|afterwards|"
    "beforehand|today|formerly|locally|globally|always|never|sometimes|often|usually|typically|"
    "by day|by night"
)
_JOINS = "and|but|so|now|thus|hence|then|also|similarly|however|yet|here|again|while|whereas"
_INSIDE = rf"(?!(?:we|it|is|are|was|has|have|holds?|one has|there|let|gives?)\b){_WORDS}"
_LEADS = re.compile(
    rf"[^A-Za-z…]*(?:(?:{_JOINS})\b,?\s+)?(?P<frame>(?P<way>{_PLACED})\b"
    rf"(?:\s+(?:of\s+)?(?:(?:the|an?|its|our|their)\s+)?{_INSIDE}(?:\s+(?:of\s+(?:the|an?)\s+)?"
    rf"(?!(?:the|an?|its|our|their)\b){_INSIDE})*)?|"
    rf"(?P<adverb>{_ADVERB})\b)",
    re.IGNORECASE,
)
_ENDS = re.compile(  # … while cooling, … in the first case, … afterwards
    r"…,?\s+(?P<frame>(?P<way>in|on|at|for|under|while|when|during|before|after|inside|outside|"
    rf"above|below|without)\b(?:\s+{_WORDS})+|(?P<adverb>{_ADVERB}))\s*$",
    re.IGNORECASE,
)
_WAYS = {"prior to": "before", "subsequent to": "after"}
_POLAR = words(
    "before after above below beneath inside outside within beyond with without during on off past"
)


def _plain(word: str) -> str:
    """Case for cases, heating as it is."""
    return word.lower().rstrip("s") if len(word) > 3 else word.lower()


def _row(said: str) -> frozenset[str]:
    return frozenset(map(_plain, said.split()))


_NAMED = re.compile(r"\s*…[^…]*[A-Za-z][^…]*…")  # a name, and what is said for it
_EMPTY = _row(  # words that are no part of what a case is called
    "the a an of to and or its their our we they them it you one ones is are be as by from that "
    "which then case cases situation setting scenario model regime phase state period part stage "
    "problem"
)
_DULL = _row(  # in particular, for brevity, at this point: what ends so is no case
    "fact particular short word form component term addition turn total example instance brevity "
    "convenience completeness simplicity clarity reference reason hand point time step coordinate "
    "full detail principle comparison conclusion summary sum order section chapter appendix figure "
    "table equation literature text book end place return all every each any both either "
    "general other what follows following last derivative gradient hessian jacobian variance mean "
    "expectation covariance slope rate product ratio inverse determinant trace norm "
    "differentiation differentiating integrating integration simplifying simplification expanding "
    "expansion substituting substitution rearranging rearrangement collecting inserting respect "
    "help rule chain theorem lemma definition identity formula abbreviation choice number "
    "unit use sake symbol logarithm some more most least once instead course comparing "
    "multiplying dividing adding solving taking using means contrast view"
)
_NOTED = _row("matrix vector index indices component einstein tensor notation our this")
_SAME = re.compile(  # in this case, under these assumptions, at the same place, in the last line
    r"\b(?:this|these|that|those|such|same|said|here|there|former|hand|given|our)\b|"
    r"\b(?:terms|view|light|spite|place|case) of\b|"
    r"\b(?:first|second|third|last|next|previous|following|top|bottom) lines?\b|"
    r"\b(?:last|final|next|previous|output|input|hidden) (?:layer|iteration|epoch|block|head)s?\b",
    re.IGNORECASE,
)
_NEXT = (
    r"[ \t]*(?:[A-Z*_#|>\d-]|\\(?:begin\{(?!equation|align|gather|multline)|end|sub|section|item|"
    r"paragraph))"
)
_STOP = re.compile(
    r"(?:\A|(?<=\n))\#{1,6}[ \t][^\n]*(?:\n|\Z)|"
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\bFig)(?<!\bEq)(?<!\bcf)[.!?](?=[*_)]{0,3}(?:\s|\Z))|;(?=\s)"
    r"|,?\s(?:while|whereas)(?=\s(?!\w+ing\b)[^.;]*\0)"
    r"|,\s(?:but|and)(?=\s(?:in|on|at|for|after|before|outside|without)\s)"
    rf"|\n[ \t]*\n(?={_NEXT})|\n(?=[ \t]*(?:[-*+][ \t]|\d+[.)][ \t]|\\item\b|\#|\|))"
    r"|\\(?:begin|end)\{(?!equation|align|gather|multline|cases|array|\w*matrix|split)\w+\*?\}"
)

_JOINED = re.compile(  # x = 3 y during the first hour and x = 4 y afterwards
    r"\0\s(?:in|on|at|for|under|while|when|during|before|after)\s[\w ]+?"
    r"(?P<stop>\s(?:and|but)(?=\s[^.;]*\0))"
)

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_COMMAND = re.compile(
    r"\\(?:item|noindent|par|indent|medskip|smallskip|bigskip)\b|\\(?:text\w+|emph)\{"
)
_GOES_ON = re.compile(
    r"\W*(?:so|then|hence|thus|therefore|there|here|it follows|consequently|…)", re.I
)


@dataclass(frozen=True)
class Frame:
    """A case as words tell it: the preposition, and the words that tell it from others."""

    said: str
    way: str
    words: frozenset[str]

    def differs(self, other: Frame) -> bool:
        """Neither of two cases is said with the words of the other, or before is not after."""
        ways = {self.way, other.way}
        if "with" in ways:  # with the axial factor we find
            both, each = (
                self.words & other.words,
                (self.words - other.words, other.words - self.words),
            )
            return bool(both) and (ways == {"with", "without"} or (ways == {"with"} and all(each)))
        if len(ways) == 2 and (ways <= _POLAR or not (self.words and other.words)):
            return bool(ways & _POLAR)
        return not (self.words <= other.words or other.words <= self.words)


@dataclass(frozen=True)
class Sentence:
    """A sentence, or a clause of one that speaks of a case of its own.

    `words` has … for every formula, and `frame` is the case that it speaks of.
    """

    start: int
    end: int
    words: str
    frame: Frame | None


def frame(sentence: str) -> Frame | None:
    """The case that the words of a sentence tell; None where they tell none."""
    for pattern in (_LEADS.match, _ENDS.search):
        if (found := pattern(sentence)) is None:
            continue
        said = " ".join(found["frame"].split())
        if found["adverb"]:
            return Frame(said, "", frozenset([said.lower()]))
        plain = [w for w in map(_plain, said.split()[1:]) if w not in _EMPTY]
        own, way = frozenset(plain), _WAYS.get(found["way"].lower(), found["way"].lower())
        introduced = re.match(r"(?:for|with|given) an?\b", said, re.IGNORECASE)
        if introduced and _NAMED.match(sentence[found.end() :]):
            continue  # for a batch of size n the loss is
        if _SAME.search(said) or (plain and (plain[-1] in _DULL or own <= _NOTED)):
            continue
        if own or way in _POLAR:
            return Frame(said, way, own)
    return None


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a text, each with its case or with that of the one before it."""
    read = _COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
    masked = FORMULA.sub(lambda m: "\0" * len(m[0]), read)
    marks = [(m.start(), m.end()) for m in _STOP.finditer(masked)]
    marks += [(m.end(), m.end()) for m in _ended(text)]
    marks += [m.span("stop") for m in _JOINED.finditer(masked)]
    before: Frame | None = None
    start, clause = 0, False  # a clause goes on with a case of its own: at rest …, and in motion …
    for stop, following in [*sorted(marks), (len(text), len(text))]:
        if stop < start:
            continue
        shown = _COMMAND.sub(" ", re.sub("\0+", " … ", masked[start:stop]))
        said = " ".join(shown.split())
        own = frame(said)
        before = own or before
        if said:
            yield Sentence(start, stop, said, own or (before if _GOES_ON.match(said) else None))
        mark = masked[stop:following]
        full = mark[:1] in (".", "!", "?")
        if "\n" in mark or (full and clause):
            before = None
        clause = bool(said and mark) and not full and "\n" not in mark
        start = following


def _ended(text: str) -> Iterator[re.Match[str]]:
    """The displays that end with a full stop, and with them their sentence."""
    for m in FORMULA.finditer(text):
        if not re.match(r"\$(?!\$)|\\\(", m[0]):
            inside = re.sub(r"(?:\$+|\\\]|\\end\{\w+\*?\}|`+|\s)+$", "", m[0])
            if inside.endswith("."):
                yield m


__all__ = ["Frame", "Sentence", "any_of", "frame", "sentences"]
