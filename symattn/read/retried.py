"""Reading statements, and reading again what fails: in parts of a text, with other names."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import combinations

from ..errors import SymattnError
from . import examples, imaginary, scopes
from .build import DEFINING, Link
from .evidence import name_of
from .left import head, is_shape
from .outgrown import outgrown
from .scripts import component
from .source import UNFORESEEN, ReadError, placed
from .split import Statement
from .told import Told
from .tree import Chain, is_nabla, walk
from .usage import context

MISFIT = re.compile(  # errors of a name that is another tensor elsewhere
    r"two sizes|different shapes|has \S+ axes|(?:has|takes) (?:no|one|\d+) ind|without indices"
    r"|below a fraction bar|stands? beside|not known|vector|matrix"
)
PART = "a block of "  # and so does this
ELSEWHERE = "than elsewhere in the text"  # ties a name
COMPONENT = "being a component of "  # ties one too
MOST_READ = 30  # shorter forms of a chain that are read
LENGTHS = re.compile(r"index \w+ in slot \d+ of (?P<name>\w+) has two sizes")
SIZES = re.compile(r"(?:contracted axis|ax[ie]s of \S+ \S+|axis \d+ of \S+) has two sizes")


def _choices(sides: Sequence[int], wrong: AbstractSet[int]) -> Iterator[tuple[int, ...]]:
    """Sides to leave out, the fewest first; with those that turn out wrong meanwhile."""
    size = 1
    while size < len(sides):
        others = [k for k in sides if k not in wrong]
        for more in combinations(others, size - len(wrong)):
            known = len(wrong)
            yield tuple(sorted({*wrong, *more}))
            if len(wrong) > known:
                break
        else:
            size += 1
        size = max(size, len(wrong))


@dataclass
class Retried(Told):
    """Statements that are read one by one."""

    def _each(
        self, found: Iterable[Statement], step: Callable[[Statement], None]
    ) -> list[Statement]:
        """The statements that a step takes; the errors of the others are noted."""
        taken = []
        for s in found:
            try:
                step(s)
                taken.append(s)
            except (SymattnError, *UNFORESEEN) as error:
                at = s.tokens[0].at
                self.failed[s] = placed(self.source, at, error)
                if self.strict:
                    raise self.failed[s] from None
        return taken

    def _examples(self, found: list[Statement]) -> None:
        """Names that a section gives to matrices of numbers are other tensors there."""
        numbers = [s for s in found if examples.is_example(s.tree)]
        before = [s for s in found if s not in numbers]
        scopes.local(places(numbers), places(before), self.names, ahead=True)

    def _outgrown(self, read: Iterable[Statement]) -> None:
        """Read again what took names for numbers that equations behind it gave axes."""
        for s in read:
            first, last = s.tokens[0].at, s.tokens[-1].at
            own = [k for k in self.links if first <= k.at <= last]
            name = next((n for k in own if (n := outgrown(k, self.names.ranks))), None)
            if name is None or is_shape(s.tree):
                continue
            self._unread(own)
            if not self._each([s], self._read):
                at, rank = s.tokens[0].at, self.names.ranks[name]
                self.failed[s] = self.names.clash(name, 0, rank, at)

    def _unread(self, links: Iterable[Link]) -> None:
        """Forget what links say."""
        gone = {id(link): link for link in links}
        for link in gone.values():
            if link.kind in DEFINING:
                self.uses.pop(link.name, None)
                self.functions.pop(link.name, None)
        self.links[:] = [k for k in self.links if id(k) not in gone]
        made = {k.name for k in gone.values() if k.kind == "auxiliary"}
        again = {key: name for key, name in self.names.auxiliary.items() if name in made}
        for key in again:  # it is made anew when it is read again
            del self.names.auxiliary[key]

    def _again(self, read: list[Statement]) -> None:
        """Read what failed in sections that give names to other tensors."""
        misfits = [s for s, error in self.failed.items() if MISFIT.search(error.problem)]
        regions = scopes.local(places(misfits), places(read), self.names)
        inside = [s for s in self.failed if any(a <= s.tokens[0].at < b for a, b in regions)]
        for s in inside:
            del self.failed[s]
        shapes = [s for s in inside if is_shape(s.tree)]
        self._each(shapes, lambda s: self._shape(s, []))
        self._told(inside)
        self._each(inside, self._collected)
        self._each([s for s in inside if s not in self.failed], self._read)

    def _otherwise(self) -> None:
        """Read what still fails with names that are other tensors in that statement.

        Parameters of a function come first, then names with other axes than elsewhere.
        """
        shared: dict[tuple[str, int], str] = {}
        for s in [*self.failed]:
            self._with_others(s, shared)
        self._of_sections()

    def _with_others(self, s: Statement, shared: dict[tuple[str, int], str]) -> bool:
        """Read a statement that fails with names that are other tensors in it."""
        error = self.failed[s]
        if is_shape(s.tree) or not MISFIT.search(error.problem):
            return False
        left = walk(s.tree.sides[0]) if isinstance(s.tree, Chain) else ()
        slope = any(map(is_nabla, left))  # and ∇²J(β) one of the J that is defined
        if s.called is not None and not slope:  # 𝒩(x | μ, σ²) is another function of vectors
            put_in = s.tree, s.here
            s.tree, s.here = s.called, context(s.called, self.names)
            if self._with(s, {}, {}):
                return True
            s.tree, s.here = put_in
        place = (s.tree, s.here, s.tokens[0].at)
        own = scopes.parameters(s.tree, s.here, self.names)
        others = scopes.differing(place, self.names)
        called = {n: shared.get((n, r)) for n, r in others.items()}
        tries = [dict.fromkeys(others.keys() & own), called, dict.fromkeys(others)]
        if SIZES.search(error.problem) and not self.names.versions.table:
            tries = tries[:1]
        again = {k: t for k, t in enumerate([{}, *tries]) if t or not k}  # O = P V before O_i
        return any(self._with(s, t, shared if k > 1 else {}) for k, t in again.items())

    def _of_sections(self) -> None:
        """Read what a section says of a name that is as long as another one everywhere else.

        Two equations or more of the section speak of it, and none of them fits the first one.
        """
        apart: dict[tuple[str, int], list[Statement]] = {}
        for s, error in self.failed.items():
            if not is_shape(s.tree) and (clash := LENGTHS.search(error.problem)):
                section = self.source.section(s.tokens[0].at)
                apart.setdefault((clash["name"], section), []).append(s)
        for (name, section), several in apart.items():
            inside = [s for s in self.every if self.source.section(s.tokens[0].at) == section]
            use = [s for s in inside if name in scopes.written(s.tree, s.here, self.names).values()]
            if len(several) > 1 and {*use} <= {*several} and name not in self.names.declared:
                called: str | None = None
                for s in several:
                    if self._with(s, {name: called}, {}):
                        called = called or self.names.versions.table[name][-1].name

    def _shortened(self) -> None:
        """Read a = b = c without the b that cannot be read, which is refused by itself."""
        for s, error in list(self.failed.items()):
            tree = s.tree
            if not isinstance(tree, Chain) or {r for r, _ in tree.relations} - {"="}:
                continue
            out = self._left_out(s, tree, error)
            if not out:
                continue
            del self.failed[s]
            ends = [at for _, at in tree.relations[1:]] + [self._end(s.tokens[-1])]
            for k in out:
                at = tree.relations[k - 1][1]
                self.refuse(at, self.source.text[at : ends[k - 1]].strip(), error)

    def _left_out(self, s: Statement, tree: Chain, error: ReadError | None) -> tuple[int, ...]:
        """The sides without which a chain can be read; the fewest, and none where that is none.

        What is wrong inside of one side is wrong whatever stands beside it.
        """
        starts = [at for _, at in tree.relations]
        inner = range(1, len(tree.sides))
        wrong = set[int]()
        tried = 0
        for out in _choices(inner, wrong):
            if error is not None and not MISFIT.search(error.problem):
                wrong |= {bisect_right(starts, error.at)} - {0}
            if not wrong <= {*inner}:
                return ()
            if tried == MOST_READ:
                return self._one_by_one(s, len(tree.sides))
            if wrong <= {*out}:
                tried += 1
                error = self._unreadable(s.without(out))
                if error is None:
                    return out
        return ()

    def _one_by_one(self, s: Statement, count: int) -> tuple[int, ...]:
        """The sides of a long chain that cannot be read beside those before them."""
        out, mark = tuple[int, ...](), len(self.links)
        for k in range(1, count):
            behind = tuple(range(k + 1, count))
            if self._unreadable(s.without((*out, *behind))) is not None:
                out = (*out, k)
            self._unread(self.links[mark:])
        return out if len(out) < count - 1 and self._unreadable(s.without(out)) is None else ()

    def _unreadable(self, s: Statement) -> ReadError | None:
        """Read a statement; the error where that fails, and the ranks of names as before."""
        ranks = dict(self.names.ranks)
        if self._each(self._each([s], self._collected), self._read):
            return None
        self.names.ranks.clear()
        self.names.ranks.update(ranks)
        return self.failed.pop(s)

    def _with(
        self, s: Statement, local: dict[str, str | None], shared: dict[tuple[str, int], str]
    ) -> bool:
        """True where the statement can be read with these names as other tensors."""
        names, versions = self.names, self.names.versions
        ranks, error = dict(names.ranks), self.failed.pop(s)
        end = self._end(s.tokens[-1])
        called = {
            n: versions.local(n, min(t.at for t in s.tokens), end + 1, known or "")
            for n, known in local.items()
        }
        self._told([s], heard=True)
        if self._each(self._each([s], self._collected), self._read):
            self.patched.add(s)
            for n, other in called.items():
                shared.setdefault((n, names.ranks.get(other, 0)), other)
                names.tied.setdefault(other, f"another {n} {ELSEWHERE}")
            self._against_words(s, called)
            return True
        for n in local:
            versions.forget(n)
        names.ranks.clear()
        names.ranks.update(ranks)
        self.failed[s] = error
        return False

    def _against_words(self, s: Statement, called: dict[str, str]) -> None:
        """Note the names that are numbers in a statement, and matrices in the words of the text."""
        left = head(s.tree)
        new = name_of(left, self.names, s.here) if left is not None else None
        told = {n for n, other in called.items() if self.names.stated.get(n) == 2
                and not self.names.ranks.get(other)}  # fmt: skip
        if told and (new is None or new.written not in told):
            are = "is a number and no matrix" if len(told) == 1 else "are numbers and no matrices"
            self.names.where[s.tree.at] = f"{', '.join(sorted(told))} {are}"

    def _read(self, s: Statement) -> None:
        """Read one statement in the layout of derivatives that its shapes ask for."""
        self.names.layouts.read(lambda: self._once(s), self.sizes, self.names.ranks)

    def _once(self, s: Statement) -> None:
        """Read one statement; what cannot be read leaves no trace."""
        mark, undo = len(self.links), self.sizes.mark()
        ranks, known = dict(self.names.ranks), dict(self.names.auxiliary)
        self.sizes.begin(s.tokens[0].at)
        try:
            if imaginary.is_sized(s.tree, self.names.imaginary):
                raise self.source.fail(
                    s.tokens[0].at,
                    "a root, a logarithm, a bound or a broken power of a complex number",
                    expected="names of real numbers",
                    mend="write real and imaginary parts as equations of their own",
                )
            self._statement(s)
            self._auxiliary(s)
            for name, rank in self.shown.items():
                if self.names.ranks.get(name, rank) != rank:
                    raise self.names.clash(name, self.names.ranks[name], rank, s.tokens[0].at)
        except (SymattnError, *UNFORESEEN):
            self._unread(self.links[mark:])
            self.sizes.back(undo)
            self.names.auxiliary = known
            self.made.clear()
            self.names.ranks.clear()
            self.names.ranks.update(ranks)
            raise

    def _shaped_anew(self, s: Statement, error: ReadError) -> None:
        """Q ∈ ℝ^{m×k} where Q has another shape: another Q from here on."""
        assert isinstance(s.tree, Chain)
        found = component(s.tree.sides[0], self.names, s.here)
        if found is None or not MISFIT.search(error.problem):
            self.failed[s] = error
            return
        other = self.names.versions.local(found.written, s.tree.at, len(self.source.text) + 1)
        try:
            self._shape(s, [])
            self.links.append(Link("shape", "∈", None, None, (), "", s.tree.at, s.latex))
            self.names.tied[other] = f"another {found.written} than before in the text"
        except ReadError:
            self.names.versions.forget(found.written)
            self.failed[s] = error


def places(found: Iterable[Statement]) -> list[scopes.Place]:
    return [(s.tree, s.here, s.tokens[0].at) for s in found]


__all__ = ["Retried", "places"]
