r"""What acts on what stands to its right: Σ, functions, ∂, ∇, lim, and names before brackets.

A function without brackets takes the one factor that follows; with more of them, `\log a b` has two
readings and is an error.  Σ and lim reach to the end of the product.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .. import primitives
from . import averages, brackets, derivatives, functions, products, sums
from .applications import Application, application
from .scripts import Component, component
from .sizes import Letter
from .terms import Ref, Unknown
from .tree import (
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
from .values import Counts, Function, Scope, Value, once
from .vocabulary import LETTERS

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
                node.at,
                "a factor follows a quotient a/b c",
                expected="(a/b) c or a/(b c)",
                mend=r"put brackets, or write \frac{a}{b} c",
            )
        value, k, span = take(reader, parts, k, scope)
        if op == "/":
            if value.axes:
                raise reader.fail(
                    node.at, "a matrix stands below a division sign", mend="write the indices"
                )
            result.append(("", products.inverse(value)))
            divided = True
        else:
            divided = divided and op == "·"
            if op == "" and result and span is None:
                _check_numbered(reader, result[-1][1], value, node.at, scope)
            if span is not None:
                result += [(op if n == 0 else o, v) for n, (o, v) in enumerate(span)]
            else:
                result.append((op, value))
    return result


def _check_numbered(reader: Reader, a: Value, b: Value, at: int, scope: Scope) -> None:
    """Raises ReadError for K_k H_k with k on the left: numbers, or the matrices number k?"""
    names, found = reader.names, []
    for value in (a, b):
        term = value.term
        if not isinstance(term, Ref) or len(term.slots) != 1 or term.name in names.declared:
            return
        slot = term.slots[0]
        head = term.name.split("_")[0]
        if len(head) != 1 or not head.isupper() or not isinstance(slot, Letter) or value.axes:
            return
        found.append((term.name, slot.real()))
    (one, first), (other, second) = found
    if first is second and one != other and first.name not in scope.letters and not names.alike:
        raise reader.fail(
            at,
            f"{one}_{first.name} {other}_{first.name}: numbers, or matrices number {first.name}?",
            expected="shapes of the two",
            mend=f"declare <!-- symattn: sizes {one}:(n,p,q) {other}:(n,q,r) --> or {one}:(n)",
        )


def take(
    reader: Reader, parts: Parts, k: int, scope: Scope
) -> tuple[Value, int, list[tuple[str, Value]] | None]:
    """The factor that begins at `k`, where the next one begins, and its own factors, if any."""
    op, node = parts[k]
    sign = sign_of(node)
    if sign is not None:
        scripts = node.scripts if isinstance(node, Scripted) else ()
        rest = parts[k + 1 :]
        match sign.kind:
            case "sum":
                return sums.sum_(reader, sign, scripts, rest, scope), len(parts), None
            case "prod":
                return sums.product(reader, sign, scripts, rest, scope), len(parts), None
            case "function" if sign.text == "lim":
                return sums.limit(reader, sign, scripts, rest, scope), len(parts), None
            case "ones" if (mask := _indicator(reader, scripts, rest, scope)) is not None:
                return mask, k + 2, None
            case "function":
                return (*_function(reader, sign, scripts, parts, k, scope), None)
            case "partial":
                return (*derivatives.partial(reader, sign, scripts, parts, k, scope), None)
            case "nabla":
                return (*derivatives.nabla(reader, sign, scripts, parts, k, scope), None)
    _expectation(reader, parts, k)
    call = application(parts, k)
    if call is not None:
        applied = _applied(reader, call, scope)
        if applied is not None:
            return applied, call.after, None
    if isinstance(node, Fraction):
        derivatives.check_evaluated(reader, node, parts, k)
        derived = derivatives.operator(reader, node, parts, k, scope)
        if derived is not None:
            return (*derived, None)
    if op != "/" and isinstance(node, Fraction | Group):
        span = products.factors(reader, node, scope)
        return span[0][1], k + 1, span
    return reader.factor(node, scope), k + 1, None


def _indicator(
    reader: Reader, scripts: tuple[tuple[str, Node], ...], rest: Parts, scope: Scope
) -> Value | None:
    r"""\mathbb{1}[j \le i] is the bracket itself; None for ones that are a vector."""
    if scripts or not rest or rest[0][0] != "":
        return None
    match rest[0][1]:
        case Group(items=(Chain() as condition,)):
            return reader.mask(condition, scope)
    return None


def _expectation(reader: Reader, parts: Parts, k: int) -> None:
    """Raises ReadError for E[…] where nothing else says what E is."""
    node = parts[k][1]
    base = node.base if isinstance(node, Scripted) else node
    names = reader.names
    if (
        base == Name(base.at, "E")
        and k + 1 < len(parts)
        and parts[k + 1][0] == ""
        and getattr(parts[k + 1][1], "bracket", "") == "["
        and not {"E"} & (names.declared | names.ranks.keys())
    ):
        raise reader.fail(
            node,
            "E[…]: an expectation, or a product?",
            expected=r"\mathbb{E}[…], or E \cdot […]",
            mend=r"write \mathbb{E}, or declare <!-- symattn: scalars E -->",
        )


# ---------------------------------------------------------------------------------------- functions


def _function(
    reader: Reader,
    sign: Symbol,
    scripts: tuple[tuple[str, Node], ...],
    parts: Parts,
    k: int,
    scope: Scope,
) -> tuple[Value, int]:
    below = next((s for mark, s in scripts if mark == "_"), None)
    above = [(mark, s) for mark, s in scripts if mark == "^"]
    argument, k, outer = _argument(reader, sign, parts, k)
    if averages.is_sign(sign):
        items = argument.items if isinstance(argument, Group) else (argument,)
        said = averages.Average(sign.at, sign.text, below, items)
        value = averages.read(reader, said, scope)
        return brackets.with_scripts(reader, value, (*above, *outer), scope, sign.at), k
    value = functions.apply(reader, sign, below, argument, scope)
    return brackets.with_scripts(reader, value, (*above, *outer), scope, sign.at), k


def _argument(
    reader: Reader, sign: Symbol, parts: Parts, k: int
) -> tuple[Node, int, tuple[tuple[str, Node], ...]]:
    """What a function is applied to, where the next factor begins, and scripts behind brackets."""
    k += 1
    if k == len(parts) or parts[k][0] != "":
        raise reader.fail(
            sign,
            f"{sign.text} has no argument",
            expected=f"{sign.text}(…)",
            mend="write the argument behind it",
        )
    node = parts[k][1]
    if isinstance(node, Group) and node.bracket in ("(", "[", "{"):
        return node, k + 1, ()
    if isinstance(node, Scripted) and isinstance(node.base, Group) and node.base.bracket in "([":
        return node.base, k + 1, node.scripts
    end = _call(reader, parts, k)
    while end < len(parts) and (end == k or parts[end][0] == ""):
        inner = sign_of(parts[end][1])
        if inner is not None and inner.kind in ("sum", "function", "partial", "nabla"):
            if end == k:
                end = len(parts) if inner.kind == "sum" else end + 2
            break
        end += 1
    first = max(_call(reader, parts, k), k + 1)
    if end > first and sign_of(node) is None:
        raise reader.fail(
            parts[first][1],
            f"how far does {sign.text} reach?",
            expected=f"{sign.text}(a) b or {sign.text}(a b)",
            mend=f"put brackets behind {sign.text}",
        )
    stretch = tuple(parts[k:end])
    return (Product(node.at, stretch) if len(stretch) > 1 else node), min(end, len(parts)), ()


def _call(reader: Reader, parts: Parts, k: int) -> int:
    """The place behind P(j) or a defined f(x) that begins at `k`; `k` where none does."""
    call = application(parts, k)
    found = component(call.name, reader.names, reader.here) if call is not None else None
    if call is None or found is None or found.slots:
        return k
    letters, arguments = call.split(reader.here)
    known = (
        found.name in reader.functions
        or _is_call(reader, call, found.name)
        or (letters and not arguments)
    )
    return call.after if known else k


def _applied(reader: Reader, call: Application, scope: Scope) -> Value | None:
    """name(…): a function, a component P(j), or a product (None)."""
    found = component(call.name, reader.names, reader.here)
    if found is None or found.power is not None or found.transposed:
        return None
    name, names = found.name, reader.names
    if found.slots:
        word = len(name.split("_")[0]) > 1 and name.split("_")[0] not in LETTERS
        if word and name not in names.alone and name not in names.declared:
            raise reader.fail(
                found.at,
                f"{name}(…) with an index: a product, or a function that nothing defines?",
                expected="a function of the index language: softmax, lse, …; or a tensor before "
                r"\cdot",
                mend=rf"write {name} \cdot (…), or write out what the function does",
            )
        return None
    if (
        name == "sigma"
        and (name not in names.declared or names.ranks.get(name))
        and (name not in names.ranks or name in names.declared)
        and len(call.items) == 1
    ):
        value = reader.function("sigmoid", reader.read(call.items[0], scope))
        return brackets.with_scripts(reader, value, call.scripts, scope, found.at)
    letters, arguments = call.split(reader.here)
    if name in reader.functions:
        function = reader.functions[name]
        value = _defined(reader, function, found, letters, arguments, scope)
        scripts = tuple(pair for pair in call.scripts if pair[0] == "^" or not letters)
        return brackets.with_scripts(reader, value, scripts, scope, found.at)
    if letters and not arguments and names.ranks.get(name, 0) >= len(letters):
        value = reader.tensor(name, letters, found.at, scope)
        raised = tuple(pair for pair in call.scripts if pair[0] == "^")
        return brackets.with_scripts(reader, value, raised, scope, found.at)
    if len(call.items) == 1 and not call.given and _is_factor(reader, name, call.items[0]):
        return None
    if _is_call(reader, call, name):
        unknown = _unknown(reader, call, found, scope)
        if unknown is not None:
            return unknown
    if len(call.items) == 1 and not call.given:
        raise reader.fail(
            found.at,
            f"{name}(…): a product, or a function that nothing defines?",
            expected=rf"{name} \cdot (…), or a function defined before: {name}(x) = …",
            mend=rf"write {name} \cdot (…), or declare <!-- symattn: scalars {name} -->",
        )
    raise reader.fail(
        found.at,
        f"{name} is a function that nothing defines",
        expected=f"a scalar function ({', '.join(primitives.names())}), or one defined before",
        mend=f"define it: {name}(x, y) = …, or write what it stands for with its indices",
    )


def _is_factor(reader: Reader, name: str, inside: Node) -> bool:
    """True where a name before a bracket is known to be multiplied: β(x + y) and not f(y)."""
    names = reader.names
    if name in names.declared or name in reader.sizes.names or names.ranks.get(name):
        return True
    return name not in names.applied and isinstance(inside, Addition) and len(inside.parts) > 1


def _of_tensors(reader: Reader, found: Component, stem: str, values: list[Value]) -> str:
    """What a function of whole vectors is called, f_x for f(x): equal to itself alone."""
    names = [v.term.name for v in values if isinstance(v.term, Ref) and not v.free]
    called = "_".join([stem, *names])
    if len(names) < len(values) or called in reader.names.versions.written:
        raise reader.fail(
            found.at,
            f"{stem} is a function of a vector, and nothing defines it",
            expected=f"a definition: {stem}(x) = …",
            mend="write what it stands for with its indices",
        )
    reader.names.tied[called] = "a function of vectors that nothing defines"
    return called


def _is_call(reader: Reader, call: Application, name: str) -> bool:
    """True for what is no product: f(x, y), p(x | z), and f(x) of an f that stands nowhere else."""
    names = reader.names
    if name in names.declared or names.ranks.get(name) or name in reader.sizes.names:
        return False
    several = len(call.items) > 1 or bool(call.given)
    return several or name in names.applied or name.rstrip("'") in names.unknown


def _unknown(reader: Reader, call: Application, found: Component, scope: Scope) -> Value | None:
    """f(x) of an f that stands nowhere else; None where it may be a factor, as in f (x + y)."""
    if len(call.items) == 1 and not call.given and isinstance(call.items[0], Addition):
        return None
    values = [reader.read(item, scope) for item in (*call.items, *call.given)]
    stem = found.name.rstrip("'")
    whole = [v for v in values if v.axes]
    if whole:
        stem = _of_tensors(reader, found, stem, whole)
        values = [v for v in values if not v.axes]
    order = len(found.name) - len(stem)
    if order and len(values) > 1:
        return None
    reader.names.unknown.add(stem)
    free: Counts = {}
    for value in values:
        free |= once(value.free)
    if call.given:  # p(x | z) and p(x, z) are different functions
        stem = f"{stem}_given" if len(call.given) == 1 else f"{stem}_given_{len(call.given)}"
    if not values:
        reader.names.ranks.setdefault(stem, 0)
        return brackets.with_scripts(reader, Value(Ref(stem)), call.scripts, scope, found.at)
    term = Unknown(stem, tuple(v.term for v in values), order)
    return brackets.with_scripts(reader, Value(term, free), call.scripts, scope, found.at)


def _defined(
    reader: Reader,
    function: Function,
    found: Component,
    letters: tuple[Node, ...],
    arguments: tuple[Node, ...],
    scope: Scope,
) -> Value:
    """A function of the document: the tensor it defines, or its body with the arguments put in."""
    if spelled(arguments) == spelled(function.parameters):
        return reader.tensor(found.name, letters, found.at, scope)
    parameters = [component(p, reader.names, function.here) for p in function.parameters]
    names = [p.name if p is not None and not p.slots else None for p in parameters]
    if len(arguments) != len(names) or None in names or function.slots:
        raise reader.fail(
            found.at,
            f"{found.name} is defined for other arguments",
            expected=f"{len(names)} arguments, as in its definition",
            mend="write the arguments as in the definition",
        )
    if len(reader.bindings) > MAX_INLINED:
        raise reader.fail(
            found.at,
            "functions are put into one another too often",
            mend="give parts of the formula names of their own",
        )
    bindings = {n: (a, scope, reader) for n, a in zip(names, arguments, strict=True) if n}
    inner = replace(reader, here=function.here, bindings={**reader.bindings, **bindings})
    root = Scope({}, scope.fixed, {})
    return inner.read(function.body, root)
