#!/usr/bin/env python3
# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one fuzzer: replays its corpus, then makes new inputs of it.

  test/Fuzzers/fuzz.py build/test/Fuzzers/npy --runs 10000      as the tests do
  test/Fuzzers/fuzz.py build-fuzz/test/Fuzzers/npy --seconds 1800 --keep DIR

The corpus is corpus/NAME beside this script, and what the tree has besides: sources of
test/Run for the front end, IR samples for the parser. An input that crashes, hangs, leaks
or breaks an invariant is left in the folder that is printed.
"""
import argparse
import glob
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
# As the tool's own main gives itself.
STACK_BYTES = 256 << 20
LIMITS = ["-timeout=25", "-rss_limit_mb=2000", "-malloc_limit_mb=1000", "-max_len=8192"]


def source(path):
    """A source of test/Run, without the lines that name files."""
    with open(path) as file:
        lines = [line for line in file if "include" not in line and not line.startswith("//")]
    return ("//c\n" if path.endswith(".c") else "") + "".join(lines)


def ir(path):
    """The text of an IR file without its comments, among them RUN lines."""
    with open(path) as file:
        return re.sub(r"^\s*//.*\n", "", file.read(), flags=re.M)


# They need more of the standard library than Inputs/library.h has.
LIBRARY = "cmath_overloads float_classes float_parts if_initialiser interpolation local_flags"
LIBRARY = {*LIBRARY.split(), "math_functions"}
MORE = {
    "front_end": (["test/Run/*.c", "test/Run/*.cpp"], source),
    "ir_parser": (["unittests/IRSamples/*.ir", "test/Transform/*.ir"], ir),
}


def write_seeds(name, folder):
    for path in sorted(glob.glob(os.path.join(HERE, "corpus", name, "*"))):
        shutil.copy(path, folder)
    patterns, read = MORE.get(name, ([], None))
    for pattern in patterns:
        for path in sorted(glob.glob(os.path.join(ROOT, pattern))):
            if os.path.splitext(os.path.basename(path))[0] in LIBRARY:
                continue
            with open(os.path.join(folder, os.path.basename(path)), "w") as file:
                file.write(read(path))


def command(options, name, work):
    amount = f"-runs={options.runs}"
    if options.seconds:
        amount = f"-max_total_time={options.seconds}"
    # Names and places of errors only matter to a reader: Clang prints many.
    quiet = ["-close_fd_mask=2"] if name == "front_end" else []
    return [
        options.fuzzer,
        amount,
        f"-seed={options.seed}",
        f"-artifact_prefix={work}/found-",
        "-print_final_stats=1",
        *LIMITS,
        *quiet,
        os.path.join(work, "corpus"),
    ]


def check_seeds(fuzzer, folder, environment):
    """All sources of the tree compile: else nothing but error messages would be tested."""
    seeds = sorted(
        glob.glob(os.path.join(folder, "*.c")) + glob.glob(os.path.join(folder, "*.cpp"))
    )
    done = subprocess.run(
        [fuzzer, *seeds],
        env=dict(environment, COLONNADE_FUZZERS_SEEDS="1"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        errors="replace",
        text=True,
    )
    if done.returncode != 0 or not seeds:
        sys.exit("FAIL a seed does not compile:\n" + done.stderr[-3000:])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("fuzzer")
    parser.add_argument("--runs", type=int, default=10000, help="inputs, those of the corpus too")
    parser.add_argument("--seconds", type=int, help="as long as that instead")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="folder of the grown corpus, which a next run goes on with")
    options = parser.parse_args()
    name = os.path.basename(options.fuzzer)
    work = options.keep or tempfile.mkdtemp(prefix="colonnade-fuzz-")
    os.makedirs(os.path.join(work, "corpus"), exist_ok=True)
    write_seeds(name, os.path.join(work, "corpus"))
    resource.setrlimit(
        resource.RLIMIT_STACK, (STACK_BYTES, resource.getrlimit(resource.RLIMIT_STACK)[1])
    )
    environment = dict(os.environ, UBSAN_OPTIONS="print_stacktrace=1")
    if name == "front_end":
        check_seeds(options.fuzzer, os.path.join(work, "corpus"), environment)
    result = subprocess.run(
        command(options, name, work),
        env=environment,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        errors="replace",
        text=True,
    )
    lines = result.stderr.splitlines()
    if result.returncode != 0:
        print("\n".join(lines[-100:]))
        sys.exit(f"FAIL {name}: exit {result.returncode}; the input is in {work}")
    if not options.keep:
        shutil.rmtree(work)
    print("\n".join(line for line in lines if line.startswith("stat::")))


if __name__ == "__main__":
    main()
