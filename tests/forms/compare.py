"""Whether two formulas are the same in print."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice, permutations, product

from .latex import Node, Unreadable, indices, parse, tokens

TURNS = 256  # ways to turn differences that are looked at

Letters = frozenset[str]
Renaming = dict[str, str]  # of the first formula's bound letters to the second's


def same(
    printed: str,
    line: str,
    free: tuple[Iterable[str], Iterable[str]] = ((), ()),
    *,
    commute: bool | None = None,
    scalar: bool = False,
) -> bool:
    r"""Whether two right-hand sides are the same formula in print.

    They may differ in spaces and sizes of brackets, in braces round one token, in the order of
    terms and of the factors of ∘, and in the names of bound letters: those under Σ, those that are
    repeated in a term, and the letters of the left sides, which `free` holds in order.  With
    `commute` the factors of products may stand in any order, so also on, before or behind a
    fraction bar (\frac{c x}{r}, c \frac{x}{r}; \frac{x - m}{s}, \frac{1}{s} (x - m)) and before or
    behind a Σ whose letter they lack; without it, they may where the line has indices or a Σ, and
    in matrix notation in fractions, whose bar is a factor: \frac{x}{r}, \frac{1}{r} x.
    A difference of two that are no numbers may stand the other way round, -c (x - y) and
    c (y - x), (x - y)^2 and (y - x)^2, and a product as a factor of \circ in brackets or without.
    Cases may stand in any order, \exp(x) is e^x, [x < y] is 1[x < y], ReLU(x) is \max(0, x),
    x^{\circ 2} is x \circ x and, in a product that is a `scalar`, x^\top y is y^\top x.
    Everything else must agree: Σ where Σ is written, indices up or down, brackets.
    """
    try:
        a, b = _plain_names(_listed(parse(printed))), _plain_names(_listed(parse(line)))
    except Unreadable:
        return _plain(printed) == _plain(line)
    if commute is None:
        commute = any(_slots(n) for n in _nodes(b)) or any(n[0] == "sum" for n in _nodes(b))
    first, second = tuple(free[0]), tuple(free[1])
    if len(first) != len(second):
        return False
    renamed = dict(zip(first, second, strict=True))
    if len(set(renamed.values())) != len(second) or len(renamed) != len(second):
        return False
    match = _Match(commute)
    scope = (frozenset(first), frozenset(second))
    for shape in (_loose,) if commute else (_bars_apart, _numbers_sorted):
        other, line = shape(a), shape(b)
        if scalar and _turned(other) == line:
            return True
        line = _bind(line, scope[1])
        for turned in islice(_turns(other), TURNS):
            if any(True for _ in match.nodes(_bind(turned, scope[0]), line, renamed, scope)):
                return True
    return False


def _turns(node: Node) -> Iterator[Node]:
    """The tree, and those with differences in it the other way round."""
    if not isinstance(node, tuple) or not node:
        yield node
    elif node[0] == "add":
        for terms in product(*(list(_signed(term)) for _, term in node[1])):
            made = tuple(
                (sign if own == "+" else _other(sign), term)
                for (sign, _), (own, term) in zip(node[1], terms, strict=True)
            )
            yield made[0][1] if len(made) == 1 and made[0][0] == "+" else ("add", made)
    elif isinstance(node[0], str):
        for own, made in _signed(node):
            yield made if own == "+" else ("add", (("-", made),))
    else:
        yield from product(*(list(_turns(part)) for part in node))


def _signed(node: Node) -> Iterator[tuple[str, Node]]:
    """The ways to write a term or a factor, each behind its sign."""
    inner = node[1] if isinstance(node, tuple) and node[:1] == ("paren",) else None
    if inner and inner[0] == "add" and _difference(inner):
        for made in _turns(inner):
            yield "+", ("paren", made)
            yield "-", ("paren", ("add", tuple((_other(s), t) for s, t in made[1])))
    elif isinstance(node, tuple) and node[:1] in (("prod",), ("circ",)):
        for factors in product(*(list(_signed(f)) for f in node[1])):
            minus = sum(own == "-" for own, _ in factors) % 2
            yield "+-"[minus], (node[0], tuple(f for _, f in factors))
    elif isinstance(node, tuple) and node[:1] == ("sum",) and len(node) == 4:
        for own, body in _signed(node[3]):
            yield own, (*node[:3], body)
    elif isinstance(node, tuple) and node[:1] == ("below",):
        for own, below in _signed(node[1]):
            yield own, ("below", below)
    elif isinstance(node, tuple) and node[:1] == ("script",) and node[3:] == (("num", "2"),):
        for _, base in _signed(node[1]):
            yield "+", (node[0], base, *node[2:])
    elif isinstance(node, tuple) and node and node[0] != "add" and isinstance(node[0], str):
        yield from (
            ("+", (node[0], *made)) for made in product(*(list(_turns(p)) for p in node[1:]))
        )
    else:
        yield from (("+", made) for made in _turns(node))


def _difference(node: Node) -> bool:
    """x - y, and not 1 - y."""
    return sorted(s for s, _ in node[1]) == ["+", "-"] and all(t[0] != "num" for _, t in node[1])


def _other(sign: str) -> str:
    return "-" if sign == "+" else "+"


def _plain_names(node: Node) -> Node:
    """The tree with \\exp(x) as e^x, ReLU(x) as \\max(0, x), x > y as y < x, [x < y] as 1[…]."""
    if not isinstance(node, tuple) or not node:
        return node
    node = tuple(_plain_names(part) for part in node)
    if node[:2] == ("call", "\\exp"):
        return ("script", ("name", "e"), None, node[2][0])
    if node[:2] in (("rel", ">"), ("rel", "\\ge")):
        return ("rel", {">": "<", "\\ge": "\\le"}[node[1]], node[3], node[2])
    if node[0] == "bracket" and node[1][0] == "rel":
        return ("one", node[1])
    if node[:2] == ("call", "ReLU"):
        return ("call", "\\max", (("num", "0"), *node[2]))
    return node


def _bars_apart(node: Node) -> Node:
    r"""The tree with \frac{1}{r} x for \frac{x}{r}, numbers first, x \circ y for x \circ (y)."""
    if not isinstance(node, tuple) or not node:
        return node
    node = tuple(map(_bars_apart, node))
    if node[0] == "frac" and len(node) == 3:
        above = [("paren", node[1])] if node[1][0] == "add" else _factors(node[1])
        below = _product(sorted(_factors(node[2]), key=repr))
        return _product([("frac", ("num", "1"), below), *above])
    if node[0] == "prod":
        factors = [f for part in node[1] for f in _factors(part)]
        bars = [k for k, f in enumerate(factors) if f[0] in ("frac", "num")]
        front = sorted((factors[k] for k in bars), key=repr)
        return _product([*front, *(f for k, f in enumerate(factors) if k not in bars)])
    if node[0] == "circ":
        inner = (f[1] if f[0] == "paren" and f[1][0] == "prod" else f for f in node[1])
        return ("circ", tuple(inner))
    return node


def _numbers_sorted(node: Node) -> Node:
    r"""The tree with the numbers of every \frac{c m}{r} in one order."""
    if not isinstance(node, tuple) or not node:
        return node
    node = tuple(map(_numbers_sorted, node))
    if node[0] == "frac" and len(node) == 3:
        return ("frac", *(_product(sorted(_factors(part), key=repr)) for part in node[1:]))
    return node


def _turned(node: Node) -> Node:
    r"""c y^\top x of c x^\top y."""
    if node[0] == "add" and len(node[1]) == 1:
        return ("add", ((node[1][0][0], _turned(node[1][0][1])),))
    match node:
        case ("prod", (*front, ("script", x, None, ("top",)), y)) if y[0] != "script":
            return ("prod", (*front, ("script", y, None, ("top",)), x))
    return node


def _loose(node: Node) -> Node:
    """The tree with what is below a bar as factors, and factors in front of the Σ they lack."""
    if not isinstance(node, tuple) or not node:
        return node
    if node[0] == "sum" and len(node) == 4:
        own, signs, body = set(_heads(node)[2]), [], node
        while body[0] == "sum" and len(body) == 4:
            signs.append(body[:3])
            body = body[3]
        factors = _factors(_loose(body))
        outside = [f for f in factors if not own & _mentioned(f)]
        whole = _product([f for f in factors if own & _mentioned(f)])
        for sign in reversed(signs):
            whole = (*sign, whole)
        return _product([*outside, whole])
    node = tuple(_loose(part) for part in node)
    if node[0] in ("frac", "over") and len(node) == 3:
        factors = [("paren", f) if f[0] == "add" else f for f in _factors(node[2])]
        below = [("below", f) for f in factors if f != ("num", "1")]
        above = ("paren", node[1]) if node[1][0] == "add" else node[1]  # \frac{x - m}{s}
        return _product([*_factors(above), *below])
    if node[0] == "prod":
        return _product([f for part in node[1] for f in _factors(_bare(part))])
    return node


def _bare(node: Node) -> Node:
    """A Σ that stands in brackets as a factor, which the one behind the others needs none of."""
    return node[1] if node[0] == "paren" and node[1][0] == "sum" else node


def _factors(node: Node) -> list[Node]:
    return list(node[1]) if isinstance(node, tuple) and node and node[0] == "prod" else [node]


def _product(factors: list[Node]) -> Node:
    kept = [f for f in factors if f != ("num", "1")] or [("num", "1")]
    return kept[0] if len(kept) == 1 else ("prod", tuple(kept))


def _mentioned(node: Node) -> set[str]:
    return {n[1] for n in _nodes(node) if n[0] == "name"}


def letters(left: str) -> tuple[str, ...]:
    """The index letters of a left side, in order."""
    try:
        return tuple(i for n in _nodes(parse(left)) for i in _slots(n))
    except Unreadable:
        return ()


def _plain(text: str) -> list[str]:
    return [t for t in tokens(text) if t not in "{}"]


def _listed(node: Node) -> Node:
    """The tree with the indices of scripts as lists, whose order counts, not as products."""
    if not isinstance(node, tuple):
        return node
    node = tuple(_listed(part) for part in node)
    if node and node[0] == "script":
        below, above = node[2], node[3]
        if below is not None and below[0] == "prod":
            below = ("list", below[1])
        raised = node[1] == ("name", "e")  # e^{g x}
        if (
            above is not None
            and above[0] == "prod"
            and not raised
            and all(p[0] == "name" for p in above[1])
        ):
            above = ("list", above[1])
        node = (*node[:2], below, above)
    if node and node[0] == "sum" and len(node) == 4 and node[1][0] == "prod":  # Σ_ij as Σ_{i, j}
        node = (node[0], ("list", node[1][1]), *node[2:])
    return node


def _nodes(node: Node) -> Iterator[Node]:
    if isinstance(node, tuple):
        if node and isinstance(node[0], str):
            yield node
        for part in node:
            yield from _nodes(part)


def _slots(node: Node) -> list[str]:
    """The index letters in the scripts of one node."""
    if node[0] != "script" or len(node) != 4:
        return []
    found = []
    for script in node[2:]:
        for i in indices(script):
            parts = [t for _, t in i[1]] if i[0] == "add" else [i]
            found += [p[1] for p in parts if p[0] == "name" and re.fullmatch("[a-z]", p[1])]
    return found


def _count(node: Node) -> Counter[str]:
    """How often each letter occurs in a term; in a bracket of several terms, in the fullest."""
    if not isinstance(node, tuple) or not node:
        return Counter()
    found: Counter[str] = Counter()
    if node[0] == "add":
        for _, term in node[1]:
            found |= _count(term)
        return found
    if node[0] == "script" and len(node) == 4:
        found.update(_slots(node))
        return found + _count(node[1])
    for part in node:
        found += _count(part)
    return found


def _bind(node: Node, bound: Letters) -> Node:
    """A sum of terms, with what each sums by repetition said: ("repeated", letters, term)."""
    if node[0] == "add":
        return ("add", tuple((s, _bind(t, bound)) for s, t in node[1]))
    inner = {i for n in _nodes(node) if n[0] == "sum" for i in _heads(n)[2]}
    repeated = frozenset(i for i, n in _count(node).items() if n > 1) - bound - inner
    below = _inside(node, bound | repeated)
    return ("repeated", repeated, below) if repeated else below


def _inside(node: Node, bound: Letters) -> Node:
    if not isinstance(node, tuple):
        return node
    if node and node[0] == "add":
        return _bind(node, bound)
    if node and node[0] == "sum" and len(node) == 4:
        bound = bound | frozenset(_heads(node)[2])
    return tuple(_inside(part, bound) for part in node)


def _heads(node: Node) -> tuple[tuple[Node, ...], Node, list[str]]:
    """The ranges of nested sums, the body of the innermost, and the letters."""
    ranges: list[Node] = []
    names: list[str] = []
    while node[0] == "sum":
        _, head, above, body = node
        for one in head[1] if head[0] == "list" else (head,):
            ranges.append(("range", one, above))
            letter = one[2] if one[0] == "rel" else one
            if letter[0] == "name":
                names.append(letter[1])
        node = body
    return tuple(ranges), node, names


class _Match:
    """Matches trees up to the names of bound letters; yields each renaming that does."""

    def __init__(self, commute: bool) -> None:
        self.commute = commute

    def nodes(
        self, a: Node, b: Node, known: Renaming, scope: tuple[Letters, Letters]
    ) -> Iterator[Renaming]:
        if not isinstance(a, tuple) or not isinstance(b, tuple):
            if type(a) is type(b) and a == b:
                yield known
            return
        if not a or not b:
            if a == b:
                yield known
            return
        if a[0] != b[0]:
            return
        if a[0] == "name":
            yield from self.name(a[1], b[1], known, scope)
        elif a[0] in ("sum", "max", "min") and len(a) == 4:
            first, second = (_heads(n) if n[0] == "sum" else _one(n) for n in (a, b))
            yield from self.scoped(first, second, known, scope)
        elif a[0] == "repeated":
            first, second = (((), n[2], sorted(n[1])) for n in (a, b))
            yield from self.scoped(first, second, known, scope)
        elif a[0] == "script" and a[1] == b[1] == ("name", "\\delta"):  # δ_ij is δ_ji
            two = b[2][1] if b[2] and b[2][0] == "list" else ()
            for below in islice(permutations(two), 2):
                script = ("list", below) if two else b[2]
                yield from self.ordered(a[1:], (b[1], script, *b[3:]), known, scope)
        elif a[0] in ("add", "circ", "cases") or (a[0] == "prod" and self.commute):
            yield from self.unordered(a[1], b[1], known, scope)
        elif len(a) == len(b):
            yield from self.ordered(a[1:], b[1:], known, scope)

    def name(
        self, a: str, b: str, known: Renaming, scope: tuple[Letters, Letters]
    ) -> Iterator[Renaming]:
        if a not in scope[0] and b not in scope[1]:
            if a == b:
                yield known
        elif a in scope[0] and b in scope[1]:
            if known.get(a) == b:
                yield known
            elif a not in known and b not in known.values():
                yield {**known, a: b}

    def scoped(
        self, first: Node, second: Node, known: Renaming, scope: tuple[Letters, Letters]
    ) -> Iterator[Renaming]:
        (ranges, body, own), (others, other, theirs) = first, second
        if len(own) != len(theirs) or len(ranges) != len(others):
            return
        inner = (scope[0] | set(own), scope[1] | set(theirs))
        start = {x: y for x, y in known.items() if x not in own and y not in theirs}
        for found in self.unordered(ranges, others, start, inner):
            for done in self.nodes(body, other, found, inner):
                outer = {x: y for x, y in done.items() if x not in own}
                if {x for x, y in done.items() if y in theirs} <= set(own):
                    yield {**known, **outer}

    def ordered(
        self, a: Node, b: Node, known: Renaming, scope: tuple[Letters, Letters]
    ) -> Iterator[Renaming]:
        if len(a) != len(b):
            return
        if not a:
            yield known
            return
        for found in self.each(a[0], b[0], known, scope):
            yield from self.ordered(a[1:], b[1:], found, scope)

    def each(
        self, a: Node, b: Node, known: Renaming, scope: tuple[Letters, Letters]
    ) -> Iterator[Renaming]:
        """Nodes, or tuples of nodes."""
        listed = [isinstance(x, tuple) and bool(x) and isinstance(x[0], tuple) for x in (a, b)]
        if all(listed):
            yield from self.ordered(a, b, known, scope)
        elif not any(listed):
            yield from self.nodes(a, b, known, scope)

    def unordered(
        self, a: Node, b: Node, known: Renaming, scope: tuple[Letters, Letters]
    ) -> Iterator[Renaming]:
        if len(a) != len(b):
            return
        if not a:
            yield known
            return
        for k, other in enumerate(b):
            for found in self.nodes(a[0], other, known, scope):
                yield from self.unordered(a[1:], b[:k] + b[k + 1 :], found, scope)


def _one(node: Node) -> tuple[tuple[Node, ...], Node, list[str]]:
    """The range of a maximum, its body and its letter."""
    _, head, above, body = node
    letter = head[2] if head[0] == "rel" else head
    return (("range", head, above),), body, [letter[1]] if letter[0] == "name" else []
