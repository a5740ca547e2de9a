r"""Functions that a document defines, at other arguments: with f(x) = …, f(2x), f(x_0) and f'(x).

A definition stands as it is; elsewhere f of another argument is the body with the argument put in,
and f'(x) is \frac{∂ f(x)}{∂ x}.  A letter that is defined for several names, p(x) and p(z), is as
many functions, and so none of these.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .. import primitives
from . import inverse_functions
from .anew import follows
from .announced import announced
from .applications import Application, application, calls, defined, whole
from .ellipsis import LETTERS
from .names import DISTRIBUTIONS, atoms, base_name, is_letter, is_open, plain, stem
from .source import Source
from .tree import (
    Accent,
    Called,
    Chain,
    Fraction,
    Group,
    Name,
    Node,
    Number,
    Product,
    Put,
    Scripted,
    Stack,
    Symbol,
    children,
    is_nabla,
    mapped,
    renamed,
    spelled,
    walk,
)
from .vocabulary import FUNCTIONS

MAX_DEPTH = 8  # functions put into one another
MAX_NODES = 3_000  # of a tree with all functions put in
WORDS = ("deriv", "differen", "gradient", "slope", "curvature", "tangent", "minim", "maxim",
         "stationar", "force", "taylor", "newton", "concave", "convex")  # fmt: skip
_LOGISTIC = re.compile(r"sigmoid|logistic|expit|logit", re.IGNORECASE)
Key = tuple[object, int, int]  # the name as it is written, its arguments before and behind a bar


@dataclass(frozen=True)
class Body:
    """f(parameters | given) = body, from where it stands to `end`, where it is defined anew."""

    name: Node
    parameters: tuple[Node, ...]
    body: Node
    at: int
    end: int
    primed: bool = False
    whole: bool = False  # it is put in wherever it stands: a body of components, or of a sentence
    begin: int = 0  # before it the name is any function


@dataclass
class Functions:
    """The functions of a document; `primes` says that f' is a derivative."""

    known: dict[Key, Body] = field(default_factory=dict)
    later: dict[Key, list[Body]] = field(default_factory=dict)  # those of other sections
    primes: bool = False
    logistic: bool = False  # words or formulas say that σ is that of the registry
    inverses: bool = False  # words speak of inverses
    loose: set[object] = field(default_factory=set)  # names that bear several kinds of arguments
    families: dict[Any, Key] = field(default_factory=dict)  # the g, with its arguments, of g_k(x)
    short: dict[Key, Key] = field(default_factory=dict)  # h(x) for h_θ(x), which h(x) is then
    slopes: dict[Key, Body] = field(default_factory=dict)  # φ(x) for the Φ' of a distribution

    def __call__(self, tree: Any) -> Any:
        """The tree with these functions put in."""
        if not (self.known or self.logistic) or not isinstance(tree, Node):
            return tree
        tree = inverse_functions.solved(tree, self._is_inverse, self._undone)
        if isinstance(tree, Chain) and self._defines(tree):
            sides = (tree.sides[0], *(self._within(s, 0) for s in tree.sides[1:]))
            found: Node = Chain(tree.at, sides, tree.relations)
        else:
            found = self._within(tree, 0)
        return tree if spelled(found) == spelled(tree) or _size(found) > MAX_NODES else found

    def _defines(self, tree: Chain) -> bool:
        found = _head(tree)
        known = self._meant(found[0], tree.at) if found else None
        return known is not None and tree.at == known.at

    def _undone(self, call: Application, side: Node, at: int) -> tuple[Node, Node] | None:
        """What f⁻¹(u) = r is: r at u = f(x), which is x; of a value, f⁻¹(3) = 2, f(2), which is 3.

        Of σ nothing is put in.
        """
        (argument,) = call.items
        given = spelled(argument)
        known = self._meant((spelled(call.name), 1, 0), at)
        if given not in map(spelled, walk(side)) or not isinstance(stem(argument), Name):
            of = replace(call, items=(side,))
            logistic = self._is_logistic(call.name)
            found = _applied(of, at) if logistic else self._instance(of, at, 0)
            return (found, argument) if found is not None else None
        if self._is_logistic(call.name):
            parameter: Node = Name(at, "x")
            body = _applied(replace(call, items=(parameter,)), at)
        elif known is not None:
            (parameter,), body = known.parameters, self._within(known.body, 1)
        else:
            return None
        return _put_in(side, {given: Group(at, Put("{"), (body,))}, []), parameter

    def _is_inverse(self, name: Node, call: Application) -> bool | None:
        """Whether f⁻¹ is an inverse function, and no 1/f; None for an f that nothing defines."""
        if self._is_logistic(name):
            return True
        known = self.known.get((spelled(name), len(call.items), 0))
        if known is None:
            return None
        own = spelled(call.items) == spelled(known.parameters)
        return self.inverses or not own or base_name(name) in FUNCTIONS

    def _is_logistic(self, name: Node) -> bool:
        return self.logistic and base_name(name) == "sigma"

    def _meant(self, key: Key, at: int) -> Body | None:
        """The body that a function has at a place: the last one before it, else the first.

        Before the first of several it is any function.
        """
        key = key if key in self.known else self.short.get(key, key)
        later, first = self.later.get(key, []), self.known.get(key)
        if first is not None and at < first.begin:
            return None
        return next((b for b in reversed(later) if b.at <= at), first)

    def anew(self, tree: Node) -> bool:
        """The tree says another thing of a function than another section before it."""
        return any(b.at == tree.at for several in self.later.values() for b in several)

    def _within(self, tree: Node, depth: int) -> Any:
        """The tree with functions put in, but for those in labels: p_{N(μ, Σ)}."""
        if isinstance(tree, Scripted):
            inside = ((s, x if s == "_" else self._within(x, depth)) for s, x in tree.scripts)
            return Scripted(tree.at, self._within(tree.base, depth), tuple(inside))
        return self._changed(mapped(tree, lambda n: self._within(n, depth)), depth)

    def _changed(self, node: Any, depth: int) -> Any:
        if not isinstance(node, Product):
            return node
        parts: list[tuple[str, Node]] = []
        k = 0
        while k < len(node.parts):
            op, part = node.parts[k]
            call = application(node.parts, k)
            varied = k > 0 and is_nabla(node.parts[k - 1][1])
            made = self._instance(call, part.at, depth) if call and not varied else None
            if call is not None and made is not None:
                part = Scripted(part.at, made, call.scripts) if call.scripts else made
                k = call.after - 1
            parts.append((op, part))
            k += 1
        if len(parts) == 1 and parts[0][0] in ("", "·"):
            return parts[0][1]
        return Product(node.at, tuple(parts))

    def _instance(self, call: Application, at: int, depth: int) -> Node | None:
        """f(a) as the body of f with a put in, f'(x) as a derivative; None for anything else."""
        name, order = _unprimed(call.name)
        key = _key(call, name)
        letters = _counted(name)
        if key is not None and key not in self.known and letters:  # g_j(u) of a g_k(x) = …
            key = self.families.get((spelled(plain(name).base), *key[1:]), key)  # type: ignore
        known = self._meant(key, at) if key is not None and depth < MAX_DEPTH else None
        if key is None or known is None:
            return None
        if order == 1 and key in self.slopes:
            known, order = replace(self.slopes[key], whole=True), 0
        arguments = call.items + call.given
        same = spelled(arguments) == spelled(known.parameters)
        if order:
            single = len(known.parameters) == 1 and same and self.primes and known.whole
            return _derivative(name, known, order, at) if single else None
        if at >= known.end or (same and not known.whole):
            return None
        if not (same or known.whole) and key[0] in self.loose and any(map(_bare, arguments)):
            return None
        pairs = list(zip(known.parameters, arguments, strict=True))
        inner = _apart(known.body, (*arguments, name))
        if inner is None:
            return None
        if letters and (own := _counted(known.name)) != letters:
            inner = renamed(inner, own, letters)
        if any(_captured(a, inner) or _indexed(p, a, inner) for p, a in pairs):
            return None
        given: dict[object, Node] = {
            spelled(p): a if isinstance(a, Name) else Group(at, Put("{"), (a,)) for p, a in pairs
        }
        vectors = [spelled(p) for p in known.parameters if _has_components(p, inner)]
        body = _put_in(inner, given, vectors)
        return Group(at, Called("{"), (self._within(body, depth + 1),))


def gather(
    displays: Iterable[Node],
    spoken: Iterable[Node],
    source: Source,
    logistic: bool = True,
    named: Sequence[tuple[Node, Node]] = (),
) -> Functions:
    """The functions that displays and sentences of a source define.

    Those that words call by their names are `named`, with their derivatives; no formula makes
    others of them.
    With `logistic` σ is a function of the registry, whatever the text says of it.
    """
    text, called = source.text, [tree for tree, _ in named]
    said = {tree.at for tree in (*called, *spoken)}
    trees = [t for t in (*called, *displays, *spoken) if not (logistic and _of_sigma(t))]
    heads: dict[Key, list[Body]] = {}
    for tree in trees:
        if (found := _body(tree, text)) is not None:
            heads.setdefault(found[0], []).append(found[1])
    primes = bool(named) or any(w in text.lower() for w in WORDS) or not _another(trees)
    sigmoid = bool(_LOGISTIC.search(text)) or any(map(_of_sigma, (*displays, *spoken)))
    inverses = bool(inverse_functions.SPOKEN.search(text))
    result = Functions(primes=primes, logistic=logistic and sigmoid, inverses=inverses)
    result.slopes |= (pair for _, tree in named if (pair := _body(tree, text)) is not None)
    lefts = {base_name(stem(t.sides[0])) for t in trees if isinstance(t, Chain)}
    primed = {key for key, (body, *_) in heads.items() if body.primed}
    if result.primes:  # f' is no function of its own
        heads = {key: bodies for key, bodies in heads.items() if key not in primed}
    for key, bodies in heads.items():
        bodies.sort(key=lambda b: (_is_at_a_value(b), b.at))  # u(0) = 0 before u(z) = …
        first = bodies[0]
        others = [b for b in bodies[1:] if spelled(b.parameters) != spelled(first.parameters)]
        own = set(map(str, map(spelled, first.parameters)))
        pairs = [pair for b in others for pair in zip(first.parameters, b.parameters, strict=True)]
        own |= set(map(str, map(spelled, walk(first.body))))  # the K of v(s) = V s / (K + s)
        foreign = (not _value(p, a, lefts) and str(spelled(a)) not in own for p, a in pairs)
        if not _is_vector(first) and any(foreign):
            continue
        again = [
            b.at
            for b in bodies[1:]
            if _alike(b.parameters, first.parameters) and not follows(source, b.at)
        ]
        if _sound(first, key):
            whole = first.at in said or bool(key[2]) or _is_vector(first)
            section = source.section(first.at)
            end = first.end if whole else min(again, default=first.end)
            several = any(spelled(b.body) != spelled(first.body) for b in bodies[1:])
            begin = first.at if several else 0
            result.known[key] = replace(first, whole=whole, begin=begin, end=end)
            result.later[key] = [  # for Bernoulli A(η) = …, and for another law A(η) = …
                replace(b, whole=whole)
                for b in bodies[1:]
                if (whole or source.section(b.at) != section or announced(source.text, b.at))
                and not follows(source, b.at)
                and _alike(b.parameters, first.parameters)
                and spelled(b.body) != spelled(first.body)
                and _sound(b, key)
            ]
    shapes: dict[object, set[Key]] = {}
    for key in (k for tree in trees for k in _calls(tree)):
        shapes.setdefault(key[0], set()).add(key)
    result.loose = {name for name, keys in shapes.items() if len(keys) > 1}
    applied = {key for keys in shapes.values() for key in keys}
    result.short = dict(_short(applied - heads.keys(), result.known))
    result.families = {
        (spelled(plain(body.name).base), *key[1:]): key  # type: ignore[attr-defined]
        for key, body in result.known.items()
        if _counted(body.name) in _below(body.body) - {""}
    }
    return result


def _applied(call: Application, at: int) -> Node:
    return Product(at, (("", call.name), ("", Group(at, "(", call.items))))


def is_value(written: Node, tree: Node) -> bool:
    """True for f(0) = c of f(x) = a x + b, which says nothing of b but what it says of f."""
    if not (isinstance(written, Chain) and isinstance(tree, Chain)):
        return False
    own = written.sides[0]
    return whole(own) is not None and spelled(own) != spelled(tree.sides[0])


def _counted(name: Node) -> str:
    """The k of g_k, where one letter alone stands below it."""
    match plain(name):
        case Scripted(scripts=(("_", Name() as letter),)) if is_letter(letter):
            return letter.text
    return ""


def _short(undefined: Iterable[Key], known: dict[Key, Body]) -> Iterator[tuple[Key, Key]]:
    """h(x) for the h_θ(x) of a text, where its body has that θ."""
    whole: dict[Key, list[Key]] = {}
    for key, body in known.items():
        name = body.name
        if isinstance(name, Scripted) and [m for m, _ in name.scripts] == ["_"]:
            below = [a.text for a in atoms(name.scripts[0][1]) if isinstance(a, Name)]
            inside = {n.text for n in walk(body.body) if isinstance(n, Name)} - _below(body.body)
            if below and {*below} <= inside:
                whole.setdefault((spelled(name.base), key[1], key[2]), []).append(key)
    for key in undefined:
        match whole.get(key):
            case [one]:
                yield key, one


def _alike(one: tuple[Node, ...], other: tuple[Node, ...]) -> bool:
    """True for the same parameters, also where a section gives their names to other things."""
    return spelled((*map(_first, one),)) == spelled((*map(_first, other),))


def _first(parameter: Node) -> Node:
    """The x that stands in the text for x_2, the second x of a text."""
    if isinstance(parameter, Name):
        return replace(parameter, text=re.sub(r"_\d+$", "", parameter.text))
    return parameter


def _another(trees: Iterable[Node]) -> bool:
    """True where L'(x) = L(x) + … makes L' a function beside L."""
    for tree in trees:
        call = whole(tree.sides[0]) if isinstance(tree, Chain) else None
        name, order = _unprimed(call.name) if call is not None else (None, 0)
        if order and isinstance(tree, Chain):
            own = spelled(plain(name))  # type: ignore[arg-type]
            if any(key[0] == own for key in _calls(tree.sides[1])):
                return True
    return False


def _is_primed(side: Node) -> bool:
    return isinstance(side, Product) and _unprimed(plain(side.parts[0][1]))[1] > 0


def _of_sigma(tree: Node) -> bool:
    """True for σ(z) = … and σ'(z) = …."""
    call = defined(tree)
    return call is not None and base_name(_unprimed(call.name)[0]) == "sigma"


def _head(tree: Node) -> tuple[Key, tuple[Node, ...], Node] | None:
    """What f(x) = … defines, with its arguments and the name as it is written."""
    call = defined(tree)
    key = _key(call, call.name) if call is not None and not call.scripts else None
    if call is None or key is None:
        return None
    return key, call.items + call.given, plain(call.name)


def _body(tree: Node, text: str) -> tuple[Key, Body] | None:
    found = _head(tree)
    if found is None:
        return None
    assert isinstance(tree, Chain)
    key, parameters, name = found
    marked = _is_primed(tree.sides[0])
    return key, Body(name, parameters, tree.sides[1], tree.at, len(text) + 1, marked)


def _calls(tree: Node) -> Iterator[Key]:
    for _, _, call in calls(tree):
        if (key := _key(call, call.name)) is not None:
            yield key


def _key(call: Application, name: Node) -> Key | None:
    """None where the name is bold, raised to a power or a function of its own."""
    base = plain(name)
    above = isinstance(base, Scripted) and any(mark == "^" for mark, _ in base.scripts)
    word = base_name(base)
    given = bool(call.given) and base_name(stem(base)) in DISTRIBUTIONS
    listed = any(isinstance(a, Stack) for a in call.items)  # f(x_1, …, x_n)
    if above or given or listed or call.bold or (word and primitives.by_word(word) is not None):
        return None
    return spelled(base), len(call.items), len(call.given)


def _is_at_a_value(body: Body) -> bool:
    return any(base_name(stem(p)) is None for p in body.parameters)


def _sound(body: Body, key: Key) -> bool:
    """True where each argument is a name of its own that the body has, and not as an index."""
    shown = [spelled(p) for p in body.parameters]
    inside = [spelled(n) for n in walk(body.body)]
    below = _below(body.body)
    return (
        len(set(map(str, shown))) == len(shown)
        and all(base_name(stem(p)) is not None for p in body.parameters)
        and not below & {p.text for p in body.parameters if isinstance(p, Name)}
        and any(s in inside for s in shown)
        and key not in list(_calls(body.body))
    )


def _value(parameter: Node, argument: Node, lefts: set[str | None]) -> bool:
    """True where a function is taken at a value: f(0), f(2x), f(x_0), f(u) of a defined u."""
    own, base = stem(parameter), stem(argument)
    if not isinstance(base, Name | Accent) or base_name(base) == "pi":
        return True
    if spelled(argument) == spelled(parameter):
        return True
    inner = base.body if isinstance(base, Accent) else base
    return (argument is not base and spelled(base) == spelled(own)) or (
        base_name(argument) in lefts or spelled(inner) == spelled(own)
    )


def _bare(node: Node) -> bool:
    return isinstance(node, Name)


def _below(tree: Node) -> set[str]:
    """The letters that stand below names."""
    scripts = (pair for n in walk(tree) if isinstance(n, Scripted) for pair in n.scripts)
    return {a.text for mark, s in scripts if mark == "_" for a in atoms(s) if isinstance(a, Name)}


def _captured(argument: Node, body: Node) -> bool:
    """True where an index of the argument may be one that the body sums over."""
    known = {str(spelled(n)) for n in walk(argument)}  # the K_m of both is one name, and K_m^2
    nodes = (n for n in walk(body) if isinstance(n, Scripted) and base_name(n.base) != "e")
    scripts = [
        s
        for n in nodes
        for mark, s in n.scripts
        if mark != "_" or str(spelled(Scripted(n.at, n.base, ((mark, s),)))) not in known
    ]
    own = {a.text for s in scripts for a in walk(s) if isinstance(a, Name)}
    letters = _below(argument)
    return bool(own & letters) or any(is_open(n) for n in walk(argument))


def _apart(body: Node, arguments: Sequence[Node]) -> Node | None:
    """The body with other letters for those that it sums over and that label an argument.

    None where such a letter is not summed alone.
    """
    inside = {a.text for n in arguments for a in walk(n) if isinstance(a, Name)}
    own = {a.text for a in walk(body) if isinstance(a, Name)}
    taken = inside | own
    for letter in sorted(inside & _summed(body)):
        other = next((x for x in LETTERS if x not in taken), None)
        if other is None or _outside(body, letter):
            return None
        taken.add(other)
        body = renamed(body, letter, other)
    return body


def _outside(node: Node, letter: str) -> bool:
    """The letter stands where no sum over it reaches: the a_i of a_i + Σ_i b_i."""
    if isinstance(node, Name):
        return node.text == letter
    inside = children(node)
    if isinstance(node, Product):
        signs = [k for k, (_, part) in enumerate(node.parts) if letter in _summed(part)]
        inside = inside[: signs[0]] if signs else inside
    return any(_outside(n, letter) for n in inside)


def _summed(body: Node) -> set[str]:
    """The letters of the sums and products of a body."""
    scripts = (
        s
        for n in walk(body)
        if isinstance(n, Scripted) and isinstance(n.base, Symbol) and n.base.kind in ("sum", "prod")
        for mark, s in n.scripts
        if mark == "_"
    )
    firsts = (s.sides[0] if isinstance(s, Chain) else s for s in scripts)
    return {a.text for s in firsts for a in atoms(s) if is_letter(a)}


def _indexed(parameter: Node, argument: Node, body: Node) -> bool:
    """True where the components of an argument are taken that is more than a name with a label."""
    match argument:
        case Name() | Scripted(base=Name(), scripts=(("^", _),)):
            return False
    return _has_components(parameter, body)


def _is_vector(body: Body) -> bool:
    """True for Σ_i p_i log p_i, a function of a vector."""
    return any(_has_components(p, body.body) for p in body.parameters)


def _has_components(parameter: Node, body: Node) -> bool:
    """True for the p of Σ_i p_i log p_i, and not for the x of x - x_0 and of x/x_R."""
    below = [
        a
        for n in walk(body)
        if isinstance(n, Scripted) and spelled(n.base) == spelled(parameter)
        for mark, script in n.scripts
        if mark == "_"
        for a in atoms(script)
    ]
    summed = any(isinstance(n, Symbol) and n.kind in ("sum", "prod") for n in walk(body))
    return any(map(_counts, below)) and (summed or not _stands(parameter, body))


def _counts(index: Node) -> bool:
    """False for the R of z_R, a label."""
    return is_letter(index) or not isinstance(index, Name)


def _stands(name: Node, body: Node) -> bool:
    """True where a name stands without scripts, or under a power alone."""
    if spelled(name) == spelled(body):
        return True
    below = isinstance(body, Scripted) and any(mark == "_" for mark, _ in body.scripts)
    return not below and any(_stands(name, n) for n in children(body))


def _put_in(body: Node, given: dict[object, Node], vectors: list[object]) -> Node:
    """The body with other things in place of its parameters, all at once; x_0 stays beside x."""
    if (other := given.get(spelled(body))) is not None:
        return other
    if isinstance(body, Scripted) and any(mark == "_" for mark, _ in body.scripts):
        base = spelled(body.base)
        if base in given and base not in vectors:
            return body
        if isinstance(labelled := given.get(base), Group):  # the x_j of an x^{(i)}
            (inside,) = labelled.items
            assert isinstance(inside, Scripted)
            below = tuple(s for s in body.scripts if s[0] == "_")
            rest = tuple(s for s in body.scripts if s[0] != "_")
            component = replace(inside, at=body.at, scripts=(*below, *inside.scripts))
            if not rest:
                return component
            return replace(body, base=Group(body.at, "(", (component,)), scripts=rest)
    found: Node = mapped(body, lambda n: _put_in(n, given, vectors))
    match found:
        case Scripted(base=Group(bracket="{", items=(Scripted(scripts=inner) as raised,))) if (
            isinstance(body, Scripted) and spelled(body.base) in given and "^" in dict(inner)
        ):  # (y^3)^4
            return replace(found, base=Group(body.at, "{", (Group(body.at, "(", (raised,)),)))
    return found


def _unprimed(name: Node) -> tuple[Node, int]:
    """The name without primes, and how many there are."""
    match name:
        case Name():
            stem = name.text.rstrip("'")
            return Name(name.at, stem, name.style), len(name.text) - len(stem)
        case Scripted():
            base, order = _unprimed(name.base)
            return Scripted(name.at, base, name.scripts), order
    return name, 0


def _derivative(name: Node, known: Body, order: int, at: int) -> Node:
    r"""\frac{∂^n f(x)}{∂ x^n}."""
    (parameter,) = known.parameters
    sign: Node = Symbol(at, "partial")
    power = (("^", Number(at, str(order))),)
    above = Scripted(at, sign, power) if order > 1 else sign
    variable = Scripted(at, parameter, power) if order > 1 else parameter
    call: list[tuple[str, Node]] = [("", name), ("", Group(at, "(", (parameter,)))]
    call = [("", Group(at, "(", (known.body,)))] if known.whole else call
    top = Product(at, (("", above), *call))
    return Fraction(at, top, Product(at, (("", sign), ("", variable))))


def _size(tree: Node) -> int:
    return sum(1 for _ in walk(tree))


__all__ = ["Functions", "gather"]
