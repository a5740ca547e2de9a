r"""Tokens → syntax tree, by an LALR(1) grammar.

Products stay flat lists here: how far `\log`, `\sum` or `\partial` reach depends on what stands to
the right of them, and is settled by `fold`, with an error where two readings are possible.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from lark import Lark, Transformer, v_args
from lark import Token as LarkToken
from lark.exceptions import UnexpectedToken
from lark.lexer import Lexer

from . import enumerated, layers, steps
from .evaluated import widened
from .gradients import turned
from .increments import increments
from .lexer import Token
from .meant import meant
from .primes import named, transposed
from .source import Source
from .tree import (
    Accent,
    Addition,
    Cases,
    Chain,
    Fraction,
    Given,
    Group,
    Matrix,
    Name,
    Node,
    Number,
    Product,
    Root,
    Scripted,
    Star,
    Symbol,
    Times,
    applied,
    base_of,
    mapped,
    walk,
)

GRAMMAR = r"""
chain: expr (REL expr)*
?expr: addition
addition: (sign)? product (sign product)*
!sign: PLUS | MINUS
product: element (operator? element)*
!operator: TIMES | SLASH | ODOT | OTIMES
element: base script*
script: (CARET | UNDER) argument | PRIME | GAP | BANG
?argument: LBRACE listing RBRACE -> listing_argument
         | plain
         | FRAC argument argument -> fraction
         | sign -> bare_sign
?base: plain
     | LBRACE listing RBRACE -> braces
     | LPAREN listing RPAREN -> group
     | LSQUARE listing RSQUARE -> group
     | LSET listing RSET -> group
     | LANGLE listing RANGLE -> group
     | LABS listing RABS -> group
     | LNORM listing RNORM -> group
     | FRAC argument argument -> fraction
     | SQRT argument -> root
     | SQRT LSQUARE listing RSQUARE argument -> root
     | BEGIN_MATRIX rows END_MATRIX -> matrix
     | BEGIN_CASES cases END_CASES -> piecewise
plain: NAME -> name
     | LABEL -> label
     | LITERAL -> literal
     | NUMBER -> number
     | SIGN -> sign_symbol
     | FUNCTION -> function
     | SET -> blackboard
     | ACCENT argument -> accent
     | FONT argument -> font
listing: items (MID items)?
items: item ((COMMA | SEMI) item)* (COMMA | SEMI)?
?item: chain | operator -> bare_operator | operator chain -> prefixed | sign -> bare_sign
     | REL NUMBER -> bare_signs | sign sign -> bare_signs
rows: row (ROW row)*
row: chain? (AMP chain?)*
cases: case (ROW case)* ROW?
case: chain COMMA? AMP? condition?
condition: (IF | WHERE | FORALL)? chain (COMMA | STOP)? | OTHERWISE STOP?
%declare PLUS MINUS TIMES SLASH ODOT CARET UNDER PRIME LBRACE RBRACE LPAREN RPAREN LSQUARE RSQUARE
%declare LSET RSET LANGLE RANGLE LABS RABS LNORM RNORM FRAC SQRT BEGIN_MATRIX END_MATRIX
%declare BEGIN_CASES END_CASES NAME NUMBER SIGN FUNCTION SET ACCENT FONT COMMA SEMI MID ROW AMP IF
%declare BANG OTIMES OTHERWISE REL GAP WHERE STOP FORALL LABEL LITERAL
"""


BOLD = ("mathbf", "boldsymbol", "bm", "pmb", "vec", "textbf")


def _wanted(accepts: set[str]) -> str:
    """What could stand in a place, in words."""
    if "LBRACE" in accepts and "LPAREN" not in accepts:
        return "an argument: one letter, one digit, or { … }"
    if "NAME" in accepts and "REL" not in accepts:
        return "a term: a name, a number or a bracket"
    if "REL" in accepts:
        return "another factor, an operator, a relation, or the end of the formula"
    return "the end of the formula"


class _Tokens(Lexer):
    """Hands symattn's own tokens to lark's parser."""

    def __init__(self, _: Any) -> None:
        pass

    def lex(self, data: Any) -> Iterator[LarkToken]:  # type: ignore[override]
        for token in data:
            yield LarkToken(token.kind, token.text, start_pos=token.at)


def _at(token: LarkToken) -> int:
    return token.start_pos or 0


@v_args(inline=True)
class _Tree(Transformer):  # type: ignore[type-arg]
    """lark's callbacks: one method for every rule of the grammar."""

    def chain(self, first: Node, *rest: Any) -> Node:
        if not rest:
            return first
        relations = tuple((str(t), _at(t)) for t in rest[::2])
        return Chain(first.at, (first, *rest[1::2]), relations)

    def sign(self, token: LarkToken) -> LarkToken:
        return token

    operator = sign

    def addition(self, *parts: Any) -> Node:
        if len(parts) == 1:
            return parts[0]
        start = parts[0].at if isinstance(parts[0], Node) else _at(parts[0])
        terms: list[tuple[int, Node]] = []
        sign = 1
        for part in parts:
            if isinstance(part, LarkToken):
                sign = -1 if part.type == "MINUS" else 1
            elif sign < 0 and part is parts[-1] and terms and _open_sum(terms[-1][1]):  # Σ_n -2 x_n
                before, last = terms.pop()
                inner = Group(part.at, "(", (Addition(part.at, ((-1, part),)),))
                own = last.parts if isinstance(last, Product) else (("", last),)
                whole = Product(last.at, (*own, ("", inner)))
                if not terms and before > 0:
                    return whole
                terms.append((before, whole))
            else:
                terms.append((sign, part))
        return Addition(start, tuple(terms))

    def product(self, *parts: Any) -> Node:
        if len(parts) == 1:
            return parts[0]
        for k, part in enumerate(parts):  # A B ⊗ C D reaches over products
            if isinstance(part, LarkToken) and part.type == "OTIMES":
                return applied(str(part), self.product(*parts[:k]), self.product(*parts[k + 1 :]))
        factors: list[tuple[str, Node]] = []
        operator = ""
        for part in parts:
            if isinstance(part, LarkToken):
                operator = {"SLASH": "/", "ODOT": "∘"}.get(part.type, "·")
                operator = "×" if part == "times" else operator
                operator = Star("·") if part in ("*", "ast") else operator
            else:
                last = factors[-1][1] if factors else None
                nabla = isinstance(last, Symbol) and last.kind == "nabla" and operator in ("·", "×")
                crossed = operator == "×" and last is not None
                if last is not None and (nabla or (crossed and (_is_bold(last) or _is_bold(part)))):
                    name = ("curl" if operator == "×" else "divergence") if nabla else "cross"
                    operator = factors.pop()[0]
                    part = applied(name, part) if nabla else applied(name, last, part)
                operator = Times("·") if operator == "×" else operator
                if operator == "" and factors and _subscripted(factors[-1][1], part):
                    operator, base = factors.pop()
                    part = Scripted(base.at, base, (("_", part),))
                if isinstance(part, Product) and operator in ("", "·"):
                    (_, first), *others = part.parts
                    factors += [(operator, first), *others]
                else:
                    factors.append((operator, part))
                operator = ""
        if len(factors) == 1 and factors[0][0] == "":
            return factors[0][1]
        if any(isinstance(op, Star) and _is_slope(part) for op, part in factors):  # δ * g'(z)
            factors = [("∘" if isinstance(op, Star) else op, part) for op, part in factors]
        return Product(parts[0].at, tuple(factors))

    def element(self, base: Node, *scripts: Any) -> Node:
        if scripts and scripts[-1][0] == "!":  # n!
            of = Group(base.at, "(", (self.element(base, *scripts[:-1]),))
            return Product(base.at, (("", scripts[-1][1]), ("", of)))
        marks = ""
        kept: list[tuple[str, Node]] = []
        for script in scripts:
            if isinstance(script, str):
                marks += script
            else:
                sign, inner = script
                above, prime = _label_and_prime(inner)
                euler = isinstance(base, Name) and base.text == "e"  # e^{(r - q) T}
                kept += [(sign, above)] if euler else _label_and_transpose(sign, above)
                marks += prime
        whole = base.items[0] if isinstance(base, Group) and len(base.items) == 1 else base
        if marks and isinstance(whole, Scripted) and isinstance(whole.base, Name):  # (g^{(l)})'
            kept = [*whole.scripts, *kept]
            base = whole.base
        if marks and isinstance(base, Name):
            base = Name(base.at, base.text + marks, base.style)
        elif marks:
            kept.append(("'", Symbol(base.at, "prime", marks)))
        if isinstance(base, Product) and kept:  # the scripts of \mathbf{AB}^{-1} are those of B
            *first, (op, last) = base.parts
            return Product(base.at, (*first, (op, Scripted(last.at, last, tuple(kept)))))
        if base == Name(base.at, "E") and any(_drawn(script) for _, script in kept):
            base = Symbol(base.at, "function", "E")
        return Scripted(base.at, base, tuple(kept)) if kept else base

    def script(self, sign: LarkToken, *argument: Any) -> Any:
        if sign.type == "GAP":
            return "~", Symbol(_at(sign), "gap")
        if sign.type == "BANG":
            return "!", Symbol(_at(sign), "function", "factorial")
        return (str(sign), argument[0]) if argument else "'"

    def name(self, token: LarkToken) -> Node:
        return Name(_at(token), str(token))

    def label(self, token: LarkToken) -> Node:
        return Name(_at(token), str(token), "upright")

    def literal(self, token: LarkToken) -> Node:
        return Name(_at(token), str(token), "literal")

    def number(self, token: LarkToken) -> Node:
        return Number(_at(token), str(token))

    def sign_symbol(self, token: LarkToken) -> Node:
        return Symbol(_at(token), str(token))

    def function(self, token: LarkToken) -> Node:
        return Symbol(_at(token), "function", str(token))

    def blackboard(self, token: LarkToken) -> Node:
        return Symbol(_at(token), "set", str(token))

    def accent(self, mark: LarkToken, body: Node) -> Node:
        return Accent(_at(mark), str(mark), _bare(body))

    def font(self, token: LarkToken, body: Node) -> Node:
        body = _bare(body)
        if body == Name(body.at, "d") and str(token) in ("mathrm", "textrm"):
            return Name(body.at, "d", "upright")
        if isinstance(body, Number) and body.text in ("0", "1"):
            return Symbol(_at(token), "ones" if body.text == "1" else "zeros")
        if str(token) in ("mathcal", "mathscr", "mathfrak") and isinstance(body, Name):
            return Name(body.at, body.text, "calligraphic")
        if str(token) in BOLD and isinstance(body, Name):
            return Name(body.at, body.text, "bold")
        if isinstance(body, Product) and all(isinstance(p, Name) for _, p in body.parts):
            style = "bold" if str(token) in BOLD else ""
            names = ((op, Name(p.at, p.text, style)) for op, p in body.parts)  # type: ignore[attr-defined]
            return Product(body.at, tuple(names))
        return body

    def items(self, *items: Any) -> tuple[Node, ...]:
        return tuple(i for i in items if isinstance(i, Node))

    def listing(self, items: tuple[Node, ...], *rest: Any) -> tuple[Node, ...]:
        if not rest:
            return items
        return (Given(items[0].at, items, rest[1]),)

    def bare_operator(self, token: LarkToken) -> Node:
        return Symbol(_at(token), "operator", str(token))

    def bare_sign(self, token: LarkToken) -> Node:
        return Symbol(_at(token), "operator", str(token))

    def bare_signs(self, *tokens: LarkToken) -> Node:
        return Symbol(_at(tokens[0]), "operator", "".join(tokens))

    def prefixed(self, token: LarkToken, body: Node) -> Node:
        kind = {"ODOT": "∘", "SLASH": "/"}.get(token.type, "·")
        return Product(_at(token), ((kind, body),))

    def listing_argument(self, brace: LarkToken, items: Any, _: LarkToken) -> Node:
        if len(items) == 1 and not isinstance(items[0], Group):
            return items[0]
        return Group(_at(brace), "{", items)

    def braces(self, brace: LarkToken, items: Any, _: LarkToken) -> Node:
        match items:
            case (Name() | Number() | Accent() | Symbol() | Scripted() as one,):
                return one
            case (Group(bracket="(" | "[") as one,):  # \log{\left(x\right)}^{2}
                return one
        return Group(_at(brace), "{", items)

    def group(self, bracket: LarkToken, items: Any, _: LarkToken) -> Node:
        return Group(_at(bracket), str(bracket), items)

    def fraction(self, token: LarkToken, top: Node, bottom: Node) -> Node:
        return Fraction(_at(token), top, bottom)

    def root(self, token: LarkToken, *parts: Any) -> Node:
        degree = parts[1][0] if len(parts) == 4 else None
        return Root(_at(token), parts[-1], degree)

    def row(self, *cells: Any) -> tuple[Node, ...]:
        return tuple(c for c in cells if isinstance(c, Node))

    def rows(self, *rows: Any) -> tuple[tuple[Node, ...], ...]:
        return tuple(r for r in rows if isinstance(r, tuple) and r)

    def matrix(self, begin: LarkToken, rows: Any, _: LarkToken) -> Node:
        found = Matrix(_at(begin), rows)
        if str(begin) == "vmatrix":
            return Product(found.at, (("", Symbol(found.at, "function", "det")), ("", found)))
        if str(begin) == "Vmatrix":
            return Group(found.at, "‖", (found,))
        return found

    def condition(self, *parts: Any) -> Any:
        return next((p for p in parts if isinstance(p, Node)), None)

    def case(self, value: Node, *parts: Any) -> tuple[Node, Node | None]:
        return value, next((p for p in parts if isinstance(p, Node)), None)

    def cases(self, *rows: Any) -> tuple[Any, ...]:
        return tuple(r for r in rows if isinstance(r, tuple))

    def piecewise(self, begin: LarkToken, rows: Any, _: LarkToken) -> Node:
        return Cases(_at(begin), rows)


def _is_bold(node: Node) -> bool:
    return any(isinstance(n, Name) and n.style == "bold" for n in walk(node))


def _drawn(script: Node) -> bool:
    """True for i ∼ p, which says that the sign above it is an expectation."""
    return any(isinstance(n, Chain) and n.relations[0][0] == "∼" for n in walk(script))


def _subscripted(before: Node, node: Node) -> bool:
    """True for Q[i, a]: a list of letters in square brackets is no factor."""
    return (
        isinstance(before, Name | Accent)
        and isinstance(node, Group)
        and node.bracket == "["
        and len(node.items) > 1
        and all(isinstance(item, Name) and item.text.islower() for item in node.items)
    )


def _open_sum(node: Node) -> bool:
    """True for a term that ends in a Σ with what it runs over, and nothing behind it."""
    last = node.parts[-1][1] if isinstance(node, Product) else node
    sign = last.base if isinstance(last, Scripted) else None
    return isinstance(sign, Symbol) and sign.kind == "sum"


def _bare(body: Node) -> Node:
    if isinstance(body, Group) and body.bracket == "{" and len(body.items) == 1:
        return body.items[0]
    return body


@cache
def _parser() -> Lark:
    return Lark(GRAMMAR, parser="lalr", lexer=_Tokens, start="chain", transformer=_Tree())


def unbracketed(node: Any) -> Any:
    """The tree with X^⊤ for (X)^⊤, but not where what stands before may be applied: f(x)^⊤."""
    match node:
        case Product(parts=parts):
            befores = [None, *(p for _, p in parts)]
            rest = (
                (
                    op,
                    mapped(p, unbracketed)
                    if op == "" and _may_be_applied(before)
                    else unbracketed(p),
                )
                for before, (op, p) in zip(befores, parts, strict=False)
            )
            return Product(node.at, tuple(rest))
        case Scripted(base=Group(bracket="(", items=(inner,)), scripts=scripts):
            turned = any(isinstance(s, Symbol) and s.kind == "top" for _, s in scripts)
            if turned and isinstance(base_of(inner), Name | Accent):
                return Scripted(node.at, Group(node.base.at, "{", (inner,)), scripts)
    return mapped(node, unbracketed)


def _is_slope(node: Node) -> bool:
    """True for g' and g'^{(l)}, a derivative of every component."""
    base = base_of(node)
    return isinstance(base, Name) and base.text.endswith("'")


def _label_and_prime(script: Node) -> tuple[Node, str]:
    r"""(l) and ' of g^{(l)\prime}."""
    inner = script.items[0] if isinstance(script, Group) and len(script.items) == 1 else script
    match inner:
        case Scripted(base=Group(bracket="(" | "[") as label, scripts=(("'", Symbol() as mark),)):
            return label, mark.text
    return script, ""


def _label_and_transpose(sign: str, script: Node) -> list[tuple[str, Node]]:
    r"""W^{(l)}^\top for W^{(l)\top}."""
    inner = script
    if isinstance(inner, Group) and inner.bracket == "{" and len(inner.items) == 1:
        (inner,) = inner.items
    match inner:
        case Product(
            parts=(("", Group(bracket="(" | "[") as label), ("", Symbol() | Name() as turn))
        ):
            if turn in (Symbol(turn.at, "top"), Name(turn.at, "T", getattr(turn, "style", ""))):
                return [(sign, label), (sign, Symbol(turn.at, "top"))]
    return [(sign, script)]


def _may_be_applied(node: Node | None) -> bool:
    return node is not None and isinstance(base_of(node), Name | Accent | Symbol)


def parse(source: Source, statement: list[Token]) -> Node:
    """The syntax tree of the tokens of one statement.

    Raises ReadError, which says what was expected where.
    """
    key = tuple(statement)
    if key not in source.memory:
        if key not in source.parsed:
            tree = _parsed(source, statement)
            tree = tree if source.delta else increments(tree)
            tree = transposed(tree) if source.primed else named(tree)
            source.parsed[key] = enumerated.written_out(widened(turned(tree)))
        tree = meant(source.parsed[key], source)
        tree = layers.labelled(unbracketed(tree), layers.said(source.text))
        if source.unrolled is not None:
            tree = source.unrolled(tree)
        if source.unconditioned is not None:
            tree = source.unconditioned(tree)
        source.memory[key] = steps.named(tree, source.steps)
    found: Node = source.memory[key]
    return found


_BEFORE_TERMS = frozenset({"", "REL", "PLUS", "MINUS", "AMP", "ROW", "LPAREN", "COMMA"})


ONES = r", and \mathbf{1} for a vector of ones"


def _told_apart(source: Source, statement: list[Token]) -> None:
    r"""Refuse a term \delta 3: a number stands before what it multiplies, so it may be a label."""
    kinds = ["", *(t.kind for t in statement), ""]
    for k, token in enumerate(statement):
        number = statement[k + 1] if kinds[k + 2] == "NUMBER" else None
        starts = kinds[k] in _BEFORE_TERMS and token.kind == "NAME"
        if not starts or number is None or not number.text.isdigit():
            continue
        if kinds[k + 3] not in ("CARET", "UNDER", "SLASH", "LPAREN", "BANG"):
            name = source.written(token.at, token.text)
            raise source.fail(
                number.at,
                f"{name} {number.text}: a label, a power or a product?",
                expected="a number before what it multiplies",
                got=f"{name} {number.text}",
                mend=f"write {name}_{{{number.text}}}, {name}^{{{number.text}}} or "
                f"{number.text} {name}" + ONES * (number.text == "1"),
            )


def _parsed(source: Source, statement: list[Token]) -> Node:
    if not statement:
        raise source.fail(0, "a formula is empty", expected="something between the dollars")
    depth = 0
    for token in statement:
        depth += {"BEGIN_CASES": 1, "END_CASES": -1}.get(token.kind, 0)
        if token.kind == "PROSE":
            raise source.fail(
                token.at,
                f"these are words, not a formula: {token.text!r}",
                mend="write the words outside of the display",
            )
        if token.kind in ("IF", "FORALL") and not depth:
            raise source.fail(
                token.at,
                "this equation is stated under a condition",
                expected="an equation for all values of its indices",
                mend=r"write \begin{cases} … & j \le i \\ … \end{cases}, or the factor [j \le i]",
            )
    _told_apart(source, statement)
    try:
        return _parser().parse(enumerated.listed(statement))  # type: ignore[return-value]
    except UnexpectedToken as error:
        token = error.token
        last = statement[-1]
        end = last.at + len(source.written(last.at, last.text))
        at = end if token.type == "$END" else _at(token)
        ends = token.type == "$END"
        shown = "the end of the formula" if token.type == "$END" else source.written(at, token)
        raise source.fail(
            at,
            "the formula ends too early" if ends else f"{shown} cannot stand here",
            expected=_wanted(error.accepts),
            got="" if ends else shown,
            mend="write what is missing" if ends else "take it out, or mend what stands before it",
        ) from None
