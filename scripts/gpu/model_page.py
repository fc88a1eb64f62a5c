"""docs/results/model_check.md from docs/results/model_check.json.

In: the rows that model_report.py has recorded. Out: how often each demand is met, what was
predicted and counted of the most instances of each function, and every demand that is not met.
Invariant: nothing is left out but rows that are met.
"""

import collections
import json

from model_report import instances, number
from recorder import ROOT

RECORD = ROOT / "docs/results/model_check.json"
PAGE = ROOT / "docs/results/model_check.md"
RESULTS = ("met", "merged", "failed")
HEAD = """# Predictions and counters

Written by `scripts/model-check` from `model_check.json`. What `colonnade cost` predicts of
generated kernels, held against the counters of a GPU (Nsight Compute, clocks not locked, caches
empty before each launch). How it is taken, and what each demand is:
[`docs/gpu-check.md`](../gpu-check.md).

- GPU: {gpu}
- kernels of commit {commit}, predictions of {priced} for {predicted_for}

"""
WHY = """
## Why

- L2 sectors written (21): whether L1 merges a store with the one before depends on when the two
  come, so on the order that the compiler gives the instructions, which neither the certificate nor
  the kernel's IR has. By the instructions that were counted, `stencil` column-wise has loads
  between its stores (four rows), though nothing keeps them from being made before, as those of
  `sharpen` are; so has `weighted`. A programme of our own merges stores with up to 24 instructions
  between them, and half as well with loads. What parts those of `reversed`, `sized::prefix_sums`
  and `teams::matrix_product` with one instance is not known. `thomas` column-wise has more values
  than a thread has registers, and keeps some in local memory (two rows). `common_subsequence`'s 65
  cells are set to zero by 16 stores of four words and one more where the estimate has one for each
  word, or none, as they are in registers; only the tiled kernel keeps these stores (three rows,
  and one of sectors a request). `reversed` on bytes and `stencil` row-wise, whose arrays begin in
  the middle of a sector, have stores of warps side by side merged more often than the quarter that
  the estimate takes, or less. `montgomery_multiply` row-wise has its last eight stores in two
  parts on average; with 31 instances they are merged.
- L2 sectors read (12): row-wise `prefix_sums` reads a sector again where loads come right behind
  stores to it that L1 does not merge: a programme of our own does so with 31 lanes, and not with
  16, whose stores are merged. As a rule of the model it put two of these rows right and one nearer,
  and two others wrong: it is not in it. `triangulate` row-wise, `fft_256` column-wise with one
  instance and 45, and `power_spectrum` with 31 are not explained.
- DRAM (23): data decides which stores of `bitonic_sort` and `floyd_warshall` are made (seven rows):
  half of the lanes are taken to make them, and in `floyd_warshall` a seventh do. Row-wise, the
  rows of its resident threads are 1.1 times as large as L2, which finds nearly all of them.
  `cholesky` finds more in L2, tiled and column-wise, than any of the sizes that L2 is taken to
  have (random eviction would explain it, and is wrong for `bitonic_sort` by 3.6 times), and
  row-wise less. `triangulate`, `reversed` and `delayed` read 0.8 to 1.7 times what is said: how
  far warps drift apart is not known of a kernel.
- Time (15): an estimate (`docs/models/time.md`). `delayed` waits for scratch memory longer than the
  model says, 230 ns for each pair of loads; that they are of what it has just stored is not why
  (`stored_latency` of `scripts/calibrate`: 149 ns in 8 MiB, as of what is only read). `stencil`
  column-wise waits in each iteration for what the estimate has in flight for several (see above);
  row-wise it takes half of what its team's accesses to shared memory would, one a cycle.
- Ranking (10): `stencil` as above; `weighted` tiled takes five times the estimate (in-place
  updates of cells of two bytes); the other eight are of 1 and 31 instances, and of `first_above`,
  where data ends the loop: the latency of single warps, which the estimate has to 50 %.
- Divergent branches of class A (6): in each warp of `stencil` row-wise 8 of 32 lanes copy one unit
  more than others, by a branch of the runtime (`stage.cuh`). All others without sizes part in the
  last warp alone. Those with sizes: below.
- The four functions with sizes were counted for the first time. `teams::cholesky` asks for 24
  sectors by request of its copies where 16 were expected, and reads half as many sectors again from
  L2, as 16 bytes that go to the middle of a sector of shared memory have it asked for twice; its
  copies have excess wavefronts, and so have those of `fft_256` and of `streams::prefix_sums`, which
  parts 12 times, as it copies a strip of its rows four times. The model has these now
  (`docs/models/sectors.md`), and of the wavefronts of 16 bytes the least. Branches of
  `teams::cholesky` part in more than the last warp, and more of its threads are active than
  expected. `teams::floyd_warshall` keeps values in local memory, as the compiler runs out of
  registers; its time was expected to be 2.2 to 3.8 times as long as it is, since each operation in
  unrolled loops was counted, also those that the compiler has once for several of them. Tiled and
  column-wise, `teams::matrix_product` of 16 finds more in L1 and L2 than is said with 1,000,001
  instances, and waits longer with few; row-wise it is faster than the least that is printed
  (1,572 us; 1,616).

The estimates of what is written to L2, and of DRAM, were made with earlier counts of the functions
without sizes in view; those of the time, too, but not with the 140 times of
[another page](time.md), which are nearer than before.
"""


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


def read_cases(record):
    for case in record["cases"]:
        if case["rows"] is not None:
            case["rows"] = [dict(zip(record["columns"], row)) for row in case["rows"]]
    return record["cases"]


def tallies(cases):
    found = collections.defaultdict(collections.Counter)
    for case in cases:
        for row in case["rows"] or []:
            found[row["what"]][row["result"]] += 1
    rows = [
        [what, *(f"{counts[r]:,}" for r in RESULTS)]
        for what, counts in found.items()
    ]
    return table(["demand", "met", "met, accesses merged", "not met"], rows)


def named(case):
    return [f"`{case['name']}`", instances(case), case["layout"]]


def values_of(case, what):
    """[predicted, measured] of the kernel, as text."""
    rows = [row for row in case["rows"] if row["what"] == what]
    if len(rows) == 1 and isinstance(rows[0]["predicted"], list):
        low, high = map(number, rows[0]["predicted"])
        return [low if low == high else f"{low} to {high}", number(rows[0]["measured"])]
    return [number(sum(row[side] for row in rows)) for side in ("predicted", "measured")]


def largest(cases):
    most = {}
    for case in cases:
        most[case["name"]] = max(most.get(case["name"], 0), case["count"])
    rows = [
        [
            *named(case),
            *values_of(case, "requests"),
            *values_of(case, "L2 sectors read, interval"),
            f"{case['microseconds']:,.0f}" if case["microseconds"] else "",
        ]
        for case in cases
        if case["rows"] and case["count"] == most[case["name"]]
    ]
    head = ["function", "p", "layout", "requests", "counted", "L2 sectors read", "counted", "us"]
    return "\n## The most instances of each function\n\n" + table(head, rows)


def accuracy(cases):
    """Of times: as the report of `colonnade cost` has it (lib/Model/TimeSection.cpp)."""
    factors = sorted(
        max(case["estimate"] / case["microseconds"], case["microseconds"] / case["estimate"])
        for case in cases
        if case["estimate"] and case["microseconds"]
    )
    if not factors:
        return ""
    half, most = (factors[int(len(factors) * share)] for share in (0.5, 0.9))
    return (
        f"\nOf {len(factors)} times, each against its estimate,\n"
        f"half are estimated within a factor of {half:.2f}, nine in ten within {most:.2f}, "
        f"all within {factors[-1]:.1f}.\n"
    )


def not_met(cases):
    rows = [
        [*named(case), f"{row['what']} {row['place']}".strip(), *map(number, values), row["note"]]
        for case in cases
        for row in case["rows"] or []
        if row["result"] == "failed"
        for values in [(row["predicted"], row["measured"])]
    ]
    text = "\n## Not met\n\n"
    text += table(["function", "p", "layout", "what", "predicted", "counted", "known"], rows)
    missing = [", ".join(named(case)) for case in cases if case["rows"] is None]
    return text + (f"\nNot run: {'; '.join(missing)}.\n" if missing else "")


def render():
    record = json.loads(RECORD.read_text())
    cases = read_cases(record)
    text = HEAD.format(**record["machine"]) + tallies(cases) + accuracy(cases)
    PAGE.write_text(text + not_met(cases) + WHY + largest(cases))
    return 0


if __name__ == "__main__":
    print(accuracy(read_cases(json.loads(RECORD.read_text()))))
