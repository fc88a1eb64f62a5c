"""faults.py ROOT LAST: a GoogleTest report in which all families catch all faults that they are
asked for; of the last fault of the last family it says LAST, or nothing if that is empty."""
import json
import pathlib
import runpy
import sys

root, last = pathlib.Path(sys.argv[1]), sys.argv[2]
asked = runpy.run_path(str(root / "scripts/planted-faults"))["ASKED"]
families = json.loads((root / "runtime/families.json").read_text())
keys = [f"planted__{family}__{fault}" for family in families for fault in asked]
case = dict.fromkeys(keys, "caught, schedule 3")
case[keys[-1]] = last
if not last:
    del case[keys[-1]]
print(json.dumps({"testsuites": [{"testsuite": [case]}]}))
