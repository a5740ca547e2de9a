"""What a record of a scalar function says, and the records of those that symattn brings along."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from .functions import (
    Defined,
    acosh,
    cbrt,
    clip,
    elu,
    expm1,
    gelu,
    gelu_tanh,
    hard_sigmoid,
    hard_swish,
    hard_tanh,
    hypot,
    leaky_relu,
    log1p,
    log_ndtr,
    log_sigmoid,
    logaddexp,
    logit,
    mish,
    relu,
    relu6,
    selu,
    sigmoid,
    silu,
    softplus,
    softsign,
    step,
    xlogy,
)


@dataclass(frozen=True)
class Primitive:
    r"""A scalar function of one variable, or of several.

    name      the name in the IR, in errors and in plain text
    function  the SymPy function (or a callable that builds the SymPy expression)
    latex     the LaTeX command that stands before the argument, or a template: \left|{{x}}\right|
    jax       the JAX expression, with {x} for the argument; those that follow are {y} and {z}
    numpy     the same for NumPy; the default replaces jnp by np
    domain    the open interval of arguments where it is smooth, for checks and for drawing samples
    sign      "+" where every value is positive, "0+" where none is negative, "" otherwise
    parity    1 for an even function, -1 for an odd one, 0 for neither
    increasing  True where a larger argument always gives a larger value
    definition  the function in terms of simpler ones, as a SymPy expression, used to decide
    arity     how many arguments it has
    defaults  what the last arguments are where they are left out
    words     how else it is written in LaTeX, separated by spaces.  A word that begins with a
              backslash is the function wherever it stands; any other one, and the name, is it
              before brackets, unless the document defines it
    """

    name: str
    function: Callable[..., Any]
    latex: str
    jax: str
    numpy: str = ""
    domain: tuple[float, float] = (-3.0, 3.0)
    sign: str = ""
    parity: int = 0
    increasing: bool = False
    definition: Callable[..., Any] | None = field(default=None, repr=False)
    arity: int = 1
    defaults: tuple[Any, ...] = ()
    words: str = ""

    def shown(self, *arguments: str) -> str:
        """The LaTeX of the function at arguments given as LaTeX."""
        if "{{" in self.latex:
            return filled(self.latex.replace("{{", "{").replace("}}", "}"), arguments)
        inside = ", ".join(arguments)
        tall = any(word in inside for word in (r"\frac", r"\sum"))
        brackets = (r"\left(", r"\right)") if tall else ("(", ")")
        return f"{self.latex}{brackets[0]}{inside}{brackets[1]}"

    def template(self, module: str) -> str:
        """The expression for "jnp" or "np"."""
        if module == "jnp":
            return self.jax
        return self.numpy or self.jax.replace("jnp.", "np.")


def filled(template: str, arguments: tuple[str, ...]) -> str:
    """A template with its arguments put in."""
    for place, argument in zip(("{x}", "{y}", "{z}"), arguments, strict=False):
        template = template.replace(place, argument)
    return template


def _exp_form(f: Any) -> Callable[[Any], Any]:
    return lambda x: f(x).rewrite(sp.exp)


def _defined(f: type[Defined], latex: str, jax: str, **more: Any) -> Primitive:
    """The record of a function of `symattn.functions`."""
    arity = f.count + len(f.defaults)
    return Primitive(
        f.__name__,
        f,
        latex,
        jax,
        definition=f.formula,
        arity=arity,
        defaults=f.defaults,
        **more,
    )


def _word(text: str) -> str:
    return rf"\operatorname{{{text}}}"


RECORDS = (
    Primitive("exp", sp.exp, r"\exp", "jnp.exp({x})", sign="+", increasing=True, words=r"\exp"),
    Primitive(
        "log",
        sp.log,
        r"\log",
        "jnp.log({x})",
        domain=(0.1, 5.0),
        increasing=True,
        words=r"\log \ln",
    ),
    Primitive("sin", sp.sin, r"\sin", "jnp.sin({x})", parity=-1, words=r"\sin"),
    Primitive("cos", sp.cos, r"\cos", "jnp.cos({x})", parity=1, words=r"\cos"),
    Primitive(
        "tan",
        sp.tan,
        r"\tan",
        "jnp.tan({x})",
        domain=(-1.4, 1.4),
        parity=-1,
        definition=lambda x: sp.sin(x) / sp.cos(x),
        words=r"\tan",
    ),
    Primitive(
        "sinh",
        sp.sinh,
        r"\sinh",
        "jnp.sinh({x})",
        parity=-1,
        definition=_exp_form(sp.sinh),
        increasing=True,
        words=r"\sinh",
    ),
    Primitive(
        "cosh",
        sp.cosh,
        r"\cosh",
        "jnp.cosh({x})",
        sign="+",
        parity=1,
        definition=_exp_form(sp.cosh),
        words=r"\cosh",
    ),
    Primitive(
        "tanh",
        sp.tanh,
        r"\tanh",
        "jnp.tanh({x})",
        parity=-1,
        definition=_exp_form(sp.tanh),
        increasing=True,
        words=r"\tanh",
    ),
    Primitive(
        "coth",
        sp.coth,
        r"\coth",
        "jnp.sign({x}) * (1 - 2 * jnp.exp(-2 * abs({x})) / jnp.expm1(-2 * abs({x})))",
        domain=(0.2, 4.0),
        parity=-1,
        definition=_exp_form(sp.coth),
        words=r"\coth",
    ),
    _defined(
        sigmoid,
        r"\sigma",
        "jax.nn.sigmoid({x})",
        numpy="np.exp(-np.logaddexp(0, -({x})))",
        sign="+",
        increasing=True,
        words=r"\sigmoid expit",
    ),
    _defined(
        softplus,
        _word("softplus"),
        "jnp.logaddexp({x}, 0)",
        sign="+",
        increasing=True,
        words=r"\softplus Softplus",
    ),
    Primitive(
        "erf",
        sp.erf,
        _word("erf"),
        "jax.scipy.special.erf({x})",
        numpy="np.vectorize(math.erf, otypes=[float])({x})",
        parity=-1,
        increasing=True,
        words=r"\erf",
    ),
    Primitive(
        "step",
        step,
        _word("step"),
        "jnp.where({x} >= 0, 1.0, 0.0)",
        domain=(-3.0, -0.2),
        sign="0+",
        words=r"\step",
    ),
    Primitive(
        "asin",
        sp.asin,
        r"\arcsin",
        "jnp.arcsin({x})",
        domain=(-0.9, 0.9),
        parity=-1,
        increasing=True,
        words=r"\arcsin \asin",
    ),
    Primitive(
        "acos",
        sp.acos,
        r"\arccos",
        "jnp.arccos({x})",
        domain=(-0.9, 0.9),
        sign="0+",
        words=r"\arccos \acos",
    ),
    Primitive(
        "atan",
        sp.atan,
        r"\arctan",
        "jnp.arctan({x})",
        parity=-1,
        increasing=True,
        words=r"\arctan \atan",
    ),
    Primitive(
        "asinh",
        sp.asinh,
        _word("arsinh"),
        "jnp.arcsinh({x})",
        parity=-1,
        increasing=True,
        definition=lambda x: sp.log(x + sp.sqrt(x**2 + 1)),
        words=r"\arsinh \arcsinh \asinh",
    ),
    Primitive(
        "atan2",
        sp.atan2,
        _word("atan2"),
        "jnp.arctan2({x}, {y})",
        domain=(0.2, 3.0),
        arity=2,
        words="arctan2",
    ),
    _defined(
        acosh,
        _word("arcosh"),
        "jnp.arccosh({x})",
        domain=(1.2, 5.0),
        sign="0+",
        increasing=True,
        words=r"\arcosh \arccosh \acosh",
    ),
    Primitive(
        "atanh",
        sp.atanh,
        _word("artanh"),
        "jnp.arctanh({x})",
        domain=(-0.9, 0.9),
        parity=-1,
        increasing=True,
        definition=lambda x: sp.log((1 + x) / (1 - x)) / 2,
        words=r"\artanh \arctanh \atanh",
    ),
    Primitive(
        "abs",
        sp.Abs,
        r"\left|{{x}}\right|",
        "jnp.abs({x})",
        domain=(0.2, 3.0),
        sign="0+",
        parity=1,
    ),
    Primitive(
        "sign",
        sp.sign,
        _word("sign"),
        "jnp.sign({x})",
        domain=(-3.0, -0.2),
        parity=-1,
        definition=lambda x: step(x) - step(-x),
        words=r"\sign \sgn",
    ),
    _defined(
        relu,
        _word("ReLU"),
        "jax.nn.relu({x})",
        numpy="np.maximum({x}, 0)",
        domain=(0.2, 3.0),
        sign="0+",
        words=r"\relu ReLU",
    ),
    _defined(
        relu6,
        _word("ReLU6"),
        "jax.nn.relu6({x})",
        numpy="np.clip({x}, 0, 6)",
        domain=(0.2, 5.8),
        sign="0+",
        words="ReLU6",
    ),
    _defined(
        leaky_relu,
        _word("LeakyReLU"),
        "jnp.where({x} >= 0, {x}, {y} * ({x}))",
        domain=(0.2, 3.0),
        words="LeakyReLU LReLU leakyrelu leakyReLU",
    ),
    _defined(
        elu,
        _word("ELU"),
        "jax.nn.elu({x}, {y})",
        numpy="np.where({x} > 0, {x}, {y} * np.expm1(np.minimum({x}, 0)))",
        domain=(0.2, 3.0),
        words="ELU",
    ),
    _defined(
        selu,
        _word("SELU"),
        "jax.nn.selu({x})",
        numpy="1.0507009873554805 * np.where({x} > 0, {x}, "
        "1.6732632423543772 * np.expm1(np.minimum({x}, 0)))",
        domain=(0.2, 3.0),
        words="SELU",
    ),
    _defined(
        gelu,
        _word("GELU"),
        "jax.nn.gelu({x}, approximate=False)",
        numpy="({x}) * np.vectorize(math.erfc, otypes=[float])(-({x}) / math.sqrt(2)) / 2",
        words="GELU GeLU",
    ),
    _defined(
        gelu_tanh,
        _word("GELUtanh"),
        "jax.nn.gelu({x})",
        numpy="({x}) * (1 + np.tanh(math.sqrt(2 / math.pi) * (({x}) + 0.044715 * ({x}) ** 3))) / 2",
        words="GELUtanh",
    ),
    _defined(
        silu,
        _word("SiLU"),
        "jax.nn.silu({x})",
        numpy="({x}) * np.exp(-np.logaddexp(0, -({x})))",
        words="SiLU Swish swish",
    ),
    _defined(
        mish,
        _word("Mish"),
        "({x}) * jnp.tanh(jnp.logaddexp({x}, 0))",
        words="Mish",
    ),
    _defined(
        log_sigmoid,
        _word("LogSigmoid"),
        "jax.nn.log_sigmoid({x})",
        numpy="-np.logaddexp(0, -({x}))",
        words="LogSigmoid logsigmoid",
    ),
    _defined(
        softsign,
        _word("softsign"),
        "({x}) / (1 + jnp.abs({x}))",
        domain=(0.2, 3.0),
        parity=-1,
        words="Softsign",
    ),
    _defined(
        hard_sigmoid,
        _word("HardSigmoid"),
        "jax.nn.hard_sigmoid({x})",
        numpy="np.clip(({x}) / 6 + 0.5, 0, 1)",
        domain=(-2.8, 2.8),
        sign="0+",
        words="HardSigmoid hardsigmoid",
    ),
    _defined(
        hard_tanh,
        _word("HardTanh"),
        "jax.nn.hard_tanh({x})",
        numpy="np.clip({x}, -1, 1)",
        domain=(-0.9, 0.9),
        parity=-1,
        words="HardTanh Hardtanh hardtanh",
    ),
    _defined(
        hard_swish,
        _word("HardSwish"),
        "jax.nn.hard_silu({x})",
        numpy="({x}) * np.clip(({x}) / 6 + 0.5, 0, 1)",
        domain=(-2.8, 2.8),
        words="HardSwish hardswish HardSiLU",
    ),
    _defined(clip, _word("clip"), "jnp.clip({x}, {y}, {z})", words="clamp"),
    _defined(log1p, _word("log1p"), "jnp.log1p({x})", domain=(-0.8, 3.0)),
    _defined(expm1, _word("expm1"), "jnp.expm1({x})"),
    Primitive(
        "erfc",
        sp.erfc,
        _word("erfc"),
        "jax.scipy.special.erfc({x})",
        numpy="np.vectorize(math.erfc, otypes=[float])({x})",
        sign="+",
        definition=lambda x: 1 - sp.erf(x),
    ),
    Primitive(
        "sinc",
        sp.sinc,
        _word("sinc"),
        "jnp.sinc(({x}) / jnp.pi)",
        domain=(0.2, 3.0),
        parity=1,
        definition=lambda x: sp.sin(x) / x,
    ),
    _defined(
        logit,
        _word("logit"),
        "jax.scipy.special.logit({x})",
        numpy="np.log({x}) - np.log1p(-({x}))",
        domain=(0.05, 0.95),
    ),
    Primitive(
        "erfinv",
        sp.erfinv,
        _word("erfinv"),
        "jax.scipy.special.erfinv({x})",
        numpy="scipy.special.erfinv({x})",
        domain=(-0.9, 0.9),
        parity=-1,
        increasing=True,
        words=r"\erfinv",
    ),
    Primitive(
        "Ei",
        sp.Ei,
        _word("Ei"),
        "jax.scipy.special.expi({x})",
        numpy="scipy.special.expi({x})",
        domain=(0.2, 3.0),
        words="expi",
    ),
    _defined(cbrt, _word("cbrt"), "jnp.cbrt({x})", domain=(0.2, 3.0), parity=-1, increasing=True),
    _defined(hypot, _word("hypot"), "jnp.hypot({x}, {y})", domain=(0.2, 3.0), sign="0+"),
    _defined(
        log_ndtr,
        _word("logndtr"),
        "jax.scipy.special.log_ndtr(({x}) * jnp.float32(1))",  # which takes no half precision
        numpy="scipy.special.log_ndtr({x})",
        increasing=True,
        words="logndtr",
    ),
    _defined(logaddexp, _word("logaddexp"), "jnp.logaddexp({x}, {y})"),
    _defined(
        xlogy,
        _word("xlogy"),
        "jax.scipy.special.xlogy({x}, {y})",
        numpy="np.where(np.equal({x}, 0), 0.0, ({x}) * np.log(np.where(np.equal({x}, 0), 1, {y})))",
        domain=(0.1, 5.0),
    ),
    Primitive(
        "lgamma",
        sp.loggamma,
        _word("lgamma"),
        "jax.scipy.special.gammaln({x})",
        numpy="np.vectorize(math.lgamma, otypes=[float])({x})",
        domain=(0.2, 6.0),
        words="gammaln loggamma",
    ),
    Primitive(
        "Gamma",
        sp.gamma,
        r"\Gamma",
        "jax.scipy.special.gamma({x})",
        numpy="np.vectorize(math.gamma, otypes=[float])({x})",
        domain=(0.2, 6.0),
    ),
    Primitive(
        "digamma",
        sp.digamma,
        r"\psi",
        "jax.scipy.special.digamma({x})",
        numpy="scipy.special.digamma({x})",
        domain=(0.2, 6.0),
        words="psi",
    ),
    Primitive(
        "polygamma",
        sp.polygamma,
        _word("polygamma"),
        "jax.scipy.special.polygamma(jnp.asarray({x}, int), {y})",
        numpy="scipy.special.polygamma({x}, {y})",
        domain=(0.2, 6.0),
        arity=2,
    ),
)

__all__ = ["RECORDS", "Primitive", "filled"]
