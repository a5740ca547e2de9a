"""Statements → links: what defines, what is claimed, and the letters that are free."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import sympy as sp

from . import (
    brackets,
    calls,
    foreach,
    integrals,
    matrices,
    objectives,
    oriented,
    premises,
    products,
    rewrite,
    scalar,
    summation,
)
from .anew import follows
from .announced import announced
from .applications import of_itself, whole
from .build import Link
from .builder import Builder
from .components import initial, is_delta
from .elaborate import Reader
from .instances import Functions
from .left import atomic, head, is_shape, target_of, values_in
from .names import Context, Names, is_letter, plain, reached
from .positive import OPEN
from .scripts import Component, component
from .sizes import Letter, Sizes
from .solved import solved
from .source import ReadError, Source
from .split import Statement
from .spread import spread
from .sums import size_expression
from .terms import Affine, Number, Ref, Term, has_limit, refs
from .traits import TRAITS
from .tree import (
    EQUAL,
    Accent,
    Chain,
    Group,
    Matrix,
    Name,
    Node,
    Product,
    Scripted,
    Stack,
    base_of,
    dimensions,
    spelled,
    walk,
)
from .values import Conventions, Function, Scope, Value, letters_in
from .versions import counted
from .vocabulary import LETTERS
from .words import sentences

NUMERIC = frozenset({"≈"})
STATED = frozenset("∈⊆→:∼⊥∥")  # relations that state a type or a distribution


def _is_list(side: Node) -> bool:
    """True for (μ, Σ), {x_1, x_2} and {(x_n, y_n)}_{n=1}^N, which say what belongs together.

    So it is of (n, d) × (d, 1), sizes side by side, and of tables of words.
    """
    side = side.body if isinstance(side, Stack) else side
    if isinstance(side, Product):
        side = side.parts[0][1]
    if isinstance(side, Matrix):
        cells = (c for row in side.rows for c in row if isinstance(c, Name))
        return any(len(c.text) > 1 and c.text.isalpha() and c.text not in LETTERS for c in cells)
    base = base_of(side)
    several = isinstance(base, Group) and (len(base.items) > 1 or base.bracket == "\\{")
    return several and base.bracket in ("(", "\\{")  # type: ignore[attr-defined]


def _is_commutator(tree: Chain) -> bool:
    """True for [x, p] = …, which defines a bracket or states one."""
    left = tree.sides[0]
    lists = [isinstance(s, Group) and s.bracket == "[" and len(s.items) == 2 for s in tree.sides]
    return isinstance(left, Group) and lists[0] and not any(lists[1:])


def _is_zero(value: Value) -> bool:
    return isinstance(value.term, Number) and value.term.value == 0 and not value.axes


def _by_arguments(tree: Chain, arguments: tuple[Node, ...]) -> Chain:
    """f(a, b) = Σ_i c_i = Σ_i (a - b x_i) as what the second says first: it has the arguments."""
    own = set(map(spelled, arguments))
    if not own or len(tree.sides) < 3 or any(r not in EQUAL for r, _ in tree.relations[:2]):
        return tree
    left, first, second, *rest = tree.sides
    inside = [own & {spelled(n) for n in walk(side)} for side in (first, second)]
    if inside[0] or inside[1] != own:
        return tree
    return replace(tree, sides=(left, second, first, *rest))


def _kind(relation: str) -> str:
    """A claim is an equality, ≈ one of the digits printed; what else is stated is a relation."""
    return "claim" if relation in EQUAL else "numeric" if relation in NUMERIC else "relation"


@dataclass
class Equations:
    """What the equations of a document say, as far as they are read."""

    source: Source
    strict: bool
    names: Names
    sizes: Sizes
    conventions: Conventions
    links: list[Link] = field(default_factory=list)
    uses: dict[str, set[str]] = field(default_factory=dict)  # definition → the names it refers to
    functions: dict[str, Function] = field(default_factory=dict)
    lefts: set[str] = field(default_factory=set)  # names that stand alone on a left side
    made: list[tuple[str, tuple[Letter, ...], Term]] = field(default_factory=list)
    stepping: frozenset[str] = frozenset()  # letters that count steps, the t of a_{t-1}
    numerical: frozenset[str] = frozenset()  # letters that are numbers, the j of θ_j = b^{-j}
    instances: Functions = field(default_factory=Functions)

    def _auxiliary(self, s: Statement) -> None:
        """The definitions of what a statement inverts or differentiates."""
        for name, letters, term in self.made:
            self.uses[name] = self._used(term)
            left, at = Ref(name, letters), s.tokens[0].at
            self.links.append(Link("auxiliary", "=", left, term, letters, name, at, s.latex))
        self.made.clear()

    def _reader(self, s: Statement) -> Reader:
        found = Reader(
            self.source, self.names, self.sizes, s.here, self.conventions, self.functions, self.uses
        )
        found.steps[0] += 2 * len(s.tokens)
        found.made, found.links = self.made, self.links
        return found

    def _of_a_case(self, s: Statement) -> bool:
        """Its sentence says it of some values, for x > 1: a claim, and true of no others."""
        at, ranges = s.tokens[0].at, self.names.ranges.values()
        clauses = {r.case for several in ranges for r in several if r.clause}
        for _, spans in sentences(self.source) if clauses else ():
            if any(x.start <= at < x.end for x in spans):
                return any(self.source.place(x.start) in clauses for x in spans if x.start > at)
        return False

    def _shape(self, s: Statement, others: list[Context]) -> None:
        """Q ∈ ℝ^{n×d} declares the sizes of Q; k_j has the index that it has beside it."""
        assert isinstance(s.tree, Chain)
        left, right = s.tree.sides
        left = left if self.strict else rewrite.differentials(self.source, left, False)
        s.here.bound.clear()
        for base, letter in s.here.solo:
            if any(o.is_index(base, letter) for o in others):
                s.here.bound.add(letter)
        found = component(left, self.names, s.here)
        reader = self._reader(s)
        if found is None or found.transposed or found.power is not None:
            if not self.strict:
                return
            raise reader.fail(
                left,
                "the shape of an expression",
                expected="a name",
                mend="state the shape of the name itself",
            )
        dims = [size_expression(reader, d) for d in dimensions(right)]
        name = self.names.declare(found.name, len(found.slots) + len(dims), found.at)
        trait = values_in(right)
        self.names.positive |= {name} if trait == "positive" else set()
        if trait == "below":
            self.names.tied.setdefault(name, OPEN)
        if trait in TRAITS:
            self.names.traits.setdefault(name, set()).add(trait)
        for k, size in enumerate(dims):
            place = len(found.slots) + k
            self.sizes.give(
                self.sizes.slot(name, place, found.at),
                size,
                right.at,
                f"axis {place + 1} of {found.name}",
            )

    def _statement(self, s: Statement) -> None:
        tree = s.tree
        if is_shape(tree):
            self.links.append(Link("shape", "∈", None, None, (), "", tree.at, s.latex))
            return
        if self.strict and any(t.kind == "SIGN" and t.text == "int" for t in s.tokens):
            self._scalar(s)
            return
        for condition in premises.of(tree)[:1]:
            name = head(premises.bare(tree))
            found = component(name, self.names, s.here) if name is not None else None
            known = found is None or found.name in self.lefts or is_delta(found, self.names)
            if not known:
                raise self.source.fail(
                    condition.at,
                    "this equation is stated under a condition",
                    expected="an equation for all values of its indices",
                    mend=r"write \begin{cases} … & j \le i \\ … \end{cases} on its right",
                )
        reader = self._reader(s)
        if not self.strict and _is_list(tree):
            self.links.append(Link("notation", "", None, None, (), "", tree.at, s.latex))
            return
        if not isinstance(tree, Chain):
            scope = Scope({}, frozenset(), {})
            value = reader.read(tree, scope)
            self._link(s, "expression", "", value, None, (*value.free, *value.axes), "", tree.at)
            return
        if not self.strict and (any(map(_is_list, tree.sides)) or _is_commutator(tree)):
            relation = tree.relations[0][0]
            self.links.append(Link("notation", relation, None, None, (), "", tree.at, s.latex))
            return
        for relation, at in tree.relations:
            if relation in STATED and not self.strict:
                self.links.append(Link("notation", relation, None, None, (), "", tree.at, s.latex))
                return
            if relation in STATED:
                raise reader.fail(
                    at,
                    f"{relation} states a type or a distribution, no equation",
                    expected="= or another relation between expressions",
                    mend="declare shapes: Q \\in \\mathbb{R}^{n \\times d}, or "
                    "<!-- symattn: sizes Q:(n,d) -->",
                )
        self._chain(s, spread(reader, tree), reader)

    def _chain(self, s: Statement, tree: Chain, reader: Reader) -> None:
        root: dict[str, Letter] = {}
        scope = Scope({}, frozenset(), root)
        inside = None if s.value else solved(reader, tree, self.lefts | self.uses.keys())
        aimed = (inside[0], ()) if inside is not None else target_of(reader, tree.sides[0])
        implicit = not self.strict and self.names.implicit
        summed = summation.traces(tree, s.here) - self.names.blocks if implicit else set()
        aimed = None if summed else aimed
        target, arguments = aimed if aimed is not None else (None, ())
        given = self.names.arguments.get(target.name, ()) if target is not None else ()
        tree = _by_arguments(tree, arguments or tuple(given))
        other = self.functions.get(target.name) if target is not None and arguments else None
        elsewhere = other is not None and spelled(other.parameters) != spelled(arguments)
        if elsewhere and target is not None and self.instances.anew(tree):
            self.names.versions.renew(target.written, tree.at)  # another A from here on
            self._chain(s, tree, self._reader(s))
            return
        family = target is not None and bool(arguments) and target.name in self.names.families
        family = family or any(self._indexed(a, reader) for a in arguments) or s.value
        varied = target is not None and calls.is_slope(reader, target.name)
        if family or varied or of_itself(tree) or (elsewhere and not self.strict):
            target, arguments = None, ()
        elif elsewhere:
            raise reader.fail(
                tree.sides[0],
                f"{target.name if target else ''} is defined for other arguments",
                expected="the arguments as in its definition",
                mend="give the function of other arguments another name",
            )
        if target is not None:
            slots = [reader.slot(n, scope) for n in target.slots]
            fixed = frozenset(letters_in(slots))
            scope = replace(scope, fixed=fixed)
            plainly = all(isinstance(x, Letter) for x in slots) and len(fixed) == len(slots)
            self._for_each(reader, tree, target, {x.name for x in fixed})
            reader.entrywise = target.name in self.names.objectives
            values = [reader.read(side, scope) for side in tree.sides[1:]]
            if inside is not None and any(len(v.axes) > 1 for v in values):
                raise reader.fail(
                    tree.sides[0],
                    "a function of a matrix: of the matrix, or of its components?",
                    expected="a name by itself on the left",
                    mend="write the product, R R = …, or the indices",
                )
            written = values[0]  # what the next side of a chain is held against
            for way in inside[1] if inside is not None else ():
                values[0] = way(reader, values[0])
            sole = target.name in self.names.objectives and not values[0].free
            if sole and values[0].axes and objectives.mixed(values[0]):
                raise reader.fail(tree.sides[1], "a number and a vector are added in a loss")
            if sole and values[0].axes and not objectives.partly(tree, self.names):
                values[0] = objectives.total(values[0])
                self.names.assumed[target.name] = objectives.WHY
            self._rank(target, values[0])
            left = reader.component(target, scope)
        else:
            own = set() if self.strict else foreach.divided(tree, reader.here)
            own |= set() if self.strict else summation.compared(tree, reader.here)
            own |= set() if self.strict else foreach.each(tree, reader.here, self.numerical)
            own |= (
                set()
                if self.names.implicit
                else {
                    *summation.shared(tree, s.here),
                    *summation.powers(tree, s.here),
                }
            )
            fixed = frozenset(reader.letter(x, tree.at, scope) for x in sorted(own))
            left_free = self._left(reader, tree, replace(scope, fixed=fixed))
            fixed |= {x for x in left_free if x.name not in summed}
            plainly = False
            sides, error = [], None
            for side in tree.sides:
                try:
                    sides.append(reader.read(side, replace(scope, fixed=fixed)))
                except ReadError as failed:
                    error = error or failed
            more = {x.real() for v in sides for x in v.free} - fixed
            if error is not None and (self.strict or not more):
                raise error
            if more:  # a letter that occurs once on either side is free on both
                fixed |= more
                sides = [reader.read(x, replace(scope, fixed=fixed)) for x in tree.sides]
            left, *values = sides
            scope = replace(scope, fixed=fixed)
        restated = self._restated(reader, tree, target, left, values[0])
        if restated and target is not None:  # another f from here on
            base = self.names.versions.base
            others = (k.at for k in self.links if base(k.name) == target.written)
            self.names.versions.renew(target.written, tree.at, others)
        elif restated:
            self.names.epochs.setdefault(restated, []).append(tree.at)
        if restated:
            self._chain(s, tree, self._reader(s))
            return
        values = [left, *values]
        if target is None or not arguments:
            values = self._valued(reader, tree, values, scope)
        if target is not None and not arguments and left.axes and not values[1].axes:
            known = len(target.slots) + len(left.axes)
            raise self.names.clash(target.name, len(target.slots), known, target.at)
        whole = next((v for v in values if v.axes), None)
        if whole is not None:  # X^⊤ r = 0 is of every component
            zero = replace(whole, term=Number(sp.S.Zero), free={})
            values = [zero if _is_zero(v) else v for v in values]
            alone = not self.strict and "I" not in self.names.declared | self.uses.keys()
            if whole.row and whole.col and alone:  # B^⊤ B = I
                one = matrices.identity(reader, tree.at)
                values = [one if v.term == Ref("I") and not v.axes else v for v in values]
        self._same_axes(reader, tree, values)
        free = self._free(
            reader, s, values, fixed, target is not None or atomic(reader, tree.sides[0])
        )
        self._auxiliary(s)
        opaque = self._opaque(s, tree, values, free) if target is None else ""
        defined = bool(opaque) or (
            target is not None
            and plainly
            and tree.relations[0][0] in EQUAL
            and (not s.fact or s.instance)
            and not has_limit(values[1].term)  # a limit is stated, it has no components
            and self._defines(target.name, values[1].term)
        )
        recursive = target is not None and self._recursive(target.name, plainly, values)
        reason = s.reason and not self._of_a_case(s)
        for k, (relation, at) in enumerate(tree.relations):
            kind, between = _kind(relation), ""
            if s.instance and defined:
                kind = "auxiliary"
                assert target is not None
                self.uses[target.name] = self._used(values[1].term)
            elif s.fact or (reason and target is None and not (opaque and k == 0)):
                kind = "fact" if kind == "claim" else kind
            elif recursive and kind == "claim":
                kind = "recursion"
            elif k and defined and (between := self._between(tree, k, values)):
                kind = "definition"
                self.uses[between] = self._used(values[k + 1].term)
            elif k == 0 and defined:
                kind = "definition"
                name = target.name if target is not None else opaque
                self.uses[name] = self._used(values[1].term)
                if target is not None and arguments:
                    letters = tuple(n.text for n in target.slots if isinstance(n, Name))
                    self.functions[target.name] = Function(
                        arguments, letters, tree.sides[1], s.here
                    )
            self._link(
                s,
                kind,
                relation,
                written if inside is not None and k == 1 else values[k],
                values[k + 1],
                free,
                between or (target.name if target else opaque),
                at if k else tree.at,
            )

    def _between(self, tree: Chain, k: int, values: list[Value]) -> str:
        """The a of ŷ = a = σ(z), which nothing else defines; empty for what is no such name."""
        term, side = values[k].term, tree.sides[k]
        found = isinstance(term, Ref) and isinstance(plain(side), Name | Accent | Scripted)
        if not found or values[k].free or tree.relations[k][0] not in EQUAL:
            return ""
        assert isinstance(term, Ref)
        name, letters = term.name, [*letters_in(term.slots)]
        if letters != [*values[k].axes] or len(letters) < len(term.slots) or name in self.lefts:
            return ""
        return name if self._defines(name, values[k + 1].term) else ""

    def _for_each(self, reader: Reader, tree: Chain, target: Component, own: set[str]) -> None:
        """Raises ReadError for R = a_t / (1 - a_t), which is another R for every t.

        So is R = a_t (1 - a_t) beside some a_{t-1}: a t that counts steps is summed where Σ stands.
        """
        steps = frozenset[str]() if self.strict else self.stepping
        found = (foreach.loose(x, reader.here, self.names, steps) for x in tree.sides[1:])
        if loose := set[str]().union(*found) - own - self.sizes.names:
            letter = min(loose)
            raise reader.fail(
                tree.sides[0],
                f"{target.written} is another number for every {letter}, or a sum over {letter}?",
                expected=f"the index {letter} on the left, or a sum over it",
                mend=rf"write {target.written}_{letter} = …, or \sum_{letter}",
            )

    def _restated(
        self, reader: Reader, tree: Chain, target: Component | None, left: Value, right: Value
    ) -> str:
        """The name of a function of numbers that has a body of other values already."""
        side = tree.sides[0]
        call = whole(side)
        if self.strict or call is None or tree.relations[0][0] not in EQUAL:
            return ""
        name = target.name if target is not None else getattr(left.term, "name", "")
        found = component(call.name, self.names, reader.here)
        known = next((k for k in self.links if k.name == name and k.rhs is not None), None)
        before = known.rhs if known is not None else None
        given = {a.text for a in call.items if isinstance(a, Name)}
        if known is None or found is None or not name or before is None:
            return ""
        source = self.names.source
        own = {r.name for side in (before, right.term) for r in refs(side)} - given
        if not announced(source.text, tree.at) and (own or follows(source, tree.at)):
            return ""
        return found.name if self._differ(before, right.term) else ""

    def _differ(self, before: Term, body: Term) -> bool:
        """True where two functions of numbers have other values somewhere."""
        if any(r.slots for term in (before, body) for r in refs(term)):
            return False  # of arrays
        builder = Builder(self.sizes, {}, self.names)
        difference = builder(before) - builder(body)
        points = ({x: sp.Rational(3 + k + n, 7) for n, x in enumerate(
            sorted(difference.free_symbols, key=str))} for k in range(3))  # fmt: skip
        found = [sp.N(difference.subs(point)) for point in points]
        return any(v.is_number and v.is_finite and abs(v) > 1e-9 for v in found)

    def _indexed(self, argument: Node, reader: Reader) -> bool:
        """True for the k_i of a(q, k_i), which is another value for every i."""
        found = component(argument, self.names, reader.here)
        return found is not None and any(map(is_letter, found.slots)) and not self.strict

    def _opaque(self, s: Statement, tree: Chain, values: list[Value], free: object) -> str:
        """The name of the quantity p(x | z) that this equation defines; empty for none."""
        left, right = values[0].term, values[1].term
        if not isinstance(left, Ref) or left.name not in self.names.opaque or s.fact:
            return ""
        letters = {x.real() for x in letters_in(left.slots)}
        if len(letters) < len(left.slots) or set(free) - letters:  # type: ignore[call-overload]
            return ""
        if tree.relations[0][0] not in EQUAL or has_limit(right):
            return ""
        if self.names.tied.get(left.name) == brackets.AT_A_POINT:
            return ""
        written = self.names.integrals.get(left.name)
        both = {r.name for r in refs(right)} & self.names.integrals.keys()
        if written and (both or integrals.is_known(written, self.uses.keys(), self.names.opaque)):
            return ""  # what it comes to is a claim
        return left.name if self._defines(left.name, right) else ""

    def _left(self, reader: Reader, tree: Chain, scope: Scope) -> frozenset[Letter]:
        """The free letters of a compound left side: all of a derivative, else those not summed.

        Of x_0 = … x_t …, which is said of every t, that t.
        """
        side = tree.sides[0]
        own = component(side, self.names, reader.here)
        if own is not None and own.slots and initial(reader, own):
            others = (component(n, self.names, reader.here) for n in walk(tree.sides[1])
                      if isinstance(n, Scripted))  # fmt: skip
            slots = [x for o in others if o is not None and o.name == own.name for x in o.slots]
            return frozenset(reader.letter(x.text, x.at, scope) for x in slots if is_letter(x))
        value = reader.read(side, scope)
        return frozenset(scope.root.values()) if atomic(reader, side) else frozenset(value.free)

    def _rank(self, target: Component, value: Value) -> None:
        """A name without indices takes as many as its right side has axes."""
        name, rank = target.name, len(target.slots) + len(value.axes)
        if (
            name not in self.names.declared
            and value.axes
            and len(target.slots) < 2
            and self.names.ranks.get(name, 0) in (0, len(target.slots))
        ):
            self.names.ranks[name] = rank
            self.names.places[name] = target.at

    def _same_axes(self, reader: Reader, tree: Chain, values: list[Value]) -> None:
        first = values[0]
        for k, value in enumerate(values[1:], 1):
            if len(first.axes) != len(value.axes):  # a row may stand for a column: one reading
                short = self._short(reader, tree.sides[k if value.axes else 0])
                raise reader.fail(
                    tree.relations[k - 1][1],
                    f"the two sides have different shapes{short}",
                    expected=products.shape(first.row, first.col),
                    got=products.shape(value.row, value.col),
                    mend="declare the shapes: <!-- symattn: sizes Q:(n_q,d_k) -->",
                )
            for a, b in zip(first.axes, value.axes, strict=True):
                reader.sizes.same_letter(a, b, tree.relations[k - 1][1], "an axis of the two sides")
            if oriented.apart(reader, (tree.sides[0], tree.sides[k]), (first, value)):
                self.names.where.setdefault(tree.at, oriented.ROW_FOR_COLUMN)

    def _valued(
        self, reader: Reader, tree: Chain, values: list[Value], scope: Scope
    ) -> list[Value]:
        """The sides, a function alone on one of them with as many axes as the others have."""
        axes = max(len(v.axes) for v in values)
        plainly = [not v.axes and isinstance(v.term, Ref) for v in values]
        if not axes or not any(plainly) or self.strict:
            return values
        result = []
        for side, value, open_ in zip(tree.sides, values, plainly, strict=True):
            call = whole(side)
            found = component(call.name, self.names, reader.here) if call is not None else None
            if open_ and call and found and value.term.name in self.names.opaque:  # type: ignore[union-attr]
                self.names.valued[found.name, call.bold] = axes
                value = reader.read(side, scope)
            result.append(value)
        return result

    def _short(self, reader: Reader, side: Node) -> str:
        """The first name of a side that has some of its indices, but not all."""
        for node in walk(side):
            found = component(node, self.names, reader.here) if isinstance(node, Scripted) else None
            rank = self.names.ranks.get(found.name, 0) if found is not None else 0
            if found is not None and 0 < len(found.slots) < rank:
                return f": {found.written} has {counted(rank)}, and {len(found.slots)} is written"
        return ""

    def _free(
        self,
        reader: Reader,
        s: Statement,
        values: list[Value],
        fixed: frozenset[Letter],
        strict: bool,
    ) -> tuple[Letter, ...]:
        """The free letters of a statement.  Raises ReadError for one that dangles."""
        extra: dict[Letter, None] = {}
        for value in values[1:]:
            for letter in value.free:
                if letter.real() not in fixed:
                    extra[letter.real()] = None
        loose = next(iter(extra), None)
        if loose is not None and strict:
            raise reader.fail(
                loose.at,
                f"the index {loose.name} occurs once, is not on the left and is under no sum",
                expected=f"{loose.name} twice in a product, on the left, or under "
                rf"\sum_{loose.name}",
                mend=f"put {loose.name} on the left, or write \\sum_{loose.name}",
            )
        order = [
            *(x.real() for x in values[0].free),
            *(x.real() for x in fixed),
            *extra,
            *(x.real() for x in values[0].axes),
        ]
        return tuple(dict.fromkeys(order))

    def _recursive(self, name: str, plainly: bool, values: list[Value]) -> bool:
        """True for x_{t+1} = … x_t …, which says how a tensor goes on and defines nothing.

        Nothing is known about its values then, so the name is noted as tied.
        """
        if name in self.uses or name in self.names.declared & self.names.scalars:
            return False
        own = [r for v in values for r in refs(v.term) if r.name == name]
        shifted = any(isinstance(x, Affine) for r in own for x in r.slots)
        if not shifted or len({r.slots for r in own}) < 2:
            return False
        self.names.tied[name] = "an equation that goes from one index to the next"
        return True

    def _used(self, term: Term) -> set[str]:
        """The names that a term hangs on; with an inverse its matrix."""
        return {self.names.inverses.get(r.name, r.name) for r in refs(term)}

    def _defines(self, name: str, term: Term) -> bool:
        """True when the name is not defined yet, and does not depend on itself then."""
        if name in self.uses or name in self.names.inverses or name in self.names.losses:
            return False
        return name not in reached(self._used(term), self.uses)

    def _link(
        self,
        s: Statement,
        kind: str,
        relation: str,
        lhs: Value,
        rhs: Value | None,
        free: Iterable[Letter],
        name: str,
        at: int,
    ) -> None:
        self.links.append(
            Link(
                kind,
                relation,
                lhs.term,
                rhs.term if rhs else None,
                tuple(free),
                name,
                s.tokens[0].at,
                s.latex,
            )
        )

    def _scalar(self, s: Statement) -> None:
        sides = scalar.sides(self.source, s.tokens)
        for k, (relation, _) in enumerate(s.tree.relations if isinstance(s.tree, Chain) else ()):
            self.links.append(
                Link("claim", relation, sides[k], sides[k + 1], (), "", s.tokens[0].at, s.latex)
            )
