r"""What an integral of one variable after the other comes to.

∫_a^b f dx is F(b) − F(a) where F′ = f is proved and nothing keeps F from being continuous between
a and b; what SymPy proposes for F is taken for nothing more.  Ends at which F has no value are
limits.  Where no F is found numbers may agree or speak against an equation, two precisions alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import mpmath
import numpy as np
import sympy as sp

from ..errors import SymattnError
from ..prove import prove
from ..read.integrals import Integral
from ..syntax import define
from .deadline import Late, within

if TYPE_CHECKING:
    from .statements import Statement
    from .versions import Version, Versions

PATIENCE = 2.0  # seconds for an antiderivative or a limit
DRAWS = 2  # points at which numbers are held against it
CLOSE, APART = 1e-6, 1e-3
ODD = (  # what no antiderivative may hold
    *(sp.Integral, sp.Limit, sp.Piecewise, sp.AccumBounds, sp.Derivative, sp.Subs, sp.Order),
    *(sp.Heaviside, sp.DiracDelta, sp.sign, sp.floor, sp.ceiling, sp.Abs, sp.re, sp.im, sp.arg),
)
WHOLE = (sp.exp, sp.sin, sp.cos, sp.sinh, sp.cosh, sp.tanh, sp.atan, sp.asinh, sp.erf, sp.erfc)
UNUSABLE = (sp.Sum, sp.core.function.AppliedUndef, sp.Tuple)


class Unknown(Exception):
    """No rule reaches this integral."""


@dataclass(frozen=True)
class Closed:
    """What an integral comes to, and what that presupposes."""

    expr: sp.Expr
    conditions: tuple[str, ...] = ()


class Integrals:
    """The integrals of a document, as far as they are asked for."""

    def __init__(self, versions: Versions) -> None:
        self.versions = versions
        self.written: Mapping[str, Integral] = getattr(versions.document, "integrals", {})
        self.closed: dict[str, Closed | None] = {}
        self.formal: dict[sp.Expr, int] = {}  # functions that nothing defines, and their numbers
        self.bodies: dict[str, sp.Expr] = {}  # with the definitions that bear the variable

    def version(self, name: str, s: Statement) -> Version | None:
        """What the integral of that name comes to, as a definition."""
        found = self.value(name, s)
        if found is None:
            return None
        from .versions import Version, names

        written = self.written[name]
        try:
            made = define(name, written.letters, found.expr)
        except SymattnError:
            return None
        return Version(name, 0, 0, made, not names(found.expr), 1 << 62, "")

    def value(self, name: str, s: Statement) -> Closed | None:
        """The closed form of the integral of that name at a statement; None where none is known."""
        if name not in self.closed:
            self.closed[name] = None  # while it is looked for
            written = self.written[name]
            try:
                body = self.bodies[name] = self.inlined(
                    written.body, {x.name for x, _, _ in written.over}, s
                )
                if all(low is not None for _, low, _ in written.over):
                    self.closed[name] = self._come_to(body, written)
            except (Unknown, SymattnError):
                pass
        return self.closed[name]

    def inlined(
        self, body: sp.Expr, variables: set[str], s: Statement, inside: bool = True
    ) -> sp.Expr:
        """The body with every definition put in that hangs on a variable."""
        for _ in range(20):
            found = {}
            for symbol in sorted(body.free_symbols, key=str):
                name = symbol.name
                if name in variables or isinstance(symbol, sp.Idx):
                    continue
                if name in self.written:
                    inner = self.value(name, s)
                    if inner is not None and not inner.conditions:
                        found[symbol] = inner.expr
                    elif inside or inner is not None:
                        raise Unknown
                elif variables & self._reach(name, s):
                    version = self.versions.before(s, name)
                    if version is None or version.definition.indices or not symbol.is_Symbol:
                        raise Unknown
                    found[symbol] = version.definition.expr
            if not found:
                return body
            body = body.xreplace(found)
        raise Unknown

    def _reach(self, name: str, s: Statement) -> set[str]:
        """The names that a name rests on where the statement stands."""
        from .versions import names

        seen: set[str] = set()
        todo = [name]
        while todo:
            top = todo.pop()
            if top not in seen:
                seen.add(top)
                version = self.versions.before(s, top)
                todo += sorted(names(version.definition.expr)) if version is not None else []
        return seen - {name}

    def _come_to(self, body: sp.Expr, written: Integral) -> Closed:
        """The value; of functions that nothing defines in terms of antiderivatives of them."""
        if not body.atoms(sp.core.function.AppliedUndef):
            return definite(body, written.over)
        if len(written.over) > 1 or body.atoms(sp.Indexed, sp.Sum):
            raise Unknown
        ((x, low, high),) = written.over
        found = sp.S.Zero
        for term in sp.Add.make_args(sp.expand(body)):
            constant, part = term.as_independent(x, as_Add=False)
            found += constant * self._formal(part, x, low, high)
        return Closed(found)

    def _formal(self, body: sp.Expr, x: sp.Symbol, low: sp.Expr, high: sp.Expr) -> sp.Expr:
        """∫ body dx of a function that nothing defines: equal to itself alone."""
        if not body.atoms(sp.core.function.AppliedUndef):
            found = definite(body, ((x, low, high),))
            if found.conditions:
                raise Unknown
            return found.expr
        if not _finite(low, high):
            raise Unknown
        plain = body.xreplace({x: sp.Symbol("_")})
        number = self.formal.setdefault(plain, len(self.formal) + 1)
        others = sorted(plain.free_symbols - {sp.Symbol("_")}, key=str)
        primitive = sp.Function(f"primitive_{number}", real=True)
        return primitive(high, *others) - primitive(low, *others)

    # -------------------------------------------------------------------------------- numbers

    def number(self, name: str, s: Statement, at: Mapping[str, float]) -> float | None:
        """The integral by quadrature where its names have these values; None where that fails."""
        self.value(name, s)
        written, body = self.written[name], self.bodies.get(name)
        if body is None or written.letters or any(low is None for _, low, _ in written.over):
            return None
        if len(written.over) > 1 or body.atoms(sp.Indexed):
            return None
        ((x, low, high),) = written.over
        assert low is not None and high is not None
        others = {y for e in (body, low, high) for y in e.free_symbols} - {x}
        if not {y.name for y in others} <= at.keys():
            return None
        values = {y: sp.Float(at[y.name], 30) for y in others}
        return quadrature(body.xreplace(values), x, low.xreplace(values), high.xreplace(values))


def quadrature(body: sp.Expr, x: sp.Symbol, low: sp.Expr, high: sp.Expr) -> float | None:
    """∫ body dx by numbers of two precisions; None where these are not one."""
    found = []
    for digits in (15, 25):
        with mpmath.workdps(digits):
            try:
                f = sp.lambdify(x, body, "mpmath")
                ends = [mpmath.mpf(str(sp.N(e, 30))) if e.is_finite else
                        mpmath.inf * (1 if e == sp.oo else -1) for e in (low, high)]  # fmt: skip
                value, error = mpmath.quad(f, ends, error=True)
                if isinstance(value, mpmath.mpc) and abs(value.imag) > 1e-12:
                    return None
                value = float(value.real)
                if not np.isfinite(value) or abs(error) > CLOSE * (1 + abs(value)):
                    return None
            except Exception:  # what a formula of a text does to numbers is open
                return None
        found.append(value)
    if abs(found[0] - found[1]) > CLOSE * (1 + abs(found[0])):
        return None
    return found[1]


# ---------------------------------------------------------------------------------- closed forms


def definite(body: sp.Expr, over: Iterable[tuple[Any, Any, Any]]) -> Closed:
    """The value of an integral.  Raises Unknown where no rule gives it."""
    over = tuple(over)
    every = {x for x, _, _ in over}
    exprs = [body, *(e for _, low, high in over for e in (low, high))]
    outside = {y for e in exprs for y in (*e.atoms(sp.Indexed), *e.atoms(sp.Symbol))}
    if any(e.has(*UNUSABLE) for e in exprs) or any(i.is_Symbol is False for i in every):
        raise Unknown
    inside = {z for y in outside if isinstance(y, sp.Indexed) for z in y.free_symbols}
    inside -= {y for y in outside if isinstance(y, sp.Indexed)}
    loose = sorted(outside - inside - every, key=str)
    plain = {
        y: sp.Symbol(
            f"c_{k}", **({"positive": True} if _positive(y) else {"real": True, "nonzero": True})
        )
        for k, y in enumerate(loose)
    }
    back = {v: k for k, v in plain.items()}
    expr, conditions = body.xreplace(plain), list[str]()
    for x, low, high in over:
        low, high = (e.xreplace(plain) for e in (low, high))
        expr, found = _one(expr, x, low, high)
        conditions += [_said(c, back) for c in found]
    if expr.free_symbols & every:
        raise Unknown
    return Closed(expr.xreplace(back), tuple(dict.fromkeys(conditions)))


def _positive(symbol: Any) -> bool:
    label = symbol.base.label if isinstance(symbol, sp.Indexed) else symbol
    return bool(label.is_positive)


def _said(condition: tuple[str, Any], back: Mapping[Any, Any]) -> str:
    text, expr = condition
    return text.format(sp.sstr(expr.xreplace(back)))


def _one(
    body: sp.Expr, x: sp.Symbol, low: sp.Expr, high: sp.Expr
) -> tuple[sp.Expr, list[tuple[str, Any]]]:
    """∫_low^high body dx, and what it presupposes."""
    if (low - high).is_extended_positive:
        found, presupposed = _one(body, x, high, low)
        return -found, presupposed
    kind = {"real": True}
    if low.is_nonnegative and (high.is_nonnegative or high == sp.oo):
        kind = {"positive": True}
    elif high.is_nonpositive and (low.is_nonpositive or low == -sp.oo):
        kind = {"negative": True}
    t = sp.Symbol("t_0", **kind)
    body = body.xreplace({x: t})
    if (kink := _kink(body, t, low, high)) is not None:
        left, right = _one(body, t, low, kink), _one(body, t, kink, high)
        return left[0] + right[0], [*left[1], *right[1]]
    body = body.replace(lambda e: isinstance(e, sp.Abs) and e.has(t),
                        lambda e: _sign(e.args[0], t, low, high) * e.args[0])  # fmt: skip
    if not body.has(t):
        return sp.expand_mul(body * (high - low)) if _finite(low, high) else _diverges(), []
    if (rate := _rate(body, t)) is not None:  # e^{-(m - l) t}: r = m - l has a sign
        r = sp.Symbol(f"r_{len(body.free_symbols)}", real=True, nonzero=True)
        p = next(p for p in sorted(rate.free_symbols, key=str) if sp.diff(rate, p) in (1, -1))
        there = {p: sp.expand(p + (r - rate) / sp.diff(rate, p))}
        ends = (e.xreplace(there) for e in (low, high))
        found, presupposed = _one(sp.simplify(body.xreplace(there)), t, *ends)
        return found.xreplace({r: rate}), [(c, e.xreplace({r: rate})) for c, e in presupposed]
    primitive = antiderivative(body, t)
    found: sp.Expr = sp.S.Zero
    presupposed: list[tuple[str, Any]] = []
    for g, needs in _dangers(primitive, t):
        presupposed += [(c, e.xreplace({t: x})) for c, e in _clear(g, needs, t, low, high)]
    for end, side, sign in ((high, "-", 1), (low, "+", -1)):
        value, assumed = _end(primitive, t, end, side)
        found += sign * value
        presupposed += [("{} > 0", p) for p in assumed]
    presupposed = list(dict.fromkeys(presupposed))
    assumed = [p for text, p in presupposed if text == "{} > 0"]
    if not _numbers_agree(body, t, low, high, found):
        raise Unknown
    for p in assumed:
        if _diverges_below(body, t, (high, low), p):
            presupposed.remove(("{} > 0", p))
    return found, presupposed


def _rate(body: sp.Expr, t: sp.Symbol) -> sp.Expr | None:
    """A difference of names, positive where an exponential decays; None for none."""
    for e in sorted((e.args[0] for e in body.atoms(sp.exp)), key=str):
        if not e.is_polynomial(t) or not e.has(t):
            continue
        leading = sp.factor(sp.Poly(e, t).LC())
        for factor in sp.Mul.make_args(leading):
            named = isinstance(factor, sp.Add) and factor.is_positive is None
            if named and any(sp.diff(factor, p) in (1, -1) for p in factor.free_symbols):
                return -factor if (leading / factor).is_positive else factor
    return None


def _kink(body: sp.Expr, t: sp.Symbol, low: sp.Expr, high: sp.Expr) -> sp.Expr | None:
    """Where what stands in |…| is 0 inside of the interval; None where it has one sign."""
    for g in sorted((e.args[0] for e in body.atoms(sp.Abs) if e.has(t)), key=str):
        if _sign(g, t, low, high):
            continue
        if not g.is_polynomial(t) or sp.degree(g, t) != 1:
            raise Unknown
        zero = -g.xreplace({t: sp.S.Zero}) / sp.diff(g, t)
        if (zero - low).is_extended_positive and (high - zero).is_extended_positive:
            return sp.simplify(zero)
        raise Unknown
    return None


def _finite(*ends: sp.Expr) -> bool:
    return all(e not in (sp.oo, -sp.oo) for e in ends)


def _diverges() -> sp.Expr:
    raise Unknown


def antiderivative(body: sp.Expr, t: sp.Symbol) -> sp.Expr:
    """F with F′ = body, which is proved.  Raises Unknown where none is found."""
    for propose in (_gaussian, _by_hand, _by_sympy):
        try:
            found = within(PATIENCE, lambda propose=propose: propose(body, t))
        except (Late, *_FAILURES):
            continue
        found = found.replace(lambda e: isinstance(e, sp.Piecewise), _generic)
        if found.has(*ODD) or not found.has(t) or found.has(sp.I):
            continue
        if found.atoms(sp.Function) - {f for f in found.atoms(sp.Function) if _known(f)}:
            continue
        if _same(sp.diff(found, t), body):
            return found
    raise Unknown


_FAILURES = (ArithmeticError, ValueError, TypeError, AttributeError, KeyError, IndexError,
             NotImplementedError, RecursionError)  # fmt: skip


def _gaussian(body: sp.Expr, t: sp.Symbol) -> sp.Expr:
    """For a polynomial times exp(−k t² + b t + c), in u = t − b/(2k)."""
    factors = sp.Mul.make_args(sp.powsimp(body, combine="exp"))
    exponent = sp.Add(*(f.args[-1] for f in factors if isinstance(f, sp.exp)))
    rest = sp.Mul(*(f for f in factors if not isinstance(f, sp.exp)))
    c, b, a = (sp.Poly(exponent, t).coeff_monomial(t**n) for n in range(3))
    if sp.Poly(exponent, t).degree() != 2 or sp.Poly(rest, t).degree() > 8 or a.is_positive:
        raise ValueError
    k = sp.simplify(-a)
    shift, u = sp.simplify(b / (2 * k)), sp.Symbol("u_0", real=True)
    root = sp.sqrt(k.xreplace({p: sp.Symbol(p.name, positive=True) for p in k.free_symbols}))
    root = root.xreplace({sp.Symbol(p.name, positive=True): p for p in k.free_symbols})
    bell = sp.exp(-k * u**2)
    moments = [sp.sqrt(sp.pi) / (2 * root) * sp.erf(root * u), -bell / (2 * k)]
    shifted = sp.Poly(rest.xreplace({t: u + shift}), u)
    for n in range(2, shifted.degree() + 1):
        moments.append((-(u ** (n - 1)) * bell + (n - 1) * moments[n - 2]) / (2 * k))
    found = sp.Add(*(p * moments[n] for (n,), p in shifted.terms()))
    height = sp.exp(sp.simplify(c + b**2 / (4 * k)))
    return sp.expand_mul(height * found.xreplace({u: t - shift}))


def _by_hand(body: sp.Expr, t: sp.Symbol) -> sp.Expr:
    return sp.integrate(body, t, manual=True)


def _by_sympy(body: sp.Expr, t: sp.Symbol) -> sp.Expr:
    return sp.integrate(sp.expand(body), t, meijerg=False)


def _generic(piece: Any) -> sp.Expr:
    """The case of a Piecewise that holds for almost all parameters."""
    for value, condition in piece.args:
        if condition == sp.true or isinstance(condition, sp.Ne):
            return value  # type: ignore[no-any-return]
    return piece  # type: ignore[no-any-return]


def _known(f: Any) -> bool:
    return isinstance(f, (*WHOLE, sp.log, sp.tan, sp.cot, sp.sec, sp.csc, sp.asin, sp.acos,
                          sp.acosh, sp.atanh))  # fmt: skip


def _same(a: sp.Expr, b: sp.Expr) -> bool:
    """True where the prover says that two expressions are equal."""
    try:
        verdict = prove(a, b)
        if verdict.status != "proved":
            verdict = prove(sp.trigsimp(sp.together(a)), sp.trigsimp(sp.together(b)))
    except (SymattnError, *_FAILURES):
        return False
    return verdict.status == "proved"


def _dangers(expr: sp.Expr, t: sp.Symbol) -> Iterator[tuple[sp.Expr, str]]:
    """Where an expression may jump or have no value: what must not be 0, or below it."""
    for node in sp.preorder_traversal(expr):
        if not node.has(t):
            continue
        if isinstance(node, sp.Pow):
            base, exponent = node.args
            if base == sp.E or not base.has(t):
                continue
            if not exponent.is_integer:
                yield base, "> 0" if not exponent.is_positive else ">= 0"
            elif not exponent.is_nonnegative:
                yield base, "!= 0"
        elif isinstance(node, sp.log):
            yield node.args[0], "> 0"
        elif isinstance(node, sp.tan | sp.sec):
            yield sp.cos(node.args[0]), "!= 0"
        elif isinstance(node, sp.cot | sp.csc):
            yield sp.sin(node.args[0]), "!= 0"
        elif isinstance(node, sp.asin | sp.acos | sp.atanh):
            yield 1 - node.args[0] ** 2, ">= 0"
        elif isinstance(node, sp.acosh):
            yield node.args[0] - 1, ">= 0"


def _clear(
    g: sp.Expr, needs: str, t: sp.Symbol, low: sp.Expr, high: sp.Expr
) -> list[tuple[str, Any]]:
    """What keeps g from 0 between the ends, if anything.  Raises Unknown where 0 is met."""
    sign = _sign(g, t, low, high)
    if sign > 0 or (sign < 0 and needs == "!= 0") or (needs == ">= 0" and g.is_nonnegative):
        return []
    if sign < 0:
        raise Unknown
    numbers = not (g.free_symbols - {t}) and all(
        e.is_number or e in (sp.oo, -sp.oo) for e in (low, high)
    )
    if numbers:
        if _is_clear(g, needs, t, low, high):
            return []
        raise Unknown
    return [("{} " + needs + " between the limits", g)]


def _sign(g: sp.Expr, t: sp.Symbol, low: sp.Expr, high: sp.Expr) -> int:
    """The sign of an expression inside of the interval; 0 where it is not known."""
    if g.is_positive or g.is_negative:
        return 1 if g.is_positive else -1
    factors = sp.Mul.make_args(sp.factor(sp.together(g)))
    if len(factors) > 1:
        signs = [_sign(f, t, low, high) for f in factors]
        return int(np.prod(signs))
    if isinstance(g, sp.Pow) and g.exp.is_integer:
        inner = _sign(g.base, t, low, high)
        return inner**2 if g.exp.is_even else inner
    if not g.is_polynomial(t) or sp.degree(g, t) != 1:
        return 0
    ends = [_towards(g, t, e) for e in (low, high)]
    for sign, weak, strict in ((1, "is_nonnegative", "is_positive"),
                               (-1, "is_nonpositive", "is_negative")):  # fmt: skip
        if all(getattr(e, weak) for e in ends) and any(getattr(e, strict) for e in ends):
            return sign
    return 0


def _towards(g: sp.Expr, t: sp.Symbol, end: sp.Expr) -> sp.Expr:
    """The value at an end; at ∞ the sign of the slope."""
    if end in (sp.oo, -sp.oo):
        slope = sp.diff(g, t)
        return slope if end == sp.oo else -slope
    return sp.simplify(g.xreplace({t: end}))


def _is_clear(g: sp.Expr, needs: str, t: sp.Symbol, low: sp.Expr, high: sp.Expr) -> bool:
    """True where a function of one number is known not to be 0 inside of the interval."""
    if (low - high).is_positive:
        low, high = high, low
    inside = sp.Interval.open(low, high)
    real = sp.Symbol("t_1", real=True)
    try:
        zeros = within(PATIENCE, lambda: sp.solveset(g.xreplace({t: real}), real, inside))
    except (Late, *_FAILURES):
        return False
    if zeros is not sp.S.EmptySet and zeros != sp.S.EmptySet:
        return False
    middle = (low + high) / 2 if _finite(low, high) else (
        low + 1 if low != -sp.oo else high - 1 if high != sp.oo else sp.S.Zero)  # fmt: skip
    return needs == "!= 0" or bool(sp.N(g.xreplace({t: middle})) > 0)


def _end(
    primitive: sp.Expr, t: sp.Symbol, end: sp.Expr, side: str
) -> tuple[sp.Expr, tuple[Any, ...]]:
    """The value at an end, or the limit there, with the names that are assumed to be positive."""
    if _finite(end):
        at = primitive.xreplace({t: end})
        singular = any(g.xreplace({t: end}).is_zero is not False and g.xreplace({t: end}).is_number
                       for g, _ in _dangers(primitive, t))  # fmt: skip
        if not singular and not at.has(sp.nan, sp.zoo, sp.oo, sp.I):
            return at, ()
    signless = sorted((p for p in primitive.free_symbols - {t} if p.is_positive is None), key=str)
    value = _limit(primitive, t, end, side)
    if value is not None:
        return value, ()
    if not signless:
        raise Unknown
    for p in signless:
        value = _with(primitive, t, end, side, [p])
        if value is not None:
            return value, (p,)
    taken = list(signless)
    value = _with(primitive, t, end, side, taken)
    if value is None:
        raise Unknown
    for p in signless:
        fewer = [q for q in taken if q != p]
        if _with(primitive, t, end, side, fewer) == value:
            taken = fewer
    return value, tuple(taken)


def _with(
    primitive: sp.Expr,
    t: sp.Symbol,
    end: sp.Expr,
    side: str,
    taken: list[Any],
    sign: str = "positive",
) -> sp.Expr | None:
    """The limit where these names are positive."""
    other = {p: sp.Symbol(p.name, **{sign: True}) for p in taken}
    value = _limit(primitive.xreplace(other), t, end.xreplace(other), side)
    return value.xreplace({v: k for k, v in other.items()}) if value is not None else None


def _limit(primitive: sp.Expr, t: sp.Symbol, end: sp.Expr, side: str) -> sp.Expr | None:
    terms = sp.Add.make_args(sp.expand_mul(primitive))
    if not _finite(end) and any(_bell(term, t, end) is sp.nan for term in terms):
        return None
    values = [_raw_limit(term, t, end, side) for term in terms] if len(terms) > 1 else [None]
    finite = all(v is not None and v.is_finite for v in values)
    value = sp.Add(*values) if finite else _raw_limit(primitive, t, end, side)
    if value is None or value.has(*ODD, sp.nan, sp.zoo, sp.oo, sp.I) or value.has(t):
        return None
    return value


def _raw_limit(primitive: sp.Expr, t: sp.Symbol, end: sp.Expr, side: str) -> sp.Expr | None:
    if not _finite(end) and (known := _bell(primitive, t, end)) is not None:
        return known if known.is_finite else None
    try:
        return within(PATIENCE, lambda: sp.limit(primitive, t, end, side))
    except (Late, *_FAILURES):
        return None


def _bell(term: sp.Expr, t: sp.Symbol, end: sp.Expr) -> sp.Expr | None:
    """The limit at ±∞ of powers times exponentials and error functions of polynomials.

    NaN where a sign decides it that is not known; None for any other term.
    """
    if isinstance(term, sp.Add):
        return None
    constant, rest = term.as_independent(t, as_Add=False)
    exponent, value, grows = sp.S.Zero, constant, False
    for factor in sp.Mul.make_args(rest):
        if isinstance(factor, sp.exp):
            exponent += factor.args[0]
        elif isinstance(factor, sp.erf) and factor.args[0].is_polynomial(t):
            sign = _leading(factor.args[0], t, end)
            if sign == 0:
                return sp.nan
            value *= sign
        elif factor.is_polynomial(t):
            grows = grows or factor.has(t)
        else:
            return None
    if not exponent.has(t):
        return value if not grows and rest != 1 else None
    if not exponent.is_polynomial(t):
        return None
    sign = _leading(exponent, t, end)
    return sp.S.Zero if sign < 0 else sp.nan if sign == 0 else None


def _leading(poly: sp.Expr, t: sp.Symbol, end: sp.Expr) -> int:
    """The sign of a polynomial at ±∞; 0 where it is not known."""
    found = sp.Poly(poly, t)
    leading = sp.factor(found.LC()) * (1 if end == sp.oo or found.degree() % 2 == 0 else -1)
    return 1 if leading.is_positive else -1 if leading.is_negative else 0


def _diverges_below(body: sp.Expr, t: sp.Symbol, ends: tuple[sp.Expr, sp.Expr], p: Any) -> bool:
    """True where the integral has no value when p is negative, so that nothing is said there."""
    others = [q for q in body.free_symbols - {t, p} if q.is_positive is None]
    there = {q: sp.Symbol(q.name, positive=True) for q in others} | {
        p: sp.Symbol(p.name, negative=True)
    }
    exponents = {e.args[0].xreplace(there) for e in body.atoms(sp.exp) if e.has(t)}
    if len(exponents) != 1 or not all(e.is_polynomial(t) for e in exponents):
        return False
    return any(not _finite(end) and _leading(e, t, end) > 0 for end in ends for e in exponents)


def _numbers_agree(
    body: sp.Expr, t: sp.Symbol, low: sp.Expr, high: sp.Expr, found: sp.Expr
) -> bool:
    """Quadrature gives the value at random points, or cannot be had at any."""
    names = sorted({y for e in (body, low, high, found) for y in e.free_symbols} - {t}, key=str)
    for k in range(DRAWS):
        rng = np.random.default_rng([k, 11])
        values = {y: sp.Rational(int(rng.integers(20, 140)), 64) for y in names}
        known = quadrature(*(e.xreplace(values) if e is not t else t for e in (body, t, low, high)))
        if known is None:
            continue
        value = complex(sp.N(found.xreplace(values)))
        if abs(value - known) > CLOSE * (1 + abs(known)):
            return False
    return True


__all__ = ["Closed", "Integrals", "Unknown", "definite", "quadrature"]
