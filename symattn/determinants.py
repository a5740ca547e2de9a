"""Determinants of defined matrices by those of others.

det(c A B⊤) = cⁿ det A det B for square matrices, log |det(r_i A_ij s_j)| = log |det A| and the
logarithms of all |r_i| and |s_j|; det(A + u v⊤) = det A (1 + v⊤ A⁻¹ u), and
det(A + U V) = det A det(1 + V A⁻¹ U), where A has an inverse (Sylvester): a determinant of 1 + X
hangs on the cycle of the factors of X alone.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from itertools import permutations
from typing import Any

from . import normalize as nf
from .convert import text
from .errors import SymattnError
from .inverses import Chain, Written, chain, matrices, same
from .ir import (
    ONE,
    Call,
    Index,
    Poly,
    Rational,
    Ref,
    Tensor,
    Term,
    determinant_tensor,
    magnitude,
    number,
    refs,
)
from .laws import sign_of
from .similar import similar

Inverses = Mapping[Tensor, tuple[tuple[Index, ...], Poly]]


def determinants(
    known: Iterable[Written],
    inverted: Iterable[Tensor],
    solved: Inverses,
    orthogonal: Container[Tensor],
) -> dict[Tensor, Poly]:
    """det M and log |det M| of defined matrices, by matrices of which those in `inverted` and the
    inverses have an inverse; `solved` are inverses by those of others."""
    found = dict[Tensor, Poly]()
    regular = {*inverted}
    for matrix in regular & solved.keys():  # so have the square factors of a product
        inside = (r.tensor for r in refs(solved[matrix][1]))
        regular |= {t.of[0] for t in inside if t.role == "inverse"}

    def put_in(atom: Any) -> Poly | None:
        of = atom.tensor.of if isinstance(atom, Ref) and atom.tensor.role == "inverse" else ()
        if not of or of[0] not in solved:
            return None
        letters, value = solved[of[0]]
        return nf.substitute(value, dict(zip(letters, atom.slots, strict=True)))

    for body, plain in known:
        try:
            written = nf.rewrite(plain, put_in)
            value, size = _between(body.indices, written, known, orthogonal)
            if value is None:
                value = _determinant(body.indices, written, regular)
            if size is None and value is not None:
                size = _size(value)
            elif size is None:
                size = _size_of_product(body.indices, written)
        except SymattnError:
            continue
        if value is not None:
            found[determinant_tensor(body.tensor, "det")] = value
        if size is not None:
            found[determinant_tensor(body.tensor, "logdet")] = size
    return found


def _between(
    ends: tuple[Index, ...], written: Poly, known: Iterable[Written], orthogonal: Container[Tensor]
) -> tuple[Poly | None, Poly | None]:
    """det B and log |det B| for Q B Q⊤, of which B is diagonal or has a name."""
    found = similar(ends, written, orthogonal)
    if found is None:
        return None, None
    value, size = None, None
    if (inner := same(found.ends, found.inner, known)) is not None:
        value, size = (nf.ref(determinant_tensor(inner, kind), ()) for kind in ("det", "logdet"))
    if (diagonal := found.diagonal) is not None:
        size = nf.sum_over(found.ends[:1], nf.call("log", [nf.call("abs", [diagonal])]))
    return value, size


def by_logarithms(poly: Poly) -> Poly:
    """determinants by the logarithms of their magnitudes and their signs."""

    def rule(atom: Any) -> Poly | None:
        if isinstance(atom, Call) and atom.name == "abs":
            only = atom.args[0].single
            ((inner, e), *more) = tuple(only[0]) if only and only[0].powers else ((None, 0),)
            if e == 1 and not more and only and abs(only[1]) == 1 and _is_determinant(inner):
                return magnitude_of(inner)
        if not _is_determinant(atom):
            return None
        value = magnitude_of(atom)
        if atom.tensor.sign == "+":
            return value
        above = nf.call("step", [nf.ref(atom.tensor, ())])  # 1 and not 0 beside a determinant of 0
        return nf.multiply(value, nf.subtract(nf.scale(above, 2), ONE))

    return nf.rewrite(poly, rule)


def _is_determinant(atom: Any) -> bool:
    return isinstance(atom, Ref) and atom.tensor.role == "det"


def magnitude_of(det: Any) -> Poly:
    """|det M| as e to the power of its logarithm."""
    return nf.call("exp", [nf.ref(determinant_tensor(det.tensor.of[0], "logdet"), ())])


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


def _size_of_product(ends: tuple[Index, ...], written: Poly) -> Poly | None:
    """n log |c| + Σ log |r_i| + log |det A| + … for c r_i A_ij …, whatever the sign of c."""
    found = matrices(ends, written)
    if found is None or not found.square(ends[0].size):
        return None

    def logarithm(x: Poly) -> Poly:
        return nf.call("log", [nf.call("abs", [x])])

    i, j = ends
    parts = [nf.multiply(nf.size_poly(i.size), logarithm(found.scale))]
    parts += [nf.sum_over([e], logarithm(x)) for e, x in ((i, found.rows), (j, found.columns))]
    for tensor, _ in found.path:
        of, e = (tensor.of[0], -1) if tensor.role == "inverse" else (tensor, 1)
        parts.append(nf.scale(nf.ref(determinant_tensor(of, "logdet"), ()), e))
    return nf.add(*parts)


def _determinant(
    ends: tuple[Index, ...], written: Poly, inverted: Container[Tensor]
) -> Poly | None:
    terms, only = list(written), matrices(ends, written)
    if only is not None or len(terms) == 1:
        return None if only is None else _of_product(only, ends)
    for base, rest in permutations(terms) if len(terms) == 2 else ():
        known = chain(ends, *base)
        value = None if known is None else _of_product(known, ends)
        if (
            known is not None
            and value is not None
            and all(t.role == "inverse" or t in inverted for t, _ in known.path)
        ):
            more = _of_sum(ends, known, rest)
            if more is not None:
                return nf.multiply(value, more)
    return None


def _similar(found: Chain, ends: tuple[Index, ...]) -> bool:
    """r_i A_ij/r_j has the determinant of A."""
    i, j = ends
    return nf.multiply(found.rows, nf.substitute(found.columns, {j: i})) is ONE


def _of_product(found: Chain, ends: tuple[Index, ...]) -> Poly | None:
    """cⁿ det A det B … for c A B …; None where a matrix is not square or cⁿ cannot be written."""
    size = ends[0].size
    if not found.square(size) or not _similar(found, ends):
        return None
    if size.is_Integer:
        value = nf.power(found.scale, int(size))
    elif found.scale is ONE:
        value = ONE
    elif found.scale.single is not None and sign_of(found.scale.single[0]):
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
        return nf.add(ONE, nf.sum_over(ends, nf.multiply(base.inverse(ends), turned)))
    other = chain(ends, term, c)
    if other is None or not other.path or not (base.plain and other.plain):
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
