"""What passed in an earlier run is taken over, and not run again."""

import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "gpu"))
from recorder import Recorder

EARLIER = [
    {"kind": "tests", "name": "good --small", "result": "passed", "seconds": 3},
    {"kind": "memcheck", "name": "good", "result": "passed"},
    {"kind": "tests", "name": "bad", "result": "failed", "reason": "out of memory"},
    {"kind": "racecheck", "name": "bad", "result": "passed"},
    {"kind": "tests", "name": "late", "result": "not run"},
]

with tempfile.TemporaryDirectory() as folder:
    recorder = Recorder(pathlib.Path(folder) / "log", time.monotonic() + 60, EARLIER)
    assert recorder.not_passed() == {"bad", "late"}
    assert recorder.take_over_all("good") and not recorder.take_over_all("bad")
    assert not recorder.take_over_all("new")
    assert recorder.run("racecheck", "bad", ["false"]) == 0  # taken over
    assert recorder.run("tests", "bad", ["true"]) == 0
    assert recorder.run("tests", "late", ["false"]) == 1
    results = {(r["kind"], r["name"]): r for r in recorder.results}
    assert len(results) == len(recorder.results) == 5
    assert results["tests", "good --small"] is EARLIER[0]
    assert results["tests", "bad"]["result"] == "passed" and "reason" not in results["tests", "bad"]
    assert results["tests", "late"]["result"] == "failed"
    log = (pathlib.Path(folder) / "log").read_text()
    assert log.count("=== exit code") == 2, log
print("what passed is not run again")
