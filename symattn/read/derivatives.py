r"""Derivatives as they are written: fractions of ∂, \partial_a g, \nabla_a v^b, \nabla_x f."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import sympy as sp

from . import calls, covariant, evaluated, opaque, reach
from .applications import application
from .arguments import called
from .differentials import ratio
from .layouts import DENOMINATOR, NUMERATOR
from .names import atoms, is_letter, letters_of, reached
from .scripts import component
from .sizes import unnamed
from .terms import Call, Derivative, Mul, Number, Pow, Ref, Slope, Term, refs
from .tree import (
    Addition,
    Fraction,
    Group,
    Name,
    Node,
    Product,
    Scripted,
    Symbol,
    sign_of,
    spelled,
)
from .tree import Number as NumberNode
from .values import Scope, Value, once

if TYPE_CHECKING:
    from .elaborate import Reader


Parts = Sequence[tuple[str, Node]]

MAX_ORDER = 6  # of ∂_x^n


def fraction(reader: Reader, node: Fraction, scope: Scope) -> Value | None:
    r"""\frac{\partial L}{\partial x}; None for a fraction that is no derivative."""
    found = ratio(reader, node.top, node.bottom)
    if found is None:
        return None
    top, bottom = found
    if len(top) != 1:
        raise reader.fail(
            node.top,
            "a derivative of nothing",
            expected=r"\frac{\partial L}{\partial x}",
            mend="write what is differentiated behind the upper ∂, or behind the fraction",
        )
    value = _quantity(reader, top[0]) or reader.read(top[0], scope)
    return _derivative(reader, value, top[0].at, bottom, scope)


def _quantity(reader: Reader, node: Node) -> Value | None:
    r"""The p(x | μ) of \partial \log p, where it is all that the text defines of a p."""
    parts = node.parts if isinstance(node, Product) else (("", node),)
    *before, (_, name) = parts
    logarithm = [sign_of(part) for _, part in before]
    plainly = not logarithm or (len(logarithm) == 1 and getattr(logarithm[0], "text", "") == "log")
    names = reader.names
    if not plainly or not names.lenient or not isinstance(name, Name) or name.text in reader.uses:
        return None
    stems = (name.text, f"{name.text}_given")
    quantities = {q for key, q in names.auxiliary.items() if isinstance(key, tuple)
                  and key[0] in stems and q in names.opaque & reader.uses.keys()}  # fmt: skip
    if len(quantities) != 1 or names.ranks[(found := quantities.pop())]:
        return None
    value = Value(Ref(found))
    return reader.function("log", value) if logarithm else value


def check_evaluated(reader: Reader, node: Fraction, parts: Parts, k: int) -> None:
    r"""Raises ReadError for \frac{\partial f}{\partial x}(a): taken at a, or times a?"""
    if k + 1 == len(parts) or parts[k + 1][0] != "":
        return
    group = parts[k + 1][1]
    plain_point = (
        isinstance(group, Group)
        and group.bracket == "("
        and not any(isinstance(item, Addition | Product | Fraction) for item in group.items)
    )
    found = ratio(reader, node.top, node.bottom) if plain_point else None
    if found is not None and found[0]:
        raise reader.fail(
            group,
            "brackets behind a derivative: the point where it is taken, or a factor?",
            expected=r"\frac{\partial f}{\partial x} a for the product",
            mend="write the factor without brackets, or name the derivative",
        )


def operator(
    reader: Reader, node: Fraction, parts: Parts, k: int, scope: Scope
) -> tuple[Value, int] | None:
    r"""\frac{\partial}{\partial x} L with the place behind it; None for another fraction."""
    found = ratio(reader, node.top, node.bottom)
    if found is None or found[0] or k + 1 == len(parts) or parts[k + 1][0] != "":
        return None
    target = parts[k + 1][1]
    after = reach.run(parts, k + 1)
    for _, part in parts[k + 2 : after]:
        own = ratio(reader, part.top, part.bottom) if isinstance(part, Fraction) else None
        if own is not None and [*map(spelled, own[1])] != [*map(spelled, found[1])]:  # a factor
            raise reader.fail(
                part,
                "how far does ∂ reach?",
                expected=r"\frac{\partial f}{\partial x} g or \frac{\partial}{\partial x} (f g)",
                mend="write what is differentiated above the bar",
            )
    if after == k + 2:
        value, after = reach.target(reader, parts, k + 1, scope)
    else:
        value = reader.read(reach.together(parts, k + 1, after), scope)
    return _derivative(reader, value, target.at, found[1], scope), after


def _derivative(
    reader: Reader, value: Value, at: int, bottom: Sequence[Node], scope: Scope
) -> Value:
    outside = replace(reader, outcome=None)  # what one differentiates by is no random variable
    for variable in bottom:
        scripts = variable.scripts if isinstance(variable, Scripted) else ()
        squared = bool(scripts) and isinstance(scripts[-1][1], NumberNode)
        own = letters_of(a for _, s in scripts for a in atoms(s)) if squared else ()
        letters = {reader.letter(x, variable.at, scope) for x in own}  # σ_i^2 is no sum
        inside = replace(scope, fixed=scope.fixed | letters)
        value = differentiate(reader, value, outside.read(variable, inside), at, variable.at)
    return value


def differentiate(reader: Reader, value: Value, by: Value, at: int, by_at: int) -> Value:
    """∂value/∂by: of a component, or of a function of one, by a component or by σ^2, log x, 1/T."""
    by, chain = _by(by)
    if not isinstance(by.term, Ref):
        raise reader.fail(
            by_at,
            "this is no component that one can differentiate by",
            expected=r"a name with indices: \partial Q^{kl}",
            mend="give the expression a name",
        )
    value = replace(value, term=_of(reader, value.term, by.term.name))
    if chain is not None:
        value = differentiate(reader, value, by, at, by_at)
        return replace(value, term=Mul((Pow(chain, Number(sp.S.NegativeOne)), value.term)))
    layout = value.row is not None and by.col is not None and not (value.col or by.row)
    if value.axes and by.axes and not layout:
        return _jacobian(reader, value, by, at)
    return _slope(reader, value, by, at)


def _of(reader: Reader, term: Term, by: str) -> Term:
    """J(a) for the J of ∂J/∂a where the text defines J(a) and J(w), and no other J of a."""
    if not isinstance(term, Ref) or term.slots or term.name in reader.uses:
        return term
    known = reader.names.functions_of.items()
    own = [(q, of) for q, (name, of) in known if name == term.name and by in of]
    return Ref(own[0][0]) if len(own) == 1 and own[0][1] == (by,) else term


def _slope(reader: Reader, value: Value, by: Value, at: int) -> Value:
    """∂value/∂by, with the free letters and the axes of both."""
    assert isinstance(by.term, Ref)
    term = value.term
    if by.term.name in reader.points or (reader.points and by.term.slots == () and not by.axes):
        name = reader.points.get(by.term.name, by.term.name)
        term = evaluated.opened(reader, term, name, by.term.name, at)
        stands = by.term.name in {r.name for r in refs(term)}
        if not stands or name in evaluated.below(reader, term):
            raise reader.fail(at, "a derivative by what does not stand in it, or stands unseen")
        return replace(value, term=Slope(term, by.term.name, 1, by.term))
    outer: Term | None = None
    if isinstance(term, Call) and term.name in ("log", "exp"):
        inner = term.argument
        outer = term if term.name == "exp" else Pow(inner, Number(sp.S.NegativeOne))
        term = inner
    if not isinstance(term, Ref | Derivative):
        named = opaque.defined(reader, "D", replace(value, term=term), at).term
        assert isinstance(named, Ref)
        term = named
    itself = outer is not None and term == by.term and not (by.free or by.axes)
    slope: Term = Number(sp.S.One) if itself else Derivative(term, by.term)  # of log x by x
    free = dict(value.free)
    for x, (up, down) in by.free.items():
        old = free.get(x, (0, 0))
        free[x] = (old[0] + up, old[1] + down)
    row, col = (value.row or by.row), (value.col or by.col)  # ∂f/∂x^⊤ has a row for each f
    return replace(value, term=Mul((outer, slope)) if outer else slope, free=free, row=row, col=col)


def _by(by: Value) -> tuple[Value, Term | None]:
    """The σ of ∂f/∂σ^2 = (∂f/∂σ) / (2σ), with the 2σ; None for a variable by itself."""
    match by.term:
        case Pow(base=Ref() as x, exponent=Number(value=n)) if not by.axes:
            lower = Pow(x, Number(n - 1))
            return replace(by, term=x, free=once(by.free)), Mul((Number(n), lower))
        case Call(name="log", argument=Ref() as x) if not by.axes:
            return replace(by, term=x, free=once(by.free)), Pow(x, Number(sp.S.NegativeOne))
    return by, None


def _jacobian(reader: Reader, value: Value, by: Value, at: int) -> Value:
    """The derivative of a vector by a vector, a matrix with a row for each component of the first,
    or with a column for each, in denominator layout."""
    if not reader.names.lenient or value.row is None or by.row is None or value.col or by.col:
        raise reader.fail(
            at, "the derivative of a matrix by a matrix has four axes", mend="write the indices"
        )
    slope = _slope(reader, value, replace(by, row=None, col=by.row), at)
    layout = reader.names.layouts.said or NUMERATOR
    if layout == DENOMINATOR:
        slope = replace(slope, row=slope.col, col=slope.row)
    found = opaque.defined(reader, "jacobian", slope, at)
    assert isinstance(found.term, Ref)
    reader.names.layouts.make(found.term.name, layout)
    return found


def partial(
    reader: Reader,
    sign: Symbol,
    scripts: tuple[tuple[str, Node], ...],
    parts: Parts,
    k: int,
    scope: Scope,
) -> tuple[Value, int]:
    r"""\partial_a g_{bd}, and \partial L / \partial A."""
    if any(mark == "_" for mark, _ in scripts):
        if k + 1 == len(parts) or parts[k + 1][0] != "":
            raise reader.fail(
                sign,
                "∂ stands alone",
                expected=r"\partial_a g_{bd}",
                mend="write what is differentiated behind it",
            )
        value, after = reach.target(reader, parts, k + 1, scope)
        for a in _below(reader, sign, scripts):
            by = _coordinate(reader, a, scope)
            value = differentiate(reader, value, by, parts[k + 1][1].at, a.at)
        return value, after
    slash = next((n for n in range(k + 1, len(parts)) if parts[n][0] == "/"), None)
    if slash is None or slash + 1 >= len(parts):
        raise reader.fail(
            sign,
            "∂ stands alone",
            expected=r"\partial L / \partial A",
            mend=r"write \frac{\partial L}{\partial A}",
        )
    top = Product(sign.at, (("", parts[k][1]), *parts[k + 1 : slash]))
    bottom = Product(parts[slash][1].at, (("", parts[slash][1]), parts[slash + 1]))
    found = ratio(reader, top, bottom)
    if found is None or len(found[0]) != 1:
        raise reader.fail(
            sign, "this derivative cannot be read", mend=r"write \frac{\partial L}{\partial A}"
        )
    target = found[0][0]
    value = _derivative(reader, reader.read(target, scope), target.at, found[1], scope)
    return value, slash + 2


def _below(reader: Reader, sign: Symbol, scripts: tuple[tuple[str, Node], ...]) -> list[Node]:
    r"""What \partial_x^2, \partial_{xy} and \partial_a differentiate by, one after the other."""
    below = [a for mark, s in scripts if mark == "_" for a in atoms(s)]
    for order in (s for mark, s in scripts if mark == "^"):
        number = order.text if isinstance(order, NumberNode) else ""
        if number == str(len(below)):  # ∂²_{xy} u
            continue
        if not (number.isdigit() and 0 < int(number) <= MAX_ORDER and len(below) == 1):
            raise reader.fail(
                sign,
                "∂ with this above it",
                expected=r"\partial_x^2 u, or \partial_x \partial_y u",
                mend=r"write \frac{\partial^2 u}{\partial x^2}",
            )
        below *= int(number)
    return below


def _coordinate(reader: Reader, node: Node, scope: Scope) -> Value:
    r"""What \partial_a differentiates by: x[a] for an index a, and T for a name T."""
    names = reader.names
    if not is_letter(node):
        return replace(reader, outcome=None).read(node, scope)
    known = names.declared | names.ranks.keys() | names.bare
    index = reader.here.is_bound(node.text) or reader.here.letters[node.text] > 1
    if node.text in known and not index:
        return replace(reader, outcome=None).read(node, scope)
    name = reader.conventions.coordinates
    names.ranks.setdefault(name, 1)
    names.places.setdefault(name, node.at)
    return reader.tensor(name, (node,), node.at, scope)


def nabla(
    reader: Reader,
    sign: Symbol,
    scripts: tuple[tuple[str, Node], ...],
    parts: Parts,
    k: int,
    scope: Scope,
) -> tuple[Value, int]:
    r"""\nabla_a v^b, a tensor of its own (nabla_v); \nabla_x f, the gradient by the vector x."""
    below = [a for mark, s in scripts if mark == "_" for a in atoms(s)]
    order = next((s for mark, s in scripts if mark == "^"), None)
    raised = reader.names.lenient and not below and order is not None
    raised = raised and all(is_letter(a) and _is_index(reader, a) for a in atoms(order or sign))
    if raised and order is not None:  # ∇^a, with its index raised by a metric
        below, order = atoms(order), None
    if k + 1 < len(parts) and parts[k + 1][0] == "" and reader.names.lenient and not raised:
        if len(below) > 1 and not any(is_letter(a) and _is_index(reader, a) for a in below):
            return _gradient(reader, sign, None, parts, k, scope)
        index = len(below) == 1 and is_letter(below[0]) and _is_index(reader, below[0])
        if (not below and order is None) or (order is not None and _second(order) and not index):
            return _gradient(reader, sign, order, parts, k, scope)
    if len(below) != 1 or k + 1 == len(parts) or parts[k + 1][0] != "":
        raise reader.fail(
            sign,
            "∇ stands alone",
            expected=r"\nabla_a v^b or \nabla_x f",
            mend="write by what, and of what",
        )
    (by,), target = below, parts[k + 1][1]
    is_index = is_letter(by) and _is_index(reader, by)
    if not is_index:
        value, after = reach.target(reader, parts, k + 1, scope)
        variable = replace(reader, outcome=None).read(by, scope)
        return differentiate(reader, value, variable, target.at, by.at), after
    outer, end = [by], k + 1
    while end + 1 < len(parts) and covariant.is_nabla(parts[end][1]):  # ∇_a ∇_b v
        outer += [a for _, s in parts[end][1].scripts for a in atoms(s)]  # type: ignore[attr-defined]
        end += 1
    target = parts[end][1]
    found = component(target, reader.names, reader.here)
    if found is None or found.power is not None:
        raise reader.fail(
            target,
            "∇ is applied to an expression",
            expected=r"\nabla_a v^b",
            mend="give the expression a name",
        )
    name = "nabla_" * len(outer) + "raised_" * raised + found.name
    if raised:
        reader.names.tied.setdefault(name, "an index raised by a metric")
    reader.names.ranks.setdefault(name, len(found.slots) + len(outer))
    reader.names.places.setdefault(name, target.at)
    return reader.tensor(name, (*outer, *found.slots), sign.at, scope), end + 1


def _is_index(reader: Reader, by: Name) -> bool:
    """True for the a of ∇_a; ∇_θ is by θ."""
    if by.text in reader.names.ranks or not reader.here.has_index(by.text):
        return False
    return (
        not reader.names.lenient
        or by.text in covariant.INDICES - reader.names.varied
        or by.text in reader.here.bound
    )


def _second(order: Node) -> bool:
    return isinstance(order, NumberNode) and order.text == "2"


def _only_vector(reader: Reader, value: Value) -> str:
    """The one vector of which something defined is made; empty for none and several.

    Beside it nothing may vary but what words call symmetric: a parameter of a sum over data may.
    """
    if not isinstance(value.term, Ref) or value.term.name not in reader.uses:
        return ""
    names = reader.names
    inside = reached([value.term.name], reader.uses) - reader.uses.keys()
    kept = names.mirrored | reader.sizes.names
    found = [n for n in sorted(inside) if n not in kept]
    vector = len(found) == 1 and names.ranks.get(found[0]) == 1 and found[0] not in names.laws
    return found[0] if vector and is_letter(Name(0, found[0])) else ""


def _gradient(
    reader: Reader, sign: Symbol, order: Node | None, parts: Parts, k: int, scope: Scope
) -> tuple[Value, int]:
    """∇f(x) and ∇²f(x), by whatever f is a function of; ∇²φ in a text on fields is Δφ."""
    signed = parts[k][1]
    scripts = signed.scripts if isinstance(signed, Scripted) else ()
    below_ = [s for mark, s in scripts if mark == "_"]
    value, after = reach.target(reader, parts, k + 1, scope)
    if value.axes:
        raise reader.fail(sign, "∇ of a vector", expected=r"\nabla_x f", mend="write the indices")
    given = reader.names.arguments.get(called(parts[k + 1][1]) or "", ())
    call = application(parts, k + 1)
    if call is not None and not below_:
        given = calls.variable(reader, call)
    by = [*(a for s in below_ for a in atoms(s)), *(() if below_ else given)]
    if not by and call is None and (only := _only_vector(reader, value)):
        by = [Name(sign.at, only)]
    whole = k + 2 if call is None else call.after
    known = after == whole or (below_ and any(r.name in reader.uses for r in refs(value.term)))
    if len(by) == 1 and known and not reader.source.fields:
        for n in range(1 if order is None else 2):
            variable = replace(reader, outcome=None).read(by[0], scope)
            variable = replace(variable, row=None, col=variable.row) if n else variable
            value = differentiate(reader, value, variable, parts[k + 1][1].at, by[0].at)
        return value, after
    row, col = unnamed(0, sign.at), unnamed(1, sign.at)
    if order is not None and not below_ and not reader.source.hessian:
        why = "a Laplacian, by what is not said"
        return opaque.value(reader, "laplacian", (value,), sign.at, why), after
    if order is None:
        why = "a gradient, by what is not said"
        return opaque.value(reader, "gradient", (value,), sign.at, why, (row, None)), after
    reader.sizes.unite(row.size, col.size, sign.at, "a Hessian matrix")
    return opaque.value(reader, "hessian", (value,), sign.at, "a Hessian matrix", (row, col)), after
