"""A row of the gallery of forms: definitions as people write them, and the textbook's lines."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

import symattn as sa

DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)


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
    texts[0].  The second text may be a document with words round its formulas, or Python that makes
    a `system`.  Numbers that are to be tried for an input are drawn about `near`.  `again` has
    the lines for the second spelling where that is a notation of its own, log p − log q, and
    `where` the equations of names that only Python gives.
    """

    name: str
    texts: tuple[str, str]
    of: str
    results: dict[str, Line]
    jacobian: bool = False
    near: dict[str, float] = field(default_factory=dict)
    again: dict[str, Line] = field(default_factory=dict)
    where: str = ""

    def in_python(self, spelling: int) -> bool:
        return "sa.define(" in self.texts[spelling]

    def system(self, spelling: int) -> Any:
        """What one of the texts defines."""
        text = self.texts[spelling]
        if not self.in_python(spelling):
            return sa.read(text, strict=DISPLAY.search(text) is None)  # as `symattn derive` does
        names: dict[str, Any] = {"sa": sa, "sp": sp}
        exec(text, names)
        return names["system"]

    def formulas(self, spelling: int) -> str:
        """The equations of one of the texts, one a line; of Python those of the other spelling."""
        text = self.texts[spelling]
        if self.in_python(spelling):
            return "\n".join(filter(None, (self.formulas(1 - spelling), self.where)))
        rows = [r for shown in DISPLAY.findall(text) for r in shown.split(r"\qquad")]
        return "\n".join(r.strip().rstrip(".,") for r in rows) or text
