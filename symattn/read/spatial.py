r"""Fields in space: formulas with \nabla\cdot, \nabla\times, (A \cdot \nabla) and \epsilon_{ijk}.

The formulas are kept as they are written; what they come to, component by component, is the
business of `symattn.checker.fields`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from .names import atoms, is_letter
from .tree import (
    Accent,
    Chain,
    Group,
    Name,
    Node,
    Product,
    Scripted,
    Symbol,
    is_equation,
    is_nabla,
    walk,
)

OPERATORS = frozenset(["curl", "divergence", "cross"])
PERMUTATION = frozenset(["epsilon", "varepsilon"])
_FLAT = re.compile(
    r"two[- ]dimension|\bplane\b|\\mathbb\s*\{?R\}?\s*\^\s*\{?[124-9]|curved|covariant",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"position(?: vector)?|radius vector|distance (?:from|to) the origin", re.IGNORECASE
)
_NAMES = r"\$[^$]{1,40}\$(?:(?:,| and|, and) \$[^$]{1,40}\$){0,4}"
_CONSTANT = re.compile(
    rf"(?:constants?|uniform|numbers?)\s+(?:[a-z]+\s+)?({_NAMES})"
    rf"|({_NAMES})\s+(?:is|are|be|being)\s+(?:an?\s+|all\s+|some\s+)?(?:constant|uniform|number)"
)


_LETTERS = re.compile(r"(?:(?<=\\)[a-zA-Z]+|(?<![A-Za-z\\])[A-Za-z])(?: ?_ ?\w)?(?![A-Za-z])")


@dataclass(frozen=True)
class Said:
    """What a text says of fields: which names are vectors, which do not vary, what is symmetric.

    `vectors` are light letters, beside those that are `bold`.
    """

    bold: frozenset[str]
    vectors: frozenset[str]
    constants: frozenset[str]
    exponents: frozenset[str]
    symmetric: frozenset[str]
    place: bool  # bold r is where one is, and r its length
    formulas: tuple[tuple[int, Chain], ...]


@dataclass(frozen=True)
class Claim:
    """A formula of fields, and what the text says of them."""

    at: int
    tree: Chain
    said: Said


def gather(
    formulas: Iterable[tuple[int, Node]], text: str, symmetric: Iterable[str], space: bool
) -> dict[int, Claim]:
    """The formulas of a text with operators of space, by place; none where there are no such.

    A cross product alone tells of space only where words do.
    """
    every = [(at, t) for at, t in formulas if is_equation(t)]
    signs = [n for _, t in every for n in walk(t) if _is_spatial(n)]
    told = space or any(getattr(n, "text", "") != "cross" for n in signs)
    if _FLAT.search(text) or not (signs and told):
        return {}
    every_name = [k for _, t in every for n in walk(t) if (k := key(n)) is not None]
    bold = {name for name, is_bold in every_name if is_bold}
    vectors = {x for _, t in every for n in walk(t) for x in _vectors(n)} - bold
    words = " ".join(text.split())
    constants = {x for m in _CONSTANT.finditer(words) for x in _letters(m[1] or m[2])}
    exponents = {x for _, t in every for n in walk(t) for x in _exponents(n)}
    place = _PLACE.search(text) is not None
    said = Said(
        frozenset(bold),
        frozenset(vectors),
        frozenset(constants | exponents),
        frozenset(exponents),
        frozenset(symmetric),
        place,
        tuple(every),
    )
    speaks, before = set[str](), -1
    while before < len(speaks):  # what is made of derivatives, and what is made of that
        before = len(speaks)
        for _, t in every:
            own = key(getattr(t.sides[0], "base", t.sides[0]))
            if own is not None and _is_about(t, speaks):
                speaks.add(own[0])
    return {at: Claim(at, t, said) for at, t in every if _is_about(t, speaks)}


def _is_about(tree: Chain, speaks: set[str]) -> bool:
    inside = walk(tree)
    return any(_speaks(n) or (isinstance(n, Name) and n.text in speaks) for n in inside)


def is_permutation(node: Node) -> bool:
    """True for ε_{ijk}."""
    match node:
        case Scripted(base=Name(text=text), scripts=(("_" | "^", script),)):
            inside = atoms(script)
            return text in PERMUTATION and len(inside) == 3 and all(map(_is_place, inside))
    return False


def _is_place(node: Node) -> bool:
    return is_letter(node) or getattr(node, "text", "") in ("1", "2", "3")


def _is_spatial(node: Node) -> bool:
    return (isinstance(node, Symbol) and node.text in OPERATORS) or is_permutation(node)


def _speaks(node: Node) -> bool:
    nabla = isinstance(node, Symbol) and node.kind in ("nabla", "partial")
    return _is_spatial(node) or nabla or is_unit(node)


def is_unit(node: Node) -> bool:
    """True for δ_{ij}."""
    match node:
        case Scripted(base=Name(text="delta"), scripts=(("_" | "^", script),)):
            return len(inside := atoms(script)) == 2 and all(map(_is_place, inside))
    return False


def _vectors(node: Node) -> Iterator[str]:
    """The names that are vectors: bold, under an arrow, behind \nabla\\cdot or beside \times."""
    match node:
        case Name(text=text, style="bold"):
            yield text
        case Accent(mark="vec", body=Name(text=text)):
            yield text
        case Product(parts=parts):
            for k, ((_, first), (op, second)) in enumerate(pairwise(parts)):
                if isinstance(first, Symbol) and first.text in OPERATORS:
                    items = second.items if isinstance(second, Group) else ()
                    after = items if first.text != "cross" else items[1:]
                    yield from (n.text for n in after if isinstance(n, Name))
                alone = not k or not is_nabla(parts[k - 1][1])  # no ∇f · ∇g
                if op == "·" and isinstance(first, Name) and is_nabla(second) and alone:
                    yield first.text


def _letters(inside: str) -> list[str]:
    r"""mu_0 and rho of $\mu_0$ and $\rho$."""
    plainly = re.sub(r"\\(?:mathbf|boldsymbol|bm|vec)\b|[{}]", " ", inside)
    return [x.replace(" ", "") for x in _LETTERS.findall(plainly)]


def _exponents(node: Node) -> Iterator[str]:
    """The n of r^n."""
    if not isinstance(node, Scripted) or isinstance(node.base, Symbol):
        return
    for mark, script in node.scripts:
        if mark == "^":
            yield from (n.text for n in walk(script) if isinstance(n, Name))


def key(node: Node) -> tuple[str, bool] | None:
    """What a name is called, and whether it is bold or under an arrow; None for no name."""
    match node:
        case Name(text=text, style=style):
            return text, style == "bold"
        case Accent(mark="vec", body=body) if (inner := key(body)) is not None:
            return inner[0], True
        case Accent(mark=mark, body=body) if (inner := key(body)) is not None:
            return f"{inner[0]}_{mark}", inner[1]
        case Group(bracket="{", items=(inner_,)):
            return key(inner_)
    return None


__all__ = ["Claim", "Said", "gather", "is_permutation", "key"]
