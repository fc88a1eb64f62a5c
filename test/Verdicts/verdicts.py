"""Compares the verdict of every marked function in a source with its marker.

usage: verdicts.py COLONNADE SOURCE [-- FLAGS OF CLANG]

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


EXITS = {"accept": 0, "reject": 1, "unsupported": 2}


def verdicts(tool, source, names, extra):
    """The classes of functions that are checked with the same arguments."""
    command = [tool, "check", source, "--json", "-"]
    for name in names:
        command += ["-f", name]
    run = subprocess.run(command + extra, capture_output=True, text=True, timeout=240)
    try:
        report = json.loads(run.stdout)
    except json.JSONDecodeError:
        sys.exit(f"no report, exit {run.returncode}: {run.stderr.strip()[:300]}")
    functions = report["functions"]
    expected_exit = max(EXITS[function["verdict"]] for function in functions)
    if run.returncode != expected_exit:
        sys.exit(f"exit {run.returncode} where the verdicts give {expected_exit}")
    return dict(zip(names, (function["class"] for function in functions), strict=True))


def main():
    tool, source, *flags = sys.argv[1:]
    text = open(source, encoding="utf-8").read()
    marked = [(m[1], m[2] or "", m[4]) for m in MARKER.finditer(text)]
    together = {}
    for _, extra, name in marked:
        together.setdefault(extra, []).append(name)
    got = {}
    for extra, names in together.items():
        got |= verdicts(tool, source, names, shlex.split(extra) + flags)
    wrong = 0
    for classes, _, name in marked:
        if got[name] not in classes:
            wrong += 1
            print(f"{name}: expected {classes}, got {got[name]}")
    print(f"{len(marked) - wrong} of {len(marked)} verdicts as marked")
    return 1 if wrong or not marked else 0


if __name__ == "__main__":
    sys.exit(main())
