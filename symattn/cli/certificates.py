"""`symattn verify --certificates`: the log of every proof, checked by the second opinion."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sympy as sp

from .. import gallery
from ..errors import SymattnError
from ..prove import PROVED, prove
from ..second_opinion import SAID, check
from ..syntax import System

if TYPE_CHECKING:
    from rich.table import Table


@dataclass(frozen=True)
class Row:
    """What the second opinion is on the proofs of one file."""

    name: str
    proofs: int
    passed: int
    steps: int
    rederived: int
    evaluated: int
    said: int  # by facts and the like, of which values know nothing
    seconds: float
    failures: tuple[str, ...]

    def data(self) -> dict[str, Any]:
        """The row as JSON."""
        return {**vars(self), "failures": list(self.failures), "ok": not self.failures}


def rows(names: Iterable[str]) -> Iterator[Row]:
    """A row for every derivation, and for the identities where no name is given."""
    chosen = list(names)
    for name in chosen or gallery.names():
        entry = gallery.load(name)
        yield examined(entry.name, claims(entry))
    if not chosen:
        from ..identities import identities

        yield examined("identities", ((i.name, i.left, i.right, i.given) for i in identities()))


def claims(entry: gallery.Entry) -> Iterator[tuple[str, Any, Any, System]]:
    """The equations that an entry claims, matrices entry by entry; limits have no certificate."""
    for claim in entry.claims:
        if claim.relation == "=" and not isinstance(claim.left, sp.Limit):
            whole = not isinstance(claim.left, sp.MatrixBase)
            pairs = (
                [(claim.left, claim.right)] if whole else zip(claim.left, claim.right, strict=True)
            )
            yield from ((claim.label, *pair, claim.given) for pair in pairs)


def examined(name: str, statements: Iterable[tuple[str, Any, Any, System | None]]) -> Row:
    """Every statement that is proved, with what the checker says of its certificate."""
    start = time.perf_counter()
    opinions, failures, proofs = [], [], 0
    for label, left, right, given in statements:
        try:
            verdict = prove(left, right, given=given, certificate=True)
        except SymattnError as error:
            failures.append(f"{label}: {error.problem}")
            continue
        if verdict.status != PROVED:
            failures.append(f"{label}: {verdict.status}")
            continue
        proofs += 1
        opinion = check(json.loads(json.dumps(verdict.certificate)))
        opinions.append(opinion)
        if not opinion.ok:
            failures.append(f"{label}: {opinion.problem}")
    steps = [step for opinion in opinions for step in opinion.steps]
    return Row(
        name,
        proofs,
        sum(o.ok for o in opinions),
        len(steps),
        sum(s.rederived for s in steps),
        sum(s.points > 0 for s in steps),
        sum(s.law in SAID for s in steps),
        time.perf_counter() - start,
        tuple(failures),
    )


def printed(found: Iterable[Row]) -> Table:
    """The table of the command."""
    from rich.table import Table

    table = Table("certificates", title_justify="left", box=None, pad_edge=False)
    for head in ("proofs", "passed", "steps", "re-derived", "evaluated", "seconds"):
        table.add_column(head, justify="right")
    for r in found:
        counts = (r.proofs, r.passed, r.steps, r.rederived, r.evaluated)
        table.add_row(r.name, *map(str, counts), f"{r.seconds:.1f}")
    return table
