r"""Theorems on matrices that are understood to the last word: let $Q$ be orthogonal.  Then ….

What such a text says is proved by what holds for all matrices of the kinds that are named, under
the equations before it (matrix_words.py).  Where matrices speak against it, it is wrong: nothing
else is left that may be meant.  Values are drawn that are as the words say.  Kronecker products
are proved here too (kronecker.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from random import Random
from typing import TYPE_CHECKING

from ..errors import SymattnError
from ..read.source import UNFORESEEN
from ..read.tree import Chain, Name, Node, Symbol, spelled, walk
from . import kronecker, report
from .commutators import Equation
from .finding import Finding
from .matrix_kinds import DIAGONAL, Kind, by_equation, fits, some
from .matrix_trees import meant
from .matrix_values import Value, Values, drawn, equal, special
from .matrix_words import Consequences, Poly, Sums, added, products
from .operators import Foreign, named_in
from .statements import Statement
from .theorem_words import FORMULA, Setting, Unknown, setting
from .ties import EXACT

if TYPE_CHECKING:
    from .judge import Judge

_ROWS = re.compile(
    r"\bstack\w* (?:the |its )?rows\b|\brow[- ]major\b|\brow by row\b", re.IGNORECASE
)
_CONCLUDES = re.compile(  # and states no law: x satisfies A x = b
    r"\b(?:then|identity|formula|lemma|rule|says|reads|states|hence|thus|therefore|it follows|"
    r"has the inverse|inverses? is)\b[^.]*$",
    re.IGNORECASE,
)
_HAS = re.compile(r"\b(?:we|one) (?:have|has|get|gets|obtain|obtains)\Z", re.IGNORECASE)
_SUPPOSES = re.compile(
    r"\b(?:such that|with|where|if|when|let|suppose|assume|for which)\s*[,:]?\s*$", re.IGNORECASE
)
_LETTERS = re.compile(r"\\?[A-Za-z]+")
_SIGNS = frozenset({"T", "I"})
_FIXED = frozenset({"I", "T", "vec"})
SIZES = (2, 3)
DRAWS = 4
NONE = "no matrices that are as the words say speak against it"
WORLDS = 12  # of each draw


def theorem(judge: Judge, s: Statement, found: Finding) -> Finding:
    """The finding, or what matrices say of a theorem that is understood wholly."""
    wrong = found.verdict == report.REFUTED
    if not wrong and found.verdict not in (report.UNPROVED, report.SKIPPED, report.DEFINITION):
        return found
    if s.number or s.relation not in EXACT or s.whole.rstrip(" .,;") != s.latex:
        return found
    own = judge.commutators.at(s.line, s.column)
    if found.verdict == report.DEFINITION and own is not None:
        concluded = _concludes(judge.outline.text, own.at)
        if concluded and (proved := judge._in_blocks(s)) is not None:
            return replace(proved, kind="claim")
    there = of_matrices(judge, s.line, s.column)
    if wrong and (there is None or there.verdict == report.REFUTED):
        return replace(found, verdict=report.UNPROVED, reason=NONE) if _none(judge, own) else found
    return there or found


def _none(judge: Judge, own: Equation | None) -> bool:
    """No matrices of the kinds that words name speak against an equation."""
    said = said_before(judge, own) if own is not None and len(own.tree.sides) == 2 else None
    if own is None or said is None or not _names(own.tree) <= said.names:
        return False
    told = said.kinds.keys() | {n for pair in said.commuting for n in pair}
    if not _names(own.tree) & told:
        return False
    left, right = own.tree.sides
    try:
        against, tried = _against(said, left, right, rows=False)
    except (Foreign, SymattnError, *UNFORESEEN):
        return False
    return against is None and tried > 0


def of_matrices(judge: Judge, line: int, column: int) -> Finding | None:
    """What matrices say of an equation at a place that is understood wholly; None where nothing."""
    own = judge.commutators.at(line, column)
    if own is None or len(own.tree.sides) != 2:
        return None
    left, right = own.tree.sides
    rows = _ROWS.search(judge.outline.text) is not None
    anew = spelled(left) != spelled(right)
    if anew and _is_of_tensors(own.tree) and kronecker.same((left, right), rows, ()):
        return Finding(report.PROVED, kind="claim")
    said = said_before(judge, own)
    if said is None or not _names(own.tree) <= said.names:
        return None  # of P A = L U nothing says what L is
    try:
        against, tried = _against(said, left, right, rows)
        if against is None:
            follows = tried and anew and _follows(said, left, right)
            return _proved(said, left, right) if follows else None
    except (Foreign, SymattnError, *UNFORESEEN):
        return None
    plainly = _plainly(judge, own.at) and _names(own.tree) <= said.kinds.keys()
    if not (plainly or _concludes(judge.outline.text, own.at)):
        return None
    why = "the sides differ for matrices that are as the words say"
    return Finding(report.REFUTED, why, against, kind="claim")


def _is_of_tensors(tree: Node) -> bool:
    return any(isinstance(n, Symbol | Name) and n.text in ("otimes", "vec") for n in walk(tree))


def _names(tree: Node) -> set[str]:
    """The names in a tree of what may be anything."""
    return {n for n in named_in(tree) if n not in _FIXED and not n.startswith("I_")}


def _proved(said: Setting, left: Node, right: Node) -> Finding:
    here = named_in(left) | named_in(right)
    kinds = {n: ", ".join(k.name for k in said.kinds[n]) for n in sorted(here & {*said.kinds})}
    assumed = (f"{n}: {kind}, as the words of the text say" for n, kind in kinds.items())
    return Finding(report.PROVED, kind="claim", assumed=(*assumed,))


def understood(judge: Judge, s: Statement, minded: Callable[[Kind], bool]) -> bool:
    """True where words conclude a statement, and all that is said before it is known and minded."""
    own = judge.commutators.at(s.line, s.column)
    if own is None or not _concludes(judge.outline.text, own.at):
        return False
    said = said_before(judge, own)
    return said is not None and all(minded(k) for kinds in said.kinds.values() for k in kinds)


def _plainly(judge: Judge, at: int) -> bool:
    """*We have*, which states a law of a name of which nothing else is said: A x = b."""
    return _HAS.search(judge.outline.text[:at].rstrip(" \n$[\\")) is not None


def _concludes(text: str, at: int) -> bool:
    """The words before a formula conclude, and nothing behind it is a condition."""
    before = text[:at].rstrip().removesuffix("$$").removesuffix("$").removesuffix("\\[").rstrip()
    sentence = re.split(r"(?<=[.!?])\s|\n[ \t]*\n", FORMULA.sub("…", before))[-1]
    end = text.find("$", at)
    behind = text[end:].lstrip("$") if end >= 0 else ""
    ended = re.match(r"\s*(?:\.|\Z|\n[ \t]*\n)", behind) or text[:end].rstrip().endswith(".")
    return bool(_CONCLUDES.search(sentence)) and not _SUPPOSES.search(sentence) and bool(ended)


def said_before(judge: Judge, own: Equation) -> Setting | None:
    """What stands before an equation in its section; None where it is not understood."""
    text = judge.outline.text[: own.at]
    begins = [m.start() for m in re.finditer(r"^#{1,6} ", text, re.MULTILINE)]
    start = begins[-1] if begins else 0
    earlier = {n.lstrip("\\") for f in FORMULA.findall(text[:start]) for n in _LETTERS.findall(f)}
    if named_in(own.tree) & earlier - _SIGNS:
        return None
    equations = judge.commutators.equations
    trees = {e.at - start: e.tree for e in equations if start <= e.at < own.at}
    part = text[start:].rstrip().removesuffix("\\[").removesuffix("\\(").rstrip("$")
    try:
        said = setting(part, trees)
    except Unknown:
        return None
    for e in said.rules:
        _kind_of(e, said)
    return said


def _kind_of(e: Chain, said: Setting) -> None:
    """Put the kind in the place of an equation that says no more: Qᵀ Q = I of a square Q."""
    names = sorted(named_in(e) & said.shapes.keys())
    if len(names) != 1 or len(e.sides) != 2:
        return
    try:
        sides = [{} if x == 0 else x for x in (meant(x, Sums(())) for x in e.sides)]
    except Foreign:
        return
    if not all(isinstance(x, dict) for x in sides):
        return
    poly = added([(sides[0], 1), (sides[1], -1)])
    kind = by_equation(names[0], poly, said.shapes[names[0]])
    if kind is not None:
        said.kinds.setdefault(names[0], []).append(kind)
        said.equations = [x for x in said.equations if x is not e]


def _follows(said: Setting, left: Node, right: Node) -> bool:
    """What the words and equations say makes the sides equal.  Raises Foreign."""
    sums = Sums(said.numbers | {n for n, (high, _) in said.shapes.items() if not high})
    sides = meant(left, sums), meant(right, sums)
    facts = [*_facts(said, sums)]
    square = {*said.shapes.values()} <= {("", ""), ("n", "n")} or len({*said.shapes.values()}) == 1
    if any(what == "det" for what, _ in sums.kept.values()) and not square:
        return False
    inverted = {n for n, _, _ in sums.inverses if n in said.kinds}
    if any(not any(k.invertible for k in said.kinds[n]) for n in inverted):
        return False  # P⁻¹ of a projection is nothing, or P is 1
    return Consequences(sums, facts, [x for x in sides if isinstance(x, dict)]).same(*sides)


def _facts(said: Setting, sums: Sums) -> Iterator[Poly]:
    """Sums of words that are 0 by what is said."""
    for e in said.equations:
        for side in e.sides[1:]:
            try:
                left, right = meant(e.sides[0], sums), meant(side, sums)
            except Foreign:
                continue
            both = [{} if x == 0 else x for x in (left, right)]
            if all(isinstance(x, dict) for x in both):
                yield added([(both[0], 1), (both[1], -1)])
    for name, kinds in said.kinds.items():
        for kind in kinds:
            yield from kind.says(name)
    diagonal = sorted(n for n, kinds in said.kinds.items() if DIAGONAL in kinds)
    for a, b in (*said.commuting, *combinations(diagonal, 2)):
        one, other = sums.name(a), sums.name(b)
        yield added([(products(one, other), 1), (products(other, one), -1)])


def _against(
    said: Setting, left: Node, right: Node, rows: bool
) -> tuple[dict[str, object] | None, int]:
    """Values that are as the text says, for which the sides differ, and how many were looked at.

    None is where they have no meaning at sizes that are called otherwise: X Xᵀ + I_k of n rows.
    """
    looked_at = {False: 0, True: 0}
    for size, seed in product(SIZES, range(DRAWS)):
        tried = lengths = 0
        for values in _worlds(said, size, Random(seed), rows):
            sizes = sorted({size, *(int(values[n]) for n in said.numbers & values.keys())})
            both = next(filter(None, (_both(left, right, values, k, rows) for k in sizes)), None)
            if both is None:
                continue
            a, b = both
            same = equal(a, b)
            lengths = len({values[n] for n in said.numbers & values.keys()})
            tried += 1
            if not same:
                shown = {n: _shown(v) for n, v in values.items() if n not in said.numbers}
                long = {n: int(v) for n, v in values.items() if n in said.numbers}
                return {"sizes": long, "values": shown, **_apart(a, b), "seed": seed}, tried
            if tried == WORLDS:
                break
        looked_at[lengths > 1] += tried
    several = len({n for n in said.numbers if not n.isdigit()}) > 1
    return None, looked_at[True] if several else looked_at[False]


def _both(
    left: Node, right: Node, values: dict[str, Value], size: int, rows: bool
) -> tuple[Value, Value] | None:
    """What the sides come to, with an identity of this size; None where they come to nothing."""
    try:
        by = Values(values, size, rows)
        both = meant(left, by), meant(right, by)
        equal(*both)
    except (Foreign, ZeroDivisionError):
        return None
    return both


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


def _worlds(said: Setting, size: int, random: Random, rows: bool) -> Iterator[dict[str, Value]]:
    """Values of all names, for which the words and the equations of the text hold."""
    apart = random.random() < 0.5  # sizes that are called otherwise are others
    named = sorted(n for n in said.numbers if not n.isdigit())
    random.shuffle(named)
    lengths = {n: size + apart * k for k, n in enumerate(named)}
    rules = [*said.rules, *said.stated]
    pairs = {n for pair in said.commuting for n in pair}
    tied = sorted({n for n in said.shapes if n in pairs or any(n in named_in(e) for e in rules)})
    plain: dict[str, Value] = {n: Fraction(k) for n, k in lengths.items()}
    shapes = {}
    for name, (high, wide) in sorted(said.shapes.items()):
        if not high:
            plain[name] = Fraction(random.randint(1, 4), random.randint(1, 3))
            continue
        shapes[name] = [lengths.get(x, int(x) if x.isdigit() else size) for x in (high, wide)]
        value = some(said.kinds.get(name, []), random, *shapes[name])
        if value is None and name not in tied:
            return
        plain[name] = value if value is not None else drawn(random, *shapes[name])
    pool = [*special(random, size)]
    pools = [_pool(pool, plain[n], said.kinds.get(n, []), shapes.get(n)) for n in tied]
    for choice in product(*pools):
        values = {**plain, **dict(zip(tied, choice, strict=True))}
        by = Values(values, size, rows)
        try:
            for name, e in said.made.items():
                values[name] = meant(e.sides[1], by)
            held = all(
                equal(meant(e.sides[0], by), meant(x, by)) for e in rules for x in e.sides[1:]
            )
            if held and all(
                values[a] * values[b] == values[b] * values[a] for a, b in said.commuting
            ):
                yield values
        except (Foreign, ZeroDivisionError):
            continue


def _pool(pool: list[Value], own: Value, kinds: list[Kind], shape: list[int] | None) -> list[Value]:
    """The values of a name that equations tie: special ones, of its kinds and size."""
    if shape is None:
        return [own]
    found = [x for x in (own, *pool) if [*x.shape] == shape]
    return [x for x in found if all(fits(k, x) for k in kinds)]


__all__ = ["of_matrices", "theorem", "understood"]
