"""The proof on a table that runs: two different far happenings, the same bytes to the near view."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.bench.rig import BenchRig

pytestmark = pytest.mark.live

TICKS = 45
ONE = ("S 1C", "W P")
OTHER = ("S P", "S takes P back", "W calls the director", "S 2NT", "W X")


def near_traffic(rig: BenchRig, far: Sequence[str], then: str) -> list[str]:
    """What the view of NE is sent while `far` happens on SW, and then the tray comes."""
    rig.fresh()
    rig.control(do="director", who="you")
    rig.do("N places board 3", "window closed", "tray to SW")
    rig.quiet()
    sent: list[str] = []
    with rig.client.websocket_connect("/half/NE/ws") as socket:
        deeds = iter(far)
        for tick in range(TICKS):
            sent.append(socket.receive_text())
            if tick % 5 == 2 and (deed := next(deeds, None)) is not None:
                rig.bench.deed(deed)
        rig.bench.deed(then)
        for _ in range(TICKS):
            sent.append(socket.receive_text())
    return sent


@pytest.mark.long
def test_two_different_happenings_on_the_far_face_are_the_same_bytes_until_the_tray_arrives(
    rig: BenchRig,
) -> None:
    one, other = near_traffic(rig, ONE, "tray to NE by S"), near_traffic(rig, OTHER, "tray to NE by S")
    first = next((n for n, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1]), None)
    assert first is not None, "the tray brought nothing: this test proves nothing"
    assert first >= TICKS + 5, "something was told before the tray can have arrived"
    assert '"tray":null' in one[first - 1] or '"S":["1C"]' not in one[first - 1]
    assert '"S":["1C"]' in one[-1]
    assert '"S":["2NT"]' in other[-1]


def test_one_view_while_the_far_face_calls_is_told_the_same_thing_again_and_again(rig: BenchRig) -> None:
    sent = near_traffic(rig, ONE[:1], "W calls the director")
    plain = {text.partition(",")[2] for text in sent}
    assert len(plain) == 1
    assert [int(text.partition(",")[0].partition(":")[2]) for text in sent] == list(range(2 * TICKS))
