"""The right-hand side as it should be: one edit of the author's own, or what is derived.

A correction is proved before it is shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

import mpmath
import sympy as sp

from ..errors import SymattnError
from ..prove import Verdict, whether
from ..read import Equation, read
from ..syntax import Definition, System
from . import borders, wholes
from .at_sight import AtSight
from .declarations import mini
from .derived import derived
from .edits import TRANSPOSES, candidates, tokens
from .effort import affords
from .inside import names
from .jets import without_fields
from .links import bracketed, sides, tidy
from .missing import completed, components, lacking, likely, script_letters
from .proofs import other
from .reread import beside, made, relettered
from .second import DIGITS, FAILURES, Second, Unable, differ
from .statements import Statement

Reading = tuple[str, Equation, tuple[Definition, ...]]  # with what it defines besides
SAMPLES = 3  # until the left side has real values
PLACES = 4  # entries at which a candidate is compared before it is proved
LIKELY = 3  # batches of edits under all definitions, before the left side is derived anew
PROOFS = 6  # candidates of a batch that are tried to be proved
BATCHES = (4, 12, 40, 160)  # after so many candidates those before are compared and proved
READ = 4096  # readings of candidates that are kept
_SPACES = re.compile(r"[^\S\n]+")  # a comment ends where its line does
_LIMITS = re.compile(
    r"(?P<sum>\\sum\s*_\{\s*[a-z]'*)\s*=\s*[01]\s*\}\s*\^\s*"
    r"(?P<end>\{(?:[^{}]|\{[^{}]*\})*\}|\w)"
)


def correction(
    s: Statement,
    verdict: Verdict,
    systems: Sequence[System],
    declarations: str,
    document: System,
    wide: System,
) -> str:
    """The right-hand side that is proved, as LaTeX; empty where none is found.

    `systems` are the definitions that may be meant, those in force first; `wide` has more of them,
    of names that may be missing.
    """
    tried = [edits(s, verdict, system) for system in systems]
    every = [d for system in (*systems, wide) for d in system]
    order = sorted((k, n) for n, batches in enumerate(tried) for k in range(len(batches)))
    soon = [(k, n) for k, n in order if k < LIKELY or (k, n) == (LIKELY, 0)]

    def first(places: Iterable[tuple[int, int]]) -> str:
        for k, n in places:
            try:
                if found := edited(s, verdict, systems[n], declarations, [tried[n][k]], every):
                    return found
            except (SymattnError, RecursionError):
                continue
        return ""

    if found := first(soon):
        return found
    more = amended(s, verdict, wide, declarations, document, every)
    anew = redone(s, verdict, systems[0], declarations, document)
    both = [x for x in (more, anew) if x]
    return min(both, key=len, default="") or first(x for x in order if x not in soon)


def amended(
    s: Statement,
    verdict: Verdict,
    system: System,
    declarations: str,
    document: System,
    beside: Sequence[Definition] = (),
) -> str:
    """The right-hand side with one term or factor more, which the two sides say themselves."""
    if len(sides(s.latex)[0]) != 2:
        return ""
    try:
        tried = list(dict.fromkeys(completed(s, system, document)))
        return edited(s, verdict, system, declarations, _batches(tried), beside)
    except (SymattnError, RecursionError):
        return ""


def redone(
    s: Statement, verdict: Verdict, system: System, declarations: str, document: System
) -> str:
    """The left side derived anew, where it reads back as what is proved."""
    try:
        return edited(s, verdict, system, declarations, [list(derived(s, system, document))])
    except (SymattnError, RecursionError):
        return ""


def edits(s: Statement, verdict: Verdict, system: System) -> list[list[str]]:
    """The author's right-hand side after every single change, the likeliest first, in batches."""
    parts, _ = sides(s.latex)
    if len(parts) != 2:
        return []
    absent = lacking(s, system)
    more = components(s, parts, absent)
    letters = script_letters(parts[0])
    tried = candidates(parts[1], likely(verdict, s, system), letters, more, absent)
    return _batches(tried)


def _batches(tried: list[str]) -> list[list[str]]:
    ends = [0, *BATCHES, len(tried)]
    return [tried[a:b] for a, b in pairwise(ends) if tried[a:b]]


def edited(
    s: Statement,
    verdict: Verdict,
    system: System,
    declarations: str,
    batches: Sequence[Sequence[str]] | None = None,
    beside: Sequence[Definition] = (),
) -> str:
    """The author's right-hand side after one change that makes the statement provable."""
    found = proved_edits(s, verdict, system, declarations, batches, beside)
    return next((latex for latex, *_ in found), "")


def proved_edits(
    s: Statement,
    verdict: Verdict,
    system: System,
    declarations: str,
    batches: Sequence[Sequence[str]] | None = None,
    beside: Sequence[Definition] = (),
) -> Iterator[tuple[str, Any, System]]:
    """Right-hand sides after one change that are proved, as LaTeX and as expressions.

    With each the definitions that it rests on: what it inverts has one of its own.  The shapes of
    those `beside` are declared too, so that systems that are tried in turn share readings.
    """
    parts, relations = sides(s.latex)
    if not relations:
        return
    head = mini((*beside, *system), declarations, [], s)

    def reading(latex: str) -> Iterator[Reading]:
        enough = affords(len(tokens(parts[0] + latex)))
        return _readings(head, parts[0], relations[0], [latex] if enough else [], s.name)

    for tried in edits(s, verdict, system) if batches is None else batches:
        found = _agreeing(tried, reading, head, s, verdict, system, beside)
        agreeing = [(bracketed(tidy(latex)), *rest) for latex, *rest in found]
        agreeing.sort(key=lambda found: _length(found[0]))  # what is shortest has changed least
        for latex, wanted, under in agreeing[:PROOFS]:
            if s.name and s.name in names(wanted) - names(s.rhs):
                continue  # x = (x / y) y says nothing
            given = dict.fromkeys((under, without_fields(under)))
            if any(proves(replace(s, rhs=wanted), x) for x in given):
                yield ("0" if wanted == 0 else latex), wanted, under  # and not x - x


def _length(latex: str) -> int:
    """How long a side is, for which a transposition counts nothing: Aᵀ x is no longer than x A."""
    for sign in TRANSPOSES:
        latex = latex.replace(sign, "")
    return len(latex)


def proves(s: Statement, system: System) -> bool:
    """The statement is proved, and not in vain."""
    try:
        verdict = whether(s.lhs, s.rhs, given=system, over=s.letters)
    except SymattnError:
        return False
    if verdict.status == "unknown":
        return bool(verdict.held) or other(s, system, verdict) is not None
    if verdict.status == "refuted":
        return wholes.taken(s, system) is not None
    return verdict.status == "proved" and not verdict.trivial


def _readings(
    head: str, left: str, relation: str, tried: Sequence[str], name: str
) -> Iterator[Reading]:
    """The candidates that can be read, in order, each by itself: none says anything of another."""
    for latex in tried:
        equations, made = _read(head, _whole(left, relation, latex, head))
        for e in equations:
            if e.kind == "definition" and not name:  # log k = … alone says what k is
                turned, made = _read(head, _whole(latex, relation, left, head))
                yield from ((latex, replace(x, lhs=x.rhs, rhs=x.lhs), made) for x in turned)
            else:
                yield latex, e, made


def reads_back(head: str, s: Statement) -> bool:
    """Behind a head a statement is read with the names that it has in its document."""
    parts, relations = sides(s.latex)
    if len(parts) != 2:
        return True
    found = _readings(head, parts[0], relations[0], parts[1:], s.name)
    own = names(s.lhs) | names(s.rhs)
    return any(names(e.lhs) | names(relettered(e, s)) == own for _, e, _ in found)


@lru_cache(maxsize=READ)
def _read(head: str, whole: str) -> tuple[tuple[Equation, ...], tuple[Definition, ...]]:
    """The readings of one equation, and what it inverts; all systems share them."""
    try:
        document = read(f"{head}\n$$ {whole} $$\n", strict=False)
    except SymattnError:
        return (), ()
    found = [e for e in document.equations if e.latex.strip() == whole and e.rhs is not None]
    return tuple(found), made(document)


def read_alone(head: str, whole: str) -> tuple[Equation, ...]:
    """The readings of one equation or inequality behind a head."""
    return _read(head, whole)[0]


def _whole(left: str, relation: str, right: str, head: str) -> str:
    """The equation; those that differ in spaces alone are one, which is read once."""
    return _SPACES.sub(" ", _unlimited(f"{left} {relation} {right}".strip(), head))


def _unlimited(latex: str, head: str) -> str:
    r"""\sum_a for \sum_{a=1}^{d_k} where the size is called n_d_k beside a number d_k."""

    def shorter(match: re.Match[str]) -> str:
        size = "n_" + re.sub(r"[{}\\\s]", "", match["end"])
        return match["sum"] + "} " if re.search(rf"[(,]{size}[,)]", head) else match[0]

    return _LIMITS.sub(shorter, latex)


def _agreeing(
    tried: Iterable[str],
    reading: Callable[[str], Iterator[Reading]],
    head: str,
    s: Statement,
    verdict: Verdict,
    system: System,
    around: Sequence[Definition],
) -> Iterator[tuple[str, Any, System]]:
    """The candidates, as expressions, that have the left side's values at the counterexample."""
    example = verdict.counterexample
    entry = dict(example.entry) if example else {}
    ways = [borders.Within(system, {}, {}, seed) for seed in range(1, SAMPLES)]
    if example:
        ways.insert(0, borders.Within(system, example.values, example.sizes))
    with mpmath.workdps(DIGITS):
        for way in ways:
            way.know(s.lhs, s.rhs)
            every = _spots(way.place(entry, s.lhs, s.rhs), s, way)
            valued = [(at, _values(way, s.lhs, [at])) for at in every]
            spots = [at for at, value in valued if value is not None]  # x_{i+1} has no last one
            wanted = [x for _, value in valued for x in value or ()]
            if wanted and (len(spots) == len(valued) or borders.inside(s) is not None):
                break
        else:
            return
        given = dict(way.given)
        own = sides(s.latex)[0][-1]
        sight = AtSight(head, s, (*system, *around), way, spots)
        trusted = sight.trusts(own, _values(way, s.rhs, spots) or ())

        def possible(latex: str) -> bool:
            values = sight.values(latex) if trusted else None
            return values is None or (bool(values) and not any(map(differ, values, wanted)))

        def agrees(right: Any) -> bool:
            way.know(right, *(d.expr for d in way.system))
            same = _agree(way, right, spots, wanted)
            way.given = dict(given)  # what a candidate alone has is not drawn for the others
            return same

        found = (x for latex in filter(possible, tried) for x in reading(latex))
        for k, (latex, e, more) in enumerate(found):
            try:
                right, way.system = beside(relettered(e, s), more, s, system, str(k))
            except SymattnError:
                continue  # it gives a name of the text another shape
            if agrees(right):
                yield latex, right, way.system


def _values(way: Second, expr: Any, spots: Sequence[dict[str, int]]) -> list[float] | None:
    """The values at these places; None where one is no real number."""
    found = []
    for at in spots:
        way.steps = 0
        try:
            value = way.value(expr, at)
        except (Unable, *FAILURES):
            return None
        shaped = isinstance(value, mpmath.mpc) or hasattr(value, "shape")
        if shaped or not mpmath.isfinite(value):
            return None
        found.append(float(value))
    return found


def _agree(
    way: Second, expr: Any, spots: Sequence[dict[str, int]], wanted: Sequence[float]
) -> bool:
    """The values at these places are those; it ends at the first that is another."""
    for at, value in zip(spots, wanted, strict=True):
        own = _values(way, expr, [at])
        if own is None or differ(own[0], value):
            return False
    return True


def _spots(entry: dict[str, int], s: Statement, way: Second) -> Iterator[dict[str, int]]:
    """The entry of the counterexample, and some beside it."""
    yield entry
    sizes = {}
    for i in {*s.lhs.atoms(sp.Idx), *s.rhs.atoms(sp.Idx)}:
        if i.name in entry:
            sizes[i.name] = way.length(i.upper + 1)
    for k in range(1, PLACES if entry else 1):
        yield {n: (at + k) % max(sizes.get(n, at + 1), 1) for n, at in sorted(entry.items())}


__all__ = [
    "correction",
    "edited",
    "edits",
    "proved_edits",
    "proves",
    "reads_back",
    "redone",
]
