"""Every formula that symattn prints, as JSON: those of the docs and of the gallery of forms."""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from forms import FORMS  # noqa: E402
from forms.printed import results  # noqa: E402

CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]+`", re.DOTALL | re.MULTILINE)
DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
INLINE = re.compile(r"(?<![\\$])\$([^$\n]+?)\$")

found = []
for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
    text = CODE.sub("", page.read_text("utf-8"))
    for pattern in (DISPLAY, INLINE):
        where = str(page.relative_to(ROOT))
        found += [{"where": where, "latex": m[1]} for m in pattern.finditer(text)]
        text = pattern.sub("", text)
for form in FORMS:
    for spelling in (0, 1):
        for wrt, printed in results(form.name, spelling, steps=True)[0].items():
            if not isinstance(printed, str):
                lines = [printed.index, printed.matrix, *printed.steps]
                found += [{"where": f"{form.name} / {wrt}", "latex": x} for x in lines if x]
json.dump(found, sys.stdout)
