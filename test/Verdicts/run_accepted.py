#!/usr/bin/env python3
# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs what sources of this folder mark as accepted, and compares each instance.

Input: sources with markers as verdicts.py reads them. What is marked A or P and no other letter
is run by `colonnade run --verify=all` over random inputs on the CPU, as a user would; each
instance is compared with the sequential function. Integers are small, so that few sums overflow;
uniform scalars are 3.

With --together the functions over `(const int a[16], int b[16])`, and perhaps `int n`, of a
source run in one compile: a function that calls each of them twice, on two halves of an array.
With colonnade-keep-calls in place of colonnade they are calls in the kernel, too.

Output: a line per run that did not end well, and how many did. Exit 1 if one did not, or
there was none.
"""
import argparse
import os
import re
import shlex
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "Cases"))
import cases
from verdicts import MARKER

SCALAR = 3  # of uniform parameters
ATTACK = re.compile(r"^(?:int|double) \w+\((?:A|ARGS|const int a\[16\], int b\[16\](, int n)?)\)")


def accepted(text):
    """(name, options of the check, the definition's text) of each function that is marked so."""
    for match in MARKER.finditer(text):
        if set(match[1]) <= set("AP"):
            yield match[4], match[2] or "", text[match.start(3) :].split("\n", 1)[0]


class Limited(cases.Case):
    """Random integers of more than 8 bits are small; each uniform scalar has a value."""

    def inputs(self, report, folder, count):
        self.function["args"], self.function["inputs"] = {}, {}
        for parameter in report["parameters"]:
            name, cell = parameter["name"], parameter["cell"]
            if parameter["kind"] == "uniform" and not parameter["extents"]:
                self.function["args"][name] = SCALAR
            elif cell[0] in "su" and cell[1:] != "8":
                self.function["inputs"][name] = "-99..99" if cell[0] == "s" else "0..99"
        return super().inputs(report, folder, count)


def together(source, text, functions):
    """A file with a function that calls all of a kind twice; the number of them."""
    defined = re.search(r"#define (?:A|ARGS) (.*)", text)
    calls = []
    for name, options, definition in functions:
        match = ATTACK.match(definition)
        if not match or options:
            continue
        has_n = match[1] or (defined and "int n" in defined[1] and "(A)" in definition)
        for half in ("b", "b + 16"):
            calls.append(f"  r[{len(calls)}] = (int){name}(a, {half}{', n' if has_n else ''});")
    header = f"void together(const int a[16], int b[32], int n, int r[{len(calls)}]) {{"
    lines = [f'#include "{os.path.abspath(source)}"', header, *calls, "}"]
    return "\n".join(lines) + "\n", len(calls) // 2


def run(tool, source, function, flags, count, options=""):
    """The case of one function, which has run, or has not."""
    description = {"name": function, "files": [os.path.abspath(source)], "expect": "AP"}
    description["choices"] = [options] if options else []
    case = Limited(tool, "", {"name": "", "folder": ".", "flags": flags}, description)
    case.go(count, 300, None)
    if case.ran != str(count):
        print(f"{source} {function}: class {case.verdict}, {case.ran}\n{case.messages}", flush=True)
    return case


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--colonnade", required=True, help="or colonnade-keep-calls")
    parser.add_argument("--flags", default="-w -std=c++23", help="of Clang")
    parser.add_argument("--count", type=int, default=1000, help="instances of each run")
    parser.add_argument("--together", action="store_true", help="in one compile a source")
    options = parser.parse_args()
    tool, flags = os.path.abspath(options.colonnade), shlex.split(options.flags)
    ran = asked = 0
    for source in options.sources:
        text = open(source, encoding="utf-8").read()
        functions = list(accepted(text))
        if not options.together:
            for name, extra, _ in functions:
                case = run(tool, source, name, flags, options.count, extra)
                ran, asked = ran + (case.ran == str(options.count)), asked + 1
            continue
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "together" + os.path.splitext(source)[1])
            joined, number = together(source, text, functions)
            with open(path, "w", encoding="utf-8") as file:
                file.write(joined)
            case = run(tool, path, "together", flags, options.count)
            ran, asked = ran + number * (case.ran == str(options.count)), asked + number
    print(f"{ran} of {asked} functions: {options.count} instances each, bit-identical")
    return 0 if ran == asked > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
