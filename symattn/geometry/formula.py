"""Christoffel symbols of the second kind in index form, and for metrics of symbolic size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..errors import FormulaError
from ..objects import TensorSymbol
from ..syntax import Definition, System, define, delta, indices, tensor, total

if TYPE_CHECKING:
    from ..derive import Derivation
    from ..ir import Poly
    from ..model import Model

NAME = "Gamma"


def bracket(slope: Callable[..., Any], a: Any, b: Any, d: Any) -> Any:
    """2 Γ_{d,ab} = ∂_a g_{bd} + ∂_b g_{ad} − ∂_d g_{ab}, with slope(a, b, d) = ∂_a g_{bd}."""
    return slope(a, b, d) + slope(b, a, d) - slope(d, a, b)


def _levi_civita(
    letters: Sequence[sp.Idx], inverse: Callable[..., Any], slope: Callable[..., Any]
) -> sp.Expr:
    """Γ^c_{ab} = ½ g^{cd} (∂_a g_{bd} + ∂_b g_{ad} − ∂_d g_{ab}), with slope(a, b, d) = ∂_a g_{bd}.

    Source: R. M. Wald, General Relativity, 1984, equation 3.1.30.
    """
    c, a, b, d = letters
    summed = bracket(slope, a, b, d)
    return total(inverse(c, d) * summed, d) / 2 if summed != 0 else sp.S.Zero


def levi_civita(n: Any) -> Definition:
    """Gamma[c, a, b] = Γ^c_{ab} by tensors g_inv[c, d] = g^{cd} and dg[a, b, d] = ∂_a g_{bd}.

    g_inv is symmetric; dg is to be symmetric in b and d, as the derivative of a metric is.
    """
    letters = indices("c a b d", n)
    g_inv, dg = tensor("g_inv", n, n, symmetric=True), tensor("dg", n, n, n)
    return define(NAME, letters[:3], _levi_civita(letters, lambda *s: g_inv[s], lambda *s: dg[s]))


# --------------------------------------------------------------------------------- in index form


def christoffel(
    g: Definition, x: Any, *, inverse: Definition | None = None, given: System | None = None
) -> Derivation:
    """Γ^c_{ab} of the metric g[a, b] at the point x[c], for all sizes, with steps.

    `inverse` is g^{-1}, which is checked by a proof; without it g_inv stays in the result.
    `given` holds what both are defined with.

    Raises SymattnError when x is not a vector of the size of g, or when the symmetry of g or the
    inverse cannot be proved.
    """
    from ..convert import Partial, lower, raise_
    from ..derive import Derivation, total_derivative
    from ..derive.record import Letters, Reading, Record
    from ..ir import Index, Ref, Tensor
    from ..model import model, tensor_of
    from ..normalize import normalize

    n = _dimension(g, x)
    system = System(
        *(given or ()), g, *([inverse] if inverse else ()), facts=given.facts if given else ()
    )
    g_inv = inverse or tensor("g_inv", n, n, symmetric=True)
    for symbol in (x, *([] if inverse else [g_inv])):  # they may stand in no definition
        _enter(symbol, system)
    letters = indices("c a b d", n)
    _, a, b, d = letters
    _require(g[a, b], g[b, a], system, f"the metric {g.name} is not symmetric")
    if inverse is not None:
        _require(
            total(inverse[a, d] * g[d, b], d),
            delta(a, b),
            system,
            f"{inverse.name} is not the inverse of {g.name}",
        )

    m, own = model(system), tuple(Index(i.name, n) for i in letters)
    ir = {i: k for i, k in zip(letters, own, strict=True)}
    shown = Letters(m)

    def slope(k: sp.Idx, *slots: sp.Idx) -> sp.Expr:
        value = total_derivative(
            m, Ref(tensor_of(g.tensor), [ir[s] for s in slots]), Ref(tensor_of(x), [ir[k]])
        )
        return raise_(shown.show(value, own))

    free = own[:3]
    record = Record(_read(letters, g_inv, lambda k, *s: Partial(g[s], x[k]), lower))
    record.step(f"insert `∂{g.name}/∂{x.label}`", _read(letters, g_inv, slope, lower))
    normal = normalize(record.now)
    record.step("sum over `δ`", shown.plain(normal, free))
    if inverse is not None:
        normal = m.inline(normal, keep={name for name in m.bodies if name != inverse.name})
        record.step(f"insert `{inverse.name}`", shown.plain(normal, free))
    normal = _over_one_denominator(normal)
    record.step("bring over one denominator", shown.plain(normal, free))
    record.step("take out common factors", shown.show(normal, free))

    return Derivation(
        system,
        Ref(Tensor(NAME, (n, n, n)), free),
        normal,
        record.now,
        tuple(record.steps),
        readings=(Reading(_evaluated, system), Reading(_evaluated_over_one, system)),
        settled=True,
    )


def _evaluated(m: Model, poly: Poly) -> Poly:
    from ..derive import evaluate_partials, total_derivative

    return m.inline(evaluate_partials(poly, lambda of, wrt: total_derivative(m, of, wrt)))


def _evaluated_over_one(m: Model, poly: Poly) -> Poly:
    return _over_one_denominator(_evaluated(m, poly))


def _read(letters: Sequence[sp.Idx], g_inv: Any, slope: Callable[..., Any], lower: Any) -> Any:
    return lower(_levi_civita(letters, lambda *s: g_inv[s], slope), letters[:3])


def _over_one_denominator(poly: Poly) -> Poly:
    """The sum over a common denominator where it has fewer terms then."""
    from ..ir import Poly
    from ..normalize import multiply, product, times

    worst: dict[Any, Any] = {}
    for term, _ in poly:
        for atom, e in term:
            if isinstance(atom, Poly) and e < 0:
                worst[atom] = min(e, worst.get(atom, 0))
    if not worst:
        return poly
    whole = multiply(times(poly, {base: -e for base, e in worst.items()}), product(worst))
    return whole if len(whole) < len(poly) else poly


def _dimension(g: Definition, x: Any) -> sp.Expr:
    """The size of both slots of the metric and of the coordinates."""
    if not isinstance(g, Definition) or len(g.shape) != 2 or g.shape[0] != g.shape[1]:
        raise FormulaError(
            "the metric is not a definition with two indices of one size",
            formula=str(g),
            mend='write define("g", (a, b), …)',
        )
    if not isinstance(x, TensorSymbol) or tuple(x.shape) != (g.shape[0],):
        raise FormulaError(
            f"the coordinates {x} are not a vector of the size of {g.name}",
            formula=str(g),
            expected=f"a tensor of shape ({g.shape[0]})",
            got=f"shape ({', '.join(map(str, x.shape))})" if isinstance(x, TensorSymbol) else "",
            mend=f'write tensor("x", {g.shape[0]})',
        )
    return g.shape[0]


def _enter(symbol: TensorSymbol, system: System) -> None:
    """The tensor as an input of the system, which may have no other of that name."""
    name = symbol.name
    known = system.definitions.get(name) or system.inputs.setdefault(name, symbol)
    if known != symbol:
        raise FormulaError(
            f"{name} is not the {name} in the system",
            formula="; ".join(map(str, system)),
            mend="declare the tensor once and use that object everywhere",
        )


def _require(lhs: Any, rhs: Any, system: System, problem: str) -> None:
    from ..prove import prove

    verdict = prove(lhs, rhs, given=system)
    if not verdict:
        if verdict.status == "unknown":
            problem = problem.replace(" is not", " cannot be proved to be")
        raise FormulaError(
            problem,
            formula=f"{lhs} = {rhs}",
            got=str(verdict),
            mend="mend the definition, or state as a fact what it rests on",
        )
