r"""Tokens as the grammar takes them: scripts of one digit, gaps, and brackets in pairs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import zip_longest

from ..explain.naming import GREEK
from . import bars
from .lexer import Token, lexed
from .operated import applied
from .source import Display, ReadError, Source
from .split import CLOSERS, OPENERS
from .vocabulary import function

MAX_DEPTH = 40  # brackets inside one another


def tokens(source: Source, display: Display) -> list[Token]:
    """The tokens of a display, macros expanded and brackets matched.  Raises ReadError."""
    if display not in source.parsed:
        source.parsed[display] = _tokens(source, display)
    return [*source.parsed[display]]


def _tokens(source: Source, display: Display) -> list[Token]:
    read = list(_degrees(_bracketed(list(lexed(source, display)))))
    found = list(_dotted(_digits(_words(read))))
    found = applied(source, _plain_words(source, found))
    if not source.strict:
        found = _directions(_starred(list(_named(found))))
    if not source.strict and source.averaged:
        found = [_expectation(t, after) for t, after in zip_longest(found, found[1:])]
    paired = _unbraced(_paired(source, _slots(_ranges(_notes(found)))))
    return _systems(_covariant(source, _inside(paired)))


def _bracketed(found: list[Token]) -> list[Token]:
    r"""Without the font of a bracket, \mathbf (a + b)."""
    pairs = zip_longest(found, found[1:])
    return [t for t, after in pairs if t.kind != "FONT" or after is None or after.kind != "OPEN"]


_DIRECTIONS = {"⊥": "perp", "∥": "parallel", "circ": "std"}


def _degrees(found: list[Token]) -> Iterator[Token]:
    r"""\frac{30 \pi}{180} for 30^\circ; 20^\circ C stays, which is a temperature."""
    k = 0
    while k < len(found):
        token, behind = found[k], [t.text for t in found[k + 1 : k + 5]]
        length = 2 if behind[:2] == ["^", "circ"] else 4
        circle = length == 2 or behind[:4] == ["^", "{", "circ", "}"]
        unit = k + 1 + length < len(found) and found[k + 1 + length].text in ("C", "F", "K")
        if token.kind != "NUMBER" or not circle or unit:
            yield token
            k += 1
            continue
        shown = (("FRAC", "frac"), ("LBRACE", "{"), ("NUMBER", token.text), ("NAME", "pi"),
                 ("RBRACE", "}"), ("LBRACE", "{"), ("NUMBER", "180"))  # fmt: skip
        yield from (replace(token, kind=kind, text=text) for kind, text in shown)
        yield replace(found[k + length], kind="RBRACE", text="}")
        k += 1 + length


def _directions(found: list[Token]) -> list[Token]:
    r"""The ⊥ of v_\perp and v_{\perp}, and the ∘ of G^\circ, as a label."""
    result = list(found)
    for k, token in enumerate(found):
        opened = k > 1 and found[k - 1].kind == "LBRACE"
        sign = found[k - 1 - opened].kind if k else ""
        closed = not opened or (k + 1 < len(found) and found[k + 1].kind == "RBRACE")
        if token.text in _DIRECTIONS and sign in ("UNDER", "CARET") and closed:
            result[k] = replace(token, kind="LABEL", text=_DIRECTIONS[token.text])
    return result


_ENDS = frozenset(
    ["REL", "PLUS", "MINUS", "CLOSE", "RBRACE", "COMMA", "AMP", "ROW", "QUAD", "STOP"]
)
_WORDLIKE = frozenset(["lse", "softmax", "relu", "softplus", "sigmoid", "tr", "det", "tanh"])


def _named(found: list[Token]) -> Iterator[Token]:
    r"""\operatorname{LSE}_i = … gives a name: a function that is applied to nothing."""
    for k, token in enumerate(found):
        if token.kind != "FUNCTION" or token.text not in _WORDLIKE:
            yield token
            continue
        n = k + 1
        while n < len(found) and found[n].kind in ("UNDER", "CARET", "PRIME"):
            n += 1 if found[n].kind == "PRIME" else 2
            depth = int(n - 1 < len(found) and found[n - 1].kind == "LBRACE")
            while depth and n < len(found):
                depth += (found[n].kind == "LBRACE") - (found[n].kind == "RBRACE")
                n += 1
        alone = n > k + 1 or (k + 1 < len(found) and found[k + 1].kind == "REL")
        ended = n >= len(found) or found[n].kind in _ENDS
        yield replace(token, kind="NAME") if alone and ended else token


def _starred(found: list[Token]) -> list[Token]:
    r"""The * of w^{*\top} as a star."""
    result = list(found)
    for k in range(2, len(found)):
        above = found[k - 2].kind == "CARET" and found[k - 1].kind == "LBRACE"
        if above and found[k].kind == "TIMES" and found[k].text in ("*", "ast"):
            result[k] = replace(found[k], kind="SIGN", text="star")
    return result


def _expectation(token: Token, after: Token | None) -> Token:
    """E before a square bracket, in a text on expectations."""
    bracket = token.text == "E" and after is not None and after.text == "["
    return Token("FUNCTION", "E", token.at, token.line_break) if bracket else token


def _inside(found: list[Token]) -> list[Token]:
    """Without the rows and columns of layout inside of brackets; a wide space parts entries."""
    result: list[Token] = []
    open_: list[str] = []
    for token in found:
        if token.kind in OPENERS:
            open_.append(token.kind)
        elif token.kind in CLOSERS and open_:
            open_.pop()
        bracket = open_[-1] if open_ else ""
        if bracket and not bracket.startswith("BEGIN") and token.kind in ("AMP", "ROW", "QUAD"):
            if bracket != "LSQUARE" or token.kind != "QUAD":
                continue
            token = Token("COMMA", ",", token.at)
        result.append(token)
    return result


def _systems(found: list[Token]) -> list[Token]:
    """Without the brace of cases round whole equations, which no relation precedes."""
    result: list[Token] = []
    related, open_ = False, 0
    for k, token in enumerate(found):
        label = [t.kind for t in result[-2:]] in _LABELLED and result[-1].text == ":"
        if token.kind == "BEGIN_CASES" and label:
            del result[-2:]
            related = False
        if token.kind == "BEGIN_CASES" and not related and _equations(found, k):
            open_ += 1
            continue
        if token.kind == "END_CASES" and open_:
            open_ -= 1
            continue
        related = token.kind == "REL" or (related and token.kind not in ("ROW", "SEMI"))
        result.append(token)
    return result


_LABELLED = (["NAME", "REL"], ["PROSE", "REL"])  # base: {…


def _equations(found: list[Token], start: int) -> bool:
    """True where a row of cases has a relation between its first & and the next, or before any."""
    depth, column = 0, 0
    for k in range(start + 1, len(found)):
        token, before = found[k], found[k - 1]
        if token.kind == "END_CASES" and not depth:
            return False
        depth += (token.kind in OPENERS) - (token.kind in CLOSERS)
        if depth:
            continue
        if token.kind == "ROW":
            column = 0
        elif token.kind == "AMP":
            column += before.kind not in ("BEGIN_CASES", "ROW")
        elif token.kind == "REL":
            return not column or before.kind == "AMP"
    return False


def _unbraced(found: list[Token]) -> list[Token]:
    """Without braces round a whole display: {\\textstyle …}."""
    while found and found[0].kind == "LBRACE" and _behind(found, 0) == len(found):
        found = found[1:-1]
    return found


def _covariant(source: Source, found: list[Token]) -> list[Token]:
    """The tokens; ReadError for v_{a;b}, a covariant derivative."""
    marks: list[bool] = []  # whether each open brace is that of a script
    for before, token in zip([None, *found], found, strict=False):
        if token.kind == "LBRACE":
            marks.append(before is not None and before.kind in ("UNDER", "CARET"))
        elif token.kind == "RBRACE" and marks:
            marks.pop()
        elif token.kind == "SEMI" and token.text == ";" and marks and marks[-1]:
            raise source.fail(
                token.at,
                "a semicolon between indices: a covariant derivative, or one more index?",
                expected=r"\nabla_b v_a for v_{a;b}, or v_{a,b} for a component",
                mend=r"write \nabla_b v_a",
            )
    return found


_GREEK = frozenset(x for x in GREEK if len(x) > 3 and x.isalpha())  # lambda, and not mu
_WORD = re.compile(r"(?=.{5})(?:[A-Z][a-z]+)+")


def _plain_words(source: Source, found: list[Token]) -> list[Token]:
    r"""exp(x) without a backslash: a function, or, where the reading is strict, an error.

    A capitalised word that is applied, Attention(Q, K), is a name.
    """
    result = list(found)
    run: list[Token] = []
    for token in [*found, Token("END", "", -1)]:
        letter = token.kind == "NAME" and len(token.text) == 1
        if letter and (not run or token.at == run[-1].at + 1):
            run.append(token)
            continue
        word = "".join(t.text for t in run)
        name = function(word) if len(word) > 2 or token.text == "(" else None
        if name and not source.strict:
            first = result.index(run[0])
            whole = Token("FUNCTION", name, run[0].at, run[0].line_break)
            result[first : first + len(run)] = [whole]
        elif not source.strict and token.text == "(" and _WORD.fullmatch(word):
            first = result.index(run[0])
            whole = Token("NAME", word, run[0].at, run[0].line_break)
            result[first : first + len(run)] = [whole]
        elif name:
            product = " ".join(word)
            raise source.fail(
                run[0].at,
                f"{word}: the function, or the product {product}?",
                expected=rf"\{word} or \text{{{word}}}; for the product {product} with spaces",
                mend="write a backslash before a function",
            )
        elif source.strict and word in _GREEK:
            raise source.fail(
                run[0].at,
                f"{word}: the letter, or the product {' '.join(word)}?",
                expected=rf"\{word}; for the product {' '.join(word)} with spaces",
                mend="write a backslash before a Greek letter",
            )
        run = [token] if letter else []
    return result


_JOINED = ("UNDER", "CARET", "REL", "PLUS", "MINUS", "TIMES", "SLASH", "ODOT", "OPEN", "CLOSE")
_BEGUN = ("", "ROW", "QUAD", "COMMA", "SEMI", "AMP", "IMPLIES", "WHERE", "PROSE", "BEGIN_CASES")


def _words(found: list[Token]) -> Iterator[Token]:
    r"""\text{therefore} before a formula is a word, \text{head}_i and \text{lr} \cdot g a name."""
    before = ""
    for k, token in enumerate(found):
        if token.kind == "WORD":
            after = found[k + 1] if k + 1 < len(found) else None
            apart = after is not None and after.kind not in (*_JOINED, *_BEGUN, "RBRACE", "STOP")
            kind = "PROSE" if before in _BEGUN and apart else "NAME"
            token = Token(kind, token.text, token.at, token.line_break)
        before = token.kind
        yield token


def _dotted(found: Iterable[Token]) -> Iterator[Token]:
    """Three full stops in a row as dots."""
    held: list[Token] = []
    for token in found:
        if token.kind == "STOP":
            held.append(token)
            if len(held) == 3:
                yield Token("SIGN", "dots", held[0].at, held[0].line_break)
                held = []
            continue
        yield from held
        held = []
        yield token
    yield from held


def _notes(found: list[Token]) -> list[Token]:
    r"""Without \boxed, without what stands under \underbrace, and without a stop at a row's end."""
    result: list[Token] = []
    marks: list[str] = []  # what each open brace belongs to
    k = 0
    while k < len(found):
        token, after = found[k], found[k + 1].kind if k + 1 < len(found) else ""
        k += 1
        mark = ""
        if token.kind in ("NOTED", "BOXED") and after == "LBRACE":
            marks.append(token.kind)
            if token.kind == "NOTED":
                result.append(found[k])
            k += 1
            continue
        if token.kind == "LBRACE":
            marks.append("")
        elif token.kind == "RBRACE" and marks:
            mark = marks.pop()
        if mark != "BOXED" and not (token.kind == "STOP" and after in ("ROW", "END_CASES")):
            result.append(token)
        if mark == "NOTED" and after in ("UNDER", "CARET"):
            k = _behind(found, k + 1)
    return result


_RANGES = {"<": "before", "≤": "to", ":": "to", ">": "after", "≥": "from"}


def _ranges(found: list[Token]) -> list[Token]:
    r"""x_{<t} and x_{1:t} as names with the index t: what stands before t, and up to it."""
    result: list[Token] = []
    k = 0
    while k < len(found):
        named = k and found[k - 1].kind in ("NAME", "RBRACE") and found[k - 2].kind != "NUMBER"
        if (
            found[k].kind != "UNDER"
            or not named
            or [t.kind for t in found[k + 1 : k + 2]] != ["LBRACE"]
        ):
            result.append(found[k])
            k += 1
            continue
        end = _behind(found, k + 1)
        inside = found[k + 2 : end - 1]
        cuts = [n for n, t in enumerate(inside) if t.kind == "REL" and t.text in _RANGES]
        column = found[k - 1].text[:1].isupper() and [t.text for t in inside[:1]] == [":"]  # A_{:j}
        if len(cuts) == 1 and not column and cuts[0] < 2 and cuts[0] + 1 < len(inside):
            (cut,) = cuts
            mark = inside[cut]
            first = [t for t in inside[:cut] if t.kind != "NUMBER"]
            label = Token("LABEL", _RANGES[mark.text], mark.at)
            comma = Token("COMMA", ",", mark.at)
            inside = [*first, *([comma] if first else []), label, comma, *inside[cut + 1 :]]
        result += [*found[k : k + 2], *inside, found[end - 1]]
        k = end
    return result


def _behind(found: list[Token], k: int) -> int:
    """The place behind the token or the group in braces that begins at `k`."""
    depth = 0
    while k < len(found):
        depth += {"LBRACE": 1, "RBRACE": -1}.get(found[k].kind, 0)
        k += 1
        if depth <= 0:
            break
    return k


_OPEN, _SHUT = ("LBRACE", "OPEN", "COMMA"), ("RBRACE", "CLOSE", "COMMA")


def _slots(found: list[Token]) -> list[Token]:
    r"""A dot or colon with nothing on one side is an open slot: A^{i\cdot}, A_{:,j}, p(\cdot|i)."""
    result = list(found)
    for k in range(1, len(found) - 1):
        token, before, after = found[k], found[k - 1].kind, found[k + 1].kind
        dot = token.kind == "TIMES" and token.text == "cdot"
        if (dot or (token.kind == "REL" and token.text == ":")) and (
            before in _OPEN or after in _SHUT
        ):
            result[k] = Token("SIGN", "slot", token.at, token.line_break)
    return result


def _digits(found: Iterable[Token]) -> Iterator[Token]:
    """TeX takes one digit as the argument of ^, _ and \\frac when there is no brace.

    A gap at the beginning of a script is noted before the script; other gaps are dropped.
    """
    wants = 0
    for token in _gaps(found):
        if token.kind == "NUMBER" and wants and token.text[:2].isdigit() and token.text[1:]:
            yield Token("NUMBER", token.text[0], token.at, token.line_break)
            rest = Token("NUMBER", token.text[1:], token.at + 1)
            if wants > 1:
                yield Token("NUMBER", rest.text[0], rest.at)
                rest = Token("NUMBER", rest.text[1:], rest.at + 1)
            if rest.text:
                yield rest
            wants = 0
            continue
        if token.kind == "TIMES" and wants and token.text == "*":
            token = Token("SIGN", "star", token.at, token.line_break)
        yield token
        wants = (
            1
            if token.kind in ("CARET", "UNDER")
            else 2
            if token.kind == "FRAC"
            else max(wants - 1, 0)
            if token.kind == "NUMBER"
            else 0
        )


def _empty(found: Iterable[Token]) -> Iterator[Token]:
    """Empty braces are a gap, R^a{}_b, and nothing where a term begins: = {} - x."""
    result: list[Token] = []
    for token in found:
        before = result[-1] if result else None
        if before is not None and before.kind == "LBRACE" and token.kind == "RBRACE":
            result[-1] = Token("GAP", "{}", before.at)
            continue
        gap = before is not None and before.text == "{}" and token.kind not in ("CARET", "UNDER")
        if gap and (len(result) < 2 or result[-2].kind in _BEGINS):
            result.pop()
        result.append(token)
    yield from result


_BEGINS = frozenset({"REL", "PLUS", "MINUS", "AMP", "ROW"})


def _gaps(found: Iterable[Token]) -> Iterator[Token]:
    held: list[Token] = []
    for token in _empty(found):
        if token.kind == "GAP":
            if len(held) == 2 or token.text == "{}":
                yield token
            continue
        if len(held) == 1 and token.kind == "LBRACE":
            held.append(token)
            continue
        yield from held
        held = []
        if token.kind in ("CARET", "UNDER"):
            held = [token]
        else:
            yield token
    yield from held


_CLOSING = {"(": ")", "[": "]", r"\{": r"\}", "<": ">", "{": "}", "|": "|", "‖": "‖"}
_OPENING = {shut: opening for opening, shut in _CLOSING.items()}
_KINDS = {
    ".": "PAREN",
    "(": "PAREN",
    "[": "SQUARE",
    r"\{": "SET",
    "<": "ANGLE",
    "|": "ABS",
    "‖": "NORM",
}
_CLOSED = {f"R{kind}" for kind in _KINDS.values()}


def _paired(source: Source, found: Iterable[Token]) -> list[Token]:
    """Tokens with a kind of their own for each bracket; `|` and `‖` open or close by turns."""
    result: list[Token] = []
    stack: list[tuple[str, int, int]] = []  # bracket, index in result, position in the text
    every = list(found)
    for token, after in zip_longest(every, every[1:]):
        kind, shown = token.kind, token.text
        if shown == "||" and stack and stack[-1][0] == "|" and _between(result[-1], after):
            result.append(Token("RABS", "|", token.at))  # |A||B|
            stack[-1] = ("|", len(result), token.at + 1)
            result.append(Token("LABS", "|", token.at + 1))
            continue
        if kind == "REL" and shown in "<>" and stack and stack[-1][0] == "<" and shown == ">":
            kind, shown = "CLOSE", ">"
        if kind == "NORM":
            shown = "‖"
        if kind in ("NORM", "BAR"):
            inside = bool(stack) and stack[-1][0] in (shown, ".")
            if kind == "BAR" and not inside and token.text == "mid":
                result.append(Token("MID", "|", token.at, token.line_break))
                continue
            behind = kind == "BAR" and not inside and after is not None and after.kind == "UNDER"
            begins = bars.start(result, stack[-1][1] + 1 if stack else 0) if behind else None
            if begins is not None:  # E |_{x = a}
                result.insert(begins, Token("LPAREN", ".", result[begins].at))
                result.append(Token("RPAREN", "|", token.at, token.line_break))
                continue
            kind = "CLOSE" if inside else "OPEN"
        if kind == "LBRACE" or kind == "OPEN" or kind.startswith("BEGIN_"):
            opening = "{" if kind == "LBRACE" else shown
            stack.append((opening, len(result), token.at))
            if len(stack) > MAX_DEPTH:
                raise source.fail(
                    token.at,
                    f"brackets are nested deeper than {MAX_DEPTH}",
                    mend="give parts of the formula names of their own",
                )
            if kind == "OPEN":
                result.append(Token(f"L{_KINDS[shown]}", shown, token.at, token.line_break))
                continue
        elif kind == "RBRACE" or kind == "CLOSE" or kind.startswith("END_"):
            if stack and stack[-1][0] in "|‖" and shown != stack[-1][0]:
                opened = stack.pop()  # a single bar separates: p(x|θ), D(p‖q)
                result[opened[1]] = Token("MID", "|", opened[2])
            real = next((k for k in range(len(stack))[::-1] if stack[k][0] != "."), -1)
            if -1 < real < len(stack) - 1 and stack[real][0] == _OPENING.get(shown):
                result[stack.pop()[1]] = Token("VOID", ".", token.at)  # ( … \right. \left. … )
                stack.append(stack.pop(real))
            opening, start, at = stack.pop() if stack else ("", 0, token.at)
            if opening == ".":
                result[start] = Token("LPAREN", "." if shown == "|" else "(", at)
                shown = ")"
            if shown == "." and _is_array(result, opening, start):
                result[start:] = _as_cases(result[start + 1 :])
                continue
            if shown == "." and opening in ("(", "[", "\\{"):  # \left( … \right. goes on below
                stack.append((opening, start, at))
                continue
            half = opening + shown in ("[)", "(]")  # [0, 1)
            if half and [t.kind for t in result[start + 1 :]].count("COMMA") == 1:
                shown = _CLOSING[opening]
            wanted = ")" if opening == "." else _CLOSING.get(opening, opening)
            if wanted != shown:
                raise _mismatch(source, token, opening, wanted, at)
            if kind == "CLOSE" and opening + shown == "[]" and _given(result, start):
                result[start] = replace(result[start], kind="LPAREN", text="(")  # KL[q ‖ p]
                result.append(Token("RPAREN", ")", token.at, token.line_break))
                continue
            if kind == "CLOSE":
                result.append(Token(f"R{_KINDS[opening]}", shown, token.at, token.line_break))
                continue
        result.append(Token(kind, shown, token.at, token.line_break))
    if stack:
        opening, _, at = stack[-1]
        raise source.fail(
            at,
            f"the bracket {opening} is never closed",
            expected=_CLOSING.get(opening, rf"\end{{{opening}}}"),
            mend="close it, or take it out",
        )
    return [t for t in result if t.kind != "VOID"]


def _given(result: list[Token], start: int) -> bool:
    """True for the [q ‖ p] behind a name, which no product is."""
    depth = 0
    for token in result[start + 1 :]:
        depth += (token.kind in OPENERS) - (token.kind in CLOSERS)
        if token.kind == "MID" and not depth:
            return start > 0 and result[start - 1].kind in ("NAME", "LITERAL", "LABEL", "RBRACE")
    return False


def _between(before: Token, after: Token | None) -> bool:
    """True for the || of |A||B|: what is in bars ends before it, and begins behind it."""
    operands = ("NAME", "NUMBER", "LITERAL", "LABEL", "PRIME", "RBRACE", "END_MATRIX")
    ends = before.kind in operands or before.kind in _CLOSED
    joins = ("PLUS", "MINUS", "TIMES", "SLASH", "REL", "CARET", "UNDER", "COMMA", "BAR")
    goes_on = after is not None and after.kind not in (*joins, *CLOSERS)
    return ends and goes_on


def _is_array(result: list[Token], opening: str, start: int) -> bool:
    r"""True for \left\{ \begin{array} … \end{array}, which \right. ends: cases written by hand."""
    inside = [t.kind for t in result[start + 1 :] if t.kind.endswith("_MATRIX")]
    return (
        opening == r"\{"
        and inside == ["BEGIN_MATRIX", "END_MATRIX"]
        and (result[start + 1].kind, result[-1].kind) == ("BEGIN_MATRIX", "END_MATRIX")
    )


def _as_cases(inside: list[Token]) -> list[Token]:
    first, *middle, last = inside
    return [
        Token("BEGIN_CASES", "cases", first.at, first.line_break),
        *middle,
        Token("END_CASES", "cases", last.at),
    ]


def _mismatch(source: Source, token: Token, opening: str, wanted: str, at: int) -> ReadError:
    shown = rf"\right{token.text}" if token.text == "." else token.text
    if not opening:
        return source.fail(
            token.at,
            f"{shown} closes a bracket that was never opened",
            mend="open it, or take this one out",
        )
    line, column = source.place(at)
    return source.fail(
        token.at,
        f"{shown} closes the bracket {opening} of line {line}, column {column}",
        expected=wanted,
        got=shown,
        mend="match the brackets",
    )
