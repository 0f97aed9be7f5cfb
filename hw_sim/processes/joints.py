"""What is said when a joint of the chain is broken: which one, in one sentence.

The chain: players - table - wire - controller - journal - broker - console - director. Must never say
*failed* without saying where.
"""

from __future__ import annotations

import contextlib
import signal
from enum import StrEnum

from hw_sim.processes.supervise import Child, Supervisor
from hw_sim.refusals import Refusing, Why


class Joint(StrEnum):
    """Where two things meet."""

    WIRE = "the wire between table and controller"
    WINDOW = "the window's orders"
    CONTROLLER = "the controller"
    JOURNAL = "the controller's journal"
    BROKER = "the broker"
    CONSOLE = "the director's console"
    DIRECTOR = "the director's orders to the table"
    REPORTS = "the reports from table to console"


class JointBroken(Refusing, RuntimeError):
    """Names the joint, says what did not come through it.

    `log`: what the process there printed last, to be shown before the sentence, so that the sentence is last.
    """

    def __init__(self, joint: Joint, what: str, log: str = "", why: Why = Why.JOINT_BROKEN) -> None:
        super().__init__(f"broken at {joint}: {what}", why, joint=joint.name.lower())
        self.joint = joint
        self.log = log


def joint_of(child: Child) -> Joint:
    """The joint a process of ours stands at, by its name."""
    if child.name.startswith("broker"):
        return Joint.BROKER
    return Joint.CONSOLE if child.name.startswith("console") else Joint.CONTROLLER


def check_alive(supervisor: Supervisor) -> None:
    """Raises JointBroken for the first process that ended by itself, with its last words."""
    for child in supervisor.ended():
        what = f"{child.name} {ending(child.process.returncode)}"
        raise JointBroken(joint_of(child), what, log=child.last_words() or "(it printed nothing)")


def ending(code: int) -> str:
    """How a process ended that nobody here has ended."""
    if code >= 0:
        return f"ended by itself with code {code}"
    with contextlib.suppress(ValueError):
        return f"was ended from outside by {signal.Signals(-code).name}"
    return f"was ended from outside by signal {-code}"
