# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same_code.py SCRIPTS: whether evidence of generated code goes STALE when the compiler changes,
and holds again when it is found to generate the same.

In a copy of what `gpu-results` needs, with one job and one comparison.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

scripts = pathlib.Path(sys.argv[1])

with tempfile.TemporaryDirectory() as folder:
    tree = pathlib.Path(folder)
    shutil.copytree(scripts / "gpu", tree / "scripts/gpu")
    shutil.copy(scripts / "gpu-results", tree / "scripts/gpu-results")
    for path, text in {
        "runtime/families.json": "{}",
        "runtime/run.hpp": "one",
        "lib/Compiler.cpp": "one",
        "gpu-jobs/commit": "noted",
        "gpu-jobs/sums/sums.bulk.cu": "kernel",
        "gpu-jobs/sums/cuda_output_b.npy": "written by the run",
        "gpu-jobs/comparisons/construct_if/bulk.cu": "kernel",
    }.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text)
    sys.path.insert(0, str(tree / "scripts"))
    from gpu import evidence

    assert evidence.ROOT == tree.resolve()
    report = {"family": "examples", "commit": "1234567", "date": "2026-11-29", "results": []}
    report["sources"] = {"runtime/run.hpp": evidence.sha256_of(tree / "runtime/run.hpp")}
    report["sha256"] = evidence.combined(report["sources"])
    report |= {"jobs": evidence.jobs_in(tree / "gpu-jobs"), "generator": evidence.generator()}
    evidence.RESULTS.mkdir(parents=True)
    evidence.write(report, evidence.RESULTS / "examples.json")
    subprocess.run(["git", "-C", tree, "init", "-q"], check=True)

    def said(*words):
        done = subprocess.run(
            [sys.executable, tree / "scripts/gpu-results", *words], capture_output=True, text=True
        )
        return done.stdout + done.stderr

    def write(path, text):
        (tree / path).write_text(text)

    assert "examples: CURRENT" in said("status"), said("status")
    write("lib/Compiler.cpp", "two")
    assert "STALE (commit 1234567, 2026-11-29; changed: lib/Compiler.cpp" in said("status")
    write("gpu-jobs/sums/cuda_output_b.npy", "written by another run")
    assert said("same-code") == "2 jobs are the same\n", said("same-code")
    assert "CURRENT" in said("status") and "generates the same code" in said("status")
    write("lib/New.cpp", "new")
    assert "STALE" in said("status") and "lib/New.cpp" in said("status")
    write("gpu-jobs/sums/sums.bulk.cu", "another kernel")
    assert said("same-code") == "1 of 2 jobs differ: sums\n", said("same-code")
    assert "STALE" in said("status")
    (tree / "gpu-jobs/comparisons/construct_while").mkdir()
    write("gpu-jobs/comparisons/construct_while/bulk.cu", "never run")
    assert said("same-code") == "2 of 3 jobs differ: construct_while, sums\n"
    write("runtime/run.hpp", "two")
    assert "runtime/run.hpp" in said("status")
print("generated code decides")
