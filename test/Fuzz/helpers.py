# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random callees, tables and types before the entry."""
from model import *


class Helpers:
    # -- helpers, tables, types --

    def with_body(self, header, scope, result, fill):
        saved = (
            self.lines,
            self.scopes,
            self.divergent,
            self.returned,
            self.loops,
            self.trips,
            self.result,
            self.indent,
        )
        self.lines, self.scopes = [], [self.tables + scope]
        self.divergent = self.returned = False
        self.loops, self.trips, self.result, self.indent = [], 4, result, 1
        self.in_helper = True
        fill()
        self.in_helper = False
        body = self.lines
        (
            self.lines,
            self.scopes,
            self.divergent,
            self.returned,
            self.loops,
            self.trips,
            self.result,
            self.indent,
        ) = saved
        self.top += [header] + body + ["}", ""]

    def value_helper(self):
        name = f'{self.prefix}_{self.fresh("h")}'
        result = self.pick([I32, U32, U64, F32, F64, U8, I16])
        params = [("value", self.pick(SCALARS), 0) for _ in range(self.rng.randrange(1, 3))]
        scope = [Var(f"x{i}", t, False) for i, (_, t, _) in enumerate(params)]
        declared = ", ".join(f"{v.type.name} {v.name}" for v in scope)

        def fill():
            self.pure = True
            self.block(self.rng.randrange(0, 3))
            if self.chance(0.5):
                self.counts.add("early return in a helper")
                self.emit(f"if ({self.condition(2).text})")
                self.emit(f"  return {self.value_for(result, 2)};")
                self.block(self.rng.randrange(0, 2))
            self.emit(f"return {self.value_for(result, 2)};")
            self.pure = False

        saved, self.result = self.result, False
        self.with_body(f"static {result.name} {name}({declared}) {{", scope, False, fill)
        self.result = saved
        self.helpers.append(Helper(name, result, params, True))

    def effect_helper(self):
        name = f'{self.prefix}_{self.fresh("h")}'
        t, r = self.pick(SCALARS), self.pick(SCALARS)
        extent = self.rng.randrange(1, 4)
        params = [("ptr", t, extent), ("ref", r, 0), ("value", self.pick(SCALARS), 0)]
        scope = [
            Place("p[%s]", t, [extent], False, True, "p"),
            Var("r", r, False),
            Var("x", params[2][1], False),
        ]

        def fill():
            self.block(self.rng.randrange(2, 5))
            if self.chance(0.4):
                self.counts.add("early return in a helper")
                self.emit(f"if ({self.condition(2).text})")
                self.emit("  return;")
                self.divergent = True
                self.block(self.rng.randrange(1, 3))

        self.with_body(
            f"static void {name}({t.name} *p, {r.name} &r, {params[2][1].name} x) {{",
            scope,
            None,
            fill,
        )
        self.counts.add("reference parameter")
        self.counts.add("pointer parameter")
        self.helpers.append(Helper(name, None, params, False))

    def template_helper(self):
        name = f'{self.prefix}_{self.fresh("t")}'
        self.counts.add("template")
        self.top += [
            "template <class T, int N>",
            f"static T {name}(const T *p, T x) {{",
            "  T sum = x;",
            "  for (int i = 0; i < N; i++)",
            f'    if (p[i] < x) sum = (T)(sum {self.pick(["^", "|", "&"])} p[i]);',
            "  return sum;",
            "}",
            "",
        ]
        t = self.pick([U8, U32, U64, I64, I8])
        n = self.rng.randrange(1, 4)
        self.helpers.append(
            Helper(f"{name}<{t.name}, {n}>", t, [("cptr", t, n), ("value", t, 0)], True)
        )

    def recursive_helper(self):
        name = f'{self.prefix}_{self.fresh("r")}'
        self.counts.add("recursion")
        self.top += [
            f"static uint32_t {name}(uint32_t x, int depth) {{",
            "  if (depth <= 0)",
            "    return x;",
            f"  return {name}(x * 3u + 1u, depth - 1) ^ (x >> {self.rng.randrange(1, 31)});",
            "}",
            "",
        ]
        self.helpers.append(Helper(name, U32, [("value", U32, 0), ("depth", I32, 0)], True))

    def constant_table(self):
        name = f'{self.prefix}_{self.fresh("c")}'
        t = self.pick(INTEGERS + [F32])
        n = self.rng.randrange(3, 9)
        self.counts.add("constant table")
        values = [self.rng.randrange(8) for _ in range(n)]
        word = self.pick(["static const", "constexpr", "const"])
        self.top += [f"{word} {t.name} {name}[{n}] = {{{', '.join(map(str, values))}}};", ""]
        return Place(
            f"{name}[%s]",
            t,
            [n],
            True,
            False,
            "",
            low=None if t.real else 0,
            high=None if t.real else max(values),
        )

    def struct_types(self):
        kind = f"{self.prefix}_pair"
        self.top += [
            f"enum {self.prefix}_plain "
            f"{{ {self.prefix}_p1 = 1, {self.prefix}_p2, {self.prefix}_p3 }};",
            f"enum class {self.prefix}_scoped : uint8_t {{ e0, e1, e2, e3 }};",
            f"struct {kind} {{",
            "  int32_t x;",
            "  float y;",
            "  uint16_t v[3];",
            "  void turn(uint16_t by) {",
            "    uint16_t first = v[0];",
            "    v[0] = v[1];",
            "    v[1] = v[2];",
            "    v[2] = (uint16_t)(first + by);",
            "  }",
            "};",
            f"static inline {kind} operator+(const {kind} &a, const {kind} &b) {{",
            f"  {kind} c = a;",
            "  c.x = (int32_t)((uint32_t)a.x + (uint32_t)b.x);",
            "  c.y = a.y + b.y;",
            "  for (int i = 0; i < 3; i++)",
            "    c.v[i] = (uint16_t)(a.v[i] + b.v[i]);",
            "  return c;",
            "}",
            "",
        ]
