#!/usr/bin/env python3
# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA programmes as one translation unit, for machines that only compile them.

one_unit.py OUTPUT PROGRAMME.cu... [--with PART.cu...]

All #include lines come first, the parts among them, then each programme in a namespace of
its own: headers are parsed and common kernels instantiated once. If there are several,
the result takes a programme's name before its arguments. The #include lines of a
programme must come before its code.
"""
import pathlib
import re
import sys

RUN = """#include <cstring>
[[maybe_unused]] static int run(int programme(), int, char **) { return programme(); }
[[maybe_unused]] static int run(int programme(int, char **), int argc, char **argv) {
  return programme(argc, argv);
}
int main(int argc, char **argv) {"""
CASE = """  if (argc > 1 && !std::strcmp(argv[1], "{name}"))
    return run({name}_unit::main, argc - 1, argv + 1);"""


def split(path):
    """(#include lines, number of the first line after them, the lines from there on)"""
    lines = path.read_text().splitlines()
    last = max(i for i, line in enumerate(lines) if line.startswith("#include"))
    head = lines[: last + 1]
    code = [line for line in head if line and not re.match(r"//|#include", line)]
    if code:
        sys.exit(f"{path}: an #include after code: {code[0]}")
    return [line for line in head if line.startswith("#include")], last + 2, lines[last + 1 :]


def main():
    output, *words = sys.argv[1:]
    at = words.index("--with") if "--with" in words else len(words)
    programmes = [pathlib.Path(word) for word in words[:at]]
    includes = {f'#include "{part}"': None for part in words[at + 1 :]}
    units = []
    for path in programmes:
        head, first, body = split(path)
        includes.update(dict.fromkeys(head))
        units += [f"namespace {path.stem}_unit {{", f'#line {first} "{path}"', *body, "}"]
    cases = [CASE.format(name=path.stem) for path in programmes] + ["  return 2;"]
    if len(programmes) == 1:
        cases = [f"  return run({programmes[0].stem}_unit::main, argc, argv);"]
    pathlib.Path(output).write_text("\n".join([*includes, *units, RUN, *cases, "}\n"]))


if __name__ == "__main__":
    main()
