"""Ends a command by signals while a compiler runs: FOLDER COMMAND…

The compiler is this script (FOLDER/cxx). It leaves a file in its temporary folder, starts a
programme as g++ starts cc1plus, says so in FOLDER/started, and waits. After each signal the
command must have ended by it, what it started must have ended, too, and its temporary folder
FOLDER/tmp be empty.
"""

import os
import select
import signal
import subprocess
import sys
import time

folder, command = sys.argv[1], sys.argv[2:]
started, temporary = os.path.join(folder, "started"), os.path.join(folder, "tmp")
if os.path.basename(sys.argv[0]) == "cxx":
    open(os.path.join(os.environ["TMPDIR"], "left behind"), "w").close()
    subprocess.Popen(["sleep", "600"], close_fds=False)
    open(os.environ["COLONNADE_TEST_STARTED"], "w").close()
    time.sleep(600)

compiler = os.path.join(folder, "cxx")
os.makedirs(temporary)
with open(compiler, "w") as file:
    file.write(f"#!{sys.executable}\n" + open(__file__).read())
os.chmod(compiler, 0o755)
environment = {
    **os.environ,
    "TMPDIR": temporary,
    "CXX": compiler,
    "COLONNADE_TEST_STARTED": started,
}
signals = (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGALRM, signal.SIGABRT)
for number in signals:  # the tests may run under nohup or in the background, which ignore some
    signal.signal(number, signal.SIG_DFL)
for number in signals:
    # What it starts has the writing end: the reading one ends with the last of them.
    alive, writing = os.pipe()
    process = subprocess.Popen(
        command, env=environment, stderr=subprocess.DEVNULL, pass_fds=[writing]
    )
    os.close(writing)
    while not os.path.exists(started):
        if process.poll() is not None:
            sys.exit(f"ended with {process.returncode} before it compiled")
        time.sleep(0.01)
    process.send_signal(number)
    if process.wait() != -number:
        sys.exit(f"{number!r}: ended with {process.returncode}")
    if not select.select([alive], [], [], 10)[0]:
        sys.exit(f"{number!r}: left a process running")
    os.close(alive)
    if os.listdir(temporary):
        sys.exit(f"{number!r}: left {os.listdir(temporary)}")
    os.remove(started)
