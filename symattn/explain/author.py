r"""What the author of a text has below one bar, root or power, and between the bars of a norm."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias

import sympy as sp

from ..model import Model
from .naming import name

# names with 1 for a factor and −1 for what stands below the bar: K and m of K/m
Pairs: TypeAlias = frozenset[frozenset[tuple[str, int]]]

SCRIPT = r"(?:\{(?:[^{}]|\{[^{}]*\})*\}|\\[A-Za-z]+|[A-Za-z0-9])"
_NAME = rf"\\?[A-Za-z]+(?:_{SCRIPT})?"
_INSIDE = r"(?:[^{}()]|\{(?:[^{}]|\{[^{}]*\})*\})*"
_FACTOR = rf"(?:\\[A-Za-z]+(?![A-Za-z])|[A-Za-z]|\d+(?!\d))(?:\s*[_^]\s*{SCRIPT})*"
_BASE = rf"(?:(?<![A-Za-z\\])(?!e\b){_NAME}|\))\s*\^\s*"  # of a power that is no e^x
_INVERSE = r"\^\s*\{\s*-\s*1\s*\}"
_COMPONENT = re.compile(rf"[A-Za-z]\s*{_INVERSE}\s*_")
_IN_BRACKETS = re.compile(rf"{_INVERSE}\s*(?:\\right\s*)?\)\s*_")
_WORD = r"\\[A-Za-z]+|[A-Za-z]"
_RAISED = re.compile(rf"{_BASE}{{\s*-\s*[A-Za-z\\]")  # x^{-a}
_BARRED = re.compile(rf"{_BASE}{{?\s*[A-Za-z\\]")
_BELOW = re.compile(rf"\\frac\s*{SCRIPT}\s*({SCRIPT})|/\s*({_NAME}\s*\^\s*{SCRIPT})")


def barred(text: str) -> bool:
    """1/x^a stands in the text, and x^{-a} does not."""
    below = _BELOW.findall(text)
    return not _RAISED.search(text) and any(_BARRED.search(a or b) for a, b in below)


def bare(text: str) -> bool:
    """C^{-1}_{ij} stands in the text, and (C^{-1})_{ij} does not."""
    return bool(_COMPONENT.search(text)) and not _IN_BRACKETS.search(text)


def multiplied(text: str, m: Model) -> frozenset[str]:
    """The names that stand before a bracket with a sum in it: k of k (x - y), and no f of f(x)."""
    found = re.findall(rf"(?<![A-Za-z\\])({_WORD})\s*(?:\\left\s*)?\(([^()]*[-+][^()]*)\)", text)
    shown = {name(n) for n, t in m.known.items() if not t.shape and n not in m.bodies}
    return frozenset(word for word, _ in found if word in shown)


def powers(text: str, m: Model) -> Pairs:
    r"""The names that stand under one power: v, c of (v / c)^b, K, L of (K L)^2; more of them."""
    shown = {name(n): n for n in m.known}
    found = set()
    for inside in re.findall(rf"\(({_INSIDE})\)\s*\^", text):
        inside = inside.removesuffix(r"\right")
        quotient = re.fullmatch(rf"\s*\\frac\s*({SCRIPT})\s*({SCRIPT})\s*", inside)
        quotient = quotient or re.fullmatch(rf"\s*({_NAME})\s*/\s*({_NAME})\s*", inside)
        pair = quotient or re.fullmatch(rf"\s*({_NAME})\s+({_NAME})\s*", inside)
        names = [re.sub(r"_.*", "", x.strip("{} ")) for x in pair.groups()] if pair else []
        if any(n not in shown for n in names) or not names:
            found |= _several(inside, shown)
        elif len({*names}) == 2:
            signs = (1, -1 if quotient else 1)
            found.add(frozenset((shown[n], k) for n, k in zip(names, signs, strict=True)))
    return frozenset(found)


def _several(inside: str, shown: Mapping[str, str]) -> set[frozenset[tuple[str, int]]]:
    r"""The names of a product or quotient with three or more: a, J, m of (a J/m)^2."""
    quotient = re.fullmatch(rf"\s*\\frac\s*({SCRIPT})\s*({SCRIPT})\s*", inside)
    above, _, below = inside.partition("/")
    names: list[tuple[str, int]] = []
    for part, k in zip(quotient.groups() if quotient else (above, below), (1, -1), strict=True):
        part = part.strip("{} ")
        if not re.fullmatch(rf"(?:{_NAME}\s*)*", part):
            return set()
        names += [(re.sub(r"_.*", "", n), k) for n in re.findall(_NAME, part)]
    if len(names) < 3 or len(dict(names)) < len(names) or any(n not in shown for n, _ in names):
        return set()
    return {frozenset((shown[n], k) for n, k in names)}


def norms(text: str, m: Model) -> frozenset[str]:
    r"""The x of \|x\| and \|x\|_2."""
    shown = {name(n): n for n, t in m.known.items() if len(t.shape) == 1}
    bars = r"\\(?:\||[lr]?Vert(?![A-Za-z]))"
    found = re.findall(rf"{bars}\s*({_NAME})\s*(?:\\right)?{bars}(?!\s*_\s*\{{?\s*[^2\s])", text)
    return frozenset(shown[x] for x in found if x in shown)


def roots(text: str, m: Model) -> Pairs:
    r"""The names and primes that stand under one root: 2, g, h of \sqrt{2 g h}."""
    shown = {name(n): n for n in m.known} | {r"\pi": "pi"}
    found = set()
    for inside in re.findall(rf"\\sqrt\s*{{({_INSIDE})}}", text):
        quotient = re.fullmatch(rf"\s*\\frac\s*({SCRIPT})\s*({SCRIPT})\s*", inside)
        above, below = quotient.groups() if quotient else (inside, "")
        names: dict[str, int] = {}
        for part, k in ((above.strip("{} "), 1), (below.strip("{} "), -1)):
            if not re.fullmatch(rf"(?:{_FACTOR}\s*)*", part):
                names.clear()
                break
            for word in re.findall(_FACTOR, part):
                stem = re.sub(r"[_^].*", "", word).strip()
                short = stem.isdigit() and len(stem) < 7
                primes = sp.factorint(int(stem)) if short else {stem: 1}
                names |= {str(x): k for x, n in primes.items() if n == 1}
        known = {shown.get(x, x): k for x, k in names.items() if x in shown or x.isdigit()}
        if len(known) > 1 and len(known) == len(names) and not all(map(str.isdigit, known)):
            found.add(frozenset(known.items()))
    return frozenset(found)


def means_under_roots(text: str) -> frozenset[str]:
    r"""The d of \sqrt{\frac{1}{d} \sum_a x_a^2}."""
    mean = rf"\\sqrt\s*{{\s*\\[dt]?frac\s*(?:{{\s*1\s*}}|1)\s*({SCRIPT})\s*\\sum"
    return frozenset(x.strip("{}\\ ") for x in re.findall(mean, text))
