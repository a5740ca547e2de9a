r"""Macros: where a document defines them, what packages define, and their expansion as text.

\newcommand, \renewcommand, \providecommand with optional arguments, \def with parameters, \let,
\DeclareMathOperator and \DeclarePairedDelimiter are understood wherever they stand, inside of
displays too.  A name that the document does not define may be one of a package or of the tables
that papers share (\R, \E, \vx and \mW for bold letters).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ..explain.naming import GREEK

MAX_BODY = 20_000  # characters of a macro's body


@dataclass(frozen=True)
class Macro:
    """A user command: its arguments, the default of an optional first one, what it stands for.

    `bodies` are what it stands for with other numbers of groups behind it: \\dv{x}, \\dv{f}{x}.
    """

    arity: int
    body: str
    default: str | None = None
    bodies: Mapping[int, str] = field(default_factory=dict)


@dataclass
class Macros:
    """The commands of a document by name; where one is defined twice, the last before its use."""

    table: dict[str, list[tuple[int, Macro]]] = field(default_factory=dict)

    def add(self, name: str, macro: Macro, at: int) -> None:
        """Enter a definition that stands at a position."""
        self.table.setdefault(name, []).append((at, macro))

    def get(self, name: str, at: int) -> Macro | None:
        """What a command means at a position; None for one that the document does not define."""
        rows = self.table.get(name)
        if not rows:
            return None
        before = [macro for place, macro in rows if place <= at]
        return before[-1] if before else rows[0][1]


DEFINES = re.compile(
    r"\\(?:(?P<new>(?:re)?newcommand|providecommand|DeclareRobustCommand)|(?P<plain>g?def)"
    r"|(?P<let>let)|(?P<operator>DeclareMathOperator)"
    r"|(?P<pair>DeclarePairedDelimiter))(?![A-Za-z])\*?"
)
_NAME = re.compile(r"\s*(?:\{\s*\\([A-Za-z]+|.)\s*\}|\\([A-Za-z]+|.))")
_COUNT = re.compile(r"\s*\[(\d)\]")
_PARAMETERS = re.compile(r"((?:#\d)*)")


def definition(text: str, found: re.Match[str]) -> tuple[str, Macro, int] | None:
    """The name, the macro and the end of a definition; None where it cannot be read."""
    head = _NAME.match(text, found.end())
    if head is None:
        return None
    name, position = head[1] or head[2], head.end()
    arity, default = 0, None
    if found["let"]:
        target = re.compile(r"\s*=?\s*(\\[A-Za-z]+|\S)").match(text, position)
        return (name, Macro(0, target[1]), target.end()) if target else None
    if found["new"]:
        count = _COUNT.match(text, position)
        if count:
            arity, position = int(count[1]), count.end()
            optional = _group(text, position, "[", "]")
            if optional is not None:
                default, position = optional
    elif found["plain"]:
        parameters = _PARAMETERS.match(text, position)
        assert parameters is not None
        arity, position = len(parameters[1]) // 2, parameters.end()
    bodies: list[str] = []
    for _ in range(2 if found["pair"] else 1):
        body = _group(text, position, "{", "}") or _command(text, position)
        if body is None or len(body[0]) > MAX_BODY:
            return None
        bodies.append(body[0])
        position = body[1]
    if found["operator"]:
        return name, Macro(0, rf"\operatorname{{{bodies[0]}}}"), position
    if found["pair"]:
        return name, Macro(1, rf"\left{bodies[0]} #1 \right{bodies[1]}"), position
    return name, Macro(arity, bodies[0], default), position


def _command(text: str, position: int) -> tuple[str, int] | None:
    r"""One command as a body: \newcommand{\R}\mathbb."""
    found = re.compile(r"\s*(\\[A-Za-z]+)").match(text, position)
    return (found[1], found.end()) if found else None


def _group(text: str, position: int, opening: str, closing: str) -> tuple[str, int] | None:
    """What stands in brackets at a position, and the place behind; None where none stands there."""
    while position < len(text) and text[position] in " \t\n":
        position += 1
    if text[position : position + 1] != opening:
        return None
    depth = 0
    for found in re.compile(r"\\.|[{}\[\]]", re.DOTALL).finditer(text, position):
        if found[0] in (opening, "{"):
            depth += 1
        elif found[0] in (closing, "}"):
            depth -= 1
        if not depth:
            return text[position + 1 : found.start()], found.end()
        if found.end() - position > MAX_BODY:
            return None
    return None


def arguments(macro: Macro, text: str, position: int, end: int) -> tuple[list[str], int] | None:
    """The arguments that stand behind a command; None where they are not complete."""
    found: list[str] = []
    if macro.default is not None:
        optional = _group(text[:end], position, "[", "]")
        if optional is not None:
            found.append(optional[0])
            position = optional[1]
        else:
            found.append(macro.default)
    if macro.bodies:
        before = len(found)
        while len(found) - before < max(macro.bodies):
            group = _group(text[:end], position, "{", "}")
            if group is None:
                break
            found.append(group[0])
            position = group[1]
        if len(found) - before in macro.bodies:
            return found, position
    while len(found) < macro.arity:
        while position < end and text[position] in " \t\n":
            position += 1
        group = _group(text[:end], position, "{", "}")
        if group is None:
            token = re.compile(r"\\[A-Za-z]+|\\.|[^{}\s]").match(text, position, end)
            if token is None:
                return None
            group = token[0], token.end()
        found.append(group[0])
        position = group[1]
    return found, position


def filled(macro: Macro, given: list[str]) -> str:
    """The body with its arguments put in."""
    body = macro.bodies.get(len(given) - (macro.default is not None), macro.body)
    return re.sub(
        r"#(\d)", lambda m: given[int(m[1]) - 1] if 0 < int(m[1]) <= len(given) else "", body
    ).replace("^{}", "")


def _slope(d: str) -> Macro:
    r"""\dv[n]{f}{x}, \dv{x} as an operator, and of two variables."""
    one = rf"\frac{{{d}^{{#1}} #2}}{{{d} #3^{{#1}}}}"
    bodies = {1: rf"\frac{{{d}^{{#1}}}}{{{d} #2^{{#1}}}}", 2: one}
    bodies |= {3: rf"\frac{{{d}^2 #2}}{{{d} #3 {d} #4}}"}
    return Macro(3, one, "", bodies)


# ---------------------------------------------------------------------------------------- packages


def _bold(letter: str) -> Macro:
    return Macro(0, rf"\boldsymbol{{{letter}}}")


_PACKAGES = {
    "R": Macro(0, r"\mathbb{R}"),
    "reals": Macro(0, r"\mathbb{R}"),
    "N": Macro(0, r"\mathbb{N}"),
    "Z": Macro(0, r"\mathbb{Z}"),
    "C": Macro(0, r"\mathbb{C}"),
    "E": Macro(0, r"\mathbb{E}"),
    "Ls": Macro(0, r"\mathcal{L}"),
    "Var": Macro(0, r"\operatorname{Var}"),
    "Cov": Macro(0, r"\operatorname{Cov}"),
    "diag": Macro(0, r"\operatorname{diag}"),
    "tr": Macro(0, r"\operatorname{tr}"),
    "Tr": Macro(0, r"\operatorname{tr}"),
    "trace": Macro(0, r"\operatorname{tr}"),
    "softmax": Macro(0, r"\operatorname{softmax}"),
    "sigmoid": Macro(0, r"\operatorname{sigmoid}"),
    "ReLU": Macro(0, r"\operatorname{ReLU}"),
    "relu": Macro(0, r"\operatorname{relu}"),
    "argmax": Macro(0, r"\operatorname{argmax}"),
    "argmin": Macro(0, r"\operatorname{argmin}"),
    "T": Macro(0, r"\top"),
    "tran": Macro(0, r"^\top"),
    "trans": Macro(0, r"^\top"),
    "transpose": Macro(0, r"^\top"),
    "inv": Macro(0, r"^{-1}"),
    "eps": Macro(0, r"\epsilon"),
    "dd": Macro(0, r"\mathrm{d}"),
    "dv": _slope("d"),
    "odv": _slope("d"),
    "derivative": _slope("d"),
    "pdv": _slope(r"\partial"),
    "partialderivative": _slope(r"\partial"),
    "pd": Macro(2, r"\frac{\partial #1}{\partial #2}"),
    "fdv": Macro(2, r"\frac{\delta #1}{\delta #2}"),
    "abs": Macro(1, r"\left| #1 \right|"),
    "norm": Macro(1, r"\left\| #1 \right\|"),
    "inner": Macro(2, r"\left\langle #1, #2 \right\rangle"),
    "expval": Macro(1, r"\left\langle #1 \right\rangle"),
    "ev": Macro(1, r"\left\langle #1 \right\rangle"),
    "vb": Macro(1, r"\mathbf{#1}"),
    "va": Macro(1, r"\vec{#1}"),
    "bs": Macro(1, r"\boldsymbol{#1}"),
    "mat": Macro(1, r"\mathbf{#1}"),
    "vect": Macro(1, r"\mathbf{#1}"),
    "bold": Macro(1, r"\mathbf{#1}"),
    "vu": Macro(1, r"\hat{\mathbf{#1}}"),
    "grad": Macro(0, r"\nabla"),
    "gradient": Macro(0, r"\nabla"),
    "divergence": Macro(0, r"\nabla \cdot"),
    "curl": Macro(0, r"\nabla \times"),
    "laplacian": Macro(0, r"\nabla^2"),
    "vdot": Macro(0, r"\cdot"),
    "cross": Macro(0, r"\times"),
    "qty": Macro(0, ""),
    "pqty": Macro(1, r"\left( #1 \right)"),
    "bqty": Macro(1, r"\left[ #1 \right]"),
    "eval": Macro(1, r"\left. #1 \right|"),
    "comm": Macro(2, r"\left[ #1, #2 \right]"),
    "order": Macro(1, r"O\left( #1 \right)"),
    "overset": Macro(2, r"#2"),
    "stackrel": Macro(2, r"#2"),
    "underset": Macro(2, r"#2_{#1}"),
    "half": Macro(0, r"\frac{1}{2}"),
    "SI": Macro(2, r"#1"),
    "num": Macro(1, r"#1"),
    "resizebox": Macro(3, r"#3"),
    "scalebox": Macro(2, r"#2"),
    "smash": Macro(1, r"#1"),
    "ensuremath": Macro(1, r"#1"),
    "cancel": Macro(1, r"#1"),
    "mathclap": Macro(1, r"#1"),
    "mathrlap": Macro(1, r"#1"),
    "mathllap": Macro(1, r"#1"),
    "colorbox": Macro(2, r"#2"),
    "ddot": Macro(1, r"{#1}_{\mathrm{ddot}}"),
    "covd": Macro(0, r"\nabla"),
    "cd": Macro(0, r"\nabla"),
    "chris": Macro(2, r"\Gamma^{#1}_{#2}"),
    "Riem": Macro(0, r"\mathrm{Riem}"),
    "Ric": Macro(0, r"\mathrm{Ric}"),
    "Ein": Macro(0, r"\mathrm{Ein}"),
    "Weyl": Macro(0, r"\mathrm{Weyl}"),
    "KL": Macro(0, r"\operatorname{KL}"),
    "normal": Macro(0, r"\mathcal{N}"),
    "Normal": Macro(0, r"\mathcal{N}"),
    "normlzero": Macro(0, r"L^0"),
    "sign": Macro(0, r"\operatorname{sgn}"),
    "vc": Macro(1, r"\boldsymbol{#1}"),
    "mtx": Macro(1, r"\mathbf{#1}"),
    "jac": Macro(0, r"\nabla"),
    "colored": Macro(1, r"#1", "black"),
    "hess": Macro(0, r"\nabla^2"),
    "eqbox": Macro(1, r"\boxed{#1}"),
    "Aboxed": Macro(1, r"\boxed{#1}"),
    "fbox": Macro(1, r"#1"),
    "hphantom": Macro(1, r""),
    "vphantom": Macro(1, r""),
    "phantom": Macro(1, r""),
    "iid": Macro(0, r"\sim"),
    "prescript": Macro(3, r"#3^{#1}_{#2}"),
    "sf": Macro(0, r""),
    "rm": Macro(0, r""),
    "bf": Macro(0, r""),
    "it": Macro(0, r""),
    "cal": Macro(0, r""),
    "binom": Macro(2, r"\operatorname{binom}\left(#1, #2\right)"),
    "lfloor": Macro(0, r"\operatorname{floor}\left("),
    "rfloor": Macro(0, r"\right)"),
    "lceil": Macro(0, r"\operatorname{ceil}\left("),
    "rceil": Macro(0, r"\right)"),
    "floor": Macro(1, r"\operatorname{floor}\left(#1\right)"),
    "ceil": Macro(1, r"\operatorname{ceil}\left(#1\right)"),
    "coloneq": Macro(0, r"\coloneqq"),
    "eqqcolon": Macro(0, r"="),
    "doteq": Macro(0, r"="),
    "Re": Macro(0, r"\mathbb{R}"),  # and the real part of what stands behind it
    "Im": Macro(0, r"\operatorname{Im}"),
}
_REAL_PART = Macro(0, r"\operatorname{Re}")
_PART_OF = re.compile(r"\s*(?:[A-Za-z({\[|]|\\(?:left|[bB]ig|\{|[a-z]+))")
_BOLD = re.compile(r"(?:v|rv|b|bf)(?P<small>[a-z])|(?:m|rm|b|bf|t)(?P<big>[A-Z])")
_LIGHT = re.compile(r"(?:r|ev)(?P<small>[a-z])|(?:em|e)(?P<big>[A-Z])")
_SETS = re.compile(r"s([A-Z])")
_GRAPHS = re.compile(r"g([A-Z])")
_BOLD_GREEK = re.compile(r"(?:rv|v|m|b|bf)([A-Za-z]+)")


def package(name: str, behind: str = "{") -> Macro | None:
    r"""What a command means in the packages and tables that papers share; None for others.

    With `behind`, what stands behind it: \vb{x} is a bold x, and \vb alone a bold b.
    """
    if name == "Re" and _PART_OF.match(behind) and not re.match(r"\s*\\(?:times|to)\b", behind):
        return _REAL_PART
    macro = _PACKAGES.get(name)
    given = behind.lstrip()[:1] in ("{", "[" if macro and macro.bodies else "{")
    if macro is not None and (len(name) > 2 or not macro.arity or given):
        return macro
    letter = _BOLD.fullmatch(name)
    if letter:
        return _bold(letter["small"] or letter["big"])
    light = _LIGHT.fullmatch(name)
    if light:
        return Macro(0, light["small"] or light["big"])
    if found := _GRAPHS.fullmatch(name):
        return Macro(0, rf"\mathcal{{{found[1]}}}")
    if found := _SETS.fullmatch(name):
        return Macro(0, rf"\mathbb{{{found[1]}}}")
    greek = _BOLD_GREEK.fullmatch(name)
    if greek and greek[1] in GREEK:
        return _bold("\\" + greek[1])
    return None


def definitions(text: str) -> Iterator[tuple[re.Match[str], tuple[str, Macro, int] | None]]:
    """The definitions of a text, each with what it defines; None for what cannot be read."""
    position = 0
    while found := DEFINES.search(text, position):
        said = definition(text, found)
        yield found, said
        position = said[2] if said else found.end()
