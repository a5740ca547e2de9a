r"""The words of LaTeX mathematics: what each command and sign is to the reader."""

from __future__ import annotations

from ..explain.latex import GREEK

FUNCTIONS = {
    "exp": "exp", "log": "log", "ln": "log", "sin": "sin", "cos": "cos", "tan": "tan",
    "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "arcsin": "asin", "arccos": "acos",
    "arctan": "atan", "sigmoid": "sigmoid", "softplus": "softplus", "erf": "erf",
    "softmax": "softmax", "lse": "lse", "logsumexp": "lse", "rowsum": "rowsum",
    "colsum": "colsum", "diag": "diag", "Diag": "diag", "tr": "tr", "Tr": "tr", "trace": "tr",
    "det": "det", "max": "max", "min": "min", "argmax": "argmax", "argmin": "argmin", "arg": "arg",
    "Var": "Var", "Cov": "Cov", "Concat": "Concat", "concat": "Concat", "sgn": "sgn",
    "sup": "sup", "inf": "inf", "lim": "lim",
}
COMMANDS = {  # command → kind of token
    "frac": "FRAC", "tfrac": "FRAC", "dfrac": "FRAC", "cfrac": "FRAC", "sqrt": "SQRT",
    "sum": "SIGN", "prod": "SIGN", "int": "SIGN", "oint": "SIGN", "partial": "SIGN",
    "nabla": "SIGN", "infty": "SIGN",
    "top": "SIGN", "intercal": "SIGN", "dagger": "SIGN", "ast": "SIGN", "star": "SIGN",
    "dots": "SIGN", "ldots": "SIGN", "cdots": "SIGN", "vdots": "SIGN", "ddots": "SIGN",
    "cdot": "TIMES", "times": "TIMES", "odot": "ODOT", "circ": "ODOT", "div": "SLASH",
    "otimes": "OTIMES",
    "bar": "ACCENT", "overline": "ACCENT", "dot": "ACCENT", "hat": "ACCENT", "widehat": "ACCENT",
    "tilde": "ACCENT", "widetilde": "ACCENT",
    "vec": "FONT", "underline": "FONT", "mathbf": "FONT", "boldsymbol": "FONT", "bm": "FONT",
    "mathcal": "FONT", "mathscr": "FONT", "mathfrak": "FONT", "pmb": "FONT",
    "lVert": "NORM", "rVert": "NORM", "Vert": "NORM", "|": "NORM",
    "lvert": "BAR", "rvert": "BAR", "vert": "BAR", "mid": "BAR",
    "langle": "OPEN", "rangle": "CLOSE", "{": "OPEN", "}": "CLOSE",
    "lbrace": "OPEN", "rbrace": "CLOSE", "lbrack": "OPEN", "rbrack": "CLOSE",
    "prime": "PRIME", "pm": "PM", "mp": "PM",
    "\\": "ROW", "cr": "ROW", "newline": "ROW",
}
SIGNS = {
    "top": "top", "intercal": "top", "ast": "star", "star": "star", "dots": "dots",
    "ldots": "dots", "cdots": "dots", "vdots": "dots", "ddots": "dots", "oint": "int",
}
ACCENTS = {"overline": "bar", "widehat": "hat", "widetilde": "tilde"}
RELATIONS = {
    "=": "=", ":=": ":=", "equiv": ":=", "triangleq": ":=", "coloneqq": ":=", "approx": "≈",
    "simeq": "≈", "propto": "∝", "leftarrow": "←", "gets": "←", "le": "≤", "leq": "≤",
    "leqslant": "≤", "ge": "≥", "geq": "≥", "geqslant": "≥", "<": "<", ">": ">", "lt": "<",
    "gt": ">", "ne": "≠", "neq": "≠", "in": "∈", "sim": "∼", "to": "→", "rightarrow": "→",
    "mapsto": "→", "longmapsto": "→", ":": ":", "colon": ":",
}
IMPLIES = frozenset(["Leftrightarrow", "Rightarrow", "Longrightarrow", "iff", "implies",
    "Longleftrightarrow", "impliedby", "leftrightarrow"])
LAYOUT = frozenset(
    ["left", "right", "big", "Big", "bigl", "bigr", "Bigl", "Bigr", "bigg", "Bigg", "biggl",
    "biggr", "Biggl", "Biggr", "bigm", "middle", "displaystyle", "textstyle", "scriptstyle",
    "limits", "nolimits", "nonumber", "notag", ",", ";", ":", "!", ">", "thinspace", "medspace",
    "thickspace", "enspace", "hfill", "noindent", "strut", "allowbreak"]) | {" ", "\n"}
SPACED = frozenset({"quad", "qquad"})
DISPLAYS = frozenset(["aligned", "align", "align*", "split", "gathered", "gather", "gather*",
    "equation", "equation*", "alignedat", "eqnarray", "eqnarray*", "multline", "multline*"])
MATRICES = frozenset(["matrix", "pmatrix", "bmatrix", "Bmatrix", "vmatrix", "Vmatrix",
    "smallmatrix"])
ALIASES = {"varphi": "phi", "varepsilon": "epsilon", "vartheta": "theta", "varrho": "rho",
           "varsigma": "sigma", "ell": "ell"}
SIGN_KIND = {
    "+": "PLUS", "-": "MINUS", "−": "MINUS", "*": "TIMES", "·": "TIMES", "×": "TIMES",
    "∘": "ODOT", "/": "SLASH", "^": "CARET",
    "_": "UNDER", "{": "LBRACE", "}": "RBRACE", "(": "OPEN", ")": "CLOSE", "[": "OPEN",
    "]": "CLOSE", ",": "COMMA", ";": "SEMI", "&": "AMP", "'": "PRIME", "|": "BAR",
    "!": "BANG",
}
FORBIDDEN = frozenset(["input", "include", "usepackage", "write", "openin", "read", "catcode",
    "immediate", "csname", "documentclass", "loop", "special"])

LETTERS = GREEK | frozenset(ALIASES)
