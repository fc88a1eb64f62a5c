"""Quicksort and bitonic sort on a GPU, counted by Nsight Compute, for docs/results/k_model.md.

build() makes the programme counted_sorts (bench/gpu/counted_sorts.cu). count() runs it where the
GPU is: `results.json` has the tests, and for each sort how it went; `sums_CASE.csv` and
`instructions_CASE.csv` what was counted. read() gives of these what is recorded: for each sort, by
kernel, the metrics below. tables() writes them.

Transactions are distinct lines of 128 bytes by request (memory_l1_tag_requests_global): the model's
G for k = 32 words. Contention is what wavefronts of shared memory there are beyond the ideal.
Invariant: what was not counted is "not run" and has no figures.
"""

import collections
import json
import os
import re
import shutil
import subprocess
import time

import model_counters
from model_page import table
from recorder import ROOT, Recorder

SOURCE = ROOT / "bench/gpu/counted_sorts.cu"
SIZES = (20, 22, 24)
PARTS = (13, 10)  # bitonic sort has parts of 2^13 keys
MOST = {"test": 1 << 20, "memcheck": 9001}  # keys of a test
SUMS = {
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": "sectors_loaded",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum": "sectors_stored",
    "smsp__sass_branch_targets_threads_divergent.sum": "divergent",
    "gpu__time_duration.sum": "nanoseconds",
}
BY_INSTRUCTION = {
    "lines": "memory_l1_tag_requests_global",
    "shared": "memory_l1_wavefronts_shared",
    "shared ideal": "memory_l1_wavefronts_shared_ideal",
}
QUICK = ("count_keys", "add_up", "scatter_keys", "sort_leaves")
BITONIC = "bitonic_pass"


def cases():
    """(name, arguments), the most wanted first."""
    for part in PARTS:
        for size in SIZES:
            if part == PARTS[0]:
                yield f"bitonic_{size}", ("bitonic", size)
            yield f"quick_{size}_{part}", ("quick", size, part)


def build(out):
    out.mkdir(parents=True, exist_ok=True)
    arch = os.environ.get("ARCH", "native")
    flags = ["-std=c++20", "-O3", f"-arch={arch}", f"-I{ROOT / 'runtime/include'}"]
    subprocess.run(["nvcc", *flags, SOURCE, "-o", out / "counted_sorts"], check=True)


def profiled(report, command):
    names = ",".join(["inst_executed", *SUMS, *BY_INSTRUCTION.values()])
    options = ["--clock-control", "none", "--cache-control", "none", "--metrics", names]
    return ["ncu", *options, "-f", "-o", report, *command]


def count(programme, out, limit):
    out.mkdir(parents=True, exist_ok=True)
    recorder = Recorder(out / "log", time.monotonic() + limit)
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    _, gpu = recorder.call("GPU", query)
    results = {"gpu": gpu.strip(), "sorts": {}}
    recorder.run("test", "quicksort", [programme, "test", MOST["test"]])
    checked = [programme, "test", MOST["memcheck"]]
    memcheck = ["compute-sanitizer", "--tool", "memcheck", "--error-exitcode", "9"]
    if shutil.which(memcheck[0]):
        recorder.run("memcheck", "quicksort", [*memcheck, *checked])
    else:
        recorder.add("memcheck", "quicksort", "not run", reason="no compute-sanitizer")
    for name, arguments in cases():
        results["sorts"][name] = count_sort(recorder, out, name, [programme, *arguments])
        results["tests"] = recorder.results
        (out / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    return 0 if any("not_run" not in sort for sort in results["sorts"].values()) else 1


def count_sort(recorder, out, name, command):
    """{"part", "levels"}, or {"not_run": why}."""
    if not shutil.which("ncu"):
        return {"not_run": "no ncu"}
    report = out / f"report_{name}"
    code, text = recorder.call(name, profiled(report, command))
    if code != 0 or not report.with_suffix(".ncu-rep").exists():
        return {"not_run": "no time was left" if code is None else model_counters.refusal(text)}
    model_counters.export(report, out, name)
    return {fact: int(found) for fact, found in re.findall(r"^(part|levels),(\d+)$", text, re.M)}


def kernel_of(name):
    """Those of bitonic sort are its passes."""
    return next((kernel for kernel in QUICK if re.search(rf"\b{kernel}\b", name)), BITONIC)


def by_kernel(sums, kernels):
    """{kernel: {metric: sum}}; nothing if the pages do not belong together."""
    if not sums or not kernels or len(kernels) % len(sums):
        return {}
    found = collections.defaultdict(collections.Counter)
    listed = len(kernels) // len(sums)  # Nsight Compute lists a kernel twice
    for number, one in enumerate(sums):
        kernel = found[kernel_of(one["kernel"])]
        kernel.update({name: round(one.get(name, 0)) for name in SUMS.values()}, launches=1)
        for instruction in kernels[number * listed]:
            excess = instruction["shared"] - instruction["shared ideal"]
            kernel.update(
                lines=round(instruction.get("lines", 0)),
                wavefronts=round(instruction["shared"]),
                excess=round(excess),
            )
    return {kernel: dict(metrics) for kernel, metrics in found.items()}


def read(out):
    """What is recorded."""
    results = json.loads((out / "results.json").read_text())
    for name, sort in results["sorts"].items():
        if "not_run" in sort:
            continue
        sums = model_counters.sums_of(model_counters.text_of(out / f"sums_{name}.csv"), SUMS)
        pages = model_counters.text_of(out / f"instructions_{name}.csv")
        kernels = by_kernel(sums, model_counters.instructions_of(pages))
        sort.update({"kernels": kernels} if kernels else {"not_run": "no counters in the report"})
    return results


def total(sort, metric):
    return sum(kernel[metric] for kernel in sort["kernels"].values())


def ratio(above, below):
    return f"{above / below:.2f}" if below else "–"


def sectors(sort):
    return total(sort, "sectors_loaded") + total(sort, "sectors_stored")


def sort_row(size, sort, predicted):
    """Of a sort, of whose kernels the model says the transactions."""
    lines = total(sort, "lines")
    asked = sum(predicted[kernel] for kernel in sort["kernels"])
    which = "bitonic sort" if BITONIC in sort["kernels"] else "quicksort"
    return [f"2^{size}", f"2^{sort['part']}", which, sort["levels"], f"{asked:,}", f"{lines:,}",
            ratio(lines, asked), f"{sectors(sort):,}", f"{total(sort, 'excess'):,}",
            f"{total(sort, 'wavefronts'):,}", f"{total(sort, 'divergent'):,}",
            f"{total(sort, 'nanoseconds') / 1e6:.3g}"]


def ratio_row(size, quick, bitonic):
    def of(metric):
        return ratio(total(quick, metric), total(bitonic, metric))

    return [f"2^{size}", f"2^{quick['part']}", of("lines"), of("excess"),
            ratio(sectors(quick), sectors(bitonic)), of("wavefronts"), of("nanoseconds")]


def kernel_rows(size, sort, predicted):
    for kernel in QUICK:
        if of := sort["kernels"].get(kernel):
            yield [f"2^{size}", f"`{kernel}`", of["launches"], f"{predicted[kernel]:,}",
                   f"{of['lines']:,}", f"{of['excess']:,}", f"{of['divergent']:,}"]


HEAD = """
## On this chip, from counters

`bench/gpu/quicksort.cuh`, written from the paper's description, and the runtime's bitonic sort, one
call each on a random permutation, under Nsight Compute ({gpu}). *Lines* are distinct lines of 128
bytes, summed over all requests of warps: the model's transactions for k = 32, beside which stand
those of the stream programmes, or of the closed form. *Excess* are wavefronts of shared memory
beyond the ideal: the model's contention, of quicksort in its scans and its leaves.
"""
SORTS = ("n", "σ", "sort", "levels, passes", "G by the model", "lines", "lines / G",
         "sectors of 32 bytes", "excess", "wavefronts", "divergent branches", "ms in kernels")
RATIOS = ("n", "σ", "lines (the paper's transactions)", "excess (its contention)", "sectors",
          "wavefronts", "time")
KERNELS = ("n", "kernel", "launches", "G by the model", "lines", "excess", "divergent branches")


def tables(record, predict):
    """`predict`: log2 of n and of sigma to {kernel: transactions}."""
    sizes, sorts = {}, {}
    for name, sort in record["sorts"].items():
        if "kernels" in sort:
            sizes[name], sorts[name] = int(name.split("_")[1]), sort
    predicted = {name: predict(sizes[name], sort["part"]) for name, sort in sorts.items()}
    rows, ratios, kernels = [], [], []
    for name, sort in sorts.items():
        size = sizes[name]
        rows.append(sort_row(size, sort, predicted[name]))
        bitonic = sorts.get(f"bitonic_{size}")
        if BITONIC not in sort["kernels"] and bitonic:
            ratios.append(ratio_row(size, sort, bitonic))
        if BITONIC not in sort["kernels"] and sort["part"] == PARTS[0]:
            kernels += kernel_rows(size, sort, predicted[name])
    if not rows:
        return "\n## On this chip, from counters\n" + checks(record)
    text = HEAD.format(gpu=record["gpu"]) + "\n" + table(SORTS, rows)
    text += "\nQuicksort over bitonic sort; – where bitonic sort has none:\n\n"
    text += table(RATIOS, ratios)
    text += f"\nQuicksort's kernels, σ = 2^{PARTS[0]}:\n\n" + table(KERNELS, kernels)
    return text + checks(record)


def checks(record):
    """What was tested, and what was not run."""
    tests = [f"{test['kind']} of {test['name']}: {test['result']}" for test in record["tests"]]
    missing = [f"{n}: {s['not_run']}" for n, s in record["sorts"].items() if "not_run" in s]
    text = f"\nOn this machine: {'; '.join(tests)}.\n"
    return text + (f"\nNot run: {'; '.join(missing)}.\n" if missing else "")
