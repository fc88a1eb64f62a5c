# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""noted_commits.py SCRIPTS: whether evidence finds the commit that has its sources.

In a repository of its own, with two commits of one file.
"""
import hashlib
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.argv[1])
from gpu import evidence  # noqa: E402

with tempfile.TemporaryDirectory() as folder:
    evidence.ROOT = pathlib.Path(folder)
    evidence.git("init", "-q")
    for text in ("one\n", "two\n"):
        (evidence.ROOT / "file").write_text(text)
        evidence.git("add", "file")
        evidence.git("-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", text)
    newest, oldest = evidence.latest_commits()

    def sources(text, path="file"):
        return {path: hashlib.sha256(text.encode()).hexdigest()}

    assert evidence.has_sources(newest, sources("two\n"))
    assert evidence.has_sources(oldest[:10], sources("one\n"))
    assert not evidence.has_sources(newest, sources("one\n"))
    assert not evidence.has_sources(newest, sources("two\n", "other"))
    assert not evidence.has_sources("0000000", sources("two\n"))
    assert not evidence.has_sources(newest, {**sources("two\n"), **sources("two\n", "other")})
print("commits are known by their sources")
