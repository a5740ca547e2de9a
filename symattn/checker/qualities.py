"""What the words of a text say of the values of names: centred, of unit norm, the rows of another.

Such a name is not free, though no equation says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ..read.words import LINK

SENTENCES = 1 << 12  # of which it is kept what they say
INLINE = re.compile(r"(?<![\\$])\$(?!\$)([^$\n]+)\$(?!\$)|\\\((.+?)\\\)")
SENTENCE = re.compile(r"[.!?](?=\s)|\n[ \t]*\n")  # where one ends
NAMES = re.compile(r"(?<=\\)[A-Za-z]+|(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])")  # in a formula
DISPLAY = r"\\begin\{(?P<env>(?:equation|align|gather|multline|eqnarray|displaymath)\*?)\}"
FORMULA = re.compile(
    r"```\{?math\}?.*?```|"
    r"\.\.[ \t]+math::[^\n]*(?:\n[ \t]+\S[^\n]*|\n[ \t]*(?=\n))*|"
    r"\$\$.*?\$\$|\$[^$\n]*\$|\\\[.*?\\\]|\\\(.*?\\\)|" + DISPLAY + r".*?\\end\{(?P=env)\}",
    re.DOTALL,
)
_SIZE = re.compile(r"\$\s*\w+\s*\\times\s*\w+\s*\$")  # an idempotent $n \times n$ matrix
_PART = re.compile(  # q_i and k_j … rows of Q and K
    r"(?P<before>[^.;\n]*(?:\n(?!\s*\n)[^.;\n]*)?)"
    r"\b(?:rows?|columns?|entry|entries|elements?|components?|slices?|blocks?)\s+(?:vectors?\s+)?of\b"
    r"(?!\s+(?:ones|zeros|zeroes|constants|numbers)\b)"
    r"(?P<after>[^.;]{0,60})"
)
_QUALITY = re.compile(  # of the values of a tensor, and no word of its shape
    r"\b(?:unit[- ](?:norm|length|magnitude|variance|vectors?)|(?:\w+-)?normali[sz]ed|"
    r"standardi[sz]ed|"
    r"(?:norm|length|magnitude|modulus|sum|variance)s?(?: is| are| of| equals?)? (?:one|1|unity)|"
    r"whitened|(?:de-?mean|cent)(?:er)?ed|centred|(?:zero|vanishing)[- ](?:mean|average|sum)|"
    r"(?:mean|average)s?(?: is| are| of| equals?)? (?:zero|0)|"
    r"sum(?:s|ming)? to (?:zero|0)|(?:sum(?:s|ming)?|add(?:s|ing)?)(?: up)? to (?:one|1|unity)|"
    r"simplex|probabilities|probability vectors?|(?:sub|bi)?stochastic|"
    r"orthonormal|orthogonal|unitary(?= matri| operator| transform)|"
    r"sparse|one-hot|binary|spherical|plus or minus|right angles?|"
    r"(?:of|with|has|have|having) (?:unit |zero |vanishing )?(?:determinant|trace)|"
    r"(?:nil|idem|uni)potent|involut\w+|traceless|trace-free|unimodular|"
    r"(?:anti-?)?commut(?:e|es|ing)|"
    r"(?:is|are) (?:all |mutually )?(?:(?:anti-?)?parallel|perpendicular|collinear|"
    r"opposite|reciprocal|equal|identical|the same|integers?|even|odd|constant)|"
    r"coprime|divergence-free|solenoidal|irrotational|incompressible)\b(?!-)",
    re.IGNORECASE,
)
_MADE = (  # of another tensor, or by a condition
    r"(?:degree|gram|projection|projector|permutation|rotation|reflection|diagonal|identity|"
    r"cent(?:er|r)ing|averaging|inverse|pseudo-?inverse|transpose|laplacian|hessian|jacobian|"
    r"gradient|derivative|determinant|trace|rank|eigen\w+|singular\s+(?:value|vector)s?|"
    r"(?:all-)?ones|basis(?!\s+matri)|indicator|mask|solution|root|fixed\s+point|equilibrium|optim\w+|"
    r"minimi[sz]er|maximi[sz]er|estimator|residuals?|cofactor|adjugate)\b"
)
_NAMED = re.compile(  # \0 is a formula: $D$ is the diagonal matrix of …, the Hessian $H$
    r"(?P<before>(?<!\0)\0+)[\s,]*(?:(?:is|are|be|being|denotes?|as|for|which|contains?|holds?)\s+)*"
    rf"(?:the|a|an|its|their)\s+(?:[\w-]+\s+){{0,3}}?(?P<made>{_MADE})"
    r"(?=\s*(?:matri\w+|vectors?|operators?|map|basis)?\s*(?:of|on|onto|in|with|for|at|and|[,;.):\0]|$))|"
    rf"(?P<kind>{_MADE})(?:\s+(?:matrix|matrices|vectors?|operator|map))?\s+(?P<after>\0+)",
    re.IGNORECASE,
)
_OF_WHOLE = re.compile(  # $A + B$ is symmetric, and so need be neither of them
    r"\$(?P<whole>[^$=,]+)\$\s+(?:be|is|are|being)\s+(?:(?!not\b)[\w-]+\s+){0,3}?"
    r"(?P<said>(?:skew-|anti-?)?symmetric|diagonal|orthogonal|invertible|idempotent|"
    r"positive (?:semi-?)?definite)\b(?! to\b)"
)
_BELOW = re.compile(r"_(?:\{[^{}]*\}|\\[A-Za-z]+|\w)")
_SEVERAL = re.compile(r"[A-Za-z)][A-Za-z(+-]|\^|\+")
_SUM = re.compile(r"[^=]*[^=\s{(_^$]\s*[+-][^=]*")  # x + t d, and nothing of x is said
_TO = re.compile(r"\s+to\b")
_KIND = re.compile(r"\b(?P<quality>[\w-]+) (?P<kind>matri(?:x|ces)|vectors?)\b", re.IGNORECASE)
_INTRODUCED = re.compile(  # $Q \in \mathbb{R}^{n \times n}$, and let $v$ be a vector
    r"\$\s*(?P<name>\\?[A-Za-z]+)\s*(?:\\in\s*\\mathbb\s*\{?R\}?\s*\^\s*(?P<space>\{[^{}]*\}|\w)\s*)?\$"
    r"(?(space)|\s+(?:be|is|denotes?)\s+an?\s+(?:[a-z-]+\s+){0,3}(?:(?P<matrix>matrix)|vector)\b)"
)
_SIGNS = ("top", "T", "I", "operatorname", "mathbf", "bm", "boldsymbol", "left", "right")
STATISTIC = "a statistic"
_STATISTIC = re.compile(  # $s$ is the standard deviation of $x$, $m$ and $q$ are the sample means
    r"(?P<before>(?<!\0)\0+(?:[\s,]*(?:and|,)\s*\0+)*)[\s,]*"
    r"(?:(?:is|are|be|being|denotes?|as|for|which)\s+)+(?:the|an?|its|their)\s+(?:[\w-]+\s+){0,2}?"
    r"(?:means?|averages?|(?:co)?variances?|deviations?|correlations?(?: coefficients?)?|medians?|"
    r"moments?|norms?|sums?|totals?|midpoints?|centroids?|minimum|maximum)\b",
    re.IGNORECASE,
)
LABEL = re.compile(r"\\(hat|tilde|bar)\b|\^\s*\{?\s*(?:\\(?:star|ast)\b|\*)")
_CLAUSE = re.compile(r"[,;]|\b(?:and|with|where|for)\b")
_TOLD = re.compile(r"\b(?:is|are|be|being|have|has|denotes?|write|set|define)\b|=")
_MATHS = re.compile(r"(?:\$|\\\()\s*([^$]+?)\s*(?:\$|\\\))(?!\s*-?\s*(?:th|st|nd|rd)\b)")
_HEAD = re.compile(
    r"(?:\\(?:mathbf|bm|boldsymbol|vec|mathrm|mathit|hat|bar|tilde)\s*\{?\s*)?\\?([A-Za-z]+)"
    r"(?:\}?\s*_\s*\{?\s*(?:\\\w+\s*\{\s*)?(\w+))?"
)
_RESIDUAL = re.compile(  # X - \hat X, of which nothing is said that its definition does not say
    r"(?P<bare>\\?[A-Za-z]+)\s*(?:_\w\s*)?-\s*\\(?:wide)?(?:hat|tilde|bar)\s*\{?\s*(?P=bare)(?![A-Za-z]).*|"
    r"\\(?:wide)?(?:hat|tilde|bar)\s*\{?\s*(?P<name>\\?[A-Za-z]+)\s*\}?\s*(?:_\w\s*)?-\s*(?P=name)(?![A-Za-z]).*"
)
_RELATED = re.compile(
    r"(?:[<>≤≥⊥]|\\(?:leq?|geq?|leqslant|geqslant|ll|gg|perp|parallel|propto)(?![a-z]))"
)
_ORDERED = re.compile(r"\\(?:leq?|geq?|leqslant|geqslant)(?![a-z])|[<>≤≥]")
_ORDER = {sign: (1, strict) for strict, signs in ((True, "<"), (False, "≤ le leq leqslant"))
          for sign in signs.split()}  # fmt: skip
_ORDER |= {sign: (-1, strict) for strict, signs in ((True, ">"), (False, "≥ ge geq geqslant"))
           for sign in signs.split()}  # fmt: skip
_OF_DISPLAY = re.compile(  # … \\], which is the same as
    r"(?:\$\$|\\\]|\\end\{\w+\*?\})[\s,.]*(?:which|this|that|it)\b(?:[^$\\]|\\(?:eq)?ref\{[^}]*\})*\Z"
)
_EITHER = re.compile(  # $s$ is $1$ or $-1$
    r"(?P<name>\$[^$]+\$|\\\(.+?\\\))\s+(?:is|are|be|equals?|takes?|has|have)\s+(?:[a-z]+\s+){0,3}"
    r"\$[^$]{1,9}\$,?\s*(?:or|and)\s*\$[^$]{1,9}\$"
)
_SOLE = re.compile(  # one name, with a script or without
    r"(?:\\(?:mathbf|bm|boldsymbol|vec)\s*\{?\s*)?\\?([A-Za-z]+)\}?(?:[_^](?:\{[^{}]*\}|\\?\w+))*"
)


def letters(formula: str) -> set[str]:
    r"""The letters of a formula, also those side by side: a, b and alpha of ab\alpha."""
    return {x.lstrip("\\") for x in re.findall(r"\\[A-Za-z]+|[A-Za-z]", formula)}


def parts(text: str) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """The names that words call rows, columns or entries, and those that they are of."""
    for m in _PART.finditer(text):
        own, whole = _heads(m["before"]), _heads(m["after"])
        if own - whole and whole:
            yield frozenset(own - whole), frozenset(whole)


@lru_cache(maxsize=SENTENCES)
def told(sentence: str) -> tuple[tuple[str, str, str], ...]:
    """Names, each with its script and a word that the sentence says of it."""
    return (*_told(sentence),)


def _told(sentence: str) -> Iterator[tuple[str, str, str]]:
    sentence = _SIZE.sub(lambda m: " " * len(m[0]), sentence)
    words = _masked(sentence)
    for m in _NAMED.finditer(words):
        start, end = m.span("before" if m["made"] else "after")
        if _SUM.fullmatch(sentence, start, end):
            continue  # along $x + t d$ the derivative is
        label = LABEL.search(sentence, start, end)
        for stem, script in named(sentence[start:end]):
            own = f"{stem}_{label[1] or 'star'}" if label else stem
            yield own, script, f"said to be {m['made'] or m['kind']}"
    for m in _STATISTIC.finditer(words):
        for stem, script in named(sentence[slice(*m.span("before"))]):
            yield stem, script, STATISTIC
    for m in _OF_WHOLE.finditer(sentence):
        if "\\in" not in m["whole"] and _is_compound(m["whole"]):
            yield from ((x, "", m["said"]) for x in NAMES.findall(m["whole"]) if x not in _SIGNS)
    for m in _EITHER.finditer(sentence):
        yield from ((*name, "one of some values") for name in named(m["name"]))
    for clause in _clauses(sentence):
        here = named(clause)
        for said in _QUALITY.finditer(FORMULA.sub(lambda m: " " * len(m[0]), clause)):
            if _OF_DISPLAY.search(clause, 0, said.start()):
                continue
            if here or not said[0].startswith(("is ", "are ")):  # the slopes are equal there
                about = _of_one(said[0], clause) or here or named(sentence)
                if _TO.match(clause, said.end()):  # r is orthogonal to the columns of $A$
                    about = named(clause[: said.start()]) or about
                word = re.sub(r"^(?:with|has|have|having) ", "of ", said[0])
                yield from ((*name, word) for name in about)


def _is_compound(formula: str) -> bool:
    """More than one name with its marks and labels."""
    marks = r"\\(?:math\w+|bm|boldsymbol|hat|bar|tilde|vec)(?![A-Za-z])|[{}\s]"
    plain = re.sub(marks, "", _BELOW.sub("", formula))
    return _SEVERAL.search(re.sub(r"\\[A-Za-z]+", "x", plain)) is not None


def titled(section: str) -> Iterator[tuple[str, str, str]]:
    """The same of what a section introduces under its title: $Q$ under “Orthogonal matrices”."""
    title, _, body = section.strip().partition("\n")
    words = _KIND.search(title)
    if words is None or _QUALITY.search(words[0]) is None:
        return
    for m in _INTRODUCED.finditer(body):
        is_matrix = m["matrix"] or r"\times" in (m["space"] or "")
        if bool(is_matrix) == words["kind"].lower().startswith("matri"):
            yield m["name"].strip(" \\"), "", words["quality"].lower()


def _of_one(quality: str, clause: str) -> list[tuple[str, str]]:
    """The names of which alone a clause says it: R of “for $X$ we look for an orthogonal $R$”."""
    said = rf"\ban?\s+{re.escape(quality)}\s+(?:[a-z]+\s+){{0,2}}(\$[^$]+\$)"
    found = re.search(said, clause) if clause.count(quality) == 1 else None
    return named(found[1]) if found else []


@dataclass(frozen=True)
class Relation:
    """Names that a formula puts in an order, or calls at right angles.

    Of two of which one is larger, `order` is the smaller and the larger one, and `strict` says
    that they are not equal.
    """

    names: frozenset[str]
    said: str
    order: tuple[str, str] | None = None
    strict: bool = True


def relations(text: str) -> Iterator[Relation]:
    """The relations between names in formulas of sentences."""
    for formula in INLINE.finditer(text):
        said = formula[1] or formula[2]
        sides, signs = _RELATED.split(said), _RELATED.findall(said)
        heads = [m[1] for x in sides if (m := _SOLE.fullmatch(x.strip(" .,")))]
        if len(sides) == len(heads) > 1 and len({*heads}) == len(heads):
            plain = not any({"_", "^"} & {*x} for x in sides)  # x, and not x_i
            way = _ORDER.get(signs[0].lstrip("\\")) if len(signs) == 1 and plain else None
            order = None if way is None else (heads[0], heads[1])[:: way[0]]
            yield Relation(frozenset(heads), said, order, way is None or way[1])  # type: ignore[arg-type]


def ordered(formula: str) -> tuple[list[str], list[str]]:
    """What a formula puts in an order, and the signs; not the k < i of Σ_{k<i} or [k < i]."""
    found: tuple[list[str], list[str]] = [], []
    start = 0
    for sign in _ORDERED.finditer(formula):
        opened, closed = (
            sum(formula.count(x, start, sign.start()) for x in s) for s in ("([{", ")]}")
        )
        if opened == closed:
            found[0].append(formula[start : sign.start()])
            found[1].append(sign[0])
            start = sign.end()
    return [*found[0], formula[start:]], found[1]


def _masked(sentence: str) -> str:
    """The words of a sentence, with \\0 for every sign of a formula and links as their words."""
    words = FORMULA.sub(lambda m: "\0" * len(m[0]), sentence)
    return LINK.sub(lambda m: f" {m[1]} " + " " * len(m[2]), words)


def _clauses(sentence: str) -> Iterator[str]:
    """The parts of a sentence that say something: names alone belong to what comes after them."""
    words = _masked(sentence)
    start = 0
    for end in (*(m.start() for m in _CLAUSE.finditer(words)), len(sentence)):
        clause = sentence[start:end]
        if end == len(sentence) or _QUALITY.search(words, start, end) or _TOLD.search(clause):
            yield clause
            start = end


def _heads(text: str) -> set[str]:
    """The letters of the names in the formulas of a sentence."""
    return {name for name, _ in named(text)}


def named(text: str) -> list[tuple[str, str]]:
    """The letters of the names in the formulas of a sentence, each with what stands below it."""
    listed = (x for m in _MATHS.finditer(text) for x in re.split(r"[,;]|\\dots|\\ldots", m[1]))
    listed = (x.strip() for x in listed if not _RESIDUAL.fullmatch(x.strip()))
    found = ((m[1], m[2] or "") for x in listed if (m := _HEAD.match(x)))
    return list(dict.fromkeys(found))


__all__ = [
    "DISPLAY",
    "FORMULA",
    "INLINE",
    "LABEL",
    "NAMES",
    "SENTENCE",
    "Relation",
    "letters",
    "named",
    "ordered",
    "parts",
    "relations",
    "titled",
    "told",
]
