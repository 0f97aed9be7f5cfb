"""Everything that is said over MQTT, as types: the envelope, the bodies, the arguments of commands.

The AsyncAPI document and the JSON schemas are generated from here. Must never open a socket.
"""

from __future__ import annotations

from table_controller.messages.bodies import *  # noqa: F403
from table_controller.messages.bodies import __all__ as _bodies
from table_controller.messages.envelope import (
    VERSION,
    Distrust,
    Envelope,
    Message,
    Refused,
    open_sealed,
    read_body,
    sealed,
)
from table_controller.messages.fields import ClockQuality, ulid, wall_ns, wall_text
from table_controller.messages.verbs import (
    MOVES_HARDWARE,
    AcknowledgeArgs,
    BoardArgs,
    ClassifyArgs,
    CorrectArgs,
    HoldArgs,
    ReplayArgs,
    ResumeArgs,
    RulingArgs,
    SessionArgs,
    TrayBackArgs,
    WindowArgs,
)

__all__ = [
    *_bodies, "MOVES_HARDWARE", "VERSION", "AcknowledgeArgs", "BoardArgs", "ClassifyArgs", "ClockQuality",
    "CorrectArgs", "Distrust", "Envelope", "HoldArgs", "Message", "Refused", "ReplayArgs", "ResumeArgs",
    "RulingArgs", "SessionArgs", "TrayBackArgs", "WindowArgs", "open_sealed", "read_body", "sealed", "ulid",
    "wall_ns", "wall_text",
]  # fmt: skip
