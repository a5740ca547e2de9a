r"""What acts on what stands to its right: Σ, functions, ∂, ∇, lim, and names before brackets.

A function without brackets takes the one factor that follows; with more of them, `\log a b` has two
readings and is an error.  Σ and lim reach to the end of the product.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from .. import primitives
from . import (
    averages,
    brackets,
    calls,
    derivatives,
    functions,
    integrals,
    matrices,
    products,
    sums,
    variations,
)
from .applications import Parts, application
from .composed import INVERSES
from .moments import is_sign
from .names import base_name
from .sizes import Letter, unnamed
from .terms import ONE, Ref
from .tree import (
    Accent,
    Addition,
    Called,
    Chain,
    Fraction,
    Group,
    Name,
    Node,
    Product,
    Put,
    Scripted,
    Symbol,
    base_of,
    listed,
    sign_of,
    spelled,
    walk,
)
from .tree import Number as NumberNode
from .values import Scope, Value

if TYPE_CHECKING:
    from .elaborate import Reader


def sequence(reader: Reader, parts: Parts, scope: Scope) -> list[tuple[str, Value]]:
    """The factors of a product without ∘, each operator applied to what it reaches."""
    result: list[tuple[str, Value]] = []
    k = 0
    divided = False
    while k < len(parts):
        op, node = parts[k]
        if divided and op == "" and not (reader.names.lenient and _is_ratio(parts, k)):
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
            if op == "" and result and k == len(parts) and _is_one(node) and result[-1][1].col:
                value = Value(ONE, row=unnamed(0, node.at))  # the 1 of A 1
            row = value.col is not None and value.row is None
            if op == "" and row and len(parts) == 2 and _is_one(parts[0][1]):  # the 1 of 1 b^⊤
                result = [("", Value(ONE, row=unnamed(0, parts[0][1].at)))]
            if op == "" and result and span is None:
                _check_numbered(reader, result[-1][1], value, node.at, scope)
                _check_scaled(reader, result[-1][1], value, node.at, scope)
            if span is not None:
                result += [(op if n == 0 else o, v) for n, (o, v) in enumerate(span)]
            else:
                result.append((op, value))
    return result


def _is_one(node: Node) -> bool:
    return isinstance(node, NumberNode) and node.text == "1"


def _is_ratio(parts: Parts, k: int) -> bool:
    """True behind 1/2: nobody writes 1/2 x for 1/(2 x)."""
    numbers = [isinstance(p, NumberNode) for _, p in parts[:k]]
    return (
        numbers[:2] == [True, True]
        and parts[1][0] == "/"
        and all(op != "/" for op, _ in parts[2:k])
    )


def _check_scaled(reader: Reader, a: Value, b: Value, at: int, scope: Scope) -> None:
    """Raises ReadError for K_k H_k, H_k a matrix or vector, where nothing says what K is."""
    names = reader.names
    for number, matrix in ((a, b), (b, a)):
        term = number.term
        if not isinstance(term, Ref) or len(term.slots) != 1 or number.axes or not matrix.axes:
            continue
        slot, head = term.slots[0], term.name.split("_")[0]
        capital = len(head) == 1 and head.isupper()
        capital = capital and term.name not in names.declared | reader.uses.keys()
        same = isinstance(slot, Letter) and slot.real() in {x.real() for x in matrix.free}
        if names.lenient and capital and same:
            raise reader.fail(
                at,
                f"{term.name} with one index stands beside a matrix: a number, or a matrix too?",
                expected=f"a shape of {term.name}",
                mend=f"declare <!-- symattn: sizes {term.name}:(n,p,q) --> or {term.name}:(n)",
            )


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
                end = product_end(parts, k)
                rest = parts[k + 1 : end]
                return sums.product(reader, sign, scripts, rest, scope), end, None
            case "int" if reader.names.lenient:
                return (*integrals.read(reader, parts, k, scope), None)
            case "function" if sign.text == "lim":
                return sums.limit(reader, sign, scripts, rest, scope), len(parts), None
            case "ones" if (mask := _indicator(reader, scripts, rest, scope)) is not None:
                return mask, k + 2, None
            case "function":
                return (*_function(reader, sign, scripts, parts, k, scope), None)
            case variations.KIND:
                return (*variations.of_sign(reader, sign, parts, k, scope), None)
            case "partial":
                return (*derivatives.partial(reader, sign, scripts, parts, k, scope), None)
            case "nabla":
                return (*derivatives.nabla(reader, sign, scripts, parts, k, scope), None)
    _expectation(reader, parts, k)
    call = application(parts, k)
    if call is not None:
        applied = calls.applied(reader, call, scope)
        if applied is not None:
            return applied, call.after, None
    if isinstance(node, Fraction):
        derivatives.check_evaluated(reader, node, parts, k)
        derived = derivatives.operator(reader, node, parts, k, scope)
        if derived is not None:
            return (*derived, None)
    if isinstance(node, Group) and node.bracket == "(" and len(node.items) == 1:
        node = replace(node, items=(reader.tight(node.items[0]),))
    if op != "/" and isinstance(node, Fraction | Group):
        span = products.factors(reader, node, scope)
        return span[0][1], k + 1, span
    return reader.factor(node, scope), k + 1, None


def product_end(parts: Parts, k: int) -> int:
    r"""The place behind what ∏ at `k` is of: a_i of \prod_i a_i \prod_j b_j, and of \prod_i b_i."""
    own = _bound(parts[k][1])
    for n in range(k + 2, len(parts)):
        sign = sign_of(parts[n][1])
        if sign is None or sign.kind not in ("prod", "sum") or parts[n][0] not in ("", "·"):
            continue
        used = {x.text for _, part in parts[n:] for x in walk(part) if isinstance(x, Name)}
        if own and (own & _bound(parts[n][1]) or not own & used):
            return n
    return len(parts)


def _bound(node: Node) -> set[str]:
    """The names below a sign."""
    below = [s for mark, s in node.scripts if mark == "_"] if isinstance(node, Scripted) else []
    return {x.text for s in below for x in walk(s) if isinstance(x, Name)}


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
    base = base_of(node)
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


_SPACE = re.compile(r"\\[,:;> ]|\\q?quad|~")
_ANGLES = frozenset(
    ["sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "coth", "sech", "csch"]
)
_RATES = frozenset(["omega", "Omega", "k", "kappa", "nu"])  # what angles turn with


def _function(
    reader: Reader,
    sign: Symbol,
    scripts: tuple[tuple[str, Node], ...],
    parts: Parts,
    k: int,
    scope: Scope,
) -> tuple[Value, int]:
    inner = sign_of(parts[k + 1][1]) if sign.text == "arg" and k + 1 < len(parts) else None
    if inner is not None and inner.text in ("max", "min"):
        sign, k = Symbol(sign.at, "function", f"arg{inner.text}"), k + 1
        place = parts[k][1]
        scripts = place.scripts if isinstance(place, Scripted) else ()
    below = next((s for mark, s in scripts if mark == "_"), None)
    above = [(mark, s) for mark, s in scripts if mark == "^"]
    if sign.text in INVERSES and len(above) == 1 and matrices.minus_one(above[0][1]):
        sign, above = Symbol(sign.at, "function", INVERSES[sign.text]), []
    if sign.text == "acot":
        raise reader.fail(
            sign,
            "arccot has values in (0, π), or in (−π/2, π/2]",
            expected=r"\frac{\pi}{2} - \arctan x, or \arctan \frac{1}{x}",
            mend="write one of them",
        )
    argument, k, outer = _argument(reader, sign, parts, k)
    if is_sign(sign):
        said = averages.Average(sign.at, sign.text, below, listed(argument))
        value = averages.read(reader, said, scope)
        return brackets.with_scripts(reader, value, (*above, *outer), scope, sign.at), k
    order = sum(len(s.text) for mark, s in scripts if mark == "'" and isinstance(s, Symbol))
    value = (
        calls.of_record(reader, sign.text, order, argument, sign.at, scope)
        if order
        else functions.apply(reader, sign, below, argument, scope)
    )
    return brackets.with_scripts(reader, value, (*above, *outer), scope, sign.at), k


def _is_plain(node: Node) -> bool:
    """A name or a number, and {0}, which stands for the t of cos ω t at t = 0."""
    braced = isinstance(node, Group) and node.bracket == "{"
    braced = braced and not isinstance(node.bracket, Called)  # type: ignore[attr-defined]
    return braced or isinstance(node, Name | NumberNode)


def _is_rate(node: Node) -> bool:
    """The ω_d of cos ω_d t, and the k_x of sin k_x x: what turns an angle, with a label."""
    labelled = isinstance(node, Scripted) and all(sign == "_" for sign, _ in node.scripts)
    return labelled and base_name(base_of(node)) in _RATES


def _applied(reader: Reader, parts: Parts, k: int) -> bool:
    """True where a function of the registry stands before its brackets: σ(c), ReLU(c)."""
    call = application(parts, k)
    name = base_name(parts[k][1])
    logistic = name == "sigma" and reader.names.logistic
    record = primitives.by_word("sigmoid" if logistic else name or "")
    return call is not None and record is not None and name not in reader.names.ranks


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
    braces = ("\\{",) if sign.text in ("max", "min") else ()  # max{a, b} c
    whole = isinstance(node, Group) and not isinstance(node.bracket, Put | Called)
    if isinstance(node, Group) and whole and node.bracket in ("(", "[", "{", *braces):
        return node, k + 1, ()
    own = ("(", "[", *braces)
    if isinstance(node, Scripted) and isinstance(node.base, Group) and node.base.bracket in own:
        if sign.text == "tr" and _is_inverse(reader, node):
            return node, k + 1, ()
        return node.base, k + 1, node.scripts
    end = calls.end(reader, parts, k)
    while end < len(parts) and (end == k or parts[end][0] == ""):
        inner = sign_of(parts[end][1])
        if inner is not None and inner.kind in ("sum", "function", "partial", "nabla"):
            if inner.kind == "sum" and _averages(reader, sign, parts[k:end], parts[end][1]):
                return Product(node.at, tuple(parts[k:])), len(parts), ()
            if end == k:
                end = len(parts) if inner.kind == "sum" else end + 2
            break
        end += 1
    first = max(calls.end(reader, parts, k), k + 1)
    if sign.text in _ANGLES and reader.names.lenient:  # cos m θ
        plain = (
            n
            for n in range(k, end)
            if not (_is_plain(parts[n][1]) or (n == k and _is_rate(node)))
            or _applied(reader, parts, n)
        )
        first = max(first, next(plain, end))
        parted = next((n for n in range(k + 1, end) if _is_parted(reader, parts, k, n)), end)
        first, end = min(first, parted), parted
    if sign.text in _ANGLES and isinstance(parts[min(first, len(parts) - 1)][1], Group):
        end = min(first, end)  # sin θ (1 + x)
    call = application(parts, k)
    if reader.names.lenient and call is not None:  # log p(x, z) and det J(x)
        listed = len(call.items) > 1 or bool(call.given)
        if listed or (sign.text in ("det", "tr", "diag") and len(call.items) == 1):
            first = call.after
    counted = reader.names.lenient and isinstance(node, NumberNode)  # log 2πσ²
    parted = any(_is_parted(reader, parts, k, n) for n in range(k + 1, end)) if counted else False
    if end > first and sign_of(node) is None and (not counted or parted):
        raise reader.fail(
            parts[first][1],
            f"how far does {sign.text} reach?",
            expected=f"{sign.text}(a) b or {sign.text}(a b)",
            mend=f"put brackets behind {sign.text}",
        )
    stretch = tuple(parts[k:end])
    return (Product(node.at, stretch) if len(stretch) > 1 else node), min(end, len(parts)), ()


def _averages(reader: Reader, sign: Symbol, before: Parts, summed: Node) -> bool:
    r"""True for the \frac1n of \log \frac1n \sum_i x_i, and c/n before \sum_{i=1}^n: averages.

    Raises ReadError for \log \frac12 \sum_i x_i, which may as well be log ½ times a sum.
    """
    factor = before[0][1] if len(before) == 1 else None
    scripts = summed.scripts if isinstance(summed, Scripted) else ()
    if not isinstance(factor, Fraction):
        return False
    if any(mark == "^" and spelled(s) == spelled(factor.bottom) for mark, s in scripts):
        return True
    if not isinstance(factor.top, NumberNode):
        return False
    if not isinstance(factor.bottom, NumberNode):
        return True
    raise reader.fail(
        summed,
        f"how far does {sign.text} reach?",
        expected=f"{sign.text}(a) b or {sign.text}(a b)",
        mend=f"put brackets behind {sign.text}",
    )


def _is_inverse(reader: Reader, node: Scripted) -> bool:
    r"""True for \mathrm{tr} (X^\top X + λ I)^{-1}, the trace of an inverse, as the gap shows.

    Raises ReadError for \mathrm{tr}(X^\top X)^{-1}, which may as well be one over a trace.
    """
    compound = any(isinstance(n, Product | Addition) for n in walk(node.base))
    if len(node.scripts) != 1 or not matrices.minus_one(node.scripts[0][1]) or not compound:
        return False
    before = reader.source.text[: node.at].removesuffix(r"\left").removesuffix(r"\bigl")
    if re.search(r"(?:\s|\\[,:;> ]|\\left|~)$", before):
        return True
    raise reader.fail(
        node,
        "a power behind the brackets of tr: of the matrix, or of the trace?",
        expected=r"\mathrm{tr}\left((…)^{-1}\right), or (\mathrm{tr}(…))^{-1}",
        mend="put brackets",
    )


def _is_parted(reader: Reader, parts: Parts, k: int, n: int) -> bool:
    r"""True where sin θ \, r and cos θ \dot φ end the argument; 2π \, f goes on."""
    constant = all(isinstance(p, NumberNode) or p == Name(p.at, "pi") for _, p in parts[k:n])
    before, part = parts[n - 1][1], parts[n][1]
    inner = base_of(part)
    spaced = _SPACE.search(reader.source.text[before.at : part.at]) is not None
    moving = isinstance(inner, Accent) and not isinstance(before, Accent)
    return not constant and (spaced or moving)
