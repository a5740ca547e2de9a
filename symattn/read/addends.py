"""What is added, and what an equation defines: as many axes as the other terms have."""

from __future__ import annotations

from collections.abc import Mapping

from .evidence import bare, is_slope, is_top, leaves, name_of
from .left import head
from .names import Context, Names, is_capital, plain
from .tree import (
    Addition,
    Fraction,
    Group,
    Matrix,
    Name,
    Node,
    Number,
    Product,
    Root,
    Scripted,
    Symbol,
    is_equation,
    walk,
)
from .unsaid import is_small, make_vector, unsaid


def beside_products(node: Addition, names: Names, here: Context, ranks: dict[str, int]) -> None:
    """The U of W x + U (r ⊙ h) is a matrix as W is, and r and h are vectors as x is."""
    if not any(
        isinstance(part, Product)
        and ranks.get(bare(part.parts[0][1], names, here) or "") == 2
        and rank_of(part, names, here, ranks) == 1
        for _, part in node.parts
    ):
        return
    for _, part in node.parts:
        match part:
            case Product(parts=((_, Name() as first), (_, Group(bracket="(", items=(inside,))))):
                name = bare(first, names, here)
                several = isinstance(inside, Addition | Product)
                if several and is_capital(name or "") and unsaid(name, names, ranks):
                    assert name is not None
                    ranks[name] = 2
                    small = (x for n in leaves(inside) if (x := bare(n, names, here)))
                    ranks |= {x: 1 for x in small if is_small(x) and unsaid(x, names, ranks)}


def of_definition(tree: Node, names: Names, here: Context, ranks: dict[str, int]) -> None:
    """The v of v = a ε - b x is a vector as ε and x are, and J of J = G u where both are known."""
    if not names.lenient or not is_equation(tree):
        return
    left, right = tree.sides[:2]
    name = bare(left, names, here)
    if isinstance(right, Fraction) and _is_number(right.bottom, names, here):
        right = right.top
    terms = [p for _, p in right.parts] if isinstance(right, Addition) else [right]
    if any(is_top(p) for term in terms for _, p in getattr(term, "parts", ())):
        return  # a^⊤ h is a number, though 1 - h says that h is one
    terms = [unscaled(term, names, here) for term in terms]
    for _, part in (p for t in terms if isinstance(t, Product) for p in t.parts):
        factor = bare(part, names, here) or ""
        matrix = is_capital(factor) and names.source.linear  # W of W x
        if is_top(part) or not (matrix or factor in ranks or factor in names.declared):
            return
    known = all(bare(n, names, here) in ranks for n in leaves(right))
    fits = name is not None and (is_small(name) or (is_capital(name) and known))
    axes = [rank_of(term, names, here, ranks) for term in terms]
    if name is not None and fits and unsaid(name, names, ranks) and {*axes} == {1}:
        ranks[name] = 1


def of_matrices(tree: Node, names: Names, here: Context, ranks: dict[str, int]) -> None:
    """The r of r = P Q^⊤ - R is a matrix where P and Q, or R, are declared as such."""
    if not is_equation(tree):
        return
    left, right = tree.sides[:2]
    name = bare(left, names, here)
    if name is None or not is_small(name) or not unsaid(name, names, ranks):
        return
    terms = [p for _, p in right.parts] if isinstance(right, Addition) else [right]
    for term in terms:
        parts = term.parts if isinstance(term, Product) else (("", term),)
        parts = tuple(
            (op, p)
            for k, (op, p) in enumerate(parts)
            if not (k == 0 and _is_ratio(p)) and not _is_factor(p, names, here, ranks)
        )  # the 1 of A 1 is a vector
        declared = all((bare(p, names, here) or "") in names.declared for _, p in parts)
        if declared and parts and rank_of(Product(term.at, parts), names, here, {}) == 2:
            ranks[name] = 2


def of_vector(tree: Node, names: Names, here: Context, ranks: dict[str, int]) -> None:
    """The x and y of z = a x + (1 - a) y are vectors where ‖z‖ says that z is one, a a number."""
    if not is_equation(tree):
        return
    left, right = tree.sides[:2]
    name = bare(left, names, here) or ""
    if ranks.get(name) != 1 or not is_small(name) or not isinstance(right, Addition):
        return
    found = [bare(unscaled(part, names, here), names, here) for _, part in right.parts]
    if all(x is not None and is_small(x) for x in found):
        ranks |= {x: 1 for x in found if x is not None and unsaid(x, names, ranks)}


def of_addition(
    node: Addition,
    names: Names,
    here: Context,
    ranks: dict[str, int],
    small: bool = False,
    known: Mapping[str, int] | None = None,
) -> None:
    """b in W x + b is a vector as W x is, and so is x in a x + b where a is a number.

    `known` are the axes of what equations define.
    """
    terms = [unscaled(part, names, here) for _, part in node.parts]
    every = {**known, **ranks} if known else ranks
    sizes = {rank_of(term, names, here, every) for term in terms} - {None}
    sizes |= {1} if any(is_slope(term) for term in terms) else set()
    if len(sizes) != 1:
        return
    (rank,) = sizes
    for part in terms:
        found = name_of(part, names, here) if isinstance(plain(part), Scripted) else None
        if (
            found is not None
            and len(found.slots) == 1
            and rank == (2 if is_capital(found.name) else 1)
        ):
            make_vector(part, names, here, ranks)
        x = bare(part, names, here)
        fits = x is not None and (is_small(x) if rank == 1 else rank == 2 and is_capital(x))
        fits = fits and (rank == 1 or not small)
        if x is not None and rank and fits and unsaid(x, names, every):
            ranks[x] = rank


def beside_unit(node: Addition, names: Names, here: Context, ranks: dict[str, int]) -> None:
    """The K of K + σ² I and of I - 2 K is a matrix, where the text inverts or transposes some."""
    if any(_is_unit(part, names, here) for _, part in node.parts):
        for x in (bare(_without_number(part), names, here) for _, part in node.parts):
            if x is not None and is_capital(x) and unsaid(x, names, ranks):
                ranks[x] = 2


def _without_number(node: Node) -> Node:
    """K of 2 K and of K/2."""
    if isinstance(node, Product):
        rest = [p for op, p in node.parts if not _is_ratio(p)]
        plain = all(op != "/" or _is_ratio(p) for op, p in node.parts)
        return rest[0] if len(rest) == 1 and plain else node
    return node


def _is_ratio(node: Node) -> bool:
    """2 and ½."""
    ends = (node.top, node.bottom) if isinstance(node, Fraction) else (node,)
    return all(isinstance(x, Number) for x in ends)


def has_quantity(tree: Node) -> bool:
    """True where I is a quantity: defined, squared or below a bar."""
    plainly = (head(tree), *(n.base for n in walk(tree) if isinstance(n, Scripted)))
    below = [x for n in walk(tree) if isinstance(n, Fraction) for x in leaves(n.bottom)]
    below += [
        x for n in walk(tree) if isinstance(n, Product)
        for op, part in n.parts if op == "/" for x in leaves(part)
    ]  # fmt: skip
    return any(isinstance(x, Name) and x.text == "I" for x in (*plainly, *below))


def _is_unit(node: Node, names: Names, here: Context) -> bool:
    """True for I and σ² I."""
    *factors, last = node.parts if isinstance(node, Product) else [("", node)]
    capitals = (is_capital(bare(x, names, here) or "") for _, p in factors for x in leaves(p))
    return last == ("", Name(last[1].at, "I")) and not any(capitals)


def unscaled(node: Node, names: Names, here: Context) -> Node:
    """The x of 2 √a x, where a is a number: the one factor that may have axes."""
    if not isinstance(node, Product) or any(op not in ("", "·", "/") for op, _ in node.parts):
        return node
    open_ = [(op, p) for op, p in node.parts if not _is_number(p, names, here)]
    return open_[0][1] if len(open_) == 1 and open_[0][0] != "/" else node


def _is_number(node: Node, names: Names, here: Context) -> bool:
    """True where all that an expression is made of is known to be numbers."""
    inside = list(leaves(node))
    plainly = not any(isinstance(n, Symbol | Matrix) for n in walk(node))
    return plainly and all(bare(x, names, here) in names.numbers for x in inside)


def _is_factor(node: Node, names: Names, here: Context, ranks: dict[str, int]) -> bool:
    """True for α/r and √d: small letters of which nothing says that they have axes."""
    if not isinstance(node, Fraction | Root):
        return False
    inside = [bare(x, names, here) for x in leaves(node)]
    plainly = not any(isinstance(n, Symbol | Matrix) for n in walk(node))
    known = (x for x in inside if x in ranks or (x in names.declared and names.ranks.get(x or "")))
    return plainly and not any(known) and not any(is_capital(x or "A") for x in inside)


def rank_of(node: Node, names: Names, here: Context, ranks: dict[str, int]) -> int | None:
    """The axes of a chain of assumed matrices and vectors; None where that is not plain."""
    parts = node.parts if isinstance(node, Product) else (("", node),)
    axes: list[int] = []
    for op, part in parts:
        x = bare(part, names, here)
        if is_top(part) and is_small(x or "") and len(parts) > 1:
            return None  # w^⊤ x is a number, whatever w is called
        scripted = isinstance(plain(part), Scripted) and not isinstance(part, Group)
        found = name_of(part, names, here) if scripted else None
        if found is not None and len(found.slots) == 1 and found.name in ranks:
            if found.transposed and ranks[found.name] == 2:
                return None  # a_i^⊤ x, of an x of which nothing is said
            axes.append(ranks[found.name] - 1)
            continue
        if op in ("", "·") and _is_factor(part, names, here, ranks):
            continue
        if op not in ("", "·") or (x is None and not isinstance(part, Name)):
            return None
        if x in ranks:
            axes.append(ranks[x])
        elif x in names.declared and names.ranks.get(x or ""):
            axes.append(names.ranks[x or ""])
    if not axes or any(a == 1 for a in axes[:-1]):
        return None
    return axes[-1]


__all__ = [
    "beside_products",
    "beside_unit",
    "has_quantity",
    "of_addition",
    "of_definition",
    "of_matrices",
    "of_vector",
    "rank_of",
]
