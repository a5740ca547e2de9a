r"""Averages over what is not stated: 𝔼 is linear, constants come out, Var(x) is 𝔼[x²] − 𝔼[x]².

An average becomes a sum of products of constants and of moments, each a quantity of its own.
Constant are numbers, names that words call so, averages of the same kind, what is defined by these,
and, where the outcome z stands below the sign, functions whose written arguments are without z.  So
is what the statement has outside of its signs too, where something else stands under them alone and
nothing calls it random: the a of 𝔼[a X] = a 𝔼[X]; and a small b beside an X without axes.  Anything
else may hang on the outcome.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

import sympy as sp

from . import laws, opaque, slopes
from .names import reached
from .scripts import component
from .sizes import Letter
from .terms import (
    MINUS_ONE,
    ONE,
    ZERO,
    Add,
    Compare,
    Derivative,
    Mul,
    Number,
    Place,
    Pow,
    Ref,
    Term,
    Total,
    Unknown,
    outline,
    parts,
    refs,
)
from .tree import (
    Accent,
    Given,
    Group,
    Name,
    Node,
    Product,
    Scripted,
    Symbol,
    base_of,
    children,
)
from .values import Value, letters_in

if TYPE_CHECKING:
    from .elaborate import Reader

SIGNS = {"E": "mean", "Var": "var", "Cov": "cov"}
MAX_TERMS = 60  # of an expression that is multiplied out
MAX_POWER = 4
Monomial = tuple[  # constant factors, those that are not, and the letters that are summed
    tuple[Term, ...], tuple[Term, ...], tuple[Letter, ...]
]


def is_sign(node: Node) -> bool:
    r"""True for \mathbb{E}, \mathrm{Var}, \mathrm{Cov}, and for ⟨…⟩ around one expression."""
    if isinstance(node, Group):
        return node.bracket == "<" and len(node.items) == 1 and not isinstance(node.items[0], Given)
    return isinstance(node, Symbol) and node.kind == "function" and node.text in SIGNS


def _names(node: Node, under: bool = False) -> Iterator[tuple[Node, bool]]:
    """The names of a statement, each with whether it stands under a sign."""
    match node:
        case Scripted(base=Symbol()):
            return
        case Name() | Accent() | Scripted(base=Name() | Accent()):
            yield node, under
        case Product():
            for k, (_, part) in enumerate(node.parts):
                before = node.parts[k - 1][1] if k else part
                sign = base_of(before)
                yield from _names(part, under or is_sign(part) or (k > 0 and is_sign(sign)))
        case _:
            for part in children(node):
                yield from _names(part, under or is_sign(node))


class TooLarge(Exception):
    """An expression has too many terms to be multiplied out."""


class Moments:
    """The moments of one kind of average, as `why` says, told from others by `kind`."""

    def __init__(
        self, reader: Reader, at: int, kind: tuple[object, object], why: str, outcome: set[str]
    ) -> None:
        self.reader, self.at, self.kind, self.why = reader, at, kind, why
        self.outcome = outcome
        self.lawful = False  # something with a law stands under the sign

    def mean(self, term: Term) -> Term:
        """𝔼[term].  Raises TooLarge."""
        self._within(term)
        terms = self._expanded(term)
        self._guess(terms)
        return _sum(_total(letters, Mul((*c, self._moment(r)))) for c, r, letters in terms)

    def covariance(self, first: Term, second: Term) -> Term:
        """Σ c d (𝔼[x y] − 𝔼[x] 𝔼[y]) over the terms c x and d y of the two.  Raises TooLarge."""
        self._within(first, second)
        one, other = self._expanded(first), self._expanded(second)
        self._guess([*one, *other])
        pairs = [
            _total(_times(p, q)[2], Mul((*p[0], *q[0], self._pair(p[1], q[1]))))
            for p in one
            for q in other
            if p[1] and q[1]
        ]
        return _sum(pairs) if pairs else ZERO

    def _pair(self, x: tuple[Term, ...], y: tuple[Term, ...]) -> Term:
        alike = x == y and len(x) == 1 and self.reader.source.variances
        if alike and laws.moment(self.reader, (*x, *y), self.at) is None:
            return self._quantity("var", x)
        means = Mul((MINUS_ONE, self._moment(x), self._moment(y)))
        return _sum([self._moment((*x, *y)), means])

    def _moment(self, factors: tuple[Term, ...]) -> Term:
        """𝔼 of a product; in a text on variances 𝔼[x²] is Var(x) + 𝔼[x]²."""
        if not factors:
            return ONE
        own = self._averaged(factors[0])
        if len(factors) == 1 and own is not None:
            return own
        groups = laws.apart(self.reader, factors)
        if len(groups) > 1:
            return Mul(tuple(self._moment(tuple(group)) for group in groups))
        if (stated := laws.moment(self.reader, factors, self.at)) is not None:
            return stated
        square = len(factors) == 2 and factors[0] == factors[1]
        if square and self.reader.source.variances:
            return _sum([self._quantity("var", factors[:1]), Pow(self.mean(factors[0]), _two())])
        return self._quantity("mean", factors)

    def _averaged(self, term: Term) -> Term | None:
        """mean_E, where the document says by an equation what ⟨E⟩ is."""
        name = f"mean_{term.name}" if isinstance(term, Ref) else ""
        return Ref(name, term.slots) if name in self.reader.names.means else None  # type: ignore[union-attr]

    def _quantity(self, stem: str, factors: tuple[Term, ...]) -> Term:
        first = factors[0]
        name = f"{stem}_{first.name}" if isinstance(first, Ref) and len(factors) == 1 else ""
        if name in self.reader.names.means:
            return Ref(name, first.slots)  # type: ignore[union-attr]
        ordered = sorted(factors, key=lambda t: str(outline(t, tuple(_letters(t)))))
        inside = [Value(t, dict.fromkeys(_letters(t), (1, 0))) for t in ordered]
        found = opaque.value(self.reader, stem, inside, self.at, self.why, said=self.kind)
        assert isinstance(found.term, Ref)
        drawn = tuple(sorted({r.name for t in ordered for r in refs(t) if not self._constant(r)}))
        self.reader.names.moments[found.term.name] = self.kind, drawn
        if stem == "mean" and len(factors) == 1 and drawn and {*drawn} <= self.reader.names.centred:
            self.reader.names.traits[found.term.name] = {"zero"}
        if stem == "var" and not found.term.slots:
            self.reader.names.positive.add(found.term.name)
        if len(ordered) == 2 and {type(t) for t in ordered} == {Ref}:
            one, other = ordered  # x_i x_j
            if one.name == other.name and len(one.slots) == 1:  # type: ignore[union-attr]
                self.reader.names.symmetric.add(found.term.name)
        return found.term

    def _expanded(self, term: Term) -> list[Monomial]:
        """The terms of an expression with all products multiplied out."""
        if self._constant(term):
            return [((term,), (), ())]
        match term:
            case Add():
                terms = (
                    (Number(sp.Integer(s)), m) for s, p in term.parts for m in self._expanded(p)
                )
                return _few([((sign, *c), r, x) for sign, (c, r, x) in terms])
            case Mul():
                found: list[Monomial] = [((), (), ())]
                for part in term.parts:
                    inside = self._expanded(part)
                    found = _few([_times(m, n) for m in found for n in inside])
                return found
            case Total():
                return [(c, r, (*term.letters, *x)) for c, r, x in self._expanded(term.body)]
            case Ref() if self._random(term.name) and (body := laws.body(self.reader, term)):
                return self._expanded(body)
            case Derivative() if self.lawful and (
                (body := slopes.slope(self.reader, term, self.at)) is not None
            ):
                return self._expanded(body)
            case Pow(exponent=Number(value=n)) if n.is_Integer and 1 < n <= MAX_POWER:
                return self._expanded(Mul((term.base,) * int(n)))
        return [((), (term,), ())]

    def _constant(self, term: Term) -> bool:
        """True for what does not hang on the outcome."""
        if isinstance(term, Compare | Place):
            return True
        if isinstance(term, Ref):
            return self._known(term.name)
        if isinstance(term, Unknown) and self.outcome:
            return not reached({r.name for r in refs(term)}, self.reader.uses) & self.outcome
        if inside := list(parts(term)):
            return all(map(self._constant, inside))
        below = [r.name for r in refs(term)]
        return isinstance(term, Number) or (bool(below) and all(map(self._known, below)))

    def _known(self, name: str) -> bool:
        names = self.reader.names
        if name in names.constants | self._outside or self._averaged_alike(name):
            return True
        if self._parameter(name):
            return True
        if (used := self.reader.uses.get(name)) and name not in used:
            return all(map(self._known, used))
        written = names.written_arguments.get(name)
        if not self.outcome or written is None:
            return False
        return not reached(written, self.reader.uses) & self.outcome

    def _guess(self, terms: list[Monomial]) -> None:
        """Note the η of y = w x + η, of which nothing says that it is no noise."""
        names, tree = self.reader.names, self.reader.here.tree
        alone = {r.name for c, drawn, _ in terms if not drawn for t in c for r in refs(t)}
        said = names.parameters | names.constants | self._written[False]
        if tree is not None and (guessed := {n for n in alone - said if self._parameter(n)}):
            names.loose.setdefault(tree.at, set()).update(guessed)

    def _within(self, *terms: Term) -> None:
        names = reached({r.name for t in terms for r in refs(t)}, self.reader.uses)
        self.lawful = not names.isdisjoint(self.reader.names.laws)

    def _parameter(self, name: str) -> bool:
        """True beside something with a law for a name of the author's that has none, and no average
        of its own."""
        names = self.reader.names
        taken = names.laws.keys() | names.random | names.averaged | self.outcome
        taken |= names.opaque | names.tied.keys() | names.written_arguments.keys()
        return self.lawful and name not in self.reader.uses and name not in taken

    def _random(self, name: str) -> bool:
        """True for what is defined by something whose law is stated."""
        return not self.reader.names.laws.keys().isdisjoint(
            reached([name], self.reader.uses) - {name}
        )

    def _averaged_alike(self, name: str) -> bool:
        """A moment of this kind; where nothing stands below its sign, of any section."""
        kind, _ = self.reader.names.moments.get(name, (None, ()))
        return kind is not None and (kind == self.kind or not (kind[0] or self.kind[0]))

    @cached_property
    def _written(self) -> dict[bool, set[str]]:
        """The names of the statement under a sign, and outside of all signs."""
        found: dict[bool, set[str]] = {True: set(), False: set()}
        for node, under in _names(self.reader.here.tree) if self.reader.here.tree else ():
            if own := component(node, self.reader.names, self.reader.here):
                found[under].add(own.name)
        return found

    @cached_property
    def _outside(self) -> set[str]:
        """What stands outside of the signs as well as under them, and is a number therefore."""
        names, found = self.reader.names, self._written
        drawn = found[True] - found[False]
        capital = {n for n in drawn if n[0].isupper()}
        if capital and not any(map(names.ranks.get, capital)):  # the b of Var(X + b)
            drawn -= {n for n in drawn if len(n) == 1 and n.islower()} - names.random
        return {
            n
            for n in found[True] - drawn - names.random - self.outcome
            if drawn
            and not reached({n}, self.reader.uses) & drawn
            and not (capital and n[0].isupper())
        }


def _two() -> Number:
    return Number(sp.Integer(2))


def _few(found: list[Monomial]) -> list[Monomial]:
    if len(found) > MAX_TERMS:
        raise TooLarge
    return found


def _times(one: Monomial, other: Monomial) -> Monomial:
    """The product.  Raises TooLarge where both sum over the same letter: Σ_k x_k Σ_k x_k."""
    if {*one[2]} & {*other[2]}:
        raise TooLarge
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


def _total(letters: tuple[Letter, ...], body: Term) -> Term:
    return Total(letters, body) if letters else body


def _sum(terms: Iterable[Term]) -> Term:
    found = tuple((1, t) for t in terms)
    return found[0][1] if len(found) == 1 else Add(found)


def _letters(term: Term) -> list[Letter]:
    """The letters of a term that no sum in it binds, in order."""
    bound: set[Letter] = set()
    found: dict[Letter, None] = {}

    def look(t: Term) -> None:
        if isinstance(t, Total):
            bound.update(x.real() for x in t.letters)
        slots = t.slots if isinstance(t, Ref) else ()
        for r in () if isinstance(t, Ref) or list(parts(t)) else refs(t):
            slots += r.slots
        found.update(dict.fromkeys(x.real() for x in letters_in(slots)))
        for part in parts(t):
            look(part)

    look(term)
    return [x for x in found if x not in bound]


__all__ = ["SIGNS", "Moments", "TooLarge", "is_sign"]
