"""Calls original functions as runners do: COLONNADE CC CXX SOURCES FOLDER.

For each line of the table, `run --sources` writes the thunk, which is compiled, loaded and
called with the cells of one instance; afterwards the arrays must hold what is expected.
"""

import ctypes
import json
import os
import re
import subprocess
import sys

colonnade, cc, cxx, sources, folder = sys.argv[1:]
F, I, B = ctypes.c_float, ctypes.c_int32, ctypes.c_uint8


def f(*cells):
    return F, cells


def i(*cells):
    return I, cells


def b(*cells):
    return B, cells


def bits(value):
    return ctypes.c_uint32.from_buffer_copy(F(value)).value if isinstance(value, float) else value


# file, function, scalars, arrays before, arrays after (in the order of `check`)
V = [f(1), f(2), f(3)]
Z = [f(0), f(0), f(0)]
CASES = [
    ("shapes.cpp", "by_value", [1.0, 2.0, 3.0, 4.0], Z, [f(4), f(6), f(3)]),
    (
        "shapes.cpp",
        "nested",
        [],
        [f(0, 0), f(0, 0), f(0, 0), i(0), f(1, 2), f(3, 4), f(5, 6), i(7)],
        [f(1, 2), f(3, 11), f(5, 6), i(7)],
    ),
    ("shapes.cpp", "both<float,int,float>", [], [f(1), i(2), f(3)], [f(5), i(6), f(7)]),
    ("shapes.cpp", "scalars<float,double,int>", [1.0, 0.0, 3], [f(0)], [f(16)]),
    ("shapes.cpp", "array", [], [f(0, 0, 0, 0), f(1, 2, 3, 4)], [f(5, 2, 3, 4)]),
    (
        "shapes.cpp",
        "array_of_structs",
        [],
        [f(0, 0), f(0, 0), f(0, 0), f(1, 2), f(3, 4), f(5, 6)],
        [f(5, 2), f(3, 4), f(5, 6), f(1, 2)],
    ),
    (
        "shapes.cpp",
        "rows_of_structs",
        [2],
        [f(0, 0, 0, 0), f(1, 2, 3, 4), f(0, 0, 0, 0)],
        [f(2, 0, 4, 0), f(1, 2, 3, 4)],
    ),
    ("shapes.cpp", "bytes", [3], [b(1, 2, 3), b(4, 4, 4)], [b(5, 6, 7), b(4, 4, 4)]),
    ("shapes.cpp", "words", [3], [i(1, 1, 1)], [i(1, 2, 3)]),
    ("shapes.cpp", "structs", [], V, [f(3), f(2), f(3)]),
    ("shapes.cpp", "unused", [], [i(1), *V], [i(2), *V]),
    ("shapes.cpp", "scaled<float, 3>", [2.0], [f(1, 2, 3)], [f(2, 4, 6)]),
    ("shapes.cpp", "least<int>", [], [i(0), i(4, 3)], [i(3)]),
    ("shapes.cpp", "overloaded(int*)", [], [i(0), i(4)], [i(5)]),
    ("shapes.cpp", "overloaded(float*)", [], [f(0), f(4)], [f(8)]),
    ("shapes.cpp", "hidden", [], [i(0), i(0), i(1), i(2)], [i(2), i(1)]),
    ("shapes.cpp", "pointers", [], "by name", {"o.inner.a": i(3), "o.cells": f(0, 7)}),
    ("shapes.cpp", "packed", [2], [b(1, 2), i(10, 20)], [b(1, 2), i(11, 22)]),
    ("shapes.cpp", "aligned", [2], [f(0), f(0), f(1, 2), f(3, 4)], [f(4), f(3), f(4, 6)]),
    (
        "shapes.cpp",
        "derived",
        [],
        [i(0), b(0), b(0), f(0), i(1), b(2), b(3), f(4)],
        [i(4), b(2), b(3), f(8)],
    ),
    ("shapes.cpp", "moved", [], [i(5), i(0)], [i(5), i(5)]),
    ("shapes.cpp", "Private::of", [], [i(0), i(5)], [i(6)]),
    ("shapes.cpp", "private_fields", [], [i(0), i(5)], [i(6)]),
    ("shapes.cpp", "internal", [], [i(0), i(5)], [i(5), i(6)]),
    ("shapes.cpp", "in_header", [1.0, 2.0, 3.0], Z, [f(3), f(2), f(1)]),
    ("shapes.hpp", "plain", [3], [i(0), i(1, 2, 3)], [i(6)]),
    ("shapes.c", "by_value", [1.0, 2.0, 3.0, 4.0], Z, [f(4), f(6), f(3)]),
    ("shapes.c", "swapped", [1, 2], [i(0), i(0)], [i(2), i(1)]),
    ("shapes.c", "acc", [3], [b(1, 2, 3), b(4, 4, 4)], [b(5, 6, 7), b(4, 4, 4)]),
    ("shapes.c", "structs", [], V, [f(3), f(2), f(3)]),
    ("shapes.c", "rows", [2], [f(1, 2, 3, 4, 5, 6)], [f(4, 2, 3, 10, 5, 6)]),
    ("shapes.c", "vla", [2], [f(1, 2, 3, 4)], [f(1, 2, 2, 4)]),
    ("shapes.c", "kinds", [], [i(0), i(1)], [i(1)]),
    ("shapes.c", "flag", [], [b(0), b(0)], [b(1)]),
    ("uses_table.c", "last", [3], [i(0), i(1, 2, 3)], [i(3)]),
    ("table.h", "last", [3], [i(0), i(1, 2, 3)], [i(3)]),
]


def load(file, function, number):
    where = os.path.join(folder, str(number))
    subprocess.run(
        [colonnade, "run", os.path.join(sources, file), "-f", function, "--sources", where]
        + ["--", "-w"],
        check=True,
    )
    (thunk,) = [name for name in os.listdir(where) if ".sequential.c" in name]
    library = os.path.join(where, "thunk.so")
    compiler = [cxx, "-std=c++20"] if thunk.endswith("pp") else [cc, "-std=c17"]
    subprocess.run(
        compiler + ["-w", "-O0", "-shared", "-fPIC", os.path.join(where, thunk), "-o", library],
        check=True,
    )
    call = getattr(ctypes.CDLL(library), "colonnade_sequential_" + thunk.split(".")[0])
    with open(os.path.join(where, thunk.split(".")[0] + ".bulk.json")) as json_file:
        (report,) = json.load(json_file)["functions"]
    with open(os.path.join(where, thunk.split(".")[0] + ".bulk.cpp")) as bulk:
        entries = re.compile(r'^ *\{"([^"]*)", "[^"]*", cell_type::\w+, direction', re.M)
        passed = entries.findall(bulk.read())
    return call, [p["name"] for p in report["parameters"] if p["name"] in passed], passed


def check(number, file, function, scalars, before, after):
    call, arrays, passed = load(file, function, number)
    if before == "by name":
        cells = {"o.inner.a": i(1), "o.inner.b": i(2), "o.cells": f(0, 0), "o.k": i(7)}
        before = [cells[name] for name in arrays]
        after = [after.get(name, cells[name]) for name in arrays]
    memory = [(kind * len(cells))(*cells) for kind, cells in before]
    pointers = (ctypes.c_void_p * (len(memory) + 1))(
        *[ctypes.addressof(memory[arrays.index(name)]) for name in passed]
    )
    call(pointers, (ctypes.c_uint64 * (len(scalars) + 1))(*map(bits, scalars)))
    got = [tuple(m) for m in memory]
    if got[: len(after)] != [cells for _, cells in after]:
        raise ValueError(f"got {got}, expected {after}")


failed = 0
for number, case in enumerate(CASES):
    try:
        check(number, *case)
    except (ValueError, subprocess.CalledProcessError) as error:
        print(f"{case[0]} {case[1]}: {error}", file=sys.stderr)
        failed += 1
print(f"{len(CASES) - failed} of {len(CASES)} calls are right")
