"""A runner that is killed: FIFO COMMAND…

COMMAND writes to FIFO, which nobody reads, so its runner waits there; then it gets SIGKILL. The
exit code and standard error are those of COMMAND.
"""

import os
import signal
import subprocess
import sys
import time

fifo, command = sys.argv[1], sys.argv[2:]
os.mkfifo(fifo)
tool = subprocess.Popen(command)


def children(pid):
    """Those that any of its threads has started."""
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/children") as file:
            yield from map(int, file.read().split())


def is_runner(pid):
    return os.path.basename(os.readlink(f"/proc/{pid}/exe")) == "runner"


while tool.poll() is None:
    time.sleep(0.05)
    try:
        for child in filter(is_runner, children(tool.pid)):
            os.kill(child, signal.SIGKILL)
    except OSError:  # it has ended meanwhile
        pass
sys.exit(tool.returncode)
