"""Nothing is delivered before its receipt, nothing twice without need, everything in order, twenty at a
time.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings, strategies as st

from table_controller.outbox import FIRST_WAIT, HURRY, LISTEN, LONGEST_WAIT, NS, SOON, Outbox, Receipt, Ticket


def box(head: int = 0, upto: int = 0, up: bool = True) -> Outbox:
    outbox = Outbox(draw=lambda low, high: low)
    outbox.add_epoch("e", upto=upto, head=head)
    if up:
        outbox.up()
        heard_nothing(outbox)
    return outbox


def heard_nothing(outbox: Outbox) -> None:
    """The retained receipt has come and said nothing new."""
    outbox.receipt("another epoch", 0, 0)


def seqs(tickets: list[Ticket]) -> list[int]:
    return [ticket.seq for ticket in tickets]


def test_twenty_rows_in_order_and_no_more_until_a_receipt():
    outbox = box(head=50)
    assert seqs(outbox.due(0, 100)) == list(range(1, 21))
    for seq in range(1, 21):
        outbox.acknowledged(Ticket(epoch="e", seq=seq))
    assert outbox.due(1, 100) == []
    assert outbox.backlog == 50
    assert outbox.receipt("e", 5, 2) is Receipt.PROGRESS
    assert seqs(outbox.due(2, 100)) == [21, 22, 23, 24, 25]
    assert outbox.backlog == 45


def test_no_more_than_the_client_has_room_for():
    outbox = box(head=50)
    assert seqs(outbox.due(0, 3)) == [1, 2, 3]
    assert seqs(outbox.due(0, 2)) == [4, 5]
    assert outbox.due(0, 0) == []


def test_nothing_while_not_connected():
    outbox = box(head=5, up=False)
    assert outbox.due(0, 20) == []
    assert outbox.deadline() is None
    outbox.up()
    heard_nothing(outbox)
    assert seqs(outbox.due(0, 20)) == [1, 2, 3, 4, 5]
    outbox.down()
    assert outbox.due(100 * NS, 20) == []


def test_the_brokers_word_delivers_nothing_and_without_a_receipt_it_goes_again():
    outbox = box(head=2)
    assert seqs(outbox.due(0, 20)) == [1, 2]
    outbox.acknowledged(Ticket(epoch="e", seq=1))
    outbox.acknowledged(Ticket(epoch="e", seq=2))
    assert outbox.backlog == 2
    deadline = outbox.deadline()
    assert deadline == FIRST_WAIT[0]
    assert outbox.due(deadline - 1, 20) == []
    assert seqs(outbox.due(deadline, 20)) == [1, 2]


def test_what_the_broker_has_not_acknowledged_is_still_with_the_client_and_not_given_twice():
    outbox = box(head=3)
    outbox.due(0, 20)
    outbox.acknowledged(Ticket(epoch="e", seq=1))
    assert seqs(outbox.due(10 * NS, 20)) == [1]


def test_a_wait_that_ends_before_the_broker_has_answered_does_not_begin_a_longer_one():
    outbox = box(head=1)
    outbox.due(0, 20)
    outbox.hurry(0)
    now = outbox.deadline() or 0
    assert now == HURRY[0]
    assert outbox.due(now, 20) == []
    outbox.acknowledged(Ticket(epoch="e", seq=1))
    again = outbox.deadline()
    assert again == now + SOON
    assert seqs(outbox.due(again, 20)) == [1]


def test_the_waits_grow_to_a_limit_and_a_receipt_starts_them_over():
    outbox = box(head=1)
    outbox.due(0, 20)
    outbox.acknowledged(Ticket(epoch="e", seq=1))
    now, waits = 0, []
    for _ in range(8):
        deadline = outbox.deadline()
        assert deadline is not None
        waits.append((deadline - now) / NS)
        now = deadline
        assert seqs(outbox.due(now, 20)) == [1]
        outbox.acknowledged(Ticket(epoch="e", seq=1))
    assert waits == [3, 6, 12, 24, 48, 60, 60, 60]
    outbox.committed("e", 2)
    assert seqs(outbox.due(now, 20)) == [2]
    outbox.acknowledged(Ticket(epoch="e", seq=2))
    outbox.receipt("e", 1, now)
    deadline = outbox.deadline()
    assert deadline is not None
    assert deadline - now == FIRST_WAIT[0]


def test_the_first_wait_is_drawn_between_three_and_five_seconds():
    asked = []

    def draw(low: int, high: int) -> int:
        asked.append((low, high))
        return high

    outbox = Outbox(draw=draw)
    outbox.add_epoch("e", upto=0, head=1)
    outbox.up()
    heard_nothing(outbox)
    outbox.due(0, 20)
    assert asked == [(3 * NS, 5 * NS)]
    assert outbox.deadline() == 5 * NS


def test_after_a_reconnection_everything_without_a_receipt_goes_again_at_once_in_order():
    outbox = box(head=30)
    outbox.due(0, 20)
    outbox.receipt("e", 7, 1)
    outbox.due(1, 20)
    outbox.down()
    outbox.up()
    assert seqs(outbox.due(2, 20)) == list(range(8, 28))


def test_a_restart_begins_where_the_hint_says_and_a_newer_receipt_spares_the_rest():
    outbox = box(head=100, upto=60)
    assert seqs(outbox.due(0, 4)) == [61, 62, 63, 64]
    assert outbox.receipt("e", 90, 1) is Receipt.PROGRESS
    assert seqs(outbox.due(1, 20)) == list(range(91, 101))
    assert outbox.receipt("e", 100, 2) is Receipt.PROGRESS
    assert outbox.backlog == 0
    assert outbox.deadline() is None


def test_old_and_strange_receipts_change_nothing_and_one_ahead_of_us_is_told():
    outbox = box(head=10)
    outbox.due(0, 20)
    assert outbox.receipt("e", 4, 0) is Receipt.PROGRESS
    assert outbox.receipt("e", 4, 0) is Receipt.OLD
    assert outbox.receipt("e", 2, 0) is Receipt.OLD
    assert outbox.receipt("other", 9, 0) is Receipt.OLD
    assert outbox.receipt("e", 11, 0) is Receipt.AHEAD
    assert outbox.upto("e") == 4


class TestBeforeTheFirstRow:
    """A run that goes on with a journal first hears what the console has of it."""

    def going_on(self, head: int = 5) -> Outbox:
        outbox = Outbox(draw=lambda low, high: low)
        outbox.add_epoch("e", upto=0, head=head)
        outbox.up()
        return outbox

    def test_it_waits_a_second_for_the_retained_receipt_and_no_longer(self):
        outbox = self.going_on()
        assert outbox.due(10, 20) == []
        assert outbox.deadline() == 10 + LISTEN
        assert seqs(outbox.due(10 + LISTEN, 20)) == [1, 2, 3, 4, 5]

    def test_the_receipt_ends_the_wait(self):
        outbox = self.going_on()
        assert outbox.due(10, 20) == []
        assert outbox.receipt("e", 3, 20) is Receipt.PROGRESS
        assert seqs(outbox.due(20, 20)) == [4, 5]

    def test_a_new_journal_waits_for_nothing_and_a_reconnection_neither(self):
        outbox = Outbox(draw=lambda low, high: low)
        outbox.add_epoch("e", upto=0, head=0)
        outbox.up()
        outbox.committed("e", 1)
        assert seqs(outbox.due(0, 20)) == [1]
        outbox.down()
        outbox.up()
        assert seqs(outbox.due(0, 20)) == [1]

    def test_rows_the_console_cannot_have_from_us_are_told_even_if_the_number_exists_here_by_now(self):
        outbox = self.going_on(head=5)
        outbox.committed("e", 12)
        assert outbox.due(10, 20) == []
        assert outbox.receipt("e", 10, 20) is Receipt.AHEAD


class TestReplay:
    def test_rows_the_console_has_had_are_sent_again_as_asked(self):
        outbox = box(head=30, upto=30)
        assert outbox.replay("e", 5, 8, 0)
        assert seqs(outbox.due(0, 2)) == [5, 6]
        assert seqs(outbox.due(0, 2)) == [7, 8]
        assert outbox.due(0, 20) == []
        assert outbox.backlog == 0

    def test_asking_twice_sends_once(self):
        outbox = box(head=30, upto=30)
        outbox.replay("e", 5, 8, 0)
        outbox.replay("e", 5, 8, 0)
        assert seqs(outbox.due(0, 20)) == [5, 6, 7, 8]
        assert outbox.due(0, 20) == []

    def test_what_is_on_the_way_anyway_is_not_sent_on_top_but_sooner(self):
        outbox = box(head=5)
        outbox.due(0, 20)
        for seq in range(1, 6):
            outbox.acknowledged(Ticket(epoch="e", seq=seq))
        outbox.replay("e", 1, 5, 1)
        assert seqs(outbox.due(1, 20)) == [1, 2, 3, 4, 5]
        assert outbox.due(1, 20) == []

    @pytest.mark.parametrize(("epoch", "first", "last"), [("other", 1, 2), ("e", 0, 2), ("e", 3, 2)])
    def test_what_we_do_not_have_is_refused(self, epoch, first, last):
        outbox = box(head=30, upto=30)
        assert not outbox.replay(epoch, first, last, 0)
        assert outbox.due(0, 20) == []

    def test_replays_do_not_stop_new_rows(self):
        outbox = box(head=100, upto=90)
        outbox.replay("e", 1, 90, 0)
        assert seqs(outbox.due(0, 20)) == [*range(91, 101), *range(1, 11)]


def test_an_older_journals_rows_come_first_and_then_never_again():
    outbox = Outbox(draw=lambda low, high: low)
    outbox.add_epoch("old", upto=3, head=5)
    outbox.add_epoch("new", upto=0, head=2)
    outbox.up()
    heard_nothing(outbox)
    assert outbox.due(0, 20) == [Ticket(epoch="old", seq=4), Ticket(epoch="old", seq=5)]
    assert outbox.due(0, 20) == []
    outbox.receipt("old", 5, 1)
    assert outbox.due(1, 20) == [Ticket(epoch="new", seq=1), Ticket(epoch="new", seq=2)]
    assert outbox.receipt("old", 5, 2) is Receipt.OLD
    outbox.committed("new", 3)
    assert outbox.due(2, 20) == [Ticket(epoch="new", seq=3)]


def test_an_epoch_is_added_once_and_an_unknown_one_never_grows():
    outbox = box()
    with pytest.raises(ValueError, match="already"):
        outbox.add_epoch("e", upto=0, head=0)
    with pytest.raises(ValueError, match="not in the outbox"):
        outbox.committed("x", 1)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 1 << 32), rows=st.integers(1, 120), loss=st.sampled_from([0.0, 0.2, 0.6]))
def test_through_any_loss_every_row_arrives_and_never_more_than_twenty_are_on_the_way(seed, rows, loss):
    """A broker that loses what it acknowledged, receipts that get lost, connections that break, a table
    restarted.
    """
    draw = random.Random(seed)
    committed = upto = 0
    arrived: dict[int, int] = {}
    outbox = Outbox(draw=draw.randint)
    outbox.add_epoch("e", upto=0, head=0)
    outbox.up()
    client: list[int] = []
    now = 0
    for _ in range(4000):
        now += NS // 10
        if committed < rows and draw.random() < 0.5:
            committed += 1
            outbox.committed("e", committed)
        for ticket in outbox.due(now, 20 - len(client)):
            client.append(ticket.seq)
        assert len(client) <= 20
        assert len(set(client)) == len(client)
        for seq in list(client):
            if draw.random() < 0.7:
                client.remove(seq)
                outbox.acknowledged(Ticket(epoch="e", seq=seq))
                if draw.random() >= loss:
                    arrived[seq] = arrived.get(seq, 0) + 1
        while upto + 1 in arrived:
            upto += 1
        assert upto <= committed
        if draw.random() >= loss:
            assert outbox.receipt("e", upto, now) is not Receipt.AHEAD
        if draw.random() < 0.01:
            client.clear()
            outbox.down()
            if draw.random() < 0.3:
                hint = outbox.upto("e")
                outbox = Outbox(draw=draw.randint)
                outbox.add_epoch("e", upto=hint, head=committed)
            outbox.up()
        if upto == rows and outbox.backlog == 0:
            break
    assert sorted(arrived) == list(range(1, rows + 1))
    assert outbox.backlog == 0
    assert outbox.due(now + LONGEST_WAIT, 20) == []
    if loss == 0.0:
        assert sum(arrived.values()) < 6 * rows + 60


def test_a_console_that_has_come_is_not_kept_waiting_a_minute():
    outbox = Outbox(draw=lambda low, high: high)
    outbox.add_epoch("e", upto=0, head=2)
    outbox.up()
    heard_nothing(outbox)
    now = 0
    for _ in range(8):
        outbox.due(now, 20)
        for seq in (1, 2):
            outbox.acknowledged(Ticket(epoch="e", seq=seq))
        now = outbox.deadline() or now
    outbox.due(now, 20)
    assert (outbox.deadline() or 0) - now == LONGEST_WAIT
    for seq in (1, 2):
        outbox.acknowledged(Ticket(epoch="e", seq=seq))
    outbox.hurry(now)
    assert (outbox.deadline() or 0) - now == HURRY[1]
    assert seqs(outbox.due(now + HURRY[1], 20)) == [1, 2]
    outbox.receipt("e", 2, now + HURRY[1])
    outbox.hurry(now + HURRY[1])
    assert outbox.deadline() is None


def test_a_receipt_for_the_first_rows_does_not_end_the_hurry_for_the_others():
    """The console has rows 1 and 2 from before; the broker has lost 3 and 4, which it had acknowledged."""
    outbox = box(head=4)
    outbox.due(0, 20)
    for seq in range(1, 5):
        outbox.acknowledged(Ticket(epoch="e", seq=seq))
    outbox.hurry(0)
    outbox.receipt("e", 2, 0)
    outbox.committed("e", 5)
    assert seqs(outbox.due(1, 20)) == [5]
    assert outbox.deadline() == HURRY[0]
    assert seqs(outbox.due(HURRY[0], 20)) == [3, 4]


def test_an_epoch_that_cannot_be_delivered_does_not_stop_the_next():
    outbox = Outbox(draw=lambda low, high: low)
    outbox.add_epoch("lost", upto=0, head=5)
    outbox.add_epoch("new", upto=0, head=1)
    outbox.up()
    heard_nothing(outbox)
    assert outbox.has("lost")
    outbox.abandon("lost")
    assert not outbox.has("lost")
    assert outbox.due(0, 20) == [Ticket(epoch="new", seq=1)]
    assert outbox.receipt("lost", 9, 0) is Receipt.OLD
