"""How lit runs Colonnade's tests.

Substitutions: %colonnade, %lower (canonical IR to kernels: tools/lower.cpp), %reference
(raw IR against Clang's own code: tools/Reference), %cxx (the build's C++ compiler), %clang
and %clangxx (19), %nvcc, %cmake, %python, %source (root of the tree), %build, %include (the
flags that find Colonnade's public headers), and FileCheck, not, count, split-file from the
LLVM prefix.

Features: nvcc (a CUDA toolkit; not with --param no-nvcc=1), gpu (a usable device),
clang-cuda (clang-19 that can compile CUDA without a toolkit), clang-14 (clang++-14, which
generated code must suit), mounts (file systems of a test's own), python-numpy, root.
"""

import os
import shutil
import subprocess

import lit.formats

config.name = "Colonnade"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".c", ".cpp", ".cu", ".ir", ".test"]
config.excludes = ["Inputs", "tools", "CMakeLists.txt", "lit.cfg.py"]
config.test_source_root = os.path.join(config.colonnade_source_dir, "test")
config.test_exec_root = os.path.join(config.colonnade_build_dir, "test")

build = config.colonnade_build_dir
tools = config.llvm_tools_dir
colonnade = os.path.join(build, "bin", "colonnade")
clang = os.path.join(tools, "clang")
clangxx = os.path.join(tools, "clang++")

config.environment["PATH"] = os.pathsep.join(
    [os.path.join(build, "bin"), tools, os.environ.get("PATH", "")]
)
config.environment["LC_ALL"] = "C"
config.environment["COLONNADE_ABORT_ON_FAULT"] = "1"
config.environment["XDG_CACHE_HOME"] = os.path.join(build, "test", "cache")  # not the user's
for name in ("HOME", "CXX", "CCACHE_DIR", "TMPDIR", "CUDA_VISIBLE_DEVICES"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

include_flags = " ".join(
    "-I" + os.path.join(config.colonnade_source_dir, folder)
    for folder in ("include", "runtime/include")
)
config.substitutions += [
    ("%reference", os.path.join(build, "test", "tools", "colonnade-reference")),
    ("%lower", os.path.join(build, "test", "tools", "colonnade-lower")),
    ("%colonnade", colonnade),
    ("%cxx", config.cxx_compiler),
    ("%clangxx", clangxx),
    ("%clang", clang),
    ("%nvcc", config.nvcc or "nvcc-is-missing"),
    ("%cmake", config.cmake_command),
    ("%python", config.python),
    ("%source", config.colonnade_source_dir),
    ("%build", build),
    ("%include", include_flags),
]


def succeeds(command):
    """Whether a probe runs and exits 0."""
    try:
        return (
            subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=60,
            ).returncode
            == 0
        )
    except (OSError, subprocess.TimeoutExpired):
        return False


if config.nvcc and "no-nvcc" not in lit_config.params:
    config.available_features.add("nvcc")
if shutil.which("nvidia-smi") and succeeds(["nvidia-smi", "-L"]):
    config.available_features.add("gpu")
probe = ["-x", "cuda", "--cuda-gpu-arch=sm_90", "-nocudainc", "-nocudalib"]
probe += ["--cuda-path=/nonexistent", "--cuda-feature=+ptx83"]
if succeeds([clangxx] + probe + ["-fsyntax-only", "/dev/null"]):
    config.available_features.add("clang-cuda")
if succeeds([config.python, "-c", "import numpy"]):
    config.available_features.add("python-numpy")
probe = ["-x", "c++", "-", "-o", os.devnull, "-lsleef"]  # an empty programme: only linked
if succeeds([config.cxx_compiler, "-shared"] + probe):
    config.available_features.add("sleef")
if shutil.which("clang++-14"):
    config.available_features.add("clang-14")
if succeeds(["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]):
    config.available_features.add("mounts")
if os.geteuid() == 0:
    config.available_features.add("root")

if lit_config.maxIndividualTestTime == 0 and succeeds([config.python, "-c", "import psutil"]):
    lit_config.maxIndividualTestTime = 900
