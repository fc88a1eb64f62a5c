# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of a C file that is no C++: each is an entry of its own.

`colonnade check --all` says the class of each. What is accepted is recorded on random inputs
by `check --validate`: results and accesses of the sequential function are compared with the
interpreter's and with the certificate.

In: a C file. Out: {name: what came of it}, with "class", and for what is accepted "inputs"
and "accesses" that were compared, "difference" if one is seen, or why there was none ("open").
"""
import json

ACCEPTED = ("A", "P")


class Crash(Exception):
    """The tool ended by a signal, or without an answer."""


class FunctionEntries:
    def __init__(self, colonnade, flags, quietly):
        self.colonnade, self.flags, self.quietly = colonnade, flags, quietly

    def check(self, path, *options):
        """The exit code, the functions' reports, and the last line of what was said."""
        words = [self.colonnade, "check", path, *options, "--json", "-", "--", *self.flags]
        done = self.quietly(words)
        said = (done.stderr.splitlines() or [""])[-1]
        if done.returncode not in (0, 1, 2, 3):
            raise Crash(f"{path}: exit {done.returncode}: {said}")
        return json.loads(done.stdout)["functions"] if done.stdout.strip() else [], said

    def of(self, path):
        reports, _ = self.check(path, "--all")
        entries = {report["name"]: {"class": report["class"]} for report in reports}
        accepted = [name for name, entry in entries.items() if entry["class"] in ACCEPTED]
        for name, found in self.compared(path, accepted).items():
            entries[name] |= found
        return entries

    def compared(self, path, names):
        """Several share one parse; where one of them cannot be recorded, by halves."""
        if not names:
            return {}
        chosen = [word for name in names for word in ("-f", name)]
        reports, said = self.check(path, *chosen, "--validate")
        found = {report["name"]: self.outcome(report.get("validation")) for report in reports}
        if all(name in found for name in names):
            return found
        if len(names) == 1:
            return {names[0]: {"open": said}}
        half = len(names) // 2
        return self.compared(path, names[:half]) | self.compared(path, names[half:])

    @staticmethod
    def outcome(validation):
        if not validation:
            return {"open": "no longer accepted"}
        if validation["difference"]:
            return {"difference": validation["difference"]}
        if not validation["inputs"]:
            return {"open": "no input without undefined behaviour"}
        return {"inputs": validation["inputs"], "accesses": validation["accesses"]}
