# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Certificates by hand: right ones are confirmed, and each kind of wrong one is seen.

  wrong_certificates.py CHECKER FOLDER
"""
import json
import os
import re
import subprocess
import sys

# for (int i = 1; i < n; ++i) b[i] += t[i] ? b[i-1] : b[0];
CERTIFICATE = """func "f" canonical {
  array @b : f32[n] parameter instance reads writes of b
  array @t : u8[n] parameter uniform reads of t
  body(%n#0 : s32) scalar %n#0 n {
    %1 = const 1 : s32
    %2 = const 0 : s64
    for %i#3 : s32 = %1 lt %n#0 step %1 () {
      %4 = cast %i#3 : s64
      %5 = load @b[%4] access 0 : f32
      %6 = load @t[%4] access 1 : u8
      %7 = cast %6 : bool
      if %7 {
        %8 = sub %i#3, %1 : s32
        %9 = cast %8 : s64
        %10 = load @b[%9] access 2 : f32
        yield
      } else {
        %11 = load @b[%2] access 3 : f32
        yield
      }
      %12 = const 0.0 : f32
      store @b[%4], %12 access 4
      yield
    } -> %13 : s32
    return
  }
}
"""


def run(table):
    """Uniform contents, and the accesses that they give."""
    trace = []
    for i in range(1, 5):
        trace += [["load", "b", i, 0, [i - 1]], ["load", "t", i, 1, [i - 1]]]
        trace += [["load", "b", i - 1, 2, [i - 1]] if table[i] else ["load", "b", 0, 3, [i - 1]]]
        trace += [["store", "b", i, 4, [i - 1]]]
    return {"uniform": {"t": table}, "trace": trace}


RUN = run([0, 0, 1, 1, 0])
OTHER = run([1, 1, 0, 1, 0])
ENTRY = {
    "name": "f",
    "class": "A",
    "certificate": CERTIFICATE,
    "accesses": "3*max(n-1, 0)",
    "accesses_where": [],
    "accesses_by_kind": {"loads": "2*max(n-1, 0)", "uniform": "max(n-1, 0)", "conditional": "0"},
    "scalars": {"n": 5},
    "runs": [RUN, RUN, OTHER],
}
# The limit n = 5 as 2 * 2 + 1, and a function whose value is too large.
MATH = """%31 = const 2.0 : f32 %32 = const 1.0 : f32 %33 = math fma %31, %31, %32 : f32
    %34 = cast %33 : s32 %35 = const 1000.0 : f64 %36 = math exp %35 : f64 for %i"""
CALLS = CERTIFICATE.replace("for %i", MATH, 1).replace("%1 lt %n#0", "%1 lt %34", 1)
LINE = "      %5 = load @b[%4] access 0 : f32\n"
# What is wrong, text to exchange, what is said of it in class A and in class P.
WRONG = [
    ("an address", "sub %i#3, %1", "add %i#3, %1", "the certificate says", "the certificate says"),
    ("an access is missing", LINE, "", "access 0 is", "the certificate says nothing"),
    ("an access too many", LINE, LINE + LINE.replace("%5", "%20"), "access 1", "two accesses of"),
    ("the kind of an access", "load @b[%2]", "store @b[%2], %1", "access 2", "says ('store'"),
    (
        "the name of an access",
        "access 2",
        "access 7",
        "access 6 is",
        "the certificate says nothing",
    ),
    ("the number of iterations", "%1 lt %n#0", "%1 lt %1", "access 0 is", "says nothing"),
    ("the start", "%1 lt %n#0", "%n#0 lt %n#0", "says nothing", "says nothing"),
    ("an arm", "if %7", "%21 = not %7 : bool if %21", "access 2", "says nothing"),
    ("an address from data", "%9 = cast %8", "%9 = cast %5", "'%9' depends", "'%9' depends"),
    ("a condition from data", "cast %6 : bool", "cast %5 : bool", "'%7' depends", "'%7' depends"),
    (
        "a limit from data",
        "return",
        LINE + "%22 = cast %5 : s32 for %j#23 : s32 = %1 lt %22 step"
        " %1 () { yield } -> %24 : s32 return",
        "'%22' depends",
        "'%22' depends",
    ),
]


def perhaps(entry, but):
    """All of its accesses are made where the data says so."""
    accesses = re.sub(r"(access \d( : \w+)?)", rf"\1 speculative{but}", CERTIFICATE)
    loops = accesses.replace("step %1 ()", "step %1 data ends ()")
    kinds = {"conditional": "3*max(n-1, 0)" if not but else "3*max(n-2, 0)"}
    return dict(entry, certificate=loops, accesses_by_kind=kinds)


def checked(entry, folder, checker):
    path = os.path.join(folder, "certificates")
    with open(path, "w") as file:
        file.write(json.dumps(entry) + "\n")
    done = subprocess.run([sys.executable, checker, path], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def expect(what, entry, code, text, arguments):
    found, output = checked(entry, *arguments)
    if (found, text in output) != (code, True):
        sys.exit(f"{what}, class {entry['class']}: exit {found}, expected {text!r} in\n{output}")


def main():
    arguments = sys.argv[2], sys.argv[1]
    for letter in "AP":
        entry = dict(ENTRY, **{"class": letter})
        expect("the right one", entry, 0, "1 certificates confirmed", arguments)
        expect("with calls", dict(entry, certificate=CALLS), 0, "confirmed", arguments)
        mixed = dict(RUN, trace=OTHER["trace"])
        expect("another run", dict(entry, runs=[RUN, mixed]), 1, "access", arguments)
        expect("the count", dict(entry, accesses="3*n"), 1, "12 accesses, the report", arguments)
        expect("at n = 0", dict(entry, accesses="3*n-3"), 1, "0 accesses at {'n': 0}", arguments)
        kinds = dict(ENTRY["accesses_by_kind"], uniform="0")
        wrong = dict(entry, accesses_by_kind=kinds)
        expect("the count of a kind", wrong, 1, "4 uniform, the report", arguments)
        for what, old, new, *texts in WRONG:
            changed = dict(entry, certificate=CERTIFICATE.replace(old, new, 1))
            assert changed["certificate"] != CERTIFICATE, what
            expect(what, changed, 1, texts[letter == "P"], arguments)
    # In class P the trace may leave accesses out that are not always made, but not in class A.
    runs = [dict(RUN, trace=RUN["trace"][::2])]
    expect("a part", dict(ENTRY, runs=runs), 1, "access 1 is", arguments)
    part = dict(ENTRY, runs=runs, **{"class": "P"})
    expect("a part", part, 1, "the certificate says always", arguments)
    expect("a part", perhaps(part, ""), 0, "confirmed", arguments)
    # In the first iteration of a loop that data ends all may be made always.
    first = dict(part, runs=[dict(RUN, trace=RUN["trace"][:4])])
    expect("the first iteration", perhaps(first, " but at first"), 0, "confirmed", arguments)
    later = dict(part, runs=[dict(RUN, trace=RUN["trace"][4:])])
    expect("later", perhaps(later, " but at first"), 1, "the certificate says always", arguments)
    print(f"{2 * len(WRONG) + 11} wrong certificates seen")


if __name__ == "__main__":
    main()
