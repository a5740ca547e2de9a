r"""The words of LaTeX mathematics: what each command and sign is to the reader."""

from __future__ import annotations

from collections.abc import Mapping

from .. import primitives
from ..explain.naming import GREEK
from .composed import COMPOSED, SPELLED


def words(row: str) -> frozenset[str]:
    return frozenset(row.split())


def _each(words: Mapping[str, str]) -> dict[str, str]:
    """{"FRAC": "frac tfrac"} as {"frac": "FRAC", "tfrac": "FRAC"}."""
    return {word: meaning for meaning, row in words.items() for word in row.split()}


_SAME = (
    "softmax lse rowsum colsum rowmax colmax diag tr det max min argmax argmin arg Var Cov Concat"
    " sup inf limsup liminf lim"
)
WORDS = {word: word for word in (*_SAME.split(), *COMPOSED)} | _each(
    SPELLED
    | {
        "lse": "logsumexp LSE LogSumExp",
        "diag": "Diag",
        "tr": "Tr trace",
        "Var": "var",
        "Cov": "cov",
        "Concat": "concat",
    }
)


def function(word: str) -> str | None:
    """The function that a word is wherever it stands: of numbers, or of tensors."""
    return WORDS.get(word) or primitives.commands().get(word)


COMMANDS = _each(  # kind of token: commands
    {
        "FRAC": "frac tfrac dfrac cfrac nicefrac sfrac",
        "SQRT": "sqrt",
        "SIGN": "sum prod int oint partial nabla infty top intercal dagger ast star"
        " dots ldots cdots vdots ddots dotsc dotsm dotsb dotso",
        "TIMES": "cdot times",
        "ODOT": "odot circ",
        "SLASH": "div",
        "OTIMES": "otimes oplus cap cup setminus",
        "ACCENT": "bar overline dot hat widehat tilde widetilde",
        "FONT": "vec underline mathbf boldsymbol bm mathcal mathscr mathfrak pmb mathrm mathsf"
        " mathit mathop textrm",
        "NOTED": "underbrace overbrace",
        "BOXED": "boxed",
        "NORM": "lVert rVert Vert |",
        "BAR": "lvert rvert vert mid",
        "OPEN": r"langle { lbrace lbrack",
        "CLOSE": r"rangle } rbrace rbrack",
        "PRIME": "prime",
        "PM": "pm mp",
        "ROW": r"\ cr newline",
        "FORALL": "forall exists",
        "WHERE": "because",
    }
)
SIGNS = _each(
    {
        "top": "top intercal",
        "star": "ast star",
        "dots": "dots ldots cdots vdots ddots dotsc dotsm dotsb dotso",
        "int": "oint",
    }
)
ACCENTS = {"overline": "bar", "widehat": "hat", "widetilde": "tilde"}
RELATIONS = _each(
    {
        "=": "= Equal",
        "=:": "=: eqqcolon eqcolon",
        ":=": ":= equiv triangleq coloneqq coloneq defeq",
        "≈": "approx simeq",
        "∝": "propto",
        "←": "leftarrow gets longleftarrow",
        "≤": "<= le leq leqslant lesssim ll",
        "≥": ">= ge geq geqslant gtrsim gg",
        "<": "< lt",
        ">": "> gt",
        "≠": "ne neq",
        "∈": "in notin ni",
        "⊆": "subseteq subset supseteq supset subsetneq",
        "∼": "sim prec preceq",
        "⊥": "perp",
        "∥": "parallel",
        "≻": "succ",
        "⪰": "succeq",
        "→": "to rightarrow mapsto longmapsto longrightarrow leadsto hookrightarrow"
        " rightsquigarrow",
        ":": ": colon",
    }
)
IMPLIES = words(
    "Leftrightarrow Rightarrow Longrightarrow iff implies Longleftrightarrow impliedby "
    "leftrightarrow therefore"
)
LAYOUT = words(
    "left big Big bigl bigr Bigl Bigr bigg Bigg biggl biggr Biggl Biggr bigm middle "
    "IEEEyesnumber IEEEnonumber IEEEyessubnumber displaybreak allowdisplaybreaks ensuremath smash "
    "displaystyle textstyle scriptstyle limits nolimits nonumber notag , ; : ! > thinspace "
    "space mathstrut not qedhere centering "
    "medspace thickspace enspace hfill noindent strut allowbreak"
) | {" ", "\n"}
SPACED = frozenset({"quad", "qquad"})
DISPLAYS = words(
    "aligned align align* split gathered gather gather* equation equation* alignedat eqnarray "
    "eqnarray* multline multline*"
)
MATRICES = words("matrix pmatrix bmatrix Bmatrix vmatrix Vmatrix smallmatrix array")
CASES = frozenset({"cases", "dcases", "cases*", "dcases*"})
ALIASES = {
    "ell": "ell",
    "hbar": "hbar",
    "hslash": "hbar",
    **{word: word for word in ("Pr", "deg", "dim", "gcd", "hom", "ker")},
    "imath": "imath",
}
SIGN_KIND = _each(
    {
        "PLUS": "+",
        "MINUS": "- −",
        "TIMES": "* · ×",
        "ODOT": "∘",
        "SLASH": "/",
        "CARET": "^",
        "UNDER": "_",
        "LBRACE": "{",
        "RBRACE": "}",
        "OPEN": "( [",
        "CLOSE": ") ]",
        "COMMA": ",",
        "SEMI": ";",
        "STOP": ".",
        "AMP": "&",
        "PRIME": "'",
        "BAR": "|",
        "NORM": "||",
        "BANG": "!",
    }
)
_GREEK = "α β γ δ ε ζ η θ ι κ λ μ ν ξ π ρ σ τ υ φ χ ψ ω Γ Δ Θ Λ Ξ Π Σ Φ Ψ Ω"
_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau"
    " upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega"
)
UNICODE = dict(zip(_GREEK.split(), _NAMES.split(), strict=True)) | {  # a sign as its command
    "∑": "sum",
    "∏": "prod",
    "∂": "partial",
    "∇": "nabla",
    "∞": "infty",
    "⊤": "top",
    "⊙": "odot",
    "⋅": "cdot",
    "≤": "le",
    "≥": "ge",
    "≠": "ne",
    "≈": "approx",
    "≡": "equiv",
    "≔": "coloneqq",
    "∝": "propto",
    "∈": "in",
    "∼": "sim",
    "≻": "succ",
    "⪰": "succeq",
    "→": "to",
    "←": "leftarrow",
    "⟨": "langle",
    "⟩": "rangle",
    "‖": "Vert",
    "ℓ": "ell",
    "∀": "forall",
    "∃": "exists",
    "∴": "therefore",
    "∵": "because",
    "…": "dots",
}
QUOTES = {"“": '"', "”": '"', "‘": "'", "’": "'"}
FORBIDDEN = words(
    "input include usepackage write openin read catcode immediate csname documentclass loop special"
)
REASONS = words("since because assuming")  # what follows is taken for true
SEPARATORS = words("where with and or so then given that") | REASONS
CONDITIONS = words("if when whenever provided unless iff once") | {
    *("provided that", "as long as", "so long as", "as soon as", "in case", "only if"),
    *("if and only if", "on condition that", "under the condition that", "in the case"),
}
IF = (  # before what a sentence holds under, as a pattern
    r"(?:iff?|when(?:ever)?|provided(?:\s+that)?|(?:as|so)\s+(?:long|soon)\s+as|in\s+case|"
    r"on\s+(?:the\s+)?condition\s+that|under\s+the\s+condition\s+that)"
)
OTHERWISE = frozenset({"otherwise", "else"})
EVERY = frozenset({"for", "for all", "for every", "for each", "for any"})

ROUNDS = "floor", "ceil"  # ⌊x⌋ and ⌈x⌉, as functions that no text defines
PARTS = "modulus", "real_part", "imaginary_part", "conjugate"  # |z|, Re z, Im z, z^*, as functions
LETTERS = GREEK | frozenset(ALIASES)
FUNCTIONS = frozenset("fghFG")  # letters that stand for functions where they stand before brackets
