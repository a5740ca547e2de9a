"""Parts of documents in which words say which variant of a quantity is meant, and what is held.

A quantity has several formulas one after another, each behind words of its own; names have values
in words; a derivative is taken with something held.  What is so is written beside every formula
by hand, and a false claim is mostly what was so of the variant before it.
"""

from __future__ import annotations

import re
from random import Random

from .documents import Part
from .scenes import Scene
from .tex import side
from .told import number

Triple = tuple[str, str, str]  # a formula, its derivative by x, and the same formula otherwise
FORMULAS: list[Triple] = [
    ("a x", "a", "x a"),
    ("a x^2", "2 a x", "a x x"),
    (r"\frac{a x}{b + x}", r"\frac{a b}{(b + x)^2}", r"a - \frac{a b}{b + x}"),
    ("a (1 - e^{-b x})", "a b e^{-b x}", "a - a e^{-b x}"),
    (r"a e^{-b x}", r"-a b e^{-b x}", r"\frac{a}{e^{b x}}"),
    (r"a x + b", "a", "b + x a"),
    (r"a x^2 + b x", "2 a x + b", "x (a x + b)"),
    (r"\frac{a}{1 + b x^2}", r"-\frac{2 a b x}{(1 + b x^2)^2}", r"a - \frac{a b x^2}{1 + b x^2}"),
    (r"a \cos(b x)", r"-a b \sin(b x)", r"a (1 - 2 \sin^2(\frac{b x}{2}))"),
    (r"2 a x", "2 a", "a (x + x)"),
    (r"a (x - b)^2", "2 a (x - b)", "a x^2 - 2 a b x + a b^2"),
    (r"a \log(1 + x^2)", r"\frac{2 a x}{1 + x^2}", r"-a \log(\frac{1}{1 + x^2})"),
]
VARIANTS = (
    "With friction", "In the second model", "For a plug-flow reactor", "Including losses,",
    "More precisely,", "In reality,", "Under the other law", "In the unscaled variant",
    "Two equal parts give", "For the larger device", "At high load, second regime,",
    "If instead the source moves,", "When the buffer is full,", "With integral action we get",
    "A better model is", "Without the correction it is", "Some authors use instead",
    "In the presence of an inhibitor", "Taking the drift into account,", "Some time later",
)  # fmt: skip
FIRST = ("The rate is", "Let", "The simplest model is", "We start from", "The cost is", "Define")
SLOPES = ("The slope is", "Its derivative is", "and", "Then", "Now", "so that", "Differentiating,")
AGAIN = ("so that", "which is the same as", "Equivalently,", "In other words", "Then", "Hence")
HELD: list[tuple[str, str, str, str]] = [  # y, and ∂y/∂x with b, x/b or x b held
    ("x b", "b", "2 b", "0"),
    ("x^2 + b", "2 x", r"2 x + \frac{b}{x}", r"2 x - \frac{b}{x}"),
    (r"\frac{x}{b}", r"\frac{1}{b}", "0", r"\frac{2}{b}"),
    ("b^2 - x", "-1", r"\frac{2 b^2}{x} - 1", r"-\frac{2 b^2}{x} - 1"),
    ("a x b^2", "a b^2", "3 a b^2", "-a b^2"),
    (r"\frac{a}{x + b}", r"-\frac{a}{(x + b)^2}", r"-\frac{a}{x (x + b)}",
     r"\frac{a (b - x)}{x (x + b)^2}"),
]  # fmt: skip
KEEPING = ("Holding ${}$ fixed,", "At fixed ${}$", "With ${}$ held constant,", "At constant ${}$,",
           "Keeping ${}$ constant we find", "For fixed ${}$ this gives")  # fmt: skip


def shown(s: Scene, left: str, true: str, false: str, **more: object) -> None:
    """A claim whose left side is `true`, with another form of that or something false."""
    meant = (side(true, s.part.letters)[0],)
    draw = s.rng.random()
    right = true if draw < 0.55 else false if draw < 0.8 else s.slipped(true)
    s.part.show(left, right, meant=meant, tail=s.rng.choice(("", " .")), **more)  # type: ignore[arg-type]


def opened(rng: Random, *more: str) -> tuple[Scene, str]:
    """A scene with its numbers, and a name for the quantity."""
    s = Scene(rng)
    number(s, "a", "b", "x", *more)
    return s, s.fresh("FGHKSTUWy")


def alternatives(rng: Random) -> Part:
    """Several formulas for one name, each behind words, with claims about the last one."""
    s, y = opened(rng)
    before: Triple | None = None
    for k, (body, slope, other) in enumerate(rng.sample(FORMULAS, rng.choice((2, 2, 3)))):
        stop = rng.choice(("", " .", " ."))
        s.part.say(rng.choice(VARIANTS if k else FIRST))
        s.part.say(f"$$ {y} = {body}{stop} $$")
        stale = before or (r"2 a x b", "a + b", "a b")
        for _ in range(rng.choice((1, 2))):
            if rng.random() < 0.6:
                s.part.say(rng.choice(SLOPES))
                shown(s, rf"\frac{{\partial {y}}}{{\partial x}}", slope, stale[1])
            else:
                s.part.say(rng.choice(AGAIN))
                shown(s, f"2 {y}", f"2 ({other})", f"2 ({stale[2]})")
        before = (body, slope, other)
    s.introduce()
    return s.part


def valued(rng: Random) -> Part:
    """Values of a name in words, one after another, and then any value again."""
    s, y = opened(rng)
    body, slope, other = rng.choice(FORMULAS)
    s.part.say(rng.choice(FIRST))
    s.part.say(f"$$ {y} = {body} . $$")
    name, last = rng.choice("ab"), "7"
    at = re.compile(rf"(?<![A-Za-z\\]){name}(?![A-Za-z])")
    for value in rng.sample(("2", "3", "4", "5"), 2):
        words = rng.choice(("For ${}$", "With ${}$ we have", "For the first sample, ${}$, we get",
                            "If ${}$ then", "Take ${}$. Then", "For cork ${}$, and"))  # fmt: skip
        both = rng.random() < 0.3
        put = f"a = b = {value}" if both else f"{name} = {value}"
        s.part.say(words.format(put))
        to = re.compile(r"(?<![A-Za-z\\])[ab](?![A-Za-z])") if both else at
        true, false = (to.sub(f"({v})", other) for v in (value, last))
        given = {n: float(value) for n in ("ab" if both else name)}
        shown(s, y, true, false, under=(lambda v, r, given=given: v.update(given),))
        last = value
    s.part.say(rng.choice(("In general", "For any values", "In every case")))
    shown(s, rf"\frac{{\partial {y}}}{{\partial x}}", slope, at.sub(f"({last})", slope))
    s.introduce()
    return s.part


def keeping(rng: Random) -> Part:
    """A derivative with something held, which may change with what it is derived by."""
    s, y = opened(rng)
    r = s.fresh("hkpqrw")
    body, plain, quotient, product = rng.choice(HELD)
    made, along = rng.choice(((r"\frac{x}{b}", quotient), ("x b", product)))
    s.part.say(f"Write ${r} = {made}$ and")
    s.part.say(f"$$ {y} = {body} . $$")
    for held, true, false in rng.sample([("b", plain, along), (r, along, plain)] * 2, 3):
        s.part.say(rng.choice(KEEPING).format(held))
        shown(s, rf"\frac{{\partial {y}}}{{\partial x}}", true, false)
    s.introduce()
    return s.part


CASED = (alternatives, alternatives, valued, keeping)

__all__ = ["CASED"]
