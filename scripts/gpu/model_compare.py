"""What was predicted of generated kernels, held against a GPU's counters.

In: a case (of cases.json), its prediction (`colonnade cost --json`), the places of its
kernel's instructions (lines.json), and what was counted: sums over the kernel, and counts of each
instruction. Out: rows, each with a demand and whether it is met.

A place is a line of the original source, or "copies"; requests of a place are those of its
loads or its stores, of global or of local memory. A compiler may merge accesses of a place, so
requests may be fewer than predicted; then sectors are compared by request. It may also move an
access to a line that has none, or execute it under a predicate, where an instruction's count is not
that of its requests: then all loads (or stores) of the kernel are one place, and the hardware's
sums are compared.

Invariant: what is not predicted, or was not counted, has no row that is met.
"""

import collections
import dataclasses
import math
import re

from model_lanes import divergence_row, efficiency_row, shared_rows
from model_rows import Row, copies, is_counted, line_of, placed, sectors_of, warps_of, within

INSTRUCTION = re.compile(r"(@!?U?P\w+ +)?(LD|ST|LDG|STG|LDL|STL|LDGSTS)((?:\.\w+)*) ")
EVERYWHERE = "all"  # a place
SECTOR = 32  # bytes
LARGE = 4  # times L2: bytes of arrays
SHARE = 0.1  # of what was measured: how near a number of sectors has to be
# Spaces in global memory.
MEMORY = {"memory", "registers", "shared", "scratch", "uniform", "global"}
TOTALS = {
    ("global", False): "global_op_ld",
    ("global", True): "global_op_st",
    ("local", False): "local_op_ld",
    ("local", True): "local_op_st",
}


@dataclasses.dataclass
class Traffic:
    requests: float = 0
    sectors: float = 0
    lines: float = 0  # distinct ones of 128 bytes, of each request
    least: float = 0  # requests that are made whatever the data
    accesses: list = dataclasses.field(default_factory=list)
    merged: list = dataclasses.field(default_factory=list)  # of these, which the compiler merges
    ratios: list = dataclasses.field(default_factory=list)  # sectors by request of each access
    line_ratios: list = dataclasses.field(default_factory=list)  # likewise
    is_predicated: bool = False
    of_team: bool = False  # whose threads may ask for cells of their own: sectors are not known

    def add(self, other):
        self.requests += other.requests
        self.sectors += other.sectors
        self.lines += other.lines
        self.least += other.least
        self.accesses += other.accesses
        self.merged += other.merged
        self.ratios += other.ratios
        self.line_ratios += other.line_ratios
        self.of_team |= other.of_team


def predicted_traffic(prediction, layout):
    """{(place, memory, is store): Traffic} of all warps."""
    full, rest = warps_of(prediction, layout)
    rows = sectors_of(prediction, layout)
    found = collections.defaultdict(Traffic)
    for site in rows["sites"]:
        place = line_of(site["location"]) if site["location"] else "copies"
        memory = "global" if site["space"] in MEMORY else site["space"]
        traffic = found[place, memory, site["store"]]
        requests = site["requests"] * full + site["requests_last_warp"] * (rest > 0)
        traffic.requests += requests
        traffic.sectors += site["sectors"]
        traffic.lines += site.get("lines", 0)
        traffic.of_team |= site["of_team"]
        traffic.least += 0 if site["conditional"] else requests
        if site["access"] is not None:
            traffic.accesses.append(site["access"])
            if site.get("merged"):
                traffic.merged.append(site["access"])
        if site["requests"]:
            traffic.ratios.append(site["sectors"] / requests)
            traffic.line_ratios.append(site.get("lines", 0) / requests)
    return found


def measured_traffic(instructions, lines):
    """Of instructions {"text", "executed", "sectors"} in their order."""
    found = collections.defaultdict(Traffic)
    for place, one in placed(instructions, lines):
        match = INSTRUCTION.match(one["text"])
        if not match or not one["executed"]:
            continue
        memory = "local" if match[2] in ("LDL", "STL") else "global"
        traffic = found[place, memory, match[2] in ("ST", "STG", "STL")]
        traffic.requests += one["executed"] * requests_of(memory, match[3])
        traffic.sectors += one["sectors"]
        traffic.lines += one.get("lines", 0)
        traffic.is_predicated |= bool(match[1])
    return found


def requests_of(memory, modifiers):
    """Of one execution: local memory is asked for a word of each lane at a time."""
    if memory == "global":
        return 1
    return 4 if ".128" in modifiers else 2 if ".64" in modifiers else 1


def ratio(traffic):
    return traffic.sectors / traffic.requests if traffic.requests else 0.0


def name_of(key):
    place, memory, is_store = key
    local = " of local memory" if memory == "local" else ""
    return f"{place or 'no line'} {'stores' if is_store else 'loads'}{local}"


def requests_row(key, predicted, measured):
    row = Row("requests", name_of(key), predicted.requests, measured.requests, "equal", "met")
    if measured.requests > predicted.requests:
        row.result = "failed"
    elif predicted.least < predicted.requests:
        row.demand = "at most"
    elif measured.requests < predicted.requests:
        row.demand, row.result = "equal, or accesses merged", "merged"
        row.note = "accesses " + ", ".join(map(str, predicted.merged or predicted.accesses))
    return row


def sectors_row(key, predicted, measured):
    row = Row("sectors a request", name_of(key), ratio(predicted), ratio(measured), "equal", "met")
    tolerance = 1e-9 * row.predicted
    if abs(row.measured - row.predicted) <= tolerance:
        return row
    least, most = math.floor(min(predicted.ratios)), math.ceil(max(predicted.ratios))
    if predicted.least < predicted.requests:  # masked lanes ask for less
        row.demand, row.result = "at most", "met" if row.measured <= most else "failed"
    elif measured.requests < predicted.requests and least <= row.measured <= most:
        row.demand, row.result = f"{least} to {most}, those of its accesses", "merged"
    else:
        row.result = "failed"
    return row


def lines_row(key, predicted, measured):
    """What L1 is asked for tags: the K-model's transactions, G."""
    values = [t.lines / t.requests for t in (predicted, measured)]
    row = Row("lines a request", name_of(key), *values, "equal", "met")
    if abs(values[0] - values[1]) <= 1e-9 * values[0]:
        return row
    least, most = math.floor(min(predicted.line_ratios)), math.ceil(max(predicted.line_ratios))
    if predicted.least < predicted.requests:  # masked lanes ask for less
        row.demand, row.result = "at most", "met" if values[1] <= most else "failed"
    elif measured.requests < predicted.requests and least <= values[1] <= most:
        row.demand, row.result = f"{least} to {most}, those of its accesses", "merged"
    else:
        row.result = "failed"
    return row


def lines_rows(predicted, measured, counted):
    """In global memory, where the machine counted lines."""
    if not any("lines" in one for one in counted["instructions"]):
        return []
    pairs = [
        pair
        for kind in TOTALS
        if kind[0] == "global"
        for pair in pairs_of(predicted, measured, kind, counted["sums"])
    ]
    return [
        lines_row(key, one, other)
        for key, one, other in pairs
        if one.line_ratios and other.requests and not one.of_team
    ]


def sum_of(traffic, kind):
    total = Traffic()
    for key, one in traffic.items():
        if key[1:] == kind:
            total.add(one)
    return total


def by_hardware(kind, sums, lines=0):
    """Copies to shared memory are among the loads."""
    return Traffic(*(sums[f"{what} {TOTALS[kind]}"] for what in ("requests", "sectors")), lines)


def is_by_place(predicted, measured, kind):
    """Whether each instruction lies where its access is, and was executed as often."""
    return not any(
        one.is_predicated or one.requests > predicted.get(key, Traffic()).requests
        for key, one in measured.items()
        if key[1:] == kind
    )


def pairs_of(predicted, measured, kind, sums):
    """[(place, what is predicted of it, what was measured)]"""
    if is_by_place(predicted, measured, kind):
        keys = sorted(key for key in {*predicted, *measured} if key[1:] == kind)
        return [(k, predicted.get(k, Traffic()), measured.get(k, Traffic())) for k in keys]
    lines = sum_of(measured, kind).lines
    return [((EVERYWHERE, *kind), sum_of(predicted, kind), by_hardware(kind, sums, lines))]


def site_rows(predicted, measured, sums):
    rows = []
    for kind in TOTALS:
        for key, one, other in pairs_of(predicted, measured, kind, sums):
            rows.append(requests_row(key, one, other))
            if other.requests and one.requests and not one.of_team:
                rows.append(sectors_row(key, one, other))
    return rows


def totals_row(key, measured, sums, asked_twice=0):
    """The hardware's counters say what the instructions say; of sectors that copies ask for twice
    (RowCopies.h), an H200's count a quarter of the second time."""
    executed, counted = sum_of(measured, key), by_hardware(key, sums)
    if not executed.requests and not counted.requests:
        return None
    is_predicated = any(t.is_predicated for k, t in measured.items() if k[1:] == key)
    more = executed.requests - counted.requests
    left = executed.sectors - counted.sectors
    met = 0 <= left <= asked_twice and (more == 0 or is_predicated and more > 0)
    values = [[t.requests, t.sectors] for t in (executed, counted)]
    demand = "equal" if not is_predicated else "equal sectors"
    demand += ", less what is asked twice" if asked_twice else ""
    return Row("counters", name_of((EVERYWHERE, *key)), *values, demand, "met" if met else "failed")


def inside(what, predicted, measured, share=0.0):
    """Within the printed interval, or near it."""
    low, high = predicted["low"] * (1 - share), predicted["high"] * (1 + share)
    result = "met" if low <= measured <= high else "failed"
    values = [predicted["low"], predicted["high"]]
    demand = f"within {share:.0%} of that" if share else "between"
    return Row(what, "", values, measured, demand, result)


def is_large(prediction, machine):
    """Whether DRAM's traffic is to be predicted: of arrays beyond what L2 holds by far."""
    return prediction["arrays_once"]["footprint"] >= LARGE * machine["l2"]


def cache_rows(prediction, layout, sums, machine):
    """A number to 10 % where the size of L1 does not decide it, and of DRAM where arrays are
    large; else an interval. It is told of numbers, too, and has to be as near as they are."""
    row = next((row for row in prediction.get("l2", []) if row["layout"] == layout), None)
    if not row:
        return []
    kinds = [("L2 sectors", "", lambda way: sums[f"L2 {way}"])]
    if row["dram_read"] and is_large(prediction, machine):
        kinds.append(("DRAM sectors", "dram_", lambda way: sums[f"DRAM bytes {way}"] / SECTOR))
    rows = []
    for what, prefix, count in kinds:
        for way in ("read", "written"):
            likely, measured = row.get(f"{prefix}{way}_likely"), count(way)
            share = 0 if likely is None else SHARE
            rows.append(inside(f"{what} {way}, interval", row[prefix + way], measured, share))
            if likely is not None:
                rows.append(within(f"{what} {way}", "", likely, measured, SHARE))
    return rows


def time_row(prediction, layout, counted, machine):
    found = next((row for row in prediction.get("time", []) if row["layout"] == layout), None)
    measured = counted.get("microseconds")
    if not found or not measured:
        return None
    estimate = found["microseconds"]
    moved = counted["sums"]["DRAM bytes read"] + counted["sums"]["DRAM bytes written"]
    if moved / measured / 1e3 >= 0.6 * machine["dram"]:
        return within("time", found["binds"], estimate, measured, 0.25)
    if "latency" in found["binds"]:
        return within("time", found["binds"], estimate, measured, 0.5)
    return None


def interval_row(prediction, layout, counted):
    """From what is best of all that is not known to what is worst."""
    found = next((row for row in prediction.get("time", []) if row["layout"] == layout), None)
    measured = counted.get("microseconds")
    if not found or not measured:
        return None
    values = [found["least"], found["most"]]
    result = "met" if values[0] <= measured <= values[1] else "failed"
    return Row("time between", found["binds"], values, measured, "between", result)


def ranking_row(times):
    """times: (layout, predicted, measured). Measured within 5 %, neither is faster; what is
    predicted to take equally long may be measured in any order."""
    wrong = [
        (a[0], b[0])
        for a in times
        for b in times
        if a[2] < b[2] * 0.95 and a[1] > b[1] and not math.isclose(a[1], b[1])
    ]
    sides = [" ".join(t[0] for t in sorted(times, key=lambda t: t[side])) for side in (1, 2)]
    return Row("ranking of layouts", "", *sides, "right", "failed" if wrong else "met")


def twice_of(prediction, case, kind):
    """Sectors that copies of this kind ask for twice."""
    sites = copies(prediction, case["layout"]) if kind[0] == "global" else []
    return sum(site.get("asked_twice", 0) for site in sites if site["store"] == kind[1])


def kernel_rows(case, prediction, counted, measured, lines, machine):
    """What is said of the kernel as a whole."""
    sums = counted["sums"]
    rows = [totals_row(key, measured, sums, twice_of(prediction, case, key)) for key in TOTALS]
    if is_counted(prediction, case["layout"]):
        rows.append(divergence_row(case, prediction, sums))
        rows.append(efficiency_row(case, prediction, counted, lines))
        rows += shared_rows(case, prediction, counted["instructions"], lines)
    rows += cache_rows(prediction, case["layout"], sums, machine)
    rows.append(time_row(prediction, case["layout"], counted, machine))
    rows.append(interval_row(prediction, case["layout"], counted))
    return [row for row in rows if row]


def compare(case, prediction, counted, lines, machine):
    """machine: the values of the fields of its file."""
    lines = lines[case["layout"]]
    measured = measured_traffic(counted["instructions"], lines)
    predicted = predicted_traffic(prediction, case["layout"])
    rows = site_rows(predicted, measured, counted["sums"])
    rows += lines_rows(predicted, measured, counted)
    return rows + kernel_rows(case, prediction, counted, measured, lines, machine)
