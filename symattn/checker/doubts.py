"""Why a statement whose sides differ may be true all the same.

A refutation needs every name in a statement to be free by right: given a meaning by the document,
or standing for anything at all.  Each doubt is a small function that gives a reason or nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from typing import Any

import sympy as sp

from .. import normalize as nf
from ..convert import lower
from ..errors import SymattnError
from ..ir import refs
from ..model import model
from ..objects import Inverse, Partial
from ..prove import Verdict, whether
from ..read import diagonal
from ..read.components import NUMBERED
from ..read.positive import OPEN as SIGN
from ..syntax import System
from . import activations, placed
from .conditions import alternative, conditional, in_a_numbered_case, of_a_case
from .counts import open_sizes
from .generic import any_function, is_condition
from .implicit import through, turned_round
from .inside import TIMES, names, partials, symbols
from .links import sides
from .numbers import decimals, is_exact
from .rows import stacked
from .statements import Statement
from .ties import (
    EXACT,
    among,
    equated,
    mirrored,
    partial,
    qualified,
    sampled,
    ties,
    together,
    unheard,
    unresolved,
)
from .versions import Versions, closure, functions
from .wholes import ROUNDS, counterexample, counts, real

_APART = re.compile(r"(.+)_([a-z]|alpha|beta|mu|nu|lambda|sigma|rho)(?:_\d+)?$")
_LINKED = re.compile(r"(.+?)_inv$|nabla_|_bar$|_dot$|_hat$|_tilde$|_star$|^mean_")
_TRACE = re.compile(  # tr (A + B)^{-1}
    r"(?:\b|\\)(?:tr|Tr|trace)\}?\s*(?:\\left)?\((?:[^()]|\([^()]*\))*\)\s*\^\s*\{?\s*-\s*1"
).search
_RAISED = r"(?:\^(?:\w|\{[^{}]*\}))?\s*"
CONDITION = "it may be a condition"
DETERMINES = "it may determine"
_BEFORE_VECTOR = re.compile(rf"([A-Z]){_RAISED}([A-Z]){_RAISED}(?:\\[a-z]+|[a-z])_")
_AVERAGES = ("an expectation", "a variance", "a covariance")
_LOSS = re.compile(
    r"loss|cost|objective|error|criterion|energy|likelihood|\bany\b|arbitrary|function|scalar|number"
)
_SUMMED = re.compile(r"\\sum(?:\\limits)?\s*_\s*\{?\s*([a-z])\s*\}?(?!\s*\^|\s*=)")
_LETTERED = re.compile(r"[_^]\s*(?:[a-z](?![a-z])|\{\s*[a-z]\b|\{\s*[a-z]\s*[a-z,]\s*)|\([a-z]\)")


def approximate(s: Statement, system: System, versions: Versions) -> str:
    """Only = states that two things are equal."""
    return "" if s.relation in EXACT else f"{s.relation} states no equality"


def rounded(s: Statement, system: System, versions: Versions) -> str:
    """A number with a decimal point stands for a range, and nothing else in the statement does."""
    loose = decimals(s.latex).keys()
    return "its numbers may be rounded" if loose and loose - _given(s, system, versions) else ""


def _given(s: Statement, system: System, versions: Versions) -> set[Fraction]:
    r"""The short decimals that a text gives to what a statement rests on: with $\lambda = 0.1$."""
    below = closure(names(s.lhs) | names(s.rhs), system)
    before = (v[2] for v in versions.document.values if v[:2] < (s.line, s.column))
    values = (x for x in before if re.sub(r"[\\{}\s]", "", x.split("=")[0]) in below)
    return {x for latex in values for x, u in decimals(latex).items() if is_exact(x, u)}


def recursive(s: Statement, system: System, versions: Versions) -> str:
    """x = f(x) is a recursion, an update or an equation to be solved."""
    if isinstance(getattr(s.lhs, "base", None), Inverse):
        return ""  # it is known when what is inverted is
    if s.name and s.name not in system.definitions and s.name in names(s.rhs):
        return f"{s.name} stands on both sides: a recursion, an update or an equation to be solved"
    return ""


def solving(s: Statement, system: System, versions: Versions) -> str:
    """A sentence says s² = s, which holds of some s alone."""
    below = closure(names(s.lhs) | names(s.rhs), system) - system.definitions.keys()
    for t in versions.statements:
        own = t.inline and t.relation == "=" and t.rhs is not None and t.name in below
        own = own and not t.letters  # p = (p_1, …, p_n) says nothing
        own = own and not placed.written(t)[0]  # nor s(0) = p, a value of s(t) = p + v t
        if own and t.whole != s.whole and t.name in names(t.rhs) and not t.rhs.atoms(Partial):
            return f"line {t.line} says which {t.name} is meant"
    return ""


def captured(s: Statement, system: System, versions: Versions) -> str:
    """A scalar called x_k beside a tensor x may be its component."""
    here = names(s.lhs) | names(s.rhs)
    tensors = {*system.definitions, *system.inputs, *here}
    shapes = {m.name: m.shape for m in getattr(versions.document, "meanings", ())}
    every = tensors | {n for n, shape in shapes.items() if shape}
    for name in sorted(here):
        apart = _APART.fullmatch(name)
        known = name in system.definitions or name in getattr(versions.document, "moments", ())
        stands = apart and apart[1] in (tensors if shapes.get(name) else every) and not known
        if (
            apart
            and stands
            and (shapes.get(apart[1]) or not _labelled(apart[1], apart[2], versions))
        ):
            return f"{name} may be a component of {apart[1]}"
    return ""


def _labelled(stem: str, letter: str, versions: Versions) -> bool:
    """Nothing but ω has an n below it, and n stands nowhere else: it is no index, and ω_n a name.

    Such as are added to one another, ω² − ω_n², are numbers both.
    """
    own, added = f"{stem}_{letter}", False
    for t in versions.statements:
        for side in (t.lhs, t.rhs):
            if side is None:
                continue
            if any(x.name == letter for x in side.atoms(sp.Idx)):
                return False
            spoken = names(side) | {str(x) for x in side.free_symbols}
            if letter in spoken or any(n != own and n.endswith(f"_{letter}") for n in spoken):
                return False
            sums = [{str(x) for a in e.args for x in a.free_symbols} for e in side.atoms(sp.Add)]
            added = added or any({stem, own} <= free for free in sums)
    return added


def otherwise_ranked(s: Statement, system: System, versions: Versions) -> str:
    """A bare π beside a π(a | s) and a π_a of its section may be either."""
    kinds = {m.name: len(m.shape) for m in getattr(versions.document, "meanings", ())}
    part = versions.outline.part
    near = [t for t in versions.statements if part(t.line) == part(s.line)]
    near = [t for t in near if (t.line, t.column) != (s.line, s.column)]  # as it was misread
    here = set().union(*(names(t.lhs) | names(t.rhs) for t in near))
    for name in sorted(names(s.lhs) | names(s.rhs)):
        stem, _, number = name.rpartition("_")
        other = stem if number.isdigit() and stem in kinds else f"{name}_2"
        written = re.escape(re.sub(r"_\d+$", "", name))
        bare = re.search(rf"(?<![A-Za-z]){written}(?![A-Za-z])(?!\s*[_^(])", s.whole)
        two = name in kinds and kinds.get(other, kinds[name]) < kinds[name]
        if two and bare and other in here:
            return f"{name} may be the {other} of elsewhere in its section"
    return ""


def determined(s: Statement, system: System, versions: Versions) -> str:
    """u = 3 w with w = u²/2 determines u, where no word says that it follows from w."""
    circular = s.name and not s.number and s.name not in system.definitions
    if not circular or s.name not in closure(names(s.rhs), system) or solved(s, system, versions):
        return ""
    return f"{DETERMINES} {s.name}"


def solved(s: Statement, system: System, versions: Versions) -> bool:
    """D = 1 + (m − 1) ρ, so that ρ = (D − 1)/(m − 1): the name is part of what is just defined."""
    if s.name not in closure(names(s.rhs), system):
        return False
    if versions.outline.solves(s.line, s.column):
        return True
    before = versions.outline.inferred(s.line, s.column)
    used = (v for n in names(s.rhs) for v in versions.table.get(n, ()))
    return any(before == re.sub(r"\s", "", v.latex) for v in used)


def unsized(s: Statement, system: System, versions: Versions) -> str:
    """An identity matrix beside nothing is as large as the author has it."""
    reached = closure(names(s.lhs) | names(s.rhs), system)
    exprs = [s.lhs, s.rhs, *(d.expr for d in system if d.name in reached)]
    ranks = [len(b.shape) for e in exprs for b in e.atoms(sp.IndexedBase)]
    for name in sorted(reached - set(system.definitions)) if max(ranks, default=0) > 1 else ():
        if name == "I" or name.startswith("I_"):
            return f"{name} may be the identity matrix"
    loose = open_sizes(s, system)
    return f"nothing says how large an identity matrix in it is ({loose[0]})" if loose else ""


def linked(s: Statement, system: System, versions: Versions) -> str:
    """An inverse, a hat or a mean that nothing defines is tied to a name that stands beside it."""
    reached = closure(names(s.lhs) | names(s.rhs), system)
    for name in sorted(reached - system.definitions.keys() - versions.rates):
        found = _LINKED.search(name)
        outline = versions.outline
        plain = outline.plain
        if name.endswith("_dot"):  # \dot m is tied by m, and not by m_0 and m_p
            plain = outline.moving | versions.spoken
        if found and (found[1] or name.replace(found[0], "")).split("_")[0] in plain:
            return f"nothing in the document says what {name} is"
        mark = _MARKED.search(name)
        if mark and any(n.endswith(mark[0]) for n in versions.table if n != name):
            return f"nothing in the document says what {name} is"  # ŵ beside ẑ = z/‖z‖
    return ""


def particular(s: Statement, system: System, versions: Versions) -> str:
    """A function that nothing defines, and that the text does not mean to be any."""
    applied = functions(s.lhs, system) | functions(s.rhs, system)
    found = (f for f in sorted(applied - ROUNDS.keys()))
    return next((f for f in found if not any_function(f, versions.outline.text)), "")


def undefined(s: Statement, system: System, versions: Versions) -> str:
    """A name that one side has and nothing defines is what the statement speaks about."""
    if solved(s, system, versions):
        return ""
    left, right = (
        {n for n in side if not (n.startswith("inverse(") and n[8:-1] in side)}
        for side in (names(s.lhs), names(s.rhs))
    )
    defined = set(system.definitions)
    reached_left, reached_right = closure(left, system) - defined, closure(right, system) - defined
    inside = (system.definitions[n].expr for n in closure(left | right, system) & defined)
    below = {n for p in partials(s.lhs, s.rhs, *inside) for n in names(p)}
    if below:  # a derivative goes through whatever the document defines
        below |= versions.named - _foreign(s, reached_right, system)
    below |= versions.document.parameters  # of a law
    applied = [functions(side, system) for side in (s.lhs, s.rhs)]
    odd = (applied[0] ^ applied[1]) - ROUNDS.keys()
    if partials(s.lhs, s.rhs):  # the φ of a = φ(z), through which ∂L/∂W goes, may be any
        odd &= set[str]().union(*(functions(side, System()) for side in (s.lhs, s.rhs)))
    if odd:
        return f"nothing in the document says what the function {min(odd)} is"
    if one := particular(s, system, versions):
        if is_condition(one, s.latex):
            return f"{CONDITION} on {one}"
        return f"nothing in the document says what the function {one} is"
    reached_left |= placed.body(s, versions)
    reached_right |= placed.body(s, versions) if placed.inverse(s, versions) else set()
    only_right = sorted(reached_right - reached_left - below)
    only_left = sorted((left - defined) - reached_right - below)
    follows = versions.outline.follows(s.line, s.column) and not placed.sought(s, versions)
    follows = follows or placed.said(s, versions)
    here = (s.line, s.column)
    said = any(t.lhs == s.lhs and (t.line, t.column) < here for t in versions.statements)
    if follows and not said and right and right <= placed.body(s, versions):
        only_left = []  # we have q'(0) = -ω A, of a q that is given
    if only_right or only_left:  # differs though X be made of the x_i of the other side
        made = {capital for capital, _, status in stacked(s, system) if status == "refuted"}
        made &= versions.outline.matrices  # what the text does not introduce may be anything
        only_right, only_left = (
            [n for n in some if n not in made] for some in (only_right, only_left)
        )
    only_right, only_left = (
        _left(some, side, s, system) for some, side in ((only_right, s.rhs), (only_left, s.lhs))
    )
    if only_right:
        return f"nothing in the document says what {_listed(only_right)} is"
    if only_left:
        return f"nothing in the document says what {_listed(only_left)} is"
    return ""


def _left(some: list[str], side: Any, s: Statement, system: System) -> list[str]:
    """Those that are left in the side: not the x of Σ_i (x_i - μ), nor the m of v (1 - (m/2)/m)."""
    if not some:
        return some
    try:
        m = model(system)
        inside = nf.normalize(m.inline(lower(side, s.letters, known=m.known)))
    except SymattnError:
        return some
    own = {r.tensor.name for r in refs(inside)}
    return [n for n in some if n in own]


def _foreign(s: Statement, right: set[str], system: System) -> set[str]:
    """The names that a derivative is said to hold and that what is derived is not made of.

    With smoothed labels q it becomes ∂L/∂z = p - q: of another L.
    """
    found = partials(s.lhs, s.rhs)
    tops = {n for p in found for n in names(p.args[0])}
    if not tops or not tops <= system.definitions.keys():
        return set()
    return right - closure(tops, system) - {n for p in found for n in names(p.args[1])}


def another(s: Statement, system: System, versions: Versions) -> str:
    """⟨E⟩ = ε/(e^{βε} + 1) is said of two levels, and Σ_i p_i E_i before it of any.

    So where the sides are not made of the same.
    """
    if _AVERAGED.search(s.latex) is None:
        return ""
    left, right = (closure(names(side), system) - {*system.definitions} for side in (s.lhs, s.rhs))
    return "" if left == right else "it may be the average in another system"


def stated(s: Statement, system: System, versions: Versions) -> str:
    """Between names that nothing defines, an equation of two bare sides is a condition.

    Not so x = 2 x and the like: as a condition it would say that x = 0.  That the derivative of a
    number that is defined vanishes is a condition on what it is derived by, ∂L/∂β = 0; and so it is
    of what vanishes for some of its inputs, Σ_i r_i = 0 of residuals.
    """
    if sp.S.Zero in (s.lhs, s.rhs) and (slopes := partials(s.lhs, s.rhs)):
        tops = {t.name if isinstance(t := p.args[0], sp.Symbol) else "" for p in slopes}
        if tops <= system.definitions.keys():
            by = {n for p in slopes for n in names(p.args[1])}
            return f"{CONDITION} on {_listed(sorted(by))}"
    if s.number and (partials(s.head, None) or names(s.head) & set(versions.table)):
        return ""  # the chain begins with something known, so this is a step of it
    if s.rhs != 0 and placed.function(s, versions):
        return ""
    known = names(s.lhs) | names(s.rhs)
    plain = s.kind != "relation" and not partials(s.lhs, s.rhs)  # and no bound E ≥ 0
    if plain and sp.S.Zero in (s.lhs, s.rhs) and known & set(system.definitions):
        free = closure(known, system) - set(system.definitions)  # the a, b of Σ_i (y - a x - b)_i
        return f"{CONDITION} on {_listed(sorted(free))}" if free else ""
    laid = {d.name for d in system if not diagonal.free(d.name, names(d.expr))}
    if partials(s.lhs, s.rhs) or (names(s.lhs) | names(s.rhs)) & laid:
        return ""
    left, right = names(s.lhs), names(s.rhs)
    tied = getattr(versions.document, "unresolved", {})
    told = {n: why for n, why in tied.items() if why != SIGN and not why.startswith(NUMBERED)}
    known = (left | right) & told.keys()  # a sign says nothing of it, nor does its number
    averaged = {n for n in known if tied[n].startswith(_AVERAGES)}
    if any(not tied[n].startswith("a function") for n in known - averaged):
        return ""  # an integral, a determinant or a sum over a set says what it is
    if averaged and known & left and known & right:
        return ""
    if left != right or _same_factors(s.lhs, s.rhs):
        sizes = {x.name for e in (s.lhs, s.rhs) for x in e.atoms(sp.Symbol) if x.is_integer}
        return f"{CONDITION} on {_listed(sorted(left | right or sizes))}"
    return ""


def differential(s: Statement, verdict: Verdict, system: System, versions: Versions) -> str:
    """Between names that nothing defines, ∂u/∂t = κ ∂²u/∂x² is an equation for them, no claim."""
    if "nothing defines what is derived" not in verdict.limit or (s.number and partials(s.head)):
        return ""
    reached = closure(names(s.lhs) | names(s.rhs), system)
    known = (v for n in reached for v in versions.table.get(n, ()) if v.line)
    known = (v for v in known if not isinstance(v.definition.expr, Partial))  # \dot a = da/dt
    if any(not v.numbers or v == versions.before(s, v.name) for v in known):
        return ""
    return f"it may be an equation for {_listed(sorted(reached - set(system.definitions)))}"


def abstract(s: Statement, system: System, versions: Versions) -> str:
    """The derivative of something that nothing defines, by something other than its arguments."""
    tied: Mapping[str, str] = getattr(versions.document, "unresolved", {})
    every = partials(s.lhs, s.rhs, *(d.expr for d in system))
    for p in partials(s.lhs, s.rhs):
        top, bottom = (sorted(names(a)) for a in p.args)
        written = [n for n in sorted(tied) if top and n.startswith(f"{top[0]}_")]
        if written and top[0] not in system.definitions:
            return f"{top[0]} may be {written[0]}, a function that nothing defines"
        if not top or not bottom:
            continue
        if top[0] not in system.definitions and _introduced(top[0], versions.outline.text):
            return f"a sentence says what {top[0]} is"
        inside = closure(top, system)
        elsewhere = top[0] in system.definitions and bottom[0] not in inside
        moving = sorted(versions.moving & inside - {bottom[0]}) if bottom[0] in TIMES else ()
        if moving:
            return f"nothing in the document says how {moving[0]} depends on {bottom[0]}"
        given = [x[0] in system.definitions for x in (top, bottom)]
        loss = any(q != p and names(q.args[0]) == {*top} for q in every)  # of all that moves it
        flows = {top[0], bottom[0]} <= versions.moving  # dy/dx along it
        plain = p in (s.lhs, s.rhs) and all(isinstance(a, sp.Symbol | sp.Indexed) for a in p.args)
        both = plain and not (any(given) or loss or flows or top == bottom)
        free = given == [False, True]
        unused = free and not any(bottom[0] in names(d.expr) for d in system)
        if elsewhere or both or (unused and p not in s.rhs.atoms(Partial)):
            return f"nothing in the document says how {top[0]} depends on {bottom[0]}"
    return ""


def _introduced(name: str, text: str) -> bool:
    r"""True for “we call this quantity $K$”, and not for “let $L$ be the loss”."""
    shown = rf"\$\s*(?:\\math\w+\s*\{{?\s*)?\\?{re.escape(name)}\s*\}}?\s*\$"
    verbs = r"\b(?:[Cc]all(?:ed)?|[Dd]enoted?|[Ww]rit(?:e|ten)|[Aa]bbreviated?|[Nn]amed?)\b"
    pattern = rf"{verbs}([^.$]{{0,50}}){shown}([^.$]{{0,50}})"
    said = (m[1] + m[2] for m in re.finditer(pattern, text))
    return any(not _LOSS.search(words) for words in said)


def connected(s: Statement, system: System, versions: Versions) -> str:
    """A connection Γ^c_ab is mostly meant to have no torsion, and that of a metric always."""
    reached = closure(names(s.lhs) | names(s.rhs), system) - set(system.definitions)
    free = {n for n in reached if n.split("_")[0] == "Gamma"} & system.inputs.keys()
    bent = [n for n in sorted(free) if len(system.inputs[n].shape) == 3]
    return f"nothing in the document says whether {bent[0]} has torsion" if bent else ""


def whole(s: Statement, system: System, versions: Versions) -> str:
    """⌊k/2⌋ is mostly meant for whole numbers, and the values of the prover are none."""
    reached = closure(names(s.lhs) | names(s.rhs), system)
    exprs = [s.lhs, s.rhs, *(d.expr for d in system if d.name in reached)]
    applied = {f.func.__name__ for e in exprs if e is not None for f in e.atoms(sp.Function)}
    said = versions.outline.text
    if real(frozenset(reached), said) and all(not counts(x, said) for x in reached):
        return ""
    if applied & {"floor", "ceiling", "ceil", "round"} and not counterexample(s, system):
        return "it may be meant for whole numbers"
    return ""


def small(s: Statement, system: System, versions: Versions) -> str:
    """Where the sides differ by ε² and higher powers, they may be meant to first order in ε."""
    gap = s.lhs - s.rhs if s.rhs is not None else sp.S.One
    for x in sorted(gap.atoms(sp.Symbol, sp.Indexed), key=str):
        if str(getattr(x, "base", x)).split("_")[0] in ("epsilon", "varepsilon"):
            e = sp.Dummy()
            near = gap.xreplace({x: e})
            if all(sp.expand(d).subs(e, 0) == 0 for d in (near, near.diff(e))):
                return f"it may be meant to first order in {x}"
    return ""


def exampled(s: Statement, system: System, versions: Versions) -> str:
    """q·k = 100 is said of one q and one k, where the left side has several values."""
    if s.relation not in EXACT or not s.rhs.is_Rational or abs(s.rhs) <= 1 or partials(s.lhs):
        return ""
    reached = closure(names(s.lhs), system)
    rational = (t for t in versions.statements if getattr(t.rhs, "is_Rational", False))
    said = (t for t in rational if abs(t.rhs) <= 1 and t.lhs != s.lhs)  # Σ_k y_k = 1
    if system.facts or any(names(t.lhs) & reached for t in said) or ties(s, system, versions):
        return ""  # under which it may have one value
    try:
        found = [whether(s.lhs, s.rhs, given=system, over=s.letters, seed=k) for k in (0, 1, 2)]
    except SymattnError:
        return ""
    values = {round(v.counterexample.lhs, 6) for v in found if v.counterexample is not None}
    return f"{ONE_EXAMPLE}: {s.rhs}" if len(values) > 1 else ""


def unindexed(s: Statement, system: System, versions: Versions) -> str:
    """Σ_j of matrices that are written without letters: along which of their axes?"""
    if not any(e.atoms(sp.IndexedBase) for e in (s.lhs, s.rhs)):
        return ""
    for side in sides(s.latex)[0]:
        for found in _SUMMED.finditer(side):
            if not _LETTERED.search(side, found.end()):
                return f"along which axis the sum over {found[1]} runs is not written"
    return ""


def inverted(s: Statement, system: System, versions: Versions) -> str:
    """tr (A)^{-1} may be the trace of A⁻¹, and 1/tr A."""
    return "tr(…)^{-1}: the trace of an inverse, or one over a trace?" if _TRACE(s.latex) else ""


_TIMES = re.compile(r"(?<![A-Za-z\\])([a-z])\s*\\times\s*([a-z])(?![A-Za-z])")


def exchanged(
    said: Iterable[str], known: Collection[str], system: System
) -> tuple[str, str] | None:
    """A and B of A B u_j and of B A u_j, which may be matrices though they are read as numbers.

    So may a and b of a × b and b × a be vectors.
    """
    both = [m for latex in said for x in (_BEFORE_VECTOR, _TIMES) for m in x.finditer(latex)]
    pairs = {m.groups() for m in both}
    inside = {n.removesuffix("_scalar") for n in closure(known, system)}
    scalars = {x.name for d in system for x in symbols(d.expr) if isinstance(x, sp.Symbol)}
    scalars = {n.removesuffix("_scalar") for n in scalars} | inside - {
        *system.definitions,
        *system.inputs,
    }
    found = sorted(
        (a, b) for a, b in pairs if a < b and (b, a) in pairs and {a, b} <= inside & scalars
    )
    return found[0] if found else None


_MARKED = re.compile(r"_(?:bar|hat|tilde|check|breve)$")
_AVERAGED = re.compile(r"\\langle[^,|]*?\\rangle")  # no inner product

ONE_EXAMPLE = "it may be the value of one example"

Doubt = Callable[[Statement, System, Versions], str]

OF_VALUES: tuple[Doubt, ...] = (connected, whole, small)  # what values mean, under any definitions

OTHERWISE: tuple[Doubt, ...] = (  # that a difference may be none, or be meant
    approximate,
    rounded,
    recursive,
    *OF_VALUES,
    inverted,
    unindexed,
    conditional,
    alternative,
    in_a_numbered_case,
    of_a_case,
    activations.unsaid,
)

DOUBTS: tuple[Doubt, ...] = (
    approximate,
    rounded,
    recursive,
    solving,
    captured,
    otherwise_ranked,
    sampled,
    stated,
    unresolved,
    partial,
    unheard,
    unsized,
    linked,
    undefined,
    another,
    determined,
    abstract,
    through,
    turned_round,
    qualified,
    among,
    mirrored,
    together,
    equated,
    *OF_VALUES,
    inverted,
    unindexed,
    exampled,
    conditional,
    alternative,
    in_a_numbered_case,
    of_a_case,
    activations.unsaid,
)


def doubt(s: Statement, system: System, versions: Versions, but: Doubt | None = None) -> str:
    """The first reason why a difference of the two sides refutes nothing; empty for none."""
    return next((why for d in DOUBTS if d is not but and (why := d(s, system, versions))), "")


def _same_factors(left: Any, right: Any) -> bool:
    """A x = B x, W = Wᵀ, A B = B A: nothing but components and sums of products of them."""

    def flat(expr: Any) -> bool:
        if isinstance(expr, sp.Sum):
            return flat(expr.function)
        if isinstance(expr, sp.Mul):
            return all(map(flat, expr.args))
        return isinstance(expr, sp.Indexed | sp.Symbol | sp.Number | sp.KroneckerDelta)

    return flat(left) and flat(right)


def _listed(found: list[str]) -> str:
    return ", ".join(found[:3]) + (" …" if len(found) > 3 else "")


__all__ = [
    "DETERMINES",
    "DOUBTS",
    "OF_VALUES",
    "ONE_EXAMPLE",
    "OTHERWISE",
    "differential",
    "doubt",
    "exchanged",
    "undefined",
    "unindexed",
]
