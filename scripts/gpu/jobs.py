"""The examples as jobs for a machine without LLVM: made by `prepare`, run there.

A job is a folder: the runner's sources, its inputs as .npy, its arguments; `small/`
holds the first instances of each input. A comparison is a folder, too: generated code of
a construct of test/Run, or of a batch of random programmes, with what test/Fuzz/compare.cpp
needs to compare it with the originals.
"""

import ast
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys

from evidence import ROOT

EXAMPLES = (
    "prefix_sums",
    "polygon_triangulation",
    "bitonic_sort",
    "floyd_warshall",
    "montgomery",
    "mandelbrot",
    "sharpen",
    "spectrogram",
)
SMALL = 200  # instances under compute-sanitizer
RANDOM, RANDOM_SEED, BATCH = 200, 7, 20  # random programmes
QUIETLY = {"capture_output": True, "text": True, "stdin": subprocess.DEVNULL}
COMPARISON_SEED = "5"  # of the instances' data
CAPTURED = 42  # exit code of scripts/gpu/capture-job


def read_npy(path):
    """(header text, shape, raw data) of a C-order .npy file."""
    raw = path.read_bytes()
    if raw[6] == 1:
        size, start = struct.unpack("<H", raw[8:10])[0], 10
    else:
        size, start = struct.unpack("<I", raw[8:12])[0], 12
    head = ast.literal_eval(raw[start : start + size].decode().strip())
    return head, raw[start + size :]


def write_npy(path, head, data):
    text = repr(head)
    text += " " * (-(10 + len(text) + 1) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + data)


def first_rows(source, target, count):
    head, data = read_npy(source)
    rows = head["shape"][0]
    kept = min(rows, count)
    head = dict(head, shape=(kept,) + tuple(head["shape"][1:]))
    write_npy(target, head, data[: len(data) // rows * kept])


def prepare(args):
    jobs = pathlib.Path(args.jobs).resolve()
    if not jobs.is_relative_to(ROOT):  # generated sources include the tree's by relative paths
        sys.exit(f"error: {jobs} is not in {ROOT}, where it is to be built: name a folder there")
    tool = pathlib.Path(args.build).resolve() / "bin" / "colonnade"
    if not tool.exists():
        sys.exit(f"error: no {tool}: build first (./run-tests or ./quickstart)")
    shutil.rmtree(jobs, ignore_errors=True)
    jobs.mkdir(parents=True)
    environment = dict(
        os.environ,
        COLONNADE=str(ROOT / "scripts/gpu/capture-job"),
        COLONNADE_TOOL=str(tool),
        COLONNADE_JOBS=str(jobs),
    )
    for name in EXAMPLES:
        scratch = jobs / "scratch"
        command = [str(ROOT / "examples" / name / "run"), str(scratch)]
        code = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL).returncode
        if code != CAPTURED:
            sys.exit(f"error: the example {name} did not get as far as its run (code {code})")
        shutil.rmtree(scratch)
        finish_job(jobs / name)
    (jobs / "jobs").write_text("".join(f"{name}\n" for name in EXAMPLES))
    comparisons = prepare_comparisons(tool, jobs / "comparisons")
    (jobs / "commit").write_text(
        subprocess.run(
            ["git", "-C", str(ROOT), "describe", "--always", "--dirty"],
            capture_output=True,
            text=True,
        ).stdout
    )
    size = sum(file.stat().st_size for file in jobs.rglob("*") if file.is_file())
    print(
        f"{len(EXAMPLES)} jobs and {comparisons} comparisons in {jobs}, {size / 2**20:.1f} MiB"
    )


def prepare_comparisons(tool, folder):
    """Their number; the list of their names is the file `names`."""
    folder.mkdir()
    tests, scratch = ROOT / "test", folder / "scratch"
    common = ["--colonnade", tool, "--interpret", "none", "--shared", scratch / "shared"]
    work = []
    for source in sorted((tests / "Run").glob("*.c*")):
        if re.search(r"^// call:", source.read_text(), re.M):
            to = folder / f"construct_{source.stem}"
            script = [sys.executable, tests / "Run/run_construct.py", *common]
            work.append([*script, "--capture", to, source, scratch / source.stem])
    script = [sys.executable, tests / "Fuzz/fuzz.py", *common, "--seed", RANDOM_SEED]
    options = ["--capture", folder, "--work", scratch, "--count", RANDOM, "--batch", BATCH]
    work.append([*script, *options])
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for done in pool.map(lambda w: subprocess.run(list(map(str, w)), **QUIETLY), work):
            if done.returncode:
                sys.exit(f"error: {done.args}:\n{done.stdout}{done.stderr}")
    shutil.rmtree(scratch)
    names = sorted(job.parent.name for job in folder.glob("*/bulk.cu"))
    (folder / "names").write_text("".join(f"{name}\n" for name in names))
    return len(names)


def finish_job(job):
    """Adds the identifier and small inputs beside the full ones."""
    stem = next(job.glob("*.bulk.json")).name.removesuffix(".bulk.json")
    (job / "identifier").write_text(stem)
    function = json.loads((job / f"{stem}.bulk.json").read_text())["functions"][0]
    instance = {p["name"] for p in function["parameters"] if p["kind"] == "instance"}
    (job / "small").mkdir(exist_ok=True)
    for file in job.glob("input_*.npy"):
        name = file.stem.removeprefix("input_")
        if name in instance:
            first_rows(file, job / "small" / file.name, SMALL)
        else:
            shutil.copy(file, job / "small" / file.name)


def same_bytes(job, names):
    """Outputs that differ between the two back ends."""
    return [
        name
        for name in names
        if not (job / f"cuda_{name}").exists()
        or (job / f"cpu_{name}").read_bytes() != (job / f"cuda_{name}").read_bytes()
    ]


def job_arguments(job, prefix, small=False):
    arguments = (job / "arguments").read_text().splitlines()
    for i, argument in enumerate(arguments):
        name, _, file = argument.partition("=")
        if file.startswith("input_"):
            arguments[i] = f"{name}={'small/' if small else ''}{file}"
        elif file.startswith("output_"):
            arguments[i] = f"{name}={prefix}{file}"
        elif i and arguments[i - 1] == "--count" and small:
            arguments[i] = str(min(int(argument), SMALL))
    return arguments


def output_names(job):
    lines = (job / "arguments").read_text().splitlines()
    return [
        file for _, _, file in (line.partition("=") for line in lines) if file.startswith("output_")
    ]


def sanitizers(folder):
    """Those that generated code is run under: threads race only where they share memory."""
    shares = any("__shared__" in file.read_text() for file in folder.glob("*.cu"))
    return ("memcheck", "initcheck", "racecheck") if shares else ("memcheck",)


def run_job(recorder, name, job, runner, sanitize):
    """The two back ends agree, also with little memory; sanitizers have nothing to report."""
    if not runner.exists():
        recorder.missing("examples", name)
        return
    for target in ("cpu", "cuda"):
        arguments = job_arguments(job, f"{target}_")
        recorder.run(
            "examples",
            f"{name}, {target}, verified",
            [runner, *arguments, "--target", target, "--verify"],
            cwd=job,
        )
    compare(recorder, job, f"{name}, cuda equals cpu")
    command = [runner, *job_arguments(job, "cuda_"), "--target", "cuda"]
    recorder.run(
        "examples",
        f"{name}, 4 MiB of device memory",
        command + ["--device-memory", str(4 << 20)],
        cwd=job,
    )
    compare(recorder, job, f"{name}, small budget equals cpu")
    command = [runner, *job_arguments(job, "small_", small=True), "--target", "cuda"]
    for tool in sanitizers(job):
        sanitize(tool, name, command, job)


def run_comparison(recorder, name, folder, program, sanitize, unoptimised):
    """Generated CUDA code has the sequential functions' bits, in every layout."""
    if not program.exists():
        recorder.missing("constructs", name)
        return
    arguments = [COMPARISON_SEED, os.devnull]
    recorder.run("constructs", name, [program, *arguments])
    for tool in sanitizers(folder):
        sanitize(
            tool, name, [program, *arguments], unoptimised=lambda: [unoptimised(), *arguments]
        )


def compare(recorder, job, name):
    differing = same_bytes(job, output_names(job))
    if recorder.left() <= 0:
        recorder.add("examples", name, "not run", reason="no time was left")
    elif differing:
        recorder.add("examples", name, "failed", reason=f"differing: {', '.join(differing)}")
    else:
        recorder.add("examples", name, "passed")
