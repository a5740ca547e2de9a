r"""π(a) is a policy or a distribution, and the π of \sqrt{2π} beside it 3.14…."""

import pytest

import symattn as sa

NORMAL = r"""The policy is
$$ \pi(u) = \frac{1}{\sqrt{2\pi\sigma^2}} \exp\left(-\frac{(u-m)^2}{2\sigma^2}\right) $$
and
$$ {} $$
"""
SOFT = r"""Over $K$ actions the policy is
$$ \pi_k = \frac{e^{h_k}}{\sum_{j=1}^K e^{h_j}} $$
the angle goes on as $\varphi = 2\pi r$, and
$$ {} $$
"""


@pytest.mark.parametrize(
    ("text", "claim", "found"),
    [
        (NORMAL, r"\frac{\partial \log\pi(u)}{\partial m} = \frac{u-m}{\sigma^2}", "proved"),
        (NORMAL, r"\frac{\partial \log\pi(u)}{\partial m} = \frac{u-m}{\sigma}", "refuted"),
        (
            NORMAL,
            r"\log\pi(u) = -\frac{(u-m)^2}{2\sigma^2} - \frac12\log(2\pi\sigma^2)",
            "proved",
        ),
        (NORMAL, r"\log\pi(u) = -\frac{(u-m)^2}{2\sigma^2} - \log(2\pi\sigma^2)", "refuted"),
        (NORMAL, r"\frac{\partial \pi(u)}{\partial u} = 2 \pi(u) \frac{m-u}{2\sigma^2}", "proved"),
        (NORMAL, r"\frac{\partial \pi(u)}{\partial u} = 2 \pi(u) \frac{m-u}{\sigma^2}", "refuted"),
        (SOFT, r"\cos\varphi = \cos(2\pi r)", "proved"),
        (SOFT, r"\frac{\partial\varphi}{\partial r} = 2\pi", "proved"),
        (SOFT, r"\frac{\partial \pi_k}{\partial h_k} = \pi_k (1 - \pi_k)", "proved"),
        (SOFT, r"\frac{\partial \pi_k}{\partial h_k} = 2\pi_k (1 - \pi_k)", "refuted"),
    ],
)
def test_the_number_beside_the_policy(text: str, claim: str, found: str) -> None:
    assert sa.check(text.replace("{}", claim), corrections=False).rows[-1].verdict == found
