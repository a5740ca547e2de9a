"""Certificates of proofs pass the second opinion."""

import ast
import json
import sys
from itertools import islice
from pathlib import Path

import pytest

import symattn as sa
from symattn import gallery, second_opinion
from symattn.cli import WELL
from symattn.cli.certificates import claims, examined
from symattn.second_opinion import check

from .proofs import ALL, LOGGED, MORE, certificate, logged


@pytest.mark.parametrize("identity", ALL, ids=[i.name for i in ALL])
def test_every_identity_has_a_certificate_that_passes(identity):
    opinion = check(certificate(identity.left, identity.right, identity.given))
    assert opinion.ok, opinion.problem
    assert all(step.rederived for step in opinion.steps)
    assert any(step.points for step in opinion.steps)


@pytest.mark.parametrize("name, left, right, given", MORE, ids=[m[0] for m in MORE])
def test_inverses_losses_shifts_and_norms_pass(name, left, right, given):
    opinion = check(certificate(left, right, given))
    assert opinion.ok, opinion.problem


def test_the_laws_of_the_steps_are_all_used_somewhere():
    push = (certificate(i.left, i.right, i.given) for i in ALL if i.name.startswith("push-through"))
    every = (*map(logged, LOGGED), *push)
    used = {step["law"] for right in every for step in right["steps"]}
    assert used == second_opinion.LAWS.keys()


def test_certificates_are_plain_json_and_the_same_each_time():
    (identity,) = (i for i in ALL if i.name == "causal softmax = renormalised softmax")
    first, second = (
        sa.prove(identity.left, identity.right, given=identity.given, certificate=True).certificate
        for _ in range(2)
    )
    assert json.dumps(first) == json.dumps(second)
    assert json.loads(json.dumps(first)) == first


def test_only_proofs_that_are_asked_for_have_a_certificate():
    x = sa.tensor("x")
    assert sa.prove(x, x).certificate is None
    assert sa.prove(x, 2 * x, certificate=True).certificate is None


def test_a_step_says_where_both_sides_are_defined():
    (identity,) = (i for i in ALL if i.name == "difference of squares cancels")
    right = certificate(identity.left, identity.right, identity.given)
    assert any(relation == "≠ 0" for step in right["steps"] for relation, _, _ in step["side"])


def test_the_checker_shares_nothing_with_the_engine():
    folder = Path(second_opinion.__file__).parent
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom):
                own = node.level == 1 and (folder / f"{node.module}.py").is_file()
                assert own or (node.level == 0 and node.module in sys.stdlib_module_names | {
                    "collections.abc"
                })  # fmt: skip
            if isinstance(node, ast.Import):
                assert all(alias.name in sys.stdlib_module_names for alias in node.names)


@pytest.mark.parametrize("name", gallery.names()[1::5])
def test_the_proofs_of_a_derivation_pass(name):
    row = examined(name, islice(claims(gallery.load(name)), 2))  # `symattn verify` does all
    assert not row.failures
    assert (row.passed, row.rederived) == (row.proofs, row.steps)
    assert row.evaluated > 0.9 * (row.steps - row.said)


def test_the_command_prints_a_row_for_every_derivation(symattn):
    code, out, err = symattn("verify", "--certificates", "softmax_jacobian")
    assert (code, err) == (WELL, "")
    header, row = out.splitlines()
    assert "re-derived" in header
    name, proofs, passed, *_ = row.split()
    assert (name, proofs, passed) == ("softmax_jacobian", "2", "2")
    code, out, _ = symattn("verify", "--certificates", "softmax_jacobian", "--format", "json")
    assert json.loads(out)[0]["ok"] is True
