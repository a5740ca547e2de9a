r"""What the words before a theorem on matrices say: let $A$ be symmetric and $Q$ orthogonal.

A sentence is understood where it is made of clauses: names *are* matrices of a kind, of a size,
such that an equation holds.  One that is not, by a single word, leaves the theorem open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations

from ..read.tree import Chain
from ..read.vocabulary import words
from .matrix_kinds import APART, KINDS, PHRASE, Kind
from .operators import Foreign, key, named_in

FORMULA = re.compile(
    r"\$\$(?:[^$]|\\\$)+\$\$|\$(?:[^$\\]|\\.)+\$|\\\(.+?\\\)|\\\[.+?\\\]", re.DOTALL
)
HEAD = re.compile(r"^(?:#{1,6} .*|\*\*[^*\n]+\*\*)$|\*\*[^*\n]+\*\*", re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.!?])\s|\n[ \t]*\n")
_WORD = re.compile(r"[A-Za-z][\w'’–-]*")
_NOTHING = re.compile(  # that is said of a name but its size, or of all that are drawn
    r"\bblock (?:upper|lower) triangular\b|\b(?:the )?Kronecker product\b|"
    r"\b(?:in (?:general|block) form|parallel sums?)\b|"
    r"\b(?:product|inversion|inverse|determinant|trace) (?:rule|lemma|identity|formula|theorem)\b|"
    r"(?:, )?\b(?:all |both )?(?:of|with) the same "
    r"(?:size|dimensions?|order|shape|number of (?:rows|columns))\b|"
    r"\b(?:of|with) full (?:row |column )?rank\b|"
    r"\bstack\w* (?:the |its |all )*(?:rows|columns)(?: of (?:a|the) matri(?:x|ces))?|"
    r"\b(?:row|column)[- ]major\b|"
    r"\b(?:that |which )?depend(?:s|ing)?(?: smoothly| differentiably)? on (?:the )?(?:time|\$t\$)|"
    r"\b(?:(?:smooth|differentiable) )?(?:matrix )?functions? of (?:the )?(?:time|\$t\$)",
    re.IGNORECASE,
)
_CLASSES = {  # the letters of which the grammar is made
    "l": "let suppose assume consider take",
    "t": "that",
    "b": "be is are being denote denotes",
    "d": "a an the any all every each two three both some",
    "a": "real square general real-valued",
    "m": "matrix matrices",
    "v": "vector vectors",
    "s": "scalar scalars number numbers",
    "&": "and",
    "w": "with where satisfying satisfy satisfies whose obey obeying having have",
    "f": "for if when",
    "o": "of",
    "z": "size dimension dimensions order",
    "Q": "commuting",
    "q": "commute",
    "h": "here now again moreover furthermore also further let's",
    "c": "then hence thus therefore so consequently it follows we obtain get this gives yields",
}
_CLASS = {word: letter for letter, row in _CLASSES.items() for word in row.split()}
_SUCH = re.compile(r"\b(?:such that|for which)\b", re.IGNORECASE)
_VECTOR = re.compile(r"\b(?:column|row) vectors?\b", re.IGNORECASE)
_LEAD = words(  # what brings a theorem and says nothing of its names
    "then hence thus therefore so consequently it follows that we have obtain get this gives "
    "yields from and for the a an of on in is are has holds says reads states write identity "
    "identities formula lemma rule law theorem general block both also here now matrix matrices "
    "push-through woodbury sherman morrison sherman–morrison sylvester sylvester's schur schur's "
    "jacobi jacobi's cayley kronecker mixed-product vec any all every two"
)
_ADJ = r"(?:[aKQ](?:,?&?[aKQ])*)?"
_NP = rf"d{{0,2}}{_ADJ}S?[aKQ]*[mvs]?(?:oz[SN]|oS)?"
_TAIL = r"(?:,?t?[wtf][EUT](?:,?&[EUT])*|,?tq)"
_NAMES = r"N(?:(?:,&|,|&)N)*"
_CLAUSE = re.compile(
    rf"(?P<names>{_NAMES}),?(?:(?:b{_NP}|d(?=d?[aKQmvsS]){_NP}|[aK]{_NP}){_TAIL}*|{_TAIL}+)|"
    rf"d{{0,2}}(?:{_ADJ}S?[aKQ]*[mvs]|{_ADJ}[aKQ])(?P<called>{_NAMES}){_TAIL}*|"
    rf"(?P<those>{_NAMES})d?q|"
    r"(?P<plain>[EUG]b?(?:,?&[EU])*|N)"
)
_STARTS = re.compile(r"(?:h,?)?(?:[lw]t?h?|fd?)?")
_JOINT = re.compile(r"(?:,&|,|&)?")
_LISTED = re.compile(
    r"(?P<names>(?:\\[A-Za-z]+|[A-Za-z])(?:_(?:\w|\{\w+\}))?"
    r"(?:,(?:\\[A-Za-z]+|[A-Za-z])(?:_(?:\w|\{\w+\}))?)*)"
    r"(?:\\in\\mathbb\{?R\}?(?:\^(?:\{(?P<rows>\w+)(?:\\times(?P<columns>\w+))?\}|(?P<one>\w)))?)?"
)
_SIZED = re.compile(r"(?P<rows>\w+)\\times(?P<columns>\w+)")
_SIGN = re.compile(r"\\otimes|\\operatorname\*?\{\w+\}|\\det|\\(?:math\w+|text)\{vec\}")
_MARK = re.compile(r"\s+|[,;:.!?]")
_UNEQUAL = re.compile(r"\\n?eq?(?![a-z])|\\ne(?![a-z])|≠|>|\\geq?(?![a-z])")


class Unknown(Exception):
    """Words that are not understood."""


@dataclass
class Setting:
    """What a text says before a claim."""

    shapes: dict[str, tuple[str, str]] = field(default_factory=dict)
    numbers: set[str] = field(default_factory=set)  # names of sizes, and of numbers
    kinds: dict[str, list[Kind]] = field(default_factory=dict)
    commuting: list[tuple[str, str]] = field(default_factory=list)
    equations: list[Chain] = field(default_factory=list)  # that are asked for
    stated: list[Chain] = field(default_factory=list)  # that are claimed before it

    @property
    def made(self) -> dict[str, Chain]:
        """The equations that say what a name is."""
        found = dict[str, Chain]()
        for e in self.equations:
            try:
                name = key(e.sides[0])
            except Foreign:
                continue
            if name not in self.shapes and name not in named_in(e.sides[1]):
                found.setdefault(name, e)
        return found

    @property
    def names(self) -> set[str]:
        """All of which something is said."""
        return {*self.shapes, *self.numbers, *self.made}

    @property
    def rules(self) -> list[Chain]:
        """The other equations."""
        made = [*self.made.values()]
        return [e for e in self.equations if not any(e is x for x in made)]


@dataclass(frozen=True)
class _Token:
    letter: str
    word: str = ""
    kind: Kind | None = None
    names: tuple[str, ...] = ()
    rows: str = ""
    columns: str = ""
    tree: Chain | None = None


def setting(text: str, trees: Mapping[int, Chain]) -> Setting:
    """What a section says up to a claim, at its end; `trees` are equations by where they begin.

    Raises Unknown.
    """
    found = Setting()
    if any(kinds_in(m[0]) or not _lead(m[0]) for m in HEAD.finditer(text)):
        raise Unknown
    text = HEAD.sub(lambda m: " " * len(m[0]), text)
    text = _NOTHING.sub(lambda m: " " * len(m[0]), text)
    start = 0
    ends = [m.start() for m in _SENTENCE.finditer(FORMULA.sub(lambda m: "x" * len(m[0]), text))]
    for end in ends:
        _clauses([*_tokens(text, start, end, trees)], found, last=False)
        start = end
    _clauses([*_tokens(text, start, len(text), trees)], found, last=True)
    return found


def kinds_in(text: str) -> bool:
    return PHRASE.search(text) is not None


def _lead(text: str) -> bool:
    return {w.lower() for w in _WORD.findall(text)} <= _LEAD | _CLASS.keys()


def _tokens(text: str, start: int, end: int, trees: Mapping[int, Chain]) -> Iterator[_Token]:
    at = start
    while at < end:
        if m := FORMULA.match(text, at, end):
            yield _formula(m[0].strip("$ \n"), [t for k, t in trees.items() if at <= k < m.end()])
        elif m := PHRASE.match(text, at, end):
            kind = KINDS[int((m.lastgroup or "")[1:])]
            yield _Token("T" if kind.tail else "K", kind=kind)
        elif m := _SUCH.match(text, at, end):
            yield _Token("w")
        elif m := _VECTOR.match(text, at, end):
            yield _Token("v")
        elif m := _WORD.match(text, at, end):
            yield _Token(_CLASS.get(m[0].lower(), "?"), m[0].lower())
        elif m := _MARK.match(text, at, end):
            if m[0] in ",;":
                yield _Token(",")
        else:
            raise Unknown
        at = m.end()


def _formula(latex: str, trees: list[Chain]) -> _Token:
    """It lists names, with their space or without, says a size, an equation, or that none is 0."""
    head = re.sub(r"\\[A-Za-z]+", "x", latex.split("\\in")[0])
    beside = re.search(r"[A-Za-z]\s+[A-Za-z]", head) is not None  # A B, which is no list
    plain = re.sub(r"\s|\\[,;!]|\.$|,$", "", latex)
    plain = re.sub(r"^(\w+)=\1$", r"\1", re.sub(r"\(t\)", "", plain))  # A = A(t)
    if _SIGN.fullmatch(plain):
        return _Token("G")
    if sized := _SIZED.fullmatch(plain):
        return _Token("S", rows=sized["rows"], columns=sized["columns"])
    if (listed := _LISTED.fullmatch(plain)) and not beside:
        rows = listed["rows"] or listed["one"] or ""
        names = tuple(re.sub(r"[\\{}]", "", x) for x in listed["names"].split(","))
        columns = listed["columns"] or ("1" if rows else "")
        number = "mathbb" in plain and not rows
        return _Token("N", "number" if number else "", None, names, rows, columns)
    if "=" not in re.sub(r"\\neq|\\geq?", "", plain) and _UNEQUAL.search(plain):
        return _Token("U")
    if len(trees) != 1:
        raise Unknown
    return _Token("E", tree=trees[0])


def _clauses(tokens: list[_Token], found: Setting, last: bool) -> None:
    """Enter what a sentence says.  Raises Unknown."""
    signs = "".join(t.letter for t in tokens)
    at = 0
    while at < len(signs):
        begin = _STARTS.match(signs, at)
        assert begin is not None
        m = _CLAUSE.match(signs, begin.end())
        if m is None or ("f" in begin[0] and not last):  # of a case, and what follows is no more
            break
        _enter(m, tokens, found)
        joint = _JOINT.match(signs, m.end())
        assert joint is not None
        at = joint.end()
    rest = tokens[at:]
    if rest and at and not last and rest[0].letter != "c":
        raise Unknown
    while not last and rest and rest[-1].tree is not None:
        found.stated.append(rest.pop().tree)  # type: ignore[arg-type]
    if any(t.letter in "KTNSEUG" or (t.word and t.word not in _LEAD) for t in rest):
        raise Unknown


def _enter(m: re.Match[str], tokens: list[_Token], found: Setting) -> None:
    """Enter what a clause says.  Raises Unknown."""
    group = next(g for g in ("names", "called", "those", "plain") if m[g] is not None)
    own = [t for t in tokens[m.start(group) : m.end(group)] if t.names]
    others = [t for k, t in enumerate(tokens[m.start() : m.end()], m.start())
              if not m.start(group) <= k < m.end(group)]  # fmt: skip
    nouns = {t.letter for t in others} & {*"mvs"}
    if len([n for t in own for n in t.names]) > 1 and any(t.kind is APART for t in others):
        raise Unknown  # each of them, or one to the other
    if any(t.word == "square" or (t.kind is not None and not t.kind.vector) for t in others):
        nouns |= {"m"} - ({"v"} & nouns)
    if group == "plain":
        if own and not any(t.rows or t.word for t in own):
            raise Unknown
        found.equations += [t.tree for t in tokens[m.start() : m.end()] if t.tree is not None]
    names = [n for t in own for n in t.names]
    sizes = [(t.rows, t.columns) for t in others if t.letter == "S"]
    for t in own:
        for name in t.names:
            _shape(name, t, nouns, sizes, found)
    for size in sizes:
        found.numbers |= {*size}
    for t in others:
        if t.letter == "N":  # of size n
            found.numbers |= {*t.names}
        if t.kind is not None:
            if t.kind.vector != ("v" in nouns):
                raise Unknown
            for name in names:
                high, wide = found.shapes[name]
                square = high == wide or t.kind.tail or t.kind.vector
                if t.kind.vector != (wide == "1") or not square:
                    raise Unknown  # orthogonal x and y
                found.kinds.setdefault(name, []).append(t.kind)
        if t.letter in "Qq":
            found.commuting += combinations(names, 2)
        if t.tree is not None:
            found.equations.append(t.tree)


def _shape(
    name: str, t: _Token, nouns: set[str], sizes: list[tuple[str, str]], found: Setting
) -> None:
    """Enter how large a name is.  Raises Unknown where nothing says so."""
    if t.rows:
        found.shapes[name] = t.rows, t.columns
        found.numbers |= {t.rows, t.columns} - {"1"}
    elif t.word or "s" in nouns:
        found.shapes[name] = "", ""
    elif sizes and "m" in nouns:
        found.shapes[name] = sizes[0]
    elif "v" in nouns:
        found.shapes.setdefault(name, ("n", "1"))
    elif name[0].isupper() and (name in found.shapes or "m" in nouns):
        found.shapes.setdefault(name, ("n", "n"))
    elif name not in found.shapes:
        raise Unknown


__all__ = ["FORMULA", "HEAD", "Setting", "Unknown", "setting"]
