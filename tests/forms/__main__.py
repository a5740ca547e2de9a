"""The table of forms: python tests/forms [open | values | reread].

With `open`, open.txt is written anew; with `values`, every line is compared with automatic
differentiation instead; with `reread`, every printed result is read back.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from forms import FORMS
from forms.printed import results, rows
from forms.reread import misread
from forms.values import faults


def main(arguments: list[str]) -> None:
    if arguments == ["values"]:
        wrong = {form.name: faults(form, seeds=3) for form in FORMS}
        for name, lines in wrong.items():
            print(f"{name}: {', '.join(lines) or 'as differentiated'}")
        sys.exit(any(wrong.values()))
    if arguments == ["reread"]:
        back = [f"{f.name}: {line}" for f in FORMS for k in (0, 1) for line in misread(f, k)]
        print("\n".join(back) or "every result is read back as what it is")
        sys.exit(bool(back))
    found = rows()
    for r in found:
        print(f"{'same' if r.same else 'open'}  {r.key}")
        print(f"        textbook  {r.line}")
        print(f"        printed   {r.printed or '—'}")
    for kind in ("index", "matrix", "again"):
        some = [r for r in found if r.kind == kind]
        print(f"{kind}: {sum(r.same for r in some)} of {len(some)}")
    names = {r.name for r in found}
    whole = names - {r.name for r in found if not r.same}
    first = names - {r.name for r in found if not r.same and r.kind != "again"}
    print(f"systems whole: {len(whole)} of {len(names)}; from the first spelling {len(first)}")
    slow = sorted(((results(n, k)[1], n) for n in names for k in (0, 1)), reverse=True)[:5]
    print("slowest: " + ", ".join(f"{n} {s:.2f} s" for s, n in slow))
    if arguments == ["open"]:
        keys = [r.key for r in found if not r.same]
        (Path(__file__).parent / "open.txt").write_text("\n".join(keys) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
