"""Systems of many fields that were written, with their lines, before anything was printed for them.

A file holds one round.  Those of the second and third at even places were looked at afterwards,
while the printing was mended; of the others only the count was.  Those of the fourth and the later
ones were all looked at, after they had been counted.

A system stands so, the second spelling behind `---`, `jacobian` for `of` where a Jacobian is meant;
a right-hand side goes on until the next word of this list:

    # ridge
    of L
    near \\lambda 4.0
    L = \\frac{1}{2} \\sum_i (\\sum_a X_{ia} w_a - y_i)^2 + \\frac{\\lambda}{2} \\sum_a w_a^2
    ---
    L = \\frac{1}{2} \\|X w - y\\|^2 + \\frac{\\lambda}{2} \\|w\\|^2
    by w at a
      index \\sum_i X_{ia} (\\sum_b X_{ib} w_b - y_i) + \\lambda w_a
      matrix X^\\top (X w - y) + \\lambda w
      also w \\lambda + X^\\top (X w - y)
    again w        (the lines for the second spelling)
      index ...

What only the second spelling names is said behind `where`, as `where r_i = ...` below `of`.
"""

from __future__ import annotations

from pathlib import Path

from ..form import Form, Line

ROUNDS = (
    *("first", "second", "third", "fourth", "fifth", "sixth"),
    *("seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth", "fifteenth"),
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
    "twentyfirst",
    "twentysecond",
    "twentythird",
    "twentyfourth",
    "twentyfifth",
    "twentysixth",
    "twentyseventh",
    "twentyeighth",
    "twentyninth",
    "thirtieth",
    "thirtyfirst",
    "thirtysecond",
    "thirtythird",
    "thirtyfourth",
    "thirtyfifth",
    "thirtysixth",
    "thirtyseventh",
    "thirtyeighth",
    "thirtyninth",
    "fortieth",
    "fortyfirst",
    "fortysecond",
    "fortythird",
    "fortyfourth",
    "fortyfifth",
    "fortysixth",
    "fortyseventh",
    "fortyeighth",
    "fortyninth",
    "fiftieth",
    "fiftyfirst",
    "fiftysecond",
    "fiftythird",
    "fiftyfourth",
    "fiftyfifth",
    "fiftysixth",
    "fiftyseventh",
    "fiftyeighth",
    "fiftyninth",
    "sixtieth",
    "sixtyfirst",
    "sixtysecond",
    "sixtythird",
    "sixtyfourth",
    "sixtyfifth",
    "sixtysixth",
    "sixtyseventh",
    "sixtyeighth",
    "sixtyninth",
    "seventieth",
    "seventyfirst",
    "seventysecond",
    "seventythird",
    "seventyfourth",
    "seventyfifth",
    "seventysixth",
    "seventyseventh",
    "seventyeighth",
    "seventyninth",
    "eightieth",
    "eightyfirst",
    "eightysecond",
    "eightythird",
    "eightyfourth",
    "eightyfifth",
    "eightysixth",
    "eightyseventh",
    "eightyeighth",
    "eightyninth",
    "ninetieth",
    "ninetyfirst",
    "ninetysecond",
    "ninetythird",
    "ninetyfourth",
    "ninetyfifth",
    "ninetysixth",
    "ninetyseventh",
    "ninetyeighth",
    "ninetyninth",
    "hundredth",
    "hundredandfirst",
    "hundredandsecond",
    "hundredandthird",
)


def _lines(entry: list[str]) -> tuple[str, Line]:
    """The name and the line that stand behind `by` and `again`."""
    name, _, at = entry[0].partition(" at ")
    said = [text.strip().partition(" ") for text in entry[1:]]
    unknown = {word for word, _, _ in said} - {"index", "matrix", "also"}
    assert not unknown, f"{entry[0]}: {unknown}"
    of = {word: [rest for w, _, rest in said if w == word] for word in ("index", "matrix", "also")}
    (index,), (matrix,) = (of[w] or [""] for w in ("index", "matrix"))
    return name, Line(index, matrix, at, tuple(of["also"]))


def _form(text: str) -> Form:
    """One system."""
    name, *rest = text.strip().split("\n")
    head: dict[str, str] = {}
    where = []
    while rest[0].partition(" ")[0] in ("of", "jacobian", "near", "where"):
        word, _, value = rest.pop(0).partition(" ")
        head[word] = value
        where += [value] if word == "where" else []
    starts = [k for k, t in enumerate(rest) if t.startswith(("by ", "again "))]
    first, second = "\n".join(rest[: starts[0]]).split("\n---\n")
    lines: dict[str, dict[str, Line]] = {"by": {}, "again": {}}
    for start, end in zip(starts, [*starts[1:], len(rest)], strict=True):
        word, _, value = rest[start].partition(" ")
        wrt, line = _lines([value, *rest[start + 1 : end]])
        lines[word][wrt] = line
    near = (pair.rsplit(" ", 1) for pair in head.get("near", "").split(", ") if pair)
    return Form(
        name,
        (first, second),
        head.get("of") or head["jacobian"],
        lines["by"],
        "jacobian" in head,
        {wrt: float(value) for wrt, value in near},
        lines["again"],
        "\n".join(where),
    )


def _round(name: str) -> list[Form]:
    text = Path(__file__).with_name(f"{name}.txt").read_text("utf-8")
    return [_form(part) for part in text.split("\n# ")[1:]]


FORMS = [form for name in ROUNDS for form in _round(name)]
