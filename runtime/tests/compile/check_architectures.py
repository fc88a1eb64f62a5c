#!/usr/bin/env python3
"""Kernels have one name for all architectures, and each the tuning of its own.

check_architectures.py SOURCE INCLUDE_FOLDER NVCC [OPTION...]

SOURCE (architectures.cu) is compiled to PTX for one architecture and for several: the
same kernels must be there for each, and their threads a block be those of the nearest
listed architecture: of sm_89 those of sm_80.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

# Threads a block, by the architecture that is compiled for; see SOURCE.
EXPECTED = {80: 256, 89: 256, 90: 288, 100: 320, 103: 320, 120: 384}
ENTRY = re.compile(r"\.entry (\w+)\((.*?)\n\{", re.S)
# The inline namespace of kernels names all architectures that are compiled for.
NAMESPACE = re.compile(r"\d+v1(_\d+)+")


def kernels(nvcc, source, include, architectures, scratch):
    """{architecture: {kernel: threads a block, or None}}"""
    folder = pathlib.Path(scratch) / "-".join(map(str, architectures))
    folder.mkdir()
    command = [*nvcc, "-std=c++20", "-I", include, "--keep", "--keep-dir", folder]
    command += ["-c", "-o", folder / "call.o", source]
    for a in architectures:
        command += ["-gencode", f"arch=compute_{a},code=compute_{a}"]
    subprocess.run(command, check=True)
    found = {}
    for module in [path.read_text() for path in folder.glob("*.ptx")]:
        architecture = int(re.search(r"\.target sm_(\d+)", module)[1])
        for name, head in ENTRY.findall(module):
            threads = re.search(r"\.maxntid (\d+)", head)
            name = NAMESPACE.sub("v1", name)
            found.setdefault(architecture, {})[name] = int(threads[1]) if threads else None
    return found


def complaints(several, one):
    alone = set(one[90])
    if not alone:
        yield "no kernels were found"
    for architecture, threads_of in several.items():
        if set(threads_of) != alone:
            yield f"sm_{architecture}: other kernels than for sm_90 alone: {sorted(threads_of)}"
        tuned = {t for name, t in threads_of.items() if "two_way_kernel" in name}
        if tuned != {EXPECTED[architecture]}:
            yield f"sm_{architecture}: {tuned} threads a block, not {EXPECTED[architecture]}"
    if set(several) != set(EXPECTED):
        yield f"compiled for {sorted(several)} only"
    for name in alone:
        if "gpu_architecture" in name:
            yield f"{name} has an architecture in its name"


def main():
    source, include, *nvcc = sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch:
        one = kernels(nvcc, source, include, [90], scratch)
        several = kernels(nvcc, source, include, list(EXPECTED), scratch)
    found = list(complaints(several, one))
    print("\n".join(found + [f"{len(one[90])} kernels for each of {sorted(several)}"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
