r"""Line elements in LaTeX: ds^2 = -\left(1-\frac{2M}{r}\right)dt^2 + … as coordinates and a matrix.

A small reader of its own: every token must be understood, and where a reader of formulas would
have to guess (what does \sin\theta r mean?) it asks for parentheses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

import sympy as sp

from ..errors import FormulaError, LimitError

MAX_LENGTH, MAX_DEPTH = 5_000, 60
FUNCTIONS = {
    name: getattr(sp, name)
    for name in ("sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "coth", "exp")
} | {"ln": sp.log, "log": sp.log}
IGNORED = {r"\,", r"\;", r"\:", r"\!", r"\ ", r"\quad", r"\qquad", r"\left", r"\right", "~", "&"}
IGNORED |= {r"\big", r"\Big", r"\bigl", r"\bigr", r"\Bigl", r"\Bigr"}
OPERATORS = {r"\cdot": "*", r"\times": "*", r"\bigl(": "(", r"\lbrace": "(", r"\rbrace": ")"}
TOKEN = re.compile(
    r"\s+|(?P<command>\\[A-Za-z]+|\\[,;:! ])|(?P<number>\d+(?:\.\d+)?)|(?P<letter>[A-Za-z])"
    r"|(?P<sign>[-+*/=^_(){}\[\],'&~.;])"
)
GREEK_LIKE = re.compile(r"\\[A-Za-z]+")
TEXTUAL = {r"\mathrm", r"\text", r"\operatorname", r"\mathit", r"\mathbf"}
KNOWN = {"frac", "dfrac", "tfrac", "sqrt", *FUNCTIONS}


@dataclass(frozen=True)
class Token:
    """A piece of the text; `kind` is number, name, d, function, frac, sqrt, or a sign itself."""

    kind: str
    text: str
    at: int


@dataclass(frozen=True)
class LineElement:
    """Coordinates, the matrix g_{ab}, and what the letters beside it stand for."""

    coordinates: tuple[sp.Symbol, ...]
    matrix: sp.ImmutableMatrix
    names: Mapping[sp.Symbol, sp.Expr]


def read_line_element(
    latex: str,
    coordinates: Iterable[sp.Symbol] | None = None,
    where: Iterable[str] = (),
    parameters: Iterable[sp.Symbol] = (),
) -> LineElement:
    r"""The metric of a line element; `where` has equations such as \Sigma = r^2 + a^2\cos^2\theta.

    Without `coordinates`, they are what differentials are written of, in order.

    >>> read_line_element(r"ds^2 = d\theta^2 + \sin^2\theta\,d\phi^2").matrix
    Matrix([
    [1,             0],
    [0, sin(theta)**2]])
    """
    given = None if coordinates is None else {x.name: x for x in coordinates}
    symbols = {**(given or {}), **{s.name: s for s in parameters}}
    statements = [_sides(text) for text in where]
    squares = {left[1].text: right for left, right in statements if _is_square(left)}
    left, right = _sides(latex)
    if not (_is_square(left) and left[1].text == "s"):
        _fail(latex, left[0], "this is no line element", "ds^2 on the left")
    found: dict[str, sp.Symbol] = {}
    reader = _Reader(latex, right, given, symbols, found, squares)
    whole = reader.all()
    names = {}
    for text, (lhs, rhs) in zip(where, statements, strict=True):
        if not _is_square(lhs):
            if len(lhs) != 1 or lhs[0].kind != "name":
                _fail(text, lhs[0], "this says nothing of a letter", r"a name, as in \Sigma = …")
            inner = _Reader(text, rhs, given or found, symbols, {}, {})
            names[symbols.setdefault(lhs[0].text, sp.Symbol(lhs[0].text))] = inner.all()
    xs = list((given or found).values())
    return LineElement(tuple(xs), _matrix(latex, whole, xs, reader.differentials), names)


def _is_square(left: Sequence[Token]) -> bool:
    texts = [t.text for t in left if t.kind not in ("{", "}")]
    return [t.kind for t in left[:3]] == ["d", "name", "^"] and texts[3:] == ["2"]


def _matrix(
    latex: str, whole: sp.Expr, xs: Sequence[sp.Symbol], differentials: Mapping[str, sp.Symbol]
) -> sp.ImmutableMatrix:
    """g_{ab} = ½ ∂²(ds²)/∂(dx^a)∂(dx^b), after looking that ds² is quadratic."""
    ds = [differentials.get(x.name, sp.Dummy(f"d{x}")) for x in xs]
    nothing = dict.fromkeys(ds, sp.S.Zero)
    matrix = sp.zeros(len(xs))
    for i, d_i in enumerate(ds):
        slope = sp.diff(whole, d_i)
        for j, d_j in enumerate(ds):
            matrix[i, j] = matrix[j, i] if j < i else sp.diff(slope, d_j) / 2
        if matrix[i, :].free_symbols & set(ds) or sp.expand(slope.xreplace(nothing)) != 0:
            _not_quadratic(latex)
    if sp.expand(whole.xreplace(nothing)) != 0:
        _not_quadratic(latex)
    return sp.ImmutableMatrix(matrix)


def _not_quadratic(latex: str) -> NoReturn:
    raise FormulaError(
        "the line element is not quadratic in the differentials",
        formula=latex.strip(),
        mend="every term has two differentials, as in dt^2 or dt\\,dr",
    )


def _fail(latex: str, token: Token | None, problem: str, expected: str, mend: str = "") -> NoReturn:
    here = latex[token.at : token.at + 12].strip() if token else "the end"
    raise FormulaError(
        f"{problem}: at {here!r}", formula=latex.strip(), expected=expected, mend=mend
    )


# ------------------------------------------------------------------------------------------ tokens


def _sides(latex: str) -> tuple[list[Token], list[Token]]:
    tokens = _tokens(latex)
    cuts = [k for k, t in enumerate(tokens) if t.kind == "="]
    if len(cuts) != 1 or not cuts[0] or cuts[0] == len(tokens) - 1:
        _fail(latex, None, "this is no equation with two sides", "one =")
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
            _fail(latex, Token("", "", position), "a character that has no meaning here", "LaTeX")
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
        elif t.text in TEXTUAL:
            text, k = _group(latex, raw, k)
            found.append(Token("d" if text == "d" else "name", text, t.at))
        elif t.kind == "command" and t.text[1:] in KNOWN:
            word = t.text[1:]
            kind = "frac" if word.endswith("frac") else "sqrt" if word == "sqrt" else "function"
            found.append(Token(kind, word, t.at))
        elif t.kind in ("command", "letter"):
            name = t.text.removeprefix("\\")
            while k < len(raw) and raw[k].text in ("_", "'"):
                if raw[k].text == "'":
                    name, k = name + "'", k + 1
                else:
                    text, k = _group(latex, raw, k + 1)
                    name += "_" + text
            found.append(Token("d" if name == "d" else "name", name, t.at))
        else:
            found.append(Token("number" if t.kind == "number" else t.text, t.text, t.at))
    return found


def _group(latex: str, raw: list[Token], k: int) -> tuple[str, int]:
    """The text of one token or of a group in braces, and where it ends."""
    if k < len(raw) and raw[k].text == "{":
        end = next((j for j in range(k, len(raw)) if raw[j].text == "}"), None)
        if end is None:
            _fail(latex, raw[k], "a brace is not closed", "}")
        inside = raw[k + 1 : end]
        if any(t.kind == "sign" and t.text not in (",", "+", "-") for t in inside) or not inside:
            _fail(latex, raw[k], "this is no name", "letters and digits in the braces")
        return "".join(t.text.removeprefix("\\") for t in inside), end + 1
    if k >= len(raw) or raw[k].kind == "sign":
        _fail(latex, raw[k] if k < len(raw) else None, "a name is not complete", "a letter")
    return raw[k].text.removeprefix("\\"), k + 1


# ------------------------------------------------------------------------------------------ reader


class _Reader:
    """Recursive descent: sums of products of powers, without guessing."""

    def __init__(
        self,
        latex: str,
        tokens: list[Token],
        coordinates: Mapping[str, sp.Symbol] | None,
        symbols: dict[str, sp.Symbol],
        found: dict[str, sp.Symbol],
        squares: Mapping[str, list[Token]],
    ) -> None:
        self.latex, self.tokens, self.k, self.depth = latex, tokens, 0, 0
        self.coordinates, self.symbols, self.found = coordinates, symbols, found
        self.squares, self.differentials = squares, dict[str, sp.Symbol]()
        if coordinates is None:
            self._find(tokens)

    def _find(self, tokens: Sequence[Token]) -> None:
        """The coordinates, in the order of their differentials."""
        for k, t in enumerate(tokens[:-1]):
            if t.kind == "d" and tokens[k + 1].kind == "name":
                name = tokens[k + 1].text
                if name in self.squares:
                    self._find(self.squares[name])
                else:
                    symbol = self.symbols.setdefault(name, sp.Symbol(name))
                    self.found.setdefault(name, symbol)

    def all(self) -> sp.Expr:
        """The whole text as one expression."""
        value = self.sum()
        if self.peek():
            self.fail("this does not belong here", "an operator or the end")
        return value

    def peek(self, ahead: int = 0) -> str:
        """The kind of a token to come, empty at the end."""
        at = self.k + ahead
        return self.tokens[at].kind if at < len(self.tokens) else ""

    def take(self, kind: str = "") -> Token:
        """The next token, which must be of that kind."""
        if not self.peek() or (kind and self.peek() != kind):
            self.fail("something is missing", kind or "a value")
        self.k += 1
        return self.tokens[self.k - 1]

    def fail(self, problem: str, expected: str, mend: str = "") -> NoReturn:
        """FormulaError at the next token."""
        token = self.tokens[self.k] if self.peek() else None
        _fail(self.latex, token, problem, expected, mend)

    def sum(self) -> sp.Expr:
        """± product ± product …"""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise LimitError(f"more than {MAX_DEPTH} brackets stand in each other")
        terms = []
        sign = -1 if self.peek() == "-" else 1
        if self.peek() in ("+", "-"):
            self.take()
        terms.append(sign * self.product())
        while self.peek() in ("+", "-"):
            sign = -1 if self.take().kind == "-" else 1
            terms.append(sign * self.product())
        self.depth -= 1
        return sp.Add(*terms)

    def product(self) -> sp.Expr:
        """Factors side by side, with · or /."""
        value = self.power()
        while True:
            if self.peek() == "*":
                self.take()
                value = value * self.power()
            elif self.peek() == "/":
                self.take()
                value = value / self.power()
            elif self.peek() in ("number", "name", "d", "function", "frac", "sqrt", "(", "[", "{"):
                value = value * self.power()
            else:
                return value

    def power(self) -> sp.Expr:
        """A base, perhaps with an exponent."""
        if self._is_exponential():
            self.take()
            return sp.exp(self.exponent())
        base = self.base()
        return base ** self.exponent() if self.peek() == "^" else base

    def _is_exponential(self) -> bool:
        """Whether e^… stands here, for an e that is no symbol."""
        return (
            (self.peek(), self.peek(1)) == ("name", "^")
            and self.tokens[self.k].text == "e"
            and "e" not in self.symbols
        )

    def exponent(self) -> sp.Expr:
        """What stands behind ^."""
        self.take("^")
        if self.peek() == "{":
            return self.bracket("{", "}")
        if self.peek() == "number":
            token = self.take()
            if len(token.text) > 1:
                _fail(self.latex, token, "only the first digit would be raised", "braces", "^{…}")
            return sp.Integer(token.text)
        if self.peek() == "name":
            return self.name()
        self.fail("an exponent is missing", "a number, a letter or braces")

    def bracket(self, opening: str, closing: str) -> sp.Expr:
        """An expression in brackets."""
        self.take(opening)
        value = self.sum()
        self.take(closing)
        return value

    def base(self) -> sp.Expr:
        """One thing."""
        match self.peek():
            case "number":
                return sp.Rational(self.take().text)
            case "(":
                return self.bracket("(", ")")
            case "[":
                return self.bracket("[", "]")
            case "{":
                return self.bracket("{", "}")
            case "frac":
                self.take()
                top = self.argument_of("frac")
                return top / self.argument_of("frac")
            case "sqrt":
                self.take()
                degree = self.bracket("[", "]") if self.peek() == "[" else sp.Integer(2)
                return self.argument_of("sqrt") ** (1 / degree)
            case "function":
                return self.function()
            case "d":
                return self.differential()
            case "name":
                return self.name()
        self.fail("something is missing", "a number, a letter or a bracket")

    def argument_of(self, command: str) -> sp.Expr:
        """A group in braces, or one digit or letter."""
        if self.peek() == "{":
            return self.bracket("{", "}")
        if self.peek() == "number":
            token = self.take()
            first, rest = token.text[0], token.text[1:]
            if rest and "." not in rest:  # \\frac12 is one half
                self.k -= 1
                self.tokens[self.k] = Token("number", rest, token.at + 1)
            elif rest:
                _fail(self.latex, token, "only the first digit would be taken", "braces")
            return sp.Integer(first)
        if self.peek() == "name":
            return self.name()
        self.fail(f"\\{command} has no argument", "braces")

    def function(self) -> sp.Expr:
        r"""\sin^2\theta, \sin(2\theta): without brackets, the argument is one letter."""
        name = self.take().text
        exponent = self.exponent() if self.peek() == "^" else sp.S.One
        if self.peek() in ("(", "{", "["):
            opening = self.peek()
            inner = self.bracket(opening, {"(": ")", "{": "}", "[": "]"}[opening])
        else:
            number = sp.Rational(self.take().text) if self.peek() == "number" else sp.S.One
            if self.peek() != "name":
                self.fail(f"\\{name} has no argument", "a letter or parentheses")
            inner = number * self.name()
            if self.peek() in ("^", "name", "number", "(", "/"):
                self.fail(f"what \\{name} is of is not clear", "parentheses", f"write \\{name}(…)")
        if exponent == -1:
            self.fail(f"\\{name}^{{-1}} may be an inverse function", "1/…", "write a fraction")
        return FUNCTIONS[name](inner) ** exponent

    def name(self) -> sp.Expr:
        """A symbol, π, or a function of coordinates such as a(t)."""
        token = self.take("name")
        known = self.coordinates if self.coordinates is not None else self.found
        if token.text not in known and self.peek() == "(":
            inner, end = [], self.k + 1
            while end + 1 < len(self.tokens) and self.tokens[end].text in known:
                inner.append(known[self.tokens[end].text])
                closing = self.tokens[end + 1].kind
                end += 2
                if closing == ")":
                    self.k = end
                    return sp.Function(token.text)(*inner)
                if closing != ",":
                    break
        if token.text == "pi" and "pi" not in known and "pi" not in self.symbols:
            return sp.pi
        return known.get(token.text) or self.symbols.setdefault(token.text, sp.Symbol(token.text))

    def differential(self) -> sp.Expr:
        """dx, or a square such as dΩ² that an equation says."""
        at = self.take("d")
        if self.peek() != "name":
            _fail(self.latex, at, "d stands alone", "the differential of a coordinate")
        token = self.take("name")
        if token.text in self.squares:
            if self.peek() != "^" or self.exponent() != 2:
                _fail(self.latex, at, f"d{token.text} is known as a square only", "its square")
            rest = {k: v for k, v in self.squares.items() if k != token.text}
            inner = _Reader(
                self.latex,
                self.squares[token.text],
                self.coordinates or self.found,
                self.symbols,
                self.found,
                rest,
            )
            inner.differentials = self.differentials
            return inner.all()
        known = self.coordinates if self.coordinates is not None else self.found
        if token.text not in known:
            _fail(
                self.latex,
                at,
                f"{token.text} is not a coordinate",
                "the differential of one of " + ", ".join(known),
                f"add {token.text} to the coordinates, or say what d{token.text}^2 is",
            )
        return self.differentials.setdefault(token.text, sp.Dummy(f"d{token.text}"))
