r"""Single edits of a formula: what one slip of the pen would have changed.

An edit works on the LaTeX of one side, so that whatever comes out of it is in the author's own
notation.  `candidates` gives the likeliest first, each once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, permutations
from math import gcd

from ..explain.naming import GREEK

_TOKEN = re.compile(  # of \frac12 and x^23 one digit is the argument
    r"\\[a-zA-Z]+|[a-z]'+|\\.|(?<=frac)\d|(?<=frac\d)\d|(?<=[\^_])\d|\d+|[^\S\n]+|.", re.DOTALL
)
_ARGUMENT = re.compile(r"(?:\\[dtc]?frac(?:\d|\{[^{}]*\})?|[\^_])$")
_FACTOR = re.compile(r"\s*(?:[A-Za-z(]|\\(?!right|cdot|times|q?quad)[a-zA-Z]+)")
_LETTER = re.compile(r"[a-z]'*|\\(?:alpha|beta|gamma|delta|mu|nu|rho|sigma|lambda|kappa|tau)")
MAX_CANDIDATES = 400
INSERTED = 10  # factors that are put in front of terms
_SWAPS = {
    r"\sin": (r"\cos",),
    r"\cos": (r"\sin",),
    r"\exp": (r"\log",),
    r"\log": (r"\exp",),
    r"\cosh": (r"\sinh",),
    r"\sinh": (r"\cosh",),
}
TRANSPOSES = (r"^\top", r"^T", r"^{\top}", r"^{T}", r"^\intercal", r"^{\intercal}", r"^\mathsf{T}")


class Filled(str):
    """A side with a piece put in, and the piece."""

    piece: str

    def __new__(cls, before: str, piece: str, after: str) -> Filled:
        self = super().__new__(cls, before + piece + after)
        self.piece = piece
        return self


_NUMBER = re.compile(  # a name that may be a number, with what stands below it
    rf"(?<![A-Za-z\\_])(?:[A-Za-z](?![A-Za-z])|\\(?:{'|'.join(sorted(GREEK))})(?![a-z]))"
    r"(?:_(?:\{[^{}]*\}|\w))?"
)


def tokens(latex: str) -> list[str]:
    """Commands, numbers and single characters; joined they are the text."""
    return _TOKEN.findall(latex)


def candidates(
    side: str,
    factors: Sequence[str] = (),
    letters: Iterable[str] = (),
    components: Sequence[str] = (),
    terms: Sequence[str] = (),
) -> list[str]:
    """The side after every single edit; `factors` are LaTeX of what may be missing or too much.

    `letters` are the index letters that the statement has besides those of the side, `components`
    what may be missing as well: A^{ij}; `terms` what may be missing from a sum.
    """
    parts = tokens(side)
    found: dict[str, None] = {}
    makers = (
        _led(side),
        _constants(side, factors),
        _lacking(side, factors[:1]),  # what the hint says, where there is one
        _signs(parts),
        _rooted(side),
        _under_roots(side) if r"\sqrt" in side else (),
        _numbers(parts),
        _functions(parts),
        _turned(side),
        _squared(side),
        factored(side, factors),
        _exchanged(parts),
        _reversed(side),
        _relettered(parts, letters),
        _transposed(parts),
        _congruent(side),
        _reversed(side, _BRACKET),
        _outer(side),
        _inverted(side),
        _complements(side),
        _numerators(side),
        _dropped(parts),
        added(parts, terms),
        inserted(parts, factors[:INSERTED]),
        inserted(parts, components[:INSERTED]),
        _under_roots(side),
    )
    for maker in makers:
        for text in maker:
            if text.strip() and text != side:
                found[text] = None
            if len(found) >= MAX_CANDIDATES:
                return list(found)
    return list(found)


def _lacking(side: str, factors: Sequence[str]) -> Iterator[str]:
    """c · side, where the side begins neither with a number nor with c."""
    body = side.strip().removeprefix("-").strip()
    if not body[:1].isdigit() and not body.startswith(tuple(factors)):
        yield from factored(side, factors)


def _led(side: str) -> Iterator[str]:
    """The side without its first sign, and without a number in front of a factor."""
    match = re.match(r"\s*(?:-|\d+(?=\s*(?:\\[a-zA-Z]|[A-Za-z(])))\s*", side)
    if match:
        yield side[match.end() :]


def _turned(side: str) -> Iterator[str]:
    r"""\frac{b}{a} for \frac{a}{b}."""
    part = r"\s*(\{(?:[^{}]|\{[^{}]*\})*\})"
    for match in re.finditer(rf"(\\[dt]?frac){part}{part}", side):
        turned = f"{match[1]}{match[3]}{match[2]}"
        yield side[: match.start()] + turned + side[match.end() :]


def _squared(side: str) -> Iterator[str]:
    """x^2 for x."""
    name = re.compile(
        r"(?<![\\a-zA-Z_^{])(?:[A-Za-z]|\\[a-zA-Z]+)(?:_(?:\{[^{}]*\}|\w))?(?![\w^{_]|\s*[\^_'])"
    )
    for match in name.finditer(side):
        if not match[0].startswith((r"\frac", r"\sum", r"\left", r"\right", r"\partial")):
            yield f"{side[: match.end()]}^2{side[match.end() :]}"


def _with(parts: Sequence[str], at: int, *new: str, length: int = 1) -> str:
    return "".join((*parts[:at], *new, *parts[at + length :]))


def scripts(parts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where the tokens of scripts are: _{ij} as the places of i and j, _i as that of i."""
    for k, token in enumerate(parts[:-1]):
        if token in "_^":
            if parts[k + 1] == "{":
                end, depth = k + 2, 1
                while end < len(parts) and depth:
                    depth += (parts[end] == "{") - (parts[end] == "}")
                    end += 1
                yield k + 2, end - 1
            else:
                yield k + 1, k + 2


def _constants(side: str, factors: Sequence[str]) -> Iterator[str]:
    """Another number, or a size, for a side that is a number."""
    if re.fullmatch(r"-?\d+", side.strip()):
        yield from ("0", "1", "2", "-1", *factors, "3", "4")


def factored(side: str, factors: Sequence[str]) -> Iterator[str]:
    """c · side."""
    for factor in factors:
        negative = side.lstrip().startswith("-")
        body = side.lstrip().removeprefix("-").strip() if negative else side
        inside = body if one_term(body) else rf"\left( {body} \right)"
        if factor == "-":
            yield body if negative and one_term(body) else f"-{inside}"
            continue
        yield Filled("-" if negative and one_term(body) else "", factor, f" {inside}")


def one_term(body: str) -> bool:
    """True for what has no + or − outside of brackets."""
    depth = 0
    for token in tokens(body):
        depth += (token in "{([") - (token in "})]")
        if depth == 0 and token in "+-":
            return False
    return True


def _signs(parts: Sequence[str]) -> Iterator[str]:
    """One + for a −, and the other way round; a minus in front."""
    for k, token in enumerate(parts):
        if token in ("+", "-"):
            first = not "".join(parts[:k]).strip() or parts[k - 1] in ("(", "{", "[")
            yield _with(parts, k, "-" if token == "+" else "" if first else "+")
    text = "".join(parts).strip()
    if not text.startswith("-"):
        yield f"-{text}" if one_term(text) else rf"-\left( {text} \right)"
    for k, token in enumerate(parts):
        if token in ("(", "{") and k + 1 < len(parts) and parts[k + 1] not in ("-", "+"):
            before = "".join(parts[:k])
            if token == "(" or before.endswith(r"\exp") or before.endswith("^"):
                yield _with(parts, k, token, "-")


def _numbers(parts: Sequence[str]) -> Iterator[str]:
    """One number for another near it, or for none."""
    scripted = {k for start, end in scripts(parts) for k in range(start, end)}
    for k, token in enumerate(parts):
        if token.isdigit() and len(token) < 6:
            n, bare = int(token), _ARGUMENT.search("".join(parts[:k]))
            parted = (n // c if n % c == 0 else 0 for c in (2, 3))
            beside = {int(x) for x in parts[k - 1 : k + 2 : 2] if bare and x.isdigit()}
            counts = not bare and _FACTOR.match("".join(parts[k + 1 :]))
            least = 1 if counts else 0  # 1 x is x
            plain = not bare and k not in scripted and not {"."} & {*parts[k - 1 : k + 2 : 2]}
            raised = "".join(parts[:k]).rstrip(" {").endswith("^")  # x^1 is x
            for m in (2 * n, *parted, n + 1, n - 1, 3 * n, n + 2, 1, 4):
                if m == n or m <= least or (raised and m == 1):
                    continue
                if any(gcd(m, x) != 1 for x in beside):
                    continue
                if plain:
                    yield Filled("".join(parts[:k]), str(m), "".join(parts[k + 1 :]))
                else:
                    yield _with(parts, k, f"{{{m}}}" if bare and m > 9 else str(m))
            if "".join(parts[:k]).rstrip().endswith("^"):
                yield _with(parts, k - 1, length=2)
            else:
                yield _with(parts, k)
    for start, end in scripts(parts):
        if "".join(parts[start:end]).isdigit():
            yield _with(
                parts, start - 1 - (parts[start - 1] == "{"), length=_span(parts, start, end)
            )


def _span(parts: Sequence[str], start: int, end: int) -> int:
    return end - start + (3 if parts[start - 1] == "{" else 1)


def _places(parts: Sequence[str]) -> list[int]:
    """Where index letters stand in scripts."""
    return [
        k
        for start, end in scripts(parts)
        for k in range(start, end)
        if _LETTER.fullmatch(parts[k])
        and not (k and parts[k - 1] == "_" and parts[k] not in (*parts[k + 1 :], *parts[: k - 1]))
    ]


def _exchanged(parts: Sequence[str]) -> Iterator[str]:
    """Two letters of one script exchanged: A_{ij} and A_{ji}."""
    for start, end in scripts(parts):
        places = [k for k in range(start, end) if _LETTER.fullmatch(parts[k])]
        for a in places:
            for b in places:
                if a < b and parts[a] != parts[b]:
                    other = list(parts)
                    other[a], other[b] = parts[b], parts[a]
                    yield "".join(other)


_MATRIX = (
    r"(?:(?:\\(?:mathbf|boldsymbol|bm|bar|hat|tilde|mathrm)\s*\{?(?:\\[a-zA-Z]+|\w)\}?"
    r"|(?<![\\a-zA-Z{_^])d?[A-Z](?![a-zA-Z])|\\[A-Z][a-z]+)(?:[_^](?:\{[^{}]*\}|\\[a-zA-Z]+|\w))*)"
)


_ROW = r"(?<![\\a-zA-Z{_^])[a-z]\^(?:\{\\top\}|\\top(?![a-z])|\{T\}|T(?![A-Za-z]))"
_BRACKET = r"\([^()]*\)(?:\^(?:\{[^{}]*\}|\\[a-zA-Z]+|\w))?"
_DIAGONAL = r"\\(?:(?:mathrm|operatorname)\s*\{diag\}|diag)\s*(?:\\left)?\((?:[^()]|\([^()]*\))*\)"


def _reversed(side: str, *more: str) -> Iterator[str]:
    r"""Two matrices side by side in the other order: A B and B A; A (x - y), where more is one."""
    factor = "|".join((_DIAGONAL, _MATRIX, *more))
    pair = re.compile(rf"(?=(?P<first>{factor})(?P<gap>\s*)(?P<second>{factor}))")
    for found in pair.finditer(side):
        if found["first"] != found["second"]:
            swapped = f"{found['second']} {found['first']}"
            yield side[: found.start()] + swapped + side[found.end("second") :]


def _relettered(parts: Sequence[str], more: Iterable[str]) -> Iterator[str]:
    """One index letter for another one of the statement; everywhere in the side; in one script."""
    places = [k for start, end in scripts(parts) for k in range(start, end)]
    places = [k for k in places if _LETTER.fullmatch(parts[k])]
    known = list(dict.fromkeys([*(parts[k] for k in places), *more]))
    for k in places:
        for letter in known:
            if letter != parts[k]:
                space = " " if letter.startswith("\\") else ""
                yield _with(parts, k, letter + space)
    for a in range(len(known)):
        for b in range(a + 1, len(known)):
            change = {known[a]: known[b], known[b]: known[a]}
            yield "".join(change.get(t, t) if k in set(places) else t for k, t in enumerate(parts))
    pairs = [(start, end) for start, end in scripts(parts) if end - start == 2]
    pairs = [p for p in pairs if all(_LETTER.fullmatch(parts[k]) for k in range(*p))]
    several = Counter(tuple(parts[start:end]) for start, end in pairs)
    for script in (x for x, count in several.items() if count > 1):  # Σ_k A_kj B_kj
        for new in permutations(known, 2):
            put = [f"{x} " if x.startswith("\\") else x for x in new]
            at = {k: x for p in pairs if tuple(parts[slice(*p)]) == script
                  for k, x in zip(range(*p), put, strict=True)}  # fmt: skip
            yield "".join(at.get(k, t) for k, t in enumerate(parts))


def renamed(side: str) -> Iterator[str]:
    """One name for another one of the side, where the first still stands elsewhere in it."""
    places = [*_NUMBER.finditer(side)]
    known = Counter(m[0] for m in places)
    for m in places:
        for other in known if known[m[0]] > 1 else ():
            if other != m[0]:
                yield f"{side[: m.start()]}{other} {side[m.end() :]}"


def _transposed(parts: Sequence[str]) -> Iterator[str]:
    r"""A^\top for A and A for A^\top, for every capital or bold name."""
    text = "".join(parts)
    for mark in TRANSPOSES:
        start = text.find(mark)
        while start >= 0:
            after = text[start + len(mark) : start + len(mark) + 1]
            if not (mark[-1].isalpha() and mark.startswith("^\\") and after.isalpha()):
                yield text[:start] + " " + text[start + len(mark) :]
            start = text.find(mark, start + 1)
    mark = next((m for m in TRANSPOSES if m in text), r"^\top")
    name = re.compile(
        r"(?:\\(?:mathbf|boldsymbol|bm|bar|hat|tilde|dot|mathrm)\s*\{?(?:\\[a-zA-Z]+|\w)\}?"
        r"|(?<![\\a-zA-Z{])d?[A-Z](?![a-zA-Z])|\\[A-Z][a-z]+|\))(?:_(?:\{[^{}]*\}|\w))?(?!\s*[\^_'])"
    )
    for match in name.finditer(text):
        yield f"{text[: match.end()]}{mark} {text[match.end() :].lstrip()}"
    for match in re.finditer(r"(?<![\\a-zA-Z{])[A-Z]\^\{[(\[][^()\[\]{}]*[)\]]\}", text):
        yield f"{text[: match.start()]}({match[0]}){mark} {text[match.end() :].lstrip()}"


_VECTOR = (
    r"(?:\\(?:mathbf|boldsymbol|bm|bar|hat|tilde|vec)\s*\{?(?:\\[a-zA-Z]+|[a-z])\}?"
    rf"|[a-z](?![a-zA-Z])|\\(?:{'|'.join(sorted(GREEK))})(?![a-z]))(?:_(?:\{{[^{{}}]*\}}|\w))?"
)


def _congruent(side: str) -> Iterator[str]:
    r"""B^\top P B for B P B^\top, and the other way round."""
    name = (
        r"(?P<name>\\(?:mathbf|boldsymbol|bm|hat|tilde|bar)\s*\{?(?:\\[a-zA-Z]+|\w)\}?|[A-Z]|\\[A-Z][a-z]+)"
        r"(?P<below>_(?:\{[^{}]*\}|\w))?"
    )
    mark = rf"(?P<mark>{'|'.join(map(re.escape, TRANSPOSES))})(?![a-zA-Z])"
    between = r"(?P<between>(?:[^()+=&{}-]|\{[^{}]*\})*?)"
    free = r"(?<![\\a-zA-Z{_^])"
    again = r"(?(below)(?P=below)|(?!_))"
    before = re.compile(rf"{free}{name}(?!\s*\^){between}{free}(?P=name){again}{mark}")
    behind = re.compile(rf"{free}{name}{mark}{between}{free}(?P=name){again}(?!\s*[\^_'a-zA-Z])")
    for pattern, turned in ((before, True), (behind, False)):
        for m in pattern.finditer(side):
            plain = f"{m['name']}{m['below'] or ''}"
            marked = f"{plain}{m['mark']}"
            one, other = (marked, plain) if turned else (plain, marked)
            rest = side[m.end() :]
            inner = " ".join(filter(None, (one, m["between"].strip(), other)))
            yield f"{side[: m.start()]}{inner}{' ' * rest[:1].isalpha()}{rest}"


def _outer(side: str) -> Iterator[str]:
    r"""u v^\top and u^\top v, each for the other, and both for u v."""
    mark = next((m for m in TRANSPOSES if m in side), r"^\top")
    turned = "|".join(map(re.escape, TRANSPOSES))
    one, two = (rf"(?P<{x}>{_VECTOR})\s*(?P<{x}t>{turned})?" for x in "ab")
    start = r"(?:(?<=e\^\{)|(?<![\\a-zA-Z{_^]))"  # of a factor, or of an exponent
    for found in re.finditer(rf"{start}(?=(?P<all>{one}\s*{two}))", side):
        a, b = found["a"], found["b"]
        ways = (f"{a} {b}{mark}", f"{a}{mark} {b}", f"{b} {a}{mark}")
        for way in ways:
            if "".join(way.split()) != "".join(found["all"].split()):
                yield side[: found.start()] + way + " " + side[found.end("all") :].lstrip()


def _numerators(side: str) -> Iterator[str]:
    r"""\frac{a}{b} for \frac{1}{b}, with an a of the side."""
    known = dict.fromkeys(m[0] for m in _NUMBER.finditer(side))
    for m in re.finditer(r"(\\[dt]?frac)\s*(?:\{\s*1\s*\}|1(?=\{))", side):
        for name in [*known][:INSERTED]:
            yield f"{side[: m.start()]}{m[1]}{{{name}}}{side[m.end() :]}"


def _complements(side: str) -> Iterator[str]:
    """1 - p for p, and p for 1 - p: a share and the rest of it."""
    if re.fullmatch(rf"\s*{_NUMBER.pattern}\s*", side):
        yield f"1 - {side.strip()}"
    for m in re.finditer(rf"\(\s*1\s*-\s*({_NUMBER.pattern})\s*\)(?!\s*\^)", side):
        yield f"{side[: m.start()]}{m[1]} {side[m.end() :].lstrip()}"
    for m in re.finditer(rf"{_NUMBER.pattern}(?!\s*[\^'_])", side):
        if re.search(r"1\s*-\s*$", side[: m.start()]) is None:
            yield f"{side[: m.start()]}(1 - {m[0]}) {side[m.end() :].lstrip()}"


def _inverted(side: str) -> Iterator[str]:
    r"""A for A^{-1}; w for 1/w, and 1/w for w."""
    for match in re.finditer(r"\^\{-1\}", side):
        yield side[: match.start()] + side[match.end() :]
    for m in re.finditer(rf"\\[dt]?frac\s*\{{?1\}}?\s*\{{\s*({_NUMBER.pattern})\s*\}}", side):
        yield f"{side[: m.start()]}{m[1]} {side[m.end() :].lstrip()}"
    for m in re.finditer(rf"{_NUMBER.pattern}(?!\s*[\^'_(])(?=\s*(?:\\sum|\\left))", side):
        yield rf"{side[: m.start()]}\frac{{1}}{{{m[0]}}}{side[m.end() :]}"


def _functions(parts: Sequence[str]) -> Iterator[str]:
    for k, token in enumerate(parts):
        for other in _SWAPS.get(token, ()):
            yield _with(parts, k, other)


def _rooted(side: str) -> Iterator[str]:
    r"""\sqrt{x} for x below a fraction bar or in a bracket, and x for \sqrt{x}."""
    for match in re.finditer(r"\\sqrt\s*\{([^{}]*)\}", side):
        yield side[: match.start()] + match[1] + side[match.end() :]
    for match in re.finditer(
        r"(?<=\{)\s*((?:\\[a-zA-Z]+|[A-Za-z])(?:_\w|_\{[^{}]*\})?)\s*(?=\})", side
    ):
        if not side[: match.start() - 1].endswith(("_", "^", r"\sqrt", r"\mathbf")):
            yield f"{side[: match.start()]}\\sqrt{{{match[1]}}}{side[match.end() :]}"


def _under_roots(side: str) -> Iterator[str]:
    r"""\sqrt{x} for a factor x, and \sqrt{1 - x} for a bracket."""
    factor = re.compile(r"(?<![\\a-zA-Z{_^])(?:[A-Za-z](?![a-zA-Z])|\\(?:[a-z]+))(?![\w^{_'(])")
    for match in factor.finditer(side):
        if match[0][1:] in GREEK or len(match[0]) == 1:
            yield f"{side[: match.start()]}\\sqrt{{{match[0]}}}{side[match.end() :]}"
    for match in re.finditer(r"(?<![A-Za-z])\(([^()]*)\)", side):
        yield f"{side[: match.start()]}\\sqrt{{{match[1]}}}{side[match.end() :]}"


def _dropped(parts: Sequence[str]) -> Iterator[str]:
    r"""A factor left out: a name with its scripts, a fraction, a root."""
    factor = re.compile(
        r"\\frac\s*(?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|\d)\s*(?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|\d)"
        r"|\\sqrt\s*\{[^{}]*\}"
        r"|(?:\\(?:mathbf|boldsymbol|bm|bar|hat|tilde|mathrm)\s*\{[^{}]*\}|\\[a-zA-Z]+|[A-Za-z])"
        r"(?:[_^](?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|\\[a-zA-Z]+|\w))+"
        r"|(?<![\\a-zA-Z{])[A-Za-z](?![a-zA-Z_^])"
        r"|\\(?:alpha|beta|gamma|eta|lambda|mu|sigma|tau|theta)(?![a-zA-Z_^])"
    )
    text = "".join(parts)
    for match in factor.finditer(text):
        yield text[: match.start()] + text[match.end() :]


def added(parts: Sequence[str], terms: Sequence[str]) -> Iterator[str]:
    """A term that is added or taken away at the end of a bracket, or of the side."""
    ends = [k for k, t in enumerate(parts) if t == ")"]
    for term in terms:
        for k in (*ends, len(parts)):
            at = k - 1 if k and parts[k - 1] == r"\right" else k
            for sign in "-+":
                before, after = "".join(parts[:at]), "".join(parts[at:])
                yield Filled(f"{before} {sign} ", term, f" {after}")


def _behind_scripts(parts: Sequence[str], k: int, scripted: Mapping[int, int]) -> int:
    """The place behind the scripts that begin at a place, spaces left out."""
    while k < len(parts) - 1 and (parts[k] in "_^" or not parts[k].strip()):
        if parts[k] in "_^":
            start = k + 2 if parts[k + 1] == "{" else k + 1
            k = scripted.get(start, start) + (parts[k + 1] == "{")
        else:
            k += 1
    return k


def inserted(
    parts: Sequence[str], factors: Sequence[str], places: Iterable[int] = ()
) -> Iterator[str]:
    """A factor put in front of one term, or of what a bracket or a sum holds; of a matrix or a row.

    `places` are those of more tokens in front of which it may stand.
    """
    at = [0, *(k + 1 for k, t in enumerate(parts) if t in ("+", "-", "("))]
    scripted = dict(scripts(parts))
    for k, token in enumerate(parts):
        if token == r"\sum":
            at.append(_behind_scripts(parts, k + 1, scripted))
    starts = dict(zip(accumulate(map(len, parts), initial=0), range(len(parts)), strict=False))
    inside = [m.start() for m in re.finditer(rf"{_MATRIX}|{_ROW}", "".join(parts))]
    at += [starts[x] for x in inside if x in starts]
    for factor in factors:
        for k in dict.fromkeys((*at, *places)):
            behind = "".join(parts[k:]).lstrip()
            if behind.startswith(factor) and not behind[len(factor) :].startswith(TRANSPOSES):
                continue  # x x is x^2, which is another edit, and x x^\top is none
            yield Filled("".join(parts[:k]) + " ", factor, " " + "".join(parts[k:]))


__all__ = [
    "TRANSPOSES",
    "Filled",
    "added",
    "candidates",
    "factored",
    "inserted",
    "one_term",
    "scripts",
    "tokens",
]
