"""Where the console's journal lies if nobody says so: in the user's own state directory, never where he
happens to stand.
"""

from __future__ import annotations

import os
from pathlib import Path

VARIABLE = "SCREEN_TABLE_CONSOLE_DATA"


def default_data() -> Path:
    """The same for every command, so that they find each other's journal."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    state = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(state) / "screen-table" / "console"
