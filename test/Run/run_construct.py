#!/usr/bin/env python3
# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks and runs one small source that shows a construct of the subset.

The source says in comments what it is and how it is called:

  // subset: Section: what it shows        a line of docs/subset.md
  // languages: c c++                      default: by the suffix
  // class: A                              the verdict expected
  // arrays: b f32 8; t u8 4 uniform 0..3  cells per instance, contents of integers
  // scalars: n s32 8
  // call: f(b, n)                         over typed pointers and values of these names
  // declare: void f(int n, float *a);     where the header cannot be read in C++
  // files: other.cpp                      further sources, beside it
  // source: ../../examples/f/f.cpp        what the comments are about, if another file;
  // entry: f                              then its entry, and no back end is built

The entry has the name of the file. In each language `colonnade check` gives the
class, the interpreter agrees with the recorded original, and its trace with the
certificate; in the last one the CPU back end agrees with the sequential function, too.
With --capture only what is to be compared on a GPU is written.
"""
import argparse
import os
import re
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "Fuzz"))
from model import ArrayDescription, Entry
from pipeline import Failure, Pipeline, add_arguments

CTYPES = {
    "f32": "float",
    "f64": "double",
    "bool": "bool",
    **{f"{s}{b}": f"{'u' if s == 'u' else ''}int{b}_t" for s in "su" for b in (8, 16, 32, 64)},
}


def directives(text):
    return {key: value.strip() for key, value in re.findall(r"^// ([a-z]+): (.*)$", text, re.M)}


def identifier(name):
    return name.replace(".", "_").replace("return", "result")


def cell(name):
    return "boolean" if name == "bool" else name


def make_entry(name, facts):
    entry = Entry(name)
    lines = []
    for number, item in enumerate(filter(None, facts.get("arrays", "").split(";"))):
        array, kind, cells, *rest = item.split()
        low = high = None
        if rest and ".." in rest[-1]:
            low, high = map(int, rest[-1].split(".."))
        entry.arrays.append(
            ArrayDescription(array, cell(kind), int(cells), "uniform" in rest, low, high)
        )
        lines.append(f"[[maybe_unused]] auto *{identifier(array)} = ({CTYPES[kind]} *)A[{number}];")
    for number, item in enumerate(filter(None, facts.get("scalars", "").split(";"))):
        scalar, kind, value = item.split()
        number_value = float(value) if kind[0] == "f" else int(value)
        entry.scalars.append((scalar, cell(kind), number_value))
        lines.append(f"[[maybe_unused]] auto {scalar} = bits_to<{CTYPES[kind]}>(S[{number}]);")
    entry.wrapper = lines + [facts["call"] + ";"]
    return entry


def prototype(text, name):
    """The entry's header without annotations, for calling C from C++."""
    header = re.search(r"COLONNADE_BULK\s+((?:.|\n)*?\b%s\b(?:.|\n)*?)\s*\{" % name, text).group(1)
    return re.sub(r"COLONNADE_[A-Z]+(\((?:[^()]|\([^()]*\))*\))?", "", header) + ";"


class Construct(Pipeline):
    def run(self, source, work):
        with open(source) as file:
            text = file.read()
        facts = directives(text)
        if "source" in facts:
            source = os.path.join(os.path.dirname(source), facts["source"])
        name, suffix = os.path.splitext(os.path.basename(source))
        name = facts.get("entry", name)
        default = "c" if suffix == ".c" else "c++"
        languages = facts.get("languages", default).split()
        if self.options.capture:
            languages = languages[-1:] if "source" not in facts else []
        else:
            self.prepare()
        for language in languages:
            folder = os.path.join(work, "c" if language == "c" else "cxx")
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
            copy = os.path.join(folder, name + (".c" if language == "c" else ".cpp"))
            shutil.copy(source, copy)
            others = [
                os.path.join(os.path.dirname(source), f) for f in facts.get("files", "").split()
            ]
            self.run_language(
                name,
                text,
                facts,
                folder,
                [copy, *others],
                language,
                language == languages[-1] and "source" not in facts,
            )

    def run_language(self, name, text, facts, folder, sources, language, with_back_end):
        source = sources[0]
        flags = ["-std=c11"] if language == "c" else ["-std=c++20"]
        entry = make_entry(name, facts)
        if self.options.capture:
            others = sources if language == "c" else sources[1:]

            def write_main(to, _):
                copy = os.path.join(to, os.path.basename(source))
                self.wrappers_of(copy, text, facts, entry, language)

            self.capture(self.options.capture, sources, [entry], flags, others, write_main)
            return
        report = self.check(sources, flags)[name]
        if report["class"] != facts.get("class", "A"):
            raise Failure(
                f"{name} ({language}): class {report['class']}, expected {facts['class']}\n"
                + "\n".join(str(f) for f in report["findings"])
            )
        self.interpret(sources, self.draw(folder, [entry], 4), flags, "--record")
        if with_back_end:
            objects = self.compile_others(sources, language)
            main = self.wrappers_of(source, text, facts, entry, language)
            self.emit_cpu(folder, sources, flags)
            jobs, _ = self.compare(folder, sources, [entry], flags, main, objects)
            self.interpret(sources, jobs, flags)
        print(f'{name} ({language}): class {report["class"]}, all agree')

    def wrappers_of(self, source, text, facts, entry, language):
        prelude = '#include "' + os.path.basename(source) + '"'
        if language == "c":
            declaration = facts.get("declare", prototype(text, entry.name))
            prelude = 'extern "C" {\n' + declaration + "\n}"
        folder = os.path.dirname(source)
        return self.write_wrappers(folder, "main.cpp", "", [entry], [entry.name], prelude)

    def compile_others(self, sources, language):
        """Objects of what the wrappers do not include: C, and further files."""
        objects = []
        for number, source in enumerate(sources if language == "c" else sources[1:]):
            mode = ["-x", "c", "-std=c11"] if language == "c" else ["-std=c++20"]
            objects.append(os.path.join(os.path.dirname(sources[0]), f"other.{number}.o"))
            compiler = [self.options.cxx, "-O1", *mode, "-w", "-ffp-contract=off"]
            self.command([*compiler, *self.includes(), "-c", source, "-o", objects[-1]])
        return objects


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_arguments(parser)
    parser.add_argument("source")
    parser.add_argument("work", help="scratch folder")
    options = parser.parse_args()
    try:
        Construct(options).run(options.source, options.work)
    except Failure as failure:
        sys.exit(f"FAIL {failure}")


if __name__ == "__main__":
    main()
