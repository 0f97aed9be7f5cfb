"""The command line. Bad input is one sentence and exit code 2."""

from __future__ import annotations

import json
import logging
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer
import uvicorn

from director_console.broker_admin.layout import AccessError
from director_console.broker_admin.reading import is_loopback, read_access
from director_console.cli_data import data_app, known_language
from director_console.cli_time import times
from director_console.cli_user import user_app
from director_console.data_dir import default_data
from director_console.refusing import refuse
from director_console.running import Options, Running
from director_console.store.book import StoreError
from director_console.store.people import PeopleError, Role
from table_controller.messages.mac import KeysUnusable
from table_controller.messages.topics import Place
from table_controller.mqtt_client import Address, BrokerAddressWrong, TlsFiles, parse_address
from table_controller.regulations.errors import RegulationsError

app = typer.Typer(
    help="The director's console: the tables on one page, and what waits for a director.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)
app.add_typer(user_app, name="user")
for _command in data_app.registered_commands:
    app.registered_commands.append(_command)
app.command()(times)

DEFAULT_DATA = default_data()
BACKLOG = 256
"""The port listens before it is announced: whoever comes early waits, and is not refused."""
BAD_INPUT = (AccessError, StoreError, KeysUnusable, BrokerAddressWrong, PeopleError, RegulationsError)


@contextmanager
def one_sentence() -> Iterator[None]:
    """What is wrong with the input, and exit code 2."""
    try:
        yield
    except (*BAD_INPUT, ValueError) as error:
        refuse(str(error))


def mount_broker() -> None:
    """`director-console broker`."""
    broker = import_module("director_console.broker_admin.cli")
    app.add_typer(broker.app, name="broker")


@app.command()
def run(
    broker: Annotated[
        str, typer.Option(help="Where the broker is: mqtt://host:port or mqtts://host:port.")
    ] = "mqtt://127.0.0.1:1883",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of the pages; 0: any free one.")] = 8470,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    venue: Annotated[str, typer.Option(help="The venue, as in the topics.")] = "hall",
    event: Annotated[str, typer.Option(help="The event, as in the topics.")] = "event",
    data: Annotated[Path, typer.Option(help="Directory of the console's journal.")] = DEFAULT_DATA,
    keys: Annotated[
        Path | None,
        typer.Option(help="Key file of venue and tables; default: keys.json in the data directory."),
    ] = None,
    lang: Annotated[
        str,
        typer.Option(
            help="Language of the pages where a browser asks for none of ours: en or zh-CN.",
            callback=known_language,
        ),
    ] = "en",
    regulations: Annotated[str, typer.Option(help="The profile the console reads with.")] = "ccba-2006",
    one_time_login: Annotated[
        bool, typer.Option("--one-time-login", help="Print an address that lets in once.")
    ] = False,
    login_as: Annotated[
        list[str] | None, typer.Option(help="Whom the one-time address is for; may come several times.")
    ] = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="Say on every page that the tables are simulated.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print what a program may read, one line each.")
    ] = False,
    certificate: Annotated[Path | None, typer.Option(help="TLS certificate of the pages (PEM).")] = None,
    private_key: Annotated[Path | None, typer.Option(help="Its key (PEM).")] = None,
    broker_ca: Annotated[
        Path | None, typer.Option(help="The authority of the broker (PEM), with mqtts.")
    ] = None,
    broker_certificate: Annotated[
        Path | None, typer.Option(help="Our certificate for the broker (PEM).")
    ] = None,
    broker_key: Annotated[Path | None, typer.Option(help="Its key (PEM).")] = None,
    access: Annotated[
        Path | None,
        typer.Option(
            help="A venue's directory: broker, names, certificates and keys come from there.",
            readable=False,  # the console passes through it and may not list it; typer would ask for more
        ),
    ] = None,
    insecure: Annotated[
        bool,
        typer.Option("--insecure", help="Go over a network in clear: anybody on it can read and pretend."),
    ] = False,
) -> None:
    """Run the console until it is stopped.

    Example: [bold]director-console run --broker mqtt://127.0.0.1:1883 --port 8470 --one-time-login[/bold]

    At a venue: [bold]director-console run --access /var/lib/screen-table-venue --host 0.0.0.0[/bold]
    """
    with one_sentence():
        if access is not None:
            given = read_access(access)
            broker, venue, event, keys = given.broker, given.venue, given.event, given.keys
            certificate, private_key = given.certificate, given.private_key
            broker_ca, broker_certificate, broker_key = (
                given.tls.authority,
                given.tls.certificate,
                given.tls.key,
            )
        if (certificate is None) != (private_key is None):
            raise ValueError("--certificate and --private-key: give both or neither")
        tls = None
        if broker_ca is not None:
            tls = TlsFiles(authority=broker_ca, certificate=broker_certificate, key=broker_key)
        if not insecure:
            _refuse_in_clear(host, parse_address(broker), pages=certificate is not None)
        options = Options(
            address=parse_address(broker),
            place=Place(venue=venue, event=event),
            data=data,
            keys=keys,
            demo=demo,
            secure=certificate is not None,
            regulations=regulations,
            lang=lang,
            tls=tls,
        )
        listening = _listen(host, port)
        running = Running(options)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    scheme = "https" if certificate else "http"
    address = f"{scheme}://{host}:{listening.getsockname()[1]}"
    _announce(running, address, one_time_login, login_as or ["director"], as_json=as_json)
    config = uvicorn.Config(
        running.app,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws_max_size=65536,
        timeout_graceful_shutdown=1,
        ssl_certfile=certificate,
        ssl_keyfile=private_key,
    )
    running.start()
    for number in (signal.SIGTERM, signal.SIGINT):
        # The server sends the signal on to us once it has closed; we still have a journal to close.
        signal.signal(number, lambda *_: None)
    try:
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        running.stop()


def _refuse_in_clear(host: str, broker: Address, *, pages: bool) -> None:
    """Nothing of an event goes over a network in clear unless somebody said so."""
    mend = "give --access with the directory of `director-console broker init`, or say --insecure"
    if not pages and not is_loopback(host):
        raise ValueError(f"--host {host}: passwords and auctions would be there for anybody to read; {mend}")
    if not broker.tls and not is_loopback(broker.host):
        raise ValueError(f"--broker {broker}: anybody on the way could read and pretend; {mend}")


def _listen(host: str, port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise ValueError(
            f"{host}:{port} cannot be listened on ({error.strerror}); give another --port"
        ) from None
    return listening


def _announce(running: Running, address: str, codes: bool, names: list[str], *, as_json: bool) -> None:
    """Where the pages are, and who may enter by what. The codes go to the terminal and nowhere else."""

    def say(key: str, text: str, **more: str) -> None:
        print(json.dumps({key: text, **more}) if as_json else f"{key}: {text}", flush=True)

    say("console", address)
    if not as_json:
        say("journal", str(running.options.data))
    if codes:
        for name in names:
            code = running.one_time_code(name, Role.CHIEF)
            say("login", f"{address}/login?code={code}", **({"user": name} if as_json else {}))
    elif not running.has_users():
        say("hint", "nobody can log in yet: director-console user add NAME, or --one-time-login")


mount_broker()
