"""Certificates that nobody has proved, by hand."""

from symattn.second_opinion import check

N = ["ref", "n", []]


def by_hand(lhs, rhs, *steps, free=(), tensors=None, definitions=None, facts=()):
    """A certificate that nobody has proved."""
    declared = {
        name: {"shape": shape, "sign": "", "symmetry": "", "role": "input", "of": []}
        for name, shape in (tensors or {}).items()
    }
    for name in definitions or ():
        declared[name]["role"] = "definition"
    return {
        "format": "symattn certificate 4",
        "claim": {"lhs": lhs, "rhs": rhs, "free": list(free)},
        "sizes": ["m", "n"],
        "tensors": declared,
        "definitions": definitions or {},
        "facts": list(facts),
        "steps": [{"side": [], **step} for step in steps],
    }


def assert_fails(data, said):
    """It does not pass, for the reason that is said, and its last step is not re-derived."""
    opinion = check(data)
    assert not opinion.ok
    assert said in opinion.problem, opinion.problem
    assert not opinion.steps or not opinion.steps[-1].rederived


def step(law, path, before, after, **more):
    return {"law": law, "at": path, "before": before, "after": after, **more}


def ref(name, *slots):
    return ["ref", name, list(slots)]


def total(letter, body, size=N):
    return ["sum", [[letter, size]], body]


def affine(*items, const="0"):
    return ["affine", [list(item) for item in items], const]


M_SIZE = ["ref", "m", []]
FIRST = {"of": "0"}
END = step("normal form", [], ["add", "1", ["mul", "-1", "1"]], "0")


def mask(up, down, const="0"):
    """[up − down + const ≥ 0]."""
    return ["mask", affine((up, "1"), (down, "-1"), const=const)]


def affine_number(*items, const="0"):
    """An affine index as a number."""
    return ["add", const, *(["mul", c, ref("place(n)", x)] for x, c in items)]
