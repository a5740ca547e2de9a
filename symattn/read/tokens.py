r"""LaTeX → tokens: macros are expanded, layout is dropped, brackets are matched.

One regular expression cuts the text into tokens, as in any lexer; what tokens mean together is the
grammar's business.  lark's own lexers work on a string, while macros and the two meanings of `|`
need a pass over tokens, so the grammar is given these tokens instead of text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .source import Display, Macro, ReadError, Source
from .vocabulary import (
    ACCENTS,
    ALIASES,
    COMMANDS,
    DISPLAYS,
    FORBIDDEN,
    FUNCTIONS,
    IMPLIES,
    LAYOUT,
    LETTERS,
    MATRICES,
    RELATIONS,
    SIGN_KIND,
    SIGNS,
    SPACED,
)

MAX_DEPTH = 40  # brackets inside one another
MAX_TOKENS = 40_000  # of one display, after macros


@dataclass(frozen=True, slots=True)
class Token:
    """A token: its kind in the grammar, what is written, and where."""

    kind: str
    text: str
    at: int
    line_break: bool = False  # the first one of a line


_TOKEN = re.compile(
    r"""
    (?P<skip>[ \t\r~]+|%[^\n]*)
  | (?P<newline>\n)
  | (?P<number>\d+(?:\.\d+)?|\.\d+)
  | \\(?P<drop>tag\*?|label|ref|hspace\*?|vspace\*?|phantom|color)\s*\{[^{}]*\}
  | \\(?P<paint>textcolor)\s*\{[^{}]*\}
  | \\(?P<word>text|mathrm|operatorname\*?|textrm|textit|mathit|textbf|mbox|mathsf|mathtt|textsf
      |texttt)\s*\{(?P<content>[^{}$]*)\}
  | \\(?P<blackboard>mathbb)\s*(?:\{(?P<set>[A-Za-z])\}|(?P<set1>[A-Za-z]))
  | \\(?P<edge>begin|end)\s*\{(?P<environment>[A-Za-z]+\*?)\}(?P<columns>\{[lcr|@ {}]*\})?
  | \\(?P<command>\\)(?:\*|\[-?[\d.]+\s*[a-z]+\])
  | \\(?P<command2>[A-Za-z]+|.|\n)
  | (?P<relation>:=|[=<>:])
  | (?P<letter>[A-Za-z])
  | (?P<sign>[-+*/^_{}()\[\],;.&'|!−·×∘])
    """,
    re.VERBOSE,
)
def tokens(source: Source, display: Display) -> list[Token]:
    """The tokens of a display, macros expanded and brackets matched.  Raises ReadError."""
    budget = [MAX_TOKENS]
    found = list(_expand(source, source.text, display.start, display.end, None, budget, 0))
    return _paired(source, _digits(found))


def _expand(
    source: Source, text: str, start: int, end: int, at: int | None, budget: list[int], level: int
) -> Iterator[Token]:
    """The tokens of a stretch of text; those of a macro's body stand where the macro is called."""
    position, new_line = start, False
    while position < end:
        found = _TOKEN.match(text, position, end)
        place = position if at is None else at
        if found is None:
            raise source.fail(
                place, f"the character {text[position]!r} is not part of a formula",
                mend="write its LaTeX command, or put words in \\text{…}")
        position = found.end()
        if found["newline"]:
            new_line = True
            continue
        if found["skip"] or found["drop"] or found["paint"]:
            continue
        command = found["command"] or found["command2"]
        if command in source.macros:
            macro = source.macros[command]
            body, position = _filled(source, macro, command, text, position, end, place)
            if level > 20:
                raise source.fail(place, f"the macro \\{command} calls itself without end",
                                  mend="define it through other commands")
            yield from _expand(source, body, 0, len(body), place, budget, level + 1)
            continue
        for token in _token(source, found, place):
            budget[0] -= 1
            if budget[0] < 0:
                raise source.fail(place, f"this display has more than {MAX_TOKENS} tokens",
                                  mend="split it into several displays")
            yield Token(token.kind, token.text, token.at, new_line)
            new_line = False


def _filled(
    source: Source, macro: Macro, name: str, text: str, position: int, end: int, at: int
) -> tuple[str, int]:
    """The body of a macro with its arguments put in, and the position behind them."""
    arguments: list[str] = []
    for _ in range(macro.arity):
        while position < end and text[position] in " \n\t":
            position += 1
        stop, depth = position, 0
        while stop < end:
            depth += {"{": 1, "}": -1}.get(text[stop], 0)
            stop += 1
            if depth <= 0:
                break
        if stop == position or depth > 0:
            raise source.fail(at, f"\\{name} takes {macro.arity} arguments",
                              mend="give each one in braces")
        piece = text[position:stop]
        arguments.append(piece[1:-1] if piece.startswith("{") else piece)
        position = stop
    body = re.sub(r"#(\d)", lambda m: arguments[int(m[1]) - 1]
                  if 0 < int(m[1]) <= len(arguments) else "", macro.body)
    if len(body) > MAX_TOKENS:
        raise source.fail(at, f"the macro \\{name} grows past {MAX_TOKENS} characters")
    return body, position


def _token(source: Source, found: re.Match[str], at: int) -> Iterator[Token]:
    kind = found.lastgroup
    written = found[0]
    if kind == "number":
        yield Token("NUMBER", written, at)
    elif kind == "letter":
        yield Token("NAME", written, at)
    elif kind == "relation":
        yield Token("REL", RELATIONS[written], at)
    elif kind == "sign":
        if written != ".":
            yield Token(SIGN_KIND[written], written, at)
        else:
            yield Token("STOP", written, at)
    elif kind == "content":
        yield _word(source, found["content"].strip(), at)
    elif found["blackboard"]:
        letter = found["set"] or found["set1"]
        yield Token("FUNCTION", "E", at) if letter == "E" else Token("SET", letter, at)
    elif found["edge"]:
        yield from _environment(source, found, at)
    else:
        yield from _command(source, found["command"] or found["command2"], at)


def _word(source: Source, word: str, at: int) -> Token:
    bare = word.rstrip(",:.").strip()
    squeezed = re.sub(r"\\[,;! ]", "", bare).replace(" ", "")
    if squeezed in FUNCTIONS:
        return Token("FUNCTION", FUNCTIONS[squeezed], at)
    if bare in ("if", "when", "for", "where", "with", "and", "or", "so", "then", "given"):
        return Token("IF", bare, at)
    if bare in ("otherwise", "else"):
        return Token("OTHERWISE", bare, at)
    if not bare:
        return Token("SEMI", word, at)
    if len(bare) == 1 or re.fullmatch(r"[A-Za-z][A-Za-z0-9-]*", bare):
        return Token("NAME", bare, at)
    return Token("PROSE", bare, at)


def _environment(source: Source, found: re.Match[str], at: int) -> Iterator[Token]:
    name = found["environment"]
    edge = "BEGIN" if found["edge"] == "begin" else "END"
    if name in DISPLAYS:
        return
    if name == "cases":
        yield Token(f"{edge}_CASES", name, at)
    elif name in MATRICES or name == "array":
        yield Token(f"{edge}_MATRIX", name, at)
    else:
        raise source.fail(at, f"the environment {name!r} is not known",
                          expected="aligned, cases, pmatrix, bmatrix, array, …",
                          mend="write the formula without it")


def _command(source: Source, command: str, at: int) -> Iterator[Token]:
    if command == " ":
        yield Token("GAP", command, at)
    if command in LAYOUT:
        return
    if command in SPACED:
        yield Token("QUAD", command, at)
    elif command in COMMANDS:
        kind = COMMANDS[command]
        if kind == "SIGN":
            yield Token(kind, SIGNS.get(command, command), at)
        elif kind == "ACCENT":
            yield Token(kind, ACCENTS.get(command, command), at)
        elif kind in ("OPEN", "CLOSE"):
            shown = {"langle": "<", "rangle": ">", "lbrace": "{", "rbrace": "}", "lbrack": "[",
                     "rbrack": "]"}.get(command, command)
            yield Token(kind, {"{": r"\{", "}": r"\}"}.get(shown, shown), at)
        elif kind == "BAR" and command != "mid":
            yield Token("BAR", "|", at)
        else:
            yield Token(kind, command, at)
    elif command in RELATIONS:
        yield Token("REL", RELATIONS[command], at)
    elif command in IMPLIES:
        yield Token("IMPLIES", command, at)
    elif command in FUNCTIONS:
        yield Token("FUNCTION", FUNCTIONS[command], at)
    elif command in LETTERS:
        yield Token("NAME", ALIASES.get(command, command), at)
    elif command in FORBIDDEN:
        raise source.fail(at, f"\\{command} is a TeX command with an effect; nothing is executed "
                              "or opened", mend="paste the text itself")
    elif command in ("newcommand", "renewcommand", "def"):
        raise source.fail(at, f"\\{command} stands inside a formula",
                          mend="define macros outside of displays")
    else:
        raise source.fail(at, f"the macro \\{command} is not known",
                          mend=rf"define it with \newcommand{{\{command}}}{{…}}, or write it out")


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
        wants = 1 if token.kind in ("CARET", "UNDER") else 2 if token.kind == "FRAC" else max(
            wants - 1, 0) if token.kind == "NUMBER" else 0


def _empty(found: Iterable[Token]) -> Iterator[Token]:
    """Empty braces are a gap: R^a{}_b."""
    held: Token | None = None
    for token in found:
        if held is not None and token.kind == "RBRACE":
            yield Token("GAP", "{}", held.at)
            held = None
            continue
        if held is not None:
            yield held
        held = token if token.kind == "LBRACE" else None
        if held is None:
            yield token
    if held is not None:
        yield held


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
_KINDS = {"(": "PAREN", "[": "SQUARE", r"\{": "SET", "<": "ANGLE", "|": "ABS", "‖": "NORM"}


def _paired(source: Source, found: Iterable[Token]) -> list[Token]:
    """Tokens with a kind of their own for each bracket; `|` and `‖` open or close by turns."""
    result: list[Token] = []
    stack: list[tuple[str, int, int]] = []  # bracket, index in result, position in the text
    for token in found:
        kind, shown = token.kind, token.text
        if kind == "REL" and shown in "<>" and stack and stack[-1][0] == "<" and shown == ">":
            kind, shown = "CLOSE", ">"
        if kind == "NORM":
            shown = "‖"
        if kind in ("NORM", "BAR"):
            inside = bool(stack) and stack[-1][0] == shown
            if kind == "BAR" and not inside and token.text == "mid":
                result.append(Token("MID", "|", token.at, token.line_break))
                continue
            kind = "CLOSE" if inside else "OPEN"
        if kind == "LBRACE" or kind == "OPEN" or kind.startswith("BEGIN_"):
            opening = "{" if kind == "LBRACE" else shown
            stack.append((opening, len(result), token.at))
            if len(stack) > MAX_DEPTH:
                raise source.fail(token.at, f"brackets are nested deeper than {MAX_DEPTH}",
                                  mend="give parts of the formula names of their own")
            if kind == "OPEN":
                result.append(Token(f"L{_KINDS[shown]}", shown, token.at, token.line_break))
                continue
        elif kind == "RBRACE" or kind == "CLOSE" or kind.startswith("END_"):
            if stack and stack[-1][0] == "|" and shown != "|":
                opened = stack.pop()  # a single | separates: p(x|θ)
                result[opened[1]] = Token("MID", "|", opened[2])
            opening, _, at = stack.pop() if stack else ("", 0, token.at)
            wanted = _CLOSING.get(opening, opening)
            if wanted != shown:
                raise _mismatch(source, token, opening, wanted, at)
            if kind == "CLOSE":
                result.append(Token(f"R{_KINDS[opening]}", shown, token.at, token.line_break))
                continue
        result.append(Token(kind, shown, token.at, token.line_break))
    if stack:
        opening, _, at = stack[-1]
        raise source.fail(at, f"the bracket {opening} is never closed",
                          expected=_CLOSING.get(opening, rf"\end{{{opening}}}"),
                          mend="close it, or take it out")
    return result


def _mismatch(source: Source, token: Token, opening: str, wanted: str, at: int) -> ReadError:
    if not opening:
        return source.fail(token.at, f"{token.text} closes a bracket that was never opened",
                           mend="open it, or take this one out")
    line, column = source.place(at)
    return source.fail(token.at, f"{token.text} closes the bracket {opening} of line {line}, "
                                 f"column {column}", expected=wanted, got=token.text,
                       mend="match the brackets")
