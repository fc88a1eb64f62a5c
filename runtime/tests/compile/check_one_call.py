#!/usr/bin/env python3
"""What one call of the library costs its user to compile: bytes of object, and kernels.

check_one_call.py check FOLDER INCLUDE_FOLDER NVCC
    Compiles each call of LIMITS (FOLDER/NAME.cu) for sm_90, and exits 1, with a line each,
    if its object is larger or has more kernels than the limit.
check_one_call.py table FOLDER INCLUDE_FOLDER NVCC [REPEATS]
    Every call of FOLDER, for one and for four architectures: seconds of CPU time (the
    least of REPEATS, 3 unless told; the calls take turns), bytes and kernels, as a table.
check_one_call.py self-test
    The limits are found to be exceeded where they are.

Seconds depend on the machine, so no test limits them: they follow the machine code's size,
and the table has CUB's radix sort beside them.
"""

import pathlib
import resource
import struct
import subprocess
import sys
import tempfile

# Bytes of the object with code and PTX of sm_90, and kernels.
LIMITS = {"multisplit": (800_000, 11), "multisplit_8_buckets": (250_000, 4)}
ARCHITECTURES = {"sm_90": [90], "four": [80, 90, 100, 120]}


def kernels_of(cubin):
    """The names of the ELF sections .text.NAME."""
    offset = struct.unpack_from("<Q", cubin, 0x28)[0]
    entry, count, names = struct.unpack_from("<HHH", cubin, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", cubin, offset + i * entry) for i in range(count)]
    strings = headers[names][4]
    found = []
    for header in headers:
        start = strings + header[0]
        name = cubin[start : cubin.index(b"\0", start)].decode()
        if name.startswith(".text."):
            found.append(name[len(".text.") :])
    return found


def compiled(nvcc, include, source, architectures):
    """Seconds of CPU time, bytes of the object, kernels of one architecture."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        command = [nvcc, "-O3", "-std=c++17", "-I", include, "--keep", "--keep-dir", scratch]
        for a in architectures:
            command += ["-gencode", f"arch=compute_{a},code=[sm_{a},compute_{a}]"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command + ["-c", "-o", folder / "call.o", source], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        cubins = sorted(folder.glob("*.cubin")) # one an architecture, all of the same kernels
        kernels = kernels_of(cubins[0].read_bytes())
        return seconds, (folder / "call.o").stat().st_size, kernels


def complaints(name, size, kernels, limits):
    most_bytes, most_kernels = limits[name]
    if size > most_bytes:
        yield f"{name}: {size} bytes, more than {most_bytes}"
    if len(kernels) > most_kernels:
        yield f"{name}: {len(kernels)} kernels, more than {most_kernels}: {', '.join(kernels)}"


def check(folder, include, nvcc):
    found = []
    for name in LIMITS:
        _, size, kernels = compiled(nvcc, include, folder / f"{name}.cu", [90])
        print(f"{name}: {size} bytes, {len(kernels)} kernels")
        found += complaints(name, size, kernels, LIMITS)
    print("\n".join(found))
    return 1 if found else 0


def table(folder, include, nvcc, repeats):
    print("| call | architectures | CPU seconds | bytes of object | kernels |")
    print("|---|---|---|---|---|")
    for label, architectures in ARCHITECTURES.items():
        rows = {}
        for _ in range(repeats):
            for source in sorted(folder.glob("*.cu")):
                row = compiled(nvcc, include, source, architectures)
                rows[source.stem] = min(row, rows.get(source.stem, row))
        for name, (seconds, size, kernels) in rows.items():
            print(f"| {name} | {label} | {seconds:.1f} | {size} | {len(kernels)} |")
    return 0


def self_test():
    limits = {"call": (100, 2)}
    assert not list(complaints("call", 100, ["a", "b"], limits))
    assert list(complaints("call", 101, ["a"], limits))
    assert list(complaints("call", 1, ["a", "b", "c"], limits))
    return 0


def main():
    if sys.argv[1] == "self-test":
        return self_test()
    mode, folder, include, nvcc, *rest = sys.argv[1:]
    if mode == "check":
        return check(pathlib.Path(folder), include, nvcc)
    return table(pathlib.Path(folder), include, nvcc, int(rest[0]) if rest else 3)


if __name__ == "__main__":
    sys.exit(main())
