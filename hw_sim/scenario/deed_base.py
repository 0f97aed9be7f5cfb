"""What every deed of a scenario has in common: that it is one."""

from __future__ import annotations


class DeedBase:
    """So that a deed can be told from anything else."""

    __slots__ = ()
