#!/usr/bin/env python3
"""Host code that calls device functions.

nvcc refuses such a call in plain functions, but lets it pass, without a word, in members of class
templates: the host's copy of the device function then ends the programme by exit(1). So no
function of the library may refer to exit.

check_host_code.py FOLDER        all .cu.o files there are looked at
check_host_code.py --self-test NVCC   that a planted call is found
"""

import pathlib
import re
import subprocess
import sys
import tempfile

PLANTED = """
namespace colonnade {
template <class T> struct planted {
  T x;
  __device__ __forceinline__ T of_device() const { return x + 1; }
  T of_host() const { return of_device(); }
};
}
int main(int argc, char **) { return colonnade::planted<int>{argc}.of_host(); }
"""


def callers(relocations):
    """Mangled names of the library's functions that refer to exit, in what readelf prints."""
    section, found = "", set()
    for line in relocations.splitlines():
        if line.startswith("Relocation section"):
            section = line.split("'")[1].removeprefix(".rela.text.")
        elif re.search(r"\sexit( |$)", line) and re.match(r"_ZNK?9colonnade(?!7testing)", section):
            found.add(section)
    return found


def check(objects):
    failures = 0 if objects else 1
    print(f"{len(objects)} objects")
    for name in objects:
        done = subprocess.run(["readelf", "-rW", name], capture_output=True, text=True, check=True)
        for caller in sorted(callers(done.stdout)):
            failures += 1
            print(f"{name}: {caller} calls a device function on the host")
    return failures


def self_test(nvcc):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "planted.cu")
        source.write_text(PLANTED)
        compiled = source.with_suffix(".o")
        subprocess.run([nvcc, "-O0", "-arch=sm_90", "-c", source, "-o", compiled], check=True)
        if check([str(compiled)]) != 1:
            sys.exit("the planted call is not found")


if __name__ == "__main__":
    if sys.argv[1] == "--self-test":
        self_test(sys.argv[2])
    elif check(sorted(pathlib.Path(sys.argv[1]).rglob("*.cu.o"))):
        sys.exit(1)
