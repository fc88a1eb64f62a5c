"""Compares the verdict of every marked function in a source with its marker.

usage: verdicts.py COLONNADE SOURCE [--validate] [-- FLAGS OF CLANG]

A marker is a comment line `// expect CLASSES` (any of the listed letters is
right), optionally followed by `// -- ARGUMENTS`, before a function definition.
With --validate what is accepted must compute what its recorded original computes.
Exits 1 with a line per function of which that does not hold, or if nothing is marked.
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


def unlike_originals(tool, source, names, extra):
    """The functions whose results or accesses differ from the original's, or of which none
    could be compared."""
    if not names:
        return []
    command = [tool, "check", "--validate", source]
    for name in names:
        command += ["-f", name]
    run = subprocess.run(command + extra, capture_output=True, text=True, timeout=240)
    print(run.stderr, end="")
    alike = set(re.findall(r"^'(\w+)': validated: [1-9]", run.stdout, re.M))
    return [name for name in names if name not in alike]


def main():
    tool, source, *flags = sys.argv[1:]
    validates = flags[:1] == ["--validate"]
    flags = flags[validates:]
    text = open(source, encoding="utf-8").read()
    marked = [(m[1], m[2] or "", m[4]) for m in MARKER.finditer(text)]
    together = {}
    for _, extra, name in marked:
        together.setdefault(extra, []).append(name)
    got = {}
    for extra, names in together.items():
        got |= verdicts(tool, source, names, shlex.split(extra) + flags)
    wrong = set()
    for classes, _, name in marked:
        if got[name] not in classes:
            wrong.add(name)
            print(f"{name}: expected {classes}, got {got[name]}")
    for extra, names in together.items():
        accepted = [name for name in names if validates and got[name] in "AP"]
        for name in unlike_originals(tool, source, accepted, shlex.split(extra) + flags):
            wrong.add(name)
            print(f"{name}: not like its original")
    print(f"{len(marked) - len(wrong)} of {len(marked)} verdicts as marked")
    return 1 if wrong or not marked else 0


if __name__ == "__main__":
    sys.exit(main())
