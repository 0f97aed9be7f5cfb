"""The command line of a table: `table-controller`.

Bad input ends with one sentence on standard error and exit code 2. Must never be needed for the table to
work: whatever it shows comes from the same rooms the service uses.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import logging
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.table import Table
from rich.text import Text

from table_controller.cli_errors import Unusable, one_sentence, refuse, standard_input
from table_controller.plain.console import plain_console
from table_controller.plain.folded import folded
from table_controller.plain.streams import take_every_character

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="The controller of a bridge table with a screen.\n\n"
    "Example: table-controller run --config configs/tables/full.toml",
)

SUB_APPS = (
    ("regulations", "table_controller.regulations.cli"),
    ("journal", "table_controller.journal.cli"),
    ("penalty", "table_controller.regulations.penalty_cli"),
)
ConfigFile = Annotated[Path, typer.Option("--config", "-c", help="The table's TOML file.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a program.")]
Profile = Annotated[str | None, typer.Option("--regulations", "-r", help="A profile's id, or a file.")]


@app.command(epilog="Example: table-controller run --config configs/tables/full.toml")
def run(
    config: ConfigFile,
    insecure: Annotated[
        bool,
        typer.Option(
            "--insecure",
            help="Report without TLS and certificate: anybody on the network can read the auction while it "
            "is being made, and pretend to be another.",
        ),
    ] = False,
    capture: Annotated[
        Path | None, typer.Option("--capture", help="Keep all traffic of the wire in this file, for decode.")
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Say more in the log.")] = False,
) -> None:
    """Run a table until it is told to stop (SIGTERM or Ctrl-C)."""
    from table_controller.config.load import load_config
    from table_controller.service.assembly import build
    from table_controller.wiretap import Capture

    logging.basicConfig(
        level=logging.DEBUG if verbose else logging.INFO,
        format="%(levelname)s %(name)s: %(message)s",
        stream=sys.stderr,
    )
    logging.getLogger("transitions").setLevel(logging.WARNING)  # the moves are in the journal
    with one_sentence():
        table = load_config(config)
        tap = None if capture is None else Capture(capture).tap
        build(table, insecure=insecure, tap=tap).run()


@app.command(epilog="Example: table-controller check configs/tables/watch.toml --json")
def check(
    file: Annotated[Path, typer.Argument(help="The table's TOML file.")], as_json: AsJson = False
) -> None:
    """Say what a table can see, which checks are on and which are off, and why."""
    from table_controller.check import check_table
    from table_controller.config.load import load_config
    from table_controller.regulations.load import load

    with one_sentence():
        config = load_config(file)
        regulations = load(config.regulations.id, config.regulations.supplements)
        checked = check_table(config, regulations)
    if as_json:
        print(json.dumps(checked.value(), ensure_ascii=False, indent=1))
        return
    console = plain_console()
    facts = Table(show_header=False, box=None, pad_edge=False)
    for name, text in (
        ("table", checked.table),
        ("regulations", checked.regulations),
        ("wires", checked.rig),
        ("window", checked.window),
        ("reports to", checked.reports_to),
        ("senses", ", ".join(checked.senses)),
        ("lacks", ", ".join(checked.lacks) or "nothing"),
        ("watched for", ", ".join(checked.on)),
    ):
        facts.add_row(Text(name, style="bold"), text)
    console.print(folded(facts))
    off = Table("check", "off, or answered otherwise, because", box=None, pad_edge=False)
    for name, why in checked.off:
        off.add_row(name, why)
    console.print(folded(off) if checked.off else "Every check is on.")


@app.command(epilog="Example: table-controller config --schema > table.schema.json")
def config(
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON schema of a table's file.")
    ] = False,
) -> None:
    """Explain every key of a table's configuration."""
    from table_controller.config.model import TableConfig

    model = TableConfig.model_json_schema()
    if schema:
        print(json.dumps(model, indent=1))
        return
    from table_controller.config.help import explained

    plain_console().print(explained(model))


@app.command(epilog="Example: table-controller replay data/journal.sqlite --regulations ebl-2016")
def replay(
    journal: Annotated[Path, typer.Argument(help="The table's journal.", metavar="JOURNAL")],
    regulations: Profile = None,
    as_json: AsJson = False,
) -> None:
    """Tell a journal's events to the core again: the same phases, entries and effects, or what differs.

    With --regulations: what another authority would have made of the same evening. Movements that our own
    orders caused are not judged; where the profile would have ordered them at another time, that is said.
    Exit code 0: the same, or another profile was asked for; 1: it differs; 2: the journal cannot be used.
    """
    from table_controller.replay.cli import run_replay

    raise typer.Exit(run_replay(journal, regulations, as_json=as_json))


@app.command("time", epilog="Example: table-controller time data/journal.sqlite --habits")
def time_used(
    journal: Annotated[Path, typer.Argument(help="The table's journal.", metavar="JOURNAL")],
    habits: Annotated[
        bool, typer.Option("--habits", help="Also each pair's visits and holds over the evening.")
    ] = False,
    lang: Annotated[str, typer.Option("--lang", help="en or zh-CN.")] = "en",
    as_json: AsJson = False,
) -> None:
    """Who used the time of each board, as the table measured it: for the director, never for a player."""
    from table_controller.timesheet import run_time
    from table_controller.words import Lang

    if lang not in set(Lang):
        refuse(f"--lang: {lang!r} is no language; write en or zh-CN")
    raise typer.Exit(run_time(journal, Lang(lang), habits=habits, as_json=as_json))


@app.command(epilog="Example: table-controller doctor --config configs/tables/watch.toml --seconds 60")
def doctor(
    config: ConfigFile,
    seconds: Annotated[
        float, typer.Option(min=0, max=3600, help="How long to watch the inputs; 0: not at all.")
    ] = 30.0,
    outputs: Annotated[bool, typer.Option("--outputs", help="Try every output, asking before each.")] = False,
    as_json: AsJson = False,
) -> None:
    """Look a table over: wires, device, disk, clock, watchdog, broker; and say what to do.

    Exit code 0: nothing is wrong; 1: something is; 2: the configuration cannot be read.
    """
    from table_controller.doctor.cli import run_doctor

    raise typer.Exit(run_doctor(config, seconds, try_outputs=outputs, as_json=as_json))


@app.command(epilog="Example: table-controller enrol 192.168.1.10:8471/XMBX6N3-... --config table.toml")
def enrol(
    code: Annotated[str, typer.Argument(help="The code, or - to read it from standard input.")],
    config: Annotated[
        Path | None, typer.Option("--config", "-c", help="The table's TOML file, to be completed.")
    ] = None,
    into: Annotated[
        Path | None, typer.Option(help="Where the keys go; default: tls beside the table's file.")
    ] = None,
    check: Annotated[bool, typer.Option(help="Try the broker afterwards.")] = True,
    as_json: AsJson = False,
) -> None:
    """Let this table into its venue by a one-time code; with a new code, renew what it has."""
    from table_controller.enrolment.cli import run_enrol

    raise typer.Exit(run_enrol(code, config, into, check=check, as_json=as_json))


@app.command(epilog="Example: table-controller decode --tap /dev/screen-table --as /tmp/tapped")
def decode(
    capture: Annotated[
        Path | None, typer.Argument(help="A capture of the wire; - for standard input.")
    ] = None,
    tap: Annotated[
        Path | None, typer.Option("--tap", help="The device's port, to listen in between.")
    ] = None,
    link: Annotated[Path, typer.Option("--as", help="What the controller opens instead of the port.")] = Path(
        "/tmp/screen-table-tapped"
    ),
    baud: Annotated[int, typer.Option(help="The port's speed.")] = 115_200,
    raw: Annotated[bool, typer.Option("--raw", help="The file is plain bytes of a wire.")] = False,
) -> None:
    """Read the wire: every frame of a capture (`run --capture FILE`), or of live traffic, as a line."""
    from table_controller.wiretap import Tap, decode_bytes, decode_capture

    with one_sentence():
        if (capture is None) == (tap is None):
            raise Unusable("give a capture's file, or --tap with the device's port, and not both")
        if tap is not None:
            with contextlib.suppress(KeyboardInterrupt), Tap(tap, link, baud) as between:
                print(f"the controller may open {link} now; Ctrl-C ends the tap", file=sys.stderr)
                between.run(lambda line: print(line, flush=True))
        elif capture is not None:
            (decode_bytes if raw else decode_capture)(_capture(capture), print)


def _capture(path: Path) -> bytes:
    try:
        return standard_input().read() if str(path) == "-" else path.read_bytes()
    except OSError as problem:
        raise Unusable(f"{path}: cannot be read ({problem.strerror}); give a capture of the wire") from None


@app.command(epilog="Example: table-controller diagram --regulations acbl > phases.mmd")
def diagram(regulations: Profile = None) -> None:
    """Print the phase machine as a Mermaid diagram."""
    from table_controller.regulations.load import DEFAULT, load
    from table_controller.screen.diagram import mermaid

    with one_sentence():
        print(mermaid(load(regulations or DEFAULT)))


def _mount(name: str, module: str) -> None:
    try:
        sub = importlib.import_module(module)
    except ModuleNotFoundError as missing:
        if missing.name is None or not module.startswith(missing.name):
            raise
        return
    app.add_typer(sub.app, name=name)


for _name, _module in SUB_APPS:
    _mount(_name, _module)


def main() -> NoReturn:
    """The entry point."""
    take_every_character()
    app()
    sys.exit(0)


if __name__ == "__main__":
    main()
