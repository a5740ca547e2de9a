r"""What the scripts of a name say: indices, labels that are part of it, a power, a transpose."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..explain.naming import GREEK
from .names import (
    CONVENTIONAL_SIZES,
    COORDINATES,
    PARAMETERS,
    Context,
    Names,
    atoms,
    base_name,
    implied,
    indices,
    is_letter,
    letters_of,
    multiple,
    plain,
)
from .source import ReadError
from .tree import (
    Accent,
    Addition,
    Given,
    Group,
    Name,
    Node,
    Number,
    Product,
    Scripted,
    Symbol,
    base_of,
    walk,
)
from .versions import counted

COUNTERS = frozenset("kmnt")  # letters of steps, which stand above numbers as well


@dataclass(slots=True, unsafe_hash=True)  # many are made, and none is changed
class Component:
    """A name with its indices, and what else its scripts say."""

    at: int
    name: str
    slots: tuple[Node, ...] = ()
    power: Node | None = None
    transposed: bool = False
    written: str = ""  # the name as it stands in the text, before sections tell it apart
    literal: bool = False  # a name and nothing else, also where it is called e, pi or delta
    raised: bool = False  # the power stands before the indices: A^{-1}_{ij}


def component(node: Node, names: Names, here: Context) -> Component | None:
    """How a name with scripts is read; None for what is not a name.

    Raises ReadError for scripts that mean nothing, or two things.
    """
    node = plain(node)
    inner = base_of(node)
    base = base_name(inner)
    if base is None:
        return None
    stem, accent = base, ""
    while isinstance(inner, Accent):
        stem, _, mark = stem.rpartition("_")
        accent = f"{mark}_{accent}" if accent else mark
        inner = inner.body
    style = inner.style if isinstance(inner, Name) else ""
    if not isinstance(node, Scripted) or not node.scripts:
        return _unscripted(node.at, base, inner, names)
    found = _Scripts(names, here, base, stem, accent, style, node)
    for sign, script in found.scripts:
        found.script(sign, script)
    slots = (*found.upper, *found.lower)  # \Gamma_{ab}^c and \Gamma^c_{ab} look the same
    if (
        found.stem in names.metrics
        and len(slots) == 2
        and all(sign == "^" for sign, _ in found.scripts)
    ):
        found.stem = names.inverse(found.stem, node.at)
    if found.stem in names.positions and slots and any(sign == "_" for sign, _ in found.scripts):
        places = "".join("ud"[sign == "_"] * len(atoms(s)) for sign, s in found.scripts)
        found.stem += f"_{places}" if "u" in places else "_low"
        names.tied.setdefault(found.stem, "lowered by a metric")
    letters = [s.text for s in slots if isinstance(s, Name)]
    if len(letters) == len(slots) > 1 and set(letters) <= names.coordinates:
        found.stem, slots = "_".join([found.stem, *letters]), ()  # R_{ττ}, one component
    _check_coordinates(names, found, slots, node)
    name = f"{found.stem}_{accent}" if accent else found.stem
    styled = names.versions.styled(name, implied(inner, slots, names.source.fields), len(slots))
    called = names.versions.resolve(styled, len(slots), node.at)
    if called in names.parts and slots:
        found.transposed ^= names.parts[called].lies and len(slots) == 1
        called, slots = _part(names, called, slots, node.at)
    return Component(
        node.at,
        called,
        slots,
        found.power,
        found.transposed,
        styled,
        style == "literal" or found.layered,
        found.raised,
    )


def _unscripted(at: int, name: str, inner: Node, names: Names) -> Component:
    """A name that bears nothing."""
    styled = names.versions.styled(name, implied(inner, (), names.source.fields), 0)
    called = names.versions.resolve(styled, 0, at)
    literal = isinstance(inner, Name) and inner.style == "literal"
    return Component(at, called, written=styled, literal=literal)


def _part(
    names: Names, name: str, slots: tuple[Node, ...], at: int
) -> tuple[str, tuple[Node, ...]]:
    """The matrix and its slots that q_i stands for in the words of the text."""
    part = names.parts[name]
    meant = part.slots(slots, at)
    if meant is None and name == part.whole:
        return name, slots
    if meant is None:
        raise names.source.fail(
            at,
            f"{name} has {counted(len(slots))} here, and names the {part.kind} of {part.whole}",
            expected=counted(2 if part.kind == "entries" else 1),
            mend=f"write a component as one of {part.whole}, with its two indices",
        )
    return names.versions.resolve(part.whole, len(meant), at), meant


def traced(node: Node) -> set[str]:
    """The α of Γ^α_{αμ}, above and below; r and θ are coordinates mostly."""
    rows = {sign: set[str]() for sign in "^_~"}
    for sign, script in getattr(plain(node), "scripts", ()):
        rows[sign] |= set(letters_of(atoms(script)))
    return rows["^"] & rows["_"] - COORDINATES


def _check_coordinates(names: Names, found: _Scripts, slots: tuple[Node, ...], node: Node) -> None:
    """Raises ReadError for R_{ττ} where τ is a coordinate: its component, or every diagonal one?"""
    letters = [s.text for s in slots if isinstance(s, Name)]
    for letter in dict.fromkeys(letters):
        number = letter in names.mentioned or f"d{letter}" in names.mentioned
        several = letters.count(letter) > 1 and letter in GREEK and number
        if several and letter not in traced(node):  # no trace Γ^α_{αμ}
            raise names.source.fail(
                node.at,
                f"{found.stem}_{{{letter} {letter}}}: the component of the coordinate {letter}, or "
                "of every index?",
                expected=f"{found.stem}_{{ii}} for every index",
                mend="give the component a name of its own, or use a letter that is no coordinate",
            )


def _outline(node: Scripted) -> tuple[tuple[tuple[str, Node], ...], bool, bool, int]:
    """The scripts, whether gaps stand between them, whether one is below alone, and how many."""
    try:
        return node.outline
    except AttributeError:
        scripts = tuple(pair for pair in node.scripts if pair[0] != "~")
        below = sum(len(atoms(s)) for sign, s in scripts if sign == "_")
        above = [a for sign, s in scripts if sign == "^" for a in indices(sign, s)]
        solo = below == 1 and not letters_of(above)
        count = below + sum(not isinstance(a, Symbol) for a in above)  # not δ_1^⊤
        found = scripts, len(scripts) < len(node.scripts), solo, count
        object.__setattr__(node, "outline", found)
        return found


@dataclass(slots=True)
class _Scripts:
    """Reads the scripts of one name in order."""

    names: Names
    here: Context
    base: str
    stem: str
    accent: str
    style: str
    node: Scripted
    scripts: tuple[tuple[str, Node], ...] = ()
    upper: list[Node] = field(default_factory=list)
    lower: list[Node] = field(default_factory=list)
    power: Node | None = None
    transposed: bool = False
    raised: bool = False
    staggered: bool = False
    solo: bool = False
    count: int = 0

    def __post_init__(self) -> None:
        self.scripts, self.staggered, self.solo, self.count = _outline(self.node)

    @property
    def layered(self) -> bool:
        """True for δ_j^{(l+1)}, which is no Kronecker δ."""
        if self.base != "delta":
            return False
        groups = (a for _, s in self.scripts for a in atoms(s))
        return any(isinstance(a, Group) and a.bracket in "([" for a in groups)

    @property
    def name(self) -> str:
        """The name as far as it is read."""
        return f"{self.stem}_{self.accent}".rstrip("_")

    def script(self, sign: str, script: Node) -> None:
        """Enter what one script says."""
        if sign == "^" and self.power is None and self._is_exponent(script):
            self._raise(script)
            return
        found = indices(sign, script)
        beside = any(map(is_letter, found))
        for atom in found:
            turns = atom in (Symbol(atom.at, "top"), Name(atom.at, "T"))  # (A^2)^⊤ = (A^⊤)^2
            if self.power is not None and sign == "^" and not turns:
                raise self.fail(
                    atom,
                    "an index or a name behind a power",
                    mend="write the power last: (Q^{ia})^2",
                )
            if self._atom(atom, sign, script, beside, len(found) == 1):
                return

    def _is_exponent(self, script: Node) -> bool:
        """True for numbers, the 2 x of x^{2 x}, and the a x of b^{a x} where both are numbers."""
        letters = letters_of(atoms(script))
        itself = self.names.lenient and self.base in letters
        product = isinstance(script, Product) and not self.lower
        if product and letters and {*letters} <= self.names.exponents & self.here.powers:
            return True
        return (itself and {*letters} <= self.here.powers) or self.here.is_exponent(script)

    def _atom(self, atom: Node, sign: str, script: Node, beside: bool, alone: bool) -> bool:
        """Enter one thing of a script; True where it is the whole of it."""
        slots = self.lower if sign == "_" and not self.staggered else self.upper
        match atom:
            case Symbol(kind="top"):
                self.transposed = not self.transposed  # (A^⊤)^⊤ is A
            case Name(text="T", style="" | "upright") if (
                sign == "^" and alone and not self._number("T")
            ):
                self.transposed = not self.transposed  # (A^⊤)^⊤ is A
            case Symbol(kind="star") if beside:  # the row w_{i*} of a matrix
                slots.append(Symbol(atom.at, "slot"))
            case Symbol(kind="star"):
                self.stem += "_star"
            case Symbol(kind="operator", text="+" | "-"):  # a pseudoinverse, a posterior
                self.stem += "_plus" if atom.text == "+" else "_minus"
            case Symbol(kind="function" | "infty") if sign == "_":  # T_∞, what T comes to
                self.stem += f"_{atom.text or atom.kind}"
            case Number() if sign == "_" and self._is_named(atom.text, beside):
                self.stem += f"_{atom.text}"
            case Number() if self._is_pair(atom, sign, beside, alone):
                slots += [Number(atom.at, digit) for digit in atom.text]  # a_{11} beside a_{ij}
            case Number() if beside or (sign == "_" and self._has_indices(atom)):
                slots.append(atom)
            case Number() if sign == "_" and self._kronecker():
                slots.append(atom)
            case Number() if sign == "_":
                self._labelled(atom, sign)
            case Addition(parts=((-1, Number() as number),)) if (
                sign == "_" and alone and self.names.lenient and not self._has_indices(number)
            ):
                self.stem += f"_minus{number.text}"  # the rate k_{-1} beside k_1
            case Group(bracket="(", items=(Addition(parts=((1, _),)) as offset,)):
                slots.append(offset)
            case Group(bracket="(" | "[", items=(Number() as number,)):
                if self.name in self.names.indexed:
                    slots.append(number)
                else:
                    self._labelled(number, sign)
            case Group(bracket="(", items=(Name() as label,)) if (
                sign == "^" and is_letter(label) and label.text not in self.names.counted
            ):
                self.stem += f"_{label.text}"
            case Group(bracket="(" | "[") if _several(atom):
                raise self._symmetrized(atom)
            case Product(parts=(("", Number() as a), ("/", Number() as b))) if sign == "_":
                self.stem += f"_{a.text}over{b.text}"  # t_{1/2}
            case Name() if is_letter(atom) and sign == "_" and self._is_word(script):
                self.stem += f"_{''.join(letters_of(atoms(script)))}"
                return True
            case Name() if is_letter(atom) and sign == "_" and self._is_block():
                self.stem += f"_{atom.text}"
            case Name() if is_letter(atom) and self._belongs(atom, sign):
                self.stem += f"_{atom.text}"
            case Name() if is_letter(atom) and sign == "^" and alone and self._numbered():
                self._raise(script)  # β_1^t, a power of the number β_1
            case Name() if is_letter(atom) and sign == "^" and alone and self._raised(atom):
                self._raise(script)
            case Name() if is_letter(atom):
                slots.append(atom)
            case Symbol(kind="slot"):
                slots.append(atom)
            case Name(style=""):
                self._capital(atom, sign, script, beside, alone, slots)
            case Name():
                self.stem += f"_{atom.text}"
            case Group(bracket="(" | "[") if len(atom.items) == 1 and letters_of([atom]):
                slots.append(atom.items[0])
            case Product() if multiple(atom):
                slots.append(atom)
            case Addition() if letters_of([atom]) and (
                sign == "_" or (self.stem == "delta" and len(self.scripts) == 2)
            ):
                slots.append(atom)
            case _ if sign == "^" and alone:
                self._raise(script)
            case Group(bracket="(", items=letters) if len(letters) > 1 and all(
                map(is_letter, letters)
            ):
                slots += letters
            case Group(bracket="(") | Given() | Scripted() if sign == "_" and self._is_label(atom):
                self.stem += f"_{_flat(atom)}"
            case Given(items=(one,), given=(other,)) if sign == "_" and letters_of([one]):
                self.stem += "_given"
                slots += [one, other]
            case Scripted(base=Name() as base) if sign == "_":
                inner = [a for _, s in atom.scripts for a in atoms(s) if is_letter(a)]
                index = [a for a in inner if self.here.has_index(a.text)]
                gate = base.text in self.names.gates  # δ_{m_i} beside δ_m
                shown = "_".join([base.text, *(a.text for a in inner[:gate])])
                self.stem += f"_{shown if index else _flat(atom)}"  # s_{y_i} hangs on i
                slots += index
            case _ if sign == "^" and isinstance(_only(script), Product):
                self._raise(script)
                return True
            case _:
                raise self.fail(
                    atom,
                    f"this script of {self.stem} is neither an index nor a power",
                    expected="letters, or a number",
                    mend="write indices as letters: Q^{ia}",
                )
        return False

    def _raise(self, script: Node) -> None:
        self.power = script
        self.raised = not self.upper and not self.lower

    def _is_named(self, number: str, beside: bool) -> bool:
        """True for W_2 where it is declared, and for W_{2,ij} where the text has a matrix W_2."""
        name = f"{self.stem}_{number}"
        return name in self.names.declared or (beside and name in self.names.stated)

    def _labelled(self, number: Number, sign: str) -> None:
        """W_1 and W^{(1)} are names, but never both."""
        self.stem += f"_{number.text}"
        self.names.label(self.name, sign, number.at)

    def _numbered(self) -> bool:
        """True for a small letter with a number below, and with no index below elsewhere."""
        below = [a for s, x in self.scripts if s == "_" for a in atoms(x)]
        number = len(below) == 1 and isinstance(below[0], Number) and not self.upper
        small = self.base[:1].islower() and self.style == ""
        return self.names.lenient and number and small and self.base not in self.names.paired

    def _is_word(self, script: Node) -> bool:
        """True for F_{rbm} and x_{max}: letters that are nowhere else an index."""
        run = "".join(letters_of(atoms(script)))
        here, names = self.here, self.names
        if not names.lenient or run not in here.runs or self.base in names.indexed:
            return False
        return all(here.letters[x] == here.runs[run] * run.count(x) for x in run) and not (
            set(run) & here.summed
        )

    def _is_block(self) -> bool:
        """True for the letters of bold K_{uf} in a text with K_{uu}."""
        if self.style != "bold" or not self.names.blocks or not self.base[:1].isupper():
            return False
        below = {a.text for s, x in self.scripts if s == "_" for a in atoms(x) if is_letter(a)}
        return bool(below & self.names.blocks)

    def _is_label(self, atom: Node) -> bool:
        """True for the N(μ, Σ) of p_{N(μ, Σ)} and the 1|2 of μ_{1|2}, without an index in them."""
        inside = {n.text for n in walk(atom) if is_letter(n)}
        counted = isinstance(atom, Given) and inside & self.names.counted
        return self.names.lenient and not counted and not any(map(self.here.is_bound, inside))

    def _is_pair(self, number: Number, sign: str, beside: bool, alone: bool) -> bool:
        two = len(number.text) == 2 and "0" not in number.text and sign == "_" and alone
        pair = two and not beside and self.names.ranks.get(self.name) == 2
        return pair and self.names.lenient and self.name in self.names.indexed

    def _has_indices(self, number: Number) -> bool:
        """True where the name bears indices elsewhere: x_1 beside x_i is a component.

        The Σ_{12} of blocks is a name, and never the twelfth component; so is W_0 beside W_{ij}.
        """
        names = self.names
        if not names.lenient:
            return self.name in names.ranks or self.name in names.indexed
        name = names.versions.resolve(self.name, 1, number.at, declared=True)
        if self.count == 1 and name in names.paired - names.single:
            return False
        return name in names.indexed or (name in names.declared and bool(names.ranks.get(name)))

    def _kronecker(self) -> bool:
        """True for the δ of two indices: δ_{nT} and δ_{i1} too."""
        return self.base == "delta" and self.count == 2 and "delta" not in self.names.declared

    def _number(self, text: str) -> bool:
        """True where the text is known as a number and the name as no matrix: γ^T, (1-p)^N."""
        known = text in self.names.limits or text in self.names.numbers
        head = self.stem.split("_")[0]
        small = head[:1].islower() or head in self.names.numbers  # the volume V of p = n R T/V
        small = small and self.style != "bold"
        if text == "T" and self.names.lenient and self.names.source.linear and head not in GREEK:
            return False
        return known and small and not self.names.ranks.get(self.name)

    def _capital(
        self, atom: Name, sign: str, script: Node, beside: bool, alone: bool, slots: list[Node]
    ) -> None:
        """A capital or a word: a label of the name, the last index, or an exponent."""
        joined = f"{self.stem}_{atom.text}"
        capital = len(atom.text.rstrip("'")) == 1
        known = f"{joined}_{self.accent}".rstrip("_") in self.names.declared
        if known or not capital:
            self.stem = joined
        elif self._kronecker() or (
            sign == "_"
            and atom.text in self.names.limits
            and (beside or self.name in self.names.indexed)
        ):
            slots.append(atom)
        elif sign == "^" and alone and self._number(atom.text):
            self._raise(script)
        elif sign == "^" and alone and self._may_be_power(atom):
            raise self.fail(
                atom,
                f"{self.stem}^{atom.text}: a power, or a name with a label?",
                expected=rf"({self.stem})^{atom.text} or {self.stem}^{{\mathrm{{{atom.text}}}}}",
                mend=f"declare <!-- symattn: scalars {atom.text} --> for a power, "
                f"<!-- symattn: sizes {joined}:(…) --> for a label",
            )
        else:
            self.stem = joined

    def _may_be_power(self, atom: Name) -> bool:
        """True where nothing says whether a capital above a name counts or labels."""
        head = self.stem.split("_")[0]
        if head[:1].islower() or (head in GREEK and self.style != "bold"):
            return self.style != "bold"
        return atom.text in self.names.limits or atom.text in self.names.numbers

    def _raised(self, letter: Name) -> bool:
        """True for β^t, a power of a number; ReadError where it may as well be a component."""
        name = self.name
        if name in self.names.scalars and self.names.ranks.get(name) == 0:
            return True
        here, names, text = self.here, self.names, letter.text
        counts = names.lenient and text in COUNTERS and text in here.low - here.summed
        plain = not self.style and not self.lower and self.stem[:1].islower()
        if counts and plain and name in names.about - names.lowered - names.declared:
            return True  # a_n = (1 - v^n)/r beside v = 1/(1 + r)
        if (
            names.lenient
            and plain
            and text in here.summed
            and name in (names.reckoned - names.lowered - names.declared)
        ):
            return True  # and Σ_t c v^t
        if text in here.powers and name not in names.declared:
            return True
        said = {x for x, rank in names.stated.items() if not rank} | names.positive
        if {name, text} <= said and text not in here.bound:
            return True  # of x, y ∈ ℝ, and of x, y > 0
        if name in names.rates and text in here.summed:
            return True
        head = self.stem.split("_")[0]
        greek = head in GREEK and head[0].islower() and self.style == "" and not self.lower
        if names.lenient and greek and text in here.low and name not in names.lowered:
            return name not in names.declared  # v_t / (1 − β^t): components stand below here
        doubtful = (
            (text in here.low and name in names.mentioned)
            or (text in here.summed and text in here.lower and (head in GREEK))
        ) and (
            head[:1].islower()
            and self.style == ""
            and name not in names.declared
            and name not in names.lowered
            and not self.lower
            and not names.alike
        )
        if doubtful:
            raise self.fail(
                letter,
                f"{self.stem}^{letter.text}: a power, or the component number {letter.text}?",
                expected=f"{self.stem}_{letter.text} for the component",
                mend=f"declare <!-- symattn: scalars {name}; indices from 1 --> for a power, "
                f"<!-- symattn: sizes {name}:(n) --> for a component",
            )
        return False

    def _belongs(self, letter: Name, sign: str) -> bool:
        """True when a small letter in a script is part of the name."""
        joined = f"{self.stem}_{letter.text}"
        full = f"{joined}_{self.accent}".rstrip("_")
        if sign != "_" or self.name in self.names.parts:
            return False
        if self.names.is_label(self.base, letter.text) and not self._kronecker():
            return True
        if full in self.names.declared or joined in self.names.scalars:
            return True
        if not self.solo or self._kronecker():
            return False
        tensor = letter.text in self.names.declared and self.names.ranks.get(letter.text)
        if tensor and self.names.lenient and not self.here.is_bound(letter.text):
            return True  # x_q beside q ∈ ℝ^d
        if self.names.lenient and letter.text in PARAMETERS and letter.text not in self.here.bound:
            return True
        if self.stem in CONVENTIONAL_SIZES and self.stem not in self.names.ranks:
            return True
        only = sum(n for (_, x), n in self.here.solo.items() if x == letter.text)
        gate = letter.text in self.here.bases and self.here.letters[letter.text] == only
        if gate and not self.here.is_bound(letter.text):  # the W_i of an i_t
            return True
        if self.name in self.names.declared or self.here.is_index(self.base, letter.text):
            return False
        if letter.text == "j" and self.names.lenient:  # nobody labels a name with j
            return False
        greek = letter.text in GREEK and letter.text in self.names.mentioned
        return greek or self.name not in self.names.indexed

    def _symmetrized(self, atom: Node) -> ReadError:
        return self.fail(
            atom,
            "brackets around indices: a symmetrised tensor, or indices?",
            expected=r"\frac{1}{2}(T_{ab} - T_{ba}) for T_{[ab]}, or T_{ab}",
            mend="write out what the brackets stand for",
        )

    def fail(self, node: Node, problem: str, **parts: str) -> ReadError:
        return self.names.source.fail(node.at, problem, **parts)


def _several(atom: Node) -> bool:
    """True for the ab of T_{[ab]}: letters in a row inside of brackets."""
    items = atom.items if isinstance(atom, Group) else ()
    return (
        len(items) == 1
        and isinstance(items[0], Product)
        and all(op == "" for op, _ in items[0].parts)
        and len(letters_of(atoms(items[0]))) > 1
    )


def _only(node: Node) -> Node:
    """What a brace holds: the body that stands for f(x) in e^{f(x)}."""
    while isinstance(node, Group) and node.bracket == "{" and len(node.items) == 1:
        node = node.items[0]
    return node


def _flat(node: Node) -> str:
    """a_b of what stands in a script, and a_given_b of a | b."""
    if isinstance(node, Given):
        return f"{'_'.join(map(_flat, node.items))}_given_{'_'.join(map(_flat, node.given))}"
    return "_".join(n.text for n in walk(node) if isinstance(n, Name | Number))
