r"""Capitals in a row that are one name: MSE, SS_t, TP of TP/(TP + FP); AB stays a product.

Such a run is a name where an equation defines it or a sentence names it, and where its letters
stand nowhere by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set

from .source import Source
from .tree import (
    Group,
    Name,
    Node,
    Product,
    Scripted,
    base_of,
    is_equation,
    replaced,
    walk,
)
from .vocabulary import words
from .words import sentences

KNOWN = words(
    "TP FP TN FN TPR FPR TNR FNR PPV NPV MSE RMSE MAE MAPE SSE SSR SST TSS RSS KL ELBO SNR PSNR "
    "AUC IRR ROI AIC BIC NLL CE BCE"
)
_ALONE = re.compile(r"(?<![A-Za-z\\{])[A-Z](?![A-Za-z])|(?<=\{)[A-Z](?![A-Za-z}])")
_COMMAND = re.compile(r"\\[A-Za-z]+\s*(?:\{[A-Za-z ]*\})?")


def gather(trees: Iterable[Node], source: Source) -> set[str]:
    """The runs of capitals that are names."""
    found = list(trees)
    runs = {run for tree in found for node in walk(tree) for _, _, run in _runs(node)}
    if not runs:
        return set()
    spoken = [source.text[s.start : s.end] for _, spans in sentences(source) for s in spans]
    shown = [source.text[d.start : d.end] for d in source.displays]
    alone = {x for text in (*spoken, *shown) for x in _ALONE.findall(_COMMAND.sub(" ", text))}
    said = {text.strip() for text in spoken} | {run for tree in found if (run := _left(tree))}
    applied = {run for tree in found if (run := _left(tree)) and _is_applied(tree)}

    def named(run: str) -> bool:
        if any(sorted(run) == sorted(other) for other in runs - {run}):
            return False  # AB and BA
        free = set(run) - alone
        if run in applied and run[0] in free:
            return True  # MC(q) = …, beside C(q)
        return run in KNOWN or (run in said and (free == set(run) or (len(run) > 2 and bool(free))))

    return {run for run in runs if len(set(run)) < 5 and named(run)}


def as_names(tree: Node, found: Set[str]) -> Node:
    """The tree with these runs as names."""

    def change(node: Node) -> Node:
        if not isinstance(node, Product):
            return node
        parts = list(node.parts)
        for first, last, run in reversed([*_runs(node)]):
            if run in found:
                op, own = parts[first][0], parts[last - 1][1]
                name: Node = Name(parts[first][1].at, run)
                if isinstance(own, Scripted):
                    name = Scripted(name.at, name, own.scripts)
                parts[first:last] = [(op, name)]
        if len(parts) == len(node.parts):
            return node
        changed = Product(node.at, tuple(parts)) if len(parts) > 1 else parts[0][1]
        return replaced(changed, change) if isinstance(changed, Product) else changed

    return replaced(tree, change) if found else tree


def _runs(node: Node) -> Iterator[tuple[int, int, str]]:
    """Where capitals stand side by side in a product, and what they spell."""
    parts = node.parts if isinstance(node, Product) else ()
    k = 0
    while k < len(parts):
        end = k
        while end < len(parts) and _capital(parts[end][1]):
            beside = end == k or (
                parts[end][0] == "" and parts[end][1].at == parts[end - 1][1].at + 1
            )
            if not beside:
                break
            end += 1
            if isinstance(parts[end - 1][1], Scripted):
                break
        if end > k + 1:
            yield k, end, "".join(_capital(p) for _, p in parts[k:end])
        k = max(end, k + 1)


def _capital(node: Node) -> str:
    base = base_of(node)
    if not isinstance(base, Name) or base.style or len(base.text) != 1:
        return ""
    return base.text if base.text.isupper() else ""


def _is_applied(tree: Node) -> bool:
    """True for MC(q) = … ."""
    left = tree.sides[0] if is_equation(tree) else None
    last = left.parts[-1][1] if isinstance(left, Product) else None
    return isinstance(last, Group) and last.bracket == "("


def _left(tree: Node) -> str:
    """The MSE of MSE = …, SS_t = … and KL(p, q) = …; empty for none."""
    if not is_equation(tree):
        return ""
    left = tree.sides[0]
    if not isinstance(left, Product):
        return ""
    rest = left.parts[:-1] if isinstance(left.parts[-1][1], Group) else left.parts
    return next((run for first, last, run in _runs(left) if last - first == len(rest)), "")


__all__ = ["as_names", "gather"]
