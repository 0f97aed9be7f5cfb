"""What the table would believe after a correction, before it is sent: the director sees what he is about
to say.

`GET /tables/{table}/correct/preview` takes the fields of the correction form and gives `{"html": ...}`,
or a sentence at the field. Reads only. It says what follows from the Laws; what the table makes of it
is the table's word.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from director_console.projection.hall import TableNow
from director_console.store.people import Role
from director_console.web import sentences
from director_console.web.corrections import FIELDS, correction_of
from director_console.web.fields import Bad, Values
from director_console.web.guard import not_allowed, not_logged_in
from director_console.web.helpers import helpers
from director_console.web.posting import Wrong
from director_console.web.state import console_of
from director_console.web.templating import environment
from director_console.web.viewer import viewer_of
from table_controller.laws.auction import Auction, MadeCall
from table_controller.laws.call import parse_call
from table_controller.laws.contract import Contract, contract_of
from table_controller.laws.seat import Seat
from table_controller.messages.codec import Json


def corrected_auction(table: TableNow, correction: dict[str, Json]) -> Auction | None:
    """The auction after this correction; None where it is about something else."""
    view = table.view
    what = correction["what"]
    if what == "call" and view is not None:
        calls = [MadeCall(shown.seat, shown.call) for shown in view.calls]
        index, call = int(str(correction["index"])), correction["call"]
        if call is None:
            del calls[index]
        else:
            calls[index] = MadeCall(calls[index].seat, parse_call(str(call)))
        return Auction(view.dealer, tuple(calls))
    if what == "auction":
        pairs = correction["calls"]
        assert isinstance(pairs, list)
        made = [
            MadeCall(Seat(str(pair[0])), parse_call(str(pair[1]))) for pair in pairs if isinstance(pair, list)
        ]
        dealer = made[0].seat if made else None if view is None else view.dealer
        return Auction(dealer, tuple(made))
    return None


def said(lang: str, auction: Auction) -> dict[str, object]:
    """Rows of four for the drawing, and the sentence about what comes next."""
    outcome = contract_of(auction)
    turn = None if auction.turn is None else sentences.word(lang, "seat", auction.turn)
    over = None
    if outcome is not None:
        by = f" {outcome.declarer}" if isinstance(outcome, Contract) else ""
        over = f"{outcome}{by}"
    return {"calls": auction.calls, "turn": turn, "over": over}


async def preview(request: Request) -> Response:
    viewer = viewer_of(request)
    if viewer is None:
        return not_logged_in(request)
    if not viewer.may(Role.DIRECTOR):
        return not_allowed(request, viewer, "preview")
    table = console_of(request).desk.hall.tables.get(request.path_params["table"])
    if table is None:
        return JSONResponse({"message": viewer.say("guard.not_found")}, 404)
    given: dict[str, tuple[str, ...]] = {}
    try:
        for field in FIELDS:
            given[field.name] = field.read(request.query_params.getlist(field.name))
        correction = correction_of(Values(given), table)
    except Wrong as wrong:
        sentence = viewer.say(wrong.bad.key, **wrong.bad.values)
        return JSONResponse({"errors": {wrong.field: sentence}, "html": ""}, 422)
    except Bad as bad:
        return JSONResponse({"message": viewer.say(bad.key, **bad.values), "html": ""}, 422)
    auction = corrected_auction(table, correction)
    if auction is None:
        return JSONResponse({"html": ""})
    template = environment().get_template("fragments/preview.html")
    return JSONResponse({"html": template.render({**helpers(viewer.lang), **said(viewer.lang, auction)})})
