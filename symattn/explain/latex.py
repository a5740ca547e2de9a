r"""LaTeX of index expressions: all indices up, Σ written only where the rule needs it.

What is printed is read back to the same expression by the rule of `symattn.convert`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import sympy as sp

from .. import primitives
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
    Slot,
    Sum,
    Tensor,
    Term,
    magnitude,
    rational,
    raw_atom,
    slot_items,
)
from ..ir import parts as ir_parts
from .arrange import arranged, factors

Order: TypeAlias = Sequence[Index]  # letters in the order in which tensors are to follow them

GREEK = frozenset(
    [
        "alpha",
        "beta",
        "gamma",
        "delta",
        "epsilon",
        "varepsilon",
        "zeta",
        "eta",
        "theta",
        "vartheta",
        "iota",
        "kappa",
        "lambda",
        "mu",
        "nu",
        "xi",
        "pi",
        "rho",
        "sigma",
        "tau",
        "upsilon",
        "phi",
        "varphi",
        "chi",
        "psi",
        "omega",
        "Gamma",
        "Delta",
        "Theta",
        "Lambda",
        "Xi",
        "Pi",
        "Sigma",
        "Upsilon",
        "Phi",
        "Psi",
        "Omega",
        "ell",
    ]
)
ACCENTS = {"bar": r"\bar", "dot": r"\dot", "hat": r"\hat", "tilde": r"\tilde"}


def name(text: str) -> str:
    r"""A tensor or scalar name: O_bar as \bar O, d_k as d_k, beta as \beta, lse as \mathrm{lse}."""
    head, *tail = text.split("_")
    accents: list[str] = []
    while tail and tail[-1] in ACCENTS:
        accents.insert(0, ACCENTS[tail.pop()])
    result = _word(head)
    for k, accent in enumerate(accents):
        wide = k > 0 or (len(head) > 1 and head not in GREEK)
        result = f"{accent}{{{result}}}" if wide else f"{accent} {result}"
    if tail:
        below = ",".join(_word(t) for t in tail)
        result += f"_{below}" if len(below) == 1 else f"_{{{below}}}"
    return result


def _word(text: str) -> str:
    if text in GREEK:
        return "\\" + text
    if len(text) <= 1:
        return {"𝓛": r"\mathcal{L}"}.get(text, text)
    plain = re.fullmatch(r"([A-Za-z]+)(\d+)", text)
    if plain:
        return f"{_word(plain[1])}_{{{plain[2]}}}"
    escaped = re.sub(
        r"([#$%&{}_\\^~])", lambda m: {"\\": r"\backslash{}"}.get(m[1], "\\" + m[1]), text
    )
    return rf"\mathrm{{{escaped}}}"


def letter(index: Index) -> str:
    """An index letter."""
    stem = index.name.rstrip("'")
    primes = index.name[len(stem) :]
    return name(stem) + primes


def slot(s: Slot) -> str:
    """An index or an affine index such as (i-j)."""
    return letter(s) if isinstance(s, Index) else f"({_affine(s)})"


def _affine(s: Slot) -> str:
    items, const = slot_items(s)
    text = ""
    ordered = sorted(items.items(), key=lambda pair: (pair[1] < 0, pair[0].sort))
    for index, c in ordered:
        sign = "-" if c < 0 else "+" if text else ""
        text += f"{sign}{abs(c) if abs(c) != 1 else ''}{letter(index)}"
    if const != 0 or not text:
        shown = sp.latex(const)
        text += shown if not text or shown.startswith("-") else f"+{shown}"
    return text


def slots(group: Iterable[Slot]) -> str:
    """A group of indices, a space after a letter that is a command or has a subscript."""
    text = ""
    for s in group:
        shown = slot(s)
        if re.search(r"\\[A-Za-z]+$", text) and shown[0].isalpha():
            text += " "
        text += shown
    return text


def reference(tensor: Tensor, group: tuple[Slot, ...]) -> str:
    """A component T^{ij}, or a derivative of components."""
    if tensor.parts:
        of, wrt = tensor.parts
        rank = len(of.shape)
        bottom = [rf"\partial {reference(wrt, group[rank:])}"]
        while of.parts:  # ∂²L/∂w∂w is a derivative of a derivative
            of, wrt = of.parts
            bottom.insert(0, rf"\partial {reference(wrt, group[len(of.shape) : rank])}")
            rank = len(of.shape)
        order = f"^{len(bottom)}" if len(bottom) > 1 else ""
        return rf"\frac{{\partial{order} {reference(of, group[:rank])}}}{{{' '.join(bottom)}}}"
    return name(tensor.name) + (f"^{{{slots(group)}}}" if group else "")


# ------------------------------------------------------------------------------------ expressions


def latex(poly: Poly, free: Order = (), implicit: bool = False) -> str:
    """An expression; with `implicit`, sums that the summation rule reads back stand without Σ."""
    if not poly.terms:
        return "0"
    order = (*free, *sorted(poly.free - set(free), key=lambda i: i.sort))
    text = ""
    for term, c in arranged(poly):
        shown = _term(term, magnitude(c), order, implicit)
        text += ("-" if c < 0 and not text else " - " if c < 0 else " + " if text else "") + shown
    return text


def _term(term: Term, c: Rational, free: Order, implicit: bool) -> str:
    above: list[tuple[Atom, Rational]] = []
    below: list[tuple[Atom, Rational]] = []
    for atom, e in factors(term, free):
        (above if e > 0 else below).append((atom, magnitude(e)))
    c = rational(c)
    if below and all(not a.free and isinstance(a, Ref | Num) for a, _ in below):
        scalars = [pair for pair in above if not pair[0].free and isinstance(pair[0], Ref | Num)]
        rest = [pair for pair in above if pair not in scalars]
        if all(isinstance(a, Call) for a, _ in rest):  # \exp(x)/Z rather than (1/Z) \exp(x)
            scalars, rest = above, []
        front = _fraction(
            _product(scalars, c.numerator, free, False, True),
            _product(below, c.denominator, free, False, True),
        )
        return f"{front} {_product(rest, 1, free, implicit)}" if rest else front
    if below:
        front = "" if c.denominator == 1 else _fraction(str(c.numerator), str(c.denominator)) + " "
        shown = _fraction(
            _product(above, 1 if front else c.numerator, free, False, True),
            _product(below, 1, free, False, True),
        )
        return front + shown
    if c.denominator != 1:
        front = _fraction(str(c.numerator), str(c.denominator))
        return f"{front} {_product(above, 1, free, implicit)}" if above else front
    return _product(above, c.numerator, free, implicit)


def _fraction(top: str, bottom: str) -> str:
    return rf"\frac{{{top}}}{{{bottom}}}"


def _product(
    parts: list[tuple[Atom, Rational]], c: int, free: Order, implicit: bool, braced: bool = False
) -> str:
    texts = [] if c == 1 else [str(c)]
    if braced and c == 1 and len(parts) == 1 and isinstance(parts[0][0], Poly) and parts[0][1] == 1:
        return latex(parts[0][0], free)
    sums = [a for a, e in parts if isinstance(a, Sum)]
    bare = implicit and len(sums) == 1 and _rule_reads_back(parts, free)
    for position, (atom, e) in enumerate(parts):
        if isinstance(atom, Sum) and e == 1:
            if bare:
                texts.append(_bare_body(atom, free))
                continue
            shown = _sum(atom, free)
            texts.append(shown if position == len(parts) - 1 else rf"\left({shown}\right)")
        else:
            texts.append(_power(atom, e, free))
    if len(texts) > 1 and texts[0].isdigit() and re.match(r"\d|\\frac\{\d", texts[1]):
        texts[0] += r" \cdot"
    return " ".join(texts) or "1"


def _bare_body(atom: Sum, free: Order) -> str:
    ((term, c),) = atom.body
    return _term(term, c, (*free, *atom.bound), False)


def _sum(atom: Sum, free: Order) -> str:
    shown = latex(atom.body, (*free, *atom.bound))
    only = atom.body.single
    body = shown if only and only[1] > 0 else rf"\left({shown}\right)"
    return rf"\sum_{{{', '.join(letter(b) for b in atom.bound)}}} {body}"


def _rule_reads_back(parts: list[tuple[Atom, Rational]], order: Order) -> bool:
    """True when the summation rule, applied to the product, sums just the bound letters."""
    free = {i.name for i in order}
    total = next(a for a, _ in parts if isinstance(a, Sum))
    only = total.body.single
    if only is None or only[1] != 1 or dict(parts)[total] != 1 or any(e < 0 for _, e in only[0]):
        return False
    if any(isinstance(a, Sum) for a, _ in only[0]) or any(e.denominator != 1 for _, e in only[0]):
        return False
    seen: Counter[str] = Counter()
    for atom, e in [*parts, *only[0]]:
        if atom is not total:
            for index in atom.free:
                seen[index.name] += _occurrences(atom, index) * int(e)
    bound = {b.name for b in total.bound}
    if any(
        isinstance(a, Call | Max | Argmax | Poly) and _repeats(a, b)
        for a, _ in only[0]
        for b in total.bound
    ):
        return False
    if bound & free or any(seen[b] < 2 for b in bound):
        return False
    if bound & {i.name for a, _ in parts if a is not total for i in a.free}:
        return False
    return all(n < 2 or x in bound or x in free for x, n in seen.items())


def _occurrences(atom: Atom, index: Index) -> int:
    if isinstance(atom, Ref):
        return sum(index in s.free for s in atom.slots)
    return 1


def _repeats(node: Any, index: Index) -> bool:
    """True where a letter stands twice or more, so that the rule may sum it inside a bracket."""

    def seen(inside: Any) -> int:
        match inside:
            case Poly():
                return max((seen(t) for t, _ in inside), default=0)
            case Term():
                return sum(seen(a) * (1 if e == 1 else 2) for a, e in inside)
            case Call() | Max() | Argmax() | Sum():
                return max(map(seen, ir_parts(inside)))
        return _occurrences(inside, index) if index in inside.free else 0

    return seen(node) > 1


def _power(atom: Atom, e: Rational, free: Order) -> str:
    if e == 1:
        return _atom(atom, free)
    if e == rational(sp.Rational(1, 2)):
        inside = latex(atom if isinstance(atom, Poly) else raw_atom(atom), free)
        return rf"\sqrt{{{inside}}}"
    exponent = str(e) if e.denominator == 1 else rf"{e.numerator}/{e.denominator}"
    scalar = isinstance(atom, Num) or (
        isinstance(atom, Ref) and not atom.slots and not atom.tensor.parts
    )
    base = _atom(atom, free)
    if not scalar and not isinstance(atom, Poly):
        base = rf"\left({base}\right)"
    return f"{base}^{{{exponent}}}"


def _atom(atom: Atom, free: Order) -> str:
    match atom:
        case Ref():
            if atom.tensor.symbol is not None and not atom.tensor.symbol.is_Symbol:
                return sp.latex(atom.tensor.symbol)
            return reference(atom.tensor, atom.slots)
        case Delta():
            return rf"\delta^{_script(atom.a)}_{_script(atom.b)}"
        case Mask():
            return rf"\left[{_comparison(atom.slot)}\right]"
        case Call(name="exp") if atom.args[0].constant is not None:
            return rf"e^{{{latex(atom.args[0], free)}}}"
        case Call():
            inside = latex(atom.args[0], free)
            tall = r"\frac" in inside or r"\sum" in inside
            brackets = (r"\left(", r"\right)") if tall else ("(", ")")
            return f"{primitives.by_name(atom.name).latex}{brackets[0]}{inside}{brackets[1]}"
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
        case Poly():
            return rf"\left({latex(atom, free)}\right)"
    raise AssertionError(atom)


def _maximum(command: str, bound: Order, args: Iterable[Poly], free: Order) -> str:
    inside = ", ".join(latex(a, (*free, *bound)) for a in args)
    over = f"_{{{', '.join(map(letter, bound))}}}" if bound else ""
    return rf"{command}{over}\left({inside}\right)"


def _script(s: Slot) -> str:
    shown = slot(s) if isinstance(s, Index) else _affine(s)
    return shown if len(shown) == 1 else f"{{{shown}}}"


def _comparison(s: Slot) -> str:
    items, const = slot_items(s)
    up = {i: c for i, c in items.items() if c > 0}
    down = {i: -c for i, c in items.items() if c < 0}
    strict = const == -1
    sign = "<" if strict else r"\le"
    return f"{_side(down, sp.S.Zero)} {sign} {_side(up, sp.S.Zero if strict else const)}"


def _side(items: dict[Index, int], const: sp.Expr) -> str:
    from ..ir import affine

    return _affine(affine(items, const))
