r"""Averages: \mathbb{E}_{i \sim p}[x^i], \mathrm{Var}_p(x), \mathrm{Cov}, ⟨E⟩, as sums over p.

The distribution stands below the sign or is declared (`expectation p over x`).  A document that
gives an average by an equation of its own, ⟨E⟩ = …, defines a name, mean_E.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import sympy as sp

from . import opaque
from .applications import application
from .moments import SIGNS, Moments, TooLarge, is_sign
from .names import Context, Names, is_letter, is_open, stem
from .scripts import Component, component
from .sizes import Letter, unnamed
from .source import ReadError
from .terms import Add, Number, Pow, copies, refs
from .tree import (
    Addition,
    Chain,
    Fraction,
    Given,
    Group,
    Name,
    Node,
    Product,
    Scripted,
    Symbol,
    base_of,
    children,
    listed,
    mapped,
    spelled,
    walk,
)
from .values import Scope, Value, once

if TYPE_CHECKING:
    from .elaborate import Reader

_LATEX = {"E": r"\mathbb{E}", "Var": r"\mathrm{Var}", "Cov": r"\mathrm{Cov}"}
_SHOWN = {"E": "this expectation", "Var": "this variance", "Cov": "this covariance"}
_WORDS = {"E": "an expectation", "Var": "a variance", "Cov": "a covariance"}


@dataclass(frozen=True)
class Weight:
    """A distribution: the letter of its outcome and what stands for it, each None where unsaid."""

    letter: str | None
    node: Node | None


@dataclass(frozen=True)
class Average:
    """An average as it is written: its sign, what stands below it, and its arguments."""

    at: int
    sign: str
    below: Node | None
    items: tuple[Node, ...]


def average(node: Node) -> Average | None:
    """⟨E⟩ or a sign of expectation before its brackets, where the node is nothing else."""
    scripts = node.scripts if isinstance(node, Scripted) else ()
    base = base_of(node)
    below = next((s for mark, s in scripts if mark == "_"), None)
    if any(mark == "^" for mark, _ in scripts):
        return None
    if isinstance(base, Group) and is_sign(base):
        return Average(node.at, "E", below, base.items)
    match base:
        case Product(parts=((_, sign), ("", Group() as body))):
            scripts = sign.scripts if isinstance(sign, Scripted) else ()
            sign = base_of(sign)
            if isinstance(sign, Symbol) and sign.text in SIGNS:
                below = scripts[0][1] if scripts else None
                return Average(node.at, sign.text, below, listed(body))
    return None


def weights(below: Node | None, names: Names, here: Context) -> list[Weight]:
    """The distributions below a sign of expectation."""
    match below:
        case None:
            return [Weight(None, None)]
        case Group(bracket="{") if len(below.items) > 1:
            if isinstance(below.items[-1], Chain) and not isinstance(below.items[0], Chain):
                raise names.source.fail(
                    below.at,
                    "an average over two outcomes of one distribution",
                    expected=r"\mathbb{E}_{i \sim p, j \sim q}",
                    mend=r"write the sum: \sum_{i,j} p^{ij} …",
                )
            return [w for item in below.items for w in weights(item, names, here)]
        case Chain(sides=(Name() as letter, node), relations=(("∼", _),)) if is_letter(letter):
            if isinstance(node, Product) and not any(
                is_open(n) or _is(n, letter.text) for n in walk(node)
            ):
                raise names.source.fail(
                    node.at,
                    "this is no distribution over an index",
                    expected=r"p, p^i or A^{j\cdot}: a tensor of probabilities",
                    mend="averages are sums over an index; give a continuous one a name",
                )
            return [Weight(letter.text, node)]
        case Name() if below.text in names.averages.values() or (
            is_letter(below) and here.has_index(below.text)
        ):
            return [Weight(below.text, None)]
        case Product():
            call = application(below.parts, 0)
            outcomes = [i for i in call.items if is_letter(i)] if call else []
            return [Weight(outcomes[0].text if len(outcomes) == 1 else None, below)]
    return [Weight(None, below)]


def declared(names: Names) -> Weight | None:
    """The one distribution that a document declares, None where it declares none or several."""
    if len(names.averages) != 1:
        return None
    ((p, letter),) = names.averages.items()
    return Weight(letter, Name(0, p))


def infer(trees: Iterable[Node], names: Names) -> bool:
    r"""Enter the p of \langle E \rangle = \sum_i p_i E_i, where all averages of the text are alike.

    With it \langle E^2 \rangle is \sum_i p_i E_i^2.  So it is where some \sum_i p_i E_i stands in a
    text that speaks of probabilities, whatever it is called.
    """
    if names.averages:
        return False
    trees = [*trees]
    found, kinds = dict[str, str](), set[tuple[bool, bool]]()
    for tree in trees:
        for node in walk(tree):
            said = average(node)
            if said is not None:
                kinds.add((isinstance(stem(node), Group), said.below is None))
        if isinstance(tree, Chain) and tree.relations[0][0] in ("=", ":="):
            found |= dict(over(tree.sides[0], tree.sides[1]))
    if not found and _CHANCES.search(names.source.text):
        drawn = {x for tree in trees for node in walk(tree) for x in _drawn(node)}
        sides = (side for tree in trees if isinstance(tree, Chain) for side in tree.sides)
        found = {p: i for side in sides for p, i in _weights(side, drawn)}
    if len(found) != 1 or len(kinds) != 1 or not all(plainly for _, plainly in kinds):
        return False
    names.averages, names.inferred = found, True
    return True


_CHANCES = re.compile(r"[Pp]robabilit")


def _drawn(node: Node) -> Iterator[str]:
    r"""The E of \langle E^2 \rangle."""
    said = average(node)
    for item in said.items if said is not None else ():
        inner = base_of(item)
        yield from [inner.text] if isinstance(inner, Name) else ()


def _weights(side: Node, drawn: set[str]) -> Iterator[tuple[str, str]]:
    """p and i of Σ_i p_i E_i, where E is averaged elsewhere."""
    for x in drawn:
        mean = Group(side.at, "<", (Name(side.at, x),))
        yield from over(mean, side)


def condition(trees: Iterable[Node]) -> Name | None:
    r"""The X of \mathbb{E}[u | X], where every average of the text is given it; None elsewhere.

    X is a constant then, as in a regression, and no average is of X itself.
    """
    found: Name | None = None
    bodies = [body for tree in trees for n in walk(tree) for body in _bodies(n)]
    for body in bodies:
        last = body.items[-1] if body.items else None
        given = last.given if isinstance(last, Given) else ()
        if len(given) != 1 or not isinstance(given[0], Name):
            return None
        if found is not None and found.text != given[0].text:
            return None
        found = given[0]
    plain = [_without(i) for body in bodies for i in body.items]
    inner = any(isinstance(n, Given) for i in plain for n in walk(i))
    return None if len(bodies) < 2 or found in plain or inner else found


def unconditioned(tree: Any, name: str) -> Any:
    r"""The tree with \mathbb{E}[u] for \mathbb{E}[u | X]."""
    if not isinstance(tree, Node):
        return tree
    inside = {id(body) for body in _bodies(tree)}

    def told(node: Any) -> Any:
        if id(node) in inside:
            node = replace(node, items=(*map(_without, node.items),))
        return unconditioned(node, name)

    return mapped(tree, told)


def _bodies(node: Node) -> Iterator[Group]:
    """The brackets of averages that stand in a node, whatever else does."""
    if isinstance(node, Chain | Product | Addition | Fraction):
        yield from (n for n in children(node) if isinstance(n, Group) and is_sign(n))
    for (_, sign), (op, body) in pairwise(getattr(node, "parts", ())):
        base = base_of(sign) if isinstance(node, Product) and isinstance(sign, Node) else None
        if isinstance(base, Symbol) and base.text in SIGNS and op == "" and isinstance(body, Group):
            yield body


def _without(node: Node) -> Node:
    """The u of u | X."""
    return node.items[0] if isinstance(node, Given) and len(node.items) == 1 else node


def over(mean: Node, total: Node) -> Iterator[tuple[str, str]]:
    """p and i of ⟨E⟩ = Σ_i p_i E_i."""
    said = average(mean)
    match said, total:
        case (
            Average(sign="E", below=None, items=(Name() as x,)),
            Product(
                parts=(
                    (_, Scripted(base=Symbol(kind="sum"), scripts=(("_", Name() as i),))),
                    ("", Scripted(base=Name() as p, scripts=(("_", Name() as j),))),
                    ("", Scripted(base=Name() as q, scripts=(("_", Name() as k),))),
                )
            ),
        ) if i.text == j.text == k.text and (x.text in (p.text, q.text)) and p.text != q.text:
            yield (q.text if x.text == p.text else p.text), i.text


def outcomes(names: Names, here: Context) -> set[str]:
    """The letters that the averages of a statement bind: those of outcomes that are indices."""
    if not here.averages:
        return set()
    found = {w.letter for w in _discrete(names, here)}
    stated = declared(names)
    if None in found and stated is not None:
        found.add(stated.letter)
    return {x for x in found if x is not None}


def distributions(names: Names, here: Context) -> Iterator[tuple[str, int, int]]:
    """The names of the distributions in a statement: how many indices each has, and where."""
    for weight in _discrete(names, here):
        node = weight.node
        call = application(node.parts, 0) if isinstance(node, Product) else None
        found = component(call.name if call else node, names, here) if node else None
        if found is None or node is None:
            continue
        slots = call.split(here)[0] if call else found.slots
        stated = any(is_open(s) or _is(s, weight.letter) for s in slots)
        yield found.name, len(slots) + (not stated), node.at


def _discrete(names: Names, here: Context) -> Iterator[Weight]:
    """The distributions over an index; z ∼ q is none where z is nowhere an index."""
    for below in here.averages:
        try:
            found = weights(below, names, here)
        except ReadError:
            if not names.lenient:
                raise
            continue
        for weight in found:
            letter = weight.letter
            stated = letter is None or letter in names.averages.values() or here.letters[letter]
            if stated or not names.lenient:
                yield weight


def _is(slot: Node, letter: str | None) -> bool:
    return isinstance(slot, Name) and slot.text == letter


def named(node: Node, names: Names, here: Context) -> Component | None:
    """The name mean_E of ⟨E⟩, where nothing says which distribution is meant."""
    found = average(node)
    return name(found, names, here) if found is not None else None


def name(found: Average, names: Names, here: Context) -> Component | None:
    """The name of an average, where nothing says which distribution is meant."""
    if found.below is not None or names.averages or len(found.items) != 1:
        return None
    inner = component(found.items[0], names, here)
    if inner is None or inner.power is not None or inner.transposed:
        return None
    if names.laws and inner.name in names.laws.keys() | names.about:  # which follows from a law
        return None
    return Component(found.at, f"{SIGNS[found.sign]}_{inner.name}", inner.slots)


# ----------------------------------------------------------------------------------------- values


def read(reader: Reader, said: Average, scope: Scope) -> Value:
    """The average as a sum over its distribution, else a quantity of its own.

    Raises ReadError where no distribution over an index is stated and the reading is strict.
    """
    names = reader.names
    mark, ranks = reader.sizes.mark(), dict(names.ranks)
    try:
        return _sum(reader, said, scope)
    except ReadError:
        if not names.lenient or (names.averages and not names.inferred):
            raise
        reader.sizes.back(mark)
        names.ranks.clear()
        names.ranks.update(ranks)
    return _quantity(reader, said, scope)


def _quantity(reader: Reader, said: Average, scope: Scope) -> Value:
    """An average over a continuum, or over a distribution that is not stated."""
    quiet = replace(reader, outcome=None)
    items = [i for item in said.items for i in (_items(item))]
    if said.sign != "E" and len(items) == 1:
        items *= 2  # Var(x) is Cov(x, x)
    inside = [quiet.read(item, scope) for item in items]
    shape = (inside[0].row, inside[0].col)
    if said.sign != "E":  # of vectors a matrix
        shape = (inside[0].row, inside[-1].row) if inside[0].row else (None, None)
    own = [unnamed(0, said.at) if x is not None else None for x in shape]
    for mine, other in zip(own, shape, strict=True):
        if mine is not None and other is not None:
            reader.sizes.unite(mine.size, other.size, said.at, "an axis of this average")
    below = () if said.below is None else spelled(said.below)
    why = f"{_WORDS[said.sign]} over a distribution that is not stated as a tensor"
    kind = (below, reader.source.section(said.at))
    plainly = not any(isinstance(i, Given) for i in said.items)
    if plainly and len(inside) == (1 if said.sign == "E" else 2):
        moments = Moments(reader, said.at, kind, why, _outcome(reader, said.below))
        with suppress(TooLarge):
            if said.sign == "E":
                mean = moments.mean(inside[0].term)
                found = replace(inside[0], term=mean, free=once(inside[0].free))
                return _lawful(reader, "mean", found, said.at)
            if not any(v.col for v in inside):
                term = moments.covariance(inside[0].term, inside[-1].term)
                free = {x: n for v in inside for x, n in once(v.free).items()}
                found = Value(term, free, inside[0].row, inside[-1].row)
                return _lawful(reader, SIGNS[said.sign], found, said.at)
    several = (len(said.items), *kind)
    return opaque.value(reader, SIGNS[said.sign], inside, said.at, why, (own[0], own[1]), several)


def _lawful(reader: Reader, stem: str, found: Value, at: int) -> Value:
    """A moment that follows from laws, under a name of its own: an equation does not define it."""
    moments = {r.name for r in refs(found.term)} & reader.names.moments.keys()
    return found if moments or not reader.names.laws else opaque.defined(reader, stem, found, at)


def _outcome(reader: Reader, below: Node | None) -> set[str]:
    """The z of z ∼ q(z | x), of q(z) and of z below a sign, as it is written and as it is read."""
    nodes: tuple[Node, ...] = ()
    match below:
        case Chain(sides=(Name() as z, _), relations=(("∼", _),)):
            nodes = (z,)
        case Product():
            call = application(below.parts, 0)
            nodes = call.items if call else ()
    written = {n.text for n in nodes if isinstance(n, Name)}
    read = (component(n, reader.names, reader.here) for n in nodes if isinstance(n, Name))
    return written | {c.name for c in read if c is not None}


def _items(item: Node) -> tuple[Node, ...]:
    """What stands before the bar of 𝔼[x | z] and behind it."""
    return (*item.items, *item.given) if isinstance(item, Given) else (item,)


def _sum(reader: Reader, said: Average, scope: Scope) -> Value:
    names = reader.names
    own = name(said, names, reader.here)
    if own is not None and own.name in names.means:
        return reader.tensor(own.name, own.slots, said.at, scope)
    for item in said.items:
        if isinstance(item, Given):
            raise reader.fail(
                item,
                "an expectation under a condition",
                expected=r"\mathbb{E}_{i \sim p}[x^i]",
                mend="write the conditional distribution below the sign",
            )
    if len(said.items) != (2 if said.sign == "Cov" else 1):
        raise reader.fail(
            said.at,
            f"{_WORDS[said.sign]} of {len(said.items)} expressions",
            expected="two" if said.sign == "Cov" else "one",
            mend="look at the brackets",
        )
    found = [_stated(reader, said, w) for w in weights(said.below, names, reader.here)]
    occurring = {n.text for item in said.items for n in walk(item) if isinstance(n, Name)}
    bound = [Letter(w.letter or "i", said.at) for w in found]
    explicit = all(w.letter in occurring for w in found)
    values = _read(reader, said, bound, explicit, _inner(scope, found, bound))
    if len(found) == 1 and not _occurs(bound[0], values):
        bound = [_found(reader, said, found[0], values, scope)]
        found = [Weight(bound[0].name, found[0].node)]
        values = _read(reader, said, bound, True, scope.inner(bound))
    quiet = replace(reader, outcome=None)
    inner = _inner(scope, found, bound)
    given = [_weight(quiet, w, x, inner) for w, x in zip(found, bound, strict=True)]

    def mean(*values: Value) -> Value:
        """Σ p·values, without the letters it binds."""
        whole = reader.summed([*given, *values], bound, inner, said.at)
        free = {x: n for x, n in whole.free.items() if x not in bound}
        return replace(whole, free=free, row=values[0].row, col=values[0].col)

    if said.sign == "E":
        return mean(*values)
    if not all(copies(v.term, 4) for v in values):
        raise reader.fail(
            said.at,
            f"{_WORDS[said.sign]} of an expression that is too large to be written twice",
            mend="give parts of the formula names of their own",
        )
    first, second = values[0], values[-1]
    if said.sign == "Cov":
        if first.axes or second.axes:
            raise reader.fail(said.at, "a covariance of vectors", mend="write their indices")
        product, means = mean(first, second), [mean(first), mean(second)]
        square = reader.summed(means, [], scope, said.at).term
    else:
        double = Number(sp.Integer(2))
        product = mean(replace(first, term=Pow(first.term, double), free=once(first.free)))
        square = Pow(mean(first).term, double)
    return replace(product, term=Add(((1, product.term), (-1, square))))


def _stated(reader: Reader, said: Average, weight: Weight) -> Weight:
    """The weight with the declared distribution where none is written."""
    names = reader.names
    if weight.node is not None:
        known = weight.node.text if isinstance(weight.node, Name) else ""
        return Weight(weight.letter or names.averages.get(known), weight.node)
    stated = declared(names)
    if stated is not None:
        assert isinstance(stated.node, Name)
        here = Name(said.at, stated.node.text)  # the name of the section
        stated = Weight(weight.letter or stated.letter, here)
    for p, letter in names.averages.items():
        if letter == weight.letter:
            stated = Weight(letter, Name(said.at, p))
    if stated is None and names.averages:
        raise reader.fail(
            said.at,
            f"{_WORDS[said.sign]} over which distribution?",
            expected=" or ".join(rf"\mathbb{{E}}_{{{p}}}" for p in names.averages),
            mend="write the distribution below the sign",
        )
    if stated is None:
        raise reader.fail(
            said.at,
            f"{_WORDS[said.sign]} needs a distribution, and none is stated",
            expected=rf"{_LATEX[said.sign]}_{{i \sim p}}, or a distribution that is declared",
            mend="declare <!-- symattn: expectation p over i -->, write "
            rf"{_LATEX[said.sign]}_{{i \sim p}}, or define it by an equation",
        )
    return stated


def _read(
    reader: Reader, said: Average, bound: list[Letter], explicit: bool, scope: Scope
) -> list[Value]:
    inside = replace(reader, outcome=(bound[0], explicit) if len(bound) == 1 else None)
    return [inside.read(item, scope) for item in said.items]


def _inner(scope: Scope, found: list[Weight], bound: list[Letter]) -> Scope:
    """The scope under the average; an outcome without a letter cannot be meant by any."""
    inner = scope.inner(x for w, x in zip(found, bound, strict=True) if w.letter is not None)
    return replace(inner, fixed=inner.fixed | frozenset(bound))


def _occurs(letter: Letter, values: list[Value]) -> bool:
    return any(x.real() is letter for value in values for x in value.free)


def _found(
    reader: Reader, said: Average, weight: Weight, values: list[Value], scope: Scope
) -> Letter:
    """The one letter of the argument that nothing else binds: the outcome of E_p[x^i]."""
    free = {x.real(): None for value in values for x in value.free if x.real() not in scope.fixed}
    p = weight.node.text if isinstance(weight.node, Name) else "p"
    shown = rf"{_LATEX[said.sign]}_{{i \sim {p}}}"
    if weight.letter is None and len(free) == 1:
        (letter,) = free
        return Letter(letter.name, letter.at)
    if weight.letter is None and free:
        raise reader.fail(
            said.at,
            f"{_WORDS[said.sign]} over which index: {' or '.join(x.name for x in free)}?",
            expected=shown,
            mend="name the index of the outcome below the sign",
        )
    raise reader.fail(
        said.items[0],
        f"nothing under {_SHOWN[said.sign]} depends on its outcome {weight.letter or ''}".rstrip(),
        expected="a name with the index of the outcome, or with one axis",
        mend=f"write {shown} and the index, or declare the shape: "
        f"<!-- symattn: sizes {_bare(said)}:(n) -->",
    )


def _bare(said: Average) -> str:
    """A name in the argument, to show how its shape is declared."""
    return next((n.text for n in walk(said.items[0]) if isinstance(n, Name)), "x")


def _weight(reader: Reader, weight: Weight, letter: Letter, scope: Scope) -> Value:
    """The component of a distribution at an outcome."""
    node = weight.node
    assert node is not None
    if isinstance(node, Name):
        reader.names.ranks.setdefault(node.text, 1)
        reader.names.places.setdefault(node.text, node.at)
    value = reader.read(node, scope)
    if len(value.axes) == 1:
        reader.sizes.same_letter(letter, value.axes[0], node.at, f"the outcome {letter.name}")
        free = {**value.free, letter: (1, 0)}
        return replace(value, free=free, row=None, col=None)
    if value.axes or letter not in {x.real() for x in value.free}:
        raise reader.fail(
            node,
            f"this distribution has {len(value.axes)} axes beside the outcome {letter.name}"
            if value.axes
            else f"this distribution does not depend on the outcome {letter.name}",
            expected=r"p, p^i or A^{j\cdot}",
            mend=rf"write the indices that stay: \mathbb{{E}}_{{{letter.name} \sim A^{{j\cdot}}}}",
        )
    return value
