"""demands.py SCRIPTS: what scripts/model-check demands of times, and of the order of layouts."""

import sys

sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True

import model_compare
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
print("ok")
