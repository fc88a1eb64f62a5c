#!/usr/bin/env python3
# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tries functions of other projects: their verdicts, and that what is accepted runs.

Input: a manifest (TOML) and the folder that holds the projects' sources; nothing is
downloaded. For each function `colonnade check` follows the messages as a user would:
it starts with no facts and adds each option that a message proposes, with the value
that the manifest has for it, until none is proposed. What the manifest needs and no
message proposes is printed as `unled`. The verdict then reached is compared with
the one expected. An accepted function runs on the CPU over random inputs, and every
instance is compared bit for bit with the sequential function.

  [[project]]
  name = "Owner/project"      as the table prints it
  folder = "project"          under --sources; commands run there
  commit = "0123abc"
  flags = ["-Iinclude"]       Clang flags, for all functions

  [[project.function]]
  name = "f"                  as -f takes it
  files = ["f.c"]
  expect = "A"                the class after all facts
  expect-first = "K"          the class without facts, where it is another
  choices = ["--instance x"]  what the user decides from the start
  facts = ["--uniform s.n"]   what the messages ask for
  args = {n = 16}             uniform scalars of the run
  inputs = {b = "0..9"}       contents where any bits will not do; a list names them all
  flags = ["-DX"]
  run = false                 with the reason in `note`
  note = "..."

With --build=INCLUDE, the folder of the runtime's headers, what `emit` writes for an accepted
function is compiled as `colonnade_add_bulk_library` does it, with c++ and, if there is one, with
nvcc for sm_90, the longest first: a second table, in CPU seconds.

With --witness=SECONDS, `check --witness` then looks for two inputs that show why a function
is refused; its sizes are those of `args`.

Output: a table in Markdown, or with --only one function's commands and messages. The
exit status is not 0 if a verdict is not the one expected, an option is not proposed,
or an instance differs.
"""
import argparse
import json
import os
import random
import re
import resource
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import tomllib

COMPILERS = {
    ".cpp": ["c++", "-ffp-contract=off"],
    ".cu": ["nvcc", "-arch=sm_90", "--fmad=false", "-DCOLONNADE_BULK_CUDA"],
}
FLOATS = {"f32": ("<f4", "f"), "f64": ("<f8", "d")}


def write_npy(path, descr, shape, cells):
    head = repr({"descr": descr, "fortran_order": False, "shape": tuple(shape)})
    head += " " * (-(11 + len(head)) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + cells)


def integers(generator, cell, count, low, high):
    code = {8: "b", 16: "h", 32: "i", 64: "q"}[int(cell[1:])]
    code = code if cell[0] == "s" else code.upper()
    return struct.pack(
        f"<{count}{code}", *(generator.randint(low, high) for _ in range(count))
    )


def contents(generator, cell, count, wanted):
    """`count` cells: a list is repeated, `low..high` is uniform, else any bits, or [-1, 1)."""
    if isinstance(wanted, list):
        code = FLOATS[cell][1] if cell in FLOATS else None
        values = [wanted[i % len(wanted)] for i in range(count)]
        if code:
            return struct.pack(f"<{count}{code}", *values)
        mask = (1 << int(cell[1:])) - 1
        return b"".join((v & mask).to_bytes(int(cell[1:]) // 8, "little") for v in values)
    if cell in FLOATS:
        low, high = map(float, (wanted or "-1..1").split(".."))
        values = (generator.uniform(low, high) for _ in range(count))
        return struct.pack(f"<{count}{FLOATS[cell][1]}", *values)
    if cell == "bool":
        return bytes(generator.randint(0, 1) for _ in range(count))
    if wanted:
        low, high = map(int, wanted.split(".."))
        return integers(generator, cell, count, low, high)
    return generator.randbytes(count * int(cell[1:]) // 8)


def dtype(cell):
    if cell in FLOATS:
        return FLOATS[cell][0]
    if cell == "bool":
        return "|b1"
    size = int(cell[1:]) // 8
    return ("|" if size == 1 else "<") + ("i" if cell[0] == "s" else "u") + str(size)


def cells_of(name, extents, arguments):
    """The product of the extents, which are C expressions of the arguments."""
    product = 1
    for extent in extents:
        if extent == "?":
            raise ValueError(f"the extent of '{name}' is not known")
        names = {name.replace(".", "_"): value for name, value in arguments.items()}
        text = re.sub(r"\b([A-Za-z_]\w*)\.(\w+)", r"\1_\2", extent).replace("/", "//")
        product *= int(eval(text, {"max": max, "min": min}, names))
    return product


class Case:
    def __init__(self, tool, sources, project, function):
        self.tool = tool
        self.folder = os.path.join(sources, project["folder"])
        self.project, self.function = project, function
        self.flags = ["--", *project.get("flags", []), *function.get("flags", [])]
        self.facts = list(function.get("choices", []))
        self.verdict, self.unled, self.ran, self.messages = "", [], "", ""
        self.first, self.seconds, self.witness = "", 0.0, ""
        self.emitted, self.built = None, []

    def command(self, verb, options):
        facts = [word for fact in self.facts for word in shlex.split(fact)]
        head = [self.tool, verb, *self.function["files"], "-f", self.function["name"]]
        return [*head, *facts, *options, *self.flags]

    def execute(self, verb, options, limit):
        command = self.command(verb, options)
        try:
            done = subprocess.run(
                command, cwd=self.folder, capture_output=True, text=True, timeout=limit
            )
            self.messages = done.stdout + done.stderr
            self.status = done.returncode
            return done
        except subprocess.TimeoutExpired:
            self.messages, self.status = f"took longer than {limit} s", 124
            return None

    def check(self, limit):
        """One report, or None with the reason in `verdict`."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "report.json")
            if not self.execute("check", ["--json", path], limit):
                self.verdict = "timeout"
                return None
            if not os.path.exists(path):
                self.verdict = f"exit {self.status}"
                return None
            with open(path) as file:
                return json.load(file)["functions"][0]

    def follow(self, limit):
        """Adds facts as the messages propose them, until the report proposes none."""
        wanted = {key_of(fact): fact for fact in self.function.get("facts", [])}
        report = self.check(limit)
        self.first = report["class"] if report else self.verdict
        while report:
            proposed = {key_of(o) for f in report["findings"] for o in f["options"]}
            proposed |= {key_of(o) for o in options_in(report.get("missing", ""))}
            proposed |= {key_of(o) for o in options_in(self.messages)}
            found = [wanted.pop(key) for key in sorted(proposed) if key in wanted]
            if not found:
                break
            self.facts += found
            report = self.check(limit)
        if wanted:
            self.unled = list(wanted.values())
            self.facts += self.unled
            report = self.check(limit)
        if report:
            self.verdict = report["class"]
        return report

    def inputs(self, report, folder, count):
        generator = random.Random(self.function["name"])
        options = []
        arguments = dict(self.function.get("args", {}))
        for fact in self.facts:
            if fact.startswith("--size "):
                name, value = fact[7:].split("=")
                arguments[name] = int(value)
        for name, cells in self.function.get("inputs", {}).items():
            if isinstance(cells, list) and len(cells) == 1:
                arguments[name] = cells[0]  # a size in memory, such as S.numTaps
        wanted = self.function.get("inputs", {})
        for number, parameter in enumerate(report["parameters"]):
            name, cell, extents = parameter["name"], parameter["cell"], parameter["extents"]
            uniform = parameter["kind"] == "uniform"
            if (uniform and not extents) or parameter["direction"] == "out":
                continue
            cells = cells_of(name, extents, arguments)
            path = os.path.join(folder, f"{number}.npy")
            rows = [] if uniform else [count]
            data = contents(generator, cell, cells * (1 if uniform else count), wanted.get(name))
            write_npy(path, dtype(cell), rows + ([cells] if extents else []), data)
            options += ["-i", f"{name}={path}"]
        for name, value in self.function.get("args", {}).items():
            options += ["--arg", f"{name}={value}"]
        return options

    def run(self, report, count, limit):
        with tempfile.TemporaryDirectory() as folder:
            try:
                options = self.inputs(report, folder, count)
            except (ValueError, NameError, struct.error) as error:
                self.messages, self.ran = f"{type(error).__name__}: {error}", "no inputs"
                return
            options += ["--count", str(count), "--target", "cpu", "--verify=all"]
            start = time.monotonic()
            done = self.execute("run", options, limit)
            self.seconds = time.monotonic() - start
            every = f"verified: {count} of {count} instances"
            if done and done.returncode == 0 and every in self.messages:
                self.ran = str(count)
            else:
                self.ran = "timeout" if not done else f"exit {self.status}"

    def emit(self, folder, limit):
        """Keeps what is generated in `folder`."""
        targets = ["--target", "cuda,cpu" if shutil.which("nvcc") else "cpu"]
        done = self.execute("emit", [*targets, "-o", folder], limit)
        if done and done.returncode == 0:
            paths = [os.path.join(folder, name) for name in os.listdir(folder)]
            self.emitted = {os.path.splitext(path)[1]: path for path in paths}

    def length(self):
        return sum(os.path.getsize(path) for path in self.emitted.values())

    def build(self, includes, limit):
        """The CPU seconds of each compiler, or why there are none."""
        for suffix, compiler in COMPILERS.items():
            if suffix not in self.emitted:
                continue
            source = self.emitted[suffix]
            flags = ["-std=c++20", "-O3", "-w", "-I", includes, "-I", os.path.dirname(source)]
            command = [*compiler, *flags, "-c", source, "-o", source + ".o"]
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            status, self.messages = run_group(command, limit)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            words = {0: f"{seconds:.1f}", None: f"over {limit:.0f}"}
            self.built.append(words.get(status, "fails"))

    def find_witness(self, seconds, limit):
        """"yes", or the reason why there is none."""
        options = [f"--witness={seconds}"]
        for name, value in self.function.get("args", {}).items():
            options += ["--arg", f"{name}={value}"]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "report.json")
            if not self.execute("check", [*options, "--json", path], limit):
                self.witness = "timeout"
            elif not os.path.exists(path):
                self.witness = self.messages.strip().split("\n")[-1]
            else:
                with open(path) as file:
                    found = json.load(file)["functions"][0].get("witness", {})
                self.witness = "yes" if found.get("found") else found.get("reason", "not asked")

    def go(self, count, limit, witness):
        report = self.follow(limit)
        if report and witness and self.verdict not in "AP":
            self.find_witness(witness, limit)
        if report and self.verdict in "AP" and self.function.get("run", True):
            self.run(report, count, limit)

    def right(self):
        expected = self.function["expect"]
        first = self.function.get("expect-first", self.first)
        runs = expected in "AP" and self.function.get("run", True)
        return (
            self.verdict == expected
            and self.first == first
            and not self.unled
            and (not runs or self.ran.isdigit())
        )


def run_group(command, limit):
    """The exit status, or None after `limit` seconds, and the messages; no process is left."""
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        try:
            status = process.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            status = None
        log.seek(0)
        return status, log.read()


def key_of(option):
    """What an option is about, without the value: `--extent b`, `--bound 12`."""
    return option.split("=")[0].strip()


def options_in(text):
    return re.findall(r"--(?:extent|uniform|instance|alias|bound|size) [^\s,;']+", text)


def row(case):
    function = case.function
    note = function.get("note", "")
    if case.unled:
        note = f"unled: {' '.join(case.unled)}; {note}"
    facts = f"`{' '.join(case.facts)}`" if case.facts else ""
    verdict = case.verdict
    if case.first != verdict:
        verdict = f"{case.first}, then {verdict}"
    project = f"{case.project['name']} {case.project['commit'][:7]}"
    if case.witness:
        note = f"witness: {case.witness}; {note}" if note else f"witness: {case.witness}"
    cells = [project, f"`{function['name']}`", facts, function["expect"], verdict, case.ran, note]
    return "| " + " | ".join(cells) + " |"


def summary(cases):
    accepted = [c for c in cases if c.function["expect"] in "AP"]
    got = [c for c in accepted if c.verdict in "AP"]
    ran = [c for c in got if c.ran.isdigit()]
    refused = [c for c in cases if c not in accepted]
    right = [c for c in refused if len(c.verdict) == 1 and c.verdict not in "AP"]
    tried, from_projects = (len({c.project["name"] for c in some}) for some in (cases, ran))
    witnesses = [c for c in refused if c.witness == "yes"]
    return (
        f"{len(cases)} functions of {tried} projects. Expected to be accepted: {len(accepted)},"
        f" accepted: {len(got)}, run with every instance bit-identical: {len(ran)} of"
        f" {from_projects} projects. Expected to be refused: {len(refused)},"
        f" refused: {len(right)}, with a witness: {len(witnesses)}."
    )


def build_all(cases, includes, limit):
    """A table of what each accepted function takes to compile; true if all do in time."""
    with tempfile.TemporaryDirectory() as folder:
        for number, case in enumerate(cases):
            if case.verdict in ("A", "P"):
                case.emit(os.path.join(folder, str(number)), limit)
        emitted = [case for case in cases if case.emitted]
        print("\n| project | function | bytes generated | seconds, c++ | seconds, nvcc |")
        print("|---|---|---|---|---|")
        for case in sorted(emitted, key=Case.length, reverse=True):
            case.build(includes, limit)
            cells = [case.project["name"], f"`{case.function['name']}`", f"{case.length():,}"]
            print("| " + " | ".join(cells + case.built) + " |", flush=True)
            if "fails" in case.built:
                print(case.messages, file=sys.stderr)
    return all(word[0].isdigit() for case in emitted for word in case.built)


def read_manifest(path, only):
    with open(path, "rb") as file:
        manifest = tomllib.load(file)
    for project in manifest["project"]:
        for function in project.get("function", []):
            name = project["name"] + " " + function["name"]
            if not only or any(each in name for each in only):
                yield project, function


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("manifest")
    parser.add_argument("--sources", required=True, help="folder of the projects")
    parser.add_argument("--colonnade", required=True, help="the command")
    parser.add_argument("--count", type=int, default=1000, help="instances of each run")
    parser.add_argument("--limit", type=float, default=300, help="seconds of each command")
    parser.add_argument("--only", action="append", help="part of a project's or function's name")
    parser.add_argument("--witness", type=int, help="seconds to look for a witness in")
    parser.add_argument("--build", help="the folder of the runtime's headers: compile, too")
    parser.add_argument("--no-run", action="store_true", help="verdicts alone")
    arguments = parser.parse_args()
    cases = []
    print("| project | function | facts | expected | got | bit-identical | remark |")
    print("|---|---|---|---|---|---|---|")
    for project, function in read_manifest(arguments.manifest, arguments.only):
        if arguments.no_run:
            function["run"] = False
        case = Case(os.path.abspath(arguments.colonnade), arguments.sources, project, function)
        case.go(arguments.count, arguments.limit, arguments.witness)
        cases.append(case)
        print(row(case), flush=True)
        if not case.right():
            print(f"{function['name']}: {shlex.join(case.command('check', []))}", file=sys.stderr)
            print(case.messages, file=sys.stderr, flush=True)
    print("\n" + summary(cases))
    right = all(case.right() for case in cases)
    if arguments.build:
        right &= build_all(cases, os.path.abspath(arguments.build), arguments.limit)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
