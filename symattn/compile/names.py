"""Python identifiers for tensors, whatever they are called."""

from __future__ import annotations

import builtins
import keyword
import re
import unicodedata
from collections.abc import Sequence

RESERVED = frozenset(
    {
        *keyword.kwlist,
        *keyword.softkwlist,
        *dir(builtins),
        "jax",
        "jnp",
        "np",
        "math",
        "dtype",
        "einsum",
        "matmul",
        "by_rows",
        "annotations",
        "TYPE_CHECKING",
        "Array",
        "Float",
    }
)

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
    return f"{text}_" if text in RESERVED else text


class Names:
    """Gives every key one identifier, no two the same."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def fresh(self, name: str) -> str:
        """An identifier for the name that nobody has yet."""
        stem = identifier(name)
        chosen, number = stem, 2
        while chosen in self._taken or chosen in RESERVED:
            chosen, number = f"{stem.rstrip('_')}_{number}", number + 1
        self._taken.add(chosen)
        return chosen


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
