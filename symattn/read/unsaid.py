"""Names of which nothing is said yet, and what gives them axes."""

from __future__ import annotations

from ..explain.naming import GREEK
from .evidence import bare, name_of
from .names import Context, Names, base_name, is_capital, plain
from .tree import (
    Addition,
    Name,
    Node,
    Number,
    Scripted,
    Symbol,
    base_of,
)


def unsaid(name: str | None, names: Names, ranks: dict[str, int]) -> bool:
    """True for a name of which nothing is known."""
    return (
        name is not None
        and name not in names.declared
        and name not in names.numbers
        and name not in names.limits
        and name not in names.indexed
        and name not in ranks
        and name not in ("I", "pi")
        and (name != "e" or names.eccentric)  # the error of r = c + e
        and not (name.endswith("'") and name.rstrip("'") in names.indexed)
    )


def is_exponential(node: Node) -> bool:
    """True for e^{…}."""
    return isinstance(node, Scripted) and node.base == Name(node.base.at, "e")


def of_differences(node: Node, names: Names, here: Context, ranks: dict[str, int]) -> None:
    """The x and the μ of x − μ, and the x_n of x_n − μ_k, where that is a vector."""
    terms = [term for _, term in node.parts] if isinstance(node, Addition) else [node]
    found = [bare(term, names, here) for term in terms]
    if all(x is None or not is_capital(x) for x in found):
        ranks |= {x: 1 for x in found if x is not None and unsaid(x, names, ranks)}
    for term in terms:
        make_vector(term, names, here, ranks)


def make_vector(node: Node, names: Names, here: Context, ranks: dict[str, int]) -> None:
    """x_i behind a matrix or a row is the vector number i, where x itself stands nowhere."""
    if not isinstance(plain(node), Scripted) or base_name(base_of(plain(node))) is None:
        return
    found = name_of(node, names, here)
    if (
        found is not None
        and len(found.slots) == 1
        and isinstance(found.slots[0], Name | Number | Addition)
        and found.name not in names.mentioned
        and found.name not in names.declared
        and found.name not in ranks
    ):
        ranks[found.name] = 3 if is_capital(found.name) else 2


def is_transposed(node: Node, names: Names, here: Context) -> bool:
    scripted = isinstance(node, Scripted) and base_name(base_of(plain(node))) is not None
    found = name_of(node, names, here) if scripted else None
    return found is not None and found.transposed


def is_latin(name: str) -> bool:
    return len(name.split("_")[0].rstrip("'")) == 1 or is_capital(name)


def is_small(name: str) -> bool:
    head = name.split("_")[0].rstrip("'")
    return len(head) == 1 and head.isascii() and head.islower() and head != "d"


def is_raised(node: Node) -> bool:
    scripts = node.scripts if isinstance(node, Scripted) else ()
    return any(sign == "^" and not isinstance(s, Symbol) for sign, s in scripts)  # not β^*


def is_greek(name: str) -> bool:
    head = name.split("_")[0].rstrip("'")
    return len(head) > 1 and head in GREEK and head[0].islower()


__all__ = [
    "is_exponential",
    "is_greek",
    "is_latin",
    "is_raised",
    "is_small",
    "is_transposed",
    "make_vector",
    "of_differences",
    "unsaid",
]
