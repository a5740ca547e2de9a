"""Packages of the tests that measurements use: they are in a checkout, in no installed package."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from .errors import UnsupportedError

TESTS = Path(__file__).parent.parent / "tests"


def from_tests(package: str, module: str) -> Any:
    """The module of a folder of tests, under a name that collides with nothing.

    Raises UnsupportedError where the tests are not beside the package.
    """
    folder = TESTS / package
    if not (folder / f"{module}.py").is_file():
        raise UnsupportedError(
            f"tests/{package} is not here: it is part of the tests, not of the installed package",
            mend="run this in a checkout of symattn",
        )
    name = f"symattn_{package}"
    if name not in sys.modules:
        sys.modules[name] = _package(name, folder)
    return import_module(f"{name}.{module}")


def _package(name: str, folder: Path) -> ModuleType:
    found = ModuleType(name)
    found.__path__ = [str(folder)]
    start = folder / "__init__.py"
    if start.is_file():
        spec = spec_from_file_location(name, start, submodule_search_locations=[str(folder)])
        assert spec is not None and spec.loader is not None
        found = sys.modules[name] = module_from_spec(spec)
        spec.loader.exec_module(found)
    return found
