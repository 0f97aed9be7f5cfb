"""How expectations are written. Several on a line are parted by `;`, an entry's attributes by `,`.

Must never look at what the table did.
"""

from __future__ import annotations

import re

from hw_sim.refusals import Refusing, Why
from hw_sim.scenario import expectations as x
from hw_sim.scenario.errors import NotUnderstood
from hw_sim.scenario.expectations import Attribute, EntryExpected, EntryMode, Expectation, VisitExpected
from hw_sim.scenario.terms import Phrase, listed, read_phrase, seats_of, time_of
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen.entry import Certainty, FaultKind, Kind, Level, Stage, Standing

_A = Phrase[Attribute]
_E = Phrase[Expectation]


class NoSuchKind(Refusing, ValueError):
    """The catalogue has no such kind, of a fault or of an entry."""


def _fault(word: str) -> FaultKind:
    try:
        return FaultKind(word)
    except ValueError:
        text = f"expected a kind of fault, one of {', '.join(FaultKind)}"
        raise NoSuchKind(text, Why.NO_SUCH, thing="fault", name=word, known=list(FaultKind)) from None


def _kind(word: str) -> Kind:
    try:
        return Kind(word)
    except ValueError:
        text = f"{word!r} is no kind of the catalogue"
        raise NoSuchKind(text, Why.NO_SUCH, thing="kind", name=word, known=list(Kind)) from None


ATTRIBUTES: tuple[_A, ...] = (
    *(
        _A(form=f"stage {stage}", example=f"stage {stage}", means="how far its card has been",
           make=lambda stage=stage: x.HasStage(stage=stage))
        for stage in Stage
    ),
    _A(form="no stage", example="no stage", means="it is not about a call",
       make=lambda: x.HasStage(stage=None)),
    *(
        _A(form=f"level {level.name.lower()}", example=f"level {level.name.lower()}",
           means="how soon the director should know", make=lambda level=level: x.HasLevel(level=level))
        for level in Level
    ),
    _A(form="course {words:text}", example='course "crossed both"', means="a row whose key has these words",
       make=lambda words: x.HasCourse(words=words)),
    _A(form="no course {words:text}", example='no course "accepted"', means="no such row",
       make=lambda words: x.HasCourse(words=words, there=False)),
    _A(form="called over by {by:seat}", example="called over by W", means="the left-hand opponent called",
       make=lambda by: x.HasCalledOver(by=by)),
    _A(form="not called over", example="not called over", means="nobody did",
       make=lambda: x.HasCalledOver(by=None)),
    _A(form="mover {seat} presumed", example="mover S presumed", means="not sensed: the proper one",
       make=lambda seat: x.HasMover(seat=seat, certainty=Certainty.PRESUMED)),
    _A(form="mover {seat}", example="mover S", means="sensed",
       make=lambda seat: x.HasMover(seat=seat, certainty=Certainty.KNOWN)),
    _A(form="mover unknown", example="mover unknown", means="nobody can know",
       make=lambda: x.HasMover(seat=None, certainty=Certainty.UNKNOWN)),
    _A(form="call {call}", example="call 1C", means="the irregular call",
       make=lambda call: x.HasCall(call=call)),
    _A(form="against {call}", example="against 1D", means="the bid not outranked, or the call laid instead",
       make=lambda call: x.HasOtherCall(call=call)),
    *(
        _A(form=f"{standing}", example=f"{standing}", means="what became of it",
           make=lambda standing=standing: x.HasStanding(standing=standing))
        for standing in Standing
    ),
    _A(form="on {side}", example="on NE", means="on this face", make=lambda side: x.HasFace(side=side)),
    _A(form="board {number}", example="board 3", means="of this board",
       make=lambda number: x.HasBoard(number=number)),
    _A(form="after the board", example="after the board", means="not to be shown before",
       make=lambda: x.IsAfterBoard(after=True)),
    _A(form="at once", example="at once", means="may be shown before the board is over",
       make=lambda: x.IsAfterBoard(after=False)),
    _A(form="gap {ns:time}", example="gap 30 s", means="from the call to the push that carried it",
       make=lambda ns: x.HasGap(ns=ns)),
    _A(form="fact {name:word}[ {text:word}]", example="fact TEMPO_RAISED_ON_SAME_FACE E",
       means="a fact added to it", make=lambda name, text=None: x.HasFact(name=name, text=text)),
    _A(form="no fact {name:word}", example="no fact TEMPO_RAISED_ON_SAME_FACE", means="no such fact",
       make=lambda name: x.HasFact(name=name, there=False)),
    _A(form="cites {article:word}", example="cites 24.4", means="an article it departs from",
       make=lambda article: x.HasCitation(article=article)),
    _A(form="closed by {who:word}[ {why:text}]", example='closed by TD "it was 2S"', means="who, and why",
       make=lambda who, why=None: x.ClosedBy(who=who, why=why)),
)  # fmt: skip

STATES: tuple[_E, ...] = (
    _E(form="nothing reported", example="nothing reported", means="no entry is new with this deed",
       make=lambda: x.NothingReported()),
    _E(form="no irregularity", example="no irregularity", means="none since the beginning",
       make=lambda: x.NoIrregularity()),
    _E(form="{number} entries", example="2 entries", means="so many since the beginning, summonses apart",
       make=lambda number: x.EntryCount(count=number)),
    _E(form="{number} entries {kind:word}", example="1 entries TRAY_CROSSED_EARLY", means="of this kind",
       make=lambda number, kind: x.EntryCount(count=number, kind=_kind(kind))),
    *(
        _E(form=f"window ordered {order}", example=f"window ordered {order}", means="our order to the window",
           make=lambda order=order: x.WindowOrdered(order=order))
        for order in x.OrderSeen
    ),
    *(
        _E(form=f"window not ordered {order}", example=f"window not ordered {order}", means="no such order",
           make=lambda order=order: x.WindowNotOrdered(order=order))
        for order in x.OrderSeen
    ),
    _E(form="window not ordered", example="window not ordered", means="no order at all",
       make=lambda: x.WindowNotOrdered(order=None)),
    *(
        _E(form=f"window {state}", example=f"window {state}", means="as it is sensed",
           make=lambda state=state: x.WindowStands(state=state))
        for state in ("closed", "between", "open", "unknown")
    ),
    _E(form="phase {phase:word}", example="phase lead.awaiting", means="a leaf, or the beginning of its name",
       make=lambda phase: x.InPhase(phase=phase)),
    _E(form="through phase {phase:word}", example="through phase closing",
       means="the deed brought it there, if only to go on",
       make=lambda phase: x.ThroughPhase(phase=phase)),
    _E(form="board {number}", example="board 3", means="the board being played",
       make=lambda number: x.OnBoard(number=number)),
    _E(form="board unknown", example="board unknown", means="it has no number that is known",
       make=lambda: x.OnBoard(number=None)),
    _E(form="dealer {dealer:seat}", example="dealer S", means="as the table has it",
       make=lambda dealer: x.Dealt(dealer=dealer)),
    _E(form="dealer unknown", example="dealer unknown", means="as it says",
       make=lambda: x.Dealt(dealer=None)),
    _E(form="vulnerable {vulnerability}", example="vulnerable NS", means="as the table has it",
       make=lambda vulnerability: x.Vulnerable(vulnerability=vulnerability)),
    _E(form="no contract", example="no contract", means="none is known",
       make=lambda: x.ContractStands(contract=None)),
    _E(form="contract passed out", example="contract passed out", means="as it says",
       make=lambda: x.ContractStands(contract="Pass")),
    _E(form="contract {contract:word} by {declarer:seat}", example="contract 4SX by N", means="as it says",
       make=lambda **slots: x.ContractStands(**slots)),
    _E(form="leader {seat}", example="leader W", means="the presumed leader",
       make=lambda seat: x.LeaderStands(seat=seat)),
    _E(form="leader unknown", example="leader unknown", means="nobody can know",
       make=lambda: x.LeaderStands(seat=None)),
    _E(form="turn {seat}", example="turn N", means="whose call or card is due",
       make=lambda seat: x.TurnStands(seat=seat)),
    _E(form="turn nobody", example="turn nobody", means="nothing is due",
       make=lambda: x.TurnStands(seat=None)),
    _E(form="auction {calls:seat_calls}", example="auction S 1C, W P, N 1H", means="the calls as they lie",
       make=lambda calls: x.AuctionStands(calls=calls)),
    _E(form="auction empty", example="auction empty", means="no call lies",
       make=lambda: x.AuctionStands(calls=())),
    _E(form="tray on {side}", example="tray on NE", means="as the table has it",
       make=lambda side: x.TrayStands(place=side)),
    *(
        _E(form=f"tray {place}", example=f"tray {place}", means="as the table has it",
           make=lambda place=place: x.TrayStands(place=place))
        for place in ("moving", "conflict", "unknown")
    ),
    _E(form="lead of {seat} lies", example="lead of W lies", means="as it says",
       make=lambda seat: x.LeadLies(seat=seat)),
    _E(form="lead of {seat} lies face up", example="lead of W lies face up", means="as it says",
       make=lambda seat: x.LeadLies(seat=seat, faced=True)),
    _E(form="lead of {seat} lies face down", example="lead of W lies face down", means="as it says",
       make=lambda seat: x.LeadLies(seat=seat, faced=False)),
    _E(form="no lead lies", example="no lead lies", means="as it says", make=lambda: x.LeadLies(seat=None)),
    _E(form="on hold", example="on hold", means="the procedure is stopped", make=lambda: x.OnHold(on=True)),
    _E(form="on hold for {number} reasons", example="on hold for 2 reasons", means="as it says",
       make=lambda number: x.OnHold(on=True, number=number)),
    _E(form="not on hold", example="not on hold", means="it goes on", make=lambda: x.OnHold(on=False)),
    _E(form="hold output {side} on", example="hold output SW on", means="the tray is held there",
       make=lambda side: x.HoldOutput(side=side, on=True)),
    _E(form="hold output {side} off", example="hold output SW off", means="the tray may go",
       make=lambda side: x.HoldOutput(side=side, on=False)),
    _E(form="summons lamp {seat} on", example="summons lamp N on", means="the director is coming",
       make=lambda seat: x.SummonsLamp(seat=seat, on=True)),
    _E(form="summons lamp {seat} off", example="summons lamp N off", means="as it says",
       make=lambda seat: x.SummonsLamp(seat=seat, on=False)),
    _E(form="fault {kind:word} stands", example="fault SENSOR_CONFLICT stands", means="raised, not cleared",
       make=lambda kind: x.FaultExpected(kind=_fault(kind), standing=True)),
    _E(form="fault {kind:word} is over", example="fault SENSOR_CONFLICT is over", means="raised and cleared",
       make=lambda kind: x.FaultExpected(kind=_fault(kind), standing=False)),
    _E(form="fault {kind:word}", example="fault DEVICE_RESET", means="raised since the beginning",
       make=lambda kind: x.FaultExpected(kind=_fault(kind))),
    _E(form="no fault {kind:word}", example="no fault WINDOW_JAMMED", means="never raised",
       make=lambda kind: x.FaultExpected(kind=_fault(kind), there=False)),
    _E(form="no fault", example="no fault", means="none stands", make=lambda: x.NoFault()),
    _E(form="refused[ {words:text}]", example='refused "no hold is in force"',
       means="the director's order, for a reason with these words",
       make=lambda words="": x.Refused(words=words)),
    _E(form="check {check:word} off", example="check INSUFFICIENT_BID off", means="cannot be made here now",
       make=lambda check: x.CheckIs(check=check, off=True)),
    _E(form="check {check:word} on", example="check INSUFFICIENT_BID on", means="is made",
       make=lambda check: x.CheckIs(check=check, off=False)),
    _E(form="{number} visits", example="3 visits", means="so many of the tray were recorded",
       make=lambda number: x.VisitCount(count=number)),
    _E(form="{number} boards recorded", example="1 boards recorded", means="so many records were closed",
       make=lambda number: x.BoardCount(count=number)),
)  # fmt: skip

RECORDS: tuple[Phrase[x.BoardRecorded], ...] = (
    *(
        Phrase[x.BoardRecorded](form=f"{outcome}", example=f"{outcome}", means="what became of the board",
                                make=lambda outcome=outcome: x.BoardRecorded(outcome=outcome))
        for outcome in x.Outcome
    ),
    Phrase[x.BoardRecorded](form="{contract:word} by {declarer:seat}", example="4SX by N", means="contract",
                            make=lambda **slots: x.BoardRecorded(**slots)),
    Phrase[x.BoardRecorded](form="passed out", example="passed out", means="contract",
                            make=lambda: x.BoardRecorded(contract="Pass")),
    Phrase[x.BoardRecorded](form="no contract", example="no contract", means="it is unknown",
                            make=lambda: x.BoardRecorded(contract="")),
    Phrase[x.BoardRecorded](form="{tricks:number} tricks", example="10 tricks", means="declarer's",
                            make=lambda tricks: x.BoardRecorded(tricks=tricks)),
    Phrase[x.BoardRecorded](form="{crossings:number} crossings", example="3 crossings",
                            means="of the tray between two calls",
                            make=lambda crossings: x.BoardRecorded(crossings=crossings)),
    Phrase[x.BoardRecorded](form="with {kind:word}", example="with INSUFFICIENT_BID",
                            means="an irregularity in its record",
                            make=lambda kind: x.BoardRecorded(irregularities=(kind,))),
)  # fmt: skip

_ENTRY = re.compile(r"(report|amend|no entry|entry) (#\d+ ?)?([A-Z_]+(?: and [A-Z_]+)*)?(?: (.+))?")
_VISIT = re.compile(r"visit (?:(\d+) )?(NE|SW)(?:: (.*))?")
_RECORD = re.compile(r"recorded(?: board (\d+))?(?:: (.*))?")
OF_ENTRIES = (
    ("report KIND SEATS, attributes", "report TRAY_CROSSED_EARLY W, mover S presumed", "new with this deed"),
    ("amend KIND SEATS, attributes", "amend CALL_OUT_OF_ROTATION N, stage crossed", "changed by this deed"),
    ("entry KIND SEATS, attributes", "entry INSUFFICIENT_BID S, called over by W", "it is there"),
    ("entry #N, attributes", "entry #1, ruled", "the first one reported"),
    ("no entry KIND SEATS, attributes", "no entry TRAY_FORGOTTEN", "none such is there"),
)
OF_VISITS = (
    ("visit SIDE: parts", "visit NE: N 115 s, E 3 s, hold 2 s", "the latest visit to this face"),
    ("visit NUMBER SIDE: parts", "visit 2 SW: interrupted", "the one of this ordinal"),
)
OF_RECORDS = (("recorded: parts", "recorded board 3: completed, 1C by S", "the latest record closed"),)


def read_expectations(text: str, *, after_deed: bool) -> tuple[Expectation, ...]:
    """All of one line. Raises NotUnderstood."""
    found = tuple(_one(part.strip()) for part in text.split(";") if part.strip())
    if not found:
        raise NotUnderstood(
            "nothing is expected; write what, such as `report TRAY_CROSSED_EARLY W`", Why.NOTHING_EXPECTED
        )
    for one in found:
        if not after_deed and _is_of_the_deed(one):
            raise NotUnderstood(
                "`report`, `amend`, `refused`, `through phase` and `nothing reported` belong behind `->`, "
                "where they are about one deed; here write `entry` or `no entry`",
                Why.EXPECTED_OF_A_DEED,
            )
    return found


def _is_of_the_deed(one: Expectation) -> bool:
    if isinstance(one, EntryExpected):
        return one.mode in x.OF_THE_DEED
    return isinstance(one, x.NothingReported | x.Refused | x.ThroughPhase)


def _one(text: str) -> Expectation:
    if (found := _ENTRY.fullmatch(text.split(",")[0])) and (found[2] or found[3]):
        return _entry(found, text)
    if visit := _VISIT.fullmatch(text):
        return _visit(visit)
    if record := _RECORD.fullmatch(text):
        return _record(record)
    return read_phrase(text, STATES, "expectation")


def _entry(found: re.Match[str], text: str) -> EntryExpected:
    mode, number, kinds, seats = found.groups()
    rest = [part.strip() for part in _parts(text)[1:]]
    try:
        named = tuple(_kind(word) for word in kinds.split(" and ")) if kinds else ()
    except NoSuchKind as problem:
        raise NotUnderstood(
            f"{text!r}: {problem}; the kinds are {', '.join(Kind)}", problem.said.why, **problem.said.params
        ) from None
    who: tuple[Seat, ...] | None = None
    if seats is not None:
        if seats != "nobody" and not re.fullmatch(r"[NESW](?: [NESW])*", seats):
            raise NotUnderstood(
                f"{seats!r} is no list of seats; write `W`, `N E` or `nobody`", Why.SEATS_WRONG, text=seats
            )
        who = () if seats == "nobody" else seats_of(seats)
    return EntryExpected(
        mode=EntryMode(mode),
        kinds=named,
        seats=who,
        number=None if number is None else int(number.strip().lstrip("#")),
        attributes=tuple(read_phrase(part, ATTRIBUTES, "attribute of an entry") for part in rest),
    )


def _parts(text: str) -> list[str]:
    """Parted at commas, those between quotation marks apart."""
    return re.findall(r'(?:[^,"]|"[^"]*")+', text)


_TIME = r"(\d+(?:\.\d+)? (?:ms|s|min)|unknown)"


def _visit(found: re.Match[str]) -> VisitExpected:
    ordinal, side, rest = found.groups()
    thinking: list[tuple[Seat, int | None]] = []
    parts: list[tuple[x.Part, int | None]] = []
    flags: dict[str, bool] = {}
    mover: x.HasMover | None = None
    for part in _parts(rest or ""):
        word = part.strip()
        if time := re.fullmatch(rf"([NESW]) {_TIME}", word):
            thinking.append((Seat(time[1]), _time_or_unknown(time[2])))
        elif time := re.fullmatch(rf"(hold|transit|stay) {_TIME}", word):
            parts.append((x.Part(time[1]), _time_or_unknown(time[2])))
        elif flag := re.fullmatch(r"(not )?(interrupted|returned)", word):
            flags[flag[2]] = flag[1] is None
        elif word.startswith("mover "):
            attribute = read_phrase(word, ATTRIBUTES, "mover")
            mover = attribute if isinstance(attribute, x.HasMover) else None
        else:
            near = ["N 115 s", "hold 2 s", "transit 1 s", "stay 120 s", "interrupted", "mover N"]
            raise NotUnderstood(
                f"{word!r} is no part of a visit; write {listed(near)}",
                Why.NO_SUCH_PHRASE,
                text=word,
                thing="part of a visit",
                like=near,
            )
    return VisitExpected(
        side=ScreenSide(side),
        ordinal=None if ordinal is None else int(ordinal),
        thinking=tuple(thinking),
        parts=tuple(parts),
        interrupted=flags.get("interrupted"),
        returned=flags.get("returned"),
        mover=mover,
    )


def _time_or_unknown(text: str) -> int | None:
    return None if text == "unknown" else time_of(text)


def _record(found: re.Match[str]) -> x.BoardRecorded:
    number, rest = found.groups()
    record = x.BoardRecorded(number=None if number is None else int(number))
    for part in _parts(rest or ""):
        record = _merged(record, read_phrase(part.strip(), RECORDS, "part of a board's record"))
    return record


def _merged(one: x.BoardRecorded, other: x.BoardRecorded) -> x.BoardRecorded:
    """What either says."""
    return x.BoardRecorded(
        number=one.number if other.number is None else other.number,
        outcome=other.outcome or one.outcome,
        contract=one.contract if other.contract is None else other.contract,
        declarer=other.declarer or one.declarer,
        tricks=one.tricks if other.tricks is None else other.tricks,
        crossings=one.crossings if other.crossings is None else other.crossings,
        irregularities=one.irregularities + other.irregularities,
    )
