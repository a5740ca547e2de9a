"""Comparisons of numbers with a reference: rows with a tolerance, and the report of all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

SHOWN = 3  # comparisons that fell short, in the text of a report

TOLERANCE = {
    ("autodiff", "float64"): 1e-12,
    ("flash", "float64"): 1e-12,
    ("definition", "float64"): 1e-12,
    ("dense", "float64"): 1e-12,
    ("differences", "float64"): 1e-6,
    ("autodiff", "float32"): 2e-5,
    ("flash", "float32"): 2e-5,
    ("definition", "float32"): 2e-5,
}


@dataclass(frozen=True)
class Row:
    """One comparison: the largest absolute error, and that over the largest reference value."""

    name: str
    reference: str
    dtype: str
    max_abs: float
    max_rel: float
    tolerance: float
    note: str = ""

    @property
    def ok(self) -> bool:
        """The relative error is within the tolerance (a nan never is)."""
        return self.max_rel <= self.tolerance


@dataclass(frozen=True)
class Report:
    """All comparisons of one verification; true when every one is within its tolerance."""

    rows: tuple[Row, ...]
    sizes: Mapping[str, int]
    seed: int

    @property
    def ok(self) -> bool:
        """There is something to compare, and all of it agrees."""
        return bool(self.rows) and all(row.ok for row in self.rows)

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        wrong = [r for r in self.rows if not r.ok]
        worst = max(self.rows, key=lambda r: r.max_rel / r.tolerance, default=None)
        said = f"{len(self.rows) - len(wrong)} of {len(self.rows)} comparisons within tolerance"
        if worst is not None and not wrong:
            said += f"; the closest to it {worst.max_rel:.1e} ({worst.name}, {worst.reference})"
        lines = [
            f"  {r.name}, {r.reference}, {r.dtype}: {r.note or f'WRONG by {r.max_rel:.1e}'}"
            for r in wrong[:SHOWN]
        ]
        return "\n".join([said, *lines, f"  {self._where()}"])

    def _where(self) -> str:
        sizes = ", ".join(f"{k} = {v}" for k, v in self.sizes.items())
        return f"sizes {sizes}; seed {self.seed}" if sizes else f"seed {self.seed}"

    def table(self) -> str:
        """Every comparison on a line of its own."""
        head = ("name", "reference", "dtype", "max abs", "max rel", "tolerance", "")
        table = [head] + [
            (
                r.name,
                r.reference,
                r.dtype,
                f"{r.max_abs:.1e}",
                f"{r.max_rel:.1e}",
                f"{r.tolerance:.0e}",
                r.note or ("ok" if r.ok else "WRONG"),
            )
            for r in self.rows
        ]
        widths = [max(len(row[k]) for row in table) for k in range(len(head))]
        lines = [
            "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip()
            for row in table
        ]
        return "\n".join([*lines, self._where()])
