"""Run one command and print what it took as JSON: seconds, peak KiB, exit status, whether it was stopped.

``launch.py BYTES SECONDS COMMAND...``: a process inherits its parent's peak memory on Linux, so that the parent must be
small: this one imports next to nothing, and the process that measures holds no data.
"""

from __future__ import annotations

import os
import resource
import sys
import time


def main(memory: int, patience: float, argv: list[str]) -> None:
    """Fork, limit, run, wait."""
    start = time.perf_counter()
    child = os.fork()
    if child == 0:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.execvp(argv[0], argv)  # noqa: S606  no shell
    stopped = False
    pause = 0.0002
    while True:
        pid, status, usage = os.wait4(child, os.WNOHANG)
        seconds = time.perf_counter() - start
        if pid:
            break
        if seconds > patience and not stopped:
            stopped = True
            os.killpg(child, 9)
        time.sleep(pause)
        pause = min(1.5 * pause, 0.002)
    print(f"[{seconds}, {usage.ru_maxrss}, {os.waitstatus_to_exitcode(status)}, {str(stopped).lower()}]")


main(int(sys.argv[1]), float(sys.argv[2]), sys.argv[3:])
