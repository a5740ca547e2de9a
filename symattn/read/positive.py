r"""What sentences say is positive: with $\beta > 0$, for $a, b > 0$, $0 < p < 1$, $R \succ 0$."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from .denied import denied
from .left import values_in
from .names import Context, Names
from .said import named, trees_of
from .source import Display, Source
from .tree import Addition, Chain, Node, Number
from .vocabulary import IF
from .words import LIST, sentences, token, unsaid


def gather(
    source: Source, names: Names, contexts: Iterable[Context]
) -> tuple[set[str], set[str], dict[str, bool], set[str], set[str]]:
    r"""The names that sentences say are positive and nowhere below zero, those that they say are
    not negative, the matrices, the names that they say are below zero somewhere, and those that
    they call positive in words.

    What words such as not and without stand beside, x > 0 need not hold, is not said: such a name
    may be below zero.  A matrix of $R \succ 0$
    or $Q \succeq 0$ is symmetric; True stands for the first.
    """
    letters = {x for here in contexts for x in here.bound | here.lower}
    above: set[str] = set()
    below: set[str] = set()
    weakly: set[str] = set()
    called: set[str] = set()
    matrices: dict[str, bool] = {}
    for words, spans in sentences(source):
        for k, span in enumerate(spans):
            trees = trees_of(source, span)
            before, _, after = words.partition(token(k)) if trees else ("", "", "")
            open_ = negated(before, after)
            for tree in trees if not _IF.search(before) and not open_ else ():
                match tree:
                    case Chain(sides=(node, right), relations=(("∈", _),)):
                        found = named(node, names, letters) if values_in(right) == "below" else None
                        below |= {found.name} if found is not None else set()
                    case Chain(
                        sides=(node, Number(text="0")), relations=(("≻" | "⪰" as order, _),)
                    ):
                        if (found := named(node, names, letters)) is not None:
                            matrices[found.name] = matrices.get(found.name, False) or order == "≻"
            bounds = [t for t in trees if isinstance(t, Chain) and _ordered(t)]
            if not bounds or bounds != trees[-len(bounds) :]:
                continue
            listed = trees[: -len(bounds)]  # the a of a, b > 0
            pairs = [(node, bounds[0]) for node in listed]
            pairs += [(side, bound) for bound in bounds for side in bound.sides]
            for node, bound in pairs:
                shown = bound if node in bound.sides else _first(bound, node)
                found = named(node, names, letters)
                if found is None:
                    continue
                sign, plain = _sign(shown, node), not _IF.search(before) and not open_
                if sign is None:
                    if _from_0(shown, node) and (plain or open_):
                        (below if open_ else weakly).add(found.name)
                    continue
                said = sign and plain and not unsaid(before, "")
                (above if said else below).update(
                    () if sign and not said and not open_ else [found.name]
                )
        below |= _worded(source, words, spans, names, letters, False)
        called |= _worded(source, words, spans, names, letters, True)
    return above - below, weakly - below, matrices, below, called


CONDITION = re.compile(  # a bound behind these is one of a case
    rf"\b{IF}\b(?! (?:not|and only)\b)",
    re.IGNORECASE,
)
KEPT = 1024  # sentences of which the answer is kept
OPEN = "what the text says of its sign"  # why a name that may be below zero is tied
NEGATED = re.compile(  # what stands in such words may not hold
    r"\b(?:no|not|none|nothing|never|neither|nor|cannot|without|unless|hardly|contrary|unlike|"
    r"unnecessary|superfluous|optional|irrelevant|wrong|false|violat\w+|fail\w*|relax\w*|drop\w*|"
    r"lift\w*|remov\w*|weaken\w*|instead)\b|n't\b",
    re.IGNORECASE,
)
_SIGN = (
    r"(?P<sign>(?<![\w-])[Pp]ositive\b(?! (?:semi-?)?definite)|\b[Nn]on-?negative\b(?! definite)|"
    r"\b[Nn]on-?positive\b|"
    r"(?<![Nn]on)(?<![Nn]on-)\b[Nn]egative\b(?! (?:semi-?)?definite)|"
    r"\b(?:below|less than|smaller than|at most) zero\b)"
)
_OPEN = token(0)[0]  # before a formula
_WORDED = tuple(  # the debt x is negative, a nonpositive number x
    map(
        re.compile,
        (
            rf"{LIST}[^{_OPEN},;]{{0,40}}?\b(?:is|are|be|being|remains?|stays?|has|have|with)\b"
            rf"[^{_OPEN},;]{{0,40}}?{_SIGN}",
            rf"\b(?:for|with|when|if|and|where) {LIST} {_SIGN}(?=[.,;:]|$| and\b)",
            rf"{_SIGN}(?: (?:real|numbers?|scalars?|values?|vectors?|weights?))* {LIST}",
        ),
    )
)
_IF = re.compile(
    rf"\b(?:{IF}|unless|until|while|once|cases?|"
    r"for (?:a|the|this) moment)\b[^,;:]*$",
    re.I,
)


def negated(before: str, behind: str) -> bool:
    """Whether words before or behind it say that a sign or a range may not hold."""
    near = re.split("[,;]", behind)[0]
    return bool(NEGATED.search(before) or NEGATED.search(near)) or denied(before, behind)


def _worded(
    source: Source,
    words: str,
    spans: list[Display],
    names: Names,
    letters: set[str],
    positive: bool,
) -> set[str]:
    """The names that the words of a sentence call positive, or else negative or not positive."""
    listed = _called(words, positive)
    places = {k for some in listed for k in range(len(spans)) if token(k) in some}
    trees = (tree for k in sorted(places) for tree in trees_of(source, spans[k]))
    return {found.name for tree in trees if (found := named(tree, names, letters)) is not None}


@lru_cache(maxsize=KEPT)
def _called(words: str, positive: bool) -> tuple[str, ...]:
    """The lists of names that a sentence calls so; it is asked of at every reading of a text."""
    return tuple(
        found["names"]
        for pattern in _WORDED
        for found in pattern.finditer(words)
        if positive == (re.sub("-", "", found["sign"].lower()) in ("positive", "nonnegative"))
        or negated(words[: found.end()], words[found.end() :])
    )


def called(words: str, many: int) -> list[tuple[int, bool]]:
    """The places of the names of which a sentence says a sign, and whether they are above zero.

    What it says under a condition, if x is negative, is said as well.
    """
    plain = CONDITION.sub(lambda m: "," * len(m[0]), words)
    found = [
        (match["names"], re.sub("-", "", match["sign"].lower()) in ("positive", "nonnegative"))
        for pattern in _WORDED
        for match in pattern.finditer(plain)
        if not negated(plain[: match.end()], plain[match.end() :])
        and not unsaid(plain[: match.start()], "")
    ]
    return [(k, above) for listed, above in found for k in range(many) if token(k) in listed]


def _ordered(tree: Chain) -> bool:
    return all(r in ("<", ">", "≤", "≥") for r, _ in tree.relations)


def _first(bound: Chain, node: Node) -> Chain:
    """a > 0 of a, b > 0."""
    return Chain(bound.at, (node, *bound.sides[1:]), bound.relations)


def _sign(bound: Chain, node: Node) -> bool | None:
    """True where the bound says that it is positive, False where it may be negative."""
    k = bound.sides.index(node)
    for j, step in ((k - 1, -1), (k + 1, 1)):
        value = _number(bound.sides[j]) if 0 <= j < len(bound.sides) else None
        if value is None:
            continue
        relation = bound.relations[min(j, k)][0]
        lower = relation in ("<", "≤") if step < 0 else relation in (">", "≥")
        strict = relation in "<>"
        if lower and (value > 0 or (strict and value == 0)):
            return True
        if not lower and value <= 0:
            return False
    return None


def _number(side: Node) -> float | None:
    """3 and −3; None for anything else."""
    match side:
        case Number(text=text):
            return float(text)
        case Addition(parts=((sign, Number(text=text)),)):
            return sign * float(text)
    return None


def _from_0(bound: Chain, node: Node) -> bool:
    """The bound says that it is not negative."""
    k = bound.sides.index(node)
    ahead = [(bound.sides[k - 1], bound.relations[k - 1][0], "≤")] if k else []
    behind = [
        (x, r, "≥") for x, (r, _) in zip(bound.sides[k + 1 :], bound.relations[k:], strict=True)
    ]
    return any(x == Number(x.at, "0") and r == way for x, r, way in (*ahead, *behind[:1]))


__all__ = ["CONDITION", "OPEN", "called", "gather", "negated"]
