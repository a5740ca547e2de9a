"""Pages that say where numbers lie, and what is claimed of roots, bars, logarithms and inverses.

What is so is found by evaluating both sides at many places of the domain, in floating point.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np

from .pages import Claim, Pages

EACH = 3  # questions of either kind a page
CLAIMS = (2, 3, 4)
FAR = 40.0  # what stands for infinity
Function = Callable[[Any], Any]
Ends = tuple[float, float]

# What is written of x, and the functions of x that it equals on one side or on the other.
TERMS: tuple[tuple[str, Function, tuple[tuple[str, Function], ...]], ...] = (
    (r"\sqrt{x^2}", lambda x: np.sqrt(x**2), (("x", lambda x: x), ("-x", lambda x: -x))),
    (r"|x|", abs, (("x", lambda x: x), ("-x", lambda x: -x))),
    (r"|x - 1|", lambda x: abs(x - 1), (("x - 1", lambda x: x - 1), ("1 - x", lambda x: 1 - x))),
    (r"\sqrt{(x + 2)^2}", lambda x: abs(x + 2),
     (("x + 2", lambda x: x + 2), ("-x - 2", lambda x: -x - 2))),
    (r"\sqrt{x^4}", lambda x: x**2, (("x^2", lambda x: x**2), ("-x^2", lambda x: -(x**2)))),
    (r"\sqrt{x^6}", lambda x: abs(x) ** 3, (("x^3", lambda x: x**3), ("-x^3", lambda x: -(x**3)))),
    (r"\log(x^2)", lambda x: np.log(x**2),
     ((r"2 \log x", lambda x: 2 * np.log(x)), (r"2 \log(-x)", lambda x: 2 * np.log(-x)))),
    (r"\max(x, 0)", lambda x: np.maximum(x, 0), (("x", lambda x: x), ("0", lambda x: 0 * x))),
    (r"\min(x, 1)", lambda x: np.minimum(x, 1), (("x", lambda x: x), ("1", lambda x: 1 + 0 * x))),
    (r"|x^2 - 1|", lambda x: abs(x**2 - 1),
     (("x^2 - 1", lambda x: x**2 - 1), ("1 - x^2", lambda x: 1 - x**2))),
    (r"\sqrt{1 - 2 x + x^2}", lambda x: abs(1 - x),
     (("1 - x", lambda x: 1 - x), ("x - 1", lambda x: x - 1))),
    (r"\arctan(\tan x)", lambda x: np.arctan(np.tan(x)),
     (("x", lambda x: x), (r"x - \pi", lambda x: x - np.pi))),
    (r"\arccos(\cos x)", lambda x: np.arccos(np.cos(x)),
     (("x", lambda x: x), ("-x", lambda x: -x))),
    (r"\arcsin(\sin x)", lambda x: np.arcsin(np.sin(x)),
     (("x", lambda x: x), (r"\pi - x", lambda x: np.pi - x))),
    (r"\sqrt{1 - \sin^2 x}", lambda x: abs(np.cos(x)),
     ((r"\cos x", np.cos), (r"-\cos x", lambda x: -np.cos(x)))),
    (r"\sqrt{\cosh^2 x - 1}", lambda x: abs(np.sinh(x)),
     ((r"\sinh x", np.sinh), (r"-\sinh x", lambda x: -np.sinh(x)))),
    (r"\frac{|x|}{x}", lambda x: abs(x) / x,
     (("1", lambda x: 1 + 0 * x), ("-1", lambda x: 0 * x - 1))),
    (r"e^{\log x}", lambda x: np.exp(np.log(x)), (("x", lambda x: x), ("2 x", lambda x: 2 * x))),
    (r"\sqrt{x} \sqrt{x}", lambda x: np.sqrt(x) ** 2, (("x", lambda x: x), ("-x", lambda x: -x))),
)  # fmt: skip
# A function, its inverse where x is on one side and on the other, and where it turns.
INVERSES: tuple[tuple[str, Function, tuple[tuple[str, Function], ...]], ...] = (
    ("x^2", lambda x: x**2,
     ((r"\sqrt{y}", np.sqrt), (r"-\sqrt{y}", lambda y: -np.sqrt(y)))),
    ("x^2 + 3", lambda x: x**2 + 3,
     ((r"\sqrt{y - 3}", lambda y: np.sqrt(y - 3)), (r"-\sqrt{y - 3}", lambda y: -np.sqrt(y - 3)))),
    ("(x - 1)^2", lambda x: (x - 1) ** 2,
     ((r"1 + \sqrt{y}", lambda y: 1 + np.sqrt(y)), (r"1 - \sqrt{y}", lambda y: 1 - np.sqrt(y)))),
    (r"e^{-x^2}", lambda x: np.exp(-(x**2)),
     ((r"\sqrt{-\log y}", lambda y: np.sqrt(-np.log(y))),
      (r"-\sqrt{-\log y}", lambda y: -np.sqrt(-np.log(y))))),
    (r"\cosh x", np.cosh,
     ((r"\log(y + \sqrt{y^2 - 1})", lambda y: np.log(y + np.sqrt(y**2 - 1))),
      (r"\log(y - \sqrt{y^2 - 1})", lambda y: np.log(y - np.sqrt(y**2 - 1))))),
    (r"\sin x", np.sin,
     ((r"\arcsin y", np.arcsin), (r"\pi - \arcsin y", lambda y: np.pi - np.arcsin(y)))),
    (r"\arctan x", np.arctan, ((r"\tan y", np.tan), (r"-\tan y", lambda y: -np.tan(y)))),
    ("x^3", lambda x: x**3,
     ((r"\sqrt[3]{y}", np.cbrt), (r"-\sqrt[3]{y}", lambda y: -np.cbrt(y)))),
    (r"\frac{1}{1 + x^2}", lambda x: 1 / (1 + x**2),
     ((r"\sqrt{\frac{1}{y} - 1}", lambda y: np.sqrt(1 / y - 1)),
      (r"-\sqrt{\frac{1}{y} - 1}", lambda y: -np.sqrt(1 / y - 1)))),
)  # fmt: skip
DOMAINS: tuple[tuple[str, Ends], ...] = (
    ("$x > 0$", (0, FAR)), ("$x < 0$", (-FAR, 0)), (r"$x \ge 0$", (0, FAR)), ("$x > 1$", (1, FAR)),
    (r"$x \le -2$", (-FAR, -2)), ("$0 < x < 1$", (0, 1)), ("$-1 < x < 0$", (-1, 0)),
    (r"$x \in (0, 1)$", (0, 1)), (r"$x \in [-1, 0]$", (-1, 0)), (r"$x \in (1, \infty)$", (1, FAR)),
    (r"$x \in (-\infty, 0)$", (-FAR, 0)), ("$|x| < 1$", (-1, 1)),
    (r"$0 \le x \le \pi$", (0, np.pi)),
    (r"$-\frac{\pi}{2} < x < \frac{\pi}{2}$", (-np.pi / 2, np.pi / 2)),
    (r"$\frac{\pi}{2} < x < \pi$", (np.pi / 2, np.pi)), (r"$x \in \mathbb{R}$", (-FAR, FAR)),
    ("$-2 < x < 3$", (-2, 3)), ("$x < 1$", (-FAR, 1)),
)  # fmt: skip
WORDS: tuple[tuple[str, Ends], ...] = (
    ("positive", (0, FAR)), ("negative", (-FAR, 0)), ("nonnegative", (0, FAR)),
    ("nonpositive", (-FAR, 0)),
)  # fmt: skip
KINDS = ("before", "case", "behind")
BEFORE = ("Let {}.", "Suppose that {}.", "Throughout, {}.", "We assume {}.", "Here {}.")
ANEW = ("Now let {}.", "Next suppose that {}.", "Consider now the case {}.", "Now take {}.")
CASES = ("For {} we have {}.", "If {}, then {}.", "When {}, {}.", "In the case {}, we get {}.")
BEHIND = ("We have {} for {}.", "Clearly {} if {}.", "Then {} whenever {}.", "Note that {} for {}.")


def holds(left: Function, right: Function, ends: Ends) -> bool | None:
    """Whether both sides agree where both have values; None where they have none, or nearly do."""
    low, high = ends
    places = low + (high - low) * (np.arange(1, 400) / 400.0 + 0.0007)
    places = places[(places > low) & (places < high)]
    with np.errstate(all="ignore"):
        one, other = (np.broadcast_to(f(places), places.shape) for f in (left, right))
    known = np.isfinite(one) & np.isfinite(other)
    both = np.isfinite(one) == np.isfinite(other)
    if known.sum() < 20 or not both.all():
        return None  # what has a value on one side alone is left to the reader's taste
    apart = abs(one - other)[known] > 1e-9 * (1 + abs(one[known]))
    return not apart.any()


class Page:
    """A page under way: lines, claims, and where x lies as what was said last says."""

    def __init__(self, seed: int) -> None:
        self.rng, self.lines, self.claims = Random(seed), list[str](), list[Claim]()
        self.ends: Ends = (-FAR, FAR)
        self.cased = False  # a case was spoken of, which may be meant in what follows
        inverse = self.rng.random() < 0.3
        for k in range(self.rng.choice(CLAIMS)):
            self.inverse() if inverse else self.claim(k)
            if inverse:
                break

    def where(self) -> tuple[str, Ends]:
        """A domain in words or as a formula."""
        if self.rng.random() < 0.2:
            word, ends = self.rng.choice(WORDS)
            return f"$x$ is {word}", ends
        return self.rng.choice(DOMAINS)

    def drawn(self, ends: Ends, both: Ends) -> tuple[str, bool] | None:
        """An equation, and whether it holds there; None where what was said before decides."""
        rng = self.rng
        term, left, sides = rng.choice(TERMS)
        shown, right = rng.choice(sides)
        k = rng.choice((1, 1, 2, 3))
        so = holds(left, right, ends)
        if so is None or (both[0] < both[1] and holds(left, right, both) != so):
            return None
        if k == 1:
            return f"{term} = {shown}", so
        if rng.random() < 0.5:
            return rf"{k} {term} = {k} \left({shown}\right)", so
        return rf"{term} + {k} x = {shown} + {k} x", so

    def say(self, before: str, latex: str, so: bool, behind: str = "") -> None:
        """A sentence with the equation, inline or as a display."""
        if not behind and before.endswith(("we have ", "then ", "get ", ", ")) and (
            self.rng.random() < 0.4
        ):  # fmt: skip
            self.lines += [before.strip(), "", f"$$ {latex}. $$", ""]
            self.claims.append(Claim(len(self.lines) - 1, latex, so))
            return
        self.lines += [f"{before}${latex}${behind}", ""]
        self.claims.append(Claim(len(self.lines) - 1, latex, so))

    def claim(self, k: int) -> None:
        rng = self.rng
        kind = rng.choice(("before", "case", "behind") if self.cased else (*KINDS, "none"))
        ends, words = self.ends, ""
        if kind != "none":
            words, ends = self.where()
        both = max(ends[0], self.ends[0]), min(ends[1], self.ends[1])
        if kind == "before" and both[0] < both[1] and self.ends != (-FAR, FAR):
            return  # what is let anew, and not against what was, may be said besides
        made = self.drawn(ends, both)
        if made is None:
            return
        latex, so = made
        if kind == "before":
            self.ends = ends
            self.lines += [rng.choice(ANEW if k else BEFORE).format(words), ""]
            self.say("Then we have ", latex, so, ".")
        elif kind == "case":
            before, behind = rng.choice(CASES).replace("{}", words, 1).split("{}")
            self.say(before, latex, so, "" if rng.random() < 0.4 else behind)
        elif kind == "behind":
            before, behind = rng.choice(BEHIND).split("{}", 1)
            self.say(before, latex, so, behind.replace("{}", words))
        else:
            self.say("We have ", latex, so, ".")
        self.cased = self.cased or kind in ("case", "behind")

    def inverse(self) -> None:
        rng = self.rng
        f, function, sides = rng.choice(INVERSES)
        words, ends = self.where()
        shown, r = rng.choice(sides)
        so = holds(lambda x: r(function(x)), lambda x: x, ends)
        if so is None:
            return
        self.lines += [
            rng.choice((
                f"Let $h(x) = {f}$ for {words}.",
                f"Let {words} and $h(x) = {f}$.",
                f"Suppose that {words}. Let $h(x) = {f}$.",
                f"Let $h(x) = {f}$, where {words}.",
            )),
            "",
        ]  # fmt: skip
        latex = f"h^{{-1}}(y) = {shown}"
        self.say("The inverse is ", latex, so, ".")


@lru_cache(maxsize=64)
def page(seed: int) -> tuple[str, tuple[Claim, ...]]:
    """The text, and its claims that are so or are not."""
    made = Page(seed)
    return "\n".join(made.lines), tuple(made.claims)


asked_of = Pages(page, EACH)

__all__ = ["asked_of", "page"]
