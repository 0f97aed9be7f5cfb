"""A late will of an old run hides no table, and an old snapshot passes for no live one."""

from __future__ import annotations

from table_controller.messages import Presence
from table_controller.service.presence import (
    ANNOUNCE_SPREAD_NS,
    COALESCE_NS,
    HEARTBEAT_NS,
    NS,
    Heartbeat,
    Known,
    avail_heard,
    state_heard,
)

ONLINE, OFFLINE, STOPPING = Presence.ONLINE, Presence.OFFLINE, Presence.STOPPING


class TestListener:
    def test_a_table_that_says_it_is_there_is_there_and_its_own_will_ends_it(self):
        known = avail_heard(Known(), session="a", status=ONLINE, retained=False, now=1)
        assert known.status is ONLINE
        known = avail_heard(known, session="a", status=OFFLINE, retained=False, now=2)
        assert known.status is OFFLINE

    def test_a_late_will_of_an_old_session_is_not_believed(self):
        known = avail_heard(Known(), session="old", status=ONLINE, retained=False, now=1)
        known = avail_heard(known, session="new", status=ONLINE, retained=False, now=2)
        late = avail_heard(known, session="old", status=OFFLINE, retained=False, now=3)
        assert (late.status, late.session) == (ONLINE, "new")

    def test_a_late_will_that_stayed_as_the_retained_word_is_undone_by_a_live_snapshot(self):
        """A console that starts after the late will: it is told *offline*, until the table's next
        heartbeat.
        """
        known = avail_heard(Known(), session="old", status=OFFLINE, retained=True, now=1)
        assert known.status is OFFLINE
        known = state_heard(known, session="new", mono_ms=5, retained=False, now=2)
        assert (known.status, known.session) == (ONLINE, "new")
        again = avail_heard(known, session="old", status=OFFLINE, retained=True, now=3)
        assert again.status is ONLINE

    def test_a_kept_online_of_an_old_run_does_not_replace_the_run_that_was_heard(self):
        known = avail_heard(Known(), session="new", status=ONLINE, retained=False, now=1)
        known = avail_heard(known, session="old", status=ONLINE, retained=True, now=2)
        assert known.session == "new"

    def test_a_snapshot_ten_minutes_old_is_stale_on_arrival(self):
        known = avail_heard(Known(), session="a", status=ONLINE, retained=True, now=600 * NS)
        known = state_heard(known, session="a", mono_ms=1000, retained=True, now=600 * NS)
        assert known.stale(600 * NS)
        assert not state_heard(known, session="a", mono_ms=2000, retained=False, now=601 * NS).stale(601 * NS)

    def test_a_live_snapshot_is_stale_after_forty_five_seconds(self):
        known = state_heard(Known(), session="a", mono_ms=1000, retained=False, now=0)
        assert not known.stale(45 * NS)
        assert known.stale(45 * NS + 1)

    def test_an_older_snapshot_that_overtakes_is_passed_over(self):
        known = state_heard(Known(), session="a", mono_ms=2000, retained=False, now=1)
        assert state_heard(known, session="a", mono_ms=1000, retained=False, now=2) == known

    def test_a_table_that_stops_in_order_is_stopping_not_gone(self):
        known = avail_heard(Known(), session="a", status=STOPPING, retained=False, now=1)
        assert known.status is STOPPING


class TestHeartbeat:
    def beating(self) -> Heartbeat:
        heartbeat = Heartbeat(lambda low, high: high)
        heartbeat.connected(0)
        return heartbeat

    def test_nothing_while_not_connected(self):
        heartbeat = Heartbeat(lambda low, high: high)
        heartbeat.changed(0)
        heartbeat.announced(0)
        assert heartbeat.deadline() is None
        assert not heartbeat.state_due(10 * HEARTBEAT_NS)

    def test_both_at_once_on_connecting_and_every_thirty_seconds(self):
        heartbeat = self.beating()
        assert heartbeat.avail_due(0)
        assert heartbeat.state_due(0)
        heartbeat.sent_avail(0)
        heartbeat.sent_state(0)
        assert heartbeat.deadline() == 30 * NS == HEARTBEAT_NS
        assert not heartbeat.state_due(HEARTBEAT_NS - 1)
        assert heartbeat.state_due(HEARTBEAT_NS)
        assert heartbeat.avail_due(HEARTBEAT_NS)

    def test_a_change_is_told_at_once_and_many_changes_together(self):
        heartbeat = self.beating()
        heartbeat.sent_avail(0)
        heartbeat.sent_state(0)
        heartbeat.changed(5 * NS)
        assert heartbeat.state_due(5 * NS)
        heartbeat.sent_state(5 * NS)
        heartbeat.changed(5 * NS + 1)
        heartbeat.changed(5 * NS + 2)
        assert heartbeat.deadline() == 5 * NS + COALESCE_NS

    def test_an_announcement_is_answered_after_a_random_while(self):
        heartbeat = self.beating()
        heartbeat.sent_avail(0)
        heartbeat.sent_state(0)
        heartbeat.announced(NS)
        assert not heartbeat.state_due(NS)
        assert heartbeat.deadline() == NS + ANNOUNCE_SPREAD_NS
        assert heartbeat.avail_due(4 * NS)
        assert heartbeat.state_due(4 * NS)
