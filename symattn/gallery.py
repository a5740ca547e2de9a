"""Derivations as files: found by folder, loaded, and examined claim by claim.

A derivation is one Python file with a docstring (title, text) and some of the names in `NAMES`;
docs/writing.md describes them.  The folder that it lies in is its group.  A Markdown or TeX
document with definitions is read as one, too.
"""

from __future__ import annotations

import ast
import re
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from .assuming import assuming
from .derive import Derivation, Gradients, StepReport, Tangents
from .errors import DefinitionError, SymattnError, UnsupportedError
from .ir import refs
from .model import evaluated
from .stated import Claim, decide, is_claim, stated
from .syntax import System

if TYPE_CHECKING:
    from .comparison import Report, Row
    from .prove import Verdict

NAMES = {  # what a file may define, and what each is
    "system": "a sa.System",
    "source": "a string that says where the result is from",
    "results": "a dict from labels to what sa.jacobian(), sa.backward() and the like gave",
    "claims": "a list of (label, equation in LaTeX) or (label, left, right), with a system or not",
    "refuted": "a list like `claims`, of what must come out as wrong",
    "exhibits": "a function that returns a list of (label, LaTeX)",
    "checks": "a function that returns reports of sa.verify()",
    "plots": "a dict from captions to functions that draw on an axes of matplotlib",
}
DOCUMENTS = (".md", ".markdown", ".tex")
FORMULA = re.compile(rb"[$]|\\[(\[]|\\begin|```|=")  # prose has none of these

Result: TypeAlias = Derivation | Gradients | Tangents


@dataclass(frozen=True)
class Entry:
    """One file: what it defines, what is derived from it, and what it claims."""

    name: str
    path: Path
    title: str
    text: str
    source: str
    system: System
    results: Mapping[str, Result] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    refuted: tuple[Claim, ...] = ()
    exhibits: Callable[[], Iterable[tuple[str, str]]] = list
    checks: Callable[[], Iterable[Report | Row]] = list
    plots: Mapping[str, Callable[[Any], None]] = field(default_factory=dict)

    def derivations(self) -> list[tuple[str, Derivation]]:
        """Every derivation with its label; a backward pass is one after the other."""
        return derivations(self.results)


def derivations(results: Mapping[str, Result]) -> list[tuple[str, Derivation]]:
    """Labels and derivations; a backward pass is spread out in the order of its adjoints."""
    found: list[tuple[str, Derivation]] = []
    for label, result in results.items():
        if isinstance(result, Derivation):
            found.append((label, result))
        else:
            parts = result.adjoints if isinstance(result, Gradients) else result
            found += [(f"{label}: {d.name}", d) for d in parts.values() if d.recorded]
    return found


# ---------------------------------------------------------------------------------------- finding


def folder() -> Path:
    """The folder of the derivations: inside an installed package, beside it in a checkout."""
    package = Path(__file__).parent
    shipped = package / "_derivations"
    return shipped if shipped.is_dir() else package.parent / "derivations"


def paths() -> dict[str, Path]:
    """The file of every derivation by its name, group by group.

    Raises DefinitionError where two groups have a file of the same name.
    """
    found: dict[str, Path] = {}
    files = [p for p in folder().glob("*.py")] + [p for p in folder().glob("*/*.py")]
    for path in sorted(files, key=lambda p: (p.parent != folder(), p.parent.name, p.name)):
        if path.name.startswith("_"):
            continue
        if path.stem in found:
            raise DefinitionError(
                f"two derivations are called {path.stem!r}",
                got=f"{found[path.stem]} and {path}",
                mend="a name is a command's argument and a page: give one of them another",
            )
        found[path.stem] = path
    return found


def names() -> list[str]:
    """The names of all derivations, group by group."""
    return list(paths())


def group(path: Path) -> str:
    """The words of the folder of a file: 07_hopfield_networks is Hopfield networks."""
    if path.parent == folder():
        return ""
    words = re.sub(r"^\d+_", "", path.parent.name).replace("_", " ")
    return words[:1].upper() + words[1:]


def title(name: str) -> str:
    """The title of a derivation, without running its file."""
    return _docstring(ast.get_docstring(_parse(paths()[name])) or "", name)[0]


def load(name: str) -> Entry:
    """The derivation with that name, or in that file.

    A Python file is run, so it is trusted like any program; a document is only read.  Raises
    SymattnError with the nearest names when there is none, and for a file that cannot be used.
    """
    path, known = Path(name), paths()
    if name in known:
        path = known[name]
    elif path.suffix in (".py", *DOCUMENTS):
        if not path.is_file():
            raise UnsupportedError(
                f"there is no file {name!r}",
                mend="look at the path; `symattn list` shows the derivations",
            )
    else:
        near = get_close_matches(name, known, n=3, cutoff=0.5)
        raise UnsupportedError(
            f"there is no derivation {name!r}",
            expected=f"one of the {len(known)} derivations, or a path to a .py, .md or .tex file",
            mend=f"did you mean {' or '.join(near)}?" if near else "`symattn list` shows them",
        )
    return _document(path) if path.suffix in DOCUMENTS else _python(path)


def _docstring(text: str, name: str) -> tuple[str, str]:
    first, _, rest = text.strip().partition("\n")
    return first.strip() or name, rest.strip()


def _parse(path: Path) -> ast.Module:
    try:
        return ast.parse(path.read_text("utf-8"), str(path))
    except (SyntaxError, UnicodeDecodeError) as error:
        line = getattr(error, "lineno", None)
        raise UnsupportedError(
            f"{path} is not a Python file: {getattr(error, 'msg', error)}",
            formula=f"line {line}: {(getattr(error, 'text', '') or '').strip()}" if line else "",
        ) from None


def _python(path: Path) -> Entry:
    docstring = ast.get_docstring(_parse(path)) or ""
    spec = spec_from_file_location(f"symattn_derivations.{path.stem}", path)
    assert spec and spec.loader
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses and pickling look a module up by its name
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise _failure(path, error) from error
    values = {k: v for k, v in vars(module).items() if not k.startswith("_")}
    return _entry(path, docstring, values)


def _failure(path: Path, error: Exception) -> SymattnError:
    """What went wrong in a file, with the line in it."""
    lines = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == str(path)]
    where = f"{path}, line {lines[-1].lineno}" if lines else str(path)
    if isinstance(error, SymattnError):
        return type(error)(
            f"{where}: {error.problem}",
            formula=error.formula,
            expected=error.expected,
            got=error.got,
            mend=error.mend,
        )
    return UnsupportedError(
        f"{where}: {type(error).__name__}: {error}", formula=(lines[-1].line or "") if lines else ""
    )


def _entry(path: Path, docstring: str, values: Mapping[str, Any]) -> Entry:
    def need(name: str, fine: bool) -> None:
        if not fine:
            raise DefinitionError(
                f"{path}: `{name}` is not {NAMES[name]}",
                got=type(values[name]).__name__,
                mend="docs/writing.md shows a whole file",
            )

    for name in NAMES:
        near = get_close_matches(name, [v for v in values if v not in NAMES], n=1, cutoff=0.85)
        if name not in values and near:
            raise DefinitionError(
                f"{path}: `{near[0]}` has no meaning in a derivation",
                mend=f"did you mean `{name}`?",
            )
    if "system" not in values:
        raise DefinitionError(
            f"{path}: there is no `system`",
            expected=NAMES["system"],
            mend="system = sa.System(…) with the definitions of the file",
        )
    shown = ("results", "claims", "exhibits", "checks")
    if not any(name in values for name in shown):
        raise DefinitionError(
            f"{path}: nothing is derived or claimed",
            expected="at least one of " + ", ".join(shown),
            mend='results = {"Jacobian": sa.jacobian(system, of=…, wrt=…)}',
        )
    results = values.get("results", {})
    need("system", isinstance(values["system"], System))
    need("source", isinstance(values.get("source", ""), str))
    need(
        "results",
        isinstance(results, Mapping) and all(isinstance(r, Result) for r in results.values()),
    )
    for name in ("claims", "refuted"):
        need(name, isinstance(values.get(name, ()), list | tuple))
        need(name, all(is_claim(c) for c in values.get(name, ())))
    need("plots", isinstance(values.get("plots", {}), Mapping))
    need("plots", all(callable(draw) for draw in values.get("plots", {}).values()))
    for name in ("exhibits", "checks"):
        need(name, callable(values.get(name, list)))
    head, text = _docstring(docstring, path.stem)
    system = values["system"]
    try:
        claims, refuted = (
            tuple(claim for c in values.get(name, ()) for claim in stated(c, system))
            for name in ("claims", "refuted")
        )
    except SymattnError as error:
        raise _failure(path, error) from error
    return Entry(
        path.stem,
        path,
        head,
        text,
        values.get("source", ""),
        system,
        results,
        claims,
        refuted,
        values.get("exhibits", list),
        values.get("checks", list),
        values.get("plots", {}),
    )


def _document(path: Path) -> Entry:
    """A Markdown or TeX document: its definitions are the system, its equations the claims."""
    from .read import read

    data = path.read_bytes()
    try:
        if not FORMULA.search(data) and data.decode():
            raise UnsupportedError(f"{path}: no formula was found", mend="put formulas between $$")
    except UnicodeDecodeError:
        pass  # the reader says which byte it is
    try:
        document = read(data)
    except SymattnError as error:
        document = read(data, strict=False)
        if document.skipped or document.unresolved:
            raise _failure(path, error) from error
    else:  # words say what is symmetric, where they change no formula's part
        told = read(data, strict=False)
        whole = not told.skipped and not told.unresolved
        same = _more_in_words(document, told)
        if whole and same and len(told.claims) == len(document.claims):
            document = told
    claims = tuple(Claim(f"line {c.line}", c.lhs, c.rhs, document) for c in document.claims)
    document = assuming(document)
    if not claims and not len(document):
        raise UnsupportedError(
            f"{path}: no formula was found", mend="put formulas between $$ and $$"
        )
    heading = re.search(r"^#\s+(.+)$|\\title\{(.+?)\}", path.read_text("utf-8"), re.MULTILINE)
    title = (heading[1] or heading[2]) if heading else path.stem
    return Entry(path.stem, path, title, "", "", document, claims=claims)


def _more_in_words(document: System, told: System) -> bool:
    """Sentences define inputs at most, "with $r_i = ...$", and change nothing else."""
    more = [n for n in told.definitions if n not in document.definitions]
    kept = [n for n in told.definitions if n in document.definitions]
    inputs, bodies = evaluated(document).inputs, evaluated(told).bodies
    made = (n in inputs and n in bodies and any(refs(bodies[n].normal)) for n in more)
    return kept == [*document.definitions] and all(made)


# -------------------------------------------------------------------------------------- examining


@dataclass(frozen=True)
class Outcome:
    """What examining an entry found: every step, claim and number, and how long it took."""

    entry: Entry
    steps: tuple[tuple[str, StepReport], ...]
    verdicts: tuple[tuple[str, Verdict], ...]
    wrong: tuple[tuple[str, Verdict], ...]  # of what must be refuted
    rows: tuple[Row, ...]
    exhibits: tuple[tuple[str, str], ...]
    seconds: float

    def failures(self) -> list[str]:
        """One line for everything that fell short."""
        found = []
        for label, report in self.steps:
            found += [
                f"{label}: the step “{c.step.rule}” does not hold: {c.step}"
                for c in report
                if not c.ok
            ]
        found += [f"claim “{label}”: {verdict}" for label, verdict in self.verdicts if not verdict]
        found += [
            f"“{label}” is stated to be wrong, and is not refuted: {verdict}"
            for label, verdict in self.wrong
            if verdict.status != "refuted"
        ]
        found += [
            f"{r.name} differs from {r.reference} in {r.dtype}: {r.max_rel:.1e} is more than "
            f"{r.tolerance:.0e}"
            for r in self.rows
            if not r.ok
        ]
        if not (self.steps or self.verdicts or self.rows):
            found.append("there is nothing to check")
        return found

    @property
    def ok(self) -> bool:
        """Nothing fell short."""
        return not self.failures()


def examine(entry: Entry, seed: int = 0, *, numbers: bool = True) -> Outcome:
    """Every step re-checked, every claim decided, every result compared with references.

    All outputs are compiled and compared with autodiff too, with their first and second
    derivatives, unless the entry is a document with claims, which is about these.  Without
    `numbers` nothing is compiled: claims alone are decided.
    """
    start = time.perf_counter()
    steps: list[tuple[str, StepReport]] = []
    rows: list[Row] = []
    try:
        verdicts = [(claim.label, decide(claim, seed)) for claim in entry.claims]
        wrong = [(claim.label, decide(claim, seed)) for claim in entry.refuted]
        if numbers:
            steps = [(label, d.check_steps(seed)) for label, d in entry.derivations()]
            rows = _compared(entry, seed)
        exhibits = [(str(label), str(latex)) for label, latex in entry.exhibits()]
    except Exception as error:
        raise _failure(entry.path, error) from error
    return Outcome(
        entry,
        tuple(steps),
        tuple(verdicts),
        tuple(wrong),
        tuple(rows),
        tuple(exhibits),
        time.perf_counter() - start,
    )


def _compared(entry: Entry, seed: int) -> list[Row]:
    """Results, outputs of the system and what the file checks itself, against references."""
    from .comparison import Row
    from .orders import orders
    from .verify import verify

    found: list[Any] = [verify(r, seed=seed) for r in entry.results.values()]
    if entry.path.suffix == ".py" or not entry.claims:
        found.append(orders(entry.system, seed=seed))
    found += entry.checks()
    rows = [row for item in found for row in ([item] if isinstance(item, Row) else item.rows)]
    if entry.results and not rows:
        raise UnsupportedError(
            f"{entry.name}: nothing was compared with numbers",
            mend="leave out results that have no value, or add `checks`",
        )
    return rows
