r"""Line elements in LaTeX: ds^2 = -\left(1-\frac{2M}{r}\right)dt^2 + … as coordinates and a matrix.

What is not clear is an error that says where.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NoReturn

import sympy as sp
from sympy.core.function import AppliedUndef

from ..errors import FormulaError
from .line_reader import Letter, Reader
from .tokens import Token, fail, sides


@dataclass(frozen=True)
class LineElement:
    """Coordinates, the matrix g_{ab}, and what the letters beside it stand for."""

    coordinates: tuple[sp.Symbol, ...]
    matrix: sp.ImmutableMatrix
    names: Mapping[sp.Symbol, sp.Expr]


def read_line_element(
    latex: str,
    coordinates: Iterable[sp.Symbol] | None = None,
    where: Iterable[str] = (),
    parameters: Iterable[sp.Symbol] = (),
) -> LineElement:
    r"""The metric of a line element; `where` has equations such as \Sigma = r^2 + a^2\cos^2\theta.

    Without `coordinates`, they are what differentials are written of, in order.

    >>> read_line_element(r"ds^2 = d\theta^2 + \sin^2\theta\,d\phi^2").matrix
    Matrix([
    [1,             0],
    [0, sin(theta)**2]])
    """
    given = None if coordinates is None else {x.name: x for x in coordinates}
    symbols = {**(given or {}), **{s.name: s for s in parameters}}
    statements = [sides(text) for text in where]
    left, right = sides(latex)
    if not (_is_square(left) and left[1].text == "s"):
        fail(latex, left[0], "this is no line element", "ds^2 on the left")
    squares = {left[1].text: right for left, right in statements if _is_square(left)}
    if given is None or {"theta", "phi"} <= set(given):
        squares |= _sphere(latex, right, {*squares, *(given or ())})
    letters = {}
    for text, (lhs, rhs) in zip(where, statements, strict=True):
        if not _is_square(lhs):
            letters[lhs[0].text] = _letter(text, lhs, rhs)
    found: dict[str, sp.Symbol] = {}
    reader = Reader(latex, right, given, symbols, found, squares, letters)
    whole = reader.all()
    names = {symbols.setdefault(n, sp.Symbol(n)): reader.letter(n) for n in letters}
    xs = list((given or found).values())
    matrix = _matrix(latex, whole, xs, reader.differentials)
    _require_one_meaning(latex, matrix, names)
    return LineElement(tuple(xs), matrix, names)


def read_scalar(
    latex: str, coordinates: Iterable[sp.Symbol], functions: Iterable[AppliedUndef] = ()
) -> sp.Expr:
    r"""A scalar such as -\sin\theta\cos\theta; `functions` stand without their arguments.

    >>> theta = sp.Symbol("theta")
    >>> read_scalar(r"-\sin\theta\cos\theta", [theta])
    -sin(theta)*cos(theta)
    """
    known = {x.name: x for x in coordinates}
    letters = {}
    for f in functions:
        text = f"{f.func.__name__} = {sp.latex(f.func)}({', '.join(map(sp.latex, f.args))})"
        left, right = sides(text)
        letters[left[0].text] = _letter(text, left, right)
    return Reader(latex, sides(f"x = {latex}")[1], known, dict(known), {}, {}, letters).all()


def _letter(text: str, lhs: list[Token], rhs: list[Token]) -> Letter:
    """What N = …, N^2 = … or f(r) = … says."""
    kinds = [t.kind for t in lhs if t.kind not in ("{", "}")]
    if kinds == ["name"]:
        return Letter(text, rhs)
    if kinds == ["name", "^", "number"]:
        return Letter(text, rhs, sp.Integer(next(t for t in lhs if t.kind == "number").text))
    arguments = tuple(t.text for t in lhs[2:-1:2])
    if kinds == ["name", "(", *["name", ","] * (len(arguments) - 1), "name", ")"]:
        return Letter(text, rhs, arguments=arguments)
    fail(text, lhs[0], "this says nothing of a letter", r"a name, as in \Sigma = …")


def _sphere(latex: str, tokens: Sequence[Token], said: set[str]) -> dict[str, list[Token]]:
    """dΩ² = dθ² + sin²θ dφ², where nothing else says what it is."""
    names = [b.text for a, b in pairwise(tokens) if a.kind == "d" and b.kind == "name"]
    found = {}
    for name in names:
        if name.split("_")[0] == "Omega" and name not in said:
            if name not in ("Omega", "Omega_2") or {"theta", "phi"} & set(names):
                at = next(t for t in tokens if t.text == name)
                fail(
                    latex,
                    at,
                    "of which sphere this is the metric is not clear",
                    "an equation that says it",
                    rf"where=[r'd\{name}^2 = …']",
                )
            found[name] = sides(r"\Omega = d\theta^2 + \sin^2\theta\, d\phi^2")[1]
    return found


def _require_one_meaning(latex: str, matrix: sp.ImmutableMatrix, names: Any) -> None:
    """No letter stands both for a number and for a function of coordinates."""
    functions = {f.func.__name__ for f in matrix.atoms(AppliedUndef)}
    for s in sorted(matrix.free_symbols - set(names), key=str):
        if s.name.rstrip("'") in functions:
            raise FormulaError(
                f"{s} stands with and without arguments",
                formula=latex.strip(),
                expected="a function of coordinates, or a number",
                mend=f"write the arguments everywhere, or say {s.name} = {s.name}(t)",
            )


def _is_square(left: Sequence[Token]) -> bool:
    texts = [t.text for t in left if t.kind not in ("{", "}")]
    return [t.kind for t in left[:3]] == ["d", "name", "^"] and texts[3:] == ["2"]


def _matrix(
    latex: str, whole: sp.Expr, xs: Sequence[sp.Symbol], differentials: Mapping[str, sp.Symbol]
) -> sp.ImmutableMatrix:
    """g_{ab} = ½ ∂²(ds²)/∂(dx^a)∂(dx^b), after looking that ds² is quadratic."""
    ds = [differentials.get(x.name, sp.Dummy(f"d{x}")) for x in xs]
    nothing = dict.fromkeys(ds, sp.S.Zero)
    matrix = sp.zeros(len(xs))
    for i, d_i in enumerate(ds):
        slope = sp.diff(whole, d_i)
        for j, d_j in enumerate(ds):
            matrix[i, j] = matrix[j, i] if j < i else sp.diff(slope, d_j) / 2
        if matrix[i, :].free_symbols & set(ds) or sp.expand(slope.xreplace(nothing)) != 0:
            _not_quadratic(latex)
    if sp.expand(whole.xreplace(nothing)) != 0:
        _not_quadratic(latex)
    return sp.ImmutableMatrix(matrix)


def _not_quadratic(latex: str) -> NoReturn:
    raise FormulaError(
        "the line element is not quadratic in the differentials",
        formula=latex.strip(),
        mend="every term has two differentials, as in dt^2 or dt\\,dr",
    )
