#!/usr/bin/env python3
# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Large functions, and a command that must stay within bounds.

  large.py write FOLDER          FOLDER/<shape>.c, each about 100,000 IR nodes
  large.py chains FOLDER         FOLDER/<shape>.c, chains of 5,000 and calls that double
  large.py initial FOLDER        FOLDER/<shape>.c, long initialisers and structs
  large.py limits FOLDER         FOLDER/<shape>.c, beyond the limits of nesting, and long but flat
  large.py bounded COMMAND...    runs it; fails over 10 s of processor time or 500 MB
"""
import pathlib
import resource
import subprocess
import sys

SECONDS, MEGABYTES = 10, 500


def straight():
    lines = [
        f"  v{k % 4} = v{(k + 1) % 4} * (v{k % 4} ^ {k}u) + v{(k + 2) % 4};" for k in range(25000)
    ]
    return (
        "void straight(const unsigned *a, unsigned *b) {\n"
        "  unsigned v0 = a[0], v1 = a[1], v2 = a[2], v3 = a[3];\n"
        + "\n".join(lines)
        + "\n  b[0] = v0;\n  b[1] = v1;\n  b[2] = v2;\n  b[3] = v3;\n}\n"
    )


def loops():
    lines = [
        f"  for (int i = 1; i < n; i++) {{ if (a[i] > {k % 200}) "
        f"b[i] = (b[i - 1] * {k % 7 + 1} + a[i]) >> 1; else b[i] += a[i] & {k % 255}; }}"
        for k in range(3400)
    ]
    return (
        "void loops(const unsigned char *a, unsigned char *b, int n) {\n"
        + "\n".join(lines)
        + "\n}\n"
    )


def branches():
    """Every branch depends on all that came before: paths as long as the function."""
    lines = [
        f"  s = (s & 255) + (a[{k % 60}] & {k % 255}); t = t * 3 + s; "
        f"if (t > u) u = t ^ s; else u += {k};"
        for k in range(4500)
    ]
    return (
        "void branches(const int *a, int *b) {\n  unsigned s = 0, t = 1, u = 2;\n"
        + "\n".join(lines)
        + "\n  b[0] = s;\n  b[1] = t;\n  b[2] = u;\n}\n"
    )


def disjunction():
    return LOGICAL.format("disjunction", " || ".join(f"a[{k}] == {k}" for k in range(5000)))


def conjunction():
    return LOGICAL.format("conjunction", " && ".join(f"a[{k}] == {k}" for k in range(5000)))


LOGICAL = "void {}(const int *a, int *b) {{ b[0] = {}; }}\n"


def else_if():
    arms = " else ".join(f"if (x == {k * 3}) b[0] = {k};\n" for k in range(5000))
    return f"void else_if(const int *a, int *b) {{ int x = a[0];\n{arms} else b[0] = 7; }}\n"


def conditional():
    arms = "".join(f"x == {k * 3} ? {k} : " for k in range(5000))
    return f"void conditional(const int *a, int *b) {{ int x = a[0]; b[0] = {arms}7; }}\n"


def cases():
    labels = "".join(f"case {k}: r += {k};\n" for k in range(5000))
    return f"int cases(const int *a) {{ int r = 0; switch (a[0]) {{\n{labels}}} return r; }}\n"


def doubling(levels, name="doubling", step="{k}"):
    functions = "static int f0(int x) { return x * 3 + 1; }\n" + "".join(
        f"static int f{k}(int x) {{ return f{k - 1}(x) + f{k - 1}(x + {step.format(k=k)}); }}\n"
        for k in range(1, levels + 1)
    )
    return functions + f"void {name}{levels}(int *a) {{ a[0] = f{levels}(a[1]); }}\n"


def doubling12():
    return doubling(12)


def doubling20():
    return doubling(20)


def sharing20():
    """A million calls, most of which compute the same: 400 operations are left."""
    return doubling(20, "sharing", "1")


def initialiser():
    numbers = ", ".join(str(k * 7) for k in range(100000))
    body = f"int t[] = {{{numbers}}}; return a[0] + t[n];"
    return f"int initialiser(const int *a, int n) {{ {body} }}\n"


def leaves(levels=14):
    """A struct of 2^levels numbers behind a pointer: an array each."""
    structs = "".join(f"struct S{k} {{ struct S{k - 1} a, b; }};\n" for k in range(1, levels + 1))
    copy = f"void leaves(struct S{levels} *s) {{ s[1] = s[0]; }}\n"
    return f"struct S0 {{ int x; }};\n{structs}{copy}"


def doubling_structs():
    return leaves(20).replace("s[1] = s[0]", "s->b" + ".a" * 19 + ".x = 1")


def one_leaf():
    """Of 16,384 numbers one is read."""
    return leaves().replace("s[1] = s[0]", "s->a.a.a.a.a.a.a.a.a.a.a.a.a.a.x = 1")


def conditions():
    return LOGICAL.format("conditions", " || ".join(f"a[{k}] == {k}" for k in range(6002)))


def chain():
    arms = " else ".join(f"if (x == {k * 3}) b[0] = {k};\n" for k in range(6001))
    return f"void chain(const int *a, int *b) {{ int x = a[0];\n{arms} }}\n"


def nested():
    ifs = "if (a[0])\n" * 6001
    return f"void nested(const int *a, int *b) {{ {ifs} b[0] = 1; }}\n"


def complements():
    return (
        f"#define T {'~' * 100}\n#define U {'T ' * 100}\n"
        "int complements(const int *a) { return U U U a[0]; }\n"
    )


def macros():
    lines = ["#define M0 s += a[i];"] + [f"#define M{k} M{k - 1} M{k - 1}" for k in range(1, 18)]
    body = "int macros(const int *a, int i) { int s = 0; M17 return s; }"
    return "\n".join(lines) + "\n" + body + "\n"


def brackets():
    return f"int brackets(const int *a) {{ return {'(' * 300}a[0]{')' * 300}; }}\n"


def flat():
    numbers = ",".join(f"{k % 7} + 1" for k in range(40000))
    names = ",".join(f"e{k} = {k}" for k in range(20000))
    uses = "".join(f"  if (a[{k % 8}] == {k % 5}) r += (t[{k}] + {k}) * 3;\n" for k in range(900))
    return (
        f"static const int t[] = {{{numbers}}};\nenum names {{{names}}};\n"
        f"int flat(const int *a) {{ int r = e3;\n{uses} return r; }}\n"
    )


def bounded(command):
    status = subprocess.run(command).returncode
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds, megabytes = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    print(f"{seconds:.1f} s, {megabytes:.0f} MB")
    return status or int(seconds > SECONDS or megabytes > MEGABYTES)


if __name__ == "__main__":
    shapes = {
        "write": (straight, loops, branches),
        "limits": (conditions, chain, nested, complements, macros, brackets, flat),
        "chains": (
            disjunction,
            conjunction,
            else_if,
            conditional,
            cases,
            doubling12,
            doubling20,
            sharing20,
        ),
        "initial": (initialiser, leaves, one_leaf, doubling_structs),
    }
    if sys.argv[1] in shapes:
        for shape in shapes[sys.argv[1]]:
            (pathlib.Path(sys.argv[2]) / f"{shape.__name__}.c").write_text(shape())
    else:
        sys.exit(bounded(sys.argv[2:]))
