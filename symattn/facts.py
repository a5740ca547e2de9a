"""Facts: equations that hold beside the definitions, as definitions, as rules and as constraints.

A fact that says what an input is (z_i = x_i y_i, or A_ij B_jk = δ_ik for square matrices, which
makes B the inverse of A) takes part as a definition: derivatives go through it, and values drawn
satisfy it.  Any other one is a rule that rewrites a sum or a component.  A letter of a fact stands
for any index, never for one that is bound where the fact is used, and for an affine index only
where it means the same.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any, TypeAlias

from . import normalize as nf
from . import relations, sums
from .canonical import key
from .convert import lower_equation
from .ir import (
    ONE,
    ZERO,
    Call,
    Delta,
    Index,
    Max,
    Poly,
    Ref,
    Sum,
    Tensor,
    Term,
    determinant_tensor,
    inverse_tensor,
    rational,
    raw_atom,
    refs,
)
from .laws import sign_of
from .model import Body, Model, match
from .orthogonal import orthogonal, other_way, where_equal
from .places import placeable
from .symmetries import restated
from .syntax import without_marks

ROUNDS = 8  # how often the rules are applied before giving up


@dataclass(frozen=True)
class Fact:
    """left = right, as somebody wrote it."""

    label: str
    left: Poly
    right: Poly
    symmetric: Tensor | None = None  # the matrix A with its symmetry, where it is A_ij = ± A_ji

    @property
    def tensors(self) -> frozenset[Tensor]:
        """The inputs and definitions that it is about."""
        return frozenset(
            t for side in (self.left, self.right) for r in refs(side) for t in r.tensor.named
        )


def facts_of(m: Model) -> list[Fact]:
    """The facts of the system."""
    found = []
    for fact in m.system.facts:
        left, right = lower_equation(fact.lhs, fact.rhs, known=m.known)
        symmetric = _symmetric(nf.normalize(left), nf.normalize(right))
        said = without_marks(fact)
        found.append(Fact(f"fact {said.lhs} = {said.rhs}", left, right, symmetric))
    return found


def _symmetric(left: Poly, right: Poly) -> Tensor | None:
    """The matrix with the symmetry that A_ij = A_ji or A_ij = −A_ji gives it."""
    here, there = left.single, right.single
    if here is None or there is None or len(here[0].powers) != 1:
        return None
    ((atom, e),), factor = here[0], Fraction(there[1]) / Fraction(here[1])
    if not isinstance(atom, Ref) or atom.tensor.symmetry or atom.tensor.role:
        return None
    if e != 1 or abs(factor) != 1 or len(atom.slots) != 2:
        return None
    turned = Ref(atom.tensor, atom.slots[::-1])
    letters = all(isinstance(s, Index) for s in atom.slots) and atom is not turned
    if not letters or there[0].powers != {turned: 1}:
        return None
    symmetry = "symmetric" if factor == 1 else "antisymmetric"
    return Tensor(atom.tensor.name, atom.tensor.shape, atom.tensor.sign, symmetry)


# ------------------------------------------------------------------------------------ definitions


def linked(m: Model, wrt: Iterable[Tensor] = ()) -> tuple[Model, list[Fact]]:
    """The system with the facts that determine an input as definitions, and the other facts.

    What is differentiated by, `wrt`, stays an input where it can.
    """
    variables = {t.name for t in wrt}
    left, facts = [], facts_of(m)
    symmetric = {f.symmetric.name: f.symmetric for f in facts if f.symmetric}
    if symmetric:
        bodies = {}
        for name, written in m.bodies.items():
            value = restated(written.normal, symmetric)
            tensor = symmetric.get(name, written.tensor)
            bodies[name] = replace(written, tensor=tensor, raw=value, normal=value)
        m = m.restated(bodies, symmetric)
    for fact in facts:
        if fact.symmetric:
            left.append(fact)
            continue
        left_side, right_side = (restated(s, m.symmetric) for s in (fact.left, fact.right))
        fact = Fact(fact.label, left_side, right_side)
        body = _determined(fact, m, variables)
        if body is None:
            left.append(fact)
        else:
            m = m.with_body(body)
    return m, left


def _determined(fact: Fact, m: Model, variables: set[str]) -> Body | None:
    sides = (nf.normalize(fact.left), nf.normalize(fact.right))
    for left, right in (sides, sides[::-1]):
        for component, value in (*_component(left, right), *_inverse(left, right)):
            tensor = component.tensor
            free = tensor.name not in m.bodies and tensor.name not in variables
            used = {t.name for r in refs(value) for t in r.tensor.named}
            circular = tensor.name in used.union(*(m.uses(n) for n in sorted(used)))
            free = free and not getattr(tensor.symbol, "is_integer", False)  # how long an axis is
            if free and not circular and not tensor.symmetry and not tensor.role:
                letters = tuple(s for s in component.slots if isinstance(s, Index))
                return Body(tensor, letters, value, value, fact.label)
    return None


def _component(left: Poly, right: Poly) -> list[tuple[Ref, Poly]]:
    """c x_i = r says that x_i = r/c."""
    only = left.single
    if only is None or len(only[0].powers) != 1:
        return []
    (((atom, e),), c) = (tuple(only[0]), only[1])
    if (
        not isinstance(atom, Ref)
        or e != 1
        or (atom.tensor.symbol and not atom.tensor.symbol.is_Symbol)
    ):
        return []
    letters = [s for s in atom.slots if isinstance(s, Index)]
    if len(letters) < len(atom.slots) or len(set(letters)) < len(letters):
        return []
    return (
        [(atom, nf.scale(right, rational(1 / Fraction(c))))] if right.free <= set(letters) else []
    )


def _inverse(left: Poly, right: Poly) -> list[tuple[Ref, Poly]]:
    """A_ij B_jk = δ_ik of square matrices says that each is the inverse of the other."""
    product, unit = left.single, right.single
    if product is None or unit is None or product[1] != 1 or unit[1] != 1:
        return []
    if len(product[0].powers) != 1 or len(unit[0].powers) != 1:
        return []
    ((total, e),), ((delta, d),) = tuple(product[0]), tuple(unit[0])
    if not isinstance(total, Sum) or not isinstance(delta, Delta) or (e, d) != (1, 1):
        return []
    body = total.body.single
    if len(total.bound) != 1 or body is None or body[1] != 1:
        return []
    pair = [a for a, k in body[0] if isinstance(a, Ref) and k == 1]
    (letter,) = total.bound
    if len(pair) != 2 or len(body[0].powers) != 2 or pair[0].tensor is pair[1].tensor:
        return []
    places = []
    for component in pair:
        shape = component.tensor.shape
        if len(shape) != 2 or shape[0] != shape[1] or component.slots.count(letter) != 1:
            return []
        places.append(component.slots.index(letter))
    ends = {component.slots[1 - p] for component, p in zip(pair, places, strict=True)}
    if ends != {delta.a, delta.b} or not all(isinstance(x, Index) for x in ends):
        return []
    found = []
    for component, other in (pair, pair[::-1]):
        i, j = delta.a, delta.b
        slots = (i, j) if places[0] != places[1] else (j, i)
        value = nf.ref(inverse_tensor(other.tensor), slots)
        found.append((Ref(component.tensor, (i, j)), value))
    return found


# ------------------------------------------------------------------------------------------ rules


Rule: TypeAlias = tuple[str, Any, Poly, tuple[Index, ...]]  # label, pattern, value, letters


class Rules:
    """Facts as rewriting rules: a sum or a component, and what it is equal to."""

    def __init__(
        self,
        facts: Iterable[Fact],
        inverted: Iterable[Body] = (),
        symmetric: Mapping[Tensor, tuple[str, ...]] | None = None,
    ) -> None:
        self.inverses: Mapping[Tensor, tuple[tuple[Index, ...], Poly]] = {}
        self.determinants: Mapping[Tensor, Poly] = {}
        self.orthogonal: dict[Tensor, str] = {}  # matrices, and the facts that say so
        self.labels: dict[Tensor, list[str]] = {}  # what says which inverse a matrix has
        self.rules: list[Rule] = []
        self.equal: dict[Any, tuple[Any, Index, Index]] = {}  # where two letters are one
        self.implied: set[Any] = set()  # patterns of what follows from a fact
        self.symmetric = symmetric or {}  # M⁻¹ is symmetric where M is; by which definitions
        self.folded: list[Body] = []  # what the first rules fold
        self.parts: list[Rule] = []  # A_ij by M_ij − r_ij for M = A + r, once each
        self.relations: list[relations.Relation] = []
        self.idle: list[str] = []  # the facts that no rule is made of: values satisfy them alone
        for body in inverted:
            self._folded(body)
        for fact in facts:
            if fact.symmetric:
                continue
            left, right = _freed(nf.normalize(fact.left), nf.normalize(fact.right))
            rule = _oriented(left, right) or _oriented(right, left)
            relation = relations.solved(fact.label, left, right) if rule is None else None
            if relation is not None and relation.power > 1:
                self.relations.append(relation)
                continue
            if relation is not None:
                rule = relation.atom, relation.value
            if rule is None:
                self.idle.append(fact.label)
                continue
            atom, value = rule
            letters = tuple(sorted(atom.free, key=lambda i: i.sort))
            self.rules.append((fact.label, atom, value, letters))
            self._instances(fact.label, atom, value, letters)
            if (matrix := orthogonal(atom, value)) is not None:
                self._turned(fact.label, matrix, atom, value)

    def _folded(self, body: Body) -> None:
        r"""Σ_i X_ia X_ib = (M_ab − r_ab)/β for M = β Σ X X + r.

        What follows for β ≠ 0 holds for β = 0 as well, both sides being continuous there.
        """
        label = body.fact or f"definition of {body.tensor.name}"
        for term, c in body.normal:
            own = [(a, e) for a, e in term if a.free]
            if len(own) != 1 or own[0][1] != 1:
                continue
            atom = own[0][0]
            rest = nf.subtract(body.normal, Poly({term: c}))
            value = nf.subtract(nf.ref(body.tensor, body.indices), rest)
            value = nf.scale(value, rational(1 / Fraction(c)))
            value = nf.times(value, {a: -e for a, e in term if a is not atom})
            if isinstance(atom, Sum) and atom.free == {*body.indices}:
                letters = tuple(sorted(atom.free, key=lambda i: i.sort))
                self.rules.append((label, atom, value, letters))
                self.folded.append(body)
                break
            if not isinstance(atom, Ref) or atom.tensor.role or not rest.terms:
                continue
            if {*atom.slots} == {*body.indices} and atom.tensor not in {
                r.tensor for r in refs(rest)
            }:
                self.parts.append((label, atom, value, body.indices))

    def _instances(self, label: str, atom: Any, value: Poly, letters: tuple[Index, ...]) -> None:
        """The rule where two of its letters are one, which makes powers of products."""
        for i, j in combinations(letters, 2):
            if (found := where_equal(atom, value, i, j)) is not None:
                self.rules.append((label, *found))
                self.equal[found[0]] = atom, i, j

    def _turned(self, label: str, matrix: Tensor, atom: Sum, value: Poly) -> None:
        """A⁻¹ = A⊤ and |det A| = 1 for an orthogonal A, and what was not said of A A⊤ and A⊤ A."""
        i, j = sorted(atom.free, key=key)
        other = other_way(matrix, atom)
        self.rules.append((label, other, value, (i, j)))
        self._instances(label, other, value, (i, j))
        self.implied.add(other)
        det = Ref(determinant_tensor(matrix, "det"), ())
        self.relations.append(relations.Relation(label, det, 2, ONE))
        self.orthogonal[matrix] = label
        self.labels[matrix] = [label]
        self.inverses = {**self.inverses, matrix: ((i, j), nf.ref(matrix, (j, i)))}
        self.determinants = {**self.determinants, determinant_tensor(matrix, "logdet"): ZERO}

    def knowing(
        self,
        inverses: Mapping[Tensor, tuple[tuple[Index, ...], Poly]],
        determinants: Mapping[Tensor, Poly],
        labels: Mapping[Tensor, list[str]],
    ) -> Rules:
        """The same rules, and the inverses and determinants of definitions by those of others.

        `labels` are what says so of each.
        """
        folded = {b.tensor.name for b in self.folded} - {t.name for t in inverses}
        other = self.folding(folded)  # beside an inverse that is written by others nothing folds
        other.labels = {**labels, **self.labels}
        other.inverses = {**inverses, **self.inverses}
        other.determinants = {**determinants, **self.determinants}
        return other

    def folding(self, names: Container[str]) -> Rules:
        """The same rules; of those that fold a matrix, the ones for these names only."""
        other, count = copy(self), len(self.folded)
        kept = [k for k, body in enumerate(self.folded) if body.tensor.name in names]
        other.folded = [self.folded[k] for k in kept]
        other.rules = [*(self.rules[k] for k in kept), *self.rules[count:]]
        return other

    def by_sums(self, regular: Container[Tensor]) -> Rules:
        """The same rules, and A = M − r for M = A + r where nothing speaks of an inverse of A."""
        other, found = copy(self), dict[Tensor, Rule]()
        for part in self.parts:
            if part[1].tensor not in regular:
                found.setdefault(part[1].tensor, part)
        other.rules = [*self.rules, *found.values()] if found else self.rules
        return other

    def apply(self, poly: Poly, used: list[str]) -> Poly:
        """The expression with facts applied until none fits."""
        matrices = self.symmetric or self.inverses or self.determinants
        if not (self.rules or matrices or self.relations):
            return poly

        def rule(atom: Any) -> Poly | None:
            if isinstance(atom, Ref) and atom.tensor in self.determinants:
                used.extend(x for x in self.labels[atom.tensor.of[0]] if x not in used)
                return self.determinants[atom.tensor]
            if isinstance(atom, Ref) and atom.tensor.role == "inverse":
                (matrix,), labels = atom.tensor.of, self.symmetric.get(atom.tensor.of[0])
                if matrix in self.inverses:
                    letters, value = self.inverses[matrix]
                    used.extend(x for x in self.labels[matrix] if x not in used)
                    return nf.substitute(value, dict(zip(letters, atom.slots, strict=True)))
                if labels is not None and not atom.tensor.symmetry:
                    used.extend(label for label in labels if label not in used)
                    return nf.ref(inverse_tensor(matrix, "symmetric"), atom.slots)
            for name, pattern, value, letters in self.rules:
                result = _use(pattern, value, letters, atom)
                if result is not None:
                    if name not in used:
                        used.append(name)
                    return result
            return None

        for _ in range(ROUNDS):
            after = relations.reduced(nf.rewrite(poly, rule), self.relations, used)
            if after is poly:
                return poly
            poly = after
        return poly


def _freed(left: Poly, right: Poly) -> tuple[Poly, Poly]:
    """x = y² for √x = y, and x = e^y for log x = y, on both sides, as often as it can be done."""
    for _ in range(ROUNDS):
        for one, other in ((left, right), (right, left)):
            if one.single is None or len(one.single[0].powers) != 1:
                continue
            (((atom, e),), c) = one.single
            value = nf.scale(other, rational(1 / Fraction(c)))
            if e == 1 and isinstance(atom, Call) and atom.name == "log":
                left, right = atom.args[0], nf.call("exp", [value])
                break
            if Fraction(e).denominator % 2 == 0 and abs(Fraction(e).numerator) == 1:
                left = nf.normalize(raw_atom(atom))
                right = nf.power(value, rational(1 / Fraction(e)))
                break
        else:
            break
    return left, right


def _oriented(left: Poly, right: Poly) -> tuple[Any, Poly] | None:
    """The atom of `left` that the fact determines, and its value."""
    only = left.single
    if only is None:
        return None
    term, c = only
    for kind in (Sum, Ref, Max, Call):
        atom = next((a for a, _ in term if isinstance(a, kind)), None)
        if atom is None or (kind is Ref and len(set(getattr(atom, "slots", ()))) < len(atom.free)):
            continue
        e = term.powers[atom]
        rest = Term({a: k for a, k in term if a is not atom})
        if rest.free - atom.free or right.free - atom.free:
            continue
        if any(k > 0 and sign_of(Term({a: k})) != "+" for a, k in rest):
            continue  # y·Σ x = y says nothing about Σ x where y = 0, and Σ x/y = 1 is of y ≠ 0
        if any(r.tensor is atom.tensor for r in refs(right)) if isinstance(atom, Ref) else False:
            continue
        quotient = nf.multiply(right, nf.power(Poly({rest: c}), -1))
        if e == 1:
            return atom, quotient
        if sign_of(atom) == "+":
            return atom, nf.power(quotient, rational(1 / Fraction(e)))
    return None


def _use(pattern: Any, value: Poly, letters: tuple[Index, ...], atom: Any) -> Poly | None:
    """The value of the atom if the pattern is the atom, or a sum inside it."""
    if type(atom) is not type(pattern):
        return None
    found = match(pattern, atom, letters)
    if found is not None:
        return nf.substitute(value, found) if placeable(value, found) else None
    if not isinstance(atom, Sum) or len(pattern.bound) >= len(atom.bound):
        return None
    bound, body = sums.opened(atom, atom.free)
    if body.single is None:
        return None
    term, c = body.single
    for inner in combinations(bound, len(pattern.bound)):
        split = sums.split_sum(inner, term)
        if split is None:
            continue
        partial, rest = split
        if partial.single is None:
            continue
        factor, d = partial.single
        for part, e in factor:
            found = match(pattern, part, letters) if isinstance(part, Sum) and e == 1 else None
            if found is not None and placeable(value, found):
                others = Term({a: k for a, k in factor if a is not part})
                inside = nf.multiply(
                    Poly({others: rational(c * d)}), Poly({rest: 1}), nf.substitute(value, found)
                )
                left = [b for b in bound if b not in inner]
                return nf.sum_over(left, inside)
    return None


def operands(m: Model, sides: Iterable[Poly], *roles: str) -> set[Tensor]:
    """The matrices whose inverses or determinants occur in an expression or in what it rests on."""
    sides = tuple(sides)
    direct = {t.name for s in sides for r in refs(s) for t in r.tensor.named}
    reached = direct.union(*(m.uses(name) for name in sorted(direct)))
    nodes = [*sides, *(m.bodies[n].raw for n in sorted(reached & m.bodies.keys()))]
    return {t for p in nodes for r in refs(p) if r.tensor.role in roles for t in r.tensor.of}


def inverted(m: Model, sides: Iterable[Poly]) -> list[Body]:
    """The definitions whose inverses occur in an expression or in what it rests on."""
    found = {t.name for t in operands(m, sides, "inverse")}
    return [m.bodies[n] for n in sorted(found & m.bodies.keys())]


__all__ = ["Fact", "Rules", "facts_of", "inverted", "linked", "operands"]
