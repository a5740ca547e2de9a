"""What symattn prints for the rows of the gallery."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import symattn as sa

from . import FORMS
from .compare import letters, same
from .form import Form
from .values import COMMENT, Equations
from .values import first_letters as mentioned

KINDS = ("index", "matrix", "again")  # the two forms, and either of them from the second spelling


@dataclass(frozen=True)
class Printed:
    """The right-hand sides of one result; `left` holds the letters on the index form's left."""

    index: str = ""
    matrix: str = ""
    left: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Row:
    """One line of one result of one system."""

    name: str
    wrt: str
    kind: str
    line: str
    printed: str
    same: bool

    @property
    def key(self) -> str:
        return f"{self.name} / {self.wrt} / {self.kind}"


def _right(equation: str | None) -> tuple[str, str]:
    left, _, right = (equation or "").partition(" = ")
    return left, right


@lru_cache(maxsize=1)
def _pass(system: Any, of: str, asked: tuple[str, ...]) -> Any:
    """All adjoints of one pass, of which each is a result."""
    return sa.backward(system, output=of, wrt=asked)


def derived(system: Any, form: Form, wrt: str) -> Any:
    """The derivation of a result."""
    # read names Greek letters without a backslash
    names = [n.removeprefix("\\") for n in wrt.split()]
    of = form.of.removeprefix("\\")
    if len(names) == 2:
        return sa.hessian(system, of=of, wrt=names[0])
    if form.jacobian or not system.definitions[of].indices:
        return sa.jacobian(system, of=of, wrt=names[0])
    asked = tuple(n.removeprefix("\\") for n in form.results)
    return _pass(system, of, asked)[names[0]]


def notation(form: Form, spelling: int) -> dict[str, str]:
    """Lines are in the notation of the first spelling."""
    sums = "explicit" if r"\sum" in form.texts[0] and spelling else "auto"
    return {"sums": sums, "indices": "down" if form.in_python(spelling) else "as written"}


def shown(found: Any, notation: dict[str, str], steps: bool = False) -> Printed:
    left, right = _right(found.equation(**notation))
    lines = (found.latex(),) if steps else ()
    return Printed(right, _right(found.matrix_form())[1], letters(left), lines)


@cache
def results(
    name: str, spelling: int, steps: bool = False
) -> tuple[dict[str, Printed | str], float]:
    """What is printed for each result, an error's first line where there is none, and the time."""
    form = next(f for f in FORMS if f.name == name)
    begin = time.process_time()
    found: dict[str, Printed | str] = {}
    try:
        system = form.system(spelling)
    except sa.SymattnError as error:
        return dict.fromkeys(form.results, _first(error)), time.process_time() - begin
    said = notation(form, spelling)
    for wrt in form.results:
        try:
            found[wrt] = shown(derived(system, form, wrt), said, steps)
        except sa.SymattnError as error:
            found[wrt] = _first(error)
        except KeyError as error:
            found[wrt] = f"no definition of {error}"
    return found, time.process_time() - begin


def _first(error: Exception) -> str:
    return str(error).splitlines()[0]


def left_letters(form: Form, wrt: str) -> tuple[str, ...]:
    """The letters on the left of a line."""
    if form.results[wrt].at:
        return tuple(form.results[wrt].at)
    names = frozenset(re.findall(r"^\\sigma", COMMENT.sub("", form.texts[0]), re.MULTILINE))
    text = Equations(form.texts[0], names)
    return mentioned(form, text, wrt)


def kinds(form: Form, wrt: str) -> list[str]:
    line = form.results[wrt]
    return [k for k in KINDS if k == "again" or getattr(line, k)]


def row(form: Form, wrt: str, kind: str) -> Row:
    """The comparison of one line."""
    line = form.results[wrt]
    if kind == "again":
        line = form.again.get(wrt, line)
    found = results(form.name, int(kind == "again"))[0][wrt]
    if isinstance(found, str):
        return Row(form.name, wrt, kind, line.index or line.matrix, found, False)
    free = (found.left, left_letters(form, wrt))
    scalar = not free[1]
    index, matrix = (
        bool(text) and any(same(text, t, **how) for t in (first, *line.also) if t)
        for text, first, how in (
            (found.index, line.index, {"free": free, "commute": True}),
            (found.matrix, line.matrix, {"commute": False, "scalar": scalar}),
        )
    )
    if kind == "index":
        return Row(form.name, wrt, kind, line.index, found.index, index)
    if kind == "matrix":
        return Row(form.name, wrt, kind, line.matrix, found.matrix, matrix)
    return Row(
        form.name,
        wrt,
        kind,
        line.matrix or line.index,
        found.matrix if line.matrix else found.index,
        index or matrix,
    )


def rows() -> list[Row]:
    return [row(f, w, k) for f in FORMS for w in f.results for k in kinds(f, w)]
