r"""Slips of the pen: one change of a right-hand side that makes a true equation false.

For measuring what a check finds.  They are made without regard to how corrections are sought.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ..explain.naming import GREEK

Slip = tuple[str, str]  # the kind of slip, and the side with it

_SCRIPT = re.compile(r"(?<![dn])([_^])(\{[^{}]*\}|[a-z](?![a-z]))")
_LETTER = re.compile(r"(?<![\\a-zA-Z])[a-z]'?|(?<=[a-z])[a-z]'?")
_NUMBER = re.compile(r"(?<![\d.\\a-zA-Z_^{])\d+(?![\d.])")
_POWER = re.compile(r"\^\{?([23])\}?(?!\d)")
_DECIMAL = re.compile(r"\d+\.\d+")
_SCALE = re.compile(
    r"\\d?frac\s*\{\s*1\s*\}\s*\{(?:\\sqrt\s*\{[^{}]*\}|[^{}\\]{1,6}|\\[a-zA-Z]+)\}\s*"
)
_BEGINS = re.compile(  # a factor
    r"\s*(?:[^\s\\)\]}+\-=&,.]|\\(?!c?dot|times|right|q?quad|[\\,;:!]))"
)
_FACTOR = re.compile(
    r"(?<![_^{\\a-zA-Z])(?:[A-Za-z]|\\(?:alpha|beta|gamma|eta|lambda|mu|sigma|tau))"
    r"(?:[_^](?:\{[^{}]*\}|\w))*"
    r"(?=\s*(?:[A-Za-z(]|\\(?!odot|circ|otimes|times|cdot|star|right|quad|mid|end|[|,;!\\_])))"
)
_TAKES = re.compile(  # what stands behind is no factor
    r"(?:[_^]|\\(?:sum|prod|partial|bar|hat|tilde|d*dot|vec|sqrt|[dt]?frac(?:\s*\w)?|math\w+|bm"
    r"|boldsymbol|wide\w+|operatorname|text\w*))\s*$"
)
_COMMAND_ENDS = re.compile(r"\\[A-Za-z]+$")
_DIFFERENTIAL = re.compile(r"d(?=[A-Za-z\\])")
_APPLIED = re.compile(r"\s*\([^()+-]*\)")  # H(p, q)
_GREEK = "|".join(sorted(GREEK))
_CALLED = re.compile(  # a_i (θ), which is read as a function of θ
    rf"(?:(?<![\\a-zA-Z])[A-Za-z]|\\(?:{_GREEK})(?![a-z])|\\(?:mathrm|text)\{{[^{{}}]*\}})"
    r"(?:[_^](?:\{[^{}]*\}|\w))*\s*(?:\\left)?"
    r"\(\s*(?:\\?[A-Za-z]+(?:_(?:\{[^{}]*\}|\w))?|\d+)\s*(?:\\right)?\)"
)
_TRANSPOSE = re.compile(r"\^(?:\{\\top\}|\\top(?![a-z])|\{T\}|T(?![a-zA-Z]))")


def slips(side: str, letters: str = "") -> Iterator[Slip]:
    """One slip of every kind that the side has room for.

    `letters` is the left of the equation, which has its index letters.
    """
    for kind, make in KINDS.items():
        for changed in make(side, letters):
            if changed.strip(" -+0") and changed.split() != side.split() and _paired(changed):
                yield kind, changed
                break


def _paired(side: str) -> bool:
    """No bracket and no bar is left without its other one."""
    pairs = all(side.count(a) == side.count(b) for a, b in ("()", "[]", "{}"))
    sized = len(re.findall(r"\\left(?![a-z])", side)) == len(re.findall(r"\\right(?![a-z])", side))
    return pairs and sized and side.count("|") % 2 == 0


def terms(side: str) -> list[tuple[int, int]]:
    """Where the summands of a side, and of the brackets in it, begin and end."""
    found: list[tuple[int, int]] = []
    stack: list[int] = [0]
    k = 0
    while k < len(side):
        c = side[k]
        script = k > 0 and side[k - 1] in "_^"
        if c == "\\":
            command = re.match(_COMMAND, side[k:], re.DOTALL)
            k += len(command[0]) if command else 1
            continue
        if c in "{([":
            if c == "(":
                stack.append(k + 1)
            elif script or c in "{[":
                end = _closing(side, k)
                k = end
        elif c in ")]" and len(stack) > 1:
            found.append((stack.pop(), k))
        elif c in "+-" and not script and side[stack[-1] : k].strip():
            found.append((stack[-1], k))
            stack[-1] = k
        k += 1
    found.append((stack[0], len(side)))
    return [(a, b) for a, b in found if side[a:b].strip()]


_COMMAND = (  # one thing; a matrix has no terms
    r"\\begin\{(\w+\*?)\}.*?\\end\{\1\}|\\(?:[a-zA-Z]+|.|$)"
)


def _closing(side: str, start: int) -> int:
    depth = 0
    for k in range(start, len(side)):
        depth += (side[k] in "{[") - (side[k] in "}]")
        if depth == 0:
            return k
    return len(side) - 1


def _sign(side: str, letters: str) -> Iterator[str]:
    for a, b in terms(side):
        term = side[a:b]
        if a and term.lstrip()[:1] in ("+", "-"):
            at = a + len(term) - len(term.lstrip())
            yield side[:at] + ("-" if side[at] == "+" else "+") + side[at + 1 :]
    bare = side.strip()
    yield bare[1:] if bare.startswith("-") else f"-{bare}" if len(terms(side)) == 1 else side


def _factor(side: str, letters: str) -> Iterator[str]:
    for match in _NUMBER.finditer(side):
        if re.search(r"[a-z]'?\s*=\s*$", side[: match.start()]):
            continue  # the first index under a sum
        yield side[: match.start()] + str(int(match[0]) + 1) + side[match.end() :]
    if len(terms(side)) == 1 and not side.strip().startswith("-"):
        yield f"2 {side}"


def _transposed(side: str, letters: str) -> Iterator[str]:
    for match in _TRANSPOSE.finditer(side):
        yield side[: match.start()] + " " + side[match.end() :]
    for match in _SCRIPT.finditer(side):
        plain = match[2][0] == "{" and "\\" not in match[2]
        found = _LETTER.findall(match[2].strip("{}")) if plain else []
        inner = match[2].strip("{}").strip()
        if len(found) == 2 and inner.replace(" ", "") == "".join(found) and found[0] != found[1]:
            swapped = f"{match[1]}{{{found[1]}{found[0]}}}"
            yield side[: match.start()] + swapped + side[match.end() :]


def _swapped(side: str, letters: str) -> Iterator[str]:
    """A free letter of the left in the place of another one."""
    free = _free(letters)
    for match in _SCRIPT.finditer(side):
        if "\\" in match[2]:
            continue  # \sim is no letters
        for letter in _LETTER.finditer(match[2]):
            for other in dict.fromkeys(free):
                if other != letter[0] and letter[0] in free:
                    start = match.start(2) + letter.start()
                    yield side[:start] + other + side[start + len(letter[0]) :]


def _free(left: str) -> list[str]:
    """The letters in the scripts of the left side, those of one-letter words left out."""
    return list(
        dict.fromkeys(
            letter
            for match in _SCRIPT.finditer(left)
            if "\\" not in match[2]
            for letter in _LETTER.findall(match[2])
        )
    )


def _dropped(side: str, letters: str) -> Iterator[str]:
    """A term left out, where that leaves no name before another one in brackets."""
    called = len(_CALLED.findall(side))
    return (x for x in _shortened(side) if len(_CALLED.findall(x)) <= called)


def _shortened(side: str) -> Iterator[str]:
    found = [(a, b) for a, b in terms(side) if "," not in side[a:b]]
    if len(found) > 1:
        for a, b in found[::-1]:
            alone = side[:a].rstrip().endswith("(") and side[b:].lstrip().startswith(")")
            if alone:  # nothing would be left in its bracket
                continue
            inside = side[a:b].strip()
            before = side[:a].rstrip()
            if inside.startswith(("+", "-")) and a:
                b = a + len(side[a:b].rstrip().removesuffix(r"\right"))
                yield side[:a] + " " + side[b:]
            elif before.endswith(("(", r"\left(")) or not before:
                rest = side[b:].lstrip()
                if rest.startswith("+"):
                    yield side[:a] + rest[1:]


def _power(side: str, letters: str) -> Iterator[str]:
    for match in _POWER.finditer(side):
        other = "3" if match[1] == "2" else "2"
        yield side[: match.start(1)] + other + side[match.end(1) :]
    for match in re.finditer(r"\\sqrt\s*\{([^{}]*)\}", side):
        yield _beside(side[: match.start()], match[1]) + side[match.end() :]


def _beside(before: str, behind: str) -> str:
    r"""Two pieces as one text: no \sigmaT."""
    space = " " if _COMMAND_ENDS.search(before) and behind[:1].isalpha() else ""
    return before + space + behind


def _dummy(side: str, letters: str) -> Iterator[str]:
    r"""One place of a letter under \sum takes a free letter of the left."""
    free = _free(letters)
    for match in re.finditer(r"\\sum_\{?([a-z]'?)", side):
        for place in _SCRIPT.finditer(side, match.end()):
            at = re.search(rf"(?<![a-zA-Z\\]){match[1]}(?!')", place[2])
            for other in free:
                if at and other != match[1] and len(place[2].strip("{}")) > 1:
                    start = place.start(2) + at.start()
                    yield side[:start] + other + side[start + len(match[1]) :]


def _scale(side: str, letters: str) -> Iterator[str]:
    """A factor 1/√d left out before another one; what is a term by itself is a dropped term."""
    for match in _SCALE.finditer(side):
        if _BEGINS.match(side, match.end()):
            yield side[: match.start()] + side[match.end() :]


def _omitted(side: str, letters: str) -> Iterator[str]:
    """A factor left out before another one; the d of dx is none."""
    applied = {m[1] for m in re.finditer(r"([A-Za-z])\s*\(", letters)}
    for match in _FACTOR.finditer(side):
        function = _APPLIED.match(side, match.end()) or match[0] in applied
        differential = _DIFFERENTIAL.match(side, match.start())
        if not (function or differential or _TAKES.search(side[: match.start()])):
            yield _beside(side[: match.start()], side[match.end() :].lstrip())


def _rounding(side: str, letters: str) -> Iterator[str]:
    for match in _DECIMAL.finditer(side):
        digits = match[0]
        for k in range(len(digits) - 1, 0, -1):
            if digits[k].isdigit():
                other = str((int(digits[k]) + 3) % 10)
                yield (
                    side[: match.start()]
                    + digits[:k]
                    + other
                    + digits[k + 1 :]
                    + side[match.end() :]
                )
                break


KINDS: dict[str, Callable[[str, str], Iterator[str]]] = {
    "sign": _sign,
    "factor": _factor,
    "transposition": _transposed,
    "index swap": _swapped,
    "dropped term": _dropped,
    "wrong power": _power,
    "wrong dummy": _dummy,
    "missing scale": _scale,
    "dropped factor": _omitted,
    "rounding": _rounding,
}

__all__ = ["KINDS", "slips"]
