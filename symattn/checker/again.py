"""A second equation for a name: the same with a slip, or another definition.

What is one slip away from the equation before it (a sign, a factor, an index, a transposition, a
term) is shown with that difference, which is proved.  It is wrong only where the words say that the
same is meant; elsewhere an author may have wanted it so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

import sympy as sp

from ..errors import SymattnError
from ..objects import Inverse, Partial
from ..prove import Verdict
from ..read.retried import PART
from ..syntax import System, define
from . import proofs, report, wording
from .conditions import conditional
from .doubts import OTHERWISE, doubt, undefined
from .edits import renamed, tokens
from .effort import IDENTITY, effort
from .finding import Difference, Finding, values
from .inside import names, partials
from .links import sides
from .missing import separated
from .motion import derived, doubtful
from .nearby import RENAMED
from .repair import edited, edits, proved_edits
from .slips import terms
from .statements import Statement
from .ties import unresolved
from .versions import Version, closure

if TYPE_CHECKING:
    from .disputed import Disputed

ALIKE, SHORTEST = 0.7, 6  # texts that are compared: their common part, and tokens
LIKELY = 3  # batches of edits, the likeliest first
_FACTOR = re.compile(r"left = (.*\S) · right")
_LAID = re.compile(r"\\(?:[dtc]?frac|left|right|cdot|times|math\w+|text\w*|bm|boldsymbol|sqrt)")


def restated(
    judge: Disputed, s: Statement, verdict: Verdict, system: System, before: Version
) -> Finding:
    """The finding on a second equation that differs from the definition before it."""
    if before.latex and tokens(sides(before.latex)[0][-1]) == tokens(sides(s.latex)[0][-1]):
        return Finding(report.DEFINITION, f"as on line {before.line}", kind="definition")
    place = s.line, s.column
    announced = judge.outline.announced(*place)
    if announced or judge.outline.named_by_if(*place) or _goes_on(judge, s, system, before):
        return _anew(s, verdict, system, before, None)
    tied = unresolved(s, system, judge.versions)
    under = condition(s, verdict, system)
    if under and PART in tied and not judge._said(under):
        under = ""  # μ_b = x_b, with which blocks of an inverse do not count
    if under:
        only = Finding(
            report.CONDITIONAL,
            f"the {s.name} of line {before.line} only if {under}",
            values(verdict),
            proof=verdict,
            system=system,
        )
        told = re.sub(r"[\s{}]", "", under)
        put = {re.sub(r"[\\{}]", "", x) for x in judge.outline.supposed(*place)}
        if told in put:  # for the Sun $M = 1$: nothing is to be mended
            return only
        if wording.altering(judge.outline.sentence(*place)) and judge.versions.brings(s):
            return only  # with friction, under the linear law
        return judge._mended(s, only, verdict, system)
    signs = judge._where_positive(s, verdict, system)
    if signs is not None and signs.verdict == report.CONDITIONAL:
        return judge._mended(s, signs, verdict, system)
    judge.reached[s] = _anew(s, verdict, system, before, None)  # stands though time runs out
    of, part = derived(judge, s), judge.outline.part
    here = part(s.line) in (part(before.line), part(of.line) if of else 0)
    if of is not None and here and not doubtful(judge, s, system):
        return judge.confirmed(s, verdict, system)  # the rate of a thing is not given anew
    by_itself = _defined_by_itself(s, system)
    why = doubt(s, system, judge.versions, undefined if by_itself else None)
    case = _in_a_case(judge, s, system)
    if case and why == conditional(s, system, judge.versions):
        why = doubt(s, system, judge.versions, conditional)
    if why:
        given = judge.supposes(s, system)
        if any(
            d(s, system, judge.versions) for d in OTHERWISE if d is not conditional or not given
        ):
            return _anew(s, verdict, system, before, None, tied)
        if reformed := _reformed(judge, s, verdict, system, before):
            return reformed
        slip = next(_slips(judge, s, verdict, system, before), None)
        return _anew(s, verdict, system, before, slip, tied)
    if _circular(s, system) and (reformed := _reformed(judge, s, verdict, system, before)):
        return reformed
    outline = judge.outline
    joined = _joined(judge, s, before)
    put_in, cut = outline.puts_in(s.line, s.column), _cut_off(s, before)
    whole = not put_in or (_same_inputs(s, system) and not cut)
    reforms = whole and outline.reforms(s.line, s.column)
    slope = isinstance(before.definition.expr, Partial) and not outline.altered(s.line, s.column)
    same = _beside(judge, s, before, reforms)
    follows = None if joined or slope or case else outline.follows(s.line, s.column)
    fewer = joined or reforms or case
    inputs = slope or _same_inputs(s, system, fewer)  # it goes through whatever is said
    asserted = outline.recalls(s.line, s.column) or outline.asserts(s.line, s.column)
    aside = s.inline and not (follows or joined or asserted)  # by p' = k - 1: a setting
    infers = joined or asserted or follows is None or outline.infers(s.line, s.column)
    words = outline.goes_on((before.line, before.column), (s.line, s.column))
    infers = infers or (words is not None and not words.strip(" \n,;:&"))
    listed = outline.lists(s.line, s.column) or wording.several(outline.sentence(s.line, s.column))
    shown = _shown_before(judge, s, before, words)
    apart = follows is False or aside or listed or (put_in and cut)
    claimed = inputs and same and (shown or not apart)
    changed = outline.altered(s.line, s.column) if words is None else wording.changed(words)
    altered = changed and not (joined or asserted or reforms)
    if claimed and altered and next(_slips(judge, s, verdict, system, before), None) is None:
        return _anew(s, verdict, system, before, None)
    if claimed and (shown or infers or not _chosen(judge, s, verdict)):
        return judge.confirmed(s, verdict, system)
    if same and by_itself and not (altered or case):
        return judge.confirmed(s, verdict, system)
    found = _slips(judge, s, verdict, system, before)
    slip = next(found, None) if same or not aside else None
    varied = outline.varies(s.line, s.column) if words is None else wording.another(words)
    if (varied or listed) and not asserted:
        return _anew(s, verdict, system, before, slip)
    if slip is not None and inputs:
        edited = slip if slip.right else next((x for x in found if x.right), slip)
        if asserted or _meant(judge, s, verdict, same, edited):
            return _confirmed(judge, s, verdict, system, before, slip)
    if reformed := _reformed(judge, s, verdict, system, before):
        return reformed
    anew = _anew(s, verdict, system, before, slip)
    if same and not aside and (right := _other_form(judge, s, verdict, system)):
        confirmed = judge.confirmed(s, verdict, system, right)
        return confirmed if confirmed.verdict == report.REFUTED else anew
    for version, other in _others(judge, s, system, before):
        judge.reached[s] = anew
        against = judge.prove(s, other)
        slip = next(_slips(judge, s, against, other, version), None)
        if (slip is not None and asserted) or _denied(judge, s, version, slip):
            return _confirmed(judge, s, against, other, version, slip)
    shorter = (
        _shorter(judge, s, verdict, system, before) if same and not (put_in or aside) else None
    )
    return shorter or anew


def _reformed(
    judge: Disputed, s: Statement, verdict: Verdict, system: System, before: Version
) -> Finding | None:
    """The refutation of what one slip leads to another form of the earlier equation.

    Who gives a name another meaning says so, and changes the form that he has; he does not make it
    of what the name is in.
    """
    outline = judge.outline
    if outline.part(before.line) != outline.part(s.line):
        return None
    if not _circular(s, system) and not _equated(judge, s, before):
        told = _through_others(s, system, before)
        if not told and (outline.varies(s.line, s.column) or s.inline):
            return None
        if _joined(judge, s, before) or _chosen(judge, s, verdict):
            return None
        if judge.versions.brings(s):
            return None  # with backorders at cost b the optimum is another
    right = _form(judge, s, verdict, system)
    found = judge.confirmed(s, verdict, system, right) if right else None
    return found if found is not None and found.verdict == report.REFUTED else None


def _form(judge: Disputed, s: Statement, verdict: Verdict, system: System) -> str:
    """The right side after one edit that is what the earlier equation gives, in another form."""
    with effort(IDENTITY):
        found = (x for x in _forms(judge, s, verdict, system) if _unlike(x, s, judge))
        return next(found, "")


def _forms(judge: Disputed, s: Statement, verdict: Verdict, system: System) -> Iterator[str]:
    """The right side after one edit that is proved to be what the earlier equation gives."""
    batches = edits(s, verdict, system)
    if judge.outline.infers(s.line, s.column) and not s.letters:
        batches.append([*renamed(sides(s.latex)[0][-1])][:RENAMED])
    try:
        for latex, right, _ in proved_edits(s, verdict, system, judge.head(s, system), batches):
            if s.name not in names(right) or (s.name in names(s.rhs) and right != s.lhs):
                yield latex
    except (SymattnError, RecursionError):
        return


def _unlike(latex: str, s: Statement, judge: Disputed) -> bool:
    """No earlier equation for the name has this form."""
    place, own = (s.line, s.column), sorted(_signs(latex))
    known = (v for v in judge.versions.table.get(s.name, ()) if v.latex)
    earlier = (sides(v.latex)[0][-1] for v in known if (v.line, v.column) < place)
    return all(sorted(_signs(right)) != own for right in earlier)


def _confirmed(
    judge: Disputed,
    s: Statement,
    verdict: Verdict,
    system: System,
    before: Version,
    slip: Difference | None,
) -> Finding:
    """The refutation where a second way confirms it; else another definition."""
    edited = (x.right for x in _slips(judge, s, verdict, system, before) if x.right)
    right = slip.right if slip is not None else ""
    found = judge.confirmed(s, verdict, system, right or next(edited, ""))
    return found if found.verdict == report.REFUTED else _anew(s, verdict, system, before, slip)


def _same_inputs(s: Statement, system: System, fewer: bool = False) -> bool:
    """Both equations for the name rest on the same names, or the second one on fewer."""
    free = set(system.definitions)
    old, new = closure([s.name], system) - free, closure(names(s.rhs), system) - free
    said = [names(f.lhs) | names(f.rhs) for f in system.facts]
    tied = old.union(*(about for about in said if about & old))  # b/a = v/u of a and b
    return old == new or (fewer and bool(new) and new < tied)


def _cut_off(s: Statement, before: Version) -> bool:
    """It lacks a function that the equation before it has: θ²/2 for 1 − cos θ."""
    old, new = ({f.func for f in e.atoms(sp.Function)} for e in (before.definition.expr, s.rhs))
    return bool(old - new)


def _joined(judge: Disputed, s: Statement, before: Version) -> bool:
    """Nothing but mathematics or “that is” stands between the two: rows of one display."""
    text, place = judge.outline.text, judge.outline.position
    if judge.outline.inferred(s.line, s.column) == re.sub(r"\s", "", before.latex):
        return True
    between = text[place(before.line, before.column) : place(s.line, s.column)]
    return bool(between) and not re.search(r"\$|\\\[|\\\]|\\end|\n\s*\n", between)


def _shown_before(judge: Disputed, s: Statement, before: Version, words: str | None) -> bool:
    """No word stands between it and the equation before it, which is proved: h = … was claimed."""
    if words is not None and not re.search(r"[A-Za-z]", words) and _is_proved(judge, s, before):
        return True
    place = s.line, s.column
    for t in judge.versions.stated.get(s.name, ()):  # or another form of it
        there = t.line, t.column
        between = judge.outline.goes_on(there, place) if there < place else None
        plainly = between is not None and not re.search(r"[A-Za-z]", between)
        claimed = plainly and t.kind == "claim"
        if claimed and judge.prove(t, judge.versions.system(t)).status == "proved":
            return True
    return False


def _is_proved(judge: Disputed, s: Statement, before: Version) -> bool:
    """An equation for the name of s was claimed, and is proved."""
    place = before.line, before.column
    stated = (t for t in judge.versions.stated.get(s.name, ()) if (t.line, t.column) == place)
    return any(judge.prove(t, judge.versions.system(t)).status == "proved" for t in stated)


def _in_a_case(judge: Disputed, s: Statement, system: System) -> bool:
    """The words before it say in a formula what the name rests on is: for equal p_i = 1/n."""
    outline, place = judge.outline, (s.line, s.column)
    if outline.varies(*place) or outline.altered(*place):
        return False
    said = {latex.rstrip(".,;:") for latex in outline.supposed(*place)}
    below = closure([s.name], system) - {s.name}
    known = (v for n in sorted(below) for v in judge.versions.table.get(n, ()))
    given = (v.latex for v in known if v.latex and v.definition in tuple(system))
    return bool(said) and any(re.sub(r"\s", "", latex) in said for latex in given)


def _circular(s: Statement, system: System) -> bool:
    """The right side is made of what the name is in: it says nothing anew."""
    return s.name in closure(names(s.rhs), system)


def _through_others(s: Statement, system: System, before: Version) -> bool:
    """The same inputs through other names: J = (g + h) (V - u) of J = g (V - a) + h (V - b)."""
    more = names(s.rhs) - names(before.definition.expr)
    return bool(more & system.definitions.keys()) and _same_inputs(s, system)


def _defined_by_itself(s: Statement, system: System) -> bool:
    """All of the right side is defined, and some of it by the name: w = m/(1 + H) of H = w/f."""
    made = names(s.rhs)
    return bool(made) and made <= system.definitions.keys() and _circular(s, system)


def _equated(judge: Disputed, s: Statement, before: Version) -> bool:
    """One sentence says that the two are one: the moment μ = … of the orbit is μ = …."""
    words = judge.outline.goes_on((before.line, before.column), (s.line, s.column))
    return words is not None and wording.equates(words)


def _beside(judge: Disputed, s: Statement, before: Version, reforms: bool) -> bool:
    """Nothing stands between the two equations under which the name may be another."""
    outline = judge.outline
    if reforms and outline.titled(s.line, s.column):  # the variance in another form
        return True
    within = outline.section if reforms else outline.part
    return within(before.line) == within(s.line)


def _others(
    judge: Disputed, s: Statement, system: System, before: Version
) -> Iterator[tuple[Version, System]]:
    """Earlier equations for the name, the likest first, and the definitions that may be meant.

    Without those that do not rest on the same names, or that a refutation cannot speak against.
    """
    versions, own = judge.versions, tokens(sides(s.latex)[0][-1])

    def alike(other: System) -> float:
        latex = next((v.latex for v in versions.table.get(s.name, ()) if v.definition in other), "")
        return -SequenceMatcher(None, own, tokens(sides(latex)[0][-1]), autojunk=False).ratio()

    for other in sorted((system, *versions.others(s)), key=alike):
        one = next((v for v in versions.table.get(s.name, ()) if v.definition in other), None)
        if (
            one is None
            or not (0, 0) < (one.line, one.column) < (s.line, s.column)
            or not _same_inputs(s, other, fewer=True)
            or doubt(s, other, versions)
            or judge.prove(s, other).status != "refuted"
        ):
            continue
        yield one, other


def _denied(judge: Disputed, s: Statement, before: Version, slip: Difference | None) -> bool:
    """What follows in the section needs the earlier equation, and nothing in it this one.

    A claim that is proved with the earlier one and refuted with this one denies it.  What is more
    than one slip away, or is in force nowhere, is denied by what says the name, or its inverse,
    once more.
    """
    versions = judge.versions
    loose = slip is None or versions.made_by(s) not in versions.table.get(s.name, ())
    denied = False
    for again, then, now in _behind(judge, s, before):
        if now == "proved" and then != "proved":
            return False
        denied = denied or ((again or not loose) and now == "refuted" and then == "proved")
    return denied


def _goes_on(judge: Disputed, s: Statement, system: System, before: Version) -> bool:
    """What follows in the section needs this equation: it is refuted with the earlier one.

    Not where more of it needs the earlier one, which is proved: there both are claimed of one.
    """
    behind = [(then, now) for _, then, now in _behind(judge, s, before)]
    needed, denied = (behind.count(x) for x in (("refuted", "proved"), ("proved", "refuted")))
    if needed and not (denied > needed and _is_proved(judge, s, before)):
        return True
    versions, section = judge.versions, judge.outline.section
    for t in versions.statements:  # f'(x) as the derivative of what this one says
        if (t.line, t.column) <= (s.line, s.column) or section(t.line) != section(s.line):
            continue
        given = versions.system(t) if t.kind == "claim" else System()
        tops = {n for p in partials(t.lhs, t.rhs) for n in names(p.args[0])}
        put = [d for d in given if d.name in tops and d.expr == s.rhs]
        if put and _status(judge, t, given) == "proved":
            body = before.definition.expr
            old = (define(d.name, d.indices, body) if d in put else d for d in given)
            return _status(judge, t, System(*old, facts=given.facts)) == "refuted"
    return False


def _behind(judge: Disputed, s: Statement, before: Version) -> Iterator[tuple[bool, str, str]]:
    """The claims that follow in the section, with the earlier equation and with this one.

    Of each whether it says the name, or its inverse, once more; that is the last one.
    """
    versions, section = judge.versions, judge.outline.section
    made = versions.made_by(s)
    for t in versions.statements:
        if (t.line, t.column) <= (s.line, s.column) or t.rhs is None:
            continue
        again = s.name == t.name or s.name == _inverted(t)
        if section(t.line) != section(s.line) or (t.name == s.name and t.kind != "claim"):
            break
        if t.kind != "claim" or t.relation not in ("=", ":="):
            continue
        if s.name not in closure(names(t.lhs) | names(t.rhs), versions.system(t)) or made is None:
            continue
        if judge.anew(t, but=s.name):
            continue
        old, new = (next(versions.with_version(t, v), None) for v in (before, made))
        if old is None or new is None:
            continue
        try:
            yield again, _status(judge, t, old), _status(judge, t, new)
        except SymattnError:
            continue
        if t.name == s.name:
            break


def _status(judge: Disputed, t: Statement, system: System) -> str:
    verdict = judge.prove(t, system)
    if verdict.status == "unknown" and proofs.other(t, system, verdict, judge.seed):
        return "proved"
    return verdict.status


def _inverted(t: Statement) -> str:
    """The P of P⁻¹ = …."""
    base = getattr(t.lhs, "base", None)
    return base.of.name if isinstance(base, Inverse) else ""


def _anew(
    s: Statement,
    verdict: Verdict,
    system: System,
    before: Version,
    differs: Difference | None,
    open_: str = "",
) -> Finding:
    """Another definition; with what keeps it `open_` whether the two say the same."""
    said = f", from which it differs ({'; '.join(verdict.hints)})"
    said = said if verdict.hints else ", from which it differs"
    if differs is not None:
        said = f", from which it differs by {differs.by}"
    elif open_:
        said = f", or says the same: {open_}"
    return Finding(
        report.DEFINITION,
        f"redefines {s.name} of line {before.line}{said}",
        kind="definition",
        proof=verdict,
        system=system,
        differs=differs,
    )


def _chosen(judge: Disputed, s: Statement, verdict: Verdict) -> bool:
    """The form of an earlier equation with one change, or another scale of the same names.

    Two springs have E = k q² after E = k q²/2, and positive feedback another sign.
    """
    new, place = tokens(sides(s.latex)[0][-1]), (s.line, s.column)
    scaled = any(_FACTOR.fullmatch(hint) for hint in verdict.hints)
    known = (v for v in judge.versions.table.get(s.name, ()) if v.latex)
    earlier = (tokens(sides(v.latex)[0][-1]) for v in known if (v.line, v.column) < place)
    return any(
        (scaled and _letters(old) == _letters(new)) or _replaced(old, new, shortest=1)
        for old in earlier
    )


def _letters(parts: list[str]) -> set[str]:
    """The names and functions of a formula, whatever its numbers."""
    return {t for t in parts if t[-1].isalpha() and not _LAID.fullmatch(t)}


def _meant(judge: Disputed, s: Statement, verdict: Verdict, same: bool, slip: Difference) -> bool:
    """One slip leads to what is proved, in a form that no earlier equation for the name has."""
    if _chosen(judge, s, verdict) or (verdict.hints and not same):
        return False
    edited = slip.right and not slip.by.startswith("the term")
    return bool(edited) and _unlike(slip.right, s, judge)


def _other_form(judge: Disputed, s: Statement, verdict: Verdict, system: System) -> str:
    """The right side after one edit that is what the earlier equation gives, in another form.

    Who gives a name another meaning does not begin with another form of the first.
    """
    if any(_FACTOR.fullmatch(hint) for hint in verdict.hints):
        return ""  # another scale or sign
    return _form(judge, s, verdict, system)


def _shorter(
    judge: Disputed, s: Statement, verdict: Verdict, system: System, before: Version
) -> Finding | None:
    """Another form of the earlier equation without one of its terms: true only where that is 0."""
    scaled = any(_FACTOR.fullmatch(hint) for hint in verdict.hints)
    if scaled or not names(s.rhs) or _chosen(judge, s, verdict):
        return None
    document, head = judge.versions.document, judge.head(s, system)
    for term, right in separated(s, system, document):
        with effort(IDENTITY):
            proved = edited(s, verdict, system, head, [[right]])
        if proved:
            why = f"the {s.name} of line {before.line} only if {term.removeprefix('-')} = 0"
            values_, kind = values(verdict), report.CONDITIONAL
            return Finding(kind, why, values_, proved, proof=verdict, system=system)
    return None


def _slips(
    judge: Disputed, s: Statement, verdict: Verdict, system: System, before: Version
) -> Iterator[Difference]:
    """What separates it from the equation before it, where that is one slip; each is proved."""
    old, new = sides(before.latex)[0][-1], sides(s.latex)[0][-1]
    if not names(s.rhs):
        return  # a value

    def found(batches: list[list[str]]) -> Iterator[str]:
        try:
            for latex, *_ in proved_edits(s, verdict, system, judge.head(s, system), batches):
                yield latex
        except (SymattnError, RecursionError):
            return

    for hint in verdict.hints:
        if match := _FACTOR.fullmatch(hint):
            yield Difference(before.line, f"the factor {_inverse(match[1])}", before.latex)
    if said := _replaced(tokens(old), tokens(new)):
        yield Difference(before.line, said, before.latex, old.strip())
    for right in found(edits(s, verdict, system)[:LIKELY]):
        yield Difference(before.line, _kind(tokens(new), tokens(right)), before.latex, right)
    for term, side in _without(new):
        for right in found([[side]]):
            yield Difference(before.line, f"the term {_bare(term)}", before.latex, right)
    for term, _ in _without(old):
        signed = term if term[0] in "+-" else f"+ {term}"
        for right in found([[f"{new.rstrip()} {signed}"]]):
            yield Difference(before.line, f"the term {_bare(term)}", before.latex, right)


def _replaced(old: list[str], new: list[str], shortest: int = SHORTEST) -> str:
    """In words the one place at which two texts differ; empty where there are more."""
    a, b = ([t for t in x if t.strip()] for x in (old, new))
    match = SequenceMatcher(None, a, b, autojunk=False)
    changes = [x for x in match.get_opcodes() if x[0] != "equal"]
    if len(changes) != 1 or match.ratio() < ALIKE or min(len(a), len(b)) < shortest:
        return ""
    _, i, j, k, m = changes[0]
    said = _kind(a, b)
    if said == "one factor":
        gone, come = _text(a[i:j]), _text(b[k:m])
        if gone and come:
            return ""  # another name, which is no slip
        only = gone or come
        term = only[0] in "+-" or only[-1] in "+-"
        return f"the term {_bare(only)}" if term else f"the factor {only}"
    return said


def _text(parts: list[str]) -> str:
    r"""Tokens as LaTeX: \beta w with its space."""
    spaced = (t + " " if t[0] == "\\" and t[-1].isalpha() else t for t in parts)
    return re.sub(r" (?![A-Za-z])", "", "".join(spaced))


def _inverse(factor: str) -> str:
    """1/c of a hint such as -1/2 · sqrt(d_k), which says what the earlier one is of this one."""
    found = []
    for part in factor.split(" · "):
        sign, body = ("-", part[1:]) if part.startswith("-") else ("", part)
        above, _, below = body.partition("/")
        found.append(sign + (below if above == "1" and below else f"{below or 1}/{above}"))
    return " · ".join(x.replace("-1/1", "-1") for x in found)


def _bare(term: str) -> str:
    return term.strip("+ ").removesuffix("-").strip()


def _without(side: str) -> Iterator[tuple[str, str]]:
    """The terms of a sum on their own, each with the side that it is left out of."""
    found = [(a, b) for a, b in terms(side) if _top(side[:a])]
    for a, b in found if len(found) > 1 else ():
        rest = f"{side[:a].rstrip()} {side[b:].lstrip()}".strip()
        yield side[a:b].strip(), rest.removeprefix("+").strip()


def _top(before: str) -> bool:
    return all(before.count(a) == before.count(b) for a, b in ("()", "[]", "{}"))


_KINDS = (
    (re.compile(r"[-+\s]*"), "a sign"),
    (re.compile(r"(?:\^|\{|\}|\\top|\\intercal|T|\s|\\mathsf)*(?:\\top|T|\\intercal)[\s}]*"),
     "a transposition"),
    (re.compile(r"(?:\^|\{|\}|\d|\s)*\^(?:\{|\}|\d|\s)*"), "a power"),
    (re.compile(r"[\d\s]*"), "a number"),
    (re.compile(r"(?:[a-z{}_^\s']|\\(?:alpha|beta|gamma|delta|mu|nu|rho|sigma|lambda|kappa))*"),
     "an index"),
)  # fmt: skip


def _kind(a: list[str], b: list[str]) -> str:
    """In words what one edit changed."""
    changes = [
        x for x in SequenceMatcher(None, a, b, autojunk=False).get_opcodes() if x[0] != "equal"
    ]
    text = "".join("".join((*a[i:j], *b[k:l])) for _, i, j, k, l in changes)
    scripts = all(_in_script(b, k) for *_, k, _ in changes)
    for pattern, said in _KINDS:
        if pattern.fullmatch(text) and (said != "an index" or scripts):
            return said
    return "one factor" if len(changes) == 1 else "one edit"


def _in_script(parts: list[str], at: int) -> bool:
    """True where a place stands inside of _{…} or behind _."""
    before = "".join(parts[:at])
    return bool(re.search(r"[_^](?:\{[^{}]*)?$", before))


def condition(s: Statement, verdict: Verdict, system: System, both: bool = False) -> str:
    """The equality under which a statement holds: a scalar is 1, two names are one.

    A scalar of one side; of `both` where the definitions are without it: they take it for 1.
    """
    left = closure(names(s.lhs), system)
    right = closure(names(s.rhs), system)
    inside = [names(d.expr) for d in system if d.name in left | right]
    scaled = any(_FACTOR.fullmatch(hint) for hint in verdict.hints)  # then t = y makes both 0
    for hint in verdict.hints:
        if "agree when" not in hint:
            continue
        what = hint.split("agree when ", 1)[1]
        first, _, second = what.partition(" = ")
        if second == "1":
            without = both and inside and not any(first in here for here in inside)
            if first in left | right and (without or (first in left) != (first in right)):
                return what
        elif not scaled and first in left | right and second in left | right:
            return what
    return ""


def _signs(latex: str) -> list[str]:
    """What stands in a formula but for index letters."""
    return [t for t in tokens(latex) if not re.fullmatch(r"\s+|[a-z{}]", t)]


__all__ = ["condition", "restated"]
