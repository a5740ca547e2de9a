"""Each rule of form is switched off once: a line of the gallery is then no longer printed.

A row is a rule, what takes its place, and a system of the gallery with the name that it is
differentiated by.  That the line is printed where the rule holds, test_forms.py says.
"""

from __future__ import annotations

import gc
import sys
from fractions import Fraction
from functools import _lru_cache_wrapper
from typing import Any

import pytest

import symattn as sa
from symattn.explain import (
    brackets,
    exponents,
    insertions,
    outputs,
    recognised,
    ruled,
    search,
    symmetries,
)
from symattn.explain.notation import before
from symattn.ir import ONE_TERM, Poly, raw_atom, raw_product

from . import FORMS, printed

ROOMS = ("symattn.explain", "symattn.folding", "symattn.logistic", "symattn.derive.record")


def kept(first: Any, *others: Any, **more: Any) -> Any:
    """The expression as it is."""
    return first


def untouched(presenter: Any, poly: Any) -> Any:
    """The same of a method."""
    return poly


def unlike(exponents: Any, poly: Any, opened: Any) -> Any:
    """The same of a method that opens brackets."""
    return poly


def constant(value: Any) -> Any:
    return lambda *args, **more: value


def constant_body(atom: Any) -> Any:
    """No limits, and all that stands under a Σ."""
    return {}, atom.body


def same_letters(own: Any, normal: Any, letters: Any) -> Any:
    """A bracket at its own letters alone."""
    found = own.names.get(normal)
    return found, {i: i for i in found.indices} if found is not None else {}


def no_forms(*args: Any, **more: Any) -> Any:
    return iter(())


no, nothing, without = constant(False), constant(None), constant(frozenset())


def inverses_alone(own: Any, poly: Any) -> Any:
    """Of what is symmetric the inverses alone in order."""
    return own.inverses(poly)


def as_it_faces(atom: Any, e: Any, known: Any, bodies: Any) -> Any:
    """A function whose argument is not turned round."""
    return raw_atom(brackets.arguments_as_written(atom, known, bodies), e)


RULES: dict[str, tuple[Any, str, str, int]] = {
    # methods
    "text.as_in_the_text": (no_forms, "activation that waves", "a", 0),
    "Insertions.weighted": (no_forms, "mixture of Gaussians of one width", "s", 1),
    "solved._below_the_bar": (constant([]), "bosons at one level", "E", 0),
    "solved._complemented": (no_forms, "share of votes with a threshold", "m", 1),
    "factor._under_his_roots": (constant(set()), "speed of a planet on its orbit", "r", 0),
    "outputs._under_a_logarithm": (no, "water that a soil holds", "m", 0),
    "joined.number_out": (kept, "loss by a margin that each pair has for itself", "s", 0),
    "brackets._turned": (as_it_faces, "coupled clocks on a net with delays", r"\tau", 0),
    "final.rest_over_its_bar": (kept, "depth of field of a lens", "s", 0),
    "Symmetries.settled": (
        inverses_alone,
        "graph whose edges are drawn by a product of codes",
        "z",
        0,
    ),
    "instead._in_powers": (no, "string whose tension grows with its stretch", "x", 0),
    "folding._over_a_root": (no, "field of a ring of charge on its axis", "z", 1),
    "author.bare": (no, "log-determinant of a kernel with noise", "y", 0),
    "Insertions.over_powers": (no_forms, "binding of two ligands", "x", 0),
    "groups.predictions": (
        no_forms,
        "two towers with a logit for each pair and a correction",
        "q",
        0,
    ),
    "nested._squared": (
        lambda term, c, own: Poly({term: c}),
        "plan of trials that keeps all errors small",
        "w",
        0,
    ),
    "Insertions._one_fraction": (nothing, "wave that comes back from a load", "Z", 0),
    "Presenter._twice_in_an_exponent": (no, "choice of a nest and of a good in it", "v", 0),
    "collect._bars_inside": (no_forms, "likelihood of a filter by its innovation", "P", 0),
    "instead._left_inside": (no, "energy of a pendulum that is swung up", "m", 0),
    "backwards._share_of_a_mixture": (no, "leaf on either side of a soft cut", "w", 0),
    "mirrored.data_first": (kept, "likelihood of errors with sharp peaks", "m", 1),
    "gaussian.lower_tails": (no, "output of firms with waste on one side", "b", 0),
    "gaussian._bound_first": (no, "tastes that are told by comparing pairs", "s", 0),
    "Symmetries.complements": (no_forms, "reward model with ties", "a", 0),
    "Ruled.derivative": (nothing, "curve of Bézier", "t", 0),
    "Presenter.goes_round": (no, "chain on a periodic ground", "a", 0),
    "Output._of_sums": (constant(True), "mean of the worst losses", "b", 0),
    "Exponents.of_one_kind": (unlike, "right to buy a share", "S", 0),
    "Presenter._evaluated": (no_forms, "entropy of a softmax", "x", 0),
    "Symmetries.in_order": (untouched, "orthogonality penalty", "W", 0),
    "Symmetries.forwards": (untouched, "spins in a plane", r"\theta", 1),
    "instead.steps": (no, "adjustment towards a target", "c", 0),
    "adjoints.is_all": (no, "two streams that are normed together", "x", 0),
    "insertions.fresh": (tuple, "classes by their nearest mean", "c", 0),
    "Presenter._behind_a_minus": (no, "preference that should have a given margin", "v", 0),
    "finished.over_its_bar": (kept, "fit of a circle", "a", 0),
    "finished.slope_of_tanh": (kept, "joint with friction", "v", 0),
    "final._turned": (no, "joint with friction", "v", 0),
    "cost._is_sum": (no, "halves of a tree that is grown", "a", 0),
    "matrix._square": (nothing, "plan that keeps two aims apart", "r", 0),
    "matrix._pair": (no, "critic that follows a target", "g", 0),
    "solved._of_masked": (no_forms, "sigmoid attention in a causal mask", "S", 0),
    "complements._beside_its_complement": (
        kept,
        "logistic regression with everything written out",
        "w w",
        0,
    ),
    "finished.roots_as_written": (kept, "rms norm without names for its parts", "g", 0),
    "latex.one_sided": (constant_body, "causal linear attention without a divisor", "V", 0),
    "Insertions.products": (no_forms, "charge of a capacitor", "R", 1),
    "Insertions.cancelled": (no_forms, "equilibrium constant", "T", 1),
    "insertions.of_brackets": (kept, "saving over two years", "c", 0),
    "insertions._above": (
        lambda term, c, name, value: Poly({term: c}),
        "wait before a server of any law",
        "a",
        0,
    ),
    "brackets.under_one_sum": (no_forms, "index of a glass", "x", 0),
    "cases.on_both_sides": (no_forms, "newspapers that are ordered", "q", 0),
    "present.of_two_sums": (no, "light of two images compared", "a", 0),
    "present._of_brackets": (no, "points made of their neighbours", "X", 0),
    "polynomials.series": (without, "orbit about a heavy star", "r", 0),
    "facing._logarithm": (no, "entropy", "p", 0),
    "outputs._bracket": (no, "current through an electrode", "x", 1),
    # functions and definitions that are recognised
    "search.hyperbolic": (kept, "log cosh", "x", 1),
    "search.fold": (kept, "expected reward", "z", 1),
    "manners._recognised": (no_forms, "expected reward", "z", 1),
    "manners.shortened": (kept, "radial flow", "z", 0),
    "settled._one_root": (kept, "momentum near the speed of light", "v", 1),
    "search.logistic": (kept, "power of a test", "d", 0),
    "search.gone_through": (kept, "squared relu layer", "Z", 0),
    "search.quotients": (kept, "log cosh", "x", 0),
    "search.apart": (kept, "response to an item", "a", 0),
    "search.together": (kept, "soft minimum", "a", 0),
    "search.gathered": (kept, "entropy of an ideal gas", "N", 0),
    "outputs.as_factor": (kept, "area of a triangle", "a", 0),
    "outputs._bare_exponential": (no, "forward step of a hidden chain", "B", 0),
    "outputs.root_of": (nothing, "potential on the axis of a ring", "z", 0),
    "manners.shares": (without, "token mixed with the one before", "x", 0),
    "solved._exponents": (constant([]), "generalised mean", "x", 0),
    "brackets.primitive": (kept, "momentum of a rolling ball", "p", 1),
    "cases.over_squares": (kept, "neighbours that are averaged", "U", 0),
    "brackets._complement": (no, "zero-one inflated counts", "p", 0),
    "brackets._of_squares": (no, "wave on a grid", "c", 0),
    "brackets._weighted": (no_forms, "wave on a grid", "c", 0),
    # brackets, factors, fractions
    "products.conjugates": (kept, "correlation made normal", "r", 0),
    "collect.one_bar": (kept, "Redlich-Kwong gas", "V", 0),
    "polynomials.is_polynomial": (no, "chain with soft springs", "u", 0),
    "collect._of_brackets": (no, "cross-entropy both ways", "z", 0),
    "collect._in_front": (no_forms, "sliding with friction of speed", "u", 0),
    "collect._beside_delta": (no_forms, "attention over tokens that have weights", "m", 0),
    "collect._by_cases": (no_forms, "elu", "x", 0),
    "collect._flipped": (no_forms, "relu", "x", 0),
    "collect._identities": (no_forms, "InfoNCE", "U", 0),
    "groups._opposed": (no, "Dirichlet likelihood", r"\alpha", 0),
    "groups._opened_at": (
        lambda group: frozenset() if group[0].bound else None,
        "least squares with noise on every row",
        "w",
        0,
    ),
    "groups._components": (no, "curve of Bézier", "t", 0),
    "groups._residual": (no, "contrast of a margin and a scale", "z", 0),
    "groups.joined_sums": (no_forms, "Gaussian evidence in two variances", "a", 0),
    "groups.differences": (no_forms, "trade by size and distance", "a", 0),
    # signs and sides
    "finished.complemented": (kept, "discriminator", "d", 0),
    "finished.deviations": (kept, "canonical ensemble", "E", 0),
    "finished.facing": (kept, "direction on a circle", "x", 0),
    "finished.as_written": (kept, "power of a lens", "a", 0),
    "finished.turned": (kept, "tariff on a good", "p", 0),
    "finished.parted": (kept, "expectile loss", "w", 0),
    "present.strict": (kept, "hinge on standard deviations", "v", 0),
    "finished.mixed": (kept, "token mixed with the one before", "x", 0),
    "backwards.undone": (nothing, "curve of interest", "c", 0),
    "final.one_fraction": (kept, "age of a rock", "N", 1),
    "factor.outgrown": (no, "shaft that is twisted and bent", "M", 0),
    "Presenter.read_backwards": (constant(0), "cohesion of a metal", "r", 1),
    "text._times": (
        lambda c, raw: raw_product([Poly({ONE_TERM: c}), raw]),
        "firm that invests",
        "K",
        1,
    ),
    "cost._square_apart": (no, "fin that cools", "m", 0),
    "present._split": (no, "cell without a reset", "U", 0),
    "adjoints._once": (no, "quadratic layer of low rank", "x", 0),
    "finished.as_the_author_compares": (kept, "batch of triplets with weights", "p", 1),
    "present._behind": (nothing, "filter by the power of signal and noise", "N", 0),
    "facing._predicted": (lambda term, c: (term, c), "elastic net", "w", 0),
    "facing.data_first": (kept, "direction on a circle", "x", 0),
    "facing._turned": (nothing, "squared distance", "y", 0),
    "cases.signed": (kept, "softsign", "x", 0),
    # costs
    "cost.one_power": (kept, "Hill equation", "x", 0),
    "cost._divided_twice": (constant(0), "exponential likelihood by its mean", "m", 0),
    "cost.smallest": (nothing, "leaky relu", r"\alpha", 0),
    "cost.cases_of": (nothing, "elu", "x", 0),
    # what the author has
    "author.barred": (no, "loss of a model by its size", "N", 0),
    "author.powers": (without, "pseudo-Huber loss", "r", 0),
    "author.roots": (without, "outflow of a tank", "a", 0),
    # what is done last
    "mirrored.odd_as_even": (kept, "errors beyond a tube, squared", "f", 0),
    "final.cancelled": (kept, "correlation with one variable held", "b", 0),
    "final.complement_as_written": (kept, "light of a star behind a disc", "a", 0),
    "shares.weights": (without, "weights with a prior of two widths", "w", 0),
    "ones.rest_of_ones": (kept, "regression whose errors have heavy tails", "s", 0),
    "denominators.taken_in": (kept, "regression whose errors have heavy tails", "s", 0),
    "denominators.deviation": (kept, "amounts that are positive and skewed", "m", 0),
    "cases._without_indicators": (kept, "light on a shiny surface", "v", 0),
    "mirrored.facings": (constant(()), "free energy of a code", r"\beta", 0),
    "backwards._halves": (no_forms, "free energy of a code", r"\beta", 0),
    "ones.of_ones": (no_forms, "lifetimes with a log-logistic law", "a", 0),
    "solved._base": (no_forms, "consumption now and a value to come", "c", 0),
    "solved._of_exponential": (no_forms, "rare events through a double exponential", "b", 0),
    "brackets.beside_inverses": (constant(()), "factors behind a covariance", "B", 0),
    "factor._summed": (constant(frozenset()), "density of points by a kernel", "x", 0),
    "collect._alike": (constant(0), "curve of Bézier", "t", 1),
    "limits.limited": (constant_body, "path of a first-order process", "a", 0),
    # the text as it stands
    "joined.shared": (kept, "trade by size and distance", "b", 0),
    "joined.summed_at_once": (without, "survival after Gompertz", "a", 1),
    "brackets._row": (no, "total variation that is smooth", "x", 0),
    "folding._share_of_product": (no, "body that radiates", "T", 0),
    "facing._into_brackets": (kept, "frailty shared in a family", "H", 0),
    "final.less_one": (kept, "flow by coupling", "W", 0),
    "final.rest_of_share": (kept, "heat engine with losses", "R", 1),
    "final.one_over_sine": (kept, "turn of an aircraft", "a", 0),
    # powers, denominators and exponentials of the author, and sums in sums
    "exponentials.exponentials_apart": (kept, "signal of an echo of spins", "R", 0),
    "exponentials.less_than_one": (kept, "free energy of an oscillator", r"\omega", 0),
    "final.output_in_front": (kept, "heat from one point", "t", 0),
    "denominators.bars_as_written": (kept, "two cells that share a nutrient", "H", 0),
    "nested.nested": (kept, "gate that mixes two experts by a score", "w", 0),
    "quotients.whole_under_sums": (kept, "lifetimes after Weibull", "s", 0),
    "products._over_bars": (nothing, "loss with a polynomial behind it", "z", 0),
    "folding.above_its_bar": (no, "lens that gathers along its way", "L", 0),
    "search._rooted": (no, "weights by a squared rectifier", "b", 0),
    "search.two_together": (no_forms, "odds of what was chosen and rejected", "p", 0),
    "finished.in_his_bracket": (kept, "predator that takes its time", "x", 0),
    "present.output_at_its_letters": (kept, "answer that earns part of the credit", "b", 0),
    "Insertions.faced": (no_forms, "kernel of a smooth path", "x", 0),
    "groups.from_the_mean": (no, "pool of queries with one key left out", "q", 0),
    "text.summed_delta": (no, "share that goes to one expert", "W", 0),
    "folding._one_share": (no, "spawners and those who return", "s", 0),
    "Presenter._beside_its_function": (no, "car that is steered", "d", 0),
    "Product._below_a_sum": (
        lambda product, term: Poly({term: 1}),
        "pooled guess of many experts",
        "v",
        0,
    ),
    "folding._beside_its_base": (no, "hazard that climbs", r"\lambda", 0),
    "facing._names_in": (without, "views and a market's prior", "t", 0),
    "record.one_way": (kept, "preference with a target margin", r"\beta", 0),
    "cost._bases": (constant(set()), "shares within the unit interval", "x", 0),
    "collect._linear": (no, "tank in which a reaction of second order runs", "x", 0),
    # sums below a bar, residuals, differences beside their function, names that undo each other
    "Insertions.divided": (no_forms, "grades between two thresholds", "x", 0),
    "collect._letters": (constant(0), "net of sums and products", "x", 0),
    "facing._argument_too": (no, "loss of a rank with a soft sign", "t", 0),
    "present.made_of_others": (constant({}), "tokens that are pooled by a soft largest", "x", 0),
    "present.beside_its_own": (no, "tuner of a prompt in front of a frozen layer", "S", 0),
    "outputs._logarithm_below": (no, "neuron that fires at a rate", "b", 0),
    "outputs._logs": (constant(True), "wire that is drawn through a die", "A", 0),
    "groups._of_inverses": (no, "kernel that is a sum of two others", "a", 0),
    "Symmetries.merged": (untouched, "distances that are kept by a map to fewer axes", "Y", 0),
    "Symmetries._comes_out_symmetric": (
        no,
        "graph that is drawn with springs of one length",
        "x",
        0,
    ),
    "backwards._one_term": (no, "well from which water is pumped", "K", 0),
    "search._raised": (no, "gain of a horn", "R", 0),
    "cases._between": (kept, "layer whose input is clipped on both sides", "x", 0),
    "record.in_cases": (kept, "stream of tokens that is normed and then mixed", "u", 0),
    "record.below_pairs": (nothing, "ranks that a judge gives with noise", "t", 0),
    # traces, outputs that are all of their derivative, names of other inputs, λ J of λ/2 J²
    "outputs._of_functions": (no, "call option by its forward", "r", 1),
    "collect._of_function": (no, "claims of a gamma law with a log link", "h", 0),
    # M − I
    "units.less_unit": (no_forms, "subspace that keeps the most variance", "W", 0),
    "units.with_delta": (no, "subspace that keeps the most variance", "W", 1),
    "Presenter._in": (constant(True), "wire that is drawn through a die", "A", 0),
}
# rules of other forms than that of the text, with which the same line comes out
BESIDE_THE_TEXT = {
    "brackets._of_squares",
    "brackets._weighted",
    "groups.differences",
    "ones.of_ones",
    "collect._alike",
    "solved._multiple",
    "joined.summed_at_once",
    "facing._into_brackets",
    "brackets._row",
    "folding._share_of_product",
}
# of texts that tell of a derivative, or have no brackets, so that there is no derivative over the
# brackets of the author; with what is printed
WRITTEN: dict[str, tuple[Any, str, str, str, str]] = {
    "solved._multiple": (
        no_forms,
        "<!-- symattn: scalars w z k -->\ng = \\frac{k}{(1 - w^2)^2 + 4 z^2 w^2}\n"
        "s = \\frac{\\partial g}{\\partial w}",
        "g",
        "z",
        r"-\frac{8 k z w^{2}}{\left(\left(1 - w^{2}\right)^{2} + 4 z^{2} w^{2}\right)^{2}}",
    ),
    "Presenter.times": (
        constant(Fraction(1)),
        "<!-- symattn: scalars C E M G -->\nf = C \\log((E - M)^2 + \\frac{G^2}{4})",
        "f",
        "E",
        r"\frac{2 C \cdot \left(E - M\right)}{\left(E - M\right)^{2} + \frac{1}{4} G^{2}}",
    ),
    "Ruled._known": (
        same_letters,
        "<!-- symattn: scalars z h; sizes y:(n) t:(n); positive h -->\n"
        "w_i = \\frac{e^{-(z - t_i)^2/(2 h^2)}}{\\sum_j e^{-(z - t_j)^2/(2 h^2)}}\n"
        "f = \\sum_i w_i y_i",
        "f",
        "h",
        r"\frac{1}{h^{3}} \sum_{i} w_i \left(y_i - f\right) \left(z - t_i\right)^{2}",
    ),
    "instead._own_sum": (
        no,
        "<!-- symattn: scalars c; symmetric A -->\n"
        "U = \\frac{c}{2} \\sum_{ij} A_{ij} (t_i - t_j)^2",
        "U",
        "c",
        r"\frac{1}{2} \sum_{i, j} A_{ij} \left(t_i - t_j\right)^{2}",
    ),
    "collect._second_difference": (
        no,
        "<!-- symattn: scalars c -->\nL = \\sum_t h_t x_t + c \\sum_t (x_t^2 - x_t x_{t+1})",
        "L",
        "x",
        r"h_t + c \cdot \left(2 x_t - x_{t-1} - x_{t+1}\right)",
    ),
    "collect._loose": (
        no,
        "<!-- symattn: scalars t a b c x y z -->\nL = t y z + t a x + t b x + t c x",
        "L",
        "t",
        "y z + a x + b x + c x",
    ),
    "collect._smallest": (
        no_forms,
        "<!-- symattn: scalars a x -->\nv = a x - a \\max(0, x) + x",
        "v",
        "a",
        r"\min\left(0, x\right)",
    ),
    "collect.product": (
        nothing,
        "L = \\sum_i a_i (x_i^2 - 2 x_i y_i + y_i^2)",
        "L",
        "a",
        r"\left(x_i - y_i\right)^{2}",
    ),
    "Exponents.whole": (
        no_forms,
        "<!-- symattn: scalars a b -->\nf_i = \\mathrm{erf}(a x_i + b)\nL = \\sum_i f_i h_i\n"
        "g_i = \\frac{\\partial L}{\\partial h_i}",
        "L",
        "a",
        r"\frac{2}{\sqrt{\pi}} \sum_{i} x_i h_i e^{-\left(a x_i + b\right)^{2}}",
    ),
    "final.as_part": (
        kept,
        "<!-- symattn: scalars B x g m -->\nV = m + \\frac{B x}{\\log(x) - g}",
        "V",
        "x",
        r"\frac{B \cdot \left(\log(x) - g - 1\right)}{\left(\log(x) - g\right)^{2}}",
    ),
    "notation.ahead": (
        before,
        "<!-- symattn: scalars y z \\mu -->\nf = \\mu (1 - z^2) y - z",
        "f",
        "z",
        r"-2 \mu z y - 1",
    ),
    "prices.backwards": (
        no,
        "<!-- symattn: scalars x k t y -->\nr = y - x e^{-k t}\nL = \\frac{1}{2} r^2",
        "L",
        "k",
        r"r x t e^{-k t}",
    ),
}
ROOM_OF = {"folding": "symattn.folding", "record": "symattn.derive.record"}
ROOMED = (
    search.Presenter,
    outputs.Output,
    symmetries.Symmetries,
    insertions.Insertions,
    exponents.Exponents,
    ruled.Ruled,
    recognised.Product,
)
CLASSES = {x.__name__: x for x in ROOMED}
CACHES = [
    x
    for x in gc.get_objects()
    if isinstance(x, _lru_cache_wrapper) and x.__module__.startswith(ROOMS)
]


def forget():
    """Nothing from before a change is used after it."""
    for cache in CACHES:
        cache.cache_clear()


@pytest.fixture
def off(monkeypatch):
    """Puts something else in place of a rule, wherever it is used."""

    def switch(rule, other):
        room, name = rule.split(".")
        if room in CLASSES:
            monkeypatch.setattr(CLASSES[room], name, other)
        else:
            place = ROOM_OF.get(room, f"symattn.explain.{room}")
            own = getattr(sys.modules[place], name)
            for key, module in list(sys.modules.items()):
                if key.startswith(ROOMS) and vars(module).get(name) is own:
                    monkeypatch.setattr(module, name, other)
        forget()

    yield switch
    monkeypatch.undo()
    forget()


def line(form, wrt, spelling):
    derived = printed.derived(form.system(spelling), form, wrt)
    found = printed.shown(derived, {})
    return found.index, found.matrix


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_that_is_switched_off_is_missed(rule, off):
    other, system, wrt, spelling = RULES[rule]
    form = next(f for f in FORMS if f.name == system)
    if rule in BESIDE_THE_TEXT:
        off("text.as_in_the_text", no_forms)
    before = line(form, wrt, spelling)
    off(rule, other)
    assert line(form, wrt, spelling) != before


@pytest.mark.parametrize("rule", WRITTEN)
def test_a_rule_that_is_switched_off_is_missed_in_a_text(rule, off):
    other, text, of, wrt, line = WRITTEN[rule]

    def shown():
        return sa.jacobian(sa.read(text), of=of, wrt=wrt).equation().partition(" = ")[2]

    assert shown() == line
    if rule in BESIDE_THE_TEXT:
        off("text.as_in_the_text", no_forms)
    assert shown() == line
    off(rule, other)
    assert shown() != line


def test_a_search_is_kept_up_to_its_first_step_that_is_not_proved(off):
    form = next(f for f in FORMS if f.name == "ranks that a judge gives with noise")
    off("record.below_pairs", nothing)
    found, _ = line(form, "t", 0)
    assert "p_{ij}" in found and "e^{2 s_i" not in found
