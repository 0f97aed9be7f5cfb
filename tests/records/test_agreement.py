"""Real records against what was read off them independently: every figure of every game.

Needs the folder of records beside the project (or SCREEN_TABLE_DATA); without it these tests say they skip.
"""

import csv
import gzip
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from hw_sim.records import Game, RecordedGame, RefusedGame, crossings, read_records, read_text, write_pbn
from hw_sim.records.notation import read_vulnerability
from table_controller.laws.auction import faults_in
from table_controller.laws.contract import Contract
from table_controller.laws.play import card_faults_in

DATA = Path(os.environ.get("SCREEN_TABLE_DATA", Path(__file__).resolve().parents[2] / "../shared/data"))
INDEX = DATA / "index-open.tsv.gz"
pytestmark = pytest.mark.skipif(not INDEX.exists(), reason=f"no recorded championships at {DATA}")
LIN_VULNERABILITY = {"o": "None", "n": "NS", "e": "EW", "b": "Both"}


@pytest.fixture(scope="module")
def games() -> dict[tuple[str, int], Game]:
    with (DATA / "MANIFEST.tsv").open(encoding="utf-8") as file:
        files = {row["id"]: DATA / row["file"] for row in csv.DictReader(file, delimiter="\t")}
    return {(number, game.game): game for number, path in files.items() for game in read_records([path])}


def rows() -> Iterator[dict[str, str]]:
    with gzip.open(INDEX, "rt", encoding="utf-8") as file:
        yield from csv.DictReader(file, delimiter="\t")


def told(game: Game) -> dict[str, str]:
    """A game in the words of the index; one without calls is refused and has the words that it lacks them."""
    if isinstance(game, RefusedGame):
        assert game.reason.startswith("no calls are recorded"), game
        return {"calls": "", "tray_passes": "", "contract": "", "declarer": ""}
    contract = game.contract
    return {
        "board": str(game.board),
        "dealer": game.dealer.value,
        "vul": str(game.vulnerability),
        "calls": str(len(game.calls)),
        "tray_passes": str(crossings(game.calls)),
        "contract": str(contract).replace("NT", "N"),
        "declarer": contract.declarer.value if isinstance(contract, Contract) else "",
        "result": "" if game.result is None else str(game.result),
        "cards": str(len(game.play)),
    }


def expected(row: dict[str, str]) -> dict[str, str]:
    said = {name: value for name, value in row.items() if name not in ("id", "game", "flags")}
    said["board"] = re.sub(r"^(?:o|c|Board )", "", said["board"])
    said["vul"] = str(read_vulnerability(LIN_VULNERABILITY.get(said["vul"], said["vul"])))
    said["cards"] = said["cards"] or "0"
    said["result"] = said["result"].lstrip("^").replace("None", "")
    return said


def test_every_game_without_flags_agrees_with_the_index(games: dict[tuple[str, int], Game]) -> None:
    """4,925 games: 4,905 played and 20 boards without calls, which the index finds without calls as well."""
    count: Counter[str] = Counter()
    differences = []
    for row in rows():
        game = games[row["id"], int(row["game"])]
        ours, theirs = told(game), expected(row)
        if not theirs["result"]:
            ours.pop("result", None)  # the index reads no list of results at the head of a LIN file
        differ = {name: (value, theirs[name]) for name, value in ours.items() if value != theirs[name]}
        kind = "refused" if isinstance(game, RefusedGame) else "agree"
        count["differ" if differ else kind] += not row["flags"]
        if differ and not row["flags"]:
            differences.append((row["id"], row["game"], differ))
    print(dict(count))
    assert differences == []
    assert (count["agree"], count["refused"]) == (4905, 20)
    assert len(games) == sum(1 for _ in rows())


def test_the_flagged_game_is_played_and_its_difference_said(games: dict[tuple[str, int], Game]) -> None:
    (row,) = [row for row in rows() if row["flags"]]
    game = games[row["id"], int(row["game"])]
    assert isinstance(game, RecordedGame)
    assert row["flags"] == "result-mismatch"
    assert game.remarks == ("the record says declarer won 9 tricks, its cards say 11",)


def test_what_is_odd_in_them_is_little_and_all_of_it_is_said(games: dict[tuple[str, int], Game]) -> None:
    said = Counter(
        remark for game in games.values() if isinstance(game, RecordedGame) for remark in game.remarks
    )
    assert said == {
        "the result is marked as irregular": 2,
        "the record says declarer won 9 tricks, its cards say 11": 1,
        "a card is missing in the middle; the order of those after it is not certain": 1,
        "the head of the file says 4SW-1, the record 10 tricks": 1,
    }


def test_championship_auctions_and_plays_are_clean_but_for_what_the_records_miss(
    games: dict[tuple[str, int], Game],
) -> None:
    """An order of play read wrongly would show as revokes and cards out of turn by the hundred."""
    irregular = Counter[str]()
    for game in games.values():
        if isinstance(game, RecordedGame):
            irregular.update(fault.value for faults in faults_in(game.auction) for fault in faults)
            if game.played is not None and not any("missing" in remark for remark in game.remarks):
                irregular.update(fault.value for faults in card_faults_in(game.played) for fault in faults)
    assert irregular == {}


@pytest.mark.long
def test_all_of_them_written_and_read_again_are_the_same(games: dict[tuple[str, int], Game]) -> None:
    played = [game for game in games.values() if isinstance(game, RecordedGame)]
    again = list(read_text(write_pbn(played), "again.pbn"))
    assert len(again) == len(played)
    for before, after in zip(played, again, strict=True):
        assert isinstance(after, RecordedGame)
        assert (before.calls, before.dealer, before.vulnerability) == (
            after.calls,
            after.dealer,
            after.vulnerability,
        )
        assert (before.hands, before.result, before.board) == (after.hands, after.result, after.board)
        if not before.remarks:
            assert before.play == after.play
