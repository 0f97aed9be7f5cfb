"""From the correction form to the correction itself, with one sentence at the field that is wrong."""

from __future__ import annotations

from director_console.projection.hall import TableNow
from director_console.web.fields import SEATS, Bad, Field, Values, read_auction, read_call
from director_console.web.posting import Wrong
from table_controller.laws.board import Vulnerability
from table_controller.laws.call import Bid
from table_controller.laws.seat import Seat
from table_controller.messages.codec import Json
from table_controller.screen.phases import Phase

WHATS = ("call", "auction", "board", "dealer", "vulnerability", "contract", "leader", "phase")
PHASES = tuple(phase.value for phase in Phase)
VULNERABILITIES = tuple(item.value for item in Vulnerability)
FIELDS = (
    Field(name="what", required=True, options=WHATS),
    Field(name="index", whole=(0, 400)),
    Field(name="call", longest=12),
    Field(name="calls", longest=1200),
    Field(name="number", whole=(1, 999)),
    Field(name="dealer", options=SEATS),
    Field(name="vulnerability", options=VULNERABILITIES),
    Field(name="bid", longest=6),
    Field(name="doubled", whole=(0, 2)),
    Field(name="declarer", options=SEATS),
    Field(name="seat", options=SEATS),
    Field(name="phase", options=PHASES),
)


def correction_of(values: Values, table: TableNow) -> dict[str, Json]:
    """The `correction` of a correct command. Raises Wrong."""
    what = values.text("what")
    match what:
        case "call":
            return _call(values, table)
        case "auction":
            return _auction(values, table)
        case "board":
            return _board(values)
        case "dealer":
            return {"what": what, "dealer": _needed(values, "dealer")}
        case "vulnerability":
            return {"what": what, "vulnerability": _needed(values, "vulnerability")}
        case "contract":
            return _contract(values)
        case "leader":
            return {"what": what, "seat": _needed(values, "seat")}
        case _:
            return {"what": "phase", "phase": _needed(values, "phase")}


def _needed(values: Values, name: str) -> str:
    text = values.text(name)
    if not text:
        raise Wrong(name, "field.required")
    return text


def _call(values: Values, table: TableNow) -> dict[str, Json]:
    index = values.whole("index")
    made = len(table.view.calls) if table.view is not None else 0
    if index is None or index >= made:
        raise Wrong("index", "field.which_call", made=made)
    text = values.text("call")
    try:
        return {"what": "call", "index": index, "call": str(read_call(text)) if text else None}
    except Bad as bad:
        raise Wrong("call", bad.key, **bad.values) from None


def _auction(values: Values, table: TableNow) -> dict[str, Json]:
    dealer = values.seat("dealer") or (table.view.dealer if table.view is not None else None)
    if dealer is None:
        raise Wrong("dealer", "field.dealer_needed")
    try:
        calls = read_auction(values.text("calls"), Seat(dealer))
    except Bad as bad:
        raise Wrong("calls", bad.key, **bad.values) from None
    return {"what": "auction", "calls": [[seat.value, str(call)] for seat, call in calls]}


def _board(values: Values) -> dict[str, Json]:
    number = values.whole("number")
    dealer, vulnerability = values.text("dealer"), values.text("vulnerability")
    if number is None and not dealer and not vulnerability:
        raise Wrong("number", "field.required")
    return {
        "what": "board",
        "number": number,
        "dealer": dealer or None,
        "vulnerability": vulnerability or None,
    }


def _contract(values: Values) -> dict[str, Json]:
    text = values.text("bid")
    if not text:
        return {"what": "contract", "bid": None}
    try:
        bid = read_call(text)
    except Bad as bad:
        raise Wrong("bid", bad.key, **bad.values) from None
    if not isinstance(bid, Bid):
        raise Wrong("bid", "field.bid_needed")
    declarer = _needed(values, "declarer")
    return {
        "what": "contract",
        "bid": str(bid),
        "doubled": values.whole("doubled") or 0,
        "declarer": declarer,
    }
