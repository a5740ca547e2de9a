"""Documents → verdicts: every formula of a text is decided, or it is said why it was not."""

from __future__ import annotations

from . import formats
from .documents import check
from .report import Report, Row

__all__ = ["Report", "Row", "check", "formats"]
