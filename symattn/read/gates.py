r"""Letters in scripts that name things: the f of W_f beside f = σ(W_f x + b_f), the x, h of W_{xh}.

Such a letter is a name of its own that equations define or that bears indices, no sum and no left
side binds it, and names that bear it bear no letter of another kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from . import labels, remainders
from .left import head
from .names import (
    CONVENTIONAL_SIZES,
    PARAMETERS,
    Context,
    Names,
    atoms,
    is_letter,
    letters_of,
    plain,
)
from .series import BASES
from .tree import (
    Accent,
    Chain,
    Name,
    Node,
    Scripted,
    Symbol,
    base_of,
    children,
    walk,
)


def gather(statements: Iterable[tuple[Node, Context]], names: Names) -> None:
    """Enter the letters that name things wherever they stand below a name."""
    found = list(statements)
    below: dict[str, set[str]] = {}
    named: set[str] = set()
    summed: set[str] = set()
    joined: set[str] = set()  # letters that stand in scripts with others, or above
    indices: set[str] = set(CONVENTIONAL_SIZES)
    for tree, here in found:
        indices |= here.bound | here.summed
        summed |= here.summed
        named |= _defined(tree)
        for node in walk(tree):
            node = plain(node)
            base = _innermost(node.base) if isinstance(node, Scripted) else None
            if base is None or not isinstance(node, Scripted):
                continue
            for sign, script in node.scripts:
                letters = set(letters_of(atoms(script)))
                alone = {a.text for a in atoms(script) if is_letter(a)}
                indices |= letters if sign == "^" else letters - alone
                joined |= letters if sign == "^" or len(atoms(script)) > 1 else set()
                if sign == "_" and letters:
                    below.setdefault(base.text, set()).update(letters)
                    named |= {base.text}
    gates = {x for x in named if is_letter(Name(0, x))} - indices - names.declared
    while True:
        torn = {x for marks in below.values() if not marks <= gates for x in marks & gates}
        if not torn:
            break
        gates -= torn
    bare = {n.text for tree, _ in found for n in _unscripted(tree)}
    names.eccentric = not bare.isdisjoint({"e", "de"})  # e dt, and e^2 de
    names.rates = {*(BASES & bare)} - below.keys() - names.declared
    gates |= (named | bare) & PARAMETERS - summed - joined - names.declared  # the θ of π_θ
    gates |= labels.of_blocks(tree for tree, _ in found) - summed - names.declared
    gates |= labels.gather(found, labels.compared(names.source.text))
    names.marks = {(b, x) for b, x in labels.marks(found, gates) if b not in names.declared}
    names.marks |= {(b, x) for b, x in names.source.marks if b not in names.declared}
    names.exponents = labels.exponents(found, remainders.names(names.source))
    names.gates = gates & {x for marks in below.values() for x in marks}


def _unscripted(node: Node) -> Iterator[Name]:
    """The names that stand without scripts."""
    if isinstance(node, Name):
        yield node
    inside = () if isinstance(node, Scripted) and _innermost(node.base) else children(node)
    for child in inside:
        yield from _unscripted(child)


def _innermost(node: Node) -> Name | None:
    """The name below accents."""
    while isinstance(node, Accent):
        node = node.body
    return node if isinstance(node, Name) else None


def _defined(tree: Node) -> set[str]:
    """The f of f = σ(W_f x): not the m of m = i − j, nor the k of k = 3."""
    left = head(tree)
    stem = _innermost(base_of(left)) if left is not None else None
    sides = tree.sides[1:] if isinstance(tree, Chain) else ()
    whole = any(isinstance(n, Scripted) and not isinstance(n.base, Symbol)
                for side in sides for n in walk(side))  # fmt: skip
    return {stem.text.rstrip("'")} if stem is not None and whole else set()


__all__ = ["gather"]
