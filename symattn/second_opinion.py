"""A second opinion on a certificate: every step done again by other means, nothing of it believed.

The checker reads plain JSON and shares no module with the engine.  Letters under a Σ are de Bruijn
indices, so expressions that differ in their letters only are the same value; an opened letter is
one that occurs nowhere else.  A step is re-derived when both sides have one normal form by the laws
below, and evaluated by loops over small sizes: in fractions, or to 60 digits where functions occur.

    Poly  frozenset of (Mono, coefficient)      Mono  frozenset of (Atom, exponent)
    Atom  ("ref", T, slots) ("delta", slot, modulus) ("mask", slot) ("call", f, Poly) ("poly", Poly)
          ("num", prime) ("sum", sizes, Poly) ("max", sizes, Polys) ("argmax", slots, sizes, Poly)
    slot  (frozenset of (letter, coefficient), constant)     letter  ("i", order, name, size) or int
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import chain, combinations, count, islice, permutations
from itertools import product as tuples
from math import factorial, floor, gcd, lcm, prod
from random import Random
from typing import Any, TypeAlias

import mpmath

Node: TypeAlias = Any  # a Mono, Atom, slot or letter: nested tuples and frozensets
Tree: TypeAlias = Any  # JSON
TERMS, ORDERS, POWERS, ROUNDS, DIGITS = 20_000, 720, 64, 4, 60
F0, F1 = Fraction(0), Fraction(1)
FIXED = ("delta", "mask", "argmax")  # 0 or 1

class Refused(Exception):
    """What the checker does not accept, in words."""

@dataclass(frozen=True, eq=False)
class Tensor:
    """What the certificate declares of a name."""
    name: str
    shape: tuple[Node, ...] = ()
    positive: bool = False
    symmetry: str = ""
    role: str = ""
    of: tuple[str, ...] = ()
    all: dict[str, Tensor] = field(default_factory=dict)  # every tensor of the certificate

class Poly(frozenset[Any]):
    """Σ coefficient · Mono, multiplied out."""
    __slots__ = ()
    def __add__(self, other: Any) -> Poly:
        return merged(chain(self, poly(other)))
    def __neg__(self) -> Poly:
        return Poly((m, -c) for m, c in self)
    def __sub__(self, other: Any) -> Poly:  # type: ignore[override]
        return self + -poly(other)
    def __mul__(self, other: Any) -> Poly:
        if not isinstance(other, Poly):
            return Poly((m, c * other) for m, c in self) if other else ZERO
        if len(self) * len(other) > TERMS:
            raise Refused("an expression is too large")
        parts = [product(chain(m, n)) * (c * d) for m, c in self for n, d in other]
        return merged(chain.from_iterable(parts))
    def __pow__(self, e: Any) -> Poly:
        return power(self, Fraction(e))

def merged(pairs: Iterable[tuple[Node, Fraction]]) -> Poly:
    """Σ c·m with like terms merged."""
    found: dict[Node, Fraction] = {}
    for m, c in pairs:
        found[m] = found.get(m, F0) + c
    return Poly((m, c) for m, c in found.items() if c)

def poly(x: Any) -> Poly:
    """A number or an atom as an expression."""
    if isinstance(x, tuple):
        return Poly({(frozenset({(x, F1)}), F1)})
    return x if isinstance(x, Poly) else Poly({(frozenset(), Fraction(x))} if x else ())

ZERO, ONE = Poly(), poly(1)
PI = Tensor("pi", positive=True)

# ------------------------------------------------------------------------- letters, keys, binding

_order = count(1)

def fresh(size: Poly) -> Node:
    """A letter that occurs nowhere; what is opened later is ordered later."""
    return ("i", next(_order), "", size)

def lone(letter: Node) -> Node:
    """The slot that is a letter."""
    return (frozenset({(letter, F1)}), ZERO)

def key(node: Node, names: Mapping[Node, str] | None = None) -> str:
    """The content of a node as text, the same in every run up to the order of opened letters."""
    if names and isinstance(node, tuple) and node in names:
        return names[node]
    match node:
        case frozenset():
            return "{" + ",".join(sorted(key(x, names) for x in node)) + "}"
        case ("i", order, name, _):
            return f"i{order:09d}{name}"
        case ("ref", Tensor(symmetry=str(symmetry)), slots) if names and symmetry:
            return node[1].name + str(sorted(key(x, names) for x in slots))
        case tuple():
            return "(" + ",".join([key(x, names) for x in node]) + ")"
        case Tensor():
            return node.name
    return str(node)

@lru_cache(1 << 16)
def free(node: Node) -> frozenset[Node]:
    """The letters that occur free."""
    if isinstance(node, tuple) and node and node[0] == "i":
        return frozenset({node})
    many = isinstance(node, tuple | frozenset)
    return frozenset().union(*map(free, node)) if many else frozenset()

def seal(node: Node, names: Mapping[Node, int], depth: int = 0) -> Node:
    """The node with letters bound: letter k is the index depth + k below `depth` more indices."""
    if isinstance(node, frozenset):
        return type(node)(seal(x, names, depth) for x in node)
    if not isinstance(node, tuple) or not node:
        return node
    if node[0] == "i":
        return names[node] + depth if node in names else node
    below = depth + len(node[-2]) if node[0] in ("sum", "max", "argmax") else depth
    return (*(seal(x, names, depth) for x in node[:-1]), seal(node[-1], names, below))

def put(p: Poly, env: Mapping[Node, Node]) -> Poly:
    """The normal form with slots in place of letters, where they may stand there."""
    for letter, slot in env.items():
        if letter in free(p) and not (inside(slot, letter[3]) or bare(p, letter)):
            raise Refused("an index leaves the range of the letter it is put for")
    return _put(p, env)

def _put(node: Node, env: Mapping[Node, Node]) -> Poly:
    match node:
        case Poly():
            parts = (times(_put(a, env) ** e for a, e in m) * c for m, c in node)
            return merged(chain.from_iterable(parts))
        case ("ref", t, slots):
            return ref(t, [moved(s, env) for s in slots])
        case ("delta", slot, modulus):
            return delta(moved(slot, env), modulus)
        case ("mask", slot):
            return mask(moved(slot, env))
        case ("call", name, x):
            return call(name, _put(x, env))
        case ("unknown", name, orders, args):
            return poly(("unknown", name, orders, tuple(_put(x, env) for x in args)))
        case ("poly", x):
            return _put(x, env)
        case ("num", _):
            return poly(node)
    letters = [fresh(size) for size in node[-2]]
    deeper = {k + len(letters) if isinstance(k, int) else k: s for k, s in env.items()}
    deeper.update((k, lone(letter)) for k, letter in enumerate(letters))
    if node[0] == "max":
        return largest(letters, [_put(x, deeper) for x in node[-1]])
    body = _put(node[-1], deeper)
    if node[0] == "sum":
        return total(letters, body)
    return argmax([moved(s, env) for s in node[1]], letters, body)

def opened(atom: Node) -> tuple[list[Node], list[Poly]]:
    """Letters for the indices of a binder, and what is below it with them."""
    letters = [fresh(size) for size in atom[-2]]
    env = {k: lone(letter) for k, letter in enumerate(letters)}
    bodies = sorted(atom[-1], key=key) if atom[0] == "max" else [atom[-1]]
    return letters, [_put(p, env) for p in bodies]

def moved(slot: Node, env: Mapping[Node, Node]) -> Node:
    """Σ c·letter + constant with slots in place of letters."""
    return linear([*((env.get(x, lone(x)), c) for x, c in slot[0]), ((frozenset(), slot[1]), F1)])

def linear(parts: Iterable[tuple[Node, Fraction]]) -> Node:
    """Σ coefficient · slot."""
    items: dict[Node, Fraction] = {}
    const = ZERO
    for (letters, shift), c in parts:
        const = const + shift * c
        for letter, d in letters:
            items[letter] = items.get(letter, F0) + c * d
    return frozenset((x, c) for x, c in items.items() if c), const

def bare(node: Node, letter: Node) -> bool:
    """True where the letter stands alone in slots of its own length only, which wrap around."""
    if isinstance(node, tuple) and node and node[0] == "ref":
        pairs = zip(node[2], node[1].shape, strict=True)
        return all(letter not in free(s) or s == lone(letter) and n == letter[3] for s, n in pairs)
    many = isinstance(node, tuple | frozenset) and letter != node
    return many and all(bare(x, letter) for x in node if letter in free(x))

# ------------------------------------------------------------------------------- ranges and signs

@lru_cache(1 << 12)
def counts(size: Poly) -> bool:
    """True where a polynomial of sizes is ≥ 0 for all sizes: no coefficient < 0 in n − 1, m − 1."""
    up = ZERO
    for mono, c in size:
        if any(a[0] != "ref" or a[1].role != "size" or e < 0 or e % 1 for a, e in mono):
            return False
        up = up + times((poly(a) + 1) ** e for a, e in mono) * c
    return all(c > 0 for _, c in up)

def ends(slot: Node) -> tuple[Poly, Poly]:
    """The least and the greatest value of a slot."""
    tops = [((x[3] - 1) * c, c < 0) for x, c in slot[0]]
    low, high = (sum((t for t, neg in tops if neg == down), slot[1]) for down in (True, False))
    return low, high

def inside(slot: Node, size: Poly) -> bool:
    """0 ≤ slot < size for all sizes."""
    return counts(ends(slot)[0]) and counts(size - ends(slot)[1] - 1)

@lru_cache(1 << 16)
def sign(node: Node) -> int:
    """2 where an expression is > 0, 1 where it is ≥ 0, 0 where that is not known."""
    match node:
        case Poly():
            signs = [sign_of(m) if c > 0 else 0 for m, c in node]
            return max(signs) if signs and min(signs) else 0
        case ("ref", t, _):
            return 2 if t.positive else 0
        case ("call", name, _):
            return SIGNS.get(name, 0)
        case ("poly", x):
            return sign(x)
        case ("max", _, args):
            return max(sign(x) or int(x == ZERO) for x in args)
        case ("sum", sizes, body):
            return min(sign(body), 2 if all(counts(n - 1) for n in sizes) else 1)
    return 2 if node[0] == "num" else 1

def sign_of(mono: Node) -> int:
    """The sign of a product; x^e ≥ 0 for e even, and for a root."""
    pairs = ((sign(a), e) for a, e in mono)
    return min((max(s, 1) if e.denominator > 1 or e % 2 == 0 else s for s, e in pairs), default=2)

# ------------------------------------------------------------------------------ products, powers

def times(polys: Iterable[Poly]) -> Poly:
    """p·q·…"""
    return reduce(Poly.__mul__, polys, ONE)

def product(factors: Iterable[tuple[Node, Fraction]]) -> Poly:
    """Π atom ** e: exponents add, e^p e^q = e^{p+q}, e^{c log x} = x^c, sin² = 1 − cos²."""
    powers: dict[Node, Fraction] = {}
    for atom, e in factors:
        powers[atom] = powers.get(atom, F0) + e
    exponent, spread, number = ZERO, [], F1
    for atom, e in list(powers.items()):
        whole = floor(e)
        match atom:
            case ("delta" | "mask" | "argmax", *_):
                if e < 0:
                    raise Refused("a division by a factor that is 0 for some indices")
                powers[atom] = min(e, F1)
            case ("num", prime):
                number, powers[atom] = number * prime**whole, e - whole
            case ("call", "exp", x):
                exponent, powers[atom] = exponent + x * e, F0
            case ("call", "sin", x) if e >= 2:
                spread.append((ONE - call("cos", x) ** 2) ** (whole // 2))
                powers[atom] = e - whole // 2 * 2
            case ("poly", x) if e >= 1:
                spread.append(x**whole)
                powers[atom] = e - whole
    logs = {m: next(iter(m))[0][2] for m, _ in exponent if [(a[:2], e) for a, e in m] == LOG}
    spread += [logs[m] ** c for m, c in exponent if m in logs]
    if len(logs) < len(exponent):
        powers["call", "exp", Poly((m, c) for m, c in exponent if m not in logs)] = F1
    mono = frozenset((a, e) for a, e in powers.items() if e)
    return reduce(Poly.__mul__, spread, _identified(mono) * number)

LOG = [(("call", "log"), F1)]

def _identified(mono: Node) -> Poly:
    """δ_ij f_j = δ_ij f_i for letters of one range."""
    for atom, _ in mono:
        if atom[0] == "delta" and not atom[1][1] and sorted(c for _, c in atom[1][0]) == [-1, 1]:
            kept, gone = sorted((x for x, _ in atom[1][0]), key=key)
            rest = frozenset((a, e) for a, e in mono if a != atom)
            if kept[3] == gone[3] and gone in free(rest):
                env = {gone: lone(kept)}
                return poly(atom) * times(_put(a, env) ** e for a, e in rest)
    return Poly({(mono, F1)})

def power(p: Poly, e: Fraction) -> Poly:
    """p ** e: (x^a)^b = x^{ab} for b an integer or x ≥ 0; a sum keeps its primitive part."""
    if e in (0, 1) or p == ONE:
        return p if e else ONE
    if not p and e < 0:
        raise Refused("a division by 0")
    if len(p) < 2:
        return _mono_power(*next(iter(p)), e) if p else ZERO
    if e > 0 and e.denominator == 1:
        if e > POWERS:
            raise Refused("a power is too large")
        return times([p] * int(e))
    c, mono = content(p, signed=e.denominator == 1)
    rest = divided(p, c, mono)
    last = Poly({(frozenset({(("poly", rest), e)}), F1)}) if len(rest) > 1 else rest**e
    return _mono_power(mono, c, e) * last

def _mono_power(mono: Node, c: Fraction, e: Fraction) -> Poly:
    if e.denominator == 1:
        return product((a, k * e) for a, k in mono) * c**e
    out = {(a, k) for a, k in mono if k.denominator > 1 or sign(a)}
    rest = frozenset(mono - out)
    if not rest and c < 0:
        raise Refused("a root of a negative number")
    numbers = [(("num", p), k * e) for p, k in primes(abs(c)).items()]
    head = product([*numbers, *((a, k * e) for a, k in out)])
    if rest and c > 0 and all(k % 2 == 0 for _, k in rest):  # √(x²y²) = |x| |y|
        return head * product((("poly", poly(a) ** 2), k / 2 * e) for a, k in rest)
    return head * product([(("poly", Poly({(rest, F1 if c > 0 else -F1)})), e)] if rest else [])

def primes(c: Fraction) -> dict[Fraction, Fraction]:
    """The prime factors of a positive number; a large factor counts as one."""
    found: dict[Fraction, Fraction] = {}
    for whole, step in ((c.numerator, 1), (c.denominator, -1)):
        p = 2
        while whole > 1:
            p = p if p * p <= whole and p < 10_000 else whole
            while whole % p == 0:
                found[Fraction(p)] = found.get(Fraction(p), F0) + step
                whole //= p
            p += 1
    return found

def content(
    terms: Iterable[tuple[Node, Fraction]], signed: bool, apart: Iterable[Node] = (), least: int = 1
) -> tuple[Fraction, Node]:
    """The greatest common factor c·m; unless `signed`, it is ≥ 0, or > 0 where `least` is 2."""
    terms, avoid = sorted(terms, key=key), frozenset(apart)
    c = Fraction(gcd(*(d.numerator for _, d in terms)), lcm(*(d.denominator for _, d in terms)))
    powers = [dict(m) for m, _ in terms]
    common: dict[Node, Fraction] = {}
    for atom in {a for m in powers for a in m if a[0] not in FIXED and a[:2] != ("call", "exp")}:
        low = min(m.get(atom, F0) for m in powers)
        if signed or sign(atom) >= least or low.denominator > 1 == least:
            common[atom] = F0 if avoid & free(atom) else low
    inner = [dict(next((a[2] for a in m if a[:2] == ("call", "exp")), ())) for m in powers]
    shared = {t: min(x.get(t, F0) for x in inner) for x in inner for t in x if not avoid & free(t)}
    if any(shared.values()):
        common["call", "exp", Poly((t, d) for t, d in shared.items() if d)] = F1
    mono = frozenset((a, e) for a, e in common.items() if e)
    return (-c if signed and terms[0][1] < 0 else c), mono

def divided(p: Poly, c: Fraction, mono: Node) -> Poly:
    """p / (c·m), exponents added before anything is multiplied out."""
    parts = (product([*m, *((a, -e) for a, e in mono)]) * (d / c) for m, d in p)
    return merged(chain.from_iterable(parts))

def same(p: Poly, q: Poly) -> bool:
    """True when p = q by the laws, where both are defined: denominators of p − q are cleared."""
    p = p - q
    for _ in range(ROUNDS):
        worst: dict[Node, Fraction] = {}
        for a, e in (pair for m, _ in p for pair in m if pair[0][0] == "poly"):
            worst[a] = min(e, worst.get(a, F0))
        p = divided(p, F1, [(a, e) for a, e in worst.items() if e < 0])
    return not p

# ---------------------------------------------------------------------------- atoms other than Σ

def ref(t: Tensor, slots: Sequence[Node]) -> Poly:
    """A component; the slots of an (anti)symmetric tensor in order, with the sign of the order."""
    order = list(range(len(slots)))
    if t.symmetry:
        order.sort(key=lambda k: key(slots[k]))
    atom = poly(("ref", t, tuple(slots[k] for k in order)))
    if t.symmetry != "antisymmetric":
        return atom
    return atom * parity(order) if len(set(slots)) == len(slots) else ZERO

def parity(order: Sequence[int]) -> int:
    """The sign of a permutation."""
    return prod(-1 if x > y else 1 for x, y in combinations(order, 2))

def delta(slot: Node, modulus: Poly = ZERO) -> Poly:
    """[slot = 0], modulo a size where one is given."""
    if not slot[0] and not slot[1]:
        return ONE
    if not slot[0] and not modulus and (counts(slot[1] - 1) or counts(-slot[1] - 1)):
        return ZERO
    low = min(slot[0], key=lambda x: key(x[0]), default=(None, F1))
    return poly(("delta", slot if low[1] > 0 else linear([(slot, -F1)]), modulus))

def mask(slot: Node) -> Poly:
    """[slot ≥ 0]; 1 or 0 where the ranges decide it."""
    low, high = ends(slot)
    return ONE if counts(low) else ZERO if counts(-high - 1) else poly(("mask", slot))

def call(name: str, x: Poly) -> Poly:
    """f(x): even and odd functions take the sign out, log splits over what is positive."""
    if name == "exp":
        return product([(("call", "exp", x), F1)]) if x else ONE
    if name == "log":
        return _log(x)
    if name not in SLOPES:
        raise Refused(f"the function {name} is not known")
    side = PARITY.get(name, 0)
    if side and x and min(x, key=lambda t: key(t[0]))[1] < 0:
        return poly(("call", name, -x)) * side
    return poly(AT_ZERO[name]) if not x and name in AT_ZERO else poly(("call", name, x))

def _log(p: Poly) -> Poly:
    if not p:
        raise Refused("the logarithm of 0")
    c, mono = content(p, signed=False)
    rest = divided(p, c, mono)
    good = {(a, e) for a, e in mono if sign(a) == 2}
    dets = {(a, e) for a, e in mono - good if a[0] == "ref" and a[1].role == "det"}
    if mono == dets and c == 1 and rest == ONE:
        good = dets
    inner = Poly({(frozenset(mono - good), F1)}) * rest
    found = poly(("call", "log", inner)) if inner != ONE else ZERO
    numbers = [(("num", n), k) for n, k in primes(c).items()]
    for atom, e in chain(good, numbers):
        log = atom[2] if atom[:2] == ("call", "exp") else None
        if atom[0] == "ref" and atom[1].role == "det":
            log = poly(("ref", atom[1].all[f"logdet({atom[1].of[0]})"], ()))
        base = atom[1] if atom[0] == "poly" else poly(atom[1] if atom[0] == "num" else atom)
        found = found + (poly(("call", "log", base)) if log is None else log) * e
    return found

HALF = Fraction(1, 2)
SIGNS = {"exp": 2, "sigmoid": 2, "softplus": 2, "cosh": 2, "step": 1, "acos": 1}
PARITY = dict.fromkeys(("sin", "tan", "sinh", "tanh", "erf", "asin", "atan"), -1)
AT_ZERO = {**dict.fromkeys(PARITY, 0), "cos": 1, "cosh": 1, "sigmoid": HALF, "step": 1}
PARITY |= {"cos": 1, "cosh": 1}
SLOPES: dict[str, Callable[[Poly], Poly]] = {
    "exp": lambda x: call("exp", x),
    "log": lambda x: x**-1,
    "sin": lambda x: call("cos", x),
    "cos": lambda x: -call("sin", x),
    "tan": lambda x: call("tan", x) ** 2 + 1,
    "sinh": lambda x: call("cosh", x),
    "cosh": lambda x: call("sinh", x),
    "tanh": lambda x: ONE - call("tanh", x) ** 2,
    "sigmoid": lambda x: call("sigmoid", x) - call("sigmoid", x) ** 2,
    "softplus": lambda x: call("sigmoid", x),
    "erf": lambda x: call("exp", -(x**2)) * poly(("ref", PI, ())) ** -HALF * 2,
    "step": lambda x: ZERO,
    "asin": lambda x: (ONE - x**2) ** -HALF,
    "acos": lambda x: -((ONE - x**2) ** -HALF),
    "atan": lambda x: (x**2 + 1) ** -1,
}
PLAINER: dict[str, Callable[[Poly], Poly]] = {
    "tan": lambda x: call("sin", x) * call("cos", x) ** -1,
    "sinh": lambda x: (call("exp", x) - call("exp", -x)) * HALF,
    "cosh": lambda x: (call("exp", x) + call("exp", -x)) * HALF,
    "tanh": lambda x: (call("exp", x * 2) - 1) * (call("exp", x * 2) + 1) ** -1,
    "sigmoid": lambda x: (call("exp", -x) + 1) ** -1,
    "softplus": lambda x: call("log", call("exp", x) + 1),
}

# ------------------------------------------------------------------------------------------- Σ, max

def total(letters: Sequence[Node], p: Poly) -> Poly:
    """Σ over the letters of p, term by term."""
    return merged(chain.from_iterable(_close(list(letters), m) * c for m, c in p))

def _close(letters: list[Node], mono: Node) -> Poly:
    """Σ_j 1 = n; Σ_j δ_jk f_j = f_k; Σ_j f_j Σ_k g_jk = Σ_jk f_j g_jk; what shares no index apart."""
    unused = [x for x in letters if x not in free(mono) and counts(x[3])]
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
            there = linear([(atom[1], -1 / c), (lone(x), F1)])
            known = atom[2] == x[3] if atom[2] else inside(there, x[3])
            if x in letters and abs(c) == 1 and known and (inside(there, x[3]) or bare(rest, x)):
                return total([y for y in letters if y != x], put(rest, {x: there}))
        if atom[0] == "ref" and atom[1].role == "inverse" and e == 1:
            for x in [x for x in letters if x in free(atom)]:
                if (found := _inverted(letters, x, atom, mono)) is not None:
                    return found
        if atom[0] == "argmax" and (found := _selected(letters, atom, mono)) is not None:
            return found
    groups = grouped(letters, _pieces(mono))
    if len(groups) > 1:
        return times(total(ls, product(pieces)) for ls, pieces in groups)
    return _partial(letters, mono) or _named(letters, mono)

def _pieces(mono: Node) -> list[tuple[Node, Fraction]]:
    """The factors, e^{p + q} as e^p and e^q."""
    split = []
    for a, e in mono:
        parts = [(("call", "exp", Poly({(t, c * e)})), F1) for t, c in a[2]] if a[:2] == EXP else []
        split += parts or [(a, e)]
    return split

EXP = ("call", "exp")

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
    if len(others) != 1 or others[0][1] != 1 or others[0][0][:2] != ("ref", atom[1].all[atom[1].of[0]]):
        return None
    matrix, here = others[0][0], lone(x)
    places = [[k for k, s in enumerate(a[2]) if x in free(s)] for a in (atom, matrix)]
    if any(len(k) != 1 or a[2][k[0]] != here for k, a in zip(places, (atom, matrix), strict=True)):
        return None
    crossed, symmetry = places[0] != places[1], matrix[1].symmetry
    if not crossed and not symmetry:
        return None
    ends = [a[2][1 - k[0]] for k, a in zip(places, (atom, matrix), strict=True)]
    modulus = () if all(map(is_lone, ends)) else (x[3],)
    gap = delta(linear([(ends[0], F1), (ends[1], -F1)]), *modulus)
    rest = Poly({(frozenset(p for p in mono if p[0] not in (atom, matrix)), F1)})
    sign = -1 if not crossed and symmetry == "antisymmetric" else 1
    return total([y for y in letters if y != x], gap * rest) * sign

def _selected(letters: list[Node], atom: Node, mono: Node) -> Poly | None:
    """Σ_j [j = argmax_k x_k] = 1 and Σ_j [j = argmax_k x_k] x_j = max_k x_k."""
    at = [x for s in atom[1] for x in free(s) if s == lone(x) and x in letters]
    if len(set(at)) < len(atom[1]) or set(at) & free(atom[-1]) or not all(counts(x[3] - 1) for x in at):
        return None
    here, there = ([(a, e) for a, e in mono if a != atom and bool(free(a) & set(at)) == t] for t in (1, 0))
    body = _put(atom[-1], {k: lone(x) for k, x in enumerate(at)})
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
    """A connected sum with its least text over all orders of its indices; 0 where a sign changes."""
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
        q = _put(p, dict(zip(flat, map(lone, new), strict=True))) if len(flat) > 1 else p
        yield flat, seal(q, {x: k for k, x in enumerate(new)})

def largest(letters: Sequence[Node], args: Iterable[Poly]) -> Poly:
    """max: nested ones opened, what is dominated left out, the least common summand, the factor."""
    todo, done = [(list(letters), p) for p in args], set()
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
        else:
            named = ((tuple(x[3] for x in o), frozenset({q})) for o, q in orders(ls, body))
            found = found + poly(("max", *min(named, key=key)))
    return found

def argmax(at: Sequence[Node], letters: Sequence[Node], p: Poly) -> Poly:
    """[at = argmax p]: what touches no bound letter, and a factor > 0, make no difference."""
    p = Poly((m, c) for m, c in p if free(m) & set(letters))
    c, mono = content(p, signed=False, apart=letters, least=2) if p else (F1, frozenset())
    if c != 1 or mono:
        return argmax(at, letters, divided(p, c, mono))
    slots = dict(zip(letters, at, strict=True))
    named = ((tuple(slots[x] for x in o), tuple(x[3] for x in o), q) for o, q in orders(letters, p))
    return poly(("argmax", *min(named, key=key)))

# --------------------------------------------------------------------------------- derivatives

def diff(p: Poly, leaf: Callable[[Node], Poly], last: bool = True) -> Poly:
    """The derivative of p, `leaf` giving that of a component; of equal maxima the `last` counts."""
    found = ZERO
    for m, c in p:
        for a, e in m:
            inner = _slope(a, leaf, last)
            if inner:
                found = found + inner * product([*(m - {(a, e)}), (a, e - 1)]) * (c * e)
    return found

def _slope(atom: Node, leaf: Callable[[Node], Poly], last: bool) -> Poly:
    match atom:
        case ("ref", *_):
            return leaf(atom)
        case ("call", name, x):
            inner = diff(x, leaf, last)
            return SLOPES[name](x) * inner if inner else ZERO
        case ("poly", x):
            return diff(x, leaf, last)
        case ("unknown", name, orders, args):
            found = ZERO
            for k, x in enumerate(args):
                raised = tuple(o + (n == k) for n, o in enumerate(orders))
                found = found + poly(("unknown", name, raised, args)) * diff(x, leaf, last)
            return found
        case ("sum", *_):
            letters, (body,) = opened(atom)
            return total(letters, diff(body, leaf, last))
        case ("max", (), args):
            (top, slope), *others = [(x, diff(x, leaf, last)) for x in sorted(args, key=key, reverse=last)]
            for x, s in others:
                slope = slope + call("step", x - top) * (s - slope)
                top = largest((), [top, x])
            return slope
        case ("max", *_):
            (letters, (body,)), (new, (other,)) = opened(atom), opened(atom)
            return total(letters, argmax([lone(x) for x in letters], new, other) * diff(body, leaf, last))
    return ZERO

# ------------------------------------------------------------------------------- reading JSON

BINDERS = ("sum", "max", "argmax")
Scope: TypeAlias = Mapping[str, Node]

def nameless(tree: Tree, bound: tuple[str, ...] = ()) -> Node:
    """A tree with de Bruijn indices for its bound letters, which begin with @."""
    if isinstance(tree, str):
        return bound.index(tree) if tree in bound else tree
    if not isinstance(tree, list):
        raise Refused(f"no tree: {tree!r}")
    if tree and tree[0] in BINDERS:
        letters = (*(letter for letter, _ in tree[-2]), *bound)
        sizes = tuple(nameless(size) for _, size in tree[-2])
        return (*(nameless(x, bound) for x in tree[:-2]), sizes, nameless(tree[-1], letters))
    return tuple(nameless(x, bound) for x in tree)

class Reader:
    """Normal forms of the trees of a certificate, by what it declares."""

    def __init__(self, data: Tree) -> None:
        self.kept: frozenset[str] | None = None  # definitions not to open; None: open none
        self.needs: set[str] = set()  # where what was read is defined, factor by factor
        self.bases: set[tuple[str, Poly]] = set()  # the same as it was written
        self.last = True  # which of equal maxima counts in derivatives
        self.sizes = list(data["sizes"])
        self.tensors = {n: Tensor(n, positive=True, role="size") for n in self.sizes}
        self.definitions, self.facts = data["definitions"], data["facts"]
        for name, t in data["tensors"].items():
            if name in self.tensors:
                raise Refused(f"{name} is declared twice")
            shape = tuple(self.poly(size, {}) for size in t["shape"])
            record = (t["positive"], t["symmetry"], t["role"], tuple(t["of"]), self.tensors)
            self.tensors[name] = PI if t["role"] == "pi" else Tensor(name, shape, *record)

    def letters(self, pairs: Tree, new: bool = True) -> dict[str, Node]:
        """Letters of binders as new ones, letters of a claim under their names."""
        sizes = [(letter, self.poly(size, {})) for letter, size in pairs]
        if any(not x.startswith("@") for x, _ in sizes) or len(dict(sizes)) < len(sizes):
            raise Refused("a letter is bound twice or is no letter")
        return {x: fresh(size) if new else ("i", 0, x, size) for x, size in sizes}

    def poly(self, tree: Tree, scope: Scope) -> Poly:
        """The normal form of a tree; what is divided by, rooted or logged is added to `needs`."""
        match tree:
            case str():
                return poly(Fraction(tree))
            case ["add", *parts]:
                return merged(chain.from_iterable(self.poly(t, scope) for t in parts))
            case ["mul", *parts]:
                return times(self.poly(t, scope) for t in parts)
            case ["pow", base, e]:
                p, e = self.poly(base, scope), Fraction(e)
                self.require("≠ 0", p, e < 0)
                self.require("≥ 0", p, e.denominator > 1)
                return p**e
            case ["ref", name, slots]:
                return self.component(name, [self.slot(s, scope) for s in slots])
            case ["delta", a, b, *n]:
                slot = linear([(self.slot(a, scope), F1), (self.slot(b, scope), -F1)])
                return delta(slot, *(self.poly(size, {}) for size in n))
            case ["mask", slot]:
                return mask(self.slot(slot, scope))
            case ["call", name, x]:
                p = self.poly(x, scope)
                self.require("> 0", p, name == "log")
                return call(name, p)
            case ["unknown", name, orders, args]:
                values = tuple(self.poly(t, scope) for t in args)
                return poly(("unknown", name, tuple(map(Fraction, orders)), values))
            case ["d", of, wrt]:
                return self.partial(of, wrt, scope)
            case ["sum" | "max" | "argmax", *at, pairs, body]:
                new = self.letters(pairs)
                within = {**scope, **{x: lone(letter) for x, letter in new.items()}}
                if tree[0] == "max":
                    return largest([*new.values()], [self.poly(t, within) for t in body])
                p = self.poly(body, within)
                if tree[0] == "sum":
                    return total([*new.values()], p)
                return argmax([self.slot(s, scope) for s in at[0]], [*new.values()], p)
        raise Refused(f"no expression: {tree!r}")

    def require(self, relation: str, p: Poly, used: bool) -> None:
        """Notes where p is as it must, unless that is known."""
        found = needs(relation, p) if used else set()
        self.needs |= found
        self.bases |= {(relation, p)} if found else set()

    def slot(self, tree: Tree, scope: Scope) -> Node:
        """A letter, or ["affine", [[letter, coefficient], …], constant]."""
        if isinstance(tree, str):
            return scope[tree]
        _, items, const = tree
        parts = [(scope[x], Fraction(c)) for x, c in items]
        return linear([*parts, ((frozenset(), self.poly(const, {})), F1)])

    def component(self, name: str, slots: list[Node]) -> Poly:
        """A component, opened where it is defined and definitions are to be."""
        t = self.tensors[name]
        if len(slots) != len(t.shape):
            raise Refused(f"{name} has {len(t.shape)} slots")
        closed = self.kept is None or name in self.kept or name not in self.definitions
        return ref(t, slots) if closed else self.body(name, slots)

    def body(self, name: str, slots: Sequence[Node]) -> Poly:
        """The body of a definition at these slots."""
        d = self.definitions[name]
        letters = self.letters(d["letters"])
        p = self.poly(d["body"], {x: lone(letter) for x, letter in letters.items()})
        pairs = list(zip(letters.values(), slots, strict=True))
        try:
            return put(p, dict(pairs))
        except Refused:  # an index counts from the end: B_{i−1} = Σ_k [k = i − 1 modulo n] B_k
            here = (delta(linear([(lone(x), F1), (s, -F1)]), x[3]) for x, s in pairs)
            return total([*letters.values()], times(here) * p)

    def partial(self, of: Tree, wrt: Tree, scope: Scope) -> Poly:
        """∂of/∂wrt: through all definitions but `kept`, or as it stands where these are closed."""
        p, target = self.poly(of, scope), self.tensors[wrt[1]]
        at = [self.slot(s, scope) for s in wrt[2]]
        if self.kept is not None:
            return diff(p, lambda atom: self.slope(atom, target, at), self.last)
        ((((atom, _),), _),) = p
        return self.unknown(atom, target, at)

    def unknown(self, atom: Node, wrt: Tensor, at: Sequence[Node]) -> Poly:
        """∂of/∂wrt as it stands; ∂²L/∂y∂x = ∂²L/∂x∂y."""
        _, t, slots = atom
        base, parts = t, [(wrt, tuple(at))]
        while base.role == "partial":
            base, last = (self.tensors[name] for name in base.of)
            cut = len(slots) - len(last.shape)
            parts.append((last, slots[cut:]))
            slots = slots[:cut]
        for w, own in sorted(parts, key=key):
            name = f"∂{base.name}/∂{w.name}"
            new = Tensor(name, base.shape + w.shape, False, "", "partial", (base.name, w.name))
            base, slots = self.tensors.setdefault(name, new), (*slots, *own)
        return ref(base, slots)

    def slope(self, atom: Node, wrt: Tensor, at: Sequence[Node]) -> Poly:
        """∂T_ij/∂T_mn = δ_im δ_jn, averaged over the symmetry; definitions by the chain rule."""
        _, t, slots = atom
        if t is wrt:
            ways = list(permutations(range(len(at)))) if t.symmetry else [tuple(range(len(at)))]
            found = ZERO
            for way in ways:
                pairs = [linear([(slots[k], F1), (at[q], -F1)]) for k, q in enumerate(way)]
                odd = t.symmetry == "antisymmetric" and parity(way) < 0
                wide = (() if is_lone(slots[k]) and is_lone(at[q]) else (n,) for (k, q), n in zip(enumerate(way), t.shape))
                found = found + times(delta(x, *n) for x, n in zip(pairs, wide)) * Fraction(-1 if odd else 1, len(ways))
            return found
        if t.name in self.definitions:
            return diff(self.body(t.name, slots), lambda a: self.slope(a, wrt, at), self.last)
        if t.role in ("inverse", "det", "logdet"):
            return self.matrix_slope(atom, wrt, at)
        base = t
        while base.role == "partial":
            base = self.tensors[base.of[0]]
        if base.role not in ("loss", "undefined"):
            return ZERO
        through = [self.tensors[o] for o in base.of if wrt.name in self.behind(o)]
        if not through or wrt in through:
            return self.unknown(atom, wrt, at)
        found = ZERO
        for o in through:
            letters = [fresh(n) for n in o.shape]
            places = [lone(x) for x in letters]
            outer = self.unknown(atom, o, places)
            found = found + total(letters, outer * self.slope(("ref", o, places), wrt, at))
        return found

    def matrix_slope(self, atom: Node, wrt: Tensor, at: Sequence[Node]) -> Poly:
        """dM⁻¹ = −M⁻¹ dM M⁻¹ and d det M = det M tr(M⁻¹ dM)."""
        _, t, slots = atom
        m = self.tensors[t.of[0]]
        turned = Tensor(f"inverse({m.name})", m.shape, False, m.symmetry, "inverse", t.of, self.tensors)
        inverse = self.tensors.setdefault(turned.name, turned)
        p, q = (fresh(n) for n in m.shape)
        inner = self.slope(("ref", m, (lone(p), lone(q))), wrt, at)
        if t.role != "inverse":
            change = total([p, q], ref(inverse, [lone(q), lone(p)]) * inner)
            return change * poly(atom) if t.role == "det" else change
        sides = ref(inverse, [slots[0], lone(p)]) * ref(inverse, [lone(q), slots[1]])
        return -total([p, q], sides * inner)

    def behind(self, name: str) -> set[str]:
        """A name and those that its definition depends on."""
        body = self.definitions.get(name, {}).get("body", "")
        t = self.tensors.get(name)
        names = set(re.findall(r"'(\w[^']*)'", str(body))) & self.tensors.keys()
        names |= set(t.of) if t is not None and t.role in ("inverse", "det", "logdet") else set()
        return {name}.union(*(self.behind(n) for n in names - {name}))

def is_lone(slot: Node) -> bool:
    """True for a letter by itself."""
    return len(slot[0]) == 1 and not slot[1] and all(c == 1 for _, c in slot[0])

def needs(relation: str, p: Poly) -> set[str]:
    """Where 1/p, √p or log p is defined: factors that are not known to be as they must."""
    if relation == "> 0":
        return {relation + shape(p)} if sign(p) < 2 else set()
    bar, e = (2, Fraction(-1)) if relation == "≠ 0" else (1, Fraction(1, 2))
    atoms = ((a, k) for m, _ in p**e for a, k in m)
    return {relation + shape(a) for a, k in atoms if sign(a) < bar and (k < 0 or k.denominator > 1)}

def shape(node: Node, known: frozenset[Node] = frozenset()) -> str:
    """The content of a node, letters that are not known told apart by their ranges only."""
    return key(node, {x: f"[{key(x[3])}]" for x in free(node) - known})

# --------------------------------------------------------------------------------- small sizes

FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    **{n: getattr(mpmath, n) for n in ("exp", "log", "sin", "cos", "tan", "erf", "sinh", "cosh")},
    **{n: getattr(mpmath, n) for n in ("tanh", "asin", "acos", "atan")},
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "softplus": lambda x: mpmath.log(1 + mpmath.exp(x)),
    "step": lambda x: mpmath.mpf(x >= 0),
}

class Undefined(Exception):
    """No value here: a division by 0, a root of a negative number, an index out of range."""

class Point:
    """Values of trees by loops: sizes given, inputs drawn, exact where no function or root occurs."""

    def __init__(self, data: Tree, sizes: Mapping[str, int], seed: int, exact: bool) -> None:
        self.data, self.sizes, self.seed, self.exact = data, sizes, seed, exact
        self.moved: dict[Any, Any] = {}  # components moved along a derivative
        self.known: dict[Any, Any] = {}

    def number(self, q: Fraction) -> Any:
        return q if self.exact else mpmath.mpf(q.numerator) / q.denominator

    def value(self, tree: Tree, env: Mapping[str, int]) -> Any:
        """The value of a tree for these letters."""
        match tree:
            case str():
                return self.number(Fraction(tree))
            case ["add", *parts]:
                return sum((self.value(t, env) for t in parts), self.number(F0))
            case ["mul", *parts]:
                return prod((self.value(t, env) for t in parts), start=self.number(F1))
            case ["pow", base, e]:
                return self.power(self.value(base, env), Fraction(e))
            case ["ref", name, slots]:
                return self.component(name, tuple(self.slot(s, env) for s in slots))
            case ["delta", a, b, *n]:
                gap = self.slot(a, env) - self.slot(b, env)
                return self.number(Fraction((gap % self.size(n[0]) if n else gap) == 0))
            case ["mask", slot]:
                return self.number(Fraction(self.slot(slot, env) >= 0))
            case ["call", name, x]:
                return self.real(lambda: FUNCTIONS[name](self.value(x, env)))
            case ["unknown", name, orders, args]:
                return self.smooth(name, orders, [self.value(t, env) for t in args])
            case ["d", of, ["ref", name, slots]]:
                return self.slope(of, env, name, tuple(self.slot(s, env) for s in slots))
            case ["sum", pairs, body]:
                return sum((self.value(body, e) for e in self.range(pairs, env)), self.number(F0))
            case ["max", pairs, bodies]:
                found = [self.value(b, e) for e in self.range(pairs, env) for b in bodies]
                return max(found) if found else self.undefined()
            case ["argmax", at, pairs, body]:
                found = [(self.value(body, e), [e[x] for x, _ in pairs]) for e in self.range(pairs, env)]
                best = max(found, key=lambda x: x[0])[1] if found else self.undefined()
                return self.number(Fraction(best == [self.slot(s, env) for s in at]))
        raise Refused(f"no expression: {tree!r}")

    def undefined(self) -> Any:
        raise Undefined

    def smooth(self, name: str, orders: Sequence[str], args: Sequence[Any]) -> Any:
        """A function that nothing defines: a sum of two exponentials drawn by its name."""
        found: Any = 0
        for m in range(2):
            draw = Random(f"{name} {m}")
            weights = [self.number(Fraction(draw.randint(1, 40), 31)) for _ in args]
            power = prod(w ** int(k) for w, k in zip(weights, orders, strict=True))
            turn = sum(w * x for w, x in zip(weights, args, strict=True))
            found = found + self.real(lambda: mpmath.exp(turn)) * power
        return found

    def real(self, f: Callable[[], Any]) -> Any:
        """A real value by mpmath."""
        if self.exact:
            raise TypeError("not rational")
        x = f()
        return x if isinstance(x, mpmath.mpf) and mpmath.isfinite(x) else self.undefined()

    def power(self, x: Any, e: Fraction) -> Any:
        if x == 0 and e < 0:
            raise Undefined
        return x ** int(e) if e.denominator == 1 else self.real(lambda: x ** self.number(e))

    def size(self, tree: Tree) -> int:
        return int(Point(self.data, self.sizes, 0, True).value(tree, {}))

    def range(self, pairs: Tree, env: Mapping[str, int]) -> Iterator[dict[str, int]]:
        for values in tuples(*(range(self.size(size)) for _, size in pairs)):
            yield {**env, **{x: v for (x, _), v in zip(pairs, values, strict=True)}}

    def slot(self, tree: Tree, env: Mapping[str, int]) -> int:
        if isinstance(tree, str):
            return env[tree]
        return sum(int(c) * env[x] for x, c in tree[1]) + self.size(tree[2])

    def component(self, name: str, slots: tuple[int, ...]) -> Any:
        """A size, a drawn number or the value of a definition; indices count from the end, too."""
        if name in self.sizes:
            return self.number(Fraction(self.sizes[name]))
        t = self.data["tensors"][name]
        lengths = [self.size(n) for n in t["shape"]]
        if any(not -n <= s < n for s, n in zip(slots, lengths, strict=True)):
            raise Undefined
        slots, sign = tuple(s % n for s, n in zip(slots, lengths, strict=True)), 1
        if t["symmetry"]:
            order = sorted(range(len(slots)), key=lambda k: slots[k])
            if t["symmetry"] == "antisymmetric":
                sign = parity(order) if len(set(slots)) == len(slots) else 0
            slots = tuple(sorted(slots))
        if (name, slots) not in self.known:
            self.known[name, slots] = self.base(name, slots, t)
        return sign * (self.known[name, slots] + self.moved.get((name, slots), self.number(F0)))

    def base(self, name: str, slots: tuple[int, ...], t: Tree) -> Any:
        if t["role"] == "pi":
            return self.real(lambda: +mpmath.pi)
        if t["role"] in ("inverse", "det", "logdet"):
            return self.matrix(t, slots)
        if t["role"] == "loss":  # Σ w O² over all that it is a function of
            shapes = {o: [range(self.size(n)) for n in self.data["tensors"][o]["shape"]] for o in t["of"]}
            parts = [(o, at) for o, shape in shapes.items() for at in tuples(*shape)]
            drawn = (Random(f"{name} {part}").randint(1, 9) * self.component(*part) ** 2 for part in parts)
            return sum(drawn, self.number(F0))
        if name in self.data["definitions"]:
            d = self.data["definitions"][name]
            return self.value(d["body"], {x: s for (x, _), s in zip(d["letters"], slots, strict=True)})
        draw = Random(f"{self.seed} {name} {slots}")
        q = Fraction(draw.randint(1, 96), 61)
        return self.number(q if t["positive"] or draw.random() < 0.6 else -q)

    def matrix(self, t: Tree, slots: tuple[int, ...]) -> Any:
        """An entry of an inverse, a determinant or its logarithm, by elimination."""
        (name,) = t["of"]
        n = self.size(self.data["tensors"][name]["shape"][0])
        rows = [[self.component(name, (r, c)) for c in range(n)] for r in range(n)]
        rows = [[*row, *(self.number(Fraction(r == c)) for c in range(n))] for r, row in enumerate(rows)]
        det = self.number(F1)
        for k in range(n):
            p = max(range(k, n), key=lambda r: abs(rows[r][k]))
            if rows[p][k] == 0:
                raise Undefined
            det = det * rows[p][k] * (1 if p == k else -1)
            rows[k], rows[p] = rows[p], rows[k]
            rows[k] = [x / rows[k][k] for x in rows[k]]
            for r in range(n):
                if r != k:
                    rows[r] = [x - rows[r][k] * y for x, y in zip(rows[r], rows[k], strict=True)]
        if t["role"] == "logdet":
            return self.real(lambda: mpmath.log(abs(det)))
        return rows[slots[0]][n + slots[1]] if slots else det

    def slope(self, of: Tree, env: Mapping[str, int], name: str, slots: tuple[int, ...]) -> Any:
        """A central difference, steps 10^-15: good to 25 digits."""
        if self.exact:
            raise TypeError("not rational")
        t, found = self.data["tensors"][name], []
        ways, at = [slots], tuple(sorted(slots)) if t["symmetry"] else slots
        share = Fraction(1)
        if t["symmetry"]:
            ways = [w for w in permutations(range(len(slots))) if tuple(slots[k] for k in w) == at]
            odd = t["symmetry"] == "antisymmetric"
            share = Fraction(sum(parity(w) if odd else 1 for w in ways), factorial(len(slots)))
        h = mpmath.mpf(10) ** -15
        for step in (h, -h):
            moved, known = dict(self.moved), self.known
            self.moved[name, at] = self.moved.get((name, at), 0) + step
            self.known = {k: v for k, v in known.items() if self.data["tensors"][k[0]]["role"] == "input"}
            found.append(self.value(of, env))
            self.moved, self.known = moved, known
        return (found[0] - found[1]) / (2 * h) * self.number(share)

# ------------------------------------------------------------------------------------- the steps

@dataclass(frozen=True)
class Checked:
    """What became of a step."""
    law: str
    rederived: bool
    points: int  # where both sides were evaluated
    problem: str = ""

@dataclass(frozen=True)
class Opinion:
    """What became of a certificate."""
    steps: tuple[Checked, ...]
    problem: str = ""

    @property
    def ok(self) -> bool:
        """The claim leads to 0 by steps that are all re-derived, none contradicted."""
        return not self.problem

def check(data: Tree) -> Opinion:
    """The certificate done again, step by step; it ends at the first that is not right."""
    rows: list[Checked] = []
    try:
        reader, claim = Reader(data), data["claim"]
        letters = {x: lone(i) for x, i in reader.letters(claim["free"], new=False).items()}
        tree = ["add", claim["lhs"], ["mul", "-1", claim["rhs"]]]
        allowed = presupposed(reader, tree, letters)
        for step in data["steps"]:
            row, tree = Step(reader, data, tree, letters, step).done(allowed)
            rows.append(row)
            if row.problem:
                return Opinion(tuple(rows), f"step {len(rows)}, {row.law}: {row.problem}")
        return Opinion(tuple(rows), "" if tree == "0" else "the last expression is not 0")
    except Refused as error:
        return Opinion(tuple(rows), str(error))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError) as error:
        return Opinion(tuple(rows), f"it cannot be read: {type(error).__name__}: {error}")

def presupposed(reader: Reader, tree: Tree, scope: Scope) -> set[str]:
    """Where the claim, the definitions and the facts are defined."""
    reader.poly(tree, scope)
    for d in reader.definitions.values():
        reader.poly(d["body"], {x: lone(i) for x, i in reader.letters(d["letters"]).items()})
    for fact in reader.facts:
        within = {x: lone(i) for x, i in reader.letters(fact["letters"]).items()}
        reader.poly(["add", fact["lhs"], fact["rhs"]], within)
    return set(reader.needs)

class Step:
    """A step at its place in the expression."""

    def __init__(self, reader: Reader, data: Tree, tree: Tree, scope: Scope, step: Tree) -> None:
        self.reader, self.data, self.tree, self.step = reader, data, tree, step
        self.scope, self.pairs, self.site = dict(scope), list(data["claim"]["free"]), tree
        for k in step["at"]:
            if self.site[0] in BINDERS and k == len(self.site) - 1:
                new = reader.letters(self.site[-2])
                self.scope |= {x: lone(letter) for x, letter in new.items()}
                self.pairs += self.site[-2]
            self.site = self.site[k]

    def done(self, allowed: set[str]) -> tuple[Checked, Tree]:
        """What became of the step, and the expression after it."""
        law, good, points = self.step["law"], False, 0
        problem = self.misplaced(allowed)
        if not problem:
            try:
                good = LAWS[law](self)
                problem = "" if good else "evaluated only"
            except Refused as error:
                problem = str(error)
            if law != "fact":
                points, contradiction = self.evaluated()
                problem = contradiction or problem
        return Checked(law, good, points, problem), self.replaced(self.tree, self.step["at"])

    def replaced(self, tree: Tree, path: Sequence[int]) -> Tree:
        if not path:
            return self.step["after"]
        k, *rest = path
        return [self.replaced(x, rest) if n == k else x for n, x in enumerate(tree)]

    def read(self, tree: Tree, kept: Iterable[str] | None = None) -> Poly:
        self.reader.kept = None if kept is None else frozenset(kept)
        return self.reader.poly(tree, self.scope)

    def misplaced(self, allowed: set[str]) -> str:
        """Why the step does not follow the one before, or presupposes what it does not say."""
        if nameless(self.site) != nameless(self.step["before"]):
            return "it does not begin where the last one ended"
        self.reader.needs, self.reader.bases = set(), set()
        self.read(self.step["before"])
        self.read(self.step["after"])
        found, known = set(self.reader.needs), free(tuple(self.scope.values()))
        bases = {relation + shape(p, known) for relation, p in self.reader.bases}
        said = []
        for relation, pairs, base in self.step["side"]:
            within = {x: lone(i) for x, i in self.reader.letters(pairs).items()}
            said.append(relation + shape(self.reader.poly(base, {**self.scope, **within}), known))
        if len(said) != len(bases) or set(said) != bases:
            return f"its side conditions are {sorted(bases)}"
        if self.step["law"] in ("derivative", "by exponentials"):
            allowed |= found  # a derivative exists where it is defined
        return "" if found <= allowed else "it presupposes more than the claim"

    def equal(self) -> bool:
        """Both sides have one normal form."""
        return same(self.read(self.step["before"]), self.read(self.step["after"]))

    def plainer(self) -> bool:
        """A function by exponentials, sines and cosines."""
        tag, name, x = self.step["before"]
        return tag == "call" and same(PLAINER[name](self.read(x)), self.read(self.step["after"]))

    def derivative(self) -> bool:
        """∂of/∂wrt by the chain rule through all definitions opened but those of `wrt`."""
        tag, of, wrt = self.step["before"]
        if tag != "d":
            return False
        kept = {wrt[1]}
        while of[0] == "d":
            kept.add(of[2][1])
            of = of[1]
        for fact in self.reader.facts:  # ∂/∂x says nothing where a fact ties x to other inputs
            names = set(re.findall(r"'(\w[^']*)'", str([fact["lhs"], fact["rhs"]])))
            if names & kept and (names - kept) & self.reader.behind(of[1]):
                raise Refused("a fact ties what is held fixed")
        for t in list(self.reader.tensors.values()):
            kept |= set(t.of) if t.role in ("inverse", "det", "logdet") else set()
        for self.reader.last in (True, False):
            if same(*(self.read(self.step[k], kept) for k in ("before", "after"))):
                return True
        return False

    def definition(self) -> bool:
        """A defined component is its body, at slots where the letters of the body may stand."""
        tag, name, slots = self.step["before"]
        self.reader.kept = None
        body = self.reader.body(name, [self.reader.slot(s, self.scope) for s in slots])
        return tag == "ref" and same(body, self.read(self.step["after"]))

    def fact(self) -> bool:
        """An instance of a fact: slots of outer letters in place of its letters."""
        self.reader.kept = None
        fact = self.reader.facts[self.step["fact"]]
        letters = self.reader.letters(fact["letters"])
        within = {x: lone(i) for x, i in letters.items()}
        at = {i: self.reader.slot(self.step["instance"][x], self.scope) for x, i in letters.items()}
        sides = [put(self.reader.poly(fact[k], within), at) for k in ("lhs", "rhs")]
        return all(map(same, sides, (self.read(self.step[k]) for k in ("before", "after"))))

    def denominator(self) -> bool:
        """The whole expression times factors that it divides by, which are not 0 therefore."""
        p, by = self.read(self.step["before"]), self.read(self.step["by"])
        below = {a for m, _ in p for a, e in m if e < 0}
        fine = all(sign(a) == 2 or a in below for m, _ in by**-1 for a, e in m)
        return not self.step["at"] and fine and same(p * by, self.read(self.step["after"]))

    def masks(self) -> bool:
        """[s ≥ 0] = 1 − [−s − 1 ≥ 0], or [i − j ≥ 0] = [i − j − 1 ≥ 0] + δ_ij."""
        if self.step["before"][0] != "mask":
            return False
        slot = self.reader.slot(self.step["before"][1], self.scope)
        less = linear([(slot, F1), ((frozenset(), ONE), -F1)])
        turned = linear([(slot, -F1), ((frozenset(), ONE), -F1)])
        ways = (ONE - mask(turned), mask(less) + delta(slot))
        return any(same(p, self.read(self.step["after"])) for p in ways)

    def evaluated(self) -> tuple[int, str]:
        """At how many points both sides were evaluated, and where they differ."""
        times, found = self.step.get("by", "1"), 0
        for k, sizes in enumerate(chain(*[small(self.reader.sizes)] * 2)):
            for exact in (True, False):
                with mpmath.workdps(DIGITS):
                    point = Point(self.data, sizes, k, exact)
                    draw = Random(k)
                    try:
                        env: dict[str, int] = {}
                        for x, n in self.pairs:
                            env[x] = draw.randrange(point.size(n))
                        left = point.value(["mul", times, self.step["before"]], env)
                        right = point.value(self.step["after"], env)
                    except (Undefined, ValueError, ZeroDivisionError):
                        break  # no such range, or no value here
                    except TypeError:
                        continue  # not rational
                    gap = abs(left - right)
                    if gap > (0 if exact else (abs(left) + abs(right) + 1) / 10**12):
                        return found, f"the sides differ at {sizes}, {env}"
                    found += 1
                    break
        return found, ""

LAWS: dict[str, Callable[[Step], bool]] = {
    "normal form": Step.equal,
    "by exponentials": Step.plainer,
    "derivative": Step.derivative,
    "definition": Step.definition,
    "fact": Step.fact,
    "common denominator": Step.denominator,
    "masks apart": Step.masks,
}

def small(names: Sequence[str]) -> Iterator[dict[str, int]]:
    """Sizes 1, sizes 2, and sizes that differ, in both orders."""
    yield dict.fromkeys(names, 1)
    yield dict.fromkeys(names, 2)
    for step in (1, -1):
        yield {n: k % 3 + 1 for k, n in enumerate(names[::step])}
        yield {n: (k + 1) % 3 + 1 for k, n in enumerate(names[::step])}
