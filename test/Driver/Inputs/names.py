"""Functions and parameters named like what generated code, its runtime, C++ and
the C library use themselves. LANGUAGE is c or cpp.

names.py source LANGUAGE              a source with two functions per name
names.py cpp|cu LANGUAGE              one #include of generated code per function
names.py emit LANGUAGE COMMAND…       runs the command with -f for each function
names.py sequential LANGUAGE COMMAND… runs it once for each of some functions
"""
import subprocess
import sys

KEYWORDS = """class new delete this template operator private virtual typename namespace using
try catch and or not xor friend export""".split()
RUNTIME = """run run_cpu run_cuda run_rows run_host info detail arguments status layout device
target count index run_options run_report direction array_info function_info raw_arguments
bits_of from_bits instance_cells check_arguments device_status tiled_layout npy runner launch
transpose bulk simd runtime colonnade walk sites entry kernels kernel vec mask lanes group
scratch instance thread threads guard select load store convert lane_group failure_guard
baseline avx2 avx512 bind bound raw cells scalars arrays returned b memory blocks stream
d_status Layout value_at""".split()
LIBRARY = """y0 y1 j0 signal min max abs index swab log gamma select read write free calloc
memcpy time clock exit errno unix linux I NAN INFINITY EOF stdin M_PI SEEK_SET BUFSIZ RAND_MAX
isnan signbit threadIdx blockDim warpSize size_t uint64_t uint8_t int32_t intptr_t""".split()
SEQUENTIAL = "status class memcpy free index arrays value_at std size_t uint64_t errno".split()


def names(language):
    keywords = [] if language == "cpp" else KEYWORDS + ["std"]
    return sorted(set(keywords + RUNTIME + LIBRARY))


def source(language):
    for name in names(language):
        # The function and its array share a name where the language allows it.
        print(f"void {name}(float *{name}, const int *n_{name}, int n) {{")
        print(f"  for (int i = 1; i < n; i++) {{ {name}[i] += {name}[i - 1];")
        print(f"    if (n_{name}[i] > 0) {name}[i] = 0; }}\n}}")
        print(f"float f_{name}(const float *a, int {name}) {{")
        print(f"  float sum = 0; for (int i = 0; i < {name}; i++) sum += a[i] < 0 ? -a[i] : a[i];")
        print("  return sum;\n}")


def run(command, functions):
    """The command with -f for each function, before Clang's flags."""
    at = command.index("--")
    chosen = [word for name in functions for word in ("-f", name)]
    if subprocess.run(command[:at] + chosen + command[at:]).returncode:
        sys.exit(1)


if __name__ == "__main__":
    what, language = sys.argv[1], sys.argv[2]
    if what == "source":
        source(language)
    elif what == "emit":
        run(sys.argv[3:], [f for name in names(language) for f in (name, "f_" + name)])
    elif what == "sequential":
        for name in sorted(set(SEQUENTIAL) & set(names(language))):
            run(sys.argv[3:], [name])
    else:
        for name in names(language):
            print(f'#include "{name}.bulk.{what}"\n#include "f_{name}.bulk.{what}"')
