"""The brackets that the author of a system wrote, as definitions without a name.

A bracket with several terms, x_a − μ or Σ_a X_ia w_a − y_i, and the logarithm of a product are
treated as definitions: results are folded back into them as into any other, and they are printed
as they stand in the formula.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import gcd
from typing import Any

from .. import normalize as nf
from .. import primitives
from ..canonical import key
from ..distinct import both_ways
from ..folding import divisors, match
from ..ir import (
    OF_MATRIX,
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
    Tensor,
    Term,
    fresh_indices,
    parts,
    rational,
    raw_add,
    raw_atom,
    raw_product,
    refs,
)
from ..model import Body, Model
from ..places import placeable, renamed
from ..shared_bars import under_one_sum
from .cases import Kink
from .cost import cost, powers_of
from .factor import not_zero
from .recognised import contained, tensors_in
from .solved import solutions
from .views import common_powers, fresh, quotient


def brackets(m: Model) -> tuple[Body, ...]:
    """The brackets with several terms in the definitions of a system, as definitions."""
    made: dict[Poly, Body] = {}
    for body in m.bodies.values():
        for bracket in (*map(primitive, _brackets(body.raw)), *_weighted(body.raw)):
            normal = nf.normalize(bracket)
            if normal in made or normal.constant is not None:
                continue
            if len(normal) < 2 and not _of_squares(bracket) and not _row(bracket):
                continue
            if _complement(normal) or both_ways(bracket) is not None:
                continue
            if any(b.normal is normal for b in m.bodies.values()):
                continue
            letters = tuple(sorted(bracket.free, key=lambda i: i.sort))
            tensor = Tensor(
                f"({len(made)})", tuple(i.size for i in letters), role="stand-in", of=(body.tensor,)
            )
            made[normal] = Body(tensor, letters, bracket, normal)
    return tuple(made.values())


def beside_inverses(m: Model) -> tuple[Body, ...]:
    """S − C for matrices S beside a C whose inverse occurs: C⁻¹SC⁻¹B − C⁻¹B is C⁻¹(S − C)C⁻¹B."""
    found = {r.tensor for b in m.bodies.values() for r in refs(b.raw)}
    inverted = {t.of[0] for t in found if t.role in OF_MATRIX}
    made = []
    for whole in sorted(inverted, key=lambda t: t.name):
        for other in m.known.values():
            if other is whole or other.shape != whole.shape or other in inverted:
                continue
            letters = tuple(fresh_indices(whole.shape, ()))
            raw = Poly({Term({Ref(other, letters): 1}): 1, Term({Ref(whole, letters): 1}): -1})
            tensor = Tensor(f"({other.name}-{whole.name})", whole.shape, role="stand-in")
            made.append(Body(tensor, letters, raw, nf.normalize(raw)))
    return tuple(made)


def primitive(bracket: Poly) -> Poly:
    """m + a of 2 (m + a) and −(m + a), into which SymPy multiplies the number."""
    numbers = [c for _, c in bracket]
    if len(numbers) < 2 or any(c.denominator != 1 for c in numbers):
        return bracket
    common = gcd(*(c.numerator for c in numbers))
    common = -common if all(c < 0 for c in numbers) else common
    return Poly({t: rational(Fraction(c) / common) for t, c in bracket})


def shortened(body: Body, known: tuple[Body, ...]) -> Body:
    """The definition over the brackets in it, a = √(Σ_j c_j²) with c_j for x_j − m."""
    best = body.normal
    for bracket in known:
        for solution in solutions(bracket) if len(bracket.normal) > 1 else ():
            if solution.tensors <= tensors_in(best):
                best = min((best, *solution.forms(best)), key=cost)
    return Body(body.tensor, body.indices, body.raw, best, body.fact)


def of_brackets(body: Body, known: tuple[Body, ...]) -> Body:
    """The definition as a product of the brackets in it, d = (1 + r) (w − c), if it is one."""
    own = {b.normal: nf.ref(b.tensor, b.indices) for b in known}
    factors, c = body.raw.single or (ONE_TERM, 1)
    named = [
        own[normal] if (normal := nf.normalize(a)) in own else normal
        for a in (raw_atom(a) for a in factors.powers)
    ]
    if body.normal.single is not None or not factors.powers:
        return body
    whole = nf.multiply(*map(nf.power, named, factors.powers.values()))
    return Body(body.tensor, body.indices, body.raw, nf.scale(whole, c), body.fact)


def gathered(poly: Poly, body: Body) -> Poly:
    """t x + t y as t (x + y), for a bracket or a definition x + y, also under a sum.

    A number in x + y may be below a bar: k log V − k log N − k as S/N − k for S = N k log(V/N).
    """
    after = _gathered(poly, body)
    if after is not poly:
        return after
    some = under_one_sum(poly, lambda whole: [_gathered(whole, body)], len(body.normal))
    return next(some, poly)


def _gathered(poly: Poly, body: Body) -> Poly:
    letters = frozenset(body.indices)
    lead, c = min(body.normal, key=lambda pair: (-len(pair[0].free & letters), key(pair[0])))
    pattern = [(a, e) for a, e in lead if not isinstance(a, Ref) or a.slots]
    terms = dict(poly.terms)
    safe: frozenset[Atom] | None = None
    for term, d in poly:
        for found in contained(pattern, term, body.indices, {}):
            if term not in terms or len(found) < len(body.indices):
                continue
            if not placeable(body.normal, found):
                continue
            there = nf.substitute(Poly({lead: 1}), found).single
            if there is None or there[1] != 1:
                continue
            front = Term(_times(term.powers, there[0].powers, -1))
            if new := divisors(front) - divisors(term):
                safe = not_zero(poly, body) if safe is None else safe
                if not new <= safe:
                    continue
            scale = rational(Fraction(d) / Fraction(c))
            body_there = nf.substitute(body.normal, found)
            whole = nf.scale(nf.multiply(Poly({front: 1}), body_there), scale)
            if len(whole) == len(body.normal) and all(terms.get(t) == k for t, k in whole):
                name = Ref(body.tensor, [found[i] for i in body.indices])
                named = Term(_times(front.powers, {name: 1}))
                for t, _ in whole:
                    del terms[t]
                terms[named] = rational(terms.get(named, 0) + scale)
    return Poly(terms) if len(terms) < len(poly) else poly


def barred(poly: Poly, body: Body) -> Poly:
    """y/(x² + y² − 2 u x + u²) as y/q, where the whole bracket, or minus it, is defined as q."""

    def rule(node: Any) -> Poly | None:
        if not isinstance(node, Poly) or len(node) != len(body.normal):
            return None
        for sign in (1, -1):
            found = match(nf.scale(body.normal, sign), node, body.indices)
            if found is not None and set(found) >= set(body.indices):
                named = nf.ref(body.tensor, [found[i] for i in body.indices])
                return nf.scale(named, sign)
        return None

    return nf.rewrite(poly, rule, brackets=True)


def _times(
    powers: Mapping[Atom, Rational], others: Mapping[Atom, Rational], sign: int = 1
) -> dict[Atom, Rational]:
    """The exponents of a product, with a minus of a quotient."""
    return {a: rational(powers.get(a, 0) + sign * others.get(a, 0)) for a in {**powers, **others}}


def _complement(normal: Poly) -> bool:
    """1 − y: as short to find again as to look for, and y is wanted where it stands by itself."""
    names = [t for t, c in normal if t.powers and c < 0]
    one = normal.terms.get(ONE_TERM) == 1
    return one and len(normal) == 2 and len(names) == 1 and cost(names[0]) <= 2


def _of_squares(bracket: Poly) -> bool:
    """Σ_i (Σ_j G_ij u_j)², one sum over three letters when it is multiplied out."""
    ((term, _),) = bracket if len(bracket) == 1 else ((ONE_TERM, 1),)
    return any(_squared(a) for a, e in term if e == 1)


def _row(bracket: Poly) -> bool:
    """Σ_j D_tj x_j of its square."""
    atom = next(iter(bracket.single[0].powers), None) if bracket.single is not None else None
    return isinstance(atom, Sum) and bool(atom.free)


def _squared(atom: Atom) -> bool:
    inside = (p for t, _ in atom.body for p in t) if isinstance(atom, Sum) else ()
    return any(isinstance(a, Sum) and e > 1 for a, e in inside)


def _weighted(raw: Poly) -> Iterator[Poly]:
    """Σ_ij W_ij (u_i − u_j)² in a term, which is three sums multiplied out."""
    for term, _ in raw:
        for atom, e in term:
            inside = (a for t, _ in atom.body for a, _ in t) if isinstance(atom, Sum) else ()
            if e == 1 and (any(isinstance(a, Poly) for a in inside) or _squared(atom)):
                yield raw_atom(atom)


def _brackets(node: Any, inside: bool = False) -> Iterator[Poly]:
    if isinstance(node, Poly) and inside and len(node) > 1:
        yield node
    if isinstance(node, Term):
        powers = ((a, e) for a, e in node if isinstance(a, Poly) and e > 1 and e.denominator == 1)
        yield from (raw_atom(a, e) for a, e in powers if len(a) == 2 and not a.height)
        yield from (raw_atom(a) for a, e in node if isinstance(a, Sum) and e == 2 and a.free)
    if isinstance(node, Call) and node.name == "log":  # of a product: log(p/q)
        yield raw_atom(node)
    if isinstance(node, Max) and not node.bound:  # max(0, x − y), which is max(x, y) − y
        yield raw_atom(node)
    for part in parts(node):
        yield from _brackets(part, not isinstance(node, Max | Argmax))


def written_out(raw: Any, bodies: Mapping[Tensor, Body]) -> Any:
    """A raw expression with the brackets of the author in place of their stand-ins."""
    return _replaced(raw, bodies, {})


def lettered(raw: Any, names: Mapping[Index, Slot]) -> Any:
    """A raw expression with other letters for those that are free in it."""
    return _replaced(raw, {}, names)


def as_the_author_compares(raw: Any, known: list[Kink], bodies: Mapping[Tensor, Body]) -> Any:
    """[u > 0] with u as it stands in the author's max(0, u), where nothing of that cancels."""
    match raw:
        case Poly():
            return raw_add(
                raw_product(
                    [
                        Poly({ONE_TERM: c}),
                        *(raw_atom(as_the_author_compares(a, known, bodies), e) for a, e in t),
                    ]
                )
                for t, c in raw
            )
        case Sum():
            return Sum(raw.bound, as_the_author_compares(raw.body, known, bodies))
        case Call(name="step"):
            normal = nf.normalize(written_out(raw.args[0], bodies))
            for kink, sign in product(known, (1, -1)):
                found = match(kink.normal, nf.scale(normal, sign), kink.letters)
                whole = {*kink.letters, *kink.written.free}  # F_ii, which is 0, has a letter too
                if found is None or not set(found) >= whole:
                    continue
                if len(kink.normal) < len(kink.written):  # q r > (q − 1) r, which is r > 0
                    continue
                if placeable(kink.written, found):
                    own = _replaced(kink.written, {}, found)
                    return Call("step", [Poly({t: rational(sign * c) for t, c in own})])
    return raw


def arguments_as_written(raw: Any, known: Iterable[Body], bodies: Mapping[Tensor, Body]) -> Any:
    """cos(w t + k t²) for cos(t (w + k t)), where the author has a function of this argument."""
    match raw:
        case Poly():
            return raw_add(
                raw_product(
                    [
                        Poly({ONE_TERM: c}),
                        *(_turned(a, e, known, bodies) for a, e in t),
                    ]
                )
                for t, c in raw
            )
        case Sum():
            return Sum(raw.bound, arguments_as_written(raw.body, known, bodies))
        case Call() if len(raw.args) == 1 and raw.name != "step":
            own = _own_argument(raw.args[0], known, bodies)
            return Call(raw.name, [_as_difference(raw.args[0]) if own is None else own])
    return raw


def _own_argument(
    argument: Poly, known: Iterable[Body], bodies: Mapping[Tensor, Body]
) -> Poly | None:
    """The argument as a bracket of the author; None where he has no such bracket."""
    normal = nf.normalize(written_out(argument, bodies))
    for body in known:
        found = match(body.normal, normal, body.indices) if len(body.normal) > 1 else None
        whole = found is not None and set(found) >= set(body.indices)
        if found is not None and whole and placeable(body.raw, found):
            own: Poly = _replaced(body.raw, {}, found)
            return own
    return None


def _turned(atom: Atom, e: Rational, known: Iterable[Body], bodies: Mapping[Tensor, Body]) -> Poly:
    """−sin(a − b − c) for sin(b + c − a), where the author has this argument."""
    parity = primitives.by_name(atom.name).parity if isinstance(atom, Call) else 0
    if isinstance(atom, Call) and parity and len(atom.args[0]) > 2 and e.denominator == 1:
        back = _own_argument(nf.scale(atom.args[0], -1), known, bodies)
        if back is not None and _own_argument(atom.args[0], known, bodies) is None:
            return Poly({Term({Call(atom.name, [back]): e}): parity ** int(e)})
    return raw_atom(arguments_as_written(atom, known, bodies), e)


def _as_difference(argument: Poly) -> Poly:
    """k (b − a) of σ(k b − k a), which the author has nowhere."""
    scales = {abs(Fraction(c)) for _, c in argument}
    if len(argument) != 2 or len(scales) > 1 or sum(c < 0 for _, c in argument) != 1:
        return argument
    common = common_powers([t.powers for t, _ in argument])
    if not common or powers_of(argument) is not None:
        return argument
    (scale,) = scales
    rest = (
        Poly({Term(quotient(t.powers, common)): rational(Fraction(c) / scale)}) for t, c in argument
    )
    return raw_product([Poly({Term(common): rational(scale)}), raw_atom(raw_add(rest))])


def _replaced(node: Any, bodies: Mapping[Tensor, Body], names: Mapping[Index, Slot]) -> Any:
    def slot(s: Slot) -> Slot:
        if isinstance(s, Index):
            return names.get(s, s)
        return renamed(s, names)

    def go(child: Any) -> Any:
        return _replaced(child, bodies, names)

    match node:
        case Ref():
            body = bodies.get(node.tensor)
            slots = [slot(s) for s in node.slots]
            if body is None:
                return Ref(node.tensor, slots)
            there = dict(zip(body.indices, slots, strict=True))
            if not placeable(body.raw, there):
                return _replaced(body.at(slots), bodies, {})
            return _replaced(body.raw, bodies, there)
        case Delta():
            return Delta(slot(node.a), slot(node.b))
        case Mask():
            return Mask(slot(node.slot))
        case Call():
            return Call(node.name, [go(a) for a in node.args])
        case Num():
            return node
        case Term():
            powers: dict[Atom, Rational] = {}
            for atom, e in node:
                made = go(atom)
                only = made.single if isinstance(made, Poly) else None
                alone = only is not None and list(only[0].powers.values()) == [1]
                whole = only is not None and only[1] == 1 and (e.denominator == 1 or alone)
                kept: dict[Any, Rational] = {made: 1}  # √(x²) stays |x|
                factors = only[0].powers if whole and only else kept
                for factor, k in factors.items():
                    powers[factor] = rational(powers.get(factor, 0) + k * e)
            return Term(powers)
        case Poly():
            return raw_add(_spliced(go(t), c, _alone(t, bodies)) for t, c in node)
        case Sum() | Max() | Argmax():
            letters = fresh(node.bound)
            inner = {**names, **dict(zip(node.bound, letters, strict=True))}
            inside = [_replaced(p, bodies, inner) for p in parts(node)]
            if isinstance(node, Max):
                return Max(letters, inside)
            if isinstance(node, Argmax):
                return Argmax([slot(s) for s in node.at], letters, inside[0])
            return Sum(letters, inside[0])
    raise AssertionError(node)


def _alone(term: Term, bodies: Mapping[Tensor, Body]) -> bool:
    """True for a term that is a bracket of the author and nothing else."""
    only = next(iter(term.powers), None)
    return len(term.powers) == 1 and isinstance(only, Ref) and only.tensor in bodies


def _spliced(term: Term, c: Rational, alone: bool) -> Poly:
    """A bracket that is a term of its own as its terms: (x + y) + z as x + y + z.

    And a number in a bracket in front of the term: c (−a) as −c a.
    """
    if alone and len(term.powers) == 1:
        ((inside, e),) = term
        if isinstance(inside, Poly) and e == 1 and c in (1, -1):
            return Poly({t: rational(c * d) for t, d in inside})
    powers: dict[Atom, Rational] = {}
    for atom, e in term:
        only = atom.single if isinstance(atom, Poly) and e == 1 else None
        kept: dict[Any, Rational] = {atom: e}
        for factor, k in (only[0].powers if only else kept).items():
            powers[factor] = rational(powers.get(factor, 0) + k)
        c = rational(c * only[1]) if only else c
    return Poly({Term(powers): c})


__all__ = [
    "arguments_as_written",
    "as_the_author_compares",
    "barred",
    "brackets",
    "lettered",
    "written_out",
]
