r"""Formulas of laws as index expressions: an average is a sum over one outcome with its law.

𝔼_{x ∼ p}[f(x)], ∫ p(x) f(x) dx and Σ_x p(x) f(x) are one sum.  The law of all outcomes that a name
stands with is one positive table that sums to one, of which p(x, z), p(x) and p(z | x) are made;
what is observed and nowhere summed over is a factor of it that may be any positive number.  A
function is a table, and what hangs on a parameter goes on from any value by any slope.  All
that holds for tables of every size, by the laws of sums alone, holds for densities.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from ..read.applications import Application, application
from ..read.names import base_name
from ..read.outcomes import Definition as Known
from ..read.outcomes import Said
from ..read.tree import (
    Accent,
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
    base_of,
    sign_of,
    spelled,
    walk,
)
from ..syntax import Definition, define, indices, partial, sizes, tensor, total
from .outcome import (
    Under,
    Variable,
    binders,
    bound_by,
    bound_parts,
    divergence,
    listed,
    mutual,
    one_law,
    put,
    variable,
)

Env = dict[object, Any]  # a bound variable as it is written, and its letter
Parts = Sequence[tuple[str, Node]]
Formulas = Mapping[object, Sequence[Known]]  # what laws are said to be


class Untold(Exception):
    """Something that is not known here."""


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


class Densities:
    """The sides of an equation as index expressions, and the definitions that they rest on."""

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
        self.lettered: dict[str, tuple[str, ...]] = {}  # the i of x_i, of whose kind outcomes are
        self.bound = {v.type for side in sides for v in binders(side, said)}
        self.slopes, self.twice = _derived(sides)
        self.observed = {
            v.spelled
            for c in _applications(sides)
            for n in (*c.items, *c.given)
            if (v := variable(n))
        }
        self.outside = {spelled(n) for side in sides for n in _outside(side)}
        for n in (n for side in sides for n in walk(side)):
            if (v := variable(n)) is not None and v.type in self.bound and v.letters:
                self.lettered[v.type] = v.letters
        self.vectors = {s for side in sides for s in _vectors(side)}
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
        for call in _applications(self.sides):
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
        alike = (f for f in forms if _kinds(f.items) == _kinds(items))
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

        pattern = _topdown(node, change)
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
                raise Untold("an outcome that is not the one of the average")
        if v.spelled in self.said.heads and v.spelled not in self.observed:
            raise Untold("something that is defined and may hang on the outcome")

    # ------------------------------------------------------------------------------------ values

    def read(self, node: Node, env: Env) -> Value:
        """The value of an expression.  Raises Untold."""
        match node:
            case Product():
                return self.product(node.parts, env)
            case Addition():
                return self.sum([(sign, self.read(p, env)) for sign, p in node.parts])
            case Fraction():
                if (of := _derivative(node)) is not None:
                    return self.derivative(of[0], of[1], env)
                below = self.read(node.bottom, env)
                return self.times(self.read(node.top, env), self.power(below, -1))
            case Number():
                return number(sp.Rational(node.text))
            case Group(bracket="(" | "[" | "{", items=(inner,)):
                return self.read(inner, env)
            case Scripted(base=Group(bracket="(" | "[" | "{", items=(inner,)), scripts=scripts):
                return self.raised(self.read(inner, env), scripts)
            case Name() | Accent() | Scripted():
                return self.name(node, env)
        raise Untold(type(node).__name__)

    def raised(self, value: Value, scripts: Sequence[tuple[str, Node]]) -> Value:
        """A value under the scripts behind its bracket."""
        for mark, script in scripts:
            while isinstance(script, Group) and script.bracket == "{" and len(script.items) == 1:
                script = script.items[0]
            if mark == "^" and script in (Symbol(script.at, "top"), Name(script.at, "T")):
                value = Value(
                    value.axes[::-1], lambda *x, v=value: v.at(*x[::-1]), not value.turned
                )
            elif mark == "^" and (n := _integer(script)) is not None:
                value = self.power(value, n)
            else:
                raise Untold("a script behind brackets")
        return value

    def power(self, value: Value, n: int) -> Value:
        if value.rank:
            raise Untold("a power of a vector")
        return number(value.at() ** n)

    def sum(self, terms: Sequence[tuple[int, Value]]) -> Value:
        """Terms of one shape added; 0 is of any."""
        kept = [(s, v) for s, v in terms if v.rank or v.at() != 0]
        if len({(v.axes, v.turned) for _, v in kept}) > 1:
            raise Untold("terms of several shapes")
        if not kept:
            return number(sp.Integer(0))
        first = kept[0][1]
        return Value(first.axes, lambda *x: sp.Add(*(s * v.at(*x) for s, v in kept)), first.turned)

    def times(self, one: Value, other: Value) -> Value:
        """The product: of numbers, with a vector, of a column with a row."""
        if not one.rank or not other.rank:
            whole = one if one.rank else other
            return Value(
                whole.axes,
                lambda *x: (
                    (one.at(*x) if one.rank else one.at())
                    * (other.at(*x) if other.rank else other.at())
                ),
                whole.turned,
            )
        if (one.rank, other.rank) == (1, 1) and other.turned and not one.turned:
            return Value((*one.axes, *other.axes), lambda a, b: one.at(a) * other.at(b))
        raise Untold("a product of vectors")

    def product(self, parts: Parts, env: Env) -> Value:
        """Factors from left to right; a Σ, an ∫ and a ∇ reach as far as they are written."""
        found = number(sp.Integer(1))
        k = 0
        while k < len(parts):
            op = parts[k][0]
            if op not in ("", "·", "/"):
                raise Untold(f"the operator {op}")
            value, k = self.factor(parts, k, env)
            found = self.times(found, self.power(value, -1) if op == "/" else value)
        return found

    def factor(self, parts: Parts, k: int, env: Env) -> tuple[Value, int]:
        """One factor with what belongs to it, and the place behind it."""
        sign = sign_of(parts[k][1])
        kind = sign.kind if sign is not None else ""
        along = _along(parts[k][1])
        if along is not None:
            end = self.reach(parts, k + 1)
            rest = parts[end:]
            if any(self.hangs(p) for _, p in rest) and not _is_slope(rest[0][1]):
                raise Untold("how far a slope reaches")
            body, turned = _upright(parts[k + 1 : end])
            value = self.derivative(along[0], body, env, along[1])
            return self.raised(value, turned), end
        if kind in ("sum", "int"):
            return self.total(parts, k, env), len(parts)
        if kind == "function" and sign is not None and sign.text in ("E", "Var", "Cov"):
            return self.average(parts, k, env)
        if kind == "function" and sign is not None and sign.text in ("log", "ln", "exp"):
            if isinstance(parts[k][1], Scripted):
                raise Untold("a logarithm with scripts")
            end = self.reach(parts, k + 1)
            plain = not isinstance(base_of(parts[k + 1][1]), Group | Fraction)
            if plain and any(self._is_law(parts, j) for j in range(end, len(parts))):
                raise Untold("how far a logarithm reaches")
            inside = parts[k + 1 : end]
            if sign.text == "exp":
                return self._scalar(self.read(_of(inside), env), sp.exp), end
            return number(self.logarithm(_of(inside), env)), end
        if sign is not None:
            raise Untold(f"the sign {sign.text or kind}")
        if (said := divergence(parts, k)) is not None:
            return number(self.divergence(said[0], said[1], env)), said[2]
        call = self.called(parts, k)
        if call is not None:
            return self.raised(
                number(self.call(call, parts[k : call.after], env)), call.scripts
            ), call.after
        return self.read(parts[k][1], env), k + 1

    def _scalar(self, value: Value, function: Callable[[Any], Any]) -> Value:
        if value.rank:
            raise Untold("a function of a vector")
        return number(function(value.at()))

    def logarithm(self, node: Node, env: Env) -> Any:
        """log of a product as a sum, so that log Π_i is Σ_i log."""
        match node:
            case Group(bracket="(" | "[" | "{", items=(inner,)):
                return self.logarithm(inner, env)
            case Fraction() if _derivative(node) is None:
                return self.logarithm(node.top, env) - self.logarithm(node.bottom, env)
            case Product(parts=parts):
                k = next((k for k, (_, p) in enumerate(parts) if _is(p, "prod")), None)
                if k is not None and all(op in ("", "·") for op, _ in parts):
                    before = self.logarithm(_of(parts[:k]), env) if k else 0
                    under, letters = self.over(parts[k][1], env)
                    return before + total(self.logarithm(_of(parts[k + 1 :]), under), *letters)
        value = self.read(node, env)
        if value.rank:
            raise Untold("the logarithm of a vector")
        return sp.log(value.at())

    def reach(self, parts: Parts, k: int) -> int:
        """Behind the one factor that starts here, with all that belongs to it."""
        if k >= len(parts):
            raise Untold("nothing behind a sign")
        sign = sign_of(parts[k][1])
        if sign is not None and sign.kind in ("sum", "int", "prod"):
            return len(parts)
        if sign is not None:
            return self.reach(parts, k + 1)
        if (said := divergence(parts, k)) is not None:
            return said[2]
        call = self.called(parts, k)
        return call.after if call is not None else k + 1

    def _is_law(self, parts: Parts, k: int) -> bool:
        call = self.called(parts, k)
        return call is not None and base_name(base_of(call.name)) in self.said.laws

    def called(self, parts: Parts, k: int) -> Application | None:
        """The application at a factor; a name before a sum in brackets is a factor."""
        call = application(parts, k) or _square(parts, k)
        if call is None:
            return None
        known = base_name(base_of(call.name)) in self.said.laws
        plainly = all(variable(n) is not None for n in (*call.items, *call.given))
        if not (known or plainly or call.given or len(call.items) > 1):
            inside = call.items[0]
            if isinstance(inside, Addition) or spelled(call.name) in self.outside:
                return None
        return call

    def call(self, call: Application, parts: Parts, env: Env) -> Any:
        name = base_name(base_of(call.name))
        if name in self.said.laws:
            return self.law(call.name, call.items, call.given, env)
        if name in ("H", "I") and (self.said.entropies or one_law(call)):
            return self.entropy(call, env)
        return self.opaque(
            Product(
                call.name.at,
                (("", call.name), ("", Group(0, "(", (*call.items, Group(0, "|", call.given))))),
            ),
            env,
        )

    def name(self, node: Node, env: Env) -> Value:
        """A name by itself: an outcome, an observation, a size or a constant."""
        if isinstance(node, Scripted):
            above = [(m, s) for m, s in node.scripts if m == "^"]
            top = above[0][1] if len(above) == 1 else None
            rest = tuple(x for x in node.scripts if x not in above)
            turned = top is not None and top in (Symbol(top.at, "top"), Name(top.at, "T"))
            if top is not None and (turned or _integer(top) is not None):
                base: Node = Scripted(node.at, node.base, rest) if rest else node.base
                return self.raised(self.name(base, env), above)
        v = variable(node)
        if v is None:
            raise Untold("a name with scripts")
        text = node.text if isinstance(node, Name) else ""
        if text in self.ends:
            return number(self.ends[text])
        if text in self.index or text in self.slopes or text in ("e", "i"):
            raise Untold("an index as a number")
        if text == "pi" and "pi" not in self.said.laws:
            return number(sp.pi)
        own = self.of(v, env) if v.spelled in env or v.spelled in self.observed else None
        if own is None and v.spelled not in self.observed:
            constant = v.spelled in self.outside or text in self.said.constants
            constant = constant and text not in self.said.random
            if (env and not constant) or v.type in self.bound:
                raise Untold("a name that may hang on the outcome")
            if v.spelled in self.said.heads and (env or self.slopes):
                raise Untold("a name that is defined")
            if self.slopes and text not in self.said.constants:
                raise Untold("a name that may hang on the parameter")
        if own is None:
            self.hidden(v, env)
        letters = [own] if own is not None else [*map(self.counted, sorted(v.letters))]
        key = ("value", v.type if own is not None else v.spelled)
        by = self.hangs(node)
        if v.spelled not in self.vectors:
            return number(self.table(key, letters, by, False))
        return Value(("axis",), lambda a: self.table(key, [*letters, a], by, False))

    # ---------------------------------------------------------------------------------- averages

    def derivative(self, theta: Node, body: Node, env: Env, degree: int = 1) -> Value:
        """∇_θ of a number as a column, ∇_θ² as a matrix; ∂/∂θ_i as a number."""
        value = self.read(body, env)
        if value.rank:
            raise Untold("the slope of a vector")
        v = variable(theta)
        if v is None:
            raise Untold("a slope along an expression")
        expr, place = value.at(), self.slope(v.type)
        known = [*env.values(), *self.free.values(), *self.index.values()]
        own = tuple(dict.fromkeys(x for x in known if expr.has(x)))
        self.count += 1
        name = f"slope{self.count}"
        self.definitions.append(define(name, own, expr))
        shape = [x.upper + 1 for x in own]
        of = tensor(name, *shape)[own] if own else tensor(name)
        if v.letters and degree == 1:
            (k,) = v.letters
            along = self.free.setdefault(("component", k), self.letter(f"of_{v.type}"))
            return number(partial(of, place[along]))
        if degree == 1:
            return Value((f"of_{v.type}",), lambda a: partial(of, place[a]))
        if degree == 2:
            first = self.letter(f"of_{v.type}")
            inner = f"slope{self.count}_1"
            self.definitions.append(define(inner, (*own, first), partial(of, place[first])))
            twice = tensor(inner, *shape, first.upper + 1)
            return Value((f"of_{v.type}",) * 2, lambda a, b: partial(twice[(*own, a)], place[b]))
        raise Untold("a slope of higher order")

    def total(self, parts: Parts, k: int, env: Env) -> Value:
        """Σ_x, Σ_i and ∫ … dx, to the end of the product."""
        sign = parts[k][1]
        if _is(sign, "int"):
            inner, letters, body = dict(env), [], list[tuple[str, Node]]()
            if any(not _everywhere(s) for s in _scripts(sign)):
                raise Untold("an integral with limits")
            rest = [p for _, p in parts[k + 1 :]]
            by, kept = bound_parts(rest)
            signs = 1 + sum(_is(p, "int") for p in kept)
            if not by or signs > len(by):
                raise Untold("what an integral runs over")
            for v in by:
                inner[v.spelled] = self.letter(v.type)
                letters.append(inner[v.spelled])
            body = [
                ("", p) if op not in ("/",) else (op, p)
                for op, p in parts[k + 1 :]
                if p in kept and not _is(p, "int")
            ]
            if not body:
                raise Untold("an empty integral")
        else:
            inner, letters = self.over(sign, env)
            body = [*parts[k + 1 :]]
        return self.whole(self.product(body, inner), letters)

    def whole(self, value: Value, letters: Sequence[Any]) -> Value:
        return Value(value.axes, lambda *x: total(value.at(*x), *letters), value.turned)

    def over(self, sign: Node, env: Env) -> tuple[Env, list[Any]]:
        """What Σ runs over: outcomes, or an index up to its end."""
        scripts = dict(sign.scripts) if isinstance(sign, Scripted) else {}
        below, above = scripts.get("_"), scripts.get("^")
        inner, letters = dict(env), []
        for node in listed(below):
            first: Node | None = None
            plain = node
            if isinstance(node, Chain):
                if len(node.sides) != 2 or node.relations[0][0] not in ("=", "∈"):
                    raise Untold("a sum under a condition")
                plain, first = node.sides[0], node.sides[1]
                first = first if node.relations[0][0] == "=" else None
            v = variable(plain)
            if v is None:
                raise Untold("a sum over an expression")
            if v.type in self.bound and above is None and first is None:
                inner[v.spelled] = self.letter(v.type)
                letters.append(inner[v.spelled])
            elif isinstance(plain, Name) and v.spelled not in self.observed:
                letters.append(self.counted(plain.text))
                self.ranges(plain.text, first, above)
            else:
                raise Untold("a sum over an observation")
        if not letters:
            raise Untold("a sum over nothing")
        return inner, letters

    def ranges(self, letter: str, first: Node | None, last: Node | None) -> None:
        """Note the n of Σ_{i=1}^n, which is how many there are."""
        key = ("range", letter)
        said = spelled((first, last))
        if self.tables.setdefault(key, said) != said:
            raise Untold("two ranges of an index")
        if isinstance(last, Name) and isinstance(first, Number) and first.text in ("0", "1"):
            size = self.index[letter].upper + 1
            self.ends[last.text] = size - (1 if first.text == "0" else 0)

    def average(self, parts: Parts, k: int, env: Env) -> tuple[Value, int]:
        """𝔼, Var and Cov over the laws below the sign."""
        sign = parts[k][1]
        symbol = sign_of(sign)
        scripts = sign.scripts if isinstance(sign, Scripted) else ()
        if k + 1 >= len(parts) or [m for m, _ in scripts] not in (["_"],):
            raise Untold("an average over what is not said")
        under = Under.of(scripts[0][1], self.said, self.sides)
        if under is None:
            raise Untold("an average over what is not said")
        inner = dict(env)
        for v in under.outcomes:
            inner[v.spelled] = self.letter(v.type)
        letters = [inner[v.spelled] for v in under.outcomes]
        weight = sp.Integer(1)
        for name, items, given in under.laws:
            weight *= self.law(name, items, given, inner)
        scripts, group = (), parts[k + 1][1]
        if isinstance(group, Scripted) and isinstance(group.base, Group):
            scripts, group = group.scripts, group.base  # the square of an average
        if isinstance(group, Group) and group.bracket in "([{":
            end, items = k + 2, group.items
        else:
            end = self.reach(parts, k + 1)
            items = (_of(parts[k + 1 : end]),)
            if end < len(parts):
                raise Untold("how far an average reaches")

        def mean(value: Value) -> Value:
            return Value(
                value.axes, lambda *x: total(weight * value.at(*x), *letters), value.turned
            )

        values = [self.read(item, inner) for item in items]
        if symbol is not None and symbol.text == "E" and len(values) == 1:
            return self.raised(mean(values[0]), scripts), end
        one, other = values[0], values[-1]
        if (
            len(values) != (2 if symbol is not None and symbol.text == "Cov" else 1)
            or one.rank
            or other.rank
        ):
            raise Untold("a covariance of vectors")
        apart = mean(self.times(one, other)).at() - mean(one).at() * mean(other).at()
        return self.raised(number(apart), scripts), end

    def divergence(self, one: Node, other: Node, env: Env) -> Any:
        """KL(q ‖ p) = Σ q log(q/p) over the outcomes of the first."""
        first, second = (Under.law(n, self.said, self.sides) for n in (one, other))
        if first is None or second is None:
            raise Untold("a divergence of what is not said")
        outcomes = [v for n in first[1] if (v := variable(n))]
        if {v.spelled for n in second[1] if (v := variable(n))} != {v.spelled for v in outcomes}:
            raise Untold("a divergence between laws of different things")
        inner = dict(env)
        for v in outcomes:
            inner[v.spelled] = self.letter(v.type)
        p, q = (self.law(*x, inner) for x in (first, second))
        return total(p * (sp.log(p) - sp.log(q)), *(inner[v.spelled] for v in outcomes))

    def entropy(self, call: Application, env: Env) -> Any:
        """H(X | Y) and I(X; Y | Z) of outcomes, H(q) of a law."""
        if (law := one_law(call)) is not None:
            found = Under.law(law, self.said, self.sides)
            if found is None or base_name(base_of(call.name)) != "H":
                raise Untold("an entropy of what is not said")
            outcomes = [v for n in found[1] if (v := variable(n))]
            inner = dict(env)
            for v in outcomes:
                inner[v.spelled] = self.letter(v.type)
            q = self.law(*found, inner)
            return -total(q * sp.log(q), *(inner[v.spelled] for v in outcomes))
        if env or (said := mutual(call)) is None:
            raise Untold("an entropy of what is not said")
        first, second, given = said
        name = Name(0, "Pr")

        def h(these: Sequence[Variable]) -> Any:
            if not these:
                return sp.Integer(0)
            inner = {v.spelled: self.letter(v.type) for v in these}
            kinds = sorted(self.capitals())
            q = self.mass(name, these, kinds, inner)
            return -total(q * sp.log(q), *inner.values())

        if second is None:
            return h([*first, *given]) - h(given)
        return h([*first, *given]) + h([*second, *given]) - h([*first, *second, *given]) - h(given)

    def capitals(self) -> set[str]:
        """The outcomes that entropies are of."""
        return {
            v.type
            for c in _applications(self.sides)
            if base_name(base_of(c.name)) in ("H", "I") and (said := mutual(c)) is not None
            for vs in said
            for v in vs or ()
        }


def _kinds(items: Sequence[Node]) -> list[str]:
    return [v.type for n in items if (v := variable(n))]


def _derived(sides: Sequence[Node]) -> tuple[set[str], bool]:
    """The names that slopes are taken along, and whether second ones are."""
    found, twice = set[str](), False
    for side in sides:
        for node in walk(side):
            by: Node | None = None
            if isinstance(node, Fraction) and (of := _derivative(node)) is not None:
                by = of[0]
            elif (along := _along(node)) is not None:
                by, degree = along
                twice = twice or degree > 1
            if by is not None and (v := variable(by)) is not None:
                found.add(v.type)
    nested = any(
        _slopes(node) > 1 for side in sides for node in walk(side) if isinstance(node, Product)
    )
    return found, twice or nested


def _slopes(node: Node) -> int:
    """How many slopes are taken of one another or of factors of a product."""
    return sum(_along(n) is not None for n in walk(node))


def _along(node: Node) -> tuple[Node, int] | None:
    """θ and 1 of ∇_θ and of ∂/∂θ, θ and 2 of ∇_θ²; None for anything else."""
    if isinstance(node, Fraction):
        bottom = node.bottom.parts if isinstance(node.bottom, Product) else ()
        top = node.top.parts[0][1] if isinstance(node.top, Product) else node.top
        single = not isinstance(node.top, Product) or len(node.top.parts) == 1
        plain = single and isinstance(top, Symbol) and top.kind == "partial"
        if plain and len(bottom) == 2 and isinstance(bottom[0][1], Symbol):
            return (bottom[1][1], 1) if bottom[0][1].kind == "partial" else None
        return None
    return _by(node) if isinstance(node, Scripted) and _is(node, "nabla") else None


def _is_slope(node: Node) -> bool:
    r"""True for ∇_θ, and for (∇_θ f)^\top."""
    inner = base_of(node)
    first = inner.items[0] if isinstance(inner, Group) else inner
    first = first.parts[0][1] if isinstance(first, Product) else first
    return (_along(node) or _along(first)) is not None


def _upright(parts: Parts) -> tuple[Node, tuple[tuple[str, Node], ...]]:
    r"""What a slope is taken of, and the ^⊤ at its end, which is of the slope."""
    op, last = parts[-1] if parts else ("", None)
    if isinstance(last, Scripted) and isinstance(last.base, Group) and len(last.scripts) == 1:
        ((mark, top),) = last.scripts
        if mark == "^" and top in (Symbol(top.at, "top"), Name(top.at, "T")):
            return _of((*parts[:-1], (op, last.base))), last.scripts
    return _of(parts), ()


def _by(sign: Node) -> tuple[Node, int]:
    """The θ of ∇_θ, and 2 of ∇_θ²."""
    scripts = dict(sign.scripts) if isinstance(sign, Scripted) else {}
    degree = _integer(scripts["^"]) if "^" in scripts else 1
    if "_" not in scripts or degree not in (1, 2):
        raise Untold("a slope along what is not said")
    return scripts["_"], degree


def _derivative(node: Fraction) -> tuple[Node, Node] | None:
    """θ and f of ∂f/∂θ; None for another fraction.  Raises Untold for ∂/∂θ by itself."""
    top = node.top.parts if isinstance(node.top, Product) else (("", node.top),)
    bottom = node.bottom.parts if isinstance(node.bottom, Product) else ()
    if len(bottom) != 2 or not _is(bottom[0][1], "partial") or not _is(top[0][1], "partial"):
        return None
    if isinstance(top[0][1], Scripted) or isinstance(bottom[0][1], Scripted):
        return None
    return (bottom[1][1], _of(top[1:])) if len(top) > 1 else None


def _applications(sides: Sequence[Node]) -> Iterator[Application]:
    for side in sides:
        for node in walk(side):
            if isinstance(node, Product):
                yield from (
                    c
                    for k in range(len(node.parts))
                    if (c := application(node.parts, k) or _square(node.parts, k))
                )


def _square(parts: Parts, k: int) -> Application | None:
    """H[q] and KL[…]: square brackets behind a capital."""
    if k + 1 >= len(parts):
        return None
    name, group = parts[k][1], parts[k + 1][1]
    if base_name(base_of(name)) != "H" or not isinstance(group, Group) or group.bracket != "[":
        return None
    return application([parts[k], ("", Group(group.at, "(", group.items))], 0) and Application(
        name, group.items, (), (), k + 2
    )


def _outside(node: Node) -> Iterator[Node]:
    """The names of an expression that stand below no sign and in no brackets of functions."""
    match node:
        case Product(parts=parts):
            k = 0
            while k < len(parts):
                part = parts[k][1]
                if _is(part, "sum") or _is(part, "int"):
                    return
                if _is(part, "function") or _is(part, "nabla"):
                    text = getattr(sign_of(part), "text", "")
                    k += 2 if text in ("E", "Var", "Cov") else 1
                    continue
                call = application(parts, k)
                if call is not None and not isinstance(call.items[0], Addition):
                    k = call.after
                    continue
                yield from _outside(part)
                k += 1
        case Name() | Accent():
            yield node
        case Scripted():
            below = tuple(x for x in node.scripts if x[0] == "_")
            yield Scripted(node.at, node.base, below) if below else node.base
            if isinstance(node.base, Group):
                yield from _outside(node.base)
        case Addition(parts=terms):
            for _, term in terms:
                yield from _outside(term)
        case Fraction():
            yield from _outside(node.top)
            yield from _outside(node.bottom)
        case Group(items=items):
            for item in items:
                yield from _outside(item)


def _vectors(side: Node) -> Iterator[object]:
    """What is bold, or transposed, or a term of what is transposed."""
    for node in walk(side):
        match node:
            case Scripted(scripts=((mark, top), *_)) if mark == "^" and top in (
                Symbol(top.at, "top"),
                Name(top.at, "T"),
            ):
                inner = node.base
                while isinstance(inner, Group) and len(inner.items) == 1:
                    inner = inner.items[0]
                terms = [t for _, t in inner.parts] if isinstance(inner, Addition) else [inner]
                for term in terms:
                    plain = term.parts[0][1] if isinstance(term, Product) else term
                    if isinstance(plain, Name | Accent | Scripted):
                        yield spelled(plain)
            case Name(style="bold"):
                yield spelled(node)


def _topdown(node: Any, change: Callable[[Node], Node]) -> Any:
    """The tree with names changed, the whole of x_i before the x in it."""
    from ..read.tree import replaced

    return replaced(node, lambda n: change(n) if isinstance(n, Name | Scripted | Accent) else n)


def _integer(node: Node) -> int | None:
    match node:
        case Number(text=text) if text.isdigit():
            return int(text)
        case Group(bracket="{", items=(inner,)):
            return _integer(inner)
        case Addition(parts=((-1, Number(text=text)),)) if text.isdigit():
            return -int(text)
        case Addition(parts=((-1, Product(parts=((_, Number(text=text)),))),)) if text.isdigit():
            return -int(text)
        case Product(parts=((_, inner),)):
            return _integer(inner)
    return None


def _of(parts: Parts) -> Node:
    """A product of these factors, or the only one."""
    if not parts:
        raise Untold("nothing behind a sign")
    if len(parts) == 1:
        return parts[0][1]
    return Product(parts[0][1].at, (("", parts[0][1]), *parts[1:]))


def _is(node: Node, kind: str) -> bool:
    sign = sign_of(node)
    return sign is not None and sign.kind == kind


def _scripts(node: Node) -> list[Node]:
    return [s for _, s in node.scripts] if isinstance(node, Scripted) else []


def _everywhere(limit: Node) -> bool:
    r"""True for limits that leave nothing out: ±∞, ℝ and a set by its capital."""
    inside = [n for n in walk(limit) if not isinstance(n, Group | Addition | Product)]
    return bool(inside) and all(
        (isinstance(n, Symbol) and n.kind in ("infty", "set"))
        or (isinstance(n, Name) and (n.text.isupper() or n.style == "calligraphic"))
        or isinstance(n, Scripted)
        for n in inside
    )


__all__ = ["Densities", "Untold", "Value"]
