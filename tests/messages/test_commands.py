"""A command is carried out at most once, in time, for this table as it stands, and not because a ghost said
so.
"""

from __future__ import annotations

import pytest

from table_controller.commands import (
    Answer,
    Carry,
    CommandGate,
    Decision,
    Ignore,
    Now,
    Remembered,
)
from table_controller.commands.gate import REMEMBERED
from table_controller.messages import (
    ClockQuality,
    Envelope,
    Message,
    Refused,
    Status,
    mac,
    open_sealed,
    sealed,
    topics,
    ulid,
    wall_ns,
    wall_text,
)
from table_controller.messages.codec import Json
from table_controller.messages.topics import Place, Verb

S = 1_000_000_000
PLACE = Place(venue="hall", event="teams")
KEYS = mac.KeyRing(venue=b"v" * 32, tables={"7": b"7" * 32, "8": b"8" * 32})
ISSUED = wall_ns("2026-05-01T18:30:00.000Z")
MONO = 5000 * S

ARGUMENTS: dict[Verb, dict[str, Json]] = {
    Verb.HOLD: {},
    Verb.RESUME: {},
    Verb.TRAY_BACK: {},
    Verb.RULING: {"entries": [3], "verdict": "accept"},
    Verb.CORRECT: {"correction": {"what": "call", "index": 1, "call": "2S"}},
    Verb.CLASSIFY: {"entry": 3, "subject": "tempo", "about": "E"},
    Verb.OPEN_WINDOW: {},
    Verb.CLOSE_WINDOW: {},
    Verb.SESSION: {"session": "round-1"},
    Verb.REPLAY: {"epoch": "abc", "first": 1, "last": 9},
    Verb.ACKNOWLEDGE: {"entries": [3]},
}
HARDWARE = [Verb.OPEN_WINDOW, Verb.CLOSE_WINDOW, Verb.TRAY_BACK, Verb.RESUME]


def id_of(number: int) -> str:
    return ulid(ISSUED, number.to_bytes(10))


def command(
    verb: Verb,
    *,
    number: int = 1,
    table: str = "7",
    key: bytes | None = None,
    good_for: int = 10 * S,
    **changes: Json,
) -> Message:
    """A command as it comes out of `open_sealed`, from the bytes a console would send."""
    body: dict[str, Json] = {
        "id": id_of(number),
        "issued": wall_text(ISSUED),
        "deadline": wall_text(ISSUED + good_for),
        "expect_rev": 40,
        "seen_ms": (MONO - 5 * S) // 1_000_000,
        "by": "chief",
        "args": ARGUMENTS[verb],
    }
    session = changes.pop("session", "s1")
    epoch = changes.pop("epoch", "abc")
    envelope = Envelope.model_validate(
        {
            "id": id_of(number),
            "type": f"command/{verb}",
            "venue": "hall",
            "event": "teams",
            "table": table,
            "epoch": epoch,
            "session": session,
            "mono_ms": 1,
            "wall": wall_text(ISSUED),
            "clock": "ntp",
            "body": body | changes,
        }
    )
    payload = sealed(envelope, key or KEYS.tables[table])
    return open_sealed(topics.command(PLACE, table, verb), payload, KEYS.of)


def now(**changes: int | str | None) -> Now:
    fields: dict[str, int | str | None] = {
        "epoch": "abc",
        "session": "s1",
        "rev": 40,
        "mono": MONO,
        "wall": ISSUED + 1 * S,
    }
    return Now(**(fields | changes))  # type: ignore[arg-type]


def word(after: float, *, set_back: int = 0, wall: bool = True) -> Envelope:
    """What the console says so many seconds after it sent the command of these tests, from the same run; its
    wall clock may have been set back meanwhile, by so many seconds.
    """
    text = wall_text(ISSUED + round((after - set_back) * S)) if wall else None
    return command(Verb.HOLD).envelope.model_copy(update={"wall": text, "mono_ms": 1 + round(after * 1000)})


def judge(
    message: Message, at: Now | None = None, retained: bool = False, gate: CommandGate | None = None
) -> Decision:
    return (gate or CommandGate("7")).judge(message, retained=retained, now=at or now())


def refused(decision: Decision) -> tuple[Status, str]:
    assert isinstance(decision, Answer)
    assert not decision.repeat
    return decision.told.status, decision.told.because.reason


@pytest.mark.parametrize("verb", list(Verb))
def test_every_verb_is_let_through_once_and_a_repeat_gets_the_same_answer(verb):
    gate = CommandGate("7")
    first = judge(command(verb), gate=gate)
    assert isinstance(first, Carry)
    assert (first.verb, first.by) == (verb, "chief")
    again = judge(command(verb), gate=gate)
    assert isinstance(again, Answer)
    assert again.repeat
    assert again.told.status is Status.ACCEPTED
    assert gate.settle(first.id, Status.DONE).status is Status.DONE
    for late in (now(), now(wall=ISSUED + 3600 * S), now(rev=99)):
        again = judge(command(verb), late, gate=gate)
        assert isinstance(again, Answer)
        assert again.repeat
        assert again.told.status is Status.DONE


@pytest.mark.parametrize("verb", list(Verb))
def test_a_retained_command_is_refused(verb):
    status, reason = refused(judge(command(verb), retained=True))
    assert status is Status.REFUSED
    assert "retained" in reason


@pytest.mark.parametrize("verb", list(Verb))
def test_a_command_after_its_deadline_is_expired(verb):
    assert refused(judge(command(verb), now(wall=ISSUED + 10 * S + 1)))[0] is Status.EXPIRED
    assert isinstance(judge(command(verb), now(wall=ISSUED + 10 * S)), Carry)


@pytest.mark.parametrize("verb", HARDWARE)
@pytest.mark.parametrize(
    ("at", "status"),
    [
        ({"rev": 41}, Status.STALE),
        ({"rev": 39}, Status.STALE),
        ({"session": "s2"}, Status.STALE),
        ({"epoch": "new"}, Status.STALE),
    ],
)
def test_what_moves_hardware_is_refused_for_a_state_that_is_no_more(verb, at, status):
    assert refused(judge(command(verb), now(**at)))[0] is status


@pytest.mark.parametrize("verb", list(Verb))
def test_only_what_moves_hardware_must_name_the_state(verb):
    decision = judge(command(verb, expect_rev=None))
    if verb in HARDWARE:
        assert refused(decision)[0] is Status.REFUSED
    else:
        assert isinstance(decision, Carry)


def test_a_state_that_is_named_is_checked_whatever_the_verb():
    assert refused(judge(command(Verb.CORRECT), now(rev=41)))[0] is Status.STALE


def test_a_table_that_was_restarted_still_takes_what_moves_nothing():
    assert isinstance(judge(command(Verb.RULING), now(session="s2")), Carry)


class TestWithoutAClock:
    """A table booting in 1970: its wall clock says nothing, so the snapshot the command rests on tells its
    age.
    """

    def at(self, after: int) -> Now:
        return now(wall=None, mono=MONO + after)

    @pytest.mark.parametrize("verb", HARDWARE)
    def test_a_fresh_command_works(self, verb):
        assert isinstance(judge(command(verb), self.at(0)), Carry)

    @pytest.mark.parametrize("verb", HARDWARE)
    def test_one_ten_minutes_old_does_not(self, verb):
        status, reason = refused(judge(command(verb), self.at(600 * S)))
        assert status is Status.EXPIRED
        assert "snapshot" in reason

    @pytest.mark.parametrize("verb", HARDWARE)
    def test_one_that_names_no_snapshot_does_not(self, verb):
        assert refused(judge(command(verb, seen_ms=None), self.at(0)))[0] is Status.EXPIRED

    def test_the_consoles_own_later_words_tell_that_it_is_late(self):
        gate = CommandGate("7")
        gate.heard(word(60), MONO)
        for verb in Verb:
            decision = judge(command(verb, number=list(Verb).index(verb)), self.at(0), gate=gate)
            assert refused(decision)[0] is Status.EXPIRED

    def test_the_consoles_clock_runs_on_while_it_is_silent(self):
        gate = CommandGate("7")
        gate.heard(word(0), MONO)
        assert isinstance(judge(command(Verb.HOLD), self.at(10 * S), gate=gate), Carry)
        decision = judge(command(Verb.HOLD, number=2), self.at(10 * S + 1), gate=gate)
        assert refused(decision)[0] is Status.EXPIRED

    def test_a_delayed_word_of_the_console_does_not_turn_its_clock_back(self):
        gate = CommandGate("7")
        gate.heard(word(60), MONO)
        gate.heard(word(0), MONO)
        gate.heard(word(0, wall=False), MONO)
        assert refused(judge(command(Verb.HOLD), self.at(0), gate=gate))[0] is Status.EXPIRED

    def test_a_clock_that_steps_meanwhile_neither_opens_a_window_nor_forbids_it(self):
        """The wall clock is set while the table runs: only the monotonic one counts until it is
        synchronised.
        """
        gate = CommandGate("7")
        assert isinstance(judge(command(Verb.OPEN_WINDOW), self.at(0), gate=gate), Carry)
        stepped = now(mono=MONO + 600 * S, wall=ISSUED + 601 * S)
        decision = judge(command(Verb.OPEN_WINDOW, number=2), stepped, gate=gate)
        assert refused(decision)[0] is Status.EXPIRED


def test_an_open_window_delivered_ten_minutes_late_twice_and_retained_opens_nothing():
    gate = CommandGate("7")
    late = now(wall=ISSUED + 600 * S, mono=MONO + 600 * S, rev=40)
    first = judge(command(Verb.OPEN_WINDOW), late, gate=gate)
    second = judge(command(Verb.OPEN_WINDOW), late, gate=gate)
    kept = judge(command(Verb.OPEN_WINDOW), late, retained=True, gate=gate)
    fresh_gate = judge(command(Verb.OPEN_WINDOW), late, retained=True)
    assert not any(isinstance(decision, Carry) for decision in (first, second, kept, fresh_gate))
    assert refused(first)[0] is Status.EXPIRED
    assert isinstance(second, Answer)
    assert second.told == first.told  # type: ignore[union-attr]


def test_a_command_done_before_a_restart_is_not_done_again_after_it():
    gate = CommandGate("7")
    carried = judge(command(Verb.HOLD), gate=gate)
    assert isinstance(carried, Carry)
    row = Remembered(id=carried.id, verb=carried.verb, by=carried.by, status=Status.DONE)
    after = CommandGate("7", [Remembered.read(row.value())])
    again = judge(command(Verb.HOLD), now(session="s2"), gate=after)
    assert isinstance(again, Answer)
    assert again.repeat
    assert again.told.status is Status.DONE


def test_a_command_for_another_table_does_nothing_here():
    assert isinstance(judge(command(Verb.HOLD, table="8")), Ignore)


def test_a_forged_command_never_reaches_the_gate():
    with pytest.raises(Refused, match="MAC"):
        command(Verb.OPEN_WINDOW, key=b"8" * 32)


def test_a_command_under_anothers_id_is_ignored():
    message = command(Verb.HOLD)
    envelope = message.envelope.model_copy(update={"id": id_of(77)})
    assert isinstance(judge(Message(envelope=envelope, body=message.body)), Ignore)


@pytest.mark.parametrize(
    ("verb", "args", "says"),
    [
        (Verb.CORRECT, {}, "correction"),
        (Verb.CORRECT, {"correction": {"what": "call", "index": 1, "call": "8S"}}, "call"),
        (Verb.CORRECT, {"correction": {"what": "weather"}}, "correction"),
        (Verb.RULING, {"entries": ["3"], "verdict": "accept"}, "entries.0"),
        (Verb.RULING, {"entries": [3], "verdict": "hang"}, "verdict"),
        (Verb.CLASSIFY, {"entry": 3, "subject": "tempo", "about": "Q"}, "about"),
        (Verb.REPLAY, {"epoch": "abc", "first": 0, "last": 9}, "first"),
        (Verb.SESSION, {"session": "a b"}, "session"),
    ],
)
def test_arguments_that_make_no_sense_are_refused_by_name_and_remembered(verb, args, says):
    gate = CommandGate("7")
    status, reason = refused(judge(command(verb, args=args), gate=gate))
    assert status is Status.REFUSED
    assert says in reason
    assert len(reason) <= 200
    again = judge(command(verb, args=args), gate=gate)
    assert isinstance(again, Answer)
    assert again.repeat


def test_the_memory_is_bounded_and_forgets_the_oldest():
    gate = CommandGate("7")
    for number in range(REMEMBERED + 1):
        judge(command(Verb.HOLD, number=number), gate=gate)
    assert isinstance(judge(command(Verb.HOLD, number=REMEMBERED), gate=gate), Answer)
    assert isinstance(judge(command(Verb.HOLD, number=0), gate=gate), Carry)


@pytest.mark.parametrize("value", [{}, {"id": 5}, {"id": "x", "verb": "fly", "by": "", "status": "done"}])
def test_a_row_that_is_no_answer_is_refused(value):
    with pytest.raises(ValueError):
        Remembered.read(value)


def test_clock_quality_words_are_those_of_the_specification():
    assert [quality.value for quality in ClockQuality] == ["unset", "rtc", "ntp"]
