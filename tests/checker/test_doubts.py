"""What differs and is not refuted: no false alarm."""

from __future__ import annotations

import pytest

from symattn.checker import check
from symattn.checker.report import WRONG

SOFTMAX = (
    r"$$ S_{ij} = \sum_a Q_{ia} K_{ja} $$"
    "\n\n"
    r"$$ A_{ij} = \frac{\exp(S_{ij})}{\sum_l \exp(S_{il})} $$"
    "\n\n"
)
SQUARE = r"$$ g = \sum_i \sum_a X_{ia}^2 $$" + "\n\n"


@pytest.mark.parametrize(
    "text",
    [
        "$$ x = x - \\eta g $$",
        "$$ \\theta = \\theta + 1 $$",
        "$$ x = \\cos x $$",
        "$$ A_{ij} = A_{ji} $$",
        "$$ \\sum_a R_{ia} R_{ja} = \\delta_{ij} $$",
        "$$ \\sum_j p_j = 1 $$",
        "$$ \\sum_j A_{ij} x_j = b_i $$",
        "$$ \\sum_j A_{ij} B_{jk} = \\sum_j B_{ij} A_{jk} $$",
        "$$ E = m c^2 $$\n\n$$ E \\approx m c^3 $$",
        "$$ \\sin h \\approx h $$",
        "$$ 0.14 n = m $$",
        SOFTMAX + "$$ A_{ij} = \\frac{\\exp(S_{ij})}{Z_i} $$",
        SOFTMAX + "$$ \\sum_j A_{ij} = c_i $$",
        SQUARE + "Suppose that\n\n$$ \\sum_a X_{ia} X_{ia} = g $$",
        SQUARE + "If the noise is small,\n$$ g = 0 $$",
        SQUARE + "# Another\n\n$$ g = 2 \\sum_i \\sum_a X_{ia}^2 $$",
        SQUARE + "$$ g = \\sum_i \\sum_a w_a X_{ia}^2 $$",
    ],
)
def test_no_alarm(text: str) -> None:
    assert not check(text, corrections=False).of(*WRONG), str(check(text))


def test_the_same_without_an_excuse_is_refuted() -> None:
    """The statements above that are false alarms only for the reason they show."""
    assert check(SQUARE + "$$ g = 2 \\sum_i \\sum_a X_{ia}^2 $$", corrections=False).of("refuted")
    assert check(
        SQUARE + "The value is\n\n$$ \\sum_i \\sum_a X_{ia} X_{ia} = 3 g $$", corrections=False
    ).of("refuted")
    assert check(SOFTMAX + "$$ \\sum_j A_{ij} = 2 $$", corrections=False).of("refuted")


def test_identities_of_free_names_are_decided() -> None:
    good = check(
        "$$ \\sum_i (x_i + y_i)^2 = \\sum_i x_i^2 + 2 \\sum_i x_i y_i + \\sum_i y_i^2 $$",
        corrections=False,
    )
    bad = check(
        "$$ \\sum_i (x_i + y_i)^2 = \\sum_i x_i^2 + \\sum_i x_i y_i + \\sum_i y_i^2 $$",
        corrections=False,
    )
    assert [r.verdict for r in good] == ["proved"]
    assert [r.verdict for r in bad] == ["refuted"]


def test_a_condition_that_the_text_states_elsewhere() -> None:
    text = (
        "The temperature is $T = 1$.\n\n$$ Z = \\sum_j \\exp(E_j / T) $$\n\n"
        "$$ Z = \\sum_j \\exp(E_j) $$\n"
    )
    rows = check(text, corrections=False).rows
    assert [r.verdict for r in rows] == ["definition", "conditional"]
    assert "T = 1" in rows[1].reason


def test_numbers_of_a_worked_example_hold_in_their_section() -> None:
    text = (
        "# Theory\n\n$$ S_{ij} = \\sum_a Q_{ia} K_{ja} $$\n\n"
        "# Example\n\n$$ c = 3 $$\n\n$$ c^2 = 9 $$\n\n"
        "# After\n\n$$ \\frac{\\partial S_{ij}}{\\partial Q_{mc}} = \\delta_{im} K_{jc} $$\n"
    )
    assert [r.verdict for r in check(text, corrections=False)] == [
        "definition",
        "definition",
        "proved",
        "proved",
    ]


def test_a_metric_is_taken_for_symmetric_before_it_is_refuted() -> None:
    """Couplings and metrics are symmetric in most texts, which do not say so."""
    energy = "$$ E = -\\frac{1}{2} W_{ij} x_i x_j $$\n\n"
    partial = r"\frac{\partial E}{\partial x_m}"
    true = check(f"{energy}$$ {partial} = -W_{{mi}} x_i $$", corrections=False).rows[-1]
    assert (true.verdict, true.reason) == ("conditional", "true only if W is symmetric")
    wrong = check(f"{energy}$$ {partial} = -2 W_{{mi}} x_i $$", corrections=False).rows[-1]
    assert wrong.verdict == "refuted"


def test_examples_below_bold_titles_have_values_of_their_own() -> None:
    apart = check("**One**\n\n$$ K = 4 $$\n\n**Two**\n\n$$ K = 0 $$\n", corrections=False)
    assert [r.verdict for r in apart] == ["definition", "definition"]
    together = check("**One**\n\n$$ K = 4 $$\n\n$$ K = 0 $$\n", corrections=False)
    assert [r.verdict for r in together] == ["definition", "refuted"]


ROWS = (
    r"Let $Q \in \mathbb{R}^{n \times d}$. The output is $g_i = \sigma(w^\top q_i)$ where "
    r"$q_i$ is the $i$-th row of $Q$, and $$ S = Q Q^\top. $$"
)


def test_a_row_of_a_matrix_is_not_free_beside_it() -> None:
    right = r"$$ \frac{\partial g_i}{\partial w_a} = g_i (1 - g_i) Q_{ia} $$"
    assert check(f"{ROWS}\n\n{right}\n", corrections=False).rows[-1].verdict not in WRONG
    wrong = check(f"{ROWS}\n\n{right.replace('1 -', '1 +')}\n", corrections=False).rows[-1]
    assert wrong.verdict == "refuted"


def test_two_matrices_of_which_rows_are_named_are_no_parts_of_each_other() -> None:
    head = r"""Let $Q, K \in \mathbb{R}^{n \times d}$, and let $q_i$, $k_j$ be the rows of
$Q$ and $K$.

$$ L = \operatorname{tr}(Q^\top K B) $$

$$ \frac{\partial L}{\partial B} = \sum_i RIGHT $$
"""
    transposed = "conditional"  # as B may have the shape of its transpose below a derivative
    for right, verdict in ((r"k_i q_i^\top", "proved"), (r"q_i k_i^\top", transposed)):
        assert check(head.replace("RIGHT", right), corrections=False).rows[-1].verdict == verdict


def test_a_correction_is_not_the_left_side() -> None:
    text = (
        r"Let $X \in \mathbb{R}^{n \times p}$, $\lambda > 0$ and "
        r"$H = X(X^\top X + \lambda I)^{-1}X^\top$."
        "\n\n$$ H^2 = H $$\n"
    )
    row = check(text).rows[-1]
    assert row.verdict == "refuted" and row.correction != "H^2"


TARGETS = r"""Let $s \in \mathbb{R}^n$ be scores and $p_i = e^{s_i} / \sum_k e^{s_k}$. Let
$y \in \mathbb{R}^n$
be a target with $\sum_i y_i = 1$, and $L = -\sum_i y_i \log p_i$. Then

$$ \frac{\partial L}{\partial s_i} = RIGHT . $$

## Uniform targets

Uniform targets, $y_i = 1/n$, give

$$ \frac{\partial L}{\partial s_i} = p_i - \frac1n . $$
"""


def test_the_values_of_a_special_case_do_not_hold_before_it() -> None:
    right = check(TARGETS.replace("RIGHT", "p_i - y_i"), corrections=False)
    assert [r.verdict for r in right if r.kind == "claim"] == ["proved", "proved"]
    wrong = check(TARGETS.replace("RIGHT", r"p_i - \frac1n"))
    general, uniform = (r for r in wrong if r.kind == "claim")
    assert (general.verdict, uniform.verdict) == ("conditional", "proved")
    assert general.reason == "true with y_i = 1/n (line 9), and not in general"
    assert general.correction == "p_i - y_i"
    (fact,) = (r for r in wrong if r.kind == "fact")
    assert fact.verdict == "definition"


LOSSES = r"""Let $s \in \mathbb{R}^n$, $y \in \mathbb{R}^n$ with $\sum_i y_i = 1$, and
$p_i = e^{s_i} / \sum_k e^{s_k}$.

## Squared error

$$ L = \frac12 \sum_i (p_i - y_i)^2, \qquad \frac{\partial L}{\partial s_i} = p_i - y_i . $$

## Cross-entropy

$$ L = -\sum_i y_i \log p_i, \qquad \frac{\partial L}{\partial s_i} = p_i - y_i . $$
"""


def test_another_section_defines_nothing_that_the_own_one_defines() -> None:
    squared, entropy = (r for r in check(LOSSES) if r.kind == "claim")
    assert (squared.verdict, entropy.verdict) == ("conditional", "proved")
    said = r"true with L = -\sum_i y_i \log p_i (line 10), and not in general"
    assert squared.reason == said and squared.correction


@pytest.mark.parametrize(
    "words",
    [
        "The vectors $u_i \\in \\mathbb{R}^d$ have unit norm.",
        "Embeddings $u_i \\in \\mathbb{R}^d$ are L2-normalized.",
        "Let $u_i \\in \\mathbb{R}^d$ be normalised embeddings.",
    ],
)
def test_what_words_say_of_values_is_no_alarm(words: str) -> None:
    claim = "$$ \\sum_a (u_{ia} - u_{ja})^2 = 2 - 2 \\sum_a u_{ia} u_{ja} $$"
    assert check(f"{words}\n\n{claim}", corrections=False).rows[-1].verdict not in (
        "refuted",
        "proved",
    )
    other = "The vectors $v_i$ are normalised. Let $u_i \\in \\mathbb{R}^d$."
    assert check(f"{other}\n\n{claim}", corrections=False).rows[-1].verdict == "refuted"


@pytest.mark.parametrize(
    ("words", "free"),
    [
        ("Let $v_i$ have centred columns and write $z = 2 g$ with $u_i \\in \\mathbb{R}^d$.", True),
        ("Let $v_i$ be free, and $u_i \\in \\mathbb{R}^d$ normalised.", False),
        ("Let $u_i$ and $v_i$ be normalised vectors in $\\mathbb{R}^d$.", False),
        ("Embeddings $u_i \\in \\mathbb{R}^d$, which are normalised, have a scale.", False),
        ("We have $u_i \\in \\mathbb{R}^d$; they are normalised.", False),
    ],
)
def test_a_word_is_of_the_names_in_its_clause(words: str, free: bool) -> None:
    claim = "$$ \\sum_a (u_{ia} - u_{ja})^2 = 2 - 2 \\sum_a u_{ia} u_{ja} $$"
    assert (check(f"{words}\n\n{claim}", corrections=False).rows[-1].verdict == "refuted") is free


CAPITAL = r"""
Given $X \in \mathbb{R}^{n\times p}$ and $y \in \mathbb{R}^n$, let
$J = \frac12 \sum_i (y_i - x_i^\top w)^2$.

$$ \nabla_w J = -X^\top (y - X w) $$
"""


@pytest.mark.parametrize(
    ("old", "new", "verdict", "reason"),
    [
        ("", "", "conditional", "true if the rows of X are x"),
        ("-X^", "X^", "refuted", ""),
        ("y - X w", "y - 2 X w", "refuted", ""),
        ("n\\times p", "p\\times n", "conditional", "true if the columns of X are x"),
        ("-X^\\top (y", "-Z^\\top (y", "unproved", "nothing in the document says what Z is"),
        (
            "$X \\in \\mathbb{R}^{n\\times p}$ and ",
            "",
            "conditional",
            "true if the rows of X are x",
        ),
    ],
)
def test_small_letters_may_be_rows(old: str, new: str, verdict: str, reason: str) -> None:
    text = CAPITAL.replace(old, new)
    if "columns" in reason:
        text = text.replace("-X^\\top (y - X w)", "-X (y - X^\\top w)")
    row = check(text, corrections=False).rows[-1]
    assert row.verdict == verdict and reason in row.reason


def test_an_equation_that_defines_nothing_speaks_of_its_name() -> None:
    text = r"""
Let $r = \sqrt{x^2 + y^2 + z^2}$. Then

$$ \frac{\partial r}{\partial x} = \frac{x}{r} $$

In polar coordinates $x = r \cos\theta$ and $y = r \sin\theta$, so

$$ r x y = r x y + x $$

$$ \frac{\partial x}{\partial r} \frac{\partial y}{\partial \theta} = 1 $$
"""
    rows = check(text, corrections=False).rows
    assert [r.verdict for r in rows] == ["definition", "proved", *["unproved"] * 4]
    assert rows[-2].reason == "line 6 says something of x"


@pytest.mark.parametrize(
    ("words", "free"),
    [
        ("$D$ the diagonal matrix of degrees", False),
        ("the Gram matrix $D$", False),
        ("$D$ is a projection onto the span of $z$", False),
        ("where $D$ denotes the inverse of something", False),
        ("and $D^\\star$ is the solution", True),
        ("and $D$ a matrix; the Hessian $B$ is not needed", True),
    ],
)
def test_what_words_say_a_matrix_is_made_of(words: str, free: bool) -> None:
    said = f"Let $A, D \\in \\mathbb{{R}}^{{n \\times n}}$, {words}.\n\n$$ L = D - A $$"
    text = rf"{said}\n\n$$ \mathrm{{tr}}\,L = \mathrm{{tr}}\,D + \mathrm{{tr}}\,A $$".replace(
        r"\n", "\n"
    )
    assert (check(text, corrections=False).rows[-1].verdict == "refuted") is free


@pytest.mark.parametrize(
    ("claim", "alarm"),
    [
        ("\\sum_a u_{ia}^2 = 1", False),
        ("\\sum_a |u_{ia}| = 1", False),
        ("\\sum_a u_{ia} = 1", False),
        ("\\sum_a (u_{ia} - v_a)^2 = 1 + \\sum_a v_a^2 - 2 \\sum_a u_{ia} v_a", False),
        ("\\sum_a (u_{ia} - v_a)^2 = 1 + \\sum_a v_a^2 + 2 \\sum_a u_{ia} v_a", True),
        ("\\sum_a (u_{ia} - v_a)^2 = 4 + \\sum_a v_a^2 - 2 \\sum_a u_{ia} v_a", True),
    ],
)
def test_what_differs_for_all_values_of_a_kind_refutes(claim: str, alarm: bool) -> None:
    text = "The rows $u_i \\in \\mathbb{R}^d$ are normalised and $v \\in \\mathbb{R}^d$.\n\n"
    assert (check(f"{text}$$ {claim} $$", corrections=False).rows[-1].verdict == "refuted") is alarm


def test_a_capital_that_nothing_introduces_may_be_anything() -> None:
    text = CAPITAL.replace("$X \\in \\mathbb{R}^{n\\times p}$ and ", "").replace("-X^", "X^")
    assert check(text, corrections=False).rows[-1].verdict == "unproved"


@pytest.mark.parametrize(("right", "verdict"), [("0", "proved"), ("1", "refuted")])
def test_a_loss_is_a_function_of_what_it_is_derived_by(right: str, verdict: str) -> None:
    text = rf"""
With $P_{{ij}} = \exp(S_{{ij}}) / \sum_k \exp(S_{{ik}})$ and $O = P V$,
$\ell_i = \log \sum_k \exp(S_{{ik}})$. Let $\bar X = \partial L / \partial X$. Then
$$\bar P = \bar O V^\top$$
$$\bar S_{{ij}} = P_{{ij}} ( \bar P_{{ij}} - \sum_k P_{{ik}} \bar P_{{ik}} )$$
$$\sum_j \bar S_{{ij}} = {right}$$
"""
    assert check(text, corrections=False).rows[-1].verdict == verdict


@pytest.mark.parametrize("words", ["If we expand the square", "Adding a 1 in the numerator"])
def test_words_of_a_derivation_are_no_condition(words: str) -> None:
    text = f"Let $f = (a + b)^2$ and $g = a^2$. {words}: $$f - g = 3 a b + b^2$$\n"
    assert check(text, corrections=False).rows[-1].verdict == "refuted"


@pytest.mark.parametrize(
    ("behind", "verdict"),
    [(r"\mathrm{tr}(A B) = \mathrm{tr}(B A)", "refuted"), ("A B = B A", "unproved")],
)
def test_what_always_holds_is_no_condition(behind: str, verdict: str) -> None:
    claim = r"\frac{\partial}{\partial A} \mathrm{tr}(A^{-1} B) = -2 A^{-1} B A^{-1}"
    text = f"Let $A$ be an invertible matrix.\n$$ {claim} $$\n$$ {behind} $$\n"
    assert check(text, corrections=False).rows[0].verdict == verdict


def test_a_letter_that_only_the_reader_gives_is_no_size_of_the_text():
    """The component p of ∂L/∂b is nowhere in the text, which has p columns in another part."""
    text = r"""# A layer

$$ z = W_1 x + b_1, \quad h = \max(0, z), \quad \hat y = W_2 h + b_2,
\quad L = \frac12 \|\hat y - y\|^2 $$

$$ \frac{\partial L}{\partial b_1} = W_2^\top (\hat y - y) $$

# Data

Let $X \in \mathbb{R}^{N \times p}$ and $\eta = X \beta$.
"""
    (row,) = (r for r in check(text, corrections=False) if "partial" in r.latex)
    assert row.verdict == "refuted"


SCORES = r"""Let $W \in \mathbb{R}^{d \times n}$ and $U \in \mathbb{R}^{d \times m}$.
$$ q = W x $$ $$ k = U y $$ $$ p_i = e^{s_i} / \sum_j e^{s_j} $$
"""


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (r"q^\top k = 100", "skipped"),  # of one q and one k
        (r"q^\top q + k^\top k = -50", "skipped"),
        (r"\sum_i p_i = 2", "refuted"),  # of every p
        (r"q^\top k = 2 y^\top U^\top W x", "refuted"),
    ],
)
def test_the_value_of_one_example_is_no_claim(claim: str, verdict: str) -> None:
    assert check(f"{SCORES}$$ {claim} $$").rows[-1].verdict == verdict


def test_the_values_of_several_examples_are_no_claims() -> None:
    text = f"{SCORES}$$ q^\\top k = 100 $$\n\n$$ q^\\top k = -50 $$\n"
    assert [r.verdict for r in check(text).rows[-2:]] == ["skipped", "skipped"]


KEYS = r"""A key is made of each word.
$$ k_j = W^\top x_j, \quad W \in \mathbb{R}^{d \times h}, \quad k_j \in \mathbb{R}^{h} $$
The query is made of some $x_q$.
$$ q = U^\top x_q, \quad U \in \mathbb{R}^{d \times h}, \quad q \in \mathbb{R}^{h} $$
$$ {} $$
"""


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (r"q^\top k_i = (U^\top x_q)^\top (W^\top x_i)", "proved"),
        (r"q = U^\top x_q", "proved"),
        (r"q = 2 U^\top x_q", "refuted"),
    ],
)
def test_a_letter_that_is_a_vector_is_a_label(claim: str, verdict: str) -> None:
    assert check(KEYS.replace("{}", claim)).rows[-1].verdict == verdict


@pytest.mark.parametrize(
    "formula",
    [
        r"\mathcal{D} = \{(x_n, y_n)\}_{n=1}^{N}",
        r"(n, d) \times (d, 1) = 1",
        r"\{\ldots, (x_{t-1}, h_{t-1}), (x_{t}, h_{t}), \ldots\}",
    ],
)
def test_sets_and_sizes_side_by_side_are_read(formula: str) -> None:
    assert check(f"$$ {formula} $$").rows[-1].kind == "notation"


GAIN = r"""
Let $S = H P H^\top + R$ be a covariance and $K = P H^\top S^{-1}$.

$$ SIDE $$
"""


@pytest.mark.parametrize(
    ("side", "verdict"),
    [
        (r"(I - K H) P = P - K S K^\top", "conditional"),
        (r"(I - K H) P = P + K S K^\top", "refuted"),
        (r"K S = P H^\top", "proved"),
        (r"(P R)^\top = R P", "skipped"),  # of inputs alone
    ],
)
def test_several_matrices_that_something_is_made_of_may_be_symmetric(side, verdict) -> None:
    row = check(GAIN.replace("SIDE", side), corrections=False).rows[-1]
    assert row.verdict == verdict
    if verdict == "conditional":
        assert row.reason == "true only if P and R are symmetric"


def test_a_derivative_made_of_what_its_function_is_not_is_of_another() -> None:
    text = r"""Let $z \in \mathbb{R}^n$, $p = \operatorname{softmax}(z)$ and
$L = -\sum_k y_k \log p_k$ with $\sum_k y_k = 1$. With label smoothing

$$ q_k = (1 - \epsilon) y_k + \epsilon/n $$

it becomes

$$ \nabla_z L = RIGHT $$
"""

    def last(right: str) -> str:
        return check(text.replace("RIGHT", right)).rows[-1].verdict

    assert last("p - q") not in ("refuted", "malformed")
    assert last("p - y") in ("proved", "conditional")
    assert last("p + y") == "refuted"


@pytest.mark.parametrize(
    ("more", "verdict"),
    [
        ("", "refuted"),
        # an n that stands elsewhere may be an index
        (r"$$ b = \frac1n \sum_{k=1}^n c_k $$", "unproved"),
        (r"$$ b = 2 a_n $$", "unproved"),
    ],
)
def test_a_letter_that_stands_nowhere_else_is_a_label(more: str, verdict: str) -> None:
    text = rf"{more} $$ \omega^2 - \omega_n^2 = (\omega - \omega_n) (\omega - 3 \omega_n) $$"
    assert check(text).rows[-1].verdict == verdict


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"If $a^2 = b^2$, then $x = b$ or $x = -b$.", ["definition", "definition"]),
        (r"The energy is $E = m c^2$, or $m = \frac{E}{c^2}$.", ["definition", "proved"]),
        (r"The energy is $E = m c^2$, or $m = \frac{2 E}{c^2}$.", ["definition", "refuted"]),
    ],
)
def test_one_of_two_things_is_refuted_by_none(text, expected):
    assert [r.verdict for r in check(text, corrections=False).rows] == expected
