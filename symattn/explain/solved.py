"""Definitions solved for their factors: what recognising a definition in a result means.

Each definition name = body is solved for every factor that can stand alone on one side,
x_a = μ + σ ŷ_a from ŷ_a = (x_a − μ)/σ; putting the solution into a result and seeing things cancel
recognises it.  A definition that is one product is recognised where the whole product stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any

from .. import normalize as nf
from ..folding import divisors, has_exponential
from ..ir import (
    OF_MATRIX,
    ONE_TERM,
    Argmax,
    Atom,
    Call,
    Delta,
    Mask,
    Num,
    Poly,
    Ref,
    Sum,
    Tensor,
    Term,
    rational,
    raw_atom,
)
from ..laws import sign_of
from ..model import Body
from .cost import cost, is_size, only_name, powers_of
from .recognised import (
    Complement,
    Masked,
    Power,
    Product,
    Solution,
    atoms_in,
    name_of,
    stands,
    tensors_in,
)


def _of_exponential(body: Body) -> Iterator[Complement]:
    """The definition p = 1 − e^u as one of e^u."""
    only = nf.subtract(nf.ONE, body.normal).single
    ((atom, e),) = only[0] if only and only[1] == 1 and len(only[0].powers) == 1 else ((None, 0),)
    if isinstance(atom, Call) and (atom.name, e) == ("exp", 1):
        yield Complement(body, atom.args[0])


def _of_masked(body: Body) -> Iterator[Masked]:
    """The definition A = [j ≤ i] σ(u) as one of σ(−u) beside A."""
    only = body.normal.single
    factors = list(only[0]) if only and only[1] == 1 else []
    calls = [a for a, e in factors if isinstance(a, Call) and (a.name, e) == ("sigmoid", 1)]
    if len(calls) == 1 and all(a is calls[0] or isinstance(a, Mask) for a, _ in factors):
        yield Masked(body, calls[0].args[0])


@lru_cache(maxsize=1024)
def solutions(body: Body) -> tuple[Solution | Product | Power | Complement | Masked, ...]:
    """The definition solved for each factor, and as a product where it is one."""
    name = raw_atom(Ref(name_of(body), body.indices))
    found: list[Any] = []
    if _plain_product(body):
        return ()
    _solve(body, body.normal, name, found, 0)
    found += _below_the_bar(body)
    found += _exponents(body, name)
    if any(not isinstance(s.atom, Ref) for s in found):  # ε = σ² − v is not what σ is read for
        found = [s for s in found if isinstance(s, Power) or _with_letters(s.atom)]
    found += _multiple(body, name)
    found += _base(body, name)
    found += _of_exponential(body)
    found += _of_masked(body)
    only = body.normal.single
    if only is None:
        return tuple(found)
    masked = any(isinstance(a, Mask | Delta) for a, _ in only[0])
    calls = sum(isinstance(a, Call) for a, _ in only[0]) > 1  # sin θ cos φ
    calls = calls or has_exponential(body.normal)
    if not (masked or calls) and all(e > 0 for _, e in only[0]):
        return tuple(found)  # a product of names is no shorter to read under its name
    return (*found, Product(body, *only))


def _with_letters(atom: Atom) -> bool:
    return not isinstance(atom, Ref) or bool(atom.slots)


def _multiple(body: Body, name: Poly) -> Iterator[Solution]:
    """J K + J S + S² = J b from the bracket b = K + S + S²/J, which stands so below a bar.

    And a bracket with brackets in it, (1 − w²)² + 4 z² w², as it stands there multiplied out.
    """
    factors = (a for t, _ in body.raw for a in t.powers)
    nested = body.tensor.role == "stand-in" and any(isinstance(a, Poly) for a in factors)
    if len(body.normal) < 2 or (below := nf.power(body.normal, -1).single) is None:
        return
    term, c = below
    for atom, e in term:
        if e == -1 and isinstance(atom, Poly):
            rest = {a: k for a, k in term if a is not atom}
            times = nf.scale(nf.product(rest), c)
            if rest or nested:
                yield Solution(body, atom, nf.multiply(name, times), body.indices)


def _exponents(body: Body, name: Poly) -> list[Solution | Power]:
    """e^{−u} = 1/f from f = e^u; and Z = C^ρ from C = Z^{1/ρ}, which is e^{log(Z)/ρ}.

    σ(−u) = 1 − s from s = σ(u), too.
    """
    found: list[Solution | Power] = []
    match body.normal.single:
        case (Term(powers=powers), 1) if len(powers) == 1:
            ((atom, e),) = powers.items()
            if isinstance(atom, Call) and atom.name == "sigmoid" and e == 1:
                back = Call("sigmoid", [nf.scale(atom.args[0], -1)])
                found.append(Solution(body, back, nf.subtract(nf.ONE, name), body.indices))
            if isinstance(atom, Call) and atom.name == "exp" and e == 1:
                back = Call("exp", [nf.scale(atom.args[0], -1)])
                found.append(Solution(body, back, nf.power(name, -1), body.indices))
                logs: list[Solution | Power] = []
                _solve(body, atom.args[0], nf.call("log", [name]), logs, 1)
                found += [s for s in logs if isinstance(s.atom, Sum | Poly)]
    return found


def _base(body: Body, name: Poly) -> Iterator[Solution]:
    """q = v^{1 − r} from v = q^{1/(1 − r)}, where q is a name or a bracket."""
    ((exp, e), *more) = next(iter(body.normal.terms), ONE_TERM).powers.items() or ((None, 0),)
    if body.normal.single is None or (e, more) != (1, []) or not isinstance(exp, Call):
        return
    pairs = powers_of(exp.args[0]) if exp.name == "exp" else None
    ((base, exponent),) = pairs if pairs and len(pairs) == 1 else ((nf.ONE, nf.ONE),)
    only = only_name(base)
    if isinstance(only, Ref) and only.free >= set(body.indices):
        back = nf.multiply(nf.power(exponent, -1), nf.call("log", [name]))
        yield Solution(body, only, nf.call("exp", [back]), body.indices)


def _plain_product(body: Body) -> bool:
    """y_i = a_i s_i, which is no shorter to read under its name; y_ia = r_i x_ia is scaled.

    And P = C^{-1} is the name of an inverse.
    """
    only = body.normal.single
    whole = frozenset(body.indices)
    if only is not None and len(only[0].powers) == 1:
        ((atom, _),) = only[0]
        if isinstance(atom, Ref) and atom.tensor.role in OF_MATRIX:
            return False
    return only is not None and all(
        isinstance(a, Ref) and e > 0 and a.free == whole for a, e in only[0]
    )


def _below_the_bar(body: Body) -> list[Solution | Power]:
    """e^u = c/f − 1 from f = c/(e^u + 1), whose normal form has no exponential by itself.

    And e^{v−u} = 1/f − 1 from f = e^u/(e^u + e^v); r⁶ = R⁶ (1/f − 1) from f = R⁶/(R⁶ + r⁶).
    """
    only = body.raw.single
    found: list[Solution | Power] = []
    if only is None:
        return found
    exponential = has_exponential(body.raw)
    brackets = [(a, e) for a, e in only[0] if isinstance(a, Poly)]
    vanishes = any(isinstance(a, Delta | Mask | Argmax) for a, _ in only[0])
    if len(brackets) == 1 and brackets[0][1] == -1 and not vanishes:
        name = raw_atom(Ref(name_of(body), body.indices))
        top = Poly({Term({a: e for a, e in only[0] if not isinstance(a, Poly)}): only[1]})
        over = nf.power(nf.normalize(top), -1)
        side = nf.multiply(nf.normalize(brackets[0][0]), over)
        _solve(body, side, nf.power(name, -1), found, 1)
    if not exponential:
        return [s for s in found if isinstance(s, Power)] if not body.indices else []
    exps = [s for s in found if isinstance(s.atom, Call) and s.atom.name == "exp"]
    return [*exps, *_complemented(body, exps)]


def _complemented(body: Body, found: list[Any]) -> Iterator[Solution]:
    """σ(v) = 1 − f where e^v = 1/f − 1, as from f = 1/(1 + e^v)."""
    name = raw_atom(Ref(name_of(body), body.indices))
    for solution in found:
        if solution.value is nf.subtract(nf.power(name, -1), nf.ONE):
            sigma = Call("sigmoid", solution.atom.args)
            yield Solution(body, sigma, nf.subtract(nf.ONE, name), body.indices)


def _solve(body: Body, side: Poly, name: Poly, found: list[Solution | Power], depth: int) -> None:
    """Solutions of side = name for factors of `side`."""
    letters = body.indices
    for term, c in side:
        rest = nf.subtract(side, Poly({term: c}))
        for atom, e in term:
            if isinstance(atom, Num | Delta | Mask | Argmax) or len(set(letters) - atom.free) > 1:
                continue
            if not atom.free >= set(letters) and not (atom.free and isinstance(atom, Ref)):
                continue
            others = {a: k for a, k in term if a is not atom}
            if isinstance(atom, Call) and atom.name == "exp" and not depth:
                continue  # exponents are matched by folding.fold
            if is_size(atom):
                continue
            below = divisors(body.normal)
            over = [a for a, k in others.items() if k > 0 and sign_of(a) != "+" and a not in below]
            named = isinstance(atom, Sum) and all(isinstance(a, Ref) for a in over)
            if over and (rest.terms or depth or not named):
                continue  # dividing by what may be zero, and is not divided by already
            beside = (a for part in (rest, Term(others), name) for a in atoms_in(part))
            if any(stands(atom, a, letters) for a in beside):
                continue  # x on both sides
            several = bool(rest.terms) and e > 1 and e.denominator == 1
            if (rest.terms and e != 1 and not several) or not (several or _root(atom, e)):
                continue
            if e > 1 and not rest.terms and cost(atom) <= cost(name) + 2:
                continue  # √H is no shorter than max(0, z) with H = max(0, z)²
            over_others = {a: rational(-k) for a, k in others.items()}  # (1 − c)/(1 − c) is 1
            value = nf.subtract(nf.times(name, over_others), nf.times(rest, over_others))
            value = nf.scale(value, rational(1 / Fraction(c)))
            if several:
                found.append(Power(body, atom, int(e), value))
                continue
            value = nf.power(value, rational(1 / Fraction(e)))
            found.append(Solution(body, atom, value, letters, bool(over)))
            if isinstance(atom, Call) and atom.name == "log":  # Z = e^{-F} from F = −log Z
                argument = atom.args[0]
                if argument.single is None and not has_exponential(argument):
                    continue
                (inside, c) = argument.single or (Term({argument: 1}), 1)
                ((only, k),) = inside if len(inside.powers) == 1 else ((None, 0),)
                if only is not None and (c, k) == (1, 1):
                    found.append(Solution(body, only, nf.call("exp", [value]), letters))
            if isinstance(atom, Poly) and depth < 2:
                _solve(body, atom, value, found, depth + 1)


def only_power(solution: Any) -> frozenset[Tensor]:
    """S where S = P^{1 − r} is the solution, a power of the name; s = 1/(2 f) too."""
    single = solution.value.single if isinstance(solution, Solution) else None
    if single is None or not isinstance(solution.atom, Ref):
        return frozenset()
    exps = (a for a in single[0].powers if isinstance(a, Call) and a.name == "exp")
    own = any(powers_of(a.args[0]) and solution.body.tensor in tensors_in(a) for a in exps)
    ((atom, e),) = single[0] if len(single[0].powers) == 1 else ((None, 0),)
    own |= isinstance(atom, Ref) and atom.tensor is solution.body.tensor and e == -1
    return frozenset({solution.atom.tensor} if own else ())


def of_own_logarithm(solution: Any) -> bool:
    """The logarithm of the name is in the value: D = −log(K)/t of K = e^{−t D}."""
    terms = solution.value.terms if isinstance(solution, Solution) else ()
    logs = (a for t in terms for a in t.powers if isinstance(a, Call) and a.name == "log")
    return any(solution.body.tensor in tensors_in(a) for a in logs)


def divided(value: Poly) -> bool:
    """There is a fraction in the value."""
    return any(e < 0 for t, _ in value for _, e in t)


def _root(atom: Atom, e: Any) -> bool:
    """atom ** e = v may be solved as atom = v ** (1/e)."""
    return Fraction(e).numerator in (1, -1) or bool(sign_of(atom))


__all__ = ["divided", "of_own_logarithm", "only_power", "solutions"]
