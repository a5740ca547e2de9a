"""A parser for the LaTeX of lines: a tree that keeps what is written and forgets how it is spaced.

Nodes are tuples: ("num", text), ("name", text), ("bar", name), ("script", base, below, above),
("frac", a, b), ("over", a, b), ("sqrt", a), ("call", name, arguments), ("sum", letters, body),
("max", letter, body), ("prod", factors), ("circ", factors), ("add", signs and terms),
("paren", a), ("norm", a), ("abs", a), ("one", condition), ("rel", sign, a, b), ("cases", rows).
"""

from __future__ import annotations

import re
from typing import Any, TypeAlias

Node: TypeAlias = Any

TOKEN = re.compile(r"\\[A-Za-z]+|\\\S|\\ |\d+(?:\.\d+)?|\S")
SPACING = {"\\left", "\\right", "\\big", "\\Big", "\\bigg", "\\bigl", "\\bigr", "\\Bigl", "\\Bigr"}
SPACING |= {"\\,", "\\;", "\\!", "\\:", "\\ ", "\\quad", "\\limits", "\\displaystyle", "\\cdot"}
ALIASES = {"\\tfrac": "\\frac", "\\dfrac": "\\frac", "\\leq": "\\le", "\\geq": "\\ge"}
ALIASES |= {"\\lVert": "\\|", "\\rVert": "\\|", "\\Vert": "\\|", "\\operatorname": "\\mathrm"}
ALIASES |= {"\\lvert": "|", "\\rvert": "|", "\\ln": "\\log", "\\ne": "\\neq"}
FUNCTIONS = {
    f"\\{f}"
    for f in [
        "exp",
        "log",
        "tanh",
        "cosh",
        "sinh",
        "coth",
        "sin",
        "cos",
        "tan",
        "arctan",
        "det",
        "sign",
        "Gamma",
    ]
}
WORDS = {"erf", "diag", "rowsum", "colsum", "mean", "tr", "sign", "ReLU", "softplus", "softmax"}
WORDS |= {"arcosh", "atan2"}
RELATIONS = {"<", ">", "\\le", "\\ge", "=", "\\in", "\\neq"}
CLOSING = {")", "]", "}", "&", "\\\\", ",", "+", "-", "/", "\\circ", "\\odot", "\\end"}


def _bare(node: Node) -> Node:
    """b/(x T) has no brackets as a fraction."""
    return node[1] if node[0] == "paren" and len(node) == 2 else node


class Unreadable(ValueError):
    """A text that this parser does not know."""


def tokens(text: str) -> list[str]:
    found = [ALIASES.get(t, t) for t in TOKEN.findall(text)]
    return [t for t in found if t not in SPACING]


class Parser:
    def __init__(self, text: str, names: frozenset[str]) -> None:
        self.tokens = tokens(text)
        self.at = 0
        self.open: list[str] = []  # brackets and bars that are not closed yet
        self.names = names

    @property
    def now(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, *wanted: str) -> str:
        token = self.now
        if not token or (wanted and token not in wanted):
            raise Unreadable(
                f"{token or 'the end'} where {' or '.join(wanted) or 'more'} should be"
            )
        self.at += 1
        return token

    def braced(self) -> Node:
        """What stands in braces, or one token."""
        if self.now == "{":
            self.open.append(self.take())
            inner = self.listed()
            self.take("}")
            self.open.pop()
            return inner[0] if len(inner) == 1 else ("list", inner)
        if self.now[:1].isdigit() and len(self.now) > 1:  # TeX takes one digit
            self.tokens[self.at : self.at + 1] = [self.now[0], self.now[1:]]
        return self.simple()

    def listed(self) -> tuple[Node, ...]:
        found = [self.relation()]
        while self.now == ",":
            self.take()
            found.append(self.relation())
        return tuple(found)

    def relation(self) -> Node:
        left = self.sum()
        if self.now in RELATIONS:
            sign = self.take()
            return ("rel", sign, left, self.sum())
        return left

    def sum(self) -> Node:
        terms = []
        sign = self.take() if self.now in ("+", "-") else "+"
        while True:
            terms.append((sign, self.term()))
            if self.now not in ("+", "-"):
                break
            sign = self.take()
        return terms[0][1] if len(terms) == 1 and terms[0][0] == "+" else ("add", tuple(terms))

    def term(self) -> Node:
        parts = [self.product()]
        while self.now in ("\\circ", "\\odot"):
            self.take()
            parts.append(self.product())
        parts = [f for p in parts for f in (p[1] if p[0] == "circ" else (p,))]
        return parts[0] if len(parts) == 1 else ("circ", tuple(parts))

    def product(self) -> Node:
        factors: list[Node] = []
        while self.now and not self.ends():
            factors.append(self.factor())
            while self.now == "/":
                self.take()
                above = factors[0] if len(factors) == 1 else ("prod", tuple(factors))
                factors = [("over", _bare(above), _bare(self.factor()))]
        if not factors:
            raise Unreadable(f"{self.now or 'the end'} where a factor should be")
        return factors[0] if len(factors) == 1 else ("prod", tuple(factors))

    def ends(self) -> bool:
        """Whether a product ends here; a bar ends what a bar of its kind has begun."""
        if self.now in ("|", "\\|"):
            return self.open[-1:] == [self.now]
        return self.now in CLOSING or self.now in RELATIONS

    def factor(self) -> Node:
        base = self.simple()
        below = above = None
        while self.now in ("_", "^"):
            mark = self.take()
            if mark == "_" and below is None:
                below = self.braced()
            elif mark == "^" and self.tokens[self.at : self.at + 2] == ["{", "\\circ"]:
                base = self.entrywise(base)
            elif mark == "^" and above is None:
                above = self.braced()
            else:
                raise Unreadable("two scripts of a kind")
        return base if below is None and above is None else ("script", base, below, above)

    def entrywise(self, base: Node) -> Node:
        r"""x^{\circ 2}, which is x \circ x, and any other power entry by entry."""
        self.take("{")
        self.take("\\circ")
        exponent = self.sum()
        self.take("}")
        if exponent == ("num", "2"):
            return ("circ", (base, base))
        return ("script", base, None, ("entrywise", exponent))

    def argument(self) -> tuple[Node, ...]:
        if self.now == "(":
            self.open.append(self.take())
            inner = self.listed()
            self.take(")")
            self.open.pop()
            return inner
        return (self.factor(),)

    def simple(self) -> Node:
        token = self.take()
        if token in ("(", "["):
            self.open.append(token)
            inner = self.relation()
            self.take(")" if token == "(" else "]")
            self.open.pop()
            if self.tokens[self.at : self.at + 2] == ["_", "+"]:  # [x]_+ is max(0, x)
                self.at += 2
                return ("call", "\\max", (("num", "0"), inner))
            return ("paren" if token == "(" else "bracket", inner)
        if token == "{":
            self.at -= 1
            return self.braced()
        if token in ("|", "\\|"):
            self.open.append(token)
            inner = self.sum()
            self.take(token)
            self.open.pop()
            return ("abs" if token == "|" else "norm", inner)
        if token == "\\frac":
            return ("frac", self.braced(), self.braced())
        if token == "\\sqrt":
            return ("sqrt", self.braced())
        if token in ("\\bar", "\\hat", "\\tilde"):
            return (token[1:], self.braced())
        if token in ("\\top", "\\intercal"):
            return ("top",)
        if token == "\\mathbf" and self.braced() == ("num", "1"):
            if self.now != "[":
                return ("name", "\\mathbf{1}")
            self.take()
            inner = self.relation()
            self.take("]")
            return ("one", inner)
        if token in ("\\sum", "\\max", "\\min"):
            if token != "\\sum" and self.now == "(":
                return ("call", token, self.argument())
            self.take("_")
            letter = self.braced()
            above = None
            if self.now == "^":
                self.take()
                above = self.braced()
            body = self.term()
            return (token[1:], letter, above, body)
        if token == "\\begin":
            return self.cases()
        if token == "\\mathrm":
            self.take("{")
            word = ""
            while self.now != "}":
                word += self.take()
            self.take()
            if word in WORDS:
                return ("call", word, self.argument())
            return ("name", word)
        if token in FUNCTIONS or (self.applied(token) and self.now == "("):
            power = None
            if self.now == "^":  # \tanh^2(x) is \tanh(x)^2
                self.take()
                power = self.braced()
            if self.now == "_":
                if token != "\\log":
                    raise Unreadable(f"a script of {token}")
                self.take()
                base = ("call", token, (self.braced(),))
                return ("over", ("call", token, self.argument()), base)
            call = ("call", token, self.argument())
            return call if power is None else ("script", call, None, power)
        if token[0].isdigit():
            return ("num", token)
        if token.isalpha() or re.fullmatch(r"\\[A-Za-z]+", token):
            return ("name", token)
        raise Unreadable(f"{token} where a factor should be")

    def applied(self, token: str) -> bool:
        r"""σ, ψ and Φ, and φ beside Φ, where they are no names of the text."""
        known = ("\\sigma", "\\psi", "\\Phi", *(["\\phi"] if "\\Phi" in self.tokens else []))
        return token in known and token not in self.names

    def cases(self) -> Node:
        for t in ("{", *"cases", "}"):
            self.take(t)
        rows = []
        while self.now != "\\end":
            value = self.sum()
            self.take("&")
            rows.append((value, self.relation()))
            if self.now == "\\\\":
                self.take()
        for t in ("\\end", "{", *"cases", "}"):
            self.take(t)
        return ("cases", tuple(rows))


def parse(text: str, names: frozenset[str] = frozenset()) -> Node:
    """The tree of an expression or an equation; a σ among `names` is no function."""
    parser = Parser(text, names)
    tree = parser.relation()
    if parser.now:
        raise Unreadable(f"{parser.now} after the end of the formula")
    return tree


def indices(script: Node) -> tuple[Node, ...]:
    """The indices that a script lists."""
    if script is None:
        return ()
    if script[0] == "list":
        return tuple(i for part in script[1] for i in indices(part))
    return script[1] if script[0] == "prod" else (script,)
