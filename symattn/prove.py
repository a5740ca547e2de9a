"""Equality for all sizes: proved, refuted with a counterexample, malformed, or unknown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import sympy as sp

from .budget import WORK, bounded, budget, granted
from .claims import Claim, result_of
from .errors import DefinitionError, FormulaError
from .syntax import Definition, System
from .verdict import PROVED, REFUTED, UNKNOWN, Verdict

KEPT = 1 << 10  # questions of which the answers are kept


def prove(
    lhs: Any,
    rhs: Any = None,
    given: System | Definition | Iterable[Definition] | str | None = None,
    *,
    facts: Iterable[sp.Eq] = (),
    over: Iterable[sp.Idx] = (),
    seed: int = 0,
    certificate: bool = False,
) -> Verdict:
    """Whether lhs = rhs for all sizes and values, for the definitions and facts in `given`.

    `given` is a system, a definition or several of them.  Either side may be a formula, a
    definition or a derivation; these bring their own free letters.  Both may be LaTeX, or one a
    number or a derivation; `given` may be a text then.  An equation may be given in place of its
    two sides, sp.Eq(lhs, rhs) or "lhs = rhs".  Elsewhere a letter that is
    given in `over`, or occurs once on either side, is free on both, and the others are summed by
    the rule.  `facts` hold beside those of `given`.  "proved" rests on normal forms only; "refuted"
    comes with a counterexample that was confirmed in exact arithmetic or to 50 and 350 digits, and
    with derivatives taken by differences.  With `certificate` a proof comes with its log, which
    `symattn.second_opinion.check` checks.  Raises FormulaError for formulas that break the rules of
    indices, DefinitionError for a name that is declared in two ways.
    """
    if rhs is None:
        lhs, rhs = _sides(lhs)
    if isinstance(lhs, str) or isinstance(rhs, str):
        from .testing import one_equation

        written = str(lhs), str(rhs)
        given, (lhs, rhs, free) = one_equation(lhs, rhs, given)
        over = (*over, *free)
        how: dict[str, Any] = {"over": over, "seed": seed, "certificate": certificate}
        return replace(prove(lhs, rhs, given, facts=facts, **how), written=written)
    claim, verdict = _claimed(lhs, rhs, given, facts, over, seed)
    return _logged(claim, verdict) if certificate and verdict.status == PROVED else verdict


def _sides(equation: Any) -> tuple[Any, Any]:
    """The two sides of an equation in one; a sign in a script, Σ_{i=1}^n, parts none."""
    if isinstance(equation, sp.Equality):
        return equation.lhs, equation.rhs
    parts, depth = [""], 0
    for sign in equation if isinstance(equation, str) else "":
        depth += (sign == "{") - (sign == "}")
        if sign == "=" and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    if len(parts) != 2 or not all(side.strip() for side in parts):
        raise FormulaError(
            "a statement that is no equation of two sides",
            got=str(equation),
            expected="lhs and rhs, or one equation",
            mend="write prove(lhs, rhs)",
        )
    return parts[0].strip(), parts[1].strip()


def whether(
    lhs: Any,
    rhs: Any,
    given: System | None = None,
    *,
    over: Iterable[sp.Idx] = (),
    seed: int = 0,
    work: int = WORK,
) -> Verdict:
    """The verdict of `prove` on expressions, with nothing that is there to be shown.

    The first sample that contradicts refutes: no proof is sought against it, no smaller one, and
    nothing is said of how the sides differ.  The answers to questions on all their `work` are kept.
    """
    content = given.content if given is not None else ()
    ask = _whether.__wrapped__ if granted() else _whether
    return ask(lhs, rhs, _Given(given, content), tuple(over), seed, work)


@dataclass(frozen=True)
class _Given:
    """A system by what it says: two that say the same are one question."""

    system: System | None = field(compare=False)
    content: tuple[Any, ...]


@lru_cache(maxsize=KEPT)
@bounded
def _whether(
    lhs: Any, rhs: Any, given: _Given, over: tuple[sp.Idx, ...], seed: int, work: int
) -> Verdict:
    with budget(work):
        return _claimed(lhs, rhs, given.system, (), over, seed, brief=True)[1]


@bounded
def _claimed(
    lhs: Any,
    rhs: Any,
    given: Any,
    facts: Iterable[sp.Eq],
    over: Iterable[sp.Idx],
    seed: int,
    brief: bool = False,
) -> tuple[Claim, Verdict]:
    claim = Claim(lhs, rhs, _extended(given, (lhs, rhs), facts), over)
    return claim, claim.verdict(seed, brief)


@bounded
def _logged(claim: Claim, verdict: Verdict) -> Verdict:
    """The verdict with its certificate; the log has a budget of its own."""
    from .case_proofs import logged

    return replace(verdict, certificate=logged(claim))


def _extended(given: Any, sides: tuple[Any, Any], facts: Iterable[sp.Eq]) -> System:
    """The system with more facts, and with what results of a derivation name on the way."""
    if isinstance(given, Definition):
        given = System(given)
    elif given is not None and not isinstance(given, System):
        if not isinstance(given, list | tuple):
            raise DefinitionError(
                f"{type(given).__name__} is not a system",
                got=str(given)[:200],
                mend="give definitions, or a System of them",
            )
        given = System(*given)
    results = [result for side in sides if (result := result_of(side, given))]
    if given is None:
        given = results[0].system if results else System()
    more = {n: d for result in results for n, d in result.definitions().items()}
    more = {n: d for n, d in more.items() if n not in {*given.definitions, *given.inputs}}
    facts = tuple(facts)
    if not more and not facts:
        return given
    return System(*given, *more.values(), facts=(*given.facts, *facts))


__all__ = ["PROVED", "REFUTED", "UNKNOWN", "Verdict", "prove", "whether"]
