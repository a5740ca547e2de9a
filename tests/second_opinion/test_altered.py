"""Altered certificates fail, whatever is altered."""

import json
import random
import re
from copy import copy
from fractions import Fraction

import pytest

from symattn import second_opinion
from symattn.second_opinion import UNREADABLE, Checker, check
from symattn.second_opinion.cases import cases
from symattn.second_opinion.fields import Refused

from .by_hand import N, by_hand, ref
from .proofs import ALL, LOGGED, certificate, logged, sizes_apart


def letters_of(tree):
    """The letters that occur in a tree."""
    if isinstance(tree, str):
        return {tree} if tree.startswith("@") else set()
    parts = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return set().union(*map(letters_of, parts))


def changed(tree, letters):
    """The trees that differ in one place: a number, a letter, a term, or the order of two slots."""
    if isinstance(tree, str):
        if tree.startswith("@"):
            yield next((x for x in letters if x != tree), "@other")
        elif tree.lstrip("-")[:1].isdigit():
            yield str(Fraction(tree) + 1)
        return
    tag = tree[0]
    if tag in ("add", "mul") and len(tree) > 2:
        yield from (tree[:k] + tree[k + 1 :] for k in range(1, len(tree)))
    if tag == "ref":
        name, slots = tree[1:]
        for k, slot in enumerate(slots):
            for other in changed(slot, letters):
                yield ["ref", name, [*slots[:k], other, *slots[k + 1 :]]]
        if len(slots) > 1 and slots[0] != slots[1]:
            yield ["ref", name, [slots[1], slots[0], *slots[2:]]]
        return
    inside = {"call": [2], "unknown": [], "sum": [2], "argmax": [3], "max": [], "affine": [2]}
    for k in inside.get(tag, range(1, len(tree))):
        yield from ([*tree[:k], x, *tree[k + 1 :]] for x in changed(tree[k], letters))


def altered(step):
    """A step with one thing in it changed, and what that is."""
    letters = sorted(letters_of(step))
    yield "doubled", {**step, "after": ["mul", "2", step["after"]]}
    yield "negated", {**step, "after": ["mul", "-1", step["after"]]}
    for part in {"before", "after", "slot", "indicator", "whole", "gap"} & step.keys():
        for other in changed(step[part], letters):
            yield part, {**step, part: other}
    for x, slot in step.get("instance", {}).items():
        for other in changed(slot, letters):
            yield "instance", {**step, "instance": {**step["instance"], x: other}}
    for other in changed(["list", *step["terms"]], letters) if "terms" in step else ():
        yield "terms", {**step, "terms": other[1:]}
    for part in {"letter", "letters"} & step.keys():
        for x in letters:
            if x not in step[part]:
                yield part, {**step, part: x if part == "letter" else [x]}
    for other in ("A", "0", "1", *letters) if "of" in step else ():
        if other != step["of"]:
            yield "of", {**step, "of": other}
    for k, (relation, pairs, base) in enumerate(step["side"]):
        others = step["side"][:k] + step["side"][k + 1 :]
        yield "side left out", {**step, "side": others}
        for r in {"≠ 0", "≥ 0", "> 0"} - {relation}:
            yield "side relation", {**step, "side": [*others, [r, pairs, base]]}
        for other in changed(base, letters):
            yield "side base", {**step, "side": [*others, [relation, pairs, other]]}
    yield "side added", {**step, "side": [*step["side"], ["≠ 0", [], step["before"]]]}
    if step["at"]:
        yield "place", {**step, "at": step["at"][:-1]}
    own = {"fractions apart": {"normal form"}}  # what clears denominators finds these, too
    for law in sorted(second_opinion.LAWS.keys() - {step["law"], *own.get(step["law"], ())}):
        yield "law", {**step, "law": law}


def fails(done, *rest):
    """Whether a certificate fails when these steps follow those that are done: as `check` says."""
    checker = copy(done)
    checker.allowed, checker.seen = {*done.allowed}, {**done.seen}
    try:
        checker.scopes([*rest])
        return any(checker.step(s).problem for s in rest) or checker.tree != "0"
    except (Refused, *UNREADABLE):
        return True


def altered_fail(right, places):
    """How many altered steps were refused, of those at these places."""
    steps, tried, done = right["steps"], 0, Checker(right)
    for k, good in enumerate(steps[: max(places) + 1]):
        ways = list(altered(good)) if k in places else []
        kinds = {kind: [s for what, s in ways if what == kind] for kind, _ in ways}
        draw = random.Random(k)
        for kind, found in sorted(kinds.items()):
            for wrong in draw.sample(found, min(2, len(found))):
                assert fails(done, wrong, *steps[k + 1 :]), (kind, good, wrong)
                tried += 1
        assert not ways or fails(done, *steps[k + 1 :]), ("left out", good)
        assert not done.step(good).problem
    return tried


@pytest.mark.parametrize("name", LOGGED)
def test_every_step_altered_in_turn_fails(name):
    right = logged(name)
    steps = right["steps"]
    assert altered_fail(right, range(len(steps))) > 5 * len(steps)


def test_every_size_and_every_step_of_its_proof_is_needed():
    right = certificate(*list(sizes_apart())[1][1:])
    assert check(right).ok
    n = right["cases"]
    proofs = n["proofs"]
    assert (n["size"], n["from"], len(proofs)) == ("m", 1, 2)
    for k in range(len(proofs)):
        left = proofs[:k] + proofs[k + 1 :]
        assert not check({**right, "cases": {**n, "proofs": left}}).ok
        more = {**n, "from": 2, "proofs": left}
        assert "left out" in check({**right, "cases": more}).problem
    assert not check({**right, "cases": {**n, "proofs": proofs[::-1]}}).ok
    assert not check({**right, "cases": {**n, "size": "n"}}).ok
    claim = {**right["claim"], "rhs": ["mul", "2", right["claim"]["rhs"]]}
    assert not check({**right, "claim": claim}).ok
    leaves = [leaf for case in cases(right) for leaf in plain(case)]
    assert len(leaves) > 2
    for leaf in leaves:
        assert altered_fail(leaf, range(len(leaf["steps"]))) > 2 * len(leaf["steps"])


def plain(data):
    """The certificates without cases of which one is made."""
    if "steps" in data:
        return [data]
    return [leaf for case in cases(data) for leaf in plain(case)]


def test_a_size_is_left_out_where_a_number_says_so_alone():
    right = certificate(*next(sizes_apart())[1:])
    assert check(right).ok
    assert right["cases"]["from"] == 2  # x_1 says n ≥ 2
    text = json.dumps(right["claim"]).replace('"affine", [], "1"', '"affine", [], "0"')
    assert "left out" in check({**right, "claim": json.loads(text)}).problem


def test_a_function_is_not_another_one():
    x = ref("x", "@i")
    half, double = ["mul", "1/2", "x"], ["mul", "2", "x"]
    lhs = ["call", "half", ["call", "double", x]]
    end = {"law": "normal form", "at": [], "after": "0"}
    before = ["add", lhs, ["mul", "-1", x]]
    claim = by_hand(lhs, x, {**end, "before": before}, free=[["@i", N]], tensors={"x": [N]})
    assert check({**claim, "functions": {"half": half, "double": double}}).ok
    assert not check({**claim, "functions": {"half": half, "double": half}}).ok
    assert not check({**claim, "functions": {}}).ok
    tanh = json.loads(json.dumps(claim).replace("half", "tanh"))
    assert not check({**tanh, "functions": {"tanh": half, "double": double}}).ok


def test_a_matrix_that_is_cleared_another_way_fails():
    (identity,) = (i for i in ALL if i.name.startswith("push-through"))
    right = certificate(identity.left, identity.right, identity.given)
    laws = [step["law"] for step in right["steps"]]
    first = laws.index("inverse")  # E_i = Σ_j δ_ij E_j = Σ_jk M⁻¹_ik M_kj E_j
    assert laws[first - 1 : first + 2] == ["index", "inverse", "sums"]
    assert altered_fail(right, range(first - 1, first + 2)) > 15


@pytest.mark.parametrize("part", ["lhs", "rhs"])
def test_an_altered_claim_fails(part):
    (identity,) = (i for i in ALL if i.name == "rows of A sum to 1")
    right = certificate(identity.left, identity.right, identity.given)
    claim = {**right["claim"], part: ["mul", "2", right["claim"][part]]}
    assert "begin" in check({**right, "claim": claim}).problem


def test_an_altered_definition_fails():
    (identity,) = (i for i in ALL if i.name == "rows of A sum to 1")
    right = certificate(identity.left, identity.right, identity.given)
    a = right["definitions"]["A"]
    wrong = {**right["definitions"], "A": {**a, "body": ["mul", "2", a["body"]]}}
    assert "differ" in check({**right, "definitions": wrong}).problem


def test_a_proof_that_stops_early_fails():
    (identity,) = (i for i in ALL if i.name == "rows of A sum to 1")
    right = certificate(identity.left, identity.right, identity.given)
    opinion = check({**right, "steps": right["steps"][:-1]})
    assert opinion.problem == "the last expression is not 0"


@pytest.mark.parametrize(
    "data",
    [
        {}, [], "x", None, {"claim": {}}, by_hand("x", "1"), by_hand(["ref", "x", []], "1"),
        by_hand(["sum", [["j", N]], "1"], "1"), by_hand(["call", "gamma", "1"], "1"),
        by_hand(["pow", "0", "-1"], "1"), by_hand(["pow", ["add", N, "1"], "1000"], "1"),
        by_hand(["mul", *[["add", ref("a"), ref("b"), "1"]] * 90], "1", tensors={"a": [], "b": []}),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said_and_never_raised(data):
    assert check(data).problem


def test_random_damage_never_raises():
    (identity,) = (i for i in ALL if i.name == "rows of the causal softmax sum to 1")
    text = json.dumps(certificate(identity.left, identity.right, identity.given))
    draw = random.Random(0)
    for _ in range(150):
        tokens = re.findall(r'"[^"]*"|[][{},:]|\d+|\w+', text)
        k, other = draw.randrange(len(tokens)), draw.choice(tokens)
        try:
            data = json.loads(" ".join([*tokens[:k], other, *tokens[k + 1 :]]))
        except ValueError:
            continue
        assert isinstance(check(data).ok, bool)
