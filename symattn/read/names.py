r"""Names and indices: what the scripts of a name mean, and how many indices each name takes.

`Q^{ia}` has two indices, `d_k` is a name, `W_Q^{hba}` is the name W_Q with three, `x^2` a power,
`A^\top` a transpose.  Upper indices come first, `B_j^{\ k}` with a gap keeps the order.  Capitals, words and numbers below belong to the name.  A lower-case letter
below is an index, unless it is the only one and occurs nowhere else in the statement, or the name
with it is declared; `d_x` and `n_x` are sizes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ..explain.latex import GREEK
from .source import Source
from .tree import (
    Accent, Addition, Chain, Group, Name, Node, Number, Product, Scripted, Symbol, children, walk,
)

CONVENTIONAL_SIZES = ("d", "n")  # d_k, n_q are sizes; stated in docs/reading.md


@dataclass(frozen=True)
class Component:
    """A name with its indices, and what else its scripts say."""

    at: int
    name: str
    slots: tuple[Node, ...] = ()
    power: Node | None = None
    transposed: bool = False


def is_letter(node: Node) -> bool:
    """True for what can be an index: a small letter, latin or Greek, with or without primes."""
    if not isinstance(node, Name):
        return False
    stem = node.text.rstrip("'")
    return (len(stem) == 1 and stem.islower()) or (stem in GREEK and stem[0].islower())


def base_name(node: Node) -> str | None:
    """The name of a base: a letter, a word, either under an accent; None for anything else."""
    match node:
        case Name():
            return node.text
        case Accent(body=Name() as inner):
            return f"{inner.text}_{node.mark}"
        case Group(bracket="{", items=(Name() | Accent() as inner,)):
            return base_name(inner)
    return None


def plain(node: Node) -> Node:
    """Accents stand on the base and scripts outside: \\bar{x_i} as \\bar{x}_i."""
    if isinstance(node, Accent):
        body = node.body
        if isinstance(body, Group) and len(body.items) == 1:
            body = body.items[0]
        if isinstance(body, Scripted):
            return Scripted(node.at, Accent(node.at, node.mark, body.base), body.scripts)
    if isinstance(node, Scripted):
        base = node.base
        if isinstance(base, Group) and base.bracket == "{" and len(base.items) == 1:
            base = base.items[0]
        base = plain(base)
        if isinstance(base, Scripted):
            return Scripted(node.at, base.base, base.scripts + node.scripts)
        if base is not node.base:
            return Scripted(node.at, base, node.scripts)
    return node


def atoms(script: Node) -> list[Node]:
    """The things that stand side by side in a script."""
    match script:
        case Product() if all(op == "" for op, _ in script.parts):
            return [a for _, part in script.parts for a in atoms(part)]
        case Group(bracket="{" | "["):
            return [a for item in script.items for a in atoms(item)]
    return [script]


@dataclass
class Names:
    """The names of a document: declared ranks, and ranks as they are used."""

    source: Source
    ranks: dict[str, int] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    declared: set[str] = field(default_factory=set)
    scalars: set[str] = field(default_factory=set)  # declared names without indices, and sizes
    bare: set[str] = field(default_factory=set)  # names that occur without indices
    positive: set[str] = field(default_factory=set)
    symmetric: set[str] = field(default_factory=set)
    metrics: set[str] = field(default_factory=set)  # upper indices mean the inverse
    alike: bool = False  # declared: upper and lower indices mean the same
    applied: set[str] = field(default_factory=set)  # names that only ever stand before brackets

    def declare(self, name: str, rank: int, at: int) -> None:
        """The name takes that many indices."""
        self.declared.add(name)
        self.ranks[name], self.places[name] = rank, at
        if rank == 0:
            self.scalars.add(name)

    def use(self, name: str, rank: int, at: int) -> None:
        """The name is used with that many indices; ReadError where it takes another number."""
        if rank == 0:
            self.bare.add(name)
            self.applied.discard(name)
            return
        known = self.ranks.get(name)
        if known is None:
            self.ranks[name], self.places[name] = rank, at
            return
        if known == rank or (rank, known) == (1, 2) or (
                rank < known and name in self.declared):
            return
        if (known, rank) == (1, 2) and name not in self.declared:
            self.ranks[name], self.places[name] = rank, at
            return
        line, column = self.source.place(self.places[name])
        raise self.source.fail(
            at, f"{name} has {_count(rank)} here and {_count(known)} at line {line}, "
                f"column {column}", expected=_count(known), got=_count(rank),
            mend="give one of the two tensors another name")


def _count(rank: int) -> str:
    return "one index" if rank == 1 else f"{rank} indices"


@dataclass
class Context:
    """What a statement tells about its letters."""

    letters: Counter[str]  # letters in index position
    solo: Counter[tuple[str, str]]  # a single letter below a name
    bound: set[str]  # letters under a sum, on the left, in softmax_j, …

    def is_index(self, base: str, letter: str) -> bool:
        """True when the one letter below a base is an index rather than part of the name."""
        if letter in self.bound:
            return True
        return self.letters[letter] > self.solo[base, letter]

    def has_index(self, letter: str) -> bool:
        """True when the letter is an index somewhere in the statement."""
        alone = max((n for (_, x), n in self.solo.items() if x == letter), default=0)
        return letter in self.bound or self.letters[letter] > alone


def context(statement: Node, names: Names) -> Context:
    """The letters of a statement that stand in index position."""
    found = Context(Counter(), Counter(), set())
    for node in walk(statement):
        node = plain(node)
        if not isinstance(node, Scripted):
            continue
        base = base_name(node.base)
        if base is None:
            if isinstance(node.base, Symbol) and node.base.kind not in ("partial", "nabla"):
                for _, script in node.scripts:
                    found.bound |= {a.text for a in _bound(script) if is_letter(a)}
            else:
                for _, script in node.scripts:
                    found.letters.update(a.text for a in atoms(script) if is_letter(a))
            continue
        below = [a for sign, script in node.scripts if sign == "_" for a in atoms(script)]
        above = [] if base == "e" else [
            a for sign, script in node.scripts if sign == "^" for a in atoms(script)
            if not isinstance(a, Addition)]
        if base in CONVENTIONAL_SIZES and len(below) == 1 and not above:
            continue
        for letter in _letters([*below, *above]):
            found.letters[letter] += 1
        if len(below) == 1 and is_letter(below[0]) and not _letters(above):
            found.solo[base, below[0].text] += 1
    found.bound |= _parenthesized(statement, found) - names.declared
    left = plain(statement.sides[0] if isinstance(statement, Chain) else statement)
    if isinstance(left, Scripted) and isinstance(statement, Chain) and base_name(left.base):
        found.bound |= {a.text for _, script in left.scripts for a in atoms(script)
                        if is_letter(a)}
    return found


def _letters(nodes: Iterable[Node]) -> list[str]:
    found = []
    for node in nodes:
        if is_letter(node):
            found.append(node.text)
        elif isinstance(node, Addition | Group):
            found += [n.text for n in walk(node) if is_letter(n)]
    return found


def _bound(script: Node) -> list[Node]:
    """The letters that a sum runs over or that a function's subscript names."""
    if isinstance(script, Chain):
        return [a for side in script.sides for a in atoms(side)]
    return atoms(script)


def component(node: Node, names: Names, here: Context) -> Component | None:
    """How a name with scripts is read; None for what is not a name.

    Raises ReadError for scripts that mean nothing.
    """
    node = plain(node)
    scripts = node.scripts if isinstance(node, Scripted) else ()
    base = base_name(node.base if isinstance(node, Scripted) else node)
    if base is None:
        return None
    stem, accent = base, ""
    inner = node.base if isinstance(node, Scripted) else node
    if isinstance(inner, Accent):
        stem, _, accent = base.rpartition("_")
    upper: list[Node] = []
    lower: list[Node] = []
    power: Node | None = None
    transposed = False
    staggered = any(sign == "~" for sign, _ in scripts)
    scripts = tuple(pair for pair in scripts if pair[0] != "~")
    solo = sum(len(atoms(s)) for sign, s in scripts if sign == "_") == 1 and not any(
        _letters(atoms(s)) for sign, s in scripts if sign == "^")
    indexed = any(is_letter(a) for _, s in scripts for a in atoms(s)) and not solo
    for sign, script in scripts:
        slots = lower if sign == "_" and not staggered else upper
        for atom in atoms(script):
            if power is not None and sign == "^":
                raise names.source.fail(atom.at, "an index or a name behind a power",
                                        mend="write the power last: (Q^{ia})^2")
            match atom:
                case Symbol(kind="top") | Name(text="T") if sign == "^" and len(
                        atoms(script)) == 1:
                    transposed = True
                case Symbol(kind="star"):
                    stem += "_star"
                case Number() if sign == "_" and indexed or f"{stem}_{accent}".strip("_") in names.ranks and sign == "_":
                    slots.append(atom)
                case Number() if sign == "_":
                    stem += f"_{atom.text}"
                case Name() if is_letter(atom) and _belongs(stem, atom, sign, solo, names, here):
                    stem += f"_{atom.text}"
                case Name() if is_letter(atom):
                    slots.append(atom)
                case Name():
                    stem += f"_{atom.text}"
                case Group(bracket="(") if len(atom.items) == 1 and _letters([atom]):
                    slots.append(atom.items[0])
                case Addition() if _letters([atom]) and (
                        sign == "_" or (stem == "delta" and len(scripts) == 2)):
                    slots.append(atom)
                case _ if sign == "^" and len(atoms(script)) == 1:
                    power = script
                case Scripted(base=Name()) if sign == "_":
                    stem += f"_{_flat(atom)}"
                case _ if sign == "^" and isinstance(script, Product):
                    power = script
                    break
                case _:
                    raise names.source.fail(
                        atom.at, f"this script of {stem} is neither an index nor a power",
                        expected="letters, or a number", mend="write indices as letters: Q^{ia}")
    slots = [*upper, *lower]  # \Gamma_{ab}^c and \Gamma^c_{ab} look the same
    if stem in names.metrics and len(slots) == 2 and all(sign == "^" for sign, _ in scripts):
        stem += "_inv"
    name = f"{stem}_{accent}" if accent else stem
    return Component(node.at, name, tuple(slots), power, transposed)


def _belongs(
    stem: str, letter: Name, sign: str, solo: bool, names: Names, here: Context
) -> bool:
    """True when a small letter in a script is part of the name."""
    joined = f"{stem}_{letter.text}"
    if sign != "_" or not solo:
        return False
    if joined in names.declared or joined in names.scalars:
        return True
    if stem in CONVENTIONAL_SIZES and stem not in names.ranks:
        return True
    return stem not in names.declared and not here.is_index(stem, letter.text)


def _flat(node: Node) -> str:
    return "_".join(n.text for n in walk(node) if isinstance(n, Name | Number))


def _parenthesized(statement: Node, here: Context) -> set[str]:
    """Letters in brackets behind a name that are indices: P(j), f(x)(i).

    They stand in scripts too, or alone in brackets more than once and nowhere else.
    """
    alone: Counter[str] = Counter()
    inside: Counter[str] = Counter()
    for node in walk(statement):
        for k in range(len(node.parts)) if isinstance(node, Product) else ():
            call = application(node.parts, k)
            for item in call.items if call else ():
                if isinstance(item, Name) and is_letter(item):
                    inside[item.text] += 1
        if isinstance(node, Group) and len(node.items) == 1 and is_letter(node.items[0]):
            alone[node.items[0].text] += 1  # type: ignore[attr-defined]
    return {x for x in inside if here.letters[x] > max(
        (n for (_, y), n in here.solo.items() if x == y), default=0)
        or (alone[x] and (alone[x] > 1 or here.letters[x]) and not _bare(x, statement))}


def _bare(letter: str, statement: Node) -> bool:
    """True when the letter stands as a factor, a term or a base with scripts."""
    for node in walk(statement):
        if isinstance(node, Scripted) and isinstance(node.base, Name) and node.base.text == letter:
            return True
        parts = node.parts if isinstance(node, Product | Addition) else ()
        if any(isinstance(part, Name) and part.text == letter for _, part in parts):
            return True
    return False


@dataclass(frozen=True)
class Application:
    """name(items)…: what stands in the brackets, the scripts behind them, and the next factor."""

    name: Node
    items: tuple[Node, ...]
    scripts: tuple[tuple[str, Node], ...]
    after: int

    def split(self, here: Context) -> tuple[tuple[Node, ...], tuple[Node, ...]]:
        """Index letters, P(j), and arguments proper."""
        letters = tuple(i for i in self.items if is_letter(i)
                        and i.text in here.bound)  # type: ignore[attr-defined]
        below = [a for sign, s in self.scripts if sign == "_" for a in atoms(s)]
        arguments = tuple(i for i in self.items if i not in letters)
        return (*letters, *(a for a in below if is_letter(a) or isinstance(a, Number))), arguments


def application(parts: Sequence[tuple[str, Node]], k: int) -> Application | None:
    """A name before round brackets at factor `k`; f(x)(i) is one application."""
    name = parts[k][1]
    if not isinstance(plain(name), Name | Accent | Scripted):
        return None
    if isinstance(name, Scripted) and base_name(plain(name).base) is None:  # type: ignore[attr-defined]
        return None
    items: list[Node] = []
    step = k + 1
    while step < len(parts):
        op, group = parts[step]
        inner = group.base if isinstance(group, Scripted) else group
        if op != "" or not isinstance(inner, Group) or inner.bracket != "(":
            break
        if isinstance(group, Scripted) and _raised(group):
            break
        items += inner.items
        step += 1
        if isinstance(group, Scripted):
            return Application(name, tuple(items), group.scripts, step)
    return Application(name, tuple(items), (), step) if items else None


def _raised(group: Scripted) -> bool:
    """True for η (F^{-1})^{ij}: brackets under upper indices are a factor, not an argument."""
    return any(sign == "^" and all(map(is_letter, atoms(s))) for sign, s in group.scripts)


def collect(node: Node, names: Names, here: Context) -> None:
    """Enter the number of indices of every name of a statement.  Raises ReadError for a clash."""
    node = plain(node)
    if isinstance(node, Name | Accent | Scripted):
        found = component(node, names, here)
        if found is not None:
            if found.name not in ("delta", "e") or found.name in names.declared:
                names.use(found.name, len(found.slots), found.at)
            if found.power is not None:
                collect(found.power, names, here)
            return
    if isinstance(node, Scripted):
        if isinstance(node.base, Symbol) and node.base.kind == "sum":
            for _, script in node.scripts:
                for inner in walk(script):
                    if isinstance(inner, Product):
                        call = application(inner.parts, 0)
                        if call is not None and isinstance(call.name, Name):
                            names.use(call.name.text, len(call.items) + 1, call.name.at)
        inner = node.base.items[0] if isinstance(node.base, Group) and len(
            node.base.items) == 1 else None
        stem = component(inner, names, here) if isinstance(inner, Name | Scripted) else None
        letters = [a for _, script in node.scripts for a in atoms(script)]
        if stem is not None and not stem.slots and letters and all(map(is_letter, letters)):
            names.use(stem.name, len(letters), stem.at)  # (F^{-1})^{ij}
            return
        collect(node.base, names, here)
        return
    if isinstance(node, Product):
        _collect_product(node, names, here)
        return
    for child in children(node):
        collect(child, names, here)


def _collect_product(node: Product, names: Names, here: Context) -> None:
    k = 0
    while k < len(node.parts):
        call = application(node.parts, k)
        found = component(call.name, names, here) if call else None
        if call is None or found is None or found.slots:
            collect(node.parts[k][1], names, here)
            k += 1
            continue
        letters, arguments = call.split(here)
        if letters and found.name not in names.bare:
            names.use(found.name, len(letters), found.at)
        elif found.name not in names.bare:
            names.applied.add(found.name)
        for argument in arguments:
            collect(argument, names, here)
        k = call.after


def check_positions(statement: Node, names: Names, here: Context) -> None:
    """A name with only upper and, elsewhere, only lower indices is one tensor or two: an error."""
    seen: dict[str, str] = {}
    for node in walk(statement):
        if not isinstance(plain(node), Scripted) or names.alike:
            continue
        found = component(node, names, here)
        if found is None or not found.slots or found.name == "delta":
            continue
        signs = {sign for sign, script in plain(node).scripts  # type: ignore[attr-defined]
                 if any(a in found.slots for a in atoms(script))}
        if len(signs) != 1:
            continue
        (sign,) = signs
        if seen.setdefault(found.name, sign) != sign:
            name = found.name
            raise names.source.fail(
                found.at, f"{name} has upper indices in one place and lower ones in another",
                expected="the same tensor, or one with its indices raised by a metric",
                mend=f"declare <!-- symattn: metric {name} --> where {name} with upper indices is "
                     "the inverse, <!-- symattn: metric none --> where position means nothing")


def size_name(text: str) -> bool:
    """True for a name such as d_k or n_q, which is a size by convention."""
    return re.fullmatch(r"[dn]_\w+", text) is not None
