r"""Shapes by convention, of names that nothing else says anything about.

A bold small letter is a column vector, a bold or transposed capital a matrix, and so is a capital
that is multiplied: AB is never a product of numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise, permutations

from ..explain.naming import GREEK
from . import elementwise, evidence, handed, objectives, responses
from .addends import (
    beside_products,
    beside_unit,
    has_quantity,
    of_addition,
    of_definition,
    of_matrices,
    of_vector,
    rank_of,
)
from .evidence import Statements, bare, is_d, leaves, name_of
from .factors import (
    before_bracket,
    of_crosses,
    of_outer,
    of_product,
    of_rows,
    quadratics,
    without_rows,
)
from .left import head
from .names import Context, Names, implied, is_capital, plain, reached
from .tree import (
    Accent,
    Addition,
    Chain,
    Fraction,
    Group,
    Matrix,
    Name,
    Node,
    Number,
    Product,
    Scripted,
    Symbol,
    base_of,
    children,
    is_equation,
    sign_of,
    walk,
)
from .unsaid import (
    is_exponential,
    is_small,
    is_transposed,
    make_vector,
    of_differences,
    unsaid,
)

STATED = "as the words of the text say"
QUADRATIC = "a symmetric matrix, as its inverse stands in a quadratic form"
MATRIX, VECTOR = "a matrix, as capitals are", "a column vector, as bold letters are"


def assume(statements: Statements, names: Names) -> None:
    """Ranks of names that nothing else says anything about."""
    with evidence.remembered(names):
        ranks = _assumed(list(statements), names)
    for name, rank in ranks.items():
        said = name in names.stated and names.stated[name] == rank
        why = MATRIX if is_capital(name) else VECTOR
        why = responses.WHY if rank == 1 and is_capital(name) else why
        why = STATED if said else why
        names.assume(name, rank, QUADRATIC if names.assumed.get(name) == QUADRATIC else why)


def _assumed(found: list[tuple[Node, Context]], names: Names) -> dict[str, int]:
    ranks = {
        name: rank
        for name, rank in names.stated.items()
        if rank and name not in names.declared and name not in names.limits
    }
    names.numbers |= {n for n, rank in names.stated.items() if not rank and n not in names.indexed}
    names.numbers -= {n for n, rank in names.stated.items() if rank}  # 1 - h^2 of a vector h
    if names.lenient:
        names.numbers |= _alike(found, names)
        names.numbers |= {x for tree, here in found for x in _ends(tree, names, here)}
        names.numbers |= {x for tree, here in found for x in _along(tree, names, here)}
    if names.lenient:
        of_crosses(found, names, ranks)
    for tree, here in found if names.source.linear else ():
        for node in walk(tree):
            if isinstance(node, Product):
                of_rows(node, names, here, ranks)
    if names.lenient and names.source.linear:
        ranks |= {x: 1 for x in responses.vectors(found, names) if unsaid(x, names, ranks)}
    for tree, here in found if names.lenient else ():
        for node in _expressions(tree):
            _numbered_bold(node, names, here, ranks)
    for tree, here in found if names.lenient else ():
        of_definition(tree, names, here, ranks)
    for tree, here in found:
        of_matrices(tree, names, here, ranks)
    for tree, here in found:
        for node in _expressions(tree):
            _places(node, names, here, ranks)
    for tree, here in found:
        for node in _expressions(tree):
            _bold_or_transposed(node, names, here, ranks)
    for tree, here in found:
        of_outer(tree, names, here, ranks)
    for tree, here in found:
        for node in walk(tree):
            for inside in _of_matrix(node):
                _matrices(inside, names, here, ranks)
            for name in _on_diagonals(node, names, here) if names.lenient else ():
                if unsaid(name, names, ranks) and not is_capital(name):
                    ranks[name] = 1
    sums = [(n, here) for t, here in found for n in _expressions(t) if isinstance(n, Addition)]
    number = "I" in names.declared | names.source.quantities
    number = number or any(has_quantity(tree) for tree, _ in found)
    if names.lenient and names.source.inverse and not number:
        for node, here in sums:
            beside_unit(node, names, here, ranks)
    before = -1
    while before < len(ranks):  # what is added to a vector is no number
        before = len(ranks)
        for node, here in sums:
            of_addition(node, names, here, ranks, small=True)
        for tree, here in found:
            of_definition(tree, names, here, ranks)
            of_vector(tree, names, here, ranks)
    made = dict(_made(found, names))
    for tree, here in found:
        _scalar_definition(tree, names, here, ranks, made)
    carries = names.lenient and names.source.elementwise
    known: dict[str, int] = {}  # of names that equations define
    while True:
        counts = len(ranks), len(known)
        for tree, here in found:
            rowless = {id(p) for p in without_rows(tree, names, here, ranks)}
            for node in _expressions(tree):
                if isinstance(node, Product):
                    of_product(node, names, here, ranks, id(node) in rowless)
                elif isinstance(node, Addition):
                    of_addition(node, names, here, ranks, known=known)
        if len(ranks) > counts[0]:
            continue  # x of W x is a vector, before anything is made of the shape of W x
        for tree, here in found if carries else ():
            _carried(tree, names, here, ranks, known)
            for name, rank in objectives.beside(tree, {**known, **ranks}, names):
                ranks.setdefault(name, rank)
                names.numbers.discard(name)
        if (len(ranks), len(known)) == counts:
            break
    pairs = [*handed.of_indexed(found, names)]
    pairs += handed.of_parameters(found, names, ranks) if names.lenient else ()
    for name, rank in pairs:
        if unsaid(name, names, ranks):
            ranks[name] = rank
    for tree, here in found if names.lenient else ():
        for node in walk(tree):
            if isinstance(node, Product):
                before_bracket(node, names, here, ranks)
            elif isinstance(node, Addition):
                beside_products(node, names, here, ranks)
    if names.lenient:
        varied = {x for tree, _ in found for x in evidence.varied(tree)}
        products = [(n, here) for tree, here in found for n in walk(tree) if isinstance(n, Product)]
        squares = {x for n, here in products for x in quadratics(n, names, here)}
        squares = {x for x in squares - varied - names.declared if ranks.get(x) == 2}
        names.symmetric |= squares
        names.assumed |= dict.fromkeys(squares, QUADRATIC)
    return ranks


def _alike(found: list[tuple[Node, Context]], names: Names) -> set[str]:
    """The V_i beside a V_f that is a number: names that differ in a label alone are of one kind."""
    groups: dict[str, set[str]] = {}
    for tree, here in found:
        for leaf in leaves(tree):
            name = bare(leaf, names, here) or ""
            stem, _, label = name.partition("_")
            if label and not label.isdigit():
                groups.setdefault(stem, set()).add(name)
    known = names.declared | {n for n, rank in names.stated.items() if rank}
    return {x for g in groups.values() if g & names.numbers and not g & known for x in g}


def _ends(tree: Node, names: Names, here: Context) -> Iterator[str]:
    """From where to where integrals run: numbers."""
    for node in walk(tree):
        match node:
            case Scripted(base=Symbol(kind="int"), scripts=(_, _) as scripts):
                for _, script in scripts:
                    yield from (x for n in leaves(script) if (x := bare(n, names, here)))


def _along(tree: Node, names: Names, here: Context) -> Iterator[str]:
    """The t of d/dt f(x + t h) at t = 0: a number."""
    for node in walk(tree):
        match node:
            case Scripted(
                base=Group(items=(inside,)), scripts=(("_", Chain(sides=(Name() as t, Number()))),)
            ):
                below = (n.bottom for n in walk(inside) if isinstance(n, Fraction))
                light = (b for b in below if isinstance(b, Product) and is_d(b.parts[0][1]))
                if any(p == replace(t, at=p.at) for b in light for _, p in b.parts[1:]):
                    yield from (x for x in [bare(t, names, here)] if x and x[:1].islower())


def _carried(
    tree: Node, names: Names, here: Context, ranks: dict[str, int], known: dict[str, int]
) -> None:
    """Enter what σ(…) and ⊙ tell of names; what equations define stays open."""
    left = head(tree)

    def axes(node: Node) -> int | None:
        return rank_of(node, names, here, {**known, **ranks})

    for node, rank in elementwise.carried(tree, names, here, axes):
        found = name_of(node, names, here)
        if found is None or not rank or found.name in names.declared or found.name in ranks:
            continue
        if node is left and not names.stated.get(found.name):
            known.setdefault(found.name, len(found.slots) + rank)
            names.numbers.discard(found.name)  # the h of 1 - h^2 is none
        elif found.slots:
            make_vector(node, names, here, ranks)
        elif found.name not in known and found.name not in names.indexed:
            ranks[found.name] = rank


def _bold_or_transposed(node: Node, names: Names, here: Context, ranks: dict[str, int]) -> None:
    node = plain(node)
    if isinstance(node, Group) and node.bracket == "‖" and len(node.items) == 1:
        of_differences(node.items[0], names, here, ranks)
    if not isinstance(node, Name | Accent | Scripted):
        return
    match node:
        case Scripted(base=Group(items=(Addition() | Product() as sum_,)), scripts=scripts):
            above = [s for sign, s in scripts if sign == "^"]
            if any(s in (Symbol(s.at, "top"), Name(s.at, "T")) for s in above):  # (x - μ)^⊤
                of_differences(sum_, names, here, ranks)
    if is_transposed(node, names, here) and base_of(node) is not None:
        make_vector(node, names, here, ranks)
    name = bare(node, names, here)
    if name is None or not unsaid(name, names, ranks):
        return
    inner = base_of(node)
    while isinstance(inner, Accent):
        inner = inner.body
    bold = isinstance(inner, Name) and inner.style == "bold"
    found = name_of(node, names, here)
    if bold or (found is not None and found.transposed):
        head = name.split("_")[0].rstrip("'")
        small = len(head) == 1 and head.islower()
        greek = len(head) > 1
        if small or is_capital(name):
            ranks[name] = 1 if small or (bold and names.source.fields) else 2
        elif greek and (bold or head not in GREEK or names.lenient):
            ranks[name] = 1 if head[0].islower() and head in GREEK else 2


def _places(node: Node, names: Names, here: Context, ranks: dict[str, int]) -> None:
    """The bold X of x − X is where x was: a vector as x is."""
    terms = [part for _, part in node.parts] if isinstance(node, Addition) else []
    bold = [x for x in terms if isinstance(x, Name) and x.style == "bold" and len(x.text) == 1]
    for one, other in permutations(bold, 2):
        name = bare(one, names, here)
        pair = one.text.isupper() and other.text == one.text.lower()
        if pair and name is not None and unsaid(name, names, ranks):
            ranks[name] = 1


def _numbered_bold(node: Node, names: Names, here: Context, ranks: dict[str, int]) -> None:
    """Bold x_n is the vector number n, and bold W_l the matrix number l."""
    node = plain(node)
    inner = base_of(node)
    while isinstance(inner, Accent):
        inner = inner.body
    if not isinstance(node, Scripted) or not isinstance(inner, Name) or inner.style != "bold":
        return
    found = name_of(node, names, here)
    if found is None or not found.slots or found.name in names.declared:
        return
    if own := implied(inner, found.slots, names.source.fields):
        ranks.setdefault(found.name, len(found.slots) + own)


_OF_MATRICES = frozenset(["tr", "det", "rowmax", "rowsum", "colmax", "colsum"])


def _of_matrix(node: Node) -> Iterator[Node]:
    r"""What a trace, a determinant or a norm \|A\|_F is taken of."""
    match node:
        case Product():
            for (_, before), (_, part) in pairwise(node.parts):
                sign = sign_of(before)
                if sign is not None and sign.text in _OF_MATRICES:
                    yield part
        case Scripted(base=Group(), scripts=(("_", Name(text="F")), *_)):
            yield node.base


def _on_diagonals(node: Node, names: Names, here: Context) -> Iterator[str]:
    r"""The λ of \operatorname{diag}(λ), and of diag(λ^2): a vector, if it is no matrix."""
    for (_, sign), (_, part) in pairwise(node.parts) if isinstance(node, Product) else ():
        if getattr(sign_of(sign), "text", "") == "diag" and isinstance(part, Group):
            for inside in part.items if len(part.items) == 1 else ():
                if isinstance(inside, Scripted) and [m for m, _ in inside.scripts] == ["^"]:
                    inside = inside.base
                if name := bare(inside, names, here):
                    yield name


def _matrices(part: Node, names: Names, here: Context, ranks: dict[str, int]) -> None:
    """A capital that a trace, a determinant or a norm of matrices is taken of is a matrix."""
    inside = part.items[0] if isinstance(part, Group) and len(part.items) == 1 else part
    factors = inside.parts if isinstance(inside, Product) else (("", inside),)
    for _, factor in factors:
        name = bare(factor, names, here)
        if name is not None and is_capital(name) and unsaid(name, names, ranks):
            ranks[name] = 2


def _made(found: list[tuple[Node, Context]], names: Names) -> Iterator[tuple[str, set[str]]]:
    """What equations define, each with the names on its right."""
    for tree, here in found[::-1]:  # the first definition of a name counts
        if not is_equation(tree):
            continue
        if (name := bare(tree.sides[0], names, here)) is not None:
            right = (bare(n, names, here) for side in tree.sides[1:] for n in leaves(side))
            yield name, {x for x in right if x is not None}


def _scalar_definition(
    tree: Node, names: Names, here: Context, ranks: dict[str, int], made: Mapping[str, set[str]]
) -> None:
    """Z = Σ_j e^{x_j} is a number where nothing on the right may be a matrix.

    A small letter is none where that is made of what may be one.
    """
    if not is_equation(tree):
        return
    name = bare(tree.sides[0], names, here)
    if name is None or not unsaid(name, names, ranks):
        return
    right = [n for side in tree.sides[1:] for n in walk(side)]
    if any(isinstance(n, Matrix) or getattr(n, "text", "") == "diag" for n in right):
        return
    inside = {bare(n, names, here) for side in tree.sides[1:] for n in leaves(side)} - {name}
    found = [x for x in inside if x is not None]
    free = all(is_capital(x) and (x in names.numbers or unsaid(x, names, ranks)) for x in found)
    light = isinstance(tree.sides[0], Name | Scripted) and is_small(name)
    if light and names.numbers & {*found} and len(found) == len(inside) and free:
        names.numbers |= {name, *found}  # k = C L / V, where k small is no matrix
    below = reached(found, made) if is_small(name) else found  # h = σ(z) of z = W x
    doubtful = (x in ranks or (unsaid(x, names, ranks) and is_capital(x)) for x in below)
    if not any(doubtful):
        names.numbers.add(name)


def _expressions(node: Node) -> Iterator[Node]:
    """A node and the expressions inside it, those in scripts of names left out but for norms."""
    yield node
    if is_exponential(node):  # e^{-‖x - μ‖²}
        for _, script in node.scripts:  # type: ignore[attr-defined]
            yield from (n for n in walk(script) if isinstance(n, Group) and n.bracket == "‖")
    inside = [node.base] if isinstance(node, Scripted) else children(node)
    for child in inside:
        yield from _expressions(child)
