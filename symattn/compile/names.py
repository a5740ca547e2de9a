"""Python identifiers for tensors, whatever they are called."""

from __future__ import annotations

import builtins
import keyword
import re
import symtable
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

WORDS = frozenset({*keyword.kwlist, *keyword.softkwlist, *dir(builtins)})

SPOKEN = {"∂": "d", "/": "_"}


def identifier(name: str) -> str:
    """An ASCII identifier that resembles the name: \\bar{Q} → bar_Q, ξ → xi, class → class_."""
    letters = []
    for letter in name:
        if letter in SPOKEN:
            letters.append(SPOKEN[letter])
            continue
        if letter.isascii():
            letters.append(letter if letter.isalnum() else "_")
            continue
        plain = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
        words = unicodedata.name(letter, "x").split()
        full = words[-1].lower() if "SMALL" in words else words[-1].capitalize()
        letters.append(plain if plain.isalnum() else re.sub(r"\W", "_", full))
    text = re.sub(r"_+", "_", "".join(letters)).strip("_") or "x"
    if text[0].isdigit():
        text = f"x_{text}"
    return f"{text}_" if text in WORDS else text


@cache
def globals_of(source: str) -> frozenset[str]:
    """The names that a module text defines, imports, or reads and does not define."""
    table = symtable.symtable(source, "<source>", "exec")
    return frozenset({*table.get_identifiers(), *_read_globally(table)})


def _read_globally(table: symtable.SymbolTable) -> Iterator[str]:
    for inner in table.get_children():
        yield from (s.get_name() for s in inner.get_symbols() if s.is_global())
        yield from _read_globally(inner)


class Names:
    """Gives every key one identifier, no two the same, and none of those that are taken."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken: set[str] = {*WORDS, *taken}

    def fresh(self, name: str) -> str:
        """An identifier for the name that nobody has yet."""
        stem = identifier(name)
        chosen, number = stem, 2
        while chosen in self._taken:
            chosen, number = f"{stem.rstrip('_')}_{number}", number + 1
        self._taken.add(chosen)
        return chosen


def quoted(text: str) -> str:
    """The text as a Python string in double quotes; brackets and commas in it are escaped, so that
    those of a line are its structure."""
    inner = repr(text)[1:-1].replace('"', '\\"').replace("\\'", "'")
    return '"' + re.sub(r"[()\[\]{},]", lambda c: f"\\x{ord(c[0]):02x}", inner) + '"'


def printable(text: str) -> str:
    """The text on one line, fit for a comment or a raw docstring."""
    line = "".join(c if c.isprintable() else " " for c in text)
    return line.replace('"""', "'''")


def alphabet(hints: Sequence[str]) -> list[str]:
    """A character for every letter: its own where that is one small character and not taken."""
    chosen: list[str] = []
    spare = [c for c in "ijklmnpqrstuvwxyzabcdefghoABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    own = {h for h in hints if len(h) == 1 and h.isascii() and h.isalpha()}
    for hint in hints:
        if hint in own and hint not in chosen:
            chosen.append(hint)
        else:
            chosen.append(next(c for c in spare if c not in own and c not in chosen))
    return chosen
