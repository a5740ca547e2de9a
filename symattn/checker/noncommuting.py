r"""Names whose products need not commute: elements of a group, operators, quaternions.

A product of such names is no product of numbers, $(a b)^2$ is not $a^2 b^2$.  What holds of all
square matrices holds of them: free groups and free algebras are made of matrices.  So a proof
counts where the text is proved with the names as matrices, and holds where they commute else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import sympy as sp

from ..read.source import UNFORESEEN
from ..syntax import System
from . import report
from .finding import Finding
from .matrix_kinds import Word
from .matrix_trees import meant
from .matrix_words import Sums, added
from .operators import Foreign, named_in
from .qualities import INLINE, NAMES, SENTENCE, letters
from .statements import Statement
from .versions import closure

if TYPE_CHECKING:
    from .judge import Judge

_ONE = r"(?:(?<![\\$])\$(?!\$)[^$=]{1,60}\$|\\\([^=]{1,60}?\\\))"
_LIST = rf"(?P<names>{_ONE}(?:(?:,|,? and|,? or) {_ONE})*)"
_PLAIN = r"(?:(?!of\b|in\b|and\b|abelian\b|commutative\b|commuting\b|diagonal\b|not\b)[\w-]+ ){0,3}"
_SET = rf"(?:{_PLAIN}(?:group|ring|algebra|monoid|semigroup|skew field|division ring)\b)"
_KIND = (
    rf"(?:(?:elements?|members?) (?:of|in) {_SET}|group elements?\b|"
    r"(?:two |three )?of its elements\b|"
    r"(?:operators?|quaternions?|permutations?|rotations?|reflections?|braids?|endomorphisms|"
    r"automorphisms|linear (?:maps|transformations|mappings)|(?:words|strings)\b"
    r"(?=[^.]*\b(?:alphabet|concatenat\w+)))\b)"
)
_PHRASES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_LIST} (?:be|is|are|denotes?|for|as|being) {_PLAIN}(?:and {_PLAIN})?{_KIND}",
        rf"\b{_PLAIN}(?:elements?|members?) {_LIST} (?:of|in) {_SET}",
        rf"\b{_KIND} {_LIST}",
    )
)
_OF_SET = re.compile(  # a group $G$, and $a, b \in G$
    rf"\b{_PLAIN}(?:group|ring|algebra|monoid|semigroup)s? \$(?P<set>[^$]{{1,30}})\$|"
    rf"\$(?P<called>[^$=]{{1,30}})\$ (?:be|is|denotes?) {_PLAIN}(?:group|ring|algebra|monoid)\b",
    re.IGNORECASE,
)
_FACTOR = r"(?:\\(?:hat|mathbf|boldsymbol|bm)\s*\{?\s*)?[A-Za-z](?:\s*\})?"
_TURNED = re.compile(  # $A B = -B A$, which says nothing of numbers
    rf"\$\s*(?P<a>{_FACTOR})\s*(?P<b>{_FACTOR})\s*(?:=\s*-|\+)\s*(?P=b)\s*(?P=a)\s*(?:=\s*0\s*)?\$"
)
_COMMUTE = re.compile(
    r"\b(?:abelian|commutative|commut(?:e|es|ing)|simultaneously diagonal\w*|integers? modulo|"
    r"residue classes|real numbers)\b",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:if|when|whenever|unless|where)\b[^.]*$|\b(?:do|does|need) not\b|"
    r"\b(?:non-?\s?|not (?:\w+ )?|n't )(?=abelian|commut)",
    re.IGNORECASE,
)


_NUMBERS = re.compile(
    r"\b(?:numbers?|scalars?|reals?|integers?|constants?|coefficients?|parameters?|variables?|"
    r"amplitudes?|values?|quantit\w+|functions?|positive|negative|nonzero|non-zero|probabilit\w+|"
    r"events?|polynomials?|units?)\b",
    re.IGNORECASE,
)


def of_the_text(text: str) -> dict[str, str]:
    """The names of which products need not commute, each as it is written."""
    told = " ".join(text.split())
    if any(not _DENIED.search(told[: m.end()][-80:]) for m in _COMMUTE.finditer(told)):
        return {}  # in an abelian group
    sets = {m["set"] or m["called"] for m in _OF_SET.finditer(told)}
    inside = (
        re.compile(rf"\$([^$=]{{1,60}}?)\\in\s*{re.escape(g.strip())}\s*\$") for g in sorted(sets)
    )
    lists = [m["names"] for p in _PHRASES for m in p.finditer(told)]
    lists += [m[1] for p in inside for m in p.finditer(told)]
    lists += [f"${m[k].strip()}$" for m in _TURNED.finditer(told) for k in "ab"]
    return dict(pair for one in lists for pair in _names(one))


def _names(listed: str) -> Iterator[tuple[str, str]]:
    r"""a and b of $a$, $b \in G$; x of \hat x, and how each is written."""
    for part in re.split(r",|\$\s*(?:,\s*)?(?:and|or)\s*\$|\$", listed):
        shown = re.sub(r"\\(?:hat|bar|tilde|vec|mathbf|boldsymbol|mathrm|mathcal)\b", " ", part)
        found = NAMES.findall(shown.split("\\in")[0])
        if len(found) == 1:
            yield found[0], re.sub(r"^\\\(|\\\)$", "", part.split("\\in")[0].strip("$ ")).strip()


def commuting(judge: Judge, s: Statement, found: Finding) -> Finding:
    """The finding, or what is left of it where names of a claim need not commute."""
    if found.verdict not in (report.PROVED, *report.WRONG) or s.rhs is None:
        return found
    written = letters(s.whole)
    own = sorted(judge.noncommuting.keys() & written | _untold(judge, s, found))
    if not own or len(written) < 2 or (len(own) < 2 and found.verdict == report.PROVED):
        return found
    other = _as_matrices(judge, s, own)
    if found.verdict == report.PROVED:
        if other == report.PROVED:
            return found
        why = f"true where {' and '.join(own)} commute, which the text does not say"
        return replace(found, verdict=report.CONDITIONAL, reason=why)
    if other in report.WRONG:
        return found
    why = f"differs where {' and '.join(own)} are numbers, which the text does not say"
    return replace(found, verdict=report.UNPROVED, reason=why, correction="")


def _untold(judge: Judge, s: Statement, found: Finding) -> set[str]:
    """The capitals of a claim that rests on no definition, where nothing calls them numbers.

    Sums of products only, which are others where factors keep their order.
    """
    equation = judge.commutators.at(s.line, s.column)
    if found.verdict != report.PROVED or equation is None:
        return set()
    sides, system = equation.tree.sides[s.number : s.number + 2], found.system or System()
    own = {n for x in sides for n in named_in(x)} - {"T"}
    arrays = {b.name for e in (s.lhs, s.rhs) for b in e.atoms(sp.IndexedBase)}
    capitals = {n for n in own - arrays if len(n) == 1 and n.isupper()}
    if len(capitals) < 2 or closure(own, system) & system.definitions.keys():
        return set()
    try:
        sums = Sums(own - capitals)
        left, right = (sums.within(meant(x, sums)) for x in sides)
    except (Foreign, *UNFORESEEN):
        return set()
    apart = added([(left, 1), (right, -1)])
    if not apart or added(({_in_order(w): c}, 1) for w, c in apart.items()):
        return set()
    told = (x for x in SENTENCE.split(judge.outline.text) if _NUMBERS.search(INLINE.sub("", x)))
    numbers = {n for x in told for m in INLINE.finditer(x) for n in letters(m[0])}
    return capitals - numbers if len(capitals - numbers) > 1 else set()


def _in_order(word: Word) -> Word:
    """The letters of a word as those of a product of numbers."""
    powers = Counter[str]()
    for name, kind, _ in word:
        powers[name] += -1 if kind else 1
    return tuple((n, str(k), False) for n, k in sorted(powers.items()) if k)


def _as_matrices(judge: Judge, s: Statement, own: list[str]) -> str:
    """The verdict on a statement where the names are square matrices."""
    listed = ", ".join(f"${judge.noncommuting.get(n, n)}$" for n in own)
    noun = "be invertible square matrices" if len(own) > 1 else "be an invertible square matrix"
    text = f"{judge.outline.text}\n\nLet {re.sub(', (?=[^,]*$)', ' and ', listed)} {noun}.\n"
    again = judge.in_text(text, s)
    return "" if again is None else again.verdict


__all__ = ["commuting", "of_the_text"]
