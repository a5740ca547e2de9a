"""A claim at other sizes and at numbers for its letters, which together are all of it.

Where the proof hangs on how long an axis is, a certificate has one proof for n = 1, one for n = 2,
… and one with n + c in place of n; where a letter takes few values, one for each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .fields import BINDERS, Field, Refused, Tree, nodes, number
from .given import Given, names_in

PROOF = ("steps", "cases")


def resized(data: Any, name: str, size: Tree) -> Any:
    """A tree or a certificate with another size in place of a name."""
    if isinstance(data, dict):
        return {k: resized(part, name, size) for k, part in data.items()}
    if data == ["ref", name, []]:
        return size
    return [resized(part, name, size) for part in data] if isinstance(data, list) else data


def numbered(tree: Tree, letter: str, value: int) -> Tree:
    """A tree with a number in place of a letter."""
    if not isinstance(tree, list):
        return ["affine", [], str(value)] if tree == letter else tree
    if tree[:1] == ["affine"]:
        _, items, const = tree
        more = sum(int(c) * value for x, c in items if x == letter)
        others = [[x, c] for x, c in items if x != letter]
        return ["affine", others, ["add", const, str(more)]] if more else ["affine", others, const]
    if tree[:1] and tree[0] in BINDERS and letter in dict(tree[-2]):
        raise Refused("a letter is bound twice")
    return [numbered(part, letter, value) for part in tree]


def at_letter(data: Any, letter: str, value: int) -> Any:
    """A certificate with a number in place of a letter that is free in its claim."""
    claim = data["claim"]
    sides = {side: numbered(claim[side], letter, value) for side in ("lhs", "rhs")}
    return {**data, "claim": {"free": [p for p in claim["free"] if p[0] != letter], **sides}}


def at_size(data: Any, name: str, c: int, last: bool) -> Any:
    """A certificate where a size is c, or c and more."""
    return resized(data, name, ["add", ["ref", name, []], str(c - 1)] if last else str(c))


def cases(data: Any) -> Iterator[Any]:
    """The certificates of a claim of which it is made."""
    said = data["cases"]
    common, proofs = {k: part for k, part in data.items() if k not in PROOF}, said["proofs"]
    if "size" in said:
        name, first = said["size"], int(said["from"])
        if name not in data["sizes"] or not proofs:
            raise Refused("not all sizes are gone through")
        for c in range(1, first):
            if not missing(common, name, c):
                raise Refused(f"{name} = {c} is left out")
        found = [at_size(common, name, first + k, k + 1 == len(proofs)) for k in range(len(proofs))]
    else:
        size = dict(data["claim"]["free"])[said["letter"]]
        if number(size) != len(proofs):
            raise Refused("not all values of a letter are gone through")
        found = [at_letter(common, said["letter"], k) for k in range(len(proofs))]
    for case, proof in zip(found, proofs, strict=True):
        own = {k: proof[k] for k in PROOF if k in proof}
        yield {**case, "tensors": {**proof["tensors"], **case["tensors"]}, **own}


def missing(data: Any, name: str, c: int) -> bool:
    """At this size the claim, or a definition that it uses, has a component that there is not."""
    given, claim = Given(data), [data["claim"]["lhs"], data["claim"]["rhs"]]
    field, used = Field(given, {name: c}, 0), set[str]().union(*map(given.behind, names_in(claim)))
    bodies = [given.definitions[n]["body"] for n in used & given.definitions.keys()]
    for _, of, slots in (t for t in nodes([claim, bodies]) if t[0] == "ref" and t[2]):
        for slot, n in zip(slots, given.tensors[of]["shape"], strict=True):
            if slot[:2] != ["affine", []] or names_in([slot[2], n]) - {name}:
                continue
            size, place = field.size(n), field.size(slot[2])
            back = size if isinstance(slot[2], str) and place < 0 else 0
            if not 0 <= place + back < size:
                return True
    return False
