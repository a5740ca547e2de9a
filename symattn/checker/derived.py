"""Right-hand sides that are derived, printed as derivations are: in the notation of the document.

Who shows one reads it back and proves it first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import sympy as sp

from ..convert import lower
from ..derive import Derivation, evaluate_partials, total_derivative
from ..derive.jacobian import jacobian_of
from ..derive.record import Letters
from ..explain import latex, matrix_form
from ..explain.naming import naming
from ..explain.notation import as_written, notation
from ..explain.present import presented
from ..ir import Index, Poly, Ref, Tensor, refs
from ..model import Model, model
from ..normalize import normalize
from ..objects import Partial
from ..syntax import System
from .edits import scripts, tokens
from .links import sides
from .statements import Statement

Order = tuple[Index, ...]


def derived(s: Statement, system: System, document: System) -> Iterator[str]:
    """The left side evaluated, in a few forms: matrices where the author has no letters.

    It is a derivative of a definition, or a name by its definition.
    """
    m = model(system)
    found = _derivative(s, system, m) if s.lhs.atoms(Partial) else _defined(s, system, m)
    if found is None:
        return
    poly, letters = found
    how = replace(as_written(document), bars=False)
    with notation(how), naming([poly], letters):
        forms = [] if _letters(s) else [matrix_form(poly, letters)]
        forms.append(latex(poly, letters, implicit=True))
        # μ_{(+0)} counts from another number than the author does
        yield from (shown for shown in forms if shown and "(+" not in shown)


def printed(poly: Poly, letters: Order, document: System) -> str:
    """An expression in the notation of a document."""
    with notation(as_written(document)), naming([poly], letters):
        return latex(poly, letters, implicit=True)


def _letters(s: Statement) -> bool:
    """The author's left side has the letters of the statement, or there are none to have."""
    parts = tokens(sides(s.latex)[0][0])
    written = {parts[k] for a, b in scripts(parts) for k in range(a, b)}
    return not s.letters or any(i.name in written for i in s.letters)


def _defined(s: Statement, system: System, m: Model) -> tuple[Poly, Order] | None:
    d = system.definitions.get(s.name)
    if d is None:
        return None
    change = dict(zip(d.indices, getattr(s.lhs, "indices", ()), strict=True))
    bound = {i.name for i in d.expr.atoms(sp.Idx)} - {i.name for i in d.indices}
    if bound & {str(i) for i in change.values()}:
        return None
    letters = tuple(Index(i.name, i.upper + 1) for i in change.values())
    return lower(d.expr.xreplace(change), tuple(change.values()), known=m.known), letters


def _derivative(s: Statement, system: System, m: Model) -> tuple[Poly, Order] | None:
    """The derivative on the left, by the chain rule through named definitions."""
    poly = lower(s.lhs, s.letters, known=m.known)
    free: tuple[Any, ...] = tuple(sorted(poly.free, key=lambda i: i.sort))
    ref = next(iter(refs(poly))) if isinstance(s.lhs, Partial) else None
    if ref is not None and ref.tensor.parts is None:
        return None
    if ref is not None and ref.tensor.parts and ref.tensor.parts[0].name in m.bodies:
        target, variable = ref.tensor.parts
        rank, free = len(target.shape), tuple(ref.slots)
        d = jacobian_of(m, Letters(m), Ref(target, free[:rank]), Ref(variable, free[rank:]))
        return d.shown, tuple(d.indices)
    value = evaluate_partials(normalize(poly), lambda of, wrt: total_derivative(m, of, wrt))
    value, _ = m.recognise(value)
    if any(r.tensor.parts for r in refs(value)) and value is normalize(poly):
        return None
    letters = tuple(i for i in free if isinstance(i, Index))
    component = Ref(Tensor("", tuple(i.size for i in letters)), letters)
    asked = Derivation(system, component, value, value, ())
    return presented(asked).raw, letters


__all__ = ["derived", "printed"]
