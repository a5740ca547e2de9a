"""The display equations of five documents: each is read or refused with a reason, and 110 by value.

corpus.json holds the LaTeX with its file and line, the declarations and earlier equations it is
read with, and for what is no complete formula the reason.  Run as a script this writes
docs/corpus.md.
"""

from __future__ import annotations

import json
import warnings
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import sympy as sp

from symattn.convert import lower
from symattn.evaluate import Evaluator
from symattn.ir import Index, refs
from symattn.read import ReadError, read

HERE = Path(__file__).parent
TABLE = HERE.parents[1] / "docs" / "corpus.md"
CORPUS = json.loads((HERE / "corpus.json").read_text(encoding="utf-8"))
REFUSED = {  # complete formulas that lie outside of what is read, with a piece of the reason
    ("seed1", 277): "an argmin is an index",
    ("seed4", 34): "needs a distribution",
}


def document(entry):
    return read(f"{entry['context']}\n$${entry['latex']}$$")


@pytest.fixture
def scalar_reader():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip("latex2sympy2")


@cache
def outcomes():
    """(entry, None or the reason) for every display; repeated ones are read once."""
    known, found = {}, []
    for entry in CORPUS:
        key = entry["context"], entry["latex"]
        if key not in known:
            try:
                document(entry)
                known[key] = None
            except ReadError as error:
                known[key] = error.problem.split(": ", 1)[1]
        found.append((entry, known[key]))
    return found


def cell(text, limit=90):
    text = " ".join(text.split())
    text = text if len(text) <= limit else text[: limit - 1] + "…"
    return text.replace("|", r"\|")


def table():
    rows, lines = {}, {}
    count = Counter()
    for entry, reason in outcomes():
        key = entry["file"], entry["context"], entry["latex"]
        lines.setdefault(key, []).append(str(entry["line"]))
        kind = (
            "read"
            if reason is None
            else "no complete formula"
            if entry["incomplete"]
            else "refused"
        )
        count[kind] += 1
        said = f"refused: {reason}" if reason else "read"
        if entry["incomplete"]:
            said += f" ({entry['incomplete']})"
        rows[key] = f"`{cell(entry['latex'])}` | {cell(entry['context'], 60)} | {cell(said, 160)}"
    complete = count["read"] + count["refused"]
    head = [
        "# The corpus",
        "",
        "Display equations of five documents about attention, read one by one with the declarations"
        " and earlier equations in the third column.  The table is made by"
        " `python tests/read/test_corpus.py`; a test compares it.",
        "",
        f"Of {sum(count.values())} displays {complete} are complete formulas; {count['read']} of"
        f" these are read ({100 * count['read'] / complete:.1f} %) and {count['refused']} refused."
        f"  {count['no complete formula']} displays are no complete formulas.",
        "",
        "| file | lines | equation | read with | result |",
        "|---|---|---|---|---|",
    ]
    body = [f"| {key[0]} | {', '.join(lines[key])} | {row} |" for key, row in rows.items()]
    return "\n".join([*head, *body, ""])


def test_every_complete_formula_is_read_or_refused_for_a_stated_reason(scalar_reader):
    refused = {}
    for entry, reason in outcomes():
        if entry["incomplete"]:
            assert reason, f"{entry['file']}:{entry['line']} is no formula and was read"
        elif reason:
            refused[entry["file"], entry["line"]] = reason
    assert set(refused) == set(REFUSED)
    for place, piece in REFUSED.items():
        assert piece in refused[place], (place, refused[place])
    complete = sum(not e["incomplete"] for e in CORPUS)
    assert len(refused) <= 0.05 * complete


def test_the_table_in_the_docs_is_up_to_date(scalar_reader):
    assert TABLE.read_text(encoding="utf-8") == table()


# ------------------------------------------------------------------------------------- by value


class Arrays(dict):
    """Random arrays by name; attributes for plain names."""

    def __getattr__(self, name):
        return self[name]


def sampled(polys, indices):
    """Arrays and sizes for expressions: sizes pairwise different, components between ½ and 1½."""
    used = [r.tensor for p in polys for r in refs(p)]
    used = [of for t in used for of in (t.of if t.role == "inverse" else (t,))]
    tensors = {t.name: t for t in used}
    shapes = [s for t in tensors.values() for s in t.shape]
    shapes += [i.upper + 1 for i in indices]
    symbols = sorted(
        {s.name for shape in shapes for s in sp.sympify(shape).free_symbols}
        | {
            t.name
            for t in tensors.values()
            if t.symbol is not None and t.symbol.is_Symbol and t.symbol.is_integer
        }
    )
    sizes = {name: 2 + k for k, name in enumerate(symbols)}
    for name in sizes:  # a component number 5 must exist
        if name in ("T",):
            sizes[name] = max(sizes.values()) + 3
    rng = np.random.default_rng(7)
    arrays = Arrays()
    for name, t in sorted(tensors.items()):
        shape = [int(s.subs({x: sizes[x.name] for x in s.free_symbols})) for s in t.shape]
        if t.symbol is None or t.symbol.is_Symbol:
            arrays[name] = sizes[name] if name in sizes else 0.5 + rng.random(shape)
    return arrays, sizes


def valued(equation, side):
    expr = getattr(equation, side)
    poly = lower(expr, equation.indices)
    arrays, sizes = sampled([poly], equation.indices)
    axes = [Index(i.name, sp.sympify(i.upper + 1)) for i in equation.indices]
    return Evaluator(dict(arrays), sizes)(poly, axes), arrays


def e(spec, *arrays):
    return np.einsum(spec, *arrays)


def softmax(x, axis=-1):
    weights = np.exp(x)
    return weights / weights.sum(axis=axis, keepdims=True)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def eye(x, axis):
    return np.eye(x.shape[axis])


def root(x):
    return np.sqrt(x)


def jacobian(a):
    """[i = m] A_ij ([j = n] − A_in)."""
    A = a.A
    inner = eye(A, 1)[None] - A[:, None, :]
    return e("im,ij,ijn->ijmn", eye(A, 0), A, inner)


def through(a):
    upstream, A = a["∂L/∂A"], a.A
    return A * (upstream - (A * upstream).sum(1, keepdims=True))


def christoffel(a):
    dg, inverse = a["∂g/∂x"], np.linalg.inv(a.g)  # dg[b, d, a] is the derivative of g_bd by x_a
    lowered = e("bda->abd", dg) + e("adb->abd", dg) - e("abd->abd", dg)
    return 0.5 * e("cd,abd->cab", inverse, lowered)


def hopfield(a):
    return a.V.T @ softmax(a.beta * a.K @ a.xi)


def kernel(a):
    return np.exp(a.q @ a.k.T / root(a.d_k))


def head(a):
    rows = [
        softmax(a.Q @ wq @ (a.K @ wk).T / root(a.d_k)) @ a.V @ wv
        for wq, wk, wv in zip(a.W_Q, a.W_K, a.W_V, strict=True)
    ]
    return np.array(rows)


def linear(a):
    q, k, v = np.exp(a.q), np.exp(a.k), a.v
    return (q @ (k.T @ v)) / (q @ k.sum(0))[:, None]


def bilinear(u, M, w):
    return u @ M @ w


def fisher(a):
    slope = a["∂p/∂theta"]  # [x, i]
    return e("xi,xj,x->ij", slope, slope, 1 / a.p)


def decayed(a):
    count = a.x_bar.shape[0]
    return sum(a.gamma ** (count - i) * a.x_bar[i - 1] @ a.theta for i in range(1, count + 1))


def chain(a):
    return e("ib,ibmn,mnpq,pqkl->kl", a["∂L/∂O"], a["∂O/∂A"], a["∂A/∂S"], a["∂S/∂Q"])


def lse(x):
    return np.log(np.exp(x).sum())


RESULT = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
PLAIN = [  # (file, line, which equation of the display, NumPy)
    ("seed0", 10, 0, lambda a: a.u @ a.M @ a.v),
    ("seed0", 13, 0, lambda a: a.Q @ a.K.T),
    ("seed0", 24, 0, lambda a: a.Q @ a.M @ a.K.T),
    ("seed0", 40, 0, lambda a: a.Q @ a.K.T / root(a.d_k)),
    ("seed0", 44, 0, lambda a: a.Q @ a.K.T / root(a.d_k)),
    ("seed0", 48, 0, lambda a: softmax(a.S)),
    ("seed0", 54, 0, lambda a: a.A @ a.V),
    ("seed0", 58, 0, lambda a: a.A @ a.V),
    ("seed0", 70, 0, lambda a: a.Q @ a.g @ a.K.T),
    ("seed0", 78, 0, lambda a: np.exp(a.beta * a.S) / a.Z[:, None]),
    ("seed0", 78, 1, lambda a: np.exp(a.beta * a.S).sum(1)),
    (
        "seed0",
        90,
        0,
        lambda a: e("ib,ibij,ijmn,mnkl->kl", a["∂L/∂O"], a["∂O/∂A"], a["∂A/∂S"], a["∂S/∂Q"]),
    ),
    ("seed0", 96, 0, lambda a: e("im,bn->ibmn", a.A, np.eye(2))),
    ("seed0", 100, 0, lambda a: e("im,in->mn", a.A, a["∂L/∂O"])),
    ("seed0", 100, 1, lambda a: a.A.T @ a["∂L/∂O"]),
    ("seed0", 108, 0, jacobian),
    ("seed0", 112, 0, through),
    ("seed0", 122, 0, lambda a: a["∂L/∂S"] @ a.K / root(a.d_k)),
    ("seed0", 128, 0, lambda a: a["∂L/∂S"].T @ a.Q / root(a.d_k)),
    ("seed0", 138, 0, lambda a: e("ib,hba->hia", a.X, a.W_Q)),
    ("seed0", 139, 0, lambda a: e("jb,hba->hja", a.X, a.W_K)),
    ("seed0", 140, 0, lambda a: e("jc,hcb->hjb", a.X, a.W_V)),
    ("seed0", 146, 0, lambda a: e("hia,hja->hij", a.Q, a.K) / root(a.d_k)),
    ("seed0", 147, 0, lambda a: softmax(a.S)),
    ("seed0", 148, 0, lambda a: e("hij,hjb->hib", a.A, a.V)),
    ("seed0", 154, 0, lambda a: e("hib,hbc->ic", a.O, a.W_O)),
    ("seed0", 166, 1, lambda a: np.array([[1, 0], [0, 1], [1, 1]])),
    ("seed0", 170, 0, lambda a: a.Q @ a.K.T / root(2)),
    ("seed0", 170, 1, lambda a: RESULT / root(2)),
    ("seed0", 184, 0, lambda a: np.array([[0.4, 0.2, 0.4], [0.2, 0.4, 0.4]])),
    ("seed0", 188, 0, lambda a: a.A @ a.V),
    ("seed0", 210, 0, lambda a: -(a.A * np.log(a.A)).sum(1)),
    ("seed0", 219, 0, hopfield),
    ("seed1", 63, 0, lambda a: a.u @ a.v),
    ("seed1", 81, 0, lambda a: a.u @ a.g @ a.v),
    ("seed1", 95, 0, lambda a: a.q @ a.g @ a.k),
    ("seed1", 115, 0, lambda a: a.A @ a.B),
    ("seed1", 115, 1, lambda a: a.A @ a.B),
    ("seed1", 142, 0, lambda a: a.Q @ a.K.T / root(a.d_k)),
    ("seed1", 212, 1, lambda a: np.exp(a.S) / a.Z[:, None]),
    ("seed1", 225, 0, lambda a: softmax(a.Q @ a.g @ a.K.T) @ a.V),
    ("seed1", 228, 0, lambda a: softmax(a.Q @ a.K.T / root(a.d_k)) @ a.V),
    ("seed1", 240, 0, lambda a: np.exp(-a.E / a.T) / a.Z),
    ("seed1", 240, 1, lambda a: np.exp(-a.E / a.T).sum()),
    ("seed1", 274, 0, lambda a: -a.T * np.log(a.Z)),
    ("seed1", 299, 0, christoffel),
    ("seed1", 310, 0, lambda a: -a.eta * np.linalg.inv(a.F) @ a["∂L/∂theta"]),
    ("seed1", 381, 0, lambda a: e("hic,hcd->id", a.O, a.W_O)),
    ("seed1", 393, 0, lambda a: np.tril(np.ones((2, 3)))),
    ("seed1", 418, 0, lambda a: a.xi @ a.xi.T / a.N),
    ("seed1", 425, 0, lambda a: -lse(a.beta * a.K @ a.xi) + a.xi @ a.xi / 2),
    ("seed1", 457, 0, lambda a: a.ell * np.exp(a.m - a["m'"]) + np.exp(a.x_new - a["m'"]).sum()),
    ("seed1", 469, 0, linear),
    (
        "seed2",
        118,
        0,
        lambda a: a.alpha * bilinear(a.u, a.M, a.w) + a.beta * bilinear(a.v, a.M, a.w),
    ),
    ("seed2", 236, 0, lambda a: softmax(a.S / a.T)),
    ("seed2", 269, 1, lambda a: -a.T * np.log(np.exp(a.S / a.T).sum(1))),
    ("seed2", 273, 0, lambda a: a.mean_E - a.T * a.H),
    ("seed2", 310, 0, lambda a: a["∂v/∂x"].T + e("bac,c->ab", a.Gamma, a.v)),
    ("seed2", 314, 0, lambda a: a["∂u/∂x"].T - e("cab,c->ab", a.Gamma, a.u)),
    ("seed2", 356, 0, lambda a: a["∂L/∂O"] @ a.V.T),
    ("seed2", 372, 0, jacobian),
    ("seed2", 378, 0, through),
    ("seed2", 382, 0, through),
    ("seed2", 492, 0, lambda a: np.exp(a.q @ a.k / root(a.d_k))),
    ("seed2", 496, 0, lambda a: kernel(a) / kernel(a).sum(1, keepdims=True)),
    ("seed2", 500, 0, lambda a: kernel(a) / kernel(a).sum(1, keepdims=True) @ a.v),
    ("seed2", 512, 1, linear),
    ("seed2", 528, 0, lambda a: -a.x @ a.W @ a.x / 2),
    ("seed2", 540, 0, lambda a: -lse(a.beta * a.patterns.T @ a.x) + a.x @ a.x / 2),
    ("seed2", 548, 0, lambda a: a.patterns.T @ softmax(a.beta * a.patterns @ a.x)),
    ("seed3", 157, 0, lambda a: sigmoid(a.N @ a.x_bar @ a.theta)),
    ("seed3", 324, 0, lambda a: (a.N * a.A) @ a.x @ a.theta_V),
    ("seed3", 556, 0, lambda a: (a.x_bar @ a.theta).sum(0)),
    ("seed3", 1029, 0, lambda a: (sigmoid(a.x @ a.theta_lambda)[:, None] * a.x @ a.theta).sum(0)),
    ("seed3", 1344, 0, lambda a: softmax(a.x_bar @ a.theta_lambda)),
    ("seed3", 1652, 0, lambda a: (a.x @ a.theta_K) @ (a.theta_Q.T @ a.x_q)),
    ("seed4", 44, 0, head),
    ("seed0", 17, 0, lambda a: np.eye(2) / root(a.d_k)),
    ("seed0", 118, 0, lambda a: e("ik,jl->ijkl", np.eye(2), a.K) / root(a.d_k)),
    ("seed1", 156, 0, lambda a: a.Q @ a.g @ a.K.T),
    ("seed1", 263, 0, lambda a: -(a.A * np.log(a.A)).sum(1)),
    ("seed1", 274, 1, lambda a: np.full(2, a.mean_E - a.T * a.H)),
    ("seed1", 307, 0, fisher),
    ("seed1", 321, 0, chain),
    ("seed1", 327, 0, lambda a: a.A.T @ a["∂L/∂O"]),
    ("seed1", 335, 0, jacobian),
    ("seed1", 340, 0, through),
    ("seed1", 346, 0, lambda a: a["∂L/∂S"] @ a.K / root(a.d_k)),
    ("seed1", 348, 0, lambda a: a["∂L/∂S"].T @ a.Q / root(a.d_k)),
    ("seed1", 373, 0, lambda a: e("jb,hbc->hjc", a.X, a.W_V)),
    ("seed1", 377, 0, lambda a: softmax(a.S)),
    ("seed1", 399, 0, lambda a: a.Q @ a.M @ a.K.T),
    ("seed1", 428, 0, hopfield),
    ("seed1", 439, 0, lambda a: np.exp(a.d / 2)),
    ("seed2", 105, 0, lambda a: a.u @ a.g @ a.v),
    ("seed2", 185, 0, lambda a: softmax(a.S)),
    ("seed2", 207, 0, lambda a: softmax(a.Q @ a.g @ a.K.T) @ a.V),
    ("seed2", 306, 0, christoffel),
    ("seed1", 255, 0, lambda a: np.eye(a.S.shape[1])[a.S.argmax(1)]),
    ("seed1", 456, 0, lambda a: max(a.m, a.x_new.max())),
    ("seed2", 324, 0, fisher),
    ("seed2", 328, 0, lambda a: -a.eta * np.linalg.inv(a.F) @ a["∂L/∂theta"]),
    ("seed2", 340, 0, chain),
    ("seed2", 350, 0, lambda a: e("im,nb->ibmn", np.eye(3), a.V)),
    ("seed2", 394, 0, lambda a: e("jk,il->ijkl", np.eye(3), a.Q) / root(a.d_k)),
    ("seed2", 430, 0, lambda a: e("ib,hba->hia", a.Q, a.W_Q)),
    ("seed2", 432, 0, lambda a: e("jb,hba->hja", a.K, a.W_K)),
    ("seed2", 434, 0, lambda a: e("jb,hbc->hjc", a.V, a.W_V)),
    ("seed2", 446, 0, lambda a: e("hic,hca->ia", a.O, a.W_O)),
    ("seed2", 464, 0, lambda a: np.tril(np.ones((2, 3)))),
    ("seed2", 524, 0, lambda a: a.xi @ a.xi.T / a.N),
    ("seed2", 575, 0, lambda a: np.array([0.401, 0.198, 0.401])),
    ("seed3", 574, 0, decayed),
    ("seed3", 582, 0, decayed),
    ("seed3", 963, 0, lambda a: sigmoid(a.theta_lambda.T @ a.x_bar)),
]
LEFT = [  # left sides and bare expressions
    ("seed1", 73, 0, lambda a: a.u @ a.v),
    ("seed1", 81, 0, lambda a: a.u @ a.g @ a.v),
    ("seed2", 118, 0, lambda a: bilinear(a.alpha * a.u + a.beta * a.v, a.M, a.w)),
    ("seed3", 433, 0, lambda a: softmax(a.Q @ a.K.T) @ a.V),
    ("seed3", 451, 0, lambda a: a.V @ softmax(a.K.T @ a.Q, axis=0)),
    ("seed3", 683, 0, lambda a: a.gamma**3 * a.theta.T @ a.x_bar[0]),
    ("seed3", 1184, 0, lambda a: sigmoid(a.x @ a.theta_lambda).sum()),
    ("seed3", 1306, 0, lambda a: (0.7 * a.x_bar[0] - 0.04 * a.x_bar[1]) @ a.theta),
    ("seed3", 1652, 0, lambda a: a.k @ a.q),
    ("seed3", 1943, 0, lambda a: a.q @ a.k[3]),
]
CASES = [(*c[:3], "rhs", c[3]) for c in PLAIN] + [(*c[:3], "lhs", c[3]) for c in LEFT]


@pytest.mark.parametrize(
    ("file", "line", "which", "side", "numpy"),
    CASES,
    ids=[f"{c[0]}-{c[1]}-{c[2]}-{c[3]}" for c in CASES],
)
def test_value(file, line, which, side, numpy):
    (entry,) = [x for x in CORPUS if (x["file"], x["line"]) == (file, line)]
    found = [q for q in document(entry).equations if q.line > 1 and q.kind != "shape"]
    value, arrays = valued(found[which], side)
    expected = numpy(arrays)
    assert value.shape == np.shape(expected)
    np.testing.assert_allclose(value, expected, rtol=1e-12, atol=1e-14)


def test_enough_displays_are_tested_by_value():
    assert len({(c[0], c[1]) for c in CASES}) >= 110


if __name__ == "__main__":
    TABLE.write_text(table(), encoding="utf-8")
