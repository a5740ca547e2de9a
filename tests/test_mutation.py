"""Breaking the engine on purpose: each law that is switched off, and each derivative whose sign is
flipped, makes a statement fail that holds otherwise."""

import gc
from functools import cache
from importlib import import_module

import numpy as np
import pytest
import sympy as sp

from symattn import canonical, laws, maxima, primitives, sums
from symattn import normalize as nf
from symattn.convert import lower, lower_equation
from symattn.derive import jacobian, rules
from symattn.errors import SymattnError
from symattn.evaluate import Evaluator
from symattn.facts import Rules
from symattn.identities import identities
from symattn.ir import ONE_TERM, ZERO, Call, Max, Poly, Ref, raw_atom
from symattn.model import Model
from symattn.syntax import System, define

stages = import_module("symattn.stages")


def without(*names):
    """The readings of the prover but for these."""
    return tuple(r for r in stages.READINGS if r.__name__ not in names)


LAWS = {
    "δ_ij f(j) = δ_ij f(i)": (nf, "_identify", lambda term, c: Poly({term: c})),
    "Σ_j δ_jk f_j = f_k": (sums, "_eliminate", lambda atom, bound, term: None),
    "Σ_j f_j Σ_k g_jk = Σ_jk f_j g_jk": (sums, "_flatten", lambda bound, term: None),
    "Z Z⁻¹ = 1 inside a larger sum": (sums, "_cancel_inner", lambda bound, term: None),
    "a sum splits into its components": (
        sums,
        "components",
        lambda inside, term: [(inside, term)],
    ),
    "bound indices have canonical names": (
        sums,
        "labellings",
        lambda bound, body, names: iter([list(bound)]),
    ),
    "symmetric slots are ordered": (nf, "ref", lambda tensor, slots: raw_atom(Ref(tensor, slots))),
    "exp(c log p + r) = p^c exp r": (
        laws,
        "exponential",
        lambda p: raw_atom(Call("exp", (p,))) if p.terms else nf.ONE,
    ),
    "log of a product": (laws, "logarithm", lambda p: raw_atom(Call("log", (p,)))),
    "roots of positive things": (laws, "sign_of", lambda node: ""),
    "max(c + x, c + y) = c + max(x, y)": (
        maxima,
        "largest",
        lambda bound, args: raw_atom(Max(bound, args)),
    ),
    "max(x, max(y, z)) = max(x, y, z)": (maxima, "_nested", lambda poly: None),
    "max_j(c + x_j) = c + max_j x_j": (
        maxima,
        "_close",
        lambda bound, poly: maxima._connected(set(bound), poly) if bound else poly,
    ),
    "max_j(c x_j) = c max_j x_j": (
        maxima,
        "_outer_content",
        lambda bound, body, *signs: (1, ONE_TERM),
    ),
    "Σ_j M_ij M⁻¹_jk = δ_ik": (sums, "_inverted", lambda bound, term: None),
    "derivative of an inverse": (rules, "_of_matrix", lambda node, leaf, around: ZERO),
    "Σ_j [j = argmax_k x_k] = 1": (sums, "_selected", lambda bound, term: None),
    "content of a bracket": (laws, "primitive_part", lambda p, integer: (1, ONE_TERM, p)),
    "content of exponentials": (laws, "_common_exponent", lambda terms, apart: ZERO),
    "bound common denominators": (laws, "cancel_common_denominators", lambda p, bound: p),
    "parity": (
        laws,
        "call",
        lambda name, args: (
            laws.exponential(*args)
            if name == "exp"
            else laws.logarithm(*args)
            if name == "log"
            else raw_atom(Call(name, args))
        ),
    ),
    "unbound denominators": (stages, "clear_denominators", lambda p: p),
    "functions by exponentials": (
        stages,
        "READINGS",
        without("by_definition", "partial_fractions", "by_cases"),
    ),
    "fractions of 1 + e^u": (stages, "READINGS", without("partial_fractions", "by_cases")),
    "addition theorems": (stages, "READINGS", without("angles_apart", "scalars_in_the_field")),
    "masks and complements": (stages, "READINGS", without("masks_apart", "masks_in_order")),
    "masks in order": (stages, "READINGS", without("masks_in_order")),
    "facts": (Rules, "apply", lambda self, p, used: p),
    "definitions are inlined": (Model, "inline", lambda self, p, keep=(): p),
    "product rule": (rules, "_product_rule", lambda term, leaf, around: ZERO),
    "chain rule": (rules, "_chain_rule", lambda node, leaf, around: ZERO),
    "derivative of max(x, y)": (rules, "_of_alternatives", lambda args, leaf, around: ZERO),
}


def forget():
    """Empty every cache, so that nothing from before a change is used after it."""
    gc.collect()
    for module in (canonical, laws, maxima, nf, sums, rules, stages):
        for value in vars(module).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


# the field of scalars decides these as well
SCALAR = ("parity", "unbound denominators", "addition theorems")


@cache
def statements():
    return [(i.name, i.left, i.right, i.given) for i in identities()]


def holds(left, right, given):
    m = Model(System() if given is None else given)
    try:
        return stages.decide(lower_equation(left, right, known=m.known), m)
    except (SymattnError, AssertionError, RecursionError):
        return False


@pytest.fixture
def clean():
    forget()
    yield
    forget()


@pytest.mark.parametrize("law", LAWS)
def test_a_law_that_is_switched_off_is_missed(law, clean, monkeypatch):
    module, name, broken = LAWS[law]
    known = [s[1:] for s in statements()]
    if law in SCALAR:
        monkeypatch.setattr(stages, "READINGS", without("scalars_in_the_field"))
        known = [s for s in known if holds(*s)]
    monkeypatch.setattr(module, name, broken)
    forget()
    assert not all(holds(*s) for s in known)


def test_all_hold_when_nothing_is_broken(clean):
    assert all(holds(left, right, given) for _, left, right, given in statements())


SMOOTH = [n for n in primitives.names() if primitives.by_name(n).arity == 1]


def slope_error(name):
    """The largest difference of the derivative to central differences over the domain."""
    record = primitives.by_name(name)
    t = sp.Symbol("t", real=True)
    forget()
    derivative = jacobian(System(define("f", (), record.function(t))), of="f", wrt="t")
    low, high = record.domain
    errors = []
    for x in np.linspace(low, high, 23)[1:-1]:
        up, down = (
            Evaluator({"t": x + h}, {})(nf.normalize(lower(record.function(t))), ())
            for h in (1e-6, -1e-6)
        )
        f = Evaluator({"t": x}, {})(nf.normalize(lower(record.function(t))), ())
        errors.append(Evaluator({"t": x, "f": f}, {})(derivative.normal, ()) - (up - down) / 2e-6)
    return np.max(np.abs(errors))


def kinked(name):
    return name in ("step", "sign")


@pytest.mark.parametrize("name", [n for n in SMOOTH if not kinked(n)])
def test_a_flipped_derivative_is_noticed(name, monkeypatch):
    assert slope_error(name) < 1e-6
    right = primitives.derivative
    monkeypatch.setattr(primitives, "derivative", lambda n, k=0: -right(n, k))
    assert slope_error(name) > 1e-2
