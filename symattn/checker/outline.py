"""The sections of a text, and the words that stand before a formula."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from ..read.scan import dollars, uncommented
from . import qualities, wording
from .loosely import loosely
from .qualities import DISPLAY, FORMULA, INLINE, Relation

_HEADING = re.compile(
    r"^(?:(?P<marks>\#{1,6})[ \t]+\S"  # Markdown
    r"|\\(?P<tex>part|chapter|section|subsection|subsubsection|paragraph)\*?\{"  # TeX
    r"|(?P<number>\d+(?:\.\d+)*)\.?[ \t]+[A-Z][^\n$.|]{2,80}$"  # 3.1 Words, as in converted PDFs
    r"|[^\n]{2,80}\n(?P<under>={3,}|-{3,}|~{3,}|\^{3,})[ \t]*$"  # underlined
    r"|(?P<word>Appendix|Chapter|Part)\b[^\n$.|]{0,80}$)",
    re.MULTILINE,
)
_BOLD = re.compile(  # alone on a line, or as the name of what a paragraph is of
    r"^[ \t]*(?:\*\*|__)(?:[^*\n]{2,80}(?:\*\*|__)[ \t]*[.:]?[ \t]*$|"
    r"(?!(?:step|proof|note|remark|claim|lemma|theorem|result|solution|conclusion)\b)"
    r"[^*\n]{2,80}(?:[.:](?:\*\*|__)|(?:\*\*|__)[.:])[ \t])",
    re.MULTILINE | re.IGNORECASE,
)
_TEX = {
    "part": 0,
    "chapter": 0,
    "section": 1,
    "subsection": 2,
    "subsubsection": 3,
    "paragraph": 4,
}
_UNDER = {"=": 1, "-": 2, "~": 3, "^": 4}
_CONDITION = re.compile(
    r"\b(?:if(?!\s+(?:you|we|one)\s+(?:perform|carry|work|do|multiply|expand|differentiate|compute|"
    r"simplify|collect|rearrange|look|rewrite|denote|apply the (?:chain|product|quotient) rule|"
    r"consider (?:a single|one|each|an))\b)|"
    r"when|whenever|assum\w+|suppos\w+|provided|unless|subject to|"
    r"(?<!without the )(?<!without a )(?<!without any )constrain\w+|requir\w+|"
    r"in (?:the case|case|the limit)|special case|for (?:small|large)|approximat\w+|impos\w+|"
    r"setting|"
    r"(?:(?:to|at|in|through) (?:the )?(?:first|second|third|lowest|leading|linear|quadratic|next|"
    r"any finite)[- ](?:(?:to[- ]leading|nontrivial)[- ])?order|"
    r"of (?:the )?(?:first|second|third|lowest|leading) order in)|lineari[sz]\w+|perturbativ\w+|"
    r"neglect\w*|omit\w*|asymptotic\w*|roughly|"
    r"such that|satisfy(?:ing)?|that satisfies|satisfied|holds? only|only for|"
    r"must(?! (?:use|compute|apply|write|keep|take|be (?:used|computed|careful))\b)|ansatz|"
    r"(?:with|for|under|among) (?:two|three|four|several|many|no|multiple|"
    r"more(?! (?:details?|information|background|on|about)\b)|fewer|equal|"
    r"unequal|identical)|"
    r"where (?:it|this|that|they|both|the \w+) (?:is|are) (?:not |strictly )?(?:positive|"
    r"negative|zero|non-?\w+|active|finite|defined|differentiable|smooth|satisfied|violated|invertible)|"
    r"solv\w+(?! for\b)|instead of|wrong|incorrect\w*|mistake\w*|the error is|not true|false)\b",
    re.IGNORECASE,
)
COUNTED = re.compile(  # for two components: how many there are
    r"\b(?:with|for|under|among) (?:two|three|four|several|many|multiple|more|fewer)\b",
    re.IGNORECASE,
)
ASKED = re.compile(  # of what is defined it is a claim
    r"\b(?:such that|satisfy(?:ing)?|that satisfies|satisfied|must)\b", re.IGNORECASE
)
_TO_ZERO = re.compile(  # behind the formula that begins here
    r"(?:(?!\$|\\[\])]|\\end\{(?:equation|align|gather)).)*"
    r"(?:\$\$?|\\[\])]|\\end\{\w+\*?\})\s*(?:equal\s+)?to\s+(?:zero|\$?0)\b",
    re.DOTALL,
)
_ELSEWHERE = re.compile(  # in series R = …, in parallel 1/R = …: another thing, and no other form
    r"(?<!\b[Oo]r)(?:^|[,;:.…(]\s*|\b(?:and|but|or)\s+)(?:[Ii]n|[Uu]nder|[Oo]therwise|[Ee]lse)\s+"
    r"(?!(?:the\s+|a\s+|its\s+)?(?:[a-z]+\s+)?(?:form|notation|terms?|"
    r"words?|general|particular|components?|coordinates?|short|full|fact|turn|detail|practice|"
    r"addition|brackets?|index|indices|matri\w+|vectors?|equation|eq|section|order|case|"
    r"expectation|sum|total|which|this|that|our|exponents?|place|\w*space)\b)"
    r"[a-z-]+(?:\s+[a-z-]+)?[\s,]*$|\b(?:[Oo]therwise|[Ww]hereas|[Ww]hile)[\s,]*$"
    r"|\b[Aa]t\s+(?!(?:last|once|first|all|least|most|the same)\b|(?:(?:the|an?|each|every)\s+)?"
    r"(?:output|input|hidden|layer|unit|neuron|node|step|time|rate|speed)s?\b)[a-z-]+(?:\s+[a-z-]+){0,4}"
    r"(?:,\s*[a-z-]+(?:\s+[a-z-]+){0,3})?[\s,]*$"
)
_PLACED_FIRST = re.compile(  # at the equator N = a and M = …, with … for the first formula
    r"\s*(?:[Aa]t|[Oo]n)\s+(?!(?:last|once|first|all|least|most|the (?:other|same)|average)\b)"
    r"(?:[a-z-]+\s+){1,4}?,?\s*(?:we\s+have\s+|it\s+is\s+)?…[\s,]*"
    r"(?:(?:and|so|hence|thus|while|with)\b)?[\s,:]*"
)
_TAKEN = re.compile(  # take $b = 3$. Then
    r"\b(?:take|let|set|put|with|for|choose|suppose|consider|if|say)\b[^.$]{0,40}(?:\$[^$\n]+\$[^.$\n]{0,30})+"
    r"\.\s+(?:(?:then|hence|so|thus|therefore|now|here|we (?:get|have|find|obtain))\b[\s,:]*)*$",
    re.IGNORECASE,
)
_SO_THAT = frozenset(
    [
        *("so", "so that", "hence", "thus", "therefore", "that is", "i.e.", "or", "and so"),
        *("is", "which is", "reads", "equals", "which equals", "which gives", "namely", "in full"),
    ]
)
_INFERRED = re.compile(r"[\s,]*(?:(?:and|so|so that|hence|thus|therefore|then)\b)?[\s,]*")
_BEHIND = re.compile(
    r"(?:[\s,.;)]|\$\$|\\[\])]|\\end\{\w+\*?\}|\\q?quad|\\text\{|"
    r"(?:which|this|and)? ?holds? ?(?:only)?)*"
    r"(?P<words>(?:if|when|whenever|provided|assuming|for|where|with|unless|as long as|as soon as|"
    r"up to|given|(?:to|at) (?:first|second|third|lowest|leading|linear|quadratic)[- ]order|"
    r"approximately|asymptotically|neglecting|ignoring|in the limit)\b[^.\n]{0,60})",
    re.IGNORECASE,
)
_CASE = re.compile(  # for $\beta = 1$, with $V = K$; at $N = K/2$
    r"\b[Aa]t\s+(?:\w+\s+)?\$(?![^$]*=[^$]*=)[^$=]+=[^$]+\$|"
    r"\b(?:[Ff]or|[Ww]ith|[Aa]t|[Ss]etting)\s+(?:\w+\s+)?(?:\$|\\\()(?![^$]*\\[lc]?dots)"
    r"\s*(?P<case>\\?[A-Za-z]+(?:_\w|_\{\w+\})?\s*=\s*(?:-?[\d.]+(?:/\d+)?|"
    r"-?\\[td]?frac\s*(?:\d|\{\d+\})\s*(?:\d|\{\d+\})|\\?[A-Za-z]+(?:_\w|_\{\w+\})?))"
    r"\s*(?:,[^$]*)?(?:\$|\\\))"
)
_FOR_SUCH = re.compile(  # for $A B = B A$, which names nothing
    r"\b[Ff]or\s+(?:\w+\s+)?"
    r"\$(?!\s*\\?[A-Za-z]+(?:_\w|_\{\w+\})?(?:\([^()$]*\))?\s*=)[^$=]+=[^$]*\$"
)
_PREMISE = re.compile(  # if $i = j$, the formula as it stands or as …
    r"\b(?:if|when|for|where|case|suppos\w+|assum\w+|consider\w*)\b[^…$\\]{0,30}"
    r"(?:…|\$[^$]*\$|\\\(.*?\\\))",
    re.IGNORECASE,
)
_PARAGRAPH = re.compile(
    r"\n\s*\n|" + rf"{DISPLAY}.*?\\end\{{(?P=env)\}}|\\\[.*?\\\]|\$\$.*?\$\$", re.DOTALL
)
_EQUIVALENT = re.compile(r"\\(?:Leftrightarrow|Longleftrightarrow|iff)(?:\s|&|\\q?quad|\\[,;])*$")
_RANGE = re.compile(  # a, b > 0 and p \in [0, 1]
    r"(?P<names>[A-Za-z\\,\s_{}\d]+?)\s*(?P<range>(?:[<>≤≥]|\\(?:leq?|geq?|neq?|leqslant|geqslant|in)"
    r"(?![a-zA-Z])).*)",
    re.DOTALL,
)
_ABOVE = re.compile(  # zero is left out: nothing turns round there
    r"(?:[>≥]|\\geq?(?:slant)?)\s*0\s*|\\in\s*\\(?:mathbb|R)\s*\{?R?\}?_\{?(?:\+|>\s*0)\}?\s*"
)
_TWO_SIZES = re.compile(  # A, B \in \mathbb{R}^{n \times d}
    r"(?P<names>[A-Za-z\\,\s_{}\d]+?)\s*\\in\s*\\[A-Za-z]+\s*(?:\{?[A-Z]\}?)?\s*\^\s*"
    r"\{(?P<rows>[^{}$]+?)\\times(?P<columns>[^{}$]+?)\}"
)
_ONE_SIZE = re.compile(  # x, y \in \mathbb{R}^n
    r"(?P<names>[A-Za-z\\,\s{}]+?)\s*\\in\s*\\[A-Za-z]+\s*(?:\{?[A-Z]\}?)?\s*\^\s*"
    r"(?:\{\s*\w+\s*\}|\w)"
)
_VALUED = re.compile(r"=-?(?:[\d.]+|\\?[A-Za-z]+(?:_\w|_\{\w+\})?)$")  # V=K, h=0
_MARKED = re.compile(
    r"\\(?:(?:wide)?(?:hat|tilde)|bar|d*dot|overline)\s*\{?\s*\\?[A-Za-z]+\s*\}?|"
    r"\\?[A-Za-z]+\s*\}?\s*\^\s*\{?\s*(?:\*|\\star|\\ast)"
)
_BELOW = re.compile(r"(?:\\[A-Za-z]+|[A-Za-z])\s*_\s*(?:\w|\{[^{}]*\})")
_LETTER = re.compile(r"(?<=\\)[A-Za-z]+|[A-Za-z]")
_COUNTS = {"two": 2, "three": 3, "four": 4}
_DIMENSIONS = re.compile(  # three dimensions, R^3, i = 1, 2, 3
    r"\b(?P<word>two|three|four|[2-4])(?:-|\s|~)*(?:dimension|D\b|space)|"
    r"\\mathbb\s*\{?R\}?\s*\^\s*\{?(?P<power>[2-4])\b|=\s*1,\s*(?:2,\s*)?(?P<last>[23])\b",
    re.IGNORECASE,
)
_FONT = re.compile(r"\\(?:math\w+|boldsymbol|bm|bs|text\w*|quad|qquad)|[\\\s{}]")
_OPENED = re.compile(DISPLAY + r"(?:(?!\\end\{(?P=env)\}).)*$", re.DOTALL)
_DENIED_BEFORE = re.compile(
    r"\b(?:(?:common|typical|frequent) (?:mistake|error|misconception)|(?:might|may|could|would) "
    r"(?:think|expect|believe|guess|be tempted)|tempting|mistakenly|erroneously|wrongly|"
    r"incorrectly|(?:is|are|be) (?:false|wrong|not true|incorrect) that|not the case that|"
    r"does not follow)\b",
    re.IGNORECASE,
)
_DENIED_BEHIND = re.compile(
    r"(?:[\s,.;)]|\$|\\[\])]|\\end\{\w+\*?\})*(?:which |this |that |it |but )?"
    r"(?:(?:is|are|would be)(?: \w+)? (?:false|wrong|untrue|incorrect|invalid|"
    r"not (?:true|correct|valid|the case))(?! (?:to|that)\b)|"
    r"(?:does|do|need|will|would|can) not\b|cannot (?:hold|be)|fails\b|no longer holds)",
    re.IGNORECASE,
)
_STOP = re.compile(r"[.!?:](?=\s)|\n[ \t]*\n|\n[ \t]*(?:[-*+]|\d+\.)[ \t]|^\#.*$", re.MULTILINE)
_OPENER = re.compile(
    r"\s*(?:\$\$?|\\\[|\\\(|\\begin\{\w+\*?\}|\.\.[ \t]+math::|```\{?math\}?)?\s*$"
)
_OPENED_BY = re.compile(r"(?:\$\$|\\\[|\\begin\{\w+\*?\}|```\{?math\}?|\.\.[ \t]+math::|\$)?\s*")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_IN_A_CASE = re.compile(  # for $x < 1$, and not for $x$
    r"\b(?:for|if|when(?:ever)?|unless|once|in (?:the )?case)\b[^$;]{0,30}\$[^$=<>]+"
    r"(?:[=<>≤≥]|\\(?:leq?|geq?|ne|neq|to|gg|ll)(?![a-z]))[^$]*\$",
    re.IGNORECASE,
)
_IN_A_LIMIT = re.compile(  # as $t \\to 0$ they are one-hot
    r"\$[^$]*\\(?:to|(?:long)?rightarrow|uparrow|downarrow)(?![a-z])[^$]*\$|"
    r"\bin (?:the|this|that) limit\b|\b(?:asymptotically|eventually|ultimately)\b",
    re.IGNORECASE,
)
_STATE = re.compile(  # in resonance, at the optimum: at the beginning of a clause
    r"(?:^|[,;:]\s+|\b(?:and|but|while|where|when|is)\s+)(?:"
    r"(?:in|at|near|under) (?:(?:the|an?|its|this|thermal|chemical|perfect|full) ){0,2}"
    r"(?:rest|resonance|equilibrium|balance|steady state|optim\w+|minim\w+|maxim\w+|threshold|"
    r"saturation|convergence|competition|peak|boundary|(?:critical|stationary|fixed) point|"
    r"(?:low|high|large|small|short|long|early|late|weak|strong|moderate|terminal)(?:er|est)? "
    r"[a-z]+)|"
    r"off (?:the|this|its) [a-z]+|"
    r"(?:on|along) (?:an?|the|its|this) (?:[a-z-]+ )?(?:orbit|path|circle|sphere|surface|plane|"
    r"line|curve|track|trajectory|boundary|shell|axis|diagonal)|"
    r"(?:in|at|on|near) the (?:(?:left|right|upper|lower|inner|outer) )?(?:middle|cent(?:re|er)|"
    r"edge|wall|ends?|top|bottom|border|interface)(?! of (?:each|every))|"
    r"(?:inside|outside|within|beyond) (?:an?|the|its|this|of) [a-z]+)\b",
    re.IGNORECASE,
)
ALWAYS = re.compile(  # and no longer in the case before
    r"\b(?:in (?:general|any case|all cases|every case)|generally|general case|otherwise|"
    r"if (?:this|that|it) is not (?:so|the case)|without (?:any|this|that|such|these|further)\b"
    r"[^$.;]{0,20}\b(?:assum|condition|restrict)\w*)\b",
    re.IGNORECASE,
)
_ANY = re.compile(  # let $A$ be any matrix
    r"\b(?:let|take|consider)\b[^.;]{0,30}\b(?:any|arbitrary|general)\b(?! such)", re.IGNORECASE
)
_EXACTLY = re.compile(r"\b(?:exactly|precisely|strictly(?: speaking)?),?\s*\$?$")
_KIND = re.compile(r"^\W*[Ff]or (?:(?:an?|any|every|each|the) ([a-z-]+(?: [a-z-]+)?)|…)")
_NAMES = re.compile(r"\W*(?:[\w-]+,?\s+){0,2}(?P<if>if|when|in case)\b", re.IGNORECASE)
REACH = 400  # characters before a formula that may belong to its sentence


_ANEW = re.compile(  # a sentence begins
    r"[ \t]*(?:%[^\n]*)?\n\s*(?!(?:Then|Thus|So|Hence|Therefore|And|Or|But|Where|With|If)\b)"
    r"(?!For\b(?! (?:an?|the|this|two|three|both|one|another)\b))"
    r"(?:[A-Z][a-z]*\s|\\(?:sub)*section)"
)


def _ellipsis(formula: re.Match[str]) -> str:
    """… for a formula, with the full stop that it ends with or that is left out behind it."""
    inside = re.sub(r"(?:\$+|\\[\])]|\\end\{\w+\*?\}|\s)+$", "", formula[0])
    shown = not re.match(r"\$(?!\$)|\\\(", formula[0])
    ended = shown and _ANEW.match(formula.string, formula.end())
    return " …. " if ended or inside.endswith(".") else " … "


@dataclass
class Outline:
    """Where the sections of a text begin and how deep they are."""

    text: str
    premised: frozenset[tuple[int, int]] = frozenset()  # formulas with their conditions in them

    def __post_init__(self) -> None:
        self.text = uncommented(dollars(self.text))

    @cached_property
    def headings(self) -> list[tuple[int, int]]:
        """Line and level of every heading, in order."""
        found = []
        for match in _HEADING.finditer(self.text):
            if match["marks"]:
                level = len(match["marks"])
            elif match["tex"]:
                level = _TEX[match["tex"]]
            elif match["number"]:
                level = match["number"].count(".") + 1
            elif match["under"]:
                level = _UNDER[match["under"][0]]
            else:
                level = 1
            found.append((self.text.count("\n", 0, match.start()) + 1, level))
        return found

    @cached_property
    def parts(self) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
        """The names that words call rows, columns or entries, and those that they are of."""
        return (*qualities.parts(self.text),)

    @cached_property
    def _qualities(self) -> dict[str, dict[tuple[str, str], None]]:
        """Scripts and words that are said of the values of names."""
        found: dict[str, dict[tuple[str, str], None]] = {}
        for sentence in _STOP.split(self.text):
            for name, script, word in qualities.told(sentence):
                found.setdefault(name, {})[script, word] = None
        return found

    def qualities(self, name: str) -> list[str]:
        """What words say of the values of a name: centred, the Hessian; of W_o not of W_k."""
        stem, *labels = name.split("_")
        said = self._qualities.get(name) or self._qualities.get(stem, {})
        below = {"", *labels, "".join(labels)}  # s_{xy} is s_x_y
        own = (word for script, word in said if not labels or script in below)
        return list(dict.fromkeys(own))

    @cached_property
    def relations(self) -> tuple[Relation, ...]:
        """Names that formulas of sentences put in an order, or that are at right angles."""
        return (*qualities.relations(self.text),)

    @cached_property
    def orders(self) -> tuple[str, ...]:
        """The formulas of sentences that say what is larger than what."""
        found = ((m[1] or m[2]).strip() for m in INLINE.finditer(self.text))
        return (*dict.fromkeys(x for x in found if qualities.ordered(x)[1]),)

    @cached_property
    def plain(self) -> frozenset[str]:
        """The letters that stand somewhere in a formula without an accent or a star."""
        bare = (_MARKED.sub(" ", m[0]) for m in FORMULA.finditer(self.text))
        return frozenset(x for formula in bare for x in _LETTER.findall(formula))

    @cached_property
    def moving(self) -> frozenset[str]:
        """Those of them below which nothing stands somewhere: no m of m_0 and m_p."""
        bare = (_MARKED.sub(" ", m[0]) for m in FORMULA.finditer(self.text))
        return frozenset(x for f in bare for x in _LETTER.findall(_BELOW.sub(" ", f)))

    def section(self, line: int) -> int:
        """The number of headings up to a line."""
        return bisect_right(self.headings, (line, 99))

    @cached_property
    def _titles(self) -> list[int]:
        """The lines of headings, and of bold words that head an example or a paragraph."""
        bold = (self.text.count("\n", 0, m.start()) + 1 for m in _BOLD.finditer(self.text))
        return sorted({*bold, *(line for line, _ in self.headings)})

    def part(self, line: int) -> int:
        """The number of headings and titles up to a line."""
        return bisect_right(self._titles, line)

    def end(self, line: int) -> int:
        """The line at which the section of a line ends: a heading of its level or above."""
        k = self.section(line)
        level = self.headings[k - 1][1] if k else -1
        return next((at for at, other in self.headings[k:] if other <= level), 1 << 62)

    def around(self, line: int) -> str:
        """The text of the section of a line, without the sections below it."""
        k = self.section(line)
        first = self.headings[k - 1][0] if k else 1
        last = self.headings[k][0] if k < len(self.headings) else len(self._starts) + 1
        return "\n".join(self.text.split("\n")[first - 1 : last - 1])

    def ahead(self, line: int) -> str:
        """The text of the section of a line that stands before the line."""
        k = self.section(line)
        first = self.headings[k - 1][0] if k else 1
        return "\n".join(self.text.split("\n")[first - 1 : line - 1])

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(m.end() for m in re.finditer("\n", self.text))]

    def position(self, line: int, column: int) -> int:
        """The place of a line and a column in the text."""
        return self._starts[min(line, len(self._starts)) - 1] + column - 1

    def place(self, position: int) -> tuple[int, int]:
        """The line and the column of a place in the text."""
        line = bisect_right(self._starts, position)
        return line, position - self._starts[line - 1] + 1

    def unconditional(self, places: Iterable[tuple[int, int]]) -> None:
        """Leave out the if of the sentences here: it names something, and is no condition."""
        for at in (self.position(*place) for place in places):
            found = _NAMES.match(self.text, at)
            if found:
                start, end = found.span("if")
                self.text = self.text[:start] + " " * (end - start) + self.text[end:]

    def _back(self, end: int, reach: int) -> int:
        """A place so far before another one, and not in the middle of a $$."""
        start = max(0, end - reach)
        return start + 1 if start and self.text[start - 1 : start + 1] == "$$" else start

    def sentence(self, line: int, column: int) -> str:
        """The words of the sentence that leads up to a formula."""
        end = self.position(line, column)
        start = self._back(end, 4 * REACH)
        if self.text.count("$$", 0, start) % 2:  # in the middle of a formula
            start = self.text.find("$$", start) + 2
        before = _OPENER.sub("", _COMMENT.sub("", self.text[start:end]))
        before = _OPENED.sub("", before)
        if before.count("$$") % 2:  # a later equation of a display has the words before it
            before = before[: before.rfind("$$")]
        words = FORMULA.sub(_ellipsis, before)[-REACH:]
        stops = list(_STOP.finditer(words.rstrip().rstrip(":.,")))
        return " ".join(words[stops[-1].end() :].split()) if stops else " ".join(words.split())

    def together(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        """Two places are in one sentence, the displays that it leads up to included."""
        first, last = sorted(self.position(*place) for place in (one, other))
        between = _OPENER.sub("", self.text[first:last])
        return last - first <= REACH and _STOP.search(between) is None

    def goes_on(self, one: tuple[int, int], other: tuple[int, int]) -> str | None:
        """The words between two formulas of one sentence; None where these state a condition.

        What the sentence says before both is said of both.
        """
        if one >= other or not self.together(one, other):
            return None
        between = self.text[self.position(*one) : self.position(*other)]
        _, *behind = re.split(r"\$\$?|\\[\])]|\\end\{\w+\*?\}", between, maxsplit=1)
        if not behind:  # sides and rows of one formula
            return None
        words = _OPENER.sub("", behind[0])
        stated = any(x.search(words) for x in (_CONDITION, _CASE, _ELSEWHERE))
        shown = FORMULA.sub(_ellipsis, words)
        return None if stated or _PLACED_FIRST.fullmatch(shown) else shown

    def titled(self, line: int, column: int) -> str:
        """The heading that stands right before a formula; empty for other words."""
        before = _OPENER.sub("", self.text[: self.position(line, column)]).rstrip()
        last = before.rsplit("\n", 1)[-1]
        return last.lstrip("# ") if last.startswith("#") and _HEADING.match(last) else ""

    def _words(self, line: int, column: int) -> str:
        """The sentence before a formula, or before the one right before it; or the heading."""
        words = self.sentence(line, column)
        if re.search(r"[A-Za-z]", words):
            return words
        if title := self.titled(line, column):
            return title
        before = _OPENER.sub("", self.text[: self.position(line, column)]).rstrip(" \n,;")
        every = FORMULA.finditer(before, max(0, len(before) - REACH))
        shown = [m for m in every if not re.match(r"\$(?!\$)|\\\(", m[0])]
        if not shown or shown[-1].end() < len(before):
            return words
        at = shown[-1].start() + len(_OPENED_BY.match(shown[-1][0])[0])  # type: ignore[index]
        above = self.text.count("\n", 0, at)
        return self._words(above + 1, at - self._starts[above] + 1)

    def puts_in(self, line: int, column: int) -> bool:
        """Whether the words before a formula say that something is put in, or expanded."""
        return wording.put_in(self._words(line, column))

    def solves(self, line: int, column: int) -> bool:
        """Whether the words before a formula say that what was said before is solved for a name."""
        return wording.solved(self._words(line, column))

    def follows(self, line: int, column: int) -> bool | None:
        """Whether the words before a formula say that it follows; None where there are none."""
        own = re.search(r"[A-Za-z]", self.sentence(line, column))
        return wording.follows(self._words(line, column)) or (False if own else None)

    def infers(self, line: int, column: int) -> bool:
        """Whether the words before a formula say that it is the same as what stands before it."""
        return wording.same(self._words(line, column))

    def reforms(self, line: int, column: int) -> bool:
        """Whether the words before a formula say that it is another form of what is known."""
        words = self._words(line, column)
        plain = not any(_VALUED.search(formula) for formula in self.supposed(line, column))
        return plain and wording.reformed(words) and not self.condition(line, column)

    def recalls(self, line: int, column: int) -> bool:
        """Whether the words before a formula say that it is what was said before, unchanged."""
        words = self.sentence(line, column)
        end = self.position(line, column)
        behind = re.split(r"\.\s|\n\s*\n", self.text[end : end + REACH])[0]
        return wording.recalled(words, behind)

    def varies(self, line: int, column: int) -> bool:
        """Whether the words before a formula change what was said before, or name another thing."""
        return wording.another(self.sentence(line, column))

    def lists(self, line: int, column: int) -> bool:
        """Whether words before several formulas, and none before this one, say that they differ."""
        own = re.search(r"[A-Za-z]", self.sentence(line, column))
        return own is None and wording.lists(self._words(line, column))

    def altered(self, line: int, column: int) -> bool:
        """Whether the paragraph before a formula says that something is made another way."""
        before = self.text[: self.position(line, column)].rstrip()
        words = _PARAGRAPH.split(_OPENER.sub("", before).rstrip())[-1]
        return wording.changed(FORMULA.sub(_ellipsis, words))

    def asserts(self, line: int, column: int) -> bool:
        r"""Whether the words before a formula call it a theorem, or it stands behind a \iff."""
        before = self.text[: self.position(line, column)].rstrip()
        if _EQUIVALENT.search(before):
            return True
        words = _OPENER.sub("", before).rstrip().rsplit("\n", 1)[-1]
        return wording.called_result(words) and "$" not in words

    def ranges(self, line: int, column: int) -> tuple[set[str], set[str]]:
        """Names that the words around a formula say to be positive, and those with other ranges.

        What the section says before the formula counts, and a little behind it.
        """
        end = self.position(line, column)
        first = self.headings[self.section(line) - 1][0] if self.section(line) else 1
        text = self.text[self.position(first, 1) : end + REACH]
        positive: set[str] = set()
        other: set[str] = set()
        for formula in INLINE.findall(text):
            if found := _RANGE.fullmatch(formula[0] or formula[1]):
                listed = (re.sub(r"[\\\s{}]", "", x) for x in found["names"].split(","))
                (positive if _ABOVE.fullmatch(found["range"]) else other).update(listed)
        return positive, other

    @cached_property
    def dimensions(self) -> frozenset[int]:
        """How many dimensions the text says there are."""
        found = set()
        for match in _DIMENSIONS.finditer(self.text):
            word = (match["word"] or "").lower()
            found.add(_COUNTS.get(word) or int(match["power"] or match["last"] or word or 0))
        return frozenset(found)

    @cached_property
    def _sized(self) -> dict[str, set[bool]]:
        """Names of matrices that the text gives two sizes, and whether it writes them the same."""
        said: dict[str, set[bool]] = {}
        for found in _TWO_SIZES.finditer(self.text):
            square = "".join(found["rows"].split()) == "".join(found["columns"].split())
            for name in found["names"].split(","):
                said.setdefault(_FONT.sub("", name), set()).add(square)
        return said

    @cached_property
    def vectors(self) -> frozenset[str]:
        """Names, without scripts, that the text gives one size: k of k ∈ ℝⁿ."""
        listed = (m["names"].split(",") for m in _ONE_SIZE.finditer(self.text))
        return frozenset(_FONT.sub("", name) for names in listed for name in names)

    @property
    def matrices(self) -> frozenset[str]:
        """Names of matrices that the text gives two sizes."""
        return frozenset(self._sized)

    @property
    def rectangular(self) -> frozenset[str]:
        """Names of matrices that the text gives two sizes, which it writes as different."""
        return frozenset(n for n, squares in self._sized.items() if squares == {False})

    def behind(self, line: int, column: int, latex: str) -> str:
        """The words that go on behind a formula as a condition would, else empty."""
        start = self.position(line, column)
        end = self.text.find(latex[-20:], start)
        end = start + len(latex) if end < 0 else end + len(latex[-20:])
        match = _BEHIND.match(self.text, end)
        if match is None or match["words"][0].isupper():  # the next sentence
            return ""
        return " ".join(match["words"].split())

    def denied(self, line: int, column: int, latex: str) -> bool:
        """Whether the words before or behind a formula say that it is false."""
        if _DENIED_BEFORE.search(self.sentence(line, column)):
            return True
        start = self.position(line, column)
        end = self.text.find(latex[-20:], start)
        return end >= 0 and bool(_DENIED_BEHIND.match(self.text, end + len(latex[-20:])))

    def case(self, line: int, column: int) -> str:
        """The a = b of “for a = b” in the sentence before a formula; empty for none and many."""
        found = [*_CASE.finditer(self.leading(line, column))]
        return found[0]["case"] or "" if len(found) == 1 else ""

    def only_puts(self, line: int, column: int) -> bool:
        """The words before a formula state no condition but a value: with γ = 2 it is."""
        words, last = self.sentence(line, column), self.leading(line, column)
        said = _CONDITION.search(words) or _ELSEWHERE.search(words) or loosely(words, last)
        one = len([*_CASE.finditer(last)]) == len(self.supposed(line, column)) == 1
        return one and not said

    def at_a_value(self, line: int, column: int) -> bool:
        """The sentence before a formula puts a value in: at x = 0."""
        return _CASE.search(self.leading(line, column)) is not None

    def inferred(self, line: int, column: int) -> str:
        """The formula before one that a word such as “so” alone joins to it; empty for none."""
        end = self.position(line, column)
        found = [*FORMULA.finditer(self.text, max(0, end - 4 * REACH), end + 1)]
        last = next((f for f in reversed(found) if f.end() <= end and f[0].strip("$ ")), None)
        between = self.text[last.end() : end] if last else ""
        words = re.sub(r"\\\[|\$+|\\begin\{\w+\*?\}|[\s,.:]", " ", between).split()
        joined = " ".join(words).lower() in _SO_THAT or (not words and ":" in between)
        return re.sub(r"[\s$]|[.,;]$", "", last[0].strip("$ ")) if last and joined else ""

    def leading(self, line: int, column: int) -> str:
        """The text of the sentence before a formula, with its formulas."""
        end = self.position(line, column)
        start = self._back(end, REACH)
        before = _OPENER.sub("", self.text[start:end])
        if (self.text.count("$$", 0, start) + before.count("$$")) % 2 and "$$" in before:
            before = before[: before.rfind("$$")]  # of a later equation of a display
        shown = (m for m in FORMULA.finditer(before) if not re.match(r"\$(?!\$)|\\\(", m[0]))
        begun = max((m.end() for m in shown if _ANEW.match(before, m.end())), default=0)
        return _STOP.split(before[begun:].rstrip().rstrip(":.,"))[-1]

    def taken(self, line: int, column: int) -> list[str]:
        """The formulas in the words before one, or in the sentence before “then”: $b = 3$."""
        end = self.position(line, column)
        before = _OPENER.sub("", self.text[max(0, end - REACH) : end])
        found = _TAKEN.search(before)
        behind = [
            re.sub(r"[\s$]|[.,;]$", "", m[0]) for m in FORMULA.finditer(found[0] if found else "")
        ]
        return [*self.supposed(line, column), *behind]

    def in_a_case(self, line: int, column: int) -> bool:
        """The sentence of a formula says before it under which condition it holds: for x < 1."""
        return _IN_A_CASE.search(self.leading(line, column)) is not None

    def for_this(self, line: int, column: int) -> bool:
        """A formula is itself a case: for $u = v$."""
        return re.search(r"\b[Ff]or\s*\$?$", self.leading(line, column)) is not None

    def in_a_state(self, line: int, column: int) -> bool:
        """The sentence of a formula says before it of which state it holds: in resonance."""
        return _STATE.search(self.sentence(line, column)) is not None

    def exactly(self, line: int, column: int) -> bool:
        """The words right before a formula say that it is no approximation."""
        return _EXACTLY.search(self.leading(line, column)) is not None

    def in_general(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        """A sentence behind that of the first place speaks in general, up to the second."""
        return any(x.search(self._behind(one, other)) for x in (ALWAYS, _ANY))

    def kind(self, place: tuple[int, int]) -> str:
        """Of which kind the sentence of a formula speaks: for a square."""
        found = _KIND.search(self.sentence(*place))
        return (found[1] or "…").lower() if found else ""

    def apart(self, one: tuple[int, int], other: tuple[int, int], *names: str) -> bool:
        """Between two places a formula says that two names differ."""
        first, second = (re.escape(n.split("_")[0]) for n in names)
        behind = self._behind(one, other)
        return any(
            re.search(rf"(?<![A-Za-z]){x}\s*(?:\\neq?(?![a-z])|≠)\s*\\?{y}(?![A-Za-z])", behind)
            for x, y in ((first, second), (second, first))
        )

    def moves_on(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        """A sentence behind that of the first place speaks of another case, up to the second."""
        behind = FORMULA.sub(_ellipsis, self._behind(one, other))
        return any(x.search(behind) for x in (_CONDITION, _STATE, ALWAYS))

    def _behind(self, one: tuple[int, int], other: tuple[int, int]) -> str:
        """The text between two places without the sentence of the first."""
        between = self.text[self.position(*one) : self.position(*other)]
        _, *behind = _STOP.split(between, maxsplit=1)
        return " ".join(behind[0].split()) if behind else ""

    def in_a_limit(self, line: int, column: int) -> bool:
        """The sentence of a formula says before it that something goes somewhere."""
        return _IN_A_LIMIT.search(self.leading(line, column)) is not None

    def condition(self, line: int, column: int, but: re.Pattern[str] | None = None) -> str:
        """The sentence before a formula when it states a condition, `but` for these; else empty."""
        words, last = self.sentence(line, column), self.leading(line, column)
        if (line, column) in self.premised:  # which the reader has put into the equation
            words, last = (_PREMISE.sub(" ", text) for text in (words, last))
        parts = words.split("…")
        while len(parts) > 2 and _INFERRED.fullmatch(parts[-1]):
            parts.pop()
        stated, last_words = (but.sub(" ", x) if but else x for x in (words, parts[-1]))
        if _TO_ZERO.match(self.text, self.position(line, column)):  # setting ∂J/∂x = … to zero
            stated = re.sub(r"\bsetting\b", " ", stated, flags=re.IGNORECASE)
        said = _CONDITION.search(stated) or _CASE.search(last) or _ELSEWHERE.search(last_words)
        said = said or (_PLACED_FIRST.fullmatch(words) if "=" in last else None)
        return words if said or _FOR_SUCH.search(last) or loosely(stated, last) else ""

    def supposed(self, line: int, column: int) -> list[str]:
        """The formulas in the words before one, without spaces."""
        found = (re.sub(r"[\s$]|\\[()]", "", m[0]) for m in
                 FORMULA.finditer(self.leading(line, column)))  # fmt: skip
        return [re.sub(r"[.,;]$", "", latex) for latex in found]
