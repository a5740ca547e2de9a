"""What each command does; each gives its exit code."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Mapping
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import gallery
from ..derive import Gradients, backward, jacobian
from ..errors import UnsupportedError
from ..explain.notation import as_written
from ..ir import refs
from ..model import is_number, model
from . import SHORT, WELL, show
from .build import build_ as build_
from .build import verify_ as verify_
from .check import bench_check, bench_clothes
from .check import check_ as check_
from .outcomes import console

if TYPE_CHECKING:
    from ..gallery import Entry, Result

WIDE = 600  # characters of a row of a table in a file: formulas are not broken


def _json(data: Any) -> None:
    print(json.dumps(data, indent=2, ensure_ascii=False))


def list_(options: Namespace) -> int:
    """The names and titles of all derivations."""
    titles = {name: gallery.title(name) for name in gallery.names()}
    if options.format == "json":
        _json([{"name": n, "title": t} for n, t in titles.items()])
    else:
        width = max(map(len, titles), default=0)
        for name, title in titles.items():
            print(f"{name:<{width}}  {title}")
    return WELL


# --------------------------------------------------------------------------- derive and compile


def _chosen(entry: Entry, options: Namespace) -> Mapping[str, Result]:
    """What the file derives, or what --of, --output and --wrt ask for."""
    wrt = [name for group in options.wrt for name in group.split(",") if name]
    if options.of and (len(wrt) != 1 or options.output):
        raise UnsupportedError(
            "a Jacobian is of one tensor with respect to one",
            mend=f"write --of {options.of} --wrt X",
        )
    if options.of:
        derivative = jacobian(entry.system, of=options.of, wrt=wrt[0])
        return {f"∂{options.of}/∂{wrt[0]}": derivative}
    if wrt:
        output = options.output or _output(entry)
        gradients = backward(entry.system, output=output, wrt=wrt)
        return {f"Gradients from {output}": gradients}
    if not entry.results and options.command == "derive" and entry.path.suffix != ".py":
        return _of_document(entry)
    if not entry.results:
        raise UnsupportedError(
            f"{entry.name} says nothing of what to derive",
            expected="one of " + ", ".join([*entry.system.definitions, *entry.system.inputs]),
            mend="write --wrt X for gradients, or --of Y --wrt X for a Jacobian"
            + (", or --output Y alone for the value of Y" if options.command == "compile" else ""),
        )
    return entry.results


def _of_document(entry: Entry) -> Mapping[str, Result]:
    """What a document asks for (symattn: derive L wrt x), or the gradients of what it ends in."""
    m = model(entry.system)
    asked: dict[str, tuple[str, ...]] = dict(getattr(entry.system, "wanted", {}))
    said = "by"
    places = as_written(entry.system).mentions
    if not asked:
        said = "which the document ends in, by its inputs"
        within = {r.tensor for b in m.bodies.values() for r in refs(b.raw)}  # e^s/Σ e^s too
        for tensor in [t for t in m.outputs if t not in within] or m.outputs:
            used = m.uses(tensor.name)
            inputs = [n for n, t in m.inputs.items() if n in used and not is_number(t)]
            if inputs:
                inputs.sort(key=lambda n: places.get(n, (inf,)))  # as the author mentions them
                asked[tensor.name] = tuple(inputs)
    if not asked:
        raise UnsupportedError(
            f"{entry.name} defines nothing that depends on an input",
            mend="write --of Y --wrt X, or <!-- symattn: derive Y wrt X --> in the document",
        )
    found: dict[str, Result] = {}
    for of, wrt in asked.items():
        if of in m.bodies and not m.bodies[of].indices:
            kind = "Gradient"
            parts = {name: jacobian(entry.system, of=of, wrt=name) for name in wrt}
        else:
            kind = "Gradients"
            adjoints = backward(entry.system, output=of, wrt=wrt).adjoints
            parts = {d.name: d for d in adjoints.values() if d.recorded}
        head = f"{kind} of {of}, {said} {', '.join(wrt)}"  # said once
        for name, derivation in parts.items():
            found[f"{head}: {name}"] = derivation
            head = f"{kind} of {of}"
    return found


def _output(entry: Entry) -> str:
    """The output of the file's own backward pass, or its last definition."""
    own = [r.output for r in entry.results.values() if isinstance(r, Gradients)]
    return own[0] if own else list(entry.system.definitions)[-1]


def derive_(options: Namespace) -> int:
    """Derivations with their steps."""
    if options.metric:
        return _derive_metric(options)
    entry = gallery.load(options.name)
    if options.output and not options.wrt:
        raise UnsupportedError(
            "--output says where gradients start from",
            mend=f"write --output {options.output} --wrt X",
        )
    found = gallery.derivations(_chosen(entry, options))
    match options.format:
        case "json":
            _json(show.as_data(found))
        case "latex":
            print(show.as_latex(found))
        case "markdown":
            print(show.as_markdown(entry, found))
        case _:
            print(show.as_text(entry, found))
    return WELL


def _derive_metric(options: Namespace) -> int:
    """The Christoffel symbols of the line element in a file, component by component."""
    from ..geometry.derivation import ChristoffelDerivation
    from ..geometry.files import read_metric

    if options.name != "christoffel" or options.wrt or options.of or options.output:
        raise UnsupportedError(
            "--metric says of which metric the Christoffel symbols are",
            mend=f"write symattn derive christoffel --metric {options.metric}",
        )
    derivation = ChristoffelDerivation(read_metric(options.metric))
    match options.format:
        case "json":
            _json(derivation.as_data())
        case "latex":
            print(derivation.latex())
        case "markdown":
            print(derivation.markdown(f"Christoffel symbols of {Path(options.metric).name}"))
        case _:
            print(derivation)
    return WELL


def compile_(options: Namespace) -> int:
    """The source of a module that needs JAX (or NumPy) and nothing else."""
    from ..compile import compile

    entry = gallery.load(options.name)
    if options.output and not options.wrt:
        function = compile(
            entry.system, output=options.output, path=options.path, target=options.target
        )
    elif options.path != "dense":
        raise UnsupportedError(
            f"the path {options.path} computes an output",
            mend=f"write --output Y --path {options.path}",
        )
    else:
        results = _chosen(entry, options)
        only = next(iter(results.values())) if len(results) == 1 else dict(results)
        function = compile(only, target=options.target)
    if options.passes:
        print(function.passes)
        return WELL
    if not options.file:
        print(function.source, end="")
        return WELL
    Path(options.file).write_text(function.source, "utf-8")
    print(f"{options.file}: {function!r}")
    return WELL


# ----------------------------------------------------------------------------------------- bench


def _hunt(options: Namespace) -> list[dict[str, Any]]:
    from ..bench_hunt import bench_hunt

    return bench_hunt(options.count or 300, options.seed, options.kind, options.processes)


def bench_(options: Namespace) -> int:
    """Tables of measurements."""
    from .. import bench
    from ..bench_users.record import LEVELS

    of_files = {"check": bench_check, "clothes": bench_clothes}
    if options.tables and options.tables[0] in of_files:
        return of_files[options.tables[0]](options)
    names = options.tables or list(bench.TABLES)
    unknown = [name for name in names if name not in (*bench.TABLES, "hunt")]
    for name in unknown:
        bench.table(name)  # says which there are, before anything is measured
    found = {}
    for name in names:
        if name == "hunt":
            found[name] = _hunt(options)
        elif name == "users":
            found[name] = bench.table(name, names=options.name, levels=options.size or LEVELS)
        elif name == "scores":
            found[name] = bench.table(name, names=options.name)
        else:
            found[name] = bench.table(name)
        if options.format == "text":
            if name != "hunt":
                print(f"{name}: {bench.caption(name)}\n")
            console(width=WIDE).print(bench.render(found[name]), "")
    if options.format == "json":
        _json(found)
    short = any(bench.fell_short(row) for rows in found.values() for row in rows)
    return SHORT if short else WELL
