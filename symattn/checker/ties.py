"""What ties a name: words, sets and equations by which it is not free, or is all the same.

A tie is loose where the sides differ for every value that it leaves to the name.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping

import sympy as sp

from ..read.builder import PRODUCT
from ..read.calls import ABSTRACT, ALONE
from ..read.names import is_capital
from ..read.positive import OPEN as SIGN
from ..read.ranges import names_of
from ..read.recursions import ELSEWHEN
from ..read.retried import COMPONENT, ELSEWHERE
from ..syntax import Definition, System, define, indices
from .edits import tokens
from .inside import names, partials, symbols
from .qualities import INLINE, STATISTIC
from .ranges import function_on
from .scopes import covering
from .statements import Statement
from .versions import Versions, closure
from .ways import (
    Tie,
    Way,
    absorbed,
    before,
    first,
    loose,
    numbers_of,
    one,
    ordered,
    signs,
    status,
    tensors_of,
    told,
    under,
    valued,
    zero,
)

EXACT = ("=", ":=")
_AVERAGES = ("an expectation", "a variance", "a covariance")
APART = re.compile(  # what makes averages of products, or averages, vanish
    r"\b(?:in|un)dependen|\buncorrelat|\bi\.?i\.?d\b|\borthogonal|\bcent(?:ered|red)|zero.mean",
    re.IGNORECASE,
)
ALIKE = re.compile(  # what makes averages of one thing vanish, or be those of another
    r"\b(?:cent(?:ered|red)|zero.mean|mean.(?:zero|0)|symmetric|identical|same (?:law|distrib|mean|"
    r"variance)|i\.?i\.?d\b|exchangeable|orthogonal)",
    re.IGNORECASE,
)
LABELS = ("hat", "tilde", "bar", "star", "cal")


def unresolved(s: Statement, system: System, versions: Versions) -> str:
    """A name that an equation ties without defining it: a recursion, a differential."""
    return first(_unresolved(s, system, versions), s, _ranged(s, system, versions))


def _unresolved(s: Statement, system: System, versions: Versions) -> Iterator[Tie]:
    told: Mapping[str, str] = getattr(versions.document, "unresolved", {})
    below = closure(names(s.lhs) | names(s.rhs), system)
    exprs = [s.lhs, s.rhs, *(d.expr for d in system if d.name in below)]
    free = {x for e in exprs for x in symbols(e)}
    sizes = {str(x) for x in free if not isinstance(x, sp.Idx)}  # an index i is no imaginary i
    reached = (below | sizes) - set(system.definitions)
    tied = {n: told[n] for n in sorted(reached & told.keys())}
    spoken = [n for n in tied if tied[n] == SIGN]
    spoken = [n for n in spoken if n not in covering(s, system, versions)] if spoken else []
    above = {*getattr(versions.document, "weakly", ())} & reached - {*spoken}
    if spoken or above:
        why = f"{min((*spoken, *above))} is tied by {SIGN}"
        yield Tie(why, (*signs(spoken, above, s, system),))
    states = sum(why == ELSEWHEN for why in tied.values())  # each hangs on those before it
    averages = sum(why.startswith(_AVERAGES) for why in tied.values())
    for n in tied:
        if tied[n] != SIGN and not _free(n, tied[n], s, system, versions):
            ways: Iterable[Way] = ()
            if n == "first_index":
                ways = [Way((define(n, (), k),)) for k in (sp.S.Zero, sp.S.One)]
            elif tied[n] == ELSEWHEN and states == 1:
                ways = before(n, s, system) or absorbed(n, s, system)
            elif (tied[n] == ALONE and _of_any_function(n, s, system, versions)) or (
                averages == 1 and _of_anything(n, tied[n], s, system, versions)
            ):
                ways = signs([n], (), s, system)
            yield Tie(f"{n} is tied by {tied[n]}", (*ways,))


def _free(name: str, why: str, s: Statement, system: System, versions: Versions) -> bool:
    """What ties a name leaves it free here."""
    if _factor(name, s, system):
        return True
    if why.startswith(COMPONENT):
        return _alone(why.removeprefix(COMPONENT).split(",")[0], s, system, versions)
    if why == ALONE:
        return _apart(name, s, system, versions)
    if why.startswith(PRODUCT):
        made = closure(why.removeprefix(PRODUCT).split(", "), system)
        both = (closure(names(side), system) for side in (s.lhs, s.rhs))
        return all(name in side and not made & side for side in both)
    if why == ABSTRACT:  # its derivatives are free, where both sides have them
        values = dict.fromkeys(partials(s.lhs, s.rhs), sp.S.One)
        tops = [[p.args[0] for p in partials(side)] for side in (s.lhs, s.rhs)]
        derived = all(any(name in closure(names(x), system) for x in top) for top in tops)
        sides = (side.xreplace(values) for side in (s.lhs, s.rhs) if side is not None)
        return derived and all(name not in closure(names(side), system) for side in sides)
    return False


def _alone(whole: str, s: Statement, system: System, versions: Versions) -> bool:
    """A component is as free as a number where nothing is said of the vector, nor by the claim."""
    facts = {n for f in system.facts for n in names(f.lhs) | names(f.rhs)}
    said = whole in versions.table or bool(versions.outline.qualities(whole))
    return not said and whole not in facts | closure(names(s.lhs) | names(s.rhs), system)


def _factor(name: str, s: Statement, system: System) -> bool:
    """What ties a name is one and the same factor of both sides, the 1/Z of e^{-E}/Z = e^{-F}/Z."""
    powers = []
    for side in (s.lhs, s.rhs):
        tied = [x for x in sp.Mul.make_args(side) if name in closure(names(x), system)]
        base, power = tied[0].as_base_exp() if len(tied) == 1 else (side, None)
        powers.append((base, power) if isinstance(base, sp.Symbol | sp.Indexed) else None)
    return powers[0] == powers[1] is not None


def _of_any_function(name: str, s: Statement, system: System, versions: Versions) -> bool:
    """The f of f(x) as a number: nothing says which function, and it holds nothing derived by."""
    by = {n.split("_")[0] for p in partials(s.lhs, s.rhs) for n in names(p.args[1])}
    applied = rf"(?<![A-Za-z\\]){re.escape(name)}(?:_\w|_\{{\w+\}})?\s*(?:\\left)?\(([^()]*)\)"
    inside = {t.lstrip("\\") for x in re.findall(applied, versions.outline.text) for t in tokens(x)}
    known = {n.split("_")[0] for n in (*versions.table, *system.definitions)}
    return name in numbers_of(s, system) and name not in known and not by & inside


def _of_anything(name: str, why: str, s: Statement, system: System, versions: Versions) -> bool:
    """An expectation of what nothing defines, and of which the statement has nothing else."""
    drawn = {*versions.document.moments.get(name, ())}
    reached = closure(names(s.lhs) | names(s.rhs), system) - {name}
    made = {n.split("_")[0] for n in (*reached, *versions.table)}
    plain = (
        why.startswith(_AVERAGES[0]) and bool(drawn) and not {n.split("_")[0] for n in drawn} & made
    )
    return plain and not APART.search(versions.outline.around(s.line))


def _apart(name: str, s: Statement, system: System, versions: Versions) -> bool:
    """K_{ij} is not the K(q, k) that another section speaks of."""
    ranks = {len(b.shape) for e in (s.lhs, s.rhs, *(d.expr for d in system))
             for b in e.atoms(sp.IndexedBase) if b.name == name}  # fmt: skip
    applied = rf"(?<![A-Za-z\\]){re.escape(name)}\s*(?:\\left)?\("
    return bool(ranks) and not re.search(applied, versions.outline.around(s.line))


def sampled(s: Statement, system: System, versions: Versions) -> str:
    """The x_n of (1/N) Σ_n x_n beside an N × D matrix X are its rows, said or not."""
    reached = closure(names(s.lhs) | names(s.rhs), system) - {*system.definitions}
    here = {n: t for n, t in tensors_of(s, system).items() if n in reached}
    for name, x in sorted(here.items()):
        whole = here.get(name.upper()) if len(name) == 1 and name.islower() else None
        if whole is None or name in versions.outline.vectors:
            continue
        if len(x.shape) < len(whole.shape) and x.shape[0] == whole.shape[0]:
            return f"it may hold where {name} is of {name.upper()}"
    return ""


def partial(s: Statement, system: System, versions: Versions) -> str:
    """A name that words call a row, a column or an entry of another one is not free beside it.

    Where the two have one shape, a difference that stays when they are one refutes after all.
    """
    return first(_partial(s, system, versions), s, _ranged(s, system, versions))


def _partial(s: Statement, system: System, versions: Versions) -> Iterator[Tie]:
    reached = closure(names(s.lhs) | names(s.rhs), system)
    told = getattr(versions.document, "parts", {})
    free = {n.split("_")[0]: n for n in sorted(reached - set(system.definitions) - told.keys())}
    every = {n.split("_")[0]: n for n in sorted(reached)}
    for parts, wholes in versions.outline.parts:
        for part in sorted(parts & free.keys()):
            for whole in sorted(wholes & every.keys() - {part}):
                ways = (*one(free[part], every[whole], s, system),)
                why = f"in the words of the text {free[part]} is a part of {every[whole]}"
                yield Tie(why, (Way(), *ways) if ways else ())


def qualified(s: Statement, system: System, versions: Versions) -> str:
    """A name of whose values words say more than the equations that were read is not free.

    What differs for all values of that kind refutes after all.
    """
    return first(_qualified(s, system, versions), s, _ranged(s, system, versions))


_OF_NUMBERS = re.compile(  # the others are of what has components
    r"plus or minus|angle|coprime|\b(?:are|is)\b|"
    r"\b(?:one|1|unity|values)$",
    re.IGNORECASE,
)


_SLOPE = re.compile(r"said to be (?:gradient|derivative|jacobian)", re.IGNORECASE)


def _qualified(s: Statement, system: System, versions: Versions) -> Iterator[Tie]:
    free = closure(names(s.lhs) | names(s.rhs), system) - set(system.definitions)
    known = {n for f in system.facts for n in names(f.lhs) | names(f.rhs)}
    numbers = numbers_of(s, system)
    for name in sorted(free - known):
        for word in versions.outline.qualities(name):
            if word == STATISTIC:
                if name in numbers and free - numbers:  # of the components of a vector
                    yield Tie(f"in the words of the text {name} is {word}", ())
            elif _SLOPE.fullmatch(word) and not free - numbers - {name}:
                continue  # of what, the statement does not say, so it has any entries
            elif name not in numbers or is_capital(name) or _OF_NUMBERS.search(word):
                why = f"in the words of the text {name} is {word}"
                yield Tie(why, (*told(name, word, s, system),))
    ranges = versions.document.ranges.items()
    orders = {r.said for n, several in ranges if len(names_of(n)) > 1 for r in several}
    for relation in versions.outline.relations:
        ranged = relation.said.strip() in orders and relation.names <= numbers
        if relation.names <= free - known and not ranged:
            pair = relation.order
            ways = ordered(*pair, s, system, strict=relation.strict) if pair else ()
            yield Tie(f"the text says that {relation.said}", (*ways,))


def among(s: Statement, system: System, versions: Versions) -> str:
    """The N of Σ_{j∈N(i)} is 1 for neighbours; what is wrong where all are neighbours is wrong."""
    return first(_among(s, system, versions), s, _ranged(s, system, versions))


def _among(s: Statement, system: System, versions: Versions) -> Iterator[Tie]:
    sets: frozenset[str] = getattr(versions.document, "sets", frozenset())
    for name in sorted(sets & closure(names(s.lhs) | names(s.rhs), system)):
        x = tensors_of(s, system).get(name)
        if x is None or name in system.definitions:
            continue
        letters = tuple(indices([f"part{k}"], size)[0] for k, size in enumerate(x.shape))
        ways = (Way(), Way((define(name, letters, sp.S.One),)))
        yield Tie(f"it may be meant where the indices are in {name}", ways)


def mirrored(s: Statement, system: System, versions: Versions) -> str:
    """Σ_21 is mostly the transpose of Σ_12; what is wrong with both readings is wrong."""
    return first(_mirrored(s, system, versions), s, _ranged(s, system, versions))


def _mirrored(s: Statement, system: System, versions: Versions) -> Iterator[Tie]:
    for block, other, turned in transposes(s, system):
        yield Tie(f"{block} may be the transpose of {other}", (Way(), Way((turned,))))


def transposes(s: Statement, system: System) -> Iterator[tuple[str, str, Definition]]:
    """Free blocks with their labels the other way round, K_{uf} and K_{fu}: one by the other."""
    reached = closure(names(s.lhs) | names(s.rhs), system) - {*system.definitions}
    here = {n: t for n, t in tensors_of(s, system).items() if n in reached and len(t.shape) == 2}
    for name, x in sorted(here.items()):
        found = _BLOCK.fullmatch(name)
        turned = f"{found[1]}{found[4]}{found[3]}{found[2]}" if found else ""
        other = here.get(turned) if turned > name else None
        if other is not None and tuple(other.shape) == tuple(x.shape)[::-1]:
            rows, columns = (indices([f"part{k}"], n)[0] for k, n in enumerate(other.shape))
            yield turned, name, define(turned, (rows, columns), x[columns, rows])


def namesakes(s: Statement, system: System, versions: Versions) -> Iterator[tuple[str, Definition]]:
    """Another x than elsewhere in the text, light and bold: the one by the other."""
    told: Mapping[str, str] = getattr(versions.document, "unresolved", {})
    reached = closure(names(s.lhs) | names(s.rhs), system) - {*system.definitions}
    here = {n: t for n, t in tensors_of(s, system).items() if n in reached}
    for name in sorted(n for n in here if told.get(n, "").endswith(ELSEWHERE)):
        stem, shape = _NUMBERED.sub("", name), here[name].shape
        for other, x in sorted(here.items()):
            if other != name and _NUMBERED.sub("", other) == stem and x.shape == shape:
                letters = tuple(indices([f"part{k}"], n)[0] for k, n in enumerate(shape))
                yield stem, define(name, letters, x[letters])


_NUMBERED = re.compile(r"_\d+$")
_BLOCK = re.compile(r"(\w+_)([a-z]|\d)(_?)([a-z]|\d)")  # a name and two labels


def ties(s: Statement, system: System, versions: Versions) -> list[Tie]:
    """Everything by which words, sets and equations tie names of a statement."""
    every = (_unresolved, _partial, _unheard, _qualified, _among, _mirrored)
    return [tie for each in every for tie in each(s, system, versions)]


def _ranged(s: Statement, system: System, versions: Versions) -> System:
    """The system where what is free lies where the text says, if it says so once."""
    bound = {n for f in system.facts for n in names(f)}
    bound |= {n for p in partials(s.lhs, s.rhs) for n in names(p.args[1])}
    known = covering(s, system, versions).items() if versions.document else ()
    made = [
        valued(n, s, system, functools.partial(function_on, r=r))
        for n, r in known
        if n not in bound | system.definitions.keys() and not r.is_all
    ]
    return under(system, [Way(tuple(d for d in made if d is not None))]) if made else system


def together(s: Statement, system: System, versions: Versions) -> str:
    """Several ties that are loose, each by itself, and not where all of them count."""
    found = ties(s, system, versions)
    if len(found) < 2 or not all(t.ways for t in found):
        return ""
    if loose(found, s, _ranged(s, system, versions)):
        return ""
    return " and ".join(t.why for t in found[:2])


def equated(s: Statement, system: System, versions: Versions) -> str:
    """A name of which its section says in an equation what does not follow is not free."""
    section = versions.outline.section
    free = closure(names(s.lhs) | names(s.rhs), system) - set(system.definitions)
    for t in versions.statements:
        if t.name in free and t.line and t is not s and t.relation in EXACT and t.rhs is not None:
            told = names(t.rhs) - {t.name} and section(t.line) == section(s.line)
            if not told or t.whole == s.whole:
                continue
            before = (t.line, t.column) < (s.line, s.column)
            if before and t.kind == "claim" and versions.follows(t):
                continue
            systems = (system, versions.system(t))  # what follows from what it is made of says none
            if all(status(t, x) != "proved" for x in systems):
                return f"line {t.line} says something of {t.name}"
    return ""


_SUPPOSES = re.compile(
    r"\b(?:setting|putting|equating|if|when|at|for|solving)\s+(?:\$|\\\()?$", re.IGNORECASE
)


def unheard(s: Statement, system: System, versions: Versions) -> str:
    """A name whose equation was not read is not free."""
    found = first(_unheard(s, system, versions), s, _ranged(s, system, versions))
    if found:
        return found
    section = versions.outline.section
    reached = closure(names(s.lhs) | names(s.rhs), system) - set(system.definitions)
    below = closure(names(s.lhs) | names(s.rhs), system)
    known = {v.name: (v.line, v.column) for n in below for v in versions.table.get(n, ())
             if v.definition in system}  # fmt: skip
    for place, name in versions.unsaid:
        line, _ = place
        anew = known.get(name, place) < place <= (s.line, s.column)  # with another one instead
        if (name in reached or anew) and section(line) == section(s.line):
            if _supposed_behind(place, s, versions):
                continue
            return f"line {line} may say what {name} is"
    return ""


def _supposed_behind(place: tuple[int, int], s: Statement, versions: Versions) -> bool:
    """A later paragraph puts it, *setting E'(y) = 0*, which says nothing of what stands before."""
    text, at = versions.outline.text, versions.outline.position(*place)
    end = versions.outline.position(s.line, s.column) + len(s.whole)
    apart = end < at and re.search(r"\n\s*\n|\\end\{|\\\]", text[end:at]) is not None
    return apart and _SUPPOSES.search(text, max(0, at - 40), at) is not None


def constrained(s: Statement, system: System, versions: Versions) -> str:
    """A name of which a line that was not read says something, and of nothing else: B² = B."""
    reached = closure(names(s.lhs) | names(s.rhs), system) - set(system.definitions)
    section = versions.outline.section
    lines = versions.outline.text.split("\n")
    for (line, _), name in versions.unsaid:
        if name not in reached or section(line) != section(s.line):
            continue
        for formula in INLINE.finditer(lines[line - 1]):
            letters = {x.lstrip("\\") for x in re.findall(r"\\?[A-Za-z]+", formula[0])}
            if "=" in formula[0] and letters - {"top", "I", "T"} == {name}:
                return f"line {line} says which {name} is meant"
    return ""


def _unheard(s: Statement, system: System, versions: Versions) -> Iterator[Tie]:
    for name, at in _said_later(s, system, versions):
        yield Tie(f"line {at}, which was not read, may say what {name} is")
    reached = closure(names(s.lhs) | names(s.rhs), system) - set(system.definitions)
    numbers = numbers_of(s, system)
    for name in sorted(reached):
        stem, *marks = name.split("_")
        label = next((f"_{x}" for x in marks if x in LABELS), "")
        line = versions.unheard.get(stem + label)
        if line is None or (name in numbers and not marks and line in versions.scripted):
            continue
        if line in versions.applied and _apart(name, s, system, versions):
            continue
        alone = reached == {name} & numbers  # what it is made of may be what else stands there
        ways = (*signs([name], (), s, system), *zero(name)) if alone else ()
        yield Tie(f"line {line}, which was not read, may say what {name} is", ways)


def _said_later(s: Statement, system: System, versions: Versions) -> Iterator[tuple[str, int]]:
    """Names by a definition that stands behind s, where a line before s may be the one meant."""
    reached = closure(names(s.lhs) | names(s.rhs), system)
    for name in sorted(reached & versions.unread_first.keys()):
        line = versions.unread_first[name]
        behind = (v.line > s.line for v in versions.table.get(name, ()) if v.definition in system)
        if line < s.line and any(behind):
            yield name, line


__all__ = [
    "ALIKE",
    "APART",
    "EXACT",
    "among",
    "constrained",
    "equated",
    "mirrored",
    "namesakes",
    "partial",
    "qualified",
    "sampled",
    "ties",
    "together",
    "transposes",
    "unheard",
    "unresolved",
]
