"""Values of functions that a text defines: τ(0), after τ(z) = …, says itself where it is meant."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .inside import names
from .links import sides
from .statements import Statement
from .versions import Versions

_CALL = re.compile(r"(?P<name>[^()]*[^()\s])\s*(?P<items>\(.*\))", re.DOTALL)
_INVERSE = re.compile(r"\s*\^\s*\{\s*-\s*1\s*\}$")
_DOTS = re.compile(r"\\d*dot\{?([A-Za-z]+)\}?")
_SIZED = re.compile(r"\\(?:left|right|[bB]igg?[lr]?)(?![A-Za-z])|\s")
_PLACE = re.compile(  # at $x = 2$, with … for formulas
    r"\b(?:[Aa]t|[Ww]hen|[Ff]or|[Ss]etting)\s+(?:(?:the\s+)?point\s+)?(?:…|\$[^$]*\$|\\\(.*?\\\))"
)
_AT = re.compile(  # at the bed, and not at equilibrium, which may ask for more than a place
    r"\b[Aa]t\s+(?!.*(?:equilib|balanc|optim|stead|station|critical|fixed|resonan|converge|maxim|"
    r"minim|extrem|root|zero|low|high|small|large))[a-z-]+(?:\s+[a-z-]+){0,5}[\s,]*$"
)
_MARKED = re.compile(r"[_^](?:\*|\\star|\\ast)$")  # of x^*, which is that point
_AT_IT = re.compile(
    r"(?:\b(?:[Ll]ineari[sz]|[Ee]valuat|[Dd]ifferentiat)\w*\s+(?:it\s+|this\s+)?)?\b(?:[Aa]t|[Aa]round|[Aa]bout|[Nn]ear|[Ii]n)\s+(?:the|an?|this|that|its)\s+"
    r"[a-z-]+(?:\s+[a-z-]+){0,3}[\s,]*$"
)
_PLACE_OR_AT = re.compile(f"{_PLACE.pattern}|{_AT.pattern}")


_SOUGHT = re.compile(
    r"\b(?:choos\w*|find|such that|so that|if|when|must|should|want\w*|let|initial|boundary|"
    r"condition\w*|requir\w*|demand\w*|given|suppos\w*|assum\w*|pass\w*|through|fit\w*|measur\w*|"
    r"know\w*|match\w*)\b",
    re.IGNORECASE,
)


_SAYS = re.compile(  # its slope is, it starts as, the price falls to
    r"\b(?:is|are|was|were|starts?|begins?|ends?|becomes?|equals?|reads?|grows?|falls?|rises?|drops?|"
    r"amounts?|comes?|has|have|reaches|gives?|yields?)(?:\s+(?:out\s+)?(?:as|at|with|from|to|by))?"
    r"\s*:?\s*$",
    re.IGNORECASE,
)


_FIXES = re.compile(  # at the wall it is u(0) = b, which is asked of u
    r"\b(?:prescri\w*|fix\w*|constants?|determin\w*|ends?|walls?|bound\w*|edges?|sides?|bord\w*|"
    r"surfaces?|interfaces?|corners?|clamp\w*|held|kept|impos\w*|at (?:the|an?|its|this|each))\b",
    re.IGNORECASE,
)


def said(s: Statement, versions: Versions) -> bool:
    """Words say what a value is, and ask it of nothing: it starts as B'(0) = a A."""
    words = versions.outline.leading(s.line, s.column)
    return not (_SAYS.search(words) is None or sought(s, versions) or _FIXES.search(words))


def sought(s: Statement, versions: Versions) -> bool:
    """The words before a value ask it of the function: the initial conditions are y(0) = …"""
    return _SOUGHT.search(versions.outline.sentence(s.line, s.column)) is not None


def function(s: Statement, versions: Versions) -> Statement | None:
    """The definition τ(z) = … of which a statement says a value: at numbers and known names.

    None where the argument may be anything, as the x* of f(x*) = x*, which is an equation for it.
    """
    if s.name or s.number or not (call := _call(s)):
        return None
    if f := inverse(s, versions):
        return f
    own_name = _underived(call[0])  # i'(0) is a value of what i(t) = … makes
    for t, other in _earlier(s, versions):
        if t.name and other[0] == own_name and other[1] != call[1]:
            inside = _letters(call[1])
            own = {x for side in sides(t.whole)[0][1:] for x in _letters(side)} | _letters(other[1])
            told = {_written(sides(v.latex)[0][0]) for several in versions.table.values()
                    for v in several if v.latex}  # fmt: skip
            known = inside <= own or _written(call[1].strip("()")) in told
            return t if known else None
    return None


def inverse(s: Statement, versions: Versions) -> Statement | None:
    """The definition f(x) = … that is the last before what a statement says of f⁻¹(y)."""
    name, _ = _call(s) or ("", "")
    f = _INVERSE.sub("", name)
    if s.number or f == name:
        return None
    known = [t for t, other in _earlier(s, versions) if other[0] == f and t.rhs is not None]
    return known[-1] if known else None


def written(f: Statement) -> tuple[str, str]:
    """The f and the x of f(x) = …, as they are written."""
    name, items = _call(f) or ("", "")
    return spelled(name), spelled(items.strip("()"))


def somewhere(s: Statement, versions: Versions) -> re.Pattern[str] | None:
    """The words that say what the one argument of a value says: at the bed, before τ(0).

    Before f'(2) they are at $x = 2$, and no words about another value.
    """
    call, put = _call(s), versions.outline.supposed(s.line, s.column)
    if call is None or "," in call[1] or s.rhs == 0:
        return None
    argument, value = _given(s, versions), _written(call[1].strip("()"))
    if not put:
        known = function(s, versions) or (argument and value.isdecimal())
        at = _AT_IT if _MARKED.search(value) else _AT
        return at if known else None
    if not argument or (value != argument and argument in _letters(sides(s.latex)[0][-1])):
        return None
    other = False
    for x in reversed(put):  # At $S = K$ it is $r(K) = V/2$, and r'(0) of another place
        left, is_equation, right = _written(x).partition("=")
        called = _CALL.fullmatch(left)
        own = bool(is_equation and called and _underived(called["name"]) == _underived(call[0]))
        if is_equation and called and called["items"].strip("()") == value:
            continue  # another function at the same place
        if not (own or left == value or (left == argument and (right == value or other))):
            return None
        other = other or own
    return _PLACE_OR_AT


def _given(s: Statement, versions: Versions) -> str:
    """The x of f(x) = …, the last definition before a statement on f or its slope at a place."""
    name = _underived((_call(s) or ("",))[0])
    given = (other[1] for _, other in _earlier(s, versions) if other[0] == name)
    return _written(next(reversed([x for x in given if "," not in x]), "").strip("()"))


def _underived(name: str) -> str:
    r"""The f of f' and of \dot f."""
    return _DOTS.sub(r"\1", name.rstrip("'"))


def _earlier(s: Statement, versions: Versions) -> Iterator[tuple[Statement, tuple[str, str]]]:
    """The definitions f(x) = … before a statement, each with its f and (x)."""
    for t in versions.statements:
        if t.kind == "definition" and (t.line, t.column) < (s.line, s.column) and (c := _call(t)):
            yield t, c


def body(s: Statement, versions: Versions) -> set[str]:
    """The names of the function of which a statement says a value."""
    found = function(s, versions)
    return versions.made_of(names(found.rhs)) if found is not None else set()


def _call(s: Statement) -> tuple[str, str] | None:
    found = _CALL.fullmatch(_SIZED.sub("", sides(s.latex)[0][0]))
    return (found["name"], found["items"]) if found else None


def _letters(latex: str) -> set[str]:
    """The names that stand in a formula, with what is written below them."""
    return set(re.findall(r"\\?[A-Za-z]+(?:_(?:\{[^{}]*\}|\w))?", latex))


def spelled(latex: str) -> str:
    r"""A name without spaces, braces and the backslash: λ_0 of \lambda_{0}."""
    return _written(latex).replace("\\", "")


def _written(latex: str) -> str:
    return re.sub(r"[\s{}]", "", latex)


__all__ = ["body", "function", "inverse", "somewhere", "sought", "spelled", "written"]
