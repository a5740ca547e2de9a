r"""A correction as its author would write it: \frac{1}{n} for \frac{1}{2} \frac{2}{n}.

Other marks of transposition than the text has, lower indices where it writes upper ones, and
numbers that can be multiplied are put as the author has them; what comes of it is proved again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import prod

from .edits import TRANSPOSES

_NAME = r"(?:\\[a-zA-Z]+(?![a-zA-Z])|[A-Za-z])(?:_(?:\w|\{\w+\}))?"
_SIMPLE = rf"(?P<number>\d+)?\s*(?P<root>\\sqrt\s*\{{)?(?P<name>{_NAME})?(?(root)\}})"
_FRACTION = re.compile(
    r"\\[dt]?frac\s*(?:\{(?P<top>(?:[^{}]|\{[^{}]*\})*)\}|(?P<t>\w))"
    r"\s*(?:\{(?P<bottom>(?:[^{}]|\{[^{}]*\})*)\}|(?P<b>\w))\s*"
)
_PLAIN = re.compile(rf"(?:\d+(?![\d.])|\\sqrt\s*\{{{_NAME}\}})\s*")
_COMPONENT = re.compile(r"(?<![A-Za-z\\])(?P<name>\\?[A-Za-z]+)_\{(?P<letters>[a-z]{2,4})\}")

Powers = dict[str, Fraction]


def spelled(right: str, own: str, text: str) -> Iterator[str]:
    """The side in the spelling of a text, the one with most changes first; nothing for as it is.

    `own` is the side that it corrects.
    """
    marked = _indexed(_turned(right, text), text)
    for side in dict.fromkeys((_multiplied(marked, own), marked)):
        if side != right:
            yield side


def _turned(right: str, text: str) -> str:
    """With the mark of transposition that the text has, where it has not that of the side."""
    known = {m: text.count(m) for m in TRANSPOSES}
    own = [m for m in TRANSPOSES if m in right and not known[m]]
    best = max(known, key=lambda m: known[m])
    if known[best]:
        for mark in own:
            right = right.replace(mark, best)
    return right


def _indexed(right: str, text: str) -> str:
    """A^{ij} for A_{ij}, where the text has A with upper indices alone."""

    def put(m: re.Match[str]) -> str:
        name = rf"(?<![A-Za-z\\]){re.escape(m['name'])}\s*"
        upper = re.search(rf"{name}\^\s*\{{\s*[a-z]\s*[a-z]", text)
        lower = re.search(rf"{name}_", text)
        return f"{m['name']}^{{{m['letters']}}}" if upper and not lower else m[0]

    return _COMPONENT.sub(put, right)


def _multiplied(right: str, own: str) -> str:
    r"""The numbers, roots and fractions of them that a side begins with, as one.

    What the author wrote so is left.
    """
    sign = "-" if right.lstrip().startswith("-") else ""
    body = right.lstrip().removeprefix("-").lstrip()
    factors, at = list[tuple[Fraction, Powers]](), 0
    while match := (_FRACTION.match(body, at) or _PLAIN.match(body, at)):
        if (factor := _factor(match)) is None:
            break
        factors.append(factor)
        at = match.end()
    begun, rest = body[:at].strip(), body[at:]
    if len(factors) < 2 or rest[:1] in ("^", "_") or own.lstrip(" -").startswith(begun):
        return right
    number, powers = prod((n for n, _ in factors), start=Fraction(1)), Powers()
    for _, some in factors:
        for name, power in some.items():
            powers[name] = powers.get(name, Fraction(0)) + power
    above, below = _written(number.numerator, powers, 1), _written(number.denominator, powers, -1)
    if above is None or below is None:
        return right
    first = above if above != "1" or not rest else ""
    if below != "1":
        short = len(above) == len(below) == 1 and re.search(r"frac\s*[^{\s]|frac\{\w\}\w", begun)
        first = rf"\frac{above}{below}" if short else rf"\frac{{{above}}}{{{below}}}"
    return f"{sign}{first}{' ' * bool(first and rest)}{rest}"


def _factor(match: re.Match[str]) -> tuple[Fraction, Powers] | None:
    """A number and powers of names; None for anything else above a bar or below it."""
    found = match.groupdict()
    top, bottom = match[0].strip(), "1"
    if match.re is _FRACTION:
        top, bottom = found["top"] or found["t"] or "", found["bottom"] or found["b"] or ""
    number, powers = Fraction(1), Powers()
    for side, sign in ((top, 1), (bottom, -1)):
        simple = re.fullmatch(_SIMPLE, side.strip())
        if simple is None or not side.strip() or simple["number"] == "0":
            return None
        number *= Fraction(simple["number"] or 1) ** sign
        if simple["name"]:
            power = Fraction(sign, 2 if simple["root"] else 1)
            powers[simple["name"]] = powers.get(simple["name"], Fraction(0)) + power
    return number, powers


def _written(number: int, powers: Powers, sign: int) -> str | None:
    """What stands above a bar, or below it; None for more than roots, names and their squares."""
    counts = Counter({n: p * sign for n, p in powers.items() if p * sign > 0})
    shown = [str(number)] if number != 1 or not counts else []
    for name, power in counts.items():
        whole, half = divmod(power, 1)
        if half not in (0, Fraction(1, 2)) or whole > 2:
            return None
        shown += [f"{name}^2" if whole == 2 else name] if whole else []
        shown += [rf"\sqrt{{{name}}}"] if half else []
    return " ".join(shown)


__all__ = ["spelled"]
