"""Work and memory grow as paper and pencil say: exponents fitted to the cost formulas."""

from __future__ import annotations

from math import log2

import pytest

from symattn import gallery
from symattn.compile import cases, compile
from symattn.derive import backward, hessian, hvp, jacobian


def exponents(formula):
    """The fitted exponents in lengths and in widths (sizes called d…), with n ≫ d ≫ 1."""
    lengths = {s for s in formula.free_symbols if not s.name.startswith("d")}
    widths = formula.free_symbols - lengths

    def at(n, d):
        point = dict.fromkeys(lengths, 2**n) | dict.fromkeys(widths, 2**d)
        return log2(float(formula.subs(point)))

    n = (at(44, 16) - at(40, 16)) / 4
    d = (at(40, 16) - at(40, 12)) / 4
    return round(n, 2), round(d, 2)


def entry(name, label=None):
    found = gallery.load(name)
    return found.system if label is None else found.results[label]


CASES = {
    "attention forward": (
        lambda: compile(entry("attention_backward"), output="O"), (2, 1), (2, 0)),
    "attention backward": (
        lambda: compile(entry("attention_backward", "Backward pass")), (2, 1), (2, 0)),
    "softmax Jacobian, dense": (
        lambda: compile(entry("softmax_jacobian", "Jacobian")), (4, 0), (3, 0)),
    "softmax Jacobian, blocks": (
        lambda: compile(entry("softmax_jacobian", "Jacobian")).block_function, (3, 0), (2, 0)),
    "softmax Jacobian times a vector": (
        lambda: compile(entry("softmax_jacobian", "Jacobian")).matvec_function, (2, 0), (2, 0)),
    "free energy, gradient": (lambda: compile(entry("free_energy", "Gradient")), (1, 0), (1, 0)),
    "free energy, second derivative": (
        lambda: compile(entry("free_energy", "Second derivative")), (2, 0), (2, 0)),
    "cross-entropy Hessian times a vector": (
        lambda: compile(hvp(cases.cross_entropy(), of="L", wrt="z")), (1, 0), (1, 0)),
    "logistic regression Hessian": (
        lambda: compile(hessian(cases.logistic(), of="L", wrt="w")), (1, 2), (1, 1)),
    "matrix factorisation Hessian, blocks": (
        lambda: compile(hessian(cases.factorisation(), of="L", wrt="U")).block_function,
        (3, 0), (2, 0)),
    "∂O/∂Q, blocks": (
        lambda: compile(jacobian(cases.attention()[0], of="O", wrt="Q")).block_function,
        (2, 2), (2, 0)),
    "layer of several heads": (
        lambda: compile(backward(cases.layer()[0], output="Y", wrt=("W_Q", "W_O"))),
        (4, 1), (4, 0)),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_growth(name):
    function, flops, largest = CASES[name]
    cost = function().cost
    assert exponents(cost.flops) == flops
    assert exponents(cost.largest) == largest


@pytest.mark.parametrize("name", gallery.names()[::6])
def test_every_derivation_has_a_cost(name):
    for label, result in gallery.load(name).results.items():
        function = compile(result)
        cost = function.cost
        sizes = dict.fromkeys(cost.bytes.free_symbols | cost.flops.free_symbols, 100)
        # a result that no array goes into is a constant, and nothing else is free
        assert cost.flops.subs(sizes) >= (1 if function.inputs else 0), label
        assert cost.bytes.subs(sizes) > 0, label
        assert cost.flops.is_polynomial(*cost.flops.free_symbols), label
