"""The rows of model_lanes.py for a prediction and made-up counts of its kernel's instructions.

usage: lane_rows.py SCRIPTS PREDICTION TEXT=EXECUTED:THREADS:EXCESS@PLACE…
"""

import json
import sys

sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True

import model_lanes

prediction = json.load(open(sys.argv[2]))
instructions, lines, sums = [], [], {"divergent branches": 1}
for number, argument in enumerate(sys.argv[3:]):
    text, rest = argument.split("=")
    counts, place = rest.split("@")
    executed, threads, excess = map(int, counts.split(":"))
    shared = {"shared": executed + excess, "shared ideal": executed}
    instructions.append({"text": f"{text} ", "executed": executed, "threads": threads, **shared})
    lines.append([number, place])
case = {"layout": "row"}
rows = [model_lanes.divergence_row(case, prediction, sums)]
rows.append(model_lanes.efficiency_row(case, prediction, {"instructions": instructions}, lines))
rows += model_lanes.shared_rows(case, prediction, instructions, lines)
for row in rows:
    print(row.what, row.place or "kernel", row.predicted, row.measured, row.result)
