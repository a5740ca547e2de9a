"""What chapters tell: pairs of sides that are equal, and names that are numbers."""

from __future__ import annotations

from typing import Any

from .scenes import Scene

Pairs = list[tuple[str, str]]
EPS = 1e-4


def said(s: Scene, pairs: Pairs, number: int = 3, wrong: float = 0.45, **more: Any) -> None:
    """Some of the pairs as they stand, a part of them one slip away."""
    for left, right in s.rng.sample(pairs, min(number, len(pairs))):
        if s.rng.random() < wrong:
            right = s.slipped(right)
        s.then()
        s.part.show(left, right, tail=s.rng.choice(("", " .")), **more)


def number(s: Scene, *names: str) -> None:
    """Names of numbers that are called what they are called here."""
    for name in names:
        s.part.inputs[name] = "number"
        s.names[name] = name


__all__ = ["EPS", "Pairs", "number", "said"]
