r"""One text in other clothes: a verdict hangs on what is said, and not on how it is typeset.

`symattn bench clothes FILE…` writes every document in each of the ways of CLOTHES and compares the
verdicts on the same formulas.  Where they differ the reader has heard something in one form that it
has not heard in the other, and one of the two verdicts may be wrong.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from . import report
from .documents import check_text, plain

_INLINE = re.compile(r"(?<![\\$])\$(?!\$)((?:\\.|[^$\\\n])+)\$(?!\$)")
_DISPLAY = re.compile(  # behind words, of one line
    r"(?<!\$\$)(?<!-->)\n\s*\n\$\$\s*((?:(?!\$\$|\\begin|&|\\\\)[^\n])+?)\s*\$\$[ \t]*(?=\n)"
)
_SHOWN = re.compile(r"\$\$((?:(?!\$\$).)*)\$\$", re.DOTALL)
_ENDED = re.compile(r"([.,;]?)$")
_FENCE = re.compile(r"^(?:```|~~~|\|| {4}|#|[-*+>] |\d+\. |\$\$|<!--)", re.MULTILINE)


def kramdown(text: str) -> str:
    r"""\\( … \\) for the $ … $ of sentences."""
    return _INLINE.sub(r"\\\\(\1\\\\)", text)


def sentences(text: str) -> str:
    """Displays of one equation are formulas of the sentences before them."""

    def said(shown: re.Match[str]) -> str:
        inside, stop = shown[1].rstrip(".,;"), _ENDED.search(shown[1])
        return f" ${inside}${stop[1] if stop else ''}"

    return _DISPLAY.sub(said, text)


def environments(text: str) -> str:
    r"""\begin{equation} … \end{equation} for $$ … $$."""

    def put(shown: re.Match[str]) -> str:
        if r"\begin" in shown[1] or r"\tag" in shown[1]:
            return shown[0]
        return rf"\begin{{equation}}{shown[1]}\end{{equation}}"

    return _SHOWN.sub(put, text)


def unwrapped(text: str) -> str:
    """Every paragraph of words is one line."""
    parts = re.split(r"(\n\s*\n)", text)
    kept = (k % 2 or _FENCE.search(x) for k, x in enumerate(parts))
    return "".join(x if k else x.replace("\n", " ") for x, k in zip(parts, kept, strict=True))


CLOTHES: dict[str, Callable[[str], str]] = {
    f.__name__: f for f in (kramdown, sentences, environments, unwrapped)
}
DECIDED = frozenset({report.PROVED, report.REFUTED, report.MALFORMED, report.CONDITIONAL})


@dataclass(frozen=True)
class Change:
    """Another verdict on a formula, in a document in other clothes."""

    file: str
    line: int
    clothes: str
    latex: str
    before: str
    after: str

    @property
    def against(self) -> bool:
        """One of the two is a proof and the other one an error: one of them is wrong."""
        return report.PROVED in (self.before, self.after) and bool(
            {self.before, self.after} & {report.REFUTED, report.MALFORMED}
        )


def bench(
    files: Iterable[str | Path],
    *,
    timeout: float | None = 5.0,
    seed: int = 0,
    progress: Callable[[str, int, int], None] = lambda name, done, total: None,
) -> tuple[list[dict[str, object]], list[Change]]:
    """A row for every way of writing, and all verdicts that differ.

    Formulas that one form has and the other has not are counted as lost.  Raises FileNotFoundError
    for a file that is not there.
    """
    texts = {str(file): plain(Path(file).read_text("utf-8")) for file in files}
    counts = {name: dict.fromkeys(("formulas", "lost", "differ"), 0) for name in CLOTHES}
    found: list[Change] = []
    done, total = 0, len(texts) * (len(CLOTHES) + 1)
    for file, text in texts.items():
        first = _verdicts(text, file, timeout, seed)
        progress(file, done := done + 1, total)
        for name, dressed in CLOTHES.items():
            other = dressed(text)
            again = _verdicts(other, file, timeout, seed) if other != text else first
            progress(file, done := done + 1, total)
            for key, (line, verdict) in first.items():
                counts[name]["formulas"] += 1
                after = again.get(key, (0, "lost"))[1]
                counts[name]["lost"] += after == "lost"
                if after != verdict and {after, verdict} & DECIDED:
                    counts[name]["differ"] += after != "lost"
                    found.append(Change(file, line, name, key[0], verdict, after))
    rows = [
        {"clothes": n, **c, "against": sum(x.against for x in found if x.clothes == n)}
        for n, c in counts.items()
    ]
    return rows, found


def _verdicts(
    text: str, name: str, timeout: float | None, seed: int
) -> dict[tuple[str, int], tuple[int, str]]:
    """Line and verdict of every formula; of those that are written twice with their number."""
    found: dict[tuple[str, int], tuple[int, str]] = {}
    times = Counter[str]()
    for row in check_text(text, name, timeout=timeout, seed=seed, corrections=False).rows:
        latex = re.sub(r"\s+", "", row.latex).rstrip(".,;")
        found[latex, times[latex]] = row.line, row.verdict
        times[latex] += 1
    return found


__all__ = ["CLOTHES", "Change", "bench"]
