"""Index expressions as one line of text: names as they are typed, sums as Σ_j, in reading order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import sympy as sp

from ..distinct import both_ways
from ..ir import (
    Argmax,
    Atom,
    Call,
    Delta,
    Index,
    Mask,
    Max,
    Num,
    Poly,
    Rational,
    Ref,
    Sum,
    Tensor,
    Term,
    affine,
    raw_atom,
    refs,
    slot_items,
)
from .arrange import arranged, factors
from .cost import complement, powers_of
from .joined import opened
from .relations import relation
from .spelling import over_a_number

Order = Sequence[Index]
SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"


def plain(poly: Poly, free: Order = ()) -> str:
    """A sum of terms.

    S_bar[i,j] = A[i,j] (A_bar[i,j] - Σ_l A[i,l] A_bar[i,l]), for example.
    """
    text = ""
    for term, c in arranged(poly):
        shown = _term(term, -c if c < 0 else c, free)
        text += ("-" if c < 0 and not text else " - " if c < 0 else " + " if text else "") + shown
    return text or "0"


def component(tensor: Tensor, slots: Sequence[Any]) -> str:
    """T[i,j], or ∂T[i,j]/∂U[k], or ∂²T[i,j]/∂U[k]∂U[l]."""
    below: list[str] = []
    while tensor.parts:
        tensor, wrt = tensor.parts
        rank = len(tensor.shape)
        below.insert(0, "∂" + component(wrt, slots[rank:]))
        slots = slots[:rank]
    if below:
        order = "" if len(below) == 1 else SUPERSCRIPTS[len(below)]
        return f"∂{order}{component(tensor, slots)}/{''.join(below)}"
    return tensor.name + (f"[{','.join(map(_slot, slots))}]" if slots else "")


def _slot(slot: Any) -> str:
    if isinstance(slot, Index):
        return slot.name
    items, const = slot_items(slot)
    text = ""
    for index, c in sorted(items.items(), key=lambda pair: (pair[1] < 0, pair[0].sort)):
        sign = "-" if c < 0 else "+" if text else ""
        text += f"{sign}{abs(c) if abs(c) != 1 else ''}{index.name}"
    if const != 0 or not text:
        shown = str(const).replace(" ", "")
        text += shown if not text or shown.startswith("-") else f"+{shown}"
    return text


def _term(term: Term, c: Rational, free: Order) -> str:
    parts = factors(term, free)
    above = _product([(a, e) for a, e in parts if e > 0], c.numerator, free)
    below = [(a, -e) for a, e in parts if e < 0]
    if not below and c.denominator == 1:
        return above
    if not parts:
        return str(c)
    bottom = _product(below, c.denominator, free)
    alone = len(below) + (c.denominator != 1) == 1
    bare_sum = below and isinstance(below[0][0], Sum) and below[0][1] == 1
    return f"{above} / {bottom if alone and not bare_sum else f'({bottom})'}"


def _product(parts: list[tuple[Atom, Rational]], c: int, free: Order) -> str:
    texts = [] if c == 1 and parts else [str(c)]
    for k, (atom, e) in enumerate(parts):
        last = k == len(parts) - 1
        texts.append(
            _sum(atom, free) if isinstance(atom, Sum) and e == 1 and last else _power(atom, e, free)
        )
    return " ".join(texts)


def _power(atom: Atom, e: Rational, free: Order) -> str:
    if e == 1:
        return f"({_sum(atom, free)})" if isinstance(atom, Sum) else _atom(atom, free)
    if (e.numerator, e.denominator) == (1, 2):
        return f"sqrt({plain(atom if isinstance(atom, Poly) else raw_atom(atom), free)})"
    base = f"({_sum(atom, free)})" if isinstance(atom, Sum) else _atom(atom, free)
    return f"{base}^{e}" if e.denominator == 1 else f"{base}^({e})"


def _raised(base: Poly, exponent: Poly, free: Order) -> str:
    """A power with an exponent that is no number: (1 + x)^(n - 1)."""
    below, above = plain(base, free), _argument(exponent, free)
    name = base in (raw_atom(r) for r in refs(base))  # x[i]^n
    return f"{below if name else f'({below})'}^{above if above.isalnum() else f'({above})'}"


def _argument(poly: Poly, free: Order) -> str:
    """What a function is of, or a power to: (p - q) / 2."""
    whole, k = over_a_number(poly)
    return plain(poly, free) if k == 1 else f"({plain(whole, free)}) / {k}"


def _sum(atom: Sum, free: Order) -> str:
    body = plain(atom.body, (*free, *atom.bound))
    only = atom.body.single
    letters = ",".join(b.name for b in atom.bound)
    return f"Σ_{letters} {body if only and only[1] > 0 else f'({body})'}"


def _maximum(word: str, bound: Order, args: Iterable[Poly], free: Order) -> str:
    inside = ", ".join(plain(a, (*free, *bound)) for a in args)
    return f"{word}{'_' * bool(bound)}{','.join(b.name for b in bound)}({inside})"


def _relation(u: Poly, more: str, less: str, free: Order) -> str:
    return relation(u, more, less, lambda side: plain(side, free))


def _atom(atom: Atom, free: Order) -> str:
    match atom:
        case Ref():
            symbol = atom.tensor.symbol
            return (
                component(atom.tensor, atom.slots)
                if symbol is None or symbol.is_Symbol
                else str(symbol)
            )
        case Delta():
            return f"δ[{_slot(atom.a)},{_slot(atom.b)}]"
        case Mask():
            items, const = slot_items(atom.slot)  # the bracket says that it is at least 0
            strict = const == -1
            up = affine({i: c for i, c in items.items() if c > 0}, sp.S.Zero if strict else const)
            down = affine({i: -c for i, c in items.items() if c < 0}, sp.S.Zero)
            return f"[{_slot(down)} {'<' if strict else '≤'} {_slot(up)}]"
        case Call(name="exp") if (powers := powers_of(atom.args[0])) is not None:
            return " ".join(_raised(base, opened(e), free) for base, e in powers)
        case Call(name="step"):
            return f"[{_relation(atom.args[0], '≥', '≤', free)}]"
        case Call():
            return f"{atom.name}({', '.join(_argument(a, free) for a in atom.args)})"
        case Num():
            return str(atom.prime)
        case Poly() if (pair := both_ways(atom)) is not None:
            return f"[{pair[0].name} ≠ {pair[1].name}]"
        case Poly() if (u := complement(atom)) is not None:
            return f"[{_relation(u, '<', '>', free)}]"
        case Poly():
            return f"({plain(atom, free)})"
        case Sum():
            return f"({_sum(atom, free)})"
        case Max():
            return _maximum("max", atom.bound, atom.args, free)
        case Argmax():
            at = ",".join(map(_slot, atom.at))
            return f"[{at} = {_maximum('argmax', atom.bound, [atom.body], free)}]"
    raise AssertionError(atom)
