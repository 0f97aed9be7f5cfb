"""PBN as it is found: what each oddity means, and that nothing is mended in silence."""

import pytest

from hw_sim.records import Alert
from table_controller.laws.board import Vulnerability
from table_controller.laws.contract import Contract, PassedOut
from table_controller.laws.seat import Seat
from tests.records.short import DEAL, HEAD, calls, cards, game, refused

AUCTIONS = [
    pytest.param("N", "1NT Pass 3NT AP", "N:1NT E:P S:3NT W:P N:P E:P", id="AP after a bid: three passes"),
    pytest.param("N", "AP", "N:P E:P S:P W:P", id="AP and nobody has bid: four passes"),
    pytest.param("N", "Pass Pass AP", "N:P E:P S:P W:P", id="AP completes passes already made"),
    pytest.param("N", "1C X ap", "N:1C E:X S:P W:P N:P", id="AP in small letters, after a double"),
    pytest.param("N", "1C All Pass", "N:1C E:P S:P W:P", id="All Pass in two words"),
    pytest.param("N", "1n p 2♥ dbl Rdbl p p p", "N:1NT E:P S:2H W:X N:XX E:P S:P W:P", id="other spellings"),
    pytest.param("N", "1C ! $5 X?! {why} AP", "N:1C E:X S:P W:P N:P", id="quality marks, codes, comments"),
    pytest.param("N", "1C\n;P\n1D AP", "N:1C E:1D S:P W:P N:P", id="a comment to the end of the line"),
    pytest.param("N", "1C\n%1D\n1H AP", "N:1C E:1H S:P W:P N:P", id="an escaped line"),
    pytest.param("W", "- 1C Pass AP", "N:1C E:P S:P W:P", id="dashes before the dealer"),
    pytest.param("N", "1D 1S ^I 1H AP", "N:1D E:1S S:1H W:P N:P E:P", id="^I marks the call behind it"),
    pytest.param("N", "1D ^S 1H AP", "N:1D S:1H W:P N:P E:P", id="^S skips a turn"),
    pytest.param("N", "1D - 1H AP", "N:1D S:1H W:P N:P E:P", id="a dash is no call"),
    pytest.param("N", "1D Pass *", "N:1D E:P", id="* ends what is recorded"),
    pytest.param("N", "1D Pass\n+", "N:1D E:P", id="+ for what is to be continued"),
    pytest.param("N", "1C Pass Pass Pass Pass", "N:1C E:P S:P W:P N:P", id="a pass too many is a call"),
    pytest.param("N", "2C 1D X X AP", "N:2C E:1D S:X W:X N:P E:P S:P", id="irregular calls are calls"),
]


@pytest.mark.parametrize(("seat", "text", "expected"), AUCTIONS)
def test_calls_of_an_auction(seat: str, text: str, expected: str) -> None:
    assert calls(game(f'{HEAD}[Auction "{seat}"]\n{text}\n')) == expected


@pytest.mark.parametrize("word", ["4Z", "8C", "1", "SK", "1Cx", "xyz", "XXX", "^Q"])
def test_a_call_that_cannot_be_read_refuses_the_game_and_names_it(word: str) -> None:
    found = refused(f'{HEAD}[Auction "N"]\nPass {word} AP\n')
    assert found.reason.startswith("call 2 cannot be read")
    assert word in found.reason
    assert (found.game, found.board) == (1, 1)


def test_an_auction_that_is_not_over_is_played_as_far_as_it_goes() -> None:
    found = game(f'{HEAD}[Auction "N"]\n1C Pass Pass\n')
    assert found.contract is None
    assert found.remarks == ("the calls recorded do not end the auction",)


UNPLAYED = [
    pytest.param(
        '[Contract "Pass"]\n[Declarer ""]\n[Result ""]\n', "never played", id="says Pass and has no auction"
    ),
    pytest.param('[Auction "N"]\n*\n', "no calls are recorded", id="an auction without calls"),
    pytest.param(
        '[Contract "4S"]\n[Declarer "N"]\n[Play "E"]\nSA SK\n*\n', "no calls are recorded", id="cards alone"
    ),
    pytest.param("", "no calls are recorded", id="nothing but a board"),
]


@pytest.mark.parametrize(("text", "reason"), UNPLAYED)
def test_without_calls_a_game_is_refused_not_passed_out(text: str, reason: str) -> None:
    assert reason in refused(HEAD + text).reason


def test_a_pass_out_with_its_calls_is_one() -> None:
    found = game(f'{HEAD}[Contract "PAS"]\n[Declarer ""]\n[Result "0"]\n[Auction "N"]\nPass Pass Pass Pass\n')
    assert found.contract == PassedOut()
    assert found.remarks == ()
    assert found.result is None


CONTRACTS = [
    ("3NT", "3NT"),
    ("3N", "3NT"),
    ("3ntx", "3NTX"),
    ("3NTXX", "3NTXX"),
    ("3 NT", "3NT"),
    ("3♥", "3H"),
]


@pytest.mark.parametrize(("written", "read"), CONTRACTS)
def test_contracts_in_all_spellings(written: str, read: str) -> None:
    found = game(f'{HEAD}[Contract "{written}"]\n[Auction "N"]\n1C AP\n')
    assert found.recorded_contract == read
    assert found.remarks == (f"the record says the contract is {read}, its calls say 1C",)


@pytest.mark.parametrize("written", ["", "?", " "])
def test_an_unknown_contract_is_unknown(written: str) -> None:
    found = game(
        f'{HEAD}[Contract "{written}"]\n[Declarer "{written}"]\n[Result "{written}"]\n[Auction "N"]\n1C AP\n'
    )
    assert (found.recorded_contract, found.recorded_declarer, found.result, found.remarks) == (
        None,
        None,
        None,
        (),
    )


def test_tags_that_lie_are_remarked_on_and_the_calls_win() -> None:
    found = game(f'{HEAD}[Contract "4SX"]\n[Declarer "W"]\n[Result "10"]\n[Auction "N"]\n1S P 2S AP\n')
    assert isinstance(found.contract, Contract)
    assert (str(found.contract), found.contract.declarer) == ("2S", Seat.N)
    assert found.remarks == (
        "the record says the contract is 4SX, its calls say 2S",
        "the record says the declarer is W, its calls say N",
    )


VULNERABILITIES = [
    *(("None", Vulnerability.NONE), ("Love", Vulnerability.NONE), ("-", Vulnerability.NONE)),
    *(
        ("NS", Vulnerability.NS),
        ("EW", Vulnerability.EW),
        ("All", Vulnerability.BOTH),
        ("Both", Vulnerability.BOTH),
    ),
]


@pytest.mark.parametrize(("written", "read"), VULNERABILITIES)
def test_vulnerability_in_all_spellings(written: str, read: Vulnerability) -> None:
    found = game(f'[Dealer "N"]\n[Vulnerable "{written}"]\n[Auction "N"]\n1C AP\n')
    assert (found.vulnerability, found.board, found.remarks) == (read, None, ())


def test_a_records_dealer_and_vulnerability_win_over_its_number_and_that_is_said() -> None:
    found = game('[Board "2"]\n[Dealer "W"]\n[Vulnerable "All"]\n[Auction "W"]\n1C AP\n')
    assert (found.dealer, found.vulnerability) == (Seat.W, Vulnerability.BOTH)
    assert found.remarks == ("dealer W, by board 2 it is E", "vulnerability Both, by board 2 it is NS")


def test_what_is_not_recorded_comes_from_the_number_and_that_is_said() -> None:
    found = game('[Board "2"]\n[Auction ""]\n1C AP\n')
    assert (found.dealer, found.vulnerability) == (Seat.E, Vulnerability.NS)
    assert found.remarks == (
        "no dealer is recorded; by board 2 it is E",
        "no vulnerability is recorded; by board 2 it is NS",
    )
    by_auction = game('[Auction "S"]\n- 1C AP\n')
    assert (by_auction.dealer, by_auction.vulnerability) == (Seat.W, None)
    assert "calls first" in refused('[Event "?"]\n[Auction ""]\n1C AP\n').reason


def test_an_auction_that_begins_with_another_than_the_dealer_is_played_so() -> None:
    found = game(f'{HEAD}[Auction "E"]\n1C AP\n')
    assert calls(found) == "E:1C S:P W:P N:P"
    assert found.dealer is Seat.N
    assert found.remarks == ("the dealer is N, but E is recorded as calling first",)


PLAYS = [
    pytest.param(
        "E", "D4 D2 D3 D5\nS5 S7 S9 S2", "E:D4 S:D2 W:D3 N:D5 N:S2 E:S5 S:S7 W:S9", id="columns, not order"
    ),
    pytest.param(
        "E", "D4 D2 D3 D5\n- - - S2", "E:D4 S:D2 W:D3 N:D5 N:S2", id="dashes where nothing was played"
    ),
    pytest.param(
        "E", "D4 D2 D3 D5 S5 S7\nS9 S2", "E:D4 S:D2 W:D3 N:D5 N:S2 E:S5 S:S7 W:S9", id="rows run on"
    ),
    pytest.param("E", "D4 D2 D3 D5\n* S5", "E:D4 S:D2 W:D3 N:D5", id="* ends it"),
    pytest.param("E", "D4 D2 + D5", "E:D4 S:D2 N:D5", id="+ stands for who is to play"),
    pytest.param(
        "E", "D4 D2 D3 ^R H9\nS5 S7 S9 S2", "E:D4 S:D2 W:D3 N:H9 E:S5 S:S7 W:S9 N:S2", id="^R marks a revoke"
    ),
    pytest.param(
        "E", "D4 D2 D3 D5\n^L S5 S7 S9 S2", "E:D4 S:D2 W:D3 N:D5 E:S5 S:S7 W:S9 N:S2", id="^L marks the lead"
    ),
    pytest.param("E", "d4 ♦2 D3! =1= D5 $9", "E:D4 S:D2 W:D3 N:D5", id="spellings, marks and notes"),
    pytest.param("", "D4 D2 D3 D5", "E:D4 S:D2 W:D3 N:D5", id="no seat: the leader of the contract"),
    pytest.param(
        "E", "D4 D2 D3 D5\nS5 S7 SQ9 S2", "E:D4 S:D2 W:D3 N:D5 E:S5 S:S7", id="an unreadable card ends it"
    ),
    pytest.param("E", "D4 - - -\n- - D3 D5", "E:D4 W:D3 N:D5", id="a hole in the middle loses no card"),
]


@pytest.mark.parametrize(("seat", "rows", "expected"), PLAYS)
def test_cards_come_in_the_order_of_play(seat: str, rows: str, expected: str) -> None:
    found = game(f'{HEAD}[Auction "N"]\n1NT AP\n[Play "{seat}"]\n{rows}\n')
    assert cards(found) == expected


def test_short_rows_are_read_as_the_tricks_they_make_sense_as() -> None:
    rows = "D4 D2 D3\nS5 S7 S9 S2"
    found = game(f'{HEAD}{DEAL}[Auction "N"]\n1NT AP\n[Play "E"]\n{rows}\n')
    assert cards(found) == "E:D4 S:D2 W:D3 E:S5 S:S7 W:S9 N:S2"
    assert any("shorter than four" in remark for remark in found.remarks)


RESULTS = [
    ("9", 9),
    ("^9", 9),
    ("NS 9", 9),
    ("EW 4", 9),
    ("NS 9 EW 4", 9),
    ("NS 9 EW 2", None),
    ("C-2", None),
    ("14", None),
]


@pytest.mark.parametrize(("written", "read"), RESULTS)
def test_results_in_all_spellings(written: str, read: int | None) -> None:
    found = game(f'{HEAD}[Auction "N"]\n1NT AP\n[Declarer "N"]\n[Result "{written}"]\n')
    assert found.result == read
    assert bool(found.remarks) is (read is None or written.startswith("^"))


def test_a_result_with_cards_left_is_what_was_given() -> None:
    found = game(f'{HEAD}[Auction "N"]\n1NT AP\n[Play "E"]\nD4 D2 D3 D5\n*\n[Result "8"]\n')
    assert (found.claimed, found.result, found.tricks) == (8, 8, 8)


DEALS = [
    ("N:- - - -", "N has 0 cards"),
    ("N:Q432.A9.AK75.Q63 - AJ7.J64.QT2.A852 -", "E has 0 cards"),
    ("N:Q432.A9.AK75.Q6 KT865.T753.J84.K AJ7.J64.QT2.A852 9.KQ82.963.JT974", "N has 12 cards"),
    ("N:Q432.A9.AK75.Q63 QT865.T753.J84.K AJ7.J64.QT2.A852 9.KQ82.963.JT974", "SQ is dealt twice"),
    ("N:Q432.A9.AK7v.Q63 KT865.T753.J84.K AJ7.J64.QT2.A852 9.KQ82.963.JT974", "N's hand cannot be read"),
    ("somewhere", "the deal cannot be read"),
]


@pytest.mark.parametrize(("deal", "remark"), DEALS)
def test_hands_that_are_not_whole_are_unknown_and_the_game_is_played(deal: str, remark: str) -> None:
    found = game(f'{HEAD}[Deal "{deal}"]\n[Auction "N"]\n1NT AP\n')
    assert found.hands is None
    assert any(remark in said for said in found.remarks)
    assert game(f'{HEAD}{DEAL}[Auction "N"]\n1NT AP\n').hands is not None


def test_notes_are_alerts_of_the_call_before_them() -> None:
    notes = '[Note "1:strong"]\n[Note "2: \\"weak\\""]\n[Play "E"]\n[Note "1:a lead"]\n'
    found = game(f'{HEAD}[Auction "N"]\n1C =1= 1S =2= X* AP\n{notes}')
    assert found.alerts == (Alert(call=0, text="strong"), Alert(call=1, text='"weak"'), Alert(call=2))
