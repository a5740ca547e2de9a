"""The values that a tie leaves to a name, and whether two sides differ for all of them.

Several ties are loose together: m² |u|² = m is true of a mask m and a unit vector u, and false
where only one of them is what the words say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import prod
from typing import Any

import sympy as sp

from ..errors import SymattnError
from ..objects import Iverson, Partial
from ..prove import whether
from ..syntax import Definition, System, define, for_all, indices, tensor, total
from .inside import bases, names, symbols
from .statements import Statement
from .versions import closure

SIGNED = 3  # names of whose signs a text speaks, that are tried together
MOST = 128  # choices of values of all ties
_FAR: tuple[Callable[[Any], Any], ...] = (  # a number above zero, near it and far from it
    lambda u: u**2,
    lambda u: u**2 / (1 + u**2),
    lambda u: 1 + u**2,
)


@dataclass(frozen=True)
class Way:
    """One kind of values: what defines a name, or is true of it; nothing for any value."""

    definitions: tuple[Definition, ...] = ()
    facts: tuple[sp.Eq, ...] = ()
    among: bool = False  # values of another way, near zero or far from it


@dataclass(frozen=True)
class Tie:
    """Why a name is not free, and the kinds of values that are left; none if they are not known."""

    why: str
    ways: tuple[Way, ...] = ()


def under(system: System, ways: Iterable[Way]) -> System:
    """The system where names have values of these kinds.  Raises SymattnError."""
    ways = tuple(ways)
    facts = (f for way in ways for f in way.facts)
    made = {d.name: d for way in ways for d in way.definitions}
    rest = (d for d in system if d.name not in made)
    return System(*made.values(), *rest, facts=(*system.facts, *facts))


def first(ties: Iterable[Tie], s: Statement, system: System) -> str:
    """Why the first tie is one that is not loose by itself; empty for none."""
    return next((t.why for t in ties if not loose([t], s, system)), "")


def loose(ties: Sequence[Tie], s: Statement, system: System) -> bool:
    """The sides differ for every choice of values that these ties leave."""
    if not all(t.ways for t in ties) or prod(len(t.ways) for t in ties) > MOST:
        return False
    chosen = [*filter(_consistent, product(*(t.ways for t in ties)))]
    return bool(chosen) and all(_differ(s, system, ways) for ways in chosen)


def _consistent(ways: Sequence[Way]) -> bool:
    """No name has values of two kinds; those of one kind are in both ways."""
    kinds: dict[str, Definition] = {}
    every = (d for way in ways for d in way.definitions)
    return all(kinds.setdefault(d.name, d).expr == d.expr for d in every)


def worlds(ties: Sequence[Tie], system: System) -> Iterator[System]:
    """The system under every choice of ways, without values that are those of another way."""
    kinds = [[w for w in t.ways if not w.among] for t in ties]
    for ways in filter(_consistent, product(*kinds)):
        if any(way.definitions or way.facts for way in ways):
            with suppress(SymattnError):
                yield under(system, ways)


@lru_cache(maxsize=2048)
def _differ(s: Statement, system: System, ways: tuple[Way, ...]) -> bool:
    try:
        return status(s, under(system, ways)) == "refuted"
    except SymattnError:
        return False


def status(s: Statement, system: System) -> str:
    """What the prover says of a statement; empty where it says nothing."""
    try:
        return whether(s.lhs, s.rhs, given=system, over=s.letters).status
    except SymattnError:
        return ""


def signs(spoken: Iterable[str], above: Iterable[str], s: Statement, system: System) -> list[Way]:
    """Values above and below zero, near it and far away, and mixed ones of what has components.

    All names have each of them together, as |a b| = a b holds for some; those `above` zero have
    one sign.
    """
    spoken, above = sorted(spoken), sorted(above)
    if len(spoken) + len(above) > SIGNED:
        return []
    numbers = numbers_of(s, system)
    found = []
    for kind in _FAR:
        for each in product((1, -1), repeat=len(spoken)):
            both = zip((*spoken, *above), (*each, *(1 for _ in above)), strict=True)
            made = [valued(n, s, system, kind, sign) for n, sign in both]
            if len(own := [d for d in made if d is not None]) < len(made):
                return []
            found.append(Way((*own,), among=kind is not _FAR[0]))
    mixed = not set(spoken) <= numbers
    return [*found, Way()] if mixed else found


def ordered(small: str, large: str, s: Statement, system: System, *, strict: bool) -> Iterator[Way]:
    """Two numbers of which one is larger, by little and by much; or they are equal."""
    exprs = (s.lhs, s.rhs, *(d.expr for d in system))
    numbers = {x.name: x for e in exprs for x in symbols(e) if x.name in {small, large}}
    if numbers.keys() == {small, large} == {small, large} & numbers_of(s, system):
        u = sp.Symbol(f"{large}_any", real=True)
        for kind in _FAR:
            made = define(large, (), numbers[small] + kind(u))
            yield Way((made,), among=kind is not _FAR[0])
        if not strict:
            yield Way((define(large, (), numbers[small]),), among=True)


def zero(name: str) -> Iterator[Way]:
    """A number that is 0."""
    yield Way((define(name, (), sp.S.Zero),), among=True)


def before(name: str, s: Statement, system: System) -> list[Way]:
    """A derivative within one step: a state before it may be 0, small or any other.

    What is no derivative may hold by the steps before: a_t a_{t-1} = a_{t-1} Σ_{i≤t} x_i.
    """
    both = [closure(names(side), system) for side in (s.lhs, s.rhs) if side is not None]
    exprs = [s.lhs, *(d.expr for d in system if d.name in both[0])]
    derived = any(e.atoms(Partial) for e in exprs) and not any(e.atoms(Iverson) for e in exprs)
    if not derived or not all(name in x for x in both):
        return []
    kinds: tuple[Callable[[Any], Any], ...] = (
        lambda x: sp.S.Zero,
        lambda x: x / (2 + 2 * x**2),
        lambda x: x**2 / (1 + x**2),
        lambda x: x,
    )
    made = [valued(name, s, system, kind) for kind in kinds]
    ways = [Way((d,), among=0 < k < 3) for k, d in enumerate(made) if d is not None]
    return ways if len(ways) == len(made) else []


def absorbed(name: str, s: Statement, system: System) -> list[Way]:
    """A state before it, to which each step adds something free: B_k = M P_{k-1} Mᵀ + Q_k.

    Whatever the state is, B_k may be anything, so that what differs for any differs for one.
    """
    reached = closure(names(s.lhs) | names(s.rhs), system)
    below = [d for d in system if d.name in reached]
    holds = [d for d in below if name in names(d.expr)]
    state = re.sub(
        r"_(?:\d+_)?(?:before|later|next)$", "", name
    )  # of which the steps before say more
    if not holds or {name, state} & (names(s.lhs) | names(s.rhs)):
        return []
    for d in holds:
        others = [s.lhs, s.rhs, *(e.expr for e in below if e is not d)]
        taken = {n for e in others for n in names(e)} | {n for f in system.facts for n in names(f)}
        terms = sp.Add.make_args(d.expr)
        own = {getattr(getattr(t, "base", t), "name", "") for t in terms
               if (isinstance(t, sp.Indexed) and t.indices == tuple(d.indices))
               or (isinstance(t, sp.Symbol) and not d.indices)}  # fmt: skip
        rest = [n for t in terms for n in names(t)]
        if not any(
            n and n not in taken | {*system.definitions} and rest.count(n) == 1 for n in own
        ):
            return []
    made = valued(name, s, system, lambda x: sp.S.Zero)
    return [Way((made,)), Way()] if made is not None else []


def valued(
    name: str, s: Statement, system: System, kind: Callable[[Any], Any], sign: int = 1
) -> Definition | None:
    """A name as a function of anything, component by component; None for one that is not there."""
    exprs = (s.lhs, s.rhs, *(d.expr for d in system))
    bases = {b.name: b for e in exprs for b in e.atoms(sp.IndexedBase)}
    if name not in bases and name not in numbers_of(s, system):
        return None
    shape = bases[name].shape if name in bases else ()
    letters = tuple(i for k, size in enumerate(shape) for i in indices(f"i{k}", size))
    if not letters:
        return define(name, (), sign * kind(sp.Symbol(f"{name}_any", real=True)))
    return define(name, letters, sign * kind(tensor(f"{name}_any", *shape)[letters]))


_MASK = re.compile(r"\bmasks?\b|\bindicators?\b|\bbinary\b", re.IGNORECASE)
_SQUARE = re.compile(  # of a matrix with one size
    r"\b(?:projec|rota|reflec|permuta|involut)\w+|\bidentity\b|potent\b|\btrace|unimodular|commut",
    re.IGNORECASE,
)
_SHARES = re.compile(r"probabilit|simplex|\bto (?:one|1|unity)|stochastic", re.IGNORECASE)
_Form = Callable[[Any, Any], tuple[Any, Any]]  # of a component, and a size: a sum, and its value
_SUMS: tuple[tuple[re.Pattern[str], tuple[_Form, ...]], ...] = (  # of values along an axis
    (re.compile(r"normali|unit|length|norm\b|spherical", re.I), (lambda x, n: (x**2, 1),)),
    (re.compile(r"normali", re.I), (lambda x, n: (x, 1),)),
    (re.compile(r"normali", re.I), (lambda x, n: (sp.Abs(x), 1),)),
    (re.compile(r"cent(?:ered|red)|mean|zero", re.I), (lambda x, n: (x, 0),)),
    *(
        (re.compile(r"normali|standardi|whiten|variance", re.I), (lambda x, n: (x, 0), form))
        for form in (
            (lambda x, n: (x**2, n)),
            (lambda x, n: (x**2, n - 1)),
        )
    ),
)


def told(name: str, word: str, s: Statement, system: System) -> list[Way]:
    """What a word may say of a name, along each of its axes; nothing where that is not known."""
    x = tensors_of(s, system).get(name)
    if x is None or not 0 < len(x.shape) < 3:
        return []
    if _SQUARE.search(word) and len({*x.shape}) != 1:
        return [Way()]  # what maps one space to another is no projector
    letters = [indices([f"part{k}"], size)[0] for k, size in enumerate(x.shape)]
    here = x[tuple(letters)]
    if _MASK.search(word):  # of 0 and 1, or of 0 where it is added and something else
        values = (sp.S.One, sp.S(2))
        return [Way(facts=(for_all(here**2, here * v, letters),)) for v in values]
    if _SHARES.search(word):  # above zero, with a sum of one
        u = tensor(f"{name}_any", *x.shape)[tuple(letters)]
        return [Way((define(name, letters, u**2 / total(u**2, i)),)) for i in letters]
    return [
        Way(facts=tuple(_sum(form, here, i, letters) for form in forms))
        for pattern, forms in _SUMS
        if pattern.search(word)
        for i in letters
    ]


def _sum(form: _Form, here: Any, i: Any, letters: Sequence[Any]) -> sp.Eq:
    what, value = form(here, i.upper + 1)
    return for_all(total(what, i), value, [j for j in letters if j is not i])


def numbers_of(s: Statement, system: System) -> set[str]:
    """The names of numbers, which have no index."""
    exprs = (s.lhs, s.rhs, *(d.expr for d in system))
    return {x.name for e in exprs for x in symbols(e)} - tensors_of(s, system).keys()


def tensors_of(s: Statement, system: System) -> dict[str, Any]:
    """The tensors of a statement, by name."""
    here = {b.name: b for side in (s.lhs, s.rhs) for b in bases(side)}
    return {**here, **system.inputs}


def one(part: str, whole: str, s: Statement, system: System) -> Iterator[Way]:
    """The rows that a name stands for are those of a matrix, where the two have one shape."""
    x, y = map(tensors_of(s, system).get, (part, whole))
    if x is not None and y is not None and len(x.shape) == 2 and x.shape == y.shape:
        letters = [indices([f"part{k}"], size)[0] for k, size in enumerate(x.shape)]
        yield Way((define(part, tuple(letters), y[tuple(letters)]),))


__all__ = [
    "Tie",
    "Way",
    "absorbed",
    "before",
    "first",
    "loose",
    "numbers_of",
    "one",
    "ordered",
    "signs",
    "status",
    "tensors_of",
    "told",
    "under",
    "valued",
    "worlds",
    "zero",
]
