"""Proofs of what the prover leaves open: logarithms apart, entry by entry, words over matrices
and what follows from equations between these."""

from __future__ import annotations

from dataclasses import replace

from ..prove import Verdict
from ..syntax import System
from . import entries, hessians, ideals, logarithms, words
from .statements import Statement


def other(s: Statement, system: System, verdict: Verdict, seed: int = 0) -> Verdict | None:
    """A proof of what has the verdict unknown; None where there is none."""
    found = logarithms.proof(s, system) or entries.proof(s, system, seed)
    if found is None and (words.proves(s, system) or ideals.proves(s, system)):
        return replace(verdict, status="proved", limit="", residual=None)
    return found or hessians.proof(s, system)


__all__ = ["other"]
