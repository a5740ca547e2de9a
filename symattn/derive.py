"""Derivatives of definitions for all sizes, with the steps that lead to them.

The rules of differentiation are `differentiate` and what it calls; the chain rule goes through
named definitions, which stay as they are.  Every step is recorded as the derivation is made, and
`check_steps` re-checks each on its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import permutations
from math import factorial
from typing import Any, TypeAlias

import sympy as sp

from . import normalize as nf
from . import primitives
from .convert import fresh_letter, lower, raise_, with_letters
from .errors import DefinitionError, UnsupportedError
from .explain.arrange import factored
from .ir import (
    ONE, ZERO, Call, Delta, Index, Mask, Num, Poly, Ref, Slot, Sum, Tensor, Term, number,
    partial_tensor, rational, raw_add, raw_atom, raw_product,
    raw_sum, refs, scalar,
)
from .model import Body, Model, model
from .syntax import Definition, System

LOSS = Tensor("L")  # the scalar that an upstream gradient is the gradient of
BAR, DOT = "_bar", "_dot"


# -------------------------------------------------------------------------- differentiation rules

Leaf: TypeAlias = Callable[[Ref], Poly]


def differentiate(node: Any, leaf: Leaf, around: frozenset[Index]) -> Poly:
    """The derivative of a normal expression, `leaf` giving that of a tensor component.

    `around` are the indices that `leaf` brings in; bound indices are kept apart from them.
    """
    match node:
        case Poly():
            return nf.add(*(nf.scale(differentiate(term, leaf, around), c) for term, c in node))
        case Term():
            return _product_rule(node, leaf, around)
        case Ref():
            return leaf(node)
        case Call():
            return _chain_rule(node, leaf, around)
        case Sum():
            bound, body = nf.opened(node, node.free | around)
            return nf.sum_over(bound, differentiate(body, leaf, around))
        case Delta() | Mask() | Num():
            return ZERO
    raise AssertionError(node)


def _product_rule(term: Term, leaf: Leaf, around: frozenset[Index]) -> Poly:
    """d(f^a g) = a f^{a−1} g df + f^a dg."""
    parts = []
    for atom, e in term:
        inner = differentiate(atom, leaf, around)
        if inner.terms:
            rest = dict(term.powers)
            rest[atom] = rational(e - 1)
            parts.append(nf.scale(nf.multiply(nf.product(rest), inner), e))
    return nf.add(*parts)


def _chain_rule(node: Call, leaf: Leaf, around: frozenset[Index]) -> Poly:
    """d f(x) = f'(x) dx."""
    (x,) = node.args
    inner = differentiate(x, leaf, around)
    return nf.multiply(_slope(node.name, x), inner) if inner.terms else ZERO


@lru_cache(maxsize=4096)
def _slope(name: str, x: Poly) -> Poly:
    template = nf.normalize(lower(primitives.derivative(name)))
    variable = scalar(primitives.X)
    return nf.rewrite(template, lambda atom: x if atom is variable else None)


def component_derivative(component: Ref, wrt: Ref) -> Poly:
    """∂T^{ij}/∂T^{mn} = δ^i_m δ^j_n, averaged over the declared symmetry."""
    if component.tensor is not wrt.tensor:
        return ZERO
    if not component.tensor.symmetry:
        return nf.multiply(*map(nf.delta, component.slots, wrt.slots))
    rank = len(wrt.slots)
    parts = []
    for order in permutations(range(rank)):
        sign = 1
        if component.tensor.symmetry == "antisymmetric":
            sign = sp.combinatorics.Permutation(order).signature()
        parts.append(nf.scale(
            nf.multiply(*(nf.delta(component.slots[k], wrt.slots[p]) for k, p in enumerate(order))),
            sign,
        ))
    return nf.scale(nf.add(*parts), rational(sp.Rational(1, factorial(rank))))


def partial(of: Ref, wrt: Ref) -> Ref:
    """∂of/∂wrt as a component that is not evaluated."""
    return Ref(partial_tensor(of.tensor, wrt.tensor), of.slots + wrt.slots)


# -------------------------------------------------------------------------------------- the record

@dataclass(frozen=True)
class Step:
    """One line of a derivation: `before` = `after`, by `rule`."""

    rule: str
    raw_before: Poly = field(repr=False)
    raw_after: Poly = field(repr=False)

    @property
    def before(self) -> sp.Expr:
        """The left-hand side as a SymPy expression."""
        return raise_(self.raw_before)

    @property
    def after(self) -> sp.Expr:
        """The right-hand side as a SymPy expression."""
        return raise_(self.raw_after)

    def __str__(self) -> str:
        return f"{self.before} = {self.after}    ({self.rule})"


@dataclass(frozen=True)
class StepCheck:
    """What re-checking one step found; true when both checks hold."""

    step: Step
    symbolic: bool  # the normal forms of both sides agree, so for all sizes
    numeric: float  # the largest relative difference of both sides, derivatives by differences

    @property
    def ok(self) -> bool:
        """Both sides agree symbolically and numerically."""
        return self.symbolic and self.numeric < 1e-6

    def __bool__(self) -> bool:
        return self.ok


class StepReport(tuple[StepCheck, ...]):
    """The checks of all steps, in order; true when every one holds."""

    @property
    def ok(self) -> bool:
        """Every step holds."""
        return all(check.ok for check in self)

    def __bool__(self) -> bool:
        return self.ok


@dataclass(frozen=True, eq=False)
class Derivation:
    """lhs = expr, with the steps that lead there.

    `expr` is a SymPy expression with explicit sums, factored for reading; `normal` is its normal
    form.  `given` holds the derivations whose results stand in this one by name.
    """

    system: System
    component: Ref
    normal: Poly
    raw: Poly
    steps: tuple[Step, ...]
    given: tuple[Derivation, ...] = ()
    output: str = ""  # for an adjoint: the name of the output whose upstream gradient comes in
    evaluate: Callable[[Poly], Poly] = field(repr=False, default=lambda p: p)

    @property
    def name(self) -> str:
        """The name of the result, such as Q_bar."""
        return self.component.tensor.name

    @property
    def indices(self) -> tuple[Index, ...]:
        """The free indices of the result, in order."""
        return tuple(s for s in self.component.slots if isinstance(s, Index))

    @property
    def lhs(self) -> sp.Expr:
        """What is derived."""
        return raise_(raw_atom(self.component))

    @property
    def expr(self) -> sp.Expr:
        """The result."""
        return raise_(self.raw)

    def latex(self) -> str:
        """The derivation as an aligned block, one line a step, with the reason of each."""
        from .explain import derivation_latex

        return derivation_latex(self)

    def equation(self) -> str:
        """The result alone, lhs = expr, as LaTeX."""
        from .explain import equation_latex

        return equation_latex(self)

    def matrix_form(self) -> str | None:
        """The result in matrix notation as LaTeX; None where it has no such form."""
        from .explain import derivation_matrix_form

        return derivation_matrix_form(self)

    def check_steps(self, seed: int = 0) -> StepReport:
        """Every step re-checked: symbolically for all sizes, and numerically at small ones.

        Symbolically, derivatives are evaluated and all definitions inlined on both sides, and the
        normal forms compared; numerically, derivatives are taken by differences.
        """
        from .verify import StepNumbers

        numbers = StepNumbers(self, seed)
        checks = []
        for step in self.steps:
            before = self.evaluate(nf.normalize(step.raw_before))
            after = self.evaluate(nf.normalize(step.raw_after))
            checks.append(StepCheck(step, before is after, numbers.error(step)))
        return StepReport(checks)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    def __str__(self) -> str:
        return f"{self.lhs} = {self.expr}"

    def __repr__(self) -> str:
        return f"Derivation({self})"


class _Record:
    """Collects steps; a step that changes nothing is not recorded."""

    def __init__(self, start: Poly) -> None:
        self.now, self.steps = start, list[Step]()

    def step(self, rule: str, after: Poly) -> None:
        if after is not self.now:
            self.steps.append(Step(rule, self.now, after))
            self.now = after


class _Letters:
    """Letters for the wrt side and for bound indices of what is shown."""

    def __init__(self, m: Model) -> None:
        self.pool = m.letters

    def outer(self, sizes: Sequence[sp.Expr], taken: set[str]) -> list[Index]:
        """Letters that no definition uses, in alphabetical order after those taken."""
        used = {n for names in self.pool.values() for n in names} | taken
        result = []
        for size in sizes:
            name = next(
                (c for c in "mnpqrstuvwxyz" if c not in used and c > max(taken, default="")),
                None,
            ) or next((c for c in "mnpqrstuvwxyzabcdefghijkl" if c not in used), None)
            name = name or fresh_letter(size, used, self.pool)
            used.add(name)
            result.append(Index(name, size))
        return result

    def own(self, tensor: Tensor, m: Model) -> tuple[Index, ...]:
        """The letters with which a tensor is defined or first used."""
        if tensor.name in m.bodies:
            return m.bodies[tensor.name].indices
        for body in m.bodies.values():
            for ref in refs(body.raw):
                plain = [s for s in ref.slots if isinstance(s, Index)]
                if ref.tensor is tensor and len(set(plain)) == len(tensor.shape):
                    return tuple(plain)
        taken: set[str] = set()
        letters = []
        for size in tensor.shape:
            name = fresh_letter(size, taken, self.pool)
            taken.add(name)
            letters.append(Index(name, size))
        return tuple(letters)

    def show(self, poly: Poly, avoid: Iterable[Index] = ()) -> Poly:
        """The expression with letters for bound indices, common factors in front."""
        return factored(self.plain(poly, avoid))

    def plain(self, poly: Poly, avoid: Iterable[Index] = ()) -> Poly:
        """The expression with letters for bound indices."""
        lettered: Poly = with_letters(poly, self.pool, frozenset(i.name for i in avoid))
        return lettered


# ---------------------------------------------------------------------------------------- Jacobian

def jacobian(system: System, *, of: str, wrt: str) -> Derivation:
    """∂of/∂wrt for all sizes, by the chain rule through the named definitions.

    The result has the indices of `of` followed by those of `wrt`.  Raises DefinitionError for
    unknown names.
    """
    m = model(system)
    target, variable = m.tensor(of), m.tensor(wrt)
    if of not in m.bodies:
        raise DefinitionError(f"{of} is an input and has no definition to differentiate",
                              expected="one of " + ", ".join(m.bodies), mend="choose a definition")
    letters = _Letters(m)
    own = m.bodies[of].indices
    slots = letters.outer(variable.shape, {i.name for i in own})
    memo: dict[str, Poly] = {}
    return _jacobian_of(m, letters, Ref(target, own), Ref(variable, slots), memo)


def total_derivative(m: Model, of: Ref, wrt: Ref) -> Poly:
    """∂of/∂wrt through all definitions, those recognised that can be."""
    if of.tensor is wrt.tensor:
        return component_derivative(of, wrt)
    body = m.bodies.get(of.tensor.name)
    if body is None or wrt.tensor.name not in m.uses(of.tensor.name):
        return ZERO
    inside = differentiate(body.at(of.slots), lambda r: total_derivative(m, r, wrt), wrt.free)
    return m.fold(inside, of.tensor.name)


def _jacobian_of(m: Model, letters: _Letters, of: Ref, wrt: Ref, memo: dict[str, Poly]) -> Derivation:
    name = of.tensor.name
    body = m.bodies[name]
    avoid = (*of.free, *wrt.free)
    record = _Record(raw_atom(partial(of, wrt)))

    def unevaluated(r: Ref) -> Poly:
        known = m.bodies.get(r.tensor.name)
        depends = r.tensor is wrt.tensor or (
            known and wrt.tensor.name in m.uses(r.tensor.name))
        return raw_atom(partial(r, wrt)) if depends else ZERO

    opaque = differentiate(body.normal, unevaluated, wrt.free)
    record.step(f"differentiate the definition of `{name}`", letters.plain(opaque, avoid))
    inserted = _insert_partials(
        record.now, lambda r, inner: letters.show(total_derivative(m, r, wrt), (*avoid, *inner)))
    record.step(_insert_rule(m, record.now), inserted)
    expanded = nf.normalize(inserted)
    record.step("sum over `δ`", letters.plain(expanded, avoid))
    normal = m.fold(expanded, name)
    record.step(f"recognise `{name}`", letters.plain(normal, avoid))
    record.step("take out common factors", letters.show(normal, avoid))
    given = []
    for r in dict.fromkeys(r.tensor for r in refs(opaque) if r.tensor.parts):
        inner = r.parts[0] if r.parts else None
        if inner and inner is not wrt.tensor and inner.name in m.bodies:
            given.append(_jacobian_of(m, letters, m.bodies[inner.name].ref, wrt, memo))
    component = partial(of, wrt)

    def evaluate(poly: Poly) -> Poly:
        return m.inline(evaluate_partials(poly, lambda r, w: total_derivative(m, r, w)))

    return Derivation(m.system, component, normal, record.now, tuple(record.steps), tuple(given),
                      evaluate=evaluate)


def _insert_rule(m: Model, poly: Poly) -> str:
    parts = [r.tensor.parts for r in refs(poly) if r.tensor.parts]
    names = list(dict.fromkeys(f"`∂{p[0].name}/∂{p[1].name}`" for p in parts if p))
    return "insert " + " and ".join(names) if names else "nothing left to differentiate"


def split_partial(r: Ref) -> tuple[Ref, Ref]:
    """The two components of ∂of/∂wrt."""
    assert r.tensor.parts
    of, wrt = r.tensor.parts
    rank = len(of.shape)
    return Ref(of, r.slots[:rank]), Ref(wrt, r.slots[rank:])


def evaluate_partials(poly: Poly, value: Callable[[Ref, Ref], Poly]) -> Poly:
    """The expression with value(of, wrt) in place of every ∂of/∂wrt."""
    def rule(atom: Any) -> Poly | None:
        if isinstance(atom, Ref) and atom.tensor.parts:
            return value(*split_partial(atom))
        return None

    return nf.rewrite(poly, rule)


def _insert_partials(
    node: Any, value: Callable[[Ref, frozenset[Index]], Poly], scope: frozenset[Index] = frozenset()
) -> Any:
    """A raw expression with partial derivatives replaced, everything else as it stands."""
    match node:
        case Poly():
            return raw_add(
                Poly({t: rational(c * d) for t, d in _insert_partials(term, value, scope)})
                for term, c in node
            )
        case Term():
            factors = []
            for atom, e in node:
                if isinstance(atom, Ref) and atom.tensor.parts:
                    factors.append(value(split_partial(atom)[0], scope | node.free))
                elif isinstance(atom, Sum):
                    body = _insert_partials(atom.body, value, scope | set(atom.bound))
                    factors.append(raw_sum(atom.bound, body) if e == 1
                                   else raw_atom(Sum(atom.bound, body), e))
                else:
                    factors.append(raw_atom(atom, e))
            return raw_product(factors)
    raise AssertionError(node)


# ---------------------------------------------------------------------------------- reverse mode

class Gradients(Mapping[str, Derivation]):
    """Derivations by the name of the tensor, as a backward pass gives them.

    `adjoints` holds every adjoint on the way, in the order in which they are computed; `upstream`
    is the name of the array that comes in.
    """

    def __init__(self, system: System, output: str, wrt: Sequence[str], upstream: str,
                 adjoints: dict[str, Derivation]) -> None:
        self.system, self.output, self.upstream = system, output, upstream
        self.wrt, self.adjoints = tuple(wrt), adjoints

    def __getitem__(self, name: str) -> Derivation:
        if name not in self.wrt:
            raise DefinitionError(
                f"no gradient with respect to {name!r} was derived",
                expected="one of " + ", ".join(self.wrt),
                mend=f'name it in wrt=(…, "{name}")',
            )
        return self.adjoints[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.wrt)

    def __len__(self) -> int:
        return len(self.wrt)

    def latex(self) -> str:
        """All adjoints in the order of the backward pass, one aligned block each."""
        return "\n\n".join(d.latex() for d in self.adjoints.values() if d.steps)

    def _repr_latex_(self) -> str:
        return "\n\n".join(f"$\\displaystyle {d.latex()}$" for d in self.adjoints.values() if d.steps)


def backward(system: System, *, output: str, wrt: Sequence[str] | str) -> Gradients:
    """X̄ = Σ Ȳ ∂Y/∂X for every X in `wrt`, with the upstream gradient `output`_bar.

    The mapping has a Derivation for every name in `wrt`, input or intermediate.  The gradient
    with respect to a tensor declared symmetric is that of its independent part, symmetrised.
    Raises DefinitionError for unknown names and for names the output does not depend on.
    """
    m = model(system)
    names = (wrt,) if isinstance(wrt, str) else tuple(wrt)
    if output not in m.bodies:
        m.tensor(output)
        raise DefinitionError(f"the output {output} is an input of the system",
                              expected="one of " + ", ".join(m.bodies), mend="choose a definition")
    reached = m.uses(output) | {output}
    for name in names:
        m.tensor(name)
        if name not in reached:
            raise DefinitionError(f"{output} does not depend on {name}",
                                  expected="one of " + ", ".join(sorted(reached & {*m.bodies, *m.inputs})),
                                  mend=f"leave {name} out of wrt")
    order = [n for n in reversed(m.bodies) if n in reached]
    order += [n for n in names if n not in m.bodies]
    needed = [n for n in order if n in names or any(n in m.bodies and w in m.uses(n) for w in names)]
    letters = _Letters(m)
    adjoints: dict[str, Derivation] = {}
    upstream = adjoint_tensor(m.tensor(output))
    for name in needed:
        adjoints[name] = _adjoint(m, letters, name, output, adjoints)
    return Gradients(system, output, names, upstream.name, adjoints)


def adjoint_tensor(tensor: Tensor) -> Tensor:
    """X̄ for X, with the shape and the symmetry of X."""
    name = tensor.name + BAR
    symbol = None if tensor.shape else sp.Symbol(name, real=True)
    return Tensor(name, tensor.shape, symmetry=tensor.symmetry, symbol=symbol)


def _adjoint(
    m: Model, letters: _Letters, name: str, output: str, adjoints: Mapping[str, Derivation]
) -> Derivation:
    tensor = m.tensor(name)
    x = Ref(tensor, letters.own(tensor, m))
    component = Ref(adjoint_tensor(tensor), x.slots)
    if name == output:
        upstream = raw_atom(component)
        return Derivation(m.system, component, upstream, upstream, (), output=output)
    users = [n for n in adjoints if n in m.bodies
             and any(r.tensor is tensor for r in refs(m.bodies[n].normal))]
    record = _Record(raw_atom(partial(Ref(LOSS), x)))
    chain, shown = [], []
    taken = {i.name for i in x.free}
    for user in users:
        slots = letters.outer(m.tensor(user).shape, taken)
        y = Ref(m.tensor(user), slots)
        bar = raw_atom(Ref(adjoint_tensor(y.tensor), slots))
        local = letters.show(_direct(m, y, x), (*x.free, *y.free))
        for factor, parts in ((raw_atom(partial(y, x)), chain), (local, shown)):
            parts.append(raw_sum(slots, raw_product([bar, factor])))
    record.step("chain rule", raw_add(chain))
    record.step(_insert_rule(m, record.now), raw_add(shown))
    normal = nf.normalize(record.now)
    record.step("sum over `δ`", letters.plain(normal, x.free))
    record.step("take out common factors", letters.show(normal, x.free))

    def evaluate(poly: Poly) -> Poly:
        return _evaluate_adjoints(m, poly, output)

    given = tuple(adjoints[u] for u in users if adjoints[u].steps)
    return Derivation(m.system, component, normal, record.now, tuple(record.steps), given, output,
                      evaluate)


def _direct(m: Model, of: Ref, wrt: Ref) -> Poly:
    """∂of/∂wrt where only the definition of `of` itself is differentiated."""
    body = m.bodies[of.tensor.name]
    inside = differentiate(body.at(of.slots), lambda r: component_derivative(r, wrt),
                           wrt.free)
    return m.fold(inside, of.tensor.name)


def _evaluate_adjoints(m: Model, poly: Poly, output: str) -> Poly:
    """Adjoints as total derivatives of L = Σ Ō·O, everything inlined."""
    out = m.bodies[output]
    loss = nf.sum_over(
        [Index(i.name, i.size, -1) for i in out.indices],
        nf.multiply(*(
            nf.substitute(raw_atom(Ref(t, out.indices)),
                          {i: Index(i.name, i.size, -1) for i in out.indices})
            for t in (adjoint_tensor(out.tensor), out.tensor))),
    )
    bars = {adjoint_tensor(m.tensor(n)): m.tensor(n) for n in (*m.bodies, *m.inputs) if n != output}

    def value(of: Ref, wrt: Ref) -> Poly:
        if of.tensor is not LOSS:
            return _direct(m, of, wrt)
        inlined = m.inline(loss, keep={wrt.tensor.name})
        return differentiate(inlined, lambda r: component_derivative(r, wrt),
                           wrt.free)

    def rule(atom: Any) -> Poly | None:
        if isinstance(atom, Ref):
            if atom.tensor in bars:
                return value(Ref(LOSS), Ref(bars[atom.tensor], atom.slots))
            if atom.tensor.parts:
                return value(*split_partial(atom))
        return None

    return m.inline(nf.rewrite(poly, rule))


__all__ = [
    "Body", "Definition", "Derivation", "Gradients", "Step", "backward", "differentiate",
    "jacobian", "number",
]
