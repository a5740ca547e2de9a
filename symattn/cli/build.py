"""`symattn build` and `verify`: every derivation examined, several at a time, and its page written.

What was found is kept in a folder beside, under a key of all it depends on: the file, the sources
of symattn, and the versions of what these use.  What has its key there is not examined again.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from .. import gallery, quick
from ..errors import SymattnError, UnsupportedError
from . import SHORT, WELL
from .outcomes import Record, console, print_outcome, public, record, summary, watched
from .pages import MADE, index, notation

CACHE = ".symattn_cache"
PAGES = "docs/derivations"
USED = ("jax", "jaxlib", "lark", "numpy", "opt_einsum", "sympy")  # what results depend on


def build_(options: Namespace) -> int:
    """The pages of all derivations, or of those named, and a table of what was checked."""
    paths = gallery.paths()
    for name in options.names:
        if name not in paths:
            gallery.load(name)  # says which there are
            raise UnsupportedError(
                f"{name} is a file, and only derivations have pages",
                mend=f"symattn derive {name} --format markdown",
            )
    paths = {n: p for n, p in paths.items() if n in options.names or not options.names}
    records = examined(paths, options.jobs, None if options.fresh else Path(CACHE))
    folder = Path(options.folder)
    pages = {folder / f"{r['name']}.md": r["page"] for r in records if "page" in r}
    if not options.names:  # what speaks of all of them
        pages[folder / "index.md"] = index(records)
        beside = folder.parent if options.folder == PAGES else folder
        pages[beside / "notation.md"] = notation(records, os.path.relpath(folder, beside))
    written: dict[Path, str | bytes] = dict(pages)
    if options.plots:
        from .plots import drawn

        for name in (r["name"] for r in records if r.get("plots")):
            entry = gallery.load(str(paths[name]))
            written |= {folder / "plots" / n: svg for n, svg in drawn(entry).items()}
    stale = [p for p, text in written.items() if not _is(p, text)]
    known = gallery.paths()
    dead = [p for p in folder.glob("*.md") if p not in written and p.stem not in known]
    dead = [] if options.names else dead
    if not options.check:
        for path in stale:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(_bytes(written[path]))
        for path in dead:
            if path.read_text("utf-8").startswith(MADE):  # a page of a derivation that is no more
                path.unlink()
    differ = sorted(str(p) for p in (*stale, *dead))
    if options.format == "json":
        names = sorted(str(p) for p in written)
        _json({"pages": names, "differ": differ, "checked": [public(r) for r in records]})
    else:
        summary(records)
        if not options.check:
            print(f"{len(written)} pages in {folder}, {len(differ)} of them changed")
        elif differ:
            print(f"pages differ from what `symattn build` writes: {', '.join(differ)}")
        else:
            print(f"the {len(written)} pages in {folder} are up to date")
    return WELL if all(r["ok"] for r in records) and not (options.check and differ) else SHORT


def verify_(options: Namespace) -> int:
    """Every step, claim and number of the derivations named, or of all."""
    if options.certificates:
        return _certificates(options)
    if options.path:
        return _along(options)
    entries = [gallery.load(name) for name in options.names or gallery.names()]
    records = list(watched((record(e, options.seed) for e in entries), len(entries)))
    if options.format == "json":
        _json([public(r) for r in records])
    else:
        for found in records:
            print_outcome(found)
        summary(records)
    return WELL if all(r["ok"] for r in records) else SHORT


def _certificates(options: Namespace) -> int:
    """The log of every proof, checked by the second opinion."""
    from .certificates import printed, rows

    found = []
    for row in rows(options.names):
        found.append(row)
        for line in row.failures:
            print(f"{row.name}: {line}", file=sys.stderr)
    if options.format == "json":
        _json([row.data() for row in found])
    else:
        console().print(printed(found))
    return SHORT if any(row.failures for row in found) else WELL


def _along(options: Namespace) -> int:
    """Values and derivatives along a path of the compiler, beside the dense ones."""
    from .paths import failures, printed, records

    count = len(options.names or gallery.names())
    found = list(watched(records(options.names, options.path, options.seed), count))
    if options.format == "json":
        _json([public(r) for r in found])
    else:
        console().print(printed(found))
        for r in found:
            for line in failures(r):
                print(f"{r['name']}: {line}", file=sys.stderr)
    return WELL if all(r["ok"] for r in found) else SHORT


def _json(data: Any) -> None:
    print(json.dumps(data, indent=2, ensure_ascii=False))


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


def _is(path: Path, text: str | bytes) -> bool:
    return path.is_file() and path.read_bytes() == _bytes(text)


# --------------------------------------------------------------------------------------- examining


def examined(paths: Mapping[str, Path], jobs: int, cache: Path | None) -> list[Record]:
    """A record for every derivation in order: from the cache where nothing changed, or made now."""
    engine = _engine()
    keys = {n: _digest(engine.encode(), p.read_bytes()) for n, p in paths.items()}
    kept = {n: _kept(cache, n) for n in paths}
    found = {n: k["record"] for n, k in kept.items() if k.get("key") == keys[n]}
    todo = [n for n in paths if n not in found]
    # the longest first, as far as an older record tells
    todo.sort(key=lambda n: -kept[n].get("record", {}).get("seconds", 0.0))
    for new in watched(_made({n: paths[n] for n in todo}, jobs), len(todo)):
        found[new["name"]] = new
        if cache is not None and "page" in new:
            cache.mkdir(parents=True, exist_ok=True)
            (cache / ".gitignore").write_text("*\n", "utf-8")
            text = json.dumps({"key": keys[new["name"]], "record": new})
            (cache / f"{new['name']}.json").write_text(text, "utf-8")
    return [found[n] | {"group": gallery.group(p)} for n, p in paths.items()]


def _kept(cache: Path | None, name: str) -> dict[str, Any]:
    try:
        kept = json.loads((cache / f"{name}.json").read_text("utf-8")) if cache else {}
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}


def _digest(*parts: bytes) -> str:
    return hashlib.sha256(b"\0".join(hashlib.sha256(p).digest() for p in parts)).hexdigest()


def _engine() -> str:
    """A digest of all sources of symattn, and of the versions of what they use."""
    package = Path(gallery.__file__).parent
    files = sorted(p for p in package.rglob("*.py") if "_derivations" not in p.parts)
    versions = " ".join(f"{name} {version(name)}" for name in USED)
    return _digest(
        f"{platform.python_version()} {platform.machine()} {versions}".encode(),
        *(part for p in files for part in (str(p.relative_to(package)).encode(), p.read_bytes())),
    )


def _made(paths: Mapping[str, Path], jobs: int) -> Iterator[Record]:
    """Records as they come, in this process or in several others."""
    jobs = min(jobs or os.cpu_count() or 1, len(paths))
    if jobs < 2:
        yield from (_record(str(path)) for path in paths.values())
        return
    # a fresh process each: JAX does not live through a fork
    with ProcessPoolExecutor(jobs, get_context("spawn"), quick.settle, (quick.flags(),)) as pool:
        running = [pool.submit(_record, str(path)) for path in paths.values()]
        try:
            for future in as_completed(running):
                yield future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _record(path: str) -> Record:
    """The record of the derivation in a file."""
    try:
        return record(gallery.load(path))
    except SymattnError as error:
        return {"name": Path(path).stem, "title": "", "ok": False, "error": str(error)}
