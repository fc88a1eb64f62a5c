"""Every file that docs/tour.md names in backquotes exists: as a path from the root or from docs, or
somewhere below the folder lib/<Stage> of the section "## N. Stage: ..." that names it.

usage: tour.py SOURCE
"""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
stage, missing, found = None, [], 0
for number, line in enumerate((root / "docs/tour.md").read_text().splitlines(), 1):
    title = re.match(r"## (?:\d+\. (\w+):)?", line)
    if title:
        stage = title.group(1)
    for name in re.findall(r"`([\w./*-]+\.(?:cpp|h|def|py|cuh|hpp|md|test|json|txt))`", line):
        folder = root / "lib" / stage if stage else None
        below = list(folder.rglob(pathlib.Path(name).name)) if folder else []
        if not any(str(path).endswith("/" + name) for path in below) and not any(
            (start / name).exists() for start in (root, root / "docs")
        ):
            missing.append(f"docs/tour.md:{number}: no {name}")
        found += 1
print("\n".join(missing))
sys.exit(1 if missing or found < 40 else 0)
