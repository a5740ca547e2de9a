"""Names lie where the text says: no counterexample from elsewhere, and proofs for all of there."""

import pytest

import symattn as sa


def last(words, claim):
    return sa.check(f"{words}\n\n$$ {claim} $$\n", corrections=False, timeout=None).rows[-1]


@pytest.mark.parametrize(
    "words, right, wrong",
    [
        (r"Let $p\in(0,1)$.", r"|1 - p| = 1 - p", r"|1 - p| = p - 1"),
        (r"Here $p$ is a probability.", r"|1 - p| = 1 - p", r"|1 - p| = 1 + p"),
        (r"Let $|x| < 1$.", r"\sqrt{(1 - x^2)^2} = 1 - x^2", r"\sqrt{(1 - x^2)^2} = x^2 - 1"),
        (r"We have $x \ge 1$.", r"|x - 1| = x - 1", r"|x - 1| = x + 1"),
        (r"We have $-2 < x < -1$.", r"|x + 1| = -x - 1", r"|x + 1| = x + 1"),
        (r"Let $0 < \lambda \le 1$.", r"\max(\lambda, 1) = 1", r"\max(\lambda, 1) = \lambda"),
        (r"Let $0 < \beta_t < 1$ and $\alpha_t = 1 - \beta_t$.",
         r"|\alpha_t| = \alpha_t", r"|\alpha_t| = -\alpha_t"),
        (r"Let $\alpha_t = 1 - \beta_t$ with $\alpha_t > 0$.",
         r"|\alpha_t| = \alpha_t", r"|\alpha_t| = -\alpha_t"),
        (r"For $x < 1$ we have one case. For $x > 1$ we have", r"|x - 1| = x - 1",
         r"|x - 1| = 1 - x"),
        (r"We have $x > 1$.", r"y \max(1, x) = y x", r"y \max(2, x) = y x"),
        (r"We have $x_i > 1$.", r"y_i \max(1, x_i) = y_i x_i", r"y_i \max(2, x_i) = y_i x_i"),
        (r"$$ 0 < x < 1 $$", r"|x - 1| = 1 - x", r"|x - 1| = x - 1"),
        (r"where $x < y < z$", r"|x - z| = z - x", r"|x - z| = z + x"),
    ],
)  # fmt: skip
def test_a_range_counts_in_proofs_and_in_refutations(words, right, wrong):
    assert last(words, right).verdict == "proved"
    assert last(words, wrong).verdict == "refuted"


@pytest.mark.parametrize(
    "words, right, wrong",
    [
        (r"Let $0 < \eta < 2/L$.", r"|2 - \eta L| = 2 - \eta L", r"|2 - \eta L| = 2 + \eta L"),
        (r"with $a + b < 1$", r"|1 - a - b| = 1 - a - b", r"|1 - a - b| = a - b"),
        (r"with $4 a c < b^2$", r"\sqrt{(b^2 - 4 a c)^2} = b^2 - 4 a c",
         r"\sqrt{(b^2 - 4 a c)^2} = b^2 + 4 a c"),
        (r"Let $0 < \theta < \pi/2$.", r"|\cos\theta| = \cos\theta", r"|\cos\theta| = \sin\theta"),
        (r"Let $0 < p < 1$ and $h(p) = |1 - p|$.", "h'(p) = -1", "h'(p) = 1"),
    ],
)  # fmt: skip
def test_what_holds_in_an_order_is_not_refuted(words, right, wrong):
    assert last(words, right).verdict == "unproved"
    assert last(words, wrong).verdict == "refuted"


def test_a_range_is_named_and_a_case_ends_with_its_paragraph():
    row = last(r"Let $0 < x < 1$.", r"|x - 1| = 1 - x")
    assert row.used == ("0 < x < 1",)
    apart = "For $0 < x < 1$ it is short.\n\n# Other\n\n" + "Text.\n\n" * 4
    assert last(apart, r"|x - 1| = 1 - x").verdict == "unproved"
    assert last("", r"|x - 1| = 1 - x").verdict != "proved"


def test_logarithms_of_products_of_what_is_said_to_be_positive():
    words = r"Let $\alpha_t = 1 - \beta_t$ with BETA, and $a_t = \prod_{s=1}^{t} \alpha_s$."
    claim = r"\log a_t = \sum_{s=1}^t \log\alpha_s"
    assert last(words.replace("BETA", r"$0 < \beta_t < 1$"), claim).verdict == "proved"
    assert last(words.replace("BETA", r"$0 < \beta_t < 2$"), claim).verdict != "proved"
    slip = r"\log a_t = \sum_{s=1}^t \log\beta_s"
    assert last(words.replace("BETA", r"$0 < \beta_t < 1$"), slip).verdict == "refuted"


@pytest.mark.parametrize(
    "words",
    ["Nothing requires $x < 1$.", "We do not assume $0 < x < 1$.", "Here $x < 1$ may fail."],
)
def test_a_range_that_is_denied_proves_nothing(words):
    assert last(words, r"|x - 1| = 1 - x").verdict != "proved"


def test_a_component_by_itself_is_no_free_number():
    row = last(r"Let $p_i \ge 0$ with $\sum_i p_i = 1$.", r"|1 - p_i| = 1 - p_i")
    assert row.reason == "p_i may be a component of p"


@pytest.mark.parametrize(
    "words, right, wrong",
    [
        (r"Let $|\beta| < 1$ and $\gamma = 1/\sqrt{1 - \beta^2}$.",
         r"\sqrt{\frac{1 + \beta}{1 - \beta}} = \gamma (1 + \beta)",
         r"\sqrt{\frac{1 + \beta}{1 - \beta}} = \gamma (1 - \beta)"),
        (r"Let $0 < \theta < 1$ and $I(\theta) = \frac{1}{\theta (1 - \theta)}$.",
         r"\frac{1}{\sqrt{I(\theta)}} = \sqrt\theta \sqrt{1 - \theta}",
         r"\sqrt{I(\theta)} = \sqrt\theta \sqrt{1 - \theta}"),
        (r"Let $0 < e < 1$, $a > 0$ and $b = a \sqrt{1 - e^2}$.",
         r"\frac{b}{a} \sqrt{\frac{1 - e}{1 + e}} = 1 - e",
         r"\frac{b}{a} \sqrt{\frac{1 - e}{1 + e}} = e - 1"),
        (r"Let $\rho \in (-1, 1)$.",
         r"\frac12 \log\frac{1 + \rho}{1 - \rho} = \log\frac{1 + \rho}{\sqrt{1 - \rho^2}}",
         r"\frac12 \log\frac{1 + \rho}{1 - \rho} = \log\frac{1 - \rho}{\sqrt{1 - \rho^2}}"),
        (r"Let $0 < \theta < 1$.",
         r"\sqrt{\frac{(1 - 2\theta)^2}{1 - \theta}} = \frac{|1 - 2\theta|}{\sqrt{1 - \theta}}",
         r"\sqrt{\frac{(1 - 2\theta)^2}{1 - \theta}} = \frac{1 - 2\theta}{\sqrt{1 - \theta}}"),
        (r"Let $0 < \theta_i < 1$.", r"\sqrt{\frac{\theta_i^2}{1 - \theta_i}} = "
         r"\frac{\theta_i}{\sqrt{1 - \theta_i}}", r"\sqrt{\frac{\theta_i^2}{1 - \theta_i}} = "
         r"\frac{1 - \theta_i}{\sqrt{1 - \theta_i}}"),
        (r"Let $p = \sigma(x)$ with $\sigma(x) = 1/(1 + e^{-x})$.",
         r"\sqrt{\frac{p^3}{1 - p}} = p e^{x/2}", r"\sqrt{\frac{p^3}{1 - p}} = p e^{-x/2}"),
    ],
)  # fmt: skip
def test_roots_and_logarithms_of_quotients_come_apart_where_signs_are_known(words, right, wrong):
    assert last(words, right).verdict == "proved"
    assert last(words, wrong).verdict in ("refuted", "unproved")


@pytest.mark.parametrize("words", ["", r"Let $\beta > 0$.", r"Let $\beta < 1$."])
def test_a_root_stays_whole_where_the_signs_of_its_parts_may_differ(words):
    claim = r"\sqrt{\frac{\beta^2}{1 - \beta}} = \frac{\beta}{\sqrt{1 - \beta}}"
    assert last(words, claim).verdict != "proved"


def test_a_case_counts_for_what_is_defined_in_its_sentence():
    words = r"For $|\beta| < 1$ let $\gamma = 1/\sqrt{1 - \beta^2}$." + "\n\n" + "Text.\n\n" * 6
    assert last(words, r"\sqrt{(1 - \beta)^2} = 1 - \beta").verdict != "proved"
    apart = words.replace(" let ", " it is short. Let ")
    claim = r"\gamma \sqrt{(1 - \beta)^2} = \gamma (1 - \beta)"
    assert last(words, claim).verdict == "proved"
    assert last(apart, claim).verdict != "proved"


SOFTMAX = r"Let $A_i = \frac{e^{S_i}}{\sum_j e^{S_j}}$."


@pytest.mark.parametrize(
    "words, claim",
    [
        (SOFTMAX + "\n\n$$ A_i \\ge 1 $$", r"|A_i - 1| = A_i - 1"),
        (SOFTMAX + r" It follows that $A_i \ge 2$.", r"|A_i - 2| = A_i - 2"),
        (r"Let $g = \sigma(x)$ with the logistic function. Hence $g > 2$.", r"|g - 2| = g - 2"),
        (r"Let $q = x^2 + 1$." + "\n\n$$ q < 0 $$", r"\sqrt{q^2} = -q"),
        (r"Let $q = x^2 + 1$. We conclude $q < 0$.", r"|q| = -q"),
    ],
)  # fmt: skip
def test_nothing_follows_from_a_range_in_which_nothing_lies(words, claim):
    assert last(words, claim).verdict != "proved"


def test_an_inequality_that_is_wrong_hides_nothing():
    words = SOFTMAX + "\n\n$$ A_i \\ge 1 $$"
    assert last(words, r"\sum_i A_i = 2").verdict == "refuted"
    assert last(words, r"\sum_i A_i = 1").verdict == "proved"


def test_masks_are_no_orders():
    words = SOFTMAX + r" Let $m_i = \sum_{k < i} A_k$ and $c_i = \sum_k [k \le i] A_k$."
    assert last(words, r"c_i = m_i - A_i").verdict == "refuted"
    assert last(words, r"c_i = m_i + A_i").verdict == "proved"
