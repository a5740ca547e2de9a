r"""Differentials of matrices: dY = dX W for Y = X W, d(A^{-1}) = -A^{-1} dA A^{-1}, d \log\det X.

An equation between differentials holds for every change of what varies in it: of the names whose
differentials stand in it and that are made of no others of them.  All other names are held
constant.  With X the names that vary, dY is Σ_X Σ_{ij} ∂Y/∂X_ij dX_ij, and every dX is free.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from . import derivatives, reach
from .names import atoms, base_name, is_letter, plain, reached, stem
from .rewrite import MINUS_ONE, is_d, names_differential
from .sizes import Letter
from .source import Source
from .terms import Add, Mul, Ref, Term, Total, refs
from .tree import (
    BRACKETS,
    Addition,
    Chain,
    Group,
    Name,
    Node,
    Number,
    Product,
    Scripted,
    Symbol,
    children,
    is_equation,
    rebuilt,
    replaced,
    sign_of,
    spelled,
    walk,
)
from .values import Scope, Value

if TYPE_CHECKING:
    from .elaborate import Reader

_MATRICES = re.compile(r"\b(?:[Mm]atri|[Vv]ector|[Tt]ensor|[Ll]ayer)|\\mathbb\s*\{?R|\\odot")
_SAID = re.compile(r"\b[Dd]ifferentials\b|\b[Dd]ifferential (?:of|is)\b")
NONLINEAR = math.inf  # the degree of what is no polynomial of differentials
KIND = "differential"
# where the rules of calculus do not hold for d, or where d of a form is another thing
OTHER = re.compile(r"It(?:o|ô|\\\^o)\b|Brownian|Wiener|[Ss]tochastic|\\wedge|[Ee]xterior")


def of_numbers(trees: Iterable[Node], source: Source) -> tuple[set[str], bool]:
    """The names of dU = T dS - M dB in a text that has no sign of a matrix, and whether they are
    numbers for sure: a small letter stands on the left of a capital, and varies as that does."""
    trees = list(trees)
    marks = any(_of_matrices(n) for tree in trees for n in walk(tree))
    if marks or _MATRICES.search(source.text):
        return set(), True
    changing = [tree for tree in trees if _varying(tree)]
    vary = {x for tree in changing for x in _varying(tree)}
    pairs = (
        (base_name(stem(one)), base_name(stem(other)))
        for tree in trees
        for n in walk(tree)
        if isinstance(n, Product)
        for (_, one), (op, other) in pairwise(n.parts)
        if op == ""
    )
    sure = any(
        a in vary and a.islower() and b is not None and b[-1].isupper() for a, b in pairs if a
    )
    names = (base_name(n) for tree in changing for n in walk(tree))
    return {n.removeprefix("d") if len(n) > 1 else n for n in names if n is not None}, sure


def ranks(trees: Iterable[Node]) -> dict[str, int]:
    """The axes of X where dX_{ij} bears that many letters."""
    found: dict[str, int] = {}
    for node in (n for tree in trees for n in walk(tree)):
        base = stem(node)
        if isinstance(node, Scripted) and isinstance(base, Name) and base.style.startswith(KIND):
            scripts = getattr(plain(node), "scripts", ())
            letters = [a for mark, s in scripts for a in atoms(s) if mark == "_"]
            if letters and all(map(is_letter, letters)):
                found.setdefault(base.text[1:], len(letters))
    return found


def _of_matrices(node: Node) -> bool:
    r"""True for ⊤, tr and det."""
    return isinstance(node, Symbol) and (node.kind == "top" or node.text in ("tr", "det"))


def said(trees: Iterable[Node], source: Source) -> bool:
    """True where a text speaks of differentials, or an equation is about one."""
    if _SAID.search(source.text):
        return True
    found = [tree for tree in trees if names_differential(source, tree)]
    if source.backward:  # dV = P^⊤ dO is one of gradients
        found = [tree for tree in found if _of_a_whole(tree)]
    return bool(found)


def _of_a_whole(tree: Node) -> bool:
    """True for d(A B) = … and d \\log f = …, which no gradient is called."""
    left = tree.sides[0] if isinstance(tree, Chain) else tree
    match left:
        case Product(parts=((_, _), (_, behind), *_)):
            return isinstance(behind, Group) or sign_of(behind) is not None
    return False


def marked(tree: Node) -> Node:
    r"""The tree with the d of d(A^{-1}) and d \log\det X as a sign."""

    def change(node: Node) -> Node:
        if not isinstance(node, Product):
            return node
        parts = list(node.parts)
        for k, ((_, part), (op, behind)) in enumerate(pairwise(parts)):
            sign = sign_of(behind)
            whole = isinstance(behind, Group) or (sign is not None and sign.kind == "function")
            if is_d(part) and op == "" and whole:
                parts[k] = parts[k][0], Symbol(part.at, KIND, "d")
        return Product(node.at, tuple(parts))

    return rebuilt(tree, change)


@dataclass(frozen=True)
class Variations:
    """What a text says of its differentials."""

    made: Mapping[str, AbstractSet[str]]  # name → what its equation is made of
    given: Mapping[str, AbstractSet[str]]  # the U of an equation for dU → S for a dS in it
    losses: AbstractSet[str]  # what gradients are of
    every: AbstractSet[str]  # the X of all dX
    numbers: AbstractSet[str] = frozenset()  # taken for numbers, though nothing says so
    where: dict[int, str] = field(default_factory=dict)  # place → under what an equation is meant


def gather(trees: Iterable[Node], losses: Iterable[str], numbers: AbstractSet[str]) -> Variations:
    """What the equations of a text say, whose gradients are of `losses`.

    `numbers` are taken for numbers, though nothing says so.
    """
    made: dict[str, set[str]] = {}
    given: dict[str, set[str]] = {}
    every: set[str] = set()
    for tree in trees:
        every |= {*_varying(tree)}
        if not is_equation(tree):
            continue
        base = stem(tree.sides[0])
        if isinstance(base, Name) and base.style.startswith(KIND):
            if base is tree.sides[0]:
                given[base.text[1:]] = {*_varying(tree)}
        elif (name := base_name(base)) is not None:
            names = (base_name(n) for side in tree.sides[1:] for n in walk(side))
            made.setdefault(name, set()).update(n for n in names if n is not None)
    abstract = frozenset(losses)
    given = {x: inside for x, inside in given.items() if x not in abstract | made.keys()}
    return Variations(made, given, abstract, every, numbers)


def written_out(tree: Node, text: Variations) -> Node:
    r"""An equation between differentials with d(Y) for a dY that others in it change."""
    names, made, losses = _varying(tree), text.made, text.losses
    others = {x: reached([x], made) - {x} for x in names}
    changed = {
        x for x in names if others[x] & {*names} or (x in losses and x not in made and names[1:])
    }

    def change(node: Node) -> Node:
        base = stem(node)
        if not isinstance(base, Name) or not base.style.startswith(KIND):
            return node
        scripts = getattr(plain(node), "scripts", ())
        inverse = any(spelled(s) == MINUS_ONE for _, s in scripts)
        if base.text[1:] not in changed and not inverse:
            return node
        whole: Node = Name(base.at, base.text[1:], base.style.removeprefix(KIND).strip())
        inside = tuple(s for s in scripts if s[0] == "_" or inverse)
        outside = tuple(s for s in scripts if s not in inside)
        whole = Scripted(node.at, whole, inside) if inside else whole
        sign = Symbol(node.at, KIND, "d")
        found = Group(node.at, "(", (Product(node.at, (("", sign), ("", whole))),))
        return Scripted(node.at, found, outside) if outside else found

    return replaced(tree, change)


def linear(tree: Node) -> bool:
    """True for an equation all of whose sides are of the first degree in differentials."""
    if not isinstance(tree, Chain):
        return False
    return set[float]().union(*map(degrees_of, tree.sides)) == {1}


def degrees_of(node: Node) -> set[float]:
    """How many differentials the terms have; none for 0, which is of every degree."""
    match node:
        case Number(text="0"):
            return set()
        case Name():
            return {int(node.style.startswith(KIND))}
        case Scripted():
            inner = degrees_of(node.base)
            power = any(m == "^" and not _kept(s) for m, s in node.scripts)
            return _constant(inner) if power else inner
        case Addition():
            return set[float]().union(*(degrees_of(part) for _, part in node.parts))
        case Group(items=(inner,)) if node.bracket in BRACKETS:
            return degrees_of(inner)
        case Product():
            return _of_product(node)
    return _constant(*map(degrees_of, children(node)))


def _constant(*inside: set[float]) -> set[float]:
    """The degree of a function of what has these degrees."""
    return {0} if all(degrees <= {0} for degrees in inside) else {NONLINEAR}


def _kept(script: Node) -> bool:
    """True for a transposition, and for the -1 of dX^{-1}."""
    (inner,) = script.items if isinstance(script, Group) and len(script.items) == 1 else (script,)
    turned = isinstance(inner, Symbol) or getattr(inner, "text", "") == "T"
    return turned or spelled(inner) == MINUS_ONE


def _of_product(node: Product) -> set[float]:
    signs = [getattr(sign_of(part), "kind", "") for _, part in node.parts]
    degrees = [degrees_of(part) for _, part in node.parts]
    if KIND in signs:  # d(A B) holds all that follows
        k = signs.index(KIND)
        return {1} if _constant(*degrees[:k], *degrees[k + 1 :]) == {0} else {NONLINEAR}
    sums: set[float] = {0}
    for (op, _), own in zip(node.parts, degrees, strict=True):
        sums = {a + b for a in sums for b in (_constant(own) if op == "/" else own)}
    return sums


def of_sign(
    reader: Reader, sign: Symbol, parts: Sequence[tuple[str, Node]], k: int, scope: Scope
) -> tuple[Value, int]:
    r"""d(A^{-1}) and d \log\det X, and the place behind it."""
    if k + 1 == len(parts) or parts[k + 1][0] != "":
        raise reader.fail(sign, "d stands alone", mend="write behind it what changes")
    value, after = reach.target(reader, parts, k + 1, scope)
    return _changed(reader, value, sign.at), after


def free(reader: Reader, node: Node) -> None:
    """Gives the dX of an equation between differentials the axes of X."""
    base, tree = stem(node), reader.here.tree
    if isinstance(base, Name) and tree is not None and base.text[1:] in _varying(tree):
        _free(reader, base.text[1:], node.at)


def _varying(tree: Node) -> list[str]:
    """The names whose differentials stand in an equation between differentials."""
    found = {n.text[1:] for n in walk(tree) if isinstance(n, Name) and n.style.startswith(KIND)}
    return sorted(found) if found and linear(tree) else []


def _free(reader: Reader, name: str, at: int) -> str:
    """The name of the free dX, which has the axes of X."""
    ranks, sizes = reader.names.ranks, reader.sizes
    d = f"d{name}"
    ranks[d] = ranks.setdefault(name, ranks.get(d, 0))
    reader.names.places.setdefault(d, at)
    for k in range(ranks[d]):
        sizes.unite(sizes.slot(d, k, at), sizes.slot(name, k, at), at, f"an axis of {d}")
    return d


def _changed(reader: Reader, value: Value, at: int) -> Value:
    """Σ_X ∂value/∂X · dX over all that varies in the statement."""
    terms: list[Term] = []
    text = reader.names.varying
    assert text is not None
    inside = {r.name for r in refs(value.term)}
    inverse = {x: {of} for x, of in reader.names.inverses.items()}
    made = {**reader.uses, **inverse, **text.made}
    behind = reached(inside, made)
    tree = reader.here.tree
    assert tree is not None
    vary = {*_varying(tree), *reached(text.given.keys() & behind, text.given)}
    fixed = {x for n in inside for x in behind - vary if reader.names.arguments.get(n)}
    apart = reached(inside, {n: of for n, of in made.items() if n not in vary})
    held = (text.every & apart) - vary - text.made.keys() - text.losses - fixed
    if held:
        text.where[tree.at] = f"{', '.join(sorted(held))} does not vary"
    capitals = {base_name(n) for n in walk(tree)} & {x for x in text.numbers if x[0].isupper()}
    if len(capitals) > 1 and not held:
        text.where[tree.at] = f"{', '.join(sorted(map(str, capitals)))} are numbers, no matrices"
    for name in sorted(vary):
        if name not in behind and not inside & (text.losses - reader.uses.keys()):
            continue
        d = _free(reader, name, at)
        letters = tuple(Letter("uvwz"[k], at) for k in range(reader.names.ranks[name]))
        for k, x in enumerate(letters):
            reader.sizes.unite(reader.sizes.slot(name, k, at), x.size, at, f"an axis of {name}")
        by = Value(Ref(name, letters), dict.fromkeys(letters, (1, 0)))
        slope = derivatives.differentiate(reader, value, by, at, at)
        term = Mul((slope.term, Ref(d, letters)))
        terms.append(Total(letters, term) if letters else term)
    if not terms:
        raise reader.fail(
            at,
            "nothing says what varies",
            expected="an equation between differentials: d(A^{-1}) = -A^{-1} dA A^{-1}",
            mend="write the differentials of what varies, or a derivative",
        )
    return replace(value, term=terms[0] if len(terms) == 1 else Add(tuple((1, t) for t in terms)))


__all__ = [
    "Variations",
    "free",
    "gather",
    "linear",
    "marked",
    "of_numbers",
    "of_sign",
    "ranks",
    "said",
    "written_out",
]
