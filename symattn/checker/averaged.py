"""Verdicts on equations of laws and averages, by sums over outcomes (densities.py)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import SymattnError
from ..prove import Verdict, prove, whether
from ..read.applications import Application, applied, calls, whole
from ..read.names import base_name
from ..read.outcomes import Claim
from ..read.tree import (
    Accent,
    Addition,
    Name,
    Node,
    Number,
    Product,
    Scripted,
    base_of,
    rebuilt,
    spelled,
    walk,
)
from ..syntax import System, indices, sizes
from . import report
from .densities import Densities, Formulas, Untold
from .factors import Hidden
from .finding import Finding, values
from .gaps import gap
from .links import sides
from .misprints import changed
from .opened import Opened
from .outcome import variable
from .respelled import respelled

if TYPE_CHECKING:
    from .judge import Judge

MAX_NODES = 600  # of a side with what stands for its names
ASSUMED = "averages, integrals and their slopes are finite"
_ROWS = re.compile(r"\\(?:begin|end)\{(?:aligned|align|split|gathered)\*?\}(?:\[[a-z]\])?")
_MULTIPLE = re.compile(r"left = -?\d+(?:/\d+)? · right")
_LAYOUT = re.compile(r"(?<!\\)%[^\n]*|\s|&|\\\\")
CONDITION = re.compile(  # under which what is not true of all laws may be true
    r"\b(?:assum|suppos|if\b|provided|stationar|equilibri|balance|markov|optim|uniform|"
    r"unbiased|detailed|converge|fixed point|exponential famil|conjugate)",
    re.IGNORECASE,
)
FAULTS = (SymattnError, Untold, ValueError, TypeError, RecursionError, IndexError, AttributeError)


def of_outcomes(
    judge: Judge, line: int, column: int, latex: str, number: int | None = None
) -> Finding | None:
    """The verdict on a link of a chain; of no link on a formula that was not read, the whole."""
    claim = _claims(judge).get((line, column))
    if claim is None:
        pairs = ((c, c.places.index((line, column))) for c in _claims(judge).values()
                 if (line, column) in c.places)  # fmt: skip
        claim, row = next(pairs, (None, 0))  # a row of a display that was read without it
        if claim is None or _pieces(latex)[-1:] != _pieces(claim.latex)[row + 1 : row + 2]:
            return None
        return _link(judge, claim, row) or _understood(claim, row)
    if _of_entries(judge, claim):
        return None
    if number is not None:
        own = _place(claim, latex)
        return None if own is None else _link(judge, claim, own)
    links = [
        _link(judge, claim, k) or _said_first(claim, k) or _understood(claim, k)
        for k in range(len(claim.sides) - 1)
    ]
    if not all(links):
        return None
    order = (
        *(report.REFUTED, report.UNPROVED, report.CONDITIONAL),
        *(report.PROVED, report.DEFINITION),
    )
    return min((x for x in links if x is not None), key=lambda x: order.index(x.verdict))


def _understood(claim: Claim, number: int) -> Finding | None:
    """Undecided, where all names are known to be laws, functions and outcomes."""
    both = claim.sides[number : number + 2]
    if not claim.equal(number) or _decided(claim, both) is None:
        return None
    call = whole(both[0]) if not number else None
    formulas = claim.said.formulas.get(spelled(call.name), ()) if call is not None else ()
    if any(d.at == claim.at for d in formulas):
        return Finding(report.DEFINITION, "says what a law is", kind="definition")
    return Finding(report.UNPROVED, "it does not hold for all laws", kind="claim")


def _of_entries(judge: Judge, claim: Claim) -> bool:
    """True where an H(X) of it is what the text makes of entries: no law is asked for then."""
    said = [c for c in _claims(judge).values() if any(not [*calls(x)] for x in c.sides[1:])]
    heads = [whole(c.sides[0]) for c in said]
    given = {_spelled(c) for c in heads if c is not None and _information(c.name)}
    return any(_spelled(c) in given for side in claim.sides for _, _, c in calls(side))


def _spelled(call: Application) -> object:
    return spelled((call.name, call.items, call.given))


def _information(name: Node) -> bool:
    """True for the H of an entropy and the I of an information, which no equation defines."""
    return base_name(base_of(name)) in ("H", "I")


def _pieces(latex: str) -> list[str]:
    """The sides of a chain as they are written, without layout, for comparing."""
    return [_LAYOUT.sub("", x).rstrip(".,;") for x in sides(_ROWS.sub("", latex))[0]]


def _claims(judge: Judge) -> Mapping[tuple[int, int], Claim]:
    return getattr(judge.versions.document, "outcomes", {})


def against(judge: Judge, line: int, column: int, latex: str) -> str:
    """Why a proof by other means counts for nothing; empty where nothing speaks against it."""
    claim = _claims(judge).get((line, column))
    link = _place(claim, latex) if claim is not None else None
    if claim is None or link is None or _of_entries(judge, claim):
        return ""
    two = claim.sides[link : link + 2]
    if not claim.equal(link):
        return ""
    try:
        model = Densities(claim.said, two)
        for side in two:
            model.read(side, {})
    except Hidden as why:
        return f"{why} stands in it"
    except FAULTS:
        return ""
    both = [*map(Opened(claim), two)]
    found = _decided(claim, both)
    if found is None or found[0].status != "refuted" or _is_tied(judge, claim, both):
        return ""
    return "" if found[1].mixed else "it does not hold for all laws"


def _place(claim: Claim, latex: str) -> int | None:
    """Which link of a chain is written so; None where that is not clear."""
    own, every = _pieces(latex), _pieces(claim.latex)
    if len(every) != len(claim.sides):
        return None
    fits = [
        k for k in range(len(every) - 1) if own[-1] == every[k + 1] and own[0] in ("", every[k])
    ]
    return fits[0] if len(fits) == 1 else None


def _said_first(claim: Claim, number: int) -> Finding | None:
    """What a name is first said to be, where all of it is understood."""
    if number or not defines(claim) or not claim.said.laws:
        return None
    known = _decided(claim, claim.sides[:2])
    return Finding(report.DEFINITION, kind="definition") if known is not None else None


def _link(judge: Judge, claim: Claim, number: int) -> Finding | None:
    two = claim.sides[number : number + 2]
    if len(two) < 2 or (number == 0 and defines(claim)):
        return None
    opened = Opened(claim)
    tried = [[*map(opened, two)], [*two]]
    if not claim.equal(number):
        return _bound(judge, claim, tried[0], claim.signs[number])
    verdicts = []
    for both in tried if opened.used else tried[1:]:
        found = _decided(claim, both)
        if found is not None and found[0].status == "proved" and not found[0].trivial:
            lines = opened.used if both is tried[0] else {}
            return _proved(found[0], tuple(lines.values()))
        verdicts.append((both, found))
        if found is not None or opened.hangs(two):
            break  # E[log p(x)] is not log p(x) for every x where x = z² + 1
    both, found = verdicts[0]
    put_in = opened if both is tried[0] else lambda side: side
    if (told := _by_formulas(judge, claim, both, number, put_in)) is not None:
        return told
    if (by := _with_another(judge, claim, number)) is not None:
        return by
    if (one := _of_one_law(claim, both)) is not None:
        return one
    if found is None or found[0].status != "refuted":
        return None
    if (wrong := _refuted(judge, claim, both, found, number, put_in)) is not None:
        return wrong
    call = whole(two[0])
    known = call is not None and _information(call.name)
    return _understood(claim, number) if known else None


def _bound(judge: Judge, claim: Claim, both: Sequence[Node], sign: str) -> Finding | None:
    """What is found of a ≥ b between averages."""

    def proves(sides: Sequence[Node]) -> Verdict | None:
        found = _decided(claim, sides)
        return found[0] if found is not None else None

    loose = CONDITION.search(_near(judge, claim)) is not None or _is_tied(judge, claim, both)
    return gap(both, sign, claim.said, proves, loose)


def _proved(verdict: Verdict, used: tuple[str, ...]) -> Finding:
    assumed = (ASSUMED, *verdict.conditions)
    return Finding(report.PROVED, assumed=assumed, used=used, kind="claim", proof=verdict)


def _by_formulas(
    judge: Judge,
    claim: Claim,
    both: Sequence[Node],
    number: int,
    put_in: Callable[[Node], Node],
) -> Finding | None:
    """True with what the text says that its laws are, p(x) = exp(-E(x)) / Z, or one change away."""
    known, lines = _formulas(claim)
    if not known:
        return None
    found = _decided(claim, both, formulas=known)
    if found is None or found[0].trivial:
        return None
    if found[0].status == "proved":
        opened = Opened(claim)
        for side in both:
            opened(side)
        return _proved(found[0], (*dict.fromkeys((*opened.used.values(), *lines)),))
    if found[0].status != "refuted" or found[1].mixed or CONDITION.search(_near(judge, claim)):
        return None
    return _misprint(judge, claim, both, found[0], number, put_in, known)


def _formulas(claim: Claim) -> tuple[Formulas, list[str]]:
    """What the section says of its laws before a claim, definitions put in, and in which lines."""
    known = {
        n: [d for d in said if d.at < claim.at and d.section == claim.section][-1:]
        for n, said in claim.said.formulas.items()
    }
    known = {n: said for n, said in known.items() if said}
    opened = Opened(claim)
    put_in = {n: [replace(d, right=opened(d.right)) for d in said] for n, said in known.items()}
    lines = [*opened.used.values(), *(f"line {d.line}" for said in known.values() for d in said)]
    return put_in, lines


def _with_another(judge: Judge, claim: Claim, number: int) -> Finding | None:
    """True with what an earlier equation of the section says of the same left side."""
    if number:
        return None
    left, right = claim.sides[:2]
    for other in _claims(judge).values():
        if other.at >= claim.at or other.section != claim.section:
            continue
        if spelled(other.sides[0]) != spelled(left):
            continue
        for k, side in enumerate(other.sides[1:]):
            if not other.equal(k):
                break
            found = _decided(claim, [side, right])
            if found is not None and found[0].status == "proved" and not found[0].trivial:
                every = [_link(judge, other, j) for j in range(k + 1)]
                if any(x is not None and x.verdict in report.WRONG for x in every):
                    break
                known = all(x is not None and x.verdict == report.PROVED for x in every)
                if known:
                    return _proved(found[0], (f"line {other.line}",))
                why = f"true with what line {other.line} says"
                return Finding(report.CONDITIONAL, why, kind="claim", proof=found[0])
    return None


def _of_one_law(claim: Claim, both: Sequence[Node]) -> Finding | None:
    """True where the p beside a p_θ is that law, written without its parameter."""
    names = {spelled(c.name): c.name for s in both for _, _, c in calls(s)}
    laws = {n: x for n, x in names.items() if base_name(base_of(x)) in claim.said.laws}
    for plain, bare in laws.items():
        others = [x for n, x in laws.items() if n != plain and spelled(base_of(x)) == plain]
        if len(others) != 1 or not isinstance(bare, Name):
            continue
        (law,) = others
        found = _decided(claim, [_called(side, plain, law) for side in both])
        if found is not None and found[0].status == "proved" and not found[0].trivial:
            told = variable(law)
            why = f"true where {bare.text} is {told.type if told else law}"
            return Finding(report.CONDITIONAL, why, kind="claim", proof=found[0])
    return None


def _called(side: Node, plain: object, law: Node) -> Node:
    """The side with the name of another law before the arguments of one."""

    def change(node: Node) -> Node:
        if not isinstance(node, Product):
            return node
        own = {k for k, call in applied(node) if spelled(call.name) == plain}
        parts = ((op, law if k in own else x) for k, (op, x) in enumerate(node.parts))
        return Product(node.at, tuple(parts))

    found: Node = rebuilt(side, change)
    return found


def _refuted(
    judge: Judge,
    claim: Claim,
    both: Sequence[Node],
    found: tuple[Verdict, Densities],
    number: int,
    put_in: Callable[[Node], Node],
) -> Finding | None:
    """What no law makes true, as far as the text tells, and a misprint of something true."""
    loose = _is_tied(judge, claim, both) or CONDITION.search(_near(judge, claim)) is not None
    if found[1].mixed or (loose and not _scaled_law(claim, both)):
        return None
    return _misprint(judge, claim, both, found[0], number, put_in)


def _misprint(
    judge: Judge,
    claim: Claim,
    both: Sequence[Node],
    verdict: Verdict,
    number: int,
    put_in: Callable[[Node], Node],
    known: Formulas | None = None,
) -> Finding | None:
    """The refutation of what one change makes true, with the formulas of laws that are known."""
    apart = _decided(claim, both, apart=True, formulas=known)
    independent = apart is None or apart[0].status != "refuted"  # true where all is independent
    for side, other in ((1, 0), (0, 1)):
        if isinstance(_bare(both[other]), Number):
            continue  # KL(q ‖ p) = 0 may be what is asked for
        for change in changed(both[side], both, claim.said):
            if change.law and independent:
                continue
            pair = [both[other], change.side] if side else [change.side, both[other]]
            if spelled(pair[0]) == spelled(pair[1]):
                continue  # p(x | z) = p(z | x) is a condition
            mended = _decided(claim, pair, formulas=known)
            if mended is not None and mended[0].status == "proved" and not mended[0].trivial:
                where = "right" if side else "left"
                why = f"differs for laws of a few outcomes; true with {change.words} on the {where}"
                shown = _decided(claim, both, shown=True, formulas=known)
                full = shown[0] if shown is not None else verdict
                right = _respelled(judge, claim, number, change.side, put_in) if side else ""
                return Finding(report.REFUTED, why, _values(full), right, kind="claim", proof=full)
    return None


def _scaled_law(claim: Claim, both: Sequence[Node]) -> bool:
    """A law that is said to be a multiple of itself, which no condition makes true of any."""
    call = whole(both[0])
    if call is None or base_name(base_of(call.name)) not in claim.said.laws:
        return False
    found = _decided(claim, both, shown=True)
    return found is not None and any(_MULTIPLE.fullmatch(hint) for hint in found[0].hints)


def _respelled(
    judge: Judge, claim: Claim, number: int, wanted: Node, put_in: Callable[[Node], Node]
) -> str:
    """The right side of a link as LaTeX after the single edit that makes this tree of it."""
    parts = sides(_ROWS.sub("", claim.latex))[0]
    if len(parts) != len(claim.sides) or not judge.corrects:
        return ""
    return respelled(_bare_row(parts[number + 1]), wanted, judge.outline.text, put_in)


def _bare_row(side: str) -> str:
    """A side without what lays it out in rows."""
    return re.sub(r"&|\\\\\s*(?:\[[^\]]*\])?\s*$|[.,;]\s*$", "", side.strip()).strip()


def _bare(side: Node) -> Node:
    """The only factor of a side."""
    while isinstance(side, Product | Addition) and len(side.parts) == 1:
        side = side.parts[0][1]
    return side


def _values(verdict: Verdict) -> dict[str, Any] | None:
    """The counterexample without the tables of its laws, which have no names in the text."""
    found = values(verdict)
    return {**found, "values": {}} if found is not None else None


def _near(judge: Judge, claim: Claim) -> str:
    """The words around a claim."""
    lines = judge.outline.text.split("\n")
    return "\n".join(lines[max(0, claim.line - 8) : claim.line + 5])


def _is_tied(judge: Judge, claim: Claim, both: Sequence[Node]) -> bool:
    """True where the text says more of a name than that it is a law or a function."""
    names = [n for side in both for n in walk(side) if isinstance(n, Name | Accent | Scripted)]
    known = {spelled(n) for n in names} & claim.said.heads.keys()
    if any(d.at != claim.at for n in known for d in claim.said.heads[n]):
        return True
    laws = {base_name(base_of(n)) for n in names} & claim.said.laws
    if laws & claim.said.tied:
        return True
    for other in _claims(judge).values():
        call = whole(other.sides[0])
        if other.at == claim.at or call is None or base_name(base_of(call.name)) not in laws:
            continue
        if other.at > claim.at and other.section != claim.section:
            continue
        told = _decided(other, other.sides[:2])
        if told is None or told[0].status != "proved":
            return True
    return False


def _decided(
    claim: Claim,
    both: Sequence[Node],
    apart: bool = False,
    formulas: Formulas | None = None,
    shown: bool = False,
) -> tuple[Verdict, Densities] | None:
    """What the prover says of two sides; None where something in them is not known here.

    A counterexample that is to be `shown` is the smallest.
    """
    if sum(1 for side in both for _ in walk(side)) > MAX_NODES:
        return None
    try:
        model = Densities(claim.said, both, apart, formulas)
        left, right = (model.read(side, {}) for side in both)
        empty = next((x for x in (right, left) if not x.rank and x.at() == 0), None)
        larger = right if empty is left else left
        if empty is None and (left.axes, left.turned) != (right.axes, right.turned):
            return None
        over = [indices(f"a{k}", sizes(f"n_{x}")[0])[0] for k, x in enumerate(larger.axes)]
        ends = [side.at(*over) if side.rank else side.at() for side in (left, right)]
        letters = [*over, *model.free.values(), *model.index.values()]
        free = [x for x in letters if any(e.has(x) for e in ends)]
        system = System(*model.definitions)
        ask = prove if shown else whether
        return ask(ends[0], ends[1], given=system, over=free), model
    except FAULTS:
        return None


def defines(claim: Claim) -> bool:
    """True for the equation that says first what its left side is."""
    head = _head(claim.sides[0])
    known = claim.said.heads.get(spelled(head), ()) if head is not None else ()
    known = known if claim.equal(0) else ()
    return bool(known) and min(d.at for d in known) == claim.at


def _head(side: Node) -> Node | None:
    call = whole(side)
    if call is not None:
        return call.name
    plain = side.parts[0][1] if isinstance(side, Product) and len(side.parts) == 1 else side
    return plain if isinstance(plain, Name | Accent | Scripted) else None


__all__ = ["defines", "of_outcomes"]
