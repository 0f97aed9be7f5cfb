"""How deeds are written: one table of phrases for each who. The reference page is made from these tables.

The first word of a line says who acts: a seat, a face, `director`, or nobody (the table, the hardware, time).
Must never do anything: a phrase only names a deed.
"""

from __future__ import annotations

from collections.abc import Callable

from hw_sim.scenario import deeds as d
from hw_sim.scenario.deeds import Deed, SessionTimes
from hw_sim.scenario.terms import Phrase, read_phrase
from hw_sim.table.tags import BoardTag
from table_controller.laws.board import Vulnerability
from table_controller.laws.call import Call
from table_controller.laws.seat import ScreenSide, Seat

Made = Callable[..., Deed]
_P = Phrase[Made]


def _tag(
    number: int | None = None, dealer: Seat | None = None, vulnerability: Vulnerability | None = None
) -> BoardTag:
    return BoardTag(number=number, dealer=dealer, vulnerability=vulnerability)


def _placed(
    number: int | None = None,
    dealer: Seat | None = None,
    vulnerability: Vulnerability | None = None,
    *,
    hands: bool = True,
) -> Made:
    return lambda who: d.PlaceBoard(tag=_tag(number, dealer, vulnerability), hands=hands)


def _card(call: Call, *, keep: bool = False) -> Made:
    return lambda who: d.LayCall(seat=who, call=call, keep=keep)


def _lifted(call: Call) -> Made:
    return lambda who: d.LiftCall(seat=who, call=call)


SEAT_PHRASES: tuple[_P, ...] = (
    _P(form="{call}", example="1C", means="lays a call: P (or pass), X, XX or a bid", make=_card),
    _P(
        form="holds {call} on the tray",
        example="holds 1C on the tray",
        means="lays a call, the fingers still on the card",
        make=lambda call: _card(call, keep=True),
    ),
    _P(form="lets go", example="lets go", means="takes the fingers off the card just laid",
       make=lambda: lambda who: d.ReleaseCall(seat=who)),
    _P(form="takes {call} back", example="takes 1C back", means="takes the top card off the tray",
       make=_lifted),
    _P(form="clears his cards", example="clears his cards", means="puts his bidding cards into the box",
       make=lambda: lambda who: d.ClearCards(seat=who)),
    _P(form="alerts", example="alerts", means="lays the alert card on his screenmate's column",
       make=lambda: lambda who: d.LayAlert(seat=who)),
    _P(form="takes the alert card back", example="takes the alert card back", means="as it says",
       make=lambda: lambda who: d.LiftAlert(seat=who)),
    _P(form="lays the stop card", example="lays the stop card", means="as it says",
       make=lambda: lambda who: d.LayStopCard(seat=who)),
    _P(form="takes the stop card back", example="takes the stop card back", means="as it says",
       make=lambda: lambda who: d.LiftStopCard(seat=who)),
    _P(form="pushes the tray", example="pushes the tray", means="across; nobody waits for it to arrive",
       make=lambda: lambda who: d.SendTray(by=who)),
    _P(form="leads face down", example="leads face down", means="lays a card on his lead spot, face down",
       make=lambda: lambda who: d.LayLead(seat=who, faced=False)),
    _P(form="leads face up", example="leads face up", means="lays a card on his lead spot, face up",
       make=lambda: lambda who: d.LayLead(seat=who, faced=True)),
    _P(form="faces the lead", example="faces the lead", means="turns his card up",
       make=lambda: lambda who: d.FaceLead(seat=who)),
    _P(form="takes the lead back", example="takes the lead back", means="takes his card off the lead spot",
       make=lambda: lambda who: d.LiftLead(seat=who)),
    _P(form="announces the lead", example="announces the lead",
       means="presses: my screenmate has led face down", make=lambda: lambda who: d.AnnounceLead(seat=who)),
    _P(form="plays {card}", example="plays SQ", means="plays a card",
       make=lambda card: lambda who: d.PlayCard(seat=who, card=card)),
    _P(form="claims", example="claims", means="presses the claim button",
       make=lambda: lambda who: d.Claim(seat=who)),
    _P(form="calls the director", example="calls the director", means="presses the director button",
       make=lambda: lambda who: d.CallDirector(seat=who)),
    _P(form="opens the window", example="opens the window", means="by the handle at his seat",
       make=lambda: lambda who: d.MoveWindow(seat=who, opens=True)),
    _P(form="closes the window", example="closes the window", means="by the handle at his seat",
       make=lambda: lambda who: d.MoveWindow(seat=who, opens=False)),
    _P(form="works the handle", example="works the handle", means="touches it; the motor does the work",
       make=lambda: lambda who: d.WorkHandle(seat=who)),
    _P(form="places the board", example="places the board", means="lays the scenario's board on the tray",
       make=lambda: lambda who: d.PlaceBoard()),
    _P(
        form="places board {number}[ dealer {dealer:seat}][ vulnerable {vulnerability}]",
        example="places board 7 dealer E vulnerable NS",
        means="lays a board on the tray, or on the one there; what is not said follows from the number",
        make=_placed,
    ),
    _P(
        form="places board {number}[ dealer {dealer:seat}][ vulnerable {vulnerability}], its hands out",
        example="places board 7 dealer E vulnerable NS, its hands out",
        means="the same, the hands having been taken out before",
        make=lambda **slots: _placed(**slots, hands=False),
    ),
    _P(form="places the board, its hands out", example="places the board, its hands out",
       means="the scenario's board, the hands having been taken out before",
       make=lambda: lambda who: d.PlaceBoard(hands=False)),
    _P(form="lifts the board", example="lifts the board", means="takes it off the tray",
       make=lambda: lambda who: d.LiftBoard()),
    _P(form="takes the hand out", example="takes the hand out", means="out of its slot in the board",
       make=lambda: lambda who: d.TakeHand(seat=who)),
    _P(form="puts the hand back", example="puts the hand back", means="into its slot in the board",
       make=lambda: lambda who: d.ReturnHand(seat=who)),
    _P(form="sits down as {player:word}", example="sits down as n4",
       means="a player's token lies at the seat",
       make=lambda player: lambda who: d.SitDown(seat=who, player=player)),
)  # fmt: skip

FACE_PHRASES: tuple[_P, ...] = (
    _P(form="clear their cards", example="clear their cards", means="both put their bidding cards away",
       make=lambda: lambda side: d.ClearFace(side=side)),
    _P(form="press auction over", example="press auction over", means="the button on this face",
       make=lambda: lambda side: d.PressAuctionOver(side=side)),
    _P(form="take the hands out", example="take the hands out", means="both hands out of the board",
       make=lambda: lambda side: d.TakeHandsOf(side=side)),
    _P(form="places the board", example="places the board", means="one of them lays it on the tray",
       make=lambda: lambda side: d.PlaceBoard()),
)  # fmt: skip


def _session(
    boards: tuple[int, ...],
    players: tuple[tuple[Seat, str], ...] = (),
    first: str | None = None,
) -> Made:
    return lambda: d.DirectorOpensSession(
        boards=boards, players=players, waived=() if first is None else (first,)
    )


def _timed(sign: int) -> Callable[..., Made]:
    def make(boards: tuple[int, ...], contest: str, due: int, board: int, pair: int | None = None) -> Made:
        times = SessionTimes(contest=contest, due=sign * due, board=board, pair=pair)
        return lambda: d.DirectorOpensSession(boards=boards, times=times)

    return make


DIRECTOR_PHRASES: tuple[_P, ...] = (
    _P(form="holds[ {why:text}]", example="holds", means="stops the procedure here",
       make=lambda why="": lambda: d.DirectorHolds(why=why)),
    _P(form="resumes[ {why:text}]", example="resumes", means="ends every hold",
       make=lambda why="": lambda: d.DirectorResumes(why=why)),
    _P(form="resumes from {reasons:refs}", example="resumes from AUCTION_DIVERGED",
       means="ends the holds those entries began",
       make=lambda reasons: lambda: d.DirectorResumes(reasons=reasons)),
    _P(form="resumes from his own hold", example="resumes from his own hold", means="ends that one only",
       make=lambda: lambda: d.DirectorResumes(reasons=("director",))),
    _P(form="corrects call {number} to {call}[ {why:text}]", example="corrects call 3 to 2S",
       means="that call was misread; calls count from 1",
       make=lambda number, call, why="": lambda: d.CallIs(number=number, call=call, why=why)),
    _P(form="strikes call {number} out[ {why:text}]", example="strikes call 3 out",
       means="there never was such a call",
       make=lambda number, why="": lambda: d.CallIs(number=number, call=None, why=why)),
    _P(form="corrects the auction to {calls:seat_calls}[ {why:text}]",
       example="corrects the auction to S 1C, W P, N 1H", means="the auction is this",
       make=lambda calls, why="": lambda: d.AuctionIs(calls=calls, why=why)),
    _P(form="corrects the board to {number}[ dealer {dealer:seat}][ vulnerable {vulnerability}][ {why:text}]",
       example="corrects the board to 8 dealer W vulnerable None", means="it is this board",
       make=lambda **slots: lambda: d.BoardIs(**slots)),
    _P(form="corrects the dealer to {dealer:seat}[ {why:text}]", example="corrects the dealer to W",
       means="as it says", make=lambda **slots: lambda: d.BoardIs(**slots)),
    _P(form="corrects the vulnerability to {vulnerability}[ {why:text}]",
       example="corrects the vulnerability to NS", means="as it says",
       make=lambda **slots: lambda: d.BoardIs(**slots)),
    _P(form="corrects the contract to {bid} by {declarer:seat}[ {why:text}]",
       example="corrects the contract to 4S by N", means="as it says",
       make=lambda **slots: lambda: d.ContractIs(**slots)),
    _P(form="corrects the contract to {bid} doubled by {declarer:seat}[ {why:text}]",
       example="corrects the contract to 4S doubled by N", means="as it says",
       make=lambda **slots: lambda: d.ContractIs(doubled=1, **slots)),
    _P(form="corrects the contract to passed out[ {why:text}]",
       example="corrects the contract to passed out", means="as it says",
       make=lambda why="": lambda: d.ContractIs(bid=None, why=why)),
    _P(form="corrects the leader to {seat}[ {why:text}]", example="corrects the leader to E",
       means="it is this seat's lead", make=lambda **slots: lambda: d.LeaderIs(**slots)),
    _P(form="corrects the phase to {phase:word}[ {why:text}]", example="corrects the phase to play",
       means="as it says", make=lambda **slots: lambda: d.PhaseIs(**slots)),
    _P(form="closes {entry:ref} as a misreading[ {why:text}]",
       example="closes #1 as a misreading", means="the sensors were wrong",
       make=lambda **slots: lambda: d.DirectorCloses(**slots)),
    _P(form="rules accept {entries:refs}[ {why:text}]", example="rules accept #1", means="it stands",
       make=lambda **slots: lambda: d.DirectorRules(verdict="accept", **slots)),
    _P(form="rules cancel {entries:refs}[ {why:text}]", example="rules cancel CALL_OUT_OF_ROTATION",
       means="it is cancelled", make=lambda **slots: lambda: d.DirectorRules(verdict="cancel", **slots)),
    _P(form="rules on {entries:refs}[ {why:text}]", example="rules on #1 and #2", means="anything else",
       make=lambda **slots: lambda: d.DirectorRules(verdict="other", **slots)),
    _P(form="rules on {entries:refs}: {seat} must pass once[ {why:text}]",
       example="rules on #1: N must pass once", means="for one turn",
       make=lambda **slots: lambda: d.DirectorObliges(turns=1, **slots)),
    _P(form="rules on {entries:refs}: {seat} must pass throughout[ {why:text}]",
       example="rules on #1: N must pass throughout", means="whenever it is that seat's turn",
       make=lambda **slots: lambda: d.DirectorObliges(turns=None, **slots)),
    _P(form="classifies {entry:ref} as {subject:word}[ of {about:seat}]",
       example="classifies the summons as tempo of E",
       means="what it was about: tempo, call, tray, alert, lead or other, and whose",
       make=lambda **slots: lambda: d.DirectorClassifies(**slots)),
    _P(form="sends the tray back[ {why:text}]", example="sends the tray back", means="to the other face",
       make=lambda why="": lambda: d.DirectorSendsTrayBack(why=why)),
    _P(form="opens the window[ {why:text}]", example="opens the window", means="by his own order",
       make=lambda why="": lambda: d.DirectorMovesWindow(opens=True, why=why)),
    _P(form="closes the window[ {why:text}]", example="closes the window", means="by his own order",
       make=lambda why="": lambda: d.DirectorMovesWindow(opens=False, why=why)),
    _P(form="opens a session of boards {boards}[ with {players:pairs}][, alerts waived by {first:word}]",
       example="opens a session of boards 1-3, 7 with N n1, E e1, alerts waived by NS",
       means="what is to be played here, and by whom", make=_session),
    _P(form="opens a session of boards {boards} as {contest:word}, due {due:time} ago, "
            "{board:time} a board[, {pair:time} a pair]",
       example="opens a session of boards 1-15 as teams_vp, due 7 min ago, 8 min a board, 4 min a pair",
       means="the same, with its form, its start and the time allowed", make=_timed(-1)),
    _P(form="opens a session of boards {boards} as {contest:word}, due in {due:time}, "
            "{board:time} a board[, {pair:time} a pair]",
       example="opens a session of boards 1-2 as pairs_imp, due in 5 min, 8 min a board",
       means="the same, before it begins", make=_timed(1)),
)  # fmt: skip


TABLE_PHRASES: tuple[_P, ...] = (
    _P(form="wait {ns:time}", example="wait 20 s", means="time passes (ms, s or min)",
       make=lambda ns: lambda: d.Wait(ns=ns)),
    _P(form="tray to {to:side}[ by {by:seat}]", example="tray to NE by S",
       means="pushed across, by its proper mover if nobody is named",
       make=lambda **slots: lambda: d.PushTray(**slots)),
    _P(form="tray has come to {to:side}", example="tray has come to NE",
       means="people wait until it has arrived", make=lambda to: lambda: d.AwaitTray(to=to)),
    _P(form="trick turned", example="trick turned", means="its cards are taken off their spots",
       make=lambda: lambda: d.TurnTrick()),
    _P(form="tray leaves[ by {by:seat}]", example="tray leaves", means="pushed off, and stays between",
       make=lambda **slots: lambda: d.LeaveTrayBetween(**slots)),
    _P(form="tray arrives at {to:side}", example="tray arrives at NE", means="from between the faces",
       make=lambda to: lambda: d.BringTray(to=to)),
    _P(
        form="top card of {seat} falls off",
        example="top card of N falls off",
        means="while the tray is between the faces",
        make=lambda seat: lambda: d.LoseCard(seat=seat),
    ),
    _P(
        form="calls {calls}",
        example="calls 1C P 1H P P P",
        means="in rotation, the tray pushed as it ought to be, to the final crossing if the auction ends",
        make=lambda calls: lambda: d.RegularAuction(calls=calls),
    ),
    _P(form="{one:seat} {first:call} and {other:seat} {second:call} together",
       example="N 1C and E 1D together", means="two cards at the same moment, in this order",
       make=lambda one, first, other, second: lambda: d.LayTogether(
           first=d.LayCall(seat=one, call=first), second=d.LayCall(seat=other, call=second))),
    _P(form="window closed", example="window closed", means="people wait until it is",
       make=lambda: lambda: d.AwaitWindow(seen=d.WindowSeen.CLOSED)),
    _P(form="window open", example="window open", means="people wait until it is",
       make=lambda: lambda: d.AwaitWindow(seen=d.WindowSeen.OPEN)),
    _P(form="window begins to open", example="window begins to open", means="people wait until it does",
       make=lambda: lambda: d.AwaitWindow(seen=d.WindowSeen.LEAVES_CLOSED)),
    _P(form="window begins to close", example="window begins to close", means="people wait until it does",
       make=lambda: lambda: d.AwaitWindow(seen=d.WindowSeen.LEAVES_OPEN)),
    _P(form="window opened by hand", example="window opened by hand",
       means="somebody pushes the pane; nobody's handle",
       make=lambda: lambda: d.MoveWindow(seat=None, opens=True)),
    _P(form="window closed by hand", example="window closed by hand",
       means="somebody pushes the pane; nobody's handle",
       make=lambda: lambda: d.MoveWindow(seat=None, opens=False)),
    _P(form="board placed", example="board placed", means="the scenario's board lies on the tray",
       make=lambda: lambda: d.PlaceBoard()),
    _P(form="tray sensed on both faces", example="tray sensed on both faces",
       means="a fault; the next line comes when it can have been noticed",
       make=lambda: lambda: d.SensorFails(what=d.Doubtful.TRAY)),
    _P(form="tray sensed on one face again", example="tray sensed on one face again", means="as it says",
       make=lambda: lambda: d.SensorRecovers(what=d.Doubtful.TRAY)),
    _P(form="window sensed open and closed", example="window sensed open and closed",
       means="a fault; the next line comes when it can have been noticed",
       make=lambda: lambda: d.SensorFails(what=d.Doubtful.WINDOW)),
    _P(form="window sensed in one place again", example="window sensed in one place again",
       means="as it says", make=lambda: lambda: d.SensorRecovers(what=d.Doubtful.WINDOW)),
    _P(form="lead sensor of {seat} chatters", example="lead sensor of E chatters",
       means="a fault; the next line comes when it can have been noticed",
       make=lambda seat: lambda: d.SensorFails(what=d.Doubtful.LEAD, seat=seat)),
    _P(form="lead sensor of {seat} steady again", example="lead sensor of E steady again",
       means="as it says", make=lambda seat: lambda: d.SensorRecovers(what=d.Doubtful.LEAD, seat=seat)),
    _P(form="something in the window's way", example="something in the window's way", means="as it says",
       make=lambda: lambda: d.Obstruct(there=True)),
    _P(form="nothing in the window's way", example="nothing in the window's way", means="any more",
       make=lambda: lambda: d.Obstruct(there=False)),
    _P(form="window jams", example="window jams", means="it sticks where it is",
       make=lambda: lambda: d.Jam(stuck=True)),
    _P(form="window moves freely", example="window moves freely", means="again",
       make=lambda: lambda: d.Jam(stuck=False)),
    _P(form="cable pulled", example="cable pulled", means="of the microcontroller",
       make=lambda: lambda: d.Cable(plugged=False)),
    _P(form="cable back", example="cable back", means="of the microcontroller",
       make=lambda: lambda: d.Cable(plugged=True)),
    _P(form="misdeed {order:misdeed}", example="misdeed bounce signal=tray.ne ms=20 at=0.5",
       means="what hardware does below the drivers, by its name; the table must make nothing of it",
       make=lambda order: lambda: d.MisdeedBelow(order=order)),
    _P(form="device resets", example="device resets", means="the microcontroller's watchdog bites",
       make=lambda: lambda: d.ResetDevice()),
    _P(form="controller dies", example="controller dies", means="power cut, or killed",
       make=lambda: lambda: d.ControllerDies()),
    _P(form="controller returns", example="controller returns", means="and reads every sensor afresh",
       make=lambda: lambda: d.ControllerReturns()),
)  # fmt: skip

ALL: tuple[tuple[str, tuple[_P, ...]], ...] = (
    ("a player", SEAT_PHRASES),
    ("both players of a face", FACE_PHRASES),
    ("the director", DIRECTOR_PHRASES),
    ("nobody named: the tray, the window, time, hardware", TABLE_PHRASES),
)


def read_deed(who: str | None, text: str) -> Deed:
    """The deed of one line. Raises NotUnderstood."""
    if who is None:
        return read_phrase(text, TABLE_PHRASES, "deed of the table", "table")()
    if who == "director":
        return read_phrase(text, DIRECTOR_PHRASES, "deed of the director", "director")()
    if who in (side.value for side in ScreenSide):
        return read_phrase(text, FACE_PHRASES, f"deed of the {who} face", who)(ScreenSide(who))
    return read_phrase(text, SEAT_PHRASES, f"deed of {who}", who)(Seat(who))
