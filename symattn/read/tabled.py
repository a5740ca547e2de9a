r"""Functions on a finite set are arrays: with Σ_x p(x) f_k(x), p(x) is p_x and f_k(x) is f_{kx}.

So it is where a letter under a Σ stands nowhere but as an argument, and all that it is an argument
of has such arguments alone.  A distribution of other letters is another one: p(x), p(y), p(x | y).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from .. import primitives
from .applications import Application, applied
from .names import DISTRIBUTIONS, PARAMETERS, atoms, base_name, is_letter, plain, stem
from .tree import Chain, Name, Node, Product, Scripted, Symbol, mapped, walk

Places = tuple[tuple[str, ...], int]  # the letters without primes, and how many stand before a bar
_OVER = frozenset(["sum", "prod"])
LAWS = "one law for all letters, or several"
_INDICES = frozenset("ijklmn")
_BEST = frozenset(["max", "min", "argmax", "argmin"])


@dataclass
class Tables:
    """The functions that are arrays, by name, and the letters that count what they are of."""

    names: dict[str, set[Places]] = field(default_factory=dict)  # with what each is of
    apart: dict[str, set[str]] = field(default_factory=dict)  # p(x) and p(y), of letters under Σ
    letters: set[str] = field(default_factory=set)

    def __call__(self, tree: Any) -> Any:
        """The tree with indices in place of arguments."""
        some = self.names or self.apart
        return self._within(tree) if some and isinstance(tree, Node) else tree

    @property
    def laws(self) -> set[str]:
        """The names of p(x) and p(y) where nothing says whether these are one law or two."""
        listed = {
            n: {x for (x, *more), _ in places if not more} for n, places in self.names.items()
        }
        both = {
            n: {(*one,) for one, _ in places if len(one) > 1} for n, places in self.names.items()
        }
        open_ = {
            n: x for n, x in listed.items() if len(x) > 1 and not any(x <= {*b} for b in both[n])
        }
        return {f"{n}_{x}" for several in (open_, self.apart) for n in several for x in several[n]}

    def _within(self, node: Any) -> Any:
        if isinstance(node, Product):
            parts, k = list[tuple[str, Node]](), 0
            known = dict(applied(node))
            while k < len(node.parts):
                op, part = node.parts[k]
                call = known.get(k)
                if call is not None and self._is_array(call):
                    part, k = self._indexed(call), call.after - 1
                parts.append((op, self._within(part)))
                k += 1
            return parts[0][1] if len(parts) == 1 else Product(node.at, tuple(parts))
        if isinstance(node, Scripted) and _sign(node):
            scripts = tuple((mark, self._range(s)) for mark, s in node.scripts)
            return Scripted(node.at, node.base, scripts)
        return mapped(node, self._within)

    def _is_array(self, call: Application) -> bool:
        name = base_name(stem(call.name)) or ""
        single = len(call.items) == 1 and not call.given and isinstance(call.items[0], Name)
        if single and plain(call.name) == stem(call.name) and name in self.apart:
            return _place(call)[0][0] in self.apart[name]
        return name in self.names

    def _indexed(self, call: Application) -> Node:
        """f_{kx} for f_k(x); one of several distributions is called by its letters."""
        name = plain(call.name)
        scripts = name.scripts if isinstance(name, Scripted) else ()
        base = name.base if isinstance(name, Scripted) else call.name
        if isinstance(base, Name) and len(self.names.get(base.text, "pq")) > 1:
            letters, before = _place(call)
            alike = len(letters) == 1 and letters[0] in _INDICES
            if alike and (letters, before) not in self.names.get(base.text, ()):
                letters = min((one for one, _ in self.names.get(base.text, ()) if len(one) == 1
                               and one[0] in _INDICES), default=letters)  # fmt: skip
            label = ["".join(letters[:before]), "".join(letters[before:])]
            base = Name(base.at, "_".join([base.text, *filter(None, label)]), base.style)
        below = [a for mark, s in scripts if mark == "_" for a in atoms(s)]
        above = [pair for pair in (*scripts, *call.scripts) if pair[0] != "_"]
        listed = [*below, *call.items, *call.given]
        several = Product(call.name.at, tuple(("", x) for x in listed))
        index = listed[0] if len(listed) == 1 else several
        return Scripted(call.name.at, base, (("_", index), *above))

    def _range(self, script: Node) -> Node:
        """The x of Σ_{x ∈ X}."""
        match script:
            case Chain(sides=(Name() as letter, _), relations=(("∈", _),)):
                return letter if letter.text in self.letters else script
        return script


@dataclass
class Sections:
    """The functions that are arrays throughout a text, and those of one section alone."""

    whole: Tables = field(default_factory=Tables)
    parts: dict[int, Tables] = field(default_factory=dict)
    section: Callable[[int], int] = lambda at: 0

    def __call__(self, tree: Any) -> Any:
        """The tree with indices in place of arguments."""
        tree = self.whole(tree)
        part = self.parts.get(self.section(tree.at)) if isinstance(tree, Node) else None
        return part(tree) if part is not None else tree

    @property
    def laws(self) -> set[str]:
        """The names of what may be one law or several."""
        return self.whole.laws.union(*(t.laws for t in self.parts.values()))


def by_section(trees: Iterable[Node], section: Callable[[int], int]) -> Sections:
    """The functions that are arrays, where a letter may be something else in other sections."""
    trees = list(trees)
    whole = gather(trees)
    rows: dict[int, list[Node]] = {}
    for tree in trees:
        rows.setdefault(section(tree.at), []).append(tree)
    written = {
        k: {n.text for t in row for n in walk(t) if isinstance(n, Name)} for k, row in rows.items()
    }
    parts = dict[int, Tables]()
    for k, row in rows.items() if len(rows) > 1 else ():
        others = set[str]().union(*(names for n, names in written.items() if n != k))
        found = gather(map(whole, row), others)
        if found.names:
            parts[k] = Tables(found.names, {}, found.letters)
    return Sections(whole, parts, section)


def gather(trees: Iterable[Node], elsewhere: Collection[str] = ()) -> Tables:
    """The functions of letters that a Σ runs over, but for those that stand elsewhere too."""
    used: dict[str, set[Places]] = {}
    open_, counted, here = {*elsewhere}, set[str](), set[str]()
    for tree in trees:
        for node in walk(tree):
            if isinstance(node, Scripted) and _sign(node) in _OVER:
                counted.update(x.rstrip("'") for x in _run(node))
        for call, name in _uses(tree):
            if isinstance(call, Application):
                used.setdefault(name, set()).add(_place(call))
            else:
                open_.add(name)
                here.add(name)
    used = {n: _merged(places) if n in DISTRIBUTIONS else places for n, places in used.items()}
    names = {
        n: places
        for n, places in used.items()
        if n not in open_ and (n in DISTRIBUTIONS or len({len(x) for x, _ in places}) == 1)
    }
    while True:  # what stands elsewhere counts nothing, and what has other arguments is no array
        loose = {x for n in used.keys() - names.keys() for one, _ in used[n] for x in one}
        free = counted - loose - {x.rstrip("'") for x in open_ - {*elsewhere} | here}
        kept = {n: p for n, p in names.items() if all(x in free for one, _ in p for x in one)}
        if kept == names:
            break
        names = kept
    apart = dict[str, set[str]]()
    for n in (used.keys() - names.keys()) & DISTRIBUTIONS:
        single = {x for (x, *more), _ in used[n] if not more and x in counted}
        apart |= {n: single} if len(single - _INDICES) > 1 else {}
    return Tables(names, apart, {x for p in names.values() for one, _ in p for x in one})


def _merged(places: set[Places]) -> set[Places]:
    """p(i) and p(j) are one law, unless there is a p(i, j)."""
    index = {x for (x, *more), _ in places if not more and x in _INDICES}
    if len(index) < 2 or any(len({*one} & index) > 1 for one, _ in places):
        return places
    first = min(index)
    return {((first,), n) if one[:1] and len(one) == 1 and one[0] in index else (one, n)
            for one, n in places}  # fmt: skip


def _place(call: Application) -> Places:
    items = (*call.items, *call.given)
    return tuple(x.text.rstrip("'") for x in items if isinstance(x, Name)), len(call.items)


def _uses(tree: Node) -> Iterator[tuple[Application | None, str]]:
    """Calls with letters alone, and all names that stand elsewhere than in these and below Σ."""
    inside: set[int] = set()
    for node in walk(tree):
        if isinstance(node, Product):
            for _, call in applied(node):
                name = base_name(stem(call.name)) or ""
                if _plain(call, name):
                    yield call, name
                    inside |= {id(x) for x in (*call.items, *call.given)}
                    inside |= {id(n) for n in walk(call.name)}
        elif isinstance(node, Scripted) and _sign(node) and _run(node):
            inside |= {id(n) for mark, s in node.scripts if mark == "_" for n in walk(s)}
    for node in walk(tree):
        if isinstance(node, Name) and id(node) not in inside:
            yield None, node.text


def _run(node: Scripted) -> list[str]:
    """The letters that a sign runs over: x of Σ_x and of Σ_{x ∈ X}."""
    found: list[str] = []
    for script in (s for mark, s in node.scripts if mark == "_"):
        member = isinstance(script, Chain) and [r for r, _ in script.relations] == ["∈"]
        letters = atoms(script.sides[0] if isinstance(script, Chain) and member else script)
        found += [x.text for x in letters if is_letter(x)] if all(map(is_letter, letters)) else []
    return found


def _plain(call: Application, name: str) -> bool:
    """Arguments that are letters, of a name that is no primitive, no derivative and no policy."""
    items = (*call.items, *call.given)
    below = [a for n in [plain(call.name)] if isinstance(n, Scripted) for _, s in n.scripts
             for a in atoms(s)]  # fmt: skip
    known = not name or name in primitives.names() or name in ("sigma", "delta") or call.bold
    labelled = any(not is_letter(a) or a.text in PARAMETERS for a in below)
    return bool(items) and all(map(is_letter, items)) and not (known or labelled or "'" in name)


def _sign(node: Scripted) -> str:
    """The sign that runs over what stands below it: Σ, Π, max; empty for none."""
    base = node.base
    if not isinstance(base, Symbol):
        return ""
    best = base.kind == "function" and base.text in _BEST
    return base.text if best else base.kind if base.kind in _OVER else ""


__all__ = ["LAWS", "Sections", "Tables", "by_section", "gather"]
