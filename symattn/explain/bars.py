r"""Which factors of a quotient stand above its bar, and which behind it.

\frac{x - \mu}{\sigma}, but \frac{g}{r} \sum_j x_j and \frac{A}{R} e^{-E / (R T)}.
"""

from __future__ import annotations

from ..ir import (
    Atom,
    Call,
    Poly,
    Rational,
    Ref,
    Sum,
    Term,
)
from .cases import inside


def alone_before_brackets(parts: list[tuple[Atom, Rational]]) -> bool:
    r"""One number, and then brackets and sums: \frac{n}{2} (x - y)."""
    numbers = [isinstance(a, Ref) and not a.slots and not a.tensor.parts for a, _ in parts]
    brackets = all(isinstance(a, Sum | Poly) for a, _ in parts[1:])
    return numbers[:1] == [True] and parts[0][1] == 1 and brackets


def behind_a_bar(atom: Atom, e: Rational) -> bool:
    """A factor that stands behind a fraction rather than in its numerator."""
    ratio = isinstance(atom, Poly) and atom.single is not None
    return (e == 1 or ratio) and isinstance(atom, Sum | Poly)


def tall(atom: Atom) -> bool:
    """An exponential with a bar in its exponent."""
    terms = (t for t in inside(atom) if isinstance(t, Term))
    return isinstance(atom, Call) and atom.name == "exp" and any(e < 0 for t in terms for _, e in t)


def barred(atom: Atom, e: Rational) -> bool:
    """A bracket of several terms with a bar in one of them."""
    bars = isinstance(atom, Poly) and any(k < 0 for t, _ in atom for _, k in t)
    return bars and e == 1 and isinstance(atom, Poly) and len(atom) > 1


def flat(bracket: Atom) -> bool:
    """A bracket in a numerator by itself: a short one, or any of scalars with no bar inside."""
    names = [*inside(bracket)]
    bars = any(e < 0 for t in names if isinstance(t, Term) for _, e in t)
    return short(bracket) or not (bracket.free or bars or any(isinstance(n, Sum) for n in names))


def short(bracket: Atom) -> bool:
    """A bracket of two names, squares or functions of names, x - \\mu, also (x - \\mu)^2 + v."""
    return (
        isinstance(bracket, Poly)
        and len(bracket) == 2
        and all(
            not t.powers
            or (
                len(t.powers) == 1
                and all(_plain(a) or (e > 1 and short(a)) for a, e in t)
                and all(e > 0 and e.denominator == 1 for _, e in t)
            )
            for t, _ in bracket
        )
    )


def _plain(atom: Atom) -> bool:
    """A name, or a function of one."""
    only = atom.args[0].single if isinstance(atom, Call) and len(atom.args) == 1 else None
    return isinstance(atom, Ref) or bool(
        only
        and only[1] == 1
        and len(only[0].powers) == 1
        and isinstance(next(iter(only[0]))[0], Ref)
    )


__all__ = ["alone_before_brackets", "barred", "behind_a_bar", "flat", "short", "tall"]
