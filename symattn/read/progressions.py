r"""Dots between powers: 1 + q + … + q^{n-1} is Σ_j q^j, r_t + γ r_{t+1} + … a sum of γ^j r_{t+j}.

The term with n in it is the pattern: with 0 and 1 for its letter it has to be the terms that are
written, where q^0 and 0! are not written and q^1 is q.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .tree import (
    Addition,
    Fraction,
    Group,
    Name,
    Node,
    Number,
    Product,
    Scripted,
    Symbol,
    rebuilt,
    replaced,
    spelled,
    walk,
)

Pattern = tuple[int, Node, Node]  # where the terms begin, one with a letter, its last value
SHIFTS = (1, 0, 2, -1)  # of the letter in the last term: q^{n-1}, q^n, q^{n-2}, q^{n+1}
FEWEST = 3  # terms before dots that never end


def ended(before: Sequence[Node], last: Node, letter: str) -> Pattern | None:
    """The terms before dots and the last one as one pattern, which runs from 0."""
    known = {n.text for term in before for n in walk(term) if isinstance(n, Name)}
    free = dict.fromkeys(n.text for n in walk(last) if isinstance(n, Name) and n.text not in known)
    for name in free:
        for shift in SHIFTS:
            own = _moved(Name(last.at, letter), shift)
            body = settled(_put(last, name, own))
            if not _has_power(body, letter):
                continue
            start = _start(before, body, letter)
            if len(before) - start > 1:
                return start, body, _moved(Name(last.at, name), -shift)
    return None


def endless(before: Sequence[Node], letter: str) -> Pattern | None:
    """The terms before dots that never end as one pattern, which runs from 0."""
    last = before[-1]
    numbers = dict.fromkeys(n.text for n in walk(last) if isinstance(n, Number))
    for text in numbers:
        if not text.isdigit() or not FEWEST - 1 <= int(text) < len(before):
            continue
        body = _numbered(last, text, letter)
        start = _start(before, body, letter)
        if len(before) - start == int(text) + 1 and _has_power(body, letter):
            return start, body, Symbol(last.at, "infty", r"\infty")
    return None


def _start(before: Sequence[Node], body: Node, letter: str) -> int:
    """Where the terms begin that are the pattern with 0, 1, …; their end where none do."""
    for start in range(len(before)):
        steps = (settled(_put(body, letter, Number(0, str(j)))) for j in range(len(before) - start))
        if all(
            spelled(settled(own)) == spelled(step)
            for own, step in zip(before[start:], steps, strict=True)
        ):
            return start
    return len(before)


def _numbered(tree: Node, number: str, letter: str) -> Node:
    """The tree with a letter for a number."""

    def put(node: Node) -> Node:
        return Name(node.at, letter) if isinstance(node, Number) and node.text == number else node

    return rebuilt(tree, put)


def _has_power(body: Node, letter: str) -> bool:
    """True for q^j."""
    scripts = (x for n in walk(body) if isinstance(n, Scripted) for x in n.scripts)
    inside = (n for sign, s in scripts if sign == "^" for n in walk(s))
    return any(isinstance(n, Name) and n.text == letter for n in inside)


def _moved(name: Node, shift: int) -> Node:
    """n + 1 and n - 1."""
    number = Number(name.at, str(abs(shift)))
    return Addition(name.at, ((1, name), (1 if shift > 0 else -1, number))) if shift else name


def _put(tree: Node, name: str, what: Node) -> Node:
    return replaced(tree, lambda n: what if isinstance(n, Name) and n.text == name else n)


def settled(tree: Node) -> Node:
    """The tree with t + 1 for t + 2 - 1, q for q^1 and nothing for a factor q^0."""
    return rebuilt(tree, _settled)


def _settled(node: Node) -> Node:
    match node:
        case Addition():
            return _counted(node)
        case Scripted(base=base, scripts=scripts):
            kept = tuple(s for s in scripts if not (s[0] == "^" and _is(s[1], "1")))
            if any(sign == "^" and _is(s, "0") for sign, s in kept):
                return Number(node.at, "1")
            return Scripted(node.at, base, kept) if kept else base
        case Product(
            parts=(
                (_, Symbol(kind="function", text="factorial")),
                (_, Group(items=(Number(text="0" | "1"),))),
            )
        ):
            return Number(node.at, "1")
        case Product():
            inside = [p for part in node.parts for p in _flat(*part)]
            parts = [(op, p) for op, p in inside if op == "/" or not _is(p, "1")]
            if not parts:
                return Number(node.at, "1")
            plain = not parts[0][0] or parts[0][0] != "/"
            return (
                parts[0][1]
                if len(parts) == 1 and plain
                else Product(node.at, tuple((op if op == "/" else "", p) for op, p in parts))
            )
        case Fraction(top=top, bottom=bottom) if _is(bottom, "1"):
            return top
        case Group(bracket="{", items=(Name() | Number() as only,)):
            return only
    return node


def _flat(op: str, part: Node) -> Iterator[tuple[str, Node]]:
    yield from part.parts if isinstance(part, Product) and op != "/" else ((op, part),)


def _is(node: Node, text: str) -> bool:
    return isinstance(node, Number) and node.text == text


def _counted(node: Addition) -> Node:
    """The sum with its whole numbers added up, behind the rest, without what is 0."""
    parts = [
        (sign * s, p)
        for sign, part in node.parts
        for s, p in (part.parts if isinstance(part, Addition) else ((1, part),))
    ]
    number = sum(s * int(p.text) for s, p in parts if isinstance(p, Number) and p.text.isdigit())
    rest = [(s, p) for s, p in parts if not (isinstance(p, Number) and p.text.isdigit())]
    rest = [(s, p) for k, (s, p) in enumerate(rest) if not _gone(rest, k)]
    if number:
        rest.append((1 if number > 0 else -1, Number(node.at, str(abs(number)))))
    if not rest:
        return Number(node.at, "0")
    return rest[0][1] if len(rest) == 1 and rest[0][0] == 1 else Addition(node.at, tuple(rest))


def _gone(parts: Sequence[tuple[int, Node]], k: int) -> bool:
    """True for a term that another one, n and - n, takes away."""
    own = spelled(parts[k][1])
    alike = [s for s, p in parts if spelled(p) == own]
    return sum(alike) == 0


__all__ = ["ended", "endless"]
