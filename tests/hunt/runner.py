"""One random question of a kind by its seed, what came of it, and a snippet that shows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

from . import (
    compiled,
    conditions,
    derivatives,
    documents,
    domains,
    kinds,
    lectures,
    losses,
    moments,
    printed,
    qualities,
    statements,
    theorems,
)
from .judge import SLOW
from .translate import statement_snippet

_ROOMS = {
    "lectures": lectures,
    "domains": domains,
    "conditions": conditions,
    "qualities": qualities,
    "moments": moments,
    "theorems": theorems,
    "kinds": kinds,
}
PAGES = ("documents", "chapters", "variants", *_ROOMS)  # whole texts, with tests of their own
KINDS = ("true", "false", "cases true", "cases false", "facts true", "facts false",
         "loss true", "loss false", "inverse true", "inverse false", "result true", "result false",
         "windows true", "windows false", "windows compiled", "windows derivatives",
         "derivatives", "compiled", "printed", "digits",
         *(f"{room} {truth}" for room in PAGES for truth in ("true", "false")))  # fmt: skip
WRONG = ("proved a false one", "refuted a true one", "wrong value", "something else",
         "a wrong correction")  # fmt: skip
BROKEN = ("crash", "late")


@dataclass(frozen=True)
class Outcome:
    """What symattn said to one question."""

    kind: str
    seed: int
    said: str
    seconds: float = 0.0
    detail: str = ""
    snippet: str = ""

    @property
    def wrong(self) -> bool:
        """Not so, whatever was meant."""
        return self.said in WRONG

    @property
    def broken(self) -> bool:
        """No answer at all, and no error of symattn's own."""
        return any(word in self.said for word in BROKEN)

    @property
    def good(self) -> bool:
        return self.said in ("proved", "right")

    @property
    def slow(self) -> bool:
        return self.seconds > SLOW

    def __str__(self) -> str:
        head = f"{self.kind}, seed {self.seed}: {self.said} {self.detail}".rstrip()
        return f"{head}\n{self.snippet}\n" if self.snippet else head


def available() -> tuple[str, ...]:
    """The kinds that this symattn has the words for."""
    lacking = ["digits"] * (find_spec("flint") is None)
    lacking += ["loss"] * (not losses.has_loss()) + ["inverse"] * (not losses.has_inverse())
    return tuple(k for k in KINDS if k.split()[0] not in lacking)


def ask(kind: str, seed: int, shorten: bool = True, quick: bool = False) -> Outcome | None:
    """The outcome of one question, with a short snippet where something is wrong."""
    return _ASK.get(kind, _statement)(kind, seed, shorten, quick)


def _statement(kind: str, seed: int, shorten: bool, quick: bool) -> Outcome | None:
    holds = not kind.endswith("false")
    first = kind.split()[0]
    made = first if first in statements.MAKERS else "plain"
    q = statements.question(made, seed, holds)
    if q is None:
        return None
    said = q.said
    if said == "proved" and not holds:
        said = "proved a false one"
    elif said == "refuted" and holds:
        said = "refuted a true one"
    detail = q.answer.crash or q.answer.error
    shown = ""
    if q.wrong or said == "error" or q.answer.seconds > SLOW:
        if shorten and said != "late" and (q.wrong or said == "error"):
            q = statements.small(q, seed)
        shown = statement_snippet(q.statement)
    return Outcome(kind, seed, said, q.answer.seconds, detail, shown)


def _derivative(kind: str, seed: int, shorten: bool, quick: bool) -> Outcome | None:
    found = derivatives.derived(seed, quick, kind.startswith("windows"))
    if found is None:
        return None
    seconds = found.seconds
    shown = ""
    if found.said != "right" or seconds > SLOW:
        if shorten and found.said not in ("right", "late"):
            found = derivatives.small(found, seed)
        shown = derivatives.snippet(found.task)
    return Outcome(kind, seed, found.said, seconds, found.detail, shown)


def _compiled(kind: str, seed: int, shorten: bool, quick: bool) -> Outcome | None:
    drawn = compiled.drawn(seed, quick, kind.startswith("windows"))
    if drawn is None:
        return None
    found, way = drawn
    seconds = found.seconds
    shown = ""
    if found.said != "right" or seconds > SLOW:
        if shorten and found.said not in ("right", "late"):
            found = compiled.short(found, way, seed)
        shown = compiled.snippet(found.task, way)
    return Outcome(kind, seed, found.said, seconds, found.detail, shown)


def _printed(kind: str, seed: int, shorten: bool, quick: bool) -> Outcome | None:
    found = printed.drawn(seed)
    if found is None:
        return None
    seconds = found.seconds
    shown = ""
    if found.said != "right":
        if shorten:
            found = printed.small(found, seed)
        shown = printed.snippet(found)
    return Outcome(kind, seed, found.said, seconds, found.detail, shown)


def _digits(kind: str, seed: int, shorten: bool, quick: bool) -> Outcome | None:
    from . import digits  # which needs python-flint

    drawn = digits.drawn(seed)
    if drawn is None:
        return None
    found, way = drawn
    seconds = found.seconds
    shown = ""
    if found.said != "right":
        if shorten and found.said != "late":
            found = digits.small(found, way, seed)
        shown = digits.snippet(found, way, seed)
    return Outcome(kind, seed, found.said, seconds, found.detail, shown)


def _documents(kind: str, seed: int, shorten: bool, quick: bool) -> Outcome | None:
    found = documents.asked_of(seed, kind.endswith("true"), quick, kind.split()[0])
    if found is None:
        return None
    shown = ""
    if found.said in WRONG or found.said in ("crash", "late") or found.seconds > SLOW:
        shown = documents.snippet(found, shorten)
    return Outcome(kind, seed, found.said, found.seconds, found.detail, shown)


def _pages(kind: str, seed: int, shorten: bool, quick: bool) -> Outcome | None:
    room, truth = kind.split()
    found = _ROOMS[room].asked_of(seed, truth == "true")
    if found is None:
        return None
    shown = found.text if found.said in (*WRONG, *BROKEN) or found.seconds > SLOW else ""
    detail = f"{found.claim.latex} ({found.detail})"
    return Outcome(kind, seed, found.said, found.seconds, detail, shown)


_ASK: dict[str, Callable[[str, int, bool, bool], Outcome | None]] = {
    "derivatives": _derivative,
    "windows derivatives": _derivative,
    "windows compiled": _compiled,
    "compiled": _compiled,
    "printed": _printed,
    "digits": _digits,
    **{f"{room} {truth}": _documents for room in PAGES for truth in ("true", "false")},
    **{f"{room} {truth}": _pages for room in _ROOMS for truth in ("true", "false")},
}
