"""What a loss may be taken for a function of: definitions through which it depends on all others.

∂L/∂x is made of ∂L/∂X for such an X whatever stands between X and L, so a claim about both needs
nothing of it.  A proof for any function of X is one for L; a counterexample is none.
"""

from __future__ import annotations

from collections.abc import Iterable

from .derive import outputs_of
from .ir import Tensor, refs
from .model import Model, made_of


def cut(m: Model, loss: Tensor, by: Iterable[Tensor], used: Iterable[str]) -> tuple[Tensor, ...]:
    """The last ones of what a claim differentiates by, where the loss depends on the others through
    them alone; none where it is a function of these anyhow.

    `used` are the names in the claim, of which none may be a derivative itself.
    """
    bodies, outputs = m.bodies, outputs_of(m, loss)
    if any(r.tensor.parts for n in m.mentions(used) if n in bodies for r in refs(bodies[n].raw)):
        return ()
    named = {t.name: t for t in by}
    last = {n: t for n, t in named.items() if not any(n in m.uses(o) for o in named)}
    if not last.keys() <= bodies.keys() or {*last.values()} == {*outputs}:
        return ()
    seen, left = set[str](), [t.name for t in outputs]
    while left:
        if (name := left.pop()) not in seen:
            seen.add(name)
            body = bodies.get(name) if name not in last else None
            left += [t.name for r in refs(body.raw) for t in made_of(r.tensor)] if body else []
    whole = last.keys() <= seen and seen.isdisjoint(named.keys() - last.keys())
    return tuple(last.values()) if whole else ()


__all__ = ["cut"]
