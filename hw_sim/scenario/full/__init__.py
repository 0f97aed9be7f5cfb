"""The runner that plays a scenario through the whole system: simulated hardware on a pseudo-terminal, a real
controller in a process of its own, a broker, and the director's orders as messages.

Waits of a second or more, and provisions in seconds, are divided by `model.DIVISOR`; the time that a fault
takes is not.
"""

from hw_sim.scenario.full.hall import FullHall

__all__ = ["FullHall"]
