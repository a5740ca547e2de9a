r"""∇_a of products, sums and brackets, by Leibniz' rule: ∇_a (u v) = u ∇_a v + v ∇_a u."""

from __future__ import annotations

from .names import atoms, is_letter
from .tree import Addition, Group, Name, Node, Number, Product, Scripted, Symbol, rebuilt, walk

Part = tuple[str, Node]
Unit = tuple[Part, ...]  # a factor, with the ∇'s before it
# Letters that ∇_a and ∂_a take for indices; ∇_θ is by θ.
INDICES = frozenset(
    [
        "a",
        "b",
        "c",
        "d",
        "e",
        "f",
        "g",
        "i",
        "j",
        "k",
        "l",
        "m",
        "n",
        "alpha",
        "beta",
        "gamma",
        "delta",
        "kappa",
        "lambda",
        "mu",
        "nu",
        "rho",
        "sigma",
        "tau",
    ]
)


def expanded(tree: Node) -> Node:
    """The tree with ∇_a before single names alone."""
    if not any(map(is_nabla, walk(tree))):
        return tree
    return rebuilt(tree, lambda n: _product(n) if isinstance(n, Product) else n)


def is_nabla(node: Node) -> bool:
    """True for ∇_a with an index."""
    if not isinstance(node, Scripted) or not isinstance(node.base, Symbol):
        return False
    below = [a for _, s in node.scripts for a in atoms(s)]
    index = len(below) == 1 and is_letter(below[0]) and below[0].text in INDICES
    return node.base.kind == "nabla" and index and len(node.scripts) == 1


def _product(node: Product) -> Node:
    """The product with every ∇_a carried out, and (∇_a ∇_b − ∇_b ∇_a) v as a difference."""
    for k, (op, part) in enumerate(node.parts):
        rest = node.parts[k + 1 :]
        commutator = _operators(part) if rest and rest[0][0] == "" else None
        if commutator is not None:
            end = 1
            while end < len(rest) and is_nabla(rest[end - 1][1]):
                end += 1
            terms = [
                (sign, _product(Product(part.at, (*marks, *rest[:end]))))
                for sign, marks in commutator
            ]
            whole = Group(part.at, "(", (Addition(part.at, tuple(terms)),))
            return _again(node, (*node.parts[:k], (op, whole), *rest[end:]))
        if not is_nabla(part) or not rest or rest[0][0] != "":
            continue
        inner = rest[0][1]
        if isinstance(inner, Group) and inner.bracket in "([{" and len(inner.items) == 1:
            done = _applied(part, inner.items[0])
            if done is not None:
                whole = Group(part.at, "(", (done,))
                return _again(node, (*node.parts[:k], (op, whole), *rest[1:]))
    return node


def _again(node: Product, parts: tuple[Part, ...]) -> Node:
    return parts[0][1] if len(parts) == 1 else _product(Product(node.at, parts))


def _applied(nabla: Node, target: Node) -> Node | None:
    """∇_a of an expression; None where it is of no form that is known."""
    match target:
        case Number():
            return Number(target.at, "0")
        case Group(bracket="(" | "[" | "{", items=(inner,)):
            return _applied(nabla, inner)
        case Addition():
            done = [(sign, _applied(nabla, part)) for sign, part in target.parts]
            if any(d is None for _, d in done):
                return None
            return Addition(target.at, tuple((s, d) for s, d in done if d is not None))
        case Product():
            return _leibniz(nabla, target)
        case Name() | Scripted():
            return Product(nabla.at, (("", nabla), ("", target)))
    return None


def _leibniz(nabla: Node, target: Product) -> Node | None:
    units: list[Unit] = []
    marks: list[Part] = []
    for op, part in target.parts:
        if op not in ("", "·"):
            return None
        marks.append((op if marks or units else "", part))
        if not is_nabla(part):
            units.append(tuple(marks))
            marks = []
    if marks or not units:
        return None
    terms = []
    for k, unit in enumerate(units):
        if isinstance(unit[-1][1], Number):
            continue
        if not isinstance(unit[-1][1], Name | Scripted) and len(unit) > 1:
            return None
        inner = unit[-1][1] if len(unit) == 1 else None
        done = _applied(nabla, inner) if inner is not None else None
        if inner is not None and done is None:
            return None
        new: Unit = (("", nabla), *(("", p) for _, p in unit)) if done is None else (("", done),)
        parts = [p for n, u in enumerate(units) for p in (new if n == k else u)]
        flat = [q for o, p in parts for q in (p.parts if isinstance(p, Product) else ((o, p),))]
        terms.append((1, Product(target.at, tuple(("", p) for _, p in flat))))
    return Addition(target.at, tuple(terms)) if len(terms) > 1 else (terms[0][1] if terms else None)


def _operators(node: Node) -> list[tuple[int, tuple[Part, ...]]] | None:
    """The signed operators of (∇_a ∇_b − ∇_b ∇_a); None for anything else."""
    match node:
        case Group(bracket="(" | "[", items=(Addition() as inner,)):
            rows = []
            for sign, term in inner.parts:
                parts = term.parts if isinstance(term, Product) else (("", term),)
                if not all(is_nabla(p) for _, p in parts):
                    return None
                rows.append((sign, parts))
            return rows
    return None
