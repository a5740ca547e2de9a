"""How letters and names are used: index letters of a statement, applications f(x), ranks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise

from ..explain.naming import GREEK
from . import averages, premises
from .applications import Application, application, calls, whole
from .covariant import INDICES
from .moments import is_sign
from .names import (
    CONVENTIONAL_SIZES,
    PARAMETERS,
    Context,
    Names,
    atoms,
    base_name,
    indices,
    is_letter,
    letters_above_themselves,
    letters_of,
    plain,
)
from .scripts import Component, component
from .tree import (
    Accent,
    Addition,
    Chain,
    Fraction,
    Given,
    Group,
    Name,
    Node,
    Number,
    Product,
    Scripted,
    Stack,
    Symbol,
    base_of,
    children,
    condition_of,
    is_equation,
    sign_of,
    spelled,
    walk,
)

_EXTREMA = frozenset(["max", "min", "argmax", "argmin", "sup", "inf", "limsup", "liminf"])


def context(statement: Node, names: Names) -> Context:
    """The letters of a statement that stand in index position."""
    found = Context(Counter(), Counter(), statement)
    limits: list[str] = []
    extrema: set[str] = set()
    per: dict[str, set[str]] = {}  # the letters below a name that is a size by convention
    seen: set[int] = set()  # signs of expectation that are met under their scripts
    for node in walk(statement):
        node = plain(node)
        mask = condition_of(node) or _equated(node)
        if mask is not None and names.lenient and _same_letters(mask):
            found.letters.update(n.text for n in mask.sides if is_letter(n))
        if condition_of(node) is not None:
            continue
        if isinstance(node, Stack):
            found.bound.add(node.letter.text)
        if not isinstance(node, Scripted):
            if is_sign(node) and id(node) not in seen:
                found.averages.append(None)
            continue
        base = base_name(node.base)
        if base is None:
            if is_sign(node.base):
                seen.add(id(node.base))
                found.averages.append(next((s for mark, s in node.scripts if mark == "_"), None))
                continue
            if isinstance(node.base, Symbol) and (
                node.base.text in ("lim", "log") or node.base.kind == "int"
            ):
                continue
            if isinstance(node.base, Symbol) and node.base.kind not in ("partial", "nabla"):
                for sign, script in node.scripts:
                    if sign == "^" and node.base.kind in ("sum", "prod"):
                        limits += letters_of(atoms(script))
                    if sign == "_" and node.base.text in _EXTREMA and names.lenient:
                        extrema |= {a.text for a in run_over(script) if is_letter(a)}
                    elif sign == "_":
                        letters = {a.text for a in run_over(script) if is_letter(a)}
                        found.bound |= letters
                        found.summed |= letters if node.base.kind in ("sum", "prod") else set()
            elif not isinstance(node.base, Number):  # 2^b has a power
                for _, script in node.scripts:
                    letters = {a.text for a in atoms(script) if is_letter(a)}
                    found.letters.update(letters & INDICES - names.varied)
            continue
        below = [a for sign, script in node.scripts if sign == "_" for a in indices(sign, script)]
        found.bases |= {base} if below and names.lenient else set()
        below = [a for a in below if not (is_letter(a) and names.is_label(base, a.text))]
        above = (
            []
            if base == "e" and not _literal(node.base)
            else [
                a
                for sign, script in node.scripts
                if sign == "^"
                for a in indices(sign, script)
                if not isinstance(a, Addition) and not _is_quotient(a)
            ]
        )
        counts = base in CONVENTIONAL_SIZES and base not in names.parts
        if counts and len(below) == 1 and not above:
            if is_letter(below[0]):
                per.setdefault(base, set()).add(below[0].text)
            continue
        if len(below) > 2 and all(isinstance(a, Name) and len(a.text) == 1 for a in below):
            run = "".join(letters_of(below))
            found.runs.update([run] if len(run) == len(below) else [])
        for letter in letters_of([*below, *above]):
            found.letters[letter] += 1
        found.plain |= {a.text for a in (*below, *above) if is_letter(a)}
        found.lower |= set(letters_of(below))
        if len(below) == 1 and is_letter(below[0]) and not letters_of(above):
            found.solo[base, below[0].text] += 1
    vectors = _normals(statement) if names.lenient else set()
    vectors |= _components(found, per)
    for size in (_summands(statement, found) | vectors) - names.declared:
        names.ranks.setdefault(size, 1)
    found.powers = _powers(statement, found, names.lenient) | _exponents(statement, found, names)
    found.powers |= names.exponents & found.letters.keys()
    for x in found.powers:
        del found.letters[x]
    found.bound |= {x for x in extrema if found.letters[x]}  # max_j x_j, and not min_x f(x)
    found.bound |= {x for node in walk(statement) for x in (*_squared(node), *_diagonal(node))}
    found.letters.update(x for x in limits if found.letters[x])  # Σ_{j=1}^{i} beside x_i
    found.bound |= averages.outcomes(names, found)
    found.bound |= _parenthesized(statement, found, names) - names.declared
    numbers = {x for x in names.declared & names.scalars if not names.ranks.get(x)}
    stated = premises.of(statement)
    found.bound |= premises.letters(*stated)
    left = plain(statement.sides[0] if isinstance(statement, Chain) else statement)
    named = isinstance(left, Scripted) and base_name(left.base) is not None
    named = named and not _is_exponential(left, statement)
    if named and isinstance(left, Scripted) and isinstance(statement, Chain):
        places = {
            mark: {a.text for s, script in left.scripts if s == mark
                   for b in indices(s, script)
                   for a in ((*b.items, *b.given) if isinstance(b, Given) else (b,))
                   if is_letter(a)}
            for mark in "^_"
        }  # fmt: skip
        once = {x for x in places["_"] if found.letters[x] == 1}
        labels = {
            x for x in once & found.bases | {x for x in once if x in GREEK and _bare(x, statement)}
        }
        found.bound |= (places["^"] - numbers | places["_"]) - labels - names.gates
        found.low |= places["_"] - places["^"]
        size = left.base.text if isinstance(left.base, Name) else ""
        counted = size in CONVENTIONAL_SIZES and any(found.letters[x] for x in places["_"])
        if counted and size not in names.declared:
            names.ranks.setdefault(size, 1)  # n_k = Σ_i z_ik is no size
        for side in statement.sides[1:]:
            own = found.bound & places["_"]
            for size in (_factors(side, own) | _divisors(side, own)) - names.declared:
                names.ranks.setdefault(size, 1)  # p_i = σ(d_i), m_i = Σ_j A_ij x_j/d_i
    found.numbers = numbers - found.bound - found.lower
    return found


def _is_exponential(left: Node, statement: Node) -> bool:
    """True for the left of e^{x} = y, and not for the residuals e^i = y^i - x^i."""
    match left:
        case Scripted(base=Name(text="e", style=""), scripts=(("^", script),)):
            above = [s for n in walk(statement) if isinstance(n, Scripted) and n.base != left.base
                     for mark, s in n.scripts if mark == "^"]  # fmt: skip
            return not (is_letter(script) and spelled(script) in map(spelled, above))
    return False


def _equated(node: Node) -> Chain | None:
    """a = b of [a = b] and {a = b}."""
    match node:
        case Group(bracket="[" | "\\{", items=(Chain() as inside,)):
            return inside
    return None


def _same_letters(mask: Chain) -> bool:
    return all(r == "=" for r, _ in mask.relations) and all(map(is_letter, mask.sides))


def _reserved(found: Component, names: Names) -> bool:
    """True for e, and for the δ of two indices where no matrix is called so."""
    if found.literal or found.name not in ("delta", "e"):
        return False
    if found.name == "delta" and len(found.slots) == 1:
        return False
    if found.name == "delta" and len(found.slots) == 2:
        return names.ranks.get("delta", 0) != 2 or "delta" not in names.declared
    return found.name not in names.declared


def _is_power(node: Node, names: Names) -> bool:
    """True for e^{k D}, also where D is called by a letter that could be a label."""
    base = node.base if isinstance(node, Scripted) else None
    above = isinstance(node, Scripted) and all(sign == "^" for sign, _ in node.scripts)
    plain_e = base is not None and base == Name(base.at, "e")
    return plain_e and above and names.lenient and "e" not in names.declared


def _squared(node: Node) -> list[str]:
    """The i of p_i p_i: nobody writes the square of a number p_i so."""
    seen: Counter[tuple[str, str]] = Counter()
    for _, part in node.parts if isinstance(node, Product) else ():
        match plain(part):
            case Scripted(base=base, scripts=(("_", Name() as letter),)) if is_letter(letter):
                seen[base_name(base) or "", letter.text] += 1
    return [letter for (base, letter), n in seen.items() if base and n > 1]


def _diagonal(node: Node) -> list[str]:
    """The i of diag(p_i (1 - p_i)), where nothing else is under it."""
    pairs = pairwise(p for _, p in node.parts) if isinstance(node, Product) else ()
    inside = [b for a, b in pairs if isinstance(a, Symbol) and a.text == "diag"]
    scripts = (s for part in inside for n in walk(part) if isinstance(n, Scripted)
               for mark, s in n.scripts if mark == "_" and base_name(n.base))  # fmt: skip
    found = {s.text if isinstance(s, Name) and is_letter(s) else "" for s in scripts}
    return [*found] if len(found) == 1 and "" not in found else []


def _factors(node: Node, letters: set[str]) -> set[str]:
    """The d of d_i x_i, d_i², σ(d_i), e^{d_i}, max(0, d_i) and (x_i − d_i)², not below a bar.

    With one of the letters.
    """
    match plain(node):
        case Scripted(base=Name(text=stem), scripts=(("_", Name() as letter), *powers)):
            numbers = all(isinstance(above, Number) for _, above in powers)
            own = numbers and letter.text in letters
            return {stem} & {*CONVENTIONAL_SIZES} if own else set()
        case Product(parts=parts):
            return {x for sign, part in parts if sign != "/" for x in _factors(part, letters)}
        case Addition(parts=parts):
            return {x for _, part in parts for x in _factors(part, letters)}
        case Group(items=items):
            return {x for item in items for x in _factors(item, letters)}
        case Fraction(top=inside):
            return _factors(inside, letters)
        case Scripted(base=Group() as inside, scripts=(("^", Number()),)):
            return _factors(inside, letters)
        case Scripted(base=Name(), scripts=(("^", inside),)):
            return _factors(inside, letters)
    return set()


def _divisors(node: Node, letters: set[str]) -> set[str]:
    """The d of 1/d_i, with one of the letters and under no root, where no Σ ends at d or d_i."""
    ends: set[str | None] = set()
    for part in walk(node):
        if isinstance(part, Scripted) and isinstance(part.base, Symbol):
            above = [plain(script) for sign, script in part.scripts if sign == "^"]
            ends |= {base_name(base_of(x)) for x in above}
    below: list[Node] = []
    for part in walk(node):
        if isinstance(part, Fraction):
            below.append(part.bottom)
        elif isinstance(part, Product):
            below += [p for sign, p in part.parts if sign == "/"]
    return {x for part in below for x in _factors(part, letters)} - ends


def _summands(statement: Node, here: Context) -> set[str]:
    """The d of Σ_i d_i x_i: a size that is called by its letter is no factor under its sum.

    It may stand below a bar, x_i/n_i, or under a root.
    """
    found: set[str] = set()
    for node in walk(statement):
        summed = False
        for _, part in node.parts if isinstance(node, Product) else ():
            match plain(part):
                case Scripted(base=Symbol(kind="sum")):
                    summed = True
                case _ if summed:
                    found |= _factors(part, here.summed)
    return found


def _normals(statement: Node) -> set[str]:
    """The n of σ_ij n_j and n_k n_k, a factor at an index of another one; not the d_k of √d_k."""
    joined = {
        x
        for node in walk(statement)
        if isinstance(node, Scripted)
        for _, script in node.scripts
        if len(letters_of(atoms(script))) > 1
        for x in letters_of(atoms(script))
    }
    found: set[str] = set()
    for node in walk(statement):
        seen: Counter[tuple[str, str]] = Counter()
        for sign, part in node.parts if isinstance(node, Product) else ():
            match plain(part):
                case Scripted(base=Name(text=stem), scripts=(("_", Name() as letter),)):
                    seen[stem, letter.text] += sign != "/" and is_letter(letter)
        found |= {stem for (stem, x), n in seen.items() if n > 1 or (n and x in joined)}
    return found & {*CONVENTIONAL_SIZES}


def _components(here: Context, per: Mapping[str, set[str]]) -> set[str]:
    """The d of x_i/√d_i and x_j/√d_j: two letters of one axis, which has one size."""
    axes: dict[str, set[str]] = {}
    for base, letter in here.solo:
        axes.setdefault(base, set()).add(letter)
    return {d for d, own in per.items() if len(own) > 1 and any(own <= x for x in axes.values())}


def _bears(node: Node) -> bool:
    return isinstance(node, Scripted)


def _is_quotient(node: Node) -> bool:
    if isinstance(node, Product):
        return any(op == "/" for op, _ in node.parts)
    return isinstance(node, Fraction)


def _powers(statement: Node, here: Context, lenient: bool) -> set[str]:
    """The α of K^α or x_i^α beside 1 - α, a number: above single names, and for itself."""
    above: Counter[str] = Counter()
    plainly: set[str] = set()
    todo = [statement]
    while todo:
        node = plain(todo.pop())
        if isinstance(node, Scripted) and base_name(node.base) is not None:
            scripts = [s for sign, s in node.scripts if sign == "^"]
            labels = [s for sign, s in node.scripts if sign == "_" and isinstance(s, Number)]
            for x in letters_above_themselves(node) if lenient else ():
                above[x] += not any(map(is_letter, scripts))
                plainly.add(x)
            others = len(node.scripts) - len(labels)
            greek = len(scripts) == 1 and is_letter(scripts[0]) and scripts[0].text in GREEK
            if len(scripts) == 1 and is_letter(scripts[0]) and (others == 1 or greek):
                above[scripts[0].text] += 1  # the ρ of Σ_i a_i x_i^ρ too, beside 1/ρ
            todo += [s for s in scripts if isinstance(s, Addition | Product | Fraction)]
        elif isinstance(node, Scripted):  # the γ of (1 - p)^γ too
            inside = [node.base.items[0]] if isinstance(node.base, Group) else []
            terms = inside[0].parts if inside and isinstance(inside[0], Addition) else ()
            for x in (s.text for sign, s in node.scripts if sign == "^" and is_letter(s)):
                above[x] += x in INDICES
                leaves = {n.text for item in inside for n in walk(item) if isinstance(n, Name)}
                number = bool(inside) and leaves <= {"pi"}
                adds = any(isinstance(t, Number) for _, t in terms)
                divided = bool(inside) and _is_quotient(inside[0])
                divided = divided and (x in GREEK or not any(map(_bears, walk(inside[0]))))
                plainly |= {x} if number or adds or divided else set()
            todo += [
                node.base,
                *(s for sign, s in node.scripts if sign == "^" and not is_letter(s)),
            ]
        elif isinstance(node, Name):
            plainly.add(node.text)
        else:
            todo += children(node)
    left = plain(statement.sides[0] if isinstance(statement, Chain) else statement)
    marks = left.scripts if isinstance(left, Scripted) else ()
    own = {n.text for _, script in marks for n in walk(script) if isinstance(n, Name)}
    endless = _endless(statement)  # no axis is so long: p^k v^k is no sum of components
    known = {x for x in above if x in plainly | endless and here.letters[x] == above[x]}
    return known - (here.bound - endless) - own - {"i", "j", "mu", "nu"}


def _endless(statement: Node) -> set[str]:
    """The k of Σ_{k=0}^∞ k q^k, which no axis is as long as."""
    signs = (
        n
        for n in walk(statement)
        if isinstance(n, Scripted) and isinstance(n.base, Symbol) and n.base.kind == "sum"
    )
    ends = (
        n
        for n in signs
        for sign, s in n.scripts
        if sign == "^" and isinstance(s, Symbol) and s.kind == "infty"
    )
    return {x.text for n in ends for sign, s in n.scripts if sign == "_"
            for x in run_over(s) if is_letter(x)}  # fmt: skip


def _exponents(statement: Node, here: Context, names: Names) -> set[str]:
    """The a and b of u(x, y) = x^a y^b: above what a function is of, each above one name."""
    if not is_equation(statement):
        return set()
    left = plain(statement.sides[0])
    call = whole(left)
    items = call.items if call is not None else names.arguments.get(base_name(left) or "", ())
    known = {base_name(a) for a in items} - {None}
    above: dict[str, list[str | None]] = {}
    for node in walk(statement):
        match plain(node):
            case Scripted(base=base, scripts=(("^", script),)) if is_letter(script):
                above.setdefault(script.text, []).append(base_name(base))
    return {
        x
        for x, bases in above.items()
        if {*bases} <= known and len({*bases}) == 1 and here.letters[x] == len(bases)
    } - {"i", "j", "mu", "nu"}


def _literal(base: Node) -> bool:
    return isinstance(base, Name) and base.style == "literal"


def run_over(script: Node) -> list[Node]:
    """The letters that a sum runs over or that a function's subscript names."""
    if isinstance(script, Chain) and script.relations[0][0] in ("=", "∈"):
        return indices("_", script.sides[0])
    if isinstance(script, Chain):
        return [a for side in script.sides for a in indices("_", side)]
    return indices("_", script)


def _parenthesized(statement: Node, here: Context, names: Names) -> set[str]:
    """Letters in brackets behind a name that are indices: P(j), f(x)(i).

    They stand in scripts too, or alone in brackets more than once and nowhere else.
    """
    alone: Counter[str] = Counter()
    inside: Counter[str] = Counter()
    numbers: set[str] = set()  # the m of tanh(m) and of g'(m)
    for node in walk(statement):
        parts = node.parts if isinstance(node, Product) else ()
        for k in range(len(parts)):
            call = application(parts, k)
            sign = sign_of(parts[k - 1][1]) if k else None
            if sign is not None and sign.kind == "function":
                numbers |= {n.text for n in walk(parts[k][1]) if is_letter(n)}
            name = base_name(call.name) or "" if call else ""
            letters = {n.text for n in call.items if is_letter(n)} if call else set()
            if name.endswith("'"):
                numbers |= letters
            for n, item in enumerate(call.items if call else ()):
                numbers |= (
                    {item.text} if is_letter(item) and (name, n) in names.of_numbers else set()
                )
            for item in (*call.items, *call.given) if call else ():
                if isinstance(item, Name) and is_letter(item):
                    inside[item.text] += 1
        if isinstance(node, Group) and node.bracket == "(":
            match node.items:
                case (Name() as only,) | (Given(items=(Name() as only,)),) if is_letter(only):
                    alone[only.text] += 1
    left = statement.sides[0] if isinstance(statement, Chain) else statement
    stated = {n.text for n in walk(left) if isinstance(n, Name)} | here.bound
    return {
        x
        for x in inside
        if here.letters[x] > max((n for (_, y), n in here.solo.items() if x == y), default=0)
        or (alone[x] > 1 and x in stated - numbers and x < "r" and not _bare(x, statement))
        or (alone[x] and here.letters[x] and x not in PARAMETERS and not _bare(x, statement))
    }


def _bare(letter: str, statement: Node) -> bool:
    """True when the letter stands as a factor, a term or a base with scripts."""
    for node in walk(statement):
        if isinstance(node, Scripted) and isinstance(node.base, Name) and node.base.text == letter:
            return True
        inside = [p for _, p in node.parts] if isinstance(node, Product | Addition) else []
        inside += node.sides if isinstance(node, Chain) else ()
        inside += (node.top, node.bottom) if isinstance(node, Fraction) else ()
        if any(isinstance(part, Name) and part.text == letter for part in inside):
            return True
    return False


def collect(statement: Node, names: Names, here: Context) -> None:
    """Enter the number of indices of every name of a statement.  Raises ReadError for a clash."""
    for name, rank, at in averages.distributions(names, here):
        names.use(name, rank, at)
    names.scaled |= _rates(statement) if names.lenient else set()
    _collect(statement, names, here)


def _collect(node: Node, names: Names, here: Context) -> None:
    node = plain(node)
    condition = condition_of(node)
    if condition is not None:
        _collect(condition, names, here)
        return
    if isinstance(node, Name | Accent | Scripted):
        found = component(node, names, here)
        if found is not None:
            names.alone.add(found.name)
            scripts = node.scripts if isinstance(node, Scripted) else ()
            below = bool(scripts) and all(sign == "_" for sign, _ in scripts)
            residuals = found.name == "e" and bool(found.slots) and below
            names.residuals |= residuals and not names.lenient
            if not (_reserved(found, names) or _is_power(node, names)) or residuals:
                names.use(found.name, len(found.slots), found.at)
            if found.power is not None:
                _collect(found.power, names, here)
            elif _is_power(node, names):  # e^{f(x)}
                for _, script in scripts:
                    _collect(script, names, here)
            return
    if isinstance(node, Scripted):
        if isinstance(node.base, Symbol) and node.base.kind in ("sum", "prod"):
            for _, script in node.scripts:
                if isinstance(script, Chain) and script.relations[0][0] == "∈":
                    found = component(script.sides[1], names, here)
                    if found is not None and found.slots:
                        names.use(found.name, len(found.slots) + 1, found.at)
                for inner in walk(script):
                    if isinstance(inner, Product):
                        call = application(inner.parts, 0)
                        if call is not None and isinstance(call.name, Name):
                            names.use(call.name.text, len(call.items) + 1, call.name.at)
        if isinstance(node.base, Symbol) and node.base.kind in ("partial", "nabla"):
            for _, script in node.scripts:
                for a in atoms(script):
                    if not is_letter(a):
                        _collect(a, names, here)
        only = (
            node.base.items[0]
            if isinstance(node.base, Group) and len(node.base.items) == 1
            else None
        )
        stem = component(only, names, here) if isinstance(only, Name | Scripted) else None
        letters = [a for _, script in node.scripts for a in atoms(script)]
        bars = isinstance(node.base, Group) and node.base.bracket == "|"
        powers = names.exponents | (here.numbers if bars else frozenset())
        if any(isinstance(a, Name) and a.text in powers for a in letters):
            letters = []  # (k^*)^α, |x|^m of a number m
        if stem is not None and not stem.slots and letters and all(map(is_letter, letters)):
            names.use(stem.name, len(letters), stem.at)  # (F^{-1})^{ij}
            return
        _collect(node.base, names, here)
        for sign, script in () if isinstance(node.base, Symbol) else node.scripts:
            if sign == "^" and (any(calls(script)) or _has_scripts(script)):
                _collect(script, names, here)  # 2^{x_i}, 2^{f(x)}
        return
    if isinstance(node, Product):
        _collect_product(node, names, here)
        return
    for child in children(node):
        _collect(child, names, here)


def _has_scripts(node: Node) -> bool:
    return any(isinstance(n, Scripted) for n in walk(node))


def _rates(statement: Node) -> set[str]:
    """The r of e^{-r (t - s)}: what stands before a difference in an exponent is multiplied."""
    found: set[str] = set()
    for node in walk(statement):
        inside: list[Node] = []
        if isinstance(node, Scripted) and base_name(node.base) == "e":
            inside = [script for sign, script in node.scripts if sign == "^"]
        if isinstance(node, Product):
            signs = [sign_of(part) for _, part in node.parts]
            inside = [p for s, (_, p) in zip(signs, node.parts[1:], strict=False)
                      if s is not None and s.text == "exp"]  # fmt: skip
        for _, _, call in (c for n in inside for c in calls(n)):
            several = len(call.items) == 1 and isinstance(call.items[0], Addition)
            name = base_name(call.name) or ""
            found |= {name} if several and len(name) == 1 and name.islower() else set()
    return found


def _collect_product(node: Product, names: Names, here: Context) -> None:
    k = 0
    while k < len(node.parts):
        part, sign = node.parts[k][1], sign_of(node.parts[k - 1][1]) if k else None
        function = sign is not None and sign.kind == "function"
        if function and isinstance(part, Scripted) and isinstance(part.base, Group):
            _collect(part.base, names, here)  # diag(p)_{ij}: the indices are the function's
            k += 1
            continue
        call = application(node.parts, k)
        found = component(call.name, names, here) if call else None
        if call is None or found is None or found.slots:
            known = found is None or found.name in names.alone
            _collect(node.parts[k][1], names, here)
            if found is not None and call is not None and not known:
                names.alone.discard(found.name)
            k += 1
            continue
        if k and found.name not in names.ranks and _quadratic(node.parts[k - 1][1], call):
            names.use(found.name, 2, found.at)
            _collect(call.items[0], names, here)
            k = call.after
            continue
        letters, arguments = call.split(here)
        if letters and not arguments and call.given:
            names.condition(found.name, call.parameters(letters), found.at)
        if letters and found.name not in names.bare:
            names.use(found.name, len(letters), found.at)
        elif found.name not in names.bare:
            names.applied.add(found.name)
            if call.squared or (call.scripts and found.power is not None):  # σ² (X^⊤X)^{-1}
                names.scaled.add(found.name)
            elif not (
                len(arguments) == 1 and (isinstance(arguments[0], Addition) or _raised(call))
            ):
                names.evaluated.add(found.name)
        for argument in arguments:
            _collect(argument, names, here)
        k = call.after


def _quadratic(before: Node, call: Application) -> bool:
    r"""True for (x - c)^\top K (x - c): the K of a quadratic form is a matrix, and no function."""
    match before:
        case Scripted(base=Group(items=(inner,)), scripts=(("^", top),)):
            turned = top in (Symbol(top.at, "top"), Name(top.at, "T"))
            return turned and spelled(inner) == spelled(call.items[0]) and len(call.items) == 1
    return False


def _raised(call: Application) -> bool:
    """True for a (Y/K)^{1-ρ}: a fraction with an exponent."""
    return isinstance(call.items[0], Fraction) and any(sign == "^" for sign, _ in call.scripts)


def check_positions(statement: Node, names: Names, here: Context) -> None:
    """A name with only upper and, elsewhere, only lower indices is one tensor or two: an error."""
    seen: dict[str, str] = {}
    for node in walk(statement):
        if not isinstance(plain(node), Scripted) or names.alike:
            continue
        found = component(node, names, here)
        if found is None or not found.slots or found.name == "delta":
            continue
        signs = {
            sign
            for sign, script in plain(node).scripts  # type: ignore[attr-defined]
            if any(a in found.slots for a in atoms(script))
        }
        if len(signs) != 1 or (names.residuals and (found.name, *signs) == ("e", "^")):
            continue  # e^{a x_i} beside residuals e_i
        (sign,) = signs
        if seen.setdefault(found.name, sign) != sign:
            name = found.name
            if names.lenient and name == "g" and len(found.slots) == 2:
                names.metrics.add(name)
                names.assumed[name] = "a metric, whose upper indices are those of its inverse"
                continue
            if names.lenient:
                names.positions.add(name)
                continue
            raise names.source.fail(
                found.at,
                f"{name} has upper indices in one place and lower ones in another",
                expected="the same tensor, or one with its indices raised by a metric",
                mend=f"declare <!-- symattn: metric {name} --> where {name} with upper indices is "
                "the inverse, <!-- symattn: metric none --> where position means nothing",
            )
