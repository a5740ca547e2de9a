"""Facts about inputs: how they are stated, what they license, and values that satisfy them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from .formulas import (
    ONE,
    ZERO,
    Add,
    Case,
    Delta,
    Fact,
    Letter,
    Mul,
    Node,
    Ref,
    Size,
    Sum,
    add,
    at,
    letters_in,
    mul,
    power,
    ref,
    sub,
    total,
)
from .grow import Grower, M, N
from .values import NoValue, Table, gauss

I, J, K, L = (Letter(x, N) for x in "ijkl")
A_, B_ = (Letter(x, M) for x in "ab")
Rule = Callable[[Callable[..., Letter], tuple[Letter, ...], random.Random], "tuple | None"]


def rows() -> Fact:
    return Fact(total(ref("A", I, J), J), ONE, "rows", ("A",))


def columns() -> Fact:
    return Fact(total(ref("Q", I, A_), I), ONE, "columns", ("Q",))


def inverse() -> Fact:
    return Fact(total(mul(ref("A", I, J), ref("B", J, K)), J), Delta(at(I), at(K)), "inverse",
                ("A", "B"))  # fmt: skip


def orthogonal() -> Fact:
    return Fact(total(mul(ref("A", K, I), ref("A", K, J)), K), Delta(at(I), at(J)), "orthogonal",
                ("A",))  # fmt: skip


def idempotent() -> Fact:
    body = mul(ref("A", I, J), ref("A", J, K))
    return Fact(total(body, J), ref("A", I, K), "idempotent", ("A",))


def centred() -> Fact:
    return Fact(total(ref("x", I), I), ZERO, "centred", ("x",))


def unit() -> Fact:
    return Fact(total(power(ref("x", I), 2), I), ONE, "unit", ("x",))


def null() -> Fact:
    return Fact(total(mul(ref("A", I, J), ref("x", J)), J), ZERO, "null", ("A", "x"))


def product() -> Fact:
    return Fact(ref("x", I), mul(ref("y", I), ref("p", I)), "named", ("x",))


def prefix() -> Fact:
    from .formulas import Mask

    body = mul(Mask("<=", at(J), at(I)), ref("y", J))
    return Fact(ref("x", I), total(body, J), "named", ("x",))


def mixed() -> Fact:
    return Fact(ref("Q", I, A_), total(mul(ref("W", A_, B_), ref("K", I, B_)), B_), "named",
                ("Q",))  # fmt: skip


FACTS: dict[str, Callable[[], Fact]] = {
    f.__name__: f
    for f in (
        rows,
        columns,
        inverse,
        orthogonal,
        idempotent,
        centred,
        unit,
        null,
        product,
        prefix,
        mixed,
    )
}
NEEDS = {
    "rows": ("A", "x", "y", "B"),
    "columns": ("Q", "K", "u", "y"),
    "inverse": ("A", "B", "x", "y"),
    "orthogonal": ("A", "x", "y", "B"),
    "idempotent": ("A", "x", "y", "B"),
    "centred": ("x", "y", "A", "p"),
    "unit": ("x", "y", "A", "p"),
    "null": ("A", "x", "y", "B"),
    "product": ("x", "y", "p", "A"),
    "prefix": ("x", "y", "p", "A"),
    "mixed": ("Q", "W", "K", "x"),
}


# ------------------------------------------------------------------------------------- values


def satisfy(fact: Fact, tables: dict[str, Table], sizes: Mapping[str, int], case: Case) -> None:
    """Changes the values so that the fact holds."""
    n, m = sizes["n"], sizes["m"]
    name = fact.tensors[0]
    t = tables[name]
    match fact.draw:
        case "rows":
            for i in range(n):
                s = sum(t[i, j] for j in range(n))
                if abs(s) < 0.2:
                    raise NoValue("a row that sums to nothing")
                for j in range(n):
                    t[i, j] /= s
        case "columns":
            for a in range(m):
                s = sum(t[i, a] for i in range(n))
                if abs(s) < 0.2:
                    raise NoValue("a column that sums to nothing")
                for i in range(n):
                    t[i, a] /= s
        case "inverse":
            inverted, _ = gauss([[t[i, j] + 2.0 * (i == j) for j in range(n)] for i in range(n)])
            for i in range(n):
                t[i, i] += 2.0
                for j in range(n):
                    tables[fact.tensors[1]][i, j] = inverted[i][j]
        case "orthogonal":
            columns_: list[list[float]] = []
            for j in range(n):
                v = [t[i, j] + 1.5 * (i == j) for i in range(n)]
                for u in columns_:
                    c = sum(a * b for a, b in zip(u, v, strict=True))
                    v = [a - c * b for a, b in zip(v, u, strict=True)]
                length = sum(a * a for a in v) ** 0.5
                if length < 0.1:
                    raise NoValue("columns that depend on one another")
                columns_.append([a / length for a in v])
            for j, column in enumerate(columns_):
                for i in range(n):
                    t[i, j] = column[i]
        case "idempotent":  # every other eigenvalue is 1, the others 0
            basis = [[t[i, j] + 2.0 * (i == j) for j in range(n)] for i in range(n)]
            inverted, _ = gauss([list(row) for row in basis])
            for i in range(n):
                for j in range(n):
                    t[i, j] = sum(basis[i][k] * inverted[k][j] for k in range(0, n, 2))
        case "centred":
            mean = sum(t.values()) / n
            for i in range(n):
                t[i,] -= mean
        case "unit":
            length = sum(v * v for v in t.values()) ** 0.5
            if length < 0.1:
                raise NoValue("a vector of zeros")
            for i in range(n):
                t[i,] /= length
        case "null":
            x = tables[fact.tensors[1]]
            length = sum(v * v for v in x.values())
            if length < 0.01:
                raise NoValue("a vector of zeros")
            for i in range(n):
                c = sum(t[i, j] * x[j,] for j in range(n)) / length
                for j in range(n):
                    t[i, j] -= c * x[j,]
        case "named":
            from .values import Numbers

            numbers = Numbers(case, sizes, {k: v for k, v in tables.items() if k != name})
            assert isinstance(fact.left, Ref)
            letters = tuple(s.plain for s in fact.left.slots)
            tables[name] = numbers.grid(fact.right, letters)


# --------------------------------------------------------------------------------- consequences


def consequence(
    name: str, grower: Grower, scope: tuple[Letter, ...], rng: random.Random
) -> tuple[Node, Node]:
    """Two formulas over the letters in scope that are equal by the fact."""
    used: set[str] = {x.name for x in scope}

    def new(size: Size, *nodes: Node) -> Letter:
        letter = grower.fresh(size, frozenset(used.union(*map(letters_in, nodes))))
        used.add(letter.name)
        return letter

    def some(size: Size) -> tuple[Letter, bool]:
        near = [x for x in scope if x.size == size]
        return (rng.choice(near), False) if near and rng.random() < 0.8 else (new(size), True)

    i, opened = some(N)
    inside = (*scope, i) if opened else scope
    f = grower.formula(inside, rng.choice((0, 1)))
    j, k = new(N, f), new(N, f)
    match name:
        case "rows":
            pair = mul(f, total(ref("A", i, j), j)), f
        case "columns":
            a, was = some(M)
            opened_here = total if was else (lambda node, _: node)
            pair = opened_here(mul(total(ref("Q", j, a), j), f), a), opened_here(f, a)
        case "inverse":
            g = ref("x", k)
            body = total(mul(ref("A", i, j), ref("B", j, k), g), j, k)
            pair = mul(body, f), mul(ref("x", i), f)
        case "orthogonal":
            l = new(N, f)
            body = total(mul(ref("A", k, i), ref("A", k, j), ref("y", j)), k, j)
            pair = mul(body, f), mul(ref("y", i), f)
            if rng.random() < 0.4:
                norm = total(mul(ref("A", k, j), ref("x", j), ref("A", k, l), ref("x", l)), k, j, l)
                pair = mul(norm, f), mul(total(power(ref("x", j), 2), j), f)
            if rng.random() < 0.4:  # A is square, so that A A⊤ is 1, too
                body = total(mul(ref("A", i, k), ref("A", j, k), ref("y", j)), k, j)
                pair = mul(body, f), mul(ref("y", i), f)
        case "idempotent":
            chained = mul(ref("A", i, j), ref("A", j, k), ref("y", k))
            once = total(mul(ref("A", i, k), ref("y", k)), k)
            pair = mul(total(chained, j, k), f), mul(once, f)
        case "centred":
            body = total(power(sub(ref("x", j), ref("y", i)), 2), j)
            from .formulas import Length

            right = add(total(power(ref("x", j), 2), j), mul(Length(N), power(ref("y", i), 2)))
            pair = rng.choice([(add(f, total(ref("x", j), j)), f), (mul(body, f), mul(right, f))])
        case "unit":
            pair = mul(f, total(power(ref("x", j), 2), j)), f
        case "null":
            from .formulas import Length

            shifted = total(mul(ref("A", i, j), add(ref("y", j), ref("x", j))), j)
            pair = mul(shifted, f), mul(total(mul(ref("A", i, j), ref("y", j)), j), f)
        case "product":
            pair = mul(f, ref("x", i)), mul(f, ref("y", i), ref("p", i))
        case "prefix":
            from .formulas import Mask

            pair = mul(f, ref("x", i)), mul(f, total(mul(Mask("<=", at(j), at(i)), ref("y", j)), j))
        case "mixed":
            a, b = new(M, f), new(M, f)
            more = [ref("u", a)] if "u" in grower.names else []
            left = total(mul(ref("Q", i, a), *more), a)
            right = total(mul(ref("W", a, b), ref("K", i, b), *more), a, b)
            pair = mul(f, left), mul(f, right)
        case _:
            raise AssertionError(name)
    return tuple(total(side, i) if opened else side for side in pair)  # type: ignore[return-value]


def misused(node: Node, fact: Fact, rng: random.Random) -> Node | None:
    """The fact used on a diagonal: Σ_j A_jj in place of Σ_j A_ij."""
    from .formulas import places, replaced

    found = [
        (place, part, scope)
        for place, part, scope in places(node)
        if isinstance(part, Sum) and isinstance(part.body, Ref | Mul | Add)
    ]
    if not found:
        return None
    place, part, _ = rng.choice(found)
    bodies = [
        (p, r) for p, r, _ in places(part.body)
        if isinstance(r, Ref) and r.name in fact.tensors and len(r.slots) == 2
        and all(s.plain for s in r.slots) and r.slots[0].plain.size == r.slots[1].plain.size
    ]  # fmt: skip
    if not bodies:
        return None
    p, r = rng.choice(bodies)
    bound = [s for s in r.slots if s.plain in part.letters]
    if not bound:
        return None
    kept = rng.choice(bound)
    return replaced(
        node, place, Sum(part.letters, replaced(part.body, p, Ref(r.name, (kept, kept))))
    )
