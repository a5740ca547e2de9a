"""Every identity is proved for all sizes, every wrong sibling refuted."""

import pytest

from symattn.identities import identities
from symattn.prove import prove

ALL = identities()


@pytest.mark.parametrize("identity", ALL, ids=[i.name for i in ALL])
def test_proved_and_its_siblings_refuted(identity):
    verdict = prove(identity.left, identity.right, given=identity.given)
    assert verdict.status == "proved", str(verdict)
    assert identity.wrong
    for wrong in identity.wrong:
        verdict = prove(identity.left, wrong, given=identity.given)
        assert verdict.status in ("refuted", "malformed"), str(verdict)
        example = verdict.counterexample
        assert verdict.status == "malformed" or example.lhs != example.rhs
