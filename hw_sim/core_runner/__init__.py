"""The same players without a metal end: their deeds become events straight into the core.

The only room of the simulator that sees the controller's core and the regulations: everything else reaches
them through a real controller. Must never read a result off the record that was played.
"""

from hw_sim.core_runner.customs import UnknownRegulations, customs_of, known_regulations
from hw_sim.core_runner.play import play_game
from hw_sim.core_runner.stage import CoreStage

__all__ = ["CoreStage", "UnknownRegulations", "customs_of", "known_regulations", "play_game"]
