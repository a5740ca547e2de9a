"""One record a function: what a user writes here, and what a user of JAX would write instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..syntax import System

Sizes = Mapping[str, int]
LEVELS = ("small", "middle", "large")
KINDS = ("value", "vjp", "jvp", "hvp", "hessian")


@dataclass(frozen=True)
class User:
    """A function under its name, with its definitions and with the same in idiomatic JAX.

    kind    "value"; "vjp", the value and its gradients; "jvp"; "hvp", the Hessian in one array
            times a vector; "hessian"
    wrt     the arrays that it is differentiated in
    sizes   the sizes, small, middle and large
    draw    how an array is made of normal random numbers where they will not do as they are
    """

    name: str
    kind: str
    of: str
    wrt: tuple[str, ...]
    make: Callable[[], tuple[System, Callable[..., Any]]]
    sizes: tuple[Sizes, ...]
    draw: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)


USERS: dict[str, User] = {}


def user(
    name: str, kind: str, of: str, wrt: str = "", *, sizes: tuple[Sizes, ...], **draw: Any
) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    """Enters what is decorated, a function that gives the system and the JAX function."""

    def enter(make: Callable[[], Any]) -> Callable[[], Any]:
        assert kind in KINDS and name not in USERS and len(sizes) == len(LEVELS)
        USERS[name] = User(name, kind, of, tuple(wrt.split()), make, sizes, draw)
        return make

    return enter


def grow(sizes: str, *lengths: tuple[int, ...]) -> tuple[Sizes, ...]:
    """The sizes by name for every level."""
    return tuple(dict(zip(sizes.split(), level, strict=True)) for level in lengths)
