"""`hw-sim bench`: one whole table on a page.

Must never leave a process behind, nor listen anywhere but on this machine.
"""

from __future__ import annotations

import logging
import signal
import socket
import sys
import webbrowser
from pathlib import Path
from typing import Annotated

import typer
import uvicorn
from rich.console import Console

from hw_sim.bench.choices import Lang, library
from hw_sim.bench.engine import Bench, BenchOptions
from hw_sim.bench.rendering import LANGUAGES
from hw_sim.bench.server import application
from hw_sim.core_runner import UnknownRegulations, customs_of
from hw_sim.processes.broker import LOOPBACK, BrokerError, BrokerKind, resolve
from hw_sim.processes.joints import JointBroken
from hw_sim.processes.workplace import open_workplace
from hw_sim.records.cli import bad_input, check_files
from hw_sim.records.job import A_NEW_FOLDER
from hw_sim.scenario.errors import ScenarioError
from hw_sim.table.site import Way
from hw_sim.table.wiring import TableKind
from table_controller.plain.given_paths import PathUnusable, make_folder, refuse_taken

NOTICE = "One simulated table and an open broker on this machine's loopback only: not for a venue."
BACKLOG = 64
PREFIX = "screen-table-bench-"


def bench(
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The page's port; 0: any free one.")] = 8460,
    table: Annotated[TableKind, typer.Option(help="How much the table can sense.")] = TableKind.FULL,
    rig: Annotated[
        Way, typer.Option(help="A microcontroller on a wire, or the pins of a header.")
    ] = Way.WIRE,
    profile: Annotated[str, typer.Option(help="The regulations in force.")] = "ccba-2006",
    records: Annotated[
        list[Path] | None, typer.Option(help="PBN or LIN files to play, or folders, beside our own.")
    ] = None,
    scenarios: Annotated[
        list[Path] | None, typer.Option(help="Scenario files, or folders, beside the lessons'.")
    ] = None,
    lang: Annotated[str, typer.Option(help="Language of the page: en or zh-CN.")] = "en",
    broker: Annotated[BrokerKind, typer.Option(help="Which broker.")] = BrokerKind.AUTO,
    console: Annotated[bool, typer.Option(help="Run the director's console too.")] = True,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
    keep: Annotated[
        Path | None, typer.Option(help="Keep journals and what was said in this new folder.")
    ] = None,
) -> None:
    """Play a whole table on your desktop: by hand, by itself, broken at will, and looked into.

    The controller is a real one in a process of its own, behind a simulated microcontroller.

    Example: [cyan]hw-sim bench --table guard --profile ebl-2016[/cyan]
    """
    try:
        if lang not in LANGUAGES:
            raise ValueError(f"--lang {lang}: expected one of {', '.join(LANGUAGES)}")
        check_files(records or [])
        customs_of(profile)
        if keep is not None:
            refuse_taken(keep, A_NEW_FOLDER)
        language: Lang = "zh-CN" if lang == "zh-CN" else "en"
        options = BenchOptions(
            library=library(language, records or [], scenarios or []),
            kind=table,
            way=rig,
            regulations=profile,
            console=console,
            broker=resolve(broker),
            lang=lang,
        )
        listening = _listen(port)
        kept = None if keep is None else make_folder(keep, A_NEW_FOLDER)
    except (ValueError, UnknownRegulations, BrokerError, ScenarioError) as problem:
        raise bad_input(str(problem)) from None
    try:
        raise typer.Exit(_run(options, listening, kept, browser=browser))
    except PathUnusable as problem:
        raise bad_input(str(problem)) from None


def _listen(port: int) -> socket.socket:
    """Raises ValueError where somebody else listens there."""
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((LOOPBACK, port))
        listening.listen(BACKLOG)  # from the moment the address is said, somebody may come
    except OSError:
        listening.close()
        raise ValueError(f"--port {port}: it is in use; name another, or 0 for any free one") from None
    return listening


def _run(options: BenchOptions, listening: socket.socket, keep: Path | None, *, browser: bool) -> int:
    said = Console(highlight=False, soft_wrap=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        if keep is not None:
            return _serve(options, listening, keep, said, browser=browser)
        with open_workplace(PREFIX) as directory:
            return _serve(options, listening, directory, said, browser=browser)
    except KeyboardInterrupt:
        said.print("stopped")
        return 0
    except JointBroken as broken:
        said.print(str(broken), style="red", markup=False)
        return 1


def _serve(
    options: BenchOptions, listening: socket.socket, directory: Path, said: Console, *, browser: bool
) -> int:
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    address = f"http://{LOOPBACK}:{listening.getsockname()[1]}/"
    with Bench(options, directory) as running:
        said.print(f"The bench: [bold]{address}[/bold]")
        frame = running.bulletin.session
        if frame is not None and frame.login:
            said.print(f"The director's console, log in once with: {frame.login}")
        said.print(f"[dim]{NOTICE} Ctrl-C ends everything.[/dim]")
        if browser and sys.stdout.isatty():
            webbrowser.open(address)
        config = uvicorn.Config(
            application(running, options.lang),
            log_level="warning",
            lifespan="off",
            timeout_graceful_shutdown=2,
            server_header=False,
        )
        uvicorn.Server(config).run(sockets=[listening])
    return 0
