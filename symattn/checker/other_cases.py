r"""Which sentences of a text say nothing of what another sentence claims.  They are those

- of another case, which has its words: *at rest*, *in the second experiment*, *while heating*;
- of another theorem, exercise or example, where they suppose something;
- that suppose what is given up: behind a contradiction, *otherwise*, *suppose instead*, *in fact*;
- of a kind that the claim's sentence denies: *dependent* variables, a matrix *not symmetric*;
- of a name before it is introduced again: *let $A$ be any matrix*;
- that assert no equation: *there is an $x$ with*, *… if and only if …*, *a naive student writes*,
  *imagine that*, *either … or*, *up to a constant*, a question.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator

from ..read.vocabulary import words
from .frames import Sentence, frame, sentences
from .outline import Outline
from .qualities import FORMULA, NAMES


def _any(*said: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(said)})", re.IGNORECASE)


RELATED = re.compile(r"[=<>≤≥∼]|\\(?:leq?|geq?|lt|gt|neq?|sim|perp|equiv)(?![a-z])")
_KIND = _any(  # what words say of a name
    r"(?:(?:anti|skew)-?\s?)?symmetric\b", r"(?:semi-?)?orthogonal\b", r"orthonormal\b",
    r"diagonal\b", r"unit(?=[\s-](?:vector|norm|length))", r"unitary\b", r"idempotent\b",
    r"(?:doubly |row-|column-)?stochastic\b", r"(?:an? )?projections?\b", r"involutions?\b",
    r"(?:positive|negative)(?:[- ](?:semi-?)?definite)?\b", r"non-?negative\b", r"constant\b",
    r"commut(?:e|ing)\b", r"normali[sz]ed\b", r"uncorrelated\b", r"i\.?i\.?d\.?\b",
    r"(?:mutually |pairwise |statistically )?independent\b", r"cent(?:re|ere)d\b", r"binary\b",
    r"(?:zero|vanishing)[- ]mean\b", r"mean[- ](?:of )?zero\b", r"one-hot\b",
    r"sums?(?: up)? to (?:one|1|unity|zero)\b",
)  # fmt: skip
_FORMULA_OR_KIND = re.compile(
    rf"(?P<formula>{FORMULA.pattern})|{_KIND.pattern}", re.DOTALL | re.IGNORECASE
)
_BODY = re.compile(
    r"(\$\$?|\\\[|\\\(|\\begin\{\w+\*?\}|```\{?math\}?)?(.*?)"
    r"(\$\$?|\\\]|\\\)|\\end\{\w+\*?\}|```)?\Z",
    re.DOTALL,
)
_BARE = re.compile(  # a = b, x = 0, h = 2 k: what ties names that stand for something already
    r"(?:\\?[A-Za-z]+(?:_\w|_\{\w+\})?|\\mathbb\{?E\}?\s*\[[^\]]*\])\s*=\s*"
    r"-?\s*[\d.]*\s*(?:\\?[A-Za-z]+(?:_\w|_\{\w+\})?)?(?:/\d+)?"
)
_THEOREMS = words(
    "theorem lemma proposition corollary exercise problem question example remark task fact claim "
    "conjecture hypothesis"
)
_LABEL = re.compile(  # Exercise 2, **Lemma.**, \begin{theorem}
    r"(?:^|\n)[ \t>]*(?:[*_]{1,3}|\#{1,6}[ \t]+)?"
    rf"(?P<name>(?:{'|'.join(x.capitalize() for x in sorted(_THEOREMS))})\b(?:[ \t]+[\w.]+)?)"
    rf"[^\n$]{{0,60}}?[.:*_]|\\(?:begin|end)\{{(?P<tex>{'|'.join(sorted(_THEOREMS))})\*?\}}|"
    r"(?:^|\n)\#{1,6}[ \t]|\\(?:sub)*section\b"
)
_SUPPOSES = _any(
    r"suppos\w+", r"assum\w+", r"if\b", r"when(?:ever)?\b", r"case\b", r"let\b", r"consider\b",
    r"take\b", r"given\b", r"unless\b", r"were\b",
)  # fmt: skip
_IN_A_CASE = _any(r"suppos\w+", r"assum\w+", r"if\b", r"when(?:ever)?\b", r"case\b", r"unless\b")
_OF_IT = re.compile(
    r"\W*(?:it|its|this|these|that|their|they|such|both|there|here)\b", re.IGNORECASE
)
_GOES_ON = _any(  # as in exercise 1, the same
    r"as (?:in|above|before)\b", r"continu\w+", r"same\b", "previous", "preceding", r"this\b",
    "above", r"of (?:the )?(?:exercise|lemma|theorem|example)\b",
)  # fmt: skip
_ABSURD = _any(r"contradict\w*", r"absurd\w*", r"impossib\w+")
_UNDONE = _any(  # behind it what was supposed is no longer
    r"(?:this|that|it|which) (?:\w+ )?(?:is|was|were|turn(?:s|ed)? out(?: to be)?|"
    r"proves?(?: to be)?)(?: \w+)? (?:false|wrong|incorrect|untrue|mistaken|unrealistic|"
    r"not (?:true|so|the case))",
    r"no longer\b", r"as it is\b", "disagree", r"(?:cannot|can't|do not|don't) rely",
    r"(?:drop|discard|abandon|reject|relax|lift)(?:s|ed|p?ing)?\b",
    r"in (?:reality|truth|fact|actuality|practice)\b", r"actually\b",
)  # fmt: skip
_GIVEN_UP = re.compile(
    r"^[^A-Za-z…]*(?:(?:and|but|now|so)\b,?\s+)?(?:otherwise|else|if (?:not|(?:this|that|it|they) "
    r"(?:is|are|does|do)(?:n't| not))|unless|conversely|without (?:any |this|that|the|such|these|"
    r"symmetry|independence)|in general|generally|in the (?:other|remaining|opposite) case)\b|"
    r"…,? (?:otherwise|in general)\s*$",
    re.IGNORECASE,
)
_INSTEAD = _any(
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
_UNEQUAL = _any("differ", "distinct", "unequal", r"not (?:the same|equal)\b")
_INTRODUCES = re.compile(
    r"(?:^|[,;:]\s|\b(?:and|but)\s)[^A-Za-z…]*(?:now |here |next )?(?:let|consider|take|for)\b"
    r"[^…]*(?P<mark>…)\s+(?:now\s+)?(?:be|is|denote)\s+(?:an?|any|another|some|arbitrary)\b|"
    r"\b(?:let|consider|take|for|now)\b[^…]*\b(?:any|an?|arbitrary|another|every)\b[^…]*"
    r"\b(?:matrix|vector|number|variable|function|scalar|tensor)\s+(?P<other>…)",
    re.IGNORECASE,
)
_ASSERTS_NOTHING = _any(
    r"there (?:is|exists?|may be|can be|must be) (?:an?|some|one|exactly one|at least one)\b[^…]*…",
    r"for some\b[^…]*…",
    r"(?:exactly|at (?:least|most)) one of\b[^…]*…", r"not both\b",
    r"(?:imagined?|imagining|pretend\w*|fancy)\b[^…]*…",
    r"(?:if only|(?:had|were) (?:we|it|they|there|the))\b[^…]*…",
    r"(?:believ|thought|claim|mistak|guess)(?:ed|es|en)? (?:that|to be)\b",
    r"(?:naive|naïve|sloppy|careless|(?:wrong|incorrect|mistaken|false) (?:\w+ )?(?:answers?|"
    r"formulas?|ideas?|rules?|results?|assumptions?|versions?|equations?))\b[^…]*…",
    r"(?:first|initial|wild|bad|educated) (?:guess|attempt|try)\b",
    r"(?:earlier|old|previous|former|outdated|superseded) (?:version|draft|edition|formula|theory|"
    r"notation|convention|definition|model)\b",
    r"hypothes[ie]s … (?:is|was)\b", r"would (?:hold|be|follow|give|get|have|apply|read)\b",
    r"by mistake\b", r"(?:mistaken|erroneous|wrong|false)ly\b", r"in error\b",
    r"(?:some|other|many|most|several) (?:authors|papers|texts|books|people|sources)\b[^…]*…",
    r"(?:goal|to show|to prove|suffices?|sufficient|necessary|enough|conjectur\w+|"
    r"(?<!by )hypothes[ie]s|rule of thumb|"
    r"(?:would|could|might|may|should) (?:\w+ )?(?:need|want|like|hope|be nice)|"
    r"we (?:need|want|hope for|approximate)|typically|usually|often|sometimes|suggest\w*|"
    r"is tested|rejected)\b\W*(?:that |if |by |to (?:show|prove|have) )?…",
)  # fmt: skip
_OF_TWO = re.compile(  # … iff …, … or …, and a question
    r"…,?\s*(?:iff|if and only if|exactly (?:when|if)|precisely (?:when|if)|only if|unless)\s"
    r"[^…]*…|…,?\s+or\s+(?:else\s+)?(?:…|that\b)|\?\s*$|"
    r"^\W*(?:approximately|roughly|nearly|almost)\b[^…]*…",
    re.IGNORECASE,
)
_UP_TO = _any(
    r"up to (?:an? |the |some |its )?(?:\w+ )?(?:constants?|factors?|sign|normali[sz]ation)\b",
    r"(?:ignoring|omitting) (?:an? |the )?(?:\w+ )?constants?\b",
)
_SLOPE = re.compile(r"\\partial|\\nabla|\\d?dot|'|\\frac\s*\{\s*d(?:\s|\\|[A-Za-z]\s*\})")
_CONSTANT = _any(r"up to\b", r"proportional\b", r"constants?\b", r"factor\b")
_WORLD = _any(  # if we counted from one
    r"(?:if|when) (?:we|it|they|one|you|there|the \w+) (?:had|were|\w+ed(?! to\b))\b"
)
_SO = re.compile(
    r"\W*(?:then|thus|hence|so|therefore|it follows|consequently|we (?:get|have))\b", re.IGNORECASE
)
_LEAD = re.compile(  # marginally, for larger $n$, with our choice
    r"[^A-Za-z…]*(?:(?:and|but)\s+)?(?P<lead>(?:for|with|if|when|once|unless|until|in|on|at|under|"
    r"after|before)\b(?!(?: the)?(?: same| this| these| that| all| every| any| each)\b)"
    r"[^,…]*(?:…[^,…]*)?|[a-z]+ly)\s*,",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(r"(?:if|when|once|unless|until)\b", re.IGNORECASE)
_ADVERBS = _any(  # similarly, clearly
    "similarl", "clearl", "obvious", "equivalent", "consequent", "explicit", "accordingl", "final",
    "evident", "trivial", "immediate", "direct", "simpl", "certain", "natural", "surprising",
    "formal", "concrete", "precise", "especial", "particular", "additional", "second", "last",
    "first", "third",
)  # fmt: skip
_PLACING = words("for with in on at under after before if when")
_GENERAL = _any(r"in (?:any|either|both|all|every) cases?\b")
_LABELLED = re.compile(r"(?:\\[A-Za-z]+|[A-Za-z])'*\s*(?:_\s*(?:\{[^{}]*\}|\\?\w+)|')")
_NAMES_IT = re.compile(  # its diameter is $d = 2 r$
    r"\b(?:the|its|their|our|this|your|my|an?)\s(?:[\w-]+\s){1,6}?"
    r"(?:is|are|be|equals|becomes|was)\W*$|"
    r"\b(?:write|define|denote|call|abbreviate|introduce|set|put|choose|use)\W*$",
    re.IGNORECASE,
)
_CLOSED = words(  # words of every claim
    """then thus hence so therefore we have has get find obtain it follows that and also this gives
    give implies imply yields yield is are be means which i e in particular moreover consequently
    now as from by the of both sides side equation equations substituting again can written one
    holds hold true since because here our their its a an let with where set put define write
    denote suppose assume given take choose consider for to all any every each case see know show
    must will becomes become equals equal read reads form result identity using use used not into
    on at or but if when these those above below line lines note notice observe recall clearly
    obviously indeed finally first second"""
)
_HAS = re.compile(  # a dilute solution has
    r"(?P<kind>(?:[\w-]+ ){1,3})(?P<noun>[\w-]+?)s? "
    r"(?:has|have|satisf\w+|obeys?|follows?|pays?)\b[^…]*…",
    re.IGNORECASE,
)
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


class Cases:
    """The sentences of a text, and which of them say nothing of what another one claims."""

    def __init__(self, outline: Outline) -> None:
        self.text, self.outline = outline.text, outline
        self.sentences = [*sentences(self.text)]
        self._starts = [x.start for x in self.sentences]
        self._formulas: dict[int, list[str]] = {}
        self.labels = [
            (m.start(), "" if "\\end" in m[0] else m["name"] or m["tex"] or "")
            for m in _LABEL.finditer(self.text)
        ]

    def at(self, position: int) -> Sentence | None:
        """The sentence of a place."""
        k = self._after(position)
        found = self.sentences[k - 1] if k else None
        return found if found is not None and position < found.end else None

    def label(self, position: int) -> tuple[int, str]:
        """The theorem or exercise of a place, and where it begins."""
        return max(((at, name) for at, name in self.labels if at <= position), default=(0, ""))

    def section(self, x: Sentence) -> int:
        return self.outline.section(self.outline.place(x.start)[0])

    def foreign(
        self, here: Sentence, rules: Iterable[Rule], about: Callable[[Sentence], bool]
    ) -> Iterator[tuple[Sentence, str]]:
        """The sentences before one that say nothing of what it claims, each with the reason.

        Only those are asked that are `about` it.  What is said to follow goes with what it
        follows from.
        """
        follows = ""
        for x in self.sentences[: self._after(here.start)]:
            if x.start == here.start or not about(x):
                continue
            why = next((w for rule in rules if (w := rule(self, x, here))), "")
            goes_on = _SO.match(x.words) is not None
            why = why or (follows if goes_on else "")
            follows = why or (follows if goes_on else "")
            if why:
                yield x, why

    def since(self, x: Sentence, here: Sentence) -> list[Sentence]:
        """The sentences behind one, up to another one and with it."""
        return self.sentences[self._after(x.start) : self._after(here.start)]

    def _after(self, start: int) -> int:
        """The number of sentences that begin up to a place."""
        return bisect_right(self._starts, start)

    def formulas(self, x: Sentence) -> list[str]:
        if x.start not in self._formulas:
            inside = self.text[x.start : x.end]
            self._formulas[x.start] = [m[0] for m in FORMULA.finditer(inside)]
        return self._formulas[x.start]

    def bare(self, x: Sentence) -> bool:
        """It ties names that stand for something already, and gives no name its meaning."""
        return any(map(_is_bare, self.formulas(x)))

    def supposes(self, x: Sentence) -> bool:
        return bool(_SUPPOSES.search(x.words)) or (self.bare(x) and x.frame is not None)

    def tells(self, x: Sentence, of: Iterable[int]) -> bool:
        """It says of which kind something is, ties names, or has one of these places."""
        return (
            bool(_KIND.search(x.words)) or self.bare(x) or any(x.start <= at < x.end for at in of)
        )

    def paragraph(self, x: Sentence, here: Sentence) -> bool:
        """Two sentences stand in one paragraph."""
        return not re.search(r"\n[ \t]*\n[ \t]*[A-Z#]", self.text[x.start : here.start])

    def blanked(self, gone: Iterable[Sentence]) -> str:
        """The text without the equations and the kinds that these sentences say."""
        text = self.text
        for x in gone:
            said = _FORMULA_OR_KIND.sub(_blank, text[x.start : x.end])
            text = text[: x.start] + said + text[x.end :]
        return text


def _blank(m: re.Match[str]) -> str:
    if m["formula"] is None:
        return re.sub(r"[^\n]", " ", m[0])
    if not RELATED.search(m[0]) or "\\in" in m[0].split("=")[0]:
        return m[0]
    first, body, last = _BODY.match(m[0]).groups("")  # type: ignore[union-attr]
    return first + re.sub(r"[^\n]", " ", body) + last


def _is_bare(formula: str) -> bool:
    return _BARE.fullmatch(formula.strip("$ .,")) is not None


def in_another_case(c: Cases, x: Sentence, here: Sentence) -> str:
    if here.frame is not None and x.frame is None and here.frame.way in ("in", "on", "inside"):
        *_, noun = here.frame.said.split()  # the upper branch is …, and on the lower branch
        plain = _open(here.frame.said) - {noun.lower()}
        return "another case" if _modified(x.words, noun, plain) else ""
    if x.frame is None or here.frame is None or not x.frame.differs(here.frame):
        return ""
    heads = [_LABELLED.match(f.lstrip("$\\[( ")) for f in c.formulas(x) if "=" in f]
    own = bool(heads) and all(heads)  # v_1 before the collision has its case in its name
    return "" if own or _GENERAL.search(here.words) else x.frame.said


def in_another_theorem(c: Cases, x: Sentence, here: Sentence) -> str:
    one, other = c.label(x.start + 1), c.label(here.end - 1)
    guess = re.match(r"conjecture|hypothesis", one[1], re.IGNORECASE)
    if not one[1] or (one[0] == other[0] and not guess):
        return ""
    if not (guess or _SUPPOSES.search(x.words)):
        return ""
    inside = (y for y in c.sentences if other[0] <= y.start <= here.start)
    return "" if any(_GOES_ON.search(y.words) for y in inside) else one[1]


def given_up(c: Cases, x: Sentence, here: Sentence) -> str:
    if c.section(x) != c.section(here):
        return ""
    since = c.since(x, here)
    behind = [y for y in since if y.start != here.start]
    proof = re.search(r"\b(?:suppos|assum)", x.words, re.IGNORECASE) is not None
    if proof and any(_ABSURD.search(y.words) for y in behind):
        return "a contradiction"
    if (c.supposes(x) or c.bare(x)) and any(_UNDONE.search(y.words) for y in since):
        return "what is given up"
    if behind and _UNDONE.match(behind[0].words):  # y = x². This turns out to be wrong
        return "what is given up"
    told = _IN_A_CASE.search(x.words) or c.bare(x)
    if told and _GIVEN_UP.search(here.words):
        return "another case"
    apart = any(re.search(r"\\neq?(?![a-z])|≠", f) for y in since for f in c.formulas(y))
    return "another case" if c.bare(x) and apart else ""


def led_elsewhere(c: Cases, x: Sentence, here: Sentence) -> str:
    """What ties names is said of the case of its sentence: not marginally, for larger $n$."""
    lead = _LEAD.match(here.words)
    if lead is None or not c.bare(x) or c.section(x) != c.section(here):
        return ""
    own, said = _LEAD.match(x.words), lead["lead"].lower().strip(" …")
    same = own is not None and own["lead"].lower().strip(" …") == said
    if same or _ADVERBS.match(said) or said in _PLACING:
        return ""
    return "another case" if _SUPPOSED.match(said) or " " not in said or frame(said) else ""


def ties_names(c: Cases, x: Sentence, here: Sentence) -> str:
    """A tie of names in a sentence that says more than *let* is of what that sentence is about."""
    if not c.bare(x) or c.section(x) != c.section(here) or not _open(x.words):
        return ""
    if _OF_IT.match(here.words):  # of the square before it: its diagonal
        return ""
    parts = x.words.split("…")
    tied = [k for k, f in enumerate(c.formulas(x)) if _is_bare(f)]
    if all(_NAMES_IT.search("…".join(parts[: k + 1])) for k in tied):
        return ""
    known = {w for y in c.since(x, here) if y.start != here.start for w in _open(y.words)}
    new = _open(here.words.split("…")[0]) - known - _open(x.words)
    return "another case" if new else ""


def _open(said: str) -> set[str]:
    """The words that tell what a sentence is about."""
    return {w.lower() for w in re.findall(r"[A-Za-z][\w'-]*", said)} - _CLOSED


def of_another_kind(c: Cases, x: Sentence, here: Sentence) -> str:
    """A dilute solution has …, and a saturated solution has …"""
    if (found := _HAS.search(here.words)) is None or c.section(x) != c.section(here):
        return ""
    return "another kind" if _modified(x.words, found["noun"], _open(found["kind"])) else ""


def _modified(said: str, noun: str, own: set[str]) -> bool:
    """The words call a noun by other adjectives than these."""
    other = re.search(rf"\b((?:[\w-]+ ){{1,3}}){re.escape(noun)}\b", said, re.IGNORECASE)
    told = _open(other[1]) if other else set()
    return bool(own and told) and not own & told


def of_another_index(c: Cases, x: Sentence, here: Sentence) -> str:
    """Under $H_1$, and under $H_0$; for $r < R$, and for $r > R$."""
    texts = [c.text[y.start : y.end] for y in (x, here)]
    for one, other in (map(_indexed, texts), map(_ordered, texts)):
        if any(one[n] != other[n] for n in one.keys() & other.keys()):
            return "another case"
    return ""


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


def instead(c: Cases, x: Sentence, here: Sentence) -> str:
    if c.section(x) != c.section(here) or not c.supposes(x):
        return ""
    own = _lefts(c, x)
    changed = any(own & _lefts(c, y) for y in c.since(x, here) if _INSTEAD.search(y.words))
    return "another case" if changed else ""


def _lefts(c: Cases, x: Sentence) -> set[str]:
    return {n for f in c.formulas(x) if "=" in f for n in NAMES.findall(f.split("=")[0])}


def denied(c: Cases, x: Sentence, here: Sentence) -> str:
    """What the sentence of a claim, or its paragraph before it, denies."""
    near = [y for y in c.since(x, here) if y.start == here.start or c.paragraph(y, here)]
    for denies, kind in _DENIES:
        if kind.search(denies.sub(" ", x.words)) and any(denies.search(y.words) for y in near):
            return "another case"
    apart = c.bare(x) and any(_UNEQUAL.search(y.words) for y in near)
    return "another case" if apart else ""


def introduced_again(c: Cases, x: Sentence, here: Sentence) -> str:
    for name in (n for y in c.since(x, here) for n in _introduced(c, y)):
        told = [f for f in c.formulas(x) if name in NAMES.findall(f)]
        firsts = (NAMES.findall(RELATED.split(f)[0]) for f in told if RELATED.search(f))
        if told and (any(f[:1] == [name] for f in firsts) or _KIND.search(x.words)):
            return f"another {name}"
    return ""


def _introduced(c: Cases, y: Sentence) -> set[str]:
    """The names that a sentence introduces as any of a kind."""
    shown = c.formulas(y)
    found: set[str] = set()
    for m in _INTRODUCES.finditer(y.words):
        k = y.words[: m.start("mark" if m["mark"] else "other")].count("…")
        if k < len(shown) and not RELATED.search(shown[k]):
            found |= {*NAMES.findall(shown[k].split("\\in")[0])}
    return found


def asserts_nothing(c: Cases, x: Sentence, here: Sentence) -> str:
    if _ASSERTS_NOTHING.search(x.words) or _OF_TWO.search(x.words):
        return "what may not be so"
    slope = any(map(_SLOPE.search, c.formulas(here)))  # of which a constant changes nothing
    loose = _UP_TO.search(x.words) and not (slope or _CONSTANT.search(here.words))
    return "what is so up to a constant" if loose else ""


def in_another_world(here: Sentence) -> bool:
    """A sentence supposes in words that something were otherwise: if we counted from one."""
    return _WORLD.search(here.words) is not None


Rule = Callable[[Cases, Sentence, Sentence], str]
RULES: tuple[Rule, ...] = (
    in_another_case,
    in_another_theorem,
    given_up,
    led_elsewhere,
    ties_names,
    of_another_index,
    of_another_kind,
    instead,
    denied,
    introduced_again,
    asserts_nothing,
)


__all__ = ["RULES", "Cases", "Rule", "in_another_world"]
