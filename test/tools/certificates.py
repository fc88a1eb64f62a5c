#!/usr/bin/env python3
# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Confirms certificates by itself: it reads their text, runs them, and shares no code with
the analysis, the interpreter or the parser of the tool.

  test/tools/certificates.py FILE      as colonnade-interpret --certificates=FILE wrote it

For each run: nothing that the certificate computes with comes from instance data; class A
has the accesses of the trace, one by one; in class P every access of the trace has a name
of the certificate, once, with its address, and those that are made always are in it. The
number of accesses is the one reported; the formula is also compared at sizes from 0 on that
no trace was made for.
"""
import json
import math
import re
import struct
import sys

from certificate_text import Reader
from certificate_values import DATA, NoRun, Wrong, arithmetic, from_bits, library_call, size, wrap

PREDICATES = {
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "ne": lambda a, b: a != b,
    "eq": lambda a, b: a == b,
}
SMALL = range(13)  # sizes at which a formula of accesses is compared
KINDS = ["accesses", "loads", "stores", "always", "conditional"]
KINDS += ["scalar", "local", "uniform", "table"]
MAX_ITERATIONS = 20000  # of one run at such sizes


class Run:
    """One run of a certificate: `accesses` are (kind, array, cell, site, iterations); of these,
    `always` are made whatever the data."""

    def __init__(self, function, scalar_bits, uniform, max_iterations=math.inf):
        self.arrays, scalars, body = function
        self.left = max_iterations
        self.env, self.iterations, self.accesses, self.always = {}, [], [], []
        self.ended = []  # of the loops around, whether data ends them
        self.counts = dict.fromkeys(KINDS, 0)
        self.kinds = {}
        self.sizes = {}
        for name, (value, kind) in scalars.items():
            self.env[value] = from_bits(scalar_bits[name], kind)
            self.kinds[value] = kind
            self.sizes[name] = self.env[value]
        self.memory = {}
        for key, array in self.arrays.items():
            cells = array["contents"]
            if cells is None and array["sharing"] == "uniform" and array["name"] in uniform:
                cells = [from_bits(bits, array["kind"]) for bits in uniform[array["name"]]]
            self.memory[key] = dict(enumerate(cells or []))
        self.region(body)

    def next_iteration(self):
        self.left -= 1
        if self.left < 0:
            raise NoRun()
        self.iterations[-1] += 1

    def known(self, value, what):
        if self.env[value] is DATA:
            raise Wrong(f"{what} '{value}' depends on instance data")
        return self.env[value]

    def region(self, operations):
        """What the terminator passes on."""
        for operation in operations:
            mnemonic, names = operation[:2]
            if mnemonic in ("yield", "test", "return"):
                return operation[2]
            run = getattr(self, "run_" + mnemonic, None)
            if run:
                run(names, *operation[2:])
            else:
                self.plain(mnemonic, names, *operation[2:])
        raise Wrong("a region without an end")

    def define(self, definitions, values):
        for (name, kind, *_), value in zip(definitions, values):
            self.env[name] = value
            self.kinds[name] = kind

    def of(self, values):
        return [self.env[value] for value in values]

    def run_const(self, names, value):
        self.env[names[0]] = value

    def count(self, kind, array, always):
        if array["role"] in ("parameter", "return") and array["sharing"] == "instance":
            self.counts["accesses"] += 1
            self.counts[kind + "s"] += 1
            self.counts["always" if always else "conditional"] += 1
        else:
            passed = array["role"] in ("parameter", "return")
            self.counts["uniform" if passed else array["role"]] += 1

    def access(self, kind, key, subscripts, radices, site, when):
        cell = self.known(subscripts[0], "subscript")
        for subscript, radix in zip(subscripts[1:], radices):
            cell = cell * self.known(radix, "radix") + self.known(subscript, "subscript")
        array = self.arrays[key]
        first = all(i == 0 for i, ended in zip(self.iterations, self.ended) if ended)
        always = when == "always" or (when == "at first" and first)
        self.count(kind, array, always)
        if array["role"] == "parameter":
            self.accesses.append((kind, array["name"], cell, site, tuple(self.iterations)))
            if always:
                self.always.append(self.accesses[-1])
        return cell

    def run_load(self, names, key, subscripts, radices, value, site, when):
        cell = self.access("load", key, subscripts, radices, site, when)
        array = self.arrays[key]
        passed = array["role"] != "local" and array["role"] != "table"
        is_data = passed and array["sharing"] == "instance"
        self.env[names[0]] = DATA if is_data else self.memory[key].get(cell, DATA)

    def run_store(self, names, key, subscripts, radices, value, site, when):
        cell = self.access("store", key, subscripts, radices, site, when)
        self.memory[key][cell] = self.env[value]

    def run_if(self, names, condition, then, otherwise, results):
        arm = then if self.known(condition, "condition") else otherwise
        self.define(results, self.of(self.region(arm)))

    def run_for(
        self, names, counter, low, predicate, high, step, flag, post, ended, inits, body, results
    ):
        i, end = self.known(low, "start"), self.known(high, "limit")
        by, values = self.known(step, "step"), self.of([init for _, _, init in inits])
        self.iterations.append(0)
        self.ended.append(ended)
        while post or PREDICATES[predicate](i, end):
            post = False
            self.define([counter], [i])
            self.define(inits, values)
            passed = self.region(body)
            values = self.of(passed[1:] if flag else passed)
            if flag and not self.known(passed[0], "continue flag"):
                break
            i = wrap(i + by, counter[1])
            self.next_iteration()
        self.iterations.pop()
        self.ended.pop()
        self.define(results, [i, *values])

    def run_loop(self, names, inits, before, forwarded, body, results):
        values = self.of([init for _, _, init in inits])
        self.iterations.append(0)
        self.ended.append(False)
        while True:
            self.define(inits, values)
            test, *passed = self.region(before)
            values = self.of(passed)
            if not self.known(test, "condition"):
                break
            self.define(forwarded, values)
            goes_on, *passed = self.region(body)
            values = self.of(passed)
            if not self.known(goes_on, "continue flag"):
                break
            self.next_iteration()
        self.iterations.pop()
        self.ended.pop()
        self.define(results, values)

    def plain(self, mnemonic, names, function, values, kinds):
        operands = self.of(values)
        if mnemonic == "check":
            if self.left < math.inf and not operands[0]:
                raise NoRun()
            return
        if mnemonic == "select":
            condition, a, b = operands
            result = DATA if condition is DATA else a if condition else b
        elif mnemonic == "undef" or any(operand is DATA for operand in operands):
            result = DATA
        elif mnemonic in PREDICATES:
            result = PREDICATES[mnemonic](*operands)
        elif mnemonic == "neg":
            result = -operands[0]
        elif mnemonic == "not":
            result = not operands[0] if kinds[0] == "bool" else ~operands[0]
        elif mnemonic == "cast":
            finite = not isinstance(operands[0], float) or math.isfinite(operands[0])
            result = operands[0] if finite or kinds[0][0] in "fb" else DATA
        elif mnemonic == "bitcast":
            result = self.same_bits(values[0], operands[0], kinds[0])
        elif mnemonic == "math":
            result = library_call(function, kinds[0], operands)
        else:
            result = arithmetic(mnemonic, kinds[0], *operands)
        self.env[names[0]] = wrap(result, kinds[0])
        self.kinds[names[0]] = kinds[0]

    def same_bits(self, value, operand, kind):
        source = self.kinds.get(value, "f32" if kind[1:] == "32" else "f64")
        if source[0] == "f":
            layout = "If" if source == "f32" else "Qd"
            operand = struct.unpack(layout[0], struct.pack(layout[1], operand))[0]
        return from_bits(operand & ((1 << 64) - 1), kind)


def compare_in_order(certified, trace):
    for i in range(max(len(certified), len(trace))):
        ours = certified[i] if i < len(certified) else "nothing"
        theirs = trace[i] if i < len(trace) else "nothing"
        if ours != theirs:
            raise Wrong(f"access {i} is {theirs}, the certificate says {ours}")


def compare_by_name(certified, trace, always):
    names = {}
    for kind, array, cell, site, iterations in certified:
        if (site, iterations) in names:
            raise Wrong(f"two accesses of one name: site {site}, iterations {iterations}")
        names[site, iterations] = (kind, array, cell)
    for kind, array, cell, site, iterations in trace:
        found = names.get((site, iterations), "nothing")
        if found != (kind, array, cell):
            raise Wrong(
                f"access {(kind, array, cell)} of site {site}, iterations {iterations}: "
                f"the certificate says {found}"
            )
    made = set(trace)
    for access in always:
        if access not in made:
            raise Wrong(f"{access} is not made, the certificate says always")


def small_sizes(scalars):
    """Every scalar alike, then each by itself."""
    integers = [name for name, (_, kind) in scalars.items() if kind[0] in "su"]
    for number in SMALL:
        yield {name: number for name in scalars}
    for name in integers if len(integers) > 1 else []:
        for number in (0, max(SMALL)):
            yield {other: number if other == name else 2 for other in scalars}


def compare_counts(counts, reported, names, where, holds_where):
    if any(size(e, names) is None or size(e, names) < 0 for e in holds_where):
        return
    for kind, formula in reported.items():
        if size(formula, names) not in (None, counts[kind]):
            raise Wrong(f"{counts[kind]} {kind}{where}, the report says {formula}")


def check_counts(function, reported, holds_where):
    arrays, scalars, _ = function
    for sizes in small_sizes(scalars):
        values = {name: from_bits(bits, scalars[name][1]) for name, bits in sizes.items()}
        try:
            if any(size(e, values) < 0 for a in arrays.values() for e in a["extents"] if e != "?"):
                continue
            counts = Run(function, sizes, {}, MAX_ITERATIONS).counts
        except (NoRun, Wrong):  # Wrong: contents of a uniform array decide
            continue
        compare_counts(counts, reported, values, f" at {values}", holds_where)


def check(entry):
    function = Reader(entry["certificate"]).function()
    reported = dict(entry["accesses_by_kind"], accesses=entry["accesses"])
    run, uniform = None, None
    for recorded in entry["runs"]:
        if run is None or recorded["uniform"] != uniform:
            uniform = recorded["uniform"]  # all that a certificate computes with
            run = Run(function, entry["scalars"], uniform)
        trace = [
            (k, array, cell, site, tuple(it)) for k, array, cell, site, it in recorded["trace"]
        ]
        if entry["class"] == "A":
            compare_in_order(run.accesses, trace)
        else:
            compare_by_name(run.accesses, trace, run.always)
        compare_counts(run.counts, reported, run.sizes, "", entry["accesses_where"])
    if any(re.search("[A-Za-z_]", formula) for formula in reported.values()):
        check_counts(function, reported, entry["accesses_where"])


def check_file(path):
    """How many certificates it confirmed; Wrong names the first one that it did not."""
    with open(path) as file:
        entries = [json.loads(line) for line in file]
    for entry in entries:
        try:
            check(entry)
        except Wrong as wrong:
            raise Wrong(f"certificate of {entry['name']}: {wrong}") from None
    return len(entries)


def main():
    try:
        print(f"{check_file(sys.argv[1])} certificates confirmed")
    except Wrong as wrong:
        sys.exit(f"FAIL {wrong}")


if __name__ == "__main__":
    main()
