r"""Derivatives as they are written: fractions of ∂, \partial_a g, \nabla_a v^b, \nabla_x f."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import sympy as sp

from . import operators
from .names import atoms, component, is_letter
from .terms import Call, Derivative, Mul, Number, Pow, Ref, Term
from .tree import Fraction, Name, Node, Product, Scripted, Symbol, sign_of
from .values import Scope, Value

if TYPE_CHECKING:
    from .elaborate import Reader


Parts = Sequence[tuple[str, Node]]


def _operands(node: Node) -> list[Node] | None:
    """[x, y] for ∂x ∂y, [L] for ∂²L, [] for ∂ alone; None where there is no ∂ in front."""
    parts = node.parts if isinstance(node, Product) else (("", node),)
    found: list[list[tuple[str, Node]]] = []
    for op, part in parts:
        sign = sign_of(part)
        if sign is not None and sign.kind == "partial" and not (
                isinstance(part, Scripted) and any(m == "_" for m, _ in part.scripts)):
            found.append([])
        elif not found or op not in ("", "·"):
            return None
        else:
            found[-1].append(("" if not found[-1] else op, part))
    return [Product(f[0][1].at, tuple(f)) if len(f) > 1 else f[0][1] for f in found if f] \
        if found else None


def fraction(reader: Reader, node: Fraction, scope: Scope) -> Value | None:
    r"""\frac{\partial L}{\partial x}; None for a fraction that is no derivative."""
    top, bottom = _operands(node.top), _operands(node.bottom)
    if top is None or not bottom:
        return None
    if len(top) != 1:
        raise reader.fail(node.top, "a derivative of nothing",
                          expected=r"\frac{\partial L}{\partial x}",
                          mend="write what is differentiated behind the upper ∂")
    return _derivative(reader, top[0], bottom, scope, node.at)


def _derivative(
    reader: Reader, top: Node, bottom: Sequence[Node], scope: Scope, at: int
) -> Value:
    value = reader.read(top, scope)
    for variable in bottom:
        value = differentiate(reader, value, reader.read(variable, scope), top.at, variable.at)
    return value


def differentiate(reader: Reader, value: Value, by: Value, at: int, by_at: int) -> Value:
    """∂value/∂by: of a component, or of a function of one."""
    if not isinstance(by.term, Ref):
        raise reader.fail(by_at, "this is no component that one can differentiate by",
                          expected=r"a name with indices: \partial Q^{kl}",
                          mend="give the expression a name")
    if value.axes and by.axes:
        raise reader.fail(at, "the derivative of a matrix by a matrix has four axes",
                          mend="write the indices")
    term = value.term
    outer: Term | None = None
    if isinstance(term, Call) and term.name in ("log", "exp"):
        inner = term.argument
        outer = term if term.name == "exp" else Pow(inner, Number(sp.S.NegativeOne))
        term = inner
    if not isinstance(term, Ref | Derivative):
        raise reader.fail(at, "the derivative of an expression", expected="that of a component",
                          mend="give the expression a name in an equation of its own")
    slope: Term = Derivative(term, by.term)
    free = dict(value.free)
    for x, (up, down) in by.free.items():
        old = free.get(x, (0, 0))
        free[x] = (old[0] + up, old[1] + down)
    shape = value if value.axes else by
    return replace(value, term=Mul((outer, slope)) if outer else slope, free=free,
                   row=shape.row, col=shape.col)


def partial(
    reader: Reader, sign: Symbol, scripts: tuple[tuple[str, Node], ...], parts: Parts, k: int,
    scope: Scope,
) -> tuple[Value, int]:
    r"""\partial_a g_{bd}, and \partial L / \partial A."""
    if any(mark == "_" for mark, _ in scripts):
        if k + 1 == len(parts) or parts[k + 1][0] != "":
            raise reader.fail(sign, "∂ stands alone", expected=r"\partial_a g_{bd}",
                              mend="write what is differentiated behind it")
        value, after, _ = operators.take(reader, parts, k + 1, scope)
        letters = [a for mark, s in scripts if mark == "_" for a in atoms(s)]
        for a in letters:
            if not is_letter(a):
                raise reader.fail(a, "∂ with a subscript differentiates by a coordinate",
                                  expected=r"\partial_a", mend="use a small letter")
            name = reader.conventions.coordinates
            reader.names.ranks.setdefault(name, 1)
            reader.names.places.setdefault(name, a.at)
            by = reader.tensor(name, (a,), a.at, scope)
            value = differentiate(reader, value, by, parts[k + 1][1].at, a.at)
        return value, after
    slash = next((n for n in range(k + 1, len(parts)) if parts[n][0] == "/"), None)
    if slash is None or slash + 1 >= len(parts):
        raise reader.fail(sign, "∂ stands alone", expected=r"\partial L / \partial A",
                          mend=r"write \frac{\partial L}{\partial A}")
    top = _operands(Product(sign.at, (("", parts[k][1]), *parts[k + 1:slash])))
    under = _operands(Product(parts[slash][1].at, (("", parts[slash][1]), parts[slash + 1])))
    if not top or len(top) != 1 or not under:
        raise reader.fail(sign, "this derivative cannot be read",
                          mend=r"write \frac{\partial L}{\partial A}")
    return _derivative(reader, top[0], under, scope, sign.at), slash + 2


def nabla(
    reader: Reader, sign: Symbol, scripts: tuple[tuple[str, Node], ...], parts: Parts, k: int,
    scope: Scope,
) -> tuple[Value, int]:
    r"""\nabla_a v^b, a tensor of its own (nabla_v); \nabla_x f, the gradient by the vector x."""
    below = [a for mark, s in scripts if mark == "_" for a in atoms(s)]
    if len(below) != 1 or k + 1 == len(parts) or parts[k + 1][0] != "":
        raise reader.fail(sign, "∇ stands alone", expected=r"\nabla_a v^b or \nabla_x f",
                          mend="write by what, and of what")
    (by,), target = below, parts[k + 1][1]
    is_index = is_letter(by) and isinstance(by, Name) and by.text not in reader.names.ranks \
        and reader.here.has_index(by.text)
    if not is_index:
        value, after, _ = operators.take(reader, parts, k + 1, scope)
        return differentiate(reader, value, reader.read(by, scope), target.at, by.at), after
    found = component(target, reader.names, reader.here)
    if found is None or found.power is not None:
        raise reader.fail(target, "∇ is applied to an expression",
                          expected=r"\nabla_a v^b", mend="give the expression a name")
    name = f"nabla_{found.name}"
    reader.names.ranks.setdefault(name, len(found.slots) + 1)
    reader.names.places.setdefault(name, target.at)
    return reader.tensor(name, (by, *found.slots), sign.at, scope), k + 2
