"""Runs a command and succeeds if it exits with the given code: CODE COMMAND…"""

import subprocess
import sys

code = subprocess.run(sys.argv[2:], stdin=subprocess.DEVNULL).returncode
if code != int(sys.argv[1]):
    print(f"exit code {code}, expected {sys.argv[1]}")
    sys.exit(1)
