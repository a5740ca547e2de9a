r"""The formulas in sentences: which of them are equations that hold there, and which are not.

What stands behind "if" is part of a condition, behind "for" an example, and what the words deny
or call wrong is none of the text's statements.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from . import premises, remainders
from .denied import denied
from .source import Display, Source
from .units import inside
from .vocabulary import IF

_UNSURE = re.compile(  # in the clause before: we do not assume, if we assume
    r"\b(?:not|no|none|never|neither|nor|cannot|without|unless|instead|whether|"
    rf"{IF}|hardly)\b|n't\b",
    re.IGNORECASE,
)
REACH = 300  # characters before a formula that may belong to its sentence
_EQUATION = re.compile(r"(?<![<>!\\])=|\\(?:approx|equiv|coloneqq|triangleq)(?![a-zA-Z])|[≈≡]")
_NESTED = re.compile(r"\((?:[^()]|\([^()]*\))*\)|\{(?:[^{}]|\{[^{}]*\})*\}|\[[^\[\]]*\]")
SENTENCE = re.compile(
    r"[.!?:](?=(?:\*\*?|__?)?\s)|\n[ \t]*\n|(?:^|(?<=\n))\#{1,6}[ \t][^\n]*\n|\$\$|\\\]"
    r"|\\end\{\w+\*?\}|\\(?:chapter|(?:sub){0,2}section)\*?\{[^}]*\}"
)
_VALUE = re.compile(  # n = 4, i = 1, …, n: an example, or how far something goes
    r"(?:\s*[a-z]\s*,)*\s*(?:\\(?:math\w+|boldsymbol|bm|text|hat|tilde|bar|vec|dot)\s*\{[^{}]*\}|\\?[A-Za-z]+)'*"
    r"(?:_(?:\\?\w|\{[^{}]*\})|\^(?!\s*\{?\d)(?:\\?\w|\{[^{}]*\}))*'*\s*"  # and no x_i^2 = 1
    r"=\s*(?:[\[(]?[-\d.,\s{}]+[\])]?\s*|\\infty\s*|[^()\[\]+*]*(?:\\[lc]?dots|\.\.|…).*)",
    re.DOTALL,
)
_FRACTION = re.compile(  # x = 1/3, a value where it stands at a place
    r"\s*\\?[A-Za-z]+'*(?:_(?:\\?\w|\{[^{}]*\}))?\s*=\s*-?\s*"
    r"(?:\d+\s*/\s*\d+|\\[dt]?frac\s*(?:\d|\{\d+\})\s*(?:\d|\{\d+\}))\s*"
)
_PLACE = re.compile(r"\b[Aa]t\s*(?:$|\$[^$=]*=)")
_GIVEN = re.compile(
    r"\b(?:[Ww]ith|[Ww]here|[Ss]ince|[Bb]ecause|such that|[Ss]atisf\w+|[Gg]iven|[Uu]sing|[Ll]et|"
    r"[Rr]ecall\w*|[Nn]ot(?:e|ing)|[Dd]enot\w+|"
    r"(?<!long )(?<!soon )[Aa]s(?! (?:the|an?|in|long|soon)\b)|"
    r"[Ff]or(?! (?:the|an?)\b))\b"
)
_RESULTS = re.compile(  # with $W^\top W = I$ the trace is $…$, and what else is
    r"\$[^$]*=[^$]*\$(?:[^$.;]|\$[^$=]*\$)*\b(?:is|are|was|equals?|reads?|becomes?|gives?|yields?|ha(?:s|ve)|"
    r"obtains?|gets?|finds?)\s+(?:that\s+)?\$"
)
_BEFORE = re.compile(r"\W*(?:With|Since|Because|As|Given|For|Using)\b")  # a main clause behind it
_THEN = re.compile(r"\bthen\b")
_SAYS = re.compile(  # its verb
    r"\b(?:is|are|was|equals?|reads?|becomes?|gives?|ha(?:s|ve)|gets?|obtains?|finds?|yields?|obeys?|"
    r"follows|holds|amounts to|that)[\s:]*$"
)
_WHETHER = re.compile(  # what stands behind these is true sometimes, or not at all
    r"\b(?:not|[Ff]or (?:a|the|this) moment|[Ii]nstead|"
    r"wrong\w*(?! with (?:an? |the |some )?(?:probability|chance|rate|odds)\b)|[Nn]ear|"
    r"(?<![Ii]n )(?!(?<=[Ii]n the )case (?:\$|\\\())cases?|until|incorrect\w*|erroneous\w*|"
    r"mis(?:quoted|stated|printed|taken\w*|written))\b"
)
_PROVIDED = re.compile(  # what is part of a condition
    rf"\b(?i:{IF}|unless|whether)\b"
    r"|\b[Aa]t(?:\s+(?!(?:is|are|was|be|equals?|reads?|becomes?|gives?|ha[sd]|we)\b)"
    r"[\w-]+){0,3}\s*(?:$|(?=(?:\$|\\\()[^$=]*=))"  # at $x = 0$, and not: at the data is $m = …$
)
_LIES = re.compile(  # the vertex is at $x_0 = …$: where it is, and no condition
    r"\b(?:(?:is|are|was|were|be|lies?|sits?|occurs?|located|attained|reached|found|achieved|taken|hits?|"
    r"(?:minim|maxim)(?:al|um)|attains?|reaches|has)(?:\s+(?:its|the|a|an)(?:\s+[\w-]+){1,2})?)\s+at\s*"
    r"(?=(?:\$|\\\()[^$=]*=)"
)
_AT_NUMBER = re.compile(  # H(1/2) = …, which says where by itself
    r"\s*\\?[A-Za-z]+'*(?:_\w)?\s*(?:\\left)?\(\s*-?\s*"
    r"(?:[\d.,/ ]|\\pi|\\[dt]?frac\s*\{?\d+\}?\s*\{?\d+\}?)+\s*(?:\\right)?\)\s*(?:=|\\approx)"
)
_EQUATED = re.compile(r"\s*\\?[A-Za-z]+\s*=\s*\\?[A-Za-z]+\s*")  # for $u = v$
_AT_NAMED = re.compile(  # at the price $p(q_m) = …$
    r"\s*\\?[A-Za-z]+\s*\(\s*(?:\\?[A-Za-z]+\s*(?:_|\^\s*\{?\*)|\\(?:hat|bar|tilde)\b)[^()=]*\)\s*="
)
_VALUE_AT = re.compile(  # the value at one time constant $y(\\tau) = …$
    r"\b(?:value|slope|height|speed|rate)\s+(?:at|after)(?:\s+[\w-]+){1,4}\s*$"
)
_APPLIED_TO = re.compile(r"\s*\\?[A-Za-z]+'*\s*\(\s*\\?[A-Za-z]+\s*\)\s*=")
_MAIN = re.compile(  # the clause that an if or when is said of, behind its comma
    r",\s+(?!(?:and|or|but|for|say|where|which|with|in|that|namely|both|e\.g|i\.e)\b)[A-Za-z]+\s+(?!and\b)"
    r"[a-z]+|\b(?:then|thus|hence|therefore|so|since|because)\b"
    # at $x = 1$ it is
    r"|\$\s+(?:it|this|there|we|one|the(?:\s+[\w-]+){1,3})\s+(?:is|are|has|have|equals?|gives?|reads?|"
    r"becomes?|gets?|finds?|obtains?|yields?|checks?|computes?|verif(?:y|ies)|sees?)\b"
)
_WHERE = re.compile(  # at $x = 1$, where the slope is
    r"\s*\$[^$]*\$,\s+where\s+(?:[\w-]+\s+){1,5}(?:is|are|equals?|has|reads?|becomes?)\s"
)
_AT_ONCE = re.compile(r",\s*(?:\$[^$]*\$,?\s*(?:and\s*)?)*$")  # if …, $a = b$ and $c = d$
_COMMA = re.compile(r"[\w$)],\s*$")
_CASE = re.compile(r"\b[Ii]n\s+(?:the|this|that|one)\s+(?:[\w-]+\s+){0,3}(?:case|limit|regime)\b")
_CASE_OF = re.compile(r"\b[Cc]ase\s+(?:\w+|\(\w+\))\s*[:.,]\**\s*(?:[Ww]e have\s+)?$")  # Case 1:
_WITH = re.compile(r"\$[\s,]*(?:with|where)\s*$")  # behind a formula
_SLOPE = re.compile(r"\\(?:partial|nabla)(?![a-zA-Z])|\\frac\s*\{\s*(?:d|\\mathrm\{d\})")
_SQUARE = re.compile(r"[^=+]*\^\s*\{?\d[^=+]*=\s*-?[\d.]+\s*")
_FOR = re.compile(r"\b[Ff]or\s*$")  # for $\sigma^2 = 1$: a case, and nothing that holds
_AT = re.compile(r"\b[Aa]t\s*$")
_POINT = re.compile(  # r_0 = … and x^* = …, and no d_k = … of a step
    r"\s*\\?[A-Za-z]+\s*(?:[_^]\{?(?:\d+(?:/\d+)?|\*|\\star|\\ast|\\\w+\{\w+\})\}?)\s*="
)
_AT_SIZE = re.compile(  # at inverse temperature $\beta = 1/(k T)$, at the price; and no point
    r"\b[Aa]t\s+(?:(?:an?|the|its|constant|angular|inverse|given|fixed|unit)\s+){0,3}(?!(?:points?|place|"
    r"position|times?|moment|instant|step|iteration|values?|level|node|vertex|end|start|origin|boundary|"
    r"(?:optim|minim|maxim|extrem|equilibri|stationar|critical|saddle|inflection|solution|peak|root|zero|"
    r"threshold|resonance|infinity|convergence|saturation|limit|rest|first|last|least|most|once|all|"
    r"this|that|which|it)\w*)\b)[a-z-]+\s*$"
    r"|\b(?:run|move|travel|propagate|spin|rotate|turn|drift)s?\s+at\s*$"  # waves run at
)
_AT_LEAST = re.compile(  # at the minimum $L(\hat w) = …$, which says where by itself
    r"\b[Aa]t\s+(?:the|its|this|that)\s+(?:[\w-]+\s+){0,2}"
    r"(?:optim|minim|maxim|extrem|equilibri|stationar|critical|saddle|solution|fixed\s+point)\w*"
    r"(?:\s+point)?,?\s*(?:\$[^$]*\$[\s,]*(?:and\s+)?)*$"
)
_SAME_AS = re.compile(  # A = B, which can also be written as $C$
    r"[\s,.;]*(?:\$\$?|\\[\])]|\\end\{\w+\*?\})?[\s,.;]*(?:which|this|that)\s+"
    r"(?:can\s+(?:also\s+)?(?:(?:be\s+)?(?:re)?written|be\s+expressed)\s+as|"
    r"(?:is|becomes)\s+(?:the\s+same\s+as|equal\s+to|equivalent\s+to)|equals|(?:simplifies|"
    r"reduces)\s+to)\s*\$?\s*"
)
_GOES_ON = re.compile(  # behind it nothing is said of when
    r"\$?\)?\s*(?:[.,;]|\n|$)(?!\s*(?:if|when|for|where|unless|provided|at|in|as|to|up|near)\b)"
)
_OPERATED = re.compile(r"[-+*/(]|\\[dt]?frac|\\sqrt|\\cdot|\^")
_STANDS = re.compile(  # the bob hangs at $x = \ell \sin\phi$: where it is, and no maximum
    r"^(?!.*\b(?:optim|minim|maxim|extrem|equilibri|stationar|critical|root|zero|vertex|peak)\w*)"
    rf"(?!.*\b(?:{IF}|unless|until|once)\b)"
    r".*\b(?:(?:hangs?|sits?|(?:is|are) (?:located|positioned|placed|found|held)|"
    r"ha(?:s|ve) (?:its|the|their) [a-z]+)|"
    r"(?:mass|bob|particle|bead|ball|body|end|tip|charge|weight|joint|point)\s+is)\s+at\s*"
    r"(?:\$[^$]*\$[\s,]*(?:and\s+)?)*$",
    re.DOTALL | re.IGNORECASE,
)
_LIES_HERE = re.compile(  # the resonance is at $\omega_s = \sqrt{k/m}$
    rf"^(?!.*\b(?:{IF}|unless|until|once)\b).*\b"
    r"(?:is|lies|sits|occurs|appears|comes|(?:is )?located)\s+at\s*$",
    re.DOTALL | re.IGNORECASE,
)
_AT_THE = re.compile(r"\b[Aa]t\s+(?:the|its|an?)\s+(?:[\w-]+\s+){1,3}$")  # at the corner frequency
_SUBSCRIPT = re.compile(  # \omega_c = … and E_{\mathrm{F}} = …, and no x_k = … of a step
    r"\s*\\?[A-Za-z]+\s*_\s*\{?\s*(?![i-nst]\b)(?:[A-Za-z]|\\\w+\{\w+\})\s*\}?\s*="
)
_MADE = re.compile(  # ω, x, and R and C of RC
    r"\\[a-z]+\b(?<!frac)(?<!left)(?<!right)|(?<![A-Za-z\\_{])(?:[A-Za-z]|[A-Z]{2,})(?![A-Za-z])"
)
_FRACTIONS = re.compile(r"\\[dt]?frac\s*\{|(?<=\})\s*\{")  # a fraction begins, or goes on below
_MAYBE = re.compile(  # set $P = A A^\top$ gives P its meaning, and set $T = 1$ an example of T
    r"\b(?:[Aa]ssum\w+|[Ss]uppos\w+|[Ss]et(?! (?:is|of)\b)|[Ss]etting|[Cc]hoos\w+|[Rr]eplac\w+)"
    r"(?:\s+(?!(?:gives?|yields?|leads|shows|implies)\b)[\w-]+){0,3}(?:\s*\$[^$\n]*\$,?(?:\s+and)?)*\s*$"
)
_ASSUMED = re.compile(r"\b(?:assum\w+|suppos\w+)(?:\s+that)?(?:\s+\w+){0,2}\s*$", re.IGNORECASE)
_LETTER = re.compile(
    r"\\(?:(?:var)?epsilon|eta|xi|nu|omega|zeta|delta)(?![A-Za-z])|(?<![A-Za-z\\])[a-z](?![A-Za-z])"
)
_LAW = r"(?:E|Var|Cov|V)\s*\}?\s*(?:\\left\s*)?[\[(]\s*"  # 𝔼[ε], Var(ε)
_NAMED = re.compile(
    r"\s*(\\?[A-Za-z]+|\\(?!sum|prod|int)\w+\s*\{?\s*\\?\w+\s*\}?)'*\s*(?:[_^]\{?\w+\}?)?\s*="
)
_BLANK = re.compile(r"\n[ \t\r]*\n(?!\s*(?:\$\$|\\\[|\\begin))")  # where no display goes on
_BEGINS = re.compile(  # the sentence begins with if
    r"^\W*(?:[A-Z]\w+ [\d.]+[*_:.]*\s+)?(?:(?!only\b|even\b|as\b)[\w-]+,?\s+){0,2}"
    rf"(?i:{IF})\b"
    r"(?:[^,;$]|\$[^$]*\$)*$"
)
_LONE = re.compile(r"\\(?!frac|sqrt|left|right)[a-z]+|(?<![\\A-Za-z])[A-Za-z](?![A-Za-z])")
_MARKS = re.compile(  # of formulas between numbers
    r"\\(?:log|ln|exp|sqrt|[dt]?frac|approx|cdot|times|pi|sin|cos|tan|left|right|quad|,|;|!)(?![A-Za-z])"
)
_LETTERS = re.compile(r"[A-Za-z]")
_CLAIM = re.compile(r"(?:\$|\\\()[^$=]*=[^$]*?(?:\$|\\\))")
_TO_ZERO = re.compile(r"\s*(?:equal\s+)?to\s+(?:zero|\$?0)\b")
_OPENS = re.compile(r"\s*(?:\$\$|\\\[|\\begin)")  # a display
_APPLIED = re.compile(
    r"\s*\\?[A-Za-z]+(?:_\w)?\s*\(\s*\\?[A-Za-z]+(?:\s*,\s*\\?[A-Za-z]+)*\s*\)\s*="
)
_HEADING = re.compile(r"^\#{1,6}[ \t]|\\(?:chapter|(?:sub){0,2}section)\b", re.MULTILINE)


def _products(formula: str) -> bool:
    """A B = B A, which gives no name its meaning: both sides are made of the same letters."""
    sides = [sorted(re.findall(r"\\?[A-Za-z]+", side)) for side in formula.split("=")]
    return len(sides) == 2 and sides[0] == sides[1] and len(sides[0]) > 1


def _provided(words: str, behind: str, formula: str = "x") -> bool:
    """Behind these words of its sentence a formula is part of an if, and not of what then holds."""
    words = _LIES.sub(" there ", words)
    said = list(_PROVIDED.finditer(words))
    at = bool(said) and said[-1][0].split()[0].lower() == "at"
    where = _AT_NUMBER.match(formula) or (_APPLIED_TO.match(formula) and _VALUE_AT.search(words))
    where = where or (
        _AT_NAMED.match(formula) and (_AT_SIZE.search(words) or _AT_LEAST.search(words))
    )
    if at and (where or not _LETTERS.search(_MARKS.sub("", formula))):
        return False  # it grows at $2 \cdot 3 = 6$
    if not said or _MAIN.search(words, said[-1].end()):
        return False
    if at and _WHERE.match(words, said[-1].end()):
        return False
    rest = SENTENCE.split(behind)[0]
    return not _AT_ONCE.search(words, said[-1].end()) or bool(_MAIN.search(rest))


def _given(words: str, behind: str) -> bool:
    """Words take a formula for true, and do not conclude it: with $q = 1 - p$ the rate is …."""
    said = list(_GIVEN.finditer(words))
    begins = _BEFORE.match(words)
    if not said or _RESULTS.search(f"{words}$", said[-1].end()):
        return False
    if _THEN.search(words, said[-1].end()) and _PROVIDED.search(words, 0, said[-1].start()):
        return False  # if $A$ commutes with $B$, then
    first = begins is not None and begins.end() == said[-1].end()
    return not (first and _concludes(words, said[-1].end(), behind))


def _concludes(words: str, start: int, behind: str) -> bool:
    """The main clause has its verb before the formula, or is the formula: for even $n$, $…$."""
    if _MAIN.search(words, start) or _SAYS.search(words, start):
        return True
    rest = SENTENCE.split(behind)[0].lstrip(", ")
    goes_on = _MAIN.search(f"$, {rest}") or _OPENS.match(behind)
    return bool(_COMMA.search(words, start)) and not goes_on


def _derives(name: str, behind: str) -> bool:
    """The next formula is a derivative of what has this name, as a number or applied."""
    stem = re.escape(name.split("(")[0].strip())
    slope = rf"\\[dt]?frac\s*\{{\s*(?:d|\\partial|\\mathrm\{{d\}})\s*(?:\^\d\s*)?{stem}(?![A-Za-z])"
    shown = rf"(?:\$\$?|\\[(\[])\s*(?:{stem}\s*'|{slope})"
    return (
        re.match(rf"[\s,$]*(?:then|we (?:have|get|find)|it follows that)?[\s,:]*{shown}", behind)
        is not None
    )


def _concluded(words: str, formula: str, behind: str) -> bool:
    """Behind a formula of its if a sentence says an equation."""
    rest = SENTENCE.split(behind)[0]
    before = f"{words}${formula}$"
    claims = [(m.start(), m.end()) for m in _CLAIM.finditer(rest)]
    claims += [(len(rest), len(rest))] if _OPENS.match(behind, len(rest.rstrip(" \t\n:,"))) else []
    return any(not _provided(before + rest[:at], rest[end:]) for at, end in claims)


def unsure(words: str) -> bool:
    """The clause before a formula says that it may not hold."""
    return _UNSURE.search(re.split(r"[,;:.]\s", words)[-1]) is not None


@dataclass
class Spoken:
    """Takes the formulas of the sentences of a text, one after the other, into its source."""

    source: Source
    strict: bool
    seen: list[str] = field(default_factory=list)  # formulas before

    @property
    def text(self) -> str:
        """The text."""
        return self.source.text

    def take(self, start: int, end: int, edges: tuple[int, int]) -> None:
        """A formula, kept where it is an equation; edges are those of it with its $."""
        formula = self.text[start:end]
        bare = _NESTED.sub(" ", formula)
        before = self.text[max(0, edges[0] - REACH) : edges[0]]
        words = "case " if _CASE_OF.search(before) else SENTENCE.split(before)[-1]
        case = _FOR.search(words) and (_SQUARE.fullmatch(formula) or _products(formula))
        valued = _VALUE.fullmatch(inside(formula)[0]) or case
        valued = valued or (_FRACTION.fullmatch(formula) and _PLACE.search(words))
        behind = _BLANK.split(self.text[edges[1] : edges[1] + REACH])[0]
        if not denied(words, behind) and not self.strict and (valued or _EQUATION.search(bare)):
            place = Display(start, end)
            ruled = valued and self._defined(formula) and self._ruled(place, words, behind)
            if valued and not ruled:
                self._value(place, words)
            else:
                self._equation(place, words, behind, edges[0])
        elif not denied(words, behind) and not self.strict:
            self._joined(Display(start, end), edges)
        self.seen.append(formula)

    def _joined(self, place: Display, edges: tuple[int, int]) -> None:
        """What words say that the side before it is: A = B, which can also be written as $C$."""
        formula = self.text[place.start : place.end]
        if not (_OPERATED.search(formula) and _GOES_ON.match(self.text, edges[1])):
            return
        near = (*self.source.displays, *self.source.inline.values())
        before = max((d for d in near if d.end <= place.start), key=lambda d: d.end, default=None)
        if before is None or place.start - before.end > REACH:
            return
        if _SAME_AS.fullmatch(self.text, before.end, place.start):
            self.source.inline[place.start] = place
            self.source.joined[place.start] = before

    def _value(self, place: Display, words: str) -> None:
        self.source.values.append(place)
        if _FOR.search(words) or _WHETHER.search(words) or _PROVIDED.search(words):
            self.source.supposed.add(place.start)

    def _equation(self, place: Display, words: str, behind: str, edge: int) -> None:
        formula = self.text[place.start : place.end]
        at = _AT.search(words) or _AT_THE.search(words)
        marked = _POINT.match(formula) or _SUBSCRIPT.match(formula)
        point = (at and marked) or self._sized(formula, words)
        named = (point and self._is_new(formula)) or self._besides(formula, words)
        named = named or self._stands(place, words)
        if not named and self._named_by_if(place, words, behind):
            named = True
            self.source.namings.append(edge - len(words.lstrip()))
        case = _FOR.search(words) and _EQUATED.fullmatch(formula) and not self._is_new(formula)
        ruled = self._ruled(place, words, behind)
        aside = case or _WHETHER.search(words) or _provided(words, behind, formula)
        vanishes = _SLOPE.search(formula) and _TO_ZERO.match(behind)  # setting $dT/dx = …$ to zero
        if (named or ruled or not aside) and (vanishes or not self._example(formula, words)):
            self.source.inline[place.start] = place
            maybe = _MAYBE.search(words) and not vanishes
            if (_given(words, behind) or maybe) and not (ruled or unsure(words)):
                self.source.given.add(place.start)

    def _ruled(self, place: Display, words: str, behind: str) -> bool:
        """True under a condition that its sentence states, on its indices or for each of cases."""
        if remainders.beside(words, behind):
            return True
        return premises.rules(self.source, place) or premises.listed(self.source, place)

    def _defined(self, formula: str) -> bool:
        """True of a component of δ, or of what an equation of the text gives."""
        name = formula.partition("_")[0].partition("^")[0].strip()
        own = rf"(?<![A-Za-z\\]){re.escape(name)}\s*[_^][^=$]*=(?!\s*-?(?:[\d.\s]*\$|\s*\\infty))"
        return name == r"\delta" or re.search(own, self.text) is not None

    def _sized(self, formula: str, words: str) -> bool:
        """True for at inverse temperature $\\beta = 1/(k T)$, which says what β is made of.

        And for at the corner frequency $\\omega_c = 1/\\tau$, a label that no index is.
        """
        left, _, right = formula.partition("=")
        if _SUBSCRIPT.match(formula) and _AT_THE.search(words):
            return bool(_MADE.search(_FRACTIONS.sub(" ", right)))
        several = (
            len({*_MADE.findall(_FRACTIONS.sub(" ", right))}) > 1
            and _NAMED.match(formula) is not None
        )
        return several and "_" not in left and _AT_SIZE.search(words) is not None

    def _stands(self, place: Display, words: str) -> bool:
        r"""True for the bob hangs at $x = \ell \sin\phi$, where nothing is said of x before.

        And for the resonance is at $\omega_s = \sqrt{k/m}$.
        """
        formula = self.text[place.start : place.end]
        name, _, right = formula.partition("=")
        made = {*_MADE.findall(_FRACTIONS.sub(" ", right))}
        said = _STANDS.search(words) or _LIES_HERE.search(words)
        if not said or _NAMED.match(formula) is None or len(made) < 2:
            return False
        shown = (self.text[d.start : d.end] for d in self.source.displays if d.end < place.start)
        own = re.compile(rf"(?<![A-Za-z\\]){re.escape(name.strip())}(?![A-Za-z])")
        return not any(own.search(text) for text in (*self.seen, *shown))

    def _named_by_if(self, place: Display, words: str, behind: str) -> bool:
        r"""True for if $z = x^2 y$, then … = …, which gives a name its meaning for what follows.

        It is no case of what is said elsewhere: the name is new, stands in this section alone and
        has no other value, and it is made of several things; or it is that of a derivative.  Of
        several functions, each with its derivative, every one is an example of its own.
        """
        formula = self.text[place.start : place.end]
        name, _, right = formula.partition("=")
        name = name.strip()
        if not _BEGINS.search(words) or "=" in right or not _concluded(words, formula, behind):
            return False
        if _NAMED.match(formula) is None and _APPLIED.match(formula) is None:
            return False
        if _derives(name, behind):
            return True
        compound = len({*_LONE.findall(right)}) > 1 or _APPLIED.match(formula)
        sloped = _SLOPE.search(formula) and "'" not in formula
        own = rf"(?<![A-Za-z\\]){re.escape(name)}"
        again = re.findall(rf"{own}\s*&?=", self.text)
        if not (compound or sloped) or len(again) != 1 or not self._is_new(formula):
            return False
        end = _HEADING.search(self.text, place.end)
        later = self.text[end.start() :] if end else ""
        return bool(sloped) or not re.search(rf"{own}(?![A-Za-z])", later)

    def _besides(self, formula: str, words: str) -> bool:
        r"""True for in the one case the solution is … with $\omega_d = …$, said of no other ω_d."""
        if not _WITH.search(words) or not _CASE.search(words) or formula.count("=") != 1:
            return False
        if _NAMED.match(formula) is None:
            return False
        name, right = (re.sub(r"[{}\s]", "", side) for side in formula.split("="))
        own = rf"(?<![A-Za-z\\]){re.escape(name)}(?![A-Za-z])"
        text = re.sub(r"[{}\s&]", "", self.text)
        alone = len(re.findall(rf"{own}=", text)) == 1
        return alone and len({*_MADE.findall(formula)}) > 1 and not re.search(own, right)

    def _is_new(self, formula: str) -> bool:
        """True for the r_0 of: at $r_0 = …$, where it stands nowhere before."""
        name = formula.split("=")[0].strip()
        displays = self.source.displays
        before = [*self.seen, *(self.text[d.start : d.end] for d in displays)]
        written = re.compile(rf"(?<![A-Za-z\\]){re.escape(name)}(?![A-Za-z])")
        return not any(written.search(text) for text in before)

    def _example(self, formula: str, words: str) -> bool:
        """True for set $T = 1$, where T stands in the text before."""
        maybe, given = (list(p.finditer(words)) for p in (_MAYBE, _GIVEN))
        if not maybe or (given and given[-1].start() > maybe[-1].start()):
            return False
        named = _NAMED.match(formula)
        if named is None:  # assume that $x^\top v = 0$, which gives no name a value
            return _ASSUMED.search(words) is None
        left = formula.partition("=")[0].strip()  # of δ_1 beside δ_2 all of it
        own = re.escape(left if "_" in left else named[1])
        stem = re.compile(rf"(?<![A-Za-z\\]){own}(?![A-Za-z])")
        text, displays = self.text, self.source.displays
        before = [*self.seen, *(text[d.start : d.end] for d in displays)]
        return any(map(stem.search, before)) and not self._model(formula)

    def _model(self, formula: str) -> bool:
        """True for y = X β + ε with an ε that the text says is random: it holds from there on."""
        noise = (re.escape(n) for n in _LETTER.findall(formula.partition("=")[2]))
        return any(re.search(rf"{_LAW}{n}(?![A-Za-z])|{n}[\w{{}}]*\s*(?:\\sim\b|∼)", self.text)
                   for n in noise)  # fmt: skip


__all__ = ["REACH", "SENTENCE", "Spoken", "unsure"]
