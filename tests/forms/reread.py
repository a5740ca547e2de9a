"""Printed results read back by symattn, in the document that they come from."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

import sympy as sp

import symattn as sa
from symattn.convert import lower
from symattn.display import raise_
from symattn.ir import Poly, refs
from symattn.normalize import normalize

from .compare import letters
from .form import Form
from .printed import derived, notation

RESULT = r"\mathfrak{R}"
N = sp.Symbol("N", integer=True, positive=True)


def _normal(expr: Any, letters: tuple[str, ...], symmetric: Set[str]) -> Poly:
    """The normal form by names alone, every axis N long and the letters of the left side by place.

    A text does not say that \\bar{y} is an adjoint, nor how long its axes are.
    """
    free = [sp.Idx(sp.Symbol(f"free{k}", integer=True), N) for k in range(len(letters))]
    there = dict(zip(letters, free, strict=True))

    def sized(node: Any, known: dict[str, Any]) -> Any:
        if isinstance(node, sp.Sum):
            body, bound = node.function, {str(i): None for i, *_ in node.limits}
            known = {**known, **{i: sp.Idx(sp.Symbol(i, integer=True), N) for i in bound}}
            return sp.Sum(sized(body, known), *((known[i], 0, N - 1) for i in bound))
        if isinstance(node, sp.Idx):
            return known[str(node)]
        if isinstance(node, sp.Indexed):
            name = str(node.base)
            base = sa.tensor(name, *(N,) * node.rank, symmetric=name in symmetric)
            return base[*(sized(i, known) for i in node.indices)]
        if not node.args:  # n as the length of an axis, and as a number
            return sp.Symbol(str(node)) if isinstance(node, sp.Symbol) else node
        return node.func(*(sized(a, known) for a in node.args))

    return normalize(lower(sized(expr, there), tuple(free)))


def misread(form: Form, spelling: int) -> list[str]:
    """The results that are not read back as what they are, with what is wrong."""
    text = form.texts[spelling]
    system, found = sa.read(text), []
    for wrt in form.results:
        d = derived(system, form, wrt)
        left, _, right = d.equation(**notation(form, spelling)).partition(" = ")
        slots = " ".join(letters(left))
        try:
            doc = sa.read(f"{text}\n{RESULT}{f'_{{{slots}}}' if slots else ''} = {right}")
        except sa.SymattnError as error:
            found.append(f"{wrt}: {right}\n    {str(error).splitlines()[0]}")
            continue
        own = list(doc)[-1]
        even = {r.tensor.name for r in refs(d.shown) if r.tensor.symmetry == "symmetric"}
        read = _normal(own.expr, tuple(map(str, own.indices)), even)
        if read is not _normal(raise_(d.shown), tuple(i.name for i in d.indices), even):
            found.append(f"{wrt}: {right}\n    is read as {own.expr}")
    return found
