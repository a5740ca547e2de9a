r"""Scalar parts by latex2sympy2: integrals, and what is calculus of one variable.

The only module that knows latex2sympy2.  Its habits are mended here: `\log` is natural, an equation
is handed over side by side so that nothing is solved, and its table of variables is emptied.
"""

from __future__ import annotations

import warnings
from itertools import pairwise
from typing import Any

import sympy as sp

from .lexer import Token
from .source import Source
from .vocabulary import LETTERS

MAX_LENGTH = 2_000  # characters of one side


def sides(source: Source, statement: list[Token]) -> list[sp.Expr]:
    """The sides of a scalar statement as SymPy expressions.

    Raises ReadError where latex2sympy2 is not installed, and for what it cannot read.
    """
    cuts = [-1, *(k for k, t in enumerate(statement) if t.kind == "REL"), len(statement)]
    found = []
    for a, b in pairwise(cuts):
        part = statement[a + 1 : b]
        if not part:
            raise source.fail(statement[0].at, "a side of this equation is empty")
        found.append(_side(source, part))
    return found


def _side(source: Source, part: list[Token]) -> sp.Expr:
    at = part[0].at
    latex = "".join(_written(t) for t in part)
    if len(latex) > MAX_LENGTH:
        raise source.fail(
            at, f"a scalar expression is longer than {MAX_LENGTH} characters", mend="split it"
        )
    integrals = sum(t.kind == "SIGN" and t.text == "int" for t in part)
    if sum(t.kind == "NAME" and t.text == "d" for t in part) < integrals:
        raise source.fail(
            at,
            "this integral does not say what it runs over",
            expected="dx",
            mend="write dx behind the integrand",
        )
    head = _applied(part)
    if head is not None:
        return head
    strange = next((t for t in part if t.kind not in _KINDS or _unwritten(t)), None)
    if strange is not None:  # it would be read as letters in a row
        raise source.fail(
            strange.at,
            "latex2sympy2 cannot read this scalar expression",
            got=strange.text,
            mend="write it as calculus of one variable",
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its parser's runtime uses names of typing of old
            import latex2sympy2
    except ImportError:
        raise source.fail(
            at,
            "an integral is read by latex2sympy2, which is not installed",
            mend="install the extra: pip install symattn[latex]",
        ) from None
    try:
        result = _call(latex2sympy2, latex)
    except Exception as error:
        raise source.fail(
            at,
            "latex2sympy2 cannot read this scalar expression",
            got=str(error).split("\n")[0][:200],
            mend="write it as calculus of one variable",
        ) from None
    if not isinstance(result, sp.Expr):
        raise source.fail(at, "this is not a scalar expression", got=str(result)[:200])
    return result


def _call(module: Any, latex: str) -> Any:
    """latex2sympy with an empty table of variables before and after."""
    for table in ("var", "variances"):
        if isinstance(getattr(module, table, None), dict):
            getattr(module, table).clear()
    try:
        return module.latex2sympy(latex)
    finally:
        for table in ("var", "variances"):
            if isinstance(getattr(module, table, None), dict):
                getattr(module, table).clear()


def _applied(part: list[Token]) -> sp.Expr | None:
    r"""\gamma(s) as the function γ of s; latex2sympy2 would multiply."""
    kinds = [t.kind for t in part]
    if (
        kinds[:2] == ["NAME", "LPAREN"]
        and kinds[-1] == "RPAREN"
        and kinds[2:-1] == ["NAME", *["COMMA", "NAME"] * ((len(kinds) - 4) // 2)]
    ):
        names = [t.text for t in part[2:-1] if t.kind == "NAME"]
        return sp.Function(part[0].text)(*map(sp.Symbol, names))
    return None


_KINDS = frozenset(
    [
        "FRAC",
        "SQRT",
        "CARET",
        "UNDER",
        "LBRACE",
        "RBRACE",
        "TIMES",
        "ODOT",
        "LABS",
        "RABS",
        "FUNCTION",
        "SIGN",
        "NAME",
        "NUMBER",
        "PLUS",
        "MINUS",
        "SLASH",
        "LPAREN",
        "RPAREN",
        "LSQUARE",
        "RSQUARE",
        "COMMA",
        "STOP",
        "PRIME",
        "QUAD",
    ]
)


def _unwritten(token: Token) -> bool:
    """True for a word that is no Greek letter: latex2sympy2 would multiply its letters."""
    word = token.text.rstrip("'")
    return token.kind == "NAME" and len(word) > 1 and word not in LETTERS


_PLAIN = {
    "FRAC": r"\frac",
    "SQRT": r"\sqrt",
    "CARET": "^",
    "UNDER": "_",
    "LBRACE": "{",
    "RBRACE": "}",
    "TIMES": r"\cdot ",
    "ODOT": r"\circ ",
    "LABS": "|",
    "RABS": "|",
}


def _written(token: Token) -> str:
    """A token as LaTeX that latex2sympy2 reads."""
    if token.kind in _PLAIN:
        return _PLAIN[token.kind]
    if token.kind == "FUNCTION":
        return r"\ln " if token.text == "log" else rf"\{token.text} "
    if token.kind == "SIGN" or (token.kind == "NAME" and len(token.text.rstrip("'")) > 1):
        return rf"\{token.text} "
    return token.text
