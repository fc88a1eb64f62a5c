# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shapes of C++ that are easily lost or mistaken: side effects in odd operands, state of a
loop that something else changes, member initialisers, statics, views of other
types, arrays of pointers, other files. (What has a destructor that does something is outside
the subset: laundries.py has such programmes, to be refused.)

A form is a piece of text with holes: {a} and {b} are varying uint32_t variables of its own,
{x} and {y} varying values, {u} a uniform variable from 0 to 3, {r} and {s} fresh names,
{c} a condition (on data, unless the programme is free of such branches), {w} a uniform
one, {k} a small number, {f} the prefix. Before a form that needs one stands a type of
shape_types.py. What a form computes ends in {a} and {b}, which the programme goes on to use.
"""
from model import *
from shape_types import SHAPE_TYPES

# Shape, form: text.
FORMS = {
    ("odd operand", "sizeof"): "{b} += (uint32_t)sizeof({a}++);",
    ("odd operand", "decltype"): "decltype({a}++) {r} = 3u; {b} ^= {r};",
    ("odd operand", "noexcept"): "{b} += noexcept({a}++);",
    ("odd operand", "__builtin_expect"): "{b} += (uint32_t)__builtin_expect({a}++ & 1u, 1);",
    ("odd operand", "__builtin_prefetch"): "uint32_t {r}[2] = {{{x}, {y}}}; "
    "__builtin_prefetch(({a}++, {r})); {b} ^= {r}[1];",
    ("odd operand", "__builtin_assume_aligned"): "uint32_t {r}[2] = {{{x}, {y}}}; "
    "{b} ^= *(const uint32_t *)__builtin_assume_aligned(({a}++, {r}), 4);",
    ("odd operand", "cast to void"): "(void)({a} += {x});",
    ("odd operand", "unused sum"): "({a}++) + ({b} += 3u);",
    ("odd operand", "chain of assignments"): "{a} = {b} = {x};",
    ("odd operand", "assigned assignment"): "({a} += {x}) <<= 3;",
    ("odd operand", "incremented increment"): "++(++{a});",
    ("odd operand", "comma in a subscript"): "uint32_t {r}[2] = {{{x}, {y}}}; "
    "{r}[({a}++, 1u)] ^= 5u; {b} += {r}[1];",
    ("odd operand", "increment in a subscript"): "uint32_t {r}[3] = {{{x}, {y}, 7u}}; "
    "uint32_t {s} = 0u; {r}[{s}++] += 5u; {r}[++{s}] ^= {x}; {a} ^= {r}[{s} - 2u] + {r}[{s}];",
    ("odd operand", "chosen variable"): "({w} ? {a} : {b}) = {x};",
    ("odd operand", "arms of ?:"): "{b} ^= {c} ? {a}++ : {a}--;",
    ("odd operand", "initialisers of an array"): "uint32_t {r}[3] = {{{a}++, {a} *= 3u, {a}}}; "
    "{b} ^= {r}[0] + {r}[1] * 5u + {r}[2];",
    ("odd operand", "initialisers of a struct"): "{f}_three {r} = {{{a}++, {a} *= 3u, {a}}}; "
    "{b} ^= {r}.p + {r}.q * 5u + {r}.r;",
    ("odd operand", "initialiser of an if"): "if (uint32_t {r} = {a}++; {w}) {b} += {r};",
    ("odd operand", "initialiser of an if, on data"): "if (uint32_t {r} = {a}++; {c}) {b} += {r}; "
    "else {b} -= {r};",
    ("odd operand", "operand of a switch"): "switch ({a}++ % 3u) {{ case 0: {b}++; break; "
    "case 1: {b} += {a}; default: {b} ^= 9u; }}",
    ("odd operand", "header of a for"): "for (uint32_t {r} = ({a}++, 0u); {b} += 2u, {r} < 3u; "
    "{r}++, {a} ^= {b}) {b}++;",
    ("odd operand", "condition of a while"): "uint32_t {r} = 0u; "
    "while (({a} += 3u), {r}++ < 3u) {b} ^= {a};",
    ("odd operand", "condition of a do"): "uint32_t {r} = 0u; do {{ {b} ^= {a}; }} "
    "while ({a}++, ++{r} < 3u);",
    ("odd operand", "object of a static member"): "{f}_three {r} = {{{x}, 1u, 2u}}; "
    "{b} += ({a}++, {r}).K;",
    ("odd operand", "object of an enumerator"): "{f}_three {r} = {{{x}, 1u, 2u}}; "
    "{b} += (uint32_t)({a}++, {r}).E;",
    ("odd operand", "object of a static method"): "{f}_three {r} = {{{x}, 1u, 2u}}; "
    "{b} += ({a}++, {r}).twice({y});",
    ("odd operand", "value of &&"): "bool {r} = ({a}++ & 1u) && ({b}++ & 2u); {b} += {r};",
    ("odd operand", "value of ||"): "bool {r} = ({a}++ & 1u) || ({b}++ & 2u); {b} += {r};",
    ("odd operand", "narrowing cast"): "{b} += (uint8_t)({a} += {x});",
    ("odd operand", "called lambda"): "{a} = [&] {{ {b}++; return {b} * 3u; }}();",
    ("odd operand", "left of a comma"): "({b}++, {a}) = {x};",
    ("odd operand", "reference to an assignment"): "uint32_t &{r} = ({a} = {x}); {r} += 7u;",
    ("odd operand", "reference to an increment"): "uint32_t &{r} = ++{a}; {r} ^= 7u;",
    ("odd operand", "address of a dereference"): "*&{a} += 1u; (&{a})[0] ^= {x};",
    ("odd operand", "default argument"): "{b} ^= {f}_with_default({a}++);",
    ("odd operand", "argument by reference"): "{b} ^= {f}_first({a} += {x}, {b}++);",
    ("odd operand", "object of a method"): "{f}_sum {r} = {{{x}}}; ({a}++, {r}).add({y}); "
    "{b} ^= {r}.s;",
    ("state of a loop", "varying, by a method"): "{f}_sum {r} = {{{x}}}; "
    "for (int {s} = 0; {s} < {k}; {s}++) {{ {a} ^= {r}.get(); {r}.add({y}); }} {b} += {r}.s;",
    ("state of a loop", "varying, by a lambda"): "auto {r} = [&](uint32_t v) {{ "
    "{a} = {a} * 3u + v; }}; for (int {s} = 0; {s} < {k}; {s}++) {{ {b} ^= {a}; {r}({y}); }}",
    ("state of a loop", "varying, by a reference"): "uint32_t &{r} = {a}; "
    "for (int {s} = 0; {s} < {k}; {s}++) {{ {b} ^= {a}; {r} = {r} * 5u + {y}; }}",
    ("state of a loop", "varying, by a pointer"): "uint32_t *{r} = &{a}; "
    "for (int {s} = 0; {s} < {k}; {s}++) {{ {b} ^= {a}; *{r} = *{r} * 5u + {y}; }}",
    ("state of a loop", "varying, by a callee"): "for (int {s} = 0; {s} < {k}; {s}++) {{ "
    "{b} ^= {a}; {f}_stir({a}, {y}); }}",
    ("state of a loop", "ended by a method"): "{f}_sum {r} = {{{x}}}; "
    "for (int {s} = 0; {s} < {k} && {r}.open(); {s}++) {{ {a} ^= {r}.get(); {r}.add({y}); }}",
    # Signed sums that never leave their type: nothing reduces them.
    ("carried sum", "of the counter"): "int {r} = {k}; for (int {s} = 0; {s} < 4; {s}++) {{ "
    "{b} ^= (uint32_t){r}; {r} += {s}; }} {a} += {x} * (uint32_t){r};",
    ("carried sum", "of itself"): "int {r} = {k}; for (int {s} = 0; {s} < 3; {s}++) {{ "
    "{b} ^= (uint32_t){r}; {r} += {r}; }} {a} += (uint32_t){r};",
    ("carried sum", "of another sum"): "int {r} = {k}; int64_t {s} = 1; "
    "for (int i = 0; i < 4; i++) {{ {r} += i; {s} -= {r}; {b} ^= (uint32_t){s}; }} "
    "{a} ^= (uint32_t)({s} + {r});",
    ("carried sum", "that falls as the counter does"): "int {r} = 0; "
    "for (int {s} = 5; {s} > 0; --{s}) {{ {a} ^= (uint32_t){r} * {x}; {r} -= {k}; }} "
    "{b} += (uint32_t){r};",
    ("carried sum", "as a subscript"): "uint32_t {r}[16] = {{{x}, {y}, 3u, 4u}}; int {s} = 0; "
    "for (int i = 0; i < 5; i++) {{ {r}[{s}] ^= {a} + 1u; {s} += i; }} {b} += {r}[{s}] + {r}[6];",
    ("carried sum", "of a type narrower than int"): "int8_t {r} = 1; "
    "for (int {s} = 0; {s} < 6; {s}++) {{ {b} += (uint32_t){r}; {r} += {r}; }} "
    "{a} ^= (uint32_t){r};",
    ("carried sum", "of data"): "int64_t {r} = -{k}; for (int {s} = 0; {s} < {k}; {s}++) {{ "
    "{r} += (int64_t){x} + {s}; {b} ^= (uint32_t){r}; }} {a} += (uint32_t)({r} >> 3);",
    ("carried sum", "of a number that the outer loop carries"): "int {r} = 0; "
    "for (int {s} = 1; {s} < 4; {s}++) for (int i = 0; i < {s}; i++) {{ {r} += {s}; "
    "{b} ^= (uint32_t){r}; }} {a} += (uint32_t){r};",
    ("carried sum", "that ends, on data"): "int {r} = {k}; for (int {s} = 0; {s} < 5; {s}++) {{ "
    "if ({c}) break; {r} += {s}; {a} += (uint32_t){r}; }} {b} ^= (uint32_t){r};",
    ("member initialisers", "constructor"): "{f}_init {r}({x}); {a} ^= {r}.q + {r}.r * 3u; "
    "{b} += {r}.t[0] ^ {r}.t[1];",
    ("member initialisers", "other constructor"): "{f}_init {r}({x}, {y}); "
    "{a} ^= {r}.q + {r}.r * 3u; {b} += {r}.t[0] ^ {r}.t[1];",
    ("member initialisers", "delegating"): "{f}_init {r}; {a} ^= {r}.q + {r}.r * 3u; "
    "{b} += {r}.t[0] ^ {r}.t[1];",
    ("member initialisers", "temporary"): "{a} ^= {f}_init({x}, {a}).r; {b} += {f}_init({y}).t[1];",
    ("member initialisers", "array of objects"): "{f}_init {r}[2] = {{{f}_init({x}), {f}_init()}}; "
    "{a} ^= {r}[0].q + {r}[1].q; {b} += {r}[0].r ^ {r}[1].t[1];",
    ("member initialisers", "aggregate"): "{f}_agg {r} = {{{x}}}; {a} ^= {r}.q; {b} += {r}.r;",
    ("member initialisers", "designated"): "{f}_agg {r} = {{.p = {x}, .r = {y}}}; {a} ^= {r}.q; "
    "{b} += {r}.r;",
    ("member initialisers", "effect"): "{f}_agg {r} = {{{a}++, {a}}}; {b} += {r}.r ^ {r}.q;",
    ("member initialisers", "nested"): "{f}_outer {r}({x}); {a} ^= {r}.inner.r; {b} += {r}.last;",
    ("static", "table in a function"): "static const uint32_t {r}[4] = {{5u, 9u, 2u, {k}u}}; "
    "{a} ^= {r}[{u}] * {x};",
    ("static", "constant in a function"): "static const uint32_t {r} = {k}u * 3u; {a} += {r};",
    ("static", "constexpr table of structs"): "static constexpr {f}_three {r}[2] = "
    "{{{{1u, 2u, {k}u}}, {{4u, 5u, 6u}}}}; {a} ^= {r}[{u} & 1u].r + {r}[1].q;",
    ("static", "member table"): "{a} ^= {f}_three::table[{u}] + {f}_three::K;",
    ("static", "method"): "{a} ^= {f}_three::twice({x});",
    ("static", "method with a table of its own"): "{b} += {f}_three::weighted({x}, {u});",
    ("static", "inline variable"): "{b} ^= {f}_inline + {a};",
    ("static", "unused"): "[[maybe_unused]] static const uint32_t {r} = {k}u; {a}++;",
    ("view", "bits of a float by memcpy"): "float {r} = (float)({x} & 0xffffu); uint32_t {s}; "
    "std::memcpy(&{s}, &{r}, sizeof {s}); {a} ^= {s};",
    ("view", "bits of a float by bit_cast"): "float {r} = (float)({x} & 0xffffu); "
    "{a} ^= __builtin_bit_cast(uint32_t, {r});",
    ("view", "signed view of an array"): "uint32_t {r}[3] = {{{x}, {y}, 4u}}; "
    "int32_t *{s} = (int32_t *){r}; {s}[1] = -{k}; {a} ^= {r}[1]; {b} += (uint32_t){s}[0];",
    ("view", "signed view of a scalar"): "int32_t &{r} = reinterpret_cast<int32_t &>({a}); "
    "{r} = (int32_t)({y} & 0xffffu) - 5; {b} ^= {a};",
    ("view", "a row of a matrix"): "uint32_t {r}[4][2] = {{{{{x}, 1u}}, {{2u, {y}}}}}; "
    "uint32_t *{s} = {r}[{u}]; {s}[1] += 5u; {a} ^= {r}[1][1] + {s}[0];",
    ("view", "a struct as its first member"): "{f}_three {r} = {{{x}, {y}, 3u}}; "
    "uint32_t &{s} = reinterpret_cast<uint32_t &>({r}); {s} += 9u; {a} ^= {r}.p; {b} += {r}.q;",
    ("array of pointers", "to arrays"): "uint32_t {r}[3] = {{{x}, 1u, 2u}}, {s}[3] = {{{y}, 8u}}; "
    "uint32_t *{r}p[2] = {{{r}, {s}}}; {r}p[{u} & 1u][1] ^= {a}; {b} += {r}[1] * 3u + {s}[1];",
    ("array of pointers", "const"): "uint32_t {r}[2] = {{{x}, 1u}}, {s}[2] = {{{y}, 8u}}; "
    "const uint32_t *const {r}p[3] = {{{r}, {s}, {r}}}; "
    "for (int i = 0; i < 3; i++) {a} = {a} * 3u + {r}p[i][0];",
    ("array of pointers", "to scalars"): "uint32_t *{r}[2] = {{&{a}, &{b}}}; "
    "*{r}[{u} & 1u] += {x};",
    ("array of pointers", "exchanged"): "uint32_t {r}[2] = {{{x}, 1u}}, {s}[2] = {{{y}, 8u}}; "
    "uint32_t *{r}p = {r}, *{s}p = {s}; for (int i = 0; i < 3; i++) {{ {r}p[1] += {s}p[0]; "
    "std::swap({r}p, {s}p); }} {a} ^= {r}[1]; {b} += {s}[1];",
    ("array of pointers", "filled in a loop"): "uint32_t {r}[2][2] = {{{{{x}, 1u}}, {{2u, {y}}}}}; "
    "uint32_t *{s}[2]; for (int i = 0; i < 2; i++) {s}[i] = {r}[1 - i]; "
    "{s}[{u} & 1u][0] += 5u; {a} ^= {r}[0][0] + {r}[1][0] * 3u;",
    ("array of pointers", "reference to one"): "uint32_t *{r}[2] = {{&{a}, &{b}}}; "
    "uint32_t *&{s} = {r}[1]; {s} = &{a}; *{r}[1] += {x}; *{r}[0] ^= 3u;",
    ("other file", "function"): "{a} ^= {f}_far({x});",
    ("other file", "function with the name of a static one"): "{a} ^= {f}_far_near({x}) + "
    "{f}_near({y});",
    ("other file", "out-parameters"): "uint32_t {r}[2] = {{{x}, 1u}}; {f}_far_into({r}, {a}, {y}); "
    "{b} ^= {r}[0] + {r}[1];",
    ("other file", "table"): "{b} += {f}_far_table[{u}] ^ {a};",
    ("other file", "table with the name of a static one"): "{b} += {f}_far_cell({u}) * 3u + "
    "{f}_near_table[{u}];",
    ("other file", "method"): "{f}_shared {r}({x}); {r}.stir({y}); {a} ^= {r}.s;",
}
# Uniform loops: (header lines, the uniform value of the body and its range, footer).
# {n} is the number of iterations.
STATE_LOOPS = {
    "method": ("for ({f}_cursor {r} = {{0u, {n}u}}; {r}.more(); {r}.next()) {{", "{r}.at", 0, 0),
    "method that takes": (
        "{f}_cursor {r} = {{0u, {n}u}}; while ({r}.more()) {{ uint32_t {s} = {r}.take();",
        "{s}",
        0,
        0,
    ),
    "lambda": (
        "uint32_t {r} = 0u; auto {s} = [&] {{ {r} += 1u; return {r}; }}; while ({s}() <= {n}u) {{",
        "{r}",
        1,
        1,
    ),
    "reference": (
        "uint32_t {r} = 0u; uint32_t &{s} = {r}; for (; {r} < {n}u; {s} += 1u) {{",
        "{r}",
        0,
        0,
    ),
    "pointer": (
        "uint32_t {r} = 0u; uint32_t *{s} = &{r}; for (; {r} < {n}u; ++*{s}) {{",
        "{r}",
        0,
        0,
    ),
    "callee": ("uint32_t {r} = 0u; for (; {r} < {n}u; {f}_bump({r})) {{", "{r}", 0, 0),
    "inner loop": (
        "uint32_t {r} = 0u; uint32_t &{s} = {r}; while ({r} < {n}u) {{ "
        "for (int i = 0; i < 2; i++) {s} += 1u; ",
        "{r}",
        2,
        2,
    ),
    "bound by a lambda": (
        "uint32_t {s} = {n}u; auto {s}c = [&] {{ {s} -= 1u; }}; "
        "for (uint32_t {r} = 0u; {r} < {s}; {r}++) {{ {s}c();",
        "{r}",
        0,
        0,
    ),
}
# Not in programmes without branches on data.
BRANCHES = (
    "on data,operand of a switch,value of &&,value of ||,ended by a method"
).split(",")
SHAPES = [*FORMS, *(("uniform state of a loop", name) for name in STATE_LOOPS)]
Counts.register(*(f"{shape}: {form}" for shape, form in SHAPES))


class Shapes:
    def shape(self, chosen=None):
        """A statement of a random shape, or of the one chosen."""
        if self.pure or self.in_helper:
            return self.store()
        shape, form = chosen or self.pick(SHAPES)
        if self.straight and self.branches(form):
            return self.store()
        if shape == "uniform state of a loop":
            # A loop that is not counted may not be reached by some instances only.
            if len(self.loops) >= 3 or self.indent >= 6 or self.trips >= 200 or self.divergent:
                return self.store()
            self.state_loop(form)
        else:
            self.form(shape, form)
        self.counts.add(f"{shape}: {form}")

    @staticmethod
    def branches(form):
        return any(form.endswith(word) for word in BRANCHES)

    def word(self):
        e = self.expression("int", 1)
        return f"(uint32_t)({e.text})"

    def form(self, shape, form):
        text = FORMS[shape, form]
        a, b = self.fresh("v"), self.fresh("v")
        self.emit(f"uint32_t {a} = {self.word()}, {b} = {self.word()};")
        holes = dict(a=a, b=b, x=self.word(), y=self.word(), f=self.prefix)
        holes |= dict(r=self.fresh("r"), s=self.fresh("s"), k=self.rng.randrange(2, 6))
        holes["c"] = self.condition(1, self.straight).text
        holes["w"] = self.condition(1, True).text
        if "{u}" in text:
            holes["u"] = self.small_uniform()
        self.need(text)
        self.emit(text.format(**holes))
        for name in (a, b):
            self.declare(Var(name, U32, False))

    def small_uniform(self):
        name = self.fresh("u")
        e = self.unsigned(self.expression("int", 1, uniform=True))
        self.emit(f"uint32_t {name} = (uint32_t)({e.text} % 4u);")
        self.declare(Var(name, U32, True, False, 0, 3))
        return name

    def need(self, text):
        """The types and functions that a form names, once."""
        for name, definition in SHAPE_TYPES.items():
            if name in text and name not in self.defined:
                self.defined.add(name)
                self.need(definition)
                here, _, there = definition.format(f=self.prefix, k=self.number % 7 + 2).partition(
                    "---\n"
                )
                self.top += here.split("\n")
                self.other += there.split("\n")

    def state_loop(self, form):
        header, value, low, above = STATE_LOOPS[form]
        self.need(header)
        n = 2 * self.rng.randrange(1, 4)
        r, s = self.fresh("r"), self.fresh("s")
        holes = dict(f=self.prefix, r=r, s=s, n=n)
        self.emit("{")
        self.indent += 1
        counter = Var(value.format(**holes), U32, True, False, low, n - 1 + above)
        if form == "inner loop":
            counter.high = n
        saved, self.trips = self.trips, self.trips * n
        self.loops.append((False, False))
        self.emit(header.format(**holes))
        self.scoped(lambda: (self.declare(counter), self.block(self.rng.randrange(1, 3))))
        self.loops.pop()
        self.trips = saved
        self.emit("}")
        self.indent -= 1
        self.emit("}")
