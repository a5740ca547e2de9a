r"""Where names lie, as a text says: $0 < p < 1$, $\gamma \in [0, 1)$, $|x| < 1$, probabilities.

Of $a < b$ the difference lies below zero.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations

from . import remainders
from .intervals import domains, interval, number
from .left import values_in
from .names import Context, Names
from .positive import CONDITION, called, negated
from .ranges import Range, Ranges, difference, remainder
from .said import named, trees_of
from .source import Display, Source
from .tree import (
    EQUAL,
    Accent,
    Chain,
    Group,
    Name,
    Node,
    Scripted,
    Symbol,
)
from .vocabulary import IF
from .words import DROPS, LIST, ONE, sentences, token, unsaid

_SIGNS = {  # of ℝ_{<0}
    "below": (-math.inf, 0.0),
    "positive": (0.0, math.inf),
    "not negative": (0.0, math.inf),
}
_ORDERS = {"<": 1, "≤": 1, ">": -1, "≥": -1}
_CASE = re.compile(
    rf"\b(?:{IF}|unless|until|while|once|cases?|for|suppose|"
    r"assum\w+|small|large|"
    r"near|regime|limit)\b[^,;:]*$",
    re.IGNORECASE,
)
_GIVES = re.compile(  # what such a sentence says is said of what follows
    r"\W*(?:(?:now|next|then|finally|again)\W+)?(?:let|suppose|assume|take|consider|define|set|put|"
    r"fix|given|from now on|now|next)\b",
    re.IGNORECASE,
)
_IF = re.compile(rf"(?:{IF}|once|unless)\b", re.IGNORECASE)
_CLOSED = re.compile(r"(?:\$|\\\))[^$\\.:]*[a-z]+ [a-z]+[^$\\.:]*\.(?=\s|\Z)")  # a whole sentence
_OR = re.compile(rf"{ONE},? or(?: (?:if|when|for))?\s*$")
_OR_BEHIND = re.compile(rf"\s*,? or(?: (?:if|when|for))? {ONE}")
_REAL = re.compile(rf"{LIST} be (?:any|an? arbitrary|an?) real(?: number|scalar)?s?\b(?! [a-z]+ )")
_PROBABLE = re.compile(
    rf"{LIST}[^.,;]{{0,20}}?\b(?:is|are|be) (?:the |a |an? )?(?:\w+ )?probabilit(?:y|ies)\b"
    rf"|\bprobabilit(?:y|ies)(?: \w+)? {LIST.replace('names', 'behind')}"
)


def gather(
    source: Source, names: Names, contexts: Iterable[Context], displayed: Iterable[tuple[Node, str]]
) -> Ranges:
    """The names of which sentences or displays say between which numbers they lie."""
    letters = {x for here in contexts for x in here.bound | here.lower}
    found: dict[str, list[Range]] = {}

    def enter(node: Node, r: Range) -> None:
        known = named(node, names, letters)
        if known is not None and not r.is_empty:
            found.setdefault(known.name, []).append(r)

    def compare(small: Node, large: Node, r: Range) -> None:
        both = [named(node, names, letters) for node in (small, large)]
        plain = [x.name for x in both if x is not None and not x.slots]
        if len(plain) == 2 and plain[0] != plain[1]:
            key, sign = difference(*plain)
            low, high = (-math.inf, 0.0) if sign > 0 else (0.0, math.inf)
            found.setdefault(key, []).append(replace(r, low=low, high=high))

    shown = list(displayed)
    for tree, latex in shown:
        here = Range(said=latex.strip(), case=source.place(tree.at))
        for node, low, high in _bounds([tree]):
            enter(node, replace(here, low=low, high=high))
        for small, large in _orders(tree):
            compare(small, large, here)
    for one in domains(source, [tree for tree, _ in shown]):
        enter(one.node, Range(*one.ends, one.said, source.place(one.at), one.clause))
    for words, spans in sentences(source):
        trees = [trees_of(source, span) for span in spans]
        for k, span in enumerate(spans):
            before, _, after = words.partition(token(k))
            plain = CONDITION.sub("", before)
            either = _OR.search(before) or _OR_BEHIND.match(after)  # x < 1 or x > 2
            if not either and not negated(plain, after) and not unsaid(plain, after):
                said = source.text[span.start : span.end].strip()
                scope = _scope(before, [*trees[:k], *trees[k + 1 :]], source, span)
                for tree in trees[k]:
                    for small, large in _orders(tree):
                        compare(small, large, replace(scope, said=said))
                for node, low, high in _bounds(trees[k]):
                    r = replace(scope, low=low, high=high, said=said)
                    if r.is_all and r.case[0] and not r.clause:  # suppose x ∈ ℝ, of no case
                        r = replace(r, case=(0, 0), begin=r.case)
                    if not r.is_all or r.begin[0] or r.clause:
                        enter(node, r)
        for k, above in called(words, len(spans)):
            before, _, _ = words.partition(token(k))
            scope = _scope(before, [*trees[:k], *trees[k + 1 :]], source, spans[k])
            below = replace(scope, high=0.0, said="below zero")
            sign = replace(scope, low=0.0, said="above zero") if above else below
            for tree in trees[k]:
                enter(tree, sign)
        formulas = [source.text[span.start : span.end] for span in spans]
        for k, modulus, rest, called_so in remainders.said(words, formulas):
            before, _, after = words.partition(token(k))
            plain = CONDITION.sub("", before)
            scope = _scope(before, [*trees[:k], *trees[k + 1 :]], source, spans[k])
            vague = called_so and modulus > 1 and scope == Range()  # the sum over odd n
            if vague or negated(plain, after) or unsaid(plain, after):
                continue
            kinds = {1: "a whole number", 2: ("even", "odd")[rest]}
            kind = kinds.get(modulus, f"a multiple of {modulus}")
            name = formulas[k].strip()
            is_so = f"{name} is {kind}" if name.isalpha() else name
            key, r = remainder(
                remainders.called(formulas[k]), modulus, rest, replace(scope, said=is_so)
            )
            found.setdefault(key, []).append(r)
        for match in _PROBABLE.finditer(words):
            listed = match["names"] or match["behind"]
            for k in (k for k in range(len(spans)) if token(k) in listed):
                for tree in trees[k]:
                    enter(tree, Range(0, 1, "a probability"))
        for match in _REAL.finditer(words):
            for k in (k for k in range(len(spans)) if token(k) in match["names"]):
                for tree in trees[k]:
                    enter(tree, Range(begin=source.place(spans[k].start)))
    for ended in DROPS.finditer(source.text):
        at = source.place(ended.start())
        for several in found.values():
            begun = any((0, 0) < max(r.begin, r.case) < at for r in several)
            several += [Range(begin=at)] if begun else []
    return {name: (*several,) for name, several in found.items()}


def _scope(before: str, others: Iterable[list[Node]], source: Source, span: Display) -> Range:
    """What a bound behind these words is said of, as a range without ends.

    Of a case, of its sentence alone beside an equation among its `others`, or of what follows.  If
    $a > b$ then swap them says all that it has to say.
    """
    place = source.place(span.start)
    if case := _CASE.search(before):
        chains = (t for several in others for t in several if isinstance(t, Chain))
        equated = any(sign in EQUAL for t in chains for sign, _ in t.relations)
        said = _CLOSED.match(source.text, span.end) if _IF.match(case[0]) else None
        return Range(case=place, clause=(equated or bool(said)) and not _GIVES.match(before))
    return Range(begin=place) if _GIVES.match(before) else Range()


def _bounds(trees: list[Node]) -> Iterator[tuple[Node, float, float]]:
    """Names and the numbers between which they lie; of a, b > 0 both."""
    bounds = [t for t in trees if isinstance(t, Chain) and _ranged(t)]
    listed = [t for t in trees[: -len(bounds)] if isinstance(t, Name | Accent | Scripted)]
    for bound in bounds:
        for node, low, high in _of_chain(bound):
            yield node, low, high
            yield from ((other, low, high) for other in listed)
    if len(bounds) > 1 and len({len(b.sides) for b in bounds}) == 1:  # 0 < x, y < 1
        every = [x for b in bounds for x in _of_chain(b)]
        for node, _, _ in every:
            yield from ((node, low, high) for _, low, high in every)


def _orders(tree: Node) -> Iterator[tuple[Node, Node]]:
    """The smaller and the larger one of any two names in a < b ≤ c."""
    if not isinstance(tree, Chain) or not all(sign in _ORDERS for sign, _ in tree.relations):
        return
    ways = {_ORDERS[sign] for sign, _ in tree.relations}
    plain = [x for x in tree.sides if isinstance(x, Name | Accent | Scripted)]
    if len(ways) == 1:
        yield from combinations(plain[:: ways.pop()], 2)


def _ranged(chain: Chain) -> bool:
    signs = [sign for sign, _ in chain.relations]
    ordered = any(sign in _ORDERS for sign in signs)  # ρ = λ/μ < 1 too
    return signs == ["∈"] or (ordered and all(s in _ORDERS or s in EQUAL for s in signs))


def _of_chain(chain: Chain) -> Iterator[tuple[Node, float, float]]:
    if chain.relations[0][0] == "∈":
        node, right = chain.sides
        base = right.base if isinstance(right, Scripted) else right  # [0, 1]^n
        ends = interval(base)
        if isinstance(base, Symbol) and (base.kind, base.text) == ("set", "R"):
            ends = (-math.inf, math.inf) if base is right else _SIGNS.get(values_in(right))
        if ends is not None:
            yield node, *ends
        return
    ways = {_ORDERS[sign] for sign, _ in chain.relations if sign in _ORDERS}
    if len(ways) != 1:
        return
    groups = [[chain.sides[0]]]  # what is equal
    for (sign, _), side in zip(chain.relations, chain.sides[1:], strict=True):
        groups += [] if sign in EQUAL else [[]]
        groups[-1].append(side)
    groups = groups[:: ways.pop()]
    values = [next((v for x in g if (v := number(x)) is not None), None) for g in groups]
    for k, group in enumerate(groups):
        low = max((v for v in values[:k] if v is not None), default=-math.inf)
        high = min((v for v in values[k + 1 :] if v is not None), default=math.inf)
        for side in group if values[k] is None else ():
            if isinstance(side, Group) and side.bracket == "|" and len(side.items) == 1:
                if high < math.inf and low <= 0:
                    yield side.items[0], -high, high
            elif (low, high) != (-math.inf, math.inf):
                yield side, low, high


__all__ = ["gather"]
