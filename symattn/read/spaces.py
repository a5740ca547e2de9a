r"""x_1, x_2, x_3 of an x ∈ ℝ³ are its components: numbers that reach as far as its axis.

Two points x_1 and x_2 of the plane bear numbers too, so nothing is said of names that are told to
be vectors, transposed or measured with their numbers, or that bear other numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .names import atoms, base_name
from .said import Said
from .tree import Group, Node, Number, Scripted, Symbol, children

MOST = 9  # components that one digit counts


def numbered(said: Iterable[Said], trees: Iterable[Node]) -> set[str]:
    """The names whose numbers count the components of a vector of that length."""
    lengths: dict[str, int] = {}
    whole = set[str]()
    for one in said:
        name, (size, *more) = one.found.name, (*one.sizes, None)
        whole.add(name)
        if one.rank == 1 and more == [None] and isinstance(size, Number) and size.text.isdigit():
            lengths[name] = int(size.text)
    lengths = {x: n for x, n in lengths.items() if 1 < n <= MOST}
    found: dict[str, set[str]] = {}
    vectors = set[str]()
    for tree in trees if lengths else ():
        for name, number, vector in _numbers(tree, False):
            found.setdefault(name, set()).add(number)
            vectors |= {name} if vector or f"{name}_{number}" in whole else set()
    every = {x: {str(k) for k in range(1, n + 1)} for x, n in lengths.items()}
    return {x for x, numbers in every.items() if found.get(x) == numbers} - vectors


def _numbers(node: Node, measured: bool) -> Iterator[tuple[str, str, bool]]:
    """Every name with a number below, and whether it is a vector: x_1^⊤, ‖x_1 − x_2‖."""
    if isinstance(node, Scripted):
        below = [a for mark, s in node.scripts if mark == "_" for a in atoms(s)]
        above = [a for mark, s in node.scripts if mark == "^" for a in atoms(s)]
        name = base_name(node.base)
        if name is not None and len(below) == 1 and isinstance(below[0], Number):
            turned = any(isinstance(a, Symbol) and a.kind == "top" for a in above)
            yield name, below[0].text, measured or turned
    measured |= isinstance(node, Group) and node.bracket == "‖"
    for inner in children(node):
        yield from _numbers(inner, measured)


__all__ = ["numbered"]
