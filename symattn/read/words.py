r"""What the words of a text call its names: an $n \times d$ matrix $Q$, vectors of length $n$.

Only phrases are found here; `said` reads the formulas in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .denied import denied
from .source import Display, Source
from .vocabulary import IF

DROPS = re.compile(  # from here on the names of the formulas behind it, or all, are free
    r"\b(?:(?:drop|lift|relax|remove|abandon|discard)\w*\b[^$.;]{0,20}\b(?:assumption|condition|"
    r"restriction|constraint|requirement|hypothes[ie]s)|"
    r"no longer (?:assum|suppos|requir|impos|need)\w*)",
    re.I,
)
_CONCLUDES = re.compile(
    r"\b(?:therefore|thus|hence|then|so|follows?|impl(?:y|ies)|conclud\w+|gets?|finds?|obtains?|"
    r"consequently|shows?|proves?|deduce|see|means)\b",
    re.IGNORECASE,
)
MAX_SENTENCE = 5_000  # characters of words that are looked at
AXES = {
    "random variable": 0,
    "scalar": 0,
    "number": 0,
    "constant": 0,
    "vector": 1,
    "matrix": 2,
    "matrice": 2,
}

LINK = re.compile(r"\[([^\[\]]*)\](\([^()\s]*\))")  # of Markdown: its words, and its place
_MATH = re.compile(r"(?<![\\$])\$(?!\$)([^$]{1,90})(?<!\\)\$(?!\$)|\\\((.{1,90}?)\\\)")
ONE = r"\N{LEFT WHITE SQUARE BRACKET}\d+\N{RIGHT WHITE SQUARE BRACKET}"
LIST = rf"(?P<names>{ONE}(?:(?:,| and|, and) {ONE}){{0,9}})"
_KIND = (  # queries Q and keys K; not: vectors v and scalars s
    r"(?:the )?(?!does |is |has |as |this |plus |minus |times |vectors |scalars |numbers "
    r"|constants |variables |matrices )[a-z]+s "
)
_KINDS = rf"(?P<names>{ONE}(?:(?:,| and|, and) (?:{_KIND})?{ONE}){{0,9}})"
_NOUN = (
    r"(?P<noun>(?:column )?(?:vector|scalar|number|random variable|constant(?! [a-z]+r\b| matr)|"
    r"matrix|matrice|distribution))"
    r"s?(?![\w-]| (?:valued|field|space|bundle|product|norm|multipl|calculus|notation|algebra))"
)
_SIZE = rf"(?:(?P<size>{ONE})(?:-| )?(?:dimensional )?)?"
_SOME = r"(?:(?!is |are |and |of |the number )[A-Za-z-]+,? ){0,4}?"
_WORDS = rf"(?P<words>{_SOME}{_SIZE}{_SOME})"
_LENGTH = rf"(?: (?:length|dimension|size|order) (?P<length>{ONE}))"
_TAIL = rf"(?P<tail>(?: in| with| of| and)?(?: positive \w+|{_LENGTH})?)"
_LONG = rf"(?:(?: \w+)? in (?P<space>{ONE})|{_TAIL})"
_VERB = r"(?P<verb> be| is| are| denotes?| as|,|(?= an? ))"
_PHRASES = (
    rf"{_KINDS}{_VERB} {_WORDS}{_NOUN}(?! {ONE}){_LONG}",
    rf"{_WORDS}{_NOUN} {LIST}{_LONG}",
    rf"(?P<words>){_NOUN} {LIST}(?: is| are|,)?(?: of size)? "
    rf"(?P<size>{ONE})(?P<tail>)(?P<length>)",
)
_QUALITY = (
    r"(?<![\w-])(?<![Ss]kew )(?<![Aa]nti )"
    r"(?:[Ss]ymmetric|(?:[Cc]o)?[Vv]ariance|Gram|[Pp]ositive (?:semi-?)?definite)\b"
    r"(?! (?:with respect|under|about|around|up to)\b)"
)
_TURNED = r"(?:[Aa]nti-?|[Ss]kew(?:-| )?)symmetric\b"
_OTHER = (  # the inverse of, similar to, nearly: another thing is symmetric then, or none
    r"(?:not|be|is|are|of|to|from|with|by|for|in|as|than|like|nearly|almost|approximately|roughly|"
    r"hardly|rarely|seldom|never|far|sometimes|often|usually|generically|possibly|perhaps|maybe)"
)
_BETWEEN = (
    rf"(?:(?:(?!{_OTHER},? )[\w-]+,?|(?<=[a-z] )(?<!and ){ONE}(?! (?:be|is|are)\b)) ){{0,4}}?"
)
PLAINLY = (  # the adjectives and nouns before a name, and no clause of another one
    r"(?!(?:if|when|of|between|is|are|an?|any|some|the|every|each|all|no|another|let|put|set|define|"
    r"consider|take|write|where|with|while|whereas|but|for|we|so|then|there|that|which|have|has|"
    r"not) )"
    r"[\w-]+"
)
_AHEAD = (  # $D$ symmetric and square $A$, $D$ is symmetric and $A$: of D alone
    "(?<!\N{RIGHT WHITE SQUARE BRACKET} )" + "".join(rf"(?<!\b{v} )" for v in ("be", "is", "are"))
)
_QUALITIES = tuple(
    map(
        re.compile,
        (
            rf"{LIST}(?P<verb> be| is| are) {_BETWEEN}{_QUALITY}",
            rf"{LIST}(?P<verb>),? (?:an?|the) (?:(?!not )[\w-]+ ){{0,2}}[Ss]ymmetric"  # G, the …
            rf"(?: [\w-]+| {ONE}){{0,3}} matri(?:x|ces)(?! {ONE})",
            rf"{LIST}(?P<verb>) (?:symmetric|positive (?:semi-?)?definite)"  # with A symmetric
            r"(?: (?:and )?positive (?:semi-?)?definite)?"
            r"(?=[.,;:)]|$| (?:and|let|put|set|define|consider|we|one|then) )",
            rf"{LIST}(?P<verb>) \((?:(?:which|that) is )?(?:an? )?{_QUALITY}",  # K (symmetric)
            rf"{_AHEAD}{_QUALITY}(?:,? (?:{PLAINLY}|{ONE}(?= matri))){{0,5}}"
            rf"(?<! and)(?<! with)(?<! where)(?<! for) {LIST}(?! an? )",  # Σ, and A a matrix
        ),
    )
)
_CENTRED = r"(?:[Zz]ero[- ]mean|mean[- ]zero|mean (?:of )?zero|cent(?:re|ere)d)"
_SUM = r"(?:sum|sums|summing|add|adds|adding)(?: up)? to (?:one|1|unity)\b(?! another)"
_AXIS = r"(?P<axis>rows?|columns?)"
_BE = r"(?: (?:be|is|are|denotes?))"
_NEARLY = "not |no |never |nearly |almost |approximately |roughly |whose |rows |columns "
_SAID = rf"{_BE}?(?: (?!{_NEARLY})[a-z-]+){{0,4}}?"
_OF_BITS = (  # and not the binary cross-entropy L, a binary tree T
    r"(?:random )?(?:mask|matrix|matrice|vector|variable|indicator|tensor|label|feature|code)s?"
)
_NEAR = "nearly|almost|approximately|roughly|mutually|pairwise|block|band|non|semi"
_APART = "".join(rf"(?<!\b{word}[ -])" for word in _NEAR.split("|"))
_NOUN_OF = r"(?:matri(?:x|ces)|tensors?|operators?|factors?)"
_OF_IT = rf"(?: (?!and\b){PLAINLY}| {ONE}){{0,2}}?"  # a real $n \\times n$ matrix, field tensor


def adjective(kind: str) -> tuple[str, ...]:
    r"""What makes a matrix of a kind: the diagonal matrix $D$, $D$ is diagonal, $D$ (diagonal)."""
    whole = "(?<!of )(?<!of the )(?<!of the matrix )"  # and not the columns of A
    one, noun = f"(?P<names>{ONE})", rf"{_OF_IT} {_NOUN_OF}\b"
    kind = rf"{_APART}{kind}"
    first = rf"\b{kind}"
    behind = (
        rf"(?:(?:,| is| be| are| denotes?)?(?: an?| some| the){_OF_IT} {kind}{noun}"
        rf"|(?: is| be| are)?(?: real| square)* {kind}(?:{noun}|(?= and |[.,;:)]|$)))"
    )
    return (
        rf"{first}(?:{noun}(?: of [a-z]+)?)? {one}(?! (?:of|in)\b)",
        rf"{first}{_OF_IT} (?:matrices|tensors|operators|factors)(?: of [a-z]+)? {LIST}",
        rf"{first} {LIST}(?=[.,;:)]|$| and (?!{ONE}))",  # and $V$; not: and $D$ diagonal
        rf"{whole}{one}{behind}",
        rf"\b(?:with|where|for) {LIST} {kind}(?=[.,;:)]|$| and )",
        rf"{whole}{LIST}(?= be| are| denote){behind}",
        rf"{one} \((?:(?:which|that) is )?(?:an? )?{kind}\b",
    )


_OPPOSITES = tuple(map(re.compile, adjective(_TURNED)))
_ORTHOGONAL = r"[Oo]rthogonal(?! (?:to|and perpendicular)\b)"
_TRAITS = tuple(  # of the last name before a singular verb, as the others
    (re.compile(pattern), trait)
    for pattern, trait in (
        (rf"(?<!of )(?<!of the matrix ){LIST}{_SAID},?(?: that| which| to| must)?"
         rf"(?: all| each)? {_SUM}", "weights"),
        (rf"{LIST}{_SAID},? (?:whose|with) (?:{_AXIS}|entries|components|elements|weights)"
         rf"(?: that| each| all)? {_SUM}", "weights"),
        (rf"{_AXIS} of (?:the )?(?:matrix )?{LIST}(?: all| each)? {_SUM}", "weights"),
        (rf"(?:(?P<doubly>doubly)|{_AXIS})[- ]stochastic(?: matri(?:x|ces))? {LIST}", "rows"),
        (rf"{LIST}{_BE}(?: a| an)? (?:(?P<doubly>doubly)|{_AXIS})[- ]stochastic", "rows"),
        *((pattern, "orthogonal") for pattern in adjective(_ORTHOGONAL)),
        (rf"columns of (?:the )?(?:matrix )?{LIST}{_BE}(?: all| mutually)? orthonormal\b",
         "orthonormal"),
        (rf"{LIST}{_SAID} (?:with|has|have|having) orthonormal columns", "orthonormal"),
        (rf"orthonormal columns of (?:the )?(?:matrix )?{LIST}", "orthonormal"),
        (rf"unit vectors? {LIST}", "unit"),
        (rf"\b[Bb]inary {_OF_BITS} {LIST}", "binary"),
        (rf"{LIST}{_SAID},?(?: an?)? binary {_OF_BITS}\b", "binary"),
        (rf"{_AHEAD}\b[Oo]ne-hot(?: (?:{PLAINLY})){{0,3}}(?<! and) {LIST}", "one-hot"),
        (rf"{LIST}{_SAID},?(?: an?)? one-hot\b", "one-hot"),
        (rf"{LIST}{_BE}(?: an?)? unit vectors?\b", "unit"),
        (rf"{LIST}{_BE}(?: (?!not )[\w-]+){{0,5}} random\b", "random"),
        (rf"\brandom (?:variable|vector|number)s? {LIST}", "random"),
        (rf"{_AHEAD}{_CENTRED}(?: (?:{PLAINLY})){{0,3}}(?<! and) {LIST}(?! an? )", "centred"),
        (rf"{LIST}(?:{_BE}|,| with)(?: (?!not )[\w-]+){{0,3}} {_CENTRED}", "centred"),
    )
)  # fmt: skip
_VALUED = re.compile(
    rf"{LIST}(?P<verb>)(?:,| [a-z]+)? (?:with|whose|has|have|having) (?:all )?"
    rf"(?:entries|elements|components|values)(?: are| is)?(?: all)?(?: in| from)? (?P<set>{ONE})"
)
_VALUES = {r"\{0,1\}": "binary", r"\{-1,1\}": "sign", r"\{-1,+1\}": "sign", r"\{1,-1\}": "sign"}
_SWITCH = re.compile(  # M_ij = 1 if …, and 0 otherwise
    rf"(?P<first>{ONE}) (?:{IF}|where|for) [^.;]{{1,120}}?(?:,|,? and|,? or) "
    rf"(?P<other>{ONE}|0|1|zero|one),?(?: otherwise| else| elsewhere| if| when)"
)
_EQUAL = re.compile(r"\s*(?P<name>[^=]*?)\s*(?:=\s*)?(?P<value>[01])\s*")
_POSITIVE = re.compile(r"(?<![\w-])[Pp]ositive\b")
_UNSAID = re.compile(
    r"\b(?:not|non|no|cross(?![- ]?entropy)|anti|skew|neither|whether|unless|"
    rf"{IF})\b[^.;:]*$|\b(?:except|but|besides|save|than|from|unlike)(?: for)? $",
    re.I,
)
_WHEN = re.compile(rf"[\s,$]*\b(?:only\s+)?(?:{IF}|unless)\b", re.IGNORECASE)
_IF_THE = re.compile(
    r"\b(?:[Ii]f|[Ww]hen(?:ever)?) (?:the|an?|some) $"
)  # If the symmetric S solves
_PATTERNS = tuple(map(re.compile, _PHRASES))
_STOP = re.compile(r"(?<=[.;:])\s+(?=[A-Z\N{LEFT WHITE SQUARE BRACKET}])|\n\s*\n|\n\s*[*\d-]")
_TIMES = re.compile(r"\\times|\\by\b")


@dataclass(frozen=True)
class Phrase:
    """Names in a formula, how many axes words give them, and the sizes where they are said."""

    names: Display
    axes: int | None  # None for a distribution, of which only the traits are said
    size: Display | None  # n, n × d or the space ℝ^{n×d}
    traits: frozenset[str]  # symmetric, positive, or of `traits`


def phrases(source: Source) -> Iterator[Phrase]:
    """Every phrase of the text that says what a name is."""
    text = source.text
    for words, spans in sentences(source):
        qualities = [(pattern, "symmetric") for pattern in _QUALITIES]
        for pattern, trait in (*qualities, *((p, "antisymmetric") for p in _OPPOSITES)):
            for found in pattern.finditer(words):
                before = words[: found.start()]
                if found.groupdict().get("verb") is None:
                    before = _IF_THE.sub("", before)
                if not unsaid(before, words[found.end() :]):
                    yield from _named(text, found, spans, None, None, frozenset([trait]))
        for pattern, trait in _TRAITS:
            for found in pattern.finditer(words):
                if not unsaid(words[: found.start()], words[found.end() :]):
                    said = frozenset(_along(found, trait))
                    yield from _named(text, found, spans, None, None, said)
        for found in _VALUED.finditer(words):
            values = spans[int(found["set"][1:-1])]
            kind = _VALUES.get(re.sub(r"\s|\\[,;]", "", text[values.start : values.end]))
            if kind and not unsaid(words[: found.start()], words[found.end() :]):
                yield from _named(text, found, spans, None, None, frozenset([kind]))
        yield from _switches(text, words, spans)
        for pattern in _PATTERNS:
            for found in pattern.finditer(words):
                yield from _phrase(text, found, words, spans)


def _switches(text: str, words: str, spans: list[Display]) -> Iterator[Phrase]:
    """What is 1 under a condition and 0 otherwise, or the other way round."""
    for found in _SWITCH.finditer(words):
        span = spans[int(found["first"][1:-1])]
        one = _EQUAL.fullmatch(text, span.start, span.end)
        said = {"zero": "0", "one": "1"}.get(found["other"], found["other"])
        if said not in ("0", "1"):
            place = spans[int(said[1:-1])]
            other = _EQUAL.fullmatch(text, place.start, place.end)
            same = other is not None and one is not None and other["name"] in ("", one["name"])
            said = other["value"] if other is not None and same else ""
        if one is not None and one["name"] and {one["value"], said} == {"0", "1"}:
            name = Display(one.start("name"), one.end("name"))
            yield Phrase(name, None, None, frozenset(["binary"]))


def _along(found: re.Match[str], trait: str) -> list[str]:
    """The trait, along the axis that the words name."""
    groups = found.groupdict()
    if groups.get("doubly"):
        return ["rows", "columns"]
    axis = groups.get("axis")
    return [axis.rstrip("s") + "s" if axis else trait]


def unsaid(before: str, behind: str) -> bool:
    """The words of its sentence before or behind a phrase do not say that it holds."""
    return bool(_UNSAID.search(before[-40:])) or denied(before, behind)


def concluded(before: str) -> bool:
    """The words of its sentence before a formula say that it follows: hence $A = A^\\top$.

    So it may be wrong, and is nothing that the text gives.
    """
    return _CONCLUDES.search(re.split(r"[.;]\s|\n\s*\n", before)[-1]) is not None


def supposed(before: str, behind: str) -> bool:
    """The words of its sentence before or right behind a formula say when it holds."""
    sentence = re.split(r"[.;]\s|\n\s*\n", before)[-1]
    return bool(_WHEN.search(sentence) or _WHEN.match(behind))


def sentences(source: Source) -> list[tuple[str, list[Display]]]:
    """The sentences with formulas, each with numbers in place of them, and where they stand."""
    if "sentences" not in source.memory:
        source.memory["sentences"] = list(_sentences(source))
    found: list[tuple[str, list[Display]]] = source.memory["sentences"]
    return found


def _sentences(source: Source) -> Iterator[tuple[str, list[Display]]]:
    hidden = sorted((d.start, d.end) for d in source.displays)
    place = 0
    for stop in [*_STOP.finditer(source.text), None]:
        end = stop.start() if stop else len(source.text)
        part = source.text[place:end]
        if len(part) <= MAX_SENTENCE and ("$" in part or "\\(" in part):
            yield _sentence(part, place, end, hidden)
        place = end


def _sentence(
    part: str, start: int, end: int, hidden: Iterable[tuple[int, int]]
) -> tuple[str, list[Display]]:
    spans: list[Display] = []

    def taken(found: re.Match[str]) -> str:
        group = 1 if found[1] is not None else 2
        spans.append(Display(start + found.start(group), start + found.end(group)))
        return token(len(spans) - 1)

    words = shared_out(" ".join(_MATH.sub(taken, part).split()))
    if any(a < end and start < b for a, b in hidden):
        spans = [
            s if not any(a <= s.start < b for a, b in hidden) else Display(0, 0) for s in spans
        ]
    return words, spans


_RESPECTIVELY = re.compile(
    rf"(?P<names>{ONE}(?:, {ONE})*,? and {ONE}) (?P<verb>be|are|have|denote) "
    r"(?P<kinds>[a-z -]+(?:, [a-z -]+)*?,? and [a-z -]+?),? respectively\b"
)


def shared_out(words: str) -> str:
    """A is square and B is small, of: A and B are square and small, respectively."""

    def each(m: re.Match[str]) -> str:
        names = re.findall(ONE, m["names"])
        kinds = re.split(r", and |, | and ", m["kinds"])
        if len(names) != len(kinds):
            return m[0]
        verb = {"are": "is", "have": "has", "denote": "denotes"}.get(m["verb"], m["verb"])
        noun = re.search(r" (?:matri(?:x|ces)|vectors?|numbers?)$", kinds[-1])
        told = [k if noun is None or k.endswith(noun[0]) else k + noun[0] for k in kinds]
        return " and ".join(f"{n} {verb} {k}" for n, k in zip(names, told, strict=True))

    return _RESPECTIVELY.sub(each, words)


def token(k: int) -> str:
    """What stands in a sentence for its formula number k."""
    return f"\N{LEFT WHITE SQUARE BRACKET}{k}\N{RIGHT WHITE SQUARE BRACKET}"


def _phrase(text: str, found: re.Match[str], words: str, spans: list[Display]) -> Iterator[Phrase]:
    first = found.start("names")
    if found.re is _PATTERNS[0] and re.search(r"\b(?:of|in|by|from|on) $", words[:first]):
        return  # the rows of A are vectors
    noun = found["noun"].removeprefix("column ")
    shown = found["size"] or found["length"]
    size = spans[int(shown[1:-1])] if shown else None
    square = size is not None and bool(_TIMES.search(text, size.start, size.end))
    if found.re is _PATTERNS[2] and not square:
        return
    space = found.groupdict().get("space")
    if space:
        size = spans[int(space[1:-1])]
    elif size is not None and square != noun.startswith("matri"):
        size = None
    before = re.split(r"[,;]|\band\b|\N{RIGHT WHITE SQUARE BRACKET}", words[: found.start()])[-1]
    around = before + found[0]
    traits = set()
    if noun == "distribution" or (noun == "vector" and "probability" in found["words"]):
        traits.add("normalised")
    fixed = re.search(r"\b(?:constant|fixed|deterministic) ", found["words"] or "")
    if noun == "constant" or fixed:
        traits.add("constant")
    if "positive" in (found["tail"] or "") or (
        noun in ("scalar", "number", "constant") and _POSITIVE.search(around)
    ):
        traits.add("positive")
    yield from _named(text, found, spans, AXES.get(noun), size, frozenset(traits))


def _named(
    text: str,
    found: re.Match[str],
    spans: list[Display],
    axes: int | None,
    size: Display | None,
    traits: frozenset[str],
) -> Iterator[Phrase]:
    """The names of a phrase; of those before a singular verb the last one."""
    listed = re.findall(r"\d+", found["names"])
    shaped = {k: text.find("\\in", spans[int(k)].start, spans[int(k)].end) for k in listed}
    before = found.groupdict().get("verb") is None
    if before:  # a symmetric C, and B = C D
        listed = listed[:1] + [k for k in listed[1:] if not _is_equation(text, spans[int(k)])]
    elif shaped[listed[-1]] < 0:  # B ∈ ℝ^{n×m}, and let Q and R be symmetric
        listed = [k for k in listed if shaped[k] < 0]
    for k in listed[-1:] if found.groupdict().get("verb") in (" is", "") else listed:
        span, member = spans[int(k)], shaped[k]
        oblong = member >= 0 and _OBLONG.search(text, member, span.end)
        own = traits - {"symmetric", "definite"} if oblong else traits  # of A ∈ ℝ^{m×m} and V
        if member < 0:
            yield Phrase(span, axes, size, own)
        elif axes is None:  # Σ ∈ ℝ^{n×n} is positive definite
            yield Phrase(Display(span.start, member), axes, size, own)


_OBLONG = re.compile(r"\^\s*\{?\s*(\w+)\s*\\times\s*(?!\1\b)\w")


def _is_equation(text: str, span: Display) -> bool:
    return "=" in text[span.start : span.end]


__all__ = [
    "DROPS",
    "LINK",
    "LIST",
    "ONE",
    "PLAINLY",
    "Phrase",
    "adjective",
    "concluded",
    "phrases",
    "sentences",
    "supposed",
    "unsaid",
]
