"""Runs commands within what is left of a time limit, and keeps their results.

Each result is {"kind", "name", "result", "seconds"?, "reason"?}; result is `passed`,
`failed` or `not run`. The commands' output goes to one log. A command that takes too
long is ended with all that it started.
"""

import os
import pathlib
import signal
import subprocess
import threading
import time

OUT_OF_TIME = "no time was left"
ROOT = pathlib.Path(__file__).resolve().parents[2]


class Recorder:
    def __init__(self, log, deadline, earlier=()):
        """earlier: results of a run of the same sources; what passed there is not run again."""
        self.log, self.deadline, self.results = log, deadline, []
        self.earlier = {(r["kind"], r["name"]): r for r in earlier}
        self.lock = threading.Lock()
        log.write_text("")

    def left(self):
        return self.deadline - time.monotonic()

    def take_over(self, kind, name):
        """Whether it has passed in the earlier run, whose result is this one's, too."""
        result = self.earlier.get((kind, name))
        if not result or result["result"] != "passed":
            return False
        with self.lock:
            self.results.append(result)
        return True

    def not_passed(self):
        """The programmes of the earlier run that are to be run again."""
        failed = [r["name"] for r in self.earlier.values() if r["result"] != "passed"]
        return {name.split()[0] for name in failed}

    def take_over_all(self, programme):
        """All results of a programme, if all of them passed."""
        own = [key for key in self.earlier if key[1].split()[0] == programme]
        if not own or programme in self.not_passed():
            return False
        return all([self.take_over(*key) for key in own])

    def call(self, name, command, cwd=None, timeout=180, environment=None):
        """(exit code, output); the code is None if it took too long or could not start."""
        begin, limit = time.monotonic(), min(timeout, self.left())
        text, code = "", None
        if limit > 0:
            try:
                process = subprocess.Popen(
                    list(map(str, command)),
                    cwd=cwd,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                    env={**os.environ, **(environment or {})},
                )
                try:
                    raw, _ = process.communicate(timeout=limit)
                    code = process.returncode
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                    raw, _ = process.communicate()
                text = raw.decode(errors="replace")
            except OSError as error:
                text = str(error)
        with self.lock, open(self.log, "a") as log:
            log.write(f"\n=== {name}: {' '.join(map(str, command))}\n{text}")
            log.write(f"=== exit code {code}, {time.monotonic() - begin:.1f} s\n")
        return code, text

    def run(self, kind, name, command, cwd=None, timeout=180, environment=None):
        """A command that passes by exit code 0; 77 means that it skipped itself."""
        if self.take_over(kind, name):
            return 0
        if self.left() <= 0:
            self.add(kind, name, "not run", reason=OUT_OF_TIME)
            return None
        begin = time.monotonic()
        code, text = self.call(name, command, cwd, timeout, environment)
        result = {0: "passed", 77: "not run"}.get(code, "failed")
        reason = {} if code == 0 else {"reason": self.reason(code, text)}
        if code is None and self.left() <= 0:
            result, reason = "not run", {"reason": OUT_OF_TIME}
        self.add(kind, name, result, seconds=round(time.monotonic() - begin, 2), **reason)
        return code

    @staticmethod
    def reason(code, text):
        return (
            f"exit code {code}: {text.strip()[-300:]}"
            if code is not None
            else f"did not end: {text.strip()[-200:]}"
        )

    def add(self, kind, name, result, **facts):
        if "reason" in facts:  # evidence names no folder of the machine it was made on
            facts["reason"] = facts["reason"].replace(f"{ROOT}/", "")
        with self.lock:
            self.results.append({"kind": kind, "name": name, "result": result, **facts})
            print(f"{result:8} {kind}: {name}", flush=True)

    def missing(self, kind, name):
        """A programme that was not built."""
        if self.left() > 0:
            self.add(kind, name, "failed", reason="not built")
        else:
            self.add(kind, name, "not run", reason=OUT_OF_TIME)

    def count(self, result):
        return sum(r["result"] == result for r in self.results)
