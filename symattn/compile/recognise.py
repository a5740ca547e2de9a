"""Attention found in a system by its normal form, and the blockwise function for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from .. import normalize as nf
from ..convert import definition_letters
from ..derive import Gradients
from ..errors import UnsupportedError
from ..ir import Call, Delta, Index, Mask, Node, Poly, Ref, Sum, Term, parts, raw_atom, refs
from ..model import Model, model
from ..syntax import System
from .cost import Cost, cost_of
from .entry import Entry
from .helpers import helpers, spoken_for
from .leading import Axes
from .module import Module
from .names import Names, globals_of, printable, quoted
from .shapes import Shape

THRESHOLD = 1024  # keys from which path="auto" takes the blockwise function
BLOCK = 256
WANTED = "O^{ib} = softmax_j(c Σ_a Q^{ia} K^{ja}) V^{jb}, with a scalar c and any names"


@dataclass(frozen=True)
class Attention:
    """softmax(c Q Kᵀ) V: the components as they occur, and the scalar c."""

    q: Ref
    k: Ref
    v: Ref
    i: Index
    j: Index
    a: Index
    b: Index
    scale: Poly
    keys: sp.Expr

    def normal(self) -> Poly:
        """The normal form of softmax(c Q Kᵀ) V."""
        j, l = (Index(n, self.j.size, -1) for n in ("j", "l"))

        def weight(at: Index) -> Poly:
            product = nf.multiply(raw_atom(self.q), nf.substitute(self.k, {self.j: at}))
            return nf.call("exp", [nf.multiply(self.scale, nf.sum_over([self.a], product))])

        over = nf.sum_over([j], nf.multiply(weight(j), nf.substitute(self.v, {self.j: j})))
        return nf.multiply(over, nf.power(nf.sum_over([l], weight(l)), -1))


def attention_in(m: Model, output: str) -> Attention | None:
    """The attention that a definition is; None for anything else.

    Q, K and V may be definitions, as projections are; these are computed first.
    """
    body = m.bodies[output]
    whole = m.inline(body.normal)
    found = _attention(whole, body.indices)
    if found is not None or not _exponents(whole):
        return found
    others = m.uses(output) & m.bodies.keys()
    kept = {n for n in others if not _exponents(m.inline(m.bodies[n].normal))}
    while kept:  # definitions that stay as they are; those that the score is made of do not
        whole = m.inline(body.normal, kept)
        found = _attention(whole, body.indices)
        inside = {ref.tensor.name for x in _exponents(whole) for ref in refs(x)} & kept
        if found is not None or not inside:
            return found
        kept -= inside
    return None


def _exponents(node: Node) -> list[Poly]:
    """The arguments of all exponentials."""
    if isinstance(node, Call) and node.name == "exp":
        return [node.args[0]]
    return [x for part in parts(node) for x in _exponents(part)]


def _attention(whole: Poly, indices: Sequence[Index]) -> Attention | None:
    only = whole.single
    if only is None or only[1] != 1 or len(indices) != 2:
        return None
    above = [a for a, e in only[0] if isinstance(a, Sum) and e == 1]
    below = [a for a, e in only[0] if isinstance(a, Sum) and e == -1]
    if len(only[0].powers) != 2 or len(above) != 1 or len(below) != 1:
        return None
    found = _parts(above[0], tuple(indices))
    return found if found is not None and found.normal() is whole else None


def _parts(node: Sum, free: tuple[Index, ...]) -> Attention | None:
    if len(node.bound) != 1:
        return None
    (j,), inside = nf.opened(node, node.free)
    ((term, c),) = inside
    exponent = next((a.args[0] for a, _ in term if isinstance(a, Call) and a.name == "exp"), None)
    values = [a for a, e in term if isinstance(a, Ref) and e == 1]
    if c != 1 or exponent is None or len(values) != 1 or len(term.powers) != 2:
        return None
    only = exponent.single
    if only is None:
        return None
    scores = [a for a, e in only[0] if isinstance(a, Sum) and e == 1]
    if len(scores) != 1 or len(scores[0].bound) != 1:
        return None
    scale = Poly({Term({a: e for a, e in only[0] if a is not scores[0]}): only[1]})
    if scale.free:
        return None
    (a,), product = nf.opened(scores[0], [j, *node.free, *free])
    ((pair, one),) = product
    refs = [x for x, e in pair if isinstance(x, Ref) and e == 1]
    if one != 1 or len(refs) != 2 or len(pair.powers) != 2:
        return None
    k, q = refs if j in refs[0].free else refs[::-1]
    v = values[0]
    rest = [x for x in free if x not in q.free]
    if j not in k.free or len(rest) != 1 or not _matrix(q) or not _matrix(k) or not _matrix(v):
        return None
    (b,) = rest
    (i,) = (x for x in free if x is not b)
    fits = q.free == {i, a} and k.free == {j, a} and v.free == {j, b}
    return Attention(q, k, v, i, j, a, b, scale, j.size) if fits else None


def _matrix(ref: Ref) -> bool:
    return len(ref.slots) == 2 and all(isinstance(s, Index) for s in ref.slots)


@dataclass(frozen=True)
class Flash:
    """The blockwise function for one attention: what CompiledFunction needs to know."""

    module: Module
    shapes: Mapping[str, Shape]
    keys: sp.Expr
    attention: Attention
    before: Cost | None = None  # of the definitions that are computed first
    target: str = "jax"
    free_sizes: tuple[sp.Symbol, ...] = ()

    def cost(self) -> Cost:
        """The work of the forward pass."""
        t = self.attention
        n_q, n_k, d_k, d_v = (x.size for x in (t.i, t.j, t.a, t.b))
        flops = 2 * n_q * n_k * (d_k + d_v) + 6 * n_q * n_k
        moved = 4 * (2 * n_q * (d_k + d_v) + n_k * (d_k + d_v))
        largest = sp.Max(n_q * BLOCK, n_k * d_k, n_k * d_v)
        if self.before is None:
            return Cost(flops, moved, largest)
        first = self.before
        return Cost(flops + first.flops, moved + first.bytes, sp.Max(largest, first.largest))


def flash(what: Any, output: str | None, batch: Axes, target: str) -> Flash | None:
    """The blockwise function for a system's output or for gradients of it; None for others."""
    if target != "jax" or batch:
        return None
    if isinstance(what, Gradients):
        found = attention_in(model(what.system), what.output)
        inputs = model(what.system).inputs
        if found is None or any(n not in inputs for n in what.wrt):
            return None
        return _written(found, model(what.system), what.output, what)
    if isinstance(what, System) and output is not None:
        what[output]  # an unknown name is an error of its own
        found = attention_in(model(what), output)
        return None if found is None else _written(found, model(what), output, None)
    return None


def unrecognised(what: Any, output: str | None, batch: Axes, target: str) -> UnsupportedError:
    """The error that says what path="flash" takes, and why it does not take this."""
    expected = WANTED
    if batch or target != "jax":
        expected += ', target="jax" and no batch axes (use jax.vmap)'
    return UnsupportedError(
        'path="flash" does not recognise the attention',
        formula=printable(str(what))[:200],
        expected=expected,
        got=_reason(what, output, batch, target),
        mend='use path="dense" or path="auto"',
    )


def _reason(what: Any, output: str | None, batch: Axes, target: str) -> str:
    """The first thing that is not as it is wanted."""
    if batch or target != "jax":
        return "batch axes" if batch else f"target={target!r}"
    if isinstance(what, Gradients):
        m, output = model(what.system), what.output
        wrong = [n for n in what.wrt if n not in m.inputs]
        if wrong and attention_in(m, output) is not None:
            return f"a gradient in {wrong[0]}, which is a definition"
    elif isinstance(what, System) and output is not None:
        m = model(what)
    else:
        return f"{type(what).__name__}, no System with an output and no gradients of one"
    indices = m.bodies[output].indices
    if len(indices) != 2:
        return f"{output} with {len(indices)} indices: others than query and value go by jax.vmap"
    whole = m.inline(m.bodies[output].normal)
    if _has(whole, Mask | Delta):
        return "a mask or a δ"
    scores = _exponents(whole)
    if any(len(x) > 1 for x in scores):
        return "a score of several terms"
    return "another score, or other weights" if scores else "nothing exponential"


def _has(node: Node, kinds: Any) -> bool:
    return isinstance(node, kinds) or any(_has(part, kinds) for part in parts(node))


def _written(t: Attention, m: Model, output: str, gradients: Gradients | None) -> Flash:
    import inspect

    from ..explain import definition_latex
    from . import flash as blockwise
    from .comments import Comments
    from .emit import Emitter
    from .nodes import reachable, symbols_in
    from .plan import Planner

    text = inspect.getsource(blockwise).rstrip() + "\n"
    names = Names(globals_of(text) | spoken_for("jnp"))
    entries = {x.tensor: Entry(x.tensor, x.indices, x.raw) for x in m.bodies.values()}
    planner = Planner(entries, letters=definition_letters(m.system))
    env = planner.scope({}, (t.i, t.j, t.a, t.b))
    scale = planner.lower(t.scale, {})
    views = [planner.lower(raw_atom(x), env) for x in (t.q, t.k, t.v)]
    roots = [scale.node, *(view.node for view in views)]
    nodes = list(reachable(roots))
    inputs = {x.name: (x, node) for x, node in planner.inputs.items() if node in nodes}
    tensors = {n: inputs[n][0] for n in dict.fromkeys([*_order(t), *inputs]) if n in inputs}
    forward = names.fresh(f"compute_{output}")
    parameters = {n: names.fresh(n) for n in tensors}
    symbols = sorted({s for n in nodes for s in symbols_in(n)}, key=str)
    shapes: dict[str, Shape] = {n: x.shape for n, x in tensors.items()}
    sizes, lines = {}, []
    for s in symbols:
        sizes[s] = names.fresh(str(s))
        name, axis = next(
            (n, k) for n, shape in shapes.items() for k, size in enumerate(shape) if size == s
        )
        lines.append(f"{sizes[s]} = {parameters[name]}.shape[{axis}]")
    computed = [node for node in roots[1:] if node.op != "input"]
    called = {node: x.name for x, (node, _) in planner.tensors.items() if node in computed}
    emitter = Emitter("jnp", names, called, Comments(planner), sizes)
    emitter.run(roots, {node: parameters[n] for n, (_, node) in inputs.items()})
    operands = [
        emitter[view.node] + (".T" if view.labels != (env[x], env[y]) else "")
        for view, (x, y) in zip(views, ((t.i, t.a), (t.j, t.a), (t.j, t.b)), strict=True)
    ]
    turned = ".T" if m.bodies[output].indices != (t.i, t.b) else ""
    call = f"flash_attention({', '.join([*operands, emitter[scale.node]])}){turned}"
    if computed:  # contractions are in float32 at least
        call += f".astype(jnp.result_type({', '.join(parameters.values())}))"
    formulas = [
        printable(definition_latex(d)) for d in m.system if d.name in m.uses(output) | {output}
    ]
    doc = [
        '    r"""The results of these formulas, in blocks of keys.',
        "",
        *(f"        {f}" for f in formulas),
        '    """',
    ]
    text += helpers("jnp", emitter.helpers)
    if "matmul" in emitter.helpers:
        text = text.replace("from functools", "import math\nfrom functools", 1)
    text += (
        "\n\n"
        + "\n".join(
            [
                f"def {forward}({', '.join(parameters.values())}):",
                *doc,
                *(f"    {line}".rstrip() for line in [*lines, *emitter.lines, f"return {call}"]),
            ]
        )
        + "\n"
    )
    module = Module(text, forward, parameters)
    if gradients is not None:
        upstream = gradients.upstream
        backward = names.fresh(f"backward_{output}")
        wrt = [parameters[n] for n in gradients.wrt]
        both = parameters | {upstream: names.fresh(upstream)}
        bar = [names.fresh(f"{p}_bar") for p in wrt]
        pairs = ", ".join(f"{quoted(n)}: {b}" for n, b in zip(gradients.wrt, bar, strict=True))
        bars = ", ".join(bar) + "," * (len(bar) == 1)
        inner = ", ".join(parameters.values())
        function, pullback = names.fresh("forward"), names.fresh("pullback")
        text += (
            "\n\n"
            + "\n".join(
                [
                    f"def {backward}({', '.join(both.values())}):",
                    f'    """The pullback of {forward} applied to {both[upstream]}."""',
                    f"    def {function}({', '.join(wrt)}):",
                    f"        return {forward}({inner})",
                    "",
                    f"    _, {pullback} = jax.vjp({function}, {', '.join(wrt)})",
                    f"    {bars} = {pullback}({both[upstream]})",
                    f"    return {{{pairs}}}",
                ]
            )
            + "\n"
        )
        module = Module(text, backward, both)
        shapes[upstream] = m.bodies[output].tensor.shape
    return Flash(module, shapes, t.keys, t, cost_of(computed) if computed else None)


def _order(t: Attention) -> list[str]:
    """Q, K, V and what the scale has, by name."""
    return [
        x.name for x in (t.q.tensor, t.k.tensor, t.v.tensor, *(r.tensor for r in refs(t.scale)))
    ]
