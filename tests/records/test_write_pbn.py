"""What is written reads back as the same game, irregular or not."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import hw_sim.recordings
from hw_sim.records import Alert, RecordedGame, read_records, read_text, write_pbn
from table_controller.laws.auction import Auction, MadeCall
from table_controller.laws.board import Vulnerability
from table_controller.laws.call import ALL_CALLS, PASS
from table_controller.laws.seat import Seat

OWN = Path(hw_sim.recordings.__file__).parent
DATA = Path(__file__).parent / "data"


def again(written: list[RecordedGame]) -> list[RecordedGame]:
    found = list(read_text(write_pbn(written), written[0].file))
    assert all(isinstance(game, RecordedGame) for game in found), found
    return [game for game in found if isinstance(game, RecordedGame)]


def told(game: RecordedGame) -> RecordedGame:
    """The game without what a second writing may say differently: its place, its claims, its remarks."""
    return replace(game, file="", game=1, remarks=(), recorded_contract=None, recorded_declarer=None)


def test_our_own_records_read_back_the_same() -> None:
    games = [game for game in read_records([OWN]) if isinstance(game, RecordedGame)]
    assert [told(game) for game in again(games)] == [told(game) for game in games]
    assert all(not game.remarks for game in again(games))


def test_what_is_written_follows_the_calls_where_the_record_lied() -> None:
    _, ugly, _, _ = read_records([DATA / "ugly.pbn"])
    assert isinstance(ugly, RecordedGame)
    (found,) = again([ugly])
    assert (found.recorded_contract, found.recorded_declarer) == ("2S", Seat.N)
    assert told(found) == told(ugly)


seats = st.sampled_from(list(Seat))
calls = st.builds(MadeCall, seats, st.sampled_from(ALL_CALLS) | st.just(PASS))
alerts = st.dictionaries(
    st.integers(0, 3), st.text('ab:"\\{}[]=é %;', max_size=12).map(str.strip), max_size=3
)


@given(dealer=seats, made=st.lists(calls, min_size=4, max_size=14), noted=alerts)
def test_any_calls_by_any_seats_read_back_the_same(
    dealer: Seat, made: list[MadeCall], noted: dict[int, str]
) -> None:
    game = RecordedGame(
        file="x",
        game=1,
        room=None,
        board=None,
        dealer=dealer,
        vulnerability=Vulnerability.EW,
        calls=tuple(made),
        alerts=tuple(Alert(call=call, text=" ".join(text.split())) for call, text in sorted(noted.items())),
    )
    assert [told(found) for found in again([game])] == [told(game)]


def test_cards_that_have_no_column_are_not_lost() -> None:
    (game, *_) = read_records([OWN / "first-round.pbn"])
    assert isinstance(game, RecordedGame)
    odd = replace(game, play=game.play[:5] + game.play[4:8], result=None, claimed=None)
    text = write_pbn([odd])
    assert "{ then: E:SK" not in text
    assert "{ then: " in text
    unfinished = replace(game, calls=game.calls[:2])
    assert "{ cards played: E:D4 " in write_pbn([unfinished])


def test_lines_are_short_enough_and_no_player_is_named() -> None:
    games = [game for game in read_records([OWN]) if isinstance(game, RecordedGame)]
    text = write_pbn(games, event='An "evening"', site="C:\\club", date="2024.01.01")
    assert max(map(len, text.splitlines())) <= 255
    assert text.count('[North "?"]') == len(games)
    assert text.count('[Event "An \\"evening\\""]') == len(games)


@pytest.mark.parametrize("seat", list(Seat))
def test_a_first_call_out_of_rotation_is_written_with_the_turns_it_skipped(seat: Seat) -> None:
    auction = Auction(Seat.N).after(seat, PASS)
    game = RecordedGame(
        file="x",
        game=1,
        room=None,
        board=1,
        dealer=Seat.N,
        vulnerability=Vulnerability.NONE,
        calls=auction.calls,
    )
    assert write_pbn([game]).count("^S") == list(Seat).index(seat)
    assert again([game])[0].calls == auction.calls
