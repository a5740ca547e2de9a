"""Determinants of defined matrices by those of others.

det(c A B⊤) = cⁿ det A det B for square matrices; det(A + u v⊤) = det A (1 + v⊤ A⁻¹ u), and
det(A + U V) = det A det(1 + V A⁻¹ U), where A has an inverse (Sylvester): a determinant of 1 + X
hangs on the cycle of the factors of X alone.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from itertools import permutations

import sympy as sp

from . import normalize as nf
from .convert import text
from .errors import SymattnError
from .inverses import Chain, along, chain
from .ir import ONE, Index, Poly, Rational, Ref, Tensor, Term, determinant_tensor, magnitude, number
from .laws import sign_of
from .model import Body, Model


def determinants(
    m: Model, bodies: Iterable[Body], inverted: Container[Tensor]
) -> dict[Tensor, Poly]:
    """det M and log |det M| of defined matrices, by matrices of which those in `inverted` and the
    inverses have an inverse."""
    found = {}
    for body in bodies:
        try:
            value = _determinant(body.indices, m.inline(body.normal), inverted)
        except SymattnError:
            continue
        if value is not None:
            found[determinant_tensor(body.tensor, "det")] = value
            found[determinant_tensor(body.tensor, "logdet")] = _size(value)
    return found


def _size(value: Poly) -> Poly:
    """The logarithm of the magnitude, of a product factor by factor."""
    if value.single is None:
        return nf.call("log", [nf.call("abs", [value])])
    term, c = value.single
    parts = [nf.call("log", [number(magnitude(c))])]
    for atom, e in term:
        if isinstance(atom, Ref) and atom.tensor.role == "det":
            part = nf.ref(determinant_tensor(atom.tensor.of[0], "logdet"), ())
        else:
            part = nf.call("log", [nf.call("abs", [Poly({Term({atom: 1}): 1})])])
        parts.append(nf.scale(part, e))
    return nf.add(*parts)


def _determinant(
    ends: tuple[Index, ...], written: Poly, inverted: Container[Tensor]
) -> Poly | None:
    terms = list(written)
    if len(terms) == 1:
        only = chain(ends, *terms[0])
        return None if only is None else _of_product(only, ends[0].size)
    for base, rest in permutations(terms) if len(terms) == 2 else ():
        known, size = chain(ends, *base), ends[0].size
        value = None if known is None else _of_product(known, size)
        if (
            known is not None
            and value is not None
            and all(t.role == "inverse" or t in inverted for t, _ in known.path)
        ):
            more = _of_sum(ends, known, rest)
            if more is not None:
                return nf.multiply(value, more)
    return None


def _of_product(found: Chain, size: sp.Expr) -> Poly | None:
    """cⁿ det A det B … for c A B …; None where a matrix is not square or cⁿ cannot be written."""
    if not found.square(size):
        return None
    if size.is_Integer:
        value = nf.power(found.scale, int(size))
    elif found.scale is ONE:
        value = ONE
    elif found.scale.single is not None and sign_of(found.scale.single[0]) == "+":
        if found.scale.single[1] < 0:
            return None
        value = nf.call("exp", [nf.multiply(nf.size_poly(size), nf.call("log", [found.scale]))])
    else:
        return None
    for tensor, _ in found.path:
        of, e = (tensor.of[0], -1) if tensor.role == "inverse" else (tensor, 1)
        value = nf.multiply(value, nf.power(nf.ref(determinant_tensor(of, "det"), ()), e))
    return value


def _of_sum(ends: tuple[Index, ...], base: Chain, rest: tuple[Term, Rational]) -> Poly | None:
    """det(1 + X) for A + R with X = A⁻¹ R; None for what is neither u v⊤ nor a product."""
    i, j = ends
    term, c = rest
    if not any({i, j} <= a.free for a, _ in term):
        u = Poly({Term({a: e for a, e in term if j not in a.free}): c})
        v = Poly({Term({a: e for a, e in term if j in a.free}): 1})
        turned = nf.substitute(nf.multiply(u, v), {i: j, j: i})  # u_j v_i
        inner = nf.sum_over(ends, nf.multiply(along(ends, base.back), turned))
        return nf.add(ONE, nf.multiply(nf.power(base.scale, -1), inner))
    other = chain(ends, term, c)
    if other is None or not other.path:
        return None
    scale = nf.multiply(nf.power(base.scale, -1), other.scale)
    steps = [*base.back, *other.path]
    ways = [
        [f"{t.name}{'⊤' * (turned and t.symmetry != 'symmetric')}" for t, turned in turn]
        for way in (steps, [(t, not turned) for t, turned in steps[::-1]])
        for turn in ((*way[k:], *way[:k]) for k in range(len(way)))
    ]
    name = f"det(1 + {text(scale)} {' '.join(min(ways))})"
    return nf.ref(Tensor(name, role="stand-in"), ())
