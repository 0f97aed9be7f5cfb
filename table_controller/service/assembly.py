"""A table's controller put together: configuration, journal, core, sensing, rig, broker, one owner thread.

`build` makes everything and opens the journal, `Service.run` works until it is told to stop. Must never judge
anything, and never start on wires or a journal that another process has.
"""

from __future__ import annotations

import contextlib
import logging
import platform
import queue
import random
import secrets
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from firmware_bridge.rig import Rig
from table_controller.commands import CommandGate
from table_controller.config.load import TableConfig, drive_spec, rig_spec, senses, waits
from table_controller.config.model import GpioRig
from table_controller.journal import Found, Opened, history, old_journals, open_journal
from table_controller.messages import ClockQuality, What, ulid, wall_ns
from table_controller.messages.codec import Json
from table_controller.messages.keywatch import KeyWatch
from table_controller.messages.mac import KeyRing, KeysUnusable, load_keys
from table_controller.messages.topics import Identity, Place, table_filters
from table_controller.mqtt_client import MqttLink, Settings, TlsFiles, parse_address
from table_controller.outbox import Outbox
from table_controller.regulations.load import load
from table_controller.regulations.model import Regulations
from table_controller.screen.events import FaultSeen, Restarted
from table_controller.sensing import Sensing
from table_controller.service.certificate import CertificateDays
from table_controller.service.clockwatch import Continued, Wall, WallClock, boot_id, continue_axis
from table_controller.service.engine import Engine
from table_controller.service.owner import Inbox, Owner, Stop
from table_controller.service.presence import Heartbeat
from table_controller.service.reporter import Reporter
from table_controller.service.reports import Stamp, Surroundings
from table_controller.service.resume import Core, Resumed, resume
from table_controller.service.rigs import Tap, make_rig
from table_controller.service.safety import INSECURE, refuse_unsafe_broker
from table_controller.service.standing import Standing
from table_controller.service.watchdog import Watchdog
from table_controller.service.window_drive import WindowDrive

log = logging.getLogger(__name__)
NS_PER_MS = 1_000_000
NS_PER_S = 1_000_000_000
STOP_LIMIT_S = 2.0
JOURNAL = "journal.sqlite"
LARGEST_SUPPLEMENTS = 8_000
"""Characters of supplements that a boot row carries; a row must fit into a message."""


@dataclass(slots=True, kw_only=True)
class Service:
    """Everything of one table, made and not yet running."""

    config: TableConfig
    owner: Owner
    opened: Opened
    link: MqttLink | None
    reporter: Reporter | None
    watchdog: Watchdog

    def run(self) -> None:
        """Work until SIGTERM or SIGINT. Raises RigError for what only a person can mend."""
        with _stopped_by_signals(self.owner):
            if self.link is not None and self.reporter is not None:
                self.link.will = self.reporter.will(self.owner.now())
                self.link.start()
            try:
                self.owner.run()
            finally:
                self.watchdog.stopping()
                if self.reporter is not None:
                    self.reporter.stop(self.owner.now(), STOP_LIMIT_S)
                self.opened.close()


def build(config: TableConfig, *, insecure: bool = False, tap: Tap | None = None) -> Service:
    """Make a table's service. `tap` sees the wire's traffic.

    Raises JournalInUse, RegulationsError, KeysUnusable, RigError, BrokerUnsafe, BrokerAddressWrong or
    JournalUnreadable, each with one sentence.
    """
    refuse_unsafe_broker(config, insecure=insecure)
    if insecure and config.broker is not None and not config.table.simulated:
        log.warning("%s", INSECURE)
    regulations = load(config.regulations.id, config.regulations.supplements)
    keys = _keys(config)
    make = make_rig(config.rig, rig_spec(config), tap=tap)
    rig = make()
    session = secrets.token_hex(6)
    identity = Identity(
        place=Place(venue=config.table.venue, event=config.table.event), table=config.table.id
    )
    opened = open_journal(Path(config.data_dir) / JOURNAL, identity=identity, session=session)
    try:
        return _assembled(config, regulations, keys, make, rig, opened, session)
    except BaseException:
        opened.close()
        raise


def new_core(config: TableConfig, regulations: Regulations) -> Core:
    """A core that knows nothing yet."""
    from table_controller.clock.table import TimedTable

    return TimedTable(regulations=regulations, senses=senses(config))


def _assembled(
    config: TableConfig,
    regulations: Regulations,
    keys: KeyRing | None,
    make: Callable[[], Rig],
    rig: Rig,
    opened: Opened,
    session: str,
) -> Service:
    wall, watchdog = WallClock(), Watchdog()
    core = new_core(config, regulations)
    signals = frozenset({*config.inputs, *config.tokens})
    sensing = Sensing(signals=signals, faces=regulations.seats.screen_sides.value, waits=waits(config))
    past = history(opened.path, opened.journal.identity, opened.journal.rows(), opened.found.follows)
    resumed = resume(past, core, sensing)
    axis = _axis(resumed, wall.look())
    stamp = _stamper(wall, resumed.standing)
    identity = opened.journal.identity
    engine = Engine(
        core=core,
        sensing=sensing,
        drive=WindowDrive(drive_spec(config)),
        journal=opened.journal,
        standing=resumed.standing,
        outputs=frozenset(config.outputs),
        stamp=stamp,
        fallback=opened.fall_back,
    )
    inbox: Inbox = queue.SimpleQueue()
    link = _link(config, identity, session, inbox)
    reporter = None
    if link is not None and keys is not None:
        watch = None if config.broker is None else KeyWatch(Path(config.broker.mac_keys))
        reporter = _reporter(identity, session, keys, link, stamp, watch)
        for old in old_journals(opened.path, identity, opened.found.unwritten):
            reporter.add_journal(old)
        reporter.add_journal(opened.journal)
    owner = Owner(
        inbox=inbox,
        engine=engine,
        storage=opened,
        rig=rig,
        make_rig=make,
        reporter=reporter,
        gate=CommandGate(config.table.id, resumed.remembered),
        wall=wall,
        watchdog=watchdog,
        offset=axis.offset,
        session=session,
        around=partial(_around, CertificateDays(_certificate(config)), wall),
        where=_where(config),
    )
    _begin(config, regulations, engine, opened.found, resumed, axis, owner.now())
    return Service(config=config, owner=owner, opened=opened, link=link, reporter=reporter, watchdog=watchdog)


def _begin(
    config: TableConfig,
    regulations: Regulations,
    engine: Engine,
    found: Found,
    resumed: Resumed,
    axis: Continued,
    now: int,
) -> None:
    """The first things of a run: the boot row, what was found, and that we are back."""
    engine.note(What.BOOT, _boot_value(config, regulations, found, axis), now)
    if found.follows is not None:
        engine.tell_again(now)
    if resumed.events:
        engine.insert(Restarted(at=now, down_since=axis.down_since))
        engine.sensing.believe(Restarted(at=resumed.last_at, down_since=axis.down_since))
        # What would have come due meanwhile nobody watched; hearing of this the core sets its waits anew.
        engine.standing.deadlines.clear()
    for fault in found.faults:
        log.error("%s", fault.detail)  # where nobody is reported to, this is all that says so
        engine.insert(
            FaultSeen(
                at=now,
                kind=fault.kind,
                component=fault.component,
                detail=fault.detail,
                standing=fault.standing,
            )
        )


def _boot_value(
    config: TableConfig, regulations: Regulations, found: Found, axis: Continued
) -> dict[str, Json]:
    supplements: list[Json] = list(config.regulations.supplements)
    named: list[Json] = [*sorted(senses(config))]
    return {
        "version": product_version(),
        "python": platform.python_version(),
        "boot": boot_id(),
        "offset": axis.offset,
        "wall_ns": time.time_ns(),
        "regulations": regulations.id,
        "profile": config.regulations.id,
        "supplements": supplements,
        "supplement_texts": _texts_of(config.regulations.supplements),
        "senses": named,
        "simulated": config.table.simulated,
        "found": found.value(),
    }


def _texts_of(paths: tuple[str, ...]) -> list[Json]:
    """The supplements themselves, so that a journal can be replayed where their files are not."""
    texts = [Path(path).read_text(encoding="utf-8") for path in paths]
    return [*texts] if sum(map(len, texts)) <= LARGEST_SUPPLEMENTS else []


def _axis(resumed: Resumed, wall: Wall) -> Continued:
    if not resumed.boots or resumed.last_row is None:
        return Continued(offset=0)
    boot = resumed.boots[-1][1]
    offset, row = boot.get("offset"), resumed.last_row
    last_wall = None
    if row.wall is not None:
        last_wall = Wall(at=wall_ns(row.wall), quality=ClockQuality(row.clock))
    return continue_axis(
        last_at=max(resumed.last_at, row.mono_ms * NS_PER_MS),
        same_boot=bool(boot_id()) and boot.get("boot") == boot_id(),
        last_offset=offset if isinstance(offset, int) else 0,
        last_wall=last_wall,
        mono=time.monotonic_ns(),
        wall=wall,
    )


def _stamper(wall: WallClock, standing: Standing) -> Callable[[int], Stamp]:
    def stamp(now: int) -> Stamp:
        seen = wall.look()
        return Stamp(mono=now, wall=seen.text, clock=seen.quality, rev=standing.rev)

    return stamp


def _keys(config: TableConfig) -> KeyRing | None:
    if config.broker is None:
        return None
    keys = load_keys(Path(config.broker.mac_keys))
    if keys.of(config.table.id) is None:
        raise KeysUnusable(
            f"{config.broker.mac_keys}: tables.{config.table.id}: missing; enrol this table, or name its file"
        )
    return keys


def _link(config: TableConfig, identity: Identity, session: str, inbox: Inbox) -> MqttLink | None:
    broker = config.broker
    if broker is None:
        return None
    tls = None
    if broker.ca is not None:
        tls = TlsFiles(
            authority=Path(broker.ca),
            certificate=None if broker.cert is None else Path(broker.cert),
            key=None if broker.key is None else Path(broker.key),
        )
    settings = Settings(
        address=parse_address(broker.url),
        client_id=f"{identity.place.venue}-{identity.place.event}-{identity.table}",
        filters=table_filters(identity.place, identity.table),
        version=5 if broker.version == "5" else 4,
        tls=tls,
    )
    return MqttLink(settings, inbox.put)


def _reporter(
    identity: Identity,
    session: str,
    keys: KeyRing,
    link: MqttLink,
    stamp: Callable[[int], Stamp],
    key_watch: KeyWatch | None,
) -> Reporter:
    return Reporter(
        identity=identity,
        session=session,
        keys=keys,
        link=link,
        outbox=Outbox(draw=random.randint),
        heartbeat=Heartbeat(random.randint),
        make_id=lambda: ulid(time.time_ns(), secrets.token_bytes(10)),
        stamp=stamp,
        key_watch=key_watch,
    )


def _where(config: TableConfig) -> str:
    rig = config.rig
    if isinstance(rig, GpioRig):
        return f"the header ({rig.chip})"
    return rig.port or f"the port of the device {rig.device_uid}"


def _certificate(config: TableConfig) -> Path | None:
    named = None if config.broker is None else config.broker.cert
    return None if named is None else Path(named)


def _around(certificate: CertificateDays, wall: WallClock, engine: Engine) -> Surroundings:
    seen = wall.look()
    dated = seen.quality is not ClockQuality.UNSET
    free: int | None = None
    path = engine.journal.path
    if path is not None:
        with contextlib.suppress(OSError):
            free = shutil.disk_usage(path.parent).free // 1024
    head = engine.journal.head
    return Surroundings(
        last_seq=head.seq,
        head=head.digest.hex(),
        safe=engine.journal.durable,
        timers=tuple(sorted(engine.standing.deadlines.items())),
        versions={"controller": product_version(), **engine.versions},
        health={
            "disk_free_kib": free,
            "certificate_days": certificate.left(seen.at) if dated else None,
        },
    )


def product_version() -> str:
    """The installed version of this product; `unknown` where it is not installed."""
    try:
        return version("screen-table")
    except PackageNotFoundError:
        return "unknown"


@contextlib.contextmanager
def _stopped_by_signals(owner: Owner) -> Iterator[None]:
    """SIGTERM and SIGINT end the loop in order."""

    def stop(number: int, frame: object) -> None:
        owner.put(Stop())

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
