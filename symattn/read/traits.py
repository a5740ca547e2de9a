r"""What words say of a tensor as equations: weights that sum to one, an orthogonal matrix."""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from ..syntax import for_all, indices, total
from .builder import Builder
from .names import Names

TRAITS = {  # with the axes that a name needs; None for any number of them
    "normalised": None,
    "weights": 1,
    "one-hot": None,
    "rows": 2,
    "columns": 2,
    "orthogonal": 2,
    "orthonormal": 2,
    "unit": None,
    "sign": None,
    "binary": None,
    "zero": None,
}
UNSAID = "said to sum to one, along which axis is not said"
OBLONG = "said to be orthogonal, and not square: its rows, or its columns?"


def facts(names: Names, builder: Builder) -> list[sp.Eq]:
    """The equations of what words and declarations say, for names that nothing defines."""
    found = []
    for name, outcome in names.averages.items():
        if name not in builder.definitions and names.ranks.get(name) == 1:
            p = builder.name(name)
            (letter,) = indices([outcome], p.shape[0])
            found.append(sp.Eq(total(p[letter], letter), 1))
    for name, traits in sorted(names.traits.items()):
        rank = names.ranks.get(name, 0)
        if name in names.averages or name in builder.definitions or rank > 4:
            continue
        if not rank:
            x = builder.name(name)
            values = {"zero": (x, 0), "sign": (x**2, 1), "binary": (x**2, x)}
            found += [sp.Eq(*values[t], evaluate=False) for t in sorted(traits & values.keys())]
            continue
        for trait in sorted(traits):
            axes, matrix = TRAITS[trait], builder.name(name)
            if trait in ("orthogonal", "orthonormal") and axes != rank:
                names.tied.setdefault(name, f"said to be {trait}, and no matrix")
            elif axes is not None and axes != rank:
                names.tied.setdefault(name, UNSAID)
            elif trait == "orthogonal" and matrix.shape[0] != matrix.shape[1]:
                names.tied.setdefault(name, OBLONG)
            elif trait != "unit" or rank < 3:
                found += equations(trait, matrix)
    return found


def equations(trait: str, x: sp.IndexedBase) -> Iterator[sp.Eq]:
    """The equations of one trait."""
    letters = [indices(["ijkl"[k]], size)[0] for k, size in enumerate(x.shape)]
    here = x[tuple(letters)]
    if trait == "sign":
        yield for_all(here**2, 1, letters)
    elif trait == "binary":
        yield for_all(here**2, here, letters)
    elif trait == "zero":
        yield for_all(here, 0, letters)
    elif trait == "one-hot":
        yield for_all(total(here, letters[-1]), 1, letters[:-1])
    elif trait in ("normalised", "weights"):
        yield sp.Eq(total(here, *letters), 1)
    elif trait == "rows":
        yield sp.Eq(total(here, letters[1]), 1)
    elif trait == "columns":
        yield sp.Eq(total(here, letters[0]), 1)
    elif trait == "unit":
        yield for_all(total(here**2, letters[-1]), 1, letters[:-1])
    else:
        i, j = letters
        (k,) = indices(["k"], x.shape[1])
        yield sp.Eq(total(x[i, j] * x[i, k], i), sp.KroneckerDelta(j, k), evaluate=False)
        if trait == "orthogonal":
            (k,) = indices(["k"], x.shape[0])
            yield sp.Eq(total(x[i, j] * x[k, j], j), sp.KroneckerDelta(i, k), evaluate=False)


__all__ = ["TRAITS", "equations", "facts"]
