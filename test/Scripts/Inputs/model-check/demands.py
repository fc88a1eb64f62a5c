"""demands.py SCRIPTS: what scripts/model-check demands of times, and of the order of layouts."""

import collections
import sys

sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True

import model_compare
import model_lanes
import model_lines
import model_rows


def is_met(row):
    return row is not None and row.result == "met"


# The tolerance is a share of what was measured.
assert is_met(model_rows.within("time", "", 125, 100, 0.25))
assert not is_met(model_rows.within("time", "", 130, 100, 0.25))
assert not is_met(model_rows.within("time", "", 100, 130, 0.2))
assert is_met(model_rows.within("time", "", 100, 125, 0.2))


def ranking(predicted, measured):
    return is_met(model_compare.ranking_row(list(zip("abc", predicted, measured))))


assert ranking([1, 2, 3], [10, 20, 30])
assert not ranking([1, 3, 2], [10, 20, 30])
# Measured within 5 %: a tie. Predicted so: none.
assert ranking([2, 1, 3], [10, 10.4, 30])
assert not ranking([1.01, 1, 3], [10, 20, 30])
# Predicted to take equally long: any order.
assert ranking([1, 1, 1 + 1e-12], [30, 20, 10])


def time(kind, binds, estimate, gigabytes):
    row = {"layout": "row", "microseconds": estimate, "binds": binds}
    prediction = {"class": kind, "time": [row]}
    sums = {"DRAM bytes read": gigabytes * 1e9 / 2, "DRAM bytes written": gigabytes * 1e9 / 2}
    counted = {"microseconds": 1000.0, "sums": sums}
    return model_compare.time_row(prediction, "row", counted, {"dram": 4000})


# Where data decides, too.
for kind in "AP":
    assert is_met(time(kind, "DRAM bandwidth", 1240, 2.4))
    assert not is_met(time(kind, "latency", 1260, 2.4))
    assert is_met(time(kind, "latency", 1490, 2.3))
    assert time(kind, "operations", 1, 2.3) is None


def caches(likely, measured, megabytes):
    """The rows of DRAM of a kernel with such arrays."""
    ends = {"low": 0, "high": 10**9}
    row = {"layout": "row", "read": ends, "written": ends, "dram_read": ends, "dram_written": ends}
    row.update(dram_read_likely=likely, dram_written_likely=likely)
    once = {"footprint": megabytes * 10**6}
    sums = {"L2 read": 1, "L2 written": 1}
    sums.update({f"DRAM bytes {way}": 32 * measured for way in ("read", "written")})
    prediction = {"l2": [row], "arrays_once": once}
    rows = model_compare.cache_rows(prediction, "row", sums, {"l2": 60 * 10**6})
    return {row.what: row.result for row in rows if "DRAM" in row.what}


# DRAM: 10 % of a number, whatever the interval, where arrays are four times as large as L2.
assert caches(100, 111, 239) == {}
assert set(caches(100, 111, 240).values()) == {"met"}
for wrong in (80, 112):
    found = caches(100, wrong, 240)
    assert found["DRAM sectors read"] == found["DRAM sectors written"] == "failed", found
    assert found["DRAM sectors read, interval"] == "met", found

# An interval has to hold what was counted; where there is a number, nearly.
assert is_met(model_compare.inside("L2", {"low": 10, "high": 20}, 20))
assert not is_met(model_compare.inside("L2", {"low": 10, "high": 20}, 21))
assert is_met(model_compare.inside("L2", {"low": 10, "high": 20}, 21, 0.1))


def divergence(kind, measured, count=65, copies=1, routines=0, times=1):
    site = {"space": "shared", "parts": False, "times": times}
    sectors = {"layout": "row", "instances_a_warp": 32, "sites": [site] * copies}
    k_model = {"data_branches": 1, "routines": routines, "layouts": []}
    prediction = {"class": kind, "count": count, "sectors": [sectors], "k_model": [k_model]}
    sums = {"divergent branches": measured}
    return model_lanes.divergence_row({"layout": "row"}, prediction, sums)


# Class A: one warp's, that of the last one, which copies rows in loops; what else lanes may part
# at is said. Class P: at most all of it.
assert is_met(divergence("A", 5))
row = divergence("A", 6)
assert not is_met(row)
assert row.note == "at most 8 with the last warp, data, copies of rows", row.note
assert divergence("A", 9).note == ""
assert is_met(divergence("A", 1, copies=0)) and not is_met(divergence("A", 2, copies=0))
assert is_met(divergence("A", 1, count=64)) and not is_met(divergence("A", 2, count=64))
# Strips of rows are copied one after the other.
assert is_met(divergence("A", 17, times=4)) and not is_met(divergence("A", 18, times=4))
# Where only one warp has instances, whatever it parts at is one warp's.
assert is_met(divergence("A", 7, count=31, copies=0, routines=5))
assert not is_met(divergence("A", 8, count=31, copies=0, routines=5))
assert not is_met(divergence("A", 2, count=33, copies=0, routines=5))
assert is_met(divergence("P", 8))
assert not is_met(divergence("P", 9))


def efficiency(instructions, count=1):
    """Of a kernel that copies rows, with four warps of which one has an instance."""
    sectors = {"layout": "row", "instances_a_warp": 32, "sites": [{"space": "shared"}]}
    k_model = {"efficiency": count / 32, "layouts": []}
    prediction = {"class": "A", "count": count, "sectors": [sectors], "k_model": [k_model]}
    counted = [{"executed": e, "threads": t} for e, t, _ in instructions]
    lines = [[at, place] for at, (_, _, place) in enumerate(instructions)]
    counted = {"instructions": counted}
    return model_lanes.efficiency_row({"layout": "row"}, prediction, counted, lines)


# What all threads execute, with an instance or without, is no instance's, nor are copies.
all_threads, copy, own = (4, 128, "f.cpp:1"), (1, 32, "copies"), (1, 1, "f.cpp:2")
assert is_met(efficiency([all_threads, copy, own]))
assert not is_met(efficiency([all_threads, copy, own, (1, 32, "f.cpp:2")]))

# A generated line of the source, what is before it and finds a thread's number, and a copy.
generated = "{ // a/f.cpp:3\n  x = threadIdx.x;\n  y = 0;\n  staged_rows<8, 4>(i, n).to(a);\n"
places = model_lines.places_of_lines(generated + "  z; // f.cpp:4\n")
assert places == ["f.cpp:3", "", "f.cpp:3", "copies", "f.cpp:4"], places


def excess(instructions, predicted):
    lines = [[at, "f.cpp:1"] for at in range(len(instructions))]
    counted = [
        {"text": text, "executed": executed, "shared": executed + more, "shared ideal": executed}
        for text, executed, more in instructions
    ]
    measured = model_lanes.measured_shared(counted, lines)["f.cpp:1"]
    return model_lanes.shared_row(predicted, measured).result


# As many requests, of which a few are wider: two accesses in one, perhaps another line's.
predicted = collections.Counter(excess=4, requests=4)
assert excess([("STS [R1] ", 4, 4)], predicted) == "met"
assert excess([("STS [R1] ", 3, 3), ("STS.64 [R1] ", 1, 0)], predicted) == "merged"
assert excess([("STS [R1] ", 3, 3), ("STS [R1] ", 1, 0)], predicted) == "failed"
assert excess([("STS.64 [R1] ", 4, 3)], predicted) == "failed"
assert excess([("STS [R1] ", 3, 5), ("STS.64 [R1] ", 1, 0)], predicted) == "failed"
# Of some copies it is only known what is the least.
more = collections.Counter(excess=4, requests=0, more=1)
assert excess([("LDGSTS.E.BYPASS.128 [R1], [R2] ", 4, 9)], more) == "met"
assert excess([("LDGSTS.E.BYPASS.128 [R1], [R2] ", 4, 4)], more) == "met"
assert excess([("LDGSTS.E.BYPASS.128 [R1], [R2] ", 4, 3)], more) == "failed"


def totals(executed, counted, asked_twice):
    kind = ("global", False)
    measured = {("f.cpp:1", *kind): model_compare.Traffic(requests=4, sectors=executed)}
    sums = {"requests global_op_ld": 4.0, "sectors global_op_ld": counted}
    for way in ("global_op_st", "local_op_ld", "local_op_st"):
        sums.update({f"requests {way}": 0.0, f"sectors {way}": 0.0})
    return is_met(model_compare.totals_row(kind, measured, sums, asked_twice))


# What is asked for twice is not always counted so.
assert totals(64, 64.0, 0) and not totals(96, 72.0, 0)
assert totals(96, 72.0, 32) and not totals(97, 64.0, 32) and not totals(64, 72.0, 32)
print("ok")
