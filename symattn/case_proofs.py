"""The certificate of a claim that is proved for one size after the other.

It has the claim once, and a proof for every case; what a case claims, with another size or with a
number in place of a letter, is written by the code of the second opinion, which does it again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple, Protocol

import sympy as sp

from .certificate import Recorder, Start, certificate
from .errors import UnsupportedError
from .facts import Fact
from .ir import Poly, Tensor
from .model import Model
from .resizing import Sizes, resized_tensor, size_cases
from .second_opinion.cases import PROOF, at_letter, at_size
from .trees import Tree

DEPTH = 2  # sizes that open others are gone through so often


class Claim(Protocol):
    """What is proved."""

    sides: tuple[Poly, Poly]
    model: Model
    facts: list[Fact]

    def written(self) -> list[Poly]:
        """Both sides, and the definitions that they use."""

    def left(self) -> Poly:
        """What the stages of the proof leave of lhs − rhs."""

    def at(self, sizes: Sizes) -> Sequence[tuple[Mapping[str, int], Claim]]:
        """The claim at other sizes, for each value of the letters that take few."""


class Whole(NamedTuple):
    """A certificate without its proof, and the tensors in it."""

    data: dict[str, Any]
    tensors: dict[str, Tensor]


def logged(claim: Claim) -> dict[str, Any]:
    """The certificate of a claim that is proved."""
    if not claim.left().terms:
        return certificate(claim.sides, claim.model, claim.facts)
    recorder = Recorder(claim.sides, claim.model, claim.facts)
    data = {k: part for k, part in recorder.data().items() if k not in PROOF}
    return {**data, "cases": _proof(claim, Whole(data, recorder.tensors), DEPTH)["cases"]}


def _proof(claim: Claim, whole: Whole, depth: int) -> dict[str, Tree]:
    """The proof of a claim, which a certificate has as `whole`."""
    left = claim.left()
    if not left.terms:
        start = Start(whole.data["claim"], whole.tensors)
        found = certificate(claim.sides, claim.model, claim.facts, start)
        return {"tensors": found["tensors"], "steps": found["steps"]}
    cases = size_cases(left, claim.written()) if depth else []
    if not cases:
        raise UnsupportedError("the log does not lead to 0", got=str(left)[:200])
    return _by_sizes(claim, cases, list(cases[0]), whole, depth - 1)


def _by_sizes(
    claim: Claim, cases: list[Sizes], names: list[sp.Symbol], whole: Whole, depth: int
) -> dict[str, Tree]:
    """A proof for every value of a size, the others one after the other."""
    if not names:
        (sizes,) = cases
        return _by_letters(claim.at(sizes), whole, depth)
    (n, *others), proofs = names, list[Tree]()
    rows = [(size, list(group)) for size, group in groupby(cases, key=lambda case: case[n])]
    first = int(rows[-1][0] - n) + 2 - len(rows)
    for k, (size, group) in enumerate(rows):
        data = at_size(whole.data, n.name, first + k, k + 1 == len(rows))
        tensors = {name: resized_tensor(t, {n: size}) for name, t in whole.tensors.items()}
        proofs.append(_by_sizes(claim, group, others, Whole(data, tensors), depth))
    return {"tensors": {}, "cases": {"size": n.name, "from": first, "proofs": proofs}}


def _by_letters(
    claims: Sequence[tuple[Mapping[str, int], Claim]], whole: Whole, depth: int
) -> dict[str, Tree]:
    """A proof for every value of the letters that take few."""
    ((values, claim), *_) = claims
    if not values:
        return _proof(claim, whole, depth)
    (letter, *_), proofs = values, list[Tree]()
    for k, group in groupby(claims, key=lambda row: row[0][letter]):
        rest = [({x: v for x, v in at.items() if x != letter}, claim) for at, claim in group]
        data = at_letter(whole.data, letter, k)
        proofs.append(_by_letters(rest, Whole(data, whole.tensors), depth))
    return {"tensors": {}, "cases": {"letter": letter, "proofs": proofs}}


__all__ = ["logged"]
