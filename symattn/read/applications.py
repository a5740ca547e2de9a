"""Applications: a name before round brackets, f(x), P(j), p(x | θ)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from .names import Context, atoms, base_name, is_letter, is_open, plain
from .tree import (
    Accent,
    Addition,
    Fraction,
    Given,
    Group,
    Name,
    Node,
    Number,
    Product,
    Scripted,
    Symbol,
    base_of,
    children,
    is_equation,
    spelled,
    walk,
)

Parts = Sequence[tuple[str, Node]]  # operator and factor, in a row


@dataclass(frozen=True)
class Application:
    """name(items | given)…: what stands in the brackets, the scripts behind, the next factor."""

    name: Node
    items: tuple[Node, ...]
    given: tuple[Node, ...]
    scripts: tuple[tuple[str, Node], ...]
    after: int

    @property
    def bold(self) -> bool:
        """True for a bold name, which is another function than the light one."""
        inner = self.name
        while not isinstance(inner, Name):
            inner = inner.body if isinstance(inner, Accent) else inner.base  # type: ignore[attr-defined]
        return inner.style == "bold"

    @property
    def raised(self) -> bool:
        r"""True for f(x)^2, f(x)^{-1}, f(x)^\top, which are not f(x)."""
        above = (s for sign, s in self.scripts if sign == "^")
        return self.turned or any(isinstance(s, Number | Addition) for s in above)

    @property
    def turned(self) -> bool:
        r"""True for f(x)^\top."""
        above = (s for sign, s in self.scripts if sign == "^")
        return any(s in (Symbol(s.at, "top"), Name(s.at, "T")) for s in above)

    @property
    def squared(self) -> bool:
        """True for a sum, product or quotient under a power, k (x/y)^2, and for k (1 - 2x + y)."""
        inside = self.items[0] if len(self.items) == 1 else None
        powers = any(sign == "^" and isinstance(s, Number) for sign, s in self.scripts)
        if not isinstance(inside, Addition):
            return powers and isinstance(inside, Product | Fraction)
        terms = [part for _, part in inside.parts]
        return powers or (len(terms) > 2 and any(isinstance(t, Number) for t in terms))

    @property
    def bold_argument(self) -> bool:
        """True for μ(x) of one name: nobody multiplies a vector by a name in brackets."""
        return len(self.items) == 1 and base_name(base_of(self.items[0])) is not None

    def split(self, here: Context) -> tuple[tuple[Node, ...], tuple[Node, ...]]:
        """Index letters, P(j) and p(i | j), and arguments proper.

        What an index is given and is no index itself, the θ of p(i | θ), is no argument.
        """
        letters = tuple(i for i in (*self.items, *self.given) if _is_index(i, here))
        below = [a for sign, s in self.scripts if sign == "_" for a in atoms(s)]
        arguments = tuple(i for i in self.items if i not in letters)
        if not letters:
            arguments += self.given
        return (*letters, *(a for a in below if is_letter(a) or isinstance(a, Number))), arguments

    def parameters(self, letters: Sequence[Node]) -> tuple[Node, ...]:
        """What p(i | θ) depends on beside its indices."""
        return tuple(g for g in self.given if g not in letters)


def _is_index(item: Node, here: Context) -> bool:
    return is_open(item) or (is_letter(item) and item.text in here.bound)


def application(parts: Parts, k: int) -> Application | None:
    """A name before round brackets at factor `k`; f(x)(i) is one application."""
    name = parts[k][1]
    if not isinstance(plain(name), Name | Accent | Scripted):
        return None
    if isinstance(name, Scripted) and base_name(plain(name).base) is None:  # type: ignore[attr-defined]
        return None
    if isinstance(name, Scripted) and name.base == Name(name.base.at, "e"):  # e^{-x} (1 + x)
        return None
    items: list[Node] = []
    given: list[Node] = []
    step = k + 1
    while step < len(parts):
        op, group = parts[step]
        inner = base_of(group)
        if op != "" or not isinstance(inner, Group) or inner.bracket != "(":
            break
        if isinstance(group, Scripted) and _raised(group):
            break
        if items and not all(map(_outcome, inner.items)):
            break  # σ(x) (1 - σ(x))
        if len(inner.items) == 1 and _holds(inner.items[0], _underived(name)):
            break  # n (1 - n/K), whatever else n(t) is, and σ' (1 - 2σ)
        for item in inner.items:
            items += item.items if isinstance(item, Given) else (item,)
            given += item.given if isinstance(item, Given) else ()
        step += 1
        if isinstance(group, Scripted):
            return Application(name, tuple(items), tuple(given), group.scripts, step)
    return Application(name, tuple(items), tuple(given), (), step) if items else None


def whole(side: Node | None) -> Application | None:
    """The f(x) that an expression is, with no factor beside it."""
    call = application(side.parts, 0) if isinstance(side, Product) else None
    return call if call and isinstance(side, Product) and call.after == len(side.parts) else None


def defined(tree: Node) -> Application | None:
    """The f(x) of f(x) = …."""
    return whole(tree.sides[0]) if is_equation(tree) and not of_itself(tree) else None


def of_itself(tree: Node) -> bool:
    """True for g(y) = g(x) + …, which says something of g and does not define it."""
    left = whole(tree.sides[0]) if is_equation(tree) else None
    if left is None:
        return False
    name, many = base_name(left.name), len(left.items)
    given = (c for side in tree.sides[1:] for _, _, c in calls(side))  # type: ignore[attr-defined]
    return any(base_name(c.name) == name and len(c.items) == many for c in given)


def calls(tree: Node) -> Iterator[tuple[Product, int, Application]]:
    """Every application in an expression: its product, and at which factor it stands."""
    for node in walk(tree):
        if isinstance(node, Product):
            yield from ((node, k, call) for k, call in applied(node))


def applied(node: Product) -> tuple[tuple[int, Application], ...]:
    """The applications among the factors of a product, each with its place."""
    try:
        return node.applied
    except AttributeError:
        found = ((k, application(node.parts, k)) for k in range(len(node.parts)))
        known = tuple((k, call) for k, call in found if call is not None)
        object.__setattr__(node, "applied", known)
        return known


def _underived(name: Node) -> Node:
    """The σ of σ'."""
    return replace(name, text=name.text.rstrip("'")) if isinstance(name, Name) else name


def _holds(node: Node, name: Node) -> bool:
    """True where the name stands in an expression with no bracket behind it."""
    if spelled(node) == spelled(name):
        return True
    inside = list(children(node))
    if isinstance(node, Scripted):  # the R of z_R is no name by itself
        inside = [node.base, *(s for sign, s in node.scripts if sign == "^")]
    if isinstance(node, Product):
        behind = [p for _, p in node.parts[1:]] + [None]
        inside = [
            p
            for (_, p), after in zip(node.parts, behind, strict=True)
            if not isinstance(after, Group) or spelled(p) != spelled(name)
        ]
    return any(_holds(child, name) for child in inside)


def _outcome(item: Node) -> bool:
    """True for the i of f(x)(i), which is no factor."""
    return is_letter(item) or is_open(item)


def _raised(group: Scripted) -> bool:
    """True for η (F^{-1})^{ij}: brackets under upper indices are a factor, not an argument.

    Nobody puts brackets round one letter for that: F(x)^n.
    """
    inner = base_of(group)
    if isinstance(inner, Group) and all(isinstance(i, Name) and not i.style for i in inner.items):
        return False
    return any(sign == "^" and all(map(is_letter, atoms(s))) for sign, s in group.scripts)
