"""LIN, the notation of on-line bridge clubs, to recorded games.

A LIN file is one run of `tag|value|`; what belongs to a game is told by where it stands. Must never lose a
game to chatter, to a missing bar, or to another game's damage.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from hw_sim.records.build import Caller, Draft, finished, settle_board
from hw_sim.records.model import Game
from hw_sim.records.notation import completed, read_call, read_card, read_contract, read_lettered_suits
from table_controller.laws.auction import Auction
from table_controller.laws.board import Vulnerability
from table_controller.laws.card import ALL_CARDS, Card
from table_controller.laws.contract import Contract, contract_of
from table_controller.laws.play import Play
from table_controller.laws.seat import Seat

_TAGS = "vg|rs|pn|qx|st|md|sv|rh|ah|mb|an|nt|pc|pg|mc"
# A value ends at its bar. Where the bar is missing it ends with its line, if the next line begins with a tag.
_PAIR = re.compile(rf"(?<![A-Za-z0-9])([A-Za-z]{{2}})\|((?:[^|\n]|\n(?!\s*(?:{_TAGS})\|))*)(\||\n|$)")
_BEGINNING = ("qx", "md", "ah", "mb", "pc")
_DEALERS = {"1": Seat.S, "2": Seat.W, "3": Seat.N, "4": Seat.E}
_HAND_ORDER = (Seat.S, Seat.W, Seat.N, Seat.E)
_VULNERABILITIES = {
    **dict.fromkeys(("o", "0", "-", "none"), Vulnerability.NONE),
    **dict.fromkeys(("n", "ns"), Vulnerability.NS),
    **dict.fromkeys(("e", "ew"), Vulnerability.EW),
    **dict.fromkeys(("b", "both", "all"), Vulnerability.BOTH),
}
_ROOMS = {"o": "Open", "c": "Closed"}
_CALLS = re.compile(r"([1-7](?:NT|[NCDHS])|DBL|RDBL|REDBL|PASS|XX|RR|[PDXR]|-)([!?*]*)", re.IGNORECASE)
_CARDS = re.compile(r"[SHDC](?:10|[2-9TJQKA])", re.IGNORECASE)
_RESULT = re.compile(r"([1-7][CDHSN])([NESW])(X{0,2})(=|[+-]\d+)", re.IGNORECASE)


@dataclass(slots=True)
class _RawGame:
    room: str | None = None
    board_text: str | None = None
    has_qx: bool = False
    pairs: list[tuple[str, str]] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def has(self, *tags: str) -> bool:
        return any(name in tags for name, _ in self.pairs)

    @property
    def is_game(self) -> bool:
        return self.has("qx", "md", "mb")

    def ends_before(self, tag: str) -> bool:
        """Whether this tag belongs to another game than this one."""
        if tag == "qx":
            return True
        if tag == "md":
            return self.has("md")
        return not self.has_qx and (
            (tag == "pn" and self.has("md")) or (tag == "ah" and self.has("ah", "mb"))
        )


def read_lin(text: str, file: str) -> Iterator[Game]:
    """The games of a LIN file's text, in order, each read or refused on its own."""
    head = _Head()
    for number, raw in enumerate(_raw_games(text, head), start=1):
        yield _game(raw, head, file, number)


@dataclass(slots=True)
class _Head:
    """What stands before the games: the first board of the segment, and its results in order."""

    first_board: int | None = None
    results: list[str] = field(default_factory=list)

    def result_of(self, room: str | None, board: int | None) -> str | None:
        """The recorded result of a board in a room, boards in order, the open room first."""
        if self.first_board is None or board is None or room is None:
            return None
        at = (board - self.first_board) * 2 + (room == "Closed")
        return self.results[at] if 0 <= at < len(self.results) else None


def _raw_games(text: str, head: _Head) -> Iterator[_RawGame]:
    raw: _RawGame | None = None
    end = 0
    for found in _PAIR.finditer(text):
        tag, value = found.group(1).lower(), found.group(2).strip()
        junk = text[end : found.start()].replace("|", "").strip()
        end = found.end()
        if tag in ("vg", "rs"):
            _take_head(head, tag, value)
            continue
        if raw is None or raw.ends_before(tag):
            if raw is not None and raw.is_game:
                yield raw
            if raw is None and tag not in _BEGINNING:
                continue
            raw = _RawGame(has_qx=tag == "qx")
        if junk:
            raw.remarks.append(f"text that is no tag was not read: {junk[:40]!r}")
        if found.group(3) != "|" and tag not in ("nt", "pg"):
            raw.remarks.append(f"a {tag} value is not closed")
        raw.pairs.append((tag, value))
    if raw is not None and raw.is_game:
        yield raw


def _take_head(head: _Head, tag: str, value: str) -> None:
    if tag == "vg":
        # Title and segment may have commas; the scoring, a single letter, stands before the board numbers.
        found = re.search(r",\s*[A-Za-z]\s*,\s*(\d{1,6})\s*,\s*\d{1,6}\s*(?:,|$)", value, re.ASCII)
        head.first_board = None if found is None else int(found.group(1))
    elif tag == "rs":
        head.results = [result.strip() for result in value.replace("\n", "").split(",")]


def _game(raw: _RawGame, head: _Head, file: str, number: int) -> Game:
    draft = Draft(file=file, game=number, remarks=list(dict.fromkeys(raw.remarks)))
    for tag, value in raw.pairs:
        match tag:
            case "qx":
                _take_place(draft, value)
            case "ah" if draft.board is None:
                found = re.search(r"\d{1,6}", value, re.ASCII)
                draft.board = int(found.group()) or None if found is not None else None
            case "md":
                _take_deal(draft, value)
            case "sv" if value:
                draft.vulnerability = _VULNERABILITIES.get(value.lower())
                if draft.vulnerability is None:
                    draft.remark(f"the vulnerability cannot be read: {value!r}")
            case _:
                pass
    settle_board(draft)
    _take_calls(draft, raw)
    _take_play(draft, raw)
    _compare(draft, head)
    return finished(draft)


def _take_place(draft: Draft, value: str) -> None:
    found = re.match(r"([A-Za-z]?)\s*(\d{1,6})", value, re.ASCII)
    if found is None:
        draft.remark(f"room and board cannot be read: {value!r}")
        return
    draft.room = _ROOMS.get(found.group(1).lower())
    draft.board = int(found.group(2)) or None


def _take_deal(draft: Draft, value: str) -> None:
    if value[:1] in _DEALERS:
        draft.dealer = _DEALERS[value[0]]
        value = value[1:]
    else:
        draft.remark("the deal names no dealer")
        value = value.lstrip("0")
    hands: dict[Seat, frozenset[Card]] = {}
    for seat, text in zip(_HAND_ORDER, value.split(","), strict=False):
        cards = read_lettered_suits(text)
        if cards is None:
            draft.remark(f"{seat}'s hand cannot be read: {text!r}")
        elif cards:
            hands[seat] = cards
    if len(hands) == 3 and all(len(hand) == 13 for hand in hands.values()):
        # LIN leaves the fourth hand to the reader.
        missing = next(seat for seat in Seat if seat not in hands)
        hands[missing] = frozenset(ALL_CARDS).difference(*hands.values())
    deal = completed(hands)
    if isinstance(deal, str):
        draft.remark(f"the hands are not known whole: {deal}")
    else:
        draft.hands = deal


def _take_calls(draft: Draft, raw: _RawGame) -> None:
    if draft.dealer is None:
        return
    caller = Caller(draft, draft.dealer)
    for tag, value in raw.pairs:
        if tag == "an" and value and not caller.alert(value):
            draft.remark("an explanation stands before the first call")
        elif tag == "mb" and not _take_mb(draft, caller, value):
            return


def _take_mb(draft: Draft, caller: Caller, value: str) -> bool:
    """The calls of one value, of which old files have several. False where it cannot be read."""
    text = value.replace(" ", "")
    words = _CALLS.findall(text)
    if "".join(name + marks for name, marks in words) != text:
        draft.refuse(f"call {len(draft.calls) + 1} cannot be read: {value[:20]!r}")
        return False
    for name, marks in words:
        call = read_call("XX" if name.upper() == "RR" else name)
        if call is None:
            draft.remark(f"{caller.seat} has a dash in place of a call")
            caller.skip()
            continue
        caller.call(call)
        if "!" in marks or "*" in marks:
            caller.alert()
    return True


def _take_play(draft: Draft, raw: _RawGame) -> None:
    texts = [value for tag, value in raw.pairs if tag == "pc"]
    claims = [value for tag, value in raw.pairs if tag == "mc"]
    if claims and claims[-1].isascii() and claims[-1].isdigit() and int(claims[-1][:4]) <= 13:
        draft.claimed = draft.result = int(claims[-1])
    elif claims:
        draft.remark(f"the tricks claimed cannot be read: {claims[-1]!r}")
    outcome = None if draft.dealer is None else contract_of(Auction(draft.dealer, tuple(draft.calls)))
    if not texts:
        return
    if not isinstance(outcome, Contract):
        draft.remark("cards are recorded without a contract; the play was not read")
        return
    play = Play(outcome, (), draft.hands)
    for text in texts:
        words = _CARDS.findall(text.replace(" ", ""))
        if not words or "".join(words) != text.replace(" ", ""):
            draft.remark(f"a card cannot be read, and the play from it on was not read: {text[:20]!r}")
            break
        for word in words:
            card = read_card(word)
            if card is not None:
                play = play.after(_player(draft, play, card), card)
    draft.play = list(play.cards)
    if len(draft.play) > 52:
        draft.remark("more than 52 cards are recorded")


def _player(draft: Draft, play: Play, card: Card) -> Seat:
    """Whose card it was: whoever was dealt it, else whoever's turn it was."""
    turn = play.turn or Seat.N
    if draft.hands is None:
        return turn
    holder = next(seat for seat in Seat if card in draft.hands.of(seat))
    if play.turn is not None and holder is not turn:
        draft.remark(f"{holder} played {card} when it was {turn}'s turn")
    return holder


def _compare(draft: Draft, head: _Head) -> None:
    """What the list of results at the head of the file says of this game."""
    text = head.result_of(draft.room, draft.board)
    if not text:
        return
    if text.upper() in ("PASS", "P", "AP"):
        draft.contract_text = "Pass"
        return
    found = _RESULT.fullmatch(text.upper())
    contract = None if found is None else read_contract(found.group(1) + found.group(3))
    if found is None or not isinstance(contract, Contract):
        draft.remark(f"the result in the head of the file cannot be read: {text!r}")
        return
    draft.contract_text, draft.declarer = str(contract), Seat(found.group(2))
    if contract_of(Auction(draft.dealer, tuple(draft.calls))) != replace(contract, declarer=draft.declarer):
        return  # the result is of another contract than was called, perhaps of another board
    over = 0 if found.group(4) == "=" else int(found.group(4))
    tricks = contract.tricks_needed + over
    if draft.result is None and 0 <= tricks <= 13:
        draft.result = tricks
    elif draft.result != tricks:
        draft.remark(f"the head of the file says {text}, the record {draft.result} tricks")
