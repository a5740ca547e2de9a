r"""Recursions of a text, the sums over steps that hang on them, and what is claimed of both.

h_t = f(h_{t-1}) carries h from one step to the next.  Derivatives of a loss Σ_t ℓ(h_t), and of h_t
by what was before, go through all that lies between; where they are spoken of is found here, and
what they say of one step in unrolled.py.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from string import ascii_uppercase

from .adjoints import gradient
from .counted import names_of
from .evidence import varied
from .left import head
from .names import base_name, is_letter, plain
from .steps import Moving, loose, made_of, moving, steps_of
from .tree import (
    BRACKETS,
    Addition,
    Chain,
    Fraction,
    Group,
    Name,
    Node,
    Number,
    Product,
    Put,
    Scripted,
    Symbol,
    is_equation,
    replaced,
    spelled,
    walk,
)
from .unrolled import Sum, Unrolled, runs, shifted, signed, summand, summands

Inside = Mapping[Moving, set[tuple[Moving, int]]]  # what names are made of, and how far away
FAR = 2  # steps over which a term of the sum reaches


def gather(trees: Iterable[Node], named: frozenset[str]) -> Unrolled | None:
    """The recursion of a text and the claims of derivatives through it; None without.

    `named` are the letters of which names are made anyway: with these a loss must be defined.
    """
    every = sorted({t.at: t for t in trees if is_equation(t)}.values(), key=lambda t: t.at)
    differential = [t for t in every if any(map(_is_derivative, walk(t)))]
    for letter in sorted({m.letter for t in differential for m, _ in moving(t)}):
        found = _along(letter, every, differential)
        if found is not None and (found.losses or letter not in named):
            return found
    return None


def _along(letter: str, every: list[Chain], differential: list[Chain]) -> Unrolled | None:
    bodies: dict[Moving, tuple[int, Chain]] = {}
    adjoint = _adjoints(differential)
    for tree in every:
        left = head(tree)
        own = [pair for pair in moving(left) if pair[0].letter == letter] if left else []
        if own and tree not in differential and own[0][0].name not in adjoint:
            bodies.setdefault(own[0][0], (own[0][1], tree))
    inside = {own: {(m, c - step) for m, c in moving(tree.sides[1]) if m.letter == letter}
              for own, (step, tree) in bodies.items()}  # fmt: skip
    carried = _carried(inside)
    if not carried:
        return None
    nodes = [n for m in sorted(carried) if (n := _standing(m, letter, every)) is not None]
    if len(nodes) < len(carried):
        return None
    losses, ends = dict[int, Node](), set[str]()
    for tree in every:
        if (terms := _terms(tree, letter, bodies, inside, carried)) is not None:
            losses[tree.at] = terms[0]
            ends |= terms[1]
    named = {m.name for m in bodies}
    if not _goes_step_by_step(every, losses, bodies, inside, carried):
        return None
    names = {base_name(t.sides[0]) or "" for t in every if t.at in losses}
    claims = {t.at for t in differential if _tops(t) & (named | names)}
    given = {tree.at for _, tree in bodies.values()}
    stepwise = {t.at for t in every if any(m.letter == letter for m, _ in moving(t))}
    claims |= {t.at for t in every if adjoint & names_of(t) and t.at in stepwise} - given
    at_end = {t.at for t in every if _tops(t) & names and _is_far(t, named, letter)}
    claims -= at_end  # ∂L/∂h_T, through which nothing goes
    if not claims:
        return None
    for tree in every:
        left = head(tree)
        whose = base_name(left.base) if isinstance(left, Scripted) else None
        if whose in named and not any(m.letter == letter for m, _ in moving(left or tree)):
            ends |= names_of(tree.sides[1])  # h_0 = …
    signs = {spelled(sign) for t in every if t.at in losses for sign in _signs(t, letter)}
    heads = {step for step, _ in bodies.values()}
    of_loss = _adjoints(t for t in differential if _tops(t) & names)
    summed = {
        t.at: Sum(
            whole=(not signs or {spelled(s) for s in _signs(t, letter)} <= signs)
            and ends.isdisjoint(names_of(below)),
            aligned={c for m, c in _derived(t, adjoint) if m.letter == letter} <= heads
            and len(heads) == 1,
        )
        for t in differential
        if t.at in claims and _under(t, letter) and (below := _bottom(t)) is not None
    }
    made = [b for _, b in bodies.values()] + [t for t in every if t.at in losses]
    steady = _steady(made, letter)
    by = {spelled(n) for t in differential if t.at in summed and (below := _bottom(t))
          for n in walk(below)}  # fmt: skip
    used = {n.text for t in every for n in walk(t) if isinstance(n, Name)}
    fresh = [x for x in reversed(ascii_uppercase) if x not in used]
    if len(fresh) < 2:
        return None
    links = {t.at: t.sides[1] for t in differential if _is_link(t, carried)}
    far = {
        t.at: (*_between(t, links, letter),)
        for t in every
        if t.at in claims and (_is_far(t, named, letter) or _is_whole(t, names, letter, summed))
    }
    return Unrolled(
        letter,
        tuple(shifted(_whole(n, letter), letter, 1) for n in nodes),
        losses,
        frozenset(given),
        frozenset(claims),
        frozenset(t.at for t in every if t.at in claims and _of_loss(t, names | of_loss)),
        summed,
        far,
        {x: text for x, text in steady.items() if x in by},
        _called(losses.values(), every, inside, letter, fresh[1]),
        fresh[0],
        frozenset(m.called(0) for m in carried),
        frozenset(m.called(1) for m in carried),
        frozenset(m.called(-1) for m in carried),
    )


def _called(
    losses: Iterable[Node], every: Sequence[Chain], inside: Inside, letter: str, fresh: str
) -> dict[str, Node]:
    r"""What ℓ_t is where the loss is Σ_t ℓ(o_t, y_t), and where it is Σ_t ℓ_t of nothing else.

    Then it is a function of what nothing else is made of, and of what it is differentiated by.
    """
    spoken = {m.name for t in every for m, _ in moving(t) if m.letter == letter}
    spoken -= {m.name for m in inside}
    ends = {m for m in inside if not any((m, 0) in row for own, row in inside.items() if own != m)}
    found: dict[str, Node] = {}
    for terms in losses:
        for _, term in _added(terms):
            match term:
                case Product(parts=((_, Name(text=name)), (_, Group(bracket="(")))):
                    if name in spoken:
                        found[name] = Group(term.at, Put("{"), (term,))
                case Scripted():
                    own = next(((m, c) for m, c in moving(term) if m.letter == letter), None)
                    if own is None or own[1] or own[0].name not in spoken:
                        continue
                    by = {m for t in every for m in _below(t, own[0].name)} & inside.keys()
                    there = (_standing(m, letter, every) for m in sorted(ends | by))
                    made = tuple(n for n in there if n is not None)
                    parts = (("", Name(term.at, fresh)), ("", Group(term.at, "(", made)))
                    found[own[0].name] = Group(term.at, Put("{"), (Product(term.at, parts),))
    return found


def _whole(node: Node, letter: str) -> Node:
    """The a^{(l)} of a_j^{(l)}: all components."""
    match node:
        case Scripted(base=base, scripts=scripts):
            kept = tuple(
                (sign, s)
                for sign, s in scripts
                if not (isinstance(s, Name) and is_letter(s) and s.text != letter)
            )
            return replace(node, base=_whole(base, letter), scripts=kept) if kept else base
    return node


def _below(tree: Node, name: str) -> Iterator[Moving]:
    """What a text differentiates ℓ_t by."""
    for node in walk(tree):
        if isinstance(node, Fraction) and name in {m.name for m, _ in moving(node.top)}:
            yield from (m for m, _ in moving(node.bottom))


def _is_far(tree: Chain, named: set[str], letter: str) -> bool:
    """True for ∂h_t/∂h_k, which speaks of a state at two steps that are any."""
    rows = [[m for m, _ in moving(n)] for n in map(plain, walk(tree)) if isinstance(n, Scripted)]
    return any(
        m.name in named and not any(o.letter == letter for o in row if o.name == m.name)
        for row in rows
        for m in row
    )  # fmt: skip


def _of_loss(tree: Chain, losses: set[str]) -> bool:
    """True for what speaks of derivatives of a loss, by its name or that of an adjoint."""
    return not losses.isdisjoint(names_of(tree))


def _is_whole(tree: Chain, losses: set[str], letter: str, summed: Container[int]) -> bool:
    """True for ∂L/∂W, which goes through all steps, where it is no sum over them."""
    below = _bottom(tree) if _tops(tree) & losses and tree.at not in summed else None
    return below is not None and not any(m.letter == letter for m, _ in moving(below))


def _is_link(tree: Chain, carried: set[Moving]) -> bool:
    """True for ∂h_t/∂h_{t-1} = J_t."""
    first = plain(tree.sides[0])
    if not isinstance(first, Fraction) or len(tree.sides) != 2:
        return False
    top, bottom = [*moving(first.top)], [*moving(first.bottom)]
    return [top, bottom] == [[(m, 0)], [(m, -1)]] if (m := next(iter(carried))) else False


def _between(
    tree: Chain, links: Mapping[int, Node], own: str
) -> Iterator[tuple[int, tuple[Node, Node]]]:
    """For ∂h_t/∂h_k = X the sides Π_{j=k+1}^t J_j and X, with the place where J_t is claimed."""
    at, first = tree.at, plain(tree.sides[0])
    if not isinstance(first, Fraction) or len(tree.sides) != 2:
        return
    top, bottom = [*moving(first.top)], [*moving(first.bottom)]
    if len(top) != 1 or len(bottom) != 1 or top[0][1] or bottom[0][1]:
        return
    if top[0][0].name != bottom[0][0].name or top[0][0].letter != own:
        return
    begin = bottom[0][0].letter
    letter = next((x for x in map(_bound, walk(tree.sides[1])) if x), "j")
    for place, link in links.items():
        first_one = Addition(at, ((1, Name(at, begin)), (1, Number(at, "1"))))
        start = Chain(at, (Name(at, letter), first_one), (("=", at),))
        sign = Scripted(at, Symbol(at, "prod"), (("_", start), ("^", Name(at, own))))
        factor = replaced(link, lambda n: Name(n.at, letter) if n == Name(n.at, own) else n)
        parts = factor.parts if isinstance(factor, Product) else (("", factor),)
        yield place, (Product(at, (("", sign), *parts)), tree.sides[1])


def _bound(node: Node) -> str:
    match node:
        case Scripted(
            base=Symbol(kind="prod"), scripts=(("_", Chain(sides=(Name(text=x), *_))), *_)
        ):
            return x
    return ""


def _carried(inside: Inside) -> set[Moving]:
    """What goes from one step to the next, and not from one to that before it."""
    links = {own: {m for m, _ in row} for own, row in inside.items()}
    of = {own: made_of(own, links) for own in links}
    found = set[Moving]()
    for own in (x for x in links if x in of[x]):
        ring = {m for m in of[own] & links.keys() if own in of[m]}
        back = {(m, c) for x in ring for m, c in inside[x] if m in ring and c}
        if {c for _, c in back} == {-1}:
            found |= {m for m, _ in back}
    return found


def _terms(
    tree: Chain,
    letter: str,
    bodies: Mapping[Moving, tuple[int, Chain]],
    inside: Inside,
    carried: set[Moving],
) -> tuple[Node, set[str]] | None:
    """The terms of L = Σ_t X_t in which what is so at one step stands; None for another equation.

    What is said of the last step, φ(h_T), belongs to what comes later; the second are its names.
    """
    if not isinstance(tree.sides[0], Name) or len(tree.sides) > 2:
        return None
    found: list[tuple[int, Node]] = []
    names = {m.name for m in bodies}
    some, later = False, set[str]()
    for sign, term in _added(tree.sides[1]):
        one = summand(term, letter)
        if one is None:
            if any(m.letter == letter for m, _ in moving(term)) or letter in loose(term):
                return None
            if names & names_of(term):
                some, later = True, later | names_of(term)
            else:
                found.append((sign, term))
            continue
        reach = _reach(one, letter, inside, carried)
        if letter in loose(one) or any(abs(c) > FAR for c in reach):
            return None
        some = True
        found += [(sign, shifted(one, letter, -c)) for c in sorted(reach | {0})]
    if not some:
        return None
    terms = Addition(tree.at, tuple(found)) if len(found) != 1 else signed(*found[0])
    return terms, later


def _goes_step_by_step(
    every: Iterable[Chain],
    losses: Mapping[int, Node],
    bodies: Mapping[Moving, tuple[int, Chain]],
    inside: Inside,
    carried: set[Moving],
) -> bool:
    """Whether all that later steps are made of is the one before: no Σ_{s ≤ t} of values."""
    links = {own: {m for m, _ in row} for own, row in inside.items()}
    summands = [t for t in every if t.at in losses]
    used = {m for t in summands for m, _ in moving(t)} | carried
    used |= set[Moving]().union(*(made_of(m, links) for m in used))
    trees = summands + [bodies[m][1] for m in used if m in bodies]
    letter = next(iter(carried)).letter
    names = {m.name for m in used if m.letter == letter}
    nodes = (n for t in trees for n in map(plain, walk(t)) if isinstance(n, Scripted))
    rows = ([m for m, _ in moving(n)] for n in nodes)
    others = {m.name for row in rows for m in row
              if m.letter.islower() and not any(map(str.isupper, m.labels))  # the last, a_j^{(L)}
              and all(o.letter != letter for o in row if o.name == m.name)}  # fmt: skip
    far = {c for m in used for _, c in inside.get(m, ())} - {-1, 0}
    return not far and names.isdisjoint(others)


def _reach(
    tree: Node,
    letter: str,
    inside: Inside,
    carried: set[Moving],
) -> set[int]:
    """The steps, seen from its own, at which what a term is made of stands."""
    found = set[int]()
    todo = [(m, c) for m, c in moving(tree) if m.letter == letter]
    done = set[tuple[Moving, int]]()
    while todo:
        if (one := todo.pop()) in done:
            continue
        done.add(one)
        found.add(one[1])
        if one[0] not in carried and abs(one[1]) <= FAR:
            todo += [(m, c + one[1]) for m, c in inside.get(one[0], ())]
    return found


def _added(node: Node) -> list[tuple[int, Node]]:
    while isinstance(node, Group) and len(node.items) == 1 and node.bracket in BRACKETS:
        (node,) = node.items
    return [*node.parts] if isinstance(node, Addition) else [(1, node)]


def _signs(tree: Node, letter: str) -> list[Node]:
    """The Σ_{t=1}^T of a formula, with how far it runs."""
    found = [n for n in walk(tree) if runs(n, letter)]
    return [n for n in found if len(getattr(n, "scripts", ())) == 2]


def _derived(tree: Chain, adjoint: set[str]) -> Iterator[tuple[Moving, int]]:
    """The λ_t and the h_t of ∂L/∂h_t in the sums of a claim."""
    for side in tree.sides[1:]:
        for node in walk(side):
            if isinstance(node, Fraction) and _is_derivative(node):
                yield from moving(node.bottom)
        yield from ((m, c) for m, c in moving(side) if m.name in adjoint)


def _under(tree: Chain, letter: str) -> bool:
    """True for ∂L/∂W = Σ_t X_t + 2 λ W: one side is the derivative, and each other one a sum."""
    first, *others = tree.sides
    return _is_derivative(first) and all(summands(s, letter) is not None for s in others)


def _is_derivative(node: Node) -> bool:
    """True for ∂L/∂h_t, a fraction or with a slash, and ∇_h L."""
    node = plain(node)
    if isinstance(node, Fraction):
        return any(True for _ in varied(node))
    parts = node.parts if isinstance(node, Product) else ()
    nabla = len(parts) == 2 and any(True for _ in varied(parts[0][1]))
    return nabla or gradient(node) is not None


def _bottom(tree: Chain) -> Node | None:
    """What the first side of a claim is a derivative by."""
    first = plain(tree.sides[0])
    if isinstance(first, Fraction):
        return first.bottom
    if isinstance(first, Product):
        sign = first.parts[0][1]
        return sign.scripts[0][1] if isinstance(sign, Scripted) else first.parts[-1][1]
    return None


def _tops(tree: Node) -> set[str]:
    """The names of which a formula takes derivatives."""
    found = set[str]()
    for node in walk(tree):
        if not _is_derivative(node):
            continue
        if isinstance(node, Fraction):
            found |= names_of(node.top)
        elif isinstance(node, Product):
            found |= names_of(node.parts[1][1])
    return found


def _adjoints(differential: Iterable[Chain]) -> set[str]:
    """The λ of λ_t = ∂L/∂h_t."""
    defining = (t for t in differential if len(t.sides) > 1 and _is_derivative(t.sides[1]))
    lefts = (head(t) for t in defining)
    return {base_name(getattr(x, "base", x)) or "" for x in lefts if x is not None} - {""}


def _steady(bodies: Iterable[Chain], letter: str) -> dict[object, str]:
    """The names without a step, with their labels, by how they are spelled."""
    found: dict[object, str] = {}

    def look(node: Node) -> Node:
        if isinstance(node, Scripted) and isinstance(node.base, Name):
            if not any(m.letter == letter for m, _ in moving(node)):
                below = [s for sign, s in node.scripts if sign == "_"]
                if len(below) == len(node.scripts) == 1:
                    parts = (n.text for n in walk(below[0]) if isinstance(n, Name | Number))
                    found[spelled(node)] = "".join(parts)
            return Number(node.at, "0")
        if isinstance(node, Name):
            found[spelled(node)] = ""
        return node

    for tree in bodies:
        replaced(tree.sides[1], look)
    return found


def _standing(own: Moving, letter: str, every: Iterable[Chain]) -> Node | None:
    """A name as it stands at its own step; none where a power or an index stands beside it."""
    for tree in every:
        for node in map(plain, walk(tree)):
            if isinstance(node, Scripted) and all(steps_of(*pair) for pair in node.scripts):
                steps = [c for m, c in moving(node) if m == own]
                if steps:
                    return shifted(node, letter, -steps[0])
    return None


__all__ = ["gather"]
