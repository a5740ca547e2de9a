"""The rows of a document are the same in whatever order sets are gone through."""

import os
import subprocess
import sys

TEXT = r"""The state is $h_t = \tanh(W h_{t-1} + U x_t + b)$, the output $o_t = V h_t + c$ with
$\hat y_t = \mathrm{softmax}(o_t)$, and the loss $L = \sum_t L_t$ with
$L_t = -\sum_i y_{t,i} \log \hat y_{t,i}$. Then

$$ \frac{\partial L}{\partial h_t} = V^\top (\hat y_t - y_t)
 + W^\top \mathrm{diag}(1 - h_{t+1}^2) \frac{\partial L}{\partial h_{t+1}} $$

$$ \frac{\partial L}{\partial W} = \sum_t \mathrm{diag}(1 - h_t^2)
 \frac{\partial L}{\partial h_t} h_{t-1}^\top $$
"""
PROGRAM = (
    "import sys, symattn as sa\n"
    "rows = sa.check(sys.stdin.read(), corrections=False, timeout=None).rows\n"
    "print([(r.line, r.verdict, r.reason) for r in rows])"
)


def rows(seed: int) -> str:
    env = {**os.environ, "PYTHONHASHSEED": str(seed)}
    command = [sys.executable, "-c", PROGRAM]
    return subprocess.run(
        command, input=TEXT, env=env, capture_output=True, text=True, check=True
    ).stdout


def test_rows_do_not_hang_on_hashes() -> None:
    first = rows(0)
    assert "proved" in first
    assert [rows(seed) for seed in (3, 5)] == [first, first]
