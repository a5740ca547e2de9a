r"""The formulas of a line element: sums of products of powers, read without guessing.

Every token must be understood, and where a reader of formulas would have to guess (what does
\sin\theta r mean?) it asks for parentheses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import sympy as sp

from ..errors import LimitError
from .tokens import FUNCTIONS, Token, fail

MAX_DEPTH, MAX_EXPONENT, MAX_DIGITS = 60, 100, 40
STARTS = ("number", "name", "d", "function", "slope", "frac", "sqrt", "(", "[", "{")  # of factors


@dataclass(frozen=True)
class Letter:
    """What an equation says of a letter: letter^degree = tokens, or letter(arguments) = tokens."""

    text: str
    tokens: list[Token]
    degree: Any = 1
    arguments: tuple[str, ...] = ()


def _small(exponent: sp.Expr) -> bool:
    """Whether all numbers in an exponent are bounded, so that powers of numbers are."""
    numbers = exponent.atoms(sp.Rational)
    return all(max(abs(q.p), q.q) <= MAX_EXPONENT for q in numbers)


class Reader:
    """Recursive descent: sums of products of powers, without guessing."""

    def __init__(
        self,
        latex: str,
        tokens: list[Token],
        coordinates: Mapping[str, sp.Symbol] | None,
        symbols: dict[str, sp.Symbol],
        found: dict[str, sp.Symbol],
        squares: Mapping[str, list[Token]],
        letters: Mapping[str, Letter],
    ) -> None:
        self.latex, self.tokens, self.k, self.depth = latex, tokens, 0, 0
        self.coordinates, self.symbols, self.found = coordinates, symbols, found
        self.squares, self.differentials = squares, dict[str, sp.Symbol]()
        self.letters, self.bars = letters, 0
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
            elif self.peek() in STARTS or (self.peek() == "|" and not self.bars):
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
            case "slope":
                return self.slope()
            case "|":
                self.bars += 1
                value = sp.Abs(self.bracket("|", "|"))
                self.bars -= 1
                return value
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
        elif self.peek() == "|":
            inner = self.base()
        else:
            number = self.number() if self.peek() == "number" else sp.S.One
            if self.peek() != "name":
                self.fail(f"\\{name} has no argument", "a letter or parentheses")
            inner = number * self.name()
            unclear = self.peek() in ("^", "name", "number", "/")
            if unclear or (self.peek() == "(" and not self._form_follows()):
                self.fail(f"what \\{name} is of is not clear", "parentheses", f"write \\{name}(…)")
        if exponent == -1:
            self.fail(f"\\{name}^{{-1}} may be an inverse function", "1/…", "write a fraction")
        return self.raised(FUNCTIONS[name](inner), exponent)

    def _form_follows(self) -> bool:
        """Whether a bracket comes that has differentials, which no sine is of."""
        depth = 0
        for t in self.tokens[self.k :]:
            depth += (t.kind == "(") - (t.kind == ")")
            if depth == 0:
                return False
            if t.kind == "d":
                return True
        return False

    def name(self) -> sp.Expr:
        """A symbol, π, or a function of coordinates such as a(t), a^2(t), R'(r)."""
        token = self.take("name")
        known = self.coordinates if self.coordinates is not None else self.found
        if token.text in known:
            return known[token.text]
        stem = token.text.rstrip("'")
        power, arguments = self._applied(known)
        said = self.letters.get(stem)
        if arguments and said and said.arguments:
            if said.arguments != tuple(x.name for x in arguments):
                fail(
                    self.latex,
                    token,
                    f"{stem} is not of these arguments",
                    f"{stem}({', '.join(said.arguments)}), as an equation has it",
                )
            if stem == token.text:
                return self.raised(self.symbols.setdefault(stem, sp.Symbol(stem)), power)
            arguments = []
        if arguments or (stem != token.text and stem in self.letters):
            value = self._function(stem, arguments)
            for _ in range(len(token.text) - len(stem)):
                value = self._derivative(token, value, "'")
            return self.raised(value, power)
        if token.text == "pi" and "pi" not in self.symbols:
            return sp.pi
        return self.symbols.setdefault(token.text, sp.Symbol(token.text))

    def slope(self) -> sp.Expr:
        r"""\dot a(t), \ddot{a}, \partial_r R(t, r): a derivative of a function of coordinates."""
        at = self.take("slope")
        braces = self.peek() == "{"
        if braces:
            self.take("{")
        token = self.take("name")
        if braces:
            self.take("}")
        known = self.coordinates if self.coordinates is not None else self.found
        power, arguments = self._applied(known)
        if not arguments and token.text not in self.letters:
            fail(
                self.latex,
                at,
                f"it is not said what {token.text} is a function of",
                f"arguments, as in {token.text}(t)",
                f"write them, or where=['{token.text} = {token.text}(t)']",
            )
        value = self._function(token.text, arguments)
        for _ in range(len(at.text) if at.text.startswith(".") else 1):
            value = self._derivative(at, value, at.text[0] if at.text[0] == "." else at.text)
        return self.raised(value, power)

    def _function(self, name: str, arguments: Sequence[sp.Symbol]) -> sp.Expr:
        if arguments and not (name in self.letters and self.letters[name].arguments):
            return sp.Function(name)(*arguments)
        return self.letter(name)

    def _derivative(self, at: Token, value: sp.Expr, by: str) -> sp.Expr:
        """By the coordinate of that name; a dot and a prime are by the one that there is."""
        known = self.coordinates if self.coordinates is not None else self.found
        own = [x for x in known.values() if x in value.free_symbols]
        if by in known:
            return sp.diff(value, known[by])
        if by == "." and len(own) > 1:
            own = [x for x in own if x.name in ("t", "tau")]
        if by in (".", "'") and len(own) == 1:
            return sp.diff(value, own[0])
        fail(self.latex, at, "it is not clear by what is differentiated", r"\partial_r R(t, r)")

    def letter(self, name: str) -> sp.Expr:
        """What an equation says that a letter is."""
        said, known = self.letters[name], self.coordinates or self.found
        others = {n: l for n, l in self.letters.items() if n != name}
        inner = Reader(said.text, said.tokens, known, self.symbols, {}, {}, others)
        value = inner.all()
        return value if said.degree == 1 else self.raised(value, 1 / sp.sympify(said.degree))

    def _refuse_product(self, start: int, end: int) -> None:
        """FormulaError for f(r_s), where r_s is a number like f itself."""
        if self.tokens[end + 1].kind == ")":
            name, inner = self.tokens[start - 1].text, self.tokens[end].text
            fail(
                self.latex,
                self.tokens[start - 1],
                f"whether {name} is a function of {inner} or times it is not clear",
                f"a function of coordinates, or a product without brackets as in {name} {inner}",
                f"say what {inner} is: where=['{inner} = …']",
            )

    def _applied(self, known: Mapping[str, sp.Symbol]) -> tuple[sp.Expr, list[sp.Symbol]]:
        """The power and the arguments of a function of coordinates: (t), ^2(t), or neither."""
        start, power = self.k, sp.S.One
        if self.peek() == "^":
            power = self.exponent()
        if self.peek() == "(":
            inner, end = [], self.k + 1
            while end + 1 < len(self.tokens) and self.tokens[end].kind == "name":
                name = self.tokens[end].text
                if name not in {**known, **self.letters}:
                    self._refuse_product(start, end)
                    break
                inner.append(known.get(name) or self.symbols.setdefault(name, sp.Symbol(name)))
                closing = self.tokens[end + 1].kind
                end += 2
                if closing == ")":
                    self.k = end
                    return power, inner
                if closing != ",":
                    break
        self.k = start
        return sp.S.One, []

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
            inner = Reader(
                self.latex,
                self.squares[token.text],
                self.coordinates or self.found,
                self.symbols,
                self.found,
                rest,
                self.letters,
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
