"""A source as a document: read again where names mean several things, without what spoils it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from ..errors import SymattnError
from . import anew, declarations, labels, samples, scopes, steps, through
from .document import Assembly
from .left import is_shape
from .names import Names
from .result import Document
from .sequences import ClosedForm, Rule
from .sizes import Sizes
from .source import UNFORESEEN, Display, ReadError, Source, placed
from .unrolled import Through, Unrolled
from .values import Conventions

MEAN = re.compile(r"\\[dt]?frac.{2,40}\\sum\s*_")  # of a fraction before a Σ
UNCOUNTED = re.compile(r"is the first one 0 or 1\?|: a sum of indices")  # an index as a number
_NAME = r"(?:[A-Za-z]|\\[A-Za-z]+(?:\s*\{\s*\\?[A-Za-z]+\s*\})?)"
_ONE_VALUE = re.compile(rf"\s*({_NAME})\s*_\s*(?:[a-z]|\{{[^{{}}]*\}})\s*=\s*\1\s*$")
TRIES = 3  # readings with names of several meanings
SPOILT = 12  # formulas that are set aside because nothing else can be read beside them


def assemble(source: Source, strict: bool) -> Document:
    """The document of a source; with `strict` the first thing that cannot be read is an error.

    Otherwise a formula at which reading the others ends is set aside, and listed with its reason;
    where many do, so is all that stands behind the last of them.
    """
    if not strict:
        source = _without_values(source)
    whole, spoilt, broken, sound = source, list[Display](), [*source.broken], 0
    while not strict:
        try:
            return _twice(source)
        except (SymattnError, *UNFORESEEN) as error:
            every = sorted([*source.displays, *source.inline.values()], key=lambda d: d.start)
            if not every:
                break
            at = _own(source, every, error)
            if at is None:
                at = sound = _first(source, every, sound)
            last = at + 1 if len(spoilt) < SPOILT else len(every)
            spoilt += every[at:last]
            broken += [(d.start, _said(source, d, error)) for d in every[at:last]]
            sound = min(sound, at)
            source = whole.without(spoilt, broken)
    if strict and (document := _with_means(source)) is not None:
        return document
    made = _assembly(source, strict)
    try:
        return made.document()
    except ReadError as error:
        if made.conventions.origin is None and UNCOUNTED.search(error.problem):
            return _counted(source, error)
        raise


def _without_values(source: Source) -> Source:
    """The source without g_i = g, which gives all g_i one value and makes no other name of g."""
    every = [*source.displays, *source.inline.values()]
    same = [d for d in every if _ONE_VALUE.match(source.text, d.start, d.end)]
    why = "a name with an index and without: all of them have one value"
    broken = [(d.start, source.fail(d.start, why)) for d in same]
    return source.without(same, [*source.broken, *broken]) if same else source


def _with_means(source: Source) -> Document | None:
    """The document of a text with means; in it the d of (1/d) Σ_i says how many values i has.

    Where it does, the document defines things and claims nothing: of any other d a claim may be
    wrong.
    """
    if not MEAN.search(source.text):
        return None
    made = _assembly(source, True)
    made.means = True
    try:
        document = made.document()
    except ReadError:
        return None
    return None if made.means and document.claims else document


def _counted(source: Source, error: ReadError) -> Document:
    """The document with indices from 0, where it defines things and claims nothing.

    What is derived of Σ_n n x_n or x_{n + k} looks the same if it counts from 1; what is claimed of
    it may be true for one of them alone.
    """
    made = _assembly(source, True)
    made.conventions.origin = 0
    document = made.document()
    if document.claims:
        raise error
    return document


def _own(source: Source, every: list[Display], error: Exception) -> int | None:
    """The formula that an error is about, where it says so."""
    if not isinstance(error, ReadError):
        return None
    place = error.line, error.column
    own = (k for k, d in enumerate(every)
           if source.place(d.start) <= place <= source.place(d.end))  # fmt: skip
    return next(own, None)


def _said(source: Source, display: Display, error: Exception) -> ReadError:
    """An error as that of a formula, at its place."""
    found = placed(source, display.start, error)
    inside = source.place(display.start) <= (found.line, found.column) <= source.place(display.end)
    problem = re.sub(r"^line \d+, column \d+: ", "", found.problem)
    return found if inside else source.fail(display.start, problem, mend=found.mend)


def _first(source: Source, every: list[Display], sound: int) -> int:
    """The first formula that cannot be read beside those before it, `sound` of which can."""
    bad = len(every)
    while bad - sound > 1:
        half = (sound + bad) // 2
        try:
            _assembly(source.without(every[half:], ()), False).document()
        except (SymattnError, *UNFORESEEN):
            bad = half
        else:
            sound = half
    return sound


def _twice(source: Source) -> Document:
    """The document, read again where its sections give names several meanings.

    Where a name is tried as another one, and the formulas with it stay unread, it is not.
    """
    first = _assembly(source, False)
    document = first.document()
    for meanings, surely in samples.renewals(first.every):
        again = _assembly(replace(source, anew=meanings, memory={}), False)
        with suppress(SymattnError, *UNFORESEEN):
            second = again.document()
            if len(second.refused) < len(document.refused) + surely:
                source, first, document = again.source, again, second
                break
    found = _settled(source, first, document)
    _by_one_step(source, first, found)
    return found


def _by_one_step(source: Source, first: Assembly, document: Document) -> None:
    """Enter what a text with a recursion says of one step of it, for derivatives through all.

    Where several chapters have a recursion and a loss, each is a text of its own.
    """
    starts = {s.parsed.at: s.tokens[0].at for s in first.every if s.parsed is not None}
    trees = [s.parsed for s in first.every if s.parsed is not None]
    chapters = scopes.chapters(source)
    inside = [[t for t in trees if a <= starts[t.at] < b] for a, b in chapters]
    models = [through.gather(own, steps.letters(own)) for own in inside]
    own = [(place, one) for place, one in zip(chapters, models, strict=True) if one is not None]
    if len(own) < 2:
        whole = through.gather(trees, steps.letters(trees))
        own = [((0, 0), whole)] if whole is not None else []
    every = [*source.displays, *source.inline.values()]
    document.through = tuple(
        _of_model(source.without([d for d in every if _within(d, own, k)], source.broken),
                  first, one, starts)
        for k, (_, one) in enumerate(own)
    )  # fmt: skip


def _within(display: Display, models: list[tuple[tuple[int, int], Unrolled]], own: int) -> bool:
    """True for a formula of a chapter that has another recursion."""
    return any(a <= display.start < b for k, ((a, b), _) in enumerate(models) if k != own)


def _of_model(source: Source, first: Assembly, one: Unrolled, starts: dict[int, int]) -> Through:
    """What is so at one step of a recursion."""
    readings: list[Document | None] = []
    known = dict(first.names.ranks)
    named = source.steps | {one.letter}
    for kind in (one, replace(one, apart=True)) if one.summed and one.parameters else (one,):
        tries: list[Document] = []
        for ranks in ({}, known):
            again = replace(source, unrolled=kind, steps=named, before={**ranks}, memory={})
            with suppress(SymattnError, *UNFORESEEN):
                tries.append(_assembly(again, False).document())
            if tries and not tries[-1].refused:
                break
        best = min(tries, key=lambda read: len(read.refused), default=None)
        readings.append(best)
        inputs = best.inputs if best is not None else {}  # W, which is W_t in the second
        known |= {n: len(getattr(x, "shape", ())) for n, x in inputs.items()}
    return one.through(lambda at: source.place(starts.get(at, at)), (*readings,))


def _settled(source: Source, first: Assembly, document: Document) -> Document:
    """The document with names that have several meanings, letters of steps and labels as such."""
    spared = dict[int, set[str]]()
    every = [(first, document), *_by_steps(source, first)]
    first, document = min(every[1:] or every, key=lambda read: read[0].patches)
    if len(document.refused) > len(every[0][1].refused):
        first, document = every[0]
    first, document = _outright(*_labelled(first, document))
    if first.lonely:
        again = _assembly(replace(first.source, late=frozenset(first.lonely), memory={}), False)
        with suppress(SymattnError, *UNFORESEEN):
            late = again.document()
            late.square = document
            late.lonely = {source.place(at): name for at, name in first.lonely.items()}
            first, document = again, late
    source = first.source
    found, failed = first.every, first.unread
    for _ in range(TRIES):
        sized = [s for s, error in first.failed.items() if "two sizes" in error.problem]
        given = anew.renewals(source, found, failed, first.names, spared, sized)
        if not given:
            break
        with suppress(SymattnError, *UNFORESEEN):
            again = _assembly(replace(source, anew=_joined(source.anew, given), memory={}), False)
            second = again.document()
            useless = anew.useless(given, found, failed, again.unread, first.names)
            if not useless and len(second.refused) <= len(document.refused) - bool(sized):
                second.square, second.lonely = document.square, document.lonely
                return second
            for begin, name in useless:
                spared.setdefault(begin, set()).add(name)
            if useless:
                continue
        break
    return document


def _joined(known: samples.Table, given: samples.Table) -> samples.Table:
    """The later meanings of names, where some are any one of a sample, and x_2 is taken."""
    found = {**known}
    for name, row in given.items():
        taken = name in known
        found[name] = [
            *known.get(name, ()),
            *(replace(r, number=r.number + 1) if taken and r.number else r for r in row),
        ]
    return found


def _labelled(first: Assembly, document: Document) -> tuple[Assembly, Document]:
    """The document with letters as labels that nothing else can be, where more of it is read so."""
    written = ((s.tree, s.here) for s in first.every if not is_shape(s.tree))
    named = labels.initials(first.source.text)
    marks = labels.loose((s.tree for s in first.unread), written, named)
    if not marks:
        return first, document
    again = _assembly(replace(first.source, marks=marks, memory={}), False)
    with suppress(SymattnError, *UNFORESEEN):
        second = again.document()
        if len(second.refused) < len(document.refused):
            return again, second
    return first, document


def _outright(first: Assembly, document: Document) -> tuple[Assembly, Document]:
    """The document without recursions of matrices whose closed forms stand there, as those say."""
    forms = [c for c in first.stepwise.values() if isinstance(c, ClosedForm)]
    apart = frozenset(c.recursion for c in forms if c.name[:1].isupper())
    if not apart or first.source.apart:
        return first, document
    steps = first.source.steps - {c.letter for c in forms}
    again = _assembly(replace(first.source, apart=apart, steps=steps, memory={}), False)
    with suppress(SymattnError, *UNFORESEEN):
        second = again.document()
        if len(second.refused) <= len(document.refused) + len(apart):
            return again, second
    return first, document


def _by_steps(source: Source, first: Assembly) -> Iterator[tuple[Assembly, Document]]:
    """The document with x_k and x_{k+1} as names, with what a first reading tells and without."""
    trees = [s.parsed for s in first.every if s.parsed is not None]
    claims = {at for at, one in first.stepwise.items() if not isinstance(one, Rule)}
    trees = [t for t in trees if source.place(t.at) not in claims]  # which are decided without
    found = steps.letters(trees) - labels.of_blocks(trees)
    for ranks in ({}, first.names.ranks) if found else ():
        again = _assembly(replace(source, steps=found, before={**ranks}, memory={}), False)
        with suppress(SymattnError, *UNFORESEEN):
            yield again, again.document()


def _assembly(source: Source, strict: bool) -> Assembly:
    names, sizes = Names(source), Sizes(source)
    conventions = Conventions()
    declarations.declare(source, names, sizes, conventions, strict)
    names.versions.strict = strict
    names.tied.update({n: why for n, why in source.called.items() if why})
    return Assembly(source, strict, names, sizes, conventions)


__all__ = ["assemble"]
