"""A PBN play section to cards in the order in which they were played.

A row is four columns, the first that of the seat named by the section's tag; who led to a trick is known
from who won the one before, or from the record's own mark. Must never invent or lose a card: where one is
missing in the middle, the rest stand in the order of rows and columns, and that this is not certain is said.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from hw_sim.records.build import Draft
from hw_sim.records.notation import read_card, read_contract, read_seat
from hw_sim.records.pbn_text import Section
from table_controller.laws.auction import Auction
from table_controller.laws.card import Card
from table_controller.laws.contract import Contract, contract_of
from table_controller.laws.play import Play, PlayedCard, Trick, card_faults_in
from table_controller.laws.seat import Seat

_HANGING = re.compile(r"(?:=[^=\s]*=|\$\d+|[!?]+)")
_NONE = ("-", "+")


@dataclass(frozen=True, slots=True)
class _Cell:
    """One column of a trick: a card, or None for a dash; `led` where the record marks a lead out of turn."""

    card: Card | None
    led: bool = False


class _UnreadableError(Exception):
    """A word of a play section is no card. Caught in this module."""


def lay_cards(draft: Draft, section: Section) -> None:
    """Put the section's cards on the draft in order of play; what is odd about them is remarked on."""
    contract = contract_of_draft(draft)
    first = read_seat(section.value.lstrip("^"))
    if first is None and contract is not None:
        first = contract.leader
        if section.value.strip() not in ("", "?"):
            draft.remark(f"the play's seat cannot be read: {section.value!r}")
    rows = _rows(draft, section)
    if first is None:
        if any(cell.card for row in rows for cell in row):
            draft.remark("who led is not recorded; the play was not read")
        return
    seats = (first, first.lho, first.partner, first.rho)
    readings = [_in_order(tricks, seats, contract) for tricks in _groupings(rows)]
    best = readings[0]
    if len(readings) > 1:
        best = min(readings, key=lambda reading: _faults(draft, contract, reading[0]))
    draft.play, remarks = best
    for remark in remarks:
        draft.remark(remark)
    if best is not readings[0]:
        draft.remark("rows of play are shorter than four cards; each was read as a trick")


def contract_of_draft(draft: Draft) -> Contract | None:
    """The contract by which tricks are won and counted: that of the calls, else what the record claims."""
    if draft.dealer is not None:
        outcome = contract_of(Auction(draft.dealer, tuple(draft.calls)))
        if isinstance(outcome, Contract):
            return outcome
    claimed = None if draft.contract_text is None else read_contract(draft.contract_text)
    if isinstance(claimed, Contract) and draft.declarer is not None:
        return Contract(claimed.bid, claimed.doubled, draft.declarer)
    return None


def _rows(draft: Draft, section: Section) -> list[list[_Cell]]:
    """The cells row by row, up to the end mark or to a word that cannot be read."""
    rows: list[list[_Cell]] = []
    for text in section.rows:
        words = text.replace("^ ", "^").split()
        row: list[_Cell] = []
        rows.append(row)
        for index, word in enumerate(words):
            if word == "*":
                return rows
            try:
                cell = _cell(word, led=bool(index) and words[index - 1].upper() == "^L")
            except _UnreadableError:
                draft.remark(f"a card cannot be read, and the play from it on was not read: {word!r}")
                return rows
            if cell is not None:
                row.append(cell)
    return rows


def _cell(word: str, *, led: bool) -> _Cell | None:
    """The column a word is, or None for a word that only says something about the card before or after."""
    upper = word.upper()
    if upper in ("^R", "^L"):
        return None
    if upper.startswith(("^R", "^L")):
        led = led or upper.startswith("^L")
        word = word[2:]
    plain = _HANGING.sub("", word)
    if not plain:
        return None
    if set(plain) == {"-"} or plain in _NONE:
        return _Cell(None)
    card = read_card(plain)
    if card is None:
        raise _UnreadableError(word)
    return _Cell(card, led)


def _groupings(rows: list[list[_Cell]]) -> list[list[list[_Cell]]]:
    """The ways to read rows as tricks: by fours, and where rows are shorter than four, row by row as well."""
    rows = [row for row in rows if row]
    cells = [cell for row in rows for cell in row]
    by_fours = [cells[start : start + 4] for start in range(0, len(cells), 4)]
    if by_fours == rows or any(len(row) > 4 for row in rows):
        return [by_fours]
    return [by_fours, rows]


def _faults(draft: Draft, contract: Contract | None, cards: list[PlayedCard]) -> tuple[int, int]:
    """How little a reading makes sense: cards that could not be played so, then cards it leaves out."""
    if contract is None:
        return (0, -len(cards))
    play = Play(contract, tuple(cards), draft.hands)
    return (sum(map(len, card_faults_in(play))), -len(cards))


def _in_order(
    tricks: list[list[_Cell]], seats: tuple[Seat, Seat, Seat, Seat], contract: Contract | None
) -> tuple[list[PlayedCard], list[str]]:
    """The cards in order of play, and remarks."""
    played: list[PlayedCard] = []
    remarks: list[str] = []
    leader: Seat | None = seats[0]
    gap = False
    for number, cells in enumerate(tricks, start=1):
        held = {seat: cell for seat, cell in zip(seats, cells, strict=False) if cell.card is not None}
        if not held:
            continue
        if gap:
            remarks.append("a card is missing in the middle; the order of those after it is not certain")
        elif number > 1 and contract is None:
            remarks.append("without a contract the order of the cards after the first trick is not certain")
        order, remark = _trick_order(held, leader, number)
        if remark is not None:
            remarks.append(remark)
        trick = [PlayedCard(seat, cell.card) for seat in order if (cell := held[seat]).card is not None]
        played += trick
        gap = gap or len(trick) < 4
        certain = not gap and contract is not None
        leader = (
            Trick(tuple(trick)).winning(contract.trump).seat if certain and contract is not None else None
        )
    return played, remarks


def _trick_order(held: dict[Seat, _Cell], leader: Seat | None, number: int) -> tuple[list[Seat], str | None]:
    """The seats of a trick in order of play: clockwise from its leader, as far as cards are recorded.

    An unknown leader is whoever has the first card after a missing one, else the first column.
    """
    remark = None
    marked = next((seat for seat, cell in held.items() if cell.led), None)
    if marked is not None:
        remark = f"{marked} is recorded as leading to trick {number} out of turn"
        leader = marked
    elif leader is None or leader not in held:
        expected, leader = leader, next((seat for seat in held if seat.rho not in held), next(iter(held)))
        if expected is not None:
            remark = f"trick {number} is recorded as led by {leader} when it was {expected}'s to lead"
    clockwise = (leader, leader.lho, leader.partner, leader.rho)
    order = [seat for seat in clockwise if seat in held]
    if remark is None and order != list(clockwise[: len(order)]):
        remark = f"a card is missing in trick {number}"
    return order, remark
