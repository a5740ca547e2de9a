r"""What a whole document tells about its names, before any statement is read.

A name is indexed where it bears index letters anywhere; a number where it is a limit, an exponent
or a divisor; else, by convention, a bold small letter is a column vector, a bold or transposed
capital a matrix, and so is a capital that is multiplied: AB is never a product of numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from . import averages
from .names import Context, Names, atoms, base_name, indices, is_letter, plain
from .scripts import Component, component
from .source import ReadError
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
    Root,
    Scripted,
    Stack,
    Symbol,
    children,
    sign_of,
    spelled,
    walk,
)

Statements = Iterable[tuple[Node, Context]]
MATRIX, VECTOR = "a matrix, as capitals are", "a column vector, as bold letters are"


def gather(statements: Statements, names: Names) -> None:
    """Enter which names are indexed and which are numbers, and assume shapes of the others."""
    found = list(statements)
    for tree, _ in found:
        for node in walk(tree):
            _limits(node, names)
    for tree, here in found:
        names.counted |= here.bound | here.lower | _counters(tree)
    if names.lenient:
        for tree, _ in found:
            names.blocks |= _blocks(tree)
        for tree, here in found:
            names.coordinates |= _coordinates(tree, here)
        if names.coordinates:
            names.coordinates |= _COORDINATES
    for tree, here in found:
        for node in walk(tree):
            if isinstance(plain(node), Scripted):
                _indexed(node, names, here)
            if isinstance(node, Fraction) and _differential(node.bottom):
                for leaf in _leaves(node.bottom):  # nobody differentiates by θ to the power i
                    name = base_name(_base(leaf))
                    names.lowered |= {name} if name is not None else set()
    for tree, here in found:
        names.mentioned |= {x for n in _leaves(tree) if (x := _unindexed(n, names, here))}
        names.numbers |= set(_numbers(tree, names, here))
    _assume(found, names)


def _blocks(tree: Node) -> set[str]:
    """The u of a bold K_{uu}: blocks of a matrix, since nobody writes its trace so."""
    found: set[str] = set()
    for node in walk(tree):
        base = node.base if isinstance(node, Scripted) else None
        if isinstance(base, Name) and base.style == "bold" and _capital(base.text):
            assert isinstance(node, Scripted)
            below = [a for sign, s in node.scripts if sign == "_" for a in atoms(s)]
            letters = [a.text for a in below if is_letter(a)]
            if len(letters) == len(below) == 2 and letters[0] == letters[1]:
                found.add(letters[0])
    return found


_COORDINATES = frozenset("t r x y z tau theta phi varphi rho".split())


def _coordinates(tree: Node, here: Context) -> set[str]:
    """The r of Γ^t_{rr} = r f: a coordinate, as a label and as a number."""
    pairs: set[str] = set()
    alone: set[str] = set()
    for leaf in _leaves(tree):
        if isinstance(leaf, Scripted):
            slots = [a for sign, s in leaf.scripts for a in indices(sign, s)]
            letters = {a.text for a in slots if isinstance(a, Name) and not a.style}
            if len(slots) > 1 and len(letters) == len({*map(spelled, slots)}):
                pairs |= letters if letters <= _COORDINATES else set()
            alone |= {base_name(leaf.base) or ""} if len(slots) < 2 else set()
        elif isinstance(leaf, Name):
            alone.add(leaf.text)
    return pairs & alone - here.summed


def origin(trees: list[Node], strict: bool) -> int | None:
    """1 where a text counts from 1: all its numbered sums begin there; else None.

    Where the reading is not strict, numbers 1, 2, … beside names tell so too, without a 0.
    """
    starts: set[str] = set()
    numbers: set[str] = set()
    for tree in trees:
        for node in walk(tree):
            if isinstance(node, Stack) and isinstance(node.first, Number):
                starts.add(node.first.text)
            if not isinstance(node, Scripted):
                continue
            for sign, script in node.scripts:
                if isinstance(node.base, Symbol) and isinstance(script, Chain):
                    first = script.sides[-1]
                    starts |= {first.text} if isinstance(first, Number) else set()
                elif sign == "_":
                    numbers |= {a.text for a in atoms(script) if isinstance(a, Number)}
    if starts:
        return 1 if "1" in starts and "0" not in starts else None
    return 1 if not strict and "1" in numbers and "0" not in numbers else None


def several(statements: Statements, names: Names) -> None:
    """Names with different numbers of indices under different headings are different tensors."""
    ranks: dict[str, dict[int, set[int]]] = {}
    for tree, here in statements:
        for node in walk(tree):
            if not isinstance(plain(node), Scripted):
                continue
            found = name_of(node, names, here)
            if found is not None and found.slots and any(map(is_letter, found.slots)):
                section = names.source.section(found.at)
                ranks.setdefault(found.name, {}).setdefault(len(found.slots), set()).add(section)
    for name, by_rank in ranks.items():
        sections = list(by_rank.values())
        apart = all(not (a & b) for k, a in enumerate(sections) for b in sections[:k])
        if len(by_rank) > 1 and apart and name not in names.declared and name != "delta":
            names.versions.overload.add(name)
            names.versions.table.setdefault(name, [])


def _limits(node: Node, names: Names) -> None:
    """The n of Σ_{i=1}^n counts something."""
    if isinstance(node, Stack) and isinstance(node.last, Name) and not is_letter(node.last):
        names.limits.add(node.last.text)
    if not isinstance(node, Scripted) or not isinstance(node.base, Symbol):
        return
    if node.base.kind in ("sum", "prod"):
        for sign, script in node.scripts:
            if sign == "^" and isinstance(script, Name) and not is_letter(script):
                names.limits.add(script.text)


def name_of(node: Node, names: Names, here: Context) -> Component | None:
    """How a name with scripts is read; None where it is no name, or has two readings."""
    try:
        return component(node, names, here)
    except ReadError:
        return None


def _counters(tree: Node) -> set[str]:
    """The l of h^{(l-1)} and of Σ_l, which counts; the b of u^{(b)} is a label."""
    found: set[str] = set()
    for node in walk(tree):
        for _, script in node.scripts if isinstance(node, Scripted) else ():
            for group in walk(script):
                if isinstance(group, Addition):
                    found |= {n.text for n in walk(group) if isinstance(n, Name)}
    return found


def _indexed(node: Node, names: Names, here: Context) -> None:
    found = name_of(node, names, here)
    letters = [a for a in found.slots if is_letter(a)] if found is not None else []
    if found is None or not letters:
        return
    names.indexed.add(found.name)
    scripts = plain(node).scripts  # type: ignore[attr-defined]
    below = [a for sign, s in scripts if sign == "_" for a in indices("_", s)]
    if len(letters) > 1 or any(a in letters for a in below):
        names.lowered.add(found.name)


def _bare(node: Node, names: Names, here: Context) -> str | None:
    """The name of a factor that never has indices; None for anything else."""
    found = _unindexed(node, names, here)
    return found if found not in names.indexed else None


def _unindexed(node: Node, names: Names, here: Context) -> str | None:
    """The name of a factor without indices; None for anything else."""
    node = plain(node)
    if isinstance(node, Group) and node.bracket == "{" and len(node.items) == 1:
        return _unindexed(node.items[0], names, here)
    if not isinstance(node, Name | Accent | Scripted) or base_name(_base(node)) is None:
        return None
    found = name_of(node, names, here)
    return found.name if found is not None and not found.slots else None


def _base(node: Node) -> Node:
    return node.base if isinstance(node, Scripted) else node


def _numbers(tree: Node, names: Names, here: Context) -> Iterator[str]:
    """Names below fraction bars, behind /, in exponents, or added to a number: no matrices."""
    for node in walk(tree):
        if isinstance(node, Addition) and any(map(_plainly_scalar, (p for _, p in node.parts))):
            yield from (x for f in _factors(node) if (x := _bare(f, names, here)) is not None)
        divisors: list[Node] = []
        if isinstance(node, Fraction):
            divisors = [node.bottom]
        elif isinstance(node, Product):
            divisors = [part for op, part in node.parts if op == "/"]
        elif isinstance(node, Scripted):
            divisors = [
                s
                for sign, s in node.scripts
                if sign == "^" and not isinstance(s, Name) and len(atoms(s)) > 1
            ]
        for divisor in divisors:
            for factor in _factors(divisor):
                name = _bare(factor, names, here)
                if name is not None and not _differential(divisor):
                    yield name


def _plainly_scalar(node: Node) -> bool:
    """True for a number and an average."""
    return isinstance(node, Number) or averages.is_sign(node)


def _is_d(node: Node) -> bool:
    base = _base(node)
    return base == Name(base.at, "d")


def _differential(node: Node) -> bool:
    first = node.parts[0][1] if isinstance(node, Product) else node
    base = _base(first)
    return base == Symbol(base.at, "partial") or _is_d(first)


def _factors(node: Node) -> Iterator[Node]:
    """The factors and terms of an expression that is divided by."""
    if isinstance(node, Product):
        before: Node | None = None
        for op, part in node.parts:
            applied = op == "" and before is not None and not isinstance(before, Group | Number)
            if not (applied and isinstance(part, Group)):  # what a function is applied to
                yield from _factors(part)
            before = part
    elif isinstance(node, Addition):
        for _, part in node.parts:
            yield from _factors(part)
    elif isinstance(node, Root):
        yield from _factors(node.body)
    elif isinstance(node, Group) and node.bracket in ("|", "‖"):  # |Σ| says nothing about Σ
        return
    elif isinstance(node, Group):
        for item in node.items:
            yield from _factors(item)
    else:
        yield node


# --------------------------------------------------------------------------------- by convention


def _assume(found: list[tuple[Node, Context]], names: Names) -> None:
    """Ranks of names that nothing else says anything about."""
    ranks: dict[str, int] = {}
    for tree, here in found:
        for node in _expressions(tree):
            _bold_or_transposed(node, names, here, ranks)
    for tree, here in found:
        for node in walk(tree):
            if isinstance(node, Product):
                _squares(node, names, here, ranks)
    for tree, here in found:
        _scalar_definition(tree, names, here, ranks)
    while True:
        before = len(ranks)
        for tree, here in found:
            for node in _expressions(tree):
                if isinstance(node, Product):
                    _product(node, names, here, ranks)
                elif isinstance(node, Addition):
                    _addition(node, names, here, ranks)
        if len(ranks) == before:
            break
    for name, rank in ranks.items():
        names.assume(name, rank, MATRIX if _capital(name) else VECTOR)


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


_GREEK = frozenset("Sigma Lambda Phi Psi Omega Theta Xi".split())


def _capital(name: str) -> bool:
    """True for one capital, with or without labels and accents; Δ and Γ may be numbers."""
    head = name.split("_")[0].rstrip("'")
    if len(head) == 2 and head[0] == "d":  # dO, a differential
        head = head[1]
    return (len(head) == 1 and head.isascii() and head.isupper()) or head in _GREEK


def _bold_or_transposed(node: Node, names: Names, here: Context, ranks: dict[str, int]) -> None:
    node = plain(node)
    if not isinstance(node, Name | Accent | Scripted):
        return
    turned = isinstance(node, Scripted) and any(
        sign == "^" and s in (Symbol(s.at, "top"), Name(s.at, "T")) for sign, s in node.scripts
    )
    if turned and isinstance(node.base, Group) and len(node.base.items) == 1:  # (x - μ)^⊤
        _differences(node.base.items[0], names, here, ranks)
    if _transposed(node, names, here) and _base(node) is not None:
        _vector(node, names, here, ranks)
    name = _bare(node, names, here)
    if name is None or not _open(name, names, ranks):
        return
    inner = _base(node)
    while isinstance(inner, Accent):
        inner = inner.body
    bold = isinstance(inner, Name) and inner.style == "bold"
    found = name_of(node, names, here)
    if bold or (found is not None and found.transposed):
        head = name.split("_")[0].rstrip("'")
        small = len(head) == 1 and head.islower()
        greek = len(head) > 1
        if small or _capital(name):
            ranks[name] = 1 if small else 2
        elif greek and bold:
            ranks[name] = 1 if head[0].islower() else 2


_OF_MATRICES = frozenset("tr det rowmax rowsum colmax colsum".split())


def _squares(node: Product, names: Names, here: Context, ranks: dict[str, int]) -> None:
    """A capital that a trace or a determinant is taken of is a matrix."""
    for (_, before), (_, part) in pairwise(node.parts):
        sign = sign_of(before)
        if sign is None or sign.text not in _OF_MATRICES:
            continue
        inside = part.items[0] if isinstance(part, Group) and len(part.items) == 1 else part
        factors = inside.parts if isinstance(inside, Product) else (("", inside),)
        for _, factor in factors:
            name = _bare(factor, names, here)
            if name is not None and _capital(name) and _open(name, names, ranks):
                ranks[name] = 2


def _scalar_definition(tree: Node, names: Names, here: Context, ranks: dict[str, int]) -> None:
    """Z = Σ_j e^{x_j} is a number where nothing on the right may be a matrix."""
    if not isinstance(tree, Chain) or tree.relations[0][0] not in ("=", ":="):
        return
    name = _bare(tree.sides[0], names, here)
    if name is None or not _open(name, names, ranks):
        return
    inside = {_bare(n, names, here) for side in tree.sides[1:] for n in _leaves(side)} - {name}
    doubtful = (x in ranks or (_open(x, names, ranks) and _capital(x or "")) for x in inside)
    if not any(doubtful):
        names.numbers.add(name)


def _leaves(node: Node) -> Iterator[Node]:
    """The names and scripted names of an expression."""
    shown = plain(node)
    if isinstance(shown, Name | Accent) or (
        isinstance(shown, Scripted) and base_name(shown.base) is not None
    ):
        yield shown
        return
    for child in children(node):
        yield from _leaves(child)


def _expressions(node: Node) -> Iterator[Node]:
    """A node and the expressions inside it, those in scripts of names left out."""
    yield node
    inside = [node.base] if isinstance(node, Scripted) else children(node)
    for child in inside:
        yield from _expressions(child)


def _product(node: Product, names: Names, here: Context, ranks: dict[str, int]) -> None:
    """A capital among names that are multiplied is a matrix, and a vector stands behind one."""
    if any(op == "∘" for op, _ in node.parts):
        return
    bare = [_factor(node, k, names, here) for k in range(len(node.parts))]
    several = sum(x is not None and _latin(x) and x not in names.numbers for x in bare) > 1
    for k, x in enumerate(bare):
        if x is None or not _open(x, names, ranks):
            continue
        if _capital(x) and several:
            ranks[x] = 2
        elif _small(x) and (
            _column(node, k, bare, names, here, ranks) or _outer(node, k, bare, names, here, ranks)
        ):
            ranks[x] = 1
    if any(_numbered(part, names, here, ranks) for _, part in node.parts):
        for _, part in node.parts:
            if isinstance(part, Scripted) and _capital(base_name(part.base) or ""):
                _vector(part, names, here, ranks)
        part = node.parts[k][1]
        inside = part.items[0] if isinstance(part, Group) and len(part.items) == 1 else None
        if inside is not None and _column(node, k, bare, names, here, ranks):  # Σ^{-1} (x - μ)
            _differences(inside, names, here, ranks)
    for k in range(1, len(node.parts)):
        if _column(node, k, bare, names, here, ranks) or _numbered(
            node.parts[k - 1][1], names, here, ranks
        ):
            _vector(node.parts[k][1], names, here, ranks)


def _differences(node: Node, names: Names, here: Context, ranks: dict[str, int]) -> None:
    """The x and the μ of x − μ, where that is a vector."""
    terms = [term for _, term in node.parts] if isinstance(node, Addition) else []
    found = [_bare(term, names, here) for term in terms]
    if all(x is not None and not _capital(x) for x in found):
        ranks |= {x: 1 for x in found if x is not None and _open(x, names, ranks)}


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
    return ranks.get(bare[k - 1] or "") == 2 or _transposed(node.parts[k - 1][1], names, here)


def _numbered(node: Node, names: Names, here: Context, ranks: dict[str, int]) -> bool:
    """True for M_k where it is the matrix number k."""
    if not isinstance(plain(node), Scripted) or base_name(_base(plain(node))) is None:
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
    return ranks.get(bare[k + 1] or "", 0) == (
        1 if _transposed(node.parts[k + 1][1], names, here) else 2
    )


def _vector(node: Node, names: Names, here: Context, ranks: dict[str, int]) -> None:
    """x_i behind a matrix or a row is the vector number i, where x itself stands nowhere."""
    if not isinstance(plain(node), Scripted) or base_name(_base(plain(node))) is None:
        return
    found = name_of(node, names, here)
    if (
        found is not None
        and len(found.slots) == 1
        and (is_letter(found.slots[0]) or isinstance(found.slots[0], Number))
        and found.name not in names.mentioned
        and found.name not in names.declared
        and found.name not in ranks
    ):
        ranks[found.name] = 3 if _capital(found.name) else 2


def _factor(node: Product, k: int, names: Names, here: Context) -> str | None:
    """The bare name that is the factor at `k`; None below a division sign and before brackets."""
    op, part = node.parts[k]
    behind = node.parts[k + 1] if k + 1 < len(node.parts) else None
    powers = isinstance(part, Scripted) and any(sign == "^" for sign, _ in part.scripts)
    applied = behind is not None and behind[0] == "" and isinstance(behind[1], Group) and not powers
    before = sign_of(node.parts[k - 1][1]) if k else None
    varied = before is not None and before.kind in ("partial", "nabla")
    varied = varied or (k > 0 and _is_d(node.parts[k - 1][1])) or _is_d(part)
    return None if op == "/" or applied or varied else _bare(part, names, here)


def _transposed(node: Node, names: Names, here: Context) -> bool:
    scripted = isinstance(node, Scripted) and base_name(_base(plain(node))) is not None
    found = name_of(node, names, here) if scripted else None
    return found is not None and found.transposed


def _latin(name: str) -> bool:
    return len(name.split("_")[0].rstrip("'")) == 1 or _capital(name)


def _small(name: str) -> bool:
    head = name.split("_")[0].rstrip("'")
    return len(head) == 1 and head.isascii() and head.islower() and head not in "de"


def _addition(node: Addition, names: Names, here: Context, ranks: dict[str, int]) -> None:
    """b in W x + b is a vector as W x is."""
    sizes = {_rank(part, names, here, ranks) for _, part in node.parts} - {None}
    if len(sizes) != 1:
        return
    (rank,) = sizes
    for _, part in node.parts:
        found = name_of(part, names, here) if isinstance(plain(part), Scripted) else None
        if found is not None and len(found.slots) == 1 and rank == (2 if _capital(found.name) else 1):
            _vector(part, names, here, ranks)
        x = _bare(part, names, here)
        fits = x is not None and (_small(x) if rank == 1 else rank == 2 and _capital(x))
        if x is not None and rank and fits and _open(x, names, ranks):
            ranks[x] = rank


def _rank(node: Node, names: Names, here: Context, ranks: dict[str, int]) -> int | None:
    """The axes of a chain of assumed matrices and vectors; None where that is not plain."""
    parts = node.parts if isinstance(node, Product) else (("", node),)
    axes: list[int] = []
    for op, part in parts:
        x = _bare(part, names, here)
        scripted = isinstance(plain(part), Scripted) and not isinstance(part, Group)
        found = name_of(part, names, here) if scripted else None
        if found is not None and len(found.slots) == 1 and found.name in ranks:
            axes.append(ranks[found.name] - 1)
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
