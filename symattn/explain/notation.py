r"""How the author writes: indices up or down, Σ written or understood, \bar x or ∂L/∂x.

`as_written` takes it from the formulas of a document; a system made in Python has indices up and
sums by the summation rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from .. import normalize as nf
from ..errors import SymattnError
from ..ir import (
    CACHE,
    Index,
    Mask,
    Max,
    Poly,
    Ref,
    Slot,
    Sum,
    Tensor,
    Unknown,
    inside,
    parts,
    refs,
    slot_items,
)
from ..model import Model, model
from . import author, limits
from .author import SCRIPT, Pairs
from .naming import affine, name, naming, slot, slots

if TYPE_CHECKING:
    from ..syntax import System

UP, DOWN = "^", "_"
_RELATIONS = frozenset(f"\\{name}" for name in ("in", "le", "leq", "ge", "geq", "ne", "neq"))
_LETTER = re.compile(r"\\[A-Za-z]+|[A-Za-z]")


@dataclass(frozen=True)
class Notation:
    """places: "^" or "_" for every slot of a tensor, by its name; `usual` for all others.

    explicit   every sum has its Σ;  bars  adjoints are \\bar x, otherwise ∂L/∂x
    numbered   indices count from 1 and may stand as numbers, i - j
    power      e^x rather than \\exp(x)
    metrics    names of metrics: g^{ab} is the inverse of g_{ab}
    slopes     names of arrays of derivatives, such as dg, with what they are of: ∂_a g_{bc}
    """

    places: Mapping[str, str] = field(default_factory=dict)
    usual: str = UP
    explicit: bool = False
    bars: bool = True
    numbered: bool = False
    origin: int = 0  # the number of the first index
    power: bool = False
    metrics: frozenset[str] = frozenset()
    slopes: Mapping[str, str] = field(default_factory=dict)
    defined: frozenset[str] = frozenset()  # the names that have definitions
    gradients: tuple[str, str] | None = None  # the mark of ∂L/∂X, and L: \\bar, d, G_
    symmetric: frozenset[str] = frozenset()  # of these, the matrices that come out symmetric
    slashed: bool = False  # e^{x / t}, not e^{\frac{x}{t}}
    powers: Pairs = frozenset()  # names under one power, (a/b)^k and (K L)²
    roots: Pairs = frozenset()  # names and primes under one root, √(K/m), √(2 g h)
    barred: bool = False  # 1/x^a, not x^{-a}
    norms: frozenset[str] = frozenset()  # the vectors of which the author has norms, ‖x‖
    normed: bool = False  # there are norms, of whatever
    multiplied: frozenset[str] = frozenset()  # what he writes before a bracket, k (x - y)
    limits: bool = False  # sums over parts of an axis have limits, \\sum_{t=1}^{n-1}
    compared: bool = False  # or comparisons below them, \\sum_{j \\le i}
    unequal: bool = False  # \\sum_{j \\neq i}
    minima: bool = False  # min(x, y) stands somewhere
    bare: bool = False  # C^{-1}_{ij} is written, and not (C^{-1})_{ij}
    phi: Unknown | None = None  # the density of the standard normal law, where Φ stands for that
    lower: bool = False  # Φ(−u) is written, and not 1 − Φ(u)
    number_e: bool = False  # e is a number of the text, and no exponential
    number_pi: bool = False  # π is another number than 3.14… in the text
    mentions: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # where names are used
    factors: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # with terms far apart

    def pattern(self, tensor: Tensor) -> str:
        """Where each index of a tensor stands; those of an adjoint as those of its tensor."""
        if self.raised(tensor):
            return UP * len(tensor.shape)
        if tensor.role in ("adjoint", "tangent", "inverse") and tensor.of:
            return self.pattern(tensor.of[0])
        known = self.places.get(tensor.name)
        if known is not None and len(known) == len(tensor.shape):
            return known
        below = "_" in name(tensor.name)
        return (UP if below else self.usual) * len(tensor.shape)

    def gradient(self, tensor: Tensor) -> str:
        """The name of ∂L/∂X where the author has one; empty elsewhere."""
        if self.gradients is None or tensor.parts is None:
            return ""
        (mark, loss), (of, wrt) = self.gradients, tensor.parts
        if of.name != loss or of.shape or wrt.parts:
            return ""
        return {"\\": f"{mark} {name(wrt.name)}", "_": f"{mark}{{{name(wrt.name)}}}"}.get(
            mark[0] if mark[0] == "\\" else mark[-1], mark + name(wrt.name)
        )

    def mirrored(self, tensor: Tensor) -> bool:
        """X_ij = X_ji, by declaration, by its definition or as the inverse of one such."""
        own = tensor.of[0] if tensor.role == "inverse" else tensor
        return own.symmetry == "symmetric" or own.name in self.symmetric

    def raised(self, tensor: Tensor) -> bool:
        """The inverse of a metric, which is written as the metric with its indices up."""
        return tensor.role == "inverse" and tensor.of[0].name in self.metrics


_CURRENT: ContextVar[Notation] = ContextVar("notation", default=Notation())  # noqa: B039


def current() -> Notation:
    """The notation in force."""
    return _CURRENT.get()


@contextmanager
def notation(chosen: Notation) -> Iterator[None]:
    """Within, formulas are printed in this notation."""
    token = _CURRENT.set(chosen)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def ahead(a: Any, b: Any) -> int:
    """`before` of two factors: one term decides, and not y − x of μ (1 − x²) y − x."""
    return before(a, b, _CURRENT.get().factors)


def before(a: Any, b: Any, places: Mapping[str, tuple[int, ...]] | None = None) -> int:
    """−1 where the author writes what stands in one expression before what stands in another, 1
    where it is the other way round: k x before c x³ after k/2 x² + c/4 x⁴, 0 where nothing says.

    Names that both hold say nothing; of all others those decide that stand closest to each other.
    """
    places = _CURRENT.get().mentions if places is None else places
    if not places:
        return 0
    one, other = _mentioned(a), _mentioned(b)
    pairs = (
        (abs(p - q), p < q)
        for x in one - other
        for y in other - one
        for p in places.get(x, (_LAST,))
        for q in places.get(y, (_LAST + 1,))
        if min(p, q) < _LAST
    )
    nearest = min(pairs, default=None)
    return 0 if nearest is None else -1 if nearest[1] else 1


FAR = 99  # characters; what stands above a bar says nothing about what stands below
_LAST = 1 << 30


@lru_cache(maxsize=CACHE)
def _mentioned(node: Any) -> frozenset[str]:
    found = (r.tensor for r in refs(node))
    return frozenset(t.name for t in found if t.symbol is None or t.symbol.is_Symbol)


def named(tensor: Tensor) -> str:
    r"""The name of a tensor; the residuals e_i are not taken for the number e where e is below.

    Nor is a number e of a text, where exponentials are written \exp, or one that it calls π.
    """
    if not tensor.shape:
        return number_named(tensor.name)
    own = set(_CURRENT.get().pattern(tensor)) == {DOWN}
    return "e" if tensor.name == "e" and own else name(tensor.name)


def number_named(text: str) -> str:
    """The name of a number; e and π as they stand where a text calls a number of its own so."""
    here = _CURRENT.get()
    own = {"e": here.number_e and "e", "pi": here.number_pi and r"\pi"}
    return own.get(text) or name(text)


def scripts(tensor: Tensor, group: tuple[Slot, ...]) -> str:
    """The indices of a component, up and down as the notation says: ^{ij}, _i, ^{c}_{ab}."""
    text, pattern = "", _CURRENT.get().pattern(tensor)
    if group and pattern == DOWN and not isinstance(group[0], Index) and group[0].free:
        return f"_{{{affine(group[0])}}}"
    start = 0
    for k in range(1, len(group) + 1):
        if k == len(group) or pattern[k] != pattern[start]:
            part = group[start:k]
            shown = slots(part)
            if pattern[start] == DOWN and any(s.free and not isinstance(s, Index) for s in part):
                shown = ",".join(affine(s) if s.free else slot(s) for s in part)
            single = pattern[start] == DOWN and len(shown) == 1
            if pattern[start] in pattern[:start]:
                text += "{}"  # D_e^{a}{}_{bcd}: one letter bears one subscript
            text += pattern[start] + (shown if single else f"{{{shown}}}")
            start = k
    return text


def lowered(tensor: Tensor) -> bool:
    """True where nothing stands above a component, so that a power can: x_i^2."""
    here = _CURRENT.get()
    return bool(tensor.shape) and tensor.name not in here.slopes and UP not in here.pattern(tensor)


def chosen(
    system: System, indices: str = "as written", sums: str = "auto", adjoint: str = "bar"
) -> Notation:
    """The notation for results of a system; SymattnError for a word that is none of the options."""
    options = {
        "indices": (indices, ("as written", "up", "down")),
        "sums": (sums, ("auto", "explicit", "implicit")),
        "adjoint": (adjoint, ("bar", "partial")),
    }
    for option, (got, expected) in options.items():
        if got not in expected:
            raise SymattnError(
                f"{option}={got!r} is not known",
                expected=" or ".join(map(repr, expected)),
                mend=f"write {option}={expected[0]!r}",
            )
    base = as_written(system)
    if indices != "as written":
        base = replace(base, places={}, usual=UP if indices == "up" else DOWN)
    if sums != "auto":
        base = replace(base, explicit=sums == "explicit")
    return replace(base, bars=adjoint == "bar")


def as_written(system: System) -> Notation:
    """The notation of the formulas that a system was read from, found once."""
    known: Notation | None = vars(system).get("_notation")
    if known is None:
        known = vars(system)["_notation"] = _found(system)
    return known


def write(system: System, chosen: Notation) -> System:
    """The system, whose formulas and results are written in this notation from here on."""
    vars(system)["_notation"] = chosen
    return system


def _found(system: Any) -> Notation:
    from . import gaussian

    stated = getattr(system, "equations", ())
    equations = [e.latex for e in stated]
    m = model(system)
    if not equations:
        return Notation(
            defined=frozenset(m.bodies),
            symmetric=symmetric(m),
            compared=True,
            unequal=limits.unequal("", m),
            minima=_has_minima(m),
        )
    places: dict[str, str] = {}
    with naming(m.known.values()):
        for tensor in m.known.values():
            if tensor.shape:
                pattern = next(_patterns(tensor, equations), None)
                if pattern is not None:
                    places[tensor.name] = pattern
        arrays = [t for t in m.known.values() if t.shape]
        matrices = {  # y = W x says nothing about Σ
            str(getattr(e.lhs, "base", e.lhs))
            for e in stated
            if not any(next(_patterns(t, [e.latex]), None) for t in arrays)
        }
        mixed = {  # ½ w^⊤ S w − Σ_i b_i log w_i, in which every sum over letters has its Σ
            str(getattr(e.lhs, "base", e.lhs)): _signs(e.latex)
            for e in stated
            if any(_bare(t, e.latex) for t in arrays)
        }
    marks = "".join(places.values())
    usual = UP if UP in marks and marks.count(UP) >= marks.count(DOWN) else DOWN
    meant = sum(
        min(_sums(body.raw), mixed.get(n) or _sums(body.raw))
        for n, body in m.bodies.items()
        if n not in matrices
    )
    written = sum(map(_signs, equations))
    summed = meant <= written and (meant > 0 or usual == DOWN)
    text = " ".join(equations)
    return Notation(
        places,
        usual,
        explicit=summed or not places,
        numbered=True,
        power=r"\exp" not in text,
        origin=getattr(system, "origin", 0),
        defined=frozenset(m.bodies),
        gradients=getattr(system, "gradients", None),
        symmetric=symmetric(m),
        slashed=bool(re.search(r"e\^\{[^{}]*(?:_\{\w*\}[^{}]*)*/", text))
        and r"e^{\frac" not in text,
        powers=author.powers(text, m),
        roots=author.roots(text, m),
        norms=author.norms(text, m),
        normed=r"\|" in text,
        multiplied=author.multiplied(text, m),
        barred=author.barred(text),
        bare=author.bare(text),
        limits=limits.written(text, getattr(system, "origin", 0)),
        compared=limits.compared(text),
        unequal=limits.unequal(text, m),
        minima=r"\min" in text,
        phi=gaussian.density(text, m),
        lower=gaussian.lower_tails(text),
        number_e="e" in m.known and not m.known["e"].shape,
        number_pi="pi" in m.known and not m.known["pi"].shape,
        mentions=_mentions(equations, m),
        factors=_mentions(equations, m, terms=FAR),
    )


def _has_minima(m: Model) -> bool:
    """−max(−x, −y) stands in a definition that was made in Python."""
    polys = (n for b in m.bodies.values() for n in inside(b.raw) if isinstance(n, Poly))
    found = (a.args for p in polys for t, c in p if c < 0 for a in t.powers if isinstance(a, Max))
    return any(all(c < 0 for p in args for _, c in p) for args in found)


def _mentions(equations: list[str], m: Model, terms: int = 1) -> dict[str, tuple[int, ...]]:
    """Where names stand in a text; nowhere, which is last, those that are used nowhere.

    Terms are so many characters apart, and what is above a bar from what is below, but for the 2
    of \\frac{λ}{2} J.
    """
    used = " ".join(e.partition("=")[2] for e in equations)
    whole = re.sub(r"\s*([-+])\s*", lambda found: found[1].center(terms), "=".join(equations))
    whole = re.sub(
        r"(?<={\d)}\s*{|}\s*{(?!\s*\d+\s*})|=", lambda found: found[0].center(FAR), whole
    )
    found: dict[str, tuple[int, ...]] = {}
    with naming(m.known.values()):
        for tensor in m.known.values():
            text = "e" if tensor.name == "e" else name(tensor.name)
            shown = re.compile(rf"(?<![A-Za-z\\]){re.escape(text)}(?![A-Za-z])")
            if shown.search(used):
                found[tensor.name] = tuple(at.start() for at in shown.finditer(whole))
    return found


def symmetric(m: Model) -> frozenset[str]:
    """The definitions that are symmetric in their two indices."""
    found: set[Tensor] = set()

    def rule(node: Any) -> Poly | None:
        if isinstance(node, Ref) and node.tensor in found:
            slots = sorted(node.slots, key=str)
            return None if slots == list(node.slots) else nf.ref(node.tensor, slots)
        return None

    for body in m.bodies.values():
        if len(body.indices) == 2 and body.indices[0].size == body.indices[1].size:
            i, j = body.indices
            turned = nf.substitute(body.normal, {i: j, j: i})
            if nf.rewrite(turned, rule) is nf.rewrite(body.normal, rule):
                found.add(body.tensor)
    return frozenset(t.name for t in found)


def _patterns(tensor: Tensor, equations: list[str]) -> Iterator[str]:
    shown = name(tensor.name)
    named = {re.escape(shown), re.escape(shown).replace(r"\ ", r"\s*\{?") + r"\}?"}
    for text in equations:
        for found in re.finditer(
            rf"(?<![A-Za-z\\])(?:{'|'.join(sorted(named))})((?:\s*[_^]\s*{SCRIPT})+)", text
        ):
            pattern = ""
            for mark, script in re.findall(rf"([_^])\s*({SCRIPT})", found[1]):
                letters = [x for x in _LETTER.findall(script) if x not in (r"\top", "T")]
                pattern += mark * len(letters)
            if len(pattern) == len(tensor.shape):
                yield "".join(sorted(pattern, key=[UP, DOWN].index))


def _bare(tensor: Tensor, text: str) -> bool:
    """The array stands somewhere in a formula without its indices."""
    right = text.partition("=")[2]
    shown = re.findall(rf"(?<![A-Za-z\\]){re.escape(name(tensor.name))}(?![A-Za-z])", right)
    return len(shown) > sum(1 for _ in _patterns(tensor, [right]))


def _sums(node: Any) -> int:
    own = len(node.bound) if isinstance(node, Sum) and not position(node) else 0
    return own + sum(map(_sums, parts(node)))


def position(node: Any) -> Index | None:
    """The letter i where the sum is its number, Σ_k [k ≤ i]; None for any other sum."""
    if not isinstance(node, Sum) or len(node.bound) != 1 or node.body.single is None:
        return None
    (k,), (term, c) = node.bound, node.body.single
    ((mask, e),) = term if len(term.powers) == 1 else ((None, 0),)
    if not isinstance(mask, Mask) or (c, e) != (1, 1):
        return None
    items, const = slot_items(mask.slot)
    others = [i for i in items if i is not k]
    counted = len(others) == 1 and items[k] == -1 and items[others[0]] == 1 and const == 0
    return others[0] if counted and others[0].size == k.size else None


def _signs(text: str) -> int:
    """How many letters stand below the Σ and ∏ of a formula."""
    count = 0
    for below in re.findall(rf"\\(?:sum|prod)(?:\\limits|\\nolimits)?\s*_\s*({SCRIPT})", text):
        bound = re.split(r"=|\\in(?![a-z])", below)[0]  # of i < j both may be bound
        count += max(1, len([x for x in _LETTER.findall(bound) if x not in _RELATIONS]))
    return count


__all__ = [
    "Notation",
    "ahead",
    "as_written",
    "before",
    "chosen",
    "current",
    "lowered",
    "named",
    "notation",
    "position",
    "scripts",
    "symmetric",
]
