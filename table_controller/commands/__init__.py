"""Commands from the console: whether they may be carried out, and what the core is told."""

from __future__ import annotations

from table_controller.commands.because import NOTHING, Because, Objection
from table_controller.commands.convert import events_of, read_args
from table_controller.commands.gate import Answer, Carry, CommandGate, Decision, Ignore, Now, Remembered

__all__ = [
    "NOTHING", "Answer", "Because", "Carry", "CommandGate", "Decision", "Ignore", "Now", "Objection",
    "Remembered", "events_of", "read_args",
]  # fmt: skip
