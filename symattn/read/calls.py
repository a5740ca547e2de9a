"""Names before brackets: functions of the document, unknown ones, components P(j), or products."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import sympy as sp

from .. import primitives
from ..explain.naming import RATES
from . import brackets, derivatives, gaussian, matrices, opaque
from .applications import Application, Parts, application
from .names import (
    BLOCK,
    Names,
    atoms,
    base_name,
    is_capital,
    is_letter,
    is_open,
    plain,
    reached,
    unmarked,
)
from .scripts import Component, component
from .sizes import Letter
from .source import ReadError
from .terms import Call, Number, Ref, Slope, Unknown, refs
from .tree import (
    Accent,
    Addition,
    Chain,
    Fraction,
    Name,
    Node,
    Product,
    Scripted,
    Symbol,
    spelled,
    walk,
)
from .tree import Number as NumberNode
from .values import Counts, Function, Scope, Value, count, once
from .vocabulary import FUNCTIONS, LETTERS, PARTS, words

if TYPE_CHECKING:
    from .elaborate import Reader

_DOTTED = re.compile(r"_d?dot$")
_CLOCK = frozenset(["t", "tau", "s"])  # of which what is under a dot is a function
_SIGMOID = re.compile(
    r"(?:\\sigma|σ)\s*(?:'|\\prime|\^\{?\\prime\}?)?\s*(?:\\left|\\[bB]igl?)?\s*\("
)
_SHAPES = re.compile(r"below a fraction bar|\bbeside\b|\bshapes?\b|\baxes\b|\bpower of a matrix\b")
MAX_INLINED = 40  # parameters in scope at once
_NORMAL = {  # which of its functions a name may be, and in which words that is said
    "Phi": r", or say that $\Phi$ is the standard normal cdf",
    "phi": r", or say that $\phi$ is the standard normal density",
}
UNDEFINED = "a function that nothing defines"
ABSTRACT = f"{UNDEFINED}, of these alone"
ALONE = "a name of a function too"


def end(reader: Reader, parts: Parts, k: int) -> int:
    """The place behind P(j) or a defined f(x) that begins at `k`; `k` where none does."""
    call = application(parts, k)
    found = component(call.name, reader.names, reader.here) if call is not None else None
    if call is None or found is None:
        return k
    if found.slots:
        product = _is_component(reader, call, found)
        return call.after if _numbered(reader, call, found) and not product else k
    letters, arguments = call.split(reader.here)
    known = (
        found.name in reader.functions
        or _is_call(reader, call, found.name)
        or (letters and not arguments)
    )
    return call.after if known else k


def applied(reader: Reader, call: Application, scope: Scope) -> Value | None:
    """name(…): a function, a component P(j), or a product (None)."""
    found = component(call.name, reader.names, reader.here)
    if found is None:
        return None
    if found.power is not None or found.transposed:
        return _raised(reader, call, found, scope)
    name, names = found.name, reader.names
    if (density := _density(reader, call, name, scope)) is not None:
        return density
    if name in reader.here.summed and len(call.items) == 1 and not (call.given or found.slots):
        return None  # Σ_n n (1 - a)^n
    if len(call.items) == 1 and not call.given and is_slope(reader, name):
        value = slope(reader, name, call.items[0], found.at, scope)
        return brackets.with_scripts(reader, value, call.scripts, scope, found.at)
    single = len(call.items) == 1 and isinstance(call.items[0], Name | Scripted | Accent)
    if name in PARTS and names.imaginary:
        return _unknown(reader, call, found, scope)
    if found.slots:
        plainly = single and not call.scripts
        if name in reader.uses and name not in reader.functions:
            return None  # p_k (δ_km) of a p that is defined
        if name == "delta" and len(found.slots) == 2 and name not in reader.functions:
            return None
        if not plainly and name not in reader.functions and _is_component(reader, call, found):
            return None
        if _numbered(reader, call, found) or (names.lenient and plainly):  # r_t(θ)
            return _quantity(reader, call, found, scope)
        word = len(name.split("_")[0]) > 1 and name.split("_")[0] not in LETTERS
        if word and name not in names.alone and name not in names.declared:
            raise reader.fail(
                found.at,
                f"{name}(…) with an index: a product, or a function that nothing defines?",
                expected="a function of the index language: softmax, lse, …; or a tensor before "
                r"\cdot",
                mend=rf"write {name} \cdot (…), or write out what the function does",
            )
        return None
    if (
        name == "sigma"
        and names.logistic
        and name not in names.parameters  # a deviation
        and (name not in names.declared or names.ranks.get(name))
        and (name not in names.ranks or name in names.declared)
        and len(call.items) == 1
    ):
        value = reader.function("sigmoid", reader.read(call.items[0], scope))
        return brackets.with_scripts(reader, value, call.scripts, scope, found.at)
    below = any(sign == "_" for sign, _ in call.scripts)
    if below and name in reader.uses and name not in {*reader.functions, *names.families}:
        return None  # f (A^{-1})_{ij} of a number f
    record = primitives.by_word(name)
    own = {*reader.functions, *names.families, *names.declared}
    if record is not None and name not in own and not call.given:
        return _registered(reader, record, call, found, scope)
    law = _of_the_normal_law(name, names) if _is_single(call) and name not in own else ""
    if law:
        value = reader.function(law, reader.read(call.items[0], scope))
        return brackets.with_scripts(reader, value, call.scripts, scope, found.at)
    letters, arguments = call.split(reader.here)
    many = name in names.families and bool(call.given)
    if letters and not arguments and not many and names.ranks.get(name, 0) >= len(letters):
        value = reader.tensor(name, letters, found.at, scope)
        raised = tuple(pair for pair in call.scripts if pair[0] == "^")
        return brackets.with_scripts(reader, value, raised, scope, found.at)
    if name in names.families:
        return _quantity(reader, call, found, scope)
    if name in reader.functions:
        defined = _defined(reader, reader.functions[name], found, letters, arguments, scope)
        if defined is None:
            return _quantity(reader, call, found, scope)
        scripts = tuple(pair for pair in call.scripts if pair[0] == "^" or not letters)
        return brackets.with_scripts(reader, defined, scripts, scope, found.at)
    outer = call.turned and bool(names.ranks.get(name))  # δ (a)^⊤ of a vector δ
    if call.bold and single and names.lenient and call.bold_argument and not outer:
        return _quantity(reader, call, found, scope)
    plainly = single and not call.scripts and names.lenient  # no product, whatever else is called f
    vector = bool(names.ranks.get(name)) and name not in names.declared
    no_product = plainly and vector and name not in reader.sizes.names
    factor = len(call.items) == 1 and not call.given and _is_factor(reader, name, call)
    if factor and not no_product:
        return None
    if _is_call(reader, call, name):
        unknown = _unknown(reader, call, found, scope)
        if unknown is not None:
            return unknown
    word = name.split("_")[0] not in LETTERS | set(name[0])
    if names.lenient and (name in FUNCTIONS or word or single):  # nobody multiplies a (b)
        return _quantity(reader, call, found, scope)
    if len(call.items) == 1 and not call.given:
        raise reader.fail(
            found.at,
            f"{name}(…): a product, or a function that nothing defines?",
            expected=rf"{name} \cdot (…), or a function defined before: {name}(x) = …",
            mend=rf"write {name} \cdot (…), or declare <!-- symattn: scalars {name} -->"
            + _NORMAL.get(name, ""),
        )
    if names.lenient:
        return _quantity(reader, call, found, scope)
    raise reader.fail(
        found.at,
        f"{name} is a function that nothing defines",
        expected=f"a scalar function ({', '.join(primitives.names())}), or one defined before",
        mend=f"define it: {name}(x, y) = …, or write what it stands for with its indices",
    )


def _density(reader: Reader, call: Application, name: str, scope: Scope) -> Value | None:
    """N(x | μ, Σ) where it can be written out."""
    mark = reader.sizes.mark()
    try:
        return gaussian.density(reader, call, name, scope)
    except ReadError:
        reader.sizes.back(mark)
        return None


def _of_the_normal_law(name: str, names: Names) -> str:
    """What Φ is in a text on the normal distribution, and φ where nothing else is read into it.

    φ(u) beside Φ(u) is its density.
    """
    if name == "Phi" and names.source.gaussian:
        return "normcdf"
    source = names.source
    dense = source.paired or (source.dense and not names.lenient)
    return "normpdf" if name in ("phi", "varphi") and source.gaussian and dense else ""


def _registered(
    reader: Reader, record: primitives.Primitive, call: Application, found: Component, scope: Scope
) -> Value:
    """clip(x, a, b): a scalar function of the registry, its last arguments as far as written."""
    missing = record.arity - len(call.items)
    if not 0 <= missing <= len(record.defaults):
        least = record.arity - len(record.defaults)
        counts = str(least) if least == record.arity else f"{least} to {record.arity}"
        raise reader.fail(
            found.at,
            f"{found.name} of {len(call.items)} arguments",
            expected=f"{counts} arguments",
            mend=f"write {found.name} with {counts} arguments, or define it in the document",
        )
    values = [reader.read(item, scope) for item in call.items]
    for value, item in zip(values[1:], call.items[1:], strict=True):
        if value.axes:
            raise reader.fail(
                item,
                f"an argument of {found.name} behind the first is a vector or a matrix",
                expected="a number, or a component",
                mend="write the indices",
            )
    left = record.defaults[len(record.defaults) - missing :] if missing else ()
    more = tuple(Value(Number(sp.sympify(x))) for x in left)
    value = reader.function(record.name, values[0], (*values[1:], *more))
    return brackets.with_scripts(reader, value, call.scripts, scope, found.at)


def _is_factor(reader: Reader, name: str, call: Application) -> bool:
    """True where a name before a bracket is known to be multiplied: β(x + y) and not f(y)."""
    names, inside = reader.names, call.items[0]
    counted = name in reader.sizes.names or name in names.limits
    if name in names.declared or counted or names.ranks.get(name):
        return True
    if name == "pi" and isinstance(inside, Addition) and (names.lenient or len(inside.parts) > 1):
        return True  # π (1 + x²), which no policy is
    # k_B (β ε)^2 beside 1/(k_B T)
    dotted = isinstance(inside, Product) and any(
        type(op) is str and op == "·" for op, _ in inside.parts
    )
    if dotted and names.lenient and name not in names.applied:  # m (r · v)
        return True
    if names.stated.get(name) == 0 and not isinstance(inside, Name | Scripted | Accent):  # t ∈ ℝ
        return True
    number = names.lenient and name in names.numbers & names.alone
    if number and isinstance(inside, Product) and name.split("_")[0] not in _APPLIED:
        return True
    powers = any(sign == "^" and isinstance(s, NumberNode) for sign, s in call.scripts)
    raised = isinstance(inside, Fraction) and any(sign == "^" for sign, _ in call.scripts)
    if names.lenient and raised and len(name) == 1:  # a (Y/K)^{1-ρ} beside a K^ρ
        return name in names.alone - names.evaluated - _APPLIED
    if names.lenient and powers and isinstance(inside, Scripted):  # λ (ε_kk)^2 beside λ ε_kk
        return name in names.alone - names.evaluated - _APPLIED
    several = isinstance(inside, Addition) and len(inside.parts) > 1
    several = several or (names.lenient and call.squared and not isinstance(inside, Addition))
    rate = name in RATES or name in names.scaled - names.evaluated - _APPLIED
    rate = rate or name in names.positive - _APPLIED  # K (1 + c/k) of a positive K
    rate = rate or (names.lenient and name in names.numbers - names.evaluated - _APPLIED)
    if block := BLOCK.fullmatch(name):  # Λ_ab (x_b − μ_b) of a matrix Λ
        rate = rate or max(names.ranks.get(block[1], 0), names.stated.get(block[1], 0)) > 1
    return several and (name not in names.applied or rate or _is_quantity(reader, name, inside))


def _is_quantity(reader: Reader, name: str, inside: Node) -> bool:
    """True for the I_s of I_s (e^x - 1) where sentences name I_s, and nothing applies it.

    And for the l_0 of l_0 (1 + a T): the value of l at the beginning.
    """
    names, terms = reader.names, inside.parts if isinstance(inside, Addition) else ()
    named = name in names.source.quantities or (name.endswith("_0") and name[:-2] in names.alone)
    if not names.lenient or name in names.evaluated or not named:
        return False
    values = [isinstance(t, NumberNode) or any(map(_is_function, walk(t))) for _, t in terms]
    return any(values) and name not in _APPLIED  # 1 + x and c + log t are no arguments of these


def _is_function(node: Node) -> bool:
    return isinstance(node, Symbol) and node.kind == "function"


def _is_call(reader: Reader, call: Application, name: str) -> bool:
    """True for what is no product: f(x, y), p(x | z), and f(x) of an f that stands nowhere else."""
    names = reader.names
    if name in names.families:
        return True
    if name in names.declared or names.ranks.get(name) or name in reader.sizes.names:
        return False
    several = len(call.items) > 1 or bool(call.given)
    return several or name in names.applied or name.rstrip("'") in names.unknown


def _is_component(reader: Reader, call: Application, found: Component) -> bool:
    """True for A_ij of A_ij (B^{-1})_jk, and of A_ij (x_j + y_j) where words call A a matrix."""
    below = any(sign == "_" for sign, _ in call.scripts) and len(call.items) == 1
    said = reader.names.stated.get(found.name) == len(found.slots) and len(call.items) == 1
    return said or (below and len(found.slots) > 1)


def _numbered(reader: Reader, call: Application, found: Component) -> bool:
    """True for φ_k(x), the function number k, where no φ_k stands without a bracket behind it."""
    names, name = reader.names, found.name
    several = len(call.items) > 1 or bool(call.given)
    single = len(call.items) == 1 and not isinstance(call.items[0], Addition)
    open_ = name not in names.alone and name not in names.declared
    return names.lenient and open_ and (several or single)


def _is_inverted(names: Names, name: str, call: Application) -> bool:
    """True for S^{-1} (x - m) of a matrix S, and no quantile F^{-1}(1 - u)."""
    inside = call.items[0] if len(call.items) == 1 and not call.given else None
    terms = [t for _, t in inside.parts] if isinstance(inside, Addition) else []
    matrix = is_capital(name) and name not in names.evaluated | names.families
    return matrix and bool(terms) and not any(isinstance(t, NumberNode) for t in terms)


def _raised(reader: Reader, call: Application, found: Component, scope: Scope) -> Value | None:
    """f^2(x) = f(x)^2 and φ^⊤(x) = φ(x)^⊤; None for products, an error for f^{-1}(x)."""
    names = reader.names
    if found.slots or found.name not in names.applied | names.families | set(reader.functions):
        return None
    if found.name in names.declared and names.ranks.get(found.name):
        return None  # A^{-1} (B v) of a matrix that is declared
    sums = len(call.items) == 1 and isinstance(call.items[0], Addition)
    if sums and found.power is not None and found.name in names.alone - names.evaluated:
        return None  # σ² (AᵀA + λ) beside σ² I
    if matrices.minus_one(found.power):
        if names.lenient and _is_inverted(names, found.name, call):
            return None
        if not names.lenient:
            raise reader.fail(
                found.at,
                f"{found.written}^{{-1}}(…): the inverse function, or one over {found.written}(…)?",
                expected=rf"\frac{{1}}{{{found.written}(x)}} for the second",
                mend="give the inverse function a name of its own",
            )
        inverse = replace(found, name=f"{found.name}_inverse", power=None)
        return _quantity(reader, call, inverse, scope)
    value = applied(reader, replace(call, name=_bare(call.name)), scope)
    if value is None:
        return None
    if found.transposed:
        return matrices.transpose(reader, value, found.at, found.name)
    assert found.power is not None
    return matrices.power(reader, value, found.power, scope, found.at)


def _bare(node: Node) -> Node:
    """The name without what stands above it."""
    assert isinstance(node, Scripted)
    below = tuple(pair for pair in node.scripts if pair[0] == "_")
    return Scripted(node.at, node.base, below) if below else node.base


def _quantity(reader: Reader, call: Application, found: Component, scope: Scope) -> Value:
    """A function of anything at its arguments, a quantity of its own.

    It is a vector or a matrix where it is bold, transposed or indexed somewhere.
    """
    said: list[str] = []
    inside: list[Value] = []
    if found.name in reader.names.alone:  # H beside H(π) is not free
        reader.names.tied.setdefault(found.name, ALONE)
    letters, _ = call.split(reader.here)
    below = [a for sign, s in call.scripts if sign == "_" for a in atoms(s) if a in letters]
    if len(below) == reader.names.valued.get((found.name, call.bold), 0):
        letters = letters[: len(letters) - len(below)]  # f(x)_i of a vector f(x)
    for slot in (reader.slot(n, scope) for n in (*found.slots, *letters) if not is_open(n)):
        counts: Counts = {}
        count(counts, slot)
        inside.append(Value(Ref("", (slot,)), counts))  # never built: the number of the function
    for item in (i for i in call.items + call.given if i not in letters):
        sides = item.sides if isinstance(item, Chain) else (item,)
        said += [r for r, _ in item.relations] if isinstance(item, Chain) else [","]
        inside += [reader.read(side, scope) for side in sides]
    above = [a for sign, s in call.scripts if sign == "^" for a in atoms(s) if is_letter(a)]
    rank = max(reader.names.valued.get((found.name, call.bold), 0), len(above))
    axes = [Letter("pq"[k], found.at) for k in range(min(rank, 2))]
    stem = f"{found.name}_given" if call.given else found.name
    stem += "_vector" * (call.bold and (found.name, False) in reader.names.valued)
    row, col = (*axes, None, None)[:2]
    epoch = sum(x <= found.at for x in reader.names.epochs.get(found.name, ()))
    kind = (*said, len(call.items), epoch)
    value = opaque.value(reader, stem, inside, found.at, UNDEFINED, (row, col), kind)
    if isinstance(value.term, Ref):
        written = {n.text for i in call.items + call.given for n in walk(i) if isinstance(n, Name)}
        reader.names.written_arguments[value.term.name] = written
        plain = [v.term.name for v in inside if isinstance(v.term, Ref) and not v.free]
        if not (value.axes or value.free) and len(plain) == len(inside) and all(plain):
            reader.names.functions_of[value.term.name] = (found.name, tuple(plain))
    scripts = tuple(pair for pair in call.scripts if pair[0] == "^" or not letters)
    return brackets.with_scripts(reader, value, scripts, scope, found.at)


def _unknown(reader: Reader, call: Application, found: Component, scope: Scope) -> Value | None:
    """f(x) of an f that stands nowhere else; None where it may be a factor, as in f (x + y)."""
    known = reader.names.lenient and found.name in reader.names.applied
    sums = len(call.items) == 1 and not call.given and isinstance(call.items[0], Addition)
    stem = _unprimed(found.name)
    applied = stem in reader.names.pointwise  # an activation φ
    if sums and not applied and not (known and _is_signed(call)):  # Φ(−d)
        word = len(found.name.split("_")[0]) > 1 and found.name.split("_")[0] not in LETTERS
        if not reader.names.lenient or not (word or found.name in FUNCTIONS):
            return None
    if reader.names.lenient and reader.names.valued.get((found.name, call.bold)):
        return _quantity(reader, call, found, scope)
    if any(isinstance(item, Chain) for item in call.items) and reader.names.lenient:
        return _quantity(reader, call, found, scope)
    values = [reader.read(item, scope) for item in (*call.items, *call.given)]
    whole = [v for v in values if v.axes]
    if whole and reader.names.lenient:
        if stem in reader.names.pointwise and len(values) == 1 and not call.given:
            (value,) = values
            order = len(found.name) - len(stem)
            each = replace(value, term=Unknown(stem, (value.term,), order), free=once(value.free))
            return brackets.with_scripts(reader, each, call.scripts, scope, found.at)
        return _quantity(reader, call, found, scope)
    if whole:
        stem = _of_tensors(reader, found, stem, whole)
        values = [v for v in values if not v.axes]
    order = len(found.name) - len(stem)
    if order and len(values) > 1:
        return None
    reader.names.unknown.add(stem)
    free: Counts = {}
    for value in values:
        free |= once(value.free)
    if call.given:  # p(x | z) and p(x, z) are different functions
        stem = f"{stem}_given" if len(call.given) == 1 else f"{stem}_given_{len(call.given)}"
    if not values:
        reader.names.ranks.setdefault(stem, 0)
        return brackets.with_scripts(reader, Value(Ref(stem)), call.scripts, scope, found.at)
    term = Unknown(stem, tuple(v.term for v in values), order)
    return brackets.with_scripts(reader, Value(term, free), call.scripts, scope, found.at)


def _unprimed(name: str) -> str:
    """The g_l of g'_l, a derivative."""
    head, *label = name.rstrip("'").split("_", 1)
    return "_".join([head.rstrip("'"), *label])


def _is_single(call: Application) -> bool:
    """True for what is applied to one thing, and is not bold."""
    return len(call.items) == 1 and not call.given and not call.bold


def _is_signed(call: Application) -> bool:
    """True for the −d of Φ(−d)."""
    inside = call.items[0] if len(call.items) == 1 else None
    return isinstance(inside, Addition) and len(inside.parts) == 1


_APPLIED = words("f g h u v p q F G H P Q phi varphi psi Phi Psi")  # f (x + y)^2 may be f(x + y)^2


def _of_tensors(reader: Reader, found: Component, stem: str, values: list[Value]) -> str:
    """What a function of whole vectors is called, f_x for f(x): equal to itself alone."""
    names = [v.term.name for v in values if isinstance(v.term, Ref) and not v.free]
    called = "_".join([stem, *names])
    if len(names) < len(values) or called in reader.names.versions.written:
        raise reader.fail(
            found.at,
            f"{stem} is a function of a vector, and nothing defines it",
            expected=f"a definition: {stem}(x) = …",
            mend="write what it stands for with its indices",
        )
    reader.names.tied[called] = "a function of vectors that nothing defines"
    return called


def is_slope(reader: Reader, name: str, alone: bool = False) -> bool:
    """True for f' and of f under a dot where f is a function of one number that the text defines.

    So are σ' and others of the registry.
    """
    stem, order = unmarked(name)
    known = reader.names.declared | reader.uses.keys()
    if not order or name in known:
        return False
    if not reader.names.lenient and stem != "psi":
        return False
    given = reader.names.arguments.get(stem, ())
    if _DOTTED.search(name) and given and not {*map(base_name, given)} & _CLOCK:
        return False  # the rate of V(x), where x moves
    function = reader.functions.get(stem)
    if function is not None:
        return len(function.parameters) == 1 and not function.slots
    if len(given) == 1:
        return stem in reader.uses
    if stem == "sigma" and not _SIGMOID.search(reader.source.text):
        return False  # the stress σ'
    if stem == "sigma" and not reader.names.logistic:
        return alone  # σ'(u) is a slope as any other
    record = primitives.by_word("sigmoid" if stem == "sigma" else stem)
    free = stem not in reader.names.ranks and stem not in reader.names.families
    return record is not None and record.arity == 1 and free and len(stem) > 1


def slope(reader: Reader, name: str, argument: Node | None, at: int, scope: Scope) -> Value:
    """f'(a); f' alone is taken at the argument of the definition of f."""
    stem, order = unmarked(name)
    function = reader.functions.get(stem)
    given = function.parameters if function is not None else reader.names.arguments.get(stem)
    if given:
        (parameter,) = given
        if argument is None or _same(reader, function, given, (argument,)):
            value, by = reader.tensor(stem, (), at, scope), reader.read(parameter, scope)
            for _ in range(order):
                value = derivatives.differentiate(reader, value, by, at, at)
            return value
    if argument is None:
        raise reader.fail(at, f"{name} without an argument", mend=f"write {name}(x)")
    if function is None:
        return of_record(reader, "sigmoid" if stem == "sigma" else stem, order, argument, at, scope)
    fresh = f"{stem}_argument"
    found = component(parameter, reader.names, function.here)
    dummy = Name(at, fresh, "literal")
    assert found is not None
    inside = _inlined(reader, function, {found.name: (dummy, scope, reader)}, at, scope)
    if inside.axes or inside.free:
        raise reader.fail(
            at,
            f"{name}(…): the derivative of a vector at a point",
            mend="write the derivative with its indices",
        )
    value = reader.read(argument, scope)
    return replace(value, term=Slope(inside.term, fresh, order, value.term), free=once(value.free))


def of_record(
    reader: Reader, word: str, order: int, argument: Node, at: int, scope: Scope
) -> Value:
    """The derivative of a scalar function of the registry: σ'(a), tanh'(a)."""
    record = primitives.by_word(word)
    if record is None or record.arity != 1:
        raise reader.fail(
            at,
            f"{word} under a prime",
            expected="a function of one number",
            mend="write the derivative as a fraction",
        )
    fresh = f"{word}_argument"
    value = reader.read(argument, scope)
    body = Call(record.name, Ref(fresh))
    return replace(value, term=Slope(body, fresh, order, value.term), free=once(value.free))


def _same(
    reader: Reader,
    function: Function | None,
    parameters: tuple[Node, ...],
    arguments: tuple[Node, ...],
) -> bool:
    """True where the arguments are the very parameters, and none of these is bound here."""
    if spelled(arguments) != spelled(parameters):
        return False
    here = function.here if function is not None else reader.here
    mine = [component(p, reader.names, here) for p in parameters]
    given = [component(a, reader.names, reader.here) for a in arguments]
    pairs = zip(mine, given, strict=True)
    return not any(p and a and (p.name != a.name or a.name in reader.bindings) for p, a in pairs)


def variable(reader: Reader, call: Application) -> tuple[Node, ...]:
    """What ∇f(x) is by: the argument, where it is a name that f does not hang on otherwise."""
    found = component(call.name, reader.names, reader.here)
    function = reader.functions.get(found.name) if found is not None else None
    if found is None or function is None or len(function.parameters) != 1 or len(call.items) != 1:
        return ()
    if _same(reader, function, function.parameters, call.items):
        return call.items
    (argument,) = call.items
    if not isinstance(plain(argument), Name | Scripted | Accent):
        return ()
    given = component(argument, reader.names, reader.here)
    seen = reached([found.name], reader.uses)
    free = given is not None and given.name not in seen and given.power is None
    return call.items if free else ()


def _inlined(
    reader: Reader,
    function: Function,
    bindings: dict[str, tuple[Node, Scope, Reader]],
    at: int,
    scope: Scope,
) -> Value:
    """The body of a function with its arguments put in.

    Raises ReadError where something in the body hangs on an argument without saying so.
    """
    inner = replace(reader, here=function.here, bindings={**reader.bindings, **bindings})
    value = inner.read(function.body, Scope({}, scope.fixed, {}))
    given = {n.text for node, _, _ in bindings.values() for n in walk(node) if isinstance(n, Name)}
    for name in sorted(reached((r.name for r in refs(value.term)), reader.uses)):
        inside = reader.uses.get(name, set())
        if inside & (bindings.keys() - given):
            (hung, *_) = sorted(inside & bindings.keys())
            raise reader.fail(
                at,
                f"the function is taken at another {hung} here, and {name} in it hangs on {hung}",
                mend=f"write {name} as a function, {name}({hung})",
            )
    return value


def _defined(
    reader: Reader,
    function: Function,
    found: Component,
    letters: tuple[Node, ...],
    arguments: tuple[Node, ...],
    scope: Scope,
) -> Value | None:
    """A function of the document: the tensor it defines, or its body with the arguments put in.

    None where it is applied to what its definition does not speak of.
    """
    if _same(reader, function, function.parameters, arguments):
        return reader.tensor(found.name, letters, found.at, scope)
    parameters = [component(p, reader.names, function.here) for p in function.parameters]
    names = [p.name if p is not None and not p.slots else None for p in parameters]
    if len(arguments) != len(names) or None in names or function.slots:
        if reader.names.lenient:
            return None
        raise reader.fail(
            found.at,
            f"{found.name} is defined for other arguments",
            expected=f"{len(names)} arguments, as in its definition",
            mend="write the arguments as in the definition",
        )
    if len(reader.bindings) > MAX_INLINED:
        raise reader.fail(
            found.at,
            "functions are put into one another too often",
            mend="give parts of the formula names of their own",
        )
    bindings = {n: (a, scope, reader) for n, a in zip(names, arguments, strict=True) if n}
    mark, ranks = reader.sizes.mark(), dict(reader.names.ranks)
    try:
        return _inlined(reader, function, bindings, found.at, scope)
    except ReadError as error:  # f of a number that is applied to a vector may be another f
        if not (reader.names.lenient and _SHAPES.search(error.problem)):
            raise
        reader.sizes.back(mark)
        reader.names.ranks.clear()
        reader.names.ranks.update(ranks)
        return None
