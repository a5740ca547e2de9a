"""Formulas that were not read because their indices do not fit: whose fault is it?

A letter that dangles and a letter of two sizes may come of a notation that the reader takes wrong.
It is the author's slip where what is right can be shown: one other letter and it is proved,
or the left side, which is known by a definition or as a derivative of one, is derived.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

import sympy as sp

from ..errors import SymattnError
from ..objects import Inverse, Partial
from ..prove import Verdict, prove
from ..read import Equation, read
from ..syntax import Definition, System
from . import layouts, report
from .declarations import mini, shapes
from .doubts import DOUBTS, OTHERWISE, stated
from .edits import tokens
from .effort import OTHER, effort
from .finding import Finding
from .implicit import through
from .inside import names
from .judge import Judge
from .links import sides
from .repair import edited, edits, proves, redone
from .reread import beside, made
from .statements import Statement, Unread, alone
from .symmetries import all_symmetric, changed
from .ties import equated

DANGLING = re.compile(r"the index \S+ occurs once")
SIZES = re.compile(
    r"(?:the index \S+ in slot \d+ of \S+|δ of \S+ and \S+|an axis of the two sides|"
    r"the contracted axis|the diagonal|the \w+ axis of this sum) has two sizes"
)
TURNED = re.compile(  # a transposition or one factor mends it, and nothing else
    r"a \w+(?: vector)? stands beside a (?:column|row) vector|a \w+ vector is added to a|"
    r"a \w+ vector and a \w+ vector are added|the two sides have different shapes"
)
_LIE = re.compile(  # where vectors are rows by custom: π P = π
    r"\brow[- ]vectors?\b|\btransition (?:matri|probabilit)|\bMarkov\b|"
    r"\b(?:stationary|invariant|equilibrium) (?:laws?|distributions?|measures?|vectors?)\b",
    re.IGNORECASE,
)
_LIMITS = re.compile(  # of Σ_{i=1}^{m}
    r"\\(?:sum|prod)(?:\\limits)?\s*_\s*\{\s*(\\?[A-Za-z]+)\s*=[^{}]*\}\s*\^\s*(\{[^{}]*\}|\S)"
)
CONTRACTED = re.compile(r"the contracted axis has two sizes")
_DIFFERENTIAL = re.compile(r"\\partial|\\nabla|\\mathrm\s*\{?d|\\dot|'|(?<![A-Za-z\\])d[A-Za-z]")
_INNER = r"(?:[^()\\]|\\[a-zA-Z]+(?![a-zA-Z])|\([^()]*\))*"
_BETWEEN = re.compile(  # D(p(y | x) ‖ p(y)) is of two laws, and y is no letter of it
    rf"\({_INNER}(?:\\\||\\Vert\b|\\parallel\b|\|\|){_INNER}\)"
)
_OPENED = re.compile(r"\$+`?|\\\[|\\\(|\\begin\{\w+\*?\}")
_TIES = (stated, through, equated)  # what holds of values says nothing of shapes
READ = 64  # formulas of which the readings are kept: all systems share them
REACH = 600  # characters before a formula in which its chain may begin
_MARKS = re.compile(r"\^\s*\{?\s*(?:\\top|\\intercal|\\mathsf\{T\}|T)\s*\}?|\s")


def _is_number(u: Unread) -> bool:
    """The letter that dangles is a number of the formula, too: μ = S_n / n hangs on n."""
    letter = u.reason.split()[2].lstrip("\\")
    plain = re.sub(r"_\s*(?:\{[^{}]*\}|\\?\w)", " ", u.latex)
    return re.search(rf"(?<![A-Za-z\\]){re.escape(letter)}(?![A-Za-z])", plain) is not None


def misfit(u: Unread, judge: Judge) -> Finding | None:
    """The finding that the formula is malformed, with what would be right; None for no finding."""
    with effort(OTHER):
        return _misfit(u, judge)


def _misfit(u: Unread, judge: Judge) -> Finding | None:
    dangling = DANGLING.match(u.reason)
    turned = TURNED.match(u.reason)
    contracted = CONTRACTED.match(u.reason)
    if not dangling and not turned and not SIZES.match(u.reason):
        return None
    if dangling and _is_number(u):
        return None
    if turned and _LIE.search(judge.outline.text):
        return None
    if (dangling and _BETWEEN.search(u.latex)) or _in_parts(u):
        return None
    parts, relations = sides(u.latex)
    if not parts[0]:  # a = b and, in a formula of its own, = c
        parts[0] = _begun(u, judge)
    if len(parts) < 2 or set(relations) != {"="}:
        return None
    try:
        left = _left(u, parts[0], judge)
        if left is None and len(parts) > 2:  # F = A = B, where nothing else defines F
            parts = parts[1:]
            left = _left(u, parts[0], judge)
        if left is None:
            return None
        read_, inverted = left
        known, systems = _known(read_, judge), _systems(read_, judge)
        every = [d for system in systems for d in system]
        for system in systems:
            lhs, system = beside(read_.lhs, inverted, read_, system, "left")
            s = replace(read_, lhs=lhs)
            # an identity between whatever names there are; a letter that dangles has no values
            doubts = DOUBTS if known and not dangling else OTHERWISE
            if any(d(s, system, judge.versions) for d in doubts if d not in _TIES):
                continue
            verdict = prove(s.lhs, s.rhs, given=system, over=s.letters, seed=judge.seed)
            derive = known and bool(dangling or (contracted and _plain(parts[1:], every)))
            right = _right(s, parts, verdict, system, every, judge, derive)
            if turned and not any(_alike(right, p) for p in parts[1:]):
                continue
            if right and (layout := _turned(s, parts, system, judge)):
                return Finding(
                    report.CONDITIONAL, layout, correction=right, system=system, kind="claim"
                )
            same = "".join(right.split()) == "".join(parts[0].split())  # A B = A B mends nothing
            if right and (known or not same):
                return Finding(
                    report.MALFORMED, u.reason, correction=right, system=system, kind="claim"
                )
    except (SymattnError, RecursionError):
        return None
    return None


def _in_parts(u: Unread) -> bool:
    """Sums over one letter that end at different places: Σ_{i=1}^n x_i in two parts, ended by m."""
    ends: dict[str, set[str]] = {}
    for letter, last in _LIMITS.findall(u.latex):
        ends.setdefault(letter, set()).add("".join(last.strip("{}").split()))
    return any(len(lasts) > 1 for lasts in ends.values())


def _begun(u: Unread, judge: Judge) -> str:
    """The left side of the chain that a formula goes on with; empty where it is not known."""
    end = judge.outline.position(u.line, u.column)
    before = _OPENED.split(judge.outline.text[max(0, end - REACH) : end])[-1]
    rows = (sides(row)[0][0] for row in reversed(before.split(r"\\")))
    return next(filter(None, rows), "")


def _turned(s: Statement, parts: list[str], system: System, judge: Judge) -> str:
    """The layout of derivatives in which ∂L/∂X = A is right; empty for none."""
    if len(parts) != 2 or not layouts.by_matrix(s):
        return ""
    if not _fits(s, parts[0], rf"\left({parts[1]}\right)^\top", system, judge):
        return ""
    return layouts.said(s, judge.versions, judge.outline)


def _plain(right: Sequence[str], system: Sequence[Definition]) -> bool:
    """No derivative stands on the right, by a sign or by a name.

    Products of what is no derivative fit or do not; those of derivatives hang on the layout, in
    which ∂L/∂X may have the shape of X⊤.
    """
    written = {t.lstrip("\\") for side in right for t in tokens(side)}
    derived = {d.name for d in system if d.expr.atoms(Partial)}
    return not (written & derived or any(_DIFFERENTIAL.search(side) for side in right))


def _bare(side: str) -> list[str]:
    """What a side is made of, whatever the order, without its transpositions."""
    return sorted(tokens(_MARKS.sub("", side)))


def _alike(right: str, side: str) -> bool:
    """The same up to transpositions, but for one factor that is added, or another number."""
    a, b = _bare(right), _bare(side)
    more = Counter(a) - Counter(b)
    numbers = len(a) == len(b) == 1 and (a[0] + b[0]).isdigit()
    return a == b or numbers or (set(b) <= set(a) and more.total() == 1)


def _systems(s: Statement, judge: Judge) -> list[System]:
    """The definitions under which a left side is known, those in force first."""
    first = judge.versions.system(s)
    if isinstance(s.lhs, Partial) and not names(s.lhs.args[0]) & set(first.definitions):
        written = {t.lstrip("\\") for t in tokens(s.latex)}  # a loss is a function of all of it
        return [judge.versions.among(s, written), judge.versions.document]
    several = [first, *judge.versions.others(s)]
    return [*several, *(even for system in several for even in _even(s, system, judge))]


def _even(s: Statement, system: System, judge: Judge) -> Iterator[System]:
    """The definitions with what words call symmetric so, though the text derives by it."""
    said = judge.versions.document.symmetric
    change = {b: x for b, x in all_symmetric(s, system).items() if b.name in said}
    if change and not s.lhs.atoms(sp.IndexedBase) & change.keys():
        yield changed(s, system, change)[2]


def _right(
    s: Statement,
    parts: list[str],
    verdict: Verdict,
    system: System,
    every: Sequence[Definition],
    judge: Judge,
    derive: bool,
) -> str:
    """What the one side that does not fit should be; the others of a chain must be proved.

    The shapes of `every` definition are declared, so that systems share readings.
    """
    bad = [p for p in parts[1:] if not _fits(s, parts[0], p, system, judge, every)]
    if len(bad) != 1:
        return ""
    own = replace(s, latex=f"{parts[0]} = {bad[0]}")
    batches = [[x for x in b if _reshaped(x, bad[0])] for b in edits(own, verdict, system)]
    right = edited(own, verdict, system, judge.head(s, system), batches, every)
    right = right or _defined(own, bad[0], judge)
    before, section = judge.versions.before(s), judge.outline.section
    elsewhere = before and (before.line > s.line or section(before.line) != section(s.line))
    if right or not derive or elsewhere:
        return right  # under another heading, or further below, a name may be another
    return redone(own, verdict, system, judge.declarations, judge.versions.document)


def _reshaped(right: str, bad: str) -> bool:
    """More than a sign and a number is other than in the side that does not fit."""
    one, other = ([t for t in tokens(x) if t.strip(" +-0123456789")] for x in (right, bad))
    return one != other or not other


def _defined(s: Statement, bad: str, judge: Judge) -> str:
    """The side that defines the name in its section, where what does not fit is a part of it."""
    section, said = judge.outline.section, judge.versions.table.get(s.name, ())
    other = (v for v in said if v.latex and v.line != s.line)
    other = (v for v in other if section(v.line) == section(s.line))
    known = [sides(v.latex)[0][-1] for v in other]
    return min((r for r in known if _part(tokens(bad), tokens(r))), key=len, default="")


def _part(some: list[str], whole: list[str]) -> bool:
    """The one is the other with something left out."""
    rest = iter(t for t in whole if t.strip())
    return all(t in rest for t in some if t.strip())


def _fits(
    s: Statement,
    left: str,
    right: str,
    system: System,
    judge: Judge,
    every: Sequence[Definition] = (),
) -> bool:
    text = mini((*every, *system), judge.head(s, system), [f"{left} = {right}"], s)
    found, _ = _read(text, f"{left} = {right}")
    return found is not None and proves(replace(s, rhs=found.rhs), system)


@lru_cache(maxsize=READ)
def _read(text: str, latex: str) -> tuple[Equation | None, tuple[Definition, ...]]:
    """The equation that is written so, where it is read, and what it inverts."""
    document = read(text, strict=False)
    found = [e for e in document.equations if e.latex.strip() == latex.strip()]
    one = found[0] if len(found) == 1 and found[0].rhs is not None else None
    return one, made(document)


def _left(u: Unread, left: str, judge: Judge) -> tuple[Statement, tuple[Definition, ...]] | None:
    """The statement left = 0 in the place of the formula, and what it inverts.

    None for a name nobody defines.
    """
    document, versions = judge.versions.document, judge.versions
    head = f"{judge.written(u.latex, u.line)}\n{shapes(document)}\n\n"
    ways = (_read(f"{head}$$ {x} = 0 $$\n", f"{x} = 0") for x in (left, f"1 \\cdot {left}"))
    e, inverted = next((w for w in ways if w[0] is not None and w[0].rhs == 0), (None, ()))
    if e is None:  # of a matrix a product
        return None
    name = "" if isinstance(getattr(e.lhs, "base", None), Inverse) else alone(e.lhs)
    lhs = e.lhs
    if (d := next((d for d in inverted if d.name == name), None)) is not None:  # ∂s/∂z
        lhs, name = d.expr.xreplace(dict(zip(d.indices, lhs.indices, strict=True))), ""
    s = Statement("claim", lhs, e.rhs, "=", e.indices, u.latex, u.latex, u.line, u.column, 0, name)
    return None if name and versions.before(s) is None else (s, inverted)


def _known(s: Statement, judge: Judge) -> bool:
    """The text says what the left side is."""
    defined = bool(names(s.lhs)) and names(s.lhs) <= judge.versions.table.keys()
    return bool(s.name or s.lhs.atoms(Partial)) or defined
