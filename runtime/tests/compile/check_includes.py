#!/usr/bin/env python3
"""Which folder of the runtime may include which; fails where one includes what it may not.

check_includes.py INCLUDE_FOLDER
check_includes.py --self-test

Folders below detail/ are either shared, or one family's.
  - A shared folder includes shared folders that come before it in SHARED, never a family;
    tuning headers, which include no folder, belong to none.
  - A family's folder includes its own and shared ones: never another family's.
  - A public header includes the folders of one family at most; what builds on another
    family includes that one's public headers.
  - So taken together, families (a public header belongs to the family whose folder it
    includes) do not include each other in a circle.
The self-test plants one fault of each kind in a small tree and asks that it is found.
"""

import pathlib
import re
import sys
import tempfile

# In this order: each stands on those before it.
SHARED = tuple(
    "device arrays exact dictionaries ranking scatter team digits counting sort_network merging "
    "rank_sort".split()
)
INCLUDE = re.compile(r"^\s*#include <(colonnade/[^>]+)>", re.M)


def folder_of(header):
    """The folder below detail/, "" directly in it, None for a public header"""
    parts = header.split("/")
    if parts[1] != "detail":
        return None
    return parts[2] if len(parts) > 3 else ""


def read_includes(root):
    headers = sorted(p for suffix in ("hpp", "cuh") for p in root.rglob(f"*.{suffix}"))
    return {str(p.relative_to(root)): INCLUDE.findall(p.read_text()) for p in headers}


def is_family(folder):
    return folder not in (None, "", *SHARED)


def family_of(header, includes):
    """Of a public header: whose folder it includes, or itself"""
    folder = folder_of(header)
    if folder is not None:
        return folder if is_family(folder) else None
    own = [f for f in map(folder_of, includes[header]) if is_family(f)]
    return own[0] if own else header


def wrong_include(folder, to, family):
    """Why a file in `folder` must not include one in `to`, of `family`; empty if it may"""
    if folder in ("", *SHARED) and to is None and is_family(family) and "/" not in family:
        return "a family's public header, by a shared folder"
    if to in (None, ""):
        return ""
    if folder == "":
        return "files directly in detail/ include nothing below it"
    if folder in SHARED and to not in SHARED[: SHARED.index(folder) + 1]:
        return f"{folder}/ comes before {to}/, or {to}/ is a family's"
    if is_family(folder) and to not in (folder, *SHARED):
        return f"{to}/ is another family's"
    return ""


def circle(edges):
    """Families that include each other, in order; empty if there are none"""
    done, path = set(), []

    def visit(node):
        if node in path:
            return path[path.index(node) :] + [node]
        if node in done:
            return []
        path.append(node)
        for to in sorted(edges.get(node, ())):
            if found := visit(to):
                return found
        done.add(path.pop())
        return []

    for node in sorted(edges):
        if found := visit(node):
            return found
    return []


def family_edges(includes):
    """What a family includes, directly or through shared folders and headers without one"""
    edges = {}
    for header, others in includes.items():
        family = family_of(header, includes)
        reached = {family_of(o, includes) for o in others if o in includes}
        edges.setdefault(family or folder_of(header) or header, set()).update(
            f for f in reached if f and f != family
        )
    return edges


def complaints(root):
    includes = read_includes(root)
    for header, others in includes.items():
        folder = folder_of(header)
        for other in others:
            if other not in includes:
                yield f"{header} includes {other}, which is not there"
            elif why := wrong_include(folder, folder_of(other), family_of(other, includes)):
                yield f"{header} includes {other}: {why}"
        if folder is None:
            families = sorted({f for f in map(folder_of, others) if is_family(f)})
            if len(families) > 1:
                yield f"{header} includes the folders of {', '.join(families)}"
    if found := circle(family_edges(includes)):
        yield "included in a circle: " + " -> ".join(found)


CLEAN = {
    "a.cuh": ["detail/a/run.cuh", "detail/device/launch.cuh"],
    "b.cuh": ["detail/b/run.cuh"],
    "detail/a/run.cuh": ["detail/scatter/tile.hpp", "b.cuh"],
    "detail/b/run.cuh": ["detail/b/deep/part.hpp"],
    "detail/b/deep/part.hpp": ["detail/device/launch.cuh"],
    "detail/scatter/tile.hpp": ["detail/device/launch.cuh"],
    "detail/device/launch.cuh": [],
}
FAULTS = {
    "another family's": ("detail/a/run.cuh", "detail/b/run.cuh"),
    "comes before": ("detail/device/launch.cuh", "detail/scatter/tile.hpp"),
    "is a family's": ("detail/scatter/tile.hpp", "detail/b/run.cuh"),
    "public header, by": ("detail/scatter/tile.hpp", "b.cuh"),
    "the folders of": ("a.cuh", "detail/b/run.cuh"),
    "circle: a -> b -> a": ("detail/b/run.cuh", "a.cuh"),
    "not there": ("b.cuh", "detail/b/gone.hpp"),
}


def of_tree(tree):
    with tempfile.TemporaryDirectory() as scratch:
        for header, others in tree.items():
            path = pathlib.Path(scratch, "colonnade", header)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f"#include <colonnade/{o}>\n" for o in others))
        return "\n".join(complaints(pathlib.Path(scratch)))


def self_test():
    missed = [f"a clean tree: {said}" for said in [of_tree(CLEAN)] if said]
    for expected, (header, other) in FAULTS.items():
        said = of_tree({**CLEAN, header: CLEAN[header] + [other]})
        if expected not in said:
            missed.append(f"{header} -> {other}: expected '{expected}', got '{said}'")
    return missed


def main():
    if sys.argv[1] == "--self-test":
        found = self_test()
    else:
        found = list(complaints(pathlib.Path(sys.argv[1])))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
