"""Games to PBN in its export format: what a table journalled, for programs that read no journal.

Must never tidy up: an irregular call is written as it was made, a turn that was skipped as skipped, and what
the columns of PBN cannot say stands in a comment beside them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from hw_sim.records.model import RecordedGame
from table_controller.laws.auction import CallFault, faults_in
from table_controller.laws.call import Call, Pass
from table_controller.laws.card import RANKS, Deal, Suit
from table_controller.laws.contract import Contract
from table_controller.laws.play import PlayedCard, Trick
from table_controller.laws.seat import Seat

_HEAD = "% PBN 2.1\n% EXPORT\n%Content-type: text/x-pbn; charset=UTF-8\n"
_VULNERABILITY = {"Both": "All"}


def write_pbn(games: Iterable[RecordedGame], *, event: str = "?", site: str = "?", date: str = "?") -> str:
    """A PBN file's text, `\\n` at the ends of lines, to be written as UTF-8. It names no player."""
    return _HEAD + "\n".join(_game(game, event, site, date) for game in games)


def _game(game: RecordedGame, event: str, site: str, date: str) -> str:
    contract = game.contract
    tags = [("Event", event), ("Site", site), ("Date", date)]
    tags += [("Board", "" if game.board is None else str(game.board))]
    tags += [(name, "?") for name in ("West", "North", "East", "South")]
    tags += [("Dealer", game.dealer.value), ("Vulnerable", _vulnerability(game))]
    tags += [("Deal", "" if game.hands is None else _deal(game.hands, game.dealer)), ("Scoring", "?")]
    tags += [("Declarer", contract.declarer.value if isinstance(contract, Contract) else "")]
    tags += [("Contract", "?" if contract is None else str(contract))]
    result = game.claimed if game.result is None else game.result
    tags += [("Result", "" if result is None else str(result))]
    if game.room is not None:
        tags.append(("Room", game.room))
    lines = [_tag(name, value) for name, value in tags]
    return "\n".join([*lines, *_auction(game), *_play(game)]) + "\n"


def _tag(name: str, value: str) -> str:
    escaped = " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def _vulnerability(game: RecordedGame) -> str:
    if game.vulnerability is None:
        return ""
    return _VULNERABILITY.get(game.vulnerability.value, game.vulnerability.value)


def _deal(deal: Deal, first: Seat) -> str:
    hands = []
    for seat in (first, first.lho, first.partner, first.rho):
        suits = []
        for suit in (Suit.S, Suit.H, Suit.D, Suit.C):
            ranks = sorted((card.rank for card in deal.of(seat) if card.suit is suit), reverse=True)
            suits.append("".join(RANKS[rank - 2] for rank in ranks))
        hands.append(".".join(suits))
    return f"{first}:{' '.join(hands)}"


def _auction(game: RecordedGame) -> Iterator[str]:
    """Four columns from the dealer. A seat passed over has `^S` in its column."""
    yield _tag("Auction", game.dealer.value)
    notes = {alert.call: alert.text for alert in game.alerts}
    numbers = {call: number for number, call in enumerate(sorted(notes), start=1)}
    words: list[str] = []
    column = game.dealer
    for index, (made, faults) in enumerate(zip(game.calls, faults_in(game.auction), strict=True)):
        while column is not made.seat:
            words.append("^S")
            column = column.lho
        mark = "^I " if CallFault.INSUFFICIENT_BID in faults else ""
        note = f" ={numbers[index]}=" if index in notes else ""
        words.append(f"{mark}{_call(made.call)}{note}")
        column = column.lho
    yield from (" ".join(words[start : start + 4]) for start in range(0, len(words), 4))
    if game.contract is None:
        yield "*"
    for call, number in numbers.items():
        yield _tag("Note", f"{number}:{notes[call]}")


def _call(call: Call) -> str:
    return "Pass" if isinstance(call, Pass) else str(call)


@dataclass(slots=True)
class _Row:
    """One trick in columns; `led` where its leader is not the one who won the trick before."""

    cards: dict[Seat, PlayedCard] = field(default_factory=dict)
    led: Seat | None = None


def _play(game: RecordedGame) -> Iterator[str]:
    contract = game.contract
    if not game.play or not isinstance(contract, Contract):
        if game.play:
            yield "{ cards played: " + " ".join(str(played) for played in game.play) + " }"
        return
    first = game.play[0].seat
    yield _tag("Play", first.value)
    rows, rest = _rows(game.play, contract)
    columns = (first, first.lho, first.partner, first.rho)
    for row in rows:
        yield " ".join(_cell(row, seat) for seat in columns)
    if len(rows) < 13 or len(rows[-1].cards) < 4:
        yield "*"
    if rest:
        yield "{ then: " + " ".join(str(played) for played in rest) + " }"


def _cell(row: _Row, seat: Seat) -> str:
    played = row.cards.get(seat)
    if played is None:
        return "-"
    return f"^L {played.card}" if row.led is seat else str(played.card)


def _rows(cards: tuple[PlayedCard, ...], contract: Contract) -> tuple[list[_Row], list[PlayedCard]]:
    """The play as tricks in columns, and the cards from the first on that have no place in them."""
    rows: list[_Row] = []
    leader: Seat | None = cards[0].seat
    for start in range(0, len(cards), 4):
        trick = cards[start : start + 4]
        seat = trick[0].seat
        clockwise = (seat, seat.lho, seat.partner, seat.rho)
        if len(rows) == 13 or tuple(played.seat for played in trick) != clockwise[: len(trick)]:
            return rows, list(cards[start:])
        rows.append(_Row({played.seat: played for played in trick}, None if seat is leader else seat))
        leader = Trick(trick).winning(contract.trump).seat
    return rows, []
