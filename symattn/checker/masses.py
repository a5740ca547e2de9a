r"""The laws of a formula as tables: one of all outcomes is positive, and the others are sums of it.

The law of all outcomes that a name stands with sums to one; p(x, z), p(x) and p(z | x) are made of
it.  What is observed and nowhere summed over is a factor of it that may be any positive number.  A
function is a table of anything, and what hangs on a parameter goes on from any value by any slope.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from ..read.names import base_name
from ..read.outcomes import Definition as Known
from ..read.outcomes import Said
from ..read.tree import Accent, Group, Name, Node, Product, Scripted, base_of, spelled, walk
from ..syntax import Definition, define, indices, sizes, tensor, total
from .factors import Hidden, Untold, applications, derived, kinds_of, outside, renamed_in, vectors
from .outcome import Variable, binders, bound_by, put, variable

Env = dict[object, Any]  # a bound variable as it is written, and its letter
Formulas = Mapping[object, Sequence[Known]]  # what laws are said to be


@dataclass(frozen=True)
class Value:
    """A number, a vector or a matrix by its components; `turned` for a row."""

    axes: tuple[str, ...]
    at: Callable[..., Any]
    turned: bool = False

    @property
    def rank(self) -> int:
        """How many axes it has."""
        return len(self.axes)


def number(expr: Any) -> Value:
    """A value without axes."""
    return Value((), lambda: expr)


class Masses:
    """The laws, functions and outcomes of an equation as tables."""

    def __init__(
        self,
        said: Said,
        sides: Sequence[Node],
        apart: bool = False,
        formulas: Formulas | None = None,
    ) -> None:
        self.said, self.sides = said, sides
        self.formulas: Formulas = formulas or {}
        self.apart = apart  # all outcomes and observations are independent
        self.definitions: list[Definition] = []
        self.free: dict[object, Any] = {}  # letters of the statement
        self.index: dict[str, Any] = {}  # the i of Σ_i and of x_i
        self.ends: dict[str, Any] = {}  # the n of Σ_{i=1}^n
        self.tables: dict[object, Any] = {}
        self.count = 0
        self.moving = True  # what is averaged is written with an outcome
        self.lettered: dict[str, tuple[str, ...]] = {}  # the i of x_i, of whose kind outcomes are
        self.bound = {v.type for side in sides for v in binders(side, said)}
        self.slopes, self.twice = derived(sides)
        self.observed = {
            v.spelled
            for c in applications(sides)
            for n in (*c.items, *c.given)
            if (v := variable(n))
        }
        self.outside = {spelled(n) for side in sides for n in outside(side)}
        for n in (n for side in sides for n in walk(side)):
            if (v := variable(n)) is not None and v.type in self.bound and v.letters:
                self.lettered[v.type] = v.letters
        self.vectors = {s for side in sides for s in vectors(side)}
        if {v for v in self.bound if v in self.slopes}:
            raise Untold("a slope along what is summed over")

    @property
    def mixed(self) -> bool:
        """True where x and x_i are outcomes and observations, which have one law."""
        kinds = {v.type for side in self.sides for n in walk(side) if (v := variable(n))}
        return any(k.partition("_of_")[0] in {x.partition("_of_")[0] for x in kinds - {k}}
                   for k in self.bound)  # fmt: skip

    # ----------------------------------------------------------------------------------- letters

    def letter(self, size: str) -> Any:
        """A letter that occurs nowhere else."""
        self.count += 1
        (n,) = sizes(f"n_{size}")
        return indices(f"k{self.count}", n)[0]

    def of(self, v: Variable, env: Env) -> Any:
        """The letter of a variable of which outcomes are summed over; None for an observed one."""
        if v.spelled in env:
            return env[v.spelled]
        if v.type not in self.bound:
            return None
        if v.spelled not in self.free:
            self.free[v.spelled] = self.letter(v.type)
        return self.free[v.spelled]

    def counted(self, name: str) -> Any:
        """The letter of an index."""
        if name not in self.index:
            self.index[name] = indices(f"i_{name}", sizes(f"m_{name}")[0])[0]
        return self.index[name]

    # ------------------------------------------------------------------------------------ tables

    def table(self, key: object, letters: Sequence[Any], by: Iterable[str], positive: bool) -> Any:
        """The component of a table of anything at these letters, with slopes along parameters."""
        if key not in self.tables:
            self.count += 1
            shape = [x.upper + 1 for x in letters]
            base = tensor(f"t{self.count}", *shape)
            own = [indices(f"u{self.count}_{k}", n)[0] for k, n in enumerate(shape)]
            expr = base[tuple(own)] if own else base
            for theta in sorted(by):
                place = self.slope(theta)
                along = [self.letter(f"of_{theta}") for _ in range(2)]
                w = tensor(f"w{self.count}", *shape, along[0].upper + 1)
                expr += total(w[(*own, along[0])] * place[along[0]], along[0])
                if self.twice:
                    u = tensor(f"v{self.count}", *shape, *(a.upper + 1 for a in along))
                    of = u[(*own, *along)] * place[along[0]] * place[along[1]]
                    expr += total(of, *along)
            if positive:
                expr = sp.exp(expr)
            name = f"table{self.count}"
            self.definitions.append(define(name, tuple(own), expr))
            self.tables[key] = tensor(name, *shape)
        found = self.tables[key]
        return found[tuple(letters)] if letters else found

    def slope(self, theta: str) -> Any:
        """The parameter as a vector."""
        return tensor(f"par_{theta}", *sizes(f"n_of_{theta}"))

    def universe(self, name: object) -> list[str]:
        """The kinds of outcomes that a law is written with."""
        found = set[str]()
        for call in applications(self.sides):
            if spelled(call.name) == name:
                own = [v.type for n in (*call.items, *call.given) if (v := variable(n))]
                if len({*own} & self.bound) == len([t for t in own if t in self.bound]):
                    found |= {*own} & self.bound
        for side in self.sides:
            found |= {v.type for law, vs in bound_by(side, self.said) for v in vs if law == name}
        return sorted(found)

    def joint(self, law: Node, kinds: Sequence[str], letters: Sequence[Any], role: object) -> Any:
        """The law of all outcomes at these letters: positive, and its sum is one."""
        key = ("law", spelled(law), role)
        if not kinds:
            return sp.Integer(1)
        if self.apart and len(kinds) > 1:
            return sp.Mul(
                *(self.joint(law, [k], [x], None) for k, x in zip(kinds, letters, strict=True))
            )
        if self.apart:
            kinds = [kinds[0].partition("#")[0]]
            key = ("law", spelled(law), kinds[0])
        along = [self.counted(x) for x in self.along(kinds)]
        if key not in self.tables:
            own = [self.letter(k.partition("#")[0]) for k in kinds]
            others = [self.letter(k.partition("#")[0]) for k in kinds]
            by = self.hangs(law)
            top = self.table(("mass", *key), [*own, *along], by, True)
            whole = total(self.table(("mass", *key), [*others, *along], by, True), *others)
            self.count += 1
            name = f"law{self.count}"
            self.definitions.append(define(name, (*own, *along), top / whole))
            self.tables[key] = tensor(name, *(x.upper + 1 for x in (*own, *along)))
        return self.tables[key][(*letters, *along)]

    def along(self, kinds: Sequence[str]) -> list[str]:
        """The indices that outcomes of these kinds bear."""
        return sorted({x for k in kinds for x in self.lettered.get(k.partition("#")[0], ())})

    def hangs(self, *nodes: Node) -> set[str]:
        """The parameters of derivatives that something is written with."""
        written = {n.text for node in nodes for n in walk(node) if isinstance(n, Name)}
        return written & self.slopes

    def weight(
        self,
        law: Node,
        role: object,
        kinds: Sequence[str],
        letters: Sequence[Any],
        seen: Sequence[Variable],
    ) -> Any:
        """The law of all outcomes at these letters and of what is observed beside them."""
        expr = self.joint(law, kinds, letters, role)
        if not seen:
            return expr
        if self.apart:
            for v in seen:
                by = self.hangs(law, v.node)
                own = [*map(self.counted, v.letters)]
                expr *= self.table(("seen", spelled(law), v.spelled), own, by, True)
            return expr
        key = ("seen", spelled(law), role, frozenset(v.spelled for v in seen))
        own = sorted({x for v in seen for x in v.letters} | {*self.along(kinds)})
        by = self.hangs(law, *(v.node for v in seen))
        return expr * self.table(key, [*letters, *map(self.counted, own)], by, True)

    def mass(self, law: Node, these: Sequence[Variable], kinds: Sequence[str], env: Env) -> Any:
        """The law of some outcomes and observations: the sum over all others."""
        pairs = [(v, self.of(v, env)) for v in these]
        letters = {v.type: own for v, own in pairs if own is not None}
        rest = {k: self.letter(k) for k in kinds if k not in letters}
        every = [letters[k] if k in letters else rest[k] for k in kinds]
        expr = self.weight(law, None, kinds, every, [v for v, own in pairs if own is None])
        return total(expr, *rest.values()) if rest else expr

    def law(self, law: Node, items: Sequence[Node], given: Sequence[Node], env: Env) -> Any:
        """p(items | given)."""
        if (formula := self.formula(law, (*items, *given))) is not None:
            value = self.read(formula, env)
            if value.rank:
                raise Untold("a law that is a vector")
            return value.at()
        self.plainly(law, items, given)
        these = [v for n in items if (v := variable(n))]
        those = [v for n in given if (v := variable(n))]
        if len(these) < len(items) or len(those) < len(given):
            inside = Group(law.at, "(", (*items, Group(law.at, "|", tuple(given))))
            return self.opaque(Product(law.at, (("", law), ("", inside))), env, True)
        every = [*these, *those]
        kinds = [v.type for v in every if v.spelled in env or v.type in self.bound]
        if len({*kinds}) < len(kinds):
            return self.transition(law, these, those, env)
        universe = self.universe(spelled(law))
        top = self.mass(law, every, universe, env)
        return top / self.mass(law, those, universe, env) if those else top

    def formula(self, law: Node, items: Sequence[Node]) -> Node | None:
        """What the text says that a law is, with these arguments."""
        for said in self.formulas.get(spelled(law), ()):
            if len(said.items) == len(items) and (found := put(said, items)) is not None:
                return found
        return None

    def transition(
        self, law: Node, these: Sequence[Variable], those: Sequence[Variable], env: Env
    ) -> Any:
        """p(s' | s, a), where two outcomes are of one kind."""
        every = [*these, *those]
        role = (tuple(v.type for v in every), len(these))
        pairs = [(k, v, self.of(v, env)) for k, v in enumerate(every)]
        kinds = [f"{v.type}#{k}" for k, v, own in pairs if own is not None]
        own = [x for _, _, x in pairs if x is not None]
        seen = [v for _, v, x in pairs if x is None]
        if any(v in seen for v in these):
            raise Untold("an observation beside two outcomes of a kind")
        top = self.weight(law, role, kinds, own, seen)
        rest = [self.letter(v.type) for v in these]
        below = self.weight(law, role, kinds, [*rest, *own[len(rest) :]], seen)
        return top / total(below, *rest) if those else top

    def plainly(self, law: Node, items: Sequence[Node], given: Sequence[Node]) -> None:
        """Refuse π(a) beside π_θ(a) where slopes along θ are taken."""
        forms = self.said.forms.get(base_name(base_of(law)) or "", ())
        alike = (f for f in forms if kinds_of(f.items) == kinds_of(items))
        if not self.hangs(law, *given) and any(self.hangs(f.name, *f.given) for f in alike):
            raise Untold("a law with and without its parameter")

    def opaque(self, node: Node, env: Env, positive: bool = False) -> Any:
        """Something of which only equals are known: a table over the outcomes in it."""
        letters: list[Any] = []
        seen = set[str]()

        def change(n: Node) -> Node:
            v = variable(n) if isinstance(n, Name | Scripted | Accent) else None
            if v is None:
                return n
            own = self.of(v, env) if v.spelled in env or v.spelled in self.observed else None
            if own is None:
                if not positive:
                    self.hidden(v, env)
                seen.update(x for x in v.letters if x in self.index or v.spelled in self.observed)
                return n
            letters.append(own)
            seen.update(v.letters)
            return Name(n.at, f"{v.type}#{len(letters)}")

        pattern = renamed_in(node, change)
        by = self.hangs(node) | (self.slopes if self._of_laws(node) else set())
        every = [*letters, *(self.counted(x) for x in sorted(seen))]
        return self.table(("of", spelled(pattern), positive), every, by, positive)

    def _of_laws(self, node: Node) -> bool:
        """True for V^π, which hangs on all that π hangs on."""
        first = node.parts[0][1] if isinstance(node, Product) else node
        scripts = first.scripts if isinstance(first, Scripted) else ()
        inside = (n for _, s in scripts for n in walk(s))
        return any(isinstance(n, Name) and n.text in self.said.laws for n in inside)

    def hidden(self, v: Variable, env: Env) -> None:
        """Refuse what a text says to hang on what is summed over here."""
        if not env:
            return
        for law in self.said.drawn.get(v.spelled, ()):
            if any(spelled(n) in env for n in walk(law)) or v.spelled not in self.observed:
                raise Hidden("an outcome that is not the one of the average")
        if v.spelled in self.said.heads and v.spelled not in self.observed:
            raise Hidden("something that is defined and may hang on the outcome")

    def read(self, node: Node, env: Env) -> Value:
        """The value of an expression.  Raises Untold."""
        raise NotImplementedError


__all__ = ["Env", "Formulas", "Masses", "Value", "number"]
