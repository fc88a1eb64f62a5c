# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes a source file and its entries through check, emit, build, run, compare.

Nothing is shared but the objects of the harness, which are built once into
`shared`; several processes may do so at the same time.
"""
import argparse
import json
import os
import pathlib
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass

import batch

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tools"))
import certificates

ROOT = os.path.join(HERE, "..", "..")
HARNESS = ["inputs.cpp", "jobs.cpp", "compare.cpp", "cpu_back_end.cpp", "launcher.cpp"]
# Instruction sets of generated CPU code: number of the pass, namespace, what the CPU must have.
ISAS = (
    (1, "baseline", ()),
    (2, "avx2", ("avx2", "fma")),
    (3, "avx512", ("avx512f", "avx512bw", "avx512dq", "avx512vl")),
)
# Included before generated CPU code, precompiled; launcher.cpp is linked with it.
GENERATED = '#include "original.hpp"\n#include "generated.hpp"\n'

os.environ["COLONNADE_ABORT_ON_FAULT"] = "1"  # a fault of the tool is a failure
# Each recorded run is a process that is forked: large pages take half the time.
os.environ.setdefault("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1")


def machine_isas():
    """Names of those that this machine runs."""
    if platform.machine() != "x86_64":
        return [ISAS[0][1]]
    words = set(re.findall(r"\w+", pathlib.Path("/proc/cpuinfo").read_text()))
    return [name for _, name, needs in ISAS if words.issuperset(needs)]


class Failure(Exception):
    pass


@dataclass(frozen=True)
class KernelForm:
    """One of the forms in which the CPU back end has each kernel (one_kernel.hpp)."""

    isa: str
    strided: bool
    guarded: bool  # all, not only where the text shows the need

    def includes(self, folder, names):
        """Lines of a file that has that form of each function's kernel."""
        number = next(number for number, name, _ in ISAS if name == self.isa)
        lines = [
            f"#define COLONNADE_ONLY_ISA {number}",
            f"#define FUZZ_STRIDED {int(self.strided)}",
            '#include "one_kernel.hpp"',
        ]
        for name in names:
            text = pathlib.Path(folder, f"{name}.bulk.cpp").read_text()
            guarded = self.guarded or "all_within = false" in text
            lines += [
                f"#define make_isa_kernels make_{'guarded' if guarded else 'unguarded'}",
                f'#include "{name}.bulk.cpp"',
                "#undef make_isa_kernels",
            ]
        return lines

    def runs(self):
        """Arguments of each run of the programme that compares: of lanes (rows are what a form
        without stride works on), and of serial code, which works on rows alone."""
        isa = "sse2" if self.isa == "baseline" else self.isa
        return [["3", isa, *([] if self.strided else ["row-wise"])], ["3", "serial", "row-wise"]]


def add_arguments(parser):
    parser.add_argument("--colonnade", required=True)
    parser.add_argument("--interpret", required=True, help="colonnade-interpret")
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--shared", required=True, help="folder for the harness objects")
    parser.add_argument("--capture", metavar="DIR", help="only write what a GPU is to compare")
    parser.add_argument("--seed", type=int, default=1)


class Pipeline:
    optimization = "-O1"  # of the host compiler

    def __init__(self, options: argparse.Namespace):
        self.options = options

    @staticmethod
    def command(words, allowed=(0,)):
        done = subprocess.run(
            words,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        if done.returncode not in allowed:
            raise Failure(
                f"{shlex.join(words)}\nexit {done.returncode}\n"
                f"{done.stdout[-6000:]}{done.stderr[-6000:]}"
            )
        return done.stdout

    @staticmethod
    def includes():
        return [f"-I{HERE}", f"-I{ROOT}/runtime/include", f"-I{ROOT}/include"]

    def native_words(self):
        """The host compiler; contraction off, as the sequential reference demands.

        g++ 12.2 at -O1 drops the stores of test/Run/out_parameters.cpp unless
        loop headers are left alone; at -O0, -O2 and -O3 it keeps them. Kernels
        that are not inlined in their callers compile in three quarters of the time.
        What neither the source nor generated code may do (a signed sum that overflows, say)
        ends the programme, whether or not it shows in a result.
        """
        options = ["-std=c++20", "-w", self.optimization, *self.gxx_options(), "-ffp-contract=off"]
        return [self.options.cxx, *options, *self.includes()]

    def native(self, *words):
        return self.command([*self.native_words(), *words])

    def gxx_options(self):
        if "clang" in os.path.basename(self.options.cxx):
            return []
        undefined = "signed-integer-overflow,shift,float-cast-overflow,integer-divide-by-zero"
        return [
            "-fno-tree-ch",
            "-fno-inline-functions-called-once",
            f"-fsanitize={undefined}",
            "-fsanitize-undefined-trap-on-error",
        ]

    def prepare(self):
        os.makedirs(self.options.shared, exist_ok=True)
        native = self.native_words()
        parts = [
            *pathlib.Path(ROOT, "runtime/include").rglob("*.hpp"),
            *pathlib.Path(HERE).glob("*.hpp"),
            __file__,
        ]
        for name in HARNESS:
            target = self.shared(os.path.splitext(name)[0])
            source = os.path.join(HERE, name)
            self.make(target, [source, *parts], [*native, "-c", source])
        if self.precompiles():
            header = self.generated_header()
            if not os.path.exists(header) or pathlib.Path(header).read_text() != GENERATED:
                handle, scratch = tempfile.mkstemp(dir=self.options.shared)
                with open(handle, "w") as file:
                    file.write(GENERATED)
                os.replace(scratch, header)
            self.make(f"{header}.gch", parts, [*native, "-x", "c++-header", header])

    def make(self, target, sources, command):
        """Compiles unless the target is newer; whoever is first, wins."""
        newest = max(map(os.path.getmtime, sources))
        if os.path.exists(target) and os.path.getmtime(target) > newest:
            return
        handle, scratch = tempfile.mkstemp(suffix=".o", dir=self.options.shared)
        os.close(handle)
        self.command([*command, "-o", scratch])
        os.replace(scratch, target)

    def precompiles(self):
        """Whether generated code's headers are parsed once (g++)."""
        return "clang" not in os.path.basename(self.options.cxx)

    def generated_header(self):
        return os.path.join(self.options.shared, "before_generated.hpp")

    def generated_headers(self):
        return ["-include", self.generated_header()] if self.precompiles() else []

    def shared(self, stem):
        return os.path.join(self.options.shared, f"{stem}.o")

    def write_wrappers(self, folder, name, source, entries, bulk=(), prelude=""):
        path = os.path.join(folder, name)
        with open(path, "w") as file:
            file.write(batch.wrappers(source, entries, bulk, prelude))
        return path

    def check(self, sources, flags):
        """The function reports of `colonnade check --json`, by name."""
        out = self.command(
            [
                self.options.colonnade,
                "check",
                *sources,
                "--json",
                "-",
                "--",
                *flags,
                *self.includes(),
            ],
            allowed=(0, 1, 2),
        )
        return {f["name"]: f for f in json.loads(out)["functions"]}

    def emit_cpu(self, folder, sources, flags):
        words = [self.options.colonnade, "emit", *sources, "--target", "cpu", "-o", folder]
        self.command([*words, "--", *flags, *self.includes()])

    def keep_calls(self, folder, sources, flags):
        """The same, of kernels that keep each call; how many have one."""
        words = [self.options.keep_calls, "emit", *sources, "--target", "cpu", "-o", folder]
        said = self.command([*words, "--", *flags, *self.includes()])
        return int(re.search(r"^(\d+) keep calls$", said, re.M)[1])

    def compare(self, folder, sources, entries, flags, main, objects=(), form=None):
        """CPU back end (all kernels, or one form of each), emitted to the folder, against
        `main`'s sequential wrappers; the job file's name, and the entries that need a guarded
        form."""
        bulk = os.path.join(folder, "bulk.cpp")
        with open(bulk, "w") as file:
            names = [e.name for e in entries]
            lines = [f'#include "{name}.bulk.cpp"' for name in names]
            file.write("\n".join(form.includes(folder, names) if form else lines) + "\n")
        self.native(*self.generated_headers(), "-c", main, "-o", f"{main}.o")
        self.native(*self.generated_headers(), "-c", bulk, "-o", f"{bulk}.o")
        program, jobs = os.path.join(folder, "compare"), os.path.join(folder, "jobs.json")
        self.native(
            f"{main}.o",
            f"{bulk}.o",
            *objects,
            *(self.shared(os.path.splitext(name)[0]) for name in HARNESS),
            "-pthread",
            "-o",
            program,
        )
        out = ""
        for run in form.runs() if form else [[]]:
            out += self.command([program, str(self.options.seed), jobs, *run], allowed=(0, 1))
        if "FAIL" in out:
            raise Failure(out)
        return jobs, re.findall(r"^GUARD (\w+)$", out, re.M)

    def capture(self, to, sources, entries, flags, others, write_main):
        """What compare() would build, for CUDA, to the folder `to`: it is built and run where
        there is a GPU. `others`: the sources that the wrappers do not include;
        `write_main(folder, names)` writes the wrappers. How many entries there are."""
        shutil.copytree(os.path.dirname(sources[0]), to)
        names = self.emit_cuda(to, sources, [e.name for e in entries], flags)
        for suffix in ("cpp", "cu"):
            lines = [f'#include "{name}.bulk.{suffix}"' for name in names]
            pathlib.Path(to, f"bulk.{suffix}").write_text("\n".join(lines) + "\n")
        write_main(to, names)
        for path in others:
            shutil.copy(path, to)
        names_of_others = [os.path.basename(path) for path in others]
        pathlib.Path(to, "others").write_text("".join(f"{name}\n" for name in names_of_others))
        return len(names)

    def emit_cuda(self, to, sources, names, flags):
        """Names of the entries that CUDA code is written of; it is refused where a result of
        <cmath> decides which cells are accessed."""
        while True:
            words = [self.options.colonnade, "emit", *sources, "--target", "cuda", "-o", to]
            words += [word for name in names for word in ("-f", name)]
            words += ["--", *flags, *self.includes()]
            done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL)
            if done.returncode == 0:
                return names
            refused = re.findall(r"no CUDA code for '(\w+)'.*\[OBL105\]", done.stderr)
            if not refused:
                raise Failure(f"{shlex.join(words)}\nexit {done.returncode}\n{done.stderr}")
            names = [name for name in names if name not in refused]

    def draw(self, folder, entries, instances):
        """A job file whose inputs colonnade-interpret draws; its name."""
        jobs = [batch.drawn_job(e, instances, self.options.seed) for e in entries]
        path = os.path.join(folder, "drawn.json")
        with open(path, "w") as file:
            json.dump({"entries": jobs}, file)
        return path

    def interpret(self, sources, jobs, flags, *options):
        """The summary of colonnade-interpret: classes, operations. Certificates are
        confirmed once more. --record among the options: the original sources are recorded."""
        written = f"{jobs}.certificates"
        words = [self.options.interpret, jobs, *sources, *options, f"--certificates={written}"]
        out = self.command([*words, "--", *flags, *self.includes()], allowed=(0, 1))
        summary = json.loads(out.strip().splitlines()[-1])
        if summary["failures"]:
            raise Failure(out)
        self.confirm(written, summary)
        return summary

    @staticmethod
    def confirm(written, summary):
        try:
            confirmed = certificates.check_file(written)
        except certificates.Wrong as wrong:
            raise Failure(f"{wrong}\nsee {written}") from None
        accepted = sum(summary["classes"].get(letter, 0) for letter in "AP")
        if confirmed != accepted:
            raise Failure(f"{written}: {confirmed} certificates, {accepted} accepted")
