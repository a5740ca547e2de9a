"""The laws of the second opinion: normal forms with de Bruijn indices, shared with no engine.

Bound letters are de Bruijn indices, so expressions that differ in letters only are the same value;
an opened letter occurs nowhere else.

    Poly  frozenset of (Mono, coefficient)      Mono  frozenset of (Atom, exponent)
    Atom  ("ref", T, slots) ("delta", slot, modulus) ("mask", slot) ("call", f, Poly) ("poly", Poly)
          ("num", prime) ("sum", sizes, Poly) ("max", sizes, Polys) ("argmax", slots, sizes, Poly)
          ("unknown", f, orders, Polys); as it was read also ("add", …) ("mul", …) ("pow", x, e) ("d", x, y)
    slot  (frozenset of (letter, coefficient), constant)     letter  ("i", order, name, size) or int
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import chain, combinations, count, permutations
from itertools import product as tuples
from math import factorial, floor, gcd, lcm, prod
from typing import Any, TypeAlias

Node: TypeAlias = Any  # a Mono, Atom, slot or letter: nested tuples and frozensets
Leaf: TypeAlias = Callable[[Node], "Poly"]
TERMS, ORDERS, POWERS, ROUNDS = 20_000, 720, 64, 4
F0, F1, HALF = Fraction(0), Fraction(1), Fraction(1, 2)
EXP, BINDERS, OF_MATRIX = ("call", "exp"), ("sum", "max", "argmax"), ("inverse", "det", "logdet")
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
        return self * -1
    def __sub__(self, other: Any) -> Poly:  # type: ignore[override]
        return self + poly(other) * -1
    def __mul__(self, other: Any) -> Poly:
        if not isinstance(other, Poly):
            return Poly((m, c * other) for m, c in self) if other else ZERO
        if len(self) * len(other) > TERMS:
            raise Refused("an expression is too large")
        return merged(t for m, c in self for n, d in other for t in product([*m, *n]) * (c * d))
    def __pow__(self, e: Any) -> Poly:
        return power(self, Fraction(e))

def merged(pairs: Iterable[tuple[Node, Fraction]]) -> Poly:
    """Σ c·m with like terms merged."""
    found: dict[Node, Fraction] = {}
    for m, c in pairs:
        found[m] = found.get(m, F0) + c
    return Poly((m, c) for m, c in found.items() if c)

def poly(x: Any, e: Any = 1) -> Poly:
    """A number, an atom or its power as an expression."""
    if isinstance(x, tuple):
        return Poly({(frozenset({(x, Fraction(e))}), F1)})
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

def linear(*parts: tuple[Node, Any]) -> Node:
    """Σ coefficient · slot; a constant is a slot, too."""
    items: dict[Node, Fraction] = {}
    const = ZERO
    for slot, c in parts:
        letters, shift = slot if isinstance(slot, tuple) else ((), poly(slot))
        const = const + shift * c
        for letter, d in letters:
            items[letter] = items.get(letter, F0) + c * d
    return frozenset((x, c) for x, c in items.items() if c), const

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
    return node.name if isinstance(node, Tensor) else str(node)

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
    below = depth + len(node[-2]) if node[0] in BINDERS else depth
    return (*(seal(x, names, depth) for x in node[:-1]), seal(node[-1], names, below))

class Normal:
    """How an expression becomes a normal form."""

    def walk(self, node: Node, env: Mapping[Node, Node]) -> Any:
        """The value of an expression, with slots in place of letters and indices."""
        match node:
            case Poly():
                terms = (self.times(self.power(self.walk(a, env), e) for a, e in m) * self.number(c)
                         for m, c in node)
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

    def number(self, c: Fraction) -> Any:
        return c

    def add(self, parts: Iterable[Any]) -> Any:
        return merged(chain.from_iterable(parts))

    def times(self, parts: Iterable[Any]) -> Any:
        return times(parts)

    def power(self, x: Any, e: Fraction) -> Any:
        return x**e

    def ref(self, t: Tensor, slots: Any) -> Any:
        return ref(t, slots)

    def delta(self, slot: Any, modulus: Poly) -> Any:
        return delta(slot, modulus)

    def mask(self, slot: Any) -> Any:
        return mask(slot)

    def call(self, name: str, x: Any) -> Any:
        return call(name, x)

    def unknown(self, name: str, orders: Node, args: list[Any]) -> Any:
        return poly(("unknown", name, orders, tuple(args)))

    def partial(self, of: Node, t: Tensor, at: Any, env: Mapping[Node, Node]) -> Any:
        raise Refused("a derivative is not evaluated here")

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
    low, high = (
        reduce(Poly.__add__, ((x[3] - 1) * c for x, c in slot[0] if (c < 0) == down), slot[1])
        for down in (True, False)
    )
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
    return 2 if node[0] == "num" else int(node[0] in FIXED)

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
                return poly(atom) * times(PLAIN.walk(a, env) ** e for a, e in rest)
    return Poly({(mono, F1)})

def power(p: Poly, e: Fraction) -> Poly:
    """p ** e: (x^a)^b = x^{ab} for b an integer or x ≥ 0; a sum keeps its primitive part."""
    if e in (0, 1) or p == ONE:
        return p if e else ONE
    if not p and e < 0:
        raise Refused("a division by 0")
    if len(p) < 2:
        return times(_mono_power(m, c, e) for m, c in p) if p else ZERO
    if e > 0 and e.denominator == 1:
        if e > POWERS:
            raise Refused("a power is too large")
        return times([p] * int(e))
    c, mono = content(p, signed=e.denominator == 1)
    rest = divided(p, c, mono)
    return _mono_power(mono, c, e) * (poly(("poly", rest), e) if len(rest) > 1 else rest**e)

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
    return poly(("delta", slot if low[1] > 0 else linear((slot, -1)), modulus))

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
    gap = delta(linear((ends[0], 1), (ends[1], -1)), *modulus)
    rest = Poly({(frozenset(p for p in mono if p[0] not in (atom, matrix)), F1)})
    sign = -1 if not crossed and symmetry == "antisymmetric" else 1
    return total([y for y in letters if y != x], gap * rest) * sign

def _selected(letters: list[Node], atom: Node, mono: Node) -> Poly | None:
    """Σ_j [j = argmax_k x_k] = 1 and Σ_j [j = argmax_k x_k] x_j = max_k x_k."""
    at = [x for s in atom[1] for x in free(s) if s == lone(x) and x in letters]
    if len(set(at)) < len(atom[1]) or set(at) & free(atom[-1]) or not all(counts(x[3] - 1) for x in at):
        return None
    here, there = ([(a, e) for a, e in mono if a != atom and bool(free(a) & set(at)) == t] for t in (1, 0))
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


def is_lone(slot: Node) -> bool:
    """True for a letter by itself."""
    return len(slot[0]) == 1 and not slot[1] and all(c == 1 for _, c in slot[0])
