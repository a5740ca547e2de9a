r"""What words hold while something is derived: ∂W/∂λ at fixed ρ, where ρ = λ/μ.

Another input t of ρ moves then, so that ∂W/∂λ is W_λ − W_t ρ_λ/ρ_t.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..errors import SymattnError
from ..objects import Partial
from ..syntax import System
from . import report
from .finding import Finding
from .inside import names
from .qualities import named
from .statements import Statement
from .versions import closure

if TYPE_CHECKING:
    from .judge import Judge

MOST = 4  # inputs, one of which moves
_SHOWN = re.compile(
    r"\$\$.*?\$\$|\\\[.*?\\\]|\\begin\{(?P<env>\w+\*?)\}.*?\\end\{(?P=env)\}", re.DOTALL
)
_LIST = r"(?:\$[^$]+\$(?:\s*,\s*(?:and\s+)?|\s+and\s+)?)+"
_KEPT = re.compile(
    rf"(?P<one>{_LIST})\s*(?:is |are |being )?(?:held |kept |left |treated as |taken as )?(?:an? )?"
    r"(?:fixed|constants?|unchanged)\b(?!\s+to\b)|"
    r"\b(?:[Aa]t|[Ff]or|[Ww]ith|[Uu]nder)\s+(?:a\s+)?(?:fixed|constant)\s+(?:[a-z]+\s+){0,2}"
    rf"(?P<other>{_LIST})|\b(?:hold|keep)(?:ing|s)?\s+(?:fixed|constant)\s+(?P<last>{_LIST})"
)


def kept(s: Statement, found: Finding, judge: Judge) -> Finding:
    """The finding, or that with what the words of its sentence hold where this is derived by."""
    if found.verdict == report.DEFINITION or s.rhs is None or s.relation not in ("=", ":="):
        return found
    slopes = s.lhs.atoms(Partial) | s.rhs.atoms(Partial)
    if not slopes or not (said := _said(s, judge)):
        return found
    system = judge.versions.system(s, said)
    by = {n for p in slopes for n in names(p.args[1])}
    moving = [h for h in said if h in system.definitions and closure([h], system) - {h} & by]
    if not moving:
        return found
    why = f"{', '.join(moving)} is held, which changes with {', '.join(sorted(by))}"
    unclear = replace(found, verdict=report.UNPROVED, reason=why, correction="")
    verdicts = []
    for turned in _turned(slopes, moving, {*said}, system):
        there = replace(s, lhs=s.lhs.xreplace(turned), rhs=s.rhs.xreplace(turned))
        try:
            verdicts.append((judge.prove(there, system), there))
        except SymattnError:
            return unclear
    if not verdicts:
        return unclear
    verdict, there = verdicts[0]
    if all(v.status == "proved" and not v.trivial for v, _ in verdicts):
        return judge._proved(there, verdict, system, (f"{moving[0]} is held",))
    refuted = found.verdict in (report.REFUTED, report.PROVED)
    if refuted and all(v.status == "refuted" for v, _ in verdicts):
        return replace(judge.confirmed(there, verdict, system), correction="")
    return unclear


def _said(s: Statement, judge: Judge) -> list[str]:
    """The names that the words around a statement hold."""
    outline = judge.outline
    end = outline.position(s.line, s.column) + len(s.whole)
    behind = re.match(r"[\s,$\\\])]*?(?P<words>(?<![.\n])[ \t]+[a-z][^.;\n]*|)", outline.text[end:])
    every = [behind["words"]] if behind else []
    for words in reversed(_parts(outline.leading(s.line, s.column))):
        every.append(words)
        if re.match(r"\s*[A-Z]", words) or _KEPT.search(words):
            break  # else it goes on from what stands before it
    found = dict[str, None]()
    for words in every:
        for m in _KEPT.finditer(words):
            formulas = m["one"] or m["other"] or m["last"]
            for formula in re.findall(r"\$[^$]+\$", formulas):
                found |= {f"{stem}_{at}" if at else stem: None for stem, at in named(formula)}
    return [judge.versions.called(n, s) for n in found]


def _parts(words: str) -> list[str]:
    """What stands between displays."""
    parts, at = list[str](), 0
    for m in _SHOWN.finditer(words):
        parts.append(words[at : m.start()])
        at = m.end()
    return [*parts, words[at:]]


def _turned(
    slopes: set[Any], moving: list[str], said: set[str], system: System
) -> Iterator[dict[Any, sp.Expr]]:
    """Each ∂y/∂x along what leaves one name as it is: another input moves, one after another."""
    known = {z.name: z for d in system for z in d.expr.free_symbols if isinstance(z, sp.Symbol)}
    plain = all(isinstance(x, sp.Symbol) for p in slopes for x in p.args)
    (h, *more) = moving
    by = {n for p in slopes for n in names(p.args[1])}
    if more or not plain or system.definitions[h].indices or by & system.definitions.keys():
        return
    own = known.get(h, sp.Symbol(h, real=True))
    inputs = closure([h], system) - system.definitions.keys() - said - by
    for t in sorted(inputs & known.keys())[:MOST]:
        turned = {}
        for y, x in (p.args for p in slopes):
            turn = Partial(own, x) / Partial(own, known[t])
            turned[Partial(y, x)] = Partial(y, x) - Partial(y, known[t]) * turn
        yield turned


__all__ = ["kept"]
