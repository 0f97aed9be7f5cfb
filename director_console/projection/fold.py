"""Folding inputs into the hall: what each kind of news changes.

Takes any number of inputs, in any order that stored reports can be replayed in, and gives a new value;
the old one stays as it was, so that a page may read one while the next is made. Must never depend on
arrival order where reports carry numbers: the higher number wins.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from types import MappingProxyType
from typing import assert_never

from director_console.projection.alarm import Alarm
from director_console.projection.case import Amendment, Case
from director_console.projection.hall import Hall, Key, TableNow, natural
from director_console.projection.inputs import (
    AlarmSeen,
    AlarmStepped,
    BoardSeen,
    BrokerSeen,
    CaseStepped,
    ClockSet,
    CommandSeen,
    EntrySeen,
    Input,
    NoticeSeen,
    PlanLaid,
    Presence,
    PresenceSeen,
    RowSeen,
    RulingMade,
    SnapshotSeen,
    TableKnown,
    TimeRuled,
    ViewSeen,
)
from director_console.projection.timing import PaceSeen, Times, TimeSeen


def fold(hall: Hall, inputs: Iterable[Input]) -> Hall:
    """The hall after these inputs. The revision rises by one, however many they were; by none if none."""
    work = _Work(hall)
    for item in inputs:
        work.take(item)
    return work.result() if work.touched else hall


class _Work:
    """One folding: the mappings are copied once, the values in them stay frozen. Never kept."""

    def __init__(self, hall: Hall) -> None:
        self.old = hall
        self.rev = hall.rev + 1
        self.tables = dict(hall.tables)
        self.cases = dict(hall.cases)
        self.alarms = dict(hall.alarms)
        self.of_table = dict(hall.of_table)
        self.commands = dict(hall.commands)
        self.notices = dict(hall.notices)
        self.broker_up = hall.broker_up
        self.clock, self.plans = hall.clock, hall.plans
        self.times = dict(hall.times)
        self.time_rulings = dict(hall.time_rulings)
        self.touched = False
        self.strip = False

    def result(self) -> Hall:
        return Hall(
            rev=self.rev,
            tables=MappingProxyType(self.tables),
            cases=MappingProxyType(self.cases),
            alarms=MappingProxyType(self.alarms),
            of_table=MappingProxyType(self.of_table),
            commands=MappingProxyType(self.commands),
            notices=MappingProxyType(self.notices),
            broker_up=self.broker_up,
            order=self._order(),
            strip_rev=self.rev if self.strip else self.old.strip_rev,
            clock=self.clock,
            plans=self.plans,
            times=MappingProxyType(self.times),
            time_rulings=MappingProxyType(self.time_rulings),
        )

    def _order(self) -> tuple[str, ...]:
        if len(self.tables) == len(self.old.order):
            return self.old.order
        return tuple(sorted(self.tables, key=natural))

    def take(self, item: Input) -> None:
        self.touched = True
        match item:
            case RowSeen():
                self._row(item)
            case ViewSeen():
                self._view(item)
            case EntrySeen():
                self._entry(item)
            case AlarmSeen():
                self._alarm(item)
            case BoardSeen():
                table = self.tables.get(item.table) or self._table(item.table, item.epoch)
                self._put(replace(table, last_board=item.board, boards_over=table.boards_over + 1))
            case PresenceSeen():
                self._presence(item)
            case SnapshotSeen():
                self._snapshot(item)
            case CaseStepped() | RulingMade() | CommandSeen():
                self._case_act(item)
            case AlarmStepped():
                self._alarm_act(item)
            case NoticeSeen():
                self.notices[item.id] = item
                self.strip = True
            case BrokerSeen():
                self.broker_up = item.up
                self.strip = True
            case TableKnown():
                self._put(self._table(item.table, ""))
            case ClockSet():
                self.clock = item.clock
            case PlanLaid():
                self.plans = (item.plan, *self.plans)
            case TimeRuled():
                key = (item.table, item.session, item.matter)
                self.time_rulings[key] = (*self.time_rulings.get(key, ()), item)
            case TimeSeen() | PaceSeen():
                self._time(item)
            case _:
                assert_never(item)

    def _time(self, item: TimeSeen | PaceSeen) -> None:
        known = self.times.get(item.table, Times())
        self.times[item.table] = (
            known.with_board(item) if isinstance(item, TimeSeen) else known.with_pace(item)
        )
        if item.table in self.tables:
            self._put(self.tables[item.table])

    def _table(self, name: str, epoch: str) -> TableNow:
        """The table as it stands, in this epoch: a new journal begins its numbers and its view anew."""
        table = self.tables.get(name)
        if table is None:
            return TableNow(name=name, rev=self.rev, epoch=epoch)
        if epoch and table.epoch != epoch:
            return TableNow(
                name=name,
                rev=self.rev,
                epoch=epoch,
                past=(table.past | {table.epoch}) - {"", epoch},
                presence=table.presence,
                heard_at=table.heard_at,
                session=table.session,
                boards_over=table.boards_over,
            )
        return table

    def _put(self, table: TableNow) -> None:
        self.tables[table.name] = replace(table, rev=self.rev)

    def _of_old_journal(self, name: str, epoch: str, *, live: bool) -> bool:
        """A stored or late report of a journal the table no longer writes."""
        table = self.tables.get(name)
        return table is not None and table.epoch not in ("", epoch) and not live

    def _followed(self, name: str, epoch: str) -> bool:
        """Whether another journal has followed this one. The table says itself if it goes back to it; a row
        may only have come late.
        """
        table = self.tables.get(name)
        return table is not None and epoch in table.past

    def _row(self, item: RowSeen) -> None:
        live = item.live and not self._followed(item.table, item.epoch)
        if self._of_old_journal(item.table, item.epoch, live=live):
            return
        table = self._table(item.table, item.epoch)
        heard = item.at if item.live else table.heard_at
        self._put(
            replace(
                table,
                heard_at=heard,
                last_received=max(table.last_received, item.upto),
                highest=max(table.highest, item.seq),
            )
        )

    def _view(self, item: ViewSeen) -> None:
        table = self.tables.get(item.table) or self._table(item.table, item.epoch)
        if table.epoch == item.epoch and item.seq > table.view_seq:
            same = table.view is not None and table.view.board == item.view.board
            since = table.board_since if same else item.when
            self._put(replace(table, view=item.view, view_seq=item.seq, view_at=item.when, board_since=since))

    def _entry(self, item: EntrySeen) -> None:
        key = (item.table, item.epoch, item.entry.id)
        known = self.cases.get(key)
        if known is None:
            self._index(key)
            self.cases[key] = Case(
                table=item.table,
                epoch=item.epoch,
                entry=item.entry,
                when=item.when,
                reported=item.reported,
                rev=self.rev,
                amendments=(Amendment(seq=item.seq, entry=item.entry, reported=item.reported),),
            )
            self._case_goes_on(self.cases[key])
        else:
            self.cases[key] = known.amended(item, self.rev)
        self._touch(item.table)

    def _alarm(self, item: AlarmSeen) -> None:
        key = (item.table, item.epoch, item.fault.id)
        known = self.alarms.get(key)
        if known is None:
            self._index(key)
            self.alarms[key] = Alarm(
                table=item.table,
                epoch=item.epoch,
                fault=item.fault,
                seq=item.seq,
                when=item.when,
                rev=self.rev,
            )
            self._alarm_goes_on(self.alarms[key])
        else:
            self.alarms[key] = known.reported(item, self.rev)
        self._touch(item.table)

    def _case_goes_on(self, new: Case) -> None:
        """Of one entry in several journals the one in the present journal, else the one reported last, is the
        director's; at the start they come in any order.
        """
        others = [self.cases[key] for key in self.of_table[new.table] if key in self.cases]
        same = [case for case in others if new.same_entry(case)]
        if not same:
            return
        *earlier, last = sorted((*same, new), key=lambda case: (self._is_present(case), case.reported))
        when = min(case.when for case in same)
        for case in earlier:
            key = (case.table, case.epoch, case.entry.id)
            self.cases[key] = replace(case, goes_on_as=last.key, when=when, rev=self.rev)
        key = (last.table, last.epoch, last.entry.id)
        self.cases[key] = replace(last, goes_on_as="", when=when, rev=self.rev)

    def _is_present(self, one: Case | Alarm) -> bool:
        """Whether it is of the journal its table writes now."""
        table = self.tables.get(one.table)
        return table is not None and table.epoch == one.epoch

    def _alarm_goes_on(self, new: Alarm) -> None:
        others = [self.alarms[key] for key in self.of_table[new.table] if key in self.alarms]
        same = [alarm for alarm in others if new.same_fault(alarm)]
        if not same:
            return
        *earlier, last = sorted((*same, new), key=lambda alarm: (self._is_present(alarm), alarm.when))
        for alarm in earlier:
            key = (alarm.table, alarm.epoch, alarm.fault.id)
            self.alarms[key] = replace(alarm, goes_on_as=last.key, rev=self.rev)
        key = (last.table, last.epoch, last.fault.id)
        self.alarms[key] = replace(last, goes_on_as="", rev=self.rev)

    def _index(self, key: Key) -> None:
        self.of_table[key[0]] = self.of_table.get(key[0], frozenset()) | {key}

    def _touch(self, name: str) -> None:
        """The badge of a tile depends on its cases and alarms."""
        self.strip = True
        if name in self.tables:
            self._put(self.tables[name])

    def _presence(self, item: PresenceSeen) -> None:
        offline = item.presence is Presence.OFFLINE  # a will was made early, and may name the journal of then
        table = self._table(item.table, "" if offline and item.table in self.tables else item.epoch)
        late_will = offline and table.session not in ("", item.session)
        if late_will:
            return
        heard = item.at if item.live and not offline else table.heard_at
        self._put(replace(table, session=item.session, presence=item.presence, heard_at=heard))
        self.strip = True

    def _snapshot(self, item: SnapshotSeen) -> None:
        if self._of_old_journal(item.table, item.snapshot.epoch, live=item.live):
            return
        table = self._table(item.table, item.snapshot.epoch)
        heard = item.at if item.live else max(table.heard_at or 0, item.at) or None
        speaks = item.live and table.presence is Presence.OFFLINE
        self._put(
            replace(
                table,
                presence=Presence.ONLINE if speaks else table.presence,
                snapshot=item.snapshot,
                session=item.snapshot.session,
                heard_at=heard,
                last_seq=max(table.last_seq, item.snapshot.last_seq),
            )
        )

    def _case_act(self, item: CaseStepped | RulingMade | CommandSeen) -> None:
        if isinstance(item, CommandSeen):
            self.commands[item.id] = item
        key = (item.table, item.epoch, -1 if item.entry is None else item.entry)
        case = self.cases.get(key)
        if case is not None:
            match item:
                case CaseStepped():
                    case = replace(case, steps=(*case.steps, item), rev=self.rev)
                case RulingMade():
                    case = replace(case, rulings=(*case.rulings, item), rev=self.rev)
                case CommandSeen():
                    case = case.with_command(item, self.rev)
            self.cases[key] = case
        self._touch(item.table)

    def _alarm_act(self, item: AlarmStepped) -> None:
        key = (item.table, item.epoch, item.fault)
        alarm = self.alarms.get(key)
        if alarm is not None:
            self.alarms[key] = alarm.acted(item, self.rev)
        self._touch(item.table)
