"""The parts of documents: facts in words, functions, recursions, gradients, listed sums, integrals."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np

from .documents import Claim, Definition, Part, Values
from .prose import (
    AFTER,
    CASES,
    CONDITIONS,
    DENIED,
    DROPPED,
    FACTS,
    GENERAL,
    KIND,
    POOL,
    SPACE,
    STATED,
    THEN,
    Fact,
    renamed,
    said,
)
from .tex import scalar, side
from .values import NoValue

AROUND = ("({}) + c", "c ({})", "({})^2", "e^{{{}}}", r"\cos({})", "2 ({}) - c", r"\frac{{{}}}{{1 + c^2}}",
          r"\max({}, c)", r"\tanh({})", "c - ({})", r"\sqrt{{1 + ({})^2}}", r"c^2 + \frac{{{}}}{{2}}")  # fmt: skip
SAME = ("{} + c - c", r"\frac{{2 ({})}}{{2}}", "(1 + c) ({0}) - c ({0})", "-(-({}))",
        "({}) e^{{c}} e^{{-c}}", "c + ({}) - c")  # fmt: skip

ARRAYS = ("c ({})", "2 ({})", r"\frac{{{}}}{{1 + c^2}}")
ARRAYS_SAME = (r"\frac{{2 ({})}}{{2}}", "(1 + c) ({0}) - c ({0})", "-(-({}))")


def plain(tex: str) -> bool:
    """Needs no brackets: a name, a number, something bracketed already."""
    return (
        re.fullmatch(r"[a-zA-Z]|\\frac\{[^{}]*\}\{[^{}]*\}|\\sqrt\{[^{}]*\}|\|[^|]*\|", tex)
        is not None
    )


def put(frame: str, tex: str) -> str:
    if plain(tex) and not re.search(r"[a-z]\(\{", frame):  # a function needs its brackets
        frame = frame.replace("({})", "{}").replace("({0})", "{0}")
    return frame.format(tex)


class Scene:
    """Names and words of one part."""

    def __init__(self, rng: Random) -> None:
        self.rng, self.part = rng, Part()
        self.names: dict[str, str] = {}

    def name(self, canonical: str) -> str:
        """The name in this part of one of the templates."""
        if canonical not in self.names:
            kind = KIND[canonical]
            free = [n for n in POOL[kind] if n not in self.names.values()]
            self.names[canonical] = self.rng.choice(free)
            self.part.inputs[self.names[canonical]] = kind
        return self.names[canonical]

    def fresh(self, pool: str) -> str:
        taken = {*self.names.values(), *(d.name for d in self.part.definitions)}
        return self.rng.choice([x for x in pool if x not in taken])

    def tex(self, template: str) -> str:
        for x in re.findall(r"(?<![A-Za-z\\])[abcxyzABm](?![A-Za-z])", template):
            self.name(x)
        return renamed(template, self.names)

    def introduce(self) -> None:
        """The first paragraph: what every name is."""
        said: list[str] = []
        for kind in ("number", "integer", "vector", "square"):
            names = [n for n, k in self.part.inputs.items() if k == kind]
            if names:
                said.append(rf"${', '.join(names)} \in {SPACE[kind]}$")
        opening = self.rng.choice(("Let {}.", "Here {}.", "Now let {}.", "Consider {}."))
        self.part.paragraphs.insert(0, opening.format(" and ".join(said)))
        for k, c in enumerate(self.part.claims):
            self.part.claims[k] = replace(c, paragraph=c.paragraph + 1)

    def then(self) -> None:
        words = self.rng.choice(THEN)
        if words:
            self.part.say(words)

    def disguised(self, left: str, right: str, most: int = 2) -> tuple[str, str]:
        """Both sides in one frame, the right one in more words."""
        around, same = (AROUND, SAME) if self.number(left) else (ARRAYS, ARRAYS_SAME)
        for _ in range(self.rng.choice((0, 0, 1, most))):
            frame = self.tex(self.rng.choice(around))
            left, right = put(frame, left), put(frame, right)
        if self.rng.random() < 0.3:
            right = put(self.tex(self.rng.choice(same)), right)
        return left, right

    def number(self, tex: str) -> bool:
        """Whether it is a number, for every value of the letters."""
        read = side(tex, self.part.letters)[0]
        for k in range(40):
            try:
                return not np.ndim(scalar(read({**self.part.values(Random(k), 2), "i": 1, "j": 1})))
            except NoValue:
                continue
        return True

    def slipped(self, tex: str) -> str:
        """One slip away, mostly."""
        rng = self.rng
        tries = ["2 ({})", "-({})"]
        for _ in range(8):
            match rng.randrange(4):
                case 0:
                    found = [m for m in re.finditer(r"(?<=[\w)}|] )[+-](?= )", tex)]
                    if found:
                        m = rng.choice(found)
                        return tex[: m.start()] + "+-"[m[0] == "+"] + tex[m.end() :]
                case 1:
                    found = [m for m in re.finditer(r"(?<![\w_{])\d(?!\w)", tex)]
                    if found:
                        m = rng.choice(found)
                        return tex[: m.start()] + str(int(m[0]) + 1) + tex[m.end() :]
                case 2:
                    pairs = [("a", "b"), ("x", "y"), (r"\max", r"\min"), ("i", "j")]
                    old, new = rng.choice(pairs)
                    old, new = self.names.get(old, old), self.names.get(new, new)
                    found = list(re.finditer(rf"(?<![A-Za-z\\]){re.escape(old)}(?![A-Za-z])", tex))
                    if found and (new in self.names.values() or new == r"\min"):
                        m = rng.choice(found)
                        return tex[: m.start()] + new + tex[m.end() :]
                case 3:
                    return put(self.tex(rng.choice(tries)), tex)
        return put("2 ({})", tex)


# ------------------------------------------------------------------------------------ facts


def facts(rng: Random) -> Part:
    """A fact that the words state, deny, drop or make a case of, and what needs it."""
    s = Scene(rng)
    fact: Fact = rng.choice(FACTS)
    for name in fact.names:
        s.name(name)
    s.tex("c")
    mode = rng.choice(
        ("stated", "stated", "denied", "denied", "case", "case", "after", "dropped", "none")
    )
    impose = lambda v, r: fact.impose(v, s.names, r)  # noqa: E731
    f = said(fact, s.names, rng)
    part = s.part

    def claim(under: tuple[Any, ...] = (), tail: str = "", lead: str = "") -> None:
        left, right = (s.tex(t) for t in rng.choice(fact.laws))
        if rng.random() < 0.15:
            left, right = right, left
        left, right = s.disguised(left, right)
        if rng.random() < 0.35:
            right = s.slipped(right)
        style = rng.random()
        if style < 0.55 and not left.isdigit():
            name = s.fresh("FGHKSTUW")
            letters = (
                tuple(x for x in "ij" if re.search(rf"_\{{?\w*{x}", left))
                if free(left, part)
                else ()
            )
            if any(re.search(rf"\\(?:sum|max)_{x}", left) for x in letters):
                letters = tuple(sorted(free(left, part)))
            shown = name + (
                "_" + letters[0]
                if len(letters) == 1
                else "_{" + "".join(letters) + "}"
                if letters
                else ""
            )
            part.say(rng.choice(("Define", "Let", "We write", "Consider")))
            part.say(f"$$ {shown} = {left} . $$")
            part.definitions.append(Definition(name, left, letters))
            left = shown
        if lead:
            part.say(lead)
        else:
            s.then()
        part.show(left, right, tail=tail, under=under)

    case = rng.choice(CASES).format(f=f)
    if mode == "stated":
        part.say(stated(rng, f))
        part.imposed.append(impose)
        for _ in range(3):
            claim()
    elif mode == "denied":
        part.say(rng.choice(DENIED).format(f=f, F=f))
        for _ in range(3):
            claim()
    elif mode == "none":
        claim()
        claim()
    elif mode == "case":
        claim((impose,), lead=case)
        if rng.random() < 0.3:
            part.say(
                "Nothing else is said here. We go on with something that has no such condition."
            )
        claim(lead=rng.choice(GENERAL).format(n=f"${s.names[fact.names[0]]}$"))
    elif mode == "after":
        words = rng.choice(AFTER).format(f=f)
        if rng.random() < 0.5:
            claim((impose,), tail=rf" \quad \text{{{words}}}")
        else:
            claim((impose,))
            part.say(f"{words}.")
        if words.startswith(CONDITIONS):  # “where” may say it throughout
            claim(lead=rng.choice(GENERAL[:3]).format(n=f"${s.names[fact.names[0]]}$"))
    else:
        part.say(stated(rng, f))
        claim((impose,))
        part.say(rng.choice(DROPPED).format(f=f, n=f"${s.names[fact.names[0]]}$"))
        claim()
        claim()
    s.introduce()
    return part


def stated(rng: Random, f: str) -> str:
    return rng.choice(STATED).format(f=f)


def free(tex: str, part: Part) -> set[str]:
    return side(tex, part.letters)[1]


# ---------------------------------------------------------------------- what is defined


def laws(rng: Random, s: Scene, pairs: list[tuple[str, str]], number: int = 3, **more: Any) -> None:
    """Some of the pairs as claims, a part of them one slip away."""
    for left, right in rng.sample(pairs, min(number, len(pairs))):
        right = s.tex(right)
        if rng.random() < 0.2:
            right = put(s.tex(rng.choice(ARRAYS_SAME)), right)
        if rng.random() < 0.45:
            right = s.slipped(right)
        s.then()
        s.part.show(s.tex(left), right, **more)


def functions(rng: Random) -> Part:
    """f(t) = …, and its values."""
    s = Scene(rng)
    options = [
        ("a t + b", [("f(0)", "b"), ("f(1)", "a + b"), ("f(2) - f(1)", "a"), ("f(c)", "a c + b"),
                     ("f(a)", "a^2 + b"), ("f(c) - f(0)", "a c"), ("f(b)", "a b + b"),
                     ("f(f(0))", "a b + b"), (r"\frac{f(1) + f(-1)}{2}", "b"), ("f(t + 1) - f(t)", "a")]),
        ("a t^2 + b", [("f(0)", "b"), ("f(-c)", "a c^2 + b"), ("f(1) - f(-1)", "0"), ("f(2)", "4 a + b"),
                       ("f(2 c) - b", "4 a c^2"), ("f(c) - f(-c)", "0"), ("f(-t)", "f(t)")]),
        ("a e^{b t}", [("f(0)", "a"), ("f(1)", "a e^{b}"), ("f(c)^2", "a^2 e^{2 b c}"),
                       ("f(c) f(-c)", "a^2"), ("f(2 c)", r"\frac{f(c)^2}{a}")]),
        (r"\frac{a}{1 + t^2}", [("f(0)", "a"), ("f(1)", r"\frac{a}{2}"), ("f(-c)", "f(c)"), ("f(2)", r"\frac{a}{5}")]),
        ("|t - a|", [("f(a)", "0"), ("f(0)", "|a|"), ("f(a + 1)", "1"), ("f(2 a)", "|a|"), ("f(a - b)", "|b|")]),
        (r"\max(t, 0)", [("f(c) - f(-c)", "c"), ("f(0)", "0"), ("f(c) + f(-c)", "|c|"), ("f(2)", "2"), ("f(c^2)", "c^2")]),
        (r"\max(t, a)", [("f(a)", "a"), ("f(f(c))", "f(c)"), ("f(a + 1)", "a + 1"), ("f(a - 1)", "a")]),
    ]  # fmt: skip
    body, values = rng.choice(options)
    f, part = rng.choice("fgh"), s.part
    part.letters = {**part.letters, f: "function"}
    s.names["f"] = f
    s.name("c")
    body = s.tex(body)
    part.say(rng.choice(("The function is", "Let", "Define")))
    part.say(f"$$ {f}(t) = {body} . $$")
    part.definitions.append(Definition(f, body, (), "t"))
    values = [v for v in values if "(t" not in v[0] and "-t" not in v[0]]
    if rng.random() < 0.4:
        claims = len(part.claims)
        left, right = rng.choice(values)
        right = s.tex(right)
        right = s.slipped(right) if rng.random() < 0.5 else right
        left = renamed(left, s.names)
        place = part.say(f"So ${left} = {right}$ holds.")
        part.claims.insert(claims, Claim(place, left, right))
    laws(rng, s, [(renamed(a, {"f": f}), renamed(b, {"f": f})) for a, b in values])
    del s.names["f"]
    s.introduce()
    return part


def recursion(rng: Random) -> Part:
    """x_{t+1} = …, x_0 = c, its values and closed forms."""
    s = Scene(rng)
    options: list[tuple[str, Callable[..., float], list[tuple[str, str]]]] = [
        ("a x_t + b", lambda x, a, b: a * x + b,
         [("x_1", "a c + b"), ("x_2", "a^2 c + a b + b"), ("x_{t+2}", "a^2 x_t + a b + b"),
          ("x_{t+1} - x_t", "(a - 1) x_t + b"), ("x_t", r"a^t c + b \sum_{k=0}^{t-1} a^k"),
          ("x_3", "a^3 c + a^2 b + a b + b")]),
        ("x_t + b", lambda x, a, b: x + b,
         [("x_1", "c + b"), ("x_2", "c + 2 b"), ("x_t", "c + b t"), ("x_{t+2} - x_t", "2 b"), ("x_{t+1} - x_t", "b")]),
        ("a x_t", lambda x, a, b: a * x,
         [("x_t", "a^t c"), ("x_2", "a^2 c"), ("x_{t+2}", "a^2 x_t"), ("x_{t+1}^2", "a^2 x_t^2")]),
        ("x_t^2 + a", lambda x, a, b: x * x + a,
         [("x_1", "c^2 + a"), ("x_2", "(c^2 + a)^2 + a"), ("x_{t+2}", "(x_t^2 + a)^2 + a")]),
    ]  # fmt: skip
    rule, step, claims = rng.choice(options)
    part = s.part
    a, b, c = s.name("a"), s.name("b"), s.name("c")
    s.names["x"] = "x"
    part.letters = {"t": "t", "k": "n"}
    began = rng.random() < 0.75
    part.say(rng.choice(("The state follows", "A sequence is given by", "We iterate")))
    start = rf",\quad x_0 = {c}" if began and rng.random() < 0.5 else ""
    part.say(f"$$ x_{{t+1}} = {renamed(rule, s.names)}{start} . $$")
    if began and not start:
        part.say(f"It begins with $x_0 = {c}$.")

    def state(e: Values) -> dict[tuple[int], float]:
        x = e[c] if began else e["first"]
        found = {}
        for k in range(8):
            found[k,] = x
            x = step(x, e[a], e[b])
        return found

    if not began:
        part.imposed.append(lambda v, r: v.update(first=r.gauss(0, 1)))
    part.definitions.append(Definition("x", state))
    laws(rng, s, claims if began else [x for x in claims if "c" not in x[1]])
    s.introduce()
    return part


def losses(rng: Random) -> Part:
    """Gradients of a loss that nothing defines, and derivatives of what is defined."""
    s = Scene(rng)
    part = s.part
    G = {x: rf"\frac{{\partial L}}{{\partial {x}}}" for x in ("y", "x", "A", "y_i", "x_j", "A_{ij}", "x_i", "z")}  # fmt: skip
    options = [
        ("matrix", "A x", [(G["x"], rf"A^\top {G['y']}"), (G["A"], rf"{G['y']} x^\top")]),
        ("matrix", "A x + b x", [(G["x"], rf"A^\top {G['y']} + b {G['y']}"), (G["A"], rf"{G['y']} x^\top")]),
        ("matrix", r"A^\top x", [(G["x"], rf"A {G['y']}"), (G["A"], rf"x {G['y']}^\top")]),
        ("index", r"\sum_j A_{ij} x_j", [(G["x_j"], rf"\sum_i A_{{ij}} {G['y_i']}"), (G["A_{ij}"], rf"{G['y_i']} x_j")]),
        ("index", r"\tanh(x_i)", [(G["x_i"], rf"(1 - y_i^2) {G['y_i']}")]),
        ("index", "e^{b x_i}", [(G["x_i"], rf"b y_i {G['y_i']}"), (r"\frac{\partial L}{\partial b}", rf"\sum_i x_i y_i {G['y_i']}")]),
        ("index", "x_i^2 + b x_i", [(G["x_i"], rf"(2 x_i + b) {G['y_i']}")]),
    ]  # fmt: skip
    written, body, claims = rng.choice(options)
    b = s.name("b")
    part.inputs["x"] = "vector"
    s.names["x"] = "x"
    if "A" in body:
        part.inputs["A"] = "square"
    body = body.replace("b", b)
    part.say(rng.choice(("Let", "The layer is", "Define")))
    part.say(f"$$ {'y_i' if written == 'index' else 'y'} = {body} , $$")
    said = rng.choice(("and let $L$ be a loss that depends on $y$.", "and let $L = \\ell(y)$ be a scalar loss.",
                       "and let $L$ be a differentiable function of $y$."))  # fmt: skip
    part.say(said)
    part.definitions.append(Definition("y", body, ("i",) if written == "index" else ()))

    def loss(e: Values) -> float:
        y = np.asarray(e["y"]).ravel()
        w = np.cos(np.arange(len(y)) + 1.0)
        return float(w @ y + (w * y) @ y / 3)

    part.definitions.append(Definition("L", loss))
    s.names |= {"y": "y", "A": "A"}
    laws(rng, s, [(x.replace("b", b), y.replace("b", b)) for x, y in claims], 2)
    s.introduce()
    return part


def derivatives(rng: Random) -> Part:
    s = Scene(rng)
    part = s.part
    options = [
        (r"\sum_i x_i^2 + a", [(r"\frac{\partial S}{\partial x_j}", "2 x_j"), (r"\frac{\partial S}{\partial a}", "1")]),
        (r"\sum_i y_i x_i^2", [(r"\frac{\partial S}{\partial x_j}", "2 y_j x_j"), (r"\frac{\partial S}{\partial y_j}", "x_j^2")]),
        (r"\log \sum_i e^{x_i}", [(r"\frac{\partial S}{\partial x_j}", r"\frac{e^{x_j}}{\sum_i e^{x_i}}"), (r"\frac{\partial S}{\partial x_j}", "e^{x_j - S}")]),
        (r"x^\top A x", [(r"\frac{\partial S}{\partial x}", r"(A + A^\top) x"), (r"\frac{\partial S}{\partial A}", r"x x^\top")]),
        (r"a^2 b + a c", [(r"\frac{\partial S}{\partial a}", "2 a b + c"), (r"\frac{\partial S}{\partial b}", "a^2"), (r"\frac{\partial S}{\partial c}", "a")]),
        (r"\sum_i (x_i - y_i)^2", [(r"\frac{\partial S}{\partial x_j}", "2 (x_j - y_j)"), (r"\frac{\partial S}{\partial y_j}", "2 (y_j - x_j)")]),
        (r"\frac{a}{1 + b^2}", [(r"\frac{\partial S}{\partial a}", r"\frac{1}{1 + b^2}"), (r"\frac{\partial S}{\partial b}", r"-\frac{2 a b}{(1 + b^2)^2}")]),
        (r"a \cos(b c)", [(r"\frac{\partial S}{\partial b}", r"-a c \sin(b c)"), (r"\frac{\partial S}{\partial a}", r"\cos(b c)")]),
    ]  # fmt: skip
    body, claims = rng.choice(options)
    S, body = s.fresh("EFJQS"), s.tex(body)
    s.names["S"] = S
    part.say(rng.choice(("Let", "Define", "The energy is")))
    part.say(f"$$ {S} = {body} . $$")
    part.definitions.append(Definition(S, body))
    s.tex("c")
    laws(rng, s, [tuple(renamed(x, {"S": S}) for x in c) for c in claims])  # type: ignore[misc]
    del s.names["S"]
    s.introduce()
    return part


ALWAYS = [
    (r"\sum_{k \in \{1, 2, 4\}} k a", "7 a"), (r"\sum_{k = \pm 1} (a + k b)^2", "2 a^2 + 2 b^2"),
    (r"\sum_{k \in \{0, 1, 2\}} a^k", "1 + a + a^2"), (r"\sum_{k=1}^{3} (a + k b)", "3 a + 6 b"),
    (r"\sum_{k=1}^{n} k", r"\frac{n (n + 1)}{2}"), (r"\sum_{k=1}^{n} (a + b k)", r"n a + \frac{b n (n + 1)}{2}"),
    (r"\sum_{k \in \{-1, 1\}} e^{k a}", r"2 \cosh(a)"), (r"\sum_{k = \pm 1} k (a + k b)^3", "6 a^2 b + 2 b^3"),
    (r"\int_0^1 (a t + b) \, dt", r"\frac{a}{2} + b"), (r"\int_0^a t^2 \, dt", r"\frac{a^3}{3}"),
    (r"\int_{-1}^1 (a t^2 + b t) \, dt", r"\frac{2 a}{3}"), (r"\int_0^1 e^{a t} \, dt", r"\frac{e^{a} - 1}{a}"),
    (r"\int_a^b t \, dt", r"\frac{b^2 - a^2}{2}"), (r"\int_0^{\pi} \sin(t) \, dt", "2"),
    (r"\int_0^1 (t - a)^2 \, dt", r"\frac{1}{3} - a + a^2"),
    (r"\max(a, b) + \min(a, b)", "a + b"), (r"\max(a, b) - \min(a, b)", "|a - b|"),
    (r"\max(a, b)", r"\frac{a + b + |a - b|}{2}"), (r"\max(a, \min(a, b))", "a"), ("|a|^2", "a^2"),
    (r"\max(a, -a)", "|a|"), (r"\sqrt{a^2}", "|a|"), ("|a b|", "|a| |b|"), (r"\sqrt{a^2 + 2 a b + b^2}", "|a + b|"),
    (r"\max(a + c, b + c)", r"\max(a, b) + c"), (r"|a - b|", "|b - a|"), (r"\min(a, b)", r"-\max(-a, -b)"),
    (r"\sum_i \sum_j [i \le j] x_i y_j", r"\sum_j y_j \sum_i [i \le j] x_i"),
    (r"\sum_i \sum_j [i \neq j] x_i x_j", r"(\sum_i x_i)^2 - \sum_i x_i^2"),
    (r"\sum_i \sum_j (x_i - x_j)^2", r"2 n \sum_i x_i^2 - 2 (\sum_i x_i)^2"),
    (r"\sum_i \sum_j [i = j] x_i y_j", r"\sum_i x_i y_i"),
    (r"\sum_i \sum_j [i < j] x_i x_j", r"\frac{(\sum_i x_i)^2 - \sum_i x_i^2}{2}"),
    (r"\operatorname{tr}(A B)", r"\operatorname{tr}(B A)"), (r"x^\top A y", r"y^\top A^\top x"),
    (r"\operatorname{tr}(A x y^\top)", r"y^\top A x"), (r"(A B)^\top x", r"B^\top A^\top x"),
    (r"\|x + y\|^2", r"\|x\|^2 + 2 x^\top y + \|y\|^2"), (r"x^\top (A + A^\top) x", r"2 x^\top A x"),
    ("(a + b)^3", "a^3 + 3 a^2 b + 3 a b^2 + b^3"), (r"\cos(a)^2 + \sin(a)^2", "1"), (r"\sin(2 a)", r"2 \sin(a) \cos(a)"),
    (r"\frac{1}{1 + e^{-a}} + \frac{1}{1 + e^{a}}", "1"), (r"\tanh(a)", r"\frac{2}{1 + e^{-2 a}} - 1"),
    (r"\log(e^{a} + e^{b})", r"a + \log(1 + e^{b - a})"), (r"\max_i x_i + a", r"\max_i (x_i + a)"),
    (r"\lfloor a + 1 \rfloor", r"\lfloor a \rfloor + 1"), (r"\frac{a^2 - b^2}{a - b}", "a + b"),
]  # fmt: skip
BOUNDS = [
    ("a^2 + b^2", r"\ge", "2 a b"), ("(a - b)^2", r"\ge", "0"), ("|a + b|", r"\le", "|a| + |b|"),
    (r"\max(a, b)", r"\ge", "a"), (r"\min(a, b)", r"\le", r"\frac{a + b}{2}"), ("e^{a}", r"\ge", "1 + a"),
    (r"(x^\top y)^2", r"\le", r"\|x\|^2 \|y\|^2"), (r"\sum_i x_i^2", r"\ge", r"\frac{1}{n} (\sum_i x_i)^2"),
    (r"\log \sum_i e^{x_i}", r"\ge", r"\max_i x_i"), ("a^2 + 1", ">", "0"), (r"\frac{a^2}{1 + a^2}", "<", "1"),
    ("|a| - |b|", r"\le", "|a - b|"), ("a^2", r"\ge", "-b^2"), (r"|\sin(a)|", r"\le", "1"), (r"\cos(a)", r"\le", "1"),
]  # fmt: skip


def always(rng: Random) -> Part:
    """Equations that hold of all values, alone or of a name that is defined."""
    s = Scene(rng)
    s.tex("c")
    part = s.part
    for left, right in rng.sample(ALWAYS, 3):
        left, right = s.disguised(s.tex(left), s.tex(right), 1)
        if rng.random() < 0.45:
            right = s.slipped(right)
        chain = rng.random() < 0.2
        if rng.random() < 0.6:
            name = s.fresh("FGHKSTUW")
            part.say(rng.choice(("Define", "Let", "We write")))
            part.say(f"$$ {name} = {left} . $$")
            part.definitions.append(Definition(name, left))
            left = name
        s.then()
        if chain:
            middle = put(s.tex(rng.choice(SAME)), right)
            place = part.say(f"$$ {left} = {middle} = {right} . $$")
            part.claims += [Claim(place, left, middle), Claim(place, middle, right)]
        else:
            part.show(left, right, tail=rng.choice(("", " .", " ,")))
    s.introduce()
    return part


def bounds(rng: Random) -> Part:
    s = Scene(rng)
    s.tex("c")
    part = s.part
    for left, relation, right in rng.sample(BOUNDS, 3):
        left, right = s.tex(left), s.tex(right)
        if rng.random() < 0.4:
            right = s.slipped(right)
        if rng.random() < 0.15:
            relation = {r"\ge": r"\le", r"\le": r"\ge", "<": ">", ">": "<"}[relation]
        if rng.random() < 0.5:
            name = s.fresh("FGHKSTUW")
            part.say(f"$$ {name} = {left} . $$")
            part.definitions.append(Definition(name, left))
            left = name
        s.then()
        part.show(left, right, relation)
    s.introduce()
    return part


SCENES = (facts,) * 8 + (functions, recursion, losses, derivatives, always, always, bounds)


def drawn(rng: Random, scenes: tuple[Callable[[Random], Part], ...]) -> list[Part]:
    """One to three parts; the names of one may stand for other things in the next."""
    return [rng.choice(scenes)(rng) for _ in range(rng.choice((1, 1, 2, 2, 3)))]


__all__ = ["SCENES", "Scene", "drawn", "laws", "put"]
