# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random expressions without undefined behaviour: each carries an interval."""
from model import *


class Expressions:
    # -- expressions --

    def literal(self, want):
        if want == "real":
            t = self.pick([F32, F64])
            value = self.rng.choice([0.5, 1.0, -2.25, 3.0, 0.1, 1e3, -0.0078125])
            return Expr(f"{value!r}{'f' if t is F32 else ''}", t)
        form = self.rng.randrange(5)
        if form == 0:
            v = self.rng.randrange(256)
            return Expr(f"0x{v:x}", I32, v, v)
        if form == 1:
            v = self.rng.randrange(1 << 31)
            return Expr(f"{v}u", U32, v, v)
        if form == 2:
            v = self.rng.randrange(26)
            return Expr(f"'{chr(97 + v)}'", I8, 97 + v, 97 + v)
        if form == 3:
            v = self.rng.randrange(-100, 100)
            return Expr(f"{v}" if v >= 0 else f"({v})", I32, v, v)
        v = self.rng.randrange(1 << 40)
        return Expr(f"{v}ll", I64, v, v)

    def index(self, extent):
        """A uniform subscript in [0, extent)."""
        self.index_depth += 1
        text = self.make_index(extent)
        self.index_depth -= 1
        return text

    def make_index(self, extent):
        candidates = [
            v
            for v in self.visible(
                Var, lambda v: v.uniform and not v.type.real and v.type is not BOOL
            )
        ]
        ready = [v for v in candidates if v.low is not None and 0 <= v.low and v.high < extent]
        if ready and self.chance(0.55):
            v = self.pick(ready)
            if v.low == 0 and self.chance(0.2) and not self.narrow(v.type):
                return f"{v.high} - {v.name}"
            return v.name
        if self.index_depth > 2:
            return ready[0].name if ready else str(self.rng.randrange(extent))
        tables = self.visible(
            Place,
            lambda p: p.uniform
            and p.low is not None
            and 0 <= p.low
            and p.high < extent
            and not p.type.real,
        )
        if tables and self.chance(0.4):
            self.counts.add("index through a uniform array")
            return self.access(self.pick(tables)).text
        if candidates and self.chance(0.7):
            e = self.expression("int", 1, uniform=True)
            self.counts.add("index reduced by %")
            return f"{self.unsigned(e).text} % {extent}u"
        return str(self.rng.randrange(extent))

    @staticmethod
    def narrow(t):
        return t.bits < 32

    def access(self, place):
        return place.range(place.pattern % tuple(self.index(n) for n in place.extents))

    def unsigned(self, e):
        t = U64 if e.type.bits == 64 else U32
        if e.type is t:
            return e
        self.counts.add("cast")
        style = self.rng.randrange(3)
        text = [f"({t.name})({e.text})", f"static_cast<{t.name}>({e.text})", f"{t.name}({e.text})"][
            style
        ]
        fits = e.low >= 0
        return Expr(text, t, e.low if fits else 0, e.high if fits else t.high)

    def leaf(self, want, uniform):
        wanted = (lambda t: t.real) if want == "real" else (lambda t: not t.real)
        choices = self.visible(Var, lambda v: wanted(v.type) and (v.uniform or not uniform))
        choices += self.visible(Place, lambda p: wanted(p.type) and (p.uniform or not uniform))
        if not choices or self.chance(0.15):
            return self.literal(want)
        varying = [c for c in choices if not c.uniform]
        thing = self.pick(varying if varying and self.chance(0.6) else choices)
        self.counts.add(f"type {thing.type.name}")
        return thing.expr() if isinstance(thing, Var) else self.access(thing)

    def expression(self, want, depth, uniform=False):
        """An Expr; want is 'int' or 'real'."""
        if depth <= 0 or self.chance(0.12):
            return self.leaf(want, uniform)
        roll = self.rng.random()
        if roll < 0.10:
            return self.conditional(want, depth, uniform)
        if roll < 0.18:
            return self.cast(want, depth, uniform)
        if roll < 0.26 and not uniform:
            call = self.pure_call(want, depth)
            if call:
                return call
        if want == "real":
            return self.real_operation(depth, uniform)
        if roll < 0.36:
            return self.unary(depth, uniform)
        if roll < 0.42:
            return self.condition(depth - 1, uniform)
        return self.integer_operation(depth, uniform)

    def conditional(self, want, depth, uniform):
        self.counts.add("operator ?:")
        c = self.condition(depth - 1, uniform or self.straight)
        a = self.expression(want, depth - 1, uniform)
        b = self.expression(want, depth - 1, uniform)
        t = common(a.type, b.type) if a.type != b.type else a.type
        text = f"({c.text} ? {a.text} : {b.text})"
        low, high = min(a.low, b.low), max(a.high, b.high)
        if t.real:
            return Expr(text, t)
        if low < t.low or high > t.high:
            low, high = t.low, t.high
        return Expr(text, t, low, high)

    def cast(self, want, depth, uniform):
        self.counts.add("cast")
        if want == "real":
            t = self.pick([F32, F64])
            e = self.expression(self.pick(["int", "real"]), depth - 1, uniform)
            return Expr(f"({t.name})({e.text})", t)
        t = self.pick(INTEGERS + [BOOL])
        if self.chance(0.3):
            # A float is converted where it is known to fit.
            e = self.leaf("real", uniform or self.straight)
            if self.chance(0.5) or t is BOOL:
                self.counts.add("float to integer, guarded")
                return Expr(
                    f"({e.text} > -100 && {e.text} < 100 ? (int){e.text} : 7)", I32, -100, 100
                )
        e = self.expression("int", depth - 1, uniform)
        form = self.pick(["({0})({1})", "static_cast<{0}>({1})", "{0}({1})"])
        text = form.format(t.name, e.text)
        if t is BOOL:
            return Expr(text, t, 0, 1)
        return Expr(text, t, e.low, e.high) if e.fits(t) else whole(text, t)

    def unary(self, depth, uniform):
        e = self.expression("int", depth - 1, uniform)
        t = promote(e.type)
        op = self.pick(["-", "~", "!"])
        if op == "!":
            self.counts.add("operator !")
            return Expr(f"(!{e.text})", BOOL, 0, 1)
        if op == "~":
            if e.type is BOOL:  # compilers warn, and rightly
                return e
            self.counts.add("operator ~")
            return (
                Expr(f"(~{e.text})", t, -e.high - 1, -e.low - 1)
                if t.signed
                else whole(f"(~{e.text})", t)
            )
        if t.signed and -e.low > t.high:
            e = self.shrink(e)
            t = promote(e.type)
        self.counts.add("operator unary -")
        text = f"(- {e.text})"
        return Expr(text, t, -e.high, -e.low) if t.signed else whole(text, t)

    def shrink(self, e):
        """The same bits in a smaller range, by an operation that always fits."""
        form = self.rng.randrange(3)
        t = promote(e.type)
        if form == 0 and t.signed:
            self.counts.add("operator %")
            return Expr(f"({e.text} % 1000)", t, -999 if e.low < 0 else 0, 999)
        if form == 1:
            self.counts.add("operator >>")
            count = t.bits - 14
            return Expr(f"({e.text} >> {count})", t, e.low >> count, e.high >> count)
        self.counts.add("operator &")
        return Expr(f"({e.text} & 0x7ff)", t, 0, 0x7FF)

    def integer_operation(self, depth, uniform):
        a = self.expression("int", depth - 1, uniform)
        b = self.expression("int", depth - 1, uniform)
        op = self.pick(ARITHMETIC)
        return self.combine(op, a, b)

    def combine(self, op, a, b):
        if op in ("/", "%"):
            b = self.divisor(b)
        elif op in ("<<", ">>"):
            width = promote(a.type).bits
            b = Expr(f"({b.text} & {width - 1})", promote(b.type), 0, width - 1)
            if promote(a.type).signed and op == "<<":
                a = (
                    self.unsigned(a)
                    if self.chance(0.5)
                    else Expr(f"({a.text} & 0xff)", promote(a.type), 0, 255)
                )
                if a.type.signed:
                    b = Expr(f"({b.text} & 7)", b.type, 0, 7)
        t = promote(a.type) if op in ("<<", ">>") else common(a.type, b.type)
        if not t.signed:
            self.counts.add(f"operator {op}")
            return whole(f"({a.text} {op} {b.text})", t)
        for _ in range(3):
            low, high = self.interval(op, a, b)
            t = promote(a.type) if op in ("<<", ">>") else common(a.type, b.type)
            if not t.signed:
                break
            if t.low <= low and high <= t.high:
                self.counts.add(f"operator {op}")
                return Expr(f"({a.text} {op} {b.text})", t, low, high)
            if abs(a.low) + abs(a.high) >= abs(b.low) + abs(b.high):
                a = self.shrink(a)
            else:
                b = self.shrink(b)
        return a

    def divisor(self, e):
        t = promote(e.type)
        if t.signed:
            return Expr(f"(({e.text} & 15) + 1)", t, 1, 16)
        return Expr(f"({e.text} | 1)", t, 1, t.high)

    @staticmethod
    def interval(op, a, b):
        t = common(a.type, b.type)
        corners = [(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
        if op == "+":
            return a.low + b.low, a.high + b.high
        if op == "-":
            return a.low - b.high, a.high - b.low
        if op == "*":
            values = [x * y for x, y in corners]
            return min(values), max(values)
        if op == "/":  # divisors are positive
            return min(a.low, 0), max(a.high, 0)
        if op == "%":
            return min(a.low, 0), max(a.high, 0)
        if op == "&" and (a.low >= 0 or b.low >= 0):
            highs = [x.high for x in (a, b) if x.low >= 0]
            return 0, min(highs)
        if op == "<<":
            return min(a.low << b.high, a.low), max(a.high << b.high, a.high)
        if op == ">>":
            return min(a.low, a.low >> b.high), max(a.high, 0)
        if op in "|^&" and a.low >= 0 and b.low >= 0:
            return 0, (1 << max(a.high.bit_length(), b.high.bit_length())) - 1
        return t.low, t.high

    def real_operation(self, depth, uniform):
        if self.chance(0.25):
            return self.math(depth, uniform)
        a = self.expression("real", depth - 1, uniform)
        b = self.expression("real" if self.chance(0.7) else "int", depth - 1, uniform)
        op = self.pick(["+", "-", "*", "/"])
        self.counts.add(f"operator {op}")
        if self.chance(0.1):
            self.counts.add("operator unary -")
            return Expr(f"(- {a.text})", a.type)
        return Expr(f"({a.text} {op} {b.text})", common(a.type, b.type))

    def math(self, depth, uniform):
        fn = self.pick(list(MATH))
        self.counts.add(f"math {fn}")
        t = self.pick([F32, F64])

        def argument():
            # Zeros of opposite sign (fmin, fmax) and the sign of NaN (copysign)
            # are left open; integers have neither.
            if fn in ("fmin", "fmax", "copysign"):
                return f'({t.name})({self.expression("int", depth - 1, uniform).text})'
            return f'({t.name})({self.expression("real", depth - 1, uniform).text})'

        args = ", ".join(argument() for _ in range(MATH[fn]))
        return Expr(f"std::{fn}({args})", t)

    def condition(self, depth, uniform=False):
        roll = self.rng.random()
        if depth > 0 and roll < 0.2:
            op = self.pick(["&&", "||"])
            self.counts.add(f"operator {op}")
            uniform = uniform or self.straight
            a, b = self.condition(depth - 1, uniform), self.condition(depth - 1, uniform)
            return Expr(f"({a.text} {op} {b.text})", BOOL, 0, 1)
        want = "real" if roll > 0.75 else "int"
        op = self.pick(COMPARISONS)
        self.counts.add(f"operator {op}")
        a = self.expression(want, depth - 1, uniform)
        b = self.expression(want, depth - 1, uniform)
        return Expr(f"({a.text} {op} {b.text})", BOOL, 0, 1)

    def pure_call(self, want, depth):
        roll = self.rng.random()
        if want == "int" and roll < 0.3 and not self.straight:
            fn = self.pick(["min", "max"])
            self.counts.add(f"std::{fn}")
            t = self.pick([I32, U32, I64, U8])
            a = f'({t.name})({self.expression("int", depth - 1).text})'
            b = f'({t.name})({self.expression("int", depth - 1).text})'
            return whole(f"std::{fn}<{t.name}>({a}, {b})", t)
        if want == "int" and 0.3 <= roll < 0.4:
            self.counts.add("std::abs")
            e = self.shrink(self.expression("int", depth - 1))
            return (
                Expr(f"std::abs((int)({e.text}))", I32, 0, I32.high)
                if e.fits(I32) and e.low > I32.low
                else None
            )
        wanted = [
            h
            for h in self.helpers
            if h.pure
            and h.result
            and h.result.real == (want == "real")
            and not (self.in_helper and h.divergent)
        ]
        if not wanted:
            return None
        helper = self.pick(wanted)
        args = self.arguments(helper, depth - 1)
        if args is None:
            return None
        self.counts.add("call of a pure helper")
        return whole(f"{helper.name}({args})", helper.result)

    def arguments(self, helper, depth):
        texts = []
        used = set()
        for kind, t, extent in helper.params:
            if kind == "depth":
                texts.append(str(self.rng.randrange(1, 4)))
            elif kind == "value":
                e = self.expression("real" if t.real else "int", depth)
                texts.append(e.text)
            elif kind == "ref":
                lvalue = self.lvalue(t, used)
                if not lvalue:
                    return None
                texts.append(lvalue)
            else:
                places = self.visible(
                    Place,
                    lambda p: p.base
                    and p.type is t
                    and len(p.extents) == 1
                    and p.extents[0] >= extent
                    and (kind == "cptr" or p.writable and not p.uniform)
                    and p.base not in used,
                )
                if not places:
                    return None
                place = self.pick(places)
                used.add(place.base)
                slack = place.extents[0] - extent
                if slack and self.chance(0.5):
                    self.counts.add("pointer plus uniform offset")
                    texts.append(f"{place.base} + {self.index(slack + 1)}")
                else:
                    texts.append(place.base)
        return ", ".join(texts)

    def lvalue(self, t, used=()):
        """Text of a varying lvalue of exactly type t."""
        things = self.visible(
            Var, lambda v: v.type is t and v.assignable and not v.uniform and v.name not in used
        )
        things += self.visible(
            Place,
            lambda p: p.type is t
            and p.writable
            and not p.uniform
            and p.pattern not in used
            and p.base not in used,
        )
        if not things:
            return None
        thing = self.pick(things)
        if isinstance(used, set):
            used.add(thing.name if isinstance(thing, Var) else thing.base or thing.pattern)
        return thing.name if isinstance(thing, Var) else self.access(thing).text
