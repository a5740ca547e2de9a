r"""Einsum strings, letter by letter

An einsum string is index notation without the names: the letters of each factor, an arrow, the
letters of the result.  A letter that is missing on the right is summed; a letter that two factors
share pairs their axes; a letter twice in one factor is its diagonal.  Each pattern below is turned
into a formula and back, explained letter by letter, and compared with what NumPy makes of the
string.
"""

import numpy as np

import symattn as sa
from symattn.comparison import Row
from symattn.einsum import contraction, explain, subscripts
from symattn.explain import definition_latex

source = (
    "A. Einstein, Die Grundlage der allgemeinen Relativitätstheorie, 1916, section 5; numpy.einsum"
)

PATTERNS = {
    "Sum of all entries": "ij->",
    "Row sums": "ij->i",
    "Column sums": "ij->j",
    "Transpose": "ij->ji",
    "Trace": "ii->",
    "Diagonal": "ii->i",
    "Dot product": "a,a->",
    "Outer product": "a,b->ab",
    "Hadamard product": "ij,ij->ij",
    "Squared Frobenius norm": "ij,ij->",
    "Matrix times vector": "ij,j->i",
    "Vector times matrix": "i,ij->j",
    "Matrix product": "ij,jk->ik",
    "Product with a transpose": "ij,kj->ik",
    "Batch of matrix products": "bij,bjk->bik",
    "Bilinear form": "a,ab,b->",
    "Bilinear form of all pairs": "ia,ab,jb->ij",
    "Attention scores": "ia,ja->ij",
    "Attention output": "ij,jb->ib",
    "Scores of a batch": "bia,bja->bij",
    "Outputs of a batch": "bij,bjc->bic",
    "Projection to heads": "id,hda->hia",
    "Scores of heads": "hia,hja->hij",
    "Outputs of heads": "hij,hjc->hic",
    "Heads combined": "hic,hcd->id",
    "Projection of a batch to heads": "bid,hda->bhia",
}


def size(letter):
    """Every letter has a size of its own, of the same name."""
    return sa.sizes(f"n_{letter}")[0]


def made(k, text):
    """The definition of one pattern, of tensors with names of their own."""
    factors = text.split("->")[0].split(",")
    tensors = [sa.tensor(f"{'XYW'[f]}_{k}", *map(size, x)) for f, x in enumerate(factors)]
    if (
        len(factors) == 2
        and factors[0] == factors[1]
        and text.endswith("->")
        and len(factors[0]) > 1
    ):
        tensors[1] = tensors[0]  # a norm is of one tensor
    return contraction(f"R_{k}", text, *tensors)


made_of = {name: made(k, text) for k, (name, text) in enumerate(PATTERNS.items(), 1)}
scores, output = made_of["Attention scores"], made_of["Attention output"]
product, form = made_of["Matrix product"], made_of["Bilinear form of all pairs"]
system = sa.System(scores, output)

results = {"Attention scores": sa.backward(sa.System(scores), output=scores.name, wrt=("X_18",))}

i, j, k = (
    sa.indices("i", size("i"))[0],
    sa.indices("j", size("j"))[0],
    sa.indices("k", size("k"))[0],
)
A, B, C = (
    sa.tensor("A", size("i"), size("j")),
    sa.tensor("B", size("j"), size("k")),
    sa.tensor("C", size("k"), size("i")),
)
chain = sa.System(
    contraction("P", "ij,jk->ik", A, B),
    contraction("Q", "jk,ki->ji", B, C),
    contraction("t", "ij,jk,ki->", A, B, C),
    contraction("u", "ik,ki->", sa.tensor("P", size("i"), size("k")), C),
    contraction("v", "ji,ij->", sa.tensor("Q", size("j"), size("i")), A),
)
claims = [
    ("Three factors at once, or two and one more", chain["t"].tensor, chain["u"].tensor, chain),
    ("A trace may be turned around", chain["u"].tensor, chain["v"].tensor, chain),
]


def exhibits():
    """The formula of every string, and what its letters do."""
    rows = []
    for name, text in PATTERNS.items():
        said = r" \\ ".join(rf"\text{{{letter}}}" for letter in explain(text))
        formula = definition_latex(made_of[name])
        rows.append(
            (f"{name}, `{text}`", rf"\begin{{gathered}} {formula} \\ {said} \end{{gathered}}")
        )
    return rows


def checks():
    """Back to the same string, and the same numbers as NumPy gives for it."""
    rows, rng = [], np.random.default_rng(0)
    for name, text in PATTERNS.items():
        d = made_of[name]
        string, names = subscripts(d)
        back = sorted(string.split("->")[0].split(",")), string.split("->")[1]
        same = back == (sorted(text.split("->")[0].split(",")), text.split("->")[1])
        shapes = {
            n: [3 + "abcdhijk".index(x) for x in ls]
            for ls, n in zip(string.split("->")[0].split(","), names, strict=True)
        }
        arrays = {n: rng.standard_normal(shape) for n, shape in shapes.items()}
        got = np.asarray(sa.compile(sa.System(d), output=d.name, target="numpy")(**arrays))
        wanted = np.einsum(string, *(arrays[n] for n in names))
        error = float(np.max(np.abs(got - wanted)))
        relative = error / float(np.max(np.abs(wanted))) if same else 1.0
        rows.append(Row(f"{name}, {text}", "numpy.einsum", "float64", error, relative, 1e-12))
    return rows
