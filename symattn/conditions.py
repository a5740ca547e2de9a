"""Where the sides of an equation are defined, as far as it is not known to be everywhere."""

from __future__ import annotations

from typing import Any

from . import normalize as nf
from .convert import text
from .errors import LimitError
from .ir import Call, Max, Poly, Ref, Sum, Term, parts, refs
from .laws import sign_of
from .model import Model


def conditions_of(sides: tuple[Poly, Poly], m: Model) -> list[str]:
    """Where both sides are defined: divisors, arguments of roots and of logarithms."""
    found: dict[str, None] = {}

    def sign(node: Any) -> str:
        try:
            return sign_of(nf.normalize(node))
        except LimitError:
            return ""

    def visit(node: Any) -> None:
        match node:
            case Poly():
                for term, _ in node:
                    visit(term)
            case Term():
                for atom, e in node:
                    visit(atom)
                    if isinstance(atom, Ref) and atom.tensor.role == "inverse":
                        found[f"{atom.tensor.of[0].name} invertible"] = None
                    if e < 0 and sign(atom) != "+":
                        found[f"{text(atom)} ≠ 0"] = None
                    if not isinstance(e, int) and not sign(atom):
                        found[f"{text(atom)} ≥ 0"] = None
            case _:
                if isinstance(node, Sum | Max):
                    for size in dict.fromkeys(b.size for b in node.bound):
                        if not size.is_nonnegative:
                            found[f"{size} ≥ 0"] = None
                for part in parts(node):
                    visit(part)
                if isinstance(node, Call) and node.name == "log" and sign(node.args[0]) != "+":
                    found[f"{text(node.args[0])} > 0"] = None

    for side in sides:
        visit(side)
    direct = {t.name for s in sides for r in refs(s) for t in r.tensor.named}
    reached = direct.union(*(m.uses(name) for name in direct))
    for name in sorted(reached & m.bodies.keys()):
        visit(m.bodies[name].raw)
    return list(found)


__all__ = ["conditions_of"]
