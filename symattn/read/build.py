"""Links of statements → definitions and equations as SymPy objects, when all sizes are known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from ..convert import read_equation
from ..errors import SymattnError
from ..syntax import Definition, System, define
from .builder import Builder
from .result import Equation
from .sizes import Letter
from .source import UNFORESEEN, ReadError, Source, placed
from .terms import Ref, Term

DEFINING = ("definition", "auxiliary")  # the second for what is inverted, no statement


@dataclass
class Link:
    """One link before sizes are known."""

    kind: str
    relation: str
    lhs: Any
    rhs: Any
    letters: tuple[Letter, ...]
    name: str
    at: int
    latex: str


def build(
    source: Source,
    links: Sequence[Link],
    uses: Mapping[str, set[str]],
    builder: Builder,
    refuse: Callable[[int, str, ReadError], None],
) -> tuple[dict[str, Definition], list[Equation]]:
    """The definitions by name, each after those it refers to, and all equations in order."""
    definitions = builder.definitions
    by_name = {k.name: k for k in links if k.kind in DEFINING}

    def make(name: str) -> None:
        if name in definitions or name not in by_name:
            return
        link = by_name.pop(name)
        for other in sorted(uses[name]):
            make(other)
        builder.statement(link.lhs, link.rhs)
        letters = tuple(builder.letter(x) for x in _order(link.lhs))
        try:
            definitions[name] = define(name, letters, builder(link.rhs))
        except (SymattnError, *UNFORESEEN) as error:
            refuse(link.at, link.latex, placed(source, link.at, error))

    for name in [k.name for k in links if k.kind in DEFINING]:
        make(name)
    for name, error in _clashes(definitions).items():
        link = next(k for k in links if k.kind in DEFINING and k.name == name)
        refuse(link.at, link.latex, placed(source, link.at, error))
        del definitions[name]
    equations = []
    for link in links:
        if link.kind == "auxiliary":
            continue
        if link.kind == "definition" and link.name not in definitions:
            continue
        try:
            equations.append(_equation(source, link, builder, definitions))
        except (SymattnError, *UNFORESEEN) as error:
            refuse(link.at, link.latex, placed(source, link.at, error))
    return definitions, equations


def _clashes(definitions: Mapping[str, Definition]) -> dict[str, SymattnError]:
    """The definitions that make no system with those before them, and why."""
    found: dict[str, SymattnError] = {}
    try:
        System(*definitions.values())
    except SymattnError:
        kept: list[Definition] = []
        for name, d in definitions.items():
            try:
                System(*kept, d)
                kept.append(d)
            except SymattnError as error:
                found[name] = error
    return found


def _equation(
    source: Source, link: Link, builder: Builder, definitions: dict[str, Definition]
) -> Equation:
    line, column = source.place(link.at)
    if not isinstance(link.lhs, sp.Basic):
        builder.statement(link.lhs, link.rhs)
    letters = tuple(builder.letter(x) for x in link.letters)
    if link.kind == "definition":
        d = definitions[link.name]
        lhs, rhs, letters = d.lhs, d.expr, d.indices
    elif isinstance(link.lhs, sp.Basic) or link.lhs is None:
        lhs, rhs = link.lhs, link.rhs
    else:
        lhs = builder(link.lhs)
        rhs = builder(link.rhs) if link.rhs is not None else None
    inline, kind = source.is_inline(link.at), link.kind
    if kind == "fact":
        try:
            read_equation(lhs, rhs)
        except SymattnError:  # its letters cannot be told from its sums: nothing may rest on it
            kind = "claim"
    return Equation(kind, lhs, rhs, link.relation, letters, link.latex, line, column, inline)


def _order(term: Term) -> tuple[Letter, ...]:
    assert isinstance(term, Ref)
    return tuple(s.real() for s in term.slots if isinstance(s, Letter))
