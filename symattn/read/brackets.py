"""Brackets and what stands on them: scripts, norms, lists; signs that stand alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import sympy as sp

from . import averages, evaluated, matrices, opaque, products
from .moments import is_sign
from .names import atoms, base_name, is_letter, plain, reached
from .scripts import component
from .sizes import Letter, unnamed
from .terms import (
    ONE,
    Call,
    Compare,
    Derivative,
    Largest,
    Mul,
    Number,
    Pow,
    Ref,
    Term,
    Total,
    parts,
)
from .tree import (
    Addition,
    Chain,
    Given,
    Group,
    Matrix,
    Name,
    Node,
    Scripted,
    Symbol,
    condition_of,
    spelled,
    walk,
)
from .tree import Number as NumberNode
from .values import Scope, Value, once

if TYPE_CHECKING:
    from .elaborate import Reader


def scripted(reader: Reader, node: Scripted, scope: Scope) -> Value:
    """Scripts on brackets and signs: (W^⊤ W)_{ab}, (…)^2, softmax(…)_i, ‖u‖_g."""
    base = node.base
    condition = condition_of(node)
    if condition is not None:
        return reader.mask(condition, scope)
    if isinstance(base, Symbol):
        return symbol(reader, base, scope, node)
    if isinstance(base, Group) and base.bracket in ("‖", "<"):
        return bracketed(reader, base, scope, node.scripts)
    value = reader.read(base, scope)
    at = _evaluated(reader, value, node, scope)
    if at is not None:
        return at
    if value.summed and not _trace(base):
        _one_product(reader, value, node)
    if not value.axes and _is_power(reader, node):
        return matrices.power(reader, value, node.scripts[0][1], scope, node.at)
    return with_scripts(reader, value, node.scripts, scope, node.at)


def _evaluated(reader: Reader, value: Value, node: Scripted, scope: Scope) -> Value | None:
    r"""(∂U/∂T)_V and \left. ∂f/∂x \right|_{x=0}, quantities of their own where nothing says more;
    None for anything else."""
    put_in = evaluated.at_point(reader, node, scope)
    if put_in is not None:
        return put_in
    match node:
        case Scripted(base=Group(bracket="(" | "."), scripts=(("_", where),)) if (
            reader.names.lenient
        ):
            if _holds_inputs(reader, value.term, atoms(where)):
                return value
            said = isinstance(where, Chain) or any(isinstance(a, Name) for a in atoms(where))
            held = isinstance(where, Chain) or not all(map(is_letter, atoms(where)))
            if said and not value.axes and (held or (not value.free and _derived(value.term))):
                return opaque.value(reader, "at", [value], node.at, AT_A_POINT, said=spelled(where))
    return None


def _holds_inputs(reader: Reader, term: Term, held: Sequence[Node]) -> bool:
    """True for (∂p/∂V)_T where p is a formula of V and T, which nothing defines: plainly ∂p/∂V.

    So too (∂F/∂T)_V of a formula without V, where none of its names is a quantity of state, which
    may hang on V or T: not of F = U - T S.
    """
    by: set[str] = set()
    while isinstance(term, Derivative) and not term.bottom.slots:
        by.add(term.bottom.name)
        term = term.top
    if not by or not isinstance(term, Ref) or term.name not in reader.uses:
        return False
    names = reader.names
    found = [component(x, names, reader.here) for x in held if isinstance(x, Name | Scripted)]
    fixed = {c.name for c in found if c is not None and not c.slots}
    inputs = reached({term.name}, reader.uses) - reader.uses.keys() - names.heads
    if len(fixed) < len(held) or fixed & by:
        return False
    written = {*reader.uses[term.name]}  # V = n R T/p stands there as well
    if by | fixed <= written and not (written - by - fixed) & {*STATE, *reader.uses}:
        return True
    if not by <= inputs:
        return False
    state = {n for n in inputs & STATE if not names.ranks.get(n)}  # E_i is a level
    return fixed <= inputs or state <= fixed | by


def _is_power(reader: Reader, node: Scripted) -> bool:
    """True for the γ of (1 - p)^γ: a number, above a bracket that holds one or beside itself."""
    match node.scripts:
        case (("^", script),) if reader.here.is_exponent(script):
            return True
        case (("^", Name() as letter),) if is_letter(letter):
            names, here = reader.names, reader.here
            if names.lenient and letter.text not in names.counted:
                return True  # without axes there is nothing that it could be an index of
            inside = node.base.items[0] if isinstance(node.base, Group) else node.base
            terms = inside.parts if isinstance(inside, Addition) else ()
            if any(isinstance(n, NumberNode) for _, t in terms for n in walk(t)):
                return True
            known = names.numbers | names.limits | here.powers | names.exponents
            leaves = [n.text for n in walk(inside) if isinstance(n, Name)]
            if all(x == "pi" or x in names.scalars for x in leaves):  # (2π)^d, (1/2)^t
                return not leaves or letter.text not in here.bound
            return letter.text in known and not here.has_index(letter.text)
    return False


def _derived(term: Term) -> bool:
    return isinstance(term, Derivative) or any(map(_derived, parts(term)))


def _trace(node: Node) -> bool:
    """True for (A_kk): its letters can be summed in the bracket alone."""
    inside = node.items[0] if isinstance(node, Group) and len(node.items) == 1 else node
    return isinstance(inside, Scripted) and all(
        mark == "_" or all(map(is_letter, atoms(script))) for mark, script in inside.scripts
    )


def _one_product(reader: Reader, value: Value, node: Scripted) -> None:
    """Raises ReadError for (x_i y_i)^2: is i summed inside of the power, or outside?"""
    for sign, script in node.scripts:
        if sign != "^" or script in (Symbol(script.at, "top"), Name(script.at, "T")):
            continue
        if script == NumberNode(script.at, "1") or all(map(is_letter, atoms(script))):
            continue
        letter = min(value.summed)
        raise reader.fail(
            node,
            f"the index {letter} is repeated in a bracket under a power",
            expected=rf"\left(\sum_{letter} …\right)^2 or \sum_{letter} \left(…\right)^2",
            mend=rf"write \sum_{letter} inside of the bracket, or before it",
        )


def with_scripts(
    reader: Reader, value: Value, scripts: tuple[tuple[str, Node], ...], scope: Scope, at: int
) -> Value:
    """The value under scripts: indices for its axes, a transpose, or a power."""
    scripts = tuple(pair for pair in scripts if pair[0] != "~")
    most = {"_": 1, "^": 0}  # axes: (A)^+ is a pseudoinverse, [A]_+ may be a projection
    plus = [p for p in scripts if _is_plus(p[1]) and len(value.axes) <= most.get(p[0], -1)]
    if plus:  # [x]_+ and (x)^+
        value = replace(value, term=Largest((), (Number(sp.S.Zero), value.term)))
        value = replace(value, free=once(value.free))
        scripts = tuple(pair for pair in scripts if pair not in plus)
    match scripts:
        case (("^", script),) if not (value.axes or value.free) and _is_number(reader, script):
            return matrices.power(reader, value, script, scope, at)  # \max(0, x)^m, F(x)^n
        case (("^", script),) if not value.axes and reader.here.is_exponent(script):
            return matrices.power(reader, value, script, scope, at)
    letters = [a for _, s in scripts for a in atoms(s) if is_letter(a)]
    if (
        letters
        and len(letters) == len(value.axes)
        and all(is_letter(a) for _, s in scripts for a in atoms(s))
    ):
        free, term = dict(value.free), value.term
        for axis, found in zip(value.axes, letters, strict=True):
            letter = reader.slot(found, scope)
            if not isinstance(letter, Letter):  # the last component, (A x)_n
                term = Total((axis,), Mul((Compare("=", axis, letter), term)))
                continue
            reader.sizes.same_letter(letter, axis, found.at, f"the index {letter.name}")
            up, down = free.get(letter, (0, 0))
            free[letter] = (up + 1, down)
        return replace(value, term=term, free=free, row=None, col=None)
    below = tuple((sign, s) for sign, s in scripts if sign == "_")
    above = tuple((sign, s) for sign, s in scripts if sign == "^")
    if len(value.axes) == len(below) == 1 and above and all(map(is_letter, atoms(below[0][1]))):
        entry = with_scripts(reader, value, below, scope, at)  # (A x)_i^2
        return with_scripts(reader, entry, above, scope, at)
    if letters and len(letters) == sum(len(atoms(s)) for _, s in scripts):
        names = ", ".join(dict.fromkeys(n.text for n in letters if isinstance(n, Name)))
        if value.axes or below or not names:
            raise reader.fail(
                at,
                f"this has {len(value.axes)} axes without indices, and {len(letters)} indices are "
                "written",
                expected="one index for every axis",
                mend="write as many indices as there are axes, or declare the shape",
            )
        raise reader.fail(
            at,
            f"{names} stands above a number: is it an index or an exponent?",
            mend=f"declare an exponent: <!-- symattn: scalars {names.replace(',', '')} -->",
        )
    for sign, script in scripts:
        if sign == "^" and (script == Symbol(script.at, "top") or script == Name(script.at, "T")):
            value = matrices.transpose(reader, value, at, "")
        elif sign == "^":
            value = matrices.power(reader, value, script, scope, at)
        else:
            raise reader.fail(
                script,
                f"this has {len(value.axes)} axes without indices, {len(letters)} are written",
                mend="give one index for every axis",
            )
    return value


def _is_number(reader: Reader, script: Node) -> bool:
    """True for a letter that is a number wherever it stands, and no index."""
    known = reader.names.exponents | reader.here.powers if reader.names.lenient else ()
    if reader.here.is_exponent(script):
        return True
    return is_letter(script) and script.text in known and not reader.here.has_index(script.text)


def _is_plus(script: Node) -> bool:
    return isinstance(script, Symbol) and (script.kind, script.text) == ("operator", "+")


def bracketed(
    reader: Reader, node: Group, scope: Scope, scripts: tuple[tuple[str, Node], ...] = ()
) -> Value:
    """‖x‖, |x|, ⟨u, v⟩, ⟨E⟩ and lists."""
    below = next((s for sign, s in scripts if sign == "_"), None)
    rest = tuple((sign, s) for sign, s in scripts if sign == "^")
    items = node.items
    if node.bracket == "|" and len(items) == 1:
        return with_scripts(
            reader, _absolute(reader, items[0], node.at, scope), rest, scope, node.at
        )
    if node.bracket == "‖" and len(items) == 1:
        root = _norm(reader, items[0], below, scope, node.at)
        return with_scripts(reader, root, rest, scope, node.at)
    if is_sign(node):
        said = averages.Average(node.at, "E", below, items)
        return with_scripts(reader, averages.read(reader, said, scope), rest, scope, node.at)
    if node.bracket == "<" and len(items) == 1 and isinstance(items[0], Given):
        items = (*items[0].items, *items[0].given)  # ⟨u | v⟩
    if node.bracket == "<" and len(items) == 2:
        metric = base_name(plain(below)) if below is not None else None
        value = _inner(reader, items[0], items[1], metric, scope, node.at)
        return with_scripts(reader, value, rest, scope, node.at)
    if node.bracket == "[" and len(items) == 1 and isinstance(items[0], Given):  # [a ‖ b]
        inside = [reader.read(n, scope) for n in (*items[0].items, *items[0].given)]
        why = "blocks below one another"
        return opaque.value(reader, "concat", inside, node.at, why, (unnamed(0, node.at), None))
    if node.bracket == "[":
        return matrices.literal(reader, Matrix(node.at, tuple((item,) for item in items)), scope)
    raise reader.fail(
        node,
        "a list in brackets is not an expression",
        expected="one expression in ( )",
        mend="functions of several arguments are not part of the index language",
    )


def _absolute(reader: Reader, node: Node, at: int, scope: Scope) -> Value:
    """|x| of a number."""
    value = reader.read(node, scope)
    if value.row and value.col and (isinstance(value.term, Ref) or reader.names.lenient):
        return matrices.determinant(reader, value, at)
    if value.row and value.col:
        raise reader.fail(
            at,
            "bars around a matrix: its determinant, or the absolute values of its components?",
            expected=r"\det(A), or |A^{ij}|",
            mend="write one of the two",
        )
    if value.axes and reader.names.lenient and any(_is_bold(n) for n in walk(node)):
        return _norm(reader, node, None, scope, at)
    if value.axes:
        raise reader.fail(
            at,
            "bars around a vector: its norm, or the absolute values of its components?",
            expected=r"\|x\|, or |x^i|",
            mend="write one of the two",
        )
    return _magnitude(value)


def _is_bold(node: Node) -> bool:
    return isinstance(node, Name) and node.style == "bold"


def _magnitude(value: Value) -> Value:
    return replace(value, term=Call("abs", value.term), free=once(value.free))


def _norm(reader: Reader, node: Node, below: Node | None, scope: Scope, at: int) -> Value:
    """‖x‖, ‖x‖_2 and ‖A‖_F, ‖x‖_1 = Σ|x|, and ‖x‖_g by a metric."""
    kind = getattr(below, "text", "")
    metric = base_name(plain(below)) if below is not None else None
    if kind == "1":
        value = reader.read(node, scope)
        if not value.row or value.col:
            raise reader.fail(
                at, "‖…‖_1 of what is no vector", mend="write the sum of absolute values"
            )
        return replace(_magnitude(value), term=Total(value.axes, _magnitude(value).term), row=None)
    known = below is None or kind in ("2", "F") or metric in reader.names.ranks
    if not known and reader.names.lenient:
        why, said = "a norm of another kind", spelled(below)
        return opaque.value(reader, "norm", [reader.read(node, scope)], at, why, said=said)
    if not known and below is not None:
        raise reader.fail(
            below,
            "a norm that is not known",
            expected=r"\|x\|, \|x\|_1, \|x\|_2, \|A\|_F, or \|x\|_g with a metric g",
            mend="write what the norm stands for",
        )
    matrix = kind == "F" and len(reader.read(node, scope).axes) == 2  # beside a tensor F, too
    squared = _inner(reader, node, node, None if matrix else metric, scope, at)
    return Value(Pow(squared.term, Number(sp.Rational(1, 2))), once(squared.free))


def _inner(reader: Reader, u: Node, v: Node, metric: str | None, scope: Scope, at: int) -> Value:
    """u·v, or u g v."""
    left, right = reader.read(u, scope), reader.read(v, scope)
    for value, node in ((left, u), (right, v)):
        unknown = len(value.axes) != len(left.axes) or not value.axes
        if unknown and reader.names.lenient:
            why = "an inner product of what is not known to be a vector"
            return opaque.value(reader, "inner", [left, right], at, why)
        if unknown:
            raise reader.fail(
                node,
                "the shape of this vector is not known",
                mend="declare it: <!-- symattn: sizes x:(n) -->",
            )
    if metric is None or metric not in reader.names.ranks:
        for a, b in zip(left.axes, right.axes, strict=True):
            reader.sizes.same_letter(a, b, at, "the axis of this inner product")
        value = reader.summed([left, right], list(left.axes), scope, at)
        return value
    g = reader.tensor(metric, (), at, scope)
    items = [("", replace(left, row=None, col=left.row)), ("", g), ("", right)]
    return products.close(reader, items, scope, at)


STATE = frozenset([*"UHGFASETPVMQWXuhgfasetpvx", "mu", "rho"])  # in thermodynamics
AT_A_POINT = "a derivative at a point, or with something held fixed"
_ALONE = {
    "dots": ("entries are left out here", "write the formula for one component with its indices"),
    "infty": (
        "∞ is not a number of the index language",
        r"multiply the exponentials by the mask: [j \le i] \exp(S^{ij})",
    ),
    "set": (
        "this is a statement about sets, not an equation",
        "declare shapes with <!-- symattn: sizes … -->",
    ),
    "star": ("this star has nothing to belong to", "write A^* for a name, \\cdot for a product"),
    "int": ("an integral stands inside an index expression", "write it in an equation of its own"),
    "slot": (
        "an open slot stands alone",
        r"write the indices, or the row of a matrix: A^{i\cdot}",
    ),
}


def symbol(reader: Reader, node: Symbol, scope: Scope, whole: Scripted | None = None) -> Value:
    """A sign that stands alone."""
    if node.kind in ("ones", "zeros"):
        vector = Value(ONE if node.kind == "ones" else Number(sp.S.Zero), row=unnamed(0, node.at))
        scripts = whole.scripts if whole is not None else ()
        return with_scripts(reader, vector, scripts, scope, node.at)
    if node.kind in _ALONE:
        problem, mend = _ALONE[node.kind]
        raise reader.fail(node, problem, mend=mend)
    shown = {"function": node.text, "partial": "∂", "nabla": "∇", "sum": "Σ"}.get(
        node.kind, node.kind
    )
    raise reader.fail(
        node,
        f"{shown} stands alone",
        expected=f"what {shown} is applied to",
        mend=f"write the argument behind it: {shown}(…)",
    )
