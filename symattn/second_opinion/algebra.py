"""The algebra of the second opinion: expressions with de Bruijn indices, signs, powers, functions.

Bound letters are de Bruijn indices, so expressions that differ in letters only are the same value;
an opened letter occurs nowhere else.  Nothing here or beside it is shared with the engine.

    Poly  frozenset of (Mono, coefficient)      Mono  frozenset of (Atom, exponent)
    Atom  ("ref", T, slots) ("delta", slot, modulus) ("mask", slot) ("call", f, Poly) ("poly", Poly)
          ("num", prime) ("sum", sizes, Poly) ("max", sizes, Polys) ("argmax", slots, sizes, Poly)
          ("unknown", f, orders, Polys)
    read  also ("add", x, …) ("mul", x, …) ("pow", x, e) ("d", x, y) with any of these in them
    slot  (frozenset of (letter, coefficient), constant)     letter  ("i", order, name, size) or int
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import chain, combinations, count
from math import floor, gcd, lcm, prod
from typing import Any, TypeAlias

Node: TypeAlias = Any  # a Mono, Atom, slot or letter: nested tuples and frozensets
TERMS, POWERS, ROUNDS, TURNS = 20_000, 64, 4, 8
WORK = 100_000  # products of terms that one step may take
F0, F1, HALF = Fraction(0), Fraction(1), Fraction(1, 2)
EXP, BINDERS, FIXED = ("call", "exp"), ("sum", "max", "argmax"), ("delta", "mask", "argmax")
OF_MATRIX = ("inverse", "det", "logdet")


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


class Work:
    """Products of terms so far; past the limit a step is refused.  Ranges said not to be < 0."""

    spent = 0
    ranges: frozenset[Node] = frozenset()


class Poly(frozenset[Any]):
    """Σ coefficient · Mono, multiplied out."""

    __slots__ = ()

    def __add__(self, other: Any) -> Poly:
        return merged(chain(self, poly(other)))

    def __neg__(self) -> Poly:
        return self * -1

    def __sub__(self, other: Any) -> Poly:
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
PI = Tensor("pi", positive=True, role="pi")

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
            return 0 if not signs or 0 in signs else max(signs)
        case ("ref", t, _):
            return 2 if t.positive else int(t.role == "place")
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
    Work.spent += 1
    if Work.spent > WORK:
        raise Refused("a step takes too much work")
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
    return reduce(Poly.__mul__, spread, Poly({(mono, number)}) if number else ZERO)


LOG = [(("call", "log"), F1)]


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
    if is_turned(rest):  # (y/x)^e = (x/y)^−e
        rest, e = frozenset((a, -k) for a, k in rest), -e
    return head * product([(("poly", Poly({(rest, F1 if c > 0 else -F1)})), e)] if rest else [])


def is_turned(mono: Node) -> bool:
    """True for one of M and 1/M: the sign at the first name that stands once; sums stay below."""
    if any(a[0] == "poly" and e < 0 for a, e in mono):
        return False
    plain = [(a, e) for a, e in mono if a[0] == "ref" or not free(a)]
    names = [(a[1].name if a[0] == "ref" else key(a), e) for a, e in plain]
    once = [(name, e) for name, e in names if [n for n, _ in names].count(name) == 1]
    return bool(once) and bool(min(once)[1] < 0)


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


# ---------------------------------------------------------------------------- atoms other than Σ


def ref(t: Tensor, slots: Sequence[Node]) -> Poly:
    """A component; the slots of an (anti)symmetric tensor in order, with the sign of the order."""
    if t.role == "place" and not is_lone(
        slots[0]
    ):  # the number of i − j is that of i less that of j
        return merged(
            chain(slots[0][1], *(poly(("ref", t, (lone(x),))) * c for x, c in slots[0][0]))
        )
    pairs = list(zip(slots, t.shape, strict=True))
    slots = [s if is_lone(s) else reduced(s, n) for s, n in pairs]  # indices wrap around
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
    slot = slot if low[1] > 0 else linear((slot, -1))
    return poly(("delta", reduced(slot, modulus) if modulus else slot, modulus))


def reduced(slot: Node, modulus: Poly) -> Node:
    """A slot with the plainest constant, modulo a size."""
    shifts = (linear((slot, 1), (modulus, k)) for k in range(-3, 4))
    return min(shifts, key=lambda s: (len(key(s[1])), key(s[1])))


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
    only = next(iter(inner))[0] if len(inner) == 1 else frozenset[Any]()
    if [e for a, e in only if a[0] == "poly"] == [-1] or is_turned(only):  # log(y/x) = −log(x/y)
        found = -_log(inner**-1)
    numbers = [(("num", n), k) for n, k in primes(c).items()]
    for atom, e in chain(good, numbers):
        log = atom[2] if atom[:2] == ("call", "exp") else None
        if atom[0] == "ref" and atom[1].role == "det":
            log = poly(("ref", atom[1].all[f"logdet({atom[1].of[0]})"], ()))
        base = atom[1] if atom[0] == "poly" else poly(atom[1] if atom[0] == "num" else atom)
        found = found + (poly(("call", "log", base)) if log is None else log) * e
    return found


def barred(p: Poly) -> Poly:
    """Exponents over one bar, with the factors that they are exponents of: x = e^{log x}."""
    return merged((n, c * d) for m, c in p for n, d in _barred(m))


def _barred(mono: Node) -> Poly:
    rest = {a: e for a, e in mono if (a[:2], e) != (("call", "exp"), F1)}
    ((_, _, inside), _), *_ = [*((a, e) for a, e in mono if a not in rest), (("", "", ZERO), F0)]
    low: dict[Node, Fraction] = {}
    for a, e in (x for m, _ in inside for x in m if x[0][0] == "poly" and x[1] < 0):
        low[a] = min(e, low.get(a, e))
    if not low:
        return Poly({(mono, F1)})
    out = ONE
    for log in sorted({a for m, _ in inside for a, _ in m if a[:2] == ("call", "log")}, key=key):
        ((base, c), *more) = log[2]
        x, k = min(base, key=lambda pair: key(pair[0]))
        if not more and c == 1 == abs(k) and (e := rest.get(x, F0)) and e.denominator == 1:
            inside, out = (
                inside + poly(log) * (rest.pop(x) * k),
                out * Poly({(base - {(x, k)}, F1)}) ** (-e * k),
            )
    top = merged(
        (n, c * d) for m, c in inside for n, d in product([*m, *((a, -e) for a, e in low.items())])
    )
    over = merged((n, c * d) for m, c in top for n, d in product([*m, *low.items()]))
    return product(rest.items()) * out * call("exp", over)


SIGNS = {"exp": 2, "sigmoid": 2, "softplus": 2, "cosh": 2, "step": 1, "acos": 1}
PARITY = dict.fromkeys(("sin", "tan", "sinh", "tanh", "erf", "asin", "atan"), -1)
AT_ZERO = {**dict.fromkeys(PARITY, 0), "cos": 1, "cosh": 1, "sigmoid": HALF, "step": 1}
PARITY |= {"cos": 1, "cosh": 1}
SLOPES: dict[str, Callable[[Poly], Poly]] = {
    "abs": lambda x: x * (x**2) ** -HALF,
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
    "abs": lambda x: (x**2) ** HALF,
}


def turned(name: str, x: Poly, after: Poly) -> Poly:
    """sin x or cos x, the real or imaginary part of Π (cos t + i sin t) over the terms t of x.

    An angle of which `after` has the half, or another part, is that many of these.
    """
    found = (a[2] for m, _ in after for a, _ in m if a[:2] in (("call", "sin"), ("call", "cos")))
    units = {m: abs(c) for y in found for m, c in y}
    re, im = ONE, ZERO
    for m, c in x:
        times_ = abs(c) / units.get(m, F1)
        times_ = times_ if times_.denominator == 1 and times_ <= TURNS else F1
        t = Poly({(m, c / times_)})
        for _ in range(int(times_)):
            cos, sin = call("cos", t), call("sin", t)
            re, im = re * cos - im * sin, re * sin + im * cos
    if name not in ("sin", "cos"):
        raise Refused(f"{name} is no function of an angle")
    return im if name == "sin" else re


def is_lone(slot: Node) -> bool:
    """True for a letter by itself."""
    return len(slot[0]) == 1 and not slot[1] and all(c == 1 for _, c in slot[0])
