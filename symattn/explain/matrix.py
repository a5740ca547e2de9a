r"""Index form → matrix form: Σ_a Q^{ia} K^{ja} as Q K^⊤, Σ_l X^{il} Y^{il} as rowsum(X ∘ Y).

Only expressions with at most two free indices whose factors have at most two indices each have
such a form; `matrix_form` gives None for the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from ..ir import (
    Atom,
    Call,
    Delta,
    Index,
    Max,
    Num,
    Poly,
    Rational,
    Ref,
    Sum,
    Tensor,
    Term,
    inside,
    magnitude,
    raw_atom,
)
from .arrange import arranged, factors
from .chains import joined
from .cost import cases_of, complement
from .latex import function_and_arguments, latex, name
from .notation import ahead, before, current, named
from .pieces import (
    ATOM,
    MAX,
    ONES,
    PRODUCT,
    ROWMAX,
    ROWSUM,
    SUM,
    TOP,
    NoForm,
    Piece,
    entrywise,
    raised,
    turns,
)
from .relations import indicator
from .spelling import of_norms


def matrix_form(poly: Poly, axes: tuple[Index, ...]) -> str | None:
    """The expression with these axes in matrix notation, None where there is none."""
    if len(axes) > 2 or len(set(axes)) < len(axes):
        return None
    try:
        return _poly(poly, axes, broadcast=False).text
    except NoForm:
        return None


def _poly(poly: Poly, axes: tuple[Index, ...], broadcast: bool) -> Piece:
    terms = arranged(poly, before)
    if not terms:
        return Piece("0", ATOM, axes)
    if cases_of(poly) is not None:
        raise NoForm
    text = ""
    pieces = [_term(t, magnitude(c), axes, broadcast, several=len(terms) > 1) for t, c in terms]
    if broadcast and (whole := _beside_its_product(pieces, [c for _, c in terms], axes)):
        return whole
    for (_, c), piece in zip(terms, pieces, strict=True):
        text += "-" if c < 0 and not text else " - " if c < 0 else " + " if text else ""
        text += piece.text if c > 0 else piece.tight(PRODUCT)
    if len(terms) == 1 and terms[0][1] > 0:
        return piece
    return Piece(text, SUM, axes)


def _beside_its_product(
    pieces: list[Piece], signs: list[Rational], axes: tuple[Index, ...]
) -> Piece | None:
    """P Y − Y as (P − I) Y, and Y P − Y as Y (P − I), where that is a factor and P is defined."""
    if len(axes) != 2 or sorted(signs) != [-1, 1] or any(p.axes != axes for p in pieces):
        return None
    y, product = sorted(pieces, key=lambda p: len(p.text))
    ahead = product is pieces[signs.index(1)]
    defined = {name(n) for n in current().defined}
    for front, back in (("", f" {y.text}"), (f"{y.text} ", "")):
        p = product.text.removeprefix(front).removesuffix(back)
        if f"{front}{p}{back}" == product.text and p.removesuffix("^" + TOP) in defined:
            bracket = rf"\left({p} - I\right)" if ahead else rf"\left(I - {p}\right)"
            return Piece(f"{front}{bracket}{back}", PRODUCT, axes, chain=True)
    return None


def _term(
    term: Term, c: Rational, axes: tuple[Index, ...], broadcast: bool, several: bool = False
) -> Piece:
    scalars: dict[Atom, Rational] = {}
    below: dict[Atom, Rational] = {}
    pieces: list[Piece] = []
    term, averaged = _averages(of_norms(term, current().norms), axes)
    pieces += averaged
    for atom, e in factors(term, (), ahead):
        if not atom.free and not _over_letters(atom):
            scalars[atom] = e
        elif not atom.free and e < 0:
            below[atom] = -e
        elif not atom.free and (e != 1 or isinstance(atom, Sum)):
            pieces.append(_number(atom, e))
        elif isinstance(atom, Sum) and e == 1:
            pieces.append(_contraction(atom, tuple(a for a in axes if a in atom.free)))
        else:
            pieces.append(_elementwise(atom, e, axes))
    whole = _combine(pieces, axes, broadcast, several)
    if below:
        return _divided(whole, scalars, c, below, axes)
    front = latex(Poly({Term(scalars): c})) if scalars or c != 1 else ""
    behind: dict[Atom, Rational] = {}
    behind.update((a, e) for a, e in scalars.items() if isinstance(a, Poly) and e == 1)
    if whole is not None and whole.bind == SUM and len(behind) < len(scalars):
        rest = {a: e for a, e in scalars.items() if a not in behind}
        front = " ".join(latex(Poly({Term(p): k})) for p, k in ((rest, c), (behind, 1)) if p)
    if whole is None:
        if axes and not several and not broadcast:
            raise NoForm
        return Piece(front or "1", ATOM, axes)
    if not front:
        return whole
    over = r"\frac{1}{"
    vectors = len(pieces) == 1 or all(len(p.axes) == 1 for p in pieces)
    matrices = len(axes) == 2 and re.search(" [-+] ", whole.text)
    if _light(whole) and vectors and c == 1 and not matrices:
        if front.startswith(over):
            return Piece(rf"\frac{{{whole.text}}}{{" + front.removeprefix(over), ATOM, axes)
        scalar = re.fullmatch(r"\\frac\{(\\?[A-Za-z]+)\}(\{[^{}]+\})", front)
        if scalar and len(pieces) == 1 and r"\top" not in whole.text:  # c \frac{x}{r}
            return Piece(rf"{scalar[1]} \frac{{{whole.text}}}{scalar[2]}", PRODUCT, axes)
    front = front.replace(r"\frac", r"\tfrac", 1)
    return Piece(f"{front} {whole.tight(PRODUCT)}", PRODUCT, axes)


def _number(atom: Atom, e: Rational) -> Piece:
    """A number to a power, in which sums are contractions."""
    if isinstance(atom, Sum):
        piece = _contraction(atom, ())
    elif isinstance(atom, Poly):
        piece = _poly(atom, (), broadcast=False)
    else:
        piece = _elementwise(atom, 1, ())
    if e == Fraction(1, 2):
        return Piece(rf"\sqrt{{{piece.text}}}", ATOM, ())
    if e.denominator != 1:
        raise NoForm
    return piece if e == 1 else Piece(raised(piece, rf"{{{e}}}"), ATOM, ())


def _divided(
    whole: Piece | None,
    scalars: dict[Atom, Rational],
    c: Rational,
    below: dict[Atom, Rational],
    axes: tuple[Index, ...],
) -> Piece:
    """A product over numbers in which there are sums: one fraction, or one in front of a sum."""
    powers = {a: k for a, k in scalars.items() if k > 0}
    above = latex(Poly({Term(powers): c.numerator})) if powers or c.numerator != 1 else ""
    under = {a: -k for a, k in scalars.items() if k < 0}
    bottom = latex(Poly({Term(under): c.denominator})) if under or c.denominator != 1 else ""
    numbers = [_number(a, k) for a, k in below.items()]
    several = len(numbers) > 1 or bottom
    bottom = " ".join(
        filter(None, [bottom, *(p.tight(ATOM) if several else p.text for p in numbers)])
    )
    if whole is None or whole.bind == SUM or r"\frac" in whole.text:
        front = rf"\frac{{{above or 1}}}{{{bottom}}}"
        behind = f" {whole.tight(PRODUCT)}" if whole else ""
        return Piece(front + behind, PRODUCT, axes)
    top = " ".join(filter(None, [above, whole.tight(PRODUCT) if above else whole.text]))
    return Piece(rf"\frac{{{top}}}{{{bottom}}}", ATOM, axes)


def _over_letters(node: Any) -> bool:
    """A sum or a maximum over letters, or something with one inside."""
    return any(getattr(part, "bound", ()) for part in inside(node))


def _light(piece: Piece) -> bool:
    r"""A name or a difference of two names: \frac{x - y}{r} rather than \frac{1}{r} (x - y)."""
    word = r"(?:\\[a-z]+ ?)?[A-Za-z]"
    return bool(re.fullmatch(rf"{word}|{word} [-+] {word}|{word} {word}\^\\top", piece.text))


def _averages(term: Term, axes: tuple[Index, ...]) -> tuple[Term, list[Piece]]:
    """The means in a product, (1/n) Σ_i x_i with i of size n, and what is left."""
    powers = dict(term.powers)
    found: list[Piece] = []
    for atom, e in factors(term, (), ahead):
        if not isinstance(atom, Sum) or e != 1 or len(atom.bound) != 1 or atom.free:
            continue
        size = next((a for a in powers if _is_size(a, atom.bound[0])), None)
        if size is None or powers[size] != -1:
            continue
        if not axes and _pair(atom.body):
            continue  # (1/n) x^⊤ y
        inner = _poly(atom.body, atom.bound, broadcast=False)
        found.append(Piece(rf"\mathrm{{mean}}({inner.text})", ATOM, ()))
        del powers[size], powers[atom]
    return Term(powers), found


def _pair(body: Poly) -> bool:
    """x_i y_i."""
    return (
        body.single is not None
        and [(type(a), e) for a, e in body.single[0] if not isinstance(a, Num)] == [(Ref, 1)] * 2
    )


def _is_size(atom: Atom, index: Index) -> bool:
    return isinstance(atom, Ref) and atom.tensor.symbol == index.size


def _elementwise(atom: Atom, e: Rational, axes: tuple[Index, ...]) -> Piece:
    own = tuple(a for a in axes if a in atom.free)
    match atom:
        case Ref() if _whole(atom.tensor) and all(isinstance(s, Index) for s in atom.slots):
            group = tuple(s for s in atom.slots if isinstance(s, Index))
            if len(set(group)) < len(group) or len(group) > 2:
                raise NoForm
            piece = _matrix(atom.tensor, group)
        case Delta() if isinstance(atom.a, Index) and isinstance(atom.b, Index):
            return Piece("I", ATOM, (atom.a, atom.b))
        case Call():
            piece = _either(own, lambda axes: _applied(atom, axes))
        case Max():
            piece = _either(own, lambda axes: _maximum(atom, axes))
        case Poly() if (u := complement(atom)) is not None:
            piece = _either(own, lambda axes: _indicator(u, "<", ">", axes))
        case Poly():
            piece = _either(own, lambda axes: _poly(atom, axes, broadcast=True))
        case _:
            raise NoForm
    if e == 2 and isinstance(atom, Ref):
        return entrywise([piece, piece], piece.axes)
    if e != 1:
        shown = str(e) if e.denominator == 1 else f"{e.numerator}/{e.denominator}"
        return Piece(raised(piece, rf"{{\circ {shown}}}"), ATOM, piece.axes)
    return piece


def _whole(tensor: Tensor) -> bool:
    """True for a name, and for the derivative of a number by one."""
    if not tensor.parts:
        return True
    of, wrt = tensor.parts
    return not of.shape and not of.parts and not wrt.parts


def _matrix(tensor: Tensor, group: tuple[Index, ...]) -> Piece:
    """A tensor by its name, X^{-1} for an inverse, ∂L/∂X; a symmetric one is its own transpose."""
    if own := current().gradient(tensor):
        return Piece(own, ATOM, group)
    if tensor.parts:
        of, wrt = map(named, tensor.parts)
        return Piece(rf"\frac{{\partial {of}}}{{\partial {wrt}}}", PRODUCT, group)
    shown = named(tensor)
    if tensor.role == "inverse":
        shown = name(tensor.of[0].name) + "^{-1}"
    last = 2 if tensor.role == "adjoint" else tensor.name not in current().defined
    piece = Piece(shown, ATOM, group, last=int(last))
    if current().mirrored(tensor) and len(group) == 2:
        return replace(piece, turned=Piece(shown, ATOM, group[::-1]))
    return piece


def _applied(call: Call, axes: tuple[Index, ...]) -> Piece:
    def inside(argument: Poly) -> str:
        return _poly(argument, axes, broadcast=False).text

    if call.name == "step":
        return _indicator(call.args[0], r"\ge", r"\le", axes)
    only = call.args[0].single if call.name == "log" else None
    if only is not None and any(e < 0 and a.free for a, e in only[0]):  # log(p/q)
        above = Poly({Term({a: e for a, e in only[0] if e > 0 or not a.free}): only[1]})
        below = Poly({Term({a: -e for a, e in only[0] if e < 0 and a.free}): 1})
        top, bottom = (_applied(Call("log", [side]), axes).text for side in (above, below))
        return Piece(f"{top} - {bottom}", SUM, axes)
    record, args = function_and_arguments(call)
    return Piece(record.shown(*map(inside, args)), ATOM, axes)


def _indicator(u: Poly, more: str, less: str, axes: tuple[Index, ...]) -> Piece:
    def inside(side: Poly) -> str:
        return _poly(side, axes, broadcast=False).text

    return Piece(indicator(u, more, less, inside), ATOM, axes)


def _either(axes: tuple[Index, ...], make: Callable[[tuple[Index, ...]], Piece]) -> Piece:
    """A piece with the text that its transpose has by itself: (P − Y)^⊤ and P − Y."""
    piece = make(axes)
    if len(axes) != 2:
        return piece
    turned = make(axes[::-1])
    few, many = sorted((piece, turned), key=lambda p: turns(p.text))
    if turns(few.text) == turns(many.text):
        return replace(piece, turned=turned)
    other = Piece(raised(few, TOP), ATOM, few.axes[::-1], turned=few)
    return other if few is turned else replace(piece, turned=other)


def _maximum(atom: Max, own: tuple[Index, ...]) -> Piece:
    """The largest of matrices entry by entry, of every row, or of all entries."""
    if not atom.bound:
        texts = [
            latex(a) if a.constant is not None else _poly(a, own, broadcast=False).text
            for a in atom.args
        ]
        return Piece(rf"\max({', '.join(texts)})", ATOM, own)
    if len(own) > 1 or len(own) + len(atom.bound) > 2:
        raise NoForm
    inner = _poly(atom.args[0], (*own, *atom.bound), broadcast=False)
    return Piece(rf"{ROWMAX if own else MAX}({inner.text})", ATOM, own)


def _combine(
    pieces: list[Piece], axes: tuple[Index, ...], broadcast: bool, several: bool = False
) -> Piece | None:
    """The elementwise product of pieces over the axes; None for the empty product.

    As one of several terms a vector is spread out by a product with the vector of ones.
    """
    scalars = [p for p in pieces if not p.axes]
    full = [p.along(axes) for p in pieces if p.axes and len(p.axes) == len(axes)]
    partial = [p for p in pieces if p.axes and len(p.axes) < len(axes)]
    identity = [p for p in full if p.text == "I"]
    full = [p for p in full if p.text != "I"]
    if identity:
        if full:
            raise NoForm
        inside = entrywise(partial, partial[0].axes).text if partial else ""
        diagonal = Piece(rf"\mathrm{{diag}}({inside})" if partial else "I", ATOM, axes)
        return _scaled(diagonal, scalars)
    rows = [p for p in partial if p.axes == axes[:1]]
    columns = [p for p in partial if p.axes == axes[1:]]
    if not full and rows and columns:
        left = r" \circ ".join(p.tight(PRODUCT if len(rows) == 1 else ATOM) for p in rows)
        right = r" \circ ".join(p.tight(ATOM) for p in columns)
        left = left if len(rows) == 1 else rf"\left({left}\right)"
        right = right if len(columns) == 1 else rf"\left({right}\right)"
        row = columns[0].turned if len(columns) == 1 else None
        whole = Piece(
            f"{left} {row.text if row else raised(Piece(right, ATOM, ()), TOP)}", PRODUCT, axes
        )
    elif (
        not full
        and broadcast
        and not columns
        and len(rows) == 1
        and (rows[0].text.startswith(ROWSUM))
    ):  # a column that stands beside a matrix
        whole = Piece(r" \circ ".join(p.tight(PRODUCT) for p in rows), PRODUCT, axes)
    elif full:
        whole = entrywise(full, axes)
        if rows:
            inner = r" \circ ".join(p.tight(PRODUCT) for p in rows)
            whole = Piece(rf"\mathrm{{diag}}({inner}) {whole.tight(PRODUCT)}", PRODUCT, axes)
        if columns:
            inner = r" \circ ".join(p.tight(PRODUCT) for p in columns)
            whole = Piece(rf"{whole.tight(PRODUCT)} \, \mathrm{{diag}}({inner})", PRODUCT, axes)
    elif partial and (several or not broadcast) and bool(rows) != bool(columns):
        some = entrywise(rows or columns, (rows or columns)[0].axes)
        text = rf"{some.tight(ATOM)} {ONES}^\top" if rows else f"{ONES} {raised(some, TOP)}"
        whole = Piece(text, PRODUCT, axes)
    elif partial:
        raise NoForm
    elif not scalars:
        return None
    else:
        whole = scalars.pop(0)
    whole = _scaled(whole, scalars)
    if len(whole.axes) < len(axes) and not broadcast and not (several and len(axes) == 1) and axes:
        raise NoForm
    return whole


def _scaled(whole: Piece, scalars: list[Piece]) -> Piece:
    for p in scalars:
        behind = len(whole.axes) == 1 and whole.bind == ATOM
        if behind and (p.bind == PRODUCT or p.text.startswith(r"\mathrm")):
            text = rf"{whole.text} {p.text}"  # u u^\top x
        else:
            text = rf"{p.tight(PRODUCT)} \, {whole.tight(PRODUCT)}"
        whole = Piece(text, PRODUCT, whole.axes)
    return whole


def _contraction(total: Sum, axes: tuple[Index, ...]) -> Piece:
    """Σ over a product as a chain of matrices from one axis to the other."""
    only = total.body.single
    if only is None or only[1] != 1:
        raise NoForm
    inside = (*axes, *total.bound)
    if (whole := _diagonal(only[0]) or _square(only[0], total.bound)) is not None:
        return whole
    pieces = [
        _elementwise(atom, e, inside)
        for atom, e in factors(only[0], (), ahead)
        if not isinstance(atom, Num)
    ]
    if len(pieces) < len(only[0].powers) or any(p.text == "I" for p in pieces):
        raise NoForm
    return joined(pieces, total.bound, axes)


def _square(term: Term, bound: tuple[Index, ...]) -> Piece | None:
    r"""Σ_i (x_i − b_i)² as \|x - b\|^2, None for other sums.

    And Σ_i (Σ_j D_ij x_j)² as \|D x\|^2, where the author has norms.
    """
    ((atom, e),) = term if len(term.powers) == 1 else ((None, 0),)
    own = isinstance(atom, Poly) or (isinstance(atom, Sum) and current().normed)
    if atom is None or not own or e != 2 or atom.free != {*bound} or len(bound) > 2:
        return None
    frobenius = "_F" if len(bound) == 2 else ""
    whole = atom if isinstance(atom, Poly) else raw_atom(atom)
    inside = _either(bound, lambda axes: _poly(whole, axes, broadcast=False))
    return Piece(rf"\|{inside.text}\|{frobenius}^2", ATOM, ())


def _diagonal(term: Term) -> Piece | None:
    r"""Σ_i E_ii as \mathrm{tr}(E), None for other sums."""
    ((atom, e),) = term if len(term.powers) == 1 else ((None, 0),)
    if not isinstance(atom, Ref) or e != 1 or len(atom.slots) != 2:
        return None
    i, j = atom.slots
    if i is not j or not isinstance(i, Index) or not _whole(atom.tensor):
        return None
    return Piece(rf"\mathrm{{tr}}({_matrix(atom.tensor, (i, i)).text})", ATOM, ())
