r"""What a text says of laws: p(x), q(z | x), x ∼ p, and the formulas that speak of outcomes.

A law is what stands below 𝔼, behind ∼ or before a bar, p(x | z), and a p or q in a text that has
words for it.  The formulas are kept as they are written; what they come to is the business of
`symattn.checker.densities`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from .applications import Application, applied, calls, whole
from .moments import SIGNS
from .names import DISTRIBUTIONS, base_name
from .tree import (
    Accent,
    Chain,
    Given,
    Group,
    Name,
    Node,
    Number,
    Product,
    Scripted,
    Symbol,
    base_of,
    is_equation,
    rebuilt,
    spelled,
    walk,
)

_WORDS = r"(?:densit|distribut|probabilit|likelihood|prior\b|posterior)\w*"
_WORD = re.compile(rf"\b{_WORDS}", re.IGNORECASE)
_NEAR = re.compile(  # “the density $p$”, “$q(x)$ is a distribution”
    rf"\b{_WORDS}[^$\n.]{{0,30}}\$[^$]*?(?<![A-Za-z\\])(?P<one>[pqP])(?![A-Za-z])[^$]*\$"
    rf"|\$(?P<two>[pqP])(?![A-Za-z])[^$\n]{{0,20}}\$(?:\s+and\s+\$[^$]*\$)?\s+(?:is|are|be|as|denotes?)"
    rf"\s+(?:an?\s+|the\s+|two\s+|some\s+)?(?:[a-z-]+\s+){{0,2}}{_WORDS}",
    re.IGNORECASE,
)
ENTROPY = re.compile(r"\bentrop|\bmutual information", re.IGNORECASE)
_CONSTANT = (
    re.compile(r"\b(?:constants?|numbers?|scalars?)(?:\s+[a-z]+){0,2}\s+\$(\\?[A-Za-z]+)\$"),
    re.compile(
        r"\$(\\?[A-Za-z]+)\$\s+(?:is|are|be)\s+(?:an?\s+|any\s+)?(?:fixed\s+)?(?:constant|number)"
        r"|(?!)"
    ),
)
NO_LAWS = frozenset(
    ["E", "H", "I", "KL", "D", "N", "L", "Var", "Cov", "J", "V", "Q", "A", "U", "F"]
)
PLAIN = frozenset(["p", "q", "P"])  # laws in a text that has words for it


@dataclass(frozen=True)
class Definition:
    """name = right or name(items) = right, where that is said."""

    head: Node
    items: tuple[Node, ...]
    right: Node
    at: int
    section: int = 0
    line: int = 0


@dataclass(frozen=True)
class Said:
    """What a text says of laws.

    `laws` are their names without scripts; `written` how each is applied, by its whole name;
    `drawn` the law of a letter; `heads` what equations say that a name is; `constants` and
    `random` what words call so; `formulas` what a law is said to be, made of other things.
    """

    laws: frozenset[str]
    written: Mapping[object, tuple[Application, ...]]
    drawn: Mapping[object, tuple[Node, ...]]
    heads: Mapping[object, tuple[Definition, ...]]
    forms: Mapping[str, tuple[Application, ...]]  # p_θ(x), p(x | z), … of a p
    entropies: bool
    constants: frozenset[str] = frozenset()
    random: frozenset[str] = frozenset()
    tied: frozenset[str] = frozenset()  # laws that are said to be like something: p ∝ f
    formulas: Mapping[object, tuple[Definition, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Claim:
    """a = b = … of a text in which laws are spoken of."""

    sides: tuple[Node, ...]
    said: Said
    at: int
    section: int = 0
    line: int = 0
    latex: str = ""
    relations: tuple[int, ...] = ()  # where the signs of its links stand
    places: tuple[tuple[int, int], ...] = ()  # the same by line and column
    signs: tuple[str, ...] = ()  # of its links: = or a bound

    def equal(self, number: int) -> bool:
        """True for a link a = b of the chain."""
        return self.signs[number] in ("=", ":=")


def gather(
    found: Iterable[tuple[int, str, Chain]],
    text: str,
    section: Callable[[int], int],
    constants: Iterable[str] = (),
    random: Iterable[str] = (),
) -> dict[int, Claim]:
    """The equations of a text that speak of laws, by their places."""
    pairs = [*found]
    places = [at for at, _, _ in pairs]
    every = _told_apart([t for _, _, t in pairs], text)
    laws = frozenset(_laws(every, text))
    if not laws and not ENTROPY.search(text):
        return {}
    said = replace(
        _said([*zip(places, every, strict=True)], laws, text, section),
        constants=frozenset([*constants, *_constants(text)]),
        random=frozenset(random),
    )
    return {
        at: Claim(
            *(t.sides, said, at, section(at)),
            latex=latex,
            relations=tuple(x for _, x in t.relations),
            signs=tuple(r for r, _ in t.relations),
        )
        for (at, latex, _), t in zip(pairs, every, strict=True)
        if all(r in ("=", ":=", "≥", "≤") for r, _ in t.relations) and speaks(t, said)
    }


def _constants(text: str) -> Iterator[str]:
    """The c of “a constant $c$” and of “$c$ does not depend on”."""
    for pattern in _CONSTANT:
        for match in pattern.finditer(text):
            yield match[1].lstrip("\\")


def speaks(tree: Node, said: Said) -> bool:
    """True for a formula in which a law is applied, or below a sign, or an entropy stands."""
    for node in walk(tree):
        if isinstance(node, Product):
            names = [base_name(base_of(c.name)) for _, c in applied(node)]
            if said.laws & {*names}:
                return True
            if said.entropies and {"H", "I"} & {*names}:
                return True
        for below in _below(node):
            if any(base_name(base_of(n)) in said.laws for n in walk(below)):
                return True
    return False


def _below(node: Node) -> Iterator[Node]:
    """What stands below a sign of expectation."""
    if isinstance(node, Scripted) and isinstance(node.base, Symbol) and node.base.text in SIGNS:
        yield from (s for mark, s in node.scripts if mark == "_")


def _laws(trees: list[Chain], text: str) -> Iterator[str]:
    words = _WORD.search(text) is not None
    spoken = {m[k] for m in _NEAR.finditer(text) for k in ("one", "two") if m[k]}
    spoken |= {"q", "p"} if {"q", "p"} & spoken else set()
    for tree in trees:
        for node in walk(tree):
            below = [*_below(node)]
            if isinstance(node, Chain) and any(r == "∼" for r, _ in node.relations):
                below.append(node.sides[-1])
            for b in below:
                for n in _heads(b):
                    name = base_name(base_of(n)) or ""
                    if name not in NO_LAWS and not _calligraphic(n):
                        yield name
            parts = node.parts if isinstance(node, Product) else ()
            for both in filter(None, (divergence(parts, k) for k in range(len(parts)))):
                for n in both[:2]:  # KL(q ‖ p)
                    yield from (base_name(base_of(x)) or "" for x in _heads(n))
            for _, call in applied(node) if isinstance(node, Product) else ():
                name = base_name(base_of(call.name)) or ""
                if call.given and (name in DISTRIBUTIONS or (words and name.islower())):
                    if name not in NO_LAWS and not _calligraphic(call.name):
                        yield name
                elif name in spoken & PLAIN and all(map(_outcome, call.items)):
                    yield name


def _outcome(node: Node) -> bool:
    """A law may be applied to it: to x, and not to the sum of p (1 - p)."""
    return base_name(base_of(_only(node))) is not None


def _heads(below: Node) -> Iterator[Node]:
    """The names of the laws below a sign: of x ∼ p, p(x), p(x) q(z | x), p_θ."""
    match below:
        case Chain(sides=(_, law), relations=(("∼", _),)):
            yield from _heads(law)
        case Group(bracket="{", items=items):
            for item in items:
                if isinstance(item, Chain):
                    yield from _heads(item)
        case Product():
            yield from (c.name for _, c in applied(below))
        case Name() | Accent() | Scripted() if base_name(base_of(below)) in DISTRIBUTIONS:
            yield below


def _calligraphic(node: Node) -> bool:
    return any(isinstance(n, Name) and n.style == "calligraphic" for n in walk(node))


def _said(
    pairs: list[tuple[int, Chain]], laws: frozenset[str], text: str, section: Callable[[int], int]
) -> Said:
    written: dict[object, dict[object, Application]] = {}
    drawn: dict[object, dict[object, Node]] = {}
    heads: dict[object, list[Definition]] = {}
    formulas: dict[object, list[Definition]] = {}
    tied = set[str]()
    forms: dict[str, list[Application]] = {}
    for at, tree in pairs:
        for _, _, call in calls(tree):
            if (name := base_name(base_of(call.name))) in laws:
                known = written.setdefault(spelled(call.name), {})
                known[spelled((call.items, call.given))] = call
                forms.setdefault(name or "", []).append(call)
        for node in walk(tree):
            if isinstance(node, Chain) and [r for r, _ in node.relations] == ["∼"]:
                left, law = node.sides
                drawn.setdefault(spelled(left), {})[spelled(law)] = law
        for one in _defined(tree, laws):
            own = replace(one, at=at, section=section(at))
            heads.setdefault(spelled(one.head), []).append(own)
        if (like := _alike(tree)) in laws:
            tied.add(like)
        if (formula := _formula(tree, laws)) is not None:
            own = replace(formula, at=at, section=section(at))
            formulas.setdefault(spelled(own.head), []).append(own)
    return Said(
        laws,
        {n: tuple(w.values()) for n, w in written.items()},
        {n: tuple(w.values()) for n, w in drawn.items()},
        {n: tuple(d) for n, d in heads.items()},
        {n: tuple(w) for n, w in forms.items()},
        ENTROPY.search(text) is not None,
        tied=frozenset(tied),
        formulas={n: tuple(d) for n, d in formulas.items()},
    )


def _formula(tree: Chain, laws: frozenset[str]) -> Definition | None:
    """p(x) = exp(-E(x)) / Z: a law by what is none."""
    call = whole(tree.sides[0]) if is_equation(tree) else None
    if call is None or call.scripts or base_name(base_of(call.name)) not in laws:
        return None
    right = tree.sides[1]
    others = {base_name(base_of(c.name)) for _, _, c in calls(right)} & laws
    return None if others else Definition(call.name, (*call.items, *call.given), right, tree.at)


def _alike(tree: Chain) -> str:
    """The p of p(x) ∝ f(x)."""
    call = whole(tree.sides[0])
    like = call is not None and tree.relations[0][0] in ("∝", "≈")
    return (base_name(base_of(call.name)) or "") if like and call is not None else ""


def _defined(tree: Chain, laws: frozenset[str]) -> Iterator[Definition]:
    """The names and functions that an equation may define; no laws, and nothing of itself."""
    if not is_equation(tree):
        return
    left, right = tree.sides[:2]
    call = whole(left)
    if call is not None and not call.scripts:
        head = left.parts if isinstance(left, Product) else ()
        if base_name(base_of(call.name)) not in laws | {"H", "I"} and not divergence(head, 0):
            yield Definition(call.name, (*call.items, *call.given), right, tree.at)
    elif isinstance(left, Name | Accent | Scripted) or (
        isinstance(left, Product) and len(left.parts) == 1
    ):
        plain = left.parts[0][1] if isinstance(left, Product) else left
        if isinstance(plain, Name | Accent | Scripted) and base_name(base_of(plain)):
            yield Definition(plain, (), right, tree.at)


def divergence(parts: Sequence[tuple[str, Node]], k: int) -> tuple[Node, Node, int] | None:
    """q, p and the place behind KL(q ‖ p)."""
    first = parts[k][1]
    letters = "".join(n.text for n in walk(first) if isinstance(n, Name))
    end = k + 1
    if letters == "K" and end < len(parts) and parts[end][1] == Name(parts[end][1].at, "L"):
        letters, end = "KL", end + 1
    if letters not in ("KL", "D_KL", "DKL", "D_K_L") or end >= len(parts):
        return None
    group = parts[end][1]
    if not isinstance(group, Group) or group.bracket not in "([":
        return None
    match group.items:
        case (Given(items=(one,), given=(other,)),):
            return _only(one), _only(other), end + 1
        case (one, other):
            return _only(one), _only(other), end + 1
    return None


def _only(node: Node) -> Node:
    single = isinstance(node, Product) and len(node.parts) == 1
    return node.parts[0][1] if single else node  # type: ignore[attr-defined]


def _told_apart(trees: Iterable[Chain], text: str) -> list[Chain]:
    """The trees with p(x | θ) for p(x; θ), and I({X}, {Y}) for I(X; Y)."""
    listed = [*trees]
    known: dict[object, int] = {}
    for tree in listed:
        for node in walk(tree):
            for name, group in _listed(node):
                if (k := _semicolon(group, text)) and spelled((name, group)) not in known:
                    known[spelled((name, group))] = k

    def change(node: Node) -> Node:
        found = {id(g): (n, known.get(spelled((n, g)), 0)) for n, g in _listed(node)}
        if not isinstance(node, Product) or not any(k for _, k in found.values()):
            return node
        parts: list[tuple[str, Node]] = []
        for op, part in node.parts:
            group = base_of(part)
            name, k = found.get(id(group), (part, 0))
            if isinstance(group, Group) and k:
                new = _split(group, k, name == Name(name.at, "I"))
                part = replace(part, base=new) if isinstance(part, Scripted) else new
            parts.append((op, part))
        return replace(node, parts=tuple(parts))

    return [rebuilt(tree, change) for tree in listed]


def _listed(node: Node) -> Iterator[tuple[Node, Group]]:
    """The names in a product that stand before lists in brackets."""
    if isinstance(node, Product):
        for (_, name), (_, part) in pairwise(node.parts):
            group = base_of(part)
            if isinstance(group, Group) and (len(group.items) > 1 or _several(group)):
                yield name, group


def _several(group: Group) -> tuple[Node, ...]:
    """The X and Y of I(X; Y | Z)."""
    inner = group.items[0] if len(group.items) == 1 else None
    return inner.items if isinstance(inner, Given) and len(inner.items) > 1 else ()


def _semicolon(group: Group, text: str) -> int:
    """How many items of a list stand before its semicolon; 0 without one."""
    places = [*pairwise(_several(group) or group.items)]
    return next((k for k, (a, b) in enumerate(places, 1) if ";" in text[_end(a) : _start(b)]), 0)


def _split(group: Group, k: int, mutual: bool) -> Group:
    """The list in brackets at its semicolon."""
    if inner_items := _several(group):
        (inner,) = group.items
        pair = (Group(group.at, "{", inner_items[:k]), Group(group.at, "{", inner_items[k:]))
        assert isinstance(inner, Given)
        return replace(group, items=(replace(inner, items=pair),)) if mutual else group
    before, behind = group.items[:k], group.items[k:]
    if mutual:
        last = behind[-1]
        given = last.given if isinstance(last, Given) else ()
        rest = (*behind[:-1], *(last.items if isinstance(last, Given) else (last,)))
        pair = (Group(group.at, "{", before), Group(group.at, "{", rest))
        return replace(group, items=(Given(group.at, pair, given),) if given else pair)
    end = before[-1]
    if isinstance(end, Given):  # p(x | z; θ)
        items, given = (*before[:-1], *end.items), end.given
    else:
        items, given = before, ()
    return replace(group, items=(Given(group.at, items, (*given, *behind)),))


def _start(node: Node) -> int:
    return min(n.at for n in walk(node) if isinstance(n, Name | Number | Symbol))


def _end(node: Node) -> int:
    return max(n.at for n in walk(node) if isinstance(n, Name | Number | Symbol))


def numbered(
    claims: Mapping[int, Claim], place: Callable[[int], tuple[int, int]]
) -> dict[tuple[int, int], Claim]:
    """The claims by line and column, with the lines of what they rest on."""
    told: dict[int, Said] = {}
    for claim in claims.values():
        if id(claim.said) not in told:
            heads = {
                n: tuple(replace(d, line=place(d.at)[0]) for d in known)
                for n, known in claim.said.heads.items()
            }
            formulas = {
                n: tuple(replace(d, line=place(d.at)[0]) for d in known)
                for n, known in claim.said.formulas.items()
            }
            told[id(claim.said)] = replace(claim.said, heads=heads, formulas=formulas)
    return {
        place(at): replace(
            c,
            said=told[id(c.said)],
            line=place(at)[0],
            places=tuple(map(place, c.relations)),
        )
        for at, c in claims.items()
    }


__all__ = ["Claim", "Definition", "Said", "divergence", "gather", "numbered", "speaks"]
