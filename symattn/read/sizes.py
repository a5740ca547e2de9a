"""Letters, slots and their sizes: what must be equal is united, and a clash names both places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from ..syntax import sizes as size_symbols
from .source import Source


class Size:
    """A class of slots and letters that have one size (union-find)."""

    __slots__ = ("at", "least", "letters", "parent", "value")

    def __init__(self, at: int, letter: str = "") -> None:
        self.parent: Size | None = None
        self.value: sp.Expr | None = None
        self.least = False  # the value is what sums reach, and the axis may go on behind it
        self.at = at  # where the value was said
        self.letters = [letter] if letter else []

    def root(self) -> Size:
        """The representative of the class."""
        size = self
        while size.parent is not None:
            size = size.parent
        return size

    def takes(self, value: sp.Expr) -> bool:
        """True where the class may be so long: nothing says how long, or sums end before that."""
        return self.value is None or (self.least and _fits(self.value, value))


class Letter:
    """An index letter of one statement, or the unnamed axis of a matrix."""

    __slots__ = ("alias", "at", "first", "last", "name", "size", "unnamed")

    def __init__(self, name: str, at: int, unnamed: bool = False) -> None:
        self.name, self.at, self.unnamed = name, at, unnamed
        self.alias: Letter | None = None
        self.last: sp.Expr | None = None  # how far a sum takes it
        self.first: int | None = None  # its own first number, where a text has no one for all
        self.size = Size(at, name)

    def real(self) -> Letter:
        """The letter that this one stands for."""
        letter = self
        while letter.alias is not None:
            letter = letter.alias
        return letter


def unnamed(k: int, at: int) -> Letter:
    """The letter for the axis number k of a matrix that is written without indices."""
    return Letter("pqrs"[k], at, unnamed=True)


@dataclass
class Sizes:
    """All sizes of a document."""

    source: Source
    slots: dict[tuple[str, int], Size] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)  # names that are sizes
    tensors: set[str] = field(default_factory=set)  # names that are tensors, and no sizes
    taken: set[str] = field(default_factory=set)  # names that stand in the text
    multiples: tuple[tuple[Size, Letter, int], ...] = ()  # axes that c a + r runs through
    prefixes: list[tuple[Size, Size, int]] = field(default_factory=list)  # k, n, c: Σ_{k≤n+c}
    firsts: dict[tuple[str, int], int | None] = field(default_factory=dict)  # of slots
    unended: set[str] = field(default_factory=set)  # letters whose sums end at what is no letter
    alone: dict[str, sp.Expr] = field(default_factory=dict)  # sizes of letters that no tensor bears
    spoken: dict[str, sp.Expr | None] = field(default_factory=dict)  # by limits; None: by several
    bound: dict[int, list[Letter]] = field(default_factory=dict)  # by sums, by statement
    place: int = -1  # where the formula begins that is read
    read: set[int] = field(default_factory=set)  # the places of formulas
    _united: Any = None  # what was united last, by which formula, and what before it
    _undo: list[tuple[object, str, object]] = field(default_factory=list)

    def mark(self) -> int:
        """A place to come back to, where a statement turns out not to be readable."""
        return len(self._undo)

    def back(self, mark: int) -> None:
        """Forget what was said since a mark."""
        while len(self._undo) > mark:
            thing, name, value = self._undo.pop()
            setattr(thing, name, value)

    def _set(self, thing: object, name: str, value: object) -> None:
        self._undo.append((thing, name, getattr(thing, name)))
        setattr(thing, name, value)

    @property
    def unions(self) -> Iterator[tuple[Size, Size, int]]:
        """What was united by the formula at which place."""
        last = self._united
        while last is not None:
            last, *union = last
            yield tuple(union)

    def begin(self, place: int) -> None:
        """What is said next is said by the formula at that place."""
        self.place = place
        self.read.add(place)

    def close(self) -> None:
        """Axes that are not known to be equal have sizes of their own from here on."""
        for size in [*self.slots.values()]:
            self.value(size)

    def slot(self, name: str, position: int, at: int) -> Size:
        """The size of a slot of a tensor."""
        key = (name, position)
        if key not in self.slots:
            self.slots[key] = Size(at)
        return self.slots[key]

    def begins(self, name: str, position: int, first: int | None, at: int) -> None:
        """Letters that begin there run along the slot.  Raises ReadError where others do not."""
        known = self.firsts.setdefault((name, position), first)
        if known is None:
            self.firsts[name, position] = first
        elif first not in (None, known):
            raise self.source.fail(
                at,
                f"an index of {name} begins at {known} elsewhere, and at {first} here",
                expected="the same first index",
                mend="write both sums from the same number on",
            )

    def settle(self) -> None:
        """The k and n of Σ_{k=1}^n run equally far where nothing says how far both do.

        That of Σ_{k=0}^n beside n = 1, …, N runs to N, which is one more.
        """
        for one, other, more in self.prefixes:
            if one.root().value is not None and other.root().value is not None:
                continue
            if more <= 0:
                self.unite(one, other, one.at, "a prefix")
            elif one.root().value is None:
                self.give(one, self.value(other) + more, one.at, "a prefix")

    def give(self, size: Size, value: sp.Expr, at: int, what: str) -> None:
        """The class has this size, as is said at `at`.  Raises ReadError where it has another."""
        root = size.root()
        for letter in root.letters:  # Σ_{l=1}^{n} says it of a Σ_l that nothing else says it of
            known = self.spoken.get(letter, value)
            self._set(self, "spoken", {**self.spoken, letter: value if known == value else None})
        if root.takes(value):
            self._set(root, "value", value)
            self._set(root, "at", at)
            self._set(root, "least", False)
        elif root.value != value:
            raise self._clash(at, what, root.value, value, root.at)
        self.names.update(s.name for s in value.free_symbols)

    def reach(self, size: Size, value: sp.Expr, at: int, what: str) -> None:
        """A sum runs so far along the class, which is as long or longer.  Raises as `give`."""
        root = size.root()
        if root.takes(value):
            self.give(size, value, at, what)
            self._set(root, "least", True)
        elif not _fits(value, root.value):
            raise self._clash(at, what, root.value, value, root.at)
        self.names.update(s.name for s in value.free_symbols)

    def stretch(self, size: Size, value: sp.Expr, at: int) -> None:
        """x_{k+1} under Σ_{k=1}^{n-1} and x_n: x has n components where nothing else says so."""
        root = size.root()
        if root.takes(value):
            self.reach(root, value, at, "an axis")

    def unite(self, a: Size, b: Size, at: int, what: str) -> None:
        """The two are equal.  Raises ReadError where they are known to differ."""
        one, two = a.root(), b.root()
        if a is not b:
            self._set(self, "_united", (self._united, a, b, self.place))
        if one is two:
            return
        if one.value is None:
            takes = two.value is not None
        elif two.value is None or one.value == two.value:
            takes = one.least and two.value is not None and not two.least
        else:
            takes = one.least and _fits(one.value, two.value)
            if not takes and not (two.least and _fits(two.value, one.value)):
                raise self._clash(at, what, one.value, two.value, one.at, two.at)
        if takes:
            self._set(one, "value", two.value)
            self._set(one, "at", two.at)
            self._set(one, "least", two.least)
        self._set(two, "parent", one)
        self._set(one, "letters", one.letters + two.letters)

    def spread(self, axis: Size, letter: Letter, c: int) -> None:
        """c a + r, 0 ≤ r < c, runs through an axis: it is c times as long as a."""
        self._set(self, "multiples", (*self.multiples, (axis, letter, c)))

    def _by_multiples(self, root: Size) -> sp.Expr | None:
        """The size of an axis that 2a and 2a + 1 run through, or that of their letter."""
        for axis, letter, c in self.multiples:
            own, other = axis.root(), letter.real().size.root()
            if own is root and own is not other:
                return c * self.value(other)
            if other is root and own.value is not None and (own.value / c).is_integer:
                return own.value / c
        return None

    def _clash(
        self, at: int, what: str, expected: sp.Expr, got: sp.Expr, *places: int
    ) -> Exception:
        said = []
        for value, place in zip((expected, got), places, strict=False):
            line, column = self.source.place(place)
            said.append(f"{value} by line {line}, column {column}")
        return self.source.fail(
            at,
            f"{what} has two sizes, {expected} and {got}",
            expected="; ".join(said),
            got=str(got),
            mend="use another letter, or declare the shapes: symattn: sizes Q:(n_q,d_k)",
        )

    def same_letter(self, a: Letter, b: Letter, at: int, what: str) -> None:
        """Two axes are one."""
        a, b = a.real(), b.real()
        if a is not b:
            self.unite(a.size, b.size, at, what)
            self._set(b, "alias", a)

    def value(self, size: Size) -> sp.Expr:
        """The size as a SymPy expression; n_j, named after a letter, where nothing says more."""
        root = size.root()
        if root.value is None:
            root.value = self._by_multiples(root)
        if root.value is None:
            stem = next((x for x in root.letters if x.isalpha()), "1")
            borne = any(slot.root() is root for slot in self.slots.values())
            if borne:
                root.value = self._named(stem)
            else:
                said = self.spoken.get(stem) or self.alone.get(stem)
                root.value = self._beside(root, stem) or said
        if root.value is None:  # Σ_j 1 runs as far as Σ_j 1 elsewhere
            root.value = self.alone[stem] = self._named(stem)
        return self.called(root.value)

    def called(self, value: sp.Expr) -> sp.Expr:
        """A size in the names that the engine has for it: n_N beside a tensor N."""
        called = {
            s: size_symbols(f"n_{s.name}")[0] for s in value.free_symbols if s.name in self.tensors
        }
        return value.subs(called) if called else value

    def _beside(self, root: Size, stem: str) -> sp.Expr | None:
        """The size of the letters of that name that other sums of the statement bind."""
        for letters in self.bound.values():
            same = {x.real().size.root() for x in letters if x.name == stem}
            borne = {s.root() for s in self.slots.values()}
            others = [s for s in same if s is not root and (s.value is not None or s in borne)]
            if root in same and len(others) == 1:
                return self.value(others[0])
        return None

    @property
    def open(self) -> dict[str, str]:
        """How far letters run that no tensor bears, where a text does not settle it, and why."""
        why = "how far {} runs, which the text does not say"
        several = len(self.alone) > 1
        return {
            str(size): why.format(stem)
            for stem, size in self.alone.items()
            if several or stem in self.unended
        }

    def _named(self, stem: str) -> sp.Expr:
        """A new size, named after a letter."""
        name, k = f"n_{stem}", 1
        while name in self.names or name in self.taken:
            k += 1
            name = f"n_{stem}{k}"
        self.names.add(name)
        return size_symbols(name)[0]


def _fits(part: sp.Expr, whole: sp.Expr) -> bool:
    """True for n − 1 of n: a number of indices is left behind it, or none."""
    rest = sp.expand(whole - part)
    return bool(rest.is_Integer and rest >= 0)
