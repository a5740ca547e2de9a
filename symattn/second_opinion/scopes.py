"""Binders of the second opinion: letters entered and bound, Σ and maxima, and sameness."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations, permutations
from itertools import product as tuples
from math import factorial, prod
from typing import Any

from .algebra import (
    EXP,
    F0,
    F1,
    ONE,
    ROUNDS,
    ZERO,
    Node,
    Poly,
    Refused,
    Tensor,
    Work,
    call,
    content,
    counts,
    delta,
    divided,
    free,
    fresh,
    inside,
    is_lone,
    key,
    linear,
    lone,
    mask,
    merged,
    poly,
    power,
    product,
    ref,
    seal,
    sign,
    sign_of,
    times,
)

ORDERS = 720  # of the letters of one sum that are tried


class Normal:
    """How an expression becomes a normal form."""

    def walk(self, node: Node, env: Mapping[Node, Node]) -> Any:
        """The value of an expression, with slots in place of letters and indices."""
        match node:
            case Poly():
                terms = (
                    self.times(self.power(self.walk(a, env), e) for a, e in m) * self.number(c)
                    for m, c in node
                )
                return self.add(terms)
            case ("add", *parts):
                return self.add(self.walk(x, env) for x in parts)
            case ("mul", *parts):
                return self.times(self.walk(x, env) for x in parts)
            case ("pow", x, e):
                return self.power(self.walk(x, env), e)
            case ("ref", t, slots):
                return self.ref(t, tuple(self.slot(s, env) for s in slots))
            case ("d", of, (_, t, slots)):
                return self.partial(of, t, tuple(self.slot(s, env) for s in slots), env)
            case ("delta", slot, modulus):
                return self.delta(self.slot(slot, env), modulus)
            case ("mask", slot):
                return self.mask(self.slot(slot, env))
            case ("call", name, x):
                return self.call(name, self.walk(x, env))
            case ("unknown", name, orders, args):
                return self.unknown(name, orders, [self.walk(x, env) for x in args])
            case ("poly", x):
                return self.walk(x, env)
            case ("num", _):
                return poly(node)
        return self.bind(node, env)

    def slot(self, slot: Node, env: Mapping[Node, Node]) -> Any:
        """Σ c·letter + constant with slots in place of letters."""
        return linear(*((env.get(x, lone(x)), c) for x, c in slot[0]), (slot[1], 1))

    def bind(self, node: Node, env: Mapping[Node, Node]) -> Any:
        """A binder with letters of its own in place of its indices."""
        letters = [fresh(size) for size in node[-2]]
        inner = below(env, map(lone, letters))
        if node[0] == "max":
            return largest(letters, [self.walk(x, inner) for x in node[-1]])
        body = self.walk(node[-1], inner)
        if node[0] == "sum":
            return total(letters, body)
        return argmax([self.slot(s, env) for s in node[1]], letters, body)

    number: Any = staticmethod(Fraction)
    add: Any = staticmethod(lambda parts: merged(chain.from_iterable(parts)))
    times: Any = staticmethod(times)
    power: Any = staticmethod(power)
    ref: Any = staticmethod(ref)
    delta: Any = staticmethod(delta)
    mask: Any = staticmethod(mask)
    call: Any = staticmethod(call)

    def unknown(self, name: str, orders: Node, args: list[Any]) -> Any:
        return poly(("unknown", name, orders, tuple(args)))

    def partial(self, of: Node, t: Tensor, at: Any, env: Mapping[Node, Node]) -> Any:
        raise Refused("a derivative is not evaluated here")


class Case(Normal):
    """How an expression reads where u > 0, u < 0 or u = 0."""

    def __init__(self, u: Poly, sign: int) -> None:
        self.u, self.sign = u, sign
        refs = [m for m, _ in u if [(a[0], e) for a, e in m] == [("ref", F1)]]
        self.lead = Poly({(min(refs, key=key), F1)}) if refs else ZERO  # gone where u = 0

    def of(self, x: Poly) -> int | None:
        """The sign of x = c u, None for anything else."""
        if not x:
            return 0
        c = next((dict(x).get(m, F0) / d for m, d in self.u), F0)
        return (1 if c > 0 else -1) * self.sign if c and x == self.u * c else None

    def call(self, name: str, x: Poly) -> Poly:
        sign = self.of(x) if name in ("step", "abs") else None
        if sign is None:
            return call(name, x)
        return x * sign if name == "abs" else poly(int(sign >= 0))

    def bind(self, node: Node, env: Mapping[Node, Node]) -> Poly:
        if node[0] != "max" or node[-2]:
            p: Poly = super().bind(node, env)
            return p
        kept = sorted((self.walk(x, env) for x in node[-1]), key=key)
        for p, q in combinations(tuple(kept), 2):
            if p in kept and q in kept and (sign := self.of(p - q)) is not None:
                kept.remove(q if sign >= 0 else p)
        return largest((), kept)

    def ref(self, t: Tensor, slots: Any) -> Poly:
        p = ref(t, slots)
        if self.sign or p != self.lead:
            return p
        return p - self.u * (1 / dict(self.u)[next(iter(p))[0]])


def below(env: Mapping[Node, Any], values: Iterable[Any]) -> dict[Node, Any]:
    """The environment below a binder: its indices come first, those outside move up."""
    new = dict(enumerate(values))
    return {k + len(new) if isinstance(k, int) else k: v for k, v in env.items()} | new


PLAIN = Normal()


def put(p: Poly, env: Mapping[Node, Node]) -> Poly:
    """The normal form with slots in place of letters, where they may stand there."""
    for letter, slot in env.items():
        if letter in free(p) and not (inside(slot, letter[3]) or bare(p, letter)):
            raise Refused("an index leaves the range of the letter it is put for")
    return PLAIN.walk(p, env)


def opened(atom: Node) -> tuple[list[Node], list[Poly]]:
    """Letters for the indices of a binder, and what is below it with them."""
    letters = [fresh(size) for size in atom[-2]]
    bodies = sorted(atom[-1], key=key) if atom[0] == "max" else [atom[-1]]
    return letters, [PLAIN.walk(p, dict(enumerate(map(lone, letters)))) for p in bodies]


def bare(node: Node, letter: Node) -> bool:
    """True where the letter stands alone in slots of its own length only, which wrap around."""
    if isinstance(node, tuple) and node and node[0] == "ref":
        pairs = zip(node[2], node[1].shape, strict=True)
        here = (lone(letter), letter[3])
        return all(letter not in free(s) or (s, n) == here for s, n in pairs)
    many = isinstance(node, tuple | frozenset) and letter != node
    return many and all(bare(x, letter) for x in node if letter in free(x))


def same(p: Poly, q: Poly) -> bool:
    """True when p = q by the laws, where both are defined: denominators of p − q are cleared."""
    p = p - q
    for _ in range(ROUNDS):
        worst: dict[Node, Fraction] = {}
        for a, e in (pair for m, _ in p for pair in m if pair[0][0] == "poly"):
            worst[a] = min(e, worst.get(a, F0))
        p = divided(p, F1, [(a, e) for a, e in worst.items() if e < 0])
    return not merged(chain.from_iterable(identified(m) * c for m, c in p))


def identified(mono: Node) -> Poly:
    """δ_ij f_j = δ_ij f_i for letters of one range."""
    for atom, _ in mono:
        if atom[0] == "delta" and not atom[1][1] and sorted(c for _, c in atom[1][0]) == [-1, 1]:
            kept, gone = sorted((x for x, _ in atom[1][0]), key=key)
            rest = frozenset((a, e) for a, e in mono if a != atom)
            if kept[3] == gone[3] and gone in free(rest):
                env = {gone: lone(kept)}
                p = times([poly(atom), *(PLAIN.walk(a, env) ** e for a, e in rest)])
                return merged(chain.from_iterable(identified(m) * c for m, c in p))
    return Poly({(mono, F1)})


# ------------------------------------------------------------------------------------------- Σ, max


def total(letters: Sequence[Node], p: Poly) -> Poly:
    """Σ over the letters of p, term by term."""
    return merged(chain.from_iterable(_close(list(letters), m) * c for m, c in p))


def counted(size: Poly) -> bool:
    """The size of a range is ≥ 0, or said to be."""
    return counts(size) or size in Work.ranges


def _close(letters: list[Node], mono: Node) -> Poly:
    """Σ_j 1 = n; Σ_j δ_jk f_j = f_k; Σ_j f_j Σ_k g_jk = Σ_jk f_j g_jk; independent parts apart."""
    unused = [x for x in letters if x not in free(mono) and counted(x[3])]
    if unused:
        return times(x[3] for x in unused) * _close([x for x in letters if x not in unused], mono)
    if not letters:
        return Poly({(mono, F1)})
    for atom, e in mono:
        rest = Poly({(frozenset((a, k) for a, k in mono if a != atom), F1)})
        if atom[0] == "sum" and e >= 1 and free(atom) & set(letters):
            new, (body,) = opened(atom)
            return total([*letters, *new], body * rest * poly(atom) ** (e - 1))
        for x, c in atom[1][0] if atom[0] == "delta" else ():
            there = linear((atom[1], -1 / c), (lone(x), 1))
            known = atom[2] == x[3] if atom[2] else inside(there, x[3])
            if x in letters and abs(c) == 1 and known and (inside(there, x[3]) or bare(rest, x)):
                return total([y for y in letters if y != x], put(rest, {x: there}))
        if atom[0] == "ref" and atom[1].role == "inverse" and e == 1:
            for x in [x for x in letters if x in free(atom)]:
                if (found := _inverted(letters, x, atom, mono)) is not None:
                    return found
        if atom[0] == "argmax" and (found := _selected(letters, atom, mono)) is not None:
            return found
    for x in letters:
        if (turned := _turned(x, mono)) is not None:
            return total(letters, turned)
    groups = grouped(letters, _pieces(mono))
    if len(groups) > 1:
        return times(total(ls, product(pieces)) for ls, pieces in groups)
    return _partial(letters, mono) or _named(letters, mono)


def _turned(x: Node, mono: Node) -> Poly | None:
    """Σ_j f(x_{j−1}) = Σ_j f(x_j): a slot that runs over all of its axis once, modulo its size."""
    slots = _slots(mono, x)
    if len(slots) != 1 or lone(x) in slots:
        return None
    (slot,) = slots
    y, ahead = fresh(x[3]), linear((slot, 1), (x[3], 1))
    if abs(dict(slot[0])[x]) != 1 or not inside(ahead, x[3] * 2):
        return None
    p = swapped(Poly({(mono, F1)}), slot, lone(y))
    return PLAIN.walk(p, {y: lone(x)}) if x not in free(p) and bare(p, y) else None


def _slots(node: Node, x: Node) -> set[Node]:
    """The slots of components with the letter in them."""
    if not isinstance(node, tuple | frozenset) or x not in free(node):
        return set()
    if isinstance(node, tuple) and node[0] == "ref":
        return {s for s in node[2] if x in free(s)}
    return set().union(*(_slots(part, x) for part in node))


def swapped(node: Node, old: Node, new: Node) -> Node:
    """The node with one part in place of another, wherever it stands."""
    if node == old:
        return new
    if isinstance(node, tuple | frozenset) and not isinstance(node, Poly):
        return type(node)(swapped(part, old, new) for part in node)
    return Poly(swapped(part, old, new) for part in node) if isinstance(node, Poly) else node


def _pieces(mono: Node) -> list[tuple[Node, Fraction]]:
    """The factors, e^{p + q} as e^p and e^q."""
    split = []
    for a, e in mono:
        exponent = a[2] if a[:2] == EXP else ()
        split += [((*EXP, Poly({(t, c * e)})), F1) for t, c in exponent] or [(a, e)]
    return split


def grouped(letters: Sequence[Node], pieces: Iterable[Any]) -> list[tuple[list[Node], list[Any]]]:
    """What shares letters together; what has none of them is a group of its own, the first."""
    groups: list[tuple[set[Node], list[Any]]] = [(set(), [])]
    for piece in sorted(pieces, key=key):
        touched, members = free(piece[0]) & set(letters), [piece]
        for g in [g for g in groups if g[0] & touched or not g[0] | touched]:
            touched, members = touched | g[0], g[1] + members
            groups.remove(g)
        groups.insert(len(groups) if touched else 0, (set(touched), members))
    loose = [x for x in letters if not any(x in g for g, _ in groups)]
    groups += [({x}, []) for x in loose]
    return [([x for x in letters if x in g], members) for g, members in groups if g or members]


def _inverted(letters: list[Node], x: Node, atom: Node, mono: Node) -> Poly | None:
    """Σ_j M_ij M⁻¹_jk = δ_ik and Σ_j M⁻¹_ij M_jk = δ_ik."""
    others = [(a, e) for a, e in mono if x in free(a) and a != atom]
    matrix: Node = others[0][0] if len(others) == 1 and others[0][1] == 1 else ()
    here = lone(x)
    if matrix[:2] != ("ref", atom[1].all[atom[1].of[0]]):
        return None
    places = [[k for k, s in enumerate(a[2]) if x in free(s)] for a in (atom, matrix)]
    if any(len(k) != 1 or a[2][k[0]] != here for k, a in zip(places, (atom, matrix), strict=True)):
        return None
    crossed, symmetry = places[0] != places[1], atom[1].symmetry or matrix[1].symmetry
    if not crossed and not symmetry:
        return None
    ends = [a[2][1 - k[0]] for k, a in zip(places, (atom, matrix), strict=True)]
    modulus = () if all(map(is_lone, ends)) else (x[3],)
    gap = delta(linear((ends[0], 1), (ends[1], -1)), *modulus)
    rest = Poly({(frozenset(p for p in mono if p[0] not in (atom, matrix)), F1)})
    sign = -1 if not crossed and symmetry == "antisymmetric" else 1
    return total([y for y in letters if y != x], gap * rest) * sign


def _selected(letters: list[Node], atom: Node, mono: Node) -> Poly | None:
    """Σ_j [j = argmax_k x_k] = 1 and Σ_j [j = argmax_k x_k] x_j = max_k x_k."""
    at = [x for s in atom[1] for x in free(s) if s == lone(x) and x in letters]
    if len(set(at)) < len(atom[1]) or set(at) & free(atom[-1]):
        return None
    if not all(counts(x[3] - 1) for x in at):
        return None  # a range that may be empty
    rest = [(a, e) for a, e in mono if a != atom]
    here, there = ([p for p in rest if bool(free(p[0]) & set(at)) == t] for t in (True, False))
    body = PLAIN.walk(atom[-1], {k: lone(x) for k, x in enumerate(at)})
    if here and body != product(here):
        return None
    new, (again,) = opened(atom)
    value = largest(new, [again]) if here else ONE
    return total([x for x in letters if x not in at], value * product(there))


def _partial(letters: list[Node], mono: Node) -> Poly | None:
    """Σ_i f_i Z_i^{-1} Σ_j z_ij = Σ_i f_i for Z_i = Σ_j z_ij."""
    pieces = _pieces(mono)
    for z in sorted({a for a, e in mono if a[0] == "sum" and e < 0}, key=key):
        for inner in combinations([x for x in letters if x not in free(z)], len(z[1])):
            part = total(inner, product(p for p in pieces if free(p[0]) & set(inner)))
            rest = product(p for p in pieces if not free(p[0]) & set(inner))
            if len(part) == 1 and any(a == z and e > 0 for m, _ in part for a, e in m):
                return total([x for x in letters if x not in inner], part * rest)
    return None


def _named(letters: list[Node], mono: Node) -> Poly:
    """A connected sum with the least text of all its orders; 0 where one changes its sign."""
    found: dict[str, set[Any]] = {}
    for order, p in orders(letters, Poly({(mono, F1)})):
        for m, c in p:
            atom = ("sum", tuple(x[3] for x in order), Poly({(m, F1)}))
            found.setdefault(key(atom), set()).add((atom, c))
    both = found[min(found)] if found else set()
    return poly(next(iter(both))[0]) * next(iter(both))[1] if len(both) == 1 else ZERO


def orders(letters: Sequence[Node], p: Poly) -> Iterator[tuple[Sequence[Node], Poly]]:
    """The orders of bound letters that their places leave open, and p with the letters bound."""
    colours, known = {x: key(x[3]) for x in letters}, 0
    while len(set(colours.values())) > known:
        known, old = len(set(colours.values())), dict(colours)
        rank = {c: f"#{k:03d}" for k, c in enumerate(sorted(set(old.values())))}
        marks = {x: rank[c] for x, c in old.items()}
        colours = {x: marks[x] + key(p, {**marks, x: "*"}) for x in letters}
    ties = [[x for x in letters if colours[x] == c] for c in sorted(set(colours.values()))]
    if prod(map(factorial, map(len, ties))) > ORDERS:
        raise Refused("a sum is too symmetric")
    for order in tuples(*map(permutations, ties)):
        flat = list(chain.from_iterable(order))
        new = [fresh(x[3]) for x in flat] if len(flat) > 1 else flat
        q = PLAIN.walk(p, dict(zip(flat, map(lone, new), strict=True))) if len(flat) > 1 else p
        yield flat, seal(q, {x: k for k, x in enumerate(new)})


def largest(letters: Sequence[Node], args: Iterable[Poly]) -> Poly:
    """max: nested ones opened, what is dominated left out, the least common summand, the factor."""
    todo, done = [(list(letters), p) for p in args], set[Poly]()
    while todo:
        ls, p = todo.pop()
        spots = ((m, c, a) for m, c in sorted(p, key=key) for a, e in m if a[0] == "max" and e == 1)
        for m, c, a in spots:
            rest = frozenset(m - {(a, F1)})
            if c > 0 and sign_of(rest) and len(todo) + len(done) < 64:
                (new, bodies), factor = opened(a), Poly({(rest, c)})
                todo += [([*ls, *new], p + factor * (q - poly(a))) for q in bodies]
                break
        else:
            done.add(_over(ls, p))
    kept = sorted(done, key=key)
    for p in list(kept):
        if any(q != p and sign(q - p) for q in kept):
            kept.remove(p)
    if len(kept) == 1:
        return kept[0]
    every = [dict(p) for p in kept]
    shift = {t: min(p.get(t, F0) for p in every) for p in every for t in p}
    low = Poly((t, c) for t, c in shift.items() if c)
    c, mono = content(chain.from_iterable(p - low for p in kept), signed=False)
    if not low and c == 1 and not mono:
        return poly(("max", (), frozenset(kept)))
    return low + Poly({(mono, c)}) * largest((), [divided(p - low, c, mono) for p in kept])


def _over(letters: list[Node], p: Poly) -> Poly:
    """max_jk(c + x_j + y_k) = c + max_j x_j + max_k y_k and max_j c x_j = c max_j x_j for c ≥ 0."""
    found = ZERO
    for ls, terms in grouped([x for x in letters if x in free(p)], p):
        body = Poly(terms)
        c, mono = content(terms, signed=False, apart=ls)
        if not ls:
            found = found + body
        elif c != 1 or mono:
            found = found + Poly({(mono, c)}) * _over(ls, divided(body, c, mono))
        elif body == _pair(body):
            found = found + 1
        else:
            named = ((tuple(x[3] for x in o), frozenset({q})) for o, q in orders(ls, body))
            found = found + poly(("max", *min(named, key=key)))
    return found


def _pair(p: Poly) -> Poly | None:
    """δ_ij of the letters in p, where these have one range: max_j δ_ij = 1."""
    slots = [a[1] for m, _ in p for a, _ in m if a[0] == "delta"]
    ends = sorted((x for x, _ in slots[0][0]), key=key) if len(slots) == 1 else []
    if len(ends) != 2 or ends[0][3] != ends[1][3]:
        return None
    return delta(linear((lone(ends[0]), 1), (lone(ends[1]), -1)))


def argmax(at: Sequence[Node], letters: Sequence[Node], p: Poly) -> Poly:
    """[at = argmax p]: what touches no bound letter, and a factor > 0, make no difference."""
    p = Poly((m, c) for m, c in p if free(m) & set(letters))
    c, mono = content(p, signed=False, apart=letters, least=2) if p else (F1, frozenset())
    if c != 1 or mono:
        return argmax(at, letters, divided(p, c, mono))
    slots = dict(zip(letters, at, strict=True))
    named = ((tuple(slots[x] for x in o), tuple(x[3] for x in o), q) for o, q in orders(letters, p))
    return poly(("argmax", *min(named, key=key)))
