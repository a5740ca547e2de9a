"""Derivatives that symattn derives, as numbers, against differences of the hunter's own."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import symattn as sa

from . import slopes, windows
from .formulas import Case, Statement, renamed_case
from .grow import POINTS, Grower, odd_names, some_names
from .judge import Answer, asked, gap
from .shrink import shrunk
from .translate import Snippet, Sympy
from .trees import LooseLetter, Tree
from .values import NoValue, Numbers, Table, draws, entries

KINDS = ("backward", "backward", "jacobian", "hessian", "jvp")
TOLERANCE = 1e-6
SECOND = 3e-5  # of second derivatives, which are differences


@dataclass(frozen=True)
class Task:
    """What is asked to be derived of a case."""

    case: Case
    kind: str
    output: str
    wrt: tuple[str, ...]

    def call(self) -> str:
        wrt = ", ".join(f'"{w}"' for w in self.wrt)
        match self.kind:
            case "backward" | "jvp":
                return f'sa.{self.kind}(system, output="{self.output}", wrt=({wrt},))'
        return f'sa.{self.kind}(system, of="{self.output}", wrt={wrt})'

    def derived(self) -> Any:
        system = Sympy(self.case).system()
        if self.kind in ("backward", "jvp"):
            return getattr(sa, self.kind)(system, output=self.output, wrt=self.wrt)
        return getattr(sa, self.kind)(system, of=self.output, wrt=self.wrt[0])


def depends(case: Case, name: str) -> set[str]:
    """All names that a definition is made of."""
    from .formulas import names_in

    found: set[str] = set()
    todo = [name]
    while todo:
        d = case.definition(todo.pop())
        for other in names_in(d.body) if d else ():
            if other not in found:
                found.add(other)
                todo.append(other)
    return found


def task(rng: random.Random, second: bool = True, along: bool = False) -> Task | None:
    names = some_names(rng, rng.choice((2, 3, 4)))
    grower = Grower(rng, names, kinks=rng.random() < 0.35, affine=rng.random() < 0.5)
    if hasattr(sa, "inverse") and rng.random() < 0.15:
        own = [*some_names(rng, 2), rng.choice(("M", "C"))]
        grower = Grower(rng, own, kinks=False, affine=False, matrices=True)
    kind = rng.choice(KINDS if second else ("backward",))
    last = 0 if kind == "hessian" else rng.choice((0, 1, 1, 2))
    case = grower.system(rng.choice((1, 2, 2, 3, 3)), depth=rng.choice((1, 1, 2)), last=last)
    if along:
        _, case = windows.system(rng, rng.choice((1, 2, 3)), last)
    output = case.defs[-1].name
    case = replace(case, defs=case.defs)
    below = depends(case, output)
    inputs = sorted(n for n in below if n in case.inputs)
    others = sorted(n for n in below if n not in case.inputs)
    pool = inputs + (others if kind != "hessian" and rng.random() < 0.4 else [])
    if not pool:
        return None
    count = min(len(pool), rng.choice((1, 2))) if kind in ("backward", "jvp") else 1
    t = tidy(Task(case, kind, output, tuple(rng.sample(pool, count))))
    return with_odd_names(t, rng) if rng.random() < 0.25 else t


def with_odd_names(t: Task, rng: random.Random) -> Task:
    new = odd_names(t.case, rng)
    wrt = tuple(new.get(w, w) for w in t.wrt)
    return replace(t, case=renamed_case(t.case, new), output=new.get(t.output, t.output), wrt=wrt)


def tidy(t: Task) -> Task:
    """Only what the output needs."""
    from .formulas import Ref, at

    d = t.case.definition(t.output)
    assert d is not None
    return replace(t, case=t.case.used(Ref(t.output, tuple(map(at, d.letters)))))


def tables_at(t: Task, k: int, seed: int) -> tuple[Mapping[str, int], Numbers] | None:
    sizes = POINTS[k]
    rng = random.Random(f"{seed} {k} values")
    try:
        numbers = Numbers(t.case, sizes, draws(t.case, sizes, rng), ties=False)
        for d in t.case.defs:
            numbers.table(d.name)
    except NoValue:
        return None
    return sizes, numbers


def random_table(shape: tuple[int, ...], rng: random.Random) -> Table:
    return {e: rng.uniform(-1, 1) for e in entries(shape)}


def beside(case: Case, stem: str) -> str:
    """The name of an adjoint or a tangent, which is another one where a tensor has it."""
    taken = {*case.inputs, *(d.name for d in case.defs)}
    return next(n for n in (stem, *(f"{stem}{k}" for k in range(2, 9))) if n not in taken)


def label(expr: Any) -> str:
    """The name of a left-hand side."""
    base = getattr(expr, "base", expr)
    return str(getattr(base, "label", base))


def checks(t: Task, result: Any, k: int, seed: int) -> list[tuple[str, Any, Table]]:
    """(name, what the result says, what is right) at one point."""
    found = tables_at(t, k, seed)
    if found is None:
        return []
    sizes, numbers = found
    case, inputs = t.case, {n: numbers.tables[n] for n in t.case.inputs}
    rng = random.Random(f"{seed} {k} upstream")
    rows: list[tuple[str, Any, Table]] = []
    known: dict[str, Table] = dict(numbers.tables)
    match t.kind:
        case "backward":
            upstream = random_table(numbers.shape(t.output), rng)
            for name, d in result.adjoints.items():
                wanted = upstream
                if name != t.output:
                    wanted = slopes.gradient(case, sizes, inputs, t.output, name, upstream)
                known[label(d.lhs)] = wanted
                rows.append((name, d, wanted))
        case "jvp":
            along = {n: random_table(numbers.shape(n), rng) for n in t.wrt}
            for n, table in along.items():
                tensor = case.inputs.get(n)
                if tensor and tensor.symmetry:
                    sign = -1 if tensor.symmetry == "antisymmetric" else 1
                    along[n] = {e: (table[e] + sign * table[e[::-1]]) / 2 for e in table}
                known[beside(case, n + "_dot")] = along[n]
            for name, d in result.items():
                wanted = slopes.tangent(case, sizes, inputs, name, along)
                known[label(d.lhs)] = wanted
                rows.append((name, d, wanted))
        case "jacobian":
            rows.append(
                (t.wrt[0], result, slopes.jacobian(case, sizes, inputs, t.output, t.wrt[0]))
            )
        case "hessian":
            wanted = slopes.hessian(case, sizes, inputs, t.output, t.wrt[0], t.wrt[0])
            rows.append((t.wrt[0], result, wanted))
    tree = Tree(known, sizes, numbers.matrix)
    checked = []
    for name, d, wanted in rows:
        letters = [i.name for i in d.indices]
        lengths = [tree.integer(i.size)({}) for i in d.indices]
        got = tree.grid(d.expr, letters, lengths)
        checked.append((name, got, wanted))
    return checked


@dataclass(frozen=True)
class Derived:
    """What came of a task: what is wrong with it, if anything."""

    task: Task
    said: str  # right, wrong value, steps, error, crash, late, none
    detail: str = ""
    seconds: float = 0.0


def derive(t: Task, seed: int, quick: bool = False) -> Derived:
    """What came of a task; quick ones look at two points, and at the steps of one in four."""
    points = (1, 2) if quick else (0, 1, 2, 3)
    answer = asked(t.derived)
    early = failed(answer)
    gone = ("does not depend on", "there is no tensor")
    if early and any(x in early[1] for x in gone) and vanishes(t, seed):
        return Derived(t, "right", "", answer.seconds)
    if early:
        return Derived(t, *early, answer.seconds)
    seen, seconds = 0, answer.seconds
    for k in points:
        try:
            read = asked(lambda k=k: checks(t, answer.value, k, seed))
        except NoValue:
            continue
        if read.crash:
            if "NoValue" in read.crash:
                continue
            return Derived(t, "unreadable", read.crash, seconds)
        for name, got, wanted in read.value or ():
            seen += 1
            tolerance = SECOND if t.kind == "hessian" else TOLERANCE
            found = gap(got, wanted)
            if not found < tolerance * 10:
                detail = f"{name} off by {found:.1e} at {POINTS[k]}"
                return Derived(t, "wrong value", detail, seconds)
    if not seen:
        return Derived(t, "none", "", seconds)
    if quick and seed % 4:
        return Derived(t, "right", "", seconds)
    steps = asked(lambda: all(d.check_steps(seed).ok for d in derivations(t, answer.value)))
    seconds = max(seconds, steps.seconds)
    early = failed(steps)
    if early:
        return Derived(t, early[0], "check_steps: " + early[1], seconds)
    if not steps.value:
        return Derived(t, "steps", "check_steps is false", seconds)
    return Derived(t, "right", "", seconds)


def vanishes(t: Task, seed: int) -> bool:
    """Whether the output does not change with some of the names, which is an error of the input."""
    for k in (0, 1, 4):
        found = tables_at(t, k, seed)
        if found is None:
            continue
        sizes, numbers = found
        inputs = {n: numbers.tables[n] for n in t.case.inputs}
        slope = [slopes.jacobian(t.case, sizes, inputs, t.output, n).values() for n in t.wrt]
        return any(all(abs(v) < 1e-12 for v in values) for values in slope)
    return False


def failed(answer: Answer) -> tuple[str, str] | None:
    if answer.crash:
        return "crash", answer.crash
    if answer.error:
        return "error", answer.error
    return ("late", "") if answer.late else None


def derivations(t: Task, result: Any) -> list[Any]:
    if t.kind == "backward":
        return list(result.adjoints.values())
    return list(result.values()) if t.kind == "jvp" else [result]


def derived(seed: int, quick: bool = False, along: bool = False) -> Derived | None:
    rng = random.Random(f"derivative {seed}")
    for _ in range(8):
        t = task(rng, along=along)
        if t is None or sum(len(str(d)) for d in t.case.defs) > 9000:
            continue
        if tables_at(t, 0, seed) is None and tables_at(t, 1, seed) is None:
            continue
        found = derive(t, seed, quick)
        if found.said != "none":
            return found
    return None


def small(found: Derived, seed: int, judge: Callable[[Task, int], Derived] = derive) -> Derived:
    """The task made short, with the same fault."""
    from .formulas import ONE

    last = [found]
    start = found.task

    def still(s: Statement) -> bool:
        d = s.case.definition(start.output)
        if d is None:
            return False
        t = replace(start, case=s.case)
        below = depends(s.case, start.output)
        wrt = tuple(w for w in start.wrt if w in below)
        if not wrt:
            return False
        if tables_at(t, 0, seed) is None and tables_at(t, 1, seed) is None:
            return False
        new = judge(tidy(replace(t, wrt=wrt)), seed)
        if new.said != found.said:
            return False
        if found.said in ("crash", "error") and new.detail[:40] != found.detail[:40]:
            return False
        last[0] = new
        return True

    def kept(s: Statement) -> Statement:
        from .formulas import Ref, at

        d = s.case.definition(start.output)
        if d is None:
            raise KeyError(start.output)
        return replace(s, case=s.case.used(Ref(d.name, tuple(map(at, d.letters)))))

    shrunk(Statement(start.case, (), ONE, ONE), still, kept)
    return last[0]


def snippet(t: Task) -> str:
    return f"{Snippet(t.case).head()}\nresult = {t.call()}"


__all__ = ["Derived", "LooseLetter", "Task", "derived", "small", "snippet"]
