"""The command `table-controller enrol`: from a code on paper to a table that the broker lets in.

Writes the certificate, keys and the `[broker]` section of the table's file, then tries the broker: what a
table may not see must not arrive. Must never print a key, nor change a section somebody has written.
"""

from __future__ import annotations

import json
import queue
import time
from dataclasses import dataclass
from pathlib import Path

from table_controller.cli_errors import Unusable, one_sentence, standard_input
from table_controller.config.load import TableConfig, load_config
from table_controller.enrolment.protocol import CodeWrong, EnrolmentCode, Granted, parse_code
from table_controller.enrolment.table import NotEnrolled, Self, enrol
from table_controller.messages.topics import Identity, Place, table_filters
from table_controller.mqtt_client import Arrived, LinkDown, LinkEvent, LinkUp, MqttLink, Settings, TlsFiles
from table_controller.mqtt_client.settings import parse_address

FILES = {"ca": "ca.pem", "cert": "table.pem", "key": "table.key", "mac_keys": "mac.json"}
CONNECT_S = 6.0
LISTEN_S = 1.5
LONGEST_LINE = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What the broker did: None: not reached; else the topics of others that it let through."""

    foreign: tuple[str, ...] | None
    why: str = ""


def run_enrol(
    code: str, config: Path | None, into: Path | None, *, check: bool = True, as_json: bool = False
) -> int:
    """Enrol this table; the exit code: 1 where the broker shows the table what is not its own."""
    with one_sentence():
        found = load_config(config) if config is not None else None
        directory = into or ((config.parent if config is not None else Path()) / "tls")
        granted = enrol(_code(code), directory, _self(found))
        section = broker_section(granted, directory, config)
        written = config is not None and complete(config, section, found)
        tried = try_broker(granted, directory) if check else None
    if as_json:
        print(json.dumps(_value(granted, directory, written, tried)))
    else:
        _tell(granted, directory, config, section, written, tried)
    return 1 if tried is not None and tried.foreign else 0


def _code(text: str) -> EnrolmentCode:
    if text == "-":
        text = standard_input().readline(LONGEST_LINE).decode("utf-8", "replace")
    try:
        return parse_code(text)
    except CodeWrong as problem:
        raise Unusable(str(problem)) from None


def _self(config: TableConfig | None) -> Self:
    if config is None:
        return Self()
    return Self(venue=config.table.venue, event=config.table.event, table=config.table.id)


def broker_section(granted: Granted, directory: Path, config: Path | None) -> str:
    """The section as TOML; paths relative to the table's file where they lie beside it."""
    place = directory.absolute()
    if config is not None and place.is_relative_to(config.absolute().parent):
        place = place.relative_to(config.absolute().parent)
    lines = [f"{name} = {json.dumps(str(place / file), ensure_ascii=False)}" for name, file in FILES.items()]
    return "\n".join(["[broker]", f"url = {json.dumps(granted.broker)}", *lines, ""])


def complete(path: Path, section: str, config: TableConfig | None) -> bool:
    """Add the section to the table's file where it has none; whether it now says what it must."""
    if config is not None and config.broker is not None:
        return _says_so(config, section, path)
    text = path.read_text(encoding="utf-8")
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{'' if text.endswith(chr(10)) else chr(10)}\n{section}")
    except OSError as problem:
        raise NotEnrolled(
            f"{path}: cannot be written ({problem.strerror}); the table is enrolled, add this to it yourself:"
            f"\n{section}"
        ) from None
    return True


def _says_so(config: TableConfig, section: str, path: Path) -> bool:
    import tomllib

    wanted = tomllib.loads(section)["broker"]
    has = config.broker
    assert has is not None
    base = path.absolute().parent.resolve()
    files = all(str(base / wanted[name]) == getattr(has, name) for name in FILES)
    return files and has.url == wanted["url"]


def try_broker(granted: Granted, directory: Path) -> Tried:
    """Connect under the new certificate, ask for everything, and see what comes. Sends nothing."""
    identity = Identity(place=Place(venue=granted.venue, event=granted.event), table=granted.table)
    own = table_filters(identity.place, identity.table)
    inbox: queue.SimpleQueue[LinkEvent] = queue.SimpleQueue()
    settings = Settings(
        address=parse_address(granted.broker),
        client_id=granted.table,
        filters=("#",),
        tls=TlsFiles(
            authority=directory / "ca.pem",
            certificate=directory / "table.pem",
            key=directory / "table.key",
        ),
        first_limit_s=0.5,
        latest_s=1.0,
    )
    link = MqttLink(settings, inbox.put)
    link.start()
    try:
        return _heard(link, inbox, own)
    finally:
        link.stop(1.0)


def _heard(link: MqttLink, inbox: queue.SimpleQueue[LinkEvent], own: tuple[str, ...]) -> Tried:
    end = time.monotonic() + CONNECT_S
    up, why, foreign = False, "no answer", set[str]()
    while (left := end - time.monotonic()) > 0:
        try:
            event = inbox.get(timeout=left)
        except queue.Empty:
            break
        link.note(event)
        match event:
            case LinkUp():
                up, end = True, time.monotonic() + LISTEN_S
            case LinkDown(why=reason):
                why = reason
            case Arrived(topic=topic) if not any(_matches(topic, name) for name in own):
                foreign.add(topic)
            case _:
                pass
    return Tried(foreign=tuple(sorted(foreign))) if up else Tried(foreign=None, why=why)


def _matches(topic: str, name: str) -> bool:
    levels, wanted = topic.split("/"), name.split("/")
    return len(levels) == len(wanted) and all(
        w in ("+", level) for level, w in zip(levels, wanted, strict=True)
    )


def _value(granted: Granted, directory: Path, written: bool, tried: Tried | None) -> dict[str, object]:
    return {
        "venue": granted.venue,
        "event": granted.event,
        "table": granted.table,
        "broker": granted.broker,
        "directory": str(directory),
        "config_complete": written,
        "broker_reached": None if tried is None else tried.foreign is not None,
        "foreign": [] if tried is None else list(tried.foreign or ()),
    }


def _tell(
    granted: Granted,
    directory: Path,
    config: Path | None,
    section: str,
    written: bool,
    tried: Tried | None,
) -> None:
    print(f"This is table {granted.table} of {granted.venue}/{granted.event}; its keys are in {directory}.")
    if written:
        print(f"{config} says so.")
    else:
        print(f"Put this into the table's file{f' {config}' if config else ''}:\n\n{section}")
    match tried:
        case None:
            pass
        case Tried(foreign=None, why=why):
            print(f"The broker {granted.broker} was not reached yet ({why}); nothing is lost by that.")
        case Tried(foreign=()):
            print(f"The broker {granted.broker} lets this table in, and keeps the others' reports from it.")
        case Tried(foreign=foreign):
            print(
                f"The broker {granted.broker} shows this table what is not its own "
                f"({', '.join(foreign or ())}): its access list is not in force. "
                "Tell the organiser, and do not play with it."
            )
