r"""What words call the distribution function or the density of the standard normal distribution.

"Where $\Phi$ is the cdf of the standard normal and $\phi$ its density" defines Φ(x) as
(1 + erf(x/√2))/2 and φ(x) as e^{-x²/2}/√(2π).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from .grammar import parse
from .source import Display, Source
from .tokens import tokens
from .tree import Node
from .words import LINK, sentences

_STANDARD = re.compile(r"\b(?:standard|unit)[ -](?:normal|gaussian)", re.IGNORECASE)
_PLAIN = re.compile(  # the Gaussian cdf Φ: of no mean and no variance that are spoken of
    r"\b(?:normal|gaussian) (?:cumulative|distribution function|[cp]df|densit)", re.IGNORECASE
)
_SPREAD = re.compile(r"\b(?:mean|varianc|deviation|covarianc|center|centre|paramet)", re.I)
_OTHER = re.compile(r"inverse|quantile|bivariate|multivariate|joint|conditional|log-?normal", re.I)
_COUNT = re.compile(r"\bnumber\b|\bsamples?\b|\bsize\b|observation|\bcount", re.IGNORECASE)  # N
_LAW = re.compile(
    r"(?P<cdf>cumulative(?: (?:normal|gaussian))? (?:distribution|probability|density)"
    r"(?: function)?|distribution function|\bc\.?d\.?f\b)"
    r"|(?P<pdf>(?:probability )?densit(?:y|ies)(?: function)?|\bp\.?d\.?f\b)"
    r"|\N{LEFT WHITE SQUARE BRACKET}(?P<shown>\d+)\N{RIGHT WHITE SQUARE BRACKET}",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\s*\\?(Phi|phi|varphi|N|n)\s*(?:\([^()]*\))?\s*(?:=.*)?", re.DOTALL)
_CDF = r"\frac{1}{2} \left(1 + \operatorname{erf}\left(\frac{x}{\sqrt{2}}\right)\right)"
_PDF = r"\frac{1}{\sqrt{2 \pi}} e^{-\frac{x^2}{2}}"
BODIES = {"cdf": (_CDF, _PDF), "pdf": (_PDF, f"- x {_PDF}")}  # each with its derivative
LETTERS = {"cdf": ("Phi", "N"), "pdf": ("phi", "varphi", "n")}  # N alone of any normal one


def functions(source: Source) -> list[tuple[Node, Node]]:
    """Φ(x) = (1 + erf(x/√2))/2 and the like, as equations, and Φ(x) = … for their derivatives."""
    found: dict[str, tuple[Node, Node]] = {}
    for words, spans in sentences(source):
        plain = LINK.sub(r"\1", words)
        standard = _STANDARD.search(plain) is not None
        spread = not standard and (_SPREAD.search(plain) or not _PLAIN.search(plain))
        if spread or _OTHER.search(plain):
            continue
        for name, law, at in _told(source, plain, spans, standard):
            if name not in found:
                found[name] = _equations(source, name, law, at)
    return [*found.values()]


def _told(
    source: Source, words: str, spans: Sequence[Display], standard: bool
) -> Iterator[tuple[str, str, int]]:
    """The names of functions, whether each is a distribution function or a density, and where."""
    shown, laws = list[tuple[str, int, int]](), list[tuple[str, int]]()
    for m in _LAW.finditer(words):
        if m["shown"] is None:
            laws.append(("cdf" if m["cdf"] else "pdf", m.start()))
            continue
        span = spans[int(m["shown"])]
        if named := _NAMED.fullmatch(source.text, span.start, span.end):
            shown.append((named[1], m.start(), span.start))
    if not laws or not shown or not (standard or {n for n, *_ in shown} & {"Phi", "phi"}):
        return
    listed = len(shown) == len(laws) and shown[-1][1] < laws[0][1]  # Φ and φ are the cdf and pdf
    for k, (law, place) in enumerate(laws):
        able = [one for one in (shown[k : k + 1] if listed else shown) if one[0] in LETTERS[law]]
        able = [] if _COUNT.search(words) and able and able[0][0] in "Nn" else able
        if able:
            name, _, at = min(able, key=lambda one: abs(one[1] - place))
            yield name, law, at


def _equations(source: Source, name: str, law: str, at: int) -> tuple[Node, Node]:
    r"""The trees of \Phi(x) = … and of its derivative, at the place where the words stand."""
    shown = name if len(name) == 1 else f"\\{name}"

    def tree(body: str) -> Node:
        latex = f"{shown}(x) = {body}"
        own = replace(source, text=" " * at + latex, memory={}, parsed={})
        return parse(own, tokens(own, Display(at, at + len(latex))))

    value, slope = BODIES[law]
    return tree(value), tree(slope)


__all__ = ["functions"]
