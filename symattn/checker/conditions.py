"""Under which condition the words of a text say that a statement holds: if, in Case 2, or.

Each is a reason why a difference refutes nothing.  A bound that counterexamples mind is none.
"""

from __future__ import annotations

import re

import sympy as sp

from ..read.names import unmarked
from ..read.vocabulary import IF
from ..syntax import System
from . import placed, scenes
from .inside import names
from .links import sides
from .scopes import covering
from .statements import Statement
from .versions import Versions, closure

_IF_BEHIND = re.compile(  # W = −B x whenever $B^⊤ = −B$
    rf"(?:{IF}|assuming|unless)\b(?![\s~]*\}})|"
    r"(?:\w+ )?(?:\w+ )?only (?:for|if|when|where|in|on|at|to|up)\b|"
    r"for \$[^$]*=|for (?:small|large|symmetric|antisymmetric|orthogonal)\b"
)
_FIRST_BEHIND = re.compile(rf"{IF}\s+\$([^$]*)\$", re.IGNORECASE)
_OR_BEFORE = re.compile(r"…[\s,]*(?:or|or else)\s*(?:that\s*)?$")
_OR_BEHIND = re.compile(r"\s*\$[\s,]*(?:or|or else)\s+(?:that\s+)?\$([^$]*)\$")
THEN = (  # between what is supposed and what follows
    r"\W*(?:(?:then|so|clearly|obviously|also|indeed)\b\W*)*"
    r"(?:(?:we|it|one) (?:have|has|get|gets|find|finds|obtain|see|is|follows)(?: that)?)?\W*"
)
_BOUND = re.compile(
    rf"\W*(?:{IF}|in the case)\s+…"
    rf"(?:\s+is (?:strictly )?(?:non-?)?(?:positive|negative))?{THEN}",
    re.IGNORECASE,
)
_OPTION = re.compile(r"(?:\(\s*(?:[A-Fa-f]|[1-6]|i{1,3}|iv)\s*\)|\b[A-F][.):])\s*\$?\Z")  # (A) $…$
_CHOICE = re.compile(
    r"\b(?:multiple[- ]choice|which (?:one )?of (?:these|the following)|"
    r"(?:the )?(?:correct |right )?answer (?:is|was)|options?|choose|quiz)\b",
    re.IGNORECASE,
)
_LIMIT = re.compile(r"\\lim(?:\\limits)?\s*_\s*\{([^{}]*)\}")
_AS = re.compile(
    r"\b(?:for|as|when|in the limit(?: of| as| where)?)\s+(?:…|\$[^$]*\$)", re.IGNORECASE
)
_CLAUSES = re.compile(rf"[,;]\s*(?:(?:and|but|while|whereas)\s+)?(?=(?:{IF}|for|in the case)\s+…)")
_GOES_ON = re.compile(r"[\s,;]*(?:and|but|while|whereas)?[\s,]*")


def _is_bound(words: str, s: Statement, system: System, versions: Versions) -> bool:
    """They state nothing but where a name lies, which counterexamples mind: if x < 1, then."""
    if not (known := covering(s, system, versions)):
        return False
    place, outline = (s.line, s.column), versions.outline
    own = any(r.case > place and outline.together(r.case, place) for r in known.values())
    if own and _GOES_ON.fullmatch(words.rsplit("…", 1)[-1]):  # a if x < 1, and b if x > 1
        return True
    clauses = _CLAUSES.split(words)  # if x < 1, then a, and if x > 1, then
    if _BOUND.fullmatch(clauses[-1]) is None:
        return False
    said = {re.sub(r"\s", "", r.said) for r in known.values() if r.case[0]}
    put = outline.supposed(s.line, s.column)
    put = put[-1:] if len(clauses) > 1 else put
    signed = bool({"abovezero", "belowzero"} & said) and set(put) <= known.keys()
    return len(put) == 1 and (put[0] in said or signed)


def _is_bound_behind(behind: str, s: Statement, system: System, versions: Versions) -> bool:
    """They begin with where a name lies, which counterexamples mind: … if x < 1."""
    first = _FIRST_BEHIND.match(behind)
    said = {re.sub(r"\s", "", r.said) for r in covering(s, system, versions).values()}
    return first is not None and re.sub(r"\s", "", first[1]) in said


def conditional(s: Statement, system: System, versions: Versions) -> str:
    """The sentence before the formula states a condition, and not of an earlier equation too."""
    outline, place = versions.outline, (s.line, s.column)
    before = versions.before(s) if s.name else None
    if before is not None and outline.goes_on((before.line, before.column), place) is not None:
        return ""
    at = told_by_itself(s, system, versions)
    words = versions.outline.condition(s.line, s.column, at)
    words = "" if words and _is_bound(words, s, system, versions) else words
    words = "" if words and scenes.brings(s, system, versions) else words
    if not words and at is None and outline.in_a_state(*place):  # on a circular orbit v = …
        words = outline.sentence(*place)
    if words:
        return f"the words before it state a condition: “{_short(words)}”"
    behind = outline.behind(*place, s.whole, s.inline)
    said = behind if _IF_BEHIND.match(behind) and place not in outline.premised else ""
    said = "" if said and _is_bound_behind(behind, s, system, versions) else said
    return f"the words behind it state a condition: “{_short(said)}”" if said else ""


def told_by_itself(s: Statement, system: System, versions: Versions) -> re.Pattern[str] | None:
    """Words that state no more than the formula says itself, or that it does not hang on."""
    return placed.somewhere(s, versions) or _towards(s, versions) or _past(s, system, versions)


def _towards(s: Statement, versions: Versions) -> re.Pattern[str] | None:
    r"""The words before a limit that say where it goes as it says itself: as $n \to \infty$."""
    own = _LIMIT.search(s.latex)
    said = versions.outline.supposed(s.line, s.column)
    return _AS if own and re.sub(r"\s", "", own[1]) in said else None


def _past(s: Statement, system: System, versions: Versions) -> re.Pattern[str] | None:
    r"""The words that say where a name goes of which a link is not made: for $z \to \infty$.

    What both sides are is then the same wherever z is.
    """
    said = versions.outline.supposed(s.line, s.column)
    if not s.number or not said or not all(re.search(r"\\(?:to|rightarrow)\b", x) for x in said):
        return None
    going = {x.lstrip("\\") for latex in said for x in re.findall(r"\\?[A-Za-z]+", latex)}
    return None if going & closure(names(s.lhs) | names(s.rhs), system) else _AS


def alternative(s: Statement, system: System, versions: Versions) -> str:
    """One of two things that a sentence says of one: x = a or x = -a."""
    outline, place = versions.outline, (s.line, s.column)
    at = outline.position(*place)
    if _OPTION.search(outline.text, max(0, at - 12), at) and _CHOICE.search(outline.text):
        return "it is one of several answers"
    left = re.sub(r"\s", "", sides(s.latex)[0][0])
    before = _OR_BEFORE.search(outline.sentence(*place)) and outline.supposed(*place)[-1:]
    end = outline.position(*place) + len(s.whole)
    behind = _OR_BEHIND.match(outline.text, end)
    others = [*(before or ()), *([behind[1]] if behind else ())]
    same = [x for x in others if re.sub(r"\s", "", x.partition("=")[0]) == left]
    return f"it is said of one case, and ${same[0].strip()}$ of another" if same else ""


def in_a_numbered_case(s: Statement, system: System, versions: Versions) -> str:
    """It is said of Case 2, which is no comparison of indices and says not where a name lies."""
    case = versions.outline.numbered_case(s.line, s.column)
    if not case or (s.line, s.column) in versions.outline.premised:
        return ""
    said = {re.sub(r"\s", "", r.said) for r in covering(s, system, versions).values()}
    first = re.search(r"\$([^$]*)\$", case)
    minded = first is not None and re.sub(r"\s", "", first[1]) in said
    return "" if minded else f"it is said of {re.split('[:.,]', case)[0]}"


def of_a_case(s: Statement, system: System, versions: Versions) -> str:
    """What defines a name in a case says nothing of another: it escapes if …, that is with v = ….

    So not of what the text says in a later sentence of another case, or of the name itself.
    """
    here, outline = (s.line, s.column), versions.outline
    kind, own = outline.kind(here), {s.name, unmarked(s.name)[0]}
    for name in sorted(closure(names(s.lhs) | names(s.rhs), system) & {*system.definitions}):
        for v in versions.table.get(name, ()):
            there = (v.line, v.column)
            if v.definition not in tuple(system) or not there < here or not v.line:
                continue
            before = outline.kind(there)
            if name in own and kind and before not in ("", kind):  # for the reverse reaction
                return f"it may be another {name}: that of {kind}"
            if not v.case:
                continue
            angle = isinstance(s.lhs, sp.sin | sp.cos | sp.tan) and str(s.lhs.args[0]) == name
            if not outline.together(there, here) and (
                s.name == name or angle or outline.moves_on(there, here)
            ):
                return f"line {v.line} says what {name} is in a case"
    return ""


def cased(s: Statement, versions: Versions) -> str:
    """A condition that is not in the formula stands beside it.

    So does the i = j of an earlier formula, to the end of the part of the text that looks at it.
    """
    limit = versions.document.limited.get((s.line, s.column))
    if limit and not _rows_before(s, limit, versions):
        return f"a condition stands beside it: {_short(limit)}"
    told = versions.document.premises
    section = versions.outline.section
    here = (s.line, s.column)
    before = [p for p in told if p < here and section(p[0]) == section(s.line)]
    if not before or here in told or versions.outline.in_general(max(before), here):
        return ""
    about, free = told[max(before)], {x.name for x in s.letters}
    compared = set(re.findall(r"(?<!\\)\b[A-Za-z]\b", about))
    return f"it may be meant for {about}, as line {max(before)[0]} is" if compared <= free else ""


def _rows_before(s: Statement, limit: str, versions: Versions) -> bool:
    """The condition stands in a later row of the chain, behind what this link leads to."""
    text, start = versions.outline.text, versions.outline.position(s.line, s.column)
    right = sides(s.latex)[0][-1]
    at, there = text.find(right, start), text.find(limit, start)
    between = text[at + len(right) : there]
    return 0 < at < there and re.search(r"\\\\\s*&?\s*=", between) is not None


def _short(words: str) -> str:
    return words if len(words) <= 80 else "… " + words[-78:]


__all__ = [
    "THEN",
    "alternative",
    "cased",
    "conditional",
    "in_a_numbered_case",
    "of_a_case",
    "told_by_itself",
]
