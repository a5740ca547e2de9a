"""A system in the IR: normal bodies by name, inlining of definitions and folding them back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from itertools import count
from typing import Any

import sympy as sp

from . import normalize as nf
from .convert import definition_letters, lower, tensor_of
from .distinct import Known, bent
from .errors import DefinitionError, FormulaError, UndefinedError
from .folding import fold, has_exponential, match, pivot
from .ir import (
    ZERO,
    Atom,
    Index,
    Poly,
    Ref,
    Slot,
    Tensor,
    fresh_indices,
    inside,
    raw_atom,
    refs,
)
from .objects import Partial
from .places import placeable
from .syntax import Definition, System


@dataclass(frozen=True)
class Body:
    """tensor[indices] = raw, with its normal form; `fact` says which fact it is, if it is one."""

    tensor: Tensor
    indices: tuple[Index, ...]
    raw: Poly
    normal: Poly
    fact: str = ""

    @property
    def ref(self) -> Ref:
        """The left-hand side."""
        return Ref(self.tensor, self.indices)

    def at(self, slots: Iterable[Slot]) -> Poly:
        """The normal body at other indices: B_{i−1} = Σ_k δ_{k,i−1} B_k, i − 1 modulo the range."""
        given = tuple(slots)
        if len(given) != len(self.indices):  # what one formula reads as a number, and one as not
            own = f"{self.tensor.name} has {len(self.indices)} indices where it is defined"
            raise FormulaError(f"{own}, and here {len(given)}")
        mapping = dict(zip(self.indices, given, strict=True))
        if placeable(self.normal, mapping):
            return nf.substitute(self.normal, mapping)
        avoid = (i for slot in mapping.values() for i in slot.free)
        fresh = fresh_indices((i.size for i in mapping), avoid)
        letters = dict(zip(mapping, fresh, strict=True))
        picked = nf.multiply(*(nf.equal(slot, letters[i]) for i, slot in mapping.items()))
        return nf.sum_over(
            letters.values(), nf.multiply(picked, nf.substitute(self.normal, letters))
        )


def _values(expr: Any) -> Iterator[sp.Symbol]:
    """The scalars that an expression takes the value of; what it derives alone may be a loss."""
    nodes = sp.preorder_traversal(expr)
    for node in nodes:
        if isinstance(node, sp.Symbol):
            yield node
        elif isinstance(node, Partial) and isinstance(node.args[0], sp.Symbol):
            nodes.skip()
            yield from node.args[1].free_symbols


class Model:
    """The definitions of a system as `Body` records, in the order of use, and its inputs."""

    through: frozenset[str] = frozenset()  # what alone depends on what is outside (parameters.py)

    def __init__(self, system: System) -> None:
        self.system = system
        self._uses: dict[str, frozenset[str]] = {}
        self.losses: dict[str, tuple[Tensor, ...]] = {}  # what an abstract loss is a function of
        self.totals: dict[tuple[Ref, Ref], Poly] = {}  # ∂of/∂wrt through all definitions
        self.symmetric: Mapping[str, Tensor] = {}  # matrices that a fact makes symmetric
        self.bodies: dict[str, Body] = {}
        tensors = {name: tensor_of(d.tensor) for name, d in system.definitions.items()}
        defined = Known(tensors, self.vacant)
        values = {x.name for d in system for x in _values(d.expr)}
        for name, d in system.definitions.items():
            raw = lower(d.expr, d.indices, formula=d.__str__, known=defined, values=values)
            letters = tuple(Index(i.name, size) for i, size in zip(d.indices, d.shape, strict=True))
            self.bodies[name] = Body(tensor_of(d.tensor), letters, raw, nf.normalize(raw))
        self.inputs: dict[str, Tensor] = {n: tensor_of(s) for n, s in system.inputs.items()}
        constants: set[str] = set()
        for name, body in self.bodies.items():  # scalars are inputs too, sizes are not
            for used in (t for ref in refs(body.raw) for t in made_of(ref.tensor)):
                if used.symbol is not None and not used.symbol.is_Symbol:
                    constants.add(used.name)  # a number such as π
                    continue
                if used.name in self.bodies or used.role or is_size(used):
                    continue
                if self.inputs.setdefault(used.name, used) is not used:
                    raise DefinitionError(
                        f"{used.name} is declared in two ways",
                        formula=str(system.definitions[name]),
                        mend="declare the tensor once and use that object everywhere",
                    )
        for name in sorted(constants & {*self.bodies, *self.inputs}):
            raise DefinitionError(
                f"{name} is a number and the name of a tensor",
                mend="give the tensor another name",
            )

    @cached_property
    def known(self) -> Mapping[str, Tensor]:
        """Every tensor of the system by name."""
        defined = {name: body.tensor for name, body in self.bodies.items()}
        return Known({**self.inputs, **defined}, self.vacant)

    def vacant(self, ref: Ref, i: Index, j: Index) -> bool:
        """A definition divides by 0, or has a root or a logarithm of it, at i = j."""
        body = self.bodies.get(ref.tensor.name)
        if body is None or body.tensor is not ref.tensor or not {i, j} <= ref.free:
            return False
        own = body.at(ref.slots)
        inner = (n for n in inside(own) if isinstance(n, Ref))
        return any(self._ends(a, i, j) for a, _ in bent(own)) or any(
            self.vacant(n, i, j) for n in inner
        )

    def _ends(self, base: Atom | Poly, i: Index, j: Index) -> bool:
        """What has a value for i ≠ j is 0, or nothing, at i = j."""
        if not {i, j} <= base.free:
            return False
        poly = base if isinstance(base, Poly) else raw_atom(base)
        try:
            return nf.substitute(self.inline(nf.normalize(poly)), {j: i}) is ZERO
        except UndefinedError:
            return True

    @cached_property
    def coordinates(self) -> frozenset[str]:
        """What the system differentiates by and has nowhere else: every input may depend on it."""
        by, used = set[str](), set[str]()
        for ref in (r for body in self.bodies.values() for r in refs(body.raw)):
            while ref.tensor.parts:
                of, wrt = ref.tensor.parts
                by.add(wrt.name)
                ref = Ref(of, ref.slots[: len(of.shape)])
            used.add(ref.tensor.name)
        return frozenset(by - used - self.bodies.keys())

    @cached_property
    def letters(self) -> Mapping[object, list[str]]:
        """The letters in use, by size."""
        return definition_letters(self.system)

    def adjoint(self, tensor: Tensor) -> Tensor:
        """X̄ for X: the gradient of a loss with respect to it."""
        return self._beside(tensor, "adjoint", f"{tensor.name}_bar")

    def tangent(self, tensor: Tensor) -> Tensor:
        """Ẋ for X: its derivative along a direction."""
        return self._beside(tensor, "tangent", f"{tensor.name}_dot")

    def second(self, gradient: Tensor, wrt: Tensor) -> Tensor:
        """The tangent of a gradient with respect to `wrt`."""
        return self._beside(gradient, "tangent", f"{wrt.name}_bar_dot")

    def _beside(self, tensor: Tensor, role: str, stem: str) -> Tensor:
        """A tensor like another one, under a name that nothing else in the system has."""
        name = next(n for k in count(1) if (n := stem + str(k) * (k > 1)) not in self.known)
        symbol = None if tensor.shape else sp.Symbol(name, real=True)
        return Tensor(
            name, tensor.shape, symmetry=tensor.symmetry, symbol=symbol, role=role, of=(tensor,)
        )

    def tensor(self, name: str) -> Tensor:
        """The tensor with that name, defined or input; DefinitionError for an unknown one."""
        if name in self.bodies:
            return self.bodies[name].tensor
        if name in self.inputs:
            return self.inputs[name]
        names = [*self.bodies, *self.inputs]
        near = [n for n in names if n.casefold() == name.casefold().lstrip("\\")]
        near = near or get_close_matches(name, names, 1)
        raise DefinitionError(
            f"there is no tensor {name!r} in the system",
            expected="one of " + ", ".join(names),
            mend=f"did you mean {near[0]}?"
            if near
            else "look at the spelling, or add its definition",
        )

    def uses(self, name: str) -> frozenset[str]:
        """The names that the definition of `name` depends on, directly or not."""
        if name not in self._uses:
            body = self.bodies.get(name)
            direct = (
                {t.name for r in refs(body.normal) for t in made_of(r.tensor)} if body else set()
            )
            self._uses[name] = frozenset(direct.union(*map(self.uses, sorted(direct))))
        return self._uses[name]

    def mentions(self, names: Iterable[str]) -> frozenset[str]:
        """The names and those that their definitions are written with, cancelling or not."""
        found, left = set[str](), list(names)
        while left:
            if (name := left.pop()) not in found:
                found.add(name)
                body = self.bodies.get(name)
                left += [t.name for r in refs(body.raw) for t in made_of(r.tensor)] if body else []
        return frozenset(found)

    def with_body(self, body: Body) -> Model:
        """The model in which one more input is defined, or a definition is another one."""
        return self.restated({**self.bodies, body.tensor.name: body})

    def restated(
        self, bodies: Mapping[str, Body], symmetric: Mapping[str, Tensor] | None = None
    ) -> Model:
        """The model with these definitions, and with matrices that a fact makes symmetric."""
        other = object.__new__(Model)
        other.system, other.losses = self.system, dict(self.losses)
        other.symmetric = symmetric or self.symmetric
        other._uses, other.totals = {}, {}
        other.bodies = dict(bodies)
        kept = {n: t for n, t in self.inputs.items() if n not in bodies}
        other.inputs = {n: other.symmetric.get(n, t) for n, t in kept.items()}
        for body in bodies.values():
            if self.bodies.get(body.tensor.name) is body:
                continue
            for t in (t for r in refs(body.raw) for t in made_of(r.tensor)):
                if t.name not in other.bodies and not t.role and not is_size(t):
                    other.inputs.setdefault(t.name, t)
        return other

    @cached_property
    def outputs(self) -> tuple[Tensor, ...]:
        """What no definition uses, of those in which no derivative of a loss stands.

        A Jacobian is no output either, where there are others.
        """
        forward = [name for name in self.bodies if not self.backward(name)]
        values = [n for n in forward if not any(r.tensor.parts for r in refs(self.bodies[n].raw))]
        forward = values or forward
        used = {other for name in forward for other in self.uses(name)}
        return tuple(self.bodies[name].tensor for name in forward if name not in used)

    def backward(self, name: str) -> bool:
        """True for a definition in which a derivative of an abstract loss stands."""
        reached = {name, *self.uses(name)}
        return any(
            t.role == "loss"
            for n in reached & self.bodies.keys()
            for r in refs(self.bodies[n].raw)
            for t in r.tensor.named
            if r.tensor.parts
        )

    def inline(self, poly: Poly, keep: Iterable[str] = ()) -> Poly:
        """The expression with definitions replaced by what they stand for, except `keep`."""
        kept = set(keep)
        if all(r.tensor.name in kept or r.tensor.name not in self.bodies for r in refs(poly)):
            return nf.normalize(poly)

        def rule(atom: object) -> Poly | None:
            if isinstance(atom, Ref) and atom.tensor.name in self.bodies:
                body = self.bodies[atom.tensor.name]
                if atom.tensor.name not in kept and atom.tensor is body.tensor:
                    value = body.at(atom.slots)
                    return self.inline(value, kept)
            return None

        return nf.rewrite(poly, rule)

    def recognise(self, poly: Poly, apart: str = "") -> tuple[Poly, list[str]]:
        """The expression with every softmax or Gibbs weight but one recognised, and their names."""
        names: list[str] = []
        if not has_exponential(poly):
            return poly, names
        for name, body in self.bodies.items():
            if name != apart and pivot(body) is not None:
                after = fold(poly, body)
                if after is not poly:
                    poly = after
                    names.append(name)
        return poly, names

    def fold(self, poly: Poly, name: str) -> Poly:
        """The expression with the definition of `name` recognised: exp(S)/Z → A."""
        return fold(poly, self.bodies[name])


def model(system: System) -> Model:
    """The IR of a system, made once and kept on it."""
    if not isinstance(system, System):
        raise DefinitionError(
            f"{type(system).__name__} is not a system",
            got=str(system)[:200],
            mend="put the definitions into System(…)",
        )
    known: Model | None = vars(system).get("_model")
    if known is None:
        known = vars(system)["_model"] = Model(system)
    return known


def evaluated(system: System) -> Model:
    """The IR of a system with the derivatives in its definitions evaluated by the others.

    So F = Σ p ∂log p ∂log p changes with all that ∂log p changes with.  What nothing defines, and
    what an abstract loss is, stays as it stands.
    """
    from .derive.rules import evaluate_partials, partial, total_derivative

    m = model(system)
    found: Model | None = vars(system).get("_evaluated")
    if found is not None:
        return found
    for body in m.bodies.values():
        if not any(r.tensor.parts for r in refs(body.raw)):
            continue

        def value(of: Ref, wrt: Ref, at: Model = m) -> Poly:
            undefined = of.tensor.named[0].role == "loss"
            return nf.normalize(partial(of, wrt)) if undefined else total_derivative(at, of, wrt)

        normal = evaluate_partials(body.normal, value)
        if normal is not body.normal:
            m = m.with_body(replace(body, raw=normal, normal=normal))
    vars(system)["_evaluated"] = m
    return m


def made_of(tensor: Tensor) -> tuple[Tensor, ...]:
    """What a component of a tensor is made of; an abstract loss of what it is a function of."""
    return (*tensor.named, *(t for inner in tensor.named if inner.role == "loss" for t in inner.of))


def is_size(tensor: Tensor) -> bool:
    """True for a size such as d_k used as a number."""
    return bool(
        tensor.symbol is not None and tensor.symbol.is_integer and tensor.symbol.is_positive
    )


def is_number(tensor: Tensor) -> bool:
    """True for a size, and for a constant such as π."""
    return is_size(tensor) or (tensor.symbol is not None and not tensor.symbol.is_Symbol)


__all__ = [
    "Body",
    "Definition",
    "Model",
    "evaluated",
    "fold",
    "is_number",
    "is_size",
    "match",
    "model",
    "tensor_of",
]
