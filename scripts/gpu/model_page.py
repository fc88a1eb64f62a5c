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
TOLD = ("as told", "not so")
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

- W/(kT), row-wise, where warps copy rows of few instances: of the instructions of the source's
  lines, since lanes without an instance copy, too.
- Stores of local memory that set `common_subsequence`'s 65 cells to zero: 16 of four words and one
  more, a request of four sectors each, where the estimate has one for each word. `thomas`
  column-wise has more values than a thread has registers, and keeps some in local memory; its own
  arrays are in registers.
- L2 sectors likely read: row-wise `prefix_sums` and `triangulate` read up to 1.9 times as many as
  their cells have, `fft_256` column-wise with one instance 1,376 for 96, `power_spectrum` fewer
  than said. What is read beside was not found out.
- Time: an estimate (`docs/models/time.md`). `delayed` waits for scratch memory longer than the
  model says, 230 ns for each pair of loads; that they are of what it has just stored is not why
  (`stored_latency` of `scripts/calibrate`: 149 ns in 8 MiB, as of what is only read). `stencil`
  column-wise waits in each iteration for what the estimate has in flight for several. Where an
  operation counted as if it waited for the one before, twenty-one more were not met (latency up to
  3.5 times too long): now chains of operations count.
- Ranking: tiled and column-wise, which are predicted to take as long where p is no multiple of 32,
  differ by 10 to 120 % there (10,007 instances); and with few instances row-wise is predicted
  to be faster by 2 to 13 %, and is slower by 5 to 17 %.
"""

LINES = """
## Lines by request: G of the K-model

What a place's instructions ask L1's tags for by request (`memory_l1_tag_requests_global`), beside
the distinct lines of 128 bytes that its lanes' addresses lie in: the K-model's transactions for
k = 32 words. Nothing is demanded, as the counter is not documented to be just that; local memory is
not in it. Where the compiler merged accesses, those that are left may be any of the place's.

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
        if not any(counts[r] for r in TOLD)
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
            *values_of(case, "L2 sectors read"),
            f"{case['microseconds']:,.0f}" if case["microseconds"] else "",
        ]
        for case in cases
        if case["rows"] and case["count"] == most[case["name"]]
    ]
    head = ["function", "p", "layout", "requests", "counted", "L2 sectors read", "counted", "us"]
    return "\n## The most instances of each function\n\n" + table(head, rows)


def lines(cases):
    """G: of how many places it is as counted, and of which not."""
    found, other = collections.defaultdict(collections.Counter), []
    for case in cases:
        for row in case["rows"] or []:
            if row["result"] in TOLD:
                found[case["layout"]][row["result"]] += 1
            if row["result"] == "not so":
                values = map(number, (row["predicted"], row["measured"]))
                other.append([*named(case), row["place"], *values])
    if not found:
        return ""
    rows = [[layout, *(f"{counts[r]:,}" for r in TOLD)] for layout, counts in found.items()]
    text = LINES + table(["layout", "as predicted", "not"], rows)
    head = ["function", "p", "layout", "place", "predicted", "counted"]
    return text + ("\n" + table(head, other) if other else "")


def not_met(cases):
    rows = [
        [*named(case), f"{row['what']} {row['place']}".strip(), *map(number, values)]
        for case in cases
        for row in case["rows"] or []
        if row["result"] == "failed"
        for values in [(row["predicted"], row["measured"])]
    ]
    text = "\n## Not met\n\n"
    text += table(["function", "p", "layout", "what", "predicted", "counted"], rows)
    missing = [", ".join(named(case)) for case in cases if case["rows"] is None]
    return text + (f"\nNot run: {'; '.join(missing)}.\n" if missing else "")


def render():
    record = json.loads(RECORD.read_text())
    cases = read_cases(record)
    text = HEAD.format(**record["machine"]) + tallies(cases)
    PAGE.write_text(text + not_met(cases) + WHY + lines(cases) + largest(cases))
    return 0
