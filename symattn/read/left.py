r"""Left sides: what an equation can define, and the statements Q ∈ ℝ^{n×d} that declare shapes."""

from __future__ import annotations

from dataclasses import replace

from . import averages
from .applications import Application, whole
from .components import initial, is_pi
from .elaborate import Reader
from .names import Context, Names, atoms, base_name, is_letter, is_open, plain, stem
from .scripts import Component, component, traced
from .tree import (
    Accent,
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
    base_of,
    factors,
    is_equation,
    spelled,
)
from .vocabulary import ROUNDS


def head(tree: Node, taken: bool = False) -> Node | None:
    """The name that an equation is about: f of f(x) = … and x of x_i = …; None for none.

    With `taken`, f(x_0) = … is about a value, and not about f.
    """
    if not is_equation(tree):
        return None
    left = plain(tree.sides[0])
    if isinstance(left, Product):
        call = whole(left)
        if call is None or call.given:
            return None
        kinds = Name if taken else Name | Accent | Scripted
        if call.raised or not all(isinstance(plain(a), kinds) for a in call.items):
            return None  # f(x)^2 = …, f(-x) = …
        if _above(call) & factors(tree):  # F(x)^n = F(n x)
            return None
        left = plain(call.name)
    above = [s for sign, s in left.scripts if sign == "^"] if isinstance(left, Scripted) else []
    inner = base_of(left)
    return None if any(map(_powers, above)) or base_name(inner) is None else left


def _above(call: Application) -> set[str]:
    """The n of F(x)^n."""
    return {s.text for sign, s in call.scripts if sign == "^" and is_letter(s)}


def _powers(script: Node) -> bool:
    return isinstance(script, Number | Addition | Product)


def mirrored(tree: Node) -> tuple[str, int]:
    r"""The A of A = A^\top and A_{ij} = A_{ji}, or with −1 of A = -A^\top; "" for any other one."""
    match tree:
        case Chain(sides=(left, right), relations=(("=", _),)):
            sign, right = turned_sign(right)
            first, second = _slots(left), _slots(right)
            same = first[0] == second[0] != ""
            turned = [k for k, (_, top) in enumerate((first[1:], second[1:])) if top]
            bare = not first[1] and not second[1] and len(turned) == 1
            swapped = len({*first[1]}) == 2 and first[1] == second[1][::-1] and not turned
            return (first[0], sign) if same and (bare or swapped) else ("", 0)
    return "", 0


def turned_sign(side: Node) -> tuple[int, Node]:
    """−1 and the x of −x, else 1 and the side."""
    match side:
        case Addition(parts=((-1, inner),)):
            return -1, inner
    return 1, side


def _slots(side: Node) -> tuple[str, list[str], bool]:
    """The name of a side, the letters of its scripts, and whether it is transposed."""
    shown = plain(side)
    scripts = shown.scripts if isinstance(shown, Scripted) else ()
    top = [s for _, s in scripts if s in (Symbol(s.at, "top"), Name(s.at, "T"))]
    rest = [a for _, s in scripts if s not in top for a in atoms(s)]
    letters = [a.text for a in rest if is_letter(a)]
    plainly = len(letters) == len(rest) and len(scripts) < 2
    return base_name(stem(shown)) or "" if plainly else "", letters, bool(top)


def is_shape(tree: Node) -> bool:
    match tree:
        case Chain(sides=(_, right), relations=(("∈", _),)):
            return is_space(right) or _of_numbers(base_of(right))
    return False


def is_space(node: Node) -> bool:
    """ℝ, ℝ^d, ℤ^{n×d}."""
    base = base_of(node)
    return isinstance(base, Symbol) and base.kind == "set" and base.text in "RCNZ"


def values_in(right: Node) -> str:
    r"""The trait of what is in \{-1, 1\}, \{0, 1\}^n, ℝ_{>0} or [0, 1]; empty for another set.

    "below" stands for ℝ_{<0} and (−∞, 0].
    """
    base, scripts = (right.base, right.scripts) if isinstance(right, Scripted) else (right, ())
    marks = {s.text for _, s in scripts if isinstance(s, Symbol) and s.kind == "operator"}
    for _, script in scripts:
        match script:
            case Group(items=(Name(text="after" | "from" as word), Number(text="0"))):  # n_{>0}
                marks.add(">0" if word == "after" else "≥0")
    to_0 = isinstance(base, Group) and base.items[1:] == (Number(base.items[-1].at, "0"),)
    if to_0 or marks & {"-", "--", "<0", "≤0"}:
        return "below"
    from_0 = isinstance(base, Group) and base.items[:1] == (Number(base.items[0].at, "0"),)
    ends = base.bracket if isinstance(base, Group) and from_0 and len(base.items) == 2 else ""
    if marks & {"+", "++", ">0"} or ends == "(":
        return "positive"
    if "≥0" in marks or ends == "[":
        return "not negative"
    if not isinstance(base, Group) or base.bracket != "\\{" or len(base.items) != 2:
        return ""
    found = set[int]()
    for item in base.items:
        match item:
            case Number(text=text) | Addition(parts=((1, Number(text=text)),)):
                found.add(int(float(text)))
            case Addition(parts=((-1, Number(text=text)),)):
                found.add(-int(float(text)))
    return "sign" if found == {-1, 1} else "binary" if found == {0, 1} else ""


def _of_numbers(node: Node) -> bool:
    r"""True for \{-1, 1\}, \{0, 1\} and the intervals [0, 1] and (0, 1), no ranges \{1, …, n\}."""
    if not isinstance(node, Group) or len(node.items) < 2:
        return False
    first = node.items[0]
    return node.bracket in "[(" or isinstance(first, Addition) or first == Number(first.at, "0")


def atomic(reader: Reader, side: Node) -> bool:
    """True for a component or a derivative, whose letters are all free; not for an initial x_0."""
    found = component(side, reader.names, reader.here) if isinstance(side, Scripted) else None
    if found is not None and (initial(reader, found) or traced(side)):
        return False
    return isinstance(side, Fraction | Scripted | Name | Accent)


def target_of(reader: Reader, side: Node) -> tuple[Component, tuple[Node, ...]] | None:
    """A name with indices, P(j), or f(x, y), with its arguments; None for anything else."""
    mean = averages.named(side, reader.names, reader.here)
    if mean is not None:
        return mean, ()
    side = plain(side)
    if isinstance(side, Name | Accent | Scripted):
        found = component(side, reader.names, reader.here)
        part = reader.names.parts.get(found.written) if found is not None else None
        if found is not None and part is not None and part.lies and len(found.slots) == 1:
            found = replace(found, transposed=not found.transposed)  # o_i = …, a row by itself
        if found is None or found.power is not None or found.transposed:
            return None
        while found.slots and is_open(found.slots[-1]):  # A_{i:}, with one axis left
            found = replace(found, slots=found.slots[:-1])
        if any(map(is_open, found.slots)) or initial(reader, found) or traced(side):
            return None
        error = found.name == "delta" and len(found.slots) == 1  # δ_t, and no Kronecker symbol
        constant = found.name in ("delta", "e") and isinstance(side, Scripted) and not found.literal
        bound = bool(found.slots) and all(
            is_letter(x) and x.text in reader.here.bound for x in found.slots
        )
        constant = constant and not (found.name == "e" and bound)  # e_i, a residual
        constant = constant or is_pi(reader.names, found)
        return None if constant and not error else (found, ())
    call = whole(side)
    if call is None or call.raised or _above(call) & reader.here.powers:
        return None
    found = component(call.name, reader.names, reader.here)
    if found is None or found.slots or found.power is not None or found.transposed:
        return None
    if found.name in ROUNDS:
        return None
    letters, arguments = call.split(reader.here)
    if any(isinstance(a, Product | Addition | Chain) for a in arguments):
        return None
    return replace(found, slots=letters), arguments


def alone(tree: Node, names: Names, here: Context) -> set[str]:
    """The name that stands alone on the left, if there is one."""
    left = plain(tree.sides[0]) if isinstance(tree, Chain) else None
    if not isinstance(left, Name | Accent | Scripted):
        return set()
    found = component(left, names, here)
    return {found.name} if found is not None and found.power is None else set()


def redefine(tree: Node, names: Names, here: Context, end: int) -> None:
    """A definition under another heading, with another number of indices, is a new tensor.

    `end` is where its statement ends.
    """
    if not is_equation(tree):
        return
    left = plain(tree.sides[0])
    found = component(left, names, here) if isinstance(left, Scripted) else None
    if found is None or found.power is not None or found.transposed or not found.slots:
        return
    rank = len(found.slots)
    known = names.ranks.get(found.name, rank)
    if known == rank or (rank, known) == (1, 2) or found.name in names.declared:
        return  # A_i may be a row of the matrix A
    if found.name in names.assumed and rank < known:
        return  # M_k is one of the matrices M
    section = names.source.section
    if (
        found.written not in names.versions.overload
        and section(names.last.get(found.name, left.at)) != section(left.at)
        and len({spelled(n) for n in found.slots if is_letter(n)}) == rank
    ):
        names.versions.redefine(found.written, rank, left.at, end)
