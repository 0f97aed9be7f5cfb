"""A few lines of a core, to test what is around it: it closes on a board, opens on a lead, times a push."""

from __future__ import annotations

from table_controller.screen.effects import (
    ClearDeadline,
    CloseWindow,
    Effect,
    HoldTray,
    LightSummons,
    OpenWindow,
    Refuse,
    SetDeadline,
    ShowState,
    TableView,
)
from table_controller.screen.events import (
    BoardPlaced,
    DirectorSummoned,
    Event,
    Held,
    LeadMade,
    Resumed,
    TimePassed,
    TrayArrived,
    TrayLeft,
    WindowMoved,
    WindowOrder,
    WindowOverridden,
    WindowState,
)
from table_controller.screen.refusals import WhyRefused, refusal


class StubCore:
    """Counts what it is told; `fails_on` raises once for that kind of event."""

    def __init__(self, fails_on: type | None = None) -> None:
        self.told: list[tuple[int, Event]] = []
        self.phase = "setup"
        self._window = WindowState.UNKNOWN
        self._tray = "unknown"
        self._board: int | None = None
        self._fails_on = fails_on

    def view(self) -> TableView:
        return TableView(
            phase=self.phase, board=self._board, dealer=None, vulnerability=None, tray=self._tray,
            window=self._window, calls=(), turn=None, contract=None, declarer=None, leader=None, lead=None,
            lead_faced=None, cards_played=0, holds=(), open_entries=(), faults=(), summons=(),
        )  # fmt: skip

    def handle(self, event: Event, number: int = 0) -> list[Effect]:
        if self._fails_on is type(event):
            self._fails_on = None
            raise ZeroDivisionError("for the test")
        self.told.append((number, event))
        before = self.view()
        effects = self._effects(event)
        if self.view() != before:
            effects.append(ShowState(view=self.view()))
        return effects

    def _effects(self, event: Event) -> list[Effect]:
        match event:
            case BoardPlaced(number=number):
                self._board, self.phase = number, "closing"
                return [CloseWindow(reason="auction")]
            case LeadMade():
                return [OpenWindow(reason="lead placed")]
            case DirectorSummoned(seat=seat):
                return [LightSummons(seat=seat, on=True)]
            case TrayArrived(side=side):
                self._tray = side.value
                return [HoldTray(side=side), SetDeadline(name="forgotten", at=event.at + 180_000_000_000)]
            case TrayLeft():
                self._tray = "moving"
                return [ClearDeadline(name="forgotten")]
            case TimePassed():
                self.phase = "timed out"
            case WindowMoved(state=state):
                self._window = state
            case Held():
                self.phase = "held"
            case Resumed(command=command):
                if self.phase != "held":
                    return [Refuse(command=command, refusal=refusal(WhyRefused.NO_HOLD))]
                return []
            case WindowOverridden(to=to):
                return [
                    OpenWindow(reason="director")
                    if to is WindowOrder.OPEN
                    else CloseWindow(reason="director")
                ]
            case _:
                pass
        return []
