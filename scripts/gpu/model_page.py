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

- Divergent branches of class A: more than one, and no more than "known" explains: loops that copy
  the last warp's rows (two to six branches); warps of `stencil`, some of whose lanes copy one unit
  more than others; square roots and divisions of `cholesky`, which are routines that branch where
  numbers are far from 1.
- W/(kT), row-wise, where warps copy rows of few instances: of the instructions of the source's
  lines, since lanes without an instance copy, too.
- Stores of local memory that set `common_subsequence`'s 65 cells to zero: 16 of four words and one
  more, a request of four sectors each, where the estimate has one for each word; tiled, they are
  all that it is not told to write to L2. `thomas` column-wise has more values than a thread has
  registers, and keeps some in local memory; its own arrays are in registers.
- L2 sectors read: row-wise `prefix_sums` and `triangulate` read up to 1.9 times as many as their
  cells have, `fft_256` column-wise with one instance 1,376 for 96, `power_spectrum` fewer than
  said. What is read beside was not found out.
- L2 sectors written: whether L1 merges a store with the one before depends on when the two come,
  and on how the compiler unrolls. `stencil` column-wise does not run its iterations together,
  `sharpen` does, against what the estimate takes; `reversed` runs four together where it takes
  eight; with 45 and 10,007 instances, whose arrays begin in the middle of a sector, stores of warps
  side by side are merged more often than the quarter that the estimate takes, and row-wise ones
  that touch more than eight lines, too. With 10^6 instances three are not met, of which two are of
  local memory.
- L2 intervals: 0.04 % more sectors read than the one number that `bisected` has, which data leads
  elsewhere; 0.2 % fewer written than `fft_256` has, by merging in passing.
- DRAM: data decides which stores of `bitonic_sort` and `floyd_warshall` are made, and all are
  taken to be; row-wise, the rows of the resident threads of `floyd_warshall` are 1.1 times as large
  as L2, which finds them nearly all and should, if it evicted what was not used for longest, find
  none. Of `cholesky`, too, it finds more than that. Row-wise `permuted` and `delayed` read more
  than L1 asks for: sectors come in pairs, and what is stored in part is read, but not always, and
  no rule was found that holds for all. `reversed`, row-wise, reads less: a thread's loads of one
  batch are of one sector and made together, where the estimate lets all warps come between. With
  loads of a batch together its reads would be right to 6 and 18 %, but those of `matrix_product`
  and `cholesky`, row-wise, a third and a tenth too few, as sectors come in pairs: that they are met
  is two errors that cancel each other.
- Time: an estimate (`docs/models/time.md`). `delayed` waits for scratch memory longer than the
  model says, 230 ns for each pair of loads; that they are of what it has just stored is not why
  (`stored_latency` of `scripts/calibrate`: 149 ns in 8 MiB, as of what is only read). `stencil`
  column-wise waits in each iteration for what the estimate has in flight for several. Where an
  operation counted as if it waited for the one before, twenty-one more were not met (latency up to
  3.5 times too long): now chains of operations count.
- Ranking: tiled and column-wise, which are predicted to take as long where p is no multiple of 32,
  differ by 10 to 120 % there (10,007 instances); and with few instances row-wise is predicted
  to be faster by 2 to 13 %, and is slower by 5 to 17 %.
- `power_spectrum` ran with 100,001 instances: its job is one of 1,000,001 by now, which has not
  run yet.

The estimates of what is written to L2, and of DRAM, were made with these counts in view.
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
