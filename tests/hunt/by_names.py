"""Chapters of names that are derived by: another parameter, coordinates, chains of names."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from .documents import Definition, Part, Values
from .scenes import Scene
from .tex import scalar
from .told import EPS, Pairs, number, said
from .values import NoValue

MADE: Pairs = [
    (r"a \log s", r"\frac{a}{s}"), (r"\frac{b}{s^2}", r"-\frac{2 b}{s^3}"), ("a s^2", "2 a s"), (r"e^{-b s}", r"-b e^{-b s}"),
    (r"\frac{a s}{1 + s}", r"\frac{a}{(1 + s)^2}"), ("b s", "b"), (r"\frac{a}{s}", r"-\frac{a}{s^2}"), (r"\sqrt{s}", r"\frac{1}{2 \sqrt{s}}"),
]  # fmt: skip
OTHER: Pairs = [
    (r"\frac{1}{s^2}", r"\left(-\frac{2}{s^3}\right)"), (r"\log s", r"\frac{1}{s}"), ("s^3", "3 s^2"), ("2 s + 1", "2"),
    (r"\frac{s}{1 + s}", r"\frac{1}{(1 + s)^2}"), (r"e^{-s}", r"\left(-e^{-s}\right)"), (r"\frac{1}{s}", r"\left(-\frac{1}{s^2}\right)"), ("s^2", "2 s"),
]  # fmt: skip
EXPLICIT: Pairs = [
    ("c u", "c"),
    ("u^2", "2 u"),
    (r"\frac{c}{1 + u^2}", r"\left(-\frac{2 c u}{(1 + u^2)^2}\right)"),
]


def along(of: str, by: str, through: str) -> Callable[[Values], Any]:
    """The slope of one name by another, where a third one moves both."""

    def slope(e: Values) -> Any:
        def at(step: float) -> Values:
            there: Values = e["again"](through, e[through] + step)
            return there

        near = [at(k * EPS) for k in (-2, -1, 1, 2)]
        f, g = ([scalar(x[name]) for x in near] for name in (of, by))
        rise, run = (8 * (y[2] - y[1]) - (y[3] - y[0]) for y in (f, g))
        if abs(run) < 1e-7:
            raise NoValue("it stands still")
        return rise / run

    return slope


def outright(of: str, by: str) -> Callable[[Values], Any]:
    """The slope of a formula by a name that stands in it, nothing else moving."""

    def slope(e: Values) -> Any:
        f = [scalar(e["again"](by, e[by] + k * EPS)[of]) for k in (-2, -1, 1, 2)]
        return (8 * (f[2] - f[1]) - (f[3] - f[0])) / (12 * EPS)

    return slope


def reparametrised(rng: Random) -> Part:
    """∂E/∂u where E is made of s and u is made of s, too, or the other way round."""
    s = Scene(rng)
    number(s, "a", "b", "c", "s")
    part = s.part
    part.imposed.append(lambda v, r: v.update(s=0.3 + abs(v["s"])))
    terms = rng.sample(MADE, rng.choice((1, 2)))
    g, dg = rng.choice(OTHER)
    explicit = rng.random() < 0.4
    body, slope = " + ".join(t for t, _ in terms), " + ".join(f"({d})" for _, d in terms)
    direct = ""
    if explicit:
        term, direct = rng.choice(EXPLICIT)
        body += f" + {term}"
    part.definitions += [Definition("u", g), Definition("E", body)]
    shown = [f"$$ u = {g} . $$", f"$$ E = {body} . $$"]
    inline = [f"We write $u = {g}$.", f"The energy is $E = {body}$."]
    order = [0, 1] if rng.random() < 0.5 else [1, 0]
    part.say("Here $s > 0$.")
    for k in order:
        part.say(rng.choice((shown, inline))[k])
    chain = rf"\frac{{{slope}}}{{{dg}}}" if len(terms) > 1 else rf"\left({slope}\right) / {dg}"
    tries = [chain, chain, chain, f"({slope}) {dg}", slope, f"-{chain}"]
    if explicit:
        tries += [direct, f"{chain} + {direct}", f"{chain} + {direct}", f"{chain} - {direct}"]
    ways = [along("E", "u", "s")] + ([outright("E", "u")] if explicit else [])
    for right in rng.sample(tries, 3):
        s.then()
        top = rng.choice((r"\partial E}{\partial u", "dE}{du"))
        part.show(rf"\frac{{{top}}}", right, meant=tuple(ways))
    if rng.random() < 0.5:
        s.then()
        right = f"{slope} + ({direct}) {dg}" if explicit else slope
        right = rng.choice((right, right, slope, f"2 ({right})"))
        part.show(r"\frac{dE}{ds}", right, meant=(along("E", "s", "s"),))
    s.introduce()
    return part


COORDINATES: list[tuple[dict[str, str], tuple[str, str], Pairs]] = [
    ({"x": r"r \cos(t)", "y": r"r \sin(t)"}, ("r", "t"),
     [("J", "r"), ("x^2 + y^2", "r^2"), (r"\frac{\partial x}{\partial t}", "-y"), (r"\frac{\partial y}{\partial t}", "x"),
      (r"\frac{\partial x}{\partial r}", r"\frac{x}{r}"), ("<r,x>", r"\cos(t)"), ("<t,x>", r"-\frac{\sin(t)}{r}"), ("<r,y>", r"\frac{y}{r}")]),
    ({"x": "r t", "y": r"\frac{r^2 - t^2}{2}"}, ("r", "t"),
     [("J", "-(r^2 + t^2)"), (r"\frac{\partial y}{\partial t}", "-t"), (r"\frac{\partial x}{\partial r}", "t"),
      ("<r,y>", r"\frac{r}{r^2 + t^2}"), ("<t,x>", r"\frac{r}{r^2 + t^2}")]),
    ({"x": "a r + b t", "y": "r - t"}, ("r", "t"),
     [("J", "-(a + b)"), (r"\frac{\partial x}{\partial t}", "b"), ("<r,x>", r"\frac{1}{a + b}"), ("<t,y>", r"-\frac{a}{a + b}")]),
    ({"x": r"e^{r} \cos(t)", "y": r"e^{r} \sin(t)"}, ("r", "t"),
     [("J", "e^{2 r}"), ("J", "x^2 + y^2"), (r"\frac{\partial x}{\partial r}", "x"), (r"\frac{\partial x}{\partial t}", "-y"), ("<r,x>", r"\frac{x}{x^2 + y^2}")]),
    ({"x": "r (1 - t)", "y": "r t"}, ("r", "t"),
     [("J", "r"), ("x + y", "r"), ("<r,x>", "1"), ("<t,x>", r"-\frac{t}{r}"), (r"\frac{y}{x + y}", "t")]),
]  # fmt: skip
JACOBIAN = (r"\frac{\partial x}{\partial r} \frac{\partial y}{\partial t} - "
            r"\frac{\partial x}{\partial t} \frac{\partial y}{\partial r}")  # fmt: skip


def inverse_slope(old: str, new: str) -> tuple[Callable[[Values], Any], ...]:
    """∂r/∂x with the other new coordinate held, and with the other old one held."""

    def matrix(e: Values) -> Any:
        return np.array([[outright(x, r)(e) for r in "rt"] for x in "xy"])

    def held(e: Values) -> Any:
        if abs(np.linalg.det(matrix(e))) < 1e-3:
            raise NoValue("folded")
        return np.linalg.inv(matrix(e))["rt".index(old), "xy".index(new)]

    def alone(e: Values) -> Any:
        slope = matrix(e)["xy".index(new), "rt".index(old)]
        if abs(slope) < 1e-3:
            raise NoValue("steep")
        return 1 / slope

    return held, alone


def coordinates(rng: Random) -> Part:
    """Jacobians of a change of variables, and slopes the other way round."""
    s = Scene(rng)
    made, olds, pairs = rng.choice(COORDINATES)
    number(s, "a", "b", *olds)
    part = s.part
    part.imposed.append(lambda v, r: v.update(r=0.4 + abs(v["r"])))
    part.say("Here $r > 0$.")
    part.say("$$ " + r", \quad ".join(f"{k} = {v}" for k, v in made.items()) + " . $$")
    part.definitions += [Definition(k, v) for k, v in made.items()]
    for left, right in rng.sample(pairs, 3):
        if rng.random() < 0.45:
            right = s.slipped(right)
        s.then()
        ways: tuple[Any, ...] = ()
        if found := re.fullmatch("<(.),(.)>", left):
            left, ways = (
                rf"\frac{{\partial {found[1]}}}{{\partial {found[2]}}}",
                inverse_slope(found[1], found[2]),
            )
        part.show(JACOBIAN if left == "J" else left, right, meant=ways)
    s.introduce()
    return part


CHAINED: list[tuple[Pairs, Pairs]] = [
    ([("u", "a^2 + b"), ("v", "a b"), ("w", "u v")],
     [(r"\frac{\partial w}{\partial a}", "2 a v + b u"), (r"\frac{\partial w}{\partial b}", "v + a u"), (r"\frac{\partial w}{\partial a}", "3 a^2 b + b^2")]),
    ([("u", r"\frac{a}{b}"), ("w", r"\log(1 + u^2)")],
     [(r"\frac{\partial w}{\partial a}", r"\frac{2 u}{b (1 + u^2)}"), (r"\frac{\partial w}{\partial b}", r"-\frac{2 u^2}{b (1 + u^2)}")]),
    ([("u", "a + b"), ("v", "u^2"), ("w", "v + a u")],
     [(r"\frac{\partial w}{\partial a}", "3 u + a"), (r"\frac{\partial w}{\partial b}", "2 u + a"), (r"\frac{dw}{da}", "3 u + a")]),
    ([("u", "e^{a b}"), ("w", r"\frac{u}{1 + u}")],
     [(r"\frac{\partial w}{\partial a}", "b w (1 - w)"), (r"\frac{\partial w}{\partial b}", "a w (1 - w)")]),
    ([("u", r"\tanh(a c)"), ("w", "(u - b)^2")],
     [(r"\frac{\partial w}{\partial c}", "2 a (u - b) (1 - u^2)"), (r"\frac{\partial w}{\partial b}", "-2 (u - b)"), (r"\frac{\partial w}{\partial a}", "2 c (u - b) (1 - u^2)")]),
]  # fmt: skip


def chained(rng: Random) -> Part:
    """The chain rule through several names."""
    s = Scene(rng)
    number(s, "a", "b", "c")
    made, pairs = rng.choice(CHAINED)
    shown = [f"{x} = {v}" for x, v in made]
    s.part.definitions += [Definition(x, v) for x, v in made]
    if rng.random() < 0.3:
        shown.reverse()
    for text in shown:
        s.part.say(f"$$ {text} . $$" if rng.random() < 0.7 else f"Let ${text}$.")
    said(s, pairs)
    s.introduce()
    return s.part


__all__ = ["along", "chained", "coordinates", "outright", "reparametrised"]
