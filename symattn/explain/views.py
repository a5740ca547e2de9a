"""Terms as they are looked at when common factors come out of them, and what comes of that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count
from typing import TypeAlias

from .. import normalize as nf
from ..ir import OPENED, ZERO, Atom, Index, Poly, Rational, Sum, Term, rational
from .cost import cost

Collect: TypeAlias = Callable[[Poly], Poly]  # the shortest form of what stands in a bracket
_names = count()


@dataclass(frozen=True)
class View:
    """A term as c · outer · Σ_bound inner; bound is empty for a term without a sum in view."""

    term: Term
    c: Rational
    outer: Mapping[Atom, Rational]
    bound: tuple[Index, ...]
    inner: Mapping[Atom, Rational]


@dataclass(frozen=True)
class Group:
    """Terms of an expression with what they share taken out."""

    terms: frozenset[Term]
    raw: Poly
    saving: int
    shared: Callable[[Poly], Poly] | None = None  # the raw form around a bracket
    bracket: Poly = ZERO

    def finished(self, poly: Poly, collect: Collect) -> Group:
        """The group with its bracket collected too."""
        if self.shared is None:
            return self
        whole = self.shared(collect(self.bracket))
        before = cost(Poly({t: c for t, c in poly if t in self.terms}))
        return replace(self, raw=whole, saving=before - cost(whole))


def fresh(bound: tuple[Index, ...]) -> list[Index]:
    """Letters that no other scope has, so that sums can be joined and nested freely."""
    return [Index(f"c{next(_names)}", b.size, OPENED) for b in bound]


def opened(atom: Sum, around: frozenset[Index]) -> tuple[tuple[Index, ...], Poly]:
    """The body of a sum under letters of its own, none of which is free in what is around it."""
    letters, body = _opened(atom)
    return _opened.__wrapped__(atom) if around.intersection(letters) else (letters, body)


@lru_cache(maxsize=4096)
def _opened(atom: Sum) -> tuple[tuple[Index, ...], Poly]:
    letters = fresh(atom.bound)
    return tuple(letters), nf.substitute(atom.body, dict(zip(atom.bound, letters, strict=True)))


def common_powers(parts: list[Mapping[Atom, Rational]]) -> dict[Atom, Rational]:
    common: dict[Atom, Rational] = {}
    for atom in parts[0]:
        powers = [p.get(atom, 0) for p in parts]
        if all(k > 0 for k in powers):
            common[atom] = min(powers)
        elif all(k < 0 for k in powers):
            common[atom] = max(powers)
    return common


def quotient(
    powers: Mapping[Atom, Rational], divisor: Mapping[Atom, Rational]
) -> dict[Atom, Rational]:
    left = {a: rational(e - divisor.get(a, 0)) for a, e in powers.items()}
    return {a: e for a, e in left.items() if e}


__all__ = ["Collect", "Group", "View", "common_powers", "fresh", "opened", "quotient"]
