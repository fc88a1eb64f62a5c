"""Rows of scripts/model-check, and what all of them read of a prediction.

In: `colonnade cost --json`, the places of a kernel's instructions (lines.json). Out: rows, each
with a demand and whether it is met; warps and copies of a layout's kernel.
"""

import dataclasses

LANES = 32


@dataclasses.dataclass
class Row:
    what: str  # "requests", "sectors a request", …
    place: str  # "file.cpp:15 loads", or "" for the kernel
    predicted: object
    measured: object
    demand: str
    result: str  # "met", "merged", "failed"
    note: str = ""


def line_of(location):
    """"a/b.cpp:15:13" -> "b.cpp:15"."""
    return ":".join(location.split("/")[-1].split(":")[:2])


def sectors_of(prediction, layout):
    return next(row for row in prediction["sectors"] if row["layout"] == layout)


def warps_of(prediction, layout):
    """(full warps, instances of one more): fewer than lanes where teams of lanes have one each."""
    return divmod(prediction["count"], sectors_of(prediction, layout)["instances_a_warp"])


def has_teams(prediction, layout):
    return sectors_of(prediction, layout)["instances_a_warp"] < LANES


def team_of(prediction, layout):
    """What the K-model says of a kernel that teams run; None: nothing, or it has none."""
    rows = prediction["k_model"][0]["layouts"]
    return next((row.get("team") for row in rows if row["layout"] == layout), None)


def is_counted(prediction, layout):
    """Whether it is predicted what each thread of a warp does."""
    return not has_teams(prediction, layout) or team_of(prediction, layout) is not None


def copies(prediction, layout):
    """Of rows, to shared memory and back."""
    sites = sectors_of(prediction, layout)["sites"]
    return [site for site in sites if site["space"] == "shared"]


def placed(instructions, lines):
    """(place, instruction), in their order."""
    place, changes = "", dict(lines)
    for number, one in enumerate(instructions):
        place = changes.get(number, place)
        yield place, one


def within(what, place, predicted, measured, share):
    """Near what was measured."""
    met = abs(predicted - measured) <= share * measured
    result = "met" if met else "failed"
    return Row(what, place, predicted, measured, f"within {share:.0%}", result)
