"""The tokens of a line element: names with their subscripts, functions, d before a name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

import sympy as sp

from ..errors import FormulaError, LimitError

MAX_LENGTH = 5_000


def _words(row: str) -> frozenset[str]:
    return frozenset(row.split())


SYMPY = "sin cos tan cot sec csc sinh cosh tanh coth sech csch asin acos atan asinh acosh atanh exp"
FUNCTIONS = {name: getattr(sp, name) for name in _words(SYMPY)}
FUNCTIONS |= {"ln": sp.log, "log": sp.log, "arcsin": sp.asin, "arccos": sp.acos}
FUNCTIONS |= {"arctan": sp.atan, "arsinh": sp.asinh, "arcosh": sp.acosh, "artanh": sp.atanh}
LETTERS = _words(
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa varkappa lambda "
    "mu nu xi pi varpi rho varrho sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta "
    "Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega ell hbar"
)
ACCENTS = {r"\hat": "hat", r"\bar": "bar", r"\tilde": "tilde", r"\check": "check"}
ACCENTS |= {r"\widetilde": "tilde", r"\overline": "bar", r"\widehat": "hat"}
DOTS = {r"\dot": 1, r"\ddot": 2}
IGNORED = {r"\,", r"\;", r"\:", r"\!", r"\ ", r"\quad", r"\qquad", r"\left", r"\right", "~", "&"}
IGNORED |= {r"\big", r"\Big", r"\bigl", r"\bigr", r"\Bigl", r"\Bigr"}
OPERATORS = {r"\cdot": "*", r"\times": "*", r"\lbrace": "(", r"\rbrace": ")"}
OPERATORS |= {r"\lvert": "|", r"\rvert": "|", r"\vert": "|", r"\equiv": "=", r"\coloneqq": "="}
TOKEN = re.compile(
    r"\s+|(?P<command>\\[A-Za-z]+|\\[,;:! ])|(?P<number>\d+(?:\.\d+)?)|(?P<letter>[A-Za-z])"
    r"|(?P<sign>[-+*/=^_(){}\[\],'&~.;|])"
)
TEXTUAL = {r"\mathrm", r"\text", r"\operatorname", r"\mathit", r"\mathcal"}
VECTORS = {r"\mathbf", r"\boldsymbol", r"\vec"}
KNOWN = {"frac", "dfrac", "tfrac", "sqrt", *FUNCTIONS}


@dataclass(frozen=True)
class Token:
    """A piece of the text; `kind` is number, name, d, function, frac, sqrt, or a sign itself.

    A derivative is of kind slope: its text is "." or ".." for dots, or what it is with respect to.
    """

    kind: str
    text: str
    at: int


def fail(latex: str, token: Token | None, problem: str, expected: str, mend: str = "") -> NoReturn:
    here = latex[token.at : token.at + 12].strip() if token else "the end"
    raise FormulaError(
        f"{problem}: at {here!r}", formula=latex.strip(), expected=expected, mend=mend
    )


def sides(latex: str) -> tuple[list[Token], list[Token]]:
    tokens = _tokens(latex)
    cuts = [k for k, t in enumerate(tokens) if t.kind == "="]
    if len(cuts) != 1 or not cuts[0] or cuts[0] == len(tokens) - 1:
        fail(latex, None, "this is no equation with two sides", "one =")
    return tokens[: cuts[0]], tokens[cuts[0] + 1 :]


def _tokens(latex: str) -> list[Token]:
    if len(latex) > MAX_LENGTH:
        raise LimitError(
            f"a line element is longer than {MAX_LENGTH} characters", mend="name parts of it"
        )
    raw: list[Token] = []
    position = 0
    while position < len(latex):
        match = TOKEN.match(latex, position)
        if match is None:
            fail(latex, Token("", "", position), "a character that has no meaning here", "LaTeX")
        kind, text = match.lastgroup, match.group()
        if kind and text not in IGNORED:
            raw.append(Token(kind, text, position))
        position = match.end()
    while raw and raw[-1].text in (".", ",", ";"):
        raw.pop()
    return _named(latex, raw)


def _named(latex: str, raw: list[Token]) -> list[Token]:
    """Names with their subscripts as one token; d before a name, and functions, known as such."""
    found: list[Token] = []
    k = 0
    while k < len(raw):
        t = raw[k]
        k += 1
        if t.text in OPERATORS:
            found.append(Token(OPERATORS[t.text], t.text, t.at))
        elif t.text in DOTS:
            found.append(Token("slope", "." * DOTS[t.text], t.at))
        elif t.text in VECTORS:
            fail(latex, t, "a vector has several coordinates", "each of them, dx^2 + dy^2 + dz^2")
        elif t.text == r"\partial":
            if k >= len(raw) or raw[k].text != "_":
                fail(latex, t, "it is not said by what is differentiated", r"\partial_r")
            text, k = _group(latex, raw, k + 1)
            found.append(Token("slope", text, t.at))
        elif t.text in TEXTUAL or t.text in ACCENTS:
            text, k = _group(latex, raw, k)
            text += ACCENTS.get(t.text, "")
            if text in KNOWN:
                found.append(Token("function", text, t.at))
                continue
            text, k = _with_scripts(latex, raw, k, text)
            found.append(Token("d" if text == "d" else "name", text, t.at))
        elif t.kind == "command" and t.text[1:] in KNOWN:
            word = t.text[1:]
            kind = "frac" if word.endswith("frac") else "sqrt" if word == "sqrt" else "function"
            found.append(Token(kind, word, t.at))
        elif t.kind == "letter" or t.text[1:] in LETTERS:
            name, k = _with_scripts(latex, raw, k, t.text.removeprefix("\\"))
            found.append(Token("d" if name == "d" else "name", name, t.at))
        elif t.kind == "command":
            fail(latex, t, f"{t.text} has no meaning here", "letters, functions and brackets")
        else:
            found.append(Token("number" if t.kind == "number" else t.text, t.text, t.at))
    return found


def _with_scripts(latex: str, raw: list[Token], k: int, name: str) -> tuple[str, int]:
    """A name with its subscript and its primes, and where it ends."""
    while k < len(raw) and raw[k].text in ("_", "'"):
        if raw[k].text == "'":
            name, k = name + "'", k + 1
        else:
            text, k = _group(latex, raw, k + 1)
            if text.startswith(","):
                fail(latex, raw[k - 1], "a comma as a derivative is not read", r"\partial_u F(u)")
            name += "_" + text
    return name, k


def _group(latex: str, raw: list[Token], k: int) -> tuple[str, int]:
    """The text of one token or of a group in braces, and where it ends."""
    if k < len(raw) and raw[k].text == "{":
        end = next((j for j in range(k, len(raw)) if raw[j].text == "}"), None)
        if end is None:
            fail(latex, raw[k], "a brace is not closed", "}")
        inside = raw[k + 1 : end]
        if any(t.kind == "sign" and t.text not in (",", "+", "-") for t in inside) or not inside:
            fail(latex, raw[k], "this is no name", "letters and digits in the braces")
        return "".join(t.text.removeprefix("\\") for t in inside), end + 1
    if k >= len(raw) or (raw[k].kind == "sign" and raw[k].text not in ("+", "-")):
        fail(latex, raw[k] if k < len(raw) else None, "a name is not complete", "a letter")
    return raw[k].text.removeprefix("\\"), k + 1
