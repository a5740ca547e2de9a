"""Trees of formulas: what is known of a node goes with it, and is what walking it again gives."""

from __future__ import annotations

import gc

import pytest

from symattn.read.names import atoms, plain
from symattn.read.tree import (
    Accent,
    Addition,
    Fraction,
    Group,
    Name,
    Number,
    Product,
    Scripted,
    children,
    rebuilt,
    replaced,
    walk,
)


def tree():
    r"""a + \frac{\bar{x_i}}{2 / b}"""
    x = Accent(8, "bar", Group(9, "{", (Scripted(9, Name(9, "x"), (("_", Name(11, "i")),)),)))
    below = Product(13, (("", Number(13, "2")), ("/", Name(15, "b"))))
    return Addition(0, (("+", Name(0, "a")), ("+", Fraction(4, x, below))))


def asked(node):
    """All that is kept at nodes, asked of them."""
    for n in walk(node):
        plain(n)
        children(n)
        atoms(n)


def test_every_node_is_walked_once_as_written_and_so_it_is_again():
    node = tree()
    first = [*walk(node)]
    assert first[0] is node and first[1:] == [n for c in children(node) for n in walk(c)]
    assert [*walk(node)] == first and len(first) == len({id(n) for n in first}) == 11
    assert [n.text for n in first if isinstance(n, Name)] == ["a", "x", "i", "b"]


def test_accents_stand_inside_of_scripts_whenever_that_is_asked():
    accent = next(n for n in walk(tree()) if isinstance(n, Accent))
    for _ in range(2):
        assert isinstance(plain(accent), Scripted) and plain(plain(accent)) is plain(accent)
        assert plain(plain(accent).base) is plain(accent).base


@pytest.mark.parametrize("change", [rebuilt, replaced])
def test_a_tree_goes_where_nobody_holds_it(change):
    """Where nothing is in a cycle no memory waits for the collector."""
    gc.collect()
    gc.disable()
    try:
        one = tree()
        asked(one)
        two = change(one, lambda n: Name(n.at, "c") if n == Name(15, "b") else n)
        asked(two)
        assert [n.text for n in walk(two) if isinstance(n, Name)] == ["a", "x", "i", "c"]
        del one, two
        assert gc.collect() == 0
    finally:
        gc.enable()
