"""The kernels whose costs scripts/model-check compares, with what is predicted of them.

prepare() writes to a folder: for each function its generated code and `lines.json` (which
instruction belongs to which place of the source), for each of its instance numbers p
`predicted_P.json` (`colonnade cost --json`), and `predicted_P_1.json` for arrays that begin one
cell behind an aligned address; `machine.json`, the machine that they are for;
`cases.json`, the cases in the order in which they are launched; `cases_K.txt`, portions of them
for the programme `model_check` (bench/gpu/model_check.cu), which is built here. predict() writes
the predictions anew, for another machine.
"""

import concurrent.futures
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys

import model_lines
from recorder import ROOT

LAYOUTS = ("tiled", "column", "row")
COUNTS = (1, 31, 1_000_001)
# Whose arrays begin one cell behind an aligned address, too, and with how many instances.
MOVED = (
    "prefix_sums",
    "sized::prefix_sums",
    "reversed<unsigned char>",
    "reversed<unsigned short>",
    "reversed<double>",
    "stencil",
    "permuted",
    "matrix_product",
    "first_above",
    "fft_256",
    "sharpen",
)
MOVED_COUNTS = (45, 10_007)
MODELS = ["--model", "sectors,l2,time,k"]
PORTION = 15  # cases that are profiled by one process
OWN = "bench/gpu/model_check_functions.cpp"
WITH_SIZES = "bench/gpu/model_check_sizes.cpp"
PERMUTATION = [(i * 11 + 5) % 64 for i in range(64)]


def words(kind, numbers):
    return struct.pack(f"<{len(numbers)}{kind}", *numbers)


def floats(count):
    return words("f", [1 + i / count for i in range(count)])


# Function: its source, values of its scalars, cells of its uniform arrays (`name: type, bytes`).
FUNCTIONS = {
    "prefix_sums": ("examples/prefix_sums/prefix_sums.cpp", {"n": 32}, {}),
    "sized::prefix_sums": (OWN, {"n": 32}, {}),
    "reversed<unsigned char>": (OWN, {"n": 33}, {}),
    "reversed<unsigned short>": (OWN, {"n": 33}, {}),
    "reversed<float>": (OWN, {"n": 33}, {}),
    "reversed<double>": (OWN, {"n": 33}, {}),
    "stencil": (OWN, {}, {}),
    "permuted": (OWN, {"n": 64}, {"perm": ("<i4", words("i", PERMUTATION))}),
    "weighted": (OWN, {"n": 64}, {}),
    "thomas": (OWN, {}, {}),
    "matrix_product": (OWN, {"n": 8}, {}),
    "cholesky": (OWN, {"n": 16}, {}),
    "bisected": (OWN, {"depth": 20}, {}),
    "first_above": (OWN, {"n": 32}, {}),
    "delayed": (OWN, {"n": 512}, {}),
    "bitonic_sort": ("examples/bitonic_sort/bitonic_sort.cpp", {"n": 64}, {}),
    "triangulate": ("examples/polygon_triangulation/polygon_triangulation.cpp", {"n": 8}, {}),
    "floyd_warshall": ("examples/floyd_warshall/floyd_warshall.cpp", {"n": 8}, {}),
    "sharpen": ("examples/sharpen/sharpen.cpp", {"strength": 24}, {}),
    "escape_time": ("examples/mandelbrot/mandelbrot.cpp", {"limit": 200}, {}),
    "montgomery_multiply": (
        "examples/montgomery/montgomery.cpp",
        {"modulus_inverse": 12345},
        {"modulus": ("<u4", words("I", [2 * i + 1 for i in range(8)]))},
    ),
    "common_subsequence": (OWN, {}, {}),
    "fft_256": (
        OWN,
        {},
        {"twiddle_re": ("<f4", floats(128)), "twiddle_im": ("<f4", floats(128))},
    ),
    "power_spectrum": (
        "examples/spectrogram/power_spectrum.cpp",
        {},
        {
            "window": ("<f4", floats(1024)),
            "twiddle_re": ("<f4", floats(512)),
            "twiddle_im": ("<f4", floats(512)),
        },
    ),
    "teams::cholesky": (WITH_SIZES, {"n": 16}, {}),
    "teams::matrix_product": (WITH_SIZES, {"n": 16}, {}),
    "teams::floyd_warshall": (WITH_SIZES, {"n": 16}, {}),
    "streams::prefix_sums": (WITH_SIZES, {"n": 1024}, {}),
}
# Whose scalars are sizes.
FIXED = {"sized::prefix_sums", *(name for name in FUNCTIONS if FUNCTIONS[name][0] == WITH_SIZES)}


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"error: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def prepare(tool, jobs, arch, machine, names):
    """The number of cases."""
    for name in names:
        if name not in FUNCTIONS:
            sys.exit(f"error: no function {name}; there are: {', '.join(FUNCTIONS)}")
    shutil.rmtree(jobs, ignore_errors=True)
    functions = functions_of(tool, jobs, names or FUNCTIONS)
    in_parallel(lambda function: function.build(arch), functions)
    link(jobs, arch, functions)
    (jobs / "commit").write_text(commit() + "\n")
    write_cases(jobs, predicted(functions, jobs, machine))
    return len(read_cases(jobs))


def predict(tool, jobs, machine):
    """Predictions for `machine` in place of those that are there."""
    cases = read_cases(jobs)
    functions = {f.name: f for f in functions_of(tool, jobs, {case["name"] for case in cases})}
    wanted = sorted({(case["name"], case["count"], base_of(case)) for case in cases})
    in_parallel(lambda one: functions[one[0]].predict(one[1], one[2], machine), wanted)
    record_machine(jobs, machine)
    return len(cases)


def read_cases(jobs):
    return json.loads((jobs / "cases.json").read_text())


def base_of(case):
    """Cells from an aligned address to the arrays."""
    return case.get("base", 0)


def prediction_of(case):
    """The name of its file."""
    base = base_of(case)
    return f"predicted_{case['count']}_{base}.json" if base else f"predicted_{case['count']}.json"


def functions_of(tool, jobs, names):
    if not tool.exists():
        sys.exit(f"error: no {tool}: build first (./run-tests or ./quickstart)")
    return in_parallel(lambda name: Function(tool, jobs, name), names)


def in_parallel(call, items):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(call, items))


def predicted(functions, jobs, machine):
    """The cases, those with fewest instances first; their predictions are files then."""
    found = in_parallel(lambda function: function.predicted(machine), functions)
    record_machine(jobs, machine)
    return sorted(sum(found, []), key=lambda case: case["count"])


def record_machine(jobs, machine):
    file = ROOT / f"lib/Model/Machines/{machine}.json"
    shutil.copy(file if file.exists() else machine, jobs / "machine.json")
    (jobs / "priced").write_text(commit() + "\n")


def commit():
    return run("git", "-C", ROOT, "describe", "--always", "--dirty").strip()


class Function:
    """One function, in a folder of its own."""

    def __init__(self, tool, jobs, name):
        source, self.scalars, self.uniform = FUNCTIONS[name]
        self.tool, self.name, self.source = tool, name, ROOT / source
        self.stem = run(tool, "stems", self.source, "-f", name).strip()
        self.folder = jobs / self.stem

    def build(self, arch):
        self.folder.mkdir(parents=True)
        facts = self.facts() if self.name in FIXED else []
        files = ["--target", "cuda,cpu", "-o", self.folder]
        run(self.tool, "emit", self.source, "-f", self.name, *facts, *files)
        self.write_uniform()
        self.compile(arch)

    def predicted(self, machine):
        aligned = [case for count in COUNTS for case in self.cases(count, 0, machine)]
        if self.name not in MOVED:
            return aligned
        return aligned + [c for count in MOVED_COUNTS for c in self.cases(count, 1, machine)]

    def facts(self):
        option = "--size" if self.name in FIXED else "--arg"
        return [part for item in self.scalars.items() for part in (option, "{}={}".format(*item))]

    def write_uniform(self):
        for name, (kind, cells) in self.uniform.items():
            (self.folder / f"{name}.bin").write_bytes(cells)
            shape = (len(cells) // int(kind[2]),)
            header = repr({"descr": kind, "fortran_order": False, "shape": shape})
            header += " " * (-(10 + len(header) + 1) % 64) + "\n"
            begin = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header))
            (self.folder / f"{name}.npy").write_bytes(begin + header.encode() + cells)

    def compile(self, arch):
        kept = self.folder / "kept"
        kept.mkdir()
        base = self.folder / f"{self.stem}.bulk"
        flags = [*model_lines.NVCC, f"-arch={arch}", f"-I{ROOT}/include", f"-I{self.folder}"]
        run(*flags, "--keep", "--keep-dir", kept, "-c", f"{base}.cu", "-o", f"{base}.cu.o")
        run(*flags, "-DCOLONNADE_BULK_CUDA", "-c", f"{base}.cpp", "-o", f"{base}.cpp.o")
        cubin = next(kept.glob("*.cubin"))
        lines = model_lines.places(cubin, pathlib.Path(f"{base}.cu"))
        (self.folder / "lines.json").write_text(json.dumps(lines))
        shutil.rmtree(kept)

    def predict(self, count, base, machine):
        inputs = [
            part for name in self.uniform for part in ("-i", f"{name}={self.folder / name}.npy")
        ]
        options = ["--count", count, "--base", base, "--machine", machine, *MODELS, "--json", "-"]
        command = [self.tool, "cost", self.source, "-f", self.name, *self.facts(), *inputs]
        predicted = json.loads(run(*command, *options))
        file = self.folder / prediction_of({"count": count, "base": base})
        file.write_text(json.dumps(predicted, indent=1))
        return predicted

    def cases(self, count, base, machine):
        predicted = self.predict(count, base, machine)
        facts = {"stem": self.stem, "name": self.name, "count": count, "base": base}
        facts["class"] = predicted["class"]
        return [{**facts, "layout": layout, "values": self.values()} for layout in LAYOUTS]

    def values(self):
        """As model_check takes them."""
        files = {name: f"{self.stem}/{name}.bin" for name in self.uniform}
        return [f"{name}={value}" for name, value in {**self.scalars, **files}.items()]


def write_cases(jobs, cases):
    for first in range(0, len(cases), PORTION):
        portion = cases[first : first + PORTION]
        lines = [
            " ".join([c["stem"], c["layout"], str(c["count"]), str(c["base"]), *c["values"]])
            for c in portion
        ]
        (jobs / f"cases_{first // PORTION:02}.txt").write_text("".join(f"{x}\n" for x in lines))
    (jobs / "cases.json").write_text(json.dumps(cases, indent=1) + "\n")


def link(jobs, arch, functions):
    """All functions in one programme."""
    text = "namespace colonnade::runtime {\nstruct function_info;\n"
    for function in functions:
        text += f"namespace {function.stem}_bulk {{ const function_info &info(); }}\n"
    text += "struct checked_function { const char *name; const function_info &(*info)(); };\n"
    text += "extern const checked_function checked_functions[];\n"
    text += "extern const unsigned num_checked_functions;\n"
    text += "const checked_function checked_functions[] = {\n"
    text += "".join(f'  {{"{f.stem}", {f.stem}_bulk::info}},\n' for f in functions)
    text += f"}};\nconst unsigned num_checked_functions = {len(functions)};\n}}\n"
    (jobs / "functions.cpp").write_text(text)
    objects = sorted(jobs.glob("*/*.o"))
    sources = [jobs / "functions.cpp", ROOT / "bench/gpu/model_check.cu"]
    run(*model_lines.NVCC, f"-arch={arch}", *sources, *objects, "-o", jobs / "model_check")
    run("strip", jobs / "model_check")
    for file in objects:
        file.unlink()
