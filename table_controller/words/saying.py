"""What happened, as one sentence a director would say, and the facts beside it.

What is not known says so ("an unknown player") or drops out of the sentence. Must never add anything to what
it is given.
"""

from __future__ import annotations

from collections.abc import Sequence

from table_controller.laws.call import Bid, Call, Denomination
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.words.dictionary import Lang, has, word

_SUITS = {
    Denomination.C: "♣",
    Denomination.D: "♦",
    Denomination.H: "♥",
    Denomination.S: "♠",
    Denomination.NT: "NT",
}
NS_PER_S = 1_000_000_000


def call_text(call: Call, lang: Lang) -> str:
    """A call as a director reads it: `1♣`, `pass`."""
    if isinstance(call, Bid):
        return f"{call.level}{_SUITS[call.denomination]}"
    return word("call", str(call), lang)


def face_text(side: ScreenSide, lang: Lang) -> str:
    return word("face", side, lang)


def seats_text(seats: Sequence[Seat], lang: Lang) -> str:
    """`North and East`; of no seat, that it is not known."""
    if not seats:
        return word("slot", "who_unknown", lang)
    return word("slot", "and", lang).join(word("seat", seat, lang) for seat in seats)


def phase(name: str, lang: Lang) -> str:
    """A phase by any spelling of its name (`auction_ne`, `auction.ne`); a new one's name as it is."""
    key = name.replace(".", "_").replace("/", "_").lower()
    return word("phase", key, lang) if has("phase", key) else name


def sentence(
    kinds: str | Sequence[str],
    lang: Lang,
    *,
    board: int | None = None,
    seats: Sequence[Seat] = (),
    side: ScreenSide | None = None,
    call: Call | None = None,
    other_call: Call | None = None,
    turn: Seat | None = None,
    expected: str = "",
) -> str:
    """One entry as one sentence: `Board 3: South's bid of 1♣ on the SW face does not outrank the last bid.`

    `turn`: whose turn it was, for a call out of rotation; `expected`: the number of the board due. `kinds`
    are catalogue names, all of one entry. KeyError for a name that is not in the catalogue.
    """
    names = (kinds,) if isinstance(kinds, str) else tuple(kinds)
    slots = _slots(lang, seats, side, call, other_call)
    slots["turn"] = (
        word("slot", "turn_unknown", lang)
        if turn is None
        else word("slot", "turn", lang, who=word("seat", turn, lang))
    )
    slots["expected"] = word("slot", "expected", lang, number=expected) if expected else ""
    clauses = [word("clause", str(name), lang, **slots) for name in names]
    said = word("slot", "also", lang).join(clauses) + word("slot", "stop", lang)
    known = (
        word("slot", "board_unknown", lang) if board is None else word("slot", "board", lang, number=board)
    )
    return known + said[0].upper() + said[1:]


def _slots(
    lang: Lang, seats: Sequence[Seat], side: ScreenSide | None, call: Call | None, other: Call | None
) -> dict[str, str]:
    who = seats_text(seats, lang)
    face = "" if side is None else face_text(side, lang)

    def where(key: str) -> str:
        return "" if side is None else word("slot", key, lang, face=face)

    return {
        "who": who,
        "whose": word("slot", "whose", lang, who=who),
        "by": word("slot", "by", lang, who=who) if seats else word("slot", "by_unknown", lang),
        "owed": word("slot", "owed", lang, who=who) if seats else word("slot", "owed_unknown", lang),
        "on": where("on"),
        "from": where("from"),
        "from_note": where("from_note"),
        "on_note": where("on_note"),
        "of": "" if call is None else word("slot", "of", lang, call=call_text(call, lang)),
        "paren": word("slot", "paren", lang, who=who) if seats else "",
        "call": word("slot", "call_unknown", lang) if call is None else call_text(call, lang),
        "other": word("slot", "other_unknown", lang) if other is None else call_text(other, lang),
        "over": "" if other is None else word("slot", "over", lang, call=call_text(other, lang)),
    }


def four_facts(
    lang: Lang,
    *,
    offenders: Sequence[Seat],
    mover: Seat | None,
    certainty: str | None,
    called_over_by: Seat | None,
    gap_ns: int | None,
) -> tuple[tuple[str, str], ...]:
    """The four facts that decide an irregular call's course, as (name, value): for the director only.

    `certainty` is how the mover is known (`known`, `presumed`, `unknown`), None while the tray has not moved.
    `gap_ns` is the time from the call to the push that carried it; None is unknown.
    """
    unknown = word("certainty", "unknown", lang)
    if certainty is None:
        moved = word("four_facts", "not_moved", lang)
    elif mover is None:
        moved = unknown
    else:
        how = word("certainty", certainty, lang)
        moved = word("four_facts", "mover_known", lang, who=word("seat", mover, lang), how=how)
    if called_over_by is None:
        over = word("four_facts", "no", lang)
    else:
        over = word("four_facts", "yes_by", lang, who=word("seat", called_over_by, lang))
    gap = (
        unknown if gap_ns is None else word("four_facts", "seconds", lang, number=f"{gap_ns / NS_PER_S:.1f}")
    )
    values = {"offender": seats_text(offenders, lang), "mover": moved, "called_over": over, "gap": gap}
    return tuple((word("four_facts", key, lang), value) for key, value in values.items())
