"""A command's arguments as core events: what the director did, with who and why.

Text becomes values here, once. Must never judge whether the order makes sense: that is the core's, which
keeps it on record either way.
"""

from __future__ import annotations

from typing import assert_never

from table_controller.laws.board import Vulnerability
from table_controller.laws.call import Bid, Call, parse_call
from table_controller.laws.seat import Seat
from table_controller.messages import ARGS, Args, HoldArgs, ReplayArgs, ResumeArgs, RulingArgs, TrayBackArgs
from table_controller.messages.fields import Value
from table_controller.messages.topics import Verb
from table_controller.messages.verbs import (
    AcknowledgeArgs,
    AuctionWrong,
    BoardWrong,
    CallWrong,
    ClassifyArgs,
    ContractWrong,
    CorrectArgs,
    DealerWrong,
    EntryWrong,
    LeaderWrong,
    PhaseWrong,
    PlanArgs,
    SessionArgs,
    VulnerabilityWrong,
    WindowArgs,
)
from table_controller.regulations.time_tables import Contest
from table_controller.screen.events import (
    BoardDue,
    Corrected,
    CorrectedAuction,
    CorrectedBoard,
    CorrectedCall,
    CorrectedContract,
    CorrectedLeader,
    CorrectedPhase,
    Correction,
    EntryClosed,
    Event,
    Held,
    Resumed,
    Ruled,
    SeatObliged,
    SessionOpened,
    SessionPlan,
    Subject,
    SummonsClassified,
    TrayBackOrdered,
    Verdict,
    WindowOrder,
    WindowOverridden,
)

NS_PER_MS = 1_000_000


def read_args(verb: Verb, value: Value) -> Args:
    """The arguments of this verb. Raises pydantic's ValidationError."""
    return ARGS[verb].model_validate(value)


def events_of(
    verb: Verb, args: Args, *, at: int, by: str, command: str, console_wall: int | None = None
) -> tuple[Event, ...]:
    """What the core is to be told, in order; nothing for what is no concern of its. `at`: monotonic ns.

    `console_wall`: what the console's clock shows at `at`, ns since 1970; None where that is not known.
    """
    why = args.why
    match args:
        case HoldArgs():
            return (Held(at=at, by=by, why=why, command=command),)
        case ResumeArgs(reasons=reasons):
            return (Resumed(at=at, by=by, why=why, command=command, reasons=reasons),)
        case TrayBackArgs():
            return (TrayBackOrdered(at=at, by=by, why=why, command=command),)
        case WindowArgs():
            to = WindowOrder.OPEN if verb is Verb.OPEN_WINDOW else WindowOrder.CLOSE
            return (WindowOverridden(at=at, by=by, why=why, command=command, to=to),)
        case RulingArgs():
            return _ruling(args, at=at, by=by, command=command)
        case CorrectArgs():
            return (_corrected(args, at=at, by=by, command=command),)
        case ClassifyArgs(entry=entry, subject=subject, about=about):
            classified = SummonsClassified(
                at=at,
                by=by,
                why=why,
                command=command,
                entry=entry,
                subject=Subject(subject),
                about=_seat(about),
            )
            return (classified,)
        case SessionArgs():
            return (_session(args, at=at, by=by, command=command, console_wall=console_wall),)
        case ReplayArgs() | AcknowledgeArgs():
            return ()
        case _:
            assert_never(args)


def _ruling(args: RulingArgs, *, at: int, by: str, command: str) -> tuple[Event, ...]:
    ruled = Ruled(
        at=at,
        by=by,
        why=args.why,
        command=command,
        entries=args.entries,
        verdict=Verdict(args.verdict),
        text=args.text,
    )
    if args.seat is None or args.verdict != "oblige":
        return (ruled,)
    obliged = SeatObliged(at=at, by=by, why=args.why, command=command, seat=Seat(args.seat), turns=args.turns)
    return (ruled, obliged)


def _corrected(args: CorrectArgs, *, at: int, by: str, command: str) -> Event:
    wrong = args.correction
    if isinstance(wrong, EntryWrong):
        return EntryClosed(at=at, by=by, why=args.why, command=command, entry=wrong.entry)
    what: Correction
    match wrong:
        case CallWrong(index=index, call=call):
            what = CorrectedCall(index=index, call=_call(call))
        case AuctionWrong(calls=calls):
            what = CorrectedAuction(calls=tuple((Seat(seat), parse_call(call)) for seat, call in calls))
        case BoardWrong(number=number, dealer=dealer, vulnerability=vulnerability):
            what = CorrectedBoard(
                number=number, dealer=_seat(dealer), vulnerability=_vulnerability(vulnerability)
            )
        case DealerWrong(dealer=dealer):
            what = CorrectedBoard(dealer=_seat(dealer))
        case VulnerabilityWrong(vulnerability=vulnerability):
            what = CorrectedBoard(vulnerability=_vulnerability(vulnerability))
        case ContractWrong(bid=bid, doubled=doubled, declarer=declarer):
            what = CorrectedContract(bid=_bid(bid), doubled=doubled, declarer=_seat(declarer))
        case LeaderWrong(seat=seat):
            what = CorrectedLeader(seat=Seat(seat))
        case PhaseWrong(phase=phase):
            what = CorrectedPhase(phase=phase)
        case _:
            assert_never(wrong)
    return Corrected(at=at, by=by, why=args.why, command=command, what=what)


def _session(args: SessionArgs, *, at: int, by: str, command: str, console_wall: int | None) -> Event:
    boards = tuple(
        BoardDue(
            number=board.number,
            dealer=_seat(board.dealer),
            vulnerability=_vulnerability(board.vulnerability),
        )
        for board in args.boards
    )
    return SessionOpened(
        at=at,
        by=by,
        why=args.why,
        command=command,
        session=args.session,
        boards=boards,
        players=tuple((Seat(seat), token) for seat, token in sorted(args.players.items())),
        alerts_waived=args.alerts_waived,
        plan=_plan(args.plan, at, console_wall),
    )


def _plan(args: PlanArgs, at: int, console_wall: int | None) -> SessionPlan:
    """A start on the console's clock is put on the table's axis, which the wall's steps do not touch."""
    start = None
    if args.start_ms is not None and console_wall is not None:
        start = at + args.start_ms * NS_PER_MS - console_wall
    minutes = None if args.minutes is None else args.minutes * 60
    return SessionPlan(
        contest=None if args.contest is None else Contest(args.contest),
        start=start,
        board_s=minutes if args.board_seconds is None else args.board_seconds,
        round_s=args.round_seconds,
        pair_s=args.pair_seconds,
        regulations=args.regulations,
        late_before=args.late_before,
        slow_before=args.slow_before,
        forfeits_before=args.forfeits_before,
    )


def _seat(text: str | None) -> Seat | None:
    return None if text is None else Seat(text)


def _vulnerability(text: str | None) -> Vulnerability | None:
    return None if text is None else Vulnerability(text)


def _call(text: str | None) -> Call | None:
    return None if text is None else parse_call(text)


def _bid(text: str | None) -> Bid | None:
    call = _call(text)
    return call if isinstance(call, Bid) else None
