"""A row of the gallery of forms: definitions as people write them, and the textbook's lines."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Line:
    """The right-hand side of a gradient, in index and in matrix notation; at least one of them.

    `at` holds the letters of the left side: those of `of` first in a Jacobian.  Without it they are
    the letters that the name bears where the definitions first mention it.  `also` has the other
    spellings that textbooks use, in either notation.
    """

    index: str = ""
    matrix: str = ""
    at: str = ""
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Form:
    """A system in two spellings, and what a textbook prints for its derivatives.

    Of a scalar `of`, and where `jacobian` is set, a result is ∂of/∂wrt; otherwise it is the
    gradient by reverse mode, with the upstream gradient \\bar{of}.  The key "w w" is a second
    derivative.  Of adjoints a line uses that of `of` and those of names that are results too, so
    that the results together are complete.  Indices stand up or down in the lines as they do in
    texts[0].  Numbers that are to be tried for an input are drawn about `near`.  `again` has
    the lines for the second spelling where that is a notation of its own, log p − log q.
    """

    name: str
    texts: tuple[str, str]
    of: str
    results: dict[str, Line]
    jacobian: bool = False
    near: dict[str, float] = field(default_factory=dict)
    again: dict[str, Line] = field(default_factory=dict)
