"""Becomes another program that ends when whoever started it ends, however that happened.

`python -m hw_sim.processes.child PARENT_PID PROGRAM ARGUMENTS...`. On Linux the kernel sends SIGTERM when the
parent's thread dies, also when it is killed; elsewhere the supervisor's own ending has to do. Must never run
anything before it has made sure that the parent still lives.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    parent, program = int(sys.argv[1]), sys.argv[2:]
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        raise SystemExit(1)  # it died before we could ask to be told
    os.execvp(program[0], program)


if __name__ == "__main__":
    main()
