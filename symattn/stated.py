"""What a derivation states: equations, inequalities and limits, and the verdicts on them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import sympy as sp

from .errors import FormulaError, SymattnError, UnsupportedError
from .ir import SIGNS, known_sign
from .objects import TensorSymbol
from .syntax import System

if TYPE_CHECKING:
    from .prove import Verdict


DECIDED = ("=", "≤", "<", "≥", ">", "⩽", "⩾")


class Claim(NamedTuple):
    """left = right, or ≤, claimed for the definitions of a system; in LaTeX where so written."""

    label: str
    left: Any
    right: Any
    given: System
    latex: str = ""
    first: bool = True  # of the links of a chain
    relation: str = "="
    letters: tuple[sp.Idx, ...] = ()  # that are free, where a formula says so


def is_claim(c: Any) -> bool:
    """(label, equation) or (label, left, right), with a system at the end or not."""
    if not isinstance(c, list | tuple) or len(c) < 2 or not isinstance(c[0], str):
        return False
    sides = c[1:-1] if isinstance(c[-1], System) else c[1:]
    return bool(sides) and len(sides) == (1 if isinstance(sides[0], str) else 2)


def stated(c: Iterable[Any], system: System) -> Iterator[Claim]:
    """A claim as the file states it; a formula in LaTeX is one claim for each of its links.

    Raises FormulaError for what cannot be read.
    """
    label, *sides = c
    given = sides.pop() if isinstance(sides[-1], System) else system
    if not isinstance(sides[0], str):
        left, right = sides
        yield Claim(label, left, right, given)
        return
    from .read import read

    try:
        document = read(f"{declarations(given)}\n\n$$\n{sides[0]}\n$$\n")
    except SymattnError as error:
        raise FormulaError(f"claim “{label}”: {error}") from error
    links = [e for e in document.equations if e.rhs is not None and e.relation in DECIDED]
    if not links:
        raise FormulaError(
            f"claim “{label}”: this is no equation", formula=sides[0], mend="write both sides"
        )
    for k, link in enumerate(links):
        # a chain is shown once, as it was written
        yield Claim(label, link.lhs, link.rhs, given, sides[0], not k, link.relation, link.indices)


def declarations(system: System) -> str:
    """What the reader of a formula has to know of a system's names, as its declarations."""
    sides = [x for d in system for x in (d.lhs, d.expr)]
    bases = {base for side in sides for base in side.atoms(sp.IndexedBase)}
    parts = {part for base in bases for part in base.args}  # a label, and a symmetry as a symbol
    scalars = {s for side in sides for s in side.atoms(sp.Symbol)} - parts
    said: dict[str, list[str]] = {"sizes": [], "scalars": [], "symmetric": []}
    for symbol in sorted({*bases, *scalars}, key=str):
        label = getattr(symbol, "label", symbol)
        if symbol.is_integer or not re.fullmatch(r"[A-Za-z]\w*", str(label)):
            continue
        if symbol in scalars:
            said["scalars"].append(str(label))
        else:
            shape = ",".join(str(size).replace(" ", "") for size in symbol.shape)
            said["sizes"].append(f"{label}:({shape})")
        if sign := known_sign(label):
            said.setdefault(SIGNS[sign], []).append(str(label))
        if isinstance(symbol, TensorSymbol) and symbol.symmetry == "symmetric":
            said["symmetric"].append(str(label))
    rows = "; ".join(f"{kind} {' '.join(names)}" for kind, names in said.items() if names)
    return f"<!-- symattn: {rows} -->" if rows else ""


def signs(system: System) -> str:
    """The declarations of what a system has as positive, negative, …"""
    found = {s for d in system for x in (d.lhs, d.expr) for s in x.atoms(sp.Symbol)}
    named = (s for s in found if not s.is_integer and re.fullmatch(r"[A-Za-z]\w*", s.name))
    said: dict[str, list[str]] = {}
    for symbol in sorted(named, key=lambda s: s.name):
        if sign := known_sign(symbol):
            said.setdefault(SIGNS[sign], []).append(symbol.name)
    rows = "; ".join(f"{kind} {' '.join(names)}" for kind, names in said.items())
    return f"<!-- symattn: {rows} -->" if rows else ""


def decide(claim: Claim, seed: int = 0) -> Verdict:
    """The verdict on a claim: limits are taken, matrices are compared entry by entry."""
    from .prove import prove

    lhs, rhs = claim.left, claim.right
    if claim.relation != "=":
        return _bound(claim, seed)
    if isinstance(lhs, sp.Limit):
        return _limit(claim, seed)
    if not isinstance(lhs, sp.MatrixBase):
        return prove(lhs, rhs, given=claim.given, seed=seed)
    if not isinstance(rhs, sp.MatrixBase) or lhs.shape != rhs.shape:
        raise UnsupportedError(
            "a matrix is compared with a matrix",
            expected=str(lhs.shape),
            got=str(getattr(rhs, "shape", rhs)),
        )
    parts = [
        prove(left, right, given=claim.given, seed=seed)
        for left, right in zip(lhs, rhs, strict=True)
    ]
    for part in parts:
        if not part:
            return part
    return replace(parts[0], lhs=lhs, rhs=rhs)


def _bound(claim: Claim, seed: int) -> Verdict:
    """left ≤ right: proved by signs or a lemma, refuted by values that break it."""
    from .checker.inequalities import Inequality, oriented
    from .prove import PROVED, REFUTED, UNKNOWN, Verdict
    from .refute import Counterexample

    low, high, strict = oriented(claim.left, claim.right, claim.relation)
    asked = Inequality(low, high, strict, claim.letters, claim.given)
    answer = Verdict(UNKNOWN, claim.left, claim.right)
    broken = asked.counterexample(seed)
    if broken is None:
        lemma = asked.proof()
        by = "by signs" if lemma == "signs" else f"by the lemma “{lemma}”"
        return replace(answer, status=PROVED, used=(by,)) if lemma else answer
    sides = (broken.lhs, broken.rhs) if low is claim.left else (broken.rhs, broken.lhs)
    values = (broken.sizes, broken.values, broken.entry, *sides)
    return replace(answer, status=REFUTED, counterexample=Counterexample(*values, seed))


def _limit(claim: Claim, seed: int) -> Verdict:
    """lim left = right: proved by a rule for limits, refuted by values near it."""
    from .checker.limits import Limiting
    from .prove import PROVED, REFUTED, UNKNOWN, Verdict
    from .refute import Counterexample

    right = sp.sympify(claim.right)
    asked = Limiting(claim.left, right, claim.letters, claim.given)
    answer = Verdict(UNKNOWN, claim.left, right)
    if proof := asked.proof():
        conditions = (proof.condition,) if proof.condition else ()
        return replace(answer, status=PROVED, used=(f"by {proof.rule}",), conditions=conditions)
    seen = asked.sampled(seed)
    if seen is None or not seen.refuted:
        return answer
    values = (seen.sizes or {}, seen.values or {}, seen.entry or {}, seen.found, seen.claimed)
    return replace(answer, status=REFUTED, counterexample=Counterexample(*values, seed))
