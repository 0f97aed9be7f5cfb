"""The runner that plays a scenario on the core alone, in virtual time: milliseconds each.

The only room of the scenarios that sees the core and the regulations at work.
"""

from hw_sim.scenario.core.runner import play_on_core

__all__ = ["play_on_core"]
