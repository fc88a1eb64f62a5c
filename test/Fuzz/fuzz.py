#!/usr/bin/env python3
# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programmes through the whole pipeline.

For every programme: `colonnade check` accepts it; the sequential build, the CPU
back end (all layouts, instruction sets and odd counts) and the interpreter
agree; for some, the trace recorded from the source equals the interpreter's and
the certificate's. For every planted leak: the verifier refuses it, and its
recorded trace depends on data.

The last lines say how often each construct and IR operation occurred; with 100
programmes or more, one that never did is a failure. Exit 1 on any failure. To
see one again: the same --seed, with --first NUMBER --count 1.
"""
import argparse
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys
from collections import Counter

import batch
import leaks
import programme
from model import Counts

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, '..', '..')
SUPPORT = ['inputs.cpp', 'jobs.cpp']
COVERAGE = '-fsanitize-coverage=func,trace-pc,trace-loads,trace-stores'
# Operations of canonical IR that ordinary programmes must reach.
OPERATIONS = ('const neg not add sub mul div rem and or xor shl shr eq ne lt le gt ge cast math '
              'load store if for loop yield test return').split()


class Failure(Exception):
    pass


class Run:
    def __init__(self, options):
        self.options = options
        self.counts = Counts()
        self.tally = Counter()
        self.operations = Counter()
        self.classes = Counter()
        os.makedirs(options.work, exist_ok=True)

    def command(self, words, allowed=(0,)):
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode not in allowed:
            raise Failure(f'{shlex.join(words)}\nexit {done.returncode}\n'
                          f'{done.stdout[-6000:]}{done.stderr[-6000:]}')
        return done.stdout

    def path(self, *names):
        return os.path.join(self.options.work, *names)

    def includes(self):
        return [f'-I{HERE}', f'-I{ROOT}/runtime/include', f'-I{ROOT}/include']

    def native(self, *words):
        return self.command([self.options.cxx, '-std=c++20', '-w', '-O1', '-ffp-contract=off',
                             *self.includes(), *words])

    def prepare(self):
        """Compiles what all batches share."""
        for name in SUPPORT + ['compare.cpp', '../Trace/recorder.cpp']:
            stem = os.path.splitext(os.path.basename(name))[0]
            self.native('-c', os.path.join(HERE, name), '-o', self.path(f'{stem}.o'))

    def objects(self, *stems):
        return [self.path(f'{stem}.o') for stem in stems]

    def write(self, folder, make, numbers):
        counts = Counts()
        text, entries = make(self.options.seed, numbers, counts)
        os.makedirs(self.path(folder), exist_ok=True)
        with open(self.path(folder, 'batch.cpp'), 'w') as file:
            file.write(text)
        return entries, counts

    def interpret(self, folder, jobs, *flags):
        out = self.command([self.options.interpret, self.path(folder, 'batch.cpp'), jobs, *flags,
                            '--', '-std=c++20', *self.includes()], allowed=(0, 1))
        summary = json.loads(out.strip().splitlines()[-1])
        if summary['failures']:
            raise Failure(out)
        return summary

    def record(self, folder, entries, instances):
        """Runs the recorder on the original source; the name of its job file."""
        wrappers = self.path(folder, 'traced.cpp')
        with open(wrappers, 'w') as file:
            file.write(batch.wrappers('batch.cpp', entries))
        self.command([self.options.clangxx, '-std=c++20', '-w', '-O0', '-ffp-contract=off', COVERAGE,
                      *self.includes(), '-c', wrappers, '-o', self.path(folder, 'traced.o')])
        self.native(self.path(folder, 'traced.o'), *self.objects('recorder', 'inputs', 'jobs'),
                    '-o', self.path(folder, 'record'))
        jobs = self.path(folder, 'traces.json')
        self.command([self.path(folder, 'record'), str(self.options.seed), jobs, str(instances)])
        return jobs

    def back_end(self, folder, entries):
        source = self.path(folder, 'batch.cpp')
        self.command([self.options.colonnade, 'check', source, '--', '-std=c++20', *self.includes()])
        self.command([self.options.colonnade, 'emit', source, '--target', 'cpu',
                      '-o', self.path(folder), '--', '-std=c++20', *self.includes()])
        main = self.path(folder, 'main.cpp')
        with open(main, 'w') as file:
            file.write(batch.wrappers('batch.cpp', entries, [e.name for e in entries]))
        with open(self.path(folder, 'bulk.cpp'), 'w') as file:
            file.writelines(f'#include "{e.name}.bulk.cpp"\n' for e in entries)
        for stem in ('main', 'bulk'):
            self.native('-c', self.path(folder, f'{stem}.cpp'), '-o', self.path(folder, f'{stem}.o'))
        self.native(self.path(folder, 'main.o'), self.path(folder, 'bulk.o'),
                    *self.objects('compare', 'inputs', 'jobs'), '-pthread',
                    '-o', self.path(folder, 'compare'))
        jobs = self.path(folder, 'jobs.json')
        out = self.command([self.path(folder, 'compare'), str(self.options.seed), jobs],
                           allowed=(0, 1))
        if 'FAIL' in out:
            raise Failure(out)
        return self.interpret(folder, jobs)

    def programmes(self, numbers):
        folder = f'p{numbers[0]}'
        entries, counts = self.write(folder, programme.programme, numbers)
        summary = self.back_end(folder, entries)
        traced = 0
        if numbers[0] // self.options.batch % self.options.trace_every == 0:
            recordable = [e for e in entries if not e.copies]
            self.interpret(folder, self.record(folder, recordable, 3))
            traced = len(recordable)
        return counts, summary, {'programmes': len(entries), 'traced': traced}

    def planted(self, numbers):
        folder = f'leaks{numbers[0]}'
        entries, counts = self.write(folder, leaks.programme, numbers)
        summary = self.interpret(folder, self.record(folder, entries, 24), '--expect-rejected')
        return counts, summary, {'leaks': len(entries)}

    def work_items(self):
        o = self.options
        size = o.batch
        for first in range(o.first, o.first + o.count, size):
            yield self.programmes, range(first, min(first + size, o.first + o.count))
        for first in range(0, o.leaks, size):
            yield self.planted, range(first, min(first + size, o.leaks))

    def run(self):
        print(f'seed {self.options.seed}', flush=True)
        self.prepare()
        failed = 0
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            pending = {pool.submit(work, numbers): (work.__name__, numbers)
                       for work, numbers in self.work_items()}
            for done in concurrent.futures.as_completed(pending):
                try:
                    counts, summary, tally = done.result()
                    self.counts.update(counts)
                    self.operations.update(summary['operations'])
                    if 'leaks' not in tally:
                        self.classes.update(summary['classes'])
                    self.tally.update(tally)
                except Failure as failure:
                    failed += 1
                    name, numbers = pending[done]
                    print(f'FAIL {name} {numbers[0]} to {numbers[-1]}: {failure}', flush=True)
        return self.report(failed)

    def report(self, failed):
        for title, counter in (('construct', self.counts), ('IR operation', self.operations)):
            for name, count in sorted(counter.items()):
                print(f'{title:12s} {count:8d}  {name}')
        missing = []
        if self.options.count >= 100 and not failed:
            missing = self.counts.missing() + [o for o in OPERATIONS if not self.operations[o]]
            for name in missing:
                print(f'FAIL never generated: {name}')
        print(f"seed {self.options.seed}: {self.tally['programmes']} programmes agree "
              f"({', '.join(f'{n} of class {c}' for c, n in sorted(self.classes.items()))}), "
              f"{self.tally['traced']} traces agree, {self.tally['leaks']} leaks refused, "
              f'{failed} batches failed')
        return 1 if failed or missing else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--colonnade', required=True)
    parser.add_argument('--interpret', required=True, help='colonnade-interpret')
    parser.add_argument('--cxx', default='g++')
    parser.add_argument('--clangxx', default='clang++-19')
    parser.add_argument('--work', required=True, help='scratch folder')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--first', type=int, default=0)
    parser.add_argument('--count', type=int, default=200)
    parser.add_argument('--leaks', type=int, default=0)
    parser.add_argument('--batch', type=int, default=20)
    parser.add_argument('--trace-every', type=int, default=2, help='record every n-th batch')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    sys.exit(Run(parser.parse_args()).run())


if __name__ == '__main__':
    main()
