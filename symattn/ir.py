"""The index IR: immutable, interned nodes for scalar expressions in index notation.

Everything is a *scalar expression with free indices*; axis order exists only on a definition.

    Poly   = Σ  coefficient · Term            Term  = Π  atom ** exponent
    atom   = Ref | Delta | Mask | Call | Sum | Max | Argmax | Num | Poly

The same nodes hold two kinds of expression.  A *raw* one is what somebody wrote or what a step of
a derivation shows: it may contain a factored bracket (a Poly as an atom with exponent 1) and its
bound indices carry letters.  A *normal* one is built by `symattn.normalize` only; equal normal
forms are the same object.  Sums are atoms with a scope of their own, so the product of two terms
never has to rename anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import count
from typing import Any, ClassVar, TypeAlias
from weakref import WeakValueDictionary

import sympy as sp

Rational: TypeAlias = "int | Fraction"
Slot: TypeAlias = "Index | Affine"
Atom: TypeAlias = "Ref | Delta | Mask | Call | Sum | Max | Argmax | Num | Poly"

CACHE = 1 << 16  # entries that each memo of the engine keeps

USER, OPENED = 0, -1  # levels of an index; a level above 0 is that of a canonical bound index


def rational(value: Any) -> Rational:
    """The same number as an int where it is one, as a Fraction elsewhere."""
    if type(value) is int:
        return value
    exact = isinstance(value, sp.Rational)
    fraction = Fraction(int(value.p), int(value.q)) if exact else Fraction(value)
    return fraction.numerator if fraction.denominator == 1 else fraction


def magnitude(value: Rational) -> Rational:
    """|value|."""
    return -value if value < 0 else value


class Node:
    """An interned node: structurally equal nodes are the same object, so `is` decides equality."""

    __slots__ = ("__weakref__", "_args", "free", "height")
    _table: ClassVar[WeakValueDictionary[tuple[Any, ...], Node]] = WeakValueDictionary()

    free: frozenset[Index]  # indices that occur free
    height: int  # the highest level of a canonical bound index inside, 0 for none
    _args: tuple[Any, ...]

    @classmethod
    def _intern(cls, key: tuple[Any, ...], args: tuple[Any, ...]) -> Any:
        full = (cls, *key)
        node = Node._table.get(full)
        if node is None:
            node = object.__new__(cls)
            node._args = args
            node._setup(*args)
            Node._table[full] = node
        return node

    def _setup(self, *args: Any) -> None:
        raise NotImplementedError

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), self._args)

    def __copy__(self) -> Node:
        return self

    def __deepcopy__(self, memo: Any) -> Node:
        return self

    def __repr__(self) -> str:
        from .convert import text

        return text(self)


class Index(Node):
    """An index letter with its range 0 … size−1; two may contract when the sizes are equal."""

    __slots__ = ("level", "name", "size", "sort")
    name: str
    size: sp.Expr
    level: int

    def __new__(cls, name: str, size: sp.Expr, level: int = USER) -> Index:
        return cls._intern((name, size, level), (name, size, level))

    def _setup(self, name: str, size: sp.Expr, level: int) -> None:
        self.name, self.size, self.level = name, size, level
        self.free, self.height = frozenset((self,)), 0
        self.sort = (level, len(name) if level else 0, name, size_text(size))


def fresh_indices(sizes: Iterable[sp.Expr], avoid: Iterable[Index]) -> list[Index]:
    """Indices of these sizes that are none of `avoid`, for a scope that is open for a while."""
    taken = {i.name for i in avoid if i.level == OPENED}
    names = (str(k) for k in count() if str(k) not in taken)
    return [Index(next(names), size, OPENED) for size in sizes]


@lru_cache(maxsize=4096)
def size_text(size: sp.Expr) -> str:
    """A size as text, for keys."""
    return str(size)


class Affine(Node):
    """An affine index Σ coefficient·index + constant, as in R^{(i-j)a}."""

    __slots__ = ("const", "items")
    items: tuple[tuple[Index, int], ...]
    const: sp.Expr

    def __new__(cls, items: Iterable[tuple[Index, int]], const: sp.Expr) -> Affine:
        ordered = tuple(sorted(items, key=lambda pair: pair[0].sort))
        return cls._intern((ordered, const), (ordered, const))

    def _setup(self, items: tuple[tuple[Index, int], ...], const: sp.Expr) -> None:
        self.items, self.const = items, const
        self.free, self.height = frozenset(index for index, _ in items), 0


def affine(items: Mapping[Index, int], const: sp.Expr = sp.S.Zero) -> Slot:
    """The slot Σ items + const; a lone index is itself."""
    left = {index: c for index, c in items.items() if c}
    if const == 0 and list(left.values()) == [1]:
        return next(iter(left))
    return Affine(left.items(), sp.sympify(const))


def slot_items(slot: Slot) -> tuple[dict[Index, int], sp.Expr]:
    """A slot as coefficients and constant."""
    if isinstance(slot, Index):
        return {slot: 1}, sp.S.Zero
    return dict(slot.items), slot.const


SIGNS = {  # of what is known of every component, with the assumption that SymPy has of it
    "+": "positive",
    "0+": "nonnegative",
    "-": "negative",
    "0-": "nonpositive",
    "≠": "nonzero",
}


FACTOR = {"+": 1, "0+": 1, "-": -1, "0-": -1}  # of a value that is not negative


def known_sign(symbol: sp.Expr) -> str:
    """The sign that SymPy knows of a symbol or a constant, empty where it knows none."""
    if symbol.is_nonzero is None:
        return next((s for s in ("0+", "0-") if getattr(symbol, f"is_{SIGNS[s]}")), "")
    return next((s for s, name in SIGNS.items() if getattr(symbol, f"is_{name}")), "")


class Tensor(Node):
    """What a tensor symbol is known to be: name, shape, sign, symmetry and role.

    The role says what the tensor is of other tensors, `of`; the name is for display and for the
    arrays of a caller, and nothing is read from it:

        ""          an input or a definition
        partial     ∂numerator/∂denominator, of (numerator, denominator)
        adjoint     the gradient of a loss with respect to `of`
        tangent     the derivative of `of` along a direction
        inverse     the inverse of the square matrix `of`
        det         its determinant;  logdet: the logarithm of the determinant's magnitude
        loss        an abstract scalar function of the tensors `of`
        place       the numbers 0, 1, … of an axis: the index as a number
        stand-in    a name for a part of an expression, local to one computation
    """

    __slots__ = ("definite", "name", "of", "role", "shape", "sign", "symbol", "symmetry")
    name: str
    shape: tuple[sp.Expr, ...]
    sign: str  # of every component: one of SIGNS, or ""
    symmetry: str  # "", "symmetric" or "antisymmetric", in all slots
    symbol: sp.Expr | None  # the SymPy symbol of a scalar
    role: str
    of: tuple[Tensor, ...]
    definite: bool  # a positive definite matrix, symmetric therefore

    def __new__(
        cls,
        name: str,
        shape: tuple[sp.Expr, ...] = (),
        sign: str = "",
        symmetry: str = "",
        symbol: sp.Expr | None = None,
        role: str = "",
        of: tuple[Tensor, ...] = (),
        definite: bool = False,
    ) -> Tensor:
        args = (name, shape, sign, symmetry, symbol, role, of, definite)
        return cls._intern(args, args)

    def _setup(self, *args: Any) -> None:
        self.name, self.shape, self.sign, self.symmetry = args[:4]
        self.symbol, self.role, self.of, self.definite = args[4:]
        self.free, self.height = frozenset(), 0

    @property
    def positive(self) -> bool:
        """Every component is greater than zero."""
        return self.sign == "+"

    @property
    def parts(self) -> tuple[Tensor, Tensor] | None:
        """Numerator and denominator of a partial derivative, None for anything else."""
        return (self.of[0], self.of[1]) if self.role == "partial" else None

    @property
    def named(self) -> tuple[Tensor, ...]:
        """The inputs and definitions that it is made of; itself where it is one."""
        if self.role in ("partial", "inverse", "det", "logdet"):
            return tuple(t for part in self.of for t in part.named)
        return (self,)


def partial_tensor(of: Tensor, wrt: Tensor) -> Tensor:
    """The tensor ∂of/∂wrt, whose slots are those of `of` followed by those of `wrt`."""
    return Tensor(f"∂{of.name}/∂{wrt.name}", of.shape + wrt.shape, role="partial", of=(of, wrt))


OF_MATRIX = ("inverse", "det", "logdet")  # the roles of what all of a matrix is behind


def inverse_tensor(of: Tensor, symmetry: str = "") -> Tensor:
    """The tensor of the inverse of a square matrix; that of an inverse is the matrix itself."""
    if of.role == "inverse":
        return of.of[0]
    return Tensor(
        f"inverse({of.name})",
        of.shape,
        symmetry=of.symmetry or symmetry,
        role="inverse",
        of=(of,),
        definite=of.definite,
    )


def determinant_tensor(of: Tensor, role: str) -> Tensor:
    """det M or log |det M| of a square matrix, as a scalar."""
    sign = "+" if role == "det" and of.definite else ""
    return Tensor(f"{role}({of.name})", (), sign, role=role, of=(of,))


def place(index: Index) -> Ref:
    """The number of an index, counted from 0, as a component of the tensor (0, 1, …)."""
    return Ref(Tensor(f"place({index.size})", (index.size,), role="place"), (index,))


class Unknown(Node):
    """A function that nothing defines, differentiated so often in each of its arguments."""

    __slots__ = ("name", "orders")
    name: str
    orders: tuple[int, ...]

    def __new__(cls, name: str, orders: tuple[int, ...]) -> Unknown:
        return cls._intern((name, orders), (name, orders))

    def _setup(self, name: str, orders: tuple[int, ...]) -> None:
        self.name, self.orders = name, orders
        self.free, self.height = frozenset(), 0

    def derivative(self, k: int) -> Unknown:
        """The derivative in argument k."""
        return Unknown(self.name, tuple(c + (p == k) for p, c in enumerate(self.orders)))

    def __str__(self) -> str:
        if len(self.orders) == 1:
            return self.name + "'" * self.orders[0]
        return "".join(f"d{k + 1}" * c for k, c in enumerate(self.orders)) + self.name


class Ref(Node):
    """A tensor component; a scalar is a tensor without slots."""

    __slots__ = ("slots", "tensor")
    tensor: Tensor
    slots: tuple[Slot, ...]

    def __new__(cls, tensor: Tensor, slots: Iterable[Slot] = ()) -> Ref:
        slots = tuple(slots)
        return cls._intern((tensor, slots), (tensor, slots))

    def _setup(self, tensor: Tensor, slots: tuple[Slot, ...]) -> None:
        self.tensor, self.slots = tensor, slots
        self.free, self.height = _union(slots), 0


def scalar(symbol: sp.Expr) -> Ref:
    """A SymPy symbol (or a constant such as π) as a tensor without slots."""
    return Ref(Tensor(str(symbol), (), known_sign(symbol), symbol=symbol))


class Delta(Node):
    """The Kronecker delta [a = b]."""

    __slots__ = ("a", "b")
    a: Slot
    b: Slot

    def __new__(cls, a: Slot, b: Slot) -> Delta:
        if _slot_sort(b) < _slot_sort(a):
            a, b = b, a
        return cls._intern((a, b), (a, b))

    def _setup(self, a: Slot, b: Slot) -> None:
        self.a, self.b = a, b
        self.free, self.height = a.free | b.free, 0


class Mask(Node):
    """The Iverson bracket [slot ≥ 0] of an affine index."""

    __slots__ = ("slot",)
    slot: Slot

    def __new__(cls, slot: Slot) -> Mask:
        return cls._intern((slot,), (slot,))

    def _setup(self, slot: Slot) -> None:
        self.slot, self.free, self.height = slot, slot.free, 0


class Call(Node):
    """A scalar function applied elementwise: one from the registry by name, or an unknown one."""

    __slots__ = ("args", "name")
    name: str | Unknown
    args: tuple[Poly, ...]

    def __new__(cls, name: str | Unknown, args: Iterable[Poly]) -> Call:
        args = tuple(args)
        return cls._intern((name, args), (name, args))

    def _setup(self, name: str | Unknown, args: tuple[Poly, ...]) -> None:
        self.name, self.args = name, args
        self.free, self.height = _union(args), max((a.height for a in args), default=0)


class Sum(Node):
    """Σ over the bound indices of the body; the scope of these indices is the body."""

    __slots__ = ("body", "bound")
    bound: tuple[Index, ...]
    body: Poly

    def __new__(cls, bound: Iterable[Index], body: Poly) -> Sum:
        bound = tuple(bound)
        return cls._intern((bound, body), (bound, body))

    def _setup(self, bound: tuple[Index, ...], body: Poly) -> None:
        self.bound, self.body = bound, body
        self.free = body.free.difference(bound)
        self.height = max(body.height, max(index.level for index in bound))


class Max(Node):
    """The largest of the arguments, over the whole range of the bound indices.

    In a normal form there is one argument with bound indices, or there are several without any.
    """

    __slots__ = ("args", "bound")
    bound: tuple[Index, ...]
    args: tuple[Poly, ...]

    def __new__(cls, bound: Iterable[Index], args: Iterable[Poly]) -> Max:
        bound, args = tuple(bound), tuple(args)
        return cls._intern((bound, args), (bound, args))

    def _setup(self, bound: tuple[Index, ...], args: tuple[Poly, ...]) -> None:
        self.bound, self.args = bound, args
        self.free = _union(args).difference(bound)
        self.height = max((node.height for node in args), default=0)
        self.height = max(self.height, *(index.level for index in bound), 0)


class Argmax(Node):
    """[at = argmax over the bound indices of the body]: 1 where the body is largest, else 0.

    Of several largest values the first one counts.
    """

    __slots__ = ("at", "body", "bound")
    at: tuple[Slot, ...]
    bound: tuple[Index, ...]
    body: Poly

    def __new__(cls, at: Iterable[Slot], bound: Iterable[Index], body: Poly) -> Argmax:
        at, bound = tuple(at), tuple(bound)
        return cls._intern((at, bound, body), (at, bound, body))

    def _setup(self, at: tuple[Slot, ...], bound: tuple[Index, ...], body: Poly) -> None:
        self.at, self.bound, self.body = at, bound, body
        self.free = _union(at) | body.free.difference(bound)
        self.height = max(body.height, *(index.level for index in bound))


class Num(Node):
    """A prime number as an atom, for irrational powers such as 2^{1/2}."""

    __slots__ = ("prime",)
    prime: int

    def __new__(cls, prime: int) -> Num:
        return cls._intern((prime,), (prime,))

    def _setup(self, prime: int) -> None:
        self.prime, self.free, self.height = prime, frozenset(), 0


class Term(Node):
    """Π atom ** exponent, exponents rational and non-zero; the empty product is 1."""

    __slots__ = ("powers",)
    powers: dict[Atom, Rational]

    def __new__(cls, powers: Mapping[Atom, Rational]) -> Term:
        kept = {atom: e for atom, e in powers.items() if e}
        return cls._intern((frozenset(kept.items()),), (kept,))

    def _setup(self, powers: dict[Atom, Rational]) -> None:
        self.powers = powers
        self.free, self.height = _union(powers), max((a.height for a in powers), default=0)

    def __iter__(self) -> Iterator[tuple[Atom, Rational]]:
        return iter(self.powers.items())


class Poly(Node):
    """Σ coefficient · Term, coefficients rational and non-zero; the empty sum is 0."""

    __slots__ = ("terms",)
    terms: dict[Term, Rational]

    def __new__(cls, terms: Mapping[Term, Rational]) -> Poly:
        kept = {term: c for term, c in terms.items() if c}
        return cls._intern((frozenset(kept.items()),), (kept,))

    def _setup(self, terms: dict[Term, Rational]) -> None:
        self.terms = terms
        self.free, self.height = _union(terms), max((t.height for t in terms), default=0)

    def __iter__(self) -> Iterator[tuple[Term, Rational]]:
        return iter(self.terms.items())

    def __len__(self) -> int:
        return len(self.terms)

    @property
    def single(self) -> tuple[Term, Rational] | None:
        """The only term with its coefficient, None where there are more or none."""
        return next(iter(self.terms.items())) if len(self.terms) == 1 else None

    @property
    def constant(self) -> Rational | None:
        """The value of a rational number, None for anything else."""
        if not self.terms:
            return 0
        only = self.single
        return only[1] if only and only[0] is ONE_TERM else None


def _union(nodes: Iterable[Node]) -> frozenset[Index]:
    found: frozenset[Index] = frozenset()
    for node in nodes:
        if not node.free <= found:  # most have none, or the same
            found = found | node.free if found else node.free
    return found


def _slot_sort(slot: Slot) -> tuple[Any, ...]:
    if isinstance(slot, Index):
        return (0, slot.sort)
    return (1, tuple((i.sort, c) for i, c in slot.items), str(slot.const))


ONE_TERM = Term({})
ZERO = Poly({})
ONE = Poly({ONE_TERM: 1})


def collected(pairs: Iterable[tuple[Any, Rational]]) -> dict[Any, Rational]:
    """Exponents or coefficients by what they belong to; of what is equal they add up."""
    found: dict[Any, Rational] = {}
    for node, value in pairs:
        found[node] = rational(found[node] + value) if node in found else value
    return {node: value for node, value in found.items() if value}


def number(value: Rational) -> Poly:
    """A rational number as an expression."""
    return Poly({ONE_TERM: value})


@lru_cache(maxsize=CACHE)
def raw_atom(atom: Atom, exponent: Rational = 1) -> Poly:
    """atom ** exponent as an expression, as it stands."""
    return Poly({Term({atom: exponent}): 1})


def raw_product(polys: Iterable[Poly]) -> Poly:
    """The product as it stands: several-term factors stay brackets."""
    powers: dict[Atom, Rational] = {}
    coefficient: Rational = 1
    for poly in polys:
        only = poly.single
        if only is None:
            if not poly.terms:
                return ZERO
            powers[poly] = powers.get(poly, 0) + 1
            continue
        coefficient = coefficient * only[1]
        for atom, e in only[0]:
            powers[atom] = powers.get(atom, 0) + e
    return Poly({Term(powers): coefficient})


def raw_sum(bound: Iterable[Index], body: Poly) -> Poly:
    """Σ_bound body as it stands, the factors of a single term that touch no bound index outside."""
    bound = tuple(bound)
    only = body.single
    if not bound or only is None:
        return raw_atom(Sum(bound, body)) if bound and body.terms else body
    inner = {a: e for a, e in only[0] if not a.free.isdisjoint(bound)}
    outer = {a: e for a, e in only[0] if a.free.isdisjoint(bound)}
    total = Sum(bound, Poly({Term(inner): 1}))
    if total in outer:  # Σ_i (w_i / Σ_k w_k) stands as it is: raw forms cancel nothing
        return raw_atom(Sum(bound, body))
    return Poly({Term({**outer, total: 1}): only[1]})


def raw_add(polys: Iterable[Poly]) -> Poly:
    """The sum as it stands, like terms merged."""
    found = list(polys)
    if len(found) == 1:
        return found[0]
    terms: dict[Term, Rational] = {}
    for poly in found:
        for term, c in poly:
            terms[term] = terms.get(term, 0) + c
    return Poly(terms)


def parts(node: Any) -> tuple[Node, ...]:
    """What a node is made of: the terms of a sum, the factors of a product, arguments, bodies."""
    match node:
        case Poly():
            return tuple(node.terms)
        case Term():
            return tuple(node.powers)
        case Call() | Max():
            return node.args
        case Sum() | Argmax():
            return (node.body,)
    return ()


def inside(node: Any) -> Iterator[Node]:
    """The node and all that it is made of, each once: equal parts are one object."""
    seen, left = {node}, [node]
    while left:
        yield (last := left.pop())
        new = [part for part in parts(last) if part not in seen]
        seen.update(new)
        left += reversed(new)


@lru_cache(maxsize=4096)
def extent(node: Any) -> int:
    """How many nodes are written where equal ones are not shared."""
    return 1 + sum(map(extent, parts(node)))


@lru_cache(maxsize=CACHE)
def functions(node: Any) -> frozenset[str]:
    """The names of all functions inside that have a definition."""
    own = (node.name,) if isinstance(node, Call) and isinstance(node.name, str) else ()
    return frozenset(own).union(*map(functions, parts(node)))


@lru_cache(maxsize=CACHE)
def refs(node: Node) -> Mapping[Ref, None]:
    """Every tensor component inside, in order of appearance."""
    found: dict[Ref, None] = {}
    _collect_refs(node, found, set())
    return found


def ranges_of(node: Node) -> Iterator[sp.Expr]:
    """The sizes of all letters inside, free or bound."""
    for part in inside(node):
        yield from (i.size for i in (*part.free, *getattr(part, "bound", ())))


def sizes_of(node: Node) -> Iterator[sp.Expr]:
    """The sizes of all letters inside, and what stands beside letters in slots and masks."""
    yield from ranges_of(node)
    for part in inside(node):
        slots = part.slots if isinstance(part, Ref) else ()
        slots = (part.slot,) if isinstance(part, Mask) else slots
        slots = (part.a, part.b) if isinstance(part, Delta) else slots
        yield from (slot_items(s)[1] for s in slots)


def _collect_refs(node: Node, found: dict[Ref, None], seen: set[Node]) -> None:
    if node in seen:  # equal parts are one object, and are visited once
        return
    seen.add(node)
    if isinstance(node, Ref):
        found[node] = None
    for child in parts(node):
        _collect_refs(child, found, seen)
