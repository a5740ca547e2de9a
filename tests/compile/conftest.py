"""Systems that the tests of the compiler share; sizes are different in every pair."""

from __future__ import annotations

import os
from functools import partial
from types import SimpleNamespace

import jax
import numpy as np
import pytest
import sympy as sp

import symattn.syntax as sa


def seen(n, order):
    """Which j stand in that order to which i, as a matrix [i, j]."""
    at = np.arange(n)
    return {"≤": at <= at[:, None], "<": at < at[:, None], "≥": at >= at[:, None],
            ">": at > at[:, None]}[order]  # fmt: skip


@pytest.fixture
def double_precision():
    """Computes in float64 where a test does not say otherwise."""
    with jax.enable_x64(True):
        yield


@pytest.fixture
def usual_emitters(monkeypatch):
    """Programs are compiled as users have them where digits count: not by the quick emitters."""
    if "xla_cpu_use_fusion_emitters" in os.environ.get("XLA_FLAGS", ""):
        usual = partial(jax.jit, compiler_options={"xla_cpu_use_fusion_emitters": True})
        monkeypatch.setattr(jax, "jit", usual)


@pytest.fixture(scope="session")
def attention() -> SimpleNamespace:
    """Scaled dot-product attention with its tensors and definitions."""
    n_q, n_k, d_k, d_v = sa.sizes("n_q n_k d_k d_v")
    (i,), (j, l) = sa.indices("i", n_q), sa.indices("j l", n_k)
    (a,), (b,) = sa.indices("a", d_k), sa.indices("b", d_v)
    Q, K, V = sa.tensor("Q", n_q, d_k), sa.tensor("K", n_k, d_k), sa.tensor("V", n_k, d_v)
    S = sa.define("S", (i, j), Q[i, a] * K[j, a] / sp.sqrt(d_k))
    A = sa.define("A", (i, j), sp.exp(S[i, j]) / sa.total(sp.exp(S[i, l]), l))
    O = sa.define("O", (i, b), A[i, j] * V[j, b])
    return SimpleNamespace(
        system=sa.System(S, A, O),
        S=S,
        A=A,
        O=O,
        Q=Q,
        K=K,
        V=V,
        i=i,
        j=j,
        b=b,
        a=a,
        l=l,
        n_q=n_q,
        n_k=n_k,
        d_k=d_k,
        d_v=d_v,
    )


@pytest.fixture
def arrays() -> dict[str, np.ndarray]:
    """Q, K, V with n_q = 5, n_k = 7, d_k = 3, d_v = 4."""
    rng = np.random.default_rng(7)
    shapes = {"Q": (5, 3), "K": (7, 3), "V": (7, 4)}
    return {name: rng.normal(size=shape) for name, shape in shapes.items()}


@pytest.fixture
def upstream() -> np.ndarray:
    """A random upstream gradient of O."""
    return np.random.default_rng(8).normal(size=(5, 4))
