"""Arrays of pairs lie in the order in which they are read.

    Σ_i W_ip (g_p − f_i)       g_p − f_i is made as an array of i and p, as W is
    Σ_j A_ji cos(x_i − x_j)    a symmetric array is the same transposed, and read as it is
    Σ_j A_ji e^{x_i − m_ij}    e^{x_j − m_ij} transposed: where both are there, the other one
    [x_i ≥ x_j] [x_j ≥ x_i]    two tests: asking a second time is cheaper than to turn the answer
    max_i (y_p − x_ip)         y_p − x_ip lies as x_ip does, whatever it was asked for as

What is made of vectors alone, x_i − y_j or e^{x_i y_j}, may lie in either order; matrices that come
in, and what is computed with them, may not.  An array that is read against the order of its axes
has to be written down, and is read a column at a time; in a block of rows it has to be cut
otherwise than what stands beside it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field

from .nodes import Letters, Node, Nodes, reachable

TURNED = (1, 0)
MADE = ("product", "add", "call", "maximum", "test")  # entry by entry
EVEN = ("cos", "cosh", "abs", "sinc")
ODD = ("sin", "tan", "sinh", "tanh", "erf", "atan", "asin", "sign", "softsign")


def straightened(roots: Iterable[Node], nodes: Nodes) -> dict[Node, Node]:
    """The plan with every array of pairs as it is read, node by node; empty where it was so."""
    roots = list(roots)
    work = _Turns(list(reachable(roots)), nodes)
    work.users_of(roots)
    for node in reversed(work.order):
        if work.free(node):
            work.decide(node)
    return work.rebuilt(roots) if work.against else {}


def upright(roots: Iterable[Node], nodes: Nodes) -> dict[Node, Node]:
    """The plan with what is made entry by entry of arrays that are all read transposed as they lie,
    node by node: who reads it turns it, and a largest value or a sum reads either."""
    roots = set(roots)
    order = list(reachable(roots))
    readers = (*MADE, "einsum", "max", "select", "choose", "weighed")
    fixed = roots | {arg for node in order if node.op not in readers for arg in node.args}
    turned = set[Node]()

    def rule(node: Node, args: list[Node]) -> Node | None:
        if node.op not in readers:
            return None
        places = [
            place[::-1] if arg in turned else place
            for arg, place in zip(node.args, node.data[0], strict=True)
        ]
        sizes, hints = node.sizes, node.hints
        wide = [place for place in places if len(place) > 1]
        made = node.op in (*MADE, "select", "choose", "weighed") and node not in fixed
        if made and len(node.shape) == len(sizes) == 2 and wide and set(wide) == {TURNED}:
            turned.add(node)
            places = [tuple(1 - x for x in place) for place in places]
            sizes, hints = sizes[::-1], hints[::-1]
        data = (tuple(places), *node.data[1:])
        return nodes.make(node.op, args, data, sizes, len(node.shape), hints)

    return nodes.rewritten(roots, rule)


@dataclass
class _Turns:
    order: Sequence[Node]
    nodes: Nodes
    users: dict[Node, list[tuple[Node, int, bool]]] = field(default_factory=dict)
    # which operand of a node is read otherwise: instead of this one transposed that one as it is
    against: dict[tuple[Node, int], Node] = field(default_factory=dict)
    _free: dict[Node, bool] = field(default_factory=dict)
    _keys: dict[tuple[Node, bool], tuple[int, int]] = field(default_factory=dict)
    _numbers: dict[Hashable, int] = field(default_factory=dict)
    _known: dict[int, Node] = field(default_factory=dict)

    def free(self, node: Node) -> bool:
        """An array of pairs made of vectors, which may lie in either order."""
        if node not in self._free:
            self._free[node] = (
                node.op in MADE
                and len(node.shape) == len(node.sizes) == 2
                and all(
                    len(place) < 2 or self.free(arg)
                    for arg, place in zip(node.args, node.data[0], strict=True)
                )
            )
        return self._free[node]

    def users_of(self, roots: Iterable[Node]) -> None:
        """Enter who reads every free array, as which operand, and whether against its order."""
        for node in self.order:
            if self.free(node):
                self.users.setdefault(node, [])
                for turned in (True, False):  # no deep recursion, since operands come first
                    _, key = self.key(node, turned)
                self._known.setdefault(key, node)
            for k, arg in enumerate(node.args):
                if self.free(arg):
                    against = self._against(node, k)
                    if against is not None or node.op != "einsum":
                        self.users[arg].append((node, k, bool(against)))
        for root in roots:
            if self.free(root):
                self.users[root].append((root, -1, False))

    def _against(self, node: Node, k: int) -> bool | None:
        """Whether an operand is read against its order; None where either is as good."""
        if node.op not in (*MADE, "einsum", "max", "select", "choose", "weighed"):
            return False
        place: Letters = node.data[0][k]
        if node.op == "max":  # its masks lie as what it is the largest of
            whole: Letters = node.data[0][0]
            return k > 0 and whole.index(place[0]) > whole.index(place[1])
        if node.op != "einsum":
            return place[0] > place[1]
        beside = [
            (self.free(arg), j, other)
            for j, (other, arg) in enumerate(zip(node.data[0], node.args, strict=True))
            if set(place) <= set(other) and len(set(other)) == len(other)
        ]
        _, first, order = min(beside, default=(True, k, place))
        if len(beside) < 2:
            return None
        return first != k and order.index(place[0]) > order.index(place[1])

    def decide(self, node: Node) -> None:
        """Say what is read in place of an array that some of its users read transposed."""
        turned = [(user, k) for user, k, against in self.users[node] if against]
        if not turned:
            return
        found = self._other(node)
        if found is None and (len(turned) == len(self.users[node]) or node.op == "test"):
            found = self._made(node)
        if found is not None:
            self.against |= dict.fromkeys(turned, found)

    def _other(self, node: Node) -> Node | None:
        """What is there and is the array transposed."""
        sign, turned = self.key(node, True)
        other = self._known.get(turned)
        return other if other is not None and self.key(other, False)[0] == sign else None

    def _made(self, node: Node) -> Node:
        """A new array: this one transposed."""
        args, places = [], []
        for arg, place in zip(node.args, node.data[0], strict=True):
            moved = tuple(1 - x for x in place)
            if len(place) == 2:
                other = self._other(arg)
                alone = all(user is node for user, *_ in self.users[arg])
                if other is None and alone:
                    other = self._made(arg)
                if other is not None:
                    arg, moved = other, place
            args.append(arg)
            places.append(moved)
        data = (tuple(places), *node.data[1:])
        made = self.nodes.make(node.op, args, data, node.sizes[::-1], 2, node.hints[::-1])
        self._free[made] = True
        self.users.setdefault(made, [])
        return made

    def key(self, node: Node, turned: bool) -> tuple[int, int]:
        """A sign, and a number that arrays of pairs which are equal but for that have in common;
        with `turned` of the array transposed."""
        if (node, turned) not in self._keys:
            sign, content = self._key(node, turned)
            self._keys[node, turned] = sign, self._number(content)
        return self._keys[node, turned]

    def _key(self, node: Node, turned: bool) -> tuple[int, Hashable]:
        parts: list[tuple[int, int]] = []
        for arg, place in zip(node.args, node.data[0], strict=True):
            if len(place) == 2:
                parts.append(self.key(arg, turned != (place == TURNED)))
            else:
                letters = tuple(1 - x if turned else x for x in place)
                parts.append((1, self._number((arg, letters))))
        shape = node.shape[::-1] if turned else node.shape
        sign = 1
        if node.op == "add":
            items = [(part, c * s) for (s, part), c in zip(parts, node.data[1], strict=True)]
            items.sort(key=lambda item: item[0])
            if items[0][1].could_extract_minus_sign():
                sign, items = -1, [(part, -c) for part, c in items]
            return sign, (node.op, shape, tuple(items))
        if node.op == "product":
            coefficient, exponents = node.data[1]
            for (s, _), e in zip(parts, exponents, strict=True):
                if s < 0 and e.q != 1:
                    return 1, (node.op, shape, node.serial, turned)  # no power of a negative one
                sign *= s if e % 2 else 1
            pairs = zip((part for _, part in parts), exponents, strict=True)
            return sign, (node.op, shape, coefficient, tuple(sorted(pairs, key=str)))
        rest = node.data[1]
        if node.op == "maximum" and all(s > 0 for s, _ in parts):
            return 1, (node.op, shape, rest, tuple(sorted(part for _, part in parts)))
        if node.op == "call" and len(parts) == 1 and rest in (*EVEN, *ODD):
            ((s, part),) = parts
            return (s if rest in ODD else 1), (node.op, shape, rest, part)
        return 1, (node.op, shape, rest, tuple(parts))  # of a test with the sign of what it asks

    def _number(self, content: Hashable) -> int:
        return self._numbers.setdefault(content, len(self._numbers))

    def _read(self, node: Node) -> list[Node]:
        """What a node reads, the other way round where that lies so."""
        return [self.against.get((node, k), arg) for k, arg in enumerate(node.args)]

    def rebuilt(self, roots: Iterable[Node]) -> dict[Node, Node]:
        """Every node as it is now."""
        now: dict[Node, Node] = {}
        for node in reachable(roots, read=self._read):
            read, data = self._read(node), node.data
            turned = [k for k in range(len(read)) if (node, k) in self.against]
            if turned:
                places = (x[::-1] if k in turned else x for k, x in enumerate(data[0]))
                data = (tuple(places), *data[1:])
            args = [now[arg] for arg in read]
            sizes, rank = node.sizes, len(node.shape)
            now[node] = self.nodes.make(node.op, args, data, sizes, rank, node.hints)
        return now


__all__ = ["straightened", "upright"]
