"""Every header compiles alone, and twice in a row, without a warning.

check_headers.py INCLUDE_FOLDER CXX [NVCC]

*.hpp is compiled by CXX; *.cuh by NVCC, if one is given: each for the device, and all of them
together for both sides. A header that another one begins with is the first thing that the
compiler sees of that one: it is compiled alone there. Headers below detail/ that are .cuh
are left to the public ones that include them. What is included once per instruction set,
between simd/begin.hpp and simd/end.hpp, is compiled so. A file that says it is part of
another is no header on its own.
"""

import concurrent.futures
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

folder, cxx, nvcc = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
BRACKETS = {"colonnade/simd/begin.hpp", "colonnade/simd/end.hpp"}
PER_INSTRUCTION_SET = ("colonnade/simd/vec.hpp", "colonnade/bulk/cpu_lanes.hpp")
TOGETHER = "all of them.cuh"
PART = re.compile(r"^//[^\n]*Part of\s+(//\s+)?\w+\.hpp", re.M)
# Nothing but comments and empty lines before the #pragma and the first #include.
BEGINS_WITH = re.compile(r"(//[^\n]*\n|\s)*#pragma once\s*\n(//[^\n]*\n|\s)*#include <(.*)>")


def text_of(header):
    if header == TOGETHER:
        return "".join(f"#include <{h}>\n" for h in public_cuda_headers())
    if header not in PER_INSTRUCTION_SET:
        return f"#include <{header}>\n#include <{header}>\n"
    text = "#include <colonnade/bulk/cpu_launch.hpp>\n"
    inner = PER_INSTRUCTION_SET[: PER_INSTRUCTION_SET.index(header) + 1]
    for isa in (1, 2, 3) if platform.machine() == "x86_64" else (1,):
        lines = ["colonnade/simd/begin.hpp", *inner, *inner, "colonnade/simd/end.hpp"]
        text += f"#define COLONNADE_ISA {isa}\n" + "".join(f"#include <{line}>\n" for line in lines)
    return text


def first_of(header):
    """The header of its kind that it begins with, or None."""
    if header == TOGETHER or header in PER_INSTRUCTION_SET:
        return None
    match = BEGINS_WITH.match((folder / header).read_text())
    same_kind = match and pathlib.Path(match[3]).suffix == pathlib.Path(header).suffix
    return match[3] if same_kind else None


def to_compile(headers):
    """Enough of them, so that each is compiled alone there."""
    first = {header: first_of(header) for header in headers}
    chosen = [h for h in headers if h not in first.values() or h in PER_INSTRUCTION_SET]
    met = set()
    for header in chosen:
        while header:
            met.add(header)
            header = first.get(header)
    return chosen + [h for h in headers if h not in met]


def public_cuda_headers():
    return sorted(
        str(p.relative_to(folder)) for p in folder.rglob("*.cuh") if "detail" not in p.parts
    )


def complaints(header, scratch):
    cuda = header.endswith(".cuh")
    source = pathlib.Path(scratch) / (re.sub(r"\W", "_", header) + (".cu" if cuda else ".cpp"))
    source.write_text(text_of(header))
    if cuda:
        command = [
            *nvcc,
            "-std=c++20",
            "-arch=sm_90",
            "-Werror",
            "all-warnings",
            "-c" if header == TOGETHER else "-ptx",
            "-o",
            os.devnull,
        ]
    else:
        command = [cxx, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
    done = subprocess.run(
        [*command, "-I", str(folder), str(source)], capture_output=True, text=True
    )
    return done.stdout + done.stderr if done.returncode else ""


def main():
    headers = sorted(str(p.relative_to(folder)) for p in folder.rglob("*.hpp"))
    headers = [
        h for h in headers if h not in BRACKETS and not PART.search((folder / h).read_text())
    ]
    if nvcc:
        headers += [*public_cuda_headers(), TOGETHER]
    alone = to_compile(headers)
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(
        os.cpu_count()
    ) as pool:
        for header, said in zip(alone, pool.map(lambda h: complaints(h, scratch), alone)):
            if said:
                wrong += 1
                print(f"{header} does not compile alone:\n{said}")
    print(f"{len(headers)} headers in {len(alone)} compilations, {wrong} wrong")
    return 1 if wrong or not headers else 0


sys.exit(main())
