"""A PBN game's tags and rows to a recorded game.

Play rows are columns from the leader and calls are columns from the auction's first seat; only here are
they put in the order in which they were made. Must never judge a call: an irregular one is a call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hw_sim.records.build import Caller, Draft, finished, settle_board
from hw_sim.records.model import Game
from hw_sim.records.notation import (
    completed,
    is_unknown,
    read_call,
    read_contract,
    read_seat,
    read_suits,
    read_tricks,
    read_vulnerability,
)
from hw_sim.records.pbn_play import contract_of_draft, lay_cards
from hw_sim.records.pbn_text import Section, TaggedGame, games_of
from table_controller.laws.card import Card
from table_controller.laws.seat import Seat

# A call with what may hang on to it: quality marks, a star or exclamation for an alert, notes, codes.
_HANGING = re.compile(r"(?:=[^=\s]*=|\$\d+|[!?]+|\*)")
_CALL_WORD = re.compile(r"[^\s=!?$*]+")


def read_pbn(text: str, file: str) -> Iterator[Game]:
    """The games of a PBN file's text, in order, each read or refused on its own."""
    for number, tagged in enumerate(games_of(text), start=1):
        yield _game(tagged, file, number)


def _game(tagged: TaggedGame, file: str, number: int) -> Game:
    draft = Draft(file=file, game=number, remarks=list(tagged.remarks))
    tags = tagged.tags
    draft.room = None if is_unknown(tags.get("Room")) else tags["Room"].strip()
    draft.board = _board(draft, tags.get("Board"))
    draft.dealer = _seat(draft, "Dealer", tags.get("Dealer"))
    _vulnerability(draft, tags.get("Vulnerable"))
    _deal(draft, tags.get("Deal"))
    _contract(draft, tags)
    auction = tagged.sections.get("Auction")
    if auction is not None:
        _auction(draft, auction)
    settle_board(draft)
    play = tagged.sections.get("Play")
    if play is not None:
        lay_cards(draft, play)
    _result(draft, tags.get("Result"))
    return finished(draft)


def _board(draft: Draft, value: str | None) -> int | None:
    if value is None or is_unknown(value):
        return None
    found = re.fullmatch(r"\D*(\d{1,6})\D*", value.strip(), re.ASCII)
    if found is None or int(found.group(1)) < 1:
        draft.remark(f"the board number cannot be read: {value!r}")
        return None
    if not value.strip().isdigit():
        draft.remark(f"the board is written {value!r} and was read as {int(found.group(1))}")
    return int(found.group(1))


def _seat(draft: Draft, name: str, value: str | None) -> Seat | None:
    if value is None or is_unknown(value):
        return None
    seat = read_seat(value.strip().lstrip("^"))
    if seat is None:
        draft.remark(f"the {name.lower()} cannot be read: {value!r}")
    elif value.strip().startswith("^"):
        draft.remark(f"the {name.lower()} is marked as irregular")
    return seat


def _vulnerability(draft: Draft, value: str | None) -> None:
    if value is None or is_unknown(value):
        return
    draft.vulnerability = read_vulnerability(value)
    if draft.vulnerability is None:
        draft.remark(f"the vulnerability cannot be read: {value!r}")


def _deal(draft: Draft, value: str | None) -> None:
    if value is None or is_unknown(value):
        return
    first, _, rest = value.strip().partition(":")
    seat = read_seat(first)
    written = rest.split()
    if seat is None or len(written) != 4:
        draft.remark("the deal cannot be read; the hands are unknown")
        return
    hands: dict[Seat, frozenset[Card]] = {}
    for hand in written:
        cards = None if hand == "-" else read_suits(hand, ".")
        if cards is not None:
            hands[seat] = cards
        elif hand != "-":
            draft.remark(f"{seat}'s hand cannot be read: {hand!r}")
        seat = seat.lho
    deal = completed(hands)
    if isinstance(deal, str):
        draft.remark(f"the hands are not known whole: {deal}")
    else:
        draft.hands = deal


def _contract(draft: Draft, tags: dict[str, str]) -> None:
    declarer = tags.get("Declarer")
    draft.declarer = _seat(draft, "Declarer", declarer)
    value = tags.get("Contract")
    if value is None or is_unknown(value):
        return
    contract = read_contract(value)
    draft.contract_text = value.strip() if contract is None else str(contract)
    if contract is None:
        draft.remark(f"the contract cannot be read: {value!r}")


def _result(draft: Draft, value: str | None) -> None:
    if value is None or is_unknown(value):
        return
    if draft.contract_text == "Pass" and value.strip() in ("0", "-"):
        return
    contract = contract_of_draft(draft)
    draft.result = read_tricks(value, draft.declarer if contract is None else contract.declarer)
    if draft.result is None:
        draft.remark(f"the result cannot be read: {value!r}")
    elif value.strip().startswith("^"):
        draft.remark("the result is marked as irregular")
    if draft.result is not None and draft.play and len(draft.play) < 52:
        draft.claimed = draft.result


def _auction(draft: Draft, section: Section) -> None:
    first = _seat(draft, "Auction", section.value)
    if draft.dealer is None:
        draft.dealer = _first_caller(section, first)
        if draft.dealer is not None:
            draft.remark(f"no dealer is recorded; the auction begins with {draft.dealer}")
    settle_board(draft)
    if first is None:
        first = draft.dealer
    if first is None:
        draft.refuse("neither a dealer, an auction's seat nor a board number says who calls first")
        return
    caller = Caller(draft, first)
    words = list(_words(section))
    for index, word in enumerate(words, start=1):
        if not _take(draft, caller, word, section):
            if words[index:] and draft.refusal is None:
                draft.remark("what follows the end mark of the auction was not read")
            break
    if draft.calls and draft.calls[0].seat is not draft.dealer:
        draft.remark(f"the dealer is {draft.dealer}, but {draft.calls[0].seat} is recorded as calling first")


def _first_caller(section: Section, first: Seat | None) -> Seat | None:
    """The seat of the first column that does not say its seat has no call yet."""
    for word in _words(section):
        if first is None or set(word) != {"-"}:
            break
        first = first.lho
    return first


def _words(section: Section) -> Iterator[str]:
    words = " ".join(section.rows).replace("^ ", "^").split()
    for index, word in enumerate(words):
        if word.upper() == "ALL" and words[index + 1 : index + 2] and words[index + 1].upper() == "PASS":
            yield "AP"
        elif not (word.upper() == "PASS" and index and words[index - 1].upper() == "ALL"):
            yield word


def _take(draft: Draft, caller: Caller, word: str, section: Section) -> bool:
    """One word of an auction. False where the auction is at its end, or cannot be read any further."""
    if word in ("*", "+"):
        return False
    if set(word) == {"-"} or word.upper() == "^S":
        _skip(draft, caller, word)
        return True
    if word.upper() == "^I":
        return True
    if word.upper().startswith("^I"):
        word = word[2:]
    plain = _CALL_WORD.match(word)
    hanging = word[plain.end() :] if plain is not None else word
    if _HANGING.sub("", hanging):
        draft.refuse(f"call {len(draft.calls) + 1} cannot be read: {word!r}")
        return False
    if plain is not None and not _call(draft, caller, plain.group()):
        return False
    for mark in _HANGING.findall(hanging):
        _mark(draft, caller, mark, section)
    return True


def _skip(draft: Draft, caller: Caller, word: str) -> None:
    if word.startswith("^"):
        draft.remark(f"{caller.seat}'s turn is recorded as skipped")
    elif draft.calls:
        draft.remark(f"{caller.seat} has a dash in place of a call")
    caller.skip()


def _call(draft: Draft, caller: Caller, word: str) -> bool:
    if word.upper() in ("AP", "ALLPASS"):
        caller.all_pass()
        return True
    call = read_call(word.strip("()"))
    if call is None:
        draft.refuse(f"call {len(draft.calls) + 1} cannot be read: {word!r}")
        return False
    caller.call(call)
    return True


def _mark(draft: Draft, caller: Caller, mark: str, section: Section) -> None:
    """A star and a numbered note alert a call; quality marks and codes say nothing of the table."""
    if mark.startswith("=") and not caller.alert(section.notes.get(mark.strip("="), "")):
        draft.remark("a note stands before the first call")
    elif mark == "*":
        caller.alert()
