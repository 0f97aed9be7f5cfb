"""What a half-table view is sent: one frame at every tick of its own clock, changed or not.

It is given the sight of one face and a clock, nothing else, so that neither what it sends nor when can hang
on anything that only the other face knows. Must never wait for news, leave out a frame that is like the last
one, or be told why something changed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from hw_sim.bench.contract import FaceName
from hw_sim.bench.near import Sees

TICK_S = 0.1


async def feed(
    face: FaceName,
    sees: Sees,
    send: Callable[[str], Awaitable[None]],
    *,
    clock: Callable[[], float],
    sleep: Callable[[float], Awaitable[None]],
) -> None:
    """Until sending fails: frame `n` at `n` ticks after the beginning. Times: seconds of any steady clock."""
    began, tick = clock(), 0
    while True:
        sight = sees.sight(face)
        if sight is not None:
            await send(sight.model_copy(update={"tick": tick}).model_dump_json())
        tick += 1
        await sleep(max(began + tick * TICK_S - clock(), 0.0))
