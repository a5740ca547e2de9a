r"""Whether a function that nothing defines may be any: f may, the Φ of a distribution may not.

What differs for some function refutes only what is meant for all.
"""

from __future__ import annotations

import re
from functools import lru_cache

USUAL = frozenset([*"abcfghlmorstuvwxzFGH", "psi", "varphi", "eta", "chi", "xi"])  # no densities p
_ONE = re.compile(  # there is one such function, with laws of its own
    r"cumulative|distribution function|\b[cp]df\b|densit|\bnormal\b|gaussian|error function|"
    r"(?:gamma|beta|zeta|theta|bessel|airy|hankel|legendre|hermite|laguerre|elliptic|lambert|green)"
    r"(?:'s)? (?:function|polynomial)|bessel|inverse of|inverse function|solution|solves|satisf|"
    r"eigenfunction|spline|polynomial|entropy|logarithm|exponential|\b(?:odd|even|linear|affine)\b|"
    r"periodic|additive|multiplicative|homogeneous|harmonic|symmetr|involution|idempotent",
    re.IGNORECASE,
)
_ANY = re.compile(
    r"function|\bmap(?:ping|s)?\b|activation|non-?linear|potential|kernel|\bloss|score|field|"
    r"differentiable|smooth|transform|operator|energy|cost|utility|\blink\b|policy|critic|network|"
    r"encoder|decoder|model|profile|curve",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.;!?](?=\s)|\n[ \t]*\n|\n[ \t]*(?:[-*+]|\d+\.)[ \t]")
_DISPLAYED = re.compile(r"\$\$.*?\$\$|\\\[.*?\\\]|\\begin\{(\w+\*?)\}.*?\\end\{\1\}", re.DOTALL)


@lru_cache(maxsize=256)
def any_function(name: str, text: str) -> bool:
    """True for a function of which a text says no more than that it is one."""
    stem = name.split("_")[0].rstrip("'")
    if not re.search(rf"{_shown(stem)}(?![A-Za-z])", text):
        return True  # the rest of a loss behind a step, which no formula writes
    said = [s for s in _sentences(text) if _names(stem, s)]
    if any(map(_ONE.search, said)) or _condition(stem).search(text):
        return False
    return stem in USUAL or any(map(_ANY.search, said))


def is_condition(name: str, latex: str) -> bool:
    """True for f(-x) = f(x), f'(x) = -a f(x) and f(0) = 1, which ask something of f."""
    return _condition(name.split("_")[0].rstrip("'")).match(latex) is not None


@lru_cache(maxsize=64)
def _condition(stem: str) -> re.Pattern[str]:
    """An equation with no more on its left than f of something, or a derivative of f."""
    f = rf"{_shown(stem)}(?![A-Za-z])"
    inner = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
    primed = rf"{f}\s*(?:'+|\^\s*\{{\s*(?:\\prime\s*|'|\(\w+\)\s*)+\}}|\^\s*\\prime)\s*(?:{inner})?"
    applied = rf"{f}\s*(?!\(\s*(?:[A-Za-z]|\\[A-Za-z]+)\s*\)){inner}"
    dotted = rf"\\d*dot\s*\{{?\s*{f}\s*\}}?\s*(?:{inner})?"
    d = r"(?:d|\\partial|\\mathrm\s*\{\s*d\s*\})\s*(?:\^\s*\{?\d\}?)?"
    slope = rf"\\[dt]?frac\s*\{{\s*{d}\s*{f}\s*(?:{inner})?\s*\}}\s*\{{[^{{}}]*\}}\s*(?:{inner})?"
    by = rf"\\[dt]?frac\s*\{{\s*{d}\s*\}}\s*\{{[^{{}}]*\}}"
    operator = rf"{by}\s*{f}\s*\(\s*(?:[A-Za-z]|\\[A-Za-z]+)\s*\)"  # not d/dx f(g(x))
    begin = r"(?:^|[$&,;\n]|\\[\[(]|\\begin\{\w+\*?\}|\\\\|\\[ ,;:!]|\\q?quad\b)\s*"
    sign = (
        r"\s*&?\s*(?::?=|\\equiv\b)(?!\s*&?\s*\\(?:lim(?![a-z])|[dt]?frac\s*\{\s*(?:d|\\partial)))"
    )
    every = "|".join((primed, applied, dotted, slope, operator))
    return re.compile(rf"{begin}(?:{every}){sign}", re.MULTILINE)


def _shown(stem: str) -> str:
    r"""The letter as it is written, for none inside of a word; a word as \operatorname{Ei} too."""
    if len(stem) == 1:
        return rf"(?<![A-Za-z\\]){stem}"
    font = r"\\(?:operatorname\*?|math(?:rm|sf|it)|text(?:rm|it|sf)?)"
    return rf"(?:\\{stem}|{font}\s*\{{\s*{stem}\s*\}})"


@lru_cache(maxsize=64)
def _sentences(text: str) -> tuple[str, ...]:
    return (*_SENTENCE.split(_DISPLAYED.sub("\n\n", text)),)


def _names(stem: str, sentence: str) -> bool:
    r"""True where $N$, $N(x)$ or $\Phi : \mathbb{R} \to \mathbb{R}$ stands in a sentence."""
    return re.search(rf"\$[^$]*{_shown(stem)}(?![A-Za-z])[^$]*\$", sentence) is not None


__all__ = ["any_function", "is_condition"]
