r"""Trees after parsing: differentials are names of their own, dA and not d times A."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

from .applications import application
from .names import NORMAL, atoms, base_name, is_letter, plain
from .source import ReadError, Source
from .tree import (
    EQUAL,
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
    children,
    dimensions,
    mapped,
    rebuilt,
    sign_of,
    spelled,
    walk,
)

MINUS_ONE = spelled(Addition(0, ((-1, Number(0, "1")),)))
Parts: TypeAlias = Sequence[tuple[str, Node]]


def calligraphic(trees: list[Node]) -> list[Node]:
    r"""The trees with \mathcal{L} as another name than a plain or bold L of the same text."""
    styles: dict[str, set[bool]] = {}
    for tree in trees:
        for node in walk(tree):
            if isinstance(node, Name):
                styles.setdefault(node.text, set()).add(node.style == "calligraphic")
    both = {text for text, found in styles.items() if len(found) > 1}

    def told(node: Node) -> Node:
        if not isinstance(node, Name) or node.style != "calligraphic":
            return node
        text = f"{node.text}_cal" if node.text in both else node.text
        return Name(node.at, text, "" if text == node.text else "calligraphic")

    return [rebuilt(tree, told) for tree in trees]


def applied(trees: list[Node]) -> list[Node]:
    """The trees with I_n for I_{n×n}, and K(q, k) as another name than the matrix K_ij."""
    indexed: set[str] = set()
    called: set[str] = set()
    for tree in trees:
        for node in walk(tree):
            base = base_name(node.base) if isinstance(node, Scripted) else None
            letters = [a for _, s in getattr(node, "scripts", ()) for a in atoms(s)]
            if base and len(letters) > 1 and all(map(is_letter, letters)):
                indexed.add(base)
            called |= {x for _, x in _called(node)}
    both = {x for x in indexed & called if x[:1].isupper()}

    def told(node: Node) -> Node:
        match node:
            case Scripted(base=Name(text="I"), scripts=(("_", below),)):  # I_{d×d}
                rows = dimensions(Scripted(node.at, node.base, (("^", below),)))
                same = len(rows) == 2 and spelled(rows[0]) == spelled(rows[1])
                return replace(node, scripts=(("_", rows[0]),)) if same else node
        parts = list(node.parts) if isinstance(node, Product) else []
        for k, name in _called(node):
            if name in both:
                op, part = parts[k]
                parts[k] = op, Name(part.at, f"{name}_function")
        return replace(node, parts=tuple(parts)) if isinstance(node, Product) else node

    return [rebuilt(tree, told) for tree in trees]


def _called(node: Node) -> list[tuple[int, str]]:
    """The places and the letters of names before brackets with several things in them."""
    parts = node.parts if isinstance(node, Product) else ()
    calls = [(k, application(parts, k)) for k, (_, p) in enumerate(parts) if isinstance(p, Name)]
    return [(k, c.name.text) for k, c in calls
            if c is not None and len(c.items) > 1 and isinstance(c.name, Name)]  # fmt: skip


def solved(trees: list[Node], defined: set[str]) -> list[Node]:
    r"""The trees with S = (…)^{-1} for S^{-1} = … and p(x) = \exp(…) for \log p(x) = ….

    So they stand where no equation says otherwise what S and p are.
    """
    result = []
    for tree in trees:
        found = _solved(tree) if isinstance(tree, Chain) else None
        if found is not None and found[0] not in defined:
            defined = defined | {found[0]}
            tree = found[1]
        result.append(tree)
    return result


def _solved(tree: Chain) -> tuple[str, Node] | None:
    """The name that an equation gives by its inverse or its logarithm, and what it is."""
    match tree:
        case Chain(sides=(left, right), relations=(("=" | ":=", _),)):
            pass
        case _:
            return None
    inside = {base_name(n) for n in walk(right) if isinstance(n, Name | Accent)}
    match plain(left):
        case Scripted(base=base, scripts=(*below, ("^", power))) if spelled(
            power
        ) == MINUS_ONE and all(mark == "_" for mark, _ in below):
            whole: Node = Scripted(base.at, base, tuple(below)) if below else base
            value: Node = Scripted(right.at, Group(right.at, "(", (right,)), (("^", power),))
        case Product(parts=(("", Symbol(kind="function", text="log")), *rest)) if rest:
            call = application(rest, 0)
            base = call.name if call is not None and call.after == len(rest) else rest[-1][1]
            arguments = {base_name(a) for a in (call.items if call is not None else ())}
            three = call is not None and len((*call.items, *call.given)) == 3
            normal = three and base_name(base) in NORMAL  # which is known
            if (call is None and len(rest) > 1) or not arguments <= inside or normal:
                return None
            whole = rest[0][1] if call is None else Product(base.at, tuple(rest))
            brackets = Group(right.at, "[", (right,))
            exp = Symbol(right.at, "function", "exp")
            value = Product(right.at, (("", exp), ("", brackets)))
        case _:
            return None
    name = base_name(base)
    if name is None or name in inside:
        return None
    return name, replace(tree, sides=(whole, value))


def traces(source: Source, trees: list[Node]) -> list[Node]:
    r"""The trees with \sum_k σ_{kk} for the σ_{kk} on a left side, where a section sums like that.

    The right side has k twice as well, or not at all, and an equation gives σ_{ij}.
    """
    sums = {source.section(n.at) for t in trees for n in walk(t) if _is_sum(n)}
    defined = {_pair(t.sides[0]) for t in trees if isinstance(t, Chain)}
    names = {name for name, letters in filter(None, defined) if len(letters) == 2}
    result = []
    for tree in trees:
        found = _pair(tree.sides[0]) if isinstance(tree, Chain) else None
        if found is not None and isinstance(tree, Chain) and source.section(tree.at) not in sums:
            name, letters = found
            if len(letters) == 1 and name in names and _in_pairs(tree.sides[1:], *letters):
                left = tree.sides[0]
                sign = Scripted(left.at, Symbol(left.at, "sum"), (("_", Name(left.at, *letters)),))
                whole = Product(left.at, (("", sign), ("", left)))
                tree = replace(tree, sides=(whole, *tree.sides[1:]))
        result.append(tree)
    return result


def _is_sum(node: Node) -> bool:
    return isinstance(node, Symbol) and node.kind == "sum"


def _pair(node: Node) -> tuple[str, frozenset[str]] | None:
    """σ and its letters for σ_{ij} and σ_{kk}; None for anything else."""
    match plain(node):
        case Scripted(base=base, scripts=(("_", below),)):
            letters = atoms(below)
            name = base_name(base)
            if name and len(letters) == 2 and all(map(is_letter, letters)):
                return name, frozenset(_texts(letters))
    return None


def _texts(nodes: Sequence[Node]) -> list[str]:
    return [n.text for n in nodes if isinstance(n, Name)]


def _in_pairs(sides: Sequence[Node], letter: str) -> bool:
    """True where names bear the letter twice or not at all, as in (3 λ + 2 μ) ε_{kk}."""
    for side in sides:
        if any(isinstance(n, Fraction) and _inside(n.bottom, letter) for n in walk(side)):
            return False
        for node in walk(side):
            if isinstance(node, Scripted):
                found = [a for _, s in node.scripts for a in atoms(s)]
                if _texts(found).count(letter) == 1:
                    return False
    return True


def _inside(node: Node, letter: str) -> bool:
    return any(isinstance(n, Name) and n.text == letter for n in walk(node))


def differentials(source: Source, tree: Node, number: bool, sure: bool = False) -> Node:
    r"""The tree with dA_{ij} as a component of dA; with `number`, d is a number in this text.

    With `sure` it is one even right before a letter.

    Above and below a fraction bar, and under an integral, d stays what it is.  Raises ReadError for
    a d before a letter where d is a number too.
    """
    match tree:
        case Fraction() if (order := _open_order(tree.top)) is not None:
            raise source.fail(
                order.at,
                "a derivative whose order is a letter",
                expected=r"\frac{d^2 f}{dx^2}",
                mend="write it for a number",
            )
        case Fraction() if _leads(tree.top) and _leads(tree.bottom):
            return tree
        case Product():
            integral = any(getattr(sign_of(p), "kind", "") == "int" for _, p in tree.parts)
            return _product(source, tree, number and not integral, sure)
        case Scripted():  # letters in scripts are indices
            base = differentials(source, tree.base, number, sure)
            return tree if base is tree.base else Scripted(tree.at, base, tree.scripts)
    return mapped(tree, lambda n: differentials(source, n, number, sure))


def _open_order(node: Node) -> Node | None:
    r"""The n of d^n or \partial^n f above a bar."""
    first = node.parts[0][1] if isinstance(node, Product) else node
    if not isinstance(first, Scripted) or len(first.scripts) != 1:
        return None
    ((mark, order),) = first.scripts
    base = first.base
    sign = is_d(base) or (isinstance(base, Symbol) and base.kind == "partial")
    return order if sign and mark == "^" and isinstance(order, Name) else None


def names_differential(source: Source, tree: Node) -> bool:
    r"""True for dK_j = …, whose left side is d and a capital without a gap, and for df = f' dx.

    So is d(f) or d \log f = … where a differential stands on the right.
    """
    if not isinstance(tree, Chain) or tree.relations[0][0] not in EQUAL:
        return False
    left, *right = tree.sides
    of, begins = _differential(source, left), False
    if of is not None and of.text[0].isupper():
        return True
    match left:
        case Product(parts=((_, d), ("", first), *_)) if is_d(d):
            sign = sign_of(first)
            begins = isinstance(first, Group) or (sign is not None and sign.kind == "function")
    begins = begins or of is not None
    return begins and any(_differential(source, n) is not None for s in right for n in walk(s))


def _differential(source: Source, node: Node) -> Name | None:
    """The X of a product that ends in dX, without a gap."""
    match node:
        case Product(parts=(*_, (_, d), ("", part))) if is_d(d) and isinstance(d, Name):
            return _of(part) if _adjacent(source, d, part) else None
    return None


def upright(trees: Iterable[Node]) -> bool:
    r"""True where differentials are \mathrm{d}x somewhere."""
    return any(is_d(n) and n.style == "upright" for t in trees for n in walk(t))  # type: ignore[attr-defined]


def slanted(trees: Iterable[Node]) -> bool:
    """True where an equation that names a differential begins with an italic d."""
    first = (next((n for n in walk(t) if is_d(n)), None) for t in trees)
    return any(isinstance(d, Name) and d.style == "" for d in first)


def is_d(node: Node) -> bool:
    return isinstance(node, Name) and node.text == "d" and node.style in ("", "upright")


def _bold(part: Node, behind: Parts) -> bool:
    r"""True for the d of \mathbf{dO}, in one pair of braces."""
    bold = isinstance(part, Name) and part.text == "d" and part.style == "bold"
    of = _of(behind[0][1]) if bold and behind else None
    return of is not None and of.style == "bold" and of.at == part.at + 1


def _leads(node: Node) -> bool:
    r"""True for d, d^2 and dL: the halves of dL/dx."""
    first = node.parts[0][1] if isinstance(node, Product) else node
    base = base_of(first)
    return is_d(base)


def _product(source: Source, tree: Product, number: bool, sure: bool) -> Node:
    parts: list[tuple[str, Node]] = []
    k = 0
    while k < len(tree.parts):
        (op, part), behind = tree.parts[k], tree.parts[k + 1 : k + 4]
        d = (is_d(part) or _bold(part, behind)) and behind and behind[0][0] == ""
        if not d or _of(behind[0][1]) is None:
            parts.append((op, differentials(source, part, number, sure)))
            k += 1
            continue
        assert isinstance(part, Name)
        of = behind[0][1]
        if len(behind) == 3 and behind[1][0] == "/" and is_d(behind[1][1]):  # dL/dx
            top = Product(part.at, (("", part), ("", of)))
            bottom = Product(behind[1][1].at, (("", behind[1][1]), ("", behind[2][1])))
            parts.append((op, Fraction(part.at, top, bottom)))
            k += 4
        elif number and part.style != "upright" and _adjacent(source, part, of) and not sure:
            raise _two_readings(source, part, of)
        elif number and part.style != "upright":
            parts.append((op, part))
            k += 1
        else:
            parts.append((op, _joined(part, differentials(source, of, number, sure))))
            k += 2
    return parts[0][1] if len(parts) == 1 and not parts[0][0] else Product(tree.at, tuple(parts))


def _of(part: Node) -> Name | None:
    """The name behind a d; None where something else stands there."""
    inner = base_of(part)
    if isinstance(inner, Group) and inner.bracket == "{" and len(inner.items) == 1:
        return _of(inner.items[0])
    while isinstance(inner, Accent):
        inner = inner.body
    return inner if isinstance(inner, Name) and not is_d(inner) else None


def _adjacent(source: Source, d: Name, part: Node) -> bool:
    r"""True for dA, d\theta and \mathrm{d}A; d A with a space is a product as well."""
    between = source.text[d.at : part.at]
    return not any(c in between for c in " \t\n,;~") or d.style == "upright"


def _two_readings(source: Source, d: Name, part: Node) -> ReadError:
    of = _of(part)
    shown = of.text if of is not None else "x"
    return source.fail(
        d.at,
        f"d{shown}: a differential, or d times {shown}, since d is a number in this text?",
        expected=rf"\mathrm{{d}}{shown} with another letter for the number, or d \cdot {shown}",
        mend=rf"write d \cdot {shown} for the product",
    )


def _joined(d: Name, part: Node) -> Node:
    """d before A_{ij} as the component of dA."""
    if isinstance(part, Scripted):
        return Scripted(d.at, _joined(d, part.base), part.scripts)
    if isinstance(part, Group):
        return _joined(d, part.items[0])
    if isinstance(part, Accent):
        return Accent(d.at, part.mark, _joined(d, part.body))
    assert isinstance(part, Name)
    style = "differential bold" if part.style == "bold" else "differential"
    return Name(d.at, f"d{part.text}", style)


def counts(tree: Node) -> bool:
    """True where d stands for a number: below a bar, under a root, before an operator."""
    match tree:
        case Fraction() if _leads(tree.top) and _leads(tree.bottom):
            return False
        case Product():
            for k, (_, part) in enumerate(tree.parts):
                behind = tree.parts[k + 1] if k + 1 < len(tree.parts) else None
                if is_d(part) and (behind is None or behind[0] != "" or _of(behind[1]) is None):
                    return True
            return any(counts(p) for _, p in tree.parts if not is_d(p))
        case Scripted():
            return not is_d(tree.base) and counts(tree.base)
        case Name():
            return is_d(tree) and tree.style == ""
    return any(map(counts, children(tree)))
