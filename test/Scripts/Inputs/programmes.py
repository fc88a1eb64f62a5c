# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""programmes.py SCRIPTS: which family has which programme of a build folder, of a made-up one."""
import pathlib
import sys
import tempfile

sys.path.insert(0, sys.argv[1])
from gpu import evidence  # noqa: E402

PROGRAMMES = (
    "convex_hull_gpu_test hull_boundary_gpu_test convex_hull_bench marriage_hull_profile hulls_gpu "
    "hulls runner_mandelbrot nobody_gpu_test"
)
with tempfile.TemporaryDirectory() as folder:
    lines = [f"build {name}: phony {name}.dir/x\n" for name in PROGRAMMES.split()]
    (pathlib.Path(folder) / "build.ninja").write_text("".join(lines))
    found, strangers = evidence.programmes(folder)

hulls = {kind: names for kind, names in found["convex_hull"].items() if names}
assert hulls == {
    "tests": ["convex_hull_gpu_test", "hull_boundary_gpu_test"],
    "benches": ["convex_hull_bench"],
    "profiles": ["marriage_hull_profile"],
    "checked": ["hulls_gpu"],
}, hulls
assert found["examples"]["runners"] == ["runner_mandelbrot"], found["examples"]
assert strangers == ["nobody_gpu_test"], strangers
for programme, (family, script) in evidence.checks().items():
    assert script.is_file(), (programme, family, script)
print("programmes belong to families")
