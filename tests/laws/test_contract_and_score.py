"""Contract, declarer and score: by the Laws, and against another program on generated auctions."""

import pytest

from table_controller.laws.auction import Auction, Doubling
from table_controller.laws.board import Vulnerability
from table_controller.laws.call import ALL_BIDS, parse_call
from table_controller.laws.contract import Contract, PassedOut, contract_of, parse_contract
from table_controller.laws.score import score_of
from table_controller.laws.seat import Seat
from tests.laws.build import auction, legal_auction

CONTRACTS = [
    pytest.param("N", "1S P 2S P P P", "2S", "N", id="L22B: declarer first named the denomination"),
    pytest.param("N", "1H 1S 2H 2S P P P", "2S", "E", id="definitions: of the partnership that bid last"),
    pytest.param(
        "N", "1C 1S P 2S 3S P P P", "3S", "N", id="definitions: an opponent's naming does not count"
    ),
    pytest.param("N", "1C X P P P", "1CX", "N", id="L19: doubled"),
    pytest.param("N", "1C X XX P P P", "1CXX", "N", id="L19: redoubled"),
    pytest.param("N", "1C X XX 1D P P P", "1D", "W", id="L19D: a bid wipes both"),
    pytest.param("N", "1NT P 2C P 2S P 3NT P P P", "3NT", "N", id="L22B: notrump is a denomination"),
    pytest.param("N", "2S P 1S P P P", "1S", "N", id="L27: an insufficient bid stands as it lies"),
    pytest.param("N", "1C P X P 1D P P P", "1D", "N", id="L36: an inadmissible double does not count"),
]


@pytest.mark.parametrize(("dealer", "calls", "text", "declarer"), CONTRACTS)
def test_contract_and_declarer(dealer: str, calls: str, text: str, declarer: str) -> None:
    contract = contract_of(auction(dealer, calls))
    assert contract == parse_contract(text, Seat(declarer))
    assert str(contract) == text


def test_leader_and_dummy_sit_beside_and_opposite() -> None:
    contract = parse_contract("3NT", Seat.E)
    assert (contract.leader, contract.dummy) == (Seat.S, Seat.W)
    assert contract.tricks_needed == 9


def test_a_contract_is_written_one_way_only() -> None:
    with pytest.raises(ValueError, match="not a contract"):
        parse_contract("3N", Seat.N)


SCORES = [
    ("1C", 7, False, 70),
    ("1NT", 7, True, 90),
    ("3NT", 9, False, 400),
    ("4S", 10, True, 620),
    ("5D", 12, True, 620),
    ("6H", 12, False, 980),
    ("7NT", 13, True, 2220),
    ("2SX", 8, False, 470),
    ("1CX", 7, True, 140),
    ("1CXX", 8, True, 630),
    ("2NTXX", 9, False, 880),
    ("4S", 8, True, -200),
    ("4SX", 9, False, -100),
    ("4SX", 6, False, -800),
    ("4SX", 6, True, -1100),
    ("7NTXX", 0, True, -7600),
]


@pytest.mark.parametrize(
    ("text", "tricks", "vulnerable", "points"), SCORES, ids=[f"L77: {s[0]}={s[3]}" for s in SCORES]
)
def test_scores_of_the_table_in_the_laws(text: str, tricks: int, vulnerable: bool, points: int) -> None:
    assert score_of(parse_contract(text, Seat.N), tricks, vulnerable=vulnerable) == points


def test_there_are_thirteen_tricks() -> None:
    with pytest.raises(ValueError, match="0 to 13"):
        score_of(parse_contract("1C", Seat.N), 14, vulnerable=False)


def test_contract_and_declarer_agree_with_another_program() -> None:
    types = pytest.importorskip("endplay.types")
    seen: set[str] = set()
    for seed in range(400):
        for dealer in Seat:
            read = legal_auction(dealer, seed)
            theirs = types.Contract.from_auction(
                types.Player.find(dealer.value),
                [types.Bid(_their_call(str(made.call))) for made in read.calls],
            )
            ours = contract_of(read)
            if isinstance(ours, PassedOut):
                assert theirs.is_passout(), read
            else:
                assert ours is not None
                assert f"{ours.bid}" == f"{theirs.level}{_their_denomination(theirs)}", read
                assert ours.declarer.value == theirs.declarer.abbr, read
                assert str(ours.doubled.name.lower()) == _PENALTIES[theirs.penalty.name], read
            seen.add(str(ours))
    assert len(seen) > 60, "the generated auctions must not all end alike"


def test_every_score_agrees_with_another_program() -> None:
    types = pytest.importorskip("endplay.types")
    for bid in ALL_BIDS:
        for doubled in Doubling:
            contract = Contract(bid, doubled, Seat.N)
            for tricks in range(14):
                text = f"{bid.level}{bid.denomination.name[0]}N{_MARKS[doubled]}"
                theirs = types.Contract(f"{text}{tricks - contract.tricks_needed:+d}")
                for vulnerability, their in ((Vulnerability.NONE, "none"), (Vulnerability.NS, "ns")):
                    vulnerable = vulnerability.includes(Seat.N.partnership)
                    ours = score_of(contract, tricks, vulnerable=vulnerable)
                    assert ours == theirs.score(types.Vul.find(their)), (contract, tricks, vulnerable)


_MARKS = {Doubling.UNDOUBLED: "", Doubling.DOUBLED: "X", Doubling.REDOUBLED: "XX"}
_PENALTIES = {"passed": "undoubled", "doubled": "doubled", "redoubled": "redoubled"}


def _their_call(text: str) -> str:
    return text.replace("NT", "N")


def _their_denomination(contract: object) -> str:
    denomination = str(contract.denom.name).upper()  # type: ignore[attr-defined]
    return denomination if denomination == "NT" else denomination[0]


def test_the_generated_auctions_hold_what_they_should() -> None:
    """The comparison above is only as good as what it compares."""
    drawn = [legal_auction(dealer, seed) for seed in range(100) for dealer in Seat]
    contracts = [contract_of(read) for read in drawn]
    assert PassedOut() in contracts
    doubled = {contract.doubled for contract in contracts if isinstance(contract, Contract)}
    assert doubled == set(Doubling)
    assert any(isinstance(contract, Contract) and contract.bid.level == 7 for contract in contracts)
    assert max(len(read.calls) for read in drawn) > 20


def test_calls_in_rotation_from_a_list() -> None:
    read = Auction.in_rotation(Seat.S, [parse_call(text) for text in ("1C", "P", "P", "P")])
    assert contract_of(read) == parse_contract("1C", Seat.S)
