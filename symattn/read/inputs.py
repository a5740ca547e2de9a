"""Where macros come from: the text, a file that is named, and the inputs of the document."""

from __future__ import annotations

import re
from pathlib import Path

from . import macros
from .source import MAX_TEXT, ReadError, Source

_INPUT = re.compile(r"^[^%\n]*\\(input|include|usepackage)\s*(?:\[[^\]]*\])?\{([^{}]+)\}", re.M)
MAX_LEVEL = 5  # files that name one another


def note(source: Source, strict: bool, at: int, error: ReadError) -> None:
    """Raise the error, or note it where the reading is not strict."""
    if strict:
        raise error
    source.broken.append((at, error))


def given(source: Source, path: Path) -> None:
    """Enter the macros of a file that the caller names.  Raises ReadError where there is none."""
    if not path.is_file() or path.stat().st_size > MAX_TEXT:
        raise source.fail(
            0,
            f"the file of macros {path} cannot be read",
            expected=f"a file of at most {MAX_TEXT} bytes",
            mend="give the path of a file with \\newcommand{…}{…}",
        )
    for _, said in macros.definitions(path.read_text(encoding="utf-8", errors="replace")):
        if said is not None:
            source.macros.add(said[0], said[1], -1)


def inputs(source: Source, text: str, folder: Path, strict: bool, level: int) -> None:
    r"""Enter the macros of \input{…} and \usepackage{…}, of files below the document's folder."""
    for found in _INPUT.finditer(text):
        for name in found[2].split(","):
            ending = ".sty" if found[1] == "usepackage" else ".tex"
            path = folder / (name.strip() + ("" if name.strip().endswith(ending) else ending))
            if not path.resolve().is_relative_to(folder):
                error = source.fail(
                    0 if level else found.start(),
                    f"{name} lies outside of the document's folder, and is not opened",
                    mend="give the macros in the document itself",
                )
                note(source, strict, found.start(), error)
            elif level < MAX_LEVEL and path.is_file() and path.stat().st_size < MAX_TEXT:
                inner = path.read_text(encoding="utf-8", errors="replace")
                for _, said in macros.definitions(inner):
                    if said is not None:
                        source.macros.add(said[0], said[1], 0 if level else found.start())
                inputs(source, inner, folder, strict, level + 1)


def own(source: Source, strict: bool) -> None:
    """Enter the macros that stand anywhere in the text."""
    for found, said in macros.definitions(source.text):
        if said is not None:
            source.macros.add(said[0], said[1], found.start())
        elif not found["let"] and not found["plain"]:
            error = source.fail(
                found.start(),
                "this definition of a macro cannot be read",
                expected=r"\newcommand{\name}[arguments]{body}",
                mend=r"write \newcommand{\name}{body}",
            )
            note(source, strict, found.start(), error)
