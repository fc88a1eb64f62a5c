"""What the lanes of a kernel's warps do together, held against a GPU's counters.

In: a case, its prediction, what was counted, the places of the kernel's instructions. Out: rows of
branches in which lanes part, of W/(kT), and of wavefronts in which lanes wait for a bank of shared
memory.
"""

import collections
import itertools
import re

from model_rows import LANES, Row, copies, line_of, placed, sectors_of, team_of, warps_of, within
from model_rows import has_teams

SHARED = re.compile(r"(@!?U?P\w+ +)?(LDS|STS)((?:\.\w+)*) ")


def partings(prediction, layout):
    """{what: how many branches}, of those in which lanes may part: one of the last warp, where
    lanes are left over; those that data decides; routines that may branch; those at which members
    of a team part; a warp's lanes that copy one unit more than others. Loops that copy the last
    warp's rows, or a strip of them, are unrolled by four, with loops for the rest."""
    (full, rest), k_model = warps_of(prediction, layout), prediction["k_model"][0]
    team, rows = team_of(prediction, layout) or {"partings": 0}, copies(prediction, layout)
    warps, is_left = full + (rest > 0), int(rest > 0)
    copied = warps * sum(site["parts"] for site in rows) + 4 * times_of(rows) * is_left
    return {
        "the last warp": is_left,
        "data": warps * k_model["data_branches"],
        "routines": warps * k_model["routines"],
        "members of a team": warps * team["partings"],
        "copies of rows": copied,
    }


def times_of(sites):
    """How often a warp copies."""
    return sum(site.get("times", 1) for site in sites)


def of_one_warp(prediction, layout, found):
    """Where only one warp has instances, all that it may part at; else where the last one may,
    which is not full."""
    full, rest = warps_of(prediction, layout)
    if full + (rest > 0) == 1:
        return sum(found.values())
    return 1 + (4 * times_of(copies(prediction, layout)) if rest else 0)


def divergence_row(case, prediction, sums):
    """Of class A at most one warp's, whatever else lanes may part at: the note says if that would
    explain it."""
    found, measured = partings(prediction, case["layout"]), sums["divergent branches"]
    most = sum(found.values())
    is_bounded = prediction["class"] == "A"
    bound = of_one_warp(prediction, case["layout"], found) if is_bounded else most
    row = Row("divergent branches", "", bound, measured, "at most", "met")
    if measured > bound:
        row.result = "failed"
        if measured <= most:
            named = ", ".join(what for what, number in found.items() if number)
            row.note = f"at most {most:,} with {named}"
    return row


def efficiency_row(case, prediction, counted, lines):
    if prediction["class"] != "A":
        return None
    team = team_of(prediction, case["layout"])
    predicted = (team or prediction["k_model"][0])["efficiency"]
    own = [one for place, one in placed(counted["instructions"], lines) if ":" in place]
    if own and copies(prediction, case["layout"]) and all("threads" in one for one in own):
        threads, executed = of_instances(prediction, case["layout"], counted, own)
    else:
        threads, executed = of_all(prediction, case["layout"], counted)
    return within("W/(kT)", "", predicted, threads / (LANES * executed), 0.05)


def of_instances(prediction, layout, counted, own):
    """Of instructions of the source's lines: lanes without an instance copy rows of others, and
    what all threads execute is no instance's."""
    threads = LANES * counted["instructions"][0]["executed"]
    team = LANES // sectors_of(prediction, layout)["instances_a_warp"]
    if prediction["count"] * team < threads:
        own = [one for one in own if one["threads"] != threads]
    return sum(one["threads"] for one in own), sum(one["executed"] for one in own)


def of_all(prediction, layout, counted):
    """Of threads that have an instance: others of the last block find out by the instructions that
    all warps execute, and leave."""
    instructions, sums = counted["instructions"], counted["sums"]
    full, rest = warps_of(prediction, layout)
    warps, count = instructions[0]["executed"], prediction["count"]
    team = LANES // sectors_of(prediction, layout)["instances_a_warp"]
    every = itertools.takewhile(lambda one: one["executed"] == warps, instructions)
    before = sum(1 for _ in every)
    threads = sums["thread instructions"] - before * (LANES * warps - count * team)
    return threads, sums["instructions"] - before * (warps - full - (rest > 0))


def shared_row(predicted, measured, place=""):
    """Where lanes copy cells of several rows, or a team's threads access their own cells, two may
    wait for one bank."""
    values = [predicted["excess"], measured["excess"]]
    row = Row("excess wavefronts", place, *values, "equal", "met")
    if predicted["more"]:
        row.demand = "at least"
    if values[0] == values[1] or (predicted["more"] and values[0] < values[1]):
        return row
    is_merged = measured["requests"] < predicted["requests"] or measured["wide"]
    if is_merged and values[1] < values[0]:
        row.demand, row.result = "equal, or accesses merged", "merged"
    else:
        row.result = "failed"
    return row


def tally_shared(found):
    """{place: {"excess", "requests", "more"}} of (place, excess, requests, whether of copies there
    may be more: 16 bytes are moved, and not by whole halves of a line)."""
    places = collections.defaultdict(collections.Counter)
    for place, excess, requests, *more in found:
        places[place].update(excess=excess, requests=requests, more=sum(more))
    return places


def width_of(modifiers):
    """Words of a thread's access to shared memory."""
    return 4 if ".128" in modifiers else 2 if ".64" in modifiers else 1


def predicted_shared(prediction, layout):
    """Copies are moved as often as the hardware likes, and not counted as requests."""
    full, rest = warps_of(prediction, layout)
    found = [
        ("copies", site["excess_wavefronts"], 0, site.get("excess_may_be_more", False))
        for site in copies(prediction, layout)
    ]
    for one in sectors_of(prediction, layout)["shared_accesses"] or []:
        requests = one["requests"] * (full + (rest > 0))
        found.append((line_of(one["location"]), one["excess_wavefronts"], requests))
    return tally_shared(found)


def measured_shared(instructions, lines):
    """`wide`: of a place's requests those of accesses that the compiler merged, of two lines
    perhaps: they are wider than others."""
    found, widths = [], collections.defaultdict(collections.Counter)
    for place, one in placed(instructions, lines):
        match = SHARED.match(one["text"]) if place != "copies" else None
        requests = one["executed"] if match else 0
        found.append((place, one["shared"] - one["shared ideal"], requests))
        if requests:
            widths[place][width_of(match[3])] += requests
    places = tally_shared(found)
    for place, of in widths.items():
        places[place]["wide"] = sum(n for width, n in of.items() if width > min(of))
    return places


def shared_rows(case, prediction, instructions, lines):
    """By place, where each instruction lies where its access is."""
    predicted = predicted_shared(prediction, case["layout"])
    measured = measured_shared(instructions, lines)
    none = collections.Counter()
    is_moved = any(
        of["requests"] > predicted.get(place, none)["requests"]
        or (of["excess"] and place not in predicted)
        for place, of in measured.items()
    )
    if is_moved or not has_teams(prediction, case["layout"]):
        sums = [sum(places.values(), collections.Counter()) for places in (predicted, measured)]
        return [shared_row(*sums)]
    return [shared_row(of, measured.get(place, none), place) for place, of in predicted.items()]
