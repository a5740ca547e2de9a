"""The plots of a derivation as SVG, the same bytes in every run."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from ..errors import UnsupportedError
from .pages import plot_name

if TYPE_CHECKING:
    from ..gallery import Entry

STYLE: Any = {
    "svg.hashsalt": "symattn",  # names of clip paths, random without it
    "svg.fonttype": "none",  # text stays text
    "figure.figsize": (6.0, 4.0),
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def drawn(entry: Entry) -> dict[str, bytes]:
    """The files of a derivation's plots.

    Raises UnsupportedError where matplotlib is missing.
    """
    try:
        from matplotlib import rc_context
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure
    except ImportError:
        raise UnsupportedError(
            "plots are drawn by matplotlib, which is not there",
            mend="pip install symattn[plot]",
        ) from None
    found = {}
    for caption, draw in entry.plots.items():
        with rc_context(STYLE):
            figure = Figure(layout="constrained")
            draw(figure.add_subplot())
            text = io.BytesIO()
            canvas: Any = FigureCanvasSVG(figure)
            canvas.print_svg(text, metadata={"Date": None, "Creator": None})
        # matplotlib ends some lines with a blank
        rows = [row.rstrip() for row in text.getvalue().splitlines()]
        found[plot_name(entry, caption)] = b"\n".join(rows) + b"\n"
    return found
