"""The hunter itself: its laws keep values, its slips are seen, it judges by numbers."""

from __future__ import annotations

import random

import numpy as np
import pytest

from . import slopes, statements, windows
from .cases import CASE_LAWS, CASE_SLIPS
from .disguise import LAWS
from .formulas import (
    Case,
    Def,
    Delta,
    Fun,
    Inverse,
    Letter,
    Mask,
    OfMatrix,
    Ref,
    Statement,
    add,
    at,
    mul,
    number,
    power,
    ref,
    size,
    sub,
    substitute,
    total,
)
from .grow import INPUTS, Grower, M, N
from .judge import truth
from .slips import SLIPS
from .values import NoValue, Numbers, draw, draws

I, J, K = (Letter(x, N) for x in "ijk")
A_ = Letter("a", M)
SIZES = {"n": 3, "m": 2}


def case(*names: str, defs: tuple[Def, ...] = ()) -> Case:
    return Case({n: INPUTS[n] for n in names}, defs)


def arrays(c: Case, seed: int = 0) -> dict:
    return {n: draw(t, SIZES, random.Random(f"{seed}{n}")) for n, t in c.inputs.items()}


def as_array(table: dict) -> np.ndarray:
    shape = tuple(1 + max(e[k] for e in table) for k in range(len(next(iter(table)))))
    result = np.zeros(shape)
    for e, x in table.items():
        result[e] = x
    return result


def test_numbers_are_those_of_numpy() -> None:
    c = case("A", "B", "Q", "x", "R", "C")
    given = arrays(c)
    a, b, q, x, r, pd = (as_array(given[n]) for n in ("A", "B", "Q", "x", "R", "C"))
    numbers = Numbers(c, SIZES, given)
    i, j = np.indices((3, 3))

    def value(node, *letters):
        return as_array(numbers.grid(node, letters))

    np.testing.assert_allclose(value(total(mul(ref("A", I, J), ref("B", J, K)), J), I, K), a @ b)
    np.testing.assert_allclose(value(total(mul(Mask("<", at(J), at(I)), ref("x", J)), J), I),
                               (x * (j < i)).sum(1))  # fmt: skip
    np.testing.assert_allclose(value(Fun("exp", ref("Q", I, A_)), I, A_), np.exp(q))
    np.testing.assert_allclose(value(Inverse("C", at(I), at(J)), I, J), np.linalg.inv(pd))
    np.testing.assert_allclose(numbers.grid(OfMatrix("logdet", "C"), ())[()],
                               np.linalg.slogdet(pd)[1])  # fmt: skip
    from .formulas import Size, Slot

    table = Ref("R", (Slot(((I, 1), (J, -1)), Size((("n", 1),), -1)),))
    np.testing.assert_allclose(value(table, I, J), r[i - j + 2])
    np.testing.assert_allclose(value(Ref("x", (Slot(((I, 1),), Size((), -1)),)), I), np.roll(x, 1))


def test_slopes_are_those_of_differences() -> None:
    d = Def("D", (I,), Fun("sin", total(mul(ref("A", I, J), ref("x", J)), J)))
    c = case("A", "x", defs=(d,))
    given = arrays(c)
    slope = slopes.jacobian(c, SIZES, given, "D", "x")
    h = 1e-6
    for (i, j), value in slope.items():
        up, down = ({**given, "x": {**given["x"], (j,): given["x"][j,] + s}} for s in (h, -h))
        near = (
            (Numbers(c, SIZES, up).table("D")[i,] - Numbers(c, SIZES, down).table("D")[i,]) / 2 / h
        )
        assert abs(near - value) < 1e-8


@pytest.mark.parametrize("made", ["plain", "facts", "loss", "inverse", "windows"])
def test_what_is_made_to_hold_holds(made: str) -> None:
    """Of statements that are equal by construction, numbers find none that is not."""
    judged = []
    for seed in range(60):
        try:
            found = statements.MAKERS[made](random.Random(f"self {seed}"))
        except NoValue:
            continue
        if found is not None:
            s = statements.tidy(found[0])
            judged.append(truth(s, seed))
    assert False not in judged
    assert judged.count(True) > 40


def test_slips_are_seen() -> None:
    s = Statement(case("A", "x"), (I,), total(mul(ref("A", I, J), ref("x", J)), J),
                  total(mul(ref("A", J, I), ref("x", J)), J))  # fmt: skip
    assert truth(s, 0) is False
    right = Statement(s.case, s.letters, s.left, total(mul(ref("x", K), ref("A", I, K)), K))
    assert truth(right, 0) is True
    assert truth(Statement(s.case, (), number(1), number(1 + 1)), 0) is False


def test_every_law_and_every_slip_is_used() -> None:
    used: set[str] = set()
    for seed in range(1000):
        for holds in (True, False):
            rng = random.Random(f"plain {seed} {holds}")
            try:
                found = statements.plain(rng, seed % 7 == 0 and seed < 700, seed >= 700)
                if found and not holds:
                    wrong = statements.slip(*found, rng)
                    found = (wrong, found[1]) if wrong else None
            except NoValue:
                continue
            if found:
                used.update(found[0].how)
    assert {f.__name__ for f in (*LAWS, *CASE_LAWS)} <= used
    assert {"slip: " + f.__name__ for f in (*SLIPS, *CASE_SLIPS)} <= used


def test_every_form_and_every_law_along_axes_is_used() -> None:
    used: set[str] = set()
    for seed in range(150):
        try:
            found = windows.statement(random.Random(seed))
        except NoValue:
            continue
        used.update(found[0].how if found else ())
    assert {law.__name__ for law in windows.LAWS} <= used


def test_a_delta_on_a_circle() -> None:
    """Σ_k δ_{i, j+k} x_k = x_{i−j}, modulo n, and not as integers."""
    side = windows.slot((J, 1), (K, 1))
    shifted = Ref("x", (windows.slot((I, 1), (J, -1)),))
    for modulo, holds in ((N, True), (None, False)):
        left = total(mul(Delta(at(I), side, modulo), ref("x", K)), K)
        assert truth(Statement(case("x"), (I, J), left, shifted), 0) is holds


def test_substitution_does_not_capture() -> None:
    body = total(mul(ref("A", I, J), ref("x", J)), J)
    grower = Grower(random.Random(0))
    moved = substitute(body, {I: at(J)}, grower.other)
    c = case("A", "x")
    s = Statement(c, (J,), moved, total(mul(ref("A", J, K), ref("x", K)), K))
    assert truth(s, 0) is True


def test_facts_are_met_by_the_values() -> None:
    from .facts import FACTS

    for name, make in FACTS.items():
        fact = make()
        c = Case({n: INPUTS[n] for n in ("A", "B", "Q", "K", "W", "x", "y", "p")}, (), (fact,))
        assert draws(c, SIZES, random.Random(name))  # which checks them


def test_sizes_print_as_they_are() -> None:
    assert str(size("n")) == "n"
    assert truth(Statement(case("x"), (I, J), mul(Delta(at(I), at(J)), ref("x", I)),
                           mul(ref("x", J), Delta(at(J), at(I)))), 0)  # fmt: skip
    assert add(number(1)) == number(1) and sub(number(1), number(1)) != number(0)


def test_products_too_large_to_judge_by_are_no_values() -> None:
    c = case("w")
    numbers = Numbers(c, SIZES, {"w": {(): 15.0}})
    large = Fun("exp", ref("w"))
    assert numbers.grid(large, ())[()] > 1e6
    with pytest.raises(NoValue):
        numbers.grid(sub(mul(large, large), mul(large, large)), ())


def test_balls_are_numpy_where_numbers_are_small() -> None:
    flint = pytest.importorskip("flint", reason="ball arithmetic needs python-flint")
    from . import balls, digits

    for seed in range(12):
        case = digits.Losses(random.Random(f"self {seed}")).loss()
        way = digits.Way(np.float64, 1, 0)
        given = digits.drawn_arrays(case, way, seed)
        wrt = tuple(x for x in given if x in digits.WRT)
        try:
            value, slopes = balls.gradients(case, digits.SIZES, given, "L", wrt)
        except NoValue:
            continue
        tables = {x: {e: float(v) for e, v in np.ndenumerate(a)} for x, a in given.items()}
        assert abs(Numbers(case, digits.SIZES, tables).table("L")[()] - value) < 1e-9
        for x in wrt:
            own = as_array(slopes_of(case, tables, x))
            np.testing.assert_allclose(slopes[x], own, rtol=1e-8, atol=1e-10)
    assert flint.ctx.prec >= balls.BITS[0]


def slopes_of(c: Case, tables: dict, name: str) -> dict:
    from .digits import SIZES as sizes

    return slopes.gradient(c, sizes, tables, "L", name, {(): 1.0})


def test_what_is_rounded_away_is_seen() -> None:
    """log(e^z / Σ e^z) as it is written is no number at scores of 300; a ball is."""
    pytest.importorskip("flint", reason="ball arithmetic needs python-flint")
    from . import digits

    z, y = ref("Z", digits.I, digits.J), ref("Z", digits.I, digits.L)
    soft = mul(Fun("exp", z), power(total(Fun("exp", y), digits.L), -1))
    loss = Def(
        "L", (), total(mul(ref("Y", digits.I, digits.J), Fun("log", soft)), digits.I, digits.J)
    )
    c = Case({x: digits.INPUTS[x] for x in ("Z", "Y")}, (loss,))

    def written(Z, Y, L_bar):
        with np.errstate(all="ignore"):
            weights = np.exp(Z) / np.exp(Z).sum(1, keepdims=True)
            bar = Y - weights * Y.sum(1, keepdims=True)
            return {"L": (Y * np.log(weights)).sum(), "bars": {"Z": bar}}

    def stable(Z, Y, L_bar):
        logs = Z - Z.max(1, keepdims=True)
        logs = logs - np.log(np.exp(logs).sum(1, keepdims=True))
        bar = Y - np.exp(logs) * Y.sum(1, keepdims=True)
        return {"L": (Y * logs).sum(), "bars": {"Z": bar}}

    way = digits.Way(np.float32, 300, 0)
    for f in (written, stable):
        f.inputs = {"Z": (), "Y": (), "L_bar": ()}
    assert digits.compare(c, stable, way, 0) == ""
    assert digits.compare(c, written, way, 0).startswith("L: ")

    def half(Z, Y, L_bar):
        found = stable(Z, Y, L_bar)
        return {**found, "bars": {"Z": found["bars"]["Z"] * np.float32(0.999)}}

    half.inputs = stable.inputs
    assert digits.compare(c, half, way, 0).startswith("Z: ")
