"""The package as it is imported: its names, what they cost, and what they cannot become."""

import inspect
import pickle
import subprocess
import sys
import tomllib
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

import pytest

import symattn as sa

SHARED = ["compile", "prove", "read", "verify"]  # functions that share their name with a submodule


def fresh(code: str) -> str:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code], check=True, text=True, capture_output=True
    ).stdout.strip()


def test_importing_brings_sympy_and_neither_jax_nor_the_engine():
    loaded = fresh("import sys, symattn; print(*sorted(sys.modules))").split()
    assert "sympy" in loaded and "symattn.syntax" in loaded
    assert not {"jax", "numpy", "lark", "rich", "opt_einsum", "symattn.derive"} & set(loaded)


def test_deriving_and_proving_do_not_import_jax():
    code = """
import sys, symattn as sa
(n,) = sa.sizes("n"); i, j = sa.indices("i j", n); x = sa.tensor("x", n)
s = sa.System(sa.define("y", (), sa.total(x[i]**2, i)))
sa.jacobian(s, of="y", wrt="x").latex()
assert sa.prove(sa.total(x[i], i), sa.total(x[j], j))
print("jax" in sys.modules)"""
    assert fresh(code) == "False"


@pytest.mark.parametrize("name", sa.__all__)
def test_every_public_name_is_there_and_says_what_it_is(name):
    assert inspect.getdoc(getattr(sa, name))
    assert name in dir(sa)


def test_the_public_names_are_sorted_and_each_has_a_home():
    assert sa.__all__ == sorted(sa.__all__)
    eager = {
        n
        for n in sa.__all__
        if n in vars(import_module("symattn.syntax")) or n in vars(import_module("symattn.errors"))
    }
    assert set(sa.__all__) == eager | set(sa._HOME)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'symattn' has no attribute 'derivative'"):
        sa.derivative  # noqa: B018


@pytest.mark.parametrize(
    "name, end",
    [
        ("sigmoid", "'sigmoid': it is symattn.primitives.sigmoid"),
        ("tensors", "'tensors'; did you mean tensor?"),
        ("grad", "'grad'; did you mean backward?"),  # as others call it, and no read
        ("register", "'register'"),  # of the same place, and no function of numbers
        ("quux", "'quux'"),
    ],
)
def test_an_unknown_name_says_where_it_is(name, end):
    with pytest.raises(AttributeError) as raised:
        getattr(sa, name)
    assert str(raised.value).endswith(end)


@pytest.mark.parametrize("name", SHARED)
def test_a_function_stays_one_after_its_submodule_is_imported(name):
    module = import_module(f"symattn.{name}")
    assert inspect.ismodule(module) and inspect.isfunction(getattr(sa, name))
    setattr(sa, name, module)  # what the import system does after the first import
    assert getattr(sa, name) is getattr(module, name)
    assert pickle.loads(pickle.dumps(getattr(sa, name))) is getattr(sa, name)


def test_a_function_is_one_when_its_submodule_is_imported_first():
    lines = "; ".join(f"import symattn.{name}" for name in SHARED)
    names = ", ".join(f"type(symattn.{name}).__name__" for name in SHARED)
    assert fresh(f"{lines}; print({names})") == " ".join(["function"] * len(SHARED))


def test_the_version_is_written_once(root):
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    assert "version" not in project and project["dynamic"] == ["version"]
    try:
        assert version("symattn") == sa.__version__
    except PackageNotFoundError:
        pytest.skip("symattn is not installed")
