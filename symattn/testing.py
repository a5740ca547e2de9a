"""Equations in tests: assertions that show what is wrong, and a plugin for pytest.

The plugin makes a test item of every formula of the documents that the option `symattn_files`
names; see docs/check.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sympy as sp

from .derive.record import Derivation
from .errors import FormulaError
from .syntax import Definition, System

if TYPE_CHECKING:
    import pytest

    from .prove import Verdict
    from .read import Document

__all__ = ["assert_equal", "assert_gradient", "assert_identity"]

Given = System | Definition | str | Iterable[Definition] | None
Link = tuple[Any, Any, tuple[sp.Idx, ...]]  # two sides, and the letters that are free


def assert_equal(lhs: Any, rhs: Any, given: Given = None, *, seed: int = 0) -> None:
    """Fails unless lhs = rhs is proved; both sides are expressions, or LaTeX or a number.

    `given` is a System, definitions, or a text that defines what the formulas use.
    """
    __tracebackhide__ = True
    from .prove import prove

    latex = isinstance(lhs, str) or isinstance(rhs, str)
    verdict = prove(lhs, rhs, given=given if latex else _system(given), seed=seed)
    _demand(verdict, str(lhs), str(rhs))


def one_equation(lhs: Any, rhs: Any, given: Given) -> tuple[System, Link]:
    """The system of an equation in LaTeX, its two sides and its free letters.

    One side may be a number, or a derivation: the other one is what it states then.
    """
    sides = (lhs, rhs)
    derived = next((side for side in sides if isinstance(side, Derivation)), None)
    if derived is not None:
        stated = next(side for side in sides if side is not derived)
        left = derived.equation().partition(" = ")[0]
        latex = f"{stated}" if "=" in str(stated) else f"{left} = {stated}"
        system, links = _read(latex, derived.system if given is None else given)
        *_, (_, said, _) = links
        return system, (derived, said, ()) if lhs is derived else (said, derived, ())
    if not all(isinstance(side, str | int | float) for side in sides):
        raise FormulaError(
            "one side is LaTeX and the other an expression",
            got=f"{lhs} and {rhs}",
            mend="write both as LaTeX or both as expressions",
        )
    system, links = _read(f"{lhs} = {rhs}", given)
    if len(links) != 1:
        raise FormulaError(
            "this is more than one equation",
            formula=f"{lhs} = {rhs}",
            mend="write one side in each place, or use sa.testing.assert_identity for a chain",
        )
    return system, links[0]


def assert_identity(latex: str, given: Given = None, *, seed: int = 0) -> None:
    """Fails unless every link of a chain a = b = c in LaTeX is proved."""
    __tracebackhide__ = True
    from .checker.links import sides
    from .prove import prove

    document, links = _read(latex, given)
    parts, _ = sides(latex)
    for number, (lhs, rhs, free) in enumerate(links):
        shown = parts[number : number + 2] if len(parts) == len(links) + 1 else [str(lhs), str(rhs)]
        verdict = prove(lhs, rhs, given=document, over=free, seed=seed)
        _demand(verdict, shown[0], shown[1])


def assert_gradient(latex: str, *, of: str, wrt: str, given: Given = None, seed: int = 0) -> None:
    r"""Fails unless an equation in LaTeX states the derivative of `of` with respect to `wrt`.

    The left side gives the indices: \frac{\partial L}{\partial w_i} = 2 w_i, or G_i = 2 w_i, for
    the gradient of L with respect to w.  An `of` that nothing defines is a loss of what is.
    """
    __tracebackhide__ = True
    from .checker.links import sides
    from .objects import Partial
    from .prove import prove

    document, links = _read(latex, given)
    (lhs, rhs, _), *_ = links
    parts, _ = sides(latex)
    left = lhs
    if not isinstance(lhs, Partial):
        known = {str(s): s for d in document for s in (d.tensor, *d.expr.atoms(sp.IndexedBase))}
        scalars = {
            s.name: s
            for d in document
            for s in (d.tensor, *d.expr.free_symbols)
            if isinstance(s, sp.Symbol)
        }
        variable = known.get(wrt, scalars.get(wrt))
        target = scalars.get(of)
        if target is None and of in known:
            raise FormulaError(
                f"{of} is an array, and a gradient is that of a number",
                formula=latex,
                mend=rf"""write of="L" for a loss L of {of}, or \frac{{\partial {of}_{{…}}}}"""
                rf"{{\partial {wrt}_{{…}}}} on the left",
            )
        if variable is None or target is None:
            raise FormulaError(
                f"nothing given defines {of if target is None else wrt}",
                formula=latex,
                expected=", ".join(sorted({*known, *scalars} - {""})),
                mend=rf"define it in `given`, or write \frac{{\partial {of}}}{{\partial {wrt}}} "
                "on the left",
            )
        letters = getattr(lhs, "indices", ())
        left = Partial(target, variable[tuple(letters)] if letters else variable)
    else:
        stated = [str(getattr(a, "base", a)) for a in lhs.args]
        if stated != [of, wrt]:
            raise AssertionError(
                f"the equation states the derivative of {stated[0]} by {stated[1]}, and not of "
                f"{of} by {wrt}\n  {latex}"
            )
    verdict = prove(left, rhs, given=document, seed=seed)
    _demand(verdict, parts[0], parts[1] if len(parts) > 1 else str(rhs))


# --------------------------------------------------------------------------------------- reading


def _system(given: Given) -> System:
    if given is None or isinstance(given, System):
        return given or System()
    if isinstance(given, Definition):
        return System(given)
    if isinstance(given, str):
        from .read import read

        return read(given)
    return System(*given)


def _read(latex: str, given: Given) -> tuple[System, list[Link]]:
    """The system of a claim, and its links."""
    from .checker.declarations import shapes
    from .read import read
    from .stated import signs

    if isinstance(given, str):
        whole = read(given if "$" in given else f"$$ {given} $$", strict=True)
        before = {e.latex for e in whole.equations}
        text = f"{given if '$' in given else f'$$ {given} $$'}\n\n$$ {latex} $$\n"
        document: Document = read(text)
        found = [e for e in document.equations if e.latex not in before or e.latex == latex.strip()]
        known = (d for d in document if d.name in whole.definitions)  # sizes as the claim has them
        return System(*known, facts=document.facts), _links(found, latex)
    system = _system(given)
    document = read(f"{shapes(system)}\n{signs(system)}\n\n$$ {latex} $$\n")
    return system, _links(list(document.equations), latex)


def _links(found: list[Any], latex: str) -> list[Link]:
    equal = (e for e in found if e.rhs is not None and e.relation in ("=", ":=", "≈"))
    links = [(e.lhs, e.rhs, e.indices) for e in equal]
    if not links:
        raise FormulaError(
            "this is no equation", formula=latex, expected="left = right", mend="write both sides"
        )
    return links


# --------------------------------------------------------------------------------------- failing


def _demand(verdict: Verdict, left: str, right: str) -> None:
    __tracebackhide__ = True
    if verdict:
        return
    rows = [f"not proved ({verdict.status})", f"  left:    {left}", f"  right:   {right}"]
    if verdict.status == "proved":
        rows[0] = "the proof is vacuous: both sides vanish"
    if verdict.limit:
        rows.append(f"  because: {verdict.limit}")
    if verdict.residual is not None:
        rows.append(f"  left over: {verdict.residual} = 0 ?")
    rows += [f"  hint:    {hint}" for hint in verdict.hints]
    if verdict.counterexample is not None:
        rows.append("  counterexample")
        rows += [f"    {row}" for row in str(verdict.counterexample).split("\n")]
    raise AssertionError("\n".join(rows))


# ---------------------------------------------------------------------------------------- pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of the configuration file."""
    parser.addini(
        "symattn_files",
        "documents whose formulas are checked (globs; !glob leaves out)",
        "args",
        [],
    )
    parser.addini("symattn_timeout", "seconds for one formula", default="5")
    parser.addini(
        "symattn_strict", "conditional and unproved formulas fail too", type="bool", default=False
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """The documents that `symattn_files` names."""
    globs = parent.config.getini("symattn_files")
    if not globs:
        return None
    try:
        name = file_path.relative_to(parent.config.rootpath).as_posix()
    except ValueError:
        return None
    left_out = [glob.removeprefix("!") for glob in globs if glob.startswith("!")]
    if any(fnmatch(name, glob) for glob in left_out):
        return None
    if not any(fnmatch(name, glob) for glob in globs):
        return None
    from .checker.items import DocumentFile

    return DocumentFile.from_parent(parent, path=file_path)
