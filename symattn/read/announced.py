"""Words that give a name to another thing from here on: now let …, next take the cubic."""

from __future__ import annotations

import re

_ANNOUNCES = re.compile(  # with … for formulas; and not: take the root, let us write
    r"\W*(?:(?:now|next|then|finally|again|instead|similarly|second|third|lastly|for another|"
    r"(?:as|for) an(?:other)?(?: \w+)? (?:example|instance)|example(?: \S+)?)[\s*,:.)]+)*"
    r"(?:let(?!\s+us (?!take|consider|look))|take|consider|suppose)\b(?:\s+us (?:take|consider))?"
    r"(?:\s+(?!(?:both|of|derivatives?|gradients?|squares?|roots?|log\w*|limits?|sums?|products?|"
    r"quotients?|differences?|exponentials?|expectations?|traces?|inverses?|transposes?|norms?|"
    r"averages?|means?|forms?|expressions?|identit\w+|equations?|definitions?|(?:re)?writ\w+|"
    r"expand\w*|factor\w*|how|what|again|this|it)\b)[\w-]+){0,5}\s*(?:…|[,:]|$)",
    re.IGNORECASE,
)
_LISTED = re.compile(r"(?:\s|[,:…]|\b(?:and|with|let|now)\b)*")  # let $g = …$ and $f = …$
_SENTENCE = re.compile(r"[.!?](?:\*\*|[*_])?(?=\s)|\n[ \t]*\n|\$\$|\\\]|\\end\{\w+\*?\}")
_FORMULA = re.compile(r"\$[^$]*\$|\\\(.*?\\\)", re.DOTALL)
_OPENED = re.compile(r"(?:\s|\$|\\[(\[]|\\begin\{\w+\*?\}|\.\.[ \t]+math::|&)+$")
_REACH = 160  # characters before a formula that may be of its sentence


def announced(text: str, at: int) -> bool:
    """The words of its sentence before a formula give the name on its left another meaning."""
    before = _OPENED.sub("", text[max(0, at - _REACH) : at])
    words = _FORMULA.sub("…", _SENTENCE.split(before)[-1])
    found = _ANNOUNCES.match(words)
    rest = words[found.end() :] if found is not None else ""
    listed = _LISTED.fullmatch(rest) if found and found[0].endswith("…") else "…" not in rest
    return found is not None and bool(listed)


__all__ = ["announced"]
