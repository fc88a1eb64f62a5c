"""What GPU evidence is about: families, their programmes and their sources.

A family is an entry of runtime/families.json. A test (*_gpu_test), benchmark (*_bench)
or programme to be profiled (*_profile) belongs to the family whose name, or one of
whose `also` names, its own name begins with; the longest counts. Its `checks` are programmes
of examples/, each with the script that is called with it. `examples` stands for generated code:
the runners of the examples, and comparisons of constructs and of random programmes with their
originals.

Evidence of a family is one JSON file. Its `sources` are all files of this tree that
its programmes were built from (from the compiler's depfiles), and those scripts, each with its
SHA-256;
`sha256` is over all of them. Evidence is CURRENT while no such file has changed.

Generated code is no file of this tree. Its evidence has `jobs`, a SHA-256 of what was built and
run of each example and comparison, and `generator`, the files that decide what it is. Where one
of these has changed, the evidence is STALE until jobs that are made anew turn out to be the same.
"""

import hashlib
import json
import pathlib
import re
import shlex
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "docs/results/gpu"
EXAMPLES = "examples"
KINDS = {"_gpu_test": "tests", "_bench": "benches", "_profile": "profiles"}
CHECKED = "checked"
NUMBERS = re.compile(r"\[[\s\d.,eE+-]+\]")  # an array of numbers is one line of JSON
GENERATED = {"runner_": "runners", "compare_": "comparisons"}
# What decides the examples' generated code.
GENERATOR = ("lib", "tool", "include", "examples", "test/Run", "test/Fuzz")
WRITTEN_BY_RUNS = re.compile(r"(cpu|cuda|small)_output_")


def listed_families():
    return json.loads((ROOT / "runtime/families.json").read_text())


def family_names():
    return [*listed_families(), EXAMPLES]


def checks():
    """{programme of an example: (its family, the script that checks it)}"""
    return {
        programme: (name, ROOT / script)
        for name, facts in listed_families().items()
        for programme, script in facts.get("checks", {}).items()
    }


def family_of(programme):
    """None if no family claims it."""
    listed = listed_families()
    prefixes = {p: name for name, facts in listed.items() for p in (name, *facts.get("also", []))}
    matching = [p for p in prefixes if programme.startswith(p + "_")]
    return prefixes[max(matching, key=len)] if matching else None


def programmes(build):
    """What a build folder has: {family: {"tests", "benches", ..., "comparisons": names}}."""
    text = subprocess.run(
        ["ninja", "-C", build, "-t", "targets", "all"], capture_output=True, text=True, check=True
    ).stdout
    # Programmes of the topmost folder have no phony name beside their own.
    names = sorted(
        n
        for n in set(re.findall(r"^(\w+): (?:phony|\w*EXECUTABLE_LINKER\w*)$", text, re.M))
        if not n.startswith("cmake_")
    )
    found = {
        name: {kind: [] for kind in (*KINDS.values(), CHECKED, *GENERATED.values())}
        for name in family_names()
    }
    strangers, checked = [], checks()
    for name in names:
        kind = next((kind for ending, kind in KINDS.items() if name.endswith(ending)), None)
        generated = next((GENERATED[begin] for begin in GENERATED if name.startswith(begin)), None)
        if generated:
            found[EXAMPLES][generated].append(name)
        elif name in checked:
            found[checked[name][0]][CHECKED].append(name)
        elif kind and (family := family_of(name)):
            found[family][kind].append(name)
        elif kind:
            strangers.append(name)
    return found, strangers


def sha256_of(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


def combined(sources):
    """One SHA-256 over {path: SHA-256}."""
    text = "".join(f"{path}\0{digest}\n" for path, digest in sorted(sources.items()))
    return hashlib.sha256(text.encode()).hexdigest()


def git(*arguments, **more):
    return subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, **more).stdout


def latest_commits():
    return git("log", "--format=%H", "-n", "100", text=True).split()


def has_sources(commit, sources):
    """Whether the commit has all these files: {path: SHA-256}."""
    wanted = "".join(f"{commit}:{path}\n" for path in sources)
    output = git("cat-file", "--batch", input=wanted.encode())
    for digest in sources.values():
        head, _, output = output.partition(b"\n")
        if not re.fullmatch(rb"[0-9a-f]+ blob \d+", head):
            return False
        size = int(head.split()[-1])
        if hashlib.sha256(output[:size]).hexdigest() != digest:
            return False
        output = output[size + 1 :]
    return True


def generator():
    """{path: SHA-256} of the files that decide what the generated code is."""
    files = sorted(p for folder in GENERATOR for p in (ROOT / folder).rglob("*") if p.is_file())
    deciding = [f for f in files if f.suffix not in (".md", ".pyc")]
    return {str(f.relative_to(ROOT)): sha256_of(f) for f in deciding}


def jobs_in(folder):
    """{example or comparison: SHA-256 over its files} of what `gpu-check prepare` made there."""
    jobs = {}
    for parent in (folder, folder / "comparisons"):
        for job in sorted(p for p in parent.glob("*") if p.is_dir() and p.name != "comparisons"):
            files = [p for p in job.rglob("*") if p.is_file()]
            jobs[job.name] = combined(
                {
                    str(p.relative_to(job)): sha256_of(p)
                    for p in files
                    if not WRITTEN_BY_RUNS.match(p.name)
                }
            )
    return jobs


def sources_of(build, targets):
    """{path: SHA-256} of this tree's files that the targets were built from or are checked by."""
    text = subprocess.run(
        ["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True, check=True
    ).stdout
    files, ours = set(), False
    for line in text.splitlines():
        if line and not line.startswith(" "):
            ours = any(f"/{t}.dir/" in line.split(":")[0] for t in targets)
        elif ours and line.strip():
            path = (pathlib.Path(build) / line.strip()).resolve()
            if path.is_relative_to(ROOT) and not path.is_relative_to(build):
                files.add(path.relative_to(ROOT))
    files = {f for f in files if f.parts[0] != "gpu-jobs"}
    files |= {script.relative_to(ROOT) for t, (_, script) in checks().items() if t in targets}
    return {str(f): sha256_of(ROOT / f) for f in sorted(files)}


def flags_of(build, targets):
    """The compilers' options without paths, each set once."""
    database = pathlib.Path(build) / "compile_commands.json"
    found = set()
    for entry in json.loads(database.read_text()) if database.exists() else []:
        if not any(f"/{t}.dir/" in entry["command"] for t in targets):
            continue
        tokens, kept = shlex.split(entry["command"]), []
        while tokens:
            token = tokens.pop(0)
            if token in ("-o", "-c", "-x", "-isystem", "-MF", "-MT"):
                tokens[:1] = []
            elif not token.startswith("-I"):
                kept.append(
                    pathlib.Path(token).name
                    if "/" in token and not token.startswith("-")
                    else token
                )
        found.add(" ".join(kept))
    return sorted(found)


def evidence(family):
    file = RESULTS / f"{family}.json"
    return json.loads(file.read_text()) if file.exists() else None


def write(report, file):
    text = NUMBERS.sub(lambda m: " ".join(m[0].split()), json.dumps(report, indent=1))
    file.write_text(text + "\n")


def changed_sources(report):
    """The files that are not as they were; new ones are only reached through these, or generate
    code."""
    files = report["sources"] | report.get("generator", {})
    changed = [
        path
        for path, digest in files.items()
        if not (ROOT / path).exists() or sha256_of(ROOT / path) != digest
    ]
    if "generator" in report:
        changed += sorted(generator().keys() - report["generator"].keys())
    return changed
