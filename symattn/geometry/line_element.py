r"""Line elements in LaTeX: ds^2 = -\left(1-\frac{2M}{r}\right)dt^2 + … as coordinates and a matrix.

A small reader of its own: every token must be understood, and where a reader of formulas would
have to guess (what does \sin\theta r mean?) it asks for parentheses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

import sympy as sp

from ..errors import FormulaError, LimitError
from .tokens import FUNCTIONS, Token, fail, sides

MAX_DEPTH, MAX_EXPONENT, MAX_DIGITS = 60, 100, 40


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
    statements = [sides(text) for text in where]
    squares = {left[1].text: right for left, right in statements if _is_square(left)}
    left, right = sides(latex)
    if not (_is_square(left) and left[1].text == "s"):
        fail(latex, left[0], "this is no line element", "ds^2 on the left")
    found: dict[str, sp.Symbol] = {}
    reader = _Reader(latex, right, given, symbols, found, squares)
    whole = reader.all()
    names = {}
    for text, (lhs, rhs) in zip(where, statements, strict=True):
        if not _is_square(lhs):
            if len(lhs) != 1 or lhs[0].kind != "name":
                fail(text, lhs[0], "this says nothing of a letter", r"a name, as in \Sigma = …")
            inner = _Reader(text, rhs, given or found, symbols, {}, {})
            names[symbols.setdefault(lhs[0].text, sp.Symbol(lhs[0].text))] = inner.all()
    xs = list((given or found).values())
    return LineElement(tuple(xs), _matrix(latex, whole, xs, reader.differentials), names)


def _small(exponent: sp.Expr) -> bool:
    """Whether all numbers in an exponent are bounded, so that powers of numbers are."""
    numbers = exponent.atoms(sp.Rational)
    return all(max(abs(q.p), q.q) <= MAX_EXPONENT for q in numbers)


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
        fail(self.latex, token, problem, expected, mend)

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
        return self.raised(base, self.exponent()) if self.peek() == "^" else base

    def raised(self, base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
        """A power that is not too high."""
        digits = max(len(str(q)) for q in (1, *base.atoms(sp.Rational)))
        value = base**exponent if _small(exponent) and digits <= 2 * MAX_DIGITS else None
        powers = value.atoms(sp.Pow) if value is not None else ()
        if value is None or not all(_small(p.exp) for p in powers):
            raise LimitError(
                f"an exponent is above {MAX_EXPONENT}, or a number too long",
                formula=self.latex.strip()[:200],
                mend="give the power a name",
            )
        return value

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
                fail(self.latex, token, "only the first digit would be raised", "braces", "^{…}")
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
                return self.number()
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
                return self.raised(self.argument_of("sqrt"), 1 / degree)
            case "function":
                return self.function()
            case "d":
                return self.differential()
            case "name":
                return self.name()
        self.fail("something is missing", "a number, a letter or a bracket")

    def number(self) -> sp.Expr:
        """A number as it stands."""
        text = self.take("number").text
        if len(text) > MAX_DIGITS:
            raise LimitError(f"a number has more than {MAX_DIGITS} digits", formula=text)
        return sp.Rational(text)

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
                fail(self.latex, token, "only the first digit would be taken", "braces")
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
            number = self.number() if self.peek() == "number" else sp.S.One
            if self.peek() != "name":
                self.fail(f"\\{name} has no argument", "a letter or parentheses")
            inner = number * self.name()
            if self.peek() in ("^", "name", "number", "(", "/"):
                self.fail(f"what \\{name} is of is not clear", "parentheses", f"write \\{name}(…)")
        if exponent == -1:
            self.fail(f"\\{name}^{{-1}} may be an inverse function", "1/…", "write a fraction")
        return self.raised(FUNCTIONS[name](inner), exponent)

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
            fail(self.latex, at, "d stands alone", "the differential of a coordinate")
        token = self.take("name")
        if token.text in self.squares:
            if self.peek() != "^" or self.exponent() != 2:
                fail(self.latex, at, f"d{token.text} is known as a square only", "its square")
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
            fail(
                self.latex,
                at,
                f"{token.text} is not a coordinate",
                "the differential of one of " + ", ".join(known),
                f"add {token.text} to the coordinates, or say what d{token.text}^2 is",
            )
        return self.differentials.setdefault(token.text, sp.Dummy(f"d{token.text}"))
