"""The functions that a document applies: which are many of one name, and which are vectors."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .applications import Application, calls
from .evidence import Statements, name_of
from .names import DISTRIBUTIONS, Context, Names, plain, unmarked
from .scripts import Component
from .tree import (
    Accent,
    Chain,
    Name,
    Node,
    Product,
    Scripted,
    Stack,
    Symbol,
    sign_of,
    spelled,
)

_NAME = r"(?:\$|\\\()\s*\\?(?P<name>[A-Za-z]+)(?:\s*\(\s*\\cdot\s*\))?\s*(?:\$|\\\))"
_EACH = r"(?:element|component|point|coordinate|entry)-?\s?wise"
_FUNCTION = r"(?:activation|non-?linearity)"  # a nonlinear function may be any one of a vector
_POINTWISE = (
    re.compile(rf"{_FUNCTION}(?: functions?)? {_NAME}"),
    re.compile(rf"{_NAME} (?:(?:is|be|denotes|for) )?(?:an?|the|some) "
               rf"(?:[a-z-]+ ){{0,3}}{_FUNCTION}"),
    re.compile(rf"{_NAME} (?:is |are |be )?(?:appli(?:ed|es)|acts?|operat(?:es|ed)) "
               rf"(?:[a-z]+ ){{0,3}}{_EACH}"),
    re.compile(rf"{_EACH} (?:[a-z-]+ )?(?:functions?|{_FUNCTION}s?) {_NAME}"),
)  # fmt: skip


def gather(statements: Statements, names: Names) -> None:
    """Enter `families`, `valued` and `pointwise` of the names that stand before brackets."""
    text = " ".join(names.source.text.split())
    names.pointwise |= {found["name"] for p in _POINTWISE for found in p.finditer(text)}
    lefts: dict[str, set[object]] = {}
    for tree, here in statements:
        left = plain(tree.sides[0]) if isinstance(tree, Chain) else None
        for node, k, call, found in _calls(tree, names, here):
            if any(op == "∘" for op, _ in node.parts) and unmarked(found.name)[1]:
                names.pointwise.add(unmarked(found.name)[0])  # δ ⊙ φ'(z)
            rank = 0
            varied = k > 0 and sign_of(node.parts[k - 1][1]) is not None
            if not varied and _is_vector(call, found):
                rank = 2 if found.name[:1].isupper() else 1
            key = (found.name, call.bold)
            names.valued[key] = max(rank, names.valued.get(key, 0))
            arguments = call.split(here)[1]
            if found.slots or not arguments or found.transposed or found.power is not None:
                continue
            density = found.name.split("_")[0] in DISTRIBUTIONS
            tensor = (density and found.name in names.alone) or bool(names.ranks.get(found.name, 0))
            alone = node is left and not k and call.after == len(node.parts)
            plainly = all(isinstance(a, Name | Scripted | Accent | Stack) for a in arguments)
            if call.given or (tensor and plainly and (alone or len(arguments) > 1)):
                names.families.add(found.name)
            if alone and (plainly or density):
                lefts.setdefault(found.name, set()).add(spelled(arguments))
    names.families |= {name for name, shapes in lefts.items() if len(shapes) > 1}
    names.families |= {n for n, bold in names.valued if bold and (n, False) in names.valued}


def _calls(
    tree: Node, names: Names, here: Context
) -> Iterator[tuple[Product, int, Application, Component]]:
    for node, k, call in calls(tree):
        if (found := name_of(call.name, names, here)) is not None:
            yield node, k, call, found


def _is_vector(call: Application, found: Component) -> bool:
    """True for functions that are bold, or transposed behind their brackets."""
    above = [s for sign, s in call.scripts if sign == "^"]
    turned = any(s in (Symbol(s.at, "top"), Name(s.at, "T")) for s in above)
    return call.bold or turned or found.transposed
