"""Recorded games at simulated tables whose controllers are real processes that never get the record.

Must never tell a result from what the players did: it is read from the controllers' journals.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from hw_sim.core_runner import customs_of
from hw_sim.hardware.device_hub import DeviceHub
from hw_sim.players.customs import STYLES
from hw_sim.players.ledger import BoardAccount
from hw_sim.players.script import script_of
from hw_sim.processes.joints import check_alive
from hw_sim.processes.journal_reader import JOURNAL_NAME
from hw_sim.processes.supervise import Supervisor, program
from hw_sim.processes.table_boards import boards_of
from hw_sim.processes.workplace import open_workplace
from hw_sim.records.job import A_NEW_FOLDER, Job, Through
from hw_sim.records.model import Game, RecordedGame
from hw_sim.records.results import MISSING_BOARD, GameResult, refused, result_of, unplayed
from hw_sim.table.live import Stopped
from hw_sim.table.site import Hall, Site, Way
from table_controller.plain.given_paths import make_folder

IN_VAIN = 3
"""After so many boards in a row that something was waited for in vain, a table gives up."""
Games = list[tuple[int, RecordedGame]]
Played = tuple[BoardAccount, str | None]


class _Table:
    """One site with its share of the games, played in a thread of its own."""

    def __init__(
        self, site: Site, games: list[tuple[int, RecordedGame]], on_played: Callable[[], None]
    ) -> None:
        self.site = site
        self.games = games
        self.played: dict[int, Played] = {}
        self._on_played = on_played
        self.thread = threading.Thread(target=self._run, name=f"players-{site.name}", daemon=True)
        self.error: BaseException | None = None

    def _run(self) -> None:
        in_vain = 0
        try:
            self.site.await_controller(lambda: None)
            for index, game in self.games:
                self.played[index] = self.site.play_or_break_off(script_of(game))
                in_vain = in_vain + 1 if self.played[index][1] else 0
                self._on_played()
                if in_vain == IN_VAIN:
                    return
            self.site.end_evening()
        except Stopped:
            pass
        except BaseException as error:
            self.error = error


def through_tables(
    games: Iterable[Game], job: Job, on_played: Callable[[], None] = lambda: None
) -> Iterator[GameResult]:
    """Play all games, then tell what the controllers recorded.

    Raises JointBroken, UnknownRegulations, PathUnusable.
    """
    customs = customs_of(job.regulations)
    listed = list(games)
    playable = [(n, game) for n, game in enumerate(listed) if isinstance(game, RecordedGame)]
    with _folder(job.keep) as directory:
        hub = DeviceHub().start()
        hall = Hall(
            directory=directory,
            hub=hub,
            customs=customs,
            style=STYLES["steady"],
            speed=job.speed,
            quick=job.speed == float("inf"),
            way=Way.GPIO if job.through is Through.GPIO else Way.WIRE,
            kind=job.kind,
            regulations=job.regulations,
        )
        count = max(1, min(job.workers, len(playable)))
        shares = [playable[n::count] for n in range(count)]
        tables = [_Table(Site(str(n + 1), n, hall), share, on_played) for n, share in enumerate(shares)]
        try:
            _play_all(tables, directory)
            recorded = {index: result for table in tables for index, result in _results(table).items()}
        finally:
            for table in tables:
                table.site.close()
            hub.close()
    for index, game in enumerate(listed):
        yield recorded[index] if isinstance(game, RecordedGame) else refused(game)


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    """Where the run's files lie: `keep`, made new, or a folder that goes when it is over."""
    if keep is not None:
        yield make_folder(keep, A_NEW_FOLDER)
        return
    with open_workplace("screen-table-records-") as directory:
        yield directory


def _play_all(tables: list[_Table], directory: Path) -> None:
    with Supervisor(directory) as supervisor:
        for table in tables:
            table.site.start()
            run = [*program("table-controller"), "run", "--config", str(table.site.config)]
            supervisor.start(f"controller-{table.site.name}", run)
        try:
            for table in tables:
                table.thread.start()
            for table in tables:
                while table.thread.is_alive():
                    table.thread.join(0.2)
                    check_alive(supervisor)
                if table.error is not None:
                    raise table.error
        finally:
            for table in tables:
                table.site.stop()
            for table in tables:
                table.thread.join(5)


def _results(table: _Table) -> dict[int, GameResult]:
    accounts = [account for account, _ in table.played.values()]
    boards = boards_of(table.site.data / JOURNAL_NAME, accounts)
    found: dict[int, GameResult] = {}
    for index, game in table.games:
        if index not in table.played:
            found[index] = unplayed(game, f"the table gave up after {IN_VAIN} boards that came to no end")
            continue
        account, complaint = table.played[index]
        board = boards[accounts.index(account)]
        if board is None:
            found[index] = unplayed(game, complaint or MISSING_BOARD)
        else:
            found[index] = result_of(game, board, complaint)
    return found
