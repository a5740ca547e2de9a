r"""Functions on a finite set are arrays: with Σ_x p(x) f_k(x), p(x) is p_x and f_k(x) is f_{kx}.

So it is where a letter under a Σ stands nowhere but as an argument, and all that it is an argument
of has such arguments alone.  Of a distribution every place has the same ones: p(x) is no p(y).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from .. import primitives
from .applications import Application, applied
from .names import DISTRIBUTIONS, PARAMETERS, atoms, base_name, is_letter, plain, stem
from .tree import Chain, Name, Node, Product, Scripted, Symbol, mapped, walk

_OVER = frozenset(["sum", "prod"])
_BEST = frozenset(["max", "min", "argmax", "argmin"])


@dataclass
class Tables:
    """The functions that are arrays, by name, and the letters that count what they are of."""

    names: set[str] = field(default_factory=set)
    letters: set[str] = field(default_factory=set)

    def __call__(self, tree: Any) -> Any:
        """The tree with indices in place of arguments."""
        return self._within(tree) if self.names and isinstance(tree, Node) else tree

    def _within(self, node: Any) -> Any:
        if isinstance(node, Product):
            parts, k = list[tuple[str, Node]](), 0
            known = dict(applied(node))
            while k < len(node.parts):
                op, part = node.parts[k]
                call = known.get(k)
                if call is not None and base_name(stem(call.name)) in self.names:
                    part, k = _indexed(call), call.after - 1
                parts.append((op, self._within(part)))
                k += 1
            return parts[0][1] if len(parts) == 1 else Product(node.at, tuple(parts))
        if isinstance(node, Scripted) and _sign(node):
            scripts = tuple((mark, self._range(s)) for mark, s in node.scripts)
            return Scripted(node.at, node.base, scripts)
        return mapped(node, self._within)

    def _range(self, script: Node) -> Node:
        """The x of Σ_{x ∈ X}."""
        match script:
            case Chain(sides=(Name() as letter, _), relations=(("∈", _),)):
                return letter if letter.text in self.letters else script
        return script


def gather(trees: Iterable[Node]) -> Tables:
    """The functions of letters that a Σ runs over."""
    used: dict[str, set[tuple[str, ...]]] = {}  # by name, the letters of each place
    open_, counted = set[str](), set[str]()
    for tree in trees:
        for kind, name, letters in _uses(tree):
            if kind == "call":
                used.setdefault(name, set()).add(letters)
            elif kind == "over":
                counted.update(letters)
            else:
                open_.update((name, *letters))
    for name, places in used.items():
        sets = {tuple(x.rstrip("'") for x in one) for one in places}
        one_law = name not in DISTRIBUTIONS or len(sets) == 1
        if not one_law or len({len(one) for one in places}) > 1 or name in open_:
            open_.add(name)
    names = used.keys() - open_
    while True:  # what stands elsewhere counts nothing, and what has other arguments is no array
        loose = {x for n in used.keys() - names for one in used[n] for x in one} | open_
        stems = {x.rstrip("'") for x in loose}
        free = {x for one in counted for x in [one.rstrip("'")] if x not in stems}
        kept = {n for n in names if all(x.rstrip("'") in free for one in used[n] for x in one)}
        if kept == names:
            break
        names = kept
    found = {x for n in names for one in used[n] for x in one}
    return Tables(set(names), found)


def _uses(tree: Node) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Calls with letters alone, what signs run over, and all other names and letters."""
    inside: set[int] = set()
    for node in walk(tree):
        if isinstance(node, Product):
            for _, call in applied(node):
                items = (*call.items, *call.given)
                name = base_name(stem(call.name)) or ""
                if _plain(call, name):
                    yield "call", name, tuple(x.text for x in items if isinstance(x, Name))
                    inside |= {id(x) for x in items} | {id(n) for n in walk(call.name)}
        elif isinstance(node, Scripted) and _sign(node):
            below = [s for mark, s in node.scripts if mark == "_"]
            for script in below:
                over = script.sides[0] if _member(script) else script  # type: ignore[attr-defined]
                letters = atoms(over)
                if all(map(is_letter, letters)):
                    yield "over", "", tuple(x.text for x in letters if isinstance(x, Name))
                    inside |= {id(n) for n in walk(script)}
    for node in walk(tree):
        if isinstance(node, Name) and id(node) not in inside:
            yield "else", node.text, ()


def _plain(call: Application, name: str) -> bool:
    """Arguments that are letters, of a name that is no primitive, no derivative and no policy."""
    items = (*call.items, *call.given)
    below = [a for n in [plain(call.name)] if isinstance(n, Scripted) for _, s in n.scripts
             for a in atoms(s)]  # fmt: skip
    known = not name or name in primitives.names() or name in ("sigma", "delta") or call.bold
    labelled = any(not is_letter(a) or a.text in PARAMETERS for a in below)
    return bool(items) and all(map(is_letter, items)) and not (known or labelled or "'" in name)


def _indexed(call: Application) -> Node:
    """f_{kx} for f_k(x)."""
    name = plain(call.name)
    scripts = name.scripts if isinstance(name, Scripted) else ()
    base = name.base if isinstance(name, Scripted) else call.name
    below = [a for mark, s in scripts if mark == "_" for a in atoms(s)]
    above = [pair for pair in (*scripts, *call.scripts) if pair[0] != "_"]
    listed = [*below, *call.items, *call.given]
    index = listed[0] if len(listed) == 1 else Product(call.name.at, tuple(("", x) for x in listed))
    return Scripted(call.name.at, base, (("_", index), *above))


def _sign(node: Scripted) -> bool:
    """Σ and max with something below."""
    base = node.base
    kind = base.kind if isinstance(base, Symbol) else ""
    return kind in _OVER or (kind == "function" and getattr(base, "text", "") in _BEST)


def _member(script: Node) -> bool:
    return isinstance(script, Chain) and [r for r, _ in script.relations] == ["∈"]


__all__ = ["Tables", "gather"]
