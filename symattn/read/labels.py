r"""Letters below names that are no indices: m_a and m_b of two carts, p_i and p_f before and after.

Read as indices, equations with such letters would say nothing: m_a v_a + m_b v_b would be one sum
twice, Q_c / Q_h a component over another that stands nowhere on the left.  A letter is a label
where that is so in some equation, and where nothing in the text counts with it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from typing import TypeGuard

from ..explain.naming import GREEK
from . import summation
from .applications import calls, defined
from .differentials import halves
from .names import (
    Context,
    atoms,
    base_name,
    is_letter,
    letters_of,
    plain,
    stem,
)
from .rates import TIME
from .tree import (
    Addition,
    Chain,
    Fraction,
    Group,
    Matrix,
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
    factors,
    is_nabla,
    rebuilt,
    renamed,
    replaced,
    spelled,
    walk,
)

EQUATED = frozenset({"=", ":=", "≈"})
CUSTOM = frozenset("ijklmn") | {"mu", "nu", "alpha", "beta"}  # indices, unless it cannot be


_COMPARED = re.compile(  # $i \ne y$, $i = y$ of p_i and p_y
    r"(?:\$|\\\()\s*([a-z])\s*(?:=|\\neq?|≠)\s*([a-z])\s*(?:\$|\\\))"
)


_CALLED = (  # the jam density $k_j$, and $k_j$ the jam density
    re.compile(r"\b(?:[Tt]he|[Aa]n?|[Ii]ts) ((?:[a-z-]+ ){1,3})(?:is )?\$\\?[A-Za-z]+_([i-n])\$"),
    re.compile(r"\$\\?[A-Za-z]+_([i-n])\$,? (?:is )?(?:the|an?|its) ((?:[a-z-]+\b ?){1,3})"),
)
_DEFINED = re.compile(  # the natural frequency $w_n = …$
    r"\b(?:[Tt]he|[Aa]n?|[Ii]ts) ((?:[a-z-]+ ){1,3})\$\\?[A-Za-z]+_([i-n])\s*:?=([^$]*)\$"
)


def initials(text: str) -> set[str]:
    """The letters below names that are the initials of what words call these; no plural is one."""
    said = [m.groups() for m in _CALLED[0].finditer(text)]
    said += [m.groups()[::-1] for m in _CALLED[1].finditer(text)]
    alone = "(?<![A-Za-z\\\\]){}(?![A-Za-z])"  # as in e_n = y_n, of each n
    said += [m.groups()[:2] for m in _DEFINED.finditer(text)
             if re.search(alone.format(m[2]), m[3]) is None]  # fmt: skip
    found = {
        x
        for words_, x in said
        if any(w.startswith(x) and not w.endswith(("s", "th")) for w in words_.split())
    }
    return {x for x in found if re.search(rf"\$ *{x} *(?:[=<>$]|\\[a-z])", text) is None}


def compared(text: str) -> set[frozenset[str]]:
    """The letters that conditions of the words compare."""
    return {frozenset(m.groups()) for m in _COMPARED.finditer(text)}


def gather(
    statements: Iterable[tuple[Node, Context]], pairs: Iterable[frozenset[str]] = ()
) -> set[str]:
    """The letters that are labels wherever they stand below a name; not those of `pairs`, which
    are compared with a letter that stands below the same name."""
    found = list(statements)
    counted = {x for tree, here in found for x in (*here.summed, *_counted(tree))}
    bases: dict[str, set[str]] = {}  # letter → the names that bear it alone
    for tree, _ in found:
        for node in walk(tree):
            if (mark := marked(node)) is not None:
                bases.setdefault(mark[1], set()).add(mark[0])
    counted |= _alike(bases, pairs)
    open_ = bases.keys() - counted
    impossible: set[str] = set()
    opposed: set[str] = set()
    for tree, _ in found:
        if _tells(tree):
            impossible |= _impossible(tree.sides)
            opposed |= _opposed(tree.sides)
    trees = [tree for tree, _ in found]
    firm = (opposed | _derived_by(trees) | _told_apart(trees)) & open_
    labels = firm | ((impossible | _on_the_right(trees)) & open_ - CUSTOM)
    maybe = impossible & open_ & CUSTOM  # the m of K_m is a label where the a of K_a is one
    while True:  # the c of p_c is an index where p_k is a component
        arrays = {b for x, bs in bases.items() if x not in labels | maybe for b in bs}
        torn = {x for x in labels - firm if bases[x] & arrays}
        if not torn:
            break
        labels -= torn
    beside = {b for x in labels for b in bases[x]}
    return labels | {x for x in maybe if bases[x] & beside}


def _on_the_right(trees: Iterable[Node]) -> set[str]:
    """The g of v_g beside ω(k) = √(g k): a number, as no index stands on the right side alone."""
    found: set[str] = set()
    for tree in trees:
        if _tells(tree) and isinstance(tree, Chain):
            left, *right = tree.sides
            below = {m[1] for side in tree.sides for n in walk(side) if (m := marked(n))}
            alone = {n.text for side in right for n in _alone(side) if is_letter(n)}
            found |= alone - below - {n.text for n in walk(left) if is_letter(n)} - {TIME}
    return found


def _derived_by(trees: Iterable[Node]) -> set[str]:
    """The x of E_x = -∂φ/∂x: a number that something is differentiated by, and no time of x_t."""
    every = [sides for tree in trees for n in walk(tree) if (sides := halves(n)) is not None]
    moved = {m[1] for tops, _, _ in every for top in tops for n in walk(top) if (m := marked(n))}
    return {n.text for _, below, _ in every for n in below if is_letter(n)} - moved - {TIME}


def _told_apart(trees: Iterable[Node]) -> set[str]:
    """The x and z of B_x = b x and B_z = -2 b z, which no letter of every component could be."""
    rights: dict[str, dict[str, set[object]]] = {}
    for tree in trees:
        mark = marked(tree.sides[0]) if _tells(tree) else None
        if mark is None or mark[1] in CUSTOM or not isinstance(tree, Chain):
            continue
        right = tree.sides[1]
        if mark[1] in {n.text for n in _alone(right)}:
            said = rights.setdefault(mark[0], {}).setdefault(mark[1], set())
            said.add(spelled(renamed(right, mark[1], "i")))
    several = (found for found in rights.values() if len(found) > 1)
    return {x for found in several if not set.intersection(*found.values()) for x in found}


def _alike(bases: Mapping[str, set[str]], pairs: Iterable[frozenset[str]]) -> set[str]:
    """The i and y of i ≠ y, where p_i and p_y stand in a text."""
    both = (p for p in pairs if len(p) == 2)
    return {x for p in both if set.intersection(*(bases.get(y, set()) for y in p)) for x in p}


def of_blocks(trees: Iterable[Node]) -> set[str]:
    r"""The letters of blocks, the b of \Sigma_{bb}^{-1} and the a of \Sigma_{ab}."""
    inverted: dict[str, set[str]] = {}
    pairs: dict[str, list[set[str]]] = {}
    for tree in trees:
        for node in map(plain, walk(tree)):
            base = base_name(node.base) if isinstance(node, Scripted) else None
            if base is None or not isinstance(node, Scripted):
                continue
            below = [a for sign, s in node.scripts if sign == "_" for a in atoms(s)]
            letters = [a.text for a in below if is_letter(a)]
            if len(below) != 2 or len(letters) != 2:
                continue
            pairs.setdefault(base, []).append({*letters})
            if letters[0] == letters[1] and any(map(_is_inverse, node.scripts)):
                inverted.setdefault(base, set()).add(letters[0])
    found = {x for base, firm in inverted.items() for pair in pairs[base] if pair & firm
             for x in pair}  # fmt: skip
    return found - CUSTOM


def _is_inverse(script: tuple[str, Node]) -> bool:
    match script:
        case ("^", Addition(parts=((-1, Number(text="1")),))):
            return True
    return False


def marks(statements: Iterable[tuple[Node, Context]], known: Set[str]) -> set[tuple[str, str]]:
    """The ω, n of ω_n beside x_{n+1}, the R, h of R_h: the letter is no index of that name.

    Some equation cannot mean an index by it, nor by the other letters below the name, and where
    one can, all that bear the letter are such names; or an equation defines K_h where the K_i are
    summed.
    """
    beside: dict[str, set[str]] = {}  # name → all that stands below it
    none: set[tuple[str, str]] = set()
    maybe: list[set[tuple[str, str]]] = []  # what bears a letter that may be an index there
    defined: set[tuple[str, str]] = set()
    strange: set[tuple[str, str]] = set()  # whose letter is no index in some equation
    every: set[tuple[str, str]] = set()
    plainly: set[str] = set()  # names without scripts
    found = list(statements)
    counted = {x for tree, here in found for x in (*here.summed, *_counted(tree))}
    for tree, here in found:
        own: Counter[tuple[str, str]] = Counter()
        letters: Counter[str] = Counter()
        for node in map(plain, walk(tree)):
            if not isinstance(node, Scripted):
                continue
            base = base_name(node.base)
            for sign, script in node.scripts:
                letters.update(n.text for n in walk(script) if is_letter(n))
                if base is not None and sign == "_":
                    name = script.text if is_letter(script) else ""
                    beside.setdefault(base, set()).add(name)
            if (mark := marked(node)) is not None:
                own[mark] += 1
        wrong = _impossible(tree.sides) if _tells(tree) else set[str]()
        strange |= {m for m in own if m[1] in wrong}
        every |= own.keys()
        plainly |= {n.text for n in _alone(tree)}
        word = isinstance(tree, Chain) and isinstance(
            tree.sides[1], Name
        )  # x_q = Cat is an example
        left = marked(tree.sides[0]) if wrong and isinstance(tree, Chain) and not word else None
        defined |= {left} if left is not None and left[1] in wrong else set()
        listed = {n.letter.text for n in walk(tree) if isinstance(n, Stack)}
        for mark, count in own.items():
            letter = mark[1]
            alone = letters[letter] == count and letter not in here.summed | listed
            if letter in wrong and (alone or letter not in counted):
                none.add(mark)
            else:
                firm = {("", "")} if letter in counted else set[tuple[str, str]]()
                maybe.append(firm | {m for m in own if m[1] == letter})
    none = {mark for mark in none if mark[1] not in known}
    values = _of_values({base for base, _ in strange} & plainly, every, CUSTOM | counted | known)
    custom = CUSTOM - {"m"} - counted
    labelled = {base for base, x in none if x not in custom}
    none = {  # x_i = a may be said of every i; the i of K_i beside K_m is a label too
        (base, x)
        for base, x in none
        if x not in custom or (base in labelled and (base, x) not in defined)
    }
    while True:
        kept = {
            (base, x)
            for base, x in none
            if all((base, y) in none or y in known for y in beside[base])
            or ((base, x) in defined and x not in counted)
        }
        kept -= set().union(*(marks for marks in maybe if not marks <= kept))
        if kept == none:
            return none | values
        none = kept


def _of_values(
    bases: Set[str], every: Set[tuple[str, str]], counted: Set[str]
) -> set[tuple[str, str]]:
    """The T_a and T_d of values of a T, and the t_d of T(t_d) = T_d: labels of one quantity."""
    below = {base: {x for b, x in every if b == base} for base in bases}
    letters = set().union(*(x for x in below.values() if not x & counted))
    return {m for m in every if m[1] in letters}


def loose(
    unread: Iterable[Node],
    statements: Iterable[tuple[Node, Context]],
    named: Collection[str] = (),
) -> frozenset[tuple[str, str]]:
    """The x, q of q = W x_q, which no index can be, where q counts nothing and no left side has it.

    All that bear the letter alone are such names then.  An i, j, … is one where words name it.
    """
    found = list(statements)
    counted = {x for tree, here in found for x in (*here.summed, *_counted(tree))}
    counted |= {m[1] for tree, _ in found for m in _bound(tree)} - {*named}
    plainly = (t for t in unread if _tells(t) and not [*_bound(t)])
    wrong = {x for tree in plainly for x in _impossible(tree.sides)}
    every = {m for tree, _ in found for n in walk(tree) if (m := marked(n)) is not None}
    return frozenset(m for m in every if m[1] in wrong - counted - (CUSTOM - {*named}))


def _bound(tree: Node) -> Iterator[tuple[str, str]]:
    """y and i of y_i = …; of ∂L/∂u_c = … nothing, where c may name u as well."""
    left = tree.sides[0] if isinstance(tree, Chain) else None
    for node in walk(left) if left is not None and not isinstance(left, Fraction) else ():
        mark = marked(node)
        if mark is not None and (len(mark[1]) == 1 or mark[1] in GREEK):  # not σ_pos
            yield mark


def words(trees: Iterable[Node]) -> set[str]:
    """The mv of w_{mv} and the in of V_{in} beside V_{out}: letters that stand nowhere else."""
    found = [tree for tree in trees if isinstance(tree, Chain)]
    torn: set[str] = set()
    alone: set[str] = set()
    bases: dict[str, set[str]] = {}
    named = {b for tree in found for n in walk(tree) if (b := _labelled(n))}  # the R of R_f
    for tree in found:
        runs = [(n, run) for n in walk(tree) if (run := _run(n))]
        for node, run in runs:
            bases.setdefault(base_name(node.base) or "", set()).add(run)  # type: ignore[attr-defined]
        for run in {run for _, run in runs}:
            rest = _with(tree, run, "")
            scripts = [s for n in walk(rest) if isinstance(n, Scripted) for _, s in n.scripts]
            others = {x for script in scripts for x in letters_of(atoms(script))}
            if others & set(run) or run == run[0] * len(run):
                torn.add(run)
            sides = tuple(_with(side, run, run) for side in tree.sides)
            if _tells(tree) and run in _impossible(sides) | _opposed(sides):
                alone.add(run)
    custom = {run for run in alone if set(run) <= CUSTOM}
    long = {run for rows in bases.values() for run in rows if len(run) > 2 and run not in torn}
    beside = {run for b, rows in bases.items() if rows & long or b in named for run in rows}
    return (alone - torn - (custom - beside)) | _alleles(found)


def _labelled(node: Node) -> str:
    """The name with one letter below it that is no index by custom."""
    mark = marked(node)
    return mark[0] if mark is not None and mark[1] not in CUSTOM else ""


def _alleles(trees: Iterable[Node]) -> set[str]:
    """The AA, Aa and aa of w_{AA}, w_{Aa}, w_{aa}: letters that differ as capitals alone.

    None of them is an index, so none may count elsewhere.
    """
    found = list(trees)
    beside: dict[tuple[str, str], set[str]] = {}
    for node in (n for tree in found for n in walk(tree)):
        if run := _run(node, True):
            base = base_name(node.base) or ""  # type: ignore[attr-defined]
            beside.setdefault((base, run.lower()), set()).add(run)
    kinds = [runs for runs in beside.values() if len({*map(_spelling, runs)}) > 1]
    alike = set[str]().union(*kinds)
    counted = {x for tree in found for x in _counted(as_words(tree, alike))} if alike else set()
    return {run for runs in kinds for run in runs if not counted & set("".join(runs))}


def _spelling(run: str) -> tuple[str, ...]:
    """The same for Aa and aA."""
    return tuple(sorted(run))


def bracketed(trees: Iterable[Node]) -> set[tuple[str, str]]:
    """The x and p of x^p beside x^{(p)}, where p stands nowhere else."""
    plainly, labels, others = set[tuple[str, str]](), set[tuple[str, str]](), set[str]()
    for tree in trees:
        own = set[int]()  # the letters above a name
        for node in map(plain, walk(tree)):
            if not isinstance(node, Scripted) or (base := base_name(node.base)) is None:
                continue
            for sign, script in node.scripts:
                for a in atoms(script) if sign == "^" else ():
                    inner = a.items[0] if isinstance(a, Group) and len(a.items) == 1 else a
                    if is_letter(inner):
                        (plainly if inner is a else labels).add((base, inner.text))
                        own.add(id(inner))
        others |= {n.text for n in walk(tree) if isinstance(n, Name) and id(n) not in own}
    return {(base, p) for base, p in plainly & labels if p not in others}


def in_brackets(tree: Node, found: Set[tuple[str, str]]) -> Node:
    """The tree with x^{(p)} for x^p."""

    def change(node: Node) -> Node:
        whole = plain(node)
        if not isinstance(whole, Scripted):
            return node
        base = base_name(whole.base)
        scripts = tuple((sign, _bracketed(s) if sign == "^" and _is(s, base, found) else s)
                        for sign, s in whole.scripts)  # fmt: skip
        return node if scripts == whole.scripts else replace(whole, scripts=scripts)

    return replaced(tree, change)


def left_out(tree: Node) -> Node:
    r"""The tree with \hat\beta_{\mathrm{without}, i} for \hat\beta_{(-i)}, of all data but i."""

    def change(node: Node) -> Node:
        if not isinstance(node, Scripted):
            return node
        scripts = tuple((sign, _left_out(x) if sign == "_" else x) for sign, x in node.scripts)
        return node if scripts == node.scripts else replace(node, scripts=scripts)

    return replaced(tree, change)


def _left_out(script: Node) -> Node:
    match script:
        case Group(bracket="{", items=(inner,)):
            told = _left_out(inner)
            return script if told is inner else told
        case Group(bracket="(", items=(Addition(at=at, parts=((-1, one),)),)) if is_letter(one):
            return Group(at, "{", (Name(at, "without", "upright"), one))
    return script


def _is(script: Node, base: str | None, found: Set[tuple[str, str]]) -> bool:
    own = atoms(script)
    return len(own) == 1 and isinstance(own[0], Name) and (base, own[0].text) in found


def _bracketed(script: Node) -> Node:
    return Group(script.at, "{", (Group(script.at, "(", tuple(atoms(script))),))


def policies(trees: Iterable[Node]) -> set[str]:
    """The π of π(a | s), which names V^π where it stands above other names."""
    given = (call.name for tree in trees for _, _, call in calls(tree) if call.given)
    named = (base_name(stem(name)) for name in given)
    return {name for name in named if name is not None and is_letter(Name(0, name))}


def as_policies(tree: Node, found: Set[str]) -> Node:
    r"""The tree with V_\mathrm{pi} for V^\pi."""

    def change(node: Node) -> Node:
        match node:
            case Scripted(base=base, scripts=scripts) if base_name(base) not in (None, "e"):
                told = tuple(("_", _word(s)) if _named(sign, s) else (sign, s)
                             for sign, s in scripts)  # fmt: skip
                return node if told == scripts else Scripted(node.at, base, told)
        return node

    def _named(sign: str, script: Node) -> bool:
        return sign == "^" and base_name(stem(script)) in found

    return rebuilt(tree, change) if found else tree


def _word(node: Node) -> Name:
    letters = (n.text for n in walk(node) if isinstance(n, Name | Number))
    return Name(node.at, "_".join(letters), "upright")


def as_words(tree: Node, found: Set[str]) -> Node:
    """The tree with these letters below names as words."""

    def change(node: Node) -> Node:
        if (run := _run(node, True)) not in found:
            return node
        assert isinstance(node, Scripted)
        scripts = tuple(
            (sign, Name(script.at, run, "upright") if sign == "_" else script)
            for sign, script in node.scripts
        )
        return Scripted(node.at, node.base, scripts)

    return replaced(tree, change) if found else tree


def _run(node: Node, capitals: bool = False) -> str:
    """The letters in a row that are all that stands below a name; empty for none.

    With `capitals` these count too, and so does a letter by itself.
    """
    if not isinstance(node, Scripted) or base_name(node.base) in (None, "delta", "epsilon"):
        return ""
    below = [s for sign, s in node.scripts if sign == "_"]
    match below:
        case [Product(parts=parts)] if all(op == "" for op, _ in parts):
            letters = [p.text for _, p in parts if is_letter(p) or (capitals and _is_capital(p))]
            plainly = all(len(x) == 1 for x in letters)
            return "".join(letters) if plainly and len(letters) == len(parts) > 1 else ""
        case [Name(text=text) as one] if capitals and (is_letter(one) or _is_capital(one)):
            return text if len(text) == 1 else ""
    return ""


def _is_capital(node: Node) -> TypeGuard[Name]:
    return isinstance(node, Name) and not node.style and len(node.text) == 1 and node.text.isupper()


def _with(tree: Node, run: str, letter: str) -> Node:
    """The tree with one letter, or none, in place of such a run: w_{mv} with mv as one."""

    def change(node: Node) -> Node:
        if _run(node) != run or not isinstance(node, Scripted):
            return node
        scripts = tuple((s, Name(x.at, letter) if s == "_" else x) for s, x in node.scripts)
        return Scripted(node.at, node.base, scripts if letter else ())

    return replaced(tree, change)


def _tells(tree: Node) -> TypeGuard[Chain]:
    """True for an equation between names: R_{ab} = 0 tells nothing of a and b."""
    if not isinstance(tree, Chain) or tree.relations[0][0] not in EQUATED:
        return False
    if len(tree.sides) == 2 and isinstance(tree.sides[1], Matrix):  # one of the Pauli matrices
        return True
    return all(any(isinstance(n, Name) for n in walk(side)) for side in tree.sides)


def exponents(statements: Iterable[tuple[Node, Context]], whole: Collection[str] = ()) -> set[str]:
    """The γ of p V_i^γ and the a of a x^{a-1}: alone above names, and numbers elsewhere.

    Letters that are indices as a rule, x^n, where one equation can mean no index by it.  In
    x^{-α} and n^{1/α} none is one, nor is any of b^{a x} in an equation for f(x), nor an n that
    words call `whole`, even or odd.
    """
    statements = [*statements]
    above: set[str] = set()
    surely: set[str] = set()
    counting = _counting(tree for tree, _ in statements)
    loose: set[str] = set()
    others: set[str] = set()
    numbers: set[str] = set()
    powers: set[str] = set()
    ends: set[str] = set()
    tops: dict[str, set[str]] = {}  # what stands above a name
    for tree, here in statements:
        call = defined(tree)
        own = {x for a in call.items if (x := base_name(a))} if call is not None else set()
        others |= here.summed
        powers |= {x for n in walk(tree) for x in _powers(n)}
        loose |= summation.dangling(tree, here) if _tells(tree) else set()
        todo = [tree]
        while todo:
            node = plain(todo.pop())
            if isinstance(node, Product | Addition):  # and not the α = 0, 1, 2 of an index
                numbers |= {p.text for _, p in node.parts if isinstance(p, Name)}
            if isinstance(node, Fraction):
                numbers |= {p.text for p in (node.top, node.bottom) if isinstance(p, Name)}
            if not isinstance(node, Scripted) or isinstance(node.base, Symbol):
                ends |= _ends(node)
                todo += children(node)
                continue
            for sign, script in node.scripts:
                if sign == "^" and (base := base_name(node.base)) is not None:
                    tops.setdefault(base, set()).add(getattr(plain(script), "text", "?"))
            todo += [node.base] if base_name(node.base) is None else []
            for sign, script in node.scripts:
                alone = sign == "^" and isinstance(script, Name) and is_letter(script)
                power = sign == "^" and _is_formula(script)
                letters = {*letters_of(atoms(script))}
                if alone and isinstance(node.base, Group) and letters <= factors(tree) - counting:
                    surely |= letters  # F(x)^n beside F(n x)
                if sign == "^" and base_name(node.base) and not counting & letters:
                    product = (
                        isinstance(script, Product) and {*map(_letter, script.parts)} == letters
                    )
                    if _is_turned(script) or (product and own & letters):
                        surely, power = surely | letters, True
                above |= {*letters_of(atoms(script))} if alone else set()
                todo += [script] if power else []
                others |= set() if alone or power else set(letters_of(atoms(script)))
    raised = {x for x in above & numbers if x in GREEK or x in RAISED or x in loose}
    raised |= {x for x in above & ends if all(t <= {x, "2"} for t in tops.values() if x in t)}
    raised |= above & {*whole}
    return (raised | surely | (powers & loose)) - others - {"mu", "nu"}


def _counting(trees: Iterable[Node]) -> set[str]:
    """The letters below names, which may be indices above them."""
    nodes = (n for tree in trees for n in walk(tree) if isinstance(n, Scripted))
    below = (s for n in nodes for sign, s in n.scripts if sign == "_")
    return {x for s in below for x in letters_of(atoms(s))}


def _letter(factor: tuple[str, Node]) -> str:
    """The x of a factor that is one; empty for any other."""
    operator, node = factor
    return node.text if not operator and isinstance(node, Name) and is_letter(node) else ""


def _is_turned(script: Node) -> bool:
    """True for -α and 1/α, and for no k - 1."""
    if isinstance(script, Addition):
        return len(script.parts) == 1 and script.parts[0][0] < 0
    parts = script.parts if isinstance(script, Product) else ()
    return isinstance(script, Fraction) or any(op == "/" for op, _ in parts)


def _ends(node: Node) -> set[str]:
    """The n of Σ_{i=1}^n and ∏_{i=1}^n."""
    match node:
        case Scripted(base=Symbol(kind="sum" | "prod"), scripts=scripts):
            return {s.text for sign, s in scripts if sign == "^" and isinstance(s, Name)}
    return set()


def _powers(node: Node) -> set[str]:
    """The k of a^k + b^k, above two names in two terms."""
    above: dict[str, set[str]] = {}
    for _, term in node.parts if isinstance(node, Addition) else ():
        for factor in term.parts if isinstance(term, Product) else (("", term),):
            match plain(factor[1]):
                case Scripted(base=Name(text=base), scripts=(("^", Name() as x),)) if is_letter(x):
                    above.setdefault(x.text, set()).add(base)
    return {x for x, bases in above.items() if len(bases) > 1}


RAISED = frozenset("abcpqrsuvw")  # Latin letters that may be exponents: u = x^a y^b


def _is_formula(script: Node) -> bool:
    """True for γ - 1, 1/γ, 2γ and sin γ."""
    if isinstance(script, Product):
        signs = (isinstance(p, Symbol) and p.kind == "function" for _, p in script.parts)
        return any(signs) or any(op == "/" or isinstance(p, Number) for op, p in script.parts)
    return isinstance(script, Addition | Fraction)


def marked(node: Node) -> tuple[str, str] | None:
    """x and i of x_i and x_i^2, where one letter is all that stands below."""
    node = plain(node)
    base = base_name(node.base) if isinstance(node, Scripted) else None
    if base is None or not isinstance(node, Scripted):
        return None
    below = [a for sign, s in node.scripts if sign == "_" for a in atoms(s)]
    if len(below) != 1 or not isinstance(below[0], Name) or below[0].style:
        return None
    letter = below[0].text
    return (base, letter) if letter[:1].islower() else None


def _counted(tree: Node) -> Iterator[str]:
    """Letters that count: beside others below a name, above one, i + 1, under a sum, in i = 1."""
    for node in walk(tree):
        node = plain(node)
        if isinstance(node, Stack):
            yield node.letter.text
        if isinstance(node, Group) and node.bracket == "[":  # [i = j], and not exp[y]
            yield from (n.text for i in node.items if isinstance(i, Chain) for n in walk(i)
                        if is_letter(n))  # fmt: skip
        if (mask := condition_of(node)) is not None:
            yield from (n.text for n in walk(mask) if is_letter(n))
        if not isinstance(node, Scripted):
            continue
        named = base_name(node.base) is not None or is_nabla(node)
        for sign, script in node.scripts:
            found = atoms(script)
            if sign == "_" and named and len(found) == 1 and is_letter(found[0]):
                continue
            if not named and isinstance(script, Chain):  # the k of Σ_{j ∈ C_k}
                yield from (m[1] for n in walk(script) if (m := marked(n)) is not None)
            plainly = [replaced(a, base_of) for a in found]  # not the f of e^{-E_f}
            yield from letters_of(plainly) if base_name(node.base) != "e" else ()
    if isinstance(tree, Chain):
        kinds = [r for r, _ in tree.relations]
        for side in tree.sides:  # i = 1, …, n and 1 ≤ i ≤ n
            if is_letter(side) and (len(kinds) > 1 or kinds[0] in ("∈", "<", "≤", ">", "≥", "≠")):
                yield side.text
            if is_letter(side) and any(isinstance(s, Number) for s in tree.sides):
                yield side.text


@dataclass
class _Use:
    """The letters of an expression, read as indices."""

    free: set[str] = field(default_factory=set)
    summed: set[str] = field(default_factory=set)
    wrong: set[str] = field(default_factory=set)  # no index can stand so

    def join(self, other: _Use) -> None:
        """What stands beside as another term."""
        self.wrong |= other.wrong | (self.free & other.summed) | (self.summed & other.free)
        self.free |= other.free
        self.summed |= other.summed


def _impossible(sides: tuple[Node, ...]) -> set[str]:
    """The letters that no index could be in an equation."""
    left = plain(sides[0])
    own = {m[1] for n in walk(left) if (m := marked(n))} if _names(left) else set[str]()
    numbers = {n.text for side in sides[1:] for n in _alone(side)}  # E_n = n + 1/2
    uses = [_use(side, own) for side in sides]
    found = {x for use in uses for x in use.wrong}
    right = set[str]().union(*(u.free | u.summed for u in uses[1:]))
    if own:
        return found | (own - right - numbers) | {x for u in uses[1:] for x in u.free - own}
    first = uses[0].free
    return found | {x for u in uses[1:] for x in u.free ^ first}


def _alone(node: Node) -> Iterator[Name]:
    """The names without scripts."""
    if isinstance(node, Name):
        yield node
    for child in () if isinstance(node, Scripted) and base_name(node.base) else children(node):
        yield from _alone(child)


def _names(left: Node) -> bool:
    """True for a left side that binds its letters: y_i, and ∂L/∂x_i."""
    if isinstance(left, Scripted):
        return base_name(left.base) is not None
    return isinstance(left, Fraction) and varies(left.bottom)


def _use(node: Node, own: set[str]) -> _Use:
    node = plain(node)
    found = _Use()
    if (mark := marked(node)) is not None:
        found.free.add(mark[1])
        return found
    if isinstance(node, Product):
        before: _Use = found
        for op, part in node.parts:
            use = _use(part, own)
            shared = before.free & use.free - own
            if op == "/":
                before.wrong |= shared
            again = (before.summed & (use.free | use.summed)) | (before.free & use.summed)
            before.wrong |= use.wrong | (again - own)
            before.summed |= use.summed | shared
            before.free = (before.free | use.free) - shared
        return before
    if isinstance(node, Fraction):
        top, bottom = _use(node.top, own), _use(node.bottom, own)
        both = (top.free | top.summed) & (bottom.free | bottom.summed) - own
        found.wrong = top.wrong | bottom.wrong | both
        found.free, found.summed = top.free | bottom.free, top.summed | bottom.summed
        return found
    for child in children(node):
        found.join(_use(child, own))
    return found


def varies(node: Node) -> bool:
    """True for ∂x_i and dx, which something is differentiated by."""
    return any(
        (isinstance(n, Symbol) and n.kind == "partial") or (isinstance(n, Name) and n.text == "d")
        for n in walk(node)
    )


def _opposed(sides: tuple[Node, ...]) -> set[str]:
    """The a and b of m_a v_a + m_b v_b: the same names in two terms, with another letter each."""
    found: set[str] = set()
    left = {m[1] for n in walk(sides[0]) if (m := marked(n))} if _names(plain(sides[0])) else set()
    rows = [([p for _, p in n.parts], left)
            for s in sides for n in walk(s) if isinstance(n, Addition)]  # fmt: skip
    rows += [([n.top, n.bottom], left) for s in sides for n in walk(s) if isinstance(n, Fraction)]
    for row, own in (*rows, (sides, set[str]())):
        for first, second in combinations(map(_marks, row), 2):
            for (x, bases), (y, others) in product(first.items(), second.items()):
                apart = x != y and x not in second and y not in first and not {x, y} & own
                if apart and bases == others and (not {x, y} <= CUSTOM or bases.total() > 1):
                    found |= {x, y}
    return found


def _marks(term: Node) -> dict[str, Counter[str]]:
    """For every letter of a term, the names that bear it."""
    found: dict[str, Counter[str]] = {}
    for node in walk(term):
        if (mark := marked(node)) is not None:
            found.setdefault(mark[1], Counter())[mark[0]] += 1
    return found
