"""The LaTeX of definitions read back: what is read has the values of what was printed."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

import symattn as sa

from .derivatives import tables_at
from .derivatives import tidy as needed
from .formulas import (
    ONE,
    Case,
    Inverse,
    Node,
    OfMatrix,
    Ref,
    Size,
    Statement,
    at,
    children,
    slots_of,
    with_children,
)
from .grow import LETTERS, PLAIN, THREE, Grower, N, some_names
from .judge import Answer, asked, gap
from .shrink import shrunk
from .translate import Snippet, Sympy
from .trees import LooseLetter, Tree
from .values import NoValue

NAMES = ("U", "V", "H", "Y", "E", "J")


@dataclass(frozen=True)
class Print:
    """A case one of whose definitions is printed and read back, and what came of it."""

    case: Case
    name: str
    said: str = ""
    detail: str = ""
    text: str = ""
    seconds: float = 0.0


def named(case: Case, new: dict[str, str]) -> Case:
    """The case with other names for its definitions."""

    def other(node: Node) -> Node:
        if isinstance(node, Ref | Inverse | OfMatrix) and node.name in new:
            node = replace(node, name=new[node.name])
        parts = tuple(map(other, children(node)))
        return with_children(node, parts) if parts else node

    defs = tuple(replace(d, name=new.get(d.name, d.name), body=other(d.body)) for d in case.defs)
    return replace(case, defs=defs)


def declared(case: Case) -> str:
    """The shapes and signs that a document has to say."""
    shapes = {t.name: t.shape for t in case.inputs.values()}
    shapes |= {d.name: tuple(x.size for x in d.letters) for d in case.defs}
    own = {2: "r", 1: "s"}

    def size(s: Size) -> str:
        plain = not s.parts or (s.const == 0 and len(s.parts) == 1)
        return str(s) if plain else own[s.parts[0][1]]

    rows = " ".join(f"{n}:({','.join(map(size, s))})" for n, s in shapes.items() if s)
    scalars = " ".join(n for n, s in shapes.items() if not s)
    positive = " ".join(t.name for t in case.inputs.values() if t.positive)
    symmetric = " ".join(t.name for t in case.inputs.values() if t.symmetry == "symmetric")
    parts = [
        ("sizes", rows),
        ("scalars", scalars),
        ("positive", positive),
        ("symmetric", symmetric),
        ("indices", "from 0"),
    ]
    said = "; ".join(f"{kind} {text}" for kind, text in parts if text)
    return f"<!-- symattn: {said} -->\n\n" if said else ""


def printed(case: Case, name: str) -> str:
    from symattn.explain import definition_latex

    to = Sympy(case)
    return declared(case) + f"$$ {definition_latex(to.made[name])} $$"


def read_back(case: Case, name: str, seed: int) -> Print:
    made = asked(lambda: printed(case, name))
    if made.crash or made.error or made.late:
        return Print(case, name, "print: " + kind(made), made.crash or made.error)
    read = asked(lambda: sa.read(made.value))
    seconds = max(made.seconds, read.seconds)
    if read.crash or read.late:
        return Print(case, name, "read: " + kind(read), read.crash, made.value, seconds)
    if read.error:
        return Print(case, name, "unread", read.error, made.value, seconds)
    doc = read.value
    if name not in doc.definitions:
        names = ", ".join(doc.definitions)
        return Print(case, name, "other name", f"reads as {names or 'no definition'}", made.value)
    d = doc[name]
    seen = 0
    for k in (0, 1, 2, 4):
        found = tables_at(needed_task(case, name), k, seed)
        if found is None:
            continue
        sizes, numbers = found
        tables = dict(numbers.tables)
        right = tables.pop(name)
        own = {**sizes, "r": 2 * sizes["n"] - 1, "s": sizes["n"] + sizes["m"] - 1}
        tree = Tree(tables, {**own, **sized(doc, numbers, own)})
        letters = [i.name for i in d.indices]
        got = asked(lambda t=tree, x=letters: t.grid(d.expr, x, [t.length(i) for i in d.indices]))
        if got.crash:
            if "NoValue" in got.crash:
                continue
            return Print(case, name, "unreadable", got.crash, made.value, seconds)
        seen += 1
        if set(got.value) != set(right) or gap(got.value, right) > 1e-7:
            return Print(case, name, "something else", f"reads as {d}", made.value, seconds)
    return Print(case, name, "right" if seen else "none", "", made.value, seconds)


def sized(doc: Any, numbers: Any, own: dict[str, int]) -> dict[str, int]:
    """Numbers of the sizes that the reader named itself, after a letter or an axis."""
    found: dict[str, int] = {}
    for d in doc.definitions.values():
        for letter in d.expr.atoms(sp.Idx) | set(d.indices):
            for s in sp.sympify(letter.upper + 1).free_symbols:
                if s.name not in own:  # the document does not say it: it is what was printed from
                    first = s.name[2:3]
                    found[s.name] = own["n" if first in LETTERS[N] else "m"]
                    if first in LETTERS[THREE]:
                        found[s.name] = 3
    for name, tensor in doc.inputs.items():
        try:
            shape = numbers.shape(name)
        except KeyError:
            continue
        for s, length in zip(getattr(tensor, "shape", ()), shape, strict=False):
            if s.is_Symbol and s.name not in own:
                found[s.name] = length
    return found


def needed_task(case: Case, name: str) -> Any:
    from .derivatives import Task

    return Task(case, "backward", name, ())


def kind(a: Answer) -> str:
    return "crash" if a.crash else "error" if a.error else "late"


def drawn(seed: int) -> Print | None:
    rng = random.Random(f"printed {seed}")
    for _ in range(8):
        names = some_names(rng, rng.choice((2, 3, 4)), [n for n in PLAIN if n not in ("P",)])
        grower = Grower(rng, names, kinks=rng.random() < 0.4, affine=rng.random() < 0.3)
        case = grower.system(rng.choice((1, 2, 2, 3)), depth=rng.choice((1, 1, 2)))
        case = named(case, {f"D{k}": NAMES[k] for k in range(len(case.defs))})
        name = case.defs[-1].name
        d = case.defs[-1]
        case = case.used(Ref(name, tuple(map(at, d.letters))))
        try:
            found = read_back(case, name, seed)
        except (NoValue, LooseLetter):
            continue
        if found.said != "none":
            return found
    return None


def small(found: Print, seed: int) -> Print:
    last = [found]

    def still(s: Statement) -> bool:
        if s.case.definition(found.name) is None:
            return False
        new = read_back(s.case, found.name, seed)
        if new.said != found.said or new.detail[:30] != found.detail[:30]:
            return False
        last[0] = new
        return True

    def kept(s: Statement) -> Statement:
        d = s.case.definition(found.name)
        if d is None:
            raise KeyError(found.name)
        return replace(s, case=s.case.used(Ref(d.name, tuple(map(at, d.letters)))))

    shrunk(Statement(found.case, (), ONE, ONE), still, kept)
    return last[0]


def snippet(p: Print) -> str:
    d = p.case.definition(p.name)
    assert d is not None
    return f"{Snippet(p.case).head()}\n# prints and is read as:\n" + "\n".join(
        "# " + row for row in p.text.splitlines()
    )


__all__ = ["drawn", "needed", "slots_of", "small", "snippet"]
