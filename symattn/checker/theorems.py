r"""Theorems on matrices that are understood to the last word: let $A$, $B$ be … matrices.  Then ….

What such a text says of any matrices, and matrices speak against, is wrong: nothing else is left
that may be meant.  Values are drawn that are as the words say and satisfy the equations before it.
Kronecker products are proved here too (kronecker.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from random import Random
from typing import TYPE_CHECKING

from ..errors import SymattnError
from ..read.source import UNFORESEEN
from ..read.tree import Chain, Node, spelled
from ..read.vocabulary import words
from . import kronecker, report
from .finding import Finding
from .matrix_trees import meant
from .matrix_values import Value, Values, drawn, equal, special
from .operators import Foreign, key, named_in
from .statements import Statement
from .ties import EXACT

if TYPE_CHECKING:
    from .judge import Judge

_KRONECKER = re.compile(r"\\otimes(?![A-Za-z])|\\operatorname\*?\s*\{\s*vec\s*\}|\\vec(?![A-Za-z])")
_LITERAL = re.compile(r"\s*\\begin\{[bp]?matrix\}")  # on the left, which names nothing
_ROWS = re.compile(
    r"\bstack\w* (?:the |its )?rows\b|\brow[- ]major\b|\brow by row\b", re.IGNORECASE
)
_KNOWN = words(
    "let and be a an the of by is are then we have has with for in that such suppose "
    "assume these where also both its it their this from hence thus so therefore follows "
    "matrix matrices square invertible nonsingular real size vector vectors number numbers "
    "scalar scalars any every all two three each reads says states gives obeys satisfies "
    "satisfy yields holds formula identity lemma rule theorem law block kronecker "
    "mixed-product denote denotes too push-through woodbury sherman morrison sylvester schur "
    "jacobi write on identities sherman–morrison sylvester's jacobi's schur's regression "
    "ridge rests entries real-valued general dimension dimensions time derivative "
    "derivatives dot whose "
)
_KINDS = words(  # what an equation says of the name before the word
    "projection projections idempotent nilpotent involution involutory hat cayley "
    "transform resolvent pseudoinverse complement reflection product products inverse "
    "inverses sum difference transpose determinant determinants trace "
)
_CONCLUDES = re.compile(  # and states no law: x satisfies A x = b
    r"\b(?:then|identity|formula|lemma|rule|says|reads|states|hence|thus|therefore|it follows|"
    r"has the inverse|inverses? is)\b[^.]*$",
    re.IGNORECASE,
)
_SUPPOSES = re.compile(
    r"\b(?:such that|with|where|if|when|let|suppose|assume|for which)\s*[,:]?\s*$", re.IGNORECASE
)
_FORMULA = re.compile(
    r"\$\$(?:[^$]|\\\$)+\$\$|\$(?:[^$\\]|\\.)+\$|\\\(.+?\\\)|\\\[.+?\\\]", re.DOTALL
)
_WORD = re.compile(r"[A-Za-z][\w'’–-]*")
_HEAD = re.compile(r"^(?:#{1,6} .*|\*\*[^*\n]+\*\*)$|\*\*[^*\n]+\*\*", re.MULTILINE)
_LISTED = re.compile(
    r"(?P<names>\\?[A-Za-z]+(?:_(?:\w|\{\w+\}))?(?:,\\?[A-Za-z]+(?:_(?:\w|\{\w+\}))?)*)"
    r"(?:\\in\\mathbb\{?R\}?(?:\^(?:\{(?P<rows>\w+)(?:\\times(?P<columns>\w+))?\}|(?P<one>\w)))?)?"
)
_SIZED = re.compile(r"(?P<rows>\w+)\\times(?P<columns>\w+)")
_SIGN = re.compile(r"\\otimes|\\operatorname\*?\{\w+\}|\\det|\\(?:math\w+|text)\{vec\}")
_SPACE = re.compile(r"\\mathbb\{?R\}?(?:\^\w)?")
_IS = re.compile(r"\b(?:be|is|are|being|denotes?|as|called)\b", re.IGNORECASE)
_PHRASES = re.compile(  # that say nothing of a name but its size, or are of every one that is drawn
    r"\bblock (?:upper|lower) triangular\b|\b(?:the )?Kronecker product\b|"
    r"\b(?:product rule|mixed-product)\b|\bin (?:general|block) form\b|\bparallel sums?\b|"
    r"\bthe same (?:size|dimensions?|order|shape|number of (?:rows|columns))\b|"
    r"\bfull (?:row |column )?rank\b|\b(?:column|row) vectors?\b|"
    r"\b(?:stack\w*|stacks) (?:the |its |all )*(?:rows|columns)\b|\b(?:row|column)[- ]major\b|"
    r"\b(?:smooth|differentiable) (?:matrix )?functions?(?= of (?:the )?(?:time|\$t\$))|"
    r"\bdepend(?:s|ing)?(?: smoothly| differentiably)?(?= on (?:the )?(?:time|\$t\$))|"
    r"\bfunctions?(?= of (?:the )?(?:time|\$t\$))",
    re.IGNORECASE,
)
_UNEQUAL = re.compile(r"\\n?eq?(?![a-z])|\\ne(?![a-z])|≠|>|\\geq?(?![a-z])")
SIZES = (2, 3)
DRAWS = 4
WORLDS = 12  # of each draw


@dataclass
class _Setting:
    """What a text says before a claim."""

    shapes: dict[str, tuple[str, str]] = field(default_factory=dict)
    numbers: set[str] = field(default_factory=set)  # names of sizes
    equations: list[Chain] = field(default_factory=list)

    @property
    def made(self) -> dict[str, Chain]:
        """The equations that say what a name is."""
        found = dict[str, Chain]()
        for e in self.equations:
            try:
                name = key(e.sides[0])
            except Foreign:
                continue
            if name not in self.shapes and name not in named_in(e.sides[1]):
                found.setdefault(name, e)
        return found

    @property
    def rules(self) -> list[Chain]:
        """The other equations."""
        made = [*self.made.values()]
        return [e for e in self.equations if not any(e is x for x in made)]


def theorem(judge: Judge, s: Statement, found: Finding) -> Finding:
    """The finding, or what matrices say of a theorem that is understood wholly."""
    tensors = _KRONECKER.search(s.latex) is not None
    open_ = found.verdict in (report.UNPROVED, report.SKIPPED)
    tensors = tensors or _LITERAL.match(s.latex) is not None
    if not (open_ or (tensors and found.verdict == report.DEFINITION)):
        return found
    alone = s.whole.rstrip(" .,;") == s.latex
    if s.number or s.relation not in EXACT or not alone:
        return found
    here = (s.line, s.column)
    own = next((e for e in judge.commutators.equations if e.place == here), None)
    if own is None or len(own.tree.sides) != 2:
        return found
    left, right = own.tree.sides
    rows = _ROWS.search(judge.outline.text) is not None
    if tensors and kronecker.same((left, right), rows, (), lambda x: spelled(x) == spelled(right)):
        return Finding(report.PROVED, kind="claim")
    if not _concludes(judge.outline.text, own.at):
        return found
    if found.verdict == report.DEFINITION and (proved := judge._in_blocks(s)) is not None:
        return replace(proved, kind="claim")
    try:
        setting = _setting(judge, own.at, s)
        against = None
        if setting is not None:
            _unsaid(setting, left, right)
            against = _against(setting, left, right, rows)
    except (Foreign, SymattnError, *UNFORESEEN):
        return found
    if against is None:
        return found
    why = "the sides differ for matrices that are as the words say"
    return replace(
        found, verdict=report.REFUTED, reason=why, counterexample=against, kind="claim",
        proof=None, system=None,
    )  # fmt: skip


def understood(judge: Judge, s: Statement, kinds: frozenset[str] = frozenset()) -> bool:
    """True where words conclude a statement, and all that is said before it is known.

    Other `kinds` of matrices are known to those who ask.
    """
    own = next((e for e in judge.commutators.equations if e.place == (s.line, s.column)), None)
    if own is None or not _concludes(judge.outline.text, own.at):
        return False
    return _setting(judge, own.at, s, kinds) is not None


def _concludes(text: str, at: int) -> bool:
    """The words before a formula conclude, and nothing behind it is a condition."""
    before = text[:at].rstrip().removesuffix("$$").removesuffix("$").removesuffix("\\[").rstrip()
    sentence = re.split(r"(?<=[.!?])\s|\n[ \t]*\n", _FORMULA.sub("…", before))[-1]
    end = text.find("$", at)
    behind = text[end:].lstrip("$") if end >= 0 else ""
    ended = re.match(r"\s*(?:\.|\Z|\n[ \t]*\n)", behind) or text[:end].rstrip().endswith(".")
    return bool(_CONCLUDES.search(sentence)) and not _SUPPOSES.search(sentence) and bool(ended)


def _setting(
    judge: Judge, at: int, s: Statement, kinds: frozenset[str] = frozenset()
) -> _Setting | None:
    """What stands before a claim in its section; None where a word of it is not known."""
    text = judge.outline.text[:at]
    begins = [m.start() for m in re.finditer(r"^#{1,6} ", text, re.MULTILINE)]
    start = begins[-1] if begins else 0
    own = {*re.findall(r"\\?[A-Za-z]+", s.latex)}
    earlier = {m for f in _FORMULA.findall(text[:start]) for m in re.findall(r"\\?[A-Za-z]+", f)}
    if own & earlier - {"\\top", "T", "I", "\\operatorname", "tr", "\\det", "det"}:
        return None
    part = _HEAD.sub("", text[start:]).rstrip().removesuffix("$").removesuffix("$")
    heads = " ".join(m[0] for m in _HEAD.finditer(text))  # under *Unit vectors* they are such
    if not {w.strip("'’–-") for w in _WORD.findall(heads.lower())} <= _KNOWN | _KINDS | kinds:
        return None
    part = _PHRASES.sub("", part)
    told = {w.strip("'’–-") for w in _WORD.findall(_FORMULA.sub(" ", part).lower())}
    if not told <= _KNOWN | _KINDS | kinds:
        return None
    found = _Setting()
    trees = {e.at: e.tree for e in judge.commutators.equations if start <= e.at < at}
    for m in _FORMULA.finditer(text[start:]):
        if not _said(m[0].strip("$ \n"), found):
            inside = [t for k, t in trees.items() if start + m.start() <= k < start + m.end()]
            if len(inside) != 1:
                return None
            found.equations.append(inside[0])
    return found if all(_told(x, found) for x in re.split(r"(?<=[.!?])\s", part)) else None


def _told(sentence: str, found: _Setting) -> bool:
    """Of a name that is called an inverse or a projection an equation says what that is."""
    formulas = [*_FORMULA.finditer(sentence)]
    for m in _WORD.finditer(_FORMULA.sub(lambda f: " " * len(f[0]), sentence)):
        if m[0].lower() not in _KINDS:
            continue
        before = [f for f in formulas if f.end() <= m.start()]
        between = sentence[before[-1].end() : m.start()] if before else ""
        beside = between.strip(" ,").lower() in ("", "its", "a", "an", "their")
        beside |= between.strip() == "the" and "\\in" not in before[-1][0]  # and $B$ the inverse
        near = before[-1] if before and (beside or _IS.search(between)) else None
        behind = next((f for f in formulas if f.start() > m.start()), None)
        if behind is not None and not sentence[m.end() : behind.start()].strip():
            near = near or behind
        latex = near[0].strip("$ ") if near is not None else "="
        if "=" in latex or _SIGN.fullmatch(latex):
            continue
        names = {re.sub(r"[\\{}]", "", x) for x in re.split(r"\\in\b", latex)[0].split(",")}
        told = {n for n in found.shapes if any(n in named_in(e) for e in found.rules)}
        if not {n.strip() for n in names} <= told:
            return False
    return True


def _said(latex: str, found: _Setting) -> bool:
    """A formula lists names, with their space or without, says a size, or that nothing is 0."""
    plain = re.sub(r"\s|\\[,;!]|\.$|,$", "", latex)
    plain = re.sub(r"^(\w+)=\1$", r"\1", re.sub(r"\(t\)", "", plain))  # A = A(t)
    if _SIGN.fullmatch(plain) or _SPACE.fullmatch(plain):
        return True
    if sized := _SIZED.fullmatch(plain):
        found.numbers |= {*sized.groups()}
        return True
    if listed := _LISTED.fullmatch(plain):
        rows = listed["rows"] or listed["one"] or ""
        for name in listed["names"].split(","):
            shown = re.sub(r"[\\{}]", "", name)
            capital = shown[0].isupper()
            if rows:
                found.shapes[shown] = rows, listed["columns"] or "1"
            elif capital and "mathbb" not in plain:
                found.shapes.setdefault(shown, ("n", "n"))
            elif not capital and "mathbb" in plain:
                found.shapes[shown] = "", ""
            elif not capital:
                found.numbers.add(shown)
        found.numbers |= {x for x in (rows, listed["columns"]) if x}
        return True
    return "=" not in re.sub(r"\\neq|\\geq?", "", plain) and _UNEQUAL.search(plain) is not None


def _unsaid(setting: _Setting, left: Node, right: Node) -> None:
    """Of other capitals beside square matrices nothing is said but that they fit."""
    if all(high == wide for high, wide in setting.shapes.values()):
        for name in sorted((named_in(left) | named_in(right)) - setting.made.keys()):
            if len(name) == 1 and name.isupper() and name not in "IT":
                setting.shapes.setdefault(name, ("n", "n"))


def _against(setting: _Setting, left: Node, right: Node, rows: bool) -> dict[str, object] | None:
    """Values that are as the text says, for which the sides differ; None where none are found."""
    for size, seed in product(SIZES, range(DRAWS)):
        tried = 0
        for values in _worlds(setting, (left, right), size, Random(seed), rows):
            by = Values(values, size, rows)
            try:
                a, b = meant(left, by), meant(right, by)
            except (Foreign, ZeroDivisionError):
                continue
            tried += 1
            if not equal(a, b):
                shown = {n: _shown(v) for n, v in values.items() if n not in setting.numbers}
                sizes = {n: int(v) for n, v in values.items() if n in setting.numbers}
                return {"sizes": sizes, "values": shown, **_apart(a, b), "seed": seed}
            if tried == WORLDS:
                break
    return None


def _apart(a: Value, b: Value) -> dict[str, object]:
    """The first entry in which two values differ."""
    one, other = (_shown(x) for x in (a, b))
    if not (isinstance(one, list) and isinstance(other, list)):
        scalar = (x[0][0] if isinstance(x, list) else x for x in (one, other))
        return {"entry": {}, **dict(zip(("lhs", "rhs"), scalar, strict=True))}
    places = product(range(len(one)), range(len(one[0])))
    i, j = next((i, j) for i, j in places if one[i][j] != other[i][j])
    return {"entry": {"i": i, "j": j}, "lhs": one[i][j], "rhs": other[i][j]}


def _shown(value: Value) -> object:
    if isinstance(value, Fraction):
        return float(value)
    return [[float(x) for x in row] for row in value.to_list()]


def _worlds(
    setting: _Setting, sides: tuple[Node, Node], size: int, random: Random, rows: bool
) -> Iterator[dict[str, Value]]:
    """Values of all names, for which the equations of the text hold."""
    lengths = {n: int(n) if n.isdigit() else size for n in setting.numbers}
    made, rules = setting.made, setting.rules
    tied = sorted({n for e in rules for n in setting.shapes if n in named_in(e)})
    plain: dict[str, Value] = {n: Fraction(k) for n, k in lengths.items() if not n.isdigit()}
    for name, (high, wide) in sorted(setting.shapes.items()):
        if not high:
            plain[name] = Fraction(random.randint(1, 4), random.randint(1, 3))
            continue
        shape = [lengths.get(x, int(x) if x.isdigit() else size) for x in (high, wide)]
        plain[name] = drawn(random, *shape)
    pool = [*special(random, size)]
    choices = product(pool, repeat=len(tied)) if rules else [()]
    for choice in choices:
        values = {**plain, **dict(zip(tied, choice, strict=False))}
        by = Values(values, size, rows)
        try:
            for name, e in made.items():
                values[name] = meant(e.sides[1], by)
            if all(equal(meant(e.sides[0], by), meant(x, by)) for e in rules for x in e.sides[1:]):
                yield values
        except (Foreign, ZeroDivisionError):
            continue


__all__ = ["theorem"]
