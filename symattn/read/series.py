r"""Sums over numbers: Σ_{k=0}^∞ q^k is 1/(1 − q), and E_{n+1} is the formula of E_n at n + 1.

A letter that stands in exponents alone, or in the formula of a name that bears it, counts; it is no
index.  Where its terms are a geometric row the sum is written as one fraction, for numbers q with
which it converges.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..explain.naming import GREEK, RATES
from .names import atoms, base_name, is_letter, plain
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
    Scripted,
    Symbol,
    children,
    is_equation,
    rebuilt,
    replaced,
    spelled,
    walk,
)

ONE = Number(0, "1")
BASES = RATES - {"mu", "nu", "delta"} | {"rho"}  # of powers, where they stand alone elsewhere
MAX_NODES = 2_000  # of a statement with rows put in


@dataclass(frozen=True)
class Row:
    """E_n = body, where n counts."""

    letter: str
    body: Node
    at: int


def gather(trees: Iterable[Node]) -> dict[str, Row]:
    """The names whose formula hangs on the number of their one index."""
    rows: dict[str, Row] = {}
    torn: set[str] = set()
    statements = {t.at: t for t in trees if is_equation(t)}
    for tree in statements.values():
        match plain(tree.sides[0]):
            case Scripted(base=Name() as base, scripts=(("_", Name() as n),)) if (
                is_letter(n) and base.text not in rows and _counts(n.text, tree.sides[1])
            ):
                rows[base.text] = Row(n.text, tree.sides[1], tree.at)
            case Scripted(base=Name() as base):  # it is said in another way too
                torn.add(base.text)
    return {name: row for name, row in rows.items() if name not in torn}


def _counts(letter: str, body: Node) -> bool:
    """True where the letter stands for itself, and below no name."""
    below = {n.text for s in walk(body) if isinstance(s, Scripted) for mark, x in s.scripts
             if mark == "_" for n in walk(x) if isinstance(n, Name)}  # fmt: skip
    bound = any(isinstance(n, Symbol) and n.kind in ("sum", "prod", "dots") for n in walk(body))
    return letter not in below and not bound and letter in _factors(body)


def _factors(node: Node) -> set[str]:
    """Names that are factors or terms: the n of ħω (n + 1), and not that of x^n."""
    if isinstance(node, Name):
        return {node.text}
    inside = (node.base,) if isinstance(node, Scripted) else children(node)
    return {x for child in inside for x in _factors(child)}


def written_out(tree: Any, rows: dict[str, Row]) -> Any:
    """The statement with these names and sums put in."""
    if not isinstance(tree, Node):
        return tree
    own = {name: row for name, row in rows.items() if row.at != tree.at}
    found = rebuilt(tree, lambda n: _summed(n, own, tree)) if _has_sum(tree) else tree
    if any(isinstance(n, Scripted) and _stepped(n, own) for n in walk(found)):
        found = replaced(found, lambda n: n if _varies(n) else _put_in(n, own, everywhere=True))
    return found if sum(1 for _ in walk(found)) <= MAX_NODES else tree


def _has_sum(tree: Node) -> bool:
    return any(isinstance(n, Symbol) and n.kind == "sum" for n in walk(tree))


def _varies(node: Node) -> bool:
    """True for a derivative, where E_n is what it is by."""
    return isinstance(node, Fraction) and any(
        isinstance(n, Symbol) and n.kind == "partial" for n in walk(node.bottom)
    )


def _put_in(node: Node, rows: dict[str, Row], everywhere: bool = False) -> Node:
    """E_{n+1} as the body with n + 1 in place of n."""
    match plain(node):
        case Scripted(base=Name() as base, scripts=(("_", index), *above)) if (
            base.text in rows and len(atoms(index)) == 1 and (everywhere or _steps(index))
        ):
            row, (value,) = rows[base.text], atoms(index)
            body = _with(row.body, row.letter, value)
            return Scripted(node.at, _grouped(body), tuple(above)) if above else _whole(body)
    return node


def _steps(index: Node) -> bool:
    return len(atoms(index)) == 1 and isinstance(atoms(index)[0], Addition | Number)


def _stepped(node: Scripted, rows: dict[str, Row]) -> bool:
    return _put_in(node, rows) is not node


def _with(body: Node, letter: str, value: Node) -> Node:
    return rebuilt(
        body, lambda n: value if isinstance(n, Name) and n.text == letter and not n.style else n
    )


def _summed(node: Node, rows: dict[str, Row], tree: Node) -> Node:
    """A product with a sum over a geometric row as a fraction; any other node as it is."""
    parts = node.parts if isinstance(node, Product) else ()
    for k, (op, part) in enumerate(parts):
        match part:
            case Scripted(base=Symbol(kind="sum"), scripts=scripts) if op in ("", "·"):
                found = _row(part, scripts, parts[k + 1 :], rows, tree)
                if found is not None:
                    return Product(node.at, (*parts[:k], (op, found))) if k else found
    return node


def _row(
    sign: Scripted,
    scripts: Sequence[tuple[str, Node]],
    rest: Sequence[tuple[str, Node]],
    rows: dict[str, Row],
    tree: Node,
) -> Node | None:
    below = next((s for mark, s in scripts if mark == "_"), None)
    above = next((s for mark, s in scripts if mark == "^"), None)
    match below:
        case Chain(sides=(Name() as letter, first), relations=(("=", _),)) if above and rest:
            pass
        case _:
            return None
    body: Node = Product(sign.at, (("", rest[0][1]), *rest[1:]))
    endless = isinstance(above, Symbol) and above.kind == "infty"
    if rest[0][0] or _has_sum(body):
        return None
    if endless:
        body = replaced(body, lambda n: _put_in(n, rows, everywhere=True))
    ratio = _Ratio(letter.text, tree)
    factors = ratio.of(body)
    if not factors:
        return None
    at = sign.at
    q = factors[0] if len(factors) == 1 else Product(at, tuple(("", f) for f in factors))
    begin = first
    if (turned := _turned(q)) is not None and not endless and above is not None:
        q, begin = turned, above  # β^{t-s} from its last term on
    start = _with(body, letter.text, begin)
    rest_of = Addition(at, ((1, ONE), (-1, q)))
    if endless:
        return Fraction(at, start, rest_of)
    assert above is not None
    count = Addition(at, ((1, above), (-1, first), (1, ONE)))
    last = Scripted(at, _grouped(q), (("^", count),))
    whole = Addition(at, ((1, ONE), (-1, last)))
    return Fraction(at, Product(at, (("", start), ("", whole))), rest_of)


def _turned(q: Node) -> Node | None:
    """The β of β^{-1}."""
    match q:
        case Scripted(scripts=(*scripts, ("^", Addition(parts=((-1, slope),))))):
            base = Scripted(q.at, q.base, tuple(scripts)) if scripts else q.base
            return base if slope == ONE else Scripted(q.at, base, (("^", slope),))
    return None


def _whole(node: Node) -> Node:
    """One factor, for what stands among others."""
    return Product(node.at, (("", node),)) if isinstance(node, Addition) else node


def _grouped(node: Node) -> Node:
    """A base for a power."""
    return node if isinstance(node, Name | Number) else Group(node.at, "[", (node,))


class _Ratio:
    """What a term is multiplied by from one number to the next; None where it varies."""

    def __init__(self, letter: str, tree: Node) -> None:
        self.letter = letter
        self.plain = _beside_numbers(tree)

    def _inside(self, node: Node) -> bool:
        return any(isinstance(n, Name) and n.text == self.letter for n in walk(node))

    def of(self, node: Node) -> list[Node] | None:
        """Empty where the term is the same for all numbers."""
        if not self._inside(node):
            return []
        match node:
            case Product() if not any(op == "∘" for op, _ in node.parts):
                return self._product(node)
            case Group(bracket="(" | "[" | "{", items=(inner,)):
                return self.of(inner)
            case Fraction():
                above, below = self.of(node.top), self.of(node.bottom)
                if above is None or below is None:
                    return None
                return above + [Fraction(node.at, ONE, x) for x in below]
            case Scripted():
                return self._power(node)
        return None

    def _product(self, node: Product) -> list[Node] | None:
        found: list[Node] = []
        k = 0
        while k < len(node.parts):
            op, part = node.parts[k]
            factors = self.of(part)
            if part == Symbol(part.at, "function", "exp") and k + 1 < len(node.parts):
                k += 1
                slope = self.slope(node.parts[k][1])
                factors = None if slope is None else [_exp(part.at, slope)]
            if factors is None:
                return None
            found += [Fraction(part.at, ONE, x) for x in factors] if op == "/" else factors
            k += 1
        return found

    def _power(self, node: Scripted) -> list[Node] | None:
        *scripts, (mark, exponent) = node.scripts
        labels = [a for _, s in scripts for a in atoms(s)]
        if mark != "^" or not all(isinstance(a, Number) for a in labels) or not self._known(node):
            return None
        slope = self.slope(exponent)
        base = Scripted(node.at, node.base, tuple(scripts)) if scripts else node.base
        if slope is None or self._inside(base):
            return None
        return [base if slope == ONE else Scripted(node.at, base, (("^", slope),))]

    def _known(self, node: Scripted) -> bool:
        """True where the base is a number: 2, e, a bracket, or a name that is added to numbers."""
        *scripts, (_, exponent) = node.scripts
        name = base_name(node.base)
        if name is None or name == "e":
            return isinstance(node.base, Number | Group) or name == "e"
        shown = spelled(Scripted(0, node.base, tuple(scripts)) if scripts else node.base)
        return shown in self.plain or (name in BASES and not is_letter(atoms(exponent)[0]))

    def slope(self, node: Node) -> Node | None:
        """The a of a k + b; None where it is none, or no number of k."""
        if node == Name(node.at, self.letter):
            return ONE
        match node:
            case Group(items=(inner,)) if node.bracket in BRACKETS:
                return self.slope(inner)
            case Addition():
                signs = [(sign, part) for sign, part in node.parts if self._inside(part)]
                inside = [(sign, self.slope(part)) for sign, part in signs]
                if not inside or any(s is None for _, s in inside):
                    return None
                terms = tuple((sign, s) for sign, s in inside if s is not None)
                return terms[0][1] if terms == ((1, terms[0][1]),) else Addition(node.at, terms)
            case Product():
                inside_at = [k for k, (_, part) in enumerate(node.parts) if self._inside(part)]
                if len(inside_at) != 1 or node.parts[inside_at[0]][0] == "/":
                    return None
                k = inside_at[0]
                if k and isinstance(node.parts[k][1], Group) and not _scales(node, k):
                    return None
                own = self.slope(node.parts[k][1])
                if own is None:
                    return None
                parts = (*node.parts[:k], (node.parts[k][0], own), *node.parts[k + 1 :])
                return Product(node.at, parts)
            case Fraction() if not self._inside(node.bottom):
                own = self.slope(node.top)
                return None if own is None else Fraction(node.at, own, node.bottom)
        return None


def _scales(node: Product, k: int) -> bool:
    """True for ω (n + 1), and not for q(n)."""
    before, (inner, *_) = node.parts[k - 1][1], node.parts[k][1].items  # type: ignore[attr-defined]
    return not isinstance(before, Name) or (
        isinstance(inner, Addition) and (before.text in GREEK or before.text == "hbar")
    )


def _exp(at: int, exponent: Node) -> Node:
    return Product(at, (("", Symbol(at, "function", "exp")), ("", Group(at, "[", (exponent,)))))


def _beside_numbers(tree: Node) -> set[object]:
    """The q of 1 − q, which is a number."""
    found: set[object] = set()
    for node in walk(tree):
        terms = [p for _, p in node.parts] if isinstance(node, Addition) else []
        if any(isinstance(t, Number) for t in terms):
            for t in terms:
                base = plain(t)
                if isinstance(base, Scripted) and any(mark == "^" for mark, _ in base.scripts):
                    below = tuple(pair for pair in base.scripts if pair[0] == "_")
                    base = Scripted(base.at, base.base, below) if below else base.base
                found.add(spelled(base))
    return found


__all__ = ["Row", "gather", "written_out"]
