# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programmes of the accepted subset, as C++ text.

Every programme is free of undefined behaviour for all data, by construction:
integer expressions carry an interval, and an operation is generated only where
its result fits; divisors, shift counts and float-to-integer operands are
guarded; indices are uniform and reduced to the extent. Every programme is
oblivious by construction too: variables are marked uniform when declared, and
a uniform one is assigned uniform values under uniform control only.

A Programme has the text of the file and a list of Entry descriptions, enough to
call the functions. `Counts` tells how often each construct was generated.
"""
import random

from expressions import Expressions
from helpers import Helpers
from loops import Loops
from model import *
from objects import Objects
from shapes import SHAPES, Shapes
from statements import Statements


class Generator(Expressions, Statements, Loops, Objects, Shapes, Helpers):
    """Generates one entry function with its helpers, tables and types."""

    def __init__(self, rng, counts, number):
        self.rng = rng
        self.counts = counts
        self.number = number
        self.prefix = f"f{number}"
        self.top = []  # lines before the function
        self.other = []  # lines of another file
        self.defined = set()  # names of SHAPE_TYPES that are there
        self.lines = []
        self.indent = 1
        self.serial = 0
        self.index_depth = 0
        self.scopes = []  # lists of Var and Place
        self.helpers = []
        self.divergent = False  # some instances may not be here
        self.returned = False  # some may have left the function, whatever ends after it
        self.loops = []  # (allows data exit, allows continue)
        self.trips = 1
        self.result = None
        self.entry = None
        self.in_helper = False
        self.pure = False
        self.featured = SHAPES[number % len(SHAPES)]  # occurs in any case
        # No branch on data: class A.
        self.straight = rng.random() < 0.25 and not self.branches(self.featured[1])

    # -- small tools --

    def chance(self, p):
        return self.rng.random() < p

    def pick(self, items):
        return self.rng.choice(items)

    def fresh(self, stem):
        self.serial += 1
        return f"{stem}{self.serial}"

    def emit(self, line):
        self.lines.append("  " * self.indent + line)

    def declare(self, thing):
        self.scopes[-1].append(thing)
        return thing

    def visible(self, kind, test=lambda thing: True):
        return [t for scope in self.scopes for t in scope if isinstance(t, kind) and test(t)]

    def scoped(self, body):
        self.scopes.append([])
        self.indent += 1
        body()
        self.indent -= 1
        self.scopes.pop()

    # -- the entry --

    def parameters(self):
        n = self.rng.randrange(4, 9)
        nt = self.pick([I32, I32, U32, I64, U8, U64])
        scope, texts = [Var("n", nt, True, False, n, n)], [f"{nt.name} n"]
        self.entry.scalars.append(("n", nt.cell, n))
        call = ["({}) S[0]".format(nt.name)]
        for i in range(self.rng.randrange(0, 3)):
            t = self.pick(SCALARS)
            name = f"k{i}"
            value = self.rng.choice([1, 0]) if t is BOOL else self.rng.choice([0, 1, 2, 5, 100])
            self.counts.add(f"uniform scalar {t.name}")
            texts.append(f"{t.name} {name}")
            call.append(f"bits_to<{t.name}>(S[{len(self.entry.scalars)}])")
            self.entry.scalars.append((name, t.cell, value))
            scope.append(Var(name, t, True, False))
        for i in range(self.rng.randrange(2, 5)):
            text, argument, places = self.array_parameter(f"a{i}", n)
            texts.append(text)
            call.append(argument)
            scope += places
        if self.chance(0.4):
            t = self.pick(SCALARS)
            self.counts.add("instance scalar")
            texts.append(f"COLONNADE_INSTANCE {t.name} q")
            call.append(f'*({t.name} *){self.array("q", t, 1, False)}')
            scope.append(Var("q", t, False))
        if self.chance(0.3):
            text, argument, places = self.struct_parameter()
            texts.append(text)
            call.append(argument)
            scope += places
        return scope, texts, call

    def array(self, name, t, cells, uniform, low=None, high=None):
        self.entry.arrays.append(ArrayDescription(name, t.cell, cells, uniform, low, high))
        return f"A[{len(self.entry.arrays) - 1}]"

    def array_parameter(self, name, n):
        form = self.rng.randrange(8)
        t = self.pick(SCALARS)
        if form == 0 or form == 1:  # uniform
            low = high = None
            if form == 0:
                t, low, high = self.pick([I32, U8, U32, I64]), 0, 3
            self.counts.add("uniform array")
            a = self.array(name, t, n, True, low, high)
            return (
                f"COLONNADE_UNIFORM const {t.name} *{name} COLONNADE_EXTENT(n)",
                f"(const {t.name} *){a}",
                [Place(f"{name}[%s]", t, [n], True, False, "", name, low, high)],
            )
        if form == 2:
            self.counts.add("parameter T a[N]")
            extent = self.rng.randrange(2, 7)
            a = self.array(name, t, extent, False)
            return (
                f"{t.name} {name}[{extent}] COLONNADE_EXTENT({extent})",
                f"({t.name} *){a}",
                [Place(f"{name}[%s]", t, [extent], False, True, name, name)],
            )
        if form == 3:
            self.counts.add("parameter T a[N][M]")
            e, f = self.rng.randrange(2, 4), self.rng.randrange(2, 4)
            a = self.array(name, t, e * f, False)
            return (
                f"{t.name} {name}[{e}][{f}] COLONNADE_EXTENT({e})",
                f"({t.name} (*)[{f}]){a}",
                [Place(f"{name}[%s][%s]", t, [e, f], False, True, "", name)],
            )
        if form == 4:
            self.counts.add("const array")
            a = self.array(name, t, n, False)
            return (
                f"const {t.name} *{name} COLONNADE_EXTENT(n)",
                f"(const {t.name} *){a}",
                [Place(f"{name}[%s]", t, [n], False, False, "", name)],
            )
        if form == 5:
            self.counts.add("entry parameter by reference")
            a = self.array(name, t, 1, False)
            return (
                f"{t.name} &{name}",
                f"*({t.name} *){a}",
                [Place(name, t, [], False, True, "", name)],
            )
        self.counts.add("pointer with extent")
        extra = self.rng.randrange(0, 3)
        a = self.array(name, t, n + extra, False)
        extent = f"n + {extra}" if extra else "n"
        return (
            f"{t.name} *{name} COLONNADE_EXTENT({extent})",
            f"({t.name} *){a}",
            [Place(f"{name}[%s]", t, [n + extra], False, True, name, name)],
        )

    def struct_parameter(self):
        kind = f"{self.prefix}_pair"
        by_reference = self.chance(0.5)
        x, y, v = (
            self.array("s.x", I32, 1, False),
            self.array("s.y", F32, 1, False),
            self.array("s.v", U16, 3, False),
        )
        self.counts.add("struct by reference" if by_reference else "struct by pointer")
        dot = "s." if by_reference else "s->"
        self.entry.wrapper += [
            f"{kind} s;",
            f"s.x = *(int32_t *){x};",
            f"s.y = *(float *){y};",
            f"std::memcpy(s.v, {v}, sizeof s.v);",
        ]
        self.entry.after = [
            f"*(int32_t *){x} = s.x;",
            f"*(float *){y} = s.y;",
            f"std::memcpy({v}, s.v, sizeof s.v);",
        ]
        places = [
            Place(f"{dot}x", I32, [], False, True, "", "s.x"),
            Place(f"{dot}y", F32, [], False, True, "", "s.y"),
            Place(f"{dot}v[%s]", U16, [3], False, True, f"{dot}v", "s.v"),
        ]
        if by_reference:
            return f"{kind} &s", "s", places
        return f"{kind} *s COLONNADE_EXTENT(1)", "&s", places

    def generate(self):
        """(lines of text, Entry)."""
        self.entry = Entry(self.prefix, number=self.number)
        self.tables = []
        self.struct_types()
        self.tables = [self.constant_table() for _ in range(self.rng.randrange(1, 3))]
        makers = [
            self.value_helper,
            self.effect_helper,
            self.template_helper,
            self.recursive_helper,
        ]
        for maker in self.rng.sample(makers, self.rng.randrange(1, 4)):
            if not self.straight or maker == self.recursive_helper:
                maker()
        scope, texts, call = self.parameters()
        self.result = self.pick([None, None, I32, U64, F64, BOOL])
        self.lines = []
        self.scopes = [self.tables + scope]
        result, self.result = self.result, False  # no early return before
        self.block(self.rng.randrange(1, 4))
        self.result = result
        self.shape(self.featured)
        self.block(self.rng.randrange(2, 5))
        self.indent = 1
        if self.result:
            self.counts.add("return value")
            self.emit(f"return {self.value_for(self.result, 2)};")
        declaration = (
            f"{self.result.name if self.result else 'void'} {self.prefix}({', '.join(texts)})"
        )
        calling = f"{self.prefix}({', '.join(call)})"
        if self.result:
            r = self.array("return", self.result, 1, False)
            calling = f"*({self.result.name} *){r} = {calling}"
        self.entry.wrapper += [calling + ";"] + self.entry.after
        return (
            self.top + ["COLONNADE_BULK", declaration + " {"] + self.lines + ["}", ""],
            self.entry,
        )


HEADER = [
    "#include <colonnade/annotate.h>",
    "",
    "#include <algorithm>",
    "#include <array>",
    "#include <cmath>",
    "#include <cstdint>",
    "#include <cstdlib>",
    "#include <cstring>",
    "#include <new>",
    "#include <utility>",
    "",
]


def files(lines, other):
    """Text by file's stem, the entries' file first."""
    texts = {"batch": "\n".join(lines)}
    if any(other):
        texts["other"] = "\n".join(["#include <cstdint>", "", *other])
    return texts


def programme(seed, numbers, counts):
    """(text by file's stem, entries): one function for each number; each depends on seed and
    number alone."""
    lines, other, entries = list(HEADER), [], []
    for number in numbers:
        generator = Generator(random.Random(f"{seed}/{number}"), counts, number)
        text, entry = generator.generate()
        lines += text
        other += generator.other
        entries.append(entry)
    return files(lines, other), entries
