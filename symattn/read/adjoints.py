r"""Names of gradients: where \bar O = ∂L/∂O is said, or dO is the gradient by O, \bar V is ∂L/∂V.

A notation is a mark with a place for a name: \bar{X}, dX, G_X.  A text says it once, for one name,
and means it for all; or its equations run backward, from the gradients of what is computed later to
those of what it is computed from, in words that speak of gradients.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise

from ..explain.naming import GREEK
from .grammar import parse
from .names import Names, base_name, plain, reached
from .rewrite import differentials
from .source import Display, ReadError, Source
from .tokens import tokens
from .tree import (
    EQUAL,
    Accent,
    Chain,
    Fraction,
    Group,
    Name,
    Node,
    Number,
    Product,
    Scripted,
    Symbol,
    base_of,
    is_equation,
    replaced,
    walk,
)

FORWARD = re.compile(r"[Dd]ifferentials?\b|[Tt]angent|[Pp]erturb|infinitesimal|[Ff]orward[- ]mode")
D = "d"
_UNDER = " under "  # a name with its mark, as "x under hat"
_FORMULA = r"(?:(?<!\$)\$(?!\$)([^$]{1,80})\$(?!\$)|\\\(((?:(?!\\[()])[^$]){1,80})\\\))"
_CALLED = re.compile(
    rf"{_FORMULA}\s+(?:be|is|denotes?|means?|stands?\s+for|for)\s+"
    rf"(?:the\s+)?(?:upstream\s+)?(?:(?:gradient|derivative)\s+)?{_FORMULA}"
    rf"|{_FORMULA}\s*\(?(?:which\s+is\s+)?(?:is\s+)?(?:denoted|written|called)"
    rf"(?:\s+(?:as|by))?\s+{_FORMULA}"
)


@dataclass(frozen=True)
class Notation:
    """A gradient of `loss` by X: X under a mark, behind a d, or as a script of a letter."""

    kind: str  # "accent", "d" or "script"
    sign: str  # the mark or the letter
    loss: Name
    names: Mapping[str, str]  # what has such a gradient, with the style of its letter
    said: bool  # the text gives it, and the equations do not only suggest it

    @property
    def mark(self) -> str:
        r"""As a declaration says it: \bar, d or G_."""
        return {"accent": "\\" + self.sign, "script": self.sign + "_"}.get(self.kind, self.sign)

    def of(self, node: Node) -> Node | None:
        """The X, with its indices, whose gradient the node is."""
        found = _marked(node)
        if found is None or found[:2] != (self.kind, self.sign) or found[2].text not in self.names:
            return None
        if self.kind == "script":
            return node.scripts[0][1]  # type: ignore[attr-defined]
        text, inside = found[2].text, _indices(node)
        stem, _, mark = text.partition(_UNDER)
        name: Node = Name(found[2].at, stem, self.names[text])
        name = Accent(name.at, mark, name) if mark else name
        if self.kind == "d":  # dσ² is the gradient by σ²
            inside += tuple(s for s in _outside(plain(node)) if isinstance(s[1], Number))
        return Scripted(name.at, name, inside) if inside else name

    def outside(self, node: Node) -> tuple[tuple[str, Node], ...]:
        """The scripts of a marked name that are of the gradient, and not of the name."""
        scripts = _outside(plain(node))
        return tuple(s for s in scripts if self.kind != "d" or not isinstance(s[1], Number))


def gather(trees: Iterable[Node], names: Names) -> Notation | None:
    """The notation of gradients of a text, if it has one: as declared, as said, as used."""
    trees, text = list(trees), names.source.text
    if names.gradients is not None:
        mark, loss = names.gradients
        kind = "accent" if mark[0] == "\\" else "script" if mark[-1] == "_" else "d"
        family = (kind, mark.strip("\\_"))
        found = [_marked(n) for t in trees for n in walk(t)]
        marked = {f[2].text: "" for f in found if f and f[:2] == family}
        return Notation(kind, family[1], Name(0, loss), marked, True)
    for sides in (*(pair for tree in trees for pair in _equated(tree)), *_called(names.source)):
        for one, other in (sides, sides[::-1]):
            by, said = gradient(other), _marked(one)
            if by is None or said is None or said[2].text != by[1].text:
                continue
            if said[0] == D or not _defined_before(one, said, trees):
                known = {by[1].text: by[1].style, **_known(trees, said[:2])}
                return Notation(said[0], said[1], by[0], known, True)
    if not names.source.backward or FORWARD.search(text) is not None:
        return None
    shown = (_beside(*pair) for tree in trees for pair in _equated(tree))
    if (of := next((x for x in shown if x is not None), None)) is not None:
        return Notation(D, D, of, _known(trees, (D, D)), True)
    families = {m[:2] for t in trees for n in walk(t) if (m := _marked(n)) and m[0] != "script"}
    for family in sorted(families):
        known = _known(trees, family)
        if known and _backward(trees, family, known):
            return Notation(family[0], family[1], _loss(trees), known, False)
    return None


def _defined_before(node: Node, said: tuple[str, str, Name], trees: Iterable[Node]) -> bool:
    r"""An earlier equation says what the \hat x of ∂s/∂x = \hat x is, by nothing so marked."""
    for tree in trees:
        for left, right in _equated(tree):
            if node in (left, right):
                return False
            own = _marked(left)
            if own is not None and own[:2] == said[:2] and own[2].text == said[2].text:
                marks = (_marked(n) for n in walk(right))
                return gradient(right) is None and all(
                    m is None or m[:2] != said[:2] for m in marks
                )
    return False


def _called(source: Source) -> Iterator[tuple[Node, Node]]:
    r"""The \bar X and ∂L/∂X of “let $\bar X$ be $\partial L/\partial X$”."""
    for found in _CALLED.finditer(source.text):
        with suppress(ReadError):
            one, other = (
                differentials(source, parse(source, tokens(source, Display(*found.span(k)))), False)
                for k in range(1, found.re.groups + 1)
                if found[k]
            )
            yield one, other


def written_out(tree: Node, notation: Notation | None) -> Node:
    r"""The tree with ∂L/∂V for \bar V; an equation that says what \bar O is stays as it is."""
    if notation is None:
        return tree
    if isinstance(tree, Chain) and len(tree.sides) == 2 and tree.relations[0][0] in EQUAL:
        for one, other in (tree.sides, tree.sides[::-1]):
            if gradient(other) is not None and notation.of(plain(one)) is not None:
                return tree

    def change(node: Node) -> Node:
        of = notation.of(plain(node)) if isinstance(node, Name | Accent | Scripted) else None
        if of is None:
            return node
        top = Product(node.at, (("", Symbol(node.at, "partial")), ("", notation.loss)))
        below = Product(node.at, (("", Symbol(node.at, "partial")), ("", of)))
        found: Node = Fraction(node.at, top, below)
        outside = notation.outside(node)
        return Scripted(node.at, found, outside) if outside else found

    return replaced(tree, change)


def gradient(node: Node) -> tuple[Name, Name] | None:
    r"""L and X of ∂L/∂X, dL/dX and \nabla_X L."""
    match node:
        case Fraction(
            top=Product(parts=(("", a), ("", Name() as loss))),
            bottom=Product(parts=(("", b), ("", by))),
        ) if _is_d(a) and _is_d(b):
            pass
        case Product(parts=(("", a), ("", Name() as loss), ("/", b), ("", by))) if _is_d(
            a
        ) and _is_d(b):
            pass
        case Product(
            parts=(
                ("", Scripted(base=Symbol(kind="nabla"), scripts=(("_", by),))),
                ("", Name() as loss),
            )
        ):
            pass
        case _:
            return None
    inner = base_of(by)
    return (loss, inner) if isinstance(inner, Name) else None


def says(tree: Node) -> bool:
    """True for δ = ∂L/∂z, which says what δ is."""
    right = tree.sides[1:] if isinstance(tree, Chain) and tree.relations[0][0] in EQUAL else ()
    return len(right) == 1 and gradient(plain(right[0])) is not None


def losses(trees: Iterable[Node]) -> frozenset[str]:
    """What the gradients of a text are of."""
    found = (gradient(n) for t in trees for n in walk(t))
    return frozenset(pair[0].text for pair in found if pair is not None)


def _is_d(node: Node) -> bool:
    return (isinstance(node, Symbol) and node.kind == "partial") or (
        isinstance(node, Name) and node.text == D
    )


def _marked(node: Node) -> tuple[str, str, Name] | None:
    r"""The kind of mark, the mark and the name of \bar X_{ij}, dX_{ij} and G_X."""
    node = plain(node)
    inner = base_of(node)
    match inner:
        case Accent(body=Name(text=text)) if len(text) > 1 and text[0] == D and text[1:].isalnum():
            return "d", D, Name(inner.at, text[1:] + _UNDER + inner.mark)  # the dx of x̂
        case Accent(body=Name() as name):
            return "accent", inner.mark, name
        case Name(text=text) if (
            len(text) > 1 and text[0] == D and text[1:].isalnum() and text not in GREEK
        ):  # \delta is no d elta
            return "d", D, Name(inner.at, text[1:])
    match node:
        case Scripted(base=Name(text=text), scripts=(("_", below), *_)):
            of = base_of(below)
            return ("script", text, of) if isinstance(of, Name) else None
    return None


def _indices(node: Node) -> tuple[tuple[str, Node], ...]:
    """The scripts of a name that are indices."""
    scripts = node.scripts if isinstance(node, Scripted) else ()
    return tuple(s for s in scripts if not _is_outside(s))


def _outside(node: Node) -> tuple[tuple[str, Node], ...]:
    """The scripts of a name that are a power or a transposition."""
    scripts = node.scripts if isinstance(node, Scripted) else ()
    return tuple(filter(_is_outside, scripts))


def _is_outside(script: tuple[str, Node]) -> bool:
    sign, inner = script
    if isinstance(inner, Group) and len(inner.items) == 1:
        (inner,) = inner.items
    transposed = isinstance(inner, Name) and inner.text == "T"
    return sign == "^" and (isinstance(inner, Symbol | Number) or transposed)


def _equated(tree: Node) -> Iterator[tuple[Node, Node]]:
    """The pairs of sides of an equation."""
    if isinstance(tree, Chain) and all(r in EQUAL for r, _ in tree.relations):
        sides = [plain(s) for s in tree.sides]
        yield from pairwise(sides)


def _beside(one: Node, other: Node) -> Name | None:
    """The L of ∂L/∂y ∂y/∂w = dy x, where dy on one side is ∂L/∂y on the other.

    Not so in ∂U/∂S dS = T dS, where dS stands beside what is by S.
    """
    for side, opposite in ((one, other), (other, one)):
        given = {pair[1].text: pair[0] for n in walk(side) if (pair := gradient(n)) is not None}
        found = [given[x] for x in _plainly_marked(opposite) if x in given]
        if found and not _plainly_marked(side):
            return found[0]
    return None


def _plainly_marked(side: Node) -> list[str]:
    """The y of every dy outside of fractions."""
    inside = {id(n) for f in walk(side) if isinstance(f, Fraction) for n in walk(f)}
    found = (_marked(n) for n in walk(side) if id(n) not in inside)
    return [m[2].text for m in found if m is not None and m[:2] == (D, D)]


def _known(trees: list[Node], family: tuple[str, str]) -> dict[str, str]:
    """The names with such a mark that stand in the text without it, and their style."""
    marked: set[str] = set()
    inside: set[int] = set()
    for tree in trees:
        for node in walk(tree):
            found = _marked(node) if id(node) not in inside else None
            if found is not None and found[:2] == family:
                marked.add(found[2].text)
                inside |= {id(n) for n in walk(node)}
    alone: dict[str, str] = {}
    for node in (n for t in trees for n in walk(t) if id(n) not in inside):
        name = node.body if isinstance(node, Accent) else node
        if isinstance(name, Name):
            text = name.text + (_UNDER + node.mark if isinstance(node, Accent) else "")
            alone |= {text: name.style} if text in marked else {}
    return dict(sorted(alone.items()))


def _backward(trees: list[Node], family: tuple[str, str], names: Collection[str]) -> bool:
    """Whether all equations between such gradients run from what is computed to its parts."""
    uses: dict[str, set[str]] = {}
    runs: list[tuple[str, set[str]]] = []
    for tree in trees:
        if not is_equation(tree):
            continue
        left, *right = tree.sides
        found = _marked(left)
        inner = {n for r in right for n in _gradients(r, family, names)}
        if found is not None and found[:2] == family:
            runs.append((found[2].text, inner))
            continue
        left = plain(left)
        name = base_name(base_of(left))
        if name is not None:
            uses.setdefault(name, set()).update(
                n.text for r in right for n in walk(r) if isinstance(n, Name)
            )
    later = {n: reached(uses.get(n, ()), uses) for n in names}
    pairs = [(x, y) for x, inner in runs for y in inner if x != y]
    first = {x for x, inner in runs if not inner}  # gradients of the loss by what nothing else uses
    ends = all(first.isdisjoint(later[y] - {y}) for y in names)
    return bool(pairs) and ends and all(x in later.get(y, ()) for x, y in pairs)


def _gradients(tree: Node, family: tuple[str, str], names: Collection[str]) -> Iterator[str]:
    for node in walk(tree):
        found = _marked(node)
        if found is not None and found[:2] == family and found[2].text in names:
            yield found[2].text


def _loss(trees: list[Node]) -> Name:
    """What other gradients of the text are of; where there are none a name that is nothing else."""
    for tree in trees:
        for node in walk(tree):
            found = gradient(node)
            if found is not None:
                return found[0]
    taken = {n.text for tree in trees for n in walk(tree) if isinstance(n, Name)}
    return Name(0, next((x for x in ("L", "J") if x not in taken), "loss"))


__all__ = ["Notation", "gather", "gradient", "written_out"]
