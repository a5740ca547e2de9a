r"""A sample and any one value: x^{(i)} or x_i beside x, where a function is applied to both.

With h(x) = w^\top x and \sum_i (h(x^{(i)}) - y^{(i)})^2, x and y without their label are not the
whole sample, but any one pair: where no label stands in an equation they are names of their own.
So are components, the x_j of h(x) = \sum_j w_j x_j.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from .applications import calls
from .names import base_name, is_letter, plain, stem
from .source import Renewal
from .split import Statement
from .tree import Group, Name, Node, Scripted, walk

Table = dict[str, list[Renewal]]


def renewals(statements: Sequence[Statement]) -> Iterator[tuple[Table, bool]]:
    """The names that mean any one value of a sample, where they do; False for labels that stand
    below, which may be components instead."""
    for labelled, surely in ((_above, True), (_below, False)):
        if found := _renewals(statements, labelled):
            yield found, surely


def _renewals(
    statements: Sequence[Statement], labelled: Callable[[Node], tuple[str, str] | None]
) -> Table:
    trees = [s.parsed if s.parsed is not None else s.tree for s in statements]
    plainly, sampled = set[tuple[str, str]](), set[tuple[str, str]]()
    at = set[int]()  # statements on a sample
    for k, tree in enumerate(trees):
        for function, argument in _arguments(tree):
            if isinstance(argument, Name):
                plainly.add((function, argument.text))
            elif (mark := labelled(argument)) is not None:
                sampled.add((function, mark[0]))
                at.add(k)
    several = {name for _, name in plainly & sampled}
    if not several:
        return {}
    marks = [{m for n in walk(tree) if (m := labelled(n)) is not None} for tree in trees]
    if labelled is _above:
        at = {k for k, here in enumerate(marks) if here}
    beside = set[str]()  # what bears the letter of a sample in the same equation: y^{(i)}
    for k in at:
        letters = {x for name, x in marks[k] if name in several}
        beside |= {name for name, x in marks[k] if x in letters}
    found: Table = {}
    for k, (s, tree) in enumerate(zip(statements, trees, strict=True)):
        here = {n.text for n in walk(tree) if isinstance(n, Name)}
        if here & several and k not in at:
            begin = s.tokens[0].at if s.begin is None else min(s.begin, s.tokens[0].at)
            for name in here & beside:
                found.setdefault(name, []).append(Renewal(begin, s.tokens[-1].at + 1, 2, True))
    return found


def _arguments(tree: Node) -> Iterator[tuple[str, Node]]:
    """The functions of one argument, each with what it is applied to; h is h_θ."""
    for _, _, call in calls(tree):
        name = base_name(stem(plain(call.name)))
        if name is not None and len(call.items) == 1 and not call.given:
            yield name, call.items[0]


def _above(node: Node) -> tuple[str, str] | None:
    """The x and i of x^{(i)} and of x_j^{(i)}, with a letter for any one of a sample."""
    if not isinstance(node, Scripted):
        return None
    name = base_name(node.base)
    labels = (_in_brackets(s) for mark, s in node.scripts if mark == "^")
    label = next(filter(None, labels), "")
    return (name, label) if name is not None and label else None


def _below(node: Node) -> tuple[str, str] | None:
    """The x and i of x_i."""
    match node:
        case Scripted(scripts=(("_", Name() as letter),)) if is_letter(letter):
            name = base_name(node.base)
            return (name, letter.text) if name is not None else None
    return None


def _in_brackets(script: Node) -> str:
    """The i of (i), and nothing of (2)."""
    if not isinstance(script, Group) or len(script.items) != 1:
        return ""
    (inner,) = script.items
    if script.bracket != "(":
        return _in_brackets(inner)
    return inner.text if is_letter(inner) else ""


__all__ = ["renewals"]
