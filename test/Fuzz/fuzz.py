#!/usr/bin/env python3
# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programmes through the whole pipeline.

For every programme: `colonnade check` accepts it; the sequential build, the CPU
back end (all layouts and odd counts; the batches take turns with the instruction sets
that there are, --every-isa takes all for each), the interpreter and the recorded original
agree; the trace recorded from the source equals the interpreter's and the certificate's. For
every planted leak: the verifier refuses it, and its recorded trace depends on data.

The last lines say how often each construct and IR operation occurred; with 200
programmes or more, one that never did is a failure. Exit 1 on any failure. To
see one again: the same --seed, with --first NUMBER --count 1. COLONNADE_FUZZ_COUNT in
the environment takes that many programmes and leaks instead.
"""
import argparse
import concurrent.futures
import os
import sys
from collections import Counter

import leaks
import programme
from model import Counts
from pipeline import Failure, Pipeline, add_arguments, machine_isas

FLAGS = ["-std=c++20", "-w"]
# Operations of canonical IR that ordinary programmes must reach.
OPERATIONS = (
    "const neg not add sub mul div rem and or xor shl shr eq ne lt le gt ge cast math "
    "load store if for loop yield test return"
).split()


class Run(Pipeline):
    def __init__(self, options):
        super().__init__(options)
        self.counts = Counts()
        self.tally = Counter()
        self.operations = Counter()
        self.classes = Counter()
        self.isas = machine_isas()

    def write(self, name, make, numbers):
        """(folder, source, entries, counts) of a batch."""
        counts = Counts()
        text, entries = make(self.options.seed, numbers, counts)
        folder = os.path.join(self.options.work, f"{name}{numbers[0]}")
        os.makedirs(folder, exist_ok=True)
        source = os.path.join(folder, "batch.cpp")
        with open(source, "w") as file:
            file.write(text)
        return folder, source, entries, counts

    def programmes(self, numbers):
        folder, source, entries, counts = self.write("p", programme.programme, numbers)
        reports = self.check([source], FLAGS)
        refused = [n for n, report in reports.items() if report["verdict"] != "accept"]
        if refused:
            details = [
                f"{f['location']}: {f['message']}" for n in refused for f in reports[n]["findings"]
            ]
            raise Failure(f"not accepted: {refused}\n" + "\n".join(details[:20]))
        names = [e.name for e in entries]
        main = self.write_wrappers(folder, "main.cpp", "batch.cpp", entries, names)
        turn = numbers[0] // self.options.batch
        isa = None if self.options.every_isa else self.isas[turn % len(self.isas)]
        jobs = self.compare(folder, [source], entries, FLAGS, main, isa=isa)
        summary = self.interpret([source], jobs, FLAGS, "--record")
        return counts, summary, {"programmes": len(entries)}

    def planted(self, numbers):
        folder, source, entries, counts = self.write("leaks", leaks.programme, numbers)
        summary = self.interpret(
            [source], self.draw(folder, entries, 40), FLAGS, "--expect-rejected", "--record"
        )
        return counts, summary, {"leaks": len(entries)}

    def work_items(self):
        o = self.options
        size = o.batch
        for first in range(o.first, o.first + o.count, size):
            yield self.programmes, range(first, min(first + size, o.first + o.count))
        for first in range(0, o.leaks, size):
            yield self.planted, range(first, min(first + size, o.leaks))

    def run(self):
        print(f"seed {self.options.seed}", flush=True)
        self.prepare()
        failed = 0
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            pending = {
                pool.submit(work, numbers): (work.__name__, numbers)
                for work, numbers in self.work_items()
            }
            for done in concurrent.futures.as_completed(pending):
                try:
                    counts, summary, tally = done.result()
                    self.counts.update(counts)
                    self.operations.update(summary["operations"])
                    if "leaks" not in tally:
                        self.classes.update(summary["classes"])
                    self.tally.update(tally)
                except Failure as failure:
                    failed += 1
                    name, numbers = pending[done]
                    print(f"FAIL {name} {numbers[0]} to {numbers[-1]}: {failure}", flush=True)
        return self.report(failed)

    def report(self, failed):
        for title, counter in (("construct", self.counts), ("IR operation", self.operations)):
            for name, count in sorted(counter.items()):
                print(f"{title:12s} {count:8d}  {name}")
        missing = []
        if self.options.count >= 200 and not failed:
            missing = self.counts.missing() + [o for o in OPERATIONS if not self.operations[o]]
            for name in missing:
                print(f"FAIL never generated: {name}")
        print(
            f"seed {self.options.seed}: {self.tally['programmes']} programmes agree "
            f"({', '.join(f'{n} of class {c}' for c, n in sorted(self.classes.items()))}), "
            f"all recorded, {self.tally['leaks']} leaks refused, "
            f"{failed} batches failed"
        )
        return 1 if failed or missing else 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_arguments(parser)
    parser.add_argument("--work", required=True, help="scratch folder")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--leaks", type=int, default=0)
    parser.add_argument("--batch", type=int, default=20)
    parser.add_argument(
        "--every-isa", action="store_true", help="not in turn: three times the time"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    fewer = os.environ.get("COLONNADE_FUZZ_COUNT")
    if fewer:
        options.count = options.leaks = int(fewer)
    sys.exit(Run(options).run())


if __name__ == "__main__":
    main()
