r"""Reasons name what the author wrote: W_{l+1}, not the name a moved array carries inside."""

from __future__ import annotations

import pytest

from symattn.checker.wording import worded


@pytest.mark.parametrize(
    ("inside", "told"),
    [
        ("∂W_l_next/∂x is not known", "∂W_{l+1}/∂x is not known"),
        ("h_t_before is tied by an equation", "h_{t-1} is tied by an equation"),
        ("product_300 is tied by n = 3", "it rests on n = 3"),
        ("d_model and n_next stay", "d_model and n_next stay"),
        ("h_t_before_x stays", "h_t_before_x stays"),
    ],
)
def test_worded(inside: str, told: str) -> None:
    assert worded(inside) == told
