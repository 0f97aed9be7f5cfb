"""How an auction is read: rotation, what departs from the Laws, and when it ends."""

import pytest
from hypothesis import given, strategies as st

from table_controller.laws.auction import (
    Auction,
    CallFault,
    Doubling,
    MadeCall,
    faults_in,
    faults_of,
    is_legal,
)
from table_controller.laws.call import ALL_CALLS, DOUBLE, PASS, REDOUBLE, Bid, Denomination, parse_call
from table_controller.laws.contract import PassedOut, contract_of
from table_controller.laws.seat import Faces, ScreenSide, Seat
from tests.laws.build import auction, legal_auction, made

OUT = CallFault.CALL_OUT_OF_ROTATION
LOW = CallFault.INSUFFICIENT_BID
BAD_X = CallFault.INADMISSIBLE_DOUBLE
BAD_XX = CallFault.INADMISSIBLE_REDOUBLE
LATE = CallFault.CALL_AFTER_FINAL_PASS

DEPARTURES = [
    pytest.param("N", "", "N:1C", set(), id="L17: the dealer makes the first call"),
    pytest.param("N", "", "E:1C", {OUT}, id="L28: a call by another seat than the due one"),
    pytest.param("N", "1C", "E:1D", set(), id="L18: a bid outranks one of a lower denomination"),
    pytest.param("N", "1C", "E:1C", {LOW}, id="L27: the same bid does not outrank itself"),
    pytest.param("N", "2C", "E:1NT", {LOW}, id="L18: a lower level never outranks a higher"),
    pytest.param("N", "1NT", "E:2C", set(), id="L18: two clubs outranks one notrump"),
    pytest.param("N", "2C", "S:1H", {LOW, OUT}, id="L27, L28: out of rotation and insufficient at once"),
    pytest.param("N", "", "N:X", {BAD_X}, id="L19A: double of nothing"),
    pytest.param("N", "1C", "E:X", set(), id="L19A: double of an opponent's bid"),
    pytest.param("N", "1C P P", "W:X", set(), id="L19A: passes may come between"),
    pytest.param("N", "1C P", "S:X", {BAD_X}, id="L19A: double of partner's bid"),
    pytest.param("N", "1C X P", "W:X", {BAD_X}, id="L19A: double of a doubled bid"),
    pytest.param("N", "1C X XX", "W:X", {BAD_X}, id="L19A: double of a redoubled bid"),
    pytest.param("N", "1C X 1D", "W:X", set(), id="L19D: a new bid wipes the double"),
    pytest.param("N", "1C", "W:X", {OUT}, id="L28: a good double out of rotation"),
    pytest.param("N", "1C", "S:X", {OUT, BAD_X}, id="L28, L36: a bad double out of rotation"),
    pytest.param("N", "1C X", "S:XX", set(), id="L19B: redouble of an opponent's double"),
    pytest.param("N", "1C X P P", "N:XX", set(), id="L19B: redouble of one's own doubled bid"),
    pytest.param("N", "1C X P", "W:XX", {BAD_XX}, id="L19B: redouble of partner's double"),
    pytest.param("N", "1C", "E:XX", {BAD_XX}, id="L37: redouble of an undoubled bid"),
    pytest.param("N", "1C X XX P", "N:XX", {BAD_XX}, id="L37: redouble of a redoubled bid"),
    pytest.param("N", "", "N:XX", {BAD_XX}, id="L37: redouble of nothing"),
    pytest.param("N", "1C P P P", "N:P", {LATE}, id="L39: a pass after the final pass"),
    pytest.param("N", "3NT P P P", "N:4S", {LATE}, id="L39: a bid after the final pass"),
    pytest.param(
        "N", "3NT P P P", "S:1S", {LATE, LOW}, id="L39, L27: late and insufficient, and no turn left"
    ),
    pytest.param("N", "P P P P", "E:1C", {LATE}, id="L39: a bid after four passes"),
    pytest.param("N", "2S E:1H", "S:2H", {}, id="L27: an insufficient bid ranks as it lies"),
    pytest.param("N", "2S E:1H", "S:1S", {}, id="L27: also what outranks it alone is sufficient"),
]


@pytest.mark.parametrize(("dealer", "before", "call", "expected"), DEPARTURES)
def test_all_departures_of_a_call_at_once(
    dealer: str, before: str, call: str, expected: set[CallFault]
) -> None:
    seat, _, text = call.partition(":")
    so_far = auction(dealer, before)
    found = faults_of(so_far, Seat(seat), parse_call(text))
    assert found == set(expected)
    assert is_legal(so_far, Seat(seat), parse_call(text)) is not bool(expected)
    assert faults_in(so_far.after(Seat(seat), parse_call(text)))[-1] == found


ENDS = [
    pytest.param("N", "P P P", False, id="L22A: three passes at the start end nothing"),
    pytest.param("N", "P P P P", True, id="L22A: four passes at the start pass the board out"),
    pytest.param("N", "1C P P", False, id="L22B: two passes after a bid end nothing"),
    pytest.param("N", "1C P P P", True, id="L22B: three passes after a bid"),
    pytest.param("N", "P P P 1C P P P", True, id="L22B: three passes after a bid in fourth seat"),
    pytest.param("N", "1C X P P P", True, id="L22B: three passes after a double"),
    pytest.param("N", "1C P P X P P", False, id="L22B: a double starts the count again"),
    pytest.param("N", "1C S:P W:P N:P", False, id="L34, 17D3: the third pass took East's turn from him"),
    pytest.param("N", "1C S:P W:P N:P E:P", True, id="L34: it ends when East has had his turn"),
    pytest.param("N", "1C S:P W:P N:P E:1H", False, id="L34: East may still bid"),
    pytest.param("N", "E:P S:P W:P N:P", True, id="L34: the dealer skipped first had his turn in the end"),
    pytest.param(
        "N", "1C P X P P P", False, id="L36: an inadmissible double is open, the passes end nothing"
    ),
    pytest.param("N", "1C P X 1H P P P", True, id="L36: a later bid supersedes it"),
    pytest.param("N", "1C XX P P P", False, id="L37: so it is with an inadmissible redouble"),
    pytest.param("N", "2S 1H P P P", True, id="L27: an insufficient bid can become the contract"),
]


@pytest.mark.parametrize(("dealer", "calls", "over"), ENDS)
def test_when_an_auction_ends(dealer: str, calls: str, over: bool) -> None:
    read = auction(dealer, calls)
    assert read.is_over is over
    assert (contract_of(read) is not None) is over
    assert (read.turn is None) is over


def test_passes_that_end_nothing_are_told_from_too_few() -> None:
    assert auction("N", "1C S:P W:P N:P").passed_but_open
    assert auction("N", "1C P X P P P").passed_but_open
    assert not auction("N", "1C S:P W:P").passed_but_open
    assert not auction("N", "1C P P P").passed_but_open


@pytest.mark.parametrize(
    "calls", ["1C S:P W:P N:P", "1C P X P P P"], ids=["L34: skipped turn", "L36: double"]
)
def test_what_the_director_settled_keeps_the_auction_open_no_longer(calls: str) -> None:
    settled = auction("N", calls).settle()
    assert settled.is_over
    contract = contract_of(settled)
    assert str(contract) == "1C", "an inadmissible double never counts in the contract"
    assert settled != auction("N", calls)


def test_what_is_settled_covers_only_the_calls_made_by_then() -> None:
    settled = auction("N", "1C S:1D").settle()
    assert settled.deprived == frozenset()
    assert settled.turn is Seat.W
    again = settled.after(Seat.N, PASS)
    assert again.deprived == {Seat.W}
    assert faults_of(settled, Seat.E, PASS) == {OUT}, "the director settled that South's call stands"


def test_a_bid_after_passes_that_ended_nothing_outlives_settling() -> None:
    """Settling must not date the end of the auction back before calls already made."""
    read = auction("N", "1C S:P W:P N:P E:1H").settle()
    assert not read.is_over
    assert read.last_bid == MadeCall(Seat.E, Bid(1, Denomination.H))


def test_settling_a_finished_auction_changes_nothing() -> None:
    over = auction("N", "1C P P P P")
    assert over.settle() is over


class TestRotation:
    """interpretation.md, "Rotation"."""

    def test_the_next_due_is_the_left_of_whoever_called(self) -> None:
        read = auction("N", "P S:1C")
        assert read.turn is Seat.W
        assert read.skipped is Seat.E
        assert read.deprived == {Seat.E}

    def test_the_skipped_seat_calls_after_all_and_an_opponents_call_is_set_aside(self) -> None:
        """L28B: the auction proceeds as though the opponent had not called."""
        read = auction("S", "W:1S S:1C")
        assert faults_of(auction("S", "W:1S"), Seat.S, parse_call("1C")) == frozenset()
        assert read.set_aside == (0,)
        assert read.turn is Seat.W
        assert read.last_bid == MadeCall(Seat.S, Bid(1, Denomination.C))
        assert read.standing == made("S:1C")
        assert read.column(Seat.W) == (Bid(1, Denomination.S),), "its card still lies"
        again = read.after(Seat.W, parse_call("1S"))
        assert faults_of(read, Seat.W, parse_call("1S")) == frozenset(), "made then, and judged afresh"
        assert again.standing == made("S:1C", "W:1S")

    def test_partners_call_out_of_turn_is_not_set_aside(self) -> None:
        read = auction("S", "N:1S S:2C")
        assert faults_of(auction("S", "N:1S"), Seat.S, parse_call("1C")) == {LOW}
        assert read.set_aside == ()
        assert read.turn is Seat.W
        assert read.standing == made("N:1S", "S:2C")

    def test_anybody_else_calls_over_it(self) -> None:
        read = auction("S", "W:1S N:P")
        assert read.skipped is None
        assert faults_of(read, Seat.S, PASS) == {OUT}, "South's chance is gone: East is due"
        assert read.turn is Seat.E
        assert auction("S", "W:1S N:P E:P S:P").is_over

    def test_a_call_by_the_right_hand_opponent_of_the_due_seat_is_set_aside_by_his_call(self) -> None:
        read = auction("N", "W:1S N:1C")
        assert read.set_aside == (0,)
        assert read.turn is Seat.E
        assert read.deprived == frozenset()

    def test_two_calls_out_of_rotation_running(self) -> None:
        read = auction("N", "E:1C W:1D")
        assert read.turn is Seat.N
        assert read.skipped is Seat.S
        assert read.after(Seat.S, parse_call("1D")).standing == made("E:1C", "S:1D")

    def test_an_inadmissible_double_uses_the_turn_and_nothing_else(self) -> None:
        read = auction("N", "1C P X")
        assert read.turn is Seat.W
        assert read.doubling is Doubling.UNDOUBLED
        assert is_legal(read, Seat.W, DOUBLE)

    def test_the_first_call_is_in_rotation_where_the_dealer_is_unknown(self) -> None:
        unknown = Auction(None)
        assert unknown.turn is None
        assert not unknown.is_over
        assert unknown.owed_by((Seat.N, Seat.E)) == ()
        assert is_legal(unknown, Seat.W, PASS)
        assert unknown.after(Seat.W, PASS).turn is Seat.N


OWED = [
    pytest.param("N", "", "NE", "NE", id="24.4: dealer North, NE owes two"),
    pytest.param("N", "", "SW", "", id="24.4: SW owes nothing yet"),
    pytest.param("E", "", "NE", "E", id="24.4: dealer East, NE owes East's alone"),
    pytest.param("W", "", "SW", "W", id="24.4: dealer West, SW owes West's alone"),
    pytest.param("N", "1C P P", "SW", "W", id="L22B: the third pass may fall to the second of the two"),
    pytest.param("E", "1C P P", "NE", "N", id="L22B: the third pass may fall to the first of the two"),
    pytest.param("N", "P P P", "SW", "W", id="L22A: the fourth pass at the start"),
    pytest.param("N", "1C P P P", "NE", "", id="L22B: nothing is owed when it is over"),
]


@pytest.mark.parametrize(("dealer", "calls", "face", "owed"), OWED)
def test_what_a_face_owes(dealer: str, calls: str, face: str, owed: str) -> None:
    seats = Faces().seats_on(ScreenSide(face))
    assert auction(dealer, calls).owed_by(seats) == tuple(Seat(letter) for letter in owed)


def test_calls_after_the_final_pass_count_for_nothing() -> None:
    read = auction("N", "1C P P P N:7NT")
    assert str(contract_of(read)) == "1C"
    assert read.ended_at == 4
    assert len(read.calls) == 5
    assert read.standing == auction("N", "1C P P P").calls


def test_a_withdrawn_call_is_owed_again_and_the_rest_is_read_afresh() -> None:
    read = auction("N", "1C 1D 1H")
    assert read.without(2).turn is Seat.S
    assert faults_in(read.without(1))[1] == {OUT}
    assert faults_in(read.replacing(1, parse_call("2D")))[2] == {LOW}
    with pytest.raises(IndexError, match="3 calls"):
        read.without(3)


def test_an_auction_can_be_a_key_and_never_settles_what_is_not_there() -> None:
    assert {auction("N", "1C P")} == {Auction.in_rotation(Seat.N, [parse_call("1C"), PASS])}
    with pytest.raises(ValueError, match="settled"):
        Auction(Seat.N, (), 1)


def test_a_pass_out_has_no_declarer() -> None:
    assert contract_of(auction("N", "P P P P")) == PassedOut()


seats = st.sampled_from(list(Seat))
any_calls = st.lists(st.tuples(seats, st.sampled_from(ALL_CALLS) | st.just(PASS)), max_size=12)


@given(dealer=seats | st.none(), calls=any_calls, cut=st.integers(0, 12))
def test_no_call_is_ever_refused_or_lost(
    dealer: Seat | None, calls: list[tuple[Seat, object]], cut: int
) -> None:
    read = Auction(dealer)
    for seat, call in calls:
        before, read = read, read.after(seat, call)  # type: ignore[arg-type]
        assert len(read.calls) == len(before.calls) + 1
        assert not (before.is_over and read.ended_at != before.ended_at)
        assert read.is_over or read.turn is seat.lho
        assert (contract_of(read) is None) is not read.is_over
    assert len(faults_in(read)) == len(calls)
    assert read == Auction(dealer, read.calls)
    settled = Auction(dealer, read.calls[:cut]).settle()
    assert not settled.deprived or settled.is_over
    assert not settled.passed_but_open


@given(dealer=seats, seed=st.integers(0, 10_000))
def test_a_legal_auction_has_no_departures_and_every_longest_owing_is_in_rotation(
    dealer: Seat, seed: int
) -> None:
    whole = legal_auction(dealer, seed)
    assert whole.is_over
    assert not any(faults_in(whole))
    read = Auction(dealer)
    for step in whole.calls:
        assert read.turn is step.seat
        owed = [read.owed_by(Faces().seats_on(side)) for side in ScreenSide]
        assert sorted(map(len, owed)) in ([0, 1], [0, 2])
        read = read.after(step.seat, step.call)
    assert REDOUBLE not in whole.column(dealer) or DOUBLE in [step.call for step in whole.calls]
