"""Starts a command several times at once: at_once.py N COMMAND…, {} is the number of the process.

Prints what they say; fails if one does.
"""

import subprocess
import sys

processes = [
    subprocess.Popen(
        [word.replace("{}", str(number)) for word in sys.argv[2:]],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    for number in range(int(sys.argv[1]))
]
codes = []
for process in processes:
    print(process.communicate()[0])
    codes.append(process.returncode)
sys.exit(f"exit codes {codes}" if any(codes) else 0)
