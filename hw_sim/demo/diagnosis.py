"""Which joint is broken when players wait in vain: read off the journal of their table's controller.

The journal says what the controller heard and what it ordered; what it neither heard nor ordered points to
the joint. Must never guess: where the journal does not tell, both ends are named.
"""

from __future__ import annotations

from collections.abc import Sequence

from hw_sim.players.asks import Complaint
from hw_sim.processes.joints import Joint, JointBroken, check_alive
from hw_sim.processes.journal_reader import JOURNAL_NAME, Row, export_journal
from hw_sim.processes.supervise import Supervisor
from hw_sim.processes.table_boards import body_of
from hw_sim.table.site import Site

DEAF_NS = 1_000_000_000
"""What the players did so long after the last thing the controller heard did not reach it."""


_NOT_OF_THE_TABLE = frozenset(
    {
        "TimePassed",
        "Restarted",
        "LinkLost",
        "LinkRestored",
        "FaultSeen",
        "FaultGone",
        "SensorDoubted",
        "SensorCleared",
        "SensorsRead",
        "DeviceReset",
        "EventsLost",
    }
)
"""Events that are about the controller itself, or its hardware."""


def diagnose(site: Site, complaint: Complaint, supervisor: Supervisor) -> JointBroken:
    """The joint behind a complaint at this table."""
    said = f"table {site.name}: {complaint}"
    try:
        check_alive(supervisor)
        bodies = [body_of(row) for row in export_journal(site.data / JOURNAL_NAME)]
    except JointBroken as broken:
        return JointBroken(broken.joint, f"{said}; {broken}", log=broken.log)
    link = _link_lost(bodies)
    if link is not None:
        return JointBroken(Joint.WIRE, f"{said}; the controller says: {link}")
    wanted = "CloseWindow" if "not close" in str(complaint) else "OpenWindow"
    order = _last_window_order(bodies) if "window" in str(complaint) else None
    if order == wanted:
        return JointBroken(Joint.WINDOW, f"{said}; the controller ordered it: {order}")
    heard = _last_heard(bodies)
    if heard is None or heard < site.ledger.last_at - DEAF_NS:
        return JointBroken(Joint.WIRE, f"{said}; the controller has heard nothing of what they did since")
    if (holds := _holds(bodies)) and "open" in str(complaint):
        return JointBroken(Joint.DIRECTOR, f"{said}; a hold is in force and nobody ended it: {holds}")
    if "window" in str(complaint):
        return JointBroken(Joint.CONTROLLER, f"{said}; the controller's last order was {order or 'none'}")
    if "director" in str(complaint):
        return JointBroken(Joint.DIRECTOR, said)
    return JointBroken(Joint.CONTROLLER, said)


def _link_lost(bodies: Sequence[Row]) -> str | None:
    """Why the link to the device is lost, if it is."""
    lost: str | None = None
    for body in bodies:
        value = body.get("value")
        if body.get("what") != "event" or not isinstance(value, dict):
            continue
        if value.get("event") == "LinkLost":
            lost = str(value.get("why") or "nothing is heard from the device")
        elif value.get("event") == "LinkRestored":
            lost = None
    return lost


def _last_heard(bodies: Sequence[Row]) -> int | None:
    """When the table last did something that the controller heard of as it happened, monotonic ns."""
    times = [
        body["value"]["at"]
        for body in bodies
        if body.get("what") == "event"
        and body["value"].get("event") not in _NOT_OF_THE_TABLE
        and not body["value"].get("by")
        and not body["value"].get("inferred")
    ]
    return max(times, default=None)


def _last_window_order(bodies: Sequence[Row]) -> str | None:
    orders = [
        body["value"]["effect"]
        for body in bodies
        if body.get("what") == "order" and "Window" in body["value"].get("effect", "")
    ]
    return orders[-1] if orders else None


def _holds(bodies: Sequence[Row]) -> str:
    """The holds in force by the last view of the table, as text."""
    views = [body["value"]["view"] for body in bodies if body.get("what") == "view"]
    return ", ".join(views[-1].get("holds", [])) if views else ""
