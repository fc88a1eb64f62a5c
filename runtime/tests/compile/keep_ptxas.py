"""Runs a compiler: keep_ptxas.py COMMAND...; what ptxas says goes to OBJECT.ptxas.

Stands before nvcc (CMake's CUDA_COMPILER_LAUNCHER). The rest of the output is
passed on, and the exit code is nvcc's. Nothing is kept of a compilation that fails.
"""

import pathlib
import subprocess
import sys

command = sys.argv[1:]
done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
ours = ("ptxas info", "    ")
for line in done.stdout.splitlines():
    if line and (done.returncode or not line.startswith(ours)):
        print(line)
if done.returncode == 0 and "-o" in command:
    pathlib.Path(command[command.index("-o") + 1] + ".ptxas").write_text(done.stdout)
sys.exit(done.returncode)
