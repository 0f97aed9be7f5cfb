"""After a restart or a lost link: the reported is believed, differences are inferred, nothing is invented."""

from __future__ import annotations

from firmware_bridge.memory_rig import MEMORY_DEVICE
from firmware_bridge.readings import (
    DeviceRestarted,
    EventsDropped,
    LevelRead,
    LinkDown,
    LinkUp,
    ReadingGap,
    ResetCause,
    SignalSuspected,
    SignalTrusted,
    Snapshot,
    Suspicion,
    TokenRead,
)
from table_controller.laws.seat import Faces, Seat
from table_controller.screen.entry import FaultKind
from table_controller.screen.events import (
    CallMade,
    CardPlayed,
    DeviceReset,
    DirectorSummoned,
    Event,
    EventsLost,
    FaultSeen,
    LeadMade,
    LinkLost,
    LinkRestored,
    Restarted,
    SensorCleared,
    SensorDoubted,
    SensorsRead,
    TrayArrived,
    TrayLeft,
    TraySeen,
)
from table_controller.sensing import Sensing, Waits
from tests.table_controller.wires import ALL, MS, Hand, made, names

IN_AUCTION = {"board.id": "7", "call.ne.n": "1:1C"}
HANDS = ("hand.n", "hand.e", "hand.s", "hand.w")
STANDING = ("tray.ne", "window.closed", "board.present")


def mid_auction() -> Hand:
    hand = Hand(active=("tray.ne", "window.open", *HANDS))
    hand.level("board.present", True).text("board.id", "7")
    hand.level("window.open", False, after=500).level("window.closed", True, after=700)
    hand.text("call.ne.n", "1:1C", after=1_000)
    hand.wait(3_000)
    return hand


def again(journal: list[Event], active: tuple[str, ...] = STANDING, **texts: str) -> Hand:
    """A new controller 40 s later, the world as `active` and `texts` say."""
    last = journal[-1].at
    restarted = Restarted(at=last, down_since=last)
    found = IN_AUCTION | {name.replace("_", "."): text for name, text in texts.items()}
    return Hand(
        active=(*active, *HANDS), texts=found, journal=[*journal, restarted], start_ms=last // MS + 40_000
    )


def test_a_restart_with_nothing_changed_invents_nothing() -> None:
    told = again(mid_auction().events).done()
    assert names(told) == ["TraySeen", "SensorsRead"]
    assert told[0].inferred


def test_readers_that_come_to_life_late_after_a_restart_take_no_card_away() -> None:
    hand = again(mid_auction().events, call_ne_n="0")
    hand.text("call.ne.n", "1:1C", after=150)
    assert names(hand.done()) == ["SensorsRead", "TraySeen"]


def test_a_card_laid_while_we_were_down_is_an_inferred_call_in_its_interval() -> None:
    journal = mid_auction().events
    told = again(journal, call_ne_e="1:P").done()
    calls = [event for event in told if isinstance(event, CallMade)]
    assert [(str(c.seat), str(c.call), c.inferred, c.not_before) for c in calls] == [
        ("E", "P", True, journal[-1].at)
    ]


def test_a_tray_that_crossed_while_we_were_down_left_and_arrived_inferred() -> None:
    journal = mid_auction().events
    active = ("tray.sw", "window.closed", "board.present")
    told = again(journal, active, call_ne_n="0", call_sw_n="1:1C").done()
    moves = [event for event in told if isinstance(event, TrayLeft | TrayArrived)]
    assert [(type(e), e.inferred, e.not_before) for e in moves] == [
        (TrayLeft, True, journal[-1].at),
        (TrayArrived, True, journal[-1].at),
    ]
    seen = [event for event in told if isinstance(event, TraySeen)]
    assert [c.count for c in seen[-1].columns] == [1, 0, 0, 0]
    assert not any(isinstance(event, CallMade) for event in told)


def test_a_card_played_before_is_not_played_again() -> None:
    hand = mid_auction()
    hand.text("card.w", "SQ")
    hand.wait(1_000)
    told = again(hand.events, card_w="SQ").done()
    assert not any(isinstance(event, CardPlayed) for event in told)


def test_beliefs_from_the_journal_are_those_we_had() -> None:
    hand = mid_auction()
    hand.text("call.ne.e", "1:P").wait(900)
    hand.tray("sw").wait(1_000)
    hand.text("call.sw.s", "1:1H").wait(1_000)
    told = again(
        hand.events,
        ("tray.sw", "window.closed", "board.present"),
        call_ne_n="0",
        call_sw_n="1:1C",
        call_sw_e="1:P",
        call_sw_s="1:1H",
    ).done()
    assert names(told) == ["TraySeen", "SensorsRead"]


# --- the link


def test_a_lost_and_restored_link_with_nothing_changed_tells_only_that() -> None:
    hand = mid_auction()
    hand.wait(1_000)
    hand.events.clear()
    now = hand.ms * MS
    hand.take(LinkDown(at=now, why="cable"))
    hand.wait(3_000)
    now = hand.ms * MS
    hand.take(LinkUp(at=now, device=MEMORY_DEVICE))
    hand.take(Snapshot(at=now, levels=hand.levels, tokens=hand.texts))
    assert [type(event) for event in hand.done()] == [LinkLost, LinkRestored, SensorsRead]


def test_a_column_that_emptied_just_before_the_cable_went_waits_until_it_is_back() -> None:
    hand = mid_auction()
    hand.wait(1_000)
    hand.events.clear()
    hand.text("call.ne.n", "0", after=10)
    hand.take(LinkDown(at=(hand.ms + 5) * MS, why="cable"))
    hand.wait(5_000)
    assert names(hand.events) == []
    now = hand.ms * MS
    hand.take(LinkUp(at=now, device=MEMORY_DEVICE))
    hand.take(LevelRead(at=now, signal="tray.ne", active=False, inferred=True, not_before=now - 5_000 * MS))
    hand.take(Snapshot(at=now, levels=hand.levels | {"tray.ne": False}, tokens=hand.texts))
    assert names(hand.done()) == ["LinkLost", "LinkRestored", "TrayLeft", "SensorsRead"]


def test_a_tag_that_is_heard_of_before_the_switch_takes_no_board_away() -> None:
    """The device kept the change of the tag for us, and its greeting with every level comes after it."""
    sensing = Sensing(signals=ALL, faces=Faces(), waits=Waits())
    for event in mid_auction().events:
        sensing.believe(event)
    sensing.believe(Restarted(at=5_000 * MS, down_since=5_000 * MS))
    sensing.take(LinkUp(at=60_000 * MS, device=MEMORY_DEVICE))
    sensing.take(TokenRead(at=30_000 * MS, signal="board.id", token="5"))
    sensing.take(Snapshot(at=60_001 * MS, levels={"tray.ne": True, "board.present": True}, tokens={}))
    told = [name for name in names(sensing.tick(70_000 * MS, None)) if name.startswith("Board")]
    assert told == ["BoardPlaced"]


def test_a_lead_faced_while_we_were_down_was_not_taken_up() -> None:
    """The device kept the one sensor's change for us; the other's level comes with its greeting."""
    sensing = Sensing(signals=ALL, faces=Faces(), waits=Waits())
    for event in mid_auction().events:
        sensing.believe(event)
    sensing.believe(LeadMade(at=4_500 * MS, seat=Seat.E, faced=False))
    sensing.believe(Restarted(at=5_000 * MS, down_since=5_000 * MS))
    sensing.take(LinkUp(at=60_000 * MS, device=MEMORY_DEVICE))
    sensing.take(LevelRead(at=30_000 * MS, signal="lead.e.faced", active=True))
    levels = {"tray.ne": True, "lead.e.present": True, "lead.e.faced": True}
    sensing.take(Snapshot(at=60_001 * MS, levels=levels, tokens={}))
    told = [name for name in names(sensing.tick(70_000 * MS, None)) if name.startswith("Lead")]
    assert told == ["LeadFaced"]


def test_a_lead_taken_up_while_we_were_down_is_told_before_all_has_been_read() -> None:
    """It settles first, and the window is ordered only after it."""
    journal = [*mid_auction().events, LeadMade(at=4_500 * MS, seat=Seat.E, faced=False)]
    told = names(again(journal).done())
    assert told.index("LeadWithdrawn") < told.index("SensorsRead")
    assert told.count("SensorsRead") == 1


def test_what_changed_in_doubt_is_told_before_all_has_been_read() -> None:
    hand = mid_auction()
    hand.level("lead.e.present", True).wait(1_000)
    hand.take(SignalSuspected(at=hand.ms * MS, signal="lead.e.present", why=Suspicion.CHATTERING))
    hand.level("lead.e.present", False).wait(1_000)
    hand.events.clear()
    hand.take(SignalTrusted(at=hand.ms * MS, signal="lead.e.present"))
    hand.level("lead.e.present", False)
    assert names(hand.done()) == ["SensorCleared", "LeadWithdrawn", "SensorsRead"]


def test_a_device_that_reset_says_why_and_invents_nothing() -> None:
    hand = mid_auction()
    hand.wait(1_000)
    hand.events.clear()
    now = hand.ms * MS
    hand.take(DeviceRestarted(at=now, cause=ResetCause.WATCHDOG))
    hand.take(LinkUp(at=now, device=MEMORY_DEVICE))
    hand.take(TokenRead(at=now, signal="call.ne.n", token="", inferred=True, not_before=now - 500 * MS))
    hand.take(Snapshot(at=now, levels=hand.levels, tokens=hand.texts | {"call.ne.n": ""}))
    hand.text("call.ne.n", "1:1C", after=120)
    told = [event for event in hand.done() if not isinstance(event, FaultSeen)]
    assert [type(event) for event in told] == [DeviceReset, LinkRestored, SensorsRead]
    assert isinstance(told[0], DeviceReset)
    assert told[0].cause == "watchdog"


def test_lost_events_are_counted() -> None:
    hand = mid_auction()
    hand.events.clear()
    hand.take(EventsDropped(at=hand.ms * MS, count=7))
    assert [event.count for event in hand.done() if isinstance(event, EventsLost)] == [7]


def test_a_time_in_which_nothing_was_read_is_a_loss_nobody_can_count() -> None:
    hand = mid_auction()
    hand.events.clear()
    hand.take(ReadingGap(at=hand.ms * MS, length=20_000 * MS))
    (lost,) = [event for event in hand.done() if isinstance(event, EventsLost)]
    assert (lost.count, lost.gap) == (0, 20_000 * MS)


def test_a_lost_edge_healed_by_its_level_is_inferred_and_a_fault_that_happened_once() -> None:
    hand = mid_auction()
    hand.wait(500)
    hand.events.clear()
    now = hand.ms * MS
    hand.take(LevelRead(at=now, signal="tray.ne", active=False, inferred=True, not_before=now - 250 * MS))
    told = hand.done(1_000)
    assert names(told) == ["FaultSeen", "TrayLeft"]
    assert isinstance(told[0], FaultSeen)
    assert (told[0].kind, told[0].standing) == (FaultKind.EDGE_INFERRED, False)
    assert told[1].not_before == now - 250 * MS


# --- suspicion


def test_a_suspected_signal_is_not_concluded_from_until_it_is_trusted() -> None:
    hand = mid_auction()
    hand.wait(500)
    hand.events.clear()
    hand.take(SignalSuspected(at=hand.ms * MS, signal="tray.ne", why=Suspicion.CHATTERING))
    hand.level("tray.ne", False, after=500).level("tray.ne", True, after=300)
    hand.take(SignalTrusted(at=(hand.ms + 50) * MS, signal="tray.ne"))
    told = hand.done()
    doubted = [event for event in told if isinstance(event, SensorDoubted)]
    assert [(d.sense, d.component, d.detail) for d in doubted] == [("tray", "tray.ne", "chattering")]
    assert any(isinstance(event, SensorCleared) for event in told)
    assert not any(isinstance(event, TrayLeft | TrayArrived) for event in told)


def test_a_button_that_stays_pressed_is_one_summons_and_then_suspect() -> None:
    hand = mid_auction()
    hand.events.clear()
    hand.level("director.e", True).wait(6_000)
    hand.level("director.e", False)
    told = hand.done()
    assert names(told) == ["DirectorSummoned", "SensorDoubted", "SensorCleared", "SensorsRead"]


def test_a_pulse_and_a_press_five_seconds_later_are_two_presses() -> None:
    hand = mid_auction()
    hand.events.clear()
    hand.press("director.e", hold=100).press("director.e", after=5_000)
    assert [type(event) for event in hand.done()] == [DirectorSummoned, DirectorSummoned]


def test_made_is_what_it_says() -> None:
    assert made("N", "1C").call != made("N", "1D").call


def greeted_first(*journal: Event) -> list[str]:
    """What the first greeting of a new run brings, before any level is known."""
    sensing = Sensing(signals=ALL, faces=Faces(), waits=Waits())
    for event in journal:
        sensing.believe(event)
    sensing.take(LinkUp(at=60_000 * MS, device=MEMORY_DEVICE))
    sensing.take(Snapshot(at=60_001 * MS, levels={"tray.ne": True}, tokens={}))
    return names(sensing.tick(70_000 * MS, None))


def test_a_link_that_was_lost_when_the_controller_died_is_restored_when_it_is_greeted_again() -> None:
    """Else the fault would stand for ever: this run never lost the link."""
    lost, died = LinkLost(at=5_000 * MS, why="unplugged"), Restarted(at=5_000 * MS, down_since=5_000 * MS)
    assert "LinkRestored" in greeted_first(lost, died)
    assert "LinkRestored" not in greeted_first(lost, LinkRestored(at=5_100 * MS), died)
    assert "LinkRestored" not in greeted_first(died)
