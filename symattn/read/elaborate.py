r"""Syntax tree → meaning: the summation rule, derivatives, functions, masks.

A `Value` is a term with the letters that are still free in it, and with a row and a column where
matrix notation leaves axes without letters: a matrix has both, a column vector only a row.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

import sympy as sp

from . import brackets, components, conditions, matrices, products, reach, sums, variations
from .build import Link
from .composed import COMPOSED
from .names import Context, Names, is_letter, plain
from .scripts import Component, component
from .sizes import Letter, Sizes
from .source import ReadError, Source
from .terms import (
    ONE,
    Add,
    Affine,
    Call,
    Determinant,
    Mul,
    Number,
    Place,
    Slot,
    Term,
    Total,
)
from .tree import (
    Accent,
    Addition,
    Cases,
    Chain,
    Fraction,
    Group,
    Matrix,
    Name,
    Node,
    Product,
    Root,
    Scripted,
    Stack,
    Symbol,
    base_of,
    dimensions,
    sign_of,
)
from .tree import Number as NumberNode
from .values import Conventions, Counts, Function, Scope, Value, once

FILLED = ("ones", "zeros")
MAX_STEPS = 10_000  # expressions put into others, in one statement


@dataclass
class Reader:
    """Reads the trees of one statement; `names`, `sizes` belong to the document."""

    source: Source
    names: Names
    sizes: Sizes
    here: Context
    conventions: Conventions
    functions: dict[str, Function] = field(default_factory=dict)
    uses: dict[str, set[str]] = field(default_factory=dict)  # definition → what it refers to
    bindings: dict[str, tuple[Node, Scope, Reader]] = field(default_factory=dict)
    points: dict[str, str] = field(default_factory=dict)  # what numbers are called until the end
    steps: list[int] = field(default_factory=lambda: [MAX_STEPS])  # how many are left
    made: list[tuple[str, tuple[Letter, ...], Term]] = field(default_factory=list)  # definitions
    links: list[Link] = field(default_factory=list)  # what was read before
    entrywise: bool = False  # y \log ŷ of two vectors is that of every entry
    outcome: tuple[Letter, bool] | None = None  # inside of an average; True where it is written

    # ---------------------------------------------------------------------------------- letters

    def letter(self, name: str, at: int, scope: Scope) -> Letter:
        """The letter with that name in scope; a new one of the statement where there is none."""
        if name in scope.letters:
            return scope.letters[name]
        if name not in scope.root:
            scope.root[name] = Letter(name, at)
        return scope.root[name]

    def slot(self, node: Node, scope: Scope) -> Slot:
        """An index: a letter, an affine combination of letters, a number counted from one."""
        if is_letter(node):
            assert isinstance(node, Name)
            if self._last(node, scope):
                size = self.read(node, scope).term
                return Affine((), Add(((1, size), (-(self.conventions.origin or 0), ONE))))
            return self.letter(node.text, node.at, scope)
        match node:
            case Group(bracket="(", items=(inner,)):
                return self.slot(inner, scope)
            case Addition(parts=((1, inside),)):  # (+2) counts from 0
                return Affine((), self.read(inside, scope).term)
        items: dict[Letter, int] = {}
        constants: list[tuple[int, Term]] = []
        for sign, part in node.parts if isinstance(node, Addition) else ((1, node),):
            factor, letter = self._multiple(part)
            if (
                letter is not None
                and self._is_index(letter, scope)
                and not self._last(letter, scope)
            ):
                known = self.letter(letter.text, letter.at, scope)
                items[known] = items.get(known, 0) + sign * factor
            else:
                constants.append((sign, self.read(part, scope).term))
        if not items or sum(c for x, c in items.items() if x.first != 0) not in (0, 1):
            self._origin(node, "a sum of indices" if items else "a number")
        shift = (self.conventions.origin or 0) * (sum(items.values()) - 1)
        if shift:  # the author's number of an index is ours plus the origin
            constants.append((shift, ONE))
        first = sum(s * c.value for s, c in constants if isinstance(c, Number))
        if not items and first < 0 and all(isinstance(c, Number) for _, c in constants):
            raise self.fail(
                node,
                "an index before the first one",
                expected=f"indices from {self._origin(node)}",
                mend="declare the name with its number, sizes x_0:(…), where it is another tensor",
            )
        return Affine(tuple(items.items()), Add(tuple(constants)) if constants else None)

    def _last(self, node: Name, scope: Scope) -> bool:
        """True for the x_n of x ∈ ℝⁿ, counted from 1: n runs nowhere, and is not on the left."""
        known = self.names.lenient and self.conventions.origin == 1
        runs = node.text in scope.letters or self.here.is_bound(node.text)
        return known and not runs and node.text in self.sizes.names | self.names.counts

    def _origin(self, node: Node, what: str = "a number") -> int:
        """The number of the first index, where a number stands for one."""
        if self.conventions.origin is None:
            raise self.fail(
                node,
                f"{what} stands for an index: are indices counted from 0 or from 1?",
                expected="the first component is number 0, or it is number 1",
                mend="declare <!-- symattn: indices from 1 -->",
            )
        return self.conventions.origin

    def _multiple(self, node: Node) -> tuple[int, Name | None]:
        if isinstance(node, Name) and is_letter(node):
            return 1, node
        match node:
            case Product(parts=((_, NumberNode() as n), (_, Name() as name))) if is_letter(name):
                if n.text.isdigit():
                    return int(n.text), name
        return 0, None

    def _is_index(self, letter: Name, scope: Scope) -> bool:
        name = letter.text
        if name in scope.letters or name in self.here.bound or name in self.here.plain:
            return True
        return name not in self.names.scalars and name not in self.sizes.names

    def fail(self, node: Node | int, problem: str, **parts: str) -> ReadError:
        """The error for a node."""
        return self.source.fail(node if isinstance(node, int) else node.at, problem, **parts)

    # -------------------------------------------------------------------------------- expressions

    def read(self, node: Node, scope: Scope) -> Value:
        """The value of an expression, its repeated letters summed."""
        self.steps[0] -= 1
        if self.steps[0] < 0:
            raise self.fail(
                node,
                "this formula is too large with all functions put in",
                mend="give parts of the formula names of their own",
            )
        match node:
            case NumberNode():
                return Value(Number(sp.Rational(node.text)))
            case Addition():
                return self._addition(node, scope)
            case Product() | Fraction():
                return products.product(self, node, scope)
            case Group(bracket="(" | "{" | "[" | "\\{" | ".") if len(node.items) == 1:
                inner = node.items[0]
                if isinstance(inner, Chain):
                    return self.mask(inner, scope)
                return self.read(self.tight(inner), scope)
            case Group():
                return brackets.bracketed(self, node, scope)
            case Root():
                return products.root(self, node, scope)
            case Cases():
                return conditions.cases(self, node, scope)
            case Matrix():
                return matrices.literal(self, node, scope)
            case Stack():
                return sums.stack(self, node, scope)
            case Scripted() | Name() | Accent():
                value = self.factor(node, scope)
                if all(up + down < 2 for up, down in value.free.values()):
                    return value
                return products.close(self, [("", value)], scope, node.at)
            case Symbol():
                return brackets.symbol(self, node, scope)
            case Chain():
                raise self.fail(
                    node.relations[0][1],
                    "a relation stands inside an expression",
                    mend="put a condition in brackets: [j \\le i]",
                )
        raise self.fail(node, "this part of a formula cannot stand here")

    def _addition(self, node: Addition, scope: Scope) -> Value:
        places = self._places(node, scope)
        parts = [
            (sign, part.at, places.get(k) or self.read(part, scope))
            for k, (sign, part) in enumerate(node.parts)
        ]
        first, *others = (value for _, _, value in parts)
        if self.names.lenient and others and first.axes and not any(v.axes for v in others):
            whole = reach.of_sum(self, node)  # no vector and numbers are added
            if whole is not None:
                return self.read(whole, scope)
        values = [value for _, _, value in parts]
        each = products.broadcast(self, node, values, scope) if self.names.lenient else None
        if each is not None:
            return self.read(each, scope)
        free: Counts = {}
        hidden: frozenset[str] = frozenset()
        for _, _, value in parts:
            hidden |= value.hidden | value.summed
            for letter, (up, down) in value.free.items():
                old = free.get(letter, (0, 0))
                free[letter] = (max(up, old[0]), max(down, old[1]))
        row, col, terms = products.aligned(self, [(a, v) for _, a, v in parts])
        signs = [sign for sign, _, _ in parts]
        term = Add(tuple(zip(signs, terms, strict=True)))
        if len(parts) == 1 and signs[0] == 1:
            term = terms[0]  # type: ignore[assignment]
        elif len(parts) == 1:
            term = Mul((Number(sp.S.NegativeOne), terms[0]))  # type: ignore[assignment]
        if len(parts) == 1:
            return Value(term, free, row, col, hidden, parts[0][2].summed)
        return Value(term, free, row, col, hidden)

    def _places(self, node: Addition, scope: Scope) -> dict[int, Value]:
        """i and j of i − j, which is the same wherever the document begins to count."""
        found: dict[int, Value] = {}
        total = 0
        firsts: set[int | None] = set()
        for k, (sign, part) in enumerate(node.parts):
            factor, name = self._multiple(part)
            letter = scope.letters.get(name.text) or scope.root.get(name.text) if name else None
            if name is None or letter not in scope.fixed or name.text in self.bindings:
                continue
            assert letter is not None
            total += sign * factor
            firsts.add(letter.first)
            found[k] = Value(Mul((Number(sp.Integer(factor)), Place(letter))), {letter: (1, 0)})
        alike = total == 0 and len(firsts) < 2
        return found if self.conventions.origin is None and alike else {}

    def mask(self, node: Node, scope: Scope) -> Value:
        """[a ≤ b]: comparisons of indices; chains and commas are "and"."""
        return conditions.mask(self, node, scope)

    # ----------------------------------------------------------------------------------- scripted

    def factor(self, node: Node, scope: Scope) -> Value:
        """The value of a factor; letters repeated in a component are not summed yet."""
        node = plain(node)
        if not isinstance(node, Scripted | Name | Accent):
            return self.read(node, scope)
        if isinstance(node, Scripted) and not _is_name(node.base):
            return self._filled(node) or brackets.scripted(self, node, scope)
        if isinstance(node, Scripted) and node.base == Name(node.base.at, "e"):
            (mark, exponent), *more = node.scripts
            literal = isinstance(node.base, Name) and node.base.style == "literal"
            known = "e" in (self.names.declared if self.names.lenient else self.names.ranks)
            known &= not self.names.residuals
            turned = exponent == Name(exponent.at, "T") and self.names.ranks.get("e", 0) > 0
            known = known or isinstance(exponent, Symbol) or turned  # e^⊤ of residuals e
            own = "e" in self.uses or self.names.eccentric
            known = known or (isinstance(exponent, NumberNode) and own)
            if mark == "^" and not more and not known and not literal:
                return self.function("exp", self.read(self._spoken(exponent), scope))
        if self.names.lenient and "I" not in self.names.declared | self.uses.keys():
            size = _unit(node, self.names, self.here)
            if size is not None:
                return self._identity(node, size, scope)
        if self.names.varying is not None:
            variations.free(self, node)
        found = component(node, self.names, self.here)
        if found is None and isinstance(node, Scripted):
            return brackets.scripted(self, node, scope)
        if found is None:
            raise self.fail(
                node,
                "an accent stands on an expression",
                expected=r"\bar{O}",
                mend="put the accent on one letter or word",
            )
        return self.component(found, scope)

    def _spoken(self, node: Node) -> Node:
        """E/k T of an exponent as E/(k T), as nobody means (E/k) T there."""
        if isinstance(node, Addition):
            return replace(node, parts=tuple((s, self._spoken(p)) for s, p in node.parts))
        cut = next((k for k, (op, _) in enumerate(getattr(node, "parts", ())) if op == "/"), None)
        if not isinstance(node, Product) or cut is None or not self.names.lenient:
            return node
        below = node.parts[cut:]
        if any(op != "" or not isinstance(p, Name | Scripted) for op, p in below[1:]):
            return node
        bottom = Product(below[0][1].at, (("", below[0][1]), *below[1:]))
        whole = Group(bottom.at, "(", (bottom,)) if len(below) > 1 else below[0][1]
        return replace(node, parts=(*node.parts[:cut], ("/", whole)))

    def tight(self, node: Node) -> Node:
        """The RT/nF of (RT/nF), without a gap, as RT/(nF)."""
        parts = node.parts if isinstance(node, Product) else ()
        if sum(op == "/" for op, _ in parts) != 1 or not all(isinstance(p, Name) for _, p in parts):
            return node
        gap = re.search(r"[\s~,;:]", self.source.text[node.at : parts[-1][1].at])
        return node if gap else self._spoken(node)

    def _filled(self, node: Scripted) -> Value | None:
        r"""1_d, \mathbf{1}_d and 0_{n×d} with sizes of axes below: all entries are that number."""
        below = next((s for mark, s in node.scripts if mark == "_"), None)
        dims = dimensions(Scripted(node.at, node.base, (("^", below),))) if below else []
        bold = getattr(sign_of(node), "kind", "") in FILLED
        lengths = self.names.lengths | (self.names.said_lengths if bold else set())
        known = [d for d in dims if isinstance(d, Name) and d.text in lengths]
        filled = bold or isinstance(node.base, NumberNode)
        if not filled or not known or len(known) != len(dims):
            return None
        axes = [Letter("pq"[k], node.at) for k in range(len(dims[:2]))]
        for letter, d in zip(axes, dims, strict=True):
            self.sizes.give(letter.size, sums.size_expression(self, d), d.at, "an axis")
        row, col = (*axes, None)[:2]
        found = replace(self.read(node.base, Scope({}, frozenset(), {})), row=row, col=col)
        above = tuple(pair for pair in node.scripts if pair[0] == "^")
        return brackets.with_scripts(self, found, above, Scope({}, frozenset(), {}), node.at)

    def _identity(self, node: Node, size: Node, scope: Scope) -> Value:
        """I and I_n, which has n rows."""
        one = matrices.identity(self, node.at)
        if one.row is not None and isinstance(size, Name) and size.text != "I":
            known = sums.size_expression(self, size)
            self.sizes.give(one.row.size, known, size.at, "the identity matrix")
        return one

    def component(self, found: Component, scope: Scope) -> Value:
        """A name with indices: δ, a tensor, a scalar, or a matrix whose indices are not written."""
        return components.component(self, found, scope)

    def tensor(self, name: str, nodes: tuple[Node, ...], at: int, scope: Scope) -> Value:
        """name[slots]; slots that are not written become a row and a column."""
        return components.tensor(self, name, nodes, at, scope)

    def function(self, name: str, argument: Value, others: tuple[Value, ...] = ()) -> Value:
        """A scalar function, applied to every component; arguments that follow are numbers."""
        if others:
            free = {x: n for v in (argument, *others) for x, n in once(v.free).items()}
            term = Call(name, argument.term, tuple(v.term for v in others))
            return replace(argument, term=term, free=free)
        if name == "log" and isinstance(argument.term, Determinant):
            return replace(argument, term=Determinant(argument.term.matrix, log=True))
        made = COMPOSED[name](argument.term) if name in COMPOSED else Call(name, argument.term)
        return replace(argument, term=made, free=once(argument.free))

    # ------------------------------------------------------------------------------------ sums

    def summed(self, factors: list[Value], bound: list[Letter], scope: Scope, at: int) -> Value:
        """The product of factors, with the letters repeated in it summed."""
        counts: Counts = {}
        hidden: set[str] = set()
        for value in factors:
            hidden |= value.hidden
            for letter, (up, down) in value.free.items():
                letter = letter.real()
                old = counts.get(letter, (0, 0))
                counts[letter] = (old[0] + up, old[1] + down)
        for letter in counts:
            if letter.name in hidden and letter not in scope.fixed:
                raise self.fail(
                    at,
                    f"the index {letter.name} is summed inside a bracket and occurs outside it too",
                    mend=rf"write \sum_{letter.name} where the sum belongs",
                )
        repeated = []
        for letter, (up, down) in counts.items():
            if letter in scope.fixed or up + down < 2:
                continue
            if down > 1:
                raise self.fail(
                    at,
                    f"the index {letter.name} is repeated below fraction bars",
                    expected=rf"\frac{{1}}{{\sum_{letter.name} …}} or "
                    rf"\sum_{letter.name} \frac{{1}}{{…}}",
                    mend=rf"write \sum_{letter.name} where the sum belongs",
                )
            repeated.append(letter)
        terms = tuple(v.term for v in factors if v.term != ONE)
        term: Term = Mul(terms) if len(terms) != 1 else terms[0]
        if not terms:
            term = ONE
        letters = tuple(dict.fromkeys([*repeated, *(b.real() for b in bound)]))
        if letters:
            term = Total(letters, term)
        free = {x: n for x, n in counts.items() if x not in repeated}
        return Value(
            term, free, hidden=frozenset(hidden), summed=frozenset(x.name for x in repeated)
        )


def _unit(node: Node, names: Names, here: Context) -> Node | None:
    """What stands below an identity matrix, or itself where nothing does; None for another name.

    A bold I is one, a light I with the size of an axis below, and a bare one where it fits so.
    """
    base = base_of(node)
    if not isinstance(base, Name) or base.text != "I":
        return None
    match node:
        case Scripted(scripts=(("_", Name() as size),)) if size.text in names.lengths:
            return None if here.is_bound(size.text) else size
        case Scripted(
            scripts=(("_", Product(parts=((_, Name() as size), (_, Name() as other)))),)
        ) if size.text == other.text and size.text in names.lengths:
            return None if here.is_bound(size.text) else size
        case Scripted(scripts=(("_", _),)) if base.style == "bold":
            return base
    bare = not isinstance(node, Scripted) and (names.identity or base.style == "bold")
    return node if bare else None


def _is_name(node: Node) -> bool:
    return isinstance(node, Name | Accent) or (
        isinstance(node, Group)
        and node.bracket == "{"
        and len(node.items) == 1
        and isinstance(node.items[0], Name | Accent)
    )
