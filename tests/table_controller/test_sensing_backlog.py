"""What a device kept while nobody listened is told before anything else, and read like any other evening."""

from __future__ import annotations

from firmware_bridge.memory_rig import MEMORY_DEVICE
from firmware_bridge.readings import LevelRead, LinkUp, Snapshot, TokenRead
from table_controller.laws.seat import Faces
from table_controller.screen.events import Event, Restarted, TrayArrived, TrayLeft
from table_controller.sensing import Sensing, Waits
from tests.table_controller.wires import ALL, MS, Hand, names


def mid_auction() -> list[Event]:
    hand = Hand(active=("tray.ne", "window.closed", "board.present"))
    hand.text("call.ne.n", "1:1C", after=1_000).text("call.ne.e", "1:P", after=1_000)
    return hand.done()


def test_a_tray_pushed_while_we_were_down_takes_no_card_away() -> None:
    journal = mid_auction()
    sensing = Sensing(signals=ALL, faces=Faces(), waits=Waits())
    last = journal[-1].at
    for event in (*journal, Restarted(at=last, down_since=last)):
        sensing.believe(event)
    pushed = last + 5_000 * MS
    backlog = (
        # A switch is debounced and so told after the readers it carries away.
        TokenRead(at=pushed + 2 * MS, signal="call.ne.n", token="0"),
        TokenRead(at=pushed + 2 * MS, signal="call.ne.e", token="0"),
        LevelRead(at=pushed, signal="tray.ne", active=False),
        TokenRead(at=pushed + 902 * MS, signal="call.sw.n", token="1:1C"),
        TokenRead(at=pushed + 902 * MS, signal="call.sw.e", token="1:P"),
        LevelRead(at=pushed + 900 * MS, signal="tray.sw", active=True),
    )
    now = pushed + 40_000 * MS
    sensing.take(LinkUp(at=now, device=MEMORY_DEVICE))
    for reading in backlog:
        sensing.take(reading)
    levels = {"tray.ne": False, "tray.sw": True, "window.closed": True, "window.open": False}
    levels["board.present"] = True
    tokens = {"call.sw.n": "1:1C", "call.sw.e": "1:P"}
    sensing.take(Snapshot(at=now, levels=levels, tokens=tokens))
    told = [event for ms in range(0, 5_000, 50) for event in sensing.tick(now + ms * MS)]
    assert [event for event in told if isinstance(event, TrayLeft | TrayArrived)] == told[:2]
    assert told[0].at == pushed
    assert set(names(told)) == {"TrayLeft", "TrayArrived", "TraySeen", "SensorsRead"}
