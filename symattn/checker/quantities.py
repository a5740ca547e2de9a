"""What is above zero by what it is: a mass m, a spring of stiffness k, a standard deviation s."""

from __future__ import annotations

import re

from ..read.vocabulary import words

_NOUNS = (
    r"(?:mass(?:es)?|stiffness(?:es)?|spring constants?|lengths?|radi(?:us|i)|diameters?|areas?|"
    r"volumes?|(?:mass |number )?densit(?:y|ies)|resistances?|resistors?|capacitances?|"
    r"capacitors?|inductances?|inductors?|wavelengths?|thickness(?:es)?|widths?|"
    r"absolute temperatures?|standard deviations?|variances?|viscosit(?:y|ies)|"
    r"(?:Young's |elastic |shear |bulk )?modul(?:us|i)|moments? of inertia|half-li(?:fe|ves)|"
    r"lifetimes?|periods?|bandwidths?|sample sizes?|heat capacit(?:y|ies)|"
    r"(?:Boltzmann|Planck|rate|time|decay|dissociation|Michaelis)(?:'s)? constants?|"
    r"damping (?:ratio|coefficient)s?|semi-(?:major|minor) ax(?:is|es)|"
    r"speed of (?:light|sound)|distances?)"
)
_FORMULA = r"\$([^$]{1,24})\$"
_SAID = (
    re.compile(rf"\b{_NOUNS} {_FORMULA}(?:(?:,| and|, and) {_FORMULA})*"),
    re.compile(rf"{_FORMULA},? (?:is |are |be |denotes? |being )?(?:the |a |an |its |their )"
               rf"(?:(?!negative|relative|change|difference)[a-z]+ )?{_NOUNS}\b"),
)  # fmt: skip
_NEVER = re.compile(
    r"\b(?:negative|signed|change (?:in|of)|difference)\b[^$.]{0,20}$", re.IGNORECASE
)
_CALLED = re.compile(  # the wave number $k$
    r"\b(?i:the|an?|each|every|any|some|all|its|their|one|two|no)\s+(?:[a-z-]+\s+){0,2}?"
    rf"(?P<noun>[a-z'-]+(?: [a-z]+)?) {_FORMULA}"
)
_LINKS = words("and or with by of is are be to in at for on from when where as")


def positive(text: str) -> frozenset[str]:
    """The names that words call quantities which are never zero or below, and nothing else."""
    found: set[str] = set()
    text = re.sub(r"\s+", " ", text.replace(r"\(", "$").replace(r"\)", "$"))
    for pattern in _SAID:
        for m in pattern.finditer(text):
            if _NEVER.search(text[max(0, m.start() - 40) : m.start()]) is None:
                found.update(_name(x) for x in re.findall(_FORMULA, m[0]))
    called = ((m["noun"], _name(m[2])) for m in _CALLED.finditer(text) if "=" not in m[2])
    others = {
        name
        for noun, name in called
        if noun.split()[-1] not in _LINKS and re.search(rf"{_NOUNS}$", noun) is None
    }
    return frozenset(found - others - {""})


def _name(latex: str) -> str:
    """m_1 of m_{1} and of m_1 = 2; empty for what is no name."""
    m = re.match(r"\s*\\?([A-Za-z]+(?:_\{?\\?\w+\}?)?)\s*(?:=|$)", latex)
    return re.sub(r"[\\{}]", "", m[1]) if m else ""


__all__ = ["positive"]
