r"""Units behind numbers, in a formula or in the words behind it: 500 g is half of one kilogram.

What a number stands for in the units of the SI is the number times a factor; of a word that is no
unit, and of a temperature in degrees, nothing is known.
"""

from __future__ import annotations

import re
from bisect import bisect
from dataclasses import dataclass
from fractions import Fraction

_PREFIXES = {
    "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "h": 2, "c": -2, "d": -1, "m": -3,
    "µ": -6, "μ": -6, "u": -6, "n": -9, "p": -12, "f": -15,
}  # fmt: skip
_PREFIXED = ("m", "s", "A", "mol", "Hz", "N", "Pa", "J", "W", "C", "V", "F", "Ω", "T", "H", "S",
             "K", "Wb", "cd", "Ohm", "ohm", "Ohms", "ohms")  # fmt: skip
_PLAIN: dict[str, int | Fraction] = {
    "min": 60, "h": 3600, "hr": 3600, "d": 86400, "%": Fraction(1, 100), "L": Fraction(1, 1000),
    "l": Fraction(1, 1000), "mL": Fraction(1, 10**6), "ml": Fraction(1, 10**6), "t": 1000,
    "bar": 10**5, "kWh": 3600000, "ha": 10**4, "rad": 1, "percent": Fraction(1, 100),
    "thousand": 1000, "million": 10**6, "billion": 10**9, "metres": 1, "meters": 1, "metre": 1,
    "meter": 1, "seconds": 1, "second": 1, "minutes": 60, "minute": 60, "hours": 3600,
    "hour": 3600, "days": 86400, "day": 86400, "weeks": 604800, "week": 604800, "newtons": 1,
    "newton": 1, "joules": 1, "joule": 1, "watts": 1, "watt": 1, "volts": 1, "volt": 1,
    "kilometres": 1000, "kilometers": 1000, "centimetres": Fraction(1, 100),
    "centimeters": Fraction(1, 100), "millimetres": Fraction(1, 1000),
    "millimeters": Fraction(1, 1000), "grams": Fraction(1, 1000), "gram": Fraction(1, 1000),
    "kilograms": 1, "kilogram": 1, "kilo": 1, "amperes": 1, "kelvin": 1, "milliseconds":
    Fraction(1, 1000), "kV": 1000, "kN": 1000,
}  # fmt: skip
FACTORS: dict[str, Fraction] = {
    **{p + u: Fraction(10) ** k for p, k in _PREFIXES.items() for u in _PREFIXED},
    **{p + "g": Fraction(10) ** (k - 3) for p, k in _PREFIXES.items()},
    **{u: Fraction(x) for u, x in _PLAIN.items()},
}
_OPEN = ("years", "year", "months", "month", "°C", "°", "degrees", "eV", "keV", "MeV", "atm", "cal",
         "kcal", "dB", "€", "\\$", "£", "ft", "inches", "miles", "mph", "lbs", "ppm", "mmHg",
         "cents", "kB", "MB", "GB", "bits", "u", "units")  # fmt: skip
_ATOM = "|".join(map(re.escape, sorted((*FACTORS, *_OPEN), key=len, reverse=True)))
_POWER = r"(?:\^\s*\{?\s*(?P<power>-?\d)\s*\}?|(?P<small>[²³]|⁻¹|⁻²))?"
_FACTOR = re.compile(
    rf"(?:[\s~·*()]|\\[,;:!% ]|\\cdot\b|(?P<slash>/|\bper\b))*"
    rf"(?P<atom>{_ATOM})(?![A-Za-z]){_POWER}"
)
_COMMAND = re.compile(r"\\(?:mathrm|textrm|text|mathsf|mbox|rm|unit|si)(?![A-Za-z])")
_SPACES = r"(?:\\[,;:! ]|~|\s)*"
_INSIDE = re.compile(
    rf"(?P<bare>.*\d[}}\s]*?)(?P<unit>{_SPACES}(?:\\%|\\(?:mathrm|textrm|text|mathsf|mbox|unit|si)\b).*)",
    re.DOTALL,
)
_QUANTITY = re.compile(r"\\(?:SI|qty)\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_ONE = (
    r"\\(?:mathrm|text|textrm|mathsf|mbox)\s*\{[^{}$]*(?:\{-?\d\}[^{}$]*)*\}"
    r"(?:\s*\^\s*(?:\{\s*-?\d\s*\}|\d))?"
)
_EDGE = re.compile(r"\$\$?|\\[\[\]()]|\\(?:begin|end)\b|\n[ \t]*\n")
_ROW = rf"{_SPACES}{_ONE}(?:(?:{_SPACES}|/|\\cdot\s*){_ONE})*"
_SEVERAL = re.compile(_ROW)
_WITHIN = re.compile(
    rf"(?<=\d)\}}?(?P<unit>{_ROW})"
    rf"(?={_SPACES}(?:\Z|[=+\-)\].,;:&$}}<>]|\n|"
    rf"\\(?:cdot|times|approx|simeq|sim|q?quad|right|end|le|ge|leq|geq|to|text|\\|\]|\))))"
)
_COUNTED = re.compile(  # things, of which there is a number: bytes, tokens, parameters
    r"(?!kilo|mega|giga|tera|milli|micro|nano|centi|deci|doz|hundred|thousand|million|billion|"
    r"trillion|percent|pair|point|degree|basis|cent|dollar|euro|month|quarter|year|decade|week|"
    r"fortnight|inch|mile|yard|gallon|pound|ounce|calorie|decibel|time|is\b|others|radian)"
    r"[a-z]{3,}s"
)
_LETTERS = {r"\%": "%", r"\Omega": "Ω", r"\mu ": "µ", r"\mu": "µ"}
_BEHIND = re.compile(r"\s*(?:\$|\\\))?(?:[\s~]|\\[,;: ])*")
_SMALL = {"²": 2, "³": 3, "⁻¹": -1, "⁻²": -2, None: 1}


@dataclass(frozen=True)
class Unit:
    """What a number is to be multiplied by; None where words name a unit of no known scale."""

    factor: Fraction | None
    said: bool


NONE = Unit(Fraction(1), False)


def inside(latex: str) -> tuple[str, Unit]:
    """A formula without the unit at its end, and that one."""
    shown = _QUANTITY.sub(r"\1\\,\\mathrm{\2}", latex)
    found = _INSIDE.fullmatch(shown.strip().rstrip(".,;"))
    if found is None:
        return latex, NONE
    written = re.sub(r"[{}]", "", _COMMAND.sub(" ", found["unit"]))
    for sign, letter in _LETTERS.items():
        written = written.replace(sign, letter)
    unit, end = _read(written, 0)
    if unit.said and not written[end:].strip(" ()"):
        return found["bare"], unit
    return latex, NONE if shown == latex else Unit(None, True)


def behind(text: str, at: int) -> Unit:
    """The unit that stands behind a formula, or that the words behind it begin with."""
    if (found := _SEVERAL.match(text, at)) is not None:
        return inside(f"0{found[0]}")[1]
    start = _BEHIND.match(text, at)
    return _read(text[: at + 60], start.end() if start else at)[0]


def plain(text: str) -> dict[int, int]:
    """Where the units behind numbers begin and end in the formulas of a text.

    Those of a formula are left out where all are units of the SI that need no factor: 5 km = 5000 m
    is no equation of its numbers.  So are those whose letters are a name elsewhere.
    """
    edges = [m.start() for m in _EDGE.finditer(text)]
    spans: dict[int, int] = {}
    scaled = set[int]()  # formulas with other units
    for found in _WITHIN.finditer(text):
        written = re.sub(r"[{}]", "", _COMMAND.sub(" ", found["unit"]))
        unit, end = _read(written, 0)
        counted = _COUNTED.fullmatch(written.strip(" ~\\,;:!"))
        plainly = unit.said and unit.factor == 1 and not written[end:].strip()
        known = counted and counted[0] in {*FACTORS, *_OPEN}
        if plainly or (counted and not known and not _named(text, counted[0])):
            spans[found.start("unit")] = found.end("unit")
        else:
            scaled.add(bisect(edges, found.start()))
    spans = {a: b for a, b in spans.items() if bisect(edges, a) not in scaled}
    named = [text[a:b].strip(" ~\\,;:") for a, b in spans.items()]
    inside = {at for a, b in spans.items() for at in range(a, b)}
    return {
        a: b
        for (a, b), name in zip(spans.items(), named, strict=True)
        if all(m.start() in inside for m in re.finditer(re.escape(name), text))
    }


def _named(text: str, word: str) -> bool:
    """A word stands in a formula where no number is before it: it is what has that number."""
    found = re.finditer(rf"{_COMMAND.pattern}\s*\{{[\s~]*{word}\b", text)
    return any(re.search(r"\d\}?(?:\\[,;:! ]|[\s~])*$", text[: m.start()]) is None for m in found)


def _read(text: str, at: int) -> tuple[Unit, int]:
    factor, said, below = Fraction(1), False, False
    known = True
    while (found := _FACTOR.match(text, at)) and (not said or "\n\n" not in found[0]):
        below |= found["slash"] is not None
        power = int(found["power"]) if found["power"] else _SMALL[found["small"]]
        scale = FACTORS.get(found["atom"])
        if scale is None:
            known = False
        else:
            factor *= scale ** (-power if below else power)
        said, at = True, found.end()
    return Unit(factor if known else None, said), at


__all__ = ["NONE", "Unit", "behind", "inside", "plain"]
