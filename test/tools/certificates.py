#!/usr/bin/env python3
# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Confirms certificates by itself: it reads their text, runs them, and shares no code with
the analysis, the interpreter or the parser of the tool.

  test/tools/certificates.py FILE      as colonnade-interpret --certificates=FILE wrote it

For each run: nothing that the certificate computes with comes from instance data; class A
has the accesses of the trace, one by one; in class P every access of the trace has a name
of the certificate, once, with its address. The number of accesses is the one reported; the
formula is also compared at sizes from 0 on that no trace was made for.
"""
import ctypes
import json
import math
import re
import struct
import sys

TOKEN = re.compile(
    r'\s*([%@](?:"(?:[^"\\]|\\.)*"|[\w.]+)(?:#\d+)?|"(?:[^"\\]|\\.)*"|->|'
    r"[-+]?\d[\d.]*e[-+]\d+|[-+]?[\w.:]+|\S)"
)
PREDICATES = {
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "ne": lambda a, b: a != b,
    "eq": lambda a, b: a == b,
}
REALS = {"f32": (ctypes.c_float, "f"), "f64": (ctypes.c_double, "")}
LIBM = ctypes.CDLL("libm.so.6")
DATA = None  # a value that differs from instance to instance, or is indeterminate
SMALL = range(4)  # sizes at which a formula of accesses is compared
MAX_ITERATIONS = 20000  # of one run at such sizes


class Wrong(Exception):
    pass


class NoRun(Exception):
    """At these sizes the function may not be run, or too long."""


def truncated(a, b):
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def wrap(value, kind):
    """The value as its type holds it."""
    if value is DATA:
        return DATA
    if kind == "bool":
        return bool(value)
    if kind == "f32":
        try:
            return struct.unpack("f", struct.pack("f", value))[0]
        except OverflowError:
            return math.copysign(math.inf, value)
    if kind == "f64":
        return float(value)
    bits = int(kind[1:])
    value = int(value) & ((1 << bits) - 1)
    return value - (1 << bits) if kind[0] == "s" and value >> (bits - 1) else value


def from_bits(bits, kind):
    if kind in ("f32", "f64"):
        layout = "If" if kind == "f32" else "Qd"
        return struct.unpack(layout[1], struct.pack(layout[0], bits))[0]
    return wrap(bits, kind)


def arithmetic(mnemonic, kind, a, b):
    """Of two values, neither of which is data."""
    if mnemonic in ("div", "rem") and kind[0] != "f":
        if b == 0:
            return DATA
        return truncated(a, b) if mnemonic == "div" else a - b * truncated(a, b)
    if mnemonic == "div":
        if b == 0:
            return (
                math.nan if a == 0 or a != a else math.copysign(math.inf, a) * (math.copysign(1, b))
            )
        return a / b
    if mnemonic in ("shl", "shr"):
        if not 0 <= b < int(kind[1:]):
            return DATA
        return a << b if mnemonic == "shl" else a >> b
    operation = {
        "add": lambda: a + b,
        "sub": lambda: a - b,
        "mul": lambda: a * b,
        "and": lambda: a & b,
        "or": lambda: a | b,
        "xor": lambda: a ^ b,
    }
    return operation[mnemonic]()


def library_call(function, kind, operands):
    """The C library's, which has all functions of the IR, and errors for none."""
    real, suffix = REALS[kind]
    call = getattr(LIBM, function + suffix)
    call.restype, call.argtypes = real, [real] * len(operands)
    return call(*operands)


def parts(tokens):
    """Texts between the commas that stand in no parentheses."""
    texts, depth = [""], 0
    for token in tokens:
        depth += (token == "(") - (token == ")")
        if token == "," and depth == 0:
            texts.append("")
        else:
            texts[-1] += token
    return [text for text in texts if text]


class Reader:
    """Text to nested lists; values and arrays keep their spelling, which is unique."""

    def __init__(self, text):
        # An operation that is speculative is computed like any other.
        self.tokens = [token for token in TOKEN.findall(text) if token != "speculative"]
        self.next = 0

    def peek(self):
        return self.tokens[self.next] if self.next < len(self.tokens) else ""

    def take(self):
        self.next += 1
        return self.tokens[self.next - 1]

    def eat(self, token):
        found = self.peek() == token
        self.next += found
        return found

    def expect(self, token):
        if not self.eat(token):
            raise Wrong(f"expected '{token}' at '{' '.join(self.tokens[self.next:][:8])}'")

    def listed(self, close, item):
        items = []
        while not self.eat(close):
            items.append(item())
            self.eat(",")
        return items

    def definition(self):
        name = self.take()
        self.expect(":")
        return name, self.take()

    def carried(self, with_values):
        def item():
            name, kind = self.definition()
            if with_values:
                self.expect("=")
            return name, kind, self.take() if with_values else None

        self.expect("(")
        return self.listed(")", item)

    def until(self, *stops):
        """Tokens up to one of the stops at depth 0."""
        taken, depth = [], 0
        while depth or self.peek() not in stops:
            token = self.take()
            depth += (token in "([") - (token in ")]")
            taken.append(token)
        return taken

    def function(self):
        self.until("{")
        self.expect("{")
        arrays, scalars = {}, {}
        while not self.eat("body"):
            word = self.take()
            if word == "array":
                self.array(arrays)
            elif word in ("assume", "note"):
                self.take()
            else:
                raise Wrong(f"unknown declaration '{word}'")
        kinds = {name: kind for name, kind, _ in self.carried(False)}
        while self.eat("scalar"):
            value = self.take()
            scalars[self.take().strip('"')] = (value, kinds[value])
        return arrays, scalars, self.region()

    def array(self, arrays):
        name = self.take()
        self.expect(":")
        array = {"name": name[1:].split("#")[0].strip('"'), "kind": self.take()}
        self.expect("[")
        array["extents"] = parts(self.until("]"))
        self.expect("]")
        array["role"], array["sharing"] = self.take(), self.take()
        while self.peek() in ("const", "reads", "writes", "derived"):
            self.take()
        if self.eat("of"):
            self.take()
        array["contents"] = None
        if self.eat("="):
            self.expect("{")
            array["contents"] = [
                constant(token, array["kind"]) for token in self.listed("}", self.take)
            ]
        arrays[name] = array

    def region(self):
        self.expect("{")
        operations = []
        while not self.eat("}"):
            operations.append(self.operation())
        return operations

    def results(self):
        names = []
        if self.eat("->"):
            names.append(self.definition())
            while self.eat(","):
                names.append(self.definition())
        return names

    def operation(self):
        names = []
        while self.peek()[:1] == "%":
            names.append(self.take())
            if not self.eat(","):
                self.expect("=")
        mnemonic = self.take()
        read = getattr(self, "read_" + mnemonic, None)
        if read:
            return (mnemonic, names, *read())
        function = self.take() if mnemonic == "math" else None
        values = self.values()
        while self.peek() in ("text", "index"):
            self.take(), self.take()
        return mnemonic, names, function, values, self.kinds()

    def values(self):
        values = []
        if self.peek()[:1] == "%":
            values.append(self.take())
            while self.eat(","):
                values.append(self.take())
        return values

    def kinds(self):
        kinds = []
        if self.eat(":"):
            kinds.append(self.take())
            while self.eat(","):
                kinds.append(self.take())
        return kinds

    def read_yield(self):
        return (self.values(),)

    read_test = read_return = read_yield

    def read_const(self):
        text = self.take()
        self.expect(":")
        return (constant(text, self.take()),)

    def read_load(self):
        array = self.take()
        self.expect("[")
        subscripts, radices = [], []
        target = subscripts
        while not self.eat("]"):
            if self.eat(";"):
                target = radices
            elif not self.eat(","):
                target.append(self.take())
        value = self.take() if self.eat(",") else None
        if self.eat("mask"):
            raise Wrong("a masked access in a certificate")
        self.eat("guarded")
        site = int(self.take()) if self.eat("access") else None
        self.kinds()
        return array, subscripts, radices, value, site

    read_store = read_load

    def read_if(self):
        condition = self.take()
        self.eat("address")
        then = self.region()
        self.expect("else")
        return condition, then, self.region(), self.results()

    def read_for(self):
        counter = self.definition()
        self.expect("=")
        low, predicate, high = self.take(), self.take(), self.take()
        self.expect("step")
        step = self.take()
        flag, post = self.eat("continue"), self.eat("posttest")
        inits = self.carried(True)
        return counter, low, predicate, high, step, flag, post, inits, self.region(), self.results()

    def read_loop(self):
        if self.eat("bound"):
            self.until("(")
        inits, before = self.carried(True), self.region()
        self.expect("do")
        return inits, before, self.carried(False), self.region(), self.results()


def constant(text, kind):
    if kind == "bool":
        return text == "true"
    if kind[0] != "f":
        return int(text)
    return math.nan if text.startswith("nan") else float(text)


def size(text, names):
    """The value of a size expression; None if unknown."""
    if "?" in text:
        return None
    python = re.sub(
        r"[A-Za-z_][\w.:]*",
        lambda m: m[0] if m[0] in ("max", "min") else f"N({names[m[0]]})",
        text.replace(" ", ""),
    )
    python = re.sub(r"(?<![\w)])(\d+)", r"N(\1)", python).replace("/", "//")
    return int(eval(python, {"N": Number, "max": max, "min": min}))  # of our own reports


class Number(int):
    """An integer whose quotient is C's."""

    def __floordiv__(self, other):
        return Number(truncated(int(self), int(other)))

    def __mod__(self, other):
        return Number(int(self) - int(other) * truncated(int(self), int(other)))

    def __add__(self, other):
        return Number(int(self) + int(other))

    def __sub__(self, other):
        return Number(int(self) - int(other))

    def __mul__(self, other):
        return Number(int(self) * int(other))

    def __neg__(self):
        return Number(-int(self))


class Run:
    """One run of a certificate: `accesses` are (kind, array, cell, site, iterations)."""

    def __init__(self, function, scalar_bits, uniform, max_iterations=math.inf):
        self.arrays, scalars, body = function
        self.left = max_iterations
        self.env, self.iterations, self.accesses, self.counted = {}, [], [], 0
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

    def access(self, kind, key, subscripts, radices, site):
        cell = self.known(subscripts[0], "subscript")
        for subscript, radix in zip(subscripts[1:], radices):
            cell = cell * self.known(radix, "radix") + self.known(subscript, "subscript")
        array = self.arrays[key]
        if array["role"] in ("parameter", "return") and array["sharing"] == "instance":
            self.counted += 1
        if array["role"] == "parameter":
            self.accesses.append((kind, array["name"], cell, site, tuple(self.iterations)))
        return cell

    def run_load(self, names, key, subscripts, radices, value, site):
        cell = self.access("load", key, subscripts, radices, site)
        array = self.arrays[key]
        passed = array["role"] != "local" and array["role"] != "table"
        is_data = passed and array["sharing"] == "instance"
        self.env[names[0]] = DATA if is_data else self.memory[key].get(cell, DATA)

    def run_store(self, names, key, subscripts, radices, value, site):
        self.memory[key][self.access("store", key, subscripts, radices, site)] = self.env[value]

    def run_if(self, names, condition, then, otherwise, results):
        arm = then if self.known(condition, "condition") else otherwise
        self.define(results, self.of(self.region(arm)))

    def run_for(self, names, counter, low, predicate, high, step, flag, post, inits, body, results):
        i, end = self.known(low, "start"), self.known(high, "limit")
        by, values = self.known(step, "step"), self.of([init for _, _, init in inits])
        self.iterations.append(0)
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
        self.define(results, [i, *values])

    def run_loop(self, names, inits, before, forwarded, body, results):
        values = self.of([init for _, _, init in inits])
        self.iterations.append(0)
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


def compare_by_name(certified, trace):
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


def small_sizes(scalars):
    """Every scalar alike, then each by itself."""
    integers = [name for name, (_, kind) in scalars.items() if kind[0] in "su"]
    for number in SMALL:
        yield {name: number for name in scalars}
    for name in integers if len(integers) > 1 else []:
        for number in (0, max(SMALL)):
            yield {other: number if other == name else 2 for other in scalars}


def check_count(function, accesses):
    arrays, scalars, _ = function
    for sizes in small_sizes(scalars):
        values = {name: from_bits(bits, scalars[name][1]) for name, bits in sizes.items()}
        try:
            if any(size(e, values) < 0 for a in arrays.values() for e in a["extents"] if e != "?"):
                continue
            counted = Run(function, sizes, {}, MAX_ITERATIONS).counted
        except (NoRun, Wrong):  # Wrong: contents of a uniform array decide
            continue
        if size(accesses, values) != counted:
            raise Wrong(f"{counted} accesses at {values}, the report says {accesses}")


def check(entry):
    function = Reader(entry["certificate"]).function()
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
            compare_by_name(run.accesses, trace)
        expected = size(entry["accesses"], run.sizes)
        if expected not in (None, run.counted):
            raise Wrong(f"{run.counted} accesses, the report says {entry['accesses']}")
    if re.search("[A-Za-z_]", entry["accesses"]):
        check_count(function, entry["accesses"])


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
