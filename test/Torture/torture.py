#!/usr/bin/env python3
# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Self-checking C programmes through the whole pipeline: a second opinion from outside.

FOLDER holds C files, each with a `main` that calls abort() where something is wrong, as in
GCC's gcc.c-torture/execute (package gcc-12-source; none of it is in this tree).
colonnade-wrap makes each an entry in C++: its variables are members of a class, its
functions methods. Then, for each:

  1. `colonnade check` says the class. Refused programmes are listed with the reason.
  2. What is accepted must return 0, recorded from the source, in the interpreter (with and
     without what no output needs; with its certificate), and as the kernels of every back
     end. A second entry works on the variables in the caller's memory, where all of them are
     numbers: if it is accepted, too, its recorded trace is the interpreter's and the
     certificate's, access by access.
  3. The same returns 0, compiled by the host compiler, and on the CPU back end in every
     layout; batches take turns with the instruction sets.
  4. Every n-th of them gets a false `if`: all must return 1.
  5. Where a file is no C++ as a class, each of its functions is an entry (functions.py).

Where the interpreter stops at undefined behaviour (a programme that relies on signed
overflow), the programme is counted apart, and so is one that it does not end in time. Batches
of programmes share a parse, and a compile. What each came to is kept in WORK/results.json,
from which --resume goes on. Exit 1 if a programme failed; a refusal is none.
"""
import argparse
import concurrent.futures
import glob
import json
import math
import os
import re
import subprocess
import sys
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", folder) for folder in ("Fuzz", "tools")]
import batch
import certificates
import figures
from functions import Crash, FunctionEntries
from model import ArrayDescription, Entry
from pipeline import Failure, KernelForm, Pipeline, add_arguments, machine_isas

# The language of the programmes, whose conversions are not to be errors, and ours.
C_FLAGS = ["-std=gnu89", "-w"] + [
    f"-Wno-{warning}"
    for warning in ("int-conversion", "incompatible-function-pointer-types", "return-mismatch")
]
FLAGS = ["-std=c++20", "-w", "-Wno-c++11-narrowing"]
# Right as C, but by what a class in C++ does not have.
OTHERWISE = {
    "20021127-1.c": "defines llabs, and counts on the compiler's own",
    "alias-2.c": "one object under two names",
    "alias-3.c": "one object under two names",
    "printf-1.c": "counts what printf writes",
    "scope-1.c": "declares a variable of the file within a block",
    **dict.fromkeys(
        ("bitfld-3.c", "bitfld-5.c", "pr32244-1.c", "pr34971.c"),
        "bit-fields wider than int, which have types of their own in GCC's C alone",
    ),
}
SECONDS, KILOBYTES = 120, 6 << 20  # of one process's own time, and its memory


class Torture(Pipeline):
    def __init__(self, options):
        super().__init__(options)
        self.results = {}
        self.isas = machine_isas()
        self.path = os.path.join(options.work, "results.json")
        self.optimization = options.optimization
        self.functions = FunctionEntries(options.colonnade, C_FLAGS, self.quietly)

    @staticmethod
    def limited(words):
        limits = f"ulimit -t {SECONDS} -v {KILOBYTES}"
        return ["bash", "-c", f'{limits}; exec "$@"', "-", *words]

    def command(self, words, allowed=(0,)):
        return Pipeline.command(self.limited(words), allowed)

    def native_words(self):
        return [*super().native_words(), "-Wno-narrowing"]  # C has no such errors

    # --- one programme -------------------------------------------------------------

    def quietly(self, words):
        return subprocess.run(self.limited(words), capture_output=True, text=True)

    def wrap(self, path, name, *plant):
        """The programme as C++ beside the results, or why there is none."""
        words = [self.options.wrap, *plant, name, path, "--", *C_FLAGS]
        done = self.quietly(words)
        if done.returncode:
            return None, first_error(done)
        with open(self.source(name), "w") as file:
            file.write(done.stdout)
        return self.source(name), None

    def source(self, name):
        return os.path.join(self.options.work, f"{name}.cpp")

    def survey(self, path, *plant):
        """What check says of one file."""
        stem = re.sub(r"\W", "_", os.path.splitext(os.path.basename(path))[0])
        result = {"name": f"t_{stem}" + ("_planted" if plant else ""), "file": path}
        source, error = self.wrap(path, result["name"], *plant)
        if not source:
            return result | {"class": "not C", "reason": error}
        if reason := OTHERWISE.get(os.path.basename(path)):
            return result | {"class": "not C++", "reason": reason}
        names = [result["name"], memory_name(result["name"])]
        with open(source) as file:
            if f"int {names[1]}(" not in file.read():
                names.pop()
        chosen = [word for name in names for word in ("-f", name)]
        done = self.quietly(
            [self.options.colonnade, "check", source, *chosen, "--json", "-"]
            + ["--", *FLAGS, *self.includes()]
        )
        if done.returncode == 3:
            return result | {"class": "not C++", "reason": first_error(done)}
        if done.returncode not in (0, 1, 2):
            return result | {"class": "failed", "reason": (done.stderr.splitlines() or [""])[-1]}
        reports = json.loads(done.stdout)["functions"]
        if len(reports) > 1 and figures.is_accepted(reports[1]):
            result["memory"] = [
                (parameter["name"], parameter["cell"], math.prod(map(int, parameter["extents"])))
                for parameter in reports[1]["parameters"]
            ]
        causes = [f["message"] for f in reports[0]["findings"] if f["class"] not in ("A", "P")]
        return result | {"class": reports[0]["class"], "reason": causes[0] if causes else ""}

    def entries_of(self, result):
        """Where the class is no C++, its functions; a crash of the tool is a failure."""
        try:
            return {"functions": self.functions.of(result["file"])}
        except Crash as crash:
            return {"functions": {}, "fault": str(crash)}

    # --- a batch of accepted ones --------------------------------------------------

    def by_halves(self, step, results, turn):
        """{name: None, or how it fails}. A batch that fails goes on without the programmes
        that the failure names; one that names none is halved."""
        try:
            return step(results, turn)
        except Failure as failure:
            text = str(failure)
        faults = named(text)
        rest = [result for result in results if result["name"] not in faults]
        if not faults and len(results) == 1:
            return {results[0]["name"]: summary(text)}
        half = len(rest) // 2 if not faults else len(rest)
        return (
            faults
            | (self.by_halves(step, rest[:half], turn) if rest[:half] else {})
            | (self.by_halves(step, rest[half:], turn) if rest[half:] else {})
        )

    def write_batch(self, results, step):
        """Folder and source of the programmes side by side."""
        names = [result["name"] for result in results]
        folder = os.path.join(self.options.work, f"{step}_{names[0]}_{len(names)}")
        os.makedirs(folder, exist_ok=True)
        source = os.path.join(folder, "batch.cpp")
        with open(source, "w") as file:
            for name in names:
                with open(self.source(name)) as text:
                    file.write(text.read())
        return folder, source

    def recorded(self, results, _):
        """One process parses, interprets and records all of them."""
        folder, source = self.write_batch(results, "recorded")
        jobs = [returning(result) for result in results]
        jobs += [
            batch.drawn_job(memory_entry(result), 1, self.options.seed)
            for result in results
            if "memory" in result
        ]
        path, written = os.path.join(folder, "jobs.json"), os.path.join(folder, "certificates")
        with open(path, "w") as file:
            json.dump({"entries": jobs}, file)
        words = [self.options.interpret, path, source, "--record", f"--certificates={written}"]
        out = self.command([*words, "--", *FLAGS, *self.includes()], allowed=(0, 1))
        if json.loads(out.splitlines()[-1])["failures"]:
            faults = named(out)
        else:
            faults = {}
        try:
            confirmed = certificates.check_file(written)
        except certificates.Wrong as wrong:
            raise Failure(f"{wrong}\nsee {written}") from None
        if not faults and confirmed != len(jobs):
            raise Failure(f"{written}: {confirmed} certificates for {len(jobs)} entries")
        return {result["name"]: faults.get(result["name"]) for result in results}

    def on_cpu(self, results, turn):
        """One compile of the sources, and one of the CPU back end, for all of them."""
        folder, source = self.write_batch(results, "native")
        names, entries = [result["name"] for result in results], []
        for name in names:
            entry = Entry(name)
            entry.arrays = [ArrayDescription("return", "s32", 1, False)]
            entry.wrapper = [f"*(int32_t *)A[0] = {name}();"]
            entries.append(entry)
        main = self.write_wrappers(folder, "main.cpp", "batch.cpp", entries, names)
        form = KernelForm(self.isas[turn % len(self.isas)], strided=True, guarded=True)
        self.emit_cpu(folder, [source], FLAGS)
        jobs, _ = self.compare(folder, [source], entries, FLAGS, main, form=form)
        returned = self.returned(jobs)
        return {
            result["name"]: (
                None
                if returned[result["name"]] == expected(result)
                else f"returns {returned[result['name']]}"
            )
            for result in results
        }

    @staticmethod
    def returned(jobs):
        """What each entry gave, compiled by the host compiler."""
        with open(jobs) as file:
            entries = json.load(file)["entries"]
        return {e["name"]: e["instances"][0]["after"]["return"][0] for e in entries}

    # --- all -----------------------------------------------------------------------

    def plant(self, accepted):
        """Of every n-th accepted programme one with a false `if`."""
        for first in range(0, len(accepted), self.options.plant_every):
            group = accepted[first : first + self.options.plant_every]
            if any(f"{result['name']}_planted" in self.results for result in group):
                continue
            for result in group:
                twin = self.survey(result["file"], "--plant")
                if figures.is_accepted(twin):
                    self.results[twin["name"]] = twin | {"planted": 1}
                    break

    def save(self):
        with open(self.path + ".new", "w") as file:
            json.dump(self.results, file, indent=1)
        os.replace(self.path + ".new", self.path)

    def load(self):
        if not (self.options.resume or self.options.retry) or not os.path.exists(self.path):
            return
        with open(self.path) as file:
            self.results = json.load(file)
        if self.options.retry:
            self.results = {n: r for n, r in self.results.items() if figures.agrees(r)}

    def survey_all(self, pool, paths):
        known = {result["file"] for result in self.results.values()}
        for result in pool.map(self.survey, [path for path in paths if path not in known]):
            self.results[result["name"]] = result
            if len(self.results) % 50 == 0:
                self.save()
        self.save()

    def do_all(self, pool, step, key, chosen, size):
        """A step for all programmes that it has not been done for, in batches."""
        open_ = [result for result in chosen if key not in result]
        batches = [open_[first : first + size] for first in range(0, len(open_), size)]
        futures = [
            pool.submit(self.by_halves, step, group, turn) for turn, group in enumerate(batches)
        ]
        for done in concurrent.futures.as_completed(futures):
            for name, fault in done.result().items():
                self.results[name][key] = fault or figures.AGREES
                if fault and not figures.is_apart(fault):
                    print(f"FAIL {self.results[name]['file']}: {fault}", flush=True)
            self.save()

    def functions_of_all(self, pool, chosen):
        open_ = [result for result in chosen if "functions" not in result]
        for result, entries in zip(open_, pool.map(self.entries_of, open_)):
            result |= entries
            self.save()

    def run(self, paths):
        os.makedirs(self.options.work, exist_ok=True)
        self.prepare()
        self.load()
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            self.survey_all(pool, paths)
            originals = [r for r in self.results.values() if "planted" not in r]
            self.plant([r for r in originals if figures.is_accepted(r)])
            accepted = [r for r in self.results.values() if figures.is_accepted(r)]
            size = self.options.batch
            self.do_all(pool, self.recorded, "recorded", accepted, size)
            self.functions_of_all(pool, [r for r in originals if r["class"] == "not C++"])
            right = [r for r in accepted if r["recorded"] == figures.AGREES]
            self.do_all(pool, self.on_cpu, "native", right, size)
        return figures.report(self.results.values())


def memory_name(name):
    return f"in_{name}"


def memory_entry(result):
    """The programme in memory that the recorder knows, cell by cell."""
    entry = Entry(memory_name(result["name"]))
    entry.arrays = [
        ArrayDescription(array, "boolean" if cell == "bool" else cell, cells, False)
        for array, cell, cells in result["memory"]
    ]
    return entry


def expected(result):
    return result.get("planted", 0)


def returning(result):
    """The job of a programme of its own: it takes nothing, and returns what is expected."""
    instance = {"before": {"return": [0]}, "after": {"return": [expected(result)]}}
    return {"name": result["name"], "scalars": {}, "instances": [instance]}


def named(text):
    """{name: fault} of the programmes that a failure names."""
    found = re.findall(r"FAIL (?:in_)?(t_\w+)[: ] ?(.*)", text)
    return {name: fault for name, fault in reversed(found)}


def first_error(done):
    lines = [line for line in done.stderr.splitlines() if "error: " in line]
    return lines[0].split("error: ", 1)[1] if lines else f"exit {done.returncode}"


def summary(text):
    """The line of a failure that says what differs."""
    lines = text.splitlines()
    telling = [l for l in lines if l.startswith("FAIL") or "error" in l or "OBL30" in l]
    return (telling or lines[1:2] or [text])[0][:300]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_arguments(parser)
    parser.add_argument("--wrap", required=True, help="colonnade-wrap")
    parser.add_argument("--work", required=True, help="scratch folder")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--optimization", default="-O1", help="of the host compiler")
    parser.add_argument("--plant-every", type=int, default=50)
    parser.add_argument("--portion", default="0/1", help="K/N: every N-th file, from the K-th")
    parser.add_argument("--resume", action="store_true", help="go on where the last run ended")
    parser.add_argument(
        "--retry", action="store_true", help="the same, but without what did not agree"
    )
    parser.add_argument("folder")
    options = parser.parse_args()
    paths = sorted(glob.glob(os.path.join(options.folder, "*.c")))
    if not paths:
        sys.exit(f"no C files in {options.folder}")
    portion, portions = map(int, options.portion.split("/"))
    sys.exit(Torture(options).run(paths[portion::portions]))


if __name__ == "__main__":
    main()
