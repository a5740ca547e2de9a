r"""Sequences: what a section says of x_t for every t, and what it then claims of them.

A rule says what x_t is: it goes on from the step before it (a_{n+1} = q a_n) or from the one behind
it (V_t = r_t + γ V_{t+1}), or it stands there outright, as a sum over steps, Σ_k γ^k r_{t+k}, by
how often something was done (a_n = c q^n), or in terms of others.  The first rule of a name is its
definition, what comes behind it a claim.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from .at_numbers import AtNumber, Said
from .counted import (
    called,
    counting,
    counts,
    inside,
    is_series,
    names_of,
    runs_along,
    stepped,
)
from .ellipsis import expanded
from .states import as_sequences
from .steps import step_of
from .tree import Chain, Node, Number, Scripted, Symbol, is_equation, spelled, walk
from .vocabulary import ROUNDS

BEFORE, BEHIND, OUTRIGHT, PLAIN, CONSTANT = "before", "behind", "outright", "plain", "constant"
MOST = 8  # steps from the first value to one that is claimed


KNOWN = ("pi", "e", *ROUNDS)  # what these mean they mean beside whole numbers


@dataclass(frozen=True)
class Rule:
    """x_{t + shift} = right, in the line `place`; a constant has no step."""

    name: str
    letter: str
    shift: int
    right: Node
    kind: str
    place: int


@dataclass(frozen=True)
class ClosedForm:
    """x_t = F, with x_{t + shift} = G(x_{t + shift - 1}), and with x_first = c where that is said.

    `recursion` is where that stands, `places` are its line and that of the first value; `tied`
    where something else is said of its names.
    """

    name: str
    letter: str
    form: Node
    shift: int
    goes_on: Node
    first: tuple[int, Node] | None
    constants: tuple[Rule, ...]
    recursion: int
    places: tuple[int, ...]
    tied: bool = False


@dataclass(frozen=True)
class Values:
    """x_3 = F = …, where rules make numbered steps of first values, those in `firsts`."""

    sides: tuple[Node, ...]
    rules: tuple[Rule, ...]
    firsts: dict[tuple[str, int], Node | None]  # None for itself
    places: tuple[int, ...]
    tied: bool = False

    @property
    def said(self) -> tuple[Node, ...]:
        """What it rests on."""
        return (*(r.right for r in self.rules), *filter(None, self.firsts.values()))


@dataclass(frozen=True)
class Consequence:
    """a = b = … of sequences of which rules say what they are; `own` is the x of x_t = …

    Of no sequence is what is said of whole numbers, cos(π n) = (-1)^n, with their `letter`.
    With `defines` a = b is such a rule itself, with `again` another one.  `floor` is the step
    x_{t+c} from which on a rule that goes on is not put in: -2 of x_t = … x_{t-2} …
    """

    sides: tuple[Node, ...]
    letter: str
    own: str
    rules: tuple[Rule, ...]
    places: tuple[int, ...]
    tied: bool = False
    defines: bool = False
    floor: int | None = None
    again: bool = False
    kinds: tuple[tuple[str, int, int], ...] = ()  # n, 2, 0 where its sentence speaks of even n
    asserted: bool = False  # it does, so that this is no condition


Claim = ClosedForm | Consequence | Values | AtNumber


@dataclass
class _Section:
    """What a section has said so far."""

    rules: dict[str, list[Rule]] = field(default_factory=lambda: defaultdict(list))
    starts: dict[str, list[tuple[int, Node, int]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    facts: list[set[str]] = field(default_factory=list)  # the names of other equations
    whole: frozenset[str] = frozenset()  # names that words say are whole numbers

    def tied(self, names: set[str]) -> bool:
        """Whether more is said of these names than the one rule of each says."""
        several = any(len({spelled(r.right) for r in self.rules.get(n, ())}) > 1 for n in names)
        return several or any(fact <= names for fact in self.facts)

    def rule(self, name: str) -> Rule | None:
        """The last rule of a name."""
        return self.rules[name][-1] if name in self.rules else None


def gather(
    trees: Iterable[Node],
    section: Callable[[int], int],
    said: Iterable[Said] = (),
    whole: Iterable[str] = (),
) -> tuple[dict[int, Claim], dict[int, Rule]]:
    """The claims of a text and the rules that they rest on, by their places.

    `said` are the numbers that sequences are said to be, `whole` names that are whole numbers.
    """
    numbers = frozenset(whole)
    plain = as_sequences([expanded(t) for t in trees if is_equation(t)])
    every = [t for t in plain if isinstance(t, Chain)]
    sections: dict[int, _Section] = defaultdict(lambda: _Section(whole=numbers))
    claims: dict[int, Claim] = {}
    rules: dict[int, Rule] = {}
    begun = {t.at for t in every if _enter(t, sections[section(t.at)])}
    for tree in every:
        here = sections[section(tree.at)]
        claim = _claim(tree, here)
        rule = None if claim is not None else _rule(tree, here)
        if claim is not None:
            claims[tree.at] = claim
        elif rule is not None:
            again = _goes_on_as(tree, rule, here)
            here.rules[rule.name].append(rule)
            rules[tree.at] = rule
            if again is not None:
                claims[tree.at] = again
            elif len(tree.sides) > 2 and (more := _claim(tree, here, True)):
                assert isinstance(more, Consequence)
                claims[tree.at] = replace(more, defines=True)  # S_n = Σ_k k = n (n + 1) / 2
        elif tree.at not in begun:
            here.facts.append(names_of(tree))
    for one in said:
        at_number = _at_number(one, sections[section(one.tree.at)], every)
        if at_number is not None:
            claims[one.tree.at] = at_number
    elsewhere: dict[str, set[int]] = defaultdict(set)
    for at, rule in rules.items():
        elsewhere[rule.name].add(section(at))
    for at, claim in claims.items():
        apart = (elsewhere.get(name, set()) - {section(at)} for name in named(claim))
        if any(apart):
            claims[at] = replace(claim, tied=True)
    return claims, {at: r for at, r in rules.items() if r.kind not in (PLAIN, CONSTANT)}


def _at_number(one: Said, here: _Section, every: Iterable[Chain]) -> AtNumber | None:
    """The claim that x_10 is a number, where a rule before it says what x_n is."""
    name, _ = stepped(one.tree.sides[0])
    if not (rule := here.rule(name)) or rule.kind != OUTRIGHT or rule.place > one.tree.at:
        return None
    rules = tuple(r for r in _reached(one.tree, here) if r.name not in dict(one.given))
    places = tuple(r.place for r in rules)
    tied = any(r.place > one.tree.at for r in rules)
    forms: list[Rule] = []
    for tree in every:
        own, step = stepped(tree.sides[0])
        where = step_of(step) if own == name and step is not None else None
        if where is not None and rule.place <= tree.at < one.tree.at:
            forms += [Rule(name, *where, side, OUTRIGHT, tree.at) for side in tree.sides[1:]]
    return AtNumber(one.tree.sides, rules, (*forms,), one.given, places, tied)


def named(claim: Claim) -> set[str]:
    """The names of a claim, and of what it rests on."""
    if isinstance(claim, ClosedForm):
        trees = [claim.form, claim.goes_on, *(r.right for r in claim.constants)]
    elif isinstance(claim, Values):
        trees = [
            *claim.sides,
            *(r.right for r in claim.rules),
            *filter(None, claim.firsts.values()),
        ]
    else:
        trees = [*claim.sides, *(r.right for r in claim.rules)]
    return {name for tree in trees for name in names_of(tree)}


def _enter(tree: Chain, here: _Section) -> bool:
    """Enter a_0 = c, and both of a_0 = b_0 = c, where it says that."""
    entered = False
    for side, behind in reversed([*pairwise(tree.sides)]):
        name, own = stepped(side)
        if not (isinstance(own, Number) and own.text.isdigit()) or _of(name, behind):
            entered = False
            continue
        other, at = stepped(behind)
        known = here.starts[other][-1][1] if entered and isinstance(at, Number) else behind
        here.starts[name].append((int(own.text), known, tree.at))
        entered = True
    return entered


def _rule(tree: Chain, here: _Section) -> Rule | None:
    """The rule that an equation is."""
    left, right = tree.sides[:2]
    name, own = stepped(left)
    where = step_of(own) if own is not None and not isinstance(own, Number) else None
    if where is None:
        plainly = called(left)
        bound = _summed(right)
        found = (s for _, s in map(inside, walk(right)) if s is not None and _is_step(s))
        steps = any(not names_of(s) <= bound for s in found)
        signs = any(isinstance(n, Symbol) for n in walk(right)) and not _endless(tree)
        if not plainly or steps or signs or any(called(n) == plainly for n in walk(right)):
            return None
        return Rule(plainly, "", 0, right, CONSTANT, tree.at)
    letter, shift = where
    before = [step_of(s) for s in _of(name, right, but_first=True)]
    if not before:
        kind = OUTRIGHT if counts(right, letter) else PLAIN
    elif {*before} == {(letter, shift - 1)}:
        kind = BEFORE
    elif {*before} == {(letter, shift + 1)}:
        kind = BEHIND
    else:
        return None
    return Rule(name, letter, shift, right, kind, tree.at)


def _claim(tree: Chain, here: _Section, defines: bool = False) -> Claim | None:
    """What an equation claims of sequences, or its later links; None where it says what one is."""
    name, own = stepped(tree.sides[0])
    if value := _value(tree, name, here):
        return value
    where = step_of(own) if own is not None and not isinstance(own, Number) else None
    known = here.rule(name) if name and where is not None else None
    if where is not None and known is None:
        return None
    if known is not None and where is not None and known.kind in (BEFORE, BEHIND):
        return _closed_form(tree, known, where, here) or _unfolded(tree, known, where, here)
    rules = {r.name: r for r in _reached(tree, here)}
    letters = {r.letter for r in rules.values() if r.kind != CONSTANT}
    plainly = called(tree.sides[0])
    constants = [r.right for r in rules.values() if r.kind == CONSTANT]
    endless = any(map(_endless, (tree, *constants)))
    if plainly and endless and not defines and plainly not in rules:
        return None  # L = Σ_k k q^k says what L is
    series = is_series(tree) or endless
    if where is None and not letters and series:
        return replace(_series(tree, rules), tied=here.tied(names_of(tree)))
    own_letters = sorted(here.whole & names_of(tree))
    if not letters and len(own_letters) == 1 and not (plainly or series):
        made = Consequence(tree.sides, own_letters[0], "", (*rules.values(),), _places(rules))
        others = set[str]().union(*map(names_of, tree.sides)) - {own_letters[0], *KNOWN}
        return replace(made, tied=not others <= rules.keys())
    if len(letters) != 1:
        return None
    over = any(r.kind == OUTRIGHT for r in rules.values())
    if not over and not any(runs_along(tree, letter) for letter in letters):
        return None
    whose = name if where is not None else ""
    made = Consequence(tree.sides, letters.pop(), whose, (*rules.values(),), _places(rules))
    names = named(made)
    goes_on = any(r.kind in (BEFORE, BEHIND) for n in names if (r := here.rule(n)))
    of_known = _is_of_known(made)
    if whose and not (of_known or defines):  # another rule
        return None
    return replace(made, tied=goes_on or here.tied(names) or not of_known)


def _unfolded(
    tree: Chain, known: Rule, where: tuple[str, int], here: _Section
) -> Consequence | None:
    """x_t in terms of x_{t-2}, which the rule says where it is put into itself.

    It is not held to be wrong: the rule of another x, or noises that are joined, look like it.
    """
    letter, shift = where
    if known.kind != BEFORE or letter != known.letter:
        return None
    steps = [step_of(s) for side in tree.sides[1:] for s in _of(known.name, side, but_first=True)]
    apart = [c for s in steps if s is not None for x, c in (s,) if x == letter]
    least = min(apart, default=shift - 1)
    if len(apart) < len(steps) or max(apart, default=shift) >= shift:
        return None
    if least == shift - 1 and len(tree.sides) == 2:
        return None
    rules = (known, *(r for r in _reached(tree, here) if r.name != known.name))
    places = tuple(r.place for r in rules)
    return Consequence(tree.sides, letter, "", rules, places, tied=True, floor=least)


def _goes_on_as(tree: Chain, rule: Rule, here: _Section) -> Consequence | None:
    """x_t = g(x_{t-1}) behind another rule for the same step, of which it may be another form."""
    known = here.rule(rule.name)
    if rule.kind != BEFORE or known is None or known.kind != BEFORE or known.letter != rule.letter:
        return None
    rules = (known, *(r for r in _reached(tree, here) if r.name != known.name))
    places = tuple(r.place for r in rules)
    return Consequence(
        tree.sides, rule.letter, "", rules, places, tied=True, floor=rule.shift - 1, again=True
    )


def _summed(tree: Node) -> set[str]:
    """The letters that sums and products run over."""
    signs = (n for n in walk(tree) if isinstance(n, Scripted) and isinstance(n.base, Symbol))
    below = (s for n in signs for sign, s in n.scripts if sign == "_" and isinstance(s, Chain))
    return {called(s.sides[0]) for s in below}


def _endless(tree: Node) -> bool:
    """True for what holds an endless sum."""
    return any(isinstance(n, Symbol) and n.kind == "infty" for n in walk(tree))


def _places(rules: dict[str, Rule]) -> tuple[int, ...]:
    return tuple(r.place for r in rules.values())


def _series(tree: Chain, rules: dict[str, Rule]) -> Consequence:
    return Consequence(tree.sides, "", "", (*rules.values(),), _places(rules))


def _closed_form(
    tree: Chain, known: Rule, where: tuple[str, int], here: _Section
) -> ClosedForm | None:
    name, right = known.name, tree.sides[1]
    begun = [s for s in here.starts[name] if s[2] < tree.at or not s[0]]  # no x_1 of a claim
    begun = [s for s in begun if s[0] == min(b[0] for b in begun)]
    fits = known.kind == BEFORE and (known.letter, 0) == where and len(tree.sides) == 2
    if not fits or _of(name, right, but_first=True) or not counts(right, known.letter):
        return None
    if len({spelled(s[1]) for s in begun}) > 1:
        return None
    first = begun[0] if begun else None
    places = (known.place, first[2]) if first else (known.place,)
    value = first[:2] if first else None
    constants = (*(r for r in _reached(tree, here) if r.kind == CONSTANT),)
    made = ClosedForm(
        *(name, known.letter, right, known.shift, known.right, value, constants),
        recursion=known.place,
        places=places,
    )
    return replace(made, tied=here.tied(named(made))) if _is_of_known(made) else None


def _value(tree: Chain, name: str, here: _Section) -> Values | None:
    """x_3 = F behind x_0 = c, or of an x_0 that is free; not an example in numbers."""
    known, own = here.rule(name), stepped(tree.sides[0])[1]
    if known is None or not isinstance(own, Number) or not all(map(names_of, tree.sides)):
        return None
    rules = (*_reached(tree, here, True),)
    recursions = [r for r in rules if r.kind == BEFORE or r.shift > 0]  # y_{t+1} = c x_t
    if not recursions or any(r.kind == BEHIND for r in rules):
        return None
    begun = {
        r.name: [
            s
            for s in here.starts[r.name]
            if s[2] < tree.at and (r.kind == BEFORE or s[0] < r.shift)
        ]
        for r in recursions
    }
    numbers = {n: _numbers(n, tree) for n in begun}
    firsts = {n: min([*(s[0] for s in begun[n]), *numbers[n], *([0] if n != name else [])])
              for n in begun}  # fmt: skip
    values = {n: {spelled(s[1]): s for s in begun[n] if s[0] == firsts[n]} for n in begun}
    if any(len(v) > 1 for v in values.values()) or int(own.text) == firsts.get(name):
        return None
    if max(max(numbers[n], default=0) - firsts[n] for n in begun) > MOST:
        return None
    said = {n: next(iter(v.values())) for n, v in values.items() if v}
    made = Values(
        tree.sides,
        rules,
        {(n, first): said[n][1] if n in said else None for n, first in firsts.items()},
        (*(r.place for r in rules), *(place for _, _, place in said.values())),
        tied=here.tied(set(begun)),
    )
    return made if _is_of_known(made) else None


def _numbers(name: str, tree: Node) -> list[int]:
    """The numbers at which a name stands in a formula."""
    found = (s.text for s in _of(name, tree) if isinstance(s, Number))
    return [int(s) for s in found if s.isdigit()]


def _is_of_known(claim: Claim) -> bool:
    """True where every name of a claim stands in what is said of its sequences.

    Of another one something may be said elsewhere, or it makes the equation another rule: what
    holds for all of its values holds, and what does not may.
    """
    if isinstance(claim, ClosedForm):
        sides: tuple[Node, ...] = (claim.form,)
        first = (claim.first[1],) if claim.first else ()
        said = (claim.goes_on, *first, *(r.right for r in claim.constants))
        own = {claim.name, *(r.name for r in claim.constants)}
    elif isinstance(claim, Values):
        sides, said = (
            claim.sides,
            (*(r.right for r in claim.rules), *filter(None, claim.firsts.values())),
        )
        own = {r.name for r in claim.rules}
    else:
        sides, said = claim.sides, (*(r.right for r in claim.rules),)
        own = {r.name for r in claim.rules}
    own = own | ({claim.letter} if isinstance(claim, ClosedForm | Consequence) else set())
    known = own | set[str]().union(*map(names_of, said), *map(counting, sides))
    return all(names_of(side) <= known for side in sides)


def _reached(tree: Node, here: _Section, every: bool = False) -> Iterator[Rule]:
    """The rules of the names of a formula, and of those that these are made of.

    With `every` those that go on, too."""
    todo, done = [tree], set[str]()
    while todo:
        for node in walk(todo.pop()):
            name = called(node)
            if not name or name in done:
                continue
            done.add(name)
            if (rule := here.rule(name)) and (every or rule.kind not in (BEFORE, BEHIND)):
                todo.append(rule.right)
                yield rule


def _of(name: str, tree: Node, *, but_first: bool = False) -> list[Node]:
    """The steps at which a name stands in a formula; `but_first` not x_0."""
    found = [s for other, s in map(inside, walk(tree)) if other == name and s is not None]
    return [s for s in found if not (but_first and isinstance(s, Number))]


def _is_step(node: Node) -> bool:
    return not isinstance(node, Number) and step_of(node) is not None


__all__ = ["AtNumber", "Claim", "ClosedForm", "Consequence", "Rule", "Values", "gather", "named"]
