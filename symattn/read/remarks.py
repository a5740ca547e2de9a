r"""Remarks beside rows: what a column of words says stands by itself, and the rows go on without.

    x &= a y + z  && \text{where } w = 2 z \\
      &= a y + \tfrac12 w

is x = a y + z = a y + ½ w, and w = 2 z.
"""

from __future__ import annotations

from .lexer import Token
from .split import CLOSERS, OPENERS

_GAPS = frozenset({"AMP", "QUAD"})


def apart(found: list[Token]) -> tuple[list[Token], list[list[Token]]]:
    """The rows of a display without the remarks beside them, and these remarks.

    A remark stands in a column of words behind an equation, where the next row goes on with a
    relation; the condition of a case is none.
    """
    kept, remarks = list[Token](), list[list[Token]]()
    rows = _rows(found)
    for k, row in enumerate(rows):
        begin = _begin(row)
        after = [t.kind for t in rows[k + 1] if t.kind != "AMP"] if k + 1 < len(rows) else []
        if begin is None or after[:1] != ["REL"]:
            kept += row
            continue
        rest = row[begin:-1] if row[-1].kind == "ROW" else row[begin:]
        remarks.append(rest)
        kept += [*row[:begin], *row[begin + len(rest) :]]
    return kept, remarks


def _rows(found: list[Token]) -> list[list[Token]]:
    """The rows, each with the break at its end."""
    rows, depth = [list[Token]()], 0
    for token in found:
        depth += (token.kind in OPENERS) - (token.kind in CLOSERS)
        rows[-1].append(token)
        if token.kind == "ROW" and not depth:
            rows.append([])
    return rows


def _begin(row: list[Token]) -> int | None:
    """Where a remark that holds a formula begins behind an equation; None where there is none."""
    depth, related = 0, False
    for k, token in enumerate(row):
        depth += (token.kind in OPENERS) - (token.kind in CLOSERS)
        if depth:
            continue
        related = related or token.kind == "REL"
        if token.kind in _GAPS and related and k + 1 < len(row):
            words = row[k + 1].kind
            if words == "WHERE" or (words == "PROSE" and token.kind == "AMP"):
                formula = any(t.kind not in ("PROSE", "STOP", "ROW") for t in row[k + 2 :])
                return k + 1 if formula else None
    return None


__all__ = ["apart"]
