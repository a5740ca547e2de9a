r"""What acts on what stands to its right: Σ, functions, ∂, ∇, lim, and names before brackets.

A function without brackets takes the one factor that follows; with more of them, `\log a b` has two
readings and is an error.  Σ and lim reach to the end of the product.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import sympy as sp

from .. import primitives
from . import derivatives, functions, products
from .names import Component, atoms, base_name, component, is_letter
from .sizes import Letter
from .terms import (
    Limit,
    Mul,
    Number,
    Total,
)
from .tree import (
    Accent,
    Addition,
    Chain,
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
from .usage import Application, application
from .values import Function, Scope, Value

if TYPE_CHECKING:
    from .elaborate import Reader

Parts = Sequence[tuple[str, Node]]
Condition = Callable[["Reader", Scope], Value]
MAX_INLINED = 40  # parameters in scope at once


def sequence(reader: Reader, parts: Parts, scope: Scope) -> list[tuple[str, Value]]:
    """The factors of a product without ∘, each operator applied to what it reaches."""
    result: list[tuple[str, Value]] = []
    k = 0
    divided = False
    while k < len(parts):
        op, node = parts[k]
        if divided and op == "":
            raise reader.fail(
                node.at, "a factor follows a quotient a/b c", expected="(a/b) c or a/(b c)",
                mend=r"put brackets, or write \frac{a}{b} c")
        value, k, span = take(reader, parts, k, scope)
        if op == "/":
            if value.axes:
                raise reader.fail(node.at, "a matrix stands below a division sign",
                                  mend="write the indices")
            result.append(("", products.inverse(value)))
            divided = True
        else:
            divided = divided and op == "·"
            if span is not None:
                result += [(op if n == 0 else o, v) for n, (o, v) in enumerate(span)]
            else:
                result.append((op, value))
    return result


def take(
    reader: Reader, parts: Parts, k: int, scope: Scope
) -> tuple[Value, int, list[tuple[str, Value]] | None]:
    """The factor that begins at `k`, where the next one begins, and its own factors if it has some.
    """
    op, node = parts[k]
    sign = sign_of(node)
    if sign is not None:
        scripts = node.scripts if isinstance(node, Scripted) else ()
        rest = parts[k + 1:]
        match sign.kind:
            case "sum":
                return _sum(reader, sign, scripts, rest, scope), len(parts), None
            case "function" if sign.text == "lim":
                return _limit(reader, sign, scripts, rest, scope), len(parts), None
            case "function":
                return (*_function(reader, sign, scripts, parts, k, scope), None)
            case "partial":
                return (*derivatives.partial(reader, sign, scripts, parts, k, scope), None)
            case "nabla":
                return (*derivatives.nabla(reader, sign, scripts, parts, k, scope), None)
    call = application(parts, k)
    if call is not None:
        applied = _applied(reader, call, scope)
        if applied is not None:
            return applied, call.after, None
    if op != "/" and isinstance(node, Fraction | Group):
        span = products.factors(reader, node, scope)
        return span[0][1], k + 1, span
    return reader.factor(node, scope), k + 1, None


# --------------------------------------------------------------------------------------------- sums

def _body(reader: Reader, rest: Parts, scope: Scope, sign: Symbol, shown: str) -> Value:
    if not rest:
        raise reader.fail(sign, f"{shown} has nothing to its right", expected="a product",
                          mend="write what is summed behind it")
    if rest[0][0] == "/":
        raise reader.fail(sign, f"{shown} stands before a division sign")
    return reader.read(Product(rest[0][1].at, (("", rest[0][1]), *rest[1:])), scope)


def _sum(
    reader: Reader, sign: Symbol, scripts: tuple[tuple[str, Node], ...], rest: Parts, scope: Scope
) -> Value:
    """Σ over letters, over a range, over neighbours, under a condition, or over unnamed axes."""
    below = next((s for mark, s in scripts if mark == "_"), None)
    above = next((s for mark, s in scripts if mark == "^"), None)
    if below is None:
        value = _body(reader, rest, scope, sign, "Σ")
        if not value.axes:
            raise reader.fail(sign, "Σ has no index, and what it sums has no axis without one",
                              expected=r"\sum_j", mend=r"write \sum_j")
        return Value(Total(value.axes, value.term), value.free)
    bound, condition = _bound(reader, sign, below, above, scope)
    inside = scope.inner(bound)
    value = _body(reader, rest, inside, sign, "Σ")
    free = {x: n for x, n in value.free.items() if x.real() not in bound}
    term = value.term
    if condition is not None:
        mask = condition(reader, inside)
        term = Mul((mask.term, term))
        free |= {x: (1, 0) for x in mask.free if x.real() not in bound and x not in free}
    return replace(value, term=Total(tuple(bound), term), free=free)


def _bound(
    reader: Reader, sign: Symbol, below: Node, above: Node | None, scope: Scope
) -> tuple[list[Letter], Condition | None]:
    """The letters that a Σ binds, and the condition on them (a function of reader and scope)."""
    if not isinstance(below, Chain):
        bound = []
        for a in atoms(below):
            if not is_letter(a):
                raise reader.fail(a, "Σ runs over letters", expected=r"\sum_j or \sum_{i,j}",
                                  mend="use a small letter")
            bound.append(Letter(a.text, a.at))
        return bound, None
    first, relation = below.sides[0], below.relations[0][0]
    if relation == "=" and is_letter(first) and len(below.sides) == 2:
        letter = Letter(first.text, first.at)
        start = below.sides[1]
        if not isinstance(start, NumberNode) or start.text not in ("0", "1"):
            raise reader.fail(start, "this sum does not run over the whole range of its index",
                              expected=f"{first.text}=1", mend="write a mask: [2 \\le j]")
        if above is not None:
            size = size_expression(reader, above) + (1 if start.text == "0" else 0)
            reader.sizes.give(letter.size, size, above.at, f"the index {letter.name}")
        return [letter], None
    if relation == "∈" and is_letter(first):
        return [Letter(first.text, first.at)], _neighbours(reader, below)
    letters = [a for side in below.sides for a in atoms(side)
               if is_letter(a) and reader.letter(a.text, a.at, scope) not in scope.fixed]
    if not letters or relation not in ("=", "≤", "<", "≥", ">", "≠"):
        raise reader.fail(below.relations[0][1], f"a sum under the condition {relation}",
                          expected=r"\sum_j, \sum_{j=1}^{n}, \sum_{j \le i}, \sum_{j \in N(i)}",
                          mend="write one of these forms")
    unique = {a.text: Letter(a.text, a.at) for a in letters}
    return list(unique.values()), lambda r, s: r.mask(below, s)


def _neighbours(reader: Reader, below: Chain) -> Condition:
    """j ∈ N(i) as the factor N[i, j], which is 1 for neighbours and 0 for the others."""
    first, right = below.sides
    match right:
        case Product(parts=((_, Name() as name), ("", Group(bracket="(", items=items)))) if all(
                map(is_letter, items)):
            return lambda r, s: r.tensor(name.text, (*items, first), right.at, s)
    raise reader.fail(right, "a sum over a set", expected=r"\sum_{j \in N(i)}",
                      mend="name the set by a function of an index, or write a mask")


def size_expression(reader: Reader, node: Node) -> sp.Expr:
    """A size such as n_k, 5 or 2n-1.  Raises ReadError for anything else."""
    match node:
        case NumberNode() if node.text.isdigit():
            return sp.Integer(node.text)
        case Name() | Scripted() | Accent():
            found = component(node, reader.names, reader.here)
            scripts = [a for _, s in node.scripts for a in atoms(s)] \
                if isinstance(node, Scripted) else []
            if found is not None and found.power is None:
                names = [a.text for a in scripts if isinstance(a, Name | NumberNode)]
                stem = base_name(node.base) if isinstance(node, Scripted) else found.name
                return sp.Symbol("_".join([stem or "", *names]), positive=True, integer=True)
        case Addition():
            return sp.Add(*(s * size_expression(reader, p) for s, p in node.parts))
        case Product() if all(op in ("", "·") for op, _ in node.parts):
            return sp.Mul(*(size_expression(reader, p) for _, p in node.parts))
        case Group(items=(inner,)):
            return size_expression(reader, inner)
    raise reader.fail(node, "this is not the size of an index", expected="n_k, 5 or n-1",
                      mend="name the size")


def _limit(
    reader: Reader, sign: Symbol, scripts: tuple[tuple[str, Node], ...], rest: Parts, scope: Scope
) -> Value:
    below = next((s for mark, s in scripts if mark == "_"), None)
    match below:
        case Chain(sides=(Name() as variable, target), relations=(("→", _),)):
            pass
        case _:
            raise reader.fail(sign, "this limit has no variable", expected=r"\lim_{T \to 0}",
                              mend=r"write \lim_{T \to 0}")
    if isinstance(target, Symbol) and target.kind == "infty":
        to: sp.Expr = sp.oo
    else:
        read = reader.read(target, scope).term
        if not isinstance(read, Number):
            raise reader.fail(target, "a limit goes to a number", expected=r"0 or \infty")
        to = read.value
    value = _body(reader, rest, scope, sign, "lim")
    return replace(value, term=Limit(value.term, variable.text, to))


# ---------------------------------------------------------------------------------------- functions

def _function(
    reader: Reader, sign: Symbol, scripts: tuple[tuple[str, Node], ...], parts: Parts, k: int,
    scope: Scope,
) -> tuple[Value, int]:
    below = next((s for mark, s in scripts if mark == "_"), None)
    above = [(mark, s) for mark, s in scripts if mark == "^"]
    argument, k, outer = _argument(reader, sign, parts, k)
    value = functions.apply(reader, sign, below, argument, scope)
    return products.with_scripts(reader, value, (*above, *outer), scope, sign.at), k


def _argument(
    reader: Reader, sign: Symbol, parts: Parts, k: int
) -> tuple[Node, int, tuple[tuple[str, Node], ...]]:
    """What a function is applied to, where the next factor begins, and scripts behind brackets."""
    k += 1
    if k == len(parts) or parts[k][0] != "":
        raise reader.fail(sign, f"{sign.text} has no argument", expected=f"{sign.text}(…)",
                          mend="write the argument behind it")
    node = parts[k][1]
    if isinstance(node, Group) and node.bracket in ("(", "[", "{"):
        return node, k + 1, ()
    if isinstance(node, Scripted) and isinstance(node.base, Group) and node.base.bracket in "([":
        return node.base, k + 1, node.scripts
    end = k
    while end < len(parts) and (end == k or parts[end][0] == ""):
        inner = sign_of(parts[end][1])
        if inner is not None and inner.kind in ("sum", "function", "partial", "nabla"):
            if end == k:
                end = len(parts) if inner.kind == "sum" else end + 2
            break
        end += 1
    if end - k > 1 and sign_of(node) is None:
        raise reader.fail(
            parts[k + 1][1], f"how far does {sign.text} reach?",
            expected=f"{sign.text}(a) b or {sign.text}(a b)",
            mend=f"put brackets behind {sign.text}")
    stretch = tuple(parts[k:end])
    return (Product(node.at, stretch) if len(stretch) > 1 else node), min(end, len(parts)), ()


def _applied(reader: Reader, call: Application, scope: Scope) -> Value | None:
    """name(…): a function, a component P(j), or a product (None)."""
    found = component(call.name, reader.names, reader.here)
    if found is None or found.power is not None or found.slots or found.transposed:
        return None
    name, names = found.name, reader.names
    if name == "sigma" and name not in names.ranks and name not in names.declared \
            and len(call.items) == 1:
        value = reader.function("sigmoid", reader.read(call.items[0], scope))
        return products.with_scripts(reader, value, call.scripts, scope, found.at)
    letters, arguments = call.split(reader.here)
    if name in reader.functions:
        function = reader.functions[name]
        value = _defined(reader, function, found, letters, arguments, scope)
        scripts = tuple(pair for pair in call.scripts if pair[0] == "^" or not letters)
        return products.with_scripts(reader, value, scripts, scope, found.at)
    if letters and not arguments and names.ranks.get(name, 0) >= len(letters):
        return reader.tensor(name, letters, found.at, scope)
    if len(call.items) == 1 and (name in names.declared or names.ranks.get(name)
                                 or name not in names.applied):
        return None
    if len(call.items) == 1:
        raise reader.fail(
            found.at, f"{name}(…): a product, or a function that nothing defines?",
            expected=rf"{name} \cdot (…), or a function defined before: {name}(x) = …",
            mend=rf"write {name} \cdot (…), or declare <!-- symattn: scalars {name} -->")
    raise reader.fail(
        found.at, f"{name} is a function that nothing defines",
        expected=f"a scalar function ({', '.join(primitives.names())}), or one defined before",
        mend=f"define it: {name}(x, y) = …, or write what it stands for with its indices")


def _defined(
    reader: Reader, function: Function, found: Component, letters: tuple[Node, ...],
    arguments: tuple[Node, ...], scope: Scope,
) -> Value:
    """A function of the document: the tensor it defines, or its body with the arguments put in."""
    if spelled(arguments) == spelled(function.parameters):
        return reader.tensor(found.name, letters, found.at, scope)
    parameters = [component(p, reader.names, function.here) for p in function.parameters]
    names = [p.name if p is not None and not p.slots else None for p in parameters]
    if len(arguments) != len(names) or None in names or function.slots:
        raise reader.fail(
            found.at, f"{found.name} is defined for other arguments",
            expected=f"{len(names)} arguments, as in its definition",
            mend="write the arguments as in the definition")
    if len(reader.bindings) > MAX_INLINED:
        raise reader.fail(found.at, "functions are put into one another too often",
                          mend="give parts of the formula names of their own")
    bindings = {n: (a, scope, reader) for n, a in zip(names, arguments, strict=True) if n}
    inner = replace(reader, here=function.here, bindings={**reader.bindings, **bindings})
    root = Scope({}, scope.fixed, {})
    return inner.read(function.body, root)
