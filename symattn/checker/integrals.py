r"""What the integrals of a document come to.

∫_a^b f dx of a function that nothing defines is G(b) − G(a), of the same G wherever f is the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import sympy as sp

from ..errors import SymattnError
from ..read.integrals import Integral
from ..syntax import define
from .antiderivatives import Unknown
from .definite import Closed, definite, quadrature
from .inside import names
from .intervals import finite

if TYPE_CHECKING:
    from .statements import Statement
    from .versions import Version, Versions


class Integrals:
    """The integrals of a document, as far as they are asked for."""

    def __init__(self, versions: Versions) -> None:
        self.versions = versions
        self.written: Mapping[str, Integral] = getattr(versions.document, "integrals", {})
        self.closed: dict[tuple[str, sp.Expr], Closed | None] = {}
        self.made: dict[tuple[str, sp.Expr | None], Version | None] = {}
        self.open: set[str] = set()  # what is looked for
        self.formal: dict[sp.Expr, int] = {}  # functions that nothing defines, and their numbers
        self.bodies: dict[str, sp.Expr] = {}  # with the definitions that bear the variable

    def version(self, name: str, s: Statement) -> Version | None:
        """What the integral of that name comes to, as a definition; the same object each time."""
        from .versions import Version

        found, written = self.value(name, s), self.written[name]
        key = name, self.bodies.get(name)
        if key not in self.made:
            self.made[key] = None
            with suppress(SymattnError):
                if found is not None:
                    made = define(name, written.letters, found.expr)
                    numbers = not names(found.expr)
                    self.made[key] = Version(name, 0, 0, made, numbers, 1 << 62, "")
        return self.made[key]

    def value(self, name: str, s: Statement) -> Closed | None:
        """The closed form of the integral of that name at a statement; None where none is known.

        It hangs on the definitions in force there: F of ∫ F dx may be said anew.
        """
        written = self.written[name]
        if name in self.open:
            return None  # while it is looked for
        self.open.add(name)
        try:
            variables = {x.name for x, _, _ in written.over}
            body = self.bodies[name] = self.inlined(written.body, variables, s)
            if (name, body) not in self.closed:
                self.closed[name, body] = None
                if everywhere := self._everywhere(name):
                    written = replace(written, over=everywhere)
                if all(low is not None for _, low, _ in written.over):
                    found = self._come_to(body, written)
                    said = [f"{_of(x)} runs over all numbers" for x, _, _ in everywhere]
                    self.closed[name, body] = replace(found, conditions=(*found.conditions, *said))
            return self.closed[name, body]
        except (Unknown, SymattnError):
            return None
        finally:
            self.open.discard(name)

    def _everywhere(self, name: str) -> tuple[tuple[sp.Symbol, sp.Expr, sp.Expr], ...]:
        """∫ f dx without limits is over all x where no equation with it has x outside of it."""
        written = self.written[name]
        variables = {_of(x) for x, _, _ in written.over}
        here = (names(t.lhs) | names(t.rhs) for t in self.versions.statements)
        outside = set().union(*(inside for inside in here if name in inside))
        if any(low is not None for _, low, _ in written.over) or variables & outside:
            return ()
        return tuple((x, -sp.oo, sp.oo) for x, _, _ in written.over)

    def inlined(
        self, body: sp.Expr, variables: set[str], s: Statement, inside: bool = True
    ) -> sp.Expr:
        """The body with every definition put in that hangs on a variable."""
        for _ in range(20):
            found = {}
            for symbol in sorted(body.free_symbols, key=str):
                name = symbol.name
                if name in variables or isinstance(symbol, sp.Idx):
                    continue
                if name in self.written:
                    inner = self.value(name, s)
                    if inner is not None and not inner.conditions:
                        found[symbol] = inner.expr
                    elif inside or inner is not None:
                        raise Unknown
                elif variables & self._reach(name, s):
                    version = self.versions.before(s, name)
                    if version is None or version.definition.indices or not symbol.is_Symbol:
                        raise Unknown
                    found[symbol] = version.definition.expr
            if not found:
                return body
            body = body.xreplace(found)
        raise Unknown

    def _reach(self, name: str, s: Statement) -> set[str]:
        """The names that a name rests on where the statement stands."""
        seen: set[str] = set()
        todo = [name]
        while todo:
            top = todo.pop()
            if top in seen:
                continue
            seen.add(top)
            if top in self.written:  # F of ∫ F dx may be an integral up to x
                todo += sorted(self._outside(top))
            else:
                version = self.versions.before(s, top)
                todo += sorted(names(version.definition.expr)) if version is not None else []
        return seen - {name}

    def _outside(self, name: str) -> set[str]:
        """The names that an integral is a function of: not what it runs over."""
        written = self.written[name]
        inner = names(written.body) - {x.name for x, _, _ in written.over}
        limits = (b for _, *ends in written.over for b in ends if b is not None)
        return inner.union(*map(names, limits))

    def _come_to(self, body: sp.Expr, written: Integral) -> Closed:
        """The value; of functions that nothing defines in terms of antiderivatives of them."""
        if not body.atoms(sp.core.function.AppliedUndef):
            return definite(body, written.over)
        if len(written.over) > 1 or body.atoms(sp.Indexed, sp.Sum):
            raise Unknown
        ((x, low, high),) = written.over
        found = sp.S.Zero
        for term in sp.Add.make_args(sp.expand(body)):
            constant, part = term.as_independent(x, as_Add=False)
            found += constant * self._formal(part, x, low, high)
        return Closed(found)

    def _formal(self, body: sp.Expr, x: sp.Symbol, low: sp.Expr, high: sp.Expr) -> sp.Expr:
        """∫ body dx of a function that nothing defines: equal to itself alone."""
        if not body.atoms(sp.core.function.AppliedUndef):
            found = definite(body, ((x, low, high),))
            if found.conditions:
                raise Unknown
            return found.expr
        if not finite(low, high):
            raise Unknown
        plain = body.xreplace({x: sp.Symbol("_")})
        number = self.formal.setdefault(plain, len(self.formal) + 1)
        others = sorted(plain.free_symbols - {sp.Symbol("_")}, key=str)
        primitive = sp.Function(f"primitive_{number}", real=True)
        return primitive(high, *others) - primitive(low, *others)

    # -------------------------------------------------------------------------------- numbers

    def number(self, name: str, s: Statement, at: Mapping[str, float]) -> float | None:
        """The integral by quadrature where its names have these values; None where that fails."""
        self.value(name, s)
        written, body = self.written[name], self.bodies.get(name)
        if body is None or written.letters or any(low is None for _, low, _ in written.over):
            return None
        if len(written.over) > 1 or body.atoms(sp.Indexed):
            return None
        ((x, low, high),) = written.over
        assert low is not None and high is not None
        others = {y for e in (body, low, high) for y in e.free_symbols} - {x}
        if not {y.name for y in others} <= at.keys():
            return None
        values = {y: sp.Float(at[y.name], 30) for y in others}
        return quadrature(body.xreplace(values), x, low.xreplace(values), high.xreplace(values))


def _of(variable: sp.Symbol) -> str:
    return str(variable.name.split("_at_")[0])


__all__ = ["Integrals"]
