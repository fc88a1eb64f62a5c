#!/usr/bin/env python3
# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programmes through the whole pipeline.

For every programme: the verifier accepts it; the interpreter agrees with the original,
and its trace and the certificate's with the trace recorded from the original; so does the
CPU back end. The batches take turns with the instruction sets that there are and with the
forms of a kernel; --every-form takes all for each, --native-every N compiles every N-th
batch; --capture DIR writes what is to be compared on a GPU, a folder a batch, and nothing
else happens. For every planted leak: the verifier refuses it, and its recorded trace depends on
data. Its twin, without the data, passes like any programme, but for the CPU back end.
--repeated-calls N: so many programmes that call one function from several places, whose CPU
code keeps these calls.

The last lines say how often each construct and IR operation occurred; with 100
programmes or more, one that never did is a failure. Exit 1 on any failure. To
see one again: the same --seed, with --first NUMBER --count 1. --seconds takes as many
programmes as end in that CPU time, user and system, of all processes, but at least
--count. COLONNADE_FUZZ_COUNT in the environment takes that many programmes and leaks
instead, and no more than that with repeated calls.
"""
import argparse
import concurrent.futures
import itertools
import os
import resource
import sys
import traceback
from collections import Counter

import leaks
import programme
import repeated_calls
from model import Counts
from pipeline import Failure, KernelForm, Pipeline, add_arguments, machine_isas

FLAGS = ["-std=c++20", "-w"]
# Operations of canonical IR that ordinary programmes must reach.
OPERATIONS = (
    "const neg not add sub mul div rem and or xor shl shr eq ne lt le gt ge cast math "
    "load store if for loop yield test return"
).split()
ENOUGH = 100  # programmes, so that each construct must have occurred


def cpu_seconds():
    """Of this process and those it has waited for."""
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in spent)


class Run(Pipeline):
    def __init__(self, options):
        super().__init__(options)
        self.counts = Counts()
        self.tally = Counter()
        self.operations = Counter()
        self.plans = Counter()  # of kernels for rows
        self.classes = Counter()
        self.isas = machine_isas()
        self.failed = 0
        self.to_guard = []  # numbers of programmes

    def write(self, name, make, numbers):
        """(folder, sources, entries, counts) of a batch."""
        counts = Counts()
        texts, entries = make(self.options.seed, numbers, counts)
        folder = os.path.join(self.options.work, f"{name}{numbers[0]}")
        os.makedirs(folder, exist_ok=True)
        sources = []
        for stem, text in texts.items():
            sources.append(os.path.join(folder, f"{stem}.cpp"))
            with open(sources[-1], "w") as file:
                file.write(text)
        return folder, sources, entries, counts

    def objects(self, sources):
        """Of the files beside the first, which the wrappers include."""
        for source in sources[1:]:
            self.native("-c", source, "-o", f"{source}.o")
        return [f"{source}.o" for source in sources[1:]]

    def recorded(self, folder, sources, entries, instances, *options):
        """The summary of the interpreter, which records all entries."""
        jobs = self.draw(folder, entries, instances)
        return self.interpret(sources, jobs, FLAGS, "--record", *options)

    def form(self, turn, guarded=False):
        if self.options.every_form:
            return None
        return KernelForm(self.isas[turn % len(self.isas)], guarded or turn % 2 == 1, guarded)

    def on_cpu(self, folder, sources, entries, form):
        """How many agree on the CPU; the rest is for guarded()."""
        main = self.write_wrappers(
            folder, "main.cpp", "batch.cpp", entries, [e.name for e in entries]
        )
        objects = self.objects(sources)
        self.emit_cpu(folder, sources, FLAGS)
        _, rest = self.compare(folder, sources, entries, FLAGS, main, objects, form)
        self.to_guard += [e.number for e in entries if e.name in rest]
        return len(entries) - len(rest)

    def programmes(self, numbers):
        folder, sources, entries, counts = self.write("p", programme.programme, numbers)
        if self.options.capture:
            return counts, None, {"captured": self.captured(folder, sources, entries)}
        summary = self.recorded(folder, sources, entries, 3)
        tally = {"programmes": len(entries)}
        turn, rest = divmod(numbers[0] // self.options.batch, self.options.native_every)
        if rest == 0:
            tally["native"] = self.on_cpu(folder, sources, entries, self.form(turn))
        return counts, summary, tally

    def repeated(self, numbers):
        """Programmes whose kernels keep calls, there and in the interpreter."""
        folder, sources, entries, counts = self.write("calls", repeated_calls.programme, numbers)
        summary = self.recorded(folder, sources, entries, 3)
        names = [e.name for e in entries]
        main = self.write_wrappers(folder, "main.cpp", "batch.cpp", entries, names)
        kept = self.keep_calls(folder, sources, FLAGS)
        turn = numbers[0] // self.options.batch
        _, rest = self.compare(folder, sources, entries, FLAGS, main, form=self.form(turn))
        if rest:
            form = self.form(turn, guarded=True)
            self.compare(folder, sources, entries, FLAGS, main, form=form)
        return counts, summary, {"repeated": len(entries), "kept": kept}

    def captured(self, folder, sources, entries):
        def write_main(to, names):
            self.write_wrappers(to, "main.cpp", "batch.cpp", entries, names)

        to = os.path.join(self.options.capture, "random_" + os.path.basename(folder))
        return self.capture(to, sources, entries, FLAGS, sources[1:], write_main)

    def guarded(self, numbers):
        """Programmes whose kernels need a guarded form."""
        folder, sources, entries, _ = self.write("g", programme.programme, numbers)
        form = self.form(numbers[0], guarded=True)
        return Counts(), None, {"native": self.on_cpu(folder, sources, entries, form)}

    def planted(self, numbers):
        folder, sources, entries, counts = self.write("leaks", leaks.programme, numbers)
        summary = self.recorded(folder, sources, entries, 40, "--expect-rejected")
        return counts, summary, {"leaks": len(entries)}

    def twins(self, numbers):
        folder, sources, entries, counts = self.write("twins", leaks.twins, numbers)
        return counts, self.recorded(folder, sources, entries, 3), {"twins": len(entries)}

    def work_items(self):
        """First the leaks, then the programmes that the count or the time allows."""
        o, size = self.options, self.options.batch
        for work in (self.planted, self.twins):
            for first in range(0, o.leaks, size):
                yield work, range(first, min(first + size, o.leaks))
        for first in range(o.first, o.first + o.repeated_calls, size):
            yield self.repeated, range(first, min(first + size, o.first + o.repeated_calls))
        start = cpu_seconds()
        for first in itertools.count(o.first, size):
            left = o.first + o.count - first
            if left <= 0 and cpu_seconds() - start >= o.seconds:
                return
            yield self.programmes, range(first, first + (min(size, left) if left > 0 else size))

    def last_items(self):
        """Those that the others left over."""
        for first in range(0, len(self.to_guard), self.options.batch):
            yield self.guarded, sorted(self.to_guard)[first : first + self.options.batch]

    def run(self):
        print(f"seed {self.options.seed}", flush=True)
        if not self.options.capture:
            self.prepare()
        self.execute(self.work_items())
        self.execute(self.last_items())
        return self.report()

    def execute(self, items):
        jobs, pending = self.options.jobs, {}
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            while True:
                for work, numbers in itertools.islice(items, jobs - len(pending)):
                    pending[pool.submit(work, numbers)] = work.__name__, numbers
                if not pending:
                    return
                done, _ = concurrent.futures.wait(pending, return_when="FIRST_COMPLETED")
                for batch in done:
                    self.take(batch, *pending.pop(batch))

    def take(self, batch, name, numbers):
        """Adds the results of a batch that is done."""
        try:
            counts, summary, tally = batch.result()
        except Exception as failure:  # also of the checker of certificates
            self.failed += 1
            text = failure if isinstance(failure, Failure) else traceback.format_exc()
            print(f"FAIL {name} {numbers[0]} to {numbers[-1]}: {text}", flush=True)
            return
        self.counts.update(counts)
        self.tally.update(tally)
        if summary:
            self.operations.update(summary["operations"])
            self.plans.update(summary["plans"])
        if "programmes" in tally:  # not leaks, nor twins
            self.classes.update(summary["classes"])

    def report(self):
        if self.options.capture:
            print(f"{self.tally['captured']} programmes captured, {self.failed} batches failed")
            return 1 if self.failed else 0
        for title, counter in (
            ("construct", self.counts),
            ("IR operation", self.operations),
            ("plan", self.plans),
        ):
            for name, count in sorted(counter.items()):
                print(f"{title:12s} {count:8d}  {name}")
        missing = []
        if self.tally["programmes"] >= ENOUGH and not self.failed:
            missing = self.counts.missing() + [o for o in OPERATIONS if not self.operations[o]]
            plans = ("staged", "team", "columns staged")
            missing += [plan for plan in plans if not self.plans[plan]]
            for name in missing:
                print(f"FAIL never generated: {name}")
        print(
            f"seed {self.options.seed}: {self.tally['programmes']} programmes agree "
            f"({', '.join(f'{n} of class {c}' for c, n in sorted(self.classes.items()))}), "
            f"{self.tally['native']} of them on the CPU as well, "
            f"{self.tally['repeated']} with repeated calls ({self.tally['kept']} keep some), "
            f"{self.tally['leaks']} leaks refused, {self.tally['twins']} of their twins accepted, "
            f"{self.failed} batches failed"
        )
        return 1 if self.failed or missing else 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_arguments(parser)
    parser.add_argument("--work", required=True, help="scratch folder")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--leaks", type=int, default=0)
    parser.add_argument("--repeated-calls", type=int, default=0, metavar="N", help="programmes")
    parser.add_argument("--keep-calls", help="colonnade-keep-calls, for those")
    parser.add_argument("--batch", type=int, default=34)
    parser.add_argument("--native-every", type=int, default=1, metavar="N")
    parser.add_argument("--every-form", action="store_true", help="several times the time")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    fewer = os.environ.get("COLONNADE_FUZZ_COUNT")
    if fewer:
        options.count = options.leaks = int(fewer)
        options.repeated_calls = min(options.repeated_calls, int(fewer))
        options.seconds = 0
    sys.exit(Run(options).run())


if __name__ == "__main__":
    main()
