r"""Claims about expectations, variances and covariances of random variables that nothing specifies.

What holds for the outcomes 1, …, n of equal weight, whatever n and the values are, holds for all
weights that are fractions, and so for all:

    E[X] = 1/n Σ_k X_k,  Var(X) = E[X²] − E[X]²,  Cov(X, Y) = E[X Y] − E[X] E[Y].

What stands under these signs only is random, what stands outside as well is a number.  An equation
that fails may be a condition (E[X] = 0, E[X Y] = E[X] E[Y]); it is wrong where one edit of its
right side makes an identity of it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from . import report
from .finding import Finding
from .outline import Outline
from .repair import declared
from .statements import reading

if TYPE_CHECKING:
    from .judge import Judge

_SIGN = re.compile(
    r"(?:\\(?:mathbb|mathrm|mathsf|mathbf|operatorname|text|textrm|rm)\s*\{?\s*"
    r"(?:E|Var|Cov|var|cov)(?![a-zA-Z])\s*\}?|\\(?:E|Var|Cov|var|cov)(?![a-zA-Z]))\s*"
)
_ALONE = (
    r"[\[(]\s*{0}\s*(?:\^\s*\{{?\d\}}?\s*)?(?:\\right\s*)?[\])]|[\[(,]\s*{0}\s*,|,\s*{0}\s*[\])]"
)
_OPEN = re.compile(r"(?:\\(?:left|[bB]igg?l?))?\s*(?:\\[{]|[\[(])")
_TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|[A-Za-z](?:_\{?\w+\}?|')*|[_^]|.", re.DOTALL)
_SPACES = re.compile(
    r"\\(?:left|right|[bB]igg?[lr]?|cdot|frac|dfrac|tfrac|quad|qquad|times|[,;:!{}])|[\s\d+\-=()\[\]{}^.,/&]"
)
_GREEK = re.compile(r"\\(?:[a-z]*(?:alpha|beta|gamma|delta|epsilon|eta|theta|kappa|lambda|mu|nu|xi|"
                    r"rho|sigma|tau|phi|omega))")  # fmt: skip
_RANDOM = re.compile(r"\brandom (?:variables?|vectors?|numbers?)\b", re.IGNORECASE)
_LIST = r"(?:(?:\$[^$\n]+\$|\\\([^\n]+?\\\))[\s,]*(?:(?:and|or)\s+)?)+"
_SAID = re.compile(  # random variables $X$ and $Y$; let $X$, $Y$ be real random variables
    rf"\brandom\s+(?:variables?|vectors?|numbers?)\s+(?P<after>{_LIST})"
    rf"|(?P<before>{_LIST})(?:be|is|are|denote)\s+(?:[\w-]+\s+){{0,5}}random\b",
    re.IGNORECASE,
)
_BY_CASE = ("as capitals are", "as bold letters are")  # which random variables are not
_APPLIED = re.compile(
    r"(?:(?<![A-Za-z\\])[A-Za-z]|\\(?:phi|psi|pi|mu|sigma|theta))\}?\s*(?:\\left|\\[bB]igg?l?)?\s*[(\[]"
)  # f(X)
_APART = re.compile(
    r"\b(?:in|un)dependen|\buncorrelat|\bi\.?i\.?d\b|\borthogonal|\bcentered|zero.mean",
    re.IGNORECASE,
)


def moments(latex: str, line: int, judge: Judge) -> Finding | None:
    """The verdict on an equation between moments; None where there is none."""
    outline = judge.outline
    parts = latex.split("=")
    if len(parts) != 2 or not _SIGN.search(latex) or "symattn: expectation" in outline.text:
        return None
    found = _names(latex)
    if found is None:
        return None
    inside, outside = found
    document = judge.versions.document
    assumed = getattr(document, "assumed", {}) if _RANDOM.search(outline.text) else {}
    convention = {n for n, why in assumed.items() if why.endswith(_BY_CASE)}
    ranked = {n for n, t in document.inputs.items() if t.shape} - convention
    random = inside - outside
    if inside & ranked or not random or not outside <= inside:
        return None
    said = _random(outline.text)
    drawn_too = {n for n in inside if n in said or n.isupper()}
    if outside & drawn_too:
        return None  # X 𝔼[Y] is random as X is
    alone = {n for n in random if re.search(_ALONE.format(re.escape(n)), latex)} | drawn_too
    free = not (inside & set(document.definitions) or _APART.search(outline.around(line)))
    for drawn in (random, alone) if alone and alone != random else (random,):
        own = _finding(latex, drawn, inside - drawn, judge)
        if own is None:
            continue
        keep: dict[str, Any] = {"proof": own.proof, "system": own.system, "kind": "claim"}
        if own.verdict == report.PROVED:
            given = [f"{', '.join(sorted(drawn))}: random, with finite moments"]
            if constant := sorted(inside - drawn):
                given.append(f"{', '.join(constant)}: constant")
            return Finding(report.PROVED, "", assumed=tuple(given), used=own.used, **keep)
        if own.verdict == report.REFUTED and own.correction and free and drawn <= alone:
            return Finding(report.REFUTED, own.reason, own.counterexample, own.correction, **keep)
    return None


def _random(text: str) -> set[str]:
    """The names that words call random variables."""
    listed = " ".join(m["after"] or m["before"] for m in _SAID.finditer(text))
    formulas = (f for pair in re.findall(r"\$([^$]+)\$|\\\((.+?)\\\)", listed) for f in pair)
    return {t for f in formulas for t in _TOKEN.findall(f) if t.isalpha() or t[0] == "\\"}


def _finding(latex: str, random: set[str], numbers: set[str], judge: Judge) -> Finding | None:
    """The verdict on the claim over outcomes of equal weight; None where it is not read."""
    text = _mini(latex, random, numbers, declared(judge.outline.text))
    said = reading(text) if text else None
    claims = [s for s in said.statements if s.latex.strip() == _bare(latex)] if said else []
    if said is None or len(claims) != 1:
        return None
    outline = Outline(text)
    return type(judge)(said, outline, judge.seed)(claims[0])


def _bare(latex: str) -> str:
    return latex.strip().rstrip(".,;").rstrip()


def _names(latex: str) -> tuple[set[str], set[str]] | None:
    """The names under the signs, and those outside; None where something else stands there."""
    under: set[str] = set()
    free: set[str] = set()
    at = 0
    if _APPLIED.search(_SIGN.sub("+", latex)):
        return None
    while match := _SIGN.search(latex, at):
        opened = _OPEN.match(latex, match.end())
        end = _closing(latex, opened.end()) if opened else 0
        own = _plain(_SIGN.sub("", latex[opened.end() : end])) if opened and end else None
        rest = _plain(latex[at : match.start()])
        if own is None or rest is None:
            return None
        under |= own
        free |= rest
        at = end
    rest = _plain(latex[at:])
    return None if rest is None else (under, free | rest)


def _closing(latex: str, start: int) -> int:
    """Where the bracket that opens before `start` closes; 0 where it does not."""
    depth = 1
    for k in range(start, len(latex)):
        depth += (latex[k] in "[(") - (latex[k] in "])")
        if depth == 0:
            return k
    return 0


def _plain(latex: str) -> set[str] | None:
    """The names in a formula of numbers, names and brackets; None where it holds more."""
    found = set()
    for token in _TOKEN.findall(latex):
        if _SPACES.fullmatch(token):
            continue
        if not re.fullmatch("[A-Za-z]", token) and not _GREEK.fullmatch(token):
            return None
        found.add(token)
    return found


def _mini(latex: str, random: set[str], numbers: set[str], declarations: str) -> str:
    """The claim by itself, over outcomes of equal weight."""
    letters = [x for x in "pknijmqwh" if x not in random | numbers]
    if len(letters) < 3:
        return ""
    weight, outcome, size = letters[:3]
    sizes = " ".join(f"{n.lstrip(chr(92))}:({size})" for n in sorted(random | {weight}))
    scalars = " ".join(n.lstrip("\\") for n in sorted(numbers))
    return "\n".join(
        (
            declarations,
            f"<!-- symattn: expectation {weight} over {outcome} -->",
            f"<!-- symattn: sizes {sizes} -->",
            f"<!-- symattn: scalars {scalars} -->" if scalars else "",
            "",
            rf"$$ {weight}_{outcome} = \frac{{1}}{{{size}}} $$",
            "",
            f"$$ {_bare(latex)} $$",
        )
    )


__all__ = ["moments"]
