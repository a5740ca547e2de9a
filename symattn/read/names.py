r"""Names and indices: what the scripts of a name mean, and how many indices each name takes.

`Q^{ia}` has two indices, `d_k` is a name, `W_Q^{hba}` is the name W_Q with three, `x^2` a power,
`A^\top` a transpose.  Upper indices come first; `B_j^{\ k}` with a gap keeps the order.  Capitals,
words and numbers below belong to the name.  A lower-case letter
below is an index, unless it is the only one and occurs nowhere else in the statement, or the name
with it is declared; `d_x` and `n_x` are sizes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, TypeGuard

from ..explain.naming import GREEK
from .layouts import Layouts
from .source import ReadError, Source
from .tree import (
    Accent,
    Addition,
    Group,
    Name,
    Node,
    Number,
    Product,
    Scripted,
    Symbol,
    base_of,
    spelled,
    walk,
)
from .versions import Versions, counted

if TYPE_CHECKING:
    from .integrals import Written
    from .laws import Apart, Law
    from .parts import Part
    from .ranges import Ranges
    from .variations import Variations

_NUMBERED = re.compile(r"_\d+$")  # the letter i_1
PARAMETERS = frozenset(
    ["theta", "vartheta", "phi", "varphi", "psi", "omega", "eta", "xi"]
)  # p_θ and q_θ: labels, no indices
DISTRIBUTIONS = frozenset(["p", "q", "P", "Q", "Pr", "pi", "rho"])  # p(x | z) is one of many
NORMAL = frozenset(["N", "N_cal", "Normal", "MVN"])  # x ∼ N(μ, Σ), N(x | μ, Σ)
COORDINATES = frozenset(
    ["t", "r", "x", "y", "z", "tau", "theta", "vartheta", "phi", "varphi", "rho"]
)  # of a metric
CONVENTIONAL_SIZES = ("d", "n")  # d_k, n_q are sizes; stated in docs/reading.md


def is_letter(node: Node) -> TypeGuard[Name]:
    """True for what can be an index: a small letter, latin or Greek, with or without primes."""
    return isinstance(node, Name) and not node.style and _is_index(node.text)


@cache
def _is_index(text: str) -> bool:
    stem = _NUMBERED.sub("", text.rstrip("'"))
    return (len(stem) == 1 and stem.islower()) or (stem in GREEK and stem[0].islower())


def is_open(node: Node) -> TypeGuard[Symbol]:
    r"""True for a slot without a letter: the dot of A^{i\cdot}."""
    return isinstance(node, Symbol) and node.kind == "slot"


def base_name(node: Node) -> str | None:
    """The name of a base: a letter, a word, either under an accent; None for anything else."""
    match node:
        case Name():
            return node.text
        case Accent():
            inner_name = base_name(node.body)
            return f"{inner_name}_{node.mark}" if inner_name is not None else None
        case Group(bracket="{", items=(Name() | Accent() as inner,)):
            return base_name(inner)
    return None


def plain(node: Node) -> Node:
    """Accents stand on the base and scripts outside: \\bar{x_i} as \\bar{x}_i."""
    if not isinstance(node, Accent | Scripted):
        return node
    try:
        found = node.plain
    except AttributeError:
        found = _plain(node)
        found = None if found is node else found
        object.__setattr__(node, "plain", found)
    return node if found is None else found


def _plain(node: Node) -> Node:
    if isinstance(node, Accent):
        body = node.body
        if isinstance(body, Group) and len(body.items) == 1:
            body = body.items[0]
        if isinstance(body, Scripted):
            return Scripted(node.at, Accent(node.at, node.mark, body.base), body.scripts)
    if isinstance(node, Scripted):
        base = node.base
        if isinstance(base, Group) and base.bracket == "{" and len(base.items) == 1:
            base = base.items[0]
        base = plain(base)
        if isinstance(base, Scripted):
            return Scripted(node.at, base.base, base.scripts + node.scripts)
        if base is not node.base:
            return Scripted(node.at, base, node.scripts)
    return node


def stem(node: Node) -> Node:
    """The base of a name with scripts; any other node as it is."""
    node = plain(node)
    return base_of(node)


def atoms(script: Node) -> list[Node]:
    """The things that stand side by side in a script."""
    if not isinstance(script, Product | Group):
        return [script]
    try:
        return [*script.beside]
    except AttributeError:
        found = _atoms(script)
        if all(a is not script for a in found):
            object.__setattr__(script, "beside", tuple(found))
        return found


def _atoms(script: Node) -> list[Node]:
    match script:
        case Product() if all(op == "" for op, _ in script.parts):
            return [a for _, part in script.parts for a in atoms(part)]
        case Group(bracket="{", items=items):
            several = len(items) > 1
            return [a for x in items for a in ([x] if several and multiple(x) else atoms(x))]
        case Group(bracket="[") if all(isinstance(item, Name) for item in script.items):
            return list(script.items)
    return [script]


def multiple(node: Node) -> bool:
    """True for 2a, one index where commas stand between them."""
    match node:
        case Product(parts=(("", Number()), ("" | "·", Name() as letter))):
            return is_letter(letter)
    return False


def indices(sign: str, script: Node) -> list[Node]:
    """What stands side by side in a script, i_1 as one letter.

    Above a name, i_1 alone is a power.
    """
    found = atoms(script)
    return [numbered(a) for a in found] if sign == "_" or len(found) > 1 else found


def numbered(node: Node) -> Node:
    """The letter i_1 as one name; any other node as it is."""
    match node:
        case Scripted(base=Name() as base, scripts=(("_", Number() as n),)) if (
            is_letter(base) and base.text not in CONVENTIONAL_SIZES
        ):
            return Name(node.at, f"{base.text}_{n.text}")
    return node


@dataclass
class Names:
    """The names of a document: declared ranks, and ranks as they are used."""

    source: Source
    ranks: dict[str, int] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    declared: set[str] = field(default_factory=set)
    scalars: set[str] = field(default_factory=set)  # declared names without indices, and sizes
    bare: set[str] = field(default_factory=set)  # names that occur without indices
    positive: set[str] = field(default_factory=set)
    signs: dict[str, str] = field(default_factory=dict)  # what is declared negative, nonzero, …
    weakly: set[str] = field(default_factory=set)  # names that are not negative
    ranges: Ranges = field(default_factory=dict)  # between which numbers they lie
    symmetric: set[str] = field(default_factory=set)
    antisymmetric: set[str] = field(default_factory=set)
    mirrored: set[str] = field(default_factory=set)  # symmetric, also what is derived by
    definite: set[str] = field(default_factory=set)  # matrices that are positive definite
    diagonal: set[str] = field(default_factory=set)  # matrices that words call diagonal
    traits: dict[str, set[str]] = field(default_factory=dict)  # in words: it sums to one
    metrics: set[str] = field(default_factory=set)  # upper indices mean the inverse
    alike: bool = False  # declared: upper and lower indices mean the same
    applied: set[str] = field(default_factory=set)  # names that only ever stand before brackets
    scaled: set[str] = field(default_factory=set)  # the k of k (x - y)^2
    evaluated: set[str] = field(default_factory=set)  # the k of k(x)
    labelled_functions: set[tuple[str, str]] = field(default_factory=set)  # ω_d(k), beside ω(k)
    of_numbers: set[tuple[str, int]] = field(default_factory=set)  # R, 0 of R(m) = cos m
    varied: set[str] = field(default_factory=set)  # the β of ∂_β, which is no index
    summed: set[str] = field(default_factory=set)  # the E of ⟨E⟩ = Σ_i p_i E_i
    averages: dict[str, str] = field(default_factory=dict)  # declared distribution → its outcome
    inferred: bool = False  # that distribution is what an equation of the text averages over
    means: set[str] = field(default_factory=set)  # averages that the document defines: mean_E
    alone: set[str] = field(default_factory=set)  # names that stand without a bracket behind them
    versions: Versions = field(init=False)
    last: dict[str, int] = field(default_factory=dict)  # where a name was used last
    given: dict[str, tuple[object, int]] = field(default_factory=dict)  # the θ of p(x | θ), where
    indexed: set[str] = field(default_factory=set)  # names that bear index letters somewhere
    mentioned: set[str] = field(default_factory=set)  # names that stand without indices somewhere
    numbers: set[str] = field(default_factory=set)  # names that are no matrices
    limits: set[str] = field(default_factory=set)  # the n of Σ_{i=1}^n
    inverses: dict[str, str] = field(default_factory=dict)  # A_inv → A
    losses: dict[str, tuple[str, ...]] = field(default_factory=dict)  # abstract ones, of what
    varying: Variations | None = None  # in a text where dX is the differential of X
    gradients: tuple[str, str] | None = None  # declared: the mark of ∂L/∂X, and L
    wanted: dict[str, tuple[str, ...]] = field(default_factory=dict)  # what to derive, by what
    unknown: set[str] = field(default_factory=set)  # functions that nothing defines
    auxiliary: dict[object, str] = field(default_factory=dict)  # what has no name → its name
    stated: dict[str, int] = field(default_factory=dict)  # axes, in the words of the text
    each: set[str] = field(default_factory=set)  # those of which x_t ∈ ℝ^n is said, with an index
    arguments: dict[str, tuple[Node, ...]] = field(default_factory=dict)  # the w of L(w), if fixed
    positions: set[str] = field(default_factory=set)  # names whose lower indices are lowered ones
    paths: set[str] = field(default_factory=set)  # names whose indices are Greek: x^μ
    rates: set[str] = field(default_factory=set)  # the γ of Σ_k γ^k beside γ, a number
    lengths: set[str] = field(default_factory=set)  # the n and d of X ∈ ℝ^{n×d}
    said_lengths: set[str] = field(default_factory=set)  # those of declared shapes
    counts: set[str] = field(default_factory=set)  # the n of the last component x_n
    marks: set[tuple[str, str]] = field(default_factory=set)  # the ω, n of ω_n beside x_{n+1}
    implicit: bool = True  # the text leaves its Σ out
    where: dict[int, str] = field(default_factory=dict)  # what equations take against the words
    eccentric: bool = False  # e stands by itself, so that e^2 is its square
    residuals: bool = False  # e_i is a residual, beside which e^{-x} is the exponential
    number_pi: bool = True  # π is 3.14…, and no function of the text
    identity: bool | None = None  # the light I is the unit matrix, is not, or nothing says so
    heads: set[str] = field(default_factory=set)  # names that equations are about
    gates: set[str] = field(default_factory=set)  # letters below names that name things: W_f
    exponents: set[str] = field(default_factory=set)  # the γ of V_i^γ, a number elsewhere
    imaginary: set[str] = field(default_factory=set)  # the imaginary unit, and what it is in
    squares: set[str] = field(default_factory=set)  # names that stand under even powers alone
    blocks: set[str] = field(default_factory=set)  # the u of bold K_{uu}, a label
    grids: dict[str, tuple[tuple[Any, ...], ...]] = field(default_factory=dict)
    coordinates: set[str] = field(default_factory=set)  # the r of Γ_{rr}, which is a number too
    opaque: set[str] = field(default_factory=set)  # quantities that the engine has no form for
    integrals: dict[str, Written] = field(default_factory=dict)  # what quantities are of
    parts: dict[str, Part] = field(default_factory=dict)  # q_i, a row of Q in the words of the text
    constants: set[str] = field(default_factory=set)  # what words call a constant
    centred: set[str] = field(default_factory=set)  # what words call random, with mean zero
    random: set[str] = field(default_factory=set)  # what words call random
    laws: dict[str, Law] = field(default_factory=dict)  # of what is distributed as the text says
    parameters: set[str] = field(default_factory=set)  # what stated laws are made of
    sets: set[str] = field(default_factory=set)  # the N of j ∈ N(i), which is 1 there and else 0
    apart: list[Apart] = field(default_factory=list)  # names that are independent
    spoken: list[tuple[frozenset[str], int]] = field(default_factory=list)  # as random, and where
    about: set[str] = field(default_factory=set)  # what equations have alone on their left
    reckoned: set[str] = field(default_factory=set)  # by numbers and light names: v = 1/(1 + y)
    loose: dict[int, set[str]] = field(default_factory=dict)  # place → what may be random there
    objectives: set[str] = field(default_factory=set)  # losses, which are numbers
    averaged: set[str] = field(default_factory=set)  # what stands alone under a sign of an average
    moments: dict[str, tuple[tuple[object, object], tuple[str, ...]]] = field(
        default_factory=dict
    )  # averages that nothing states: their kind, and of what
    written_arguments: dict[str, set[str]] = field(default_factory=dict)  # of quantities f(x, z)
    epochs: dict[str, list[int]] = field(default_factory=dict)  # where functions are given anew
    families: set[str] = field(default_factory=set)  # p(x), p(z | x): as many quantities
    pointwise: set[str] = field(default_factory=set)  # functions of every component: activations
    mean_of: dict[str, str] = field(default_factory=dict)  # the x̄ that words define → x
    logistic: bool = True  # σ(…) is the logistic function
    said_sigma: bool = True  # and the text says so, in words or by an equation
    functions_of: dict[str, tuple[str, tuple[str, ...]]] = field(
        default_factory=dict
    )  # the number l(o, y) → l, and o, y
    valued: dict[tuple[str, bool], int] = field(default_factory=dict)  # function, bold → axes
    layouts: Layouts = field(default_factory=Layouts)
    asked: dict[Any, Any] | None = None  # of nodes (evidence.py)
    crossed: bool = False  # × stands between vectors
    tied: dict[str, str] = field(default_factory=dict)  # names that are not free, and why
    counted: set[str] = field(default_factory=set)  # letters that are indices somewhere
    paired: set[str] = field(default_factory=set)  # names with several index letters
    single: set[str] = field(default_factory=set)  # names with one index letter
    lowered: set[str] = field(default_factory=set)  # names with lower or several index letters
    assumed: dict[str, str] = field(default_factory=dict)  # what rests on convention alone
    labels: dict[str, str] = field(default_factory=dict)  # how the numbers of W_1, W^{(1)} stand

    @property
    def lenient(self) -> bool:
        """True where what has no form may become a quantity of its own."""
        return not self.versions.strict

    def __post_init__(self) -> None:
        self.versions = Versions(self.source, self.ranks)

    def declare(self, name: str, rank: int, at: int) -> str:
        """The name takes that many indices; ReadError where it is declared with another number.

        Gives what the tensor is called: Q, or Q_2 for another one of that name.
        """
        name = self.versions.resolve(name, rank, at, declared=True)
        if name in self.declared and self.ranks[name] != rank:
            raise self.clash(name, rank, self.ranks[name], at)
        self.declared.add(name)
        self.ranks[name], self.places[name] = rank, at
        if rank == 0:
            self.scalars.add(name)
        return name

    @property
    def labelled(self) -> bool:
        """True where letters beside names are found to be no indices."""
        return bool(self.gates or self.marks or self.exponents)

    def is_label(self, base: str, letter: str) -> bool:
        """True for the f of W_f and the n of ω_n, which name things."""
        return letter in self.gates or (base, letter) in self.marks

    def condition(self, name: str, parameters: tuple[Node, ...], at: int) -> None:
        """p(x | θ) is the component p[x]; ReadError where p depends on something else elsewhere."""
        shown = spelled(parameters)
        known, place = self.given.setdefault(name, (shown, at))
        if known != shown and self.lenient:
            self.families.add(name)
        elif known != shown:
            line, column = self.source.place(place)
            raise self.source.fail(
                at,
                f"{name} is given something else here than at line {line}, column {column}",
                expected=f"the same behind the bar, since {name}(x | θ) is read as {name}[x]",
                mend="give one of the two distributions another name",
            )

    def assume(self, name: str, rank: int, why: str) -> None:
        """The name takes that many indices by convention, where nothing else says so."""
        if name not in self.declared and not self.ranks.get(name):
            self.ranks[name], self.assumed[name] = rank, why
            self.places.setdefault(name, 0)

    def inverse(self, name: str, at: int) -> str:
        """What the inverse of a matrix is called."""
        other = f"{name}_inv"
        self.inverses[other] = name
        self.ranks.setdefault(other, 2)
        self.places.setdefault(other, at)
        return other

    def label(self, name: str, sign: str, at: int) -> None:
        """W^{(1)} is called W_1; ReadError where W_1 stands in the text for something else."""
        if self.labels.setdefault(name, sign) != sign:
            stem, _, number = name.rpartition("_")
            raise self.source.fail(
                at,
                f"{stem}_{number} and {stem}^{{({number})}} both stand in this text",
                expected="one way to write a number beside a name",
                mend="give one of the two another name",
            )

    def use(self, name: str, rank: int, at: int) -> None:
        """The name is used with that many indices; ReadError where it takes another number."""
        self.last[name] = at
        if rank == 0:
            self.bare.add(name)
            self.applied.discard(name)
            return
        known = self.ranks.get(name)
        if known is None:
            self.ranks[name], self.places[name] = rank, at
            return
        if name in self.assumed and 0 < known - rank <= 2:
            return  # M_k of the matrices M_1, M_2, …
        if known == rank or (rank, known) == (1, 2) or (rank < known and name in self.declared):
            return
        if (known, rank) == (1, 2) and name not in self.declared:
            self.ranks[name], self.places[name] = rank, at
            return
        raise self.clash(name, rank, known, at)

    def clash(self, name: str, rank: int, known: int, at: int) -> ReadError:
        """The error for a name with two numbers of indices."""
        line, column = self.source.place(self.places.get(name, at))
        written = self.versions.base(name)
        return self.source.fail(
            at,
            f"{written} has {counted(rank)} here and {counted(known)} at line {line}, "
            f"column {column}",
            expected=counted(known),
            got=counted(rank),
            mend="give one of the two tensors another name, or declare "
            + (
                f"<!-- symattn: overload {written} --> where the number of indices tells them apart"
                if rank and known
                else f"<!-- symattn: new {written} --> between the two"
            ),
        )


@dataclass
class Context:
    """What a statement tells about its letters."""

    letters: Counter[str]  # letters in index position
    solo: Counter[tuple[str, str]]  # a single letter below a name
    tree: Node | None = None  # the statement
    bound: set[str] = field(default_factory=set)  # under a sum, on the left, in softmax_j, …
    averages: list[Node | None] = field(default_factory=list)  # below each sign of expectation
    runs: Counter[str] = field(default_factory=Counter)  # three letters or more below a name
    plain: set[str] = field(default_factory=set)  # stand for themselves, outside of i - j + n
    low: set[str] = field(default_factory=set)  # below the name on the left, and not above it
    lower: set[str] = field(default_factory=set)  # below any name
    summed: set[str] = field(default_factory=set)  # under a Σ or Π that is written
    bases: set[str] = field(default_factory=set)  # names that bear something below
    powers: set[str] = field(default_factory=set)  # numbers that stand above names: K^α beside α
    numbers: set[str] = field(default_factory=set)  # declared ones, which are no index here

    def is_exponent(self, script: Node) -> bool:
        """True for the a of x_i^a and the 2a of x_i^{2a} where a is declared to be a number."""
        letters = {n.text for n in walk(script) if is_letter(n)}
        return bool(letters) and letters <= self.numbers

    def is_index(self, base: str, letter: str) -> bool:
        """True when the one letter below a base is an index rather than part of the name."""
        if letter in self.bound:
            return True
        return self.letters[letter] > self.solo[base, letter]

    def is_bound(self, letter: str) -> bool:
        """True when the letter is on the left, under a sum, or a repeated index."""
        return letter in self.bound

    def has_index(self, letter: str) -> bool:
        """True when the letter is an index somewhere in the statement."""
        counts = [n for (_, x), n in self.solo.items() if x == letter]
        alone = sum(counts) if letter in PARAMETERS else max(counts, default=0)
        return letter in self.bound or self.letters[letter] > alone


def implied(inner: Node, slots: Sequence[Node], fields: bool) -> int:
    r"""The axes of a bold letter beside its indices: one for x, two for X, none for w_{i*}."""
    if not isinstance(inner, Name) or inner.style != "bold" or any(map(is_open, slots)):
        return 0
    if len(inner.text) > 1 and inner.text not in GREEK:
        return 0
    return 2 if inner.text[0].isupper() and not fields else 1


def reached(start: Iterable[str], uses: Mapping[str, AbstractSet[str]]) -> set[str]:
    """These names, and all that their definitions are made of."""
    found, todo = set[str](), list(start)
    while todo:
        if (name := todo.pop()) not in found:
            found.add(name)
            todo += uses.get(name, ())
    return found


BLOCK = re.compile(r"([A-Za-z]+)_(?:[1-9]{2}|[a-z]_[a-z])")  # Λ_12, Λ_ab


def unmarked(name: str) -> tuple[str, int]:
    """f and 2 for f'', x and 1 for x under a dot."""
    for mark, order in (("_dot", 1), ("_ddot", 2)):
        if name.endswith(mark):
            return name.removesuffix(mark), order
    head, *label = name.split("_", 1)
    stem = head.rstrip("'")
    return "_".join([stem, *label]), len(head) - len(stem)


_CAPITAL = frozenset(["Sigma", "Lambda", "Phi", "Psi", "Omega", "Theta", "Xi"])


def is_capital(name: str) -> bool:
    """True for one capital, with or without labels and accents; Δ and Γ may be numbers."""
    head = name.split("_")[0].rstrip("'")
    if len(head) == 2 and head[0] == "d":  # dO, a differential
        head = head[1]
    return (len(head) == 1 and head.isascii() and head.isupper()) or head in _CAPITAL


def letters_of(nodes: Iterable[Node]) -> list[str]:
    found = []
    for node in nodes:
        if is_letter(node):
            found.append(node.text)
        elif isinstance(node, Addition | Group | Product):
            found += [n.text for n in walk(node) if is_letter(n)]
    return found


def letters_above_themselves(node: Scripted) -> set[str]:
    """The x and k of x^x and x^{k x}: what is raised to a power with it bears no index x."""
    above = (letters_of(atoms(s)) for sign, s in node.scripts if sign == "^")
    return {x for letters in above if base_name(node.base) in letters for x in letters}


def size_name(text: str) -> bool:
    """True for a name such as d_k or n_q, which is a size by convention."""
    return re.fullmatch(r"[dn]_\w+", text) is not None
