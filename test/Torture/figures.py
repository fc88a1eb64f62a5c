# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The figures of a run of torture programmes.

In: the result of each programme (torture.py). Out: refusals by reason, then counts, on
standard output; and whether anything failed.
"""
import re
from collections import Counter

AGREES = "agrees"
# What is no failure, as the interpreter says it.
UNDEFINED = "undefined behaviour"
TOO_LONG = "step limit reached"


def is_accepted(result):
    return result["class"] in ("A", "P")


def agrees(result):
    return result.get("native") == AGREES


def is_apart(fault):
    """The programme is undefined, or the interpreter does not end in time."""
    return UNDEFINED in fault or TOO_LONG in fault


def fault_of(result):
    """The first step that did not agree; "" if all did."""
    faults = (result[key] for key in ("recorded", "native") if key in result)
    return next((fault for fault in faults if fault != AGREES), "")


def print_reasons(originals):
    reasons = Counter(
        (r["class"], re.sub(r"'[^']*'", "'…'", r["reason"]))
        for r in originals
        if not is_accepted(r)
    )
    for (verdict, reason), count in reasons.most_common():
        print(f"{count:5d}  {verdict:7s}  {reason}")


def report_functions(originals):
    """How many differ, or ended the tool."""
    files = [r for r in originals if "functions" in r]
    entries = [(r, n, e) for r in files for n, e in r["functions"].items()]
    accepted = [e for _, _, e in entries if e["class"] in ("A", "P")]
    compared = [e for e in accepted if "inputs" in e]
    faults = [f"{r['file']}: {r['fault']}" for r in files if "fault" in r]
    faults += [f"{r['file']}: {n}: {e['difference']}" for r, n, e in entries if "difference" in e]
    for fault in faults:
        print(f"FAIL {fault}")
    print(
        f"{len(entries)} functions of {len(files)} files that are no C++: {len(accepted)} "
        f"accepted; {len(compared)} of them compared with the original on "
        f"{sum(e['inputs'] for e in compared)} inputs, {len(faults)} fail"
    )
    return len(faults)


def report(results):
    planted = [r for r in results if "planted" in r and not is_apart(fault_of(r))]
    originals = [r for r in results if "planted" not in r]
    accepted = [r for r in originals if is_accepted(r)]
    print_reasons(originals)
    classes = Counter(r["class"] for r in originals)
    agree = [r for r in accepted if agrees(r)]
    traced = [r for r in accepted if r["recorded"] == AGREES and "memory" in r]
    seen = [r for r in planted if agrees(r)]
    undefined = [r for r in accepted if UNDEFINED in fault_of(r)]
    endless = [r for r in accepted if TOO_LONG in fault_of(r)]
    failed = [r for r in originals if r["class"] == "failed"]
    failed += [r for r in accepted if fault_of(r) and not is_apart(fault_of(r))]
    print(", ".join(f"{n} of class {c}" for c, n in sorted(classes.items())))
    print(
        f"{len(originals)} programmes: {len(accepted)} accepted; {len(agree)} of them return "
        f"0 in the interpreter and on the CPU, {len(undefined)} have undefined behaviour, "
        f"{len(endless)} take too long, {len(failed)} fail; {len(traced)} recorded traces are "
        f"as certified, {len(seen)} of {len(planted)} planted faults seen"
    )
    wrong = report_functions(originals)
    return 1 if failed or wrong or len(seen) < len(planted) else 0
