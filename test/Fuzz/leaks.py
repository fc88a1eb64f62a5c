# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programmes with a planted leak: one address depends on data.

The leak goes through one of LAUNDRIES, in a random programme, plain or wrapped
in a loop, a uniform branch or a branch on data. It lies before any early return
and addresses parameter `dst`, so that a recorder sees it: different data give
different traces. Its twin is the same programme with a uniform value and a constant table
in place of the data.
"""
import random
import re

from laundries import CALLEES, FAR_CALLEES, LAUNDRIES, WITHOUT_TWIN, WRAPPERS
from model import Place, U32
from programme import HEADER, Generator, files

class LeakGenerator(Generator):
    """Plants `laundry`, or its twin, after a few random statements at the top of the entry."""

    def __init__(self, rng, counts, number, laundry, twin):
        super().__init__(rng, counts, number)
        self.laundry = laundry
        self.twin = twin
        self.planted = False

    def parameters(self):
        scope, texts, call = super().parameters()
        texts += ["uint32_t src[4] COLONNADE_EXTENT(4)", "uint32_t dst[8] COLONNADE_EXTENT(8)"]
        call += [
            f'(uint32_t *){self.array("src", U32, 4, False)}',
            f'(uint32_t *){self.array("dst", U32, 8, False)}',
        ]
        scope += [
            Place("src[%s]", U32, [4], False, False, "", "src"),
            Place("dst[%s]", U32, [8], False, True, "dst", "dst"),
        ]
        self.top += CALLEES.format(f=self.prefix).split("\n")
        self.other += FAR_CALLEES.format(f=self.prefix).split("\n")
        return scope, texts, call

    def block(self, size):
        if self.indent == 1 and not self.in_helper and not self.planted:
            self.planted = True
            result, self.result = self.result, False  # no early return before the leak
            super().block(self.rng.randrange(0, 3))
            self.result = result
            self.plant()
        super().block(size)

    def plant(self):
        x = f"src[{self.rng.randrange(4)}]"
        if self.chance(0.3):
            x = f"(src[0] ^ src[{self.rng.randrange(1, 4)}])"
        wrapper = self.pick(list(WRAPPERS))
        leak = LAUNDRIES[self.laundry]
        if self.twin:
            x, leak = "(unsigned)n", re.sub(r"\bsrc\b", f"{self.prefix}_calm", leak)
            if "data" in wrapper or "exit" in wrapper:
                wrapper = "plain"
        what = "twin" if self.twin else "leak"
        self.counts.add(f"{what} {wrapper}")
        self.counts.add(f"{what}: {self.laundry}")
        self.emit("unsigned seen = 0;")
        if self.chance(0.5):  # else every origin is a cell that is never written
            self.emit(f"src[{self.rng.randrange(4)}] ^= dst[{self.rng.randrange(8)}];")
        self.emit(f"// {what}: {self.laundry}, {wrapper}")
        self.emit(WRAPPERS[wrapper].format(leak=leak.format(x=x, f=self.prefix)))
        self.emit("dst[7] ^= seen;")


def generated(seed, numbers, counts, names, twin):
    """As programme.programme; number k plants the k-th of the names, modulo their count."""
    lines, other, entries = list(HEADER), [], []
    for number in numbers:
        rng = random.Random(f"leak {seed}/{number}")
        generator = LeakGenerator(rng, counts, number, names[number % len(names)], twin)
        text, entry = generator.generate()
        lines += text
        other += generator.other
        entries.append(entry)
    return files(lines, other), entries


def programme(seed, numbers, counts):
    return generated(seed, numbers, counts, sorted(LAUNDRIES), False)


def twins(seed, numbers, counts):
    return generated(seed, numbers, counts, sorted(LAUNDRIES.keys() - WITHOUT_TWIN), True)
