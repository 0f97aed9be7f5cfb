"""`director-console broker`: a venue's access, for a person who has never made a certificate.

Prints codes to the terminal and nowhere else. Bad input is one sentence and exit code 2.
"""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError
from rich.console import Console as Terminal

from director_console.broker_admin import deeds
from director_console.broker_admin.deeds import CODE_HOURS, Invitation, Plan
from director_console.broker_admin.door import Door, OpenDoor, close_when_done
from director_console.broker_admin.ending import end_what_is_left
from director_console.broker_admin.layout import AccessError, Layout
from director_console.broker_admin.next_steps import next_steps
from director_console.broker_admin.register import Role
from director_console.broker_admin.reload import Reloaded, advice, reload_broker, running
from director_console.broker_admin.status import authority_fingerprint, status_lines, status_table
from director_console.broker_admin.venue import look
from director_console.refusing import refuse
from table_controller.messages.mac import KeysUnusable

app = typer.Typer(
    help="The venue's broker: who may connect, and as whom. Begin with `init`; docs/access.md is the page.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)
Directory = Annotated[Path, typer.Argument(metavar="DIR", help="The venue's directory.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print what a program may read.")]
RESTART = (
    "to end a connection it may still have, restart the broker: sudo systemctl restart screen-table-broker"
)
Hours = Annotated[int, typer.Option(min=1, max=24 * 30, help="How long a code may wait to be used.")]


@contextmanager
def one_sentence() -> Iterator[None]:
    try:
        yield
    except (AccessError, KeysUnusable, ValueError) as problem:
        refuse(_first(problem) if isinstance(problem, ValidationError) else str(problem))


def _first(problem: ValidationError) -> str:
    error = problem.errors(include_url=False)[0]
    return f"{'.'.join(str(part) for part in error['loc'])}: {error['msg'].lower()}, not {error['input']!r}"


def now() -> datetime:
    return datetime.now(UTC)


@app.command()
def init(
    directory: Directory,
    tables: Annotated[
        int, typer.Option(min=0, max=1000, help="So many tables, called 1, 2, 3 and so on.")
    ] = 0,
    table: Annotated[list[str] | None, typer.Option(help="A table of another name; several times.")] = None,
    venue: Annotated[str, typer.Option(help="The venue's name in topics.")] = "hall",
    event: Annotated[str, typer.Option(help="The event's name in topics.")] = "event",
    host: Annotated[
        list[str] | None,
        typer.Option(help="Name or address this computer has on the tables' network; the first is used."),
    ] = None,
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port of the broker.")] = 8883,
    door_port: Annotated[int, typer.Option(min=1, max=65535, help="Port where tables enrol.")] = 8471,
    valid_for: Hours = CODE_HOURS,
    broker_user: Annotated[
        str | None, typer.Option(help="User mosquitto runs as; default: mosquitto where root says this.")
    ] = None,
    console_user: Annotated[str, typer.Option(help="User the console runs as; default: you.")] = "",
    listen: Annotated[str, typer.Option(help="The one address the broker listens on; default: all.")] = "",
    as_json: AsJson = False,
) -> None:
    """Make a venue: authority, certificates, keys, access list, mosquitto's configuration, a code a table.

    Example: [bold]director-console broker init /var/lib/screen-table-venue --tables 12 --venue club
    --event evening --host 192.168.1.10[/bold]
    """
    with one_sentence():
        hosts = tuple(host or likely_hosts())
        names = (*(str(number) for number in range(1, tables + 1)), *(table or ()))
        user = deeds.default_broker_user() if broker_user is None else broker_user
        plan = Plan(
            venue=venue,
            event=event,
            tables=names,
            hosts=hosts,
            broker_port=port,
            door_port=door_port,
            hours=valid_for,
            broker_user=user,
            console_user=console_user,
            listen=listen,
        )
        invitations = deeds.begin(directory, plan, now())
    if as_json:
        _tell(invitations, as_json=True)
        return
    print(f"{directory} is venue {venue}, event {event}. Tables will look for this computer at {hosts[0]}.")
    if not host:
        print("If that is wrong, remove the directory and say --host NAME_OR_ADDRESS.")
    print("\nOne code a table, each good once:\n")
    _tell(invitations, as_json=False)
    print("\nNext, as docs/access.md tells it step by step:")
    for step in next_steps(directory.absolute(), user, console_user):
        print(f"  {step}")


@app.command()
def enrol(
    directory: Directory,
    port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="Another port than the codes say.")
    ] = None,
    address: Annotated[str, typer.Option("--listen", help="Address to listen on.")] = "0.0.0.0",
    stay: Annotated[bool, typer.Option("--stay", help="Stay open when no code is left.")] = False,
    as_json: AsJson = False,
) -> None:
    """Hold the door open: tables enrol with their codes until none is left, or until Ctrl-C.

    Example: [bold]director-console broker enrol /var/lib/screen-table-venue[/bold]
    """
    layout = Layout(directory)
    with one_sentence():
        register = look(directory)
        waiting = register.waiting(now())
        if not waiting and not stay:
            raise AccessError(
                "no table has an open code; `director-console broker add` or `renew` makes one, --stay waits "
                "for it"
            )
        listening = _listen(address, register.door_port if port is None else port)
    number = listening.getsockname()[1]
    tables = "1 table" if len(waiting) == 1 else f"{len(waiting)} tables"
    _say(as_json, f"the door is open on port {number}; waiting for {tables}", door=number)

    def said(sentence: str, let_in: bool) -> None:
        _say(as_json, sentence, let_in=let_in)
        if let_in and (what := advice(reload_broker(layout))):
            _say(as_json, what, advice=True)

    door = Door(root=directory, said=said)
    opened = OpenDoor(door, listening)
    if not stay:
        door.granted = close_when_done(opened, directory, now)
    with suppress(KeyboardInterrupt):
        opened.serve()
    _say(as_json, "the door is closed", closed=True)


@app.command()
def add(
    directory: Directory,
    tables: Annotated[list[str] | None, typer.Argument(help="Names of tables.")] = None,
    wall: Annotated[list[str] | None, typer.Option(help="Name of one more public screen.")] = None,
    valid_for: Hours = CODE_HOURS,
    as_json: AsJson = False,
) -> None:
    """Codes for more tables, for one whose code has expired, or for one that was revoked.

    Example: [bold]director-console broker add /var/lib/screen-table-venue 13 14[/bold]
    """
    with one_sentence():
        if not (tables or wall):
            raise AccessError("name at least one table, or --wall")
        before = look(directory).holders
        _tell(deeds.add(directory, tables or (), now(), valid_for), as_json=as_json)
        for name in tables or ():
            if name in before and before[name].revoked is not None and running(Layout(directory)) is not None:
                end_what_is_left(directory, name, now())  # where the broker did not run when it was revoked
        for name in wall or ():
            path = deeds.add_own(directory, Role.WALL, name, now())
            _say(as_json, f"public screen {name}: {path}, with its key and ca.pem beside it", name=name)
        if wall:
            _reload(directory, as_json=as_json)


@app.command()
def renew(
    directory: Directory,
    name: Annotated[str, typer.Argument(help="A table, or broker, console, pages, wall.")],
    valid_for: Hours = CODE_HOURS,
    as_json: AsJson = False,
) -> None:
    """A new certificate: a code for a table to fetch it with; for broker, console, pages and wall at once.

    Example: [bold]director-console broker renew /var/lib/screen-table-venue 7[/bold]
    """
    with one_sentence():
        invitation = deeds.renew(directory, name, now(), valid_for)
        if invitation is not None:
            _tell([invitation], as_json=as_json)
            return
    _say(as_json, f"{name} has a new certificate; the old one is no longer good", renewed=name)
    _reload(directory, as_json=as_json)


@app.command()
def revoke(
    directory: Directory,
    name: Annotated[str, typer.Argument(help="A table, a console or a public screen.")],
    as_json: AsJson = False,
) -> None:
    """Lock somebody out: the certificate is refused, what is connected falls silent, its key is forgotten.

    Example: [bold]director-console broker revoke /var/lib/screen-table-venue 7[/bold]
    """
    with one_sentence():
        deeds.revoke(directory, name, now())
    _say(as_json, f"{name} is locked out", revoked=name)
    if _reload(directory, as_json=as_json):
        with one_sentence():
            why = end_what_is_left(directory, name, now())
        if why is None:
            _say(
                as_json,
                "its open connection, if it had one, is ended, and what the broker kept of it is gone",
                ended=True,
            )
        else:
            _say(as_json, f"{RESTART} ({why})", ended=False)
    else:
        _say(as_json, f"{RESTART}, or say the same again when it has read it", ended=False)


@app.command()
def event(directory: Directory, name: str, as_json: AsJson = False) -> None:
    """Go on to another event: the access list follows, everybody stays enrolled.

    Example: [bold]director-console broker event /var/lib/screen-table-venue final[/bold]
    """
    with one_sentence():
        deeds.set_event(directory, name, now())
    _say(as_json, f"the event is {name}; say so in each table's configuration (table.event) too", event=name)
    _reload(directory, as_json=as_json)


@app.command()
def status(directory: Directory, as_json: AsJson = False) -> None:
    """Who may connect, until when, and what is not as it should be. Exit code 1 if anything is not.

    Example: [bold]director-console broker status /var/lib/screen-table-venue[/bold]
    """
    with one_sentence():
        lines, wrong = status_lines(directory, now())
        register = look(directory)
        fingerprint = authority_fingerprint(directory)
    if as_json:
        print(json.dumps({"venue": register.venue, "event": register.event, "authority_sha256": fingerprint}))
        for line in lines:
            print(json.dumps(line.value(), ensure_ascii=False))
        for sentence in wrong:
            print(json.dumps({"wrong": sentence}, ensure_ascii=False))
    else:
        terminal = Terminal(emoji=False, highlight=False)
        terminal.print(f"venue {register.venue}, event {register.event}, at {', '.join(register.hosts)}")
        terminal.print(f"authority, SHA-256: {fingerprint}", soft_wrap=True)
        terminal.print(status_table(lines))
        for sentence in wrong:
            terminal.print(sentence, markup=False, soft_wrap=True)
    if wrong:
        raise typer.Exit(1)


@app.command("reload")
def reload_(directory: Directory, as_json: AsJson = False) -> None:
    """Let the running broker read its files anew.

    Example: [bold]director-console broker reload /var/lib/screen-table-venue[/bold]
    """
    with one_sentence():
        look(directory)
    _reload(directory, as_json=as_json)


def likely_hosts() -> list[str]:
    """What this computer is probably called on the tables' network: its address, then its name."""
    found: list[str] = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing: asks the routing table which address would be ours
        found.append(probe.getsockname()[0])
    name = socket.gethostname()
    found += [name, f"{name}.local"] if "." not in name else [name]
    return [host for host in dict.fromkeys(found) if host not in ("0.0.0.0", "")]


def _listen(address: str, port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((address, port))
        listening.listen()  # before the door says that it is open
    except OSError as problem:
        listening.close()
        raise AccessError(
            f"{address}:{port} cannot be listened on ({problem.strerror}); is the door open already?"
        ) from None
    return listening


def _tell(invitations: Iterable[Invitation], *, as_json: bool) -> None:
    """The one time a code is shown."""
    for one in invitations:
        expires = one.expires.strftime("%Y-%m-%dT%H:%M:%SZ")
        if as_json:
            print(json.dumps({"table": one.table, "code": one.code, "expires": expires}), flush=True)
        else:
            print(f"table {one.table:<4} {one.code}   until {one.expires:%Y-%m-%d %H:%M} UTC", flush=True)


def _say(as_json: bool, sentence: str, **values: object) -> None:
    print(json.dumps({"said": sentence, **values}) if as_json else sentence, flush=True, file=sys.stdout)


def _reload(directory: Path, *, as_json: bool) -> bool:
    what = reload_broker(Layout(directory))
    if what is Reloaded.DONE:
        _say(as_json, "the broker has read it", reloaded=True)
    else:
        _say(as_json, advice(what), reloaded=False)
    return what is Reloaded.DONE
