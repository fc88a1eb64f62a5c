# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programmes that call one function from several places, alike enough that a kernel
can keep the calls: with other arrays (also one array twice, rows, parts of arrays), values and
constants, from branches on data, from loops that data ends, and from each other.

Arithmetic is that of uint64_t, cut to the type; indices are uniform, so each is of class A or P.
"""
import random

from model import ArrayDescription, Entry, F32, F64, I32, I64, U16, U32, U64, U8
from programme import HEADER, files

TYPES = [U8, U8, U16, U32, U32, U64, I32, I64, F32, F64]
OPERATORS = "+ - * ^ & | << >> / ? ?".split()
# First arguments that give calls of one shape; second arguments.
TARGETS = [["s", "t"], ["a", "a"], ["s", "t", "s"], ["rows[1]", "rows[3]"], ["s + 2", "t + n"]]
TARGETS += [["s", "a"]]
SOURCES = [["b", "b"], ["b", "u"], ["l"], ["b", "b + 1"]]


class RepeatedCalls:
    def __init__(self, rng, number):
        self.rng, self.name = rng, f"c{number}"
        self.type = self.pick(TYPES)
        others = [F32, F64] if self.type.real else [U8, U32, U64, I32, self.type]
        self.other = self.pick(others)
        self.callees, self.lines = [], []

    def pick(self, items):
        return self.rng.choice(items)

    def expression(self, leaves, depth=2, t=None):
        t = t or self.type
        if depth == 0 or self.rng.random() < 0.15:
            small = self.rng.random() < 0.2
            return f"({t.name})({self.rng.randrange(1, 100) if small else self.pick(leaves)})"
        x, y = (self.expression(leaves, depth - 1, t) for _ in range(2))
        operator = self.pick("+ - * ?".split() if t.real else OPERATORS)
        if operator == "?":
            return f"({x} {self.pick(['<', '>', '=='])} {y} ? {x} : {y})"
        if t.real:
            return f"({x} {operator} {y})"
        if operator == "<<":
            return f"({t.name})((uint64_t){x} << {self.rng.randrange(1, 7)})"
        if operator == ">>":
            return f"({t.name})({x} >> (({x} ^ {y}) & 7))"
        last = f"((uint64_t){y} | 1)" if operator == "/" else f"(uint64_t){y}"
        return f"({t.name})((uint64_t){x} {operator} {last})"

    def condition(self, leaves):
        x, y = (self.expression(leaves, 1) for _ in range(2))
        return f"{x} {self.pick(['<', '>', '==', '<=', '!='])} {y}"

    def callee(self):
        """p and q have three cells and more; m is uniform, from 0 to 2."""
        t, leaves = self.type.name, ["p[0]", "p[m]", "q[1]", "ref", "x", "acc", f"{self.name}_t[m]"]
        name = f"{self.name}_f{len(self.callees)}"
        lines = [f"static {t} {name}({t} *p, const {self.other.name} *q, {t} &ref, "]
        lines[0] += f"{self.other.name} x, int m) {{"
        lines.append(f"  {t} acc = {self.expression(['p[1]', 'q[m]', 'x', 'ref'])};")
        for _ in range(self.rng.randrange(3, 7)):
            lines.append("  " + self.step(leaves))
        self.callees.append(name)
        return [*lines, f"  return {self.expression(leaves, 1)};", "}"]

    def step(self, leaves):
        e = lambda depth=2, more=(): self.expression([*leaves, *more], depth)
        steps = [
            lambda: f"acc = {e()};",
            lambda: f"p[{self.pick(['0', '1', '2', 'm'])}] = {e()};",
            lambda: f"ref = {e()};",
            lambda: f"if ({self.condition(leaves)}) {{ p[m] = {e(1)}; acc = {e(1)}; }}",
            lambda: f"for (int i = 0; i < {self.pick(['3', 'm + 1'])}; i++) "
            f"p[i] = {e(2, ['p[i]', 'q[i]', 'i'])};",
            lambda: f"for (int i = m; i < 3; i++) acc = {e(2, ['p[i]'])};",
            lambda: f"if ({self.condition(leaves)}) return {e(1)};",
        ]
        if self.callees:
            x = self.expression(["x"], 1, self.other)
            ref, callee = self.pick(["ref", "acc"]), self.callees[-1]
            steps.append(lambda: f"acc = {callee}(p, q, {ref}, {x}, m);")
        return self.pick(steps)()

    def calls(self):
        """Statements with calls: plain, in branches, or in loops."""
        leaves = ["v", "w", "a[1]", "s[2]", "t[3]", "rows[1][1]", "y"]
        targets, sources = self.pick(TARGETS), self.pick(SOURCES)
        callee, place = self.pick(self.callees), self.pick(["plain", "branch", "loop"])
        m = self.pick([["n % 3"], ["1"], ["n % 3", "n & 1"], ["0", "1"]])
        for i in range(self.rng.randrange(4, 9)):
            result, ref = self.pick(["vw", "wv", "vw"])
            x = self.pick(["y", "b[n]", f"({self.other.name}){i % 3}"])
            call = f"{callee}({targets[i % len(targets)]}, {sources[i // 2 % len(sources)]}, "
            call = f"{result} = {call}{ref}, {x}, {m[i % len(m)]});"
            if place == "branch":
                call = f"if ({self.condition(leaves)}) {{ {call} }}"
            elif place == "loop":
                ends = f" if ({self.condition(leaves)}) {self.pick(['break', 'continue'])};"
                call += ends if self.rng.random() < 0.4 else ""
                call = f"for (int j = 0; j < {self.pick(['n', '2', '3'])}; j++) {{ {call} }}"
            yield f"  {call}"

    def entry(self):
        t, other, name = self.type.name, self.other.name, self.name
        table = ", ".join(str(self.rng.randrange(1, 9)) for _ in range(3))
        lines = [f"static const {t} {name}_t[3] = {{{table}}};"]
        for _ in range(self.rng.randrange(1, 4)):
            lines += self.callee()
        more = "COLONNADE_EXTENT(n + 4)"
        lines += [
            "COLONNADE_BULK",
            f"void {name}(int n, {t} *a {more}, {other} *b {more}, COLONNADE_UNIFORM const "
            f"{other} *u {more}, {t} *out COLONNADE_EXTENT(5)) {{",
            f"  {t} s[9] = {{}}, t[9] = {{1, 2, 3}}, rows[4][3] = {{}};",
            f"  {t} v = a[0], w = a[2];",
            f"  {other} y = b[1], l[4] = {{b[0], b[1], b[2], b[3]}};",
            "  for (int i = 0; i < 4; i++) { s[i] = a[i]; t[i + 2] = a[3 - i]; "
            "rows[i][i % 3] = a[i]; }",
            *self.calls(),
            "  a[0] = s[1]; a[1] = t[2]; a[2] = rows[1][1]; a[3] = rows[3][0];",
            "  out[0] = v; out[1] = w; out[2] = s[3]; out[3] = t[4]; out[4] = rows[1][0];",
            "}",
            "",
        ]
        n = self.rng.randrange(1, 4)
        entry = Entry(name, scalars=[("n", I32.cell, n)])
        for array, cell, cells in (("a", self.type, n + 4), ("b", self.other, n + 4)):
            entry.arrays.append(ArrayDescription(array, cell.cell, cells, False))
        entry.arrays.append(ArrayDescription("u", self.other.cell, n + 4, True))
        entry.arrays.append(ArrayDescription("out", self.type.cell, 5, False))
        entry.wrapper = [
            f"{name}((int)S[0], ({t} *)A[0], ({other} *)A[1], ({other} *)A[2], ({t} *)A[3]);"
        ]
        return lines, entry


def programme(seed, numbers, counts):
    """(text by file's stem, entries), as programme.programme()."""
    lines, entries = list(HEADER), []
    for number in numbers:
        text, entry = RepeatedCalls(random.Random(f"{seed}/{number}"), number).entry()
        lines += text
        entry.number = number
        entries.append(entry)
        counts.add("repeated calls")
    return files(lines, []), entries
