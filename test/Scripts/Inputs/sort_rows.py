"""Reads made-up counters of two sorts as scripts/gpu/sort_counters.py does, and prints the tables.

usage: sort_rows.py SCRIPTS FOLDER [refused]
"""

import json
import pathlib
import sys

sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True

import sort_counters

OUT = pathlib.Path(sys.argv[2])
QUICK = ["count_keys(const unsigned int *, level_of_sort)", "add_up(level_of_sort)",
         "scatter_keys(const unsigned int *, unsigned int *, level_of_sort)",
         "sort_leaves(const leaf *, const unsigned int *, const unsigned int *, unsigned int *)"]
QUICK = [f"reference::{name}" for name in QUICK]
BITONIC = ["void colonnade::detail::bitonic_kernel<256>(arguments)"] * 2
PREDICTED = {"bitonic_pass": 20, "count_keys": 10, "add_up": 10, "scatter_keys": 20,
             "sort_leaves": 20}


def raw_page(kernels):
    names = ",".join(f'"{name}"' for name in sort_counters.SUMS)
    lines = ["==PROF== something", f'"ID","Kernel Name",{names}', '"","","sector","sector","","ns"']
    return "\n".join(lines + [f'"{k}","{name}","1,000","500","7","2000000"'
                              for k, name in enumerate(kernels)]) + "\n"


def source_page(kernels, excess):
    metrics = ",".join(f'"{name}"' for name in sort_counters.BY_INSTRUCTION.values())
    lines = []
    for name in kernels:
        for _ in range(2):  # as Nsight Compute does
            lines += [f'"Kernel Name","{name}"', f'"Address","Source","inst_executed",{metrics}',
                      '"0x7f00","      LDG.E R8, desc[UR4][R4.64]","3","9","0","0"',
                      f'"0x7f10","      LDS R8, [R4]","3","2","{4 + excess}","4"']
    return "\n".join(lines) + "\n"


def main():
    refused = sys.argv[3:] == ["refused"]
    sorts = {"bitonic_20": {"part": 13, "levels": 15}, "quick_20_13": {"part": 13, "levels": 9},
             "quick_22_13": {"not_run": "==ERROR== ERR_NVGPUCTRPERM"}}
    if refused:
        sorts = {name: sorts["quick_22_13"] for name in sorts}
    tests = [{"kind": "test", "name": "quicksort", "result": "passed"}]
    results = {"gpu": "Made up, 1.0", "sorts": sorts, "tests": tests}
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / "results.json").write_text(json.dumps(results))
    for name, kernels, excess in (("bitonic_20", BITONIC, 0), ("quick_20_13", QUICK, 3)):
        (OUT / f"sums_{name}.csv").write_text(raw_page(kernels))
        (OUT / f"instructions_{name}.csv").write_text(source_page(kernels, excess))
    record = json.loads(json.dumps(sort_counters.read(OUT)))
    print(sort_counters.tables(record, lambda size, part: PREDICTED))


main()
