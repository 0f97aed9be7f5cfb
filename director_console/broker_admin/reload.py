"""Telling a running mosquitto to read its files anew.

Must never signal a process that is not mosquitto: a pid file may be old.
"""

from __future__ import annotations

import os
import signal
from enum import Enum
from pathlib import Path

from director_console.broker_admin.layout import Layout


class Reloaded(Enum):
    """What came of it."""

    DONE = "done"
    NOT_RUNNING = "not running"
    NOT_ALLOWED = "not allowed"


def running(layout: Layout) -> int | None:
    """The process of the venue's mosquitto, None where it does not run here."""
    try:
        pid = int(layout.pid.read_text(encoding="ascii").strip())
        name = Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return None
    return pid if name == "mosquitto" else None


def reload_broker(layout: Layout) -> Reloaded:
    """Certificates, revocations and access list hold from now on, also for who is connected already."""
    pid = running(layout)
    if pid is None:
        return Reloaded.NOT_RUNNING
    try:
        os.kill(pid, signal.SIGHUP)
    except PermissionError:
        return Reloaded.NOT_ALLOWED
    except ProcessLookupError:
        return Reloaded.NOT_RUNNING
    return Reloaded.DONE


def advice(what: Reloaded) -> str:
    """What the person is to do now; empty: nothing."""
    match what:
        case Reloaded.DONE:
            return ""
        case Reloaded.NOT_RUNNING:
            return "The broker does not run here; it will read this when it is started."
        case Reloaded.NOT_ALLOWED:
            return "Now let the broker read it: sudo systemctl reload screen-table-broker"
