r"""Letters in scripts that name things: the f of W_f beside f = σ(W_f x + b_f), the x, h of W_{xh}.

Such a letter is a name of its own that equations define or that bears indices, no sum and no left
side binds it, and names that bear it bear no letter of another kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from . import labels
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
from .tree import Accent, Chain, Name, Node, Scripted, Symbol, children, walk


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
    names.rates = {*(BASES & bare)} - below.keys() - names.declared
    gates |= (named | bare) & PARAMETERS - summed - joined - names.declared  # the θ of π_θ
    gates |= _constants(found) - summed - joined - names.declared
    gates |= labels.gather(found)
    names.exponents = labels.exponents(found)
    names.gates = gates & {x for marks in below.values() for x in marks}


def _constants(found: list[tuple[Node, Context]]) -> set[str]:
    """The m of r_m = 2^{1/6} σ, which stands below r alone and is not on the right."""
    bases: dict[str, set[str]] = {}
    for tree, _ in found:
        for node in walk(tree):
            base = _innermost(node.base) if isinstance(node, Scripted) else None
            for mark, script in node.scripts if isinstance(node, Scripted) else ():
                for letter in letters_of(atoms(script)):
                    alone = mark == "_" and base is not None
                    bases.setdefault(letter, set()).add(base.text if base and alone else "")
    constants: set[str] = set()
    for tree in (t for t, _ in found if isinstance(t, Chain)):
        left, right = plain(tree.sides[0]), tree.sides[1]
        below = left.scripts[0][1] if isinstance(left, Scripted) else None
        single = isinstance(left, Scripted) and [s for s, _ in left.scripts] == ["_"]
        if not isinstance(below, Name) or not is_letter(below) or below.text in _COUNT:
            continue
        inside = {n.text for n in walk(right) if isinstance(n, Name)}
        if single and len(bases[below.text]) == 1 and below.text not in inside:
            constants |= {below.text} if _is_formula(right) else set()
    return constants


_COUNT = frozenset("ijklntab") | {"mu", "nu"}  # letters that are indices by custom


def _is_formula(side: Node) -> bool:
    """True where names without indices are put together."""
    nodes = list(walk(side))
    plainly = not any(isinstance(n, Symbol) and n.kind in ("sum", "prod", "set") for n in nodes)
    return plainly and any(isinstance(n, Name) for n in nodes)


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
    stem = (
        _innermost(left.base if isinstance(left, Scripted) else left) if left is not None else None
    )
    sides = tree.sides[1:] if isinstance(tree, Chain) else ()
    whole = any(isinstance(n, Scripted) and not isinstance(n.base, Symbol)
                for side in sides for n in walk(side))  # fmt: skip
    return {stem.text.rstrip("'")} if stem is not None and whole else set()


__all__ = ["gather"]
