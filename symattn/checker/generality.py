r"""What words say of any A is not proved by what others say of some: for symmetric A, in a case."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import sympy as sp

from ..objects import TensorSymbol
from ..read.denied import denied
from ..read.ranges import NEAR
from ..read.vocabulary import IF
from ..read.words import DROPS
from ..syntax import System
from . import report, symmetries
from .finding import Finding
from .inside import names
from .outline import ALWAYS, Outline
from .qualities import INLINE, LABEL, NAMES, SENTENCE, named
from .scopes import believed
from .statements import Statement, reading
from .versions import Versions, closure

if TYPE_CHECKING:
    from .judge import Judge

_FREED = re.compile(  # $a$ is arbitrary again
    r"(?P<name>\$[^$]+\$|\\\(.+?\\\)) (?:is|are|may be|can be) (?:now )?(?:again )?"
    r"(?:arbitrary|anything|general|unrestricted)\b",
    re.I,
)
_EITHER = re.compile(
    r"\b(?:possibly|perhaps|maybe|not necessarily|either|(?:which|that) may be)\s+"
    r"(?:\w+ or )?[\w-]+",
    re.I,
)
_TRAIT = re.compile(
    r"symmetric|orthogonal|orthonormal|diagonal|\bunit\b|stochastic|definite|positive|negative|"
    r"idempotent|projection|perpendicular|commut",
    re.I,
)
_INTRODUCES = re.compile(r"(?:^|[.;:]\s|\n)\s*(?:now |here )?(?:let|consider|take|here)\b", re.I)
_SIGN = re.compile(r"\b(?:non-?)?(?:positive|negative)\b(?! (?:semi-?)?definite)", re.I)
_COMPARED = re.compile(r"[=<>≤≥]|\\(?:leq?|geq?|neq?|in|succ)(?![a-z])")
_ANY = re.compile(  # any square matrix $A$, and not any orthogonal one
    r"\b(?:any|every|all|arbitrary|general|whatever|no matter what)\b"
    r"(?: (?:square|rectangular|real|complex|other|of|the|a|"
    r"matri(?:x|ces)|vectors?|tensors?|arrays?|numbers?|scalars?|values?|choice|weights?))* "
    r"(?P<name>\$[^$]+\$|\\\(.+?\\\))",
    re.I,
)
_SUPPOSES = re.compile(
    r"\b(?:suppos\w+|assum\w+|now|instead|further\w*|moreover|in addition|if|let|next|case)\b", re.I
)
_PARTED = re.compile(  # a display without a full stop may end a sentence
    rf"({SENTENCE.pattern}|(?:(?<=\$\$)|(?<=\\\])|(?<=\}}))[ \t]*\n\s*(?=[A-Z]))"
)
_BEHIND = re.compile(r"[.!?](?=\s|$)|\n\s*(?=\n|[A-Z])")
_CASE = (
    rf"\b(?:for|{IF}|unless|once|case(?: \w+:)?|first|moment)"
    r"(?<=[\w:])[^.;:]*?(?<![A-Za-z]){}(?![A-Za-z])"
)
_KIND = r"\b(?:symmetric|orthogonal|orthonormal|diagonal|unit|stochastic)\b"
_ENDS = re.compile(r"(?:(?!\$\$|\\\[|\\begin).)*?[.!?](?=\s|$)", re.DOTALL)  # before a display
_SAID = (
    _KIND
    + r"[^.;:$]{{0,30}}\$[^$]*(?<![A-Za-z]){0}(?![A-Za-z])|(?<![A-Za-z]){0}\$[^.;:$]{{0,30}}"
    + _KIND
)
_SOME = (
    r"\bfor\s+(?:(?:an?|any|all|every|each|real|square)\s+)*"
    + _KIND
    + r"[^.;:$]{{0,30}}\$[^$]*(?<![A-Za-z]){0}(?![A-Za-z])"
)


def restricted(s: Statement, found: Finding, judge: Judge, at: Statement | None = None) -> str:
    """The names of which a proof uses more than words let it, which speak of any of them.

    These are the words `at` another statement, which rests on this one.
    """
    at = at or s
    system, words = found.system, judge.outline.leading(at.line, at.column)
    every = ALWAYS.search(words) is not None
    if system is None:
        return ""
    if undone := _undone(at, judge, system):
        return ", ".join(sorted(undone))
    reached = closure(names(s.lhs) | names(s.rhs), system)
    signed = judge.signed
    reached |= signed  # of which SymPy may have left nothing: |a|/a
    heads = {
        f"{stem}_{label[1]}" if (label := LABEL.search(m["name"])) else stem
        for m in _ANY.finditer(words)
        if not _COMPARED.search(m["name"])  # for all $a > 0$
        for stem, _ in named(m["name"])
    }
    about = {n for n in reached if n in heads or (every and _in_a_case(n, at, judge))}
    about |= {n for n in reached if _far_from_its_case(n, at, judge)}
    about |= _freed(at, judge, reached) | _anew(at, judge, reached)
    about |= {n for n in reached if _supposed_later(n, at, judge)}
    about -= system.definitions.keys()
    if told := {n for n in about if f"{n}: symmetric" in found.assumed}:
        return ", ".join(sorted(told))
    exprs = [s.lhs, s.rhs, *(d.expr for d in system), *system.facts]
    bases = {b for e in exprs for b in e.atoms(TensorSymbol) if b.name in about and b.symmetry}
    left = [f for f in system.facts if not names(f) & about]
    ranges = believed(judge.versions.document, (), judge.refutes)
    said = {r.said for n in about & ranges.keys() for r in ranges[n] if r.said} & {*found.used}
    if (signs := about & signed) and not _proved_without(signs, s, judge):
        return ", ".join(sorted(signs))
    if not bases and len(left) == len(system.facts) and not said:
        return ""
    free = {b: TensorSymbol(b.label, b.shape) for b in bases}
    if not said and symmetries.proved_with(s, System(*system, facts=left), free):
        return ""
    tied = {b.name for b in bases} | {n for f in system.facts for n in names(f) & about}
    tied |= {n for n in about & ranges.keys() if {r.said for r in ranges[n]} & said}
    return ", ".join(sorted(tied))


def taken_back(s: Statement, system: System, judge: Judge) -> bool:
    """A fact of the system is about what words make free again before the statement."""
    facts = {n for f in system.facts for n in names(f)}
    return bool(facts and facts & _freed(s, judge, facts))


def signed(versions: Versions) -> frozenset[str]:
    """The names that a text says are on one side of zero; sizes are none."""
    sides = [x for s in versions.statements for x in (s.lhs, s.rhs) if x is not None]
    every = {x for side in sides for x in side.atoms(sp.Symbol) if not x.is_integer}
    found = {x.name for x in every if x.is_nonnegative or x.is_nonpositive}
    ranges = versions.document.ranges.items()
    found |= {n for n, several in ranges if any(r.low >= 0 or r.high <= 0 for r in several)}
    return frozenset(found - versions.table.keys())


def _proved_without(signs: set[str], s: Statement, judge: Judge) -> bool:
    """It is proved in the text without what that says of the signs of these names."""
    stems = {n.split("_")[0] for n in signs}

    def unsaid(sentence: str) -> str:
        told = [m for m in INLINE.finditer(sentence) if {n for n, _ in named(m[0])} & stems]
        for m in told:
            if _COMPARED.search(m[0]):
                blank = re.sub(r"[^\n]", " ", m[0][1:-1])
                sentence = sentence[: m.start() + 1] + blank + sentence[m.end() - 1 :]
        return _SIGN.sub(lambda m: " " * len(m[0]), sentence) if told else sentence

    parts = re.split(rf"({SENTENCE.pattern})", judge.outline.text)
    text = "".join(map(unsaid, parts))
    found = reading(text)
    place = s.line, s.column, s.latex
    same = (t for t in found.statements if (t.line, t.column, t.latex) == place)
    other = type(judge)(found, Outline(text), judge.seed)
    return any(other.plain(t).verdict == report.PROVED for t in same)


def _freed(s: Statement, judge: Judge, reached: set[str]) -> set[str]:
    """The names of which the section says that an assumption no longer holds."""
    found: set[str] = set()
    before = ""
    for sentence in SENTENCE.split(judge.outline.ahead(s.line)):
        drops = DROPS.search(sentence)
        formulas = [m for m in INLINE.finditer(sentence) if _COMPARED.search(m[0])]
        told = set[str]()
        for m in formulas:
            again = m[0] in before and denied(sentence[: m.start()], sentence[m.end() :])
            told |= {*NAMES.findall(m[0])} if drops or again else set()
        found |= {n for n in reached if n.split("_")[0] in told}
        found |= reached if drops and not formulas else set()
        before += sentence
        for m in _FREED.finditer(sentence):
            told = {stem for stem, _ in named(m["name"])}
            found |= {n for n in reached if n.split("_")[0] in told}
    return found


def _anew(s: Statement, judge: Judge, reached: set[str]) -> set[str]:
    """The names that its section introduces again, with a shape and nothing more."""
    outline = judge.outline
    if not outline.section(s.line):
        return set()
    found: set[str] = set()
    ahead = outline.ahead(s.line)
    for sentence in SENTENCE.split(ahead):
        open_ = _EITHER.sub(" ", sentence)  # possibly negative
        if not _INTRODUCES.search(sentence) or re.search(_KIND, open_) or _SIGN.search(open_):
            continue
        for m in INLINE.finditer(sentence):
            plain = not re.search(r"[=<>≤≥]|\\(?:leq?|geq?|succ)(?![a-z])", m[0])
            found |= {*NAMES.findall(m[0].split("\\in")[0])} if plain else set()
    k = outline.section(s.line)
    following = outline.headings[k][0] if k < len(outline.headings) else None
    own = "\n".join(outline.text.split("\n")[outline.headings[k - 1][0] - 1 : following])
    return {n for n in reached if n.split("_")[0] in found and not _told(n, own)}


def _told(name: str, section: str) -> bool:
    """A sentence of a section says what a name is like: symmetric, positive, A B = B A, > 0."""
    stem = name.split("_")[0]
    for sentence in SENTENCE.split(section):
        own = [m[0] for m in INLINE.finditer(sentence) if stem in NAMES.findall(m[0])]
        related = any(_COMPARED.search(x.split("\\in")[0]) for x in own)
        if own and (related or _TRAIT.search(_EITHER.sub(" ", sentence))):
            return True
    return False


def _undone(s: Statement, judge: Judge, system: System) -> set[str]:
    """What a sentence gave its meaning, u² = x², and another one takes back, or frees u."""
    found: set[str] = set()
    known: dict[str, set[str]] = {}  # equations of sentences, and their letters
    for sentence in SENTENCE.split(judge.outline.ahead(s.line)):
        back: list[set[str]] = []
        for m in INLINE.finditer(sentence):
            undone = DROPS.search(sentence) or denied(sentence[: m.start()], sentence[m.end() :])
            if m[0] in known and undone:
                back.append(known[m[0]])
        for m in _FREED.finditer(sentence):
            freed = {*NAMES.findall(m["name"])}
            back += [letters for letters in known.values() if letters & freed]
        for told in back:
            made = (d for d in system if d.name in told)
            found |= {d.name for d in made if {n.split("_")[0] for n in names(d.expr)} <= told}
        equations = (m[0] for m in INLINE.finditer(sentence) if "=" in m[0])
        known |= {x: {*NAMES.findall(x)} for x in equations}
    return found


def _far_from_its_case(name: str, s: Statement, judge: Judge) -> bool:
    """All that words say of a name they say for some: “for symmetric A”, and not right before."""
    text, plain = judge.outline.text, re.escape(name.split("_")[0])
    cases = [m.start() for m in re.finditer(_SOME.format(plain), text, re.I)]
    lines = [text.count("\n", 0, at) + 1 for at in cases]
    if not lines or any(0 <= s.line - line <= NEAR for line in lines):
        return False
    if not all(_ENDS.match(text, at) for at in cases):  # for a unit vector $n$ let $$ N = … $$
        return False
    return len(cases) == len(re.findall(_SAID.format(plain), text, re.I))


def _supposed_later(name: str, s: Statement, judge: Judge) -> bool:
    """All that words say of the kind of a name they suppose behind the sentence of a statement."""
    outline, stem = judge.outline, name.split("_")[0]
    start = outline.position(s.line, s.column) + len(s.whole)
    own = _BEHIND.search(outline.text, start)
    end = own.end() if own else len(outline.text)
    told = [
        (at, part)
        for at, part, letters, related in _sentences(outline.text)
        if stem in letters and (stem in related or _TRAIT.search(_EITHER.sub(" ", part)))
    ]
    return bool(told) and all(k >= end - 1 and _SUPPOSES.search(x) for k, x in told)


@lru_cache(maxsize=8)
def _sentences(text: str) -> tuple[tuple[int, str, frozenset[str], frozenset[str]], ...]:
    """Place and words of each sentence, the letters of its formulas, and those that it compares."""
    found, at = [], 0
    for part in _PARTED.split(text):
        formulas = [m[0] for m in INLINE.finditer(part)]
        compared = [x for x in formulas if _COMPARED.search(x.split("\\in")[0])]
        letters, related = (
            {n for x in xs for n in NAMES.findall(x)} for xs in (formulas, compared)
        )
        if letters:
            found.append((at, part, frozenset(letters), frozenset(related)))
        at += len(part)
    return tuple(found)


def _in_a_case(name: str, s: Statement, judge: Judge) -> bool:
    """Words of its section speak of a name under a condition before they speak in general."""
    case = _CASE.format(re.escape(name.split("_")[0]))
    return re.search(case, judge.outline.ahead(s.line), re.I) is not None


__all__ = ["restricted", "signed", "taken_back"]
