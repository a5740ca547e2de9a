r"""LaTeX of index expressions: all indices up, Σ written only where the rule needs it.

What is printed is read back to the same expression by the rule of `symattn.convert`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cmp_to_key
from typing import Any, NamedTuple, TypeAlias

import sympy as sp

from .. import primitives
from ..distinct import both_ways
from ..ir import (
    ONE_TERM,
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
    Slot,
    Sum,
    Term,
    Unknown,
    collected,
    magnitude,
    rational,
    raw_atom,
)
from .arrange import arranged, factors
from .bars import alone_before_brackets, barred, behind_a_bar, flat, short, tall
from .components import reference
from .cost import cases_of, complement, one_power, powers_of, smallest
from .facing import data_first
from .gaussian import with_normal_law
from .implicit import reads_back
from .joined import opened
from .limits import limited, one_sided, two_sided
from .naming import (
    GREEK,
    RATES,
    is_name,
    letter,
    limit,
    name,
    naming,
    place,
    size,
    sized,
    slot,
    slots,
    unknown,
)
from .naming import affine as affine_text
from .notation import DOWN, ahead, before, current, lowered, position
from .relations import comparison, indicator, relation
from .spelling import (
    complemented,
    counted,
    of_base,
    of_norms,
    of_powers,
    of_roots,
    one_root,
    over_a_number,
    under_a_bar,
    under_one_root,
)

__all__ = ["GREEK", "latex", "letter", "name", "reference", "slot", "slots"]

_BRACED = r"(?:[^{}]|\{[^{}]*\})*"
_NAME = re.compile(  # a name without indices
    rf"(?:[A-Za-z]|\\[A-Za-z]+(?:\{{{_BRACED}\}}| ?\\?[A-Za-z]+)?)'*(?:_(?:\w|\{{{_BRACED}\}}))?"
)

RAISED = frozenset({"sin", "cos", "tan", "sinh", "cosh", "tanh", "coth", "log"})  # \\sin^2(x)

Order: TypeAlias = Sequence[Index]  # letters in the order in which tensors are to follow them


def latex(poly: Poly, free: Order = (), implicit: bool = False) -> str:
    """An expression; with `implicit`, sums that the summation rule reads back stand without Σ."""
    if not poly.terms:
        return "0"
    if (pair := both_ways(poly)) is not None:
        poly = Poly({ONE_TERM: 1, Term({Delta(*pair): 1}): -1})
    order = (*free, *sorted(poly.free - set(free), key=lambda i: i.sort))
    if (phi := current().phi) is not None:
        poly = with_normal_law(poly, phi, current().lower)
    with naming([poly], order):
        return _addition(poly, order, implicit)


def _addition(poly: Poly, order: Order, implicit: bool) -> str:
    if (split := cases_of(poly)) is not None:
        return _cases(*split, order)
    text = ""
    poly = counted(poly, current().origin) if current().origin else poly
    for term, c in arranged(complemented(poly), before):
        if (found := smallest(term, c, current().minima)) is not None:
            largest, least = found
            term, c = Term(collected((least if a is largest else a, e) for a, e in term)), -c
        shown = _term(term, magnitude(c), order, implicit)
        text += ("-" if c < 0 and not text else " - " if c < 0 else " + " if text else "") + shown
    return text


def _cases(above: Poly, u: Poly, below: Poly, order: Order) -> str:
    """The values where u < 0 and where u ≥ 0; what is short of a bound comes first."""

    def row(value: Poly, more: str, less: str) -> str:
        return f"{latex(value, order)} & {relation(u, more, less, lambda p: latex(p, order))}"

    rows = [row(above, "<", ">"), row(below, r"\ge", r"\le")]
    if any(isinstance(a, Call) for t, c in u for a, _ in t if c < 0):
        rows.reverse()
    return rf"\begin{{cases}} {rows[0]} \\ {rows[1]} \end{{cases}}"


def _term(term: Term, c: Rational, free: Order, implicit: bool) -> str:
    r"""A product: \frac{x}{r} for names, \frac{g}{r} \sum_j … where a sum or a bracket follows."""
    term, c = one_root(of_norms(one_power(term), current().norms), c)
    term = of_roots(of_base(of_powers(term, current().powers)), current().roots)
    term = under_a_bar(term) if current().barred else term
    above: list[tuple[Atom, Rational]] = []
    below: list[tuple[Atom, Rational]] = []
    for atom, e in factors(term, free, ahead):
        (above if e > 0 else below).append((atom, magnitude(e)))
    if not below:
        if c.denominator == 1:
            return _product(above, c.numerator, free, implicit)
        on_top = above[:1] if c.numerator == 1 and alone_before_brackets(above) else []
        over = _product(on_top, c.numerator, free, False)
        front, rest = _fraction(over, str(c.denominator)), above[len(on_top) :]
        return f"{front} {_product(rest, 1, free, implicit)}" if rest else front
    top, behind = above, []
    if all(isinstance(a, Ref | Num) for a, _ in below):
        behind = [pair for pair in above if behind_a_bar(*pair)]
        if all(isinstance(a, Poly) and short(a) and not a.free for a, _ in behind):
            behind = []  # \frac{2 (r - 1)}{r}
        if len(behind) == len(above) == 1 and isinstance(behind[0][0], Poly) and c.numerator == 1:
            behind = []  # \frac{x - \mu}{\sigma}
            if not flat(above[0][0]):
                behind = above
        top = [pair for pair in above if pair not in behind]
        high = [pair for pair in top if tall(pair[0])]
        if high and (behind or len(top) > len(high)):  # \frac{A}{R} e^{-E / (R T)}
            top = [pair for pair in top if pair not in high]
            behind = [pair for pair in above if pair not in top]
    elif any(barred(*pair) for pair in above):  # \frac{1}{1 + m} (\frac{x}{s} - y)
        behind = [pair for pair in above if behind_a_bar(*pair)]
        top = [pair for pair in above if pair not in behind]
    plain = (a for a, _ in below if not (isinstance(a, Ref | Num) and not (a.free and behind)))
    names = all(map(flat, plain))
    front = ""
    if not names and c.denominator != 1 and (top or c.numerator != 1):
        front, c = _fraction(str(c.numerator), str(c.denominator)) + " ", 1
    shown = _fraction(
        _product(top, c.numerator, free, False, True),
        _product(below, c.denominator, free, False, True),
    )
    return f"{front}{shown} {_product(behind, 1, free, implicit)}" if behind else front + shown


def _fraction(top: str, bottom: str) -> str:
    return rf"\frac{{{top}}}{{{bottom}}}"


def _product(
    parts: list[tuple[Atom, Rational]], c: int, free: Order, implicit: bool, braced: bool = False
) -> str:
    texts = [] if c == 1 else [_Factor(str(c))]
    parts = under_one_root(parts)
    if braced and c == 1 and len(parts) == 1 and isinstance(parts[0][0], Poly) and parts[0][1] == 1:
        return latex(parts[0][0], free)
    sums = [a for a, e in parts if isinstance(a, Sum)]
    bare = implicit and not current().explicit and len(sums) == 1 and reads_back(parts, free)
    for k, (atom, e) in enumerate(parts):
        if isinstance(atom, Sum) and e == 1:
            if bare:
                texts.append(_Factor(_bare_body(atom, free)))
                continue
            shown = _sum(atom, free)
            last = k == len(parts) - 1 or not shown.startswith("\\sum")
            texts.append(_Factor(shown if last else rf"\left({shown}\right)"))
        else:
            indexed = isinstance(atom, Delta) or (isinstance(atom, Ref) and bool(atom.slots))
            texts.append(_Factor(_power(atom, e, free), indexed))
    return _joined(texts) or "1"


class _Factor(NamedTuple):
    """The text of a factor; a component with indices is no function of the bracket behind it."""

    text: str
    indexed: bool = False


def _joined(factors: list[_Factor]) -> str:
    """Factors side by side, with a dot where two of them would be read as something else."""
    result = ""
    for k, factor in enumerate(factors):
        if k:
            result += r" \cdot " if _ambiguous(factors[k - 1], factor.text) else " "
        result += factor.text
    return result


def _ambiguous(before: _Factor, text: str) -> bool:
    """True for 2 3, for a name before a bracket, f (x), and for Δ before a name."""
    if before.text.isdigit():
        return bool(re.match(r"\d|\\frac\{\d", text))
    bracket = text.startswith((r"\left(", r"\left[", "(", "["))
    if text.startswith(r"\left(") and (
        before.text[1:] in RATES - {"delta"} or before.text in current().multiplied
    ):
        return False
    name_alone = not before.indexed and _NAME.fullmatch(before.text) is not None
    return before.text == r"\Delta" or (bracket and name_alone)


def _bare_body(atom: Sum, free: Order) -> str:
    ((term, c),) = atom.body
    return _term(term, c, (*free, *atom.bound), False)


def _sum(atom: Sum, free: Order) -> str:
    """Σ over letters; for one that no tensor bears it says how far it runs, j ∈ [n]."""
    counted = position(atom) if current().numbered else None
    if counted is not None:
        return letter(counted)
    ends, inside = limited(atom) if current().limits else ({}, atom.body)
    sides, inside = one_sided(atom) if current().compared and not ends else ({}, inside)
    both = two_sided(Sum(atom.bound, inside)) if current().unequal and not ends else None
    if both is not None:
        j, i, inside = both
        if i in atom.bound and i not in sides:  # \sum_{i \neq j}
            j, i = sorted((i, j), key=atom.bound.index)
        sides = {**sides, j: (r"\neq", i)}
    beside = {i for _, i in sides.values() if i in atom.bound and i not in sides}  # \sum_{i < j}
    shown = latex(inside, (*free, *atom.bound))
    only = inside.single
    body = shown if only and only[1] > 0 else rf"\left({shown}\right)"
    left = [b for b in atom.bound if b not in {*ends, *sides, *beside}]
    plain = [letter(b) for b in left if sized(atom.body, b)]
    signs = [rf"\sum_{{{', '.join(plain)}}}"] if plain else []
    signs += [rf"\sum_{{{_ranged(b)}}}" for b in left if not sized(atom.body, b)]
    signs += [_from_to(b, *limits) for b, limits in ends.items()]
    signs += [rf"\sum_{{{letter(b)} {how} {letter(i)}}}" for b, (how, i) in sides.items()]
    return f"{' '.join(signs)} {body}"


def _from_to(index: Index, least: Slot, largest: Slot | None) -> str:
    if largest is None:
        return rf"\sum_{{{letter(index)} \ge {limit(least)}}}"
    return rf"\sum_{{{letter(index)}={limit(least)}}}^{{{limit(largest)}}}"


def _ranged(index: Index) -> str:
    return rf"{letter(index)} \in [{size(index.size)}]"


def _power(atom: Atom, e: Rational, free: Order) -> str:
    if e == 1:
        return _atom(atom, free)
    if e == rational(sp.Rational(1, 2)):
        inside = latex(atom if isinstance(atom, Poly) else raw_atom(atom), free)
        return rf"\sqrt{{{inside}}}"
    exponent = str(e) if e.denominator == 1 else rf"{e.numerator}/{e.denominator}"
    if isinstance(atom, Call) and (command := _raisable(atom)) and e.denominator == 1 and e > 1:
        return f"{command}^{exponent}{_atom(atom, free).removeprefix(command)}"
    scalar = isinstance(atom, Num) or (
        isinstance(atom, Ref) and not atom.slots and not atom.tensor.parts
    )
    base = _atom(atom, free)
    if _closed(atom):
        return f"{base}^{{{exponent}}}"
    if isinstance(atom, Ref) and not atom.tensor.role and lowered(atom.tensor):
        return f"{base}^{exponent}" if len(exponent) == 1 else f"{base}^{{{exponent}}}"
    if not scalar and not isinstance(atom, Poly):
        base = rf"\left({base}\right)"
    return f"{base}^{{{exponent}}}"


def function_and_arguments(call: Call) -> tuple[primitives.Primitive, Sequence[Poly]]:
    """The record of a function; ψ′(x) and ψ″(x) for polygamma(1, x) and polygamma(2, x)."""
    order = call.args[0].constant if call.name == "polygamma" else None
    if order in (1, 2) and not is_name("psi"):
        own = primitives.by_name("digamma")
        return replace(own, latex=own.latex + "'" * int(order)), call.args[1:]
    return primitives.by_name(call.name), call.args


def _raisable(call: Call) -> str:
    r"""\tanh of \tanh^2(x), which nobody writes (\tanh(x))^2; empty for other functions."""
    command = primitives.by_name(call.name).latex
    word = command.removeprefix("\\")
    return command if word in RAISED and not is_name(word) else ""


def _closed(atom: Any) -> bool:
    r"""|u|, ⌊u⌋ and \max(0, u), which need no brackets below an exponent."""
    if isinstance(atom, Max):
        return not atom.bound and len(atom.args) > 1
    if not isinstance(atom, Call):
        return False
    if isinstance(atom.name, Unknown):
        return unknown(atom.name).startswith(r"\left")
    return atom.name == "min" or primitives.by_name(atom.name).latex.startswith(r"\left|")


def _atom(atom: Atom, free: Order) -> str:
    match atom:
        case Ref():
            if atom.tensor.symbol is not None and not atom.tensor.symbol.is_Symbol:
                return sp.latex(atom.tensor.symbol)
            return reference(atom.tensor, _in_order(atom, free))
        case Delta() if is_name("delta") or not (atom.a.free and atom.b.free) or _slanted(atom):
            return rf"\left[{place(atom.a)} = {place(atom.b)}\right]"
        case Delta() if current().usual == DOWN:
            shown = " ".join if "\\" in _script(atom.a) else "".join
            return rf"\delta_{{{shown([_script(atom.a), _script(atom.b)])}}}"
        case Delta():
            return rf"\delta^{_script(atom.a)}_{_script(atom.b)}"
        case Mask():
            return rf"\left[{comparison(atom.slot)}\right]"
        case Call(name="exp") if (found := powers_of(atom.args[0])) is not None:
            return " ".join(
                _exponential(base, _exponent(opened(u), free), free) for base, u in found
            )
        case Call(name="exp") if not (is_name("e") or current().number_e) and (
            atom.args[0].constant is not None or current().power
        ):
            return rf"e^{{{_in_line(atom.args[0], free)}}}"
        case Call(name="min"):
            return _maximum(r"\min", (), atom.args, free)
        case Call(name="step"):
            return indicator(atom.args[0], r"\ge", r"\le", lambda p: latex(p, free))
        case Call():
            record, args = function_and_arguments(atom)
            if isinstance(atom.name, Unknown):
                record = replace(record, latex=unknown(atom.name))
            if is_name(record.latex.removeprefix("\\")):  # σ is a name of the system
                record = replace(record, latex=rf"\mathrm{{{record.name}}}")
            args = [*map(data_first, args)] if record.parity == 1 else args
            return record.shown(*(_argument(a, free) for a in args))
        case Sum():
            return _sum(atom, free)
        case Max():
            return _maximum(r"\max", atom.bound, atom.args, free)
        case Argmax():
            at = ", ".join(map(slot, atom.at))
            largest = _maximum(r"\arg\max", atom.bound, [atom.body], free)
            return rf"\left[{at} = {largest}\right]"
        case Num():
            return str(atom.prime)
        case Poly() if (u := complement(atom)) is not None:
            return indicator(u, "<", ">", lambda p: latex(p, free))
        case Poly() if cases_of(atom) is not None:
            return latex(atom, free)
        case Poly():
            return rf"\left({latex(atom, free)}\right)"
    raise AssertionError(atom)


def _in_line(exponent: Poly, free: Order) -> str:
    """An exponent, (x - y) / t where the author writes its fractions so."""
    only = exponent.single
    if current().slashed and only is not None:
        above = Term({a: e for a, e in only[0] if e > 0})
        below = Term({a: -e for a, e in only[0] if e < 0})
        names = all(isinstance(a, Ref) for a, _ in below)
        if below.powers and (names or len(below.powers) == 1) and below.powers != above.powers:
            c = only[1]
            top = latex(Poly({above: c.numerator}), free)
            bottom = latex(Poly({below: c.denominator}), free)
            several = len(below.powers) > 1 or c.denominator > 1
            return f"{top} / ({bottom})" if several else f"{top} / {bottom}"
    return _argument(exponent, free)


def _argument(poly: Poly, free: Order) -> str:
    r"""What a function is of, or a power to, with a number below one bar: \frac{p - q}{2}."""
    whole, k = over_a_number(poly)
    return latex(poly, free) if k == 1 else _fraction(latex(whole, free), str(k))


def _exponent(poly: Poly, free: Order) -> str:
    """The exponent of a power, with a number last: N^{a + 1}, x^{1 - a}."""
    poly = counted(poly, current().origin) if current().origin else poly
    one = poly.terms.get(ONE_TERM, 0)
    rest = Poly({t: c for t, c in poly if t is not ONE_TERM})
    last = one > 0 and one.denominator == 1 and any(c > 0 for _, c in rest)
    return f"{latex(rest, free)} + {one}" if last else _argument(poly, free)


def _exponential(base: Poly, exponent: str, free: Order) -> str:
    r"""A power with an exponent that is no number, \gamma^{i - j}."""
    only = base.single
    ((name, e),) = only[0] if only and only[1] == 1 and len(only[0].powers) == 1 else ((None, 0),)
    shown = latex(base, free)
    plain = isinstance(name, Ref) and e == 1 and not name.tensor.role and not name.tensor.parts
    alone = isinstance(name, Ref) and (not name.slots or lowered(name.tensor))
    number = base.constant is not None and base.constant > 0 and base.constant.denominator == 1
    bare = (plain and alone) or (e == 1 and _closed(name)) or number
    return rf"{shown}^{{{exponent}}}" if bare else rf"\left({shown}\right)^{{{exponent}}}"


def _in_order(ref: Ref, free: Order) -> tuple[Slot, ...]:
    """The slots of a symmetric matrix in the order of the letters on the left."""
    plain = len(ref.slots) == 2 and all(isinstance(s, Index) for s in ref.slots)
    if not plain or not current().mirrored(ref.tensor):
        return ref.slots
    place = {index: k for k, index in enumerate(free)}
    return tuple(sorted(ref.slots, key=lambda s: place.get(s, len(place))))  # type: ignore[arg-type]


def _slanted(delta: Delta) -> bool:
    """A δ of an affine index in a notation with indices below: written as a comparison."""
    plain = isinstance(delta.a, Index) and isinstance(delta.b, Index)
    return current().usual == DOWN and not plain


def _maximum(command: str, bound: Order, args: Sequence[Poly], free: Order) -> str:
    if command == r"\max":  # over a letter that does not occur
        bound = [b for b in bound if any(b in a.free for a in args)]
    if not bound and len(args) == 1:
        return rf"\left({latex(args[0], free)}\right)"
    if not bound:  # \\min(s_i, g) as the author has it
        args = sorted(args, key=cmp_to_key(before))
    inside = ", ".join(latex(a, (*free, *bound)) for a in args)
    plain = ", ".join(map(letter, bound))
    if len(bound) == 1 and not any(sized(a, bound[0]) for a in args):
        plain = _ranged(bound[0])
    over = f"_{{{plain}}}" if bound else ""
    return rf"{command}{over}\left({inside}\right)"


def _script(s: Slot) -> str:
    shown = slot(s) if isinstance(s, Index) else affine_text(s)
    return shown if len(shown) == 1 else f"{{{shown}}}"
