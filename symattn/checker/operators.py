r"""Equations of operators as sums of words: of commutators [A, B] is A B − B A.

So is {A, B} A B + B A beside words of anticommutators.  What the text supposes, [x, p] = iħ, and
what it defines, N = a† a, are equations between words; what follows from them is proved
(completion.py).  Names are operators but for usual letters of numbers that stand in no bracket.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy as sp

from ..read.tree import (
    Accent,
    Addition,
    Group,
    Name,
    Node,
    Number,
    Product,
    Scripted,
    Symbol,
    spelled,
    walk,
)
from ..read.tree import Fraction as FractionNode
from ..read.vocabulary import words
from .completion import Completion, Exhausted, Sum, Word, divisors, is_unit

MOST_POWER = 6
MOST_TERMS = 600
_ONE = frozenset({"I", "1", "mathbb1", "openone"})
_NUMBERS = words(
    "hbar c k m n t alpha beta gamma delta epsilon varepsilon theta kappa lambda mu nu omega pi"
)


class Foreign(Exception):
    """Something that is no operator, number, sum, product, power, bracket or adjoint."""


Poly = dict[Word, sp.Expr]


@dataclass
class Algebra:
    """How trees are read: which names are operators, and what braces of two mean."""

    operators: frozenset[str]
    braces: bool = False
    inverses: dict[Any, Poly] = field(default_factory=dict)  # letters, and what they invert
    self_adjoint: frozenset[str] = frozenset()

    def poly(self, node: Node) -> Poly:
        """The sum of words that a tree stands for.  Raises Foreign for another one."""
        match node:
            case Number(text=text):
                return {(): sp.Rational(Fraction(text))}
            case Name() | Accent():
                return self._named(node)
            case Scripted(base=base, scripts=scripts):
                return self._scripted(node, base, scripts)
            case Addition(parts=parts):
                return _sum((x, sign) for sign, part in parts for x in [self.poly(part)])
            case Product(parts=parts):
                return self._product(parts)
            case FractionNode(top=top, bottom=bottom):
                below = self.poly(bottom)
                if set(below) != {()}:
                    raise Foreign
                return {w: c / below[()] for w, c in self.poly(top).items()}
            case Group(bracket="[" | "\\{" as bracket, items=(one, other)):
                if bracket == "\\{" and not self.braces:
                    raise Foreign
                a, b = self.poly(one), self.poly(other)
                if {*a, *b} <= {()}:  # an interval
                    raise Foreign
                return _sum([(times(a, b), 1), (times(b, a), -1 if bracket == "[" else 1)])
            case Group(bracket="(" | "[" | "{" | "\\{", items=(inner,)):
                return self.poly(inner)
        raise Foreign

    def _product(self, parts: tuple[tuple[str, Node], ...]) -> Poly:
        found: Poly = {(): sp.S.One}
        traced = False
        for op, part in parts:
            if op not in ("", "·") or (traced and not isinstance(part, Group)):
                raise Foreign
            if part == Symbol(part.at, "function", "tr"):
                traced = True
                continue
            inner = self.poly(part)
            found = times(found, _trace(inner) if traced else inner)
            traced = False
        if traced:
            raise Foreign
        return found

    def _named(self, node: Node) -> Poly:
        name = key(node)
        if name in _ONE and name not in self.operators:
            return {(): sp.S.One}
        stem, _, label = name.partition("_")
        if stem in ("epsilon", "varepsilon") and label:  # over which is summed
            raise Foreign
        if name not in self.operators and name == "i":
            return {(): sp.I}
        if name not in self.operators and stem.rstrip("'") in _NUMBERS:
            return {(): sp.Symbol(name)}
        return {((name, "", False),): sp.S.One}

    def _scripted(self, node: Scripted, base: Node, scripts: tuple[tuple[str, Node], ...]) -> Poly:
        below = tuple(s for s in scripts if s[0] == "_")
        above = [s for sign, s in scripts if sign == "^"]
        if below and not isinstance(base, Name | Accent):
            raise Foreign
        inner = Scripted(node.at, base, below) if below else base
        found = self._named(inner) if below else self.poly(base)
        for script in above:
            match script:
                case Number(text=text) if text.isdigit() and int(text) <= MOST_POWER:
                    power: Poly = {(): sp.S.One}
                    for _ in range(int(text)):
                        power = times(power, found)
                    found = power
                case Symbol(kind="dagger"):
                    found = self.adjoint(found)
                case Addition(parts=((-1, Number(text="1")),)):
                    found = self._inverse(found)
                case _:
                    raise Foreign
        return found

    def _inverse(self, of: Poly) -> Poly:
        if set(of) == {()}:
            return {(): 1 / of[()]}
        letter = (repr(sorted(of.items(), key=repr)), "inverse", False)
        self.inverses[letter] = of
        return {(letter,): sp.S.One}

    def adjoint(self, poly: Poly) -> Poly:
        """Words backwards, each letter with a dagger or without; numbers beside i are real."""

        def turned(x: Any) -> Any:
            name, kind, dagger = x
            if kind:
                raise Foreign
            return (name, kind, not dagger and name not in self.self_adjoint)

        return {tuple(map(turned, reversed(w))): c.subs(sp.I, -sp.I) for w, c in poly.items()}

    def said(self) -> Iterator[Poly]:
        """N N⁻¹ = 1 = N⁻¹ N of all inverses that were read."""
        for letter, of in self.inverses.items():
            inverse: Poly = {(letter,): sp.S.One}
            for both in (times(of, inverse), times(inverse, of)):
                yield _sum([(both, 1), ({(): sp.S.One}, -1)])


def _trace(poly: Poly) -> Poly:
    """The traces of words, each of which is that of the word turned round."""
    turned = ((min((w[k:] + w[:k] for k in range(len(w))), default=()), c) for w, c in poly.items())
    return _sum(({((repr(w), "trace", False),): c}, 1) for w, c in turned)


def key(node: Node) -> str:
    """What tells a name from others: its letters, marks and labels."""
    match node:
        case Name(text=text):
            return text
        case Accent(mark="hat" | "vec", body=body):
            return key(body)
        case Accent(mark=mark, body=body):
            return f"{key(body)}_{mark}"
        case Scripted(base=base, scripts=scripts) if all(sign == "_" for sign, _ in scripts):
            return f"{key(base)}_{''.join(str(spelled(s)) for _, s in scripts)}"
    raise Foreign


def named_in(tree: Node) -> set[str]:
    """The names that stand in a tree, with and without labels."""
    found = set[str]()
    for node in walk(tree):
        try:
            found.add(key(node))
        except Foreign:
            continue
    return found


def times(a: Poly, b: Poly) -> Poly:
    """The product of two sums of words."""
    if len(a) * len(b) > MOST_TERMS:
        raise Foreign
    return _sum(({w + v: c * d}, 1) for w, c in a.items() for v, d in b.items())


def _sum(parts: Iterable[tuple[Poly, int]]) -> Poly:
    found: Poly = {}
    for poly, sign in parts:
        for word, c in poly.items():
            found[word] = sp.expand(found.get(word, sp.S.Zero) + sign * c)
    return {w: c for w, c in found.items() if c != 0}


def apart(left: Poly, right: Poly) -> Poly:
    """left − right."""
    return _sum([(left, 1), (right, -1)])


def bracketed(trees: Iterable[Node], braces: bool) -> frozenset[str]:
    """The names that stand in brackets of two, or bear a dagger, and so are operators."""
    found = set[str]()
    for tree in trees:
        for node in walk(tree):
            match node:
                case Group(bracket="[" | "\\{" as bracket, items=(_, _)):
                    if bracket == "[" or braces:
                        found |= _names(node)
                case Scripted(base=Name() | Accent() as base, scripts=scripts):
                    if any(isinstance(s, Symbol) and s.kind == "dagger" for _, s in scripts):
                        found.add(key(base))
                case Accent(mark="hat", body=Name() as body):
                    found.add(key(body))
    return frozenset(found) - {"i", "hbar"}


def _names(node: Node) -> set[str]:
    """The names in a bracket, with their labels."""
    found = set[str]()
    todo = [node]
    while todo:
        x = todo.pop()
        match x:
            case Scripted(base=Name() | Accent() as base, scripts=scripts):
                below = tuple(s for s in scripts if s[0] == "_")
                found.add(key(Scripted(x.at, base, below) if below else base))
            case Name() | Accent():
                found.add(key(x))
            case Group(items=items):
                todo += items
            case Product(parts=parts) | Addition(parts=parts):
                todo += [p for _, p in parts]
            case FractionNode(top=top, bottom=bottom):
                todo += [top, bottom]
            case Scripted(base=base):
                todo.append(base)
    return found


class Supposed:
    """What a text supposes of operators, and what follows from that."""

    def __init__(self, algebra: Algebra, facts: Iterable[Poly]) -> None:
        self.algebra, self.facts = algebra, [*facts]

    def follows(self, claimed: Poly) -> tuple[bool, bool]:
        """Whether a sum is found to be 0, and whether it is known to be none where it is not."""
        if not claimed:
            return True, True
        equations = [*self.facts, *self.algebra.said()]
        for letters in (False, True):  # another order of the letters finds what one does not
            completion, target = _in_field(equations, claimed, letters)
            try:
                if completion.follows(target):
                    return True, True
                left = completion.reduced(target)
            except Exhausted:
                continue
            if completion.whole and not completion.contradicts and left:
                return False, True
        return False, False


def _in_field(equations: list[Poly], claimed: Poly, turned: bool) -> tuple[Completion, Sum]:
    every = [*equations, claimed]
    symbols = sorted({x for e in every for c in e.values() for x in c.free_symbols}, key=str)
    known = divisors(c for e in every for c in e.values())
    domain = sp.QQ_I.frac_field(*symbols) if symbols else sp.QQ_I
    letters = sorted({x for e in every for w in e for x in w}, reverse=turned)
    rank: Mapping[Any, int] = {x: k for k, x in enumerate(letters)}

    def within(poly: Poly) -> Sum:
        try:
            return {tuple(rank[x] for x in w): domain.from_sympy(c) for w, c in poly.items()}
        except (sp.CoercionFailed, ValueError, NotImplementedError):
            raise Foreign from None

    def is_number(c: Any) -> bool:
        return is_unit(domain.to_sympy(c), known)

    return Completion(map(within, equations), is_number), within(claimed)


__all__ = [
    "Algebra",
    "Foreign",
    "Poly",
    "Supposed",
    "apart",
    "bracketed",
    "key",
    "named_in",
    "times",
]
