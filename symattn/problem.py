"""Both sides of an equation, ready to be evaluated at values that are drawn for what is free."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from . import normalize as nf
from . import primitives
from .carriers import Carrier
from .derive import outputs_of
from .differences import Differences
from .evaluate import Evaluator
from .facts import Fact
from .ir import (
    FACTOR,
    ZERO,
    Argmax,
    Call,
    Mask,
    Max,
    Poly,
    Ref,
    Tensor,
    Term,
    fresh_indices,
    inside,
    partial_tensor,
    ranges_of,
    raw_atom,
    refs,
    slot_items,
)
from .model import Model, is_size, made_of
from .resizing import least_sizes
from .sample import fits, mirrored, satisfying, shape_of, size_symbols


class Problem:
    """Both sides of an equation, ready to be evaluated at samples.

    `sides` are as they were written, `evaluated` has their derivatives by the rules; `derivative`
    says that a side is one already.
    """

    measured = False  # derivatives are taken by differences alone

    def __init__(
        self,
        sides: tuple[Poly, Poly],
        evaluated: Sequence[Poly],
        m: Model,
        facts: Sequence[Fact] = (),
        derivative: bool = False,
    ) -> None:
        self.sides, self.model, self.facts = sides, m, list(facts)
        self.evaluated = (evaluated[0], evaluated[1])
        self.axes = tuple(sorted(sides[0].free | sides[1].free, key=lambda i: i.sort))
        self.tensors = self._inputs()
        self.scalars = [t for t in self.tensors.values() if not t.shape]
        self.ranges = {i.size for i in self.axes}
        self.ranges |= {s for poly in self._all() for s in ranges_of(poly)}
        shapes = [s for t in self.tensors.values() for s in t.shape]
        shapes += [t.symbol for t in self._leaves() if is_size(t) and t.symbol is not None]
        compared = (slot_items(mask.slot)[1] for p in self._all() for mask in _masks(p))
        self.size_names = size_symbols([*shapes, *self.ranges, *compared])
        polys = list(self._all())
        self.least = {n.name: c for n, c in least_sizes(polys).items()}
        self.exact = not any(_any(p, _irrational) for p in polys)
        self.kinked = any(_any(p, _kinked) for p in polys)
        derivative = derivative or any(r.tensor.parts for side in sides for r in refs(side))
        self.generic = self.kinked and derivative
        self.rare = self.kinked or any(_any(p, _magnitude) for p in polys)
        # derivatives can be measured, but for those that nothing defines
        left = {r.tensor for p in self.evaluated for r in refs(p) if r.tensor.parts}
        self.derived = any(r.tensor.parts for side in sides for r in refs(side)) and all(
            t.named[0].role == "loss" for t in left
        )
        self.drawn = 0  # how many samples satisfied the facts
        self.largest = 0.0  # the left side has had this value

    @property
    def unsatisfied(self) -> bool:
        """There are facts, and no sample satisfied them."""
        return self.drawn == 0 and bool(
            self.facts or any(b.fact for b in self.model.bodies.values())
        )

    @property
    def silent(self) -> str:
        """Why no counterexample was sought, if none was."""
        return "no values were found that satisfy the facts" if self.unsatisfied else ""

    def _all(self) -> Iterator[Poly]:
        yield from self.sides
        yield from self.evaluated
        for name in self._reached():
            yield self.model.bodies[name].raw
        for fact in self.facts:
            yield fact.left
            yield fact.right

    def _reached(self) -> list[str]:
        nodes = [*self.sides, *self.evaluated, *(s for f in self.facts for s in (f.left, f.right))]
        direct = {t.name for s in nodes for r in refs(s) for t in made_of(r.tensor)}
        direct |= {t.name for t in self.model.outputs if self._lossy()}
        reached = self.model.mentions(direct)
        return [n for n in self.model.bodies if n in reached]

    def _lossy(self) -> bool:
        return any(t.role == "loss" for s in self.sides for r in refs(s) for t in r.tensor.named)

    def _leaves(self) -> list[Tensor]:
        found: dict[Tensor, None] = {}
        for poly in self._all():
            for r in refs(poly):
                for t in made_of(r.tensor):
                    found[t] = None
                if r.tensor.role == "loss":  # near a point it is Σ ∂L/∂O O
                    found |= {partial_tensor(r.tensor, t): None for t in r.tensor.of}
        for poly in self.evaluated:  # a derivative that is left is free
            for r in refs(poly):
                if r.tensor.parts:
                    found[r.tensor] = None
        return list(found)

    def _inputs(self) -> dict[str, Tensor]:
        return {
            t.name: t
            for t in sorted(self._leaves(), key=lambda t: t.name)
            if t.name not in self.model.bodies
            and t.role not in ("loss", "place")
            and not is_size(t)
            and (t.symbol is None or t.symbol.is_Symbol)
        }

    def draw(
        self,
        seed: int,
        sizes: Mapping[str, int],
        positive: bool,
        zeros: bool = False,
        wide: bool = False,
        small: bool = False,
    ) -> dict[str, Any] | None:
        """Small rationals for every input that satisfy the facts; None where that fails.

        Wide ones reach 8, past where functions such as min(max(x, 0), 6) bend; small ones stay
        within −1/2 and 1/2, where 1 − x and probabilities are positive.
        """
        if not fits(self.ranges, sizes):
            return None
        rng = np.random.default_rng(seed)
        arrays: dict[str, Any] = {}
        for name, tensor in self.tensors.items():
            shape = shape_of(tensor, sizes)
            halves = rng.integers(1, 16 if small else 5, shape)
            factor = FACTOR.get(tensor.sign, 1 if positive else 0)
            halves = halves * (factor or rng.choice([-1, 1], shape))
            whole = tensor.symbol is not None and tensor.symbol.is_integer
            array = halves * 1.0 if whole else halves * (1 / 32 if small else 2.0 if wide else 0.5)
            if self.generic and not whole:  # of any order, no two of them equal
                array = array * rng.choice([0.25, 1.0], shape)
                array = array + rng.integers(1, 1 << 20, shape) / float(1 << 23)
            elif zeros and tensor.sign not in ("+", "-", "≠"):
                array = array * (rng.random(shape) < 0.6)
            if tensor.definite:
                array = np.tril(array)
                array = array @ array.T + np.eye(len(array))
            arrays[name] = mirrored(tensor, array) if shape else float(array)
        found = satisfying(self.facts, self.tensors, arrays, sizes, self.model)
        self.drawn += found is not None
        return found

    def fitted(self, sizes: Mapping[str, int]) -> dict[str, int]:
        """Sizes that are long enough for the components with a number."""
        least = ((n, v, self.least.get(n, 1)) for n, v in sizes.items())
        return {n: v if v >= c else v + c - 1 for n, v, c in least}

    def values(
        self,
        arrays: Mapping[str, Any],
        sizes: Mapping[str, int],
        carrier: Carrier | None = None,
        differences: bool = False,
    ) -> tuple[Any, Any]:
        """Both sides as arrays over the free indices."""
        given = arrays if carrier is None else {n: _lift(carrier, a) for n, a in arrays.items()}
        differences = differences or self.measured
        kind = Differences if differences else Evaluator
        evaluator = kind(given, sizes, carrier, self.model)
        sides = self.sides if differences else self.evaluated
        with np.errstate(all="ignore"):
            left, right = (evaluator(side, self.axes) for side in sides)
        return np.asarray(left), np.asarray(right)


class Measured(Problem):
    """The equation with its derivatives by differences, where the rules write out too much.

    All are of losses, whose derivatives by what they are functions of are free.
    """

    measured = True

    def __init__(self, sides: tuple[Poly, Poly], losses: Iterable[Tensor], m: Model) -> None:
        free = [partial_tensor(loss, t) for loss in losses for t in outputs_of(m, loss)]
        given = (raw_atom(Ref(t, fresh_indices(t.shape, ()))) for t in free)
        super().__init__(sides, (nf.add(*given), ZERO), m)


def _lift(carrier: Carrier, array: Any) -> Any:
    lifted = np.frompyfunc(lambda x: carrier.number(Fraction(float(x))), 1, 1)(np.asarray(array))
    return np.asarray(lifted, dtype=object)


def _masks(node: Any) -> Iterator[Mask]:
    return (part for part in inside(node) if isinstance(part, Mask))


def _any(node: Any, holds: Callable[[Any], bool]) -> bool:
    """True when it holds of the node or of anything inside."""
    return any(map(holds, inside(node)))


def _irrational(node: Any) -> bool:
    """A function, a root, or a number such as π."""
    match node:
        case Term():
            return any(not isinstance(e, int) for _, e in node)
        case Ref():
            symbol = node.tensor.symbol
            if node.tensor.role == "logdet" or (node.tensor.parts and node.tensor.named):
                return True
            return symbol is not None and not symbol.is_Symbol
    return isinstance(node, Call)


def _magnitude(node: Any) -> bool:
    """log |det M|, which says nothing of a sign."""
    return isinstance(node, Ref) and node.tensor.role == "logdet"


def _kinked(node: Any) -> bool:
    """What bends or jumps somewhere; at a bend the derivative is a matter of convention."""
    return isinstance(node, Max | Argmax) or (
        isinstance(node, Call) and isinstance(node.name, str) and primitives.kinked(node.name)
    )


__all__ = ["Measured", "Problem"]
