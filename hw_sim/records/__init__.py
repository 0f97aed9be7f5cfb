"""Records of bridge, PBN and LIN, read as they are and written as they happened.

Must never correct a record in silence: a game is played as recorded, or refused with its reason.
"""

from hw_sim.records.crossings import crossings
from hw_sim.records.model import Alert, Game, RecordedGame, RefusedGame
from hw_sim.records.read import read_records, read_text
from hw_sim.records.write_pbn import write_pbn

__all__ = [
    "Alert",
    "Game",
    "RecordedGame",
    "RefusedGame",
    "crossings",
    "read_records",
    "read_text",
    "write_pbn",
]
