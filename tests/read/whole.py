"""Documents as wholes: how many of their displays are read, and what stops the others.

python tests/read/whole.py FILE…        a table of the files and the reasons
python tests/read/whole.py -v FILE…     every display that is not read, with its reason
"""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from pathlib import Path

from symattn.read import read
from symattn.read.scan import scan

FORMULA = re.compile(r"\\[A-Za-z]+|[=^_]")


def displays(text):
    """(begin, end) of the displays that hold a formula, as places of line and column."""
    source = scan(text, strict=False)
    for d in source.displays:
        if FORMULA.search(source.text, d.start, d.end):
            yield source.place(d.start), source.place(d.end)


def measured(path):
    """Displays, and of each that is not read whole its place and the first reason."""
    text = path.read_text(encoding="utf-8")
    doc = read(text, strict=False)
    found = list(displays(text))
    refused = {}
    for r in doc.refused:
        for place in found:
            if place[0] <= (r.line, r.column) <= place[1]:
                refused.setdefault(place, r)
    return found, refused, doc


def reason(error):
    """An error without the names in it."""
    text = error.problem.split(": ", 1)[-1]
    return re.sub(r"(?<![a-z])\\?[A-Za-z]{1,2}(_\S+)?(?![a-z])|\d+|'.*'", "…", text)[:70]


def main(arguments):
    verbose = "-v" in arguments
    paths = [Path(a) for a in arguments if a != "-v"]
    reasons, whole, read_ = Counter(), 0, 0
    for path in paths:
        begin = time.perf_counter()
        found, refused, doc = measured(path)
        seconds = time.perf_counter() - begin
        whole, read_ = whole + len(found), read_ + len(found) - len(refused)
        share = f"{100 * (len(found) - len(refused)) / max(len(found), 1):.0f} %"
        print(
            f"{path.name:32} {len(found) - len(refused):4} of {len(found):4}  {share:>5}"
            f"  {len(doc.definitions):3} definitions  {len(doc.claims):3} claims  {seconds:.1f} s"
        )
        for place, r in sorted(refused.items()):
            reasons[reason(r.reason)] += 1
            if verbose:
                shown = " ".join(r.latex.split())[:150]
                print(f"    {place[0][0]}: {r.reason.problem.split(': ', 1)[-1]}\n        {shown}")
    print(f"{'all':32} {read_:4} of {whole:4}  {100 * read_ / max(whole, 1):.0f} %")
    for text, count in reasons.most_common(40):
        print(f"{count:5}  {text}")


if __name__ == "__main__":
    main(sys.argv[1:])
