"""Processes that are born fast: everything is imported once, and every table and console is a fork of it.

A fork killed with SIGKILL dies as any process does; only its birth is cheaper, so that a thousand kills fit
into minutes. Single-threaded until it forks. Reads one JSON line a birth, answers with the process id.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from collections.abc import Callable

from tests.chaos import console_end, table_end

ENDS: dict[str, Callable[..., None]] = {"table": table_end.main, "console": console_end.main}


def main() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for line in sys.stdin:
        wanted = json.loads(line)
        child = os.fork()
        if child == 0:
            _live(wanted)
        print(child, flush=True)


def _live(wanted: dict[str, str]) -> None:
    status = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        devnull = os.open(os.devnull, os.O_RDWR)
        os.dup2(devnull, 0)
        os.dup2(devnull, 1)
        ENDS[wanted.pop("end")](**wanted)
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


if __name__ == "__main__":
    main()
