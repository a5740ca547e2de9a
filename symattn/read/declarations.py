r"""Declarations in comments: <!-- symattn: sizes Q:(n_q,d_k) x:(n); scalars beta T -->.

sizes NAME:(SIZE, …) …     the shape of each name; () for a scalar
scalars NAME …             names without indices
positive NAME …            names all of whose components are greater than zero
symmetric NAME …           names that are symmetric in all their indices
definite NAME …            matrices that are symmetric and positive definite
antisymmetric NAME …       matrices that change sign when their indices are exchanged
softmax rows | columns     along which axis softmax(M) normalizes; rows where nothing is said
indices from 0 | 1         what the number of the first index is
metric NAME … | none       names whose upper indices mean the inverse; none: position is free
sums implicit | written    whether y_i = A_{ij} x_j leaves its Σ out; what equations tell otherwise
coordinates NAME           what \partial_a differentiates by; x where nothing is said
rows NAME of NAME          q_i is the row number i of Q; so with columns, and entries q_{ij}
overload NAME …            names whose number of indices tells which of two tensors is meant
new NAME …                 names that are other tensors from here on
assume EQUATION            what holds beside the definitions, in LaTeX: \sum_c t_{ic} = 1
loss NAME of NAME …        an abstract scalar, a function of these tensors
gradients MARK of NAME     what ∂L/∂X is written as: \bar (for \bar X), d (for dX), G_ (for G_X)
expectation NAME over x    the distribution that \mathbb{E}, Var and ⟨…⟩ mean, and its outcome
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import sympy as sp

from ..ir import SIGNS
from .names import Names
from .parts import Part
from .sizes import Sizes
from .source import Display, ReadError, Source, similar

if TYPE_CHECKING:
    from .values import Conventions

_SHAPE = re.compile(r"\s*\\?([A-Za-z][\w']*)\s*:\s*\(([^()]*)\)\s*,?")
_NUMBER_OF = r"(?:\d{1,9}(?:\s*\*?\s*[A-Za-z]\w*)?|[A-Za-z]\w*)"  # 5, 2n, 2*n, n
_SIZE = re.compile(rf"\s*{_NUMBER_OF}(?:\s*[+-]\s*{_NUMBER_OF}){{0,9}}\s*")
_PART = re.compile(r"([+-]?)\s*(?=\w)(\d*)\s*\*?\s*([A-Za-z]\w*)?")
_KINDS = {  # with an example of each
    "sizes": "sizes Q:(n_q,d_k) K:(n_k,d_k)",
    "scalars": "scalars alpha beta",
    "positive": "positive sigma",
    **{kind: f"{kind} x" for kind in ("nonnegative", "negative", "nonpositive", "nonzero")},
    "symmetric": "symmetric A",
    "definite": "definite C",
    "antisymmetric": "antisymmetric F",
    "softmax": "softmax rows",
    "indices": "indices from 1",
    "metric": "metric g",
    "sums": "sums implicit",
    "coordinates": "coordinates x",
    "expectation": "expectation E over p",
    "assume": "assume \\sum_i p_i = 1",
    "loss": "loss L of O",
    "gradients": "gradients \\bar of L",
    "derive": "derive L wrt w, b",
    **{kind: f"{kind} q of Q" for kind in ("rows", "columns", "entries")},
    "overload": "overload A",
    "new": "new A",
}


def declare(
    source: Source, names: Names, sizes: Sizes, conventions: Conventions, strict: bool
) -> None:
    """Enter what the comments of a document declare.

    Raises ReadError for what is no declaration; without `strict` it is noted and left out.
    """
    for start, text in source.declarations:
        at = start
        for part in re.split(r"(;|\n)", text):
            word = part.split()
            if word and part not in ";\n":
                here = at + len(part) - len(part.lstrip())
                rest = part.strip()[len(word[0]) :]
                try:
                    _one(source, here, word[0], rest, names, sizes, conventions)
                except ReadError as error:
                    if strict:
                        raise
                    source.broken.append((here, error))
            at += len(part)


def _one(
    source: Source,
    at: int,
    kind: str,
    rest: str,
    names: Names,
    sizes: Sizes,
    conventions: Conventions,
) -> None:
    said = rest.split() if kind == "gradients" else [x.removeprefix("\\") for x in rest.split()]
    if kind == "sizes":
        _sizes(source, at + len(kind), rest, names, sizes)
    elif kind == "scalars" and said:
        for name in said:
            names.declare(name.strip(","), 0, at)
    elif kind in ("positive", "symmetric", "antisymmetric") and said:
        getattr(names, kind).update(said)
    elif kind in SIGNS.values() and said:
        names.signs.update(dict.fromkeys(said, kind))
    elif kind == "definite" and said:
        names.definite.update(said)
        names.symmetric.update(said)
    elif kind == "softmax" and said in (["rows"], ["columns"]):
        conventions.softmax_rows = said == ["rows"]
    elif kind == "indices" and said in (["from", "0"], ["from", "1"]):
        conventions.origin = int(said[1])
    elif kind == "sums" and said in (["implicit"], ["written"]):
        conventions.implicit = said == ["implicit"]
    elif kind == "metric" and said:
        names.metrics |= set(said) - {"none"}
        names.alike = names.alike or "none" in said
    elif kind == "coordinates" and len(said) == 1:
        conventions.coordinates = said[0]
    elif kind == "overload" and said:
        names.versions.overload.update(said)
        for name in said:
            names.versions.table.setdefault(name, [])
    elif kind == "new" and said:
        for name in said:
            names.versions.renew(name, at)
    elif kind == "assume" and said:
        start = at + len(kind)
        source.assumptions.append(Display(start, start + len(rest)))
    elif kind == "loss" and len(said) > 2 and said[1] == "of":
        names.losses[said[0]] = tuple(x.strip(",") for x in said[2:])
    elif kind == "gradients" and len(said) == 3 and said[1] == "of":
        names.gradients = (said[0], said[2])
    elif kind == "derive" and len(said) > 2 and said[1] == "wrt":
        of, *wanted = (x.strip(",") for x in (said[0], *said[2:]))
        names.wanted[of] = (*names.wanted.get(of, ()), *filter(None, wanted))
    elif kind in ("rows", "columns", "entries") and len(said) == 3 and said[1] == "of":
        names.parts[said[0]] = Part(said[2], kind)
    elif kind == "expectation" and len(said) == 3 and said[1] == "over":
        names.averages[said[0]] = said[2]
        names.use(said[0], 1, at)
    else:
        raise source.fail(
            at,
            f"this is no declaration: {kind}{rest}",
            expected=similar(kind, _KINDS) or ", ".join(_KINDS),
            mend=f"write for example: symattn: {_KINDS.get(kind, _KINDS['sizes'])}",
        )


def _sizes(source: Source, at: int, text: str, names: Names, sizes: Sizes) -> None:
    position = 0
    while text[position:].strip():
        found = _SHAPE.match(text, position)
        if found is None:
            raise source.fail(
                at + position,
                "this shape cannot be read",
                expected="Q:(n_q,d_k)",
                mend="write a name, a colon and the sizes in brackets",
            )
        shape = [s for s in found[2].split(",") if s.strip()]
        name = names.declare(found[1], len(shape), at + position)
        for k, said in enumerate(shape):
            size = _size(said)
            if size is None:
                raise source.fail(
                    at + found.start(2),
                    f"{said.strip()} is not a size",
                    expected="n_q, 5, n-1 or 2n-1",
                    mend="name the size",
                )
            names.said_lengths |= {str(x) for x in size.free_symbols}
            sizes.give(
                sizes.slot(name, k, at + position),
                size,
                at + position,
                f"axis {k + 1} of {found[1]}",
            )
        position = found.end()


def _size(text: str) -> sp.Expr | None:
    """The size n, 5, n-1 or 2n+m-1; None for anything else."""
    if not _SIZE.fullmatch(text):
        return None
    size = sp.S.Zero
    for sign, number, name in _PART.findall(text):
        symbol = sp.Symbol(name, positive=True, integer=True) if name else sp.S.One
        size += (-1 if sign == "-" else 1) * sp.Integer(number or 1) * symbol
    return size
