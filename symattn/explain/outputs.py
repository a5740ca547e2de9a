"""An output in its own derivative: E k/(R T²) of k = A e^{−E/(R T)}.

It stands there as a factor of what its definition is a factor of, or as what a factor of its
definition is solved for; nothing new is divided by, and no function comes in that was not there.
What an output says in its own derivative is asked by `folding.speaks`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..folding import divisors
from ..ir import Atom, Call, Poly, Ref, Slot, Sum, Tensor, Term, inside, parts, refs
from ..logistic import together
from ..model import Body, Model
from .brackets import gathered
from .cost import powers_of
from .factor import as_factor, not_zero, outgrown, root_of
from .recognised import Solution, tensors_in
from .solved import divided

if TYPE_CHECKING:
    from ..derive.record import Derivation


@dataclass(frozen=True)
class Output:
    """An output, its definition as a product of the author's brackets, and its indices."""

    body: Body
    product: Body
    at: Sequence[Slot] | None
    bodies: Mapping[Tensor, Body]

    def as_factor(self, poly: Poly) -> Iterator[Poly]:
        """The expression with the output as a factor.

        One of several terms is a factor of all terms, beside nothing that it is made of:
        −T P of P = F e^{−r T} (R + …), and of P = F e^{−r T} − R e^{−r T} too.
        """
        if self.at is None:
            return
        if _bracket(self.body) or _of_functions(self.body):  # −S/b of S = M (1 − u) v, by terms
            made = gathered(poly, self.body)
            if made.single is not None and self._in_all(made, poly):
                yield made
        if self.product.normal.single is None:
            return
        for whole in dict.fromkeys((poly, together(poly))):
            made = as_factor(whole, self.product, self.at, self.bodies)
            if len(self.body.normal) == 1 or self._in_all(made, poly):
                yield made

    def _in_all(self, after: Poly, before: Poly) -> bool:
        own = self.body.tensor
        beside = tensors_in(self.product.normal) & self.bodies.keys() & tensors_in(after)
        factors = ([a.tensor for a in t.powers if isinstance(a, Ref)] for t in after.terms)
        return all(own in f for f in factors) and not beside and divisors(after) <= divisors(before)

    def _of_weights(self, body: Body) -> bool:
        """A number with log Σ_i e^{x_i} in it, in which nothing else is defined."""
        logs = (n for n in inside(body.normal) if isinstance(n, Call) and n.name == "log")
        of_sum = any(isinstance(n, Sum) for log in logs for n in inside(log))
        used = any(r.tensor is body.tensor for b in self.bodies.values() for r in refs(b.raw))
        return of_sum and not body.indices and not used

    def recognised(self, body: Body) -> bool:
        """No sum of terms is put into its own derivative, but for Σ_j p_j r_j − τ H.

        L = −h/2 − y² e^{−h}/2 is not solved for the exponential, nor ‖x‖² + a/‖x‖ for the norm.
        """
        if len(body.raw) == 1 and not _bracket(body):
            return True
        return len(body.normal) <= 2 and self._of_sums(body.normal)

    def _of_sums(self, poly: Poly) -> bool:
        """Σ_j p_j r_j − τ H, and neither ‖x‖² + a/‖x‖ nor a + c Σ_i u_i."""
        powers = [e for t, _ in poly for a, e in t if isinstance(a, Sum)]
        named = (any(isinstance(a, Ref) and a.tensor in self.bodies for a, _ in t) for t, _ in poly)
        of_sums = [any(isinstance(n, Sum) for n in inside(t)) for t, _ in poly]
        whole = all(a or b for a, b in zip(of_sums, named, strict=True))
        return any(of_sums) and whole and all(e == 1 for e in powers)

    def solved(self, body: Body, solution: Any) -> bool:
        """Neither is it divided by what may be 0, nor y = (1 − g) h + g c solved for c."""
        sum_ = len(body.raw) > 1 or _bracket(body)
        fraction = sum_ and isinstance(solution, Solution) and divided(solution.value)
        return not fraction and not getattr(solution, "over", False)

    def stands(self, body: Body, before: Poly, after: Poly) -> bool:
        """Whether a form has the output in it as people write it.

        There is no e to the output, no new logarithm, no new denominator of a number, also no new
        Σ that is positive, u c_i/Σ_j V_j c_j of u = Σ_j V_j c_j/(K + Σ_j a_j c_j), and no high
        power beside the name of a root; log u of y = 1/(a + b log u) is not (1/y − a)/b, nor
        −log(1 + u) of y = (1 + u)^{−m} log(y)/m.
        """
        weights = self._of_weights(body)
        if _bare_exponential(after, body.tensor, weights):
            return False
        if "log" in _calls(after) - _calls(before):
            return False
        logged = _under_a_logarithm(after, body.tensor)
        if logged and not (_names_below(after) - _names_below(before)).isdisjoint(_raised_to(body)):
            return False
        solved = _logarithm_below(body) and "log" in _calls(before) - _calls(after)
        if solved and not _names_below(after) <= _names_below(before) | {body.tensor}:
            return False
        name, root = Ref(body.tensor, body.indices), root_of(body)
        if root is not None and outgrown(after, before, name):
            return False
        if not body.indices and not _sums_below(after) <= _sums_below(before):
            return False
        return bool(body.indices) or divisors(after) <= (not_zero(before, body) | {name}) - {root}


def _bracket(body: Body) -> bool:
    """c (p − q) and (c/k) (1 − (b/a)^k), and neither N k log(V/N) nor another quotient."""
    only = body.raw.single
    exps = (n for n in inside(body.raw) if isinstance(n, Call) and n.name == "exp")
    powers = any(powers_of(n.args[0]) is not None for n in exps)
    kinds = Ref if powers else ()
    plain = only is not None and all(e > 0 or isinstance(a, kinds) for a, e in only[0])
    return plain and len(body.normal) > 1 and not any(_logs(t) for t, _ in body.normal)


def _of_functions(body: Body) -> bool:
    """a e^{−r T} − b e^{−r T}, and a cos x + b sin x: several terms with functions in all."""
    terms = [[isinstance(a, Call) for a, _ in t] for t, _ in body.normal]
    return len(body.raw) > 1 and all(map(any, terms))


def _logs(node: Any) -> bool:
    """A logarithm that is none of a power, e^{k log u}."""
    if isinstance(node, Call) and node.name == "exp" and powers_of(node.args[0]) is not None:
        return False
    return (isinstance(node, Call) and node.name == "log") or any(map(_logs, parts(node)))


def _logarithm_below(body: Body) -> bool:
    """1/(a + b log u)."""
    factors = body.normal.single[0] if body.normal.single else ()
    return any(e < 0 and isinstance(a, Poly) and "log" in _calls(a) for a, e in factors)


def _names_below(node: Any) -> set[Tensor]:
    """The names below bars, also of what is positive."""
    terms = (n for n in inside(node) if isinstance(n, Term))
    return {a.tensor for t in terms for a, e in t if e < 0 and isinstance(a, Ref)}


def _raised_to(body: Body) -> set[Tensor]:
    """The names in exponents of the definition: m of (1 + u)^{−m}."""
    exps = (n.args[0] for n in inside(body.normal) if isinstance(n, Call) and n.name == "exp")
    pairs = (pair for u in exps for pair in powers_of(u) or ())
    return {t for _, exponent in pairs for t in tensors_in(exponent)}


def _under_a_logarithm(node: Any, tensor: Tensor) -> bool:
    """log y, and y^{1 + 1/m}, which is an exponential of it."""
    logs = (n for n in inside(node) if isinstance(n, Call) and n.name == "log")
    return any(tensor in tensors_in(n) for n in logs)


def _sums_below(node: Any) -> set[Atom]:
    """The Σ below bars, also those that are positive."""
    terms = (n for n in inside(node) if isinstance(n, Term))
    return {a for t in terms for a, e in t if e < 0 and isinstance(a, Sum)}


def _calls(node: Any) -> set[Any]:
    return {n.name for n in inside(node) if isinstance(n, Call)}


def _bare_exponential(node: Any, tensor: Tensor, weights: bool = False) -> bool:
    """e^{-L} for 1/(p + q) of L = log(p + q), and e^{β F}; not V^r, nor e^{L − a} for a weight.

    That too where the `weights` are those of a Σ.
    """
    exps = (n.args[0] for n in inside(node) if isinstance(n, Call) and n.name == "exp")
    exps = (u for u in exps if powers_of(u) is None)
    bare = (u for u in exps if weights or len(u) == 1 or all(c < 0 for _, c in u))
    return any(tensor in {r.tensor for r in refs(u)} for u in bare)


def of_two_sums(body: Body, d: Derivation, m: Model) -> bool:
    """f/g of sums that both change, whose derivative is (f′ − (f/g) g′)/g."""
    only = body.raw.single
    wrt = d.component.tensor.named[-1]

    def changes(bracket: Poly) -> bool:
        names = {r.tensor for r in refs(bracket)}
        return wrt in names or any(t.name in m.bodies and wrt.name in m.uses(t.name) for t in names)

    brackets = [(a, e) for a, e in only[0] if isinstance(a, Poly)] if only is not None else []
    return sorted(e > 0 for a, e in brackets if changes(a)) == [False, True]


def differentiated(tensor: Tensor) -> str:
    """y of ∂y/∂x and ∂²y/∂x∂x; nothing of any other tensor."""
    return (differentiated(tensor.parts[0]) or tensor.parts[0].name) if tensor.parts else ""


__all__ = ["Output", "differentiated", "of_two_sums"]
