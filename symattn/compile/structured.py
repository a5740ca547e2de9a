"""Jacobians with their δ factors kept apart: blocks, products with vectors, diagonals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from .. import normalize as nf
from ..errors import ShapeError, UnsupportedError
from ..ir import Atom, Delta, Index, Poly, Rational, Ref, Tensor, Term, raw_atom
from .deltas import sifted
from .depth import deeply
from .entry import STAND_IN, Entry
from .function import CompiledFunction
from .program import Program, program

Pair = tuple[int, int]


@dataclass(frozen=True)
class Block:
    """`array` on the axes `axes` of the dense array, times δ for every pair of axes in `equal`.

    An axis that is the second of a pair is not among `axes`, its index equals that of the first;
    nor is one along which the array would only repeat itself.
    """

    axes: tuple[int, ...]
    equal: tuple[Pair, ...]
    array: Any


@dataclass(frozen=True)
class Structured:
    """∂y/∂x at given arrays; nothing is computed before it is asked for."""

    of: JacobianFunction
    arrays: Mapping[str, Any]

    @cached_property
    def blocks(self) -> list[Block]:
        """The parts with different δ factors; their sum is the dense array."""
        values = self.of.block_function(**self.arrays)
        return [
            Block(axes, equal, values[f"block_{k}"])
            for k, (axes, equal, _) in enumerate(self.of.parts)
        ]

    def dense(self) -> Any:
        """The whole array, the axes of y before those of x."""
        return self.of(**self.arrays)

    def matvec(self, v: Any) -> Any:
        """Σ_x ∂y/∂x v for v of the shape of x, contracted before anything is formed."""
        return self.of.matvec_function(**self.arrays, **{self.of.vector.name: v})

    def diagonal(self) -> Any:
        """∂y/∂x at equal indices, for x of the shape of y."""
        return self.of.diagonal_function(**self.arrays)


class JacobianFunction(CompiledFunction):
    """A compiled ∂y/∂x: the call gives the dense array, `structured` keeps δ factors apart."""

    _program: Program

    def structured(self, /, **arrays: Any) -> Structured:
        """The Jacobian at these arrays as blocks, products with vectors and diagonals."""
        return Structured(self, arrays)

    @cached_property
    def _entries(self) -> dict[Tensor, Entry]:
        return sifted(self._program.request.entries)

    @property
    def _entry(self) -> Entry:
        result = self._program.request.results
        assert isinstance(result, Entry)
        return self._entries[result.tensor]

    @cached_property
    def _split(self) -> tuple[tuple[Index, ...], tuple[Index, ...]]:
        """The indices of y and of x."""
        assert self._entry.tensor.parts
        rank = len(self._entry.tensor.parts[1].shape)
        letters = self._entry.indices
        return letters[: len(letters) - rank], letters[len(letters) - rank :]

    @cached_property
    def parts(self) -> list[tuple[tuple[int, ...], tuple[Pair, ...], Entry]]:
        """For each set of δ factors the axes that are left, the pairs, and the rest."""
        place = {i: k for k, i in enumerate(self._entry.indices)}
        groups: dict[tuple[Pair, ...], dict[Term, Rational]] = {}
        for term, c in nf.normalize(self._entry.poly):
            pairs, rest = [], dict[Atom, Rational]()
            for atom, e in term:
                if isinstance(atom, Delta) and atom.a in place and atom.b in place:
                    a, b = sorted((place[atom.a], place[atom.b]))
                    pairs.append((a, b))
                else:
                    rest[atom] = e
            groups.setdefault(tuple(sorted(pairs)), {})[Term(rest)] = c
        found = []
        for number, (equal, terms) in enumerate(sorted(groups.items(), key=lambda g: g[0])):
            gone = {b for _, b in equal}
            first = {self._entry.indices[b]: self._entry.indices[a] for a, b in equal}
            poly = nf.substitute(Poly(terms), dict(first))
            axes = tuple(k for i, k in place.items() if k not in gone and i in poly.free)
            letters = tuple(self._entry.indices[n] for n in axes)
            tensor = _made(f"block_{number}", letters)
            found.append((axes, equal, Entry(tensor, letters, poly)))
        return found

    @cached_property
    def vector(self) -> Tensor:
        """The tensor that `matvec` takes."""
        taken = {*self.inputs, *(t.name for t in self._program.request.entries)}
        name = next(n for k in range(len(taken) + 1) if (n := "v" + "'" * k) not in taken)
        return Tensor(name, tuple(i.size for i in self._split[1]))

    @cached_property
    def block_function(self) -> CompiledFunction:
        """The arrays of all blocks."""
        return self._variant({f"block_{k}": e for k, (_, _, e) in enumerate(self.parts)}, "blocks")

    @cached_property
    def matvec_function(self) -> CompiledFunction:
        """Σ_x ∂y/∂x v."""
        of, wrt = self._split
        product = nf.multiply(nf.normalize(self._entry.poly), raw_atom(Ref(self.vector, wrt)))
        poly = nf.sum_over(wrt, product)
        return self._variant(Entry(_made("product", of), of, poly), "matvec")

    @cached_property
    def diagonal_function(self) -> CompiledFunction:
        """∂y/∂x at equal indices."""
        of, wrt = self._split
        if tuple(i.size for i in of) != tuple(i.size for i in wrt):
            raise ShapeError(
                "the Jacobian has no diagonal",
                expected="y and x of the same shape",
                got=f"{[i.size for i in of]} and {[i.size for i in wrt]}",
            )
        poly = nf.substitute(nf.normalize(self._entry.poly), dict(zip(wrt, of, strict=True)))
        return self._variant(Entry(_made("diagonal", of), of, poly), "diagonal")

    def _variant(self, results: Any, what: str) -> CompiledFunction:
        prog = self._program
        if prog.planner.batch:
            raise UnsupportedError("structured Jacobians have no batch axes", mend="use jax.vmap")
        name = f"{prog.request.name}_{what}"
        req = replace(prog.request, results=results, entries=self._entries, name=name)
        return deeply(req.name, lambda: Variant(program(req, (), prog.target), self.inputs))


def _made(name: str, indices: Sequence[Index]) -> Tensor:
    """A result that no formula names."""
    return Tensor(name, tuple(i.size for i in indices), role=STAND_IN)


class Variant(CompiledFunction):
    """A function that ignores the arrays that only the dense form needs."""

    def __init__(self, prog: Program, also: Mapping[str, Any]) -> None:
        super().__init__(prog)
        self._also = set(also) - set(self.inputs)

    def __call__(self, /, *args: Any, **arrays: Any) -> Any:
        return super().__call__(*args, **{n: x for n, x in arrays.items() if n not in self._also})
