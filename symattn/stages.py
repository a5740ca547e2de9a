"""The stages of a proof: lhs − rhs in ever simpler forms, until one is 0."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress

from . import normalize as nf
from .budget import budget
from .derive import evaluate_partials, total_derivative, variables
from .determinants import determinants
from .errors import LimitError, SymattnError, UndefinedError
from .facts import Fact, Rules, facts_of, inverted, linked, operands
from .inverses import Written, cleared, inverses
from .ir import Poly, Tensor, refs
from .model import Body, Model
from .readings import READINGS, clear_denominators
from .signs import Sign, in_both, signs_declared, signs_said, with_signs
from .symmetries import restated, symmetric_definitions

MATRICES = 4  # inverses that are cleared, one after the other
TURNS = 50  # a definition that facts bring back, p = 3 q beside q = p/2, is written out so often
NESTED = 4  # derivatives of what is made of derivatives
READING_WORK = 60_000  # units of work on one other reading
SIGNS = "signs that logarithms and roots say"


def decide(sides: tuple[Poly, Poly], m: Model) -> bool:
    """True when the normal forms of two raw expressions can be made to agree."""
    m, facts = linked(m, {t for side in sides for r in refs(side) for t in variables(r.tensor)})
    sides = restated(sides[0], m.symmetric), restated(sides[1], m.symmetric)
    try:
        return any(not poly.terms for _, poly in stages(sides, m, rules_of(sides, m, facts)))
    except (LimitError, UndefinedError):
        return False


def rules_of(sides: tuple[Poly, Poly], m: Model, facts: Iterable[Fact]) -> Rules:
    """The facts, and what folds back beside the inverses that stand in both sides."""
    bodies, within = inverted(m, sides), operands(m, sides, "inverse")
    others = {t.name for t in operands(m, sides, "det", "logdet")} & m.bodies.keys()
    measured = [m.bodies[n] for n in sorted(others)]
    derived = [body for body in measured if body not in bodies]  # ∂ log det M = tr(M⁻¹ ∂M)
    rules = Rules(facts, bodies, symmetric_definitions(m, bodies))
    opened, labels = _opened(dict.fromkeys((*bodies, *measured)), m, rules)
    solved = inverses([opened[b] for b in (*bodies, *derived) if b in opened], rules.orthogonal)
    known = [opened[b] for b in measured if b in opened]
    return rules.knowing(solved, determinants(known, within, solved, rules.orthogonal), labels)


def _opened(
    bodies: Iterable[Body], m: Model, rules: Rules
) -> tuple[dict[Body, Written], dict[Tensor, list[str]]]:
    """Definitions with all others written out and facts applied, and what each rests on."""
    found, labels = dict[Body, Written](), dict[Tensor, list[str]]()
    plain = rules.folding(())
    for body in bodies:
        used, inside = [body.fact or f"definition of {body.tensor.name}"], m.uses(body.tensor.name)
        with suppress(SymattnError):
            found[body] = body, plain.apply(m.inline(body.normal), used)
        used += [x for t, x in rules.orthogonal.items() if t.name in inside and x not in used]
        labels[body.tensor] = used
    return found, labels


def stages(sides: tuple[Poly, Poly], m: Model, rules: Rules) -> Iterator[tuple[list[str], Poly]]:
    """lhs − rhs in ever simpler forms, each equal to zero just when the sides are equal."""
    used: list[str] = []
    if any(r.tensor.parts for side in sides for r in refs(side)):
        used.append("derivatives evaluated")
    normal = [nf.normalize(differentiated(side, m)) for side in sides]
    yield from simplified(nf.subtract(*normal), m, rules, used)
    left, right = (signs_said([differentiated(m.inline(side), m)]) for side in normal)
    known = signs_declared([differentiated(m.inline(side), m) for side in normal])
    both = in_both(left, right)
    yield from _signed(normal, [*known, *both], m, rules, [*used, SIGNS] if both else used)


def under_signs(sides: tuple[Poly, Poly], m: Model, rules: Rules) -> list[Sign]:
    """Signs that one side says and the other does not, with which the sides agree."""
    normal = [nf.normalize(differentiated(side, m)) for side in sides]
    written = [differentiated(m.inline(side), m) for side in normal]
    known, signs = signs_declared(written), signs_said(written)
    return signs if signs and any(_signed(normal, [*known, *signs], m, rules, [])) else []


def _signed(
    sides: Iterable[Poly], signs: list[Sign], m: Model, rules: Rules, used: list[str]
) -> Iterator[tuple[list[str], Poly]]:
    """0 where lhs − rhs comes out as 0 with these signs, and nothing elsewhere."""
    if signs:
        written = differentiated(m.inline(nf.subtract(*sides)), m)
        for steps, left in simplified(with_signs(written, signs), m, rules, used):
            if not left.terms:
                yield steps, left


def simplified(
    difference: Poly, m: Model, rules: Rules, used: list[str]
) -> Iterator[tuple[list[str], Poly]]:
    """An expression in ever simpler forms: facts, denominators, definitions, other readings."""
    yield used, difference
    difference = rules.apply(difference, used)
    yield used, difference
    difference = clear_denominators(difference)
    yield used, difference
    for kept in kept_definitions(difference, m):
        turns = Counter[str]()
        while (name := outermost(difference, m, kept)) is not None:
            turns[name] += 1
            if turns[name] > TURNS:
                kept = kept | {name}
                continue
            inlined = differentiated(m.inline(difference, m.bodies.keys() - {name}), m)
            if inlined is difference:
                kept = kept | {name}
                continue
            tried = [*used, m.bodies[name].fact or f"definition of {name}"]
            folded = rules.apply(inlined, tried)
            if folded is difference:  # what was written out is folded back beside its inverse
                kept = kept | {name}
                continue
            used[:], difference = tried, folded
            yield used, difference
            difference = clear_denominators(difference)
            yield used, difference
    yield from _by_sums(difference, m, rules, used)
    yield from _without_inverses(difference, m, rules, used)
    for reading in READINGS:
        also: list[str] = []
        try:
            with budget(READING_WORK):
                other = reading(difference)
                if other is not difference:
                    other = clear_denominators(rules.apply(other, also))
        except (LimitError, UndefinedError):  # the others have their turn
            continue
        if other is not difference:
            used = [*used, str(reading.__doc__).split(".")[0], *also]
            difference = other
            yield used, difference


def _by_sums(
    difference: Poly, m: Model, rules: Rules, used: list[str]
) -> Iterator[tuple[list[str], Poly]]:
    """The expression with M − r in place of A, for M = A + r beside M⁻¹."""
    regular = {t for r in refs(difference) if r.tensor.role == "inverse" for t in r.tensor.of}
    folding, used = rules.by_sums(regular), list(used)
    if folding.rules is rules.rules or not regular:
        return
    try:
        with budget(READING_WORK):
            other = clear_denominators(folding.apply(difference, used))
    except LimitError:  # the others have their turn
        return
    yield used, other


def _without_inverses(
    difference: Poly, m: Model, rules: Rules, used: list[str]
) -> Iterator[tuple[list[str], Poly]]:
    """The expression times the defined matrices whose inverses have free letters of it."""
    used = list(used)
    try:
        for _ in range(MATRICES):
            with budget(READING_WORK):
                found = cleared(difference, m.bodies)
                if found is None:
                    return
                kept = inverted_names([found.value], m)
                used.append(
                    m.bodies[found.matrix.name].fact or f"definition of {found.matrix.name}"
                )
                difference = m.inline(found.value, kept)
                difference = clear_denominators(rules.folding(kept).apply(difference, used))
            yield used, difference
    except LimitError:  # the readings have their turn
        return


def agree(before: Poly, after: Poly, m: Model) -> bool:
    """True when the normal forms of two normal expressions can be made to agree, facts used."""
    rules = rules_of((before, after), m, tuple(facts_of(m)))
    return any(not poly.terms for _, poly in simplified(nf.subtract(before, after), m, rules, []))


def _names(poly: Poly) -> set[str]:
    return {t.name for r in refs(poly) for t in r.tensor.named}


def outermost(poly: Poly, m: Model, kept: frozenset[str]) -> str | None:
    """A definition to write out that no other one in the expression uses, so that little is."""
    found = _names(poly) - kept
    names = [n for n in m.bodies if n in found]
    return next((n for n in reversed(names) if not any(n in m.uses(o) for o in names)), None)


def kept_definitions(poly: Poly, m: Model) -> list[frozenset[str]]:
    """Which definitions stay while others are written out: first those whose inverse occurs."""
    reached = _names(poly).union(*(m.uses(name) for name in sorted(_names(poly))))
    nodes = [poly, *(m.bodies[n].normal for n in m.bodies if n in reached)]
    kept = inverted_names(nodes, m)
    return [kept, frozenset()] if kept else [frozenset()]


def inverted_names(nodes: Iterable[Poly], m: Model) -> frozenset[str]:
    """The definitions whose inverses occur."""
    found = {r.tensor for p in nodes for r in refs(p) if r.tensor.role == "inverse"}
    return frozenset(t.name for inverse in found for t in inverse.of) & m.bodies.keys()


def written_out(side: Poly, m: Model) -> Poly:
    """The side with the definitions written out that derivatives stand in."""
    derived = {n for n, b in m.bodies.items() if any(r.tensor.parts for r in refs(b.raw))}
    derived |= {n for n in m.bodies if not derived.isdisjoint(m.uses(n))}
    if derived.isdisjoint(_names(side)):
        return side
    return m.inline(nf.normalize(side), m.bodies.keys() - derived)


def differentiated(side: Poly, m: Model) -> Poly:
    """The side with its partial derivatives evaluated; as it stands where it has none.

    A definition that is derived may be made of derivatives itself, which come out then.
    """
    for _ in range(NESTED):
        partials = {r.tensor for r in refs(side) if r.tensor.parts}
        if not partials:
            break
        side = evaluate_partials(nf.normalize(side), lambda of, wrt: total_derivative(m, of, wrt))
        if partials >= {r.tensor for r in refs(side) if r.tensor.parts}:
            break
    return side


__all__ = [
    "MATRICES",
    "agree",
    "decide",
    "differentiated",
    "inverted_names",
    "kept_definitions",
    "outermost",
    "rules_of",
    "simplified",
    "stages",
    "under_signs",
    "written_out",
]
