"""`compile`: formulas to a function of keyword arrays."""

from __future__ import annotations

import linecache
import weakref
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp

from ..called import Named, called
from ..derive import Derivation
from ..errors import ShapeError, UnsupportedError
from ..ir import refs, slot_items
from ..syntax import System
from .cost import Cost
from .depth import deeply
from .leading import Axes
from .passes import walk
from .program import Program, program
from .request import Request, request
from .shapes import as_named, check_array, check_names, shown, spelled, unify

PATHS = ("dense", "flash", "ring", "auto")


class _Described:
    """What help() shows: of a function its shapes and formulas, written when asked for."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __get__(self, function: CompiledFunction | None, owner: type) -> str:
        return self.text if function is None else function._described()


class CompiledFunction:
    """A function of keyword arrays: f(Q=q, K=k, V=v).

    `source` is the module text it was made from, `inputs` the symbolic shape of every array,
    `cost` the work as formulas in the sizes.  It goes through jax.jit, vmap, grad, jvp and vjp.
    The upstream gradient of a number is 1 where it is left out, and arrays of the system, tangents
    and upstream gradients that the result does not depend on may be given too.
    Raises ShapeError for arrays that do not fit, before JAX is reached.
    """

    __doc__ = _Described(__doc__)

    def __init_subclass__(cls) -> None:
        cls.__doc__ = _Described(vars(cls).get("__doc__") or "")  # type: ignore[assignment]

    def __init__(self, prog: Program, mesh: Any = None) -> None:
        self._program, self._mesh = prog, mesh
        self.inputs: dict[str, tuple[sp.Expr, ...]] = dict(prog.shapes)
        self.inputs.update({str(s): () for s in prog.free_sizes})
        self.name = prog.module.function
        spare = prog.request.spare.items()  # what the result does not depend on
        self._spare = {n: shape for n, shape in spare if n not in self.inputs}
        self._units = dict.fromkeys((n for n in self.inputs if n in prog.request.units), 1.0)
        self._fitting: set[Any] = set()  # names, shapes and dtypes that went in as they were
        self.__name__ = self.name

    @property
    def source(self) -> str:
        """The text of a module that needs JAX (or NumPy) and nothing else."""
        return self._program.module.text

    @cached_property
    def passes(self) -> str:
        """What every pass of the compiler did, a line or two for each."""
        return walk(self._program)

    @cached_property
    def cost(self) -> Cost:
        """FLOPs, bytes and the largest intermediate, as formulas in the sizes."""
        return self._program.cost()

    @property
    def shared(self) -> frozenset[sp.Expr]:
        """The sizes that blocks of rows, or the devices of a ring, share."""
        prog = self._program
        if prog.ring is not None:
            return prog.ring.sizes
        return frozenset() if prog.cut is None else frozenset((prog.cut.size,))

    @cached_property
    def _places(self) -> list[tuple[str, int, int, Any]]:
        """The positions that the formulas name, x[5], with the axis and how long it is."""
        entries = (*self._program.request.entries.values(), *self._program.request.leaves())
        found = {
            (r.tensor.name, axis, int(place), size)
            for entry in entries
            for r in refs(entry.poly)
            for axis, (slot, size) in enumerate(zip(r.slots, r.tensor.shape, strict=True))
            if not (items := slot_items(slot))[0] and sp.sympify(place := items[1]).is_Integer
        }
        return sorted(found, key=str)

    @cached_property
    def _run(self) -> Callable[..., Any]:
        function = load(self._program.module.code, self.name)
        if self._program.target != "jax":
            return function
        import jax

        fixed = [self._program.module.parameters[str(s)] for s in self._program.free_sizes]
        if self._program.ring is not None:
            function = on_mesh(self._program, function, self._mesh)
        jitted: Callable[..., Any] = jax.jit(function, static_argnames=fixed, inline=True)
        return jitted

    def __call__(self, /, *args: Any, **arrays: Any) -> Any:
        if self._units:
            arrays = {**self._units, **arrays}
        if not args and self._fitting and _looks(arrays) in self._fitting:
            return self._run(**arrays)
        if args:
            raise ShapeError(
                f"{self.name} takes its arrays by name",
                expected=", ".join(f"{spelled(n)}=…" for n in self.inputs),
                got=f"{len(args)} by position",
                mend="write the names, or use lambdify for positional arguments",
            )
        return self._checked(arrays)

    def _checked(self, arrays: Mapping[str, Any]) -> Any:
        prog = self._program
        arrays = as_named(arrays, self.inputs)
        if self._spare:
            arrays = self._needed(arrays)
        check_names(arrays, self.inputs)
        ready = {n: check_array(n, arrays[n], shape) for n, shape in prog.shapes.items()}
        given = {s: _whole(s, arrays[str(s)]) for s in prog.free_sizes}
        shapes = [x.shape if hasattr(x, "shape") else () for x in ready.values()]
        known = all(isinstance(n, int) for shape in shapes for n in shape)  # none of jax.export
        if known:
            sizes = unify(ready, prog.shapes, given)
            for name, axis, place, size in self._places:
                length = sp.sympify(size).subs(sizes)
                if length.is_Integer:  # else nothing that is computed has that axis
                    _check_place(name, axis, place, int(length))
            if prog.ring is not None:
                _check_shares(prog, sizes, self._mesh.shape[prog.axis])
        parameters = prog.module.parameters
        values = {parameters[n]: value for n, value in ready.items()}
        values |= {parameters[str(s)]: size for s, size in given.items()}
        result = self._run(**values)
        same = values.keys() == arrays.keys() and all(values[n] is x for n, x in arrays.items())
        if known and same and (looks := _looks(arrays)) is not None:
            self._fitting.add(looks)
        return result

    def _needed(self, arrays: Mapping[str, Any]) -> dict[str, Any]:
        """The arrays that the result depends on, and the sizes that it needs of the others."""
        left = {n: x for n, x in arrays.items() if n not in self._spare}
        for name in arrays.keys() & self._spare.keys():
            shape = self._spare[name]
            lengths = np.shape(arrays[name])[-len(shape) :]
            for size, length in zip(shape, lengths, strict=False):
                if size in self._program.free_sizes:
                    left.setdefault(str(size), length)
        return left

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in vars(self).items() if k != "_run"}  # loaded again from its source

    def _described(self) -> str:
        """The signature, the shape of every array, and the formulas."""
        one = dict.fromkeys(self._units, "  1 where it is left out")
        arrays = [f"    {spelled(n)}  {shown(s)}{one.get(n, '')}" for n, s in self.inputs.items()]
        formulas = [f"    {f}" for f in self._program.request.shown()]
        head = f"{self.name}(*, {', '.join(spelled(n) + '=1' * (n in one) for n in self.inputs)})"
        return "\n".join([head, "", *arrays, "", *formulas])

    def __repr__(self) -> str:
        one = dict.fromkeys(self._units, "=1")
        takes = (f"{spelled(n)}{list(s) or one.get(n, '')}" for n, s in self.inputs.items())
        return f"CompiledFunction({self.name}: {', '.join(takes)})"


def _looks(arrays: Mapping[str, Any]) -> Any:
    """What decides whether arrays fit: names, shapes, dtypes; None where something has none."""
    try:
        looks = [float if type(x) is float else (x.shape, x.dtype) for x in arrays.values()]
    except AttributeError:
        return None
    return (*arrays, *looks)


def on_mesh(prog: Program, function: Callable[..., Any], mesh: Any) -> Callable[..., Any]:
    """The function of one device on all of a mesh: arrays are shared along rows and keys."""
    import jax

    ring, axis = prog.ring, prog.axis
    assert ring is not None

    def spec(shape: tuple[sp.Expr, ...], shared: int | None) -> Any:
        names = (axis if k == shared else None for k in range(len(shape)))
        return jax.sharding.PartitionSpec(*names)  # type: ignore[no-untyped-call]

    nodes = {prog.module.parameters[t.name]: n for t, n in prog.planner.inputs.items()}
    takes = {}
    for name, shape in prog.shapes.items():
        parameter = prog.module.parameters[name]
        takes[parameter] = spec(shape, ring.axis(nodes[parameter]) if parameter in nodes else None)
    gives = jax.tree.map(lambda n: spec(n.shape, ring.axis(n)), prog.tree)

    def everywhere(**given: Any) -> Any:
        arrays = {n: x for n, x in given.items() if n in takes}
        sizes = {n: size for n, size in given.items() if n not in takes}
        # Outside of `jax.set_mesh` results are plain arrays, that go with those of one device.
        plain = jax.sharding.get_abstract_mesh().empty
        own = jax.sharding.Mesh(mesh.devices, mesh.axis_names) if plain else mesh
        specs = ({name: takes[name] for name in arrays},)
        arrays = {
            name: jax.device_put(x, jax.NamedSharding(own, takes[name]))
            for name, x in arrays.items()
        }
        part: Callable[..., Any] = jax.shard_map(
            lambda x: function(**x, **sizes),
            mesh=own,
            in_specs=specs,
            out_specs=gives,
            check_vma=False,
        )
        return part(arrays)

    return everywhere


def _check_shares(prog: Program, sizes: Mapping[sp.Symbol, int], devices: int) -> None:
    """Raises ShapeError where devices would have different numbers of rows or keys."""
    assert prog.ring is not None
    for size in prog.ring.sizes:
        length = int(size.subs(sizes))
        if length % devices:
            raise ShapeError(
                f"{devices} devices cannot share {size} = {length} alike",
                expected=f"a multiple of {devices}",
                got=str(length),
                mend="pad the arrays and mask what was added, or take fewer devices",
            )


def _check_place(name: str, axis: int, place: int, length: int) -> None:
    """Raises ShapeError for x[5] of three: JAX would take the last one."""
    if not -length <= place < length:
        raise ShapeError(
            f"{name} has {length} positions along axis {axis}, and the formula has number {place}",
            expected=f"at least {place + 1 if place >= 0 else -place}",
            got=str(length),
            mend="give a longer array, or change the position in the formula",
        )


def _whole(symbol: sp.Symbol, value: Any) -> int:
    """A size that was given; ShapeError for anything but a positive whole number."""
    if not isinstance(value, int) or value < 1:
        raise ShapeError(
            f"{symbol} is a size",
            expected="a positive whole number",
            got=repr(value),
            mend=f"write {symbol}=3, say",
        )
    return value


def load(source: str, name: str) -> Callable[..., Any]:
    """The function of that name in a module text."""
    filename = f"<symattn {name} {hash(source) & 0xFFFFFFFF:x}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    namespace: dict[str, Any] = {"__name__": filename}
    exec(compile_text(source, filename, "exec"), namespace)  # identifiers and templates only
    function: Callable[..., Any] = namespace[name]
    weakref.finalize(function, linecache.cache.pop, filename, None)
    return function


compile_text = compile  # the built-in, before this module's own `compile`
_cache: dict[Any, CompiledFunction] = {}  # what was compiled, the latest use last
KEPT = 256  # of them, with their plans and programs


def compile(
    what: Any,
    *,
    output: Named | None = None,
    path: str = "dense",
    given: System | None = None,
    batch: Axes = (),
    target: str = "jax",
    mesh: Any = None,
) -> Any:
    """The function that computes a system's output, a definition, a derivation or gradients.

    what    a System with `output`, a Definition on top of `given`, a Derivation, the Gradients of
            `backward` (the result is {name: array}), or a list or dict of these; the function of a
            Jacobian has `structured`, which keeps its δ factors apart
    path    "dense", and large arrays in blocks of rows where that is faster; "flash", every large
            array in short blocks of rows, with memory linear in their number; "ring", rows and keys
            shared by the devices of `mesh` along its first axis; "auto" is "dense"
    batch   names of leading axes that every array with an index carries; scalars do not.  Or for
            every axis the names of the arrays that carry it: {"b": ("X",), "h": ("W_Q", "W_K")}
    target  "jax" or "numpy"

    Raises UnsupportedError for what cannot be compiled, DefinitionError for unknown names.
    """
    if path not in PATHS:
        raise UnsupportedError(
            f"there is no path {path!r}",
            expected=" or ".join(PATHS),
            mend='use path="dense"',
        )
    if target not in ("jax", "numpy"):
        raise UnsupportedError(f"there is no target {target!r}", expected="jax or numpy")
    if (path == "ring") is (mesh is None):
        raise UnsupportedError(
            'path="ring" goes with a mesh of devices, and a mesh with no other path',
            got=f"path={path!r}, mesh={mesh!r}",
            mend='write mesh=jax.make_mesh((8,), ("ring",)), say',
        )
    flash = path in ("flash", "ring")
    if flash and target != "jax":
        raise UnsupportedError(
            f'path="{path}" is for JAX', got=f"target={target!r}", mend='use path="dense"'
        )
    name = f"the {type(what).__name__}"
    output = None if output is None else called(output)
    req = deeply(name, lambda: request(what, output, given))
    kept = isinstance(what, Derivation) and bool(what.component.tensor.parts)
    return deeply(name, lambda: _made(req, kept, batch, target, flash, mesh), len(req.entries))


def _made(
    req: Request, kept: bool, batch: Axes, target: str, flash: bool, mesh: Any
) -> CompiledFunction:
    """The function, planned and written, or the one that was made before; with `kept`, that of a
    Jacobian that keeps its δ factors apart."""
    key = (
        _frozen(req.results),
        frozenset(req.entries.values()),
        req.formulas,
        _frozen(batch) if isinstance(batch, Mapping) else tuple(batch),
        target,
        flash,
        mesh,
    )
    found = _cache.pop(key, None)
    if found is None:
        axis = mesh.axis_names[0] if mesh is not None else ""
        made = program(req, batch, target, flash=flash, axis=axis)
        if kept:
            from .structured import JacobianFunction

            found = JacobianFunction(made)
        else:
            found = CompiledFunction(made, mesh)
        if len(_cache) >= KEPT:
            del _cache[next(iter(_cache))]
    _cache[key] = found
    return found


def _frozen(tree: Any) -> Any:
    if isinstance(tree, Mapping):
        return tuple((k, _frozen(v)) for k, v in tree.items())
    return tuple(tree) if isinstance(tree, list | tuple) else tree
