r"""Which sentences of a text say nothing of what another sentence claims.  They are those

- of another case, which has its words: *at rest*, *in the second experiment*, *while heating*;
- of a kind, a place, a version or a title of its own that the claim does not name once more:
  *competitive firms have*, *in a perfect tree*, *version 1*, *Bosons: …*;
- ties of names that nothing joins to the claim: no *let* or *with*, no word that comes again;
- of another theorem, exercise or example, where they suppose something;
- that suppose what is given up: behind a contradiction, *otherwise*, *suppose instead*, *in fact*;
- of a kind that the claim's sentence denies: *dependent* variables, a matrix *not symmetric*;
- of a name before it is introduced again: *let $A$ be any matrix*;
- that assert no equation (force.py), or one up to a constant.
"""

from __future__ import annotations

import re

from ..read.vocabulary import words
from . import settings
from .discourse import KIND, RELATED, SUPPOSES, Discourse, Rule, is_bare
from .force import clause, denies, force, takes_back
from .frames import Sentence, any_of, frame
from .qualities import NAMES
from .subjects import (
    NOTHING,
    another,
    designated,
    kin,
    open_words,
    owners,
    place,
    subject,
    supposed,
)

_IN_A_CASE = any_of(r"suppos\w+", r"assum\w+", r"if\b", r"when(?:ever)?\b", r"case\b", r"unless\b")
_GOES_ON = any_of(  # as in exercise 1, the same
    r"as (?:in|above|before)\b", r"continu\w+", r"same\b", "previous", "preceding", r"this\b",
    "above", r"of (?:the )?(?:exercise|lemma|theorem|example)\b",
)  # fmt: skip
_ABSURD = any_of(r"contradict\w*", r"absurd\w*", r"impossib\w+")
_GIVEN_UP = re.compile(
    r"^[^A-Za-z…]*(?:(?:and|but|now|so)\b,?\s+)?(?:otherwise|else|if (?:not|(?:this|that|it|they) "
    r"(?:is|are|does|do)(?:n't| not))|unless|conversely|without (?:any |this|that|the|such|these|"
    r"symmetry|independence)|in general|generally|in the (?:other|remaining|opposite) case)\b|"
    r"…,? (?:otherwise|in general)\s*$",
    re.IGNORECASE,
)
_INSTEAD = any_of(
    r"(?:suppose|assume|let|take|consider|with|if|for)\b[^…]*…?.*\binstead\b",
    r"instead\b[^…]*\b(?:suppose|assume|let|take|consider|with|if)\b",
)
_NOT = r"(?:not|isn't|aren't|never|no longer|need not be|not necessarily)"
_DENIES = tuple(
    (re.compile(rf"\b(?:{one})\b", re.I), re.compile(rf"\b(?:{other})\b", re.I))
    for one, other in (
        (rf"dependent|dependence|depends|correlated|{_NOT} (?:\w+ )?independent",
         r"independent|uncorrelated|independence|i\.?i\.?d"),
        (rf"(?:non|a)-?\s?symmetric|{_NOT} symmetric", "symmetric"),
        (rf"non-?\s?orthogonal|oblique|{_NOT} orthogonal", "orthogonal|orthonormal"),
        (rf"(?:non-?|un)normali[sz]ed|{_NOT} normali[sz]ed", "normali[sz]ed|unit|sums? to one"),
        (rf"non-?\s?cent(?:re|ere)d|non-?zero[- ]mean|{_NOT} cent(?:re|ere)d",
         "cent(?:re|ere)d|zero[- ]mean|mean zero"),
        ("biased", "unbiased"),
    )
)  # fmt: skip
_UNEQUAL = any_of(r"differ(?:s|ed|ent|ing)?\b", "distinct", "unequal", r"not (?:the same|equal)\b")
_INTRODUCES = re.compile(
    r"(?:^|[,;:]\s|\b(?:and|but)\s)[^A-Za-z…]*(?:now |here |next )?(?:let|consider|take|for)\b"
    r"[^…]*(?P<mark>…)\s+(?:now\s+)?(?:be|is|denote)\s+(?:an?|any|another|some|arbitrary)\b|"
    r"\b(?:let|consider|take|for|now)\b[^…]*\b(?:any|an?|arbitrary|another|every)\b[^…]*"
    r"\b(?:matrix|vector|number|variable|function|scalar|tensor)\s+(?P<other>…)|"
    r"\b(?:from now on|henceforth|now|here|below|letter|symbol|in what follows)\b,?\s+"
    r"(?P<again>…)\s+(?:denotes?|stands? for|means?|is (?:re-?used|recycled|used) (?:for|as))\b",
    re.IGNORECASE,
)
_UP_TO = any_of(
    r"up to (?:an? |the |some |its )?(?:\w+ )?(?:constants?|factors?|sign|normali[sz]ation)\b",
    r"(?:ignoring|omitting) (?:an? |the )?(?:\w+ )?constants?\b",
)
_SLOPE = re.compile(r"\\partial|\\nabla|\\d?dot|'|\\frac\s*\{\s*d(?:\s|\\|[A-Za-z]\s*\})")
_CONSTANT = any_of(r"up to\b", r"proportional\b", r"constants?\b", r"factor\b")
_WORLD = any_of(  # if we counted from one
    r"(?:if|when) (?:we|it|they|one|you|there|the \w+) (?:had|were|\w+ed(?! to\b))\b"
)
_LEAD = re.compile(  # marginally, for larger $n$, with our choice
    r"[^A-Za-z…]*(?:(?:and|but)\s+)?(?P<lead>(?:for|with|if|when|once|unless|until|in|on|at|under|"
    r"after|before)\b(?!(?: the)?(?: same| this| these| that| all| every| any| each)\b)"
    r"[^,…]*(?:…[^,…]*)?|[a-z]+ly)\s*,",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(r"(?:if|when|once|unless|until)\b", re.IGNORECASE)
_ADVERBS = any_of(  # similarly, clearly
    "similarl", "clearl", "obvious", "equivalent", "consequent", "explicit", "accordingl", "final",
    "evident", "trivial", "immediate", "direct", "simpl", "certain", "natural", "surprising",
    "formal", "concrete", "precise", "especial", "particular", "additional", "second", "last",
    "first", "third",
)  # fmt: skip
_PLACING = words("for with in on at under after before if when")
_GENERAL = any_of(
    r"in (?:any|either|both|all|every) cases?\b",
    r"in (?:all|total|sum)\b",
    r"altogether\b",
    r"overall\b",
)
_LABELLED = re.compile(
    r"(?P<stem>\\[A-Za-z]+|[A-Za-z])'*\s*(?:_\s*(?:\{(?:[^{}]|\{[^{}]*\})*\}|\\?\w+)|')"
)
_OPENED = re.compile(r"^(?:\$|\\[\[(]|[\s(\[])+")  # what a formula begins behind
_WAS = re.compile(r"\W*(?:this|that|these|those|it)\b", re.IGNORECASE)
_PROCESS = any_of(  # titles of which one goes on with the other
    "pass", "step", "layer", "attention", "loss", "gradient", "derivation", "proof", "form", "part",
    "update", "derivative", "moment", "order", "term", "case", "equation", "distribution",
)  # fmt: skip
_BRINGS = re.compile(
    r"\W*(?:…|where|with|here|because|since|as|for|in which|recall|remember|note|by|above|let|from|"
    r"and|using|if|when|suppose|assume)\b",
    re.IGNORECASE,
)
_OF_IT = re.compile(
    r"\W*(?:it|its|this|these|that|their|they|such|both|there|here)\b", re.IGNORECASE
)
_PLAINLY = re.compile(
    r"\W*(?:(?:now|and|also|further|so|next|first),?\s+)?(?:let|suppose|assume|with|where|put|set|take|"
    r"define|write|denote|given|since|because|as|for|here|then|thus|hence|so|therefore|…)\b|…",
    re.IGNORECASE,
)
_NAMES_IT = re.compile(  # its diameter is $d = 2 r$
    r"\b(?:the|its|their|our|this|your|my|an?)\s(?:[\w-]+\s){1,6}?"
    r"(?:is|are|be|equals|becomes|was)\W*$|"
    r"\b(?:write|define|denote|call|abbreviate|introduce|set|put|choose|use)\W*$",
    re.IGNORECASE,
)
_BESIDE = re.compile(  # with $h = 0$ and $b = 1$, in the plane $z = 0$
    r"\b(?:(?:with|where|let|for|given|since|as|at)(?:\s*…\s*(?:,|and|,\s*and)?)*|"
    r"(?:in|of|at|on|by|for|with) (?:the|an?) [\w-]+|with [\w-]+)\s*$",
    re.IGNORECASE,
)
_REPLACES = any_of(
    r"(?:replaced|superseded) by\b", r"(?:changed|corrected|fixed|updated) (?:to|into)\b",
    r"(?:should|must|has to) (?:be|read)\b", r"correct\b", r"(?:since|from) (?:then|now)\b",
)  # fmt: skip
_INDEXED = re.compile(  # under $H_0$
    r"\b(?:under|in|on|at|for|within|inside|of)\s+(?:\w+\s+)?"
    r"\$\s*(\\?[A-Za-z]+)\s*_\s*\{?(\d+)\}?\s*\$",
    re.IGNORECASE,
)
_COMPARES = re.compile(  # for $r < R$
    r"\b(?:for|if|when|where|while|in the case|with)\s+\$\s*(?P<left>[^$<>≤≥=]+?)\s*"
    r"(?P<sign><|>|≤|≥|\\(?:leq?|geq?|lt|gt|ll|gg)(?![a-z]))\s*(?P<right>[^$<>≤≥=]+?)\s*\$",
    re.IGNORECASE,
)


def in_another_case(c: Discourse, x: Sentence, here: Sentence) -> str:
    near = ("in", "on", "inside", "for") if c.bare(x) else ("in", "on", "inside")
    if here.frame is not None and x.frame is None and here.frame.way in near:
        *_, noun = here.frame.said.split()  # the upper branch is …, and on the lower branch
        plain = {*open_words(here.frame.said)} - {noun.lower()}
        return "another case" if _modified(x.words, noun, plain) else ""
    if x.frame is None or here.frame is None or not x.frame.differs(here.frame):
        return ""
    return "" if _in_its_name(c, x) or _GENERAL.search(here.words) else x.frame.said


def _in_its_name(c: Discourse, x: Sentence) -> bool:
    """The names of a sentence have their case in them: v_1 before the collision."""
    told = [_OPENED.sub("", f) for f in c.formulas(x) if "=" in f]
    own = [m and f"{m['stem']}_" not in f[m.end() :] for f in told for m in [_LABELLED.match(f)]]
    return bool(own) and all(own)


def _labelled(c: Discourse, x: Sentence, anywhere: bool = False) -> set[str]:
    """The names with labels that a sentence gives, or that stand in it."""
    every = (_OPENED.sub("", f) for f in c.formulas(x))
    found = (_LABELLED.finditer(f) if anywhere else [_LABELLED.match(f)] for f in every)
    return {re.sub(r"[\s{}]", "", m[0]) for several in found for m in several if m}


def in_another_theorem(c: Discourse, x: Sentence, here: Sentence) -> str:
    one, other = c.label(x.start + 1), c.label(here.end - 1)
    guess = re.match(r"conjecture|hypothesis", one[1], re.IGNORECASE)
    if not one[1] or (one[0] == other[0] and not guess):
        return ""
    if not (guess or SUPPOSES.search(x.words)):
        return ""
    inside = (y for y in c.sentences if other[0] <= y.start <= here.start)
    return "" if any(_GOES_ON.search(y.words) for y in inside) else one[1]


def given_up(c: Discourse, x: Sentence, here: Sentence) -> str:
    """What a later sentence takes back, or the claim's own: otherwise, in general."""
    if c.section(x) != c.section(here):
        return ""
    since, own = c.since(x, here), open_words(x.words)
    proof = re.search(r"\b(?:suppos|assum)", x.words, re.IGNORECASE) is not None
    if proof and any(_ABSURD.search(y.words) for y in since[:-1]):
        return "a contradiction"
    loose = c.supposes(x) or c.bare(x)
    next_ = [y for y in c.behind(x) if y.start <= here.start and c.paragraph(x, y)]
    if any(takes_back(y.words, own, loose) for y in (since if loose else next_)):
        return "what is given up"
    told = _IN_A_CASE.search(x.words) or c.bare(x)
    if told and _GIVEN_UP.search(here.words):
        return "another case"
    apart = any(re.search(r"\\neq?(?![a-z])|≠", f) for y in since for f in c.formulas(y))
    return "another case" if c.bare(x) and apart else ""


def led_elsewhere(c: Discourse, x: Sentence, here: Sentence) -> str:
    """What ties names is said of the case of its sentence: not marginally, for larger $n$."""
    lead = _LEAD.match(here.words)
    if lead is None or not c.bare(x) or c.section(x) != c.section(here):
        return ""
    own, said = _LEAD.match(x.words), lead["lead"].lower().strip(" …")
    same = own is not None and own["lead"].lower().strip(" …") == said
    same = same or kin(open_words(here.words), open_words(x.words))
    if same or _ADVERBS.match(said) or said in _PLACING:
        return ""
    return "another case" if _SUPPOSED.match(said) or " " not in said or frame(said) else ""


def of_another_kind(c: Discourse, x: Sentence, here: Sentence) -> str:
    """A dilute solution has …, a saturated one …; in Ann's model …, and in Bob's."""
    if c.section(x) != c.section(here) or c.follows(x, here):
        return ""
    of = [subject(clause(x.words, at)) for at in c.telling(x)]
    own = NOTHING if _OF_IT.match(here.words) else subject(here.words)
    apart = (s for s in of if s.words and c.bare(x))
    if own.words and any(not kin(s.words, own.words) for s in apart):
        return "another kind"
    if own.words and _modified(x.words, own.words[-1], {*own.words[:-1]}):
        return "another kind"
    if c.bare(x) and another(here.words) and not _GENERAL.search(here.words):
        return "another kind"
    whose, mine = owners(x.words), owners(here.words)
    return "another view" if whose and mine and whose.isdisjoint(mine) else ""


def unnamed(c: Discourse, x: Sentence, here: Sentence) -> str:
    """What holds in a case of its own is so where the words before a claim name it once more.

    Orthogonal vectors satisfy …, but ours do not; if the loop is closed ….
    """
    if c.section(x) != c.section(here) or c.follows(x, here) or _OF_IT.match(here.words):
        return ""
    since = c.since(x, here)
    met = [w for y in since if not denies(y.words) for w in open_words(y.words)]
    earlier = [w for y in c.sentences if y.start < x.start for w in open_words(y.words)]
    of = place if c.defines(x) else subject
    kinds = [s for s in (of(clause(x.words, at)) for at in c.telling(x)) if s.kind]
    given = [w for y in since if denies(y.words) for w in open_words(y.words)]
    loose = c.bare(x) or c.valued(x)
    alone = (s for s in kinds if loose or kin(s.marks, given))
    if any(not kin(s.marks, [*met, *earlier]) for s in alone):
        return "another kind"
    placed = x.frame if x.frame and (x.frame.way != "for" or len(x.frame.words) > 1) else None
    placed = None if c.of_a_name(x) else placed  # after the time $t$
    told = [*supposed(x.words), *(placed.words if placed else ())]
    general = _GENERAL.search(here.words) or _in_its_name(c, x)
    away = told and c.bare(x) and not general and not kin(told, met)
    return "another case" if away else ""


def left_behind(c: Discourse, x: Sentence, here: Sentence) -> str:
    """What is so in a setting that the text has left: in Gaussian units …, we work in SI units."""
    if c.section(x) != c.section(here) or c.follows(x, here) or _in_its_name(c, x):
        return ""
    said = [clause(x.words, at) for at in c.telling(x)]
    return "another case" if settings.left_behind(x, said, [*c.since(x, here)[:-1], here]) else ""


def unconnected(c: Discourse, x: Sentence, here: Sentence) -> str:
    """A tie of names in a sentence that says more than *let* is of what that sentence is about.

    It is not so of what the claim's sentence is about in other words, and proves nothing where no
    word of it comes again.
    """
    if not c.bare(x) or c.section(x) != c.section(here) or c.follows(x, here):
        return ""
    told, own = open_words(x.words), open_words(here.words.split("…")[0])
    every = open_words(here.words)
    if not told or _PLAINLY.match(x.words) or _OF_IT.match(here.words) or _in_its_name(c, x):
        return ""
    if _labelled(c, x) & _labelled(c, here, anywhere=True):  # κ_0 at one end, in κ_0/κ_1
        return ""
    parts = x.words.split("…")
    ahead = ["…".join(parts[: k + 1]) for k, f in enumerate(c.formulas(x)) if is_bare(f)]
    if all(_NAMES_IT.search(said) or _BESIDE.search(said) for said in ahead):
        return ""
    between = [w for y in c.since(x, here)[:-1] for w in open_words(y.words)]
    if not kin(told, [*between, *every]):
        return "another case"
    fits = kin(told, every) or all(kin((w,), between) for w in own)
    return "" if fits else "another case"


def _modified(said: str, noun: str, own: set[str]) -> bool:
    """The words call a noun by other adjectives than these."""
    other = re.search(rf"\b((?:(?!of\b)[\w-]+ ){{1,3}}){re.escape(noun)}\b", said, re.IGNORECASE)
    told = open_words(other[1]) if other else []
    return bool(own and told) and own.isdisjoint(told)


def of_another_index(c: Discourse, x: Sentence, here: Sentence) -> str:
    """Under $H_1$, and under $H_0$; for $r < R$, and for $r > R$; version 1, and version 2."""
    texts = [c.text[y.start : y.end] for y in (x, here)]
    for one, other in (map(_indexed, texts), map(_ordered, texts)):
        if any(one[n] != other[n] for n in one.keys() & other.keys()):
            return "another case"
    told, own = _designated(c, x), _designated(c, here)
    apart = (n for n in told.keys() & own.keys() if told[n].isdisjoint(own[n]))
    return next((f"another {n}" for n in apart), "")


def _indexed(text: str) -> dict[str, str]:
    return dict(_INDEXED.findall(text))


def _ordered(text: str) -> dict[str, str]:
    """Which of two names a sentence calls the larger one."""
    found: dict[str, str] = {}
    for m in _COMPARES.finditer(text):
        left, right = (re.sub(r"[\s{}]", "", m[k]) for k in ("left", "right"))
        less = re.match(r"<|≤|\\l", m["sign"]) is not None
        found[" ".join(sorted((left, right)))] = right if less else left
    return found


def _designated(c: Discourse, x: Sentence) -> dict[str, set[str]]:
    """What is numbered in the clauses of the equations of a sentence, or else in its titles."""
    told = [clause(x.words, at) for at in c.telling(x)] or [x.words]
    told += [y.words for y in c.behind(x) if _WAS.match(y.words)]
    found: dict[str, set[str]] = {}
    for said in told:
        for noun, marks in designated(said).items():
            found.setdefault(noun, set()).update(marks)
    return designated(" … ".join(c.titles(x))) | found


def under_another_title(c: Discourse, x: Sentence, here: Sentence) -> str:
    """Bosons: …  Fermions: …; and what stands below *Laminar flow* is not so of turbulent flow."""
    (heading, label), (other, own) = c.titles(x), c.titles(here)
    if label and label != own and heading == other and c.bare(x):
        beside = [said for said in c.labels_between(x, here) if said and said != label]
        met = [*open_words(here.words), *open_words(own)]
        if kin(open_words(label), met):
            return ""
        return label if own or any(kin(open_words(said), met) for said in beside) else ""
    one, two = heading.lower().split(), other.lower().split()
    apart = [k for k, (v, w) in enumerate(zip(one, two, strict=False)) if v != w]
    same = [v for v, w in zip(one, two, strict=False) if v == w]
    if len(one) != len(two) or len(apart) != 1 or _PROCESS.search(heading):
        return ""
    if len(one) > 4 or not open_words(" ".join(same)):
        return ""
    return "" if kin([one[apart[0]]], open_words(here.words)) else heading


def comes_later(c: Discourse, x: Sentence, here: Sentence) -> str:
    """A tie of names behind a claim, which no *where* or *since* and no proof brings before it."""
    proof = re.search(r"\b[Pp]roof\b", c.text[here.start : x.end])
    return "" if not c.bare(x) or _BRINGS.match(x.words) or proof else "a later place"


def instead(c: Discourse, x: Sentence, here: Sentence) -> str:
    if c.section(x) != c.section(here) or not c.supposes(x):
        return ""
    own = _lefts(c, x)
    changed = any(own & _lefts(c, y) for y in c.since(x, here) if _INSTEAD.search(y.words))
    return "another case" if changed else ""


def replaced(c: Discourse, x: Sentence, here: Sentence) -> str:
    """What a later sentence gives another formula: replaced by $G = 3 H$."""
    own = _lefts(c, x)
    new = (y for y in c.since(x, here)[:-1] if _REPLACES.search(y.words))
    return "what is replaced" if any(own & _lefts(c, y) for y in new) else ""


def _lefts(c: Discourse, x: Sentence) -> set[str]:
    return {n for f in c.formulas(x) if "=" in f for n in NAMES.findall(f.split("=")[0])}


def denied(c: Discourse, x: Sentence, here: Sentence) -> str:
    """What the sentence of a claim, or its paragraph before it, denies."""
    near = [y for y in c.since(x, here) if y.start == here.start or c.paragraph(y, here)]
    for no, kind in _DENIES:
        if kind.search(no.sub(" ", x.words)) and any(no.search(y.words) for y in near):
            return "another case"
    apart = c.bare(x) and any(_UNEQUAL.search(y.words) for y in near)
    return "another case" if apart else ""


def introduced_again(c: Discourse, x: Sentence, here: Sentence) -> str:
    for name in (n for y in c.since(x, here) for n in _introduced(c, y)):
        told = [f for f in c.formulas(x) if name in NAMES.findall(f)]
        firsts = (NAMES.findall(RELATED.split(f)[0]) for f in told if RELATED.search(f))
        if told and (any(name in f for f in firsts) or KIND.search(x.words)):
            return f"another {name}"
    return ""


def _introduced(c: Discourse, y: Sentence) -> set[str]:
    """The names that a sentence introduces as any of a kind."""
    shown = c.formulas(y)
    found: set[str] = set()
    for m in _INTRODUCES.finditer(y.words):
        k = y.words[: m.start(m.lastgroup or 0)].count("…")
        if k < len(shown) and not RELATED.search(shown[k]):
            found |= {*NAMES.findall(shown[k].split("\\in")[0])}
    return found


def asserts_nothing(c: Discourse, x: Sentence, here: Sentence) -> str:
    if why := force(x.words, c.telling(x)) or c.alternatives(x):
        return why
    around = c.around(x)
    if around != x.words and (why := force(around, [around.find("…")])):
        return why
    slope = any(map(_SLOPE.search, c.formulas(here)))  # of which a constant changes nothing
    loose = _UP_TO.search(x.words) and not (slope or _CONSTANT.search(here.words))
    return "what is so up to a constant" if loose else ""


def in_another_world(here: Sentence) -> bool:
    """A sentence supposes in words that something were otherwise: if we counted from one."""
    return _WORLD.search(here.words) is not None


RULES: tuple[Rule, ...] = (
    in_another_case,
    in_another_theorem,
    under_another_title,
    given_up,
    led_elsewhere,
    of_another_index,
    of_another_kind,
    unnamed,
    left_behind,
    unconnected,
    instead,
    denied,
    introduced_again,
    asserts_nothing,
)
BEHIND: tuple[Rule, ...] = (comes_later, in_another_case, asserts_nothing)


__all__ = ["BEHIND", "RULES", "in_another_world", "replaced"]
