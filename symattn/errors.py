"""Errors: what failed, the formula as the user wrote it, what was expected, and how to mend it."""

from __future__ import annotations


class SymattnError(Exception):
    """A formula, a call or a document that symattn cannot use; the message says how to mend it.

    `problem` is one sentence, `formula` the user's own text, `expected` and `got` the two sides of
    a mismatch, `mend` what to write instead.
    """

    def __init__(
        self,
        problem: str,
        *,
        formula: str = "",
        expected: str = "",
        got: str = "",
        mend: str = "",
    ) -> None:
        self.problem, self.formula = problem, formula
        self.expected, self.got, self.mend = expected, got, mend
        rows = [problem]
        for label, value in (
            ("in", formula),
            ("expected", expected),
            ("got", got),
            ("mend", mend),
        ):
            if value:
                rows.append(f"  {label + ':':<10}{value}")
        super().__init__("\n".join(rows))


def fault(error: Exception) -> str:
    """What went wrong where nothing was foreseen, in words."""
    match error:
        case ArithmeticError():
            return "a number in it grows without bound, or is divided by zero"
        case RecursionError():
            return "it is nested too deeply"
    return "symattn has a fault here"


class FormulaError(SymattnError):
    """A formula that breaks the rules of index notation: a letter, a slot or a size is wrong."""


class AmbiguousError(FormulaError):
    """A formula that SymPy has rewritten so that two readings cannot be told apart any more."""


class DefinitionError(SymattnError):
    """A name that nothing defines, that is defined twice, or that is defined through itself."""


class ShapeError(SymattnError):
    """An array whose rank, size or dtype does not fit the tensor it is given for."""


class UnsupportedError(SymattnError):
    """A formula that is well formed and outside what the operation can do."""


class UndefinedError(UnsupportedError):
    """An expression that has no value: a division by zero, the logarithm of zero, an even root."""


class LimitError(SymattnError):
    """A stated limit on work was met before there was an answer."""
