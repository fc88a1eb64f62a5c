"""What must not compile does not, and says why in our words.

check_refusals.py FILE.cu COMPILER OPTION...

Below each comment `// refused: TEXT` in FILE.cu there is a line that must lead to
an error with TEXT; nvcc names the line among the contexts of the error. Errors that
follow from it are not looked at.
"""

import pathlib
import re
import subprocess
import sys

source, command = pathlib.Path(sys.argv[1]), sys.argv[2:]
lines = source.read_text().splitlines()
expected = {
    n + 1: line.split("// refused: ")[1]
    for n, line in enumerate(lines, 1)
    if "// refused: " in line
}
done = subprocess.run(
    [*command, "-Xcudafe", "--error_limit=2000", str(source)],
    stdout=subprocess.PIPE,
    stderr=subprocess.STDOUT,
    text=True,
)
# An error is a line FILE(LINE): error: TEXT and what is indented below it, of which the
# last context is the one in the file itself.
seen = set()
for error in re.split(r"\n(?=\S+\(\d+\): error)", done.stdout):
    flat = re.sub(r"\s+", " ", error)
    for n in re.findall(r"at line (\d+)", error)[-1:]:
        if expected.get(int(n), "\0") in flat:
            seen.add(int(n))
for n in sorted(expected.keys() - seen):
    print(f"{source.name}:{n}: was not refused with: {expected[n]}")
print(f"{len(seen)} of {len(expected)} calls refused as expected")
if seen != expected.keys():
    print(done.stdout[:20000])
sys.exit(0 if expected and seen == expected.keys() and done.returncode != 0 else 1)
