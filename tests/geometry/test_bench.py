"""What the bench of geometry measures can be run, and says what it says."""

import pytest

from symattn import bench_geometry
from symattn.geometry import catalogue, rings


@pytest.mark.parametrize("flint", [True, False])
def test_a_measurement_prints_its_seconds(flint, capsys, monkeypatch):
    if flint:
        pytest.importorskip("flint")
    monkeypatch.setattr(rings, "HAS_FLINT", True)
    bench_geometry.ours("hyperbolic", flint)
    assert float(capsys.readouterr().out) >= 0
    assert rings.HAS_FLINT is flint


def test_the_peer_that_sympy_brings_is_measured(capsys):
    bench_geometry.peer("sympy.diffgeom", "hyperbolic")
    assert float(capsys.readouterr().out) > 0


def test_bounds_are_of_metrics_in_the_catalogue():
    named = {*bench_geometry.PARTS, *bench_geometry.SECONDS, *bench_geometry.COMPARED}
    assert named <= set(catalogue.CATALOGUE)


def test_rows_state_ratios_and_bounds(monkeypatch):
    """With everything at one second, what is too slow is seen as that."""
    monkeypatch.setattr(bench_geometry, "_fresh", lambda call, patience: 1.0)
    monkeypatch.setattr(bench_geometry, "_compiled", lambda: {"case": "compiled"})
    monkeypatch.setattr(bench_geometry, "find_spec", lambda name: name == "sympy")
    rows = {row["case"]: row for row in bench_geometry.bench_geometry()}
    assert rows["schwarzschild"]["against"] == "sympy.diffgeom"
    assert (rows["schwarzschild"]["ratio"], rows["schwarzschild"]["bound"]) == (1.0, 1 / 6)
    assert rows["goedel"]["ratio"] == 0.5 and rows["goedel"]["against"] == "2.0 s"
    assert rows["kerr_newman"]["ratio"] == pytest.approx(1 / 0.3)
    assert not any("no answer" in row for row in rows.values())


def test_a_peer_without_an_answer_is_named(monkeypatch):
    monkeypatch.setattr(
        bench_geometry, "_fresh", lambda call, patience: None if call.startswith("peer") else 0.1
    )
    monkeypatch.setattr(bench_geometry, "_compiled", lambda: {"case": "compiled"})
    monkeypatch.setattr(bench_geometry, "find_spec", lambda name: name == "sympy")
    rows = {row["case"]: row for row in bench_geometry.bench_geometry()}
    assert rows["kerr"]["no answer"] == "sympy.diffgeom"
    assert rows["kerr"]["ratio"] == pytest.approx(1 / 3)
