r"""\operatorname{sinc} x is sinc(x), and no product.

So for every word that is named an operator, and in \mathrm or without a font for every function.
Re z^2 w and Re G(z) are parts of the whole product.
"""

from __future__ import annotations

from .. import primitives
from .lexer import Token
from .source import Source
from .vocabulary import LETTERS

_OPERAND = ("NAME", "NUMBER")
_OPENING, _CLOSING = ("LBRACE", "OPEN"), ("RBRACE", "CLOSE")


def applied(source: Source, found: list[Token]) -> list[Token]:
    r"""The tokens with brackets round the names and numbers behind \operatorname{word}."""
    result: list[Token] = []
    closing = -1
    for k, token in enumerate(found):
        if k == closing:
            result.append(Token("CLOSE", ")", found[k - 1].at))
        result.append(token)
        word = token.kind == "NAME" and len(token.text) > 1 and k >= closing
        operator = source.text.startswith((r"\operatorname", r"\Re", r"\Im"), token.at)
        if word and (operator or primitives.by_word(token.text) is not None):
            end = (_product if token.text in ("Re", "Im") else _operand)(found, k + 1)
            if end > k + 1:
                result.append(Token("OPEN", "(", found[k + 1].at))
                closing = end
    if closing == len(found):
        result.append(Token("CLOSE", ")", found[-1].at))
    return result


def _operand(found: list[Token], k: int) -> int:
    """Where the run of single letters and numbers, with their scripts below, ends."""
    while k < len(found) and found[k].kind in _OPERAND and _short(found[k]):
        k += 1
        if k + 1 < len(found) and found[k].kind == "UNDER":
            k, depth = k + 2, int(found[k + 1].kind == "LBRACE")
            while depth and k < len(found):
                depth += (found[k].kind == "LBRACE") - (found[k].kind == "RBRACE")
                k += 1
    return k


def _product(found: list[Token], k: int) -> int:
    """Where such a run ends with scripts above and brackets too: z_1^2 w, e^{i x}, G(z)."""
    begin = k
    while k < len(found) and found[k].kind in _OPERAND and _short(found[k]):
        k += 1
        while k + 1 < len(found) and found[k].kind in ("UNDER", "CARET"):
            k = _closed(found, k + 1)
    return _closed(found, k) if begin < k < len(found) and found[k].text == "(" else k


def _closed(found: list[Token], k: int) -> int:
    """Behind the token at k, or behind the bracket that it opens."""
    depth = 0
    for end in range(k, len(found)):
        depth += (found[end].kind in _OPENING) - (found[end].kind in _CLOSING)
        if depth <= 0:
            return end + 1
    return len(found)


def _short(token: Token) -> bool:
    return token.kind == "NUMBER" or len(token.text) == 1 or token.text in LETTERS


__all__ = ["applied"]
