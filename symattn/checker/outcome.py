"""Outcomes and what binds them: what stands below 𝔼 and Σ, behind ∫, and in KL(q ‖ p)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..read.applications import Application, application, applied
from ..read.integrals import variable as differential
from ..read.names import atoms, base_name
from ..read.outcomes import Definition, Said, divergence
from ..read.tree import (
    Accent,
    Addition,
    Chain,
    Group,
    Name,
    Node,
    Number,
    Product,
    Scripted,
    Symbol,
    base_of,
    replaced,
    sign_of,
    spelled,
    walk,
)

Parts = Sequence[tuple[str, Node]]
Law = tuple[
    Node, tuple[Node, ...], tuple[Node, ...]
]  # p, and what stands before and behind its bar


@dataclass(frozen=True)
class Variable:
    """An outcome or an observation: x and x' are of one kind, x_1, x_i, x_{i-1} each of its own."""

    node: Node
    type: str
    letters: tuple[str, ...]

    @property
    def spelled(self) -> object:
        """How it is written."""
        return spelled(self.node)


def variable(node: Node) -> Variable | None:
    """The variable that a name is; None for anything else."""
    while isinstance(node, Group) and node.bracket == "{" and len(node.items) == 1:
        node = node.items[0]
    if isinstance(node, Product) and len(node.parts) == 1:
        return variable(node.parts[0][1])
    if not isinstance(node, Name | Accent | Scripted):
        return None
    scripts = node.scripts if isinstance(node, Scripted) else ()
    name = base_name(base_of(node))
    if name is None:
        return None
    kind, letters = name.rstrip("'"), list[str]()
    for mark, script in scripts:
        inside = _inside(script)
        if mark == "^" and not _bracketed(script):
            return None
        for a in inside:
            if isinstance(a, Number):
                kind += f"_{a.text}"
            elif isinstance(a, Name) and len(a.text) == 1 and a.text.islower() and not a.style:
                letters.append(a.text)
                kind += f"_of_{a.text}"
            elif isinstance(a, Name):
                kind += f"_{a.text}"
            elif isinstance(a, Addition):
                letters += [n.text for n in walk(a) if isinstance(n, Name)]
                kind += "_of_" + "_".join(
                    f"{'m' * (sign < 0)}{n.text}"
                    for sign, term in a.parts
                    for n in walk(term)
                    if isinstance(n, Name | Number)
                )
            else:
                return None
    return Variable(node, kind, tuple(dict.fromkeys(letters)))


def _inside(script: Node) -> list[Node]:
    while isinstance(script, Group) and len(script.items) == 1:
        script = script.items[0]
    return list(script.items) if isinstance(script, Group) else list(atoms(script))


def _bracketed(script: Node) -> bool:
    """True for the (i) of x^{(i)}."""
    while isinstance(script, Group) and script.bracket == "{" and len(script.items) == 1:
        script = script.items[0]
    return isinstance(script, Group) and script.bracket == "("


@dataclass(frozen=True)
class Under:
    """What stands below 𝔼: the outcomes, and the laws that they have."""

    outcomes: tuple[Variable, ...]
    laws: tuple[Law, ...]

    @classmethod
    def of(cls, below: Node, said: Said, sides: Sequence[Node]) -> Under | None:
        """x ∼ p, (s, a) ∼ ρ, p(x) q(z | x) and p_θ, or z where the text says z ∼ q."""
        while isinstance(below, Group) and below.bracket in "{(" and len(below.items) == 1:
            below = below.items[0]
        found: list[Law] = []
        outcomes: list[Node] = []
        waiting: list[Node] = []
        for item in below.items if isinstance(below, Group) else (below,):
            match item:
                case Chain(sides=(left, law), relations=(("∼", _),)):
                    own = [*waiting, *(left.items if isinstance(left, Group) else (left,))]
                    waiting = []
                    drawn = _drawn(own, law, said, sides)
                    if drawn is None:
                        return None
                    found += drawn
                    outcomes += own
                case Product(parts=parts) if applied(item):
                    here = _row(parts, said)
                    if here is None:
                        return None
                    found += here
                    outcomes += [n for _, items, _ in here for n in items]
                case _ if (own_law := cls.law(item, said, sides)) is not None:
                    found.append(own_law)
                    outcomes += own_law[1]
                case Name() | Scripted() | Accent() if len(said.drawn.get(spelled(item), ())) == 1:
                    (law_,) = said.drawn[spelled(item)]
                    drawn = _drawn([item], law_, said, sides)
                    if drawn is None:
                        return None
                    found += drawn
                    outcomes.append(item)
                case _:
                    waiting.append(item)
        these = [variable(n) for n in outcomes]
        if waiting or None in these or len({v.spelled for v in these if v}) < len(these):
            return None
        return cls(tuple(v for v in these if v), tuple(found)) if these else None

    @staticmethod
    def law(node: Node, said: Said, sides: Sequence[Node]) -> Law | None:
        """q(z | x) as it is written, and of q the one way in which it is written elsewhere."""
        if isinstance(node, Product):
            call = application(node.parts, 0)
            if call is None or call.after < len(node.parts) or call.scripts:
                return None
            return (call.name, call.items, call.given) if _known(call.name, said) else None
        if not _known(node, said):
            return None
        here = {
            spelled((c.items, c.given)): c
            for side in sides
            for n in walk(side)
            if isinstance(n, Product)
            for _, c in applied(n)
            if spelled(c.name) == spelled(node)
        }
        every = list(here.values()) or said.written.get(spelled(node), ())
        return (node, every[0].items, every[0].given) if len(every) == 1 else None


def _known(node: Node, said: Said) -> bool:
    return isinstance(node, Name | Accent | Scripted) and base_name(base_of(node)) in said.laws


def _drawn(own: list[Node], law: Node, said: Said, sides: Sequence[Node]) -> list[Law] | None:
    """The law of what stands before ∼: of x ∼ p(y) p(x), of a ∼ π(· | s) π(a | s)."""
    match law:
        case Name() | Accent() | Scripted() if _known(law, said):
            every = said.written.get(spelled(law), ())
            forms = [c for c in every if spelled(c.items) == spelled((*own,))]
            if not forms or any(not c.given for c in forms):
                return [(law, tuple(own), ())]
            return [(law, tuple(own), forms[0].given)] if len(forms) == 1 else None
        case Product(parts=parts):
            call = application(parts, 0)
            if call is None or call.after < len(parts) or not _known(call.name, said):
                return None
            return [(call.name, tuple(own), call.given)] if len(call.items) == len(own) else None
    return None


def _row(parts: Parts, said: Said) -> list[Law] | None:
    """The laws of p(x) q(z | x)."""
    found, k = list[Law](), 0
    while k < len(parts):
        call = application(parts, k)
        if call is None or call.scripts or not _known(call.name, said):
            return None
        found.append((call.name, call.items, call.given))
        k = call.after
    return found


def bound_parts(parts: Sequence[Node]) -> tuple[list[Variable], list[Node]]:
    """The x of dx and d x among factors, and the other factors."""
    found, kept, k = list[Variable](), list[Node](), 0
    while k < len(parts):
        part = parts[k]
        of = differential(part)
        if of is None and base_name(base_of(part)) == "d" and k + 1 < len(parts):
            of, k = parts[k + 1], k + 1
        v = variable(of) if of is not None else None
        if v is not None:
            found.append(v)
        else:
            kept.append(part)
        k += 1
    return found, kept


def binders(side: Node, said: Said) -> Iterator[Variable]:
    """The outcomes that anything in an expression sums over."""
    arguments = {
        spelled(n)
        for p in walk(side)
        if isinstance(p, Product)
        for _, c in applied(p)
        for n in (*c.items, *c.given)
    }
    for node in walk(side):
        if not isinstance(node, Product):
            continue
        for k, (_, part) in enumerate(node.parts):
            sign = sign_of(part)
            scripts = dict(part.scripts) if isinstance(part, Scripted) else {}
            below = scripts.get("_")
            if sign is not None and sign.kind == "int":
                yield from bound_parts([p for _, p in node.parts[k + 1 :]])[0]
            elif sign is not None and sign.kind == "sum" and "^" not in scripts:
                for item in listed(below):
                    if isinstance(item, Chain) and item.relations[0][0] == "∈":
                        item = item.sides[0]
                    if (v := variable(item)) is not None and v.spelled in arguments:
                        yield v
            elif sign is not None and sign.text in ("E", "Var", "Cov") and below is not None:
                under = Under.of(below, said, (side,))
                yield from under.outcomes if under is not None else ()
            elif (pair := divergence(node.parts, k)) is not None:
                law = Under.law(pair[0], said, (side,))
                yield from (v for n in (law[1] if law else ()) if (v := variable(n)))
        for _, call in applied(node):
            if base_name(base_of(call.name)) in ("H", "I"):
                single = one_law(call, said)
                if single is not None and (own := Under.law(single, said, (side,))) is not None:
                    yield from (v for n in own[1] if (v := variable(n)))
                elif said.entropies and (these := mutual(call)) is not None:
                    yield from (v for vs in these for v in vs or ())


def bound_by(side: Node, said: Said) -> Iterator[tuple[object, list[Variable]]]:
    """The laws below signs, each with the outcomes that it is applied to there."""
    for node in walk(side):
        sign = sign_of(node) if isinstance(node, Scripted) else None
        if sign is not None and sign.text in ("E", "Var", "Cov"):
            under = Under.of(node.scripts[0][1], said, (side,))  # type: ignore[attr-defined]
            for law, items, given in under.laws if under is not None else ():
                yield spelled(law), [v for n in (*items, *given) if (v := variable(n))]


def listed(below: Node | None) -> tuple[Node, ...]:
    """The x and z of Σ_{x, z}."""
    while isinstance(below, Group) and below.bracket == "{" and len(below.items) == 1:
        below = below.items[0]
    if below is None:
        return ()
    if isinstance(below, Group) and below.bracket == "{":
        return below.items
    if isinstance(below, Product) and all(isinstance(p, Name) for _, p in below.parts):
        return tuple(p for _, p in below.parts)
    return (below,)


def one_law(call: Application, said: Said) -> Node | None:
    """The law of H(q(z)), of H[q(z | x)] and of H(q)."""
    (item, *more) = call.items
    if more or call.given:
        return None
    return item if isinstance(item, Product) or _known(item, said) else None


def mutual(
    call: Application,
) -> tuple[list[Variable], list[Variable] | None, list[Variable]] | None:
    """X, Y and Z of I(X; Y | Z); X, None and Y of H(X | Y)."""
    name = base_name(base_of(call.name))
    groups = [list(i.items) if isinstance(i, Group) else [i] for i in call.items]
    if name == "I" and len(groups) == 2 and all(isinstance(i, Group) for i in call.items):
        first, second = groups
    elif name == "H" and not any(isinstance(i, Group) for i in call.items):
        first, second = list(call.items), None
    else:
        return None
    these = [variable(n) for n in (*first, *(second or ()), *call.given)]
    capitals = all(v is not None and v.type[0].isupper() and not v.letters for v in these)
    if not capitals or len({v.type for v in these if v}) < len(these):
        return None
    found = [v for v in these if v is not None]
    a, b = len(first), len(first) + len(second or ())
    return found[:a], found[a:b] if second is not None else None, found[b:]


def put(said: Definition, items: Sequence[Node]) -> Node | None:
    """The right side with other arguments; None where these are no names."""
    if spelled(tuple(items)) == spelled(said.items):
        return said.right
    if len(items) != len(said.items) or any(variable(n) is None for n in (*items, *said.items)):
        return None
    new = {spelled(a): b for a, b in zip(said.items, items, strict=True)}
    if any(spelled(n) in {spelled(i) for i in items} for n in walk(said.right)):
        return None
    found: Node = replaced(said.right, lambda n: new.get(spelled(n), n))
    return found


__all__ = ["Symbol", "Under", "Variable", "binders", "bound_by", "bound_parts",
           "listed", "mutual", "one_law", "put", "variable"]  # fmt: skip
