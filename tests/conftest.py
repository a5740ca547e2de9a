"""What several tests use: the command in this process, and a folder of derivations."""

from __future__ import annotations

import ctypes
import gc
import inspect
import os
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from symattn import ir, quick
from symattn.checker import documents
from symattn.cli import main

ROOT = Path(__file__).parent.parent

quick.settle()

# Tests are about verdicts; how long one takes on this machine is for `symattn bench` to say.
for asked in (documents.check, documents.check_text):
    inspect.unwrap(asked).__kwdefaults__["timeout"] = 60.0

LONG = (  # what runs with `pytest -m ""` alone
    "compile/test_rows.py::test_transformations",
    "compile/test_path.py::test_memory_is_linear[causal attention]",
    "compile/test_bench.py::test_structures_that_are_compared_are_equal",
    "compile/test_bench.py::test_rows_of_one_length",
    "compile/test_bench.py::test_functions_get_the_arrays_that_they_take",
    "checker/test_determinism.py::test_two_hash_seeds_one_report",
    "test_neighbours.py::test_neighbours_of_what_a_text_proves_are_refuted[docs/notation.md]",
    "read/test_wholes.py::test_reading_is_the_same_in_every_process",
)
SHORT = 3  # a table of so many rows runs whole
FOURTH = 4  # and of a longer one every fourth row; CI runs the others as well
HEAVY = (  # and what takes longest
    "test_mutation.py",
    "test_neighbours.py",
    "checker/test_papers.py",
    "read/test_tree.py",
    "checker/test_hash_order.py",
    "checker/test_workers.py",
    "checker/test_documents.py",
    "read/test_errors.py",
    "compile/test_ring.py",
    "hunt/test_hunt.py",
)
# Of the cases of these tests every so-manieth runs by default; `pytest -m ""` runs all of them.
SAMPLED = {
    "test_no_wrong_answer": 2,  # `symattn bench hunt` asks all of them and more
    "test_slips_are_corrected_in_the_notation_of_the_text": 2,
    "test_equations_between_differentials": 2,
    "test_a_letter_that_dangles_beside_a_known_left_side": 2,
    "test_a_derivation_holds_and_is_compared_to_the_second_derivative": 2,
    "test_recursions_of_numbers": 2,
    "test_derivative_against_differences_over_the_domain": 2,
    "test_every_derivation_is_read_back": 2,
    "test_gradients_through_what_is_left": 2,
    "test_what_differs_for_all_values_of_a_kind_refutes": 2,
    "test_every_score_and_every_order": 6,
    "test_a_flipped_derivative_is_noticed": 24,
    "test_a_law_that_is_switched_off_is_missed": 24,
    "test_lines": 2,
    "test_right_gradients_are_proved": 3,
    "test_the_proofs_of_a_derivation_pass": 8,
    "test_hostile_input_is_an_error_within_a_second": 15,
    "test_what_a_derivation_claims_is_proved": 10,  # `symattn build --check` does all
    "test_blocks_of_rows": 5,
    "test_accumulation": 5,
    "test_the_cheaper_plan": 5,
    "test_a_name_is_only_a_name": 8,
    "test_offsets": 4,
    "test_values_and_derivatives": 4,
    "test_values": 3,
    "test_numpy_jax_and_mpmath_agree": 3,
    "test_leading_axes": 3,
    "test_gradients_through_weights": 3,
    "test_half_precision_up_to_its_range": 3,
    "test_error_in_float32": 2,
    "test_lines_are_the_derivatives": 3,
    "test_bands": 2,
    "test_verify_sees_digits_that_are_lost": 2,
    "test_network_hessian": 2,
    "test_digits_that_arrays_have_in_common_are_not_lost": 2,
    "test_values_and_gradients": 2,
    "test_gradients_of_a_normalisation": 3,
    "test_cases_far_from_each_other": 2,
    "test_second_derivatives_go_through_slices": 2,
    "test_neighbours_of_an_identity_are_refuted": 4,
    "test_neighbours_of_claims_are_refuted": 16,
    "test_neighbours_of_what_a_text_proves_are_refuted": 12,
    "test_what_is_not_marked_as_wrong_is_no_alarm": 8,
    "test_every_verdict_and_correction": 6,
    "test_data_may_be_held_while_a_model_of_them_is_derived": 3,
    "test_a_slip_in_it_is_not_proved": 3,
    "test_a_slip_in_a_block_is_not_proved": 3,
    "test_small_letters_may_be_rows": 2,
    "test_a_text_and_a_near_miss": 2,
    "test_every_identity_has_a_certificate_that_passes": 2,  # as `symattn verify --certificates`
}


def pytest_configure(config: pytest.Config) -> None:
    """The workers take over the flags of this process, and one that runs tests itself asks another
    one: it starts JAX with them or not at all."""
    if hasattr(config, "workerinput") or config.option.collectonly:
        return
    if config.getoption("numprocesses", None):
        quick.settle(quick.flags())
    else:
        asked = [sys.executable, "-c", "from symattn import quick; print(quick.flags())"]
        quick.settle(subprocess.run(asked, capture_output=True, text=True).stdout.strip())


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks as `long` the cases that the sample leaves out, counted test by test.

    Of what is left, the further rows of a long table are `more`, and so is what takes longest.
    """
    seen: Counter[str] = Counter()
    tables: dict[str, list[pytest.Item]] = {}
    for item in items:
        name, _, case = item.nodeid.partition("[")
        every = SAMPLED.get(name.rpartition("::")[2], 1)
        if (case and seen[name] % every) or item.nodeid.endswith(LONG):
            item.add_marker(pytest.mark.long)
        elif case:
            tables.setdefault(name, []).append(item)
        if name.partition("::")[0].endswith(HEAVY) and not item.get_closest_marker("long"):
            item.add_marker(pytest.mark.more)
        seen[name] += 1
    for table in tables.values():
        for k, item in enumerate(table):
            if len(table) > SHORT and k % FOURTH:
                item.add_marker(pytest.mark.more)


SMALL = '''r"""The gradient of a square

Of the sum of the squares of a vector $x$.
"""

import symattn as sa

source = "any first course"

(n,) = sa.sizes("n")
i, j = sa.indices("i j", n)
x = sa.tensor("x", n)
y = sa.define("y", (), sa.total(x[i] * x[i], i))
system = sa.System(y)

results = {"Gradient": sa.jacobian(system, of="y", wrt="x")}
claims = [("Twice the square", 2 * y, sa.total(2 * x[j] ** 2, j))]
'''


@pytest.fixture
def symattn(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Runs a command: its exit code, what it printed, and what it said on stderr."""

    def run(*args: str) -> tuple[int, str, str]:
        capsys.readouterr()
        try:
            code = main(args)
        except SystemExit as stop:  # argparse ends --help and usage errors this way
            code = stop.code if isinstance(stop.code, int) else 1
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of derivations with one file, small.py, in place of the real one."""
    folder = tmp_path / "derivations"
    folder.mkdir()
    (folder / "small.py").write_text(SMALL, "utf-8")
    monkeypatch.setattr("symattn.gallery.folder", lambda: folder)
    monkeypatch.chdir(tmp_path)  # `symattn build` keeps its records where it runs
    return folder


MUCH = 1_500_000_000  # bytes of one process; what is freed sooner is compiled again


def _resident() -> int:
    """The memory that the process holds, in bytes; its peak where the system does not say."""
    pages = Path("/proc/self/statm")
    if pages.exists():
        return int(pages.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


_bound = MUCH


@pytest.fixture(autouse=True, scope="module")
def compiled_programs() -> Iterator[None]:
    """A module compiles hundreds of programs that no other one runs: they go when they are many.

    So do the large memos of the engine, of which every later collection would look at each entry.
    What is held all the same is no reason to do it again.
    """
    global _bound
    yield
    jax, compiler = sys.modules.get("jax"), sys.modules.get("symattn.compile.function")
    if jax is None or compiler is None or _resident() < _bound:
        return
    compiler._cache.clear()
    jax.clear_caches()
    for memo in _memos():
        memo.cache_clear()
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # what is freed stays with the process
    if trim is not None:
        trim(0)
    _bound = max(MUCH, _resident() + MUCH // 3)


def _memos() -> list[Any]:
    """The memos that keep as much as the engine lets one keep."""
    engine = [vars(m) for n, m in sys.modules.copy().items() if n.startswith("symattn.")]
    found = [x for names in engine for x in names.values() if hasattr(x, "cache_parameters")]
    return [x for x in found if x.cache_parameters()["maxsize"] == ir.CACHE]


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT
