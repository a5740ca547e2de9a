r"""What may be missing on the right: the term or the factor that separates the two sides.

It is lhs − rhs where that is one term, and t / u for a term of each side that the other one has
not; besides, names and sizes that only the left side rests on.  No refutation rests on these: any
other definition is as far away from the first.  They are tried where a statement is refuted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, product
from typing import Any

import sympy as sp

from .. import normalize as nf
from ..convert import lower
from ..errors import SymattnError
from ..explain.latex import name
from ..ir import Poly, Ref, Term, refs
from ..model import model
from ..objects import Partial
from ..prove import Verdict
from ..stages import differentiated, written_out
from ..syntax import System
from .declarations import plainly
from .derived import Order, printed
from .edits import factored, inserted, scripts, tokens
from .inside import names, symbols
from .links import sides
from .statements import Statement
from .versions import closure

MISSING = 6  # names that may be missing
_BEFORE_NUMBER = re.compile(r"(?<![\\a-zA-Z])[A-Za-z]\s+\d")  # G 2 u
FEW = 2  # terms of one side that the other one lacks, of which ratios are taken
_NAME = re.compile(  # of what a factor may stand in front of
    r"(?:\\(?:mathbf|boldsymbol|bm|bar|hat|tilde|vec|math\w+)\s*\{[^{}]*\}"
    r"|(?<![\\a-zA-Z_^])[A-Za-z](?![a-zA-Z])|(?<![_^])\\(?:[a-z]?[a-z]{1,6})(?![a-zA-Z]))"
)


def completed(s: Statement, system: System, document: System) -> Iterator[str]:
    """The right side with one term or one factor more, the likeliest first."""
    right = sides(s.latex)[0][-1]
    yield from (longer for _, longer in separated(s, system, document))
    ratios = _separating(s, system, document)[1]
    absent = list(dict.fromkeys((*ratios, *_sizes(s, system), *_absent(s, system))))
    for made in (factored(right, absent), inserted(tokens(right), absent, places(right))):
        yield from (x for x in made if not _BEFORE_NUMBER.search(x))


def separated(s: Statement, system: System, document: System) -> Iterator[tuple[str, str]]:
    """The term that separates the two sides, where it is one, and the right side with it."""
    right = sides(s.latex)[0][-1].rstrip()
    for term in _separating(s, system, document)[0]:
        yield term, f"{right} {term if term.startswith('-') else f'+ {term}'}"


def _absent(s: Statement, system: System) -> Iterator[str]:
    """Names that the right side has not and that say no more than the left one: W in Xᵀ W X.

    Those that it has may be missing in one term.
    """
    reached, free = closure(names(s.lhs), system), system.definitions.keys()
    known = (d.name for d in system if d.name not in names(s.lhs))
    shown = [name(n) for n in known if closure([n], system) - free <= reached]
    tensors = {name(b.name) for e in (s.lhs, *(d.expr for d in system))
               for b in e.atoms(sp.IndexedBase)}  # fmt: skip
    tensors |= {name(d.name) for d in system if d.shape}
    for x in dict.fromkeys((*lacking(s, system), *shown, *_shared(s, system))):
        yield x
        if x not in tensors and "^" not in x:
            yield f"{x}^2"


def places(side: str) -> list[int]:
    """In front of every name that is no script, as places of tokens."""
    ends = accumulate(map(len, tokens(side)), initial=0)
    starts = dict(zip(ends, range(len(side)), strict=False))
    return [starts[m.start()] for m in _NAME.finditer(side) if m.start() in starts]


def _sizes(s: Statement, system: System) -> list[str]:
    """The sizes of the axes over which something is summed, and one over them."""
    exprs = (s.lhs, s.rhs, *(d.expr for d in system))
    found = {x for e in exprs for i in e.atoms(sp.Idx) for x in (i.upper + 1).free_symbols}
    shown = [name(x.name.removeprefix("n_")) for x in sorted(found, key=str)]
    return [f for n in dict.fromkeys(shown) for f in (n, rf"\frac{{1}}{{{n}}}")]


def _separating(s: Statement, system: System, document: System) -> tuple[list[str], list[str]]:
    """The term lhs − rhs and factors t / u, as LaTeX, before and after definitions are put in."""
    terms: dict[str, None] = {}
    factors: dict[str, None] = {}
    here = names(s.lhs) & system.definitions.keys()  # the right side in terms of the left is none
    try:
        m = model(system)
        raw = [lower(side, s.letters, known=m.known) for side in (s.lhs, s.rhs)]
        named = [nf.normalize(differentiated(written_out(side, m), m)) for side in raw]
        for left, right in (named, [differentiated(m.inline(side), m) for side in named]):
            order: Order = tuple(sorted(left.free | right.free, key=lambda i: i.sort))
            rest = m.recognise(nf.subtract(left, right))[0]
            for poly, into in ((rest, terms), *((x, factors) for x in _ratios(left, right))):
                own = {t.name for r in refs(poly) for t in r.tensor.named}
                if len(poly.terms) == 1 and not own & here:
                    into[printed(poly, order, document)] = None
    except (SymattnError, RecursionError):
        pass
    return [x for x in terms if x], [x for x in factors if x]


def _ratios(left: Poly, right: Poly) -> Iterator[Poly]:
    """t / u for terms of the two sides that differ, where it is a product of names."""
    here, there = (_alone(x, y) for x, y in ((left, right), (right, left)))
    if max(len(here), len(there)) > FEW:
        return
    for t in here:
        for u in there:
            powers = {a: t.powers.get(a, 0) - u.powers.get(a, 0) for a in {**t.powers, **u.powers}}
            ratio = Term(powers)
            if all(isinstance(a, Ref) for a in ratio.powers):
                yield Poly({ratio: 1})


def _alone(one: Poly, other: Poly) -> list[Term]:
    return [t for t in one.terms if t not in other.terms]


def script_letters(left: str) -> list[str]:
    parts = tokens(left)
    return [
        parts[k]
        for a, b in scripts(parts)
        for k in range(a, b)
        if re.fullmatch("[a-z]'*", parts[k])
    ]


_COMPONENT = re.compile(
    r"(?P<head>(?:\\(?:mathbf|bm|boldsymbol|bar|hat|tilde)\s*\{?\s*)?(?:\\[a-zA-Z]+|[A-Za-z])\}?)"
    r"\s*(?P<mark>[_^])\s*(?P<script>\{[a-z']+\}|[a-z])"
)


_TAKEN = (r"\sum", r"\prod", r"\partial", r"\sqrt")


def lacking(s: Statement, system: System) -> list[str]:
    """What the left side rests on and the right side has not: by itself, and with the letters."""
    left, known = names(s.lhs), system.definitions
    absent = closure(left, system) - names(s.rhs)
    order = sorted(absent, key=lambda n: (n not in left, n in known, n))
    return _written(order[:MISSING], s, system)


def _shared(s: Statement, system: System) -> list[str]:
    """What both sides rest on, and one term of the right side may lack."""
    return _written(sorted(closure(names(s.lhs), system) & names(s.rhs))[:MISSING], s, system)


def _written(labels: Sequence[str], s: Statement, system: System) -> list[str]:
    """Names as LaTeX, with the letters of the statement, or without where it has none for them."""
    written = {x for side in sides(s.latex)[0] for x in script_letters(side)}
    letters: dict[Any, list[str]] = {}
    for i in dict.fromkeys((*s.letters, *sorted(s.rhs.atoms(sp.Idx), key=str))):
        letters.setdefault(i.upper, []).extend({str(i)} & written)
    reached = closure(names(s.lhs), system)
    exprs = (
        s.lhs,
        *(system.definitions[n].expr for n in sorted(reached & set(system.definitions))),
    )
    shapes = {b.name: b.shape for e in exprs for b in e.atoms(sp.IndexedBase)}
    found = []
    for label in labels:
        axes = [letters.get(n - 1, []) for n in shapes.get(label, ())]
        shown = _shown(label)
        lettered = [f"{shown}_{{{''.join(own)}}}" for own in product(*axes) if own][:MISSING]
        bare = re.search(rf"{re.escape(shown)}(?![A-Za-z]|\s*_)", s.latex)
        found += [*lettered, *([] if lettered and not bare else [shown])]
    return found


def _shown(label: str) -> str:
    inner = re.fullmatch(r"inverse\((\w+)\)", label)
    return f"{name(inner[1])}^{{-1}}" if inner else name(label)


def components(s: Statement, parts: Sequence[str], lacking: Sequence[str]) -> list[str]:
    """What a factor that is missing may look like: the components of the statement, relettered."""
    free = list(dict.fromkeys(script_letters(parts[0]) or script_letters(parts[1])))
    found: dict[str, None] = {}
    own_left = [m[0] for m in _COMPONENT.finditer(parts[0]) if not m["head"].startswith(_TAKEN)]
    for match in _COMPONENT.finditer(f"{parts[1]} {parts[0]}"):
        head, mark = match["head"], match["mark"]
        own = re.findall("[a-z]'*", match["script"])
        if head.startswith(_TAKEN):
            continue
        for k in range(len(own)):  # letters that are not free first
            for letter in free:
                script = [*own[:k], letter, *own[k + 1 :]]
                found[f"{head}{mark}{{{''.join(script)}}}"] = None
    return list(dict.fromkeys((*own_left, *lacking, *found)))


def likely(verdict: Verdict, s: Statement, system: System) -> list[str]:
    """What the hint says is missing first, then numbers, sizes and scalars of the definitions."""
    found: list[str] = []
    for hint in verdict.hints:
        match = re.fullmatch(r"left = (.*?)(?: · )?right", hint)
        if match:
            found += _hinted(match[1])
    reached = closure(names(s.lhs) | names(s.rhs), system)
    exprs = [
        s.lhs,
        s.rhs,
        *(system.definitions[n].expr for n in reached if n in system.definitions),
    ]
    scalars = {x for e in exprs for x in symbols(e) if isinstance(x, sp.Symbol)}
    indexed = {str(i) for e in exprs for i in e.atoms(sp.Idx)}
    shapes = {t.name for e in exprs for t in e.atoms(sp.IndexedBase)}
    losses = {n for e in exprs for p in e.atoms(Partial) for n in names(p.args[0])}
    absent = closure(names(s.lhs), system) - names(s.rhs)
    every = {x.name for x in scalars if x.name} - indexed - shapes - losses
    own = sorted(every, key=lambda n: (n not in absent, n))[:4]
    shown = [name(plainly(x, s.whole)) for x in own]
    found += ["2", r"\frac{1}{2}"]
    found += [f for x in shown for f in (rf"\frac{{1}}{{{x}}}", x)]
    found += [f for x in shown for f in (rf"\frac{{1}}{{\sqrt{{{x}}}}}", rf"\sqrt{{{x}}}")]
    return list(dict.fromkeys(found))


def _hinted(text: str) -> list[str]:
    """The factor of a hint such as -1/2 · sqrt(d_k) as LaTeX."""
    sign, shown = "", []
    for part in [p.strip() for p in text.split("·") if p.strip()]:
        if part.startswith("-"):
            sign, part = "-", part[1:]
        root = re.fullmatch(r"(1/)?sqrt\((\w+)\)", part)
        over = re.fullmatch(r"1/([A-Za-z]\w*)", part)
        ratio = re.fullmatch(r"(\d+)/(\d+)", part)
        if not part or part == "1":
            continue
        if root:
            inner = rf"\sqrt{{{name(root[2])}}}"
            shown.append(rf"\frac{{1}}{{{inner}}}" if root[1] else inner)
        elif over:
            shown.append(rf"\frac{{1}}{{{name(over[1])}}}")
        elif ratio:
            shown.append(rf"\frac{{{ratio[1]}}}{{{ratio[2]}}}")
        elif part.isdigit():
            shown.append(part)
        elif part.isidentifier():
            shown.append(name(part))
    return [sign + " ".join(shown)] if shown or sign else []


__all__ = [
    "completed",
    "components",
    "lacking",
    "likely",
    "places",
    "script_letters",
    "separated",
]
