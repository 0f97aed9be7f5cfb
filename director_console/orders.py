"""What a director may send to a table: verbs, how long each holds good, and when it is sent again.

Pure. A command is a row in the console's journal before it is a message. Must never let a command that moves
something outlive the moment it was meant for.
"""

from __future__ import annotations

from dataclasses import dataclass

from director_console.pauses import over
from director_console.projection.inputs import Progress
from director_console.store.acts import StoredCommand
from table_controller.messages import MOVES_HARDWARE, Status
from table_controller.messages.topics import Verb

SECOND = 1000
GOOD_FOR_MS: dict[Verb, int] = {
    Verb.OPEN_WINDOW: 10 * SECOND,
    Verb.CLOSE_WINDOW: 10 * SECOND,
    Verb.TRAY_BACK: 30 * SECOND,
    Verb.RESUME: 30 * SECOND,
    Verb.HOLD: 60 * SECOND,
    Verb.CORRECT: 120 * SECOND,
    Verb.SESSION: 600 * SECOND,
    Verb.REPLAY: 30 * SECOND,
    Verb.RULING: 24 * 3600 * SECOND,
    Verb.CLASSIFY: 24 * 3600 * SECOND,
    Verb.ACKNOWLEDGE: 24 * 3600 * SECOND,
}
"""What orders the table about must come at once; what is only kept with the record may wait for a link."""

CONFIRMED_WITHIN_MS = 5 * SECOND
"""What moves hardware and is not answered by then is shown as *not confirmed*."""

FIRST_AGAIN_MS = 3 * SECOND
LONGEST_AGAIN_MS = 30 * SECOND

PROGRESS_OF: dict[Status, Progress] = {
    Status.ACCEPTED: Progress.ACCEPTED,
    Status.DONE: Progress.DONE,
    Status.REFUSED: Progress.REFUSED,
    Status.EXPIRED: Progress.EXPIRED,
    Status.STALE: Progress.STALE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """An open command as the pump sees it. Times in Unix ms; `sent` None: not yet."""

    command: StoredCommand

    def due(self, now: int) -> bool:
        """Whether to send it now: at once, then with growing pauses, never after its time."""
        command = self.command
        if now >= command.deadline:
            return False
        if command.sent is None:
            return True
        pause = min(LONGEST_AGAIN_MS, FIRST_AGAIN_MS << max(0, command.attempts - 1))
        return over(command.sent, now, pause)

    def unconfirmed(self, now: int) -> bool:
        """Whether nothing more can be hoped for without looking at the table."""
        command = self.command
        if command.hardware and command.progress is not Progress.ACCEPTED:
            return over(command.issued, now, CONFIRMED_WITHIN_MS)
        return now >= command.deadline


def is_hardware(verb: Verb) -> bool:
    return verb in MOVES_HARDWARE
