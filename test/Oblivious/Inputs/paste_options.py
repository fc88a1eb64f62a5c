"""Adds the options that a report prints to the command, and sees what becomes of the finding.

usage: paste_options.py COLONNADE SOURCE

Of every function in SOURCE below a line `// paste ID CLASS CLASS [ARGUMENTS]`: the report has
a finding ID with options in its text, and the function is of the first class. With all options
of the report, in place of opposite ones (`--uniform b` of `--instance b`) and of other values of
the same (`--extent b=n` of `--extent b=n+1`), ID is not reported there any more and the function
is of the second class.
"""
import re
import shlex
import subprocess
import sys

MARKER = re.compile(r"^// paste (\w+) (\w) (\w)(.*)\n(?:.*\n)*?.*?\b(\w+)\(", re.M)
OPTION = re.compile(r"--(?:bound|uniform|instance|extent|size) (?:'[^']*'|[^\s,;:)]*[^\s,;:).]:?)+")


def check(tool, source, function, arguments):
    command = [tool, "check", source, "-f", function, *arguments]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    report = run.stdout + run.stderr
    found = re.search(r"^" + function + r": \w+, class (\w)$", report, re.M)
    if not found:
        sys.exit(f"{shlex.join(command)}\n{report}")
    return report, found[1]


def places(report, diagnostic):
    """Where a diagnostic is reported, with its text and the notes that belong to it."""
    parts = re.split(r"^(?=\S+:\d+:\d+: (?:error|warning))", report, flags=re.M)
    found = [part for part in parts if f"[{diagnostic}" in part]
    return {part.split(": ", 1)[0]: part for part in found}


def opposite(option, arguments):
    """`arguments` without what says the contrary of `option`."""
    name, value = option.split(" ", 1)
    contrary = {"--instance": "--uniform", "--uniform": "--instance"}.get(name)
    key, given, _ = value.partition("=")
    kept = []
    for flag, argument in zip(arguments[::2], arguments[1::2], strict=True):
        is_contrary = flag == contrary and argument == value
        is_other_value = flag == name and given and argument.split("=")[0] == key
        if not is_contrary and not is_other_value:
            kept += [flag, argument]
    return kept


def main():
    tool, source = sys.argv[1:]
    markers = MARKER.findall(open(source, encoding="utf-8").read())
    failures = [] if markers else ["nothing is marked"]
    for diagnostic, before, after, arguments, function in markers:
        arguments = shlex.split(arguments)
        report, first = check(tool, source, function, arguments)
        reported = places(report, diagnostic)
        # "in place of --uniform b" names what is to go
        printed = dict.fromkeys(OPTION.findall(report))
        options = [o for o in printed if f"in place of {o}" not in report]
        if first != before or not any(o in text for o in options for text in reported.values()):
            failures.append(f"{function}: class {first}, options {options}, for\n{report}")
            continue
        for option in options:
            arguments = opposite(option, arguments) + shlex.split(option)
        report, second = check(tool, source, function, arguments)
        if second != after or set(reported) & set(places(report, diagnostic)):
            failures.append(f"{function} {arguments}: class {second}, for\n{report}")
    if failures:
        sys.exit("\n".join(failures))


main()
