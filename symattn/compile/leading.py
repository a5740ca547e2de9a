"""Leading axes that only some arrays carry: who else has them, and where they are summed.

A definition carries the axes of everything in it, an upstream gradient and a tangent those of
their tensor.  A gradient has the axes of its tensor, so it is summed over those that the tensor
lacks and the output has; Jacobians, Hessians and products with them keep every axis.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches

from ..errors import DefinitionError
from ..ir import Tensor, refs
from .entry import Entry

Axes = Sequence[str] | Mapping[str, Sequence[str] | str]  # names, or the arrays of every name


def check_names(axes: Iterable[str], entries: Mapping[Tensor, Entry]) -> None:
    """Raises DefinitionError for an axis that is called as a size of one of the tensors is."""
    tensors = {*entries, *(ref.tensor for e in entries.values() for ref in refs(e.poly))}
    sizes = {str(s) for t in tensors for size in t.shape for s in size.free_symbols}
    for axis in axes:
        if axis in sizes:
            raise DefinitionError(
                f"the leading axis {axis!r} has the name of a size",
                expected=f"a name other than {', '.join(sorted(sizes))}",
                mend="their lengths may differ, so give it a name of its own",
            )


class Leading:
    """The leading axes of every tensor by name."""

    def __init__(
        self, given: Mapping[str, Sequence[str] | str], entries: Mapping[Tensor, Entry]
    ) -> None:
        self.given = {axis: (x,) if isinstance(x, str) else tuple(x) for axis, x in given.items()}
        self._entries = {t.name: e for t, e in entries.items()}
        tensors = {*entries, *(ref.tensor for e in entries.values() for ref in refs(e.poly))}
        beside = ("adjoint", "tangent", "inverse", "det", "logdet")  # what has the axes of another
        self._source = {t.name: t.of[0] for t in tensors if t.role in beside}
        self._known: dict[str, frozenset[str]] = {}

    def __call__(self, name: str) -> frozenset[str]:
        if name not in self._known:
            self._known[name] = self._find(name)
        return self._known[name]

    def _find(self, name: str) -> frozenset[str]:
        own = frozenset(axis for axis, arrays in self.given.items() if name in arrays)
        entry = self._entries.get(name)
        if own or (entry is None and name not in self._source):
            return own
        if entry is None:
            return self(self._source[name].name)
        if entry.adjoint:
            return self(entry.adjoint)
        return frozenset[str]().union(*(self(ref.tensor.name) for ref in refs(entry.poly)))

    def check(self, own: Collection[str], inputs: Collection[str]) -> None:
        """Raises DefinitionError for arrays that there are not, and for axes that nothing has."""
        for axis, arrays in self.given.items():
            for name in arrays:
                if name not in own:
                    self._refuse(axis, name, own)
            if not any(axis in self(name) for name in inputs):
                raise DefinitionError(
                    f"no array carries the leading axis {axis!r}",
                    expected="one of " + ", ".join(inputs),
                    got=", ".join(arrays) or "no names",
                    mend="leave the axis out, or name the arrays that have it",
                )

    def _refuse(self, axis: str, name: str, own: Collection[str]) -> None:
        near = get_close_matches(name, own, n=1)
        mend = f"did you mean {near[0]}?" if near else ""
        if name in self._entries or name in self._source:
            mend = "leave it out: it has the axes of what it is made of"
        raise DefinitionError(
            f"{name!r} is not an array that can carry the leading axis {axis!r}",
            expected="one of " + ", ".join(own),
            mend=mend,
        )


__all__ = ["Axes", "Leading", "check_names"]
