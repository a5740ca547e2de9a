r"""Rows by one letter: O_i = \sum_j P_{ij} V_j beside O = P V^\top."""

from symattn.checker import check
from symattn.read.stacked import gather
from symattn.read.tree import Chain, Name, Node, Product, Scripted

HEAD = r"""# Attention

$$P = \mathrm{softmax}(Q K^\top), \qquad O = P V$$

where $Q$, $K$ and $V$ are matrices, and $V^\top$ is a transpose. By rows

"""


def verdicts(head: str, *formulas: str) -> list[str]:
    text = head + "".join(f"\n$$\n{f}\n$$\n" for f in formulas)
    found = check(text, corrections=False, timeout=None).rows
    return [row.verdict for row in found[-len(formulas) :]]


def test_rows_of_matrices():
    assert verdicts(HEAD, r"O_i = \sum_j P_{ij} V_j") == ["proved"]
    assert verdicts(HEAD, r"O_i = \sum_j P_{ji} V_j")[0] in ("refuted", "conditional")
    other = check(
        HEAD + "\n$$O_i = 2 \\sum_j P_{ij} V_j$$\n", timeout=None, corrections=False
    ).rows[-1]
    assert (other.verdict, other.reason) == ("refuted", "left = 1/2 · right")
    scores = (
        r"m_i = \max_j S_{ij}",
        r"O_i = \frac{1}{\sum_j e^{S_{ij} - m_i}} \sum_j e^{S_{ij} - m_i} V_j",
    )
    named = HEAD.replace(r"\qquad O", r"\quad S = Q K^\top, \quad O")
    assert verdicts(named, *scores) == ["definition", "proved"]


def test_what_is_numbered_is_no_row():
    r"""The A_k of \sum_k A_k y_k beside A_k^\top are matrices of their own."""
    head = "Let $A_1, \\dots, A_m$ be matrices.\n\n$$M = A B, \\qquad N = M^\\top$$\n"
    found = check(
        head + "\n$$x = \\sum_k A_k^\\top A_k y$$\n", timeout=None, corrections=False
    ).rows
    assert found[-1].verdict in ("definition", "skipped", "unproved")


def name(text: str, *below: str) -> Node:
    script = Product(0, tuple(("", Name(0, x)) for x in below)) if len(below) > 1 else None
    if not below:
        return Name(0, text)
    return Scripted(0, Name(0, text), (("_", script or Name(0, below[0])),))


def equal(left: Node, *factors: Node) -> Chain:
    right = Product(0, tuple(("", f) for f in factors)) if len(factors) > 1 else factors[0]
    return Chain(0, (left, right), (("=", 0),))


def test_one_use_that_is_no_row_is_enough():
    """O_i = P_ij V_j beside O = P V tells of rows, and not where V_k stands before B too."""
    rows = equal(name("O", "i"), name("P", "i", "j"), name("V", "j"))
    whole = equal(name("O"), name("P"), name("V"))
    other = equal(name("M"), name("V", "k"), name("B"))
    assert gather([rows, whole]) == {"O": 2, "V": 2}
    assert gather([rows, whole, other]) == {"O": 2}
    assert gather([rows]) == {}
