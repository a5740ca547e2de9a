r"""LaTeX → tokens as they are written: macros are expanded, layout is dropped.

One regular expression cuts the text into tokens, as in any lexer; what tokens mean together is the
grammar's business.  lark's own lexers work on a string, while macros and the two meanings of `|`
need a pass over tokens, so the grammar is given these tokens instead of text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .. import primitives
from . import macros
from .macros import Macro, arguments, filled, package
from .source import Display, Source, similar
from .vocabulary import (
    ACCENTS,
    ALIASES,
    CASES,
    COMMANDS,
    CONDITIONS,
    DISPLAYS,
    EVERY,
    FORBIDDEN,
    IMPLIES,
    LAYOUT,
    LETTERS,
    MATRICES,
    OTHERWISE,
    QUOTES,
    RELATIONS,
    SEPARATORS,
    SIGN_KIND,
    SIGNS,
    SPACED,
    UNICODE,
    WORDS,
    function,
)

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
    (?P<skip>[ \t\r~]+|%[^\n]*|\\(?:mkern|mskip|kern|hskip)\s*-?[\d.]+\s*(?:mu|pt|em|ex|cm|mm|in))
  | (?P<newline>\n)
  | (?P<number>(?<![\^_])(?:\d+\.?\d*|\.\d+)[eE][-+]?\d{1,3}(?![\dA-Za-z.])|\d+(?:\.\d+)?|\.\d+)
  | \\(?P<between>intertext|shortintertext)\s*\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}
  | \\(?P<wide>hspace)\*?\s*\{\s*[\d.]+\s*(?:cm|mm|in|em|ex|pt|\\\w+)?\s*\}
  | \\(?P<drop>tag\*?|label|ref|hspace\*?|vspace\*?|phantom|color)
      \s*\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}
  | \\(?P<paint>textcolor)\s*\{[^{}]*\}
  | \\(?P<word>text|mathrm|operatorname\*?|textrm|textit|mathit|textbf|mbox|mathsf|mathtt|textsf
      |texttt)\s*\{(?P<content>(?:[^{}$\\]|\\.)*)\}
  | \\(?P<mixed>text|textrm|mbox)\s*\{(?P<inner>[^{}]*
      |(?=[^\n]*\$)(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}
  | \\(?P<stacked>stackrel|overset)\s*\{(?P<over>(?:[^{}]|\{[^{}]*\})*)\}\s*\{\s*=\s*\}
  | \\(?P<blackboard>mathbb|mathds)\s*(?:\{(?P<set>[A-Za-z1]+)\}|(?P<set1>[A-Za-z1]))
  | \\(?P<edge>begin|end)\s*\{(?P<environment>[A-Za-z]+\*?)\}(?:\[[tbc]\])?
      (?P<columns>\{[lcr|@ {}]*\})?
  | \\(?P<command>\\)(?:\*|\[-?[\d.]+\s*[a-z]+\])
  | \\(?P<double>[|]|mid\s*\\mid(?![A-Za-z])|(?:l|r)?vert\s*\\(?:l|r)?vert(?![A-Za-z]))
  | \\(?P<close>left|right)\s*\.
  | \\(?P<command2>[A-Za-z]+|.|\n)
  | (?P<relation>:=|=:|>=|<=|[=<>:])
  | (?P<letter>[A-Za-z])
  | (?P<sign>\|\||[-+*/^_{}()\[\],;.&'|!−·×∘])
    """,
    re.VERBOSE,
)


LIKE = {"Σ": "sum", "Π": "prod"}  # typed for the signs that they look like
_RANGE = re.compile(r"[ΣΠ]\s*_\s*\{[^{}]*(?:=|∈|\\in\b|<|≤|\\le\b)")
_OVER = re.compile(
    r"[ΣΠ]\s*_\s*(?:(?P<one>[a-z])(?![A-Za-z])|\{(?P<more>[a-z](?:[\s,]*[a-z])*)\})"
    r"(?:\s*\^\s*(?:\{\s*[A-Za-z][^{}]*\}|[A-Za-z]))?\s*(?P<body>[^\s^_=),;|&$][^=;&$\n]*)"
)


_ALONE = re.compile(
    r"(?:[ΣΠ]|\\(?:Sigma|Pi)(?![A-Za-z]))(?!\s*_)"
)  # Σ^{-1}: a matrix, so is Σ_{ij}


def _sums(text: str, position: int, end: int) -> bool:
    """Whether a Greek capital is a sign: Σ_{i=1}^n, and Σ_i x_i where what follows has the index.

    Σ_k^{-1} and 𝒩(μ_k, Σ_k) are matrices, and so is Σ_{ij} where Σ stands alone elsewhere.
    """
    if _RANGE.match(text, position, end):
        return True
    found = _OVER.match(text, position, end)
    letters = re.findall("[a-z]", found["one"] or found["more"]) if found is not None else []
    if found is None or (len(letters) > 1 and _ALONE.search(text)):
        return False
    return all(
        re.search(rf"[_^]\s*(?:{x}(?![A-Za-z])|\{{[^{{}}]*{x}[^{{}}]*\}})", found["body"])
        for x in letters
    )


def lexed(source: Source, display: Display) -> Iterator[Token]:
    """The tokens of a display as they are written, macros expanded.  Raises ReadError."""
    budget = [MAX_TOKENS]
    return _expand(source, source.text, display.start, display.end, None, budget, 0)


def _expand(
    source: Source, text: str, start: int, end: int, at: int | None, budget: list[int], level: int
) -> Iterator[Token]:
    """The tokens of a stretch of text; those of a macro's body stand where the macro is called."""
    position, new_line = start, False
    while position < end:
        if text[position] == "$" and at is not None:  # \resizebox{…}{…}{$ … $}
            position += 1
            continue
        if at is None and position in source.units:
            position = source.units[position]
            continue
        found = _TOKEN.match(text, position, end)
        place = position if at is None else at
        if found is None and text[position] in UNICODE:
            sign = LIKE.get(text[position], "") if _sums(text, position, end) else ""
            yield from _command(source, sign or UNICODE[text[position]], place)
            position += 1
            continue
        if found is None:
            quote = QUOTES.get(text[position])
            raise source.fail(
                place,
                f"the character {text[position]!r} is not part of a formula",
                mend=f"write a straight {quote}"
                if quote
                else "write its LaTeX command, or put words in \\text{…}",
            )
        position = found.end()
        if found["newline"]:
            new_line = True
            continue
        if found["wide"]:
            yield Token("QUAD", "quad", place)
            continue
        if found["skip"] or found["drop"] or found["paint"]:
            continue
        if found["mixed"]:
            yield from _mixed(source, text, found.start("inner"), found.end("inner"), at, budget)
            continue
        command = found["command"] or found["command2"]
        if command == "\\" and source.escaped and text[position : position + 1] in "{}":
            yield Token("OPEN" if text[position] == "{" else "CLOSE", "\\" + text[position], place)
            position += 1
            continue
        if macros.DEFINES.match(found[0]):
            position = _defined(source, text, found.start(), end, place, at is None)
            continue
        macro = source.macros.get(command, place) if command else None
        if macro is None and command and not _known(command):
            macro = package(command, text[position : position + 8]) or _name(
                source, command, text, position, end
            )
        if macro is not None:
            body, position = _filled(source, macro, command, text, position, end, place)
            if level > 20:
                raise source.fail(
                    place,
                    f"the macro \\{command} calls itself without end",
                    mend="define it through other commands",
                )
            yield from _expand(source, body, 0, len(body), place, budget, level + 1)
            continue
        for token in _token(source, found, place):
            budget[0] -= 1
            if budget[0] < 0:
                raise source.fail(
                    place,
                    f"this display has more than {MAX_TOKENS} tokens",
                    mend="split it into several displays",
                )
            yield Token(token.kind, token.text, token.at, new_line)
            new_line = False


def _mixed(
    source: Source, text: str, start: int, end: int, at: int | None, budget: list[int]
) -> Iterator[Token]:
    r"""Words with formulas between them: \text{if $i = j$}; \text{(by what $u$ is)} is words."""
    pieces = re.split(r"(?<!\\)\$", text[start:end])
    place = start if at is None else at
    if any(re.search(r"[A-Za-z]\($", words) for words in pieces[:-1:2]):
        raise source.fail(
            place,
            "words that are applied to a formula",
            expected=r"\operatorname{mean}(z) for \text{mean($z$)}",
            mend=r"write the function with \operatorname",
        )
    if _remark(pieces):
        yield Token("PROSE", text[start:end].strip(), place)
        return
    for k, piece in enumerate(pieces):
        if k % 2:
            yield from _expand(source, text, start, start + len(piece), at, budget, 1)
        elif piece.strip():
            yield _word("text", piece.strip(), start if at is None else at)
        start += len(piece) + 1


def _remark(pieces: list[str]) -> bool:
    """True for words that hold formulas and state no condition."""
    said = [w.strip() for w in pieces[::2] if w.strip()]
    kinds = [_word("text", w, 0).kind for w in said]
    telling = ("FORALL", "IF", "WHERE", "OTHERWISE", "SEMI")
    if len(pieces) % 2 == 0 or len(pieces) < 3 or not said:
        return False
    return kinds[0] not in telling and not all(k in telling for k in kinds)


def _defined(source: Source, text: str, start: int, end: int, at: int, entered: bool) -> int:
    """The place behind a definition inside of a display; those of a macro's body are not taken."""
    found = macros.DEFINES.match(text, start)
    said = macros.definition(text, found) if found else None
    if said is None or said[2] > end or not entered:
        raise source.fail(
            at,
            "this definition of a macro cannot be read",
            expected=r"\newcommand{\name}[arguments]{body}",
            mend="define macros outside of displays",
        )
    return said[2]


def _filled(
    source: Source, macro: Macro, name: str, text: str, position: int, end: int, at: int
) -> tuple[str, int]:
    """The body of a macro with its arguments put in, and the position behind them."""
    given = arguments(macro, text, position, end)
    if given is None:
        raise source.fail(
            at, f"\\{name} takes {macro.arity} arguments", mend="give each one in braces"
        )
    body = filled(macro, given[0])
    if len(body) > MAX_TOKENS:
        raise source.fail(at, f"the macro \\{name} grows past {MAX_TOKENS} characters")
    return body, given[1]


def _name(source: Source, command: str, text: str, position: int, end: int) -> Macro | None:
    r"""A command that nothing defines as a name, \Riem_{abc}, where it takes no argument."""
    behind = text[position:end].lstrip()[:1]
    if len(command) < 2 or not command[0].isupper() or not command.isalpha():
        return None
    if behind and behind not in "_^=+-,.)]}&|:;\n":
        return None
    source.guessed.setdefault(command, rf"a name, since nothing defines the macro \{command}")
    return Macro(0, rf"\mathrm{{{command}}}")


MAX_DIGITS = 1000  # of a number


_BRACKET = re.compile(r"\s*(?:\\(?:left|[bB]igg?l?)\s*)?\[")


def _known(command: str) -> bool:
    """True for a command of LaTeX itself."""
    return (
        command in COMMANDS
        or command in RELATIONS
        or function(command) is not None
        or command in LETTERS
        or command in LAYOUT
        or command in SPACED
        or command in IMPLIES
        or command == "right"
    )


def _token(source: Source, found: re.Match[str], at: int) -> Iterator[Token]:
    kind = found.lastgroup
    written = found[0]
    if kind == "number":
        if len(written) > MAX_DIGITS:
            raise source.fail(
                at, f"a number has more than {MAX_DIGITS} digits", mend="give the number a name"
            )
        yield Token("NUMBER", written, at)
    elif kind == "letter":
        mean = written == "E" and source.expects and _BRACKET.match(found.string, found.end())
        yield Token("FUNCTION" if mean else "NAME", written, at)
    elif kind == "relation":
        yield Token("REL", RELATIONS[written], at)
    elif kind == "sign":
        yield Token(SIGN_KIND[written], written, at)
    elif kind == "double":
        yield Token("NORM", written, at)
    elif kind == "close":
        yield Token("OPEN" if found["close"] == "left" else "CLOSE", ".", at)
    elif kind == "content":
        applied = _APPLIED.match(found.string, found.end()) is not None
        yield _word(found["word"], found["content"].strip(), at, applied)
    elif found["between"]:
        yield Token("SEMI", written, at)
    elif found["stacked"]:
        over = found["over"]
        drawn = _DRAWN.search(over) or (
            _EACH.search(over) and _LAW.match(found.string, found.end())
        )
        yield Token("REL", "∼" if drawn else ":=" if "def" in over else "=", at)
    elif found["blackboard"]:
        yield _blackboard(found["set"] or found["set1"], at)
    elif found["edge"]:
        yield from _environment(source, found, at)
    else:
        command = found["command"] or found["command2"]
        summed = command in _SIGNS and _COUNTS.match(found.string, found.end())
        yield from _command(source, _SIGNS[command] if summed else command, at)


def _blackboard(letter: str, at: int) -> Token:
    if len(letter) > 1:
        return Token("NAME", letter, at)
    if letter in "EV":
        return Token("FUNCTION", {"E": "E", "V": "Var"}[letter], at)
    if letter in "DHKLMPU":  # entropies, probabilities
        return Token("NAME", letter, at)
    return Token("SIGN", "ones", at) if letter in "1I" else Token("SET", letter, at)


_DRAWN = re.compile(  # \overset{d}{=}, and not the step \overset{(d)}{=}
    r"^\s*(?:\\\w+\s*\{)?\s*(?:[dD]|(?:in )?(?:law|dist(?:ribution|r?\.)))\s*\}?\s*$"
)
_EACH = re.compile(r"i\.?\s*i\.?\s*d")  # p(x) = ∏ p(x_i) is an equation all the same
_LAW = re.compile(
    r"\s*&?\s*\\(?:mathcal|mathrm|text|operatorname)\s*\{?\s*\w+\s*\}?\s*(?:\\left\s*)?\("
)
_SIGNS = {"Sigma": "sum", "Pi": "prod"}  # \Sigma_{i=1}^n x_i
_COUNTS = re.compile(r"\s*(?:\^\s*(?:\{[^{}]*\}|\\?\w)\s*)?_\s*\{\s*\w+\s*=[^{},]*\}")
_APPLIED = re.compile(r"\s*(?:\\[Bb]ig+l?|\\left)?\s*\(")
_ESCAPED = re.compile(r"\\([#$%&_^~])")


def _word(command: str, word: str, at: int, applied: bool = False) -> Token:
    r"""A word: in italics a name as it stands, but for a function that is applied."""
    bare = word.rstrip(",:.").strip()
    plain = _ESCAPED.sub(r"\1", word).replace(r"\backslash", "\\")
    italic = command in ("mathit", "textit") and not (applied and function(plain))
    if italic and plain and not re.search(r"\s", plain):
        return Token("LITERAL", plain, at)
    squeezed = re.sub(r"\\[,;! ]", "", bare).replace(" ", "")
    if named := function(squeezed):
        return Token("FUNCTION", named, at)
    if command.startswith("operatorname") and squeezed == "E":
        return Token("FUNCTION", "E", at)
    if bare in EVERY:
        return Token("FORALL", bare, at)
    if bare in CONDITIONS:
        return Token("IF", bare, at)
    if bare in SEPARATORS:
        return Token("WHERE", bare, at)
    if bare in OTHERWISE:
        return Token("OTHERWISE", bare, at)
    if not bare:
        return Token("SEMI", word, at)
    if len(bare) == 1 or bare.isdigit():
        return Token("LABEL", bare, at)
    if (
        command in ("text", "textrm", "mbox")
        and bare.isalpha()
        and bare.islower()
        and len(bare) > 3
    ):
        return Token("WORD", bare, at)
    if re.fullmatch(r"[A-Za-z][^\s{}$\\']*", plain) and bare == word:
        return Token("NAME", plain, at)
    if re.fullmatch(r"[A-Za-z][A-Za-z0-9-]*", bare):
        return Token("NAME", bare, at)
    return Token("PROSE", bare, at)


def _environment(source: Source, found: re.Match[str], at: int) -> Iterator[Token]:
    name = found["environment"]
    edge = "BEGIN" if found["edge"] == "begin" else "END"
    if name in DISPLAYS:
        return
    if name in CASES:
        yield Token(f"{edge}_CASES", name, at)
    elif name in MATRICES:
        yield Token(f"{edge}_MATRIX", name, at)
    else:
        raise source.fail(
            at,
            f"the environment {name!r} is not known",
            expected="aligned, cases, pmatrix, bmatrix, array, …",
            mend="write the formula without it",
        )


def _command(source: Source, command: str, at: int) -> Iterator[Token]:
    if command == " ":
        yield Token("GAP", command, at)
    if command in "_*":  # escaped for Markdown
        yield Token(SIGN_KIND[command], command, at)
        return
    if command in LAYOUT or command == "right":
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
            yield Token(kind, _BRACKETS.get(command, command), at)
        elif kind == "BAR" and command != "mid":
            yield Token("BAR", "|", at)
        else:
            yield Token(kind, command, at)
    elif command in RELATIONS:
        yield Token("REL", RELATIONS[command], at)
    elif command in IMPLIES:
        yield Token("IMPLIES", command, at)
    elif named := function(command):
        yield Token("FUNCTION", named, at)
    elif command in LETTERS:
        yield Token("NAME", ALIASES.get(command, command), at)
    elif command in FORBIDDEN:
        raise source.fail(
            at,
            f"\\{command} is a TeX command with an effect; nothing is executed or opened",
            mend="paste the text itself",
        )
    else:
        raise source.fail(
            at,
            f"the macro \\{command} is not known",
            expected=similar("\\" + command, (*_KNOWN, *map("\\{}".format, primitives.commands()))),
            mend=rf"define it with \newcommand{{\{command}}}{{…}}, or write it out",
        )


_KNOWN = ["\\" + word for word in (*COMMANDS, *WORDS, *LETTERS, *RELATIONS)]
_BRACKETS = {
    "langle": "<",
    "rangle": ">",
    "lbrace": r"\{",
    "rbrace": r"\}",
    "lbrack": "[",
    "rbrack": "]",
    "{": r"\{",
    "}": r"\}",
}
