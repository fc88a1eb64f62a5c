"""Every verdict class has a page that opens with its meaning, and README lists all.

usage: classes.py COLONNADE SOURCE
"""

import pathlib
import re
import subprocess
import sys

tool, root = sys.argv[1], pathlib.Path(sys.argv[2])
table = (root / "lib/Support/VerdictClasses.def").read_text()
classes = re.findall(r'^COLONNADE_VERDICT_CLASS\((\w), (\w+), "(.*)"\)$', table, re.M)
assert len(classes) == table.count("\nCOLONNADE_VERDICT_CLASS(") > 7, classes
words = {"Accept": "Accepted", "Reject": "Rejected", "Unsupported": "Unsupported"}
readme = (root / "README.md").read_text()
for letter, outcome, meaning in classes:
    page = subprocess.run([tool, "explain", letter], capture_output=True, text=True, check=True)
    assert page.stdout.startswith(f"# Class {letter}: {meaning}\n\n{words[outcome]}"), page.stdout
    assert f"\n| {letter} | {words[outcome].lower()} | " in readme, letter
