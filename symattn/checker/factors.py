"""What stands in formulas of laws: ∇_θ and ∂/∂θ, applications, and names outside of all signs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..read.applications import Application, application
from ..read.names import base_name
from ..read.tree import (
    Accent,
    Addition,
    Fraction,
    Group,
    Name,
    Node,
    Number,
    Product,
    Scripted,
    Symbol,
    base_of,
    replaced,
    sign_of,
    spelled,
    walk,
)
from .outcome import variable

Parts = Sequence[tuple[str, Node]]


class Untold(Exception):
    """Something that is not known here."""


class Hidden(Untold):
    """Something that may hang on what an average runs over, and is not written with it."""


def kinds_of(items: Sequence[Node]) -> list[str]:
    return [v.type for n in items if (v := variable(n))]


def derived(sides: Sequence[Node]) -> tuple[set[str], bool]:
    """The names that slopes are taken along, and whether second ones are."""
    found, twice = set[str](), False
    for side in sides:
        for node in walk(side):
            by: Node | None = None
            if isinstance(node, Fraction) and (of := quotient(node)) is not None:
                by = of[0]
            elif (along := slope_along(node)) is not None:
                by, degree = along
                twice = twice or degree > 1
            if by is not None and (v := variable(by)) is not None:
                found.add(v.type)
    nested = any(
        count_slopes(node) > 1 for side in sides for node in walk(side) if isinstance(node, Product)
    )
    return found, twice or nested


def count_slopes(node: Node) -> int:
    """How many slopes are taken of one another or of factors of a product."""
    return sum(slope_along(n) is not None for n in walk(node))


def slope_along(node: Node) -> tuple[Node, int] | None:
    """θ and 1 of ∇_θ and of ∂/∂θ, θ and 2 of ∇_θ²; None for anything else."""
    if isinstance(node, Fraction):
        bottom = node.bottom.parts if isinstance(node.bottom, Product) else ()
        top = node.top.parts[0][1] if isinstance(node.top, Product) else node.top
        single = not isinstance(node.top, Product) or len(node.top.parts) == 1
        plain = single and isinstance(top, Symbol) and top.kind == "partial"
        if plain and len(bottom) == 2 and isinstance(bottom[0][1], Symbol):
            return (bottom[1][1], 1) if bottom[0][1].kind == "partial" else None
        return None
    return nabla(node) if isinstance(node, Scripted) and has_sign(node, "nabla") else None


def is_slope(node: Node) -> bool:
    r"""True for ∇_θ, and for (∇_θ f)^\top."""
    inner = base_of(node)
    first = inner.items[0] if isinstance(inner, Group) else inner
    first = first.parts[0][1] if isinstance(first, Product) else first
    return (slope_along(node) or slope_along(first)) is not None


def upright(parts: Parts) -> tuple[Node, tuple[tuple[str, Node], ...]]:
    r"""What a slope is taken of, and the ^⊤ at its end, which is of the slope."""
    op, last = parts[-1] if parts else ("", None)
    if isinstance(last, Scripted) and isinstance(last.base, Group) and len(last.scripts) == 1:
        ((mark, top),) = last.scripts
        if mark == "^" and top in (Symbol(top.at, "top"), Name(top.at, "T")):
            return joined((*parts[:-1], (op, last.base))), last.scripts
    return joined(parts), ()


def nabla(sign: Node) -> tuple[Node, int]:
    """The θ of ∇_θ, and 2 of ∇_θ²."""
    scripts = dict(sign.scripts) if isinstance(sign, Scripted) else {}
    degree = integer(scripts["^"]) if "^" in scripts else 1
    if "_" not in scripts or degree not in (1, 2):
        raise Untold("a slope along what is not said")
    return scripts["_"], degree


def quotient(node: Fraction) -> tuple[Node, Node] | None:
    """θ and f of ∂f/∂θ; None for another fraction.  Raises Untold for ∂/∂θ by itself."""
    top = node.top.parts if isinstance(node.top, Product) else (("", node.top),)
    bottom = node.bottom.parts if isinstance(node.bottom, Product) else ()
    if (
        len(bottom) != 2
        or not has_sign(bottom[0][1], "partial")
        or not has_sign(top[0][1], "partial")
    ):
        return None
    if isinstance(top[0][1], Scripted) or isinstance(bottom[0][1], Scripted):
        return None
    return (bottom[1][1], joined(top[1:])) if len(top) > 1 else None


def applications(sides: Sequence[Node]) -> Iterator[Application]:
    for side in sides:
        for node in walk(side):
            if isinstance(node, Product):
                yield from (
                    c
                    for k in range(len(node.parts))
                    if (c := application(node.parts, k) or square(node.parts, k))
                )


def square(parts: Parts, k: int) -> Application | None:
    """H[q] and KL[…]: square brackets behind a capital."""
    if k + 1 >= len(parts):
        return None
    name, group = parts[k][1], parts[k + 1][1]
    if base_name(base_of(name)) != "H" or not isinstance(group, Group) or group.bracket != "[":
        return None
    return application([parts[k], ("", Group(group.at, "(", group.items))], 0) and Application(
        name, group.items, (), (), k + 2
    )


def outside(node: Node) -> Iterator[Node]:
    """The names of an expression that stand below no sign and in no brackets of functions."""
    match node:
        case Product(parts=parts):
            k = 0
            while k < len(parts):
                part = parts[k][1]
                if has_sign(part, "sum") or has_sign(part, "int"):
                    return
                if has_sign(part, "function") or has_sign(part, "nabla"):
                    text = getattr(sign_of(part), "text", "")
                    k += 2 if text in ("E", "Var", "Cov") else 1
                    continue
                call = application(parts, k)
                if call is not None and not isinstance(call.items[0], Addition):
                    k = call.after
                    continue
                yield from outside(part)
                k += 1
        case Name() | Accent():
            yield node
        case Scripted():
            below = tuple(x for x in node.scripts if x[0] == "_")
            yield Scripted(node.at, node.base, below) if below else node.base
            if isinstance(node.base, Group):
                yield from outside(node.base)
        case Addition(parts=terms):
            for _, term in terms:
                yield from outside(term)
        case Fraction():
            yield from outside(node.top)
            yield from outside(node.bottom)
        case Group(items=items):
            for item in items:
                yield from outside(item)


def vectors(side: Node) -> Iterator[object]:
    """What is bold, or transposed, or a term of what is transposed."""
    for node in walk(side):
        match node:
            case Scripted(scripts=((mark, top), *_)) if mark == "^" and top in (
                Symbol(top.at, "top"),
                Name(top.at, "T"),
            ):
                inner = node.base
                while isinstance(inner, Group) and len(inner.items) == 1:
                    inner = inner.items[0]
                terms = [t for _, t in inner.parts] if isinstance(inner, Addition) else [inner]
                for term in terms:
                    plain = term.parts[0][1] if isinstance(term, Product) else term
                    if isinstance(plain, Name | Accent | Scripted):
                        yield spelled(plain)
            case Name(style="bold"):
                yield spelled(node)


def renamed_in(node: Any, change: Callable[[Node], Node]) -> Any:
    """The tree with names changed, the whole of x_i before the x in it."""
    return replaced(node, lambda n: change(n) if isinstance(n, Name | Scripted | Accent) else n)


def integer(node: Node) -> int | None:
    match node:
        case Number(text=text) if text.isdigit():
            return int(text)
        case Group(bracket="{", items=(inner,)):
            return integer(inner)
        case Addition(parts=((-1, Number(text=text)),)) if text.isdigit():
            return -int(text)
        case Addition(parts=((-1, Product(parts=((_, Number(text=text)),))),)) if text.isdigit():
            return -int(text)
        case Product(parts=((_, inner),)):
            return integer(inner)
    return None


def joined(parts: Parts) -> Node:
    """A product of these factors, or the only one."""
    if not parts:
        raise Untold("nothing behind a sign")
    if len(parts) == 1:
        return parts[0][1]
    return Product(parts[0][1].at, (("", parts[0][1]), *parts[1:]))


def has_sign(node: Node, kind: str) -> bool:
    sign = sign_of(node)
    return sign is not None and sign.kind == kind


def scripts_of(node: Node) -> list[Node]:
    return [s for _, s in node.scripts] if isinstance(node, Scripted) else []


def everywhere(limit: Node) -> bool:
    r"""True for limits that leave nothing out: ±∞, ℝ and a set by its capital."""
    inside = [n for n in walk(limit) if not isinstance(n, Group | Addition | Product)]
    return bool(inside) and all(
        (isinstance(n, Symbol) and n.kind in ("infty", "set"))
        or (isinstance(n, Name) and (n.text.isupper() or n.style == "calligraphic"))
        or isinstance(n, Scripted)
        for n in inside
    )
