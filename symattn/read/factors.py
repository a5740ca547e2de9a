"""What stands in products: capitals among names are matrices, and behind one stands a vector."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from .addends import rank_of, unscaled
from .evidence import bare, is_d, is_top, leaves, name_of, unindexed
from .left import head
from .matrices import minus_one
from .names import Context, Names, base_name, is_capital, is_letter, plain
from .tree import (
    Addition,
    Chain,
    Group,
    Node,
    Product,
    Scripted,
    Times,
    base_of,
    is_nabla,
    sign_of,
    spelled,
    walk,
)
from .unsaid import (
    is_exponential,
    is_greek,
    is_latin,
    is_raised,
    is_small,
    is_transposed,
    make_vector,
    of_differences,
    unsaid,
)


def before_bracket(node: Product, names: Names, here: Context, ranks: dict[str, int]) -> None:
    """The U_h of U_h (r ⊙ h) is a matrix as U_z is."""
    for (_, before), (op, part) in pairwise(node.parts):
        found = name_of(before, names, here) if isinstance(plain(before), Scripted) else None
        inside = part.items if isinstance(part, Group) and part.bracket == "(" else ()
        if found is None or op or len(inside) != 1 or not isinstance(inside[0], Addition | Product):
            continue
        stem, mark, _ = found.name.partition("_")
        beside = {r for n, r in ranks.items() if n.startswith(stem + "_")}
        if mark and is_capital(stem) and beside == {2} and unsaid(found.name, names, ranks):
            ranks[found.name] = 2


_OF_ARRAYS = frozenset(["Concat", "softmax", "max", "relu", "tanh"])


def without_rows(
    tree: Node, names: Names, here: Context, ranks: dict[str, int]
) -> Iterator[Product]:
    """The products that begin with no row, as what they are added to, or what they define, says.

    s B A beside W, which is a matrix, and s B A x beside a vector W x.
    """

    def rank(node: Node) -> int | None:
        name = bare(node, names, here)
        return None if name is None else ranks.get(name, names.ranks.get(name))

    def is_matrix(node: Node) -> bool:
        parts = [part for _, part in node.parts] if isinstance(node, Product) else [node]
        capitals = all(is_capital(bare(p, names, here) or "") for p in parts)
        return capitals and {2} <= {*map(rank, parts)} <= {2, None}

    for node in walk(tree):
        parts = [part for _, part in node.parts] if isinstance(node, Addition) else []
        whole = any(map(is_matrix, parts))
        ends = [p for p in parts if isinstance(p, Product) and rank(p.parts[-1][1]) == 1]
        columns = [p for p in ends if rank_of(p, names, here, ranks) == 1]
        for part in parts:
            if isinstance(part, Product) and (
                whole or (part in ends and columns not in ([], [part]))
            ):
                yield part
    if not isinstance(tree, Chain):
        return
    whole, left = any(map(is_matrix, tree.sides)), bare(tree.sides[0], names, here) or ""
    for side in tree.sides:
        if isinstance(side, Product):
            shown = [bare(part, names, here) or "" for _, part in side.parts[1:]]
            capitals = (
                is_capital(left) and rank(tree.sides[0]) is None and all(map(is_capital, shown))
            )
            if whole or capitals:  # M = c V, where it is no number that x V y is
                yield side


def of_product(
    node: Product, names: Names, here: Context, ranks: dict[str, int], no_row: bool = False
) -> None:
    """A capital among names that are multiplied is a matrix, and a vector stands behind one.

    With `no_row` none stands before its matrices.
    """
    if any(op == "∘" or getattr(p, "style", "") == "differential" for op, p in node.parts):
        return  # ∫ F dx is one of numbers
    angle = next((k for k, (_, p) in enumerate(node.parts) if _is_periodic(p)), None)
    if angle is not None:  # A cos ω t: what is behind the sign is no factor
        for parts in (node.parts[:angle], node.parts[angle + 1 :]):
            if len(parts) > 1:
                of_product(Product(node.at, parts), names, here, ranks)
        return
    bare = [_factor(node, k, names, here) for k in range(len(node.parts))]
    written = (_factor(node, k, names, here, unindexed) for k in range(len(node.parts)))
    several = sum(x is not None and is_latin(x) and x not in names.numbers for x in written) > 1
    several = several and not _numeric(node, bare)
    if names.source.elementwise:  # W x_t of a network
        several = several or any(_member(p, names, here) for _, p in node.parts[1:])
    several = several or any(_is_vector(p, names, here, ranks) for _, p in node.parts)
    for k, x in enumerate(bare):
        if x is None or not unsaid(x, names, ranks):
            continue
        behind = sign_of(node.parts[k - 2][1]) if k > 1 and node.parts[k][0] == "" else None
        applied = behind is not None and behind.text in (*_OF_ARRAYS, "diag")
        ahead = sign_of(node.parts[k + 1][1]) if k + 1 < len(node.parts) else None
        applied = applied or (ahead is not None and ahead.text == "diag")  # W diag(p)
        between = 0 < k < len(bare) - 1 and is_top(node.parts[k - 1][1])  # x^⊤ Σ^{-1} y
        applied = applied or between
        if is_capital(x) and (several or applied) and names.source.linear:
            ranks[x] = 2
        elif (
            is_greek(x)
            and not is_raised(node.parts[k][1])
            and _column(node, k, bare, names, here, ranks)
        ):
            ranks[x] = 1  # the β of X β: a number would stand before the matrix
        elif (is_small(x) or x == "d") and (
            _column(node, k, bare, names, here, ranks)
            or _outer(node, k, bare, names, here, ranks, no_row)
        ):
            ranks[x] = 1
    for (_, before), (op, part) in pairwise(node.parts) if names.source.linear else ():
        pair = [_layer(p, names, here) for p in (before, part)]
        if op == "" and None not in pair and names.lenient:  # H^{(l)} W^{(l)}
            ranks.update({x: 3 for x in pair if x is not None and x not in ranks})
    if any(_numbered(part, names, here, ranks) for _, part in node.parts):
        for _, part in node.parts:
            if isinstance(part, Scripted) and is_capital(base_name(part.base) or ""):
                make_vector(part, names, here, ranks)
    for k in range(1, len(node.parts)):
        part = node.parts[k][1]
        inside = part.items[0] if isinstance(part, Group) and len(part.items) == 1 else None
        if inside is not None and _column(node, k, bare, names, here, ranks):  # Σ^{-1} (x - μ)
            of_differences(inside, names, here, ranks)
        if _column(node, k, bare, names, here, ranks) or _numbered(
            node.parts[k - 1][1], names, here, ranks
        ):
            make_vector(node.parts[k][1], names, here, ranks)


def _is_periodic(node: Node) -> bool:
    """True for sin and cos, which are of numbers: those of vectors are W tanh x."""
    sign = sign_of(node)
    return sign is not None and sign.text in ("sin", "cos", "tan", "cot", "sec", "csc")


def quadratics(node: Product, names: Names, here: Context) -> Iterator[str]:
    """The Σ of (x - μ)^⊤ Σ^{-1} (x - μ), which is symmetric."""
    factors = [part for _, part in node.parts]
    for before, own, behind in zip(factors, factors[1:], factors[2:], strict=False):
        found = name_of(own, names, here) if isinstance(own, Scripted) else None
        if found is None or found.slots or not minus_one(found.power) or not is_top(before):
            continue
        assert isinstance(before, Scripted)
        bare = [s for s in before.scripts if s[0] != "^"]
        turned = Scripted(before.at, before.base, tuple(bare)) if bare else before.base
        inside = (name_of(x, names, here) for x in leaves(behind))
        itself = any(x is not None and x.name == found.name for x in inside)
        if spelled(turned) == spelled(behind) and not itself:  # not C^⊤ C^{-1} C
            yield found.name


def _numeric(node: Product, bare: Sequence[str | None]) -> bool:
    """True for G m M and A e^{-k t}: no vector between matrices, and none behind the last one."""
    if any(is_top(part) for _, part in node.parts):
        return False
    shown = [x or "" for x in bare]
    capitals = [k for k, x in enumerate(shown) if is_capital(x)]
    if not capitals:
        return False
    between = shown[capitals[0] : capitals[-1]]
    behind = [part for _, part in node.parts[capitals[-1] + 1 :]]
    grown = bool(behind) and all(is_exponential(part) for part in behind)
    return any(map(is_small, between)) or (len(capitals) == 1 and grown)


def _member(node: Node, names: Names, here: Context) -> bool:
    """True for x_t, one small letter with one index."""
    scripted = isinstance(plain(node), Scripted) and base_name(base_of(plain(node))) is not None
    found = name_of(node, names, here) if scripted else None
    return found is not None and len(found.slots) == 1 and is_small(found.name)


def _is_vector(node: Node, names: Names, here: Context, ranks: dict[str, int]) -> bool:
    """True for x_n where it is the vector number n."""
    scripted = isinstance(plain(node), Scripted) and base_name(base_of(plain(node))) is not None
    found = name_of(node, names, here) if scripted else None
    return found is not None and 0 < len(found.slots) < ranks.get(found.name, 0)


def _column(
    node: Product,
    k: int,
    shown: list[str | None],
    names: Names,
    here: Context,
    ranks: dict[str, int],
) -> bool:
    """True for what stands behind a matrix or a row: x in A x, in (I + A) x and in y^⊤ x."""
    if not k or node.parts[k][0] != "":
        return False

    def is_matrix(name: str) -> bool:
        return ranks.get(name) == 2 or (name in names.declared and names.ranks.get(name) == 2)

    before = node.parts[k - 1][1]
    match before:
        case Group(bracket="(", items=(Addition(parts=terms),)) if names.lenient:
            inside = (unscaled(t, names, here) for _, t in terms)
            matrix = any(is_matrix(bare(t, names, here) or "") for t in inside)
        case _:
            matrix = is_matrix(shown[k - 1] or "")
    return matrix or is_transposed(before, names, here) or _is_turned_gradient(before)


def _is_turned_gradient(node: Node) -> bool:
    """True for (∇f(x))^⊤."""
    match base_of(node):
        case Group(items=(Product(parts=parts),)):
            return is_top(node) and is_nabla(parts[0][1])
    return False


def _layer(node: Node, names: Names, here: Context) -> str | None:
    """The capital of H^{(l)} with l on the left, of which nothing else is known."""
    scripted = isinstance(plain(node), Scripted) and base_name(base_of(plain(node))) is not None
    found = name_of(node, names, here) if scripted else None
    layer = any(isinstance(s, Group) for _, s in getattr(plain(node), "scripts", ()))
    if found is None or len(found.slots) != 1 or not is_capital(found.name) or not layer:
        return None
    slot, known = found.slots[0], names.declared | names.mentioned | names.limits
    free = is_letter(slot) and slot.text in here.bound - here.summed
    return found.name if free and found.name not in known else None


def _numbered(node: Node, names: Names, here: Context, ranks: dict[str, int]) -> bool:
    """True for M_k where it is the matrix number k."""
    if not isinstance(plain(node), Scripted) or base_name(base_of(plain(node))) is None:
        return False
    found = name_of(node, names, here)
    return found is not None and len(found.slots) == 1 and ranks.get(found.name) == 3


def of_outer(tree: Node, names: Names, here: Context, ranks: dict[str, int]) -> None:
    r"""In S_t = Σ_i v_i k_i^⊤ of a capital v_i is a column as k_i is, and S_t a matrix.

    In o^⊤ = Σ_i p_i v_i^⊤ of a row p_i is a number.
    """
    left = head(tree)
    name = base_name(base_of(left)) if left is not None else None
    if not isinstance(tree, Chain) or left is None or not is_capital(name or ""):
        return
    rows = [n for side in tree.sides[1:] for n in walk(side) if isinstance(n, Product)]
    for (_, before), (op, part) in (pair for row in rows for pair in pairwise(row.parts)):
        if op or not _member(before, names, here) or not is_transposed(part, names, here):
            continue
        pair = [name_of(x, names, here) for x in (before, part)]
        if spelled(pair[0] and pair[0].slots) == spelled(pair[1] and pair[1].slots):
            make_vector(before, names, here, ranks)
            make_vector(left, names, here, ranks)


def of_rows(node: Product, names: Names, here: Context, ranks: dict[str, int]) -> None:
    r"""The O_i of \bar O_i^⊤ O_i is a row of the O that stands alone elsewhere."""
    for (_, before), (op, part) in pairwise(node.parts):
        if op or not is_transposed(before, names, here):
            continue
        pair = [name_of(x, names, here) for x in (before, part)]
        rows = [x for x in pair if x is not None and len(x.slots) == 1 and is_capital(x.name)]
        if len(rows) < 2 or spelled(rows[0].slots) != spelled(rows[1].slots):
            continue
        stems = ({x.name, x.name.split("_")[0]} for x in rows)
        if all(not names.mentioned.isdisjoint(stem) for stem in stems):
            ranks.update({x.name: 2 for x in rows if x.name not in {*names.declared, *ranks}})


def of_crosses(found: Iterable[tuple[Node, Context]], names: Names, ranks: dict[str, int]) -> None:
    """The a, b and c of a × (b × c) are vectors; those of a × b where the text speaks of such.

    A product of numbers is in no need of brackets, nor of a · beside the ×.
    """
    products = [(n, here) for tree, here in found for n in walk(tree) if isinstance(n, Product)]
    crossed = [(n, here) for n, here in products if any(isinstance(op, Times) for op, _ in n.parts)]
    inner = {id(n) for n, _ in crossed}
    dotted = [n for n, _ in products if any(op == "·" for op, _ in n.parts)]
    brackets = (p for n in dotted for _, p in n.parts if isinstance(p, Group))
    nested = any(id(x) in inner for bracket in brackets for x in walk(bracket))
    if not crossed or not (nested or _SPACE.search(names.source.text)):
        return
    names.crossed = True
    for node, here in crossed:
        for (_, before), (op, part) in pairwise(node.parts):
            for side in (before, part) if isinstance(op, Times) else ():
                for leaf in _terms(side):
                    name = bare(leaf, names, here)
                    small = name is not None and (is_small(name) or name == "d")
                    if name is not None and small and unsaid(name, names, ranks):
                        ranks[name] = 1


def _terms(side: Node) -> Iterator[Node]:
    """a and b of (a + b), and a of a."""
    inside = side.items[0] if isinstance(side, Group) and len(side.items) == 1 else side
    yield from (t for _, t in inside.parts) if isinstance(inside, Addition) else (inside,)


_SPACE = re.compile(
    r"[Cc]ross[- ]product|[Vv]ectors?\b|[Tt]riple product|\\vec\b|\\mathbb\s*\{?R\}?\^\{?3"
)


def _outer(
    node: Product,
    k: int,
    bare: list[str | None],
    names: Names,
    here: Context,
    ranks: dict[str, int],
    no_row: bool,
) -> bool:
    """True for x in x y^⊤ and in x W, where it may be a row."""
    if k + 1 == len(node.parts) or node.parts[k + 1][0] != "":
        return False
    behind = bare[k + 1] or ""
    known = names.ranks.get(behind, 0) if behind in names.declared else 0
    turned = is_transposed(node.parts[k + 1][1], names, here)
    return ranks.get(behind, known) == (1 if turned else 2) and (turned or not no_row)


def _factor(
    node: Product, k: int, names: Names, here: Context, name: Callable[..., str | None] = bare
) -> str | None:
    """The bare name that is the factor at `k`; None below a division sign and before brackets."""
    op, part = node.parts[k]
    behind = node.parts[k + 1] if k + 1 < len(node.parts) else None
    powers = isinstance(part, Scripted) and any(sign == "^" for sign, _ in part.scripts)
    applied = behind is not None and behind[0] == "" and isinstance(behind[1], Group) and not powers
    before = sign_of(node.parts[k - 1][1]) if k else None
    varied = before is not None and before.kind in ("partial", "nabla", "function")
    if "d" not in names.declared:  # d P x of a number d
        last = k + 1 == len(node.parts)  # a direction, and no dx
        varied = varied or (k > 0 and is_d(node.parts[k - 1][1])) or (is_d(part) and not last)
    return None if op == "/" or applied or varied else name(part, names, here)


__all__ = [
    "before_bracket",
    "of_crosses",
    "of_outer",
    "of_product",
    "of_rows",
    "quadratics",
    "without_rows",
]
