r"""What σ(…) is: the logistic function, unless a text says that σ is another one.

σ(z) = … is what it says; σ = \tanh and "σ is the ReLU" call a function by that name; an
"activation function σ" of a text without the word sigmoid may be any.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .. import primitives
from .applications import application, calls, defined
from .names import base_name
from .tree import (
    BRACKETS,
    Addition,
    Chain,
    Fraction,
    Group,
    Name,
    Node,
    Number,
    Product,
    Scripted,
    Symbol,
    rebuilt,
    spelled,
    walk,
)

LOGISTIC = "sigmoid"
SHOWN, CONVENTION = r"\sigma(…)", "the logistic function by convention"
_SIGMA = r"(?:\$|\\\()\s*\\sigma(?:\s*\(\s*(?:\\cdot|[a-z])\s*\))?\s*"
_CLOSED = r"(?:\$|\\\))"
_LOGISTIC = r"(?:sigmoid\w*|logistic|expit)(?: (?:function|sigmoid|activation|nonlinearity))?"
_SAID = re.compile(  # of σ itself
    rf"(?:{_LOGISTIC} {_SIGMA}|{_SIGMA}(?:=[^$]*)?{_CLOSED},?(?: (?:is|be|denotes|for|as|the|a))* "
    rf"(?:[\w-]+ ){{0,2}}{_LOGISTIC})(?! or\b|, )",
    re.IGNORECASE,
)
_SPOKEN = re.compile(r"sigmoid|logistic|expit", re.IGNORECASE)
_RIVAL = re.compile(r"tanh|hyperbolic tangent|relu|rectifie|gelu|swish|softplus", re.IGNORECASE)
_ONE_MINUS = r"1\s*-\s*\\sigma\s*'*(?:\s*(?:\\left)?\([^()]*(?:\([^()]*\)[^()]*)*\))?\s*"
_SLOPE = re.compile(rf"{_ONE_MINUS}(?![\s^(])")  # σ (1 - σ)
_OTHERWISE = re.compile(rf"{_ONE_MINUS}\^")  # 1 - σ²
_ANY = re.compile(
    rf"(?:activation|non-?linearity|transfer)(?: functions?)? {_SIGMA}|"
    rf"{_SIGMA}(?::[^$]*)?{_CLOSED}"
    r"(?: (?:is|be|denotes|for|as))? (?:an?|the|some|any|our)? ?(?:[\w-]+ ){0,4}"
    r"(?:activation|non-?linearity|nonlinear function|transfer function)",
    re.IGNORECASE,
)
_CALLED = re.compile(
    rf"(?:{_SIGMA}{_CLOSED}(?: (?:is|be|denotes|for|as|=))?|activation(?: function)?(?: is)?) "
    r"(?:the )?(?P<named>tanh|hyperbolic tangent|relu|rectifie[rd][\w ]*|softplus|"
    r"gelu|silu|swish|elu|erf|identity)\b",
    re.IGNORECASE,
)
_NAMED = {"hyperbolic tangent": "tanh", "swish": "silu"}
_POINTS = (-0.7, 0.4, 1.3)


def meaning(trees: Sequence[Node], text: str) -> tuple[str, bool]:
    """The function that σ(…) is, empty for one of the text's own; True where the text says so."""
    found = [one for tree in trees if (one := _stated(tree)) is not None]
    if found:
        return ("" if len({*found}) > 1 else found[0]), True
    words = " ".join(text.split())
    if (called := _CALLED.search(words)) is not None and r"\sigma" in called[0]:
        name = _NAMED.get(called["named"].lower(), called["named"].lower())
        return (name if primitives.by_word(name) is not None else ""), True
    if _SAID.search(words):
        return LOGISTIC, True
    if _ANY.search(words) and (_RIVAL.search(words) or not _SPOKEN.search(words)):
        return "", True  # an activation σ such as tanh or the sigmoid
    shown = _SLOPE.search(text) and not _OTHERWISE.search(text)
    if shown or (_SPOKEN.search(words) and not _RIVAL.search(words)):
        return LOGISTIC, True
    applied = any(base_name(call.name) == "sigma" for tree in trees for _, _, call in calls(tree))
    return LOGISTIC, not applied


def _stated(tree: Node) -> str | None:
    """What an equation says that σ is: σ(z) = … or σ = \\tanh; None where it says nothing of it."""
    if isinstance(tree, Chain) and base_name(tree.sides[0]) == "sigma":
        match tree.sides[1]:
            case Symbol(kind="function", text=name) if primitives.by_word(name) is not None:
                return name
    call = defined(tree)
    if call is None or base_name(call.name) != "sigma" or len(call.items) != 1 or call.scripts:
        return None
    assert isinstance(tree, Chain)
    body, argument = tree.sides[1], call.items[0]
    if not isinstance(argument, Name) or all(spelled(n) != spelled(argument) for n in walk(body)):
        return None  # σ(a x + b) = 1/2, σ(0) = 1/2
    for x in _POINTS:
        value = _value(body, argument, x)
        if value is None or not math.isclose(value, 1 / (1 + math.exp(-x)), rel_tol=1e-12):
            return ""
    return LOGISTIC


def _value(node: Any, argument: Node, x: float) -> float | None:
    """The value of an expression in one argument; None for anything that numbers do not give."""

    def of(inside: Any) -> float:
        if spelled(inside) == spelled(argument):
            return x
        match inside:
            case Number():
                return float(inside.text)
            case Name(text="e"):
                return math.e
            case Group(items=(one,)) if inside.bracket in BRACKETS:
                return of(one)
            case Fraction():
                return of(inside.top) / of(inside.bottom)
            case Addition():
                return sum(sign * of(part) for sign, part in inside.parts)
            case Scripted(scripts=(("^", power),)):
                return float(of(inside.base) ** of(power))
            case Product():
                return product(inside.parts)
        raise ValueError

    def product(parts: Any) -> float:
        (_, first), *rest = parts
        if isinstance(first, Symbol) and first.kind == "function" and first.text == "exp" and rest:
            value, rest = math.exp(of(rest[0][1])), rest[1:]
        else:
            value = of(first)
        if not rest:
            return value
        (op, _), *_ = rest
        behind = product(rest)
        return value / behind if op == "/" and len(rest) == 1 else _times(op, value, behind)

    try:
        return of(node)
    except (ValueError, ArithmeticError, TypeError):
        return None


def _times(op: str, value: float, behind: float) -> float:
    if op not in ("", "·"):
        raise ValueError
    return value * behind


def named(tree: Node, function: str) -> Node:
    """The tree with σ(…) as a function of the registry."""

    def change(node: Any) -> Any:
        if not isinstance(node, Product):
            return node
        parts = tuple(
            (op, _function(part, function) if application(node.parts, k) is not None else part)
            for k, (op, part) in enumerate(node.parts)
        )
        return replace(node, parts=parts) if parts != node.parts else node

    found: Node = rebuilt(tree, change)
    return found


def _function(node: Node, function: str) -> Node:
    """The function for σ and for σ'."""
    name = base_name(node) or ""
    if name.rstrip("'") != "sigma":
        return node
    sign: Node = Symbol(node.at, "function", function)
    marks = name.removeprefix("sigma")
    return Scripted(node.at, sign, (("'", Symbol(node.at, "prime", marks)),)) if marks else sign


def names_it(tree: Node) -> bool:
    """True for σ = \\tanh, which says what σ is and claims nothing."""
    return isinstance(tree, Chain) and base_name(tree.sides[0]) == "sigma" and bool(_stated(tree))


__all__ = ["CONVENTION", "LOGISTIC", "SHOWN", "meaning", "named", "names_it"]
