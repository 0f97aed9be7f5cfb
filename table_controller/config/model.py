"""The sections of a table's configuration, key by key, as pydantic models.

Unknown keys are refused, since a misspelt one would silently leave a check off. Must never hold a secret:
keys stay in files of their own, named here.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from firmware_bridge.rig import LEASE_MS
from table_controller.mqtt_client.settings import parse_address

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,40}$")]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, use_attribute_docstrings=True)


class TableSection(_Strict):
    """Who this table is, and what it can sense."""

    venue: Name = Field(description="The venue's name in topics.")
    event: Name = Field(description="The event's name in topics.")
    id: Name = Field(description="This table's name, the same for ever in its event.")
    senses: tuple[str, ...] = Field(
        description="What this table can sense; each needs its signals below.", strict=False
    )
    simulated: bool = Field(default=False, description="True only where a simulator stands at the wires.")


class RegulationsSection(_Strict):
    """Which authority's profile is in force."""

    id: str = Field(default="ccba-2006", description="A profile's id, or a path to a profile.")
    supplements: tuple[str, ...] = Field(
        default=(), description="Event supplements laid on top, by path, the last wins.", strict=False
    )


class SerialRig(_Strict):
    """A microcontroller on USB or UART. Give `port`, or `device_uid` to find it by its serial number."""

    kind: Literal["serial"]
    """A microcontroller behind a serial port."""
    port: str | None = Field(default=None, description="A path, best one under /dev/serial/by-id.")
    device_uid: str | None = Field(default=None, description="The device's own serial number.")
    baud: int = Field(default=115_200, ge=9_600, le=4_000_000)
    """Speed of a UART; over USB it does not matter."""
    backoff_s: float = Field(
        default=0.5, ge=0, le=10, strict=False, description="First wait before reopening a lost port."
    )

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if self.port is None and self.device_uid is None:
            raise ValueError("give port, or device_uid to find the device by its serial number")
        return self


class GpioRig(_Strict):
    """The Raspberry Pi's own header."""

    kind: Literal["gpio"]
    """The header of this computer."""
    factory: Literal["lgpio", "hw-sim"] = Field(
        default="lgpio", description="hw-sim only on a simulated table."
    )
    chip: str = Field(default="pinctrl-rp1", description="The chip's label, e.g. pinctrl-rp1 on a Pi 5.")
    socket: str | None = Field(default=None, description="The simulator's socket, with factory hw-sim.")


RigSection = Annotated[SerialRig | GpioRig, Field(discriminator="kind")]


class InputSection(_Strict):
    """One wire in. `chain` means a position on the shift-register chain."""

    pin: int = Field(ge=0, le=127)
    """GPIO number on the device or header, or the position on the chain."""
    chain: bool = False
    """The wire is on the chain of shift registers."""
    pull: Literal["none", "up", "down"] = "up"
    """The resistor on the input."""
    active_low: bool = True
    """A switch to ground is active when the pin is low."""
    debounce_ms: int = Field(
        default=25, ge=0, le=250, description="A level must last this long to count as active."
    )
    release_ms: int | None = Field(
        default=None, ge=0, le=250, description="And this long to count as inactive; default: the same."
    )


class TokenSection(_Strict):
    """One reader of texts, by its number on the device."""

    reader: int = Field(ge=0, le=63)
    """The reader's number on the device."""


class OutputSection(_Strict):
    """One wire out. `safe` is the level of the pin at start, on exit, and when nobody commands."""

    kind: Literal["lamp", "latch", "motor"]
    """What hangs on the wire."""
    pin: int = Field(ge=0, le=63)
    """GPIO number; a motor's pin to open."""
    safe: Literal["low", "high"]
    """Level of the pin at start, on exit, and when nobody commands."""
    max_on_ms: int = Field(
        default=0, ge=0, le=3_600_000, description="Longest time away from safe; 0: no limit."
    )
    close_pin: int | None = Field(
        default=None, ge=0, le=63, description="A motor's pin to close; `pin` opens."
    )
    limit_open: str | None = None
    """Input that stops a motor when open: window.open."""
    limit_close: str | None = None
    """Input that stops a motor when closed: window.closed."""
    obstructed: str | None = None
    """Input of a light barrier that stops a motor."""
    overcurrent: str | None = None
    """Input that stops a motor that meets resistance."""
    hardware_deadman: bool = False
    """A circuit stops this motor when commands cease; needed for a motor on direct GPIO."""
    open_limit_s: float = Field(
        default=8.0, gt=0, le=120, strict=False, description="A motor's longest run to open."
    )
    close_limit_s: float = Field(
        default=8.0, gt=0, le=120, strict=False, description="A motor's longest run to close."
    )
    lease_ms: int = Field(default=LEASE_MS, ge=100, le=2_000)
    """A motor stops so long after the last command, whoever lives."""


class BrokerSection(_Strict):
    """Where reports go. Without this section the table keeps its journal and reports to nobody."""

    url: str = Field(
        pattern=r"^mqtts?://.+", description="mqtt://host:port, or mqtts:// with ca, cert and key."
    )

    @field_validator("url", mode="before")
    @classmethod
    def _reachable(cls, url: object) -> object:
        """What `run` could not use is refused here, where file and key are named."""
        if isinstance(url, str):
            parse_address(url)
        return url

    ca: str | None = None
    """The authority whose certificate the broker has."""
    cert: str | None = None
    """This table's certificate."""
    key: str | None = None
    """The certificate's key, readable by the service's user only."""
    mac_keys: str = Field(description="File of the table's message keys, readable by its user only.")
    version: Literal["3.1.1", "5"] = "3.1.1"
    """Of MQTT."""


class TimingSection(_Strict):
    """Waits of the sensing, each with its reason."""

    settle_ms: int = Field(default=400, ge=1, le=2_000)
    """A column that empties for less may be the tray leaving; for longer, a card was taken off."""
    lead_settle_ms: int = Field(default=120, ge=0, le=1_000)
    """Two sensors over one card never switch together: face down only after this."""
    tag_settle_ms: int = Field(default=300, ge=0, le=2_000)
    """A board's tag may be read so long after the board is there."""
    conflict_ms: int = Field(default=1_000, ge=50, le=2_000)
    """Both docks or both limits for so long is a conflict, not a slow switch."""
    clearing_s: float = Field(default=10.0, gt=0, le=60, strict=False)
    """All cards of a face taken up within this is clearing."""
    stuck_button_s: float = Field(default=5.0, gt=0, le=60, strict=False)
    """Nobody presses a button for longer: it is stuck."""


class TableConfig(_Strict):
    """The whole file."""

    table: TableSection
    regulations: RegulationsSection = RegulationsSection()
    rig: RigSection
    inputs: dict[str, InputSection] = Field(default_factory=dict)
    tokens: dict[str, TokenSection] = Field(default_factory=dict)
    outputs: dict[str, OutputSection] = Field(default_factory=dict)
    broker: BrokerSection | None = None
    data_dir: str = Field(description="Where the journal lives.")
    timings: TimingSection = TimingSection()
