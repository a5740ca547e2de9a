r"""Worked examples: the numbers of a section are computed from its values."""

import pytest

from symattn.checker import check

HEAD = r"""For scores $s \in \mathbb{R}^n$ and $T > 0$ let

$$ p_i = \frac{e^{s_i / T}}{\sum_k e^{s_k / T}}, \qquad H = -\sum_i p_i \log p_i, \qquad
N = \sum_i p_i^2 . $$

"""
ATTENTION = r"""Let $Q \in \mathbb{R}^{n \times d}$, $K \in \mathbb{R}^{m \times d}$ and
$V \in \mathbb{R}^{m \times e}$, and

$$ S = \frac{Q K^\top}{\sqrt{d}}, \qquad A = \mathrm{softmax}(S), \qquad O = A V . $$

## By hand

"""


def numbers(text: str) -> list[tuple[str, str]]:
    """The verdicts on numbers, each with its correction."""
    found = (r for r in check(text) if r.kind == "number" and r.verdict != "definition")
    return [(r.verdict, r.correction) for r in found]


@pytest.mark.parametrize(
    "words, wanted",
    [
        ("Let $s = (2, 1, 0)$ and $T = 0.5$. Then $p = (0.867, 0.117, 0.016)$.", "proved"),
        ("Let $s = (2, 1, 0)$ and $T = 0.5$. Then $p = (0.117, 0.867, 0.016)$.", "refuted"),
        ("With $s = [2, 1, 0]$, $T = 2$ we get $H = 1.02$.", "proved"),
        ("With $s = [2, 1, 0]$, $T = 2$ we get $H = 1.20$.", "refuted"),
        ("$N = 0.39$ for $s = (2, 1, 0)$ and $T = 2$.", "proved"),
        ("$N = 0.93$ for $s = (2, 1, 0)$ and $T = 2$.", "refuted"),
        ("Take $T = 1$ and\n\n$$ s = (1, 1)^\\top . $$\n\nThen\n\n$$ N = 0.5 . $$", "proved"),
        ("Take $T = 1$ and\n\n$$ s = (1, 1)^\\top . $$\n\nThen\n\n$$ N = 0.4 . $$", "refuted"),
        (
            r"Let $s = \begin{pmatrix} 1 & 1 \end{pmatrix}^\top$ and $T = 3$, so $N = 0.5$.",
            "proved",
        ),
        ("Let $s = (0.5, 0)$ and $T = 1$. Then $N = 0.526$.", "refuted"),  # 0.5 is exact
        ("At $T = 1$, $s = (0.69, 0)$ gives $N = 0.5549$.", "unproved"),  # 0.69 is rounded
    ],
)
def test_numbers_of_values_in_sentences(words: str, wanted: str) -> None:
    found = numbers(HEAD + words)
    if wanted == "unproved":  # nothing is said of a number in a sentence that is not decided
        assert found == []
    else:
        assert [v for v, _ in found] == [wanted]


@pytest.mark.parametrize(
    "words",
    [
        "Let $s = (2, 1, 0)$ and $T = 2$. The largest value is at most $H = 1.2$.",
        "Let $s = (2, 1, 0)$ and $T = 2$. The entropy is $H = 1.47$ bits.",
        "Let $s = (2, 1, 0)$ and $T = 2$. After one step $H = 0.9$.",
        "Let $s = (2, 1, 0)$ and $T = 2$. A sign error gives $N = 0.9$.",
        "Let $s = (2, 1, 0)$. We get $N = 0.9$.",  # at which temperature?
        "## One\n\nLet $s = (2, 1, 0)$ and $T = 2$.\n\n## Two\n\nHere $N = 0.9$.",
        "Let $T = 2$. We get $H = 0.9$ and $N = 0.9$.",
        "Let $s = (2, 1, 0)$ and $T = 2$. Then $H = 1.02$, in another unit that is $H = 1.47$.",
        "Let $s = (2, 1, 0)$ and $T = 2$. The hardware we bought last year has $H = 0.9$.",
    ],
)
def test_numbers_of_other_values_are_no_alarm(words: str) -> None:
    assert not check(HEAD + words).of("refuted", "malformed")


SETTINGS = r"""With kernel $k$, stride $s$ and padding $p = k - 1$ the size is
$o = (i + 2 p - k) / s + 1$.

## Figures

The figure shows unit strides (i.e., $i = 4$, $k = 3$, $s = 1$ and $p = 0$), which gives $o = 2$.
"""


def test_numbers_in_a_list_of_settings_are_values() -> None:
    assert [v for v, _ in numbers(SETTINGS)] == ["proved"]
    assert [v for v, _ in numbers(SETTINGS.replace("o = 2", "o = 6"))] == ["refuted"]


def test_what_letters_say_at_a_value_is_proved_with_it_alone() -> None:
    text = HEAD + "## Cold\n\n%s Then\n\n$$ H = \\log \\sum_k e^{s_k} - p_i s_i . $$"
    chosen = check(text % "Let $T = 1$.").rows[-1]
    assert chosen.verdict == "proved" and any("T = 1" in a for a in chosen.assumed)
    assert check(text % "Let $T = 2$.").rows[-1].verdict == "definition"  # of what is cold
    assert check(text % "Some take $T = 1$.").rows[-1].verdict not in ("proved", "refuted")


def test_the_same_numbers_elsewhere_prove_nothing() -> None:
    one = "## One\n\nTake $s = (2, 0)$ and $T = 1$. Then\n\n$$ N = 0.5 . $$\n\n"
    assert [v for v, _ in numbers(HEAD + one + one.replace("One", "Two"))] == ["refuted"] * 2
    one = "## One\n\n$$ N = 0.5 . $$\n\n"
    assert "proved" not in {r.verdict for r in check(HEAD + one + one.replace("One", "Two"))}


def test_attention_by_hand() -> None:
    text = (
        ATTENTION
        + r"""
$$
Q = \begin{bmatrix} 1 & 0 \\ 0 & 1 \end{bmatrix}, \quad
K = \begin{bmatrix} 1 & 1 \\ 0 & 1 \\ 1 & 0 \end{bmatrix}, \quad
V = \begin{bmatrix} 1 \\ 2 \\ 3 \end{bmatrix}
$$

$$ S = \begin{bmatrix} 0.707 & 0 & 0.707 \\ 0.707 & 0.707 & 0 \end{bmatrix} $$

$$ A = \begin{bmatrix} 0.401 & 0.198 & 0.401 \\ 0.401 & 0.401 & 0.198 \end{bmatrix}, \qquad
O = \begin{bmatrix} 2.000 \\ 1.797 \end{bmatrix} . $$
"""
    )
    assert numbers(text) == [("proved", "")] * 3
    verdicts = numbers(text.replace("1.797", "1.979").replace("0.707 & 0 ", "0.770 & 0 "))
    assert [v for v, _ in verdicts] == ["refuted", "proved", "refuted"]
    assert verdicts[2][1] == r"\begin{bmatrix} 2.000 \\ 1.797 \end{bmatrix}"


def test_lists_are_rows_of_matrices() -> None:
    text = (
        ATTENTION
        + "With $Q = [[1, 0]]$ and $K = [[1, 1], [0, 1]]$ the scores are $S = [[0.707, 0]]$."
    )
    assert [v for v, _ in numbers(text)] == ["proved"]
    assert [v for v, _ in numbers(text.replace("0.707, 0]]", "0, 0.707]]"))] == ["refuted"]


def test_a_matrix_in_a_sentence_does_not_hide_what_follows() -> None:
    text = r"""Let $A = \begin{pmatrix} 2 & 1 \\ 1 & 3 \end{pmatrix}$ and $v = (1, -1)^\top$.
The form $q = v^\top A v$ is $q = 3$, its gradient

$$ \frac{\partial q}{\partial v} = 2 A v = (2, -4)^\top . $$
"""
    report = check(text)
    assert [r.verdict for r in report] == ["definition"] * 3 + ["proved"] * 3
    assert report.rows[0].latex == r"A = \begin{pmatrix} 2 & 1 \\ 1 & 3 \end{pmatrix}"
    assert [r.verdict for r in check(text.replace("-4", "4"))][-1] == "refuted"


@pytest.mark.parametrize("said", ["0.01", "0.2", ".05"])
def test_pi_is_a_name_where_a_text_gives_it_another_number(said: str) -> None:
    text = f"The prior is $\\pi = {said}$.\n\n$$ q = 1 - \\pi $$\n\nSo $q = {1 - float(said)}$."
    assert [v for v, _ in numbers(text)] == ["proved"]
    constant = check("$$ a = 2 \\pi $$\n\nThen $\\pi = 3.14$ gives $a = 6.28$.")
    assert not constant.of("refuted", "malformed")


def test_a_correction_has_the_digits_that_it_needs() -> None:
    text = r"""The rate is $\eta = \eta_0 / \sqrt{t}$ in

$$ x = \eta y . $$

With $\eta_0 = 0.1$ and $t = 4$ it is $\eta = 0.5$."""
    assert numbers(text) == [("refuted", "0.05")]


def test_a_square_gives_a_number_to_what_is_positive_alone() -> None:
    text = "Let $h = \\tanh t$.\n\n$$ h^2 = 4 $$\n\n$$ h^2 - 2 h = 0 $$\n\n$$ h^2 + 3 h = 10 $$\n"
    assert "proved" not in [r.verdict for r in check(text)]
    text = "Let $x > 0$ and $x^2 = 4$, and let $y = x + t$. For $t = 1$ we get $y = 3$."
    assert not check(text).of("refuted")


THRUST = "Let $v = (1 - a) w$ and $C = 4 v (w - v) / w^2$.\n\n$$ C = 4 a (1 - a) $$\n\n"


@pytest.mark.parametrize(
    "words, wanted",
    [
        ("At $a = 1/3$ it is $C = 8/9$.", ["proved"]),
        ("At $a = 1/3$ it is $C = 7/9$.", ["refuted"]),
        (r"At $a = \frac13$ one has $C = \frac{7}{9}$.", ["refuted"]),
        ("At $a = 1/3$ the largest value is $C = 1$.", []),
        ("A second machine has $C = 3 a$. At $a = 1/3$ it is $C = 1$.", []),
    ],
)
def test_a_fraction_at_a_place_is_computed_where_all_equations_for_it_agree(words, wanted) -> None:
    assert [v for v, _ in numbers(THRUST + words)] == wanted


@pytest.mark.parametrize(
    "words, wanted",
    [
        (r"It grows at $2 \log 3 \approx 2.197$.", ["proved"]),
        (r"It grows at $2 \log 3 \approx 2.917$.", ["refuted"]),
        (r"It grows at $2 \log b = 2.917$.", []),
    ],
)
def test_between_numbers_at_is_no_place(words: str, wanted: list[str]) -> None:
    assert [v for v, _ in numbers(words)] == wanted


@pytest.mark.parametrize(
    ("claim", "verdicts"),
    [
        (r"z = \frac{3}{2} \approx 1.7", ["proved", "refuted"]),
        (r"z = \frac{3}{2} = 1.7", ["proved", "refuted"]),
        (r"z = \frac{3}{2} = 1.5", ["proved", "proved"]),
        (r"z = \frac{5}{2} = 2.5", ["refuted", "proved"]),
    ],
)
def test_each_link_of_a_chain_at_values_has_a_verdict_of_its_own(claim, verdicts):
    text = f"Let $z = x/2$. For $x = 3$ we get ${claim}$."
    assert [r.verdict for r in check(text, corrections=False).rows][1:] == verdicts


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (r"So $E \approx 3.31 \cdot 10^{-19}$.", "proved"),
        (r"So $E \approx 3.41 \cdot 10^{-19}$.", "refuted"),
        (r"So $E \approx 3.31 \times 10^{-18}$.", "refuted"),
        (r"So $E = h f = 3.313 \cdot 10^{-19}$.", "proved"),
        (r"So $\frac{E}{f} = 6.63 \cdot 10^{-34}$.", "proved"),
        (r"Here $0.00079236 = 7.92 \cdot 10^{-4}$.", "proved"),
        (r"Here $0.00079236 = 7.93 \cdot 10^{-4}$.", "refuted"),
        (r"Here $\sqrt{2} \cdot 10^{3} = 1.41 \cdot 10^3$.", "proved"),
        (r"Here $\sqrt{2} \cdot 10^{-30} = 1.43 \cdot 10^{-30}$.", "refuted"),
    ],
)
def test_powers_of_ten_are_compared_in_their_own_digits(text, verdict):
    given = r"The energy is $E = h f$ with $h = 6.626 \cdot 10^{-34}$ and $f = 5 \cdot 10^{14}$. "
    assert check(given + text, corrections=False).rows[-1].verdict == verdict


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("If $R = 5$ then $p = 0.80$.", ["proved"]),
        ("If $R = 5$, then $p = 0.75$.", ["refuted"]),
        ("If $R = 5$ fails, $p = 0.75$.", []),
        ("If instead $R = 5$, then $p = 0.75$.", []),
        ("If all goes well, then for $R = 5$ we get $p = 0.75$.", []),
    ],
)
def test_an_if_that_puts_a_value_is_no_condition(words: str, found: list[str]) -> None:
    rows = check(rf"The threshold is $p = 1 - \frac{{1}}{{R}}$. {words}").rows
    assert [r.verdict for r in rows if r.kind == "number"] == found


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [(r"T_B = \frac{a}{R b}", "refuted"), (r"T_B = \frac{a}{Rb}", "refuted"), ("T_k = 3", "")],
)
def test_at_the_temperature_is_what_it_is_made_of(formula: str, verdict: str) -> None:
    text = rf"""It is $B(T) = b - \frac{{a}}{{R T}}$, which vanishes at the Boyle temperature
${formula}$. With
$T_c = \frac{{8 a}}{{27 R b}}$ we have $$ \frac{{T_B}}{{T_c}} = \frac{{27}}{{4}} $$"""
    assert (check(text).rows[-1].verdict == "refuted") == bool(verdict)
