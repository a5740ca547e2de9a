"""The declarations that a formula needs where it stands alone: shapes, scalars, macros."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ..syntax import Definition
from . import inside
from .inside import bases, symbols
from .statements import Statement

_DECLARED = re.compile(
    r"<!--\s*symattn:(?!\s*skip)(?:[^-]|-(?!->))*-->|(?<!\\)%\s*symattn:(?!\s*skip)[^\n]*"
    r"|^\s*\\(?:re)?newcommand.*$|^\s*\\DeclareMathOperator.*$|^\s*\\def\\.*$",
    re.MULTILINE,
)


def declared(text: str) -> str:
    """The declarations and macros of a document, which a formula needs wherever it stands."""
    return "\n".join(
        m[0] if "\n" not in m[0] or "<!--" in m[0] else m[0].split("\n")[0]
        for m in _DECLARED.finditer(text)
    )


def shapes(definitions: Iterable[Definition], *exprs: Any, written: str = "") -> str:
    """The declaration of the shapes of all tensors in definitions, the last before others.

    A number is declared under its own name where that is how it is `written`: not as 𝓛, as L(x).
    """
    found: dict[str, tuple[Any, ...]] = {}
    turned: dict[str, set[str]] = {"symmetric": set(), "antisymmetric": set()}
    system = tuple(definitions)
    for side in (*(x for d in system for x in (d.expr, d.lhs)), *exprs):
        for base in bases(side):
            found[plainly(base.name, written)] = tuple(base.shape)
            if symmetry := getattr(base, "symmetry", ""):
                turned[symmetry].add(plainly(base.name, written))
    own = {plainly(x.name, written) for e in exprs for x in symbols(e) if isinstance(x, sp.Symbol)}
    known = {plainly(b.name, written) for e in exprs for b in bases(e)}
    for name in own - known:  # n is a number here, and n_h are others
        found.pop(name, None)
    said = [
        f"{n}:({','.join(map(str, shape)).replace(' ', '')})"
        for n, shape in sorted(found.items())
        if re.fullmatch(r"[A-Za-z]\w*", n)
        and all(re.fullmatch(r"\w+( ?[+-] ?\d+)?", str(x)) for x in shape)
    ]
    every = {x for e in (*exprs, *(d.expr for d in system)) for x in symbols(e)}
    sides = (*exprs, *(x for d in system for x in (d.expr, d.lhs)))
    every -= {a for e in sides for b in bases(e) for a in b.args[2:]}  # symmetric
    scalars = {x for x in every if isinstance(x, sp.Symbol) and not x.is_integer}
    numbers = {plainly(x.name, written) for x in scalars}
    letters = {i.name for side in exprs for i in inside.letters(side)}
    left, right = ({x.name for e in es for x in symbols(e) if isinstance(x, sp.Symbol)}
                   for es in (exprs[:1], exprs[1:]))  # fmt: skip
    applied = left.union(*({f.func.__name__ for f in e.atoms(AppliedUndef)} for e in exprs))
    times = right - applied - {d.name for d in system}  # the g of g (sin θ - cos θ)
    plain = sorted(
        n
        for n in numbers - found.keys() - letters
        if re.fullmatch(r"(?!mean_|var_|cov_)[A-Za-z]\w*", n)
        and not re.search(rf"\\math\w+\s*\{{?{n}\b", written)
        and (n in times or not re.search(rf"\b{n.split('_')[0]}\s*(?:\\left)?\(", written))
    )
    rows = [f"<!-- symattn: sizes {' '.join(said)} -->"] if said else []
    for symmetry, called in turned.items():
        even = sorted(n for n in called if re.fullmatch(r"[A-Za-z]\w*", n))
        rows += [f"<!-- symattn: {symmetry} {' '.join(even)} -->"] if even else []
    return "\n".join(rows + ([f"<!-- symattn: scalars {' '.join(plain)} -->"] if plain else []))


def plainly(name: str, written: str) -> str:
    """x for x_2, which is the x of this part of the text, where nobody wrote x_2."""
    match = re.fullmatch(r"([A-Za-z]\w*?)_(\d+|scalar)", name)
    if match is None or not written or re.search(rf"{match[1]}\s*_\s*\{{?{match[2]}", written):
        return name
    return match[1] if re.search(rf"(?<![A-Za-z]){match[1]}(?![A-Za-z])", written) else name


def mini(
    definitions: Iterable[Definition],
    declarations: str,
    claims: Sequence[str],
    s: Statement,
    extra: str = "",
) -> str:
    """A document with the shapes of all names and the claims, each on its own."""
    head = shapes(definitions, s.lhs, s.rhs, written=s.whole)
    body = "\n\n".join(f"$$ {c} $$" for c in claims)
    return f"{declarations}\n{head}\n{extra}\n\n{body}\n"


__all__ = ["declared", "mini", "plainly", "shapes"]
