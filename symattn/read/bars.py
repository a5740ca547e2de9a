r"""Bars behind what they are said of: f'(x) \Big|_{x = 2} is \left. f'(x) \right|_{x = 2}."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .lexer import Token

_ENDS = frozenset({"PLUS", "MINUS", "REL", "AMP", "ROW", "COMMA", "SEMI", "MID", "IF", "WHERE"})


def start(before: Sequence[Token], floor: int) -> int | None:
    """Where an expression begins that a bar ends: at its one derivative, or where the term does.

    None where two derivatives stand before the bar, which may be of both.
    """
    first, outer = len(before), []
    for k in _outside(before, floor):
        if before[k].kind in _ENDS:
            break
        first = k
        outer.append(k)
    derivatives = [k for k in outer if _differentiates(before, k)]
    if first == len(before) or len(derivatives) > 1:
        return None
    return derivatives[0] if derivatives else first


def _outside(before: Sequence[Token], floor: int) -> Iterator[int]:
    """The places at no depth, from the last on; of what stands in brackets the first."""
    depth = 0
    for k in range(len(before) - 1, floor - 1, -1):
        kind = before[k].kind
        if not depth and before[k].text == "|" and kind == "RPAREN":  # of a bar before this one
            return
        if kind.startswith(("R", "END_")) and kind not in ("REL", "ROW"):
            depth += 1
        elif depth and kind.startswith(("L", "BEGIN_")) and kind not in ("LABEL", "LITERAL"):
            depth -= 1
        if not depth:
            yield k


def _differentiates(before: Sequence[Token], k: int) -> bool:
    r"""True for ∂, ∇ and \frac{d…, \frac{∂…, and for the f of f'."""
    token, rest = before[k], before[k + 1 : k + 3]
    if token.kind == "SIGN":
        return token.text in ("partial", "nabla")
    if token.kind == "NAME":
        return bool(rest) and rest[0].kind == "PRIME"
    top = next((t for t in rest if t.kind != "LBRACE"), None)
    return token.kind == "FRAC" and top is not None and top.text in ("d", "partial")


__all__ = ["start"]
