"""All rows of scripts/model-check, printed and recorded.

In: what was prepared and what was counted. Out: the demands that are not met, one a line; with
--json all rows, from which model_page.py writes a page. Invariant: a case that was not counted
is "not run", and where nothing was compared nothing passed.
"""

import collections
import dataclasses
import json

import model_cases
import model_compare
import model_counters
import model_rows

COLUMNS = [field.name for field in dataclasses.fields(model_rows.Row)]


def read(file):
    return json.loads(file.read_text())


def compared(jobs, out):
    """[case with "rows", "microseconds"], in the order of the cases; rows are None if not run."""
    cases, results = read(jobs / "cases.json"), []
    fields = read(jobs / "machine.json")["fields"]
    machine = {name: field["value"] for name, field in fields.items()}
    for case, counted in zip(cases, model_counters.counted(jobs, out)):
        folder = jobs / case["stem"]
        prediction = read(folder / model_cases.prediction_of(case))
        rows = None
        if counted.get("instructions"):
            lines = read(folder / "lines.json")
            rows = model_compare.compare(case, prediction, counted, lines, machine)
        facts = {name: case[name] for name in ("name", "class", "count", "layout")}
        facts["base"] = model_cases.base_of(case)
        facts.update(microseconds=counted.get("microseconds"), sums=counted.get("sums"))
        estimates = (t for t in prediction.get("time", []) if t["layout"] == case["layout"])
        facts["estimate"] = next(estimates, {}).get("microseconds")
        results.append({**facts, "rows": rows})
    return results


def rank(results):
    """A row more in each function's last layout."""
    groups = collections.defaultdict(list)
    for case in results:
        if case["rows"] and case["microseconds"] and case["estimate"]:
            groups[case["name"], case["count"], case["base"]].append(case)
    for group in groups.values():
        if len(group) > 1:
            times = [(case["layout"], case["estimate"], case["microseconds"]) for case in group]
            group[-1]["rows"].append(model_compare.ranking_row(times))
    return results


def instances(case):
    """Of a case, with where its arrays begin if that is no aligned address."""
    base = case.get("base", 0)
    return f"{case['count']:,}" + (f", base {base}" if base else "")


def number(value):
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return " and ".join(map(number, value))
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:.4g}"


def report(jobs, out, record):
    results = rank(compared(jobs, out))
    machine = read(out / "machine.json")
    machine["priced"] = (jobs / "priced").read_text().strip()
    machine["predicted_for"] = read(jobs / "machine.json")["name"]
    tally = collections.Counter()
    for case in results:
        if case["rows"] is None:
            tally["not run"] += 1
        for row in case["rows"] or []:
            tally[row.result] += 1
            if row.result == "failed":
                what = f"{row.what} {row.place}".strip()
                print(
                    f"{case['name']}, p = {instances(case)}, {case['layout']}: {what}: predicted "
                    f"{number(row.predicted)}, measured {number(row.measured)}, "
                    f"demanded {row.demand}" + (f" ({row.note})" if row.note else "")
                )
    for file in sorted(out.glob("not_run_*.txt")):
        print(f"not run: portion {file.stem.removeprefix('not_run_')}: {file.read_text().strip()}")
    print(
        f"{tally['met']} met, {tally['merged']} met by requests that the compiler merged, "
        f"{tally['failed']} failed, {tally['not run']} cases not run"
    )
    if record:
        write(machine, results, record)
    return 1 if tally["failed"] or not tally["met"] else 0


def write(machine, results, file):
    """A case a line: rows in the order of COLUMNS."""
    lines = []
    for case in results:
        rows = case["rows"] and [list(dataclasses.asdict(row).values()) for row in case["rows"]]
        lines.append(json.dumps({**case, "rows": rows}))
    head = json.dumps({"machine": machine, "columns": COLUMNS})[:-1]
    file.write_text(head + ',\n"cases": [\n' + ",\n".join(lines) + "\n]}\n")
