"""One declaration a name: a size is no tensor, and an input has one sign wherever it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import sympy as sp

from .errors import DefinitionError
from .ir import SIGNS, Poly, known_sign, ranges_of, refs
from .model import Model, is_size


def one_declaration(m: Model, sides: tuple[Poly, Poly], written: Iterable[sp.Basic]) -> None:
    """Raises DefinitionError for a name that is declared in two ways.

    `sides` are those of a claim, `written` what it and the facts are in SymPy, where signs are as
    they were declared: that of a definition is inferred, and no matter here.
    """
    nodes = [*sides, *(body.raw for body in m.bodies.values())]
    tensors = {t for node in nodes for r in refs(node) for t in r.tensor.named}
    tensors |= set(m.known.values())
    sizes = {s.name for t in tensors for size in t.shape for s in size.free_symbols}
    sizes |= {s.name for node in nodes for size in ranges_of(node) for s in size.free_symbols}
    for t in sorted(tensors, key=lambda t: t.name):
        if t.name in sizes and not is_size(t):
            raise DefinitionError(
                f"{t.name} is the size of an index and a tensor",
                mend="give one of them another name",
            )
    constants = {t.name for t in tensors if isinstance(t.symbol, sp.NumberSymbol)}
    others = {t.name for t in tensors if not isinstance(t.symbol, sp.NumberSymbol)}
    if both := sorted(constants & (others | m.bodies.keys() | m.inputs.keys())):
        raise DefinitionError(
            f"{both[0]} is a number and the name of a tensor",
            mend="give the tensor another name",
        )
    signs = {name: t.sign for name, t in m.inputs.items()}
    for symbol in (s for expr in written for s in _symbols(expr)):
        if symbol.name in sizes or symbol.name in m.bodies:
            continue
        sign = known_sign(symbol)
        if (known := signs.setdefault(symbol.name, sign)) != sign:
            raise DefinitionError(
                f"{symbol.name} is declared in two ways",
                expected=SIGNS.get(known, "of any sign"),
                got=SIGNS.get(sign, "of any sign"),
                mend="declare the tensor once and use that object everywhere",
            )


def _symbols(expr: sp.Basic) -> Iterator[sp.Symbol]:
    """The scalars and the labels of tensors; letters are none."""
    nodes = sp.preorder_traversal(expr)
    for node in nodes:
        if isinstance(node, sp.Idx):
            nodes.skip()
        elif isinstance(node, sp.Symbol):
            yield node


__all__ = ["one_declaration"]
