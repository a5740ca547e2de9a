r"""The LaTeX of a chain a = b = c cut into its links a = b, = c, and into sides."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

_RELATION = re.compile(
    r"(?::=|=:|\\(?:coloneqq|eqq?colon|triangleq|(?:stackrel|overset)\s*\{(?:[^{}]|\{[^{}]*\})*\}\s*\{=\}|approx|simeq|equiv|propto|leq?|geq?|"
    r"leqslant|geqslant|lesssim|gtrsim|ll|gg|neq?|leftarrow|gets|sim)(?![a-zA-Z])|[=<>≈≤≥∝≡←])"
)
_WRAP = re.compile(
    r"(?:\s*\\(?:label|tag)\*?\{[^{}]*\})*\s*"
    r"\\begin\{(aligned|split|gathered|align|alignat|alignedat)\*?\}(?:\[[a-z]\])?(?:\{\d+\})?"
    r"(.*)\\end\{\1\*?\}\s*",
    re.DOTALL,
)
_FIRST = re.compile(r"(?:\s|\\(?:label|tag)\*?\{[^{}]*\})*")
_INSIDE = re.compile(r"(\\begin\{(\w+\*?)\}.*?\\end\{\2\})", re.DOTALL)  # & parts its cells
_REMARK = re.compile(  # \qquad \text{(by what $u$ is)} and \qquad (u = A v)
    r"(?:\\q?quad\s*|\\[ ,;:!]\s*)*\\(?:text|textrm|mbox)\s*"
    r"\{\s*(?:\(|[A-Za-z]+\s+\S)(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}\s*(?:\\\\\s*)?$"
    r"|\\q?quad\s*\((?=[^()]*=)(?:[^()]|\([^()]*\))*\)\s*(?:\\\\\s*)?$"
)
_SUM = re.compile(  # \sum_i and \sum_{i=1}^n
    r"\\sum\s*_\s*(?:(?P<one>[a-z])(?![A-Za-z])|\{\s*(?P<first>[a-z])(?![A-Za-z])[^{}]*\})"
    r"(?:\s*\^\s*(?:\{[^{}]*\}|\w))?"
)
_D = (
    r"(?:\\mathrm\s*\{?\s*d\s*\}?|\\operatorname\s*\{\s*d\s*\}|\\dd?(?![A-Za-z])|d)"
    r"\s*(?:\\[,!]\s*)?"
)
_NAME = r"(?P<{}>[^{{}}]+(?:\{{[^{{}}]*\}}[^{{}}]*)*)"
TOTAL = re.compile(  # dz/dx
    rf"\\[dt]?frac\s*\{{\s*{_D}{_NAME.format('top')}\}}\s*\{{\s*{_D}{_NAME.format('by')}\}}"
)
_TOKEN = re.compile(r"\\[a-zA-Z]+\*?|\\.|[^\\]|\\$", re.DOTALL)


def sides(latex: str) -> tuple[list[str], list[str]]:
    """The sides of a chain and the relations between them, as they are written."""
    wrapped = _WRAP.fullmatch(latex)
    start, end = wrapped.span(2) if wrapped else (0, len(latex))
    parts, relations = [], []
    for m in _relations(latex, start, end):
        parts.append(latex[start : m.start()])
        relations.append(m[0])
        start = m.end()
    parts.append(latex[start:end])
    return [tidy(p) for p in parts], relations


def below(latex: str, number: int) -> tuple[int, int]:
    """How many lines below the first side of a chain a link stands, and how far to the right.

    Both are 0 where it stands in the same line.
    """
    wrapped = _WRAP.fullmatch(latex)
    start, end = wrapped.span(2) if wrapped else (0, len(latex))
    found = [*_relations(latex, start, end)]
    first = _FIRST.match(latex, start)
    if not 0 < number < len(found) or first is None:
        return 0, 0
    at = found[number].start()
    lines = latex.count("\n", first.end(), at)
    return lines, (at - latex.rfind("\n", 0, at) - 1) if lines else 0


def _relations(text: str, at: int, end: int) -> Iterator[re.Match[str]]:
    """The signs between the sides of a chain."""
    depth = 0
    while at < end:
        match = _RELATION.match(text, at) if depth == 0 else None
        if match:
            yield match
            at = match.end()
            continue
        token = _TOKEN.match(text, at)
        assert token is not None
        word = token[0]
        if word in (r"\begin", r"\end"):
            depth += 1 if word == r"\begin" else -1
            at = text.find("}", at) + 1 or end
            continue
        if word in (r"\left", r"\right"):  # \left. has no bracket of its own
            after = _TOKEN.match(text, token.end())
            depth += 1 if word == r"\left" else -1
            at = after.end() if after else end
            continue
        depth += (word in _OPENERS) - (word in _CLOSERS)
        at = token.end()


_OPENERS = frozenset({"(", "[", "{", r"\{", r"\langle", r"\lfloor", r"\lceil"})
_CLOSERS = frozenset({")", "]", "}", r"\}", r"\rangle", r"\rfloor", r"\rceil"})


def bracketed(latex: str) -> str:
    r"""\sum_i (z_i + x_i) for \sum_i z_i + x_i, which is read as one sum."""
    found = _SUM.search(latex)
    if found is None:
        return latex
    letter = re.compile(rf"(?<![A-Za-z\\]){found['one'] or found['first']}(?![A-Za-z])")
    depth, begin, ends = 0, found.end(), list[int]()
    for k in range(begin, len(latex) + 1):
        sign = latex[k : k + 1]
        if depth < 0 or k == len(latex) or (sign in "+-" and not depth and latex[begin:k].strip()):
            ends.append(k - (depth < 0))
        if depth < 0:
            break
        depth += (sign in "({[") - (sign in ")}]") if sign else 0
    last = begin
    for before, end in pairwise(ends):
        term = latex[before:end]
        if _SUM.search(term):
            break
        last = end if letter.search(term) else last
    if last == begin:
        return latex
    body = latex[begin:last].rstrip()
    return f"{latex[:begin]} ({body.strip()}){latex[begin + len(body) :]}"


def tidy(side: str) -> str:
    r"""A side without alignment marks, line breaks, its number and the full stop behind."""
    parts = _INSIDE.split(side)
    parts[::3] = (re.sub(r"(?<!\\)&|\\(?:nonumber|notag)\b", " ", p) for p in parts[::3])
    side = "".join(p for k, p in enumerate(parts) if k % 3 != 2)
    side = re.sub(r"\\\\(?:\[[^\]]*\])?\s*$", " ", side)
    side = re.sub(r"\\(?:label|tag)\*?\{[^{}]*\}", " ", side)
    side = _REMARK.sub(" ", side)
    side = re.sub(r"\\q?quad\s*\(\d+[a-z]?\)\s*$", " ", side)
    side = re.sub(r"(?:\\\\|[\s.,;]|\\[,;:! ]|\\q?quad)+$", "", side)
    return side.strip()


def link_latex(latex: str, count: int) -> list[str]:
    """The links of a chain as they are written; the whole for each where they cannot be told."""
    parts, relations = sides(latex)
    if len(relations) != count:
        return [latex] * count
    return [f"{a} {r} {b}".strip() for a, r, b in zip(parts, relations, parts[1:], strict=False)]
