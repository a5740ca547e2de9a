r"""The sentences of a text as a discourse: what each ties, under which titles, and what follows."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice

from ..read.vocabulary import words
from .frames import Sentence, any_of, sentences
from .outline import Outline
from .qualities import FORMULA

RELATED = re.compile(r"[=<>≤≥∼]|\\(?:leq?|geq?|lt|gt|neq?|sim|perp|equiv)(?![a-z])")
KIND = any_of(  # what words say of a name
    r"(?:(?:anti|skew)-?\s?)?symmetric\b", r"(?:semi-?)?orthogonal\b", r"orthonormal\b",
    r"diagonal\b", r"unit(?=[\s-](?:vector|norm|length))", r"unitary\b", r"idempotent\b",
    r"(?:doubly |row-|column-)?stochastic\b", r"(?:an? )?projections?\b", r"involutions?\b",
    r"(?:positive|negative)(?:[- ](?:semi-?)?definite)?\b", r"non-?negative\b", r"constant\b",
    r"commut(?:e|ing)\b", r"normali[sz]ed\b", r"uncorrelated\b", r"i\.?i\.?d\.?\b",
    r"(?:mutually |pairwise |statistically )?independent\b", r"cent(?:re|ere)d\b", r"binary\b",
    r"(?:zero|vanishing)[- ]mean\b", r"mean[- ](?:of )?zero\b", r"one-hot\b",
    r"sums?(?: up)? to (?:one|1|unity|zero)\b",
)  # fmt: skip
_FORMULA_OR_KIND = re.compile(
    rf"(?P<formula>{FORMULA.pattern})|{KIND.pattern}", re.DOTALL | re.IGNORECASE
)
_BODY = re.compile(
    r"(\$\$?|\\\[|\\\(|\\begin\{\w+\*?\}|```\{?math\}?)?(.*?)"
    r"(\$\$?|\\\]|\\\)|\\end\{\w+\*?\}|```)?\Z",
    re.DOTALL,
)
_BARE = re.compile(  # a = b, x = 0, h = 2 k: what ties names that stand for something already
    r"(?:\\?[A-Za-z]+(?:_\w|_\{\w+\})?|\\mathbb\{?E\}?\s*\[[^\]]*\])\s*=\s*"
    r"-?\s*(?:\d+(?:\.\d*)?|\.\d+)?\s*(?:\\?[A-Za-z]+(?:_\w|_\{\w+\})?)?(?:/\d+)?|"
    r"([A-Z])\s*\^\s*\{?\s*(?:T|\\top|\\intercal|2)\s*\}?\s*=\s*-?\s*\1"
)
_PREPOSITIONS = words("with of at in on by for from to")
_NOTE = re.compile(r"(?m)^[ \t]*\[\^(?P<mark>\w+)\]:[ \t]*(?P<said>.*)$")
_ITEM = re.compile(r"\n[ \t]*(?:[-*+]|\d+[.)]|\(?[a-z]\))[ \t]")
_THEOREMS = words(
    "theorem lemma proposition corollary exercise problem question example remark task fact claim "
    "conjecture hypothesis"
)
_LABEL = re.compile(  # Exercise 2, **Lemma.**, \begin{theorem}
    r"(?:^|\n)[ \t>]*(?:[*_]{1,3}|\#{1,6}[ \t]+)?"
    rf"(?P<name>(?:{'|'.join(x.capitalize() for x in sorted(_THEOREMS))})\b(?:[ \t]+[\w.]+)?)"
    rf"[^\n$]{{0,60}}?[.:*_]|\\(?:begin|end)\{{(?P<tex>{'|'.join(sorted(_THEOREMS))})\*?\}}|"
    r"(?:^|\n)\#{1,6}[ \t]|\\(?:sub)*section\b"
)
SUPPOSES = any_of(
    r"suppos\w+", r"assum\w+", r"if\b", r"when(?:ever)?\b", r"case\b", r"let\b", r"consider\b",
    r"take\b", r"given\b", r"unless\b", r"were\b",
)  # fmt: skip
SO = re.compile(
    r"\W*(?:then|thus|hence|so|therefore|it follows|consequently|we (?:get|have))\b", re.IGNORECASE
)
_NAME = re.compile(r"\\?[A-Za-z]+(?:_\w|_\{[^{}]*\})?(?:\(\\?\w+\))?")
_RUN_IN = re.compile(  # Bosons: …, **Monopoly.** …, - Mid mode: …
    r"(?:(?:^|\n)[ \t>]*(?:[-*+][ \t]+|\d+[.)][ \t]+|\\item\b[ \t]*)?|[.!?][ \t\n]+)"
    r"(?:(?P<bold>\*\*|__|\\textbf\{|\\emph\{|\\textit\{|\[)|)"
    r"(?P<label>(?:[A-Z]|(?<=- )[a-z]|(?<=\* )[a-z])[\w'-]*"
    r"(?:[ \t]+(?!(?:we|is|are|has|have|be|let|gives?)\b)[\w'-]+){0,4})"
    r"(?(bold)(?:[.:]?(?:\*\*|__|\}|\])[.:]?)|:)(?=\s)"
)
_STRUCTURE = any_of(  # labels that are of the text, and no case
    "set-?up", "notation", "definitions?", "assumptions?", "model", "data", "problem", "given",
    "preliminar", "background", "proof", "claim", "result", "conclusion", "derivation", "solution",
    "answer", "step", "goal", "statement", "example", "remark", "note", "summary", "theorem",
    "lemma", "proposition", "corollary", "exercise", "question", "task", "hint", "check", "forward",
    "backward", "gradient", "loss", "objective", "then", "where", "here", "hence", "thus", "so",
    "recall", "observation", "consequence", "computation", "calculation", "part", "input", "output",
    "fact",
)  # fmt: skip


class Discourse:
    """The sentences of a text, and what each ties."""

    def __init__(self, outline: Outline) -> None:
        self.text, self.outline = outline.text, outline
        self.sentences = [*sentences(self.text)]
        self._starts = [x.start for x in self.sentences]
        self._formulas: dict[int, list[str]] = {}
        self.labels = [
            (m.start(), "" if "\\end" in m[0] else m["name"] or m["tex"] or "")
            for m in _LABEL.finditer(self.text)
        ]

    def at(self, position: int) -> Sentence | None:
        """The sentence of a place."""
        k = self._after(position)
        found = self.sentences[k - 1] if k else None
        return found if found is not None and position < found.end else None

    def label(self, position: int) -> tuple[int, str]:
        """The theorem or exercise of a place, and where it begins."""
        return max(((at, name) for at, name in self.labels if at <= position), default=(0, ""))

    def titles(self, x: Sentence) -> tuple[str, str]:
        """The heading of a sentence's section, and the words in front that say what it is of."""
        line = self.outline.place(x.start)[0]
        k = self.outline.section(line)
        heading = self.text.split("\n")[self.outline.headings[k - 1][0] - 1] if k else ""
        told = [(at, m) for at, m in self._run_in if at <= x.end]
        at, label = told[-1] if told else (0, "")
        over = re.search(r"\n[ \t]*\n", self.text[at : x.start]) or "\n#" in self.text[at : x.start]
        return heading.strip("# \t"), "" if over else label

    @cached_property
    def _run_in(self) -> list[tuple[int, str]]:
        """Bosons: …  Fermions: …; where such words stand in front of sentences, and which."""
        found = ((m.start("label"), m["label"]) for m in _RUN_IN.finditer(self.text))
        return [(at, "" if _STRUCTURE.search(said) else said) for at, said in found]

    def labels_between(self, x: Sentence, here: Sentence) -> list[str]:
        """The words in front of sentences of the section of two of them, up to the second."""
        first = max((at for at, _ in self.labels if at <= x.start), default=0)
        return [label for at, label in self._run_in if first <= at < here.start]

    def around(self, x: Sentence) -> str:
        """The words of a sentence with those before its list, and with those of its footnotes."""
        notes = {m["mark"]: FORMULA.sub(" ", m["said"]) for m in _NOTE.finditer(self.text)}
        marks = re.findall(r"\[\^(\w+)\]", self.text[x.start : x.end + 8]) if notes else []
        return " ".join((self._before_list(x), x.words, *(notes.get(m, "") for m in marks)))

    def _before_list(self, x: Sentence) -> str:
        """Frequent mistakes are: 1. …; what a list begins with, where it is no sentence."""
        if not self._listed(x):
            return ""
        before = (
            y for y in reversed(self.sentences[: self._after(x.start)]) if not self._listed(y)
        )
        y = next((y for y in before if re.search(r"[A-Za-z]", y.words)), None)
        return "" if y is None or self.text[y.end : y.end + 1] in (".", "!", "?") else y.words

    def _listed(self, x: Sentence) -> bool:
        """A sentence stands in an item of a list."""
        start = x.start + len(self.text[x.start :]) - len(self.text[x.start :].lstrip())
        return (
            _ITEM.match(f"\n{self.text[self.text.rfind(chr(10), 0, start) + 1 :][:12]}") is not None
        )

    def section(self, x: Sentence) -> int:
        return self.outline.section(self.outline.place(x.start)[0])

    def foreign(
        self,
        here: Sentence,
        rules: Sequence[Rule],
        behind: Sequence[Rule],
        about: Callable[[Sentence], bool],
    ) -> Iterator[tuple[Sentence, str]]:
        """The sentences that say nothing of what one claims, each with the reason.

        Only those are asked that are `about` it, by the rules of what stands before it or behind
        it.  What is said to follow goes with what it follows from.
        """
        follows = ""
        for x in self.sentences:
            if x.start == here.start or not about(x):
                continue
            asked = rules if x.start < here.start else behind
            why = next((w for rule in asked if (w := rule(self, x, here))), "")
            goes_on = SO.match(x.words) is not None
            why = why or (follows if goes_on else "")
            follows = why or (follows if goes_on else "")
            if why:
                yield x, why

    def follows(self, x: Sentence, here: Sentence) -> bool:
        """A sentence says that it follows from another one, which it stands behind."""
        return all(SO.match(y.words) for y in self.since(x, here))

    def telling(self, x: Sentence) -> list[int]:
        """Where in the words of a sentence its equations stand, and the kinds that it says."""
        marks = [m.start() for m in re.finditer("…", x.words)]
        told = [k for k, f in zip(marks, self.formulas(x), strict=False) if RELATED.search(f)]
        return [*told, *(m.start() for m in KIND.finditer(x.words))]

    def since(self, x: Sentence, here: Sentence) -> list[Sentence]:
        """The sentences behind one, up to another one and with it."""
        return self.sentences[self._after(x.start) : self._after(here.start)]

    def behind(self, x: Sentence) -> list[Sentence]:
        """The sentence behind one."""
        rest = (
            y for y in self.sentences[self._after(x.start) :] if re.search(r"[A-Za-z]", y.words)
        )
        return [*islice(rest, 1)]

    def _after(self, start: int) -> int:
        """The number of sentences that begin up to a place."""
        return bisect_right(self._starts, start)

    def formulas(self, x: Sentence) -> list[str]:
        if x.start not in self._formulas:
            inside = self.text[x.start : x.end]
            self._formulas[x.start] = [m[0] for m in FORMULA.finditer(inside)]
        return self._formulas[x.start]

    def of_a_name(self, x: Sentence) -> bool:
        """The case of a sentence is a quantity with its name: after the time $t$."""
        if x.frame is None or x.frame.said.split()[-1] in _PREPOSITIONS:
            return False  # on a day with $N$ customers
        before, found, _ = x.words.partition(f"{x.frame.said} …")
        shown = self.formulas(x)[before.count("…") :][:1] if found else []
        return any(_NAME.fullmatch(f.strip("$\\( ).")) for f in shown)

    def bare(self, x: Sentence) -> bool:
        """It ties names that stand for something already, and gives no name its meaning."""
        return any(map(is_bare, self.formulas(x)))

    def defines(self, x: Sentence) -> bool:
        """It gives names their meaning: a name stands alone on the left of each equation."""
        told = [f.strip("$\\[(. ").split("=")[0].strip() for f in self.formulas(x) if "=" in f]
        return not self.bare(x) and all(_NAME.fullmatch(left) for left in told)

    def valued(self, x: Sentence) -> bool:
        """Its equations say numbers: u · v = 0."""
        rights = [f.strip("$\\]). ").split("=")[1:] for f in self.formulas(x) if "=" in f]
        return bool(rights) and all(re.fullmatch(r"\s*-?[\d.]+\s*", r[-1]) for r in rights)

    def alternatives(self, x: Sentence) -> str:
        """From the left it is $l = 3$, from the right $l = 5$: a name with two values, or none."""
        if re.search(r"\b(?:if|when|otherwise|else)\b", x.words):
            return ""  # M = 0 if it is missing, and M = 1 otherwise
        ties = [f.strip("$ .,").split("=") for f in self.formulas(x) if is_bare(f)]
        told: dict[str, set[str]] = {}
        for left, right in ties:
            told.setdefault(left.strip(), set()).add(right.strip())
        return "what is so of one of two" if any(len(v) > 1 for v in told.values()) else ""

    def supposes(self, x: Sentence) -> bool:
        return bool(SUPPOSES.search(x.words)) or (self.bare(x) and x.frame is not None)

    def tells(self, x: Sentence, of: Iterable[int]) -> bool:
        """It says of which kind something is, ties names, or has one of these places."""
        return bool(KIND.search(x.words)) or self.bare(x) or any(x.start <= at < x.end for at in of)

    def paragraph(self, x: Sentence, here: Sentence) -> bool:
        """Two sentences stand in one paragraph."""
        return not re.search(r"\n[ \t]*\n[ \t]*[A-Z#]", self.text[x.start : here.start + 1])

    def blanked(self, gone: Iterable[Sentence]) -> str:
        """The text without the equations and the kinds that these sentences say."""
        text = self.text
        for x in gone:
            said = _FORMULA_OR_KIND.sub(_blank, text[x.start : x.end])
            text = text[: x.start] + said + text[x.end :]
        return text


def _blank(m: re.Match[str]) -> str:
    if m["formula"] is None:
        return re.sub(r"[^\n]", " ", m[0])
    if not RELATED.search(m[0]) or "\\in" in m[0].split("=")[0]:
        return m[0]
    first, body, last = _BODY.match(m[0]).groups("")  # type: ignore[union-attr]
    return first + re.sub(r"[^\n]", " ", body) + last


def is_bare(formula: str) -> bool:
    return _BARE.fullmatch(formula.strip("$ .,")) is not None


Rule = Callable[[Discourse, Sentence, Sentence], str]

__all__ = ["KIND", "RELATED", "SUPPOSES", "Discourse", "Rule"]
