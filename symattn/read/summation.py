r"""Whether a text leaves its Σ out, as in y_i = A_{ij} x_j.

Where it writes every one, a letter that stands on all sides of an equation is free, however often:
log(p_i/(1 - p_i)) = a_i (θ - b_i) is said of every i.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from .names import Context, atoms, base_name, indices, is_letter, plain
from .tree import EQUAL, Addition, Chain, Node, Number, Product, Scripted, Symbol, children, walk


def implicit(statements: Iterable[tuple[Node, Context]]) -> bool:
    """True where an equation sums a letter that no Σ in it binds."""
    return any(
        _contracts(tree, here)
        for tree, here in statements
        if isinstance(tree, Chain) and tree.relations[0][0] in EQUAL
    )


def shared(tree: Chain, here: Context) -> set[str]:
    """The letters on all sides of an equation, but for those that are numbers; under no Σ in it."""
    every = [{*_counts(side, here)} for side in tree.sides if not isinstance(side, Number)]
    return set.intersection(*every) - here.summed if every else set()


def traces(tree: Chain, here: Context) -> set[str]:
    """The k of s_kk = 3 e_kk, twice in each term that has it: a sum, and no diagonal D_kk = d_k."""
    first, *others = ([_counts(t, here) for t in _terms(side)] for side in tree.sides)
    twice = {x for c in first for x, n in c.items() if n == 2}
    twice -= compared(tree, here)
    return {x for x in twice if all({c[x] for c in terms} - {0} == {2} for terms in others)}


def compared(tree: Node, here: Context) -> set[str]:
    r"""The i of \sum_{k \neq i}: whoever leaves i out of a sum means one i.

    So of \sum_{j \neq i}, where no other Σ has i; \sum_{i \neq j} is over both.
    """
    below = [
        script
        for n in walk(tree)
        if isinstance(n, Scripted) and isinstance(n.base, Symbol)
        for sign, script in n.scripts
        if sign == "_"
    ]
    chains = [c for script in below for c in walk(script) if isinstance(c, Chain)]
    sides = (side for c in chains if c.relations[0][0] != "=" for side in c.sides[1:])
    left_out = {x.text for c in chains if _backwards(c) for x in c.sides[1:] if is_letter(x)}
    others = {x.text for s in below if s not in chains for x in walk(s) if is_letter(x)}
    both = {
        x.text
        for c in chains
        if not _backwards(c)
        for s in c.sides
        for x in walk(s)
        if is_letter(x)
    }
    return ({x.text for x in sides if is_letter(x)} - here.summed) | (left_out - others - both)


def _backwards(chain: Chain) -> bool:
    r"""j \neq i, and not i \neq j."""
    letters = [s.text for s in chain.sides if is_letter(s)]
    plain = len(letters) == len(chain.sides) == 2 and chain.relations[0][0] == "≠"
    return plain and letters[0] > letters[1]


def contracted(side: Node, here: Context) -> set[str]:
    """The a of θ_a T_ia: twice in a term, under no Σ, and once below a name with another letter."""
    marks = (
        [a.text for a in atoms(script) if is_letter(a)]
        for n in walk(side)
        if isinstance(n, Scripted)
        for sign, script in n.scripts
        if sign == "_"
    )
    beside = {x for letters in marks if len(letters) > 1 for x in letters}
    return {x for x, n in _counts(side, here).items() if n > 1 and x in beside}


def _terms(side: Node) -> list[Node]:
    side = plain(side)
    return (
        [t for _, part in side.parts for t in _terms(part)]
        if isinstance(side, Addition)
        else [side]
    )


def dangling(tree: Chain, here: Context) -> set[str]:
    """Letters that stand once in a term, and not on the left: no index can."""
    first, *others = (_counts(side, here) for side in tree.sides)
    return {x for c in others for x, n in c.items() if n == 1 and x not in first} - here.summed


def powers(tree: Chain, here: Context) -> set[str]:
    """The i of x_i^2, which a text that writes its Σ does not sum over."""
    raised = (
        n
        for n in walk(tree)
        if isinstance(n, Scripted)
        and base_name(n.base) is not None
        and any(sign == "^" and isinstance(s, Number) for sign, s in n.scripts)
    )
    below = (s for n in raised for sign, s in n.scripts if sign == "_")
    found = {a.text for s in below for a in atoms(s) if is_letter(a)}
    return {x for x in found if here.letters[x]} - here.summed


def _contracts(tree: Chain, here: Context) -> bool:
    """A letter stands twice in a term, and neither on the left nor under a Σ.

    Σ_n g_nk (x_n - m_k) = 0 says nothing: it writes a Σ, and 0 may be 0 for every k.
    """
    if here.summed and any(isinstance(s, Number) and s.text == "0" for s in tree.sides):
        return False
    first, *others = (_counts(side, here) for side in tree.sides)
    for x in compared(tree, here):
        for count in (first, *others):
            del count[x]
    if _binds(tree.sides[0]):
        return any(n > 1 and x not in first for c in others for x, n in c.items())
    return any(
        n > 1 and any(x not in other for other in (first, *others))
        for c in (first, *others)
        for x, n in c.items()
    )


def _binds(left: Node) -> bool:
    """The letters of a component, and of a derivative, are free."""
    left = plain(left)
    if isinstance(left, Scripted):
        return base_name(left.base) is not None
    partial = (n for n in walk(left) if isinstance(n, Symbol) and n.kind == "partial")
    return not isinstance(left, Product) and next(partial, None) is not None


def _counts(node: Node, here: Context) -> Counter[str]:
    """How often letters stand in one term, at most, but for those under a Σ."""
    node = plain(node)
    if isinstance(node, Scripted) and base_name(node.base) is not None:
        below = (a for sign, script in node.scripts for a in indices(sign, script))
        letters = [n.text for a in below for n in walk(a) if is_letter(n)]
        return Counter(x for x in letters if here.letters[x] and x not in here.summed)
    if isinstance(node, Scripted):
        return Counter()
    parts = (_counts(child, here) for child in children(node))
    found: Counter[str] = Counter()
    for part in parts:
        found = found + part if isinstance(node, Product) else found | part
    return found


__all__ = ["compared", "contracted", "dangling", "implicit", "powers", "shared", "traces"]
