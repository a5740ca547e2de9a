"""The words that stand before a formula, and around it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import wraps

from ..read.announced import announced
from ..read.vocabulary import IF
from . import wording
from .loosely import loosely
from .qualities import DISPLAY, FORMULA
from .sections import HEADING, REACH, STOP, Sections

_CONDITION = re.compile(
    r"\b(?!if\s+(?:you|we|one)\s+(?:perform|carry|work|do|multiply|expand|differentiate|compute|"
    r"simplify|collect|rearrange|look|rewrite|denote|apply the (?:chain|product|quotient) rule|"
    r"consider (?:a single|one|each|an))\b)"
    rf"(?:{IF}|"
    r"assum\w+|suppos\w+|unless|subject to|"
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
_MEETS = re.compile(  # what the main clause says: the weights $w_i$ satisfy
    r"\W*(?:The|These|Its|Their|They|Both)\b(?:(?!\b(?:that|which|to|must|should|let|if|such|where|"
    r"when|with|choose\w*|suppose\w*)\b)[^.])*\bsatisfy[\s:,]*",
)
_IF = re.compile(rf"\b(?:{IF}|unless)\b", re.IGNORECASE)
COUNTED = re.compile(  # for two components: how many there are
    r"\b(?:with|for|under|among) (?:two|three|four|several|many|multiple|more|fewer)\b",
    re.IGNORECASE,
)
ASKED = re.compile(  # of what is defined it is a claim
    r"\b(?:such that|satisfy(?:ing)?|that satisfies|satisfied|must|solves)\b", re.IGNORECASE
)
_TO_ZERO = re.compile(  # behind the formula that begins here
    r"(?:(?!\$|\\[\])]|\\end\{(?:equation|align|gather)).)*"
    r"(?:\$\$?|\\[\])]|\\end\{\w+\*?\})\s*(?:equal\s+)?to\s+(?:zero|\$?0)\b",
    re.DOTALL,
)
_OWN_PLACE = (  # at any interior optimum, at each end: where more is so than at any temperature
    r"(?:[a-z-]*(?:equilib|balanc|optim|stead|station|critical|fixed|resonan|extrem|saturat)|"
    r"maxim|minim|root|zero|pole|node|end|edge|wall|bound|border|corner|surface|interface|limit|"
    r"singular|saddle|turning|inflection|low|high|small|large|crossing|intersection|vertex|peak|"
    r"contact|solution|such|vanish)"
)
_ELSEWHERE = re.compile(  # in series R = …, in parallel 1/R = …: another thing, and no other form
    r"(?<!\b[Oo]r)(?:^|[,;:.…(]\s*|\b(?:and|but|or)\s+)(?:[Ii]n|[Uu]nder|[Oo]therwise|[Ee]lse)\s+"
    r"(?!(?:the\s+|a\s+|its\s+)?(?:[a-z]+\s+)?(?:form|notation|terms?|"
    r"words?|general|particular|components?|coordinates?|short|full|fact|turn|detail|practice|"
    r"addition|brackets?|index|indices|matri\w+|vectors?|equation|eq|section|order|case|"
    r"expectation|sum|total|which|this|that|our|exponents?|place|\w*space)\b)"
    r"[a-z-]+(?:\s+[a-z-]+)?[\s,]*$|\b(?:[Oo]therwise|[Ww]hereas|[Ww]hile)[\s,]*$"
    r"|\b[Aa]t\s+(?!(?:last|once|first|all|least|most|the same)\b|"
    rf"(?:any|every|each|an arbitrary|arbitrary)\s+(?!(?:[a-z-]+\s+){{0,3}}{_OWN_PLACE})|"
    r"(?:(?:the|an?|each|every)\s+)?(?:output|input|hidden|layer|unit|neuron|node|step|time|rate|speed)s?\b)[a-z-]+(?:\s+[a-z-]+){0,4}"
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
        *("so", "so that", "hence", "thus", "therefore", "that is", "i e", "or", "and so"),
        *("is", "which is", "reads", "equals", "which equals", "which gives", "namely", "in full"),
    ]
)
_INFERRED = re.compile(r"[\s,]*(?:(?:and|so|so that|hence|thus|therefore|then)\b)?[\s,]*")
_BEHIND = re.compile(
    r"(?:[\s,.;)]|\$\$|\\[\])]|\\end\{\w+\*?\}|\\q?quad|\\text\{|"
    r"(?:which|this|and)? ?holds?(?! only) ?)*"
    rf"(?P<words>(?:{IF}|"
    r"(?:(?:is|are|holds?|remains?) )?(?:valid |true |correct |right |exact )?only|assuming|"
    r"for(?! which\b)|where|with|unless|"
    r"up to|given|(?:to|at) (?:first|second|third|lowest|leading|linear|quadratic)[- ]order|"
    r"approximately|asymptotically|neglecting|ignoring|in the limit)\b[^.\n]{0,60})",
    re.IGNORECASE,
)
_CASE = re.compile(  # for $\beta = 1$, with $V = K$; at $N = K/2$
    r"\b[Aa]t\s+(?:\w+\s+)?\$(?![^$]*=[^$]*=|\s*\\?[A-Za-z]+\s*\()[^$=]+=[^$]+\$|"  # no F(0) = a
    r"\b(?:[Ff]or|[Ww]ith|[Aa]t|[Ss]etting)\s+(?:\w+\s+)?(?:\$|\\\()(?![^$]*\\[lc]?dots)"
    r"\s*(?P<case>\\?[A-Za-z]+(?:_\w|_\{\w+\})?\s*=\s*(?:-?[\d.]+(?:/\d+)?|"
    r"-?\\[td]?frac\s*(?:\d|\{\d+\})\s*(?:\d|\{\d+\})|\\?[A-Za-z]+(?:_\w|_\{\w+\})?))"
    r"\s*(?:,[^$]*)?(?:\$|\\\))"
)
_LISTED_PLACE = re.compile(r"\$\s*[;,]\s+(?:(?:and|while|but)\s+)?(?P<at>at\s+\$[^$=]+=[^$]+\$)")
_FOR_SUCH = re.compile(  # for $A B = B A$, which names nothing
    r"\b[Ff]or\s+(?:\w+\s+)?"
    r"\$(?!\s*\\?[A-Za-z]+(?:_\w|_\{\w+\})?(?:\([^()$]*\))?\s*=)[^$=]+=[^$]*\$"
)
_PREMISE = re.compile(  # if $i = j$, the formula as it stands or as …
    r"\b(?:if|when|for|where|case|suppos\w+|assum\w+|consider\w*)\b[^…$\\]{0,30}"
    r"(?:…|\$[^$]*\$|\\\(.*?\\\))|\b(?:while|whereas)\b"
    r"(?=[\s,]*(?:(?:if|when|for|where)\b|$))",
    re.IGNORECASE,
)
_PARAGRAPH = re.compile(
    r"\n\s*\n|" + rf"{DISPLAY}.*?\\end\{{(?P=env)\}}|\\\[.*?\\\]|\$\$.*?\$\$", re.DOTALL
)
_EQUIVALENT = re.compile(r"\\(?:Leftrightarrow|Longleftrightarrow|iff)(?:\s|&|\\q?quad|\\[,;])*$")
_VALUED = re.compile(r"=-?(?:[\d.]+|\\?[A-Za-z]+(?:_\w|_\{\w+\})?)$")  # V=K, h=0
_OPENED = re.compile(DISPLAY + r"(?:(?!\\end\{(?P=env)\}).)*$", re.DOTALL)
_DENIED_BEFORE = re.compile(
    r"\b(?:(?:common|typical|frequent) (?:mistake|error|misconception)|(?:might|may|could|would) "
    r"(?:think|expect|believe|guess|be tempted)|tempting|mistakenly|erroneously|wrongly|"
    r"incorrectly|(?:is|are|be) (?:false|wrong|not true|incorrect) that|not the case that|"
    r"does not follow|disprov\w+|debunk\w*|myth|fallacy|fallacious\w*|misconception|nonsense|"
    r"counter-?examples? to|(?:nobody|no one|no-one) (?:would|should|could|can|will) "
    r"(?:\w+ )?(?:claim|believe|say|write|think)|"
    r"never (?:write|use|claim)|contrary to|rather than|as opposed to|in place of)\b|[❌✗✘]",
    re.IGNORECASE,
)
_DENIED_BEHIND = re.compile(
    r"(?:[\s,.;)]|\$|\\[\])]|\\end\{\w+\*?\})*(?:which |this |that |it |but )?"
    r"(?:(?:is|are|would be)(?: \w+)? (?:false|wrong|untrue|incorrect|invalid|"
    r"not (?:true|correct|valid|the case))(?! (?:to|that)\b)|"
    r"(?:does|do|need|will|would|can) not\b|cannot (?:hold|be)|fails\b|no longer holds)",
    re.IGNORECASE,
)
_OPENER = re.compile(
    r"\s*(?:\$\$?|\\\[|\\\(|\\begin\{\w+\*?\}|\.\.[ \t]+math::|```\{?math\}?)?\s*$"
)
_SOLVES = re.compile(
    r"\s*(?:\$\$?|\\\)|\\\])[\s,]*(?:which |also |then )?(?:solves?|is a solution)\b"
)
_NUMBERED = re.compile(  # Case 1: … and **Case A.** …
    r"(?:^|\n)[ \t*_>-]*(?P<case>Case\s+(?:\d+|[IVX]+|[A-Z]|\((?:\w+)\))\s*[:.,])"
)
_OF_ALL = re.compile(
    r"^\#|\\(?:sub)*section|\b(?:[Ii]n general|(?:both|all|either|any|every) cases?|in any case)\b",
    re.MULTILINE,
)
_INLINE = re.compile(r"(?:(?<!\$)\$|\\\()\s*\Z")
_OPENED_BY = re.compile(r"(?:\$\$|\\\[|\\begin\{\w+\*?\}|```\{?math\}?|\.\.[ \t]+math::|\$)?\s*")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_IN_A_CASE = re.compile(  # for $x < 1$, and not for $x$
    rf"\b(?:for|{IF}|unless|once|in the case)\b[^$;]{{0,30}}\$[^$=<>]+"
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
_LET_BE = (
    r"\b(?:[Ll]et|[Tt]ake|[Ss]uppose|[Cc]onsider)\b[^.$]{{0,20}}\$\s*\\?{}(?![A-Za-z_])[^$=]*\$\s+"
    r"(?:now\s+)?(?:be|is)\s+(?!(?:the|its|this|that|as|given|defined|such)\b)[a-z]"
)
_FOR_ANY = (
    r"\b[Ff]or (?:any|every|all|each|an arbitrary|arbitrary) (?:[a-z-]+ ){{0,3}}"
    r"\$\s*\\?{}(?![A-Za-z_])[^$=]*\$"
)
_EXACTLY = re.compile(r"\b(?:exactly|precisely|strictly(?: speaking)?),?\s*\$?$")
_KIND = re.compile(r"^\W*[Ff]or (?:(?:an?|any|every|each|the) ([a-z-]+(?: [a-z-]+)?)|…)")
_NAMES = re.compile(  # Example 3. If f(x) = …
    r"\W*(?:\w+ [\d.]+[*_:.]*\s+)?(?:[\w-]+,?\s+){0,2}(?P<if>if|when|in case)\b", re.IGNORECASE
)
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


def _once(found: Callable[[Outline, int, int], str]) -> Callable[[Outline, int, int], str]:
    """Words of a place that are looked for once."""

    @wraps(found)
    def kept(outline: Outline, line: int, column: int) -> str:
        key = found.__name__, line, column
        if key not in outline.memory:
            outline.memory[key] = found(outline, line, column)
        return outline.memory[key]

    return kept


@dataclass
class Outline(Sections):
    """What the sentences of a text say of the formulas in them."""

    premised: frozenset[tuple[int, int]] = frozenset()  # formulas with their conditions in them
    memory: dict[tuple[str, int, int], str] = field(default_factory=dict, repr=False)
    namings: list[int] = field(default_factory=list, repr=False)  # where an if gives a name

    def unconditional(self, places: Iterable[tuple[int, int]]) -> None:
        """Leave out the if of the sentences here: it names something, and is no condition."""
        for at in (self.position(*place) for place in places):
            found = _NAMES.match(self.text, at)
            if found:
                start, end = found.span("if")
                self.text = self.text[:start] + " " * (end - start) + self.text[end:]
                self.memory.clear()
                self.namings.append(start)

    def named_by_if(self, line: int, column: int) -> bool:
        """A formula is the first of a sentence whose if gives a name: if $y = x^2$, then …"""
        at = self.position(line, column)
        return any(self.text[start:at].count("$") == 1 for start in self.namings if start < at)

    def announced(self, line: int, column: int) -> bool:
        """The words before a formula give its name to another thing: now let $f(x) = …$."""
        return announced(self.text, self.position(line, column))

    def _back(self, end: int, reach: int) -> int:
        """A place so far before another one, and not in the middle of a $$."""
        start = max(0, end - reach)
        return start + 1 if start and self.text[start - 1 : start + 1] == "$$" else start

    @_once
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
        stops = list(STOP.finditer(words.rstrip().rstrip(":.,")))
        return " ".join(words[stops[-1].end() :].split()) if stops else " ".join(words.split())

    def together(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        """Two places are in one sentence, the displays that it leads up to included."""
        first, last = sorted(self.position(*place) for place in (one, other))
        between = _OPENER.sub("", self.text[first:last])
        between += "\n" if _INLINE.search(self.text, max(0, last - 3), last) else ""
        return last - first <= REACH and STOP.search(between) is None

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
        return last.lstrip("# ") if last.startswith("#") and HEADING.match(last) else ""

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

    def behind(self, line: int, column: int, latex: str, inline: bool = False) -> str:
        """The words that go on behind a formula as a condition would, else empty.

        Behind a display; behind one of a sentence where `inline` is asked for.
        """
        start = self.position(line, column)
        end = self.text.find(latex[-20:], start)
        end = start + len(latex) if end < 0 else end + len(latex[-20:])
        end += inline and self.text.startswith("$", end)
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
        last = self._last_place(last)
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

    @_once
    def leading(self, line: int, column: int) -> str:
        """The text of the sentence before a formula, with its formulas."""
        end = self.position(line, column)
        start = self._back(end, REACH)
        before = _OPENER.sub("", self.text[start:end])
        if (self.text.count("$$", 0, start) + before.count("$$")) % 2 and "$$" in before:
            before = before[: before.rfind("$$")]  # of a later equation of a display
        shown = (m for m in FORMULA.finditer(before) if not re.match(r"\$(?!\$)|\\\(", m[0]))
        begun = max((m.end() for m in shown if _ANEW.match(before, m.end())), default=0)
        return STOP.split(before[begun:].rstrip().rstrip(":.,"))[-1]

    def meets(self, line: int, column: int) -> bool:
        """The main clause before a formula says that it holds: the weights satisfy."""
        return _MEETS.fullmatch(self.sentence(line, column)) is not None

    def numbered_case(self, line: int, column: int) -> str:
        """The text from “Case 2:” to a formula that is said of it; empty for one of no such case.

        The case ends with the next one, with a heading, and where words speak of all.
        """
        end = self.position(line, column)
        before = self.text[max(0, end - 2 * REACH) : end]
        found = [*_NUMBERED.finditer(before)]
        inside = before[found[-1].start("case") :] if found else ""
        return "" if _OF_ALL.search(inside) else inside

    def begun_case(self, line: int, column: int) -> int | None:
        """Where the numbered case of a formula begins; None for one of no such case."""
        inside = self.numbered_case(line, column)
        return self.position(line, column) - len(inside) if inside else None

    def begins(self, line: int, column: int) -> bool:
        """A sentence begins with a formula: what is said before it has ended."""
        before = _OPENER.sub("", self.text[: self.position(line, column)]).rstrip()
        return not before or before[-1] in ".!?"

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

    def is_a_solution(self, line: int, column: int, latex: str) -> bool:
        """The words behind a formula say that it solves something: $x = …$ solves it if."""
        end = self.position(line, column) + len(latex)
        return _SOLVES.match(self.text, end) is not None

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

    def any_other(self, one: tuple[int, int], other: tuple[int, int], name: str) -> bool:
        """Words between two places take a name for any of a kind: let $A$ be orthogonal."""
        stem, _, label = name.partition("_")
        stem = re.escape(stem) + (rf"\s*_\s*\{{?{re.escape(label)}\}}?" if label else "")
        between = self.text[self.position(*one) : self.position(*other)]
        if re.search(_LET_BE.format(stem), between):
            return True
        return re.search(_FOR_ANY.format(stem), self.leading(*other)) is not None

    def moves_on(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        """A sentence behind that of the first place speaks of another case, up to the second."""
        behind = FORMULA.sub(_ellipsis, self._behind(one, other))
        return any(x.search(behind) for x in (_CONDITION, _STATE, ALWAYS))

    def _behind(self, one: tuple[int, int], other: tuple[int, int]) -> str:
        """The text between two places without the sentence of the first."""
        between = self.text[self.position(*one) : self.position(*other)]
        _, *behind = STOP.split(between, maxsplit=1)
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
        stated, last_words, last = (but.sub(" ", x) if but else x for x in (words, parts[-1], last))
        if _TO_ZERO.match(self.text, self.position(line, column)):  # setting ∂J/∂x = … to zero
            stated = re.sub(r"\bsetting\b", " ", stated, flags=re.IGNORECASE)
        said = _CONDITION.search(stated) or _CASE.search(last) or _ELSEWHERE.search(last_words)
        said = said or (_PLACED_FIRST.fullmatch(words) if "=" in last else None)
        return words if said or _FOR_SUCH.search(last) or loosely(stated, last) else ""

    def under_an_if(self, line: int, column: int) -> bool:
        """The sentence of a formula says before or behind it when something holds."""
        end = self.position(line, column)
        behind = STOP.split(FORMULA.sub(_ellipsis, f"${self.text[end : end + REACH]}"))[0]
        return _IF.search(f"{self.sentence(line, column)} {behind}") is not None

    def _last_place(self, leading: str) -> str:
        """The words behind the last formula that a list of places has: …, at $s = 2 b$ it is."""
        places = [*_LISTED_PLACE.finditer(leading)]
        return leading[places[-1].start("at") :] if places else leading

    def supposed(self, line: int, column: int) -> list[str]:
        """The formulas in the words before one, without spaces."""
        leading = self._last_place(self.leading(line, column))
        found = (re.sub(r"[\s$]|\\[()]", "", m[0]) for m in FORMULA.finditer(leading))
        return [re.sub(r"[.,;]$", "", latex) for latex in found]
