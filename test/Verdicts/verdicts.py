"""Compares the verdict of every marked function in a source with its marker.

usage: verdicts.py COLONNADE SOURCE

A marker is a comment line `// expect CLASSES` (any of the listed letters is
right), optionally followed by `// -- ARGUMENTS`, before a function definition.
Exits 1 with a line per function whose verdict differs, or if nothing is marked.
"""
import json
import re
import shlex
import subprocess
import sys

MARKER = re.compile(r"^// expect ([A-Z]+)\n(?:// -- (.*)\n)?((?:.*\n)*?.*?\b(\w+)\()", re.M)


def verdict(tool, source, name, extra):
    command = [tool, "check", source, "-f", name, "--json", "-", *extra]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    try:
        report = json.loads(run.stdout)
    except json.JSONDecodeError:
        return f"no report, exit {run.returncode}: {run.stderr.strip()[:300]}"
    function = report["functions"][0]
    expected_exit = {"accept": 0, "reject": 1, "unsupported": 2}[function["verdict"]]
    if run.returncode != expected_exit:
        return f"exit {run.returncode} with verdict {function['verdict']}"
    return function["class"]


def main():
    tool, source = sys.argv[1:3]
    text = open(source, encoding="utf-8").read()
    marked = [(m[1], m[2] or "", m[4]) for m in MARKER.finditer(text)]
    wrong = 0
    for classes, extra, name in marked:
        got = verdict(tool, source, name, shlex.split(extra))
        if got not in classes:
            wrong += 1
            print(f"{name}: expected {classes}, got {got}")
    print(f"{len(marked) - wrong} of {len(marked)} verdicts as marked")
    return 1 if wrong or not marked else 0


if __name__ == "__main__":
    sys.exit(main())
