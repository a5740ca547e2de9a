r"""LaTeX in index notation → systems, equations and claims."""

from __future__ import annotations

from pathlib import Path

from .assemble import assemble
from .result import Document, Equation, Refused
from .scan import scan
from .source import ReadError, Source

__all__ = ["Document", "Equation", "ReadError", "Refused", "read"]


def read(
    text: str | bytes,
    *,
    strict: bool = True,
    folder: str | Path | None = None,
    macros: str | Path | None = None,
) -> Document:
    r"""The definitions and claims of a Markdown or TeX text, as a System.

    Displays ($$, \[ \], equation, align, …) are read; a text without any is one formula.  The first
    equation with a name on the left defines it, later ones and those with something else on the
    left are claims.

    >>> doc = read(r"S^{ij} = Q^{ia} K^{ja}")
    >>> print(doc["S"])
    S[i, j] = Sum(K[j, a]*Q[i, a], (a, 0, n_a - 1))

    Raises ReadError (a FormulaError) with line, column and a caret for the first thing that cannot
    be read; with strict=False what cannot be read is listed in `skipped` with the reason, and
    nothing is raised for a text.  With `folder`, that of the document, the macros of the files that
    it inputs from there are known, and with `macros` those of that file; no other file is opened.
    """
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as error:
            before = error.object[: error.start].decode("utf-8")
            raise Source(before).fail(
                len(before),
                f"byte {error.start} is not UTF-8",
                mend="save the text as UTF-8",
            ) from None
    source = scan(
        text,
        strict,
        None if folder is None else Path(folder),
        None if macros is None else Path(macros),
    )
    return assemble(source, strict)
