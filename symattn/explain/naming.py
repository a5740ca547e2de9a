r"""How names and index letters are written, so that they are read back as the same ones.

A name is written with its parts where people expect them, W_Q as `W_Q` and O_bar as `\bar O`, and
as a word in italics, `\mathit{…}`, where that would be read as something else.  A letter that a
reader would take for a name of the same text, or for no letter, is replaced by another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from .. import primitives
from ..ir import Delta, Index, Mask, Ref, Slot, Tensor, Unknown, slot_items
from ..ir import parts as ir_parts


def _words(row: str) -> frozenset[str]:
    return frozenset(row.split())


GREEK = _words(
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu "
    "nu xi pi rho varrho sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta "
    "Lambda Xi Pi Sigma Upsilon Phi Psi Omega ell"
)
ACCENTS = {"bar": r"\bar", "dot": r"\dot", "hat": r"\hat", "tilde": r"\tilde"}
RATES = _words(  # β (x - y)
    "alpha beta gamma delta epsilon varepsilon kappa lambda eta mu nu omega tau"
)
SIZES = ("d", "n")  # d_k and n_q are names, also with a small letter below
RESERVED = frozenset(primitives.names()) | _words(  # words that mean something to a reader
    "softmax lse rowsum colsum rowmax colmax diag Diag tr Tr trace det logdet max min relu "
    "ReLU argmax argmin arg Var Cov var cov Concat concat sgn sup inf lim ln sin cos tan sinh "
    "cosh tanh asin acos atan arcsin arccos arctan logsumexp LSE LogSumExp where with and or "
    "so then given that if when whenever provided unless otherwise else for since because "
    "assuming as limsup liminf cot ctg cotan sec csc cosec coth sech csch asinh acosh atanh "
    "arcsinh arsinh arccosh arcosh arctanh artanh lg lb normcdf ncdf normpdf "
    "asec acsc acot asech acsch acoth arcsec arccsc arccosec arccot arcctg arcsech arsech arccsch "
    "arcsch arccoth arcoth log2 log10 exp2 trigamma once iff"
)
CONSTANTS = frozenset({"e", "pi", "delta"})
_LETTERS = "ijklpqrsuvwzabcfghmtxy"


@dataclass(frozen=True)
class Naming:
    """The names that occur in a text, and letters that are written as others there."""

    names: frozenset[str] = frozenset()
    letters: Mapping[str, str] = field(default_factory=dict)
    indexed: frozenset[str] = frozenset()  # of constants, those that are names: π_i, δ_t, δ


_NAMING: ContextVar[Naming | None] = ContextVar("naming", default=None)


@contextmanager
def naming(nodes: Iterable[Any], letters: Iterable[Index] = ()) -> Iterator[None]:
    """Within, names and letters are written as fits all of these nodes; an outer one holds."""
    if _NAMING.get() is not None:
        yield
        return
    found = _Found()
    for index in letters:
        found.letters.setdefault(index.name)
    for node in nodes:
        found.enter(node)
    known = Naming(
        frozenset(found.names), found.written(), frozenset(found.indexed - found.constants)
    )
    token = _NAMING.set(known)
    try:
        yield
    finally:
        _NAMING.reset(token)


@dataclass
class _Found:
    """The names and letters of nodes, in order of appearance."""

    names: dict[str, None] = field(default_factory=dict)
    numbers: set[str] = field(default_factory=set)  # names that stand without indices
    letters: dict[str, None] = field(default_factory=dict)
    indexed: set[str] = field(default_factory=set)
    constants: set[str] = field(default_factory=set)

    def enter(self, node: Any) -> None:
        if isinstance(node, Tensor):
            self._tensor(node)
            return
        for index in sorted(node.free, key=lambda i: i.sort):
            self.letters.setdefault(index.name)
        for bound in getattr(node, "bound", ()):
            self.letters.setdefault(bound.name)
        if isinstance(node, Ref):
            self._tensor(node.tensor)
        for s in _slots_of(node):
            self._sizes(slot_items(s)[1])
        for bound in getattr(node, "bound", ()):
            if not any(sized(part, bound) for part in ir_parts(node)):
                self._sizes(bound.size)
        for part in ir_parts(node):
            self.enter(part)

    def _tensor(self, tensor: Tensor) -> None:
        if tensor.symbol is not None and not tensor.symbol.is_Symbol:
            self.constants.add(str(tensor.symbol))  # π and e
            return
        self.names.setdefault(tensor.name)
        if not tensor.shape:
            self.numbers.add(tensor.name)
            self.indexed |= {tensor.name} & {"delta"}
        elif tensor.name == "pi" or (tensor.name == "delta" and len(tensor.shape) == 1):
            self.indexed.add(tensor.name)
        for inner in (*(tensor.parts or ()), *tensor.of):
            self._tensor(inner)

    def _sizes(self, size: sp.Expr) -> None:
        for symbol in sorted(size.free_symbols, key=str):
            self.names.setdefault(str(symbol))
            self.numbers.add(str(symbol))

    def written(self) -> dict[str, str]:
        """Another letter for each that is a number too, has a prime, or is not read as a letter."""
        clear = [x for x in self.letters if _clear(x) and x not in self.numbers]
        used = {*clear, *self.names}
        result: dict[str, str] = {}
        for name in self.letters:
            if name not in clear:
                pool = (x + "'" * k for k in range(99) for x in _LETTERS)
                result[name] = next(x for x in pool if x not in used)
                used.add(result[name])
        return result


def _clear(name: str) -> bool:
    """A letter that stands as it is: one that nobody primed for want of another."""
    return _readable(name) and not name.endswith("'")


def _readable(name: str) -> bool:
    """True for a small letter, latin or Greek, with or without primes."""
    stem = name.rstrip("'")
    greek = stem in GREEK and stem[0].islower()
    return greek or (len(stem) == 1 and stem.isascii() and stem.islower())


def _slots_of(node: Any) -> tuple[Slot, ...]:
    match node:
        case Ref():
            return node.slots
        case Delta():
            return (node.a, node.b)
        case Mask():
            return (node.slot,)
    return tuple(getattr(node, "at", ()))


def sized(node: Any, letter: Index) -> bool:
    """True where the letter alone is an index of a tensor, which tells how far it runs."""
    if isinstance(node, Ref):
        return letter in node.slots
    return any(letter in part.free and sized(part, letter) for part in ir_parts(node))


# ------------------------------------------------------------------------------------------ names


def name(text: str) -> str:
    r"""A tensor or scalar name: O_bar as \bar O, d_k as d_k, rho_x as \rho_{\mathrm{x}}.

    What is printed is read as the name `text` again.
    """
    head, *tail = text.split("_")
    accents: list[str] = []
    while tail and tail[-1] in ACCENTS:
        accents.insert(0, ACCENTS[tail.pop()])
    stem = head.rstrip("'")
    base = _base(stem) if head else None
    constant = head in CONSTANTS and head not in (_NAMING.get() or Naming()).indexed
    if base is None or (constant and not tail and not accents):
        return verbatim(text)
    below: list[str] = []
    for k, part in enumerate(tail):
        label = _label(part, "_".join([head, *tail[:k]]), len(tail) == 1 and not accents)
        if label is None:
            return verbatim(text)
        below.append(label)
    result = base + head[len(stem) :]
    for k, accent in enumerate(accents):
        wide = k > 0 or (len(head) > 1 and not result.startswith("\\" + head))
        result = f"{accent}{{{result}}}" if wide else f"{accent} {result}"
    if below:
        shown = ",".join(below)
        result += f"_{shown}" if len(shown) == 1 else f"_{{{shown}}}"
    return result


ROUNDED = {
    "floor": r"\left\lfloor {{x}} \right\rfloor",
    "ceil": r"\left\lceil {{x}} \right\rceil",
}


def unknown(f: Unknown) -> str:
    r"""The name of a function that nothing defines: f', \Phi'', \mathrm{Si}', \partial_1 g.

    And \lfloor x \rfloor, as the template of the record of a function.
    """
    if f.orders == (0,) and f.name in ROUNDED:
        return ROUNDED[f.name]
    if len(f.orders) == 1:
        return name(f.name) + "'" * f.orders[0]
    marks = "".join(rf"\partial_{k + 1} " * c for k, c in enumerate(f.orders))
    return marks + name(f.name)


def verbatim(text: str) -> str:
    r"""A name as a word in italics, which is read as it stands: \mathit{lse}."""
    return rf"\mathit{{{_escaped(text)}}}"


def _escaped(text: str) -> str:
    return re.sub(
        r"([#$%&{}_\\^~])", lambda m: {"\\": r"\backslash{}"}.get(m[1], "\\" + m[1]), text
    )


def _base(word: str) -> str | None:
    """The head of a name: a letter, a Greek one, or a word that means nothing else."""
    if word in GREEK:
        return "\\" + word
    if len(word) == 1:
        return {"𝓛": r"\mathcal{L}"}.get(word, word if word.isascii() and word.isalpha() else None)
    plain = re.fullmatch(r"[A-Za-z][^\s{}$\\_']*", word)
    return rf"\mathrm{{{_escaped(word)}}}" if plain and word not in RESERVED else None


def _label(part: str, stem: str, alone: bool) -> str | None:
    """A part of a name below it; upright where a letter in italics would be an index."""
    taken = _NAMING.get() or Naming()
    if part in RESERVED:
        return verbatim(part)
    if part == "infty":
        return r"\infty"
    if len(part) == 1 and part.isascii() and part.isupper():
        return part
    if part.isascii() and part.isdigit():
        return part if alone and stem not in taken.names else rf"\mathrm{{{part}}}"
    if alone and stem in SIZES and stem not in taken.names and len(part) == 1 and part.islower():
        return part
    return rf"\mathrm{{{part}}}" if re.fullmatch(r"[A-Za-z][A-Za-z0-9]*", part) else None


def is_name(text: str) -> bool:
    """True where a tensor or size of the printed text is called so."""
    return text in (_NAMING.get() or Naming()).names


# ---------------------------------------------------------------------------------------- letters


def letter(index: Index) -> str:
    """An index letter."""
    taken = _NAMING.get() or Naming()
    written = taken.letters.get(index.name, index.name)
    stem = written.rstrip("'")
    if stem in GREEK:
        return "\\" + written
    plain = re.fullmatch(r"([A-Za-z]+)_?(\d+)", stem)
    shown = f"{plain[1]}_{{{plain[2]}}}" if plain else stem
    return shown + written[len(stem) :]


def slot(s: Slot) -> str:
    """An index, an affine index such as (i-j), or a place counted from 0: (+2)."""
    if isinstance(s, Index):
        return letter(s)
    shown = affine(s)
    if s.free or _from_zero(s):
        return f"({shown})"
    return f"(+{shown})" if shown.isdigit() else f"(+({shown}))"


def place(s: Slot) -> str:
    """A side of a comparison of indices, as the author counts; (+2) is counted from 0."""
    from .notation import current

    if not isinstance(s, Index) and not s.free:
        _, const = slot_items(s)
        if current().origin:  # t ≤ T and t > 1 where the author counts from 1
            return size(sp.expand(const + current().origin))
    plain = not isinstance(s, Index) and (s.free or _from_zero(s))
    return affine(s) if plain else slot(s)


def limit(s: Slot) -> str:
    """A limit of a sum, as the author counts."""
    from .notation import current

    if isinstance(s, Index) or s.free:
        return place(s)
    _, const = slot_items(s)
    return size(sp.expand(const + current().origin))


def _from_zero(s: Slot) -> bool:
    """True for n - 1 where the author counts from 0, too."""
    from .notation import current

    _, const = slot_items(s)
    return not current().origin and bool(const.free_symbols)


def affine(s: Slot) -> str:
    """An affine index without brackets, i-j+n-1, as the author counts."""
    from .notation import current

    items, const = slot_items(s)
    if items:  # the author's number of an index is ours plus the first one
        const = sp.expand(const + current().origin * (1 - sum(items.values())))
    text = ""
    ordered = sorted(items.items(), key=lambda pair: (pair[1] < 0, pair[0].sort))
    for index, c in ordered:
        sign = "-" if c < 0 else "+" if text else ""
        text += f"{sign}{abs(c) if abs(c) != 1 else ''}{letter(index)}"
    if const != 0 or not text:
        shown = size(const)
        text += shown if not text or shown.startswith("-") else f"+{shown}"
    return text


def size(value: sp.Expr) -> str:
    """A size such as n_k or 2 n - 1."""
    return str(sp.latex(value, symbol_names={s: name(str(s)) for s in value.free_symbols}))


def slots(group: Iterable[Slot]) -> str:
    """A group of indices, apart where they would be read as one command or word."""
    shown = [slot(s) for s in group]
    if len(shown) > 2 and "".join(shown) in RESERVED:
        return " ".join(shown)
    text = ""
    for part in shown:
        if re.search(r"\\[A-Za-z]+$", text) and part[0].isalpha():
            text += " "
        text += part
    return text
