"""Which of several arrays are contracted first, decided at plausible sizes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp
from opt_einsum import get_symbol, paths

from ..ir import Index
from .nodes import Label, Node, in_order

Shape = tuple[Label, ...]
MOST = 6  # operands of which every order is tried; of more, those without outer products
NEAR = 16  # sizes that differ by less are alike
OPEN = 2.0  # an order that costs so many times the best one at some sizes is left open
TWICE = 0.7  # the logarithm of 2, of the work that may be spent to solve
ALIKE = 0.1  # of the logarithm of the work, by which an array that comes in is not scaled
MANY = 6  # operands; the work of contracting more is not estimated


Symbols = frozenset[sp.Symbol]


@lru_cache(maxsize=256)
def scenarios(symbols: Symbols, long: Symbols = frozenset()) -> tuple[dict[sp.Symbol, int], ...]:
    """Plausible sizes: all alike, each in turn small or large against the others, and, a third of
    them, those that are `long` larger than the others."""
    ordered = sorted(symbols, key=str)
    base = {s: 256 + k for k, s in enumerate(ordered)}
    turns = [base | {s: v} for s in ordered for v in (24, 3072)]
    tall = {s: (2048 if s in long else 64) + k for k, s in enumerate(ordered)}
    return (base, *turns, *[tall] * (len(ordered) if symbols & long and symbols - long else 0))


@lru_cache(maxsize=4096)
def lengths(size: sp.Expr, symbols: Symbols, long: Symbols = frozenset()) -> Any:
    """The values of a size in every scenario."""
    return np.array([max(1.0, float(size.subs(s))) for s in scenarios(symbols, long)])


def lengthy(shapes: Iterable[tuple[sp.Expr, ...]]) -> Symbols:
    """The sizes that are the first axis of arrays with several axes, and no other axis of any:
    rows are samples or positions as a rule, and more than there are columns.  Of an array that
    pairs things of one kind their size counts as the first, wherever it stands."""
    first, other = set[sp.Expr](), set[sp.Expr]()
    for shape in shapes:
        if len(shape) > 1:
            rows = {x for x in shape if shape.count(x) > 1} or {shape[0]}
            first |= rows
            other |= {*shape} - rows
    return symbols_of(first) - symbols_of(other)


def symbols_of(sizes: Iterable[sp.Expr]) -> Symbols:
    return frozenset(s for size in sizes for s in size.free_symbols)


def points(sizes: Iterable[sp.Expr], symbols: Symbols, long: Symbols) -> Any:
    """The product of sizes in every scenario."""
    result = np.ones(len(scenarios(symbols, long)))
    for size in sizes:
        result = result * lengths(size, symbols, long)
    return result


def work(nodes: Iterable[Node], long: Symbols) -> float:
    """The geometric mean, over plausible sizes, of the operations in these nodes."""
    nodes = list(nodes)
    if not nodes:
        return 0.0
    symbols = symbols_of(size for n in nodes for size in n.sizes)
    total = sum(points(n.sizes, symbols, long) * max(1, len(n.args)) for n in nodes)
    return float(np.exp(np.log(total).mean()))


def first_pair(
    shapes: Sequence[Shape],
    out: Shape,
    long: Symbols = frozenset(),
    given: Collection[int] = (),
    inverses: Collection[int] = (),
) -> tuple[int, int]:
    """The two of at least three operands to contract first.

    Of the orders that are best at one set of plausible sizes, the one with the least work over
    all; of equal ones that with the first operands, so that a symmetric result is not turned.  None
    of the `given` operands is scaled where another one may be: that would be an array of its own.
    M⁻¹, of `inverses`, goes with one factor, for which it is solved, before that is multiplied with
    others: their product has not the digits for it.
    Of many operands two with the same letters go first: no order has less work.
    """
    if len(shapes) > MOST:
        letters = [frozenset(shape) for shape in shapes]
        for first, own in enumerate(letters):
            if own in letters[first + 1 :]:
                return first, letters.index(own, first + 1)
    found = _paths(in_order(x for shape in shapes for x in shape), shapes, out, long)
    least = min(found.values())

    def rank(pair: tuple[int, ...]) -> tuple[bool, float, tuple[int, ...]]:
        letters = {x for n in pair for x in shapes[n]}
        scaled = any(letters <= set(shapes[k]) for k in given if k in pair)
        loose = bool(inverses) and not any(k in inverses for k in pair)
        far = found[pair] > least + (TWICE if inverses else ALIKE)
        return scaled or loose or far, found[pair], pair

    first, second = min(found, key=rank)
    return first, second


@lru_cache(maxsize=4096)
def effort(arrays: frozenset[frozenset[Index]], out: frozenset[Index], long: Symbols) -> float:
    """The operations of a contraction in its best order, the geometric mean over plausible sizes;
    0 for one of so many arrays that the search takes long.

    An array with no letter of its own goes with another one.
    """
    shapes = sorted(
        (x for x in arrays if not any(x < y for y in arrays)),
        key=lambda x: (len(x), sorted(i.sort for i in x)),
    )
    if len(shapes) > MANY:
        return 0.0
    letters = sorted({i for shape in shapes for i in shape}, key=lambda i: i.sort)
    if len(shapes) < 2:
        symbols = symbols_of(i.size for i in letters)
        spent = points([i.size for i in letters], symbols, long)
        return float(np.exp(np.log(spent).mean()))
    return float(np.exp(min(_paths(letters, shapes, out, long).values())))


def _paths(
    letters: Sequence[Any], shapes: Sequence[Iterable[Any]], out: Iterable[Any], long: Symbols
) -> dict[tuple[int, ...], float]:
    """The pairs that good orders begin with, and the mean logarithm of the work that follows."""
    symbols = symbols_of(x.size for x in letters)
    letter = {x: get_symbol(k) for k, x in enumerate(letters)}  # the same ones in every process
    start = [frozenset(letter[x] for x in shape) for shape in shapes]
    kept = frozenset(letter[x] for x in out)
    size = {letter[x]: lengths(x.size, symbols, long) for x in letters}
    cases = len(scenarios(symbols, long))

    def cost(left: list[frozenset[str]], path: Path) -> float:
        return round(float(np.log(_work(left, kept, size, path)).mean()), 6)

    found: dict[tuple[int, ...], float] = {}
    # The search keeps the first order it meets: small operands first finds others of equal work.
    for order in (range(len(start)), sorted(range(len(start)), key=lambda k: len(start[k]))):
        left = [start[k] for k in order]
        for path in dict.fromkeys(_orders(left, kept, size, cases)):
            pair = tuple(sorted(order[k] for k in path[0]))
            found[pair] = min(cost(left, path), found.get(pair, np.inf))
    return found


Path = tuple[tuple[int, ...], ...]


def _orders(
    inputs: Sequence[frozenset[str]], out: frozenset[str], size: Mapping[str, Any], cases: int
) -> list[Path]:
    """The order with the least work for each of several sets of sizes."""
    if len(inputs) > MOST:
        search = paths.DynamicProgramming()
        return [
            tuple(map(tuple, search(inputs, out, {x: int(n[case]) for x, n in size.items()})))
            for case in range(cases)
        ]
    best = _best(inputs, out, size, cases)
    return [_path(best, len(inputs), case) for case in range(cases)]


def _best(
    inputs: Sequence[frozenset[str]], out: frozenset[str], size: Mapping[str, Any], cases: int
) -> dict[int, tuple[Any, Any]]:
    """For every set of operands, as bits, the least work and the part that is one of its two."""
    every = (1 << len(inputs)) - 1
    letters = {0: frozenset[str]()}
    for k, x in enumerate(inputs):
        letters.update({s | 1 << k: letters[s] | x for s in list(letters)})
    made = {s: x & (out | letters[every & ~s]) for s, x in letters.items()}
    best: dict[int, tuple[Any, Any]] = {1 << k: (np.zeros(cases), None) for k in range(len(inputs))}
    for s in range(1, every + 1):
        if s in best:
            continue
        splits = [part for part in range(1, s) if part & s == part and part & s & -s]
        splits.sort(key=lambda part: (-part.bit_count(), part))  # the first operands first
        spent = []
        for part in splits:
            union = made[part] | made[s & ~part]
            points = np.prod([size[x] for x in sorted(union)] or [np.ones(cases)], axis=0)
            work = points * (1 + (made[s] < union))
            spent.append(best[part][0] + best[s & ~part][0] + work)
        first = np.argmin(spent, axis=0)
        best[s] = np.min(spent, axis=0), np.array(splits)[first]
    return best


def _path(best: Mapping[int, tuple[Any, Any]], count: int, case: int) -> Path:
    """The pairs in turn, by their places among what is left; a result comes last."""
    found: list[tuple[int, ...]] = []
    left = [1 << k for k in range(count)]

    def contract(s: int) -> None:
        if s in left:
            return
        part = int(best[s][1][case])
        contract(part)
        contract(s & ~part)
        pair = tuple(sorted((left.index(part), left.index(s & ~part))))
        found.append(pair)
        for k in reversed(pair):
            del left[k]
        left.append(s)

    contract((1 << count) - 1)
    return tuple(found)


def least(inputs: Sequence[frozenset[str]], out: frozenset[str], size: Mapping[str, Any]) -> Any:
    """The least work of a contraction, for every set of sizes."""
    cases = len(next(iter(size.values())))
    if len(inputs) > MOST:
        ordered = _orders(inputs, out, size, cases)
        return np.min([_work(inputs, out, size, path) for path in set(ordered)], axis=0)
    return _best(inputs, out, size, cases)[(1 << len(inputs)) - 1][0]


def undecided(shapes: Sequence[Shape], out: Shape, long: Symbols = frozenset()) -> bool:
    """No order of a contraction is near the best one at all plausible sizes, those that are `long`
    being at least as long as the others."""
    letters = in_order(x for shape in shapes for x in shape)
    symbols = symbols_of(x.size for x in letters)
    if not 2 < len(shapes) <= MOST:
        return False
    size = {str(k): lengths(x.size, symbols, long) for k, x in enumerate(letters)}
    name = {x: str(k) for k, x in enumerate(letters)}
    start = [frozenset(name[x] for x in shape) for shape in shapes]
    kept, cases = frozenset(name[x] for x in out), len(scenarios(symbols, long))
    ends = [[x for x in symbols if (x in long) == tall] for tall in (True, False)]
    likely = np.array([
        not all(ends) or min(s[x] for x in ends[0]) >= max(s[x] for x in ends[1]) - NEAR
        for s in scenarios(symbols, long)
    ])  # fmt: skip
    best = _best(start, kept, size, cases)[(1 << len(start)) - 1][0]
    spent = [
        _work(start, kept, size, path) for path in dict.fromkeys(_orders(start, kept, size, cases))
    ]
    return min(float(np.max((x / best)[likely])) for x in spent) > OPEN


def _work(
    left: Sequence[frozenset[str]], kept: frozenset[str], size: Mapping[str, Any], path: Path
) -> Any:
    """The work of an order, at every set of sizes."""
    spent: Any = 0.0
    for pair in path:
        union = sorted(frozenset().union(*(left[k] for k in pair)))
        left = [x for k, x in enumerate(left) if k not in pair]
        made = kept.union(*left).intersection(union)
        points = np.prod([size[x] for x in union], axis=0)
        spent = spent + points * (1 + (len(made) < len(union)))
        left = [*left, made]
    return spent


__all__ = ["effort", "first_pair", "least", "lengths", "lengthy", "symbols_of", "undecided", "work"]
