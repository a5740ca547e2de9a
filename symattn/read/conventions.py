r"""Shapes by convention, of names that nothing else says anything about.

A bold small letter is a column vector, a bold or transposed capital a matrix, and so is a capital
that is multiplied: AB is never a product of numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, permutations

from ..explain.naming import GREEK
from . import elementwise, evidence, handed, responses
from .evidence import (
    Statements,
    bare,
    is_capital,
    is_d,
    is_slope,
    is_top,
    leaves,
    name_of,
    unindexed,
)
from .left import head
from .matrices import minus_one
from .names import Context, Names, base_name, implied, is_letter, plain
from .tree import (
    Accent,
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
    base_of,
    children,
    is_equation,
    sign_of,
    spelled,
    walk,
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
        names.assume(name, rank, STATED if said else why)


def _assumed(found: list[tuple[Node, Context]], names: Names) -> dict[str, int]:
    ranks = {
        name: rank
        for name, rank in names.stated.items()
        if rank and name not in names.declared and name not in names.limits
    }
    names.numbers |= {n for n, rank in names.stated.items() if not rank and n not in names.indexed}
    if names.lenient:
        names.numbers |= _alike(found, names)
        names.numbers |= {x for tree, here in found for x in _ends(tree, names, here)}
    if names.lenient and names.source.linear:
        ranks |= {x: 1 for x in responses.vectors(found, names) if _open(x, names, ranks)}
    for tree, here in found if names.lenient else ():
        for node in _expressions(tree):
            _numbered_bold(node, names, here, ranks)
    for tree, here in found if names.lenient else ():
        _defined(tree, names, here, ranks)
    for tree, here in found:
        for node in _expressions(tree):
            _places(node, names, here, ranks)
    for tree, here in found:
        for node in _expressions(tree):
            _bold_or_transposed(node, names, here, ranks)
    for tree, here in found:
        for node in walk(tree):
            for inside in _of_matrix(node):
                _matrices(inside, names, here, ranks)
    sums = [(n, here) for t, here in found for n in _expressions(t) if isinstance(n, Addition)]
    number = "I" in names.declared | names.source.quantities
    number = number or any(_has_quantity(tree) for tree, _ in found)
    if names.lenient and names.source.inverse and not number:
        for node, here in sums:
            _beside_unit(node, names, here, ranks)
    before = -1
    while before < len(ranks):  # what is added to a vector is no number
        before = len(ranks)
        for node, here in sums:
            _addition(node, names, here, ranks, small=True)
        for tree, here in found:
            _defined(tree, names, here, ranks)
            _of_vector(tree, names, here, ranks)
    for tree, here in found:
        _scalar_definition(tree, names, here, ranks)
    known: dict[str, int] = {}  # of names that equations define
    while True:
        counts = len(ranks), len(known)
        for tree, here in found:
            if names.lenient and names.source.elementwise:
                _carried(tree, names, here, ranks, known)
            for node in _expressions(tree):
                if isinstance(node, Product):
                    _product(node, names, here, ranks)
                elif isinstance(node, Addition):
                    _addition(node, names, here, ranks)
        if (len(ranks), len(known)) == counts:
            break
    for name, rank in handed.of_indexed(found, names):
        if _open(name, names, ranks):
            ranks[name] = rank
    for tree, here in found if names.lenient else ():
        for node in walk(tree):
            if isinstance(node, Product):
                _before_bracket(node, names, here, ranks)
            elif isinstance(node, Addition):
                _beside_products(node, names, here, ranks)
    if names.lenient:
        varied = {x for tree, _ in found for x in evidence.varied(tree)}
        products = [(n, here) for tree, here in found for n in walk(tree) if isinstance(n, Product)]
        squares = {x for n, here in products for x in _quadratics(n, names, here)}
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


def _carried(
    tree: Node, names: Names, here: Context, ranks: dict[str, int], known: dict[str, int]
) -> None:
    """Enter what σ(…) and ⊙ tell of names; what equations define stays open."""
    left = head(tree)

    def axes(node: Node) -> int | None:
        return _rank(node, names, here, {**known, **ranks})

    for node, rank in elementwise.carried(tree, names, here, axes):
        found = name_of(node, names, here)
        if found is None or not rank or found.name in names.declared or found.name in ranks:
            continue
        if node is left and not names.stated.get(found.name):
            known.setdefault(found.name, len(found.slots) + rank)
        elif found.slots:
            _vector(node, names, here, ranks)
        elif found.name not in known and found.name not in names.indexed:
            ranks[found.name] = rank


def _before_bracket(node: Product, names: Names, here: Context, ranks: dict[str, int]) -> None:
    """The U_h of U_h (r ⊙ h) is a matrix as U_z is."""
    for (_, before), (op, part) in pairwise(node.parts):
        found = name_of(before, names, here) if isinstance(plain(before), Scripted) else None
        inside = part.items if isinstance(part, Group) and part.bracket == "(" else ()
        if found is None or op or len(inside) != 1 or not isinstance(inside[0], Addition | Product):
            continue
        stem, mark, _ = found.name.partition("_")
        beside = {r for n, r in ranks.items() if n.startswith(stem + "_")}
        if mark and is_capital(stem) and beside == {2} and _open(found.name, names, ranks):
            ranks[found.name] = 2


def _beside_products(node: Addition, names: Names, here: Context, ranks: dict[str, int]) -> None:
    """The U of W x + U (r ⊙ h) is a matrix as W is."""
    if not any(
        isinstance(part, Product)
        and ranks.get(bare(part.parts[0][1], names, here) or "") == 2
        and _rank(part, names, here, ranks) == 1
        for _, part in node.parts
    ):
        return
    for _, part in node.parts:
        match part:
            case Product(parts=((_, Name() as first), (_, Group(bracket="(", items=(inside,))))):
                name = bare(first, names, here)
                several = isinstance(inside, Addition | Product)
                if several and is_capital(name or "") and _open(name, names, ranks):
                    assert name is not None
                    ranks[name] = 2


def _open(name: str | None, names: Names, ranks: dict[str, int]) -> bool:
    """True for a name of which nothing is known."""
    return (
        name is not None
        and name not in names.declared
        and name not in names.numbers
        and name not in names.limits
        and name not in names.indexed
        and name not in ranks
        and name not in ("I", "e", "pi")
        and not (name.endswith("'") and name.rstrip("'") in names.indexed)
    )


def _bold_or_transposed(node: Node, names: Names, here: Context, ranks: dict[str, int]) -> None:
    node = plain(node)
    if isinstance(node, Group) and node.bracket == "‖" and len(node.items) == 1:
        _differences(node.items[0], names, here, ranks)
    if not isinstance(node, Name | Accent | Scripted):
        return
    match node:
        case Scripted(base=Group(items=(Addition() | Product() as sum_,)), scripts=scripts):
            above = [s for sign, s in scripts if sign == "^"]
            if any(s in (Symbol(s.at, "top"), Name(s.at, "T")) for s in above):  # (x - μ)^⊤
                _differences(sum_, names, here, ranks)
    if _transposed(node, names, here) and base_of(node) is not None:
        _vector(node, names, here, ranks)
    name = bare(node, names, here)
    if name is None or not _open(name, names, ranks):
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
        if pair and name is not None and _open(name, names, ranks):
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


_OF_ARRAYS = frozenset(["Concat", "softmax", "max", "relu", "tanh"])
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


def _matrices(part: Node, names: Names, here: Context, ranks: dict[str, int]) -> None:
    """A capital that a trace, a determinant or a norm of matrices is taken of is a matrix."""
    inside = part.items[0] if isinstance(part, Group) and len(part.items) == 1 else part
    factors = inside.parts if isinstance(inside, Product) else (("", inside),)
    for _, factor in factors:
        name = bare(factor, names, here)
        if name is not None and is_capital(name) and _open(name, names, ranks):
            ranks[name] = 2


def _scalar_definition(tree: Node, names: Names, here: Context, ranks: dict[str, int]) -> None:
    """Z = Σ_j e^{x_j} is a number where nothing on the right may be a matrix."""
    if not is_equation(tree):
        return
    name = bare(tree.sides[0], names, here)
    if name is None or not _open(name, names, ranks):
        return
    right = [n for side in tree.sides[1:] for n in walk(side)]
    if any(isinstance(n, Matrix) or getattr(n, "text", "") == "diag" for n in right):
        return
    inside = {bare(n, names, here) for side in tree.sides[1:] for n in leaves(side)} - {name}
    found = [x for x in inside if x is not None]
    free = all(is_capital(x) and (x in names.numbers or _open(x, names, ranks)) for x in found)
    light = isinstance(tree.sides[0], Name | Scripted) and _small(name)
    if light and names.numbers & {*found} and len(found) == len(inside) and free:
        names.numbers |= {name, *found}  # k = C L / V, where k small is no matrix
    doubtful = (x in ranks or (_open(x, names, ranks) and is_capital(x or "")) for x in inside)
    if not any(doubtful):
        names.numbers.add(name)


def _expressions(node: Node) -> Iterator[Node]:
    """A node and the expressions inside it, those in scripts of names left out but for norms."""
    yield node
    if _is_exponential(node):  # e^{-‖x - μ‖²}
        for _, script in node.scripts:  # type: ignore[attr-defined]
            yield from (n for n in walk(script) if isinstance(n, Group) and n.bracket == "‖")
    inside = [node.base] if isinstance(node, Scripted) else children(node)
    for child in inside:
        yield from _expressions(child)


def _product(node: Product, names: Names, here: Context, ranks: dict[str, int]) -> None:
    """A capital among names that are multiplied is a matrix, and a vector stands behind one."""
    if any(op == "∘" or getattr(p, "style", "") == "differential" for op, p in node.parts):
        return  # ∫ F dx is one of numbers
    angle = next((k for k, (_, p) in enumerate(node.parts) if _is_periodic(p)), None)
    if angle is not None:  # A cos ω t: what is behind the sign is no factor
        for parts in (node.parts[:angle], node.parts[angle + 1 :]):
            if len(parts) > 1:
                _product(Product(node.at, parts), names, here, ranks)
        return
    bare = [_factor(node, k, names, here) for k in range(len(node.parts))]
    written = (_factor(node, k, names, here, unindexed) for k in range(len(node.parts)))
    several = sum(x is not None and _latin(x) and x not in names.numbers for x in written) > 1
    several = several and not _numeric(node, bare)
    if names.source.elementwise:  # W x_t of a network
        several = several or any(_member(p, names, here) for _, p in node.parts[1:])
    several = several or any(_is_vector(p, names, here, ranks) for _, p in node.parts)
    for k, x in enumerate(bare):
        if x is None or not _open(x, names, ranks):
            continue
        behind = sign_of(node.parts[k - 2][1]) if k > 1 and node.parts[k][0] == "" else None
        applied = behind is not None and behind.text in _OF_ARRAYS
        between = 0 < k < len(bare) - 1 and is_top(node.parts[k - 1][1])  # x^⊤ Σ^{-1} y
        applied = applied or between
        if is_capital(x) and (several or applied) and names.source.linear:
            ranks[x] = 2
        elif (
            _greek(x)
            and not _is_raised(node.parts[k][1])
            and _column(node, k, bare, names, here, ranks)
        ):
            ranks[x] = 1  # the β of X β: a number would stand before the matrix
        elif _small(x) and (
            _column(node, k, bare, names, here, ranks) or _outer(node, k, bare, names, here, ranks)
        ):
            ranks[x] = 1
    for (_, before), (op, part) in pairwise(node.parts) if names.source.linear else ():
        pair = [_layer(p, names, here) for p in (before, part)]
        if op == "" and None not in pair and names.lenient:  # H^{(l)} W^{(l)}
            ranks.update({x: 3 for x in pair if x is not None and x not in ranks})
    if any(_numbered(part, names, here, ranks) for _, part in node.parts):
        for _, part in node.parts:
            if isinstance(part, Scripted) and is_capital(base_name(part.base) or ""):
                _vector(part, names, here, ranks)
    for k in range(1, len(node.parts)):
        part = node.parts[k][1]
        inside = part.items[0] if isinstance(part, Group) and len(part.items) == 1 else None
        if inside is not None and _column(node, k, bare, names, here, ranks):  # Σ^{-1} (x - μ)
            _differences(inside, names, here, ranks)
        if _column(node, k, bare, names, here, ranks) or _numbered(
            node.parts[k - 1][1], names, here, ranks
        ):
            _vector(node.parts[k][1], names, here, ranks)


def _is_periodic(node: Node) -> bool:
    """True for sin and cos, which are of numbers: those of vectors are W tanh x."""
    sign = sign_of(node)
    return sign is not None and sign.text in ("sin", "cos", "tan", "cot", "sec", "csc")


def _quadratics(node: Product, names: Names, here: Context) -> Iterator[str]:
    """The Σ of (x - μ)^⊤ Σ^{-1} (x - μ), which is symmetric."""
    factors = [part for _, part in node.parts]
    for before, own, behind in zip(factors, factors[1:], factors[2:], strict=False):
        found = name_of(own, names, here) if isinstance(own, Scripted) else None
        if found is None or found.slots or not minus_one(found.power) or not is_top(before):
            continue
        assert isinstance(before, Scripted)
        bare = [s for s in before.scripts if s[0] != "^"]
        turned = Scripted(before.at, before.base, tuple(bare)) if bare else before.base
        if spelled(turned) == spelled(behind):
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
    grown = bool(behind) and all(_is_exponential(part) for part in behind)
    return any(map(_small, between)) or (len(capitals) == 1 and grown)


def _is_exponential(node: Node) -> bool:
    """True for e^{…}."""
    return isinstance(node, Scripted) and node.base == Name(node.base.at, "e")


def _member(node: Node, names: Names, here: Context) -> bool:
    """True for x_t, one small letter with one index."""
    scripted = isinstance(plain(node), Scripted) and base_name(base_of(plain(node))) is not None
    found = name_of(node, names, here) if scripted else None
    return found is not None and len(found.slots) == 1 and _small(found.name)


def _is_vector(node: Node, names: Names, here: Context, ranks: dict[str, int]) -> bool:
    """True for x_n where it is the vector number n."""
    scripted = isinstance(plain(node), Scripted) and base_name(base_of(plain(node))) is not None
    found = name_of(node, names, here) if scripted else None
    return found is not None and 0 < len(found.slots) < ranks.get(found.name, 0)


def _differences(node: Node, names: Names, here: Context, ranks: dict[str, int]) -> None:
    """The x and the μ of x − μ, and the x_n of x_n − μ_k, where that is a vector."""
    terms = [term for _, term in node.parts] if isinstance(node, Addition) else [node]
    found = [bare(term, names, here) for term in terms]
    if all(x is None or not is_capital(x) for x in found):
        ranks |= {x: 1 for x in found if x is not None and _open(x, names, ranks)}
    for term in terms:
        _vector(term, names, here, ranks)


def _column(
    node: Product,
    k: int,
    bare: list[str | None],
    names: Names,
    here: Context,
    ranks: dict[str, int],
) -> bool:
    """True for what stands behind a matrix or a row: x in A x and in y^⊤ x."""
    if not k or node.parts[k][0] != "":
        return False
    name = bare[k - 1] or ""
    matrix = ranks.get(name) == 2 or (name in names.declared and names.ranks.get(name) == 2)
    return matrix or _transposed(node.parts[k - 1][1], names, here)


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


def _outer(
    node: Product,
    k: int,
    bare: list[str | None],
    names: Names,
    here: Context,
    ranks: dict[str, int],
) -> bool:
    """True for x in x y^⊤ and in x W, where it may be a row."""
    if k + 1 == len(node.parts) or node.parts[k + 1][0] != "":
        return False
    behind = bare[k + 1] or ""
    known = names.ranks.get(behind, 0) if behind in names.declared else 0
    return ranks.get(behind, known) == (1 if _transposed(node.parts[k + 1][1], names, here) else 2)


def _vector(node: Node, names: Names, here: Context, ranks: dict[str, int]) -> None:
    """x_i behind a matrix or a row is the vector number i, where x itself stands nowhere."""
    if not isinstance(plain(node), Scripted) or base_name(base_of(plain(node))) is None:
        return
    found = name_of(node, names, here)
    if (
        found is not None
        and len(found.slots) == 1
        and isinstance(found.slots[0], Name | Number | Addition)
        and found.name not in names.mentioned
        and found.name not in names.declared
        and found.name not in ranks
    ):
        ranks[found.name] = 3 if is_capital(found.name) else 2


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
        varied = varied or (k > 0 and is_d(node.parts[k - 1][1])) or is_d(part)
    return None if op == "/" or applied or varied else name(part, names, here)


def _transposed(node: Node, names: Names, here: Context) -> bool:
    scripted = isinstance(node, Scripted) and base_name(base_of(plain(node))) is not None
    found = name_of(node, names, here) if scripted else None
    return found is not None and found.transposed


def _latin(name: str) -> bool:
    return len(name.split("_")[0].rstrip("'")) == 1 or is_capital(name)


def _small(name: str) -> bool:
    head = name.split("_")[0].rstrip("'")
    return len(head) == 1 and head.isascii() and head.islower() and head not in "de"


def _is_raised(node: Node) -> bool:
    scripts = node.scripts if isinstance(node, Scripted) else ()
    return any(sign == "^" and not isinstance(s, Symbol) for sign, s in scripts)  # not β^*


def _greek(name: str) -> bool:
    head = name.split("_")[0].rstrip("'")
    return len(head) > 1 and head in GREEK and head[0].islower()


def _defined(tree: Node, names: Names, here: Context, ranks: dict[str, int]) -> None:
    """The v of v = a ε - b x is a vector as ε and x are, and J of J = G u where both are known."""
    if not names.lenient or not is_equation(tree):
        return
    left, right = tree.sides[:2]
    name = bare(left, names, here)
    if isinstance(right, Fraction) and _is_number(right.bottom, names, here):
        right = right.top
    terms = [p for _, p in right.parts] if isinstance(right, Addition) else [right]
    terms = [_unscaled(term, names, here) for term in terms]
    for _, part in (p for t in terms if isinstance(t, Product) for p in t.parts):
        factor = bare(part, names, here) or ""
        matrix = is_capital(factor) and names.source.linear  # W of W x
        if is_top(part) or not (matrix or factor in ranks or factor in names.declared):
            return
    known = all(bare(n, names, here) in ranks for n in leaves(right))
    fits = name is not None and (_small(name) or (is_capital(name) and known))
    axes = [_rank(term, names, here, ranks) for term in terms]
    if name is not None and fits and _open(name, names, ranks) and {*axes} == {1}:
        ranks[name] = 1


def _of_vector(tree: Node, names: Names, here: Context, ranks: dict[str, int]) -> None:
    """The x and y of z = a x + (1 - a) y are vectors where ‖z‖ says that z is one, a a number."""
    if not is_equation(tree):
        return
    left, right = tree.sides[:2]
    name = bare(left, names, here) or ""
    if ranks.get(name) != 1 or not _small(name) or not isinstance(right, Addition):
        return
    found = [bare(_unscaled(part, names, here), names, here) for _, part in right.parts]
    if all(x is not None and _small(x) for x in found):
        ranks |= {x: 1 for x in found if x is not None and _open(x, names, ranks)}


def _addition(
    node: Addition, names: Names, here: Context, ranks: dict[str, int], small: bool = False
) -> None:
    """b in W x + b is a vector as W x is, and so is x in a x + b where a is a number."""
    terms = [_unscaled(part, names, here) for _, part in node.parts]
    sizes = {_rank(term, names, here, ranks) for term in terms} - {None}
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
            _vector(part, names, here, ranks)
        x = bare(part, names, here)
        fits = x is not None and (_small(x) if rank == 1 else rank == 2 and is_capital(x))
        fits = fits and (rank == 1 or not small)
        if x is not None and rank and fits and _open(x, names, ranks):
            ranks[x] = rank


def _beside_unit(node: Addition, names: Names, here: Context, ranks: dict[str, int]) -> None:
    """The K of K + σ² I is a matrix, where the text inverts or transposes capitals."""
    if any(_is_unit(part, names, here) for _, part in node.parts):
        for x in (bare(part, names, here) for _, part in node.parts):
            if x is not None and is_capital(x) and _open(x, names, ranks):
                ranks[x] = 2


def _has_quantity(tree: Node) -> bool:
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


def _unscaled(node: Node, names: Names, here: Context) -> Node:
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


def _rank(node: Node, names: Names, here: Context, ranks: dict[str, int]) -> int | None:
    """The axes of a chain of assumed matrices and vectors; None where that is not plain."""
    parts = node.parts if isinstance(node, Product) else (("", node),)
    axes: list[int] = []
    for op, part in parts:
        x = bare(part, names, here)
        scripted = isinstance(plain(part), Scripted) and not isinstance(part, Group)
        found = name_of(part, names, here) if scripted else None
        if found is not None and len(found.slots) == 1 and found.name in ranks:
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
