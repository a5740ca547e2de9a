r"""What a whole document tells about its names, before any statement is read.

A name is indexed where it bears index letters anywhere; a number where it is a limit, an exponent
or a divisor.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise

from ..explain.naming import GREEK
from . import averages
from .applications import calls
from .left import head
from .moments import is_sign
from .names import (
    COORDINATES,
    DISTRIBUTIONS,
    Context,
    Names,
    atoms,
    base_name,
    implied,
    indices,
    is_capital,
    is_letter,
    letters_of,
    multiple,
    plain,
)
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
    base_of,
    children,
    spelled,
    walk,
)

Statements = Iterable[tuple[Node, Context]]


def gather(statements: Statements, names: Names) -> None:
    """Enter which names are indexed and which are numbers, and assume shapes of the others."""
    found = list(statements)
    for tree, _ in found:
        for node in walk(tree):
            _limits(node, names)
    for tree, here in found:
        names.counted |= (here.bound | here.lower | _counters(tree)) - names.exponents
    if names.lenient:
        trees = [tree for tree, _ in found]
        said = any(_is_unit(base_of(left)) for t in trees if (left := head(t)) is not None)
        if said or "I" in names.source.quantities:
            names.identity = False  # I = U / R is a current: nobody says what the unit matrix is
        if names.identity is None and names.source.linear:
            names.identity = _has_identity(trees)
        for tree in trees:
            names.blocks |= _blocks(tree)
        for tree, here in found:
            names.coordinates |= _coordinates(tree, here)
        if names.coordinates:
            names.coordinates |= COORDINATES
    for tree, here in found:
        for node in walk(tree):
            if isinstance(plain(node), Scripted):
                _indexed(node, names, here)
            if isinstance(node, Fraction) and _differential(node.bottom):
                for leaf in leaves(node.bottom):  # nobody differentiates by θ to the power i
                    name = base_name(base_of(leaf)) if isinstance(leaf, Scripted) else None
                    names.lowered |= {name} if name is not None else set()
    if names.lenient:
        numbers = {n for n in names.bare if not names.ranks.get(n)}  # which have their names
        apart = {n for n in names.indexed - names.declared - numbers if _apart(n, names)}
        names.summed |= _drawn(found, names)
        names.versions.scalars |= apart - names.summed - names.averages.keys()
        plainly = not any(is_top(n) for tree, _ in found for n in walk(tree))
        traced = {_traced(tree) for tree, _ in found if plainly} - {""}
        names.versions.scalars |= traced & names.indexed - names.declared - names.stated.keys()
    with remembered(names):
        for tree, here in found:
            names.mentioned |= {x for n in leaves(tree) if (x := unindexed(n, names, here))}
            names.numbers |= set(_numbers(tree, names, here))


def _has_identity(trees: list[Node]) -> bool | None:
    """True where I is the unit matrix: a term, a side, or behind numbers, and never a number.

    None where it stands nowhere.
    """
    plainly = written = 0
    for tree in trees:
        nodes = list(walk(tree))
        written += sum(_is_unit(n) for n in nodes)
        for node in nodes:
            terms: list[Node] = []
            if isinstance(node, Addition):
                terms = [p for _, p in node.parts if len(node.parts) > 1]
            elif isinstance(node, Chain):
                terms = [_signless(side) for side in node.sides[1:]]
            elif isinstance(node, Group) and node.bracket == "|":  # |λ I|
                terms = [n for n in node.items if isinstance(n, Product)]
            for term in terms:
                last = term.parts[-1] if isinstance(term, Product) else ("", term)
                plainly += last[0] in ("", "·") and _is_unit(last[1])
            if isinstance(node, Product):  # I_n ⊗ A, and (I + A)^{-1} I
                plainly += sum(_is_unit(p) for _, p in node.parts[1:-1])
            if isinstance(node, Scripted) and _is_unit(node.base):
                written += any(sign != "_" for sign, _ in node.scripts)  # I^2
    return written <= plainly if written else None


def _signless(node: Node) -> Node:
    """The I of -I; any other side as it is."""
    return node.parts[0][1] if isinstance(node, Addition) and len(node.parts) == 1 else node


def _is_unit(node: Node) -> bool:
    return isinstance(node, Name) and node.text == "I" and node.style != "bold"


def _apart(name: str, names: Names) -> bool:
    """True where the name without indices is a number: N beside N_k, x beside x^μ."""
    if names.stated.get(name):  # x ∈ ℝ^n beside x_i
        return False
    if name in names.limits or not names.source.linear:
        return True
    return name in names.paths and not name[:1].isupper()


def _drawn(statements: Iterable[tuple[Node, Context]], names: Names) -> set[str]:
    """The E of ⟨E⟩, which is Σ_i p_i E_i where the text says so, and no number beside E_i."""
    signs = [s for tree, _ in statements for n in walk(tree) if (s := averages.average(n))]
    inside = (n for s in signs if names.averages for i in s.items for n in walk(i))
    return {n.text for n in inside if isinstance(n, Name)}


def _traced(tree: Node) -> str:
    """The R of R = g^{ab} R_{ab}, a number beside its tensor; empty for none."""
    left, right = tree.sides[:2] if isinstance(tree, Chain) else (tree, tree)
    if not isinstance(left, Name) or not isinstance(tree, Chain) or left.text in GREEK:
        return ""
    plainly = right.items[0] if isinstance(right, Group) and len(right.items) == 1 else right
    own = letters_of(a for _, s in getattr(plain(plainly), "scripts", ()) for a in atoms(s))
    listed = isinstance(plainly, Scripted) and len({*own}) == len(own)  # A = (A_ij)
    if listed or tree.relations[0][0] not in ("=", ":="):
        return ""
    if _total(left.text, right):  # L = Σ_t L_t
        return left.text
    if any(isinstance(n, Symbol) and n.kind in ("top", "sum", "dots") for n in walk(right)):
        return ""  # M = Σ M_ij e_i e_j^⊤
    for node in map(plain, walk(right)):
        if isinstance(node, Scripted) and base_name(node.base) == left.text:
            letters = [a for sign, s in node.scripts if sign in "^_" for a in atoms(s)]
            if len(letters) > 1 and all(map(is_letter, letters)):
                return left.text
    return ""


def _total(name: str, node: Node) -> bool:
    """True for Σ_t L_t and Σ_{t=1}^T L_t of a name L, and nothing else."""
    match node:
        case Product(
            parts=(
                (_, Scripted(base=Symbol(kind="sum"), scripts=(("_", below), *_))),
                ("", Scripted(base=Name(text=text), scripts=(("_", Name(text=letter)),))),
            )
        ):
            first = below.sides[0] if isinstance(below, Chain) else below
            return text == name and isinstance(first, Name) and first.text == letter
    return False


def _blocks(tree: Node) -> set[str]:
    """The u of a bold K_{uu}: blocks of a matrix, since nobody writes its trace so."""
    found: set[str] = set()
    for node in walk(tree):
        base = node.base if isinstance(node, Scripted) else None
        if isinstance(base, Name) and base.style == "bold" and is_capital(base.text):
            assert isinstance(node, Scripted)
            below = [a for sign, s in node.scripts if sign == "_" for a in atoms(s)]
            letters = [a.text for a in below if is_letter(a)]
            if len(letters) == len(below) == 2 and letters[0] == letters[1]:
                found.add(letters[0])
    return found


def _coordinates(tree: Node, here: Context) -> set[str]:
    """The r of Γ^t_{rr} = r f: a coordinate, as a label and as a number."""
    pairs: set[str] = set()
    alone: set[str] = set()
    for leaf in leaves(tree):
        if isinstance(leaf, Scripted):
            slots = [a for sign, s in leaf.scripts for a in indices(sign, s)]
            letters = {a.text for a in slots if isinstance(a, Name) and not a.style}
            if len(slots) > 1 and len(letters) == len({*map(spelled, slots)}):
                pairs |= letters if letters <= COORDINATES else set()
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
    pairs: set[str] = set()
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
                    pairs |= {n for a in atoms(script) if not strict and (n := _pairs(a))}
                    numbers |= {a.text for a in atoms(script) if isinstance(a, Number)}
    if starts:
        return 1 if "1" in starts and "0" not in starts else None
    if len(pairs) == 1:
        return int(*pairs)
    return 1 if not strict and "1" in numbers and "0" not in numbers else None


def _pairs(index: Node) -> str:
    """0 for 2i + 1 beside 2i, which begins there; 1 for 2i − 1; else empty."""
    match index:
        case Addition(parts=((1, Product() as twice), (sign, Number(text="1")))) if multiple(twice):
            return "0" if sign > 0 else "1"
    return ""


def several(statements: Statements, names: Names) -> None:
    """Names with different numbers of indices under different headings are different tensors."""
    ranks: dict[str, dict[int, set[int]]] = {}
    for tree, here in statements:
        for node in walk(tree):
            if not isinstance(plain(node), Scripted):
                continue
            found = name_of(node, names, here)
            if found is None or found.written in names.parts:
                continue
            if found.slots and any(map(is_letter, found.slots)):
                section = names.source.section(found.at)
                ranks.setdefault(found.name, {}).setdefault(len(found.slots), set()).add(section)
    for name, by_rank in ranks.items():
        sections = list(by_rank.values())
        apart = all(not (a & b) for k, a in enumerate(sections) for b in sections[:k])
        apart = apart or by_rank.keys() == {2, 4}  # R_{ab} and R_{abcd}
        joint = name in DISTRIBUTIONS and names.lenient  # p_x beside p_{xy}
        if len(by_rank) > 1 and (apart or joint) and name not in {*names.declared, "delta"}:
            names.versions.overload.add(name)
            names.versions.table.setdefault(name, [])


def styles(statements: Statements, names: Names, blocks: AbstractSet[str] = frozenset()) -> None:
    r"""Tell apart what bold and indices do: \mathbf{x}, \mathbf{x}_n, and x beside \mathbf{x}.

    A bold letter has one axis or two beside the indices it bears, so the vectors number n are
    another tensor than the vector, and a light x_i is the component of whichever has one axis.
    `blocks` are matrices of which words number others.
    """
    with remembered(names):
        totals, many, plain = _styles(list(statements), names)
    for name in ((many | blocks) & plain) - names.declared - totals.keys():
        if name not in names.versions.bares:
            names.versions.bares[name] = names.versions.fresh(name, 0)
        if name in names.stated:
            own = names.stated[name] - (name in names.each)
            names.stated[names.versions.bares[name]] = own
            names.stated[name] = own + 1
    for name, several in totals.items():
        first, *others = sorted(several, key=lambda n: (n == 0, n))
        called = {n: names.versions.fresh(name, 0, k) for k, n in enumerate(others)}
        if called:
            names.versions.totals[name] = {first: name, **called}


def _styles(
    found: list[tuple[Node, Context]], names: Names
) -> tuple[dict[str, set[int]], set[str], set[str]]:
    """The axes of names that are bold somewhere, those of which many are numbered, bare names."""
    totals: dict[str, set[int]] = {}
    numbers: set[str] = set()  # light letters that are others than the bold ones
    for tree, here in found:
        bare: dict[str, set[bool]] = {}
        for node in leaves(tree):
            inner = base_of(node)
            while isinstance(inner, Accent):
                inner = inner.body
            x = name_of(node, names, here)
            if x is None or not isinstance(inner, Name) or x.name in names.declared:
                continue
            if own := implied(inner, x.slots, names.source.fields):
                totals.setdefault(x.name, set()).add(len(x.slots) + own)
            if not x.slots:
                bare.setdefault(x.name, set()).add(inner.style == "bold")
        numbers |= {name for name, both in bare.items() if len(both) > 1}
    for name in numbers & totals.keys():
        totals[name].add(0)
    nodes = [(n, here) for tree, here in found for n in leaves(tree)]
    plain = {shown for n, here in nodes if (shown := unindexed(n, names, here))}
    many = {x for tree, here in found for x in _numbered(tree, names, here)}
    many -= totals.keys()
    many |= {n for n, several in totals.items() if min(several) > 1 and n[:1].islower()}
    return totals, many, plain


def is_slope(node: Node) -> bool:
    """True for γ ∇f(x), a vector, and not for the number h^⊤ ∇f(x)."""
    parts = node.parts if isinstance(node, Product) else (("", node),)
    at = next((k for k, (_, p) in enumerate(parts) if p == Symbol(p.at, "nabla")), None)
    if at is None or any(is_top(p) for _, p in parts[:at]):
        return False
    return all(op != "·" for op, _ in parts[at + 1 :])  # ∇f(x) · h


def _numbered(tree: Node, names: Names, here: Context) -> Iterator[str]:
    """The names of x_k where it is the vector number k: behind matrices, in norms, iterated."""

    def small(node: Node) -> Component | None:
        base = plain(node)
        found = name_of(node, names, here) if isinstance(base, Scripted) else None
        letters = (
            found is not None and len(found.slots) == 1 and base_name(base_of(base)) is not None
        )
        return found if letters and found is not None and not is_capital(found.name) else None

    left = tree.sides[0] if isinstance(tree, Chain) else None
    step = name_of(left, names, here) if isinstance(left, Scripted) else None
    if step is not None and len(step.slots) == 1 and isinstance(step.slots[0], Addition):
        given = (name_of(i, names, here) for _, _, c in calls(tree) for i in c.items)
        if any(x is not None and x.name == step.name and x.slots for x in given):
            yield step.name  # x_{n+1} = x_n - f(x_n)/f'(x_n)
    for node in walk(tree):
        terms = [p for _, p in node.parts] if isinstance(node, Addition) else []
        if any(map(is_slope, terms)):
            yield from (x.name for t in terms if (x := small(t)) is not None)
        if isinstance(node, Group) and node.bracket == "‖" and len(node.items) == 1:
            (inner,) = node.items
            terms = [p for _, p in inner.parts] if isinstance(inner, Addition) else [inner]
            yield from (x.name for t in terms if (x := small(t)) is not None)
        if (own := small(node)) is not None and own.transposed:
            yield own.name
        if own is not None and names.stated.get(own.name) and isinstance(own.slots[0], Addition):
            yield own.name
        parts = node.parts if isinstance(node, Product) else ()
        rows = [k for k, (op, part) in enumerate(parts[1:], 1) if op == "" and is_top(part)]
        for k in rows:
            said = (y := small(parts[k - 1][1])) and names.stated.get(y.name) == 1
            closed = parts[k + 1 : k + 2] and parts[k + 1][0] == ""  # y_i (w^⊤ x_i), where y ∈ ℝ^n
            if y is not None and not (said and closed and y.name not in names.each):
                yield y.name
        for (_, before), (op, part) in pairwise(parts):
            x, name = small(part), unindexed(before, names, here)
            matrix = is_top(before) or (name and is_capital(name) and name not in names.limits)
            if x is not None and op == "" and matrix and names.source.linear:
                yield x.name


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
    if names.asked is None or names.versions.overload:
        return _component(node, names, here)
    key = id(node), id(here), len(names.numbers), len(names.mentioned)
    if key not in names.asked:  # with what the numbers are of, so that they stay theirs
        names.asked[key] = _component(node, names, here), node, here
    found: Component | None = names.asked[key][0]
    return found


def _component(node: Node, names: Names, here: Context) -> Component | None:
    try:
        return component(node, names, here)
    except ReadError:
        return None


@contextmanager
def remembered(names: Names) -> Iterator[None]:
    """While nothing is entered but numbers and what is mentioned, names are read once."""
    names.asked = {}
    try:
        yield
    finally:
        names.asked = None


def _counters(tree: Node) -> set[str]:
    """The l of h^{(l-1)} and of Σ_l, which counts; the b of u^{(b)} is a label."""
    found: set[str] = set()
    for node in walk(tree):
        if not isinstance(node, Scripted) or base_name(node.base) == "e":
            continue
        power = isinstance(node.base, Group) and node.base.bracket == "("
        for sign, script in node.scripts:
            for group in walk(script) if sign == "_" or not power else ():
                if isinstance(group, Addition):
                    found |= {n.text for n in walk(group) if isinstance(n, Name)}
    return found


def _indexed(node: Node, names: Names, here: Context) -> None:
    found = name_of(node, names, here)
    letters = [a for a in found.slots if is_letter(a)] if found is not None else []
    if found is None or not letters:
        return
    if found.name not in names.indexed and all(x.text in GREEK for x in letters):
        names.paths.add(found.name)
    elif any(x.text not in GREEK for x in letters):
        names.paths.discard(found.name)
    names.indexed.add(found.name)
    scripts = plain(node).scripts  # type: ignore[attr-defined]
    below = [a for sign, s in scripts if sign == "_" for a in indices("_", s)]
    (names.paired if len(found.slots) > 1 else names.single).add(found.name)
    if len(letters) > 1 or any(a in letters for a in below):
        names.lowered.add(found.name)


def bare(node: Node, names: Names, here: Context) -> str | None:
    """The name of a factor that never has indices; None for anything else."""
    found = unindexed(node, names, here)
    return found if found not in names.indexed else None


def unindexed(node: Node, names: Names, here: Context) -> str | None:
    """The name of a factor without indices; None for anything else."""
    node = plain(node)
    if isinstance(node, Group) and node.bracket == "{" and len(node.items) == 1:
        return unindexed(node.items[0], names, here)
    if not isinstance(node, Name | Accent | Scripted) or base_name(base_of(node)) is None:
        return None
    found = name_of(node, names, here)
    return found.name if found is not None and not found.slots else None


def _numbers(tree: Node, names: Names, here: Context) -> Iterator[str]:
    """Names below fraction bars, behind /, in exponents, or added to a number: no matrices."""
    for node in walk(tree):
        said = averages.average(node)
        if said is not None and (said.sign == "Var" or len(said.items) > 1):  # Cov(X, Y)
            yield from (x for i in said.items for f in _factors(i) if (x := _light(f, names, here)))
        if isinstance(node, Addition) and any(map(_plainly_scalar, (p for _, p in node.parts))):
            plainly = [p for _, p in node.parts if not any(map(_has_axes, walk(p)))]
            yield from (x for p in plainly for f in _factors(p) if (x := bare(f, names, here)))
        divisors: list[Node] = []
        if isinstance(node, Fraction):
            divisors = [node.bottom]
            yield from _ratio(node.top, node.bottom, names, here)
        elif isinstance(node, Product):
            divisors = [part for op, part in node.parts if op == "/"]
            cut = next((k for k, (op, _) in enumerate(node.parts) if op == "/"), 0)
            if cut:
                top, bottom = (
                    replace(node, parts=node.parts[:cut]),
                    replace(node, parts=node.parts[cut:]),
                )
                yield from _ratio(top, bottom, names, here)
        elif isinstance(node, Scripted):
            divisors = [
                s
                for sign, s in node.scripts
                if sign == "^" and not isinstance(s, Name) and len(atoms(s)) > 1
            ]
            above = [a for sign, s in node.scripts if sign == "^" for a in walk(s)]
            alone = base_name(node.base)
            if alone == "e":  # the T of e^{-r T} and of e^{(r - q) T}
                divisors = [s for sign, s in node.scripts if sign == "^" and _scalar(s)]
            if alone is not None and any(
                isinstance(a, Name) and a.text in here.powers for a in above
            ):
                yield alone  # the K of K^\alpha
        for divisor in divisors:
            for factor in _factors(divisor):
                name = bare(factor, names, here)
                base = base_of(plain(factor))
                bold = isinstance(base, Name) and base.style == "bold"
                if name is not None and not _differential(divisor) and not (bold and names.lenient):
                    yield name


def _scalar(exponent: Node) -> bool:
    """Not x^⊤ A x nor x · y, of which A and x are no numbers; and no bracket above."""
    inside = [*walk(exponent)]
    dotted = any(op == "·" for n in inside if isinstance(n, Product) for op, _ in n.parts)
    return not dotted and not any(map(is_top, inside)) and not isinstance(exponent, Name)


def _ratio(top: Node, bottom: Node, names: Names, here: Context) -> Iterator[str]:
    """The R and T of RT/(nF), where a capital stands below: no product of matrices."""
    below = [bare(f, names, here) for f in _factors(bottom)]
    above = [_light(f, names, here) for f in _factors(top)]
    if any(x is not None and is_capital(x) for x in below) and None not in above:
        yield from (x for x in above if x is not None)


def _light(node: Node, names: Names, here: Context) -> str | None:
    """The name of a factor that is not bold and has no axes in the words of the text."""
    base = base_of(plain(node))
    name = bare(node, names, here)
    bold = isinstance(base, Name) and base.style == "bold"
    return None if bold or names.stated.get(name or "") else name


def is_top(node: Node) -> bool:
    """True for a name or a bracket that is transposed."""
    above = [s for sign, s in node.scripts if sign == "^"] if isinstance(node, Scripted) else []
    return any(s in (Symbol(s.at, "top"), Name(s.at, "T")) for s in above)


def _has_axes(node: Node) -> bool:
    """True for x^⊤ and for x ⊙ y."""
    return is_top(node) or (isinstance(node, Product) and any(op == "∘" for op, _ in node.parts))


def _plainly_scalar(node: Node) -> bool:
    """True for a number and an average."""
    return isinstance(node, Number) or is_sign(node)


def is_d(node: Node) -> bool:
    base = base_of(node)
    return base == Name(base.at, "d")


def _differential(node: Node) -> bool:
    first = node.parts[0][1] if isinstance(node, Product) else node
    base = base_of(first)
    return base == Symbol(base.at, "partial") or is_d(first)


def _factors(node: Node) -> Iterator[Node]:
    """The factors and terms of an expression that is divided by."""
    if isinstance(node, Product) and any(is_top(part) for _, part in node.parts):
        return  # x^⊤ Σ x is a number, and Σ is none
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
    elif isinstance(node, Scripted) and isinstance(node.base, Group) and _is_numeric_power(node):
        yield from _factors(node.base)
    else:
        yield node


def _is_numeric_power(node: Scripted) -> bool:
    """True for (R + S)^2, and not for (A x)^2 with something transposed in it."""
    (sign, script), *more = node.scripts
    return (
        sign == "^" and isinstance(script, Number) and not more and not any(map(is_top, walk(node)))
    )


def varied(tree: Node) -> Iterator[str]:
    """The names that something is differentiated by."""
    for node in walk(tree):
        below: list[Node] = []
        if isinstance(node, Fraction) and _differential(node.bottom):
            below = [node.bottom]
        elif isinstance(node, Scripted) and node.base == Symbol(node.base.at, "nabla"):
            below = [script for _, script in node.scripts]
        yield from (n.text for b in below for n in walk(b) if isinstance(n, Name))


def leaves(node: Node) -> Iterator[Node]:
    """The names and scripted names of an expression."""
    shown = plain(node)
    if isinstance(shown, Name | Accent) or (
        isinstance(shown, Scripted) and base_name(shown.base) is not None
    ):
        yield shown
        return
    sign = shown.base if isinstance(shown, Scripted) else None
    if isinstance(sign, Symbol) and sign.kind in ("partial", "nabla"):  # the μ of ∂_μ is an index
        return
    for child in children(node):
        yield from leaves(child)
