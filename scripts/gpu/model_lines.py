"""Which place of the original source each instruction of a generated kernel belongs to.

In: the cubin of FUNCTION.bulk.cu, compiled with -lineinfo, and that file, whose comments say
where its lines come from. Out, by layout: [first instruction, place] in the order of
instructions; a place is "file.cpp:15", "copies" for what moves the caller's arrays to registers
or shared memory and back, or "" where nothing is said. Invariant: instructions are numbered from
0; a place holds up to the next one.

Line tables of nvcc have several rows for an instruction that comes from a function in line:
the caller's first. The last row of the generated file is the one that is meant; a row of the
file that copies rows says more than those.
"""

import re
import subprocess

from recorder import ROOT

NVCC = ["nvcc", "-std=c++20", "-O3", "--fmad=false", "-lineinfo", f"-I{ROOT}/runtime/include"]
# Of generated kernels that are templates over the layout.
OF_LAYOUTS = ("bulk_kernel", "column_wise_kernel")
LAYOUTS = {"tiled_layout": "tiled", "column_wise_layout": "column", "row_wise_layout": "row"}
BYTES = 16  # of an instruction
# Of the runtime: move rows to shared memory and back.
COPIES = {"stage.cuh", "stage_live.cuh", "row_strips.cuh"}
ROW = re.compile(r"^0x([0-9a-f]{16})\s+(\d+)\s+\d+\s+(\d+)\s.*?(end_sequence)?$")


def tool(name, *arguments):
    for command in (f"{name}-19", name):
        try:
            done = subprocess.run([command, *map(str, arguments)], capture_output=True, text=True)
            return done.stdout
        except FileNotFoundError:
            pass
    raise FileNotFoundError(f"{name} is missing")


def sequences(cubin):
    """The line table: {kernel: [(address, line, file)]}."""
    text = tool("llvm-readelf", "-r", "-W", cubin)
    part = text[text.index("'.rela.debug_line'") :].split("\n\n")[0]
    found = re.findall(r"^([0-9a-f]+)\s+\S+\s+\S+\s+\S+\s+(\S+)", part, re.M)
    kernels = [name for _, name in sorted((int(at, 16), name) for at, name in found)]
    files, tables, rows = {}, [], []
    number = None
    for line in tool("llvm-dwarfdump", "--debug-line", cubin).splitlines():
        if match := re.match(r"file_names\[\s*(\d+)\]", line):
            number = int(match[1])
        elif match := re.match(r'\s+name: "(.*)"', line):
            files[number] = match[1]
        elif match := ROW.match(line):
            rows.append((int(match[1], 16), int(match[2]), files[int(match[3])]))
            if match[4]:
                tables.append(rows)
                rows = []
    assert len(tables) == len(kernels), f"{cubin}: a table of lines is missing"
    return dict(zip(kernels, tables))


def places_of_lines(text):
    """[place of line 1, of line 2, …] of a generated file."""
    places, last = [], ""
    for line in text.splitlines():
        if match := re.search(r"// (?:.*/)?([^/\s]+:\d+)$", line):
            last = match[1]
        copies = re.search(r"_global\.(load|store)\(|staged_(rows|columns)<|row_strips<", line)
        numbers = re.search(r"\b(threadIdx|blockIdx)\b", line)  # of threads: no source line's
        places.append("copies" if copies else "" if numbers else last)
    return places


def places(cubin, generated):
    lines = places_of_lines(generated.read_text())
    found = {}
    for kernel, rows in sequences(cubin).items():
        layout = next((of for name, of in LAYOUTS.items() if name in kernel), None)
        if "row_wise_kernel" in kernel:
            layout = "row"
        elif not any(name in kernel for name in OF_LAYOUTS) or not layout or layout in found:
            continue
        changes = {}
        for address, line, file in rows:
            if file in COPIES:
                changes[address // BYTES] = "copies"
            elif file == generated.name:
                changes[address // BYTES] = lines[line - 1]
        found[layout] = sorted([at, place] for at, place in changes.items())
    return found
