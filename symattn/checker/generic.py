r"""Whether a function that nothing defines may be any: f may, the Φ of a distribution may not.

What differs for some function refutes only what is meant for all.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..explain.naming import GREEK

USUAL = frozenset(
    ["f", "g", "h", "u", "v", "w", "F", "G", "H", "psi", "varphi", "eta", "chi", "xi"]
)
_ONE = re.compile(  # there is one such function, with laws of its own
    r"cumulative|distribution function|\b[cp]df\b|densit|\bnormal\b|gaussian|error function|"
    r"(?:gamma|beta|zeta|theta|bessel|airy|hankel|legendre|hermite|laguerre|elliptic|lambert|green)"
    r"(?:'s)? (?:function|polynomial)|bessel|inverse of|inverse function|solution|solves|satisf|"
    r"eigenfunction|spline|polynomial|entropy|logarithm|exponential",
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
    stem = name.split("_")[0]
    said = [s for s in _sentences(text) if _names(stem, s)]
    if any(map(_ONE.search, said)):
        return False
    return stem in USUAL or any(map(_ANY.search, said))


@lru_cache(maxsize=64)
def _sentences(text: str) -> tuple[str, ...]:
    return (*_SENTENCE.split(_DISPLAYED.sub("\n\n", text)),)


def _names(stem: str, sentence: str) -> bool:
    r"""True where $N$, $N(x)$ or $\Phi : \mathbb{R} \to \mathbb{R}$ stands in a sentence."""
    shown = rf"\\{stem}" if stem in GREEK or len(stem) > 1 else stem
    return re.search(rf"\$[^$]*(?<![A-Za-z\\]){shown}(?![A-Za-z])[^$]*\$", sentence) is not None


__all__ = ["any_function"]
