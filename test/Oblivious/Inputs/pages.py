# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each diagnostic's page shows a function that the diagnostic is reported for.

Usage: pages.py COLONNADE PAGES_DIR SCRATCH_DIR. The first C block of a page must
give the page's id; a first line `// --option value` in it goes to the command. Faults of
the tool itself have no example.
"""
import json
import pathlib
import re
import subprocess
import sys


FUNCTION = r"^(?!static\b)\w[\w *]*?(\w+)\("  # the first one that is not static
OWN_FAULTS = {"OBL304", "OBL305", "OBL306"}


def ids_of(colonnade, code, scratch):
    source = scratch / "page.c"
    source.write_text("#define COLONNADE_EXTENT(x)\n" + code)
    options = re.match(r"// (--.*)\n", code)
    name = re.search(FUNCTION, re.sub(r"//.*", "", code), re.M).group(1)
    command = [colonnade, "check", str(source), "-f", name, "--json", "-"]
    command += options.group(1).split() if options else []
    result = subprocess.run(command, capture_output=True, text=True)
    if not result.stdout:
        sys.exit(f"{source}:\n{code}\n{result.stderr}")
    (function,) = json.loads(result.stdout)["functions"]
    return [finding["id"] for finding in function["findings"]]


def main(colonnade, pages, scratch):
    scratch = pathlib.Path(scratch)
    scratch.mkdir(parents=True, exist_ok=True)
    failures = 0
    for page in sorted(pathlib.Path(pages).glob("OBL*.md")):
        text = page.read_text()
        code = re.search(r"```c\n(.*?)```", text, re.S)
        own = page.stem in OWN_FAULTS and not code
        ids = [page.stem] if own else ids_of(colonnade, code.group(1), scratch)
        if page.stem not in ids or not text.startswith(f"# {page.stem}: "):
            print(f"{page.stem}: the page's function gives {ids}")
            failures += 1
    sys.exit(failures > 0)


main(*sys.argv[1:])
