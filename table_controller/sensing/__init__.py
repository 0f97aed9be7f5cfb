"""Sensing: readings of wires in, events of a table out. Pure."""

from table_controller.sensing.table_sensing import Sensing, Waits

__all__ = ["Sensing", "Waits"]
