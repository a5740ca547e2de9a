"""Where the sides of an equation are defined."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from . import normalize as nf
from .convert import text
from .display import raise_
from .errors import LimitError
from .ir import (
    Atom,
    Call,
    Max,
    Poly,
    Ref,
    Sum,
    Tensor,
    Term,
    parts,
    raw_atom,
    refs,
    slot_items,
)
from .laws import sign_of
from .model import Model
from .signs import signs_declared, with_signs

SIGNS = {"≠ 0": r"\neq 0", "≥ 0": r"\ge 0", "> 0": "> 0", "invertible": r"\text{ invertible}"}


class Condition(str):
    """A condition in words, “x ≠ 0”, with what it is about, so that it can be typeset."""

    about: Atom | Poly | Tensor | sp.Expr
    sign: str

    @classmethod
    def of(cls, about: Atom | Poly | Tensor | sp.Expr, sign: str) -> Condition:
        """The condition that something is ≠ 0, ≥ 0, > 0 or, for a matrix, invertible."""
        shown = about.name if isinstance(about, Tensor) else about
        made = cls(f"{shown if isinstance(shown, str | sp.Expr) else text(shown)} {sign}")
        made.about, made.sign = about, sign
        return made

    def expression(self) -> sp.Expr | None:
        """What the condition is about; None for a matrix."""
        match self.about:
            case sp.Expr():
                return self.about
            case Tensor():
                return None
            case Poly():
                return raise_(self.about)
            case _:
                return raise_(raw_atom(self.about))

    def latex(self) -> str:
        """The condition as a formula, in the notation in force."""
        from .explain import latex
        from .explain.naming import name

        match self.about:
            case sp.Expr():
                shown = sp.latex(self.about)
            case Tensor():
                shown = name(self.about.name)
            case Poly():
                shown = latex(self.about)
            case _:
                shown = latex(raw_atom(self.about))
        return f"{shown} {SIGNS[self.sign]}"


def positions(atom: Atom) -> Iterator[sp.Expr]:
    """The n − 2 of x_{n−2}: numbers in slots that hang on sizes."""
    slots = atom.slots if isinstance(atom, Ref) else ()
    consts = (slot_items(slot)[1] for slot in slots if not slot.free)
    yield from (const for const in consts if const.free_symbols)


def conditions_of(sides: tuple[Poly, Poly], m: Model) -> list[Condition]:
    """Where both sides are defined: divisors, arguments of roots and of logarithms."""
    found: dict[Condition, None] = {}

    def add(*condition: Any) -> None:
        found[Condition.of(*condition)] = None

    def sign(node: Any) -> str:
        try:
            normal = nf.normalize(node)
            return sign_of(with_signs(normal, signs_declared([normal])))
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
                        add(atom.tensor.of[0], "invertible")
                    for place in positions(atom):
                        if not place.is_nonnegative:
                            add(place, "≥ 0")
                    never = isinstance(atom, Ref) and atom.tensor.sign in ("-", "≠")
                    if e < 0 and not never and sign(atom) != "+":
                        add(atom, "≠ 0")
                    if not isinstance(e, int) and not sign(atom):
                        add(atom, "≥ 0")
            case _:
                if isinstance(node, Sum | Max):
                    for size in dict.fromkeys(b.size for b in node.bound):
                        if not size.is_nonnegative:
                            add(size, "≥ 0")
                for part in parts(node):
                    visit(part)
                if isinstance(node, Call) and node.name == "log" and sign(node.args[0]) != "+":
                    add(node.args[0], "> 0")
                if isinstance(node, Call) and node.name == "coth":
                    add(Call("sinh", node.args), "≠ 0")

    for side in sides:
        visit(side)
    direct = {t.name for s in sides for r in refs(s) for t in r.tensor.named}
    for name in sorted(m.mentions(direct) & m.bodies.keys()):
        visit(m.bodies[name].raw)
    return list(found)


__all__ = ["Condition", "conditions_of"]
