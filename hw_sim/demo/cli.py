"""`hw-sim demo`: what `make demo` calls.

Must never leave a process behind, nor end with 0 where anything was lost, doubled or left open.
"""

from __future__ import annotations

import contextlib
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer
from rich.console import Console

from hw_sim.core_runner import UnknownRegulations, customs_of
from hw_sim.demo.breakage import Breakage
from hw_sim.demo.evening import Demo, Options
from hw_sim.demo.summary import Summary
from hw_sim.misdeeds.hardware import HARDWARE_MISDEEDS
from hw_sim.misdeeds.order import MisdeedOrder, read_order
from hw_sim.misdeeds.plan import MISDEEDS
from hw_sim.players.script import BoardScript, script_of
from hw_sim.processes.broker import BrokerError, BrokerKind, resolve
from hw_sim.processes.joints import JointBroken
from hw_sim.processes.workplace import open_workplace
from hw_sim.records.cli import MOST_TABLES, bad_input, check_files, parse_speed
from hw_sim.records.job import A_NEW_FOLDER
from hw_sim.records.model import RecordedGame
from hw_sim.records.read import read_records
from hw_sim.table.wiring import TableKind, wiring
from table_controller.plain.given_paths import PathUnusable, make_folder, refuse_taken

OWN_RECORDS = Path(__file__).parents[1] / "recordings"
PERSON_FIRST_S = 30.0
"""How long a case is left to whoever watches."""
PREFIX = "screen-table-demo-"
NOTICE = "Simulated tables and an open broker on this machine's loopback only: not for a venue."
MOST_PATIENCE_S = 60
"""Players who called the director wait 90 s for him, and a ruling has to reach the table."""


def demo(
    tables: Annotated[int, typer.Option(min=1, max=MOST_TABLES, help="How many tables.")] = 4,
    speed: Annotated[str, typer.Option(help="Times the pace of real players, or max.")] = "10",
    records: Annotated[
        list[Path] | None, typer.Option(help="PBN or LIN files to play, or folders; else our own.")
    ] = None,
    boards: Annotated[
        int, typer.Option(min=0, help="End after so many boards a table; 0: go on until stopped.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="The same seed plays the same evening.")] = 1,
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The console's port; 0: any free one.")] = 0,
    broker: Annotated[BrokerKind, typer.Option(help="Which broker.")] = BrokerKind.AUTO,
    regulations: Annotated[str, typer.Option(help="The profile in force.")] = "ccba-2006",
    every: Annotated[int, typer.Option(min=0, help="A misdeed about every so many boards; 0: none.")] = 3,
    misdeed: Annotated[
        list[str] | None,
        typer.Option(
            help="Only this one, on every board where it can be done: of the players, or of the hardware as "
            "'NAME [OPTION=VALUE ...] [at=SECONDS]'."
        ),
    ] = None,
    patience: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=MOST_PATIENCE_S,
            help="Seconds a case is left to you before the scripted director rules.",
        ),
    ] = None,
    keep: Annotated[
        Path | None, typer.Option(help="Keep journals, ledgers and what was said in this new folder.")
    ] = None,
    break_: Annotated[
        Breakage | None, typer.Option("--break", help="Break a joint, to see it noticed and named.")
    ] = None,
) -> None:
    """Watch simulated tables play, and follow them on the director's console.

    Every table has a real controller behind a simulated microcontroller. What waits for a ruling is ruled
    by a scripted director: after 30 s on a terminal unless you do, else at once.

    Example: [cyan]hw-sim demo --tables 8 --speed 30 --boards 2[/cyan]
    """
    on_terminal = sys.stdout.isatty()
    try:
        players, faults = _sorted_misdeeds(misdeed or [])
        check_files(records or [])
        customs_of(regulations)
        if keep is not None:
            refuse_taken(keep, A_NEW_FOLDER)
        options = Options(
            scripts=scripts_in(records or [OWN_RECORDS]),
            tables=tables,
            speed=parse_speed(speed),
            quick=speed == "max",
            boards=boards,
            seed=seed,
            port=port,
            broker=resolve(broker),
            patience_s=(PERSON_FIRST_S if on_terminal else 0.0) if patience is None else patience,
            every=0 if faults and not players else every,
            misdeeds=players,
            faults=faults,
            regulations=regulations,
            breakage=break_,
        )
        kept = None if keep is None else make_folder(keep, A_NEW_FOLDER)
    except (ValueError, UnknownRegulations, BrokerError) as problem:
        raise bad_input(str(problem)) from None
    try:
        raise typer.Exit(run(options, kept))
    except PathUnusable as problem:
        raise bad_input(str(problem)) from None


def _sorted_misdeeds(asked: list[str]) -> tuple[tuple[str, ...], tuple[MisdeedOrder, ...]]:
    """Those of the players and those of the hardware. Raises ValueError, naming what there is."""
    players: list[str] = []
    faults: list[MisdeedOrder] = []
    for line in asked:
        if line in MISDEEDS:
            players.append(line)
        elif line.split()[:1] and line.split()[0] in HARDWARE_MISDEEDS:
            faults.append(_at_our_tables(read_order(line)))
        else:
            known = f"{', '.join(MISDEEDS)}; of the hardware {', '.join(HARDWARE_MISDEEDS)}"
            raise ValueError(f"no misdeed is called {line!r}; choose one of {known}")
    return tuple(players), tuple(faults)


def _at_our_tables(order: MisdeedOrder) -> MisdeedOrder:
    """Raises ValueError for an input that the demonstration's tables have not."""
    signal = order.options.get("signal", "")
    known = [wire.signal for wire in wiring(TableKind.FULL).rig.inputs]
    if signal and signal not in known:
        raise ValueError(f"there is no input {signal!r}; choose one of {', '.join(known)}")
    return order


def scripts_in(paths: list[Path]) -> list[BoardScript]:
    """The games that come to an end. Raises ValueError if there is none."""
    games = [game for game in read_records(paths) if isinstance(game, RecordedGame)]
    scripts = [script_of(game) for game in games if game.contract is not None and game.board is not None]
    if not scripts:
        raise ValueError("the records hold no game that can be played to its end; name others")
    return scripts


class _Ended(Exception):
    """Somebody wants us to stop."""


_ENDED_BY = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def _on_signal(number: int, frame: FrameType | None) -> None:
    for each in _ENDED_BY:
        signal.signal(
            each, signal.SIG_IGN
        )  # once is enough: what is being tidied up must be tidied to its end
    raise _Ended


def run(options: Options, keep: Path | None = None) -> int:
    """Run the demonstration, in the folder `keep` or in one that goes with it.

    The exit code: 1 where something was lost, doubled, left open or broken. Raises PathUnusable.
    """
    console = Console(highlight=False, soft_wrap=True)
    before = {number: signal.getsignal(number) for number in _ENDED_BY}
    for number in _ENDED_BY:
        if number is not signal.SIGHUP or before[number] is not signal.SIG_IGN:  # nohup is to have its way
            signal.signal(number, _on_signal)
    try:
        if keep is not None:
            return _run(options, keep, console)
        with open_workplace(PREFIX) as directory:
            return _run(options, directory, console)
    except _Ended:
        with contextlib.suppress(OSError):  # the terminal may have gone
            console.print("stopped")
        return 0 if not options.boards else 1
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _run(options: Options, directory: Path, console: Console) -> int:
    with Demo(options, directory, lambda line: console.print(line, markup=False)) as demo:
        try:
            what = "one table" if options.tables == 1 else f"{options.tables} tables"
            console.print(f"[dim]Starting a broker, the console and {what} with their controllers ...[/dim]")
            demo.start()
            console.print(f"Log in once with: [bold]{demo.login}[/bold]")
            console.print(f"Director's console, once you are in: {demo.address}/")
            console.print(f"[dim]{NOTICE} Ctrl-C ends everything.[/dim]")
            demo.play()
            if not options.boards:
                return 0
            summary = demo.sum_up()
        except JointBroken as broken:
            if broken.log:
                console.print(broken.log, style="dim", markup=False)
            console.print(str(broken), style="red", markup=False)
            return 1
    _print(summary, console)
    return 0 if summary.good else 1


def _print(summary: Summary, console: Console) -> None:
    console.print(summary.headline, markup=False)
    for complaint in summary.complaints:
        console.print(f"  {complaint}", style="red", markup=False)
