"""Equations of logarithms: where both sides are defined, what stands under a logarithm is positive.

log(p/q) = log p − log q for positive p and q, and L = R where e^L = e^R, since both are real.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

import sympy as sp

from ..errors import SymattnError
from ..explain.naming import GREEK
from ..objects import Partial, TensorSymbol
from ..prove import Verdict, whether
from ..syntax import System, tensor
from .inside import names
from .statements import Statement
from .symmetries import changed
from .versions import closure

MOST = 8  # names of which the fewest are looked for


def proof(s: Statement, system: System) -> Verdict | None:
    """The proof where every logarithm is defined; None where none is found."""
    reached = closure(names(s.lhs) | names(s.rhs), system)
    exprs = [s.lhs, s.rhs, *(d.expr for d in system if d.name in reached)]
    logarithms = {x for e in exprs for x in e.atoms(sp.log)}
    if not logarithms:
        return None
    bare = {x.args[0] for x in logarithms}
    positive = {x: _positive(x) for a in bare if (x := _name(a, system)) is not None}
    apart = {x: sp.expand_log(x, force=True) for x in logarithms if _known(x.args[0], bare)}
    for change, exponents in ((apart, False), (positive, False), (positive, True)):
        change = {old: new for old, new in change.items() if old != new}
        if not change and not exponents:
            continue
        try:
            left, right, given = changed(s, system, change)
            if exponents:
                left, right = sp.exp(left), sp.exp(right)
            verdict = whether(left, right, given=given, over=s.letters)
        except SymattnError:
            continue
        if verdict.status == "proved" and not verdict.trivial:
            said = tuple(f"{x} > 0, as under its logarithm" for x in change if x in positive)
            return replace(verdict, assumed=(*verdict.assumed, *said))
    return None


def positive(
    s: Statement, system: System, said: set[str], exprs: Iterable[Any]
) -> tuple[Statement, System]:
    """The statement and its definitions with values greater than zero for these names."""
    atoms = (x for e in exprs for x in e.atoms(sp.Symbol, sp.IndexedBase))
    change = {x: _positive(x) for x in atoms if str(x) in said and _real(x)}
    labels = {x.label for x in change if isinstance(x, sp.IndexedBase)}
    change = {x: y for x, y in change.items() if x not in labels}
    left, right, other = changed(s, system, change)
    return replace(s, lhs=left, rhs=right), other


BENT = re.compile(
    r"\||\\(?:[lr]?[vV]ert|max|min|text|sgn|operatorname(?!\s*\{a\w*(?:sin|cos|tan)h?\}))"
    r"|\babs\b|[Ss]ign"
)


def positive_where(
    s: Statement, system: System, said: Collection[str] = (), roots: bool = False
) -> tuple[tuple[str, ...], bool]:
    """The fewest names that are to be positive for √(a² b) = a √b, and whether it is proved then.

    None where it is refuted for positive values, too, and where it takes no roots and has no name
    that is said not to be negative.  Of what bends, |x| and max(x, 0), those are Greek numbers:
    parameters, as the λ of a threshold.  Where `roots` are written and no bars |x| is the root of
    x².
    """
    reached = closure(names(s.lhs) | names(s.rhs), system)
    exprs = [s.lhs, s.rhs, *(d.expr for d in system if d.name in reached)]
    weakly = sorted(reached & {*said})
    if weakly and _status(s, system, weakly, exprs) == "proved":
        return tuple(weakly), True
    rooted = any(x.exp.is_integer is False for e in exprs for x in e.atoms(sp.Pow))
    bent = any(e.atoms(sp.Abs, sp.sign, sp.Max, sp.Min) for e in exprs)
    rooted = rooted or (bent and roots)
    if not rooted and not bent:
        return (), False
    losses = set[str]().union(*(names(p.args[0]) for e in exprs for p in e.atoms(Partial)))
    needed = sorted(reached - system.definitions.keys() - losses)
    if not rooted:
        numbers = {x.name for e in exprs for x in e.free_symbols if type(x) is sp.Symbol}
        needed = [n for n in needed if n in numbers and n.split("_")[0] in GREEK]
        if not needed or _status(s, system, needed, exprs) != "proved":
            return (), False
    if (found := _status(s, system, needed, exprs)) != "proved":
        return (tuple(needed) if found == "unknown" else ()), False
    for name in tuple(needed) if len(needed) <= MOST else ():
        fewer = [n for n in needed if n != name]
        needed = fewer if _status(s, system, fewer, exprs) == "proved" else needed
    return tuple(needed), True


def _status(s: Statement, system: System, said: Sequence[str], exprs: Sequence[Any]) -> str:
    """What the prover says for positive values of these names; empty for an empty proof."""
    try:
        other, given = positive(s, system, {*said}, exprs)
        verdict = whether(other.lhs, other.rhs, given=given, over=s.letters)
    except SymattnError:
        return ""
    return "" if verdict.trivial else verdict.status


def _real(x: Any) -> bool:
    """True for a tensor and for a number; False for letters and sizes."""
    return type(x) is TensorSymbol or (type(x) is sp.Symbol and not x.is_integer)


def _known(argument: Any, bare: set[Any]) -> bool:
    """True where every factor, or a multiple, stands under a logarithm of its own somewhere."""
    factors = [f.base if isinstance(f, sp.Pow) else f for f in sp.Mul.make_args(argument)]
    alone = {x.as_content_primitive()[1] for x in bare}
    return all(f.as_content_primitive()[1] in alone or f.is_positive for f in factors)


def _name(argument: Any, system: System) -> Any:
    """The tensor or the scalar that stands alone under a logarithm and that nothing defines."""
    if isinstance(argument, sp.Pow) and argument.exp.is_odd:
        argument = argument.base
    base = argument.base if isinstance(argument, sp.Indexed) else argument
    plain = type(base) is TensorSymbol or (isinstance(base, sp.Symbol) and not base.is_integer)
    return base if plain and str(base) not in system.definitions else None


def _positive(base: Any) -> Any:
    """The same name with values greater than zero."""
    if isinstance(base, sp.Symbol):
        return tensor(base.name, positive=True)
    even = base.symmetry == "symmetric"
    return tensor(base.name, *base.shape, symmetric=even, positive=True)


__all__ = ["BENT", "positive", "positive_where", "proof"]
