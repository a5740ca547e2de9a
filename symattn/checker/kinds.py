r"""Kinds of matrices and vectors as equations: A and B commute, A B = B A; x is a unit vector.

Words are those between formulas, each of which is written …, as in "… and … commute".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_SYMMETRIC, _IDEMPOTENT = r"{0}^\top = {0}", "{0}^2 = {0}"
_UNIT, _OTHER, _APART = r"{0}^\top {0} = 1", r"{1}^\top {1} = 1", r"{0}^\top {1} = 0"
MATRICES: dict[str, tuple[str, ...]] = {  # of each that is named
    "symmetric": (_SYMMETRIC,),
    "(?:antisymmetric|skew-?symmetric|skew)": (r"{0}^\top = -{0}",),
    "orthogonal": (r"{0}^\top {0} = I",),
    "an orthogonal projection": (_IDEMPOTENT, _SYMMETRIC),
    "(?:idempotent|an idempotent)": (_IDEMPOTENT,),
    "(?:involutory|an involution)": ("{0}^2 = I",),
}
VECTORS: dict[str, tuple[str, ...]] = {
    "(?:a unit vector|unit vectors|of unit (?:length|norm))": (_UNIT,),
}
PAIRS: dict[str, tuple[str, ...]] = {  # of two matrices
    "… and … (?:commute|be commuting)": ("{0} {1} = {1} {0}",),
    "… commutes with …": ("{0} {1} = {1} {0}",),
    "… and … anticommute": ("{0} {1} = -{1} {0}",),
}
ANGLES: dict[str, tuple[str, ...]] = {  # of two vectors
    "… and … (?:are|be) (?:mutually )?(?:orthogonal|perpendicular)(?: vectors(?: in …)?)?": (
        _APART,
    ),
    "… (?:is|be) (?:orthogonal|perpendicular) to …": (_APART,),
    "… and … (?:are|be) orthonormal(?: vectors(?: in …)?)?": (_UNIT, _OTHER, _APART),
}
_NAMED = r"(?:the (?:matrix|matrices|vectors?) )?"
_THE = rf"{_NAMED}…(?: and {_NAMED}… (?:are|be)(?: both)?| (?:is|be)) (?:an? (?=\w+ matrix))?"
_NOUN = r"(?: matrix| matrices)?"
_ONE = re.compile(r"\\?[A-Za-z]+")


def _rows() -> list[tuple[re.Pattern[str], tuple[str, ...], bool]]:
    """Words, the equations of them, and whether they are said of matrices."""
    rows = [(f"{_THE}{k}{_NOUN}", v, True) for k, v in MATRICES.items()]
    rows += [(f"{_THE}{k}", v, False) for k, v in VECTORS.items()]
    rows += [(k, v, True) for k, v in PAIRS.items()] + [(k, v, False) for k, v in ANGLES.items()]
    return [(re.compile(k), v, capital) for k, v, capital in rows]


_ROWS = _rows()
CLAUSE = "(?:" + "|".join(k.pattern for k, _, _ in _ROWS) + "|…)"  # one thing that is supposed

SEVERAL = rf"{CLAUSE}(?:\s*(?:,|,?\s+and)\s+{CLAUSE})*"


def equations(words: str, formulas: Sequence[str]) -> list[str] | None:
    """What clauses say as equations; None where one says what no equation here does."""
    found, used = list[str](), 0
    for clause in re.finditer(CLAUSE, words):
        own = formulas[used : used + clause[0].count("…")]
        used += len(own)
        if clause[0] == "…":
            if "mathbb" in own[0]:  # vectors in ℝ^n
                continue
            if "=" not in own[0]:
                return None
            found.append(own[0])
            continue
        if not all(_ONE.fullmatch(x) for x in own):
            return None
        capital = own[0].lstrip("\\")[0].isupper()
        fits = (v for k, v, large in _ROWS if large == capital and k.fullmatch(clause[0]))
        if (said := next(fits, None)) is None:
            return None
        each = [own] if any("{1}" in x for x in said) else [[x] for x in own]
        found += [x.format(*some) for some in each for x in said]
    return found


__all__ = ["SEVERAL", "equations"]
