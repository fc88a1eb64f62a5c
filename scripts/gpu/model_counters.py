"""Runs the cases of scripts/model-check under Nsight Compute, and reads what it counted.

In: the folder that model_cases.prepare() wrote. Out: in OUT, for each portion K of the cases,
`times_K.txt`, `sums_K.csv` (counters of each kernel) and `instructions_K.csv` (counts of each
instruction), or `not_run_K.txt`, which says why; `machine.json`.
Invariant: the k-th kernel of a file is the k-th case of the portion.

Clocks are not locked, so times are this machine's; caches are invalidated before each kernel.
"""

import concurrent.futures
import csv
import io
import json
import re
import shutil
import subprocess
import time

from recorder import Recorder

REQUESTS = "l1tex__t_requests_pipe_lsu_mem_{}.sum"
SECTORS = "l1tex__t_sectors_pipe_lsu_mem_{}.sum"
WAYS = ("global_op_ld", "global_op_st", "local_op_ld", "local_op_st")
SUMS = [
    *(metric.format(way) for metric in (REQUESTS, SECTORS) for way in WAYS),
    "lts__t_sectors_srcunit_tex_op_read.sum",
    "lts__t_sectors_srcunit_tex_op_write.sum",
    "dram__bytes_read.sum",
    "dram__bytes_write.sum",
    "smsp__sass_branch_targets_threads_divergent.sum",
    "smsp__thread_inst_executed.sum",
    "smsp__inst_executed.sum",
]
BY_INSTRUCTION = [
    "inst_executed",
    "thread_inst_executed",
    "memory_l2_theoretical_sectors_global",
    "memory_l2_theoretical_sectors_local",
    "memory_l1_tag_requests_global",
    "memory_l1_wavefronts_shared",
    "memory_l1_wavefronts_shared_ideal",
]


def command(report, program, cases):
    names = ",".join([*SUMS, *BY_INSTRUCTION])
    options = ["--clock-control", "none", "--cache-control", "all", "--metrics", names]
    which = ["--kernel-name", "regex:^(bulk|row_wise|column_wise)_kernel$"]
    return ["ncu", *options, *which, "-f", "-o", report, program, cases, "once"]


def imported(report, page):
    options = ["--page", page, "--csv", "--print-units", "base"]
    return ["ncu", "--import", f"{report}.ncu-rep", *options]


def refusal(text):
    """What Nsight Compute says if it may not count, or finds nothing."""
    lines = [line for line in text.splitlines() if "==ERROR==" in line or "ERR_NV" in line]
    return "; ".join(lines)[:300] or text.strip()[-300:] or "no output"


def count(jobs, out, limit, portions):
    out.mkdir(parents=True, exist_ok=True)
    recorder = Recorder(out / "log", time.monotonic() + limit)
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    _, gpu = recorder.call("GPU", query)
    facts = {"gpu": gpu.strip(), "commit": (jobs / "commit").read_text().strip()}
    (out / "machine.json").write_text(json.dumps(facts, indent=1) + "\n")
    ran = 0
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for portion in sorted(jobs.glob(portions)):
            k = portion.stem.removeprefix("cases_")
            reason = count_portion(recorder, jobs, portion, out, k, pool)
            if reason:
                (out / f"not_run_{k}.txt").write_text(reason + "\n")
                print(f"not run: portion {k}: {reason}")
            ran += not reason
    return 0 if ran else 1


def count_portion(recorder, jobs, portion, out, k, pool):
    """Why it was not run, or nothing."""
    program = jobs / "model_check"
    code, text = recorder.call(f"times {k}", [program, portion, "time"], jobs)
    if code != 0:
        return text.strip()[-300:] or "no time was left"
    (out / f"times_{k}.txt").write_text(text)
    if not shutil.which("ncu"):
        return "no ncu"
    report = out / f"report_{k}"
    profile = command(report, program, portion)
    code, text = recorder.call(f"counters {k}", profile, jobs, timeout=recorder.left())
    if code != 0 or not report.with_suffix(".ncu-rep").exists():
        return "no time was left" if code is None else refusal(text)
    pool.submit(export, report, out, k)
    return ""


def export(report, out, k):
    for name, page in (("sums", "raw"), ("instructions", "source")):
        done = subprocess.run(
            imported(report, page), stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        (out / f"{name}_{k}.csv").write_text(done.stdout)
    report.with_suffix(".ncu-rep").unlink()


NAMES = {
    **{REQUESTS.format(way): f"requests {way}" for way in WAYS},
    **{SECTORS.format(way): f"sectors {way}" for way in WAYS},
    "lts__t_sectors_srcunit_tex_op_read.sum": "L2 read",
    "lts__t_sectors_srcunit_tex_op_write.sum": "L2 written",
    "dram__bytes_read.sum": "DRAM bytes read",
    "dram__bytes_write.sum": "DRAM bytes written",
    "smsp__sass_branch_targets_threads_divergent.sum": "divergent branches",
    "smsp__thread_inst_executed.sum": "thread instructions",
    "smsp__inst_executed.sum": "instructions",
}


def value(text):
    return float(text.replace(",", "")) if text else 0.0


def sums_of(text, names=NAMES):
    """[{name: sum} of each kernel, with its name], of a page `raw`."""
    begin = text.find('"ID"')
    if begin < 0:
        return []
    rows = list(csv.DictReader(io.StringIO(text[begin:])))[1:]  # the first has units
    return [
        {"kernel": row["Kernel Name"], **{names[n]: value(row[n]) for n in names if row.get(n)}}
        for row in rows
    ]


def instructions_of(text):
    """[instructions of each kernel], of a page `source`."""
    kernels, names = [], []
    for row in csv.reader(io.StringIO(text)):
        if row and row[0] == "Kernel Name":
            kernels.append([])
        elif row and row[0] == "Address":
            names = row
        elif row and re.match("0x", row[0]):
            kernels[-1].append(instruction(dict(zip(names, row))))
    return kernels


def instruction(of):
    def get(name):
        return value(of.get(name, ""))

    sectors = "memory_l2_theoretical_sectors_"
    optional = {"threads": "thread_inst_executed", "lines": "memory_l1_tag_requests_global"}
    return {
        "text": of["Source"].strip(),
        "executed": get("inst_executed"),
        **{name: get(metric) for name, metric in optional.items() if metric in of},
        "sectors": get(f"{sectors}global") + get(f"{sectors}local"),
        "shared": get("memory_l1_wavefronts_shared"),
        "shared ideal": get("memory_l1_wavefronts_shared_ideal"),
    }


def times_of(file):
    lines = file.read_text().splitlines() if file.exists() else []
    return {int(line.split()[0]): float(line.split()[1]) for line in lines}


def text_of(file):
    return file.read_text() if file.exists() else ""


def counted(jobs, out):
    """For each case in its order what was counted of it, and its time: each may be missing."""
    for portion in sorted(jobs.glob("cases_*.txt")):
        k = portion.stem.removeprefix("cases_")
        number = len(portion.read_text().splitlines())
        times = times_of(out / f"times_{k}.txt")
        sums = sums_of(text_of(out / f"sums_{k}.csv"))
        kernels = instructions_of(text_of(out / f"instructions_{k}.csv"))
        if len(sums) != number or len(kernels) % number:  # Nsight Compute lists a kernel twice
            sums, kernels = [], []
        for case in range(number):
            facts = {"microseconds": times.get(case)}
            if kernels:
                instructions = kernels[case * (len(kernels) // number)]
                facts.update(sums=sums[case], instructions=instructions)
            yield facts
