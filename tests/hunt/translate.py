"""A case handed over to symattn, by public names only; and as a snippet that a person can run."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from inspect import signature
from keyword import iskeyword
from typing import Any

import sympy as sp

import symattn as sa
from symattn.primitives import elu, hard_tanh, relu, sigmoid, silu, softplus, step

from .formulas import (
    Add,
    Case,
    Compare,
    Def,
    Delta,
    Fun,
    Inverse,
    Largest,
    Length,
    Letter,
    Mask,
    MaxOver,
    Mul,
    Node,
    Num,
    OfMatrix,
    Position,
    Pow,
    Ref,
    Size,
    Slope,
    Slot,
    Statement,
    Sum,
    Tensor,
    Winner,
    at,
    bound_here,
    children,
    slots_of,
)

FUNCTIONS = {
    "exp": sp.exp,
    "log": sp.log,
    "sin": sp.sin,
    "cos": sp.cos,
    "tanh": sp.tanh,
    "cosh": sp.cosh,
    "abs": sp.Abs,
    "sigmoid": sigmoid,
    "softplus": softplus,
    "step": step,
    "sign": sp.sign,
    "relu": relu,
    "silu": silu,
    "elu": elu,
    "hard_tanh": hard_tanh,
}
VALUES = {">": sp.Gt, ">=": sp.Ge, "<": sp.Lt, "<=": sp.Le, "=": sp.Eq}


def by_rule(node: Sum, own: tuple[Letter, ...]) -> bool:
    """Whether every letter of a sum is repeated in a product of components: no Σ is needed.

    Those on the left of a definition are never summed.
    """
    if not {x.name for x in node.letters}.isdisjoint(x.name for x in own):
        return False
    factors = node.body.args if isinstance(node.body, Mul) else (node.body,)
    if not all(isinstance(f, Ref | Num | Delta) for f in factors):
        return False
    seen = [x for f in factors for s in slots_of(f) for x, _ in s.parts]
    return all(seen.count(x) == 2 for x in node.letters) and len(set(factors)) == len(factors)


def under(translator: Any, translated: Any, body: Node, letters: tuple[Letter, ...]) -> Any:
    """What stands below Σ, where its letters are not summed once more."""
    outer = translator.own
    translator.own = (*outer, *letters)
    found = translated(body)
    translator.own = outer
    return found


class Sympy:
    """A case as SymPy objects."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.own: tuple[Letter, ...] = ()  # on the left of what is translated, or bound around it
        self.tensors = {name: self.tensor(t) for name, t in case.inputs.items()}
        self.made: dict[str, Any] = {}
        for d in case.defs:
            self.made[d.name] = self.define(d)
        self.loss = sa.loss("L", of=case.loss) if case.loss else None

    def define(self, d: Def) -> Any:
        self.own = d.letters
        made = sa.define(d.name, tuple(map(self.letter, d.letters)), self.formula(d.body))
        self.own = ()
        return made

    def system(self, *more: Any) -> Any:
        """The system of the case, with more definitions."""
        facts = [sp.Eq(self(f.left), self(f.right), evaluate=False) for f in self.case.facts]
        return sa.System(*self.made.values(), *more, facts=facts)

    def formula(self, node: Node) -> Any:
        """A formula by itself, with sums that the rule gives left out where the case says so."""
        if not self.case.implicit:
            return self(node)
        match node:
            case Add(args):
                return sp.Add(*map(self.formula, args))
            case Sum(_, body) if by_rule(node, self.own):
                return self(body)
        return self(node)

    def size(self, size: Size) -> Any:
        return sum((c * sa.sizes(name)[0] for name, c in size.parts), sp.Integer(size.const))

    def letter(self, letter: Letter) -> Any:
        return sa.indices([letter.name], self.size(letter.size))[0]

    def tensor(self, t: Tensor) -> Any:
        flags = {t.symmetry: True} if t.symmetry else {}
        if t.definite and "positive_definite" in signature(sa.tensor).parameters:
            flags = {"positive_definite": True}
        return sa.tensor(t.name, *map(self.size, t.shape), positive=t.positive, **flags)

    def slot(self, slot: Slot) -> Any:
        return sum((c * self.letter(x) for x, c in slot.parts), self.size(slot.const))

    def component(self, name: str, slots: tuple[Slot, ...]) -> Any:
        tensor = self.made[name] if name in self.made else self.tensors[name]
        if not slots:
            return sp.sympify(tensor)
        return tensor[tuple(map(self.slot, slots))]

    def __call__(self, node: Node) -> Any:
        match node:
            case Num(value):
                return sp.Rational(value.numerator, value.denominator)
            case Length(size):
                return self.size(size)
            case Ref(name, slots):
                return self.component(name, slots)
            case Add(args):
                return sp.Add(*map(self, args))
            case Mul(args):
                return sp.Mul(*map(self, args))
            case Pow(base, e):
                return sp.Pow(self(base), sp.Rational(e.numerator, e.denominator))
            case Sum(letters, body):
                return sa.total(under(self, self, body, letters), *map(self.letter, letters))
            case Fun(name, arg):
                return FUNCTIONS[name](self.formula(arg))
            case Largest(args):
                return sp.Max(*map(self, args))
            case MaxOver(letters, body):
                return sa.maximum(under(self, self, body, letters), *map(self.letter, letters))
            case Winner(slot, letter, body):
                inside = under(self, self, body, (letter,))
                return sa.argmax(self.slot(slot), inside, self.letter(letter))
            case Delta(a, b, None):
                return sa.delta(self.slot(a), self.slot(b))
            case Delta(a, b, modulo):  # with a letter by itself, made by way of one
                own, turned = (a, b) if a.plain and a.plain.size == modulo else (b, a)
                if own.plain and own.plain.size == modulo:
                    return sa.delta(self.slot(own), sp.Mod(self.slot(turned), self.size(modulo)))
                way = Letter("way", modulo)
                return self(Sum((way,), Mul(tuple(Delta(at(way), x, modulo) for x in (a, b)))))
            case Mask(op, a, b):
                return sa.iverson(_compared(op, self.slot(a), self.slot(b)))
            case Compare(op, a, b):
                return sa.iverson(VALUES[op](self(a), self(b)))
            case Position(slot):
                return self.slot(slot)
            case Inverse(name, row, column):
                return self.matrix("inverse", name)[self.slot(row), self.slot(column)]
            case OfMatrix(kind, name):
                return self.matrix(kind, name)
            case Slope(name, slots):
                return sa.partial(self.loss, self.component(name, slots))
        raise AssertionError(node)

    def matrix(self, kind: str, name: str) -> Any:
        tensor = self.made[name] if name in self.made else self.tensors[name]
        return getattr(sa, kind)(tensor)


def _compared(op: str, a: Any, b: Any) -> Any:
    match op:
        case "<=":
            return a <= b
        case "<":
            return a < b
        case "==":
            return sp.Eq(a, b)
    return sp.Ne(a, b)


# --------------------------------------------------------------------------------------- snippet


class Snippet:
    """The Python text that makes a case with symattn."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.own: tuple[Letter, ...] = ()

    def head(self, *formulas: Node, letters: tuple[Letter, ...] = ()) -> str:
        """Imports, sizes, letters, tensors and definitions."""
        case, nodes = self.case, [d.body for d in self.case.defs]
        nodes += [side for f in case.facts for side in (f.left, f.right)] + list(formulas)
        found = {x for node in nodes for x in _all_letters(node)} | set(letters)
        found |= {x for d in case.defs for x in d.letters}
        sizes = {p for x in found for p, _ in x.size.parts}
        sizes |= {p for t in case.inputs.values() for s in t.shape for p, _ in s.parts}
        rows = ["import sympy as sp", "import symattn as sa"]
        if any("symattn.primitives" in self.text(n) for n in nodes):
            rows.append("import symattn.primitives")
        for name in sorted(sizes):
            rows.append(f'({name},) = sa.sizes("{name}")')
        for x in sorted(found, key=lambda x: x.name):
            rows.append(f'({self.var(x)},) = sa.indices("{x.name}", {x.size})')
        for t in case.inputs.values():
            kind = "positive_definite" if t.definite else t.symmetry
            flags = ", positive=True" * t.positive + f", {kind}=True" * bool(kind)
            shape = "".join(f", {s}" for s in t.shape)
            rows.append(f"{self.tensor(t.name)} = sa.tensor({t.name!r}{shape}{flags})")
        for d in case.defs:
            rows.append(self.definition(d))
        facts = ", ".join(f"sp.Eq({self.text(f.left)}, {self.text(f.right)})" for f in case.facts)
        names = [self.tensor(d.name) for d in case.defs]
        if case.loss:
            rows.append(f'L = sa.loss("L", of="{case.loss}")')
        given = ", ".join([*names, *([f"facts=[{facts}]"] if facts else [])])
        rows.append(f"system = sa.System({given})")
        return "\n".join(rows)

    def tensor(self, name: str) -> str:
        """The Python name of a tensor."""
        if name.isidentifier() and not iskeyword(name) and name not in ("sa", "sp", "symattn"):
            return name
        return "T_" + "".join(c if c.isalnum() and c.isascii() else "_" for c in name)

    def var(self, letter: Letter) -> str:
        """The Python name of a letter, another one than those of tensors."""
        taken = {*self.case.inputs, *(d.name for d in self.case.defs)}
        taken |= {p for t in self.case.inputs.values() for s in t.shape for p, _ in s.parts}
        return letter.name + "_" * (letter.name in taken)

    def formula(self, node: Node) -> str:
        if self.case.implicit:
            match node:
                case Add(args):
                    return f"({' + '.join(map(self.formula, args))})"
                case Sum(_, body) if by_rule(node, self.own):
                    return self.text(body)
        return self.text(node)

    def definition(self, d: Def) -> str:
        letters = "".join(f"{self.var(x)}, " for x in d.letters)
        self.own = d.letters
        made = f"{self.tensor(d.name)} = sa.define({d.name!r}, ({letters}), {self.formula(d.body)})"
        self.own = ()
        return made

    def slot(self, slot: Slot) -> str:
        rows = [var if c == 1 else f"-{var}" if c == -1 else f"{c}*{var}"
                for var, c in ((self.var(x), c) for x, c in slot.parts)]  # fmt: skip
        if slot.const != Size() or not rows:
            rows.append(f"({slot.const})")
        return " + ".join(rows).replace("+ -", "- ")

    def text(self, node: Node) -> str:
        text, slot = self.text, self.slot
        match node:
            case Num(value):
                whole = value.denominator == 1
                shown = (
                    str(value) if whole else f"sp.Rational({value.numerator}, {value.denominator})"
                )
                return f"({shown})" if value < 0 else f"sp.Integer({shown})" if whole else shown
            case Length(size):
                return f"({size})"
            case Ref(name, slots):
                shown = self.tensor(name)
                if slots:
                    return f"{shown}[{', '.join(map(slot, slots))}]"
                return f"sp.sympify({shown})" if self.case.definition(name) else shown
            case Add(args):
                return f"({' + '.join(map(text, args))})"
            case Mul(args):
                return "*".join(map(text, args))
            case Pow(base, e):
                shown = (
                    str(e) if e.denominator == 1 else f"sp.Rational({e.numerator}, {e.denominator})"
                )
                return f"({text(base)})**({shown})"
            case Sum(letters, body):
                inside = under(self, text, body, letters)
                return f"sa.total({inside}, {', '.join(map(self.var, letters))})"
            case Fun(name, arg):
                if FUNCTIONS[name].__module__.startswith("symattn"):
                    return f"symattn.primitives.{name}({self.formula(arg)})"
                return f"sp.{'Abs' if name == 'abs' else name}({self.formula(arg)})"
            case Largest(args):
                return f"sp.Max({', '.join(map(text, args))})"
            case MaxOver(letters, body):
                inside = under(self, text, body, letters)
                return f"sa.maximum({inside}, {', '.join(map(self.var, letters))})"
            case Winner(at, letter, body):
                inside = under(self, text, body, (letter,))
                return f"sa.argmax({slot(at)}, {inside}, {self.var(letter)})"
            case Delta(a, b, modulo):
                turned = slot(b) if modulo is None else f"sp.Mod({slot(b)}, {modulo})"
                return f"sa.delta({slot(a)}, {turned})"
            case Mask(op, a, b):
                if op in ("==", "!="):
                    return f"sa.iverson(sp.{'Eq' if op == '==' else 'Ne'}({slot(a)}, {slot(b)}))"
                return f"sa.iverson({slot(a)} {op} {slot(b)})"
            case Compare(op, a, b):
                return f"sa.iverson(sp.{VALUES[op].__name__}({text(a)}, {text(b)}))"
            case Position(at):
                return f"({slot(at)})"
            case Inverse(name, row, column):
                return f"sa.inverse({self.tensor(name)})[{slot(row)}, {slot(column)}]"
            case OfMatrix(kind, name):
                return f"sa.{kind}({self.tensor(name)})"
            case Slope(name, slots):
                return (
                    f"sa.partial(L, {name}[{', '.join(map(slot, slots))}])"
                    if slots
                    else f"sa.partial(L, {name})"
                )
        raise AssertionError(node)


def _nodes(node: Node) -> list[Node]:
    return [node, *(n for c in children(node) for n in _nodes(c))]


def _all_letters(node: Node) -> set[Letter]:
    own = {x for n in _nodes(node) for s in slots_of(n) for x, _ in s.parts}
    return own | {x for n in _nodes(node) for x in bound_here(n)}


def statement_snippet(s: Statement) -> str:
    """What to run to see the verdict on a statement."""
    snippet = Snippet(s.case)
    rows = [snippet.head(s.left, s.right, letters=s.letters)]
    if s.case.result[0]:
        of, wrt = s.case.result
        own = ", ".join(map(snippet.var, s.letters))
        rows.append(f'J = sa.jacobian(system, of="{of}", wrt="{wrt}")  # with the letters {own}')
        rows.append(f"print(J, sa.prove(J, {snippet.formula(s.right)}, given=system))")
        return "\n".join(rows)
    if not s.letters or s.case.loss:
        rows.append(
            f"print(sa.prove({snippet.formula(s.left)}, {snippet.formula(s.right)}, given=system))"
        )
        return "\n".join(rows)
    for name, side in (("left", s.left), ("right", s.right)):
        rows.append(snippet.definition(Def(name, s.letters, side)))
    slots = ", ".join(map(snippet.var, s.letters))
    rows.append(
        f"print(sa.prove(left[{slots}], right[{slots}], given=system.extended(left, right)))"
    )
    return "\n".join(rows)


def fraction(value: Any) -> Fraction:
    return Fraction(value)


Given = Mapping[str, Any]
