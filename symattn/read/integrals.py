r"""∫ f(x) dx: a quantity of its own, with what it is the integral of where that is one of numbers.

The index language has no form for it.  The quantity is equal to itself alone; the checker finds
what it comes to (`symattn.checker.integrals`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..errors import SymattnError
from . import beyond
from .applications import Parts
from .builder import Builder
from .names import base_name
from .sizes import Letter
from .source import UNFORESEEN
from .terms import ONE, Add, Derivative, Number, Ref, Term, Unknown, parts, refs
from .tree import (
    Accent,
    Addition,
    Chain,
    Fraction,
    Group,
    Name,
    Node,
    Product,
    Scripted,
    Symbol,
    base_of,
    rebuilt,
    sign_of,
    spelled,
    walk,
)
from .tree import Number as NumberNode
from .values import Scope, Value

if TYPE_CHECKING:
    from .elaborate import Reader

DIFFERENTIAL = "differential"
Limits = tuple[Term | None, Term | None]


@dataclass(frozen=True)
class Written:
    """The integral of a body, the innermost variable first; no limits for an antiderivative."""

    letters: tuple[Letter, ...]
    body: Term
    over: tuple[tuple[Ref, Limits], ...]


@dataclass(frozen=True)
class Integral:
    """What a quantity `symbol` is the integral of: of `body` by each variable from low to high.

    The innermost variable is first; low and high are None for an antiderivative.
    """

    symbol: Any
    letters: tuple[sp.Idx, ...]
    body: sp.Expr
    over: tuple[tuple[sp.Symbol, sp.Expr | None, sp.Expr | None], ...]


def has_sign(tree: Node) -> bool:
    """True for a formula with ∫ in it."""
    return any(isinstance(n, Symbol) and n.kind == "int" for n in walk(tree))


def joined(tree: Node) -> Node:
    """The tree with ∫ x + 1 dx as ∫ (x + 1) dx: an integral goes on to its differential."""
    if not has_sign(tree):
        return tree
    found: Node = rebuilt(tree, lambda n: _joined(n) if isinstance(n, Addition) else n)
    by = {spelled(x): x for n in walk(found) if (x := variable(n)) is not None}
    if len(by) == 1 and isinstance(x := next(iter(by.values())), Name) and not x.style:
        found = rebuilt(found, lambda n: _at_ends(n, x.text))
    return found


def _at_ends(node: Node, x: str) -> Node:
    """[F]_a^b as F at b less F at a."""
    match node:
        case Scripted(
            base=Group(bracket="[" | "(" | ".", items=(body,)), scripts=(("_", low), ("^", high))
        ) if any(isinstance(n, Name) and n.text == x for n in walk(body)):
            ends = [_end(e) for e in (high, low)]
            if any(isinstance(n, Symbol) and n.kind == "infty" for e in ends for n in walk(e)):
                return node
            top, bottom = (Group(node.at, "(", (_with(body, x, e),)) for e in ends)
            return Group(node.at, "(", (Addition(node.at, ((1, top), (-1, bottom))),))
    return node


def _with(body: Node, x: str, value: Node) -> Node:
    """The body with a value in place of x."""
    found: Node = rebuilt(body, lambda n: value if isinstance(n, Name) and n.text == x else n)
    return found


def _end(node: Node) -> Node:
    """b of b and of x = b, in brackets where it is no name and no number."""
    while isinstance(node, Group) and node.bracket == "{" and len(node.items) == 1:
        node = node.items[0]
    if isinstance(node, Chain) and len(node.sides) == 2:
        node = node.sides[1]
    return node if isinstance(node, Name | NumberNode) else Group(node.at, "(", (node,))


def _joined(tree: Addition) -> Node:
    found: list[tuple[int, Node]] = []
    todo = list(tree.parts)
    while todo:
        sign, part = todo.pop(0)
        factors = part.parts if isinstance(part, Product) else (("", part),)
        wanted = _wanted(factors)
        first = next((k for k, (_, p) in enumerate(factors) if _is_sign(p)), None)
        many = next((k for k, (_, p) in enumerate(todo) if _ends(p) >= wanted), None)
        if wanted < 1 or first is None or many is None or any(map(_has_sign, todo[:many])):
            found.append((sign, part))
            continue
        signs = [k for k, (_, p) in enumerate(factors) if _is_sign(p)]
        outside, inside = factors[: signs[-1] + 1], factors[signs[-1] + 1 :]
        last, ending = todo[many][1], wanted
        assert isinstance(last, Product)
        head, tail = last.parts[:-ending], last.parts[-ending:]
        if not inside or not head:
            found.append((sign, part))
            continue
        terms = (
            (1, Product(part.at, (("", inside[0][1]), *inside[1:]))),
            *todo[:many],
            (todo[many][0], Product(last.at, head)),
        )
        body = Group(part.at, "(", (Addition(part.at, terms),))
        found.append((sign, Product(part.at, (*outside, ("", body), *tail))))
        del todo[: many + 1]
    if len(found) == len(tree.parts):
        return tree
    return found[0][1] if len(found) == 1 and found[0][0] > 0 else replace(tree, parts=tuple(found))


def _is_sign(part: Node) -> bool:
    sign = sign_of(part)
    return sign is not None and sign.kind == "int"


def _has_sign(term: tuple[int, Node]) -> bool:
    factors = term[1].parts if isinstance(term[1], Product) else (("", term[1]),)
    return any(_is_sign(p) for _, p in factors)


def _wanted(factors: Parts) -> int:
    """How many differentials are missing in a product."""
    signs = sum(_is_sign(p) for _, p in factors)
    return signs - sum(variable(p) is not None or bool(_split(p)[1]) for _, p in factors)


def _ends(part: Node) -> int:
    """How many differentials a product ends with."""
    if not isinstance(part, Product):
        return 0
    count = 0
    while count < len(part.parts) and variable(part.parts[-1 - count][1]) is not None:
        count += 1
    return count


def read(reader: Reader, parts: Parts, k: int, scope: Scope) -> tuple[Value, int]:
    """∫ f dx with the place behind it; what stands behind the last d belongs to another factor."""
    sign = sign_of(parts[k][1])
    assert sign is not None
    signs: list[Node] = []
    by: list[Node] = []
    body: list[tuple[str, Node]] = []
    end = k
    while end < len(parts):
        op, part = parts[end]
        if _is_sign(part):
            signs.append(part)
        elif (of := variable(part)) is not None:
            by.append(of)
        elif _is_power(part) and end + 1 < len(parts):  # d^3 r
            by += [parts[end + 1][1]] * (len(signs) - len(by))
            end += 1
        else:
            rest, inside = _split(part)
            by += inside
            body.append((op if body else "", rest))
        end += 1
        more = end < len(parts) and variable(parts[end][1]) is not None
        if len(by) >= len(signs) and not more:
            break
    if len(by) < len(signs):
        raise reader.fail(
            sign,
            "this integral does not say what it runs over",
            expected="dx",
            mend="write dx behind the integrand",
        )
    if not body and end < len(parts):  # ∫ dx f(x)
        body, end = [("", parts[end][1]), *parts[end + 1 :]], len(parts)
    whole = Product(sign.at, tuple(body)) if len(body) > 1 else body[0][1] if body else None
    value = reader.read(whole, scope) if whole is not None else Value(ONE)
    said: list[object] = [spelled(x) for x in by]
    limits = [_limits(reader, s, scope) for s in signs]
    ends = [v for pair in limits for v in pair or () if v is not None]
    values = [v for v in ends if not isinstance(v.term, Number)]
    said += [
        spelled(s) if pair is None else tuple(map(_figure, pair))
        for s, pair in zip(signs, limits, strict=True)
    ]
    found = beyond.whole(reader, "integral", [value, *values], sign.at, "an integral", tuple(said))
    over = _over(reader, by, limits, value, scope) if len(by) == len(signs) else None
    if over is not None and isinstance(found.term, Ref):
        letters = tuple(x for x in found.term.slots if isinstance(x, Letter))
        reader.names.integrals[found.term.name] = Written(letters, value.term, over)
    return found, end


def _figure(limit: Value | None) -> object:
    """The number that a limit is; whether one is written where it is another expression."""
    if limit is not None and isinstance(limit.term, Number):
        return limit.term.value
    return limit is not None


def _over(
    reader: Reader,
    by: list[Node],
    limits: list[tuple[Value | None, Value | None] | None],
    value: Value,
    scope: Scope,
) -> tuple[tuple[Ref, Limits], ...] | None:
    """The variables and their limits; None where these are no numbers, as x_i is for any one i."""
    found = []
    if value.axes or len({*map(spelled, by)}) < len(by):
        return None
    for x, pair in zip(by, reversed(limits), strict=True):
        if pair is None or getattr(x, "style", "") == "bold":
            return None
        at = reader.read(x, scope)
        if not isinstance(at.term, Ref) or at.axes or any(v and v.axes for v in pair):
            return None
        if not _same(at.term, at.term):
            return None
        if any(r.name == at.term.name and not _same(r, at.term) for r in refs(value.term)):
            return None
        low, high = (v.term if v is not None else None for v in pair)
        if (low is None) != (high is None):
            return None
        found.append((at.term, (low, high)))
    return tuple(found)


def _same(one: Ref, other: Ref) -> bool:
    """Two components with the same letters."""
    pairs = zip(one.slots, other.slots, strict=False)
    letters = all(isinstance(a, Letter) and isinstance(b, Letter) and a.real() is b.real()
                  for a, b in pairs)  # fmt: skip
    return len(one.slots) == len(other.slots) and letters


def _limits(reader: Reader, sign: Node, scope: Scope) -> tuple[Value | None, Value | None] | None:
    """From where to where; two times None where nothing is written, None for a set."""
    scripts = dict(sign.scripts) if isinstance(sign, Scripted) else {}
    below, above = scripts.get("_"), scripts.get("^")
    if reader.source.text.startswith(r"\oint", sign.at):
        return None
    while isinstance(below, Group) and below.bracket == "{" and len(below.items) == 1:
        below = below.items[0]
    match below, above:
        case None, None:
            return None, None
        case Symbol(kind="set", text="R"), None:
            return Value(Number(-sp.oo)), Value(Number(sp.oo))
        case Group(bracket="[" | "(", items=(low, high)), None:
            return _limit(reader, low, scope), _limit(reader, high, scope)
        case Node(), Node():
            return _limit(reader, below, scope), _limit(reader, above, scope)
    return None


def _limit(reader: Reader, node: Node, scope: Scope) -> Value:
    """The value of a limit: ∞, a number or an expression; b of x = b."""
    match node:
        case Group(bracket="{", items=(inside,)):
            return _limit(reader, inside, scope)
        case Chain(sides=(Name() | Scripted(), other), relations=(("=", _),)):
            return _limit(reader, other, scope)
        case Symbol(kind="infty"):
            return Value(Number(sp.oo))
        case Addition(parts=((sign, Symbol(kind="infty")),)):
            return Value(Number(sign * sp.oo))
    return reader.read(node, scope)


def variable(part: Node) -> Node | None:
    """The x of dx; None for anything else."""
    base = base_of(part)
    if isinstance(base, Accent):
        inner = variable(base.body)
        of: Node | None = replace(base, body=inner) if inner is not None else None
    elif isinstance(base, Name) and base.style.startswith(DIFFERENTIAL):
        style = base.style.removeprefix(DIFFERENTIAL).strip()
        of = Name(base.at, base.text.removeprefix("d"), style)
    else:
        of = None
    return replace(part, base=of) if of is not None and isinstance(part, Scripted) else of


def _is_power(part: Node) -> bool:
    r"""True for the d^3 of d^3 r."""
    return isinstance(part, Scripted) and base_name(part.base) == "d" and part.scripts[0][0] == "^"


def _split(part: Node) -> tuple[Node, list[Node]]:
    """A fraction without the differentials above its bar, and their variables: dx/x."""
    if not isinstance(part, Fraction):
        return part, []
    above = part.top.parts if isinstance(part.top, Product) else (("", part.top),)
    by = [x for _, p in above if (x := variable(p)) is not None]
    if not by:
        return part, []
    kept = [(op, p) for op, p in above if variable(p) is None]
    if not kept:
        return replace(part, top=NumberNode(part.at, "1")), by
    top = Product(part.top.at, (("", kept[0][1]), *kept[1:])) if len(kept) > 1 else kept[0][1]
    return replace(part, top=top), by


def is_known(found: Written, defined: Collection[str], opaque: Collection[str]) -> bool:
    """True where the body is made of numbers and of what is defined: an equation is a claim."""
    plain = {x.name for x, _ in found.over}
    inside = {r.name for r in refs(found.body)}
    if any(isinstance(t, Unknown | Derivative) for t in _inside(found.body)) or inside & {*opaque}:
        return False
    return bool(inside & {*plain, *defined}) or not inside


def _inside(term: Term) -> Iterator[Term]:
    yield term
    for part in parts(term):
        yield from _inside(part)


def _number(x: Ref) -> sp.Symbol:
    letters = (slot.name for slot in x.slots if isinstance(slot, Letter))
    return sp.Symbol("_".join([x.name, "at", *letters]), real=True)


def built(found: dict[str, Written], builder: Builder) -> dict[str, Integral]:
    """The integrals as SymPy objects, when all sizes are known; what has no form is left out."""
    result = {}
    for name, w in found.items():
        ends = [t for _, pair in w.over for t in pair if t is not None]
        builder.statement(Ref(name, w.letters), w.body, Add(tuple((1, t) for t in ends)))
        try:
            letters = tuple(builder.letter(x) for x in w.letters)
            by = {builder(x): _number(x) for x, _ in w.over if x.slots}  # x_i for any one i
            body = builder(w.body).xreplace(by)
            over = tuple(
                (by.get(at := builder(x), at), *(None if t is None else builder(t) for t in pair))
                for x, pair in w.over
            )
            result[name] = Integral(builder.name(name), letters, body, over)
        except (SymattnError, *UNFORESEEN):
            continue
    return result
