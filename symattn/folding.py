"""Folding definitions back, exp(S)/Z → A, and where a pattern occurs in an expression."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from typing import TYPE_CHECKING, Any

from . import normalize as nf
from . import sums
from .ir import (
    CACHE,
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
    functions,
    magnitude,
    parts,
    rational,
    raw_atom,
    refs,
    slot_items,
)
from .laws import sign_of
from .places import placeable

if TYPE_CHECKING:
    from .model import Body

LONG = 5  # factors, a power as up to three, a number; what is longer is shorter under its name


def fold(poly: Poly, body: Body) -> Poly:
    """The terms of `poly` in which `body` can be recognised, written with its name.

    A body c·exp(p)·r (a softmax, a Gibbs weight) is solved for exp(p) = name/(c·r), and a term is
    rewritten where the rest then cancels; any other one-term body is matched as it stands.  What
    would then divide by something that may be zero, and did not before, stays as it is, and so does
    t^p, which is h t/k for h = k t^{p − 1}.
    """
    folded = []
    for term, c in poly:
        before = Poly({term: c})
        after = _folded(before, body)
        if after is before and pivot(body) is not None:
            after = _folded_inside(term, c, body)
        better = divisors(after) <= divisors(before) and _nodes(after) <= _nodes(before)
        better = better and (after is before or not _beside_its_base(after, body))
        folded.append(after if better else before)
    return nf.add(*folded)


def _beside_its_base(poly: Poly, body: Body) -> bool:
    """h t is inside, of h = k t^{p − 1}."""
    weight = pivot(body)
    logs = (a for t, _ in weight.args[0] for a in t.powers) if weight is not None else ()
    args = [a.args[0].single for a in logs if isinstance(a, Call) and a.name == "log"]
    names = (a for only in args if only and len(only[0].powers) == 1 for a in only[0].powers)
    bases = {a.tensor for a in names if isinstance(a, Ref)}

    def both(node: Any) -> bool:
        above = {a.tensor for a, e in node if isinstance(a, Ref) and e > 0}
        return body.tensor in above and not bases.isdisjoint(above)

    return bool(bases) and any(isinstance(n, Term) and both(n) for n in _inside(poly))


def _folded_inside(term: Term, c: Rational, body: Body) -> Poly:
    """e^{−λ} Σ_n λ^{x_n} f_n with an exponential that stands before a sum put into it."""
    before: dict[Atom, Rational] = {
        a: e for a, e in term if isinstance(a, Call) and a.name == "exp"
    }
    for total, e in term if before else ():
        if not isinstance(total, Sum) or e != 1:
            continue
        bound, inside = sums.opened(total, {*term.free, *body.indices})
        whole = nf.multiply(nf.product(before), inside)
        after = _folded(whole, body)
        if after is not whole:
            rest = {a: k for a, k in term if a is not total and a not in before}
            return nf.scale(nf.multiply(nf.product(rest), nf.sum_over(bound, after)), c)
    return Poly({term: c})


def _nodes(node: Any) -> int:
    """How many factors an expression is made of, those inside of others too."""
    inside = sum(map(_nodes, parts(node)))
    return inside + 1 if not isinstance(node, Poly | Term) else inside


@lru_cache(maxsize=CACHE)
def divisors(node: Any) -> frozenset[Atom]:
    """The factors with a negative exponent that may be zero."""
    own = [a for a, e in node if e < 0 and sign_of(a) != "+"] if isinstance(node, Term) else []
    return frozenset(own).union(*map(divisors, parts(node)))


def _folded(poly: Poly, body: Body) -> Poly:
    only = body.normal.single
    if only is None:
        return poly
    term, c = only
    weight = pivot(body)
    if weight is None:
        return _fold_atom(poly, body, term, c)
    rest = Term({a: e for a, e in term if a is not weight})
    if any(isinstance(a, Mask | Delta) for a, _ in rest):
        return poly  # what a mask multiplies cannot be solved for
    folded = [
        _fold_exponential(
            Poly({t: d}), body, weight, rest, c, [a for a, _ in rest if isinstance(a, Sum | Poly)]
        )
        for t, d in poly
    ]
    return nf.add(*folded)


def has_exponential(node: object) -> bool:
    return "exp" in functions(node)


def pivot(body: Body) -> Call | None:
    """The exponential in a one-term body that carries all its indices."""
    only = body.normal.single
    return (
        next(
            (
                a
                for a, _ in only[0]
                if isinstance(a, Call) and a.name == "exp" and a.free >= set(body.indices)
            ),
            None,
        )
        if only
        else None
    )


def _fold_exponential(
    poly: Poly, body: Body, weight: Call, rest: Term, c: Rational, sums: list[Atom]
) -> Poly:
    pattern = weight.args[0]
    stand_in = {
        s: Tensor(
            str(k), tuple(i.size for i in _sorted(s.free)), role="stand-in", of=(body.tensor,)
        )
        for k, s in enumerate(sums)
    }

    def hide(atom: object) -> Poly | None:
        for shape, tensor in stand_in.items():
            found = match(shape, atom, body.indices) if type(atom) is type(shape) else None
            if found is not None:
                return raw_atom(Ref(tensor, [found.get(i, i) for i in _sorted(shape.free)]))
        return None

    factor = nf.power(nf.scale(nf.rewrite(Poly({rest: 1}), hide, brackets=True), c), -1)

    def solve(atom: object) -> Poly | None:
        hidden = hide(atom)
        if hidden is not None:
            return hidden
        if isinstance(atom, Call) and atom.name == "exp":
            exponent, extra = atom.args[0], nf.ONE
            for found, k in matches(pattern, exponent, body.indices):
                exponent = nf.subtract(exponent, nf.scale(nf.substitute(pattern, found), k))
                value = nf.multiply(
                    raw_atom(Ref(body.tensor, [found[i] for i in body.indices])),
                    nf.substitute(factor, found),
                )
                extra = nf.multiply(extra, nf.power(value, k))
            return nf.multiply(nf.call("exp", [exponent]), extra)
        return None

    result = nf.rewrite(poly, solve, brackets=True)
    left = {r.tensor for r in refs(result)}
    return poly if left & set(stand_in.values()) else result


def _sorted(indices: Iterable[Index]) -> list[Index]:
    return sorted(indices, key=lambda i: i.sort)


def matches(
    pattern: Poly, exponent: Poly, letters: tuple[Index, ...]
) -> Iterator[tuple[dict[Index, Slot], Rational]]:
    """Substitutions that make a positive multiple of the pattern a part of the exponent."""
    first, weight = min(
        pattern, key=lambda pair: (-len(pair[0].free & set(letters)), len(pair[0].powers))
    )
    for term, c in exponent:
        found = match(first, term, letters)
        k = rational(Fraction(c) / Fraction(weight))
        if found is None or k <= 0:
            continue
        for whole in _completed(pattern, exponent, letters, found, k):
            wanted = nf.scale(nf.substitute(pattern, whole), k)
            if all(exponent.terms.get(t) == d for t, d in wanted):
                yield whole, k


def _completed(
    pattern: Poly,
    exponent: Poly,
    letters: tuple[Index, ...],
    found: dict[Index, Slot],
    k: Rational,
) -> Iterator[dict[Index, Slot]]:
    """The substitutions that begin with `found` and have all letters."""
    missing = tuple(i for i in letters if i not in found)
    if not missing:
        yield found
        return
    for part, weight in pattern:
        if not part.free & set(missing):
            continue
        bound = False
        for term, c in exponent:
            if Fraction(c) / Fraction(weight) != k:
                continue
            more = match(part, term, letters)
            if more is None or not set(more) & set(missing):
                continue  # a letter that only a condition has is not found
            if all(found.get(i, x) == x for i, x in more.items()):
                bound = True
                yield from _completed(pattern, exponent, letters, found | more, k)
        if bound:
            return


def _fold_atom(poly: Poly, body: Body, term: Term, c: Rational) -> Poly:
    if len(term.powers) != 1:
        return poly
    ((shape, e),) = term.powers.items()
    if Fraction(e).numerator not in (1, -1):
        return poly  # √y is no shorter than x with y = x², and which root x is is not said
    value = nf.scale(raw_atom(body.ref), rational(1 / Fraction(c)))

    def rule(atom: object) -> Poly | None:
        if type(atom) is type(shape):
            found = match(shape, atom, body.indices)
            if found is not None and set(found) >= set(body.indices) and placeable(value, found):
                return nf.power(nf.substitute(value, found), rational(1 / Fraction(e)))
        return None

    return nf.rewrite(poly, rule)


def match(pattern: Any, target: Any, letters: Iterable[Index]) -> dict[Index, Slot] | None:
    """The indices to put for `letters` in the pattern so that it becomes the target."""
    letters = tuple(letters)
    whole = _as_poly(target)
    for found in unify(pattern, target, letters, {}):
        if any(not slot.free <= target.free for slot in found.values()):
            continue  # a letter that the target binds stays in its scope
        if not placeable(pattern, found):
            continue
        if nf.substitute(_as_poly(pattern), found) is whole:
            return {i: s for i, s in found.items() if i in letters}
    return None


def _as_poly(node: Any) -> Poly:
    if isinstance(node, Poly):
        return node
    return Poly({node: 1}) if isinstance(node, Term) else raw_atom(node)


def unify(
    pattern: Any, target: Any, letters: tuple[Index, ...], found: dict[Index, Slot]
) -> Iterator[dict[Index, Slot]]:
    if type(pattern) is not type(target):
        return
    match pattern:
        case Ref():
            if pattern.tensor is target.tensor:
                yield from _unify_components(pattern, target.slots, letters, found)
                if pattern.tensor.symmetry == "symmetric" and len(target.slots) == 2:
                    yield from _unify_components(pattern, target.slots[::-1], letters, found)
        case Term():
            atoms = list(pattern)
            if not atoms:
                yield found
                return
            (atom, e), rest = atoms[0], Term(dict(atoms[1:]))
            for factor, k in target:
                if k == e:
                    left = Term({a: x for a, x in target if a is not factor})
                    for extended in unify(atom, factor, letters, found):
                        yield from unify(rest, left, letters, extended)
        case Poly():
            terms = list(pattern)
            if not terms:
                yield found
                return
            (term, c), others = terms[0], Poly(dict(terms[1:]))
            for summand, d in target:
                if c == d:
                    remaining = Poly({t: x for t, x in target if t is not summand})
                    for extended in unify(term, summand, letters, found):
                        yield from unify(others, remaining, letters, extended)
        case Mask():
            yield from _unify_slots(pattern.slot, target.slot, letters, found)
        case Sum():
            if len(pattern.bound) == len(target.bound):
                yield from unify(pattern.body, target.body, letters, found)
        case Call():
            if pattern.name == target.name and len(pattern.args) == len(target.args) == 1:
                yield from unify(pattern.args[0], target.args[0], letters, found)
        case Max():
            if (len(pattern.bound), len(pattern.args)) == (len(target.bound), len(target.args)):
                yield from unify_all(pattern.args, target.args, letters, found)
        case Argmax():
            if len(pattern.bound) == len(target.bound):
                extended = dict(found)
                for p, t in zip(pattern.at, target.at, strict=True):
                    if p in letters and isinstance(p, Index) and extended.setdefault(p, t) is not t:
                        return
                yield from unify(pattern.body, target.body, letters, extended)
        case _:
            yield found


def _unify_components(
    pattern: Ref, slots: Sequence[Slot], letters: tuple[Index, ...], found: dict[Index, Slot]
) -> Iterator[dict[Index, Slot]]:
    extended = dict(found)
    for p, t in zip(pattern.slots, slots, strict=True):
        if p in letters and isinstance(p, Index) and extended.setdefault(p, t) is not t:
            return
    yield extended


def _unify_slots(
    pattern: Slot, target: Slot, letters: tuple[Index, ...], found: dict[Index, Slot]
) -> Iterator[dict[Index, Slot]]:
    """The letters of an affine index, each with one of the same coefficient, in any order."""
    (left, const), (right, other) = slot_items(pattern), slot_items(target)
    if const != other or sorted(left.values()) != sorted(right.values()):
        return
    open_ = [i for i in left if i in letters and i not in found]
    taken = {found.get(i, i) for i in left if i not in open_}
    rest = [i for i in right if i not in taken]
    if len(rest) != len(open_):
        return
    for order in permutations(rest):
        if all(left[i] == right[j] for i, j in zip(open_, order, strict=True)):
            yield {**found, **dict(zip(open_, order, strict=True))}


def unify_all(
    patterns: Sequence[Poly],
    targets: Sequence[Poly],
    letters: tuple[Index, ...],
    found: dict[Index, Slot],
) -> Iterator[dict[Index, Slot]]:
    """Every pattern with a target of its own, in any order."""
    if not patterns:
        yield found
        return
    first, *rest = patterns
    for k, target in enumerate(targets):
        for extended in unify(first, target, letters, found):
            yield from unify_all(rest, [*targets[:k], *targets[k + 1 :]], letters, extended)


def speaks(body: Body, derivative: Poly) -> bool:
    """Whether an output says something in its own derivative: E k/(R T²) for k = A e^{−E/(R T)}.

    A number does not where it is a quotient of names and of their sums and powers, V S/(K + S),
    since its derivative is such a quotient too, but for a bare power as −f² for 1/(1 + x); nor
    where it is a product of several functions, (1 − p)^γ log p, and stands in some terms only,
    those in which the others are differentiated; nor beside a number where it has no function in
    it, 2 − R/z of R = z (1 + w²/z²).
    """
    if body.indices or any(isinstance(n, Sum | Max) for n in _inside(body.normal)):
        return True
    within = [any(r.tensor is body.tensor for r in refs(t)) for t, _ in derivative]
    if not any(within):
        return True
    own = {a: e for t, _ in body.normal for a, e in t if isinstance(a, Call)}
    left = [  # but of s = c/sin⁴ there is s cos/sin
        any(t.powers.get(a, 0) and (e >= -1 or t.powers[a] != -1) for a, e in own.items())
        for t, _ in derivative
    ]
    if any(a and b for a, b in zip(left, within, strict=True)):
        return False
    only = body.normal.single
    if _one_share(body) and any(left):
        return False  # F of f e^{−u}/(b + v) + a F/(b + v), R of a e^{−b s} − b R
    several = only is not None and (
        sum(isinstance(a, Call) for a, _ in only[0]) > 1
        or any(isinstance(a, Call) and -1 <= e < 0 for a, e in only[0])  # v²/tan a
    )
    if _rational(body.raw) and (all(within) or not any(r.slots for r in refs(derivative))):
        return _whole(body, derivative)
    if any(within) and not all(within) and _over_a_root(body.raw):
        return False  # k Q/s^{3/2} − 3 z E/s of E = k Q z/s^{3/2}
    bare = ONE_TERM in derivative.terms and _of_names(body.raw)
    if _share_of_product(body, derivative):
        return False
    return all(within) or not (several or bare)


def _over_a_root(raw: Poly) -> bool:
    """A product of names over roots of other names."""
    only = raw.single
    names = only is not None and all(isinstance(a, Ref) for a, _ in only[0])
    return names and only is not None and any(e < 0 and e.denominator != 1 for _, e in only[0])


def above_its_bar(body: Body, derivative: Poly, defined: Container[Tensor]) -> bool:
    """What the definition divides by is below the name again, where log x or sin x are in it.

    V/(log x − g) of V = B x/(log x − g), also where that is a name, one of those `defined`.  And
    what it divides by is above beside its square: n g f² of f = 1/(n g sin x).
    """
    term, name = (body.raw.single or (ONE_TERM, 1))[0], Ref(body.tensor, body.indices)
    bars: list[Atom] = [a for a, e in term if e < 0 and isinstance(a, Poly) and _calls(a)]
    if _calls(term):
        bars += [a for a, e in term if e < 0 and isinstance(a, Ref) and a.tensor in defined]
    below = {
        b for a in bars for t in nf.power(nf.normalize(raw_atom(a)), -1).terms for b in t.powers
    }
    terms = [t for t, _ in derivative if name in t.powers]
    over = [a for a, e in term if e < 0]
    squares = (t for t in terms if t.powers[name] > 1)
    return any(t.powers.get(bar, 0) < 0 for t in terms for bar in below) or any(
        t.powers.get(a, 0) > 0 for t in squares for a in over
    )


def _calls(node: Any) -> bool:
    """A function is inside that is no exponential."""
    return any(isinstance(n, Call) and n.name != "exp" for n in _inside(node))


def _one_share(body: Body) -> bool:
    """f e^{−u} (b − v)/(b + v), and a s e^{−b s}/k without brackets."""
    factors = body.raw.single[0] if body.raw.single is not None else ()
    brackets = [e for a, e in factors if isinstance(a, Poly)]
    return any(e < 0 for e in brackets) or not brackets


def _share_of_product(body: Body, derivative: Poly) -> bool:
    """n B + B²/(a n²) of B = a n³/(e^{b n/T} − 1); but N − N²/K of N = K/(1 + e^{−r t})."""
    name = Ref(body.tensor, body.indices)
    powers = {t.powers.get(name, 0) for t, _ in derivative}
    factors = body.raw.single[0] if body.raw.single is not None else ()
    front = [e for a, e in factors if isinstance(a, Ref)]
    return len(powers) > 1 and 0 not in powers and (len(front) > 1 or any(e > 1 for e in front))


def _whole(body: Body, derivative: Poly) -> bool:
    """Powers of the name stand for all that its own is made of: no sum and no D of N/D is left.

    Of a long product one name may be left: −Q/m of Q = k R⁴ p/(8 m L).  And what is left is open
    beside the name and its complement where there are powers: (6/r) E (1 − E) of
    E = r⁶/(R⁶ + r⁶), and K/(x + K)² of E = x/(x + K).
    """
    left = {a for t, _ in derivative for a, _ in t}
    powers_inside = any(
        isinstance(n, Call) or (isinstance(n, Term) and any(e > 1 for _, e in n))
        for n in _inside(body.raw)
    )
    if powers_inside and len(derivative) == 2 and sum(c for _, c in derivative) == 0:
        first, second = (dict(t.powers) for t, _ in derivative)
        own = [a for a in left if isinstance(a, Ref) and a.tensor is body.tensor]
        powers = {first.pop(own[0], 0), second.pop(own[0], 0)} if len(own) == 1 else set()
        if powers == {1, 2} and first == second:
            return True
    names = {a for t, _ in body.raw for a, _ in t if isinstance(a, Ref)}
    names |= {a for t, _ in body.raw for p, _ in t if isinstance(p, Call) for a in refs(p)}
    only, name = body.raw.single, Ref(body.tensor, body.indices)
    plain = only is not None and all(isinstance(a, Ref) and e == 1 for a, e in only[0])
    if plain and all(t.powers.get(name) == 1 for t, _ in derivative):
        return len(left & names) < 2  # r (1 − 2 x)/a of r = k x y, with names that a stands in
    only = body.normal.single
    factors = only[0].powers.values() if only is not None else ()
    number = only is not None and magnitude(only[1]) != 1
    long = sum(min(magnitude(e), 3) for e in factors) + number > LONG
    known = {r.tensor for r in refs(body.raw)}
    sums = (a for a in left if isinstance(a, Poly))  # 1 − v² of D = E h³/(12 (1 − v²)), not of w/D
    of_its_own = any(r.tensor in known for a in sums for r in refs(a))
    return not of_its_own and len(left & names) <= long


def _inside(node: Any) -> Iterator[Any]:
    yield node
    for part in parts(node):
        yield from _inside(part)


def _rational(raw: Poly) -> bool:
    """A quotient of names and of their sums and powers, maybe beside a number."""
    terms = [t for t, _ in raw if t.powers]
    if len(terms) != 1:
        return False
    if any(e.denominator != 1 and (e < 0 or isinstance(a, Poly)) for a, e in terms[0]):
        return False  # x/r of r = √Σ x²
    divided = any(isinstance(a, Poly) and e < 0 for a, e in terms[0])
    names = all(isinstance(a, Ref) for a, _ in terms[0])
    return names or (divided and (all(map(_of_names, terms[0].powers)) or _of_waves(terms[0])))


def _of_waves(term: Term) -> bool:
    """(a + b cos d)/(1 + a b cos d), a cosine or sine above and below."""

    def waves(bracket: Poly) -> bool:
        calls = [n for n in _inside(bracket) if isinstance(n, Call)]
        return bool(calls) and all(n.name in ("sin", "cos") for n in calls)

    return {e > 0 for a, e in term if isinstance(a, Poly) and waves(a)} == {True, False}


def _of_names(node: Any) -> bool:
    """Names, their sums, products and powers, with no other function."""
    if isinstance(node, Call):
        logs = ([a for a, _ in t if isinstance(a, Call)] for t, _ in node.args[0])
        return node.name == "exp" and all([a.name for a in found] == ["log"] for found in logs)
    if isinstance(node, Poly | Term):
        return all(map(_of_names, parts(node)))
    return isinstance(node, Ref | Num)


__all__ = [
    "above_its_bar",
    "divisors",
    "fold",
    "has_exponential",
    "match",
    "pivot",
    "speaks",
]
