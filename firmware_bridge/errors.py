"""What can be wrong with a rig, each a kind of our own and of Python's.

Every message is one sentence that says what to do next. A fault that passes by itself (a cable, noise) is
never an exception here: it is a reading.
"""

from __future__ import annotations


class RigError(Exception):
    """Anything a rig cannot go on from without a person."""


class RigConfigError(RigError, ValueError):
    """The description of the wires cannot be right."""


class PortInUseError(RigError, OSError):
    """Another process owns the port or the lines; it has not been disturbed."""


class PortMissingError(RigError, FileNotFoundError):
    """There is no such port or chip."""


class BackendError(RigError, RuntimeError):
    """The GPIO library or its factory is not the one asked for."""


class ProtocolMismatchError(RigError, RuntimeError):
    """The device speaks another major version of the wire."""


class RigStateError(RigError, RuntimeError):
    """A rig was used before `start()` or after `close()`."""


class WireError(RigError, ValueError):
    """A value does not fit its frame."""
